"""Stratagems of the Shooting phase: Grenade, Go to Ground, Smokescreen (w10.stratagem.grenade, .go-to-ground, .smokescreen)."""

from __future__ import annotations

import pytest

from wh_env.testing import Scene, choose, dice_left, kind, pick, play_until, ranged, script, sheet, slots, told, words

GRENADIERS = ("INFANTRY", "GRENADES")


def grenade_scene(away=8.0, **columns):
    """A GRENADES unit without guns and an enemy unit of ten one-wound models ``away`` inches off (base to base)."""
    scene = Scene()
    throwers = scene.unit(0, sheet("Throwers", keywords=GRENADIERS), at=(10, 10), **columns)
    scene.unit(1, sheet("Target"), at=(10, 11 + away), models=10)
    return scene, throwers


# ---------------------------------------------------------------- Grenade


@pytest.mark.rule("w10.stratagem.grenade")
def test_six_dice_and_a_mortal_wound_for_each_4():
    """Rolls of 1, 3, 4, 4, 6, 2 at an enemy unit 8.0" away: 3 mortal wounds, no saves; 1 CP becomes 0."""
    scene, _ = grenade_scene(8.0)
    battle = scene.battle("shooting", cp=(1, 0), dice=[1, 3, 4, 4, 6, 2])
    assert kind(battle) == "select-to-shoot"
    assert sorted(words(battle).values()) == ["done", "use Grenade"]
    pick(battle, "use Grenade")
    assert battle.units.alive[1] == 7
    assert battle.players.cp[0] == 0
    assert dice_left(battle) == 0
    assert told(battle, "w10.stratagem.grenade")[-1]["mortal_wounds"] == 3


@pytest.mark.rule("w10.stratagem.grenade")
@pytest.mark.parametrize(("away", "offered"), [(8.0, True), (8.1, False)])
def test_grenades_reach_8_inches(away, offered):
    scene, _ = grenade_scene(away)
    battle = scene.battle("shooting", cp=(1, 0))
    assert (kind(battle) == "select-to-shoot" and "use Grenade" in words(battle).values()) == offered


@pytest.mark.rule("w10.stratagem.grenade")
def test_the_enemy_unit_must_be_visible():
    scene, _ = grenade_scene(6.0)
    scene.wall(0, 13, 30, 13, 6.0)
    assert kind(scene.battle("shooting", cp=(1, 0))) != "select-to-shoot"


@pytest.mark.rule("w10.stratagem.grenade")
def test_an_enemy_engaged_with_another_of_your_units_cannot_be_selected():
    """Two enemy units in reach: one is engaged with a friend of the throwers, only the other can be chosen."""
    scene = Scene()
    scene.unit(0, sheet("Throwers", keywords=GRENADIERS), at=(10, 10))
    scene.unit(0, sheet("Friend"), at=(6, 16.5))
    scene.unit(1, sheet("Engaged"), at=(6, 15))
    scene.unit(1, sheet("Free"), at=(14, 15))
    scene.unit(1, sheet("Also free"), at=(18, 13))
    battle = scene.battle("shooting", cp=(1, 0), dice=[6] + [1] * 5)
    pick(battle, "use Grenade")
    assert kind(battle) == "grenade-target"
    assert sorted(words(battle).values()) == ["Also free", "Free"]
    pick(battle, "Free")
    assert list(battle.units.alive) == [1, 1, 1, 0, 1]


@pytest.mark.rule("w10.stratagem.grenade")
def test_an_engaged_or_used_up_thrower_cannot_throw():
    """Engaged: not offered. Selected to shoot in this phase: no longer offered. Without the keyword: never."""
    scene, _ = grenade_scene(6.0)
    scene.unit(1, sheet("Close"), at=(11.5, 10))
    assert kind(scene.battle("shooting", cp=(1, 0))) != "select-to-shoot"

    scene = Scene()
    gun = {"gun": ranged(24)}
    scene.unit(0, sheet("Throwers", keywords=GRENADIERS, weapons=gun), at=(10, 10))
    scene.unit(0, sheet("Others", weapons=gun), at=(14, 10))
    scene.unit(1, sheet("Target"), at=(10, 16), models=10)
    battle = scene.battle("shooting", cp=(1, 0), dice=[1, 1])
    assert "use Grenade" in words(battle).values()
    pick(battle, "Throwers")
    assert kind(battle) == "select-to-shoot"
    assert sorted(words(battle).values()) == ["Others", "done"]


