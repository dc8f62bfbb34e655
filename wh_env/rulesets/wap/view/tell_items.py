"""The events of magic items in words (``tell``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from wh_env.core.battle import BattleCore
from wh_env.core.events import NONE
from wh_env.core.sentences import counted, for_both
from wh_env.rulesets.wap.basics.carried import item_at, rows_carried
from wh_env.rulesets.wap.view.phrases import Data, unit


def _uses(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [uses/use] {data['name']}"


def _gains(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [gains/gain] {data['amount']} {data['name'].upper()} for a time"


def _draws_a_lore(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [uses/use] the {data['name']}"


def _spoils(g: BattleCore, data: Data) -> str:
    return f"{data['name']} of {unit(g, data['unit'])} has {unit(g, data['target'])} roll passed ward saves again"


def _exchanges(g: BattleCore, data: Data) -> str:
    left = f"[has/have] {counted(data['amount'], 'Wound')} left, the other {data['result']}"
    return f"{unit(g, data['unit'])} [exchanges/exchange] Wounds with a model of {unit(g, data['target'])} and {left}"


def _shows(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [has/have] {data['name']}"


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


def _rolled(data: Data) -> str:
    return f"(rolled {', '.join(map(str, data['rolls']))})"


def _costs_wounds(g: BattleCore, data: Data) -> str:
    return f"{data['name']} costs {unit(g, data['unit'])} {counted(data['amount'], 'Wound')}"


def _may_destroy(g: BattleCore, data: Data) -> str:
    ending = f"destroys {data['name']} for" if data["result"] else f"leaves {data['name']} to"
    return f"the scroll {ending} {unit(g, data['unit'])} (rolled {data['die']}, {data['needed']}+ needed)"


def _rebounds(g: BattleCore, data: Data) -> str:
    return f"the spell rebounds on {unit(g, data['unit'])}: {counted(data['amount'], 'wound')} {_rolled(data)}"


def _gains_dice(g: BattleCore, data: Data) -> str:
    return f"{data['name']} gives {unit(g, data['unit'])} {counted(data['amount'], 'die')}"


def _releases_dice(g: BattleCore, data: Data) -> str:
    ending = f"gives {counted(data['amount'], 'die')}" if data["amount"] else f"loses {counted(data['needed'], 'die')}"
    return f"{data['name']} of {unit(g, data['unit'])} {ending} (rolled {data['die']})"


def _keeps_dice(g: BattleCore, data: Data) -> str:
    return f"{data['name']} of {unit(g, data['unit'])} keeps {counted(data['amount'], 'die')}"


def _punishes(g: BattleCore, data: Data) -> str:
    ending = "strikes" if data["die"] >= data["needed"] else "spares"
    return f"{data['name']} {ending} {unit(g, data['unit'])} (rolled {data['die']}, {data['needed']}+ needed)"


def _misleads(g: BattleCore, data: Data) -> str:
    ending = "to nothing" if data["target"] == NONE else f"to {unit(g, data['target'])}"
    return f"{data['name']} leads the spell on {unit(g, data['unit'])} {counted(data['amount'], 'inch')} away, {ending}"


def _takes_over(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [takes/take] {data['name']} over"


def _turns(g: BattleCore, data: Data) -> str:
    ending = "has no effect" if data["target"] == NONE else f"is turned on {unit(g, data['target'])}"
    return f"{data['name']} of {unit(g, data['unit'])} {ending}"


def _may_become_a_toad(g: BattleCore, data: Data) -> str:
    ending = for_both("becomes a toad" if data["result"] else "does not become a toad")
    return f"{unit(g, data['unit'])} {ending} (rolled {data['die']}, {data['needed']} or less needed)"


def _may_be_no_toad(g: BattleCore, data: Data) -> str:
    ending = for_both("is itself again" if data["result"] else "stays a toad")
    return f"{unit(g, data['unit'])} {ending} (rolled {data['die']}, {data['needed']}+ needed)"


def _rolls_dice_again(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [rolls/roll] {counted(data['amount'], 'die')} again with {data['name']}"


ITEM_WORDS: Mapping[str, Callable[[BattleCore, Data], str]] = MappingProxyType(
    {
        "uses an item": _uses,
        "shows an item": _shows,
        "exchanges Wounds": _exchanges,
        "spoils saves": _spoils,
        "draws a lore": _draws_a_lore,
        "gains for a time": _gains,
        "ignores a hit": _ignores,
        "saves a wound": _saves,
        "dazes": _dazed,
        "adds to its result": _adds,
        "costs wounds": _costs_wounds,
        "may destroy a spell": _may_destroy,
        "rebounds": _rebounds,
        "gains dice": _gains_dice,
        "releases dice": _releases_dice,
        "keeps dice": _keeps_dice,
        "punishes": _punishes,
        "misleads": _misleads,
        "takes a spell over": _takes_over,
        "turns a spell": _turns,
        "may become a toad": _may_become_a_toad,
        "may be no toad any more": _may_be_no_toad,
        "rolls dice again": _rolls_dice_again,
    }
)
