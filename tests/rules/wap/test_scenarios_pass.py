"""Battle for the Pass: the ends of the table, and edges that nobody can cross."""

from __future__ import annotations

from typing import Any

import pytest
from heroes import hero

from tests.scenarios import at_the_end, deploy_all
from wh_env import Battle
from wh_env.core.tables import DESTROYED, ON_TABLE, RESERVE
from wh_env.rulesets.wap.basics.blocks import block_parts
from wh_env.rulesets.wap.basics.room import in_zone, on_the_table
from wh_env.rulesets.wap.battle.victory import share_of
from wh_env.rulesets.wap.deployment.divisions import zone_of
from wh_env.rulesets.wap.movement.edge_places import EAST as EAST_EDGE
from wh_env.rulesets.wap.movement.edge_places import NORTH as NORTH_EDGE
from wh_env.rulesets.wap.movement.edge_places import SOUTH as SOUTH_EDGE
from wh_env.rulesets.wap.movement.edge_places import WEST as WEST_EDGE
from wh_env.rulesets.wap.movement.edge_places import edges_open
from wh_env.rulesets.wap.pursuit.off_table import come_back
from wh_env.rulesets.wap.pursuit.ways import FREE, LEAVES, STOPPED, straight_on, towards
from wh_env.testing import choose, dice_left, kind, slots, told
from wh_env.testing.wap import EAST, NORTH, SOUTH, WEST, RegimentScene, corners, pose, square

FLYER = square(rules=["Fly (8)"])
GHOST = square(rules=["Ethereal"])


def muster(first: int, second: int, **more: Any) -> RegimentScene:
    """Armies of so many units, which wait to be deployed."""
    scene = RegimentScene((72, 48), mission="pass", **more)
    for player, count in ((0, first), (1, second)):
        for _ in range(count):
            scene.unit(player, square(points=10), models=5)
    return scene


@pytest.mark.parametrize("end", [0, 1])
@pytest.mark.parametrize(("dice", "winner"), [([6, 1], 0), ([3, 3, 2, 5], 1)])
@pytest.mark.rule("wap.scenario.pass.side", "wap.scenario.roll-off")
def test_the_winner_chooses_an_end_of_the_table(dice: list[int], winner: int, end: int) -> None:
    battle = muster(1, 1).battle("deployment", dice=dice)
    assert battle.decision is not None
    assert (battle.decision.kind, battle.decision.player, slots(battle, "option")) == ("choose-side", winner, [0, 1])
    words = [battle.describe(action) for action in battle.decision.options]
    assert words == ["the western half", "the eastern half"]
    choose(battle, "option", end)
    assert told(battle, "wap.scenario.pass.side")
    deploy_all(battle)
    western = winner if end == 0 else 1 - winner
    for player in (0, 1):
        xs = [x for unit in battle.units_of(player) for x, _ in corners(battle, unit)]
        assert all((x < 36) is (player == western) for x in xs)
        facing = [battle.units.facing[unit] for unit in battle.units_of(player)]
        assert facing == pytest.approx([EAST if player == western else WEST])


@pytest.mark.parametrize(("front", "fine"), [(23.99, True), (24.0, False), (24.5, False)])
@pytest.mark.rule("wap.scenario.pass.deployment")
def test_units_stand_more_than_twelve_inches_from_the_centre_line(front: float, fine: bool) -> None:
    """A single rank that faces east, with its front edge at x = ``front``."""
    scene = muster(1, 1)
    battle = scene.battle("deployment", dice=[6, 1])
    choose(battle, "option", 0)
    block_parts(battle.units.rows, 0, front, 24.0, EAST, 5, battle.work.block, 0)
    assert (in_zone(battle.work.block, zone_of(battle, 0)) and on_the_table(battle.work.block, 72.0, 48.0)) is fine
    assert zone_of(battle, 1)[:, 0].min() == pytest.approx(48.0, abs=1e-3)
    assert zone_of(battle, 0)[:, 1].max() == 48.0


@pytest.mark.rule("wap.scenario.pass.deployment")
def test_one_unit_each_in_turn() -> None:
    battle = muster(3, 2).battle("deployment", dice=[1, 6])
    choose(battle, "option", 0)
    deploy_all(battle)
    placed = [battle.units.owner[event["unit"]] for event in told(battle, "wap.scenario.pass.deployment")]
    assert placed == [1, 0, 1, 0, 0]
    assert battle.units.x[3] < 24.0 < 48.0 < battle.units.x[0]


