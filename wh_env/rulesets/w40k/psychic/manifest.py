"""An attempt to manifest a power: Psychic test, Perils of the Warp, denial, effect (psychic.manifest, .test, .deny)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import MOST_ATTACKS, amount, between, flag, row_of, row_plus_one
from wh_env.core.features import ABOUT, Pending
from wh_env.core.geometry.shapes import EPS, straight_distance, unit_distance
from wh_env.core.geometry.sight import sees
from wh_env.core.geometry.unit_sight import unit_sees_unit
from wh_env.core.procedures import GO, STEP, DecisionKind, Steps, beneath, integer
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.w40k.attack.abilities import test_result
from wh_env.rulesets.w40k.attack.casualties import mortal_wounds
from wh_env.rulesets.w40k.attack.rerolls import DiceRoll, Thrown
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.psychic.data import AURAS, NOTHING, SELECTED, Affects, PsychicPower
from wh_env.rulesets.w40k.psychic.lasting import leadership, range_of, unaffected
from wh_env.rulesets.w40k.psychic.near import units_near
from wh_env.rulesets.w40k.psychic.perils import Perils
from wh_env.rulesets.w40k.psychic.state import note_attempt, power_of, profile_of
from wh_env.rulesets.w40k.reaction.windows import Interruptible
from wh_env.rulesets.w40k.sequence.effects import take_effect

FAR = 1e9
PERILS = ((1, 1), (6, 6))  # dice of a Psychic test, unmodified


def enemies_in_reach(g: BattleCore, unit: int, number: int) -> list[int]:
    """Enemy units within range of the power and, if it requires that, visible to the psyker."""
    return in_reach(g, unit, number, 1 - g.units.owner[unit])


def in_reach(g: BattleCore, unit: int, number: int, player: int) -> list[int]:
    """Units of ``player`` within range of a power of the unit and, if the power requires that, visible to it."""
    players, work, found = g.players, g.work, g.work.found
    model = edition(g).psychic.psyker(g, unit)
    count = work.call(
        units_near, g.models.rows, g.units.rows, unit, model, players.first_unit[player], players.units[player],
        range_of(g, unit, number) + EPS, found,
    )  # fmt: skip
    if not count:
        return []
    near: list[int] = found[:count].tolist()
    if not power_of(g, number).visible:
        return near
    return [other for other in near if other == unit or in_sight(g, unit, other)]


def away(g: BattleCore, unit: int, other: int) -> float:
    """Inches from the psyker (the unit's psyker model, or the whole unit) to the other unit."""
    rows, model = g.models.rows, edition(g).psychic.psyker(g, unit)
    if model < 0:
        return float(g.work.call(unit_distance, rows, g.units.rows, unit, other))
    return min((float(g.work.call(straight_distance, rows, model, k)) for k in g.members(other)), default=FAR)


def in_sight(g: BattleCore, unit: int, other: int) -> bool:
    """Whether the psyker sees any model of the other unit."""
    tables = g.models.rows, g.units.rows, g.setup.blocks, g.setup.corners
    model = edition(g).psychic.psyker(g, unit)
    if model < 0:
        return bool(g.work.call(unit_sees_unit, *tables, unit, other))
    return any(g.work.call(sees, *tables, model, k) for k in g.members(other))


def between_psykers(g: BattleCore, unit: int, other: int) -> float:
    """Inches between the psyker of the unit and the psyker of ``other``: a model, or the whole unit."""
    model = edition(g).psychic.psyker(g, other)
    if model < 0:
        return away(g, unit, other)
    mine = edition(g).psychic.psyker(g, unit)
    return float(g.work.call(straight_distance, g.models.rows, mine, model)) if mine >= 0 else FAR


def targets(g: BattleCore, unit: int, number: int) -> list[int]:
    """Units that the psyker can select as the target of a power (glossary.unaffected-by-powers.target)."""
    owner, profiles = g.units.owner[unit], g.setup.statics["psychic_profiles"]
    player = owner if power_of(g, number).affects is Affects.FRIEND else 1 - owner
    near = in_reach(g, unit, number, player)
    return [other for other in near if other not in profiles or not unaffected(g, other)]


def closest(g: BattleCore, unit: int, number: int) -> list[int]:
    """The closest enemy unit in range of the power; several if they are equally close."""
    found = {enemy: away(g, unit, enemy) for enemy in enemies_in_reach(g, unit, number)}
    least = min(found.values(), default=0.0)
    return [enemy for enemy, distance in found.items() if distance <= least + EPS]


class Manifest(Interruptible):
    """A unit attempts a power. Pushed with the unit, the power and its target (-1: none is selected)."""

    class Step(Steps):
        BEGIN, TESTED, MANIFESTED, DENIED, RESISTED, EFFECT, AMOUNT, END = range(8)

    POWER = integer(row_of("psychic_powers"))
    TARGET = integer(row_of("units", none=True))
    NEEDED = integer(between(-MOST_ATTACKS, MOST_ATTACKS))  # warp charge value
    RESULT = integer(between(-MOST_ATTACKS, MOST_ATTACKS))  # result of the Psychic test
    FACES = integer(between(0, 6), width=2)
    LEADERSHIP = integer(amount())  # of the target when the test was taken
    REFUSED = integer(flag())  # the power was denied
    PSYKER = integer(row_plus_one("models"))  # the model that attempts it, counted from 1; 0: the whole unit does
    asks = ("deny", "closest-unit")

    def advance(self, g: BattleCore, f: int) -> int:
        Step, stack = Manifest.Step, g.stack
        unit, step = stack[f + Manifest.UNIT], stack[f + STEP]
        power = power_of(g, stack[f + Manifest.POWER])
        if step == Step.BEGIN:
            stack[f + STEP] = Step.TESTED
            self.attempt(g, f)
            g.push(PsychicTest, unit)
            return GO
        if step == Step.TESTED:
            stack[f + STEP] = Step.MANIFESTED
            if (stack[f + Manifest.FACES], stack[f + Manifest.FACES + 1]) in PERILS:
                Perils.begin(g, unit)
            return GO
        if step == Step.MANIFESTED:
            if stack[f + Manifest.RESULT] < stack[f + Manifest.NEEDED] or self.slain(g, f):
                return self.fail(g, unit, power, "psychic.test")
            stack[f + STEP] = Step.DENIED
            if power.deniable and deniers(g, unit):
                return g.ask(Deny, 1 - g.units.owner[unit], unit)
            return GO
        if step == Step.DENIED:
            stack[f + STEP] = Step.RESISTED
            if not stack[f + Manifest.REFUSED]:
                self.resist(g, f)
            return GO
        if step == Step.RESISTED:
            if stack[f + Manifest.REFUSED]:
                return self.fail(g, unit, power, "psychic.deny")
            stack[f + STEP] = Step.EFFECT
            return self.find_target(g, f)
        if step == Step.EFFECT:
            stack[f + STEP] = Step.AMOUNT
            self.take_effect(g, f)
            return GO
        if step == Step.AMOUNT:
            stack[f + STEP] = Step.END
            self.roll_amount(g, f)
            return GO
        return g.pop()

    def attempt(self, g: BattleCore, f: int) -> None:
        """Record the attempt, which counts even if it fails, and its warp charge value and psyker."""
        stack = g.stack
        unit, number = stack[f + Manifest.UNIT], stack[f + Manifest.POWER]
        rules = edition(g).psychic
        stack[f + Manifest.NEEDED] = power_of(g, number).charge + rules.rise(g, unit, number)
        stack[f + Manifest.PSYKER] = rules.psyker(g, unit) + 1
        note_attempt(g, unit, number)
        rules.attempts(g, unit, number)
        if g.recorder is not None:
            target = stack[f + Manifest.TARGET]
            g.tell("psychic.manifest", "attempts a power", unit=unit, name=power_of(g, number).name, target=target)

    @staticmethod
    def slain(g: BattleCore, f: int) -> bool:
        """Whether the psyker is destroyed or no longer on the battlefield."""
        psyker = g.stack[f + Manifest.PSYKER] - 1
        return g.units.place[g.stack[f + Manifest.UNIT]] != ON_TABLE or (psyker >= 0 and not g.models.alive[psyker])

    @staticmethod
    def rolled(g: BattleCore, f: int, first: int, second: int) -> None:
        """Store the two dice of the Psychic test after a roll or re-roll."""
        g.stack[f + Manifest.FACES], g.stack[f + Manifest.FACES + 1] = first, second

    @staticmethod
    def tested(g: BattleCore, f: int, result: int) -> None:
        """Store the result of the Psychic test and the present Leadership of the target (rare.psychic-threshold)."""
        stack = g.stack
        stack[f + Manifest.RESULT] = result
        if stack[f + Manifest.TARGET] >= 0:
            stack[f + Manifest.LEADERSHIP] = leadership(g, stack[f + Manifest.TARGET])
        if g.recorder is not None:
            rolls = (stack[f + Manifest.FACES], stack[f + Manifest.FACES + 1])
            needed = stack[f + Manifest.NEEDED]
            g.tell(
                "psychic.test",
                "Psychic test",
                unit=stack[f + Manifest.UNIT],
                rolls=rolls,
                result=result,
                needed=needed,
                passed=result >= needed,
            )

    @staticmethod
    def wanting(g: BattleCore, f: int) -> int:
        """The result that the Psychic test needs."""
        return int(g.stack[f + Manifest.NEEDED])

    @staticmethod
    def result(g: BattleCore, f: int) -> int:
        """The result of the Psychic test."""
        return int(g.stack[f + Manifest.RESULT])

    @staticmethod
    def denied(g: BattleCore, f: int, unit: int, result: int) -> None:
        """Store whether ``unit``, which tried to deny the power with ``result``, has denied it."""
        refused = g.stack[f + Manifest.REFUSED] = int(result > g.stack[f + Manifest.RESULT])
        if g.recorder is not None:
            needed = g.stack[f + Manifest.RESULT] + 1
            g.tell("psychic.deny", "Deny the Witch test", unit=unit, result=result, needed=needed, passed=bool(refused))

    @staticmethod
    def resist(g: BattleCore, f: int) -> None:
        """Roll for a target that may deny powers by itself, if the power can be denied (rare.manifest-priority)."""
        stack = g.stack
        target, power = stack[f + Manifest.TARGET], power_of(g, stack[f + Manifest.POWER])
        if target >= 0 and profile_of(g, target).resists and power.deniable:
            ResistRoll.begin(g, g.units.owner[target], target)

    @staticmethod
    def resisted(g: BattleCore, f: int, roll: int) -> None:
        """Store whether the target's own ``roll`` denies the power."""
        target = g.stack[f + Manifest.TARGET]
        resists = profile_of(g, target).resists
        g.tell("rare.manifest-priority", "resists", unit=target, roll=roll, needed=resists, passed=roll >= resists)
        g.stack[f + Manifest.REFUSED] = int(roll >= resists)

    @staticmethod
    def fail(g: BattleCore, unit: int, power: PsychicPower, rule: str) -> int:
        """Report that the power fails and end the attempt."""
        g.tell(rule, "the power fails", unit=unit, name=power.name)
        return g.pop()

    @staticmethod
    def find_target(g: BattleCore, f: int) -> int:
        """Find the affected unit of a power that selects none before the test."""
        stack = g.stack
        unit, number = stack[f + Manifest.UNIT], stack[f + Manifest.POWER]
        affects = power_of(g, number).affects
        if affects == Affects.CLOSEST:
            if closest(g, unit, number):
                return g.ask(ClosestUnit, g.units.owner[unit], unit)
        elif affects not in SELECTED:
            stack[f + Manifest.TARGET] = unit
        return GO

    @staticmethod
    def select(g: BattleCore, f: int, unit: int) -> None:
        """Set the affected unit."""
        g.stack[f + Manifest.TARGET] = unit

    @staticmethod
    def take_effect(g: BattleCore, f: int) -> None:
        """Start the effect of the manifested power: mortal wounds beyond Leadership, and modifiers that last."""
        stack = g.stack
        unit, number, target = stack[f + Manifest.UNIT], stack[f + Manifest.POWER], stack[f + Manifest.TARGET]
        power = power_of(g, number)
        g.tell("psychic.manifest", "takes effect", unit=unit, name=power.name, target=target)
        if not Manifest.affected(g, f):
            return
        if power.beyond_leadership != NOTHING and stack[f + Manifest.RESULT] > stack[f + Manifest.LEADERSHIP]:
            BeyondLeadership.begin(g, g.units.owner[unit], unit, power.beyond_leadership)
        if power.effect not in edition(g).effects:
            g.psyche.under[target] |= 1 << number

    @staticmethod
    def affected(g: BattleCore, f: int) -> bool:
        """Whether the affected unit is still on the battlefield and powers can affect it."""
        target, power = g.stack[f + Manifest.TARGET], power_of(g, g.stack[f + Manifest.POWER])
        if target < 0 or g.units.place[target] != ON_TABLE:
            return False
        return power.affects in (*AURAS, Affects.NOBODY) or not unaffected(g, target)

    @staticmethod
    def roll_amount(g: BattleCore, f: int) -> None:
        """Roll the amount of an effect that is carried out once; a high test result may raise it."""
        unit, power = g.stack[f + Manifest.UNIT], power_of(g, g.stack[f + Manifest.POWER])
        if power.effect in edition(g).effects and Manifest.affected(g, f):
            strong = power.better and g.stack[f + Manifest.RESULT] >= power.better
            PowerRoll.begin(g, g.units.owner[unit], unit, power.more if strong else power.amount)

    @staticmethod
    def hurt(g: BattleCore, f: int, amount: int) -> None:
        """Inflict ``amount`` mortal wounds on the affected unit in addition to the effect."""
        mortal_wounds(g, g.stack[f + Manifest.TARGET], amount)

    @staticmethod
    def amounts(g: BattleCore, f: int, amount: int) -> None:
        """Carry out the effect with this amount."""
        stack, power = g.stack, power_of(g, g.stack[f + Manifest.POWER])
        take_effect(g, power.effect, g.units.owner[stack[f + Manifest.UNIT]], stack[f + Manifest.TARGET], amount)


TEST_DICE = 2  # of Psychic tests and of tests to deny, in every edition: a double of them may be Perils of the Warp


class PsychicTest(DiceRoll):
    """2D6 against the warp charge value (psychic.test); pushed on top of the attempt."""

    name = "psychic"
    command = True

    def dice(self, g: BattleCore) -> int:
        return TEST_DICE

    def total(self, g: BattleCore, unit: int, faces: list[int]) -> int:
        Manifest.rolled(g, beneath(g.frame), *faces)
        return sum(faces)

    def then(self, g: BattleCore, unit: int, result: int) -> None:
        Manifest.tested(g, g.frame, test_result(g, unit, self.name, result))

    def good(self, g: BattleCore, unit: int, result: int) -> bool:
        return test_result(g, unit, self.name, result) >= Manifest.wanting(g, beneath(g.frame))


class DenyTest(DiceRoll):
    """2D6 against the result of the Psychic test (psychic.deny); it causes no Perils (psychic.deny.no-perils)."""

    name = "deny"
    command = True

    def dice(self, g: BattleCore) -> int:
        return TEST_DICE

    def then(self, g: BattleCore, unit: int, result: int) -> None:
        Manifest.denied(g, g.frame, unit, test_result(g, unit, self.name, result))

    def good(self, g: BattleCore, unit: int, result: int) -> bool:
        return test_result(g, unit, self.name, result) > Manifest.result(g, beneath(g.frame))


class ResistRoll(Thrown):
    """The die of a unit that may deny a power by itself; ``Manifest`` begins it."""

    name = "resist"

    def then(self, g: BattleCore, unit: int, result: int) -> None:
        Manifest.resisted(g, g.frame, result)


class BeyondLeadership(Thrown):
    """The additional mortal wounds of a power whose test exceeds the target's Leadership; ``Manifest`` begins it."""

    name = "power besides"

    def then(self, g: BattleCore, unit: int, result: int) -> None:
        Manifest.hurt(g, g.frame, result)


class PowerRoll(Thrown):
    """The roll for the amount of a power's effect; ``Manifest`` begins it."""

    name = "power"

    def then(self, g: BattleCore, unit: int, result: int) -> None:
        Manifest.amounts(g, g.frame, result)


def deniers(g: BattleCore, unit: int) -> list[int]:
    """Units of the opponent that can attempt to deny a power of the unit."""
    u, rules, owner = g.units, edition(g).psychic, g.units.owner[unit]
    return [
        enemy
        for enemy, profile in g.setup.statics["psychic_profiles"].items()
        if u.owner[enemy] != owner
        and u.place[enemy] == ON_TABLE
        and g.psyche.denies[enemy] < profile.denies
        and rules.present(g, enemy)
        and between_psykers(g, unit, enemy) <= rules.deny_reach + EPS
    ]


class Deny(DecisionKind):
    name = "deny"
    what = "Which unit of the opponent attempts to deny the power that was manifested (done: none)."
    policy = "The first unit that can."
    keys = ("psychic.deny", "actions.psychic.deny")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit = g.stack[f + Manifest.UNIT]
        at = g.setup.space.own - g.players.first_unit[1 - g.units.owner[unit]]
        mask[0] = True
        for enemy in deniers(g, unit):
            mask[at + enemy] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action:
            player = 1 - g.units.owner[g.stack[f + Manifest.UNIT]]
            unit = g.players.first_unit[player] + action - g.setup.space.own
            g.psyche.denies[unit] += 1
            g.push(DenyTest, unit)

    def pending(self, g: BattleCore, f: int) -> Pending:
        power = power_of(g, g.stack[f + Manifest.POWER])
        return Pending(options={ABOUT: power}, values={"roll": g.stack[f + Manifest.RESULT]})

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        name = power_of(g, g.stack[f + Manifest.POWER]).name
        what = f"{name} ({g.stack[f + Manifest.RESULT]})"
        return f"{g.default_words(action)} denies {what}" if action else f"do not deny {what}"

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return first_beside_done(g)


class ClosestUnit(DecisionKind):
    name = "closest-unit"
    what = "Which of the enemy units that are equally close the power affects."
    keys = ("psychic.smite.not-targeted", "psychic.smite.tie", "concepts.measure.tied-closest")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit = g.stack[f + Manifest.UNIT]
        at = g.setup.space.enemy - g.players.first_unit[1 - g.units.owner[unit]]
        for enemy in closest(g, unit, g.stack[f + Manifest.POWER]):
            mask[at + enemy] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        enemy = 1 - g.units.owner[g.stack[f + Manifest.UNIT]]
        Manifest.select(g, f, g.players.first_unit[enemy] + action - g.setup.space.enemy)


def first_beside_done(g: BattleCore) -> int:
    """The first legal action that is not ``done``."""
    return max(0, g.legal_bytes().find(1, 1))
