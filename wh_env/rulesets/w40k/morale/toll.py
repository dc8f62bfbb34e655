"""Facts about a turn that matter to Morale: models slain, and rules by which tests are passed or failed (morale.*).

Only editions that have Morale tests have these tables in their state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import declared, flag
from wh_env.core.tables import Array, TableSpec
from wh_env.rulesets.w40k.attack.abilities import in_force
from wh_env.rulesets.w40k.edition import Effect
from wh_env.rulesets.w40k.morale.slain import slain_models
from wh_env.rulesets.w40k.questions.parts import parts
from wh_env.rulesets.w40k.tables import INT

# by unit: whether rules make it pass, or fail, its Morale tests of this turn without a roll
NERVE, NERVE_BOUNDS = declared([("passes", "i4", flag()), ("fails", "i4", flag())])


RETURNED = "shown as the number of models slain; a model that lives was returned"  # why observations need not show it


def tables(units: int, models: int) -> Sequence[TableSpec]:
    """``toll``: flags of models slain this turn by any cause; ``nerve``: see ``NERVE``."""
    return (TableSpec("toll", INT, models, flag().not_shown(RETURNED)), TableSpec("nerve", NERVE, units, NERVE_BOUNDS))


def count_slain(g: BattleCore, models: Array) -> None:
    """Flag these models (rows) as slain."""
    g.toll_array[models] = 1


def slain_this_turn(g: BattleCore, unit: int) -> int:
    """The number of the unit's models that were slain this turn and were not returned to it
    (morale.returned-models).
    """
    return int(g.work.call(slain_models, g.models.rows, g.units.rows, g.toll_array, unit))


def forget(g: BattleCore) -> None:
    """Clear the tables when a turn begins. Units of ``statics["passes_morale"]`` pass their tests in every turn."""
    g.toll_array[:] = 0
    g.nerve.rows.view(np.uint8).fill(0)  # numpy clears columns one by one, several times as slowly
    for named in g.setup.statics["passes_morale"]:
        for unit in parts(g, named):
            g.nerve.passes[unit] = 1


def passes_tests(g: BattleCore, unit: int) -> bool:
    """Whether a rule or an ability lets the unit pass its Morale tests without a roll."""
    return bool(g.nerve.passes[unit]) or bool(in_force(g, unit, "steady"))


def pass_tests(g: BattleCore, owner: int, unit: int, amount: int) -> None:
    """An effect: the unit passes its Morale tests until the end of the turn."""
    g.nerve.passes[unit] = 1


def fail_tests(g: BattleCore, owner: int, unit: int, amount: int) -> None:
    """An effect: the unit fails its Morale tests until the end of the turn."""
    g.nerve.fails[unit] = 1


EFFECTS: Mapping[str, Effect] = MappingProxyType({"passes-morale": pass_tests, "fails-morale": fail_tests})
