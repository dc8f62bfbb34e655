"""The observation: one float32 vector in -1..1, the same for every ruleset and both seats.

``globals · own units [UNITS x UNIT_FEATURES] · enemy units · markers [MARKERS x MARKER_FEATURES]``, where row *i* of a unit table
is slot *i* of the matching segment of the action space (markers have no slots: they are ordered from left to right). Places are measured from the middle of the table, seen from the
seat's own side (see ``wh_env.envs.spaces``). What the other seat has not revealed yet (its battle formations, until both
players are ready) is not shown.
"""

from __future__ import annotations

from math import cos, hypot, sin
from typing import Any

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array

UNITS, MARKERS, KINDS, PHASES = 32, 8, 128, 8

GLOBAL_NAMES = (
    "round", "own turn", "asked", "own cp", "enemy cp", "own vp", "enemy vp", "vp lead", "step", "attacker", "first player",
    "own markers", "enemy markers", "table length", "table width", "subject is own",
    *(f"phase {n}" for n in range(PHASES)),
    *(f"decision {n}" for n in range(KINDS)),
)  # fmt: skip
UNIT_NAMES = (
    "there", "deploying", "on table", "in reserve", "embarked", "destroyed", "attached",
    "x", "y", "z", "spread", "facing x", "facing y",
    "models", "strength left", "wounds left", "wounds", "toughness", "save", "invulnerable", "feel no pain", "move",
    "leadership", "control", "wounds each", "base", "points",
    "not moved", "moved 1", "moved 2", "moved 3", "moved 4", "advance", "shocked", "charged", "can charge", "fought",
    "fights first", "arrived", "disembarked", "effects",
    "selected 0", "selected 1", "selected 2", "selected 3", "selected 4", "selected 5",
    "led", "leads", "carried", "kind of reserve", "ranged", "reach", "melee", "subject", "named",
    *(f"keyword {n}" for n in range(16)),
)  # fmt: skip
MARKER_NAMES = ("placed", "x", "y", "own", "enemy", "own level", "enemy level", "radius")

GLOBALS, UNIT_FEATURES, MARKER_FEATURES = len(GLOBAL_NAMES), len(UNIT_NAMES), len(MARKER_NAMES)
OWN = GLOBALS
ENEMY = OWN + UNITS * UNIT_FEATURES
MARKER = ENEMY + UNITS * UNIT_FEATURES
SIZE = MARKER + MARKERS * MARKER_FEATURES

_PHASE = GLOBAL_NAMES.index("phase 0")
_KIND = GLOBAL_NAMES.index("decision 0")


