"""The prompt for the table: short verbs are the commands themselves, and no line that is typed ends it."""

from __future__ import annotations

import os
import pty
import select
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from minis.cli.main import COMMANDS, cli
from minis.cli.play import completions, history, line_editing, standing
from minis.cli.verbs import LONGEST, OWN, VERBS, translate
from minis.errors import BadInput
from minis.game.game import Game
from minis.game.verify import verify
from minis.rules import examples_folder

CROSSROADS = examples_folder() / "crossroads" / "scenario.toml"


def run(*args: object, typed: str | bytes = "", **environment: str | None) -> Result:
    """Run a command with what is typed into it; an exception that is no exit is the test's failure."""
    runner = CliRunner(env={"MINIS_GAME": None, "MINIS_SIDE": None, **environment})
    result = runner.invoke(cli, [str(arg) for arg in args], input=typed)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a game that has just begun."""
    path = tmp_path_factory.mktemp("begun") / "a.game"
    assert run("start", CROSSROADS, path).exit_code == 0
    return path.read_bytes()


@pytest.fixture
def game(tmp_path: Path, begun: bytes) -> Path:
    """A game on the crossroads in a folder of its own."""
    path = tmp_path / "a.game"
    path.write_bytes(begun)
    return path


def kinds(path: Path) -> list[str]:
    """The kinds of the events of a game."""
    with Game.open(path) as opened:
        return [event.kind for event in opened.timeline.events]


def split(output: str) -> dict[str, str]:
    """What stands under each line of a script that was echoed."""
    parts = [part.partition("\n") for part in ("\n" + output).split("\n> ")[1:]]
    return {line: answer.strip() for line, _, answer in parts}


# --- what a line means -----------------------------------------------------------------------------------------------

LINES = [
    ("s T1 P3", "sight T1 P3"),
    ("s T1 P3 59", "sight T1 P3 --dice 59"),
    ("s T1 P3 00 ~28 ~03", "sight T1 P3 --dice 00 --smoke-die 28 --smoke-die 03"),
    ("s T1 P3 !", "sight T1 P3 --roll"),
    ("s 12 13 59", "sight 12 13 --dice 59"),
    ("i T1 X3 07", "identify T1 X3 --dice 07"),
    ("i T1 X3 ~1 ! --json", "identify T1 X3 --smoke-die 1 --roll --json"),
    ("f T1 P3", "fire T1 P3"),
    ("f T1 P3 main 3,4 >2 =5,6", "fire T1 P3 --weapon main --dice 3,4 --then 2 --effect-dice 5,6"),
    ("f T1 P3 3,4 =5,6 =1,1", "fire T1 P3 --dice 3,4 --effect-dice 5,6 --effect-dice 1,1"),
    ("f T1 P3 59 ~28 !", "fire T1 P3 --sight-dice 59 --smoke-die 28 --roll"),
    ("f T1 P3 3,4 --also P4 --ammo HE", "fire T1 P3 --dice 3,4 --also P4 --ammo HE"),
    ("f T1 --all", "fire T1 --all"),
    ("m T1 12,14", "move T1 --to 12,14"),
    ("m T1 12,14 20,18", "move T1 --via 12,14 --to 20,18"),
    (
        "m T1 1,2 3,4 5,6 f90 t45 mp3 rev",
        "move T1 --via 1,2 --via 3,4 --to 5,6 --facing 90 --turret 45 --mp 3 --reverse",
    ),
    ("m T1 f-22.5", "move T1 --facing -22.5"),
    ("m T1 assault 12,14 mp1.5", "move T1 --to 12,14 --assault --mp 1.5"),
    ("m T1 12,14 hazardous motion", "move T1 --to 12,14 --hazardous --motion"),
    ("m T1 12,14 dash roof --storey 1", "move T1 --to 12,14 --dash --roof --storey 1"),
    ("t", "turn"),
    ("t next", "turn next"),
    ("n", "turn next"),
    ("u", "undo"),
    ("u 7 --why slip", "undo 7 --why slip"),
    ("r", "redo"),
    ("r 7", "redo 7"),
    ("l", "log"),
    ("l 0", "log --turn 0"),
    ("l 2 --full", "log --turn 2 --full"),
    ("w", "watch"),
    ("w --side axis", "watch --side axis"),
    ("e 12", "effect 12"),
    ("e 12 immobilized --target P3", "effect 12 --to immobilized --target P3"),
    ("sm place --at 12,14", "smoke place --at 12,14"),
    ("sm remove smoke-1", "smoke remove smoke-1"),
    ("los T1 P3", "los T1 P3"),
    ("set T1 buttoned_up", "set T1 buttoned_up"),
    ("minis los T1 P3", "los T1 P3"),
    ("minis s T1 P3", "sight T1 P3"),
    ("- s T1 P3 59", "sight T1 P3 --dice 59"),
    ("  -s T1 P3 59  ", "sight T1 P3 --dice 59"),
    ("\ts\tT1  P3", "sight T1 P3"),
    ("?", "help"),
    ("help sight", "help sight"),
    ("q", "quit"),
    ("exit", "quit"),
    ("", ""),
    ("   \t", ""),
    ("# s T1 P3", ""),
    ("  #", ""),
    ("-", ""),
    ("minis", ""),
]


@pytest.mark.parametrize(("line", "words"), LINES)
def test_a_short_line_is_a_command_in_full(line: str, words: str) -> None:
    """Each verb, with each kind of word that it takes, becomes the words of a command."""
    assert translate(line) == words.split()


def test_quotes_hold_words_together() -> None:
    """As in a shell: an id with blanks, a place in fractions, the words of a note; a backslash keeps a quote."""
    assert translate("s 'own shell' P3 59") == ["sight", "own shell", "P3", "--dice", "59"]
    assert translate('m T1 "12 1/2,14" 20,18') == ["move", "T1", "--via", "12 1/2,14", "--to", "20,18"]
    assert translate('note "it\'s raining"') == ["note", "it's raining"]
    assert translate(r"note it\'s # raining") == ["note", "it's", "#", "raining"]
    assert translate("e 12 no effect") == ["effect", "12", "--to", "no effect"]


def test_every_verb_is_tried_and_stands_for_a_command() -> None:
    """The lines above use each verb; each verb calls a command that there is, or is the prompt's own."""
    assert {line.replace("-", " ").split()[0] for line, words in LINES if words} >= set(VERBS)
    for name, verb in VERBS.items():
        assert verb.command[0] in (OWN if name in "?q" else COMMANDS)
        assert name not in COMMANDS


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("s T1 P3 low", "s: expected the die such as 59, ~28 for a smoke die, or ! to throw, not 'low'"),
        ("s T1 P3 59 60", "s: --dice is given twice, the second time by '60'"),
        ("f T1 P3 3,4 4,5", "f: --dice is given twice, the second time by '4,5'"),
        ("f T1 P3 main cmg", "f: --weapon is given twice, the second time by 'cmg'"),
        ("m T1 fast", "m: expected a place such as 12,14, f90, t45"),
        ("m T1 f90 f80", "m: --facing is given twice"),
        ("l all", "l: expected the number of a turn, not 'all'"),
        ("q now", "q: expected no word after it, not 'now'"),
        ("exit now", "q: expected no word after it, not 'now'"),
        ("note it's raining", "a quote is not closed"),
        ("note \\", "a quote is not closed"),
        ("sihgt T1 P3", "there is no command 'sihgt'; did you mean 'sight'?"),
        ("x", "there is no command 'x'; ? lists them"),
        ("--help", "there is no command '--help'; did you mean 'help'?"),
        ("play a.game", "this is `minis play` already"),
        ("s T1\0 P3", r"the line holds '\x00', which is no character to be typed"),
        ("s T1 \x1b[31m", r"the line holds '\x1b'"),
        ("s T1 \udcff", r"the line holds '\udcff'"),
        ("s T1 P3 " + "9" * LONGEST, f"a line has {LONGEST} characters at most"),
    ],
)
def test_a_line_that_means_nothing_says_what_was_expected(line: str, why: str) -> None:
    """Bad input, in one line."""
    with pytest.raises(BadInput) as caught:
        translate(line)
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)


