"""Heroic Interventions: CHARACTER units of the charging player's opponent move towards enemies near them
(charge.heroic-intervention.*).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import row_of
from wh_env.core.geometry.engaged import model_engaged_at, unit_engaged
from wh_env.core.procedures import GO, STEP, ChooseUnit, OfPlayer, Procedure, Steps, integer
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.w40k.charge import phase
from wh_env.rulesets.w40k.codes import Deed, Selected
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.fight.close_moves import TOWARDS_ENEMY, intervene, intervenes, stays
from wh_env.rulesets.w40k.fight.close_order import INTERVENES, CloseMoves
from wh_env.rulesets.w40k.phases.timing import end_phase
from wh_env.rulesets.w40k.profiles import Keyword
from wh_env.rulesets.w40k.questions.engagements import forget_targets
from wh_env.rulesets.w40k.questions.move_limits import engaged

CHARACTER = int(Keyword.CHARACTER)


class ChargePhase(phase.ChargePhase):
    """Charges of the turn player, then Heroic Interventions of the opponent. A unit that is engaged when the phase
    starts cannot charge (charge.eligible).
    """

    class Step(Steps):
        INTERVENED = 3

    def advance(self, g: BattleCore, f: int) -> int:
        Step = ChargePhase.Step
        step, player = g.stack[f + STEP], g.stack[f + ChargePhase.PLAYER]
        if step == phase.ChargePhase.Step.END:
            g.stack[f + STEP] = Step.INTERVENED
            g.push(HeroicInterventions, 1 - player)
            return GO
        if step == Step.INTERVENED:
            self.ended(g)
            end_phase(g)
            return g.pop()
        done = super().advance(g, f)
        if step == phase.ChargePhase.Step.BEGIN:
            self.begun(g, player)
            for unit in g.units_of(player):
                if g.units.can_charge[unit] and engaged(g, unit):
                    g.units.can_charge[unit] = 0
        return done

    def begun(self, g: BattleCore, player: int) -> None:
        """Called when the Charge phase of ``player`` has begun."""

    def ended(self, g: BattleCore) -> None:
        """Called when all charges and Heroic Interventions were made."""


class HeroicInterventions(OfPlayer):
    """The player selects one unit after the other, each once a phase, until the player ends the step."""

    class Step(Steps):
        SELECT, END = range(2)

    asks = ("select-to-intervene",)

    def advance(self, g: BattleCore, f: int) -> int:
        player = g.stack[f + HeroicInterventions.PLAYER]
        if g.stack[f + STEP] == HeroicInterventions.Step.END:
            return g.pop()
        return g.ask(SelectToIntervene, player)


def may_intervene(g: BattleCore, unit: int) -> bool:
    """Whether the unit is eligible for a Heroic Intervention now (charge.heroic-intervention)."""
    u = g.units
    if u.place[unit] != ON_TABLE or not u.keywords[unit] & CHARACTER or u.selected[unit] & Selected.INTERVENE:
        return False
    own = edition(g)
    if stays(g, unit) or u.disembarked[unit] in own.transports.no_charge:
        return False
    near = own.intervening
    if engaged(g, unit) and not near.engaged:
        return False
    if not near.of_models:
        return bool(g.work.call(unit_engaged, g.models.rows, u.rows, unit, near.reach, near.vertical))
    return any(intervenes(g, k) and has_enemy_near(g, k) for k in g.members(unit))


def has_enemy_near(g: BattleCore, model: int) -> bool:
    """Whether an enemy model is near enough to ``model`` for a Heroic Intervention."""
    m, near = g.models, edition(g).intervening
    pose = m.x[model], m.y[model], m.z[model], m.facing[model]
    return bool(g.work.call(model_engaged_at, m.rows, model, *pose, near.reach, near.vertical))


class SelectToIntervene(ChooseUnit):
    name = "select-to-intervene"
    what = "Which CHARACTER unit makes a Heroic Intervention next (done: none)."
    keys = ("charge.heroic-intervention",)
    declines = True

    def may(self, g: BattleCore, unit: int) -> bool:
        return may_intervene(g, unit)

    def declined(self, g: BattleCore, f: int) -> None:
        g.stack[f + STEP] = HeroicInterventions.Step.END

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        g.units.selected[unit] |= Selected.INTERVENE
        edition(g).acts(g, unit, Deed.HEROIC_INTERVENTION)
        g.tell("charge.heroic-intervention", "intervenes", unit=unit)
        g.push(Intervention, unit)


class Intervention(Procedure):
    """The Heroic Intervention move of one unit. It is no Charge move."""

    class Step(Steps):
        MOVE, MOVED = range(2)

    UNIT = integer(row_of("units"))

    def advance(self, g: BattleCore, f: int) -> int:
        unit = g.stack[f + Intervention.UNIT]
        if g.stack[f + STEP] == Intervention.Step.MOVED:
            g.pop()
            self.intervened(g, unit)
            return GO
        g.stack[f + STEP] = Intervention.Step.MOVED
        if g.setup.rules["detail"] == "full":
            g.push(CloseMoves, unit, INTERVENES, TOWARDS_ENEMY, edition(g).intervening.move)
            return GO
        moved = intervene(g, unit)
        forget_targets(g)
        g.tell("charge.heroic-intervention.move", "closes in", unit=unit, moved=moved)
        return GO

    def intervened(self, g: BattleCore, unit: int) -> None:
        """Called when the unit has made its Heroic Intervention."""
