"""Perils of the Warp: mortal wounds for the psyker and, if they destroy it, for units near it (psychic.perils,
.destroyed).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS, straight_distance
from wh_env.core.procedures import GO, STEP, Steps
from wh_env.rulesets.w40k.attack.casualties import Demises, MortalWounds
from wh_env.rulesets.w40k.attack.rerolls import Thrown
from wh_env.rulesets.w40k.attack.sequence import LOST
from wh_env.rulesets.w40k.edition import edition

D3 = (1, 3, 0)


class Perils(MortalWounds):
    """Mortal wounds of Perils of the Warp, pushed as ``MortalWounds`` is. If they destroy the psyker, it explodes."""

    class Step(Steps):
        EXPLODED = 3

    @classmethod
    def begin(cls, g: BattleCore, unit: int) -> None:
        """Roll the D3 mortal wounds that the unit suffers."""
        PerilsRoll.begin(g, g.units.owner[unit], unit, D3)

    @classmethod
    def suffer(cls, g: BattleCore, unit: int, amount: int) -> None:
        """Inflict ``amount`` mortal wounds on the psyker's unit."""
        g.tell("psychic.perils", "Perils of the Warp", unit=unit, amount=amount)
        g.push(cls, edition(g).psychic.psyker(g, unit), unit, amount)

    def advance(self, g: BattleCore, f: int) -> int:
        Step, stack = Perils.Step, g.stack
        unit, psyker = stack[f + Perils.UNIT], stack[f + Perils.MODEL]
        if stack[f + STEP] == MortalWounds.Step.END and self.slain(g, unit, psyker):
            stack[f + STEP] = Step.EXPLODED
            lost, m = g.casualties, g.models
            last = next(lost[at] for at in range(g.queue[LOST] - 1, -1, -1) if m.unit[lost[at]] == unit)
            g.push(Demises)  # for models that the explosion destroys
            PsykerExplodes.begin(g, last)
            return GO
        return super().advance(g, f)

    @staticmethod
    def slain(g: BattleCore, unit: int, psyker: int) -> bool:
        """Whether the psyker is destroyed: model ``psyker``, or the whole unit if it is -1."""
        return not (g.models.alive[psyker] if psyker >= 0 else any(True for _ in g.members(unit)))


class PsykerExplodes(Demises):
    """Perils of the Warp have destroyed a psyker: units near suffer mortal wounds, rolled for each unit."""

    @classmethod
    def begin(cls, g: BattleCore, model: int) -> None:
        """Mark the units near the place of ``model``, the last model of the psyker's unit that was destroyed."""
        g.push(cls, model)
        g.stack[g.frame + STEP] = cls.Step.UNITS
        m, reach = g.models, edition(g).psychic.perils_reach
        for other in range(len(m.x)):
            if m.on_table[other] and straight_distance(m.rows, model, other) <= reach + EPS:
                g.affected[m.unit[other]] = 1
        g.tell("psychic.perils.destroyed", "the psyker is destroyed", model=model)

    def advance(self, g: BattleCore, f: int) -> int:
        if g.stack[f + STEP] == Demises.Step.NEXT:
            return g.pop()
        return super().advance(g, f)

    def amount(self, g: BattleCore, model: int) -> tuple[int, int, int]:
        return D3


class PerilsRoll(Thrown):
    """The number of mortal wounds of Perils of the Warp, rolled by the player of the psyker."""

    name = "perils"

    def then(self, g: BattleCore, unit: int, result: int) -> None:
        Perils.suffer(g, unit, result)
