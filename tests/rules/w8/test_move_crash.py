"""Flyers that cannot make their minimum move: the end of a battle, passengers (w8.move.minimum.destroyed, w8.transport.destroyed.*)."""

from __future__ import annotations

import pytest
from eighth import EighthScene

from wh_env import Battle
from wh_env.core.tables import DESTROYED, ON_TABLE
from wh_env.testing import dice_left, kind, pick, sheet, slots, told

FLYER = sheet("Flyer", M=60, W=9, base_mm=60, keywords=("VEHICLE", "FLY"), models=(1, 1))
HOLD = {"transport": {"capacity": 10, "allowed": ["INFANTRY"]}}
FERRY = sheet("Flyer", M=60, W=9, base_mm=60, keywords=("VEHICLE", "FLY", "TRANSPORT"), models=(1, 1), abilities=HOLD)
MIDDLE = (15.0, 15.0)  # of a table on which no place is 20" away
SIZE = (30.0, 30.0)


@pytest.mark.rule("w8.move.minimum.destroyed", "w8.mission.victory.wipe-out")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("way", ["Normal move", "Advance", "Fall Back"])
def test_the_last_unit_of_an_army_ends_the_battle(way: str, detail: str, player: int) -> None:
    """It is destroyed, and the battle is over: the other army has won, nothing else happens."""
    scene = EighthScene(size=SIZE)
    unit = scene.unit(player, FLYER, at=MIDDLE, models=1, least_move=20, facing=0.0)
    scene.unit(1 - player, sheet("Foe"), at=(17.0, 15.0) if way == "Fall Back" else (3.0, 3.0), models=1)
    battle = scene.battle(active=player, detail=detail, dice=[3])
    if kind(battle) == "select-to-move":
        pick(battle, "Flyer")
    if kind(battle) == "move-kind":
        pick(battle, way)
    assert battle.units.place[unit] == DESTROYED
    assert battle.over and battle.decision is None and battle.clock.depth[0] == 0
    assert battle.result is not None and battle.result.winner == 1 - player
    assert len(told(battle, "w8.move.minimum.destroyed")) == 1


def ferry(player: int, detail: str, dice: list[int], friend: bool) -> tuple[Battle, int, int]:
    """A TRANSPORT with three passengers that cannot move far enough; ``friend``: another unit of its army is there."""
    scene = EighthScene(size=SIZE)
    carrier = scene.unit(player, FERRY, at=MIDDLE, models=1, least_move=20, facing=0.0)
    crew = scene.unit(player, sheet("Crew"), models=3, embarked_in=carrier)
    if friend:
        scene.unit(player, sheet("Friend"), at=(27, 27), models=1)
    scene.unit(1 - player, sheet("Foe"), at=(3, 3), models=1)
    battle = scene.battle(active=player, detail=detail, dice=dice)
    while battle.decision is not None and kind(battle) in ("select-to-move", "disembark-first"):
        pick(battle, "Flyer")
    if kind(battle) == "move-kind":
        pick(battle, "Normal move")
    return battle, carrier.row, crew.row


@pytest.mark.rule("w8.move.minimum.destroyed", "w8.transport.destroyed", "w8.transport.destroyed.casualties")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("dice", "left"), [([2, 6, 3], 3), ([1, 4, 5], 2), ([1, 1, 1], 0)])
def test_its_passengers_get_out_of_the_wreck(dice: list[int], left: int, detail: str, player: int) -> None:
    """They are set up within 3", one is slain for each 1, then the flyer is removed; without anybody left the battle ends."""
    battle, carrier, crew = ferry(player, detail, dice, friend=left > 0)
    assert battle.units.place[crew] != DESTROYED
    seen = []
    while battle.decision is not None and battle.decision.player == player and kind(battle) in (
        "wreck-order", "disembark-at", "place-model", "place-exactly", "place-facing", "place-level", "place-together", "wreck-loss",
    ):  # fmt: skip
        seen.append(kind(battle))
        battle.apply(battle.first_legal() if slots(battle, "cell") == [] else slots_cell(battle))
    assert seen
    assert dice_left(battle) == 0
    assert battle.units.place[carrier] == DESTROYED
    assert battle.units.alive[crew] == left
    assert battle.units.place[crew] == (ON_TABLE if left else DESTROYED)
    assert battle.over is (left == 0)
    if left:
        assert battle.toll_array[battle.units.first[carrier]] == 1
        assert not told(battle, "w8.mission.victory.wipe-out")
        assert kind(battle) == "select-to-move" and crew in slots(battle, "own")  # it may still act in its own turn
        near = list(battle.members(crew))
        assert all(((battle.models.x[k] - 15) ** 2 + (battle.models.y[k] - 15) ** 2) ** 0.5 < 6 for k in near)


def slots_cell(battle: Battle) -> int:
    """The first legal place."""
    assert battle.decision is not None
    return next(a for a in battle.decision.options if a >= battle.setup.space.cell)
