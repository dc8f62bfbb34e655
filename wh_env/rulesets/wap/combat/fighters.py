"""The models that may strike and the enemy units they may strike, in groups of models that strike alike
(wap.combat.who.*, .attacks.support.*).

``basics.touching`` says which enemies a model touches and which ones it supports against.
"""

from __future__ import annotations

from math import cos, sin

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import ATTACHED, Array
from wh_env.rulesets.wap.basics.blocks import part_gap
from wh_env.rulesets.wap.basics.contacts import (
    TOUCH,
    apart_from,
    rows_of,
    side_towards,
    touches_block,
    touches_model,
)
from wh_env.rulesets.wap.basics.garrisons import opponent_in_assault
from wh_env.rulesets.wap.basics.joined import joined_to
from wh_env.rulesets.wap.basics.parties import (
    exposed_row,
    party_of,
    reach_in_assault,
    rows_in_party,
    strikes_in_assault,
)
from wh_env.rulesets.wap.basics.profiles import lines_of, wholly
from wh_env.rulesets.wap.basics.special_rules import line_has
from wh_env.rulesets.wap.basics.touching import SUPPORTS, TOUCHES, TRODDEN, find_reach
from wh_env.rulesets.wap.codes import BEASTS, CHASSIS, FRONT, MOUNTS, STOMPS
from wh_env.rulesets.wap.combat.machine_assault import restrict
from wh_env.rulesets.wap.rule_book import ICE_ATTACKS
from wh_env.rulesets.wap.troops.war_machines import figures_left

# columns of a group of models that strike alike
LINE, BEHIND, TARGETS, MODELS = 0, 1, 2, 3
GROUPS = 64
MOST_DICE = (
    96  # that a model can throw at one time: impact hits of 9D6+9, or 6 figures with 10 Attacks and bonus attacks
)
OWN, MOUNT = 1, 2  # bits of ``models.struck``
COLD = 1 << 24  # among the bits of enemies: the model touches an enemy model with Ice Attacks


class StrikeRoom:
    """Scratch arrays of a round: ``reach`` (models, 3), int64 bits of enemies; ``groups`` (GROUPS, 4); ``dice``."""

    __slots__ = ("dice", "groups", "reach")

    def __init__(self, models: int) -> None:
        self.reach = np.zeros((models, 3), np.int64)
        self.groups = np.zeros((GROUPS, 4), np.int64)
        self.dice = np.zeros(MOST_DICE * (models + 1), np.int64)


@inner_kernel
def count_in(groups: Array, count: int, line: int, behind: int, targets: int, number: int) -> int:
    """Add ``number`` figures to the group with this line, rank position and targets, or begin it. Returns the new
    number of groups; a new group that has no room is dropped, and so is one of no figures.
    """
    if number == 0:
        return count
    for n in range(count):
        if groups[n, LINE] == line and groups[n, BEHIND] == behind and groups[n, TARGETS] == targets:
            groups[n, MODELS] += number
            return count
    if count == len(groups):
        return count
    groups[count, LINE] = line
    groups[count, BEHIND] = behind
    groups[count, TARGETS] = targets
    groups[count, MODELS] = number
    return count + 1


@inner_kernel
def struck_bit(units: Array, u: int, line: int) -> int:
    """The bit of ``models.struck`` of a profile that every model of unit ``u`` has besides its own (mount, crew,
    beasts).
    """
    return MOUNT << (line - int(units[u]["first_line"]) - 2)


@inner_kernel
def its_targets(lines: Array, line: int, behind: int, targets: int, ahead: int) -> int:
    """The enemies, bit by bit, that figures of a profile may strike among ``targets`` of their model. Beasts strike
    only enemies ahead (wap.troop.chariot.attack). From behind only mounts do, of the profiles besides a model's own.
    """
    kind = lines[line]["kind"]
    if kind == BEASTS:
        return 0 if behind == 1 else targets & ahead
    return 0 if behind == 1 and kind != MOUNTS else targets


