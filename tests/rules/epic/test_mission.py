"""Table, objectives, points for broken formations, victory; unit cards and army sheets."""

from __future__ import annotations

from typing import Any

import pytest

from wh_env import Battle, ContentError
from wh_env.content.epic import load_army, load_battle, load_rules, load_sheet
from wh_env.content.load import names
from wh_env.rulesets.epic.assault.pairing import most_pairs
from wh_env.rulesets.epic.battle.mission import broken_points
from wh_env.rulesets.epic.fire.aim import needed_to_hit, needed_to_save
from wh_env.testing import choose, pick, told
from wh_env.testing.epic import A, EpicScene, fire_at, may_move


def last_turn(scene: EpicScene, turn: int = 4) -> Battle:
    """The end of a turn; of the last one if nothing else is said."""
    return scene.battle("end", turn=turn)


# ---------------------------------------------------------------- table and length


@pytest.mark.rule("epic.mission.table")
def test_a_game_lasts_four_turns_on_120_by_120() -> None:
    battle = Battle.load("epic/river-crossing", seed=3)
    assert (battle.setup.length, battle.setup.width) == (120, 120)
    assert battle.setup.rules["rounds"] == 4
    turns = set()
    while not battle.over:
        turns.add(battle.clock.round[0])
        battle.apply(battle.first_legal())
    assert max(turns) == 4
    assert battle.result is not None
    assert battle.result.rounds == 4


@pytest.mark.rule("epic.mission.table")
def test_nothing_leaves_the_table() -> None:
    """A move that ends at x = 121 is rejected, as is one that leaves a part of the base over the edge."""
    scene = EpicScene()
    boy = scene.formation(0, "Boy", at=(117, 60), order="advance")
    scene.formation(1, "Boy", at=(5, 115), order="march")
    battle = scene.battle("movement", dice=[A])
    pick(battle, "own side first")
    assert may_move(battle, boy, 2.5, 0)
    assert not may_move(battle, boy, 2.6, 0)
    assert not may_move(battle, boy, 4.0, 0)


# ---------------------------------------------------------------- objectives


def held_by(*units: tuple[int, float, dict[str, int]], extra: tuple[float, float] | None = None) -> Battle:
    """An objective at (60, 60) with units at distances to its east (player 0) and west (player 1), at the end of the game."""
    scene = EpicScene()
    scene.objective(60, 60)
    for player, apart, columns in units:
        x = 60 + apart if player == 0 else 60 - apart
        scene.formation(player, "Tactical Marine" if player == 0 else "Boy", at=(x, 60), **columns)
    if extra is not None:
        scene.formation(1, "Boy", at=extra)
    scene.formation(0, "Boy", at=(5, 5))
    scene.formation(1, "Boy", at=(115, 115))
    return last_turn(scene)


@pytest.mark.parametrize(
    ("units", "points"),
    [
        ([(0, 10, {}), (1, 12, {})], (5, 0)),
        ([(0, 10, {"retreating": 1}), (1, 12, {})], (0, 5)),
        ([(0, 12, {}), (1, 12, {})], (0, 0)),
        ([(0, 15, {})], (5, 0)),
        ([(0, 15.1, {})], (0, 0)),
        ([], (0, 0)),
    ],
)
@pytest.mark.rule("epic.mission.objectives")
def test_the_nearest_unit_within_15_cm_holds_it(units: list[Any], points: tuple[int, int]) -> None:
    """A marine 10 cm and a Boy 12 cm away: the marine's side has 5 points; if he retreats, the Boy's."""
    battle = held_by(*units)
    assert battle.result is not None
    assert battle.result.victory_points == points


@pytest.mark.rule("epic.mission.objectives")
def test_units_in_contact_hold_nothing() -> None:
    battle = held_by((0, 10, {}), (1, 12, {}), extra=(71, 60))
    assert battle.result is not None
    assert battle.result.victory_points == (0, 5)


