"""Overwatch: a unit shoots out of its phase at one enemy unit."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import GO
from wh_env.rulesets.w40k.attack.odds import expected_wounds
from wh_env.rulesets.w40k.attack.rolls import Near
from wh_env.rulesets.w40k.shoot.declare import add_jobs
from wh_env.rulesets.w40k.shoot.phase import Shoot

SNAP = int(Near.SNAP)


def promise(g: BattleCore, unit: int, enemy: int, near: int = SNAP) -> float:
    """The expected wounds of the unit's ranged weapons on the enemy unit in circumstances ``near``, those of Overwatch
    by default.
    """
    m, statics = g.models, g.setup.statics
    weapons, rules, carried = statics["weapons"], statics["attack_rules"], statics["arsenal_weapon"]
    return float(
        sum(
            expected_wounds(m.rows, g.units.rows, weapons, rules, k, carried[s], enemy, near)
            for k in g.members(unit)
            for s in range(m.first_weapon[k], m.first_weapon[k] + m.weapons[k])
            if not weapons[carried[s]]["melee"]
        )
    )


class Overwatch(Shoot):
    """A unit shoots at one enemy unit, its only target, and hits only on unmodified 6s."""

    @classmethod
    def at(cls, g: BattleCore, unit: int, enemy: int) -> None:
        """Push the shooting of ``unit`` at ``enemy``."""
        g.push(cls, unit)
        g.stack[g.frame + cls.TARGET] = enemy + 1

    def select_target(self, g: BattleCore, f: int) -> int:
        add_jobs(g, g.stack[f + Overwatch.UNIT], g.stack[f + Overwatch.TARGET] - 1, alone=True)
        return GO

    def selected(self, g: BattleCore) -> None:
        jobs = g.jobs.rows
        jobs["near"][jobs["attacks"] != 0] |= SNAP
