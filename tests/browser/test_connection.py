"""A tablet whose server goes away and comes back, and one that has no seat."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from browser.conftest import minis

if TYPE_CHECKING:
    from browser.conftest import Serve
    from playwright.sync_api import Page

    Join = Callable[..., Page]


def test_a_page_is_back_where_it_was_after_the_server_was_killed(serve: Serve, join: Join) -> None:
    """A page says that it has lost the server, and after a restart shows what happened meanwhile, with no new link."""
    served = serve("crossroads", "n")
    pages = [join(served, "judge"), join(served, "allied")]
    for page in pages:
        assert page.locator("#lost").is_hidden()
    served.kill()
    for page in pages:
        page.locator("#lost", has_text="Connection lost").wait_for()
    minis("move", "T7", "--to", "45,24.2", "-g", served.game)
    served.start()
    for page in pages:
        page.locator("#lost").wait_for(state="hidden")
        page.locator("#log .entry, #log li.entry", has_text="T7").first.wait_for(state="attached")


def test_an_act_that_does_not_reach_the_server_says_so(serve: Serve, join: Join) -> None:
    """While the server is away an act is not lost in silence: the page says that nothing was reached."""
    served = serve("crossroads", "n")
    page = join(served, "judge")
    served.kill()
    page.get_by_role("button", name="Undo").tap()
    page.locator(".notice.bad", has_text="the server is not reached").wait_for()


def test_a_refused_act_gives_the_words_of_the_rules(serve: Serve, join: Join) -> None:
    """What the rules refuse is shown with its rule, and nothing is recorded."""
    served = serve("crossroads")
    page = join(served, "judge")
    page.get_by_role("button", name="Undo").tap()
    page.locator(".notice.bad", has_text="cannot be taken back").wait_for()
    page.locator(".notice.bad", has_text="S14").wait_for()


def test_a_device_without_a_seat_is_told_how_to_get_one(serve: Serve, join: Join) -> None:
    """Without a cookie the table is a page that says whom to ask; a dead link does not join."""
    served = serve("crossroads")
    page = join(served, "judge", has_touch=False)
    page.context.clear_cookies()
    page.goto(served.base)
    page.get_by_role("heading", name="No seat at this table").wait_for()
    page.goto(served.links["judge"][:-4] + "AAAA")
    assert page.get_by_role("button", name="Join").count() == 0
