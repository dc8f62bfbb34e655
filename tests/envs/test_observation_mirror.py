"""Both seats see alike: a battle seen by a seat and its mirror image seen by the other are the same numbers in every part."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest

from wh_env import Battle
from wh_env.envs.observation import PARTS, Observer, column_of
from wh_env.envs.spaces import fill_mask, is_turned, turn_action
from wh_env.testing import Scene, melee, ranged, sheet

SKIRMISH, INCURSION = "w10/only-war-skirmish", "w10/only-war-incursion"


def mirrored(battle: str, seed: int, armies: list[str], detail: str, rules: dict) -> tuple[Battle, Battle]:
    """A battle and the same with the sides of the players swapped."""
    first = {**rules, "attacker": 0, "first_player": 0}
    second = {**rules, "attacker": 1, "first_player": 1}
    return (
        Battle.load(battle, seed, detail=detail, overrides={"armies": armies}, rules=first),
        Battle.load(battle, seed, detail=detail, overrides={"armies": armies[::-1]}, rules=second),
    )


@pytest.mark.parametrize(
    ("battle", "armies", "seed", "detail", "rules"),
    [
        (SKIRMISH, ["astartes-skirmish", "tyranids-skirmish"], 1, "squad", {}),
        (SKIRMISH, ["tyranids-skirmish", "astartes-skirmish"], 2, "full", {}),
        (INCURSION, ["astartes-incursion", "tyranids-incursion"], 3, "squad", {}),
    ],
)
def test_swapped_sides_see_the_same(battle, armies, seed, detail, rules):
    a, b = mirrored(battle, seed, armies, detail, rules)
    eyes = Observer(a.setup, "entities"), Observer(b.setup, "entities")
    chance = np.random.default_rng(seed)
    masks = np.zeros((2, a.setup.space.size), np.int8)
    for step in range(300):
        if a.over:
            break
        player = a.clock.player[0]
        assert b.clock.player[0] == 1 - player
        if step % 4 == 0:
            for seat in (0, 1):
                same(eyes[0].observe(a, seat), eyes[1].observe(b, 1 - seat))
        fill_mask(a, player, masks[0])
        fill_mask(b, 1 - player, masks[1])
        assert (masks[0] == masks[1]).all()
        action = int(chance.choice(masks[0].nonzero()[0]))
        for game, seat in ((a, player), (b, 1 - player)):
            game.apply(turn_action(game.setup.space, action) if is_turned(game, seat) else action)


def same(one: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> None:
    """All parts agree."""
    assert list(one) == list(other) == list(PARTS)
    for name in PARTS:
        np.testing.assert_allclose(one[name], other[name], atol=1e-5, err_msg=name)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_table_turned_by_half_a_turn_is_the_same_to_the_other_side(seat):
    """The whole position turned, terrain and all, and the other player the Attacker: everything is as before but that."""
    guns = {"gun": ranged(24, A=2, BS=3, S=5, AP=-1), "blade": melee(A=3, S=5)}

    def turned(by_half: bool) -> Battle:
        def at(*spot: float) -> tuple[float, ...]:
            x, y, *rest = spot
            if not by_half:
                return spot
            return (60 - x, 44 - y, *rest[:1], *((f + pi) for f in rest[1:]))

        def box(x0: float, y0: float, x1: float, y1: float) -> tuple[float, ...]:
            corners = at(x0, y0), at(x1, y1)
            return (*map(min, *corners), *map(max, *corners))

        scene = Scene()
        hull = sheet("Hull", hull_in=(4, 2.5), weapons=guns, keywords=("VEHICLE",), T=9, W=10)
        scene.unit(0, sheet("Squad", weapons=guns), at=[at(12, 9, 0, 0.3), at(14, 9.5, 0, 0.3), at(13, 11, 0, 0.3)])
        scene.unit(0, hull, at=[at(33, 12, 0, 1.1)])
        scene.unit(1, sheet("Swarm", weapons=guns, T=3), at=[at(30, 30, 0, -1.0), at(32, 31, 0, -1.0)])
        scene.unit(1, hull, at=[at(11, 25, 0, 2.0)])
        scene.marker(*at(20, 20))
        scene.marker(*at(45, 15))
        scene.marker(*at(45, 35))
        scene.box(*box(20, 14, 27, 18), height=5.0)
        scene.ruins(*box(8, 14, 15, 19), floors=(3.0,))
        scene.woods(*box(38, 20, 44, 29))
        return scene.battle("shooting", attacker=1 if by_half else 0)

    plain, other = turned(False), turned(True)
    views = [Observer(battle.setup, "entities").observe(battle, seat) for battle in (plain, other)]
    attacker = column_of(plain.setup.ruleset, "globals", "attacker")
    assert views[0]["globals"][attacker] == 1 - views[1]["globals"][attacker]
    views[0]["globals"][attacker] = views[1]["globals"][attacker] = 0
    same(*views)
    assert views[0]["terrain"].any() and views[0]["sight"].any() and not views[0]["sight"][:2, :2].all()
