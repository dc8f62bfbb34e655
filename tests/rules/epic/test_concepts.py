"""Units, formations, classes, distances, the turn, hits; initiative counters."""

from __future__ import annotations

import pytest

from wh_env.rulesets.epic.codes import HEAVY_VEHICLE, INFANTRY, LIGHT_VEHICLE, Phase
from wh_env.testing import choose, dice_left, pick, play_until, slots, told, words
from wh_env.testing.epic import A, B, EpicScene, fire_at

NO_SAVE = {"class": "infantry", "move_cm": 5, "save": None, "assault_factor": 0}


@pytest.mark.rule("epic.concepts.unit", "epic.concepts.formation")
def test_a_squad_is_so_many_units_in_one_formation() -> None:
    """Five marines: five units with positions and bases of their own; one lost: four."""
    scene = EpicScene()
    squad = scene.formation(0, "Tactical Marine", at=[(10 + 2 * n, 10) for n in range(5)], order="advance")
    tank = scene.formation(1, "Predator", at=(10, 20), order="advance")
    battle = scene.battle("fire", dice=[B, 5, 1, 1, 1])
    rows = range(squad.first, squad.first + 5)
    assert battle.units.count[squad] == battle.units.alive[squad] == 5
    assert [battle.models.x[k] for k in rows] == [10, 12, 14, 16, 18]
    assert [battle.models.radius[k] for k in rows] == [0.5] * 5
    assert battle.models.radius[tank.model()] == 1.5
    assert battle.units.count[tank] == 1
    fire_at(battle, tank, squad)
    assert battle.units.alive[squad] == sum(battle.models.on_table[k] for k in rows) == 4


@pytest.mark.rule("epic.concepts.formation", "epic.orders.declare")
def test_one_order_for_all_members_of_a_formation() -> None:
    """Two squads of 5 and one tank: exactly three orders are given."""
    scene = EpicScene()
    first = scene.formation(0, "Tactical Marine", at=[(10 + 2 * n, 10) for n in range(5)])
    second = scene.formation(0, "Tactical Marine", at=[(30 + 2 * n, 10) for n in range(5)])
    tank = scene.formation(0, "Predator", at=(50, 10))
    scene.formation(1, "Boy", at=(10, 100))
    battle = scene.battle("orders")
    given = []
    while battle.decision is not None and battle.decision.player == 0 and battle.decision.kind == "give-order":
        given.append(battle.decision.subject)
        pick(battle, "advance")
    assert given == [first.row, second.row, tank.row]
    assert [battle.units.order[row] for row in given] == [1, 1, 1]


@pytest.mark.rule("epic.concepts.classes")
def test_pinning_classes() -> None:
    scene = EpicScene()
    raider = scene.formation(0, "Land Raider", at=(10, 10))
    rhino = scene.formation(0, "Rhino", at=(20, 10))
    boy = scene.formation(1, "Boy", at=(10, 30))
    speeder = scene.formation(0, "Land Speeder", at=(30, 10))
    battle = scene.battle("orders")
    ranks = [battle.models.rank[handle.model()] for handle in (raider, rhino, boy)]
    assert ranks == [HEAVY_VEHICLE, LIGHT_VEHICLE, INFANTRY] == [3, 2, 1]
    assert battle.models.traits[speeder.model()] == 1
    assert battle.models.traits[rhino.model()] == 0


@pytest.mark.parametrize(("x", "rolled"), [(25.0, True), (25.1, False)])
@pytest.mark.rule("epic.concepts.measuring", "epic.fire.range")
def test_distances_run_from_centre_to_centre(x: float, rolled: bool) -> None:
    """A bolter of 25 cm reaches a unit at (25, 0) from (0, 0), not one at (25.1, 0), although the bases are nearer."""
    scene = EpicScene()
    scene.formation(0, "Tactical Marine", at=(1, 1), order="advance")
    scene.formation(1, "Boy", at=(1 + x, 1), order="advance")
    battle = scene.battle("fire", dice=[A, 5, 4])
    choose(battle, "own", 0)
    choose(battle, "enemy", 0)
    assert bool(told(battle, "epic.fire.to-hit")) is rolled
    assert bool(told(battle, "epic.fire.out-of-range")) is not rolled


@pytest.mark.rule("epic.concepts.turn")
def test_the_phases_of_a_turn() -> None:
    """Orders, movement, fire, assault, rally; then turn 2 with orders, all counters removed."""
    scene = EpicScene()
    squad = scene.formation(0, "Tactical Marine", at=(10, 10))
    scene.formation(1, "Boy", at=(10, 110))
    battle = scene.battle("orders")
    pick(battle, "march")
    assert battle.units.order[squad] == 5
    pick(battle, "march")
    while battle.clock.round[0] == 1:
        battle.apply(battle.first_legal())
    phases = [(event["round"], event["phase"]) for event in told(battle, "epic.concepts.turn")]
    assert phases == [
        (1, "Orders"), (1, "Movement"), (1, "Fire"), (1, "Assault"), (1, "Rally"), (2, "Orders"),
    ]  # fmt: skip
    assert battle.clock.phase[0] == Phase.ORDERS
    assert battle.units.order[squad] == 0
    assert not battle.clock.revealed[0]


