"""Events of war machines, ground, buildings and allies in the words that players use at the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from wh_env.core.battle import BattleCore
from wh_env.core.events import NONE
from wh_env.core.sentences import counted
from wh_env.rulesets.wap.view.phrases import Data, model, place, towards, unit, units


def _ground_rolls(g: BattleCore, data: Data) -> str:
    return f"the ground under {unit(g, data['unit'])} rolls {data['die']}, hurts on {data['needed']}"


def _ground_hits(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [takes/take] {counted(data['amount'], 'hit')} from the ground"


def _ground_walks(_g: BattleCore, data: Data) -> str:
    return f'the {data["name"]} moves {data["far"]:.1f}" to {place(data)}'


def _places_building(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [places/place] {data['name']} at {place(data)}"


def _ground_hurts(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [loses/lose] {counted(data['amount'], 'Wound')} to the ground"


def _dangerous(g: BattleCore, data: Data) -> str:
    dice = ", ".join(map(str, data["dice"]))
    return f"{unit(g, data['unit'])} [rolls/roll] {dice} in dangerous terrain: {counted(data['amount'], 'Wound')}"


def _gazed_at(g: BattleCore, data: Data) -> str:
    return f"a statue gazes at {unit(g, data['unit'])} (rolled {data['die']}): {counted(data['amount'], 'hit')}"


def _throws_again(g: BattleCore, data: Data) -> str:
    old, new = ("a misfire" if shown == 0 else str(shown) for shown in data["rolls"])
    return f"{unit(g, data['unit'])} [rolls/roll] the artillery die again: {new} instead of {old}"


def _comes_first(_g: BattleCore, data: Data) -> str:
    return f"first {data['name']}"


def _burnt(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [takes/take] {counted(data['amount'], 'hit')} from the burning obstacle"


def _drinks(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [drinks/drink] from a well (rolled {data['die']}): {data['name']}"


def _favoured(g: BattleCore, data: Data) -> str:
    return f"{model(g, data['model'])} gains {data['amount']} {data['name'].upper()} (rolled {data['die']})"


def _devoured(g: BattleCore, data: Data) -> str:
    return f"{model(g, data['model'])} is devoured (rolled {data['die']})"


def _loses_crew(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [loses/lose] {data['amount']} of [its/their] crew"


def _crew_hide(g: BattleCore, data: Data) -> str:
    return f"the crew of {unit(g, data['unit'])} hide under it"


def _misfires(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [misfires/misfire] (rolled {data['die']}): {data['name']}"


def _turns_to_fire(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [turns/turn] {towards(data['facing'])}"


def _assaults(g: BattleCore, data: Data) -> str:
    return (
        f"{unit(g, data['unit'])} [assaults/assault] {unit(g, data['target'])} with {counted(data['amount'], 'model')}"
    )


def _over_a_building(g: BattleCore, data: Data) -> str:
    return f"a template over its building: {unit(g, data['unit'])} takes {counted(data['die'], 'hit')}"


def _keeps_faith(g: BattleCore, data: Data) -> str:
    return f"{data['name']} keeps faith with its allies (rolled {data['die']})"


def _loses_faith(g: BattleCore, data: Data) -> str:
    return f"{data['name']} trusts its allies less (rolled {data['die']})"


def _drifted(data: Data) -> str:
    return f', {data["far"]:.1f}" off' if data["far"] else ", on its mark"


def _ball_comes_down(g: BattleCore, data: Data) -> str:
    return f"the ball of {unit(g, data['unit'])} comes down at {place(data)}{_drifted(data)}"


def _bounces(g: BattleCore, data: Data) -> str:
    if not data["die"]:
        return f"the ball of {unit(g, data['unit'])} buries itself"
    return f'the ball of {unit(g, data["unit"])} bounces {data["far"]:.1f}"'


def _ball_strikes(g: BattleCore, data: Data) -> str:
    return f"the ball strikes {unit(g, data['target'])}{' directly' if data['passed'] else ''}"


def _stone_comes_down(g: BattleCore, data: Data) -> str:
    return f"the stone of {unit(g, data['unit'])} comes down at {place(data)}{_drifted(data)}"


def _stone_strikes(g: BattleCore, data: Data) -> str:
    if not data["targets"]:
        return f"the stone of {unit(g, data['unit'])} strikes nobody"
    under = " and crushes one model" if data["model"] != NONE else ""
    splinters = counted(data["amount"], "other hit" if under else "hit")
    return f"the stone of {unit(g, data['unit'])} falls on {units(g, data['targets'])}{under}: {splinters}"


def _spews_fire(g: BattleCore, data: Data) -> str:
    over = f" over {units(g, data['targets'])}" if data["targets"] else " over nobody"
    return f'{unit(g, data["unit"])} [spews/spew] fire {data["far"]:.0f}" ahead{over}: {counted(data["amount"], "hit")}'


def _bolt_strikes(g: BattleCore, data: Data) -> str:
    return f"the bolt strikes {unit(g, data['target'])} with Strength {data['strength']}"


def _fires_grapeshot(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [fires/fire] {counted(data['amount'], 'shot')} of grapeshot"


FIELD_WORDS: Mapping[str, Callable[[BattleCore, Data], str]] = MappingProxyType(
    {
        "ground rolls": _ground_rolls,
        "is hit by the ground": _ground_hits,
        "the ground walks": _ground_walks,
        "places a building": _places_building,
        "is hurt by the ground": _ground_hurts,
        "comes first": _comes_first,
        "throws again": _throws_again,
        "dangerous terrain": _dangerous,
        "drinks": _drinks,
        "is burnt": _burnt,
        "is devoured": _devoured,
        "is favoured": _favoured,
        "is gazed at": _gazed_at,
        "loses crew": _loses_crew,
        "its crew hide": _crew_hide,
        "assaults": _assaults,
        "misfires": _misfires,
        "turns to fire": _turns_to_fire,
        "turns in a building": _turns_to_fire,
        "template over a building": _over_a_building,
        "keeps faith": _keeps_faith,
        "loses faith": _loses_faith,
        "ball comes down": _ball_comes_down,
        "bounces": _bounces,
        "ball strikes": _ball_strikes,
        "stone comes down": _stone_comes_down,
        "stone strikes": _stone_strikes,
        "spews fire": _spews_fire,
        "bolt strikes": _bolt_strikes,
        "fires grapeshot": _fires_grapeshot,
    }
)
