"""Fight phase: how many attacks, with what, at whom, and how they are resolved (w8.fight.attacks, .split-targets, .weapon*, ...)."""

from __future__ import annotations

from typing import Any

import pytest
from eighth import EighthScene

from wh_env.content.battle import Battle
from wh_env.rulesets.w8.codes import Phase
from wh_env.testing import choose, dice_left, kind, melee, pick, sheet, slots, told, words


def hits(battle: Battle, *attackers: int) -> list[tuple[int, str]]:
    """Hit rolls of these models (none given: of all), in order: the die, the name of the unit targeted."""
    names = battle.setup.names["units"]
    return [
        (event["die"], names[event["target"]])
        for event in told(battle, "w8.attack.hit")
        if not attackers or event["attacker"] in attackers
    ]


def to_targets(battle: Battle, unit: str = "Unit") -> None:
    """Up to the choice of weapons or targets of the unit, nobody moves."""
    while kind(battle) in ("select-to-fight", "pile-in"):
        pick(battle, "do not pile in") if kind(battle) == "pile-in" else pick(battle, unit)


def cornered(
    player: int, weapons: dict[str, Any], *, dice: list[int], detail: str = "full", wounds: int = 9, **fields: Any
) -> tuple[Battle, Any]:
    """A model with these weapons within 1" of X and Y; Z is 1.2" away."""
    scene = EighthScene()
    unit = scene.unit(player, sheet("Unit", W=9, weapons=weapons, **fields), at=(10, 10), models=1, name="Unit")
    for name, x, y in (("X", 10, 11.5), ("Y", 11.4, 10), ("Z", 10, 7.8)):
        scene.unit(1 - player, sheet(name, W=wounds), at=(x, y), models=1, name=name)
    battle = scene.battle("fight", active=player, detail=detail, dice=dice)
    to_targets(battle)
    return battle, unit


def finish(battle: Battle) -> None:
    """Play until no scripted die is left."""
    for _ in range(100):
        if not dice_left(battle):
            return
        battle.apply(battle.first_legal())


# ---------------------------------------------------------------- how many, at whom


@pytest.mark.rule("w8.fight.split-targets", "w8.fight.attacks")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("split", ["XXX", "XXY", "XYY", "YYY"])
def test_a_model_splits_its_attacks_among_units(player: int, split: str) -> None:
    """A 3 within 1" of X and Y: 3/0, 2/1, 1/2 and 0/3, declared before any die is rolled; three dice are."""
    battle, unit = cornered(player, {"blade": melee(A=3, WS=2)}, dice=[1, 1, 1])
    for target in split:
        assert kind(battle) == "attack-target"
        assert (dice_left(battle), set(words(battle).values())) == (3, {"X", "Y"})
        assert (slots(battle, "done"), slots(battle, "option")) == ([], [])
        pick(battle, target)
    finish(battle)
    assert sorted(target for _, target in hits(battle, unit.first)) == sorted(split)
    assert kind(battle) != "attack-target"


@pytest.mark.rule("w8.fight.split-targets")
@pytest.mark.parametrize("player", [0, 1])
def test_each_model_may_target_another_unit(player: int) -> None:
    """Two models between X and Y: one attacks X, the other Y."""
    scene = EighthScene()
    blade = {"blade": melee(A=1, WS=2)}
    unit = scene.unit(player, sheet("Unit", W=9, weapons=blade), at=[(10, 10), (11.2, 10)], name="Unit")
    for name, y in (("X", 11.4), ("Y", 8.6)):
        scene.unit(1 - player, sheet(name, W=9), at=(10.6, y), models=1, name=name)
    battle = scene.battle("fight", active=player, detail="full", dice=[1, 1])
    to_targets(battle)
    pick(battle, "X", kind="attack-target")
    pick(battle, "Y", kind="attack-target")
    finish(battle)
    assert hits(battle, unit.model(0)) == [(1, "X")]
    assert hits(battle, unit.model(1)) == [(1, "Y")]


@pytest.mark.rule("w8.fight.all-attacks", "w8.fight.attacks")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_who_reaches_makes_all_its_attacks_and_nobody_else(player: int, detail: str) -> None:
    """Three models with A 2, of which two reach the enemy: four attacks."""
    scene = EighthScene()
    blade = {"blade": melee(A=2, WS=6, S=1)}
    unit = scene.unit(player, sheet("Unit", W=9, weapons=blade), at=[(10, 10), (11.2, 10), (13.4, 10)], name="Unit")
    scene.unit(1 - player, sheet("X", W=9), at=(10.6, 11.4), models=1, name="X")
    battle = scene.battle("fight", active=player, detail=detail, dice=[1] * 5)
    to_targets(battle)
    while kind(battle) in ("fight-target", "attack-target"):
        battle.apply(battle.first_legal())
    assert dice_left(battle) == 1
    assert [e["attacker"] for e in told(battle, "w8.attack.hit")] == [unit.model(k) for k in (0, 0, 1, 1)]


