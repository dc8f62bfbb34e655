"""The fields of observations that tell what a unit is in the middle of: its command, moves, combats and duels."""

from __future__ import annotations

from math import cos, sin
from typing import Any

from wh_env.core.features import UNITS, Field, columns, share, signed
from wh_env.core.kernel import inner_kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.codes import CHARACTERISTICS, EXTRA

GLOBALS = (
    Field("turn_now", "it is the seat's turn to set up or to act, before the first turn too"),
    Field("own_finished", "the seat finished deploying first"),
    Field("enemy_finished", "the other seat finished deploying first"),
    Field("own_standards", "standards that the seat has captured", "/ 8"),
    Field("enemy_standards", "standards that the other seat has captured", "/ 8"),
    Field("own_battle_standards", "Battle Standards that the seat has captured", "/ 2"),
    Field("enemy_battle_standards", "Battle Standards that the other seat has captured", "/ 2"),
)
UNIT = (
    Field("front_facing_x", "cosine of the facing of its block", "cosine", low=-1.0),
    Field("front_facing_y", "sine of the facing of its block", "sine", low=-1.0),
    Field("depth", "depth of its block", "in / 24"),
    Field("shape", "how it stands: 0 in ranks, 1 as skirmishers, 2 alone, 3 in a column", "/ 4"),
    Field("goes_x", "where the move that is being decided leads its front edge, from where it is", "in / 48", low=-1.0),
    Field("goes_y", "the same along y", "in / 48", low=-1.0),
    Field("goes_files", "its files there", "/ 20"),
    Field("goes_facing_x", "cosine of the facing there; 0: it is deciding no move", "cosine", low=-1.0),
    Field("goes_facing_y", "sine of the facing there", "sine", low=-1.0),
    Field("spent", "how much of its move that takes", "in / 24"),
    Field("deployed", "how it comes to the battle, in bits", "/ 128"),
    Field("general", "the General is in it, or is it"),
    Field("bearer", "the Battle Standard Bearer is in it, or is it"),
    Field("has_champion", "its champion lives"),
    Field("has_standard", "its standard bearer lives"),
    Field("has_musician", "its musician lives"),
    Field("lost_now", "Unit Strength lost since the phase began", "/ 20"),
    Field("due", "why it has to take a Panic test, in bits", "/ 256"),
    Field("steeled", "it has taken a Panic test in this phase"),
    Field("fought", "it has fought in this phase"),
    Field("fighting", "it is in the combat that is being resolved"),
    Field("dealt", "wounds that it has caused in this round", "/ 20"),
    Field("outcome", "of its last round of combat, by the codes of the rules", "/ 8"),
    Field("intent", "what it does about a beaten enemy, by the codes of the rules", "/ 8"),
    Field("answered", "what it has answered in this step of the combat, by the codes of the rules", "/ 16"),
    Field("rolled", "its flee or pursuit roll of this round", "/ 18"),
    Field("prey", "slot of the unit that it pursues, plus 1", "/ 32"),
    Field("blows", "attacks that are aimed and not yet made", "/ 40"),
    Field("blows_wounds", "wounds of its attacks that are not yet suffered", "/ 20"),
    Field("weapon", "weapon in its hands in this combat, counted from 1", "/ 8"),
    Field("ward", "ward save that it takes next, counted from 1", "/ 8"),
    Field("lost_rules", "special rules that it has no more, in bits", "/ 2^16"),
    Field("gained_rules", "special rules that it has gained, in bits", "/ 2^16"),
    Field("out_of", "slot of the unit that this character charges out of, plus 1", "/ 32"),
    Field("duel", "slot of the enemy that it duels with, plus 1", "/ 32"),
    Field("cowers", "it hides in the rear ranks"),
    Field("disgraced", "no unit tests on its Leadership in this turn"),
    Field("overkill", "wounds beyond the last in duels of this round", "/ 5"),
    Field("breaths", "its breaths that it has used, in bits", "/ 16"),
    Field("braked", "its charge brings it no bonus in this round"),
    Field("assaults", "slot of the war machine that it was chosen to assault, plus 1", "/ 32"),
    Field("building", "number of the building that it is in, storms or fought at, plus 1", "/ 32"),
    Field("left_table", "edge over which it has pursued, plus 1", "/ 4"),
    Field("area", "area of the deployment zone that was rolled for it, counted from 1", "/ 16"),
    Field("late", "characters who joined it after spells that act on it were cast, in bits", "/ 2^16"),
    Field("others", "profiles beside that of its troopers: champion, mounts, riders, crew", "/ 4"),
    *(Field(f"others_{name}", f"the mean of {name} of those", "/ 10") for name in CHARACTERISTICS),
)
RELATION = (
    Field("wounds", "wounds that the own unit has caused to the enemy in this round", "/ 20"),
    Field("enemy_wounds", "wounds that the enemy has caused to the own unit in this round", "/ 20"),
    Field("across", "an obstacle that the charged unit defends is between them"),
    Field("reaction", "what became of the charge of one on the other, by the codes of the rules", "/ 8"),
    Field("charge_side", "side of the charged unit that the charge goes to: 1/4 front, right, rear, left", "/ 4"),
)
AT, GLOBAL_AT, RELATION_AT = columns(UNIT), columns(GLOBALS), columns(RELATION)


