"""Units that count as having Remained Stationary although they moved (w9.rare.stationary.*).

These rules are data. Rows of ``rules["stationary"]`` are mappings with ``unit`` and ``phases``, the names of the phases
in which the unit counts as stationary (``shooting``, ``charge``). Rows of ``rules["when_stationary"]`` are abilities of
units that Remain Stationary: ``unit`` and ``effect``, which is ``RAPID_FIRE_AT_ANY_RANGE``.
``rules["leaves_after_move"]`` lists rows of TRANSPORTS, and of units, whose rule allows disembarking after the
TRANSPORT has moved.
"""

from __future__ import annotations

from collections.abc import Sequence

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import between, declared
from wh_env.core.tables import ON_TABLE, TableSpec
from wh_env.rulesets.w40k.attack.rolls import Near
from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.profiles import WeaponAbility
from wh_env.rulesets.w40k.questions.engagements import forget_targets
from wh_env.rulesets.w40k.questions.parts import origin, parts

SHOOTING, CHARGE = "shooting", "charge"
RAPID_FIRE_AT_ANY_RANGE = "Rapid Fire at any range"
RAPID_FIRE, HALF_RANGE = int(WeaponAbility.RAPID_FIRE), int(Near.HALF_RANGE)

# by unit: its real move and the move that it counts as, codes of ``Moved`` + 1; 0: it counts as what it did
STOOD, STOOD_BOUNDS = declared([("did", "i4", between(0, 5)), ("counts", "i4", between(0, 5))])


def tables(units: int) -> Sequence[TableSpec]:
    """``stood``: see ``STOOD``."""
    return (TableSpec("stood", STOOD, units, STOOD_BOUNDS),)


def count_as(g: BattleCore, unit: int, moved: int) -> None:
    """Until the end of the phase the unit counts as having made the move ``moved`` (a code of ``codes.Moved``)."""
    g.stood.did[unit], g.stood.counts[unit] = g.units.moved[unit] + 1, moved + 1
    g.units.moved[unit] = moved
    forget_targets(g)


def phase_begins(g: BattleCore, player: int, phase: str) -> None:
    """Units of the player with such a rule count as stationary in the phase, but not if they were set up or disembarked
    this turn (w9.rare.stationary.shoot, .heavy, .assault, .charge, .reinforcements, .disembarked).
    """
    u = g.units
    named = [unit for row in g.setup.rules["stationary"] if phase in row["phases"] for unit in parts(g, row["unit"])]
    for unit in named:
        if u.owner[unit] != player or u.place[unit] != ON_TABLE:
            continue
        if u.moved[unit] > Moved.STATIONARY and not u.arrived[unit] and not u.disembarked[unit]:
            count_as(g, unit, Moved.STATIONARY)
            g.note("w9.rare.stationary.shoot", "counts as having Remained Stationary", unit=unit, phase=phase)


def stands_by_rule(g: BattleCore, unit: int, phase: str) -> bool:
    """Whether a rule of the unit itself makes it count as having Remained Stationary in the phase."""
    return any(phase in row["phases"] and row["unit"] == origin(g, unit) for row in g.setup.rules["stationary"])


def phase_ends(g: BattleCore) -> None:
    """Restore the moves that units really made, except of units that have moved again since."""
    stood, moved = g.stood, g.units.moved
    if not any(stood.did):
        return
    for unit, did in enumerate(stood.did):
        if did and moved[unit] == stood.counts[unit] - 1:
            moved[unit] = did - 1
    stood.rows[:] = 0
    forget_targets(g)


def is_stationary(g: BattleCore, unit: int) -> bool:
    """Whether the unit Remained Stationary in this turn of its player, or counts as having done so
    (w9.rare.stationary.triggers).
    """
    u = g.units
    if u.owner[unit] != g.clock.turn[0] or u.arrived[unit] or u.disembarked[unit]:
        return False
    return u.moved[unit] <= Moved.STATIONARY


def triggered(g: BattleCore, unit: int) -> None:
    """The unit has declared ranged attacks: if it Remained Stationary, apply the abilities that depend on it."""
    rows = g.setup.rules["when_stationary"]
    own = [row["effect"] for row in rows if row["unit"] == origin(g, unit)]
    if RAPID_FIRE_AT_ANY_RANGE not in own or not is_stationary(g, unit):
        return
    jobs, abilities = g.jobs, g.setup.statics["weapon_abilities"]
    alike: dict[tuple[int, int, int], int] = {}
    for job in range(len(jobs.attacks)):
        if not jobs.attacks[job]:
            continue
        if abilities[jobs.weapon[job]] & RAPID_FIRE:
            jobs.near[job] |= HALF_RANGE
        jobs.group[job] = alike.setdefault((jobs.weapon[job], jobs.target[job], jobs.near[job]), job)


def leaves_after_move(g: BattleCore, unit: int) -> bool:
    """Whether the unit may disembark although its TRANSPORT has moved (w9.rare.stationary.transport)."""
    allowed = g.setup.rules["leaves_after_move"]
    return bool(allowed) and (origin(g, unit) in allowed or origin(g, g.units.carrier[unit]) in allowed)
