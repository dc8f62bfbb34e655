"""Which unit performs which action, what makes an action fail, and auras that it silences (w9.actions.*)."""

from __future__ import annotations

from math import inf

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import amount, between, declared
from wh_env.core.frozen import frozen
from wh_env.core.geometry.shapes import EPS, disc_gap_at
from wh_env.core.setup import Setup
from wh_env.core.tables import ON_TABLE, Array, TableSpec
from wh_env.rulesets.w9.actions.data import BOTH, Action, Near, PsychicAction
from wh_env.rulesets.w40k.codes import Deed, Moved
from wh_env.rulesets.w40k.keywords import keyword_bit
from wh_env.rulesets.w40k.profiles import Keyword
from wh_env.rulesets.w40k.psychic.state import power_of
from wh_env.rulesets.w40k.questions.aircraft import only_aircraft_near
from wh_env.rulesets.w40k.questions.move_limits import engaged
from wh_env.rulesets.w40k.sequence.effects import take_effect

NO_ACTIONS = int(Keyword.AIRCRAFT | Keyword.FORTIFICATION)
CHARACTER = int(Keyword.CHARACTER)

# by unit row; numbers of actions are counted from 1
ACTING, ACTING_BOUNDS = declared(
    [
        ("now", "i4", between(0, "actions")),  # the action that it performs, 0: none
        ("last", "i4", between(0, "actions")),  # the action that it started last, 0: none
        ("round", "i4", amount()),  # battle round in which it last started an action, psychic ones included
    ]
)


def action_tables(units: int) -> tuple[TableSpec, ...]:
    """``acting``: see ``ACTING``."""
    return (TableSpec("acting", ACTING, units, ACTING_BOUNDS),)


def actions_of(setup: Setup) -> tuple[Action, ...]:
    """The actions of a battle."""
    actions: tuple[Action, ...] = setup.statics["actions"]
    return actions


def may_start(g: BattleCore, unit: int, number: int) -> bool:
    """Whether the unit can start action ``number`` now (w9.actions.eligible, .once, .same)."""
    u, acting, action = g.units, g.acting, actions_of(g.setup)[number]
    if u.place[unit] != ON_TABLE or u.keywords[unit] & NO_ACTIONS or g.combat.broke_out[unit]:
        return False
    if u.moved[unit] in (Moved.ADVANCE, Moved.FELL_BACK) or acting.now[unit]:
        return False
    now = g.clock.round[0]
    if acting.round[unit] == now or action.owner not in (BOTH, u.owner[unit]):
        return False
    others = g.units_of(u.owner[unit])
    if not action.several and any(acting.round[k] == now and acting.last[k] == number + 1 for k in others):
        return False
    if action.keyword and not u.keywords[unit] & keyword_bit(g.setup.statics["keyword_bits"], action.keyword):
        return False
    if action.marker and marker_away(g, unit) > action.marker + EPS:
        return False
    return not engaged(g, unit) or only_aircraft_near(g, unit)


def marker_away(g: BattleCore, unit: int) -> float:
    """Inches from the unit to the nearest placed objective marker; infinite if none is placed."""
    placed = g.objectives.placed
    return min((g.marker_distance(unit, marker) for marker in range(len(placed)) if placed[marker]), default=inf)


def start(g: BattleCore, unit: int, number: int) -> None:
    """The unit starts to perform action ``number``."""
    acting = g.acting
    acting.now[unit] = acting.last[unit] = number + 1
    acting.round[unit] = g.clock.round[0]
    if g.recorder is not None:
        g.note("w9.actions.definition", "starts an action", unit=unit, name=actions_of(g.setup)[number].name)


def complete(g: BattleCore, unit: int) -> None:
    """The unit completes its action, which takes effect."""
    action = actions_of(g.setup)[g.acting.now[unit] - 1]
    g.acting.now[unit] = 0
    g.note("w9.actions.definition", "completes its action", unit=unit, name=action.name)
    take_effect(g, action.effect, g.units.owner[unit], unit, action.amount)


def interrupt(g: BattleCore, unit: int, deed: Deed) -> None:
    """The unit does ``deed``; if it performs an action, that action fails (w9.actions.fail, w9.rare.stationary.actions,
    w9.rare.repositioned.action).
    """
    acting = g.acting
    if not acting.now[unit]:
        return
    name = actions_of(g.setup)[acting.now[unit] - 1].name
    acting.now[unit] = 0
    if g.recorder is not None:
        g.note("w9.actions.fail", "its action fails", unit=unit, name=name, case=deed.name.lower())


def is_silent(g: BattleCore, unit: int) -> bool:
    """Whether the auras of the unit have no effect: it is a CHARACTER that performs an action (w9.actions.aura)."""
    return bool(g.acting.now[unit] and g.units.keywords[unit] & CHARACTER)


def without_silent(g: BattleCore, rows: Array, bearers: Array) -> tuple[Array, Array]:
    """The same ability rows and bearers, but auras whose bearer is silent (``is_silent``) have ``count`` 0."""
    unit, now = g.models.unit, g.acting.now
    if not any(now):
        return rows, bearers
    silent = [
        at
        for at, row in enumerate(rows)
        if row["reach"] > 0 and row["count"] and is_silent(g, unit[int(bearers[row["first"]])])
    ]
    if not silent:
        return rows, bearers
    changed = rows.copy()
    changed["count"][silent] = 0
    return frozen(changed), bearers


# ---------------------------------------------------------------- psychic actions


def possible_now(g: BattleCore, unit: int, number: int) -> bool:
    """Whether the unit fulfils the conditions of the power: always, unless it is a psychic action. Nothing modifies the
    range of a psychic action (w9.actions.psychic.range).
    """
    action = power_of(g, number)
    if not isinstance(action, PsychicAction):
        return True
    if action.owner not in (BOTH, g.units.owner[unit]) or g.acting.round[unit] == g.clock.round[0]:
        return False
    if action.near == Near.CENTRE:
        return centre_away(g, unit) <= action.reach + EPS
    return action.near == Near.ANYWHERE or marker_away(g, unit) <= action.reach + EPS


def centre_away(g: BattleCore, unit: int) -> float:
    """Inches from the unit to the centre of the battlefield; infinite if it has no models."""
    m, x, y = g.models, g.setup.length / 2, g.setup.width / 2
    return min(
        (float(disc_gap_at(m.rows, k, m.x[k], m.y[k], m.facing[k], x, y, 0.0)) for k in g.members(unit)), default=inf
    )


def start_attempt(g: BattleCore, unit: int, number: int) -> None:
    """The unit attempts a power. An action that it performs fails. A psychic action is the one action that it attempts
    in this battle round (w9.actions.once).
    """
    interrupt(g, unit, Deed.MANIFEST)
    if isinstance(power_of(g, number), PsychicAction):
        g.acting.round[unit] = g.clock.round[0]
        g.acting.last[unit] = 0
