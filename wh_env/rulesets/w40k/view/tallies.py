"""Attacks in reports: what each event of the attack machine adds to the line that sums them up."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.events import NONE, WOUNDS_LOST, Event, Harm, Tally

# kinds of events that say nothing a reader misses
UNTOLD = frozenset(
    {
        "selected to move",
        "selected to shoot",
        "selected to fight",
        "turn ends",
        "allocated",
        "reroll",
        "step",
        "victor",
    }
)


def counts_of(kind: str, result: int) -> dict[str, int]:
    """What an event of this kind with this result adds, by what is counted."""
    return {
        "hit roll": {"attacks": 1, "hits": int(result > 0)},
        "auto hit": {"attacks": result, "hits": result},
        "sustained": {"hits": result},
        "wound roll": {"wounds": int(result > 0)},
        "auto wound": {"wounds": result},
        "save roll": {"saved": int(result == 1)},
        "fnp roll": {"ignored": int(result == 1)},
        "wound lost": {WOUNDS_LOST: 1},
        "mortal wound": {"mortal wounds": 1},
        "model destroyed": {"destroyed": 1},
        "hazardous": {"Hazardous tests": 1, "failed": int(result == 1)},
    }.get(kind, {})


def tally(g: BattleCore, event: Event) -> Tally | None:
    """The row of the attack machine's log that an event is, if it is one."""
    data = event.data
    if not {"attacker", "needed", "die"} <= data.keys():
        return None
    model = data["attacker"]
    attacker = g.models.datasheet[model] if model != NONE else NONE
    return Tally(attacker, data["target"], counts_of(event.kind, data["result"]))


def harm(g: BattleCore, event: Event) -> tuple[Harm, ...]:
    """The wound that a row of the attack machine's log says a model has lost."""
    counted = tally(g, event)
    if counted is None or WOUNDS_LOST not in counted.counts:
        return ()
    return (Harm(counted.attacker, counted.target, event.data["model"]),)
