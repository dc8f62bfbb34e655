"""The waiting decision as things to click: every legal action with its words and its unit, model or place on the
table.

This module knows no particular game. Units come from the segments of the action space, models and places from
``BattleCore.pending``.
"""

from __future__ import annotations

from typing import Any

from wh_env.core.actions import Segment
from wh_env.core.battle import BattleCore
from wh_env.core.questions import asked, middle, option_words
from wh_env.core.tables import Array
from wh_env.render.labels import Labels

DIGITS = 3  # decimals of places


def asked_of(battle: BattleCore) -> dict[str, Any]:
    """The waiting decision as plain data for the page.

    Returns:
        ``kind``: the kind of decision. ``title``, ``question``: the decision in a player's words. ``unit``: row of its
        subject, or -1. ``about``: name of the subject. ``spacing``: distances between places along x and y, or
        ``None``.
        ``options``: for each legal action ``a`` (its number), ``s`` (its segment), ``w`` (its words), and ``u``
        (row of a unit), ``m`` (row of a model) or ``x`` and ``y`` (a place).
    """
    decision = battle.decision
    assert decision is not None
    ruleset = battle.setup.ruleset
    words = asked(ruleset, ruleset.kind_by_name[decision.kind])
    labels = Labels(battle)
    xs, ys, spacing = places(battle)
    models = slots(battle)
    options = []
    for action in decision.options:
        segment, slot = battle.setup.space.split(action)
        option: dict[str, Any] = {"a": action, "s": segment.name.lower(), "w": option_words(battle, action)}
        if segment in (Segment.OWN, Segment.ENEMY):
            option["u"] = unit_at(battle, segment, slot)
        elif segment == Segment.MODEL and slot < len(models):
            option["m"] = models[slot]
        elif segment == Segment.CELL and xs is not None and ys is not None:
            option["x"], option["y"] = round(float(xs[slot]), DIGITS), round(float(ys[slot]), DIGITS)
        options.append(option)
    subject = decision.subject if 0 <= decision.subject < len(battle.units.owner) else -1
    return {
        "kind": decision.kind.replace("-", " "),
        "title": words.title,
        "question": words.question,
        "unit": subject,
        "about": labels.unit(subject) if subject >= 0 else "",
        "options": options,
        "spacing": spacing,
    }


def unit_at(battle: BattleCore, segment: Segment, slot: int) -> int:
    """The row of the unit in a slot of the deciding player's own or enemy units; -1 if there is none."""
    player = battle.clock.player[0]
    side = player if segment == Segment.OWN else 1 - player
    return battle.players.first_unit[side] + slot if slot < battle.players.units[side] else -1


def slots(battle: BattleCore) -> list[int]:
    """Rows of the models that the model slots stand for."""
    listed = battle.pending().slots
    if listed is not None:
        return [int(row) for row in listed]
    subject = battle.clock.subject[0]
    return list(battle.members(subject)) if 0 <= subject < len(battle.units.owner) else []


def places(battle: BattleCore) -> tuple[Array | None, Array | None, tuple[float, float] | None]:
    """The places of the waiting decision.

    Returns:
        x and y of every cell, shape (cells,), and the distances between cells along x and y; three times
        ``None`` if no place is asked for.
    """
    pending, grid = battle.pending(), battle.setup.space.grid
    region = pending.region
    if region is None:
        return None, None, None
    xs, ys = pending.cells(grid, middle(battle, battle.clock.subject[0]))
    wide, deep = (abs(region.x1 - region.x0) / (grid - 1), abs(region.y1 - region.y0) / (grid - 1))
    return xs, ys, (round(wide, DIGITS), round(deep, DIGITS))
