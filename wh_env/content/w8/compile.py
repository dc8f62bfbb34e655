"""From a loaded battle of the 8th edition to a ``Setup``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from wh_env.content.classic.compile import psychic_of
from wh_env.content.classic.fielding import FieldedUnit
from wh_env.content.w8.load import LoadedBattle
from wh_env.content.w8.muster import Muster
from wh_env.content.w8.rules import OWN_RULES
from wh_env.content.w8.schema import Affliction as AfflictionSpec
from wh_env.content.w8.schema import Datasheet
from wh_env.content.w40k.compile import Plan, battle_plan
from wh_env.core.setup import Delegate
from wh_env.rulesets.w8.ability.afflictions import AT_THE_START, Affliction
from wh_env.rulesets.w40k.edition import Edition


def afflictions_of(armies: Sequence[Muster]) -> Iterator[Affliction]:
    """Abilities that afflict enemies at the start of turns: one for each army and name, with all bearers' rows.

    The rule is w8.datasheet.lord-of-contagion.nurgles-gift.
    """
    row = 0
    for player, army in enumerate(armies):
        found: dict[str, tuple[AfflictionSpec, list[int]]] = {}
        for unit in army.units:
            sheet = unit.datasheet
            for spec in sheet.abilities.afflictions if isinstance(sheet, Datasheet) else ():
                found.setdefault(spec.name, (spec, []))[1].extend(range(row, row + len(unit.models)))
            row += len(unit.models)
        for name, (spec, bearers) in found.items():
            wounds = (spec.damage.dice, spec.damage.sides, spec.damage.plus)
            yield Affliction(
                name,
                AT_THE_START,
                player,
                "none",
                -1,
                0,
                bearers=tuple(bearers),
                keyword=spec.keyword,
                reach=spec.range,
                near=spec.near,
                needed=spec.needed,
                wounds=wounds,
            )


def plan_of(
    edition: Edition, loaded: LoadedBattle, rules: Mapping[str, object], delegates: Mapping[str, Delegate]
) -> Plan[FieldedUnit]:
    """The plan that a loaded battle compiles from."""
    plan: Plan[FieldedUnit] = battle_plan(edition, loaded, rules, delegates, {}, OWN_RULES, ("disciplines",))
    timed = (*plan.timed, *afflictions_of(loaded.armies))
    return replace(plan, psychic=psychic_of(loaded.armies), timed=timed)
