"""The Shooting phase: units shoot one after the other, each at one target (wap.shoot.phase.sequence, .one-attack,
.same-target).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import tau

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import amount, between, count_of, flag, row_of
from wh_env.core.geometry.shapes import EPS
from wh_env.core.procedures import GO, STEP, ChooseUnit, DecisionKind, OfPlayer, Procedure, Steps, integer
from wh_env.core.sentences import counted
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.by_magic import is_hindered
from wh_env.rulesets.wap.basics.contacts import gap_to_enemies
from wh_env.rulesets.wap.basics.joined import host_of
from wh_env.rulesets.wap.basics.scatter import ARTILLERY, DIRECTIONS, MISFIRE, Scatter, Throw, artillery_die, step_of
from wh_env.rulesets.wap.battle.victory import finish_if_left
from wh_env.rulesets.wap.codes import SHOT
from wh_env.rulesets.wap.morale.panic_causes import NOBODY, is_due
from wh_env.rulesets.wap.panic.panic import Panic
from wh_env.rulesets.wap.shooting.aims import block_of, may_shoot, shooters_in
from wh_env.rulesets.wap.shooting.allotting import singled_out
from wh_env.rulesets.wap.shooting.breath_shots import BreathShot
from wh_env.rulesets.wap.shooting.fires import frighten_burnt
from wh_env.rulesets.wap.shooting.firing_points import engine_of
from wh_env.rulesets.wap.shooting.flames import can_breathe, somebody_breathes
from wh_env.rulesets.wap.shooting.machine_sight import turn_to_fire
from wh_env.rulesets.wap.shooting.machine_ways import (
    AT_SPOTS,
    OTHERWISE,
    WAYS,
    aims_at_spots,
    can_fire_at_spot,
    fires,
    somebody_can_fire,
    sort_of,
    takes_aim,
    targets_at_spots,
    throw_for,
    throws_again,
)
from wh_env.rulesets.wap.shooting.shots import (
    ANSWERS,
    APART,
    IN_FLIGHT,
    IN_PHASE,
    MULTIPLE,
    NO_WAY,
    ON_CHARGE,
    SNIPE,
    VOLLEY,
    best_way,
    can_shoot_at,
    others_armed,
    range_of,
    several,
    ways_of,
    weapon_in,
)
from wh_env.rulesets.wap.shooting.sniping import marks_in
from wh_env.rulesets.wap.shooting.spots import best_spot, spot_of, spots
from wh_env.rulesets.wap.shooting.volley import shoot
from wh_env.rulesets.wap.troops.war_machines import is_machine
from wh_env.rulesets.wap.weapons.machines import FIRE_THROWER


def targets_of(g: BattleCore, unit: int) -> list[int]:
    """The enemy units that a unit may shoot at now."""
    enemies = (enemy for enemy in enemies_within(g, unit) if g.units.place[enemy] == ON_TABLE)
    return [enemy for enemy in enemies if can_shoot_at(g, unit, enemy, IN_PHASE)]


def marks_of(g: BattleCore, unit: int) -> list[int]:
    """The characters in enemy units at whom a unit may shoot now, whether or not it sees the unit
    (wap.character.shooting.different-type).
    """
    marks = (character for enemy in enemies_within(g, unit) for character in singled_out(g, enemy))
    return [character for character in marks if can_shoot_at(g, unit, character, IN_PHASE)]


def enemies_within(g: BattleCore, unit: int) -> Sequence[int]:
    """All enemy units, if the unit can shoot and the nearest is within the range of a weapon in it; else none."""
    if not may_shoot(g, unit):
        return ()
    ranges = g.setup.statics["ranges"]
    far = max(ranges[row] for row in shooters_in(g, unit))
    if g.work.call(gap_to_enemies, g.parts.rows, g.units.rows, unit) > far + EPS:
        return ()
    return g.units_of(1 - g.units.owner[unit])


def has_target(g: BattleCore, unit: int) -> bool:
    """Whether a unit may shoot at any enemy now, or at a character in one."""
    return any(can_shoot_at(g, unit, enemy, IN_PHASE) for enemy in enemies_within(g, unit))


class Shooting(OfPlayer):
    """The Shooting phase of a player."""

    asks = ("select-to-shoot",)

    def advance(self, g: BattleCore, f: int) -> int:
        if is_due(g):
            g.push(Panic)
            return GO
        if finish_if_left(g):
            return GO
        player = g.stack[f + Shooting.PLAYER]
        armed = g.setup.statics["armed"][player]
        shoots = any(has_target(g, block_of(g, unit)) for unit in armed) or somebody_breathes(g, player)
        if shoots or somebody_can_fire(g, player):
            return g.ask(SelectToShoot, player)
        return g.pop()


class SelectToShoot(ChooseUnit):
    name = "select-to-shoot"
    what = "Which unit shoots next; done: nobody else does."
    keys = ("wap.shoot.phase.sequence", "wap.shoot.who", "wap.shoot.one-attack", "wap.special.breath.use")
    declines = True

    def may(self, g: BattleCore, unit: int) -> bool:
        return has_target(g, unit) or can_breathe(g, unit) or can_fire_at_spot(g, unit)

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        if is_hindered(g, unit):
            g.units.did[unit] |= SHOT
        elif can_breathe(g, unit):
            g.push(BreathShot, unit)
        else:
            g.push(FireMachine if can_fire_at_spot(g, unit) else Aim, unit)

    def declined(self, g: BattleCore, f: int) -> None:
        g.pop()

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return "nobody else shoots" if action == 0 else f"{g.default_words(action)} shoots"


class Aim(Procedure):
    """The choice of a unit's target."""

    UNIT = integer(row_of("units"))
    asks = ("shoot-target",)

    def advance(self, g: BattleCore, f: int) -> int:
        unit = g.stack[f + Aim.UNIT]
        return g.ask(ShootTarget, g.units.owner[unit], unit)