@given(st.text() | st.lists(st.sampled_from([*VERBS, *COMMANDS, *OWN, "-", "#", "'"]) | st.text()).map(" ".join))
@example("? ?")
def test_any_text_has_a_meaning_or_is_bad_input(line: str) -> None:
    """Nothing else is raised, and the first word is always a command."""
    try:
        words = translate(line)
    except BadInput:
        return
    assert not words or words[0] in {*COMMANDS, *OWN}


# --- a session -------------------------------------------------------------------------------------------------------

SESSION = """\
# set-up
t
n
n
m T1 22,37.5 f90 t80
n

n
s T5 P1 99
l
u
t
q
n
"""


def test_a_session_at_the_crossroads(game: Path) -> None:
    """Every line answers as its command does, what happened is in the journal, and nothing after q."""
    done = run("play", game, typed=SESSION)
    assert done.exit_code == 0, done.output
    assert done.stderr == ""
    said = split(done.stdout)
    assert [f"> {line}" for line in SESSION.splitlines()[:-1] if line] == [
        line for line in done.stdout.splitlines() if line.startswith("> ")
    ]
    assert said["# set-up"] == ""
    assert said["m T1 22,37.5 f90 t80"].startswith("4  T1 moves 4.20")
    assert "Turn 1: sighting" in said["l"]
    assert kinds(game) == ["start", "turn", "turn", "move", "turn", "turn", "sight", "undo"]
    with Game.open(game) as opened:
        assert opened.timeline.events[6].data["asked"] == {"sighter": "T5", "target": "P1"}
        assert [die["face"] for die in opened.timeline.events[6].data["dice"]] == [99]
        assert opened.state.unit("T1").turret == 80
        assert verify(opened).fault is None


