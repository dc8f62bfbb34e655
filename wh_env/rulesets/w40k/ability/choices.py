"""Choosing by abilities: units are marked, and abilities that are data count while a mark lasts (``Power.mark``, ``Power.facing_mark``)."""

from __future__ import annotations

from collections.abc import Iterator

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import MOST_ATTACKS, between, flag, row_of
from wh_env.core.geometry.shapes import EPS, straight_distance, straight_within, unit_distance
from wh_env.core.kernel import kernel
from wh_env.core.procedures import DecisionKind, Procedure, integer
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.w40k.ability.data import MOMENTS, Choice, Ends
from wh_env.rulesets.w40k.attack.conditions import STATES
from wh_env.rulesets.w40k.attack.jobs import targeted
from wh_env.rulesets.w40k.codes import Effect
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.reaction.book import at_most
from wh_env.rulesets.w40k.sequence.effects import take_effect
from wh_env.rulesets.w40k.shoot.declare import engagements

ANY_KEYWORD = 2**63 - 1
OF_A_UNIT = ("shot", "charged", "attacks", "fought")
OF_AN_ENEMY = ("targeted", "enemy moved")


# effects that do nothing but for units in such a state
USEFUL = {"heal": "wounded", "return D3+3": "below Starting Strength"}


def choices_of(g: BattleCore) -> tuple[Choice, ...]:
    """The choices of abilities in the battle."""
    found: tuple[Choice, ...] = g.setup.statics["choices"]
    return found


def clear(g: BattleCore, marks: int) -> None:
    """These marks (bits) end."""
    if marks:
        column = g.units.rows["marks"]
        column &= ~column.dtype.type(marks)


def ends(g: BattleCore) -> Ends:
    """When marks end."""
    found: Ends = g.setup.statics["mark_ends"]
    return found


@kernel
def model_near_unit(models: Array, units: Array, k: int, u: int, reach: float) -> bool:
    """Whether model ``k`` is within ``reach`` of unit ``u``."""
    for i in range(len(models)):
        if models[i]["on_table"] and models[i]["unit"] == u and straight_within(models, k, i, reach + EPS):
            return True
    return False


def own_units(g: BattleCore, choice: Choice) -> list[int]:
    """Units on the battlefield in which models fight that have the ability."""
    m, u = g.models, g.units
    if choice.army:
        return [unit for unit in g.units_of(choice.owner) if u.place[unit] == ON_TABLE]
    return list(dict.fromkeys(m.unit[k] for k in choice.bearers if m.on_table[k] and u.place[m.unit[k]] == ON_TABLE))


def bears_in(g: BattleCore, choice: Choice, unit: int) -> bool:
    """Whether a model that has the ability fights in the unit."""
    if g.units.owner[unit] != choice.owner or g.units.place[unit] != ON_TABLE:
        return False
    if choice.army:
        return True
    m = g.models
    return any(m.unit[k] == unit and m.on_table[k] for k in choice.bearers)


def candidates(g: BattleCore, choice: Choice, shooter: int) -> list[int]:
    """Units that can be chosen; ``shooter``: the unit whose attacks were made, -1 at other moments."""
    return list(each_candidate(g, choice, shooter))


def each_candidate(g: BattleCore, choice: Choice, shooter: int) -> Iterator[int]:
    """``candidates``, one after the other, so that whoever asks for any stops at the first."""
    u = g.units
    own: list[int] = []
    if choice.whom == "itself" or choice.engaged:
        if choice.when not in OF_A_UNIT:
            own = own_units(g, choice)
        elif bears_in(g, choice, shooter):
            own = [shooter]
    if choice.whom == "itself":
        for unit in own:
            if stands_right(g, choice, unit) and ready(g, choice, unit, shooter) and can_pay(g, choice, unit):
                yield unit
        return
    side = 1 - choice.owner if choice.whom == "enemy" else choice.owner
    for unit in targets_of(g, side) if choice.when == "targeted" else g.units_of(side):
        if (
            u.place[unit] != ON_TABLE
            or u.alive[unit] <= 0
            or (choice.keyword and not choice.keyword & u.keywords[unit])
        ):
            continue
        if choice.when == "shot" and not u.cover[unit] & Effect.HIT:
            continue
        if not ready(g, choice, unit, shooter):
            continue
        if choice.free and not choice.engaged and not stands_right(g, choice, unit):
            continue
        if choice.cost and not can_pay(g, choice, unit):
            continue
        if choice.engaged and not any(engagements(g)[unit][each] for each in own):
            continue
        if choice.reach and choice.when != "enemy moved" and not within(g, choice, unit):
            continue
        yield unit


