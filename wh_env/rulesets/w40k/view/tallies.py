"""Attacks in reports: what each event of the attack machine adds to the summary line."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.events import NONE, WOUNDS_LOST, Event, Harm, Tally

# kinds of events that reports leave out
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
    """The counts that an event of this kind with this result adds, by name."""
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
    """The counts of an event of the attack machine; None for other events."""
    data = event.data
    if not {"attacker", "needed", "die"} <= data.keys():
        return None
    model = data["attacker"]
    attacker = g.models.datasheet[model] if model != NONE else NONE
    return Tally(attacker, data["target"], counts_of(event.kind, data["result"]))


def harm(g: BattleCore, event: Event) -> tuple[Harm, ...]:
    """The wound that a model has lost by this event; empty for other events."""
    counted = tally(g, event)
    if counted is None or WOUNDS_LOST not in counted.counts:
        return ()
    return (Harm(counted.attacker, counted.target, event.data["model"]),)
