"""The steps of the Fight phase, and fights with an Epic Challenge (w10.fight.steps, w10.stratagem.epic-challenge)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import row_plus_one
from wh_env.core.procedures import integer
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.w10.stratagems.effects import give_precision
from wh_env.rulesets.w40k.fight import phase


class FightPhase(phase.FightPhase):
    """First the units with Fights First, then Remaining Combats; the turn player begins both steps."""

    order = (
        phase.FightStep("fight.steps", phase.turn_player, lambda g, unit: bool(g.units.fights_first[unit])),
        phase.FightStep("fight.steps", phase.turn_player, lambda g, unit: True),
    )

    def begun(self, g: BattleCore) -> None:
        mark_fights_first(g)


def mark_fights_first(g: BattleCore) -> None:
    """Set ``fights_first`` of the units that fight in the first step: those eligible at the start of the phase that
    have Fights First.
    """
    u = g.units
    for unit in range(len(u.place)):
        eligible = u.place[unit] == ON_TABLE and (u.charged[unit] or phase.is_engaged(g, unit))
        u.fights_first[unit] = 1 if eligible and phase.has_fights_first(g, unit) else 0


class Fight(phase.Fight):
    """A unit fights. ``MARK``: row + 1 of the model of an Epic Challenge."""

    MARK = integer(row_plus_one("models"))

    def declared(self, g: BattleCore, f: int) -> None:
        if g.stack[f + Fight.MARK]:
            give_precision(g, g.stack[f + Fight.MARK] - 1)
