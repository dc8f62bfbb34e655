"""Sentences about charges, flights and pursuits that meet somebody on their way, or leave the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from wh_env.core.battle import BattleCore
from wh_env.core.sentences import counted
from wh_env.rulesets.wap.view.phrases import Data, place, towards, unit


def _cut_down(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [flees/flee] through {unit(g, data['target'])}: {counted(data['amount'], 'Wound')}"


def _runs_down(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [runs/run] down {unit(g, data['target'])}: {data['amount']} lost"


def _stops_behind(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [stops/stop] behind {unit(g, data['target'])}, at {place(data)}"


def _turns_to_charger(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [turns/turn] {towards(data['facing'])}, to its charger, {unit(g, data['target'])}"


def _leaves_table(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [pursues/pursue] off the table, at {place(data)}"


def _makes_room(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [makes/make] room and [stands/stand] at {place(data)}"


def _turns(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [turns/turn] {towards(data['facing'])}"


PURSUIT_WORDS: Mapping[str, Callable[[BattleCore, Data], str]] = MappingProxyType(
    {
        "cut down": _cut_down,
        "leaves the table": _leaves_table,
        "makes room": _makes_room,
        "runs down": _runs_down,
        "stops behind the fleers": _stops_behind,
        "turns": _turns,
        "turns to the charger": _turns_to_charger,
    }
)
