"""Misfires of war machines (wap.machine.misfire.*). The tables are data: ``configs/wap/machines.yaml``."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.casualties.removing import remove_unit, suffer
from wh_env.rulesets.wap.codes import FRONT
from wh_env.rulesets.wap.weapons.hit import AUTOMATIC, Hit
from wh_env.rulesets.wap.weapons.machines import Misfire, machine_of
from wh_env.rulesets.wap.weapons.saves import unsaved

# by misfire table and result
RULES: Mapping[tuple[str, str], str] = MappingProxyType(
    {
        ("black powder", "destroyed"): "wap.machine.misfire.black-powder.destroyed",
        ("black powder", "malfunction"): "wap.machine.misfire.black-powder.malfunction",
        ("black powder", "no shot"): "wap.machine.misfire.black-powder.no-shot",
        ("stone thrower", "destroyed"): "wap.machine.misfire.stone-thrower.destroyed",
        ("stone thrower", "malfunction"): "wap.machine.misfire.stone-thrower.malfunction",
        ("stone thrower", "no shot"): "wap.machine.misfire.stone-thrower.no-shot",
    }
)
CAUGHT = Hit(1, ignores_armour=True, nature=AUTOMATIC)  # a crewman in the machine


def misfire(g: BattleCore, unit: int) -> None:
    """A war machine has misfired: roll on its misfire table and apply the result. It does not fire in this turn."""
    machine = machine_of(g, unit)
    if machine is None or not machine.misfires:
        return
    die = g.d6()
    result = machine.misfires[die - 1]
    rule = RULES.get((result.table, result.name), "wap.machine.misfire.black-powder")
    g.note(rule, "misfires", unit=unit, die=die, name=result.name)
    apply_misfire(g, unit, result, rule)


def apply_misfire(g: BattleCore, unit: int, result: Misfire, rule: str) -> None:
    """The machine is destroyed with its crew, or loses crew against whose Wounds only wards help, and cannot fire for
    as many turns of its player as the result says. ``rule``: that of the result.
    """
    if result.destroys:
        remove_unit(g, unit)
        g.note(rule, "is destroyed", unit=unit)
        return
    g.units.jammed[unit] = max(g.units.jammed[unit], result.turns)
    lost = unsaved(g, unit, result.wounds, CAUGHT, FRONT) if result.wounds else 0
    if lost:
        g.note(rule, "is hurt", unit=unit, amount=lost)
        suffer(g, unit, lost)
