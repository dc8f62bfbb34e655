"""Odds of whole units with their Leaders and Stratagems: against battles, against arithmetic."""

from __future__ import annotations

import numpy as np
import pytest
from volleys import chi_square, tables

from wh_env import Battle, ContentError
from wh_env.content.attack_odds import Circumstances, Range
from wh_env.content.game import Company
from wh_env.content.w10.load import load_faction
from wh_env.content.whole_odds import whole
from wh_env.core.tables import DICE
from wh_env.rulesets.w40k.attack.circumstances import Near
from wh_env.rulesets.w40k.attack.granting import number_in
from wh_env.rulesets.w40k.attack.machine import begin_group, begin_pending, begin_volley, resolve
from wh_env.rulesets.w40k.attack.whole_odds import whole_distribution
from wh_env.rulesets.w40k.attack_row import LOG_COLUMNS
from wh_env.rulesets.w40k.profiles import Keyword
from wh_env.testing import Scene, UnitHandle, choose, kind

PLAIN = Circumstances()
BATTLES = 2000
STRATAGEMS = {
    one.name: one
    for faction in ("Adeptus Astartes", "Tyranids")
    for detachment in load_faction(faction).detachments
    for one in detachment.stratagems
}


def shot_at(battle: Battle, squad: UnitHandle, handles: list[UnitHandle]) -> int:
    """Wounds that the enemy units lose to all shooting of a unit; the machine answers open choices by default."""
    m, phase = battle.models, battle.clock.phase[0]
    rows = [k for handle in handles for k in range(handle.first, handle.first + battle.units.count[handle.row])]
    before = sum(int(m.wounds[k]) for k in rows)
    choose(battle, "own", squad.number)
    while not battle.over and battle.clock.phase[0] == phase:
        if kind(battle) == "shoot-unit":
            break
        battle.apply(int(np.flatnonzero(battle.legal())[0]))
    return before - sum(int(m.wounds[k]) for k in rows if m.alive[k])


def scene_of(attacker: str, target: str, company: Company) -> tuple[Battle, UnitHandle, list[UnitHandle]]:
    """A battle that waits for the shooting of a unit at another one in the open, 11" away."""
    scene = Scene()
    scene.army_rules = tuple(tuple(STRATAGEMS[name] for name in company.stratagems) for _ in (0, 1))
    squad = scene.unit(0, attacker, at=(20, 10), gap=0.1)
    if company.leader:
        scene.unit(0, company.leader, at=(20, 7), leads=squad)
    targets = [scene.unit(1, target, at=(20, 22), gap=0.1)]
    if company.target_leader:
        targets.append(scene.unit(1, company.target_leader, at=(20, 26), leads=targets[0]))
    battle = scene.battle("shooting")
    for name in company.stratagems:
        bits = sum(bit for bit, mark in battle.setup.statics["mark_names"].items() if mark == name)
        for row in (squad.row, targets[0].row):
            battle.units.marks[row] = int(battle.units.marks[row]) | bits
    return battle, squad, targets


PAIRS = [
    ("Intercessor Squad", "Genestealers", Company("Lieutenant", "Broodlord")),
    ("Intercessor Squad", "Intercessor Squad", Company("Captain", "Captain", stratagems=("Armour of Contempt",))),
    ("Predator Destructor", "Intercessor Squad", Company(None, "Captain")),
    ("Termagants", "Hellblaster Squad", Company(None, "Lieutenant")),
]


@pytest.mark.parametrize(("attacker", "target", "company"), PAIRS)
def test_battles_follow_the_odds(attacker, target, company):
    there = Range("w10", attacker, target, company=company)
    odds = whole(there, "shooting", Circumstances(half_range=True, stationary=True)).odds
    battle, squad, targets = scene_of(attacker, target, company)
    counts = np.zeros(len(odds.lost))
    for seed in range(BATTLES):
        counts[shot_at(battle.clone(seed), squad, targets)] += 1
    assert odds.lost.sum() == pytest.approx(1.0) and odds.killed.sum() == pytest.approx(1.0)
    assert chi_square(counts, odds.lost) > 0.001


