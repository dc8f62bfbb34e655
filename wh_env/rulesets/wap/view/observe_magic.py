"""The fields that observations have of magic: pools of dice, wizards and their spells, effects, and castings.

Nothing of magic is secret (wap.magic.spells.open). Battles without magic read 0. Which of several things there are is
told in one number: 1/2 for the first, 1/4 for the second and so on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from wh_env.core.battle import BattleCore
from wh_env.core.features import UNITS, Field
from wh_env.core.procedures import beneath
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.carried import item_at, items_of
from wh_env.rulesets.wap.basics.effects import acting_on, effect_of, effects_of
from wh_env.rulesets.wap.basics.marks import marks_in_use
from wh_env.rulesets.wap.codes import KNOWN
from wh_env.rulesets.wap.magic.casting import Cast, SpellDice, needed_for
from wh_env.rulesets.wap.magic.dispelling import Dispel
from wh_env.rulesets.wap.magic.in_play import in_play
from wh_env.rulesets.wap.magic.spell_dice import chance_of
from wh_env.rulesets.wap.magic.spells import Kind
from wh_env.rulesets.wap.magic.wizards import bonus_of, is_bound, level_of, rows_of, spell_at
from wh_env.rulesets.wap.tables import MOST_LEVEL, MOST_LORES

EACH = "1/2 + 1/4 + ..."  # the unit of numbers that tell which of several things there are
POOL, TOTAL, DICE = 40.0, 40.0, 12.0  # dice of a pool, results of dice, and dice of an attempt that read as 1
MOST_FATE = 8  # dice to be rolled again that are told apart
MOST_KEPT = 3  # dice in items that are told apart
RADIUS, MARKERS = 12.0, 8.0  # inches and markers that read as 1
ALLIED = 64.0  # more dice than one army has
ALLIES = "/ 64 + / 4096 + ..."
HARMFUL = (Kind.MISSILE, Kind.DAMAGE, Kind.VORTEX)

GLOBALS = (
    Field("own_dice", "dice left in the own pool of power or dispel dice", "/ 40"),
    Field("enemy_dice", "dice left in the other seat's pool", "/ 40"),
    Field("own_share", "of these, dice that only the first of the own armies may use", "/ 40"),
    Field("enemy_share", "... only the first of the other seat's armies", "/ 40"),
    Field("own_shares", "dice that only the second of the own armies may use, the third, ...", ALLIES),
    Field("enemy_shares", "... the second of the other seat's armies, the third, ...", ALLIES),
    Field(
        "mark_x",
        "middle of the vortex or the marker that a spell has left on the table, from the middle of the table; of "
        "several the first one is told",
        "half table length",
        low=-1.0,
    ),
    Field("mark_y", "middle of the vortex or the marker, from the middle of the table", "half table width", low=-1.0),
    Field("mark_radius", "radius of the vortex; 0: it is a marker", "in / 12"),
    Field("mark_count", "markers at that point", "/ 8"),
    Field("mark_of", "slot of the wizard whose spell it is plus 1; negative for the other seat's", "/ 32", low=-1.0),
    Field("mark_spell", "that spell: its place among those of its wizard, plus 1", "/ 32"),
)
MARK = tuple(field for field in GLOBALS if field.name.startswith("mark_"))
UNIT = (
    Field("wizard", "its wizard level", "/ 4"),
    Field("knows", "the spells that it knows, in the order of its lores, bound spells last", EACH),
    Field("tried", "its spells that were tried in this turn, in that order", EACH),
    Field("keeps", "its spells that remain in play, in that order", EACH),
    Field(
        "state",
        "in this phase it casts no more own spells, no more bound ones, dispels no more; it was turned to gold; its "
        "will adds to its roll, takes from it; its armour draws the spell by 1, by 2; it may roll 1 die again, 2, ..., "
        "8; its items keep 1 die for the next phase, 2, 3; they give 1 die to the spell, or act on it or in this "
        "phase, 2, 3",
        EACH,
    ),
    Field(
        "struck", "lores that have hit it in this phase, whose lightning has, and that of the spell resolved now", EACH
    ),
    Field("helped", "effects of its own side that act on it, in the order of the battle's spells", EACH),
    Field("hexed", "effects of the other side that act on it, in that order", EACH),
)
DECISION = (
    Field("spell", "the spell that is cast or dispelled: its place among those of its wizard", "/ 32"),
    Field("needed", "total of the dice that casts or dispels it", "/ 40"),
    Field("most_dice", "the most dice that can be used", "/ 12"),
    Field("chance", "the chance to cast or dispel it with all of them", "share"),
    Field("harms", "the spell is a missile, direct damage or a vortex"),
    Field("hexes", "the spell is a hex"),
    Field(
        "spell_target",
        "slot of the unit that is its target plus 1; negative for units of the player who is not asked",
        "/ 32",
        low=-1.0,
    ),
)


def which(numbers: Iterable[int]) -> float:
    """Which of several things there are, by their numbers from 0 on."""
    return sum(2.0 ** -(n + 1) for n in set(numbers))


def fill_magic(g: BattleCore, seat: int, globals_at: int, own: int, enemy: int, stride: int, out: Array) -> None:
    """Write the fields of the pools and of the units.

    Args:
        seat: the player who sees. globals_at, own, enemy: where they begin in ``out``, ``own`` and ``enemy`` in the row
            of slot 0. stride: from one row of units to the next.
    """
    for n, player in enumerate((seat, 1 - seat)):
        out[globals_at + n] = min(1.0, g.pools.dice[player] / POOL)
        shares = [dice for dice, owner in zip(g.armies.dice, g.armies.player, strict=True) if owner == player]
        if shares:
            out[globals_at + 2 + n] = min(1.0, shares[0] / POOL)
            out[globals_at + 4 + n] = sum(dice / ALLIED ** (at + 1) for at, dice in enumerate(shares[1:]))
        for slot, unit in enumerate(list(g.units_of(player))[:UNITS]):
            at = (own, enemy)[n] + slot * stride
            out[at : at + len(UNIT)] = unit_values(g, unit)
    if found := marks_in_use(g):
        end = globals_at + len(GLOBALS)
        out[end - len(MARK) : end] = mark_values(g, seat, found[0])


def mark_values(g: BattleCore, seat: int, k: int) -> list[float]:
    """The values of the fields of the mark of row ``k``."""
    m, length, width = g.omens, g.setup.length, g.setup.width
    row, turn = m.row[k] - 1, 1.0 if g.clock.attacker[0] == seat else -1.0
    unit = g.spellbook.unit[row]
    owner, place = g.units.owner[unit], row - g.wizards.first_spell[unit]
    slot = unit - g.players.first_unit[owner] + 1
    return [
        max(-1.0, min(1.0, turn * (2 * m.x[k] / length - 1))),
        max(-1.0, min(1.0, turn * (2 * m.y[k] / width - 1))),
        min(1.0, m.radius[k] / RADIUS),
        min(1.0, m.count[k] / MARKERS),
        (slot if owner == seat else -slot) / UNITS,
        min(1.0, (place + 1) / UNITS),
    ]


def unit_values(g: BattleCore, unit: int) -> list[float]:
    """The values of the fields of a unit."""
    w, book, first = g.wizards, g.spellbook, g.wizards.first_spell[unit]
    rows = rows_of(g, unit)
    kept = in_play(g) if len(rows) else []
    struck = w.hit_by[unit] | w.chained[unit] << MOST_LORES | w.hit_now[unit] << 2 * MOST_LORES
    sides = [list[int](), list[int]()]
    names = list(dict.fromkeys(effect.name for effect in effects_of(g)))
    for k in acting_on(g, unit):
        sides[g.effects.player[k] != g.units.owner[unit]].append(names.index(effect_of(g, k).name))
    return [
        level_of(g, unit) / MOST_LEVEL,
        which(row - first for row in rows if book.known[row] == KNOWN),
        which(row - first for row in rows if book.tried[row]),
        which(row - first for row in kept if book.unit[row] == unit),
        which(n for n, holds in enumerate(state_of(g, unit)) if holds),
        which(n for n in range(3 * MOST_LORES) if struck >> n & 1),
        *map(which, sides),
    ]


def state_of(g: BattleCore, unit: int) -> tuple[bool, ...]:
    """What holds of a unit, in the order of the field ``state``."""
    w = g.wizards
    flags = (w.cannot_cast[unit], w.cannot_cast_bound[unit], w.cannot_dispel[unit], w.gilded[unit])
    will, drawn, fate = w.will[unit], w.drawn[unit], w.fate[unit]
    rolls = (fate > n for n in range(MOST_FATE))
    kept = (dice > n for dice in charges(g, unit) for n in range(MOST_KEPT))
    return *map(bool, flags), will > 0, will < 0, drawn == 1, drawn > 1, *rolls, *kept


def charges(g: BattleCore, unit: int) -> tuple[int, int]:
    """The dice that items of a unit keep for the next phase, and what its other items do now: each the dice that it
    gives, or 1.
    """
    kept = acts = 0
    for k, charge in enumerate(g.items.charge.tolist()) if items_of(g) else ():
        if charge and g.items.unit[k] == unit:
            if item_at(g, k).aids.stores:
                kept += charge
            else:
                acts += charge
    return kept, acts


# ---------------------------------------------------------------- decisions


def decision_values(g: BattleCore) -> Mapping[str, float]:
    """The values of the fields of the waiting decision; none if it is not about one spell."""
    name, f = g.setup.ruleset.kinds[g.clock.kind[0]].name, g.frame
    if name in ("spell-target", "bound-die", "spell-dice", "spell-version"):
        return cast_values(g, f, name)
    return dispel_values(g, f) if name in ("dispel-by", "dispel-dice") else {}


def cast_values(g: BattleCore, f: int, name: str) -> dict[str, float]:
    """The values for a spell that is being cast."""
    unit, row, target = g.stack[f + Cast.UNIT], g.stack[f + Cast.ROW] - 1, g.stack[f + Cast.TARGET] - 1
    found = spell_values(g, row, target, g.units.owner[unit])
    if name in ("bound-die", "spell-dice"):
        most = SpellDice.most(g, f)
        bonus = 0 if is_bound(g, row) else bonus_of(g, unit)
        found.update(dice_values(needed_for(g, f) - bonus, most, SpellDice.chance(g, f, most)))
    return found


def dispel_values(g: BattleCore, f: int) -> dict[str, float]:
    """The values for a spell that may be dispelled: one that was just cast, or one in play."""
    player, row, target = g.stack[f + Dispel.PLAYER], g.stack[f + Dispel.ROW] - 1, -1
    if row < 0:
        casting = Cast.casting(g, beneath(f))
        row, target = casting.row, casting.target
    needed, most = g.stack[f + Dispel.VALUE] - Dispel.bonus(g, f), Dispel.most(g, f)
    return {**spell_values(g, row, target, player), **dice_values(needed, most, chance_of(most, needed))}


def spell_values(g: BattleCore, row: int, target: int, player: int) -> dict[str, float]:
    """The values for a spell and its target, as the player who is asked has them. ``target``: -1 for none."""
    spell, place = spell_at(g, row), row - g.wizards.first_spell[g.spellbook.unit[row]]
    found = {"spell": min(1.0, (place + 1) / UNITS), "harms": float(spell.kind in HARMFUL)}
    found["hexes"] = float(spell.kind is Kind.HEX)
    if target >= 0:
        side = g.units.owner[target]
        slot = target - g.players.first_unit[side] + 1
        found["spell_target"] = (slot if side == player else -slot) / UNITS
    return found


def dice_values(needed: int, most: int, chance: float) -> dict[str, float]:
    """The values for the dice of an attempt."""
    return {"needed": max(0.0, min(1.0, needed / TOTAL)), "most_dice": min(1.0, most / DICE), "chance": chance}
