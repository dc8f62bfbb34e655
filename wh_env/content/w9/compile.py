"""Compiles a loaded battle of the 9th edition to a ``Setup``: datasheets and missions become rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from wh_env.content.classic.compile import compile_plan
from wh_env.content.classic.fielding import FieldedUnit
from wh_env.content.classic.powers import profile_of
from wh_env.content.errors import ContentError
from wh_env.content.w9.load import LoadedBattle
from wh_env.content.w9.muster import Muster
from wh_env.content.w9.rules import OWN_RULES
from wh_env.content.w40k.compile import Plan, battle_plan, first_rows
from wh_env.content.w40k.load import source_of, written, written_army
from wh_env.content.w40k.rules import checked_rules
from wh_env.core.setup import Delegate, Setup
from wh_env.rulesets.w9.stratagems.book import FACTION
from wh_env.rulesets.w40k.edition import Edition
from wh_env.rulesets.w40k.psychic.data import MOST_POWERS, SMITE, PsychicPower, PsychicProfile
from wh_env.rulesets.w40k.sequence.sequencing import TimedRule


def psychic_of(armies: Sequence[Muster], actions: Sequence[PsychicPower] = ()) -> dict[int, PsychicProfile]:
    """What each unit of psykers can manifest, deny and know in the Psychic phase, by unit row (w9.psychic.powers).

    ``actions`` are the psychic actions of the mission.

    Raises:
        ContentError: they know more powers than a battle holds.
    """
    found: dict[int, PsychicProfile] = {}
    for first, army in zip(first_rows([army.units for army in armies]), armies, strict=True):
        for row, unit in enumerate(army.units, first):
            if unit.psyker is not None:
                found[row] = profile_of(unit.psyker, army.disciplines)
    powers = {SMITE, *actions, *(power for profile in found.values() for power in profile.every_power)}
    if len(powers) > MOST_POWERS:
        expected = f"at most {MOST_POWERS} psychic powers that units know or may select"
        raise ContentError("<battle>", "armies", len(powers), expected, "powers are too many")
    return found


def stratagems_of(armies: Sequence[Muster]) -> tuple[dict[str, Any], ...]:
    """The Stratagems of the Factions in a battle, with a flag for each player: whether he has access.

    The rules are (w9.stratagem.faction, .sub-faction).

    Raises:
        ContentError: they are more than a battle holds.
    """
    offered = [dict.fromkeys((spec.faction or army.keyword, spec) for spec in army.stratagems) for army in armies]
    found = [
        {
            **dict(spec),
            "faction": keyword,
            "access": tuple(
                (keyword, spec) in own and army.has_access(keyword, spec.sub_faction)
                for own, army in zip(offered, armies, strict=True)
            ),
        }
        for keyword, spec in {**offered[0], **offered[1]}
    ]
    found = [row for row in found if any(row["access"])]
    if len(found) > len(FACTION):
        expected = f"at most {len(FACTION)} Stratagems of Factions that players have access to"
        raise ContentError("<battle>", "armies", len(found), expected, "Stratagems are too many")
    return tuple(found)


def splits_of(armies: Sequence[Muster]) -> Iterator[TimedRule]:
    """The timed rules by which units may split (w9.rare.split-units)."""
    firsts = first_rows([army.units for army in armies])
    for player, (first, army) in enumerate(zip(firsts, armies, strict=True)):
        for row, unit in enumerate(army.units, first):
            rule = unit.datasheet.abilities.splits
            if rule is not None and unit.splits:
                yield TimedRule(rule.name, rule.when, player, "split", row, unit.splits)


def plan_of(
    edition: Edition, loaded: LoadedBattle, rules: Mapping[str, Any], delegates: Mapping[str, Delegate]
) -> Plan[FieldedUnit]:
    """The plan that a loaded battle compiles from."""
    units = first_rows([*(army.units for army in loaded.armies), ()])[-1]
    rules = checked_rules(edition, edition.core_rules, rules, own=OWN_RULES, units=units)
    mission = loaded.mission
    numbers = {
        "first_scoring_round": mission.first_scoring_round,
        "vp_each_marker": mission.vp_each_marker,
        "vp_more_markers": mission.vp_more_markers,
        "vp_warlord": mission.vp_warlord,
        "crusade": mission.crusade,
        "battle_forged": tuple(army.battle_forged for army in loaded.armies),
        "cp_at_start": tuple(army.cp for army in loaded.armies),
        "faction_stratagems": stratagems_of(loaded.armies),
    }
    plan: Plan[FieldedUnit] = battle_plan(edition, loaded, rules, delegates, numbers, written_out(loaded, rules))
    psychic_actions = tuple(each.action for each in mission.psychic_actions)
    return replace(
        plan,
        psychic=psychic_of(loaded.armies, psychic_actions),
        psychic_actions=psychic_actions,
        actions=tuple(each.action for each in mission.actions),
        timed=(*plan.timed, *splits_of(loaded.armies)),
    )


def written_out(loaded: LoadedBattle, rules: Mapping[str, Any]) -> str:
    """The battle as one JSON text with all content that it refers to, psychic disciplines included."""
    armies = [
        {
            **written_army(each.army, each.units),
            "disciplines": [written(own) for own in each.disciplines],
            "stratagems": [written(own) for own in each.stratagems],
        }
        for each in loaded.armies
    ]
    return source_of(loaded, armies, rules)


def compile_battle(
    edition: Edition,
    loaded: LoadedBattle,
    rules: Mapping[str, Any] | None = None,
    delegates: Mapping[str, Delegate] | None = None,
) -> Setup:
    """The Setup of a loaded battle, played by ``edition``.

    ``rules`` overrides numbers and switches by name (see ``Edition.core_rules``).
    """
    return compile_plan(plan_of(edition, loaded, {} if rules is None else rules, delegates or {}))
