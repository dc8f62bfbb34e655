"""Every number of attacks and of targets in the 8th edition is played: each of them changed changes an answer of the rules it stands for.

Numbers of shared code that no rule of this edition asks about are listed with the reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from functools import cache
from typing import Any

import pytest
from number_probes import (
    Answer,
    Probe,
    Scene,
    allocated,
    ask,
    covered_in_melee,
    engaged_tank,
    half_in_cover,
    hits,
    ignored_twice,
    pistols_in_combat,
    saves,
    volley,
    wounds,
)

from wh_env.core.frozen import frozen
from wh_env.rulesets.w8.ruleset import EIGHTH_EDITION, EighthEdition
from wh_env.rulesets.w40k.attack.rolls import ATTACK_RULES, Near
from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.numbers import Targeting
from wh_env.rulesets.w40k.profiles import Keyword
from wh_env.rulesets.w40k.profiles import WeaponAbility as W
from wh_env.rulesets.w40k.shoot.declare import shooting_mode, shooting_row
from wh_env.testing import ranged, sheet

RAPID = ranged(24, A=1, abilities=["Rapid Fire 1"])


def after_a_retreat() -> Answer:
    """What INFANTRY that FLIES may fire after it fell back."""
    scene = Scene()
    gun = {"gun": ranged(24)}
    scene.unit(
        0, sheet("Mine", weapons=gun, keywords=("INFANTRY", "FLY")), at=(20, 20), models=1, moved=Moved.FELL_BACK
    )
    scene.unit(1, sheet("Foes"), at=(20, 30), models=1)
    return shooting_mode(scene.battle("shooting", run=False), 0)


def behind_a_closer_one(wounds: int) -> Answer:
    """Whom a unit may shoot at: a CHARACTER with so many Wounds, and a unit that is closer beside it."""
    scene = Scene()
    scene.unit(0, sheet("Mine", weapons={"gun": ranged(24)}), at=(20, 10), models=1)
    scene.unit(1, sheet("Closer"), at=(24, 18), models=1)
    scene.unit(1, sheet("Hero", W=wounds, keywords=("INFANTRY", "CHARACTER")), at=(20, 22), models=1)
    battle = scene.battle("shooting", run=False)
    return shooting_row(battle, 0, shooting_mode(battle, 0))[0].tobytes()


def tank_in_combat() -> Answer:
    """What an engaged VEHICLE may fire, and at whom the unit behind it may shoot."""
    battle = engaged_tank()
    return shooting_mode(battle, 0), shooting_row(battle, 1, shooting_mode(battle, 1))[0].tobytes()


# by column: what is added to the number, and who is asked
ATTACKS: Mapping[str, tuple[int | float, Probe]] = {
    "hit_cap": (-98, hits(int(Near.HIT_PLUS | Near.HIT_PLUS_2ND))),
    "wound_cap": (-98, wounds(int(Near.WOUND_PLUS | Near.WOUND_PLUS_2ND))),
    "save_cap": (-98, saves(4, 0, False, int(Near.SAVE_PLUS | Near.SAVE_PLUS_2ND))),
    "six_hits": (1, hits(int(Near.HIT_MINUS), skill=6)),
    "six_wounds": (1, wounds(int(Near.WOUND_MINUS), strength=1)),
    "critical": (-1, wounds(0)),
    "snap": (-1, hits(int(Near.SNAP))),
    "cover": (1, saves(6, -2, True)),
    "cover_whole_unit": (-1, half_in_cover),
    "melee_cover": (1, covered_in_melee),
    "no_cover_save": (3, saves(3, 0, True)),
    "allocated_counts": (1, allocated),
    "ignore_twice": (-1, ignored_twice),
    "heavy_stationary": (-1, hits(int(Near.STATIONARY), W.HEAVY)),
    "heavy_moved": (1, hits(0, W.HEAVY)),
    "assault_advanced": (1, hits(int(Near.ADVANCED), W.ASSAULT)),
    "stealth": (1, hits(0, stealthy=True)),
    "engaged": (1, hits(int(Near.ENGAGED_SHOOTER))),
    "engaged_heavy": (1, hits(int(Near.ENGAGED_SHOOTER | Near.STATIONARY), W.HEAVY)),
    "half_range": (0.1, lambda: volley(12.5, RAPID)),
}
UNUSED_ATTACKS: Mapping[str, str] = {
    "save_cap_nets_ap": "saves have no cap",
    "snap_steady": "nobody Holds Steady",
    "shielded_save": "no effect shields units",
    "cover_reach": "cover is on or in a feature",
    "plunging_ap": "there is no fire from above",
    "plunging_height": "there is no fire from above",
    "heavy_slows": "each model is judged by whether it moved (shoot.heavy)",
    "unseen": "no weapon is fired at units that are not visible",
    "lance_charged": "there is no Lance",
    "blast": "there is no Blast",
    "blast_few": "there is no Blast",
    "blast_many": "there is no Blast",
    "blast_least": "there is no Blast",
    "hazardous": "there are no Hazardous weapons",
    "hazardous_mortals": "there are no Hazardous weapons",
    "hazardous_spared": "there are no Hazardous weapons",
}
# by field: what is put in its place, and who is asked
TARGETS: Mapping[str, tuple[Any, Probe]] = {
    "big_guns": (int(Keyword.VEHICLE), tank_in_combat),
    "big_targets": (int(Keyword.VEHICLE), tank_in_combat),
    "fell_back": (0, after_a_retreat),
    "closest_only": (False, lambda: behind_a_closer_one(5)),
    "pistol_closest": (False, pistols_in_combat),
    "lookout_wounds": (10, lambda: behind_a_closer_one(10)),
}
UNUSED_TARGETS: Mapping[str, str] = {
    "lone_range": "there are no Lone Operatives",
    "others_wait": "nobody shoots past whom it is engaged with",
    "engaged_as_unit": "combat is no penalty",
    "lookout": "CHARACTERS are protected by whoever is closer (closest_only)",
    "lookout_screen": "CHARACTERS are protected by whoever is closer (closest_only)",
}


def changed(**numbers: Any) -> EighthEdition:
    """The 8th edition with other numbers."""
    return type("Changed", (EighthEdition,), numbers)()  # type: ignore[no-any-return]


@cache
def at_home(probe: Probe) -> Answer:
    """The answer of the 8th edition."""
    return ask(probe, EIGHTH_EDITION)


@pytest.mark.parametrize("column", ATTACKS)
def test_every_number_of_attacks_counts(column: str) -> None:
    by, probe = ATTACKS[column]
    row = EIGHTH_EDITION.attack_rules.copy()
    row[column] = row[column][0].item() + by
    assert ask(probe, changed(attack_rules=frozen(row))) != at_home(probe)


@pytest.mark.parametrize("name", TARGETS)
def test_every_number_of_targets_counts(name: str) -> None:
    new, probe = TARGETS[name]
    old = EIGHTH_EDITION.targeting
    assert getattr(old, name) != new
    assert ask(probe, changed(targeting=replace(old, **{name: new}))) != at_home(probe)


def test_no_number_is_left_out() -> None:
    assert ATTACKS.keys() | UNUSED_ATTACKS.keys() == set(ATTACK_RULES.names or ())
    assert not ATTACKS.keys() & UNUSED_ATTACKS.keys()
    assert TARGETS.keys() | UNUSED_TARGETS.keys() == {field.name for field in fields(Targeting)}
    assert not TARGETS.keys() & UNUSED_TARGETS.keys()