@pytest.mark.rule("epic.concepts.one-hit")
def test_a_hit_not_saved_eliminates_and_further_hits_are_lost() -> None:
    """Three hits on a Boy: the first is saved, the second is not, the third is lost."""
    scene = EpicScene()
    scene.formation(
        0,
        {**NO_SAVE, "weapons": [{"name": "gun", "range_cm": 30, "dice": 3, "to_hit": 2}]},
        at=(10, 10),
        order="advance",
    )
    boy = scene.formation(1, "Boy", at=(10, 20), order="advance")
    battle = scene.battle("fire", dice=[A, 6, 6, 6, 4, 3])
    choose(battle, "own", 0)
    choose(battle, "enemy", 0)
    saves = told(battle, "epic.save.roll")
    assert [(save["roll"], save["saved"]) for save in saves] == [(4, True), (3, False)]
    assert battle.units.alive[boy] == 0
    assert not battle.models.on_table[boy.model()]
    assert dice_left(battle) == 0


# ---------------------------------------------------------------- initiative


def duel(strategic: tuple[int, int], order: str | None = None) -> EpicScene:
    scene = EpicScene(strategic=strategic)
    scene.formation(0, "Tactical Marine", at=(10, 10), order=order)
    scene.formation(1, "Boy", at=(10, 110), order=order)
    return scene


@pytest.mark.parametrize(
    ("strategic", "counters"), [((5, 3), (3, 2)), ((3, 5), (2, 3)), ((4, 4), (3, 3)), ((5, 4), (3, 2))]
)
@pytest.mark.rule("epic.initiative.strategic-value", "epic.initiative.counters")
def test_counters_follow_the_strategic_values(strategic: tuple[int, int], counters: tuple[int, int]) -> None:
    battle = duel(strategic).battle("orders")
    assert tuple(battle.players.counters) == counters


@pytest.mark.parametrize(("draw", "player"), [(0, 0), (2, 0), (3, 1), (4, 1)])
@pytest.mark.rule("epic.initiative.draw")
def test_two_of_five_counters_are_the_second_players(draw: int, player: int) -> None:
    battle = duel((5, 3), "charge").battle("movement", dice=[draw])
    assert battle.clock.initiative[0] == player
    assert told(battle, "epic.initiative.draw")[0]["player"] == player
    assert battle.decision is not None
    assert (battle.decision.player, battle.decision.kind) == (player, "who-moves-first")


@pytest.mark.rule("epic.initiative.draw")
def test_draws_are_as_likely_as_the_counters() -> None:
    """Over many cups of 3 and 2 the second player has the initiative twice in five times."""
    battle = duel((5, 3)).battle("orders")
    drawn = [battle.draw(5) for _ in range(4000)]
    shares = [drawn.count(counter) / 4000 for counter in range(5)]
    assert all(0.17 < share < 0.23 for share in shares)


@pytest.mark.rule("epic.initiative.without-replacement", "epic.initiative.holder", "epic.initiative.refill")
def test_drawn_counters_stay_out_until_the_turn_ends() -> None:
    """Three of A and two of B: B, B, then A for certain; in the rally phase A still has it; in turn 2 the cup is full again."""
    battle = duel((5, 3), "charge").battle("movement", dice=[4, 3, 0])
    assert tuple(battle.players.counters) == (3, 1)
    play_until(battle, "who-assaults-first")
    assert [event["player"] for event in told(battle, "epic.initiative.draw")] == [1, 1, 0]
    assert tuple(battle.players.counters) == (2, 0)
    assert battle.clock.initiative[0] == 0
    while battle.clock.round[0] == 1:
        assert battle.clock.initiative[0] == 0
        battle.apply(battle.first_legal())
    assert [event["phase"] for event in told(battle, "epic.concepts.turn")][3:5] == ["Rally", "Orders"]
    assert tuple(battle.players.counters) == (3, 2)


@pytest.mark.rule("epic.initiative.draw", "epic.initiative.holder")
def test_a_counter_is_drawn_in_three_phases_and_no_other() -> None:
    battle = duel((5, 3)).battle("orders")
    assert told(battle, "epic.initiative.draw") == []
    while battle.clock.round[0] == 1:
        battle.apply(battle.first_legal())
    order = [event.rule for event in battle.events if event.rule in ("epic.concepts.turn", "epic.initiative.draw")]
    phase, draw = "epic.concepts.turn", "epic.initiative.draw"
    assert order == [phase, phase, draw, phase, draw, phase, draw, phase, phase]


def test_actions_are_told_in_words() -> None:
    battle = duel((5, 3), "charge").battle("movement", dice=[0])
    assert list(words(battle).values()) == ["own side first", "the opponent first"]
    pick(battle, "own side first")
    assert slots(battle, "own") == [0]
