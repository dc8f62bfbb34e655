"""The events of an Epic-scale battle in the words that players use; for reports, pages and pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from wh_env.core import sentences
from wh_env.core.battle import BattleCore
from wh_env.core.events import NONE, Event, Tally
from wh_env.core.sentences import agreed, counted

Data = Mapping[str, Any]
Tell = Callable[[BattleCore, Data], str]


def sentence(g: BattleCore, event: Event) -> str | None:
    """An event in words, without a full stop. None: the event's kind and fields are enough."""
    words = WORDS.get(event.kind)
    return agreed(words(g, event.data)) if words is not None else None


def tally(event: Event) -> Tally | None:
    """What an event of fire adds to the line that sums up the shots of one formation at another; None: it is none."""
    counts = SHOTS.get(event.kind)
    return Tally(event.data["unit"], event.data["target"], counts(event.data)) if counts is not None else None


# ---------------------------------------------------------------- parts of sentences


def _unit(g: BattleCore, row: int) -> str:
    return str(g.setup.names["units"][row])


def _model(g: BattleCore, row: int) -> str:
    return str(g.setup.names["models"][row])


def _player(g: BattleCore, player: int) -> str:
    return sentences.player(g, player)


def _shot(g: BattleCore, data: Data) -> str:
    return f"{_model(g, data['model'])} at {_model(g, data['target_model'])} with {data['weapon']}"


def _counters(g: BattleCore, counters: tuple[int, int]) -> str:
    return " and ".join(f"{number} of {_player(g, player)}" for player, number in enumerate(counters))


# ---------------------------------------------------------------- sentences


def _dangerous(g: BattleCore, data: Data) -> str:
    ending = "and is immobilised" if data["immobilised"] else "and is not stopped"
    second = f", then {data['second']}" if data["second"] > 0 else ""
    return f"{_model(g, data['model'])} enters dangerous terrain: rolls {data['roll']}{second}, {ending}"


def _hit_by_terrain(g: BattleCore, data: Data) -> str:
    return f"the terrain hits {_model(g, data['model'])}: {_saved(data['save'], data['needed'], data['saved'])}"


def _saved(roll: int, needed: int, saved: bool) -> str:
    if needed <= 0:
        return "it has no save and is eliminated"
    return f"saves on {needed}+ and rolls {roll}, " + ("saved" if saved else "eliminated")


def _to_hit(g: BattleCore, data: Data) -> str:
    ending = "hits" if data["hit"] else "misses"
    return f"{_shot(g, data)}: needs {data['needed']}+ and rolls {data['roll']}, {ending}"


def _combat(g: BattleCore, data: Data) -> str:
    sides = f"{_model(g, data['model'])} fights {_model(g, data['target_model'])}"
    dice = f" with {data['dice_count']} dice" if data["dice_count"] > 2 else ""
    loser = data["loser"]
    ending = "a tie" if loser == NONE else f"{_model(g, loser)} is eliminated"
    return f"{sides}: {data['result']} against {data['against']}{dice}, {ending}"


def _engagement(g: BattleCore, data: Data) -> str:
    if "units" in data:
        done = counted(data["units"], "unit")
        return f"{_unit(g, data['unit'])} [charges/charge] {_unit(g, data['target'])}: {done} in contact"
    return f"{_model(g, data['model'])} engages {_model(g, data['target_model'])}"


def _morale(g: BattleCore, data: Data) -> str:
    ending = "passed" if data["passed"] else "failed"
    return f"{_unit(g, data['unit'])} [tests/test] [its/their] morale: {_needs(data)}, {ending}"


def _needs(data: Data) -> str:
    return f"[needs/need] {data['needed']}+ and [rolls/roll] {data['roll']}"


def _held(g: BattleCore, data: Data) -> str:
    held, points = counted(data["held"], "objective"), counted(data["points"], "point")
    return f"{_player(g, data['player'])} holds {held}: {points}"


def _broken(g: BattleCore, data: Data) -> str:
    return f"{_player(g, data['player'])} has {counted(data['points'], 'point')} for broken enemy formations"


def _victor(g: BattleCore, data: Data) -> str:
    winner, (first, second) = data["winner"], data["vp"]
    ending = "the battle is a draw" if winner == NONE else f"{_player(g, winner)} wins"
    return f"{ending}: {counted(first, 'point')} to {second}"


WORDS: Mapping[str, Tell] = MappingProxyType(
    {
        "table sides": lambda g, data: f"{_player(g, data['south'])} has the south edge",
        "deploys first": lambda g, data: f"{_player(g, data['player'])} deploys first",
        "deployed": lambda g, data: f"{_unit(g, data['unit'])} [is/are] deployed",
        "counters in the cup": lambda g, data: f"the cup holds counters: {_counters(g, data['counters'])}",
        "initiative": lambda g, data: f"{_player(g, data['player'])} has the initiative",
        "order revealed": lambda g, data: (
            f"{_unit(g, data['unit'])} [has/have] the order {data['order'].replace('-', ' ')}"
        ),
        "moves first": lambda g, data: f"{_player(g, data['player'])} moves first",
        "the rest stay": lambda g, data: f"{_player(g, data['player'])} leaves the others where they are",
        "formation moved": lambda g, data: f"{_unit(g, data['unit'])} [moves/move]",
        "dangerous terrain": _dangerous,
        "hit by terrain": _hit_by_terrain,
        "formation fires": lambda g, data: (
            f"{_unit(g, data['unit'])} [fires/fire] {counted(data['weapons'], 'weapon')}"
        ),
        "fires in the enemy's movement": lambda g, data: (
            f"{_unit(g, data['unit'])} [fires/fire] at {_unit(g, data['target'])}, which moves"
        ),
        "passes": lambda g, data: f"{_player(g, data['player'])} passes",
        "to hit": _to_hit,
        "out of range": lambda g, data: f"{_shot(g, data)}: out of range",
        "shot lost": lambda g, data: f"{_shot(g, data)}: the target is already eliminated, the shot is lost",
        "eliminated without a save": lambda g, data: f"{_shot(g, data)}: no save, eliminated",
        "save": lambda g, data: f"{_shot(g, data)}: {_saved(data['roll'], data['needed'], data['saved'])}",
        "engages": _engagement,
        "combat": _combat,
        "morale test": _morale,
        "retreats": lambda g, data: f"{_unit(g, data['unit'])} [retreats/retreat]",
        "disperses": lambda g, data: f"{_unit(g, data['unit'])} [disperses/disperse]: all of [it/them] is lost",
        "rallies": lambda g, data: f"{_unit(g, data['unit'])} [rallies/rally]",
        "goes on retreating": lambda g, data: f"{_unit(g, data['unit'])} [goes/go] on retreating",
        "objectives held": _held,
        "enemy formations broken": _broken,
        "victor": _victor,
    }
)
# what the events of fire count, by kind of event
SHOTS: Mapping[str, Callable[[Data], dict[str, int]]] = MappingProxyType(
    {
        "to hit": lambda data: {"shots": 1, "hits": int(data["hit"])},
        "out of range": lambda _: {"out of range": 1},
        "shot lost": lambda _: {"lost": 1},
        "eliminated without a save": lambda _: {"eliminated": 1},
        "save": lambda data: {"saved": 1} if data["saved"] else {"eliminated": 1},
    }
)
