"""Compiles a loaded battle of the 9th edition to a ``Setup``: datasheets and missions become rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from wh_env.content.classic.compile import psychic_of
from wh_env.content.classic.fielding import FieldedUnit
from wh_env.content.errors import ContentError
from wh_env.content.w9.load import LoadedBattle
from wh_env.content.w9.muster import Muster
from wh_env.content.w9.rules import OWN_RULES
from wh_env.content.w40k.compile import Plan, battle_plan, first_rows
from wh_env.core.setup import Delegate
from wh_env.rulesets.w9.stratagems.book import FACTION
from wh_env.rulesets.w40k.edition import Edition
from wh_env.rulesets.w40k.sequence.sequencing import TimedRule


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
    beside = ("disciplines", "stratagems")
    plan: Plan[FieldedUnit] = battle_plan(edition, loaded, rules, delegates, numbers, OWN_RULES, beside)
    psychic_actions = tuple(each.action for each in mission.psychic_actions)
    return replace(
        plan,
        psychic=psychic_of(loaded.armies, psychic_actions),
        psychic_actions=psychic_actions,
        actions=tuple(each.action for each in mission.actions),
        timed=(*plan.timed, *splits_of(loaded.armies)),
    )
