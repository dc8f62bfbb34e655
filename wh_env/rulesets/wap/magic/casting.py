"""Casting: wizard, spell, target, dice, roll, version, the attempt to dispel it, effects, miscast
(wap.magic.phase.sequence, wap.magic.cast.*)."""

from __future__ import annotations

from collections.abc import Sequence

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import amount, count_of, flag, row_of
from wh_env.core.procedures import GO, STEP, ChooseUnit, DecisionKind, OfPlayer, Procedure, Steps, beneath, integer
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.by_magic import is_hindered
from wh_env.rulesets.wap.basics.carried import Moment
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.basics.dice import FACES
from wh_env.rulesets.wap.basics.ground import with_trait
from wh_env.rulesets.wap.battle.victory import finish_if_left
from wh_env.rulesets.wap.codes import OF_ITEM
from wh_env.rulesets.wap.items.windows import offer_items
from wh_env.rulesets.wap.magic.aiming import AimSpell
from wh_env.rulesets.wap.magic.decided_spells import AT_UNITS
from wh_env.rulesets.wap.magic.dispelling import FIRST_WIZARD, Dispel
from wh_env.rulesets.wap.magic.earthing import roll_miscast
from wh_env.rulesets.wap.magic.fate import Fate, packed
from wh_env.rulesets.wap.magic.holders import use_holder
from wh_env.rulesets.wap.magic.luck import Luck, item_for
from wh_env.rulesets.wap.magic.may_cast import (
    bonus_for,
    bonus_used,
    can_be_aimed,
    castable,
    dice_for,
    is_caster,
    lowered,
    reached_by,
    targets_for,
    who_casts,
)
from wh_env.rulesets.wap.magic.miscasts import ENEMY_CASTS, apply_miscast, bound_miscast, is_spared
from wh_env.rulesets.wap.magic.models import may_be_named
from wh_env.rulesets.wap.magic.naming import NameModel
from wh_env.rulesets.wap.magic.phase_items import is_dispelled
from wh_env.rulesets.wap.magic.roused_ground import rouse_ground
from wh_env.rulesets.wap.magic.scrolls import counts_doubles, dice_given, is_misled, spell_is_over
from wh_env.rulesets.wap.magic.shares import take_for_unit
from wh_env.rulesets.wap.magic.spell_dice import LEAST, Thrown, chance_of, chance_of_miscast, throw_spell_dice
from wh_env.rulesets.wap.magic.spells import AT_NO_UNIT, AT_PLACES, Aim, Casting, Deed, lore_of
from wh_env.rulesets.wap.magic.targets import acted_on, meant_by
from wh_env.rulesets.wap.magic.thrones import deeds_of
from wh_env.rulesets.wap.magic.wizards import is_bound, known_rows, rows_of, spell_at, spell_in_slot, spell_slot
from wh_env.rulesets.wap.morale.panic_causes import is_due
from wh_env.rulesets.wap.panic.panic import Panic

FREE_DIE = 0  # the option: the free die of a bound spell is used
SURE_ENOUGH = 0.6  # the chance at which the default answer takes no more dice


