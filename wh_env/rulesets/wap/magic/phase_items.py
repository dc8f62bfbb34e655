"""Items that are used at the start of the own Magic phase, and what those do that act for the whole phase."""

from __future__ import annotations

from dataclasses import dataclass

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.arcane import aid_of, show_aids
from wh_env.rulesets.wap.basics.carried import Use, is_of_use, item_at, items_of
from wh_env.rulesets.wap.basics.dice import rolled_number
from wh_env.rulesets.wap.codes import KNOWN, OWN_SPELL
from wh_env.rulesets.wap.magic.scrolls import hurt
from wh_env.rulesets.wap.magic.shares import gain_dice
from wh_env.rulesets.wap.magic.wizards import is_bound, is_there, may_learn, rows_of, spell_at
from wh_env.rulesets.wap.weapons.hit import Number


@dataclass(frozen=True)
class InOwnPhase(Use):
    """It is used at the start of a Magic phase of the bearer's player."""

    def may(self, g: BattleCore, k: int) -> bool:
        return bool(g.units.owner[g.items.unit[k]] == g.clock.turn[0])


@dataclass(frozen=True)
class AddsPower(InOwnPhase):
    """It adds dice to the pool, and costs its bearer Wounds (wap.item.arcane.forbidden-rod).

    Attributes:
        dice: how many, (dice, sides, plus). wounds: of the bearer, without armour saves.
    """

    dice: Number = (0, 6, 0)
    wounds: int = 0

    def act(self, g: BattleCore, k: int) -> None:
        unit, number = g.items.unit[k], rolled_number(g, self.dice)
        gain_dice(g, unit, number)
        g.note(item_at(g, k).rule, "gains dice", unit=unit, name=item_at(g, k).name, amount=number)
        if self.wounds:
            hurt(g, k, unit, self.wounds)

    def worth(self, g: BattleCore, k: int) -> float:
        """A wizard who would live pays for it."""
        return float(g.models.wounds[g.units.first[g.items.unit[k]]] - self.wounds)


@dataclass(frozen=True)
class Punishes(InOwnPhase):
    """In this phase, a roll of ``on`` or more costs each enemy wizard a Wound who dispels a spell of the bearer
    (wap.item.arcane.tricksters-shard).
    """

    on: int = 4

    def act(self, g: BattleCore, k: int) -> None:
        g.items.charge[k] = 1

    def worth(self, g: BattleCore, k: int) -> float:
        return 1.0


@dataclass(frozen=True)
class Teaches(Use):
    """Its bearer learns a spell that his side has dispelled (wap.item.arcane.gem-of-tarante). ``charge`` is the row of
    that spell, counted from 1.
    """

    def row(self, g: BattleCore, k: int) -> int:
        """The row of the spell among those of the bearer; -1: he cannot learn it."""
        found, unit = g.items.charge[k] - 1, g.items.unit[k]
        if found < 0 or is_bound(g, found) or not may_learn(g, unit, spell_at(g, found)):
            return -1
        book, number = g.spellbook, g.spellbook.spell[found]
        own = (row for row in rows_of(g, unit) if book.spell[row] == number and book.source[row] == OWN_SPELL)
        return next((row for row in own if book.known[row] != KNOWN), -1)

    def may(self, g: BattleCore, k: int) -> bool:
        return self.row(g, k) >= 0

    def act(self, g: BattleCore, k: int) -> None:
        row = self.row(g, k)
        g.spellbook.known[row] = KNOWN
        g.items.charge[k] = 0
        g.note(item_at(g, k).rule, "learns", unit=g.items.unit[k], name=spell_at(g, row).name)

    def worth(self, g: BattleCore, k: int) -> float:
        return 1.0


def begin_items(g: BattleCore) -> None:
    """A Magic phase begins: what items did in the last one is over, and dice that nobody else may use are there."""
    if not items_of(g):
        return
    for k in range(len(g.items.unit)):
        if not item_at(g, k).aids.stores:
            g.items.charge[k] = 0
    for unit in g.units_of(g.clock.turn[0]):
        g.wizards.own_dice[unit] = aid_of(g, unit, "own_dice") if is_there(g, unit) else 0
        if g.wizards.own_dice[unit]:
            show_aids(g, unit, "own_dice")


def release_stored(g: BattleCore) -> None:
    """Dice that items keep come to the pools if a D6 shows at least their number, and are lost if not
    (wap.item.arcane.rod-of-power).
    """
    for k in range(len(g.items.unit)) if items_of(g) else ():
        stored = g.items.charge[k] if item_at(g, k).aids.stores else 0
        if not stored:
            continue
        g.items.charge[k] = 0
        if is_of_use(g, k):
            unit, die = g.items.unit[k], g.d6()
            came = stored if die >= stored else 0
            gain_dice(g, unit, came)
            told = {"unit": unit, "name": item_at(g, k).name, "die": die, "needed": stored, "amount": came}
            g.note(item_at(g, k).rule, "releases dice", **told)


def is_dispelled(g: BattleCore, row: int, player: int, wizard: int) -> None:
    """A player has dispelled the spell of a row of ``spellbook``. ``wizard``: who has, -1: nobody in particular. The
    player's items that can make use of that know it now.
    """
    caster = g.spellbook.unit[row]
    for k in range(len(g.items.unit)) if items_of(g) else ():
        use = item_at(g, k).uses[0] if item_at(g, k).uses else None
        bearer = g.items.unit[k]
        if isinstance(use, Punishes) and g.items.charge[k] and bearer == caster and wizard >= 0 and is_of_use(g, k):
            die = g.d6()
            g.note(item_at(g, k).rule, "punishes", unit=wizard, name=item_at(g, k).name, die=die, needed=use.on)
            if die >= use.on:
                hurt(g, k, wizard, 1)
        elif isinstance(use, Teaches):
            g.items.charge[k] = row + 1 if g.units.owner[bearer] == player else 0
