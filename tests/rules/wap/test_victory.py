"""What is scored at the end of the battle, what that makes, and conceding."""

from __future__ import annotations

from typing import Any

import pytest
from heroes import hero

from tests.machines import machine
from wh_env import Battle
from wh_env.content.errors import ContentError
from wh_env.content.wap.load import load_army
from wh_env.content.wap.muster import points_of
from wh_env.content.wap.schema_units import Entry
from wh_env.core.tables import DESTROYED
from wh_env.rulesets.wap.battle.timing import start_phase
from wh_env.rulesets.wap.battle.victory import score, share_of
from wh_env.rulesets.wap.casualties.removing import remove_unit, suffer
from wh_env.rulesets.wap.codes import PURSUES, Phase
from wh_env.rulesets.wap.commands.standards import capture
from wh_env.testing import choose, kind, slots, told, words
from wh_env.testing.wap import RegimentScene, UnitHandle, square

FULL_COMMAND = ("champion", "standard", "musician")


def scored(battle: Battle) -> tuple[int, int]:
    score(battle)
    return battle.players.vp[0], battle.players.vp[1]


def unit_of_20(**columns: Any) -> tuple[Battle, UnitHandle]:
    scene = RegimentScene()
    left = columns.pop("left", 20)
    unit = scene.unit(0, None, (24, 20), models=left, lost=20 - left, **columns)
    scene.unit(1, None, (6, 44))
    return scene.battle("movement", run=False), unit


@pytest.mark.parametrize(("left", "points"), [(20, 0), (11, 0), (10, 75), (1, 75)])
@pytest.mark.rule("wap.victory.decimated", "wap.victory.points")
def test_half_its_strength_or_less_is_half_its_cost(left: int, points: int) -> None:
    battle, unit = unit_of_20(left=left, points=150)
    assert battle.units.us_start[unit] == 20
    assert scored(battle) == (0, points)
    assert len(told(battle, "wap.victory.decimated")) == bool(points)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("left", "fleeing", "share"), [(6, 0, 0), (5, 0, 50), (6, 1, 50), (4, 1, 75)])
@pytest.mark.rule("wap.victory.decimated", "wap.victory.scattered", "wap.character.combined.one-unit")
def test_a_character_does_not_count_for_the_strength_of_his_unit(
    player: int, left: int, fleeing: int, share: int
) -> None:
    """Ten soldiers at the start: half of them are half, whoever stands among them; he is scored by himself."""
    scene = RegimentScene()
    soldiers = scene.unit(player, None, (24, 24), models=left, lost=10 - left, files=3, fleeing=fleeing)
    lord = scene.unit(player, hero(), inside=soldiers, models=1)
    scene.unit(1 - player, None, (6, 44))
    battle = scene.battle("movement", run=False)
    assert (share_of(battle, soldiers.row)[1], share_of(battle, lord.row)[1]) == (share, 50 * fleeing)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("left", "fleeing", "points"), [(10, 0, 75), (9, 1, 113), (10, 1, 75), (11, 0, 0)])
@pytest.mark.rule("wap.victory.decimated", "wap.victory.scattered", "wap.victory.separate-models")
def test_a_hero_adds_nothing_to_what_is_left_of_his_unit(player: int, left: int, fleeing: int, points: int) -> None:
    """He is scored by himself: here he flees with it."""
    scene = RegimentScene()
    unit = scene.unit(player, None, (24, 20), models=left, lost=20 - left, points=150, fleeing=fleeing)
    scene.unit(player, hero(), inside=unit, models=1, points=60)
    scene.unit(1 - player, None, (6, 44))
    battle = scene.battle("movement", run=False)
    assert battle.units.us[unit] == left + 1
    assert scored(battle)[1 - player] == points + (30 if fleeing else 0)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("crew", "points"), [(2, 0), (1, 50), (0, 100)])
@pytest.mark.rule("wap.victory.decimated", "wap.machine.crew.wounds")
def test_an_engineer_is_none_of_the_crew_that_is_left(player: int, crew: int, points: int) -> None:
    scene = RegimentScene()
    engine = scene.unit(player, machine(crew=3), (24, 20), models=1, points=100)
    scene.unit(player, hero(rules=["Serves War Machines"]), inside=engine, models=1, beside=1)
    scene.unit(1 - player, None, (6, 44))
    battle = scene.battle("movement", run=False)
    suffer(battle, engine.row, 3 - crew)
    assert scored(battle)[1 - player] == points


