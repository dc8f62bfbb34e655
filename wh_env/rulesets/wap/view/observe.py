"""The fields that the game of regiments adds to observations (``core.features``), and the kernel that writes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import cos, sin
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.features import NOTHING, ZONES, Features, Field, Pending, columns, share, signed
from wh_env.core.kernel import compiled_for, inner_kernel, kernel
from wh_env.core.setup import Setup
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.carried import items_of
from wh_env.rulesets.wap.basics.secret_items import worn_as_known
from wh_env.rulesets.wap.codes import (
    ADVANCED,
    AMBUSHES,
    BARRED,
    BUILDING,
    DEEDS,
    FOREST,
    HILL,
    IMPASSABLE,
    LATE,
    MARSH,
    OBSTACLE,
    REAR,
    RIVER,
    SCOUTS,
    TROOP_TYPES,
    WAR_MACHINE,
)
from wh_env.rulesets.wap.magic.spells import has_magic
from wh_env.rulesets.wap.rule_book import BOOK, FLY, FRENZY
from wh_env.rulesets.wap.special.flying import is_grounded
from wh_env.rulesets.wap.view import observe_items, observe_magic, observe_state
from wh_env.rulesets.wap.view.observe_options import OPTION, meanings_of, option_values
from wh_env.rulesets.wap.view.observe_state import fill_blows, fill_globals, fill_late, fill_others, fill_state

GLOBALS = (
    Field("start_of_turn", "step of the Movement phase: start of the turn"),
    Field("charges", "step of the Movement phase: charges"),
    Field("compulsory", "step of the Movement phase: compulsory moves"),
    Field("other_moves", "step of the Movement phase: other moves"),
)
SHOWN = BOOK.shown
FRENZY_AT = SHOWN.index(FRENZY)
WINGS_AT = 4  # the column of ``worn`` with the inches that a unit flies
CALMED, GROUNDED = BOOK.lost_mask(FRENZY), BOOK.lost_mask(FLY)  # of ``units.lost_rules``
LINE = {
    "Movement": "m",
    "Weapon Skill": "ws",
    "Ballistic Skill": "bs",
    "Strength": "s",
    "Toughness": "t",
    "Initiative": "i",
    "Attacks": "a",
    "Leadership": "ld",
}
UNIT = (
    Field("front_x", "middle of its front edge, from the middle of the table", "half table length", low=-1.0),
    Field("front_y", "middle of its front edge, from the middle of the table", "half table width", low=-1.0),
    Field("files", "its files", "/ 20"),
    Field("ranks", "its ranks, a short one included", "/ 10"),
    Field("frontage", "width of its front", "in / 24"),
    Field("us", "Unit Strength", "/ 50"),
    Field("us_lost", "Unit Strength lost since the battle began", "share"),
    Field("sight", "Line of Sight value", "/ 10"),
    Field("fleeing", "it flees"),
    *(Field(f"profile_{at}", f"{name} of its troopers", "/ 10") for name, at in LINE.items()),
    *(Field(f"is_{name.replace(' ', '_')}", f"its troop type is {name}") for name in TROOP_TYPES),
    Field("charged", "charged this turn"),
    Field("failed", "failed a charge this turn"),
    Field("marched", "marched this turn"),
    Field("moved_now", "was moved this turn"),
    Field("reformed", "reformed this turn"),
    Field("rallied", "rallied this turn"),
    Field("fled", "fled this turn"),
    Field("joined", "was joined this turn"),
    Field("shot", "has shot this turn"),
    Field("arrived", "came on to the table this turn"),
    Field("stayed", "will not move any more this turn"),
    Field("redirected", "has tried to redirect a charge this turn"),
    Field("pursued", "has pursued this turn"),
    Field("overran", "has overrun this turn"),
    Field("driven", "was moved outside the Movement phase"),
    Field("held_back", "has held its frenzy back this turn"),
    Field("spurred", "began its turn near an idol"),
    Field("drank", "has drunk from a well this turn"),
    Field("poisoned", "is poisoned by a well this turn"),
    Field("entered", "has entered a building this turn"),
    Field("fights", "enemy units that it is in contact with", "/ 4"),
    Field("charging", "it counts as having charged in its next round"),
    Field("first_round", "its next round is its first"),
    Field("steadfast", "it was steadfast in its last round"),
    Field("penalty", "what it has lost its last round by", "/ 10"),
    Field("front_engaged", "an enemy is at its front"),
    Field("right_engaged", "an enemy is at its right flank"),
    Field("rear_engaged", "an enemy is at its rear"),
    Field("left_engaged", "an enemy is at its left flank"),
    Field("full_ranks", "ranks behind the first that are full enough for a bonus, whoever attacks its flanks", "/ 3"),
    Field("armour", "points of armour that its models wear", "/ 6"),
    *(Field(rule.name.lower().replace(" ", "_"), f"it has the special rule {rule.name}") for rule in SHOWN),
    Field("stupid", "it has failed a test of Stupidity"),
    Field("missile_range", "range of the farthest of its missile weapons", "in / 36"),
    Field("chilled", "ice has hit it: it always strikes last"),
    Field("loose", "its models stand apart, as skirmishers do"),
    Field("feigns", "its flight is feigned"),
    Field("waits", "it lies in ambush, was kept back as scouts, or is late"),
    Field(
        "came_early", "it was deployed as scouts or has made a vanguard move: no charge in the first turn of the battle"
    ),
    Field("character", "it is a character"),
    Field("hides", "it hides in a friendly unit, or somebody does in it"),
    Field("flies", "how far it can fly in a normal move, by its army list", "in / 20"),
    Field("aloft", "it has declared a charge through the air"),
    Field("high", "Line of Sight value that hills gave most of its models when the player's turn began", "/ 10"),
    Field("inside", "it is in a building"),
    Field("storms", "it assaults a building"),
    Field("stormed", "it has fought at a building before"),
    Field("party", "who of it takes part in an assault: 1 itself, 2 its champion, 4 exposed to special attacks", "/ 7"),
    Field(
        "ally",
        "it is of an army that fights beside the main one of its side, its number among those, and a quarter for each "
        "step by which the alliances of its army have decayed",
        "/ 4",
    ),
    Field(
        "silent",
        "phases in which its crew hide under it and do not fire, and three times the turns of its player, the present "
        "one included, in which it cannot fire",
        "/ 8",
    ),
)
MODEL = (
    Field("rank", "its rank, 0 in front", "/ 10"),
    Field("champion", "it is the champion"),
    Field("standard", "it carries the standard"),
    Field("musician", "it is the musician"),
    Field("file", "its file, 0 at the right", "/ 20"),
    Field("post", "file of the front rank that its player has given it, plus 1", "/ 20"),
    Field("struck", "profiles with which it has struck in this round, in bits", "/ 128"),
)
RELATION = (
    Field("ahead", "the enemy's front edge is ahead of the own unit (1) or behind it (-1)", "cosine", low=-1.0),
    Field("enemy_ahead", "the own front edge is ahead of the enemy (1) or behind it (-1)", "cosine", low=-1.0),
    Field("contact", "they are in close combat with each other"),
    Field("at_own_flank", "the enemy is at a flank of the own unit"),
    Field("at_own_rear", "the enemy is at the rear of the own unit"),
    Field("at_its_flank", "the own unit is at a flank of the enemy"),
    Field("at_its_rear", "the own unit is at the rear of the enemy"),
    Field("charges", "the own unit has declared a charge on the enemy"),
    Field("is_charged", "the enemy has declared a charge on the own unit"),
    *observe_state.RELATION,
)
KINDS_SHOWN = (HILL, FOREST, RIVER, MARSH, OBSTACLE, BUILDING)
TERRAIN = (
    *ZONES,
    Field("impassable", "part of the cell that nobody can enter", "share"),
    Field("hill", "part of the cell that is a hill", "share"),
    Field("forest", "part of the cell that is forest", "share"),
    Field("river", "part of the cell that is river, bridges included", "share"),
    Field("marsh", "part of the cell that is marsh", "share"),
    Field("obstacle", "part of the cell that is an obstacle", "share"),
    Field("building", "part of the cell that is a building", "share"),
)
WAITS, EARLY = SCOUTS | AMBUSHES | LATE, SCOUTS | ADVANCED  # of ``units.deployed``
DEED_COUNT, SHOWN_COUNT = len(DEEDS), len(SHOWN)
GLOBAL_AT, UNIT_AT, MODEL_AT, RELATION_AT = columns(GLOBALS), columns(UNIT), columns(MODEL), columns(RELATION)
STATE = len(UNIT) + len(observe_magic.UNIT) + len(observe_items.UNIT)  # column of the first field of ``observe_state``
STATE_GLOBALS = len(GLOBALS) + len(observe_magic.GLOBALS)


@inner_kernel
def fill_unit(
    units: Array, lines: Array, worn: Array, u: int, turned: bool, length: float, width: float, row: int, out: Array
) -> None:
    """Write the columns of unit ``u``, from ``row`` of ``out`` on."""
    unit = units[u]
    sign = -1.0 if turned else 1.0
    _fill_block(unit, sign, length, width, row, out)
    _fill_profile(unit, lines[unit["first_line"]], row, out)
    _fill_deeds(unit, row, out)
    _fill_worn(unit, worn[u], row, out)


@inner_kernel
def _fill_block(unit: Any, sign: float, length: float, width: float, row: int, out: Array) -> None:
    """Write where a unit's block stands and how it is drawn up."""
    U = UNIT_AT
    if unit["files"] > 0:
        out[row + U.front_x] = signed(sign * (unit["x"] - 0.5 * length), 0.5 * length)
        out[row + U.front_y] = signed(sign * (unit["y"] - 0.5 * width), 0.5 * width)
        ranks = (unit["block"] + unit["files"] - 1) // unit["files"]
        out[row + U.files] = share(unit["files"], 20.0)
        out[row + U.ranks] = share(ranks, 10.0)
        out[row + U.frontage] = share(2.0 * unit["base_b"] * unit["files"] + abs(unit["wider"]), 24.0)
        if unit["full_rank"] > 0 and unit["files"] >= unit["full_rank"]:
            full = unit["block"] // unit["files"]
            if unit["block"] % unit["files"] >= unit["full_rank"]:
                full += 1
            out[row + U.full_ranks] = share(max(0, min(3, full - 1)), 3.0)
        out[row + U.came_early] = 1.0 if unit["deployed"] & EARLY else 0.0
    else:
        out[row + U.waits] = 1.0 if unit["deployed"] & WAITS else 0.0
    out[row + U.high] = share(unit["high"], 10.0)
    out[row + U.loose] = 1.0 if unit["spacing"] > 0.0 else 0.0


