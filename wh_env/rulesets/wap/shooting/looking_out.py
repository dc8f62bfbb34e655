"""Units that look out for a lone character who is hit by shooting (wap.character.lone.look-out-sir)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.blocks import distance
from wh_env.rulesets.wap.basics.combined_unit import units_within
from wh_env.rulesets.wap.basics.joined import is_character

NEAR = 3.0  # inches within which a unit can look out for a lone character
SOLDIERS = 5  # ordinary models that hide a character, or look out for one
WARNED = 4  # the least die with which another unit takes a hit


def looking_out(g: BattleCore, character: int) -> list[int]:
    """The units that can take hits for a lone character, the nearest first: those of enough models of his troop type,
    characters among them (wap.character.lone.look-out-sir).
    """
    u = g.units
    if not is_character(g, character) or u.block[character] != 1 or u.place[character] != ON_TABLE:
        return []
    near = [
        (distance(g, character, unit), unit)
        for unit in g.units_of(u.owner[character])
        if unit != character
        and u.place[unit] == ON_TABLE
        and u.kind[unit] == u.kind[character]
        and sum(u.alive[row] for row in units_within(g, unit) if u.kind[row] == u.kind[unit]) >= SOLDIERS
    ]
    return [unit for apart, unit in sorted(near) if apart <= NEAR + EPS]


def shares_of_hits(g: BattleCore, unit: int) -> dict[int, float]:
    """The share of the hits of shooting on a unit that each unit takes on average: the nearest one that looks out for a
    lone character takes half of his.
    """
    near = looking_out(g, unit)
    return {unit: 0.5, near[0]: 0.5} if near else {unit: 1.0}


def is_warned(g: BattleCore, character: int, unit: int) -> bool:
    """Roll whether a unit takes a hit for a lone character."""
    die = g.d6()
    if g.recorder is not None:
        told = {"amount": 1, "needed": WARNED, "rolls": (die,), "result": int(die >= WARNED)}
        g.note("wap.character.lone.look-out-sir", "looks out", unit=unit, target=character, **told)
    return die >= WARNED


def hits_taken_for(g: BattleCore, character: int, hits: int) -> int:
    """How many of the hits of a template or a ball on a lone character the nearest unit takes that looks out for him.
    It tries hit by hit; nobody is asked.
    """
    near = looking_out(g, character)
    return sum(is_warned(g, character, near[0]) for _ in range(hits)) if near else 0
