"""Redirected charges: a unit whose target flees may test to charge another enemy (wap.charge.redirect.*,
.several.redirect).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import ChooseUnit
from wh_env.rulesets.wap.basics.declared_charges import charges_of, has_fled, is_under_way, targets_of
from wh_env.rulesets.wap.charge.declare import REDIRECTS, Declare, keep
from wh_env.rulesets.wap.charge.targets import has_target
from wh_env.rulesets.wap.codes import FLEES, REDIRECTED


def is_open(g: BattleCore, unit: int) -> bool:
    """Whether all targets of the unit flee, and its player has not yet decided what the unit does about it."""
    rows = charges_of(g, unit)
    return all(has_fled(g, k) for k in rows) and any(g.charges.reaction[k] == FLEES for k in rows)


def may_redirect(g: BattleCore, unit: int) -> bool:
    """Whether the unit may test to redirect its charge: once a turn, and only if it has another target
    (wap.charge.redirect.once, .no-target).
    """
    return (
        is_under_way(g, unit)
        and is_open(g, unit)
        and not g.units.did[unit] & REDIRECTED
        and has_target(g, unit, targets_of(g, unit))
    )


class Redirect(ChooseUnit):
    name = "redirect"
    what = (
        "Which unit whose target flees tests its Leadership to redirect its charge; done: those that are left keep it."
    )
    keys = (
        "wap.charge.redirect",
        "wap.charge.redirect.once",
        "wap.charge.redirect.no-target",
        "wap.charge.several.redirect",
    )
    declines = True

    def may(self, g: BattleCore, unit: int) -> bool:
        return may_redirect(g, unit)

    def declined(self, g: BattleCore, f: int) -> None:
        for unit in g.units_of(g.clock.player[0]):
            keep(g, unit)

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        g.units.did[unit] |= REDIRECTED
        g.push(Declare, unit, REDIRECTS)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        if action == 0:
            return "they keep their charges"
        names = g.setup.names["units"]
        unit = g.players.first_unit[g.clock.player[0]] + action - g.setup.space.own
        told = " and ".join(names[target] for target in targets_of(g, unit))
        return f"{names[unit]} tries to charge another than {told}"
