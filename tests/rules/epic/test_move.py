"""Movement: who first, all at once, distance, paths, coherency, no contact, retreat."""

from __future__ import annotations

from math import hypot

import pytest

from wh_env import Battle, IllegalAction
from wh_env.rulesets.epic.move.plans import scattered
from wh_env.testing import choose, pick, slots, told, words
from wh_env.testing.epic import A, B, EpicScene, FormationHandle, may_move, move_by, place_of


def start(scene: EpicScene, dice: list[int] | None = None, detail: str = "squad") -> Battle:
    """The first player's moves, his own by default."""
    battle = scene.battle("movement", dice=[A] if dice is None else dice, detail=detail)
    pick(battle, "own side first")
    return battle


def far_enemy(scene: EpicScene) -> FormationHandle:
    return scene.formation(1, "Boy", at=(119, 119), order="overwatch", fired=1)


MOVER = {"class": "infantry", "move_cm": 10, "save": 4, "assault_factor": 0}


# ---------------------------------------------------------------- who and when


@pytest.mark.parametrize(("draw", "option", "first"), [(A, 0, 0), (A, 1, 1), (B, 0, 1), (B, 1, 0)])
@pytest.mark.rule("epic.move.who-first")
def test_the_player_with_the_initiative_says_who_moves_first(draw: int, option: int, first: int) -> None:
    scene = EpicScene()
    scene.formation(0, "Boy", at=(10, 10), order="advance")
    scene.formation(1, "Boy", at=(10, 110), order="advance")
    battle = scene.battle("movement", dice=[draw])
    assert battle.decision is not None
    assert battle.decision.player == (0 if draw == A else 1)
    choose(battle, "option", option)
    movers = []
    while battle.decision is not None and battle.decision.kind == "select-to-move":
        movers.append(battle.decision.player)
        choose(battle, "done")
    assert movers == [first, 1 - first]


@pytest.mark.rule("epic.move.all-at-once")
def test_a_player_makes_all_his_moves_before_the_other_begins() -> None:
    """A with 3 formations: B is not offered a move before A's other two have moved or been declared to stay."""
    scene = EpicScene()
    for n in range(3):
        scene.formation(0, "Boy", at=(10 + 10 * n, 10), order="advance")
    for n in range(2):
        scene.formation(1, "Boy", at=(10 + 10 * n, 110), order="advance")
    battle = start(scene)
    asked = []
    for own in (1, 0):
        assert battle.decision is not None
        asked.append((battle.decision.player, slots(battle, "own")))
        choose(battle, "own", own)
        move_by(battle, 0, 5)
    assert asked == [(0, [0, 1, 2]), (0, [0, 2])]
    assert (battle.decision.player, slots(battle, "own")) == (0, [2])
    pick(battle, "the rest stay")
    assert battle.decision is not None
    assert (battle.decision.player, slots(battle, "own")) == (1, [0, 1])


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.rule("epic.move.all-at-once", "epic.move.distance")
def test_what_moved_in_the_assault_phase_moves_again_in_the_next_turn(first: int) -> None:
    """All of a charging formation moved, whoever moved first: in turn 2 it is offered its move."""
    scene = EpicScene()
    mobs = [
        scene.formation(player, "Boy", at=[(30, 30 + 60 * player), (32, 30 + 60 * player)], order="charge")
        for player in (0, 1)
    ]
    battle = scene.battle("assault", dice=[A])
    choose(battle, "option", first)
    for player in (first, 1 - first):
        choose(battle, "own", 0)
        move_by(battle, 0, 5 - 10 * player)
        assert place_of(battle, mobs[player].model())[1] == pytest.approx(35 + 50 * player)
    while battle.decision is not None and battle.clock.round[0] == 1:
        battle.apply(battle.first_legal())
    while battle.decision is not None and battle.decision.kind != "who-moves-first":
        pick(battle, "advance")
    choose(battle, "option", 0)
    for _ in (0, 1):
        assert battle.decision is not None
        assert battle.decision.kind == "select-to-move"
        assert slots(battle, "own") == [0]
        player = battle.decision.player
        choose(battle, "own", 0)
        move_by(battle, 0, 5 - 10 * player)
        assert place_of(battle, mobs[player].model())[1] == pytest.approx(40 + 40 * player)


