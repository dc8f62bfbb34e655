"""Fight phase: which models fight, with what, at whom, and how the attacks are resolved (w10.fight.*)."""

from collections import Counter

import pytest

from wh_env.content.battle import Battle
from wh_env.testing import Scene, choose, dice_left, melee, pick, sheet, slots, told, words

TOUCH = 1.005  # between the centres of two bases of 1 inch in contact


def hits(battle: Battle) -> Counter[str]:
    """Hit rolls made, by name of the target."""
    return Counter(battle.setup.names["units"][e["target"]] for e in told(battle, "w10.attack.hit.roll"))


def targets_in_order(battle: Battle, rule: str = "w10.attack.hit.roll") -> list[str]:
    """Names of the targets of the dice rolled, one for each run of equal ones."""
    found: list[str] = []
    for event in told(battle, rule):
        name = battle.setup.names["units"][event["target"]]
        if not found or found[-1] != name:
            found.append(name)
    return found


def skip_pile_in(battle: Battle) -> None:
    """Stand where you are."""
    if battle.decision is not None and battle.decision.kind == "pile-in":
        pick(battle, "do not pile in")


# ---------------------------------------------------------------- which models fight

# bases of 28.5 mm: 1.122"; a front model 1.065" from an enemy of 1" is in contact with it, a rear one 1.125" behind in contact
# with the front one
FRONT = [(10, 18.935), (13, 18.935), (16, 18.935)]
REAR = [(10, 17.81), (13, 17.81), (16, 17.81)]
BESIDE = [(8.2, 20), (17.8, 20)]  # 0.74" from an enemy model
FAR = [(7.07, 20), (18.93, 20)]  # touching only those beside, 1.9" from the enemy


def piled_in(datasheet: object, detail: str = "squad", dice: int = 0) -> Battle:
    """Ten models after piling in: 5 within Engagement Range, 3 behind the front ones, 2 farther away."""
    scene = Scene()
    scene.unit(0, datasheet, at=FRONT + BESIDE + REAR + FAR)  # type: ignore[arg-type]
    scene.unit(1, sheet("Enemy", W=30), at=[(10, 20), (13, 20), (16, 20)])
    battle = scene.battle(phase="fight", detail=detail, dice=[1] * dice)
    skip_pile_in(battle)
    return battle


@pytest.mark.rule("w10.fight.which-models")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_eight_of_ten_termagants_fight(detail):
    """5 within 1", 3 touching a friend that touches the enemy: 8 attacks; touching a friend that does not: none."""
    battle = piled_in("Termagants", detail, dice=8)
    assert hits(battle) == {"Enemy": 8}
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.fight.attacks.number")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_each_model_makes_as_many_attacks_as_its_weapon_has(detail):
    """8 models that can fight with a weapon of A 2: 16 hit rolls."""
    data = sheet("Ten", base_mm=28.5, height=1.1, weapons={"claws": melee(A=2)})
    battle = piled_in(data, detail, dice=16)
    assert hits(battle) == {"Enemy": 16}
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.fight.attacks.number")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_random_number_of_attacks_is_rolled(detail):
    """A D6+1 and a 3: four hit rolls."""
    scene = Scene()
    scene.unit(0, sheet("Unit", weapons={"flail": melee(A="D6+1")}), at=(10, 10))
    scene.unit(1, sheet("Enemy", W=9), at=(10, 10 + TOUCH))
    battle = scene.battle(phase="fight", detail=detail, dice=[3, 1, 1, 1, 1])
    assert hits(battle) == {"Enemy": 4}
    assert dice_left(battle) == 0


# ---------------------------------------------------------------- weapons


def duel(weapons: dict[str, object], detail: str, dice: int = 20) -> Battle:
    """One model with these weapons in contact with its only enemy."""
    scene = Scene()
    scene.unit(0, sheet("Unit", weapons=weapons), at=(10, 10))
    scene.unit(1, sheet("Enemy", W=30), at=(10, 10 + TOUCH))
    return scene.battle(phase="fight", detail=detail, dice=[1] * dice)


