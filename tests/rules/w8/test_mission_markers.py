"""What markers and slain Warlords are worth (w8.mission.primary.*, w8.mission.objectives.*)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from eighth import EighthScene

from wh_env import Battle
from wh_env.rulesets.w8.mission.state import Primary
from wh_env.testing import dice_left, sheet

MARKERS = ((10, 20), (26, 20), (42, 20), (58, 20))
ONE = sheet("One", models=(1, 1))


def last_turn(
    primary: Primary,
    holders: Sequence[int],
    standing: Sequence[int],
    lost: Sequence[int] = (),
    dice: Sequence[int] = (),
) -> Battle:
    """The end of the last turn. A model of player ``holders[k]`` (-1: none) stands at marker k; only the markers
    ``standing`` are left; the Warlords of players ``lost`` are slain.
    """
    scene = EighthScene(size=(72, 48))
    for marker in MARKERS:
        scene.marker(*marker)
    for place, player in zip(MARKERS, holders, strict=True):
        if player >= 0:
            scene.unit(player, ONE, at=place)
    fates = ["destroyed" if player in lost else "table" for player in (0, 1)]
    lords = [scene.unit(player, ONE, at=(5 + 60 * player, 40), place=fate) for player, fate in enumerate(fates)]

    def settle(battle: Battle) -> None:
        battle.mission.primary[0] = primary
        battle.mission.underdog[0] = 1
        for marker in range(4):
            battle.objectives.placed[marker] = int(marker in standing)
        for player in (0, 1):
            battle.warlords.model[player] = lords[player].model(0) + 1

    battle = scene.battle("morale", active=1, round=5, dice=dice, set_state=settle)
    assert battle.over
    return battle


@pytest.mark.rule("w8.mission.primary.ancient-relic", "w8.mission.objectives.control")
@pytest.mark.parametrize("relic", range(4))
@pytest.mark.parametrize("player", [0, 1])
def test_whichever_marker_is_the_relic_it_alone_counts(relic: int, player: int) -> None:
    """One player stands where it is, the other one where the others were."""
    holders = [player if marker == relic else 1 - player for marker in range(4)]
    battle = last_turn(Primary.ANCIENT_RELIC, holders, [relic])
    assert list(battle.players.vp) == [6 * (player == 0), 6 * (player == 1)]
    assert list(battle.objectives.holder) == [player if marker == relic else -1 for marker in range(4)]


@pytest.mark.rule(
    "w8.mission.primary.slay-and-secure", "w8.mission.primary.ancient-relic", "w8.mission.primary.domination"
)
@pytest.mark.parametrize(
    ("primary", "vp", "left"),
    [(Primary.SLAY_AND_SECURE, [5, 3], 0), (Primary.ANCIENT_RELIC, [6, 0], 2), (Primary.DOMINATION, [1, 0], 2)],
)
def test_slain_warlords_count_in_slay_and_secure_alone(primary: Primary, vp: list[int], left: int) -> None:
    """Both are slain, and player 0 holds the marker that is left: in Slay and Secure each player scores 3 with a 5."""
    battle = last_turn(primary, [-1, -1, 0, -1], [2], lost=(0, 1), dice=[5, 5])
    assert (list(battle.players.vp), dice_left(battle)) == (vp, left)
