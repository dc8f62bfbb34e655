"""Allocation, saving throws, damage, ignoring wounds (w9.attack.allocate, .save, .damage, .ignore-wounds)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env.testing import choose, dice_left, melee, pick, ranged, sheet, slots, told, words

HIT, SAVE, FNP = "w9.attack.hit", "w9.attack.save", "w9.attack.ignore-wounds"


def shoot(enemy, dice, *, weapon=None, detail="full", models=1, count=1, player=0, rules=None, **target):
    """A unit of ``player`` shoots ``enemy``; the battle at its first decision about the attacks (or after them)."""
    scene = NinthScene()
    scene.unit(player, sheet("Guns", weapons={"gun": weapon or ranged(24, BS=2, S=8)}), at=(10, 10), models=count)
    unit = scene.unit(1 - player, enemy, at=(10, 20), models=models, **target)
    scene.unit(1 - player, sheet("Elsewhere"), at=(58, 42))
    battle = scene.battle("shooting", active=player, detail=detail, dice=list(dice), rules=rules)
    pick(battle, "Guns")
    while battle.decision is not None and battle.decision.kind == "weapon-target":
        pick(battle, "at X")
    return battle, unit


def waits(battle, kind):
    """Whether a decision of this kind waits."""
    return battle.decision is not None and battle.decision.kind == kind


def wounds(battle, unit):
    """Wounds left of the models of a unit."""
    return [battle.models.wounds[unit.first + k] for k in range(battle.units.count[unit])]


def saves(battle):
    """(die, needed, result) of the saves."""
    return [(e["die"], e["needed"], e["result"]) for e in told(battle, SAVE)]


# ---------------------------------------------------------------- allocation


@pytest.mark.rule("w9.attack.allocate")
@pytest.mark.parametrize("player", [0, 1])
def test_the_controller_of_the_target_allocates_to_any_model(player):
    for slot in range(5):
        battle, unit = shoot(sheet("X", W=2, Sv=6), [2, 2, 1], models=5, player=player)
        assert waits(battle, "allocate")
        assert battle.decision.player == 1 - player
        assert slots(battle, "model") == [0, 1, 2, 3, 4]
        choose(battle, "model", slot)
        assert wounds(battle, unit) == [2 - (k == slot) for k in range(5)]
        assert dice_left(battle) == 0


@pytest.mark.rule("w9.attack.allocate")
def test_the_model_need_not_be_visible_or_in_range():
    scene = NinthScene()
    scene.unit(0, sheet("Guns", weapons={"gun": ranged(12, BS=2, S=8)}), at=(10, 10))
    unit = scene.unit(1, sheet("X", Sv=6), at=[(10, 22), (11.5, 30)])  # 11" and 19" away, the second behind a block
    scene.box(9.5, 25, 20, 27, 8)
    battle = scene.battle("shooting", detail="full", dice=[2, 2, 1])
    pick(battle, "Guns")
    pick(battle, "at X")
    assert slots(battle, "model") == [0, 1]
    choose(battle, "model", 1)
    assert wounds(battle, unit) == [1, 0]


@pytest.mark.rule("w9.attack.allocate.wounded-first")
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("player", [0, 1])
def test_a_wounded_model_takes_the_attack(detail, player):
    battle, unit = shoot(
        sheet("X", W=2, Sv=6), [2, 2, 1], detail=detail, models=5, player=player, wounds={2: 1}
    )  # nobody is asked
    assert not waits(battle, "allocate")
    assert wounds(battle, unit) == [2, 2, 0, 2, 2]
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.attack.allocate.wounded-first")
def test_a_model_that_had_an_attack_allocated_this_phase_takes_the_next_one():
    """Its save succeeded; so it is unhurt, and still it must take the next attack, of another unit too."""
    scene = NinthScene()
    for x in (6, 14):
        scene.unit(0, sheet("Guns", weapons={"gun": ranged(24, BS=2, S=8)}), at=(x, 10), name=f"Guns at {x}")
    unit = scene.unit(1, sheet("X", W=2, Sv=4), at=(8, 20), models=5)
    battle = scene.battle("shooting", detail="full", dice=[2, 2, 4, 2, 2, 1])
    pick(battle, "Guns at 6")
    pick(battle, "at X")
    choose(battle, "model", 1)
    assert wounds(battle, unit) == 5 * [2]
    pick(battle, "Guns at 14")
    pick(battle, "at X")
    assert not waits(battle, "allocate")
    assert wounds(battle, unit) == [2, 1, 2, 2, 2]
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.attack.allocate.wounded-first")
def test_an_attack_of_an_earlier_phase_does_not_count():
    scene = NinthScene()
    scene.unit(0, sheet("Guns", weapons={"gun": ranged(24, BS=2, S=8)}), at=(10, 10))
    scene.unit(0, sheet("Fists", weapons={"fist": melee(WS=2, S=8)}), at=(8, 18.6))
    unit = scene.unit(1, sheet("X", W=2, Sv=4), at=(8, 20), models=3)

    def earlier(battle):
        battle.models.allocated[unit.model(1)] = 1

    battle = scene.battle("fight", detail="full", dice=[2, 2, 1], set_state=earlier)
    for _ in range(20):
        if waits(battle, "allocate"):
            break
        battle.apply(battle.first_legal())
    assert slots(battle, "model") == [0, 1, 2]


# ---------------------------------------------------------------- saving throws


def one_save(die, *, Sv=4, AP=0, player=0):
    """The save of one attack against a single model: (die, needed, result)."""
    enemy, gun = sheet("X", W=9, Sv=Sv), ranged(24, BS=2, S=8, AP=AP)
    battle, _ = shoot(enemy, [2, 2, die], weapon=gun, detail="squad", player=player)
    assert dice_left(battle) == 0
    return saves(battle)[0]


@pytest.mark.rule("w9.attack.save")
@pytest.mark.parametrize("player", [0, 1])
def test_armour_penetration_is_taken_off_the_die(player):
    assert one_save(5, Sv=3, AP=-2, player=player) == (5, 5, 1)
    assert one_save(4, Sv=3, AP=-2, player=player) == (4, 5, 0)
    assert one_save(3, Sv=3, player=player) == (3, 3, 1)
    assert one_save(2, Sv=3, player=player) == (2, 3, 0)


@pytest.mark.rule("w9.attack.save")
def test_a_six_is_not_enough_where_more_is_needed():
    """No roll of 6 saves by itself: Sv 5+ against AP -3 needs 8."""
    assert one_save(6, Sv=5, AP=-3) == (6, 8, 0)


@pytest.mark.rule("w9.attack.save")
def test_a_one_fails_in_cover_too():
    def save(die, save_of):
        scene = NinthScene()
        scene.crater(8, 18, 14, 24)
        scene.unit(0, sheet("Guns", weapons={"gun": ranged(24, BS=2, S=8)}), at=(10, 10))
        scene.unit(1, sheet("X", W=9, Sv=save_of), at=(10, 20))
        battle = scene.battle("shooting", dice=[2, 2, die])
        pick(battle, "Guns")
        return saves(battle)

    assert save(1, 2) == [(1, 2, 0)]
    assert save(2, 3) == [(2, 2, 1)]


@pytest.mark.rule("w9.attack.save")
@pytest.mark.parametrize(
    ("blessings", "crater", "needed"), [(0, 0, 6), (0, 1, 5), (1, 0, 5), (1, 1, 4), (2, 0, 4), (2, 1, 3)]
)
def test_modifiers_of_saves_are_not_limited(blessings, crater, needed):
    scene = NinthScene()
    if crater:
        scene.crater(8, 18, 14, 24)
    scene.unit(0, sheet("Guns", weapons={"gun": ranged(24, BS=2, S=8)}), at=(10, 10))
    names = [{"name": f"Blessing {n}", "effect": "+1 to saving throws", "active": True} for n in range(blessings)]
    scene.unit(1, sheet("X", W=9, Sv=6, abilities={"other": names}), at=(10, 20))
    battle = scene.battle("shooting", dice=[2, 2, needed - 1])
    pick(battle, "Guns")
    assert saves(battle) == [(needed - 1, needed, 0)]


@pytest.mark.rule("w9.attack.save.invulnerable")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("choice", "needed"), [("armour save", 6), ("invulnerable save", 5)])
def test_the_controller_chooses_between_armour_and_invulnerable_save(player, choice, needed):
    for die in (5, 6):
        battle, unit = shoot(
            sheet("X", Sv=3, invuln=5), [2, 2, die], weapon=ranged(24, BS=2, S=8, AP=-3), player=player
        )
        assert battle.decision.kind == "save"
        assert battle.decision.player == 1 - player
        assert sorted(words(battle).values()) == ["armour save", "invulnerable save"]
        pick(battle, choice)
        assert saves(battle) == [(die, needed, int(die >= needed))]
        assert wounds(battle, unit) == [int(die >= needed)]


@pytest.mark.rule("w9.attack.save.invulnerable")
def test_one_of_several_invulnerable_saves_is_made():
    for choice, needed in (("invulnerable save", 5), ("second invulnerable save", 4)):
        battle, unit = shoot(sheet("X", Sv=6, invuln=5, invuln2=4), [2, 2, 4], weapon=ranged(24, BS=2, S=8, AP=-3))
        pick(battle, choice)
        assert saves(battle) == [(4, needed, int(needed == 4))]
        assert wounds(battle, unit) == [int(needed == 4)]
        assert dice_left(battle) == 0


@pytest.mark.rule("w9.attack.save.invulnerable")
def test_squad_detail_takes_the_better_save():
    def better(Sv, AP):
        gun = ranged(24, BS=2, S=8, AP=AP)
        return saves(shoot(sheet("X", W=9, Sv=Sv, invuln=5), [2, 2, 6], weapon=gun, detail="squad")[0])

    assert better(3, -3) == [(6, 5, 1)]
    assert better(3, -1) == [(6, 4, 1)]


# ---------------------------------------------------------------- damage


@pytest.mark.rule("w9.attack.damage")
@pytest.mark.parametrize("player", [0, 1])
def test_a_random_damage_is_rolled_for_each_attack(player):
    gun = ranged(24, BS=2, S=8, D="D3")
    battle, unit = shoot(sheet("X", W=3, Sv=6), [2, 2, 1, 3], weapon=gun, player=player)  # a D6 of 3 is a D3 of 2
    assert wounds(battle, unit) == [1]
    assert dice_left(battle) == 0
    two = ranged(24, A=2, BS=2, S=8, D="D3")
    battle, unit = shoot(sheet("X", W=9, Sv=6), [2, 2, 2, 2, 1, 1, 1, 5], weapon=two, player=player)
    assert [e["result"] for e in told(battle, "w9.attack.damage") if e["die"]] == [1, 3]
    assert wounds(battle, unit) == [5]
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.attack.damage")
def test_a_model_without_wounds_is_destroyed():
    battle, unit = shoot(sheet("X", W=3, Sv=6), [2, 2, 1], weapon=ranged(24, BS=2, S=8, D=3), models=2, detail="squad")
    assert wounds(battle, unit) == [3, 0]
    assert battle.units.alive[unit] == 1
    assert battle.models.on_table[unit.model(1)] == 0
    battle, unit = shoot(sheet("X", W=3, Sv=6), [2, 2, 1], weapon=ranged(24, BS=2, S=8, D=2), models=2, detail="squad")
    assert wounds(battle, unit) == [3, 1]
    assert battle.units.alive[unit] == 2


@pytest.mark.rule("w9.attack.damage.excess")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_damage_beyond_the_wounds_of_a_model_is_lost(detail):
    battle, unit = shoot(sheet("X", W=1, Sv=6), [2, 2, 1], weapon=ranged(24, BS=2, S=8, D=3), models=3, detail=detail)
    if detail == "full":
        choose(battle, "model", 2)
    assert wounds(battle, unit) == [1, 1, 0]
    battle, unit = shoot(
        sheet("X", W=2, Sv=6), [2, 2, 2, 2, 1, 1], weapon=ranged(24, A=2, BS=2, S=8, D=3), models=3, detail="squad"
    )
    assert wounds(battle, unit) == [2, 0, 0]


@pytest.mark.rule("w9.attack.dead-stop")
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("player", [0, 1])
def test_attacks_left_when_the_target_is_destroyed_are_lost(detail, player):
    """Ten attacks, fast dice: all hit and wound, the third save fails; no further save is made, and nobody else suffers."""
    dice = 10 * [2] + 10 * [2] + [4, 4, 1]
    battle, unit = shoot(sheet("X"), dice, weapon=ranged(24, A=10, BS=2, S=8), detail=detail, player=player)
    assert [r for _, _, r in saves(battle)] == [1, 1, 0]
    assert wounds(battle, unit) == [0]
    other = next(u for u in battle.units_of(1 - player) if u != unit)
    assert battle.units.alive[other] == 1
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.attack.dead-stop")
def test_attacks_of_another_weapon_are_lost_as_well():
    scene = NinthScene()
    weapons = {"gun": ranged(24, BS=2, S=8), "long": ranged(24, BS=2, S=9)}
    scene.unit(0, sheet("Guns", weapons=weapons), at=(10, 10))
    scene.unit(1, sheet("X", Sv=6), at=(10, 20))
    other = scene.unit(1, sheet("Other", Sv=6), at=(12, 20))
    battle = scene.battle("shooting", detail="full", dice=[2, 2, 1])
    pick(battle, "Guns")
    pick(battle, "at X")
    pick(battle, "at X")
    pick(battle, "resolve gun")
    assert len(told(battle, HIT)) == 1
    assert battle.units.alive[other] == 1
    assert dice_left(battle) == 0


# ---------------------------------------------------------------- ignoring wounds


@pytest.mark.rule("w9.attack.ignore-wounds")
@pytest.mark.parametrize("player", [0, 1])
def test_one_rule_is_used_for_each_wound(player):
    """5+ and 6+, three wounds: with the 5+ and dice 5, 2, 6 one is lost."""
    enemy = sheet("X", W=9, Sv=6, fnp=6, abilities={"feel_no_pain": 5})
    gun = ranged(24, BS=2, S=8, D=3)
    battle, unit = shoot(enemy, [2, 2, 1, 5, 2, 6], weapon=gun, player=player)
    for _ in range(3):
        assert waits(battle, "feel-no-pain")
        assert battle.decision.player == 1 - player
        pick(battle, "second")
    assert [(e["die"], e["needed"], e["result"]) for e in told(battle, FNP)] == [(5, 5, 1), (2, 5, 0), (6, 5, 1)]
    assert wounds(battle, unit) == [8]
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.attack.ignore-wounds")
def test_squad_detail_uses_the_better_rule():
    enemy = sheet("X", W=9, Sv=6, fnp=6, abilities={"feel_no_pain": 5})
    battle, unit = shoot(enemy, [2, 2, 1, 5], detail="squad")
    assert [(e["die"], e["needed"]) for e in told(battle, FNP)] == [(5, 5)]
    assert wounds(battle, unit) == [9]