@pytest.mark.rule("epic.mission.objectives")
def test_every_objective_counts() -> None:
    scene = EpicScene()
    for x in (20, 60, 100):
        scene.objective(x, 60)
    scene.formation(0, "Boy", at=(22, 60))
    scene.formation(0, "Boy", at=(62, 60))
    scene.formation(1, "Boy", at=(98, 60))
    battle = last_turn(scene)
    assert battle.result is not None
    assert battle.result.victory_points == (10, 5)
    assert battle.result.winner == 0


# ---------------------------------------------------------------- broken formations


@pytest.mark.parametrize(
    ("strength", "lost", "points"), [(10, 5, 2), (10, 4, 0), (5, 3, 1), (6, 3, 2), (5, 2, 0), (5, 5, 1), (11, 6, 3)]
)
@pytest.mark.rule("epic.mission.broken-points")
def test_one_point_for_every_five_starting_units_or_part(strength: int, lost: int, points: int) -> None:
    scene = EpicScene()
    scene.formation(0, "Boy", at=(5, 5))
    places = [(10 + 2 * n, 100) for n in range(strength - lost)]
    scene.formation(1, "Boy", at=places, lost=lost)
    scene.formation(1, "Boy", at=(115, 115))
    battle = last_turn(scene)
    assert battle.result is not None
    assert battle.result.victory_points == (points, 0)


@pytest.mark.rule("epic.mission.broken-points")
def test_a_vehicle_counts_as_five_units() -> None:
    """A squad of 10 broken and a tank destroyed: 2 + 1 = 3."""
    scene = EpicScene()
    scene.formation(0, "Boy", at=(5, 5))
    scene.formation(1, "Boy", at=[(10 + 2 * n, 100) for n in range(5)], lost=5)
    scene.formation(1, "Predator", at=[], lost=1)
    battle = last_turn(scene)
    assert broken_points(battle, 0) == 3
    assert battle.result is not None
    assert battle.result.victory_points == (3, 0)


# ---------------------------------------------------------------- victory


@pytest.mark.parametrize(("held", "winner"), [((2, 1), 0), ((1, 2), 1), ((1, 1), None), ((0, 0), None)])
@pytest.mark.rule("epic.mission.victory")
def test_more_points_win_after_the_last_turn(held: tuple[int, int], winner: int | None) -> None:
    scene = EpicScene()
    for player in (0, 1):
        for n in range(held[player]):
            x, y = 20 + 30 * n, 30 + 60 * player
            scene.objective(x, y)
            scene.formation(player, "Boy", at=(x, y))
    scene.formation(0, "Boy", at=(119, 5))
    scene.formation(1, "Boy", at=(119, 115))
    battle = last_turn(scene)
    assert battle.result is not None
    assert battle.result.winner == winner
    assert told(battle, "epic.mission.victory")


@pytest.mark.rule("epic.mission.victory")
def test_without_units_after_any_turn_a_player_loses_at_once() -> None:
    """B has none after turn 2: A wins in turn 2, whatever the points; not before the turn has ended."""
    scene = EpicScene()
    scene.objective(5, 5)
    scene.formation(0, "Boy", at=(60, 60))
    scene.formation(1, "Boy", at=[], lost=1)
    battle = last_turn(scene, turn=2)
    assert battle.result is not None
    assert (battle.result.winner, battle.result.rounds) == (0, 2)
    lone = EpicScene()
    lone.objective(60, 60)
    shooter = lone.formation(0, "Tactical Marine", at=(60, 55), order="advance")
    boy = lone.formation(1, "Boy", at=(60, 70), order="advance")
    battle = lone.battle("fire", turn=2, dice=[A, 6, 1])
    fire_at(battle, shooter, boy)
    assert not battle.over
    while not battle.over:
        battle.apply(battle.first_legal())
    assert battle.clock.round[0] == 2
    assert battle.clock.phase[0] == 5  # the turn was played to its end
    assert battle.result is not None
    assert battle.result.winner == 0


