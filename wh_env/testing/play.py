"""Playing a position: scripted dice, actions by their words, what was told. Works on battles of every game.

pick(battle, "Guns")            # choose the action whose words contain this
told(battle, "w10.shoot.select-unit")
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from wh_env.content.battle import Battle
from wh_env.core.geometry.shapes import gap
from wh_env.core.geometry.sight import fully_visible, sees

SCRIPT_ROOM = 512  # dice that can be scripted
Spot = Sequence[float]  # x, y; then z and a facing where given


def script(battle: Battle, dice: Sequence[int]) -> None:
    """Queue dice results; dice queued before are dropped."""
    battle.script_array[: len(dice)] = dice
    battle.dice.script_at[0], battle.dice.script_end[0] = 0, len(dice)


def dice_left(battle: Battle) -> int:
    """The number of scripted dice not used yet."""
    return battle.dice.script_end[0] - battle.dice.script_at[0]


def kind(battle: Battle) -> str | None:
    """The kind of the waiting decision; None if the battle is over."""
    return battle.decision.kind if battle.decision is not None else None


def words(battle: Battle) -> dict[int, str]:
    """The legal actions of the waiting decision, each with its words."""
    decision = battle.decision
    return {} if decision is None else {action: battle.describe(action) for action in decision.options}


def pick(battle: Battle, text: str, *, kind: str | None = None) -> int:
    """Apply the only legal action whose words contain ``text`` (an exact match takes precedence); returns the action.

    Raises:
        LookupError: none or several actions fit, or another kind of decision waits.
    """
    if kind is not None and (battle.decision is None or battle.decision.kind != kind):
        raise LookupError(f"decision {kind} was expected, {battle.decision} waits")
    known = words(battle)
    fits = [a for a, w in known.items() if w == text] or [a for a, w in known.items() if text in w]
    if len(fits) != 1:
        raise LookupError(f"{len(fits)} actions fit {text!r}; the decision is {battle.decision}, its actions {known}")
    battle.apply(fits[0])
    return fits[0]


def choose(battle: Battle, segment: str, slot: int = 0) -> None:
    """Apply a slot of a segment.

    Segments are ``done``, ``option``, ``own``, ``enemy``, ``cell``, ``angle``, ``number`` and ``model``.
    """
    space = battle.setup.space
    battle.apply(0 if segment == "done" else getattr(space, segment) + slot)


def slots(battle: Battle, segment: str) -> list[int]:
    """Legal slots of a segment in the waiting decision."""
    space = battle.setup.space
    if segment == "done":
        return [0] if battle.legal()[0] else []
    order = ("option", "own", "enemy", "cell", "angle", "number", "model")
    start = getattr(space, segment)
    at = order.index(segment)
    end = getattr(space, order[at + 1]) if at + 1 < len(order) else space.size
    return [int(k) for k in np.flatnonzero(battle.legal()[start:end])]


def cell_nearest(battle: Battle, dx: float, dy: float, reach: float) -> int:
    """The cell of a move window of ``reach`` inches nearest to displacement (dx, dy)."""
    grid = battle.setup.space.grid
    step = 2.0 * reach / (grid - 1)
    column = round(dx / step) + grid // 2
    row = round(dy / step) + grid // 2
    return row * grid + column


def play_until(battle: Battle, kind: str | None = None, limit: int = 10_000) -> None:
    """Answer decisions by their first legal action until one of ``kind`` waits (``None``: until the battle is over)."""
    for _ in range(limit):
        if battle.decision is None or battle.decision.kind == kind:
            return
        battle.apply(battle.first_legal())
    raise LookupError(f"no decision {kind} within {limit} decisions")


def offered(battle: Battle, kind: str) -> list[int]:
    """Own units that can be selected if a decision of ``kind`` waits; empty if another kind waits."""
    return slots(battle, "own") if battle.decision is not None and battle.decision.kind == kind else []


def place(battle: Battle, model: int) -> tuple[float, float]:
    """(x, y) of a model."""
    return battle.models.x[model], battle.models.y[model]


def apart(battle: Battle, a: int, b: int) -> float:
    """The distance between the bases of two models."""
    return float(gap(battle.models.rows, a, b))


def in_sight(battle: Battle, model: int, other: int) -> bool:
    """Whether a model sees any part of another one."""
    setup = battle.setup
    return bool(sees(battle.models.rows, battle.units.rows, setup.blocks, setup.corners, model, other))


def in_full_view(battle: Battle, model: int, other: int) -> bool:
    """Whether a model sees every part of another one that faces it; other models of either unit are no hindrance."""
    setup = battle.setup
    return bool(fully_visible(battle.models.rows, battle.units.rows, setup.blocks, setup.corners, model, other, 1))


def told(battle: Battle, rule: str) -> list[dict[str, Any]]:
    """The data of the events with this rule id."""
    return [event.data for event in battle.events if event.rule == rule]
