"""Spells that a unit must fight each time that it acts (wap.lore.light.net-of-amyntok)."""

from __future__ import annotations

from dataclasses import dataclass

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.characteristic_tests import unit_characteristic_test
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.basics.dice import rolled_number
from wh_env.rulesets.wap.basics.effects import powers_on
from wh_env.rulesets.wap.codes import REAR
from wh_env.rulesets.wap.magic.deeds import nature_of
from wh_env.rulesets.wap.magic.deeds_target import are_mostly
from wh_env.rulesets.wap.magic.spells import Kind
from wh_env.rulesets.wap.morale.panic_causes import NOBODY
from wh_env.rulesets.wap.rule_book import SpecialRule
from wh_env.rulesets.wap.shooting.hits import take_hits
from wh_env.rulesets.wap.weapons.hit import Hit, Number

RULE = "wap.lore.light.net-of-amyntok"


@dataclass(frozen=True)
class Net:
    """A power of an effect: a unit tests each time that it acts; if it fails, it does not act, and takes hits.

    Attributes:
        test: the characteristic. number: of hits. strength: of the hits.
        versus, many: special rules, and the number of hits on units of which most models have one of them.
    """

    test: str
    number: Number
    strength: int
    versus: tuple[SpecialRule, ...]
    many: Number


def is_caught(g: BattleCore, unit: int) -> bool:
    """Whether a net keeps a unit from what it wants to do now; it tests together with all characters in it."""
    block = block_of(g, unit)
    for net in powers_on(g, block, Net):
        if unit_characteristic_test(g, block, net.test, RULE):
            continue
        number = rolled_number(g, net.many if are_mostly(g, block, net.versus) else net.number)
        if g.recorder is not None:
            g.note(RULE, "is caught", unit=unit, amount=number)
        take_hits(g, block, [(number, Hit(net.strength, nature=nature_of(Kind.HEX)))], REAR, NOBODY)
        return True
    return False
