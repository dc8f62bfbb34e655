"""The parties that fight in an assault of a building: which models of a unit take part (wap.building.assault.groups,
.step-up, .character-left-out).

Their player names characters and the champion; ordinary models fill the party up, also after losses. They stand in
column ``party`` of their units.
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.dice import part_of
from wh_env.rulesets.wap.basics.garrisons import opponent_in_assault
from wh_env.rulesets.wap.basics.profiles import lines_of, wholly
from wh_env.rulesets.wap.codes import (
    CHAMPION,
    EXPOSED,
    MOUNTS,
    STOMPS,
    TAKES_PART,
    TROOP_TYPES,
    WAR_MACHINE,
    WITH_CHAMPION,
)

MOST_STRENGTH = 10  # Unit Strength of a party
MOST_AT_A_MACHINE = 6  # Unit Strength of all who assault a war machine
RIDERS = tuple(TROOP_TYPES.index(name) for name in ("cavalry", "monstrous cavalry"))
NOBODY = -1


def champion_in(g: BattleCore, unit: int) -> int:
    """The model that is the champion of a unit; -1: it has none."""
    return next((k for k in g.members(unit) if g.models.role[k] == CHAMPION), NOBODY)


def strength_inside(g: BattleCore, unit: int) -> int:
    """Unit Strength of a unit with all characters in it."""
    return sum(g.units.each[row] * g.units.alive[row] for row in wholly(g, unit))


def chosen_strength(g: BattleCore, unit: int) -> int:
    """Unit Strength of the characters and the champion in the party of a unit."""
    u = g.units
    heroes = sum(u.each[row] for row in wholly(g, unit)[1:] if u.party[row] & TAKES_PART)
    led = u.party[unit] & WITH_CHAMPION and champion_in(g, unit) != NOBODY
    return int(heroes + (u.each[unit] if led else 0))


def most_strength(g: BattleCore, unit: int) -> int:
    """The most Unit Strength of the party of a unit; less of one that assaults a war machine
    (wap.machine.combat.assault-group).
    """
    foe = opponent_in_assault(g, unit)
    return MOST_AT_A_MACHINE if foe >= 0 and g.units.kind[foe] == WAR_MACHINE else MOST_STRENGTH


def form_party(g: BattleCore, unit: int) -> None:
    """Begin the party of a unit: all of it if its Unit Strength is less than a party's, else nobody is named yet."""
    u, whole = g.units, strength_inside(g, unit) < most_strength(g, unit)
    for row in wholly(g, unit):
        u.party[row] = TAKES_PART if whole and row != unit else 0
    if whole:
        u.party[unit] |= WITH_CHAMPION


def heroes_to_choose(g: BattleCore, unit: int) -> list[int]:
    """The characters in a unit that its player may still add to the party."""
    u, left = g.units, most_strength(g, unit) - chosen_strength(g, unit)
    return [row for row in wholly(g, unit)[1:] if not u.party[row] & TAKES_PART and u.each[row] <= left]


def may_add_champion(g: BattleCore, unit: int) -> bool:
    """Whether the player of a unit may still add its champion to the party."""
    u, left = g.units, most_strength(g, unit) - chosen_strength(g, unit)
    return champion_in(g, unit) != NOBODY and not u.party[unit] & WITH_CHAMPION and u.each[unit] <= left


def party_of(g: BattleCore, unit: int) -> list[int]:
    """The models of a unit, and of characters in it, that fight in an assault: those named, then ordinary models as far
    as its Unit Strength allows, at least one model in all. A champion who was not named fights only if nobody else can.
    """
    u, m = g.units, g.models
    found = [u.first[row] for row in wholly(g, unit)[1:] if u.party[row] & TAKES_PART and not u.cowers[row]]
    left = most_strength(g, unit) - sum(u.each[m.unit[k]] for k in found)
    led = bool(u.party[unit] & WITH_CHAMPION)
    ranked = sorted(g.members(unit), key=lambda k: m.role[k] != CHAMPION)  # a champion who takes part comes first
    for k in ranked:
        if m.role[k] == CHAMPION and not led and (found or len(ranked) > 1):
            continue
        if u.each[unit] > left and found:
            break
        found.append(k)
        left -= u.each[unit]
    return found


def takes_part(g: BattleCore, character: int, host: int) -> bool:
    """Whether a character fights in the assault of the unit that he is in."""
    return bool(g.units.party[character] & TAKES_PART) or character == host


def rows_in_party(g: BattleCore, unit: int) -> list[int]:
    """The rows of the unit and of the characters in it that have a model in its party."""
    there = {g.models.unit[k] for k in party_of(g, unit)}
    return [row for row in wholly(g, unit) if row in there]


def exposed_row(g: BattleCore, unit: int) -> int:
    """The row of a unit or of a character in it whose models count as in contact with the enemy for special attacks:
    the one that its player has named, or its first (wap.building.assault.special-attacks).
    """
    rows = rows_in_party(g, unit)
    return next((row for row in rows if g.units.party[row] & EXPOSED), rows[0] if rows else unit)


def reach_in_assault(g: BattleCore, unit: int, enemies: list[int], touches: Array, treads: Array) -> None:
    """Write, for every model of a unit's party, the enemies that it may strike in an assault, and those that special
    attacks of it fall on, bit by bit in the order of ``enemies``. All models of the party count as in
    contact with the enemy's party; half of them, characters and the champion first, may strike at characters
    (wap.building.assault.allocation).
    """
    foe = opponent_in_assault(g, unit)
    if foe < 0:
        return
    mine, theirs = party_of(g, unit), rows_in_party(g, foe)
    ordinary = sum(1 << n for n, enemy in enumerate(enemies) if enemy == foe and enemy in theirs)
    heroes = sum(1 << n for n, enemy in enumerate(enemies) if enemy != foe and enemy in theirs)
    under = exposed_row(g, foe)
    trodden = sum(1 << n for n, enemy in enumerate(enemies) if enemy == under)
    most = part_of(len(mine), 2) if ordinary else len(mine)
    for n, k in enumerate(mine):
        touches[k] = ordinary | (heroes if n < most else 0)
        treads[k] = trodden


def strikes_in_assault(g: BattleCore, line: int) -> bool:
    """Whether a profile strikes in an assault: mounts of cavalry do not, nor do they stomp
    (wap.building.assault.riders-only).
    """
    unit = g.lines.unit[line]
    if g.lines.kind[line] not in (MOUNTS, STOMPS) or g.units.kind[unit] not in RIDERS:
        return True
    return not any(g.lines.kind[row] == MOUNTS for row in lines_of(g, unit))