class Cast(Procedure):
    """A unit casts one of its spells. With a ``LIMIT`` it needs no dice (wap.magic.miscast.r4)."""

    class Step(Steps):
        SPELL, TARGET, PLACE, FREE, ITEMS, DICE, VERSION = range(7)
        DISPEL, TARGETED, RESOLVE, AFTER, OVER, MISCAST, APPLY = range(7, 14)

    UNIT = integer(row_of("units"))
    LIMIT = integer(amount())  # the highest base value of the spell, counted from 1; 0: it is cast with dice
    ROW = integer(count_of("spellbook"))  # counted from 1; 0: not chosen
    TARGET = integer(count_of("units"))  # counted from 1; 0: none
    FREE = integer(flag())  # the free die of a bound spell is used
    RESULT = integer(amount())  # of the dice; in the end that of the miscast table
    VERSION = integer(amount())
    ROLLED = integer(amount())  # dice, free ones included
    ONES = integer(amount())  # that show a 1
    DISPELLED = integer(amount())  # ``Dispel.BY`` of who has dispelled it; 0: nobody has
    DEED = integer(amount())  # of the version, the next to be done
    NEXT = integer(count_of("units"))  # the next unit that it may be done to
    MODEL = integer(count_of("models"))  # of the target, that alone is meant, counted from 1; 0: none
    PLACE = integer(amount())  # a cell or a direction (``magic.places``), counted from 1; 0: none
    asks = ("cast-spell", "spell-target", "bound-die", "spell-dice", "spell-version")

    def fits(self, g: BattleCore, f: int) -> bool:
        """Whether what was chosen so far is a spell that the unit knows, a target, and a version and a deed of the
        spell, as far as the step says that it was chosen.
        """
        stack, step, row = g.stack, g.stack[f + STEP], g.stack[f + Cast.ROW] - 1
        if step == Cast.Step.SPELL:
            return is_caster(g, stack[f + Cast.UNIT], stack[f + Cast.LIMIT])
        unit = stack[f + Cast.UNIT]
        if row not in (known_rows(g, unit) if step < Cast.Step.MISCAST else rows_of(g, unit)):
            return False
        if step == Cast.Step.TARGET:
            return can_be_aimed(g, unit, spell_at(g, row), boosted=not stack[f + Cast.LIMIT])
        versions, version = spell_at(g, row).versions, stack[f + Cast.VERSION]
        if not stack[f + Cast.TARGET] or version >= len(versions) or not Cast.fits_place(g, f):
            return False
        if step == Cast.Step.DICE:
            return g.spellbook.tried[row] > 0 or dice_for(g, unit, row, stack[f + Cast.FREE]) > 0
        if step == Cast.Step.VERSION:
            return bool(reached(g, f))
        return bool(stack[f + Cast.DEED] <= len(deeds_of(g, Cast.casting(g, f))))

    @staticmethod
    def fits_place(g: BattleCore, f: int) -> bool:
        """Whether a place was chosen if the spell needs one and is aimed, and is one of those that there are."""
        step, place, spell = g.stack[f + STEP], g.stack[f + Cast.PLACE], spell_at(g, g.stack[f + Cast.ROW] - 1)
        if spell.aim not in AT_PLACES:
            return bool(step != Cast.Step.PLACE and not place)
        most = g.setup.space.angles if spell.aim is Aim.WAY else g.setup.space.grid**2
        return bool(place <= most and (place > 0 or step == Cast.Step.PLACE))

    def advance(self, g: BattleCore, f: int) -> int:
        step = g.stack[f + STEP]
        if step != Cast.Step.RESOLVE:  # the whole spell is resolved before units panic and the miscast is rolled
            if is_due(g):
                g.push(Panic)
                return GO
            if finish_if_left(g):
                return GO
        if step <= Cast.Step.VERSION:
            return self.prepare(g, f, step)
        if step == Cast.Step.DISPEL:
            g.stack[f + STEP] = Cast.Step.TARGETED
            self.offer_dispel(g, f)
        elif step == Cast.Step.TARGETED:
            g.stack[f + STEP] = Cast.Step.RESOLVE
            if not g.stack[f + Cast.DISPELLED]:
                offer_items(g, 1 - g.units.owner[g.stack[f + Cast.UNIT]], Moment.TARGETED)
        elif step == Cast.Step.RESOLVE:
            if g.stack[f + Cast.DISPELLED]:
                g.stack[f + STEP] = Cast.Step.OVER
            elif not self.resolve_next(g, f):
                g.stack[f + STEP] = Cast.Step.AFTER
        elif step == Cast.Step.AFTER:
            g.stack[f + STEP] = Cast.Step.OVER
            casting = self.casting(g, f)
            lore_of(g, casting.spell).attribute.has_cast(g, casting)
            if with_trait(g, "harm"):
                rouse_ground(g, casting, Cast.acted_on(g, casting))
        elif step == Cast.Step.OVER:
            g.stack[f + STEP] = Cast.Step.MISCAST
            self.tell_items(g, f)
        elif step == Cast.Step.MISCAST:
            self.end(g, f)
        else:
            self.miscast(g, f)
        return GO

    @staticmethod
    def prepare(g: BattleCore, f: int, step: int) -> int:
        """Ask for what is to be chosen before the spell is cast, and for its version."""
        stack, unit = g.stack, g.stack[f + Cast.UNIT]
        player, row = g.units.owner[unit], stack[f + Cast.ROW] - 1
        if step == Cast.Step.SPELL:
            return g.ask(CastSpell, player, unit)
        if step == Cast.Step.TARGET:
            if spell_at(g, row).aim in AT_NO_UNIT:
                Cast.aim_at(g, f, block_of(g, unit))
                return GO
            return g.ask(SpellTarget, player, unit)
        if step == Cast.Step.PLACE:
            Cast.aim_at_place(g, f)
            return GO
        if step == Cast.Step.FREE and g.spellbook.source[row] == OF_ITEM:
            return g.ask(BoundDie, player, unit)
        if step in (Cast.Step.FREE, Cast.Step.ITEMS):
            stack[f + STEP] = Cast.Step.DICE
            offer_items(g, player, Moment.ATTEMPT)
            return GO
        if step == Cast.Step.DICE:
            return g.ask(SpellDice, player, unit)
        if len(reached(g, f)) > 1:
            return g.ask(SpellVersion, player, unit)
        Cast.take_version(g, f, reached(g, f)[0])
        return GO

    @staticmethod
    def aim_at(g: BattleCore, f: int, target: int) -> None:
        """Name the target."""
        g.stack[f + Cast.TARGET] = target + 1
        Cast.name_model(g, f)
        if spell_at(g, g.stack[f + Cast.ROW] - 1).aim in AT_PLACES:
            g.stack[f + STEP] = Cast.Step.PLACE
        else:
            Cast.is_aimed(g, f)

    @staticmethod
    def aim_at_place(g: BattleCore, f: int) -> None:
        """Let the player choose a place or a direction, or go on if it was chosen."""
        stack = g.stack
        if stack[f + Cast.PLACE]:
            Cast.is_aimed(g, f)
            return
        row = stack[f + Cast.ROW] - 1
        target = stack[f + Cast.TARGET] if spell_at(g, row).aim is Aim.SPOT else 0
        g.push(AimSpell, stack[f + Cast.UNIT], row, target, int(not stack[f + Cast.LIMIT]), Cast.PLACE)

    @staticmethod
    def is_aimed(g: BattleCore, f: int) -> None:
        """All is named. A spell that needs no dice is then cast."""
        stack = g.stack
        if not stack[f + Cast.LIMIT]:
            stack[f + STEP] = Cast.Step.FREE
            casting = Cast.casting(g, f)
            lore_of(g, casting.spell).attribute.declared(g, casting)
            return
        spell = spell_at(g, stack[f + Cast.ROW] - 1)
        stack[f + Cast.RESULT], stack[f + STEP] = spell.value, Cast.Step.VERSION
        g.spellbook.tried[stack[f + Cast.ROW] - 1] = 1
        told = {"unit": stack[f + Cast.UNIT], "target": stack[f + Cast.TARGET] - 1, "name": spell.name}
        g.note("wap.magic.miscast.r4", "casts at once", **told)

    @staticmethod
    def name_model(g: BattleCore, f: int) -> None:
        """If the spell is cast on a single model of the target, let the player name it if there are several."""
        stack, casting = g.stack, Cast.casting(g, f)
        if casting.spell.picks is None:
            return
        boosted = not stack[f + Cast.LIMIT]
        models = may_be_named(g, casting.caster, casting.spell, casting.target, boosted=boosted)
        if len(models) == 1:
            stack[f + Cast.MODEL] = models[0] + 1
        else:
            g.push(NameModel, casting.caster, casting.row, casting.target, int(boosted), Cast.MODEL)

    @staticmethod
    def roll(g: BattleCore, f: int, number: int) -> None:
        """Roll so many dice of the pool. Some of them may be rolled again before they count."""
        unit, row = g.stack[f + Cast.UNIT], g.stack[f + Cast.ROW] - 1
        take_for_unit(g, unit, number)
        g.spellbook.tried[row] = 1
        thrown = throw_spell_dice(g, number + Cast.more_dice(g, f), doubles=counts_doubles(g))
        if g.wizards.fate[unit]:
            g.push(FateOfCast, unit, packed(thrown.dice), packed(thrown.free), 0, FACES, 1)
        else:
            Cast.settle(g, f, thrown)

    @staticmethod
    def more_dice(g: BattleCore, f: int) -> int:
        """Dice that are rolled besides those of the pool: the free die of a bound spell, and those of items."""
        return int(g.stack[f + Cast.FREE] + dice_given(g, g.stack[f + Cast.UNIT]))

    @staticmethod
    def settle(g: BattleCore, f: int, thrown: Thrown, kept: Sequence[int] = ()) -> None:
        """Count dice as they fell, or let the wizard roll some of them again with an item; ``kept``: those that were
        rolled again before.
        """
        k = item_for(g, g.stack[f + Cast.UNIT], Moment.CASTING_ROLL)
        if k >= 0:
            Luck.offer(g, LuckOfCast, k, thrown, kept)
        else:
            Cast.count(g, f, thrown)

    @staticmethod
    def count(g: BattleCore, f: int, thrown: Thrown) -> None:
        """Find out whether dice as they fell cast the spell. Bound spells have no bonus, and failing to cast one costs
        no concentration (wap.magic.bound.no-bonus).
        """
        stack, unit, row = g.stack, g.stack[f + Cast.UNIT], g.stack[f + Cast.ROW] - 1
        total = thrown.total + bonus_used(g, unit, row, len(thrown.dice))
        stack[f + Cast.RESULT] = total
        stack[f + Cast.ROLLED], stack[f + Cast.ONES] = thrown.number, thrown.ones
        is_cast = thrown.total >= LEAST and bool(reached(g, f))
        if g.recorder is not None:
            told = {"unit": unit, "name": spell_at(g, row).name, "target": stack[f + Cast.TARGET] - 1}
            dice = {"rolls": thrown.dice + thrown.free, "needed": needed_for(g, f), "amount": total}
            g.note("wap.magic.cast.value", "casts" if is_cast else "fails to cast", **told, **dice)
        if thrown.total < LEAST and not is_bound(g, row):
            g.wizards.cannot_cast[unit] = 1
            g.note("wap.magic.cast.lost-concentration", "loses concentration", unit=unit)
        stack[f + STEP] = Cast.Step.VERSION if is_cast else Cast.Step.OVER

    @staticmethod
    def take_version(g: BattleCore, f: int, version: int) -> None:
        """The spell is cast in a version."""
        g.stack[f + Cast.VERSION], g.stack[f + STEP] = version, Cast.Step.DISPEL

    @staticmethod
    def casting(g: BattleCore, f: int) -> Casting:
        """The spell that is being cast, with all that was chosen."""
        stack, unit, row = g.stack, g.stack[f + Cast.UNIT], g.stack[f + Cast.ROW] - 1
        target, result, model = (stack[f + Cast.TARGET] - 1, stack[f + Cast.RESULT], stack[f + Cast.MODEL] - 1)
        version, spell, place = stack[f + Cast.VERSION], spell_at(g, row), stack[f + Cast.PLACE] - 1
        return Casting(g.units.owner[unit], unit, row, spell, version, target, result, model, place)

    @staticmethod
    def offer_dispel(g: BattleCore, f: int) -> None:
        """The enemy may try to dispel the spell (wap.magic.dispel.may, wap.magic.bound.dispel)."""
        casting = Cast.casting(g, f)
        units = [] if casting.spell.aim in AT_PLACES else Cast.acted_on(g, casting)  # a template targets no unit
        Dispel.call(g, 1 - casting.player, casting.result, meant_by(g, casting.model, units), into=Cast.DISPELLED)

    @staticmethod
    def deed(g: BattleCore, f: int) -> Deed | None:
        """What the spell is doing now; None: all is done."""
        deeds, number = deeds_of(g, Cast.casting(g, f)), g.stack[f + Cast.DEED]
        return deeds[number] if number < len(deeds) else None

    @staticmethod
    def acted_on(g: BattleCore, casting: Casting) -> list[int]:
        """The units that the spell acts on now."""
        if is_misled(g):
            return [casting.target] if g.units.place[casting.target] == ON_TABLE else []
        version = casting.spell.versions[casting.version]
        return acted_on(g, casting.caster, casting.spell, casting.target, version.everyone, version.range)

    @staticmethod
    def resolve_next(g: BattleCore, f: int) -> bool:
        """Do the next deed of the spell to the next unit that it acts on. Returns False if all is done."""
        stack, casting = g.stack, Cast.casting(g, f)
        deeds = deeds_of(g, casting)
        while stack[f + Cast.DEED] < len(deeds):
            deed = deeds[stack[f + Cast.DEED]]
            units = Cast.acted_on(g, casting)[: 1 if deed.once else None]
            unit = next((row for row in units if row >= stack[f + Cast.NEXT]), -1)
            if unit >= 0:
                stack[f + Cast.NEXT] = len(g.units.owner) if deed.once else unit + 1
                deed.act(g, casting, unit)
                return True
            stack[f + Cast.DEED] += 1
            stack[f + Cast.NEXT] = 0
        return False

    @staticmethod
    def fizzle(g: BattleCore, f: int) -> None:
        """The spell has no effect, though it was cast."""
        g.stack[f + Cast.DEED] = len(deeds_of(g, Cast.casting(g, f)))

    @staticmethod
    def turn_on(g: BattleCore, f: int, target: int, model: int = -1, place: int = -1) -> None:
        """The spell has another target."""
        g.stack[f + Cast.TARGET], g.stack[f + Cast.MODEL], g.stack[f + Cast.PLACE] = target + 1, model + 1, place + 1

    @staticmethod
    def tell_items(g: BattleCore, f: int) -> None:
        """The spell is over: items act that waited for that, and those that make use of a spell that was dispelled."""
        casting, by = Cast.casting(g, f), g.stack[f + Cast.DISPELLED]
        spell_is_over(g, casting, g.stack[f + Cast.ROLLED])
        if by:
            is_dispelled(g, casting.row, 1 - casting.player, by - FIRST_WIZARD)
            offer_items(g, 1 - casting.player, Moment.SPELL_DISPELLED)

    @staticmethod
    def end(g: BattleCore, f: int) -> None:
        """The casting is over. If two or more dice showed a 1, the spell has miscast (wap.magic.miscast.when)."""
        stack, casting, ones = g.stack, Cast.casting(g, f), g.stack[f + Cast.ONES]
        if ones < 2 or is_bound(g, casting.row) or is_spared(g, casting):
            g.pop()
            if ones > 1 and is_bound(g, casting.row):
                bound_miscast(g, casting)
            return
        stack[f + STEP] = Cast.Step.APPLY
        rolled = stack[f + Cast.ROLLED]
        stack[f + Cast.RESULT] = roll_miscast(g, casting.caster, casting.row, rolled, Cast.RESULT)

    @staticmethod
    def miscast(g: BattleCore, f: int) -> None:
        """Apply the result of the miscast table."""
        casting, result = Cast.casting(g, f), g.stack[f + Cast.RESULT]
        g.pop()
        apply_miscast(g, casting.caster, casting.row, result)
        if result == ENEMY_CASTS:
            value = casting.spell.versions[casting.version].value
            g.push(FreeCast, 1 - casting.player, value + 1)


