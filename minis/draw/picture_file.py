"""What a picture says of itself: PNG or JPEG, its size in pixels."""

from __future__ import annotations

import struct
from dataclasses import dataclass

PNG_MARK = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True)
class PictureFile:
    """What a PNG or a JPEG says of itself: its type, its size in pixels, whether a mark in it turns it when shown."""

    mime: str
    width: int
    height: int
    turned: bool = False


def picture_of(data: bytes) -> PictureFile | None:
    """What a picture says of itself; None for what is neither PNG nor JPEG, or cut off before its size.

    >>> picture_of(PNG_MARK + bytes([0, 0, 0, 13]) + b"IHDR" + bytes([0, 0, 0, 2, 0, 0, 0, 3]))
    PictureFile(mime='image/png', width=2, height=3, turned=False)
    >>> picture_of(b"GIF89a") is None
    True
    """
    if data.startswith(PNG_MARK):
        if len(data) < 24 or data[12:16] != b"IHDR":
            return None
        width, height = struct.unpack(">II", data[16:24])
        return PictureFile("image/png", width, height) if width and height else None
    return _jpeg(data) if data.startswith(b"\xff\xd8") else None


def _jpeg(data: bytes) -> PictureFile | None:
    """The size of a JPEG stands in its first frame header; whether it is turned, in its EXIF part."""
    at, turned = 2, False
    while at + 9 < len(data) and data[at] == 0xFF:
        kind = data[at + 1]
        if kind == 0xFF or kind == 0x01 or 0xD0 <= kind <= 0xD7:  # filling, and marks without a part
            at += 1 if kind == 0xFF else 2
            continue
        (length,) = struct.unpack(">H", data[at + 2 : at + 4])
        if kind == 0xE1 and data[at + 4 : at + 10] == b"Exif\0\0":
            turned = _orientation(data[at + 10 : at + 2 + length]) not in (0, 1)
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return PictureFile("image/jpeg", width, height, turned) if width and height else None
        at += 2 + max(length, 2)
    return None


def _orientation(exif: bytes) -> int:
    """The orientation that an EXIF part gives; 0 where it gives none."""
    order = {b"II": "<", b"MM": ">"}.get(exif[:2])
    if order is None or len(exif) < 8:
        return 0
    (start,) = struct.unpack(order + "I", exif[4:8])
    if start + 2 > len(exif):
        return 0
    (count,) = struct.unpack(order + "H", exif[start : start + 2])
    for entry in range(start + 2, min(start + 2 + 12 * count, len(exif) - 11), 12):
        tag, _, _, value = struct.unpack(order + "HHIH", exif[entry : entry + 10])
        if tag == 0x0112:
            return int(value)
    return 0
