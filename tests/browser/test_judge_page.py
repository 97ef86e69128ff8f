"""The judge's page in a real browser: a turn is ruled by taps, beside other pages and the command line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from browser.conftest import Served, minis
from browser.hands import Finger, spot, tap

if TYPE_CHECKING:
    from browser.conftest import Serve
    from playwright.sync_api import Locator, Page

    Join = Callable[..., Page]


def tab(page: Page, name: str) -> Locator:
    """Open a tab of the panel."""
    found = page.get_by_role("tab", name=re.compile(f"^{name}"))
    found.tap()
    return page.locator(f"#{found.get_attribute('aria-controls')}")


def next_phase(page: Page) -> None:
    """Go on to the next phase, and say yes."""
    before = page.locator("#phase").inner_text()
    page.get_by_role("button", name="Next phase").tap()
    page.get_by_role("dialog").get_by_role("button", name="Next phase").tap()
    page.wait_for_function("before => document.getElementById('phase').innerText !== before", arg=before)


def events(served: Served) -> list[dict[str, Any]]:
    """The events of a game as the command line prints them."""
    found: list[dict[str, Any]] = json.loads(minis("log", "--json", "-g", served.game))
    return found


def log(served: Served) -> str:
    """The log of a game in words, with what stands behind each event."""
    return minis("log", "--full", "-g", served.game)


def unit(served: Served, name: str) -> dict[str, Any]:
    """A unit as the command line shows it."""
    return next(one for one in json.loads(minis("show", "--json", "-g", served.game))["units"] if one["id"] == name)


def rule_on(page: Page, one: str, other: str) -> Locator:
    """Tap two units, and wait for the ruling on them."""
    if page.locator("#ruling h2").count():
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")
    tap(page, one)
    tap(page, other)
    page.locator("#ruling h2", has_text=f"{one} → {other}").wait_for()
    page.locator("#ruling details.section").first.wait_for()
    return page.locator("#ruling")


def section(page: Page, words: str) -> Locator:
    """A section of the ruling, opened."""
    found = page.locator("#ruling details.section", has=page.locator("summary", has_text=re.compile(f"^\\s*{words}")))
    if found.get_attribute("open") is None:
        found.locator("> summary").tap()
    return found


# --- sighting and fire -----------------------------------------------------------------------------------------------


def test_a_whole_sighting_and_fire_phase_by_taps(serve: Serve, join: Join) -> None:
    """Every attempt that is to do is rolled by taps; then a shot with the dice of the table, its effect, and undo."""
    served = serve("crossroads", "n", "n", "n")
    page = join(served, "judge")
    next_phase(page)

    ruling = rule_on(page, "T1", "P1")
    sight = section(page, "Sight on")
    assert "clear" in ruling.inner_text()
    assert "distance, edge to edge" in sight.inner_text()
    assert re.search(r"\d+ %", sight.locator("summary b").inner_text())
    assert page.locator(".layer-line .sight-line, .layer-line path").count()
    sight.get_by_label("Sighting die").fill("00")
    sight.get_by_role("button", name="Record these dice").tap()
    page.locator(".notice", has_text=re.compile(r"T1 tries to sight P1: 100 on \d+ or more, sighted")).wait_for()

    rolled = 0
    while (left := page.locator("#ruling").get_by_role("button", name="Next:")).count() or _worked_out(page):
        if not left.count():
            continue
        left.tap()
        page.locator("#ruling h2").get_by_text(" → ").wait_for()
        page.locator("#ruling details.section").first.wait_for()
        before = page.locator("#log .entry").count()
        first = page.locator("#ruling").get_by_role("button", name=re.compile("^(Roll|Record): (sight|identify)")).first
        if not first.is_visible():
            page.locator("#ruling details.section > summary").first.tap()
        first.tap()
        page.wait_for_function("n => document.querySelectorAll('#log .entry').length > n", arg=before)
        rolled += 1
        assert rolled < 80
    assert rolled > 10
    left_over = json.loads(minis("turn", "--json", "-g", served.game))["to_do"]
    assert [one for one in left_over if one["kind"] == "sighting"] == []

    next_phase(page)
    rule_on(page, "T1", "P1")
    fire = section(page, "Fire: hits on")
    for die in ("Coloured", "White"):
        fire.get_by_role("radiogroup", name=die).get_by_role("radio", name="1").tap()
    fire.get_by_role("button", name="Record these dice").tap()
    effect = page.locator(".effect", has_text="P1").first
    effect.wait_for()
    effect.get_by_role("combobox").select_option("eliminated")
    effect.get_by_role("button", name="Take this effect on P1 instead").tap()
    page.locator(".notice", has_text="eliminated").wait_for()
    assert unit(served, "P1")["wreck"]
    page.locator(".notice", has_text="eliminated").get_by_role("button", name="Undo").tap()
    page.locator(".effect", has_text="P1").first.wait_for()
    assert not unit(served, "P1")["wreck"]


def _worked_out(page: Page) -> bool:
    """Wait until the page knows what is to do; whether anything is."""
    known = "() => !document.getElementById('todo').textContent.includes('being worked out')"
    page.wait_for_function(known, timeout=60_000)
    return page.locator("#ruling").get_by_role("button", name="Next:").count() > 0


def test_dice_that_were_typed_stay_when_the_game_goes_on(serve: Serve, join: Join) -> None:
    """An act of the command line while the judge types his dice takes none of them away; recorded they are gone."""
    served = serve("crossroads", "n")
    page = join(served, "judge")
    rule_on(page, "T1", "P1")
    fire = section(page, "Fire: hits on")
    fire.get_by_label("Sighting die").fill("77")
    fire.get_by_role("radiogroup", name="White").get_by_role("radio", name="6").tap()
    minis("note", "meanwhile", "-g", served.game)
    page.locator("#log", has_text="meanwhile").wait_for(state="attached")
    minis("set", "T1", "buttoned_up", "-g", served.game)
    page.locator("#ruling .tally", has_text="buttoned-up").first.wait_for(state="attached")
    assert fire.get_by_label("Sighting die").input_value() == "77"
    assert fire.get_by_role("radiogroup", name="White").get_by_role("radio", name="6").is_checked()
    fire.get_by_role("radiogroup", name="Coloured").get_by_role("radio", name="6").tap()
    fire.get_by_role("button", name="Record these dice").tap()
    page.locator("#log .entry", has_text="T1 fires").wait_for(state="attached")
    page.wait_for_function("() => !document.querySelector('#ruling input:checked')")


# --- a move ----------------------------------------------------------------------------------------------------------


def test_a_move_is_dragged_with_a_way_point_a_facing_and_what_it_shows(serve: Serve, join: Join) -> None:
    """A finger drags a unit, keeps still for a way point, turns it by its handle; the page says who sees it pass."""
    served = serve("crossroads", "n", "n")
    page = join(served, "judge")
    tap(page, "T7")
    page.locator("#ruling h2", has_text="T7").wait_for()
    x, y = spot(page, "T7")
    finger = Finger(page)
    finger.down((x, y))
    finger.move((x + 70, y - 25))
    finger.hold()
    finger.move((x + 140, y - 10))
    finger.up()
    page.locator("#ruling li", has_text="P5 may fire at it where it stops").wait_for()
    assert "P5" in page.locator("#ruling .seen").inner_text()
    assert page.locator(".layer-move .way-point").count() == 1
    assert page.locator(".layer-line .way-seen").count() == 1

    handle = page.locator("circle.handle.facing").bounding_box()
    assert handle is not None
    hx, hy = handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2
    ghost = page.locator(".ghost").bounding_box()
    assert ghost is not None
    gx, gy = ghost["x"] + ghost["width"] / 2, ghost["y"] + ghost["height"] / 2
    finger.down((hx, hy))
    finger.move((gx, gy - 60))
    finger.up()
    facing = int(page.locator("#ruling").get_by_label("Facing").input_value())
    assert min(facing, 360 - facing) < 3

    page.get_by_role("button", name="Confirm the move").tap()
    page.locator(".notice", has_text="T7 moves").wait_for()
    moved = unit(served, "T7")
    assert min(moved["facing"], 360 - moved["facing"]) < 3
    assert moved["at"][0] > 45
    assert "P5 may fire at it where it stops" in log(served)


def test_a_move_is_left_without_a_trace(serve: Serve, join: Join) -> None:
    """Cancel takes the ghost away, and nothing is recorded."""
    served = serve("crossroads", "n", "n")
    page = join(served, "judge")
    before = len(events(served))
    tap(page, "T7")
    page.get_by_role("button", name="Move it").tap()
    x, y = spot(page, "T7")
    page.touchscreen.tap(x + 100, y)
    page.locator("#ruling .seen", has_text="sees it|Seen").or_(page.locator("#ruling .seen")).first.wait_for()
    page.get_by_role("button", name="Cancel").tap()
    assert page.locator(".ghost").count() == 0
    assert len(events(served)) == before


def test_two_fingers_zoom_and_one_pans(serve: Serve, join: Join) -> None:
    """A pinch makes the table larger around the fingers; a finger on the ground moves it; a button shows it whole."""
    page = join(serve("crossroads"), "judge")
    finger = Finger(page)
    whole = spot(page, "T1"), spot(page, "P1")
    finger.down((300, 400), (400, 400))
    finger.move((200, 400), (500, 400))
    finger.up()
    page.wait_for_timeout(100)
    wide = spot(page, "P1")[0] - spot(page, "T1")[0]
    assert 2 < wide / (whole[1][0] - whole[0][0]) < 4
    x, y = spot(page, "T7")
    finger.down((400, 620))
    finger.move((350, 560))
    finger.up()
    page.wait_for_timeout(100)
    assert abs(spot(page, "T7")[0] - (x - 50)) < 12
    assert abs(spot(page, "T7")[1] - (y - 60)) < 12
    page.get_by_role("button", name="Whole table").tap()
    page.wait_for_timeout(100)
    assert abs(spot(page, "T1")[0] - whole[0][0]) < 2


# --- side by side ----------------------------------------------------------------------------------------------------


def test_two_pages_and_the_command_line_lose_nothing(serve: Serve, join: Join) -> None:
    """Notes from two pages of the judge and from a terminal, at the same time: all of them are in every log."""
    served = serve("crossroads")
    pages = [join(served, "judge"), join(served, "judge")]
    for page in pages:
        tab(page, "More")
        page.locator("summary", has_text="Note").tap()
    wanted = set()
    for number in range(6):
        for name, page in zip("ab", pages, strict=True):
            words = f"note {name}{number}"
            wanted.add(words)
            page.get_by_label("Words for the log").fill(words)
            page.get_by_role("button", name="Write it down").tap(no_wait_after=True)
        wanted.add(f"note c{number}")
        minis("note", f"note c{number}", "-g", served.game)
        for page in pages:
            page.wait_for_function("() => document.querySelector('#more textarea').value === ''")
    told = log(served)
    assert {words for words in wanted if words not in told} == set()
    for page in pages:
        page.wait_for_function("n => document.querySelectorAll('#log .entry').length >= n", arg=len(wanted) + 1)
        told = tab(page, "Log").inner_text()
        assert {words for words in wanted if words not in told} == set()
    assert minis("verify", str(served.game))


def test_a_line_of_the_prompt_on_the_page(serve: Serve, join: Join) -> None:
    """The command line of the page takes the short verbs and prints what a terminal would."""
    served = serve("crossroads", "n")
    page = join(served, "judge")
    page.keyboard.press("/")
    page.get_by_label("Command line").fill("s T1 P1 59")
    page.keyboard.press("Enter")
    page.get_by_role("log").get_by_text("recorded as event").wait_for()
    tab(page, "Log").get_by_text("T1 tries to sight P1: 59").wait_for()


def test_the_log_overrules_and_takes_back(serve: Serve, join: Join) -> None:
    """An entry of the log is overruled with a reason, and taken back and brought back by its buttons."""
    served = serve("crossroads", "n", "s T1 P1 5")
    page = join(served, "judge")
    panel = tab(page, "Log")
    entry = panel.locator("details", has_text="T1 tries to sight P1")
    entry.locator("summary").tap()
    number = len(events(served))
    entry.get_by_role("button", name=f"Overrule event {number}").tap()
    page.get_by_role("dialog").get_by_label("Why").fill("both saw the flash")
    page.get_by_role("dialog").get_by_role("button", name="Overrule").tap()
    panel.locator("em", has_text="overruled").wait_for()
    page.get_by_role("button", name="Undo", exact=True).first.tap()
    page.wait_for_function(
        "() => !document.querySelector('#log em') || !document.querySelector('#log').innerText.includes('overruled by')"
    )
    assert events(served)[number - 1]["overruled_by"] is None


def test_smoke_is_placed_by_a_tap(serve: Serve, join: Join) -> None:
    """A place that is tapped on the table gets the smoke."""
    served = serve("crossroads", "n")
    page = join(served, "judge")
    tab(page, "More")
    page.locator("summary", has_text="Smoke").tap()
    page.get_by_role("button", name="Tap the place").first.tap()
    page.touchscreen.tap(400, 480)
    page.wait_for_function("() => [...document.querySelectorAll('#more input[type=number]')].some(i => i.value)")
    page.get_by_role("button", name="Place smoke").tap()
    page.locator(".notice", has_text="moke").wait_for()
    assert len(json.loads(minis("show", "--json", "-g", served.game))["smoke"]) == 3


def test_dead_ground_is_laid_over_the_table(serve: Serve, join: Join) -> None:
    """Planning help for the chosen unit is drawn on the table and taken off again."""
    page = join(serve("crossroads"), "judge")
    tap(page, "T1")
    tab(page, "More")
    page.locator("summary", has_text="Planning help").tap()
    page.get_by_role("button", name="Dead ground").tap()
    page.locator(".layer-plan .overlay").wait_for(state="attached")
    page.locator("#more").get_by_role("button", name="Clear").first.tap()
    assert page.locator(".layer-plan .overlay").count() == 0


def test_a_seat_is_made_and_taken_back(serve: Serve, join: Join) -> None:
    """The judge makes a link with its code for a further seat, which works until it is taken back."""
    served = serve("crossroads")
    page = join(served, "judge")
    tab(page, "More")
    page.locator("summary", has_text="Seats").tap()
    page.get_by_label("Name of the seat").fill("allied-2")
    page.get_by_role("button", name="New seat").tap()
    link = page.locator(".link")
    link.wait_for()
    served.links["allied-2"] = link.inner_text()
    assert page.locator("svg.qr").is_visible()
    player = join(served, "allied-2")
    player.locator("#seat", has_text="allied-2").wait_for()
    page.get_by_role("button", name="Take back the seat allied-2").tap()
    page.get_by_role("dialog").get_by_role("button", name="Take it back").tap()
    player.get_by_role("heading", name="No seat at this table").wait_for()
