"""The frozen base class of all schemas, and the numbers as datasheets write them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from contextlib import suppress
from datetime import date
from typing import Annotated, Any, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    PrivateAttr,
    ValidationError,
    model_serializer,
    model_validator,
)
from pydantic_core import InitErrorDetails

from wh_env.content.errors import Expected, UnknownKey

INCH = 25.4  # millimetres


class Content(BaseModel):
    """The base of all schemas: frozen, no unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    _source: str = PrivateAttr("")

    @property
    def source(self) -> str:
        """The file it was read from, for messages."""
        return self._source or f"<{type(self).__name__.lower()}>"

    @model_validator(mode="wrap")
    @classmethod
    def _keys_known(cls, data: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        """Report every unknown key as a fault, together with the faults of known keys."""
        if not isinstance(data, Mapping):
            return handler(data)
        known = [field.alias or name for name, field in cls.model_fields.items()]
        names = {*known, *cls.model_fields, *cls._shorthand()}
        strange = [key for key in data if key not in names]
        if not strange:
            return handler(data)
        words = sorted({*known, *cls._shorthand()})
        faults = [
            InitErrorDetails(type="value_error", ctx={"error": UnknownKey(str(key), words)}, input=data)
            for key in strange
        ]
        try:
            handler({key: value for key, value in data.items() if key in names})
        except ValidationError as error:
            faults += [
                InitErrorDetails(type=e["type"], loc=e["loc"], input=e["input"], ctx=e.get("ctx", {}))
                for e in error.errors()
            ]
        raise ValidationError.from_exception_data(cls.__name__, faults)

    @classmethod
    def _shorthand(cls) -> tuple[str, ...]:
        """Keys that are no fields, but that a validator of the class reads."""
        return ()


# ---------------------------------------------------------------- numbers


def read_roll(value: object) -> object:
    """``3+`` or 3 as 3."""
    if isinstance(value, str):
        match = re.fullmatch(r"([2-9])\+", value.strip())
        if not match:
            raise Expected("a roll such as 3+")
        return int(match[1])
    if isinstance(value, bool) or not isinstance(value, int) or not 2 <= value <= 9:
        raise Expected("a roll such as 3+")
    return value


def read_move(value: object) -> object:
    """A Move: ``-`` as 0 (it cannot move), ``20+`` as 20."""
    if isinstance(value, str):
        if value.strip() == "-":
            return 0
        match = re.fullmatch(r"([0-9]{1,3})\+", value.strip())
        return int(match[1]) if match else value
    return value


def read_name(value: str) -> str:
    """A name: one line, without invisible characters."""
    if not value.isprintable() and not all(c.isprintable() or unicodedata.category(c) == "Zs" for c in value):
        raise Expected("a name in one line, without control characters")
    return value


def read_day(value: object) -> object:
    """A day as 2025-12-04."""
    if isinstance(value, str) and re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
        with suppress(ValueError):
            date.fromisoformat(value)
            return value
    raise Expected("a date such as 2025-12-04")


# The upper limits are several times what any datasheet says. They are there so that the worst battle that is accepted
# still steps in bounded time and memory: a volley is at most models x weapons x attacks x Sustained Hits dice.
MOST_COUNT = 100_000
MOST_LENGTH = 1_000.0  # inches, centimetres or millimetres
Count = Annotated[int, Field(strict=True, ge=0, le=MOST_COUNT)]
Positive = Annotated[int, Field(strict=True, ge=1, le=MOST_COUNT)]
Few = Annotated[int, Field(strict=True, ge=0, le=100)]  # of a characteristic or of models
Some = Annotated[int, Field(strict=True, ge=1, le=100)]
Wounds = Annotated[int, Field(strict=True, ge=1, le=500)]
Rounds = Annotated[int, Field(strict=True, ge=1, le=20)]
Seed = Annotated[int, Field(strict=True, ge=0, le=2**63 - 1)]
Roll = Annotated[int, BeforeValidator(read_roll)]
Inches = Annotated[float, Field(strict=True, ge=0, le=MOST_LENGTH, allow_inf_nan=False)]
Move = Annotated[float, Field(strict=True, ge=0, le=100, allow_inf_nan=False), BeforeValidator(read_move)]
Length = Annotated[float, Field(strict=True, gt=0, le=MOST_LENGTH, allow_inf_nan=False)]
Size = Annotated[float, Field(strict=True, ge=0.1, le=100, allow_inf_nan=False)]  # of a model, in inches
Millimetres = Annotated[float, Field(strict=True, ge=1, le=500, allow_inf_nan=False)]  # of a base
Side = Annotated[float, Field(strict=True, ge=6, le=300, allow_inf_nan=False)]  # of a table, in inches
Real = Annotated[float, Field(strict=True, ge=-MOST_LENGTH, le=MOST_LENGTH, allow_inf_nan=False)]
Name = Annotated[str, Field(strict=True, min_length=1, max_length=120), AfterValidator(read_name)]
Spec = Annotated[
    str, Field(strict=True, min_length=1, max_length=1000), AfterValidator(read_name)
]  # with options, a path
Day = Annotated[str, BeforeValidator(read_day)]
Flag = Annotated[bool, Field(strict=True)]
Point = tuple[Real, Real]
Polygon = Annotated[tuple[Point, ...], Field(min_length=3, max_length=64)]


class Amount(Content):
    """A number that may be rolled: ``dice`` x D``sides`` + ``plus``; written ``4``, ``D3``, ``2D6+1``."""

    dice: Annotated[int, Field(strict=True, ge=0, le=12)] = 0
    sides: Annotated[int, Field(strict=True, ge=0, le=6)] = 0
    plus: Few = 0

    @model_validator(mode="before")
    @classmethod
    def _read(cls, data: Any) -> Any:
        if isinstance(data, int) and not isinstance(data, bool):
            if data < 0:
                raise Expected("a number of at least 0, or dice such as D6+1")
            return {"plus": data}
        if isinstance(data, str):
            match = re.fullmatch(r"([0-9]{0,3})D([36])(?:\s*\+\s*([0-9]{1,3}))?", data.strip().upper())
            if match:
                return {"dice": int(match[1] or 1), "sides": int(match[2]), "plus": int(match[3] or 0)}
            if re.fullmatch(r"[0-9]{1,3}", data.strip()):
                return {"plus": int(data)}
            raise Expected("a number, or dice such as D3, D6+1, 2D6")
        if isinstance(data, Mapping):
            return data
        raise Expected("a number, or dice such as D3, D6+1, 2D6")

    @model_validator(mode="after")
    def _rolled(self) -> Self:
        if self.dice and self.sides not in (3, 6):
            raise Expected("dice of 3 or 6 sides")
        return self

    @model_serializer
    def _write(self) -> str | int:
        return str(self) if self.dice else self.plus

    def __str__(self) -> str:
        if not self.dice:
            return str(self.plus)
        head = f"{self.dice if self.dice > 1 else ''}D{self.sides}"
        return f"{head}+{self.plus}" if self.plus else head

    @property
    def maximum(self) -> int:
        """The largest value that can be rolled."""
        return self.dice * self.sides + self.plus


# ---------------------------------------------------------------- what is drawn


class Drawing(Content):
    """How the ``random`` parts of a battle are drawn in every game."""

    seed: Seed = 0  # of the drawing, not of the battle's dice
    # the seeds of a suite, of which ``seed`` picks one by counting round; none: it draws with ``seed`` itself
    among: Annotated[tuple[Seed, ...], Field(max_length=1000)] = ()
    swapped: Flag = False  # player 0 has the random army that was drawn for player 1, and player 1 his

    @property
    def drawn(self) -> int:
        """The seed to draw with."""
        return self.among[self.seed % len(self.among)] if self.among else self.seed

    def drawn_for(self, player: int) -> int:
        """The player for whom the random army of a player is drawn."""
        return 1 - player if self.swapped else player
