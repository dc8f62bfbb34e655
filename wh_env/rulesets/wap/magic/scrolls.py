"""Items that act on the spell that is being cast: their bearer says so, and they act until the spell is over. Scrolls
take the place of an attempt to dispel it (wap.item.arcane.replaces-dispel).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.carried import Moment, Use, item_at, items_of
from wh_env.rulesets.wap.basics.forms import as_it_is
from wh_env.rulesets.wap.casualties.harm import Wounds
from wh_env.rulesets.wap.casualties.removing import strike_down
from wh_env.rulesets.wap.codes import FRONT, INNATE
from wh_env.rulesets.wap.magic.in_play import forget_spell
from wh_env.rulesets.wap.magic.shares import gain_dice
from wh_env.rulesets.wap.magic.spells import Casting
from wh_env.rulesets.wap.magic.targets import model_of
from wh_env.rulesets.wap.magic.wizards import is_there
from wh_env.rulesets.wap.morale.panic_causes import NOBODY
from wh_env.rulesets.wap.shooting.hits import harm_to, saves_again
from wh_env.rulesets.wap.weapons.hit import AUTOMATIC, FROM_AFAR, Hit

OF_ITEM_ALONE = Hit(0, ignores_armour=True, nature=AUTOMATIC | FROM_AFAR["direct damage"])  # no damage of a spell


def hurt(g: BattleCore, k: int, unit: int, number: int) -> None:
    """The item of row ``k`` costs a wizard so many Wounds, without armour saves."""
    model = model_of(g, unit)
    harm = harm_to(g, unit, Wounds(number, 0, 0, ()), OF_ITEM_ALONE, FRONT, 0)
    lost = min(g.models.wounds[model], harm.lost)
    if lost and not saves_again(g, unit, harm, NOBODY):
        g.note(item_at(g, k).rule, "costs wounds", unit=unit, name=item_at(g, k).name, amount=lost)
        strike_down(g, model, lost)


@dataclass(frozen=True)
class OfSpell(Use):
    """It acts on the spell that is being cast, until that is over.

    Attributes:
        doubles: doubles but those of 1 count as a 6 for Ultimate Power. gives: it gives dice to the spell.
        misleads: the spell acts on its new target wherever that is.
    """

    doubles: ClassVar[bool] = False
    gives: ClassVar[bool] = False
    misleads: ClassVar[bool] = False

    def act(self, g: BattleCore, k: int) -> None:
        g.items.charge[k] = int(self.moment is not Moment.SPELL_IN_PLAY)

    def after(self, g: BattleCore, k: int, casting: Casting, rolled: int) -> None:
        """Called when the spell is over: it was resolved, dispelled or not cast. ``rolled``: dice that cast it."""


@dataclass(frozen=True)
class Scroll(OfSpell):
    """It takes the place of an attempt to dispel the spell, and lets it be cast unless it dispels it itself.

    Attributes:
        free_dice: with so many dice its bearer tries to dispel the spell.
    """

    free_dice: int = 0

    def may(self, g: BattleCore, k: int) -> bool:
        """Who has lost concentration in dispelling cannot try to dispel (wap.magic.dispel.lost-concentration)."""
        return not (self.free_dice and g.wizards.cannot_dispel[g.items.unit[k]])


SPENT_WELL = 15.0  # points that a spell must cost so that greedy play uses a scroll against it


@dataclass(frozen=True)
class Destroys(Scroll):
    """It dispels, and the enemy wizard may forget the spell (wap.item.arcane.spell-destroyer-scroll). ``on``: the least
    roll that makes him forget it.
    """

    on: int = 4

    def after(self, g: BattleCore, k: int, casting: Casting, rolled: int) -> None:
        die, rule = g.d6(), item_at(g, k).rule
        lost = die >= self.on and g.spellbook.source[casting.row] != INNATE
        told = {"unit": casting.caster, "name": casting.spell.name, "die": die, "needed": self.on}
        g.note(rule, "may destroy a spell", result=int(lost), **told)
        if lost:
            forget_spell(g, casting.row, rule)


@dataclass(frozen=True)
class Rebounds(Scroll):
    """For each die that cast the spell a die is rolled; each ``on`` or more costs the caster a Wound
    (wap.item.arcane.feedback-scroll). Who has taken another form suffers them in it.
    """

    on: int = 5

    def after(self, g: BattleCore, k: int, casting: Casting, rolled: int) -> None:
        caster = as_it_is(g, casting.caster)
        if not is_there(g, caster):
            return
        dice = tuple(g.d6() for _ in range(rolled))
        number = sum(die >= self.on for die in dice)
        told = {"unit": caster, "rolls": dice, "needed": self.on, "amount": number}
        g.note(item_at(g, k).rule, "rebounds", **told)
        if number:
            hurt(g, k, caster, number)


@dataclass(frozen=True)
class Leeches(Scroll):
    """As many dice as cast the spell come to the pool of the bearer's player (wap.item.arcane.scroll-of-leeching)."""

    def after(self, g: BattleCore, k: int, casting: Casting, rolled: int) -> None:
        unit = g.items.unit[k]
        gain_dice(g, unit, rolled)
        g.note(item_at(g, k).rule, "gains dice", unit=unit, name=item_at(g, k).name, amount=rolled)


def rows_on_spell(g: BattleCore) -> list[tuple[int, OfSpell]]:
    """Rows of the items that act on the spell that is being cast, each with what it does."""
    rows = [k for k, charge in enumerate(g.items.charge) if charge] if items_of(g) else []
    return [(k, use) for k in rows for use in item_at(g, k).uses[:1] if isinstance(use, OfSpell)]


def dice_given(g: BattleCore, unit: int) -> int:
    """The dice that items give to the spell that a unit is casting, besides those of the pool."""
    return sum(g.items.charge[k] for k, use in rows_on_spell(g) if use.gives and g.items.unit[k] == unit)


def counts_doubles(g: BattleCore) -> bool:
    """Whether doubles count as a 6 for the spell that is being cast."""
    return any(use.doubles for _, use in rows_on_spell(g))


def is_misled(g: BattleCore) -> bool:
    """Whether the spell that is being cast has gone astray."""
    return any(use.misleads for _, use in rows_on_spell(g))


def spell_is_over(g: BattleCore, casting: Casting, rolled: int) -> None:
    """Let the items that act on a spell do what is left to do after it. ``rolled``: dice that cast it."""
    for k, use in rows_on_spell(g):
        g.items.charge[k] = 0
        use.after(g, k, casting, rolled)