@inner_kernel
def _fill_profile(unit: Any, line: Any, row: int, out: Array) -> None:
    """Write a unit's Unit Strength, its troop type and its characteristics, those of ``line``."""
    U = UNIT_AT
    out[row + U.us] = share(unit["us"], 50.0)
    own = unit["us"] if unit["kind"] == WAR_MACHINE else unit["alive"] * unit["each"]  # without characters in it
    out[row + U.us_lost] = share(unit["us_start"] - own, max(1, unit["us_start"]))
    out[row + U.sight] = share(unit["sight"], 10.0)
    at = row + U.profile_m
    out[at] = share(line["m"], 10.0)
    out[at + 1] = share(line["ws"], 10.0)
    out[at + 2] = share(line["bs"], 10.0)
    out[at + 3] = share(line["s"], 10.0)
    out[at + 4] = share(line["t"], 10.0)
    out[at + 5] = share(line["i"], 10.0)
    out[at + 6] = share(line["a"], 10.0)
    out[at + 7] = share(line["ld"], 10.0)
    out[row + U.is_infantry + unit["kind"]] = 1.0


@inner_kernel
def _fill_deeds(unit: Any, row: int, out: Array) -> None:
    """Write what a unit has done and what has come over it."""
    U = UNIT_AT
    out[row + U.fleeing] = 1.0 if unit["fleeing"] != 0 else 0.0
    for bit in range(DEED_COUNT):
        if unit["did"] >> bit & 1:
            out[row + U.charged + bit] = 1.0
    out[row + U.fights] = share(unit["fights"], 4.0)
    out[row + U.charging] = 1.0 if unit["charging"] != 0 else 0.0
    out[row + U.first_round] = 1.0 if unit["rounds"] == 0 else 0.0
    out[row + U.steadfast] = 1.0 if unit["steadfast"] != 0 else 0.0
    out[row + U.penalty] = share(unit["penalty"], 10.0)
    out[row + U.stupid] = 1.0 if unit["stupid"] != 0 else 0.0
    out[row + U.chilled] = 1.0 if unit["chilled"] != 0 else 0.0
    out[row + U.feigns] = 1.0 if unit["feigned"] != 0 else 0.0
    out[row + U.inside] = 1.0 if unit["garrison"] >= 0 else 0.0
    out[row + U.storms] = 1.0 if unit["storms"] >= 0 else 0.0
    out[row + U.stormed] = 1.0 if unit["stormed"] >= 0 else 0.0
    out[row + U.party] = share(unit["party"], 7.0)
    out[row + U.silent] = share(unit["ducks"] + 3 * unit["jammed"], 8.0)