@kernel
def find_groups(
    models: Array, units: Array, lines: Array, u: int, again: bool, ahead: int, reach: Array, groups: Array
) -> int:
    """Group the models of unit ``u`` that strike alike: same profile, in contact or behind it, same enemies.

    Mounts, crew and beasts strike for themselves (wap.troop.cavalry.mixed-profile.attack,
    .monster.mixed-profile.attack, .chariot.attack, .shrine.attack).

    Args:
        again: count models that have struck already too. ahead: bits of the enemies at the front.
        reach: as ``find_reach`` left it, one row for each model. groups: receives a row for each group.

    Returns:
        The number of groups.
    """
    unit = units[u]
    first = unit["first_line"]
    count = 0
    for k in range(unit["first"], unit["first"] + unit["count"]):
        m = models[k]
        behind = 0 if reach[k, TOUCHES] != 0 else 1
        targets = reach[k, behind]
        if m["on_table"] == 0 or targets == 0:
            continue
        if again or m["struck"] & OWN == 0:
            number = figures_left(models, units, lines, u, m["line"])
            count = count_in(groups, count, m["line"], behind, targets, number)
        for line in range(first + 2, first + unit["lines"]):
            if lines[line]["kind"] == CHASSIS:
                continue
            touched = reach[k, TRODDEN] if lines[line]["kind"] == STOMPS else targets
            its = its_targets(lines, line, behind, touched, ahead)
            if its != 0 and (again or m["struck"] & struck_bit(units, u, line) == 0):
                count = count_in(groups, count, line, behind, its, figures_left(models, units, lines, u, line))
    return count


@kernel
def mark_struck(
    models: Array, units: Array, lines: Array, line: int, behind: int, targets: int, ahead: int, reach: Array
) -> None:
    """Mark that the models of a group have struck with the profile ``line``."""
    u = lines[line]["unit"]
    unit = units[u]
    besides = line >= unit["first_line"] + 2
    for k in range(unit["first"], unit["first"] + unit["count"]):
        m = models[k]
        if m["on_table"] == 0 or (0 if reach[k, TOUCHES] != 0 else 1) != behind:
            continue
        touched = reach[k, TRODDEN] if lines[line]["kind"] == STOMPS else reach[k, behind]
        if besides and its_targets(lines, line, behind, touched, ahead) == targets:
            m["struck"] |= struck_bit(units, u, line)
        elif not besides and reach[k, behind] == targets and m["line"] == line:
            m["struck"] |= OWN


@kernel
def mark_cold(
    models: Array, first: int, last: int, bit: int, everybody: bool, icy: Array, apart: float, reach: Array
) -> None:
    """Set ``COLD`` for each of the models ``first`` to ``last`` (excluded) that touches the enemy unit ``bit`` and one
    of its models in ``icy``, or any of its models if ``everybody``. It does not matter which enemies the model may
    strike. ``apart``: inches that an obstacle keeps between them.
    """
    for k in range(first, last):
        if reach[k, TRODDEN] & bit == 0 or reach[k, TOUCHES] == 0:
            continue
        cold = everybody
        for n in range(len(icy)):
            if cold:
                break
            cold = part_gap(models[k], models[icy[n]]) <= TOUCH + apart
        if cold:
            reach[k, TOUCHES] |= COLD


# ---------------------------------------------------------------- for procedures


def freezers(g: BattleCore, unit: int) -> list[int]:
    """The models of a unit whose own profile or mount has Ice Attacks."""
    m, lines = g.models, lines_of(g, unit)
    icy = {line for line in lines if line_has(g, line, ICE_ATTACKS)}
    if not icy:
        return []
    mounted = g.lines.kind[lines[-1]] == MOUNTS and lines[-1] in icy
    return [k for k in g.members(unit) if mounted or m.line[k] in icy]


def mark_who_freezes(g: BattleCore, unit: int, reach: Array) -> None:
    """Mark the models of a unit, and of characters in it, that touch an enemy with Ice Attacks
    (wap.special.ice-attacks.contact).
    """
    u = g.units
    for n, enemy in enumerate(enemies_of(g, unit)):
        if icy := freezers(g, enemy):
            everybody, heroes = len(icy) == u.alive[enemy], joined_to(g, enemy)
            rows, apart = np.array(icy, np.int64), apart_from(g, unit, enemy)
            for row in wholly(g, unit):
                for k in range(u.first[row], u.first[row] + u.count[row]):
                    all_icy = everybody and not (heroes and touches_heroes_alone(g, k, enemy, apart))
                    mark_cold(g.models.rows, k, k + 1, 1 << n, all_icy, rows, apart, reach)


def touches_heroes_alone(g: BattleCore, model: int, enemy: int, apart: float) -> bool:
    """Whether a model touches characters in an enemy unit, and none of the unit's own models. ``apart``: inches that an
    obstacle keeps between them.
    """
    heroes = [g.units.first[row] for row in joined_to(g, enemy)]
    touched = [touches_model(g.models.rows, model, k, apart) for k in (*heroes, *g.members(enemy))]
    return any(touched[: len(heroes)]) and not any(touched[len(heroes) :])


