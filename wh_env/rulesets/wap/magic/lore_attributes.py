"""The attributes of the common lores (wap.lore.fire.attribute-*, wap.lore.metal.attribute,
wap.lore.beasts.attribute, wap.lore.death.attribute-life-leeching, wap.lore.heavens.attribute,
wap.lore.light.attribute).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.basics.dice import FACES
from wh_env.rulesets.wap.basics.profiles import wholly
from wh_env.rulesets.wap.codes import TROOP_TYPES
from wh_env.rulesets.wap.magic.deeds_target import save_worn
from wh_env.rulesets.wap.magic.shares import gain_dice
from wh_env.rulesets.wap.magic.spells import AHEAD, Aim, Attribute, Casting, Spell
from wh_env.rulesets.wap.magic.wills import WillTest
from wh_env.rulesets.wap.magic.wizards import is_there
from wh_env.rulesets.wap.weapons.arms import outfit_of
from wh_env.rulesets.wap.weapons.hit import FLAMING

WELL_ARMOURED, ARMOURED = 3, 6  # the worst saves that lower a casting value by 2, and by 1
# troop types and army books of the units that the Lore of Beasts reaches more easily
BEASTLY = tuple(
    map(
        TROOP_TYPES.index,
        ("war beast", "cavalry", "monstrous beast", "monstrous cavalry", "chariot", "monster", "swarm"),
    )
)
BEASTLY_BOOKS = frozenset({"beastmen"})
LARGER = 4  # the least die with which a tie counts as the larger of two numbers
FATEFUL = 4  # the least die that lets a wizard roll another one again


class FeedsFire(Attribute):
    """Spells burn, and those that hit a unit which the lore has hit before in the phase hit it D6 times more
    (wap.lore.fire.attribute-flaming, .attribute-extra-hits).
    """

    nature = FLAMING

    def hits_on(self, g: BattleCore, casting: Casting, unit: int, number: int) -> int:
        if casting.spell.kind not in AHEAD:
            return number
        w, block, bit = g.wizards, block_of(g, unit), 1 << casting.spell.lore
        if w.hit_by[block] & bit and not w.hit_now[block] & bit:
            more = g.d6()
            number += more
            told = {"unit": casting.caster, "target": unit, "name": casting.spell.name, "amount": more}
            g.note("wap.lore.fire.attribute-extra-hits", "more hits", **told)
        if number > 0:
            w.hit_now[block] |= bit
        return number

    def has_cast(self, g: BattleCore, casting: Casting) -> None:
        w, bit = g.wizards, 1 << casting.spell.lore
        for unit in range(len(g.units.owner)):
            w.hit_by[unit] |= w.hit_now[unit] & bit
            w.hit_now[unit] &= ~bit


class SeeksMetal(Attribute):
    """Spells are easier to cast on units of which most models wear armour (wap.lore.metal.attribute)."""

    def declared(self, g: BattleCore, casting: Casting) -> None:
        target = casting.target
        g.wizards.drawn[target] = drawn_by(g, target) if casting.spell.aim in (Aim.ENEMY, Aim.FRIEND) else 0

    def lowers(self, g: BattleCore, spell: Spell, target: int) -> int:
        return int(g.wizards.drawn[target])


def drawn_by(g: BattleCore, unit: int) -> int:
    """By how much the armour that most models of a unit wear makes a spell easier. If as many wear one armour as
    another, a die decides.
    """
    counts = dict[int, int]()
    for row in wholly(g, unit):
        save = save_worn(g, row)
        ease = 2 if save <= WELL_ARMOURED else int(save <= ARMOURED)
        counts[ease] = counts.get(ease, 0) + sum(1 for _ in g.members(row))
    first = sorted(ease for ease in counts if counts[ease] == max(counts.values()))
    if len(first) == 1:
        return first[0]
    die = g.d6()
    g.note("wap.lore.metal.attribute", "seeks metal", target=unit, die=die)
    return first[-1] if die >= LARGER else first[0]


class CallsBeasts(Attribute):
    """Spells are easier to cast on beasts, on whoever rides or drives them, and on units of some army books
    (wap.lore.beasts.attribute).
    """

    def lowers(self, g: BattleCore, spell: Spell, target: int) -> int:
        return int(g.units.kind[target] in BEASTLY or not BEASTLY_BOOKS.isdisjoint(outfit_of(g, target).names))


class LeechesLife(Attribute):
    """Each Wound that a spell costs may bring its army a power die (wap.lore.death.attribute-life-leeching)."""

    def has_wounded(self, g: BattleCore, casting: Casting, number: int) -> None:
        dice = tuple(g.d6() for _ in range(number))
        more = dice.count(FACES)
        if casting.player == g.clock.turn[0]:
            gain_dice(g, casting.caster, more)
        if g.recorder is not None:
            told = {"unit": casting.caster, "rolls": dice, "amount": more}
            g.note("wap.lore.death.attribute-life-leeching", "leeches life", **told)


class ReadsFate(Attribute):
    """Who has cast a spell may roll a die again later in the phase (wap.lore.heavens.attribute)."""

    def has_cast(self, g: BattleCore, casting: Casting) -> None:
        if not is_there(g, casting.caster):
            return
        die = g.d6()
        g.wizards.fate[casting.caster] += int(die >= FATEFUL)
        if g.recorder is not None:
            told = {"unit": casting.caster, "die": die, "needed": FATEFUL, "amount": g.wizards.fate[casting.caster]}
            g.note("wap.lore.heavens.attribute", "reads fate", **told)


class TestsWill(Attribute):
    """Who casts a spell may test his will, which makes his roll better or worse (wap.lore.light.attribute)."""

    def declared(self, g: BattleCore, casting: Casting) -> None:
        g.wizards.will[casting.caster] = 0
        g.push(WillTest, casting.caster)

    def adds(self, g: BattleCore, unit: int) -> int:
        return int(g.wizards.will[unit])
