"""What an import did, told whole: counts and areas by kind, what was mended, dropped or not understood."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

MOST = 100
"""So many letters of a name of another tool are told."""


@dataclass(frozen=True)
class KindCount:
    """One kind of terrain before and after: pieces, square inches of areas, inches of lines.

    `read` is what the file gives, whole; `on_table` the part of it that lies on the table; `written` what stands in the
    scenario. Of each the number of pieces, the area in square inches, the length in inches.
    """

    kind: str
    read: tuple[int, float, float]
    on_table: tuple[int, float, float]
    written: tuple[int, float, float]


@dataclass(frozen=True)
class Left:
    """A piece that was mended, dropped or left out: its id, and why."""

    id: str
    why: str


@dataclass(frozen=True)
class Report:
    """What an import did.

    `repaired` and `dropped` list pieces one by one; `left_out` counts what is known and left out on purpose,
    `details` the keys that say more of what is known than any row asks, `not_understood` what no row of the tables
    knows, each by what it is called in the file; `cannot_say` lists what the
    format does not tell and was therefore taken; `remarks` is anything else a judge should look at. `area_m2` is the
    ground of each kind of area as written, in square metres, where the table has a scale.
    """

    source: str
    kinds: tuple[KindCount, ...]
    repaired: tuple[Left, ...] = ()
    dropped: tuple[Left, ...] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)
    details: Mapping[str, int] = field(default_factory=dict)
    not_understood: Mapping[str, int] = field(default_factory=dict)
    cannot_say: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    area_m2: Mapping[str, float] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """The report as data."""
        data = asdict(self)
        data["kinds"] = [
            {"kind": count.kind}
            | {
                part: {"pieces": pieces, "area_in2": round(area, 6), "length_in": round(length, 6)}
                for part, (pieces, area, length) in (
                    ("read", count.read), ("on_table", count.on_table), ("written", count.written),
                )
            }
            for count in self.kinds
        ]  # fmt: skip
        data["area_m2"] = {kind: round(area, 1) for kind, area in self.area_m2.items()}
        return data


def one_line(text: str, most: int = 200) -> str:
    """A text of another tool on one line: at most so many characters, none of them a control character.

    >>> one_line("© the makers,\\n  ODbL 1.0"), one_line("a long story", 7)
    ('© the makers, ODbL 1.0', 'a lo...')
    """
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= most else line[: most - 3].rstrip() + "..."


def report_text(report: Report) -> str:
    """The report as a judge reads it."""
    return "\n".join(_lines(report))


def summary(report: Report) -> list[str]:
    """The counts in a few lines, for the head of the file that was made."""
    words = [f"{count.kind} {count.written[0]}" for count in report.kinds if count.written[0]]
    lines = ["Pieces: " + (", ".join(words) or "none") + "."]
    for what, many in (("Repaired", report.repaired), ("Dropped", report.dropped)):
        if many:
            lines.append(f"{what}: {len(many)} pieces.")
    for what, counts in (("Left out", report.left_out), ("Not understood", report.not_understood)):
        if counts:
            lines.append(f"{what}: " + _counted(counts, ", ") + ".")
    return lines


def _lines(report: Report) -> Iterator[str]:
    yield f"From {report.source}."
    width = max([len("kind"), *(len(count.kind) for count in report.kinds)])
    heads = f"{'read':>6} {'sq. in':>10} {'inches':>9}   {'on table':>8} {'sq. in':>10} {'inches':>9}   "
    heads += f"{'written':>7} {'sq. in':>10}"
    yield f"  {'kind':<{width}}  {heads} {'inches':>9}"
    for count in report.kinds:
        read, table, written = count.read, count.on_table, count.written
        yield (
            f"  {count.kind:<{width}}  {read[0]:>6} {_in2(read[1])} {_in(read[2])}   {table[0]:>8} {_in2(table[1])}"
            f" {_in(table[2])}"
            f"   {written[0]:>7} {_in2(written[1])} {_in(written[2])}"
        )
    if report.area_m2:
        yield "  ground: " + ", ".join(f"{kind} {area:.1f} m²" for kind, area in report.area_m2.items())
    for words, pieces in (("repaired", report.repaired), ("dropped", report.dropped)):
        if pieces:
            yield f"{words}: {len(pieces)}"
            yield from (f"  {one_line(piece.id, MOST)}: {piece.why}" for piece in pieces)
    for words, counts in (
        ("left out", report.left_out),
        ("not understood", report.not_understood),
    ):
        if counts:
            yield f"{words}: {sum(counts.values())}"
            yield from (f"  {many:>5}  {one_line(name, MOST)}" for name, many in _ordered(counts))
    if report.details:
        yield f"details that no row asks for: {_counted(report.details, ', ')}"
    yield from (f"not told by the file: {words}" for words in report.cannot_say)
    yield from (f"look at: {words}" for words in report.remarks)


def _in2(area: float) -> str:
    return f"{area:>10.2f}" if area else f"{'-':>10}"


def _in(length: float) -> str:
    return f"{length:>9.2f}" if length else f"{'-':>9}"


def _counted(counts: Mapping[str, int], between: str) -> str:
    return between.join(f"{one_line(name, MOST)} {many}" for name, many in _ordered(counts))


def _ordered(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """The greatest first, then by the alphabet."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
