"""The 8th edition is the same game to both sides: with the players swapped everything happens as before."""

from __future__ import annotations

from math import pi

import pytest
from eighth import EighthScene
from mirror import play_swapped

from wh_env import Battle
from wh_env.testing import melee, ranged, sheet

GUN, PISTOL = ranged(24, A=2, BS=3, S=4, AP=-1), ranged(12, BS=3, S=4, abilities=["Pistol"])
BLADE, CLAWS = melee(A=2, WS=3, S=4, AP=-1), melee(A=3, WS=3, S=5)
SIDES = (
    (("gunners", 5), ("claws", 6), ("bikes", 3), ("hero", 1), ("gunners", 8), ("claws", 5)),
    (("gunners", 6), ("claws", 8), ("hero", 1), ("claws", 8), ("bikes", 2), ("gunners", 5)),
)


def kind_of(name: str) -> dict:
    """A datasheet and its weapons."""
    if name == "gunners":
        return sheet(
            name, keywords=("INFANTRY",), weapons={"gun": GUN, "blade": melee(A=1, WS=4, S=4)}, Ld=9, Sv=3, W=2
        )
    if name == "claws":
        return sheet(name, keywords=("INFANTRY",), weapons={"claws": CLAWS}, M=7, Ld=9, Sv=3, W=2)
    if name == "bikes":
        return sheet(name, keywords=("BIKER", "FLY"), weapons={"gun": GUN, "blade": BLADE}, M=12, W=2, Ld=8)
    return sheet(name, keywords=("INFANTRY", "CHARACTER"), weapons={"pistol": PISTOL, "blade": BLADE}, W=5, Ld=9)


def met(swapped: bool, seed: int, detail: str) -> Battle:
    """Two small armies a move apart; swapped: who was player 0 is player 1. Whoever that is has the first turn."""
    scene = EighthScene(size=(44, 30))
    scene.box(20, 12, 24, 16, 3.0)
    for at in ((12.0, 15.0), (32.0, 15.0)):
        scene.marker(*at)
    for side, army in enumerate(SIDES):
        for number, (name, models) in enumerate(army):
            x, y, facing = 4.0 + 6.5 * number, 24.0 if side else 6.0, -0.5 * pi if side else 0.5 * pi
            scene.unit(
                side ^ swapped,
                kind_of(name),
                at=[(x + 1.4 * (k % 4), y + 1.4 * (k // 4), 0.0, facing) for k in range(models)],
            )
    player = int(swapped)
    return scene.battle("movement", active=player, first_player=player, attacker=player, seed=seed, detail=detail)


@pytest.mark.parametrize(("detail", "seed"), [("squad", 1), ("squad", 2), ("full", 3)])
def test_swapped_players_see_may_do_and_reach_the_same(detail: str, seed: int) -> None:
    play_swapped(met(False, seed, detail), met(True, seed, detail), seed, every=10)