class FateOfCast(Fate):
    """Dice of a casting roll may be rolled again before they count (wap.lore.heavens.attribute)."""

    def advance(self, g: BattleCore, f: int) -> int:
        if Fate.goes_on(g, f):
            return Fate.ask(g, f)
        thrown, kept = Thrown(Fate.own_dice(g, f), Fate.free_dice(g, f)), Fate.kept(g, f)
        g.pop()
        Cast.settle(g, beneath(f), thrown, kept)
        return GO


class LuckOfCast(Luck):
    """Dice of a casting roll may be rolled again with an item before they count (wap.item.arcane.luck-stone)."""

    def advance(self, g: BattleCore, f: int) -> int:
        if not Luck.is_over(g, f):
            return Luck.ask(g, f)
        thrown = Luck.shown(g, f)
        g.pop()
        Cast.count(g, beneath(f), thrown)
        return GO

    def moment(self) -> Moment:
        return Moment.CASTING_ROLL

    def is_bad(self, g: BattleCore, f: int) -> bool:
        at, thrown = beneath(f), Luck.shown(g, f)
        bonus = bonus_for(g, g.stack[at + Cast.UNIT], g.stack[at + Cast.ROW] - 1)
        return thrown.ones > 1 or thrown.total + bonus < needed_for(g, at)