def freeze_in_assault(g: BattleCore, unit: int, reach: Array) -> None:
    """``mark_who_freezes`` in an assault: only those models of a unit's party that its player has named count as in
    contact with the enemy; two duellists touch each other (wap.building.assault.special-attacks).
    """
    u, foe = g.units, opponent_in_assault(g, unit)
    frost = {row: freezers(g, row) for row in wholly(g, foe)}
    if not any(frost.values()):
        return
    party = set(party_of(g, foe))
    icy = {row for row, models in frost.items() if not party.isdisjoint(models)}
    named = exposed_row(g, unit) if any(u.duel[row] < 0 for row in icy) else -1
    for row in rows_in_party(g, unit):
        if u.duel[row] in icy or (row == named and u.duel[row] < 0):
            touches = reach[u.first[row] : u.first[row] + u.count[row], TOUCHES]
            touches[touches != 0] |= COLD


def blocks_against(g: BattleCore, unit: int) -> list[int]:
    """The enemy units whose blocks touch that of a unit, in the order of the bits."""
    c = g.contacts
    return [(c.b[k] if c.a[k] == unit else c.a[k]) for k in rows_of(g, unit)]


def enemies_of(g: BattleCore, unit: int) -> list[int]:
    """The enemies of a unit in the order of the bits: units in contact, then the characters in them
    (wap.character.combat.allocation), then those that its own characters have slain in duels of this round.
    """
    found = blocks_against(g, unit)
    return [*found, *(joined for enemy in found for joined in joined_to(g, enemy)), *fallen_rivals(g, unit)]


def fallen_rivals(g: BattleCore, unit: int) -> list[int]:
    """The enemies that characters in a unit have slain in duels of this round. The attacks these characters have left
    still go to them (wap.challenge.fight.attacks).
    """
    u = g.units
    rivals = [u.duel[row] for row in wholly(g, unit) if u.duel[row] >= 0]
    return [rival for rival in rivals if not u.alive[rival]]


def aside_of(g: BattleCore, unit: int, model: int) -> float:
    """Inches from the middle of its block to a model, to the left."""
    u, m = g.units, g.models
    f = u.facing[unit]
    return cos(f) * (m.y[model] - u.y[unit]) - sin(f) * (m.x[model] - u.x[unit])


def reach_characters(g: BattleCore, unit: int, extra: int, reach: Array) -> None:
    """Add characters to ``reach``: the enemies they touch, the models that touch enemy characters, and the models
    behind that support. A model that touches an enemy character alone may strike his unit too
    (wap.combat.who.rank-and-file).
    """
    m, u, foes, own = g.models, g.units, blocks_against(g, unit), joined_to(g, unit)
    theirs = [(n, joined) for n, foe in enumerate(foes) for joined in joined_to(g, foe)]
    if not own and not theirs:
        return
    rows, parts = m.rows, g.parts.rows
    heroes = [u.first[joined] for joined in own]
    gaps = [apart_from(g, unit, foe) for foe in foes]
    for k in heroes:
        reach[k] = 0
        for n, foe in enumerate(foes):
            reach[k, TOUCHES] |= int(touches_block(rows, parts, u.rows, k, foe, gaps[n])) << n
    for at, (n, joined) in enumerate(theirs, len(foes)):
        for k in (*g.members(unit), *heroes):
            if touches_model(rows, k, u.first[joined], gaps[n]):
                reach[k, TOUCHES] |= 1 << at
    ahead = [side_towards(g, unit, foe) == FRONT for foe in foes]
    fronts = sum(1 << n for n, is_front in enumerate(ahead) if is_front)
    fronts |= sum(1 << at for at, (n, _) in enumerate(theirs, len(foes)) if ahead[n])
    front = [k for k in (*g.members(unit), *heroes) if m.rank[k] == 0 and reach[k, TOUCHES] & fronts]
    for k in g.members(unit):
        if 1 <= m.rank[k] <= extra and not reach[k, TOUCHES]:
            for n in front:
                if abs(aside_of(g, unit, k) - aside_of(g, unit, n)) < m.half_b[k] + m.half_b[n] - TOUCH:
                    reach[k, SUPPORTS] |= reach[n, TOUCHES] & fronts


def strike_in_duels(g: BattleCore, unit: int, reach: Array) -> None:
    """Restrict ``reach`` for duels: a duellist strikes only the rival, and no other model strikes a duellist
    (wap.challenge.fight.attacks, wap.challenge.fight.protected, .fight.contact).
    """
    u, enemies = g.units, enemies_of(g, unit)
    barred = sum(1 << n for n, enemy in enumerate(enemies) if u.duel[enemy] >= 0)
    for row in wholly(g, unit):
        first, last = u.first[row], u.first[row] + u.count[row]
        if u.duel[row] >= 0:
            reach[first:last, TOUCHES] = 1 << enemies.index(u.duel[row]) if u.duel[row] in enemies else 0
            reach[first:last, SUPPORTS] = 0
        elif barred:
            reach[first:last, TOUCHES] &= ~barred
            reach[first:last, SUPPORTS] &= ~barred


