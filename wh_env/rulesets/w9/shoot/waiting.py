"""Attacks that an engaged unit aimed at units that it is not engaged with (w9.shoot.big-guns.others)."""

from __future__ import annotations

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.rulesets.w40k.attack.rolls import Near
from wh_env.rulesets.w40k.questions.move_limits import engaged

WHEN_FREE, SNAP = int(Near.WHEN_FREE), int(Near.SNAP)


def waits(near: int) -> bool:
    """Whether attacks in these circumstances (``near``) are made only if no enemy is within Engagement Range of the
    unit by then.
    """
    return near & (WHEN_FREE | SNAP) == WHEN_FREE


def put_last(g: BattleCore) -> None:
    """Sort the declared attacks so that those that wait come after the others."""
    rows = g.jobs.rows
    count = g.attack.jobs[0]
    late = np.array([waits(near) for near in rows["near"][:count].tolist()], np.bool_)
    if not late.any() or late.all():
        return
    order = np.argsort(late, kind="stable")
    place = np.empty(count, np.int64)
    place[order] = np.arange(count)
    rows[:count] = rows[:count][order]
    rows["group"][:count] = place[rows["group"][:count]]


def lose_unless_free(g: BattleCore, group: int) -> None:
    """A group of waiting attacks is made next: it is lost if an enemy is still within Engagement Range of the unit."""
    jobs = g.jobs
    unit = g.models.unit[jobs.model[group]]
    if not engaged(g, unit):
        return
    lost = [job for job in range(len(jobs.attacks)) if jobs.attacks[job] and jobs.group[job] == group]
    if g.recorder is not None:
        g.note(
            "w9.shoot.big-guns.others",
            "attacks lost",
            unit=unit,
            target=jobs.target[group],
            models=sorted({jobs.model[job] for job in lost}),
        )
    for job in lost:
        jobs.attacks[job] = 0
