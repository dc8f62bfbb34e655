"""Numbers and names of the steps of the mission sequence, for the record (w9.deploy.sequence,
w9.mission.crusade.step-numbers).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from wh_env.core.battle import BattleCore

STEPS = (
    "Muster Armies",
    "Create the Battlefield",
    "Choose Deployment Zones",
    "Declare Reserves and Transports",
    "Deploy Armies",
    "Determine First Turn",
    "Resolve Pre-battle Abilities",
    "Begin the Battle",
)
LAST = "Update Order of Battle"  # the last step of Crusade missions, when the battle is over
# steps of Crusade missions whose numbers are known
CRUSADE: Mapping[str, int] = MappingProxyType(
    {
        "Deploy Armies": 11,
        "Determine First Turn": 12,
        "Resolve Pre-battle Abilities": 13,
        "Begin the Battle": 14,
        LAST: 18,
    }
)


def tell_step(g: BattleCore, name: str) -> None:
    """Record that the step ``name`` begins. Of Crusade missions only some steps have a known number."""
    if g.recorder is None:
        return
    if not g.setup.rules["crusade"]:
        g.note("w9.deploy.sequence", "step", step=1 + STEPS.index(name), name=name)
    elif name in CRUSADE:
        g.note("w9.mission.crusade.step-numbers", "step", step=CRUSADE[name], name=name)
    else:
        g.note("w9.deploy.sequence", "step", name=name)


def tell_end(g: BattleCore) -> None:
    """The battle is over: record the last step of a Crusade mission."""
    if g.setup.rules["crusade"]:
        tell_step(g, LAST)