def frame_of_cast(g: BattleCore, f: int) -> int:
    """The offset of the frame of the spell that is being cast, at ``f`` or below it; negative: none is."""
    number = g.setup.ruleset.number[Cast]
    while f >= 0 and g.stack[f] != number:
        f = beneath(f)
    return f


class FreeCast(OfPlayer):
    """A player may cast one spell at once without dice, as his enemy has miscast (wap.magic.miscast.r4)."""

    LIMIT = integer(amount())  # as in ``Cast``
    asks = ("cast-at-once",)

    def advance(self, g: BattleCore, f: int) -> int:
        player, limit = g.stack[f + FreeCast.PLAYER], g.stack[f + FreeCast.LIMIT]
        if next(who_casts(g, player, limit), -1) >= 0:
            return g.ask(CastAtOnce, player)
        return g.pop()


class CastAtOnce(ChooseUnit):
    name = "cast-at-once"
    what = "Which wizard casts a spell at once, without dice, as the enemy has miscast; done: nobody does."
    keys = ("wap.magic.miscast.r4",)
    declines = True

    def may(self, g: BattleCore, unit: int) -> bool:
        return is_caster(g, unit, g.stack[g.frame + FreeCast.LIMIT])

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        limit = g.stack[f + FreeCast.LIMIT]
        g.pop()
        g.push(Cast, unit, limit)

    def declined(self, g: BattleCore, f: int) -> None:
        g.pop()

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return "nobody casts" if action == 0 else f"{g.default_words(action)} casts a spell at once"