# ---------------------------------------------------------------- distance and path


@pytest.mark.parametrize(
    ("order", "retreating", "allowance"),
    [
        ("advance", 0, 5),
        ("charge", 0, 10),
        ("support-fire", 0, 2),
        ("overwatch", 0, 0),
        ("march", 0, 15),
        (None, 1, 10),
    ],
)
@pytest.mark.rule("epic.move.distance")
def test_the_allowance_of_a_movement_of_5(order: str | None, retreating: int, allowance: float) -> None:
    scene = EpicScene()
    scene.area("cliff", 40, 50, 60, 52)  # out of sight of everybody, so that the retreating one is free to go anywhere
    scene.area("cliff", 0, 50, 40, 52)
    scene.area("cliff", 60, 50, 120, 52)
    unit = scene.formation(0, "Boy", at=(30, 30), order=order, retreating=retreating)
    far_enemy(scene)
    battle = scene.battle("movement", dice=[A])
    assert may_move(battle, unit, allowance, 0)
    assert not may_move(battle, unit, allowance + 0.1, 0)
    if allowance:
        pick(battle, "own side first")
        choose(battle, "own", 0)
        assert move_by(battle, -allowance, 0)[0] == pytest.approx(-allowance)


@pytest.mark.rule("epic.move.path", "epic.move.distance")
def test_not_through_enemies_but_through_friends() -> None:
    """An enemy 3 cm straight ahead: 5 cm through him is rejected; through a friend it is legal, though not to end on him."""
    scene = EpicScene()
    unit = scene.formation(0, "Boy", at=(30, 30), order="advance")
    scene.formation(1, "Boy", at=(30, 33), order="advance")
    battle = start(scene)
    assert not may_move(battle, unit, 0, 5)
    friends = EpicScene()
    unit = friends.formation(0, "Boy", at=(30, 30), order="advance")
    friends.formation(0, "Boy", at=(30, 33), order="advance")
    far_enemy(friends)
    battle = start(friends)
    assert may_move(battle, unit, 0, 5)
    assert not may_move(battle, unit, 0, 3)
    assert not may_move(battle, unit, 0, 2.1)
    assert may_move(battle, unit, 0, 2.0)


@pytest.mark.parametrize(("card", "passes"), [("Land Speeder", True), ("Rhino", False)])
@pytest.mark.rule("epic.move.path")
def test_anti_grav_units_pass_over_enemies(card: str, passes: bool) -> None:
    scene = EpicScene()
    for start_x in (1, 61):  # an unbroken line of enemies
        places = [(start_x + 2 * n, 40) for n in range(30)]
        scene.formation(1, "Boy", at=places, order="overwatch", fired=1)
    unit = scene.formation(0, card, at=(60, 34), order="advance")
    battle = start(scene)
    assert may_move(battle, unit, 0, 12) is passes
    assert not may_move(battle, unit, 0, 5)


