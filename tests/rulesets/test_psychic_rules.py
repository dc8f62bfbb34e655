"""The Psychic phase as editions share it: a power once a turn for each psyker, Smite always at 5; and its data."""

from __future__ import annotations

from functools import partial

import pytest

from wh_env.rulesets.w9.ruleset import NinthEdition
from wh_env.rulesets.w40k.edition_parts.psychic_rules import PsychicRules
from wh_env.rulesets.w40k.psychic.data import Affects, Discipline, PsychicPower, PsychicProfile
from wh_env.rulesets.w40k.psychic.state import bits_of, numbers_in, psychic_statics
from wh_env.testing import Scene, kind, pick, sheet, told, words

BOLT = PsychicPower("Bolt", 5, "mortal", Affects.ENEMY, 18, amount=(0, 0, 1))


class EachPsyker(PsychicRules):
    """No bans beyond those of the psyker's own attempts."""

    deny_reach = 24.0
    perils_reach = 6.0


class Plain(NinthEdition):
    """An edition that answers nothing in a way of its own."""

    psychic = EachPsyker()


PlainScene = partial(Scene, edition=Plain())


def powers(battle):
    """What the selected psyker may attempt."""
    assert kind(battle) == "select-power"
    return [text.split(": ")[1] for text in words(battle).values() if "(" in text]


def test_each_psyker_attempts_every_power_once_a_turn_and_smite_does_not_rise():
    scene = PlainScene()
    for number in (1, 2):
        scene.unit(0, sheet(f"P{number}", W=9), at=(10 * number, 10), psychic=PsychicProfile(2, 0, (BOLT,)))
    scene.unit(1, sheet("Enemy", W=90), at=(15, 20))
    battle = scene.battle("psychic", dice=[1, 2, 1, 2, 2, 3])
    pick(battle, "P1")
    assert powers(battle) == ["Smite (5+)", "Bolt (5+)"]
    pick(battle, "P1: Smite (5+)")
    assert powers(battle) == ["Bolt (5+)"]
    pick(battle, "P1: Bolt (5+)")
    pick(battle, "P2")
    assert powers(battle) == ["Smite (5+)", "Bolt (5+)"]
    pick(battle, "P2: Smite (5+)")
    assert told(battle, "w9.psychic.test")[-1]["passed"]


def test_who_fell_back_may_manifest_where_no_edition_says_otherwise():
    scene = PlainScene()
    scene.unit(0, sheet("P1", W=9), at=(10, 10), psychic=PsychicProfile(1, 0), moved=4)
    scene.unit(1, sheet("Enemy", W=90), at=(15, 20))
    assert kind(scene.battle("psychic")) == "select-psyker"


def test_bits_stand_for_numbers():
    assert numbers_in(bits_of([0, 3, 47])) == [0, 3, 47]
    assert numbers_in(0) == []


def test_a_power_of_several_psykers_has_one_number():
    twice = {0: PsychicProfile(1, 0, (BOLT,)), 3: PsychicProfile(1, 0, (BOLT,))}
    statics = psychic_statics(twice, (), {"mortal": lambda g, owner, unit, amount: None})
    assert [power.name for power in statics["psychic_powers"]] == ["Smite", "Bolt"]
    assert statics["psychic_known"] == {0: 3, 3: 3}


def test_an_unknown_effect_is_an_error():
    power = PsychicPower("Wrong", 5, "teleport", Affects.ENEMY, 18)
    with pytest.raises(ValueError, match=r"Wrong: effect 'teleport'"):
        psychic_statics({0: PsychicProfile(1, 0, (power,))}, (), {"mortal": lambda g, owner, unit, amount: None})


def test_too_many_powers_are_an_error():
    many = tuple(PsychicPower(f"P{n}", 5, "mortal") for n in range(48))
    profile = PsychicProfile(1, 0, disciplines=(Discipline("Many", many),))
    with pytest.raises(ValueError, match=r"49 psychic powers; expected at most 48"):
        psychic_statics({0: profile}, (), {"mortal": lambda g, owner, unit, amount: None})
