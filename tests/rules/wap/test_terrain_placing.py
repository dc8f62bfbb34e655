"""Terrain is set up before the battle: how many pieces, by whom, of which kinds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from wh_env import Battle, ContentError
from wh_env.content.load import validate
from wh_env.content.wap import load_battle, load_mission
from wh_env.content.wap.choices import CHOICES
from wh_env.content.wap.load import drawn_battlefield, examples_of, placed
from wh_env.content.wap.placing import Placing, number_of_pieces, who_begins
from wh_env.content.wap.schema_battle import Battlefield, Feature, Mission
from wh_env.content.wap.schema_terrain import KINDS
from wh_env.rulesets.wap.basics.ground import features_of

TABLE = (72.0, 48.0)
FIVE = ("battleline", "dawn-attack", "pass", "blood-and-glory", "meeting-engagement")


def rock(x: float, y: float, **fields: Any) -> Feature:
    polygon = [[x, y], [x + 3, y], [x + 3, y + 3], [x, y + 3]]
    return validate(Feature, {"kind": "impassable", "polygon": polygon, **fields}, "<test>")


def table(first: int = 0, **fields: Any) -> Placing:
    return Placing(TABLE, first, lambda field: placed(field, TABLE), **fields)


@pytest.mark.rule("wap.battle.terrain.count")
@pytest.mark.parametrize(
    ("size", "pieces"), [((72.0, 48.0), 6), ((48.0, 48.0), 4), ((24.0, 24.0), 1), ((96.0, 48.0), 8)]
)
def test_one_piece_for_every_square_of_two_feet(size: tuple[float, float], pieces: int) -> None:
    assert number_of_pieces(size) == pieces
    assert Placing(size, 0, lambda _: None).number == pieces


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.rule("wap.battle.terrain.placing")
def test_the_players_place_one_piece_each_in_turn(first: int) -> None:
    laid = table(first)
    turns = []
    while laid.player >= 0:
        turns.append(laid.player)
        laid.place(rock(6.0 * len(turns), 20.0))
    assert turns == [first, 1 - first] * 3
    assert laid.placed_by == turns and laid.left == 0
    with pytest.raises(ContentError, match="no more pieces"):
        laid.place(rock(60.0, 20.0))
    field = laid.battlefield("laid out")
    battle = Battle.load(
        "wap/open-skirmish", 1, overrides={"battlefield": field.model_dump(mode="json", exclude_none=True)}
    )
    assert [ground.outline[0][0] for ground in features_of(battle)] == [6.0 * n for n in range(1, 7)]
    assert any("wap.battle.terrain.placing" in choice.rules and choice.schema is Battlefield for choice in CHOICES)


@pytest.mark.rule("wap.battle.terrain.placing")
def test_who_begins_is_rolled_off() -> None:
    for dice, player in (([6, 1], 0), ([1, 6], 1), ([3, 3, 2, 5], 1)):
        left = iter(dice)
        assert who_begins(lambda: next(left)) == player  # noqa: B023
        assert not list(left)


def test_a_piece_that_cannot_lie_there_is_not_placed() -> None:
    laid = table()
    laid.place(rock(10, 10))
    for piece, told in ((rock(11, 11), "overlap"), (rock(71, 10), "leaves the table")):
        with pytest.raises(ContentError, match=told):
            laid.place(piece)
    assert (laid.player, laid.left) == (1, 5)


@pytest.mark.rule("wap.battle.terrain.agree")
def test_every_piece_is_of_a_kind_before_armies_are_deployed() -> None:
    laid = table()
    bare = validate(Feature, {"polygon": [[2, 2], [5, 2], [5, 5]]}, "<test>")
    laid.place(bare)
    laid.place(rock(10, 10, kind="monument", example="bane stone"))
    overrides = {"battlefield": laid.battlefield("two").model_dump(mode="json", exclude_none=True)}
    battle = Battle.load("wap/open-skirmish", 1, overrides=overrides)
    assert battle.clock.round[0] == 0
    assert [(ground.kind, ground.example) for ground in features_of(battle)] == [
        ("open", None),
        ("monument", "bane stone"),
    ]
    assert features_of(battle)[1].traits.auras


@pytest.mark.rule("wap.scenario.battlefield")
@pytest.mark.parametrize("name", FIVE)
def test_only_a_mission_about_a_tower_prescribes_a_feature(name: str) -> None:
    mission = load_mission(name)
    plain = validate(Battlefield, drawn_battlefield(mission, TABLE, 3), "<drawn>")
    tower = {
        **mission.model_dump(mode="json", by_alias=True),
        "victory": "control",
        "fortitude": None,
        "control": {"feature": "the tower", "within": 6.0},
        "tower": {"storeys": 3, "size": [6.0, 5.0]},
    }
    about = validate(Mission, tower, "<tower>")
    drawn = validate(Battlefield, drawn_battlefield(about, TABLE, 3), "<drawn>")
    assert all(feature.name is None for feature in plain.features) and len(plain.features) == 6
    first = drawn.features[0]
    assert (first.name, first.kind, len(drawn.features)) == ("the tower", "building", 7)
    assert sum(x for x, _ in first.polygon) / 4 == 36.0 and sum(y for _, y in first.polygon) / 4 == 24.0
    assert first.storeys == 3 and {x for x, _ in first.polygon} == {33.0, 39.0}
    assert {y for _, y in first.polygon} == {21.5, 26.5}


def test_random_battlefields_are_drawn_with_their_seed_and_have_every_kind_of_ground() -> None:
    fields = [load_battle(f"wap/wild-field?seed={seed}").battlefield for seed in range(40)]
    assert fields[3] == load_battle("wap/wild-field?seed=3").battlefield != fields[4]
    found = {feature.kind for field in fields for feature in field.features}
    assert found >= {*KINDS, "impassable"}
    examples = {feature.example for field in fields for feature in field.features if feature.kind == "obstacle"}
    assert examples == {None, *examples_of("obstacle")}
    assert {len(field.features) for field in fields} == {6}


def test_a_seed_with_nothing_to_draw_is_told(tmp_path: Path) -> None:
    with pytest.raises(
        ContentError,
        match=r"random: .* has nothing to draw; expected a mission, a battlefield or an army that is random",
    ):
        load_battle("wap/open-field?seed=3")


def test_a_drawn_battlefield_is_part_of_the_battle() -> None:
    battle = Battle.load("wap/wild-field?seed=3", 5)
    twin = Battle.from_bytes(battle.to_bytes())
    assert [g.outline for g in features_of(twin)] == [g.outline for g in features_of(battle)]
    assert twin.setup.source == battle.setup.source
