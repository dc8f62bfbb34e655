"""Effects that pass from a unit to the characters in it when it is destroyed, and from a character to his unit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.effects import (
    On,
    act_elsewhere,
    effect_of,
    effects_of,
    is_under,
    number_of,
    rows_in_use,
)
from wh_env.rulesets.wap.basics.forms import whose_form


def rows_on(g: BattleCore, unit: int) -> Iterator[int]:
    """Rows of the effects that act on a unit with whoever stands in it."""
    return (k for k in rows_in_use(g) if g.effects.unit[k] == unit and effect_of(g, k).on is On.UNIT)


def bit_of(g: BattleCore, unit: int) -> int:
    """The bit of a unit in the column ``late``."""
    return 1 << unit - int(g.players.first_unit[g.units.owner[unit]])


def joins_late(g: BattleCore, character: int, unit: int) -> None:
    """A character is about to join a unit: what acts on it now was not cast on him
    (wap.character.spells.unit-affected).
    """
    for k in rows_in_use(g):
        if is_under(g, unit, k):
            g.effects.late[k] |= bit_of(g, character)


def is_late_as(g: BattleCore, unit: int, old: int) -> None:
    """A unit has come to where another form of it was: it was there as long as that."""
    e, owner = g.effects, g.units.owner
    for k in rows_in_use(g):
        if owner[e.unit[k]] == owner[unit]:
            was = bool(e.late[k] & bit_of(g, old))
            e.late[k] = e.late[k] & ~bit_of(g, unit) | bit_of(g, unit) * was


def hand_on(g: BattleCore, unit: int, heirs: Sequence[int]) -> None:
    """Only characters of a unit are left, as a unit of their own: effects on the unit act on the first of ``heirs`` who
    was in it when they began, and on whoever stands with him (wap.character.unit-destroyed.new-unit,
    wap.character.spells.unit-affected).
    """
    for k in list(rows_on(g, unit)):
        heir = next((row for row in heirs if not g.effects.late[k] & bit_of(g, row)), -1)
        if heir >= 0:
            twin = replace(effect_of(g, k), on=On.BESIDES)
            g.effects.unit[k] = heir
            if twin in effects_of(g):
                g.effects.effect[k] = number_of(g, twin)
    act_elsewhere(g)


def leave_behind(g: BattleCore, unit: int, host: int) -> None:
    """A character who has augmented himself with the unit that he is in is slain there, in whatever form: what he does
    not keep up goes on acting on the unit (wap.magic.duration.turns).
    """
    himself = (unit, whose_form(g, unit))
    for k in rows_in_use(g):
        effect = effect_of(g, k)
        own = g.effects.unit[k] == unit and g.effects.caster[k] in himself and effect.on is On.BESIDES
        twin = replace(effect, on=On.UNIT)
        if own and not effect.while_caster_lives and twin in effects_of(g):
            g.effects.effect[k], g.effects.unit[k] = number_of(g, twin), host
    act_elsewhere(g)
