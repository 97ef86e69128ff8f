"""What a sight line does at one obstacle: one function a form of obstacle (S6, S7).

Each takes the obstacle and the line and returns a `Crossing` where they meet, or None. A line runs from the viewer, the
higher end, to the lower end (S5.2).
"""

from __future__ import annotations

import math
from typing import NamedTuple

from minis.board.geometry import Ring, locate
from minis.lengths import GRID
from minis.rules.model import Rules
from minis.rules.rows import ShadowRow
from minis.sight.scene import Obstacle, Settings
from minis.sight.standing import EPSILON, Standing
from minis.sight.stretch import (
    Span,
    Straight,
    extent,
    spans_of_area,
    spans_of_path,
    without_ends,
)


class Ray(NamedTuple):
    """One sight line, from a point of the viewer to a point of the lower end.

    `apart` is the distance of their bases. A line that is stopped by more than `enough` need not know by how much.
    """

    line: Straight
    viewer: Standing
    lower: Standing
    apart: float
    rules: Rules
    settings: Settings
    enough: float = math.inf

    @property
    def high(self) -> int:
        """The level of the viewer."""
        return self.viewer.level

    @property
    def low(self) -> int:
        """The level of the lower end."""
        return self.lower.level


class Crossing(NamedTuple):
    """A place where a sight line meets an obstacle.

    Lengths are inches along the line from the viewer. `hides` says that the line is stopped here; then `ways_in` are
    how far it would have to be moved to be free of this obstacle: to its left, to its right, or an end along it;
    infinite where that does not help. `slack_in` is how far this is from the other verdict, infinite where nothing
    near would change it. `row` is the row of the shadow table that was looked up; `beyond_in`, of a shadow that ends
    somewhere, the distance from the obstacle to the target point.
    """

    obstacle: str
    what: str
    top: float
    entry_in: float
    exit_in: float
    hides: bool
    rule: str
    why: str
    slack_in: float = math.inf
    ways_in: tuple[float, float, float] = (math.inf, math.inf, math.inf)
    row: ShadowRow | None = None
    beyond_in: float | None = None

    @property
    def inside_in(self) -> float | None:
        """How far inside the shadow the target point is, in inches; negative past its end."""
        if self.row is None or self.beyond_in is None:
            return None
        return self.row.length - self.beyond_in


def meet(obstacle: Obstacle, ray: Ray) -> Crossing | None:
    """What a sight line does at an obstacle, or None where they do not meet."""
    if ray.line.misses(obstacle.box):
        return None
    match obstacle.form:
        case "area":
            return _meet_area(obstacle, ray)
        case "contour":
            return _meet_contour(obstacle, ray)
        case "ridge":
            return _meet_ridge(obstacle, ray)
        case "hedgerow":
            return _meet_hedgerow(obstacle, ray)
        case "vehicle":
            return _meet_vehicle(obstacle, ray)


def lies_below(obstacle: Obstacle, viewer: Standing, lower: Standing) -> bool:
    """True where the top is not above the lower end and is below the viewer: it hides nothing (S6.4).

    Woods that an end is in are never below: how deep it is in them counts at any height (S6.10).
    """
    if obstacle.top > lower.level or obstacle.top >= viewer.level:
        return False
    in_woods = obstacle.piece is not None and obstacle.piece.kind.own == "depth"
    return not (in_woods and (obstacle.id in viewer.inside or obstacle.id in lower.inside))


# --- the forms -----------------------------------------------------------------------------------------------------


def _meet_area(obstacle: Obstacle, ray: Ray) -> Crossing | None:
    """Woods, buildings, rubble, orchards (S6.1 to S6.4, S6.9, S6.10)."""
    line, piece = ray.line, obstacle.piece
    spans = without_ends(line, spans_of_area(line, obstacle.rings, grazing=ray.settings.graze))
    if not spans or piece is None:
        return None
    first, last = obstacle.id in ray.viewer.inside, obstacle.id in ray.lower.inside
    own = piece.kind.own
    if (first or last) and own == "all":
        return _crossing(obstacle, ray, spans, False, "S6.10", "its own occupant sees out of it")
    if lies_below(obstacle, ray.viewer, ray.lower):
        return _crossing(obstacle, ray, spans, False, "S6.4", "lies below the line")
    if not (first or last):
        return _shade(obstacle, ray, spans, "S6.2")
    if own == "depth":
        return _out_of_woods(obstacle, ray, spans, first, last)
    rest = _without_own(line, spans, first, last)
    if not rest:
        return _crossing(obstacle, ray, spans, False, "S5.7", "the unit is in it")
    return _shade(obstacle, ray, rest, "S6.2")