def can_pay(g: BattleCore, choice: Choice, unit: int) -> bool:
    """Whether the player can use the Stratagem on the unit (stratagem.pay, command.battle-shock.stratagems)."""
    if not choice.cost:
        return True
    enough = g.players.cp[choice.owner] >= choice.cost or edition(g).frees(g, choice.owner, unit)
    return enough and not g.units.shocked[unit]


def targets_of(g: BattleCore, player: int) -> list[int]:
    """Units of the player that attacks are declared at."""
    found = g.work.found
    return found[: g.work.call(targeted, g.units.rows, g.jobs.rows, player, ANY_KEYWORD, found)].tolist()  # type: ignore[no-any-return]


def ready(g: BattleCore, choice: Choice, unit: int, mover: int) -> bool:
    """Whether it does something for the unit; once an enemy unit has moved: whether that is near, and it is the first time in this turn."""
    state = USEFUL.get(choice.effect)
    if state is not None and not STATES[state](g, unit):
        return False
    if choice.when != "enemy moved":
        return True
    if g.units.marks[unit] & choice.marks[0] or g.units.owner[mover] == g.units.owner[unit]:
        return False
    return bool(unit_distance(g.models.rows, g.units.rows, unit, mover) <= choice.reach + EPS)


def stands_right(g: BattleCore, choice: Choice, unit: int) -> bool:
    """Whether the unit of the bearers is engaged where the ability asks for that, or is not where it asks for that."""
    if not (choice.engaged or choice.free):
        return True
    engaged = 1 in engagements(g)[unit].tobytes()
    return engaged if choice.engaged else not engaged


def within(g: BattleCore, choice: Choice, unit: int) -> bool:
    """Whether the unit is within range of a model that has the ability."""
    m, reach = g.models, choice.reach
    return any(
        m.on_table[k] and g.work.call(model_near_unit, m.rows, g.units.rows, k, unit, reach) for k in choice.bearers
    )


def left_options(g: BattleCore, choice: Choice) -> list[int]:
    """Numbers of the options that were not used up."""
    used = g.players.used_battle[choice.owner]
    return [n for n in range(len(choice.options)) if not choice.once or not used & choice.once[n]]


def can_choose(g: BattleCore, choice: Choice, shooter: int) -> bool:
    """Whether there is something to choose for this choice now."""
    if choice.once and not left_options(g, choice):
        return False
    if choice.when == "enemy moved" and g.units.place[shooter] != ON_TABLE:
        return False
    if choice.when in OF_A_UNIT:
        if not bears_in(g, choice, shooter):
            return False
    elif not choice.army and not own_units(g, choice):
        return False
    return choice.whom == "army" or any(True for _ in each_candidate(g, choice, shooter))


def numbers_at(g: BattleCore, when: str) -> tuple[int, ...]:
    """Numbers of the choices that come up at a moment."""
    found: tuple[int, ...] = g.setup.statics["choice_moments"].get(when, ())
    return found


def push_choices(g: BattleCore, when: str, unit: int = -1, roll: int = 0) -> bool:
    """A moment has come (of the unit; ``roll``: its Charge roll, or whether attacks are in melee): let players choose, the one whose turn it
    is first. Whether somebody can."""
    for number in numbers_at(g, when):
        if waits(g, number, when, unit, roll):
            g.push(Choosing, MOMENTS.index(when), unit, roll)
            return True
    return False


def waits(g: BattleCore, number: int, when: str, unit: int, roll: int) -> bool:
    """Whether the choice comes up at this moment."""
    choice = choices_of(g)[number]
    owner = choice.owner
    if when in OF_A_UNIT:
        if g.units.owner[unit] != owner:
            return False
    elif when in OF_AN_ENEMY:
        if g.units.owner[unit] == owner:
            return False
    elif (choice.when == "command" or when == "turn end") and (owner == g.clock.turn[0]) != (when == "command"):
        return False
    if roll < choice.least or (choice.weapons and (choice.weapons == "melee") != bool(roll)):
        return False
    if choice.cost and not affordable(g, choice):
        return False
    return can_choose(g, choice, unit)


def affordable(g: BattleCore, choice: Choice) -> bool:
    """Whether the player could pay for the Stratagem, which was not used in this phase."""
    if choice.used & g.players.used[choice.owner]:
        return False
    return g.players.cp[choice.owner] >= choice.cost or at_most(g, choice.owner) >= choice.cost