def test_a_line_prints_what_its_command_prints(game: Path) -> None:
    """There is one behaviour: a question at the prompt and on the command line have the same answer."""
    for line, words in [("los T1 P1", "los T1 P1"), ("w", "watch"), ("s T1 P1", "sight T1 P1"), ("l", "log")]:
        typed = split(run("play", game, typed=line).stdout)
        assert typed == {line: run(*words.split(), "-g", game).stdout.strip()}


def test_a_line_means_this_game_whatever_the_environment_says(game: Path) -> None:
    """MINIS_GAME elsewhere does not lead a line astray, -g does; GAME itself may stand in MINIS_GAME."""
    other = run("play", game, typed="n", MINIS_GAME=str(CROSSROADS))
    assert (other.exit_code, kinds(game)) == (0, ["start", "turn"])
    assert run("play", typed="n", MINIS_GAME=str(game)).exit_code == 0
    assert kinds(game) == ["start", "turn", "turn"]
    assert run("play", game, typed=f"n -g {CROSSROADS}").exit_code == 2
    before = {**os.environ}
    assert run("play", game, typed="n").exit_code == 0
    assert before == {**os.environ}


def test_help_lists_the_verbs_and_shows_a_command(game: Path) -> None:
    """`?` has every verb and every command; `? s` and `? smoke place` are the help of a command."""
    said = split(run("play", game, typed="?\nhelp\n? s\n? smoke place\n? q\n").stdout)
    assert said["?"] == said["help"] == said["? q"]
    for verb in VERBS.values():
        assert verb.usage in said["?"]
    assert set(COMMANDS) <= set(said["?"].replace(",", " ").split())
    assert max(map(len, said["?"].splitlines())) <= 120
    assert said["? s"] == run("sight", "--help").stdout.replace("Usage: cli", "Usage: minis").strip()
    assert said["? smoke place"] == run("smoke", "place", "--help").stdout.replace("Usage: cli", "Usage: minis").strip()