def _without_own(line: Straight, spans: list[Span], first: bool, last: bool) -> list[Span]:
    """The stretches but for those that begin at an end that is inside the piece."""
    if first and spans and spans[0][0] == 0.0:
        spans = spans[1:]
    if last and spans and spans[-1][1] == line.long2:
        spans = spans[:-1]
    return spans


def _out_of_woods(obstacle: Obstacle, ray: Ray, spans: list[Span], first: bool, last: bool) -> Crossing:
    """A unit inside woods sees out within their depth; two in the same woods see each other when near (S6.10)."""
    line = ray.line
    apart = ray.apart - ray.settings.woods_apart
    if first and last and apart <= EPSILON:
        return _crossing(obstacle, ray, spans, False, "S6.10", "both are in it, near enough", slack=abs(apart))
    if first and last and spans[0] == (0.0, float(line.long2)):
        return _hidden(obstacle, ray, spans, "S6.10", "both are in it, too far apart", along=apart)
    depth = ray.settings.woods_depth
    deepest = -math.inf
    if first and spans[0][0] == 0.0:
        deepest = spans[0][1] / line.long - depth
    if last and spans[-1][1] == line.long2:
        deepest = max(deepest, (line.long2 - spans[-1][0]) / line.long - depth)
    if deepest > EPSILON:
        return _hidden(obstacle, ray, spans, "S6.10", "the unit is too deep in it", along=deepest)
    rest = _without_own(line, spans, first, last)
    if rest and not (obstacle.top <= ray.low and obstacle.top < ray.high):
        return _shade(obstacle, ray, rest, "S6.2")
    return _crossing(obstacle, ray, spans, False, "S6.10", "the unit is near its edge", slack=abs(deepest))


def _meet_hedgerow(obstacle: Obstacle, ray: Ray) -> Crossing | None:
    """Bocage: an obstacle, but for the straight stretches of it that an end's base touches (S6.1)."""
    spans = without_ends(ray.line, spans_of_path(ray.line, obstacle.segments, grazing=ray.settings.graze))
    if not spans:
        return None
    if lies_below(obstacle, ray.viewer, ray.lower):
        return _crossing(obstacle, ray, spans, False, "S6.4", "lies below the line")
    if obstacle.id in ray.viewer.touching or obstacle.id in ray.lower.touching:
        near = ray.viewer.against | ray.lower.against
        far = [segment for segment in obstacle.segments if segment not in near]
        rest = without_ends(ray.line, spans_of_path(ray.line, far, grazing=ray.settings.graze))
        if not rest:
            return _crossing(obstacle, ray, spans, False, "S6.1", "a base stands against it")
        spans = rest
    return _shade(obstacle, ray, spans, "S6.2")


def _meet_ridge(obstacle: Obstacle, ray: Ray) -> Crossing | None:
    """A free crest line (S7.4)."""
    line = ray.line
    spans = without_ends(line, spans_of_path(line, obstacle.segments, grazing=ray.settings.graze))
    if not spans:
        return None
    if lies_below(obstacle, ray.viewer, ray.lower):
        return _crossing(obstacle, ray, spans, False, "S6.4", "lies below the line")
    bases = [standing.unit.base for standing in (ray.viewer, ray.lower) if obstacle.id in standing.touching]
    rest = [span for span in spans if not (span[0] == span[1] and _touched(ray, bases, span[0]) <= 0)]
    if not rest:
        return _crossing(obstacle, ray, spans, False, "S7.4", "a base touches it where the line crosses")
    return _shade(obstacle, ray, rest, "S7.4")


def _touched(ray: Ray, bases: list[Ring], u: float) -> float:
    """How far past the touch tolerance the nearest of some bases is from a place of the line; 0 or less: touching."""
    place = ray.line.at(u)
    nearest = min((base_to_place(base, place) for base in bases), default=math.inf)
    return nearest - ray.settings.touch - EPSILON


def base_to_place(base: Ring, place: tuple[float, float]) -> float:
    """The distance of a base from a place that need not be on the grid, in grid steps; 0 inside it."""
    x, y = place
    if len(base) > 2 and locate((round(x), round(y)), [base]) > 0:
        return 0.0
    best = math.inf
    for (ax, ay), (bx, by) in zip(base, (*base[1:], base[0]), strict=True):
        dx, dy = bx - ax, by - ay
        long = dx * dx + dy * dy
        t = min(1.0, max(0.0, ((x - ax) * dx + (y - ay) * dy) / long)) if long else 0.0
        best = min(best, math.hypot(x - ax - t * dx, y - ay - t * dy))
    return best


