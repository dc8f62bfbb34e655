"""Rolls that their player may re-roll: Charge rolls, Advance rolls, Battle-shock tests (concepts.reroll.*).

Such a roll is a ``DiceRoll``: a procedure that rolls its dice, asks the player if a rule entitles them to re-roll, and
only then uses the result (``then``). So a re-roll comes before any modifier. All dice of a sum are re-rolled, and a
re-rolled sum is not offered again. Dice that only editions with ``Edition.any_die`` re-roll are ``Thrown``: in other
editions, and if no player has the right, they are rolled at once.

Command Re-roll is offered after the rules of units, if these left the roll as it was (stratagem.command-re-roll): by
``CommandReroll`` on a ``DiceRoll`` with ``command``, by ``CommandRerollDie`` on a die of the attack machine, by
``CommandRerollTest`` on one of several tests.

Entitlements are data: rows of ``rules["rerolls"]``, mappings with ``player`` (the player who rolls) and ``roll`` (the
name of a ``DiceRoll``, or one of ``die_windows.WINDOWS``). Optional are ``unit`` (its row), ``results`` (only these
results of the roll) and ``name``. Dice of attacks are re-rolled inside the attack machine; ``die_windows`` opens it for
those rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import MOST_ATTACKS, NEVER, amount, between, code, flag, player, row_of
from wh_env.core.features import Pending
from wh_env.core.procedures import FRAME_SIZE, GO, STEP, DecisionKind, Procedure, Steps, V, beneath, integer
from wh_env.rulesets.w40k.attack.abilities import REROLLED, in_force, single_reroll
from wh_env.rulesets.w40k.codes import Freedom
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.questions.parts import origin

COUNT_BITS = 10  # bits for the number of dice that show one face
MOST_FACES = (1 << COUNT_BITS) - 1


class DiceRoll(Procedure):
    """A roll of several D6 for a unit and what follows from their sum. Pushed with the unit as its first integer."""

    class Step(Steps):
        BEGIN, ROLLED, FINAL = range(3)

    UNIT = integer(row_of("units", none=True))
    PLAYER = integer(player())  # the player who rolls: for a unit, its owner
    RESULT = integer(between(-MOST_ATTACKS, MOST_ATTACKS))
    REROLLED = integer(flag())
    # dice that can be rolled again one by one, and those that were: how many show each face, three faces to an integer
    FACES = integer(between(0, 8**COUNT_BITS - 1), width=2)
    SPENT = integer(between(0, 8**COUNT_BITS - 1), width=2)
    asks = ("reroll", "command-re-roll")

    name: ClassVar[str]
    command: ClassVar[bool] = False  # Command Re-roll can be used on it in every edition

    def dice(self, g: BattleCore) -> int:
        """The number of dice that the edition rolls."""
        return 1

    def number(self, g: BattleCore, unit: int) -> int:
        """The number of dice rolled for the unit."""
        return self.dice(g)

    def total(self, g: BattleCore, unit: int, faces: list[int]) -> int:
        """The result of these dice."""
        return sum(faces)

    def then(self, g: BattleCore, unit: int, result: int) -> None:
        """Use the unmodified result. The roll is off the stack."""
        raise NotImplementedError

    def good(self, g: BattleCore, unit: int, result: int) -> bool:
        """Whether a policy keeps the result: it is at least the average, unless a subclass decides otherwise."""
        return 2 * result >= 7 * self.dice(g)

    def advance(self, g: BattleCore, f: int) -> int:
        Step = DiceRoll.Step
        stack = g.stack
        unit = stack[f + DiceRoll.UNIT]
        if stack[f + STEP] == Step.BEGIN:
            stack[f + STEP] = Step.ROLLED
            if unit >= 0:
                stack[f + DiceRoll.PLAYER] = g.units.owner[unit]
            throw(g, f)
            if (g.setup.rules["rerolls"] or by_abilities(g)) and sources(g, f):
                return g.ask(Reroll, stack[f + DiceRoll.PLAYER], unit)
        if stack[f + STEP] == Step.ROLLED:
            stack[f + STEP] = Step.FINAL
            if self.command_offered(g, f):
                return g.ask(CommandReroll, stack[f + DiceRoll.PLAYER], unit)
        self.finish(g, f)
        return GO

    def finish(self, g: BattleCore, f: int) -> None:
        """Use the result, as no more re-rolls are offered."""
        unit, result = rolled(g, f)
        g.pop()
        self.then(g, unit, result)

    def command_offered(self, g: BattleCore, f: int) -> bool:
        """Whether Command Re-roll can be used now: on a die that was not re-rolled yet, or on the whole roll."""
        stack = g.stack
        if edition(g).any_die:
            left = stack[f + DiceRoll.FACES] or stack[f + DiceRoll.FACES + 1]
        else:
            left = self.command and not stack[f + DiceRoll.REROLLED]
        return bool(left) and command_reroll(g, stack[f + DiceRoll.PLAYER], stack[f + DiceRoll.UNIT])


def rolled(g: BattleCore, f: int) -> tuple[int, int]:
    """The unit row of the roll (-1: it is for a player), and its result."""
    return int(g.stack[f + DiceRoll.UNIT]), int(g.stack[f + DiceRoll.RESULT])


def roller(g: BattleCore, f: int) -> int:
    """The player who rolls."""
    return int(g.stack[f + DiceRoll.PLAYER])


def faces_kept(g: BattleCore, f: int, at: int) -> list[int]:
    """The faces of some dice of a roll in rising order. ``at``: ``FACES`` for dice that can be re-rolled, ``SPENT`` for
    the others.
    """
    low, high = g.stack[f + at : f + at + 2]
    return [
        face for face in range(1, 7) for _ in range((low, high)[face > 3] >> (face - 1) % 3 * COUNT_BITS & MOST_FACES)
    ]


def keep_faces(g: BattleCore, f: int, at: int, faces: Sequence[int]) -> None:
    """Store the faces of some dice of a roll; see ``faces_kept``."""
    for half in (0, 1):
        g.stack[f + at + half] = sum(1 << (face - 1) % 3 * COUNT_BITS for face in faces if (face > 3) == half)


def faces_of(g: BattleCore, f: int) -> list[int]:
    """The faces of the dice that can be re-rolled, in rising order."""
    return faces_kept(g, f, DiceRoll.FACES)


def summed(faces: list[int], sides: int) -> int:
    """The sum of D6 read as dice of ``sides`` (6 or 3)."""
    return sum((face + 1) // 2 if sides == 3 else face for face in faces)


def throw(g: BattleCore, f: int, again: bool = False) -> None:
    """Roll all dice of the roll. ``again``: this is a re-roll, so that no die can be re-rolled any more."""
    roll, unit = roll_of(g, f), g.stack[f + DiceRoll.UNIT]
    faces = [g.d6() for _ in range(roll.number(g, unit))]
    g.stack[f + DiceRoll.RESULT] = roll.total(g, unit, faces)
    g.stack[f + DiceRoll.REROLLED] = again
    if edition(g).any_die:
        keep_faces(g, f, DiceRoll.FACES, [] if again else faces)
        keep_faces(g, f, DiceRoll.SPENT, faces if again else [])


def roll_one_again(g: BattleCore, f: int, face: int) -> None:
    """Re-roll one die of the roll that shows ``face``; other dice may follow."""
    roll, unit, before, faces = roll_of(g, f), g.stack[f + DiceRoll.UNIT], g.stack[f + DiceRoll.RESULT], faces_of(g, f)
    faces.remove(face)
    spent = [*faces_kept(g, f, DiceRoll.SPENT), g.d6()]
    keep_faces(g, f, DiceRoll.FACES, faces)
    keep_faces(g, f, DiceRoll.SPENT, spent)
    after = g.stack[f + DiceRoll.RESULT] = roll.total(g, unit, [*faces, *spent])
    g.stack[f + DiceRoll.REROLLED] = 1
    g.stack[f + STEP] = DiceRoll.Step.ROLLED
    g.tell("concepts.reroll.optional", "re-roll", name=roll.name, unit=unit, before=before, after=after)


def speaks_of(g: BattleCore, row: Mapping[str, Any], unit: int) -> bool:
    """Whether a row of ``rules["rerolls"]`` is for the unit (-1: none) or for the unit that it has split from
    (rare.split-units).
    """
    return "unit" not in row or (unit >= 0 and bool(row["unit"] == origin(g, unit)))


class Thrown(DiceRoll):
    """Dice of a rule, of 3 or 6 sides, plus a number; rolled by a player and begun with ``begin``.

    When ``then`` uses the result, the frame of the procedure that began the roll is on top.
    """

    DICE = integer(between(0, MOST_FACES))
    SIDES = integer(code(0, 3, 6))
    PLUS = integer(amount())

    @classmethod
    def begin(cls, g: BattleCore, player: int, unit: int, amount: tuple[int, int, int] = (1, 6, 0)) -> None:
        """Roll for a unit of the player (-1: no unit). ``amount``: number of dice, their sides, and what is added."""
        dice, sides, plus = amount
        if dice and edition(g).any_die and (g.setup.rules["rerolls"] or command_reroll(g, player, unit)):
            g.push(cls, unit, player)
            f = g.frame
            g.stack[f + cls.DICE], g.stack[f + cls.SIDES], g.stack[f + cls.PLUS] = dice, sides, plus
            return
        cls().use(g, player, unit, [g.d6() for _ in range(dice)], sides, plus)

    def use(self, g: BattleCore, player: int, unit: int, faces: list[int], sides: int, plus: int) -> None:
        """Use the dice. The roll is off the stack."""
        self.then(g, unit, summed(faces, sides) + plus)

    def finish(self, g: BattleCore, f: int) -> None:
        unit, faces = g.stack[f + Thrown.UNIT], [*faces_of(g, f), *faces_kept(g, f, Thrown.SPENT)]
        sides, plus = g.stack[f + Thrown.SIDES], g.stack[f + Thrown.PLUS]
        g.pop()
        self.use(g, g.stack[f + Thrown.PLAYER], unit, faces, sides, plus)

    def number(self, g: BattleCore, unit: int) -> int:
        return int(g.stack[g.frame + Thrown.DICE])

    def total(self, g: BattleCore, unit: int, faces: list[int]) -> int:
        return summed(faces, g.stack[g.frame + Thrown.SIDES]) + int(g.stack[g.frame + Thrown.PLUS])

    def good(self, g: BattleCore, unit: int, result: int) -> bool:
        dice, sides, plus = g.stack[g.frame + Thrown.DICE : g.frame + Thrown.PLUS + 1]
        return bool(2 * (result - plus) >= dice * (sides + 1))


def sources(g: BattleCore, f: int) -> list[Mapping[str, Any]]:
    """The rows of ``rules["rerolls"]`` and the abilities by which the player may re-roll this roll."""
    unit, result = g.stack[f + DiceRoll.UNIT], g.stack[f + DiceRoll.RESULT]
    name = roll_of(g, f).name
    by_rules = [
        row
        for row in g.setup.rules["rerolls"]
        if row["roll"] == name
        and row["player"] == g.stack[f + DiceRoll.PLAYER]
        and speaks_of(g, row, unit)
        and result in row.get("results", (result,))
    ]
    if not by_abilities(g) or unit < 0:
        return by_rules
    own: list[Mapping[str, Any]] = [
        {"name": power.name} for power in in_force(g, unit, "rerolled") if REROLLED[power.effect] == name
    ]
    if name in ("charge", "advance") and single_reroll(g, unit) >= 0:
        own.append({"name": "one re-roll in each turn", "single": True})
    return [*by_rules, *own]


def by_abilities(g: BattleCore) -> bool:
    """Whether abilities of the battle allow such re-rolls."""
    powers = g.setup.statics["powers"]
    return bool(powers["rerolled"] or powers["single"])


def use_single(g: BattleCore, unit: int) -> None:
    """Mark the one re-roll of a turn as used, for a roll of the unit."""
    g.units.marks[single_reroll(g, unit)] |= Freedom.REROLLED


def roll_of(g: BattleCore, f: int) -> DiceRoll:
    """The ``DiceRoll`` procedure of the frame."""
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
    """Re-roll all dice of the frame's roll."""
    roll, before = roll_of(g, f), g.stack[f + DiceRoll.RESULT]
    throw(g, f, again=True)
    if g.recorder is not None:
        rule = "concepts.reroll.sum-all-dice" if roll.dice(g) > 1 else "concepts.reroll.optional"
        g.tell(
            rule,
            "re-roll",
            name=roll.name,
            unit=g.stack[f + DiceRoll.UNIT],
            before=before,
            after=g.stack[f + DiceRoll.RESULT],
        )


