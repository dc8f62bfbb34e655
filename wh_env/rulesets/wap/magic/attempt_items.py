"""Items that act on an attempt to cast a spell, or on an enemy spell before it is resolved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.carried import item_at
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.basics.dice import rolled_number
from wh_env.rulesets.wap.basics.joined import models_in
from wh_env.rulesets.wap.basics.scatter import scatter_die
from wh_env.rulesets.wap.magic.casting import Cast, frame_of_cast
from wh_env.rulesets.wap.magic.may_cast import most_of
from wh_env.rulesets.wap.magic.scrolls import OfSpell, dice_given
from wh_env.rulesets.wap.magic.spells import Aim
from wh_env.rulesets.wap.shooting.templates import beneath_disc
from wh_env.rulesets.wap.weapons.hit import Number

POINT = 1e-6  # inches: the radius of what stands on a point


@dataclass(frozen=True)
class OfAttempt(OfSpell):
    """It acts on the spell that its bearer is about to roll for."""

    def may(self, g: BattleCore, k: int) -> bool:
        f = frame_of_cast(g, g.frame)
        return f >= 0 and Cast.casting(g, f).caster == g.items.unit[k]

    def worth(self, g: BattleCore, k: int) -> float:
        return 1.0


@dataclass(frozen=True)
class Doubles(OfAttempt):
    """All doubles but those of 1 count as a 6 for Ultimate Power (wap.item.arcane.power-scroll)."""

    doubles: ClassVar[bool] = True


@dataclass(frozen=True)
class GivesDice(OfAttempt):
    """It gives dice to the spell, which count among those that its bearer may use; at least one comes from the pool
    (wap.item.arcane.power-stone). ``dice``: how many, (dice, sides, plus).
    """

    dice: Number = (1, 3, 0)

    gives: ClassVar[bool] = True

    def act(self, g: BattleCore, k: int) -> None:
        f, unit = frame_of_cast(g, g.frame), g.items.unit[k]
        free = Cast.more_dice(g, f) - dice_given(g, unit)  # that of a bound spell
        most = most_of(g, unit, Cast.casting(g, f).row, free)
        g.items.charge[k] = min(rolled_number(g, self.dice), most - 1)
        g.note(item_at(g, k).rule, "gains dice", unit=unit, name=item_at(g, k).name, amount=g.items.charge[k])


@dataclass(frozen=True)
class AgainstTarget(OfSpell):
    """It acts on an enemy spell that is cast on one unit of its bearer's side, when that is about to be resolved."""

    def may(self, g: BattleCore, k: int) -> bool:
        f = frame_of_cast(g, g.frame)
        if f < 0:
            return False
        casting, player = Cast.casting(g, f), g.units.owner[g.items.unit[k]]
        version = casting.spell.versions[casting.version]
        aimed = casting.spell.aim is Aim.ENEMY and not version.everyone and casting.player != player
        return aimed and g.units.owner[casting.target] == player and g.units.place[casting.target] == ON_TABLE

    def worth(self, g: BattleCore, k: int) -> float:
        return 1.0


@dataclass(frozen=True)
class Blocks(AgainstTarget):
    """The spell has no effect; it counts as cast (wap.item.arcane.brags-mystic-shield)."""

    def act(self, g: BattleCore, k: int) -> None:
        Cast.fizzle(g, frame_of_cast(g, g.frame))


@dataclass(frozen=True)
class Misleads(AgainstTarget):
    """The spell goes astray: it acts on the unit that stands at the point to which it is moved, or on none
    (wap.item.arcane.mystic-maze). ``distance``: inches, (dice, sides, plus).
    """

    distance: Number = (3, 6, 0)

    misleads: ClassVar[bool] = True

    def may(self, g: BattleCore, k: int) -> bool:
        """A spell on a single model is not cast on a unit."""
        return super().may(g, k) and Cast.casting(g, frame_of_cast(g, g.frame)).spell.picks is None

    def act(self, g: BattleCore, k: int) -> None:
        f = frame_of_cast(g, g.frame)
        target = Cast.casting(g, f).target
        rows, m = models_in(g, target), g.models
        x, y = (float(np.mean([column[row] for row in rows])) for column in (m.x, m.y))
        inches = rolled_number(g, self.distance)
        spot = scatter_die(g, g.units.owner[g.items.unit[k]]).moved(x, y, inches)
        met = [block_of(g, m.unit[row]) for row in beneath_disc(g, *spot, POINT)]
        told = {"unit": target, "target": met[0] if met else -1, "name": item_at(g, k).name, "amount": inches}
        g.note(item_at(g, k).rule, "misleads", **told)
        if met:
            Cast.turn_on(g, f, met[0])
            g.items.charge[k] = 1
        else:
            Cast.fizzle(g, f)