def _meet_contour(obstacle: Obstacle, ray: Ray) -> Crossing | None:
    """The contour of a hill (S7.2, S7.3, S7.5)."""
    line, piece = ray.line, obstacle.piece
    first, last = obstacle.id in ray.viewer.hills, obstacle.id in ray.lower.hills
    spans = spans_of_area(line, obstacle.rings, grazing=ray.settings.graze or first or last)
    kept = without_ends(line, spans)
    if not kept or piece is None:
        return None
    if lies_below(obstacle, ray.viewer, ray.lower):
        return _crossing(obstacle, ray, kept, False, "S6.4", "lies below the line")
    if not (first or last):
        return _shade(obstacle, ray, kept, "S6.2")
    if first and piece.slope and ray.high > piece.level:
        return _crossing(obstacle, ray, kept, False, "S7.5", "the viewer sees down its own slope")
    bases = [s.unit.base for s, on in ((ray.viewer, first), (ray.lower, last)) if on and obstacle.id in s.touching]
    leaving = [high for _, high in kept if high < line.long2 or _ends_on_rim(obstacle, ray, last)]
    entering = [low for low, _ in kept if low > 0.0 or _starts_on_rim(obstacle, ray, first)]
    if ray.high > piece.level:
        rest = [(u, u) for u in leaving if _touched(ray, bases, u) > 0]
        if not rest:
            return _crossing(obstacle, ray, kept, False, "S7.3", "a base touches the crest where the line crosses")
        return _shade(obstacle, ray, rest, "S7.3")
    crossings = sorted(leaving + entering)
    untouched = [u for u in crossings if _touched(ray, bases, u) > 0]
    if not untouched:
        why = "a base touches the crest where the line crosses" if crossings else "the line does not leave the hill"
        return _crossing(obstacle, ray, kept, False, "S7.2", why, slack=_crest_slack(ray, bases, crossings))
    ends = [s.unit.base for s, on in ((ray.viewer, first), (ray.lower, last)) if on]
    along = max(_touched(ray, ends, u) for u in untouched)
    aside = extent(line, obstacle.segments, untouched[0], untouched[-1]) if first and last else NEVER
    why = "a unit behind a crest line cannot see beyond it"
    return _hidden(obstacle, ray, kept, "S7.2", why, aside=aside, along=along)


def _ends_on_rim(obstacle: Obstacle, ray: Ray, on: bool) -> bool:
    """True where the line comes from the hill to a point on its rim of a unit that is not on it: it crosses there."""
    return not on and locate(ray.line.b, obstacle.rings) == 0


def _starts_on_rim(obstacle: Obstacle, ray: Ray, on: bool) -> bool:
    return not on and locate(ray.line.a, obstacle.rings) == 0


def _crest_slack(ray: Ray, bases: list[Ring], crossings: list[float]) -> float:
    """How near a unit that touches the crest is to not touching it; infinite where it stands on the line itself."""
    slack = math.inf
    for u in crossings:
        past = _touched(ray, bases, u)
        if past + ray.settings.touch > EPSILON:
            slack = min(slack, -past)
    return slack


def _meet_vehicle(obstacle: Obstacle, ray: Ray) -> Crossing | None:
    """A vehicle in the way (S6.5, S6.6, S6.8)."""
    line, vehicle = ray.line, obstacle.unit
    spans = without_ends(line, spans_of_area(line, obstacle.rings, grazing=ray.settings.graze))
    if not spans or vehicle is None:
        return None
    if lies_below(obstacle, ray.viewer, ray.lower):
        return _crossing(obstacle, ray, spans, False, "S6.4", "lies below the line")
    row = ray.rules.afv_shadow(ray.high - obstacle.top)
    if row is None:
        return _blocked(obstacle, ray, spans, "S6.5", "a vehicle blocks on its own level")
    if ray.viewer.on_low_roof:
        return _blocked(obstacle, ray, spans, "S6.8", "from a one-storey roof every obstacle blocks")
    if vehicle.size.category - size_behind(ray) >= row.smaller:
        return _blocked(obstacle, ray, spans, "S6.5", "the target is too small to be seen behind it", row=row)
    if not row.length:
        return _crossing(obstacle, ray, spans, False, "S6.5", "casts no shadow from so high", row=row)
    return _shadow(obstacle, ray, spans, "S6.5", row)


