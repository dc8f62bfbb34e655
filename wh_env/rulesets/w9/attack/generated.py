"""Attacks that the attacks of a unit generate: once all are resolved its models make one more for each that inflicted no damage
(w9.rare.generated-attacks)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import MOST_ATTACKS, between
from wh_env.core.tables import TableSpec
from wh_env.rulesets.w40k.attack.abilities import in_force
from wh_env.rulesets.w40k.attack.state import Event

MADE = -1  # the additional attacks of the model are being made: nothing is counted any more


def tables(models: int) -> tuple[TableSpec, ...]:
    """``generated``: of each model, the attacks of this volley that have not reached the Inflict Damage step, or ``MADE``."""
    return (TableSpec("generated", np.dtype("i4"), models, between(MADE, MOST_ATTACKS)),)


def begin(g: BattleCore, unit: int) -> None:
    """The unit has declared its attacks."""
    if g.setup.statics["powers"]["generated"]:
        for model in g.members(unit):
            g.generated[model] = 0


def generates(g: BattleCore, unit: int) -> bool:
    """Whether attacks of the unit generate others."""
    return bool(in_force(g, unit, "generated"))


def heed(g: BattleCore) -> None:
    """Read the log of the attack machine: each hit roll is an attack, and so is each automatic hit.

    Attacks of a group are alike: whichever of its models one that inflicts damage is taken off from makes no difference.
    """
    attack, jobs, missed = g.attack, g.jobs, g.generated
    for row in g.work.log[: attack.log_count[0]].tolist():
        event, model = row[0], row[1]
        if event in (Event.HIT_ROLL, Event.AUTO_HIT):
            if missed[model] != MADE:
                made = 1 if event == Event.HIT_ROLL else row[6]
                missed[model] = min(MOST_ATTACKS, missed[model] + made)
        elif event == Event.DAMAGE:
            group = attack.group[0]
            alike = [jobs.model[job] for job in range(attack.jobs[0]) if jobs.group[job] == group]
            model = next((k for k in alike if missed[k] > 0), -1)
            if model >= 0:
                missed[model] -= 1


def more(g: BattleCore, unit: int) -> bool:
    """All attacks of the unit are resolved: declare what they generated, with the weapon and at the unit that each model aimed at last of
    those that are left. Each makes one hit roll; returns whether there are any."""
    jobs, missed, m = g.jobs, g.generated, g.models
    plain: Mapping[tuple[str, int], int] = g.setup.statics["changed_weapons"]
    effects = [power.effect for power in in_force(g, unit, "generated")]
    last = {
        jobs.model[job]: job
        for job in range(g.attack.jobs[0])
        if m.unit[jobs.model[job]] == unit and m.alive[jobs.model[job]] and g.units.alive[jobs.target[job]] > 0
    }
    declared: Sequence[tuple[int, int]] = [(model, job) for model, job in last.items() if missed[model] > 0 and effects]
    alike: dict[tuple[int, int, int], int] = {}
    for model, job in declared:
        jobs.attacks[job] = missed[model]
        jobs.weapon[job] = plain.get((effects[0], jobs.weapon[job]), jobs.weapon[job])
        jobs.group[job] = alike.setdefault((jobs.weapon[job], jobs.target[job], jobs.near[job]), job)
    for model in g.members(unit):
        missed[model] = MADE if declared else 0
    if declared:
        total = sum(jobs.attacks[job] for _, job in declared)
        g.tell("rare.generated-attacks", "additional attacks", unit=unit, result=total)
    return bool(declared)
