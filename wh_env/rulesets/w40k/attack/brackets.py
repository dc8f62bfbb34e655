"""Damage tables: the row that matches the wounds a model has left says what it is (concepts.damaged).

Weapons are compiled once for each row of the table of their bearer (``bracket_weapons``); which of them is used is looked up when attacks
are declared. Moves stand in the rows of models and are written anew whenever wounds have changed.
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array


@kernel
def row_of_table(models: Array, thresholds: Array, k: int) -> int:
    """The row of its damage table that model ``k`` is in, 0: that of its datasheet. ``thresholds``: wounds by model and row."""
    row = 0
    for column in range(thresholds.shape[1]):
        if models[k]["wounds"] <= thresholds[k, column]:
            row += 1
    return row


@kernel
def fill_moves(models: Array, thresholds: Array, moves: Array) -> None:
    """Write the Move of all models that have a damage table and wounds left."""
    for k in range(len(models)):
        if thresholds[k, 0] > 0 and models[k]["wounds"] > 0:
            models[k]["move"] = moves[k, row_of_table(models, thresholds, k)]


def bracket_of(g: BattleCore, model: int) -> int:
    """The row of its damage table that the model is in, 0: that of its datasheet."""
    return int(g.work.call(row_of_table, g.models.rows, g.setup.statics["bracket_wounds"], model))


def weapon_now(g: BattleCore, model: int, weapon: int) -> int:
    """The weapon row that stands for one that the model carries."""
    if model not in g.setup.statics["degrading"]:
        return weapon
    return int(g.setup.statics["bracket_weapons"][bracket_of(g, model), weapon])


def degrade(g: BattleCore, unit: int) -> None:
    """The attacks declared by the unit are made with its weapons as they are now; those that are alike no longer are rolled apart."""
    m = g.models
    hurt = {k for k in g.setup.statics["degrading"] if m.unit[k] == unit and m.on_table[k] and bracket_of(g, k)}
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
    statics = g.setup.statics
    g.work.call(fill_moves, g.models.rows, statics["bracket_wounds"], statics["bracket_moves"])
