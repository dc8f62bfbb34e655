"""Ways to shoot: with which weapon, once or several times, aimed or in a volley, and what each needs to hit
(wap.shoot.hit.*, wap.special.volley-fire, .multiple-shots, .move-or-fire, .quick-to-fire, .slow-to-fire,
wap.weapon.missile.*).

``unit`` is the row whose weapon is used: a unit with all characters in it who have the same weapon, or a character in a
unit who has another. ``target`` is a unit, or a character in one who is aimed at: sight, range and cover are his, all
else is asked of his unit (wap.character.shooting.different-type).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import hypot
from typing import NamedTuple

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS
from wh_env.rulesets.wap.basics.blocks import distance
from wh_env.rulesets.wap.basics.changed_dice import hitting_under_effects, rerolls_under_effects
from wh_env.rulesets.wap.basics.combined_unit import has, units_within
from wh_env.rulesets.wap.basics.contacts import is_one_model
from wh_env.rulesets.wap.basics.declared_charges import charges_aloft
from wh_env.rulesets.wap.basics.dice_changes import HIT
from wh_env.rulesets.wap.basics.garrisons import is_inside
from wh_env.rulesets.wap.basics.ground import is_mostly_in, with_trait
from wh_env.rulesets.wap.basics.needed import to_shoot
from wh_env.rulesets.wap.basics.profiles import characteristic
from wh_env.rulesets.wap.basics.rerolls import NONE, Rerolls
from wh_env.rulesets.wap.basics.sight import within
from wh_env.rulesets.wap.basics.special_rules import models_have, parameters
from wh_env.rulesets.wap.basics.strength import unit_strength
from wh_env.rulesets.wap.codes import DRIVEN, MOVED, SKIRMISH
from wh_env.rulesets.wap.movement.aftermath import MOVING, counts_as_moved
from wh_env.rulesets.wap.rule_book import (
    AQUATIC,
    IGNORES_COVER,
    MOVE_OR_FIRE,
    MULTIPLE_SHOTS,
    QUICK_TO_FIRE,
    SKIRMISHERS,
    SLOW_TO_FIRE,
    VOLLEY_FIRE,
    SpecialRule,
)
from wh_env.rulesets.wap.shooting.aims import (
    ENDLESS,
    bears,
    block_of,
    count_shooters,
    distance_to,
    eyes_of,
    fires_all_round,
    gaps_to,
    may_be_shot,
    own_row,
    shooters_at,
    shooters_in,
    windows_left,
)
from wh_env.rulesets.wap.shooting.cover import covers
from wh_env.rulesets.wap.shooting.machine_sight import machine_sees
from wh_env.rulesets.wap.shooting.sniping import snipes
from wh_env.rulesets.wap.special.stride import pace_of
from wh_env.rulesets.wap.troops.cavalry import mount_of
from wh_env.rulesets.wap.troops.war_machines import best_skill, is_machine
from wh_env.rulesets.wap.ways.poses import middle_of
from wh_env.rulesets.wap.weapons.arms import Weapon, outfit_of

IN_PHASE, AS_REACTION, ON_CHARGE, IN_FLIGHT = range(4)  # when a unit shoots
ANSWERS = (AS_REACTION, IN_FLIGHT)  # of these, shots at an enemy that charges the unit
# a way to shoot: these bits, and the number of the weapon times ``WAYS``; APART: characters make several shots each
# while the other models make one, or the reverse
MULTIPLE, VOLLEY, SNIPE, APART, WAYS = 1, 2, 4, 8, 16
NO_WAY = -1
SEVERAL = re.compile(r"Multiple Shots \(([1-9])\)(\*?)")
SMALL = (
    2  # the most Unit Strength that is hard to hit (wap.shoot.hit.single-model, wap.special.skirmishers.hard-to-hit)
)
SECOND = {7: 4, 8: 5, 9: 6}  # the least second die after a 6, by the score needed (wap.shoot.hit.seven-plus)
IMPOSSIBLE = 10
FACES = 6


class Firing(NamedTuple):
    """Shots by models of one profile that need the same score to hit; more than 9 cannot hit. ``rerolls``: of their
    dice to hit.
    """

    line: int
    needed: int
    shots: int
    rerolls: Rerolls = NONE


def chance_to_hit(needed: int, rerolls: Rerolls = NONE) -> float:
    """The chance that one shot hits if it needs ``needed``."""
    if needed >= IMPOSSIBLE:
        return 0.0
    if needed > FACES:
        return chance_of(FACES, rerolls.faces(FACES)) * chance_of(SECOND[needed], rerolls.faces(SECOND[needed]))
    return chance_of(max(2, needed), rerolls.faces(needed))


def chance_of(needed: int, again: int) -> float:
    """The chance that a die shows ``needed`` or more if the faces ``again`` (bits) are rolled again."""
    passing = range(needed, FACES + 1)
    kept = sum(not again >> die & 1 for die in passing)
    return (kept + again.bit_count() * len(passing) / FACES) / FACES


def weapon_in(g: BattleCore, unit: int, way: int) -> Weapon:
    """The missile weapon of a way to shoot."""
    return outfit_of(g, unit).missiles[way // WAYS]


def follows(g: BattleCore, unit: int, weapon: Weapon, rule: SpecialRule) -> bool:
    """Whether a unit's shots with a weapon have a special rule, by the weapon or by the unit."""
    return weapon.has(rule) or has(g, unit, rule)


