"""The attack sequence, rule by rule, with scripted dice: every die that a rule asks for is queued, and no other is rolled."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from wh_env.core.frozen import frozen
from wh_env.core.geometry.shapes import member, member_count
from wh_env.core.tables import DICE
from wh_env.rulesets.w10.numbers import ATTACK_NUMBERS
from wh_env.rulesets.w40k.attack import machine as at
from wh_env.rulesets.w40k.attack import rolls
from wh_env.rulesets.w40k.attack.machine import Near
from wh_env.rulesets.w40k.attack_row import Asks, Event, Window
from wh_env.rulesets.w40k.profiles import Ability, Keyword, WeaponAbility
from wh_env.rulesets.w40k.tables import JOB, MODEL, UNIT
from wh_env.testing.weapon_rows import gun

SHOOTERS, TARGET, LEADER, OTHER = 0, 1, 2, 3
COLUMNS = {"t": "toughness", "sv": "save", "inv": "invulnerable", "inv2": "invulnerable2", "fnp": "feel_no_pain"}
COLUMNS |= {"fnp2": "feel_no_pain2", "w": "max_wounds", "left": "wounds"}


def body(**columns):
    """A model: T 4, Sv 4+, W 1 unless said otherwise."""
    return {"t": 4, "sv": 4, "w": 1} | columns


class Field:
    """A few models in four units: the attackers, the target, its Leader (if any) and another unit."""

    def __init__(self, weapon, target, *, leader=(), shooters=1, other=(), keywords=0, asks=0, offer=0):
        groups = [[body()] * shooters, list(target), list(leader), list(other)]
        self.models = np.zeros(sum(map(len, groups)), MODEL)
        self.units = np.zeros(4, UNIT)
        self.units["leader"] = self.units["bodyguard"] = -1
        first = 0
        for unit, group in enumerate(groups):
            self.units[unit]["first"] = first
            self.units[unit]["count"] = len(group)
            for row, columns in enumerate(group, first):
                self.models[row]["unit"] = TARGET if unit == LEADER else unit
                self.models[row]["datasheet"] = unit
                self.models[row]["alive"] = self.models[row]["on_table"] = 1
                for name, value in columns.items():
                    self.models[row][COLUMNS.get(name, name)] = int(value)
                if "left" not in columns:
                    self.models[row]["wounds"] = self.models[row]["max_wounds"]
                self.units[unit]["keywords"] |= self.models[row]["keywords"]
                self.units[self.models[row]["unit"]]["alive"] += 1
            first += len(group)
        self.units[TARGET]["keywords"] |= int(keywords)
        if leader:
            self.units[TARGET]["leader"] = LEADER
            self.units[LEADER]["bodyguard"] = TARGET
        self.first = int(self.units[TARGET]["first"])
        self.boss = int(self.units[LEADER]["first"])
        self.weapons = frozen(np.concatenate(weapon)) if isinstance(weapon, list) else weapon
        self.jobs = np.zeros(16, JOB)
        self.attack = np.zeros(1, at.ATTACK)
        self.attack["asks"], self.attack["offer"] = int(asks), int(offer)
        self.seen = 0
        self.rules = ATTACK_NUMBERS
        self.dice = np.zeros(1, DICE)
        self.script = np.zeros(256, np.int32)
        self.log = np.zeros((256, at.LOG_COLUMNS), np.int32)
        self.casualties = np.zeros(64, np.int32)
        at.begin_volley(self.attack, SHOOTERS)

    def tables(self):
        """The arguments of ``resolve``."""
        return (self.models, self.units, self.weapons, self.jobs, self.attack, self.rules) + (
            self.dice,
            self.script,
            self.log,
            self.casualties,
        )

    def queue(self, dice):
        """Script the dice that come next."""
        end = int(self.dice["script_end"][0])
        self.script[end : end + len(dice)] = dice
        self.dice["script_end"] = end + len(dice)

    def job(self, group=0, *, model=0, weapon=0, target=TARGET, attacks=-1, near=0, seen=()):
        """Declare attacks; ``seen``: rows of the CHARACTER models that they can pick by Precision."""
        at_row = int(self.attack["jobs"][0])
        self.jobs[at_row] = (model, weapon, target, attacks, int(near), group)
        self.attack["jobs"] = at_row + 1
        rows = [member(self.units, target, n) for n in range(member_count(self.units, target))]
        self.seen = sum(1 << n for n, row in enumerate(rows) if row in seen)

    def go(self, dice=(), answer=None):
        """Resolve until the next stop."""
        self.queue(dice)
        if answer is not None:
            self.attack["answer"] = answer
        return at.resolve(*self.tables())

    def group(self, dice=(), group=0):
        """Start a group of jobs."""
        at.begin_group(self.units, self.jobs, self.attack, group)
        self.attack["seen"] = self.seen
        return self.go(dice)

    def shoot(self, dice, *, pending=True, **job):
        """One volley of one job: declared, resolved, its mortal wounds inflicted; every scripted die was rolled."""
        self.attack["jobs"] = 0
        self.job(**job)
        assert self.group(dice) == at.DONE
        if pending:
            at.begin_pending(self.attack)
            assert self.go() == at.DONE
        self.all_rolled()
        return self

    def mortal(self, count, dice=(), unit=TARGET):
        """Mortal wounds from elsewhere."""
        at.begin_mortal(self.attack, unit, count, -1)
        code = self.go(dice)
        return code

    def all_rolled(self):
        """The scripted dice were rolled, and no other."""
        assert self.dice["script_at"] == self.dice["script_end"], "scripted dice were not rolled"
        assert self.dice["counter"] == 0, "more dice were rolled than scripted"

    @property
    def wounds(self):
        """Wounds left, model by model, of the target."""
        count = int(self.units[TARGET]["count"])
        return self.models["wounds"][self.first : self.first + count].tolist()

    @property
    def lost(self):
        """Wounds that all models but the shooters have lost."""
        rest = self.models[self.first :]
        return int((rest["max_wounds"] - rest["wounds"]).sum())

    def options(self):
        """Target models that the attack being asked about may be allocated to, counted from its first."""
        rows = range(self.first, len(self.models))
        legal = [m for m in rows if at.candidate(self.models, self.units, TARGET, self.rules, m)]
        return [m - self.first for m in legal]

    def events(self, kind):
        """Log rows of one kind."""
        return [row.tolist() for row in self.log[: int(self.attack["log_count"][0])] if row[0] == kind]


def one(weapon, dice, target=None, near=0, **field):
    """Wounds lost by one attack (or what the profile makes) on a single big model, or on ``target``."""
    return Field(weapon, target or [body(w=20)], **field).shoot(dice, near=near).lost


# ---------------------------------------------------------------- sequence, hit roll


@pytest.mark.rule("w10.attack.sequence")
def test_dice_are_rolled_in_the_order_of_the_sequence():
    field = Field(gun(), [body(w=3)]).shoot([3, 4, 3])
    assert field.lost == 1
    order = [row[0] for row in field.log[: int(field.attack["log_count"][0])]]
    steps = [Event.HIT_ROLL, Event.WOUND_ROLL, Event.ALLOCATED, Event.SAVE_ROLL, Event.DAMAGE, Event.WOUND_LOST]
    assert [event for event in order if event != Event.ATTACKS_ROLL] == steps
    assert one(gun(), [2]) == 0


@pytest.mark.rule("w10.attack.hit.roll")
def test_a_roll_of_the_skill_or_more_hits():
    assert one(gun(), [3, 4, 1]) == 1
    assert one(gun(), [2]) == 0
    assert one(gun(bs=2, melee=1), [2, 4, 1]) == 1


@pytest.mark.rule("w10.attack.hit.critical")
def test_an_unmodified_six_hits_and_is_critical():
    field = Field(gun(bs=6), [body(w=9)]).shoot([6, 4, 1], near=Near.HIT_MINUS)
    assert field.lost == 1
    assert field.events(Event.HIT_ROLL)[0][6] == 2


@pytest.mark.rule("w10.attack.hit.one-fails")
def test_an_unmodified_one_misses():
    assert one(gun(bs=2), [1], near=Near.HIT_PLUS) == 0


@pytest.mark.rule("w10.attack.hit.cap")
def test_hit_modifiers_are_summed_and_limited():
    stealthy = [body(w=9, flags=Ability.STEALTH)]
    both = Near.ENGAGED_SHOOTER
    heavy = gun(WeaponAbility.HEAVY)
    assert one(gun(), [4, 4, 1], stealthy, near=both) == 1
    assert one(gun(), [3], stealthy, near=both) == 0
    assert one(heavy, [4, 4, 1], stealthy, near=both | Near.STATIONARY) == 1
    assert one(heavy, [3], stealthy, near=both | Near.STATIONARY) == 0
    assert one(heavy, [3, 4, 1], stealthy, near=Near.STATIONARY) == 1
    many = Near.STATIONARY | Near.HIT_PLUS | Near.HIT_PLUS_2ND
    assert one(heavy, [2, 4, 1], stealthy, near=many | Near.HIT_MINUS) == 1  # sum +1
    assert one(heavy, [2, 4, 1], near=many) == 1  # sum +3, so +1
    assert one(gun(bs=4), [2], near=many) == 0


@pytest.mark.rule("w10.shoot.stealth")
def test_stealth_needs_every_model_and_a_ranged_attack():
    all_have = [body(w=9, flags=Ability.STEALTH)] * 2
    assert one(gun(), [3], all_have) == 0
    assert one(gun(), [4, 4, 1], all_have) == 1
    assert one(gun(), [3, 4, 1], [body(w=9), *all_have]) == 1
    assert one(gun(melee=1), [3, 4, 1], all_have) == 1
    # from an effect, and not twice
    assert one(gun(), [3], near=Near.STEALTH) == 0
    assert one(gun(WeaponAbility.HEAVY), [3, 4, 1], all_have, near=Near.STEALTH | Near.STATIONARY) == 1


def test_stealth_of_an_attached_unit_needs_the_leader():
    followers = [body(flags=Ability.STEALTH)]
    assert Field(gun(), followers, leader=[body(w=4, keywords=Keyword.CHARACTER)]).shoot([3, 4, 1]).lost == 1
    assert Field(gun(), followers, leader=[body(w=4, flags=Ability.STEALTH)]).shoot([3]).lost == 0


@pytest.mark.rule("w10.shoot.big-guns.penalty-shooter")
def test_an_engaged_shooter_has_a_penalty_without_pistol():
    assert one(gun(), [3], near=Near.ENGAGED_SHOOTER) == 0
    assert one(gun(), [4, 4, 1], near=Near.ENGAGED_SHOOTER) == 1
    assert one(gun(WeaponAbility.PISTOL), [3, 4, 1], near=Near.ENGAGED_SHOOTER) == 1


@pytest.mark.rule("w10.shoot.big-guns.engaged-target")
def test_an_engaged_target_is_hit_at_a_penalty():
    assert one(gun(bs=4), [4], near=Near.ENGAGED_TARGET) == 0
    assert one(gun(bs=4), [5, 4, 1], near=Near.ENGAGED_TARGET) == 1
    assert one(gun(bs=4), [4, 4, 1]) == 1
    assert one(gun(WeaponAbility.PISTOL, bs=4), [4, 4, 1], near=Near.ENGAGED_TARGET) == 1


@pytest.mark.rule("w10.stratagem.fire-overwatch.sixes")
def test_in_overwatch_only_sixes_hit():
    gun2 = gun(WeaponAbility.HEAVY, bs=2)
    assert one(gun2, [5], near=Near.SNAP | Near.STATIONARY) == 0
    field = Field(gun2, [body(w=9)]).shoot([6, 4, 1], near=Near.SNAP | Near.STATIONARY)
    assert field.lost == 1
    assert field.events(Event.HIT_ROLL)[0][6] == 2
    assert one(gun(WeaponAbility.TORRENT, bs=0), [4, 1], near=Near.SNAP) == 1


# ---------------------------------------------------------------- wound roll


@pytest.mark.rule("w10.attack.wound.roll")
def test_strength_against_toughness():
    for toughness, strength, needed in (
        *((4, 8, 2), (4, 7, 3), (4, 5, 3), (4, 4, 4), (4, 3, 5), (4, 2, 6), (4, 1, 6)),
        *((5, 10, 2), (5, 9, 3), (5, 3, 5), (5, 2, 6)),
    ):
        assert one(gun(s=strength), [6, needed, 1], [body(t=toughness)]) == 1
        assert one(gun(s=strength), [6, needed - 1], [body(t=toughness)]) == 0


@pytest.mark.rule("w10.attack.wound.critical")
def test_an_unmodified_six_wounds_and_is_critical():
    field = Field(gun(s=3), [body(t=8)]).shoot([3, 6, 1], near=Near.WOUND_MINUS)
    assert field.lost == 1
    assert field.events(Event.WOUND_ROLL)[0][6] == 2


@pytest.mark.rule("w10.attack.wound.one-fails")
def test_an_unmodified_one_does_not_wound():
    assert one(gun(WeaponAbility.LANCE, s=10), [3, 1], [body(t=3)], near=Near.CHARGED) == 0


@pytest.mark.rule("w10.attack.wound.cap")
def test_wound_modifiers_are_limited():
    both = Near.WOUND_PLUS | Near.WOUND_PLUS_2ND
    assert one(gun(), [3, 3, 1], near=both) == 1
    assert one(gun(), [3, 2], near=both) == 0
    assert one(gun(), [3, 4], near=Near.WOUND_MINUS | Near.WOUND_MINUS_2ND) == 0
    assert one(gun(), [3, 5, 1], near=Near.WOUND_MINUS | Near.WOUND_MINUS_2ND) == 1


@pytest.mark.rule("w10.attack.wound.mixed-toughness")
def test_toughness_of_most_models_then_the_highest():
    three_two = [body(t=5)] * 2 + [body(t=4)] * 3
    assert one(gun(), [3, 4, 1], three_two) == 1
    assert one(gun(), [3, 3], three_two) == 0
    tie = Field(gun(), three_two)
    tie.models[tie.first + 4]["alive"] = tie.models[tie.first + 4]["on_table"] = 0
    assert tie.shoot([3, 4]).events(Event.WOUND_ROLL)[0][5] == 5
    assert one(gun(), [3, 5, 1], [body(t=4)] * 2 + [body(t=5)] * 2) == 1


@pytest.mark.rule("w10.deploy.leader.toughness")
def test_toughness_of_the_bodyguard_counts_to_the_end_of_the_volley():
    field = Field(gun(), [body(sv=0)], leader=[body(t=5, w=5, keywords=Keyword.CHARACTER)])
    field.shoot([3, 4])
    assert field.wounds == [0]
    field.shoot([3, 4, 1])  # against the Leader alone, still T 4
    assert field.models[field.boss]["wounds"] == 4
    field.units[TARGET]["leader"] = -1  # the unit is taken apart after the volley
    field.models[field.boss]["unit"] = LEADER
    field.units[LEADER]["alive"] = 1
    field.shoot([3, 4], target=LEADER)
    assert field.events(Event.WOUND_ROLL)[-1][5:7] == [5, 0]


# ---------------------------------------------------------------- allocation


@pytest.mark.rule("w10.attack.allocate.choice")
def test_the_owner_may_choose_any_unhurt_model():
    for chosen in range(5):
        field = Field(gun(), [body()] * 5, asks=Asks.ALLOCATE)
        field.job()
        assert field.group([3, 4]) == at.ASK_ALLOCATE
        assert field.options() == [0, 1, 2, 3, 4]
        assert field.go([1], answer=field.first + chosen) == at.DONE
        assert field.wounds == [0 if m == chosen else 1 for m in range(5)]
        field.all_rolled()


@pytest.mark.rule("w10.attack.allocate.wounded-first")
def test_the_wounded_model_goes_first():
    field = Field(gun(a=2), [body(w=3), body(w=3, left=1), body(w=3)], asks=Asks.ALLOCATE)
    field.job()
    assert field.group([3, 3, 4, 4, 1]) == at.ASK_ALLOCATE  # the first went to the hurt model without a question
    assert field.wounds == [3, 0, 3]
    assert field.options() == [0, 2]
    assert field.go([1], answer=field.first) == at.DONE
    assert field.wounds == [2, 0, 3]
    field.all_rolled()


@pytest.mark.rule("w10.attack.allocate.wounded-first")
def test_a_model_that_saved_takes_the_next_attack_of_the_phase():
    field = Field(gun(), [body()] * 3, asks=Asks.ALLOCATE)
    field.job()
    assert field.group([3, 4]) == at.ASK_ALLOCATE
    assert field.go([6], answer=field.first + 1) == at.DONE
    assert field.options() == [1]
    field.models["allocated"] = 0  # the next phase
    assert field.options() == [0, 1, 2]


@pytest.mark.rule("w10.attack.allocate.several-candidates")
def test_two_hurt_models_share_the_duty():
    field = Field(gun(), [body(w=2, left=1 + m % 2) for m in range(4)], asks=Asks.ALLOCATE)
    field.job()
    assert field.group([3, 4]) == at.ASK_ALLOCATE
    assert field.options() == [0, 2]
    field.attack["answer"] = field.first + 1
    with pytest.raises(ValueError, match="allocated"):
        at.resolve(*field.tables())


@pytest.mark.rule("w10.attack.allocate.unseen")
def test_allocation_does_not_look_at_places():
    field = Field(gun(), [body()] * 5, asks=Asks.ALLOCATE)
    field.models["x"][field.first + 1 :] = 500.0  # far out of range
    field.job()
    assert field.group([3, 4]) == at.ASK_ALLOCATE
    assert field.options() == [0, 1, 2, 3, 4]
    assert field.go([1], answer=field.first + 4) == at.DONE
    assert field.wounds == [1, 1, 1, 1, 0]


def test_the_default_takes_the_model_with_the_fewest_wounds():
    assert Field(gun(), [body(w=2), body(w=1), body(w=3)]).shoot([3, 4, 1]).wounds == [2, 0, 3]
    assert Field(gun(), [body(w=1)] * 3).shoot([3, 4, 1]).wounds == [1, 1, 0]
    assert Field(gun(), [body(w=3, left=2), body(w=1)]).shoot([3, 4, 1]).wounds == [1, 1]


@pytest.mark.rule("w10.deploy.leader.no-allocation")
def test_a_hurt_leader_is_spared():
    boss = [body(w=4, left=2, keywords=Keyword.CHARACTER)]
    field = Field(gun(), [body(w=2)] * 2, leader=boss, asks=Asks.ALLOCATE)
    field.job()
    assert field.group([3, 4]) == at.ASK_ALLOCATE
    assert field.options() == [0, 1]


@pytest.mark.rule("w10.deploy.leader.last-bodyguard")
def test_the_leader_takes_what_is_left_after_the_last_bodyguard():
    field = Field(gun(a=3), [body()], leader=[body(w=5, keywords=Keyword.CHARACTER)]).shoot([3, 3, 3, 4, 4, 4, 1, 1, 1])
    assert field.wounds == [0]
    assert field.models[field.boss]["wounds"] == 3
    assert at.part_alive(field.models, field.units, TARGET) == 0
    assert at.part_alive(field.models, field.units, LEADER) == 1
    assert field.units[TARGET]["alive"] == 1


# ---------------------------------------------------------------- saves


def saves(target, die, *, ap=0, near=0, melee=0, abilities=0):
    """Whether the model saves with ``die``."""
    return one(gun(abilities, ap=ap, melee=melee), [6, 6, die], [target], near=near) == 0


@pytest.mark.rule("w10.attack.save.roll")
def test_armour_save():
    assert saves(body(sv=3), 4, ap=-1)
    assert not saves(body(sv=3), 3, ap=-1)
    assert not saves(body(sv=6), 6, ap=-1)


@pytest.mark.rule("w10.attack.save.one-fails")
def test_an_unmodified_one_does_not_save():
    assert not saves(body(sv=2), 1, ap=-1, near=Near.COVER)
    assert saves(body(sv=2), 2, ap=-1, near=Near.COVER)
    assert not saves(body(sv=7, inv=2), 1, near=Near.SAVE_PLUS)


@pytest.mark.rule("w10.attack.save.cap")
def test_saves_improve_by_one_at_most():
    both = Near.SAVE_PLUS | Near.SAVE_PLUS_2ND
    assert saves(body(sv=5), 4, near=both)
    assert not saves(body(sv=5), 3, near=both)
    assert saves(body(sv=5), 4, ap=-1, near=both)
    assert not saves(body(sv=5), 3, ap=-1, near=both)
    assert not saves(body(sv=5), 6, ap=-3)


def test_the_cap_of_an_edition_may_leave_ap_out():
    rules = ATTACK_NUMBERS.copy()
    rules["save_cap_nets_ap"] = 0
    both = int(Near.SAVE_PLUS | Near.SAVE_PLUS_2ND)
    assert rolls.armour_needed(5, -1, False, both, frozen(rules)) == 5
    rules["save_cap"] = 99
    assert rolls.armour_needed(5, 0, False, both, frozen(rules)) == 3


@pytest.mark.rule("w10.attack.save.invulnerable.choice")
def test_armour_or_invulnerable_save_never_both():
    for choice, die, lost in ((0, 5, 1), (0, 6, 0), (1, 4, 0), (1, 3, 1)):
        field = Field(gun(ap=-4), [body(sv=2, inv=4, w=5)], asks=Asks.SAVE)
        field.job()
        assert field.group([3, 4]) == at.ASK_SAVE
        assert field.attack["need"][0].tolist() == [6, 4, 0]
        assert field.go([die], answer=choice) == at.DONE
        assert field.lost == lost
        field.all_rolled()
    assert saves(body(sv=2, inv=4), 4, ap=-4)  # by default the better chance


@pytest.mark.rule("w10.attack.save.invulnerable.several")
def test_one_of_several_invulnerable_saves():
    for choice, die, lost in ((1, 5, 0), (2, 5, 1), (2, 6, 0)):
        field = Field(gun(ap=-6), [body(sv=3, inv=5, inv2=6, w=5)], asks=Asks.SAVE)
        field.job()
        assert field.group([3, 4]) == at.ASK_SAVE
        assert field.go([die], answer=choice) == at.DONE
        assert field.lost == lost
        field.all_rolled()


@pytest.mark.rule("w10.attack.save.invulnerable.no-ap")
def test_ap_does_not_touch_invulnerable_saves():
    assert saves(body(sv=4, inv=4), 4, ap=-3)
    assert not saves(body(sv=4, inv=4), 3, ap=-3)
    assert saves(body(sv=0, inv=4), 3, ap=-3, near=Near.SAVE_PLUS | Near.SAVE_PLUS_2ND)
    assert not saves(body(sv=0, inv=4), 2, ap=-3, near=Near.SAVE_PLUS | Near.SAVE_PLUS_2ND)


def test_a_model_without_any_save_rolls_none():
    assert one(gun(), [3, 4], [body(sv=0)]) == 1


@pytest.mark.rule("w10.terrain.cover.effect")
def test_cover_helps_armour_against_shooting():
    assert saves(body(sv=4), 4, ap=-1, near=Near.COVER)
    assert not saves(body(sv=4), 3, ap=-1, near=Near.COVER)
    assert not saves(body(sv=0, inv=5), 4, ap=-1, near=Near.COVER)
    assert not saves(body(sv=4), 4, ap=-1, near=Near.COVER, melee=1)
    assert saves(body(sv=4), 5, ap=-1, near=Near.COVER, melee=1)


@pytest.mark.rule("w10.terrain.cover.three-plus")
def test_good_armour_has_no_cover_against_ap_zero():
    assert not saves(body(sv=3), 2, near=Near.COVER)
    assert saves(body(sv=3), 3, ap=-1, near=Near.COVER)
    assert saves(body(sv=4), 3, near=Near.COVER)


@pytest.mark.rule("w10.terrain.cover.per-model")
def test_cover_is_the_models_own():
    hidden = [body(sv=4, flags=rolls.COVERED)] * 3 + [body(sv=4)] * 2
    for chosen, lost in ((0, 0), (4, 1)):
        field = Field(gun(ap=-1), hidden, asks=Asks.ALLOCATE)
        field.job()
        assert field.group([3, 4]) == at.ASK_ALLOCATE
        assert field.go([4], answer=field.first + chosen) == at.DONE
        assert field.lost == lost
        field.all_rolled()


# ---------------------------------------------------------------- mortal wounds


@pytest.mark.rule("w10.attack.mortal.what")
def test_mortal_wounds_are_lost_one_by_one():
    field = Field(gun(), [body(w=2)] * 3)
    assert field.mortal(3) == at.DONE
    assert sorted(field.wounds) == [0, 1, 2]
    field.all_rolled()


@pytest.mark.rule("w10.attack.mortal.no-rolls")
def test_no_save_against_mortal_wounds():
    field = Field(gun(), [body(w=4, inv=4)])
    assert field.mortal(2) == at.DONE
    assert field.wounds == [2]
    field.all_rolled()


@pytest.mark.rule("w10.attack.mortal.allocate")
def test_mortal_wounds_are_allocated_like_attacks():
    boss = [body(w=4, left=2, keywords=Keyword.CHARACTER)]
    field = Field(gun(), [body(w=2)] * 3, leader=boss, asks=Asks.ALLOCATE)
    assert field.mortal(1) == at.ASK_ALLOCATE
    assert field.options() == [0, 1, 2]
    assert field.go(answer=field.first + 1) == at.DONE
    assert field.wounds == [2, 1, 2]
    assert field.mortal(1) == at.DONE  # the hurt model must take it
    assert field.wounds == [2, 0, 2]


@pytest.mark.rule("w10.attack.mortal.spill-over")
def test_mortal_wounds_spill_over():
    field = Field(gun(), [body(w=2)] * 3)
    assert field.mortal(5) == at.DONE
    assert sorted(field.wounds) == [0, 0, 1]
    field = Field(gun(), [body(w=2)] * 3)
    assert field.mortal(7) == at.DONE
    assert field.wounds == [0, 0, 0]
    assert field.units[TARGET]["alive"] == 0
    field.all_rolled()


@pytest.mark.rule("w10.attack.mortal.after-normal")
def test_mortal_wounds_come_after_the_normal_damage_of_the_unit():
    weapons = [gun(WeaponAbility.DEVASTATING_WOUNDS, d=2), gun(a=3)]
    field = Field(weapons, [body(w=10, sv=0)])
    field.job(0, weapon=0)
    field.job(1, weapon=1)
    assert field.group([3, 6], 0) == at.DONE
    assert field.wounds == [10]
    assert field.attack["pending"] == 2
    assert field.group([3, 3, 3, 4, 4, 4], 1) == at.DONE
    assert field.wounds == [7]
    at.begin_pending(field.attack)
    assert field.go() == at.DONE
    assert field.wounds == [5]
    assert [row[0] for row in field.events(Event.MORTAL_WOUND)] == [Event.MORTAL_WOUND] * 2
    field.all_rolled()


@pytest.mark.rule("w10.attack.mortal.although-saved")
def test_additional_mortal_wounds_do_not_need_a_failed_save():
    field = Field(gun(), [body(w=5)])
    field.attack["critical_mortals"] = 1
    assert field.shoot([3, 6, 6]).lost == 1
    assert field.shoot([3, 5, 6]).lost == 1


# ---------------------------------------------------------------- damage


@pytest.mark.rule("w10.attack.damage.amount")
def test_damage_is_the_characteristic():
    assert Field(gun(d=2), [body(w=3)]).shoot([3, 4, 1]).wounds == [1]


@pytest.mark.rule("w10.attack.damage.destroyed")
def test_a_model_without_wounds_left_is_removed():
    field = Field(gun(d=3), [body(w=5, left=2), body(w=5)]).shoot([3, 4, 1])
    assert field.wounds == [0, 5]
    dead = field.models[field.first]
    assert (dead["alive"], dead["on_table"]) == (0, 0)
    assert field.units[TARGET]["alive"] == 1
    assert field.casualties[: int(field.attack["casualties"][0])].tolist() == [field.first]


@pytest.mark.rule("w10.attack.damage.excess-lost")
def test_excess_damage_is_lost():
    field = Field(gun(d=6), [body()] * 5).shoot([3, 4, 1])
    assert field.units[TARGET]["alive"] == 4


@pytest.mark.rule("w10.attack.target-destroyed")
def test_attacks_left_are_lost_with_the_target():
    field = Field(gun(), [body(sv=0)] * 2, other=[body(sv=0)])
    for number in range(10):
        field.job(number)
    field.job(10, target=OTHER)
    dice = [3, 4, 3, 4]
    for number in range(10):  # one at a time: no die for the last eight
        assert field.group(dice[2 * number : 2 * number + 2], number) == at.DONE
    field.all_rolled()
    assert field.units[TARGET]["alive"] == 0
    assert field.group([3, 4], 10) == at.DONE
    assert field.units[OTHER]["alive"] == 0
    field.all_rolled()
    # together: eight wounds are left over, and the mortal wounds to come are lost too
    field = Field(gun(WeaponAbility.DEVASTATING_WOUNDS), [body(sv=0)] * 2, other=[body()])
    field.shoot([3] * 10 + [4] * 9 + [6], attacks=10)
    assert field.units["alive"].tolist() == [1, 0, 0, 1]


@pytest.mark.rule("w10.attack.feel-no-pain")
def test_feel_no_pain_is_rolled_for_each_wound():
    field = Field(gun(d=3), [body(w=5, sv=0, fnp=5)]).shoot([3, 4, 5, 4, 6])
    assert field.wounds == [4]
    assert field.mortal(2, [1, 5]) == at.DONE
    assert field.wounds == [3]
    field.all_rolled()


def test_feel_no_pain_stops_with_the_model():
    field = Field(gun(d=6), [body(w=2, sv=0, fnp=5)] * 2).shoot([3, 4, 1, 6, 2])
    assert sorted(field.wounds) == [0, 2]


@pytest.mark.rule("w10.attack.feel-no-pain.one-only")
def test_one_feel_no_pain_for_each_wound():
    for choice, lost in ((0, 1), (1, 0)):
        field = Field(gun(), [body(w=5, sv=0, fnp=6, fnp2=5)], asks=Asks.FNP)
        field.job()
        assert field.group([3, 4]) == at.ASK_FNP
        assert field.go([5], answer=choice) == at.DONE
        assert field.lost == lost
        field.all_rolled()
    assert one(gun(), [3, 4, 5], [body(w=5, sv=0, fnp=6, fnp2=5)]) == 0  # by default the better one


# ---------------------------------------------------------------- fast dice


@pytest.mark.rule("w10.attack.fast-dice.similar")
def test_batch_and_single_rolls_give_the_same_wounds():
    hits = [4, 5, 6, 4, 5, 6, 4] + [1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 3]
    wounds = [4, 5, 6, 4, 5, 3, 1]
    batch = Field(gun(bs=4, s=5), [body(t=5, w=20, sv=0)]).shoot(hits + wounds, attacks=20)
    assert (len(batch.events(Event.WOUND_ROLL)), batch.lost) == (7, 5)
    single = Field(gun(bs=4, s=5), [body(t=5, w=20, sv=0)])
    for number, die in enumerate(hits):
        single.shoot([die, wounds[number]] if die >= 4 else [die])
    assert single.lost == 5


@pytest.mark.rule("w10.attack.fast-dice.saves")
def test_failed_saves_go_to_the_hurt_model_first():
    terminators = [body(sv=2, inv=4, w=3, t=5), body(sv=2, inv=4, w=3, t=5, left=1), body(sv=2, inv=4, w=3, t=5)]
    field = Field(gun(ap=-1, s=5), terminators).shoot([6] * 5 + [6] * 5 + [1, 2, 4, 5, 5], attacks=5)
    assert field.wounds == [3, 0, 2]


@pytest.mark.rule("w10.attack.fast-dice.random-damage")
def test_random_damage_is_resolved_attack_by_attack():
    weapon = gun(a=3, d=(1, 3, 0))
    field = Field(weapon, [body(w=2, sv=0)] * 4).shoot([3, 3, 3, 4, 4, 4, 1, 3, 5])
    assert sorted(field.wounds) == [0, 0, 2, 2]
    field = Field(weapon, [body(w=2, sv=0)] * 4).shoot([3, 3, 3, 4, 4, 4, 5, 3, 1])
    assert sorted(field.wounds) == [0, 0, 1, 2]


@pytest.mark.rule("w10.attack.fast-dice.example")
def test_worked_example():
    terminators = [body(sv=2, w=3, t=5, left=1)] + [body(sv=2, w=3, t=5)] * 4
    field = Field(gun(bs=4, s=5, ap=-1), terminators, shooters=20)
    field.jobs = np.zeros(20, JOB)
    for model in range(20):
        field.job(model=model)
    assert field.group([4] * 7 + [3] * 13 + [4] * 5 + [3] * 2 + [1, 2, 4, 5, 5]) == at.DONE
    assert field.wounds == [0, 3, 3, 3, 2]
    assert [row[1] for row in field.events(Event.HIT_ROLL)] == list(range(20))
    field.all_rolled()


@pytest.mark.rule("w10.shoot.attacks.number")
def test_each_model_makes_the_attacks_of_its_weapon():
    field = Field(gun(a=2), [body()], shooters=5)
    for model in range(5):
        field.job(model=model)
    assert field.group([1] * 10) == at.DONE
    field.all_rolled()


# ---------------------------------------------------------------- weapon abilities


@pytest.mark.rule("w10.weapon.abilities")
def test_an_ability_belongs_to_its_weapon():
    field = Field([gun(WeaponAbility.HEAVY, bs=4), gun(bs=4)], [body(w=9)])
    field.job(0, weapon=0, near=Near.STATIONARY)
    field.job(1, weapon=1, near=Near.STATIONARY)
    assert field.group([3, 4, 1], 0) == at.DONE
    assert field.lost == 1
    assert field.group([3], 1) == at.DONE
    assert field.lost == 1
    field.all_rolled()


@pytest.mark.rule("w10.weapon.rapid-fire")
def test_rapid_fire_adds_attacks_within_half_range():
    rapid = gun(WeaponAbility.RAPID_FIRE, rapid_fire=1)
    assert one(rapid, [1, 1], near=Near.HALF_RANGE) == 0
    assert one(rapid, [1]) == 0
    assert one(gun(WeaponAbility.RAPID_FIRE, a=2, rapid_fire=2), [1] * 4, near=Near.HALF_RANGE) == 0


@pytest.mark.rule("w10.weapon.rapid-fire", "w10.datasheet.random.other")
def test_a_random_rapid_fire_is_rolled_with_the_number_of_attacks():
    """D3 (a 4 is 2) for each weapon, beside the dice of A; beyond half range no die."""
    rapid = gun(WeaponAbility.RAPID_FIRE, rapid_fire=(1, 3, 0))
    assert one(rapid, [4, 1, 1, 1], near=Near.HALF_RANGE) == 0
    assert one(rapid, [1]) == 0
    both = gun(WeaponAbility.RAPID_FIRE, a=(1, 6, 1), rapid_fire=(1, 3, 1))
    field = Field(both, [body(w=20)], shooters=2)
    for model in range(2):
        field.job(0, model=model, near=Near.HALF_RANGE)
    assert field.group([2, 5, 1, 1] + [1] * 11) == at.DONE  # 2+1 and 3+1, then 1+1 and 1+1
    field.all_rolled()
    assert [row[4:7:2] for row in field.events(Event.ATTACKS_ROLL)] == [[5, 7], [2, 4]]


@pytest.mark.rule("w10.weapon.extra-attacks.no-modify")
def test_extra_attacks_are_not_raised_by_rapid_fire():
    both = gun(WeaponAbility.RAPID_FIRE | WeaponAbility.EXTRA_ATTACKS, rapid_fire=(1, 6, 0))
    assert one(both, [1], near=Near.HALF_RANGE) == 0


@pytest.mark.rule("w10.concepts.reroll.sum-all-dice")
def test_the_dice_of_rapid_fire_are_rolled_again_with_those_of_the_attacks():
    weapon = gun(WeaponAbility.RAPID_FIRE, a=(1, 6, 0), rapid_fire=(1, 3, 0))
    field = Field(weapon, [body(w=20)], offer=Window.ATTACKS)
    field.job(0, near=Near.HALF_RANGE)
    assert field.group([1, 2]) == at.ASK_REROLL_ONE
    assert int(field.attack["die"][0]) == 2
    assert field.go([2, 6] + [1] * 5, answer=1) == at.DONE
    field.all_rolled()


@pytest.mark.rule("w10.concepts.reroll.optional", "w10.weapon.rapid-fire", "w10.datasheet.random.other")
@pytest.mark.parametrize(
    ("near", "die", "asked"),
    [(Near.HALF_RANGE, [3, 3], True), (Near.HALF_RANGE, [4, 3], False), (0, [4], False), (0, [3], True)],
)
def test_what_is_below_the_average_counts_the_dice_of_rapid_fire(near, die, asked):
    """3 and 2 of D6 + D3 (5.5 on average) are bad, 4 and 2 are not; 4 of D6 (3.5) is not, 3 is."""
    weapon = gun(WeaponAbility.RAPID_FIRE, a=(1, 6, 0), rapid_fire=(1, 3, 0))
    field = Field(weapon, [body(w=20)], offer=Window.ATTACKS | Window.ONLY_BAD)
    field.job(0, near=near)
    attacks = 4 + 2 * (near == Near.HALF_RANGE)
    assert (field.group([*die, *[1] * (0 if asked else attacks)]) == at.ASK_REROLL_ONE) == asked


@pytest.mark.rule("w10.weapon.ignores-cover")
def test_ignores_cover():
    assert saves(body(sv=4), 4, ap=-1, near=Near.COVER)
    assert not saves(body(sv=4), 4, ap=-1, near=Near.COVER, abilities=WeaponAbility.IGNORES_COVER)
    assert saves(body(sv=4), 5, ap=-1, near=Near.COVER, abilities=WeaponAbility.IGNORES_COVER)


@pytest.mark.rule("w10.weapon.twin-linked", "w10.concepts.reroll.optional")
def test_twin_linked_wound_rolls_may_be_rolled_again():
    twin = gun(WeaponAbility.TWIN_LINKED)
    assert one(twin, [3, 3, 4, 1]) == 1  # by default the failures
    assert one(twin, [2]) == 0  # not the hit roll
    for first, answer, then, lost in ((2, 1, [5, 1], 1), (2, 0, [], 0), (2, 1, [1], 0), (4, 1, [3], 0), (4, 0, [1], 1)):
        field = Field(twin, [body(w=9)], asks=Asks.TWIN)
        field.job()
        assert field.group([3, first]) == at.ASK_REROLL_WOUND
        assert field.attack["die"] == first
        assert field.go(then, answer=answer) == at.DONE
        assert field.lost == lost
        field.all_rolled()


def test_twin_linked_asks_for_every_die_of_a_batch():
    field = Field(gun(WeaponAbility.TWIN_LINKED, a=3), [body(w=9, sv=0)], asks=Asks.TWIN)
    field.job()
    assert field.group([3, 3, 3, 5, 2, 2]) == at.ASK_REROLL_WOUND
    asked = []
    for answer, dice in ((1, [6]), (0, []), (0, [])):
        asked.append(int(field.attack["die"][0]))
        code = field.go(dice, answer=answer)
    assert asked == [2, 2, 5]
    assert code == at.DONE
    assert field.lost == 2
    field.all_rolled()


@pytest.mark.rule("w10.weapon.torrent")
def test_torrent_hits_by_itself():
    field = Field(gun(WeaponAbility.TORRENT, a=(1, 6, 0), bs=0), [body()]).shoot([4, 1, 1, 1, 1], near=Near.HIT_MINUS)
    assert len(field.events(Event.WOUND_ROLL)) == 4


@pytest.mark.rule("w10.weapon.torrent.no-criticals")
def test_torrent_scores_no_critical_hits():
    torrent = gun(WeaponAbility.TORRENT | WeaponAbility.SUSTAINED_HITS, a=3, sustained=1)
    field = Field(torrent, [body()]).shoot([1, 1, 1])
    assert len(field.events(Event.WOUND_ROLL)) == 3


@pytest.mark.rule("w10.weapon.lethal-hits")
def test_lethal_hits_wound_without_a_roll():
    field = Field(gun(WeaponAbility.LETHAL_HITS, a=2, bs=4, s=3), [body(t=12, w=9)]).shoot([6, 4, 5, 1])
    assert field.lost == 1
    assert field.events(Event.WOUND_ROLL)[0][5] == 6


@pytest.mark.rule("w10.weapon.lethal-hits.no-critical-wound")
def test_an_automatic_wound_is_not_critical():
    both = WeaponAbility.LETHAL_HITS | WeaponAbility.DEVASTATING_WOUNDS
    field = Field(gun(both, d=3), [body(w=9)]).shoot([6, 6])
    assert field.lost == 0
    assert field.events(Event.SAVE_ROLL)


@pytest.mark.rule("w10.weapon.lance")
def test_lance_helps_the_charging_bearer():
    lance = gun(WeaponAbility.LANCE, melee=1)
    assert one(lance, [3, 3, 1], near=Near.CHARGED) == 1
    assert one(lance, [3, 3]) == 0
    assert one(lance, [3, 4, 1]) == 1


@pytest.mark.rule("w10.weapon.indirect-fire.penalty")
def test_indirect_fire_at_an_unseen_target():
    mortar = gun(WeaponAbility.INDIRECT_FIRE, bs=4)
    assert one(mortar, [4], near=Near.UNSEEN) == 0
    assert one(mortar, [5, 4, 3], near=Near.UNSEEN) == 0  # saved on 3+
    assert one(mortar, [5, 4, 2], near=Near.UNSEEN) == 1
    assert one(mortar, [4, 4, 3]) == 1
    assert one(mortar, [4, 4, 4]) == 0


@pytest.mark.rule("w10.weapon.precision")
def test_precision_may_pick_a_visible_character():
    precise = gun(WeaponAbility.PRECISION, d=2)
    squad = [body(w=2, left=1), body(w=2)]
    boss = [body(w=4, keywords=Keyword.CHARACTER)]
    field = Field(precise, squad, leader=boss)
    field.shoot([3, 4, 1], seen=[field.boss])  # by default it does
    assert (field.wounds, int(field.models[field.boss]["wounds"])) == ([1, 2], 2)
    field = Field(precise, squad, leader=boss).shoot([3, 4, 1])
    assert (field.wounds, int(field.models[field.boss]["wounds"])) == ([0, 2], 4)
    for answer, left in ((-1, ([0, 2], 4)), (0, ([1, 2], 2))):
        field = Field(precise, squad, leader=boss, asks=Asks.PRECISION | Asks.ALLOCATE)
        field.job(seen=[field.boss])
        assert field.group([3, 4]) == at.ASK_PRECISION
        assert field.go([1], answer=field.boss + answer if answer == 0 else -1) == at.DONE
        assert (field.wounds, int(field.models[field.boss]["wounds"])) == left
        field.all_rolled()


@pytest.mark.rule("w10.weapon.precision")
def test_precision_picks_only_those_that_are_seen():
    """Two CHARACTERS, one of them among the Bodyguards: only the one that the attacker sees, whichever it is."""
    precise = gun(WeaponAbility.PRECISION)
    squad = [body(w=3), body(w=3, keywords=Keyword.CHARACTER)]
    for seen in (0, 1):
        field = Field(precise, squad, leader=[body(w=4, keywords=Keyword.CHARACTER)], asks=Asks.PRECISION)
        rows = (field.first + 1, field.boss)
        field.job(seen=[rows[seen]])
        assert field.group([3, 4]) == at.ASK_PRECISION
        bits = int(field.attack["seen"][0])
        found = [row for row in range(1, 4) if rolls.precision_candidate(field.models, field.units, TARGET, bits, row)]
        assert found == [rows[seen]]
        with pytest.raises(ValueError, match="Precision"):
            field.go(answer=rows[1 - seen])
        field = Field(precise, squad, leader=[body(w=4, keywords=Keyword.CHARACTER)])
        field.shoot([3, 4, 1], seen=[rows[seen]])
        assert field.models["wounds"][rows[seen]] == field.models["max_wounds"][rows[seen]] - 1


def test_precision_left_to_the_defender_asks_the_defender():
    field = Field(
        gun(WeaponAbility.PRECISION),
        [body(), body()],
        leader=[body(w=4, keywords=Keyword.CHARACTER)],
        asks=Asks.PRECISION | Asks.ALLOCATE,
    )
    field.job(seen=[field.boss])
    assert field.group([3, 4]) == at.ASK_PRECISION
    assert field.go(answer=-1) == at.ASK_ALLOCATE
    assert field.go([1], answer=field.first) == at.DONE
    assert field.wounds == [0, 1]


@pytest.mark.rule("w10.weapon.precision.mortal-wounds")
def test_precision_does_not_direct_mortal_wounds():
    weapon = gun(WeaponAbility.PRECISION | WeaponAbility.DEVASTATING_WOUNDS, d=3)
    field = Field(weapon, [body()] * 4, leader=[body(w=4, keywords=Keyword.CHARACTER)])
    field.shoot([3, 6], seen=[field.boss])
    assert sorted(field.wounds) == [0, 0, 0, 1]
    assert field.models[field.boss]["wounds"] == 4


@pytest.mark.rule("w10.weapon.blast.extra")
def test_blast_adds_an_attack_for_each_five_models():
    for models, attacks in ((4, 9), (5, 10), (10, 11), (11, 11)):
        field = Field(gun(WeaponAbility.BLAST, a=(2, 6, 0)), [body()] * models)
        field.shoot([5, 4] + [1] * attacks, near=models // 5 << rolls.BLAST_SHIFT)


@pytest.mark.rule("w10.weapon.blast.fixed-attacks")
def test_blast_adds_to_fixed_attacks_too():
    Field(gun(WeaponAbility.BLAST, a=3), [body()] * 10).shoot([1] * 5, near=2 << rolls.BLAST_SHIFT)


@pytest.mark.rule("w10.weapon.melta")
def test_melta_adds_damage_within_half_range():
    melta = gun(WeaponAbility.MELTA, d=(1, 6, 0), melta=2)
    assert one(melta, [3, 4, 1, 3], near=Near.HALF_RANGE) == 5
    assert one(melta, [3, 4, 1, 3]) == 3


@pytest.mark.rule("w10.weapon.melta", "w10.datasheet.random.other")
def test_a_random_melta_is_rolled_with_each_damage_roll():
    """D6 and D3 (a 5 is 3) for each attack, beyond half range D6 alone."""
    melta = gun(WeaponAbility.MELTA, a=2, d=(1, 6, 0), melta=(1, 3, 0))
    assert one(melta, [3, 3, 4, 4, 1, 2, 5, 1, 6, 1], near=Near.HALF_RANGE) == 2 + 3 + 6 + 1
    assert one(melta, [3, 3, 4, 4, 1, 2, 1, 6]) == 8
    assert one(gun(WeaponAbility.MELTA, d=1, melta=(1, 6, 1)), [3, 4, 1, 4], near=Near.HALF_RANGE) == 6


@pytest.mark.rule("w10.concepts.reroll.sum-all-dice")
def test_the_dice_of_melta_are_rolled_again_with_those_of_the_damage():
    field = Field(gun(WeaponAbility.MELTA, d=(1, 6, 0), melta=(1, 3, 0)), [body(w=20)], offer=Window.DAMAGE)
    field.job(0, near=Near.HALF_RANGE)
    assert field.group([3, 4, 1, 2, 1]) == at.ASK_REROLL_ONE
    assert int(field.attack["die"][0]) == 3
    assert field.go([5, 6], answer=1) == at.DONE
    assert field.lost == 8
    field.all_rolled()


@pytest.mark.rule("w10.weapon.melta", "w10.weapon.devastating-wounds")
def test_the_dice_of_melta_count_for_devastating_wounds():
    both = gun(WeaponAbility.MELTA | WeaponAbility.DEVASTATING_WOUNDS, d=(1, 6, 0), melta=(1, 3, 1))
    assert one(both, [3, 6, 4, 5], near=Near.HALF_RANGE) == 4 + 3 + 1
    assert one(both, [3, 6, 4]) == 4


# ---------------------------------------------------------------- random Strength


@pytest.mark.rule("w10.datasheet.random.other", "w10.attack.fast-dice.similar")
def test_a_random_strength_is_rolled_for_each_wound_roll():
    """S D6+2 against T 4: a 1 makes S 3 (5+), a 2 S 4 (4+), a 6 S 8 (2+); the Strength die comes before its wound die."""
    weapon = gun(a=4, s=(1, 6, 2))
    field = Field(weapon, [body(w=20, sv=0)])
    field.shoot([3, 3, 3, 1] + [1, 4] + [2, 4] + [6, 2])
    assert [row[4:7:2] for row in field.events(Event.STRENGTH)] == [[1, 3], [2, 4], [6, 8]]
    assert [row[4:7] for row in field.events(Event.WOUND_ROLL)] == [[4, 5, 0], [4, 4, 1], [2, 2, 1]]
    assert field.lost == 2


@pytest.mark.rule("w10.datasheet.random.other", "w10.weapon.lethal-hits")
def test_a_wound_without_a_wound_roll_needs_no_strength():
    weapon = gun(WeaponAbility.LETHAL_HITS, a=2, s=(2, 6, 0))
    assert one(weapon, [6, 3, 1, 1, 6, 1, 1]) == 2


@pytest.mark.rule("w10.datasheet.random.other", "w10.weapon.devastating-wounds")
def test_critical_wounds_with_a_random_strength():
    weapon = gun(WeaponAbility.DEVASTATING_WOUNDS, a=2, s=(1, 6, 0), d=(1, 3, 0))
    field = Field(weapon, [body(w=20)])
    field.shoot([3, 3, 1, 6, 5, 4, 4, 6], pending=True)  # S 1: 6 wounds, D3 of 5 is 3; S 4: 4 wounds, and is saved
    assert field.lost == 3


@pytest.mark.rule("w10.datasheet.random.other", "w10.weapon.twin-linked")
def test_what_fails_is_judged_by_the_strength_of_that_attack():
    """Failed wound rolls are made again: a 4 fails with S 3 and succeeds with S 4; the Strength is not rolled again."""
    weapon = gun(WeaponAbility.TWIN_LINKED, a=2, s=(1, 6, 2))
    field = Field(weapon, [body(w=20, sv=0)]).shoot([3, 3, 1, 4, 5, 2, 4])
    assert field.lost == 2
    field = Field(weapon, [body(w=20, sv=0)], asks=Asks.TWIN)
    field.job()
    assert field.group([3, 3, 1, 4]) == at.ASK_REROLL_WOUND
    assert field.go([2, 4], answer=0) == at.ASK_REROLL_WOUND
    assert field.go([], answer=0) == at.DONE
    field.all_rolled()
    assert field.lost == 1


@pytest.mark.rule("w10.datasheet.random.other", "w10.concepts.reroll.once")
def test_one_wound_roll_of_the_volley_is_rolled_again_with_a_random_strength():
    field = Field(gun(a=3, s=(1, 6, 2)), [body(w=20, sv=0)], offer=Window.WOUND | Window.ONLY_BAD)
    field.job()
    assert field.group([3, 3, 3, 2, 4, 1, 4]) == at.ASK_REROLL_ONE  # the second fails: 5+ with S 3
    assert int(field.attack["needed"][0]) == 5
    assert field.go([5, 1, 1], answer=4) == at.DONE  # the third fails too, and the re-roll is used up
    field.all_rolled()
    assert field.lost == 2


@pytest.mark.rule("w10.weapon.heavy")
def test_heavy_helps_a_stationary_unit():
    heavy = gun(WeaponAbility.HEAVY, bs=4)
    assert one(heavy, [3, 4, 1], near=Near.STATIONARY) == 1
    assert one(heavy, [3]) == 0
    assert one(heavy, [4, 4, 1]) == 1


@pytest.mark.rule("w10.weapon.devastating-wounds")
def test_critical_wounds_become_mortal_wounds():
    weapon = gun(WeaponAbility.DEVASTATING_WOUNDS, d=2)
    field = Field(weapon, [body(w=9)])
    field.shoot([3, 6], pending=False)
    assert field.lost == 0
    at.begin_pending(field.attack)
    assert field.go() == at.DONE
    assert field.lost == 2
    assert one(weapon, [3, 5, 6]) == 0
    assert one(weapon, [3, 5, 1]) == 2


@pytest.mark.rule("w10.weapon.devastating-wounds", "w10.stratagem.command-re-roll")
def test_their_random_damage_is_a_damage_roll():
    """Two Critical Wounds of Damage D3+1: each roll is offered to be made again, until one was."""
    weapon = gun(WeaponAbility.DEVASTATING_WOUNDS, a=2, d=(1, 3, 1))
    field = Field(weapon, [body(w=12)], offer=Window.DAMAGE)
    field.job()
    assert field.group([3, 3, 6, 6, 1]) == at.ASK_REROLL_ONE
    assert (int(field.attack["window"][0]), int(field.attack["die"][0])) == (Window.DAMAGE, 1)
    assert field.go([2], answer=0) == at.ASK_REROLL_ONE
    assert field.go([6], answer=1) == at.DONE
    assert int(field.attack["pending"][0]) == (1 + 1) + (3 + 1)
    assert len(field.events(Event.REROLL)) == 1
    field.all_rolled()


@pytest.mark.rule("w10.weapon.devastating-wounds.spill")
def test_devastating_wounds_spill_over():
    field = Field(gun(WeaponAbility.DEVASTATING_WOUNDS, d=3), [body()] * 5).shoot([3, 6])
    assert field.units[TARGET]["alive"] == 2


@pytest.mark.rule("w10.weapon.sustained-hits")
def test_sustained_hits_add_hits():
    field = Field(gun(WeaponAbility.SUSTAINED_HITS, sustained=2), [body()]).shoot([6, 1, 1, 1])
    assert len(field.events(Event.WOUND_ROLL)) == 3


def test_random_sustained_hits_are_rolled_for_each_critical_hit():
    weapon = gun(WeaponAbility.SUSTAINED_HITS, a=2, sustained=(1, 3, 0))
    field = Field(weapon, [body()]).shoot([6, 6, 1, 5] + [1] * 6)
    assert len(field.events(Event.WOUND_ROLL)) == 6


@pytest.mark.rule("w10.weapon.sustained-hits.not-critical")
def test_additional_hits_are_not_critical():
    both = WeaponAbility.SUSTAINED_HITS | WeaponAbility.LETHAL_HITS
    field = Field(gun(both, sustained=1), [body(w=9)]).shoot([6, 1, 1])
    assert len(field.events(Event.WOUND_ROLL)) == 1
    assert field.lost == 1


@pytest.mark.rule("w10.weapon.anti")
def test_anti_widens_critical_wounds():
    anti = gun(WeaponAbility.ANTI, anti={4: Keyword.VEHICLE})
    tank = [body(t=12, w=9, keywords=Keyword.VEHICLE)]
    for die in (4, 5, 6):
        field = Field(anti, tank).shoot([3, die, 1])
        assert field.events(Event.WOUND_ROLL)[0][6] == 2
    assert one(anti, [3, 3], tank) == 0
    foot = [body(w=9, keywords=Keyword.INFANTRY)]
    for die, result in ((4, 1), (5, 1), (6, 2)):
        assert Field(anti, foot).shoot([3, die, 1]).events(Event.WOUND_ROLL)[0][6] == result
    psyker = gun(WeaponAbility.ANTI, anti={2: Keyword.PSYKER})
    field = Field(psyker, [body(t=12, keywords=Keyword.PSYKER)]).shoot([3, 2, 1])
    assert field.events(Event.WOUND_ROLL)[0][6] == 2


@pytest.mark.rule("w10.weapon.anti")
@pytest.mark.parametrize(
    ("keywords", "critical"),
    [
        (Keyword.VEHICLE, 4),
        (Keyword.INFANTRY, 2),
        (Keyword.MONSTER, 4),
        (Keyword.VEHICLE | Keyword.INFANTRY, 2),
        (Keyword.BEASTS, 6),
    ],
)
def test_several_anti_abilities_each_with_its_roll(keywords, critical):
    """A target with several of the keywords: the best that applies."""
    anti = gun(WeaponAbility.ANTI, anti={4: Keyword.VEHICLE | Keyword.MONSTER, 2: Keyword.INFANTRY})
    target = [body(t=12, w=9, keywords=keywords)]
    field = Field(anti, target).shoot([3, critical, 1])
    assert field.events(Event.WOUND_ROLL)[0][5:7] == [critical, 2]
    assert one(anti, [3, critical - 1], target) == 0


@pytest.mark.rule("w10.weapon.anti.attached")
def test_each_part_of_an_attached_unit_brings_its_anti_ability():
    anti = gun(WeaponAbility.ANTI, anti={3: Keyword.PSYKER, 5: Keyword.INFANTRY})
    guards = [body(t=12, w=2, keywords=Keyword.INFANTRY)] * 2
    field = Field(anti, guards, leader=[body(w=4, keywords=Keyword.PSYKER)]).shoot([3, 3, 1])
    assert field.events(Event.WOUND_ROLL)[0][6] == 2
    field = Field(anti, guards, leader=[body(w=4, keywords=Keyword.PSYKER, alive=0)]).shoot([3, 3])
    assert field.events(Event.WOUND_ROLL)[0][5:7] == [5, 0]


@pytest.mark.rule("w10.weapon.anti.devastating")
def test_anti_criticals_are_devastating():
    both = WeaponAbility.ANTI | WeaponAbility.DEVASTATING_WOUNDS
    anti = gun(both, anti={4: Keyword.INFANTRY})
    assert one(anti, [3, 4], [body(t=6, w=9, keywords=Keyword.INFANTRY)]) == 1


@pytest.mark.rule("w10.weapon.anti.attached")
def test_an_attached_unit_has_the_keywords_of_its_leader():
    anti = gun(WeaponAbility.ANTI, anti={2: Keyword.PSYKER})
    field = Field(anti, [body(t=8)] * 2, leader=[body(w=4, keywords=Keyword.PSYKER)]).shoot([3, 2, 1])
    assert field.events(Event.WOUND_ROLL)[0][6] == 2
    assert sorted(field.wounds) == [0, 1]


# ---------------------------------------------------------------- Hazardous


def hazardous(field, tests, dice):
    """Roll the tests; how many failed."""
    at.begin_hazardous(field.attack, TARGET, tests, field.rules, field.dice, field.script, field.log)
    assert field.go() == at.DONE
    return int(field.attack["failures"][0])


def pays(field, model, dice=()):
    """A model pays for a failed test."""
    at.begin_hazardous_loss(
        field.models, field.units, field.attack, field.rules, field.log, field.casualties, field.first + model
    )
    assert field.go(dice) == at.DONE
    field.all_rolled()


@pytest.mark.rule("w10.weapon.hazardous.model-destroyed")
def test_a_failed_hazardous_test_destroys_the_model_chosen():
    field = Field(gun(), [body(w=2, inv=2, fnp=2, keywords=Keyword.INFANTRY)] * 5)
    field.queue([1, 2, 3, 5, 6])
    assert hazardous(field, 5, None) == 1
    pays(field, 2)
    assert field.wounds == [2, 2, 0, 2, 2]


@pytest.mark.rule("w10.weapon.hazardous.mortal")
def test_big_models_suffer_mortal_wounds_instead():
    field = Field(gun(), [body(w=10, keywords=Keyword.VEHICLE)])
    field.queue([1])
    assert hazardous(field, 1, None) == 1
    pays(field, 0)
    assert field.wounds == [7]
    field = Field(gun(), [body(w=10, keywords=Keyword.VEHICLE, fnp=5)])
    pays(field, 0, [5, 1, 2])
    assert field.wounds == [8]


@pytest.mark.rule("w10.weapon.hazardous.attached")
def test_the_character_who_fails_takes_the_wounds_first():
    squad = [body(w=2, left=1), body(w=2)]
    for left, boss, bodyguard in ((5, 2, [1, 2]), (2, 0, [0, 2])):
        field = Field(gun(), squad, leader=[body(w=5, left=left, keywords=Keyword.CHARACTER)])
        pays(field, 2)
        assert int(field.models[field.boss]["wounds"]) == boss
        assert field.wounds == bodyguard


# ---------------------------------------------------------------- re-rolls of one die


@pytest.mark.rule("w10.concepts.reroll.once")
def test_a_die_is_re_rolled_once_only():
    field = Field(gun(WeaponAbility.TWIN_LINKED), [body(w=9)], offer=Window.WOUND)
    field.job()
    assert field.group([3, 1, 2]) == at.DONE  # 1 became 2, and that is not on offer
    field.all_rolled()
    field = Field(gun(WeaponAbility.TWIN_LINKED, a=2), [body(w=9)], offer=Window.WOUND)
    field.job()
    assert field.group([3, 3, 1, 5, 2]) == at.ASK_REROLL_ONE
    assert field.attack["faces"][0].tolist() == [0, 0, 0, 0, 0, 1, 0]


@pytest.mark.rule("w10.concepts.reroll.before-modifiers")
def test_re_rolls_look_at_the_bare_die():
    near = Near.REROLL_HIT_ONES | Near.HIT_MINUS
    assert one(gun(bs=4), [2], near=near) == 0
    assert one(gun(bs=4), [1, 5, 4, 1], near=near) == 1


@pytest.mark.rule("w10.concepts.reroll.unmodified")
def test_a_re_rolled_six_is_critical():
    sustained = gun(WeaponAbility.SUSTAINED_HITS, sustained=1)
    field = Field(sustained, [body(w=9)], offer=Window.HIT)
    field.job(near=Near.HIT_MINUS)
    assert field.group([3]) == at.ASK_REROLL_ONE
    assert field.go([6, 1, 1], answer=3) == at.DONE
    field.all_rolled()
    assert one(sustained, [5, 1], near=Near.HIT_PLUS) == 0  # one wound roll only


@pytest.mark.rule("w10.stratagem.command-re-roll")
def test_one_failed_save_is_rolled_again():
    field = Field(gun(a=2), [body(sv=3, w=9)], offer=Window.SAVE)
    field.job()
    assert field.group([3, 3, 4, 4, 2]) == at.ASK_REROLL_ONE
    assert [int(field.attack[name][0]) for name in ("window", "die")] == [Window.SAVE, 2]
    assert field.go([3, 1], answer=1) == at.DONE  # the window closed: the second save stands
    assert field.lost == 1
    assert field.attack["offer"] == 0
    field.all_rolled()


@pytest.mark.parametrize(
    ("window", "dice", "answer", "more", "lost"),
    [
        (Window.ATTACKS, [2], 1, [1, 2], 0),  # 2 attacks become 1, which misses
        (Window.HIT, [2, 3, 2], 2, [5, 1, 1], 0),  # a second hit; neither wounds
        (Window.WOUND, [2, 3, 3, 4, 2], 2, [4, 1, 5, 6], 5),  # a second wound, which is saved
        (Window.DAMAGE, [2, 3, 3, 4, 4, 1, 2], 1, [6, 6], 6),  # 2 damage become 6; the other attack is saved
    ],
)
def test_windows_of_the_attacker(window, dice, answer, more, lost):
    field = Field(gun(a=(1, 6, 0), d=(1, 6, 0)), [body(w=20)], offer=window | Window.ONLY_BAD)
    field.job()
    assert field.group(dice) == at.ASK_REROLL_ONE
    assert field.attack["window"] == window
    assert field.go(more, answer=answer) == at.DONE
    assert field.lost == lost
    assert field.attack["offer"] == Window.ONLY_BAD
    field.all_rolled()


@pytest.mark.rule("w10.concepts.reroll.optional")
def test_good_rolls_are_not_offered_when_only_bad_ones_matter():
    offer = Window.ATTACKS | Window.HIT | Window.WOUND | Window.DAMAGE | Window.SAVE | Window.ONLY_BAD
    field = Field(gun(a=(1, 3, 0), d=(1, 3, 0)), [body(w=20)], offer=offer)
    field.job()
    assert field.group([3, 3, 3, 4, 4, 6, 6]) == at.DONE
    field.all_rolled()


ATTACKERS = Window.ATTACKS | Window.HIT | Window.WOUND | Window.DAMAGE | Window.HAZARDOUS


@pytest.mark.rule("w10.concepts.reroll.once", "w10.stratagem.command-re-roll")
def test_a_roll_made_again_by_one_player_leaves_the_other_his():
    """The number of attacks again, then a save; and after a save the attacker may still roll damage again, once."""
    field = Field(gun(a=(1, 6, 0)), [body(w=20, sv=4)], offer=ATTACKERS | Window.SAVE | Window.ONLY_BAD)
    field.job()
    assert field.group([1]) == at.ASK_REROLL_ONE
    assert field.go([1, 6, 6, 1], answer=1) == at.ASK_REROLL_ONE
    assert field.attack["window"] == Window.SAVE
    assert field.attack["offer"] == Window.SAVE | Window.ONLY_BAD
    assert field.go([6], answer=1) == at.DONE
    assert field.attack["offer"] == Window.ONLY_BAD
    assert field.lost == 0
    field.all_rolled()
    other = Field(gun(a=2, d=(1, 6, 0)), [body(w=20, sv=4)], offer=ATTACKERS | Window.SAVE | Window.ONLY_BAD)
    other.job()
    assert other.group([6, 6, 6, 6, 1]) == at.ASK_REROLL_ONE
    assert other.attack["window"] == Window.SAVE
    assert other.go([6, 1, 1], answer=1) == at.ASK_REROLL_ONE
    assert other.attack["window"] == Window.DAMAGE
    assert other.attack["offer"] == ATTACKERS | Window.ONLY_BAD
    assert other.go([5], answer=1) == at.DONE
    assert other.attack["offer"] == Window.ONLY_BAD
    assert other.lost == 5
    other.all_rolled()


@pytest.mark.rule("w10.weapon.hazardous.test", "w10.concepts.reroll.optional")
def test_a_hazardous_test_may_be_rolled_again():
    field = Field(gun(), [body()], offer=Window.HAZARDOUS | Window.ONLY_BAD)
    field.queue([1, 4])
    at.begin_hazardous(field.attack, TARGET, 2, field.rules, field.dice, field.script, field.log)
    assert field.go() == at.ASK_REROLL_ONE
    assert field.go([3], answer=1) == at.DONE
    assert field.attack["failures"] == 0
    field.all_rolled()


# ---------------------------------------------------------------- the machine


def test_losses_are_reported_one_by_one():
    demise = body(sv=0, demise_dice=1, demise_sides=3)
    field = Field(gun(a=3), [body(sv=0), demise, body(sv=0)], asks=Asks.STOP_DEMISE)
    field.job()
    assert field.group([3, 3, 3, 4, 4, 4]) == at.LOSS
    assert field.casualties[: int(field.attack["casualties"][0])].tolist() == [field.first + 2, field.first + 1]
    # a second row inflicts the mortal wounds of the explosion while the volley waits
    nested = np.zeros(1, at.ATTACK)
    tables: Any = list(field.tables())
    tables[4] = nested
    nested["attacker"] = -1
    at.begin_mortal(nested, TARGET, 1, -1)
    assert at.resolve(*tables) == at.DONE
    assert field.units[TARGET]["alive"] == 0
    assert field.go() == at.DONE
    field.all_rolled()
    field = Field(gun(a=2), [body(sv=0)] * 3, asks=Asks.STOP_LOSS)
    field.job()
    assert [field.group([3, 3, 4, 4]), field.go(), field.go()] == [at.LOSS, at.LOSS, at.DONE]


def test_a_copy_made_at_a_question_plays_on_alike():
    field = Field(gun(a=(3, 6, 0), d=(1, 3, 0)), [body(w=3, inv=5)] * 10, asks=Asks.ALLOCATE | Asks.SAVE)
    field.dice["seed_low"] = 77
    field.job()
    code = field.group()
    while code != at.DONE:
        copy = [table.copy() for table in field.tables()]
        field.attack["answer"] = answer = field.first + field.options()[0] if code == at.ASK_ALLOCATE else 1
        copy[4]["answer"] = answer
        code = at.resolve(*field.tables())
        assert at.resolve(*copy) == code
        assert all(np.array_equal(a, b) for a, b in zip(copy, field.tables()))


def test_a_short_log_changes_nothing():
    results = []
    for rows in (0, 3, 256):
        field = Field(gun(a=10), [body(w=2)] * 5)
        field.log = np.zeros((rows, at.LOG_COLUMNS), np.int32)
        field.dice["seed_low"] = 5
        field.job()
        assert field.group() == at.DONE
        results.append(field.models.tobytes())
    assert results[0] == results[1] == results[2]


def volleys_digest():
    """A hash of what a few random volleys do to the state."""
    everything = WeaponAbility.SUSTAINED_HITS | WeaponAbility.TWIN_LINKED | WeaponAbility.DEVASTATING_WOUNDS
    weapons = [
        gun(everything, a=(2, 6, 1), d=(1, 3, 0), ap=-1, sustained=(1, 3, 0)),
        gun(WeaponAbility.LETHAL_HITS | WeaponAbility.ANTI, a=9, anti={4: Keyword.INFANTRY}, d=2),
    ]
    digest = hashlib.sha256()
    for seed in range(20):
        squad = [body(w=2, inv=5, fnp=6, keywords=Keyword.INFANTRY)] * 9
        field = Field(weapons, squad, leader=[body(w=5, t=5, keywords=Keyword.CHARACTER)], shooters=3)
        field.dice["seed_low"], field.dice["seed_high"] = seed, 1234
        for model in range(3):
            field.job(0, model=model, near=Near.REROLL_HIT_ONES | Near.COVER)
            field.job(1, model=model, weapon=1)
        assert [field.group(group=group) for group in (0, 1)] == [at.DONE, at.DONE]
        at.begin_pending(field.attack)
        assert field.go() == at.DONE
        for table in field.tables():
            digest.update(table.tobytes())
    return digest.hexdigest()


def test_plain_python_plays_the_same():
    code = f"import runpy; print(runpy.run_path({str(Path(__file__))!r})['volleys_digest']())"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == volleys_digest()
