"""What abilities make of attacks: the dice of the machine follow the exact distribution, and numbers by hand."""

from __future__ import annotations

import numpy as np
import pytest
from volleys import (
    ATTACKS,
    DAEMON,
    GUARD,
    MARINE,
    MELTA,
    PLAGUE,
    TANK,
    TERMINATOR,
    WALKER,
    chi_square,
    simulate,
    tables,
)

from wh_env.core.tables import DICE
from wh_env.rulesets.w10.numbers import ATTACK_NUMBERS
from wh_env.rulesets.w40k.attack.circumstances import AMOUNTS, Near, amount_of
from wh_env.rulesets.w40k.attack.granting import CHANGES, FLAGS, NUMBERS, STEPS, number_in, put, with_changes
from wh_env.rulesets.w40k.attack.odds import Target, damage_distribution, mean_wounds
from wh_env.rulesets.w40k.attack_row import LOG_COLUMNS
from wh_env.rulesets.w40k.profiles import WeaponAbility as W
from wh_env.testing.weapon_rows import gun

BOLT = gun(a=2, ap=-1)
CANNON = gun(a=2, s=9, ap=-2, d=(1, 6, 1))
LASER = gun(W.SUSTAINED_HITS | W.HEAVY, a=3, s=7, ap=-2, d=3, sustained=1)
BLADE = gun(W.LETHAL_HITS, a=(1, 6, 2), bs=4, s=5, ap=-1, d=2, melee=1)
CLAW = gun(W.TWIN_LINKED, a=4, s=6, ap=0, d=(1, 3, 0), melee=1)

CHANGED = (
    [("re-roll hit rolls", 0)],
    [("re-roll failed hit rolls", 0), ("hit rolls", -1)],
    [("re-roll hit rolls of 1", 0), ("re-roll wound rolls", 0)],
    [("re-roll wound rolls", 0), ("re-roll damage rolls", 0)],
    [("re-roll damage rolls of 1", 0)],
    [("re-roll saving throws", 0)],
    [("re-roll saving throws of 1", 0), ("saving throws", 1)],
    [("Lethal Hits", 0), ("Critical Hits on 5+", 0)],
    [("Sustained Hits", 2), ("Critical Hits on 5+", 0), ("hit rolls", -1)],
    [("Devastating Wounds", 0)],
    [("Devastating Wounds", 0), ("Critical Wounds on 5+", 0), ("re-roll wound rolls", 0)],
    [("Devastating Wounds", 0), ("Damage", -1), ("Damage", 1)],
    [("Lance", 0), ("Strength", 1)],
    [("Ignores Cover", 0), ("AP", 1)],
    [("ignore modifiers", 0), ("hit rolls", -2)],
    [("halve Damage", 0)],
    [("halve Damage", 0), ("Damage", -1)],
    [("halve Damage", 0), ("Damage", 1)],
    [("Damage", -1)],
    [("Damage", 2), ("Attacks", 3)],
    [("Attacks", -1), ("wound rolls", 1)],
    [("Attacks", -7)],
    [("AP", -1), ("Strength", -2), ("re-roll wound rolls of 1", 0)],
    [("AP", 2), ("re-roll hit rolls", 0), ("Sustained Hits", 1)],
    [("Sustained Hits", 3), ("Lethal Hits", 0)],
    [("Strength", 4), ("wound rolls", -1), ("Benefit of Cover", 0)],
    [("re-roll invulnerable saving throws of 1", 0)],
)
WITH = (
    ("bolt", BOLT, 4, MARINE, 0),
    ("cannon", CANNON, 2, TANK, int(Near.COVER)),
    ("laser", LASER, 2, TERMINATOR, int(Near.STATIONARY)),
    ("blade", BLADE, 2, PLAGUE, int(Near.CHARGED)),
    ("claw", CLAW, 3, WALKER, int(Near.CHARGED)),
    ("melta", MELTA, 2, WALKER, int(Near.HALF_RANGE)),
)
PAIRS = {
    f"{name}: {', '.join(f'{what} {by}' for what, by in changes)}": (
        weapon,
        attackers,
        with_changes(near, changes),
        target,
    )
    for at, changes in enumerate(CHANGED)
    for name, weapon, attackers, target, near in (WITH[at % 6], WITH[(at + 1) % 6], WITH[(at + 3) % 6])
}