def has_moved(g: BattleCore, unit: int) -> bool:
    """Whether a unit has moved this turn for any reason; a character also if the unit has that he is in
    (wap.shoot.hit.moved).
    """
    rows = (unit, block_of(g, unit))
    return any(counts_as_moved(g, row) or bool(g.units.did[row] & DRIVEN) for row in rows)


def only_pivoted(g: BattleCore, unit: int) -> bool:
    """Whether a unit of one model has moved only by turning on the spot."""
    u, o = g.units, g.origin
    if u.block[unit] != 1 or u.did[unit] & (MOVING | DRIVEN) != MOVED:
        return False
    x, y = middle_of(g, unit, u.x[unit], u.y[unit], u.facing[unit])
    fx, fy = middle_of(g, unit, o.x[unit], o.y[unit], o.facing[unit])
    return hypot(x - fx, y - fy) <= EPS


def several(g: BattleCore, unit: int, weapon: Weapon, when: int, whose: int = -1) -> int:
    """How many shots each model of a unit, or of the character ``whose`` in it, may make in place of one; 1: no more.
    Some weapons allow several only to a unit that has not moved and does not answer a charge
    (wap.special.multiple-shots).
    """
    found = [int(number) for number in parameters(g, unit if whose < 0 else whose, MULTIPLE_SHOTS) if number.isdigit()]
    for rule in weapon.rules:
        match = SEVERAL.fullmatch(rule)
        if match and (not match[2] or (when == IN_PHASE and not has_moved(g, unit if whose < 0 else whose))):
            found.append(int(match[1]))
    return max(found, default=1)


def may_fire(g: BattleCore, unit: int, target: int, weapon: Weapon, when: int) -> bool:
    """Whether a unit may use a missile weapon at moment ``when`` (wap.special.move-or-fire, .slow-to-fire,
    .quick-to-fire.reaction, .quick-to-fire.charging, wap.charge.stand-shoot.distance).
    """
    block, quick, moving = block_of(g, unit), QUICK_TO_FIRE, MOVE_OR_FIRE
    if when == ON_CHARGE:
        return follows(g, unit, weapon, quick) and not follows(g, unit, weapon, moving)
    if when in ANSWERS:
        far = distance(g, block, target) > pace_of(g, target, charges_aloft(g, target)) + EPS
        return not follows(g, unit, weapon, SLOW_TO_FIRE) and (follows(g, unit, weapon, quick) or far)
    return (
        not has_moved(g, unit)
        or not follows(g, unit, weapon, moving)
        or outfit_of(g, unit).mounted
        or only_pivoted(g, block)
    )


