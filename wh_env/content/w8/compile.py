"""From a loaded battle of the 8th edition to a ``Setup``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from wh_env.content.classic.compile import compile_plan
from wh_env.content.classic.fielding import FieldedUnit
from wh_env.content.classic.powers import profile_of
from wh_env.content.errors import ContentError
from wh_env.content.w8.load import LoadedBattle
from wh_env.content.w8.muster import Muster
from wh_env.content.w8.rules import OWN_RULES
from wh_env.content.w8.schema import Affliction as AfflictionSpec
from wh_env.content.w8.schema import Datasheet
from wh_env.content.w40k.compile import Plan, battle_plan, first_rows
from wh_env.content.w40k.load import source_of, written, written_army
from wh_env.content.w40k.rules import checked_rules
from wh_env.core.setup import Delegate, Setup
from wh_env.rulesets.w8.ability.afflictions import AT_THE_START, Affliction
from wh_env.rulesets.w40k.edition import Edition
from wh_env.rulesets.w40k.psychic.data import MOST_POWERS, SMITE, PsychicProfile


def psychic_of(armies: Sequence[Muster]) -> dict[int, PsychicProfile]:
    """What each unit of psykers can do in the Psychic phase, by unit row (w8.psychic.allowance).

    Raises:
        ContentError: they know more powers than a battle holds.
    """
    found: dict[int, PsychicProfile] = {}
    for first, army in zip(first_rows([army.units for army in armies]), armies, strict=True):
        for row, unit in enumerate(army.units, first):
            if unit.psyker is not None:
                found[row] = profile_of(unit.psyker, army.disciplines)
    powers = {SMITE, *(power for profile in found.values() for power in profile.every_power)}
    if len(powers) > MOST_POWERS:
        expected = f"at most {MOST_POWERS} psychic powers that units know or may select"
        raise ContentError("<battle>", "armies", len(powers), expected, "powers are too many")
    return found


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
    units = first_rows([*(army.units for army in loaded.armies), ()])[-1]
    checked = checked_rules(edition, edition.core_rules, rules, own=OWN_RULES, units=units)
    armies = [
        {**written_army(each.army, each.units), "disciplines": [written(own) for own in each.disciplines]}
        for each in loaded.armies
    ]
    plan: Plan[FieldedUnit] = battle_plan(edition, loaded, checked, delegates, {}, source_of(loaded, armies, checked))
    timed = (*plan.timed, *afflictions_of(loaded.armies))
    return replace(plan, psychic=psychic_of(loaded.armies), timed=timed)


def compile_battle(
    edition: Edition,
    loaded: LoadedBattle,
    rules: Mapping[str, object] | None = None,
    delegates: Mapping[str, Delegate] | None = None,
) -> Setup:
    """The Setup of a loaded battle, played by ``edition``.

    ``rules`` overrides numbers and switches by name (see ``Edition.core_rules``).
    """
    return compile_plan(plan_of(edition, loaded, {} if rules is None else rules, delegates or {}))
