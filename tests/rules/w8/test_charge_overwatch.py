"""Overwatch: who may fire at a unit that charges, when, and how it hits (w8.charge.sequence, w8.charge.overwatch*)."""

from __future__ import annotations

from typing import Any

import pytest
from eighth import EighthScene

from wh_env.content.battle import Battle
from wh_env.core.procedures import Default
from wh_env.rulesets.w8.ruleset import EIGHTH_EDITION
from wh_env.rulesets.w40k.codes import Moved
from wh_env.testing import choose, dice_left, kind, melee, offered, pick, ranged, sheet, slots, told, words

GUN = {"gun": ranged(24, A=2, BS=3, S=4)}


def declare(battle: Battle, unit: str, *targets: str) -> None:
    """The unit declares a charge against these targets."""
    if kind(battle) == "select-to-charge":
        pick(battle, unit)
    for target in targets:
        if kind(battle) == "charge-target":
            pick(battle, f"charge {target}")
    if kind(battle) == "charge-target":
        pick(battle, "no more targets")


def two_targets(player: int, dice: list[int], *, wounds: int = 3, detail: str = "squad") -> tuple[Battle, Any]:
    """A charger before X and Y with 2 shots each, and Z, which is not charged; others far away, for whom the phase goes on."""
    scene = EighthScene()
    charger = scene.unit(player, sheet("Charger", W=wounds, Sv=6), at=(20, 10), models=1, name="Charger")
    scene.unit(player, sheet("Idle"), at=(50, 10), models=1, name="Idle")
    for name, x in (("X", 17), ("Y", 23), ("Z", 28)):
        scene.unit(1 - player, sheet(name, weapons=GUN), at=(x, 17), models=1, name=name)
    scene.unit(1 - player, sheet("Far"), at=(50, 20), models=1, name="Far")
    return scene.battle("charge", active=player, dice=dice, detail=detail), charger


def fire(battle: Battle, name: str) -> None:
    """The unit fires Overwatch with all its weapons."""
    pick(battle, f"Overwatch: {name}", kind="overwatch")
    while kind(battle) == "weapon-target":
        choose(battle, "enemy", slots(battle, "enemy")[0])
    if kind(battle) == "profile-order":
        battle.apply(battle.first_legal())


@pytest.mark.rule("w8.charge.sequence", "w8.charge.overwatch", "w8.charge.overwatch.order")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("order", [("X", "Y"), ("Y", "X"), ("Y",), ()])
def test_each_target_fires_before_the_roll_if_its_player_says_so(
    player: int, detail: str, order: tuple[str, ...]
) -> None:
    """Each target that fires takes a wound: 2 hit rolls, one hit, a wound, a failed save. Then the distance is rolled, once."""
    battle, charger = two_targets(player, [*[6, 1, 6, 1] * len(order), 6, 5], detail=detail)
    declare(battle, "Charger", "X", "Y")
    left = {"X", "Y"}
    for n, name in enumerate(order):
        assert battle.decision is not None
        assert battle.decision.player == 1 - player
        assert set(words(battle).values()) == {"no Overwatch", *(f"Overwatch: {each}" for each in left)}  # not Z
        assert not told(battle, "w8.charge.roll")
        fire(battle, name)
        left.discard(name)
        # its shots are resolved before the next one decides
        assert battle.models.wounds[charger.first] == 3 - n - 1
    if left:
        pick(battle, "no Overwatch")
    assert [e["roll"] for e in told(battle, "w8.charge.roll")] == [11]
    names = battle.setup.names["units"]
    assert [names[e["unit"]] for e in told(battle, "w8.charge.overwatch")] == list(order)
    assert battle.models.wounds[charger.first] == 3 - len(order)
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.charge.overwatch.destroys", "w8.charge.overwatch.order")
@pytest.mark.parametrize("player", [0, 1])
def test_a_charger_that_is_destroyed_rolls_nothing(player: int) -> None:
    """Y fires first and slays it: X is not asked, no die is rolled for the charge, the next unit is chosen."""
    battle, charger = two_targets(player, [6, 1, 6, 1], wounds=1)
    declare(battle, "Charger", "X", "Y")
    fire(battle, "Y")
    assert not battle.units.alive[charger]
    assert (kind(battle), set(words(battle).values())) == ("select-to-charge", {"done", "Idle"})
    assert (told(battle, "w8.charge.roll"), told(battle, "w8.charge.fail"), dice_left(battle)) == ([], [], 0)


