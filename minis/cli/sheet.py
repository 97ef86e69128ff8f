"""`minis sheet`: play aids for the table, from the rule tables of today's game."""

from __future__ import annotations

from pathlib import Path

import click

from minis.cli.draw_options import write_whole
from minis.cli.options import game_option, json_option, load_board, print_json
from minis.errors import bad


@click.command()
@click.argument("names", nargs=-1, metavar="[SHEET]...")
@game_option
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write them: FILE.pdf needs the extra `print`; FILE.svg is one file a page, FILE-1.svg and so on.",
)
@click.option("--paper", type=click.Choice(("a4", "letter")), default="a4", show_default=True, help="Size of a page.")
@json_option
def sheet(
    names: tuple[str, ...], game: Path | None, house: Path | None, as_side: str | None, out: Path | None, paper: str,
    as_json: bool,
) -> None:  # fmt: skip
    """Play aids: sighting, shadows, to-hit, cases, left-out, game; all of them, or those that are named.

    With -g they are under the switches and house rules of a game, with --tables under a folder of house rules. Without
    --out the sheets are listed.
    """
    from minis.draw.sheet import sheet_answer, sheet_pages, sheets
    from minis.rules import load_rules

    board = load_board(game, house, as_side) if game is not None else None
    rules = board.rules if board else load_rules(house)
    made = sheets(
        rules, names,
        inches_per_hex=board.inches_per_hex if board else None, inches_per_mp=board.inches_per_mp if board else None,
    )  # fmt: skip
    if out is not None:
        pages = sheet_pages(made, paper=paper, subject=board.title if board else "", rules=rules)
        files = _files(pages, out, paper)
        for path, content in files:
            write_whole(path, content)
        named = [str(path) for path, _ in files]
        click.echo(f"wrote {named[0] if len(named) == 1 else f'{named[0]} to {named[-1]}'}", err=True)
    if as_json:
        print_json({"sheets": sheet_answer(made)})
    elif out is None:
        width = max(len(each.name) for each in made)
        lines = [f"{each.name:<{width}}  {each.title}" for each in made]
        click.echo("\n".join([*lines, "", "minis sheet [SHEET]... --out FILE.pdf prints them."]))


def _files(pages: list[str], out: Path, paper: str) -> list[tuple[Path, bytes]]:
    """The files that are written, with what stands in them; raises BadInput for another ending."""
    match out.suffix.lower():
        case ".pdf":
            from minis.draw.paper import pdf_of_pages

            return [(out, pdf_of_pages(pages, title="Play aids", paper=paper))]
        case ".svg" if len(pages) == 1:
            return [(out, pages[0].encode())]
        case ".svg":
            return [(out.with_stem(f"{out.stem}-{n}"), page.encode()) for n, page in enumerate(pages, 1)]
        case _:
            raise bad(f"expected a name that ends in .pdf or .svg, not {out.name!r}", file="--out")
