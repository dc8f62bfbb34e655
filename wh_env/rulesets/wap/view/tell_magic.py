"""The events of magic in words (``tell``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from wh_env.core.battle import BattleCore
from wh_env.core.events import NONE
from wh_env.core.sentences import counted, for_both
from wh_env.rulesets.wap.view.phrases import Data, player, unit

# what a miscast does, by the result on its table
MISCASTS: Mapping[int, str] = MappingProxyType(
    {
        3: "casts no more own spells in this phase",
        4: "lets the enemy cast a spell at once",
        5: "is struck with the wizards near him, and casts no more own spells in this phase",
        6: "loses power dice",
        7: "is struck with all models in contact with him",
        8: "forgets the spell",
        9: "is struck with all models beneath the small round template",
        10: "is struck and loses a level",
        11: "is struck with all models beneath the large round template",
        12: "is slain",
    }
)


def _rolled(data: Data) -> str:
    """The dice of an event."""
    return f"(rolled {', '.join(map(str, data['rolls']))})"


def _on(g: BattleCore, data: Data) -> str:
    """The target of a spell, with a word before it; empty for a spell without one."""
    if data["target"] == NONE:
        return ""
    return " on itself" if data["target"] == data["unit"] else f" on {unit(g, data['target'])}"


def _winds(g: BattleCore, data: Data) -> str:
    seat = data["player"]
    power = f"{player(g, seat)} has {counted(data['amount'], 'die')} of power"
    return f"the winds of magic blow {_rolled(data)}: {power}, {player(g, 1 - seat)} {data['against']} for dispelling"


def _channels(g: BattleCore, data: Data) -> str:
    found = counted(data["amount"], "die") if data["amount"] else "nothing"
    return f"{unit(g, data['unit'])} [channels/channel] {found} {_rolled(data)}"


def _shares(g: BattleCore, data: Data) -> str:
    return f"{data['name']} gets {counted(data['amount'], 'die')} of the winds"


def _changes_form(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [turns/turn] into {unit(g, data['target'])}"


def _finds_no_room(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [finds/find] no room for {data['name']}"


def _learns(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [learns/learn] {data['name']}"


def _casts(g: BattleCore, data: Data) -> str:
    result = f"{data['amount']} of {data['needed']} {_rolled(data)}"
    return f"{unit(g, data['unit'])} [casts/cast] {data['name']}{_on(g, data)}: {result}"


def _fails_to_cast(g: BattleCore, data: Data) -> str:
    result = f"{data['amount']} of {data['needed']} {_rolled(data)}"
    return f"{unit(g, data['unit'])} [fails/fail] to cast {data['name']}{_on(g, data)}: {result}"


def _casts_at_once(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [casts/cast] {data['name']}{_on(g, data)} at once, without dice"


def _dispels(g: BattleCore, data: Data) -> str:
    by = player(g, data["player"]) if data["unit"] == NONE else unit(g, data["unit"])
    result = f"{data['amount']} of {data['needed']} {_rolled(data)}"
    return f"{by} {'dispels' if data['result'] else 'does not dispel'} the spell: {result}"


def _miscasts(g: BattleCore, data: Data) -> str:
    ending = for_both(MISCASTS[max(min(MISCASTS), min(max(MISCASTS), data["result"]))])
    return f"{unit(g, data['unit'])} [miscasts/miscast] {data['name']} (rolled {data['die']}) and {ending}"


def _is_hit(g: BattleCore, data: Data) -> str:
    return f"{data['name']} strikes {unit(g, data['target'])}: {counted(data['amount'], 'hit')}"


def _ends(g: BattleCore, data: Data) -> str:
    return f"{data['name']} of {unit(g, data['unit'])} ends"


def _forgets(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [forgets/forget] {data['name']}"


def _loses_a_level(g: BattleCore, data: Data) -> str:
    left = f"[has/have] level {data['amount']} left" if data["amount"] else "[is/are] no wizard any more"
    return f"{unit(g, data['unit'])} [loses/lose] a level and {left}"


def _loses_concentration(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [loses/lose] concentration"


def _shoots_blindly(g: BattleCore, data: Data) -> str:
    ending = for_both("shoots" if data["passed"] else "loses its shots")
    return f"{unit(g, data['unit'])} cannot see clearly and {ending} (rolled {data['die']}, {data['needed']}+ needed)"


def _under(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [is/are] under {data['name']}"


def _is_free(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [is/are] free of {data['name']}"


def _wounded(g: BattleCore, data: Data) -> str:
    return f"{data['name']} wounds {unit(g, data['target'])}: {counted(data['amount'], 'wound')}"


def _has_more_hits(g: BattleCore, data: Data) -> str:
    return f"{data['name']} strikes {unit(g, data['target'])} again: {counted(data['amount'], 'more hit')}"


def _leaps(g: BattleCore, data: Data) -> str:
    ending = "leaps on" if data["die"] >= data["needed"] else "ends"
    return f"the spell of {unit(g, data['unit'])} {ending} (rolled {data['die']})"


def _contest(g: BattleCore, data: Data) -> str:
    mine, other = data["totals"]
    rolled = ", ".join(map(str, data["rolls"]))
    return f"{unit(g, data['unit'])} [has/have] {mine} against {other} of {unit(g, data['target'])} (rolled {rolled})"


def _changes_fate(g: BattleCore, data: Data) -> str:
    old, new = data["rolls"]
    return f"{unit(g, data['unit'])} [changes/change] fate: {new} instead of {old}"


def _seeks_metal(g: BattleCore, data: Data) -> str:
    return f"the spell seeks the metal of {unit(g, data['target'])} (rolled {data['die']})"


def _leeches_life(g: BattleCore, data: Data) -> str:
    more = counted(data["amount"], "die") if data["amount"] else "no dice"
    return f"{unit(g, data['unit'])} [leeches/leech] life {_rolled(data)}: {more} more"


def _reads_fate(g: BattleCore, data: Data) -> str:
    passed = data["die"] >= data["needed"]
    return f"{unit(g, data['unit'])} {for_both('reads' if passed else 'does not read')} fate (rolled {data['die']})"


MAGIC: Mapping[str, Callable[[BattleCore, Data], str]] = MappingProxyType(
    {
        "winds of magic": _winds,
        "channels": _channels,
        "shares dice": _shares,
        "changes form": _changes_form,
        "finds no room": _finds_no_room,
        "learns": _learns,
        "casts": _casts,
        "fails to cast": _fails_to_cast,
        "casts at once": _casts_at_once,
        "loses concentration": _loses_concentration,
        "dispels": _dispels,
        "miscasts": _miscasts,
        "spell hits": _is_hit,
        "spell ends": _ends,
        "spell wounds": _wounded,
        "more hits": _has_more_hits,
        "leaps": _leaps,
        "contest": _contest,
        "changes fate": _changes_fate,
        "seeks metal": _seeks_metal,
        "leeches life": _leeches_life,
        "reads fate": _reads_fate,
        "forgets a spell": _forgets,
        "loses a level": _loses_a_level,
        "shoots blindly": _shoots_blindly,
        "is under an effect": _under,
        "is free of an effect": _is_free,
    }
)
