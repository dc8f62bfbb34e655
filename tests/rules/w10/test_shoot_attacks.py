"""Making ranged attacks: their number, the order of targets and profiles, attacks at what is out of sight by now."""

from __future__ import annotations

import pytest

from wh_env.rulesets.w40k.codes import Effect
from wh_env.testing import Scene, choose, dice_left, melee, pick, ranged, sheet, slots, told, words

GUN = ranged(24, BS=3)


def gunners(name="Guns", weapon=GUN, **fields):
    """A unit with one gun each."""
    return sheet(name, weapons={"gun": weapon}, **fields)


def hit_targets(battle):
    """The target of each hit roll so far."""
    return [e["target"] for e in told(battle, "w10.attack.hit.roll")]


@pytest.mark.rule("w10.shoot.attacks.number")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_as_many_hit_rolls_as_the_attacks_of_the_weapons(detail):
    scene = Scene()
    scene.unit(0, gunners(weapon=ranged(24, A=2)), at=(5, 5), models=5)
    scene.unit(1, sheet("X"), at=(10, 15))
    battle = scene.battle("shooting", detail=detail, dice=10 * [1])
    pick(battle, "Guns")
    while battle.decision is not None and battle.decision.kind == "weapon-target":
        pick(battle, "at X")
    hits = told(battle, "w10.attack.hit.roll")
    assert [e["attacker"] for e in hits] == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.shoot.attacks.number")
def test_a_random_number_of_attacks_is_rolled_for_each_weapon():
    scene = Scene()
    scene.unit(0, gunners(weapon=ranged(24, A="D3+1")), at=(5, 5), models=2)
    scene.unit(1, sheet("X"), at=(10, 15))
    battle = scene.battle("shooting", dice=[1, 6] + 6 * [1])  # D3: 1 and 3
    pick(battle, "Guns")
    assert [e["attacker"] for e in told(battle, "w10.attack.hit.roll")] == 2 * [0] + 4 * [1]
    assert dice_left(battle) == 0


def five_at_two():
    """3 shots declared at X, 2 at Y; the waiting decision is the order of the targets."""
    scene = Scene()
    scene.unit(0, gunners(), at=(5, 5), models=5)
    x = scene.unit(1, sheet("X"), at=(10, 15))
    y = scene.unit(1, sheet("Y"), at=(20, 15))
    battle = scene.battle("shooting", detail="full", dice=5 * [1])
    pick(battle, "Guns")
    # declared in turn, so that the order of declaration is not the order of the targets
    for name in ("X", "Y", "X", "Y", "X"):
        pick(battle, f"at {name}", kind="weapon-target")
    return battle, x, y


@pytest.mark.rule("w10.shoot.attacks.target-order")
def test_all_attacks_at_one_target_come_before_the_next():
    battle, x, y = five_at_two()
    assert sorted(words(battle).values()) == ["X", "Y"]
    pick(battle, "X", kind="target-order")
    assert hit_targets(battle) == [x, x, x, y, y]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.shoot.attacks.target-order")
def test_the_player_may_start_with_the_other_target():
    battle, x, y = five_at_two()
    pick(battle, "Y", kind="target-order")
    assert hit_targets(battle) == [y, y, x, x, x]
    assert dice_left(battle) == 0


BOLTERS = {"bolter": ranged(24, BS=3), "missile": ranged(48, BS=3, S=8, AP=-2, D="D6")}


def bolters_and_missile(first, **weapons):
    """The profiles of the attacks in the order in which they were made, after choosing ``first``."""
    data = sheet("Squad", weapons={**BOLTERS, **weapons})
    kind = data["models"][0]
    data["models"] = [
        {**kind, "name": "Front", "min": 2, "max": 2, "weapons": ["bolter"]},
        {**kind, "name": "Heavy", "min": 1, "max": 1, "weapons": ["missile"]},
        {**kind, "name": "Back", "min": 2, "max": 2, "weapons": ["bolter"]},
    ]
    data["points"] = [{"models": 5, "points": 100}]
    scene = Scene()
    scene.unit(0, data, at=(5, 5), models=5)
    scene.unit(1, sheet("X"), at=(10, 15))
    battle = scene.battle("shooting", detail="full", dice=5 * [1])
    pick(battle, "Squad")
    while battle.decision is not None and battle.decision.kind == "weapon-target":
        pick(battle, "at X")
    pick(battle, f"resolve {first}", kind="profile-order")
    assert battle.decision is None or battle.decision.kind not in ("profile-order", "target-order")
    assert dice_left(battle) == 0
    return [e["attacker"] for e in told(battle, "w10.attack.hit.roll")]


