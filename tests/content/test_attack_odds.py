"""Odds by the names of datasheets, against arithmetic, against simulated dice."""

from __future__ import annotations

from functools import lru_cache, partial

import numpy as np
import pytest

from wh_env import ContentError
from wh_env.content.attack_odds import Circumstances, Range
from wh_env.rulesets.w10.numbers import ATTACK_NUMBERS
from wh_env.rulesets.w40k.attack.circumstances import BLAST_MOST, BLAST_SHIFT, Near
from wh_env.rulesets.w40k.attack.odds import Target, damage_distribution
from wh_env.rulesets.w40k.profiles import WEAPON, WeaponAbility

PLAIN = Circumstances()


at_range = lru_cache(partial(Range, "w10"))


def row_of(there: Range, name: str) -> int:
    rows = there.profiles(name)
    assert len(rows) == 1
    return rows[0]


def chance(attacker: str, target: str, weapon: str, circumstances: Circumstances = PLAIN, **options) -> float:
    """Wounds that one attack of one model takes on average, where no damage is wasted."""
    there = at_range(attacker, target, **options)
    row = row_of(there, weapon)
    assert there.weapons[row]["damage_plus"] == 1 and there.weapons[row]["damage_dice"] == 0
    return there.attack(row, circumstances, 1).odds.mean_lost / int(there.weapons[row]["attacks_plus"])


def test_bolt_rifles_by_hand():
    """BS 3+, S4, AP -1 against Intercessors (T4, 3+, W2): 2/3 hit, 1/2 wound, 1/2 are not saved."""
    rifle = ("Intercessor Squad", "Intercessor Squad", "Bolt rifle")
    assert chance(*rifle) == pytest.approx(2 / 3 / 2 / 2)
    assert chance(*rifle, Circumstances(cover=True)) == pytest.approx(2 / 3 / 2 / 3)
    assert chance(*rifle, Circumstances(ap=1)) == pytest.approx(2 / 3 / 2 * 2 / 3)
    assert chance(*rifle, Circumstances(save=1)) == pytest.approx(2 / 3 / 2 / 3)
    assert chance(*rifle, Circumstances(hit=1)) == pytest.approx(5 / 6 / 2 / 2)
    assert chance(*rifle, Circumstances(hit=-2)) == pytest.approx(1 / 2 / 2 / 2)  # capped
    assert chance(*rifle, Circumstances(stealth=True)) == pytest.approx(1 / 2 / 2 / 2)
    assert chance(*rifle, Circumstances(stationary=True)) == pytest.approx(5 / 6 / 2 / 2)  # Heavy
    assert chance(*rifle, Circumstances(wound=1)) == pytest.approx(2 / 3 * 2 / 3 / 2)
    assert chance(*rifle, Circumstances(overwatch=True)) == pytest.approx(1 / 6 / 2 / 2)
    assert chance(*rifle, Circumstances(engaged=True)) == pytest.approx(1 / 2 / 2 / 2)
    assert chance(*rifle, Circumstances(reroll_hits="ones")) == pytest.approx(2 / 3 * 7 / 6 / 2 / 2)
    assert chance(*rifle, Circumstances(reroll_hits="failed")) == pytest.approx(8 / 9 / 2 / 2)
    assert chance(*rifle, Circumstances(reroll_wounds="failed")) == pytest.approx(2 / 3 * 3 / 4 / 2)
    assert chance(*rifle, feel_no_pain=5) == pytest.approx(2 / 3 / 2 / 2 * 2 / 3)
    assert chance(*rifle, invulnerable=3) == pytest.approx(2 / 3 / 2 / 3)
    there = Range("w10", "Intercessor Squad", "Intercessor Squad")
    more = there.attack(row_of(there, "Bolt rifle"), Circumstances(attacks=1), 1).odds
    assert more.mean_lost == pytest.approx(3 * 2 / 3 / 2 / 2)


def test_weapon_abilities_count():
    there = Range("w10", "Terminator Squad", "Termagants", models=20)
    bolter = row_of(there, "Storm bolter")  # Rapid Fire 2
    near, far = (there.attack(bolter, Circumstances(half_range=half), 1).odds.mean_lost for half in (True, False))
    assert near == pytest.approx(2 * far)
    missile = row_of(there, "cyclone missile launcher (FRAG)")  # 2D6 and Blast: 4 more against 20 models
    odds = there.attack(missile, PLAIN, 1).odds
    smaller = Range("w10", "Terminator Squad", "Termagants", models=10).attack(missile, PLAIN, 1).odds
    assert odds.mean_lost / smaller.mean_lost == pytest.approx(11 / 9, rel=0.02)
    assert len(there.profiles("Cyclone missile launcher")) == 2
    assert len(there.profiles()) == 8  # its own weapons only
    fist = Range("w10", "Terminator Squad", "Predator Destructor")
    assert fist.target.models == 1 and fist.target.wounds == 11
    # Anti-VEHICLE 3+ wounds T10 on 3+ where the power fist (S8) needs 5+
    chain, power = (fist.attack(row_of(fist, name), PLAIN, 1).odds.mean_lost for name in ("chainfist", "power fist"))
    assert chain / power == pytest.approx((1 / 2 * 2 / 3) / (2 / 3 * 1 / 3))


