"""Spaces of the environments, and actions as a seat sees them.

Both seats see the table from their own side: the Attacker as it lies, the Defender turned by half a turn. Before
attacker and defender are known, player 0 counts as the Attacker. Actions are turned with the table: a cell is counted
from the opposite corner, an angle is increased by half a turn. Slots of units are relative to the seat in any case (own
units, enemy units). So the same action number means the same to both seats, and one policy can play both.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy import ndarray

from wh_env.core.actions import ActionSpace
from wh_env.core.battle import BattleCore
from wh_env.core.tables import Array
from wh_env.envs.observation import box_space

INT8 = np.dtype(np.int8)


def observation_space(space: ActionSpace, form: str = "vector") -> spaces.Dict:
    """The space of what ``observe`` returns: the observation in this form (``vector``, ``entities``) and the mask over
    the actions.

    Raises:
        ValueError: there is no such form.
    """
    return spaces.Dict(
        {
            "observation": box_space(form),
            "action_mask": spaces.Box(0, 1, (space.size,), np.int8),
        }
    )


def action_space(space: ActionSpace) -> spaces.Discrete[Any]:
    """The flat action space."""
    return spaces.Discrete(space.size)


def is_turned(battle: BattleCore, seat: int) -> bool:
    """Whether ``seat`` sees the table turned by half a turn, as the Defender does."""
    return battle.clock.attacker[0] != seat


def turn_action(space: ActionSpace, action: int) -> int:
    """The number of ``action`` on the table turned by half a turn. Turning twice gives ``action`` back."""
    if space.cell <= action < space.angle:
        return space.cell + space.angle - 1 - action
    if space.angle <= action < space.number:
        return space.angle + (action - space.angle + space.angles // 2) % space.angles
    return action


def fill_mask(battle: BattleCore, seat: int, out: Array) -> None:
    """Write the legal actions of ``seat``, numbered as the seat sees them, into ``out``; all 0 if it is not asked."""
    clock = battle.clock
    if not clock.asking[0] or clock.player[0] != seat:
        out[:] = 0
        return
    mask = battle.legal_bytes()
    if clock.attacker[0] != seat:
        space = battle.setup.space
        cell, angle, number = space.cell, space.angle, space.number
        if mask.find(1, cell, number) >= 0:
            half = angle + space.angles // 2
            mask = b"".join((mask[:cell], mask[cell:angle][::-1], mask[half:number], mask[angle:half], mask[number:]))
    out[:] = ndarray(len(mask), INT8, mask)
