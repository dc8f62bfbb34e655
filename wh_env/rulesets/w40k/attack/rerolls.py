"""Rolls that their player may make again: Charge rolls, Advance rolls, Battle-shock tests (concepts.reroll.*).

Such a roll is a ``DiceRoll``: a procedure that rolls its dice, asks the player where a rule entitles them to re-roll, and only
then uses the result (``then``), so that a re-roll comes before any modifier. All dice of a sum are rolled again, and what was
re-rolled is not offered a second time, whoever offers.

Command Re-roll is offered after the rules of units, on what they left as it was (stratagem.command-re-roll): by
``CommandReroll`` on a ``DiceRoll`` that says ``command``, by ``CommandRerollDie`` on a die of the attack machine, by
``CommandRerollTest`` on one of several tests.

Entitlements are data: rows of ``rules["rerolls"]``, mappings with ``player`` (whose rolls), ``roll`` (the name of a
``DiceRoll``, or one of ``WINDOWS``), and, where it is narrower, ``unit`` (its row), ``results`` (only these results of the
roll) and ``name``. The dice of attacks are re-rolled inside the attack machine; ``windows`` opens it for those rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from wh_env.core.actions import ActionSpace
from wh_env.core.battle import BattleCore
from wh_env.core.bounds import MOST_ATTACKS, NEVER, between, flag, row_of
from wh_env.core.features import Pending
from wh_env.core.procedures import FRAME_SIZE, GO, STEP, DecisionKind, Procedure, Steps, V, beneath, integer
from wh_env.rulesets.w40k.attack.abilities import REROLLED, in_force, single_reroll
from wh_env.rulesets.w40k.attack.decisions import RunsMachine, machine_of
from wh_env.rulesets.w40k.attack.machine import Window
from wh_env.rulesets.w40k.codes import Freedom
from wh_env.rulesets.w40k.deploy.parts import origin
from wh_env.rulesets.w40k.edition import edition

SAVES = int(Window.SAVE)
EVERY = int(Window.ATTACKS | Window.HIT | Window.WOUND | Window.DAMAGE | Window.HAZARDOUS)
SINGLES = int(Window.HIT | Window.WOUND | Window.DAMAGE)
BATCH = int(Window.HIT | Window.WOUND | Window.HAZARDOUS)  # many dice, of which one is rolled again

# rolls of the attack machine, by the window in which one die (or one sum) may be rolled again
WINDOWS: dict[str, int] = {
    "attacks": int(Window.ATTACKS),
    "hit": int(Window.HIT),
    "wound": int(Window.WOUND),
    "damage": int(Window.DAMAGE),
    "hazardous": int(Window.HAZARDOUS),
    "save": int(Window.SAVE),
}


MOST_FACES = 4  # dice of a roll of which single ones can be rolled again


class DiceRoll(Procedure):
    """A roll for a unit, pushed with the unit as its first integer: so many D6 added up, and what their sum does."""

    class Step(Steps):
        BEGIN, ROLLED, FINAL = range(3)

    UNIT = integer(row_of("units"))
    RESULT = integer(between(-MOST_ATTACKS, MOST_ATTACKS))
    REROLLED = integer(flag())
    FACES = integer(between(0, 8**MOST_FACES - 1))  # of its dice, octal digits, where single ones can be rolled again
    asks = ("reroll", "command-re-roll")

    name: ClassVar[str]
    dice: ClassVar[int] = 1
    command: ClassVar[bool] = False  # Command Re-roll can be used on it

    def throw(self, g: BattleCore, unit: int) -> int:
        """Roll the dice."""
        return g.roll(self.dice)

    def number(self, g: BattleCore, unit: int) -> int:
        """How many dice are rolled."""
        return self.dice

    def total(self, g: BattleCore, unit: int, faces: list[int]) -> int:
        """The result of these dice, where they are rolled one by one (``Edition.one_die``)."""
        return sum(faces)

    def then(self, g: BattleCore, unit: int, result: int) -> None:
        """Use the unmodified result; the roll is off the stack."""
        raise NotImplementedError

    def good(self, g: BattleCore, unit: int, result: int) -> bool:
        """Whether a policy is content with the result: at least the average, unless the roll knows better."""
        return 2 * result >= 7 * self.dice

    def advance(self, g: BattleCore, f: int) -> int:
        Step = DiceRoll.Step
        stack = g.stack
        unit = stack[f + DiceRoll.UNIT]
        if stack[f + STEP] == Step.BEGIN:
            stack[f + STEP] = Step.ROLLED
            number = self.number(g, unit) if self.command and edition(g).one_die else 0
            if 0 < number <= MOST_FACES:
                set_faces(g, f, [g.d6() for _ in range(number)])
            else:
                stack[f + DiceRoll.RESULT] = self.throw(g, unit)
            if (g.setup.rules["rerolls"] or by_abilities(g)) and sources(g, f):
                return g.ask(Reroll, g.units.owner[unit], unit)
        if stack[f + STEP] == Step.ROLLED:
            stack[f + STEP] = Step.FINAL
            if self.command and not stack[f + DiceRoll.REROLLED] and command_reroll(g, unit):
                return g.ask(CommandReroll, g.units.owner[unit], unit)
        result = stack[f + DiceRoll.RESULT]
        g.pop()
        self.then(g, unit, result)
        return GO


def rolled(g: BattleCore, f: int) -> tuple[int, int]:
    """Whose roll it is (a unit row), and its result."""
    return int(g.stack[f + DiceRoll.UNIT]), int(g.stack[f + DiceRoll.RESULT])


def faces_of(g: BattleCore, f: int) -> list[int]:
    """The faces of the dice of a roll, one by one."""
    packed, faces = g.stack[f + DiceRoll.FACES], []
    while packed:
        packed, face = divmod(packed, 8)
        faces.append(face)
    return faces


def summed(faces: list[int], sides: int) -> int:
    """The sum of D6 that are read as dice of 6 or 3 sides."""
    return sum((face + 1) // 2 if sides == 3 else face for face in faces)


def set_faces(g: BattleCore, f: int, faces: list[int]) -> None:
    """The dice of a roll show these faces, and its result is what follows from them."""
    g.stack[f + DiceRoll.FACES] = sum(face * 8**at for at, face in enumerate(faces))
    g.stack[f + DiceRoll.RESULT] = roll_of(g, f).total(g, g.stack[f + DiceRoll.UNIT], faces)


def roll_one_again(g: BattleCore, f: int, face: int) -> None:
    """Roll one die of the roll again that shows this face."""
    roll, before, faces = roll_of(g, f), g.stack[f + DiceRoll.RESULT], faces_of(g, f)
    faces[faces.index(face)] = g.d6()
    set_faces(g, f, faces)
    g.stack[f + DiceRoll.REROLLED] = 1
    if g.recorder is not None:
        unit, after = g.stack[f + DiceRoll.UNIT], g.stack[f + DiceRoll.RESULT]
        g.tell("concepts.reroll.optional", "re-roll", name=roll.name, unit=unit, before=before, after=after)


def names(g: BattleCore, row: Mapping[str, Any], unit: int) -> bool:
    """Whether a row of ``rules["rerolls"]`` speaks of the unit, or of the one that it has split from (rare.split-units)."""
    return "unit" not in row or bool(row["unit"] == origin(g, unit))


def sources(g: BattleCore, f: int) -> list[Mapping[str, Any]]:
    """The rows of ``rules["rerolls"]`` and the abilities by which the player of the unit may make this roll again."""
    unit, result = g.stack[f + DiceRoll.UNIT], g.stack[f + DiceRoll.RESULT]
    name = roll_of(g, f).name
    by_rules = [
        row
        for row in g.setup.rules["rerolls"]
        if row["roll"] == name
        and row["player"] == g.units.owner[unit]
        and names(g, row, unit)
        and result in row.get("results", (result,))
    ]
    if not by_abilities(g):
        return by_rules
    own: list[Mapping[str, Any]] = [
        {"name": power.name} for power in in_force(g, unit, "rerolled") if REROLLED[power.effect] == name
    ]
    if name in ("charge", "advance") and single_reroll(g, unit) >= 0:
        own.append({"name": "one re-roll in each turn", "single": True})
    return [*by_rules, *own]


def by_abilities(g: BattleCore) -> bool:
    """Whether abilities of the battle let players make such rolls again."""
    powers = g.setup.statics["powers"]
    return bool(powers["rerolled"] or powers["single"])


def use_single(g: BattleCore, unit: int) -> None:
    """The one re-roll of a turn is used on a roll of the unit."""
    g.units.marks[single_reroll(g, unit)] |= Freedom.REROLLED


def roll_of(g: BattleCore, f: int) -> DiceRoll:
    """The roll whose frame this is."""
    roll: Any = g.setup.ruleset.procedures[g.stack[f]]
    return roll  # type: ignore[no-any-return]


class Reroll(DecisionKind):
    name = "reroll"
    what = "Keep the roll, or make it again, all of its dice, by one of the rules that allow it."
    policy = "Re-roll exactly the rolls that are not good."
    keys = (
        "concepts.reroll.optional",
        "concepts.reroll.sum-all-dice",
        "concepts.reroll.once",
        "concepts.reroll.before-modifiers",
    )
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        option = g.setup.space.option
        mask[option] = True
        for place, _ in enumerate(sources(g, f)[: g.setup.space.options - 1]):
            mask[option + 1 + place] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action != g.setup.space.option:
            if sources(g, f)[action - g.setup.space.option - 1].get("single"):
                use_single(g, g.stack[f + DiceRoll.UNIT])
            roll_again(g, f)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        name, result = roll_of(g, f).name, g.stack[f + DiceRoll.RESULT]
        place = action - g.setup.space.option
        if place == 0:
            return f"keep the {name} roll of {result}"
        row = sources(g, f)[place - 1]
        return f"re-roll the {name} roll of {result}" + (f" ({row['name']})" if "name" in row else "")

    def pending(self, g: BattleCore, f: int) -> Pending:
        return Pending(values={"roll": g.stack[f + DiceRoll.RESULT]})

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        good = roll_of(g, f).good(g, g.stack[f + DiceRoll.UNIT], g.stack[f + DiceRoll.RESULT])
        return int(g.setup.space.option + (0 if good else 1))


def roll_again(g: BattleCore, f: int) -> None:
    """Make the roll of the frame again, with all its dice."""
    roll, before = roll_of(g, f), g.stack[f + DiceRoll.RESULT]
    g.stack[f + DiceRoll.RESULT] = roll.throw(g, g.stack[f + DiceRoll.UNIT])
    g.stack[f + DiceRoll.REROLLED] = 1
    if g.recorder is not None:
        rule = "concepts.reroll.sum-all-dice" if roll.dice > 1 else "concepts.reroll.optional"
        g.tell(
            rule,
            "re-roll",
            name=roll.name,
            unit=g.stack[f + DiceRoll.UNIT],
            before=before,
            after=g.stack[f + DiceRoll.RESULT],
        )


# ---------------------------------------------------------------- Command Re-roll


def command_reroll(g: BattleCore, unit: int) -> bool:
    """Whether the player of the unit could use Command Re-roll on a roll of it now."""
    if not g.setup.statics["reroll_for_cp"]:
        return False
    book = edition(g).stratagems
    return book.reroll is not None and book.can_use(g, g.units.owner[unit], book.reroll, unit)


def pay_reroll(g: BattleCore, unit: int) -> None:
    """The player of the unit pays for a Command Re-roll."""
    book = edition(g).stratagems
    assert book.reroll is not None
    book.pay(g, g.units.owner[unit], book.reroll, unit)


class CommandReroll(DecisionKind):
    name = "command-re-roll"
    what = "Whether to use Command Re-roll on an Advance roll or Charge roll, with all its dice (done: not)."
    policy = "Its policy makes a Charge roll again that is not sufficient."
    keys = ("stratagem.command-re-roll", "stratagem.command-re-roll.not-others", "stratagem.pay")
    by_reroll = True

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        mask[0] = mask[g.setup.space.option] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action:
            unit = g.stack[f + DiceRoll.UNIT]
            pay_reroll(g, unit)
            roll_again(g, f)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        what = f"the {roll_of(g, f).name} roll of {g.stack[f + DiceRoll.RESULT]}"
        return f"command-re-roll: {what}" if action else f"keep {what}"

    def pending(self, g: BattleCore, f: int) -> Pending:
        return Pending(values={"roll": g.stack[f + DiceRoll.RESULT]})

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        roll = roll_of(g, f)
        falls_short = roll.dice > 1 and not roll.good(g, g.stack[f + DiceRoll.UNIT], g.stack[f + DiceRoll.RESULT])
        return int(g.setup.space.option) if falls_short else 0


class TakesTests(Procedure):
    """What rolls several tests together and keeps how many of them failed."""

    FAILED: ClassVar[int]

    @classmethod
    def offer_reroll(cls, g: BattleCore, unit: int, needed: int) -> None:
        """One of the failed tests of the unit may be rolled again."""
        g.push(FailedTest, unit, cls.FAILED, needed)

    @staticmethod
    def passed(g: BattleCore, f: int, kept: int) -> None:
        """One of the failed tests was rolled again and passed; ``kept``: the offset of ``FAILED``."""
        g.stack[f + kept] -= 1


class FailedTest(Procedure):
    """Several tests were rolled together and some failed; one of those may be rolled again, which is passed on ``NEEDED`` or more.

    Pushed by a procedure that ``TakesTests``, which keeps their number at the offset ``KEPT`` of its frame.
    """

    class Step(Steps):
        BEGIN, ASKED = range(2)

    UNIT = integer(row_of("units"))
    KEPT = integer(between(V, FRAME_SIZE - 1))
    NEEDED = integer(between(0, NEVER))
    asks = ("command-re-roll-test",)

    def advance(self, g: BattleCore, f: int) -> int:
        if g.stack[f + STEP] == FailedTest.Step.ASKED:
            return g.pop()
        g.stack[f + STEP] = FailedTest.Step.ASKED
        return g.ask(CommandRerollTest, g.units.owner[g.stack[f + FailedTest.UNIT]], g.stack[f + FailedTest.UNIT])


class CommandRerollTest(DecisionKind):
    name = "command-re-roll-test"
    what = "Whether to use Command Re-roll on a failed Desperate Escape test (done: not)."
    policy = "Its policy always does."
    keys = ("stratagem.command-re-roll", "stratagem.pay")
    by_reroll = True

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        mask[0] = mask[g.setup.space.option] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if not action:
            return
        unit, stack = g.stack[f + FailedTest.UNIT], g.stack
        pay_reroll(g, unit)
        roll = g.d6()
        if roll >= stack[f + FailedTest.NEEDED]:
            TakesTests.passed(g, beneath(f), stack[f + FailedTest.KEPT])
        if g.recorder is not None:
            g.tell("concepts.reroll.optional", "re-roll", unit=unit, after=roll)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return "command-re-roll: a failed test" if action else "keep the tests"

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return int(g.setup.space.option)


# ---------------------------------------------------------------- dice of attacks


def windows(g: BattleCore, attacker: int, target: int) -> int:
    """The re-rolls (bits of ``Window``) open to the player of an attacking unit, and those of saves to the player of a
    target; -1: no such unit."""
    bits = 0
    for row in g.setup.rules["rerolls"]:
        window = WINDOWS.get(row["roll"], 0)
        unit = target if window == SAVES else attacker
        if window and unit >= 0 and row["player"] == g.units.owner[unit] and names(g, row, unit):
            bits |= window
    if attacker >= 0 and single_reroll(g, attacker) >= 0:
        bits |= SINGLES
    if target >= 0 and single_reroll(g, target) >= 0:
        bits |= SAVES
    if attacker >= 0 and command_reroll(g, attacker):
        bits |= EVERY
    if target >= 0 and command_reroll(g, target):
        bits |= SAVES
    return bits


class DieWindow(RunsMachine):
    """The attack machine has stopped for a re-roll: by a rule of the unit, else by Command Re-roll."""

    class Step(Steps):
        BEGIN, COMMAND, END = range(3)

    MACHINE = integer(flag())
    asks = ("reroll-die", "command-re-roll-die")

    @classmethod
    def open(cls, g: BattleCore, machine: int) -> int:
        """Start it for one of the two rows of the machine."""
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
            if not machine.answer[0] and command_reroll(g, unit):
                return g.ask(CommandRerollDie, g.units.owner[unit], unit)
        else:
            return g.pop()
        return GO


def window_unit(machine: Any) -> int:
    """Whose roll the attack machine has stopped for: a save is the target's, everything else the attacking unit's."""
    return int(machine.target[0] if machine.window[0] == SAVES else machine.unit[0])


def window_results(g: BattleCore, machine: Any) -> set[int]:
    """The results that the rows for this roll allow to roll again."""
    unit, window = window_unit(machine), machine.window[0]
    allowed: set[int] = set()
    for row in g.setup.rules["rerolls"]:
        mine = row["player"] == g.units.owner[unit] and names(g, row, unit)
        if mine and WINDOWS.get(row["roll"], 0) == window:
            allowed.update(row.get("results", range(64)))
    if window & (SINGLES | SAVES) and single_reroll(g, unit) >= 0:
        allowed.update(range(64))
    return allowed


def by_rows(g: BattleCore, machine: Any) -> bool:
    """Whether rows of ``rules["rerolls"]`` allow the re-roll."""
    unit, window = window_unit(machine), machine.window[0]
    return any(
        row["player"] == g.units.owner[unit] and names(g, row, unit) and WINDOWS.get(row["roll"], 0) == window
        for row in g.setup.rules["rerolls"]
    )


def result_slot(space: ActionSpace, machine: Any) -> int:
    """The action that stands for the one result of a roll; all that are too high for a slot of their own share the last."""
    return int(space.number + min(machine.die[0], space.numbers - 1))


def result_of(space: ActionSpace, machine: Any, action: int) -> int:
    """The result that an action stands for."""
    return int(action - space.number if machine.window[0] & BATCH else machine.die[0])


def die_asked(g: BattleCore, f: int) -> Pending:
    """A die of the attack machine may be rolled again."""
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
    ROLLS: ClassVar[dict[int, str]] = {window: name for name, window in WINDOWS.items()}

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
        machine.answer[0] = result if machine.window[0] & BATCH else int(result > 0)
        if result > 0 and not by_rows(g, machine):
            use_single(g, window_unit(machine))

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        machine: Any = machine_of(g, f)
        name = self.ROLLS[machine.window[0]]
        if action == g.setup.space.option:
            return f"keep the {name} roll"
        return f"re-roll a {name} roll of {result_of(g.setup.space, machine, action)}"

    def pending(self, g: BattleCore, f: int) -> Pending:
        return die_asked(g, f)

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return self.lowest_failing(g, f, mask)

    @staticmethod
    def lowest_failing(g: BattleCore, f: int, mask: memoryview) -> int:
        """The slot of the lowest die that fails, else the one to keep what was rolled."""
        machine: Any = machine_of(g, f)
        space = g.setup.space
        needed = machine.needed[0] if machine.window[0] & (BATCH | SAVES) else 4
        for result in range(1, needed):
            if mask[space.number + result]:
                return int(space.number + result)
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
        if machine.window[0] & BATCH:
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
        pay_reroll(g, unit)
        machine.answer[0] = action - g.setup.space.number if machine.window[0] & BATCH else 1

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        machine: Any = machine_of(g, f)
        name = RerollDie.ROLLS[machine.window[0]]
        if action == g.setup.space.option:
            return f"keep the {name} roll"
        return f"command-re-roll: a {name} roll of {result_of(g.setup.space, machine, action)}"

    def pending(self, g: BattleCore, f: int) -> Pending:
        return die_asked(g, f)

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        machine: Any = machine_of(g, f)
        if machine.window[0] & (Window.SAVE | Window.DAMAGE | Window.HAZARDOUS):
            return RerollDie.lowest_failing(g, f, mask)
        return int(g.setup.space.option)