@pytest.mark.rule("w8.fight.declare-first", "w8.fight.target-by-target")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("first", ["X", "Y"])
def test_attacks_are_declared_first_and_resolved_target_by_target(player: int, first: str) -> None:
    """2 attacks at X and 1 at Y: every roll against the one chosen first comes before those against the other; if the first attack
    slays X the second at it is lost."""
    blade = {"blade": melee(A=3, WS=2, S=8, AP=-6)}
    dice = [2, 2, 1] if first == "Y" else []
    battle, unit = cornered(player, blade, dice=[*dice, 2, 2, 2, 2, 1, 1], wounds=1)
    for target in ("X", "Y", "X"):
        pick(battle, target, kind="attack-target")
    assert kind(battle) == "target-order"
    pick(battle, first)
    targets = [name for _, name in hits(battle, unit.first)]
    assert targets in (["X", "Y"], ["X", "X", "Y"], ["Y", "X"], ["Y", "X", "X"])
    assert targets[0] == first
    names = battle.setup.names["units"]
    alive = {names[u] for u in range(len(names)) if battle.units.alive[u]}
    assert "X" not in alive
    assert targets.count("Y") == 1


@pytest.mark.rule("w8.fight.simultaneous-snapshot")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_attacks_declared_are_made_though_the_model_in_reach_is_slain(player: int, detail: str) -> None:
    """Two attackers reach one front model only; the first wound slays it; the other attack is resolved against those behind."""
    scene = EighthScene()
    axe = {"axe": melee(A=1, WS=2, S=8, AP=-6)}
    scene.unit(player, sheet("Unit", W=9, weapons=axe), at=[(9.4, 10), (10.6, 10)], name="Unit")
    foes = scene.unit(1 - player, sheet("Foes"), at=[(10, 13.4), (10, 14.6), (10, 11.5)], name="Foes")
    battle = scene.battle("fight", active=player, detail=detail, dice=[2, 2, 2, 2, 1, 1])
    to_targets(battle)
    while dice_left(battle):
        choose(battle, "model", slots(battle, "model")[-1]) if kind(battle) == "allocate" else battle.apply(
            battle.first_legal()
        )
    assert battle.units.alive[foes] == 1
    assert not battle.models.alive[foes.model(2)]


@pytest.mark.rule("w8.fight.slain-do-not-fight")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_who_is_slain_before_it_fights_makes_no_attack(player: int, detail: str) -> None:
    """Two models, one slain by the charging unit: one attacks."""
    scene = EighthScene()
    killers = sheet("Killers", W=9, weapons={"axe": melee(A=1, WS=2, S=8, AP=-6)})
    unit = scene.unit(player, killers, at=(10, 10), models=1, name="Killers", charged=1)
    enemy = sheet("Foes", weapons={"blade": melee(A=1, WS=6, S=1)})
    foes = scene.unit(1 - player, enemy, at=[(10, 11.2), (11.1, 10.6)], name="Foes")

    def charge(battle: Battle) -> None:
        battle.charges[unit, foes] = 1

    battle = scene.battle("fight", active=player, detail=detail, dice=[2, 2, 1, 1, 1], set_state=charge)
    while not told(battle, "w8.round.next-turn"):
        if kind(battle) == "pile-in":
            pick(battle, "do not pile in")
        else:
            battle.apply(battle.first_legal())
    assert battle.units.alive[foes] == 1
    assert len([e for e in told(battle, "w8.attack.hit") if e["attacker"] != unit.first]) == 1


# ---------------------------------------------------------------- weapons

# told apart by the die that hits
ARMS = {"plague sword": melee(A=2, WS=3, S=4), "power fist": melee(A=2, WS=4, S=8, AP=-3)}
BY_SKILL = {3: "plague sword", 4: "power fist"}


def declared(battle: Battle) -> list[tuple[str, str, int]]:
    """Weapon, target and number of the attacks declared."""
    names, jobs = battle.setup.names, battle.jobs
    return sorted(
        (names["weapons"][jobs.weapon[row]], names["units"][jobs.target[row]], attacks)
        for row, attacks in enumerate(jobs.attacks)
        if attacks > 0
    )