def test_there_are_enough_pairs_and_each_change_is_in_one():
    assert len(PAIRS) >= 60
    assert {name for changes in CHANGED for name, _ in changes} >= set(CHANGES) - {"Precision", "Stealth"}


@pytest.mark.parametrize("name", PAIRS)
def test_dice_follow_the_exact_distribution(name):
    weapon, attackers, near, target = PAIRS[name]
    rows = tables(weapon, attackers, near, target)
    odds = damage_distribution(weapon, 0, attackers, near, target, rows[-1])
    assert odds.lost.sum() == pytest.approx(1.0, abs=1e-12)
    dice = np.zeros(1, DICE)
    dice["seed_low"], dice["seed_high"] = 1957, list(PAIRS).index(name)
    killed, lost = np.zeros(len(odds.killed), np.int64), np.zeros(len(odds.lost), np.int64)
    log = np.zeros((0, LOG_COLUMNS), np.int32)
    script, casualties = np.zeros(1, np.int32), np.zeros(64, np.int32)
    volleys = ATTACKS // (16 * attackers)
    simulate(*rows, dice, script, log, casualties, volleys, killed, lost)
    assert chi_square(lost, odds.lost) > 0.001
    assert chi_square(killed, odds.killed) > 0.001


BY_HAND = (  # S4 AP-1 D1 shots of BS 3+ at T4 Sv 3+: 2/3 hit, 1/2 wound, 1/2 are not saved
    ([], 2 / 3 / 2 / 2),
    ([("re-roll hit rolls", 0)], 8 / 9 / 2 / 2),
    ([("re-roll failed hit rolls", 0)], 8 / 9 / 2 / 2),
    ([("re-roll failed hit rolls", 0), ("hit rolls", -1)], (1 / 2 + 1 / 3 / 2) / 2 / 2),
    ([("re-roll hit rolls", 0), ("hit rolls", -1)], (1 / 2 + 1 / 2 / 2) / 2 / 2),
    ([("re-roll hit rolls of 1", 0)], 7 / 9 / 2 / 2),
    ([("re-roll wound rolls", 0)], 2 / 3 * 3 / 4 / 2),
    ([("re-roll saving throws", 0)], 2 / 3 / 2 / 4),
    ([("re-roll saving throws of 1", 0)], 2 / 3 / 2 * (1 / 2 - 1 / 12)),
    ([("hit rolls", 1)], 5 / 6 / 2 / 2),
    ([("hit rolls", -1), ("ignore modifiers", 0)], 2 / 3 / 2 / 2),
    ([("hit rolls", -2)], 1 / 2 / 2 / 2),
    ([("wound rolls", 1)], 2 / 3 * 2 / 3 / 2),
    ([("saving throws", 1)], 2 / 3 / 2 / 3),
    ([("Strength", 1)], 2 / 3 * 2 / 3 / 2),
    ([("Strength", 4)], 2 / 3 * 5 / 6 / 2),
    ([("Strength", -2)], 2 / 3 / 6 / 2),
    ([("AP", 1)], 2 / 3 / 2 * 2 / 3),
    ([("AP", -1)], 2 / 3 / 2 / 3),
    ([("AP", -3)], 2 / 3 / 2 / 3),
    ([("Attacks", 2)], 3 * 2 / 3 / 2 / 2),
    ([("Attacks", -2)], 2 / 3 / 2 / 2),
    ([("Damage", 2)], 3 * 2 / 3 / 2 / 2),
    ([("Damage", -1)], 2 / 3 / 2 / 2),
    ([("Lethal Hits", 0)], (1 / 2 * 1 / 2 + 1 / 6) / 2),
    ([("Sustained Hits", 1)], (2 / 3 + 1 / 6) / 2 / 2),
    ([("Critical Hits on 5+", 0), ("Sustained Hits", 1)], (2 / 3 + 1 / 3) / 2 / 2),
    ([("Devastating Wounds", 0)], 2 / 3 * (1 / 3 / 2 + 1 / 6)),
    ([("Critical Wounds on 5+", 0), ("Devastating Wounds", 0)], 2 / 3 * (1 / 6 / 2 + 1 / 3)),
)


