"""Fight phase: pile in, who fights whom with what, consolidate (w9.fight.*)."""

from __future__ import annotations

from math import hypot
from typing import Any

import pytest
from ninth import NinthScene

from wh_env.content.battle import Battle
from wh_env.core.geometry.paths import Fault
from wh_env.rulesets.w9.codes import Phase
from wh_env.rulesets.w40k.fight.close_moves import NOWHERE, consolidation
from wh_env.rulesets.w40k.fight.weapons import reachable
from wh_env.rulesets.w40k.shoot.declare import melee_targets
from wh_env.testing import apart, dice_left, kind, melee, pick, place, sheet, slots, told, words
from wh_env.testing.melee_moves import check_consolidation, check_pile_in_move

TOUCH = 1.005
KILLER = {"axe": melee(A=1, WS=2, S=8, AP=-6)}
QUIET = {"cp_each_command_phase": 0}


def waiting(scene: Any, **more: Any) -> Battle:
    """The battle before the Fight phase, to judge explicit moves."""
    battle: Battle = scene.battle("fight", run=False, rules=QUIET, **more)
    return battle


def duel(away: float, *, player: int = 0, models: int = 1, **more: Any) -> tuple[Battle, int]:
    """A unit that charged and an enemy so far before its first model, another one far away."""
    scene = NinthScene()
    unit = scene.unit(player, sheet("Unit"), at=[(10, 10 - 1.5 * k) for k in range(models)], name="Unit", charged=1)
    enemy = scene.unit(1 - player, sheet("Enemy", W=9), at=(10, 11 + away), models=1, name="Enemy")
    scene.unit(1 - player, sheet("Far"), at=(50, 40), models=1, name="Far")

    def charge(battle: Battle) -> None:
        battle.charges[unit, enemy] = 1

    return waiting(scene, set_state=charge, **more), unit.row


# ---------------------------------------------------------------- the sequence


@pytest.mark.rule("w9.fight.sequence", "w9.fight.consolidate")
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("player", [0, 1])
def test_a_unit_piles_in_attacks_and_consolidates(player: int, detail: str) -> None:
    """3" to its only opponent, which its attack destroys; another one is 3.5" away then: it consolidates to 0.5" from it."""
    scene = NinthScene()
    unit = scene.unit(player, sheet("Unit", weapons=KILLER), at=(10, 10), models=1, name="Unit", charged=1)
    enemy = scene.unit(1 - player, sheet("Enemy"), at=(10, 14), models=1, name="Enemy")
    other = scene.unit(1 - player, sheet("Other", W=9), at=(14.5, 13), models=1, name="Other")

    def charge(battle: Battle) -> None:
        battle.charges[unit, enemy] = 1

    battle = scene.battle("fight", active=player, dice=[6, 6, 1], detail=detail, set_state=charge, rules=QUIET)
    pick(battle, "pile in")
    if detail == "full":
        pick(battle, "leave the move to the engine")
        while kind(battle) not in ("consolidate", None):
            battle.apply(battle.first_legal())
    assert place(battle, unit.first) == (10.0, pytest.approx(12.998))
    assert not battle.units.alive[enemy]
    assert kind(battle) == "consolidate"
    before = apart(battle, unit.first, other.first)
    pick(battle, "consolidate")
    if detail == "full":
        pick(battle, "leave the move to the engine")
    assert apart(battle, unit.first, other.first) == pytest.approx(before - 3.0, abs=0.01)
    kinds = [e.kind for e in battle.events if e.rule in ("w9.fight.pile-in", "w9.fight.consolidate")]
    assert len(kinds) == 2


# ---------------------------------------------------------------- pile in, consolidate


