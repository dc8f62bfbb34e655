"""The numbers in which editions differ, by chapter of the rulebook. Here stands what they mean; how large they are says an edition.

What kernels read are rows of arrays: ``attack.rolls.ATTACK_RULES``, ``shoot.fire_rules.FIRE_RULES``, ``MOVE_LIMITS``.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Measures:
    """Distances between models and over terrain, in inches.

    Attributes:
        engagement, engagement_vertical: of Engagement Range (concepts.engagement-range).
        coherency, coherency_vertical: between models of a unit (concepts.coherency).
        large_unit: from so many models on each must have two others that near.
        low: terrain up to this height is moved over as if it were not there (move.terrain.low).
        on_marker: a model that ends no farther above or below an objective marker stands on it (objective.move-over).
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
        through_air: measured as a straight diagonal (move.fly.through-the-air).
        air_end, air_goal: whether it may end near AIRCRAFT, and has to go towards them.
        keep_away: inches from every enemy model that it ends beyond, 0: no such rule.
    """

    engage_path: int
    engage_end: int
    own: bool = False
    over_enemies: bool = False
    over_friends: bool = False
    over_big: bool = False
    big: int = 0
    through_air: bool = False
    air_end: bool = False
    air_goal: bool = False
    keep_away: float = 0.0


@dataclass(frozen=True)
class Aircraft:
    """AIRCRAFT.

    Attributes:
        least: inches of the straight move (aircraft.move.minimum).
        pivot: degrees that it turns by at most, either way (aircraft.move.pivot).
        hover: Move in Hover mode, in inches (aircraft.hover.effect).
    """

    least: float
    pivot: float
    hover: float


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
        first_round: battle round from which on they arrive.
        enemy_zone: battle round from which on they may stand in the enemy zone (reserves.place.round-3).
    """

    infiltrators: float
    deep_strike: float
    strategic: float
    edge: float
    first_round: int
    enemy_zone: int


@dataclass(frozen=True)
class Transports:
    """TRANSPORTS.

    Attributes:
        embark: inches from it at which a unit can embark (transport.embark).
        disembark: inches within which a unit is set up (transport.disembark.set-up).
        emergency: the same in an emergency (transport.emergency.distance).
        hurt: the highest die that costs a mortal wound when it is destroyed (transport.destroyed.rolls).
        emergency_hurt: the same in an emergency (transport.emergency.rolls).
        no_charge: codes of ``units.disembarked`` with which a unit may not charge (transport.disembark.after-normal).
    """

    embark: float
    disembark: float
    emergency: float
    hurt: int
    emergency_hurt: int
    no_charge: tuple[int, ...]


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
        lookout: inches within which other units screen CHARACTER models, 0: they do not (shoot.look-out-sir).
        lookout_wounds: CHARACTER models with more Wounds are not screened. lookout_screen: models of a unit that screens.
    """

    lone_range: float
    big_guns: int
    big_targets: int = 0
    fell_back: int = 0
    others_wait: bool = False
    engaged_as_unit: bool = False
    lookout: float = 0.0
    lookout_wounds: int = 0
    lookout_screen: int = 0


@dataclass(frozen=True)
class Demise:
    """Deadly Demise (attack.deadly-demise): the lowest die for it, and how far it reaches in inches."""

    needed: int
    reach: float


@dataclass(frozen=True)
class Charging:
    """Charges: how near a target has to be, in inches (charge.eligible, charge.targets)."""

    reach: float


@dataclass(frozen=True)
class Fighting:
    """Moves in the Fight phase, in inches (fight.pile-in, fight.consolidate)."""

    pile_in: float
    consolidate: float


@dataclass(frozen=True)
class Guidelines:
    """Guidelines for battlefields on which the players place the terrain, in inches (terrain.layout-guidelines).

    Attributes:
        lane: left free along every edge. gap: left free between features that models have to walk round.
        middle: how near to the centre the first feature that blocks visibility lies.
        board: a battlefield is made of boards of about this size.
        from_parts: from a marker to impassable parts of terrain (objective.on-terrain).
    """

    lane: float
    gap: float
    middle: float
    board: tuple[float, float]
    from_parts: float
