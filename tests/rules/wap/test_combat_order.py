"""Steps of Initiative, first rounds, losses and who steps up."""

from __future__ import annotations

from math import pi
from typing import Any

import pytest

from wh_env.content.battle import Battle
from wh_env.rulesets.wap.basics.blocks import set_block
from wh_env.rulesets.wap.basics.contacts import meet, wounds_by
from wh_env.rulesets.wap.casualties.removing import remove_unit
from wh_env.rulesets.wap.codes import FRONT, REAR
from wh_env.rulesets.wap.combat.close_combat import end_combat, round_over
from wh_env.testing import kind, pick, told
from wh_env.testing.play import dice_left, script
from wh_env.testing.wap import RegimentScene, fight, fight_again, pose, ranks, square

ORDER, HIT, WOUND = "wap.combat.order.initiative", "wap.combat.hit.roll", "wap.combat.wound.roll"


def fought(scene: RegimentScene, unit: Any, dice: list[int], **fields: Any) -> Battle:
    """One round of the combat of a unit."""
    return fight(scene.battle("combat", dice=dice, run=False, **fields), unit)


def steps(battle: Battle) -> list[int]:
    """The Initiatives at which blows were struck, in order."""
    return [event["initiative"] for event in told(battle, ORDER)]


def strikers(battle: Battle) -> list[tuple[int, int]]:
    """Who rolled to hit, in order, and for how many attacks."""
    return [(event["unit"], event["amount"]) for event in told(battle, HIT)]


def strengths(battle: Battle, unit: Any) -> set[int]:
    """What a unit needs to wound Toughness 3."""
    return {event["needed"] for event in told(battle, "wap.combat.wound.roll") if event["unit"] == int(unit)}


@pytest.mark.rule("wap.combat.order.initiative")
def test_the_highest_initiative_strikes_first_and_all_weapons_count() -> None:
    scene = RegimentScene()
    men = scene.unit(0, None, (24, 24), models=10, files=10, name="men")
    elves = scene.beside(men, 1, square(i=5), along=2.5, models=5, files=5, name="elves")
    orcs = scene.beside(
        men, 1, square(i=2, equipment=["hand weapon", "great weapon"]), along=-2.5, models=5, files=5, name="orcs"
    )
    battle = scene.battle("combat", dice=[1] * 60, run=False)
    fight(battle, men)
    while kind(battle):
        battle.apply(battle.first_legal())
    assert steps(battle) == [5, 3, 0]
    assert [unit for unit, _ in strikers(battle)] == [elves.row, men.row, men.row, orcs.row]


@pytest.mark.rule("wap.combat.order.killed-before-striking")
def test_who_is_slain_before_his_step_rolls_nothing() -> None:
    scene = RegimentScene()
    quick = scene.unit(0, square(i=5), (24, 24), models=1, files=1)
    hero = scene.beside(quick, 1, models=1, files=1)
    battle = fought(scene, quick, [4, 4, 6])
    assert strikers(battle) == [(quick.row, 1)] and dice_left(battle) == 1
    assert battle.units.alive[hero] == 0


@pytest.mark.rule("wap.combat.order.simultaneous")
@pytest.mark.parametrize("player", [0, 1])
def test_equals_slay_each_other(player: int) -> None:
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 24), models=1, files=1)
    b = scene.beside(a, 1, models=1, files=1)
    scene.unit(0, None, (4, 4))
    scene.unit(1, None, (40, 44))
    battle = fought(scene, a, [6, 6, 6, 6], player=player)
    assert battle.units.alive[a] == battle.units.alive[b] == 0
    assert battle.units.dealt[a] == battle.units.dealt[b] == 1
    assert strikers(battle) == [(a.row, 1), (b.row, 1)] if player == 0 else [(b.row, 1), (a.row, 1)]


@pytest.mark.rule("wap.combat.order.charge-bonus")
@pytest.mark.parametrize(("charging", "order"), [(1, [4, 3]), (0, [3])])
def test_who_has_charged_strikes_one_step_earlier(charging: int, order: list[int]) -> None:
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 24), models=5, files=5, charging=charging)
    scene.beside(a, 1, models=5, files=5)
    assert steps(fought(scene, a, [1] * 10)) == order


@pytest.mark.rule("wap.combat.order.charge-bonus")
def test_in_the_round_after_it_they_strike_together_again() -> None:
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 24), models=5, files=5, charging=1)
    scene.beside(a, 1, models=5, files=5)
    battle = fought(scene, a, [1] * 10)
    fight_again(battle, a, [1] * 10)
    assert steps(battle) == [4, 3, 3]