@pytest.mark.rule("w9.fight.pile-in")
@pytest.mark.parametrize("player", [0, 1])
def test_a_pile_in_ends_closer_to_the_closest_enemy(player: int) -> None:
    """2.0" from the closest enemy model: 1.5" from it after 3" sideways is legal, 2.0" from it is not; contact is not asked for."""
    battle, unit = duel(2.0, player=player)
    # 1.5" from a base of 1" at (10, 13) with one of 1": 2.5" between the centres, and 3" from (10, 10)
    aside = (10 + hypot(3.0, 0) * 0.8, 10 + 3.0 * 0.6)
    assert hypot(aside[0] - 10, aside[1] - 13) > 2.5
    for end, fault in (
        ((11.5, 11.0), Fault.LEGAL),  # 1.5" between bases
        ((10.0, 10.5), Fault.LEGAL),  # 1.5", although contact can be reached and it ends unengaged
        ((10.0, 12.0 - 0.002), Fault.LEGAL),
        ((12.0, 10.76), Fault.NOT_CLOSER),  # as far as it was
        ((10.0, 9.5), Fault.NOT_CLOSER),
    ):
        assert check_pile_in_move(battle.clone(), unit, {0: [end]}) == fault, end
    for end, fault in (((10.0, 13.05), Fault.TOO_FAR), ((10.0, 12.99), Fault.LEGAL)):
        battle, unit = duel(3.5, player=player)
        assert check_pile_in_move(battle, unit, {0: [end]}) == fault, end


@pytest.mark.rule("w9.fight.pile-in")
def test_any_enemy_unit_may_be_engaged_and_coherency_is_kept() -> None:
    """Beside the enemy that was charged stands another: both may be engaged. A model that leaves the other behind may not."""
    scene = NinthScene()
    unit = scene.unit(0, sheet("Unit"), at=[(10, 10), (10, 7.5)], charged=1)
    scene.unit(1, sheet("Enemy", W=9), at=(10, 12.5), models=1)
    scene.unit(1, sheet("Other", W=9), at=(11.2, 12.8), models=1)
    battle = waiting(scene)
    assert check_pile_in_move(battle.clone(), unit, {0: [(10, 11.4)]}) == Fault.NOT_COHERENT
    assert check_pile_in_move(battle.clone(), unit, {0: [(10, 11.4)], 1: [(10, 9.0)]}) == Fault.LEGAL


@pytest.mark.rule("w9.fight.pile-in")
def test_who_touches_the_closest_enemy_does_not_move() -> None:
    scene = NinthScene()
    unit = scene.unit(0, sheet("Unit"), at=(10, 10), models=1)
    scene.unit(1, sheet("Enemy", W=9), at=(10, 11), models=1)
    battle = waiting(scene)
    assert check_pile_in_move(battle, unit, {0: [(10.5, 10)]}) == Fault.IN_CONTACT


@pytest.mark.rule("w9.charge.made", "w9.fight.eligible")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_unit_whose_target_is_gone_fights_all_the_same(player: int, detail: str) -> None:
    """It charged, the only enemy left is 5" away: it piles in 3", makes no attack, consolidates 3"."""
    scene = NinthScene()
    unit = scene.unit(player, sheet("Unit", weapons=KILLER), at=(10, 10), models=1, name="Unit", charged=1)
    scene.unit(1 - player, sheet("Enemy", W=9), at=(10, 16), models=1, name="Enemy")
    battle = scene.battle("fight", active=player, detail=detail, rules=QUIET)
    assert [e["unit"] for e in told(battle, "w9.fight.order")] == [unit.row]
    y = []
    for words_ in ("pile in", "consolidate"):
        pick(battle, words_)
        if detail == "full":
            pick(battle, "leave the move to the engine")
        y.append(battle.models.y[unit.first])
    assert y[0] == pytest.approx(13.0, abs=0.01)
    assert y[1] == pytest.approx(14.998, abs=0.01)  # in contact now
    assert told(battle, "w9.fight.targets") == [{"unit": unit.row}]


@pytest.mark.rule("w9.fight.consolidate")
@pytest.mark.parametrize("player", [0, 1])
def test_a_consolidation_ends_closer_to_the_closest_enemy(player: int) -> None:
    """The closest enemy model is 3.5" away: 0.5" from it is legal, also short of it, never farther away; no marker matters."""
    battle, unit = duel(3.5, player=player)
    for end, fault in (
        ((10, 13.0), Fault.LEGAL),
        ((10, 10.3), Fault.LEGAL),
        ((10, 9.7), Fault.NOT_CLOSER),
        ((10, 13.1), Fault.TOO_FAR),
    ):
        assert check_consolidation(battle.clone(), unit, {0: [end]}) == fault, end


