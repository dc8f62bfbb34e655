"""Units whose pursuit brings them into contact with a new enemy (wap.pursuit.new-enemy.must-charge,
wap.pursuit.new-enemy.no-reaction, wap.pursuit.new-enemy.counts-charging, wap.pursuit.new-enemy.both-charging).

The new enemy is charged without a charge roll and without a reaction. ``units.fought`` tells when the combat is fought:
in this phase if no unit in it has fought yet, else in the next phase.
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.blocks import set_block
from wh_env.rulesets.wap.basics.contacts import meet
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.basics.profiles import wholly
from wh_env.rulesets.wap.charge.places import Place, best_place, move_into_contact
from wh_env.rulesets.wap.charge.reach import side_charged
from wh_env.rulesets.wap.charge.run_down import run_down
from wh_env.rulesets.wap.codes import RESTRAINS
from wh_env.rulesets.wap.commands.standards import capture, capture_of_army, standards_of
from wh_env.rulesets.wap.pursuit.ways import Ahead, End
from wh_env.rulesets.wap.special.skirmishers import close_ranks

CLOSE = 0.5  # inches before contact from which a charge is tried again if it has no way from the start


def charge(g: BattleCore, unit: int, end: End) -> int:
    """Move a unit into contact with the enemy at the end of its way. Returns that enemy if it flees; -1 if it does not,
    or if there is no contact.

    Wheel and alignment are those of a charge that brings most models into contact (wap.pursuit.new-enemy.must-charge).
    If there is no place, the unit stops an inch before the enemy.
    """
    u = g.units
    start = (u.x[unit], u.y[unit], u.facing[unit])
    set_block(g, unit, *end.pose, u.files[unit])
    sides = [(target, side_charged(g, unit, target)) for target in end.met]
    for target in end.met:
        if not u.fleeing[target]:
            close_ranks(g, target, unit)
    place = find_place(g, unit, end, sides)
    if place is None:
        stop_before(g, unit, end, start)
        return -1
    target = end.met[0]
    was_waiting = engaged(g, target) and not u.fought[target]
    move_into_contact(g, unit, place, "wap.pursuit.new-enemy.must-charge")
    if u.fleeing[target]:
        return target
    u.rounds[unit] = 0
    if not was_waiting:
        u.fought[unit] = u.fought[target] = 1
    if g.recorder is not None:
        rule = "wap.pursuit.new-enemy.fight-again" if was_waiting else "wap.pursuit.new-enemy.next-phase"
        words = "is fought in this phase" if was_waiting else "is fought in the next phase"
        g.note(rule, words, unit=unit, target=target)
    return -1


def find_place(g: BattleCore, unit: int, end: End, sides: list[tuple[int, int]]) -> Place | None:
    """The place where the charge ends: from the pose after the turn, from ``CLOSE`` inches before contact, or from
    contact; against the first enemy met, or against all. ``sides``: the enemies met, each with its charged side. None:
    there is none. The unit is left at the pose from which it succeeded.
    """
    x, y, f = end.place
    before = End(end.pose, max(0.0, end.far - CLOSE), end.how, end.met).place
    for pose in (end.pose, before, (x, y, f)):
        set_block(g, unit, *pose, g.units.files[unit])
        for targets in (sides[:1], sides) if len(sides) > 1 else (sides,):
            place = best_place(g, unit, targets, aloft=False)
            if place is not None:
                return place
    return None


def stop_before(g: BattleCore, unit: int, end: End, start: tuple[float, float, float]) -> None:
    """Put a unit that finds no place at the enemy an inch before the enemy, or back at ``start``
    (wap.charge.unusual.fails).
    """
    files, back = g.units.files[unit], end.far - g.setup.rules["one_inch"]
    set_block(g, unit, *start, files)
    ahead = Ahead(g, unit)
    far = ahead.clear_before(ahead.spans(end.pose, touching=False), back) if back >= 0.0 else back
    if far >= 0.0:
        set_block(g, unit, *End(end.pose, far, end.how, ()).place, files)
    meet(g)
    g.note("wap.pursuit.obstacle", "finds no place at the enemy", unit=unit, target=end.met[0])


def overtake(g: BattleCore, unit: int, target: int) -> bool:
    """A unit runs down the fleeing enemy that it has run into (wap.pursuit.new-enemy.fleeing). Returns whether nobody
    of the enemy is left, nor of the characters in it.

    If so, the unit may reform without a test: its ``intent`` says that it is still to be asked.
    """
    u = g.units
    if u.place[target] != ON_TABLE or u.place[unit] != ON_TABLE:
        return False
    bearers, fleers = standards_of(g, target), wholly(g, target)
    g.note("wap.pursuit.new-enemy.fleeing", "runs into", unit=unit, target=target)
    run_down(g, unit, target, destroys=True)
    capture(g, target, bearers - standards_of(g, target))
    for row in fleers:
        capture_of_army(g, row)
    if not u.fights[unit]:
        u.charging[unit] = 0
    if any(u.alive[row] for row in fleers):
        return False
    u.intent[unit] = RESTRAINS
    return True