@pytest.mark.parametrize(("left", "cost", "points", "rule"), [
    (15, 150, 75, "broken"), (20, 150, 75, "broken"), (11, 150, 75, "broken"), (9, 160, 120, "scattered"), (1, 160, 120, "scattered"),
    (10, 150, 75, "decimated"), (11, 151, 76, "broken"), (9, 101, 76, "scattered"),
])  # fmt: skip
@pytest.mark.rule("wap.victory.broken", "wap.victory.scattered", "wap.victory.points")
def test_who_flees_at_the_end(left: int, cost: int, points: int, rule: str) -> None:
    """More than half its strength: 50 %; less: 75 %, never both; exactly half is decimated. Fractions are rounded up."""
    battle, unit = unit_of_20(left=left, points=cost, fleeing=1)
    assert scored(battle) == (0, points)
    assert [note["unit"] for note in told(battle, f"wap.victory.{rule}")] == [unit.row]


@pytest.mark.rule("wap.victory.dead-or-fled")
def test_who_is_destroyed_or_has_fled_off_the_table_is_worth_all() -> None:
    for fled in (False, True):
        battle, unit = unit_of_20(left=15, points=150, fleeing=int(fled))
        if fled:
            remove_unit(battle, unit.row)  # fifteen of twenty run off the table
        else:
            suffer(battle, unit.row, 15)
        assert battle.units.place[unit] == DESTROYED
        assert scored(battle) == (0, 150)


@pytest.mark.rule("wap.victory.points")
def test_the_example_with_a_general() -> None:
    """Destroyed 200, fleeing at a quarter 160, the General slain 150: 200 + 120 + 150 + 100."""
    scene = RegimentScene()
    gone = scene.unit(0, None, (10, 20), models=10, points=200)
    scene.unit(0, None, (24, 20), models=5, lost=15, points=160, fleeing=1)
    general = scene.unit(0, None, (40, 20), models=1, leads=("general",), points=150)
    scene.unit(1, None, (6, 44))
    battle = scene.battle("movement", run=False)
    assert battle.players.general[0] == general.row and battle.players.general[1] == -1
    suffer(battle, gone.row, 10)
    suffer(battle, general.row, 1)
    assert scored(battle) == (0, 570)


@pytest.mark.rule("wap.victory.points")
def test_a_general_who_only_flees_gives_no_more_than_his_share() -> None:
    scene = RegimentScene()
    scene.unit(0, None, (40, 20), models=1, leads=("general",), points=150, fleeing=1)
    scene.unit(1, None, (6, 44))
    battle = scene.battle("movement", run=False)
    assert scored(battle) == (0, 75)


@pytest.mark.rule("wap.victory.points")
def test_an_army_has_one_general() -> None:
    army = {"name": "two", "sheet": "free-towns", "units": [{"card": "spearmen", "models": 20, "general": True}] * 2}
    with pytest.raises(ContentError, match=r"units\[1\].general"):
        load_army(army)
    army["units"] = [{"card": "spearmen", "models": 20, "general": True}, {"card": "spearmen", "models": 20}]  # type: ignore[assignment]
    assert load_army(army).army.units[0].general


# ---------------------------------------------------------------- standards


def in_combat(**fields: Any) -> tuple[Battle, UnitHandle, UnitHandle]:
    """A unit of player 0 with a standard in the middle of a combat."""
    scene = RegimentScene()
    unit = scene.unit(0, None, (24, 20), models=5, files=5, command=("standard",), points=100, **fields)
    foe = scene.beside(unit, 1, models=5, points=100)
    scene.unit(0, None, (4, 4), points=100)
    battle = scene.battle("combat", run=False)
    start_phase(battle, Phase.COMBAT)
    battle.units.fighting[unit] = battle.units.fighting[foe] = 1
    return battle, unit, foe


@pytest.mark.parametrize(("lost", "points"), [(4, 50), (5, 100 + 25)])
@pytest.mark.rule("wap.victory.standards")
def test_a_standard_bearer_slain_in_close_combat(lost: int, points: int) -> None:
    battle, unit, _ = in_combat()
    suffer(battle, unit.row, lost)
    assert battle.players.standards[1] == (lost == 5)
    assert scored(battle) == (0, points)


@pytest.mark.rule("wap.victory.standards")
def test_three_trophies() -> None:
    """Two standards of units that were caught, and the Battle Standard Bearer slain in close combat: 25 + 25 + 100 beside the units' cost."""
    battle, unit, _ = in_combat(leads=("battle standard",))
    capture(battle, 1)
    capture(battle, 1)
    suffer(battle, unit.row, 5)
    assert battle.players.standards[1] == 3 and battle.players.battle_standard[1] == 1
    battle.players.standards[1] = 2  # he carried no other one
    assert scored(battle) == (0, 100 + 25 + 25 + 100)


