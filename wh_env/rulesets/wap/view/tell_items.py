"""The events of magic items in words (``tell``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.view.phrases import Data, unit


def _uses(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} uses {data['name']}"


def _gains(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} gains {data['amount']} {data['name'].upper()} for a time"


def _adds(g: BattleCore, data: Data) -> str:
    return f"{data['name']} adds {data['amount']} to the combat result of {unit(g, data['unit'])}"


ITEM_WORDS: Mapping[str, Callable[[BattleCore, Data], str]] = MappingProxyType(
    {"uses an item": _uses, "gains for a time": _gains, "adds to its result": _adds}
)
