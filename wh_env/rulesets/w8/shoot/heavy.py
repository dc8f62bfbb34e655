"""Heavy weapons of models that moved (w8.shoot.heavy)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.w40k.attack.rolls import Near
from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.move.displacement import displaced
from wh_env.rulesets.w40k.profiles import WeaponAbility
from wh_env.rulesets.w40k.questions.aircraft import is_aircraft

HEAVY = int(WeaponAbility.HEAVY)
STATIONARY = int(Near.STATIONARY)


def has_moved(g: BattleCore, model: int) -> bool:
    """Whether the model moved in its player's last Movement phase, or counts as having moved
    (w8.move.reinforcements.count-as-moved, w8.transport.disembark.counts-as-moved). A model left in place has not
    moved, even if its unit has (w8.move.stationary).
    """
    u, unit = g.units, g.models.unit[model]
    if u.arrived[unit] or u.disembarked[unit]:
        return True
    if u.moved[unit] <= Moved.STATIONARY:
        return False
    return is_aircraft(g, unit) or displaced(g, model)


def settle_heavy(g: BattleCore) -> None:
    """Attacks were declared: Heavy weapons of models that did not move count as fired by a stationary unit, and are
    resolved apart from those of models that moved.
    """
    jobs, abilities = g.jobs, g.setup.statics["weapon_abilities"]
    alike: dict[tuple[int, int, int], int] = {}
    for job, left in enumerate(jobs.attacks):
        if not left or not abilities[jobs.weapon[job]] & HEAVY:
            continue
        moved = has_moved(g, jobs.model[job])
        jobs.near[job] = jobs.near[job] & ~STATIONARY if moved else jobs.near[job] | STATIONARY
        if moved and g.recorder is not None:
            g.note("w8.shoot.heavy", "a Heavy weapon of a model that moved", model=jobs.model[job])
        jobs.group[job] = alike.setdefault((jobs.weapon[job], jobs.target[job], jobs.near[job]), job)
