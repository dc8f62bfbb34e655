"""How often models attack and shoot, and who strikes first (wap.profile.a, .i, .zero)."""

from __future__ import annotations

from collections.abc import Iterable

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.needed import AUTOMATIC, to_hit
from wh_env.rulesets.wap.basics.profiles import characteristic
from wh_env.rulesets.wap.basics.rerolls import NONE, Rerolls, is_hit, rolled
from wh_env.rulesets.wap.movement.aftermath import barred_from_shooting

SHOTS = 1  # of a weapon whose own rules say nothing else, whatever the Attacks of who fires it


def attacks_of(g: BattleCore, model: int) -> int:
    """Attacks of a model in close combat (wap.profile.a); of 0 there are none (wap.profile.zero)."""
    return characteristic(g, g.models.line[model], "a")


def shots_of(g: BattleCore, model: int) -> int:
    """Shots of a model: none without a missile weapon, nor with a Ballistic Skill of 0 (wap.profile.zero)."""
    armed = g.setup.statics["missiles"][g.models.unit[model]]
    return SHOTS if armed and characteristic(g, g.models.line[model], "bs") > 0 else 0


def shooters(g: BattleCore, unit: int) -> list[int]:
    """The models of a unit that can shoot in this turn."""
    return [] if barred_from_shooting(g, unit) else [k for k in g.members(unit) if shots_of(g, k) > 0]


def hits_of(g: BattleCore, attacks: int, weapon_skill: int, target: int, rerolls: Rerolls = NONE) -> int:
    """How many of so many attacks of one Weapon Skill hit who has another; who has none is hit without dice (wap.profile.zero.ws)."""
    needed = to_hit(weapon_skill, target)
    if needed == AUTOMATIC:
        return attacks
    return sum(is_hit(die, needed) for die in rolled(g, attacks, needed, rerolls))


def striking_order(g: BattleCore, lines: Iterable[int]) -> list[list[int]]:
    """Fighting profiles in the order in which they strike: the highest Initiative first, equals together (wap.profile.i)."""
    steps: dict[int, list[int]] = {}
    for line in lines:
        steps.setdefault(characteristic(g, line, "i"), []).append(line)
    return [steps[initiative] for initiative in sorted(steps, reverse=True)]
