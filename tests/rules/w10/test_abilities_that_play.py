"""Abilities of the shipped datasheets, armies, Detachments and Enhancements that are data: each with its own numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from wh_env import Battle, ContentError
from wh_env.content.attack_odds import Circumstances, Range
from wh_env.content.w10.load import load_datasheet, load_datasheets, load_faction
from wh_env.core.tables import ON_TABLE, RESERVE
from wh_env.rulesets.w40k.ability.freedoms import settle_freedoms
from wh_env.rulesets.w40k.attack.abilities import in_force, protect
from wh_env.rulesets.w40k.attack.modifiers import Granted
from wh_env.rulesets.w40k.attack.rolls import SHRUGS
from wh_env.rulesets.w40k.charge.phase import free_to_charge
from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.shoot.declare import ALL_WEAPONS, shooting_mode
from wh_env.testing import Scene, UnitHandle, choose, kind, melee, pick, play_until, ranged, script, sheet, slots, told

pytestmark = pytest.mark.rule("w10.datasheet.abilities")

FOES = {"gun": ranged(24), "claws": melee(2)}
ASTARTES, TYRANIDS = load_faction("Adeptus Astartes"), load_faction("Tyranids")
OATH, DOCTRINES = ASTARTES.rules[0], ASTARTES.detachments[0].rules[0]
SYNAPSE, SHADOW = TYRANIDS.rules
ADAPTATIONS = TYRANIDS.detachments[0].rules[0]
ENHANCEMENTS = {e.name: e for f in (ASTARTES, TYRANIDS) for e in f.detachments[0].enhancements}
STRATAGEMS = {s.name: s for f in (ASTARTES, TYRANIDS) for s in f.detachments[0].stratagems}
QUIET = {"stratagems": {"epic-challenge": "off", "grenade": "off", "fire-overwatch": "off", "go-to-ground": "off"}}
INFANTRY, VEHICLE, MONSTER, CHARACTER = ("INFANTRY",), ("VEHICLE",), ("MONSTER",), ("INFANTRY", "CHARACTER")


def changes(battle: Battle, unit: UnitHandle, target: UnitHandle, how: str, model: int = 0) -> list[tuple[str, int]]:
    """What abilities make of attacks of a model of the unit at the target, with its first weapon in melee or at range."""
    m, statics = battle.models, battle.setup.statics
    k = unit.model(model)
    rows = [statics["arsenal_weapon"][s] for s in range(m.first_weapon[k], m.first_weapon[k] + m.weapons[k])]
    rows += range(len(statics["weapons"]))  # where it carries none: any
    weapon = next(row for row in rows if bool(statics["weapons"][row]["melee"]) == (how == "melee"))
    return sorted(Granted(battle).changes(k, weapon, target.row))


def step(battle: Battle, asked: str, segment: str, slot: int = 0) -> None:
    """Answer a decision of this kind, if it is asked: one with a single option is not."""
    if kind(battle) == asked:
        choose(battle, segment, slot)


def charge(battle: Battle, unit: UnitHandle, foes: UnitHandle) -> None:
    """The unit charges the enemy unit."""
    choose(battle, "own", unit.number)
    step(battle, "charge-target", "enemy", foes.number)
    step(battle, "charge-target", "done")


# ---------------------------------------------------------------- attacks that a unit makes, and attacks that it suffers

HIT_ONES = ("re-roll hit rolls of 1", 0)
ONES, FAILED = ("re-roll wound rolls of 1", 0), ("re-roll wound rolls", 0)
MADE: list[tuple[str, str, Sequence[str], dict[str, Any], list[tuple[str, int]]]] = [
    # datasheet, weapons, keywords of the target, what is so besides, the changes
    ("Assault Intercessor Squad", "melee", INFANTRY, {}, [ONES]),
    ("Assault Intercessor Squad", "melee", INFANTRY, {"marker": True}, [FAILED, ONES]),
    ("Assault Intercessor Squad", "ranged", INFANTRY, {"marker": True}, []),
    ("Genestealers", "melee", INFANTRY, {}, [HIT_ONES]),
    ("Genestealers", "melee", INFANTRY, {"marker": True}, [HIT_ONES, ONES]),
    ("Eradicator Squad", "ranged", VEHICLE, {}, [(f"re-roll {roll} rolls", 0) for roll in ("damage", "hit", "wound")]),
    ("Eradicator Squad", "ranged", MONSTER, {}, [(f"re-roll {roll} rolls", 0) for roll in ("damage", "hit", "wound")]),
    ("Eradicator Squad", "ranged", INFANTRY, {}, []),
    ("Eradicator Squad", "melee", VEHICLE, {}, []),
    ("Predator Destructor", "ranged", INFANTRY, {}, [("AP", 1)]),
    ("Predator Destructor", "ranged", VEHICLE, {}, []),
    ("Psychophage", "melee", INFANTRY, {"lost": [0]}, [("hit rolls", 1)]),
    ("Psychophage", "melee", INFANTRY, {"lost": [0, 1]}, [("hit rolls", 1), ("wound rolls", 1)]),
    ("Psychophage", "ranged", INFANTRY, {"lost": [0]}, []),
    ("Psychophage", "melee", INFANTRY, {}, []),
    ("Neurotyrant", "ranged", INFANTRY, {"leads": "Zoanthropes"}, [("hit rolls", 1)]),
    ("Neurotyrant", "ranged", INFANTRY, {"leads": "Zoanthropes", "shocked": 1}, [("hit rolls", 1), ("wound rolls", 1)]),
    ("Neurotyrant", "ranged", INFANTRY, {}, []),
    ("Hive Tyrant", "ranged", INFANTRY, {}, [("Lethal Hits", 0)]),
    ("Hive Tyrant", "melee", INFANTRY, {}, []),
    ("Lieutenant", "melee", INFANTRY, {"leads": "Intercessor Squad"}, [("Lethal Hits", 0)]),
    ("Lieutenant", "melee", INFANTRY, {}, []),
    ("Broodlord", "melee", INFANTRY, {"leads": "Genestealers"}, [("Devastating Wounds", 0), HIT_ONES]),
    ("Broodlord", "melee", INFANTRY, {}, []),
]


@pytest.mark.parametrize(("name", "how", "keywords", "also", "expected"), MADE)
def test_attacks_that_it_makes(name, how, keywords, also, expected) -> None:
    scene = Scene()
    if also.get("leads"):
        guards = scene.unit(0, also["leads"], at=(10, 12), gap=0.3)
        scene.unit(0, name, at=(10, 8), leads=guards)
    unit = guards if also.get("leads") else scene.unit(0, name, at=(10, 10))
    target = scene.unit(
        1, sheet("Foes", keywords=keywords, weapons=FOES), at=(30, 10), models=3, lost=also.get("lost", ())
    )
    if also.get("marker"):
        scene.marker(30, 10)
    battle = scene.battle("shooting", run=False)
    battle.units.shocked[target] = also.get("shocked", 0)
    assert changes(battle, unit, target, how) == expected


def test_bolt_rifles_at_one_target() -> None:
    """Target Elimination: two more attacks each with bolt rifles, if all are at one unit: 5 rifles make 20 attacks, 4 left of a squad split none."""
    scene = Scene()
    rifles = scene.unit(0, "Intercessor Squad", at=(10, 10))
    foes = scene.unit(1, sheet("Foes", W=50), at=(25, 10), models=1)
    battle = scene.battle("shooting", dice=[1] * 20)
    choose(battle, "own", rifles.number)
    assert len([e for e in told(battle, "w10.attack.hit.roll") if e["attacker"] == rifles.first]) == 4
    assert foes.row


@pytest.mark.parametrize(
    ("name", "attacker", "expected"),
    [
        ("Redemptor Dreadnought", "gun", [("Damage", -1)]),
        ("Stormraven Gunship", "gun", [("Damage", -1)]),
        ("Rhino", "gun", []),
    ],
)
def test_attacks_that_it_suffers(name, attacker, expected) -> None:
    """Duty Eternal, Armoured Resilience: 1 less Damage."""
    scene = Scene()
    foes = scene.unit(1, sheet("Foes", weapons=FOES), at=(30, 10), models=1)
    unit = scene.unit(0, name, at=(10, 10))
    battle = scene.battle("shooting", active=1, run=False)
    assert changes(battle, foes, unit, "ranged") == expected


def test_a_tyrannofex_shrugs_off_one_damage_in_the_battle() -> None:
    """Resilient Organism: of two unsaved attacks of D3 Damage the first of the battle does nothing; in a later turn
    none is shrugged off."""
    scene = Scene()
    gun = {"gun": ranged(24, A=2, BS=2, S=20, AP=-6, D=3)}
    foes = scene.unit(1, sheet("Foes", weapons=gun), at=(20, 10), models=1)
    beast = scene.unit(0, "Tyrannofex", at=(10, 10))
    battle = scene.battle("shooting", active=1, run=False)
    for rounds, expected in ((1, 3), (2, 9)):
        battle.clock.round[0], battle.clock.turn[0], battle.clock.first_player[0] = rounds, 1, 1
        battle.setup.ruleset.turn_begins(battle)
        if rounds == 1:
            battle.run()
            script(battle, [6, 6, 6, 6])
            choose(battle, "own", foes.number)
            lost = battle.models.max_wounds[beast.first] - battle.models.wounds[beast.first]
            assert lost == expected
        else:
            assert not battle.models.flags[beast.first] & SHRUGS


@pytest.mark.parametrize(("dice", "expected", "lost"), [([2], [("Attacks", -1)], 0), ([1, 3], [], 2)])
def test_paroxysm(dice: list[int], expected: list[tuple[str, int]], lost: int) -> None:
    """One enemy unit within 12" makes 1 attack less in the Fight phase; on a 1 the tyrant suffers D3 mortal wounds
    instead."""
    scene = Scene()
    near = scene.unit(1, sheet("Near", weapons=FOES), at=(19, 10), models=1)
    far = scene.unit(1, sheet("Far", weapons=FOES), at=(30, 10), models=1)
    tyrant = scene.unit(0, "Winged Hive Tyrant", at=(10, 10))
    scene.unit(1, sheet("Engaged", weapons=FOES), at=(10, 12.5), models=1)
    battle = scene.battle("fight", active=1, dice=dice)
    assert kind(battle) == "use-ability" and near.number in slots(battle, "enemy")
    assert far.number not in slots(battle, "enemy")
    choose(battle, "enemy", near.number)
    assert changes(battle, near, tyrant, "melee") == expected
    assert battle.models.max_wounds[tyrant.first] - battle.models.wounds[tyrant.first] == lost


# ---------------------------------------------------------------- armies and Detachments


def test_oath_of_moment() -> None:
    """One enemy unit is chosen in each own Command phase; every unit of the army makes hit rolls against it again and
    wounds it better,
    Terminators hit better."""
    scene = Scene()
    scene.army_rules[0].append(OATH)
    squad = scene.unit(0, "Terminator Squad", at=(10, 10))
    other = scene.unit(0, "Rhino", at=(10, 20))
    first = scene.unit(1, sheet("First"), at=(40, 10), models=1)
    second = scene.unit(1, sheet("Second"), at=(40, 20), models=1)
    battle = scene.battle("command")
    assert kind(battle) == "use-ability" and slots(battle, "enemy") == [0, 1] and not battle.legal()[0]
    choose(battle, "enemy", second.number)
    oath = [("re-roll hit rolls", 0), ("wound rolls", 1)]
    assert changes(battle, squad, second, "ranged") == [("hit rolls", 1), *oath]
    assert changes(battle, other, second, "ranged") == oath
    assert changes(battle, other, first, "ranged") == []
    play_until(battle, "use-ability")
    assert battle.clock.round[0] == 2  # the mark has ended, another unit is chosen
    assert changes(battle, other, second, "ranged") == []


@pytest.mark.parametrize(
    ("option", "moved", "shoots", "charges"),
    [
        ("Devastator", Moved.ADVANCE, True, False),
        ("Devastator", Moved.FELL_BACK, False, False),
        ("Tactical", Moved.FELL_BACK, True, True),
        ("Tactical", Moved.ADVANCE, False, False),
        ("Assault", Moved.ADVANCE, False, True),
        ("Assault", Moved.FELL_BACK, False, False),
    ],
)
def test_combat_doctrines(option: str, moved: Moved, shoots: bool, charges: bool) -> None:
    """Each once in a battle: shoot after an Advance; shoot and charge after a Fall Back; charge after an Advance."""
    scene = Scene()
    scene.army_rules[0].append(DOCTRINES)
    unit = scene.unit(0, sheet("Squad", weapons=FOES), at=(10, 10), models=1)
    scene.unit(1, sheet("Foes"), at=(20, 10), models=1)
    battle = scene.battle("command")
    assert len(slots(battle, "option")) == 3
    pick(battle, option, kind="use-ability")
    assert kind(battle) == "move-kind"
    battle.units.moved[unit] = moved
    settle_freedoms(battle)
    assert (shooting_mode(battle, unit.row) == ALL_WEAPONS) == shoots
    assert free_to_charge(battle, unit.row) == charges
    play_until(battle, "use-ability")
    assert len(slots(battle, "option")) == 2


FREEDOMS = [
    ("Hormagaunts", Moved.ADVANCE, False, True),
    ("Tyranid Warriors with Melee Bio-weapons", Moved.FELL_BACK, False, False),
    ("Tyranid Warriors with Ranged Bio-weapons", Moved.FELL_BACK, True, True),
    ("Tyranid Warriors with Ranged Bio-weapons", Moved.ADVANCE, False, False),
    ("Hive Tyrant", Moved.ADVANCE, True, False),
    ("Termagants", Moved.FELL_BACK, False, False),
]


@pytest.mark.parametrize(("name", "moved", "shoots", "charges"), FREEDOMS)
def test_what_units_may_do_all_the_same(name: str, moved: Moved, shoots: bool, charges: bool) -> None:
    scene = Scene()
    unit = scene.unit(0, name, at=(10, 10), gap=0.2)
    scene.unit(1, sheet("Foes"), at=(10, 20), models=1)
    battle = scene.battle("shooting", run=False)
    battle.units.moved[unit] = moved
    settle_freedoms(battle)
    assert (shooting_mode(battle, unit.row) == ALL_WEAPONS) == shoots
    assert free_to_charge(battle, unit.row) == charges


@pytest.mark.parametrize("leads", [True, False])
def test_target_priority(leads: bool) -> None:
    """A Lieutenant's unit shoots and charges after it Fell Back, he alone does too."""
    scene = Scene()
    squad = scene.unit(0, "Intercessor Squad", at=(10, 12), gap=0.3)
    leader = scene.unit(0, "Lieutenant", at=(10, 10), leads=squad if leads else None)
    scene.unit(1, sheet("Foes"), at=(10, 25), models=1)
    battle = scene.battle("shooting", run=False)
    unit = squad.row if leads else leader.row
    battle.units.moved[unit] = Moved.FELL_BACK
    settle_freedoms(battle)
    assert shooting_mode(battle, unit) == ALL_WEAPONS and free_to_charge(battle, unit)


