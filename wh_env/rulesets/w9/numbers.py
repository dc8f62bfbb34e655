"""Numbers of the 9th edition, each with the rule that says it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from wh_env.core.geometry.paths import ANYBODY, LEVEL, NOBODY, ONLY_TARGETS
from wh_env.rulesets.w9.terrain import CONTAINER_MASS, RUIN_FLOOR, RUIN_MASS, RUIN_WALL
from wh_env.rulesets.w40k.attack.rolls import attack_rules
from wh_env.rulesets.w40k.codes import AFTER_IT_MOVED, FROM_WRECK, Moved
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
from wh_env.rulesets.w40k.terrain.types import PartRules

BIG = int(Keyword.MONSTER | Keyword.VEHICLE)
UNLIMITED = 99

# what the core rules fix; a mission or a group overrides them by name
CORE_RULES: Mapping[str, Any] = MappingProxyType(
    {
        "detail": "squad",
        "formations": "lists",
        "terrain": "layout",
        "attacker": -1,  # player who has the first zone and deploys second, -1: by roll-off
        "first_player": -1,
        "rounds": 5,  # w9.mission.only-war.end
        "cp_each_command_phase": 1,  # w9.command.cp-bonus
        "extra_cp_each_round": 1,  # w9.command.cp-gain-limit
        "first_scoring_round": 1,  # w9.mission.only-war.primary
        "vp_each_marker": 1,
        "max_vp_each_turn": UNLIMITED,
        "vp_more_markers": 1,  # w9.mission.only-war.bonus
        "vp_warlord": 1,  # w9.mission.only-war.slay
        "vp_each_unit_destroyed": 0,
        "marker_range": 3.0,  # w9.objective.range
        "marker_vertical": 5.0,
        "marker_from_edge": 6.0,  # w9.mission.only-war.setup
        "marker_from_marker": 9.0,
        "strategic_reserves": True,  # whether the rules for them are in use
        "half_in_reserves": False,  # w9.reserves.half-army: of packs
        "moved": (),  # rules that moves trigger, see ``move.moved``
        "moves_normally": (),  # what is added to M for Normal Moves, see ``move.moved``
        "stratagems": MappingProxyType({}),
        "rerolls": (),
        "modifiers": (),
        "disputes": (),
        "inspiring": (),  # features that inspire, see ``morale.inspiring``
        "battle_forged": (True, True),  # w9.army.battle-forged, by player
        "cp_at_start": (0, 0),  # w9.army.battle-size, .detachments: of Battle-forged armies, by player
        "secondaries": ((), ()),  # secondary objectives by player
        "primary": "each marker",  # or "conditions": w9.mission.capture-and-control.conditional
        "vp_each_condition": 5,
        "vp_each_quarter": 1,  # w9.mission.quarters: of missions that have such an objective
        "vp_each_standing": 5,  # w9.mission.while-we-stand.score
        # w9.mission.crusade.reserves-round-one: 1 if the mission says so; 0: as ``PLACING`` says
        "strategic_reserves_from_round": 0,
        "reinforcements_from_round": 0,  # w9.mission.crusade.reserves-round-one: 2
        "reserves_lost_after": 0,  # w9.mission.crusade.reserves-lost: 3; 0: only at the end of the battle
        "faction_stratagems": (),  # w9.stratagem.faction, see ``stratagems.book``
        "stratagem_costs": (),  # w9.rare.stratagem-cost.order, see ``w40k.reaction.book``
        "crusade": False,  # w9.mission.crusade.step-numbers: whether steps are numbered as those of Crusade missions
        "control": (),  # rules about Objective Secured, see ``objective.control``
        "stationary": (),  # w9.rare.stationary.shoot, see ``rare.stationary``
        "when_stationary": (),  # w9.rare.stationary.triggers
        "leaves_after_move": (),  # w9.rare.stationary.transport
    }
)

MEASURES = Measures(
    engagement=1.0,  # w9.concepts.engagement-range
    engagement_vertical=5.0,
    coherency=2.0,  # w9.concepts.coherency
    coherency_vertical=5.0,
    large_unit=6,  # w9.concepts.coherency.six
    low=1.0,  # w9.move.terrain.low
    on_marker=-1.0,  # w9.objective.marker: models stand on markers
    beside_barrier=1.0,  # w9.terrain.defence-line
)

ATTACK_NUMBERS = attack_rules(
    hit_cap=1,  # w9.attack.hit.cap
    wound_cap=1,  # w9.attack.wound.cap
    save_cap=UNLIMITED,
    save_cap_nets_ap=0,
    six_hits=1,  # w9.attack.hit.natural
    six_wounds=1,  # w9.attack.wound.natural
    critical=7,  # there are no critical hits and wounds
    snap=6,  # w9.charge.overwatch.sixes
    cover=1,  # w9.terrain.light-cover
    cover_whole_unit=0,
    no_cover_save=0,
    cover_reach=3.0,
    plunging_ap=0,
    plunging_height=6.0,
    shielded_save=7,
    allocated_counts=1,  # w9.attack.allocate.wounded-first
    ignore_twice=0,
    heavy_stationary=0,
    stealth=-1,  # w9.terrain.dense-cover
    engaged=0,
    unseen=0,
    lance_charged=0,
    half_range=0.5,  # w9.weapon.rapid-fire
    blast=99,
    hazardous=1,
    hazardous_mortals=0,
    hazardous_spared=0,
    snap_steady=5,  # w9.terrain.defensible.hold-steady
    melee_cover=1,  # w9.terrain.heavy-cover
    heavy_moved=-1,  # w9.weapon.heavy
    heavy_slows=int(Keyword.INFANTRY),
    assault_advanced=-1,  # w9.weapon.assault
    engaged_heavy=-1,  # w9.shoot.big-guns.penalty
    blast_few=6,  # w9.weapon.blast.minimum
    blast_many=11,  # w9.weapon.blast.maximum
    blast_least=3,  # w9.weapon.blast.minimum
)

TARGETING = Targeting(
    lone_range=0.0,
    big_guns=BIG,  # w9.shoot.big-guns
    fell_back=int(Keyword.TITANIC),  # w9.shoot.eligible
    others_wait=True,  # w9.shoot.big-guns.others
    engaged_as_unit=True,  # w9.shoot.big-guns.penalty
    lookout=3.0,  # w9.shoot.look-out-sir
    lookout_wounds=9,
    lookout_screen=3,
)

_ON_FOOT = MoveRules(NOBODY, NOBODY, own=True)  # w9.move.normal, w9.move.path
_SCOUT = replace(_ON_FOOT, own=False, keep_away=9.0)
_BACK = replace(_ON_FOOT, engage_path=ANYBODY)  # w9.move.fall-back
_CLOSING = replace(_ON_FOOT, own=False, need_contact=False, need_closer=False, end_engaged=False)
_CHARGE = replace(
    _CLOSING, engage_path=ONLY_TARGETS, engage_end=ONLY_TARGETS, air_goal=True
)  # w9.charge.success, w9.charge.move.non-targets
_CLOSE = replace(_CLOSING, engage_path=ANYBODY, engage_end=ANYBODY)  # w9.fight.pile-in, w9.fight.consolidate


def _over_models(rules: MoveRules) -> MoveRules:
    """The same move with FLY: across other models and past enemies (w9.move.fly, w9.charge.move.fly,
    w9.rare.move-through.engagement).
    """
    return replace(rules, engage_path=ANYBODY, over_friends=True, over_big=True, over_enemies=True, air_goal=True)


_FLIGHT = replace(_over_models(_ON_FOOT), through_air=LEVEL)  # w9.move.fly
_FLIGHT_BACK = replace(_over_models(_BACK), through_air=LEVEL)
MOVES: Mapping[tuple[str, bool], MoveRules] = MappingProxyType(
    {
        (NORMAL, False): _ON_FOOT,
        (NORMAL, True): _FLIGHT,
        (ADVANCE, False): _ON_FOOT,
        (ADVANCE, True): _FLIGHT,
        (FALL_BACK, False): _BACK,
        (FALL_BACK, True): _FLIGHT_BACK,
        (FALL_BACK_AROUND, False): _BACK,
        (FALL_BACK_AROUND, True): _FLIGHT_BACK,
        (CHARGE, False): _CHARGE,
        (CHARGE, True): replace(_over_models(_CHARGE), air_end=True),  # w9.aircraft.charge-end, w9.rare.charge-aircraft
        (PILE_IN, False): _CLOSE,
        (PILE_IN, True): replace(_CLOSE, air_goal=True),
        (CONSOLIDATE, False): _CLOSE,
        (CONSOLIDATE, True): replace(_CLOSE, air_goal=True),
        (SCOUT, False): _SCOUT,
        (SCOUT, True): replace(_over_models(_SCOUT), through_air=LEVEL),
    }
)

AIRCRAFT = Aircraft(
    least=0.0,  # w9.aircraft.minimum-move: that of the datasheet counts
    pivot=90.0,  # w9.aircraft.supersonic
    hover=0.0,
    in_reserves=False,
    pivots_first=True,  # w9.aircraft.supersonic
    must_return=False,  # w9.aircraft.reserves.leave
)

ESCAPE = Escape(needed=0, exempt=0)  # no model is tested

PLACING = Placing(
    infiltrators=9.0,
    deep_strike=9.0,  # w9.reserves.horizontal-distance
    strategic=9.0,  # w9.reserves.strategic.round-two
    edge=6.0,
    first_round=2,  # w9.reserves.strategic.arrive
    enemy_zone=3,  # w9.reserves.strategic.round-three
    own_edge=1.0,  # w9.reserves.strategic.own-edge
    enemy_edge=False,  # w9.reserves.strategic.round-two, .round-three
    large_touch=True,  # w9.reserves.strategic.large
    aircraft_anywhere=True,  # w9.aircraft.reserves.return
    from_features=3.0,  # w9.deploy.fortification, w9.deploy.fortification.impossible
)

TRANSPORTS = Transports(
    embark=3.0,  # w9.transport.embark
    disembark=3.0,  # w9.transport.disembark
    emergency=6.0,  # w9.stratagem.emergency-disembarkation
    hurt=1,  # w9.transport.destroyed.roll
    emergency_hurt=2,  # w9.stratagem.emergency-disembarkation
    no_charge=(FROM_WRECK, AFTER_IT_MOVED),  # w9.transport.destroyed.restrictions, w9.rare.stationary.transport
    embark_wholly=True,
    embark_engaged=False,
    closed_after=(Moved.NORMAL, Moved.ADVANCE, Moved.FELL_BACK),  # w9.transport.disembark
    large=1.0,  # w9.rare.disembark-large
    brings_reinforcements=True,  # w9.reserves.transport-disembark
)

CHARGING = Charging(
    reach=12.0,  # w9.charge.eligible, w9.charge.declare
    sought=3,  # w9.charge.success
)
FIGHTING = Fighting(
    pile_in=3.0,  # w9.fight.pile-in
    consolidate=3.0,  # w9.fight.consolidate
    to_markers=False,
    rank=0.5,  # w9.fight.which-models
)
INTERVENING = Intervening(
    reach=3.0,  # w9.charge.heroic-intervention
    vertical=5.0,
    move=3,  # w9.charge.heroic-intervention.move
)
DEMISE = Demise(needed=6, reach=6.0)

GUIDELINES = Guidelines(lane=5.0, gap=4.0, middle=6.0, board=(22.0, 30.0), from_parts=1.0)

# w9.terrain.breachable, w9.terrain.scaleable
RUIN_PARTS = 1 << RUIN_MASS | 1 << RUIN_WALL | 1 << RUIN_FLOOR
THROUGH_RUINS = int(Keyword.INFANTRY | Keyword.BEASTS | Keyword.SWARM)
PART_RULES = PartRules(
    through=THROUGH_RUINS,
    through_parts=RUIN_PARTS,
    floors=int(THROUGH_RUINS | Keyword.FLY),
    floor_parts=RUIN_PARTS | 1 << CONTAINER_MASS,
)

DICE = Dice(
    advance=1,  # w9.move.advance
    charge=2,  # w9.charge.roll
    leadership=1,  # w9.morale.test
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
    part_rules=PART_RULES,
)
