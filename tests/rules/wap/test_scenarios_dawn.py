"""Dawn Attack: whole armies, one after the other, and a die for where each unit goes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.scenarios import at_the_end, deploy_all
from wh_env import Battle, ContentError
from wh_env.content.wap import load_mission
from wh_env.core.tables import ATTACHED, ON_TABLE
from wh_env.rulesets.wap.codes import SCOUTS
from wh_env.rulesets.wap.deployment.divisions import zone_of
from wh_env.rulesets.wap.deployment.setting_up import place_of, usual
from wh_env.testing import choose, dice_left, kind, slots, told
from wh_env.testing.wap import RegimentScene, UnitHandle, corners, square

HERO = square(character=True, points=50, size=[1, 1])
TABLE, ORDER = "wap.scenario.dawn-attack.table", "wap.scenario.dawn-attack.order"


def muster(*cards: Any, second: int = 1, models: int = 5) -> tuple[RegimentScene, list[UnitHandle]]:
    """Units of player 0 and so many plain ones of player 1, all of which wait to be deployed."""
    scene = RegimentScene((72, 48), mission="dawn-attack")
    own = [
        scene.unit(0, card, models=1 if card is HERO else models, files=1 if card is HERO else None) for card in cards
    ]
    for _ in range(second):
        scene.unit(1, None, models=5)
    return scene, own


def begun(scene: RegimentScene, *dice: int, half: int = 0, **more: Any) -> Battle:
    """Player 0 wins the roll-off and takes a half: the southern one where nothing else is said."""
    battle = scene.battle("deployment", dice=[6, 1, *dice], **more)
    choose(battle, "option", half)
    return battle


def spans(battle: Battle, unit: UnitHandle) -> tuple[float, float, float, float]:
    """How far the cells that are offered let a unit reach: least and greatest x and y of its corners."""
    found = []
    for cell in slots(battle, "cell"):
        copy = battle.clone()
        choose(copy, "cell", cell)
        found += corners(copy, unit)
    xs, ys = [x for x, _ in found], [y for _, y in found]
    return min(xs), max(xs), min(ys), max(ys)


@pytest.mark.parametrize("half", [0, 1])
@pytest.mark.parametrize(("dice", "winner"), [([6, 1], 0), ([2, 2, 3, 4], 1)])
@pytest.mark.rule("wap.scenario.dawn-attack.side", "wap.scenario.roll-off")
def test_the_winner_chooses_his_half(dice: list[int], winner: int, half: int) -> None:
    scene, _ = muster(None)
    battle = scene.battle("deployment", dice=dice)
    assert battle.decision is not None and (battle.decision.player, slots(battle, "option")) == (winner, [0, 1])
    choose(battle, "option", half)
    assert told(battle, "wap.scenario.dawn-attack.side")
    southern = winner if half == 0 else 1 - winner
    assert zone_of(battle, southern)[:, 1].max() < 24 < zone_of(battle, 1 - southern)[:, 1].min()


@pytest.mark.rule("wap.scenario.dawn-attack.order")
def test_the_winner_deploys_all_his_army_first() -> None:
    scene, _ = muster(None, None, HERO, second=3)
    battle = begun(scene)
    deploy_all(battle, 2)
    kinds = [
        (event.kind, battle.units.owner[event.data["unit"]]) for event in battle.events if event.rule in (TABLE, ORDER)
    ]
    who = [player for _, player in kinds]
    assert who == sorted(who) and who.count(1) == 6
    joined = len(told(battle, "wap.scenario.dawn-attack.characters"))
    assert who.count(0) == 6 - 2 * joined
    assert [name for name, _ in kinds] == ["is sent", "deployed"] * (
        len(kinds) // 2
    )  # each die before that unit is placed


@pytest.mark.rule("wap.scenario.dawn-attack.order")
def test_the_loser_of_the_roll_comes_second_whoever_he_is() -> None:
    scene, _ = muster(None, None, second=2)
    battle = scene.battle("deployment", dice=[1, 6])
    choose(battle, "option", 0)
    deploy_all(battle)
    assert [battle.units.owner[event["unit"]] for event in told(battle, ORDER)] == [1, 1, 0, 0]


@pytest.mark.parametrize(
    ("die", "left", "right"),
    [(1, 0.0, 18.0), (2, 54.0, 72.0), (3, 18.0, 54.0), (4, 18.0, 54.0), (5, 18.0, 54.0), (6, 0.0, 72.0)],
)
@pytest.mark.parametrize("half", [0, 1])
@pytest.mark.rule("wap.scenario.dawn-attack.table")
def test_a_die_says_where_a_unit_goes(die: int, left: float, right: float, half: int) -> None:
    """Of the northern player left and right are the other way round; every place that is offered lies in the area, and they reach nearly all over it."""
    scene, (unit,) = muster(None)
    battle = begun(scene, die, half=half)
    assert kind(battle) == "deploy-to" and dice_left(battle) == 0
    low, high, bottom, top = spans(battle, unit)
    if half == 1:
        low, high, bottom, top = 72 - high, 72 - low, 48 - top, 48 - bottom
    assert left - 1e-3 <= low < left + 4.0 and right - 4.0 < high <= right + 1e-3
    assert 0.0 <= bottom < 1.0 and 11.9 < top < 12.0
    if die in (3, 4, 5):
        assert low > 18.0 and high < 54.0
    (note,) = told(battle, TABLE)
    assert note["die"] == die


@pytest.mark.rule("wap.scenario.dawn-attack.table")
def test_a_unit_that_does_not_fit_goes_as_near_as_it_can() -> None:
    """Sixty models on bases of two inches are deeper than the zone in nine files, and wider than a flank in more."""
    scene, (unit,) = muster(square(base_mm=[50.8, 50.8]), models=60)
    battle = begun(scene, 2)
    assert kind(battle) == "deploy-to"
    files = usual(battle, unit.row)[1]
    assert files > 9
    (x,) = {place_of(battle, unit.row, cell)[0] for cell in slots(battle, "cell")}
    columns = {place_of(battle, unit.row, cell)[0] for cell in range(battle.setup.space.grid**2)}
    assert x == max(column for column in columns if column + files <= 72.0)
    assert min(columns) < 18.0  # the places are those of the whole zone


@pytest.mark.rule("wap.scenario.dawn-attack.scouts")
def test_scouts_wait_and_roll_for_nothing() -> None:
    """Nobody is asked whether they do."""
    scouts = square(rules=["Scouts"])
    scene, own = muster(scouts, None, second=1)
    battle = begun(scene, 4, 4)
    assert battle.units.deployed[own[0]] & SCOUTS
    kinds = []
    while kind(battle) not in ("choose-first", None):
        kinds.append((kind(battle), battle.clock.subject[0]))
        if kind(battle) == "deploy-to" and battle.clock.subject[0] == own[0].row:
            ys = [place_of(battle, own[0].row, cell)[1] for cell in slots(battle, "cell")]
            assert max(ys) > 24.0  # anywhere more than 12" from the enemy
        battle.apply(battle.first_legal())
    assert "hold-back" not in dict(kinds)
    assert [event["unit"] for event in told(battle, TABLE)] == [own[1].row, 2]
    assert [event["unit"] for event in told(battle, ORDER)] == [own[1].row, 2, own[0].row]


@pytest.mark.rule("wap.scenario.dawn-attack.scouts")
def test_who_could_lie_in_ambush_is_asked_and_scouts_otherwise() -> None:
    both = square(rules=["Scouts", "Ambushers"])
    scene, own = muster(both, None)
    battle = begun(scene, 4, 4)
    assert kind(battle) == "hold-back" and slots(battle, "own") == [0]
    choose(battle, "done")
    assert battle.units.deployed[own[0]] & SCOUTS and battle.clock.subject[0] != own[0].row


@pytest.mark.rule("wap.scenario.dawn-attack.characters")
def test_a_character_declared_with_a_unit_shares_its_roll() -> None:
    scene, (hero, unit) = muster(HERO, None, models=9)
    battle = begun(scene, 2)
    assert (kind(battle), slots(battle, "own"), slots(battle, "done")) == ("go-along", [0], [0])
    assert battle.clock.subject[0] == unit.row and not told(battle, TABLE)  # the die comes afterwards
    choose(battle, "own", 0)
    assert kind(battle) == "deploy-to" and dice_left(battle) == 0
    battle.apply(battle.first_legal())
    u = battle.units
    assert (u.place[hero], u.bodyguard[hero]) == (ATTACHED, unit.row)
    xs = [x for x, _ in corners(battle, unit)] + [battle.models.x[hero.model()]]
    assert all(54.0 <= x <= 72.0 for x in xs)
    assert battle.models.rank[hero.model()] == 0
    assert [event["unit"] for event in told(battle, TABLE)] == [unit.row, 2]


@pytest.mark.rule("wap.scenario.dawn-attack.characters")
def test_who_is_not_declared_stands_alone_where_his_own_die_says() -> None:
    """After the unit's roll he may not be added to it any more."""
    scene, (hero, unit) = muster(HERO, None, models=9)
    battle = begun(scene, 2, 1)
    choose(battle, "done")
    battle.apply(battle.first_legal())
    assert (kind(battle), battle.clock.subject[0], dice_left(battle)) == ("deploy-to", hero.row, 0)
    _, high, _, _ = spans(battle, hero)
    assert high <= 18.0
    battle.apply(battle.first_legal())
    assert battle.units.place[hero] == ON_TABLE and unit.row not in battle.units.bodyguard.tolist()


