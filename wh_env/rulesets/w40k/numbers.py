"""The numbers in which editions differ, by chapter of the rulebook, and all of them together (``Numbers``).

This module says what they mean, an edition how large they are.

What kernels read are rows of arrays: ``attack.rolls.ATTACK_RULES``, ``edition_parts.fire_rules.FIRE_RULES``, ``MOVE_LIMITS``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wh_env.core.geometry.paths import ON_FOOT
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.terrain.types import PartRules

NO_PART_RULES = PartRules()  # all models go around all parts of terrain, and stand on none that is kept for some


@dataclass(frozen=True)
class Measures:
    """Distances between models and over terrain, in inches.

    Attributes:
        engagement, engagement_vertical: of Engagement Range (concepts.engagement-range); vertical below 0: in a straight line.
        coherency, coherency_vertical: between models of a unit (concepts.coherency).
        large_unit: from so many models on each must have two others that near.
        low: terrain up to this height is moved over as if it were not there (move.terrain.low).
        on_marker: a model that ends no farther above or below an objective marker stands on it (objective.move-over);
            below 0: markers keep nobody off.
        beside_barrier: from a barrier within which a unit is charged across it (terrain.barricades.charge).
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
    """What a kind of move allows, as ``MOVE_LIMITS`` has it (columns of the same names).

    Attributes:
        engage_path, engage_end: whom it may come within Engagement Range of: NOBODY, ANYBODY or ONLY_TARGETS.
        own: each model may move its own Move and what a roll adds to it; else all may move the same distance.
        over_enemies, over_friends, over_big: whether it passes over enemy models, friendly ones, and ``big`` friendly ones.
        big: keywords of models that others of their side with one of them go around (move.models.monster-vehicle).
        through_air: how it is measured through the air: ON_FOOT (not at all), DIAGONALLY or LEVEL (move.fly.through-the-air).
        air_end, air_goal: whether it may end near AIRCRAFT, and has to go towards them.
        keep_away: inches from every enemy model that it ends beyond, 0: no such rule.
        need_contact: a model that charges, piles in or consolidates and can end in base contact must.
        need_closer: a model that charges must end closer to a target (charge.move.closer).
        end_engaged: a unit that piles in or consolidates towards enemies must end engaged (fight.pile-in.condition).
        by_ends: a turn costs nothing, but no part of a base ends farther from where it began than the model may move; else the part that
            travels farthest on the way counts (move.models.distance).
        need_all: a charge must reach every target; else the first model that moves has to reach one of them.
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
    """AIRCRAFT.

    Attributes:
        least: inches of the straight move (aircraft.move.minimum).
        pivot: degrees that it turns by at most, either way (aircraft.move.pivot).
        hover: Move in Hover mode, in inches (aircraft.hover.effect), 0: there is no Hover mode.
        in_reserves: whether they start the battle in Reserves without a choice (aircraft.reserves).
        pivots_first: whether it pivots before it moves, not after (aircraft.move.pivot).
        must_return: whether one that has left the table has to come back as soon as it can (aircraft.return).
        passed_over: whether anybody may move over them, and past them within Engagement Range.
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
        infiltrators: from the enemy zone and enemy models (deploy.infiltrators).
        deep_strike: from enemy models (deploy.deep-strike.arrive).
        strategic: the same from Strategic Reserves (reserves.place.nine-inches).
        edge: from a table edge, within which those are (reserves.place.round-2).
        own_edge: from the own table edge, within which those wholly in their own zone stand at any distance from enemies, 0: no
            such rule (reserves.strategic.own-edge).
        enemy_edge: whether the table edge of the enemy counts from the round on in which the enemy zone is open.
        large_touch: whether models too wide for the strip along an edge stand touching it.
        aircraft_anywhere: whether AIRCRAFT arrive anywhere on the table, at the same distance from enemies (aircraft.return).
        from_features: from terrain features but hills, for Fortifications, 0: no such rule (deploy.fortification).
        first_round: battle round from which on they arrive.
        enemy_zone: battle round from which on they may stand in the enemy zone (reserves.place.round-3).
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
    """TRANSPORTS.

    Attributes:
        embark: inches from it at which a unit can embark (transport.embark).
        embark_wholly: every part of each model has to be within those inches.
        embark_engaged: a unit can embark in one within Engagement Range of enemies.
        closed_after: moves (``codes.Moved``) after which nobody disembarks from it (transport.disembark.not-after-advance).
        disembark: inches within which a unit is set up (transport.disembark.set-up).
        emergency: the same in an emergency (transport.emergency.distance).
        hurt: the highest die that costs a mortal wound when it is destroyed (transport.destroyed.rolls).
        emergency_hurt: the same in an emergency (transport.emergency.rolls).
        no_charge: codes of ``units.disembarked`` with which a unit may not charge (transport.disembark.after-normal).
        large: inches within which some part of a model stands that is too large to be wholly within ``disembark``, 0: no such rule.
        brings_reinforcements: who leaves it in the turn in which it arrives is a Reinforcement unit (transport.disembark.from-reserves).
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
    """Who may shoot at whom; with Engagement Range it makes the row ``FIRE_RULES``.

    Attributes:
        lone_range: inches from which on a Lone Operative on its own is no target (shoot.lone-operative).
        big_guns: keywords of models that shoot while engaged (shoot.big-guns.eligible).
        big_targets: keywords of models that are shot at although units of the shooter's army are engaged with them (shoot.big-guns.targets).
        fell_back: keywords of units that shoot after they fell back (shoot.eligible).
        others_wait: whether what an engaged unit fires at units that it is not engaged with is made only once it is free
            (shoot.big-guns.others).
        engaged_as_unit: whether a model that shoots counts as engaged where any model of its unit is (shoot.big-guns.penalty).
        closest_only: whether CHARACTER models of up to ``lookout_wounds`` Wounds are shot at only by models to which no other unit that they
            see is closer, in Shooting phases (shoot.look-out-sir).
        pistol_closest: whether each model of an engaged unit fires its Pistols at the unit closest to it (weapon.pistol.engaged-targets).
        lookout: inches within which other units screen CHARACTER models, 0: they do not (shoot.look-out-sir).
        lookout_wounds: CHARACTER models with more Wounds are not screened. lookout_screen: models of a unit that screens.
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
    """Deadly Demise (attack.deadly-demise): the lowest die for it, how far it reaches in inches, and whether it harms only the closest
    enemy unit in reach, not every unit."""

    needed: int
    reach: float
    closest_enemy: bool = False