def needed_for(g: BattleCore, f: int) -> int:
    """The casting result that the base version of the spell needs on its target."""
    casting = Cast.casting(g, f)
    return casting.spell.value - lowered(g, casting.spell, casting.target)


def reached(g: BattleCore, f: int) -> list[int]:
    """The versions for the spell's target whose casting values the result reaches; no boosted ones of a bound spell or
    of one that needs no dice (wap.magic.cast.boost, wap.magic.bound.base-version, wap.magic.miscast.r4).
    """
    casting = Cast.casting(g, f)
    return reached_by(g, casting, plain=is_bound(g, casting.row) or g.stack[f + Cast.LIMIT] > 0)


class CastSpell(DecisionKind):
    name = "cast-spell"
    what = "Which of its spells a unit casts."
    keys = ("wap.magic.cast.once", "wap.magic.bound.cast", "wap.magic.next", "wap.lore.beasts.transformation-of-kadon")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit = g.stack[f + Cast.UNIT]
        for row in castable(g, unit, g.stack[f + Cast.LIMIT]):
            mask[g.setup.space.number + spell_slot(g, unit, row)] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit, limit = g.stack[f + Cast.UNIT], g.stack[f + Cast.LIMIT]
        row = spell_in_slot(g, unit, action - g.setup.space.number)
        g.pop()  # what hinders the unit may ask questions
        if is_hindered(g, unit):
            g.spellbook.tried[row] = 1
            return
        g.push(Cast, unit, limit)
        g.stack[f + Cast.ROW], g.stack[f + STEP] = row + 1, Cast.Step.TARGET
        if g.spellbook.source[row] == OF_ITEM:
            use_holder(g, row)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        row = spell_in_slot(g, g.stack[f + Cast.UNIT], action - g.setup.space.number)
        spell = spell_at(g, row)
        return f"{spell.name}{', bound' if is_bound(g, row) else ''} ({spell.value}+)"