@pytest.mark.rule("epic.move.path", "epic.move.distance")
def test_the_allowance_is_the_length_of_the_path() -> None:
    """A single vehicle goes round a building: 10 cm straight ahead are a longer way, 12 cm are not enough for it."""
    scene = EpicScene()
    scene.area("buildings", 26, 34, 34, 36)
    tank = scene.formation(0, "Predator", at=(30, 30), order="advance")
    far_enemy(scene)
    battle = start(scene)
    around = 2 * hypot(4, 4)  # to the corner at 26, 34 and as far on beyond (26, 36)
    assert around > 10
    assert not may_move(battle, tank, 0, 10)
    assert not may_move(battle, tank, 0, 6.5)
    assert may_move(battle, tank, -4.5, 4.5)
    charging = EpicScene()
    charging.area("buildings", 26, 34, 34, 36)
    tank = charging.formation(0, "Predator", at=(30, 30), order="charge")
    far_enemy(charging)
    battle = start(charging)
    assert may_move(battle, tank, 0, 10)
    assert may_move(battle, tank, 0, 6.5)
    choose(battle, "own", 0)
    move_by(battle, 0, 10)
    assert place_of(battle, tank.model()) == pytest.approx((30, 40), abs=0.1)


@pytest.mark.rule("epic.move.path", "epic.move.distance")
def test_vehicles_turn_freely() -> None:
    """After its move, or in place, a vehicle takes any facing; at squad detail it looks to the nearest enemy."""
    scene = EpicScene()
    tank = scene.formation(0, "Predator", at=(30, 30), order="advance")
    scene.formation(1, "Boy", at=(80, 30), order="overwatch", fired=1)
    battle = start(scene, detail="full")
    choose(battle, "own", 0)
    move_by(battle, 0, 0)
    assert battle.decision is not None
    assert battle.decision.kind == "facing"
    assert slots(battle, "angle") == list(range(24))
    choose(battle, "angle", 18)
    assert battle.models.facing[tank.model()] == pytest.approx(1.5 * 3.141592653589793)
    squad = start(scene)
    choose(squad, "own", 0)
    move_by(squad, 0, 5)
    assert squad.models.facing[tank.model()] == pytest.approx(0.0, abs=0.15)


# ---------------------------------------------------------------- coherency


@pytest.mark.parametrize(
    ("places", "coherent"),
    [((0, 3, 6), True), ((0, 3, 6.5), False), ((0, 3, 20, 23), False), ((0,), True), ((0, 3, 6, 9, 12, 15), True)],
)
@pytest.mark.rule("epic.move.coherency")
def test_all_linked_in_one_chain_of_3_cm(places: tuple[float, ...], coherent: bool) -> None:
    scene = EpicScene()
    squad = scene.formation(0, "Boy", at=[(30 + x, 30) for x in places], order="advance")
    far_enemy(scene)
    battle = start(scene)
    assert scattered(battle, squad.row) is not coherent


@pytest.mark.rule("epic.move.coherency")
def test_a_move_that_ends_out_of_coherency_is_rejected() -> None:
    """Full detail: units at 0, 3 and 6.5 may not be left so; everything can be taken back."""
    scene = EpicScene()
    squad = scene.formation(0, "Boy", at=[(30, 30), (33, 30), (36, 30)], order="advance")
    far_enemy(scene)
    battle = start(scene, detail="full")
    choose(battle, "own", 0)
    assert slots(battle, "done") == [0]  # to stay
    choose(battle, "model", 2)
    move_by(battle, 0.625, 0, squad.model(2))
    assert slots(battle, "done") == []
    with pytest.raises(IllegalAction):
        choose(battle, "done")
    choose(battle, "model", 1)
    move_by(battle, 0.625, 0, squad.model(1))
    assert slots(battle, "done") == []  # now the first is 3.6 cm away
    pick(battle, "take everything back")
    assert [battle.models.x[squad.model(n)] for n in range(3)] == [30, 33, 36]
    choose(battle, "model", 2)
    move_by(battle, -0.625, 0, squad.model(2))
    choose(battle, "done")
    assert battle.models.x[squad.model(2)] == pytest.approx(35.375)


