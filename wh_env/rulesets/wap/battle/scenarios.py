"""The rule ids of the missions that events of a battle cite (wap.scenario.*)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from wh_env.core.battle import BattleCore


class Cited(NamedTuple):
    """The rule ids for the points that every mission settles."""

    side: str
    deployment: str
    first_turn: str
    victory: str
    control: str = "wap.victory.by-scenario"
    roll_off: str = "wap.battle.deploy.roll-side"


CHAPTERS: Mapping[str, Cited] = MappingProxyType(
    {
        "battleline": Cited(
            "wap.scenario.battleline.side",
            "wap.scenario.battleline.deployment",
            "wap.scenario.battleline.first-turn",
            "wap.scenario.battleline.victory",
        ),
        "dawn-attack": Cited(
            "wap.scenario.dawn-attack.side",
            "wap.scenario.dawn-attack.order",
            "wap.scenario.dawn-attack.first-turn",
            "wap.scenario.dawn-attack.victory",
        ),
        "pass": Cited(
            "wap.scenario.pass.side",
            "wap.scenario.pass.deployment",
            "wap.scenario.pass.first-turn",
            "wap.scenario.pass.victory",
        ),
        "blood-and-glory": Cited(
            "wap.scenario.blood-and-glory.side",
            "wap.scenario.blood-and-glory.zone",
            "wap.scenario.blood-and-glory.first-turn",
            "wap.scenario.blood-and-glory.victory",
        ),
        "meeting-engagement": Cited(
            "wap.scenario.meeting-engagement.corners",
            "wap.scenario.meeting-engagement.zone",
            "wap.scenario.meeting-engagement.first-turn",
            "wap.scenario.meeting-engagement.victory",
        ),
        "watchtower": Cited(
            "wap.scenario.watchtower.side",
            "wap.scenario.watchtower.deployment",
            "wap.scenario.watchtower.first-turn",
            "wap.scenario.watchtower.no-control",
            "wap.scenario.watchtower.victory",
            "wap.scenario.watchtower.control",
        ),
    }
)


def cited(g: BattleCore) -> Cited:
    """The rule ids of the mission that is played."""
    return CHAPTERS[g.setup.rules["mission"]["chapter"]]
