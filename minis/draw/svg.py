"""SVG, written by ourselves: the same text for a file, the page and the printer, and the same on every machine.

Everything that a picture looks like stands in presentation attributes: a page may lay its own style sheet over the
classes, and needs no inline style for it. Numbers are in the unit of the `viewBox`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from xml.sax.saxutils import escape, quoteattr

NAMESPACE = "http://www.w3.org/2000/svg"

Value = str | int | float | None


@dataclass(frozen=True)
class Element:
    """An element of SVG: its tag, its attributes in order, and what it holds, elements and text."""

    tag: str
    attributes: tuple[tuple[str, str], ...] = ()
    holds: tuple[Element | str, ...] = field(default=())


def el(tag: str, *holds: Element | str | None, **attributes: Value) -> Element:
    """An element; what is None is left out.

    `_` in the name of an attribute stands for `-`, a trailing one for nothing.

    >>> print(svg_text(el("text", "a < b", x=1.5, y=2, class_="note", text_anchor="end", fill=None)))
    <text x="1.5" y="2" class="note" text-anchor="end">a &lt; b</text>
    """
    named = (
        (name.rstrip("_").replace("_", "-"), number(value)) for name, value in attributes.items() if value is not None
    )
    return Element(tag, tuple(named), tuple(part for part in holds if part is not None))


def group(*holds: Element | Iterable[Element], **attributes: Value) -> Element:
    """A group of elements, given one by one or many at once."""
    flat = chain.from_iterable((part,) if isinstance(part, Element) else part for part in holds)
    return el("g", *flat, **attributes)


def number(value: str | int | float) -> str:
    """A number with at most two decimals and none that say nothing; text as it is.

    >>> number(2.5), number(3.0), number(-0.001), number("url(#a)")
    ('2.5', '3', '0', 'url(#a)')
    """
    if isinstance(value, str):
        return value
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def path(points: Iterable[tuple[float, float]], *, closed: bool = False) -> str:
    """The `d` of a path through some points.

    >>> path([(0, 0), (10, 0), (10, 5)], closed=True)
    'M0 0L10 0L10 5Z'
    """
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + ("Z" if closed else "")


def document(width: float, height: float, *holds: Element, label: str, unit: str = "", per_unit: float = 1.0) -> str:
    """A whole picture of `width` by `height` user units, with its name for who cannot see it.

    With `unit` (in, mm) its size on paper is given too, `per_unit` user units to one.

    >>> print(document(80, 40, el("rect", width=5, height=5), label="box", unit="mm", per_unit=10), end="")
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 40" width="8mm" height="4mm" role="img" aria-label="box">
    <rect width="5" height="5"/>
    </svg>
    """
    paper = {"width": f"{number(width / per_unit)}{unit}", "height": f"{number(height / per_unit)}{unit}"}
    whole = el(
        "svg", *holds, xmlns=NAMESPACE, viewBox=f"0 0 {number(width)} {number(height)}",
        **(paper if unit else {}), role="img", aria_label=label,
    )  # fmt: skip
    return svg_text(whole) + "\n"


def svg_text(element: Element) -> str:
    """An element as text: one with elements in it on lines of their own, one with text on one line."""
    return "".join(_pieces(element))


def _pieces(element: Element) -> Iterator[str]:
    named = "".join(f" {name}={quoteattr(value)}" for name, value in element.attributes)
    if not element.holds:
        yield f"<{element.tag}{named}/>"
        return
    yield f"<{element.tag}{named}>"
    in_line = any(isinstance(part, str) for part in element.holds)
    for part in element.holds:
        if not in_line:
            yield "\n"
        yield from (escape(part),) if isinstance(part, str) else _pieces(part)
    yield f"</{element.tag}>" if in_line else f"\n</{element.tag}>"
