"""The blows of one round of close combat, one step of Initiative after the other (wap.combat.order.*, wap.special.strike-order.table).

A step is a number: the tier of the attacks first, the Initiative within it second; what is higher strikes earlier. Who stands in contact when his step
comes strikes (wap.combat.who.base-contact, .casualties.step-up). ``models.struck`` keeps who has.
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import amount, flag, row_of
from wh_env.core.procedures import GO, STEP, DecisionKind, Procedure, Steps, integer
from wh_env.rulesets.wap.codes import LEADERS, MOUNTS
from wh_env.rulesets.wap.combat.fighters import enemies_of, groups_of, mark_struck
from wh_env.rulesets.wap.combat.wounds import aim, aimed, clear_blows, free_row, remove_losses, strike
from wh_env.rulesets.wap.weapons.blows import LAST, Blow, blow_of, extra_ranks

TIER = 64  # steps of one tier
BEFORE = TIER * (LAST + 1)  # ahead of all steps
TIERS = ("always strikes first", "", "always strikes last")
Known = dict[tuple[int, int, int], Blow]


def step_of(blow: Blow) -> int:
    """The step at which an attack is made."""
    return (LAST - blow.tier) * TIER + blow.initiative


class Sides:
    """The blows that may be struck in the course of a round, worked out once for each unit, profile and enemy."""

    def __init__(self, g: BattleCore) -> None:
        self.g = g
        self.blows: Known = {}

    def blow(self, unit: int, line: int, target: int) -> Blow:
        """What a profile of a unit strikes an enemy with."""
        key = (unit, line, target)
        found = self.blows.get(key)
        if found is None:
            found = self.blows[key] = blow_of(self.g, unit, line, target)
        return found

    def fighting(self) -> list[int]:
        """The units that fight on, those of the player whose turn it is first."""
        g = self.g
        turn = g.clock.turn[0]
        u = g.units
        return [
            unit for player in (turn, 1 - turn) for unit in g.units_of(player) if u.fighting[unit] and u.fights[unit]
        ]

    def groups(self, step: int) -> tuple[int, list[tuple[int, int, int, int, int]]]:
        """The latest step not after ``step`` at which somebody strikes, -1: none does any more; and who does then: (unit, line, behind, enemies, models)."""
        g = self.g
        best, found = -1, []
        for unit in self.fighting():
            enemies = enemies_of(g, unit)
            for line, behind, targets, models in groups_of(g, unit, extra_ranks(g, unit)):
                at = max(step_of(self.blow(unit, line, enemy)) for enemy in chosen(enemies, targets))
                if at > step or at < best:
                    continue
                if at > best:
                    best, found = at, []
                found.append((unit, line, behind, targets, models))
        return best, found


def chosen(enemies: list[int], bits: int) -> list[int]:
    """The enemies that bits stand for."""
    return [enemy for n, enemy in enumerate(enemies) if bits >> n & 1]


def name_of(g: BattleCore, unit: int, line: int) -> str:
    """Who of a unit strikes, in words."""
    name = g.setup.names["units"][unit]
    kind = g.lines.kind[line]
    return f"{name}'s mounts" if kind == MOUNTS else f"{name}'s champion" if kind == LEADERS else str(name)


class Strikes(Procedure):
    """All blows of the units in the combat."""

    class Step(Steps):
        BEGIN, GO_ON, TARGET, SHARE = range(4)

    AT = integer(amount())  # the step of the strikes
    # attacks that are still to be aimed
    UNIT = integer(row_of("units"))
    LINE = integer(row_of("lines"))
    BEHIND = integer(flag())
    TARGETS = integer(amount())
    ATTACKS = integer(amount())
    ENEMY = integer(row_of("units"))
    asks = ("strike-target", "strike-share")

    def advance(self, g: BattleCore, f: int) -> int:
        Step, stack = Strikes.Step, g.stack
        if stack[f + STEP] == Step.BEGIN:
            clear_blows(g)
            g.models.rows["struck"] = 0
            stack[f + Strikes.AT] = BEFORE
            stack[f + STEP] = Step.GO_ON
        elif stack[f + STEP] == Step.TARGET:
            return g.ask(StrikeTarget, g.units.owner[stack[f + Strikes.UNIT]], stack[f + Strikes.UNIT])
        elif stack[f + STEP] == Step.SHARE:
            return g.ask(StrikeShare, g.units.owner[stack[f + Strikes.UNIT]], stack[f + Strikes.UNIT])
        sides, depth = Sides(g), g.clock.depth[0]
        while True:
            if waits(g, f, sides):
                return GO
            step = self.next_step(g, f, sides)
            if step < 0:
                clear_blows(g)
                return g.pop()
            if step == stack[f + Strikes.AT] and self.aims(g, f, sides):
                continue
            strike_step(g, step, sides)
            stack[f + Strikes.AT] = max(0, step - 1)
            if step == 0:
                stack[f + Strikes.AT] = 0
            if g.clock.depth[0] > depth:
                return GO