@dataclass(frozen=True)
class Charging:
    """Charges.

    Attributes:
        reach: how near a target has to be, in inches (charge.eligible, charge.targets).
        sought: the most models of a unit of which all places together are looked through before its charge fails (``fight.charge_ends``), 0:
            a charge fails where the first places that will do lead to no end.
    """

    reach: float
    sought: int = 0


@dataclass(frozen=True)
class Intervening:
    """Heroic Interventions, in inches (charge.heroic-intervention).

    Attributes:
        reach, vertical: an enemy model is that near, horizontally and vertically; vertical below 0: in a straight line.
        move: of each model of the unit, a whole number.
        engaged: whether units within Engagement Range make them too.
        of_models: whether CHARACTER models make them, each for itself, not CHARACTER units.
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
        to_markers: who cannot consolidate towards enemies does so towards the closest objective marker (fight.consolidate.objective).
        rank: inches between models that fight from behind each other, 0: their bases touch (fight.which-models).
    """

    pile_in: float
    consolidate: float
    to_markers: bool
    rank: float


@dataclass(frozen=True)
class Guidelines:
    """Guidelines for battlefields on which the players place the terrain, in inches (terrain.layout-guidelines).

    Attributes:
        lane: left free along every edge. gap: left free between features that models have to walk round.
        middle: how near to the centre the first feature that blocks visibility lies.
        board: a battlefield is made of boards of about this size.
        from_parts: from a marker to impassable parts of terrain (objective.on-terrain).
        each: the fewest and the most features that a board has where a battlefield is drawn, each feature wholly on one board; ``None``: any
            number that covers enough of the table, with a Ruin across its middle.
        to_centre: whether distances of markers are measured to their centres, and the least distance is one that is allowed.
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
    """How many D6 are added up for a roll.

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

    What plans and observations count on is worked out from them (``questions.chances``), so an edition with another number has
    ``dataclasses.replace`` of this object.

    Attributes:
        core_rules: numbers and switches by name, which a mission or a group overrides.
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
