"""The fields of observations that only the Epic-scale game has (``core.features``), and the kernel that writes them."""

from __future__ import annotations

from types import MappingProxyType

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.features import ZONES, Features, Field, Pending, columns, fill_gone, share
from wh_env.core.geometry.shapes import CONTACT, EPS
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.setup import Setup
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.epic.codes import AERIAL, ANTI_GRAV, INFANTRY
from wh_env.rulesets.epic.fire.odds import BEATS, EDGE, Rates, rates_of
from wh_env.rulesets.epic.terrain.ground import cover_at, sees

ORDERS = 6  # orders of the rules that have a field
INCH = 2.54  # cm
FAR = 48.0 * INCH

GLOBALS = (
    Field("own_initiative", "the seat drew the last initiative counter"),
    Field("enemy_initiative", "the other seat drew it"),
    Field("own_counters", "own initiative counters in the cup", "/ 6"),
    Field("enemy_counters", "the other seat's counters in the cup", "/ 6"),
    Field("revealed", "the orders of this turn lie open"),
    Field("own_passed", "the seat fires no more in this phase"),
    Field("enemy_passed", "the other seat fires no more in this phase"),
    Field("turn_now", "it is the seat's turn to set up or to act, before the first turn too"),
    Field("first_now", "the seat sets up or acts first, before the first turn too"),
)
DECISION = (
    Field("weapon_range", "range of the weapon that is asked about", "cm / 122"),
    Field("weapon_dice", "its dice", "/ 6"),
    Field("weapon_to_hit", "what it needs to hit", "(7 - to hit) / 6"),
    Field("weapon_save_modifier", "its save modifier", "/ 6"),
    Field("ones", "natural 1s that may be rolled again", "/ 6"),
)
UNIT = (
    Field("save", "save of its first unit, 0 for none", "(7 - save) / 6"),
    Field("assault_factor", "Assault Factor of its first unit, as it counts now", "/ 10", low=-1.0),
    Field("control", "units left that can hold an objective", "/ 20"),
    Field("ranged", "units with a save of 4+ that its fire is expected to take in the open", "/ 20"),
    Field("reach", "range of its longest weapon", "cm / 122"),
    *(Field(f"order_{n}", f"its order is number {n} of the rules'") for n in range(ORDERS)),
    Field("retreating", "has a Retreat counter"),
    Field("fired", "has fired this turn"),
    Field("lost", "units lost this turn", "/ 20"),
    Field("to_break", "units that it can lose before its break point", "/ 20"),
    Field("broken", "has reached its break point"),
    Field("moved_now", "was moved this phase"),
    Field("fired_now", "fired this phase"),
    Field("assaulted_now", "made its assault move this phase"),
    Field("tested_now", "took its break test this phase"),
    Field("rallied_now", "tried to rally this phase"),
    Field("contact", "units in contact with an enemy", "share"),
    Field("pinned", "units that are pinned", "share"),
    Field("cover", "units in terrain that gives cover", "share"),
    Field("is_infantry", "a squad of infantry"),
    Field("is_light_vehicle", "a light vehicle"),
    Field("is_heavy_vehicle", "a heavy vehicle"),
    Field("is_anti_grav", "anti-grav"),
    Field("is_aerial", "an aerial unit"),
)
MODEL = (
    Field("save", "its save, 0 for none", "(7 - save) / 6"),
    Field("assault_factor", "its Assault Factor", "/ 10", low=-1.0),
    Field("contact", "in contact with an enemy"),
    Field("pinned", "pinned"),
    Field("cover", "in terrain that gives cover"),
    Field("gone_x", "how far it has gone in the current move of its unit, along x", "in / 24", low=-1.0),
    Field("gone_y", "how far it has gone in the current move of its unit, along y", "in / 24", low=-1.0),
)
RELATION = (
    Field("in_range", "a weapon of the own formation reaches the enemy one"),
    Field("in_enemy_range", "a weapon of the enemy formation reaches the own one"),
    Field("ranged", "part of the enemy formation that the own one's fire is expected to take in the open", "share"),
    Field(
        "enemy_ranged", "part of the own formation that the enemy one's fire is expected to take in the open", "share"
    ),
    Field("melee", "part of the enemy formation that an assault is expected to eliminate, one against one", "share"),
    Field("enemy_melee", "part of the own formation that one is expected to eliminate, one against one", "share"),
    Field("charge", "an assault move of the own formation could engage the enemy one, as the crow flies"),
    Field("engaged", "they are in contact"),
)
TERRAIN = (
    *ZONES,
    Field("cover", "part of the cell in terrain that gives cover", "share"),
)
GLOBAL_AT, UNIT_AT, MODEL_AT, RELATION_AT = columns(GLOBALS), columns(UNIT), columns(MODEL), columns(RELATION)


