"""Re-rolls of single dice of attacks: the windows of the attack machine (concepts.reroll.*).

The machine stops at a roll that a player may re-roll (``Window``). ``DieWindow`` offers the re-roll by rules of the
unit, then by Command Re-roll. In editions where dice are re-rolled one by one (``Edition.any_die``), every roll is
offered by the faces of its dice, as long as dice are left and the player can pay.
"""

from __future__ import annotations

from typing import Any

from wh_env.core.actions import ActionSpace
from wh_env.core.battle import BattleCore
from wh_env.core.bounds import flag
from wh_env.core.features import Pending
from wh_env.core.procedures import GO, STEP, DecisionKind, Steps, integer
from wh_env.rulesets.w40k.attack.abilities import single_reroll
from wh_env.rulesets.w40k.attack.decisions import RunsMachine, machine_of
from wh_env.rulesets.w40k.attack.rerolls import command_reroll, pay_reroll, reroll_title, speaks_of, use_single
from wh_env.rulesets.w40k.attack_row import ALL_DICE, Window
from wh_env.rulesets.w40k.edition import edition

SAVES = int(Window.SAVE)
EVERY = int(Window.ATTACKS | Window.HIT | Window.WOUND | Window.DAMAGE | Window.HAZARDOUS)
SINGLES = int(Window.HIT | Window.WOUND | Window.DAMAGE)
BATCH = int(Window.HIT | Window.WOUND | Window.HAZARDOUS)  # many dice, of which one can be re-rolled
SUMS = int(Window.ATTACKS | Window.DAMAGE | Window.STRENGTH)  # dice that are added up
DEFENDERS = int(Window.SAVE | Window.IGNORE)
EACH, USED, SAVE_USED = int(Window.EACH), int(Window.USED), int(Window.SAVE_USED)

# rolls of the attack machine, by the window in which one die (or one sum) may be rolled again
WINDOWS: dict[str, int] = {
    "attacks": int(Window.ATTACKS),
    "hit": int(Window.HIT),
    "wound": int(Window.WOUND),
    "damage": int(Window.DAMAGE),
    "hazardous": int(Window.HAZARDOUS),
    "save": int(Window.SAVE),
}
NAMES = {
    **{window: name for name, window in WINDOWS.items()},
    int(Window.STRENGTH): "Strength",
    int(Window.IGNORE): "ignored wound",
}


def windows(g: BattleCore, attacker: int, target: int) -> int:
    """Bits of ``Window``: re-rolls open to the player of the attacking unit, and re-rolls of saves open to the player
    of the target. -1: no such unit.
    """
    bits = 0
    for row in g.setup.rules["rerolls"]:
        window = WINDOWS.get(row["roll"], 0)
        unit = target if window == SAVES else attacker
        if window and unit >= 0 and row["player"] == g.units.owner[unit] and speaks_of(g, row, unit):
            bits |= window
    if attacker >= 0 and single_reroll(g, attacker) >= 0:
        bits |= SINGLES
    if target >= 0 and single_reroll(g, target) >= 0:
        bits |= SAVES
    each = edition(g).any_die
    if attacker >= 0 and command_reroll(g, g.units.owner[attacker], attacker):
        bits |= EVERY | int(Window.STRENGTH | Window.EACH) if each else EVERY
    if target >= 0 and command_reroll(g, g.units.owner[target], target):
        bits |= DEFENDERS | EACH if each else SAVES
    return bits


def offer_saves(g: BattleCore, target: int) -> None:
    """Open the re-rolls of the target's player as attacks on another target begin."""
    machine = g.attack
    machine.offer[0] = machine.offer[0] & ~(DEFENDERS | SAVE_USED) | windows(g, -1, target)


class DieWindow(RunsMachine):
    """The attack machine has stopped for a re-roll: offer it by a rule of the unit, else by Command Re-roll."""

    class Step(Steps):
        BEGIN, COMMAND, END = range(3)

    MACHINE = integer(flag())
    asks = ("reroll-die", "command-re-roll-die")

    @classmethod
    def open(cls, g: BattleCore, machine: int) -> int:
        """Push the window for row ``machine`` (0 or 1) of the attack machine."""
        g.push(cls)
        g.stack[g.frame + cls.MACHINE] = machine
        return GO

    def advance(self, g: BattleCore, f: int) -> int:
        machine: Any = machine_of(g, f)
        step = g.stack[f + STEP]
        g.stack[f + STEP] = step + 1
        unit = window_unit(machine)
        if step == DieWindow.Step.BEGIN:
            machine.answer[0] = 0
            if window_results(g, machine):
                return g.ask(RerollDie, g.units.owner[unit], unit)
        elif step == DieWindow.Step.COMMAND:
            if not machine.answer[0] and command_reroll(g, g.units.owner[unit], unit):
                return g.ask(CommandRerollDie, g.units.owner[unit], unit)
        else:
            return g.pop()
        return GO


def window_unit(machine: Any) -> int:
    """The unit that rolls: the target for a save or an ignored wound, else the attacking unit."""
    return int(machine.target[0] if machine.window[0] & DEFENDERS else machine.unit[0])


def by_faces(machine: Any) -> bool:
    """Whether single dice of the roll can be re-rolled, by their faces."""
    return bool(machine.window[0] & BATCH or (machine.offer[0] & EACH and machine.window[0] & SUMS))


def used(machine: Any) -> int:
    """The bit that marks the re-roll of a rule as used by the player who rolls."""
    return SAVE_USED if machine.window[0] & DEFENDERS else USED