@kernel
def fill_units(
    models: Array, units: Array, ratings: Array, named: Array, at: int, first: int, count: int, subject: int,
    hidden: bool, turn: float, half_length: float, half_width: float, out: Array,
) -> None:  # fmt: skip
    """Write the rows of one side's units from ``out[at]`` on."""
    for slot in range(min(count, UNITS)):
        u = first + slot
        row = at + slot * UNIT_FEATURES
        unit = units[u]
        place = 0 if hidden else unit["place"]
        out[row] = 1.0
        out[row + 1 + place] = 1.0
        led = -1 if hidden else unit["leader"]
        here = 0
        alive = 0
        wounds = 0
        full = 0
        control = 0
        sx = 0.0
        sy = 0.0
        ranged = 0.0
        melee = 0.0
        reach = 0.0
        some = -1
        for part in range(2):
            source = u if part == 0 else led
            if source < 0:
                break
            for k in range(units[source]["first"], units[source]["first"] + units[source]["count"]):
                m = models[k]
                full += m["max_wounds"]
                if m["alive"] == 0 or (m["unit"] != u and not hidden):
                    continue
                if some < 0:
                    some = k
                alive += 1
                wounds += m["wounds"]
                control += m["control"]
                ranged += ratings[k, 0]
                melee += ratings[k, 1]
                reach = max(reach, ratings[k, 2])
                if m["on_table"] != 0:
                    here += 1
                    sx += m["x"]
                    sy += m["y"]
        out[row + 47] = 1.0 if led >= 0 else 0.0
        out[row + 48] = 1.0 if not hidden and unit["bodyguard"] >= 0 else 0.0
        out[row + 49] = 1.0 if unit["carrier"] >= 0 and place == 3 else 0.0
        out[row + 50] = 0.0 if hidden else min(1.0, unit["reserve"] / 4.0)
        out[row + 54] = 1.0 if subject == u else 0.0
        out[row + 55] = 1.0 if named[u] != 0 else 0.0
        out[row + 26] = min(1.0, unit["points"] / 400.0)
        keywords = unit["keywords"]
        if hidden:
            # an attached Leader's keywords are the unit's: take those of its own models
            for k in range(unit["first"], unit["first"] + unit["count"]):
                keywords = models[k]["keywords"] if k == unit["first"] else keywords | models[k]["keywords"]
        for bit in range(16):
            if keywords >> np.uint64(bit) & np.uint64(1) != 0:
                out[row + 56 + bit] = 1.0
        if some < 0:
            continue
        m = models[some]
        if here > 0:
            x = sx / here
            y = sy / here
            spread = 0.0
            height = 0.0
            for part in range(2):
                source = u if part == 0 else led
                if source < 0:
                    break
                for k in range(units[source]["first"], units[source]["first"] + units[source]["count"]):
                    if models[k]["on_table"] != 0 and models[k]["unit"] == u:
                        spread = max(spread, hypot(models[k]["x"] - x, models[k]["y"] - y))
                        height = max(height, models[k]["z"])
            out[row + 7] = turn * (x - half_length) / half_length
            out[row + 8] = turn * (y - half_width) / half_width
            out[row + 9] = min(1.0, height / 12.0)
            out[row + 10] = min(1.0, spread / 12.0)
            out[row + 11] = turn * cos(m["facing"])
            out[row + 12] = turn * sin(m["facing"])
        strength = unit["own_strength"] if hidden else unit["strength"]
        out[row + 13] = min(1.0, alive / 20.0)
        out[row + 14] = min(1.0, alive / max(1, strength))
        out[row + 15] = wounds / max(1, full)
        out[row + 16] = min(1.0, wounds / 40.0)
        out[row + 17] = min(1.0, m["toughness"] / 14.0)
        out[row + 18] = (7 - m["save"]) / 6.0 if m["save"] > 0 else 0.0
        out[row + 19] = (7 - m["invulnerable"]) / 6.0 if m["invulnerable"] > 0 else 0.0
        out[row + 20] = (7 - m["feel_no_pain"]) / 6.0 if m["feel_no_pain"] > 0 else 0.0
        out[row + 21] = min(1.0, m["move"] / 24.0)
        out[row + 22] = m["leadership"] / 12.0
        out[row + 23] = min(1.0, control / 20.0)
        out[row + 24] = min(1.0, m["max_wounds"] / 24.0)
        out[row + 25] = min(1.0, m["radius"] / 5.0)
        if unit["moved"] < 5:
            out[row + 27 + unit["moved"]] = 1.0
        out[row + 32] = min(1.0, unit["advance"] / 6.0)
        out[row + 33] = 1.0 if unit["shocked"] != 0 else 0.0
        out[row + 34] = 1.0 if unit["charged"] != 0 else 0.0
        out[row + 35] = 1.0 if unit["can_charge"] != 0 else 0.0
        out[row + 36] = 1.0 if unit["fought"] != 0 else 0.0
        out[row + 37] = 1.0 if unit["fights_first"] != 0 else 0.0
        out[row + 38] = 1.0 if unit["arrived"] != 0 else 0.0
        out[row + 39] = min(1.0, unit["disembarked"] / 3.0)
        out[row + 40] = 1.0 if unit["cover"] != 0 else 0.0
        for bit in range(6):
            out[row + 41 + bit] = float(unit["selected"] >> bit & 1)
        out[row + 51] = min(1.0, ranged / 20.0)
        out[row + 52] = min(1.0, reach / 48.0)
        out[row + 53] = min(1.0, melee / 20.0)


@kernel
def fill_vector(
    models: Array, units: Array, players: Array, clock: Array, objectives: Array, ratings: Array, named: Array,
    seat: int, secret: bool, rounds: int, length: float, width: float, kind_at: int, phase_at: int,
    own_at: int, enemy_at: int, marker_at: int, out: Array,
) -> None:  # fmt: skip
    """Write the whole observation of ``seat``."""
    out[:] = 0.0
    c = clock[0]
    me = players[seat]
    other = players[1 - seat]
    turn = 1.0 if c["attacker"] == seat else -1.0
    subject = c["subject"] if c["asking"] != 0 else -1
    out[0] = min(1.0, c["round"] / max(1, rounds))
    begun = c["round"] > 0  # before the first turn nobody's turn it is, and the columns stand at player 0
    out[1] = 1.0 if begun and c["turn"] == seat else 0.0
    out[2] = 1.0 if c["asking"] != 0 and c["player"] == seat else 0.0
    out[3] = min(1.0, me["cp"] / 20.0)
    out[4] = min(1.0, other["cp"] / 20.0)
    out[5] = min(1.0, me["vp"] / 50.0)
    out[6] = min(1.0, other["vp"] / 50.0)
    out[7] = max(-1.0, min(1.0, (me["vp"] - other["vp"]) / 20.0))
    out[8] = min(1.0, c["step"] / 8.0)
    out[9] = 1.0 if c["attacker"] == seat else 0.0
    out[10] = 1.0 if begun and c["first_player"] == seat else 0.0
    out[13] = min(1.0, length / 120.0)
    out[14] = min(1.0, width / 120.0)
    out[15] = 1.0 if subject >= 0 and units[subject]["owner"] == seat else 0.0
    if c["phase"] < PHASES:
        out[phase_at + c["phase"]] = 1.0
    if c["asking"] != 0 and c["kind"] < KINDS:
        out[kind_at + c["kind"]] = 1.0
    half_length = 0.5 * length
    half_width = 0.5 * width
    fill_units(
        models, units, ratings, named, own_at, me["first_unit"], me["units"], subject,
        False, turn, half_length, half_width, out,
    )  # fmt: skip
    hidden = secret and c["round"] == 0 and (me["ready"] == 0 or other["ready"] == 0)
    fill_units(
        models, units, ratings, named, enemy_at, other["first_unit"], other["units"], -1 if hidden else subject,
        hidden, turn, half_length, half_width, out,
    )  # fmt: skip
    mine = 0
    theirs = 0
    for o in range(min(MARKERS, len(objectives))):
        if objectives[o]["placed"] == 0:
            continue
        # rows are ordered as the seat sees the markers, from its left to its right, so that both seats count alike
        rank = 0
        for other_marker in range(min(MARKERS, len(objectives))):
            if objectives[other_marker]["placed"] == 0 or other_marker == o:
                continue
            ahead = turn * (objectives[o]["x"] - objectives[other_marker]["x"])
            if abs(ahead) < 1e-6:
                ahead = turn * (objectives[o]["y"] - objectives[other_marker]["y"])
            if ahead > 0.0:
                rank += 1
        row = marker_at + MARKER_FEATURES * rank
        holder = objectives[o]["holder"]
        levels0 = objectives[o]["level0"]
        levels1 = objectives[o]["level1"]
        out[row] = 1.0
        out[row + 1] = turn * (objectives[o]["x"] - half_length) / half_length
        out[row + 2] = turn * (objectives[o]["y"] - half_width) / half_width
        out[row + 3] = 1.0 if holder == seat else 0.0
        out[row + 4] = 1.0 if holder == 1 - seat else 0.0
        out[row + 5] = min(1.0, (levels0 if seat == 0 else levels1) / 20.0)
        out[row + 6] = min(1.0, (levels1 if seat == 0 else levels0) / 20.0)
        out[row + 7] = min(1.0, objectives[o]["radius"] / 5.0)
        if holder == seat:
            mine += 1
        elif holder == 1 - seat:
            theirs += 1
    out[11] = min(1.0, mine / 8.0)
    out[12] = min(1.0, theirs / 8.0)