# ---------------------------------------------------------------- Command Re-roll


def command_reroll(g: BattleCore, player: int, unit: int) -> bool:
    """Whether the player can use Command Re-roll now on a roll for their unit; -1: for no unit."""
    if not g.setup.statics["reroll_for_cp"]:
        return False
    book = edition(g).stratagems
    return book.reroll is not None and book.can_use(g, player, book.reroll, unit)


def reroll_title(g: BattleCore) -> str:
    """The name of Command Re-roll in this edition."""
    book = edition(g).stratagems
    assert book.reroll is not None
    return book.table[book.reroll].title


def pay_reroll(g: BattleCore, player: int, unit: int) -> None:
    """Let the player pay for Command Re-roll on a roll for their unit; -1: for no unit."""
    book = edition(g).stratagems
    assert book.reroll is not None
    book.pay(g, player, book.reroll, unit)


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
            pay_reroll(g, roller(g, f), g.stack[f + DiceRoll.UNIT])
            roll_again(g, f)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        what = f"the {roll_of(g, f).name} roll of {g.stack[f + DiceRoll.RESULT]}"
        return f"{reroll_title(g)}: {what}" if action else f"keep {what}"

    def pending(self, g: BattleCore, f: int) -> Pending:
        return Pending(values={"roll": g.stack[f + DiceRoll.RESULT]})

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        roll = roll_of(g, f)
        falls_short = roll.dice(g) > 1 and not roll.good(g, g.stack[f + DiceRoll.UNIT], g.stack[f + DiceRoll.RESULT])
        return int(g.setup.space.option) if falls_short else 0


class TakesTests(Procedure):
    """A procedure that rolls several tests together and keeps the number that failed."""

    FAILED: ClassVar[int]

    @classmethod
    def offer_reroll(cls, g: BattleCore, unit: int, needed: int) -> None:
        """Offer the re-roll of one failed test of the unit."""
        g.push(FailedTest, unit, cls.FAILED, needed)

    @staticmethod
    def passed(g: BattleCore, f: int, kept: int) -> None:
        """Count a re-rolled test as passed. ``kept``: the offset of ``FAILED`` in the frame."""
        g.stack[f + kept] -= 1


class FailedTest(Procedure):
    """Offers the re-roll of one of several failed tests, which passes on ``NEEDED`` or more.

    Pushed by a procedure that ``TakesTests``, which keeps the number of failed tests at offset ``KEPT`` of its frame.
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
        pay_reroll(g, g.units.owner[unit], unit)
        roll = g.d6()
        if roll >= stack[f + FailedTest.NEEDED]:
            TakesTests.passed(g, beneath(f), stack[f + FailedTest.KEPT])
        g.tell("concepts.reroll.optional", "re-roll", unit=unit, after=roll)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return f"{reroll_title(g)}: a failed test" if action else "keep the tests"

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return int(g.setup.space.option)