@inner_kernel
def fill_globals(me: Any, other: Any, clock: Any, seat: int, at: int, out: Array) -> None:
    """Write the fields of the battle as a whole from ``out[at]`` on."""
    G = GLOBAL_AT
    out[at + G.turn_now] = 1.0 if clock["turn"] == seat else 0.0
    out[at + G.own_finished] = 1.0 if clock["finished"] == seat else 0.0
    out[at + G.enemy_finished] = 1.0 if clock["finished"] == 1 - seat else 0.0
    for turn in range(2):
        side = other if turn == 1 else me
        out[at + G.own_standards + turn] = share(side["standards"], 8.0)
        out[at + G.own_battle_standards + turn] = share(side["battle_standard"], 2.0)


@inner_kernel
def fill_state(unit: Any, u: int, side: Any, models: Array, lines: Array, turned: bool, row: int, out: Array) -> None:
    """Write the fields of unit ``u`` of a side from ``out[row]`` on, but for its attacks.

    ``turned``: whether the seat sees the table turned by half a turn.
    """
    sign = -1.0 if turned else 1.0
    out[row + AT.general] = 1.0 if side["general"] == u else 0.0
    out[row + AT.bearer] = 1.0 if side["bearer"] == u else 0.0
    _fill_move(unit, sign, row, out)
    _fill_combat(unit, row, out)
    _fill_character(unit, row, out)
    for k in range(unit["first"], unit["first"] + unit["count"]):
        if models[k]["alive"] != 0 and models[k]["role"] > 0:
            out[row + AT.has_champion + models[k]["role"] - 1] = 1.0
    _fill_others(unit, lines, row, out)


@inner_kernel
def _fill_others(unit: Any, lines: Array, row: int, out: Array) -> None:
    """Write the profiles of a unit beside that of its troopers, but for those that an item brings, which may be
    secret.
    """
    first, last = unit["first_line"] + 1, unit["first_line"] + unit["lines"]
    count = 0
    for n in range(first, last):
        if lines[n]["kind"] != EXTRA:
            count += 1
    out[row + AT.others] = share(count, 4.0)
    at = row + AT.others + 1
    for n in range(first, last):
        line = lines[n]
        if line["kind"] == EXTRA:
            continue
        out[at] += share(line["m"], 10.0 * count)
        out[at + 1] += share(line["ws"], 10.0 * count)
        out[at + 2] += share(line["bs"], 10.0 * count)
        out[at + 3] += share(line["s"], 10.0 * count)
        out[at + 4] += share(line["t"], 10.0 * count)
        out[at + 5] += share(line["w"], 10.0 * count)
        out[at + 6] += share(line["i"], 10.0 * count)
        out[at + 7] += share(line["a"], 10.0 * count)
        out[at + 8] += share(line["ld"], 10.0 * count)


@inner_kernel
def _fill_move(unit: Any, sign: float, row: int, out: Array) -> None:
    """Write how a unit's block stands, and where the move that is being decided leads."""
    out[row + AT.shape] = share(unit["shape"], 4.0)
    out[row + AT.deployed] = share(unit["deployed"], 128.0)
    out[row + AT.area] = share(unit["area"], 16.0)
    out[row + AT.goes_files] = share(unit["pfiles"], 20.0)
    out[row + AT.left_table] = share(unit["left_edge"] + 1, 4.0)
    if unit["files"] == 0:
        return
    out[row + AT.front_facing_x] = sign * cos(unit["facing"])
    out[row + AT.front_facing_y] = sign * sin(unit["facing"])
    ranks = (unit["block"] + unit["files"] - 1) // unit["files"]
    out[row + AT.depth] = share(2.0 * unit["base_a"] * ranks, 24.0)
    out[row + AT.spent] = share(unit["spent"], 24.0)
    if unit["pfiles"] > 0:
        out[row + AT.goes_x] = signed(sign * (unit["px"] - unit["x"]), 48.0)
        out[row + AT.goes_y] = signed(sign * (unit["py"] - unit["y"]), 48.0)
        out[row + AT.goes_facing_x] = sign * cos(unit["pf"])
        out[row + AT.goes_facing_y] = sign * sin(unit["pf"])


