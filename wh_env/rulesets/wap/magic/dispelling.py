"""Dispelling: an attempt against a spell that was just cast, or against one that remains in play (wap.magic.dispel.*,
wap.magic.rip.dispel).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import amount, bits, count_of, flag
from wh_env.core.procedures import GO, DecisionKind, OfPlayer, beneath, integer
from wh_env.rulesets.wap.allies.relations import Relation, alliances_of, relation_between
from wh_env.rulesets.wap.basics.arcane import aid_of, show_aids
from wh_env.rulesets.wap.basics.carried import Moment, item_at, show_items, usable, use_item
from wh_env.rulesets.wap.basics.resistance import resistance_of
from wh_env.rulesets.wap.items.windows import offer_items
from wh_env.rulesets.wap.magic.in_play import end_spell, in_play_of, under
from wh_env.rulesets.wap.magic.luck import Luck, item_for
from wh_env.rulesets.wap.magic.phase_items import is_dispelled
from wh_env.rulesets.wap.magic.scrolls import Scroll
from wh_env.rulesets.wap.magic.shares import (
    ANY,
    army_of,
    dice_for_unit,
    dice_of,
    purses,
    take_dice,
    take_for_unit,
)
from wh_env.rulesets.wap.magic.spell_dice import LEAST, Thrown, chance_of, throw_spell_dice
from wh_env.rulesets.wap.magic.wizards import MOST_BONUS, bonus_of, dispellers, spell_at

BY_ARMY = 0  # the first option: an army dispels without a wizard (wap.magic.dispel.army); then other armies of the side
UNDECIDED, ARMY, FIRST_WIZARD = 0, 1, 2  # integer ``Dispel.BY``: then the row of a wizard, counted from FIRST_WIZARD
WIDE = 16  # units of a player for each integer of ``Dispel.TARGETS``
SURE_ENOUGH = 0.5  # the chance at which the default answer takes no more dice


class Dispel(OfPlayer):
    """A player may try to dispel a spell: by one of his wizards or by his army, with dice of his pool. If the spell was
    just cast, the result is written to the frame beneath; one in play he has chosen to dispel.
    """

    VALUE = integer(amount())  # the result that dispels it
    ROW = integer(count_of("spellbook"))  # of a spell in play, counted from 1; 0: it was just cast
    INTO = integer(amount())  # offset in the frame beneath at which 1 is written if the spell is dispelled
    TARGETS = integer(bits((1 << WIDE) - 1), width=2)  # bit by bit, the units of the player that the spell targets
    BY = integer(amount())
    TRIED = integer(flag())
    ARMY = integer(count_of("armies"))  # whose dice are used, counted from 1; 0: those of the whole side
    asks = ("dispel-by", "dispel-dice")

    def advance(self, g: BattleCore, f: int) -> int:
        stack = g.stack
        player = stack[f + Dispel.PLAYER]
        if stack[f + Dispel.TRIED] or not Dispel.has_means(g, f):
            return g.pop()
        by = stack[f + Dispel.BY]
        if by == UNDECIDED:
            return g.ask(DispelBy, player)
        return g.ask(DispelDice, player, by - FIRST_WIZARD if by >= FIRST_WIZARD else -1)

    def fits(self, g: BattleCore, f: int) -> bool:
        """Whether a wizard of the player was named, the spell is an enemy one in play or the frame beneath casts it,
        and the targets are units of the player.
        """
        stack, player = g.stack, g.stack[f + Dispel.PLAYER]
        by, row, into = (stack[f + at] for at in (Dispel.BY, Dispel.ROW, Dispel.INTO))
        if by == ARMY and not stack[f + Dispel.TRIED] and Dispel.army(g, f) not in purses(g, player):
            return False
        own, by = g.units_of(player), by - FIRST_WIZARD
        if by >= 0 and (by not in own or not (stack[f + Dispel.TRIED] or Dispel.army(g, f) == army_of(g, by))):
            return False
        if row and not stack[f + Dispel.TRIED] and row - 1 not in in_play_of(g, 1 - player):
            return False
        if not (stack[f + Dispel.TRIED] or Dispel.has_means(g, f)):
            return False
        if stack[f + Dispel.BY] != UNDECIDED and not (stack[f + Dispel.TRIED] or Dispel.most(g, f)):
            return False
        if bool(row) == bool(into) or not set(Dispel.targets(g, f)) <= set(own):
            return False
        casts = g.setup.ruleset.procedures[g.stack[beneath(f)]] if f else None
        return bool(row) or (casts is not None and casts.offsets.get("DISPELLED") == into)

    @staticmethod
    def call(g: BattleCore, player: int, value: int, targets: Iterable[int], row: int = 0, into: int = 0) -> None:
        """Let a player try to dispel a spell that targets these units; for the others see the integers of the frame."""
        marks, first = [0, 0], g.players.first_unit[player]
        for unit in targets:
            if g.units.owner[unit] == player:
                marks[(unit - first) // WIDE] |= 1 << (unit - first) % WIDE
        g.push(Dispel, player, value, row, into, *marks)

    @staticmethod
    def targets(g: BattleCore, f: int) -> list[int]:
        """The units of the player that the spell targets."""
        first = g.players.first_unit[g.stack[f + Dispel.PLAYER]]
        marks = g.stack[f + Dispel.TARGETS] | g.stack[f + Dispel.TARGETS + 1] << WIDE
        return [first + n for n in range(marks.bit_length()) if marks >> n & 1]

    @staticmethod
    def who_can(g: BattleCore, f: int) -> list[int]:
        """The wizards of the player who can try it with dice."""
        return who_can(g, g.stack[f + Dispel.PLAYER], Dispel.targets(g, f))

    @staticmethod
    def army(g: BattleCore, f: int) -> int:
        """The army whose dice are used, or ``ANY``."""
        return int(g.stack[f + Dispel.ARMY]) - 1

    @staticmethod
    def has_means(g: BattleCore, f: int) -> bool:
        """Whether the player has dice to dispel with, or items that take the place of dice."""
        player = g.stack[f + Dispel.PLAYER]
        return bool(g.pools.dice[player] or Dispel.who_can(g, f) or Dispel.scrolls(g, f))

    @staticmethod
    def most(g: BattleCore, f: int) -> int:
        """The most dice that can be used."""
        by = g.stack[f + Dispel.BY]
        if by >= FIRST_WIZARD:
            return min(dice_for_unit(g, by - FIRST_WIZARD), g.setup.space.numbers)
        return most_dice(g, g.stack[f + Dispel.PLAYER], Dispel.army(g, f))

    @staticmethod
    def moment(g: BattleCore, f: int) -> Moment:
        """The moment at which items can be used."""
        return Moment.SPELL_IN_PLAY if g.stack[f + Dispel.ROW] else Moment.ENEMY_SPELL

    @staticmethod
    def scrolls(g: BattleCore, f: int) -> list[int]:
        """Rows of the items that the player may use in place of an attempt (wap.item.arcane.replaces-dispel)."""
        return scrolls_of(g, g.stack[f + Dispel.PLAYER], Dispel.targets(g, f), Dispel.moment(g, f))

    @staticmethod
    def use(g: BattleCore, f: int, k: int) -> None:
        """Use an item in place of an attempt. Its bearer dispels with its dice if it has any."""
        moment, unit = Dispel.moment(g, f), g.items.unit[k]
        use = item_at(g, k).use_at(moment)
        g.stack[f + Dispel.TRIED] = 1
        use_item(g, k, moment)
        if isinstance(use, Scroll) and use.free_dice:
            g.stack[f + Dispel.BY] = FIRST_WIZARD + unit
            Dispel.throw(g, f, use.free_dice)

    @staticmethod
    def bonus(g: BattleCore, f: int) -> int:
        """What is added to the dice: half the level of the wizard, what items add, and the Magic Resistance of the
        targets; 5 at most (wap.magic.dispel.bonus, wap.special.magic-resistance.dispel).
        """
        by = g.stack[f + Dispel.BY]
        wizard = own_bonus(g, by - FIRST_WIZARD) if by >= FIRST_WIZARD else 0
        return min(MOST_BONUS, wizard + max((resistance_of(g, unit) for unit in Dispel.targets(g, f)), default=0))

    @staticmethod
    def roll(g: BattleCore, f: int, number: int) -> None:
        """Roll so many dice of the pool."""
        by = g.stack[f + Dispel.BY]
        if by >= FIRST_WIZARD:
            take_for_unit(g, by - FIRST_WIZARD, number)
        else:
            take_dice(g, g.stack[f + Dispel.PLAYER], number, Dispel.army(g, f))
        Dispel.throw(g, f, number)

    @staticmethod
    def throw(g: BattleCore, f: int, number: int) -> None:
        """Roll so many dice."""
        g.stack[f + Dispel.TRIED] = 1
        by, thrown = g.stack[f + Dispel.BY], throw_spell_dice(g, number)
        k = item_for(g, by - FIRST_WIZARD, Moment.DISPEL_ROLL) if by >= FIRST_WIZARD else -1
        if k >= 0:
            Luck.offer(g, LuckOfDispel, k, thrown, ())
        else:
            Dispel.count(g, f, thrown)

    @staticmethod
    def count(g: BattleCore, f: int, thrown: Thrown) -> None:
        """Apply dice as they fell. Ones are no miscast (wap.magic.dispel.no-miscast)."""
        stack = g.stack
        player, by, row = stack[f + Dispel.PLAYER], stack[f + Dispel.BY], stack[f + Dispel.ROW]
        wizard = by - FIRST_WIZARD if by >= FIRST_WIZARD else -1
        value, bonus, into = stack[f + Dispel.VALUE], Dispel.bonus(g, f), stack[f + Dispel.INTO]
        for unit in Dispel.targets(g, f):
            if resistance_of(g, unit):
                show_items(g, unit)
        if wizard >= 0:
            show_aids(g, wizard, "dispel")
        dispelled = thrown.total >= LEAST and thrown.total + bonus >= value
        if g.recorder is not None:
            told = {"rolls": thrown.dice + thrown.free, "needed": value, "amount": thrown.total + bonus}
            g.note("wap.magic.dispel.value", "dispels", unit=wizard, player=player, result=int(dispelled), **told)
        if wizard >= 0 and (thrown.total < LEAST or (row and not dispelled)):
            lose_hold(g, wizard, in_play=bool(row))
        if dispelled and row:
            end_spell(g, row - 1, "wap.magic.rip.dispel")
            is_dispelled(g, row - 1, player, wizard)
            offer_items(g, player, Moment.SPELL_DISPELLED)
        elif dispelled:
            stack[beneath(f) + into] = by


class LuckOfDispel(Luck):
    """Dice of an attempt to dispel may be rolled again with an item before they count (wap.item.arcane.luck-stone)."""

    def advance(self, g: BattleCore, f: int) -> int:
        if not Luck.is_over(g, f):
            return Luck.ask(g, f)
        thrown = Luck.shown(g, f)
        g.pop()
        Dispel.count(g, beneath(f), thrown)
        return GO

    def moment(self) -> Moment:
        return Moment.DISPEL_ROLL

    def is_bad(self, g: BattleCore, f: int) -> bool:
        at = beneath(f)
        return bool(Luck.shown(g, f).total + Dispel.bonus(g, at) < g.stack[at + Dispel.VALUE])


def own_bonus(g: BattleCore, wizard: int) -> int:
    """What a wizard adds to the dice with which he dispels: half his level, and what his items add."""
    return min(MOST_BONUS, bonus_of(g, wizard) + aid_of(g, wizard, "dispel"))


def lose_hold(g: BattleCore, wizard: int, *, in_play: bool) -> None:
    """A wizard has failed to dispel: he dispels no more in this phase. If the spell was in play, he casts no more
    either, not even bound spells (wap.magic.dispel.lost-concentration, wap.magic.rip.dispel-failed).
    """
    g.wizards.cannot_dispel[wizard] = 1
    if in_play:
        g.wizards.cannot_cast[wizard] = g.wizards.cannot_cast_bound[wizard] = 1
    rule = "wap.magic.rip.dispel-failed" if in_play else "wap.magic.dispel.lost-concentration"
    g.note(rule, "loses concentration", unit=wizard)


def dispel_in_play(g: BattleCore, player: int, row: int) -> None:
    """A player tries to dispel an enemy spell in play, on its base casting value (wap.magic.rip.dispel-value,
    wap.magic.rip.dispel-boosted).
    """
    Dispel.call(g, player, spell_at(g, row).value, under(g, row), row + 1)


def may_dispel(g: BattleCore, player: int) -> list[int]:
    """Rows of the enemy spells in play that a player can try to dispel now: none that was cast in this phase. If there
    are more than can be offered, the first ones.
    """
    rows = in_play_of(g, 1 - player)
    if not g.pools.dice[player]:  # his wizards may have dice of their own, or scrolls
        rows = [row for row in rows if has_own_means(g, player, row)]
    return [row for row in rows if not g.spellbook.tried[row]][: g.setup.space.options]


def has_own_means(g: BattleCore, player: int, row: int) -> bool:
    """Whether a wizard of a player can try to dispel a spell in play without dice of the pool."""
    targets = [unit for unit in under(g, row) if g.units.owner[unit] == player]
    return bool(who_can(g, player, targets) or scrolls_of(g, player, targets, Moment.SPELL_IN_PLAY))


def is_concerned(g: BattleCore, wizard: int, targets: Sequence[int]) -> bool:
    """Whether not only desperate allies of a wizard are targets of a spell (wap.ally.desperate.dispel)."""
    return not targets or any(relation_between(g, wizard, target) != Relation.DESPERATE for target in targets)


def who_can(g: BattleCore, player: int, targets: Sequence[int]) -> list[int]:
    """The wizards of a player who can try with dice to dispel a spell that targets these units of his."""
    return [unit for unit in dispellers(g, player) if dice_for_unit(g, unit) and is_concerned(g, unit, targets)]


def scrolls_of(g: BattleCore, player: int, targets: Sequence[int], moment: Moment) -> list[int]:
    """Rows of the items that a player may use in place of an attempt to dispel a spell that targets these units of
    his: one that dispels is used by a wizard who may do so. If there are more than can be offered, the first ones.
    """
    found = []
    for k in usable(g, player, moment):
        use = item_at(g, k).use_at(moment)
        if not (isinstance(use, Scroll) and use.free_dice) or is_concerned(g, g.items.unit[k], targets):
            found.append(k)
    return found[: g.setup.space.numbers]


class DispelBy(DecisionKind):
    name = "dispel-by"
    what = (
        "Which wizard tries to dispel a spell, or the army without one, or which item takes the place of that; done: a "
        "spell just cast is let be."
    )
    keys = (
        "wap.item.arcane.replaces-dispel",
        "wap.item.arcane.dispel-scroll",
        "wap.item.arcane.spell-destroyer-scroll",
        "wap.item.arcane.feedback-scroll",
        "wap.item.arcane.scroll-of-leeching",
        "wap.item.arcane.scroll-of-shielding",
        "wap.item.arcane.scroll-of-the-hypnotic-eye",
        "wap.item.arcane.sivejirs-hex-scroll",
        "wap.magic.dispel.may",
        "wap.magic.dispel.wizard",
        "wap.magic.dispel.army",
        "wap.ally.desperate.dispel",
    )

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        player = g.stack[f + Dispel.PLAYER]
        mask[0] = not g.stack[f + Dispel.ROW]
        for n in range(len(purses(g, player))):
            mask[g.setup.space.option + BY_ARMY + n] = True
        for n in range(len(Dispel.scrolls(g, f))):
            mask[g.setup.space.number + n] = True
        at = g.setup.space.own - g.players.first_unit[player]
        for unit in Dispel.who_can(g, f):
            mask[at + unit] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action == 0:
            g.pop()
            return
        if action >= g.setup.space.number:
            Dispel.use(g, f, Dispel.scrolls(g, f)[action - g.setup.space.number])
            return
        own, player = action - g.setup.space.own, g.stack[f + Dispel.PLAYER]
        unit = g.players.first_unit[player] + own
        army = army_of(g, unit) if own >= 0 else purses(g, player)[action - g.setup.space.option - BY_ARMY]
        g.stack[f + Dispel.BY], g.stack[f + Dispel.ARMY] = FIRST_WIZARD + unit if own >= 0 else ARMY, army + 1

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        if action == 0:
            return "let it be"
        if action >= g.setup.space.number:
            k = Dispel.scrolls(g, f)[action - g.setup.space.number]
            return f"{g.setup.names['units'][g.items.unit[k]]} uses {item_at(g, k).name}"
        if action < g.setup.space.own:
            army = purses(g, g.stack[f + Dispel.PLAYER])[action - g.setup.space.option - BY_ARMY]
            alliances = alliances_of(g)
            return "the army dispels" if army == ANY or alliances is None else f"{alliances.names[army]} dispels"
        return f"{g.default_words(action)} dispels"


class DispelDice(DecisionKind):
    name = "dispel-dice"
    what = "With how many dice of the pool a spell is dispelled."
    policy = "As few as dispel it with a chance of a half, or all."
    keys = ("wap.magic.dispel.dice",)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for n in range(Dispel.most(g, f)):
            mask[g.setup.space.number + n] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        Dispel.roll(g, f, action - g.setup.space.number + 1)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        number = action - g.setup.space.number + 1
        needed = g.stack[f + Dispel.VALUE] - Dispel.bonus(g, f)
        return f"{number} {'die' if number == 1 else 'dice'} ({chance_of(number, needed):.0%})"

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        needed = g.stack[f + Dispel.VALUE] - Dispel.bonus(g, f)
        most = Dispel.most(g, f)
        enough = (n for n in range(1, most + 1) if chance_of(n, needed) >= SURE_ENOUGH)
        return int(g.setup.space.number + next(enough, most) - 1)


def most_dice(g: BattleCore, player: int, army: int = ANY) -> int:
    """The most dice that an army of a player can take from the pool for one attempt to dispel."""
    return int(min(dice_of(g, player, army), g.setup.space.numbers))
