"""Heroic Interventions (w8.charge.heroic*)."""

from __future__ import annotations

from typing import Any

import pytest
from eighth import EighthScene

from wh_env.content.battle import Battle
from wh_env.core.geometry.paths import Fault
from wh_env.rulesets.w8.codes import Phase
from wh_env.rulesets.w40k.fight.weapons import reachable
from wh_env.testing import apart, choose, kind, melee, offered, pick, place, sheet, slots, told, words
from wh_env.testing.melee_moves import check_pile_in_move

HERO = ("INFANTRY", "CHARACTER")


def heroes(player: int, away: float, *, detail: str = "squad", **hero: Any) -> tuple[Battle, Any, Any]:
    """The Charge phase of the other player, in which a CHARACTER of the player stands so far from an enemy that may charge."""
    scene = EighthScene()
    keywords = hero.pop("keywords", HERO)
    unit = scene.unit(player, sheet("Hero", W=4, keywords=keywords), at=(20, 20), models=1, name="Hero", **hero)
    enemy = scene.unit(1 - player, sheet("Enemy", W=9), at=(20, 21 + away), models=1, name="Enemy")
    return scene.battle("charge", active=1 - player, detail=detail), unit, enemy


def skip_charges(battle: Battle) -> None:
    """The turn player charges nobody any more."""
    if kind(battle) == "select-to-charge":
        choose(battle, "done")


@pytest.mark.rule("w8.charge.heroic", "w8.charge.heroic.without-charges")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("away", "eligible"), [(3.0, True), (3.1, False), (2.0, True), (0.9, True)])
def test_a_character_within_three_inches_though_nobody_charged(player: int, away: float, eligible: bool) -> None:
    """At 3.0" it is offered, at 3.1" it is not; also one within 1"; at most once, and it may decline."""
    battle, unit, _ = heroes(player, away)
    skip_charges(battle)
    assert (kind(battle) == "select-to-intervene") is eligible
    if eligible:
        assert battle.decision is not None
        assert (battle.decision.player, set(words(battle).values())) == (player, {"done", "Hero"})
        declined = battle.clone()
        choose(declined, "done")
        assert place(declined, unit.first) == (20, 20)
        assert told(declined, "w8.charge.heroic") == []
        pick(battle, "Hero")
        assert kind(battle) != "select-to-intervene"
        assert [e["unit"] for e in told(battle, "w8.charge.heroic")] == [unit.row]


@pytest.mark.rule("w8.charge.heroic")
@pytest.mark.parametrize("player", [0, 1])
def test_only_characters_of_the_player_whose_turn_it_is_not(player: int) -> None:
    battle, *_ = heroes(player, 2.0, keywords=("INFANTRY",))
    skip_charges(battle)
    assert kind(battle) != "select-to-intervene"
    scene = EighthScene()
    scene.unit(player, sheet("Hero", keywords=HERO), at=(20, 20), models=1, name="Hero")
    scene.unit(1 - player, sheet("Enemy"), at=(20, 23), models=1, name="Enemy")
    battle = scene.battle("charge", active=player)
    skip_charges(battle)
    assert battle.clock.phase[0] != Phase.CHARGE


@pytest.mark.rule("w8.charge.heroic")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("away", "eligible"), [(3.0, True), (3.1, False)])
def test_it_comes_after_all_charges(player: int, away: float, eligible: bool) -> None:
    """The first unit has charged up to another unit, near two CHARACTERS; only when the charges end they are offered, in any order."""
    scene = EighthScene()
    scene.unit(player, sheet("First", W=9), at=(20, 10), models=1, name="First")
    scene.unit(player, sheet("Second"), at=(50, 10), models=1, name="Second")
    scene.unit(1 - player, sheet("Foe", W=9), at=(20, 14.002), models=1, name="Foe")
    scene.unit(1 - player, sheet("Far"), at=(50, 20), models=1, name="Far")
    # the charger ends at (20, 13)
    for name, side in (("Hero 1", -1), ("Hero 2", 1)):
        scene.unit(1 - player, sheet(name, W=4, keywords=HERO), at=(20 + side * (1 + away), 13), models=1, name=name)
    battle = scene.battle("charge", active=player, dice=[3, 3])
    pick(battle, "First")
    pick(battle, "charge Foe")
    pick(battle, "no more targets")
    assert place(battle, 0 if player == 0 else 4) == (20, pytest.approx(13.0, abs=2e-3))
    assert kind(battle) == "select-to-charge"
    skip_charges(battle)
    assert (kind(battle) == "select-to-intervene") is eligible
    if eligible:
        assert len(offered(battle, "select-to-intervene")) == 2
        pick(battle, "Hero 2")
        assert set(words(battle).values()) == {"done", "Hero 1"}
        pick(battle, "Hero 1")
        assert battle.clock.phase[0] != Phase.CHARGE


