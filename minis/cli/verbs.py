"""The short verbs of `minis play`: what a line that the judge types means, in the words of an ordinary command."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import click

from minis.cli.main import COMMANDS
from minis.errors import BadInput, bad
from minis.toml_file import nearest_of

LONGEST = 10_000
"""No line is longer, in characters."""


@dataclass(frozen=True)
class Form:
    """How a word of a short verb looks, and the option that it stands for; its group is the option's value."""

    looks: str
    option: str
    often: bool = False


@dataclass(frozen=True)
class Verb:
    """A short verb: how it is typed, what it does, the command it stands for, and how its words are read."""

    usage: str
    does: str
    command: tuple[str, ...]
    read: Callable[[list[str]], list[str]] = list


def _read(words: list[str], *, names: int, forms: Sequence[Form], expected: str) -> list[str]:
    """The first `names` words as they are, then the option that each of the others stands for."""
    found = words[:names]
    for word in words[names:]:
        for form in forms:
            if match := re.fullmatch(form.looks, word):
                break
        else:
            raise bad(f"expected {expected}, not {word!r}")
        if form.option in found and not form.often:
            raise bad(f"{form.option} is given twice, the second time by {word!r}")
        found += [form.option, *match.groups()]
    return found


def _move(words: list[str]) -> list[str]:
    """A move: words with a comma are places, the last of them is where it ends."""
    places = [place for place in words[1:] if "," in place]
    others = [word for word in words[1:] if "," not in word]
    options = [*(["--via"] * len(places[:-1])), *(["--to"] * len(places[-1:]))]
    path = [word for pair in zip(options, places, strict=True) for word in pair]
    return [*words[:1], *path, *_read(others, names=0, forms=MOVE, expected=HOW)]


def _effect(words: list[str]) -> list[str]:
    """The number of an event, left out where one effect is open, and the result in as many words as it has."""
    number = words[:1] if words and words[0].isdecimal() else []
    result = words[len(number) :]
    return [*number, *(["--to", " ".join(result)] if result else [])]


SIGHT = (Form("~(.*)", "--smoke-die", often=True), Form("!", "--roll"), Form(r"(\d.*)", "--dice"))
FIRE = (
    Form("~(.*)", "--smoke-die", often=True), Form("!", "--roll"), Form(">(.*)", "--then"),
    Form("=(.*)", "--effect-dice", often=True), Form("(.*,.*)", "--dice"), Form(r"(\d+)", "--sight-dice"),
    Form("(.*)", "--weapon"),
)  # fmt: skip
MOVE = (
    Form(r"f(-?[\d.]+)", "--facing"), Form(r"t(-?[\d.]+)", "--turret"),
    Form(r"mp([\d.]+)", "--mp"), Form("rev|reverse", "--reverse"),
    *(Form(word, f"--{word}") for word in ("motion", "roof", "assault", "hazardous", "dash")),
)  # fmt: skip

HOW = "a place such as 12,14, f90, t45, mp3, rev, motion, roof, assault, hazardous or dash"

_sight = partial(_read, names=2, forms=SIGHT, expected="the die such as 59, ~28 for a smoke die, or ! to throw")
_turn = partial(_read, names=0, forms=[Form(r"(\d+)", "--turn")], expected="the number of a turn")
_alone = partial(_read, names=0, forms=(), expected="no word after it")

VERBS = {
    "s": Verb("s A B [59] [~28] [!]", "A tries to sight B; ~28 is a smoke die, ! throws", ("sight",), _sight),
    "i": Verb("i A B [59] [~28] [!]", "A tries to identify B", ("identify",), _sight),
    "f": Verb(
        "f A B [main] [3,4] [>2] [=5,6] [59] [!]",
        "A fires at B: weapon, dice, further die, dice of the effect, sighting die",
        ("fire",),
        partial(_read, names=2, forms=FIRE, expected="a weapon or dice"),
    ),
    "m": Verb("m U 12,14 [20,18 …] [f90] [t45] [mp3] [rev]", "U moves, to the last place; motion, dash, assault "
              "or hazardous", ("move",), _move),
    "e": Verb("e [N] [RESULT]", "take the effect of event N, or RESULT instead", ("effect",), _effect),
    "sm": Verb("sm place|move|remove …", "smoke", ("smoke",)),
    "t": Verb("t", "turn and phase, and what is still to do", ("turn",)),
    "n": Verb("n", "the next phase", ("turn", "next")),
    "u": Verb("u [N]", "take back the last event, or event N", ("undo",)),
    "r": Verb("r [N]", "let it count again", ("redo",)),
    "l": Verb("l [N]", "the log, or that of turn N", ("log",), _turn),
    "w": Verb("w", "hidden units that have a line of sight", ("watch",)),
    "?": Verb("? [COMMAND]", "this list, or the help of a command", ("help",)),
    "q": Verb("q", "leave", ("quit",), _alone),
}  # fmt: skip
"""The short verbs."""

