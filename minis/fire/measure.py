"""The facts of a shot measured on the table: from the board, the units' state and the sighting (F1, F4).

Fire takes the sighting it is given and asks for no line of sight of its own: the two cannot disagree (F1.4).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from minis.board.geometry import base_to_base, bearing
from minis.board.schema import Weapon
from minis.board.terrain import Terrain
from minis.board.units import Unit
from minis.errors import bad
from minis.fire.facts import Ammo, ShotFacts, Target, TargetType, hexes, read_facts
from minis.fire.guns import parse_gun
from minis.fire.manoeuvre import masked
from minis.fire.to_hit import Refusal, Shot, to_hit
from minis.lengths import EPSILON_IN, GRID
from minis.rules.effect_rows import NationNameRow, rows_of
from minis.rules.model import Rules
from minis.rules.rows import Row
from minis.sight.attempt import Attempt, one_target
from minis.sight.scene import Scene
from minis.sight.stretch import Straight, spans_of_area
from minis.toml_file import nearest_of


@dataclass(frozen=True)
class Declaration:
    """What a player says of his shot; what he leaves open is chosen, and `taken` says what was."""

    weapon: str | None = None
    ammo: Ammo | None = None
    target_type: TargetType | None = None
    phase: str = "prep"
    facts: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True)
class TableShot:
    """A shot on the table: the sighting it rests on, the weapon, the ruling, and what was chosen for the player."""

    attempt: Attempt
    weapon: Weapon | None
    ammo: str | None
    shot: Shot | None
    refusal: Refusal | None
    taken: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()


def declare(scene: Scene, attempt: Attempt, said: Declaration) -> TableShot:
    """Put a declared shot at a sighted target to the fire rules (F1.4); refused where the target is not sighted.

    Raises BadInput for a weapon or a fact that there is not.
    """
    firer, target = attempt.sighter, attempt.target
    refusal = _unsighted(attempt, _sighted_by(scene, target))
    if refusal is not None:
        return TableShot(attempt, None, None, None, refusal)
    weapon = weapon_of(firer, said.weapon)
    taken = [] if said.weapon else [f"weapon {weapon.id}"]
    armoured = target.is_vehicle and target.armoured
    ammo: str = said.ammo or _sensible_ammo(weapon, armoured=armoured)
    if said.ammo is None:
        taken.append(ammo)
    if weapon.ammo and ammo not in weapon.ammo:
        why = f"{firer.id} has no {ammo} for {weapon.id}: {', '.join(weapon.ammo)}"
        return TableShot(attempt, weapon, ammo, None, Refusal("C8", why), tuple(taken))
    bow = next((m for m in masked(scene, firer, target) if m.weapon == weapon.id), None)
    if bow is not None:
        return TableShot(attempt, weapon, ammo, None, Refusal(bow.rule, bow.why), tuple(taken))
    kind = said.target_type or _sensible_type(weapon, ammo, target)
    if said.target_type is None:
        taken.append(f"{kind} type")
    given = measured(scene, attempt, weapon, ammo, kind, said.phase)
    if any(name == "range_in" for name, _ in said.facts):
        del given["range_hexes"]
    facts = read_facts(given | dict(said.facts), inches_per_hex=scene.board.inches_per_hex)
    shot = to_hit(facts, scene.board.rules)
    return TableShot(attempt, weapon, ammo, shot, shot.refusal, tuple(taken), tuple(_rows(scene, attempt, facts)))


def _rows(scene: Scene, attempt: Attempt, facts: ShotFacts) -> Iterator[Row]:
    """Rows of tables behind the facts of a shot: TEM, hindrances, the size, the nation's colour."""
    rules = scene.board.rules
    piece = scene.board.terrain_by_id.get(facts.tem_from or "")
    tem = rules.tem.get(_tem_name(piece) if piece else facts.tem_from or "")
    if tem is not None:
        yield tem
    if facts.hindrance:
        yield from rules.hindrances.values()
    yield attempt.target.size
    yield from (row for row in rules.nations.values() if row.colour == facts.colour)


def same(said: Declaration, first: TableShot) -> Declaration:
    """The declaration of another target of the same shot: its weapon, its ammunition and its target type (F5.5)."""
    if first.shot is None or first.weapon is None:
        return said
    kind = first.shot.facts.target_type
    return replace(said, weapon=first.weapon.id, ammo=first.shot.facts.ammo, target_type=kind)


def same_shot(other: TableShot) -> TableShot:
    """Another target of one shot; refused on the Vehicle type, which has a single target (C3.31)."""
    if other.shot is None or other.refusal is not None or other.shot.facts.target_type != "vehicle":
        return other
    refusal = Refusal("C3.31", "a shot of the Vehicle type has one target")
    return replace(other, shot=replace(other.shot, refusal=refusal), refusal=refusal)


def _sighted_by(scene: Scene, target: Unit) -> frozenset[str]:
    """Units that have sighted a target; of a gun and its tow whoever has sighted one (S11.3)."""
    return frozenset(name for unit in one_target(scene, target) for name in unit.sighted_by)