@pytest.mark.rule("w10.stratagem.grenade")
def test_grenade_is_for_the_own_turn_and_for_those_who_can_pay():
    scene, _ = grenade_scene(6.0)
    assert kind(scene.battle("shooting", cp=(0, 5))) != "select-to-shoot"
    scene, _ = grenade_scene(6.0)
    assert "use Grenade" not in words(scene.battle("shooting", cp=(5, 5), active=1)).values()


@pytest.mark.rule("w10.stratagem.grenade.then-shoot")
def test_a_unit_that_advanced_can_throw_although_it_cannot_shoot():
    """Advanced, 6" away, without Assault weapons: six D6 for 1 CP; it is not offered for shooting before or after."""
    scene = Scene()
    gun = {"gun": ranged(24)}
    scene.unit(0, sheet("Throwers", keywords=GRENADIERS, weapons=gun), at=(10, 10), moved=3)
    scene.unit(0, sheet("Others", weapons=gun), at=(14, 10))
    scene.unit(1, sheet("Target"), at=(10, 17), models=10)
    battle = scene.battle("shooting", cp=(1, 0), dice=[4, 4, 4, 4, 4, 4])
    assert sorted(words(battle).values()) == ["Others", "done", "use Grenade"]
    pick(battle, "use Grenade")
    assert battle.units.alive[2] == 4 and dice_left(battle) == 0
    assert sorted(words(battle).values()) == ["Others", "done"]


@pytest.mark.rule("w10.stratagem.grenade.then-shoot")
def test_a_unit_that_stood_still_can_throw_and_then_shoot():
    scene = Scene()
    scene.unit(0, sheet("Throwers", keywords=GRENADIERS, weapons={"gun": ranged(24, BS=3, S=4)}), at=(10, 10), moved=1)
    scene.unit(1, sheet("Target"), at=(10, 17), models=10)
    battle = scene.battle("shooting", cp=(1, 0), dice=[4, 1, 1, 1, 1, 1, 3, 4, 1])
    pick(battle, "use Grenade")
    assert battle.units.alive[1] == 9
    pick(battle, "Throwers", kind="select-to-shoot")
    assert battle.units.alive[1] == 8
    assert dice_left(battle) == 0


def test_of_several_throwers_the_player_chooses():
    scene = Scene()
    scene.unit(0, sheet("First", keywords=GRENADIERS), at=(10, 10))
    scene.unit(0, sheet("Second", keywords=GRENADIERS), at=(13, 10))
    scene.unit(1, sheet("Target"), at=(11, 16), models=10)
    battle = scene.battle("shooting", cp=(2, 0), dice=[6] * 6)
    pick(battle, "use Grenade")
    assert kind(battle) == "grenade"
    assert slots(battle, "own") == [0, 1] and slots(battle, "done") == []
    pick(battle, "Second")
    assert told(battle, "w10.stratagem.grenade")[0]["unit"] == 1
    # once per phase, although there is a CP and a unit left
    assert kind(battle) != "select-to-shoot"


def test_a_policy_throws_at_the_start_of_the_phase():
    scene, _ = grenade_scene(6.0)
    battle = scene.battle("shooting", cp=(1, 0), dice=[4] * 6, rules={"stratagems": {"grenade": "delegate"}})
    assert battle.units.alive[1] == 4 and battle.players.cp[0] == 0
    scene, _ = grenade_scene(6.0)
    off = scene.battle("shooting", cp=(1, 0), dice=[4] * 6, rules={"stratagems": {"grenade": "off"}})
    assert off.units.alive[1] == 10 and off.players.cp[0] == 1


# ---------------------------------------------------------------- Go to Ground