@inner_kernel
def _fill_combat(unit: Any, row: int, out: Array) -> None:
    """Write what a unit has suffered in this phase and how its combat stands."""
    out[row + AT.lost_now] = share(unit["us_phase"] - unit["us"], 20.0)
    out[row + AT.due] = share(unit["due"], 256.0)
    out[row + AT.steeled] = float(unit["steeled"])
    out[row + AT.fought] = float(unit["fought"])
    out[row + AT.fighting] = float(unit["fighting"])
    out[row + AT.dealt] = share(unit["dealt"], 20.0)
    out[row + AT.outcome] = share(unit["outcome"], 8.0)
    out[row + AT.intent] = share(unit["intent"], 8.0)
    out[row + AT.answered] = share(unit["answered"], 16.0)
    out[row + AT.rolled] = share(unit["rolled"], 18.0)
    out[row + AT.weapon] = share(unit["weapon"], 8.0)
    out[row + AT.ward] = share(unit["ward"], 8.0)
    out[row + AT.lost_rules] = share(unit["lost_rules"], 65536.0)
    out[row + AT.gained_rules] = share(unit["gained_rules"], 65536.0)
    out[row + AT.braked] = float(unit["braked"])
    out[row + AT.building] = share(1 + max(unit["garrison"], unit["storms"], unit["stormed"]), 32.0)


@inner_kernel
def _fill_character(unit: Any, row: int, out: Array) -> None:
    """Write what a character does."""
    out[row + AT.cowers] = float(unit["cowers"])
    out[row + AT.disgraced] = float(unit["disgraced"])
    out[row + AT.overkill] = share(unit["overkill"], 5.0)
    out[row + AT.breaths] = share(unit["breaths"], 16.0)


@inner_kernel
def fill_others(unit: Any, mine: int, theirs: int, row: int, out: Array) -> None:
    """Write which units a unit pursues, duels with, charges out of and assaults.

    ``mine``, ``theirs``: the first units of its side and of the enemy.
    """
    out[row + AT.prey] = share(unit["prey"] - theirs + 1, UNITS) if unit["prey"] >= 0 else 0.0
    out[row + AT.duel] = share(unit["duel"] - theirs + 1, UNITS) if unit["duel"] >= 0 else 0.0
    out[row + AT.out_of] = share(unit["out_of"] - mine + 1, UNITS) if unit["out_of"] >= 0 else 0.0
    out[row + AT.assaults] = share(unit["assaults"] - theirs + 1, UNITS) if unit["assaults"] >= 0 else 0.0


@inner_kernel
def fill_late(effects: Array, me: Array, other: Array, v: Any, first: int, out: Array) -> None:
    """Write who joined units after spells on them were cast. ``first``: column of the first field of ``UNIT``."""
    for k in range(len(effects)):
        u = effects[k]["unit"]
        if u < 0 or effects[k]["late"] == 0:
            continue
        mine = me["first_unit"] <= u < me["first_unit"] + me["units"]
        slot = u - (me["first_unit"] if mine else other["first_unit"])
        row = (v["own"] if mine else v["enemy"]) + slot * v["unit_stride"] + first
        out[row + AT.late] = min(1.0, out[row + AT.late] + share(effects[k]["late"], 65536.0))


@inner_kernel
def fill_blows(blows: Array, me: Array, other: Array, v: Any, first: int, out: Array) -> None:
    """Write the attacks that units have aimed and not made. ``first``: column of the first field of ``UNIT``."""
    for k in range(len(blows)):
        u = blows[k]["unit"]
        if u < 0:
            continue
        mine = me["first_unit"] <= u < me["first_unit"] + me["units"]
        slot = u - (me["first_unit"] if mine else other["first_unit"])
        row = (v["own"] if mine else v["enemy"]) + slot * v["unit_stride"] + first
        out[row + AT.blows] = min(1.0, out[row + AT.blows] + blows[k]["attacks"] / 40.0)
        out[row + AT.blows_wounds] = min(1.0, out[row + AT.blows_wounds] + blows[k]["wounds"] / 20.0)