# ---------------------------------------------------------------- kernels


@inner_kernel
def fill_unit(
    models: Array, units: Array, ground: Array, corners: Array, common: Array, reach: Array, flight: int, u: int,
    row: int, out: Array,
) -> None:  # fmt: skip
    """Write the columns of formation ``u`` into ``out``, from index ``row`` on."""
    U = UNIT_AT
    unit = units[u]
    first = models[unit["first"]]
    here = 0
    contact = 0
    pinned = 0
    cover = 0
    for k in range(unit["first"], unit["first"] + unit["count"]):
        m = models[k]
        if m["on_table"] == 0:
            continue
        here += 1
        contact += m["contact"]
        pinned += m["pinned"]
        if cover_at(ground, corners, m["x"], m["y"]) > 0:
            cover += 1
    out[row + U.save] = (7 - first["save"]) / 6.0 if first["save"] > 0 else 0.0
    factor = first["assault"] + (flight if unit["retreating"] != 0 else 0)
    out[row + U.assault_factor] = max(-1.0, min(1.0, factor / 10.0))
    out[row + U.control] = 0.0 if unit["retreating"] != 0 else share(here - contact, 20.0)
    out[row + U.ranged] = share(common[u] * unit["alive"], 20.0)
    out[row + U.reach] = share(reach[u], FAR)
    if 0 < unit["order"] <= ORDERS:
        out[row + U.order_0 + unit["order"] - 1] = 1.0
    out[row + U.retreating] = 1.0 if unit["retreating"] != 0 else 0.0
    out[row + U.fired] = 1.0 if unit["fired"] != 0 else 0.0
    out[row + U.lost] = share(unit["lost"], 20.0)
    left = (unit["strength"] + 1) // 2 - (unit["strength"] - unit["alive"])
    out[row + U.to_break] = share(left, 20.0)
    out[row + U.broken] = 1.0 if left <= 0 else 0.0
    for bit in range(5):
        if unit["selected"] >> bit & 1:
            out[row + U.moved_now + bit] = 1.0
    out[row + U.contact] = share(contact, max(1, here))
    out[row + U.pinned] = share(pinned, max(1, here))
    out[row + U.cover] = share(cover, max(1, here))
    out[row + U.is_infantry + first["rank"] - INFANTRY] = 1.0
    out[row + U.is_anti_grav] = 1.0 if first["traits"] & ANTI_GRAV else 0.0
    out[row + U.is_aerial] = 1.0 if first["traits"] & AERIAL else 0.0


@inner_kernel
def _fill_models(
    models: Array, origin: Array, turned: bool, ground: Array, corners: Array, view: Array, out: Array
) -> None:  # fmt: skip
    """Write the columns of the models of the decision's subject."""
    v = view[0]
    rows = v["rows"]
    M = MODEL_AT
    for slot in range(len(rows)):
        if rows[slot] < 0:
            break
        m = models[rows[slot]]
        row = v["models"] + slot * v["model_stride"]
        out[row + M.save] = (7 - m["save"]) / 6.0 if m["save"] > 0 else 0.0
        out[row + M.assault_factor] = max(-1.0, min(1.0, m["assault"] / 10.0))
        out[row + M.contact] = 1.0 if m["contact"] != 0 else 0.0
        out[row + M.pinned] = 1.0 if m["pinned"] != 0 else 0.0
        if m["on_table"] == 1 and cover_at(ground, corners, m["x"], m["y"]) > 0:
            out[row + M.cover] = 1.0
        fill_gone(m, origin[rows[slot]], turned, 24.0 * INCH, row + M.gone_x, out)


