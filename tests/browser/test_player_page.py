"""A player's page in a real browser: his side's view, live, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from browser.conftest import minis
from browser.hands import tap

if TYPE_CHECKING:
    from browser.conftest import Serve
    from playwright.sync_api import Page

    Join = Callable[..., Page]


def test_a_side_sees_only_its_view_and_gets_it_live(serve: Serve, join: Join) -> None:
    """What the judge does is on the player's page at once, as far as his side sees it; the rest is nowhere in it."""
    served = serve("crossroads", "n")
    judge, player = join(served, "judge"), join(served, "allied")
    assert judge.locator('[data-unit="P8"]').count() == 1
    for secret in ("P8", "P5", "Tiger", "dummy"):
        assert secret not in player.content()
    assert player.locator('[data-unit="X5"]').count() == 1
    heard: list[str] = []
    player.on("response", lambda answer: heard.append(answer.url))

    tap(judge, "T5")
    judge.locator("#ruling h2", has_text="T5").wait_for()
    minis("move", "P8", "--facing", "270", "-g", served.game)
    minis("note", "nobody but the judge reads this", "-g", served.game)
    judge.locator("#log", has_text="nobody but the judge").wait_for(state="attached")
    player.wait_for_timeout(800)
    assert heard == []

    minis("place", "P8", "-g", served.game)
    player.locator('[data-unit="P8"]').wait_for(state="attached")
    assert player.locator("#log", has_text="P8").count() == 1
    assert "nobody but" not in player.content()
    minis("turn", "next", "-g", served.game)
    player.locator("#phase", has_text="movement").wait_for()


def test_a_player_measures_and_asks_for_lines_of_his_own_units(serve: Serve, join: Join) -> None:
    """Two taps give the line of an own unit and the distance; a place is measured; the judge's tools are not there."""
    page = join(serve("crossroads"), "allied")
    tap(page, "T1")
    tap(page, "P1")
    page.locator("#line .verdict", has_text='T1 sees P1: the line is clear. 51.30", bearing 105').wait_for()
    assert page.locator(".layer-line path").count() > 0
    tap(page, "X5")
    page.locator("#line h2", has_text="T1 → X5").wait_for()
    page.keyboard.press("Escape")
    page.touchscreen.tap(300, 560)
    page.locator("#line h2", has_text=re.compile(r"T1 → \d+(\.\d+)?, \d+")).wait_for()
    page.locator("#line .verdict", has_text="bearing").wait_for()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    tap(page, "P1")
    tap(page, "X5")
    page.locator("#line .verdict", has_text="bearing").wait_for()
    assert "sees" not in page.locator("#line").inner_text()
    for name in ("Undo", "Next phase", "Roll", "Move it"):
        assert page.get_by_role("button", name=name).count() == 0
