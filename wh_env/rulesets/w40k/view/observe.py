"""Additions of the editions to observations (``core.features``): fields, the kernel that writes them, secrets."""

from __future__ import annotations

from math import ceil, sqrt
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.features import UNITS, ZONES, Features, Field, Pending, columns, fill_gone, share
from wh_env.core.geometry.engaged import unit_engaged
from wh_env.core.geometry.outlines import laid_out
from wh_env.core.geometry.shapes import EPS, member, member_count
from wh_env.core.kernel import compiled_for, inner_kernel, kernel
from wh_env.core.procedures import Hidden
from wh_env.core.setup import Setup
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.attack_row import ALLOCATED
from wh_env.rulesets.w40k.deploy.battlefield import poses, settled
from wh_env.rulesets.w40k.deploy.places import DEEP_STRIKE, STRATEGIC
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.profiles import Ability, Keyword
from wh_env.rulesets.w40k.terrain.cover import Trait
from wh_env.rulesets.w40k.view.observe_damage import (
    MELEE,
    ONE_USE,
    RANGED,
    REACH,
    DamageTables,
    Rated,
    damage_tables,
    expected_losses,
    muster,
)
from wh_env.rulesets.w40k.view.observe_decisions import DECISION, decision_values
from wh_env.rulesets.w40k.view.observe_effects import EFFECTS, OPTION, add_effects, option_values

# indices of ``DamageTables.near``; the chances start at the last
ENGAGED, ENGAGED_VERTICAL, CHARGE_RANGE, CHARGE_ODDS = range(4)
FIRST_ABILITY, ABILITIES = 1, 9  # first bit and number of the abilities shown, from DEEP_STRIKE on
KEYWORDS = 20  # the first bits of `Keyword` are shown
COVER = int(Trait.COVER_WITHIN | Trait.COVER_BEHIND)

STRATAGEMS = 32  # lowest bits of ``players.used``: those of the book, then those of the army


def _of_side(side: str) -> tuple[Field, ...]:
    """The fields of the rules that a side has used up."""
    spent = "in this phase (1), this turn (2), this battle (4), added up"
    return (
        *(Field(f"{side}_stratagem_{n}", f"the side used Stratagem {n} {spent}", "/ 7") for n in range(STRATAGEMS)),
        *(Field(f"{side}_once_{n}", f"the side used up option {n} of those with one use") for n in range(ONE_USE)),
    )