@pytest.mark.parametrize(
    ("attacker", "target", "weapon"),
    [
        ("Hellblaster Squad", "Terminator Squad", "Plasma incinerator (standard)"),
        ("Hellblaster Squad", "Tyrannofex", "Plasma incinerator (supercharge)"),  # shrugs off the first damage
        ("Lieutenant", "Intercessor Squad", "Neo-volkite pistol"),  # Devastating Wounds
        ("Terminator Squad", "Termagants", "Cyclone missile launcher (frag)"),
    ],
)
def test_a_whole_of_one_volley_is_that_volley(attacker, target, weapon):
    """Both ways of reckoning agree, and as many attacks in two volleys do the same."""
    there = Range("w10", attacker, target)
    row, rules = there.profiles(weapon)[0], there.setup.statics["attack_rules"]
    single = there.attack(row, PLAIN, 4).odds
    assert single.lost[0] < 0.99
    for volleys in ([4], [1, 3]):
        odds = whole_distribution([there.volley(row, PLAIN, n) for n in volleys], there.parts, rules)
        assert odds.lost == pytest.approx(single.lost, abs=1e-12) and odds.killed == pytest.approx(single.killed)


def test_what_models_attack_with():
    """Rifles and not Pistols of INFANTRY; all guns of a VEHICLE; the Leader last."""
    there = Range("w10", "Intercessor Squad", "Termagants", company=Company("Lieutenant", attackers=10))
    found = whole(there, "shooting", PLAIN)
    assert [(part.owner, part.weapon, part.attackers) for part in found.parts] == [
        ("Intercessor Squad", "Bolt rifle", 10),
        ("Lieutenant", "Master-crafted bolter", 1),
    ]
    # Target Elimination: two more attacks each at one target; the Lieutenant gives Lethal Hits to himself and the squad
    near = [part.volley.near for part in found.parts]
    assert number_in(near[0], int(Near.ATTACKS)) == 2 and number_in(near[1], int(Near.ATTACKS)) == 0
    assert all(each & Near.LETHAL_HITS for each in near)
    alone = Range("w10", "Intercessor Squad", "Termagants")
    assert not whole(alone, "shooting", PLAIN).parts[0].volley.near & Near.LETHAL_HITS
    tank = Range("w10", "Predator Destructor", "Termagants")
    assert len(whole(tank, "shooting", PLAIN).parts) > 1
    assert whole(there, "melee", PLAIN).parts[1].owner == "Lieutenant"


def test_the_leader_of_the_target_is_attacked_last():
    """Five models of 2 wounds and T4, then a Captain of 5 with his own invulnerable save; both count as models destroyed."""
    there = Range("w10", "Hellblaster Squad", "Intercessor Squad", company=Company(None, "Captain"))
    bodyguard, leader = there.parts
    assert (bodyguard.models, bodyguard.wounds, bodyguard.invulnerable) == (5, 2, 0)
    assert (leader.models, leader.wounds, leader.invulnerable) == (1, 5, 4)
    assert bodyguard.keywords == leader.keywords == there.target.keywords
    row = there.profiles("Plasma incinerator (standard)")[0]
    led = there.attack(row, PLAIN, 5).odds
    plain = Range("w10", "Hellblaster Squad", "Intercessor Squad").attack(row, PLAIN, 5).odds
    assert len(led.killed) == 7 and len(led.lost) == 16
    assert led.lost[:10] == pytest.approx(plain.lost[:10])  # until the last Bodyguard model is gone it is all the same
    assert led.lost[10:].sum() == pytest.approx(plain.lost[10])


def test_stratagems_of_either_side():
    """AP -1 of rifles is AP 0 against Armour of Contempt; Feel No Pain 6+ saves a sixth; cover that is ignored is none."""

    def mean(attacker: str, target: str, weapon: str, *stratagems: str, **how: bool) -> float:
        there = Range("w10", attacker, target, company=Company(stratagems=stratagems))
        return there.attack(there.profiles(weapon)[0], Circumstances(**how), 1).odds.mean_lost

    rifle = ("Intercessor Squad", "Intercessor Squad", "Bolt rifle")
    assert mean(*rifle, "Armour of Contempt") == pytest.approx(mean(*rifle) * 2 / 3)
    assert mean(*rifle, "storm of fire", cover=True) == pytest.approx(mean(*rifle))
    assert mean(*rifle, cover=True) < mean(*rifle)
    beasts = ("Intercessor Squad", "Termagants", "Bolt pistol")
    assert mean(*beasts, "Rapid Regeneration") == pytest.approx(mean(*beasts) * 5 / 6)
    claws = ("Genestealers", "Intercessor Squad", "Genestealer claws and talons")
    assert mean(*claws, "Predatory Imperative: Swarming Instincts") > mean(*claws)
    assert mean(*claws, "Predatory Imperative: Hyper-aggression") == pytest.approx(mean(*claws))
    assert mean(*claws, "Adrenal Surge") == pytest.approx(mean(*claws))  # without anything that Critical Hits do