def mark_bereaved(g: BattleCore, models: Array) -> None:
    """These models were destroyed: units that were near and have an ability for that are marked."""
    m = g.models
    for number in numbers_at(g, "friend destroyed"):
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
    """Asks for the choices of one moment, one after the other."""

    WHEN = integer(row_of("choice_moments"))
    UNIT = integer(row_of("units", none=True))  # whose attacks or whose Charge move were made
    ROLL = integer(between(0, MOST_ATTACKS))
    NUMBER = integer(row_of("choices"))  # the choice that is asked
    ASKED = integer(flag())  # it was
    asks = ("use-ability",)

    def advance(self, g: BattleCore, f: int) -> int:
        stack = g.stack
        when, unit, roll = MOMENTS[stack[f + Choosing.WHEN]], stack[f + Choosing.UNIT], stack[f + Choosing.ROLL]
        choices, first, last = choices_of(g), g.clock.turn[0], stack[f + Choosing.NUMBER]
        order = sorted(numbers_at(g, when), key=lambda n: (choices[n].owner != first, n))
        left = order[order.index(last) + 1 :] if stack[f + Choosing.ASKED] else order
        number = next((n for n in left if waits(g, n, when, unit, roll)), -1)
        if number < 0:
            return g.pop()
        stack[f + Choosing.NUMBER], stack[f + Choosing.ASKED] = number, 1
        return g.ask(UseAbility, choices[number].owner, unit)


def mark(g: BattleCore, choice: Choice, units: list[int], option: int) -> None:
    """The player chose: the units are marked, what follows at once is carried out."""
    for unit in units:
        g.units.marks[unit] |= choice.marks[option]
    if choice.cost:
        free = edition(g).frees(g, choice.owner, units[0])
        if free:
            edition(g).freed(g, choice.owner, units[0])
        g.players.cp[choice.owner] -= 0 if free else choice.cost
        g.players.used[choice.owner] |= choice.used
        if g.recorder is not None:
            g.tell("stratagem.pay", "Stratagem", player=choice.owner, unit=units[0], cp=g.players.cp[choice.owner])
    if choice.once:
        g.players.used_battle[choice.owner] |= choice.once[option]
    if g.recorder is not None:
        g.tell("datasheet.abilities", "uses an ability", name=choice.options[option], owner=choice.owner, units=units)
    if choice.effect and choice.whom == "army":
        take_effect(g, choice.effect, choice.owner, -1, choice.amount)
    elif choice.effect:
        for unit in units:
            take_effect(g, choice.effect, choice.owner, unit, choice.amount)


class UseAbility(DecisionKind):
    name = "use-ability"
    what = "Which unit an ability is used on, or which of its options is chosen (done: none)."
    policy = "The unit that costs most; the first option that is left; nobody goes to Reserves."
    keys = ("datasheet.abilities", "command.other-rules", "stratagem.pay")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        choice, space = choices_of(g)[g.stack[f + Choosing.NUMBER]], g.setup.space
        mask[0] = not choice.must
        if choice.whom == "army" or (choice.whom == "itself" and len(choice.options) > 1):
            for option in left_options(g, choice):
                mask[space.option + option] = True
        else:
            side = 1 - choice.owner if choice.whom == "enemy" else choice.owner
            at = (space.enemy if choice.whom == "enemy" else space.own) - g.players.first_unit[side]
            for unit in candidates(g, choice, g.stack[f + Choosing.UNIT]):
                mask[at + unit] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action == 0:
            return
        choice, space = choices_of(g)[g.stack[f + Choosing.NUMBER]], g.setup.space
        if choice.whom == "army":
            mark(g, choice, list(g.units_of(choice.owner)), action - space.option)
        elif choice.whom == "itself" and len(choice.options) > 1:
            mark(g, choice, candidates(g, choice, -1), action - space.option)
        else:
            side = 1 - choice.owner if choice.whom == "enemy" else choice.owner
            at = (space.enemy if choice.whom == "enemy" else space.own) - g.players.first_unit[side]
            mark(g, choice, [action - at], left_options(g, choice)[0])

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        choice, space = choices_of(g)[g.stack[f + Choosing.NUMBER]], g.setup.space
        if action == 0:
            return f"no {choice.name}"
        if choice.whom == "army" or (choice.whom == "itself" and len(choice.options) > 1):
            return f"{choice.name}: {choice.options[action - space.option]}"
        return f"{choice.name}: {g.default_words(action)}"

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        choice, space = choices_of(g)[g.stack[f + Choosing.NUMBER]], g.setup.space
        if choice.declines:
            return 0
        if choice.whom == "army" or (choice.whom == "itself" and len(choice.options) > 1):
            return int(space.option + left_options(g, choice)[0])
        side = 1 - choice.owner if choice.whom == "enemy" else choice.owner
        at = (space.enemy if choice.whom == "enemy" else space.own) - g.players.first_unit[side]
        units = [unit for unit in g.units_of(side) if mask[at + unit]]
        return int(at + max(units, key=lambda unit: g.units.points[unit]))