@pytest.mark.parametrize(("lost", "winner"), [((10, 5), 1), ((5, 6), 0), ((5, 5), None)])
@pytest.mark.rule("epic.mission.victory")
def test_where_neither_has_a_unit_left_points_decide(lost: tuple[int, int], winner: int | None) -> None:
    scene = EpicScene()
    for player in (0, 1):
        scene.formation(player, "Boy", at=[], lost=lost[player])
    battle = last_turn(scene, turn=1)
    assert battle.result is not None
    assert (battle.result.winner, battle.result.rounds) == (winner, 1)


@pytest.mark.parametrize("empty", [0, 1])
@pytest.mark.rule("epic.mission.victory")
def test_either_player_loses_with_his_last_unit(empty: int) -> None:
    scene = EpicScene()
    scene.formation(empty, "Boy", at=[], lost=1)
    scene.formation(1 - empty, "Boy", at=(60, 60))
    battle = last_turn(scene, turn=2)
    assert battle.result is not None
    assert (battle.result.winner, battle.result.rounds) == (1 - empty, 2)


@pytest.mark.rule("epic.mission.victory")
def test_points_do_not_help_a_player_without_units() -> None:
    """The table is empty of his units after the last turn, too: he loses with more points than the other."""
    scene = EpicScene()
    scene.formation(0, "Boy", at=[], lost=5)
    scene.formation(1, "Boy", at=[(60, 60)], lost=9)
    battle = last_turn(scene)
    assert battle.result is not None
    assert battle.result.victory_points == (2, 1)
    assert battle.result.winner == 1


@pytest.mark.rule("epic.mission.victory")
def test_an_undecided_turn_goes_on() -> None:
    scene = EpicScene()
    scene.formation(0, "Boy", at=(60, 60))
    scene.formation(1, "Boy", at=(60, 100))
    battle = last_turn(scene, turn=3)
    assert not battle.over
    assert battle.clock.round[0] == 4


# ---------------------------------------------------------------- cards and sheets

WEAPONS = {
    "Tactical Marine": [("bolter", 25, 1, 5, 0)],
    "Boy": [("bolter", 25, 1, 5, 0)],
    "Terminator": [("storm bolter", 17, 2, 4, 1)],
    "Veteran": [("bolter", 25, 1, 4, 0)],
    "Nob": [("kustom weapon", 25, 2, 5, 1)],
    "Rhino": [],
    "Predator": [("twin lascannon", 37, 1, 4, 1), ("lascannons", 37, 2, 5, 1)],
    "Land Raider": [("lascannons", 37, 2, 5, 2)],
    "Land Speeder": [("multi-melta", 12, 1, 4, 1)],
    "Kill Blasta": [("cannons", 25, 3, 4, 0)],
    "Warbuggy": [("heavy bolter", 25, 1, 5, 0)],
}
# class, Movement, save, Assault Factor
CARDS = {
    "Tactical Marine": ("infantry", 5, 4, 2),
    "Boy": ("infantry", 5, 4, 1),
    "Terminator": ("infantry", 5, 4, 6),
    "Veteran": ("infantry", 5, 4, 3),
    "Nob": ("infantry", 5, 4, 4),
    "Rhino": ("light-vehicle", 12, 4, 0),
    "Predator": ("heavy-vehicle", 10, 3, 0),
    "Land Raider": ("heavy-vehicle", 10, 2, 3),
    "Land Speeder": ("light-vehicle", 17, 5, 0),
    "Kill Blasta": ("heavy-vehicle", 7, 2, 4),
    "Warbuggy": ("light-vehicle", 15, 5, 1),
}