def test_play_is_the_judges(game: Path) -> None:
    """With a side named it is refused."""
    for done in (run("play", game, "--as", "axis", typed="n"), run("play", game, typed="n", MINIS_SIDE="axis")):
        assert (done.exit_code, done.stdout) == (1, "")
        assert "only the judge records" in done.stderr
    assert kinds(game) == ["start"]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ((CROSSROADS,), "this is no game file"),
        (("nowhere.game",), "nowhere.game"),
        (("GAME", "nowhere.txt"), "nowhere.txt: cannot be read: No such file or directory"),
        (("GAME", examples_folder()), "cannot be read: Is a directory"),
        (("GAME", "--history", "h"), "--history: a script is not kept"),
    ],
)
def test_what_cannot_be_played_is_bad_input(game: Path, arguments: tuple[object, ...], why: str) -> None:
    """The file is named, before any line is read."""
    done = run("play", *(game if word == "GAME" else word for word in arguments), typed="n")
    assert (done.exit_code, done.stdout) == (2, "")
    assert why in done.stderr
    assert kinds(game) == ["start"]


# --- scripts ---------------------------------------------------------------------------------------------------------


def script(game: Path, text: str | bytes) -> Path:
    """A script beside a game."""
    path = game.with_name("script.txt")
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_a_script_stops_at_a_line_that_fails(game: Path) -> None:
    """With its exit status, its message under it, and on standard error where it stopped."""
    path = script(game, "n\n\nlos T1 T99\nn\n")
    done = run("play", game, path)
    assert done.exit_code == 2
    assert list(split(done.stdout)) == ["n", "los T1 T99"]
    assert "there is no unit 'T99'" in split(done.stdout)["los T1 T99"]
    assert done.stderr == f"{path}:3: this line failed, and the script stops\n"
    assert kinds(game) == ["start", "turn"]


def test_the_status_is_that_of_the_line(game: Path) -> None:
    """A refusal of the rules is 1, what click does not take is 2, on standard input as in a file."""
    refused = run("play", game, typed="m T13 20,20\nn")
    assert (refused.exit_code, kinds(game)) == (1, ["start"])
    assert "T13 is a wreck" in refused.stdout
    wrong = run("play", game, typed="s T1\nn")
    assert (wrong.exit_code, kinds(game)) == (2, ["start"])
    assert "Missing argument 'B'" in wrong.stdout
    assert wrong.stderr == "standard input:1: this line failed, and the script stops\n"


def test_a_line_with_a_dash_may_fail(game: Path) -> None:
    """Its message is printed, and the script goes on and ends well."""
    done = run("play", game, script(game, "- los T1 T99\n-m T13 20,20\n  - foo\n- n\nn\n- q\nn\n"))
    assert (done.exit_code, done.stderr) == (0, "")
    said = split(done.stdout)
    assert "there is no unit 'T99'" in said["- los T1 T99"]
    assert "T13 is a wreck" in said["-m T13 20,20"]
    assert "there is no command 'foo'" in said["  - foo"]
    assert kinds(game) == ["start", "turn", "turn"]


def test_a_script_that_goes_on_still_ends_with_its_first_failure(game: Path) -> None:
    """--no-strict plays every line and hides no failure."""
    done = run("play", game, "--no-strict", typed="m T13 20,20\nfoo\nn\n")
    assert (done.exit_code, done.stderr, kinds(game)) == (1, "", ["start", "turn"])


