"""The bolt of a bolt thrower, which goes through rank after rank (wap.machine.bolt-thrower.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.dice import one_at_random
from wh_env.rulesets.wap.basics.joined import is_character
from wh_env.rulesets.wap.basics.sight import within
from wh_env.rulesets.wap.casualties.harm import UNHARMED, Harm
from wh_env.rulesets.wap.casualties.losses import losses_of
from wh_env.rulesets.wap.codes import COLUMN, LEFT, RANKS, REAR, RIGHT
from wh_env.rulesets.wap.morale.panic_causes import unit_behind
from wh_env.rulesets.wap.shooting.allotting import Struck, looked_out
from wh_env.rulesets.wap.shooting.hits import harm_to, lose, take_hits, wounds_from
from wh_env.rulesets.wap.shooting.looking_out import SOLDIERS
from wh_env.rulesets.wap.shooting.templates_on_buildings import goes_past_the_first
from wh_env.rulesets.wap.weapons.hit import Hit


def is_in_ranks(g: BattleCore, target: int) -> bool:
    """Whether a unit stands in ranks, so that a bolt can go through them. Of others it hits one model."""
    return goes_past_the_first(g, target) and g.units.block[target] > 1 and g.units.shape[target] in (RANKS, COLUMN)


def ranks_from(g: BattleCore, target: int, side: int) -> list[list[int]]:
    """The models of a unit in ranks as a bolt from one side of it meets them, the first rank first; from a flank its
    files (wap.machine.bolt-thrower.first-model). Within a rank they stand as the unit sees them, from the left.
    """
    m, flank = g.models, side in (LEFT, RIGHT)
    found = dict[int, list[int]]()
    for k in within(g, target):
        found.setdefault(m.file[k] if flank else m.rank[k], []).append(k)
    across = m.rank if flank else m.file
    order = sorted(found, reverse=side in (REAR, LEFT))
    return [sorted(found[rank], key=lambda k: -across[k]) for rank in order]


def model_hit(g: BattleCore, target: int, rank: list[int], left: int) -> int:
    """The model of a rank that a bolt hits: an ordinary soldier. If the rank has none, or so few are ``left``, one of
    the rank at random (wap.machine.bolt-thrower.characters).
    """
    soldiers = [k for k in rank if not is_character(g, g.models.unit[k])]
    if soldiers and left >= SOLDIERS:
        return soldiers[-1]
    return rank[one_at_random(g, len(rank)) if len(rank) > 1 else 0]


def pierce(g: BattleCore, by: int, target: int, hit: Hit, side: int) -> None:
    """A bolt hits a unit in ranks: a model of the first, and as long as it slays one of the next, with one Strength
    less each time (wap.machine.bolt-thrower.pierce).
    """
    lost = dict[int, Harm]()
    slain = 0  # of the unit's own models
    for passed, rank in enumerate(ranks_from(g, target, side)):
        weaker = hit._replace(strength=hit.strength - passed)
        if weaker.strength < 1:
            break
        k = model_hit(g, target, rank, g.units.alive[target] - slain)
        row = g.models.unit[k]
        if g.recorder is not None:
            told = {"target": row, "model": k, "strength": weaker.strength}
            g.note("wap.machine.bolt-thrower.pierce", "bolt strikes", unit=unit_behind(g, by), **told)
        before = lost.setdefault(row, UNHARMED)
        lost[row] = before.and_then(harm_to(g, row, wounds_from(g, row, 1, weaker, by), weaker, side, before.lost))
        fallen = losses_of(g, row, lost[row].lost) - losses_of(g, row, before.lost)
        if not fallen:
            break
        slain += fallen if row == target else 0
    for row in sorted(lost, key=lambda other: (other != target, other)):
        lose(g, row, lost[row], by)


def fly(g: BattleCore, by: int, target: int, at: int, struck: list[Struck], side: int) -> None:
    """A bolt that has hit a unit in ranks goes through it. One that was aimed at a character ``at`` in it, unless the
    unit takes it for him, hits him alone (wap.character.shooting.different-type); -1: it was aimed at nobody.
    """
    if at >= 0:
        own, others = looked_out(g, target, at, struck, struck, "wap.character.shooting.different-type")
        take_hits(g, at, own, side, by)
        if not any(number for number, _ in others):
            return
    pierce(g, by, target, struck[0].hit, side)
