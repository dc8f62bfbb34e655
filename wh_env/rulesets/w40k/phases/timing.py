"""Start and end of phases, and the end of a battle."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import Procedure
from wh_env.core.tables import DEPLOYING, DESTROYED, EMBARKED, ON_TABLE, RESERVE
from wh_env.rulesets.w40k.codes import BEFORE
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.phases.forgetting import phase_begun, phase_over


def start_phase(g: BattleCore, phase: Procedure) -> None:
    """Start a phase: set the clock, and clear selections, allocations and the Stratagems used."""
    own = edition(g)
    number = g.clock.phase[0] = own.phase_number[type(phase)]
    g.clock.step[0] = 0
    g.work.call(phase_begun, g.units.rows, g.models.rows)
    g.players.used[0] = g.players.used[1] = 0
    own.phase_begins(g)
    g.tell("round.phases", "phase", phase=own.phases[number], player=g.clock.turn[0], round=g.clock.round[0])


def end_phase(g: BattleCore) -> None:
    """End a phase: determine control of the markers, then end effects that last until the end of the phase."""
    determine_control(g)
    g.work.call(phase_over, g.units.rows, g.models.rows)


def determine_control(g: BattleCore) -> None:
    """Determine which player controls each marker at the end of a phase, as the edition counts (objective.control,
    .contested).
    """
    before = list(g.objectives.holder) if g.recorder is not None else []
    edition(g).count_control(g)
    if g.recorder is not None:
        for o, holder in enumerate(g.objectives.holder):
            if g.objectives.placed[o] and holder != before[o]:
                rule = "objective.control" if holder >= 0 else "objective.contested"
                levels = (g.objectives.level0[o], g.objectives.level1[o])
                g.tell(rule, "marker changes hands", marker=o, holder=holder, levels=levels)


def army_destroyed(g: BattleCore, player: int) -> bool:
    """Whether the army has no unit left on the battlefield, embarked, in Reserves or to be deployed."""
    place = g.units.place
    return all(place[unit] not in (ON_TABLE, RESERVE, EMBARKED, DEPLOYING) for unit in g.units_of(player))


def end_if_army_destroyed(g: BattleCore) -> bool:
    """mission.only-war.end: the battle ends at once when all models of one army are destroyed."""
    if g.clock.phase[0] == BEFORE or not (army_destroyed(g, 0) or army_destroyed(g, 1)):
        return False
    end_battle(g, "mission.only-war.end")
    return True


def end_battle(g: BattleCore, rule: str) -> None:
    """End the battle. Units still in Reserves, and units embarked in them, count as destroyed.

    ``Ruleset.last_rolls`` rolls the dice that are still due once the running step has returned.
    """
    place, carrier = g.units.place, g.units.carrier
    for unit in range(len(place)):
        lost = place[unit] in (RESERVE, DEPLOYING)
        if place[unit] == EMBARKED and place[carrier[unit]] in (RESERVE, DEPLOYING, DESTROYED):
            lost = True
        if lost:
            place[unit] = DESTROYED
            g.units.alive[unit] = 0
            g.tell("move.reinforcements.never-arrived", "counts as destroyed", unit=unit)
    edition(g).battle_ends(g)
    if g.recorder is not None:
        g.tell(rule, "battle ends", round=g.clock.round[0], vp=tuple(g.players.vp))
    g.finish()
