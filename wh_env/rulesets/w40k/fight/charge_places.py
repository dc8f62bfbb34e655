"""Where a model that charges could end, as kernels: hundreds of places are looked at in one search (``charge_ends``)."""

from __future__ import annotations

from wh_env.core.geometry.areas import models_engaged_across
from wh_env.core.geometry.paths import choose_surface, set_pose
from wh_env.core.geometry.shapes import EPS, member, member_count, stands_in, within_reach
from wh_env.core.geometry.single import find_path, near_blocks, near_models
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array

ANY_CLIMB = 1e6  # inches


@kernel
def find_surfaces(
    models: Array, blocks: Array, corners: Array, limits: Array, model: int, inches: float, points: Array, heights: Array, stands: Array
) -> None:  # fmt: skip
    """The heights at which the model would stand at ``points`` (float64, points x 2, at most ``inches`` away), coming from each of ``heights``;
    -1 where it cannot. They are written into ``stands`` (float64, points x heights)."""
    m = models[model]
    nearby = near_blocks(blocks, m["x"], m["y"], inches + m["radius"] + EPS)
    for p in range(len(points)):
        for h in range(len(heights)):
            stands[p, h] = choose_surface(
                models, nearby, corners, limits, model, points[p, 0], points[p, 1], m["facing"], heights[h], ANY_CLIMB
            )


@inner_kernel
def _engages(
    models: Array, units: Array, blocks: Array, corners: Array, limits: Array, model: int, target: int
) -> bool:
    """Whether the model, where it stands now, is within Engagement Range of a model of the target."""
    row = limits[0]
    for n in range(member_count(units, target)):
        k = member(units, target, n)
        if not stands_in(models, k, target):
            continue
        if within_reach(models, model, k, row["engage"], row["engage_z"]):
            return True
        if row["engage_across"] > 0.0 and models_engaged_across(models, blocks, corners, model, k, row["engage_z"]):
            return True
    return False


@kernel
def find_ends(
    models: Array, units: Array, blocks: Array, corners: Array, objectives: Array, limits: Array, targets: Array, unit: int, model: int,
    inches: float, aims: Array, poses: Array, path: Array, rows: Array, covers: Array, legal: Array,
) -> None:  # fmt: skip
    """To which of ``poses`` (float64, poses x 3: x, y, z, at most ``inches`` away) the model has a way past all but its own unit (``legal``, bool),
    and which of the units ``aims`` (int32) it engages there.

    ``covers`` (bool, poses x aims): where it might engage them; what it does not is set to False. ``path`` (2 x 4), ``rows`` (int32): scratch.
    """
    m = models[model]
    x, y, z, facing = m["x"], m["y"], m["z"], m["facing"]
    reach = inches + m["radius"] + EPS
    nearby = near_blocks(blocks, x, y, reach)
    near = near_models(models, limits, x, y, reach, rows)
    for p in range(len(poses)):
        to_x, to_y, to_z = poses[p, 0], poses[p, 1], poses[p, 2]
        legal[p] = find_path(
            models, nearby, corners, objectives, limits, targets,
            model, to_x, to_y, to_z, facing, path, rows, near, unit, True,
        ) != 0  # fmt: skip
        if not legal[p]:
            continue
        set_pose(models, model, to_x, to_y, to_z, facing)
        for t in range(len(aims)):
            covers[p, t] = covers[p, t] and _engages(models, units, blocks, corners, limits, model, aims[t])
        set_pose(models, model, x, y, z, facing)
