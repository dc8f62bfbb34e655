"""Numbers and switches of battles that a call may override (``Battle.load(..., rules=...)``), and their checks."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Annotated, Any, Literal, cast

from pydantic import AfterValidator, Field, ValidationInfo, field_validator

from wh_env.content.errors import ContentError, Expected, together, unknown
from wh_env.content.fields import Content, Few, Name
from wh_env.content.load import validate
from wh_env.content.plain import plain
from wh_env.content.w40k.schema import FeatureKind
from wh_env.rulesets.w40k.attack.die_windows import WINDOWS
from wh_env.rulesets.w40k.attack.modifiers import EFFECTS
from wh_env.rulesets.w40k.attack.rerolls import DiceRoll
from wh_env.rulesets.w40k.edition import Edition
from wh_env.rulesets.w40k.edition_parts.stratagem_book import MODES

CHOICES = {
    "detail": ("full", "squad"),
    "formations": ("choose", "lists"),
    "markers": ("layout", "players"),
    "terrain": ("layout", "players"),
}
# least and most of each number; larger numbers make no difference in play
RANGES: dict[str, tuple[float, float]] = {
    "attacker": (-1, 1),
    "first_player": (-1, 1),
    "rounds": (1, 20),
    "cp_each_command_phase": (0, 100),
    "extra_cp_each_round": (0, 100),
    "first_scoring_round": (1, 100),
    "vp_each_marker": (0, 1000),
    "max_vp_each_turn": (0, 1000),
    "vp_each_unit_destroyed": (0, 1000),
    "marker_range": (0, 100),
    "marker_vertical": (0, 100),
    "marker_from_edge": (0, 100),
    "marker_from_marker": (0, 100),
    "strategic_reserves_points": (0, 100_000),
    "vp_more_markers": (0, 1000),
    "vp_warlord": (0, 1000),
    "vp_each_condition": (0, 1000),
    "vp_each_quarter": (0, 1000),
    "vp_each_standing": (0, 1000),
    "strategic_reserves_from_round": (0, 100),
    "reinforcements_from_round": (0, 100),
    "reserves_lost_after": (0, 100),
}
WORDS = {
    int: "a whole number",
    float: "a number",
    str: "text",
    tuple: "a list",
    MappingProxyType: "a mapping",
    bool: "true or false",
}
MOST_ROWS = 64  # of one list
MOST_UNITS = 1000

Player = Annotated[int, Field(strict=True, ge=0, le=1)]


def rolls_of(edition: Edition) -> tuple[str, ...]:
    """Names of the dice rolls that may be re-rolled."""
    named = sorted(r.name for r in edition.procedures if isinstance(r, DiceRoll) and hasattr(r, "name"))
    return tuple(dict.fromkeys([*WINDOWS, *named]))


@dataclass(frozen=True)
class Known:
    """What rules are checked against: the edition, and the number of unit rows of the battle (None: not known yet)."""

    edition: Edition
    units: int | None = None


def _known(info: ValidationInfo) -> Known:
    """The context that ``validate`` passed."""
    return cast(Known, info.context)


def _one_of(known: Collection[str], name: str) -> str:
    if name not in known:
        raise Expected("one of " + ", ".join(known), "is not known")
    return name


def _unit_row(row: int, info: ValidationInfo) -> int:
    units = _known(info).units
    if units is not None and row >= units:
        raise Expected(f"a row of the units, 0 to {units - 1}", "is no unit")
    return row


def _effect(name: str, info: ValidationInfo) -> str:
    return _one_of(_known(info).edition.effects, name)


UnitRow = Annotated[int, Field(strict=True, ge=0, le=MOST_UNITS), AfterValidator(_unit_row)]
EffectName = Annotated[Name, AfterValidator(_effect)]  # of ``Edition.effects``


class Reroll(Content):
    """A re-roll: which units may re-roll which dice (``rulesets.w40k.attack.rerolls``)."""

    player: Player
    roll: Name
    unit: UnitRow | None = None
    results: Annotated[tuple[Few, ...], Field(max_length=MOST_ROWS)] | None = None
    name: Name | None = None

    @field_validator("roll")
    @classmethod
    def _known(cls, roll: str, info: ValidationInfo) -> str:
        return _one_of(rolls_of(_known(info).edition), roll)


class Modifier(Content):
    """A change to attacks by keyword (``rulesets.w40k.attack.modifiers``)."""

    effect: Name
    keyword: Name
    of: Literal["model", "unit"] | None = None
    player: Player | None = None

    @field_validator("effect")
    @classmethod
    def _known(cls, effect: str) -> str:
        return _one_of(EFFECTS, effect)


class Outcome(Content):
    """One possible outcome of a case that the rules leave open (``rulesets.w40k.sequence.disputes``)."""

    name: Name
    effect: EffectName
    unit: UnitRow | None = None
    amount: Few = 0


class Dispute(Content):
    """A case that the rules leave open."""

    name: Name
    outcomes: Annotated[tuple[Outcome, ...], Field(min_length=1, max_length=16)]


class Inspiring(Content):
    """A kind of terrain feature that adds 1 to the Leadership of units near it.

    With ``keyword``, only units that have it benefit.
    """

    feature: FeatureKind
    keyword: Name | None = None


ROWS: dict[str, type[Content]] = {
    "rerolls": Reroll,
    "modifiers": Modifier,
    "disputes": Dispute,
    "inspiring": Inspiring,
}


@dataclass(frozen=True)
class OwnRules:
    """The rules of an edition that other editions lack.

    Attributes:
        rows: for rules that are lists, the schema of each row.
        values: for other rules, a schema with the value as its field ``value``.
        choices: the possible values of rules that are choices.
    """

    rows: Mapping[str, type[Content]] = field(default_factory=dict)
    values: Mapping[str, type[Content]] = field(default_factory=dict)
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


NO_RULES = OwnRules()


def checked_rules(
    edition: Edition,
    core: Mapping[str, Any],
    rules: Any,
    file: str = "<call>",
    at: str = "rules",
    *,
    own: OwnRules = NO_RULES,
    units: int | None = None,
) -> dict[str, Any]:
    """Rules that override those of a battle, as plain data: their names, types, ranges and choices are checked.

    Args:
        edition: by which they are played.
        core: the core rules of the edition, by name; overriding values must have the same types.
        rules: a mapping by name.
        file, at: where it stands, for messages.
        own: the rules that only some editions have, with their possible values.
        units: the number of unit rows of the battle; None: not known yet.

    Raises:
        ContentError: the first fault, the others in its ``others``.
    """
    if not isinstance(rules, Mapping):
        raise ContentError(file, at, rules, "a mapping of rules by name", "is no mapping")
    given: dict[str, Any] = plain(rules, file, at)
    faults: list[ContentError] = []
    choices, known_by = {**CHOICES, **own.choices}, Known(edition, units)
    for name, value in given.items():
        field = f"{at}.{name}"
        if name in choices:
            if value not in choices[name]:
                faults.append(unknown(file, field, value, choices[name]))
        elif name not in core:
            faults.append(unknown(file, field, name, {*core, *choices}))
        elif name == "stratagems" and isinstance(value, Mapping):
            known = edition.stratagems.names
            faults += [unknown(file, f"{field}.{n}", n, known) for n in value if n not in known]
            faults += [unknown(file, f"{field}.{n}", how, MODES) for n, how in value.items() if how not in MODES]
        else:
            faults += _faults(known_by, own, name, type(core[name]), value, file, field)
    if faults:
        raise together(faults)
    return given


def _faults(
    known: Known, own: OwnRules, name: str, kind: type[Any], value: Any, file: str, field: str
) -> list[ContentError]:
    fits = {float: (int, float), tuple: (list,), MappingProxyType: (dict,)}.get(kind, (kind,))
    if not isinstance(value, fits) or (isinstance(value, bool) and kind is not bool):
        return [ContentError(file, field, value, WORDS[kind])]
    if name in RANGES:
        least, most = RANGES[name]
        return [] if least <= value <= most else [ContentError(file, field, value, f"{least:g} to {most:g}")]
    if name in own.values:
        return _misfits(known, own.values[name], {"value": value}, file, field, "value")
    rows = {**ROWS, **own.rows}
    if name not in rows:
        return []
    if len(value) > MOST_ROWS:
        return [ContentError(file, field, len(value), f"at most {MOST_ROWS} rows", "rows are too many")]
    return [fault for at, row in enumerate(value) for fault in _misfits(known, rows[name], row, file, f"{field}[{at}]")]


def _misfits(
    known: Known, schema: type[Content], value: Any, file: str, field: str, inside: str = ""
) -> list[ContentError]:
    """Faults of a value by a schema; ``inside`` is the schema's field that holds the whole value."""
    try:
        validate(schema, value, file, known)
    except ContentError as error:
        found = []
        for one in (error, *error.others):
            place = one.field.removeprefix(inside) if inside else f".{one.field}"
            found.append(ContentError(file, f"{field}{place}".rstrip("."), one.value, one.expected, one.problem))
        return found
    return []