@pytest.mark.rule("w10.fight.weapons.one")
def test_one_melee_weapon_for_each_model():
    """Power fist (A 3) or chainsword (A 4), whichever is declared; never 7, and no die is rolled before."""
    weapons = {"power fist": melee(A=3), "chainsword": melee(A=4)}
    for weapon, attacks in (("power fist", 3), ("chainsword", 4)):
        battle = duel(weapons, "full")
        assert {text.split(" with ")[1] for text in words(battle).values()} == set(weapons)
        assert dice_left(battle) == 20
        pick(battle, weapon, kind="melee-weapon")
        assert hits(battle) == {"Enemy": attacks}
        assert dice_left(battle) == 20 - attacks
    assert hits(duel(weapons, "squad"))["Enemy"] in (3, 4)


@pytest.mark.rule("w10.fight.weapons.one")
def test_every_extra_attacks_weapon_comes_in_addition():
    """A sword (A 4) with two Extra Attacks weapons (A 2, A 3): 4, and whichever of the others the player adds."""
    extra = ["Extra Attacks"]
    weapons = {"sword": melee(A=4), "tail": melee(A=2, abilities=extra), "bite": melee(A=3, abilities=extra)}
    for tail, bite, attacks in ((True, True, 9), (True, False, 6), (False, True, 7), (False, False, 4)):
        battle = duel(weapons, "full")
        pick(battle, "tail" if tail else "no Extra Attacks weapon", kind="extra-attacks")
        pick(battle, "bite" if bite else "no Extra Attacks weapon", kind="extra-attacks")
        while battle.decision is not None and battle.decision.kind == "profile-order":
            battle.apply(battle.first_legal())
        assert hits(battle) == {"Enemy": attacks}
    assert hits(duel(weapons, "squad")) == {"Enemy": 9}


@pytest.mark.rule("w10.fight.weapons.profile")
def test_one_profile_of_a_weapon_with_several():
    """Strike (A 4) or sweep (A 8), not 12."""
    profiles = [{"name": "strike", **melee(A=4)}, {"name": "sweep", **melee(A=8)}]
    for profile, attacks in (("strike", 4), ("sweep", 8)):
        battle = duel({"blade": {"profiles": profiles}}, "full")
        assert len(words(battle)) == 2
        pick(battle, profile, kind="melee-weapon")
        assert hits(battle) == {"Enemy": attacks}
    assert hits(duel({"blade": {"profiles": profiles}}, "squad"))["Enemy"] in (4, 8)


# ---------------------------------------------------------------- targets


@pytest.mark.rule("w10.fight.targets.eligible")
def test_who_may_be_targeted_in_melee():
    """Within 1" of X and touching a friend that touches Y: X and Y. The friend is only within 1" of Z: not Z."""
    scene = Scene()
    scene.unit(0, sheet("Unit", weapons={"club": melee(A=2)}), at=[(10, 10), (10 + TOUCH, 10)])
    scene.unit(1, sheet("X", W=9), at=(10, 11.8))
    scene.unit(1, sheet("Y", W=9), at=(10 + 2 * TOUCH, 10))
    scene.unit(1, sheet("Z", W=9), at=(11.4, 8.2))
    battle = scene.battle(phase="fight", detail="full", dice=[1] * 4)
    skip_pile_in(battle)
    first = set(words(battle).values())  # the first model
    assert battle.decision.kind == "attack-target"
    assert first == {"X", "Y"}
    pick(battle, "X")
    pick(battle, "X")
    assert set(words(battle).values()) == {"Y", "Z"}  # the second: it touches a friend that does not touch X
    assert dice_left(battle) == 4


@pytest.mark.rule("w10.fight.targets.eligible")
def test_squad_detail_attacks_only_what_each_model_reaches():
    """The unit prefers Z: the model that cannot target it attacks another unit it can."""
    scene = Scene()
    scene.unit(0, sheet("Unit", weapons={"club": melee(A=2)}), at=[(10, 10), (10 + TOUCH, 10)])
    scene.unit(1, sheet("X", W=9), at=(10, 11.8))
    scene.unit(1, sheet("Z", W=9), at=(11.4, 8.2))
    battle = scene.battle(phase="fight", dice=[1] * 4)
    skip_pile_in(battle)
    pick(battle, "Z", kind="fight-target")
    assert hits(battle) == {"Z": 2, "X": 2}