class ShootTarget(DecisionKind):
    name = "shoot-target"
    what = "Which enemy unit a unit shoots at, with all its models, or which character in one of them."
    keys = (
        "wap.shoot.target",
        "wap.shoot.same-target",
        "wap.shoot.range",
        "wap.shoot.into-combat.barred",
        "wap.shoot.into-combat.close",
        "wap.character.shooting.different-type",
        "wap.machine.bolt-thrower.to-hit",
        "wap.building.shooting.from",
    )

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit = g.stack[f + Aim.UNIT]
        at = g.setup.space.enemy - g.players.first_unit[1 - g.units.owner[unit]]
        for target in (*targets_of(g, unit), *marks_of(g, unit)):
            mask[at + target] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = g.stack[f + Aim.UNIT]
        target = g.players.first_unit[1 - g.units.owner[unit]] + action - g.setup.space.enemy
        g.pop()
        host = host_of(g, target)
        g.push(Shoot, unit, target if host < 0 else host, IN_PHASE, 0, 0 if host < 0 else target + 1)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return f"{g.setup.names['units'][g.stack[f + Aim.UNIT]]} at {g.default_words(action)}"


class Shoot(Procedure):
    """The shots of a unit at a target: in the Shooting phase, at an enemy that charges it, or at one that it
    charges.
    """

    UNIT = integer(row_of("units"))
    TARGET = integer(row_of("units"))
    WHEN = integer(between(IN_PHASE, IN_FLIGHT))
    WAY = integer(amount())  # the way of a sniper shot whose model is yet to be named, counted from 1; 0: none
    AT = integer(count_of("units"))  # the character in the target who is aimed at, counted from 1; 0: none
    asks = ("shoot-way", "snipe-at")

    def advance(self, g: BattleCore, f: int) -> int:
        unit, target, when = (g.stack[f + at] for at in (Shoot.UNIT, Shoot.TARGET, Shoot.WHEN))
        if g.stack[f + Shoot.WAY]:
            return g.ask(SnipeAt, g.units.owner[unit], unit)
        there = g.units.place[unit] == ON_TABLE and g.units.place[target] == ON_TABLE
        at = g.stack[f + Shoot.AT] - 1
        ways = ways_of(g, unit, aimed_at(target, at), when) if there else []
        if len(ways) > 1 or (ways and when == ON_CHARGE):
            return g.ask(ShootWay, g.units.owner[unit], unit)
        g.pop()
        if ways or (there and others_armed(g, unit, NO_WAY)):
            fire(g, unit, target, ways[0] if ways else NO_WAY, when, at=at)
        return GO