@pytest.mark.parametrize(("dice", "first"), [([5, 5], 1), ([6, 5, 1, 1], 1), ([6, 4], 0)])
@pytest.mark.rule("wap.scenario.pass.first-turn")
def test_who_finished_deploying_first_adds_one(dice: list[int], first: int) -> None:
    """B has one unit, A two; A, who has the western end, rolls first."""
    battle = muster(2, 1).battle("deployment", dice=[6, 1, *dice])
    choose(battle, "option", 0)
    deploy_all(battle)
    assert (battle.clock.finished[0], battle.clock.first_player[0], dice_left(battle)) == (1, first, 0)
    assert told(battle, "wap.scenario.pass.first-turn")[-1]["first_player"] == first


@pytest.mark.parametrize(("turn", "over"), [(5, False), (6, True)])
@pytest.mark.rule("wap.scenario.pass.length")
def test_six_game_turns(turn: int, over: bool) -> None:
    assert at_the_end("pass", 2000, turn).over is over


@pytest.mark.parametrize(
    ("second", "degree", "winner"), [(500, "massacre", 0), (501, "solid victory", 0), (1400, "draw", None)]
)
@pytest.mark.rule("wap.scenario.pass.victory")
def test_points_decide(second: int, degree: str, winner: int | None) -> None:
    """1,500 points against others in a game of 2,000."""
    battle = at_the_end("pass", 2000, 6, (1500, second))
    assert told(battle, "wap.scenario.pass.victory")[0]["degree"] == degree
    assert battle.result is not None and battle.result.winner == winner


# ---------------------------------------------------------------- the bottleneck


def in_the_pass(at: tuple[float, float], facing: float = SOUTH) -> Battle:
    """One unit of player 0, in the first row, and an enemy far away."""
    scene = RegimentScene((72, 48), mission="pass")
    scene.unit(0, None, at, models=10, files=5, facing=facing)
    scene.unit(1, None, (66, 24), facing=WEST)
    return scene.battle("movement", run=False)


@pytest.mark.parametrize(("dice", "gone"), [([3, 4], True), ([1, 2], False), ([2, 2], False), ([2, 3], True)])
@pytest.mark.rule("wap.scenario.pass.bottleneck.impassable")
def test_who_flees_goes_through_the_cliffs_and_is_lost(dice: list[int], gone: bool) -> None:
    """5" from the edge; he cannot end within an inch of it."""
    scene = RegimentScene((72, 48), mission="pass")
    unit = scene.unit(0, None, (30, 5), models=10, files=5, facing=SOUTH, fleeing=1)
    scene.unit(1, None, (66, 24), facing=WEST)
    battle = scene.battle("movement", dice=[6, 6, *dice])
    assert dice_left(battle) == 0
    assert (battle.units.place[unit] == DESTROYED) is gone
    if gone:
        assert share_of(battle, unit.row)[0] == "wap.victory.dead-or-fled"
    else:
        assert pose(battle, unit) == pytest.approx((30.0, 5.0 - sum(dice), SOUTH))


@pytest.mark.rule("wap.scenario.pass.bottleneck.impassable")
def test_nobody_ends_a_move_within_an_inch_of_the_cliffs() -> None:
    scene = RegimentScene((72, 48), mission="pass")
    unit = scene.unit(0, None, (30, 4), models=5, facing=SOUTH)
    scene.unit(1, None, (66, 24), facing=WEST)
    battle = scene.battle("movement", detail="full")
    choose(battle, "own", unit.number)
    battle.apply(next(a for a in battle.decision.options if "advance" in battle.describe(a)))  # type: ignore[union-attr]
    choose(battle, "option", 0)
    assert kind(battle) == "leg-length"
    battle.apply(battle.decision.options[-1])  # type: ignore[union-attr]
    assert battle.units.py[unit] == pytest.approx(1.0, abs=2e-3)


@pytest.mark.parametrize(
    ("card", "edges"),
    [
        (None, [EAST_EDGE, WEST_EDGE]),
        (FLYER, [SOUTH_EDGE, EAST_EDGE, NORTH_EDGE, WEST_EDGE]),
        (GHOST, [SOUTH_EDGE, EAST_EDGE, NORTH_EDGE, WEST_EDGE]),
    ],
)
@pytest.mark.rule("wap.scenario.pass.bottleneck.entry")
def test_who_comes_on_comes_over_the_short_edges(card: Any, edges: list[int]) -> None:
    scene = RegimentScene((72, 48), mission="pass")
    unit = scene.unit(0, card, models=10, reserve=True)
    scene.unit(0, None, (20, 24), facing=EAST)
    scene.unit(1, None, (50, 24), facing=WEST)
    battle = scene.battle("movement")
    assert edges_open(battle, unit.row) == edges
    plain = RegimentScene((72, 48))
    unit = plain.unit(0, card, models=10, reserve=True)
    plain.unit(0, None, (20, 24), facing=EAST)
    plain.unit(1, None, (50, 24), facing=WEST)
    assert len(edges_open(plain.battle("movement"), unit.row)) == 4


