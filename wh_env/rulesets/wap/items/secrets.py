"""What the enemy does not know of magic items while army lists are hidden (wap.army.list.hidden)."""

from __future__ import annotations

from collections.abc import Iterator

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import Hidden
from wh_env.rulesets.wap.basics.by_magic import functions_of
from wh_env.rulesets.wap.basics.carried import item_at
from wh_env.rulesets.wap.basics.effects import effect_of, is_under, rows_in_use
from wh_env.rulesets.wap.basics.secret_items import acts_all_the_time, secrets_in
from wh_env.rulesets.wap.codes import CHARACTERISTICS

# kinds of decisions that are asked about an item
QUESTIONS = ("use-item", "name-rival", "store-dice", "luck-die", "earth-miscast", "save-again")
CASTING = ("cast-by", "cast-spell")  # ... that would tell of an unknown item that holds a spell


def unknown_rows(g: BattleCore, seat: int) -> list[int]:
    """The rows of the items that a seat does not know."""
    rows = zip(g.items.unit.tolist(), g.items.seen.tolist(), strict=True)
    return [k for k, (unit, seen) in enumerate(rows) if not seen and g.units.owner[unit] != seat]


def secrets(g: BattleCore, seat: int) -> Iterator[Hidden]:
    """What a seat cannot see of the enemy's items: the items, what they change and what they do, and whether their
    bearers are asked to use them.
    """
    found = secrets_in(g)
    unknown = [] if found is None else unknown_rows(g, seat)
    if found is None or not unknown:
        return
    bearers = {g.items.unit[k] for k in unknown}
    yield from (Hidden("items", ("item", "charge"), k, k + 1) for k in unknown)
    changed = {g.items.unit[k] for k in unknown if acts_all_the_time(g, k)}
    for cell in found.cells:
        if cell.unit in changed:
            yield Hidden(cell.table, (cell.column,), cell.row, cell.row + 1)
    yield from (Hidden("spellbook", ("known", "tried"), row, row + 1) for k, row in found.spells if k in unknown)
    names = {(g.items.unit[k], item_at(g, k).name) for k in unknown if g.items.item[k] >= 0}
    for k in rows_in_use(g):
        if (g.effects.caster[k], effect_of(g, k).name) in names:
            yield Hidden("effects", (), k, k + 1)
            yield from profiles_under(g, k)
    if g.clock.asking[0] and g.clock.player[0] != seat:
        name = g.setup.ruleset.kinds[g.clock.kind[0]].name
        rows = [row for k, row in found.spells if k in unknown] if name in CASTING else []
        unit = g.clock.subject[0] if name == CASTING[1] else -1
        casts = bool(rows) and not functions_of(g).casts_without(g, g.clock.player[0], unit, rows)
        if casts or (name in QUESTIONS and g.clock.subject[0] in bearers):
            yield Hidden("clock", ("asking", "kind", "subject"), 0, 1)


def profiles_under(g: BattleCore, k: int) -> Iterator[Hidden]:
    """The profiles of units whose characteristics the effect of row ``k`` changes."""
    effect = effect_of(g, k)
    if effect.changes or effect.multiplies or effect.sets or effect.raises_by or effect.lowers_by:
        for unit in range(len(g.units.owner)):
            if is_under(g, unit, k):
                first = g.units.first_line[unit]
                yield Hidden("lines", CHARACTERISTICS, first, first + g.units.lines[unit])