def size_behind(ray: Ray) -> int:
    """The size category of the lower end as a target behind a vehicle (S6.5)."""
    unit = ray.lower.unit
    counts_as = unit.kind.counts_as
    return unit.size.category if counts_as == "own" else ray.rules.sizes[counts_as].category


# --- shadows -------------------------------------------------------------------------------------------------------


def _shade(obstacle: Obstacle, ray: Ray, spans: list[Span], rule: str) -> Crossing:
    """An obstacle of some top between a viewer and a lower end: blocked, or a shadow (S6.2, S6.3, S6.8)."""
    row = ray.rules.shadow(ray.high - obstacle.top)
    if row is None:
        return _blocked(obstacle, ray, spans, rule, "its top is not below the viewer")
    if ray.viewer.on_low_roof:
        return _blocked(obstacle, ray, spans, "S6.8", "from a one-storey roof every obstacle blocks")
    return _shadow(obstacle, ray, spans, rule, row)


def _blocked(
    obstacle: Obstacle, ray: Ray, spans: list[Span], rule: str, why: str, row: ShadowRow | None = None
) -> Crossing:
    return _hidden(obstacle, ray, spans, rule, why, aside=_aside(obstacle, ray, spans), row=row)


def _aside(obstacle: Obstacle, ray: Ray, spans: list[Span]) -> tuple[float, float]:
    """How far left and right the line would be free: of an area where it lies on it, of a crest all along."""
    whole = obstacle.form in ("ridge", "hedgerow") or obstacle.id in ray.viewer.hills
    low, high = (0.0, float(ray.line.long2)) if whole else (spans[0][0], spans[-1][1])
    return extent(ray.line, obstacle.segments, low, high, ray.enough)


def _shadow(obstacle: Obstacle, ray: Ray, spans: list[Span], rule: str, row: ShadowRow) -> Crossing:
    """The shadow beyond the last place where the line leaves the obstacle: it reaches farthest (S6.3)."""
    line = ray.line
    beyond = (line.long2 - spans[-1][1]) / line.long
    inside = row.length * GRID - beyond
    if inside < -EPSILON:
        return _crossing(obstacle, ray, spans, False, rule, "past its shadow", slack=-inside, row=row, beyond=beyond)
    return _hidden(
        obstacle, ray, spans, rule, "in its shadow",
        aside=_aside(obstacle, ray, spans), along=max(0.0, inside), row=row, beyond=beyond,
    )  # fmt: skip


NEVER = (math.inf, math.inf)


def _hidden(
    obstacle: Obstacle,
    ray: Ray,
    spans: list[Span],
    rule: str,
    why: str,
    *,
    aside: tuple[float, float] = NEVER,
    along: float = math.inf,
    row: ShadowRow | None = None,
    beyond: float | None = None,
) -> Crossing:
    """A crossing that stops the line, with the ways, in grid steps, in which it would be free."""
    ways = (aside[0] / GRID, aside[1] / GRID, along / GRID)
    slack = min(*aside, along)
    return _crossing(obstacle, ray, spans, True, rule, why, slack=slack, ways=ways, row=row, beyond=beyond)


def _crossing(
    obstacle: Obstacle,
    ray: Ray,
    spans: list[Span],
    hides: bool,
    rule: str,
    why: str,
    *,
    slack: float = math.inf,
    ways: tuple[float, float, float] = (math.inf, math.inf, math.inf),
    row: ShadowRow | None = None,
    beyond: float | None = None,
) -> Crossing:
    long = ray.line.long
    return Crossing(
        obstacle=obstacle.id,
        what=obstacle.what,
        top=obstacle.top,
        entry_in=spans[0][0] / long / GRID,
        exit_in=spans[-1][1] / long / GRID,
        hides=hides,
        rule=rule,
        why=why,
        slack_in=slack / GRID,
        ways_in=ways,
        row=row,
        beyond_in=None if beyond is None else beyond / GRID,
    )


def freed(hiding: list[Crossing]) -> tuple[float, Crossing]:
    """How far a stopped line is from being clear, in inches, and the obstacle that holds out longest.

    The line must be free of all that hide: moved to one side, or an end along it, whichever is least.
    """
    longest = [max(round(c.ways_in[way], 6) for c in hiding) for way in range(3)]
    least = min(longest)
    holds = (c for way in range(3) for c in hiding if longest[way] == least == round(c.ways_in[way], 6))
    if least == math.inf:  # no one way frees it of all: the one that takes the longest way
        return least, min(hiding, key=lambda c: (-round(c.slack_in, 6), c.obstacle))
    return least, min(holds, key=lambda c: c.obstacle)
