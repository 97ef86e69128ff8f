"""The README's picture of the page: `MINIS_GOLDEN=write pytest tests/browser/test_readme_picture.py` takes it anew."""

from __future__ import annotations

import base64
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from browser.test_judge_page import next_phase, rule_on

if TYPE_CHECKING:
    from browser.conftest import Serve
    from playwright.sync_api import Page

ROOT = Path(__file__).parent.parent.parent
PICTURE = "examples/crossroads/page.png"

ALIKE = 0.1
"""Type is drawn a little otherwise on another machine: so much of full brightness may a pixel be off on average."""

COMPARE = """async urls => {
  const [one, other] = await Promise.all(urls.map(async url => {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height), pen = canvas.getContext("2d");
    pen.drawImage(image, 0, 0);
    return {size: [image.width, image.height], bytes: pen.getImageData(0, 0, image.width, image.height).data};
  }));
  if (String(one.size) !== String(other.size)) return 1;
  return one.bytes.reduce((sum, byte, k) => sum + Math.abs(byte - other.bytes[k]), 0) / one.bytes.length / 255;
}"""
"""How far two pictures are apart on average, 0 to 1."""


def test_the_picture_of_the_readme_shows_the_page(serve: Serve, join: Callable[..., Page]) -> None:
    """The README shows the judge's page as it looks: a sighting attempt of T1 at P1 on the crossroads."""
    assert f"]({PICTURE})" in (ROOT / "README.md").read_text(encoding="utf-8")
    page = join(serve("crossroads", "n", "n", "n"), "judge", viewport={"width": 1180, "height": 820})
    next_phase(page)
    rule_on(page, "T1", "P1")
    page.locator(".notice").wait_for(state="detached")
    taken = page.screenshot()
    if os.environ.get("MINIS_GOLDEN") == "write":
        (ROOT / PICTURE).write_bytes(taken)
    urls = [f"data:image/png;base64,{base64.b64encode(b).decode()}" for b in (taken, (ROOT / PICTURE).read_bytes())]
    blank = page.context.new_page()
    assert blank.evaluate(COMPARE, urls) < ALIKE