def window_results(g: BattleCore, machine: Any) -> set[int]:
    """The results of this roll that rules and abilities allow to re-roll."""
    unit, window = window_unit(machine), machine.window[0]
    allowed: set[int] = set()
    if machine.offer[0] & used(machine):
        return allowed
    for row in g.setup.rules["rerolls"]:
        mine = row["player"] == g.units.owner[unit] and speaks_of(g, row, unit)
        if mine and WINDOWS.get(row["roll"], 0) == window:
            allowed.update(row.get("results", range(64)))
    if window & (SINGLES | SAVES) and single_reroll(g, unit) >= 0:
        allowed.update(range(64))
    return allowed


def by_rows(g: BattleCore, machine: Any) -> bool:
    """Whether rows of ``rules["rerolls"]`` allow the re-roll."""
    unit, window = window_unit(machine), machine.window[0]
    return any(
        row["player"] == g.units.owner[unit] and speaks_of(g, row, unit) and WINDOWS.get(row["roll"], 0) == window
        for row in g.setup.rules["rerolls"]
    )


def result_slot(space: ActionSpace, machine: Any) -> int:
    """The action for the one result of a roll; results that are too high share the last slot."""
    return int(space.number + min(machine.die[0], space.numbers - 1))


def result_of(space: ActionSpace, machine: Any, action: int) -> int:
    """The result that an action re-rolls."""
    return int(action - space.number if by_faces(machine) else machine.die[0])


def failing(machine: Any) -> int:
    """A policy re-rolls results below this number."""
    return int(machine.needed[0] if machine.window[0] & (BATCH | DEFENDERS) else 4)


def die_asked(g: BattleCore, f: int) -> Pending:
    """The features of the pending re-roll: weapon and result."""
    machine: Any = machine_of(g, f)
    return Pending(weapon=machine.weapon[0], values={"roll": max(0, machine.die[0])})


class RerollDie(DecisionKind):
    name = "reroll-die"
    what = (
        "One die of a batch of hit, wound or Hazardous rolls (by its face), or one save, damage or number of attacks: "
        "keep it or roll it again."
    )
    policy = "Re-roll the lowest die that fails; where nothing fails, keep."
    keys = ("concepts.reroll.optional", "concepts.reroll.once", "concepts.reroll.before-modifiers")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        machine: Any = machine_of(g, f)
        space, allowed = g.setup.space, window_results(g, machine)
        mask[space.option] = True
        if machine.window[0] & BATCH:
            for face in range(1, 7):
                if machine.rows[0]["faces"][face] > 0 and face in allowed:
                    mask[space.number + face] = True
        elif machine.die[0] in allowed:
            mask[result_slot(space, machine)] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        machine: Any = machine_of(g, f)
        result = 0 if action == g.setup.space.option else action - g.setup.space.number
        if result == 0:
            machine.answer[0] = 0
            return
        machine.answer[0] = result if machine.window[0] & BATCH else ALL_DICE if by_faces(machine) else 1
        machine.offer[0] |= used(machine)
        if not by_rows(g, machine):
            use_single(g, window_unit(machine))

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        machine: Any = machine_of(g, f)
        name = NAMES[machine.window[0]]
        if action == g.setup.space.option:
            return f"keep the {name} roll"
        result = action - g.setup.space.number if machine.window[0] & BATCH else machine.die[0]
        return f"re-roll a {name} roll of {result}"

    def pending(self, g: BattleCore, f: int) -> Pending:
        return die_asked(g, f)

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return self.lowest_failing(g, f, mask)

    @staticmethod
    def lowest_failing(g: BattleCore, f: int, mask: memoryview) -> int:
        """The action that re-rolls the lowest failed die; if none fails, the action that keeps the roll."""
        machine: Any = machine_of(g, f)
        space = g.setup.space
        for result in range(1, failing(machine)):
            if mask[space.number + result]:
                return space.number + result
        return int(space.option)


class CommandRerollDie(DecisionKind):
    name = "command-re-roll-die"
    what = (
        "Whether to use Command Re-roll on one die of a batch of rolls (by its face), or on one save, damage or number "
        "of attacks (option 0: not)."
    )
    policy = "Its policy makes a failed save or Hazardous test and a low damage roll again, nothing else."
    keys = ("stratagem.command-re-roll", "stratagem.pay")
    by_reroll = True

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        machine: Any = machine_of(g, f)
        space = g.setup.space
        mask[space.option] = True
        if by_faces(machine):
            for face in range(1, 7):
                if machine.rows[0]["faces"][face] > 0:
                    mask[space.number + face] = True
        else:
            mask[result_slot(space, machine)] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        machine: Any = machine_of(g, f)
        if action == g.setup.space.option:
            return
        unit = window_unit(machine)
        pay_reroll(g, g.units.owner[unit], unit)
        machine.answer[0] = action - g.setup.space.number if by_faces(machine) else 1

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        machine: Any = machine_of(g, f)
        name = NAMES[machine.window[0]]
        if action == g.setup.space.option:
            return f"keep the {name} roll"
        article = "an" if name[0] in "aeiou" else "a"
        return f"{reroll_title(g)}: {article} {name} roll of {result_of(g.setup.space, machine, action)}"

    def pending(self, g: BattleCore, f: int) -> Pending:
        return die_asked(g, f)

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        machine: Any = machine_of(g, f)
        if machine.window[0] & (Window.SAVE | Window.IGNORE | Window.DAMAGE | Window.HAZARDOUS):
            return RerollDie.lowest_failing(g, f, mask)
        return int(g.setup.space.option)
