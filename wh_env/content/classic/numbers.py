"""Characteristics as datasheets of these editions write them.

Skills and saves may be a dash, a Move may have two values, and a weapon's Strength may depend on its bearer.
"""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, model_serializer, model_validator

from wh_env.content.errors import Expected
from wh_env.content.fields import Amount, Content, Few, read_roll

NO_SAVE = 7
MOST_BONUS = 20  # of Strength

_RANGE = re.compile(r"([0-9]{1,3})-([0-9]{1,3})")
_ADDED = re.compile(r"([+-])([0-9]{1,2})")


def _skill(value: object) -> object:
    return 0 if value in ("-", 0) and not isinstance(value, bool) else read_roll(value)


def _save(value: object) -> object:
    return NO_SAVE if value == "-" else read_roll(value)


Skill = Annotated[int, BeforeValidator(_skill)]  # 0 for "-": the model makes no such attacks
Save = Annotated[int, BeforeValidator(_save)]
Level = Annotated[int, Field(strict=True, ge=1, le=20)]  # Leadership


class Movement(Content):
    """A Move characteristic: ``6``, ``-`` (cannot move), dice such as ``2D6``, or two values, ``20-60`` (AIRCRAFT)."""

    most: Few
    least: Few | None = None
    roll: Amount | None = None

    @model_validator(mode="before")
    @classmethod
    def _read(cls, data: Any) -> Any:
        expected = "inches such as 6, - for none, dice such as 2D6, or two values such as 20-60"
        if isinstance(data, str):
            text = data.strip()
            if text == "-":
                return {"most": 0}
            if "D" in text.upper():
                roll = Amount.model_validate(text)
                return {"most": roll.maximum, "roll": roll}
            two = _RANGE.fullmatch(text)
            if two is None:
                raise Expected(expected)
            return {"least": int(two[1]), "most": int(two[2])}
        if isinstance(data, bool) or not isinstance(data, int | dict):
            raise Expected(expected)
        return {"most": data} if isinstance(data, int) else data

    @model_validator(mode="after")
    def _rising(self) -> Movement:
        if self.least is not None and self.least > self.most:
            raise Expected("two rising values such as 20-60")
        return self

    @model_serializer
    def _write(self) -> str | int:
        if self.roll is not None:
            return str(self.roll)
        return self.most if self.least is None else f"{self.least}-{self.most}"


class Strength(Content):
    """The Strength of a weapon: ``User``, ``+2``, ``-1``, ``x2`` of the bearer's, or a number (which may be dice)."""

    times: Few = 0  # of the bearer's
    plus: Annotated[int, Field(strict=True, ge=-MOST_BONUS, le=MOST_BONUS)] = 0
    fixed: Amount | None = None

    @model_validator(mode="before")
    @classmethod
    def _read(cls, data: Any) -> Any:
        if isinstance(data, str):
            text = data.strip()
            if text.lower() == "user":
                return {"times": 1}
            added = _ADDED.fullmatch(text)
            if added:
                return {"times": 1, "plus": int(added[1] + added[2])}
            if re.fullmatch(r"x[2-9]", text.lower()):
                return {"times": int(text[1])}
        if isinstance(data, str | int) and not isinstance(data, bool):
            try:
                return {"fixed": Amount.model_validate(data)}
            except ValueError:
                pass
        elif isinstance(data, dict):
            return data
        raise Expected("User, a change of the bearer's Strength such as +2, -1 or x2, or a number")

    @model_serializer
    def _write(self) -> str | int:
        if self.fixed is not None:
            return str(self.fixed) if self.fixed.dice else self.fixed.plus
        if self.times > 1:
            return f"x{self.times}"
        return f"{self.plus:+d}" if self.plus else "User"

    def of(self, bearer: int) -> Amount:
        """The Strength of the weapon for a bearer of Strength ``bearer``; never below 1 (w9.weapon.strength)."""
        if self.fixed is not None:
            return self.fixed
        return Amount(plus=max(1, bearer * self.times + self.plus))
