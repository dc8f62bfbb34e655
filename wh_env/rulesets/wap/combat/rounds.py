"""How the units of one combat begin and end a round of it (wap.combat.phase.sequence, wap.combat.first-round.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.contacts import combat_of, foes_of, forget_wounds
from wh_env.rulesets.wap.basics.joined import joined_to
from wh_env.rulesets.wap.challenges.duels import end_parted_duels, step_forward
from wh_env.rulesets.wap.codes import NO_INTENT, NO_RESULT
from wh_env.rulesets.wap.combat.rivals import forget_rivals
from wh_env.rulesets.wap.combat.weapon_choice import put_down
from wh_env.rulesets.wap.troops.war_machines import is_machine


def begin_combat(g: BattleCore, unit: int) -> None:
    """The units of the combat of ``unit`` begin a round: clear what is left of earlier rounds and mark them as
    fighting.
    """
    u, members = g.units, combat_of(g, unit)
    end_parted_duels(g)
    u.rows["fighting"] = 0
    for member in members:
        if u.fought[member]:
            put_down(g, member)
        u.fighting[member] = u.fought[member] = 1
        u.outcome[member], u.intent[member] = NO_RESULT, NO_INTENT
        u.penalty[member] = u.steadfast[member] = u.rolled[member] = 0
        u.flees_from[member] = -1
        u.overkill[member] = 0
        u.braked[member] = u.charging[member] and any(is_machine(g, foe) for foe in foes_of(g, member))
    for member in members:
        for joined in joined_to(g, member):
            put_down(g, joined)
            u.charging[joined], u.rounds[joined] = u.charging[member], u.rounds[member]
            u.braked[joined] = u.braked[member]
    forget_wounds(g, members)
    if g.recorder is not None:
        g.note("wap.combat.phase.sequence", "combat", unit=unit, units=tuple(members))


def round_over(g: BattleCore) -> None:
    """End a round of blows, before any pursuit: a unit that charged does not count as charging any more, and a unit
    still in contact has fought one round more (wap.combat.first-round.definition). A unit that meets a new enemy after
    this begins anew.
    """
    u = g.units
    forget_rivals(g)
    for unit in range(len(u.owner)):
        if u.fighting[unit]:
            for row in (unit, *joined_to(g, unit)):
                u.charging[row] = u.braked[row] = u.fresh_rules[row] = 0
            if u.fights[unit]:
                u.rounds[unit] += 1


def end_combat(g: BattleCore) -> None:
    """End the combat: end the duels of characters that are not in contact any more. Characters of units that are free
    again come forward from the rear ranks.
    """
    end_parted_duels(g)
    for unit in range(len(g.units.owner)):
        if g.units.fighting[unit] and not g.units.fights[unit]:
            step_forward(g, unit)
    g.units.rows["fighting"] = 0
