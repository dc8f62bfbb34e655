"""Choices by abilities: players mark units, and abilities that are data count while a mark lasts (``Power.mark``,
``Power.facing_mark``).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import MOST_ATTACKS, between, flag, row_of
from wh_env.core.features import ABOUT, Pending
from wh_env.core.geometry.shapes import EPS, straight_distance
from wh_env.core.kernel import kernel
from wh_env.core.procedures import DecisionKind, Procedure, integer
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.ability.candidates import candidates, next_choice
from wh_env.rulesets.w40k.ability.data import MOMENTS, Choice, Ends
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.edition_parts.prices import SAVED
from wh_env.rulesets.w40k.sequence.effects import take_effect


def choices_of(g: BattleCore) -> tuple[Choice, ...]:
    """The choices of abilities in the battle."""
    found: tuple[Choice, ...] = g.setup.statics["choices"]
    return found


@kernel
def take_marks(units: Array, marks: int) -> None:
    """Remove these marks (bits) from all units."""
    for u in range(len(units)):
        units[u]["marks"] = int(units[u]["marks"]) & ~marks


def clear(g: BattleCore, marks: int) -> None:
    """Remove these marks (bits) from all units, if there are any."""
    if marks:
        g.work.call(take_marks, g.units.rows, marks)


def ends(g: BattleCore) -> Ends:
    """The bits of marks by the moment when they end."""
    found: Ends = g.setup.statics["mark_ends"]
    return found


def left_options(g: BattleCore, choice: Choice) -> list[int]:
    """Numbers of the options of the choice that its player has not used up."""
    used = g.players.used_battle[choice.owner]
    return [n for n in range(len(choice.options)) if not choice.once or not used & choice.once[n]]


def numbers_at(g: BattleCore, when: str, unit: int, roll: int) -> Array:
    """Numbers of the choices that can come up at moment ``when`` (``by_moment``), in the order in which players are
    asked.
    """
    player = g.clock.turn[0] if unit < 0 else g.units.owner[unit]
    numbers: Array = g.setup.statics["choice_moments"][when][player][roll > 0]
    return numbers


def push_choices(g: BattleCore, when: str, unit: int = -1, roll: int = 0) -> bool:
    """Let players choose at moment ``when``, the turn player first. Returns whether there is a choice to make.

    ``unit``: the unit whose moment it is, -1: none. ``roll``: its Charge roll, or whether its attacks are in melee.
    """
    numbers = numbers_at(g, when, unit, roll)
    if not len(numbers) or next_choice(g, numbers, unit, roll) < 0:
        return False
    g.push(Choosing, MOMENTS.index(when), unit, roll)
    return True


def mark_bereaved(g: BattleCore, models: Array) -> None:
    """Mark units whose abilities count when a friendly model near them is destroyed. ``models``: rows of the destroyed
    models.
    """
    m = g.models
    for number in sorted(numbers_at(g, "friend destroyed", -1, 0).tolist()):
        choice = choices_of(g)[number]
        dead = [k for k in models.tolist() if m.owner[k] == choice.owner and m.keywords[k] & choice.keyword]
        near = {
            m.unit[bearer]
            for bearer in choice.bearers
            for k in dead
            if m.on_table[bearer] and straight_distance(m.rows, bearer, k) <= choice.reach + EPS
        }
        if near:
            mark(g, choice, sorted(near), 0)


class Choosing(Procedure):
    """Asks players for the choices of one moment, one after the other."""

    WHEN = integer(row_of("choice_moments"))
    UNIT = integer(row_of("units", none=True))  # the unit whose moment it is
    ROLL = integer(between(0, MOST_ATTACKS))
    NUMBER = integer(row_of("choices"))  # the current choice
    ASKED = integer(flag())  # the player was asked for it
    asks = ("use-ability",)

    def advance(self, g: BattleCore, f: int) -> int:
        stack = g.stack
        unit, roll = stack[f + Choosing.UNIT], stack[f + Choosing.ROLL]
        numbers = numbers_at(g, MOMENTS[stack[f + Choosing.WHEN]], unit, roll)
        asked = stack[f + Choosing.NUMBER] if stack[f + Choosing.ASKED] else -1
        number = next_choice(g, numbers, unit, roll, asked)
        if number >= 0:
            stack[f + Choosing.NUMBER], stack[f + Choosing.ASKED] = number, 1
            return g.ask(UseAbility, choices_of(g)[number].owner, unit)
        return g.pop()


def succeeds(g: BattleCore, choice: Choice) -> bool:
    """Roll the die that the choice needs, if any. Returns whether it succeeds; else the effect ``fails`` befalls the
    bearer's unit.
    """
    if not choice.needs:
        return True
    roll = g.d6()
    g.tell("datasheet.abilities", "rolls for an ability", name=choice.name, roll=roll, needed=choice.needs)
    if roll >= choice.needs:
        return True
    bearer = next(k for k in choice.bearers if g.models.on_table[k])
    take_effect(g, choice.fails, choice.owner, g.models.unit[bearer], 0)
    return False


def mark(g: BattleCore, choice: Choice, units: list[int], option: int) -> None:
    """Carry out a choice: mark the units, pay for it, and take its effect."""
    chosen, units = units, units if succeeds(g, choice) else []
    for unit in units:
        g.units.marks[unit] = g.units.marks[unit] & ~choice.replaces | choice.marks[option]
    if choice.cost:
        free = edition(g).frees(g, choice.owner, chosen[0])
        if free:
            edition(g).freed(g, choice.owner, chosen[0])
        g.players.cp[choice.owner] -= choice.cost - SAVED * free
        g.players.used[choice.owner] |= choice.used
        g.tell(
            "stratagem.pay", "pays for a Stratagem", player=choice.owner, unit=chosen[0], cp=g.players.cp[choice.owner]
        )
    if choice.once:
        g.players.used_battle[choice.owner] |= choice.once[option]
    g.tell("datasheet.abilities", "uses an ability", name=choice.options[option], owner=choice.owner, units=chosen)
    if choice.used:
        edition(g).stratagem_used(g, choice.owner, chosen[0])
    if choice.effect and choice.whom == "army":
        take_effect(g, choice.effect, choice.owner, -1, choice.amount)
    elif choice.effect:
        for unit in units:
            instead = choice.under and g.units.marks[unit] & choice.under
            effect, amount = choice.instead if instead else (choice.effect, choice.amount)
            take_effect(g, effect, choice.owner, unit, amount)


class UseAbility(DecisionKind):
    name = "use-ability"
    what = "Which unit an ability is used on, or which of its options is chosen (done: none)."
    policy = "The unit that costs most; the first option that is left; nobody goes to Reserves."
    keys = ("datasheet.abilities", "command.other-rules", "stratagem.pay")

    @staticmethod
    def first_slot(g: BattleCore, choice: Choice) -> int:
        """What is added to the row of a unit to get its action."""
        space = g.setup.space
        first: int = g.players.first_unit[choice.side]
        return (space.own if choice.side == choice.owner else space.enemy) - first

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        number, space = g.stack[f + Choosing.NUMBER], g.setup.space
        choice = choices_of(g)[number]
        mask[0] = not choice.must
        if choice.by_option:
            for option in left_options(g, choice):
                mask[space.option + option] = True
        else:
            at = self.first_slot(g, choice)
            for unit in candidates(g, number, choice, g.stack[f + Choosing.UNIT]):
                mask[at + unit] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action == 0:
            return
        number, space = g.stack[f + Choosing.NUMBER], g.setup.space
        choice = choices_of(g)[number]
        if choice.whom == "army":
            mark(g, choice, list(g.units_of(choice.owner)), action - space.option)
        elif choice.by_option:
            units = candidates(g, number, choice, g.stack[f + Choosing.UNIT])
            mark(g, choice, units, action - space.option)
        else:
            mark(g, choice, [action - self.first_slot(g, choice)], left_options(g, choice)[0])

    def pending(self, g: BattleCore, f: int) -> Pending:
        choice = choices_of(g)[g.stack[f + Choosing.NUMBER]]
        if choice.by_option:
            first = g.setup.space.option
            return Pending(options={first + option: (choice, option) for option in left_options(g, choice)})
        return Pending(options={ABOUT: (choice, -1)})

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        choice, space = choices_of(g)[g.stack[f + Choosing.NUMBER]], g.setup.space
        if action == 0:
            return f"no {choice.name}"
        if choice.by_option:
            return f"{choice.name}: {choice.options[action - space.option]}"
        return f"{choice.name}: {g.default_words(action)}"

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        choice, space = choices_of(g)[g.stack[f + Choosing.NUMBER]], g.setup.space
        if choice.declines:
            return 0
        if choice.by_option:
            return space.option + left_options(g, choice)[0]
        at = self.first_slot(g, choice)
        units = [unit for unit in g.units_of(choice.side) if mask[at + unit]]
        return at + max(units, key=lambda unit: g.units.points[unit])
