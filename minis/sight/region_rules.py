"""What one obstacle hides of one ray from a viewer: `minis.sight.meeting` for all targets on it at once (S6, S7).

A target is a point on ground of one level. A ray meets the edges of an obstacle one behind the other; in the cell
behind i of them the target has the first i between itself and the viewer, and is inside an area where their number says
so. The higher end is the viewer of the rules (S5.2): a shadow lies behind an obstacle where that is the one who looks,
and before it where it is the target.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from minis.board.geometry import Point, locate
from minis.lengths import GRID
from minis.sight.region_fan import Part, Wedge
from minis.sight.scene import Obstacle, Scene
from minis.sight.standing import EPSILON, Standing

Hidden = Callable[[Wedge, int], list[Part]]
Stretch = tuple[int, int]


@dataclass(frozen=True)
class Look:
    """A viewer's point, an obstacle, and the level and size category of the targets.

    `reach` is the length of the shadow in grid steps: infinite where the obstacle blocks, negative where it hides
    nothing. `reach_rule` is its rule where that is not the one of the form.
    """

    scene: Scene
    standing: Standing
    at: Point
    obstacle: Obstacle
    level: int
    reach: float
    reach_rule: str | None

    @property
    def from_above(self) -> bool:
        """True where the one who looks is the viewer of the rules: not lower than the target (S5.2)."""
        return self.standing.level >= self.level

    @property
    def high(self) -> int:
        """The level of the higher end."""
        return max(self.standing.level, self.level)

    @property
    def below(self) -> bool:
        """True where the top is not above the lower end and below the higher (S6.4)."""
        top = self.obstacle.top
        return top <= min(self.standing.level, self.level) and top < self.high

    @property
    def is_inside(self) -> bool:
        """True where the viewer is inside the piece, by the centre of its base."""
        return self.obstacle.id in self.standing.inside

    @property
    def is_on(self) -> bool:
        """True where the viewer is on the contour (S7.7)."""
        return self.obstacle.id in self.standing.hills

    @property
    def touch(self) -> float:
        """The touch tolerance in grid steps (S7.6)."""
        return self.scene.settings.touch + EPSILON


def look_of(scene: Scene, standing: Standing, at: Point, obstacle: Obstacle, level: int, size: int) -> Look:
    """What the shadow tables say of an obstacle between a viewer and some targets (S6.2, S6.5, S6.8)."""
    rules = scene.board.rules
    high, from_above = max(standing.level, level), standing.level >= level
    on_low_roof = standing.on_low_roof and from_above
    above = high - obstacle.top
    rule: str | None = None
    reach = math.inf
    if obstacle.unit is None:
        shadow = rules.shadow(above)
        if shadow is not None and on_low_roof:
            rule = "S6.8"
        elif shadow is not None:
            reach = shadow.length * GRID + EPSILON
    else:
        afv = rules.afv_shadow(above)
        if afv is not None and on_low_roof:
            rule = "S6.8"
        elif afv is not None and obstacle.unit.size.category - size < afv.smaller:
            reach = afv.length * GRID + EPSILON if afv.length else -1.0
    return Look(scene, standing, at, obstacle, level, reach, rule)


def hidden_by(look: Look) -> Hidden:
    """What is hidden in each cell of the rays around a viewer."""
    obstacle = look.obstacle
    if obstacle.form == "contour":
        on_rim = not look.is_on and locate(look.at, obstacle.rings) == 0
        return lambda wedge, cell: list(_contour(look, wedge, cell, on_rim=on_rim))
    if obstacle.form in ("ridge", "hedgerow"):
        return lambda wedge, cell: list(_line(look, wedge, cell))
    if obstacle.piece is not None and obstacle.piece.kind.own == "depth":
        return lambda wedge, cell: list(_woods(look, wedge, cell))
    return lambda wedge, cell: list(_area(look, wedge, cell))


def _stretches(wedge: Wedge, cell: int) -> list[Stretch]:
    """The stretches of a line that lie in an area, by the numbers of edges; 0 is the viewer, `cell` + 1 the target."""
    places = [*([0] if wedge.starts_inside else []), *range(1, cell + 1)]
    places += [cell + 1] if len(places) % 2 else []
    return list(zip(places[::2], places[1::2], strict=True))


def _without_own(stretches: list[Stretch], cell: int, *, first: bool, last: bool) -> list[Stretch]:
    """The stretches but for those that begin at an end that is inside the piece."""
    if first and stretches and stretches[0][0] == 0:
        stretches = stretches[1:]
    if last and stretches and stretches[-1][1] == cell + 1:
        stretches = stretches[:-1]
    return stretches


def _is_inside(wedge: Wedge, cell: int) -> bool:
    """True where a target in a cell is inside the area."""
    return wedge.starts_inside == (cell % 2 == 0)


def _area(look: Look, wedge: Wedge, cell: int) -> Iterator[Part]:
    """Vehicles, buildings, rubble, orchards (S6.1 to S6.5)."""
    if look.below:
        return
    piece = look.obstacle.piece
    first, last = look.is_inside, piece is not None and _is_inside(wedge, cell)
    if piece is not None and piece.kind.own == "all" and (first or last):
        return
    rest = _without_own(_stretches(wedge, cell), cell, first=first, last=last)
    yield from _shade(look, wedge, cell, rest, "S6.2" if piece is not None else "S6.5")


def _woods(look: Look, wedge: Wedge, cell: int) -> Iterator[Part]:
    """Woods: seen out of, and into, no deeper than their depth (S6.10); both ends in them are left to the caller."""
    first, last = look.is_inside, _is_inside(wedge, cell)
    if not (first or last):
        yield from _area(look, wedge, cell)
        return
    stretches = _stretches(wedge, cell)
    if first and last and stretches[0] == (0, cell + 1):
        yield Part("S6.10", 0)
        return
    if first and stretches and stretches[0][0] == 0 and not wedge.edges[stretches[0][1] - 1].shallow:
        yield Part("S6.10", 0)
        return
    if last and stretches[-1][1] == cell + 1:
        yield Part("S6.10", stretches[-1][0], look.scene.settings.woods_depth + EPSILON)
    if not look.below:
        rest = _without_own(stretches, cell, first=first, last=last)
        yield from _shade(look, wedge, cell, rest, "S6.2")


def _contour(look: Look, wedge: Wedge, cell: int, *, on_rim: bool) -> Iterator[Part]:
    """The contour of a hill (S7.2, S7.3, S7.5); `on_rim` of a point on its edge of a viewer that is not on it."""
    piece = look.obstacle.piece
    if look.below or piece is None:
        return
    on, target_on = look.is_on, _is_inside(wedge, cell)
    if not (on or target_on):
        yield from _shade(look, wedge, cell, _stretches(wedge, cell), "S6.2")
        return
    over = look.high > piece.level
    if over and piece.slope and (on if look.from_above else target_on):
        return
    outward = range(1, cell + 1)
    if over:  # only where the line comes down over the rim toward the lower end
        outward = range(1 if wedge.starts_inside == look.from_above else 2, cell + 1, 2)
    crossed = [k for k in outward if not (on and wedge.edges[k - 1].touched)]
    if on_rim and wedge.starts_inside and not (over and look.from_above):
        crossed.insert(0, 0)
    after = look.touch if target_on else 0.0
    for k in crossed:
        if over:
            yield from _behind(look, wedge, k, "S7.3", after)
        else:
            yield Part("S7.2", k, after)


def _line(look: Look, wedge: Wedge, cell: int) -> Iterator[Part]:
    """One stretch of a ridge (S7.4) or of a hedgerow (S6.1); what touches a hedgerow is left to the caller."""
    if look.below or not cell or wedge.edges[0].touched:
        return
    ridge = look.obstacle.form == "ridge"
    yield from _behind(look, wedge, 1, "S7.4" if ridge else "S6.2", look.touch if ridge else 0.0)


def _shade(look: Look, wedge: Wedge, cell: int, stretches: list[Stretch], rule: str) -> Iterator[Part]:
    """Behind an area that a line passes through: blocked, or a shadow from where the line leaves it (S6.3)."""
    if not stretches or look.reach < 0:
        return
    if look.reach == math.inf:
        yield Part(look.reach_rule or rule, 0)
    elif not look.from_above:
        start = stretches[0][0]
        if start == 0 or wedge.edges[start - 1].near:
            yield Part(rule, 0)
    elif stretches[-1][1] == cell + 1:
        yield Part(rule, 0)
    else:
        yield Part(rule, stretches[-1][1], 0.0, look.reach)


def _behind(look: Look, wedge: Wedge, k: int, rule: str, after: float) -> Iterator[Part]:
    """Behind one crossing of a crest line or hedgerow: blocked, or its shadow (S7.3, S7.4)."""
    if look.reach == math.inf:
        yield Part(look.reach_rule or rule, k, after)
    elif look.from_above:
        yield Part(rule, k, after, look.reach)
    elif k == 0 or wedge.edges[k - 1].near:
        yield Part(rule, k, after)
