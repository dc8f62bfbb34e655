"""Every number of the 9th edition is played: each of them changed changes an answer of the rules it stands for.

Numbers of shared code that no rule of this edition asks about are listed with the reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from functools import cache
from typing import Any

import pytest
from classic_probes import at_the_own_edge, closer, flight_past_enemies, intervening, out_of_a_wreck, over_low_terrain
from number_probes import (
    FLYER,
    GUN,
    PLANE,
    Answer,
    Probe,
    Scene,
    allocated,
    ask,
    behind_the_engaged,
    big_guns,
    cells,
    charging_a_plane,
    charging_together,
    closing_in_on_a_plane,
    covered_in_melee,
    drawing_terrain,
    early,
    edition_rules,
    engaged,
    exploding,
    fallen_back,
    far_from_anybody,
    fortified,
    from_behind,
    getting_in,
    getting_out,
    getting_out_large,
    half_in_cover,
    hits,
    ignored_twice,
    in_charge_reach,
    late,
    onto_a_hill,
    onto_a_marker,
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
    turned_about,
    turning,
    volley,
    waiting_plane,
    ways_in,
    weapon,
    wounds,
)

from wh_env.core.frozen import frozen
from wh_env.core.geometry.paths import ANYBODY, ON_FOOT
from wh_env.rulesets.w9.ruleset import NINTH_EDITION, NinthEdition
from wh_env.rulesets.w40k.attack import rolls
from wh_env.rulesets.w40k.attack.rolls import ATTACK_RULES, BLAST_SHIFT, Near
from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.deploy.formations import may_hover
from wh_env.rulesets.w40k.edition_parts.fire_rules import FIRE_RULES
from wh_env.rulesets.w40k.numbers import MoveRules
from wh_env.rulesets.w40k.profiles import Keyword
from wh_env.rulesets.w40k.profiles import WeaponAbility as W
from wh_env.rulesets.w40k.questions.move_limits import CHARGE, KINDS, NORMAL, PILE_IN, SCOUT, move_limits
from wh_env.rulesets.w40k.shoot.declare import add_jobs, shooting_mode, shooting_row
from wh_env.testing import pick, ranged, sheet

VEHICLE, INFANTRY = int(Keyword.VEHICLE), int(Keyword.INFANTRY)
BLASTS = ranged(24, A="D6", abilities=["Blast"])
RAPID = ranged(24, A=1, abilities=["Rapid Fire 1"])


# ---------------------------------------------------------------- what is asked beside the probes of both editions


def heavy_weapon() -> Answer:
    """Circumstances of the attacks of INFANTRY that has moved with a Heavy weapon."""
    scene = Scene()
    gun = {"gun": ranged(24, abilities=["Heavy"])}
    scene.unit(0, sheet("Mine", weapons=gun), at=(20, 20), models=1, moved=Moved.NORMAL)
    scene.unit(1, sheet("Foes"), at=(20, 30), models=1)
    battle = scene.battle("shooting", run=False)
    add_jobs(battle, 0, 1)
    return battle.jobs.near[0]


def blast_against_many() -> Answer:
    """The fewest attacks of a Blast weapon against a large unit."""
    return rolls.least_attacks(weapon(W.BLAST), 0, 1 << BLAST_SHIFT, edition_rules())


def screened_hero(wounds: int, gap: float, screen: int) -> Answer:
    """Whom a unit may shoot at: a CHARACTER so near to a nearer unit of so many models."""
    scene = Scene()
    scene.unit(0, sheet("Mine", weapons=GUN), at=(20, 10), models=1)
    scene.unit(1, sheet("Screen"), at=[(20 - 1.2 * k, 20) for k in range(screen)])
    scene.unit(1, sheet("Hero", W=wounds, keywords=("INFANTRY", "CHARACTER")), at=(20, 21 + gap), models=1)
    battle = scene.battle("shooting", run=False)
    return shooting_row(battle, 0, shooting_mode(battle, 0))[0].tobytes()


def turned() -> Answer:
    """By which angles an AIRCRAFT with two Move values may pivot."""
    scene = Scene(size=(90, 90))
    scene.unit(0, sheet("Mine", keywords=PLANE, M=40), at=(45, 45), models=1, least_move=20)
    scene.unit(1, sheet("Foes"), at=(5, 85), models=1)
    battle = scene.battle()
    pick(battle, "Normal move")
    assert battle.decision is not None
    assert battle.decision.kind == "aircraft-pivot"
    return tuple(battle.decision.options)


def hovering() -> Answer:
    """Whether an AIRCRAFT with an ability of another edition may be in Hover mode."""
    scene = Scene()
    scene.unit(0, sheet("Mine", keywords=PLANE, abilities={"hover": True}), place="deploy", models=1)
    scene.unit(1, sheet("Foes"), place="deploy", models=1)
    return may_hover(scene.battle("mission", run=False), 0)


def flight_over_friends() -> Answer:
    """Where a unit that FLIES can go with friends across its way."""
    scene = Scene()
    scene.unit(0, sheet("Mine", keywords=FLYER), at=(20, 20), models=1)
    for k in range(8):
        scene.unit(0, sheet(f"Friends {k}"), at=(15 + 1.5 * k, 22), models=1)
    scene.unit(1, sheet("Foes"), at=(50, 40), models=1)
    return cells(scene.battle(run=False), 0)


# ---------------------------------------------------------------- which number is shown by which of them: what is added, and who is asked

ATTACKS: Mapping[str, tuple[float, Probe]] = {
    "hit_cap": (1, hits(int(Near.HIT_PLUS | Near.HIT_PLUS_2ND))),
    "wound_cap": (1, wounds(int(Near.WOUND_PLUS | Near.WOUND_PLUS_2ND))),
    "save_cap": (-98, saves(4, 0, False, int(Near.SAVE_PLUS | Near.SAVE_PLUS_2ND))),  # there is none: 99
    "six_hits": (-1, hits(int(Near.HIT_MINUS), skill=6)),
    "six_wounds": (-1, wounds(int(Near.WOUND_MINUS), strength=1)),
    "critical": (-1, wounds(0)),
    "snap": (-1, hits(int(Near.SNAP))),
    "snap_steady": (-1, hits(int(Near.SNAP | Near.STEADY))),
    "cover": (1, saves(6, -2, True)),
    "melee_cover": (-1, covered_in_melee),
    "no_cover_save": (3, saves(3, 0, True)),  # nobody is so well armoured: 0
    "shielded_save": (-1, shielded),
    "allocated_counts": (-1, allocated),
    "cover_whole_unit": (1, half_in_cover),
    "ignore_twice": (1, ignored_twice),
    "heavy_stationary": (-1, hits(int(Near.STATIONARY), W.HEAVY)),
    "heavy_moved": (1, hits(0, W.HEAVY)),
    "heavy_slows": (-INFANTRY, heavy_weapon),
    "assault_advanced": (1, hits(int(Near.ADVANCED), W.ASSAULT)),
    "stealth": (1, hits(0, stealthy=True)),
    "engaged": (1, hits(int(Near.ENGAGED_SHOOTER))),
    "engaged_heavy": (1, hits(int(Near.ENGAGED_SHOOTER | Near.STATIONARY), W.HEAVY)),
    "blast_few": (1, lambda: volley(10.0, BLASTS, 6)),
    "blast_many": (1, lambda: volley(10.0, BLASTS, 11)),
    "blast_least": (1, blast_against_many),
    "half_range": (0.1, lambda: volley(12.5, RAPID)),
}
UNUSED_ATTACKS: Mapping[str, str] = {
    "save_cap_nets_ap": "saves have no cap",
    "cover_reach": "who is near an Obstacle is asked by shoot.cover, with its own BEHIND",
    "plunging_ap": "there is no fire from above",
    "plunging_height": "there is no fire from above",
    "unseen": "no weapon is fired at units that are not visible for a penalty",
    "lance_charged": "there is no Lance",
    "blast": "Blast counts models in steps (blast_few, blast_many)",
    "hazardous": "there are no Hazardous weapons",
    "hazardous_mortals": "there are no Hazardous weapons",
    "hazardous_spared": "there are no Hazardous weapons",
}

NUMBERS: Mapping[str, Mapping[str, tuple[Any, Probe]]] = {
    "measures": {
        "engagement": (1.0, engaged),
        "engagement_vertical": (1.0, engaged),
        "coherency": (1.0, spread_out),
        "coherency_vertical": (1.0, spread_out),
        "large_unit": (2, spread_out),  # the unit of seven is large or not
        "low": (1.0, over_low_terrain),
        "on_marker": (3.0, onto_a_marker),  # from -1, no such rule, to 2
    },
    "targeting": {
        "big_guns": (-VEHICLE, big_guns),
        "fell_back": (VEHICLE, fallen_back),
        "others_wait": (None, past_the_engaged),
        "engaged_as_unit": (None, behind_the_engaged),
        "closest_only": (None, lambda: screened_hero(5, 2.5, 2)),
        "pistol_closest": (None, pistols_in_combat),
        "lookout": (1.0, lambda: screened_hero(5, 3.5, 3)),
        "lookout_wounds": (1, lambda: screened_hero(10, 2.5, 3)),
        "lookout_screen": (1, lambda: screened_hero(5, 2.5, 3)),
    },
    "aircraft": {
        "pivot": (-10.0, turned),
        "hover": (20.0, hovering),  # from 0, no Hover mode
        "in_reserves": (None, waiting_plane),
        "pivots_first": (None, turning),
        "must_return": (None, waiting_plane),
        "passed_over": (None, past_plane),
    },
    "placing": {
        "infiltrators": (1.0, early),
        "deep_strike": (1.0, early),
        "strategic": (1.0, early),
        "edge": (1.0, early),
        "first_round": (1, early),
        "enemy_zone": (1, late),
        "own_edge": (1.0, at_the_own_edge),
        "enemy_edge": (None, late),
        "large_touch": (None, lambda: ways_in(hull_in=(8, 7))),
        "aircraft_anywhere": (None, lambda: ways_in(keywords=PLANE)),
        "from_features": (1.0, fortified),
    },
    "transports": {
        "embark": (1.0, lambda: getting_in(2.5)),
        "disembark": (1.0, getting_out),
        "emergency": (1.0, getting_out),
        "hurt": (1, getting_out),
        "emergency_hurt": (1, getting_out),
        "no_charge": ((), out_of_a_wreck),
        "embark_wholly": (None, lambda: getting_in(2.5)),
        "embark_engaged": (None, lambda: getting_in(1.5, (20, 26.0))),
        "closed_after": ((), staying_in),
        "large": (1.0, getting_out_large),
    },
    "charging": {"reach": (1.0, in_charge_reach), "sought": (-1, charging_together)},
    "fighting": {
        "pile_in": (1.0, lambda: closer(PILE_IN)),
        "consolidate": (1.0, lambda: closer("consolidate")),
        "rank": (-0.2, from_behind),
    },
    "intervening": {
        "reach": (1.0, lambda: intervening(3.5)),
        "vertical": (1.0, lambda: intervening(2.0, 5.5)),
        "move": (1, lambda: intervening(6.0)),
        "engaged": (None, lambda: intervening(0.5)),
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
UNUSED: Mapping[str, str] = {
    "measures.beside_barrier": "no type of terrain has a reach across it",
    "targeting.lone_range": "there are no Lone Operatives",
    "targeting.big_targets": "nobody shoots at units that friends are engaged with",
    "aircraft.least": "two Move values say how far they fly (straight_move)",
    "intervening.of_models": "whole units intervene",
    "transports.brings_reinforcements": "a flag: tests/rules/w9/test_rare_prevent_reinforcements.py",
    "escape.needed": "nobody takes such tests (FallBack.crosses)",
    "escape.exempt": "nobody takes such tests (FallBack.crosses)",
    "fighting.to_markers": "a Consolidation towards enemies is never impossible (end_engaged)",
}

# of ``MoveRules``: for which kind of move, with FLY or without, what is put in its place, and who is asked
MOVES: Mapping[str, tuple[tuple[str, bool], Any, Probe]] = {
    "own": ((NORMAL, False), False, past_the_enemy),
    "engage_path": ((NORMAL, False), ANYBODY, past_the_enemy),
    "engage_end": ((NORMAL, True), ANYBODY, flight_past_enemies),
    "over_enemies": ((NORMAL, True), False, flight_past_enemies),
    "over_friends": ((NORMAL, False), True, lambda: past_friends("INFANTRY")),
    "through_air": ((NORMAL, True), ON_FOOT, onto_a_hill),
    "air_end": ((CHARGE, True), False, charging_a_plane),
    "air_goal": ((PILE_IN, True), False, closing_in_on_a_plane),
    "keep_away": ((SCOUT, False), 10.0, scouting),
    "need_contact": ((PILE_IN, False), True, stopping_short),
    "need_closer": ((CHARGE, False), True, staying_behind),
    "end_engaged": ((PILE_IN, False), True, far_from_anybody),
    "by_ends": ((NORMAL, False), True, turned_about),
    "need_all": ((CHARGE, False), False, reaching_one_of_two),
}
UNUSED_MOVES: Mapping[str, str] = {
    "big": "all models go around all others, but for those that FLY",
    "over_big": "there are no models that are big in this sense",
}


# ---------------------------------------------------------------- the tests


def changed(**numbers: Any) -> NinthEdition:
    """The 9th edition with other numbers."""
    own = {"numbers": replace(NINTH_EDITION.numbers, **numbers)}
    return type("Changed", (NinthEdition,), own)()  # type: ignore[no-any-return]


@cache
def at_home(probe: Probe) -> Answer:
    """The answer of the 9th edition."""
    return ask(probe, NINTH_EDITION)


@pytest.mark.parametrize("column", ATTACKS)
def test_every_number_of_attacks_counts(column: str) -> None:
    by, probe = ATTACKS[column]
    row = NINTH_EDITION.attack_rules.copy()
    row[column] = row[column][0].item() + by
    assert ask(probe, changed(attack_rules=frozen(row))) != at_home(probe)


@pytest.mark.parametrize(("chapter", "name"), [(c, n) for c, names in NUMBERS.items() for n in names])
def test_every_number_counts(chapter: str, name: str) -> None:
    other, probe = NUMBERS[chapter][name]
    group = getattr(NINTH_EDITION, chapter)
    old = getattr(group, name)
    new = not old if other is None else other if isinstance(other, tuple) else old + other
    assert ask(probe, changed(**{chapter: replace(group, **{name: new})})) != at_home(probe)


@pytest.mark.parametrize("name", MOVES)
def test_every_rule_of_moves_counts(name: str) -> None:
    kind, new, probe = MOVES[name]
    old = NINTH_EDITION.moves[kind]
    assert getattr(old, name) != new
    other = changed(moves={**NINTH_EDITION.moves, kind: replace(old, **{name: new})})
    assert ask(probe, other) != at_home(probe)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("fly", [False, True])
@pytest.mark.parametrize("name", [field.name for field in fields(MoveRules)])
def test_the_rules_of_each_kind_of_move_reach_its_limits(kind: str, fly: bool, name: str) -> None:
    own = NINTH_EDITION.moves
    other = changed(moves={**own, (kind, fly): replace(own[kind, fly], **{name: 1 - getattr(own[kind, fly], name)})})
    before, after = (move_limits(edition, 60.0, 44.0, 0.8) for edition in (NINTH_EDITION, other))
    assert [key for key in before if before[key].tobytes() != after[key].tobytes()] == [(kind, fly)]


# columns of rows that come of the terrain (``tests/rules/w9/test_terrain_obscuring_engagement.py``)
OF_THE_BATTLEFIELD = {"engagement_across"}


def test_no_number_is_left_out() -> None:
    chapters = (*NUMBERS, "escape")
    given = {f"{c}.{field.name}" for c in chapters for field in fields(getattr(NINTH_EDITION, c))}
    shown = {f"{c}.{name}" for c, names in NUMBERS.items() for name in names}
    assert shown | UNUSED.keys() == given
    assert not shown & UNUSED.keys()
    assert ATTACKS.keys() | UNUSED_ATTACKS.keys() == set(ATTACK_RULES.names or ())
    assert MOVES.keys() | UNUSED_MOVES.keys() == {field.name for field in fields(MoveRules)}
    rows = {name.split(".")[1] for name in given}
    assert set(FIRE_RULES.names or ()) - OF_THE_BATTLEFIELD <= rows
