"""A kernel: the value of places for objective markers that the larger number of models holds
(w8.mission.objectives.control).
"""

from __future__ import annotations

from math import hypot

from wh_env.core.kernel import kernel
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.view.appraise_places import CONTESTED, HELD


@kernel
def marker_places(
    best: Array, xs: Array, ys: Array, unit: int, player: int, dx: Array, dy: Array, radii: Array, move: float,
    fade: float, objectives: Array, models: Array, reach: float,
) -> None:  # fmt: skip
    """Set ``best[n]`` to the value for markers of the place (xs[n], ys[n]) for a unit; 1 wins a marker.

    The unit's models would stand at (``dx``, ``dy``) from the place, as discs of ``radii``. ``move``: inches that the
    unit moves in a turn; ``fade``: factor for each turn that it is away; ``reach``: inches from a marker within which
    models count.
    """
    for n in range(len(xs)):
        best[n] = 0.0
    for o in range(len(objectives)):
        if not objectives[o]["placed"]:
            continue
        x, y = objectives[o]["x"], objectives[o]["y"]
        own, theirs = 0, 0
        for k in range(len(models)):
            m = models[k]
            if m["on_table"] != 0 and m["unit"] != unit and hypot(m["x"] - x, m["y"] - y) - m["radius"] <= reach:
                if m["owner"] == player:
                    own += 1
                else:
                    theirs += 1
        whole = HELD if own > theirs else 1.0 if own + len(dx) > theirs else CONTESTED
        for n in range(len(xs)):
            near, away = 0, 1e9
            for k in range(len(dx)):
                apart = hypot(xs[n] + dx[k] - x, ys[n] + dy[k] - y) - radii[k] - reach
                away = min(away, apart)
                if apart <= 0.0:
                    near += 1
            if near > 0 and (own > theirs or own + near > theirs):
                value = whole
            else:
                # a little more than the distance of the nearest model, as several models have to come near
                value = whole * fade ** ((max(0.0, away) + (0.0 if own > theirs else 1.0)) / move)
            best[n] = max(best[n], value)