@pytest.mark.rule("w8.charge.heroic.move")
@pytest.mark.parametrize("player", [0, 1])
def test_which_ends_are_legal(player: int) -> None:
    """2.5" from the nearest enemy model: 0.5" is legal, 2.5" or more is not."""
    battle, unit, _ = heroes(player, 2.5)
    for end, fault in (
        ((20, 22.0), Fault.LEGAL),
        ((20, 20.2), Fault.LEGAL),
        ((22.0, 20.6), Fault.NOT_CLOSER),
        ((20, 19.5), Fault.NOT_CLOSER),
    ):
        assert check_pile_in_move(battle.clone(), unit, {0: [end]}) == fault


@pytest.mark.rule("w8.charge.heroic.move")
@pytest.mark.parametrize("player", [0, 1])
def test_a_player_places_the_model(player: int) -> None:
    """Of the places in reach only those closer to the nearest enemy model are offered, none beyond 3"; nobody fires at it."""
    battle, unit, enemy = heroes(player, 2.5, detail="full")
    skip_charges(battle)
    pick(battle, "Hero")
    choose(battle, "model", 0)
    cells = slots(battle, "cell")
    for cell in cells[:: max(1, len(cells) // 12)]:
        after = battle.clone()
        choose(after, "cell", cell)
        x, y = place(after, unit.first)
        assert apart(after, unit.first, enemy.first) < 2.5
        assert (x - 20) ** 2 + (y - 20) ** 2 <= 9.0 + 1e-6
    assert cells
    choose(battle, "cell", cells[0])
    choose(battle, "done")
    assert told(battle, "w8.charge.overwatch") == []
    assert [e["unit"] for e in told(battle, "w8.charge.heroic.move")] == [unit.row]


@pytest.mark.rule("w8.charge.heroic.not-a-charge")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_it_is_no_charge(player: int, detail: str) -> None:
    """An enemy that charged fights before it; it may attack any unit within 1", charged or not."""
    scene = EighthScene()
    blade = {"blade": melee(A=1, WS=6, S=1)}
    hero = sheet("Hero", W=9, keywords=HERO, weapons=blade)
    unit = scene.unit(player, hero, at=(20, 20), models=1, name="Hero")
    enemies = [
        scene.unit(1 - player, sheet(name, W=9, weapons=blade), at=at, models=1, name=name, charged=charged)
        for name, at, charged in (("Charger", (20, 23.5), 1), ("Other", (21.3, 23.5), 0))
    ]
    friend = scene.unit(player, sheet("Friend", W=9), at=(18.5, 23.5), models=1, name="Friend")

    def charges(battle: Battle) -> None:
        battle.charges[enemies[0], friend] = 1

    battle = scene.battle("charge", active=1 - player, detail=detail, set_state=charges)
    skip_charges(battle)
    pick(battle, "Hero")
    if detail == "full":
        pick(battle, "leave the move to the engine")
    assert battle.clock.phase[0] == Phase.FIGHT
    assert set(reachable(battle, unit.first)) == {enemy.row for enemy in enemies}
    assert battle.units.charged[unit] == 0
    while len([e for e in battle.events if e.kind == "selected to fight"]) < 3:
        if kind(battle) == "pile-in":
            pick(battle, "do not pile in")
        else:
            battle.apply(battle.first_legal())
    fights = [(e.data["unit"], e.data["step"]) for e in battle.events if e.kind == "selected to fight"]
    assert fights[0] == (enemies[0].row, 1)
    assert all(step == 2 for _, step in fights[1:])
