"""Characters that fight a duel or hide in the rear ranks: columns ``duel``, ``cowers``, ``disgraced``
(wap.challenge.fight.*, .refuse.*).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.blocks import derive
from wh_env.rulesets.wap.basics.contacts import apart_from, block_of, foes_of, row_between, touches_block
from wh_env.rulesets.wap.basics.garrisons import is_inside, opponent_in_assault
from wh_env.rulesets.wap.basics.joined import host_of, is_character, joined_to
from wh_env.rulesets.wap.basics.parties import party_of, takes_part
from wh_env.rulesets.wap.codes import SHRINE
from wh_env.rulesets.wap.troops.war_machines import is_machine

NOBODY = -1


def opponent_of(g: BattleCore, unit: int) -> int:
    """The enemy character with which a character duels; -1: none."""
    return g.units.duel[unit]


def begin_duel(g: BattleCore, one: int, other: int) -> None:
    """Two characters begin a duel: they strike only at each other, until the end of the round in which one is slain
    (wap.challenge.fight.protected).
    """
    g.units.duel[one], g.units.duel[other] = other, one


def end_duel(g: BattleCore, unit: int) -> None:
    """End the duel of a character."""
    u, other = g.units, g.units.duel[unit]
    for row in (unit, other):
        if row >= 0:
            u.duel[row] = NOBODY


def end_parted_duels(g: BattleCore) -> None:
    """At the start and end of a round, end duels in which one character is slain or the two are not in contact any more
    (wap.challenge.next-rounds).
    """
    u = g.units
    for unit in range(len(u.owner)):
        other = u.duel[unit]
        if other >= 0 and not (u.alive[unit] and u.alive[other] and row_between(g, unit, other) >= 0):
            end_duel(g, unit)


def is_in_combat(g: BattleCore, unit: int) -> bool:
    """Whether a character stands in a unit of the combat that is being fought, in contact or not."""
    u, block = g.units, block_of(g, unit)
    if opponent_in_assault(g, block) >= 0 and not takes_part(g, unit, block):  # wap.building.assault.challenge
        return False
    return bool(
        is_character(g, unit) and u.alive[unit] and u.place[block] == ON_TABLE and u.fighting[block] and u.fights[block]
    )


def heroes_in_combat(g: BattleCore, player: int) -> list[int]:
    """The characters of a player in the combat that can challenge or be challenged: those that do not cower."""
    return [unit for unit in g.units_of(player) if is_in_combat(g, unit) and not g.units.cowers[unit]]


def facing_heroes(g: BattleCore, unit: int) -> list[int]:
    """The enemy characters that may accept a character's challenge: their units are in contact with its unit
    (wap.challenge.accept), and of those at a war machine only who assaults it can meet its servants
    (wap.machine.combat.assault-group).
    """
    foes = foes_of(g, block_of(g, unit))
    there = [enemy for enemy in heroes_in_combat(g, 1 - g.units.owner[unit]) if block_of(g, enemy) in foes]
    return [enemy for enemy in there if reaches_servant(g, unit, enemy) and reaches_servant(g, enemy, unit)]


def reaches_servant(g: BattleCore, unit: int, enemy: int) -> bool:
    """Whether an enemy character serves no war machine outside buildings, or the character ``unit`` assaults it."""
    machine, block = block_of(g, enemy), block_of(g, unit)
    if not is_machine(g, machine) or is_inside(g, machine):
        return True
    if block == unit:
        return bool(g.contacts.group[row_between(g, unit, machine)])
    return bool(g.units.assaults[unit] == machine)


# ---------------------------------------------------------------- characters that hide


def touches_enemy(g: BattleCore, unit: int) -> bool:
    """Whether a character touches an enemy where it stands."""
    k, own = g.units.first[unit], block_of(g, unit)
    rows = g.models.rows, g.parts.rows, g.units.rows
    return any(touches_block(*rows, k, foe, apart_from(g, own, foe)) for foe in foes_of(g, own))


def can_hide(g: BattleCore, unit: int) -> bool:
    """Whether a character in a unit has a place behind its front rank that touches no enemy. A shrine stays in front
    (wap.challenge.refuse.nowhere-to-hide).
    """
    host = host_of(g, unit)
    if host < 0 or g.units.beside[unit] or g.units.kind[unit] == SHRINE:
        return False
    if opponent_in_assault(g, host) >= 0:  # another model of the unit takes his place in the party
        return len(party_of(g, host)) < g.units.alive[host] + len(joined_to(g, host))
    g.units.cowers[unit] = 1
    derive(g, host)
    fine = g.models.rank[g.units.first[unit]] > 0 and not touches_enemy(g, unit)
    g.units.cowers[unit] = 0
    derive(g, host)
    return bool(fine)


def hide(g: BattleCore, unit: int) -> None:
    """A character cowers in the rear: another model takes its place, and no unit tests on its Leadership in this turn
    (wap.challenge.refuse.replaced, .leadership, wap.general.bsb.refused-challenge).
    """
    g.units.cowers[unit] = g.units.disgraced[unit] = 1
    derive(g, host_of(g, unit))
    g.note("wap.challenge.refuse.nominate", "cowers", unit=unit)


def step_forward(g: BattleCore, host: int) -> None:
    """The characters in a unit that is free again, or that reforms, stop cowering."""
    found = [unit for unit in joined_to(g, host) if g.units.cowers[unit]]
    for unit in found:
        g.units.cowers[unit] = 0
    if found:
        derive(g, host)