class SpellTarget(DecisionKind):
    name = "spell-target"
    what = "Which unit a spell is cast on."
    keys = (
        "wap.magic.cast.declare",
        "wap.magic.type.missile",
        "wap.magic.type.direct-damage",
        "wap.magic.type.augment",
        "wap.magic.type.hex",
        "wap.lore.general.boosted-version",
        *AT_UNITS,
    )

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit, space = g.stack[f + Cast.UNIT], g.setup.space
        owner = g.units.owner[unit]
        spell, boosted = spell_at(g, g.stack[f + Cast.ROW] - 1), not g.stack[f + Cast.LIMIT]
        for target in targets_for(g, unit, spell, boosted=boosted):
            side = g.units.owner[target]
            first = space.own if side == owner else space.enemy
            mask[first + target - g.players.first_unit[side]] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        space, owner = g.setup.space, g.units.owner[g.stack[f + Cast.UNIT]]
        side, first = (1 - owner, space.enemy) if action >= space.enemy else (owner, space.own)
        Cast.aim_at(g, f, g.players.first_unit[side] + action - first)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit, spell = g.stack[f + Cast.UNIT], spell_at(g, g.stack[f + Cast.ROW] - 1)
        return f"{g.setup.names['units'][unit]} casts {spell.name} on {g.default_words(action)}"


