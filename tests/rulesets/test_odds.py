"""Dice against arithmetic: volleys of the attack machine have exactly the distribution that ``odds`` computes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from volleys import (
    ATTACKS,
    BOLT,
    DAEMON,
    GHOUL,
    GUARD,
    INFANTRY,
    MARINE,
    MELTA,
    PLAGUE,
    SHADOW,
    TANK,
    TERMINATOR,
    VEHICLE,
    WALKER,
    chi_square,
    simulate,
    tables,
)

from wh_env.core.tables import DICE
from wh_env.rulesets.w10.numbers import ATTACK_NUMBERS
from wh_env.rulesets.w40k.attack.odds import (
    Target,
    chance_of_sum,
    damage_distribution,
    dice_sum,
    expected_wounds,
    mean_wounds,
)
from wh_env.rulesets.w40k.attack.rolls import BLAST_SHIFT, Near
from wh_env.rulesets.w40k.attack_row import LOG_COLUMNS
from wh_env.rulesets.w40k.profiles import WeaponAbility as W
from wh_env.testing.weapon_rows import gun

HALF, COVER = Near.HALF_RANGE, Near.COVER


SUSTAINED = gun(W.SUSTAINED_HITS, a=3, sustained=1)
EVERYTHING = gun(
    W.SUSTAINED_HITS | W.LETHAL_HITS | W.DEVASTATING_WOUNDS | W.TWIN_LINKED | W.ANTI,
    a=(1, 6, 1),
    d=(1, 3, 0),
    ap=-1,
    sustained=(1, 3, 0),
    anti={5: INFANTRY},
)

PAIRS = {
    "lasguns, guard": (gun(bs=4, s=3), 10, 0, GUARD),
    "rapid lasguns, guard in cover": (gun(W.RAPID_FIRE, bs=4, s=3, rapid_fire=1), 10, HALF | COVER, GUARD),
    "bolters, marines": (BOLT, 5, 0, MARINE),
    "bolters, marines in cover": (BOLT, 5, COVER, MARINE),
    "bolters, terminators": (BOLT, 10, 0, TERMINATOR),
    "bolters, plague": (BOLT, 10, 0, PLAGUE),
    "bolters, daemons": (BOLT, 5, 0, DAEMON),
    "bolters, shadows": (BOLT, 4, 0, SHADOW),
    "heavy bolters, shadows": (gun(W.HEAVY | W.SUSTAINED_HITS, a=3, s=5, ap=-1, d=2, sustained=1), 3, 16, SHADOW),
    "melta, tank": (MELTA, 3, HALF, TANK),
    "melta from afar, walker": (MELTA, 3, 0, WALKER),
    "lascannon, tank": (gun(s=12, ap=-3, d=(1, 6, 1)), 4, 0, TANK),
    "flamers, guard": (gun(W.TORRENT | W.IGNORES_COVER, a=(1, 6, 0), bs=0), 3, COVER, GUARD),
    "flamers with sustained hits, daemons": (gun(W.TORRENT | W.SUSTAINED_HITS, a=3, sustained=2), 2, 0, DAEMON),
    "frag, guard": (gun(W.BLAST, a=(1, 6, 0)), 2, 2 << BLAST_SHIFT, GUARD),
    "mortar unseen, guard": (
        gun(W.BLAST | W.INDIRECT_FIRE, a=(1, 3, 0), bs=4, s=5),
        3,
        Near.UNSEEN | 2 << BLAST_SHIFT,
        GUARD,
    ),
    "sustained, marines": (SUSTAINED, 4, 0, MARINE),
    "sustained, overwatch": (SUSTAINED, 10, Near.SNAP, MARINE),
    "random sustained, guard": (gun(W.SUSTAINED_HITS, a=4, sustained=(1, 3, 0)), 3, 0, GUARD),
    "lethal, tank": (gun(W.LETHAL_HITS, a=4, s=4, ap=-2, d=2), 4, 0, TANK),
    "lethal and sustained, terminators": (
        gun(W.LETHAL_HITS | W.SUSTAINED_HITS, a=4, sustained=1),
        5,
        0,
        TERMINATOR,
    ),
    "devastating, marines": (gun(W.DEVASTATING_WOUNDS, a=4, d=3), 3, 0, MARINE),
    "devastating, ghouls": (gun(W.DEVASTATING_WOUNDS, a=4, d=(1, 3, 0)), 3, 0, GHOUL),
    "devastating melta, plague": (gun(W.DEVASTATING_WOUNDS | W.MELTA, a=2, s=8, d=(1, 6, 0), melta=2), 2, HALF, PLAGUE),
    "anti-vehicle, walker": (gun(W.ANTI, a=3, s=4, ap=-2, d=3, anti={4: VEHICLE}), 3, 0, WALKER),
    "anti and devastating, terminators": (
        gun(W.ANTI | W.DEVASTATING_WOUNDS, a=2, d=2, anti={3: INFANTRY}),
        3,
        0,
        TERMINATOR,
    ),
    "twin-linked, tank": (gun(W.TWIN_LINKED, a=2, s=9, ap=-3, d=(1, 6, 0)), 2, 0, TANK),
    "twin-linked devastating, marines": (gun(W.TWIN_LINKED | W.DEVASTATING_WOUNDS, a=4, d=2), 2, 0, MARINE),
    "lance charge, walker": (gun(W.LANCE, a=4, bs=2, s=7, ap=-2, d=2, melee=1), 2, Near.CHARGED, WALKER),
    "re-rolled ones, marines": (BOLT, 5, Near.REROLL_HIT_ONES | Near.REROLL_WOUND_ONES, MARINE),
    "worst modifiers, guard": (gun(a=4, bs=6, s=1), 5, Near.HIT_MINUS | Near.WOUND_MINUS | Near.SAVE_PLUS, GUARD),
    "best modifiers, terminators": (gun(a=4, bs=2, s=10, ap=-6), 2, Near.HIT_PLUS | Near.WOUND_PLUS, TERMINATOR),
    "random attacks and damage, ghouls": (gun(a=(2, 6, 0), d=(2, 3, 0)), 1, 0, GHOUL),
    "rapid D3, marines": (gun(W.RAPID_FIRE, a=1, rapid_fire=(1, 3, 0)), 3, HALF, MARINE),
    "rapid D3 from afar, marines": (gun(W.RAPID_FIRE, a=2, rapid_fire=(1, 3, 0)), 3, 0, MARINE),
    "rapid D6+1 and D3 attacks, guard": (gun(W.RAPID_FIRE, a=(1, 3, 0), rapid_fire=(1, 6, 1)), 2, HALF, GUARD),
    "melta D3, walker": (gun(W.MELTA, s=9, ap=-4, d=(1, 6, 0), melta=(1, 3, 0)), 3, HALF, WALKER),
    "melta D6+1 on fixed damage, terminators": (
        gun(W.MELTA, a=3, s=9, ap=-4, d=1, melta=(1, 6, 1)),
        2,
        HALF,
        TERMINATOR,
    ),
    "devastating melta D3, plague": (
        gun(W.DEVASTATING_WOUNDS | W.MELTA, a=2, s=8, d=(1, 6, 0), melta=(1, 3, 0)),
        2,
        HALF,
        PLAGUE,
    ),
    "sustained D3, marines": (gun(W.SUSTAINED_HITS, a=4, sustained=(1, 3, 0)), 3, 0, MARINE),
    "sustained D3+1, terminators": (gun(W.SUSTAINED_HITS, a=4, ap=-2, sustained=(1, 3, 1)), 3, 0, TERMINATOR),
    "strength D6+2, marines": (gun(a=4, s=(1, 6, 2), ap=-1), 3, 0, MARINE),
    "strength 2D6, walker": (gun(a=3, s=(2, 6, 0), ap=-3, d=(1, 3, 0)), 3, 0, WALKER),
    "strength 2D6 twin-linked devastating, plague": (
        gun(W.TWIN_LINKED | W.DEVASTATING_WOUNDS, a=3, s=(2, 6, 0), d=2),
        2,
        0,
        PLAGUE,
    ),
    "strength 3D3, lethal and sustained, re-rolled ones": (
        gun(W.LETHAL_HITS | W.SUSTAINED_HITS, a=4, s=(3, 3, 0), sustained=1),
        3,
        Near.REROLL_WOUND_ONES,
        MARINE,
    ),
    "two antis, walker": (gun(W.ANTI, a=3, s=4, ap=-2, d=3, anti={2: INFANTRY, 4: VEHICLE}), 3, 0, WALKER),
    "two antis, devastating, terminators": (
        gun(W.ANTI | W.DEVASTATING_WOUNDS, a=3, s=3, d=2, anti={3: INFANTRY, 5: VEHICLE}),
        3,
        0,
        TERMINATOR,
    ),
    "two antis that both apply, guard": (gun(W.ANTI, a=3, s=1, anti={3: INFANTRY | VEHICLE, 5: INFANTRY}), 3, 0, GUARD),
    "all that is random, plague": (
        gun(
            W.RAPID_FIRE | W.MELTA | W.SUSTAINED_HITS | W.ANTI | W.DEVASTATING_WOUNDS | W.TWIN_LINKED,
            a=(1, 3, 0),
            s=(1, 6, 2),
            ap=-1,
            d=1,
            rapid_fire=(1, 3, 0),
            melta=(1, 3, 0),
            sustained=(1, 3, 0),
            anti={5: INFANTRY, 4: VEHICLE},
        ),
        2,
        HALF,
        PLAGUE,
    ),
    "everything, plague": (EVERYTHING, 2, Near.REROLL_HIT_ONES | COVER, PLAGUE),
    "everything, marines": (EVERYTHING, 3, 0, MARINE),
}


@pytest.mark.parametrize("name", PAIRS)
def test_dice_follow_the_exact_distribution(name):
    weapon, attackers, near, target = PAIRS[name]
    rows = tables(weapon, attackers, near, target)
    odds = damage_distribution(weapon, 0, attackers, int(near), target, rows[-1])
    assert odds.lost.sum() == pytest.approx(1.0, abs=1e-12)
    assert odds.killed.sum() == pytest.approx(1.0, abs=1e-12)
    assert min(odds.lost.min(), odds.killed.min()) > -1e-15

    dice = np.zeros(1, DICE)
    dice["seed_low"], dice["seed_high"] = 2024, list(PAIRS).index(name)
    per_attacker = int(weapon["attacks_plus"][0] + weapon["attacks_dice"][0] * (weapon["attacks_sides"][0] + 1) / 2)
    volleys = -(-ATTACKS // (attackers * max(1, per_attacker)))
    killed, lost = np.zeros(len(odds.killed), np.int64), np.zeros(len(odds.lost), np.int64)
    log = np.zeros((0, LOG_COLUMNS), np.int32)
    script, casualties = np.zeros(1, np.int32), np.zeros(64, np.int32)
    everything: Any = [*rows, dice, script, log, casualties, volleys, killed, lost]
    simulate(*everything)
    assert chi_square(lost, odds.lost) > 0.001
    assert chi_square(killed, odds.killed) > 0.001


def test_one_bolt_by_hand():
    """2/3 hit, 1/2 wound, Sv 3+ at AP -1 is 4+: 1/2 fail."""
    odds = damage_distribution(gun(ap=-1), 0, 1, 0, Target(4, 3, wounds=2), ATTACK_NUMBERS)
    assert odds.lost.tolist() == pytest.approx([5 / 6, 1 / 6, 0])
    assert odds.killed.tolist() == pytest.approx([1, 0])
    assert odds.mean_lost == pytest.approx(1 / 6)


def test_excess_damage_is_lost_in_the_distribution():
    odds = damage_distribution(gun(W.TORRENT, a=1, s=9, d=6), 0, 1, 0, Target(4, 0, models=5), ATTACK_NUMBERS)
    assert odds.killed.tolist() == pytest.approx([1 / 6, 5 / 6, 0, 0, 0, 0])
    assert odds.mean_killed == pytest.approx(5 / 6)


@pytest.mark.parametrize(("count", "sides"), [(1, 6), (2, 6), (3, 6), (1, 3), (4, 3), (9, 6)])
def test_the_chance_of_a_sum(count, sides):
    exact = dice_sum(count, sides, 0)
    found = [chance_of_sum(count, sides, total) for total in range(count, count * sides + 1)]
    assert found == pytest.approx(exact[count:].tolist(), abs=1e-12)


def test_random_strength_by_hand():
    """S D3+3 (4, 5 or 6) against T 5: 5+, 4+ and 3+ are 2, 3 and 4 of six; the Strength is that of each wound roll."""
    target = Target(5, 0, wounds=9)
    odds = damage_distribution(gun(W.TORRENT, s=(1, 3, 3)), 0, 1, 0, target, ATTACK_NUMBERS)
    assert odds.lost[:2].tolist() == pytest.approx([1 / 2, 1 / 2])
    two = damage_distribution(gun(W.TORRENT, a=2, s=(1, 3, 3)), 0, 1, 0, target, ATTACK_NUMBERS)
    assert two.lost[:3].tolist() == pytest.approx([1 / 4, 1 / 2, 1 / 4])


def test_dice_sums():
    assert dice_sum(1, 3, 1).tolist() == pytest.approx([0, 0, 1 / 3, 1 / 3, 1 / 3])
    assert dice_sum(2, 6, 0)[7] == pytest.approx(1 / 6)
    assert dice_sum(0, 0, 2).tolist() == [0, 0, 1]


@pytest.mark.parametrize("name", PAIRS)
def test_the_quick_mean_is_the_exact_one_where_nothing_is_wasted(name):
    """On a target of one model that a few attacks cannot destroy, the plain product is exact."""
    weapon, _, near, target = PAIRS[name]
    big = Target(
        target.toughness,
        target.save,
        400,
        1,
        target.invulnerable,
        target.feel_no_pain,
        target.keywords,
        target.stealthy,
    )
    models, units, weapons, _, _, rules = tables(weapon, 1, near, big)
    quick = mean_wounds(models, units, weapons, rules, 0, 1, int(near))
    assert quick == pytest.approx(damage_distribution(weapons, 0, 1, int(near), big, rules).mean_lost)


def test_the_quick_mean_does_not_count_overkill():
    rules = ATTACK_NUMBERS
    for weapon, target in ((gun(d=6), GUARD), (gun(d=(1, 6, 0)), GUARD), (gun(a=500), MARINE)):
        models, units, weapons, _, _, _ = tables(weapon, 1, 0, target)
        quick = mean_wounds(models, units, weapons, rules, 0, 1, 0)
        exact = damage_distribution(weapons, 0, 1, 0, target, rules).mean_lost
        assert quick == pytest.approx(exact, rel=1e-9)
    models["alive"] = models["on_table"] = 0
    assert mean_wounds(models, units, weapons, rules, 0, 1, 0) == 0.0


def test_the_estimate_is_the_mean_of_a_living_attacker():
    models, units, weapons, _, _, rules = tables(BOLT, 1, 0, MARINE)
    mean = mean_wounds(models, units, weapons, rules, 0, 1, 0)
    assert expected_wounds(models, units, weapons, rules, 0, 0, 1, 0) == mean > 0
    models["alive"][0] = 0
    assert expected_wounds(models, units, weapons, rules, 0, 0, 1, 0) == 0.0