def between(weapons: dict[str, object], dice: list[int], x: int = 1, y: int = 1, detail: str = "full") -> Battle:
    """One model touching both X and Y, units of so many models, some of them at a distance."""
    scene = Scene()
    scene.unit(0, sheet("Unit", weapons=weapons), at=(20, 10))
    scene.unit(1, sheet("X"), at=[(20, 10 + TOUCH), *[(20 + 1.4 * n, 13) for n in range(x - 1)]])
    scene.unit(1, sheet("Y"), at=[(20, 10 - TOUCH), *[(20 + 1.4 * n, 7) for n in range(y - 1)]])
    scene.unit(1, sheet("Elsewhere"), at=(50, 40))
    return scene.battle(phase="fight", detail=detail, dice=dice)


@pytest.mark.rule("w10.fight.targets.split")
def test_attacks_of_one_weapon_are_divided():
    """A 4 in contact with X and Y: 3 at X and 1 at Y, or any other division."""
    for at_x in range(5):
        battle = between({"sword": melee(A=4)}, [1] * 4)
        for n in range(4):
            pick(battle, "X" if n < at_x else "Y", kind="attack-target")
        if battle.decision is not None and battle.decision.kind == "target-order":
            battle.apply(battle.first_legal())
        assert hits(battle) == Counter({"X": at_x, "Y": 4 - at_x})
        assert dice_left(battle) == 0


@pytest.mark.rule("w10.fight.targets.split")
def test_models_of_a_unit_may_attack_different_units():
    """Two models, each in contact with both enemies: one attacks X and the other Y."""
    scene = Scene()
    scene.unit(0, sheet("Unit", weapons={"sword": melee(A=2)}), at=[(10, 10), (10 + TOUCH, 10)])
    scene.unit(1, sheet("X", W=9), at=(10.5, 10.87))
    scene.unit(1, sheet("Y", W=9), at=(10.5, 9.13))
    battle = scene.battle(phase="fight", detail="full", dice=[1] * 4)
    for name in ("X", "X", "Y", "Y"):
        pick(battle, name, kind="attack-target")
    battle.apply(battle.first_legal())
    assert hits(battle) == {"X": 2, "Y": 2}


@pytest.mark.rule("w10.fight.targets.all-first")
def test_attacks_at_a_destroyed_target_are_lost():
    """6 at X and 2 at Y; X falls to the third: the other 3 are lost, the 2 at Y are made."""
    weapons = {"claws": melee(A=8, WS=2, S=8, AP=-6)}
    # X: six hits, six wounds, three failed saves; Y: two misses
    battle = between(weapons, [6] * 6 + [6] * 6 + [1] * 3 + [1] * 2, x=3)
    for n in range(8):
        assert dice_left(battle) == 17  # all are declared before the first die
        pick(battle, "X" if n < 6 else "Y", kind="attack-target")
    pick(battle, "X", kind="target-order")
    while battle.decision is not None and battle.decision.kind == "allocate":
        battle.apply(battle.first_legal())
    assert battle.units.alive[1] == 0
    assert hits(battle) == {"X": 6, "Y": 2}
    assert len(told(battle, "w10.attack.save.roll")) == 3
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.fight.targets.all-first")
def test_attacks_with_another_weapon_are_not_even_rolled_at_a_destroyed_target():
    """Two profiles at X, which falls to the first: no die is rolled for the second; those at Y are made."""
    weapons = {"axe": melee(A=3, WS=2, S=8, AP=-6), "spikes": melee(A=3, WS=3, abilities=["Extra Attacks"])}
    battle = between(weapons, [6] * 3 + [6] * 3 + [1] * 1)
    for name in ("X", "X", "X"):
        pick(battle, name, kind="attack-target")
    pick(battle, "spikes", kind="extra-attacks")
    for name in ("X", "Y", "Y"):
        pick(battle, name, kind="attack-target")
    pick(battle, "X", kind="target-order")
    pick(battle, "axe", kind="profile-order")
    assert battle.units.alive[1] == 0
    assert [e["needed"] for e in told(battle, "w10.attack.hit.roll")] == [2, 2, 2, 3, 3]
    assert hits(battle) == {"X": 3, "Y": 2}