@pytest.mark.parametrize("name", CARDS)
@pytest.mark.rule(
    "epic.profile.card",
    "epic.profile.tactical-marine",
    "epic.profile.ork-boy",
    "epic.profile.other-infantry",
    "epic.profile.vehicles",
)
def test_cards(name: str) -> None:
    cards = {card: entry for sheet in names("factions", "epic") for card, entry in load_sheet(sheet).cards.items()}
    card = cards[name]
    assert (card.rank, card.move_cm, card.save, card.assault_factor) == CARDS[name]
    weapons = [(w.name, w.range_cm, w.dice, w.to_hit, w.save_modifier) for w in card.weapons]
    assert weapons == WEAPONS[name]
    assert [w.turret for w in card.weapons] == [n == 0 and name == "Predator" for n in range(len(card.weapons))]
    assert card.traits == (("anti-grav",) if name == "Land Speeder" else ())
    assert set(cards) == set(CARDS)


@pytest.mark.rule("epic.profile.army")
def test_sheets() -> None:
    marines, orks = load_sheet("space-marines"), load_sheet("orks")
    assert (marines.strategic_value, marines.morale) == (5, 2)
    assert (orks.strategic_value, orks.morale) == (3, 4)
    battle = Battle.load("epic/broken-country", seed=1)
    assert list(battle.players.strategic) == [5, 3]
    assert list(battle.players.morale) == [2, 4]


@pytest.mark.parametrize(("distance", "roll", "hit"), [(25, 5, True), (25, 4, False), (25.5, 5, False)])
@pytest.mark.rule("epic.profile.tactical-marine")
def test_a_tactical_marine_fires(distance: float, roll: int, hit: bool) -> None:
    """At a Boy 25 cm away in the open he hits with 5; in a building he needs 6."""
    scene = EpicScene()
    scene.area("buildings", 80, 40, 90, 50)
    marine = scene.formation(0, "Tactical Marine", at=(30, 20), order="advance")
    boy = scene.formation(1, "Boy", at=(30, 20 + distance), order="march")
    covered = scene.formation(1, "Boy", at=(85, 45), order="march")
    battle = scene.battle("fire", dice=[A, roll, 1])
    statics = battle.setup.statics
    tables = battle.models.rows, statics["ground"], battle.setup.corners, statics["weapons"]
    assert needed_to_hit(*tables, 0, covered.model(), 0) == 6
    fire_at(battle, marine, boy)
    assert battle.units.alive[boy] == int(not hit)


@pytest.mark.parametrize(("roll", "saved"), [(4, True), (3, False)])
@pytest.mark.rule("epic.profile.ork-boy")
def test_an_ork_boy_is_hit(roll: int, saved: bool) -> None:
    """In the open 4 saves him (in a building 3 is enough)."""
    scene = EpicScene()
    marine = scene.formation(0, "Tactical Marine", at=(30, 20), order="advance")
    boy = scene.formation(1, "Boy", at=(30, 40), order="march")
    battle = scene.battle("fire", dice=[A, 6, roll])
    fire_at(battle, marine, boy)
    assert battle.units.alive[boy] == int(saved)


@pytest.mark.rule("epic.profile.other-infantry")
def test_a_terminator_fires() -> None:
    """At a Boy 17 cm away his two dice show 4 and 3: one hit, the save is rolled at -1."""
    scene = EpicScene()
    terminator = scene.formation(0, "Terminator", at=(30, 20), order="advance")
    boy = scene.formation(1, "Boy", at=(30, 37), order="march")
    battle = scene.battle("fire", dice=[A, 4, 3, 4])
    fire_at(battle, terminator, boy)
    assert [event["hit"] for event in told(battle, "epic.fire.to-hit")] == [True, False]
    assert [(event["roll"], event["needed"]) for event in told(battle, "epic.save.roll")] == [(4, 5)]
    assert battle.units.alive[boy] == 0