def may_volley(g: BattleCore, unit: int, target: int, weapon: Weapon, when: int) -> bool:
    """Whether a unit may fire a volley: in its Shooting phase, if it has not moved and the target is at half range or
    farther (wap.special.volley-fire.limits).
    """
    block = block_of(g, unit)
    return (
        when == IN_PHASE
        and follows(g, unit, weapon, VOLLEY_FIRE)
        and not has_moved(g, unit)
        and distance_to(g, block, target) >= 0.5 * weapon.range - EPS
    )


def range_of(weapon: Weapon, when: int) -> float:
    """Inches that a weapon reaches at moment ``when``. A unit that is charged shoots as far as it sees
    (wap.charge.stand-shoot.beyond-range).
    """
    return ENDLESS if when in ANSWERS else float(weapon.range)


def who_fire(g: BattleCore, unit: int, target: int, way: int, when: int) -> dict[int, int]:
    """The models that shoot in a way, each with the model through whose eyes it sees.

    If one model sees the target of a volley, all in range fire; those that see nothing use the eyes of one that does.
    """
    block, weapon = block_of(g, unit), weapon_in(g, unit, way)
    far = range_of(weapon, when)
    if is_machine(g, unit):
        k = g.units.first[unit]
        return {k: k} if machine_sees(g, unit, block_of(g, target), far) else {}
    if not way & VOLLEY:
        return only_of(g, unit, shooters_at(g, block, target, far, weapon))
    eyes = eyes_of(g, block, target, all_round=fires_all_round(g, block, weapon))
    if not eyes:
        return {}
    some = next(iter(eyes.values()))
    rows = [k for k in within(g, block) if bears(g, k, weapon)]
    if is_inside(g, block):
        rows = rows[: windows_left(g, block, target, far, weapon)]
        gaps = [distance_to(g, block, target)] * len(rows)
    else:
        gaps = gaps_to(g, target, rows)
    return only_of(g, unit, {k: eyes.get(k, some) for k, gap in zip(rows, gaps, strict=True) if gap <= far + EPS})


def only_of(g: BattleCore, unit: int, who: dict[int, int]) -> dict[int, int]:
    """The entries of ``who`` for the models of ``unit``. If the block is the unit's own, all entries."""
    return who if block_of(g, unit) == unit else {k: eye for k, eye in who.items() if own_row(g, k) == unit}


def ways_of(g: BattleCore, unit: int, target: int, when: int) -> list[int]:
    """The ways in which a unit can shoot at a target at moment ``when``; empty: it cannot."""
    block = block_of(g, unit)
    if not g.setup.statics["missiles"][unit] or not may_be_shot(g, block, target):
        return []
    found, apart = list[int](), distance_to(g, block, target)
    for n, weapon in enumerate(outfit_of(g, unit).missiles):
        own = list(plain_ways(g, unit, target, n * WAYS, when, apart))
        if own and several(g, unit, weapon, when) > 1:
            own += [way + MULTIPLE for way in own]
        if own and may_differ(g, unit, target, weapon, n * WAYS, when):
            own += [way + APART for way in own if not way & VOLLEY]
        if snipes(g, unit, weapon):
            own += [way + SNIPE for way in own if not way & (VOLLEY | APART)]
        found += sorted(own)
    return found


def plain_ways(g: BattleCore, unit: int, target: int, way: int, when: int, apart: float) -> Iterator[int]:
    """The ways with one weapon in which each model shoots once: aimed shots and a volley. ``way``: the weapon's first
    way. ``apart``: inches to the target, which must be one that may be shot.
    """
    block, weapon = block_of(g, unit), weapon_in(g, unit, way)
    far = range_of(weapon, when)
    if apart > far + EPS or not may_fire(g, unit, target, weapon, when):
        return
    if is_machine(g, unit):
        if machine_sees(g, unit, block_of(g, target), far):
            yield way
        return
    if count_shooters(g, block, target, far, weapon) and (block == unit or who_fire(g, unit, target, way, when)):
        yield way
    if may_volley(g, unit, target, weapon, when) and who_fire(g, unit, target, way + VOLLEY, when):
        yield way + VOLLEY