@pytest.mark.parametrize("name", ["Captain in Terminator Armour"])
def test_charge_rolls_made_again(name: str) -> None:
    """Unstoppable Valour: a Charge roll of 3 that does not reach 8" is made again and does."""
    scene = Scene()
    unit = scene.unit(0, name, at=(10, 10), gap=0.2)
    foes = scene.unit(1, sheet("Foes", base_mm=60), at=(10, 19), models=1)
    battle = scene.battle("charge", dice=[1, 2, 6, 6])
    charge(battle, unit, foes)
    assert [e["roll"] for e in told(battle, "w10.charge.roll")] == [12]
    assert battle.units.charged[unit]


def test_synapse() -> None:
    """Within 6" of SYNAPSE models: Battle-shock tests on 3D6, 1 more Strength in melee, once however many are near. With the Linchpin 9"."""
    for enhancement, at, near in (
        (None, 17.0, True), (None, 20.0, False), ("Synaptic Linchpin", 20.0, True), ("Synaptic Linchpin", 23.0, False),
    ):  # fmt: skip
        scene = Scene()
        scene.army_rules[0].append(SYNAPSE)
        scene.unit(0, "Broodlord", at=(10, 10), enhancement=ENHANCEMENTS[enhancement] if enhancement else None)
        scene.unit(0, "Broodlord", at=(10, 6))
        gaunts = scene.unit(0, "Termagants", at=(at, 10), gap=0.1)
        foes = scene.unit(1, sheet("Foes"), at=(50, 40), models=1)
        battle = scene.battle("fight", run=False)
        assert changes(battle, gaunts, foes, "melee") == ([("Strength", 1)] if near else [])
        assert changes(battle, gaunts, foes, "ranged") == []
        test = battle.setup.ruleset.procedures[battle.setup.ruleset.number[type_of(battle, "BattleShockTest")]]
        assert test.number(battle, gaunts.row) == (3 if near else 2)


