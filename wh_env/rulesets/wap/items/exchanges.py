"""Items by which their bearers exchange Wounds with an enemy model in contact
(wap.item.enchanted.lifestone-of-ashraaz).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.blocks import derive
from wh_env.rulesets.wap.basics.carried import Use, item_at
from wh_env.rulesets.wap.basics.contacts import apart_from, block_of, foes_of, touches_model
from wh_env.rulesets.wap.basics.garrisons import opponent_in_assault
from wh_env.rulesets.wap.basics.profiles import wholly
from wh_env.rulesets.wap.codes import RANK_AND_FILE, WAR_MACHINE, Phase


@dataclass(frozen=True)
class ExchangesWounds(Use):
    """The bearer exchanges the Wounds that he has left with those of an enemy model in contact, for good. Nobody is
    wounded by that. It is used at the start of a Close Combat phase.
    """

    exchanges: ClassVar[bool] = True

    def may(self, g: BattleCore, k: int) -> bool:
        return g.clock.phase[0] == Phase.COMBAT and bool(models_beside(g, g.items.unit[k]))

    def ways(self, g: BattleCore, k: int) -> Sequence[str]:
        models = models_beside(g, g.items.unit[k])
        return [f" on {g.setup.names['models'][n]} ({g.models.wounds[n]} left)" for n in models]

    def act_in(self, g: BattleCore, k: int, way: int) -> None:
        unit, m = g.items.unit[k], g.models
        own, other = g.units.first[unit], models_beside(g, unit)[way]
        m.wounds[own], m.wounds[other] = m.wounds[other], m.wounds[own]
        told = {"unit": unit, "target": m.unit[other], "name": item_at(g, k).name}
        g.note(item_at(g, k).rule, "exchanges Wounds", **told, amount=m.wounds[own], result=m.wounds[other])
        close_ranks(g, m.unit[other])

    def worth_in(self, g: BattleCore, k: int, way: int) -> float:
        """The Wounds gained."""
        unit = g.items.unit[k]
        return float(g.models.wounds[models_beside(g, unit)[way]] - g.models.wounds[g.units.first[unit]])


def models_beside(g: BattleCore, unit: int) -> list[int]:
    """The enemy models in contact with a character's own model; of rank and file with as many Wounds left in one unit
    the first. In an assault on a building they are those of the enemy's unit.
    """
    block, own = block_of(g, unit), g.units.first[unit]
    opponent = opponent_in_assault(g, block)
    found = dict[tuple[int, int, int], int]()
    for foe in sorted({*foes_of(g, block), *([opponent] if opponent >= 0 else [])}):
        apart = apart_from(g, block, foe)
        for row in wholly(g, foe):
            for k in g.members(row):
                if foe == opponent or g.work.call(touches_model, g.models.rows, own, k, apart):
                    role = g.models.role[k]
                    found.setdefault((row, role if role != RANK_AND_FILE else -1, g.models.wounds[k]), k)
    return list(found.values())


def close_ranks(g: BattleCore, unit: int) -> None:
    """The rank and file of a unit, who are alike, stand so that those with the fewest Wounds left fall first; the crew
    of a war machine are its Unit Strength.
    """
    m = g.models
    rows = [k for k in g.members(unit) if m.role[k] == RANK_AND_FILE]
    for k, left in zip(rows, sorted((m.wounds[k] for k in rows), reverse=True), strict=True):
        m.wounds[k] = left
    if g.units.kind[unit] == WAR_MACHINE:
        derive(g, unit)