def has_way(g: BattleCore, unit: int, target: int, when: int) -> bool:
    """Whether ``ways_of`` is not empty. All other ways come with a plain one, so only these are tried."""
    block = block_of(g, unit)
    if not g.setup.statics["missiles"][unit] or not may_be_shot(g, block, target):
        return False
    apart, ways = distance_to(g, block, target), range(0, WAYS * len(outfit_of(g, unit).missiles), WAYS)
    return any(True for way in ways for _ in plain_ways(g, unit, target, way, when, apart))


def may_differ(g: BattleCore, unit: int, target: int, weapon: Weapon, way: int, when: int) -> bool:
    """Whether characters who shoot with a unit may choose between one shot and several otherwise than the unit
    (wap.special.multiple-shots.uniform).
    """
    inside = [row for row in units_within(g, unit) if row != unit and several(g, unit, weapon, when, row) > 1]
    return bool(inside) and any(own_row(g, k) in inside for k in who_fire(g, unit, target, way, when))


def shots_in(g: BattleCore, unit: int, model: int, way: int, when: int) -> int:
    """The shots of one model in a way to shoot: one, or several if the way is ``MULTIPLE``. With ``APART`` it is the
    reverse for characters in the unit (wap.special.multiple-shots.uniform).
    """
    whose = own_row(g, model)
    turned = whose != unit and bool(way & APART)
    return several(g, unit, weapon_in(g, unit, way), when, whose) if bool(way & MULTIPLE) != turned else 1


def is_small(g: BattleCore, target: int) -> bool:
    """Whether a target is a single small model (wap.shoot.hit.single-model)."""
    return is_one_model(g, target) and not is_inside(g, target) and unit_strength(g, target) <= SMALL


def is_scattered(g: BattleCore, target: int) -> bool:
    """Whether a target is of small skirmishers (wap.special.skirmishers.hard-to-hit)."""
    loose = g.units.shape[target] == SKIRMISH or has(g, target, SKIRMISHERS)
    return loose and g.units.each[target] <= SMALL


def is_submerged(g: BattleCore, target: int) -> bool:
    """Whether all models of a target are Aquatic, and most are in water (wap.special.aquatic.shooting)."""
    aquatic = all(models_have(g, row, AQUATIC) for row in units_within(g, target))
    return aquatic and is_mostly_in(g, target, *with_trait(g, "water"))


def penalties(g: BattleCore, unit: int, target: int, way: int, when: int) -> dict[str, int]:
    """The penalties on the rolls to hit of all of a unit's shots, by rule (wap.shoot.hit.modifiers), without that for
    several shots of a model. A unit that fires and flees counts as having moved
    (wap.special.fast-cavalry.fire-and-flee).
    """
    weapon, target = weapon_in(g, unit, way), block_of(g, target)
    moved = when == IN_FLIGHT or (when == IN_PHASE and has_moved(g, unit))
    moved = moved and not is_machine(g, unit)  # wap.machine.fire.no-penalties
    told = {
        "wap.shoot.hit.moved": moved and not follows(g, unit, weapon, QUICK_TO_FIRE),
        "wap.special.move-or-fire.mounted": moved
        and outfit_of(g, unit).mounted
        and follows(g, unit, weapon, MOVE_OR_FIRE),
        "wap.shoot.hit.stand-shoot": when in ANSWERS,
        "wap.special.quick-to-fire.charging": when == ON_CHARGE,
        "wap.shoot.hit.single-model": is_small(g, target),
        "wap.special.skirmishers.hard-to-hit": is_scattered(g, target),
        "wap.special.volley-fire": bool(way & VOLLEY),
        "wap.special.aquatic.shooting": bool(with_trait(g, "water")) and is_submerged(g, target),
        "wap.special.sniper": bool(way & SNIPE),
    }
    return {rule: 1 for rule, holds in told.items() if holds}


