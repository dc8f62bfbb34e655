"""What happens between and after charges: Overwatch, Heroic Interventions (w9.charge.overwatch*, .heroic-intervention*, .phase)."""

from __future__ import annotations

from typing import Any

import pytest
from ninth import NinthScene

from wh_env.content.battle import Battle
from wh_env.core.geometry.paths import Fault
from wh_env.rulesets.w9.codes import Phase
from wh_env.rulesets.w40k.codes import FROM_WRECK
from wh_env.testing import apart, choose, dice_left, kind, offered, pick, place, ranged, sheet, slots, told, words
from wh_env.testing.melee_moves import check_pile_in_move

QUIET = {"cp_each_command_phase": 0}
HERO = ("INFANTRY", "CHARACTER")


# ---------------------------------------------------------------- Overwatch


def overwatch(
    player: int,
    guns: dict[str, Any],
    dice: list[int],
    *,
    away: float = 8.0,
    cp: int = 1,
    detail: str = "squad",
    toughness: int = 4,
) -> tuple[Battle, Any, Any]:
    """A unit of the turn player has declared a charge against a unit with these guns."""
    scene = NinthScene()
    charger = scene.unit(player, sheet("Charger", W=3, T=toughness, Sv=6), at=(10, 10), models=1, name="Charger")
    scene.unit(player, sheet("Idle"), at=(55, 10), models=1, name="Idle")
    target = scene.unit(1 - player, sheet("Target", weapons=guns), at=(10, 11 + away), models=1, name="Target")
    scene.unit(1 - player, sheet("Bystander", weapons=guns), at=(16, 11 + away), models=1, name="Bystander")
    points = (0, cp) if player == 0 else (cp, 0)
    battle = scene.battle("charge", active=player, cp=points, dice=dice, detail=detail, rules=QUIET)
    if kind(battle) == "select-to-charge":
        pick(battle, "Charger")
    pick(battle, "charge Target")
    if kind(battle) == "charge-target":
        pick(battle, "no more targets")
    return battle, charger, target


PISTOL = {"pistol": ranged(12, A=2, BS=2, S=4), "flamer": ranged(8, A=3, BS=2, S=4)}


@pytest.mark.rule("w9.charge.overwatch", "w9.stratagem.fire-overwatch")
@pytest.mark.parametrize("player", [0, 1])
def test_it_comes_before_the_roll_with_weapons_that_reach(player: int) -> None:
    """A charge from 10": only the pistol (12") fires, not the flamer (8"); then the charge is rolled."""
    battle, charger, target = overwatch(player, PISTOL, [6, 5, 6, 1, 6, 6], away=10.0)
    assert (kind(battle), battle.decision.player) == ("fire-overwatch", 1 - player)
    assert not told(battle, "w9.charge.roll")
    assert len(slots(battle, "own")) == 1  # not who was not charged
    choose(battle, "own", slots(battle, "own")[0])
    # one of two hits, it wounds, the save fails; then the charge roll
    assert battle.models.wounds[charger.first] == 2
    assert [e["roll"] for e in told(battle, "w9.charge.roll")] == [12]
    assert dice_left(battle) == 0
    assert battle.players.cp[1 - player] == 0
    del target


@pytest.mark.rule("w9.charge.overwatch")
@pytest.mark.parametrize("player", [0, 1])
def test_a_unit_that_is_engaged_or_did_not_pay_does_not_fire(player: int) -> None:
    """Declined, or no Command points: nobody fires. A unit within 1" of another enemy cannot, not with pistols either."""
    battle, _, _ = overwatch(player, PISTOL, [6, 6])
    choose(battle, "done")
    assert [e["roll"] for e in told(battle, "w9.charge.roll")] == [12]
    battle, _, _ = overwatch(player, PISTOL, [6, 6], cp=0)
    assert [e["roll"] for e in told(battle, "w9.charge.roll")] == [12]
    scene = NinthScene()
    scene.unit(player, sheet("Charger"), at=(10, 10), models=1, name="Charger")
    scene.unit(player, sheet("Near"), at=(10, 20.5), models=1, name="Near")
    guns = {"pistol": ranged(12, A=2, BS=2, S=4, abilities=["Pistol"]), "cannon": ranged(24, A=2, BS=2)}
    scene.unit(1 - player, sheet("Target", weapons=guns, keywords=("VEHICLE",)), at=(10, 19), models=1, name="Target")
    battle = scene.battle("charge", active=player, cp=(1, 1), dice=[6, 6], rules=QUIET)
    if kind(battle) == "select-to-charge":
        pick(battle, "Charger")
    assert told(battle, "w9.charge.roll") or kind(battle) == "command-re-roll"
    assert not any(e.kind == "Stratagem" for e in battle.events)


