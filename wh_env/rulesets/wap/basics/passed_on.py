"""Effects that pass from a unit to the characters in it when it is destroyed, and from a character to his unit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.effects import (
    On,
    act_elsewhere,
    copied,
    effect_of,
    effects_of,
    is_under,
    number_of,
    rows_in_use,
)
from wh_env.rulesets.wap.basics.forms import whose_form
from wh_env.rulesets.wap.basics.joined import is_character
from wh_env.rulesets.wap.basics.profiles import wholly


def bit_of(g: BattleCore, unit: int) -> int:
    """The bit of a unit in the column ``late``."""
    return 1 << unit - int(g.players.first_unit[g.units.owner[unit]])


def joins_late(g: BattleCore, character: int, unit: int) -> None:
    """A character is about to join a unit: what acts on it now was not cast on him, and what he has cast on himself was
    not cast on anybody there (wap.character.spells.unit-affected, .character-affected).
    """
    own, others = bit_of(g, character), sum(bit_of(g, row) for row in wholly(g, unit))
    for k in rows_in_use(g):
        if is_under(g, unit, k):
            g.effects.late[k] |= own
        if has_augmented_himself(g, k, character):
            g.effects.late[k] |= others


def is_late_as(g: BattleCore, unit: int, old: int) -> None:
    """A unit has come to where another form of it was: it was there as long as that."""
    e, owner = g.effects, g.units.owner
    for k in rows_in_use(g):
        if owner[e.unit[k]] == owner[unit]:
            was = bool(e.late[k] & bit_of(g, old))
            e.late[k] = e.late[k] & ~bit_of(g, unit) | bit_of(g, unit) * was


def hand_on(g: BattleCore, unit: int, heirs: Sequence[int]) -> None:
    """A unit is gone, and only the characters in it are left, as a unit of their own: each of ``heirs`` who was in it
    when an effect on it began is under that now, with whoever stands with him. So is who was with a character that has
    augmented himself and is slain (wap.character.unit-destroyed.new-unit, wap.character.spells.unit-affected,
    wap.magic.duration.turns).
    """
    for k in list(rows_in_use(g)):
        on_unit = g.effects.unit[k] == unit and effect_of(g, k).on is On.UNIT
        if on_unit or has_augmented_himself(g, k, unit):
            pass_to(g, k, [row for row in heirs if not is_late(g, k, row)])
    act_elsewhere(g)


def leave_behind(g: BattleCore, unit: int, host: int) -> None:
    """A character who has augmented himself with the unit that he is in is slain there, in whatever form: what he does
    not keep up goes on acting on those who were with him then (wap.magic.duration.turns).
    """
    there = wholly(g, host) if is_character(g, host) else [host]
    for k in list(rows_in_use(g)):
        if has_augmented_himself(g, k, unit):
            pass_to(g, k, [row for row in there if not is_late(g, k, row)])
    act_elsewhere(g)


def has_augmented_himself(g: BattleCore, k: int, unit: int) -> bool:
    """Whether the effect of row ``k`` is one that a character has cast on himself and his unit and does not keep up."""
    effect, himself = effect_of(g, k), (unit, whose_form(g, unit))
    own = g.effects.unit[k] == unit and g.effects.caster[k] in himself and effect.on is On.BESIDES
    return own and not effect.while_caster_lives


def is_late(g: BattleCore, k: int, unit: int) -> bool:
    """Whether a unit has come to stand with those that the effect of row ``k`` is on since it began."""
    return bool(g.effects.late[k] & bit_of(g, unit))


def pass_to(g: BattleCore, k: int, heirs: Sequence[int]) -> None:
    """The effect of row ``k`` acts on each of these units in place of the one that it is on, unless one of its name is
    on that already; on characters wherever they stand. One that adds up acts on the first alone, as it would count
    twice where they stand together. Nothing happens if there is no heir.
    """
    e, effect = g.effects, effect_of(g, k)
    others = {e.unit[row] for row in rows_in_use(g) if effect_of(g, row).name == effect.name}
    free = heirs[:1] if effect.adds_up else [heir for heir in heirs if heir not in others]
    for n, heir in enumerate(free):
        row = copied(g, k) if n else k
        twin = replace(effect, on=On.BESIDES if is_character(g, heir) else On.UNIT)
        e.unit[row] = heir
        if twin in effects_of(g):
            e.effect[row] = number_of(g, twin)
