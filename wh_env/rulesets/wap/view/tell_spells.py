"""The events of templates, vortices, nets, flights and spells of ground in words (``tell``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from wh_env.core.battle import BattleCore
from wh_env.core.sentences import counted, for_both
from wh_env.rulesets.wap.view.phrases import Data, place, unit


def _template(g: BattleCore, data: Data) -> str:
    scattered = f" after {counted(data['far'], 'inch')} of scatter" if data["far"] else ""
    return f"the template of {data['name']} lies at {place(data)}{scattered}, over {counted(data['amount'], 'model')}"


def _line(g: BattleCore, data: Data) -> str:
    far = counted(data["far"], "inch")
    return f"{data['name']} reaches {far}, to {place(data)}, through {counted(data['amount'], 'model')}"


def _stops(g: BattleCore, data: Data) -> str:
    return f"a model of {unit(g, data['unit'])} stops the spell"


def _caught_in_spell(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [is/are] caught in the spell: {counted(data['amount'], 'hit')}"


def _may_fly(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} may fly {counted(data['far'], 'inch')} at once"


def _by_ground(g: BattleCore, data: Data) -> str:
    return f"the ground casts {data['name']} on {unit(g, data['unit'])}"


def _masters(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [knows/know] more of the {data['name']} for a time"


def _recovers(g: BattleCore, data: Data) -> str:
    return f"a model of {unit(g, data['unit'])} recovers a Wound"


def _caught(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [is/are] caught in the net: {counted(data['amount'], 'hit')}"


def _against_miscast(g: BattleCore, data: Data) -> str:
    ending = for_both("ignores the miscast" if data["result"] else "does not escape the miscast")
    return f"{unit(g, data['unit'])} {ending} with {data['name']} (rolled {data['die']}, {data['needed']}+ needed)"


def _moves(g: BattleCore, data: Data) -> str:
    where = f"{counted(data['far'], 'inch')}, to {place(data)}"
    return f"{data['name']} moves {where}, over {counted(data['amount'], 'model')}"


def _vortex_ends(g: BattleCore, data: Data) -> str:
    return f"the vortex of {unit(g, data['unit'])} ends"


def _rewarded(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [answers/answer] the riddle and [is/are] rewarded (rolled {data['die']})"


def _comet(words: str) -> Callable[[BattleCore, Data], str]:
    """A sentence about markers of a spell on a point."""
    return lambda g, data: f"{data['name']} {words} at {place(data)} ({counted(data['amount'], 'marker')})"


def _beyond(g: BattleCore, data: Data) -> str:
    return f"the vortex is put beyond {unit(g, data['unit'])}, at {place(data)}"


SPELL_WORDS: Mapping[str, Callable[[BattleCore, Data], str]] = MappingProxyType(
    {
        "template comes to lie": _template,
        "line goes on": _line,
        "stops the spell": _stops,
        "is caught in a spell": _caught_in_spell,
        "may fly": _may_fly,
        "is the target of a spell of the ground": _by_ground,
        "masters a lore": _masters,
        "recovers a Wound": _recovers,
        "is caught": _caught,
        "rolls against a miscast": _against_miscast,
        "vortex moves": _moves,
        "vortex is put beyond": _beyond,
        "is called": _comet("is called"),
        "comes nearer": _comet("comes nearer"),
        "comes down": _comet("comes down"),
        "vortex ends": _vortex_ends,
        "is rewarded": _rewarded,
    }
)
