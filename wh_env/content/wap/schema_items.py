"""Schemas of magic items (``configs/wap/items``) and of what cards may have of them. The words of items are those of
the tables of the catalogue (docs/rules/wap-4-magic.yaml).
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Annotated, Literal, get_args

from pydantic import Field, model_validator

from wh_env.content.errors import Expected
from wh_env.content.fields import Content, Count, Flag, Name
from wh_env.content.wap.schema_magic import Words

# wap.item.general.one-per-family
Family = Literal["weapon", "armour", "talisman", "enchanted", "arcane", "banner"]
FAMILIES: tuple[Family, ...] = ("weapon", "armour", "talisman", "enchanted", "arcane", "banner")
BANNER: Family = "banner"
As = Literal[
    "hand-weapon", "two-hand-weapons", "great-weapon", "halberd", "flail", "lance", "spear", "pike", "light-armour",
    "medium-armour", "heavy-armour", "full-plate-armour", "shield", "helm",
]  # fmt: skip
# the mundane weapons as which magic ones count, those of a special type among them (wap.item.general.weapon-types)
WEAPONS = MappingProxyType(
    {
        "hand-weapon": "hand weapon",
        "two-hand-weapons": "additional hand weapon",
        "great-weapon": "great weapon",
        "halberd": "halberd (polearm)",
        "flail": "flail",
        "lance": "lance",
        "spear": "spear (infantry)",
        "pike": "pike",
    }
)
FREE = ("hand-weapon", "two-hand-weapons")  # of no special type: both are hand weapons
HELM = "helm"
SHIELDS = ("shield", "buckler")
SUITS = ("light armour", "medium armour", "heavy armour", "full plate armour")  # the better one behind


class ItemRow(Content):
    """A magic item.

    ``kind`` (in files: ``as``) is the mundane weapon or armour as which a magic one counts.
    """

    name: Name
    rule: Name
    family: Family
    points: Count
    one_use: Flag = False
    kind: Annotated[As | None, Field(alias="as")] = None
    requires: Literal["infantry", "on-foot"] | None = None  # the models that may have it
    counts_in_allowance: Flag = True
    beside_other_enchanted: Flag = False  # its bearer may have another enchanted item
    effects: Annotated[tuple[Words, ...], Field(min_length=1, max_length=8)]

    @model_validator(mode="after")
    def _worn(self) -> ItemRow:
        """Check that weapons and armour, and no others, count as something mundane of that kind."""
        kinds = {"weapon": WEAPONS.keys(), "armour": set(get_args(As)) - WEAPONS.keys()}.get(self.family, {None})
        if self.kind not in kinds:
            raise Expected("what weapon or armour it counts as, of weapons and armour alone", "is not", "as", self.kind)
        return self


class ItemFile(Content):
    """The magic items of a file."""

    items: Annotated[tuple[ItemRow, ...], Field(min_length=1, max_length=64)]


class Allowance(Content):
    """The magic items that a model may have by its entry in the army book (wap.item.general.common-items)."""

    points: Count
    families: Annotated[tuple[Family, ...], Field(min_length=1, max_length=6)] = FAMILIES