GLOBALS = (
    Field("own_cp", "own Command points", "CP / 20"),
    Field("enemy_cp", "the other seat's Command points", "CP / 20"),
    Field("own_vp_turn", "victory points that the seat has scored this turn", "VP / 20"),
    Field("enemy_vp_turn", "victory points that the other seat has scored this turn", "VP / 20"),
    *_of_side("own"),
    *_of_side("enemy"),
)
FREEDOMS = (
    Field("free_shoot_advanced", "may shoot although it Advanced"),
    Field("free_charge_advanced", "may charge although it Advanced"),
    Field("free_shoot_fell_back", "may shoot although it Fell Back"),
    Field("free_charge_fell_back", "may charge although it Fell Back"),
    Field("free_charge_disembarked", "may charge although it left a TRANSPORT that had moved"),
    Field("stratagem_freed", "an ability of its models has made a Stratagem free in this battle round"),
    Field("no_charge", "does not charge in this turn"),
    Field("rerolled", "an ability of its models was used for a re-roll in this turn"),
    Field("free_charge_later", "left its TRANSPORT before that moved, and may charge although it Advances"),
)
UNIT = (
    Field("toughness", "T of its first model", "/ 14"),
    Field("save", "Sv of its first model: 1 for 1+, 1/6 for 6+, 0 for none", "(7 - Sv) / 6"),
    Field("invulnerable", "invulnerable save of its first model, 0 for none", "(7 - save) / 6"),
    Field("feel_no_pain", "Feel No Pain of its first model, 0 for none", "(7 - roll) / 6"),
    Field("leadership", "Ld of its first model", "/ 12"),
    Field("control", "OC of its models together", "/ 20"),
    Field(
        "ranged",
        "wounds that its ranged weapons are expected to cost a model of T4, Sv 3+, W2 within half range",
        "/ 20",
    ),
    Field("melee", "wounds that its melee weapons are expected to cost such a model", "/ 20"),
    Field("reach", "range of its longest ranged weapon", "in / 48"),
    Field("not_moved", "has not moved this turn, nor decided not to"),
    Field("stationary", "Remained Stationary"),
    Field("moved", "made a Normal move"),
    Field("advanced", "Advanced"),
    Field("fell_back", "Fell Back"),
    Field("advance_roll", "Advance roll of this turn", "in / 6"),
    Field("shocked", "Battle-shocked"),
    Field("charged", "made a Charge move this turn"),
    Field("can_charge", "was near enough to an enemy to charge when the Charge phase began"),
    Field("fought", "has fought this phase"),
    Field("fights_first", "eligible in the Fights First step"),
    Field("arrived", "was set up this turn"),
    Field("disembarked", "disembarked this turn: before its TRANSPORT moved, after, from a destroyed one", "/ 3"),
    Field("cover", "an effect gives it the Benefit of Cover until the end of the phase"),
    Field("smoke", "an effect gives it Stealth until the end of the phase"),
    Field("ground", "an effect gives it a 6+ invulnerable save until the end of the phase"),
    Field("selected_to_move", "was selected to move this phase"),
    Field("selected_to_shoot", "was selected to shoot this phase"),
    Field("selected_to_charge", "was selected to charge this phase"),
    Field("shock_tested", "took its Battle-shock test this phase"),
    Field("escape_tested", "took its Desperate Escape tests this phase"),
    Field("scouted", "made its Scouts move"),
    Field("aboard", "was embarked when the Movement phase began"),
    Field("engaged", "within Engagement Range of an enemy"),
    Field("charge_target", "a target of the charge being declared or made"),
    Field("by_deep_strike", "in Reserves: will arrive by Deep Strike"),
    Field("strategic", "in Strategic Reserves"),
    *(
        Field(f"has_{Ability(1 << bit).name.lower()}", "its models all have this ability")  # type: ignore[union-attr]
        for bit in range(FIRST_ABILITY, FIRST_ABILITY + ABILITIES)
    ),
    *(
        Field(f"is_{Keyword(1 << bit).name.lower()}", "it has this keyword")  # type: ignore[union-attr]
        for bit in range(KEYWORDS)
    ),
    *FREEDOMS,
    Field("allocated", "models of it that attacks were allocated to this phase", "/ 10"),
    Field("attacked", "attacks that are declared at it and not yet made", "/ 40"),
    Field("attacked_strength", "S of these attacks, their mean", "/ 16"),
    Field("attacked_ap", "AP of these attacks without the sign, their mean", "/ 6"),
    Field("attacked_damage", "D of these attacks, their mean", "/ 10"),
    *EFFECTS,
)
MARKER = (
    Field("own_secured", "stays under the seat's control until the other seat controls it"),
    Field("enemy_secured", "stays under the other seat's control until the seat controls it"),
)
MODEL = (
    Field("toughness", "T", "/ 14"),
    Field("save", "Sv, 0 for none", "(7 - Sv) / 6"),
    Field("invulnerable", "invulnerable save, 0 for none", "(7 - save) / 6"),
    Field("ranged", "as of units", "/ 20"),
    Field("melee", "as of units", "/ 20"),
    Field("reach", "as of units", "in / 48"),
    Field("character", "it is a CHARACTER"),
    Field("allocated", "attacks were allocated to it this phase"),
    Field("gone_x", "how far it has gone in the current move of its unit, along x", "in / 24", low=-1.0),
    Field("gone_y", "how far it has gone in the current move of its unit, along y", "in / 24", low=-1.0),
)
RELATION = (
    Field("in_range", "a ranged weapon of the own unit reaches the enemy unit"),
    Field("in_enemy_range", "a ranged weapon of the enemy unit reaches the own unit"),
    Field("ranged", "part of the enemy unit's wounds left that the own unit's shooting is expected to cost", "share"),
    Field(
        "enemy_ranged", "part of the own unit's wounds left that the enemy unit's shooting is expected to cost", "share"
    ),
    Field(
        "melee",
        "part of the enemy unit's wounds left that all of the own unit's melee attacks are expected to cost",
        "share",
    ),
    Field("enemy_melee", "part of the own unit's wounds left that all of the enemy unit's melee attacks cost", "share"),
    Field(
        "charge",
        "chance that a Charge roll brings the closest models within Engagement Range; 0 within it and beyond charges",
        "probability",
    ),
    Field("engaged", "both are within Engagement Range, as far as it goes horizontally in a straight line"),
)
TERRAIN = (
    *ZONES,
    Field("cover", "part of the cell in features that can give the Benefit of Cover", "share"),
)
GLOBAL_AT, UNIT_AT, MODEL_AT, RELATION_AT = columns(GLOBALS), columns(UNIT), columns(MODEL), columns(RELATION)
MARKER_AT = columns(MARKER)
FREE_BITS = len(FREEDOMS)


