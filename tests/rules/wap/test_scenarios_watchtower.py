"""The Watchtower: who holds it first, who deploys where and plays first, how long it lasts, and who has won."""

from __future__ import annotations

from typing import Any

import pytest

from tests.scenarios import deploy_all
from wh_env import Battle, ContentError
from wh_env.content.wap import load_battle, load_mission
from wh_env.content.wap.limits import check_lists
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.deployment.divisions import zone_of
from wh_env.rulesets.wap.turns.turns import Turns
from wh_env.testing import choose, dice_left, kind, slots, told
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, corners, square

WATCH = "wap.scenario.watchtower"
MISSIONS = ("battleline", "dawn-attack", "pass", "blood-and-glory", "meeting-engagement", "watchtower")
HORSE = {"m": 8, "ws": 3, "bs": 0, "s": 3, "t": 3, "w": 1, "i": 3, "a": 1, "ld": 5}
CAVALRY = square(type="cavalry", base_mm=[25.4, 50.8], mount=HORSE)
BOTH_PLAYERS = pytest.mark.parametrize("player", [0, 1])


def field(**more: Any) -> RegimentScene:
    """A table with a tower of four by four inches in its centre."""
    scene = RegimentScene((72, 48), mission="watchtower", **more)
    scene.area("building", 34, 22, 38, 26, name="tower", storeys=2)
    return scene


def muster(own: int = 2, **more: Any) -> RegimentScene:
    """Armies of so many units that wait to be deployed; none of them may be a garrison but the first of each."""
    scene = field(**more)
    for player in (0, 1):
        scene.unit(player, square(points=10), models=10)
        for _ in range(own - 1):
            scene.unit(player, square(points=10), models=21)
    return scene


# ---------------------------------------------------------------- before the battle


@pytest.mark.parametrize(("dice", "holder"), [([2, 5], 1), ([5, 2], 0), ([3, 3, 4, 1], 0), ([6, 6, 1, 2], 1)])
@pytest.mark.rule("wap.scenario.watchtower.control")
def test_the_winner_of_a_roll_off_holds_the_tower_first(dice: list[int], holder: int) -> None:
    battle = muster().battle("deployment", dice=dice)
    assert kind(battle) == "tower-garrison" and battle.clock.player[0] == holder and dice_left(battle) == 0
    assert told(battle, f"{WATCH}.control")[-1]["totals"] == tuple(dice[-2:])
    assert slots(battle, "own") == [0] and battle.legal()[0]


@BOTH_PLAYERS
@pytest.mark.parametrize("half", [0, 1])
@pytest.mark.rule("wap.scenario.watchtower.side")
def test_his_opponent_chooses_a_half_when_the_garrison_stands(player: int, half: int) -> None:
    battle = muster().battle("deployment", dice=[1, 6] if player == 0 else [6, 1])
    assert kind(battle) == "tower-garrison" and battle.clock.player[0] == 1 - player
    choose(battle, "own", 0)
    garrison = int(battle.players.first_unit[1 - player])
    assert battle.units.garrison[garrison] == 0 and battle.units.place[garrison] == ON_TABLE
    assert kind(battle) == "choose-side" and battle.clock.player[0] == player
    assert slots(battle, "option") == [0, 1]
    choose(battle, "option", half)
    mine, other = zone_of(battle, player)[:, 1], zone_of(battle, 1 - player)[:, 1]
    assert (mine.max() < 24 < other.min()) if half == 0 else (other.max() < 24 < mine.min())
    assert told(battle, f"{WATCH}.side")[0]["player"] == player


@BOTH_PLAYERS
@pytest.mark.parametrize("garrison", [True, False])
@pytest.mark.rule("wap.scenario.watchtower.deployment")
def test_units_are_placed_by_turns_beginning_with_his_opponent(player: int, garrison: bool) -> None:
    battle = muster(3).battle("deployment", dice=[1, 6] if player == 0 else [6, 1])
    if garrison:
        choose(battle, "own", 0)
    else:
        choose(battle, "done")
    choose(battle, "option", 0)
    deploy_all(battle)
    placed = [battle.units.owner[note["unit"]] for note in told(battle, f"{WATCH}.deployment")]
    other = 1 - player
    assert placed == ([player, other, player, other, player] if garrison else [player, other] * 3)
    south = [unit for unit in battle.units_of(player) if battle.units.garrison[unit] < 0]
    assert len(south) == 3


