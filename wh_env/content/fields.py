"""What all schemas are built from: the frozen base class and the numbers as datasheets write them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import (
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
    """What all schemas share: frozen, no unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    _source: str = PrivateAttr("")

    @property
    def source(self) -> str:
        """The file it was read from, for messages."""
        return self._source or f"<{type(self).__name__.lower()}>"

    @model_validator(mode="wrap")
    @classmethod
    def _keys_known(cls, data: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        """Every unknown key is a fault, beside those of the keys that are known."""
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
        """Keys that are no fields but that a validator of the class understands."""
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
        match = re.fullmatch(r"(\d+)\+", value.strip())
        return int(match[1]) if match else value
    return value


Count = Annotated[int, Field(strict=True, ge=0)]
Positive = Annotated[int, Field(strict=True, ge=1)]
Roll = Annotated[int, BeforeValidator(read_roll)]
Inches = Annotated[float, Field(strict=True, ge=0, allow_inf_nan=False)]
Move = Annotated[Inches, BeforeValidator(read_move)]
Length = Annotated[float, Field(strict=True, gt=0, allow_inf_nan=False)]
Real = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Name = Annotated[str, Field(strict=True, min_length=1)]
Flag = Annotated[bool, Field(strict=True)]
Point = tuple[Real, Real]
Polygon = Annotated[tuple[Point, ...], Field(min_length=3)]


class Amount(Content):
    """A number that may be rolled: ``dice`` x D``sides`` + ``plus``; written ``4``, ``D3``, ``2D6+1``."""

    dice: Count = 0
    sides: Count = 0
    plus: Annotated[int, Field(strict=True)] = 0

    @model_validator(mode="before")
    @classmethod
    def _read(cls, data: Any) -> Any:
        if isinstance(data, int) and not isinstance(data, bool):
            if data < 0:
                raise Expected("a number of at least 0, or dice such as D6+1")
            return {"plus": data}
        if isinstance(data, str):
            match = re.fullmatch(r"(\d*)D([36])(?:\s*\+\s*(\d+))?", data.strip().upper())
            if match:
                return {"dice": int(match[1] or 1), "sides": int(match[2]), "plus": int(match[3] or 0)}
            if data.strip().isdigit():
                return {"plus": int(data)}
            raise Expected("a number, or dice such as D3, D6+1, 2D6")
        if isinstance(data, Mapping):
            return data
        raise Expected("a number, or dice such as D3, D6+1, 2D6")

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