def weapon_ratings(setup: Any) -> Array:
    """What each model's weapons do on average to a Toughness 4 model with a 3+ save: shooting, in melee, and their reach.

    A rough measure of what it is for; zeros for rulesets without such weapons.
    """
    statics = setup.statics
    models = setup.layout.view(setup.template, "models")
    ratings = np.zeros((len(models), 3))
    if "arsenal" not in statics or "weapons" not in statics:
        return ratings
    weapons = statics["weapons"]
    for k, model in enumerate(models):
        for entry in statics["arsenal"][model["first_weapon"] : model["first_weapon"] + model["weapons"]]:
            w = weapons[entry["weapon"]]
            attacks = w["attacks_dice"] * (w["attacks_sides"] + 1) / 2 + w["attacks_plus"]
            damage = w["damage_dice"] * (w["damage_sides"] + 1) / 2 + w["damage_plus"]
            hit = (7 - w["skill"]) / 6 if w["skill"] else 1.0
            needed = (
                2
                if w["strength"] >= 8
                else 3
                if w["strength"] > 4
                else 4
                if w["strength"] == 4
                else 5
                if w["strength"] > 2
                else 6
            )
            lost = attacks * hit * (7 - needed) / 6 * min(6, max(1, 2 - w["ap"])) / 6 * damage
            if w["melee"]:
                ratings[k, 1] = max(ratings[k, 1], lost)
            elif w["profile_of"] == 0:
                ratings[k, 0] += lost
                ratings[k, 2] = max(ratings[k, 2], w["range"])
    return ratings


class Observer:
    """Writes observations of the battles of one setup into a buffer that is made once."""

    def __init__(self, setup: Any) -> None:
        if len(setup.ruleset.kinds) > KINDS:
            raise ValueError(f"{len(setup.ruleset.kinds)} kinds of decisions; the observation has room for {KINDS}")
        self.setup = setup
        self.out: Array = np.zeros(SIZE, np.float32)
        self._ratings = weapon_ratings(setup)
        self._secret = setup.rules.get("formations", "lists") != "lists"
        self._rounds = int(setup.rules.get("rounds", 5))
        self._nothing = np.zeros(len(setup.layout.view(setup.template, "units")), np.int32)
        self._named = "charge_targets_array" if "charge_targets" in setup.layout.offsets else ""

    def write(self, battle: BattleCore, seat: int, out: Array) -> None:
        """Write the observation of ``seat`` into ``out`` (float32, ``SIZE``)."""
        named = getattr(battle, self._named) if self._named else self._nothing
        fill_vector(
            battle.models.rows, battle.units.rows, battle.players.rows, battle.clock.rows, battle.objectives.rows,
            self._ratings, named, seat, self._secret, self._rounds, self.setup.length, self.setup.width,
            _KIND, _PHASE, OWN, ENEMY, MARKER, out,
        )  # fmt: skip

    def observe(self, battle: BattleCore, seat: int) -> Array:
        """The observation of ``seat`` in the buffer, valid until the next call."""
        self.write(battle, seat, self.out)
        return self.out