@pytest.mark.rule("w10.shoot.attacks.profile-order")
def test_all_attacks_of_one_profile_come_before_the_next():
    assert bolters_and_missile("bolter") == [0, 1, 3, 4, 2]
    assert bolters_and_missile("missile") == [2, 0, 1, 3, 4]


@pytest.mark.rule("w10.shoot.attacks.profile-order")
def test_a_profile_once_begun_is_finished_even_where_its_attacks_differ():
    """Rapid Fire weapons within and beyond half range are rolled apart, but the missile cannot come between them."""
    data = sheet("Squad", weapons={"bolter": ranged(24, BS=3, abilities=["Rapid Fire 1"]), "missile": ranged(48, BS=3)})
    kind = data["models"][0]
    data["models"] = [
        {**kind, "name": "Front", "min": 2, "max": 2, "weapons": ["bolter"]},
        {**kind, "name": "Heavy", "min": 1, "max": 1, "weapons": ["missile"]},
    ]
    data["points"] = [{"models": 3, "points": 100}]
    scene = Scene()
    scene.unit(0, data, at=[(5, 5), (5, 8), (5, 11)])
    scene.unit(1, sheet("X"), at=(5, 18.5))  # 12.5", 9.5" and 6.5" away
    battle = scene.battle("shooting", detail="full", dice=4 * [1])
    pick(battle, "Squad")
    while battle.decision.kind == "weapon-target":
        pick(battle, "at X")
    assert sorted(words(battle).values()) == ["resolve bolter", "resolve bolter", "resolve missile"]
    choose(battle, "number", 0)
    # the other bolter must follow: nothing is asked
    assert [e["attacker"] for e in told(battle, "w10.attack.hit.roll")] == [0, 1, 1, 2]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.shoot.attacks.still-made")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_attacks_are_made_although_the_only_visible_model_is_gone(detail):
    weapons = {"first": ranged(24, BS=2, S=8), "second": ranged(24, BS=2, S=9)}
    scene = Scene()
    scene.unit(0, sheet("Gunner", weapons=weapons), at=(5, 20))
    scene.box(12, 4, 13, 18.8, 8)
    target = scene.unit(1, sheet("X", Sv=6), at=[(20, 18.5), (20, 16.5), (20, 15), (20, 13.5), (20, 12)])
    battle = scene.battle("shooting", detail=detail, dice=[2, 2, 1, 2, 2, 1])
    pick(battle, "Gunner")
    while battle.decision is not None and battle.decision.kind == "weapon-target":
        pick(battle, "at X")
    if detail == "full":
        pick(battle, "resolve first", kind="profile-order")
        choose(battle, "model", 0)  # the owner allocates it to the visible model
        assert battle.models.alive[target.model(0)] == 0
        assert battle.decision.kind == "allocate"
        assert slots(battle, "model") == [0, 1, 2, 3]  # the four hidden ones
        choose(battle, "model", 2)
        assert battle.models.alive[target.model(3)] == 0
    assert battle.units.alive[target] == 3
    assert dice_left(battle) == 0
    # the hidden models were no target on their own
    scene = Scene()
    scene.unit(0, sheet("Gunner", weapons=weapons), at=(5, 20))
    scene.box(12, 4, 13, 18.8, 8)
    scene.unit(1, sheet("X", Sv=6), at=[(20, 18.5), (20, 16.5), (20, 15), (20, 13.5), (20, 12)], lost=[0])
    battle = scene.battle("shooting")
    assert battle.decision is None or battle.decision.kind != "select-to-shoot"