@pytest.mark.parametrize(("y", "facing", "ends"), [(4.0, SOUTH, 1.0), (44.0, NORTH, 47.0), (1.0, SOUTH, 1.0)])
@pytest.mark.rule("wap.scenario.pass.bottleneck.pursuit")
def test_who_pursues_stops_an_inch_before_a_long_edge(y: float, facing: float, ends: float) -> None:
    battle = in_the_pass(at=(30, y), facing=facing)
    for end in (straight_on(battle, 0, 9.0), towards(battle, 0, facing, 9.0)):
        assert end.how == STOPPED
        assert end.place == pytest.approx((30.0, ends, facing), abs=1e-3)


@pytest.mark.rule("wap.scenario.pass.bottleneck.pursuit")
def test_a_shorter_pursuit_is_not_stopped() -> None:
    end = straight_on(in_the_pass(at=(30, 4)), 0, 2.0)
    assert (end.how, end.far) == (FREE, 2.0)


@pytest.mark.rule("wap.scenario.pass.bottleneck.pursuit")
def test_short_edges_are_open_to_who_pursues() -> None:
    battle = in_the_pass(at=(4, 24), facing=WEST)
    assert straight_on(battle, 0, 9.0).how == LEAVES


@pytest.mark.parametrize("card", [FLYER, GHOST])
@pytest.mark.rule("wap.scenario.pass.bottleneck.pursuit", "wap.scenario.pass.bottleneck.entry")
def test_flyers_pursue_off_the_table_and_come_back(card: Any) -> None:
    scene = RegimentScene((72, 48), mission="pass")
    winners = scene.unit(0, card, (30, 4), models=10, files=5, facing=SOUTH)
    scene.unit(1, None, (66, 24), facing=WEST)
    battle = scene.battle("movement")
    end = straight_on(battle, winners.row, 9.0)
    assert (end.how, end.far) == (LEAVES, pytest.approx(4.0))
    u = battle.units
    u.place[winners], u.left_edge[winners], u.left_at[winners], u.left_files[winners] = RESERVE, SOUTH_EDGE, 30.0, 5
    u.files[winners] = 0
    come_back(battle, 0)
    assert u.place[winners] == ON_TABLE and u.facing[winners] == pytest.approx(NORTH)
    assert min(y for _, y in corners(battle, winners)) == pytest.approx(0.0)


@pytest.mark.parametrize(("lord", "leaves"), [(hero(rules=["Ethereal"]), True), (hero(), False)])
@pytest.mark.rule("wap.scenario.pass.bottleneck.pursuit", "wap.character.combined.restrictions")
def test_a_mortal_hero_holds_back_the_ghosts_around_him(lord: Any, leaves: bool) -> None:
    scene = RegimentScene((72, 48), mission="pass")
    ghosts = scene.unit(0, GHOST, (30, 4), models=10, files=5, facing=SOUTH)
    scene.unit(0, lord, inside=ghosts, models=1)
    scene.unit(1, None, (66, 24), facing=WEST)
    end = straight_on(scene.battle("movement"), ghosts.row, 9.0)
    assert (end.how == LEAVES) is leaves and end.far == pytest.approx(4.0 if leaves else 3.0)


@pytest.mark.parametrize(("card", "leaves"), [(None, False), (FLYER, True)])
@pytest.mark.rule("wap.scenario.pass.bottleneck.pursuit")
def test_a_pursuit_after_a_combat(card: Any, leaves: bool) -> None:
    """An enemy breaks and flees over the edge; who pursues him does so too, or stops."""
    scene = RegimentScene((72, 48), mission="pass")
    strong = {"ws": 10, "s": 4, "t": 10, "i": 10}
    own = square(**strong) if card is None else square(rules=["Fly (8)"], **strong)
    victim = scene.unit(1, square(ld=2), (30, 5), models=10, files=5, facing=NORTH)
    winner = scene.unit(0, own, (30, 5), models=10, files=5, facing=SOUTH)
    scene.unit(1, None, (66, 24), facing=WEST)
    scene.unit(0, None, (6, 24), facing=EAST)
    battle = scene.battle("combat", seed=3)
    while battle.clock.phase[0] == 4 and kind(battle) is not None and not told(battle, "wap.pursuit.move"):
        assert battle.decision is not None
        options = battle.decision.options
        battle.apply(next((a for a in options if a and battle.decision.kind == "pursue"), options[0]))
    assert battle.units.place[victim] == DESTROYED and told(battle, "wap.pursuit.move")
    assert bool(told(battle, "wap.pursuit.off-table")) is leaves
    if not leaves:
        assert min(y for _, y in corners(battle, winner)) == pytest.approx(1.0, abs=1e-3)