@pytest.mark.rule("w8.charge.overwatch.destroys")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_survivors_charge_on_even_from_beyond_twelve_inches(player: int, detail: str) -> None:
    """Of 5 models the 2 nearest are slain; the third is 13" away now; the dice are rolled for the other 3."""
    scene = EighthScene()
    places = [(10, 10.0), (11.2, 10.0), (10, 7.8), (11.2, 7.8), (12.4, 7.8)]
    charger = scene.unit(player, sheet("Charger", Sv=6), at=places, name="Charger")
    scene.unit(player, sheet("Idle"), at=(50, 10), models=1, name="Idle")
    scene.unit(1 - player, sheet("X", weapons=GUN), at=(10, 22.5), models=1, name="X")
    scene.unit(1 - player, sheet("Far"), at=(50, 20), models=1, name="Far")
    battle = scene.battle("charge", active=player, dice=[6, 6, 6, 6, 1, 1, 6, 5], detail=detail)
    declare(battle, "Charger", "X")
    fire(battle, "X")
    while kind(battle) == "allocate":
        choose(battle, "model", 0)
    assert battle.units.alive[charger] == 3
    assert [e["roll"] for e in told(battle, "w8.charge.roll")] == [11]


@pytest.mark.rule("w8.charge.overwatch.repeat")
@pytest.mark.parametrize("player", [0, 1])
def test_a_unit_fires_at_every_charge_against_it(player: int) -> None:
    """Two units charge it one after the other; the first charge fails; it fires at both."""
    scene = EighthScene()
    for name, x in (("A", 8), ("B", 12)):
        scene.unit(player, sheet(name, W=9, Sv=6), at=(x, 10), models=1, name=name)
    x = scene.unit(1 - player, sheet("X", weapons=GUN), at=(10, 19), models=1, name="X")
    battle = scene.battle("charge", active=player, dice=[1, 1, 1, 1, 1, 1, 6, 6])
    declare(battle, "A", "X")
    fire(battle, "X")
    assert [e["roll"] for e in told(battle, "w8.charge.roll")] == [2]
    declare(battle, "B", "X")
    fire(battle, "X")
    assert [(e["unit"], battle.setup.names["units"][e["target"]]) for e in told(battle, "w8.charge.overwatch")] == [
        (x.row, "A"),
        (x.row, "B"),
    ]


@pytest.mark.rule("w8.charge.overwatch.not-engaged")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("pistol", [False, True])
def test_a_unit_with_an_enemy_within_an_inch_does_not_fire(player: int, pistol: bool) -> None:
    """A first charger has ended beside it: at a second one it cannot fire, not with Pistols either."""
    scene = EighthScene()
    for name, x in (("A", 8), ("B", 12)):
        scene.unit(player, sheet(name, W=9, Sv=6), at=(x, 10), models=1, name=name)
    scene.unit(player, sheet("Idle"), at=(50, 10), models=1, name="Idle")
    guns = {"gun": ranged(12, A=2, BS=3, abilities=["Pistol"] if pistol else [])}
    scene.unit(1 - player, sheet("X", weapons=guns), at=(10, 17), models=1, name="X")
    scene.unit(1 - player, sheet("Far"), at=(50, 20), models=1, name="Far")
    battle = scene.battle("charge", active=player, dice=[6, 6, 6, 6])
    declare(battle, "A", "X")
    assert kind(battle) == "overwatch"
    pick(battle, "no Overwatch")
    declare(battle, "B", "X")
    assert kind(battle) == "select-to-charge"
    assert [e["roll"] for e in told(battle, "w8.charge.roll")] == [12, 12]
    assert told(battle, "w8.charge.overwatch") == []