def test_what_does_not_fit_is_told_in_one_line():
    for ruleset, company, message in (
        ("w10", Company("Broodlord"), "'Broodlord' cannot lead it; expected a Leader of Intercessor Squad"),
        ("w10", Company("Liutenant"), "did you mean 'Lieutenant'"),
        ("w10", Company(attackers=7000), "models are no unit; expected 5 to 10 for Intercessor Squad"),
        ("w10", Company(stratagems=("Squad Tactics",)), "stratagem: 'Squad Tactics' is not known; expected one of"),
        ("w10", Company(stratagems=("Predatory Imperative",)), "did you mean 'Predatory Imperative"),
        ("w9", Company(), "has no odds of whole units, Leaders and Stratagems; expected one of w10"),
    ):
        with pytest.raises(ContentError, match=message) as caught:
            Range(ruleset, "Intercessor Squad", "Termagants", company=company)
        assert "\n" not in str(caught.value)
    there = Range("w10", "Intercessor Squad", "Termagants", company=Company())
    for phase, how, message in (
        ("psychic", PLAIN, "expected one of melee, shooting"),
        ("melee", Circumstances(another=True), "is left out of whole units"),
    ):
        with pytest.raises(ContentError, match=message):
            whole(there, phase, how)
    with pytest.raises(ContentError, match="a phase that the unit has weapons for"):
        whole(Range("w10", "Genestealers", "Termagants", company=Company()), "shooting", PLAIN)


def test_rolled_melee_follows_the_odds():
    """Genestealers and a Broodlord, whose unit has Devastating Wounds, with Adrenal Surge at Intercessors and their Captain: the machine's dice."""
    company = Company("Broodlord", "Captain", stratagems=("Adrenal Surge",))
    there = Range("w10", "Genestealers", "Intercessor Squad", company=company)
    found = whole(there, "melee", PLAIN)
    assert all(part.volley.near & Near.DEVASTATING_WOUNDS for part in found.parts)
    weapons = np.concatenate([part.volley.weapons for part in found.parts])
    guard, leader = there.parts
    models, units, _, jobs, attack, rules = tables(weapons, sum(p.attackers for p in found.parts), 0, guard)
    models = np.concatenate([models, models[-1:]])
    models["wounds"][-1] = models["max_wounds"][-1] = leader.wounds
    models["invulnerable"][-1], models["datasheet"][-1] = leader.invulnerable, 2
    models["keywords"][-1], models["keywords"][1:-1] = int(Keyword.CHARACTER), 0
    units = np.concatenate([units, units[-1:]])
    units["leader"][1], units["bodyguard"][2], units["first"][2], units["count"][2] = 2, 1, 1 + guard.models, 1
    jobs["group"] = np.repeat(np.arange(len(found.parts)), [p.attackers for p in found.parts])
    jobs["weapon"], jobs["near"] = jobs["group"], [found.parts[k].volley.near for k in jobs["group"]]
    dice, log = np.zeros(1, DICE), np.zeros((0, LOG_COLUMNS), np.int32)
    dice["seed_low"], script, casualties = 2024, np.zeros(1, np.int32), np.zeros(64, np.int32)
    start = models.copy(), units.copy()
    counts = np.zeros(len(found.odds.lost))
    for _ in range(3 * BATTLES):
        models[:], units[:] = start
        jobs["attacks"], attack[0]["casualties"] = -1, 0
        begin_volley(attack, 0)
        state = models, units, weapons, jobs, attack, rules, dice, script, log, casualties
        for group in range(len(found.parts)):
            begin_group(units, jobs, attack, group)
            resolve(*state)
        begin_pending(attack)
        resolve(*state)
        counts[int((start[0]["wounds"] - models["wounds"])[1:].sum())] += 1
    assert chi_square(counts, found.odds.lost) > 0.001
