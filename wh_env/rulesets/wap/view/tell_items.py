"""The events of magic items in words (``tell``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.carried import item_at, rows_carried
from wh_env.rulesets.wap.view.phrases import Data, unit


def _uses(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} uses {data['name']}"


def _gains(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} gains {data['amount']} {data['name'].upper()} for a time"


def _shows(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} has {data['name']}"


def items_told(g: BattleCore, row: int) -> list[str]:
    """Words for the magic items of a unit that are known in this view of the battle."""
    own = [k for k in rows_carried(g) if g.items.unit[k] == row]
    return [f"{'has used' if g.items.used[k] else 'has'} {item_at(g, k).name}" for k in own]


def _ignores(g: BattleCore, data: Data) -> str:
    done = "ignores the hit" if data["result"] else "does not stop the hit"
    return f"{data['name']} of {unit(g, data['unit'])} {done}: {data['die']}, {data['needed']}+ needed"


def _saves(g: BattleCore, data: Data) -> str:
    done = "saves the wound" if data["result"] else "does not save the wound"
    return f"{data['name']} of {unit(g, data['unit'])} {done}: {data['die']}, {data['needed']}+ needed"


def _dazed(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['target'])} cannot attack, and blows at it hit"


def _adds(g: BattleCore, data: Data) -> str:
    return f"{data['name']} adds {data['amount']} to the combat result of {unit(g, data['unit'])}"


ITEM_WORDS: Mapping[str, Callable[[BattleCore, Data], str]] = MappingProxyType(
    {
        "uses an item": _uses,
        "shows an item": _shows,
        "gains for a time": _gains,
        "ignores a hit": _ignores,
        "saves a wound": _saves,
        "dazes": _dazed,
        "adds to its result": _adds,
    }
)