# ---------------------------------------------------------------- kernels


@inner_kernel
def quality(needed: int) -> float:
    """A save or roll as a number from 0 (none) up: the better, the higher."""
    return share(7 - needed, 6.0) if needed > 0 else 0.0


@inner_kernel
def set_bits(bits: int, count: int, at: int, out: Array) -> None:
    """Set a column of ``out`` to 1 for each set bit among the lowest ``count``; bit 0 is column ``at``."""
    bits &= (1 << count) - 1
    while bits != 0:
        if bits & 1:
            out[at] = 1.0
        bits >>= 1
        at += 1


@inner_kernel
def charge_chance(distance: float, near: Array) -> float:
    """The chance that a Charge roll brings models ``distance`` inches apart within Engagement Range. 0 within it and
    beyond charge range.
    """
    if distance <= near[ENGAGED] + EPS or distance > near[CHARGE_RANGE] + EPS:
        return 0.0
    needed = max(0, ceil(distance - near[ENGAGED] - EPS))
    return float(near[min(len(near) - 1, CHARGE_ODDS + needed)])


@inner_kernel
def _fill_marks(unit: Any, marks: Array, row: int, out: Array) -> None:
    """Write what abilities have marked a unit with: freedoms, and effects in force."""
    U = UNIT_AT
    if unit["marks"] != 0:
        set_bits(int(unit["marks"]), FREE_BITS, row + U.free_shoot_advanced, out)
        add_effects(int(unit["marks"]), marks, row + U.effect_hits, out)


@inner_kernel
def fill_unit(
    models: Array, units: Array, named: Array, rated: Rated, u: int, nearest: float, row: int, out: Array
) -> None:  # fmt: skip
    """Write the columns of unit ``u`` from ``out[row]`` on. ``nearest``: inches to the nearest enemy."""
    U = UNIT_AT
    unit = units[u]
    some = -1
    control = 0
    allocated = 0
    ranged = 0.0
    melee = 0.0
    reach = 0.0
    for n in range(member_count(units, u)):
        k = member(units, u, n)
        if models[k]["alive"] != 0 and models[k]["unit"] == u:
            if some < 0:
                some = k
            control += models[k]["control"]
            if models[k]["allocated"] != 0:
                allocated += 1
            ranged += rated.ratings[k, RANGED]
            melee += rated.ratings[k, MELEE]
            reach = max(reach, rated.ratings[k, REACH])
    if some >= 0:
        m = models[some]
        out[row + U.toughness] = share(m["toughness"], 14.0)
        out[row + U.save] = quality(m["save"])
        out[row + U.invulnerable] = quality(m["invulnerable"])
        out[row + U.feel_no_pain] = quality(m["feel_no_pain"])
        out[row + U.leadership] = share(m["leadership"], 12.0)
        out[row + U.control] = share(control, 20.0)
        out[row + U.ranged] = share(ranged, 20.0)
        out[row + U.melee] = share(melee, 20.0)
        out[row + U.reach] = share(reach, 48.0)
    if 0 <= unit["moved"] < 5:
        out[row + U.not_moved + unit["moved"]] = 1.0
    out[row + U.advance_roll] = share(unit["advance"], 6.0)
    out[row + U.shocked] = 1.0 if unit["shocked"] != 0 else 0.0
    out[row + U.charged] = 1.0 if unit["charged"] != 0 else 0.0
    out[row + U.can_charge] = 1.0 if unit["can_charge"] != 0 else 0.0
    out[row + U.fought] = 1.0 if unit["fought"] != 0 else 0.0
    out[row + U.fights_first] = 1.0 if unit["fights_first"] != 0 else 0.0
    out[row + U.arrived] = 1.0 if unit["arrived"] != 0 else 0.0
    out[row + U.disembarked] = share(unit["disembarked"], 3.0)
    set_bits(unit["cover"], 3, row + U.cover, out)
    set_bits(unit["selected"], 7, row + U.selected_to_move, out)
    engaged, vertical = rated.near[ENGAGED], rated.near[ENGAGED_VERTICAL]
    if nearest <= engaged + EPS:
        out[row + U.engaged] = 1.0
    elif nearest <= sqrt(engaged * engaged + vertical * vertical) + EPS:
        # they may stand at different heights
        if unit_engaged(models, units, u, engaged, vertical):
            out[row + U.engaged] = 1.0
    out[row + U.charge_target] = 1.0 if named[u] != 0 else 0.0
    out[row + U.by_deep_strike] = 1.0 if unit["reserve"] == DEEP_STRIKE else 0.0
    out[row + U.strategic] = 1.0 if unit["reserve"] == STRATEGIC else 0.0
    set_bits(int(unit["flags"]) >> FIRST_ABILITY, ABILITIES, row + U.has_deep_strike, out)
    set_bits(int(unit["keywords"]), KEYWORDS, row + U.is_infantry, out)
    out[row + U.allocated] = share(allocated, 10.0)
    _fill_marks(unit, rated.marks, row, out)


