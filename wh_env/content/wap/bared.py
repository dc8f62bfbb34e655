"""What models are without any equipment, magic or mundane (wap.item.arcane.sivejirs-hex-scroll)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from wh_env.content.wap.items import Trove
from wh_env.content.wap.load import troop_types
from wh_env.content.wap.outfits import line_abilities_of, outfit_for, unit_abilities_of
from wh_env.content.wap.regiment import Regiment
from wh_env.rulesets.wap.basics.effects import Bares
from wh_env.rulesets.wap.weapons.arms import Bared


def bared(trove: Trove, plain: Sequence[tuple[int, Regiment]]) -> tuple[Bared, ...]:
    """Each unit without equipment, if an item of the battle can take it away, else nothing. ``plain``: the units with
    the profiles and rules of their army sheet.
    """
    if not any(isinstance(power, Bares) for effect in trove.effects for power in effect.powers):
        return ()
    types = troop_types()
    return tuple(
        Bared(
            outfit_for(unit.card, (), unit.names),
            unit_abilities_of(unit.card, types.row(unit.card.type)),
            tuple(line_abilities_of(with_mundane_rules(unit), types.row(unit.card.type))),
        )
        for _, unit in plain
    )


def with_mundane_rules(unit: Regiment) -> Regiment:
    """A unit whose magic weapons give it no rules; it has the fighting profiles that it has with them."""
    return replace(unit, gear=replace(unit.gear, of_weapons=()))
