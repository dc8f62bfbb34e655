"""Magical vortices: where they are placed, how they move, and where they come to lie (wap.magic.type.vortex.*).

A vortex is a row of the table ``omens`` with a radius. Its spell says what it does to the models that it touches, how
it moves when it is cast, and how it moves at the end of each later Magic phase.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, sin, tau

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import amount, between, count_of, flag, row_of
from wh_env.core.geometry.shapes import EPS
from wh_env.core.procedures import GO, STEP, DecisionKind, Procedure, Steps, integer
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.dice import rolled_number
from wh_env.rulesets.wap.basics.marks import put_mark, vortices
from wh_env.rulesets.wap.basics.scatter import DIRECTIONS, MISFIRE, artillery_die, scatter_die, step_of
from wh_env.rulesets.wap.battle.victory import finish_if_left
from wh_env.rulesets.wap.magic.comets import casting_of, deed_of
from wh_env.rulesets.wap.magic.deeds_templates import Ordeal, is_own, touched_on_way
from wh_env.rulesets.wap.magic.in_play import end_spell
from wh_env.rulesets.wap.magic.places import Bases, bases_of, radius_of
from wh_env.rulesets.wap.magic.sides import who_aims
from wh_env.rulesets.wap.magic.spells import Casting, Deed, Version
from wh_env.rulesets.wap.magic.targets import model_of
from wh_env.rulesets.wap.magic.vortex_places import HALVINGS, place_at, places_for
from wh_env.rulesets.wap.magic.wizards import known_rows, spell_at
from wh_env.rulesets.wap.morale.panic_causes import is_due
from wh_env.rulesets.wap.panic.panic import Panic
from wh_env.rulesets.wap.ways.poses import degrees
from wh_env.rulesets.wap.weapons.hit import Number

BEYOND = 1.0  # inches from a unit on which it would come to lie
FINE = 4096  # steps of a way on which it is sought first


@dataclass(frozen=True)
class Vortex(Deed):
    """A vortex is placed beside the wizard and moves.

    Attributes:
        ordeal: what the models suffer that it touches. times: inches that it moves for each one that the artillery die
            shows. strays: inches that it moves from the wizard at random on a misfire.
    """

    ordeal: Ordeal
    times: int
    strays: Number

    @property
    def once(self) -> bool:
        return True

    @property
    def leaves_mark(self) -> bool:
        return True

    def act(self, g: BattleCore, casting: Casting, unit: int) -> None:
        if any(True for _ in places_for(g, casting.caster, casting.spell.versions[casting.version])):
            g.push(LaunchVortex, casting.caster, casting.row, casting.version)

    def touched(self, g: BattleCore, k: int, models: Sequence[int]) -> None:
        self.ordeal.befall(g, casting_of(g, k), models)


class LaunchVortex(Procedure):
    """The player of a wizard places a vortex and says which way it moves (wap.magic.type.vortex)."""

    class Step(Steps):
        PLACE, WAY = range(2)

    UNIT = integer(row_of("units"))
    ROW = integer(count_of("spellbook"))
    VERSION = integer(amount())
    PLACE = integer(between(0, "angles"))  # slot of the angle at which it is placed
    asks = ("vortex-place", "vortex-way")

    def fits(self, g: BattleCore, f: int) -> bool:
        """Whether the unit knows the spell in that version, and there is a place for it."""
        stack = g.stack
        unit, row = stack[f + LaunchVortex.UNIT], stack[f + LaunchVortex.ROW]
        if row not in known_rows(g, unit):
            return False
        versions, version = spell_at(g, row).versions, stack[f + LaunchVortex.VERSION]
        return version < len(versions) and any(True for _ in places_for(g, unit, versions[version]))

    def advance(self, g: BattleCore, f: int) -> int:
        unit = g.stack[f + LaunchVortex.UNIT]
        kind = VortexPlace if g.stack[f + STEP] == LaunchVortex.Step.PLACE else VortexWay
        return g.ask(kind, who_aims(g, unit), unit)

    @staticmethod
    def version(g: BattleCore, f: int) -> Version:
        """The version of the spell."""
        versions = spell_at(g, g.stack[f + LaunchVortex.ROW]).versions
        return versions[int(g.stack[f + LaunchVortex.VERSION])]

    @staticmethod
    def go(g: BattleCore, f: int, slot: int) -> None:
        """The vortex is on the table and moves; on a misfire it goes astray from the wizard himself."""
        stack = g.stack
        unit, row, version = (stack[f + at] for at in (LaunchVortex.UNIT, LaunchVortex.ROW, LaunchVortex.VERSION))
        radius = radius_of(LaunchVortex.version(g, f))
        x, y = place_at(g, unit, radius, stack[f + LaunchVortex.PLACE])
        g.pop()
        k = put_mark(g, row, version, x, y, radius)
        deed, die = deed_of(g, k), artillery_die(g)
        assert isinstance(deed, Vortex)
        if die != MISFIRE:
            g.push(MoveVortex, k, slot * DIRECTIONS // g.setup.space.angles, die * deed.times, 1)
            return
        model = model_of(g, unit)
        g.omens.x[k], g.omens.y[k] = g.models.x[model], g.models.y[model]
        way = step_of(scatter_die(g, g.units.owner[unit]).direction)
        g.push(MoveVortex, k, way, rolled_number(g, deed.strays))


class VortexPlace(DecisionKind):
    name = "vortex-place"
    what = "Where at the front of the wizard's base a vortex is placed."
    policy = "As straight ahead as may be."
    keys = ("wap.magic.type.vortex",)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for slot in places_for(g, g.stack[f + LaunchVortex.UNIT], LaunchVortex.version(g, f)):
            mask[g.setup.space.angle + slot] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        g.stack[f + LaunchVortex.PLACE] = action - g.setup.space.angle
        g.stack[f + STEP] = LaunchVortex.Step.WAY

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        unit, angles = g.stack[f + LaunchVortex.UNIT], g.setup.space.angles
        facing = g.models.facing[model_of(g, unit)]
        found = places_for(g, unit, LaunchVortex.version(g, f))
        return int(g.setup.space.angle + max(found, key=lambda slot: cos(slot * tau / angles - facing)))

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        slot = action - g.setup.space.angle
        unit = g.stack[f + LaunchVortex.UNIT]
        x, y = place_at(g, unit, radius_of(LaunchVortex.version(g, f)), slot)
        return f"the vortex at {x:.1f}, {y:.1f}"


class VortexWay(DecisionKind):
    name = "vortex-way"
    what = "In which direction a vortex moves when it is cast."
    policy = "The one in which the wizard looks."
    keys = ("wap.lore.death.purple-sun-of-xereus", "wap.magic.type.vortex")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for slot in range(g.setup.space.angles):
            mask[g.setup.space.angle + slot] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        LaunchVortex.go(g, f, action - g.setup.space.angle)

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        space, facing = g.setup.space, g.models.facing[model_of(g, g.stack[f + LaunchVortex.UNIT])]
        return int(space.angle + round(facing * space.angles / tau) % space.angles)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        slot = action - g.setup.space.angle
        return f"the vortex goes at {degrees(slot * tau / g.setup.space.angles)} degrees"


# ---------------------------------------------------------------- moving


class MoveVortex(Procedure):
    """A vortex moves straight on: the models that it touches suffer, then it comes to lie."""

    class Step(Steps):
        MOVE, SETTLE = range(2)

    MARK = integer(row_of("omens"))
    WAY = integer(between(0, DIRECTIONS))
    FAR = integer(amount())
    PASSES = integer(flag())  # it was just placed in contact with its caster, and passes him by

    def advance(self, g: BattleCore, f: int) -> int:
        stack = g.stack
        fields = (MoveVortex.MARK, MoveVortex.WAY, MoveVortex.FAR, MoveVortex.PASSES)
        k, way, far, passes = (stack[f + at] for at in fields)
        if k not in vortices(g):  # its caster has fallen to it
            return g.pop()
        if stack[f + STEP] == MoveVortex.Step.MOVE:
            stack[f + STEP] = MoveVortex.Step.SETTLE
            sweep(g, k, way * tau / DIRECTIONS, float(far), spared=passes)
            return GO
        g.pop()
        settle(g, k, way * tau / DIRECTIONS)
        return GO


def sweep(g: BattleCore, k: int, direction: float, far: float, *, spared: int) -> None:
    """A vortex goes ``far`` inches in a direction; each model that it touches suffers once
    (wap.magic.type.vortex.persists). ``spared``: its caster does not, nor the garrison that he is in.
    """
    m, casting, deed = g.omens, casting_of(g, k), deed_of(g, k)
    x, y = m.x[k], m.y[k]
    to = x + far * cos(direction), y + far * sin(direction)
    models = touched_on_way(g, x, y, to, m.radius[k])
    if spared:
        models = [model for model in models if not is_own(g, casting.caster, model)]
    m.x[k], m.y[k] = to
    if g.recorder is not None:
        told = {
            "name": casting.spell.name,
            "far": far,
            "facing": degrees(direction),
            "place": to,
            "amount": len(models),
        }
        g.note("wap.magic.type.vortex.persists", "vortex moves", player=casting.player, **told)
    if isinstance(deed, Vortex):
        deed.ordeal.befall(g, casting, models)


def settle(g: BattleCore, k: int, direction: float) -> None:
    """A vortex has stopped. If it lies on a unit it is put an inch beyond that, sparing those between; off the table it
    is removed (wap.magic.type.vortex.ends-on-unit, .persists).
    """
    m, u = g.omens, g.units
    for _ in range(len(u.owner)):
        x, y = np.array([m.x[k]]), np.array([m.y[k]])
        there = (unit for unit in range(len(u.owner)) if u.place[unit] == ON_TABLE)
        under = next((unit for unit in there if bases_of(g, unit).gaps(x, y).min() <= m.radius[k] + EPS), -1)
        if under < 0:
            break
        far = beyond(
            bases_of(g, under), m.x[k], m.y[k], direction, m.radius[k] + BEYOND, g.setup.length + g.setup.width
        )
        m.x[k] += far * cos(direction)
        m.y[k] += far * sin(direction)
        if g.recorder is not None:
            g.note("wap.magic.type.vortex.ends-on-unit", "vortex is put beyond", unit=under, place=(m.x[k], m.y[k]))
    if not (0.0 <= m.x[k] <= g.setup.length and 0.0 <= m.y[k] <= g.setup.width):
        end_spell(g, m.row[k] - 1, "wap.magic.type.vortex.persists")


def beyond(bases: Bases, x: float, y: float, direction: float, gap: float, most: float) -> float:
    """Inches that a point must go from (x, y) in a direction to be, from there on, at least ``gap`` from rectangles;
    ``most``: more than the size of the table.
    """
    steps = np.linspace(0.0, most, FINE)
    gaps = bases.gaps(x + steps * cos(direction), y + steps * sin(direction)).min(axis=0)
    near = np.flatnonzero(gaps < gap)
    if not len(near):
        return 0.0
    low, high = float(steps[near[-1]]), float(steps[min(near[-1] + 1, FINE - 1)])
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        at = np.array([x + middle * cos(direction)]), np.array([y + middle * sin(direction)])
        low, high = (middle, high) if bases.gaps(*at).min() < gap else (low, middle)
    return high


def drift(g: BattleCore, k: int) -> None:
    """A later Magic phase ends: a vortex moves at random, or collapses (wap.magic.type.vortex.persists,
    wap.lore.death.purple-sun-of-xereus.later-moves).
    """
    casting = casting_of(g, k)
    die = artillery_die(g)
    if die == MISFIRE:
        end_spell(g, casting.row, casting.spell.rule)
        return
    g.push(MoveVortex, k, step_of(scatter_die(g, casting.player).direction), die)


class Drifts(Procedure):
    """A Magic phase ends: each vortex that was not cast in it moves, one after the other."""

    MARK = integer(count_of("omens"))  # rows that are done

    def advance(self, g: BattleCore, f: int) -> int:
        if is_due(g):
            g.push(Panic)
            return GO
        if finish_if_left(g):
            return GO
        k = next((k for k in vortices(g) if k >= g.stack[f + Drifts.MARK]), -1)
        if k < 0:
            return g.pop()
        g.stack[f + Drifts.MARK] = k + 1
        if g.omens.fresh[k]:
            g.omens.fresh[k] = 0
        else:
            drift(g, k)
        return GO