@pytest.mark.parametrize(
    ("text", "events"),
    [
        (b"n\r\nn\r\n", 3),
        (b"\xef\xbb\xbfn\n", 2),
        (b"n\nn", 3),
        (b"", 1),
        (b"n\n- note a\0b\n- note \xff\nn\n", 3),
        (b"- note " + b"x" * 50_000 + b"\nn\n", 2),
        (b"note " + b"x" * (LONGEST - 5) + b"\nn\n", 3),
        (b"- note " + b"x" * 50_000, 1),
    ],
    ids=["CRLF", "BOM", "no end of line", "nothing", "no text", "too long", "longest", "too long at the end"],
)
def test_whatever_an_editor_makes_of_a_script(game: Path, text: bytes, events: int) -> None:
    """Lines are found, odd ones are refused and printed without their odd characters."""
    for done in (run("play", game, script(game, text)), run("play", game, typed=text + b"\n- u\n- u\n")):
        assert (done.exit_code, done.stderr) == (0, "")
        assert all(sign.isprintable() for sign in done.stdout.replace("\n", ""))
    with Game.open(game) as opened:
        assert opened.timeline.events[events - 1 :][:1] != []
        assert len([e for e in opened.timeline.events if e.kind in ("turn", "note")]) == 2 * (events - 1)


WORDS = st.sampled_from([
    *VERBS, "note", "los", "set", "turn", "T1", "T4", "P1", "X3", "59", "~28", "!", "3,4", ">2", "=5,6", "20,38", "f90",
    "mp3", "rev", "dash", "1", "3", "next", "place", "--at", "--json", "--help", "'", "\\", "-", "pinned", "main",
])  # fmt: skip
LINE = st.lists(WORDS, max_size=6).map(" ".join) | st.text(max_size=20)


@given(st.lists(LINE, max_size=5))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_line_ends_a_script_that_goes_on(game: Path, lines: list[str]) -> None:
    """Whatever is typed is answered: no traceback, and a whole journal."""
    text = "\n".join(lines).encode("utf-8", "surrogatepass")
    done = run("play", game, "--no-strict", typed=text)
    assert done.exit_code in (0, 1, 2)
    assert done.stderr == ""
    with Game.open(game) as opened:
        assert opened.timeline.events[0].kind == "start"


def test_a_reader_that_closes_the_pipe_is_no_fault(game: Path) -> None:
    """`minis play … | head -1` ends without a traceback, and no line is played that nobody can read."""
    read, write = os.pipe()
    os.close(read)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "minis", "play", str(game), str(script(game, "n\nn\n"))],
            stdout=write, stderr=subprocess.PIPE, text=True, timeout=60, check=False,
        )  # fmt: skip
    finally:
        os.close(write)
    assert done.stderr == ""
    assert done.returncode in (0, 1)
    assert kinds(game) == ["start"]


