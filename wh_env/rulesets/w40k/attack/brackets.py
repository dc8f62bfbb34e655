"""Damage tables: the row for the wounds that a model has left gives its characteristics (concepts.damaged).

Weapons are compiled once for each row of the table of their bearer (``bracket_weapons``); the row is looked up when
attacks are declared. The Move of models is written again whenever wounds change.
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore


def bracket_of(g: BattleCore, model: int) -> int:
    """The row of its damage table that the model is in; 0: its datasheet."""
    thresholds: tuple[int, ...] = g.setup.statics["bracket_wounds"][model]
    return sum(map(g.models.wounds[model].__le__, thresholds))


def weapon_now(g: BattleCore, model: int, weapon: int) -> int:
    """The weapon row to use for a weapon of the model, given the wounds that it has left."""
    if model not in g.setup.statics["degrading"]:
        return weapon
    return int(g.setup.statics["bracket_weapons"][bracket_of(g, model), weapon])


def degrade(g: BattleCore, unit: int) -> None:
    """Use the present weapon rows for the attacks declared by the unit; attacks that are alike no longer get groups of
    their own.
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
    """Write the Move of models with a damage table, after wounds have changed."""
    moves = g.setup.statics["bracket_moves"]
    for model in g.setup.statics["degrading"]:
        if g.models.wounds[model] > 0:
            g.models.move[model] = moves[model, bracket_of(g, model)]