# ---------------------------------------------------------------- how it is resolved


def overwatch(
    player: int, guns: dict[str, Any], dice: list[int], *, away: float = 11.0, models: int = 1, detail: str = "squad",
    **more: Any,
) -> tuple[Battle, Any]:  # fmt: skip
    """A unit with these guns is to fire at a charger of 9 wounds without a save."""
    scene = EighthScene()
    charger = scene.unit(player, sheet("Charger", W=9, Sv=7), at=(20, 10), models=1, name="Charger")
    scene.unit(player, sheet("Friend", Sv=7), at=(24, 10), models=1, name="Friend")
    places = [(20 + 1.2 * k, 11 + away) for k in range(models)]
    scene.unit(1 - player, sheet("X", weapons=guns, **more), at=places, name="X")
    battle = scene.battle("charge", active=player, dice=dice, detail=detail)
    declare(battle, "Charger", "X")
    return battle, charger


@pytest.mark.rule("w8.charge.overwatch.normal-rules", "w8.shoot.pistol.or-others")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("away", "wish", "fired"), [(11.0, "grenade", "pistol"), (5.5, "pistol", "pistol"), (5.5, "grenade", "grenade")]
)
def test_weapons_in_range_fire_at_the_charging_unit(player: int, away: float, wish: str, fired: str) -> None:
    """A Pistol of 12" fires at 11", a Grenade of 6" only within that; within both their player chooses which, the target is the charger."""
    guns = {
        "pistol": ranged(12, A=1, BS=3, D=1, abilities=["Pistol"]),
        "grenade": ranged(6, A=1, BS=3, D=2, abilities=["Grenade"]),
    }
    battle, charger = overwatch(player, guns, [6, 6], away=away, detail="full")
    pick(battle, "Overwatch: X", kind="overwatch")
    names = battle.setup.names["weapons"]
    while battle.decision is not None and kind(battle) == "weapon-target":
        chosen = names[battle.pending().weapon] == wish
        battle.apply(battle.decision.options[-1] if chosen else battle.decision.options[0])
    assert battle.models.wounds[charger.model(0)] == 9 - (1 if fired == "pistol" else 2)


