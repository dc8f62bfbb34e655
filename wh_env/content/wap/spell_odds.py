"""The exact chances of a wizard's spell at a unit straight ahead, by the names of their cards."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import pi

from wh_env.content.errors import ContentError, unknown
from wh_env.content.wap.combat_odds import SIZE, regiment_named
from wh_env.content.wap.compile import Plan, compile_plan
from wh_env.content.wap.load import load_mission, load_rules
from wh_env.content.wap.regiment import Regiment
from wh_env.content.wap.spells import load_lore
from wh_env.core.battle import BattleCore
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.blocks import set_block
from wh_env.rulesets.wap.basics.dice import part_of
from wh_env.rulesets.wap.basics.resistance import resistance_of
from wh_env.rulesets.wap.magic.spells import Aim, Casting, Kind
from wh_env.rulesets.wap.magic.wizards import MORE_DICE, MOST_BONUS, bonus_of, level_of, rows_of, spell_at
from wh_env.rulesets.wap.tables import MOST_LEVEL
from wh_env.rulesets.wap.view.odds_magic import Attempt, attempt, wounds_on_average

WIZARD, UNIT = 0, 1  # rows of the two units
FRONT = 10.0  # inches from the edge of the table to the wizard


@dataclass(frozen=True)
class SpellOdds:
    """A wizard's spell at a unit that faces him.

    Attributes:
        names: of wizard and target. level: of the wizard. models, files: of the target.
        spell: its name. values: of its versions, the base version first.
        attempts: by the number of dice, from 1 on. against, against_level: dice and level of the wizard that dispels.
        wounds: that its hits cost the target on average, for each version.
    """

    names: tuple[str, str]
    level: int
    models: int
    files: int
    spell: str
    values: tuple[int, ...]
    attempts: tuple[Attempt, ...]
    against: int
    against_level: int
    wounds: tuple[float, ...]


def wizard_named(card: str, level: int | None, spell: str) -> Regiment:
    """A wizard of a card of the shipped army sheets who uses the lore of a spell.

    Raises:
        ContentError: there is no such card, it is no wizard's or has no such level, or none of its lores has the spell.
    """
    found = regiment_named(card, None, None)
    wizard = found.card.wizard
    if wizard is None:
        raise ContentError("<call>", "attacker", card, "a card of a wizard", "is none")
    levels = sorted((wizard.level, *wizard.upgrades))
    if level is not None and level not in levels:
        raise ContentError("<call>", "level", level, "one of " + ", ".join(map(str, levels)), "is not to be had")
    known = {row.name: lore for lore in wizard.lores for row in load_lore(lore).spells}
    if spell not in known:
        raise unknown("<call>", "spell", spell, known)
    return replace(found, level=level, lores=(known[spell],))


def face_to_face(wizard: Regiment, target: Regiment, away: float) -> BattleCore:
    """A battle in which a unit faces a wizard ``away`` inches ahead."""
    sides = ([wizard], [target])
    g = BattleCore(compile_plan(Plan((SIZE[0] + away, SIZE[1]), sides, load_rules(), load_mission("battleline"))))
    for row, (regiment, x, facing) in enumerate(((wizard, FRONT, 0.0), (target, FRONT + away, pi))):
        g.units.place[row] = ON_TABLE
        set_block(g, row, x, 0.5 * SIZE[1], facing, regiment.files)
    return g


def spell_odds(
    wizard: str,
    target: str,
    spell: str,
    *,
    level: int | None = None,
    models: int | None = None,
    files: int | None = None,
    against: int = 0,
    against_level: int = 0,
) -> SpellOdds:
    """The chances of a spell on a unit that the wizard may cast it on.

    Args:
        level: of the wizard; not given: that of his card. against: dice with which the enemy dispels it.
        against_level: of the enemy's wizard, 0: the army dispels it.

    Raises:
        ContentError: a card or the spell is not known, the first is no wizard, or the target cannot have so many models
            or files.
    """
    if not 0 <= against_level <= MOST_LEVEL:
        raise ContentError("<call>", "against_level", against_level, f"0 to {MOST_LEVEL}")
    first, second = wizard_named(wizard, level, spell), regiment_named(target, models, files)
    g = face_to_face(first, second, 12.0)
    row = next(row for row in rows_of(g, WIZARD) if spell_at(g, row).name == spell)
    found = spell_at(g, row)
    values = tuple(version.value for version in found.versions)
    resists = resistance_of(g, UNIT) if found.aim is Aim.ENEMY else 0
    other = min(MOST_BONUS, part_of(against_level, 2) + resists)
    dice = range(1, level_of(g, WIZARD) + MORE_DICE + 1)
    castings = [Casting(0, WIZARD, row, found, n, UNIT, 0) for n in range(len(values))]
    harmful = found.aim is Aim.ENEMY or found.kind is Kind.VORTEX
    return SpellOdds(
        names=(wizard, target),
        level=level_of(g, WIZARD),
        models=second.models,
        files=second.files,
        spell=spell,
        values=values,
        attempts=tuple(attempt(n, values, bonus_of(g, WIZARD), against, other) for n in dice),
        against=against,
        against_level=against_level,
        wounds=tuple(wounds_on_average(g, casting, UNIT) if harmful else 0.0 for casting in castings),
    )
