"""Whose rolls can be rolled again: attacks of player 1 and of units that are not the first (w10.concepts.reroll.*,
w10.stratagem.command-re-roll)."""

from __future__ import annotations

import pytest

from wh_env import Battle
from wh_env.testing import Scene, choose, dice_left, kind, pick, ranged, sheet, words

ASKED = {"stratagems": {"command-re-roll": "ask"}, "cp_each_command_phase": 0}


def shooting(
    player: int,
    dice: list[int],
    cp: tuple[int, int],
    abilities: tuple[str, ...] = (),
    detail: str = "squad",
    **rules: object,
) -> Battle:
    """The second unit of a player has shot at the second unit of the other; what happens next are its dice."""
    scene = Scene()
    gun = {"gun": ranged(24, BS=4, S=4, abilities=abilities)}
    near, far = ((10, 10), (10, 20)) if player == 0 else ((10, 30), (10, 20))
    scene.unit(player, sheet("Idle", weapons=gun), at=(near[0] + 4, near[1]), models=1)
    scene.unit(player, sheet("Guns", weapons=gun), at=near, models=1)
    scene.unit(1 - player, sheet("Others", Sv=3, W=9), at=(50, 40 if player == 0 else 4), models=1)
    scene.unit(1 - player, sheet("Target", Sv=3, W=9, keywords=("BEASTS",)), at=far, models=1)
    battle = scene.battle("shooting", active=player, cp=cp, dice=dice, rules={**ASKED, **rules}, detail=detail)
    pick(battle, "Guns", kind="select-to-shoot")
    if kind(battle) == "shoot-target":
        pick(battle, "Target")
    elif kind(battle) == "weapon-target":
        pick(battle, "at Target")
    return battle


@pytest.mark.rule("w10.stratagem.command-re-roll")
@pytest.mark.parametrize("player", [0, 1])
def test_the_shooter_is_offered_its_hit_and_wound_rolls_and_the_target_its_save(player: int) -> None:
    """Either player has CP: rolls of attacks are the shooter's, saves are the target's, whoever is player 0."""
    mine = (1, 0) if player == 0 else (0, 1)
    battle = shooting(player, [3, 4, 4, 4], mine)
    assert battle.decision is not None
    assert (battle.decision.kind, battle.decision.player) == ("command-re-roll-die", player)
    pick(battle, "a hit roll of 3")
    assert tuple(battle.players.cp) == (0, 0)
    assert dice_left(battle) == 0
    theirs = (0, 1) if player == 0 else (1, 0)
    battle = shooting(player, [4, 4, 2, 3], theirs)
    assert battle.decision is not None
    assert (battle.decision.kind, battle.decision.player) == ("command-re-roll-die", 1 - player)
    assert "Command Re-roll: a save roll of 2" in words(battle).values()
    pick(battle, "a save roll of 2")
    assert tuple(battle.players.cp) == (0, 0)
    assert battle.models.wounds[1 if player else 3] == 9


@pytest.mark.rule("w10.concepts.reroll.optional")
@pytest.mark.parametrize("player", [0, 1])
def test_a_rule_of_the_other_player_or_of_another_unit_gives_nothing(player: int) -> None:
    """Re-rolls of hits for the player or for this unit are offered; for the other player or for the unit beside it they are not."""
    guns = 1 + 2 * player
    for row, offered in (
        ({"player": player, "roll": "hit"}, True),
        ({"player": player, "roll": "hit", "unit": guns}, True),
        ({"player": player, "roll": "hit", "unit": guns - 1}, False),
        ({"player": 1 - player, "roll": "hit"}, False),
        ({"player": player, "roll": "save"}, False),
        ({"player": 1 - player, "roll": "save"}, False),  # the attack has not come to a save yet
    ):
        battle = shooting(player, [3, 2], (0, 0), detail="full", rerolls=[row])
        assert (kind(battle) == "reroll-die") == offered
        if offered:
            assert battle.decision is not None
            assert battle.decision.player == player
            choose(battle, "number", 3)
            assert dice_left(battle) == 0


@pytest.mark.rule("w10.stratagem.command-re-roll", "w10.weapon.hazardous.test")
@pytest.mark.parametrize("player", [0, 1])
def test_a_hazardous_test_of_either_player(player: int) -> None:
    """The hit roll is kept, the Hazardous test of 1 is rolled again and passed."""
    battle = shooting(player, [1, 1, 2], (1, 0) if player == 0 else (0, 1), ("Hazardous",))
    pick(battle, "keep", kind="command-re-roll-die")
    assert battle.decision is not None
    assert battle.decision.player == player
    pick(battle, "hazardous roll of 1")
    assert battle.units.alive[1 + 2 * player] == 1
    assert tuple(battle.players.cp) == (0, 0)
    if kind(battle) == "select-to-shoot":
        choose(battle, "done")
