"""Columns of the observation's core fields that the entity network reads by name.

All other fields, including those of a ruleset, enter the encoders as part of whole rows, so the network knows
no ruleset.
"""

from __future__ import annotations

from dataclasses import dataclass

from gymnasium import spaces

from wh_env.core.actions import ActionSpace
from wh_env.envs.observation_fields import (
    DECISION_AT,
    FAR,
    GLOBAL_AT,
    MARKER_AT,
    MODEL_AT,
    OPTION_AT,
    PARTS,
    SIZE,
    UNIT_AT,
    Part,
)

LONG_SIDE = 120.0  # inches by which the observation divides the length of the table
PLANES = "terrain"


@dataclass(frozen=True)
class Columns:
    """Columns of the fields that the network reads by name."""

    there: int = UNIT_AT.there
    on_table: int = UNIT_AT.on_table
    x: int = UNIT_AT.x
    y: int = UNIT_AT.y
    subject: int = UNIT_AT.subject
    marker_there: int = MARKER_AT.there
    marker_x: int = MARKER_AT.x
    marker_y: int = MARKER_AT.y
    model_there: int = MODEL_AT.there
    option_there: int = OPTION_AT.there
    length: int = GLOBAL_AT.length
    width: int = GLOBAL_AT.width
    own_subject: int = DECISION_AT.own_subject
    enemy_subject: int = DECISION_AT.enemy_subject
    cells: int = DECISION_AT.cells
    region_x: int = DECISION_AT.x
    region_y: int = DECISION_AT.y
    span_x: int = DECISION_AT.span_x
    span_y: int = DECISION_AT.span_y


AT = Columns()


def is_vector(space: spaces.Space) -> bool:
    """Whether observations of the space have the form ``vector``; otherwise they have the form ``entities``.

    Raises:
        ValueError: they have neither form.
    """
    if isinstance(space, spaces.Box) and space.shape == (SIZE,):
        return True
    if isinstance(space, spaces.Dict) and all(
        name in space.spaces and space[name].shape == part.shape for name, part in PARTS.items()
    ):
        return False
    raise ValueError(f"observation space {space}: expected that of observation='vector' or observation='entities'")


def action_layout(space: spaces.Space) -> ActionSpace:
    """The segments of a flat action space.

    Raises:
        ValueError: it is not the action space of the environments.
    """
    layout = ActionSpace()
    if not isinstance(space, spaces.Discrete) or int(space.n) != layout.size:
        raise ValueError(f"action space {space}: expected Discrete({layout.size}), that of the environments")
    return layout


def width_of(part: Part) -> int:
    """Number of columns in a row of a part."""
    return part.shape[-1]


__all__ = ["AT", "FAR", "LONG_SIDE", "PARTS", "PLANES", "Columns", "action_layout", "is_vector", "width_of"]