@pytest.mark.rule("w9.charge.overwatch.sixes")
@pytest.mark.parametrize("player", [0, 1])
def test_only_unmodified_sixes_hit(player: int) -> None:
    """BS 2+ and +1 to hit, dice 5 and 6: one hit, that is one wound roll."""
    scene = NinthScene()
    charger = scene.unit(player, sheet("Charger", W=9, Sv=6), at=(10, 10), models=1, name="Charger")
    gun = {"gun": ranged(12, A=2, BS=2, S=4)}
    boost = {"other": [{"name": "Aim", "effect": "+1 to hit", "active": True}]}
    scene.unit(1 - player, sheet("Target", weapons=gun, abilities=boost), at=(10, 19), models=1, name="Target")
    battle = scene.battle("charge", active=player, cp=(1, 1), dice=[5, 6, 6, 1, 1, 1], rules=QUIET)
    if kind(battle) == "select-to-charge":
        pick(battle, "Charger")
    choose(battle, "own", slots(battle, "own")[0])
    assert battle.models.wounds[charger.first] == 8
    assert [e["roll"] for e in told(battle, "w9.charge.roll")] == [2]


@pytest.mark.rule("w9.charge.overwatch.sixes")
def test_attacks_that_hit_automatically_do() -> None:
    """A weapon without a skill needs no hit roll in Overwatch either."""
    torrent = {"flamer": ranged(12, A=2, BS=None, S=4, abilities=["Torrent"])}
    battle, charger, _ = overwatch(0, torrent, [6, 6, 1, 1, 1, 1], toughness=4)
    choose(battle, "own", slots(battle, "own")[0])
    assert battle.models.wounds[charger.first] == 1


@pytest.mark.rule("w9.charge.overwatch")
def test_a_charger_that_is_slain_rolls_nothing() -> None:
    battle, charger, _ = overwatch(0, {"gun": ranged(24, A=1, BS=2, S=9, AP=-6, D=9)}, [6, 6, 1])
    choose(battle, "own", slots(battle, "own")[0])
    assert not battle.units.alive[charger]
    assert not told(battle, "w9.charge.roll")


# ---------------------------------------------------------------- Heroic Interventions


def heroes(
    player: int, away: float, *, high: float = 0.0, detail: str = "squad", **hero: Any
) -> tuple[Battle, Any, Any]:
    """The Charge phase of the other player, in which a CHARACTER of the player stands so far from an enemy that does not charge."""
    scene = NinthScene()
    keywords = hero.pop("keywords", HERO)
    if high:
        scene.floor(18, 21 + away - 0.5, 22, 27 + away, high)
    unit = scene.unit(player, sheet("Hero", W=4, keywords=keywords), at=(20, 20), models=1, name="Hero", **hero)
    enemy = scene.unit(1 - player, sheet("Enemy"), at=[(20, 21 + away, high)], name="Enemy")
    return scene.battle("charge", active=1 - player, detail=detail, rules=QUIET), unit, enemy


def skip_charges(battle: Battle) -> None:
    """The turn player charges nobody."""
    if kind(battle) == "select-to-charge":
        choose(battle, "done")


@pytest.mark.rule("w9.charge.heroic-intervention")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("away", "high", "eligible"),
    [(3.0, 0.0, True), (3.1, 0.0, False), (0.9, 0.0, False), (1.1, 0.0, True), (2.0, 5.0, True), (2.0, 5.2, False)],
)
def test_a_character_within_three_inches_that_is_not_engaged(
    player: int, away: float, high: float, eligible: bool
) -> None:
    """3" horizontally and 5" vertically, more than 1" away, whether anybody charged or not; at most once."""
    battle, unit, _ = heroes(player, away, high=high)
    skip_charges(battle)
    assert (kind(battle) == "select-to-intervene") == eligible
    if eligible:
        assert battle.decision.player == player
        assert len(slots(battle, "own")) == 1
        pick(battle, "Hero")
        assert kind(battle) != "select-to-intervene"
        assert [e["unit"] for e in told(battle, "w9.charge.heroic-intervention")] == [unit.row]


@pytest.mark.rule("w9.charge.heroic-intervention")
@pytest.mark.parametrize("player", [0, 1])
def test_nobody_else_and_not_in_the_own_phase(player: int) -> None:
    """INFANTRY without CHARACTER, one that got out of a wreck this turn, or a CHARACTER whose own Charge phase it is: no."""
    for columns in ({"keywords": ("INFANTRY",)}, {"disembarked": FROM_WRECK}):
        battle, *_ = heroes(player, 2.0, **columns)
        skip_charges(battle)
        assert kind(battle) != "select-to-intervene"
    scene = NinthScene()
    scene.unit(player, sheet("Hero", keywords=HERO), at=(20, 20), models=1, name="Hero")
    scene.unit(1 - player, sheet("Enemy"), at=(20, 23), models=1, name="Enemy")
    battle = scene.battle("charge", active=player, rules=QUIET)
    skip_charges(battle)
    assert battle.clock.phase[0] != Phase.CHARGE


