"""Which command models of a unit are alive, and their model rows (wap.command.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.rows import unlike
from wh_env.rulesets.wap.codes import RANK_AND_FILE


@kernel
def has_role(models: Array, units: Array, u: int, role: int) -> bool:
    """Whether a model with a role stands on the table in unit ``u``."""
    for n in range(2):
        row = u if n == 0 else units[u]["leader"]
        if row >= 0:
            for k in range(units[row]["first"], units[row]["first"] + units[row]["count"]):
                if models[k]["role"] == role and models[k]["on_table"] == 1 and models[k]["unit"] == u:
                    return True
    return False


def leads(g: BattleCore, unit: int, role: int) -> bool:
    """Whether a command model of the unit lives: CHAMPION, STANDARD or MUSICIAN."""
    found: bool = g.work.call(has_role, g.models.rows, g.units.rows, unit, role)
    return found


def leaders_of(g: BattleCore, unit: int) -> list[int]:
    """The command models of a unit that are on the table."""
    m, first = g.models, g.units.first[unit]
    roles = m.role[first : first + g.units.count[unit]].tolist()
    return [first + k for k in unlike(roles, RANK_AND_FILE) if m.on_table[first + k]]