@pytest.mark.rule("w10.attack.target-destroyed")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_attacks_at_a_destroyed_target_are_lost_the_others_are_made(detail):
    weapons = {
        "cannon": ranged(24, A=10, BS=2, S=8),
        "rifle": ranged(24, A=3, BS=2, S=8),
        "blaster": ranged(24, A=2, BS=2, S=5),
        "gun": ranged(12, BS=2),
    }
    data = sheet("Walker", weapons=weapons)
    scene = Scene()
    scene.unit(0, data, at=(5, 5))
    x = scene.unit(1, sheet("X", Sv=6), at=(5, 20), models=2)
    y = scene.unit(1, sheet("Y"), at=(12, 5))
    # ten hits, ten wounds, two failed saves; then nothing of the other two, and the gun misses Y
    battle = scene.battle("shooting", detail=detail, dice=10 * [2] + 10 * [2] + [1, 1] + [1])
    pick(battle, "Walker")
    if detail == "squad":
        pick(battle, "X")
    else:
        for name in ("X", "X", "X", "Y"):
            pick(battle, f"at {name}", kind="weapon-target")
        pick(battle, "X", kind="target-order")
        pick(battle, "resolve cannon", kind="profile-order")
        choose(battle, "model", 0)
    assert hit_targets(battle) == 10 * [x] + [y]
    assert len(told(battle, "w10.attack.save.roll")) == 2
    assert battle.units.alive[x] == 0
    assert battle.units.alive[y] == 1
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.shoot.stealth")
@pytest.mark.parametrize(("stealthy", "needed"), [((True, True), 4), ((True, False), 3), ((False, False), 3)])
def test_stealth_counts_where_every_model_has_it(stealthy, needed):
    ability = {"stealth": True}
    scene = Scene()
    scene.unit(0, gunners(), at=(5, 5))
    guards = scene.unit(1, sheet("Guards", abilities=ability if stealthy[0] else {}), at=(5, 15), models=2)
    leader = sheet(
        "Captain",
        keywords=("INFANTRY", "CHARACTER"),
        abilities={"leader": ["Guards"], **(ability if stealthy[1] else {})},
    )
    scene.unit(1, leader, at=(10, 15), leads=guards)
    battle = scene.battle("shooting", dice=[needed - 1])
    pick(battle, "Guns")
    (roll,) = told(battle, "w10.attack.hit.roll")
    assert (roll["needed"], roll["result"]) == (needed, 0)
    battle = scene.battle("shooting", dice=[needed, 1])
    pick(battle, "Guns")
    assert told(battle, "w10.attack.hit.roll")[0]["result"] == 1
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.shoot.stealth")
def test_stealth_does_not_bear_on_melee():
    scene = Scene()
    scene.unit(0, sheet("Brawlers", weapons={"fist": melee(WS=3)}), at=(5, 5))
    scene.unit(1, sheet("Ghosts", abilities={"stealth": True}), at=(6.5, 5))
    battle = scene.battle("fight", dice=[3, 1])
    while not told(battle, "w10.attack.hit.roll"):
        battle.apply(battle.decision.options[0])
    assert told(battle, "w10.attack.hit.roll")[0]["needed"] == 3


def test_effects_until_the_end_of_the_phase_reach_the_attacks():
    """Bits of ``units.cover``: Stealth and the Benefit of Cover given by a rule, to the unit that has them and to no other."""

    def volley(effect, ap=-1):
        scene = Scene()
        scene.unit(0, gunners(weapon=ranged(24, BS=3, S=8, AP=ap)), at=(5, 5))
        scene.unit(1, sheet("X", Sv=4), at=(5, 15), cover=effect)
        battle = scene.battle("shooting", dice=[6, 6, 6])
        pick(battle, "Guns")
        (hit,), (save,) = told(battle, "w10.attack.hit.roll"), told(battle, "w10.attack.save.roll")
        assert dice_left(battle) == 0
        return hit["needed"], save["needed"]

    assert volley(0) == (3, 5)
    assert volley(Effect.BENEFIT_OF_COVER) == (3, 4)
    assert volley(Effect.STEALTH) == (4, 5)
    assert volley(Effect.BENEFIT_OF_COVER | Effect.STEALTH) == (4, 4)