def knights(rider: int, mount: int, **fields: Any) -> dict[str, Any]:
    """Cavalry on bases of one inch."""
    values = {"m": 8, "ws": 3, "bs": 0, "s": 3, "t": 3, "w": 1, "i": mount, "a": 1, "ld": 5}
    return square(type="cavalry", i=rider, mount=values, **fields)


@pytest.mark.rule("wap.combat.order.mixed-profile")
def test_rider_and_mount_strike_at_their_own_steps() -> None:
    scene = RegimentScene()
    a = scene.unit(0, knights(3, 2), (24, 24), models=5, files=5)
    b = scene.beside(a, 1, models=5, files=5)
    battle = fought(scene, a, [1] * 15)
    assert steps(battle) == [3, 2]
    assert strikers(battle) == [(a.row, 5), (b.row, 5), (a.row, 5)]


@pytest.mark.rule("wap.combat.order.mixed-profile-killed")
def test_the_mount_of_a_slain_rider_does_not_strike() -> None:
    scene = RegimentScene()
    knight = scene.unit(0, knights(4, 2), (24, 24), models=1, files=1)
    men = scene.beside(knight, 1, models=5, files=5)
    battle = fought(scene, knight, [1, 6, 1, 1, 6])
    assert strikers(battle) == [(knight.row, 1), (men.row, 3)]
    assert steps(battle) == [4, 3] and battle.units.alive[knight] == 0


@pytest.mark.rule("wap.combat.order.no-target")
def test_mounts_that_find_no_enemy_roll_no_dice() -> None:
    scene = RegimentScene()
    a = scene.unit(0, knights(5, 2), (24, 24), models=2, files=2)
    b = scene.beside(a, 1, models=2, files=2)
    battle = fought(scene, a, [6, 6, 6, 6, 5])
    assert strikers(battle) == [(a.row, 2)] and dice_left(battle) == 1
    assert battle.units.dealt[a] == 2 and battle.units.alive[b] == 0


@pytest.mark.rule("wap.special.strike-order.table")
def test_tiers_come_before_initiatives() -> None:
    """A slow hero who always strikes first, quick elves, an orc, and who always strikes last; ahead of all the impact hits of a charge."""
    scene = RegimentScene()
    line = scene.unit(0, square(i=1), (24, 24), models=12, files=12, name="orcs")
    rules = {
        "hero": ["Always Strikes First"],
        "elves": [],
        "slow": ["Always Strikes Last"],
        "both": ["Always Strikes First", "Always Strikes Last"],
    }
    initiative = {"hero": 2, "elves": 6, "slow": 9, "both": 4}
    found = {
        name: scene.beside(
            line, 1, square(i=initiative[name], rules=rules[name]), along=4.5 - 2 * n, models=1, files=1, name=name
        )
        for n, name in enumerate(rules)
    }
    riders = scene.beside(line, 1, knights(3, 3), along=-4.5, models=1, files=1, charging=1, name="riders")
    battle = scene.battle("combat", dice=[1] * 60, run=False)
    fight(battle, line)
    while kind(battle):
        battle.apply(battle.first_legal())
    kinds = [event for event in battle.events if event.rule in (HIT, "wap.special.impact-hits.number")]
    order = list(dict.fromkeys(event.data["unit"] for event in kinds))
    assert kinds[0].rule == "wap.special.impact-hits.number" and order[0] == riders.row
    assert [unit for unit in order if unit != riders.row] == [
        found["hero"].row, found["elves"].row, found["both"].row, line.row, found["slow"].row
    ]  # fmt: skip
    assert [(event["initiative"], event["step"]) for event in told(battle, ORDER)] == [
        (2, "first"), (6, "in order"), (4, "in order"), (1, "in order"), (9, "last")
    ]  # fmt: skip


def lancer(target: str) -> tuple[Battle, Any, Any, Any]:
    """One rider with a lance who has charged x and touches y too; what he strikes is chosen when his lance would strike x. y strikes before he could strike
    it with the same lance."""
    scene = RegimentScene()
    kit = ["hand weapon", "lance"]
    a = scene.unit(0, knights(3, 1, equipment=kit), (24, 24), models=1, files=1, charging=1, name="a")
    x = scene.beside(a, 1, square(i=1), along=0.5, models=1, files=1, name="x")
    y = scene.beside(a, 1, square(i=5), along=-0.5, models=1, files=1, name="y")

    def charged(battle: Battle) -> None:
        battle.charges.unit[0], battle.charges.target[0] = a.row, x.row

    # the impact hit at x wounds nobody
    battle = scene.battle("combat", dice=[1], run=False, set_state=charged)
    fight(battle, a)
    script(battle, [1, 1] + [1] * 8)
    pick(battle, f"a at {target}")
    return battle, a, x, y