@pytest.mark.parametrize(("changes", "mean"), BY_HAND)
def test_by_hand(changes, mean):
    """Of one attack at a target that wastes nothing; the quick estimate says the same."""
    target = Target(4, 3, wounds=400)
    near = with_changes(0, changes)
    weapon = gun(a=1, ap=-1)
    assert damage_distribution(weapon, 0, 1, near, target, ATTACK_NUMBERS).mean_lost == pytest.approx(mean)
    models, units, weapons, _, _, rules = tables(weapon, 1, near, target)
    assert mean_wounds(models, units, weapons, rules, 0, 1, near) == pytest.approx(mean)


def test_ones_of_damage_and_halves_by_hand():
    """D6: a 1 made again is 3.5; halved and rounded up 1, 1, 2, 2, 3, 3; below the average made again (3.5 + 5) / 2."""
    weapon, target = gun(W.TORRENT, a=1, s=8, d=(1, 6, 0)), Target(4, 0, wounds=400)
    for changes, mean in (
        ([("re-roll damage rolls of 1", 0)], 20 / 6 + 3.5 / 6),
        ([("re-roll damage rolls", 0)], 15 / 6 + 3.5 / 2),
        ([("halve Damage", 0)], 2),
        ([("halve Damage", 0), ("Damage", -1)], (1 + 1 + 1 + 1 + 2 + 2) / 6),
        ([("Damage", -2)], (1 + 1 + 1 + 2 + 3 + 4) / 6),
    ):
        near = with_changes(0, changes)
        odds = damage_distribution(weapon, 0, 1, near, target, ATTACK_NUMBERS)
        assert odds.mean_lost == pytest.approx(mean * 5 / 6)


def test_numbers_stand_beside_each_other():
    """Each number is read as it was put in, whatever stands beside it, and is cut off where there is no room."""
    for lowest, (width, both) in AMOUNTS.items():
        least, most = (-(1 << width - 1), (1 << width - 1) - 1) if both else (0, (1 << width) - 1)
        for value in range(least, most + 1):
            near = put((1 << 63) - 1, lowest, value)
            assert number_in(near, lowest) == amount_of(near, lowest, width, both) == value
            assert near | put(0, lowest, -1 if both else most) == (1 << 63) - 1
        assert number_in(put(0, lowest, most + 5), lowest) == most
    assert set(CHANGES) == {*FLAGS, *STEPS, *NUMBERS}


def test_modifiers_cancel_out():
    assert with_changes(0, [("hit rolls", 1), ("hit rolls", -1)]) == 0
    assert with_changes(int(Near.HIT_MINUS), [("hit rolls", 2)]) == int(Near.HIT_PLUS)
    assert with_changes(0, [("AP", 1), ("AP", -1)]) == 0
    both = with_changes(0, [("hit rolls", 1), ("hit rolls", -1), ("ignore modifiers", 0)])
    assert both == int(Near.HIT_PLUS | Near.IGNORES_MODIFIERS)


def test_daemons_and_guard_are_unlike():
    """The granted rules meet the target's own: a save of 5+ that AP does not touch is rolled again all the same."""
    again = with_changes(0, [("re-roll saving throws", 0)])
    for target, fails in ((DAEMON, 4 / 6), (GUARD, 5 / 6)):
        odds = [damage_distribution(BOLT, 0, 1, near, target, ATTACK_NUMBERS).mean_lost for near in (0, again)]
        assert odds[1] / odds[0] == pytest.approx(fails, rel=0.02)