@pytest.mark.rule("w10.fight.targets.none")
def test_without_a_target_no_attacks_but_a_consolidation():
    """It charged and has no enemy within 1" after (not) piling in: 0 attacks, and it may consolidate up to 3"."""
    scene = Scene()
    unit = scene.unit(0, sheet("Unit", weapons={"club": melee(A=3)}), at=(10, 10), charged=1)
    scene.unit(1, sheet("Enemy"), at=(10, 14.9))  # 3.9" away
    battle = scene.battle(phase="fight", dice=[6])
    pick(battle, "do not pile in", kind="pile-in")
    assert told(battle, "w10.fight.targets.none") == [{"unit": unit.row}]
    assert hits(battle) == {}
    assert dice_left(battle) == 1
    pick(battle, "consolidate", kind="consolidate")
    assert battle.models.y[unit.first] == pytest.approx(13.0, abs=0.01)


# ---------------------------------------------------------------- attacks


@pytest.mark.rule("w10.fight.attacks.sequence")
def test_the_melee_attack_sequence():
    """WS 3+, S 4, AP -1, D 1 against T 4, Sv 3+: 3 hits, 4 wounds, 3 - 1 = 2 does not save: one wound lost."""
    for dice, lost in (([3, 4, 3], 1), ([3, 4, 4], 0), ([3, 3], 0), ([2], 0)):
        scene = Scene()
        scene.unit(0, sheet("Unit", weapons={"sword": melee(A=1, WS=3, S=4, AP=-1, D=1)}), at=(10, 10))
        enemy = scene.unit(1, sheet("Enemy", T=4, Sv=3, W=2), at=(10, 10 + TOUCH))
        battle = scene.battle(phase="fight", dice=dice)
        assert battle.models.wounds[enemy.first] == 2 - lost
        assert hits(battle) == {"Enemy": 1}
        assert dice_left(battle) == 0


@pytest.mark.rule("w10.fight.attacks.target-order")
@pytest.mark.parametrize("first", ["X", "Y"])
def test_one_target_after_the_other(first):
    """6 attacks at X and 2 at Y: all against the one chosen first come before any against the other."""
    battle = between({"claws": melee(A=8, WS=2, S=1)}, [6] * 8 + [1] * 8, x=2, y=2)
    for n in range(8):
        pick(battle, "X" if n % 4 < 3 else "Y", kind="attack-target")
    assert set(words(battle).values()) == {"X", "Y"}
    # fast dice: hit rolls, then wound rolls of one target, then of the other
    number = {"X": 6, "Y": 2}
    other = "Y" if first == "X" else "X"
    dice = [6] * number[first] + [1] * number[first] + [6] * number[other] + [1] * number[other]
    battle.script_array[: len(dice)] = dice
    pick(battle, first, kind="target-order")
    rolled = [
        battle.setup.names["units"][e.data["target"]]
        for e in battle.events
        if e.rule in ("w10.attack.hit.roll", "w10.attack.wound.roll")
    ]
    assert rolled == [first] * 2 * number[first] + [other] * 2 * number[other]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.fight.attacks.profile-order")
@pytest.mark.parametrize("first", ["chainsword", "power fist"])
def test_one_profile_after_the_other(first):
    """4 chainswords and a power fist at X: all of one profile, then the other, as the player chooses."""
    kinds = {"chainsword": melee(A=1, WS=3), "power fist": melee(A=1, WS=4)}
    data = sheet("Unit", weapons=kinds, models=(1, 1))
    kind = data["models"][0]
    data["models"] = [
        {**kind, "name": "Brother", "min": 2, "max": 2, "weapons": ["chainsword"]},
        {**kind, "name": "Sergeant", "min": 1, "max": 1, "weapons": ["power fist"]},
        {**kind, "name": "Veteran", "min": 2, "max": 2, "weapons": ["chainsword"]},
    ]
    data["points"] = [{"models": 5, "points": 100}]
    scene = Scene()
    scene.unit(0, data, at=[(10 + 1.01 * n, 10) for n in range(5)])
    scene.unit(1, sheet("X", W=20, base_mm=25.4 * 6), at=(12, 13.6))
    battle = scene.battle(phase="fight", detail="full", dice=[1] * 5)
    skip_pile_in(battle)
    assert set(words(battle).values()) == {"resolve chainsword", "resolve power fist"}
    pick(battle, first, kind="profile-order")
    needed = [e["needed"] for e in told(battle, "w10.attack.hit.roll")]
    assert needed == ([3, 3, 3, 3, 4] if first == "chainsword" else [4, 3, 3, 3, 3])
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.fight.attacks.still-made")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_declared_attacks_are_made_though_nobody_is_near_any_more(detail):
    """10 attacks at X; the first 3 destroy all of X within 1", the other 7 destroy models 3" away."""
    scene = Scene()
    scene.unit(0, sheet("Unit", weapons={"scythe": melee(A=10, WS=2, S=8, AP=-6)}), at=(20, 10))
    near = [(20, 10 + TOUCH), (18.995, 10), (21.005, 10)]
    far = [(14 + 1.2 * n, 13.9) for n in range(9)]
    enemy = scene.unit(1, sheet("X", W=1), at=near + far)
    battle = scene.battle(phase="fight", detail=detail, dice=[6] * 10 + [6] * 10 + [1] * 10)
    if detail == "full":
        for _ in range(3):
            assert battle.decision.kind == "allocate"
            choose(battle, "model", slots(battle, "model")[0])  # those within 1" first
        gone = [battle.models.on_table[enemy.model(n)] for n in range(12)]
        assert gone == [0] * 3 + [1] * 9
        while battle.decision is not None and battle.decision.kind == "allocate":
            battle.apply(battle.first_legal())
    assert battle.units.alive[enemy] == 2
    assert len(told(battle, "w10.attack.save.roll")) == 10
    assert dice_left(battle) == 0


