"""What a finger does on the table of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

Spot = tuple[float, float]


def spot(page: Page, unit: str) -> Spot:
    """Where a unit is on the screen."""
    box = page.locator(f'circle.hit[data-unit="{unit}"]').bounding_box()
    assert box is not None, unit
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def tap(page: Page, unit: str) -> None:
    """Tap a unit."""
    page.touchscreen.tap(*spot(page, unit))


class Finger:
    """A finger on the glass that moves: touch events of the browser itself, not of a mouse."""

    def __init__(self, page: Page):
        self._session = page.context.new_cdp_session(page)
        self._page = page
        self._at: list[Spot] = []

    def down(self, *at: Spot) -> None:
        """Put one finger or several on the glass."""
        self._send("touchStart", list(at))

    def move(self, *to: Spot, steps: int = 6) -> None:
        """Move the fingers that are down, little by little."""
        start = self._at
        for step in range(1, steps + 1):
            part = step / steps
            spots = [(x + (u - x) * part, y + (v - y) * part) for (x, y), (u, v) in zip(start, to, strict=True)]
            self._send("touchMove", spots)
            self._page.wait_for_timeout(16)

    def hold(self, milliseconds: int = 700) -> None:
        """Keep still."""
        self._page.wait_for_timeout(milliseconds)

    def up(self) -> None:
        """Take the fingers off; the browser takes a tap that follows at once for one of the same gesture."""
        self._send("touchEnd", [])
        self._page.wait_for_timeout(400)

    def _send(self, kind: str, spots: list[Spot]) -> None:
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(spots)]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        self._at = spots or self._at