@inner_kernel
def _fill_used(player: Array, bits: Array, at: int, once: int, out: Array) -> None:
    """Write which Stratagems the player has used, from ``out[at]`` on, and which options with one use, those of
    ``bits``, from ``out[once]`` on.
    """
    phase, turn, battle = int(player["used"]), int(player["used_turn"]), int(player["used_battle"])
    if phase | turn | battle == 0:
        return
    for n in range(STRATAGEMS):
        out[at + n] = ((phase >> n & 1) + 2 * (turn >> n & 1) + 4 * (battle >> n & 1)) / 7.0
    for n in range(ONE_USE):
        if bits[n] >= 0 and battle >> int(bits[n]) & 1:
            out[once + n] = 1.0


@inner_kernel
def _fill_declared(jobs: Array, means: Array, me: Array, other: Array, v: Any, out: Array) -> None:
    """Write the attacks that are declared and not yet made, in the rows of their targets."""
    U = UNIT_AT
    for n in range(len(jobs)):
        job = jobs[n]
        if job["attacks"] == 0:
            continue
        target = job["target"]
        mine = me["first_unit"] <= target < me["first_unit"] + me["units"]
        slot = target - (me["first_unit"] if mine else other["first_unit"])
        row = (v["own"] if mine else v["enemy"]) + slot * v["unit_stride"]
        weapon = means[job["weapon"]]
        number = weapon[0] if job["attacks"] < 0 else float(job["attacks"])
        if number <= 0.0:
            continue
        before = 40.0 * out[row + U.attacked]
        part = number / (before + number)
        out[row + U.attacked] = share(before + number, 40.0)
        out[row + U.attacked_strength] += part * (share(weapon[1], 16.0) - out[row + U.attacked_strength])
        out[row + U.attacked_ap] += part * (share(weapon[2], 6.0) - out[row + U.attacked_ap])
        out[row + U.attacked_damage] += part * (share(weapon[3], 10.0) - out[row + U.attacked_damage])


@inner_kernel
def _fill_markers(me: Array, other: Array, view: Array, out: Array) -> None:
    """Write which markers stay under control."""
    v = view[0]
    rows = v["marker_rows"]
    for o in range(len(rows)):
        if rows[o] >= 0:
            row = v["markers"] + rows[o] * v["marker_stride"]
            out[row + MARKER_AT.own_secured] = float(int(me["secured"]) >> o & 1)
            out[row + MARKER_AT.enemy_secured] = float(int(other["secured"]) >> o & 1)