OWN = {"help": "?", "quit": "q", "exit": "q"}
"""Words that only the prompt knows, and their short verbs."""


def command_of(name: str) -> tuple[str, ...]:
    """The words of the command that a short verb stands for; any other word stands for itself.

    >>> command_of("n"), command_of("turn")
    (('turn', 'next'), ('turn',))
    """
    return VERBS[name].command if name in VERBS else (name,)


def translate(line: str) -> list[str]:
    """The words of the command that a line stands for; none for an empty line and for a comment.

    The first `-` of a line, which lets it fail, is none of its words, nor is `minis` before a command; a word that
    begins with `-`, and all after it, are options of the command as they are. Raises BadInput.

    >>> translate("s T1 P3 59 ~28 --json"), translate("sight T1 P3 --dice 59"), translate("# rain")
    (['sight', 'T1', 'P3', '--dice', '59', '--smoke-die', '28', '--json'], ['sight', 'T1', 'P3', '--dice', '59'], [])
    >>> translate("s T1 P3 low")
    Traceback (most recent call last):
    minis.errors.BadInput: s: expected the die such as 59, ~28 for a smoke die, or ! to throw, not 'low'
    """
    words = _split(line)
    words = words[1:] if words[:1] == ["minis"] else words
    if not words:
        return []
    name = OWN.get(words[0], words[0])
    if name in VERBS:
        at = next((at for at, word in enumerate(words) if at and re.match("-.", word)), len(words))
        try:
            return [*VERBS[name].command, *VERBS[name].read(words[1:at]), *words[at:]]
        except BadInput as error:
            raise bad(str(error), file=name) from None
    if name == "play":
        raise bad("this is `minis play` already")
    if name not in COMMANDS:
        hint = nearest_of(name, [*COMMANDS, *OWN])
        raise bad(f"there is no command {name!r}; {hint if hint.startswith('did') else '? lists them'}")
    return words


def may_fail(line: str) -> bool:
    """Whether a line begins with `-`, as in a makefile: it may fail, and a script goes on.

    >>> may_fail("- los T1 P3"), may_fail("--help"), may_fail("los T1 P3")
    (True, False, False)
    """
    return re.match(r"\s*-(?!-)", line) is not None


def _split(line: str) -> list[str]:
    """The words of a line, with quotes as in a shell; raises BadInput for what is no line that a person types."""
    if len(line) > LONGEST:
        raise bad(f"a line has {LONGEST} characters at most")
    line = line.replace("\t", " ").strip(" ")
    if not line.isprintable():
        odd = next(sign for sign in line if not sign.isprintable())
        raise bad(f"the line holds {odd!a}, which is no character to be typed")
    if line.startswith("#"):
        return []
    try:
        return shlex.split(line.removeprefix("-") if may_fail(line) else line)
    except ValueError:
        raise bad("a quote is not closed; before one that is meant as it is type a backslash: it\\'s") from None


def help_text() -> str:
    """What `?` prints."""
    width = max(len(verb.usage) for verb in VERBS.values())
    return "\n".join([
        *(f"  {verb.usage:<{width}}  {verb.does}" for verb in VERBS.values()),
        "Options follow the words: s T1 P3 59 --json. Every command of minis works too, such as los T1 P3:",
        click.wrap_text(", ".join(COMMANDS), 100, "  ", "  "),
        "A line that begins with # is a comment; in a script, one that begins with - may fail.",
    ])  # fmt: skip
