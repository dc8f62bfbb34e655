"""Effects that wait for a unit to move, flee or pursue (wap.lore.fire.flame-cage.trap)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.effects import effect_of, end_effect, is_any_with, rows_in_use, stands_where
from wh_env.rulesets.wap.codes import Phase


def moves(g: BattleCore, unit: int) -> None:
    """A unit has moved, to join another one at most. Only moves in a Movement phase count."""
    if g.clock.phase[0] == Phase.MOVEMENT:
        flees_or_pursues(g, unit)


def flees_or_pursues(g: BattleCore, unit: int) -> None:
    """A unit has moved in a flight or a pursuit. What waits for that happens, and is over; losses are pushed. Of
    several effects of one name one happens (wap.magic.same-spell).
    """
    if not is_any_with(g, "trap") or g.units.place[stands_where(g, unit)] != ON_TABLE:
        return
    met = set[str]()
    for k in list(rows_in_use(g)):
        effect = effect_of(g, k)
        if effect.trap is not None and unit in (g.effects.unit[k], stands_where(g, g.effects.unit[k])):
            if effect.name not in met:
                effect.trap.happen(g, k, unit)
            met.add(effect.name)
            end_effect(g, k)
