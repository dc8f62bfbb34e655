"""Wizards for scenes of the game of regiments, and how they cast spells. The lores are those of ``tests/lores``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import yaml
from heroes import hero

from wh_env import Battle
from wh_env.core.procedures import FRAME_SIZE
from wh_env.rulesets.wap.codes import KNOWN
from wh_env.rulesets.wap.magic.casting import Cast
from wh_env.rulesets.wap.magic.wizards import is_bound, rows_of, spell_at
from wh_env.testing import choose, kind, pick, slots, words
from wh_env.testing.wap import UnitHandle

TRIAL, SPARE, THIRD = (str(Path(__file__).parent / "lores" / f"{name}.yaml") for name in ("trial", "spare", "third"))
SetState = Callable[[Battle], None]


def wizard(level: int = 2, *lores: str, spells: Sequence[int] = (), together: int = 1, **values: Any) -> dict[str, Any]:
    """A wizard on foot."""
    row: dict[str, Any] = {"level": level, "lores": list(lores or (TRIAL,)), "together": together}
    if spells:
        row["spells"] = list(spells)
    return hero(**{"wizard": row, **values})


def ring(spell: str, power: int, *, lore: str = TRIAL, item: bool = True) -> list[dict[str, Any]]:
    """A bound spell, of an item or innate."""
    return [{"lore": lore, "spell": spell, "power": power, "item": item}]


def valued(folder: Path, name: str, value: int) -> str:
    """The lore of trials with another casting value of a spell, which has no boosted version; returns its path."""
    raw = yaml.safe_load(Path(TRIAL).read_text(encoding="utf-8"))
    spell = next(row for row in raw["spells"] if row["name"] == name)
    spell.update(cast=value, boosts=[])
    path = folder / "lore.yaml"
    path.write_text(yaml.safe_dump(raw), encoding="utf-8")
    return str(path)


def row_of(battle: Battle, unit: UnitHandle | int, name: str, *, bound: bool = False) -> int:
    """The row of ``spellbook`` of a spell of a unit, as its own or as a bound one."""
    rows = rows_of(battle, int(unit))
    return next(row for row in rows if spell_at(battle, row).name == name and is_bound(battle, row) == bound)


def knowing(names: dict[UnitHandle, str]) -> SetState:
    """A ``set_state`` in which wizards know spells, besides their signature spells. Commas part their names."""

    def apply(battle: Battle) -> None:
        for unit, spells in names.items():
            for name in filter(None, spells.split(",")):
                battle.spellbook.known[row_of(battle, unit, name)] = KNOWN

    return apply


def pools(battle: Battle) -> list[int]:
    """The dice in the pools of both players."""
    return list(battle.pools.dice)


def in_cast(battle: Battle, integer: int) -> int:
    """An integer of the spell that is being cast, or -1: none is."""
    kinds = battle.setup.ruleset.procedures
    frames = [n * FRAME_SIZE for n in range(battle.clock.depth[0])]
    return next((battle.stack[f + integer] for f in reversed(frames) if isinstance(kinds[battle.stack[f]], Cast)), -1)


def known_names(battle: Battle, unit: UnitHandle) -> list[str]:
    """The names of the spells that a unit knows now."""
    rows = rows_of(battle, unit.row)
    return [spell_at(battle, row).name for row in rows if battle.spellbook.known[row] == KNOWN]


def named(battle: Battle, unit: UnitHandle) -> Battle:
    """A copy in which a wizard was chosen to cast."""
    copy = battle.clone()
    choose(copy, "own", unit.number)
    return copy


def offered_spells(battle: Battle, unit: UnitHandle) -> list[str]:
    """The names of the spells that a unit could cast next; the player is asked who casts."""
    assert kind(battle) in ("cast-by", "cast-at-once"), kind(battle)
    if unit.number not in slots(battle, "own"):
        return []
    copy = named(battle, unit)
    if kind(copy) == "cast-spell":
        return [text.split(" (")[0].removesuffix(", bound") for text in words(copy).values()]
    return [spell_at(copy, in_cast(copy, Cast.ROW) - 1).name]  # the only one


def targets(battle: Battle, unit: UnitHandle, spell: str) -> set[int]:
    """The rows of the units that may be named as targets of a spell; the phase is over if nobody can cast."""
    if kind(battle) not in ("cast-by", "cast-at-once") or spell not in offered_spells(battle, unit):
        return set()
    copy = named(battle, unit)
    if kind(copy) == "cast-spell":
        pick(copy, f"{spell} (")
    if kind(copy) != "spell-target":
        return {in_cast(copy, Cast.TARGET) - 1}
    first = battle.players.first_unit
    own, enemy = slots(copy, "own"), slots(copy, "enemy")
    return {first[unit.player] + n for n in own} | {first[1 - unit.player] + n for n in enemy}


def cast(
    battle: Battle,
    unit: UnitHandle,
    spell: str,
    target: UnitHandle | None = None,
    dice: int = 1,
    *,
    bound: bool = False,
    free: bool = False,
) -> None:
    """Cast a spell with so many dice of the pool; 0: stop before the dice. What leaves no choice is not asked.
    ``bound``: as a bound spell, of two of that name. ``free``: the free die of a bound spell is used, if that is asked.
    """
    choose(battle, "own", unit.number)
    if kind(battle) == "cast-spell":
        plain = not bound and any(text.startswith(f"{spell} (") for text in words(battle).values())
        pick(battle, f"{spell} (" if plain else f"{spell}, bound (")
    if (row := in_cast(battle, Cast.ROW)) > 0:
        assert spell_at(battle, row - 1).name == spell
    if kind(battle) == "spell-target" and target is not None:
        choose(battle, "own" if target.player == unit.player else "enemy", target.number)
    assert kind(battle) == "test-will" or target is None or in_cast(battle, Cast.TARGET) in (target.row + 1, -1)
    if kind(battle) == "bound-die":
        choose(battle, *(("option", 0) if free else ("done",)))
    if kind(battle) == "test-will":
        choose(battle, "done")
    if kind(battle) == "spell-dice" and dice:
        choose(battle, "number", dice - 1)


def dispel(battle: Battle, by: UnitHandle | None, dice: int) -> None:
    """Try to dispel a spell, by a wizard or by the army alone."""
    assert kind(battle) == "dispel-by", kind(battle)
    choose(battle, "option", 0) if by is None else choose(battle, "own", by.number)
    if kind(battle) == "dispel-dice":
        choose(battle, "number", dice - 1)


def let_be(battle: Battle) -> None:
    """Do not dispel the spell that was cast."""
    assert kind(battle) == "dispel-by", kind(battle)
    choose(battle, "done")