class ShootBeside(Procedure):
    """A character in a unit shoots with a weapon that the rest of the unit does not have, at the unit's target
    (wap.shoot.one-attack, .same-target).
    """

    UNIT = integer(row_of("units"))
    TARGET = integer(row_of("units"))
    WHEN = integer(between(IN_PHASE, IN_FLIGHT))
    AT = integer(count_of("units"))  # as in ``Shoot``

    def advance(self, g: BattleCore, f: int) -> int:
        unit, target, when = (g.stack[f + at] for at in (ShootBeside.UNIT, ShootBeside.TARGET, ShootBeside.WHEN))
        at = g.stack[f + ShootBeside.AT] - 1
        g.pop()
        way = best_way(g, unit, aimed_at(target, at), when)
        if way != NO_WAY:
            shoot(g, unit, target, way, when, at=at)
        return GO


def aimed_at(target: int, at: int) -> int:
    """Whom shooters have to see: the character ``at`` in unit ``target``, or if there is none, the unit."""
    return target if at == NOBODY else at


def fire(g: BattleCore, unit: int, target: int, way: int, when: int, mark: int = NOBODY, at: int = NOBODY) -> None:
    """A unit shoots, then the characters in it who have other weapons (wap.shoot.one-attack). Unless it answers a
    charge, it has then shot for this turn. ``mark``: the model that sniper shots are meant for. ``at``: the character
    in the target who is aimed at.
    """
    if when not in ANSWERS:
        g.units.did[unit] |= SHOT
    for row in reversed(others_armed(g, unit, way)):
        g.push(ShootBeside, row, target, when, at + 1)
    if way != NO_WAY:
        if is_machine(g, unit):
            turn_to_fire(g, unit, target, range_of(weapon_in(g, unit, way), when))
        shoot(g, unit, target, way, when, mark, at)


class ShootWay(DecisionKind):
    name = "shoot-way"
    what = (
        "How a unit shoots: with which weapon, once or several times, aimed or in a volley; done: not at all on "
        "whom it charges."
    )
    policy = "The way that does most on average."
    keys = (
        "wap.shoot.one-attack",
        "wap.special.volley-fire",
        "wap.special.multiple-shots",
        "wap.special.multiple-shots.uniform",
        "wap.special.quick-to-fire.charging",
        "wap.charge.stand-shoot.resolve",
    )
    squad = False

    @staticmethod
    def about(g: BattleCore, f: int) -> tuple[int, int, int]:
        """The unit of the frame, whom it has to see, and when it shoots."""
        target = aimed_at(g.stack[f + Shoot.TARGET], g.stack[f + Shoot.AT] - 1)
        return g.stack[f + Shoot.UNIT], target, g.stack[f + Shoot.WHEN]

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit, target, when = self.about(g, f)
        mask[0] = when == ON_CHARGE
        for at in range(len(ways_of(g, unit, target, when))):
            mask[g.setup.space.option + at] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit, target, when = self.about(g, f)
        way = ways_of(g, unit, target, when)[action - g.setup.space.option] if action else 0
        if way & SNIPE:
            g.stack[f + Shoot.WAY] = way + 1
            return
        target, at = g.stack[f + Shoot.TARGET], g.stack[f + Shoot.AT] - 1
        g.pop()
        if action:
            fire(g, unit, target, way, when, at=at)

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        unit, target, when = self.about(g, f)
        return g.setup.space.option + ways_of(g, unit, target, when).index(best_way(g, unit, target, when))

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        if action == 0:
            return "no shots before the charge"
        unit, target, when = self.about(g, f)
        way = ways_of(g, unit, target, when)[action - g.setup.space.option]
        weapon = weapon_in(g, unit, way)
        shots = f", {counted(several(g, unit, weapon, g.stack[f + Shoot.WHEN]), 'shot')} each" if way & MULTIPLE else ""
        sniper = ", as sniper shots" if way & SNIPE else ""
        apart = ", characters otherwise" if way & APART else ""
        return f"{weapon.name}{shots}{apart}{', in a volley' if way & VOLLEY else ''}{sniper}"


class SnipeAt(DecisionKind):
    name = "snipe-at"
    what = "Which model of the target unit sniper shots are meant for: one of the rank and file, or one that leads it."
    policy = "The champion, or who else comes first."
    keys = ("wap.special.sniper.target", "wap.special.sniper")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for at in range(len(marks_in(g, g.stack[f + Shoot.TARGET]))):
            mask[g.setup.space.option + at] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit, target, when, way = (g.stack[f + at] for at in (Shoot.UNIT, Shoot.TARGET, Shoot.WHEN, Shoot.WAY))
        mark = marks_in(g, target)[action - g.setup.space.option]
        g.pop()
        fire(g, unit, target, way - 1, when, mark)

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return g.setup.space.option + min(1, len(marks_in(g, g.stack[f + Shoot.TARGET])) - 1)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        mark = marks_in(g, g.stack[f + Shoot.TARGET])[action - g.setup.space.option]
        return f"at {g.setup.names['models'][mark]}"