@pytest.mark.rule("epic.move.coherency")
def test_the_next_move_restores_coherency_as_far_as_the_allowance_permits() -> None:
    """One unit 5 cm from the rest: only moves are legal that bring it back. 20 cm from it, those that bring it nearest."""
    for gap, order, together in ((5.0, "advance", True), (20.0, "advance", False), (20.0, "march", True)):
        scene = EpicScene()
        squad = scene.formation(0, "Boy", at=[(30, 30), (32, 30), (34, 30), (34 + gap, 30)], order=order)
        far_enemy(scene)
        battle = start(scene)
        choose(battle, "own", 0)
        space = battle.setup.space
        cells = slots(battle, "cell") if battle.decision is not None and battle.decision.kind == "move-to" else []
        missing = []
        for cell in cells:
            probe = battle.clone()
            probe.apply(space.cell + cell)
            places = [place_of(probe, squad.model(n)) for n in range(4)]
            missing.append(min(hypot(x - places[3][0], y - places[3][1]) for x, y in places[:3]) - 3.0)
            assert all(
                hypot(x - 30 - 2 * n, y - 30) <= (5 if order == "advance" else 15) + 1e-6
                for n, (x, y) in enumerate(places[:3])
            )
        if together:
            assert cells
            assert max(missing) <= 1e-3
        else:
            # the three go 5 cm to the right, the fourth 5 cm to the left: one way only, which is then not asked
            assert cells == []
            assert battle.models.x[squad.model(0)] == pytest.approx(35)
            assert battle.models.x[squad.model(3)] == pytest.approx(34 + gap - 5)
        assert told(battle, "epic.concepts.turn")


# ---------------------------------------------------------------- no contact


@pytest.mark.parametrize(
    ("ahead", "legal"), [(8.0, False), (7.1, False), (7.0 - 1e-9, False), (6.0, True), (6.1, False)]
)
@pytest.mark.rule("epic.move.no-contact")
def test_no_move_ends_within_1_cm_of_an_enemy_base(ahead: float, legal: bool) -> None:
    """An enemy 8 cm away: contact would be at 7 cm; to end 1 cm short of it is legal, nearer is not."""
    scene = EpicScene()
    unit = scene.formation(0, "Boy", at=(30, 30), order="charge")
    scene.formation(1, "Boy", at=(30, 38), order="overwatch", fired=1)
    battle = start(scene)
    assert may_move(battle, unit, 0, ahead) is legal


@pytest.mark.rule("epic.move.no-contact", "epic.pin.pinned")
def test_a_unit_in_contact_from_an_earlier_tie_stays() -> None:
    scene = EpicScene()
    squad = scene.formation(0, "Boy", at=[(30, 30), (32, 30)], order="advance")
    scene.formation(1, "Boy", at=(30, 31), order="overwatch", fired=1)
    battle = start(scene)
    assert may_move(battle, squad, 0, 0)
    choose(battle, "own", 0)
    move_by(battle, 1.25, -1.25)
    assert place_of(battle, squad.model(0)) == (30, 30)
    assert place_of(battle, squad.model(1)) == pytest.approx((33.25, 28.75))


# ---------------------------------------------------------------- retreat


def retreat(*walls: tuple[float, float, float, float], y: float = 50.0) -> tuple[Battle, FormationHandle]:
    """A retreating Boy, 20 cm from an enemy to his north."""
    scene = EpicScene()
    for wall in walls:
        scene.area("buildings", *wall)
    boy = scene.formation(0, "Boy", at=(60, y), retreating=1)
    scene.formation(1, "Boy", at=(60, y + 20), order="overwatch", fired=1)
    return scene.battle("movement", dice=[A]), boy


@pytest.mark.rule("epic.move.retreating", "epic.morale.retreat-effects")
def test_a_retreating_unit_in_sight_moves_away() -> None:
    """10 cm back to 30 cm from him is legal; to stay or to end at 15 cm is rejected. It has to move."""
    battle, boy = retreat()
    pick(battle, "own side first")
    assert battle.decision is not None
    assert battle.decision.kind == "move-to"  # the rest cannot stay: there is nothing else to choose
    assert may_move(battle, boy, 0, -10)
    assert not may_move(battle, boy, 0, -10.1)
    assert not may_move(battle, boy, 0, 0)
    assert not may_move(battle, boy, 0, 5)
    assert not may_move(battle, boy, 0.0, 1.0)
    assert may_move(battle, boy, 3.0, 0.0)  # 20.2 cm
    move_by(battle, 0, -10)
    assert place_of(battle, boy.model()) == pytest.approx((60, 40))


