"""Perils of the Warp (w8.psychic.perils*)."""

from __future__ import annotations

import pytest
from eighth import EighthScene

from wh_env.rulesets.w40k.psychic.data import PsychicProfile
from wh_env.testing import choose, dice_left, kind, pick, sheet, told, words

PSYKER = ("INFANTRY", "CHARACTER", "PSYKER")
TEST = "w8.psychic.test"


def wounds(battle, unit):
    """Wounds left in a unit."""
    first, count = battle.units.first[unit], battle.units.count[unit]
    return sum(battle.models.wounds[k] for k in range(first, first + count))


def turned(player, x, y):
    return (x, y) if player == 0 else (60 - x, 44 - y)


def cast(dice, W=4, denies=0, player=0, detail="squad", rules=None, fnp=None, cp=(0, 0)):
    """A psyker with W wounds attempts Smite at an enemy 10" away, whose side may deny; the battle and the three."""
    scene = EighthScene()
    data = sheet("Caster", W=W, keywords=PSYKER, fnp=fnp)
    caster = scene.unit(player, data, at=turned(player, 30, 10), psychic=PsychicProfile(1, 0))
    scene.unit(player, sheet("Friend", W=9), at=turned(player, 5, 5))
    enemy = scene.unit(1 - player, sheet("Enemy", W=20), at=turned(player, 30, 21))
    denier = scene.unit(
        1 - player, sheet("Denier", W=9, keywords=PSYKER), at=turned(player, 30, 30), psychic=PsychicProfile(0, denies)
    )
    battle = scene.battle("psychic", active=player, dice=dice, detail=detail, rules=rules, cp=cp)
    pick(battle, "Caster")
    return battle, caster, enemy, denier


@pytest.mark.rule("w8.psychic.perils")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("dice", "left"), [([6, 6, 3, 1], 2), ([1, 1, 3], 2), ([3, 3, 1], 4), ([5, 5, 1], 4), ([1, 6, 1], 4)]
)
def test_a_double_one_or_six_hurts_the_psyker(player, dice, left):
    battle, caster, _, _ = cast(dice, player=player)
    assert wounds(battle, caster) == left
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.psychic.perils.power-still-works")
@pytest.mark.parametrize("player", [0, 1])
def test_a_psyker_that_survives_manifests_on_twelve(player):
    battle, caster, enemy, _ = cast([6, 6, 1, 6], player=player)
    assert wounds(battle, caster) == 3
    assert wounds(battle, enemy) == 14  # more than 10: a D6
    assert told(battle, TEST)[0]["result"] == 12


@pytest.mark.rule("w8.psychic.perils.power-still-works")
def test_a_double_one_is_too_low():
    battle, caster, enemy, _ = cast([1, 1, 6])
    assert wounds(battle, caster) == 1
    assert wounds(battle, enemy) == 20
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.psychic.perils.order")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("W", "asked"), [(4, True), (1, False)])
def test_they_are_resolved_before_denying(player, W, asked):
    battle, caster, enemy, _ = cast([6, 6, 1], W=W, denies=1, player=player)
    assert wounds(battle, caster) == W - 1
    assert (kind(battle) == "deny") == asked
    if not asked:
        assert wounds(battle, enemy) == 20
        assert told(battle, "w8.psychic.deny") == []


@pytest.mark.rule("w8.psychic.perils.final-dice")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("first", "then", "left"), [([6, 6], [2, 6], 4), ([6, 3], [6, 6], 2), ([1, 1], [3, 4], 4)])
def test_the_dice_after_a_re_roll_count(player, first, then, left):
    rules = {"rerolls": [{"player": player, "roll": "psychic"}]}
    battle, caster, _, _ = cast([*first, *then, 3, 1], player=player, detail="full", rules=rules)
    pick(battle, "re-roll", kind="reroll")
    assert wounds(battle, caster) == left
    assert told(battle, TEST)[0]["result"] == sum(then)


@pytest.mark.rule("w8.psychic.perils.final-dice")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("dice", "face", "total", "left"),
    [([6, 6, 2], 6, 8, 4), ([6, 3, 6, 3, 1], 3, 12, 2), ([1, 1, 4], 1, 5, 4), ([4, 1, 1, 3], 4, 2, 2), ([6, 3, 5], 3, 11, 4)],
)  # fmt: skip
def test_one_die_made_again_counts_with_the_other(dice, face, total, left, player):
    """By a Command re-roll: 6 and 6 become 6 and 2, and there are no Perils; 6 and 3 become 6 and 6, and there are."""
    rules = {"stratagems": {"command-re-roll": "ask"}}
    cp = (1, 0) if player == 0 else (0, 1)
    battle, caster, _, _ = cast([*dice, 1, 1, 1, 1], player=player, rules=rules, cp=cp)
    assert (kind(battle), battle.decision.player) == ("command-re-roll", player)
    assert wounds(battle, caster) == 4  # nothing happens before the dice are final
    choose(battle, "number", face)
    assert told(battle, TEST)[0]["result"] == total
    assert wounds(battle, caster) == left
    assert battle.players.cp[player] == 0


@pytest.mark.rule("w8.psychic.perils.final-dice")
def test_kept_dice_count_as_they_are():
    rules = {"rerolls": [{"player": 0, "roll": "psychic"}]}
    battle, caster, _, _ = cast([6, 6, 3, 1], detail="full", rules=rules)
    pick(battle, "keep", kind="reroll")
    assert wounds(battle, caster) == 2