@pytest.mark.rule("wap.combat.order.initiative")
@pytest.mark.parametrize(("target", "order"), [("x", [6, 5]), ("y", [5, 4])])
def test_a_lance_is_quick_only_against_who_was_charged(target: str, order: list[int]) -> None:
    battle, a, x, y = lancer(target)
    assert steps(battle)[:2] == order
    first = next(event for event in told(battle, HIT) if event["unit"] == a.row)
    assert (first["target"], first["amount"]) == ((x if target == "x" else y).row, 1)
    rolled = [unit for unit, _ in strikers(battle)]
    assert rolled == ([a.row, y.row] if target == "x" else [y.row, a.row]) + rolled[2:]
    assert rolled.count(a.row) == 1 or kind(battle) is None


@pytest.mark.rule("wap.combat.order.killed-before-striking")
def test_what_waits_for_a_later_step_is_lost_with_the_model() -> None:
    scene = RegimentScene()
    a = scene.unit(
        0, knights(3, 1, equipment=["hand weapon", "lance"]), (24, 24), models=1, files=1, charging=1, name="a"
    )
    x = scene.beside(a, 1, square(i=1), along=0.5, models=1, files=1, name="x")
    y = scene.beside(a, 1, square(i=5), along=-0.5, models=1, files=1, name="y")

    def charged(battle: Battle) -> None:
        battle.charges.unit[0], battle.charges.target[0] = a.row, x.row

    battle = scene.battle("combat", dice=[1, 6, 6, 6], run=False, set_state=charged)
    fight(battle, a)
    pick(battle, "a at y")
    assert battle.units.alive[a] == 0 and strikers(battle) == [(y.row, 1)] and dice_left(battle) == 1


# ---- losses


@pytest.mark.rule("wap.combat.casualties.step-up", "wap.combat.casualties.from-rear")
@pytest.mark.parametrize(("models", "strike"), [(15, [5, 5]), (5, [1])])
def test_who_steps_up_strikes(models: int, strike: list[int]) -> None:
    """Four fall at step 4; three ranks make all their attacks at step 3, a single one makes one."""
    scene = RegimentScene()
    a = scene.unit(0, square(i=4), (24, 24), models=5, files=5)
    b = scene.beside(a, 1, models=models, files=5)
    battle = fought(scene, a, [6, 6, 6, 6, 1] + [6] * 4 + [1] * 20)
    assert battle.units.alive[b] == models - 4
    if models == 15:
        assert ranks(battle, b) == [5, 5, 1]
    made = [e["amount"] for e in battle_attacks(battle) if e["unit"] == b.row]
    assert made == strike


def battle_attacks(battle: Battle) -> list[dict[str, Any]]:
    """What was told of attacks, in contact and behind it."""
    rules = ("wap.combat.attacks.number", "wap.combat.attacks.support.who")
    return [event.data for event in battle.events if event.rule in rules]


@pytest.mark.rule("wap.combat.casualties.from-rear")
def test_models_of_several_wounds_fall_as_whole_models() -> None:
    scene = RegimentScene()
    a = scene.unit(0, square(i=4, a=2), (24, 24), models=3, files=3)
    b = scene.beside(a, 1, square(w=3), models=4, files=4)
    battle = fought(scene, a, [6] * 5 + [1] + [6] * 5 + [1] * 20)
    assert battle.units.alive[b] == 3 and battle.units.dealt[a] == 5
    assert sum(battle.models.wounds[k] for k in battle.members(int(b))) == 7


@pytest.mark.rule("wap.combat.casualties.excess")
def test_losses_beyond_the_models_in_contact_come_off_the_unit() -> None:
    scene = RegimentScene()
    monster = scene.unit(0, square(type="monstrous beast", base_mm=[50, 50], a=5, i=6), (24, 24), models=1, files=1)
    b = scene.beside(monster, 1, along=0.5, models=12, files=6)
    battle = fought(scene, monster, [6] * 10 + [1] * 20)
    assert battle.units.alive[b] == 7 and battle.units.dealt[monster] == 5


@pytest.mark.rule("wap.combat.casualties.excess")
def test_more_wounds_than_a_unit_has_left_are_not_counted() -> None:
    scene = RegimentScene()
    a = scene.unit(0, square(i=5), (24, 24), models=5, files=5)
    scene.beside(a, 1, models=2, files=2)
    battle = fought(scene, a, [6] * 8)
    assert battle.units.dealt[a] == 2