class BoundDie(DecisionKind):
    name = "bound-die"
    what = "Whether the free die of a bound spell is rolled too; done: it is not."
    policy = "It is."
    keys = ("wap.magic.bound.free-die",)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        mask[0] = mask[g.setup.space.option + FREE_DIE] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        g.stack[f + Cast.FREE], g.stack[f + STEP] = int(action > 0), Cast.Step.ITEMS

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return int(g.setup.space.option + FREE_DIE)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return "with the free die" if action else "without the free die"


class SpellDice(DecisionKind):
    name = "spell-dice"
    what = "With how many dice of the pool a spell is cast."
    policy = "As few as cast it with a chance of six in ten, or all."
    keys = ("wap.magic.cast.dice", "wap.magic.bound.max-dice")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for n in range(SpellDice.most(g, f)):
            mask[g.setup.space.number + n] = True

    @staticmethod
    def most(g: BattleCore, f: int) -> int:
        """The most dice that can be used."""
        return dice_for(g, g.stack[f + Cast.UNIT], g.stack[f + Cast.ROW] - 1, g.stack[f + Cast.FREE])

    @staticmethod
    def chance(g: BattleCore, f: int, number: int) -> float:
        """The chance that so many dice cast the base version."""
        bonus = bonus_for(g, g.stack[f + Cast.UNIT], g.stack[f + Cast.ROW] - 1)
        return chance_of(number + Cast.more_dice(g, f), needed_for(g, f) - bonus)

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        Cast.roll(g, f, action - g.setup.space.number + 1)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        number = action - g.setup.space.number + 1
        words = f"{words_of(g, f)} with {number} {'die' if number == 1 else 'dice'}"
        told = f"{SpellDice.chance(g, f, number):.0%}, a miscast {chance_of_miscast(number + Cast.more_dice(g, f)):.0%}"
        return f"{words} (needs {needed_for(g, f)}+: {told})"

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        most = SpellDice.most(g, f)
        enough = (n for n in range(1, most + 1) if SpellDice.chance(g, f, n) >= SURE_ENOUGH)
        return int(g.setup.space.number + next(enough, most) - 1)


class SpellVersion(DecisionKind):
    name = "spell-version"
    what = (
        "In which of the versions that the casting result reaches a spell is cast: boosted or not, on which "
        "characteristic."
    )
    policy = "The one of the highest casting value, of several the first."
    keys = ("wap.magic.cast.boost", "wap.lore.general.boosted-version")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for version in reached(g, f):
            mask[g.setup.space.option + version] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        Cast.take_version(g, f, action - g.setup.space.option)

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        versions = Cast.casting(g, f).spell.versions
        return int(g.setup.space.option + max(reached(g, f), key=lambda n: versions[n].value))

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        version = Cast.casting(g, f).spell.versions[action - g.setup.space.option]
        told = f", {version.words}" if version.words else ""
        return f"{words_of(g, f)} in the version of {version.value}+{told}"


def words_of(g: BattleCore, f: int) -> str:
    """Which unit casts what on which unit, as far as it is chosen."""
    casting, names = Cast.casting(g, f), g.setup.names["units"]
    aimed = casting.spell.aim not in AT_NO_UNIT
    return f"{names[casting.caster]} casts {casting.spell.name}{f' on {names[casting.target]}' if aimed else ''}"