def type_of(battle: Battle, name: str) -> Any:
    return next(cls for cls in battle.setup.ruleset.number if cls.__name__ == name)


def test_synaptic_relays() -> None:
    """A Neurotyrant chooses up to two units within 18" that count as near to SYNAPSE until the next Command phase."""
    scene = Scene()
    scene.unit(0, "Neurotyrant", at=(10, 10))
    gaunts = scene.unit(0, "Termagants", at=(24, 10), gap=0.1)
    others = scene.unit(0, "Hormagaunts", at=(10, 24), gap=0.1)
    far = scene.unit(0, "Termagants", at=(44, 30), gap=0.1)
    foes = scene.unit(1, sheet("Foes"), at=(50, 40), models=1)
    battle = scene.battle("command")
    assert far.number not in slots(battle, "own")
    choose(battle, "own", gaunts.number)
    choose(battle, "own", others.number)
    assert kind(battle) != "use-ability"
    for unit in (gaunts, others):
        assert changes(battle, unit, foes, "melee") == [("Strength", 1)]
    assert changes(battle, far, foes, "melee") == []
    assert [power.effect for power in in_force(battle, gaunts.row, "shock dice")] == ["Battle-shock tests on 3D6"]


def test_shadow_in_the_warp() -> None:
    """Once in a battle, in either Command phase, while a SYNAPSE unit is on the battlefield: every enemy unit takes a
    test."""
    scene = Scene()
    scene.army_rules[1].append(SHADOW)
    brave = scene.unit(0, sheet("Brave", Ld=6), at=(10, 10), models=1)
    afraid = scene.unit(0, sheet("Afraid", Ld=8), at=(20, 10), models=1)
    scene.unit(1, sheet("Beasts", keywords=("INFANTRY", "SYNAPSE")), at=(40, 40), models=1)
    battle = scene.battle("command", dice=[3, 4, 3, 4])
    choose(battle, "option", 0)
    assert [battle.units.shocked[unit] for unit in (brave, afraid)] == [0, 1] or told(
        battle, "w10.command.battle-shock.test"
    )
    tests = told(battle, "w10.command.battle-shock.test")
    assert [(e["unit"], e["passed"]) for e in tests] == [(brave.row, True), (afraid.row, False)]
    play_until(battle)
    assert len([e for e in told(battle, "w10.datasheet.abilities") if e.get("name") == "Shadow in the Warp"]) == 1