@inner_kernel
def _fill_models(models: Array, origin: Array, turned: bool, ratings: Array, view: Array, out: Array) -> None:
    """Write the columns of the models of the decision's subject."""
    v = view[0]
    rows = v["rows"]
    C = MODEL_AT
    for slot in range(len(rows)):
        if rows[slot] < 0:
            break
        k = rows[slot]
        row = v["models"] + slot * v["model_stride"]
        out[row + C.toughness] = share(models[k]["toughness"], 14.0)
        out[row + C.save] = quality(models[k]["save"])
        out[row + C.invulnerable] = quality(models[k]["invulnerable"])
        out[row + C.ranged] = share(ratings[k, RANGED], 20.0)
        out[row + C.melee] = share(ratings[k, MELEE], 20.0)
        out[row + C.reach] = share(ratings[k, REACH], 48.0)
        out[row + C.character] = 1.0 if int(models[k]["keywords"]) & int(Keyword.CHARACTER.value) else 0.0
        out[row + C.allocated] = float(int(models[k]["allocated"]) & ALLOCATED)
        fill_gone(models[k], origin[k], turned, 24.0, row + C.gone_x, out)


@inner_kernel
def _fill_relations(
    models: Array, units: Array, first: int, enemy_first: int, rules: Array, rated: Rated, view: Array, out: Array
) -> None:  # fmt: skip
    """Write the columns of pairs of units, own ones from row ``first`` and enemy ones from row ``enemy_first`` on."""
    v = view[0]
    distances = v["distances"]
    damage, melee, kinds, kits, profiles = rated.damage, rated.melee, rated.kinds, rated.kits, rated.profiles
    near, sides, groups = rated.near, rated.sides, rated.groups
    R = RELATION_AT
    if v["own_from"] < v["own_to"]:
        for j in range(v["enemy_from"], v["enemy_to"]):
            muster(models, units, rules, kinds, enemy_first + j, sides, groups)
    for i in range(v["own_from"], v["own_to"]):
        a = first + i
        muster(models, units, rules, kinds, a, sides, groups)
        for j in range(v["enemy_from"], v["enemy_to"]):
            if distances[i, j] < 0.0:
                continue
            e = enemy_first + j
            away = distances[i, j]
            cell = v["relations"] + (i - v["own_from"]) * v["own_stride"] + (j - v["enemy_from"]) * v["enemy_stride"]
            for side in range(2):
                one = a if side == 0 else e
                two = e if side == 0 else a
                ranged, blows, reach = expected_losses(damage, melee, kits, profiles, sides, groups, one, two, away)
                out[cell + R.in_range + side] = 1.0 if reach else 0.0
                out[cell + R.ranged + side] = ranged
                out[cell + R.melee + side] = blows
            out[cell + R.charge] = charge_chance(away, near)
            out[cell + R.engaged] = 1.0 if away <= near[ENGAGED] + EPS else 0.0


class Observed(NamedTuple):
    """The tables that observations read, in one piece, as a battle keeps it: ``g.observed``."""

    models: Array
    units: Array
    players: Array
    clock: Array
    origin: Array
    jobs: Array
    charge_targets: Array


@kernel
def fill(tables: Observed, rated: Rated, rules: Array, seat: int, view: Array, out: Array) -> None:
    """Write the columns of the editions for the seat; ``view``: see ``core.features.VIEW``."""
    models, units, players, clock, origin, jobs, named = tables
    v = view[0]
    nearest = v["nearest"]
    at = v["globals"]
    me = players[seat]
    other = players[1 - seat]
    out[at + GLOBAL_AT.own_cp] = share(me["cp"], 20.0)
    out[at + GLOBAL_AT.enemy_cp] = share(other["cp"], 20.0)
    out[at + GLOBAL_AT.own_vp_turn] = share(me["vp_turn"], 20.0)
    out[at + GLOBAL_AT.enemy_vp_turn] = share(other["vp_turn"], 20.0)
    _fill_used(me, rated.once[seat], at + GLOBAL_AT.own_stratagem_0, at + GLOBAL_AT.own_once_0, out)
    _fill_used(other, rated.once[1 - seat], at + GLOBAL_AT.enemy_stratagem_0, at + GLOBAL_AT.enemy_once_0, out)
    _fill_markers(me, other, view, out)
    _fill_declared(jobs, rated.means, me, other, v, out)
    for turn in range(2):
        side = other if turn == 1 else me
        for slot in range(min(UNITS, side["units"])):
            row = (v["enemy"] if turn == 1 else v["own"]) + slot * v["unit_stride"]
            u = side["first_unit"] + slot
            fill_unit(models, units, named, rated, u, nearest[turn * UNITS + slot], row, out)
    _fill_models(models, origin, clock[0]["attacker"] != seat, rated.ratings, view, out)
    _fill_relations(models, units, me["first_unit"], other["first_unit"], rules, rated, view, out)


