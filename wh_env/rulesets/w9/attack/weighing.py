"""Rules of the target and rules of models that suffered damage, applied once the attacks of a unit are declared
(w9.rare.defensive-characteristic, w9.attack.priority, w9.glossary.suffer-damage).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.w40k.attack.abilities import AFTER_DAMAGE, in_force
from wh_env.rulesets.w40k.attack_row import DAMAGED


def suffered_damage(g: BattleCore, model: int) -> bool:
    """Whether an attack inflicted damage on the model this phase, even if it ignored the wounds
    (w9.glossary.suffer-damage).
    """
    return bool(g.models.allocated[model] & DAMAGED)


def weigh(g: BattleCore, unit: int) -> None:
    """Write these rules into the declared attacks, after everything else that modifies characteristics. Attacks that
    now differ are made in different groups.
    """
    powers = g.setup.statics["powers"]
    if not powers["defences"] and not powers["after damage"]:
        return
    jobs = g.jobs
    hurt = [AFTER_DAMAGE[power.effect] for power in in_force(g, unit, "after damage")]
    changed = g.setup.statics["changed_weapons"]
    defences: dict[int, list[str]] = {}
    alike: dict[tuple[int, int, int], int] = {}
    for job in range(g.attack.jobs[0]):
        if not jobs.attacks[job]:
            continue
        target = jobs.target[job]
        if target not in defences:
            defences[target] = sorted({power.effect for power in in_force(g, target, "defences")})
        for effect in defences[target]:
            jobs.weapon[job] = changed.get((effect, jobs.weapon[job]), jobs.weapon[job])
        if suffered_damage(g, jobs.model[job]):
            for bits in hurt:
                jobs.near[job] |= next((bit for bit in bits if not jobs.near[job] & bit), 0)
        jobs.group[job] = alike.setdefault((jobs.weapon[job], target, jobs.near[job]), job)
