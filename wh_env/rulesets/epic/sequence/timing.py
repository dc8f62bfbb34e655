"""The start and end of phases and turns (epic.concepts.turn)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.epic.codes import NO_ORDER, Phase


def start_phase(g: BattleCore, phase: Phase) -> None:
    """A phase begins: no formation has been selected in it."""
    g.clock.phase[0] = phase
    g.units.rows["selected"] = 0
    if g.recorder is not None:
        g.note("epic.concepts.turn", "phase", phase=phase.name.title(), round=g.clock.round[0])


def start_turn(g: BattleCore) -> None:
    """A turn begins: no losses in it, and no formation has fired."""
    g.clock.round[0] += 1
    units = g.units.rows
    units["lost"] = 0
    units["fired"] = 0


def end_turn(g: BattleCore) -> None:
    """The turn ends: order counters are removed (epic.concepts.turn)."""
    g.units.rows["order"] = NO_ORDER
    g.clock.revealed[0] = 0


def wiped_out(g: BattleCore, player: int) -> bool:
    """Whether a player has no unit left on the table (epic.mission.victory)."""
    place = g.units.place
    return all(place[unit] != ON_TABLE for unit in g.units_of(player))