@pytest.mark.parametrize("why", ["another phase", "not in the combat", "flees", "pursues"])
@pytest.mark.rule("wap.victory.standards.close-combat-only")
def test_standards_lost_outside_close_combat_score_nothing(why: str) -> None:
    battle, unit, _ = in_combat(leads=("battle standard",))
    if why == "another phase":
        start_phase(battle, Phase.SHOOTING)
    elif why == "not in the combat":
        battle.units.fighting[unit] = 0
    elif why == "flees":
        battle.units.fleeing[unit] = 1
    else:
        battle.units.intent[unit] = PURSUES
    suffer(battle, unit.row, 5)
    assert battle.players.standards[1] == battle.players.battle_standard[1] == 0
    assert scored(battle) == (0, 100)


# ---------------------------------------------------------------- costs


@pytest.mark.rule("wap.victory.cost-includes")
def test_the_cost_includes_command_and_equipment() -> None:
    scene = RegimentScene()
    unit = scene.unit(0, None, (24, 20), models=20, command=FULL_COMMAND)
    bows = scene.unit(
        0, square(options={"short bow": 1, "shield": 2}), (10, 20), models=10, options=("short bow", "shield")
    )
    scene.unit(1, None, (6, 44))
    battle = scene.battle("movement", run=False)
    assert battle.units.points[unit] == 20 * 5 + 30
    assert battle.units.points[bows] == 10 * (5 + 1 + 2)
    remove_unit(battle, unit.row)
    assert share_of(battle, unit.row) == ("wap.victory.dead-or-fled", 100)
    assert scored(battle) == (0, 130)
    card = unit.regiment.card
    assert points_of(Entry(card="unit", models=20, command=FULL_COMMAND), card, 10) == 130


@pytest.mark.rule("wap.victory.separate-models")
def test_units_are_scored_one_by_one() -> None:
    """What acts separately is a unit of its own: two lost at 25 points are 50, whatever becomes of the unit of 100."""
    scene = RegimentScene()
    scene.unit(0, None, (24, 20), models=20, points=100)
    loose = [scene.unit(0, None, (x, 30), models=1, points=25) for x in (10, 40)]
    scene.unit(1, None, (6, 44))
    battle = scene.battle("movement", run=False)
    for unit in loose:
        suffer(battle, unit.row, 1)
    assert scored(battle) == (0, 50)


# ---------------------------------------------------------------- conceding


def conceding(player: int = 0, **rules: Any) -> Battle:
    scene = RegimentScene(rules={"conceding": True, **rules}, points=1000)
    scene.unit(0, None, (10, 10))
    scene.unit(1, None, (20, 40))
    battle = scene.battle("movement", player=player, run=False)
    battle.players.vp[player] = 400
    battle.run()
    return battle


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.victory.concede")
def test_who_concedes_has_lost_by_a_massacre_whatever_he_has_scored(player: int) -> None:
    battle = conceding(player)
    assert (kind(battle), battle.clock.player[0]) == ("concede", player)
    assert sorted(words(battle).values()) == ["concedes the battle", "plays on"]
    choose(battle, "option", 0)
    assert battle.over and battle.result is not None and battle.result.winner == 1 - player
    (note,) = [note for note in told(battle, "wap.victory.concede") if "degree" in note]
    assert (note["degree"], note["winner"]) == ("massacre", 1 - player)
    assert battle.players.vp[player] == 400


@pytest.mark.rule("wap.victory.concede")
def test_who_plays_on_is_asked_again_in_his_next_phase() -> None:
    battle = conceding()
    choose(battle, "done")
    assert kind(battle) == "select-to-move"
    asked = [battle.clock.player[0]]
    for _ in range(12):
        if kind(battle) == "concede":
            asked.append(battle.clock.player[0])
            choose(battle, "done")
        else:
            battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert {0, 1} <= set(asked)
    assert not battle.over and slots(battle, "done") == [0]


@pytest.mark.rule("wap.victory.concede")
def test_nobody_is_asked_where_the_rules_do_not_say_so() -> None:
    scene = RegimentScene()
    scene.unit(0, None, (10, 10))
    scene.unit(1, None, (20, 40))
    assert kind(scene.battle("movement")) == "select-to-move"
