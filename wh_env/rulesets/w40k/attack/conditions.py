"""States of units by name, for abilities that are data: where a unit is, what it did, what is left of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS, disc_gap_at, member, member_count, stands_in
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.codes import Effect, Moved
from wh_env.rulesets.w40k.questions.strength import below_half_strength

State = Callable[[BattleCore, int], bool]
MARKERS = 6  # numbers of objective markers that states name


@kernel
def by_marker(models: Array, units: Array, objectives: Array, u: int, horizontal: float, vertical: float) -> bool:
    """Whether a model of unit ``u`` is within range of an objective marker (objective.range)."""
    for o in range(len(objectives)):
        if objectives[o]["placed"] == 0:
            continue
        x, y, z, r = objectives[o]["x"], objectives[o]["y"], objectives[o]["z"], objectives[o]["radius"]
        for n in range(member_count(units, u)):
            k = member(units, u, n)
            if stands_in(models, k, u) and abs(models[k]["z"] - z) <= vertical + EPS:
                gap = disc_gap_at(models, k, models[k]["x"], models[k]["y"], models[k]["facing"], x, y, r)
                if gap <= horizontal + EPS:
                    return True
    return False


def near_a_marker(g: BattleCore, unit: int) -> bool:
    """Whether the unit is within range of an objective marker."""
    near, far = g.setup.rules["marker_range"], g.setup.rules["marker_vertical"]
    return bool(g.work.call(by_marker, g.models.rows, g.units.rows, g.objectives.rows, unit, near, far))


def near_that_marker(marker: int) -> State:
    """The state "within range of the objective marker with number ``marker``"."""

    def near(g: BattleCore, unit: int) -> bool:
        near, far = g.setup.rules["marker_range"], g.setup.rules["marker_vertical"]
        one = g.objectives.rows[marker : marker + 1]
        return bool(g.work.call(by_marker, g.models.rows, g.units.rows, one, unit, near, far))

    return near


def near_a_marker_of(foe: bool, held: bool) -> State:
    """The state "within range of an objective marker that a player controls", or does not control.

    Args:
        foe: whether the player is the opponent of the unit's player.
        held: whether he controls it.
    """

    def near(g: BattleCore, unit: int) -> bool:
        player = 1 - g.units.owner[unit] if foe else g.units.owner[unit]
        markers = [o for o, holder in enumerate(g.objectives.holder) if (holder == player) == held]
        return any(near_that_marker(o)(g, unit) for o in markers)

    return near


def wounded(g: BattleCore, unit: int) -> bool:
    """Whether models of the unit are destroyed or have lost wounds."""
    m = g.models
    if g.units.alive[unit] < g.units.strength[unit]:
        return True
    return any(m.wounds[k] < m.max_wounds[k] for k in g.members(unit))


def below_strength(g: BattleCore, unit: int) -> bool:
    """Whether the unit has fewer models than its Starting Strength; a unit of one model: whether it has lost wounds."""
    u = g.units
    return wounded(g, unit) if u.strength[unit] == 1 else (u.alive[unit] < u.strength[unit])


def is_led(g: BattleCore, unit: int) -> bool:
    """Whether a Leader on the battlefield is attached to the unit."""
    m = g.models
    return any(m.on_table[k] and m.datasheet[k] != unit for k in g.members(unit))


def at_one_target(g: BattleCore, unit: int) -> bool:
    """Whether all declared attacks have the same target."""
    jobs = g.jobs
    return len({jobs.target[row] for row in range(g.attack.jobs[0]) if jobs.attacks[row]}) == 1


STATES: Mapping[str, State] = MappingProxyType(
    {
        "near a marker": near_a_marker,
        "near a marker it controls": near_a_marker_of(foe=False, held=True),
        "near a marker that enemies do not control": near_a_marker_of(foe=True, held=False),
        **{f"near marker {number + 1}": near_that_marker(number) for number in range(MARKERS)},
        "charged": lambda g, unit: bool(g.units.charged[unit]),
        "stationary": lambda g, unit: g.units.moved[unit] == Moved.STATIONARY,
        "disembarked": lambda g, unit: bool(g.units.disembarked[unit]),
        "below Starting Strength": below_strength,
        "below Half-strength": below_half_strength,
        "at Starting Strength": lambda g, unit: not below_strength(g, unit),
        "at least Half-strength": lambda g, unit: not below_half_strength(g, unit),
        "wounded": wounded,
        "shocked": lambda g, unit: bool(g.units.shocked[unit]),
        "tested by all": lambda g, unit: bool(g.units.cover[unit] & Effect.TESTED_BY_ALL),
        "first round": lambda g, unit: g.clock.round[0] == 1,
        "one target": at_one_target,
        "led": is_led,
    }
)