@pytest.mark.rule("w8.charge.overwatch.normal-rules")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("away", "dice"), [(6.0, [6, 1, 1, 1, 4, 1]), (11.9, [6, 1, 1, 1, 4, 1]), (12.0, [1, 1, 1])])
def test_rapid_fire_and_number_of_models_count(player: int, detail: str, away: float, dice: list[int]) -> None:
    """Two models with Rapid Fire 1 (24"): 4 hit rolls within half range, 3 if only one is; a hit wounds and is saved as always."""
    gun = {"bolt rifle": ranged(24, A=1, BS=3, S=4, abilities=["Rapid Fire 1"])}
    battle, charger = overwatch(player, gun, [*dice, 1, 1], away=away, models=2, detail=detail)
    fire(battle, "X")
    assert battle.models.wounds[charger.first] == (8 if 6 in dice else 9)
    assert [e["roll"] for e in told(battle, "w8.charge.roll")] == [2]
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.charge.overwatch.sixes")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("modifier", ["", "+1 to hit", "-1 to hit"])
def test_only_sixes_hit_whatever_the_skill_and_the_modifiers(player: int, detail: str, modifier: str) -> None:
    """6, 6, 5, 4 by BS 3+: 2 hits, also with +1 or -1 to hit."""
    boost = {"other": [{"name": "Aim", "effect": modifier, "active": True}]} if modifier else {}
    guns = {"gun": ranged(24, A=4, BS=3, S=4)}
    battle, charger = overwatch(player, guns, [6, 6, 5, 4, 4, 4, 1, 1, 1, 1], detail=detail, abilities=boost)
    fire(battle, "X")
    assert battle.models.wounds[charger.first] == 7
    assert [e["roll"] for e in told(battle, "w8.charge.roll")] == [2]
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.charge.overwatch.own-turn-state")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("moved", [Moved.ADVANCE, Moved.FELL_BACK])
def test_what_a_unit_did_in_its_own_turn_does_not_matter(player: int, moved: Moved) -> None:
    """A unit that Advanced or Fell Back in its own turn fires in the next one at who charges it."""
    scene = EighthScene()
    unit = scene.unit(player, sheet("X", weapons=GUN), at=(20, 20), models=1, name="X", moved=int(moved))
    scene.unit(1 - player, sheet("Charger", W=9), at=(20, 28), models=1, name="Charger")
    battle = scene.battle("morale", active=player, dice=[1, 1, 1, 1])
    while kind(battle) != "select-to-charge" or battle.clock.turn[0] == player:
        battle.apply(battle.first_legal())
    declare(battle, "Charger", "X")
    fire(battle, "X")
    assert [e["unit"] for e in told(battle, "w8.charge.overwatch")] == [unit.row]
    assert len(told(battle, "w8.attack.hit")) > 0


@pytest.mark.rule("w8.charge.overwatch")
def test_who_carries_no_gun_or_sees_nothing_is_not_asked() -> None:
    """A unit without ranged weapons, and one behind a wall, have no Overwatch; the charge is rolled at once."""
    for guns, wall in (({"blade": melee()}, False), (GUN, True)):
        scene = EighthScene()
        scene.unit(0, sheet("Charger"), at=(20, 10), models=1, name="Charger")
        scene.unit(1, sheet("X", weapons=guns), at=(20, 22), models=1, name="X")
        if wall:
            scene.wall(10, 15, 30, 15, 9.0)
        battle = scene.battle("charge", dice=[1, 1])
        declare(battle, "Charger", "X")
        assert [e["roll"] for e in told(battle, "w8.charge.roll")] == [2]
        assert offered(battle, "overwatch") == []


@pytest.mark.rule("w8.charge.overwatch.order")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("shots", [(1, 2, 3), (3, 2, 1), (2, 3, 1), (1, 3, 2)])
def test_the_engine_lets_fire_first_who_promises_most(shots: tuple[int, ...], player: int) -> None:
    """Three targets with so many shots each: those with more fire before those with fewer, all of them in the end."""
    scene = EighthScene()
    scene.unit(player, sheet("Charger", W=9, Sv=6), at=(20, 10), models=1, name="Charger")
    scene.unit(1 - player, sheet("Far"), at=(50, 20), models=1, name="Far")
    for number, (x, attacks) in enumerate(zip((16, 20, 24), shots, strict=True)):
        guns = {"gun": ranged(24, A=attacks, BS=3, S=4)}
        scene.unit(1 - player, sheet(f"T{number}", weapons=guns), at=(x, 17), models=1, name=f"{attacks} shots")
    policies = {"overwatch": Default(EIGHTH_EDITION.kind_by_name["overwatch"])}
    battle = scene.battle("charge", active=player, dice=[1] * 6 + [1, 1], delegates=policies)
    declare(battle, "Charger", *(f"{attacks} shots" for attacks in shots))
    while kind(battle) in ("weapon-target", "shoot-target"):
        choose(battle, "enemy", slots(battle, "enemy")[0])
    names = battle.setup.names["units"]
    fired = [names[e["unit"]] for e in told(battle, "w8.charge.overwatch")]
    assert fired == ["3 shots", "2 shots", "1 shots"]
    assert dice_left(battle) == 0
