"""Damage tables: the row that matches the wounds a model has left says what it is (concepts.damaged).

Weapons are compiled once for each row of the table of their bearer (``bracket_weapons``); which of them is used is
looked up when attacks are declared. Moves stand in the rows of models and are written anew whenever wounds have
changed.
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore


def bracket_of(g: BattleCore, model: int) -> int:
    """The row of its damage table that the model is in, 0: that of its datasheet."""
    thresholds: tuple[int, ...] = g.setup.statics["bracket_wounds"][model]
    return sum(map(g.models.wounds[model].__le__, thresholds))


def weapon_now(g: BattleCore, model: int, weapon: int) -> int:
    """The weapon row that stands for one that the model carries."""
    if model not in g.setup.statics["degrading"]:
        return weapon
    return int(g.setup.statics["bracket_weapons"][bracket_of(g, model), weapon])


def degrade(g: BattleCore, unit: int) -> None:
    """The attacks declared by the unit are made with its weapons as they are now; those that are alike no longer are
    rolled apart.
    """
    hurt = {k for k in g.members(unit) if k in g.setup.statics["degrading"] and bracket_of(g, k)}
    if not hurt:
        return
    jobs = g.jobs
    alike: dict[tuple[int, int, int], int] = {}
    for job, attacks in enumerate(jobs.attacks):
        if not attacks:
            continue
        if jobs.model[job] in hurt:
            jobs.weapon[job] = weapon_now(g, jobs.model[job], jobs.weapon[job])
        jobs.group[job] = alike.setdefault((jobs.weapon[job], jobs.target[job], jobs.near[job]), job)


def refresh_moves(g: BattleCore) -> None:
    """Wounds have changed: models with a damage table move as far as it says."""
    moves = g.setup.statics["bracket_moves"]
    for model in g.setup.statics["degrading"]:
        if g.models.wounds[model] > 0:
            g.models.move[model] = moves[model, bracket_of(g, model)]