@pytest.mark.rule("wap.scenario.dawn-attack.characters", "wap.special.ambushers.character")
def test_an_ambusher_may_still_lie_in_wait_with_a_unit() -> None:
    lurker = {**HERO, "rules": ["Ambushers"]}
    scene = RegimentScene((72, 48), mission="dawn-attack")
    hero = scene.unit(0, lurker, models=1, files=1)
    unit = scene.unit(0, square(rules=["Ambushers"]), models=9)
    scene.unit(0, None, models=9)
    scene.unit(1, None, models=5)
    battle = begun(scene, 4)
    choose(battle, "own", unit.number)
    choose(battle, "done")
    while kind(battle) != "join-unit":
        battle.apply(battle.first_legal())
    assert (battle.clock.subject[0], slots(battle, "own")) == (
        hero.row,
        [unit.number],
    )  # not the unit that stands already
    choose(battle, "own", unit.number)
    assert battle.units.bodyguard[hero] == unit.row


@pytest.mark.rule("wap.scenario.dawn-attack.characters")
def test_who_is_in_a_unit_by_the_army_list_goes_with_it_unasked() -> None:
    battle = Battle.load("wap/dawn-field", 1, record=True)
    while battle.clock.phase[0] == 0 and kind(battle) != "choose-first":
        battle.apply(battle.first_legal())
    inside = battle.setup.statics["inside"]
    meant = [unit for unit in range(len(inside)) if inside[unit] >= 0]
    assert meant and all(battle.units.bodyguard[unit] == inside[unit] for unit in meant)