@pytest.mark.rule("epic.move.retreating")
def test_out_of_sight_it_may_stay_or_move_as_it_likes() -> None:
    battle, boy = retreat((50, 58, 70, 62))
    pick(battle, "own side first")
    assert list(words(battle).values()) == ["the rest stay", "Boys 00"]
    assert may_move(battle, boy, 0, 0)
    assert may_move(battle, boy, 0, 5)
    pick(battle, "the rest stay")
    assert place_of(battle, boy.model()) == (60, 50)


@pytest.mark.rule("epic.move.retreating", "epic.mission.table")
def test_it_stops_at_the_table_edge_and_stays_where_there_is_no_way() -> None:
    near, boy = retreat(y=4.0)
    pick(near, "own side first")
    move_by(near, 0, -10)
    assert place_of(near, boy.model()) == pytest.approx((60, 0.5))
    scene = EpicScene()
    corner = scene.formation(0, "Boy", at=(0.5, 0.5), retreating=1)
    scene.formation(1, "Boy", at=(20, 20), order="overwatch", fired=1)
    battle = scene.battle("movement", dice=[A])
    if battle.decision is not None and battle.decision.kind == "who-moves-first":
        pick(battle, "own side first")
    assert battle.decision is None or battle.decision.kind not in ("select-to-move", "move-to")
    assert place_of(battle, corner.model()) == (0.5, 0.5)


@pytest.mark.rule("epic.move.retreating")
def test_every_unit_of_a_retreating_formation_moves_away() -> None:
    scene = EpicScene()
    squad = scene.formation(0, "Boy", at=[(60, 50), (62, 50), (64, 50)], retreating=1)
    scene.formation(1, "Boy", at=(60, 70), order="overwatch", fired=1)
    scene.formation(1, "Boy", at=(85, 50), order="overwatch", fired=1)
    battle = scene.battle("movement", dice=[A])
    pick(battle, "own side first")
    space = battle.setup.space
    enemies = [(60, 70), (85, 50)]

    def nearest(x: float, y: float) -> float:
        return min(hypot(x - ex, y - ey) for ex, ey in enemies)

    cells = slots(battle, "cell")
    assert cells
    for cell in cells:
        probe = battle.clone()
        probe.apply(space.cell + cell)
        if probe.decision is not None and probe.decision.kind == "move-refine":
            probe.apply(space.cell + 144)
        for n in range(3):
            assert nearest(*place_of(probe, squad.model(n))) > nearest(60 + 2 * n, 50)


@pytest.mark.rule("epic.move.retreating", "epic.move.distance")
def test_retreat_at_full_detail() -> None:
    """Each unit is placed by itself; the formation is done when all that can have moved away."""
    scene = EpicScene()
    squad = scene.formation(0, "Boy", at=[(60, 50), (62, 50)], retreating=1)
    scene.formation(1, "Boy", at=(60, 70), order="overwatch", fired=1)
    battle = scene.battle("movement", dice=[A], detail="full")
    pick(battle, "own side first")
    assert slots(battle, "model") == [0, 1]
    assert slots(battle, "done") == []
    for unit in (0, 1):
        if battle.decision is not None and battle.decision.kind == "select-unit":
            choose(battle, "model", unit)
        move_by(battle, 0, -10, squad.model(unit))
    assert place_of(battle, squad.model(0)) == pytest.approx((60, 40))
    assert place_of(battle, squad.model(1)) == pytest.approx((62, 40))