# ---------------------------------------------------------------- for the core


class EditionFeatures(Features):
    """Fields of an edition."""

    fields = MappingProxyType(
        {
            "globals": GLOBALS,
            "decision": DECISION,
            "units": UNIT,
            "models": MODEL,
            "markers": MARKER,
            "options": OPTION,
            "relations": RELATION,
            "terrain": TERRAIN,
        }
    )
    notes = (
        (
            "`ranged`, `melee` and their reverse",
            "Expected wounds by the exact chances of each step (attacks, hits, wounds, saves, damage, Feel No Pain, "
            "and the abilities of the weapon that bear on them) against the model that takes the next attack, added "
            "up over the models alive and divided by the wounds the target has left. At the distance of the closest "
            "models: weapons that do not reach do not count, half range does. Each model fires the better profile of "
            "each weapon, Pistols only if nothing else reaches, and fights with its best weapon and its Extra "
            "Attacks. Not counted: sight, cover, moving or charging, effects until the end of a phase, who is near "
            "enough to fight, damage that is wasted on hurt models.",
        ),
        (
            "`charge`",
            "Exact for the dice of the Charge roll and the distance; "
            "what stands in the way and who may charge is not asked.",
        ),
    )

    def prepare(self, setup: Setup) -> DamageTables:
        return damage_tables(setup)

    def fill(self, g: BattleCore, seat: int, tables: DamageTables, view: Array, out: Array) -> None:
        arguments = (g.observed, tables.rated, g.setup.statics["attack_rules"], seat, view, out)
        if tables.write is None:
            tables.write = compiled_for(fill, arguments)
        tables.write(*arguments)

    def decision(self, g: BattleCore, pending: Pending) -> dict[str, float]:
        return decision_values(g, pending)

    def option(self, g: BattleCore, tables: DamageTables, what: Any) -> dict[str, float]:
        return option_values(tables.rated.marks, what)

    def pieces(self, g: BattleCore) -> tuple[Array, Array, Array] | None:
        """The terrain where the players have put it, while they are still placing it; else None."""
        if not len(g.sites.placed) or settled(g):
            return None
        pieces: tuple[Array, Array, Array] = g.setup.statics["pieces"]
        return laid_out(*pieces, poses(g))

    def division(self, g: BattleCore) -> int:
        return edition(g).division(g)

    def planes(self, setup: Setup, division: int, features: Array, corners: Array, x: Array, y: Array) -> Array:
        zones = setup.statics["divisions"][division].zones
        cover = np.zeros(len(x), np.bool_)
        for feature in features:
            if int(feature["traits"]) & COVER:
                cover |= inside(corners[feature["first"] : feature["first"] + feature["count"]], x, y)
        return np.stack([inside(zones[0], x, y), inside(zones[1], x, y), cover])


def inside(polygon: Array, x: Array, y: Array) -> Array:
    """(points,) bool: whether each point lies in a convex polygon (corners counter-clockwise) or on its edge."""
    within = np.ones(len(x), np.bool_)
    for (ax, ay), (bx, by) in zip(np.roll(polygon, 1, axis=0), polygon, strict=True):
        within &= (bx - ax) * (y - ay) - (by - ay) * (x - ax) >= -1e-6
    return within


# ---------------------------------------------------------------- secrets


def secrets(g: BattleCore, seat: int) -> tuple[Hidden, ...]:
    """What is hidden from the seat: the other seat's battle formations until both players have finished
    (mission.formations.secret), and its pending decision on them.
    """
    if g.clock.round[0] or g.setup.rules["formations"] == "lists" or all(g.players.ready):
        return ()
    first, last = g.players.first_unit[1 - seat], g.players.first_unit[1 - seat] + g.players.units[1 - seat]
    hidden = [Hidden("units", (), first, last)]
    if len(g.hulls):
        hidden.append(Hidden("hulls", (), first, last))
    if last > first:
        mustered = g.setup.layout.view(g.setup.template, "units")[
            first:last
        ]  # from the template, so that nothing secret is read here
        end = int((mustered["first"] + mustered["count"]).max())
        hidden.append(Hidden("models", (), int(mustered["first"].min()), end))
    if g.clock.player[0] != seat:
        hidden.append(Hidden("clock", ("asking", "kind", "subject"), 0, 1))
    return tuple(hidden)