@pytest.mark.parametrize(("y", "fine"), [(11.9, True), (11.99, True), (12.0, False), (13.0, False)])
@pytest.mark.rule("wap.scenario.watchtower.deployment")
def test_more_than_twelve_inches_from_the_centre_line(y: float, fine: bool) -> None:
    scene = muster()
    zone = zone_of(scene.battle("deployment", run=False), 0)
    assert bool(y <= zone[:, 1].max()) is fine


@BOTH_PLAYERS
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.rule("wap.scenario.watchtower.deployment", "wap.scenario.watchtower.first-turn")
def test_all_bases_lie_in_the_zone_and_the_opponent_plays_first(player: int, seed: int) -> None:
    scene = muster(3)
    battle = scene.battle("deployment", dice=[1, 6] if player == 0 else [6, 1], seed=seed)
    choose(battle, "own", 0)
    choose(battle, "option", 0)
    deploy_all(battle, seed)
    for side in scene.sides:
        for unit in side:
            ys = [y for _, y in corners(battle, unit)]
            if battle.units.garrison[unit] == 0:
                continue
            assert max(ys) < 12.0 if unit.player == player else min(ys) > 36.0
    assert battle.clock.first_player[0] == battle.clock.turn[0] == player
    assert told(battle, f"{WATCH}.first-turn") == [{"first_player": player}]
    assert not [event for event in battle.events if event.kind == "roll-off" and event.rule != f"{WATCH}.control"]


@BOTH_PLAYERS
@pytest.mark.parametrize(("dice", "stays"), [([6, 6], False), ([1, 1], True)])
@pytest.mark.rule("wap.scenario.watchtower.garrison")
def test_a_frenzied_garrison_comes_out_against_its_will(player: int, dice: list[int], stays: bool) -> None:
    """In the first game turn a unit may not leave the tower of its own will. Frenzy that it does not hold back drives
    it out."""
    scene = field()
    wild = scene.unit(player, square(rules=["Frenzy"]), models=10)
    scene.unit(1 - player, None, (36, 33), facing=SOUTH)
    battle = scene.battle("deployment", dice=[6, 1, *dice] if player == 0 else [1, 6, *dice])
    choose(battle, "own", 0)
    assert battle.units.garrison[wild] == 0
    while battle.clock.round[0] < 2:
        battle.apply(battle.first_legal())
    assert dice_left(battle) == 0
    assert bool(battle.units.garrison[wild] == 0) is stays
    assert bool(told(battle, "wap.building.leave.forced-charge")) is not stays


# ---------------------------------------------------------------- length


def at_the_end(turn: int, dice: list[int], second: int = 1) -> Battle:
    """The end of a player's turn of that game turn; ``second``: of the second player's."""
    scene = field()
    scene.unit(0, None, (10, 6), facing=SOUTH)
    scene.unit(1, None, (60, 42), facing=NORTH)
    battle = scene.battle("end", turn=turn, player=1, dice=dice, run=False)
    battle.stack[battle.frame + Turns.SECOND] = second
    battle.run()
    return battle