@inner_kernel
def _fill_worn(unit: Any, worn: Any, row: int, out: Array) -> None:
    """Write what a unit wears and is, from its row of ``worn``."""
    U = UNIT_AT
    out[row + U.armour] = share(worn[0], 6.0)
    for bit in range(SHOWN_COUNT):
        if worn[1] >> bit & 1 and not (bit == FRENZY_AT and unit["lost_rules"] & CALMED != 0):
            out[row + U.stubborn + bit] = 1.0
    out[row + U.missile_range] = share(worn[2], 36.0)
    out[row + U.character] = 1.0 if worn[3] != 0 else 0.0
    if not unit["lost_rules"] & GROUNDED:
        out[row + U.flies] = share(worn[WINGS_AT], 20.0)


def worn_now(g: BattleCore) -> Array:
    """What units wear and are, as the seat knows it; inches that they fly are 0 while nobody flies."""
    worn = worn_as_known(g, g.setup.statics["worn"])
    if is_grounded(g):
        walking = worn.copy()
        walking[:, WINGS_AT] = 0
        walking.flags.writeable = worn.flags.writeable
        return walking
    return worn


@inner_kernel
def bearing(unit: Array, other: Array) -> float:
    """Cosine of the angle between a unit's facing and the direction to the front edge of another unit."""
    dx = other["x"] - unit["x"]
    dy = other["y"] - unit["y"]
    far = (dx * dx + dy * dy) ** 0.5
    if far <= 0.0:
        return 0.0
    return float(max(-1.0, min(1.0, (dx * cos(unit["facing"]) + dy * sin(unit["facing"])) / far)))