def own_move(g: BattleCore, unit: int, row: int, weapon: Weapon, when: int) -> int:
    """The penalties on the shots of a character, ``row``, with a unit that has not moved if he has, before he joined it
    (wap.shoot.hit.moved, wap.special.move-or-fire.mounted).
    """
    if row == unit or when != IN_PHASE or has_moved(g, unit) or not has_moved(g, row):
        return 0
    mounted = outfit_of(g, row).mounted and follows(g, row, weapon, MOVE_OR_FIRE)
    return (not follows(g, row, weapon, QUICK_TO_FIRE)) + mounted


def firings(g: BattleCore, unit: int, target: int, way: int, when: int) -> list[Firing]:
    """The shots of a unit, grouped by profile and by the score needed to hit. Models with a clear view are apart from
    those whose target has cover (wap.shoot.cover.separate). A champion uses his own Ballistic Skill
    (wap.command.champion.shooting), the crew of a war machine the best of theirs (wap.machine.fire.best-bs).
    """
    block, weapon, who = block_of(g, unit), weapon_in(g, unit, way), who_fire(g, unit, target, way, when)
    less, host = sum(penalties(g, unit, target, way, when).values()), block_of(g, target)
    cover = (
        {}
        if follows(g, unit, weapon, IGNORES_COVER)
        else covers(g, block, target, set(who.values()), all_round=fires_all_round(g, block, weapon))
    )
    found: dict[tuple[int, int], int] = {}
    made: dict[int, int] = {}  # the shots of each model, by the row that it belongs to
    for k, eye in who.items():
        line, own = mount_of(g, unit) if weapon.attached else g.models.line[k], own_row(g, k)
        if own not in made:
            made[own] = shots_in(g, unit, k, way, when)
        shots = made[own]
        hasty = shots > 1 and not is_machine(g, unit)  # wap.special.multiple-shots, wap.machine.fire.no-penalties
        skill = best_skill(g, unit) if is_machine(g, unit) else characteristic(g, line, "bs")
        moved = own_move(g, unit, own, weapon, when)
        needed = to_shoot(skill) + less + hasty + moved + cover.get(eye, 0) - hitting_under_effects(g, line, host)
        found[line, needed] = found.get((line, needed), 0) + shots
    return [
        Firing(line, needed, found[line, needed], rerolls_under_effects(g, g.lines.unit[line], HIT))
        for line, needed in sorted(found)
    ]


def expected_hits(g: BattleCore, unit: int, target: int, way: int, when: int) -> float:
    """The average number of hits of a way to shoot."""
    return sum(
        firing.shots * chance_to_hit(firing.needed, firing.rerolls) for firing in firings(g, unit, target, way, when)
    )


def best_way(g: BattleCore, unit: int, target: int, when: int) -> int:
    """The way with the most average hits times Strength; of equal ones the first. ``NO_WAY``: there is none."""

    def worth(way: int) -> float:
        weapon = weapon_in(g, unit, way)
        return expected_hits(g, unit, target, way, when) * weapon.strength_of(
            characteristic(g, g.units.first_line[unit], "s")
        )

    return max(ways_of(g, unit, target, when), key=worth, default=NO_WAY)


def others_armed(g: BattleCore, unit: int, way: int) -> list[int]:
    """The characters in a unit who have missile weapons, but not the one with which the unit shoots, if it shoots
    (wap.shoot.one-attack).
    """
    weapon = None if way == NO_WAY else weapon_in(g, unit, way)
    return [row for row in shooters_in(g, unit) if row != unit and weapon not in outfit_of(g, row).missiles]


def can_shoot_at(g: BattleCore, unit: int, target: int, when: int) -> bool:
    """Whether a unit, or a character in it, can shoot at a target at moment ``when``."""
    return any(has_way(g, row, target, when) for row in shooters_in(g, unit))