# ---------------------------------------------------------------- the number of attacks that are divided


def dividing(weapon, dice, **rules) -> Battle:
    """A model between two enemies, about to say at whom its attacks go."""
    scene = Scene()
    scene.unit(0, sheet("Fighter", weapons={"fist": weapon}), at=(10, 10))
    scene.unit(1, sheet("Left"), at=(8.5, 10))
    scene.unit(1, sheet("Right"), at=(11.5, 10))
    battle = scene.battle("fight", detail="full", dice=dice, cp=(1, 0), rules=rules)
    skip_pile_in(battle)
    return battle


ONE_MORE = {"modifiers": [{"effect": "+1 Attacks", "keyword": "INFANTRY", "player": 0}]}


@pytest.mark.rule("w10.fight.attacks.number", "w10.fight.targets.split")
@pytest.mark.parametrize(("abilities", "made"), [((), 3), (("Extra Attacks",), 2)])
def test_an_attack_more_counts_where_they_are_divided_too(abilities, made):
    """A 2 and "+1 Attacks": three attacks to divide; not so for an Extra Attacks weapon."""
    battle = dividing(melee(A=2, abilities=abilities), [1] * made, **ONE_MORE)
    if abilities:
        pick(battle, "fist", kind="extra-attacks")
    for name in ("Left", "Right", "Right")[:made]:
        pick(battle, name, kind="attack-target")
    assert battle.decision is None or battle.decision.kind != "attack-target"
    while dice_left(battle):
        battle.apply(battle.decision.options[0])
    assert hits(battle) == {"Left": 1, "Right": made - 1}


@pytest.mark.rule("w10.stratagem.command-re-roll", "w10.fight.targets.split")
def test_the_number_of_divided_attacks_may_be_rolled_again():
    """A D6+1: a 1, by Command Re-roll a 3, makes four attacks."""
    rules = {"stratagems": {"command-re-roll": "ask"}}
    battle = dividing(melee(A="D6+1"), [1, 3], **rules)
    assert sorted(words(battle).values()) == ["Command Re-roll: the attacks roll of 1", "keep the attacks roll of 1"]
    pick(battle, "Command Re-roll:")
    assert battle.players.cp[0] == 0 and dice_left(battle) == 0
    asked = 0
    while battle.decision.kind == "attack-target":
        pick(battle, "Left")
        asked += 1
    assert asked == 4


@pytest.mark.rule("w10.concepts.reroll.optional", "w10.fight.targets.split")
def test_a_rule_may_let_the_number_of_divided_attacks_be_rolled_again():
    battle = dividing(melee(A="D3"), [1, 5], rerolls=[{"player": 0, "roll": "attacks"}])
    pick(battle, "re-roll the attacks roll of 1", kind="reroll")
    assert dice_left(battle) == 0
    asked = 0
    while battle.decision.kind == "attack-target":
        pick(battle, "Left")
        asked += 1
    assert asked == 3