# ---------------------------------------------------------------- war machines that fire at a spot


class FireMachine(Procedure):
    """A war machine fires at a spot: in which way, at which enemy, at which spot on it. After the shot, units that it
    has set on fire are frightened.
    """

    class Step(Steps):
        BEGIN, FIRED, ROLLED = range(3)

    UNIT = integer(row_of("units"))
    WAY = integer(between(0, len(WAYS)))  # of firing, counted from 1; 0: not chosen
    TARGET = integer(count_of("units"))  # counted from 1; 0: not chosen
    # the spot and the dice of a shot whose artillery die may be rolled again
    CELL = integer(amount())
    HIT = integer(flag())
    DIRECTION = integer(between(0, DIRECTIONS - 1))
    NUMBER = integer(between(0, max(ARTILLERY)))
    asks = ("machine-way", "machine-target", "machine-aim", "artillery-again")

    def fits(self, g: BattleCore, f: int) -> bool:
        """Whether there is a shot at a spot if its dice wait."""
        stack = g.stack
        if stack[f + STEP] != FireMachine.Step.ROLLED:
            return True
        shot = 0 < stack[f + FireMachine.WAY] <= OTHERWISE and stack[f + FireMachine.TARGET] > 0
        unit = stack[f + FireMachine.UNIT]
        return bool(shot and stack[f + FireMachine.CELL] < g.setup.space.grid**2 and aims_at_spots(g, unit))

    def advance(self, g: BattleCore, f: int) -> int:
        unit, way = g.stack[f + FireMachine.UNIT], g.stack[f + FireMachine.WAY] - 1
        player = g.units.owner[unit]
        if g.stack[f + STEP] == FireMachine.Step.FIRED:
            g.pop()
            if engine_of(g, unit).kind == FIRE_THROWER:
                frighten_burnt(g, unit)
            return GO
        if g.stack[f + STEP] == FireMachine.Step.ROLLED:
            return g.ask(ArtilleryAgain, player, unit)
        if way < 0:
            ways = machine_ways(g, unit)
            if len(ways) > 1:
                return g.ask(MachineWay, player, unit)
            FireMachine.choose(g, f, ways[0])
            return GO
        return g.ask(MachineAim if g.stack[f + FireMachine.TARGET] else MachineTarget, player, unit)

    @staticmethod
    def choose(g: BattleCore, f: int, way: int) -> None:
        """The machine fires in a way."""
        g.stack[f + FireMachine.WAY] = way + 1
        if way == OTHERWISE:
            unit = g.stack[f + FireMachine.UNIT]
            g.pop()
            g.push(Aim, unit)


def machine_ways(g: BattleCore, unit: int) -> list[int]:
    """The ways in which a war machine that is ready can fire now."""
    ways = [way for way in AT_SPOTS[engine_of(g, unit).kind] if targets_at_spots(g, unit, way)]
    return [*ways, OTHERWISE] if has_target(g, unit) else ways


class MachineWay(DecisionKind):
    name = "machine-way"
    what = "How a war machine fires: a cannonball or grapeshot, a stone at an enemy that it sees or indirectly."
    keys = ("wap.machine.grapeshot.choice", "wap.machine.stone-thrower.indirect.declare")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for way in machine_ways(g, g.stack[f + FireMachine.UNIT]):
            mask[g.setup.space.option + way] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        FireMachine.choose(g, f, action - g.setup.space.option)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit, way = g.stack[f + FireMachine.UNIT], action - g.setup.space.option
        machine = engine_of(g, unit)
        what = AT_SPOTS[machine.kind].get(way) or " or ".join(other.name for other in machine.others)
        return f"{g.setup.names['units'][unit]} fires {what}"


