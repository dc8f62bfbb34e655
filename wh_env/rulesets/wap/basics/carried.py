"""The magic items of a battle, as the table ``items`` knows them: a row for each item that a unit carries.

What an item gives all the time is part of its bearer's profiles, rules, weapons and armour, or an effect that acts from
the start (``effects``). What its bearer does with it once is a ``Use``, which a procedure offers at its ``Moment``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

from wh_env.core.battle import BattleCore
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.aids import NO_AIDS, Aids
from wh_env.rulesets.wap.basics.effects import Effect, begin_effect, effects_of, is_bare, stands_where
from wh_env.rulesets.wap.basics.well_water import is_poisoned
from wh_env.rulesets.wap.rule_book import Grant, SpecialRule


class Moment(Enum):
    """When an item may be used. A new moment goes to the end: frames of procedures number them."""

    START_OF_PHASE = "the start of any phase"
    START_OF_COMBAT = "the start of a Close Combat phase"
    FIRST_HIT = "the bearer suffers a hit"
    FIRST_WOUND = "the bearer suffers a wound that his armour has not stopped"
    ENEMY_SPELL = "an enemy spell was cast, in place of an attempt to dispel it"
    SPELL_IN_PLAY = "in place of an attempt to dispel an enemy spell in play"
    OWN_MAGIC = "the start of the own Magic phase"
    ATTEMPT = "the bearer is about to roll for a spell"
    TARGETED = "an enemy spell on a friendly unit is about to be resolved"
    SPELL_DISPELLED = "the own side has dispelled an enemy spell"
    CASTING_ROLL = "the bearer has rolled for a spell"
    DISPEL_ROLL = "the bearer has rolled to dispel a spell"
    MISCAST = "the bearer has rolled on the miscast table"
    START_OF_TURN = "the start of the own turn"
    FAILED_SAVE = "the bearer has failed a save"


MOMENTS = tuple(Moment)
ARCANE, WEAPON = "arcane", "weapon"  # families


@dataclass(frozen=True)
class Use:
    """What the bearer of an item can do with it at a moment. ``k`` is a row of ``items`` everywhere.

    Attributes:
        exchanges: it exchanges the Wounds of models, which may then have more left than they started with.
    """

    exchanges: ClassVar[bool] = False

    moment: Moment

    def effects(self) -> tuple[Effect, ...]:
        """The effects that it can begin."""
        return ()

    def may(self, g: BattleCore, k: int) -> bool:
        """Whether it may be used now, if its bearer is on the battlefield."""
        return True

    def ways(self, g: BattleCore, k: int) -> Sequence[str]:
        """The ways to use it now among which its player chooses, in words that follow its name."""
        return ("",)

    def act(self, g: BattleCore, k: int) -> None:
        """Do it."""
        raise NotImplementedError

    def act_in(self, g: BattleCore, k: int, way: int) -> None:
        """Do it in one of its ways, counted from 0."""
        self.act(g, k)

    def worth(self, g: BattleCore, k: int) -> float:
        """Points that it is worth to use it now, for greedy play; 0 or less: it is kept."""
        return 0.0

    def worth_in(self, g: BattleCore, k: int, way: int) -> float:
        """Points that one of its ways is worth."""
        return self.worth(g, k)


@dataclass(frozen=True)
class Item:
    """A magic item.

    Attributes:
        name: as events name it. rule: the catalogue id that they cite. family: of the six families.
        one_use: it may be used once in the battle (wap.item.general.one-use).
        uses: what can be done with it, at most one at each moment.
        lasting: it does something all the time.
        aids: what it adds to magic all the time.
        spell: the name of the bound spell that it holds; "": it holds none.
        draws_lore: its bearer is a wizard by it, whose lore is drawn. builds: it brings a building.
        grants: the special rules that it gives all the time.
    """

    name: str
    rule: str
    family: str
    one_use: bool = False
    uses: tuple[Use, ...] = ()
    lasting: bool = False
    aids: Aids = NO_AIDS
    spell: str = ""
    draws_lore: bool = False
    builds: bool = False
    grants: tuple[Grant, ...] = ()

    def use_at(self, moment: Moment) -> Use | None:
        """What can be done with it at a moment; None: nothing."""
        return next((use for use in self.uses if use.moment is moment), None)


UNKNOWN = Item("an unknown item", "wap.army.list.hidden", "unknown")  # as the enemy sees an item: it does nothing


def items_of(g: BattleCore) -> tuple[Item, ...]:
    """All magic items of the battle; the index is the item's number."""
    found: tuple[Item, ...] = g.setup.statics["items"]
    return found


def item_at(g: BattleCore, k: int) -> Item:
    """The item of a row of the table; ``UNKNOWN`` in a battle as a seat knows it that does not know the item."""
    number = g.items.item[k]
    return items_of(g)[number] if number >= 0 else UNKNOWN


def rows_carried(g: BattleCore) -> list[int]:
    """The rows of the items that there are; in a battle as a seat knows it, those that the seat knows."""
    return [k for k, item in enumerate(g.items.item.tolist()) if item >= 0] if items_of(g) else []