@pytest.mark.rule("wap.combat.casualties.tally")
def test_wounds_are_kept_by_who_dealt_them_and_to_whom() -> None:
    scene = RegimentScene()
    a = scene.unit(0, square(i=9), (24, 24), models=10, files=10)
    b = scene.beside(a, 1, along=3, models=10, files=5, name="b")
    c = scene.beside(a, 1, along=-3, models=10, files=5, name="c")
    # at b and c; then b, whose two hits wound once, and c
    dice = [6, 6, 1, 1, 1, 6, 6] + [6, 6, 6, 6, 1, 6, 6, 6, 6] + [6, 6, *[1] * 6, 6, 1] + [1] * 40
    battle = fought(scene, a, dice)
    assert not kind(battle)
    assert wounds_by(battle, a.row, b.row) == 2 and wounds_by(battle, a.row, c.row) == 4
    assert battle.units.dealt[a] == 6
    assert wounds_by(battle, b.row, a.row) == battle.units.dealt[b] == 1 and battle.units.dealt[c] == 0


@pytest.mark.rule("wap.combat.gap.after-casualties")
@pytest.mark.parametrize(("losses", "gone"), [(5, 1.0), (4, 0.0)])
def test_a_gap_that_losses_open_is_closed(losses: int, gone: float) -> None:
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 24), models=10, files=5)
    x = scene.beside(a, 1, square(i=9), side=REAR, models=10, files=5)
    battle = fought(scene, a, [6] * losses + [1] * (10 - losses) + [6] * losses + [1] * 20)
    assert pose(battle, x)[1] == pytest.approx(22 + gone)
    assert battle.units.fights[a] == battle.units.fights[x] == 1
    assert wounds_by(battle, x.row, a.row) == losses
    assert sum(amount for unit, amount in strikers(battle) if unit == a.row) == 5


# ---- first rounds


@pytest.mark.rule("wap.combat.first-round.definition")
@pytest.mark.parametrize(("rounds", "needed"), [(0, 2), (1, 4)])
def test_flails_are_heavy_in_the_first_round_alone(rounds: int, needed: int) -> None:
    scene = RegimentScene()
    a = scene.unit(0, square(equipment=["hand weapon", "flail"]), (24, 24), models=5, files=5, rounds=rounds)
    scene.beside(a, 1, models=5, files=5)
    assert strengths(fought(scene, a, [6] * 5 + [1] * 15), a) == {needed}


@pytest.mark.rule("wap.combat.first-round.definition")
def test_a_round_is_counted_when_it_was_fought() -> None:
    """Two rounds of one engagement: Strength 5, then 3; against a new enemy, after the unit was free, 5 again."""
    scene = RegimentScene()
    a = scene.unit(0, square(equipment=["hand weapon", "flail"]), (24, 24), models=5, files=5)
    b = scene.beside(a, 1, models=20, files=5)
    c = scene.unit(1, None, (24, 40), models=10, files=5)
    battle = fought(scene, a, [6] * 5 + [1] * 20)
    assert strengths(battle, a) == {2}
    known = len(battle.events)
    fight_again(battle, a, [6] * 5 + [1] * 20)
    assert {e.data["needed"] for e in battle.events[known:] if e.rule == WOUND and e.data["unit"] == a.row} == {4}
    round_over(battle)
    end_combat(battle)
    remove_unit(battle, b.row)
    x, y, facing = pose(battle, a)
    set_block(battle, c.row, x, y, facing + pi, 5)
    meet(battle)
    known = len(battle.events)
    script(battle, [6] * 5 + [1] * 20)
    fight(battle, a)
    assert {e.data["needed"] for e in battle.events[known:] if e.rule == WOUND and e.data["unit"] == a.row} == {2}


@pytest.mark.rule("wap.combat.first-round.new-enemy")
def test_only_who_arrives_is_in_his_first_round() -> None:
    """A and B fought before, C joins: C re-rolls its misses, A does not; B, with great weapons, has the Strength of later rounds, at C too."""
    scene = RegimentScene()
    b = scene.unit(1, square(equipment=["hand weapon", "great weapon"], i=9), (24, 24), models=10, files=5, rounds=1)
    a = scene.beside(b, 0, square(rules=["Hatred"]), side=FRONT, models=5, files=5, rounds=1)
    c = scene.beside(b, 0, square(rules=["Hatred"]), side=REAR, models=5, files=5, charging=1)
    # B at 7: 5 at A and 5 at C all hit, none wounds; C at 4: five misses, re-rolled; A at 3: five misses
    dice = ([6] * 5 + [1] * 5) * 2 + [1] * 5 + [2] * 5 + [3] * 5
    battle = fought(scene, b, dice)
    found = {(e["unit"], e["target"]): e["rolls"] for e in told(battle, HIT)}
    assert found[c.row, b.row] == (2,) * 5 and found[a.row, b.row] == (3,) * 5
    assert dice_left(battle) == 0
    assert strengths(battle, b) == {3}  # Strength 4 against Toughness 3, at both
    assert {e["target"] for e in told(battle, WOUND) if e["unit"] == b.row} == {a.row, c.row}
