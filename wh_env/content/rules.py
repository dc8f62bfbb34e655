"""Numbers and switches of the 10th edition's battles that a call may override (``Battle.load(..., rules=...)``), checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator

from wh_env.content.errors import ContentError, Expected, together, unknown
from wh_env.content.fields import Content, Few, Name
from wh_env.content.load import validate
from wh_env.content.plain import plain
from wh_env.rulesets.w10.numbers import CORE_RULES
from wh_env.rulesets.w10.ruleset import TENTH_EDITION
from wh_env.rulesets.w40k.attack.modifiers import EFFECTS
from wh_env.rulesets.w40k.attack.rerolls import WINDOWS, DiceRoll
from wh_env.rulesets.w40k.reaction.book import MODES

CHOICES = {
    "detail": ("full", "squad"),
    "formations": ("choose", "lists"),
    "markers": ("layout", "players"),
    "terrain": ("layout", "players"),
}
# least and most of each number; what is over the most says nothing about play any more
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
}
WORDS = {int: "a whole number", float: "a number", str: "text", tuple: "a list", dict: "a mapping"}
MOST_ROWS = 64  # of one list
ROLLS = tuple(
    dict.fromkeys(
        [*WINDOWS, *sorted(r.name for r in TENTH_EDITION.procedures if isinstance(r, DiceRoll) and hasattr(r, "name"))]
    )
)

Player = Annotated[int, Field(strict=True, ge=0, le=1)]


class Reroll(Content):
    """Who may roll what again (``rulesets.w10.rerolls``)."""

    player: Player
    roll: Name
    unit: Few | None = None
    results: Annotated[tuple[Few, ...], Field(max_length=MOST_ROWS)] | None = None
    name: Name | None = None

    @field_validator("roll")
    @classmethod
    def _known(cls, roll: str) -> str:
        if roll not in ROLLS:
            raise Expected("one of " + ", ".join(ROLLS), "is not known")
        return roll


class Modifier(Content):
    """What changes attacks by keyword (``rulesets.w10.modifiers``)."""

    effect: Name
    keyword: Name
    of: Literal["model", "unit"] | None = None
    player: Player | None = None

    @field_validator("effect")
    @classmethod
    def _known(cls, effect: str) -> str:
        if effect not in EFFECTS:
            raise Expected("one of " + ", ".join(EFFECTS), "is not known")
        return effect


class Outcome(Content):
    """One way in which a case left open may end (``rulesets.w10.disputes``)."""

    name: Name
    effect: Name
    unit: Few | None = None
    amount: Few = 0

    @field_validator("effect")
    @classmethod
    def _known(cls, effect: str) -> str:
        if effect not in TENTH_EDITION.effects:
            raise Expected("one of " + ", ".join(TENTH_EDITION.effects), "is not known")
        return effect


class Dispute(Content):
    """A case left open."""

    name: Name
    outcomes: Annotated[tuple[Outcome, ...], Field(min_length=1, max_length=16)]


ROWS: dict[str, type[Content]] = {"rerolls": Reroll, "modifiers": Modifier, "disputes": Dispute}


def checked_rules(rules: Any, file: str = "<call>", at: str = "rules") -> dict[str, Any]:
    """Rules that override those of a battle, as plain data: known by name, of the right type and range, choices among those there are.

    Args:
        rules: a mapping by name.
        file, at: where it stands, for messages.

    Raises:
        ContentError: the first fault, the others in its ``others``.
    """
    if not isinstance(rules, Mapping):
        raise ContentError(file, at, rules, "a mapping of rules by name", "is no mapping")
    given: dict[str, Any] = plain(rules, file, at)
    faults: list[ContentError] = []
    for name, value in given.items():
        field = f"{at}.{name}"
        if name in CHOICES:
            if value not in CHOICES[name]:
                faults.append(unknown(file, field, value, CHOICES[name]))
        elif name not in CORE_RULES:
            faults.append(unknown(file, field, name, {*CORE_RULES, *CHOICES}))
        elif name == "stratagems" and isinstance(value, Mapping):
            faults += [
                unknown(file, f"{field}.{n}", n, TENTH_EDITION.stratagems.names)
                for n in value
                if n not in TENTH_EDITION.stratagems.names
            ]
            faults += [unknown(file, f"{field}.{n}", how, MODES) for n, how in value.items() if how not in MODES]
        else:
            faults += _faults(name, value, file, field)
    if faults:
        raise together(faults)
    return given


def _faults(name: str, value: Any, file: str, field: str) -> list[ContentError]:
    kind = type(CORE_RULES[name])
    fits = {float: (int, float), tuple: (list,)}.get(kind, (kind,))
    if not isinstance(value, fits) or isinstance(value, bool):
        return [ContentError(file, field, value, WORDS[kind])]
    if name in RANGES:
        least, most = RANGES[name]
        return [] if least <= value <= most else [ContentError(file, field, value, f"{least:g} to {most:g}")]
    if name not in ROWS:
        return []
    if len(value) > MOST_ROWS:
        return [ContentError(file, field, len(value), f"at most {MOST_ROWS} rows", "rows are too many")]
    found = []
    for at, row in enumerate(value):
        try:
            validate(ROWS[name], row, file)
        except ContentError as error:
            for one in (error, *error.others):
                place = f"{field}[{at}].{one.field}".rstrip(".")
                found.append(ContentError(file, place, one.value, one.expected, one.problem))
    return found
