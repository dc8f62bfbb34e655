"""Pinning: who holds whom in contact, and what that forbids."""

from __future__ import annotations

import pytest

from wh_env import Battle
from wh_env.testing import choose, pick, slots
from wh_env.testing.epic import A, B, EpicScene, FormationHandle, fire_at, may_move, move_by, place_of

# radius 0.5 for infantry, 1.5 for vehicles
HEAVY, LIGHT, BOY, SPEEDER = "Land Raider", "Rhino", "Boy", "Land Speeder"


def radius(card: str) -> float:
    return 0.5 if card == BOY else 1.5


def held(card: str, *enemies: str, order: str = "advance") -> tuple[Battle, FormationHandle]:
    """A unit in contact with enemies to its north, east and west, about to move."""
    scene = EpicScene()
    unit = scene.formation(0, card, at=(60, 60), order=order)
    for (dx, dy), enemy in zip(((0, 1), (1, 0), (-1, 0)), enemies, strict=False):
        apart = radius(card) + radius(enemy)
        scene.formation(1, enemy, at=(60 + dx * apart, 60 + dy * apart), order="advance")
    scene.formation(0, BOY, at=(5, 5), order="advance")
    scene.formation(1, BOY, at=(115, 115), order="march")
    battle = scene.battle("movement", dice=[A])
    pick(battle, "own side first")
    return battle, unit


@pytest.mark.rule("epic.pin.pinned")
def test_a_pinned_unit_does_not_move_until_the_enemy_has_gone() -> None:
    """A marine tied with a Boy stays when his formation advances; when the Boy is eliminated he is free again."""
    scene = EpicScene()
    squad = scene.formation(0, "Tactical Marine", at=[(60, 60), (62, 60), (64, 60)], order="advance")
    scene.formation(1, BOY, at=(60, 61), order="overwatch", fired=1)
    scene.formation(1, BOY, at=(115, 115), order="march")
    battle = scene.battle("movement", dice=[A])
    pick(battle, "own side first")
    assert not may_move(battle, squad, 2.5, -2.5, 0)
    assert may_move(battle, squad, 2.5, -2.5, 1)
    choose(battle, "own", 0)
    move_by(battle, 2.5, -2.5)
    assert [place_of(battle, squad.model(n)) for n in range(3)] == [(60, 60), (64.5, 57.5), (66.5, 57.5)]
    freed = EpicScene()
    squad = freed.formation(0, "Tactical Marine", at=[(60, 60), (62, 60)], order="advance")
    freed.formation(1, BOY, at=(115, 115), order="march")
    battle = freed.battle("movement", dice=[A])
    pick(battle, "own side first")
    choose(battle, "own", 0)
    move_by(battle, 2.5, -2.5)
    assert place_of(battle, squad.model(0)) == (62.5, 57.5)


@pytest.mark.rule("epic.pin.pinned")
def test_contact_and_pinning_end_with_the_combat() -> None:
    scene = EpicScene()
    marine = scene.formation(0, "Tactical Marine", at=(60, 60), order="march")
    scene.formation(1, BOY, at=(60, 61), order="march")
    scene.formation(1, BOY, at=(5, 115), order="march")
    battle = scene.battle("assault", dice=[A, 6, 6, 1, 1])
    assert battle.models.pinned[marine.model()] == 1
    choose(battle, "option", 0)
    assert battle.models.pinned[marine.model()] == battle.models.contact[marine.model()] == 0


@pytest.mark.rule("epic.pin.pinned")
def test_a_pinned_unit_neither_fires_nor_is_fired_at() -> None:
    scene = EpicScene()
    scene.formation(0, "Tactical Marine", at=(60, 60), order="advance")
    scene.formation(0, "Tactical Marine", at=(70, 60), order="advance")
    scene.formation(1, BOY, at=(60, 61), order="advance")
    far = scene.formation(1, BOY, at=(80, 80), order="advance")
    battle = scene.battle("fire", dice=[A])
    assert slots(battle, "own") == [1]
    choose(battle, "own", 1)
    assert slots(battle, "enemy") == [far.number]


@pytest.mark.parametrize(
    ("enemies", "free"),
    [((BOY, BOY, LIGHT), True), ((BOY,), True), ((LIGHT,), True), ((HEAVY,), False), ((BOY, HEAVY), False)],
)
@pytest.mark.rule("epic.pin.heavy-vehicle")
def test_a_heavy_vehicle_is_only_pinned_by_heavy_ones(enemies: tuple[str, ...], free: bool) -> None:
    battle, raider = held(HEAVY, *enemies)
    assert (0 in slots(battle, "own")) is free
    assert bool(battle.models.pinned[raider.model()]) is not free
    assert battle.models.contact[raider.model()] == 1
    if free:
        assert may_move(battle, raider, 0, -10)


