"""The rows of units, models and fighting profiles of a battle, filled from its mustered units."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

import numpy as np

from wh_env.content.wap.load import troop_types
from wh_env.content.wap.outfits import (
    Line,
    crew_of,
    fighting_lines,
    slowed_by,
    strength_of_model,
    unit_abilities_of,
)
from wh_env.content.wap.regiment import Regiment
from wh_env.content.wap.schema_units import Card, TroopType
from wh_env.core.tables import ATTACHED, RECT, Array
from wh_env.rulesets.wap.codes import BODIES, CHARACTERISTICS, MOUNTS, ROLES, SKIRMISH, TROOP_TYPES
from wh_env.rulesets.wap.rule_book import ETHEREAL, FLY, LARGE_TARGET, SKIRMISHERS
from wh_env.rulesets.wap.special.skirmishers import GAP
from wh_env.rulesets.wap.tables import PARTS, PROFILE

HEIGHT = 1.0  # inches of every figure; nothing in the rules asks for it


def model_names(unit: Regiment) -> list[str]:
    """Names of the models of a unit, command models first."""
    return [*unit.command, *(str(n + 1) for n in range(len(unit.command), unit.models))]


def fill_units(
    chosen: Sequence[tuple[int, Regiment]], units: Array, models: Array, lines: Array, parts: Array
) -> Array:
    """Fill the rows of units, models, lines and parts; returns the profiles of the lines, one for each line."""
    profiles = np.zeros(len(lines), PROFILE)
    types = troop_types()
    k = line = 0
    for row, (player, unit) in enumerate(chosen):
        r, card, troop = units[row], unit.card, types.row(unit.card.type)
        across, deep = card.base
        r["owner"], r["first"], r["count"], r["points"] = player, k, unit.models, unit.points
        r["alive"] = r["strength"] = r["alive_phase"] = r["block"] = unit.models
        r["base_a"], r["base_b"] = 0.5 * deep, 0.5 * across
        r["kind"], r["sight"] = TROOP_TYPES.index(card.type), sight_of(card, troop)
        r["each"] = strength_of_model(card, troop)
        r["full_rank"], r["wide"] = troop.full_rank, unit.files
        r["us"] = r["us_phase"] = r["us_start"] = unit.models * r["each"]
        fighting = fighting_lines(unit, troop)
        r["first_line"], r["lines"] = line, len(fighting)
        abilities = unit_abilities_of(card, troop)
        if SKIRMISHERS in abilities:
            r["shape"], r["spacing"] = SKIRMISH, GAP
        r["first_part"] = row * PARTS
        for part in parts[row * PARTS : (row + 1) * PARTS]:
            part["unit"], part["owner"], part["shape"] = row, player, RECT
        fill_lines(lines, profiles, line, row, unit, fighting)
        profiles["free"][line : line + len(fighting)] = ETHEREAL in abilities
        fill_models(models, k, row, player, unit, line, troop)
        k, line = k + unit.models, line + len(fighting)
    own = sum(1 for player, _ in chosen if player == 0)
    for row, (player, unit) in enumerate(chosen):
        if unit.drives >= 0:
            host = unit.drives + player * own
            units[row]["place"], units[row]["bodyguard"], units[row]["drives"] = ATTACHED, host, 1
            units[host]["block"] += 1
            units[host]["us"] += units[row]["each"]
    return profiles


def sight_of(card: Card, troop: TroopType) -> int:
    """Line of Sight value of the troop type, or that which a Large Target names (wap.special.large-target)."""
    told = unit_abilities_of(card, troop).get(LARGE_TARGET, ())
    return int(told[0]) if told and told[0].isdigit() else troop.los


def fill_lines(lines: Array, profiles: Array, first: int, row: int, unit: Regiment, fighting: Sequence[Line]) -> None:
    """Fill the fighting profiles of a unit; riders move as their mounts do."""
    for at, (kind, profile, number) in enumerate(fighting, first):
        lines[at]["unit"], lines[at]["kind"], lines[at]["number"] = row, kind, number
        for name in CHARACTERISTICS:
            lines[at][name] = profiles[at][name] = getattr(profile, name)
        if unit.card.mount is None or kind == MOUNTS:
            lines[at]["m"] = profiles[at]["m"] = moves(profile.m, unit.kit)


def moves(movement: int, kit: Sequence[str]) -> int:
    """Movement with this equipment (wap.armour.barding); at least 1 if ``movement`` is positive."""
    return max(min(1, movement), movement - slowed_by(kit))


def wings_of(unit: Regiment) -> int:
    """Inches that the models of a unit fly, slowed by what they carry (wap.special.fly.move); 0: they do not fly."""
    told = unit_abilities_of(unit.card, troop_types().row(unit.card.type)).get(FLY, ())
    return moves(max(map(int, told)), unit.kit) if told else 0


def fill_models(models: Array, first: int, row: int, player: int, unit: Regiment, line: int, troop: TroopType) -> None:
    """Fill the rows of a unit's models: command models first, then the others.

    The higher Wounds of rider and mount count (wap.troop.cavalry.attacked).
    """
    card = unit.card
    across, deep = card.base
    move = moves((card.mount or card.profile).m, unit.kit)
    for n in range(unit.models):
        m = models[first + n]
        role = ROLES[unit.command[n]] if n < len(unit.command) else 0
        m["half_a"], m["half_b"], m["radius"] = 0.5 * deep, 0.5 * across, hypot(0.5 * deep, 0.5 * across)
        m["shape"], m["height"], m["move"] = RECT, HEIGHT, move
        m["unit"], m["owner"], m["alive"] = row, player, 1
        own = card.body.w if TROOP_TYPES.index(card.type) in BODIES else max(card.profile.w, card.body.w)
        m["wounds"] = m["max_wounds"] = max(1, own if card.machine is None else crew_of(card))
        m["role"], m["line"] = role, line + (1 if role == ROLES["champion"] else 0)
        m["keywords"] = 1 << TROOP_TYPES.index(troop.type)