@pytest.mark.rule("w8.psychic.perils.slain")
@pytest.mark.parametrize("player", [0, 1])
def test_a_slain_psyker_fails(player):
    battle, caster, enemy, _ = cast([6, 6, 1], W=1, player=player)
    assert battle.units.alive[caster.row] == 0
    assert wounds(battle, enemy) == 20
    assert dice_left(battle) == 0


# ---------------------------------------------------------------- the explosion


def explosion(dice, player=0, detail="squad", more=()):
    """A psyker with 1 wound suffers Perils; a friend 3", an enemy 6.0" and another 6.1" away."""
    scene = EighthScene()
    scene.unit(player, sheet("Caster", W=1, keywords=PSYKER), at=turned(player, 30, 20), psychic=PsychicProfile(1, 0))
    units = [
        scene.unit(player, sheet("Friend", W=9), at=turned(player, 26, 20)),
        scene.unit(1 - player, sheet("Near", W=9), at=turned(player, 30, 27)),
        scene.unit(1 - player, sheet("Far", W=9), at=turned(player, 37.1, 20)),
    ]
    units += [scene.unit(1 - player, sheet(f"More {n}", W=9), at=turned(player, *at)) for n, at in enumerate(more)]
    battle = scene.battle("psychic", active=player, dice=dice, detail=detail)
    pick(battle, "Caster")
    return battle, units


@pytest.mark.rule("w8.psychic.perils.explosion", "w8.psychic.perils.explosion.per-unit")
@pytest.mark.parametrize("player", [0, 1])
def test_each_unit_within_six_inches_suffers_its_own_d3(player):
    battle, (friend, near, far) = explosion([6, 6, 1, 5, 2], player, "full")
    assert (kind(battle), battle.decision.player) == ("demise-unit", player)
    pick(battle, "Friend")
    assert [wounds(battle, unit) for unit in (friend, near, far)] == [6, 8, 9]
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.psychic.perils.explosion.per-unit")
@pytest.mark.parametrize(
    "order", [("Friend", "More 0", "Near"), ("Near", "Friend", "More 0"), ("More 0", "Near", "Friend")]
)
def test_the_active_player_says_in_which_order(order):
    battle, (friend, near, far, more) = explosion([6, 6, 1, 1, 3, 5], detail="full", more=[(34, 20)])
    for name in order[:2]:
        pick(battle, name, kind="demise-unit")
    suffered = dict(zip(order, (1, 2, 3), strict=True))
    assert {
        name: 9 - wounds(battle, unit) for name, unit in (("Friend", friend), ("Near", near), ("More 0", more))
    } == suffered
    assert wounds(battle, far) == 9
    assert dice_left(battle) == 0


def squad_of_seers(W=1):
    """A unit of three models, of which the first is a psyker."""
    data = sheet("Caster", W=W, keywords=("INFANTRY",))
    model = data["models"][0]
    data["models"] = [
        {**model, "name": "Seer", "min": 1, "max": 1, "keywords": ["PSYKER"]},
        {**model, "name": "Man", "min": 2, "max": 2, "W": 4},
    ]
    data["points"] = [{"models": 3, "points": 100}]
    return data


@pytest.mark.rule("w8.psychic.perils", "w8.psychic.perils.explosion.per-unit", "w8.psychic.perils.slain")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_it_is_the_psyker_that_suffers_and_its_own_unit_that_is_near(player, detail):
    """D3 of 3 on a Seer of 1 wound: the other two are lost with it; its comrades suffer the explosion, with a D3 of 1."""
    scene = EighthScene()
    caster = scene.unit(
        player, squad_of_seers(), at=turned(player, 30, 20), models=3, psychic=PsychicProfile(1, 0), gap=-0.0
    )
    enemy = scene.unit(1 - player, sheet("Enemy", W=9), at=turned(player, 30, 31))
    battle = scene.battle("psychic", active=player, dice=[6, 6, 6, 1], detail=detail)
    pick(battle, "Caster")
    if kind(battle) == "allocate":
        choose(battle, "model", 0)
    rows = [battle.models.wounds[caster.model(k)] for k in range(3)]
    assert rows[0] == 0
    assert sorted(rows[1:]) == [3, 4]
    assert wounds(battle, enemy) == 9  # the power has failed
    assert [e["unit"] for e in told(battle, "w8.datasheet.abilities") if "amount" in e] == [caster.row]
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.psychic.perils.slain")
def test_a_unit_that_has_lost_its_psyker_attempts_nothing_more():
    scene = EighthScene()
    scene.unit(0, squad_of_seers(), at=(30, 20), models=3, psychic=PsychicProfile(2, 0), gap=0.1)
    scene.unit(0, sheet("Other", W=9, keywords=PSYKER), at=(10, 10), psychic=PsychicProfile(1, 0))
    scene.unit(1, sheet("Enemy", W=9), at=(30, 31))
    battle = scene.battle("psychic", dice=[6, 6, 6, 1])
    pick(battle, "Caster")
    assert kind(battle) != "select-psyker" or "Caster" not in words(battle).values()


@pytest.mark.rule("w8.psychic.perils")
def test_a_hurt_psyker_among_others_goes_on():
    scene = EighthScene()
    caster = scene.unit(0, squad_of_seers(W=4), at=(30, 20), models=3, psychic=PsychicProfile(1, 0), gap=0.1)
    enemy = scene.unit(1, sheet("Enemy", W=9), at=(30, 31))
    battle = scene.battle("psychic", dice=[6, 6, 5, 4])
    pick(battle, "Caster")
    assert [battle.models.wounds[caster.model(k)] for k in range(3)] == [1, 4, 4]
    assert wounds(battle, enemy) == 5
