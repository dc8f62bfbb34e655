"""Riders and their mounts: one model with two profiles (wap.troop.cavalry.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.profiles import characteristic, lines_of
from wh_env.rulesets.wap.codes import BODIES, LEADERS, MOUNTS


def mount_of(g: BattleCore, unit: int) -> int:
    """The row in ``lines`` of a unit's mounts; -1: it has none with a profile of its own."""
    last = lines_of(g, unit)[-1]
    return last if g.lines.kind[last] == MOUNTS else -1


def attacked_line(g: BattleCore, unit: int) -> int:
    """The profile that attacks on a unit meet: that of its rank and file, or of its champion if no other model is left
    (wap.combat.who.rank-and-file).
    """
    lines, there = lines_of(g, unit), {g.models.line[k] for k in g.members(unit)}
    led = lines[0] + 1
    return led if g.lines.kind[led] == LEADERS and there == {led} else lines[0]


def defence(g: BattleCore, unit: int) -> tuple[int, int]:
    """Weapon Skill and Toughness that attacks on a unit meet. Of rider and mount the higher of each counts
    (wap.troop.cavalry.attacked). Monsters, chariots and shrines have the riders' skill and their own Toughness
    (wap.troop.monster.attacked, .chariot.attacked, .shrine.attacked).
    """
    return defence_of(g, unit, attacked_line(g, unit))


def defence_of(g: BattleCore, unit: int, line: int) -> tuple[int, int]:
    """Weapon Skill and Toughness that attacks meet on models of a unit whose own profile is ``line``; see
    ``defence``.
    """
    mount, skill, toughness = mount_of(g, unit), characteristic(g, line, "ws"), characteristic(g, line, "t")
    if mount < 0:
        return skill, toughness
    if g.units.kind[unit] in BODIES:
        return skill, characteristic(g, mount, "t")
    return max(skill, characteristic(g, mount, "ws")), max(toughness, characteristic(g, mount, "t"))
