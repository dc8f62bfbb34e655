"""Rolls of attacks in words: how many, what they need, what comes of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from wh_env.core.battle import BattleCore
from wh_env.core.sentences import counted
from wh_env.rulesets.wap.view.phrases import Data, unit

Tell = Callable[[BattleCore, Data], str]
MOST = 6  # a die shows no more: who needs more cannot save


def _by(g: BattleCore, data: Data) -> str:
    """Who rolls, before a verb; attacks of nobody are those of spells and of ground."""
    return unit(g, data["unit"]) if data["unit"] >= 0 else "an attack"


def _needed(data: Data) -> str:
    return f", {data['needed']}+ needed" if data.get("needed", 0) > 0 else ""


def _shoots(g: BattleCore, data: Data) -> str:
    shots = f"{counted(data['amount'], 'shot')}{_needed(data)}"
    return f"{_by(g, data)} [shoots/shoot] at {unit(g, data['target'])} with {data['name']}: {shots}, {_landed(data)}"


def _to_hit(g: BattleCore, data: Data) -> str:
    attacks = f"{counted(data['amount'], 'attack')}{_needed(data)}"
    return f"{_by(g, data)} [strikes/strike] at {unit(g, data['target'])}: {attacks}, {_landed(data)}"


def _landed(data: Data) -> str:
    return counted(data["result"], "hit")


def _to_wound(g: BattleCore, data: Data) -> str:
    hits = f"{counted(data['amount'], 'hit')}{_needed(data)}, {counted(data['result'], 'wound')}"
    return f"{_by(g, data)} [wounds/wound] {unit(g, data['target'])}: {hits}"


def _saves(g: BattleCore, data: Data) -> str:
    armour, ward = data["needed"]
    kinds = [f"{name} {need}+" for name, need in (("armour", armour), ("ward", ward)) if need <= MOST]
    saved = data["amount"] - data["result"]
    told = f": {', '.join(kinds)}" if kinds else ""
    return f"{unit(g, data['unit'])} [saves/save] {saved} of {counted(data['amount'], 'wound')}{told}"


def _wounds(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['target'])} [loses/lose] {counted(data['amount'], 'Wound')}"


def _killing_blows(g: BattleCore, data: Data) -> str:
    return f"{counted(data['amount'], 'killing blow')} at {unit(g, data['unit'])}: {counted(data['result'], 'Wound')}"


ROLL_WORDS: Mapping[str, Tell] = MappingProxyType(
    {
        "shoots": _shoots,
        "to hit": _to_hit,
        "to wound": _to_wound,
        "saves": _saves,
        "wounds": _wounds,
        "killing blows": _killing_blows,
    }
)