@pytest.mark.parametrize(
    ("option", "keywords", "expected"),
    [
        ("Swarming Instincts", INFANTRY, [("Sustained Hits", 1)]),
        ("Swarming Instincts", ("SWARM",), [("Sustained Hits", 1)]),
        ("Swarming Instincts", VEHICLE, []),
        ("Hyper-aggression", VEHICLE, [("Lethal Hits", 0)]),
        ("Hyper-aggression", MONSTER, [("Lethal Hits", 0)]),
        ("Hyper-aggression", INFANTRY, []),
    ],
)
def test_hyper_adaptations(option: str, keywords: Sequence[str], expected: list[tuple[str, int]]) -> None:
    """Chosen before the first turn, for the whole battle."""
    scene = Scene()
    scene.army_rules[1].append(ADAPTATIONS)
    target = scene.unit(0, sheet("Foes", keywords=keywords), at=(30, 10), models=1)
    gaunts = scene.unit(1, "Termagants", at=(10, 10), gap=0.1)
    battle = scene.battle("command")
    pick(battle, option, kind="use-ability")
    assert changes(battle, gaunts, target, "ranged") == expected
    play_until(battle, "move-kind")
    assert changes(battle, gaunts, target, "ranged") == expected


# ---------------------------------------------------------------- choices of datasheets


def test_bladeguard_choose_swords_or_shields() -> None:
    for option, made, suffered in (
        ("Swords", [("re-roll hit rolls of 1", 0)], []),
        ("Shields", [], [("re-roll invulnerable saving throws of 1", 0)]),
    ):
        scene = Scene()
        guard = scene.unit(0, "Bladeguard Veteran Squad", at=(10, 10), gap=0.2)
        foes = scene.unit(1, sheet("Foes", weapons=FOES), at=(10, 12), models=1)
        battle = scene.battle("fight")
        pick(battle, option, kind="use-ability")
        assert changes(battle, guard, foes, "melee") == made
        assert changes(battle, foes, guard, "melee") == suffered


def test_finest_hour() -> None:
    """Once in a battle a Captain, and he alone, makes 3 more melee attacks with Devastating Wounds."""
    scene = Scene()
    squad = scene.unit(0, "Intercessor Squad", at=(10, 12), gap=0.3)
    captain = scene.unit(0, "Captain", at=(10, 10.2), leads=squad)
    foes = scene.unit(1, sheet("Foes", weapons=FOES, W=90, base_mm=60), at=(10, 7.5), models=1)
    battle = scene.battle("fight")
    assert kind(battle) == "use-ability"
    choose(battle, "own", squad.number)
    assert changes(battle, captain, foes, "melee") == [("Attacks", 3), ("Devastating Wounds", 0)]
    assert changes(battle, squad, foes, "melee") == []
    for _ in range(200):
        if battle.decision is None or battle.clock.round[0] > 2:
            break
        assert battle.decision.kind != "use-ability"
        battle.apply(battle.first_legal())


def test_hypnotic_gaze() -> None:
    scene = Scene()
    lord = scene.unit(0, "Broodlord", at=(10, 10))
    foes = scene.unit(1, sheet("Foes", weapons=FOES), at=(10, 12.2), models=1)
    far = scene.unit(1, sheet("Far", weapons=FOES), at=(30, 30), models=1)
    battle = scene.battle("fight")
    assert slots(battle, "enemy") == [foes.number]
    choose(battle, "enemy", foes.number)
    assert changes(battle, foes, lord, "melee") == [("hit rolls", -1)]
    assert changes(battle, far, lord, "melee") == []


def test_blessing_of_the_omnissiah() -> None:
    """A VEHICLE within 3" regains D3 wounds and hits better until the next Command phase."""
    scene = Scene()
    scene.unit(0, "Techmarine", at=(10, 10))
    tank = scene.unit(0, "Predator Destructor", at=(14, 10), wounds=[5])
    far = scene.unit(0, sheet("Far", keywords=VEHICLE), at=(40, 10), models=1)
    foes = scene.unit(1, sheet("Foes", keywords=VEHICLE), at=(40, 40), models=1)
    battle = scene.battle("command", dice=[3])
    assert slots(battle, "own") == [tank.number] and far.number not in slots(battle, "own")
    choose(battle, "own", tank.number)
    assert battle.models.wounds[tank.first] == 7  # a 3 is a D3 of 2
    assert changes(battle, tank, foes, "ranged") == [("hit rolls", 1)]


def test_self_repair() -> None:
    """A Rhino regains one lost wound in its player's Command phase, where it has lost any."""
    for wounds, after in ((9, 10), (10, 10)):
        scene = Scene()
        rhino = scene.unit(0, "Rhino", at=(10, 10), wounds=[wounds])
        scene.unit(1, sheet("Foes"), at=(40, 40), models=1)
        battle = scene.battle("command")
        assert battle.models.wounds[rhino.first] == after
        assert bool(told(battle, "w10.datasheet.abilities")) == (wounds < 10)


