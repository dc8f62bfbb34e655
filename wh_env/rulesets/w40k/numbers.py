"""The numbers in which editions differ, grouped by chapter of the rulebook; ``Numbers`` holds all of them.

This module explains the numbers, an edition sets them. Kernels read them from arrays: ``attack.rolls.ATTACK_RULES``,
``edition_parts.fire_rules.FIRE_RULES``, ``MOVE_LIMITS``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wh_env.core.geometry.paths import ON_FOOT
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.terrain.types import PartRules

NO_PART_RULES = PartRules()  # all models go around all parts of terrain; no floor is reserved for some keywords


@dataclass(frozen=True)
class Measures:
    """Distances between models and over terrain, in inches.

    Attributes:
        engagement, engagement_vertical: Engagement Range (concepts.engagement-range); vertical below 0: in a straight
            line.
        coherency, coherency_vertical: between models of a unit (concepts.coherency).
        large_unit: in units of at least so many models, each model needs two others in coherency.
        low: models move over terrain up to this height as if it were not there (move.terrain.low).
        on_marker: a model that ends at most so far above or below an objective marker stands on it
            (objective.move-over); below 0: models may end moves on markers.
        beside_barrier: a unit within this distance of a barrier is charged across it (terrain.barricades.charge).
    """

    engagement: float
    engagement_vertical: float
    coherency: float
    coherency_vertical: float
    large_unit: int
    low: float
    on_marker: float
    beside_barrier: float


@dataclass(frozen=True)
class MoveRules:
    """What a kind of move allows. ``MOVE_LIMITS`` has columns of the same names.

    Attributes:
        engage_path, engage_end: the enemies that a model may be within Engagement Range of on the way and at the end:
            NOBODY, ANYBODY or ONLY_TARGETS.
        own: True: each model may move its own Move plus the roll; False: all may move the same distance.
        over_enemies, over_friends, over_big: whether a model passes over enemy models, friendly models, friendly
            ``big`` models.
        big: keywords; models with one of them go around friendly models with one of them (move.models.monster-vehicle).
        through_air: how distance is measured through the air: ON_FOOT (not at all), DIAGONALLY or LEVEL
            (move.fly.through-the-air).
        air_end, air_goal: whether the move may end near AIRCRAFT; whether it must go towards AIRCRAFT, too.
        keep_away: inches from every enemy model beyond which the move must end, 0: no such rule.
        need_contact: a model that charges, piles in or consolidates must end in base contact if it can.
        need_closer: a model that charges must end closer to a target (charge.move.closer).
        end_engaged: a unit that piles in or consolidates towards enemies must end engaged (fight.pile-in.condition).
        by_ends: True: turns cost nothing, and no part of a base may end farther from its start than the model may move.
            False: the part that travels farthest along the way counts (move.models.distance).
        need_all: True: a charge must reach every target. False: the first model that moves must reach one of them.
    """

    engage_path: int
    engage_end: int
    own: bool = False
    over_enemies: bool = False
    over_friends: bool = False
    over_big: bool = False
    big: int = 0
    through_air: int = ON_FOOT
    air_end: bool = False
    air_goal: bool = False
    keep_away: float = 0.0
    need_contact: bool = True
    need_closer: bool = True
    end_engaged: bool = True
    by_ends: bool = False
    need_all: bool = True


@dataclass(frozen=True)
class Aircraft:
    """Rules of AIRCRAFT.

    Attributes:
        least: inches of the straight move, at least (aircraft.move.minimum).
        pivot: degrees of the pivot either way, at most (aircraft.move.pivot).
        hover: Move in Hover mode, inches (aircraft.hover.effect); 0: there is no Hover mode.
        in_reserves: whether AIRCRAFT always start the battle in Reserves (aircraft.reserves).
        pivots_first: True: the pivot comes before the straight move; False: after it (aircraft.move.pivot).
        must_return: whether AIRCRAFT that left the battlefield must come back as soon as they can (aircraft.return).
        passed_over: whether other models may move over AIRCRAFT, and past them within Engagement Range.
    """

    least: float
    pivot: float
    hover: float
    in_reserves: bool = True
    pivots_first: bool = False
    must_return: bool = True
    passed_over: bool = True


@dataclass(frozen=True)
class Escape:
    """Desperate Escape tests.

    Attributes:
        needed: the lowest die that passes (move.desperate-escape.test).
        exempt: keywords of models that are not tested for crossing enemies (move.desperate-escape.over-enemies).
    """

    needed: int
    exempt: int


@dataclass(frozen=True)
class Placing:
    """Where units are set up, in inches.

    Attributes:
        infiltrators: from the enemy zone and from enemy models (deploy.infiltrators).
        deep_strike: from enemy models (deploy.deep-strike.arrive).
        strategic: from enemy models, for Strategic Reserves (reserves.place.nine-inches).
        edge: from a table edge, the strip for Strategic Reserves (reserves.place.round-2).
        own_edge: from the own table edge: Strategic Reserves within it and wholly in their own zone may be at any
            distance from enemies; 0: no such rule (reserves.strategic.own-edge).
        enemy_edge: whether the enemy's table edge counts as an edge once the enemy zone is open.
        large_touch: whether models too wide for the strip along an edge stand touching that edge.
        aircraft_anywhere: whether AIRCRAFT arrive anywhere at distance ``strategic`` from enemies (aircraft.return).
        from_features: from terrain features except hills, for Fortifications; 0: no such rule (deploy.fortification).
        first_round: the first battle round in which Strategic Reserves arrive.
        enemy_zone: the first battle round in which they may stand in the enemy zone (reserves.place.round-3).
    """

    infiltrators: float
    deep_strike: float
    strategic: float
    edge: float
    first_round: int
    enemy_zone: int
    own_edge: float = 0.0
    enemy_edge: bool = True
    large_touch: bool = False
    aircraft_anywhere: bool = False
    from_features: float = 0.0


@dataclass(frozen=True)
class Transports:
    """Rules of TRANSPORTS.

    Attributes:
        embark: inches from the TRANSPORT within which a unit can embark (transport.embark).
        embark_wholly: whether each model must be wholly within that distance.
        embark_engaged: whether a unit can embark in a TRANSPORT that is within Engagement Range of enemies.
        closed_after: moves (``codes.Moved``) after which no unit disembarks (transport.disembark.not-after-advance).
        disembark: inches within which a unit that disembarks is set up (transport.disembark.set-up).
        emergency: the same in an emergency (transport.emergency.distance).
        hurt: the highest D6 roll that costs a mortal wound when the TRANSPORT is destroyed (transport.destroyed.rolls).
        emergency_hurt: the same in an emergency (transport.emergency.rolls).
        no_charge: codes of ``units.disembarked`` with which a unit may not charge (transport.disembark.after-normal).
        large: a model too large to be wholly within ``disembark`` must have a part within so many inches; 0: no such
            rule.
        brings_reinforcements: whether a unit that leaves a TRANSPORT in the turn in which that arrives is a
            Reinforcement unit (transport.disembark.from-reserves).
    """

    embark: float
    disembark: float
    emergency: float
    hurt: int
    emergency_hurt: int
    no_charge: tuple[int, ...]
    embark_wholly: bool = False
    embark_engaged: bool = True
    closed_after: tuple[int, ...] = (Moved.ADVANCE, Moved.FELL_BACK)
    large: float = 0.0
    brings_reinforcements: bool = False


@dataclass(frozen=True)
class Targeting:
    """Which units may shoot at which targets. Together with Engagement Range these make the row ``FIRE_RULES``.

    Attributes:
        lone_range: inches beyond which a Lone Operative on its own cannot be a target (shoot.lone-operative).
        big_guns: keywords of models that shoot while engaged (shoot.big-guns.eligible).
        big_targets: keywords of models that can be shot at while units of the shooter's army are engaged with them
            (shoot.big-guns.targets).
        fell_back: keywords of units that shoot after they fell back (shoot.eligible).
        others_wait: whether an engaged unit makes its attacks at units that it is not engaged with only when it is no
            longer engaged (shoot.big-guns.others).
        engaged_as_unit: whether a model that shoots counts as engaged if any model of its unit is
            (shoot.big-guns.penalty).
        closest_only: whether, in Shooting phases, a model may shoot at a CHARACTER model of up to ``lookout_wounds``
            Wounds only if it sees no other unit that is closer (shoot.look-out-sir).
        pistol_closest: whether each model of an engaged unit fires its Pistols at the unit closest to it
            (weapon.pistol.engaged-targets).
        lookout: inches within which other units screen CHARACTER models; 0: they do not (shoot.look-out-sir).
        lookout_wounds: CHARACTER models with more Wounds are not screened.
        lookout_screen: models that a unit needs to screen others.
    """

    lone_range: float
    big_guns: int
    big_targets: int = 0
    fell_back: int = 0
    others_wait: bool = False
    engaged_as_unit: bool = False
    closest_only: bool = False
    pistol_closest: bool = False
    lookout: float = 0.0
    lookout_wounds: int = 0
    lookout_screen: int = 0


@dataclass(frozen=True)
class Demise:
    """Deadly Demise (attack.deadly-demise).

    Attributes:
        needed: the lowest D6 roll for it.
        reach: inches within which it harms units.
        closest_enemy: whether it harms only the closest enemy unit in reach, not every unit.
    """

    needed: int
    reach: float
    closest_enemy: bool = False


@dataclass(frozen=True)
class Charging:
    """Charges.

    Attributes:
        reach: inches within which a target must be (charge.eligible, charge.targets).
        sought: the most models of a unit for which all combinations of places are searched before a charge fails
            (``fight.charge_ends``); 0: a charge fails if the first possible places lead to no legal end.
    """

    reach: float
    sought: int = 0


@dataclass(frozen=True)
class Intervening:
    """Heroic Interventions, in inches (charge.heroic-intervention).

    Attributes:
        reach, vertical: how near an enemy model must be, horizontally and vertically; vertical below 0: in a straight
            line.
        move: how far each model may move, a whole number.
        engaged: whether units within Engagement Range can make one, too.
        of_models: True: single CHARACTER models make them, each for itself. False: CHARACTER units do.
    """

    reach: float
    vertical: float
    move: int
    engaged: bool = False
    of_models: bool = False


@dataclass(frozen=True)
class Fighting:
    """The Fight phase.

    Attributes:
        pile_in, consolidate: inches of these moves (fight.pile-in, fight.consolidate).
        to_markers: whether a unit that cannot consolidate towards enemies moves towards the closest objective marker
            (fight.consolidate.objective).
        rank: inches between models that fight from behind each other; 0: their bases touch (fight.which-models).
    """

    pile_in: float
    consolidate: float
    to_markers: bool
    rank: float


@dataclass(frozen=True)
class Guidelines:
    """Guidelines for battlefields on which the players place the terrain, in inches (terrain.layout-guidelines).

    Attributes:
        lane: left free along every edge.
        gap: left free between features that models must walk round.
        middle: distance from the centre within which the first feature that blocks visibility lies.
        board: length and width of one board, about; a battlefield is made of such boards.
        from_parts: from a marker to impassable parts of terrain (objective.on-terrain).
        each: the fewest and the most features on a board when a battlefield is drawn, each feature wholly on one board;
            ``None``: as many as cover enough of the table, with a Ruin across its middle.
        to_centre: whether distances of markers are measured to their centres, and exactly the least distance is
            allowed.
    """

    lane: float
    gap: float
    middle: float
    board: tuple[float, float]
    from_parts: float
    each: tuple[int, int] | None = None
    to_centre: bool = False


@dataclass(frozen=True)
class Dice:
    """The number of D6 that are added up for a roll.

    Attributes:
        advance: for an Advance roll (move.advance.roll).
        charge: for a Charge roll (charge.roll).
        leadership: for a test against Leadership: a Battle-shock test or a Morale test (morale.test).
    """

    advance: int
    charge: int
    leadership: int


@dataclass(frozen=True)
class Numbers:
    """All numbers of an edition.

    Plans and observations derive their expectations from them (``questions.chances``). An edition that differs in a
    number uses ``dataclasses.replace``.

    Attributes:
        core_rules: numbers and switches by name; a mission or a group can override them.
        attack_rules: the row of ``attack.rolls.ATTACK_RULES``.
        moves: by kind of move (``questions.move_limits``) and whether the unit can FLY.
        intervening: ``None`` in editions without a Heroic Interventions step.
    """

    core_rules: Mapping[str, Any]
    measures: Measures
    attack_rules: Array
    targeting: Targeting
    moves: Mapping[tuple[str, bool], MoveRules]
    aircraft: Aircraft
    escape: Escape
    placing: Placing
    transports: Transports
    charging: Charging
    fighting: Fighting
    demise: Demise
    guidelines: Guidelines
    dice: Dice
    intervening: Intervening | None = None
    part_rules: PartRules = NO_PART_RULES