@pytest.mark.parametrize(
    ("enemies", "free"), [((BOY,), True), ((BOY, BOY), True), ((LIGHT,), False), ((HEAVY,), False)]
)
@pytest.mark.rule("epic.pin.light-vehicle")
def test_a_light_vehicle_is_not_pinned_by_infantry(enemies: tuple[str, ...], free: bool) -> None:
    battle, rhino = held(LIGHT, *enemies)
    assert (0 in slots(battle, "own")) is free
    if free:
        assert may_move(battle, rhino, 0, -12)


@pytest.mark.parametrize("enemy", [BOY, LIGHT, HEAVY])
@pytest.mark.rule("epic.pin.pinned")
def test_infantry_is_pinned_by_everybody(enemy: str) -> None:
    battle, _ = held(BOY, enemy)
    assert 0 not in slots(battle, "own")


@pytest.mark.parametrize("enemies", [(HEAVY,), (HEAVY, HEAVY), (LIGHT,), (BOY,)])
@pytest.mark.rule("epic.pin.never")
def test_anti_grav_units_are_never_pinned(enemies: tuple[str, ...]) -> None:
    battle, speeder = held(SPEEDER, *enemies)
    assert 0 in slots(battle, "own")
    assert may_move(battle, speeder, 0, -17)


@pytest.mark.rule("epic.pin.never")
def test_aerial_units_are_never_pinned() -> None:
    scene = EpicScene()
    flyer = {"class": "light-vehicle", "traits": ["aerial"], "move_cm": 17, "save": 5, "assault_factor": 0}
    unit = scene.formation(0, flyer, at=(60, 60), order="advance")
    scene.formation(1, HEAVY, at=(60, 63), order="advance")
    battle = scene.battle("movement", dice=[A])
    pick(battle, "own side first")
    assert slots(battle, "own") == [unit.number]


@pytest.mark.rule("epic.pin.unpinned-fire")
def test_one_that_left_contact_may_fire_one_that_stays_may_not() -> None:
    """A Land Raider with Advance in contact with a Boy: 3 cm away it may fire at him; if it stays neither is a target."""
    for leaves in (True, False):
        scene = EpicScene()
        raider = scene.formation(0, HEAVY, at=(60, 60), order="advance")
        scene.formation(0, "Tactical Marine", at=(40, 60), order="advance")
        boy = scene.formation(1, BOY, at=(60, 62), order="advance")
        battle = scene.battle("movement", dice=[A, A, 5, 5, 1])
        pick(battle, "own side first")
        if leaves:
            choose(battle, "own", 0)
            move_by(battle, 0, -3.75)
        while battle.decision is not None and battle.clock.phase[0] == 2:
            choose(battle, "done")
        if leaves:
            assert slots(battle, "own") == [0, 1]
            fire_at(battle, raider, boy)
            assert battle.units.alive[boy] == 0
        else:
            # neither the raider nor anybody else finds a target
            assert battle.decision is None or battle.decision.kind != "select-to-fire"


@pytest.mark.rule("epic.pin.unpinned-fire", "epic.fire.who-may", "epic.fire.targets")
def test_contact_bars_fire_of_those_too_that_it_does_not_pin() -> None:
    """A Land Raider in contact with a Boy is not pinned; it neither fires at another one nor is it his target."""
    scene = EpicScene()
    raider = scene.formation(0, HEAVY, at=(60, 60), order="advance")
    scene.formation(1, BOY, at=(60, 62), order="advance")
    scene.formation(1, BOY, at=(60, 75), order="advance")
    battle = scene.battle("fire", dice=[A])
    assert (battle.models.contact[raider.model()], battle.models.pinned[raider.model()]) == (1, 0)
    assert battle.clock.phase[0] > 3  # nobody had a target


@pytest.mark.rule("epic.pin.pinned", "epic.move.retreating")
def test_pinning_holds_in_retreat_too() -> None:
    scene = EpicScene()
    scene.formation(0, BOY, at=(60, 60), retreating=1)
    scene.formation(1, BOY, at=(60, 61), order="overwatch", fired=1)
    battle = scene.battle("movement", dice=[B])
    while battle.decision is not None and battle.clock.phase[0] == 2:
        assert battle.decision.kind != "select-to-move" or battle.decision.player == 1
        battle.apply(battle.first_legal())
    assert place_of(battle, 0) == (60, 60)