@pytest.mark.parametrize(
    ("name", "how", "expected"),
    [
        ("Exocrine", {"other": "Termagants"}, [("re-roll hit rolls of 1", 0)]),
        ("Razorback", {"other": "Scout Squad", "disembarked": 1}, [("re-roll wound rolls", 0)]),
        ("Razorback", {"other": "Scout Squad"}, []),
        ("Psychophage", {"other": "Termagants", "how": "melee", "near": True}, [("AP", 1)]),
        ("Psychophage", {"other": "Termagants", "near": True}, []),
    ],
)
def test_what_a_shooter_does_for_others(name: str, how: dict[str, Any], expected: list[tuple[str, int]]) -> None:
    """Symbiotic Targeting, Fire Support, Bio-stimulus: the unit that was hit is chosen; others attack it better from
    then on."""
    scene = Scene()
    shooter = scene.unit(0, name, at=(10, 10))
    other = scene.unit(0, how["other"], at=(10, 20), gap=0.1, disembarked=how.get("disembarked", 0))
    foes = scene.unit(1, sheet("Foes", W=90, T=12), at=(20 if how.get("near") else 30, 12), models=1)
    battle = scene.battle("shooting", dice=[6, 6, 6, 6, 6, 6, 6, 6, 6, 6])
    choose(battle, "own", shooter.number)
    assert told(battle, "w10.datasheet.abilities")[-1]["units"] == [foes.row]  # there is no other
    assert changes(battle, other, foes, how.get("how", "ranged")) == expected


@pytest.mark.parametrize(("keywords", "shocked"), [(INFANTRY, 1), (VEHICLE, 0)])
def test_pinning_bombardment(keywords: Sequence[str], shocked: int) -> None:
    """An INFANTRY unit that a Whirlwind hits takes a Battle-shock test."""
    scene = Scene()
    gun = scene.unit(0, "Whirlwind", at=(10, 10))
    foes = scene.unit(1, sheet("Foes", W=90, T=1, Ld=8, keywords=keywords), at=(30, 12), models=1)
    battle = scene.battle("shooting", dice=[1, 6, 6, 6, 6, 1, 1, 1, 1, 1, 1], rules=QUIET)
    choose(battle, "own", gun.number)
    tests = told(battle, "w10.command.battle-shock.test")
    assert [(e["unit"], e["passed"]) for e in tests] == [(foes.row, False)] * shocked


@pytest.mark.parametrize(
    ("name", "at", "leaves"),
    [("Raveners", 13.0, True), ("Raveners", 11.5, False), ("Scout Squad", 20.0, True), ("Scout Squad", 15.0, False)],
)
def test_units_that_go_back_to_reserves(name: str, at: float, leaves: bool) -> None:
    """At the end of the opponent's turn the unit may leave: Raveners that are not engaged, Scouts more than 6" from
    enemies."""
    scene = Scene()
    unit = scene.unit(0, name, at=(10, 10), gap=0.2, models=5)
    scene.unit(1, sheet("Foes"), at=(10, at), models=1)
    battle = scene.battle("fight", active=1)
    for _ in range(30):
        if kind(battle) == "use-ability" or battle.clock.turn[0] == 0 or battle.decision is None:
            break
        battle.apply(battle.first_legal())
    assert (kind(battle) == "use-ability") == leaves
    if not leaves:
        return
    assert battle.decision.player == 0
    choose(battle, "own", unit.number)
    assert battle.units.place[unit] == RESERVE and not battle.models.on_table[unit.first]


def test_feeder_tendrils() -> None:
    """A Lictor gains 1 CP for a CHARACTER that it destroys."""
    for keywords, cp in ((CHARACTER, 1), (INFANTRY, 0)):
        scene = Scene()
        scene.unit(0, "Lictor", at=(10, 10))
        scene.unit(1, sheet("Foes", keywords=keywords, Sv=6), at=(10, 12), models=1)
        scene.unit(1, sheet("Rest"), at=(40, 40), models=1)
        battle = scene.battle("fight", dice=[6] * 30)
        for _ in range(30):
            if battle.clock.phase[0] != 5 or battle.decision is None:
                break
            battle.apply(battle.first_legal())
        assert sum(e["gained"] for e in told(battle, "w10.command.cp-cap")) == cp


def test_vengeance_of_the_omnissiah() -> None:
    """A Techmarine within 12" of whom a friendly VEHICLE is destroyed has 3 more Attacks with his axe from then on."""
    for away, expected in ((11.0, [("Attacks", 3)]), (20.0, [])):
        scene = Scene()
        tech = scene.unit(0, "Techmarine", at=(10, 10))
        tank = scene.unit(0, sheet("Tank", keywords=VEHICLE, W=1, Sv=7), at=(10 + away, 10), models=1)
        gun = {"gun": ranged(40, A=1, BS=2, S=20, AP=-6, D=3)}
        foes = scene.unit(1, sheet("Foes", weapons=gun), at=(40, 10), models=1)
        battle = scene.battle("shooting", active=1, dice=[6, 6, 6])
        choose(battle, "own", foes.number)
        if kind(battle) == "shoot-target":
            choose(battle, "enemy", tank.number)
        assert not battle.models.alive[tank.first]
        assert changes(battle, tech, foes, "melee") == expected


def test_sticky_markers() -> None:
    """A marker within range of an Intercessor Squad at the end of its Command phase stays under control when the squad is gone."""
    for name, keeps in (("Intercessor Squad", True), ("Assault Intercessor Squad", False)):
        scene = Scene()
        squad = scene.unit(0, name, at=(30, 22), gap=0.2)
        foes = scene.unit(1, sheet("Foes"), at=(50, 5), models=1)
        scene.marker(30, 22)
        battle = scene.battle("command")
        play_until(battle, "move-kind")
        for k in range(squad.first, squad.first + 5):
            battle.models.y[k] -= 15
        battle.setup.ruleset.count_control(battle)
        assert battle.objectives.holder[0] == (0 if keeps else -1)
        battle.models.x[foes.first], battle.models.y[foes.first] = 30, 22
        battle.setup.ruleset.count_control(battle)
        assert battle.objectives.holder[0] == 1
        battle.models.x[foes.first] = 50
        battle.setup.ruleset.count_control(battle)
        assert battle.objectives.holder[0] == -1


def test_chitinous_horrors_halve_control() -> None:
    """An enemy with OC 3 engaged with Ripper Swarms counts 2."""
    for y, level in ((11.5, 2), (30.0, 3)):
        scene = Scene()
        scene.unit(0, "Ripper Swarms", at=(10, y), gap=0.1)
        scene.unit(1, sheet("Foes", OC=3), at=(10, 10), models=1)
        scene.marker(10, 10)
        battle = scene.battle("command", run=False)
        battle.setup.ruleset.count_control(battle)
        assert battle.objectives.level1[0] == level
        assert battle.models.control[battle.players.first_unit[1] and len(battle.models.rows) - 1] == 3


