"""Every number of the 10th edition is played: each of them changed by one changes an answer of the rules it stands for.

A probe sets up a position, asks it something, and gives the answer; the same probe is asked of an edition that differs in one
number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import cache
from typing import Any

import pytest
from number_probes import (
    FLYER,
    PLANE,
    Answer,
    Probe,
    across_a_barricade,
    allocated,
    ask,
    behind_a_barricade,
    behind_the_engaged,
    big_guns,
    big_target,
    charging_a_plane,
    charging_together,
    closing_in,
    closing_in_on_a_plane,
    covered_in_melee,
    drawing_terrain,
    early,
    engaged,
    escaping,
    exploding,
    fallen_back,
    far_from_anybody,
    flight,
    fortified,
    free_after_a_ride,
    from_behind,
    getting_in,
    getting_out,
    getting_out_large,
    half_in_cover,
    hazards,
    hits,
    hovering,
    ignored_twice,
    in_charge_reach,
    late,
    lone_operative,
    onto_a_hill,
    onto_a_marker,
    over_a_box,
    paid,
    past_friends,
    past_plane,
    past_the_enemy,
    past_the_engaged,
    pistols_in_combat,
    placing_markers,
    placing_terrain,
    reaching_one_of_two,
    saves,
    scouting,
    shielded,
    spread_out,
    staying_behind,
    staying_in,
    stopping_short,
    towards_a_marker,
    turned_about,
    turning,
    volley,
    waiting_plane,
    ways_in,
    wounds,
)

from wh_env.core.frozen import frozen
from wh_env.core.geometry.paths import ANYBODY
from wh_env.core.tables import Array
from wh_env.rulesets.w10 import numbers as tenth
from wh_env.rulesets.w10.ruleset import TENTH_EDITION, TenthEdition
from wh_env.rulesets.w40k.attack.rolls import ATTACK_RULES, Near, attack_rules
from wh_env.rulesets.w40k.edition_parts.fire_rules import FIRE_RULES, fire_rules
from wh_env.rulesets.w40k.numbers import MoveRules
from wh_env.rulesets.w40k.profiles import Keyword, WeaponAbility
from wh_env.rulesets.w40k.questions.move_limits import CHARGE, FALL_BACK, KINDS, NORMAL, PILE_IN, SCOUT, move_limits
from wh_env.testing import ranged

W = WeaponAbility
BLASTS = ranged(24, A=1, abilities=["Blast"])
RAPID = ranged(24, A=1, abilities=["Rapid Fire 1"])
VEHICLE = int(Keyword.VEHICLE)

ATTACKS: Mapping[str, tuple[float, Probe]] = {
    "hit_cap": (1, hits(int(Near.HIT_PLUS | Near.HIT_PLUS_2ND))),
    "wound_cap": (1, wounds(int(Near.WOUND_PLUS | Near.WOUND_PLUS_2ND))),
    "save_cap": (1, saves(4, 0, False, int(Near.SAVE_PLUS | Near.SAVE_PLUS_2ND))),
    "save_cap_nets_ap": (-1, saves(4, -1, False, int(Near.SAVE_PLUS | Near.SAVE_PLUS_2ND))),
    "six_hits": (-1, hits(int(Near.HIT_MINUS), skill=6)),
    "six_wounds": (-1, wounds(int(Near.WOUND_MINUS), strength=1)),
    "critical": (-1, wounds(0)),
    "snap": (-1, hits(int(Near.SNAP))),
    "cover": (1, saves(6, -2, True)),
    "no_cover_save": (1, saves(4, 0, True)),
    "plunging_ap": (-1, saves(4, 0, False, int(Near.AP_PLUS))),
    "shielded_save": (-1, shielded),
    "allocated_counts": (-1, allocated),
    "cover_whole_unit": (1, half_in_cover),
    "ignore_twice": (1, ignored_twice),
    "heavy_stationary": (-1, hits(int(Near.STATIONARY), W.HEAVY)),
    "stealth": (1, hits(0, stealthy=True)),
    "engaged": (1, hits(int(Near.ENGAGED_SHOOTER))),
    "unseen": (1, hits(int(Near.UNSEEN), W.INDIRECT_FIRE)),
    "lance_charged": (-1, wounds(int(Near.CHARGED), W.LANCE)),
    "blast": (1, lambda: volley(10.0, BLASTS)),
    "hazardous": (1, hazards),
    "hazardous_mortals": (1, lambda: paid(VEHICLE)),
    "hazardous_spared": (-VEHICLE, lambda: paid(VEHICLE)),
    "half_range": (0.1, lambda: volley(12.5, RAPID)),
    "cover_reach": (1, behind_a_barricade),
    "plunging_height": (1, lambda: volley(10.0, RAPID, z=6.5)),
    "snap_steady": (-1, hits(int(Near.SNAP | Near.STEADY))),
    "melee_cover": (1, covered_in_melee),
    "heavy_moved": (-1, hits(0, W.HEAVY)),
    "assault_advanced": (-1, hits(int(Near.ADVANCED), W.ASSAULT)),
    "engaged_heavy": (1, hits(int(Near.ENGAGED_SHOOTER), W.HEAVY)),
    "blast_few": (1, lambda: volley(10.0, BLASTS)),
}
# numbers of other editions that say nothing alone
SILENT = {
    "heavy_slows",
    "blast_many",
    "blast_least",
    "closest_only",
    "lookout",
    "lookout_wounds",
    "lookout_screen",
    "of_models",
    "brings_reinforcements",
}

# by name of the dataclass, of its field: what is put in its place (or added to it), and who is asked
NUMBERS: Mapping[str, Mapping[str, tuple[Any, Probe]]] = {
    "measures": {
        "engagement": (1.0, engaged),
        "engagement_vertical": (1.0, engaged),
        "coherency": (1.0, spread_out),
        "coherency_vertical": (1.0, spread_out),
        "large_unit": (1, spread_out),
        "low": (1.0, over_a_box),
        "on_marker": (1.0, onto_a_marker),
        "beside_barrier": (1.0, across_a_barricade),
    },
    "targeting": {
        "lone_range": (1.0, lone_operative),
        "big_guns": (-VEHICLE, big_guns),
        "big_targets": (-VEHICLE, big_target),
        "fell_back": (VEHICLE, fallen_back),
        "others_wait": (True, past_the_engaged),
        "engaged_as_unit": (True, behind_the_engaged),
        "pistol_closest": (True, pistols_in_combat),
    },
    "aircraft": {
        "least": (1.0, flight),
        "pivot": (-10.0, flight),
        "hover": (1.0, hovering),
        "in_reserves": (-1, waiting_plane),
        "pivots_first": (1, turning),
        "must_return": (-1, waiting_plane),
        "passed_over": (-1, past_plane),
    },
    "escape": {"needed": (1, escaping), "exempt": (-int(Keyword.FLY), escaping)},
    "placing": {
        "infiltrators": (1.0, early),
        "deep_strike": (1.0, early),
        "strategic": (1.0, early),
        "edge": (1.0, early),
        "first_round": (1, early),
        "enemy_zone": (1, late),
        "own_edge": (1.0, ways_in),
        "enemy_edge": (-1, late),
        "large_touch": (1, lambda: ways_in(hull_in=(8, 7))),
        "aircraft_anywhere": (1, lambda: ways_in(keywords=PLANE)),
        "from_features": (3.0, fortified),
    },
    "transports": {
        "embark": (1.0, getting_in),
        "disembark": (1.0, getting_out),
        "emergency": (1.0, getting_out),
        "hurt": (1, getting_out),
        "emergency_hurt": (1, getting_out),
        "no_charge": ((), free_after_a_ride),
        "embark_wholly": (1, lambda: getting_in(2.5)),
        "embark_engaged": (-1, lambda: getting_in(2.5, (20, 27.0))),
        "closed_after": ((), staying_in),
        "large": (1.0, getting_out_large),
    },
    "charging": {"reach": (1.0, in_charge_reach), "sought": (3, charging_together)},
    "fighting": {
        "pile_in": (1.0, closing_in),
        "consolidate": (1.0, closing_in),
        "to_markers": (-1, towards_a_marker),
        "rank": (0.5, from_behind),
    },
    "demise": {"needed": (-1, exploding), "reach": (1.0, exploding), "closest_enemy": (True, exploding)},
    "guidelines": {
        "lane": (1.0, placing_terrain),
        "gap": (1.0, placing_terrain),
        "middle": (1.0, lambda: placing_terrain((60, 44))),
        "board": ((23.0, 30.0), placing_terrain),
        "from_parts": (1.0, placing_terrain),
        "each": ((1, 2), drawing_terrain),
        "to_centre": (True, placing_markers),
    },
}

# of ``MoveRules``: for which kind of move, with FLY or without, and what is put in its place
MOVES: Mapping[str, tuple[tuple[str, bool], Any, Probe]] = {
    "own": ((NORMAL, False), False, past_the_enemy),
    "engage_path": ((NORMAL, False), ANYBODY, past_the_enemy),
    "engage_end": ((NORMAL, True), ANYBODY, lambda: past_the_enemy(keywords=FLYER)),
    "over_enemies": ((FALL_BACK, False), False, lambda: past_the_enemy(FALL_BACK)),
    "over_friends": ((NORMAL, False), False, lambda: past_friends("INFANTRY")),
    "over_big": ((NORMAL, False), True, lambda: past_friends("VEHICLE")),
    "big": ((NORMAL, False), 0, lambda: past_friends("VEHICLE")),
    "through_air": ((NORMAL, True), False, onto_a_hill),
    "air_end": ((CHARGE, True), False, charging_a_plane),
    "air_goal": ((PILE_IN, True), False, closing_in_on_a_plane),
    "keep_away": ((SCOUT, False), 10.0, scouting),
    "need_contact": ((PILE_IN, False), False, stopping_short),
    "need_closer": ((CHARGE, False), False, staying_behind),
    "end_engaged": ((PILE_IN, False), False, far_from_anybody),
    "by_ends": ((NORMAL, False), True, turned_about),
    "need_all": ((CHARGE, False), False, reaching_one_of_two),
}


# ---------------------------------------------------------------- the tests


def changed(**numbers: Any) -> TenthEdition:
    """The 10th edition with other numbers."""
    own = {"numbers": replace(tenth.NUMBERS, **numbers)}
    return type("Changed", (TenthEdition,), own)()  # type: ignore[no-any-return]


@cache
def at_home(probe: Probe) -> Answer:
    """The answer of the 10th edition."""
    return probe()


@pytest.mark.parametrize("column", ATTACKS)
def test_every_number_of_attacks_counts(column: str) -> None:
    by, probe = ATTACKS[column]
    row = tenth.ATTACK_NUMBERS.copy()
    row[column] = row[column][0].item() + by
    assert ask(probe, changed(attack_rules=frozen(row))) != at_home(probe)


@pytest.mark.parametrize(("chapter", "name"), [(c, n) for c, names in NUMBERS.items() for n in names])
def test_every_number_counts(chapter: str, name: str) -> None:
    other, probe = NUMBERS[chapter][name]
    group = getattr(TENTH_EDITION, chapter)
    new = other if isinstance(other, tuple) else getattr(group, name) + other
    assert ask(probe, changed(**{chapter: replace(group, **{name: new})})) != at_home(probe)


@pytest.mark.parametrize("name", MOVES)
def test_every_rule_of_moves_counts(name: str) -> None:
    kind, new, probe = MOVES[name]
    rules = replace(tenth.MOVES[kind], **{name: new})
    assert ask(probe, changed(moves={**tenth.MOVES, kind: rules})) != at_home(probe)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("fly", [False, True])
@pytest.mark.parametrize("name", [field.name for field in fields(MoveRules)])
def test_the_rules_of_each_kind_of_move_reach_its_limits(kind: str, fly: bool, name: str) -> None:
    rules = tenth.MOVES[kind, fly]
    other = changed(
        moves={**tenth.MOVES, (kind, fly): replace(rules, **{name: 0 if name == "big" else 1 - getattr(rules, name)})}
    )
    before, after = (move_limits(edition, 60.0, 44.0, 0.8) for edition in (TENTH_EDITION, other))
    assert [key for key in before if before[key].tobytes() != after[key].tobytes()] == [(kind, fly)]


# columns of rows that come of the terrain, which has none of this in this edition
OF_THE_BATTLEFIELD = {"engagement_across"}


def test_no_number_is_left_out() -> None:
    for chapter, names in NUMBERS.items():
        given = [field.name for field in fields(getattr(TENTH_EDITION, chapter))]
        assert [name for name in given if name not in SILENT] == list(names)
    assert set(ATTACKS) == set(ATTACK_RULES.names or ()) - SILENT
    assert set(MOVES) == {field.name for field in fields(MoveRules)}
    own = TENTH_EDITION
    given = {field.name for group in (own.measures, own.targeting, own.fighting) for field in fields(group)}
    assert set(FIRE_RULES.names or ()) - OF_THE_BATTLEFIELD <= given


@pytest.mark.parametrize(("make", "row"), [(attack_rules, tenth.ATTACK_NUMBERS), (fire_rules, None)])
def test_rows_name_every_column_once(make: Callable[..., Array], row: Array | None) -> None:
    if row is None:
        row = TENTH_EDITION.statics(tenth.CORE_RULES)["fire_rules"]
    numbers = {name: row[name][0].item() for name in row.dtype.names}
    again = make(**numbers)
    assert again.tobytes() == row.tobytes()
    assert not again.flags.writeable
    some, *rest = numbers
    with pytest.raises(ValueError, match=f"missing: .*{some}"):
        make(**{name: numbers[name] for name in rest})
    with pytest.raises(ValueError, match=r"unknown: .*luck"):
        make(**numbers, luck=1)