@pytest.mark.rule("w9.charge.phase")
@pytest.mark.parametrize("player", [0, 1])
def test_interventions_come_after_all_charges(player: int) -> None:
    """While the turn player may still charge nothing is offered to the CHARACTER; then, unit by unit, until its player ends it."""
    scene = NinthScene()
    scene.unit(player, sheet("First"), at=(10, 10), models=1, name="First")
    scene.unit(player, sheet("Second"), at=(30, 10), models=1, name="Second")
    for n, x in enumerate((12.0, 28.0)):
        scene.unit(1 - player, sheet(f"Hero {n}", keywords=HERO), at=(x, 12.0), models=1, name=f"Hero {n}")
    scene.unit(1 - player, sheet("Foe"), at=(20, 16), models=1, name="Foe")
    battle = scene.battle("charge", active=player, dice=[1, 1], rules=QUIET)
    assert kind(battle) == "select-to-charge"
    pick(battle, "First")
    pick(battle, "charge Foe")
    if kind(battle) == "charge-target":
        pick(battle, "no more targets")
    assert kind(battle) == "select-to-charge"
    choose(battle, "done")
    assert (kind(battle), battle.decision.player) == ("select-to-intervene", 1 - player)
    assert len(offered(battle, "select-to-intervene")) == 2
    pick(battle, "Hero 1")
    assert len(offered(battle, "select-to-intervene")) == 1
    choose(battle, "done")
    assert battle.clock.phase[0] != Phase.CHARGE


@pytest.mark.rule("w9.charge.heroic-intervention.move")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_it_ends_closer_and_gives_no_charge(player: int, detail: str) -> None:
    """From 2.5" up to the enemy, within 3"; it does not fight first for it, and an enemy that charged may fight it."""
    battle, unit, enemy = heroes(player, 2.5, detail=detail)
    skip_charges(battle)
    pick(battle, "Hero")
    if detail == "full":
        pick(battle, "leave the move to the engine")
    assert apart(battle, unit.first, enemy.first) == pytest.approx(0.002, abs=1e-3)
    if battle.clock.phase[0] == Phase.FIGHT:
        assert (battle.combat.intervened[unit], battle.units.charged[unit]) == (1, 0)
    while not any(e.kind == "selected to fight" for e in battle.events):
        battle.apply(battle.first_legal())
    fights = [e for e in battle.events if e.kind == "selected to fight"]
    assert [(e.data["unit"], e.data["step"]) for e in fights[:1]] == [(unit.row, 2)]  # in the normal alternation


@pytest.mark.rule("w9.charge.heroic-intervention.move")
def test_which_ends_are_legal() -> None:
    """0.4" from the enemy after 2.1" is legal, 2.6" is not (it was 2.5"), nor 3.1" of way; two models stay in coherency."""
    battle, unit, _ = heroes(0, 2.5)
    for end, fault in (((20, 22.1), Fault.LEGAL), ((20, 19.9), Fault.NOT_CLOSER), ((20, 20.5), Fault.LEGAL)):
        assert check_pile_in_move(battle.clone(), unit, {0: [end]}) == fault
    scene = NinthScene()
    pair = scene.unit(0, sheet("Pair", keywords=HERO), at=[(20, 20), (20, 18.5)], name="Pair")
    scene.unit(1, sheet("Enemy"), at=(20, 24), models=1)
    battle = scene.battle("charge", active=1, run=False, rules=QUIET)
    assert check_pile_in_move(battle.clone(), pair, {0: [(20, 22.9)]}) == Fault.NOT_COHERENT
    assert check_pile_in_move(battle.clone(), pair, {0: [(20, 22.9)], 1: [(20, 20.5)]}) == Fault.LEGAL


@pytest.mark.rule("w9.charge.heroic-intervention.move")
def test_a_player_places_the_model() -> None:
    """Full detail: of the places in reach only those closer to the closest enemy model are offered, none beyond 3"."""
    battle, unit, enemy = heroes(0, 2.5, detail="full")
    skip_charges(battle)
    pick(battle, "Hero")
    assert kind(battle) == "close-order"
    choose(battle, "model", 0)
    assert kind(battle) == "close-to"
    cells = slots(battle, "cell")
    assert cells
    for cell in cells[:: max(1, len(cells) // 12)]:
        after = battle.clone()
        choose(after, "cell", cell)
        x, y = place(after, unit.first)
        assert apart(after, unit.first, enemy.first) < 2.5
        assert (x - 20) ** 2 + (y - 20) ** 2 <= 9.0 + 1e-6
    assert words(battle)