def test_a_closed_standard_input_is_bad_input(game: Path) -> None:
    """Nothing to read is said, not raised."""
    done = subprocess.run(
        ["sh", "-c", '"$0" -m minis play "$1" <&-', sys.executable, str(game)],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (
        2,
        "",
        "standard input: it is closed: there is nothing to play\n",
    )


# --- completion ------------------------------------------------------------------------------------------------------


def test_the_first_word_is_completed_to_verbs_and_commands() -> None:
    """Also after the dash that lets a line fail, and after `?`."""
    starting_s = sorted(name for name in {*VERBS, *COMMANDS} if name.startswith("s"))
    for before in ("", "  ", "- ", "minis ", "? "):
        assert completions(before, "s", ["s1"]) == starting_s
    assert "quit" in completions("", "", [])


def test_other_words_are_completed_to_what_may_stand_there() -> None:
    """Ids and tokens, the parts of a command, its options and their choices; a name with a blank is quoted."""
    names = ["T1", "T10", "P1", "own shell"]
    assert completions("s T1 ", "T1", names) == ["T1", "T10"]
    assert completions("los ", "o", names) == completions("los ", "'o", names) == ["'own shell'"]
    assert completions("turn ", "", []) == ["next"]
    assert completions("sm ", "", []) == ["move", "place", "remove"]
    assert completions("f T1 P1 ", "--ef", names) == ["--effect-dice"]
    assert completions("weapon T1 ", "", []) == ["malfunction", "out", "ready"]
    assert completions("foo ", "x", names) == []


@given(LINE, st.text(max_size=4) | WORDS)
@settings(deadline=None)
def test_completion_never_fails(before: str, text: str) -> None:
    """Whatever stands in the line; what is offered begins with what is typed, or is quoted."""
    for found in completions(before, text, ["T1", "gun in hiding", "O'Hara", ""]):
        assert found.startswith((text.lstrip("'"), "'"))


def test_the_prompt_knows_the_game_as_it_stands(game: Path) -> None:
    """Turn and phase with its side, the ids and tokens of units in the game, the last event."""
    at_start = standing(game)
    assert (at_start.label, at_start.last) == ("set-up", 1)
    assert {"T1", "A1", "P8", "X3"} <= set(at_start.names)
    assert run("play", game, typed="n\nn\nremove T13\n").exit_code == 0
    now = standing(game)
    assert (now.label, now.last) == ("turn 1 movement allied", 4)
    assert set(at_start.names) - set(now.names) == {"T13"}
    assert run("play", game, typed="n\nn\n").exit_code == 0
    assert standing(game).label == "turn 1 sighting"
    assert run("play", game, typed="end\n").exit_code == 0
    assert standing(game).label == "ended"
    game.write_bytes(b"")
    assert standing(game).names == ()


# --- a terminal ------------------------------------------------------------------------------------------------------

CHILD = """
import fcntl, runpy, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
runpy.run_module("minis", run_name="__main__", alter_sys=True)
"""


class Terminal:
    """`minis play` at a terminal: what is typed into it, and what it shows."""

    def __init__(self, *args: object, **environment_too: str):
        self.ours, theirs = pty.openpty()
        environment = {**os.environ, "TERM": "dumb", "INPUTRC": os.devnull, "COLUMNS": "200", **environment_too}
        environment = {name: value for name, value in environment.items() if name not in ("MINIS_GAME", "MINIS_SIDE")}
        self.child = subprocess.Popen(
            [sys.executable, "-c", CHILD, "play", *map(str, args)],
            stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True, env=environment,
        )  # fmt: skip
        os.close(theirs)
        self.seen = ""

    def type(self, text: str) -> None:
        """Type keys."""
        os.write(self.ours, text.encode())

    def until(self, text: str) -> str:
        """What is shown up to a text, which must come."""
        while text not in self.seen:
            assert select.select([self.ours], [], [], 60)[0], f"{text!r} did not come; shown: {self.seen!r}"
            try:
                shown = os.read(self.ours, 4096)
            except OSError:  # Linux says so when the other end is closed
                shown = b""
            assert shown, f"{text!r} did not come; shown: {self.seen!r}"
            self.seen += shown.decode(errors="replace").replace("\r\n", "\n")
        before, _, self.seen = self.seen.partition(text)
        return before

    def interrupt(self) -> None:
        """Press Ctrl-C until something is shown: one that comes between two keys readline notices with the next."""
        for _ in range(12):
            self.type("\x03")
            if select.select([self.ours], [], [], 5)[0]:
                return

    def ends(self) -> int:
        """Its exit status, once it has ended by itself."""
        return self.child.wait(timeout=60)

    def close(self) -> None:
        """Hang up."""
        if self.child.poll() is None:
            self.child.kill()
            self.child.wait()
        os.close(self.ours)


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    """Terminals that a test opens, closed behind it."""
    opened: list[Terminal] = []
    yield opened
    for terminal in opened:
        terminal.close()


def test_at_a_terminal(game: Path, terminals: list[Terminal]) -> None:
    """The prompt shows the phase; a bad line and Ctrl-C do not end it, Ctrl-C in a command neither; Ctrl-D does."""
    terminals.append(Terminal(game))
    (terminal,) = terminals
    terminal.until("set-up> ")
    terminal.type("n\n")
    assert "Turn 1: prep fire." in terminal.until("turn 1 prep-fire> ")
    terminal.type("foo 'bar\n")
    assert "a quote is not closed" in terminal.until("prep-fire> ")
    terminal.type("los T1 T99\n")
    assert "there is no unit 'T99'" in terminal.until("prep-fire> ")
    terminal.type("note half a li")
    terminal.until("half a li")
    terminal.interrupt()
    assert "Note" not in terminal.until("prep-fire> ")
    terminal.type("schema\n")
    terminal.until('"$schema"')  # it prints more than the terminal takes, and waits until the rest is read
    terminal.type("\x03")
    terminal.until("Interrupted. The last event is number 2; it was 2 before.\n")
    terminal.until("prep-fire> ")
    terminal.type("note rai\tn\t\n")
    terminal.until("prep-fire> ")
    terminal.type("swe\t--help\n")
    assert "A whole sighting phase" in terminal.until("prep-fire> ")
    terminal.type("note fog\n\x04")
    assert "Note: fog" in terminal.until("prep-fire> ")
    assert terminal.ends() == 0
    assert kinds(game) == ["start", "turn", "note", "note"]
    with Game.open(game) as opened:
        assert verify(opened).fault is None


def test_strict_at_a_terminal(game: Path, terminals: list[Terminal]) -> None:
    """The prompt ends with the status of the line; one with a dash may fail."""
    terminals.append(Terminal(game, "--strict"))
    (terminal,) = terminals
    terminal.until("set-up> ")
    terminal.type("- m T13 20,20\n")
    terminal.until("set-up> ")
    terminal.type("m T13 20,20\n")
    assert terminal.ends() == 1


def test_lines_that_are_pasted_are_played_one_by_one(game: Path, terminals: list[Terminal]) -> None:
    """Also where the terminal says that they are a paste, and so gives them as one line; bytes that are no text do not
    end the prompt.
    """
    settings_of_readline = game.with_name("inputrc")
    settings_of_readline.write_text("set enable-bracketed-paste on\n", encoding="utf-8")
    terminals.append(Terminal(game, INPUTRC=str(settings_of_readline), TERM="xterm", PYTHONIOENCODING="utf-8:strict"))
    (terminal,) = terminals
    terminal.until("set-up> ")
    terminal.type("\x1b[200~note fog\nfoo\nnote rain\x1b[201~\n")
    terminal.until("Note: fog")
    terminal.until("there is no command 'foo'")
    terminal.until("Note: rain")
    terminal.until("set-up> ")
    os.write(terminal.ours, b"note \xff\xfe\n")
    terminal.until("set-up> ")
    terminal.type("note sun\nq\n")
    assert terminal.ends() == 0
    assert kinds(game) == ["start", "note", "note", "note"]


def test_lines_are_kept_where_that_is_asked_for(game: Path, terminals: list[Terminal]) -> None:
    """--history FILE keeps them for the next time, readable by nobody else; without it no file is made."""
    kept = game.with_name("kept")
    terminals.append(Terminal(game))
    terminals[0].until("set-up> ")
    terminals[0].type("q\n")
    assert terminals[0].ends() == 0
    assert os.listdir(game.parent) == [game.name]
    for number, keys in enumerate(["note fog\nq\n", "\x10\x10\nq\n"], 1):
        terminals.append(Terminal(game, "--history", kept))
        terminals[number].until("set-up> ")
        terminals[number].type(keys)
        assert terminals[number].ends() == 0
    assert kinds(game) == ["start", "note", "note"]
    assert "note fog" in kept.read_text(encoding="utf-8").splitlines()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_history_that_cannot_be_kept_is_said_at_once(game: Path, terminals: list[Terminal]) -> None:
    """A folder is no file for it."""
    terminals.append(Terminal(game, "--history", game.parent))
    terminals[0].until("cannot be read and written: Is a directory")
    assert terminals[0].ends() == 2


def test_without_readline_there_is_a_prompt_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python may be built without it: nothing is completed."""
    monkeypatch.setitem(sys.modules, "readline", None)
    with line_editing(["T1"]):
        pass
    with pytest.raises(BadInput, match="no readline"), history(Path("kept")):
        pass