@pytest.mark.parametrize(("die", "chooser"), [(6, 1), (5, 0), (1, 0)])
@pytest.mark.parametrize("himself", [True, False])
@pytest.mark.rule("wap.scenario.dawn-attack.first-turn")
def test_on_a_six_the_second_deployer_chooses_who_plays_first(die: int, chooser: int, himself: bool) -> None:
    scene, _ = muster(None)
    battle = begun(scene, 6, 6, die)
    deploy_all(battle)
    assert battle.decision is not None and (battle.decision.kind, battle.decision.player) == ("choose-first", chooser)
    assert slots(battle, "option") == [0, 1] and dice_left(battle) == 0
    choose(battle, "option", 0 if himself else 1)
    first = chooser if himself else 1 - chooser
    assert (battle.clock.first_player[0], battle.clock.turn[0]) == (first, first)
    assert told(battle, "wap.scenario.dawn-attack.first-turn")[-1]["first_player"] == first


@pytest.mark.parametrize(("turn", "over"), [(5, False), (6, True)])
@pytest.mark.rule("wap.scenario.dawn-attack.length")
def test_six_game_turns(turn: int, over: bool) -> None:
    assert at_the_end("dawn-attack", 1500, turn).over is over


@pytest.mark.parametrize(("vp", "degree", "winner"), [((700, 600), "draw", None), ((750, 600), "minor victory", 0)])
@pytest.mark.rule("wap.scenario.dawn-attack.victory")
def test_points_decide(vp: tuple[int, int], degree: str, winner: int | None) -> None:
    battle = at_the_end("dawn-attack", 1500, 6, vp)
    assert told(battle, "wap.scenario.dawn-attack.victory")[0]["degree"] == degree
    assert battle.result is not None and battle.result.winner == winner


def areas(*dice: list[int]) -> list[dict[str, Any]]:
    return [{"dice": faces, "name": "part", "where": "anywhere"} for faces in dice]


@pytest.mark.parametrize(
    ("deployment", "told_as"),
    [
        (
            {"areas": areas([1, 2, 3], [4, 5])},
            r"deployment.areas: \[1, 2, 3, 4, 5\] are those that areas name; expected each face",
        ),
        ({"areas": areas([1, 2, 3], [3, 4, 5, 6])}, r"areas: \[1, 2, 3, 3, 4, 5, 6\] are those"),
        ({"order": "alternate"}, r"deployment.order: 'alternate' asks for no dice; expected order: whole"),
        ({"zones": "corners"}, r"deployment.areas: 4 have no left and no right side"),
        ({"areas": areas([0, 1, 2, 3, 4, 5])}, r"areas\[0\].dice\[0\]: 0 is not valid; expected"),
    ],
)
@pytest.mark.rule("wap.scenario.dawn-attack.table")
def test_bad_tables(deployment: dict[str, Any], told_as: str) -> None:
    plain = load_mission("dawn-attack").model_dump(mode="json")
    with pytest.raises(ContentError, match=told_as):
        load_mission({**plain, "deployment": {**plain["deployment"], **deployment}})


@pytest.mark.rule("wap.scenario.dawn-attack.table")
def test_a_table_too_short_for_its_flanks() -> None:
    with pytest.raises(
        ContentError, match=r"areas\[2\].inches: 18.0 leaves nothing of it; expected an area on a table of 36 x 48"
    ):
        Battle.load("wap/dawn-field", 1, overrides={"battlefield": {"name": "short", "size": [36, 48]}})
