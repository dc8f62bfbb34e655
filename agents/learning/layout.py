"""Where the entity network finds what it reads by name: columns of the declared core fields of the observation.

Everything else (a ruleset's own fields too) goes into the encoders as whole rows, so the network knows no ruleset.
"""

from __future__ import annotations

from dataclasses import dataclass

from gymnasium import spaces

from wh_env.core.actions import ActionSpace
from wh_env.envs.observation_fields import DECISION_AT, FAR, GLOBAL_AT, MARKER_AT, MODEL_AT, PARTS, SIZE, UNIT_AT, Part

LONG_SIDE = 120.0  # inches by which the length of the table is divided
PLANES = "terrain"


@dataclass(frozen=True)
class Columns:
    """Columns of fields that the network uses by name."""

    there: int = UNIT_AT.there
    on_table: int = UNIT_AT.on_table
    x: int = UNIT_AT.x
    y: int = UNIT_AT.y
    subject: int = UNIT_AT.subject
    marker_there: int = MARKER_AT.there
    marker_x: int = MARKER_AT.x
    marker_y: int = MARKER_AT.y
    model_there: int = MODEL_AT.there
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
    """Whether observations of the space are of the form ``vector``; else they are ``entities``.

    Raises:
        ValueError: they are neither.
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
        ValueError: it is not that of the environments.
    """
    layout = ActionSpace()
    if not isinstance(space, spaces.Discrete) or int(space.n) != layout.size:
        raise ValueError(f"action space {space}: expected Discrete({layout.size}), that of the environments")
    return layout


def width_of(part: Part) -> int:
    """Numbers in a row of a part."""
    return part.shape[-1]


__all__ = ["AT", "FAR", "LONG_SIDE", "PARTS", "PLANES", "Columns", "action_layout", "is_vector", "width_of"]