def shot_at(
    dice, *, AP=0, A=1, BS=3, Sv=4, cp=(0, 1), keywords=("INFANTRY",), detail="squad", shooters=2, W=9, **columns
):
    """Two units with a gun each (S 4) before one target of Toughness 4; the first has selected it."""
    scene = Scene()
    for n in range(shooters):
        gun = {"gun": ranged(24, A=A, BS=BS, S=4, AP=AP)}
        scene.unit(0, sheet(f"Guns {n}", weapons=gun), at=(10 + 4 * n, 10))
    scene.unit(1, sheet("Target", Sv=Sv, W=W, keywords=keywords), at=(12, 20), **columns)
    battle = scene.battle("shooting", cp=cp, dice=dice, detail=detail)
    pick(battle, "Guns 0", kind="select-to-shoot")
    if kind(battle) == "weapon-target":
        choose(battle, "enemy", 0)
    return battle


@pytest.mark.rule("w10.stratagem.go-to-ground")
def test_cover_against_ap_1_also_against_later_attackers():
    """Sv 4+ against AP -1: with Go to Ground it saves on 4 and not on 3, until the end of the phase."""
    battle = shot_at([3, 4, 4], AP=-1, cp=(0, 1))
    assert kind(battle) == "go-to-ground" and battle.decision.player == 1
    assert sorted(words(battle).values()) == ["Go to Ground: Target", "no Go to Ground"]
    pick(battle, "Go to Ground: Target")
    assert battle.players.cp[1] == 0
    assert battle.models.wounds[2] == 9 and dice_left(battle) == 0
    script(battle, [3, 4, 3])
    pick(battle, "Guns 1", kind="select-to-shoot")
    assert battle.models.wounds[2] == 8
    assert [e["needed"] for e in told(battle, "w10.attack.save.roll")] == [4, 4]


@pytest.mark.rule("w10.stratagem.go-to-ground")
def test_without_it_the_same_save_needs_a_5():
    battle = shot_at([3, 4, 4], AP=-1, cp=(0, 1))
    pick(battle, "no Go to Ground")
    assert battle.models.wounds[2] == 8 and battle.players.cp[1] == 1
    assert told(battle, "w10.attack.save.roll")[-1]["needed"] == 5
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.stratagem.go-to-ground")
@pytest.mark.parametrize(("die", "lost"), [(6, 0), (5, 1)])
def test_a_6_plus_invulnerable_save_against_ap_4(die, lost):
    battle = shot_at([3, 4, die], AP=-4)
    pick(battle, "Go to Ground: Target")
    save = told(battle, "w10.attack.save.roll")[-1]
    assert (save["needed"], save["extra"]) == (6, 2)  # the invulnerable save of the Stratagem
    assert battle.models.wounds[2] == 9 - lost
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.stratagem.go-to-ground")
def test_without_it_nothing_saves_against_ap_4():
    battle = shot_at([3, 4, 6], AP=-4)
    pick(battle, "no Go to Ground")
    assert battle.models.wounds[2] == 8


@pytest.mark.rule("w10.stratagem.go-to-ground")
def test_a_better_invulnerable_save_of_its_own_stays():
    scene = Scene()
    scene.unit(0, sheet("Guns", weapons={"gun": ranged(24, BS=3, S=4, AP=-4)}), at=(10, 10))
    scene.unit(1, sheet("Target", Sv=4, W=3, invuln=4), at=(12, 20))
    battle = scene.battle("shooting", cp=(0, 1), dice=[3, 4, 4])
    pick(battle, "Guns")
    pick(battle, "Go to Ground: Target")
    assert told(battle, "w10.attack.save.roll")[-1]["needed"] == 4
    assert battle.models.wounds[1] == 3


@pytest.mark.rule("w10.stratagem.go-to-ground")
def test_it_ends_with_the_phase():
    """In the player's next Shooting phase (after both players' turns) the unit saves on 5 again."""
    battle = shot_at([3, 4, 4], AP=-1, cp=(0, 1), shooters=1)
    pick(battle, "Go to Ground: Target")
    play_until(battle, "select-to-shoot")
    assert (battle.clock.turn[0], battle.clock.round[0]) == (0, 2)
    script(battle, [3, 4, 4])
    pick(battle, "Guns 0")
    pick(battle, "no Go to Ground")
    assert [e["needed"] for e in told(battle, "w10.attack.save.roll")] == [4, 5]
    assert battle.models.wounds[1] == 8 and dice_left(battle) == 0


