"""Damage tables: the row for the wounds that a model has left gives its characteristics (concepts.damaged).

Weapons are compiled once for each row of the table of their bearer (``bracket_weapons``). The row is looked up when
attacks are declared, and again as the attacks on each target begin if models have been destroyed meanwhile. The Move of
models is written again whenever wounds change.
"""

from __future__ import annotations

import numpy as np

from wh_env.core.battle import BattleCore


def bracket_of(g: BattleCore, model: int) -> int:
    """The row of its damage table that the model is in; 0: its datasheet."""
    thresholds: tuple[int, ...] = g.setup.statics["bracket_wounds"][model]
    return sum(map(g.models.wounds[model].__le__, thresholds))


def printed(g: BattleCore, weapon: int) -> int:
    """The weapon row of which ``weapon`` is the one for a row of the damage table; other rows stand for themselves."""
    return int(np.flatnonzero((g.setup.statics["bracket_weapons"] == weapon).any(axis=0)).min())


def weapon_now(g: BattleCore, model: int, weapon: int) -> int:
    """The weapon row to use for a weapon of the model, given the wounds that it has left."""
    if model not in g.setup.statics["degrading"]:
        return weapon
    return int(g.setup.statics["bracket_weapons"][bracket_of(g, model), printed(g, weapon)])


def degrade(g: BattleCore, unit: int, target: int = -1) -> None:
    """Use the present weapon rows for the attacks declared by the unit, or only for those at ``target``; attacks that
    are alike no longer get groups of their own.
    """
    hurt = {k for k in g.members(unit) if k in g.setup.statics["degrading"] and bracket_of(g, k)}
    if not hurt:
        return
    jobs = g.jobs
    alike: dict[tuple[int, int, int, int], int] = {}
    for job, attacks in enumerate(jobs.attacks):
        if not attacks or (target >= 0 and jobs.target[job] != target):
            continue
        if jobs.model[job] in hurt:
            jobs.weapon[job] = weapon_now(g, jobs.model[job], jobs.weapon[job])
        kind = (jobs.group[job], jobs.weapon[job], jobs.target[job], jobs.near[job])
        jobs.group[job] = alike.setdefault(kind, job)


def refresh_moves(g: BattleCore) -> None:
    """Write the Move of models with a damage table, after wounds have changed."""
    moves = g.setup.statics["bracket_moves"]
    for model in g.setup.statics["degrading"]:
        if g.models.wounds[model] > 0:
            g.models.move[model] = moves[model, bracket_of(g, model)]