@pytest.mark.rule("w9.fight.consolidate")
def test_nobody_consolidates_towards_a_marker() -> None:
    """Two models torn apart, which only a marker between them would bring together: they stay where they are."""
    scene = NinthScene()
    scene.unit(0, sheet("Unit", W=9), at=[(10, 10), (16, 10)], name="Unit", charged=1)
    scene.unit(1, sheet("Enemy", W=9), at=(13, 40), models=1, name="Enemy")
    scene.marker(13, 10)
    assert consolidation(waiting(scene), 0) == NOWHERE


# ---------------------------------------------------------------- who fights whom


def fighters(battle: Battle, unit: int) -> list[int]:
    """Models of the unit, by their number, that may attack somebody."""
    return [n for n, model in enumerate(battle.members(unit)) if reachable(battle, model)]


@pytest.mark.rule("w9.fight.which-models")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("first", "gaps", "fight"),
    [
        (0.5, (0.5, 0.5), [0, 1]),
        (0.5, (0.6, 0.5), [0]),  # the second one is too far from the first
        (0.6, (0.5, 0.5), [0]),  # the first one is within 1", but not within 1/2"
        (0.0, (0.0, 0.0), [0, 1]),  # three bases in contact: two ranks
        (1.1, (0.0, 0.0), []),
    ],
)
def test_within_engagement_range_or_half_an_inch_behind(
    player: int, first: float, gaps: tuple[float, float], fight: list[int]
) -> None:
    """Models in file: the second fights within 1/2" of one that is within 1/2" of the enemy, at both details."""
    scene = NinthScene()
    y, places = 20.0, [(10.0, 20.0)]
    for gap in gaps:
        y -= 1 + gap
        places.append((10.0, y))
    unit = scene.unit(player, sheet("Unit", weapons=KILLER), at=places, name="Unit")
    enemy = scene.unit(1 - player, sheet("Enemy", W=9), at=(10.0, 21.0 + first), models=1, name="Enemy")
    battle = waiting(scene)
    assert fighters(battle, unit.row) == fight
    assert melee_targets(battle, unit.row)[0][enemy] == len(fight)


@pytest.mark.rule("w9.fight.which-models")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("gap", "fight"), [(0.5, [0, 1]), (0.6, [0])])
def test_the_third_in_a_file_makes_no_attack(player: int, detail: str, gap: float, fight: list[int]) -> None:
    """Three models in file, the first 0.5" from the enemy; without a pile-in the first and second roll, the third does not."""
    scene = NinthScene()
    blade = {"blade": melee(A=1, WS=6, S=3)}
    file = [(10.0, 20.0), (10.0, 19.0 - gap), (10.0, 18.0 - gap - 0.5)]
    unit = scene.unit(player, sheet("Unit", weapons=blade), at=file, name="Unit")
    scene.unit(1 - player, sheet("Enemy", W=9), at=(10.0, 21.5), models=1, name="Enemy")
    battle = scene.battle("fight", active=1 - player, detail=detail, dice=[1] * 3, rules=QUIET)
    while battle.clock.phase[0] == Phase.FIGHT:
        waits = kind(battle)
        if waits == "pile-in":
            pick(battle, "do not pile in")
        elif waits == "select-to-fight" and "Unit" in words(battle).values():
            pick(battle, "Unit")
        else:
            battle.apply(battle.first_legal())
    rolled = [e["attacker"] for e in told(battle, "w9.attack.hit")]
    assert [k for k in rolled if k in range(unit.first, unit.first + 3)] == [unit.model(n) for n in fight]