@inner_kernel
def fill_contacts(contacts: Array, charges: Array, units: Array, me: Array, other: Array, v: Array, out: Array) -> None:
    """Write fights and charges: the sides of units at which enemies are, and the relations of pairs."""
    U = UNIT_AT
    R = RELATION_AT
    for k in range(len(contacts)):
        c = contacts[k]
        if c["a"] < 0:
            continue
        a = c["a"]
        e = c["b"]
        side = c["side_a"]
        its = c["side_b"]
        if not me["first_unit"] <= a < me["first_unit"] + me["units"]:
            a = c["b"]
            e = c["a"]
            side = c["side_b"]
            its = c["side_a"]
        i = a - me["first_unit"]
        j = e - other["first_unit"]
        out[v["own"] + i * v["unit_stride"] + U.front_engaged + side] = 1.0
        out[v["enemy"] + j * v["unit_stride"] + U.front_engaged + its] = 1.0
        if v["own_from"] <= i < v["own_to"] and v["enemy_from"] <= j < v["enemy_to"]:
            cell = v["relations"] + (i - v["own_from"]) * v["own_stride"] + (j - v["enemy_from"]) * v["enemy_stride"]
            out[cell + R.contact] = 1.0
            out[cell + R.at_own_flank] = 1.0 if side % 2 == 1 else 0.0
            out[cell + R.at_own_rear] = 1.0 if side == REAR else 0.0
            out[cell + R.at_its_flank] = 1.0 if its % 2 == 1 else 0.0
            out[cell + R.at_its_rear] = 1.0 if its == REAR else 0.0
            ours = a == c["a"]
            out[cell + R.wounds] = share(c["wounds_a"] if ours else c["wounds_b"], 20.0)
            out[cell + R.enemy_wounds] = share(c["wounds_b"] if ours else c["wounds_a"], 20.0)
            out[cell + R.across] = 1.0 if c["across"] != 0 else 0.0
    for k in range(len(charges)):
        c = charges[k]
        if c["unit"] < 0 or c["target"] < 0 or c["reaction"] == BARRED:
            continue
        mine = me["first_unit"] <= c["unit"] < me["first_unit"] + me["units"]
        if c["aloft"] != 0:
            first = (
                v["own"] - me["first_unit"] * v["unit_stride"]
                if mine
                else v["enemy"] - other["first_unit"] * v["unit_stride"]
            )
            out[first + c["unit"] * v["unit_stride"] + U.aloft] = 1.0
        i = (c["unit"] if mine else c["target"]) - me["first_unit"]
        j = (c["target"] if mine else c["unit"]) - other["first_unit"]
        if v["own_from"] <= i < v["own_to"] and v["enemy_from"] <= j < v["enemy_to"]:
            cell = v["relations"] + (i - v["own_from"]) * v["own_stride"] + (j - v["enemy_from"]) * v["enemy_stride"]
            out[cell + (R.charges if mine else R.is_charged)] = 1.0
            out[cell + R.reaction] = share(c["reaction"], 8.0)
            out[cell + R.charge_side] = share(c["side"] + 1, 4.0)