def stomp_on_units(g: BattleCore, unit: int, reach: Array) -> None:
    """Restrict stomps in ``reach`` to units: nobody in one is singled out (wap.special.stomp)."""
    singled = sum(1 << n for n, enemy in enumerate(enemies_of(g, unit)) if g.units.place[enemy] == ATTACHED)
    for row in wholly(g, unit) if singled else ():
        reach[g.units.first[row] : g.units.first[row] + g.units.count[row], TRODDEN] &= ~singled


def stomp_past_duels(g: BattleCore, unit: int, reach: Array) -> None:
    """Restrict stomps in ``reach`` for duels: no model stomps on a character in a duel, but models may stomp on the
    unit around the character. On a duellist that is a unit alone only the rival may stomp (wap.challenge.fight.attacks,
    .fight.protected).
    """
    u, enemies = g.units, enemies_of(g, unit)
    duellists = [(1 << n, enemy) for n, enemy in enumerate(enemies) if u.duel[enemy] >= 0]
    for row in wholly(g, unit) if duellists else ():
        barred = sum(bit for bit, enemy in duellists if u.duel[enemy] != row or u.place[enemy] == ATTACHED)
        reach[u.first[row] : u.first[row] + u.count[row], TRODDEN] &= ~barred


def bits_ahead(g: BattleCore, unit: int) -> int:
    """The enemies at the front of a unit, bit by bit, with the characters in them and those fallen in duels; plus
    ``COLD``.
    """
    foes = blocks_against(g, unit)
    ahead = [side_towards(g, unit, foe) == FRONT for foe in foes]
    joined = [is_front for foe, is_front in zip(foes, ahead, strict=True) for _ in joined_to(g, foe)]
    fallen = [True for _ in fallen_rivals(g, unit)]
    return sum(1 << n for n, is_front in enumerate((*ahead, *joined, *fallen)) if is_front) | COLD


def contacts_within(g: BattleCore, unit: int, extra: int) -> Array:
    """The enemies that each model of a unit, and of characters in it, touches and supports against, where it stands.
    ``extra``: ranks that support.
    """
    reach: Array = g.work.strikes.reach
    find_reach(g.models.rows, g.parts.rows, g.units.rows, g.contacts.rows, unit, extra, reach)
    reach_characters(g, unit, extra, reach)
    return reach


def groups_of(g: BattleCore, unit: int, extra: int, *, again: bool = False) -> list[tuple[int, int, int, int]]:
    """The groups of a unit and of characters in it, each (line, 1 if it stands behind, bits of the enemies and
    ``COLD``, figures), in the order of their models. ``extra``: ranks that support; ``again``: as in ``find_groups``.
    """
    room = g.work.strikes
    if opponent_in_assault(g, unit) >= 0:
        return groups_in_assault(g, unit, again)
    contacts_within(g, unit, extra)
    restrict(g, unit, blocks_against(g, unit), room.reach)
    found: list[tuple[int, int, int, int]] = []
    for row in wholly(g, unit):
        first = g.units.first[row]
        last = first + g.units.count[row]
        room.reach[first:last, TRODDEN] = room.reach[first:last, TOUCHES]
    strike_in_duels(g, unit, room.reach)
    mark_who_freezes(g, unit, room.reach)
    stomp_on_units(g, unit, room.reach)
    stomp_past_duels(g, unit, room.reach)
    ahead = bits_ahead(g, unit)
    for row in wholly(g, unit):
        count = find_groups(g.models.rows, g.units.rows, g.lines.rows, row, again, ahead, room.reach, room.groups)
        found += [tuple(group) for group in room.groups[:count].tolist()]
    return found


def groups_in_assault(g: BattleCore, unit: int, again: bool) -> list[tuple[int, int, int, int]]:
    """``groups_of`` a unit that assaults a building or is assaulted in one: its party fights, nobody supports it."""
    room, enemies = g.work.strikes, enemies_of(g, unit)
    for row in wholly(g, unit):  # rows of other units are still needed to mark who has struck
        room.reach[g.units.first[row] : g.units.first[row] + g.units.count[row]] = 0
    reach_in_assault(g, unit, enemies, room.reach[:, TOUCHES], room.reach[:, TRODDEN])
    strike_in_duels(g, unit, room.reach)
    freeze_in_assault(g, unit, room.reach)
    stomp_past_duels(g, unit, room.reach)
    ahead, found = bits_ahead(g, unit), list[tuple[int, int, int, int]]()
    for row in wholly(g, unit):
        count = find_groups(g.models.rows, g.units.rows, g.lines.rows, row, again, ahead, room.reach, room.groups)
        found += [tuple(group) for group in room.groups[:count].tolist()]
    return [group for group in found if strikes_in_assault(g, group[LINE])]
