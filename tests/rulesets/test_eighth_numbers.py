"""Every number of attacks and of targets in the 8th edition is played: each of them changed changes an answer of the rules it stands for.

Numbers of shared code that no rule of this edition asks about are listed with the reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from functools import cache
from typing import Any

import pytest
from classic_probes import closer, flight_past_enemies, intervening, out_of_a_wreck, over_low_terrain
from number_probes import (
    Answer,
    Probe,
    Scene,
    allocated,
    ask,
    covered_in_melee,
    drawing_terrain,
    early,
    engaged,
    engaged_tank,
    exploding,
    far_from_anybody,
    from_behind,
    getting_in,
    getting_out,
    getting_out_large,
    half_in_cover,
    hits,
    ignored_twice,
    in_charge_reach,
    onto_a_hill,
    onto_a_marker,
    past_friends,
    past_the_enemy,
    pistols_in_combat,
    placing_markers,
    placing_terrain,
    reaching_one_of_two,
    saves,
    scouting,
    spread_out,
    staying_behind,
    staying_in,
    stopping_short,
    turned_about,
    volley,
    wounds,
)

from wh_env.core.frozen import frozen
from wh_env.core.geometry.paths import ANYBODY, ON_FOOT
from wh_env.rulesets.w8.ruleset import EIGHTH_EDITION, EighthEdition
from wh_env.rulesets.w40k.attack.rolls import ATTACK_RULES, Near
from wh_env.rulesets.w40k.codes import FROM_WRECK, Moved
from wh_env.rulesets.w40k.fight.close_moves import charge_succeeds
from wh_env.rulesets.w40k.numbers import MoveRules, Targeting
from wh_env.rulesets.w40k.profiles import Keyword
from wh_env.rulesets.w40k.profiles import WeaponAbility as W
from wh_env.rulesets.w40k.questions.move_limits import CHARGE, KINDS, NORMAL, PILE_IN, SCOUT, move_limits
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


def charging_past_others() -> Answer:
    """Whether three models can charge an enemy past three others: where the first of them is set down first, the rest cannot follow."""
    scene = Scene()
    scene.unit(0, sheet("Mine", base_mm=25.4), at=[(20, 20), (20.83, 18.5), (20.05, 15.97)])
    for number, at in enumerate(((26.03, 20.48), (26.69, 22.16), (26.6, 15.64), (24.69, 20.07))):
        scene.unit(1, sheet(f"Foe {number}", base_mm=25.4), at=at, models=1)
    battle = scene.battle("charge", run=False)
    battle.charge_targets_array[1] = 1
    return charge_succeeds(battle, 0, 6)


# by chapter and field: what is added to the number, put in its place, or (``None``) its opposite; and who is asked
NUMBERS: Mapping[str, Mapping[str, tuple[Any, Probe]]] = {
    "measures": {
        "engagement": (1.0, engaged),
        "engagement_vertical": (7.0, engaged),  # from -1, a straight line, to 6
        "coherency": (1.0, spread_out),
        "coherency_vertical": (-1.0, spread_out),
        "large_unit": (-96, spread_out),  # of three or more
        "low": (3.0, over_low_terrain),
        "on_marker": (3.0, onto_a_marker),  # from -1, no such rule, to 2
    },
    "placing": {
        "infiltrators": (1.0, early),
        "deep_strike": (1.0, early),
    },
    "transports": {
        "embark": (-1.0, lambda: getting_in(2.5)),
        "disembark": (1.0, getting_out),
        "emergency": (1.0, getting_out),
        "hurt": (1, getting_out),
        "emergency_hurt": (1, getting_out),
        "no_charge": ((FROM_WRECK,), out_of_a_wreck),
        "embark_wholly": (None, lambda: getting_in(2.5)),
        "embark_engaged": (None, lambda: getting_in(1.5, (20, 26.0))),
        "closed_after": ((), staying_in),
        "large": (-1.0, getting_out_large),
    },
    "charging": {"reach": (1.0, in_charge_reach), "sought": (-1, charging_past_others)},
    "fighting": {
        "pile_in": (1.0, lambda: closer(PILE_IN)),
        "consolidate": (1.0, lambda: closer("consolidate")),
        "rank": (-0.7, from_behind),
    },
    "intervening": {
        "reach": (1.0, lambda: intervening(3.5)),
        "vertical": (6.0, lambda: intervening(2.9, 3.0)),  # from -1, a straight line
        "move": (1, lambda: intervening(6.0)),
        "engaged": (None, lambda: intervening(0.5)),
    },
    "demise": {"needed": (-1, exploding), "reach": (1.0, exploding), "closest_enemy": (True, exploding)},
    "guidelines": {
        "lane": (1.0, placing_terrain),
        "gap": (1.0, placing_terrain),
        "board": ((23.0, 30.0), drawing_terrain),
        "from_parts": (1.0, placing_terrain),
        "each": ((2, 3), drawing_terrain),
        "to_centre": (None, placing_markers),
    },
}
UNUSED: Mapping[str, str] = {
    "measures.beside_barrier": "no type of terrain has a reach across it",
    "aircraft.least": "two Move values say how far they fly (move.minimum)",
    "aircraft.pivot": "how far a model turns is limited by its Move alone",
    "aircraft.hover": "a model hovers by abilities of its own alone",
    "aircraft.pivots_first": "there are no pivots",
    "aircraft.in_reserves": "AIRCRAFT is no keyword of the primer (strange_keywords)",
    "aircraft.passed_over": "AIRCRAFT is no keyword of the primer (strange_keywords)",
    "intervening.of_models": "it says which models move, not how far: tests/rules/w8/test_characters_in_units.py",
    "transports.brings_reinforcements": "no rule keeps Reinforcements away",
    "aircraft.must_return": "nobody leaves the table to come back",
    "escape.needed": "nobody takes such tests (FallBack.crosses)",
    "escape.exempt": "nobody takes such tests (FallBack.crosses)",
    "placing.first_round": "who arrives by an ability does so from the first round on",
    "placing.strategic": "there are no Strategic Reserves",
    "placing.edge": "there are no Strategic Reserves",
    "placing.enemy_zone": "there are no Strategic Reserves",
    "placing.own_edge": "there are no Strategic Reserves",
    "placing.enemy_edge": "there are no Strategic Reserves",
    "placing.large_touch": "there are no Strategic Reserves",
    "placing.aircraft_anywhere": "there are no Strategic Reserves",
    "placing.from_features": "there are no Fortifications",
    "guidelines.middle": "no feature blocks sight over its whole footprint",
    "fighting.to_markers": "nobody consolidates towards markers",
}

# of ``MoveRules``: for which kind of move, with FLY or without, what is put in its place, and who is asked
MOVES: Mapping[str, tuple[tuple[str, bool], Any, Probe]] = {
    "own": ((NORMAL, False), False, past_the_enemy),
    "engage_path": ((NORMAL, False), ANYBODY, past_the_enemy),
    "engage_end": ((NORMAL, True), ANYBODY, flight_past_enemies),
    "over_enemies": ((NORMAL, True), False, flight_past_enemies),
    "over_friends": ((NORMAL, False), True, lambda: past_friends("INFANTRY")),
    "through_air": ((NORMAL, True), ON_FOOT, onto_a_hill),
    "keep_away": ((SCOUT, False), 10.0, scouting),
    "need_contact": ((PILE_IN, False), True, stopping_short),
    "need_closer": ((CHARGE, False), True, staying_behind),
    "end_engaged": ((PILE_IN, False), True, far_from_anybody),
    "by_ends": ((NORMAL, False), False, turned_about),
    "need_all": ((CHARGE, False), True, reaching_one_of_two),
}
UNUSED_MOVES: Mapping[str, str] = {
    "big": "all models go around all others, but for those that FLY",
    "over_big": "there are no models that are big in this sense",
    "air_end": "AIRCRAFT are models like others (aircraft.passed_over)",
    "air_goal": "AIRCRAFT are models like others (aircraft.passed_over)",
}


def changed(**numbers: Any) -> EighthEdition:
    """The 8th edition with other numbers."""
    own = {"numbers": replace(EIGHTH_EDITION.numbers, **numbers)}
    return type("Changed", (EighthEdition,), own)()  # type: ignore[no-any-return]


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


@pytest.mark.parametrize(("chapter", "name"), [(c, n) for c, names in NUMBERS.items() for n in names])
def test_every_number_counts(chapter: str, name: str) -> None:
    other, probe = NUMBERS[chapter][name]
    group = getattr(EIGHTH_EDITION, chapter)
    old = getattr(group, name)
    new = not old if other is None else other if isinstance(other, tuple) else old + other
    assert new != old
    assert ask(probe, changed(**{chapter: replace(group, **{name: new})})) != at_home(probe)


@pytest.mark.parametrize("name", MOVES)
def test_every_rule_of_moves_counts(name: str) -> None:
    kind, new, probe = MOVES[name]
    old = EIGHTH_EDITION.moves[kind]
    assert getattr(old, name) != new
    other = changed(moves={**EIGHTH_EDITION.moves, kind: replace(old, **{name: new})})
    assert ask(probe, other) != at_home(probe)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("fly", [False, True])
@pytest.mark.parametrize("name", [field.name for field in fields(MoveRules)])
def test_the_rules_of_each_kind_of_move_reach_its_limits(kind: str, fly: bool, name: str) -> None:
    own = EIGHTH_EDITION.moves
    other = changed(moves={**own, (kind, fly): replace(own[kind, fly], **{name: 1 - getattr(own[kind, fly], name)})})
    before, after = (move_limits(edition, 60.0, 44.0, 0.8) for edition in (EIGHTH_EDITION, other))
    assert [key for key in before if before[key].tobytes() != after[key].tobytes()] == [(kind, fly)]


def test_no_number_is_left_out() -> None:
    chapters = (*NUMBERS, "aircraft", "escape")
    given = {f"{c}.{field.name}" for c in chapters for field in fields(getattr(EIGHTH_EDITION, c))}
    named = {f"{c}.{name}" for c, names in NUMBERS.items() for name in names}
    assert named | UNUSED.keys() == given
    assert not named & UNUSED.keys()
    assert MOVES.keys() | UNUSED_MOVES.keys() == {field.name for field in fields(MoveRules)}
    assert ATTACKS.keys() | UNUSED_ATTACKS.keys() == set(ATTACK_RULES.names or ())
    assert not ATTACKS.keys() & UNUSED_ATTACKS.keys()
    assert TARGETS.keys() | UNUSED_TARGETS.keys() == {field.name for field in fields(Targeting)}
    assert not TARGETS.keys() & UNUSED_TARGETS.keys()
