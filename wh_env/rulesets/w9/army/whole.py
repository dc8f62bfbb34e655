"""Rules that hold if every unit of an army has a keyword (w9.army.all-units.*).

Rows of ``rules["control"]`` may say ``if_all``: a mapping with ``keyword`` and, where there are exceptions, ``except``,
a list of keywords.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import between
from wh_env.core.tables import TableSpec
from wh_env.rulesets.w40k.keywords import keyword_bit

MOST_RULES = 64


def tables() -> tuple[TableSpec, ...]:
    """``whole_army``: for each row of ``rules["control"]`` the bits of the players whose army meets its condition."""
    return (TableSpec("whole_army", np.dtype("i4"), MOST_RULES, between(0, 3)),)


def all_units_have(g: BattleCore, player: int, condition: Mapping[str, Any]) -> bool:
    """Whether every unit of the army has the keyword of the condition, or a keyword of its exceptions."""
    bits, keywords = g.setup.statics["keyword_bits"], g.units.keywords
    wanted = keyword_bit(bits, condition["keyword"])
    spared = sum(keyword_bit(bits, keyword) for keyword in condition.get("except", ()))
    mustered = (unit for unit in g.units_of(player) if g.units.strength[unit])
    return all(keywords[unit] & (wanted | spared) for unit in mustered)


def settle(g: BattleCore) -> None:
    """The armies are mustered: settle for the whole battle which conditions they meet (w9.army.all-units.when)."""
    for number, row in enumerate(g.setup.rules["control"]):
        if "if_all" in row:
            met = [all_units_have(g, player, row["if_all"]) for player in (0, 1)]
            g.whole_army[number] = met[0] | met[1] << 1
            if g.recorder is not None:
                g.note("w9.army.all-units.when", "condition of armies", name=str(row["if_all"]["keyword"]), passed=met)


def holds(g: BattleCore, number: int, row: Mapping[str, Any], player: int) -> bool:
    """Whether row ``number`` of the rules applies to the player: it has no condition, or the army met it when it was
    mustered. Units added or lost since then do not matter (w9.army.all-units.added, .lost).
    """
    return "if_all" not in row or bool(g.whole_army[number] >> player & 1)
