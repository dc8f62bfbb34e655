"""Where each number of an observation stands: parts, their shapes and their fields.

The sizes are the same for every battle, army and ruleset, so that one network fits all. Each part has the core's fields
first, then room for those of the ruleset (``Ruleset.features``); room that a ruleset does not use stays 0. The vector
consists of its parts one after another.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wh_env.content.games import game_named
from wh_env.core.features import MARKERS, MODELS, UNITS, Field, columns
from wh_env.core.procedures import Ruleset
from wh_env.core.tables import Array

OPTIONS = 49  # rows for what options mean: what the decision is about, then the slots for options and for numbers
KINDS, PHASES = 128, 8  # kinds of decision, phases of a turn
COLUMNS, ROWS = 24, 16  # cells of the terrain planes, along the length and the width of the table
POOL = 2  # cells of the terrain planes that are averaged for the vector, each way
SAMPLES = 4  # points of a cell that are examined, each way

# how many fields a ruleset may add to each part
ROOM = {
    "globals": 160,
    "decision": 24,
    "units": 156,
    "models": 10,
    "markers": 3,
    "options": 43,
    "relations": 15,
    "terrain": 10,
}

FAR = 48.0  # inches; lengths are divided by it
INCH = {"in": 1.0, "cm": 2.54}  # the length of an inch in a ruleset's unit of length
LENGTH = "in / 48"
SIGNED = {"low": -1.0, "high": 1.0}

# ---------------------------------------------------------------- the core's fields

GLOBALS = (
    Field("round", "battle round", "of the battle's rounds"),
    Field("own_turn", "it is the own turn; 0 for both before the first turn"),
    Field("first_player", "the own turn comes first in each round; 0 for both before the first turn"),
    Field("attacker", "the seat is the Attacker (until that is settled: player 0)"),
    Field("own_vp", "own victory points", "VP / 100"),
    Field("enemy_vp", "the other seat's victory points", "VP / 100"),
    Field("vp_lead", "own victory points less the other's", "VP / 20", **SIGNED),
    Field("step", "step of the phase, as the ruleset counts", "/ 8"),
    Field("own_markers", "objective markers that the seat controls", "/ 8"),
    Field("enemy_markers", "objective markers that the other seat controls", "/ 8"),
    Field("length", "of the table, along x", "in / 120"),
    Field("width", "of the table, along y", "in / 120"),
    Field("own_left", "wounds left in the own army, each weighed with the points of its unit", "share"),
    Field("enemy_left", "the same of the other army", "share"),
    *(Field(f"phase_{n}", f"the phase is number {n} of the ruleset's") for n in range(PHASES)),
)
DECISION = (
    Field("waiting", "a decision waits, of either seat"),
    Field("asked", "it is the seat's to make"),
    Field("own_subject", "it is about an own unit"),
    Field("enemy_subject", "it is about an enemy unit"),
    Field("cells", "places are asked for: cells of the action space lie over the region below"),
    Field("moves", "the cells are displacements of the whole subject: its middle (x, y) goes to the chosen one"),
    Field("x", "middle of the region", "half table length", **SIGNED),
    Field("y", "middle of the region", "half table width", **SIGNED),
    Field("span_x", "half the region's extent in x, between the centres of the outermost cells", LENGTH),
    Field("span_y", "half the region's extent in y, between the centres of the outermost cells", LENGTH),
    *(Field(f"kind_{n}", f"its kind is number {n} of the ruleset's") for n in range(KINDS)),
)
UNIT = (
    Field("there", "the slot has a unit"),
    Field("deploying", "waits to be set up"),
    Field("on_table", "stands on the table"),
    Field("in_reserve", "in Reserves"),
    Field("embarked", "in a TRANSPORT"),
    Field("destroyed", "destroyed"),
    Field("attached", "attached to another unit, in whose row its models count"),
    Field("x", "mean of its models' places, from the middle of the table", "half table length", **SIGNED),
    Field("y", "mean of its models' places, from the middle of the table", "half table width", **SIGNED),
    Field("z", "height of the surface on which its highest model stands", "in / 12"),
    Field("spread", "farthest model from their mean place", "in / 12"),
    Field("facing_x", "cosine of the facing of its first model", "cosine", **SIGNED),
    Field("facing_y", "sine of the facing of its first model", "sine", **SIGNED),
    Field("models", "models left", "/ 20"),
    Field("strength", "models left of its Starting Strength", "share"),
    Field("wounds_left", "wounds left of those it started with", "share"),
    Field("wounds", "wounds left", "/ 40"),
    Field("wounds_each", "Wounds of its first model", "/ 24"),
    Field("move", "Move of its first model", "in / 24"),
    Field("base", "radius of the circle round the base of its first model", "in / 5"),
    Field("height", "height of its first model", "in / 10"),
    Field("points", "points of the unit", "/ 400"),
    Field("capacity", "models that it can carry", "/ 20"),
    Field("led", "a Leader is attached to it"),
    Field("leads", "it is attached to another unit"),
    Field("carried", "embarked, in the unit of slot `host`"),
    Field("host", "slot of the unit that carries it, or will, or that it leads, plus 1; 0: none", "/ 32"),
    Field("nearest_enemy", "distance of the closest enemy unit, 1 where there is none", LENGTH),
    Field(
        "nearest_marker", "horizontal distance of its closest model to the edge of an objective marker, 1: none", LENGTH
    ),
    Field("subject", "the waiting decision is about it"),
    Field("mean_facing_x", "mean of the cosines of its models' facings", "cosine", **SIGNED),
    Field("mean_facing_y", "mean of the sines of its models' facings", "sine", **SIGNED),
)
MODEL = (
    Field("there", "the slot has a model"),
    Field("x", "from the middle of the table; 0 while it is not on it", "half table length", **SIGNED),
    Field("y", "from the middle of the table; 0 while it is not on it", "half table width", **SIGNED),
    Field("z", "height of the surface on which it stands", "in / 12"),
    Field("facing_x", "cosine of its facing", "cosine", **SIGNED),
    Field("facing_y", "sine of its facing", "sine", **SIGNED),
    Field("wounds_left", "wounds left of those it started with", "share"),
    Field("wounds_each", "its Wounds", "/ 24"),
    Field("base", "radius of the circle round its base", "in / 5"),
    Field("height", "its height", "in / 10"),
    Field("moved", "it was moved in the current move of its unit"),
    Field("asked", "the decision is about this model"),
)
RELATION = (
    Field("there", "both units stand on the table; else the whole row is 0"),
    Field("distance", "between their closest models, in a straight line", LENGTH),
)
MARKER = (
    Field("there", "an objective marker has been placed"),
    Field("x", "from the middle of the table", "half table length", **SIGNED),
    Field("y", "from the middle of the table", "half table width", **SIGNED),
    Field("z", "height of the surface on which it lies", "in / 12"),
    Field("radius", "of the marker", "in / 5"),
    Field("own", "the seat controls it"),
    Field("enemy", "the other seat controls it"),
    Field("own_level", "own Level of Control when it was last determined", "/ 20"),
    Field("enemy_level", "the other seat's Level of Control then", "/ 20"),
    Field("own_distance", "horizontal distance of the closest own model to its edge, 1: nobody", LENGTH),
    Field("enemy_distance", "horizontal distance of the closest enemy model to its edge, 1: nobody", LENGTH),
)
OPTION = (Field("there", "the row describes something; rows of options that mean the same in every battle stay empty"),)
PLANES = (
    Field("height", "top of the highest solid piece, mean over the cell", "in / 12"),
    Field("solid", "part of the cell where something solid stands on the ground", "share"),
    Field("screen", "part of the cell in footprints that sight through or over them is limited by", "share"),
    Field("surface", "part of the cell with a raised surface that models may stand on", "share"),
    Field("feature", "part of the cell that terrain features cover", "share"),
)

OWN_FIELDS = {
    "globals": GLOBALS,
    "decision": DECISION,
    "units": UNIT,
    "models": MODEL,
    "markers": MARKER,
    "options": OPTION,
    "relations": RELATION,
    "terrain": PLANES,
}
GLOBAL_AT, DECISION_AT, UNIT_AT = columns(GLOBALS), columns(DECISION), columns(UNIT)
MODEL_AT, RELATION_AT, MARKER_AT, PLANE_AT = columns(MODEL), columns(RELATION), columns(MARKER), columns(PLANES)
OPTION_AT = columns(OPTION)
# numbers in a row, with the ruleset's room
WIDTH = {name: len(fields) + ROOM[name] for name, fields in OWN_FIELDS.items()}

# ---------------------------------------------------------------- parts


@dataclass(frozen=True)
class Part:
    """One array of the observation.

    Attributes:
        name: its key in the Dict of ``entities``.
        shape: its shape there. axes: what each axis counts.
        fields: name of its group of fields. The axis of the fields is the last one; for ``terrain``, the first.
        meaning: in words.
        start: where it begins in the vector, -1: it is not part of the vector. vector_shape: its shape there.
    """

    name: str
    shape: tuple[int, ...]
    axes: tuple[str, ...]
    fields: str
    meaning: str
    start: int = -1
    vector_shape: tuple[int, ...] = ()

    @property
    def stop(self) -> int:
        """The index after its last number in the vector."""
        return self.start + int(np.prod(self.vector_shape))


SLOTS, PAIRS = ("slot", "field"), ("own slot", "enemy slot")
_SUBJECT = (
    "the row of `relations` of the decision's subject: if that is an own unit, row i is enemy slot i, if it is an "
    "enemy unit, row i is own slot i; zeros without a subject"
)
_PLANES = f"planes over the table, columns along x, rows along y; in the vector averaged over {POOL} x {POOL} cells"
_MARKERS = "objective markers, from left to right"
_OPTIONS = (
    "what options mean that are data, such as abilities and spells: row 0 is what the decision is about, row 1 + i is "
    "slot i of `option`, row 17 + i is slot i of `number`"
)
_RELATIONS = "own units x enemy units"
_MODELS = "models of the decision's subject; row i is slot i of `model`"
_SIGHT = "1: some model of the one unit seems to see one of the other (an estimate, see below)"


def _parts() -> dict[str, Part]:
    """The parts by name, in the order of the vector."""
    wide = WIDTH
    pooled = (wide["terrain"], ROWS // POOL, COLUMNS // POOL)
    listed = (
        # name, shape, axes, group of fields, in the vector, meaning
        ("globals", (wide["globals"],), ("field",), "globals", True, "the battle as a whole"),
        ("decision", (wide["decision"],), ("field",), "decision", True, "the waiting decision"),
        ("own", (UNITS, wide["units"]), SLOTS, "units", True, "own units; row i is slot i of `own unit`"),
        ("enemy", (UNITS, wide["units"]), SLOTS, "units", True, "enemy units; row i is slot i of `enemy unit`"),
        ("subject", (UNITS, wide["relations"]), SLOTS, "relations", True, _SUBJECT),
        ("markers", (MARKERS, wide["markers"]), ("marker", "field"), "markers", True, _MARKERS),
        ("models", (MODELS, wide["models"]), SLOTS, "models", True, _MODELS),
        ("options", (OPTIONS, wide["options"]), SLOTS, "options", True, _OPTIONS),
        ("terrain", (wide["terrain"], ROWS, COLUMNS), ("field", "row", "column"), "terrain", True, _PLANES),
        ("relations", (UNITS, UNITS, wide["relations"]), (*PAIRS, "field"), "relations", False, _RELATIONS),
        ("sight", (UNITS, UNITS), PAIRS, "", False, _SIGHT),
    )
    parts, at = {}, 0
    for name, shape, axes, fields, in_vector, meaning in listed:
        flat = pooled if name == "terrain" else shape
        parts[name] = Part(name, shape, axes, fields, meaning, *((at, flat) if in_vector else (-1, ())))
        at += int(np.prod(flat)) if in_vector else 0
    return parts


PARTS = _parts()
SIZE = max(part.stop for part in PARTS.values())  # numbers in the vector


def fields_of(ruleset: Ruleset, group: str) -> tuple[Field, ...]:
    """The fields of a group under a ruleset, first the core's. The rest of the ruleset's room has no fields."""
    return (*OWN_FIELDS[group], *ruleset.features.fields.get(group, ()))


def column_of(ruleset: Ruleset | str, part: str, name: str) -> int:
    """The column of a field in a part (for ``terrain`` the plane) under a ruleset or the ruleset of an id.

    Raises:
        ContentError: there is no ruleset with this id.
        KeyError: the part has no such field under this ruleset.
    """
    if isinstance(ruleset, str):
        ruleset = game_named(ruleset).ruleset
    for number, field in enumerate(fields_of(ruleset, PARTS[part].fields)):
        if field.name == name:
            return number
    raise KeyError(f"{name!r} is no field of {part!r} under {ruleset.id or type(ruleset).__name__}")


def split(vector: Array) -> dict[str, Array]:
    """The parts of a vector by name, as views; ``vector`` may have leading axes of a batch."""
    lead = vector.shape[:-1]
    return {
        part.name: vector[..., part.start : part.stop].reshape(*lead, *part.vector_shape)
        for part in PARTS.values()
        if part.start >= 0
    }


def check_room(ruleset: Ruleset) -> None:
    """Check that the fields of a ruleset fit into the observation.

    Raises:
        ValueError: an unknown group, too many fields or kinds of decision, two fields with one name, or a range outside
            -1 to 1.
    """
    if len(ruleset.kinds) > KINDS:
        raise ValueError(f"{ruleset.id}: {len(ruleset.kinds)} kinds of decision; the observation has room for {KINDS}")
    for group, fields in ruleset.features.fields.items():
        if group not in ROOM:
            raise ValueError(f"{ruleset.id}: fields of {group!r}; expected one of {', '.join(ROOM)}")
        if len(fields) > ROOM[group]:
            raise ValueError(
                f"{ruleset.id}: {len(fields)} fields of {group!r}; the observation has room for {ROOM[group]}"
            )
        columns(fields_of(ruleset, group))
        for field in fields:
            if not -1.0 <= field.low < field.high <= 1.0:
                raise ValueError(
                    f"{ruleset.id}: {group}.{field.name}: range {field.low}..{field.high}; expected within -1..1"
                )