@pytest.mark.rule("epic.profile.vehicles", "epic.save.armour")
def test_a_predator_fires_its_turret() -> None:
    """At a Rhino 37 cm away it hits with 4; the Rhino (4+) needs 5 from the front and 6 from the rear."""
    scene = EpicScene()
    predator = scene.formation(0, "Predator", at=(30, 20), order="advance")
    rhino = scene.formation(1, "Rhino", at=(30, 57), order="march")
    battle = scene.battle("fire", dice=[A, 4, 5, 1, 1])
    statics = battle.setup.statics
    tables = battle.models.rows, statics["ground"], battle.setup.corners, statics["numbers"]
    assert needed_to_save(*tables, rhino.model(), 30, 20, 1) == 5
    assert needed_to_save(*tables, rhino.model(), 30, 94, 1) == 6
    choose(battle, "own", predator.number)
    choose(battle, "enemy", rhino.number)
    assert told(battle, "epic.fire.to-hit")[0]["hit"] is True
    assert battle.units.alive[rhino] == 1


# ---------------------------------------------------------------- content


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"formations": [{"name": "Mixed", "units": {"Predator": 1, "Rhino": 1}}]},
            "a squad of infantry or a single vehicle",
        ),
        ({"formations": [{"name": "Tanks", "units": {"Predator": 2}}]}, "a squad of infantry or a single vehicle"),
        ({"formations": [{"name": "Many", "units": {"Tactical Marine": 31}}]}, "at most 30 units"),
        ({"formations": [{"name": "Boyz", "units": {"Boy": 5}}]}, "is not known"),
    ],
)
def test_armies_that_cannot_be_played(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ContentError, match=message):
        load_army({"name": "Army", "sheet": "space-marines", **change})


@pytest.mark.parametrize(
    ("features", "message"),
    [
        ([{"kind": "jungle", "polygon": [[1, 1], [5, 1], [5, 5]]}], "features\\[0\\].kind: 'jungle' is not known"),
        ([{"kind": "woods", "polygon": [[1, 1], [125, 1], [5, 5]]}], "leaves the table"),
        (
            [
                {"kind": "woods", "polygon": [[1, 1], [9, 1], [9, 9], [1, 9]]},
                {"kind": "marsh", "polygon": [[2, 2], [5, 2], [5, 5]]},
            ],
            "overlaps",
        ),
        ([{"kind": "woods", "polygon": [[1, 1], [5, 5], [5, 1], [1, 5]]}], "simple polygon"),
    ],
)
def test_battlefields_that_cannot_be_played(features: list[Any], message: str) -> None:
    with pytest.raises(ContentError, match=message):
        load_battle("epic/river-crossing", {"battlefield": {"name": "field", "features": features}})


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"turns": 0}, "turns: 0 is not valid; expected at least 1"),
        ({"counters": {"higher": 1, "lower": 1}}, "at least 3 counters"),
        ({"second_die": {10: 6}}, "a second die for 7, 8 and 9"),
        ({"turn": 4}, "'turn' is not known"),
        ({"attacker": 2}, "attacker: 2"),
    ],
)
def test_rules_that_cannot_be_played(rules: dict[str, Any], message: str) -> None:
    with pytest.raises(ContentError, match=message):
        load_rules(rules)


def test_a_group_may_play_otherwise() -> None:
    battle = Battle.load("epic/river-crossing", seed=1, rules={"turns": 2, "orders": {"march": {"move": 4.0}}})
    assert battle.setup.rules["rounds"] == 2
    assert battle.setup.statics["orders"][4].move == 4.0
    again = Battle.from_bytes(battle.to_bytes())
    assert again.setup.statics["orders"] == battle.setup.statics["orders"]
    assert again.state_bytes() == battle.state_bytes()


def test_pairs_are_as_many_as_can_be() -> None:
    assert most_pairs({0: [5], 1: [5, 6], 2: [6]}, [0, 1, 2]) == 2
    assert most_pairs({0: [5], 1: [5, 6], 2: [6, 7]}, [0, 1, 2]) == 3
    assert most_pairs({0: [5]}, [0], taken=[5]) == 0