@pytest.mark.rule("epic.move.retreating")
def test_at_full_detail_each_unit_finds_its_own_way_to_retreat() -> None:
    """A cliff behind both and enemies on three sides: no displacement serves both, but one gets round it left, the other right."""
    scene = EpicScene()
    scene.area("cliff", 60.2, 40, 61.8, 50)
    squad = scene.formation(0, "Boy", at=[(60.4, 50), (61.6, 50)], retreating=1)
    for place in ((61, 70), (39.4, 50), (82.6, 50)):
        scene.formation(1, "Boy", at=place, order="overwatch", fired=1)
    together = scene.battle("movement", dice=[A])
    pick(together, "own side first")
    assert place_of(together, squad.model()) == (60.4, 50)
    battle = scene.battle("movement", dice=[A], detail="full")
    pick(battle, "own side first")
    assert slots(battle, "model") == [0, 1]
    assert slots(battle, "done") == []
    choose(battle, "model", 0)
    move_by(battle, -0.7, -3.75, squad.model(0))
    if battle.decision is not None and battle.decision.kind == "select-unit":
        choose(battle, "model", 1)
    move_by(battle, 0.7, -3.75, squad.model(1))
    assert place_of(battle, squad.model(0)) == pytest.approx((59.7, 46.25), abs=0.05)
    assert place_of(battle, squad.model(1)) == pytest.approx((62.3, 46.25), abs=0.05)


@pytest.mark.rule("epic.move.retreating")
def test_a_retreat_that_comes_to_nothing_ends() -> None:
    """Everything is taken back twice, and there is no way for all of them at once: they stay where they are."""
    scene = EpicScene()
    scene.area("cliff", 60.2, 40, 61.8, 50)
    squad = scene.formation(0, "Boy", at=[(60.4, 50), (61.6, 50)], retreating=1)
    for place in ((61, 70), (39.4, 50), (82.6, 50)):
        scene.formation(1, "Boy", at=place, order="overwatch", fired=1)
    battle = scene.battle("movement", dice=[A], detail="full")
    pick(battle, "own side first")
    for _ in (0, 1):
        choose(battle, "model", 0)
        move_by(battle, -1.25, -8.75, squad.model(0))
        if battle.decision is not None and battle.decision.kind == "select-unit":
            choose(battle, "model", 1)
        move_by(battle, 1.25, -3.75, squad.model(1))
    assert place_of(battle, squad.model(0)) == (60.4, 50)
    assert place_of(battle, squad.model(1)) == (61.6, 50)


@pytest.mark.rule("epic.move.retreating", "epic.move.coherency")
def test_a_scattered_formation_in_retreat_closes_up_away_from_the_enemy() -> None:
    """The straggler behind would have to come back to join: only cells where it goes away as well are legal. A lost unit has no say."""
    scene = EpicScene()
    squad = scene.formation(0, MOVER, at=[(60, 50), (62, 50), (60, 40)], retreating=1, lost=1)
    scene.formation(1, "Boy", at=(60, 70), order="overwatch", fired=1)
    battle = scene.battle("movement", dice=[A])
    pick(battle, "own side first")
    space, cells = battle.setup.space, slots(battle, "cell")
    assert cells
    for cell in cells[::5]:
        probe = battle.clone()
        probe.apply(space.cell + cell)
        for n in range(3):
            x, y = place_of(probe, squad.model(n))
            assert hypot(x - 60, y - 70) > hypot(
                battle.models.x[squad.model(n)] - 60, battle.models.y[squad.model(n)] - 70
            )


@pytest.mark.rule("epic.move.retreating", "epic.mission.table")
def test_a_lost_unit_is_in_nobodys_way_at_the_table_edge() -> None:
    """What is legal in a corner of the table is the same with and without a unit that was lost."""

    def cells(lost: int) -> list[int]:
        scene = EpicScene()
        scene.formation(0, "Boy", at=(3, 3), retreating=1, lost=lost)
        scene.formation(1, "Boy", at=(20, 20), order="overwatch", fired=1)
        battle = scene.battle("movement", dice=[A])
        pick(battle, "own side first")
        return slots(battle, "cell")

    assert cells(0) == cells(1) != []