@pytest.mark.rule("w9.fight.attacks")
@pytest.mark.parametrize("player", [0, 1])
def test_as_many_attacks_as_all_models_have(player: int) -> None:
    """Four models of A 2 and one of A 3 that all fight: 11 hit rolls; with one of them out of reach 9."""
    for attacks in (11, 9):
        scene = NinthScene()
        men = sheet("Men", weapons={"blade": melee(A=2, WS=6, S=3)})
        men["models"][0].update(min=4, max=4)
        chief = dict(men["models"][0], name="Chief", min=1, max=1, weapons=["great blade"])
        men["models"].append(chief)
        men["weapons"]["great blade"] = melee(A=3, WS=6, S=3)
        men["points"] = [{"models": 5, "points": 100}]
        places = [(10 + 1.05 * k, 10.0) for k in (1, 2, 3, 0, 4)]
        if attacks == 9:
            places[3] = (10.0, 8.0)
        scene.unit(player, men, at=places, models=5, name="Men")
        scene.unit(1 - player, sheet("Wall", W=9), at=[(10 + 1.05 * k, 11.2) for k in range(5)], name="Wall")
        battle = scene.battle("fight", active=1 - player, dice=[1] * attacks, rules=QUIET)
        while battle.clock.phase[0] == Phase.FIGHT:
            if kind(battle) == "pile-in":
                pick(battle, "do not pile in")
            else:
                battle.apply(battle.first_legal())
        assert battle.dice.script_at[0] == attacks
        assert battle.dice.counter[0] == 0  # nothing else was rolled


@pytest.mark.rule("w9.fight.targets")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("split", ["XXXX", "XXXY", "XXYY"])
def test_attacks_are_split_before_dice_are_rolled(player: int, split: str) -> None:
    """A model of A 4 within 1" of X and Y: 4/0, 3/1, 2/2; not at Z, which is 1.2" away; no die falls before all are aimed."""
    scene = NinthScene()
    unit = scene.unit(player, sheet("Unit", weapons={"blade": melee(A=4, WS=2)}), at=(10, 10), models=1, name="Unit")
    for name, x, y in (("X", 10, 11.5), ("Y", 11.4, 10), ("Z", 10, 7.8)):
        scene.unit(1 - player, sheet(name, W=9), at=(x, y), models=1, name=name)
    battle = scene.battle("fight", active=1 - player, detail="full", dice=[1] * 4, rules=QUIET)
    while kind(battle) != "attack-target":
        if kind(battle) == "select-to-fight" and "Unit" in words(battle).values():
            pick(battle, "Unit")
        elif kind(battle) == "pile-in":
            pick(battle, "do not pile in")
        else:
            battle.apply(battle.first_legal())
    for target in split:
        assert dice_left(battle) == 4
        assert len(slots(battle, "enemy")) == 2
        assert set(words(battle).values()) == {"X", "Y"}
        pick(battle, target)
    while dice_left(battle):
        battle.apply(battle.first_legal())
    names = battle.setup.names["units"]
    hits = [names[e["target"]] for e in told(battle, "w9.attack.hit") if e["attacker"] == unit.first]
    assert sorted(hits) == sorted(split)


@pytest.mark.rule("w9.fight.targets")
def test_a_unit_behind_a_friend_can_be_targeted_within_half_an_inch() -> None:
    """The second model is 1.5" from X; the first stands between them, within 1/2" of both: X, and no other unit of the enemy."""
    scene = NinthScene()
    unit = scene.unit(0, sheet("Unit", weapons=KILLER), at=[(10, 10), (10, 8.5)], name="Unit")
    x = scene.unit(1, sheet("X", W=9), at=(10, 11.5), models=1)
    y = scene.unit(1, sheet("Y", W=9), at=(11.9, 10.0), models=1)  # 0.9" from the first model only
    battle = waiting(scene)
    assert reachable(battle, unit.model(0)) == [x, y]
    assert reachable(battle, unit.model(1)) == [x]