@inner_kernel
def _fill_relations(
    models: Array,
    units: Array,
    first: int,
    enemy_first: int,
    kills: Array,
    reach: Array,
    beats: Array,
    flight: int,
    to_engage: float,
    view: Array,
    out: Array,
) -> None:
    """Write the columns of pairs of formations, own ones from row ``first`` and enemy ones from ``enemy_first``."""
    v = view[0]
    distances = v["distances"]
    R = RELATION_AT
    for i in range(v["own_from"], v["own_to"]):
        a = first + i
        own = models[units[a]["first"]]
        for j in range(v["enemy_from"], v["enemy_to"]):
            if distances[i, j] < 0.0:
                continue
            e = enemy_first + j
            enemy = models[units[e]["first"]]
            apart = distances[i, j] + own["radius"] + enemy["radius"]
            cell = v["relations"] + (i - v["own_from"]) * v["own_stride"] + (j - v["enemy_from"]) * v["enemy_stride"]
            if apart <= reach[a] + EPS:
                out[cell + R.in_range] = 1.0
                out[cell + R.ranged] = share(kills[a, e] * units[a]["alive"], max(1, units[e]["alive"]))
            if apart <= reach[e] + EPS:
                out[cell + R.in_enemy_range] = 1.0
                out[cell + R.enemy_ranged] = share(kills[e, a] * units[e]["alive"], max(1, units[a]["alive"]))
            lead = own["assault"] - enemy["assault"]
            lead += flight * (units[a]["retreating"] - units[e]["retreating"])
            lead = max(-EDGE, min(EDGE, lead))
            fights = min(units[a]["alive"], units[e]["alive"])
            out[cell + R.melee] = share(fights * beats[lead + EDGE], max(1, units[e]["alive"]))
            out[cell + R.enemy_melee] = share(fights * beats[EDGE - lead], max(1, units[a]["alive"]))
            going = own["move"] * (to_engage if own["rank"] == INFANTRY else 1.0)
            out[cell + R.charge] = 1.0 if distances[i, j] <= going + EPS else 0.0
            out[cell + R.engaged] = 1.0 if distances[i, j] <= CONTACT else 0.0


@kernel
def fill(
    models: Array,
    units: Array,
    players: Array,
    clock: Array,
    origin: Array,
    ground: Array,
    corners: Array,
    kills: Array,
    reach: Array,
    common: Array,
    beats: Array,
    flight: int,
    to_engage: float,
    seat: int,
    view: Array,
    out: Array,
) -> None:
    """Write the columns of the Epic-scale game; see ``core.features.VIEW``."""
    v = view[0]
    at = v["globals"]
    G = GLOBAL_AT
    me = players[seat]
    other = players[1 - seat]
    c = clock[0]
    if c["initiative"] >= 0:
        out[at + (G.own_initiative if c["initiative"] == seat else G.enemy_initiative)] = 1.0
    out[at + G.own_counters] = share(me["counters"], 6.0)
    out[at + G.enemy_counters] = share(other["counters"], 6.0)
    out[at + G.revealed] = 1.0 if c["revealed"] != 0 else 0.0
    out[at + G.own_passed] = 1.0 if me["passed"] != 0 else 0.0
    out[at + G.enemy_passed] = 1.0 if other["passed"] != 0 else 0.0
    out[at + G.turn_now] = 1.0 if c["turn"] == seat else 0.0
    out[at + G.first_now] = 1.0 if c["first_player"] == seat else 0.0
    for slot in range(me["units"]):
        row = v["own"] + slot * v["unit_stride"]
        fill_unit(models, units, ground, corners, common, reach, flight, me["first_unit"] + slot, row, out)
    for slot in range(other["units"]):
        row = v["enemy"] + slot * v["unit_stride"]
        fill_unit(models, units, ground, corners, common, reach, flight, other["first_unit"] + slot, row, out)
    _fill_models(models, origin, c["attacker"] != seat, ground, corners, view, out)
    _fill_relations(
        models, units, me["first_unit"], other["first_unit"], kills, reach, beats, flight, to_engage, view, out
    )


