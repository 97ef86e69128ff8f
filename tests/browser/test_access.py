"""The pages for everybody: keyboard alone, screen readers, day and night, large fingers, slow networks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browser.conftest import TABLET, minis
from browser.hands import tap

import minis as package

if TYPE_CHECKING:
    from browser.conftest import Serve
    from playwright.sync_api import Browser, Page

    Join = Callable[..., Page]

STATIC = Path(package.__file__).parent / "web" / "static"

FINGER_PX = 44


def faults(page: Page, where: str) -> list[str]:
    """What axe finds that is serious or critical."""
    from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]

    found = Axe().run(page).response["violations"]
    bad = [one for one in found if one["impact"] in ("serious", "critical")]
    return [f"{where}: {one['id']} {[node['html'][:120] for node in one['nodes']][:3]}" for one in bad]


def small(page: Page, where: str) -> list[str]:
    """Controls that are smaller than a finger; of a box to tick its words count too."""
    found: list[str] = page.evaluate(
        """px => [...document.querySelectorAll('button, a, input, select, textarea, summary, [role=tab]')]
            .map(node => node.matches('[type=checkbox], [type=radio]') ? node.closest('label') : node)
            .filter(node => node.checkVisibility())
            .map(node => [node, node.getBoundingClientRect()])
            .filter(([, box]) => box.width < px - 0.01 || box.height < px - 0.01)
            .map(([node, box]) => `${node.outerHTML.slice(0, 90)} ${box.width} × ${box.height}`)""",
        FINGER_PX,
    )
    return [f"{where}: {one}" for one in found]


def open_all(page: Page) -> None:
    """Open every part of the panel that opens."""
    page.evaluate(
        "() => document.querySelectorAll('[role=tabpanel]:not([hidden]) details').forEach(one => one.open = true)"
    )


def states(page: Page, seat: str) -> Any:
    """Every state of a page worth a look, one after another, by name."""
    yield f"{seat}: nothing chosen"
    for tab in page.get_by_role("tab").all():
        tab.tap()
        open_all(page)
        page.wait_for_timeout(150)
        yield f"{seat}: {tab.inner_text()}"
    tap(page, "T1")
    page.get_by_role("heading", name="T1", exact=True).wait_for()
    yield f"{seat}: one unit"
    tap(page, "P1")
    page.get_by_role("heading", name="T1 → P1").wait_for()
    page.locator(".verdict").first.wait_for()
    open_all(page)
    yield f"{seat}: a pair"
    if seat != "judge":
        return
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Move it").tap()
    table = page.locator("#map").bounding_box()
    assert table is not None
    page.touchscreen.tap(table["x"] + table["width"] / 2, table["y"] + table["height"] / 2)
    page.locator(".seen").wait_for()
    yield f"{seat}: a move"
    page.get_by_role("button", name="Next phase").tap()
    yield f"{seat}: a question"
    page.get_by_role("dialog").get_by_role("button", name="Next phase").tap()
    page.locator(".notice").wait_for()
    page.wait_for_timeout(300)
    yield f"{seat}: a notice"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_and_a_finger_find_no_serious_fault(serve: Serve, join: Join, browser: Browser, scheme: str) -> None:
    """In every state of both pages, by day and by night, and on the page to join and that without a seat."""
    served = serve("crossroads", "n")
    found = []
    for seat in ("judge", "allied"):
        page = join(served, seat, color_scheme=scheme)
        for where in states(page, seat):
            found += faults(page, where) + small(page, where)
    context = browser.new_context(**TABLET, color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    for where in (served.links["axis"], served.base):
        page.goto(where)
        found += faults(page, where) + small(page, where)
    context.close()
    assert found == []


@pytest.mark.parametrize("width", [390, 820, 1180])
def test_nothing_sticks_out_of_the_screen(serve: Serve, join: Join, width: int) -> None:
    """On a phone and on a tablet held either way nothing is wider than the screen, in no tab."""
    size = {"width": width, "height": 820 if width > 1000 else 1180 if width > 500 else 844}
    page = join(serve("crossroads", "n"), "judge", viewport=size)
    for where in states(page, "judge"):
        wide = page.evaluate(
            """() => [...document.querySelectorAll('body, body > *, .panel, [role=tabpanel]')]
                .filter(node => node.checkVisibility() && node.scrollWidth > node.clientWidth + 1 && node.id !== 'say')
                .map(node => `${node.tagName}#${node.id} ${node.scrollWidth} > ${node.clientWidth}`)"""
        )
        assert wide == [], where


def test_a_page_of_the_convention_table_loads_under_300_kb(serve: Serve, join: Join) -> None:
    """Everything that comes over the network for the judge's page of Villers-Bocage, and all files of the pages."""
    page = join(serve("villers-bocage", "n"), "judge")
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    sizes: list[float] = []
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.reload()
    page.wait_for_selector("circle.hit", state="attached")
    page.wait_for_timeout(500)
    assert len(sizes) > 10
    assert sum(sizes) < 300_000
    assert sum(path.stat().st_size for path in STATIC.iterdir()) < 150_000