def test_omni_scramblers() -> None:
    powers = Scene()
    unit = powers.unit(0, "Infiltrator Squad", at=(10, 10), gap=0.2)
    powers.unit(1, sheet("Foes"), at=(40, 40), models=1)
    battle = powers.battle("movement", run=False)
    (power,) = battle.setup.statics["powers"]["arrivals"]
    assert (power.reach, power.enemies, unit.first in power.models) == (12.0, True, True)


def test_assault_vehicle() -> None:
    """Passengers get out of an Impulsor that Advanced and do not charge; out of a Rhino they do not get."""
    for name, cargo, out in (("Impulsor", "Intercessor Squad", True), ("Rhino", "Scout Squad", False)):
        scene = Scene()
        hull = scene.unit(0, name, at=(20, 20))
        squad = scene.unit(0, cargo, embarked_in=hull, models=5)
        scene.unit(0, sheet("Others"), at=(50, 10), models=1)
        scene.unit(1, sheet("Foes"), at=(50, 40), models=1)
        battle = scene.battle("movement", dice=[6])
        step(battle, "select-to-move", "own", hull.number)
        pick(battle, "Advance")
        while kind(battle) == "move-to":
            battle.apply(battle.first_legal())
        assert (squad.number in slots(battle, "own")) == out
        if not out:
            continue
        choose(battle, "own", squad.number)
        while kind(battle) not in ("select-to-move", "select-to-shoot", None) and battle.units.place[squad] != ON_TABLE:
            battle.apply(battle.first_legal())
        assert battle.units.place[squad] == ON_TABLE and not free_to_charge(battle, squad.row)


@pytest.mark.parametrize("name", ["Termagants", "Lieutenant with Combi-weapon"])
def test_moves_when_enemies_come_near(name: str) -> None:
    """Within 9" of an enemy that has moved the unit may move: D6", of the Lieutenant 6"."""
    for at, near in ((19.0, True), (24.0, False)):
        scene = Scene()
        unit = scene.unit(0, name, at=(10, 10), gap=0.1)
        mover = scene.unit(1, sheet("Foes", M=6), at=(10, at), models=1)
        battle = scene.battle("movement", active=1, dice=[4])
        step(battle, "select-to-move", "own", mover.number)
        pick(battle, "Normal move")
        cell = battle.setup.space.grid**2 // 2
        choose(battle, "cell", cell)
        assert (kind(battle) == "use-ability") == near
        if near:
            choose(battle, "own", unit.number)
            assert kind(battle) == "extra-move" and battle.legal()[0]
            battle.apply(int(battle.decision.options[-1]))
            assert told(battle, "w10.datasheet.abilities")[-1]["unit"] == unit.row


@pytest.mark.parametrize("moves", [True, False])
def test_winged_swarm(moves: bool) -> None:
    """Gargoyles move up to 6" after shooting, and do not charge then."""
    scene = Scene()
    unit = scene.unit(0, "Gargoyles", at=(10, 10), gap=0.1)
    foes = scene.unit(1, sheet("Foes", W=90), at=(10, 20), models=1)
    battle = scene.battle("shooting", rules=QUIET)
    choose(battle, "own", unit.number)
    step(battle, "shoot-target", "enemy", foes.number)
    assert kind(battle) == "use-ability"
    choose(battle, "own", unit.number)
    battle.apply(int(battle.decision.options[-1] if moves else 0))
    step(battle, "select-to-shoot", "done")
    assert (kind(battle) == "select-to-charge") != moves


def test_alien_cunning() -> None:
    """Up to three units are deployed anew before the first turn."""
    scene = Scene()
    scene.unit(0, "Broodlord", at=(10, 5), enhancement=ENHANCEMENTS["Alien Cunning"])
    gaunts = scene.unit(0, "Termagants", at=(20, 5), gap=0.1)
    scene.unit(1, sheet("Foes"), at=(10, 40), models=1)
    battle = scene.battle("command")
    assert kind(battle) == "use-ability" and gaunts.number in slots(battle, "own")
    choose(battle, "own", gaunts.number)
    assert kind(battle) == "deploy-to"
    battle.apply(int(battle.decision.options[-1]))
    assert battle.units.place[gaunts] == ON_TABLE
    assert kind(battle) == "use-ability"
    choose(battle, "done")
    assert kind(battle) == "use-ability"


# ---------------------------------------------------------------- Enhancements


def test_enhancements_of_one_model() -> None:
    """Artificer Armour: Save 2+, Feel No Pain 5+; Adaptive Biology: Feel No Pain 5+; of the bearer alone."""
    for name, leader, save in (("Artificer Armour", "Librarian", 2), ("Adaptive Biology", "Broodlord", 4)):
        scene = Scene()
        guards = scene.unit(0, "Intercessor Squad" if leader == "Librarian" else "Genestealers", at=(10, 12), gap=0.3)
        bearer = scene.unit(0, leader, at=(10, 8), leads=guards, enhancement=ENHANCEMENTS[name])
        scene.unit(1, sheet("Foes"), at=(40, 40), models=1)
        battle = scene.battle("shooting", run=False)
        protect(battle, guards.row, psychic=False)
        m = battle.models
        assert (m.save[bearer.first], m.feel_no_pain2[bearer.first]) == (save, 5)
        assert m.feel_no_pain2[guards.first] == 0


@pytest.mark.parametrize(("doctrine", "more", "again"), [("", 1, 0), ("Assault", 2, 0), ("Devastator", 1, 1)])
def test_the_honour_vehement_and_fire_discipline(doctrine: str, more: int, again: int) -> None:
    """Attacks and Strength, more under the Assault Doctrine; Sustained Hits, and Advance rolls made again under the
    Devastator Doctrine."""
    scene = Scene()
    scene.army_rules[0].append(DOCTRINES)
    squad = scene.unit(0, "Intercessor Squad", at=(10, 12), gap=0.3)
    captain = scene.unit(0, "Captain", at=(10, 10), leads=squad, enhancement=ENHANCEMENTS["The Honour Vehement"])
    other = scene.unit(0, "Intercessor Squad", at=(10, 32), gap=0.3)
    scene.unit(0, "Librarian", at=(10, 30), leads=other, enhancement=ENHANCEMENTS["Fire Discipline"])
    foes = scene.unit(1, sheet("Foes"), at=(40, 40), models=1)
    battle = scene.battle("command")
    pick(battle, doctrine, kind="use-ability") if doctrine else choose(battle, "done")
    assert changes(battle, captain, foes, "melee") == [*[("Attacks", 1)] * more, *[("Strength", 1)] * more]
    assert len(in_force(battle, other.row, "rerolled")) == again and not in_force(battle, squad.row, "rerolled")
    assert changes(battle, squad, foes, "melee") == []
    assert changes(battle, other, foes, "ranged") == [("Sustained Hits", 1)]
    assert changes(battle, other, foes, "melee") == []