@kernel
def fill_seen(
    models: Array, units: Array, players: Array, ground: Array, corners: Array, seat: int, out: Array
) -> None:
    """Set ``out`` [own slot, enemy slot] to 1 for formations with units that see each other."""
    for i in range(players[seat]["units"]):
        a = players[seat]["first_unit"] + i
        for j in range(players[1 - seat]["units"]):
            e = players[1 - seat]["first_unit"] + j
            if units[a]["place"] != ON_TABLE or units[e]["place"] != ON_TABLE:
                continue
            for k in range(units[a]["first"], units[a]["first"] + units[a]["count"]):
                if models[k]["on_table"] == 0 or out[i, j] == 1.0:
                    continue
                for t in range(units[e]["first"], units[e]["first"] + units[e]["count"]):
                    if models[t]["on_table"] == 1:
                        if sees(ground, corners, models[k]["x"], models[k]["y"], models[t]["x"], models[t]["y"]):
                            out[i, j] = 1.0
                            break


# ---------------------------------------------------------------- the waiting decision


def weapon_values(g: BattleCore, weapon: int) -> dict[str, float]:
    """The values of the fields of the decision that describe a weapon."""
    row = g.setup.statics["weapons"][weapon]
    return {
        "weapon_range": min(1.0, float(row["range"]) / FAR),
        "weapon_dice": min(1.0, int(row["dice"]) / 6.0),
        "weapon_to_hit": max(0.0, (7 - int(row["to_hit"])) / 6.0),
        "weapon_save_modifier": min(1.0, int(row["save_modifier"]) / 6.0),
    }


# ---------------------------------------------------------------- for the core


class EpicFeatures(Features):
    """The fields of observations of the Epic-scale game."""

    fields = MappingProxyType(
        {
            "globals": GLOBALS,
            "decision": DECISION,
            "units": UNIT,
            "models": MODEL,
            "relations": RELATION,
            "terrain": TERRAIN,
        }
    )

    def prepare(self, setup: Setup) -> Rates:
        return rates_of(setup)

    def fill(self, g: BattleCore, seat: int, tables: Rates, view: Array, out: Array) -> None:
        statics, rules = g.setup.statics, g.setup.rules
        fill(
            g.models.rows, g.units.rows, g.players.rows, g.clock.rows, g.origin.rows, statics["ground"],
            g.setup.corners, tables.kills, tables.reach, tables.common, BEATS, rules["retreat"]["assault_factor"],
            float(rules["assault"]["infantry_move"]), seat, view, out,
        )  # fmt: skip

    def decision(self, g: BattleCore, pending: Pending) -> dict[str, float]:
        values = weapon_values(g, pending.weapon) if pending.weapon >= 0 else {}
        if "ones" in pending.values:
            values["ones"] = min(1.0, pending.values["ones"] / 6.0)
        return values

    def sight(self, g: BattleCore, seat: int, distances: Array, out: Array) -> bool:
        statics = g.setup.statics
        fill_seen(g.models.rows, g.units.rows, g.players.rows, statics["ground"], g.setup.corners, seat, out)
        return True

    def planes(self, setup: Setup, division: int, features: Array, corners: Array, x: Array, y: Array) -> Array:
        depth = float(setup.rules["deployment_depth_cm"])
        ground = setup.statics["ground"]
        cover = [cover_at(ground, setup.corners, float(px), float(py)) > 0 for px, py in zip(x, y, strict=True)]
        return np.stack([y <= depth, y >= setup.width - depth, np.array(cover, np.bool_)])
