"""Which units a player can choose by an ability or a Stratagem that is data."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS, straight_within, unit_distance
from wh_env.core.kernel import kernel
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.w40k.ability.data import OF_A_UNIT, Choice
from wh_env.rulesets.w40k.attack.conditions import STATES
from wh_env.rulesets.w40k.attack.jobs import targeted
from wh_env.rulesets.w40k.codes import Effect
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.shoot.declare import engagements

ANY_KEYWORD = 2**63 - 1
HIT = int(Effect.HIT)
# effects that do nothing but for units in such a state
USEFUL = {"heal": "wounded", "return D3+3": "below Starting Strength"}
ANY_TIME, WHEN_SHOT, WHEN_TARGETED, WHEN_MOVED = range(4)
AMONG = {"shot": WHEN_SHOT, "targeted": WHEN_TARGETED, "enemy moved": WHEN_MOVED}

# a choice as kernels read it, and which models bear it (``bearers[first : first + count]``)
CHOICE = np.dtype(
    [
        ("reach", "f8"),  # inches from the unit that has moved
        ("keyword", "u8"),  # units have one of these bits; 0: any unit
        ("mark", "u8"),  # units that have it have moved in this turn already
        ("owner", "i4"),
        ("side", "i4"),  # whose units are chosen
        ("army", "i4"),  # 1: all models of the army have it
        ("first", "i4"),
        ("count", "i4"),
        ("among", "i4"),  # ``WHEN_SHOT``: units that were hit, and so on
    ],
    align=True,
)


def choice_rows(choices: Sequence[Choice]) -> tuple[Array, Array]:
    """Choices as rows (``CHOICE``), and the models that bear them (int32)."""
    rows = np.zeros(len(choices), CHOICE)
    bearers: list[int] = []
    for row, choice in zip(rows, choices, strict=True):
        row["reach"], row["keyword"], row["mark"] = choice.reach, choice.keyword, choice.marks[0]
        row["owner"], row["side"], row["army"] = choice.owner, choice.side, choice.army
        row["first"], row["count"] = len(bearers), len(choice.bearers)
        row["among"] = AMONG.get(choice.when, ANY_TIME)
        bearers += choice.bearers
    return rows, np.array(bearers, np.int32)


@kernel
def model_near_unit(models: Array, units: Array, k: int, u: int, reach: float) -> bool:
    """Whether model ``k`` is within ``reach`` of unit ``u``."""
    for i in range(len(models)):
        if models[i]["on_table"] and models[i]["unit"] == u and straight_within(models, k, i, reach + EPS):
            return True
    return False


@kernel
def bearing_units(models: Array, units: Array, choices: Array, bearers: Array, c: int, out: Array) -> int:
    """List in ``out`` the units on the battlefield in which models fight that have choice ``c``; returns how many."""
    choice = choices[c]
    found = 0
    if choice["army"]:
        for u in range(len(units)):
            if units[u]["owner"] == choice["owner"] and units[u]["place"] == ON_TABLE:
                out[found] = u
                found += 1
        return found
    for n in range(choice["first"], choice["first"] + choice["count"]):
        k = bearers[n]
        u = models[k]["unit"]
        if models[k]["on_table"] == 0 or units[u]["place"] != ON_TABLE:
            continue
        known = False
        for i in range(found):
            known = known or out[i] == u
        if not known:
            out[found] = u
            found += 1
    return found


@kernel
def units_in_question(models: Array, units: Array, jobs: Array, choices: Array, c: int, mover: int, out: Array) -> int:
    """List in ``out`` the units that choice ``c`` is among, and returns how many: units of the right side and keyword on the battlefield, of
    them those that were hit, that attacks are declared at, or that ``mover`` has come near to and that have not moved because of it in this
    turn."""
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
        if among == WHEN_MOVED:
            if units[u]["marks"] & choice["mark"] != 0 or units[mover]["owner"] == side:
                continue
            if unit_distance(models, units, u, mover) > choice["reach"] + EPS:
                continue
        out[found] = u
        found += 1
    return found


def bears_in(g: BattleCore, choice: Choice, unit: int) -> bool:
    """Whether a model that has the ability fights in the unit."""
    if g.units.owner[unit] != choice.owner or g.units.place[unit] != ON_TABLE:
        return False
    if choice.army:
        return True
    m = g.models
    return any(m.unit[k] == unit and m.on_table[k] for k in choice.bearers)


def own_units(g: BattleCore, number: int, choice: Choice, unit: int) -> list[int]:
    """Units on the battlefield in which models fight that have the ability; at a moment of a unit no others than that."""
    if choice.when in OF_A_UNIT:
        return [unit] if bears_in(g, choice, unit) else []
    rows, bearers = g.setup.statics["choice_rows"]
    found = g.work.found
    count = g.work.call(bearing_units, g.models.rows, g.units.rows, rows, bearers, number, found)
    return found[:count].tolist()  # type: ignore[no-any-return]


def candidates(g: BattleCore, number: int, choice: Choice, unit: int) -> list[int]:
    """Units that can be chosen; ``unit``: the one whose moment it is, -1: of none."""
    own: list[int] = []
    if choice.by_bearers:
        own = own_units(g, number, choice, unit)
        if not own:
            return own
    if choice.whom == "itself":
        units = [each for each in own if stands_right(g, choice, each) and ready(g, choice, each, unit)]
        return payable(g, choice, units) if choice.cost else units
    found = g.work.found
    rows, _ = g.setup.statics["choice_rows"]
    count = g.work.call(units_in_question, g.models.rows, g.units.rows, g.jobs.rows, rows, number, unit, found)
    units = found[:count].tolist()
    if choice.effect in USEFUL:
        state = STATES[USEFUL[choice.effect]]
        units = [each for each in units if state(g, each)]
    if choice.free and not choice.engaged:
        units = [each for each in units if stands_right(g, choice, each)]
    if choice.cost:
        units = payable(g, choice, units)
    if units and choice.engaged:
        engaged = engagements(g)
        units = [each for each in units if any(engaged[each][bearer] for bearer in own)]
    if choice.reach and choice.when != "enemy moved":
        units = [each for each in units if within(g, choice, each)]
    return units


def payable(g: BattleCore, choice: Choice, units: list[int]) -> list[int]:
    """Those of the units that the player can use the Stratagem on (stratagem.pay, command.battle-shock.stratagems)."""
    shocked = g.units.shocked
    left = [unit for unit in units if not shocked[unit]]
    if not left or g.players.cp[choice.owner] >= choice.cost:
        return left
    return edition(g).free_among(g, choice.owner, left)


def ready(g: BattleCore, choice: Choice, unit: int, mover: int) -> bool:
    """Whether it does something for the unit; once an enemy unit has moved: whether that is near, and it is the first time in this turn."""
    if choice.effect in USEFUL and not STATES[USEFUL[choice.effect]](g, unit):
        return False
    if choice.when != "enemy moved":
        return True
    if g.units.marks[unit] & choice.marks[0] or g.units.owner[mover] == g.units.owner[unit]:
        return False
    near: float = g.work.call(unit_distance, g.models.rows, g.units.rows, unit, mover)
    return near <= choice.reach + EPS


def stands_right(g: BattleCore, choice: Choice, unit: int) -> bool:
    """Whether the unit of the bearers is engaged where the ability asks for that, or is not where it asks for that."""
    if not (choice.engaged or choice.free):
        return True
    return (1 in engagements(g)[unit].tobytes()) == choice.engaged


def within(g: BattleCore, choice: Choice, unit: int) -> bool:
    """Whether the unit is within range of a model that has the ability."""
    m, reach = g.models, choice.reach
    return any(
        m.on_table[k] and g.work.call(model_near_unit, m.rows, g.units.rows, k, unit, reach) for k in choice.bearers
    )
