"""From a loaded battle of the 9th edition to a ``Setup``: what its datasheets and missions say, in rows."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from wh_env.content.classic.compile import compile_plan
from wh_env.content.classic.fielding import FieldedUnit
from wh_env.content.classic.schema import Psyker
from wh_env.content.errors import ContentError
from wh_env.content.w9.load import LoadedBattle
from wh_env.content.w9.muster import Muster
from wh_env.content.w9.schema import DisciplineSpec
from wh_env.content.w40k.compile import Plan
from wh_env.content.w40k.rules import checked_rules
from wh_env.content.w40k.terrain import compile_terrain
from wh_env.core.setup import Delegate, Setup
from wh_env.rulesets.w40k.edition import Edition
from wh_env.rulesets.w40k.psychic.data import MOST_POWERS, SMITE, PsychicProfile


def psychic_of(armies: Sequence[Muster]) -> dict[int, PsychicProfile]:
    """By unit row what psykers can do in the Psychic phase (w9.psychic.powers).

    Raises:
        ContentError: they know more powers than a battle holds.
    """
    found: dict[int, PsychicProfile] = {}
    rows = ((army, unit) for army in armies for unit in army.units)
    for row, (army, unit) in enumerate(rows):
        if unit.psyker is not None:
            found[row] = profile_of(unit.psyker, army.disciplines)
    powers = {SMITE, *(power for profile in found.values() for power in profile.every_power)}
    if len(powers) > MOST_POWERS:
        expected = f"at most {MOST_POWERS} psychic powers that units know or may select"
        raise ContentError("<battle>", "armies", len(powers), expected, "powers are too many")
    return found


def profile_of(psyker: Psyker, disciplines: Sequence[DisciplineSpec]) -> PsychicProfile:
    """What a datasheet says of psychic powers, with the disciplines of its army."""
    known = {each.name: each.discipline for each in disciplines}
    powers = {power.name: power for discipline in known.values() for power in discipline.powers}
    return PsychicProfile(
        manifests=psyker.manifest,
        denies=psyker.deny,
        powers=tuple(powers[name] for name in psyker.powers),
        learns=psyker.learns,
        disciplines=tuple(known[name] for name in psyker.disciplines),
        instead=known[psyker.instead] if psyker.instead is not None else None,
    )


def plan_of(
    edition: Edition, loaded: LoadedBattle, rules: Mapping[str, Any], delegates: Mapping[str, Delegate]
) -> Plan[FieldedUnit]:
    """What the loaded battle compiles from."""
    rules = checked_rules(edition, edition.core_rules, rules)
    mission, field = loaded.mission, loaded.battlefield
    by_players = rules.get("markers", "layout" if field.objectives else mission.markers.placed_by) == "players"
    numbers: dict[str, Any] = {
        "detail": loaded.config.detail,
        "rounds": mission.rounds,
        "first_scoring_round": mission.first_scoring_round,
        "vp_each_marker": mission.vp_each_marker,
        "vp_more_markers": mission.vp_more_markers,
        "vp_warlord": mission.vp_warlord,
        "crusade": mission.crusade,
        "marker_range": mission.markers.range_in,
        "marker_vertical": mission.markers.range_vertical_in,
        "marker_from_edge": mission.markers.from_edges_in,
        "marker_from_marker": mission.markers.apart_in,
        "attacker": -1 if loaded.config.attacker is None else loaded.config.attacker,
        "battle_forged": tuple(army.battle_forged for army in loaded.armies),
        "cp_at_start": tuple(army.cp for army in loaded.armies),
    }
    return Plan(
        edition=edition,
        size=field.size,
        armies=(loaded.armies[0].units, loaded.armies[1].units),
        zones=(loaded.zones.attacker, loaded.zones.defender),
        terrain=compile_terrain(field, types=edition.terrain),
        objectives=() if by_players else field.objectives,
        markers=mission.markers.number if by_players else 0,
        marker_diameter_mm=mission.markers.diameter_mm,
        rules={**numbers, **{k: v for k, v in rules.items() if k != "markers"}},
        psychic=psychic_of(loaded.armies),
        delegates=delegates,
        players=(loaded.armies[0].army.name, loaded.armies[1].army.name),
        source=source_of(loaded, rules),
    )


def source_of(loaded: LoadedBattle, rules: Mapping[str, Any]) -> str:
    """The battle as one JSON text with everything that its names refer to written out.

    Mappings keep their order: that of a unit's equipment says which of its models carries what.
    """

    def dump(model: Any) -> Any:
        return model.model_dump(mode="json", by_alias=True, exclude_none=True)

    armies = []
    for mustered in loaded.armies:
        army = dump(mustered.army)
        army["datasheets"] = [dump(s) for s in {u.datasheet.name: u.datasheet for u in mustered.units}.values()]
        army["disciplines"] = [dump(discipline) for discipline in mustered.disciplines]
        armies.append(army)
    config = dump(loaded.config)
    config["armies"] = armies
    config["mission"] = dump(loaded.mission)
    config["battlefield"] = dump(loaded.battlefield)
    config["scale"] = False
    return json.dumps({"battle": config, "rules": dict(sorted(rules.items()))}, separators=(",", ":"))


def compile_battle(
    edition: Edition,
    loaded: LoadedBattle,
    rules: Mapping[str, Any] | None = None,
    delegates: Mapping[str, Delegate] | None = None,
) -> Setup:
    """The Setup of a loaded battle, played by ``edition``; ``rules`` overrides numbers and switches by name (see
    ``Edition.core_rules``)."""
    return compile_plan(plan_of(edition, loaded, {} if rules is None else rules, delegates or {}))