def test_attackers_are_those_who_carry_it():
    there = Range("w10", "Intercessor Squad", "Termagants")
    assert there.carriers(row_of(there, "Bolt rifle")) == 5
    assert there.carriers(row_of(there, "Power fist")) == 1
    assert there.attack(row_of(there, "Bolt rifle"), PLAIN).attackers == 5


def test_circumstances_are_flags_of_the_sequence():
    assert Circumstances().near() == 0
    assert Circumstances(hit=2, wound=-1, cover=True).near() == (
        Near.HIT_PLUS | Near.HIT_PLUS_2ND | Near.WOUND_MINUS | Near.COVER
    )
    room = BLAST_MOST << BLAST_SHIFT
    assert not any(flag & room for flag in Near), "the models of Blast have bits of their own"
    for fields, message in (
        ({"hit": 3}, "hit: 3 is not valid; expected a number from -2 to 2"),
        ({"save": -1}, "save: -1 is not valid; expected a number from 0 to 2"),
        ({"reroll_hits": "all"}, "reroll_hits: 'all' is not known; expected one of any, failed, none, ones"),
    ):
        with pytest.raises(ContentError, match=message):
            Circumstances(**fields).near()


def test_names_that_are_not_known_come_with_near_ones():
    with pytest.raises(ContentError, match=r"did you mean 'Intercessor Squad'\?"):
        Range("w10", "Intercesor Squad", "Termagants")
    there = Range("w10", "Intercessor Squad", "Termagants")
    with pytest.raises(ContentError, match=r"weapon: 'bolt rifel' is not known.*did you mean 'Bolt rifle'\?"):
        there.profiles("bolt rifel")
    with pytest.raises(ContentError, match="models: 3 models are no unit; expected 10 to 20 for Termagants"):
        Range("w10", "Intercessor Squad", "Termagants", models=3)
    with pytest.raises(ContentError, match="kind: 'Gant' is not known; expected one of Termagant"):
        Range("w10", "Intercessor Squad", "Termagants", kind="Gant")


# ---------------------------------------------------------------- re-rolls of failed hits, simulated


def simulated(row, hit: int, wound: int, save: int, target: Target, rounds: int, seed: int) -> np.ndarray:
    """Wounds lost, by rolling every die: hits re-rolled when they fail, Sustained Hits and Lethal Hits on sixes."""
    rng = np.random.default_rng(seed)
    abilities = int(row["abilities"][0])
    lost = np.zeros(target.wounds * target.models + 1, int)
    for _ in range(rounds):
        left = target.wounds * target.models
        for _ in range(int(row["attacks_plus"][0])):
            die = rng.integers(1, 7)
            if die < hit:
                die = rng.integers(1, 7)
            if die < hit:
                continue
            rolls, wounds = 1, 0
            if die == 6 and abilities & WeaponAbility.SUSTAINED_HITS:
                rolls += int(row["sustained_plus"][0])
            if die == 6 and abilities & WeaponAbility.LETHAL_HITS:
                rolls, wounds = rolls - 1, 1
            wounds += sum(rng.integers(1, 7) >= wound for _ in range(rolls))
            for _ in range(wounds):
                if left and rng.integers(1, 7) < save:
                    left -= min(int(row["damage_plus"][0]), (left - 1) % target.wounds + 1)
        lost[target.wounds * target.models - left] += 1
    return lost


@pytest.mark.parametrize("abilities", [0, WeaponAbility.SUSTAINED_HITS | WeaponAbility.LETHAL_HITS])
def test_failed_hits_that_are_rolled_again_follow_the_dice(abilities):
    row = np.zeros(1, WEAPON)
    row["abilities"], row["skill"], row["strength_plus"], row["ap"] = int(abilities), 4, 4, -1
    row["attacks_plus"], row["damage_plus"], row["sustained_plus"] = 5, 2, 1
    target = Target(4, 4, wounds=2, models=4)
    odds = damage_distribution(row, 0, 1, int(Near.REROLL_HITS), target, ATTACK_NUMBERS)
    assert odds.lost.sum() == pytest.approx(1.0)
    rounds = 6000
    counts = simulated(row, 4, 4, 5, target, rounds, 4)
    assert counts[odds.lost == 0].sum() == 0
    spread = np.sqrt(odds.lost * (1 - odds.lost) / rounds)
    assert (np.abs(counts / rounds - odds.lost) <= 4 * spread + 1e-9).all()
    without = damage_distribution(row, 0, 1, 0, target, ATTACK_NUMBERS)
    assert odds.mean_lost > 1.3 * without.mean_lost