class MachineTarget(DecisionKind):
    name = "machine-target"
    what = "Which enemy unit a war machine fires at."
    keys = (
        "wap.machine.cannon.target",
        "wap.machine.stone-thrower.target",
        "wap.machine.fire-thrower.placing",
        "wap.shoot.template.friends",
    )

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit, way = g.stack[f + FireMachine.UNIT], g.stack[f + FireMachine.WAY] - 1
        at = g.setup.space.enemy - g.players.first_unit[1 - g.units.owner[unit]]
        for target in targets_at_spots(g, unit, way):
            mask[at + target] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        first = g.players.first_unit[1 - g.units.owner[g.stack[f + FireMachine.UNIT]]]
        g.stack[f + FireMachine.TARGET] = first + action - g.setup.space.enemy + 1

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return f"{g.setup.names['units'][g.stack[f + FireMachine.UNIT]]} at {g.default_words(action)}"


class MachineAim(DecisionKind):
    name = "machine-aim"
    what = "At which spot on the bases of its target a war machine fires: a cell of a grid over the unit."
    policy = "The spot at which the shot strikes most of the enemy and fewest friends if it goes as planned."
    keys = (
        "wap.core.template.placement",
        "wap.machine.cannon.target",
        "wap.machine.stone-thrower.no-friends",
        "wap.machine.fire-thrower.placing",
    )
    squad = False

    @staticmethod
    def of(g: BattleCore, f: int) -> tuple[int, int, int]:
        """The machine of the frame, its way of firing and its target."""
        stack = g.stack
        return stack[f + FireMachine.UNIT], stack[f + FireMachine.WAY] - 1, stack[f + FireMachine.TARGET] - 1

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit, way, target = self.of(g, f)
        cell = g.setup.space.cell
        for at in np.flatnonzero(spots(g, unit, target, sort_of(g, unit, way))).tolist():
            mask[cell + at] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit, way, target = self.of(g, f)
        cell = action - g.setup.space.cell
        g.stack[f + STEP] = FireMachine.Step.FIRED
        spot = spot_of(g, target, cell)
        if not takes_aim(g, unit, target, *spot):
            return
        throw = throw_for(g, unit)
        if throws_again(g, unit):
            ArtilleryAgain.wait(g, f, cell, throw)
        else:
            fires(g, unit, way, *spot, throw)

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        unit, way, target = self.of(g, f)
        return g.setup.space.cell + best_spot(g, unit, target, sort_of(g, unit, way))[0]

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        _, _, target = self.of(g, f)
        x, y = spot_of(g, target, action - g.setup.space.cell)
        return f"at the spot {x:.1f}, {y:.1f} on {g.setup.names['units'][target]}"


class ArtilleryAgain(DecisionKind):
    name = "artillery-again"
    what = "Whether the artillery die of a war machine is rolled again, by a rule that names it; done: it stands."
    policy = "It is rolled again after a misfire."
    keys = ("wap.core.reroll.second-stands", "wap.core.dice.special-no-reroll")

    @staticmethod
    def wait(g: BattleCore, f: int, cell: int, throw: Throw) -> None:
        """The dice of a shot at a cell wait for the answer."""
        stack, scatter = g.stack, throw.scatter
        stack[f + STEP], stack[f + FireMachine.CELL] = FireMachine.Step.ROLLED, cell
        stack[f + FireMachine.HIT], stack[f + FireMachine.DIRECTION] = int(scatter.hit), step_of(scatter.direction)
        stack[f + FireMachine.NUMBER] = throw.number

    @staticmethod
    def told(number: int) -> str:
        """What the artillery die shows, in words."""
        return "a misfire" if number == MISFIRE else f"a {number}"

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        mask[0] = mask[g.setup.space.option] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        stack, (unit, way, target) = g.stack, MachineAim.of(g, f)
        number = stack[f + FireMachine.NUMBER]
        stack[f + STEP] = FireMachine.Step.FIRED
        if action:
            old, number = number, artillery_die(g)
            g.note("wap.core.dice.special-no-reroll", "throws again", unit=unit, rolls=(old, number))
        scatter = Scatter(bool(stack[f + FireMachine.HIT]), stack[f + FireMachine.DIRECTION] * tau / DIRECTIONS)
        spot = spot_of(g, target, stack[f + FireMachine.CELL])
        for at in (FireMachine.CELL, FireMachine.HIT, FireMachine.DIRECTION, FireMachine.NUMBER):
            stack[f + at] = 0
        fires(g, unit, way, *spot, Throw(scatter, number))

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return int(g.setup.space.option) if g.stack[f + FireMachine.NUMBER] == MISFIRE else 0

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        shows = self.told(g.stack[f + FireMachine.NUMBER])
        return f"roll the artillery die again, which shows {shows}" if action else f"let {shows} stand"