def _unsighted(attempt: Attempt, sighted_by: frozenset[str]) -> Refusal | None:
    """The sighting's own reason where the target is not sighted (F1.4)."""
    ruling, line = attempt.ruling, attempt.line
    who, whom = attempt.sighter.id, attempt.target.id
    if ruling.barred:
        return Refusal(ruling.rule, f"{who} may not: {ruling.why}")
    if line.deciding:
        return Refusal(line.deciding.rule, f"{who} cannot see {whom}: hidden by {line.deciding.obstacle}")
    if who in sighted_by or ruling.sighted or attempt.sighter.hidden:
        return None  # from hiding it fires at any unit in its line of sight (S12.3)
    if ruling.outcome == "impossible":
        return Refusal(ruling.rule, f"{who} cannot sight {whom}: {ruling.why}")
    if ruling.sighted is False:
        return Refusal("F1.4", f"{who} does not sight {whom}: {ruling.rolls[-1].face} rolled")
    if ruling.smoke_dice_needed:
        return Refusal("F1.4", f"{who} has not sighted {whom}: roll the smoke die first (--smoke-die N)")
    asked = f"{ruling.need} or {'more' if ruling.test == 'at_least' else 'less'}"
    return Refusal("F1.4", f"{who} has not sighted {whom}: roll {asked} on d100 (--sight-dice N)")


def weapon_of(firer: Unit, name: str | None) -> Weapon:
    """The weapon with this id, or the first; raises BadInput where there is none."""
    if not firer.weapons:
        raise bad(f"{firer.id} has no weapon in the scenario: give it weapons = [...] or a type from the catalogue")
    for weapon in firer.weapons:
        if name is None or weapon.id == name:
            return weapon
    raise bad(f"{firer.id} has no weapon {name!r}; {nearest_of(str(name), [w.id for w in firer.weapons])}")


def _sensible_ammo(weapon: Weapon, *, armoured: bool) -> Ammo:
    """AP or HEAT at armour, HE at anything else, as far as there is any."""
    order: tuple[Ammo, ...] = ("AP", "HEAT", "HE", "APCR", "APDS") if armoured else ("HE", "AP", "HEAT")
    kind = parse_gun(weapon.gun).kind
    if not weapon.ammo and kind in ("mg", "atr", "latw"):
        return "HEAT" if kind == "latw" else "AP"
    return next((ammo for ammo in order if ammo in weapon.ammo), weapon.ammo[0] if weapon.ammo else order[0])


def _sensible_type(weapon: Weapon, ammo: str, target: Unit) -> TargetType:
    """The target type a player would choose (C3.3)."""
    if ammo == "SMOKE" or parse_gun(weapon.gun).kind == "mortar":
        return "area"
    if target.is_vehicle and (target.armoured or ammo != "HE"):
        return "vehicle"
    return "infantry"


def measured(scene: Scene, attempt: Attempt, weapon: Weapon, ammo: str, kind: TargetType, phase: str) -> dict[str, Any]:
    """Every fact of a shot that the table and the units' state show."""
    firer, target = attempt.sighter, attempt.target
    line, down = attempt.line, attempt.hull_down
    rules = scene.board.rules
    what: Target = "infantry"
    if target.is_vehicle:
        what = "afv" if target.armoured else "vehicle"
    elif target.kind.id == "gun":
        what = "gun"
    tem, tem_from = tem_of(scene, attempt)
    facts: dict[str, Any] = {
        "target_type": kind,
        "target": what,
        "range_hexes": hexes(line.distance_in, scene.board.inches_per_hex),
        "gun": weapon.gun,
        "ammo": ammo,
        "colour": colour_of(rules, firer, weapon),
        "phase": phase,
        "arc_steps": arc_steps(rules, firer, weapon, target),
        "mount": mount_of(firer, weapon),
        "firer_terrain": _ground(scene, firer),
        "firer_moved": "moved" in firer.flags,
        "firer_motion": "motion" in firer.flags,
        "leadership": firer.leadership,
        "stun": firer.stun,
        "overstacked": int("overstacked" in firer.flags),
        "target_moved": "moved" in target.flags,
        "target_motion": "motion" in target.flags,
        "in_open": "in_open" in target.flags or (what == "infantry" and not attempt.cover),
        "concealed": target.hidden or target.token is not None,
        "size": 0 if what == "infantry" else target.size.drm,
        "tem": tem,
        "hindrance": hindrance_of(scene, attempt),
        "through_own_smoke": bool(scene.own_smoke(target) & set(line.smoke)),
        "extra_squads": target.extra_squads,
    }
    facts |= {"rof": weapon.rof} if weapon.rof is not None else {}
    facts |= {"breakdown": weapon.breakdown} if weapon.breakdown is not None else {}
    for flag in ("stabilized", "pinned", "captured", "nonqualified", "encircled", "cx", "spotted", "blinded"):
        facts[flag] = flag in firer.flags
    facts["buttoned_up"] = "buttoned_up" in firer.flags and firer.armoured
    for flag in ("dashing", "nonassault", "hazardous", "motorcyclist", "cavalry"):
        facts[flag] = flag in target.flags
    if tem_from:
        facts["tem_from"] = tem_from
    if down.state and down.by:
        facts |= {"hull_down": down.state, "hull_down_by": down.by}
    if weapon.range is not None:
        facts["max_range_hexes"] = weapon.range
    return facts