@pytest.mark.rule("epic.move.path", "epic.move.no-contact")
@pytest.mark.parametrize(
    ("card", "past", "reach"), [("Boy", 8.0, True), ("Boy", 9.8, False), ("Land Speeder", 9.8, True)]
)
def test_the_way_leads_round_an_enemy_base(card: str, past: float, reach: bool) -> None:
    """Infantry with 10 cm goes round an enemy 5 cm ahead, which costs 0.3 cm; what hovers passes over it."""
    scene = EpicScene()
    mover = scene.formation(
        0, {**MOVER, **({"traits": ["anti-grav"]} if card != "Boy" else {})}, at=(60, 50), order="advance"
    )
    scene.formation(1, "Boy", at=(60, 55), order="overwatch", fired=1)
    battle = start(scene)
    assert may_move(battle, mover, 0, past) is reach


@pytest.mark.rule("epic.move.coherency", "epic.move.distance")
@pytest.mark.parametrize("player", [0, 1])
def test_full_detail_takes_back_what_leaves_the_formation_apart(player: int) -> None:
    """The second formation of either player: one unit goes 9 cm ahead, which is no end of its move; after two attempts it stays."""
    scene = EpicScene()
    scene.formation(player, "Boy", at=(5, 60), order="overwatch")
    pair = scene.formation(player, MOVER, at=[(60, 60), (62, 60)], order="advance")
    scene.formation(1 - player, "Boy", at=(119, 60), order="overwatch", fired=1)
    battle = start(scene, [(A, B)[player]], detail="full")
    choose(battle, "own", pair.number)
    for _ in (0, 1):
        assert slots(battle, "model") == [0, 1]
        assert (slots(battle, "done"), slots(battle, "option")) == ([0], [])
        choose(battle, "model", 1)
        move_by(battle, 9, 0, pair.model(1))
        assert slots(battle, "model") == [0]
        assert (slots(battle, "done"), slots(battle, "option")) == ([], [0])
        choose(battle, "option", 0)
        assert place_of(battle, pair.model(1)) == (62, 60)
    assert battle.decision is None or battle.decision.subject != pair.row
    assert [place_of(battle, pair.model(n)) for n in (0, 1)] == [(60, 60), (62, 60)]
    assert told(battle, "epic.move.distance") == []


@pytest.mark.rule("epic.move.distance", "epic.move.path")
@pytest.mark.parametrize("player", [0, 1])
def test_full_detail_moves_each_unit_by_its_own_movement(player: int) -> None:
    """One after the other, in any order, each exactly where it was put; who is not placed stays."""
    scene = EpicScene()
    scene.formation(player, "Boy", at=(5, 60), order="overwatch")
    squad = scene.formation(player, MOVER, at=[(60, 60), (62, 60), (64, 60)], order="advance")
    scene.formation(1 - player, "Boy", at=(119, 60), order="overwatch", fired=1)
    battle = start(scene, [(A, B)[player]], detail="full")
    choose(battle, "own", squad.number)
    choose(battle, "model", 2)
    where = move_by(battle, -3, 2, squad.model(2))
    choose(battle, "model", 0)
    other = move_by(battle, 0, -2, squad.model(0))
    assert slots(battle, "model") == [1]
    choose(battle, "done")
    assert place_of(battle, squad.model(2)) == pytest.approx((64 + where[0], 60 + where[1]))
    assert place_of(battle, squad.model(0)) == pytest.approx((60 + other[0], 60 + other[1]))
    assert place_of(battle, squad.model(1)) == (62, 60)
    assert [event["unit"] for event in told(battle, "epic.move.distance")] == [squad.row]