@pytest.mark.rule("w9.fight.targets.charged")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_who_charged_fights_those_it_charged_and_those_that_intervened(player: int, detail: str) -> None:
    """Within 1" of B1 (charged), B2 (not) and B3 (intervened): B1 and B3; one that did not charge: all of them."""
    for charged, expected in ((1, {"B1", "B3"}), (0, {"B1", "B2", "B3"})):
        scene = NinthScene()
        blade = {"blade": melee(A=4, WS=2)}
        unit = scene.unit(player, sheet("Unit", weapons=blade), at=(10, 10), models=1, name="Unit", charged=charged)
        foes = [
            scene.unit(1 - player, sheet(name, W=9), at=at, models=1, name=name)
            for name, at in (("B1", (10, 11.5)), ("B2", (11.5, 10)), ("B3", (10, 8.5)))
        ]

        def deeds(battle: Battle, unit: Any = unit, foes: Any = foes) -> None:
            battle.charges[unit, foes[0]] = 1
            battle.combat.intervened[foes[2]] = 1

        battle = scene.battle("fight", active=player, detail=detail, run=False, set_state=deeds, rules=QUIET)
        names = battle.setup.names["units"]
        assert {names[e] for e in reachable(battle, unit.first)} == expected
        assert {names[e] for e in melee_targets(battle, unit.row)[0].nonzero()[0]} == expected


@pytest.mark.rule("w9.fight.targets.charged")
def test_models_do_not_turn_to_a_unit_that_was_not_charged() -> None:
    """Squad detail: the second model reaches B2 only, which was not charged; it makes no attack."""
    for charged, dice in ((1, 1), (0, 2)):
        scene = NinthScene()
        unit = scene.unit(
            0, sheet("Unit", weapons={"blade": melee(A=1, WS=2)}), at=[(10, 10), (12, 10)], name="Unit", charged=charged
        )
        b1 = scene.unit(1, sheet("B1", W=9), at=(9.5, 11.2), models=1, name="B1")
        scene.unit(1, sheet("B2", W=9), at=(13, 11.2), models=1, name="B2")

        def deeds(battle: Battle, unit: Any = unit, b1: Any = b1) -> None:
            battle.charges[unit, b1] = 1

        battle = scene.battle("fight", active=1 - charged, dice=[1] * 3, set_state=deeds, rules=QUIET)
        while kind(battle) in ("select-to-fight", "pile-in", "fight-target") and dice_left(battle) == 3:
            if kind(battle) == "pile-in":
                pick(battle, "do not pile in")
            elif kind(battle) == "fight-target":
                pick(battle, "B1")
            else:
                pick(battle, "Unit")
        assert dice_left(battle) == 3 - dice


# ---------------------------------------------------------------- weapons, order, losses

PAIR = {"sword": melee(A=3, WS=2, S=4), "knife": melee(A=1, WS=3, S=3, abilities=["Extra Attacks"])}


@pytest.mark.rule("w9.fight.weapons")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("knife", "dice"), [(True, 4), (False, 3)])
def test_a_knife_that_gives_an_attack_makes_it_itself(player: int, knife: bool, dice: int) -> None:
    """A 3 with a sword, and a knife that makes one more attack with itself: 3 sword attacks and 1 knife attack."""
    scene = NinthScene()
    weapons = PAIR if knife else {"sword": PAIR["sword"]}
    scene.unit(player, sheet("Unit", weapons=weapons), at=(10, 10), models=1, name="Unit")
    scene.unit(1 - player, sheet("Enemy", W=9), at=(10, 11), models=1, name="Enemy")
    battle = scene.battle("fight", active=1 - player, dice=[1] * dice, rules=QUIET)
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.fight.casualties")
@pytest.mark.parametrize("player", [0, 1])
def test_who_is_slain_before_it_fights_makes_no_attack(player: int) -> None:
    """B1 has 5 models of A 2; a charging unit slays 3: B1 makes 4 attacks."""
    scene = NinthScene()
    killers = sheet("Killers", W=9, weapons={"axe": melee(A=3, WS=2, S=8, AP=-6)})
    unit = scene.unit(player, killers, at=(12, 10), models=1, name="Killers", charged=1)
    enemy = sheet("B1", weapons={"blade": melee(A=2, WS=6, S=1)})
    b1 = scene.unit(1 - player, enemy, at=[(11.2, 11.2), (12.4, 11.2), (10.9, 10), (13.1, 10), (12, 8.8)], name="B1")

    def charge(battle: Battle) -> None:
        battle.charges[unit, b1] = 1

    attacks = [2, 2, 2, 6, 6, 6, 1, 1, 1]
    battle = scene.battle("fight", active=player, dice=[*attacks, *[1] * 4], set_state=charge, rules=QUIET)
    while dice_left(battle):
        battle.apply(battle.first_legal())
    assert battle.units.alive[b1] == 2
    shots = [e for e in battle.events if e.kind == "selected to fight"]
    assert [e.data["unit"] for e in shots] == [unit.row, b1.row]


