"""Carrying out effects of rules that are data: an enumerated effect with a unit and an amount (``Edition.effects``)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.w40k.edition import edition


def take_effect(g: BattleCore, effect: str, owner: int, unit: int, amount: int) -> None:
    """Carry out an effect of the battle's edition, for ``owner``, on ``unit``.

    Raises:
        ValueError: there is no such effect.
    """
    known = edition(g).effects
    if effect not in known:
        raise ValueError(f"effect {effect!r}: one of {', '.join(known)} was expected")
    known[effect](g, owner, unit, amount)