@pytest.mark.rule("w8.fight.weapon.choose")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    "chosen", [("plague sword", "power fist"), ("plague sword", "plague sword"), ("power fist", "power fist")]
)
def test_attacks_are_split_among_weapons_before_dice_are_rolled(player: int, chosen: tuple[str, str]) -> None:
    """A 2 with two melee weapons: one attack with each, or both with either; two hit rolls in all."""
    scene = EighthScene()
    unit = scene.unit(player, sheet("Unit", W=9, weapons=ARMS), at=(10, 10), models=1, name="Unit")
    scene.unit(1 - player, sheet("X", W=9), at=(10, 11.4), models=1, name="X")
    battle = scene.battle("fight", active=player, detail="full", dice=[1, 1])
    to_targets(battle)
    for weapon in chosen:
        assert (kind(battle), dice_left(battle)) == ("melee-weapon", 2)
        assert len(words(battle)) == 2
        pick(battle, weapon)
    finish(battle)
    made = [BY_SKILL[e["needed"]] for e in told(battle, "w8.attack.hit") if e["attacker"] == unit.first]
    assert sorted(made) == sorted(chosen)


@pytest.mark.rule("w8.fight.weapon.choose", "w8.fight.split-targets")
def test_weapons_and_targets_are_combined() -> None:
    """A 3: the sword at X, the fist at Y and the sword at Y."""
    arms = {name: {**weapon, "A": 3} for name, weapon in ARMS.items()}
    battle, unit = cornered(0, arms, dice=[1, 1, 1])
    wanted = (("plague sword", "X"), ("power fist", "Y"), ("plague sword", "Y"))
    for number, (weapon, target) in enumerate(wanted):
        pick(battle, weapon, kind="melee-weapon")
        assert dice_left(battle) == 3
        if number == len(wanted) - 1:
            assert declared(battle) == [("plague sword", "X", 1), ("power fist", "Y", 1)]
        pick(battle, target, kind="attack-target")
    finish(battle)
    names = battle.setup.names["units"]
    made = [
        (BY_SKILL[e["needed"]], names[e["target"]])
        for e in told(battle, "w8.attack.hit")
        if e["attacker"] == unit.first
    ]
    assert sorted(made) == sorted(wanted)


@pytest.mark.rule("w8.fight.weapon")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_strength_armour_and_damage_are_those_of_the_weapon(player: int, detail: str) -> None:
    """S 8 wounds T 4 on 2+, AP -3 makes a save of 3+ fail with a 5, damage 2; the gun that it carries too makes no attack."""
    scene = EighthScene()
    arms = {"power fist": melee(A=1, WS=3, S=8, AP=-3, D=2)}
    scene.unit(player, sheet("Unit", W=9, weapons=arms), at=(10, 10), models=1, name="Unit")
    foe = scene.unit(1 - player, sheet("X", W=9, T=4, Sv=3), at=(10, 11.4), models=1, name="X")
    battle = scene.battle("fight", active=player, detail=detail, dice=[3, 2, 5])
    to_targets(battle)
    finish(battle)
    assert battle.models.wounds[foe.first] == 7


@pytest.mark.rule("w8.fight.resolve")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("dice", "lost"), [([3, 5, 4, 4, 1, 1], 2), ([2, 5, 4, 1], 1), ([2, 2], 0)])
def test_the_weapon_skill_is_used(player: int, detail: str, dice: list[int], lost: int) -> None:
    """WS 3+ (and BS 5+): 3 and 5 hit, a 2 misses; then wound, save and damage as for shots."""
    scene = EighthScene()
    arms = {
        "plague knife": melee(A=1, WS=3, S=4),
        "gun": {"range": 12, "A": 1, "skill": 5, "S": 4, "AP": 0, "D": 1, "abilities": []},
    }
    scene.unit(player, sheet("Unit", W=9, weapons=arms), at=[(10, 10), (11.2, 10)], name="Unit")
    foe = scene.unit(1 - player, sheet("X", W=9, T=4, Sv=3), at=(10.6, 11.4), models=1, name="X")
    battle = scene.battle("fight", active=player, detail=detail, dice=dice)
    to_targets(battle)
    finish(battle)
    assert battle.models.wounds[foe.first] == 9 - lost
    assert battle.clock.phase[0] >= Phase.FIGHT
