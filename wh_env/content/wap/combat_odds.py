"""The exact distribution of one round of close combat between two units, by the names of their cards."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi

from wh_env.content.errors import ContentError, unknown
from wh_env.content.load import names
from wh_env.content.wap.compile import Plan, compile_plan
from wh_env.content.wap.load import load_mission, load_rules, load_sheet
from wh_env.content.wap.muster import fault_of_formation, files_of
from wh_env.content.wap.regiment import Regiment
from wh_env.content.wap.schema_units import Entry
from wh_env.core.battle import BattleCore
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.blocks import set_block
from wh_env.rulesets.wap.basics.contacts import meet
from wh_env.rulesets.wap.view.odds import Odds, round_odds

SIZE = (72.0, 48.0)


@dataclass(frozen=True)
class Fight:
    """Two units front to front, their middles aligned, and the result of one round.

    Attributes:
        names, models, files: of each unit.
        charged: whether the first unit has charged.
        later: whether it is a later round than the first.
        odds: of wounds lost.
    """

    names: tuple[str, str]
    models: tuple[int, int]
    files: tuple[int, int]
    charged: bool
    later: bool
    odds: Odds


def regiment_named(card: str, models: int | None, files: int | None) -> Regiment:
    """A unit of a card of the shipped army sheets, without a command group.

    It has ``models`` models, or the smallest allowed number.

    Raises:
        ContentError: there is no such card, or it cannot have that many models or files.
    """
    sheets = [load_sheet(name) for name in names("factions", "wap")]
    known = {name: sheet for sheet in sheets for name in sheet.cards}
    if card not in known:
        raise unknown("<call>", "card", card, known)
    sheet = known[card]
    entry = Entry(card=card, models=sheet.cards[card].size[0] if models is None else models, files=files)
    if (fault := fault_of_formation(entry, sheet.cards[card])) is not None:
        raise ContentError("<call>", fault.field or "", fault.value, fault.expected, fault.problem)
    told = (sheet.name, sheet.alignment, card)
    return Regiment(card, sheet.cards[card], entry.models, files_of(entry), names=told)


def front_to_front(first: Regiment, second: Regiment) -> BattleCore:
    """A battle in which two units fight each other, the first facing north."""
    plan = Plan(SIZE, ([first], [second]), load_rules(), load_mission("battleline"))
    g = BattleCore(compile_plan(plan))
    for unit, (regiment, facing) in enumerate(((first, 0.5 * pi), (second, -0.5 * pi))):
        g.units.place[unit] = ON_TABLE
        set_block(g, unit, 0.5 * SIZE[0], 0.5 * SIZE[1], facing, regiment.files)
    meet(g)
    return g


def fight(
    first: str,
    second: str,
    *,
    models: tuple[int | None, int | None] = (None, None),
    files: tuple[int | None, int | None] = (None, None),
    charged: bool = False,
    later: bool = False,
) -> Fight:
    """One round of combat between two units.

    Raises:
        ContentError: a card is not known, or cannot have that many models or files.
    """
    units = [regiment_named(*told) for told in zip((first, second), models, files, strict=True)]
    g = front_to_front(units[0], units[1])
    g.units.charging[0] = charged
    g.units.rounds[0] = g.units.rounds[1] = later
    return Fight(
        (first, second),
        (units[0].models, units[1].models),
        (units[0].files, units[1].files),
        charged,
        later,
        round_odds(g, 0, 1),
    )