@pytest.mark.rule("w10.stratagem.go-to-ground")
def test_a_vehicle_cannot_use_it_and_who_is_not_targeted_cannot_either():
    assert kind(shot_at([3, 4, 4], keywords=("VEHICLE",))) == "select-to-shoot"
    scene = Scene()
    scene.unit(0, sheet("Guns", weapons={"gun": ranged(24)}), at=(10, 10))
    scene.unit(1, sheet("Target"), at=(8, 20))
    scene.unit(1, sheet("Other"), at=(14, 20))
    battle = scene.battle("shooting", cp=(0, 1))
    pick(battle, "Guns")
    pick(battle, "Target", kind="shoot-target")
    assert sorted(words(battle).values()) == ["Go to Ground: Target", "no Go to Ground"]


@pytest.mark.rule("w10.stratagem.go-to-ground")
def test_full_detail_asks_between_armour_and_the_invulnerable_save():
    battle = shot_at([3, 4, 6], AP=0, detail="full")
    pick(battle, "Go to Ground: Target")
    assert kind(battle) == "save"
    assert sorted(words(battle).values()) == ["armour save", "second invulnerable save"]
    pick(battle, "second invulnerable save")
    assert battle.models.wounds[2] == 9


# ---------------------------------------------------------------- Smokescreen


@pytest.mark.rule("w10.stratagem.smokescreen")
@pytest.mark.parametrize(("dice", "lost", "needed"), [([4, 4, 4], 0, 4), ([4, 4, 3], 1, 4), ([3], 0, None)])
def test_stealth_and_cover_until_the_end_of_the_phase(dice, lost, needed):
    """BS 3+ against a SMOKE VEHICLE: 3 misses and 4 hits; AP -1 against Sv 4+: saved on 4 instead of 5."""
    battle = shot_at(dice, AP=-1, keywords=("VEHICLE", "SMOKE"))
    assert kind(battle) == "smokescreen" and battle.decision.player == 1
    pick(battle, "Smokescreen: Target")
    assert battle.models.wounds[2] == 9 - lost
    assert told(battle, "w10.attack.hit.roll")[-1]["needed"] == 4
    if needed:
        assert told(battle, "w10.attack.save.roll")[-1]["needed"] == needed
    assert battle.players.cp[1] == 0 and dice_left(battle) == 0
    # a later attacker of the same phase meets the same smoke
    script(battle, [3])
    pick(battle, "Guns 1", kind="select-to-shoot")
    assert told(battle, "w10.attack.hit.roll")[-1]["result"] == 0
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.stratagem.smokescreen")
def test_without_smoke_3_hits_and_4_does_not_save():
    battle = shot_at([3, 4, 4], AP=-1, keywords=("VEHICLE", "SMOKE"))
    pick(battle, "no Smokescreen")
    assert battle.models.wounds[2] == 8 and dice_left(battle) == 0


@pytest.mark.rule("w10.stratagem.smokescreen")
def test_only_smoke_units_in_the_opponents_shooting_phase():
    assert kind(shot_at([3, 4, 4], keywords=("VEHICLE",))) == "select-to-shoot"
    battle = shot_at([3, 4, 4], keywords=("INFANTRY", "SMOKE"), cp=(1, 1))
    assert kind(battle) == "go-to-ground"
    pick(battle, "no Go to Ground")
    assert kind(battle) == "smokescreen" and battle.decision.player == 1


@pytest.mark.rule("w10.stratagem.smokescreen", "w10.stratagem.go-to-ground")
def test_both_can_be_used_on_one_unit_and_cover_counts_once():
    battle = shot_at([4, 4, 4], AP=-1, keywords=("INFANTRY", "SMOKE"), cp=(0, 2))
    pick(battle, "Go to Ground: Target")
    pick(battle, "Smokescreen: Target")
    assert told(battle, "w10.attack.hit.roll")[-1]["needed"] == 4
    assert told(battle, "w10.attack.save.roll")[-1]["needed"] == 4
    assert battle.players.cp[1] == 0 and dice_left(battle) == 0
