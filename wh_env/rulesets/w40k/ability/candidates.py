"""Units that a player can choose for an ability or a Stratagem that is data."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import or_

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS, member, member_count, stands_in, straight_within, unit_distance
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.w40k.ability.data import OF_A_UNIT, USEFUL, Choice
from wh_env.rulesets.w40k.attack.abilities import in_force
from wh_env.rulesets.w40k.attack.conditions import STATES
from wh_env.rulesets.w40k.attack.jobs import targeted
from wh_env.rulesets.w40k.codes import Effect, Freedom
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.edition_parts.prices import SAVED
from wh_env.rulesets.w40k.questions.engagements import engagements

ANY_KEYWORD = 2**63 - 1
HIT, FREED = int(Effect.HIT), int(Freedom.STRATAGEM_FREED)
ANY_TIME, WHEN_SHOT, WHEN_TARGETED, WHEN_MOVED = range(4)
AMONG = {"shot": WHEN_SHOT, "targeted": WHEN_TARGETED, "enemy moved": WHEN_MOVED}

# a row of `choices`; its bearers are ``bearers[first : first + count]``
CHOICE = np.dtype(
    [
        ("reach", "f8"),  # inches from a bearer, or from the unit that has moved
        ("keyword", "u8"),  # bits, the unit has one of them; 0: any unit
        ("mark", "u8"),  # bit of the mark that it leaves
        ("used", "u8"),  # its bit of ``players.used``
        ("once", "u8"),  # bits of ``players.used_battle``: used up where all are set, 0: never
        ("owner", "i4"),
        ("side", "i4"),  # player whose units are chosen
        ("army", "i4"),  # 1: all models of the army have it
        ("first", "i4"),
        ("count", "i4"),
        ("among", "i4"),  # ``WHEN_SHOT``: units that were hit; ``WHEN_TARGETED``, ``WHEN_MOVED``, ``ANY_TIME``
        ("of_unit", "i4"),  # 1: it comes up at a moment of a unit, which must hold a bearer
        ("itself", "i4"),  # 1: a unit of its bearers is chosen
        ("by_bearers", "i4"),  # 1: it needs a unit with a bearer on the battlefield
        ("army_wide", "i4"),  # 1: all units of the army are chosen
        ("cost", "i4"),  # Command points
        ("least", "i4"),  # the Charge roll that is needed
    ],
    align=True,
)


def choice_rows(choices: Sequence[Choice]) -> tuple[Array, Array]:
    """Choices as rows of ``CHOICE``, and the rows of the models that bear them (int32)."""
    rows = np.zeros(len(choices), CHOICE)
    bearers: list[int] = []
    for row, choice in zip(rows, choices, strict=True):
        row["reach"], row["keyword"], row["mark"] = choice.reach, choice.keyword, choice.marks[0]
        row["owner"], row["side"], row["army"] = choice.owner, choice.side, choice.army
        row["first"], row["count"] = len(bearers), len(choice.bearers)
        row["among"] = AMONG.get(choice.when, ANY_TIME)
        row["of_unit"], row["itself"] = choice.when in OF_A_UNIT, choice.whom == "itself"
        row["by_bearers"], row["army_wide"] = choice.by_bearers, choice.whom == "army"
        row["cost"], row["used"], row["least"] = choice.cost, choice.used, choice.least
        row["once"] = reduce(or_, choice.once, 0) if all(choice.once) else 0
        bearers += choice.bearers
    return rows, np.array(bearers, np.int32)


@inner_kernel
def near_a_bearer(models: Array, units: Array, choices: Array, bearers: Array, c: int, u: int) -> bool:
    """Whether unit ``u`` is within range of a model that has choice ``c``."""
    choice = choices[c]
    for n in range(choice["first"], choice["first"] + choice["count"]):
        k = bearers[n]
        if models[k]["on_table"] == 0:
            continue
        for i in range(member_count(units, u)):
            j = member(units, u, i)
            if stands_in(models, j, u) and straight_within(models, k, j, choice["reach"] + EPS):
                return True
    return False


@inner_kernel
def moves_because(models: Array, units: Array, choices: Array, c: int, u: int, mover: int) -> bool:
    """Whether enemy unit ``mover`` is within reach of unit ``u``, and ``u`` has no mark of choice ``c`` yet."""
    choice = choices[c]
    if units[u]["marks"] & choice["mark"] != 0 or units[mover]["owner"] == units[u]["owner"]:
        return False
    return bool(unit_distance(models, units, u, mover) <= choice["reach"] + EPS)


@kernel
def bearing_units(models: Array, units: Array, choices: Array, bearers: Array, c: int, unit: int, out: Array) -> int:
    """List in ``out`` the units on the battlefield that hold a bearer of choice ``c``. Returns how many.

    If the choice comes up at a moment of a unit, only ``unit`` is listed.
    """
    choice = choices[c]
    only = unit if choice["of_unit"] != 0 else -1
    found = 0
    if choice["army"]:
        for u in range(len(units)):
            if units[u]["owner"] == choice["owner"] and units[u]["place"] == ON_TABLE and (only < 0 or u == only):
                out[found] = u
                found += 1
        return found
    for n in range(choice["first"], choice["first"] + choice["count"]):
        k = bearers[n]
        u = models[k]["unit"]
        if models[k]["on_table"] == 0 or units[u]["place"] != ON_TABLE or (only >= 0 and u != only):
            continue
        known = False
        for i in range(found):
            known = known or out[i] == u
        if not known:
            out[found] = u
            found += 1
    return found


@inner_kernel
def units_in_question(models: Array, units: Array, jobs: Array, choices: Array, c: int, mover: int, out: Array) -> int:
    """List in ``out`` the units that choice ``c`` concerns. Returns how many.

    These are units of the right side and keyword on the battlefield; depending on the choice, only those that were hit,
    that declared attacks target, or that ``mover`` has come near to.
    """
    choice = choices[c]
    among, side, keyword = choice["among"], choice["side"], choice["keyword"]
    count = len(units)
    if among == WHEN_TARGETED:
        count = targeted(units, jobs, side, ANY_KEYWORD, out)
    found = 0
    for n in range(count):
        u = out[n] if among == WHEN_TARGETED else n
        if units[u]["owner"] != side or units[u]["place"] != ON_TABLE or units[u]["alive"] <= 0:
            continue
        if keyword != 0 and units[u]["keywords"] & keyword == 0:
            continue
        if among == WHEN_SHOT and units[u]["cover"] & HIT == 0:
            continue
        if among == WHEN_MOVED and not moves_because(models, units, choices, c, u, mover):
            continue
        out[found] = u
        found += 1
    return found


@kernel
def units_to_choose(
    models: Array, units: Array, jobs: Array, choices: Array, bearers: Array, c: int, unit: int, out: Array
) -> int:
    """List in ``out`` the units that choice ``c`` allows by place, attacks and Battle-shock
    (command.battle-shock.stratagems). Returns how many. ``unit``: the unit whose moment it is; -1: none.
    """
    choice = choices[c]
    found = 0
    if choice["by_bearers"] != 0:
        found = bearing_units(models, units, choices, bearers, c, unit, out)
        if found == 0:
            return 0
    if choice["itself"] == 0:
        found = units_in_question(models, units, jobs, choices, c, unit, out)
    near_bearers = choice["itself"] == 0 and choice["reach"] > 0.0 and choice["among"] != WHEN_MOVED
    near_mover = choice["itself"] != 0 and choice["among"] == WHEN_MOVED
    left = 0
    for n in range(found):
        u = out[n]
        if choice["cost"] > 0 and units[u]["shocked"] != 0:
            continue
        if near_bearers and not near_a_bearer(models, units, choices, bearers, c, u):
            continue
        if near_mover and not moves_because(models, units, choices, c, u, unit):
            continue
        out[left] = u
        left += 1
    return left


@inner_kernel
def some_stratagem_free(models: Array, units: Array, powers: Array, bearers: Array, player: int) -> bool:
    """Whether one of ``powers`` still makes a Stratagem of the player cheaper for some unit."""
    for p in range(len(powers)):
        k = bearers[powers[p]["first"]]
        if (
            powers[p]["owner"] == player
            and models[k]["on_table"] != 0
            and units[models[k]["unit"]]["marks"] & FREED == 0
        ):
            return True
    return False


@kernel
def next_possible(
    models: Array,
    units: Array,
    jobs: Array,
    players: Array,
    choices: Array,
    bearers: Array,
    free: Array,
    free_bearers: Array,
    numbers: Array,
    after: int,
    unit: int,
    roll: int,
    out: Array,
) -> tuple[int, int]:
    """The first of the choices ``numbers`` after ``after`` (-1: from the start) that can come up, or -1; and how many
    units it concerns, listed in ``out``.

    It tests rolls, Command points (``free``: abilities that make Stratagems cheaper), uses, places and attacks.
    ``unit``: the unit whose moment it is; -1: none.
    """
    behind = after < 0
    for at in range(len(numbers)):
        c = numbers[at]
        if not behind:
            behind = c == after
            continue
        choice = choices[c]
        player = choice["owner"]
        if roll < choice["least"]:
            continue
        if choice["cost"] > 0:
            if players[player]["used"] & choice["used"] != 0:
                continue
            lacks = choice["cost"] - players[player]["cp"]
            if lacks > SAVED or (lacks > 0 and not some_stratagem_free(models, units, free, free_bearers, player)):
                continue
        if choice["once"] != 0 and players[player]["used_battle"] & choice["once"] == choice["once"]:
            continue
        if choice["among"] == WHEN_MOVED and units[unit]["place"] != ON_TABLE:
            continue
        if choice["army_wide"] == 0:
            found = units_to_choose(models, units, jobs, choices, bearers, c, unit, out)
        elif choice["by_bearers"] != 0:
            found = bearing_units(models, units, choices, bearers, c, unit, out)
        else:
            found = 1
        if found > 0:
            return c, found
    return -1, 0


def next_choice(g: BattleCore, numbers: Array, unit: int, roll: int, after: int = -1) -> int:
    """The first of the choices ``numbers`` after number ``after`` that comes up now, or -1: there is something to
    choose, and the player can pay.
    """
    statics, found = g.setup.statics, g.work.found
    rows, bearers = statics["choice_rows"]
    free, free_bearers = statics["power_rows"]["free"]
    while True:
        after, count = g.work.call(
            next_possible,
            g.models.rows, g.units.rows, g.jobs.rows, g.players.rows, rows, bearers, free, free_bearers,
            numbers, after, unit, roll, found,
        )  # fmt: skip
        if after < 0:
            return -1
        choice: Choice = statics["choices"][after]
        plain = choice.plain and g.players.cp[choice.owner] >= choice.cost
        if plain or choice.whom == "army" or narrowed(g, after, choice, unit, found[:count].tolist()):
            return after


def own_units(g: BattleCore, number: int, unit: int) -> list[int]:
    """Units on the battlefield that hold a bearer; at a moment of a unit, only that unit."""
    rows, bearers = g.setup.statics["choice_rows"]
    found = g.work.found
    count = g.work.call(bearing_units, g.models.rows, g.units.rows, rows, bearers, number, unit, found)
    return found[:count].tolist()  # type: ignore[no-any-return]


def candidates(g: BattleCore, number: int, choice: Choice, unit: int) -> list[int]:
    """Units that the player can choose; ``unit``: the unit whose moment it is, -1: none."""
    rows, bearers = g.setup.statics["choice_rows"]
    found = g.work.found
    count = g.work.call(units_to_choose, g.models.rows, g.units.rows, g.jobs.rows, rows, bearers, number, unit, found)
    return narrowed(g, number, choice, unit, found[:count].tolist())


def inside(g: BattleCore, name: str, unit: int) -> bool:
    """Whether the ability of that name is in force on the unit."""
    powers = g.setup.statics["powers"]
    hooks = [hook for hook, those in powers.items() if any(power.name == name for power in those)]
    return any(power.name == name for hook in hooks for power in in_force(g, unit, hook))


def seconds(g: BattleCore, choice: Choice, units: list[int]) -> list[int]:
    """Units that can be chosen beside the one marked just now; the ability ``choice.inside`` is in force on both."""
    marked = [each for each in g.units_of(choice.owner) if g.units.marks[each] & choice.marks[0]]
    if len(marked) != 1 or not inside(g, choice.inside, marked[0]):
        return []
    return [
        each for each in units if each != marked[0] and not g.units.shocked[each] and inside(g, choice.inside, each)
    ]


def alone(g: BattleCore, unit: int, inches: float) -> bool:
    """Whether the unit is farther than ``inches`` from all enemy units."""
    u = g.units
    enemies = [each for each in g.units_of(1 - u.owner[unit]) if u.place[each] == ON_TABLE and u.alive[each] > 0]
    return all(unit_distance(g.models.rows, u.rows, unit, each) > inches + EPS for each in enemies)


def narrowed(g: BattleCore, number: int, choice: Choice, unit: int, units: list[int]) -> list[int]:
    """Those of ``units`` (from ``units_to_choose``) that are in the states that the choice requires and that the player
    can pay for.
    """
    if not units or (choice.plain and g.players.cp[choice.owner] >= choice.cost):
        return units
    if choice.effect in USEFUL:
        state = STATES[USEFUL[choice.effect]]
        units = [each for each in units if state(g, each)]
    if choice.unless and any(g.units.marks[each] & choice.unless for each in g.units_of(choice.owner)):
        return []
    if choice.without:
        units = [each for each in units if not g.units.keywords[each] & choice.without]
    if choice.second:
        units = seconds(g, choice, units)
    elif choice.inside:
        units = [each for each in units if inside(g, choice.inside, each)]
    if choice.beyond:
        units = [each for each in units if alone(g, each, choice.beyond)]
    if choice.engaged and choice.whom == "enemy":
        engaged, own = engagements(g), own_units(g, number, unit)
        units = [each for each in units if any(engaged[each][bearer] for bearer in own)]
    elif choice.engaged or choice.free:
        engaged = engagements(g)
        units = [each for each in units if (1 in engaged[each].tobytes()) == choice.engaged]
    if not units or g.players.cp[choice.owner] >= choice.cost:
        return units
    return edition(g).free_among(g, choice.owner, units)
