"""The cost of wounds to a unit: the models that fall, their order, and whether its owner has a choice
(wap.core.casualties.*, wap.profile.w).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.fronts import behind_front
from wh_env.rulesets.wap.codes import RANK_AND_FILE


def last_ranker(g: BattleCore, unit: int) -> int:
    """The model that the next loss removes: the last rank-and-file model, or the last command model if there is no
    other.
    """
    m, u = g.models, g.units
    living = [k for k in range(u.first[unit], u.first[unit] + u.count[unit]) if m.alive[k]]
    plain = [k for k in living if m.role[k] == RANK_AND_FILE]
    return (plain or living)[-1]


def is_uneven(g: BattleCore, unit: int, lost: int) -> bool:
    """Whether so many lost models shorten a single rank unevenly, so that one end loses one more. Characters in the
    rank are part of it.
    """
    u = g.units
    if lost >= u.alive[unit] or u.garrison[unit] >= 0:
        return False
    now = u.block[unit] - behind_front(g, unit)
    return bool(now - lost < u.files[unit] and (min(u.files[unit], now) - (now - lost)) % 2)


def wounds_of(g: BattleCore, unit: int) -> int:
    """The Wounds that a unit can lose before its last model falls."""
    m, u = g.models, g.units
    return sum(m.wounds[k] for k in range(u.first[unit], u.first[unit] + u.count[unit]))


def order_of_loss(g: BattleCore, unit: int) -> list[int]:
    """The living models of a unit in the order in which losses remove them."""
    m = g.models
    rows = range(g.units.first[unit], g.units.first[unit] + g.units.count[unit])
    plain = [k for k in rows if m.alive[k] and m.role[k] == RANK_AND_FILE]
    leaders = [k for k in rows if m.alive[k] and m.role[k] != RANK_AND_FILE]
    return [*reversed(plain), *reversed(leaders)]


def losses_of(g: BattleCore, unit: int, wounds: int) -> int:
    """The number of models that so many wounds remove: wounds gather on one model until it falls (wap.profile.w)."""
    m, lost = g.models, 0
    for k in order_of_loss(g, unit):
        if wounds < m.wounds[k]:
            break
        wounds -= m.wounds[k]
        lost += 1
    return lost


def wounds_before_command(g: BattleCore, unit: int) -> int:
    """The Wounds of a unit's rank and file, which are lost before those of its command models."""
    m = g.models
    return sum(m.wounds[k] for k in g.members(unit) if m.role[k] == RANK_AND_FILE)


def who_may_fall(g: BattleCore, unit: int, wounds: int) -> list[int]:
    """The command models among which the owner chooses the one that suffers the wounds beyond those of the rank and
    file; none: there is no choice (wap.command.casualties.order). A wounded command model falls first (wap.profile.w).
    """
    m, left = g.models, wounds - wounds_before_command(g, unit)
    leaders = [k for k in g.members(unit) if m.role[k] != RANK_AND_FILE]
    if left <= 0 or len(leaders) < 2 or left >= sum(m.wounds[k] for k in leaders):
        return []
    hurt = [k for k in leaders if m.wounds[k] < m.max_wounds[k]]
    return [] if hurt and left <= m.wounds[hurt[0]] else hurt or leaders


def is_asked(g: BattleCore, unit: int, wounds: int) -> bool:
    """Whether the owner of a unit has a choice about so many wounds, which ``Casualties`` then asks for."""
    return is_uneven(g, unit, losses_of(g, unit, wounds)) or bool(who_may_fall(g, unit, wounds))