def armed(player: int, detail: str, dice: list[int]) -> Battle:
    """A model with two swords' worth of choice (a sword and an axe, A 3) and a knife that adds an attack, beside B1 and B2."""
    scene = NinthScene()
    weapons = {**PAIR, "axe": melee(A=3, WS=2, S=6)}
    scene.unit(player, sheet("Unit", weapons=weapons), at=(10, 10), models=1, name="Unit", charged=1)
    foes = [
        scene.unit(1 - player, sheet(name, W=9), at=at, models=1, name=name)
        for name, at in (("B1", (10, 11.5)), ("B2", (11.5, 10)))
    ]

    def charge(battle: Battle) -> None:
        for foe in foes:
            battle.charges[battle.setup.names["units"].index("Unit"), foe] = 1

    battle: Battle = scene.battle("fight", active=player, detail=detail, dice=dice, set_state=charge, rules=QUIET)
    if kind(battle) == "pile-in":
        pick(battle, "do not pile in")
    return battle


def declared(battle: Battle) -> list[tuple[str, str, int]]:
    """Weapon, target and number of the attacks declared."""
    names, jobs = battle.setup.names, battle.jobs
    return sorted(
        (names["weapons"][jobs.weapon[row]], names["units"][jobs.target[row]], attacks)
        for row, attacks in enumerate(jobs.attacks)
        if attacks
    )


@pytest.mark.rule("w9.fight.weapons")
@pytest.mark.parametrize("player", [0, 1])
def test_attacks_are_split_among_weapons_and_targets(player: int) -> None:
    """A 3: two with the sword at B1 and B2, one with the axe at B2; the knife makes its own one; all before a die is rolled."""
    battle = armed(player, "full", [1] * 4)
    for weapon, target in (("sword", "B1"), ("axe", "B2"), ("sword", "B2")):
        pick(battle, f"fights with {weapon}", kind="melee-weapon")
        pick(battle, target, kind="attack-target")
    pick(battle, "fights with knife", kind="extra-attacks")
    pick(battle, "B1", kind="attack-target")
    assert dice_left(battle) == 4
    wanted = [("axe", "B2", 1), ("knife", "B1", 1), ("sword", "B1", 1), ("sword", "B2", 1)]
    assert declared(battle) == wanted


@pytest.mark.rule("w9.fight.order-of-attacks")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("choices", "order"),
    [
        (("B1", "sword"), ["B1 sword", "B1 knife", "B2 sword"]),
        (("B1", "knife"), ["B1 knife", "B1 sword", "B2 sword"]),
        (("B2", "sword"), ["B2 sword", "B1 sword", "B1 knife"]),
    ],
)
def test_target_by_target_and_weapon_by_weapon(player: int, choices: tuple[str, str], order: list[str]) -> None:
    """Sword and knife at B1, sword at B2: the player orders the targets, and the weapons at each."""
    battle = armed(player, "full", [2, 1, 2, 1, 2, 1, 2, 1])
    for weapon, target in (("sword", "B1"), ("sword", "B1"), ("sword", "B2")):
        pick(battle, f"fights with {weapon}", kind="melee-weapon")
        pick(battle, target, kind="attack-target")
    pick(battle, "fights with knife", kind="extra-attacks")
    pick(battle, "B1", kind="attack-target")
    assert kind(battle) == "target-order"
    pick(battle, choices[0])
    while kind(battle) == "profile-order":
        pick(battle, choices[1])
    while battle.clock.phase[0] == Phase.FIGHT:
        battle.apply(battle.first_legal())
    names, weapon_by_skill = battle.setup.names["units"], {2: "sword", 3: "knife"}
    seen: list[str] = []
    for event in battle.events:
        if event.rule == "w9.attack.hit":
            one = f"{names[event.data['target']]} {weapon_by_skill[event.data['needed']]}"
            if one not in seen:
                seen.append(one)
    assert seen == order