@inner_kernel
def fill_hiding(units: Array, me: Array, other: Array, v: Array, out: Array) -> None:
    """Mark the units that hide, and those in which a unit hides."""
    for u in range(len(units)):
        if units[u]["hides_in"] < 0:
            continue
        for turn in range(2):
            one = u if turn == 0 else units[u]["hides_in"]
            if me["first_unit"] <= one < me["first_unit"] + me["units"]:
                row = v["own"] + (one - me["first_unit"]) * v["unit_stride"]
            else:
                row = v["enemy"] + (one - other["first_unit"]) * v["unit_stride"]
            out[row + UNIT_AT.hides] = 1.0


@inner_kernel
def fill_allies(units: Array, armies: Array, me: Array, other: Array, v: Array, out: Array) -> None:
    """Write the armies of the units of sides that have allies."""
    for mine in range(2):
        side = me if mine == 1 else other
        first = v["own"] if mine == 1 else v["enemy"]
        main = -1
        for slot in range(side["units"]):
            army = units[side["first_unit"] + slot]["contingent"]
            if main < 0:
                main = army
            row = first + slot * v["unit_stride"]
            out[row + UNIT_AT.ally] = share(army - main + 0.25 * armies[army]["distrust"], 4.0)


class Observed(NamedTuple):
    """The tables that observations read, in one piece, as a battle keeps it: ``g.observed``."""

    models: Array
    units: Array
    lines: Array
    players: Array
    clock: Array
    contacts: Array
    charges: Array
    armies: Array
    blows: Array
    effects: Array


@kernel
def fill(tables: Observed, worn: Array, length: float, width: float, seat: int, view: Array, out: Array) -> None:
    """Write the columns of the game of regiments; see ``core.features.VIEW``."""
    models, units, lines, players, clock, contacts, charges, armies, blows, effects = tables
    v = view[0]
    at = v["globals"]
    rows = v["rows"]
    distances = v["distances"]
    c = clock[0]
    me = players[seat]
    other = players[1 - seat]
    turned = c["attacker"] != seat
    G = GLOBAL_AT
    if c["phase"] == 1:
        out[at + G.start_of_turn + min(3, c["step"])] = 1.0
    fill_globals(me, other, c, seat, at + STATE_GLOBALS, out)
    for turn in range(2):
        side = other if turn == 1 else me
        for slot in range(side["units"]):
            row = (v["enemy"] if turn == 1 else v["own"]) + slot * v["unit_stride"]
            u = side["first_unit"] + slot
            fill_unit(units, lines, worn, u, turned, length, width, row, out)
            fill_state(units[u], u, side, models, lines, turned, row + STATE, out)
            enemy = me["first_unit"] if turn == 1 else other["first_unit"]
            fill_others(units[u], side["first_unit"], enemy, row + STATE, out)
    fill_blows(blows, me, other, v, STATE, out)
    fill_late(effects, me, other, v, STATE, out)
    fill_hiding(units, me, other, v, out)
    if len(armies) > 0:
        fill_allies(units, armies, me, other, v, out)

    M = MODEL_AT
    for slot in range(len(rows)):
        if rows[slot] < 0:
            break
        m = models[rows[slot]]
        row = v["models"] + slot * v["model_stride"]
        out[row + M.rank] = share(m["rank"], 10.0)
        if m["role"] > 0:
            out[row + M.champion + m["role"] - 1] = 1.0
        out[row + M.file] = share(m["file"], 20.0)
        out[row + M.post] = share(m["post"] + 1, 20.0)
        out[row + M.struck] = share(m["struck"], 128.0)

    R = RELATION_AT
    for i in range(v["own_from"], v["own_to"]):
        a = me["first_unit"] + i
        for j in range(v["enemy_from"], v["enemy_to"]):
            if distances[i, j] < 0.0:
                continue
            e = other["first_unit"] + j
            cell = v["relations"] + (i - v["own_from"]) * v["own_stride"] + (j - v["enemy_from"]) * v["enemy_stride"]
            out[cell + R.ahead] = bearing(units[a], units[e])
            out[cell + R.enemy_ahead] = bearing(units[e], units[a])
    fill_contacts(contacts, charges, units, me, other, v, out)


