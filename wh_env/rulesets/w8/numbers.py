"""Numbers of the 8th edition, each with the rule that says it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from wh_env.core.geometry.paths import ANYBODY, LEVEL, NOBODY, ONLY_TARGETS
from wh_env.rulesets.w40k.attack.rolls import attack_rules
from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.numbers import (
    Aircraft,
    Charging,
    Demise,
    Dice,
    Escape,
    Fighting,
    Guidelines,
    Intervening,
    Measures,
    MoveRules,
    Numbers,
    Placing,
    Targeting,
    Transports,
)
from wh_env.rulesets.w40k.profiles import Keyword
from wh_env.rulesets.w40k.questions.move_limits import (
    ADVANCE,
    CHARGE,
    CONSOLIDATE,
    FALL_BACK,
    FALL_BACK_AROUND,
    NORMAL,
    PILE_IN,
    SCOUT,
)

UNLIMITED = 99
FLY = int(Keyword.FLY)

# what the core rules fix; a mission or a group overrides them by name
CORE_RULES: Mapping[str, Any] = MappingProxyType(
    {
        "detail": "squad",
        "formations": "lists",
        "terrain": "layout",
        "attacker": -1,  # player who has the first zone and deploys second, -1: as the mission says
        "first_player": -1,  # the player who has the first turn, -1: the Underdog chooses
        "division": -1,  # of the battlefield (``mission.halves``), -1: a player divides it
        "primary": 0,  # primary objective (``mission.state.Primary``), 0: by roll
        "warlords": "lists",  # "lists": army lists name Warlords; "choose": players nominate them before the battle
        "rounds": 5,  # w8.mission.length
        "extra_cp_each_round": 0,
        "max_vp_each_turn": UNLIMITED,
        "vp_each_unit_destroyed": 0,
        "marker_range": 3.0,  # w8.mission.objectives.control
        "marker_vertical": 3.0,
        "marker_from_edge": 0.0,  # w8.mission.objectives.place
        "marker_from_marker": 10.0,
        "strategic_reserves_points": 0,
        "stratagems": MappingProxyType({}),
        "rerolls": (),
        "modifiers": (),
        "disputes": (),
    }
)

MEASURES = Measures(
    engagement=1.0,  # w8.move.enemy-1
    engagement_vertical=-1.0,  # w8.concepts.measuring.three-dimensional
    coherency=2.0,  # w8.concepts.coherency
    coherency_vertical=6.0,
    large_unit=UNLIMITED,  # w8.concepts.coherency.group: one neighbour is enough
    low=0.0,  # w8.move.vertical
    on_marker=-1.0,
    beside_barrier=0.0,
)

ATTACK_NUMBERS = attack_rules(
    hit_cap=UNLIMITED,  # w8.concepts.roll-modifiers
    wound_cap=UNLIMITED,
    save_cap=UNLIMITED,
    save_cap_nets_ap=0,
    six_hits=0,  # w8.attack.hit.six-not-automatic
    six_wounds=0,
    critical=7,  # there are no critical hits and wounds
    snap=6,  # w8.charge.overwatch.sixes
    cover=1,  # w8.attack.cover
    cover_whole_unit=1,  # w8.attack.cover.entirely
    no_cover_save=0,
    cover_reach=3.0,
    plunging_ap=0,
    plunging_height=6.0,
    shielded_save=7,
    allocated_counts=0,  # w8.attack.allocate.wounded-first
    ignore_twice=1,  # w8.warlord.tenacious-survivor.stacking
    heavy_stationary=0,
    stealth=0,
    engaged=0,
    unseen=0,
    lance_charged=0,
    half_range=0.5,  # w8.shoot.rapid-fire
    blast=UNLIMITED,
    hazardous=1,
    hazardous_mortals=0,
    hazardous_spared=0,
    snap_steady=6,
    melee_cover=0,  # w8.attack.cover.not-fight
    heavy_moved=-1,  # w8.shoot.heavy
    heavy_slows=(1 << 64) - 1,
    assault_advanced=-1,  # w8.shoot.assault.penalty
    engaged_heavy=0,
    blast_few=0,
    blast_many=UNLIMITED,
    blast_least=0,
)

TARGETING = Targeting(
    lone_range=0.0,
    big_guns=0,
    fell_back=FLY,  # w8.move.fall-back.fly
    closest_only=True,  # w8.shoot.character, .engaged-units-count
    pistol_closest=True,  # w8.shoot.pistol.closest, .friends
    lookout_wounds=9,  # w8.shoot.character.large
)

# w8.move.enemy-1, w8.move.no-through-models, w8.move.no-part-farther.measure
_ON_FOOT = MoveRules(NOBODY, NOBODY, own=True, by_ends=True)
_SCOUT = replace(_ON_FOOT, own=False, keep_away=9.0)
_BACK = replace(_ON_FOOT, engage_path=ANYBODY)  # w8.move.fall-back.path
# w8.fight.pile-in, w8.fight.pile-in.any-unit
_CLOSE = MoveRules(ANYBODY, ANYBODY, need_contact=False, need_closer=False, end_engaged=False, by_ends=True)


def _over_models(rules: MoveRules) -> MoveRules:
    """The same move with FLY: across other models and past enemies (w8.move.fly)."""
    return replace(rules, engage_path=ANYBODY, over_friends=True, over_big=True, over_enemies=True, through_air=LEVEL)


# w8.charge.move.non-targets, w8.charge.move.first-model, w8.charge.move.others
_CHARGE = MoveRules(
    ONLY_TARGETS, ONLY_TARGETS, need_contact=False, need_closer=False, end_engaged=False, by_ends=True, need_all=False
)
MOVES: Mapping[tuple[str, bool], MoveRules] = MappingProxyType(
    {
        (NORMAL, False): _ON_FOOT,
        (NORMAL, True): _over_models(_ON_FOOT),
        (ADVANCE, False): _ON_FOOT,
        (ADVANCE, True): _over_models(_ON_FOOT),
        (FALL_BACK, False): _BACK,
        (FALL_BACK, True): _over_models(_BACK),
        (FALL_BACK_AROUND, False): _BACK,
        (FALL_BACK_AROUND, True): _over_models(_BACK),
        (CHARGE, False): _CHARGE,
        (CHARGE, True): _over_models(_CHARGE),
        (PILE_IN, False): _CLOSE,
        (PILE_IN, True): _over_models(_CLOSE),
        (CONSOLIDATE, False): _CLOSE,
        (CONSOLIDATE, True): _over_models(_CLOSE),
        (SCOUT, False): _SCOUT,
        (SCOUT, True): _over_models(_SCOUT),
    }
)

AIRCRAFT = Aircraft(least=0.0, pivot=180.0, hover=20.0, in_reserves=False, must_return=False, passed_over=False)

ESCAPE = Escape(needed=0, exempt=0)  # no model is tested

PLACING = Placing(
    infiltrators=9.0,
    deep_strike=9.0,
    strategic=9.0,
    edge=6.0,
    first_round=1,
    enemy_zone=1,
)

TRANSPORTS = Transports(
    embark=3.0,  # w8.transport.embark
    disembark=0.0,  # no part needs be nearer than another ...
    large=3.0,  # ... but one part within this: w8.transport.disembark.position
    emergency=0.0,
    hurt=1,  # w8.transport.destroyed.casualties
    emergency_hurt=1,
    no_charge=(),  # w8.transport.disembark.act
    embark_wholly=False,
    embark_engaged=True,  # w8.transport.embark
    closed_after=(Moved.NORMAL, Moved.ADVANCE, Moved.FELL_BACK),  # w8.transport.disembark
)

CHARGING = Charging(
    reach=12.0,  # w8.charge.select, w8.charge.targets
    sought=3,  # w8.charge.move.first-model
)
FIGHTING = Fighting(
    pile_in=3.0,  # w8.fight.pile-in
    consolidate=3.0,  # w8.fight.consolidate
    to_markers=False,
    rank=1.0,  # w8.fight.targets
)
INTERVENING = Intervening(
    reach=3.0,  # w8.charge.heroic
    vertical=-1.0,
    move=3,  # w8.charge.heroic.move
    engaged=True,  # w8.charge.heroic.without-charges
    of_models=True,
)
DEMISE = Demise(needed=6, reach=6.0)

GUIDELINES = Guidelines(
    lane=5.0,
    gap=4.0,
    middle=6.0,  # unused: no feature blocks sight over its whole footprint
    board=(24.0, 24.0),  # w8.mission.terrain
    from_parts=0.0,
    each=(1, 2),
    to_centre=True,
)

DICE = Dice(
    advance=1,  # w8.move.advance.roll
    charge=2,  # w8.charge.roll
    leadership=1,  # w8.morale.test
)

NUMBERS = Numbers(
    core_rules=CORE_RULES,
    measures=MEASURES,
    attack_rules=ATTACK_NUMBERS,
    targeting=TARGETING,
    moves=MOVES,
    aircraft=AIRCRAFT,
    escape=ESCAPE,
    placing=PLACING,
    transports=TRANSPORTS,
    charging=CHARGING,
    fighting=FIGHTING,
    demise=DEMISE,
    guidelines=GUIDELINES,
    dice=DICE,
    intervening=INTERVENING,
)