@pytest.mark.parametrize("chosen", [True, False])
def test_adept_of_the_codex(chosen: bool) -> None:
    """Where its player chooses no Combat Doctrine, a CAPTAIN's unit alone has the Tactical one."""
    scene = Scene()
    scene.army_rules[0].append(DOCTRINES)
    captain = scene.unit(0, "Captain", at=(10, 10), enhancement=ENHANCEMENTS["Adept of the Codex"])
    scene.unit(1, sheet("Foes"), at=(10, 20), models=1)
    battle = scene.battle("command")
    assert len(slots(battle, "option")) == 3
    if chosen:
        pick(battle, "Devastator", kind="use-ability")
        assert kind(battle) != "use-ability"
        return
    choose(battle, "done")
    choose(battle, "own", captain.number)
    battle.units.moved[captain] = Moved.FELL_BACK
    settle_freedoms(battle)
    assert shooting_mode(battle, captain.row) == ALL_WEAPONS and free_to_charge(battle, captain.row)


def test_perfectly_adapted() -> None:
    """One roll of the bearer's unit in each turn is made again: the first hit roll that fails, not the second."""
    scene = Scene()
    gun = {"gun": ranged(24, A=2, BS=4)}
    data = sheet("Lord", keywords=CHARACTER, weapons=gun)
    lord = scene.unit(0, data, at=(10, 10), models=1, enhancement=ENHANCEMENTS["Perfectly Adapted"])
    scene.unit(1, sheet("Foes", W=90), at=(20, 10), models=1)
    battle = scene.battle("shooting", dice=[1, 1, 6, 1, 1])
    choose(battle, "own", lord.number)
    assert len(told(battle, "w10.concepts.reroll.optional")) == 1


# ---------------------------------------------------------------- Stratagems of Detachments


def under_attack(name: str, foe: str = "gun") -> tuple[Battle, UnitHandle, UnitHandle]:
    """A unit that is the target of attacks while its player has 1 CP, and can use the Stratagem on it."""
    scene = Scene()
    scene.army_rules[0].append(STRATAGEMS[name])
    unit = scene.unit(0, sheet("Squad", W=20, Sv=3, faction_keywords=["X"]), at=(10, 10), models=1)
    foes = scene.unit(1, sheet("Foes", weapons={"gun": ranged(24, A=1, BS=2, S=4, AP=-1)}), at=(20, 10), models=1)
    battle = scene.battle("shooting", active=1, cp=(1, 0), dice=[6, 6, 3, 6, 6], rules=QUIET)
    choose(battle, "own", foes.number)
    assert kind(battle) == "use-ability" and slots(battle, "own") == [unit.number]
    choose(battle, "own", unit.number)
    assert battle.players.cp[0] == 0
    return battle, unit, foes


def test_armour_of_contempt() -> None:
    """AP -1 is AP 0 for the attacks of one unit: a 3 saves on 3+."""
    battle, unit, foes = under_attack("Armour of Contempt")
    assert battle.models.wounds[unit.first] == 20
    assert told(battle, "w10.attack.save.roll")[0]["needed"] == 3
    assert battle.units.marks[unit] == 0 and foes.row  # it ended with the attacks


def test_rapid_regeneration() -> None:
    """Feel No Pain 6+ for the phase."""
    battle, _, _ = under_attack("Rapid Regeneration")
    assert [e["needed"] for e in told(battle, "w10.attack.feel-no-pain")] == [6]


@pytest.mark.parametrize(
    ("name", "phase", "cp", "how", "expected"),
    [
        ("Storm of Fire", "shooting", 1, "ranged", [("Ignores Cover", 0)]),
        ("Honour the Chapter", "fight", 1, "melee", [("Lance", 0)]),
    ],
)
def test_stratagems_on_attackers(name: str, phase: str, cp: int, how: str, expected: list[tuple[str, int]]) -> None:
    for had in (cp, cp - 1):
        scene = Scene()
        scene.army_rules[0].extend([DOCTRINES, STRATAGEMS[name]])
        unit = scene.unit(0, sheet("Squad", weapons=FOES), at=(10, 10), models=1)
        scene.unit(0, sheet("Others", weapons=FOES), at=(40, 10), models=1)
        foes = scene.unit(1, sheet("Foes", W=90), at=(10, 12 if phase == "fight" else 20), models=1)
        scene.unit(1, sheet("Rest", W=90), at=(40, 12 if phase == "fight" else 20), models=1)
        battle = scene.battle(phase, cp=(had, 0), rules=QUIET)
        asked = False
        choose(battle, "own", unit.number)
        for _ in range(8):
            if kind(battle) == "use-ability" or slots(battle, "own"):
                break
            battle.apply(int(battle.decision.options[-1]))
        asked = kind(battle) == "use-ability"
        assert asked == (had == cp)
        if asked:
            choose(battle, "own", unit.number)
            assert battle.players.cp[0] == 0
            assert changes(battle, unit, foes, how) == expected