def test_a_turn_by_keyboard_alone(serve: Serve, join: Join) -> None:
    """Units are reached by arrows, paired by Enter, a die is rolled, taken back, a unit moved, the phase left."""
    served = serve("crossroads", "n")
    page = join(served, "judge", viewport={"width": 1400, "height": 900}, has_touch=False)

    def focus() -> str:
        return str(
            page.evaluate(
                "() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"
            )
        )

    def tab_to(name: str) -> None:
        for _ in range(60):
            if focus().startswith(name):
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"{name} is not reached")

    def go_to(unit: str) -> None:
        """By an arrow towards it, and then through the list."""
        away = page.evaluate(
            """id => document.querySelector(`[data-unit="${id}"]`).getBoundingClientRect().x
                - document.activeElement.getBoundingClientRect().x""",
            unit,
        )
        page.keyboard.press("ArrowRight" if away > 0 else "ArrowLeft")
        for _ in range(40):
            if focus().startswith(f"{unit},"):
                return
            page.keyboard.press("PageDown")
        raise AssertionError(f"{unit} is not reached from {focus()}")

    tab_to(str(page.locator('.hit[tabindex="0"]').get_attribute("aria-label")))
    before = focus()
    page.keyboard.press("ArrowRight")
    assert focus() != before
    go_to("T3")
    page.keyboard.press("Enter")
    page.locator("#say", has_text="T3, allied").wait_for(state="attached")
    go_to("P1")
    page.keyboard.press("Enter")
    page.locator("#ruling h2", has_text="T3 → P1").wait_for()
    page.locator("#say", has_text="P1").wait_for(state="attached")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")

    go_to("T1")
    page.keyboard.press("Enter")
    go_to("P1")
    page.keyboard.press("Enter")
    page.locator("#ruling details.section").first.wait_for()
    tab_to("Roll: fire")
    page.keyboard.press("Enter")
    page.locator("#log .entry", has_text="T1").first.wait_for(state="attached")
    assert "T1" in minis("log", "-g", served.game).splitlines()[-1]
    page.keyboard.press("u")
    page.locator("#log em", has_text="taken back").first.wait_for(state="attached")

    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.locator('.hit[tabindex="0"]').focus()
    go_to("T7")
    page.keyboard.press("Enter")
    page.keyboard.press("m")
    page.locator(".ghost").wait_for()
    for key in ("ArrowRight", "ArrowRight", "w", "ArrowRight", "ArrowUp", "]", "Enter"):
        page.keyboard.press(key)
    page.locator("#log .entry", has_text="T7 moves").wait_for(state="attached")
    page.keyboard.press("n")
    page.get_by_role("dialog").wait_for()
    page.keyboard.press("Enter")
    page.locator("#phase", has_text="movement").wait_for()