def is_carried(g: BattleCore, k: int) -> bool:
    """Whether the bearer of the item of row ``k`` is on the battlefield, alive, and has his equipment."""
    u, unit = g.units, g.items.unit[k]
    return bool(u.alive[unit] > 0 and u.place[stands_where(g, unit)] == ON_TABLE and not is_bare(g, unit))


def is_barred(g: BattleCore, k: int) -> bool:
    """Whether the item of row ``k`` is an arcane one whose bearer is no wizard now (wap.item.general.arcane-access)."""
    levels, unit = g.wizards.level, g.items.unit[k]
    return item_at(g, k).family == ARCANE and not (unit < len(levels) and levels[unit] > 0)


def is_of_use(g: BattleCore, k: int) -> bool:
    """Whether the item of row ``k`` helps its bearer now: he is on the battlefield, and may use it."""
    return is_carried(g, k) and not is_barred(g, k)


def is_left(g: BattleCore, k: int) -> bool:
    """Whether the item of row ``k`` has not been used up, and its bearer can use it: arcane items are for wizards
    (wap.item.general.arcane-access). One that holds a bound spell is used up when that is lost.
    """
    item = item_at(g, k)
    return not is_barred(g, k) and not (g.items.used[k] and (item.one_use or item.spell))


def usable(g: BattleCore, player: int, moment: Moment) -> list[int]:
    """Rows of the items of a player that may be used at a moment now."""
    found = []
    for k in rows_carried(g):
        use = item_at(g, k).use_at(moment)
        unit = g.items.unit[k]
        ready = g.units.owner[unit] == player and is_left(g, k) and is_of_use(g, k) and not is_poisoned(g, unit)
        if use is not None and ready and use.may(g, k):
            found.append(k)
    return found


def has_uses(g: BattleCore, moment: Moment) -> bool:
    """Whether any item of the battle can be used at a moment."""
    items = items_of(g)
    return bool(items) and any(item.use_at(moment) is not None for item in items)


def use_item(g: BattleCore, k: int, moment: Moment, way: int = 0) -> None:
    """The bearer of the item of row ``k`` uses it, in one of the ways that its use has. Both players see that."""
    item = item_at(g, k)
    use = item.use_at(moment)
    spend(g, k)
    if use is not None:
        use.act_in(g, k, way)


def spend(g: BattleCore, k: int) -> None:
    """The item of row ``k`` is used, and used up if it is a one-use item (wap.item.general.one-use)."""
    g.items.used[k] = g.items.seen[k] = 1
    item = item_at(g, k)
    g.note(item.rule, "uses an item", unit=g.items.unit[k], name=item.name)


def standard_is_back(g: BattleCore, unit: int) -> None:
    """The standard bearer of a unit has come back: its magic banner acts again unless it is used up
    (wap.item.general.banner-access, wap.lore.life.regrowth.order).
    """
    names = {item_at(g, k).name for k in rows_carried(g) if g.items.unit[k] == unit and not g.items.used[k]}
    for number, effect in enumerate(effects_of(g)):
        if effect.while_standard_flies and effect.name in names:
            begin_effect(g, number, unit, g.units.owner[unit], unit)


def show_items(g: BattleCore, unit: int, *, strikes: bool = False) -> None:
    """What acts all the time on a unit, with characters in it, comes to light as it is used (wap.army.list.hidden);
    magic weapons only if the unit ``strikes``.
    """
    if not g.setup.statics["secrets"]:
        return
    for k in rows_carried(g):
        item, bearer = item_at(g, k), g.items.unit[k]
        used = item.lasting and (strikes or item.family != WEAPON)
        if used and stands_where(g, bearer) == stands_where(g, unit):
            show(g, k)


def show_givers(g: BattleCore, unit: int, rule: SpecialRule, *words: str) -> None:
    """The items that give a unit, or a character in it, a special rule come to light as the rule acts
    (wap.army.list.hidden). ``words``: what may stand in its brackets; none: anything.
    """
    if g.setup.statics["secrets"]:
        show_where(
            g, unit, lambda item: any(given is rule and told in (words or (told,)) for given, told in item.grants)
        )


def show_where(g: BattleCore, unit: int, holds: Callable[[Item], bool]) -> None:
    """The items of a unit, and of characters in it, of which ``holds`` is true come to light (wap.army.list.hidden)."""
    if g.setup.statics["secrets"]:
        block = stands_where(g, unit)
        for k in rows_carried(g):
            if holds(item_at(g, k)) and stands_where(g, g.items.unit[k]) == block:
                show(g, k)


def show(g: BattleCore, k: int) -> None:
    """The enemy comes to know the item of row ``k``, if it does not yet."""
    if not g.items.seen[k]:
        g.items.seen[k] = 1
        g.note("wap.army.list.hidden", "shows an item", unit=g.items.unit[k], name=item_at(g, k).name)