@kernel
def lies_on(ground: Array, corners: Array, x: float, y: float) -> bool:
    """Whether the point lies on one of these pieces of ground."""
    for b in range(len(ground)):
        piece = ground[b]
        if not (piece["min_x"] <= x <= piece["max_x"]):
            continue
        inside = True
        first = piece["first"]
        count = piece["count"]
        for k in range(first, first + count):
            n = first + (k - first + 1) % count
            ex = corners[n, 0] - corners[k, 0]
            ey = corners[n, 1] - corners[k, 1]
            if ex * (y - corners[k, 1]) - ey * (x - corners[k, 0]) < 0.0:
                inside = False
                break
        if inside:
            return True
    return False


@dataclass
class Code:
    """The compiled kernel that writes the fields, for the tables of the battles of one Setup; compiled when first
    needed.
    """

    write: Callable[..., None] | None = None


class RegimentFeatures(Features):
    """Fields of the game of regiments."""

    fields = MappingProxyType(
        {
            "globals": (*GLOBALS, *observe_magic.GLOBALS, *observe_state.GLOBALS),
            "decision": (*observe_magic.DECISION, *observe_items.DECISION),
            "units": (*UNIT, *observe_magic.UNIT, *observe_items.UNIT, *observe_state.UNIT),
            "models": MODEL,
            "options": OPTION,
            "relations": RELATION,
            "terrain": TERRAIN,
        }
    )

    def prepare(self, setup: Setup) -> Code:
        return Code()

    def fill(self, g: BattleCore, seat: int, tables: Code, view: Array, out: Array) -> None:
        setup = g.setup
        arguments = (g.observed, worn_now(g), setup.length, setup.width, seat, view, out)
        if tables.write is None:
            tables.write = compiled_for(fill, arguments)
        tables.write(*arguments)
        v = view[0]
        own, enemy, stride = int(v["own"]) + len(UNIT), int(v["enemy"]) + len(UNIT), int(v["unit_stride"])
        if items_of(g):
            at = len(observe_magic.UNIT)
            observe_items.fill_items(g, seat, own + at, enemy + at, stride, out)
        if has_magic(g):
            observe_magic.fill_magic(g, seat, int(v["globals"]) + len(GLOBALS), own, enemy, stride, out)

    def decision(self, g: BattleCore, pending: Pending) -> Mapping[str, float]:
        found = observe_magic.decision_values(g) if has_magic(g) else NOTHING
        return {**found, **observe_items.decision_values(g)} if items_of(g) else found

    def meanings(self, g: BattleCore, pending: Pending) -> Mapping[int, Any]:
        return meanings_of(g) if has_magic(g) or items_of(g) else NOTHING

    def option(self, g: BattleCore, tables: Code, what: Any) -> Mapping[str, float]:
        return option_values(what)

    def division(self, g: BattleCore) -> int:
        division: int = g.clock.division[0]
        return division

    def planes(self, setup: Setup, division: int, features: Array, corners: Array, x: Array, y: Array) -> Array:
        south, north = (zone.polygon for zone in setup.statics["divisions"][division].zones)
        ground = setup.statics["ground"]
        pieces = [ground[ground["passage"] == IMPASSABLE], *(ground[ground["kind"] == kind] for kind in KINDS_SHOWN)]
        planes = [
            [
                bool(len(some)) and lies_on(some, setup.corners, float(px), float(py))
                for px, py in zip(x, y, strict=True)
            ]
            for some in pieces
        ]
        return np.stack([within(south, x, y), within(north, x, y), *np.array(planes, np.bool_)])


def within(zone: Array, x: Array, y: Array) -> Array:
    """bool, shape (n,): which points lie in a convex polygon with its corners counter-clockwise."""
    inside = np.ones(len(x), np.bool_)
    for (px, py), (qx, qy) in zip(zone, np.roll(zone, -1, axis=0), strict=True):
        inside &= (qx - px) * (y - py) - (qy - py) * (x - px) >= 0.0
    return inside