@pytest.mark.parametrize("die", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize(("turn", "ends_on"), [(4, 6), (5, 5), (6, 4), (7, 3), (8, 2)])
@pytest.mark.rule("wap.scenario.watchtower.length")
def test_a_die_and_the_number_of_the_turn_make_ten(turn: int, ends_on: int, die: int) -> None:
    battle = at_the_end(turn, [die])
    assert dice_left(battle) == 0
    assert battle.over is (die >= ends_on)
    assert told(battle, f"{WATCH}.length") == [{"round": turn, "die": die, "passed": die >= ends_on}]
    assert battle.clock.round[0] == (turn if battle.over else turn + 1)


@pytest.mark.rule("wap.scenario.watchtower.length")
def test_no_die_before_the_fourth_turn_nor_after_a_first_players_turn() -> None:
    for turn in (1, 2, 3):
        battle = at_the_end(turn, [6])
        assert not battle.over and dice_left(battle) == 1 and battle.clock.round[0] == turn + 1
    assert dice_left(at_the_end(4, [6], second=0)) == 1
    assert at_the_end(9, [1]).over
    battle = at_the_end(4, [5])
    assert not battle.over and battle.clock.round[0] == 5


# ---------------------------------------------------------------- victory


def ended(*beside: tuple[int, Any, int, float, dict[str, Any]], vp: tuple[int, int] = (0, 0)) -> Battle:
    """The last turn is over. Units (player, card, models, inches from the tower; None: in it, columns) stand in a row
    on either side of it.
    """
    scene, at = field(points=2000), [0, 0]
    for player, card, models, far, more in beside:
        if far is None:
            scene.unit(player, card, (65.0, 24.0), models=models, garrison=0, **more)
            continue
        y = 22.0 - far if player == 0 else 26.0 + far
        x = 36.0 + 5.5 * at[player]
        at[player] += 1
        scene.unit(
            player, card, (x, y), models=models, files=min(5, models), facing=NORTH if player == 0 else SOUTH, **more
        )
    for player in (0, 1):
        scene.unit(player, None, (2.5, 6.0 if player == 0 else 42.0), models=1, files=1)
    battle = scene.battle("end", turn=9, player=1, run=False)
    battle.players.vp[0], battle.players.vp[1] = vp
    battle.stack[battle.frame + Turns.SECOND] = 1
    battle.run()
    assert battle.over
    return battle


def mirrored(units: list[tuple[int, Any, int, float | None, dict[str, Any]]], player: int) -> Any:
    """The same units of the other players, for ``player`` 1."""
    return [(one ^ player, *rest) for one, *rest in units]


@BOTH_PLAYERS
@pytest.mark.parametrize(
    ("units", "totals"),
    [
        # twelve in the tower and a fleeing unit against fifteen and four riders
        (
            [(0, None, 12, None, {}), (0, None, 20, 1.5, {"fleeing": 1}), (1, None, 15, 2.0, {}),
             (1, CAVALRY, 4, 3.0, {})],
            (24, 23),
        ),
        ([(0, None, 30, None, {}), (1, None, 20, 1.5, {})], (50, 20)),
        ([(0, None, 20, None, {}), (1, None, 39, 6.0, {})], (40, 39)),
        ([(0, None, 21, None, {}), (1, None, 42, 6.0, {})], (41, 42)),
        ([(0, None, 10, 6.0, {}), (1, None, 20, 6.01, {})], (10, 0)),
        ([(0, None, 5, 1.5, {}), (0, None, 6, 1.5, {}), (1, None, 10, 1.5, {})], (11, 10)),
    ],
)  # fmt: skip
@pytest.mark.rule("wap.scenario.watchtower.victory")
def test_who_is_stronger_at_the_tower_has_won(
    player: int, units: list[tuple[int, Any, int, float | None, dict[str, Any]]], totals: tuple[int, int]
) -> None:
    """However many points the other side has."""
    winner = int(totals[1] > totals[0]) ^ player
    battle = ended(*mirrored(units, player), vp=(5000, 0) if winner else (0, 5000))
    (note,) = told(battle, f"{WATCH}.victory")
    assert note["totals"] == (totals if player == 0 else totals[::-1]) and note["winner"] == winner
    assert battle.result is not None and battle.result.winner == winner
    assert battle.objectives.holder[0] == winner
    assert not told(battle, f"{WATCH}.no-control")


@BOTH_PLAYERS
@pytest.mark.parametrize(
    "units",
    [
        [],
        [(0, None, 20, 6.5, {}), (1, None, 20, 1.5, {"fleeing": 1})],
        [(0, None, 20, 1.5, {}), (1, None, 20, 1.5, {})],
        [(0, None, 10, None, {}), (1, None, 20, 1.5, {})],
    ],
)
@pytest.mark.rule("wap.scenario.watchtower.no-control")
def test_points_decide_where_nobody_controls_it(
    player: int, units: list[tuple[int, Any, int, float | None, dict[str, Any]]]
) -> None:
    battle = ended(*mirrored(units, player), vp=(0, 1500) if player else (1500, 0))
    assert battle.result is not None and battle.result.winner == player
    assert not told(battle, f"{WATCH}.victory") and battle.objectives.holder[0] == -1
    (note,) = told(battle, f"{WATCH}.no-control")
    assert note["degree"] == "massacre" and note["winner"] == player
    assert load_mission("watchtower").special_rules == ()


def test_the_tower_is_an_objective_whose_holder_is_known_in_every_turn() -> None:
    scene = field()
    scene.unit(0, None, (36.0, 20.0), models=10)
    near: UnitHandle = scene.unit(1, None, (36.0, 30.0), models=15)
    battle = scene.battle("end", turn=1, player=0)
    o = battle.objectives
    assert (o.x[0], o.y[0], o.radius[0], o.placed[0]) == (36.0, 24.0, 2.0, 1)
    assert (o.holder[0], o.level0[0], o.level1[0]) == (1, 10, 15)
    battle.units.fleeing[near] = 1
    while battle.clock.turn[0] == 1:
        battle.apply(battle.first_legal())
    assert o.level1[0] in (0, 15) and o.level0[0] >= 0


# ---------------------------------------------------------------- armies, files


@pytest.mark.parametrize("mission", MISSIONS)
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.scenario.armies")
def test_each_player_chooses_up_to_the_points_agreed(mission: str, player: int) -> None:
    """An army of 2,500 points is legal in every mission, one of 2,501 is not."""
    for cost, legal in ((2500, True), (2501, False)):
        cards = {"hero": square(points=100, character=True, size=[1, 1], category="hero")}
        cards |= {f"men {n}": square(points=400, size=[1, 1]) for n in range(5)}
        cards["rest"] = square(points=cost - 2100, size=[1, 1])
        army = {
            "name": "army", "sheet": {"name": "sheet", "cards": cards},
            "units": [{"card": card, "models": 1, "general": card == "hero"} for card in cards],
        }  # fmt: skip
        other = {**army, "sheet": {"name": "other", "cards": {**cards, "rest": square(points=400, size=[1, 1])}}}
        armies = [army, other] if player == 0 else [other, army]
        fields = {
            "mission": mission,
            "battlefield": {"name": "bare", "size": [72, 48]},
            "armies": armies,
            "points": 2500,
        }
        loaded = load_battle("wap/open-heroes", fields)
        if legal:
            check_lists(loaded, loaded.rules)
            assert Battle.load("wap/open-heroes", 1, overrides=fields)
            continue
        with pytest.raises(
            ContentError, match="2501 points are spent; expected at most 2500 points, those of the game"
        ):
            Battle.load("wap/open-heroes", 1, overrides=fields)


@pytest.mark.parametrize(
    "battlefield",
    ["watch-field", "random", {"name": "bare", "size": [72, 48], "features": [{"polygon": [[2, 2], [6, 2], [6, 6]]}]}],
)
@pytest.mark.rule("wap.scenario.watchtower.tower")
def test_the_first_feature_is_the_tower_of_the_mission(battlefield: Any) -> None:
    """On a table of 72" by 48": on a battlefield made for it, on one that the players lay out, and on any other."""
    fields = {"mission": "watchtower", "battlefield": battlefield, "rules": {"table": [72, 48]}}
    battle, tower = Battle.load("wap/wild-field", 1, overrides=fields), load_mission("watchtower").tower
    first = min(battle.setup.statics["buildings"])
    building = battle.setup.statics["buildings"][first]
    assert first == battle.setup.statics["controlled"] == 0 and len(battle.setup.features) > 1
    assert (building.x, building.y) == (36.0, 24.0) and tower is not None
    assert (2 * building.half_a, 2 * building.half_b, building.storeys) == (*tower.size, tower.storeys)


def test_a_tower_is_put_where_the_battlefield_has_none() -> None:
    bare = {"name": "bare", "size": [60, 40], "features": [{"polygon": [[2, 2], [6, 2], [6, 6]]}]}
    battle = Battle.load("wap/open-heroes", 1, overrides={"mission": "watchtower", "battlefield": bare})
    building = battle.setup.statics["buildings"][0]
    assert (building.x, building.y, building.storeys) == (30.0, 20.0, 2) and battle.setup.statics["controlled"] == 0
    assert Battle.from_bytes(battle.to_bytes()).setup.source == battle.setup.source
    own = {**bare, "features": [{"kind": "impassable", "name": "tower", "polygon": [[20, 20], [22, 20], [22, 22]]}]}
    battle = Battle.load("wap/open-heroes", 1, overrides={"mission": "watchtower", "battlefield": own})
    assert battle.setup.statics["controlled"] == 0 and not battle.setup.statics["buildings"]


@pytest.mark.parametrize(
    ("fields", "told_as"),
    [
        ({"ends": {"turn": 0, "total": 10}}, r"ends.turn: 0 is not valid; expected at least 1"),
        ({"ends": {"turn": 4}}, r"ends.total: is missing"),
        ({"tower": {"storeys": 0, "size": [4.0, 4.0]}}, r"tower.storeys: 0 is not valid; expected at least 1"),
        ({"control": None, "victory": "points"}, r"tower: is of no feature; expected `control`"),
        ({"first_turn": {"roll": "deployed-last"}}, r"first_turn.roll: 'deployed-last' is not known"),
    ],
)
def test_bad_missions(fields: dict[str, Any], told_as: str) -> None:
    plain = load_mission("watchtower").model_dump(mode="json")
    with pytest.raises(ContentError, match=told_as):
        load_mission({**plain, **fields})
