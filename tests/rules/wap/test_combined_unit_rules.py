"""Special rules of a unit with those who have joined it: one model that has a rule, most of its models, all of them;
heroes in regiments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from charging import FLEE, HOLD, charge
from heroes import hero, horse, rider
from results import play, scored, side, state

from wh_env import Battle
from wh_env.rulesets.wap.basics.special_rules import gain
from wh_env.rulesets.wap.battle.timing import start_phase
from wh_env.rulesets.wap.breaking.break_tests import BreakTests
from wh_env.rulesets.wap.casualties.removing import suffer
from wh_env.rulesets.wap.charge.reactions import reactions_of
from wh_env.rulesets.wap.codes import BROKEN, FRONT, HELD, Phase
from wh_env.rulesets.wap.morale.leadership import chances
from wh_env.rulesets.wap.panic.panic import Panic
from wh_env.rulesets.wap.rule_book import FRENZY, HATRED
from wh_env.rulesets.wap.shooting.hits import freeze, take_hits
from wh_env.rulesets.wap.view.appraise_aftermath import chance_to_restrain
from wh_env.rulesets.wap.view.appraise_combat import lead_of, odds_to_break
from wh_env.rulesets.wap.weapons.blows import blow_of, rerolls_of
from wh_env.rulesets.wap.weapons.hit import FLAMING, ICE, Hit
from wh_env.testing import choose, dice_left, kind, pick, script, slots, told
from wh_env.testing.wap import RegimentScene, UnitHandle, fight, fought, other_combats, pose, square

OWNERS = pytest.mark.parametrize("owner", [0, 1])
DETAILS = pytest.mark.parametrize("detail", ["squad", "full"])
OGRE = square(type="monstrous infantry", base_mm=[40, 40], w=3)
FEARSOME = hero(rules=["Fear"])


def joined(
    scene: RegimentScene,
    owner: int,
    heroes: Sequence[dict[str, Any]],
    card: dict[str, Any] | None = None,
    models: int = 10,
    at: tuple[float, float] = (24, 24),
    **fields: Any,
) -> tuple[UnitHandle, list[UnitHandle]]:
    """A unit with heroes in its front rank."""
    host = scene.unit(owner, card, at, models=models, files=fields.pop("files", 5), **fields)
    return host, [scene.unit(owner, one, inside=host, models=1) for one in heroes]


def met(
    owner: int,
    heroes: Sequence[dict[str, Any]],
    card: dict[str, Any] | None = None,
    models: int = 10,
    foe: dict[str, Any] | None = None,
    foes: int = 10,
    detail: str = "squad",
    files: int = 5,
) -> tuple[Battle, UnitHandle, UnitHandle]:
    """The score of a round in which nobody has lost anything: a unit with heroes against an enemy at its front."""
    scene = RegimentScene()
    host, _ = joined(scene, owner, heroes, card, models, files=files)
    enemy = scene.beside(host, 1 - owner, foe, models=foes, files=min(foes, 5))
    return scored(scene, host, detail=detail), host, enemy


# ---------------------------------------------------------------- fear


@OWNERS
@DETAILS
@pytest.mark.rule("wap.special.fear.result")
def test_a_beast_king_among_warriors_frightens_the_enemy(owner: int, detail: str) -> None:
    """Cards of the shipped sheets; a whole round of combat is fought."""
    for heroes, bonus in (([], 0), (["beast king"], 1)):
        scene = RegimentScene()
        host = scene.unit(owner, "warriors", (24, 24), models=20, files=5)
        for card in heroes:
            scene.unit(owner, card, inside=host, models=1, beside=1)
        foe = scene.beside(host, 1 - owner, "spearmen", models=20, files=5)
        battle = scene.battle("combat", detail=detail, player=owner)
        while not told(battle, "wap.result.sum"):
            battle.apply(0 if battle.legal()[0] else battle.first_legal())
        assert side(battle, owner)["fear"] == bonus, (heroes, foe.row)
        assert side(battle, 1 - owner)["fear"] == 0


@OWNERS
@pytest.mark.rule("wap.special.fear.double")
@pytest.mark.parametrize(
    ("lord", "foes", "bonus"), [(FEARSOME, 1, 1), (rider(rules=["Fear"]), 1, 2), (rider(rules=["Fear"]), 2, 1)]
)
def test_a_fearsome_hero_counts_with_his_own_strength(owner: int, lord: dict[str, Any], foes: int, bonus: int) -> None:
    """On foot 1, on a horse 2, whatever the soldiers around him count."""
    battle, _, _ = met(owner, [lord], foes=foes)
    assert side(battle, owner)["fear"] == bonus


@OWNERS
@pytest.mark.rule("wap.special.fear.immunity")
@pytest.mark.parametrize(
    ("card", "models", "heroes", "afraid"),
    [
        (square(), 1, [FEARSOME, FEARSOME], False),  # two of three cause Fear
        (square(), 2, [FEARSOME, FEARSOME], True),  # half are no majority
        (square(rules=["Fear"]), 2, [hero(), hero()], True),
        (square(rules=["Fear"]), 3, [hero(), hero()], False),
        (square(), 1, [hero(rules=["Immunity (Fear)"])] * 2, False),
    ],
)
def test_heroes_count_in_the_majority_that_fears_nothing(
    owner: int, card: dict[str, Any], models: int, heroes: list[dict[str, Any]], afraid: bool
) -> None:
    battle, _, _ = met(owner, heroes, card, models, OGRE, 3)
    assert side(battle, 1 - owner)["fear"] == 2 * afraid


@OWNERS
@pytest.mark.rule("wap.special.flaming-attacks.fear")
@pytest.mark.parametrize(
    ("foe", "bonus"),
    [(horse(), 1), (square(rules=["Flammable"]), 1), (square(), 0), (horse(rules=["Immunity (Flaming Attacks)"]), 0)],
)
def test_the_fire_of_a_hero_frightens_beasts_and_riders(owner: int, foe: dict[str, Any], bonus: int) -> None:
    battle, _, _ = met(owner, [hero(rules=["Flaming Attacks"])], foe=foe, foes=5)
    assert side(battle, owner)["fear"] == bonus


@OWNERS
@pytest.mark.rule("wap.special.flaming-attacks.fear")
@pytest.mark.parametrize(
    ("card", "models", "heroes", "afraid"),
    [(square(), 5, [rider()], False), (square(), 1, [rider(), rider()], True), (square(), 1, [rider()], True)],
)
def test_who_is_afraid_of_fire_counts_with_the_others(
    owner: int, card: dict[str, Any], models: int, heroes: list[dict[str, Any]], afraid: bool
) -> None:
    """A rider among soldiers is frightened for nobody, two with one soldier are most of the unit; of two alike
    neither is most."""
    battle, _, _ = met(owner, heroes, card, models, square(rules=["Flaming Attacks"]), 10, files=models)
    assert bool(side(battle, 1 - owner)["fear"]) is afraid


# ---------------------------------------------------------------- terror


def ahead(
    owner: int,
    detail: str,
    *,
    mine: Sequence[dict[str, Any]] = (),
    theirs: Sequence[dict[str, Any]] = (),
    dice: Sequence[int] = (),
    card: dict[str, Any] | None = None,
    foe: dict[str, Any] | None = None,
    others: int = 10,
    gap: float = 8.0,
) -> tuple[Battle, UnitHandle, UnitHandle]:
    """A unit of the player whose turn it is, with heroes, and an enemy straight ahead, with heroes, in the charge
    step."""
    scene, forward = RegimentScene(), 1 - 2 * owner
    friend = (44, 24 - forward * 21)
    unit, _ = joined(scene, owner, mine, card, at=(24, 24 - forward * 0.5 * gap))
    enemy, _ = joined(scene, 1 - owner, theirs, foe, others, at=(24, 24 + forward * 0.5 * gap), files=min(5, others))
    scene.unit(owner, None, friend, models=1)
    return scene.battle("movement", dice=dice, detail=detail, player=owner), unit, enemy


@OWNERS
@DETAILS
@pytest.mark.rule("wap.special.terror.charged")
@pytest.mark.parametrize(("roll", "flees"), [([4, 6], True), ([4, 5], False)])
def test_a_terrible_hero_frightens_whom_his_unit_charges(owner: int, detail: str, roll: list[int], flees: bool) -> None:
    battle, unit, enemy = ahead(
        owner, detail, mine=[hero(rules=["Terror"])], foe=square(ld=9), dice=[*roll, 1, 1, 1, 1]
    )
    charge(battle, unit, enemy)
    assert [note["passed"] for note in told(battle, "wap.special.terror.charged") if "passed" in note] == [not flees]
    if not flees:
        assert slots(battle, "option") == [HOLD, FLEE]


@OWNERS
@DETAILS
@pytest.mark.rule("wap.special.terror.charging")
def test_who_charges_a_terrible_hero_tests_first(owner: int, detail: str) -> None:
    battle, unit, enemy = ahead(owner, detail, theirs=[hero(rules=["Terror"])], dice=[4, 4])
    charge(battle, unit, enemy)
    assert [note["passed"] for note in told(battle, "wap.special.terror.charging")] == [False]
    assert kind(battle) != "charge-reaction" and dice_left(battle) == 0


@OWNERS
@pytest.mark.rule("wap.special.terror.treated-as-fear", "wap.special.immunity.psychology-kinds")
@pytest.mark.parametrize(
    ("others", "foe", "heroes", "tests"),
    [
        (1, square(), [FEARSOME, FEARSOME], 0),
        (2, square(), [FEARSOME, FEARSOME], 1),
        (2, square(rules=["Immunity (Terror)"]), [hero(), hero()], 1),
    ],
)
def test_heroes_count_in_the_majority_that_terror_leaves_cold(
    owner: int, others: int, foe: dict[str, Any], heroes: list[dict[str, Any]], tests: int
) -> None:
    """Some of Leadership 9 pass the test that they take."""
    card = square(rules=["Terror"])
    battle, unit, enemy = ahead(
        owner, "squad", card=card, theirs=heroes, foe=foe, others=others, dice=[1, 1, 1, 1], gap=6
    )
    charge(battle, unit, enemy)
    assert len(told(battle, "wap.special.terror.charged")) == tests
    assert (kind(battle), battle.clock.subject[0]) == ("charge-reaction", enemy.row)


# ---------------------------------------------------------------- frenzy


BERSERK = hero(rules=["Frenzy"])


@OWNERS
@DETAILS
@pytest.mark.rule("wap.special.frenzy.charge-reaction")
def test_a_unit_with_a_frenzied_hero_does_not_flee(owner: int, detail: str) -> None:
    for heroes, answers in (([BERSERK], [HOLD]), ([hero()], [HOLD, FLEE])):
        battle, unit, enemy = ahead(owner, detail, theirs=heroes, dice=[1, 1])
        charge(battle, unit, enemy)
        if answers == [HOLD]:  # the only one is not asked for
            assert [event.kind for event in battle.events if event.rule == "wap.charge.reaction.list"] == ["holds"]
        else:
            assert slots(battle, "option") == answers


@OWNERS
@DETAILS
@pytest.mark.rule("wap.special.frenzy.must-charge")
@pytest.mark.parametrize(("roll", "charges"), [([4, 6], True), ([4, 5], False)])
def test_a_unit_with_a_frenzied_hero_must_charge(owner: int, detail: str, roll: list[int], charges: bool) -> None:
    """He has Leadership 9, on which they all test."""
    battle, unit, enemy = ahead(owner, detail, mine=[BERSERK], dice=roll)
    choose(battle, "done")
    tests = [note for note in told(battle, "wap.special.frenzy.must-charge") if "passed" in note]
    assert [(note["unit"], note["passed"]) for note in tests] == [(unit.row, not charges)]
    if charges:
        assert (kind(battle), battle.clock.subject[0]) == ("charge-reaction", enemy.row)


def won(
    owner: int,
    detail: str,
    heroes: Sequence[dict[str, Any]],
    dice: Sequence[int],
    lost_by: int = 1,
    beaten: Sequence[dict[str, Any]] = (),
) -> tuple[Battle, UnitHandle]:
    """A unit of Leadership 8 with heroes has broken an enemy, and tries to restrain itself."""
    scene = RegimentScene()
    unit, _ = joined(scene, owner, heroes, square(ld=8), at=(24, 20) if owner == 0 else (24, 28))
    foe = scene.beside(unit, 1 - owner, models=10, files=5)
    for card in beaten:
        scene.unit(1 - owner, card, inside=foe, models=1)
    other_combats(scene)
    battle = scene.battle(
        "combat", player=owner, dice=dice, detail=detail, set_state=fought(won=[unit], broken=[foe], lost_by=lost_by)
    )
    pick(battle, "restrain")
    return battle, unit


@OWNERS
@DETAILS
@pytest.mark.rule("wap.special.frenzy.restrain")
def test_a_frenzied_hero_is_hard_to_restrain(owner: int, detail: str) -> None:
    for rules, needs in ((["Frenzy"], 5), ([], 8)):
        battle, unit = won(owner, detail, [hero(ld=7, rules=rules)], [1, 1, 6, 6], lost_by=3)
        rule = "wap.special.frenzy.restrain" if rules else "wap.pursuit.restrain-test"
        tests = [note for note in told(battle, rule) if "leadership" in note]
        assert [(note["unit"], note["leadership"]) for note in tests] == [(unit.row, needs)]


@OWNERS
@DETAILS
@pytest.mark.rule("wap.special.hatred.restrain")
@pytest.mark.parametrize(
    ("rules", "beaten", "again"),
    [
        (["Hatred"], [], True),
        (["Hatred (infantry)"], [], True),
        (["Hatred (cavalry)"], [], False),
        (["Hatred (cavalry)"], [rider()], True),
        ([], [rider()], False),
    ],
)
def test_the_hatred_of_a_hero_has_a_passed_test_rolled_again(
    owner: int, detail: str, rules: list[str], beaten: list[dict[str, Any]], again: bool
) -> None:
    """Also that of a hero among the beaten."""
    battle, _ = won(owner, detail, [hero(ld=7, rules=rules)], [1, 1, 1, 2, 6, 6], beaten=beaten)
    assert bool(told(battle, "wap.special.hatred.restrain")) is again


@OWNERS
@DETAILS
@pytest.mark.rule("wap.special.frenzy.loss")
@pytest.mark.parametrize(("card", "lost"), [(square(), 1), (square(rules=["Frenzy"]), 2)])
def test_a_beaten_hero_loses_his_frenzy_too(owner: int, detail: str, card: dict[str, Any], lost: int) -> None:
    """In the next round he makes an attack less."""
    scene = RegimentScene()
    host, (lord,) = joined(scene, owner, [hero(i=9, rules=["Frenzy"])], card, 10)
    foe = scene.beside(host, 1 - owner, square(a=0, t=10), models=20, files=5)
    battle = scored(scene, host, detail=detail)
    assert battle.units.outcome[host] == HELD and len(told(battle, "wap.special.frenzy.loss")) == lost
    for lost_rules, attacks in ((0, 4), (battle.units.lost_rules[lord], 3)):
        copy = scene.battle("combat", detail=detail, run=False, dice=[1] * 40)
        copy.units.lost_rules[lord] = lost_rules
        fight(copy, host)
        while copy.decision is not None:
            copy.apply(0 if copy.legal()[0] else copy.first_legal())
        struck = [note for note in told(copy, "wap.combat.hit.roll") if note["unit"] in (host.row, lord.row)]
        assert attacks in [note["amount"] for note in struck], foe.row


@OWNERS
@pytest.mark.rule("wap.special.frenzy.loss")
@pytest.mark.parametrize("hurt", [0, 1])
def test_frenzy_that_a_unit_has_gained_is_lost_as_well(owner: int, hurt: int) -> None:
    """Only the beaten may flee again from who charges them."""
    scene = RegimentScene()
    unit, _ = joined(scene, owner, [hero()], files=10)
    foe = scene.beside(unit, 1 - owner, models=11 - hurt, files=11 - hurt)
    battle = scored(scene, unit, {(foe, unit): hurt}, set_state=lambda battle: gain(battle, unit.row, FRENZY))
    assert (battle.units.outcome[unit] == HELD) is bool(hurt)
    battle.units.fights[unit] = 0
    assert (FLEE in reactions_of(battle, unit.row, foe.row)) is bool(hurt)


# ---------------------------------------------------------------- stupidity


DULL = hero(ld=4, rules=["Stupidity"])


@OWNERS
@DETAILS
@pytest.mark.rule("wap.special.stupidity.test", "wap.special.stupidity.failed")
@pytest.mark.parametrize(("roll", "passes"), [([3, 4], True), ([4, 4], False)])
def test_a_stupid_hero_has_his_unit_test(owner: int, detail: str, roll: list[int], passes: bool) -> None:
    """The soldiers have Leadership 7. Who fails goes straight ahead by a die, and does nothing else."""
    battle, unit, _ = ahead(owner, detail, mine=[DULL], dice=[*roll, 4], gap=20)
    assert [note["passed"] for note in told(battle, "wap.special.stupidity.test")] == [passes]
    start = 14 if owner == 0 else 34
    assert pose(battle, unit)[1] == pytest.approx(start if passes else start + 4 * (1 - 2 * owner))
    assert dice_left(battle) == passes
    if not passes:
        assert (kind(battle), slots(battle, "own")) == ("select-to-move", [unit.number + 2])  # a friend far away


@OWNERS
@pytest.mark.rule("wap.special.stupidity.until-passed")
def test_a_stupid_unit_tests_on_when_its_stupid_hero_is_gone(owner: int) -> None:
    scene = RegimentScene()
    unit, (lord,) = joined(scene, owner, [DULL], at=(24, 12) if owner == 0 else (24, 36))
    scene.unit(1 - owner, None, (24, 36) if owner == 0 else (24, 12), models=5)

    def slain(battle: Battle) -> None:
        battle.units.stupid[unit] = 1
        suffer(battle, lord.row, 2)

    battle = scene.battle("movement", player=owner, dice=[3, 4], set_state=slain)
    assert [note["passed"] for note in told(battle, "wap.special.stupidity.test")] == [True]
    assert battle.units.stupid[unit] == 0 and unit.number in slots(battle, "own")


@OWNERS
@pytest.mark.rule("wap.special.stupidity.until-passed", "wap.character.unit-destroyed.new-unit")
def test_a_hero_who_is_left_of_a_stupid_unit_stays_stupid_until_he_passes(owner: int) -> None:
    scene, north = RegimentScene(), 36 if owner == 0 else 12
    unit, (lord,) = joined(scene, owner, [hero()], square(rules=["Stupidity"]), at=(24, 48 - north))
    scene.unit(1 - owner, None, (24, north), models=5)

    def slain(battle: Battle) -> None:
        battle.units.stupid[unit] = 1
        suffer(battle, unit.row, 10)

    battle = scene.battle("movement", player=owner, dice=[6, 6, 3], set_state=slain)
    assert [(note["unit"], note["passed"]) for note in told(battle, "wap.special.stupidity.test")] == [
        (lord.row, False)
    ]
    assert [note["far"] for note in told(battle, "wap.compulsory.other.rules")] == [3.0]


@OWNERS
@pytest.mark.rule("wap.special.stupidity.until-passed", "wap.special.immunity.psychology-kinds")
@pytest.mark.parametrize("stupid", [1, 0])
def test_heroes_in_a_stupid_unit_are_as_stupid_as_it_is(owner: int, stupid: int) -> None:
    """One soldier and two heroes who have lost a third of a unit take no Panic test then, and none of them shoots."""
    scene = RegimentScene()
    unit, _ = joined(scene, owner, [hero(equipment=["bow"])] * 2, square(rules=["Stupidity"]), 2, at=(24, 24), files=2)
    foe = scene.unit(1 - owner, None, (24, 34) if owner == 0 else (24, 14), models=5)
    battle = scene.battle("shooting", player=owner, run=False, dice=[1, 1])
    battle.units.stupid[unit] = stupid
    battle.run()
    assert (kind(battle) == "select-to-shoot") is not bool(stupid), foe.row
    suffer(battle, unit.row, 1)
    play(battle, Panic)
    assert len(told(battle, HEAVY)) == 1 - stupid


# ---------------------------------------------------------------- stubborn, immune


@OWNERS
@DETAILS
@pytest.mark.rule("wap.special.stubborn")
@pytest.mark.parametrize(
    ("card", "models", "heroes", "firm"),
    [
        (square(ld=9), 1, [hero(rules=["Stubborn"])] * 2, True),
        (square(ld=9), 2, [hero(rules=["Stubborn"])] * 2, False),
        (square(ld=9, rules=["Stubborn"]), 2, [hero()] * 2, False),
        (square(ld=9, rules=["Stubborn"]), 3, [hero()] * 2, True),
    ],
)
def test_heroes_count_in_the_majority_of_the_stubborn(
    owner: int, detail: str, card: dict[str, Any], models: int, heroes: list[dict[str, Any]], firm: bool
) -> None:
    """Beaten by a stronger enemy they test on 9, or on that less what they have lost by."""
    battle, unit, _ = met(owner, heroes, card, models, foes=20, detail=detail)
    lost_by = state(battle, unit)["penalty"]
    assert lost_by > 0 and battle.units.outcome[unit] == HELD
    play(battle, BreakTests, dice=[4, 5])
    assert battle.units.outcome[unit] == (HELD if firm else BROKEN)
    rule = "wap.break.steadfast.effect" if firm else "wap.break.test"
    assert told(battle, rule)[0]["leadership"] == 9 - (0 if firm else lost_by)


@OWNERS
@pytest.mark.rule("wap.special.stubborn", "wap.special.mixed-unit.characteristics")
@pytest.mark.parametrize(("masters", "firm"), [(3, False), (2, True)])
def test_masters_count_among_the_models_of_their_unit(owner: int, masters: int, firm: bool) -> None:
    """The rules of their three hounds are not theirs."""
    scene = RegimentScene()
    driver = square()
    drivers = {"number": masters, "base_mm": driver["base_mm"], "profile": driver["profile"]}
    card = square(rules=["Mixed Unit", "Stubborn"], masters=drivers)
    unit = scene.unit(owner, card, (24, 24), models=3, files=3)
    for _ in range(masters):
        scene.unit(owner, driver, inside=unit, models=1, drives=True)
    scene.beside(unit, 1 - owner, models=20, files=5)
    battle = scored(scene, unit)
    assert battle.units.outcome[unit] == HELD and bool(battle.units.steadfast[unit]) is firm


HEAVY = "wap.panic.heavy-casualties"


def shot(
    owner: int, heroes: Sequence[dict[str, Any]], card: dict[str, Any] | None, models: int
) -> tuple[Battle, UnitHandle, list[UnitHandle]]:
    """The Shooting phase of the enemy of a unit with heroes begins, with three 1s to come."""
    scene = RegimentScene()
    unit, lords = joined(scene, owner, heroes, card, models, files=min(5, models))
    scene.unit(1 - owner, None, (24, 44) if owner == 0 else (24, 4), models=5)
    scene.unit(1 - owner, None, (4, 44) if owner == 0 else (4, 4), models=5)
    battle = scene.battle("movement", player=1 - owner, run=False, dice=[1, 1, 1])
    start_phase(battle, Phase.SHOOTING)
    return battle, unit, lords


def panics(battle: Battle) -> int:
    """How many tests for heavy casualties are taken."""
    play(battle, Panic)
    return len([note for note in told(battle, HEAVY) if "passed" in note])


@OWNERS
@pytest.mark.rule("wap.special.immunity.psychology-kinds")
@pytest.mark.parametrize(
    ("card", "models", "heroes", "tests"),
    [
        (square(), 3, [hero(rules=["Immunity (Panic)"])] * 3, 0),
        (square(), 5, [hero(rules=["Immunity (Panic)"])] * 2, 1),
        (square(rules=["Immunity (Panic)"]), 4, [hero()] * 2, 1),
        (square(rules=["Immunity (Panic)"]), 5, [hero()] * 2, 0),
        (square(rules=["Frenzy"]), 4, [hero()] * 2, 1),
    ],
)
def test_heroes_count_in_the_majority_that_never_panics(
    owner: int, card: dict[str, Any], models: int, heroes: list[dict[str, Any]], tests: int
) -> None:
    """Two soldiers fall: more than a quarter of the unit."""
    battle, unit, _ = shot(owner, heroes, card, models)
    suffer(battle, unit.row, 2)
    assert panics(battle) == tests


@OWNERS
@pytest.mark.rule("wap.panic.heavy-casualties", "wap.character.combined.one-unit")
@pytest.mark.parametrize(
    ("models", "heroes", "soldiers", "slain", "tests"),
    [(3, 1, 1, 0, 1), (3, 2, 1, 0, 0), (3, 1, 0, 1, 1), (4, 1, 0, 1, 0), (6, 2, 1, 1, 1), (6, 3, 1, 1, 0)],
)
def test_heroes_are_a_part_of_the_unit_that_loses_a_quarter(
    owner: int, models: int, heroes: int, soldiers: int, slain: int, tests: int
) -> None:
    """One of three soldiers is a quarter of four and less of five; a hero is one of them too."""
    battle, unit, lords = shot(owner, [hero()] * heroes, None, models)
    if soldiers:
        suffer(battle, unit.row, soldiers)
    for lord in lords[:slain]:
        suffer(battle, lord.row, 2)
    assert panics(battle) == tests


@OWNERS
@pytest.mark.rule("wap.panic.direction.heavy")
def test_who_has_slain_a_hero_counts_among_those_who_are_fled_from(owner: int) -> None:
    """One enemy has cost the unit a soldier, the other one two heroes."""
    scene = RegimentScene()
    unit, lords = joined(scene, owner, [hero(ld=5)] * 2, square(ld=5), 4, files=4)
    west = scene.unit(1 - owner, None, (6, 24), models=5, facing=0.0)
    east = scene.unit(1 - owner, None, (42, 24), models=5, facing=3.14159)
    battle = scene.battle("movement", player=1 - owner, run=False, dice=[6, 6, 1, 1])
    start_phase(battle, Phase.SHOOTING)
    suffer(battle, unit.row, 1, by=west.row)
    for lord in lords:
        suffer(battle, lord.row, 2, by=east.row)
    x = pose(battle, unit)[0]
    assert panics(battle) == 1
    assert pose(battle, unit)[0] < x - 1.0


# ---------------------------------------------------------------- shots


@OWNERS
@pytest.mark.rule("wap.special.ice-attacks.ranged")
@pytest.mark.parametrize("hits", [1, 0])
def test_ice_that_hits_soldiers_slows_the_hero_among_them(owner: int, hits: int) -> None:
    """In the fight that follows he strikes after an enemy whom he is quicker than."""
    scene = RegimentScene()
    unit, (lord,) = joined(scene, owner, [hero(i=9)], square(i=9))
    scene.beside(unit, 1 - owner, square(i=1), models=10, files=5)
    battle = scene.battle("combat", player=owner, run=False, dice=[1] * 60)
    freeze(battle, unit.row, [(hits, Hit(3, nature=ICE))])
    fight(battle, unit)
    while battle.decision is not None:
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    struck = [note["amount"] for note in told(battle, "wap.combat.hit.roll")]
    assert struck == ([10, 9, 3] if hits else [9, 3, 10]), lord.row  # the enemy's, the soldiers', his


@OWNERS
@pytest.mark.rule("wap.special.ice-attacks.contact")
@pytest.mark.parametrize("icy", [True, False])
def test_a_hero_who_touches_ice_strikes_last(owner: int, icy: bool) -> None:
    """He and the soldiers of the front rank are quicker than the enemy, but for the ice; those behind them do not touch it."""
    scene = RegimentScene()
    unit, (lord,) = joined(scene, owner, [hero(i=9)], square(i=9), 14)
    foe = scene.beside(unit, 1 - owner, square(i=1, rules=["Ice Attacks"] if icy else []), models=10, files=5)
    battle = scene.battle("combat", player=owner, run=False, dice=[1] * 60)
    fight(battle, unit)
    while battle.decision is not None:
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    struck = [note["amount"] for note in told(battle, "wap.combat.hit.roll")]
    assert (struck.index(3) > struck.index(10)) is icy, (lord.row, foe.row)  # his attacks, and the enemy's


@OWNERS
@pytest.mark.rule("wap.special.hatred.reroll")
@pytest.mark.parametrize("who", ["hero", "unit"])
def test_hatred_that_is_gained_late_is_of_the_row_that_has_gained_it(owner: int, who: str) -> None:
    """In a second round a hero who has gained it rolls failed hits again, and one who had it before does not."""
    scene = RegimentScene()
    card = hero() if who == "hero" else hero(rules=["Hatred"])
    unit, (lord,) = joined(scene, owner, [card], square())
    foe = scene.beside(unit, 1 - owner, square(), models=10, files=5)
    battle = scene.battle("combat", player=owner, run=False)
    battle.units.rounds[unit], battle.units.rounds[foe] = 2, 2
    gain(battle, lord.row if who == "hero" else unit.row, HATRED)
    line = battle.models.line[lord.model()]
    assert rerolls_of(battle, unit.row, line, foe.row).failed == (1 if who == "hero" else 0)


@OWNERS
@pytest.mark.rule("wap.special.flaming-attacks.panic")
@pytest.mark.parametrize(("nature", "stays"), [(FLAMING, False), (0, True)])
def test_fire_that_hits_a_hero_of_cavalry_frightens_his_unit(owner: int, nature: int, stays: bool) -> None:
    """Leadership 7: a 7 is too much at -1. The hero loses a Wound, two soldiers fall to something else."""
    battle, unit, (lord,) = shot(owner, [rider(ld=7, t=3, w=3)], horse(ld=7), 6)
    script(battle, [6, 3, 4, 1, 1])
    take_hits(battle, lord.row, [(1, Hit(3, nature=nature))], FRONT, -1)
    assert battle.models.wounds[lord.model()] == 2
    suffer(battle, unit.row, 2)
    assert panics(battle) == 1
    assert bool(battle.units.fleeing[unit]) is not stays


@OWNERS
@pytest.mark.rule("wap.special.immunity")
def test_harm_to_soldiers_asks_the_soldiers_alone(owner: int) -> None:
    """Two heroes whom poison does not harm are most of their unit; the soldier beside them is poisoned all the same."""
    scene = RegimentScene()
    unit, _ = joined(scene, owner, [hero(rules=["Immunity (Poisoned Attacks)"])] * 2, square(t=3), 1, files=1)
    foe = scene.unit(1 - owner, square(rules=["Poisoned Attacks"]), (24, 30) if owner == 0 else (24, 18), models=5)
    battle = scene.battle("movement", run=False)
    assert blow_of(battle, foe.row, battle.units.first_line[foe], unit.row).wounding == 1
    assert blow_of(battle, foe.row, battle.units.first_line[foe], unit.row + 1).wounding == 0


# ---------------------------------------------------------------- what is expected of a fight


@OWNERS
@DETAILS
@pytest.mark.rule("wap.special.fear.result", "wap.special.stubborn")
def test_what_people_are_told_of_a_fight_counts_its_heroes(owner: int, detail: str) -> None:
    """A fearsome hero makes the enemy likelier to break, stubborn ones the own unit less likely."""
    found = {}
    for name, card in (("plain", hero()), ("fear", FEARSOME), ("firm", hero(rules=["Stubborn"]))):
        scene = RegimentScene()
        unit, _ = joined(scene, owner, [card, card], square(ld=9), 1, files=1)
        foe = scene.beside(unit, 1 - owner, square(), models=20, files=5)
        battle = scene.battle("combat", detail=detail, run=False)
        lead, spread = lead_of(battle, unit.row, foe.row, FRONT, FRONT, (1.0, 1.0))
        found[name] = (lead, odds_to_break(battle, unit.row, foe.row, -lead, spread))
        assert chance_to_restrain(battle, unit.row, [foe.row]) == chances(2, 2)[9]
    assert found["fear"][0] == found["plain"][0] + 1
    assert found["firm"][0] == found["plain"][0] and found["firm"][1] < found["plain"][1]
    scene = RegimentScene()
    unit, _ = joined(scene, owner, [hero(rules=["Hatred"])], square(ld=9), 1, files=1)
    foe = scene.beside(unit, 1 - owner, square(), models=20, files=5)
    battle = scene.battle("combat", detail=detail, run=False)
    assert (
        chance_to_restrain(battle, unit.row, [foe.row]) < chances(2, 2)[9]
    )  # a test that is passed is taken once more