def colour_of(rules: Rules, firer: Unit, weapon: Weapon) -> str:
    """The colour of the To Hit numbers: the weapon's own, else its nation's (F2.2)."""
    nation = (firer.nation or "other").lower()
    aliases = {name: row.id for row in rows_of(rules, "nation-names", NationNameRow) for name in row.names}
    row = rules.nations.get(nation) or rules.nations.get(aliases.get(nation, "other"), rules.nations["other"])
    return weapon.th or row.colour


def mount_of(firer: Unit, weapon: Weapon) -> str:
    """The turret that the weapon sits in: none on a gun or in the bow (C5.1)."""
    if weapon.bow:
        return "NT"
    return firer.mount or ("T" if firer.is_vehicle else "NT")


def covered_arc(rules: Rules, firer: Unit, weapon: Weapon) -> tuple[float, float] | None:
    """The covered arc of a weapon (Case A): the bearing of its middle, and degrees to each side; infantry has none."""
    if firer.kind.id == "infantry":
        return None
    in_hull = firer.is_vehicle and mount_of(firer, weapon) == "NT"
    ahead = firer.facing if in_hull else firer.turret  # a gun's "turret" is where its carriage points
    return ahead, rules.fire_number("arc-half")


def arc_steps(rules: Rules, firer: Unit, weapon: Weapon, target: Unit) -> int:
    """Steps of 60 degrees that a target lies outside the covered arc of a weapon (Case A); infantry has no arc."""
    way, arc = bearing(firer.at, target.at), covered_arc(rules, firer, weapon)
    if way is None or arc is None:
        return 0
    ahead, half = arc
    off = abs((way - ahead + 180.0) % 360.0 - 180.0)
    past = (off - half) / rules.fire_number("arc-step")
    return max(0, math.ceil(past - EPSILON_IN))


def _ground(scene: Scene, unit: Unit) -> str:
    """Woods, building or rubble that a unit is in, else open (Cases A, B, E)."""
    kinds = {scene.board.terrain_by_id[name].kind.id for name in scene.stand(unit).inside}
    return next((kind for kind in ("building", "woods", "rubble") if kind in kinds), "open")


def tem_of(scene: Scene, attempt: Attempt) -> tuple[int, str | None]:
    """The greatest TEM of the target's terrain and the piece that gives it; not added up (F4.3).

    What makes it hull down comes last, so that it is named where there is nothing else. A target higher by a level, not
    hull down and without other TEM, has the height advantage.
    """
    down = attempt.hull_down
    found = sorted(_terrain_tem(scene, attempt), key=lambda item: (item[1] == down.by and down.state == "II", -item[0]))
    positive = [item for item in found if item[0] > 0]
    if positive:
        return positive[0]
    higher = attempt.line.to_level - attempt.line.from_level
    if down.state is None and higher >= 1:
        return scene.board.rules.tem["height advantage"].value, "height advantage"
    return 0, None


def _terrain_tem(scene: Scene, attempt: Attempt) -> Iterator[tuple[int, str]]:
    target, rules = attempt.target, scene.board.rules
    for name in attempt.cover:
        row = rules.tem.get(_tem_name(scene.board.terrain_by_id[name]))
        crest = scene.board.terrain_by_id[name].is_crest
        if row is not None and not (crest and target.is_vehicle):
            yield row.value, name
    touch = scene.settings.touch + EPSILON_IN * GRID
    for unit in scene.board.units:
        if unit.wreck and not target.is_vehicle and base_to_base(unit.base, target.base) <= touch:
            yield rules.tem["wreck"].value, unit.id


def _tem_name(piece: Terrain) -> str:
    if piece.is_crest:
        return "crest"
    return f"{piece.kind.id} {piece.material}" if piece.kind.id in ("building", "rubble") else piece.kind.id


def hindrance_of(scene: Scene, attempt: Attempt) -> int:
    """The hindrance of the terrain on the line: for each 2" or part of it, not where the ends stand (F4.4)."""
    (ax, ay), (bx, by) = attempt.line.line
    line = Straight.between((round(ax * GRID), round(ay * GRID)), (round(bx * GRID), round(by * GRID)))
    own = scene.stand(attempt.sighter).inside | scene.stand(attempt.seen_as).inside
    total = 0
    for piece in scene.board.terrain:
        row = scene.board.rules.hindrances.get(piece.kind.id)
        if row is None or piece.id in own or not piece.rings or line.misses(piece.box):
            continue
        crossed = sum(high - low for low, high in spans_of_area(line, piece.rings)) / max(line.long, 1.0) / GRID
        total += row.value * math.ceil(crossed / row.each - EPSILON_IN)
    return total
