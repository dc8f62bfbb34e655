"""Positions that are asked something in the 8th and 9th editions (``number_probes``)."""

from __future__ import annotations

import numpy as np
from number_probes import FLYER, Answer, Scene, over_a_box, past_the_enemy, two

from wh_env.rulesets.w40k.charge.heroic import may_intervene
from wh_env.rulesets.w40k.charge.phase import free_to_charge
from wh_env.rulesets.w40k.codes import FROM_WRECK
from wh_env.rulesets.w40k.deploy.places import OWN_EDGE, cells_for
from wh_env.rulesets.w40k.fight.close_moves import consolidate, consolidation, intervene, pile_in
from wh_env.rulesets.w40k.questions.move_limits import PILE_IN
from wh_env.testing import sheet


def closer(kind: str) -> Answer:
    """Where a model 6" from the enemy ends its Pile-in or Consolidation."""
    battle = two(6.0, "fight", charged=1)
    moved = pile_in(battle, 0) if kind == PILE_IN else consolidate(battle, 0, consolidation(battle, 0))
    return moved, battle.models.y[0]


def intervening(gap: float, z: float = 0.0) -> Answer:
    """Whether a CHARACTER so far from an enemy may intervene, and where it ends."""
    battle = two(gap, "charge", z=z, keywords=("INFANTRY", "CHARACTER"))
    return may_intervene(battle, 0), intervene(battle, 0), battle.models.x[0], battle.models.y[0]


def at_the_own_edge() -> Answer:
    """Where Strategic Reserves can be set up along the own table edge with an enemy near it."""
    scene = Scene()
    scene.unit(0, sheet("Mine", base_mm=20), models=1, reserves="strategic")
    scene.unit(1, sheet("Foes"), at=(30, 6), models=1)
    battle = scene.battle(run=False, set_state=lambda b: b.clock.round.__setitem__(0, 2))
    marks = np.zeros(battle.setup.space.grid**2, np.bool_)
    return cells_for(battle, 0, marks, OWN_EDGE), marks.tobytes()


def over_low_terrain() -> Answer:
    """Where a unit can go with a box 1.5" high in its way."""
    return over_a_box(height=1.5)


def flight_past_enemies() -> Answer:
    """Where a unit that FLIES can go with enemies across its way."""
    return past_the_enemy(keywords=FLYER)


def out_of_a_wreck() -> Answer:
    """Whether a unit that has got out of a wreck may charge."""
    return free_to_charge(two(5.0, "charge", disembarked=FROM_WRECK), 0)
