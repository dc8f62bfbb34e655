"""Which unit eliminated which, by the events of a battle."""

from __future__ import annotations

from wh_env.core.events import Event, Harm


def harm(event: Event) -> tuple[Harm, ...]:
    """The elimination that an event of a shot or a combat tells of, else empty (epic.save.roll, epic.save.none,
    epic.assault.combat-roll).
    """
    data = event.data
    if event.kind == "eliminated without a save" or (event.kind == "save" and not data["saved"]):
        return (Harm(data["unit"], data["target"], data["target_model"]),)
    if event.kind == "combat":
        if data["loser"] == data["target_model"]:
            return (Harm(data["unit"], data["target"], data["target_model"]),)
        if data["loser"] == data["model"]:
            return (Harm(data["target"], data["unit"], data["model"]),)
    return ()
