"""Schemas of lores of magic (``configs/wap/lores``) and of the wizards of army sheets. The words of spells are those of
the tables of the catalogue (docs/rules/wap-4-magic.yaml). Lengths are inches.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from wh_env.content.errors import Expected
from wh_env.content.fields import Content, Flag, Inches, Name
from wh_env.rulesets.wap.magic.attributes import ATTRIBUTES
from wh_env.rulesets.wap.magic.spells import NUMBERS
from wh_env.rulesets.wap.tables import MOST_LEVEL, MOST_LORES

LEAST_VALUE = 3  # wap.magic.cast.minimum-value
MOST_VALUE = 40
LIMIT = 3  # spells of the cheapest level
Value = Annotated[int, Field(strict=True, ge=LEAST_VALUE, le=MOST_VALUE)]
Level = Annotated[int, Field(strict=True, ge=1, le=MOST_LEVEL)]


def read_key(value: object) -> object:
    """A key of a mapping as a number: stored battles are JSON, whose keys are text."""
    return int(value) if isinstance(value, str) and len(value) == 1 and value.isdecimal() else value


LevelKey = Annotated[int, Field(strict=True, ge=1, le=MOST_LEVEL), BeforeValidator(read_key)]
Words = Annotated[dict[str, Any], Field(max_length=16)]  # what a spell does, checked when it is read (``spells``)
Type = Literal["magic-missile", "direct-damage", "augment", "hex", "vortex", "special"]


class SpellRow(Content):
    """A spell. ``boosts`` are its other versions: each has a casting value, and what is different. ``options`` are what
    the caster may choose in place of the base version, each with what is different. ``empowered``: what is different in
    all versions while an effect empowers the wizard (wap.lore.life.throne-of-vines.empowered-spells).
    ``length``: of its line; ``scatter``: inches that its template scatters, such as ``D6``.
    """

    name: Name
    rule: Name
    number: Annotated[int, Field(strict=True, ge=0, lt=NUMBERS)]
    cast: Value
    type: Type
    range: Inches | Literal["unlimited", "contact"] = 0.0
    length: Inches = 0.0
    scatter: Annotated[str, Field(max_length=8)] = ""
    target: Name
    duration: Name
    effects: Annotated[tuple[Words, ...], Field(min_length=1, max_length=8)]
    options: Annotated[tuple[Words, ...], Field(max_length=2)] = ()
    boosts: Annotated[tuple[Words, ...], Field(max_length=4)] = ()
    empowered: Words = Field(default_factory=dict)

    @model_validator(mode="after")
    def _rise(self) -> SpellRow:
        """Check that each boosted version has a casting value above that of the one before."""
        before = self.cast
        for at, boost in enumerate(self.boosts):
            value = boost.get("cast")
            if not isinstance(value, int) or isinstance(value, bool) or not before < value <= MOST_VALUE:
                raise Expected(f"a casting value above {before}", "is none", f"boosts[{at}].cast", value)
            before = value
        return self


class LoreFile(Content):
    """A lore: its name, its attribute and its spells."""

    name: Name
    attribute: Name = "none"
    spells: Annotated[tuple[SpellRow, ...], Field(min_length=1, max_length=NUMBERS)]

    @model_validator(mode="after")
    def _known(self) -> LoreFile:
        """Check that the attribute is known and that no two spells have one number."""
        if self.attribute not in ATTRIBUTES:
            raise Expected("one of " + ", ".join(ATTRIBUTES), "is not known", "attribute", self.attribute)
        numbers = [spell.number for spell in self.spells]
        for at, number in enumerate(numbers):
            if number in numbers[:at]:
                raise Expected("a number of its own", "is there twice", f"spells[{at}].number", number)
        return self


class WizardRow(Content):
    """What makes the character of a card a wizard (wap.magic.level, wap.magic.lore.choice).

    Attributes:
        level: without an upgrade. upgrades: points of higher levels.
        lores: among which the army list chooses. together: how many of them he uses.
        spells: if he does not select spells: those that he knows, by number (wap.magic.signature.not-if-fixed).
    """

    level: Level
    upgrades: Annotated[dict[LevelKey, Annotated[int, Field(strict=True, ge=0, le=1000)]], Field(max_length=4)] = Field(
        default_factory=dict
    )
    lores: Annotated[tuple[Name, ...], Field(min_length=1, max_length=MOST_LORES)]
    together: Annotated[int, Field(strict=True, ge=1, le=4)] = 1
    spells: Annotated[tuple[Annotated[int, Field(strict=True, ge=0, lt=NUMBERS)], ...], Field(max_length=NUMBERS)] = ()


class BoundRow(Content):
    """A bound spell of a card (wap.magic.bound.*): a spell of a lore, its power level, and whether an item holds it."""

    lore: Name
    spell: Name
    power: Value
    item: Flag = False
