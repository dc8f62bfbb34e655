"""War machines' weapons as a battle knows them, compiled from ``configs/wap/machines.yaml`` (wap.machine.*).

``Machine`` says all about the weapon of a war machine. The machine itself is a unit of one model of the troop type
``WAR_MACHINE``: its Wounds are its crew (``troops.war_machines``).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.weapons.arms import Weapon
from wh_env.rulesets.wap.weapons.hit import ONE, Number

BOLT_THROWER, CANNON, STONE_THROWER, FIRE_THROWER = KINDS = (
    "bolt thrower",
    "cannon",
    "stone thrower",
    "fire thrower",
)


@dataclass(frozen=True)
class Misfire:
    """A result of a misfire table (wap.machine.misfire.*).

    Attributes:
        name: of the result. table: the name of the table.
        destroys: whether it destroys the machine. wounds: that the machine suffers without an armour save.
        turns: of its player, the present one included, in which it does not fire.
    """

    name: str
    table: str = ""
    destroys: bool = False
    wounds: int = 0
    turns: int = 1


@dataclass(frozen=True)
class Machine:
    """The weapon of a war machine.

    Attributes:
        kind: how it fires, one of ``KINDS``.
        weapon: range in inches (0: that of a template), Strength, Armour Piercing, names of its special rules.
        least: inches that a target is away at least.
        centre: Strength of the hit under the hole of the template, 0: it has none.
        direct, bounce: Wounds that an unsaved wound takes, of a direct hit and of hits of a bounce.
        arm: range and sight are measured from the middle of the chassis, where the arm turns; not from the muzzle in
            the middle of its front edge (wap.machine.measure.firing-point).
        others: weapons that it may fire in place of this one, such as grapeshot.
        misfires: results of the D6 on its misfire table, from 1 to 6; none: it cannot misfire.
    """

    kind: str
    weapon: Weapon
    least: int = 0
    centre: int = 0
    direct: Number = ONE
    bounce: Number = ONE
    arm: bool = False
    others: tuple[Weapon, ...] = ()
    misfires: tuple[Misfire, ...] = field(default=())


def is_of_machine(g: BattleCore, unit: int, weapon: Weapon) -> bool:
    """Whether a unit is a war machine and a weapon one that it fires, not one that its crew carries."""
    machine = machine_of(g, unit)
    return machine is not None and weapon in (machine.weapon, *machine.others)


def machine_of(g: BattleCore, unit: int) -> Machine | None:
    """The weapon of a war machine; None: the unit is none."""
    machine: Machine | None = g.setup.statics["machines"][unit]
    return machine
