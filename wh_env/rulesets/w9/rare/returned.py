"""Destroyed models that a rule returns to their unit (w9.rare.resurrected.*)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import INT_HIGH, bits
from wh_env.core.procedures import GO, STEP, integer
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.w40k.attack.casualties import refresh_unit
from wh_env.rulesets.w40k.codes import CAME_BACK
from wh_env.rulesets.w40k.deploy.places import RETURNED
from wh_env.rulesets.w40k.deploy.setting_up import PlaceModels, grid_at, mark_spots
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.questions.engagements import engagements
from wh_env.rulesets.w40k.questions.move_limits import CHARGE
from wh_env.rulesets.w40k.questions.strength import living


def return_models(g: BattleCore, owner: int, unit: int, amount: int) -> None:
    """The effect of a rule: up to ``amount`` destroyed models come back to the unit with all their Wounds."""
    return_with(g, unit, amount, lambda: INT_HIGH)


def return_with_one_wound(g: BattleCore, owner: int, unit: int, amount: int) -> None:
    """The effect of a rule: up to ``amount`` destroyed models come back to the unit, each with 1 Wound left."""
    return_with(g, unit, amount, lambda: 1)


def return_with_some_wounds(g: BattleCore, owner: int, unit: int, amount: int) -> None:
    """The effect of a rule: up to ``amount`` destroyed models come back to the unit, each with D3 Wounds left."""
    return_with(g, unit, amount, lambda: g.roll(1, 3))


def return_with(g: BattleCore, unit: int, amount: int, wounds: Callable[[], int]) -> None:
    """Up to ``amount`` destroyed models come back to a unit that has models on the battlefield, each with ``wounds()``
    Wounds but no more than its maximum. The unit never exceeds its Starting Strength (w9.rare.resurrected.set-up).
    """
    u, m = g.units, g.models
    if u.place[unit] != ON_TABLE or not any(True for _ in g.members(unit)):
        return
    first, back = u.first[unit], 0
    for k in range(first, first + u.count[unit]):
        if amount > 0 and not m.alive[k] and m.unit[k] == unit and u.alive[unit] < u.strength[unit]:
            amount -= 1
            back |= 1 << k - first
            bring_back(g, k, wounds())
    if back:
        g.push(ReturnModels, unit, 0, -1, 0, 0, back)
        u.reserve[unit] = RETURNED


def bring_back(g: BattleCore, model: int, wounds: int) -> None:
    """A destroyed model is part of its unit again, with ``wounds`` Wounds but no more than its maximum. In this phase
    it counts as having lost no Wounds and as having had no attack allocated to it (w9.rare.resurrected.fresh).
    """
    m = g.models
    m.alive[model], m.wounds[model], m.allocated[model] = 1, min(wounds, m.max_wounds[model]), 0
    m.flags[model] |= CAME_BACK
    g.units.alive[m.unit[model]] += 1


class ReturnModels(PlaceModels):
    """The returning models are set up one after the other. A model for which there is no room stays destroyed
    (w9.rare.resurrected.set-up).
    """

    BACK = integer(bits(INT_HIGH))  # bits of the models that come back, by place in the unit
    asks = ("place-facing", "place-level", "place-model", "place-exactly")

    def advance(self, g: BattleCore, f: int) -> int:
        stack, m = g.stack, g.models
        if stack[f + STEP] != ReturnModels.Step.NEXT:
            return super().advance(g, f)
        unit = stack[f + ReturnModels.UNIT]
        model = next((k for k in living(g, unit) if not m.on_table[k]), -1)
        if model < 0:
            g.units.reserve[unit] = 0
            refresh_unit(g, unit)
            return g.pop()
        if self.is_next(g, f, model):
            g.note("w9.rare.resurrected.set-up", "model returns", unit=unit, model=model)
        else:
            m.alive[model] = m.wounds[model] = 0
            g.units.alive[unit] -= 1
        return GO

    def mark(self, g: BattleCore, f: int, angle: int, level: int, inner: bool, cells: Array) -> int:
        """Mark the cells in coherency with models that were on the battlefield before; Engagement Range of an enemy is
        allowed only if the unit is already engaged with it. Returns how many.
        """
        unit, m = g.stack[f + ReturnModels.UNIT], g.models
        before, others = self.standing(g, f)
        wanted = 2 if sum(1 for _ in living(g, unit)) >= edition(g).measures.large_unit else 1
        targets = engagements(g)[unit].astype(np.int32)
        limits = g.work.limits[CHARGE, True]
        window = np.array(grid_at(g, f, inner, angle))
        for k in others:
            m.on_table[k] = 0
        needed = min(wanted, len(before))
        found = mark_spots(g, f, angle, level, window, cells, limits, targets, needed)
        for k in others:
            m.on_table[k] = 1
        if not others or not found:
            return found
        # the place must also be free of the models that have come back along with this one
        apart = np.zeros_like(cells)
        mark_spots(g, f, angle, level, window, apart, limits, targets, needed)
        cells &= apart
        return int(cells.sum())

    def standing(self, g: BattleCore, f: int) -> tuple[list[int], list[int]]:
        """(before, back): models of the unit on the battlefield that were there before, and those that have come
        back.
        """
        unit, back = g.stack[f + ReturnModels.UNIT], g.stack[f + ReturnModels.BACK]
        rows, first = list(g.members(unit)), g.units.first[unit]
        own = range(first, first + g.units.count[unit])
        others = [k for k in rows if k in own and back >> k - first & 1]
        return [k for k in rows if k not in others], others
