"""Numbers of the 10th edition, each with the rule that says it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from wh_env.core.geometry.paths import ANYBODY, DIAGONALLY, NOBODY, ONLY_TARGETS
from wh_env.rulesets.w10.terrain import RUIN_FLOOR, RUIN_MASS, RUIN_WALL
from wh_env.rulesets.w40k.attack.rolls import attack_rules
from wh_env.rulesets.w40k.codes import AFTER_IT_MOVED, FROM_WRECK
from wh_env.rulesets.w40k.numbers import (
    Aircraft,
    Charging,
    Demise,
    Dice,
    Escape,
    Fighting,
    Guidelines,
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

# what the core rules fix; a mission or a group overrides them by name
CORE_RULES: Mapping[str, Any] = MappingProxyType(
    {
        "detail": "squad",
        "formations": "lists",
        "terrain": "layout",  # players: they place the features of the battlefield (module battlefield)
        "attacker": -1,  # player, -1: by roll-off
        "first_player": -1,
        "rounds": 5,
        "cp_each_command_phase": 1,
        "extra_cp_each_round": 1,
        "first_scoring_round": 2,
        "vp_each_marker": 1,
        "max_vp_each_turn": 3,
        "vp_each_unit_destroyed": 0,
        "marker_range": 3.0,
        "marker_vertical": 5.0,
        "marker_from_edge": 6.0,
        "marker_from_marker": 9.0,
        "strategic_reserves_points": 0,
        "stratagems": MappingProxyType({}),  # by name: ask, delegate or off (module stratagems)
        "rerolls": (),  # permissions to re-roll dice (module rerolls)
        "modifiers": (),  # modifiers of attacks by keyword (module modifiers)
        "disputes": (),  # cases left open, with their outcomes (module disputes)
    }
)

MEASURES = Measures(
    engagement=1.0,  # w10.concepts.engagement-range
    engagement_vertical=5.0,
    coherency=2.0,  # w10.concepts.coherency.small
    coherency_vertical=5.0,
    large_unit=7,  # w10.concepts.coherency.large
    low=2.0,  # w10.move.terrain.low
    on_marker=1.0,  # w10.objective.move-over
    beside_barrier=1.0,  # w10.terrain.barricades.charge
)

ATTACK_NUMBERS = attack_rules(
    hit_cap=1,  # w10.attack.hit.cap
    wound_cap=1,  # w10.attack.wound.cap
    save_cap=1,  # w10.attack.save.cap
    save_cap_nets_ap=1,
    six_hits=1,  # w10.attack.hit.critical
    six_wounds=1,  # w10.attack.wound.critical
    critical=6,
    snap=6,  # w10.stratagem.fire-overwatch.sixes
    cover=1,  # w10.terrain.cover.effect
    cover_whole_unit=0,
    no_cover_save=3,  # w10.terrain.cover.three-plus
    cover_reach=3.0,  # w10.terrain.barricades.cover
    plunging_ap=-1,  # w10.terrain.ruins.plunging-fire
    plunging_height=6.0,
    shielded_save=6,  # w10.stratagem.go-to-ground
    allocated_counts=1,  # w10.attack.allocate.wounded-first
    ignore_twice=0,
    heavy_stationary=1,  # w10.weapon.heavy
    stealth=-1,  # w10.shoot.stealth
    engaged=-1,  # w10.shoot.big-guns.penalty-shooter, .engaged-target
    unseen=-1,  # w10.weapon.indirect-fire.penalty
    lance_charged=1,  # w10.weapon.lance
    half_range=0.5,  # w10.weapon.rapid-fire, w10.weapon.melta
    blast=5,  # w10.weapon.blast.extra
    hazardous=2,  # w10.weapon.hazardous.test
    hazardous_mortals=3,  # w10.weapon.hazardous.mortal
    hazardous_spared=int(Keyword.CHARACTER | Keyword.MONSTER | Keyword.VEHICLE),  # w10.weapon.hazardous.mortal
    # of other editions
    snap_steady=6,
    melee_cover=0,
    heavy_moved=0,
    heavy_slows=0,
    assault_advanced=0,
    engaged_heavy=0,
    blast_few=0,
    blast_many=0,
    blast_least=0,
)

TARGETING = Targeting(
    lone_range=12.0,  # w10.shoot.lone-operative
    big_guns=BIG,  # w10.shoot.big-guns.eligible, w10.weapon.pistol.or-others
    big_targets=BIG,  # w10.shoot.big-guns.targets
)

# w10.move.models.through-friends, .monster-vehicle
_ON_FOOT = MoveRules(NOBODY, NOBODY, own=True, over_friends=True, big=BIG)  # w10.move.normal
_SCOUT = replace(_ON_FOOT, own=False, keep_away=9.0)  # w10.deploy.scouts.move, .distance
_AROUND = replace(_ON_FOOT, engage_path=ANYBODY)  # w10.move.fall-back.move, .end
_OVER = replace(_AROUND, over_enemies=True)  # w10.move.fall-back.over-enemies
# w10.charge.condition.all-targets, .no-others
_CHARGE = replace(_ON_FOOT, own=False, engage_path=ONLY_TARGETS, engage_end=ONLY_TARGETS, air_goal=True)
# w10.fight.pile-in, w10.fight.consolidate
_CLOSE = replace(_ON_FOOT, own=False, engage_path=ANYBODY, engage_end=ANYBODY)


def _flying(rules: MoveRules) -> MoveRules:
    """The same move with FLY: across other models and through the air (w10.move.fly.over-models, .monster-vehicle,
    .through-the-air; w10.aircraft.fight.ignored).
    """
    return replace(rules, through_air=DIAGONALLY, over_big=True, over_enemies=True, air_goal=True)


_FLIGHT = replace(_flying(_ON_FOOT), engage_path=ANYBODY)
MOVES: Mapping[tuple[str, bool], MoveRules] = MappingProxyType(
    {
        (NORMAL, False): _ON_FOOT,
        (NORMAL, True): _FLIGHT,
        (ADVANCE, False): _ON_FOOT,
        (ADVANCE, True): _FLIGHT,
        (FALL_BACK, False): _OVER,
        (FALL_BACK, True): _flying(_OVER),
        (FALL_BACK_AROUND, False): _AROUND,
        (FALL_BACK_AROUND, True): replace(_flying(_AROUND), over_enemies=False),
        (CHARGE, False): _CHARGE,
        (CHARGE, True): replace(
            _flying(_CHARGE), air_end=True
        ),  # w10.aircraft.charge.targets, w10.aircraft.others.move-over
        (PILE_IN, False): _CLOSE,
        (PILE_IN, True): replace(_CLOSE, air_goal=True),  # w10.move.fly.other-moves, w10.aircraft.fight.fly-pile-in
        (CONSOLIDATE, False): _CLOSE,
        (CONSOLIDATE, True): replace(_CLOSE, air_goal=True),
        (SCOUT, False): _SCOUT,
        (SCOUT, True): replace(_flying(_SCOUT), engage_path=ANYBODY),
    }
)

AIRCRAFT = Aircraft(
    least=20.0,  # w10.aircraft.move.minimum
    pivot=90.0,  # w10.aircraft.move.pivot
    hover=20.0,  # w10.aircraft.hover.effect
)

ESCAPE = Escape(
    needed=3,  # w10.move.desperate-escape.test
    exempt=int(Keyword.FLY | Keyword.TITANIC),  # w10.move.desperate-escape.over-enemies
)

PLACING = Placing(
    infiltrators=9.0,  # w10.deploy.infiltrators
    deep_strike=9.0,  # w10.deploy.deep-strike.arrive
    strategic=9.0,  # w10.reserves.place.nine-inches
    edge=6.0,  # w10.reserves.place.round-2
    first_round=2,  # w10.reserves.arrive
    enemy_zone=3,  # w10.reserves.place.round-3
)

TRANSPORTS = Transports(
    embark=3.0,  # w10.transport.embark
    disembark=3.0,  # w10.transport.disembark.set-up, w10.transport.destroyed.disembark
    emergency=6.0,  # w10.transport.emergency.distance
    hurt=1,  # w10.transport.destroyed.rolls
    emergency_hurt=3,  # w10.transport.emergency.rolls
    no_charge=(
        AFTER_IT_MOVED,
        FROM_WRECK,
    ),  # w10.transport.disembark.after-normal, w10.transport.destroyed.counts-as-moved
)

CHARGING = Charging(reach=12.0)  # w10.charge.eligible, w10.charge.targets
FIGHTING = Fighting(
    pile_in=3.0,  # w10.fight.pile-in
    consolidate=3.0,  # w10.fight.consolidate
    to_markers=True,  # w10.fight.consolidate.objective
    rank=0.0,  # w10.fight.which-models
)
DEMISE = Demise(needed=6, reach=6.0)  # w10.attack.deadly-demise

# w10.terrain.layout-guidelines, w10.objective.on-terrain
GUIDELINES = Guidelines(lane=5.0, gap=4.0, middle=6.0, board=(22.0, 30.0), from_parts=1.0)

# keywords of units that pass through the parts of Ruins (w10.terrain.ruins.through) and of those that may stand on them
# (w10.terrain.ruins.floors)
RUIN_PARTS = 1 << RUIN_MASS | 1 << RUIN_WALL | 1 << RUIN_FLOOR
THROUGH_RUINS = int(Keyword.INFANTRY | Keyword.BEASTS)
PART_RULES = PartRules(
    through=THROUGH_RUINS, through_parts=RUIN_PARTS, floors=int(THROUGH_RUINS | Keyword.FLY), floor_parts=RUIN_PARTS
)

DICE = Dice(
    advance=1,  # w10.move.advance.roll
    charge=2,  # w10.charge.roll
    leadership=2,  # w10.command.battle-shock.test, w10.datasheet.leadership-test
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
    part_rules=PART_RULES,
)