def test_stratagems_of_the_command_phase() -> None:
    """Adaptive Strategy: a doctrine for one unit; Predatory Imperative: an adaptation for one; Endless Swarm: D3+3 models return."""
    scene = Scene()
    scene.army_rules[0].append(STRATAGEMS["Adaptive Strategy"])
    squad = scene.unit(0, sheet("Squad", weapons=FOES), at=(10, 10), models=1)
    scene.unit(1, sheet("Foes"), at=(10, 20), models=1)
    battle = scene.battle("command", cp=(1, 0))
    assert battle.describe(battle.first_legal()).startswith("no Adaptive Strategy")
    choose(battle, "own", squad.number)
    assert battle.players.cp[0] == 1 and kind(battle) != "use-ability"  # paid 1, gained 1; once in a phase
    battle.units.moved[squad] = Moved.ADVANCE
    settle_freedoms(battle)
    assert shooting_mode(battle, squad.row) == ALL_WEAPONS

    scene = Scene()
    scene.army_rules[0].append(STRATAGEMS["Predatory Imperative"])
    gaunts = scene.unit(0, "Termagants", at=(10, 10), gap=0.1)
    foes = scene.unit(1, sheet("Foes"), at=(10, 30), models=1)
    battle = scene.battle("command", cp=(1, 0))
    choose(battle, "own", gaunts.number)
    assert changes(battle, gaunts, foes, "ranged") == [("Sustained Hits", 1)]

    scene = Scene()
    scene.army_rules[0].append(STRATAGEMS["Endless Swarm"])
    gaunts = scene.unit(0, "Termagants", at=(10, 10), gap=0.1, lost=range(4, 10))
    scene.unit(1, sheet("Foes"), at=(10, 40), models=1)
    battle = scene.battle("command", cp=(1, 0), dice=[3])
    choose(battle, "own", gaunts.number)
    assert battle.units.alive[gaunts] == 4 + 5


def test_squad_tactics_and_overrun() -> None:
    scene = Scene()
    scene.army_rules[0].append(STRATAGEMS["Squad Tactics"])
    unit = scene.unit(0, sheet("Squad", keywords=INFANTRY), at=(10, 10), models=1)
    mover = scene.unit(1, sheet("Foes", M=6), at=(10, 19), models=1)
    battle = scene.battle("movement", active=1, dice=[4], cp=(1, 0), rules=QUIET)
    step(battle, "select-to-move", "own", mover.number)
    pick(battle, "Normal move")
    choose(battle, "cell", battle.setup.space.grid**2 // 2)
    choose(battle, "own", unit.number)
    assert kind(battle) == "extra-move" and battle.players.cp[0] == 0

    scene = Scene()
    scene.army_rules[0].extend([SYNAPSE, STRATAGEMS["Overrun"]])
    claws = {"claws": melee(5, WS=2, S=20, AP=-6, D=3)}
    unit = scene.unit(0, sheet("Squad", weapons=claws), at=(10, 10), models=1)
    scene.unit(0, sheet("Synapse", keywords=("INFANTRY", "SYNAPSE")), at=(10, 6), models=1)
    scene.unit(1, sheet("Foes"), at=(10, 12), models=1)
    scene.unit(1, sheet("Rest"), at=(40, 40), models=1)
    battle = scene.battle("fight", cp=(1, 0), dice=[6] * 10, rules=QUIET)
    for _ in range(6):
        if kind(battle) == "use-ability":
            break
        choose(battle, "own", unit.number) if slots(battle, "own") else battle.apply(battle.first_legal())
    choose(battle, "own", unit.number)
    assert kind(battle) == "extra-move" and battle.players.cp[0] == 0


@pytest.mark.parametrize(
    ("name", "at", "free"),
    [
        ("Captain", (10, 10), True), ("Captain in Terminator Armour", (10, 10), True), ("Hive Tyrant", (20, 10), True),
        ("Winged Hive Tyrant", (20, 10), True), ("Hive Tyrant", (50, 10), False),
    ],
)  # fmt: skip
def test_a_stratagem_that_costs_less(name: str, at: tuple[float, float], free: bool) -> None:
    """Rites of Battle on the Captain's own unit, Will of the Hive Mind on units within 12": once in a battle round, 1
    CP less."""
    scene = Scene()
    scene.army_rules[0].append(STRATAGEMS["Storm of Fire"])
    lord = scene.unit(0, name, at=at)
    gun = sheet("Squad", weapons={"gun": ranged(40, A=1)}, faction_keywords=["TYRANIDS"])
    unit = lord if "Captain" in name else scene.unit(0, gun, at=(10, 12), models=1)
    foes = scene.unit(1, sheet("Foes", W=90), at=(15, 22), models=1)
    battle = scene.battle("shooting", cp=(0, 0), rules=QUIET)
    choose(battle, "own", unit.number)
    if kind(battle) == "shoot-target":
        choose(battle, "enemy", foes.number)
    assert (kind(battle) == "use-ability") == free
    if free:
        choose(battle, "own", unit.number)
        assert battle.players.cp[0] == 0
        assert not battle.setup.ruleset.frees(battle, 0, unit.row)


# ---------------------------------------------------------------- exact odds, and what is told


def test_odds_by_the_abilities_of_both() -> None:
    """Melta rifles re-roll everything against a VEHICLE; a Redemptor suffers 1 less Damage; both only while abilities count."""
    there = Range("w10", "Eradicator Squad", "Predator Destructor")
    row = there.profiles("Melta rifle")[0]
    plain, able = (there.attack(row, Circumstances(abilities=b), 1).odds.mean_lost for b in (False, True))
    assert able > 1.5 * plain
    there = Range("w10", "Eradicator Squad", "Redemptor Dreadnought")
    row = there.profiles("Melta rifle")[0]
    assert ("Damage", -1) in there.changes(row, Circumstances())
    there = Range("w10", "Predator Destructor", "Redemptor Dreadnought")
    row = there.profiles("Predator autocannon")[0]
    plain, able = (there.attack(row, Circumstances(abilities=b), 1).odds.mean_lost for b in (False, True))
    assert able == pytest.approx(plain * 2 / 3, rel=0.01)  # 3 Damage, less 1
    there = Range("w10", "Bladeguard Veteran Squad", "Termagants")
    row = there.profiles("Master-crafted power weapon")[0]
    assert there.changes(row, Circumstances(chosen=("Swords",))) == [("re-roll hit rolls of 1", 0)]
    assert there.changes(row, Circumstances()) == []
    with pytest.raises(ContentError, match="states: 'happy' is not known"):
        Circumstances(states=("happy",)).near()


def test_at_most_a_tenth_is_told_as_inactive() -> None:
    sheets = [o for s in load_datasheets().values() for o in (*s.abilities.auras, *s.abilities.other)]
    armies = [rule for f in (ASTARTES, TYRANIDS) for rule in f.rules]
    parts = [
        each for f in (ASTARTES, TYRANIDS) for d in f.detachments for each in (*d.rules, *d.enhancements, *d.stratagems)
    ]
    every = [*sheets, *armies, *parts]
    assert sum(not each.active for each in every) <= len(every) / 10
    assert not load_datasheet("Hellblaster Squad").abilities.other[0].active
