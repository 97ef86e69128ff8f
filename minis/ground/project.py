"""From longitude and latitude to table inches and back: azimuthal equidistant about the middle of the table."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from minis.board.geometry import sin_cos
from minis.board.place import Place
from minis.errors import bad

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

FARTHEST_LAT = 85.0
"""Beyond this latitude no table is laid: north has no one direction across it."""

Shift = Callable[[Any, Any], "tuple[Numbers, Numbers]"]


class Projection:
    """The ground around a table: longitude and latitude (degrees, WGS84) to table inches, and back.

    Distances from the middle of the table are true; across it they are true to parts in a million. Raises BadInput
    where pyproj is not there, and where the middle is nearer to a pole than a table can be.

    >>> ground = Projection(Place(26.9436, 60.52875, 0, "1in=25m"), 60, 80)
    >>> x, y = ground.to_table(26.9436, 60.52875)
    >>> float(x), float(y)
    (30.0, 40.0)
    >>> lon, lat = ground.to_ground(30, 80)
    >>> round(float(lon), 5), round(float(lat), 5)
    (26.9436, 60.53772)
    """

    def __init__(self, place: Place, width_in: float, depth_in: float):
        if abs(place.lat) > FARTHEST_LAT:
            message = f"latitude {place.lat:g} is too near a pole, where north is no one direction"
            raise bad(f"{message}; expected {FARTHEST_LAT:g} south to {FARTHEST_LAT:g} north", file="--centre")
        project = _projection(place.lon, place.lat)
        self._forward: Shift = project[0]
        self._back: Shift = project[1]
        self._middle = width_in / 2, depth_in / 2
        self._metres = place.metres_per_inch
        self._sine, self._cosine = sin_cos(place.bearing)

    def to_table(self, lon: Any, lat: Any) -> tuple[Numbers, Numbers]:
        """Table inches of a longitude and a latitude, or of arrays of them; infinite where there are none."""
        import numpy as np

        with np.errstate(invalid="ignore"):
            east, north = self._forward(np.asarray(lon, dtype=float), np.asarray(lat, dtype=float))
            x = (east * self._cosine - north * self._sine) / self._metres + self._middle[0]
            y = (east * self._sine + north * self._cosine) / self._metres + self._middle[1]
        return x, y

    def to_ground(self, x: Any, y: Any) -> tuple[Numbers, Numbers]:
        """Longitude and latitude of a place in table inches, or of arrays of them; longitude from -180 to 180."""
        import numpy as np

        right = (np.asarray(x, dtype=float) - self._middle[0]) * self._metres
        up = (np.asarray(y, dtype=float) - self._middle[1]) * self._metres
        east, north = right * self._cosine + up * self._sine, up * self._cosine - right * self._sine
        return self._back(east, north)


def _projection(lon: float, lat: float) -> tuple[Shift, Shift]:
    """East and north in metres from a place, and back."""
    pyproj = pyproj_module()
    aeqd = pyproj.CRS.from_dict({"proj": "aeqd", "lon_0": lon, "lat_0": lat, "datum": "WGS84", "units": "m"})
    forward = pyproj.Transformer.from_crs("EPSG:4326", aeqd, always_xy=True)
    back = pyproj.Transformer.from_crs(aeqd, "EPSG:4326", always_xy=True)
    return forward.transform, back.transform


def pyproj_module() -> Any:
    """The module pyproj; raises BadInput that says which extra brings it."""
    try:
        import pyproj
    except ImportError:
        raise bad("real ground needs pyproj, which is not installed: it comes with minis[ground]") from None
    return pyproj


def parse_centre(text: str) -> tuple[float, float]:
    """Longitude and latitude in degrees, from what a judge types.

    Raises BadInput where it is none, and where the two look swapped.

    >>> parse_centre("26.9436,60.52875")
    (26.9436, 60.52875)
    >>> parse_centre("60.5, 126.9")
    Traceback (most recent call last):
    minis.errors.BadInput: --centre: latitude 126.9 is beyond 90: longitude comes first, is it swapped with latitude?
    """
    parts = text.replace(";", ",").split(",")
    try:
        lon, lat = (float(part) for part in parts)
    except ValueError:
        lon = lat = math.nan
    if not (math.isfinite(lon) and math.isfinite(lat)):
        raise bad(f"expected LON,LAT in degrees such as 26.9436,60.5288, not {text[:40]!r}", file="--centre")
    fault = fault_of(lon, lat)
    if fault:
        raise bad(fault, file="--centre")
    return lon, lat


def fault_of(lon: float, lat: float) -> str:
    """What is wrong with a longitude and a latitude, in words; empty where nothing is.

    >>> fault_of(26.9, 60.5), fault_of(190, 60)
    ('', 'longitude 190 is beyond 180: past the date line it goes on from -180')
    """
    if not (math.isfinite(lon) and math.isfinite(lat)):
        return f"{lon:g}, {lat:g} is no place: expected finite numbers"
    if abs(lat) > 90 and abs(lon) <= 90 and abs(lat) <= 180:
        return f"latitude {lat:g} is beyond 90: longitude comes first, is it swapped with latitude?"
    if abs(lon) > 360 or abs(lat) > 90:
        return f"{lon:g}, {lat:g} are no degrees: is the file in metres? expected longitude and latitude (WGS84)"
    if abs(lon) > 180:
        side = "from -180" if lon > 0 else "from 180"
        return f"longitude {lon:g} is beyond {math.copysign(180, lon):g}: past the date line it goes on {side}"
    return ""
