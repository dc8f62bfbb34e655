"""Spells with templates and lines: the models that they touch, and what these suffer (wap.core.template.*,
wap.magic.type.direct-damage.template).

Hits fall as those of other templates do: comrades of a character take his, a swarm takes several, and so does a
garrison (``shooting.templates``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import atan2, hypot

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS
from wh_env.rulesets.wap.basics.characteristic_tests import characteristic_test
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.basics.dice import rolled_number
from wh_env.rulesets.wap.basics.garrisons import is_inside
from wh_env.rulesets.wap.basics.joined import host_of
from wh_env.rulesets.wap.basics.scatter import scatter_die
from wh_env.rulesets.wap.casualties.harm import UNHARMED, Harm, Wounds
from wh_env.rulesets.wap.casualties.losses import losses_of, order_of_loss, wounds_of
from wh_env.rulesets.wap.codes import SPELLBOUND
from wh_env.rulesets.wap.magic.deeds import hit_of, side_of, strike
from wh_env.rulesets.wap.magic.places import (
    Line,
    bases_in,
    gaps_from_line,
    length_of,
    line_from,
    place_of,
    radius_of,
)
from wh_env.rulesets.wap.magic.spells import Casting, Deed, lore_of
from wh_env.rulesets.wap.magic.targets import model_of
from wh_env.rulesets.wap.morale.panic_causes import NOBODY, alarm
from wh_env.rulesets.wap.shooting.cannonballs import BIG, free_way, is_slain_by, on_the_way
from wh_env.rulesets.wap.shooting.hits import harm_to, lose
from wh_env.rulesets.wap.shooting.templates import beneath_disc, touched_by_magic
from wh_env.rulesets.wap.shooting.templates_on_buildings import as_templates_meet
from wh_env.rulesets.wap.weapons.hit import Hit, Number

NO_ROLL = 0  # what is needed to wound: nothing


@dataclass(frozen=True)
class Ordeal:
    """What a model suffers that a template touches.

    Attributes:
        hit: that it takes. test: the characteristic whose test spares it; "": it may not test.
        wounds: it suffers a wound at once, with no roll to wound.
        frightens: a unit that loses a model takes a Panic test.
    """

    hit: Hit
    test: str = ""
    wounds: bool = False
    frightens: bool = False

    def takers(self, g: BattleCore, casting: Casting, model: int) -> dict[int, int]:
        """The units that suffer for a model, each with how many times: for each hit that its tests do not spare it."""
        found = touched_by_magic(g, model)
        if self.test:
            for row, number in found.items():
                line = g.models.line[model] if row == g.models.unit[model] else g.units.first_line[row]
                found[row] = sum(not characteristic_test(g, line, self.test, casting.spell.rule) for _ in range(number))
        return found

    def befall(self, g: BattleCore, casting: Casting, models: Iterable[int]) -> None:
        """Let models suffer, all at once; characters in units last."""
        found = Counter[int]()
        for model in models:
            found.update(self.takers(g, casting, model))
        for row in sorted(found, key=lambda row: (host_of(g, row) >= 0, row)):
            block = block_of(g, row)
            if self.wounds:
                fallen = wound(g, casting, row, found[row], self.hit)
            else:
                fallen = strike(g, casting, row, found[row], self.hit, shared=False)
            if fallen and self.frightens:
                alarm(g, block, SPELLBOUND)


def wound(g: BattleCore, casting: Casting, unit: int, number: int, hit: Hit) -> int:
    """A unit suffers wounds of a spell with no roll to wound. Returns how many models fall. To the attribute of the
    lore these count with all their Wounds, also those lost before (wap.lore.death.attribute-life-leeching).
    """
    if number <= 0:
        return 0
    spell = casting.spell
    if g.recorder is not None:
        g.note(spell.rule, "spell wounds", unit=casting.caster, target=unit, name=spell.name, amount=number)
    harm = harm_to(g, unit, Wounds(number, 0, NO_ROLL, ()), hit_of(g, spell, hit), side_of(g, casting, unit), 0)
    lost = min(wounds_of(g, unit), harm.lost)
    if not lost:
        return 0
    m, fallen = g.models, losses_of(g, unit, lost)
    before = sum(max(0, m.max_wounds[k] - m.wounds[k]) for k in order_of_loss(g, unit)[:fallen])
    lose(g, unit, harm, block_of(g, casting.caster))
    lore_of(g, spell).attribute.has_wounded(g, casting, lost + before)
    return fallen


# ---------------------------------------------------------------- round templates


def touched_on_way(g: BattleCore, x: float, y: float, to: tuple[float, float], radius: float) -> list[int]:
    """The models that a round template touches anywhere on its way from (x, y) straight on ``to`` a place."""
    line = Line(x, y, atan2(to[1] - y, to[0] - x), hypot(to[0] - x, to[1] - y))
    models = as_templates_meet(g)
    rows = np.flatnonzero(models["on_table"])
    found: list[int] = rows[gaps_from_line(bases_in(models, rows.tolist()), line) <= radius + EPS].tolist()
    return found


@dataclass(frozen=True)
class Strikes(Deed):
    """The models beneath the round template of the spell suffer (wap.lore.fire.flame-storm,
    wap.lore.shadow.pit-of-shades).

    Attributes:
        ordeal: what they suffer. scatter: inches that the template scatters. swept: all models between the place where
            it was laid and that where it comes to lie suffer too.
    """

    ordeal: Ordeal
    scatter: Number
    swept: bool = False

    @property
    def once(self) -> bool:
        return True

    def act(self, g: BattleCore, casting: Casting, unit: int) -> None:
        version = casting.spell.versions[casting.version]
        x, y = place_of(g, casting)
        die, far = scatter_die(g, casting.player), rolled_number(g, self.scatter)
        to = die.scattered(x, y, far)
        radius = radius_of(version)
        models = touched_on_way(g, x, y, to, radius) if self.swept else beneath_disc(g, *to, radius)
        if g.recorder is not None:
            told = {"place": to, "passed": die.hit, "far": 0.0 if die.hit else float(far), "amount": len(models)}
            g.note(casting.spell.rule, "template comes to lie", unit=casting.caster, name=casting.spell.name, **told)
        self.ordeal.befall(g, casting, models)


# ---------------------------------------------------------------- lines


@dataclass(frozen=True)
class StrikesAlong(Deed):
    """The models on the line of the spell suffer, never more than one of each rank, or of each file of a unit in whose
    flank the wizard stands (wap.core.template.line, wap.lore.fire.burning-head, wap.lore.shadow.penumbral-pendulum).

    Attributes:
        ordeal: what they suffer. bounces: they suffer as from the bounce of a cannonball, one after the other, until a
            large model survives its hit or ground stops the line (wap.machine.cannon.bounce, .stopped-by-big).
    """

    ordeal: Ordeal
    bounces: bool = False

    @property
    def once(self) -> bool:
        return True

    def act(self, g: BattleCore, casting: Casting, unit: int) -> None:
        wizard = casting.caster
        line = line_from(g, wizard, casting.place, length_of(casting.spell.versions[casting.version]))
        far = line.length
        if self.bounces:
            ground = g.setup.statics["ground"]
            far = float(g.work.call(free_way, ground, g.setup.corners, line.x, line.y, line.facing, far))
        models = on_the_way(g, wizard, line.x, line.y, line.facing, far, NOBODY)
        models = [k for k in models if not is_own(g, wizard, k)]
        if g.recorder is not None:
            told = {"place": line.end, "far": far, "amount": len(models)}
            g.note(casting.spell.rule, "line goes on", unit=wizard, name=casting.spell.name, **told)
        if self.bounces:
            befall_in_turn(g, casting, self.ordeal, models)
        else:
            self.ordeal.befall(g, casting, models)


def is_own(g: BattleCore, wizard: int, model: int) -> bool:
    """Whether a model is that of a wizard, or of the garrison that he is in."""
    block = block_of(g, wizard)
    return model == model_of(g, wizard) or (is_inside(g, block) and block_of(g, g.models.unit[model]) == block)


def befall_in_turn(g: BattleCore, casting: Casting, ordeal: Ordeal, models: Iterable[int]) -> None:
    """Let models suffer one after the other, until a large one survives its hit."""
    kind, by = hit_of(g, casting.spell, ordeal.hit), block_of(g, casting.caster)
    lost, sides = dict[int, Harm](), dict[int, int]()
    for model in models:
        stands = False
        for row, number in ordeal.takers(g, casting, model).items():
            if not number:
                continue
            number = lore_of(g, casting.spell).attribute.hits_on(g, casting, row, number)
            side = sides.setdefault(row, side_of(g, casting, row))
            lost.setdefault(row, UNHARMED)
            if g.recorder is not None:
                told = {"target": row, "model": model, "amount": number}
                g.note(casting.spell.rule, "spell hits", unit=casting.caster, name=casting.spell.name, **told)
            stands = not is_slain_by(g, row, number, kind, side, by, lost)
        if stands and g.units.kind[g.models.unit[model]] in BIG:
            g.note("wap.machine.cannon.stopped-by-big", "stops the spell", unit=row, model=model)
            break
    for row in sorted(lost, key=lambda other: (host_of(g, other) >= 0, other)):
        lose(g, row, lost[row], by)
