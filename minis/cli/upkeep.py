"""`minis fmt`, `minis merge`, `minis crop`, `minis lint`: the upkeep of scenario files, by the judge."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from minis.cli.options import json_option, print_json, side_option
from minis.cli.text import columns, plural
from minis.errors import BadInput, MinisError, Mistake, bad
from minis.lengths import parse_length

if TYPE_CHECKING:
    from minis.ground.changes import Changes
    from minis.ground.lint import Placed
    from minis.ground.report import Left

NAMES_SHOWN = 12
"""Of a long list of ids so many are told."""

FILE = click.Path(path_type=Path)
OUT = click.option("-o", "--out", type=FILE, required=True, metavar="FILE", help="The scenario file to write.")
FORCE = click.option("--force", is_flag=True, help="Replace the file if it is there.")


def _judge_only(as_side: str | None) -> None:
    """Raise MinisError for a side: a scenario file holds what it may not know (S11, S12)."""
    if as_side is not None:
        raise MinisError("only the judge looks into a scenario file: leave out --as, and unset MINIS_SIDE")


def _numbers(text: str, count: int, option: str, example: str) -> tuple[float, ...]:
    """So many lengths, with commas between them."""
    words = text.split(",")
    if len(words) != count:
        raise bad(f"expected {example}, in inches, not {text!r}", file=option)
    try:
        return tuple(map(parse_length, words))
    except BadInput as error:
        raise BadInput(Mistake(one.message, file=option) for one in error.mistakes) from None


# --- fmt -------------------------------------------------------------------------------------------------------------


@click.command()
@click.argument("files", type=FILE, nargs=-1, required=True, metavar="FILE …")
@click.option("--check", "only_check", is_flag=True, help="Write nothing; exit status 1 where a file would change.")
@side_option
@json_option
def fmt(files: tuple[Path, ...], only_check: bool, as_side: str | None, as_json: bool) -> None:
    """Lay scenario files out in the one order and layout, with their comments; what they say does not change.

    Parts: title, table, switches, types, terrain, smoke, zones, lanes, units; in each the order as it is. A list is on
    one line where it fits, comments behind short values stand in a column. A list with comments inside keeps its lines.
    Nothing is written where one of the files cannot be read.
    """
    from minis.ground.layout import WHAT, formatted
    from minis.ground.scenario_text import write_whole
    from minis.toml_file import read_text

    _judge_only(as_side)
    changed: list[tuple[Path, str]] = []
    mistakes: list[Mistake] = []
    for path in files:
        try:
            text = read_text(path, what=WHAT)
            laid = formatted(text, str(path))
        except BadInput as error:
            mistakes += error.mistakes
            continue
        if laid.encode() != path.read_bytes():
            changed.append((path, laid))
    if mistakes:
        raise BadInput(mistakes)
    for path, laid in () if only_check else changed:
        write_whole(path.resolve(), laid, force=True)
    names = [str(path) for path, _ in changed]
    if as_json:
        print_json({"files": len(files), "changed": names, "written": not only_check})
    else:
        for name in names:
            click.echo(f"{name}: {'would be laid out anew' if only_check else 'laid out anew'}")
        fine = len(files) - len(names)
        if fine:
            click.echo(f"{plural(fine, 'file')} fine.")
    if only_check and names:
        click.get_current_context().exit(1)


# --- merge, crop -----------------------------------------------------------------------------------------------------


@click.command()
@click.argument("a", type=FILE)
@click.argument("b", type=FILE)
@OUT
@click.option("--at", default="0,0", metavar="X,Y", help="Where the origin of B lies on A's table, in inches.")
@click.option("--rename", "suffix", metavar="SUFFIX", help="Put this behind ids, tokens and types of B that A has too.")
@click.option(
    "--take", type=click.Choice(["a", "b"]), help="Whose table keys, switches and house rules count if they differ."
)
@FORCE
@side_option
@json_option
def merge(
    a: Path,
    b: Path,
    out: Path,
    at: str,
    suffix: str | None,
    take: str | None,
    force: bool,
    as_side: str | None,
    as_json: bool,
) -> None:
    """Lay scenario B onto the table of scenario A: terrain, smoke, zones, lanes, types and units of both.

    The table becomes as large as both need. What is the same in both stands once; an id that both have for different
    things, and a setting that differs, is a mistake unless --rename or --take says what to do.
    """
    from minis.ground.merge import merge as merged
    from minis.ground.parts import parts_of

    _judge_only(as_side)
    x, y = _numbers(at, 2, "--at", "X,Y")
    if suffix is not None and (not suffix.isprintable() or not suffix.strip() or suffix != suffix.strip()):
        raise bad("expected a few letters, such as -b", file="--rename")
    parts = []
    mistakes: list[Mistake] = []
    for path in (a, b):
        try:
            parts.append(parts_of(path))
        except BadInput as error:
            mistakes += error.mistakes
    if mistakes:
        raise BadInput(mistakes)
    _deliver(lambda: merged(parts[0], parts[1], out, at=(x, y), suffix=suffix, take=take), out, force, as_json)


@click.command()
@click.argument("file", type=FILE)
@click.option("--box", required=True, metavar="X0,Y0,X1,Y1", help="South-west and north-east corner, in inches.")
@OUT
@click.option("--drop-units", is_flag=True, help="Leave out units outside the box; else they are a mistake.")
@FORCE
@side_option
@json_option
def crop(file: Path, box: str, out: Path, drop_units: bool, force: bool, as_side: str | None, as_json: bool) -> None:
    """Cut a part out of a table: the south-west corner of the box becomes the origin.

    Terrain, smoke, zones and lanes are cut at its edge. Whatever lies inside keeps its shape to the last 1/8000 inch.
    """
    from minis.ground.crop import crop as cropped
    from minis.ground.parts import parts_of

    _judge_only(as_side)
    x0, y0, x1, y1 = _numbers(box, 4, "--box", "X0,Y0,X1,Y1")
    parts = parts_of(file)
    _deliver(lambda: cropped(parts, (x0, y0, x1, y1), out, drop_units=drop_units), out, force, as_json)


def _deliver(make: Callable[[], tuple[str, Changes]], out: Path, force: bool, as_json: bool) -> None:
    """Make a scenario, write it whole or not at all, and say what was done."""
    from minis.ground.scenario_text import write_whole

    text, changes = make()
    write_whole(out, text, force=force)
    if as_json:
        print_json({"file": str(out), **_as_json(changes)})
    else:
        click.echo("\n".join(_changes_text(out, changes)))


def _as_json(changes: Changes) -> dict[str, Any]:
    listed = {"cut": changes.cut, "dropped": changes.dropped, "renamed": changes.renamed}
    found = {name: [{"id": one.id, "why": one.why} for one in pieces] for name, pieces in listed.items()}
    return {"written": dict(changes.kept)} | found | {"remarks": list(changes.remarks)}


def _changes_text(out: Path, changes: Changes) -> list[str]:
    words = ", ".join(f"{name} {count}" for name, count in changes.kept.items() if count) or "an empty table"
    lines = [f"{out}: {words}."]
    for name, pieces in (("cut", changes.cut), ("dropped", changes.dropped), ("renamed", changes.renamed)):
        if pieces:
            lines.append(f"{name}: {len(pieces)}")
            lines += _listed(pieces)
    return lines + [f"look at: {remark}" for remark in changes.remarks]


def _listed(pieces: Sequence[Left]) -> Iterator[str]:
    """Pieces of which the same is to be said on one line; --json lists them all."""
    for why in dict.fromkeys(one.why for one in pieces):
        names = [one.id for one in pieces if one.why == why]
        yield f"  {why}: {', '.join(names[:NAMES_SHOWN])}" + (
            f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
        )


# --- lint ------------------------------------------------------------------------------------------------------------


@click.command()
@click.argument("file", type=FILE)
@click.option("--tables", "house", type=FILE, metavar="DIR", help="House rules laid over the tables.")
@side_option
@json_option
def lint(file: Path, house: Path | None, as_side: str | None, as_json: bool) -> None:
    """Look for what `minis check` allows and nobody may have meant, each with its line and its rule or reason.

    Overlaps that make no sense, houses over two levels, slivers, bases in walls and in each other, hidden units outside
    their zones, ground that no vehicle reaches, dummies. Exit status 1 where something is wrong; remarks alone are 0.
    `minis tables lint` lists its numbers.
    """
    from minis.board.scenario import WHAT, board_of
    from minis.ground.lint import lint as look
    from minis.toml_file import read_toml

    _judge_only(as_side)
    document = read_toml(file, what=WHAT)
    board = board_of(document, house=house)
    found = look(document, board)
    wrong = sum(not one.finding.remark for one in found)
    if as_json:
        print_json({"file": str(file), "wrong": wrong, "findings": [_finding_json(one) for one in found]})
    else:
        for one in found:
            about = one.finding
            said = f"{one.where}: {'remark: ' if about.remark else ''}{about.id}: {about.why}"
            click.echo(columns(said, f"{about.check}  {about.rule}".rstrip()))
        remarks = len(found) - wrong
        many = [plural(wrong, "thing") + " wrong"] if wrong else []
        many += [plural(remarks, "remark")] if remarks else []
        click.echo(f"{file}: {', '.join(many) or 'nothing to say'}.")
    if wrong:
        click.get_current_context().exit(1)


def _finding_json(one: Placed) -> dict[str, Any]:
    about = one.finding
    return {
        "check": about.check, "id": about.id, "wrong": not about.remark, "why": about.why, "rule": about.rule or None,
        "file": one.file, "line": one.line, "column": one.column,
    }  # fmt: skip
