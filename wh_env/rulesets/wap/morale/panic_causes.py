"""Causes of panic: they are marked on units in ``units.due`` where they arise, and ``Panic`` resolves them. The sources
of a unit's losses are remembered too (wap.panic.*).

Apart from a flight through friends, only this module writes ``units.due``. Losses mark causes by themselves
(``casualties.removing``), a unit that breaks in close combat is marked by ``close_combat``. Code that may have marked a
unit pushes ``Panic`` before anything else happens: ``if is_due(g): g.push(Panic)``.
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.allies.relations import bond_between
from wh_env.rulesets.wap.basics.blocks import distance
from wh_env.rulesets.wap.basics.carried import show_givers
from wh_env.rulesets.wap.basics.combined_unit import has, total_of
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.basics.strength import unit_strength
from wh_env.rulesets.wap.codes import FRIEND_BROKEN, FRIEND_DESTROYED, HEAVY_CASUALTIES
from wh_env.rulesets.wap.rule_book import EXPENDABLE, IMMUNITY, PANIC, PSYCHOLOGY
from wh_env.rulesets.wap.special.psychology import immune_to
from wh_env.rulesets.wap.troops.war_machines import is_machine

NOBODY = -1  # a source of losses that a unit cannot flee from
WHOLE = 100  # the whole of a unit, in percent
MOST_BLAME = 255


def is_due(g: BattleCore) -> bool:
    """Whether any unit is marked with a cause of panic."""
    return any(g.units.due.tolist())


def may_panic(g: BattleCore, unit: int) -> bool:
    """Whether a unit can be made to take a Panic test now. It must be on the table and out of close combat
    (wap.panic.exempt.engaged), not fleeing (.exempt.fleeing), not immune (wap.special.immunity.psychology-kinds), and
    must have taken none in this phase (.exempt.passed, .once-per-phase).
    """
    return is_exposed(g, unit) and not immune_to(g, unit, PANIC)


def is_exposed(g: BattleCore, unit: int) -> bool:
    """``may_panic`` of a unit that is not immune."""
    u = g.units
    return u.place[unit] == ON_TABLE and not u.fleeing[unit] and not u.steeled[unit] and not engaged(g, unit)


def alarm(g: BattleCore, unit: int, cause: int) -> None:
    """Mark a cause of panic on a unit, if it can panic now."""
    if may_panic(g, unit):
        g.units.due[unit] |= cause
    else:
        shows_calm(g, unit)


def shows_calm(g: BattleCore, unit: int) -> None:
    """A unit has a cause to panic: an item by which it stays calm comes to light (wap.army.list.hidden)."""
    if g.setup.statics["secrets"] and is_exposed(g, unit):
        show_givers(g, unit, IMMUNITY, PANIC.name, PSYCHOLOGY.name)


def heeds(g: BattleCore, friend: int, unit: int) -> bool:
    """Whether the fate of unit ``unit`` can make unit ``friend`` panic: an Expendable unit alarms only Expendable ones
    (wap.special.expendable.panic). Desperate allies are Expendable to each other (wap.ally.desperate.expendable).
    """
    expendable = has(g, unit, EXPENDABLE) or bond_between(g, unit, friend).expendable_to_ally
    return not expendable or has(g, friend, EXPENDABLE)


def alarm_friends(g: BattleCore, unit: int, cause: int) -> None:
    """Mark a cause of panic on every friendly unit near a unit, measured from where it stands or stood until its last
    loss (wap.panic.friend-destroyed, .friend-broken).
    """
    for friend in g.units_of(g.units.owner[unit]):
        if friend != unit and g.units.place[friend] == ON_TABLE and heeds(g, friend, unit):
            if distance(g, unit, friend) <= g.setup.rules["panic_distance"] + EPS:
                alarm(g, friend, cause)


def is_gone(g: BattleCore, unit: int) -> None:
    """Alarm the friends of a unit that is destroyed for any reason, if it was strong enough at the start of the phase.
    Its block must still be laid out where it was (wap.panic.friend-destroyed).
    """
    if g.units.us_phase[unit] >= g.setup.rules["panic_strength"]:
        alarm_friends(g, unit, FRIEND_DESTROYED)


def has_broken(g: BattleCore, unit: int) -> None:
    """Alarm the friends of a unit that has failed its Break test and has not fled yet, if it is strong enough
    (wap.panic.friend-broken).
    """
    if unit_strength(g, unit) >= g.setup.rules["panic_strength"]:
        alarm_friends(g, unit, FRIEND_BROKEN)


def has_lost(g: BattleCore, unit: int) -> None:
    """Mark heavy casualties on a unit that has lost a quarter or more of the models that it had at the start of the
    phase, characters included (wap.panic.heavy-casualties). A war machine does not count its crew, nor who serves it
    with them (wap.machine.crew.wounds).
    """
    u = g.units
    if is_machine(g, unit):
        return
    before, left = total_of(g, unit, u.alive_phase), total_of(g, unit, u.alive)
    if WHOLE * (before - left) >= g.setup.rules["panic_casualties"] * before:
        alarm(g, unit, HEAVY_CASUALTIES)


def has_lost_its_first(g: BattleCore, unit: int, first: int) -> None:
    """``has_lost`` of a unit of characters when the one is slain, ``first``, in whose row it stood: he counts as any
    other of them.
    """
    old, new = first * sources(g), unit * sources(g)
    g.units.alive_phase[unit] += g.units.alive_phase[first]
    for source in range(sources(g)):
        g.hurts[new + source] = min(MOST_BLAME, g.hurts[new + source] + g.hurts[old + source])
    has_lost(g, unit)


# ---------------------------------------------------------------- sources of losses


def sources(g: BattleCore) -> int:
    """The number of things that can cost a unit models: units, then terrain features."""
    return len(g.units.owner) + len(g.setup.features)


def ground_source(g: BattleCore, feature: int) -> int:
    """The number of a terrain feature as a source of losses; that of a unit is its row."""
    return len(g.units.owner) + feature


def unit_behind(g: BattleCore, source: int) -> int:
    """The unit that is a source of losses; ``NOBODY``: the source is ground, or nothing."""
    return source if source < len(g.units.owner) else NOBODY


def blame(g: BattleCore, unit: int, source: int, lost: int) -> None:
    """Remember that ``source`` has cost a unit ``lost`` models in this phase. A character's loss counts for the unit
    that he is in. ``NOBODY`` is not remembered.
    """
    if source >= 0 and lost > 0:
        host = g.units.bodyguard[unit]
        at = (host if host >= 0 else unit) * sources(g) + source
        g.hurts[at] = min(MOST_BLAME, g.hurts[at] + lost)


def has_hurt(g: BattleCore, unit: int, source: int) -> bool:
    """Whether ``source`` has cost a unit, or a character in it, models in this phase."""
    return bool(g.hurts[unit * sources(g) + source])


def worst_source(g: BattleCore, unit: int) -> int:
    """The enemy unit or terrain feature that has cost the unit the most models in this phase and is still on the table;
    -1: none (wap.panic.direction.heavy, .direction.heavy.nothing).
    """
    u, first = g.units, unit * sources(g)
    best, found = 0, NOBODY
    for source in range(sources(g)):
        lost = g.hurts[first + source]
        is_unit = source < len(u.owner)
        there = not is_unit or (u.place[source] == ON_TABLE and u.owner[source] != u.owner[unit])
        if lost > best and there:
            best, found = lost, source
    return found
