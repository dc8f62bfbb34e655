"""Schemas of kinds of ground and their examples; see ``configs/wap/terrain``. Lengths are inches."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from wh_env.content.fields import Content, Few, Flag, Inches, Name
from wh_env.rulesets.wap.basics.ground import Traits

KINDS = ("hill", "forest", "river", "marsh", "obstacle", "monument", "building")  # that have a file
Kind = Literal["hill", "forest", "river", "marsh", "obstacle", "monument", "building"]
Cover = Literal["none", "light", "heavy"]


class TraitRow(Content):
    """What ground does; the fields are those of ``basics.ground.Traits``."""

    passage: Literal["open", "impassable"] = "open"
    dangerous: Literal["nobody", "riders", "unless skirmishers", "everybody"] = "nobody"
    sight: Few = 0
    sight_depth: Inches = 0.0
    lifts: Flag = False
    screen: Cover = "none"

    def compiled(self) -> Traits:
        """The traits as the engine asks them."""
        return Traits(**{name: getattr(self, name) for name in type(self).model_fields})


class Terrain(Content):
    """A kind of ground: what all of it does, and what each named example does besides or instead."""

    kind: Kind
    lines: Name  # of the source
    traits: TraitRow
    examples: Annotated[dict[Name, TraitRow], Field(max_length=64)]

    def traits_of(self, example: str | None) -> Traits:
        """The traits of an example; None: those of all ground of the kind.

        Raises:
            KeyError: the kind has no such example.
        """
        if example is None:
            return self.traits.compiled()
        rows = (self.traits, self.examples[example])
        told = {name: getattr(row, name) for row in rows for name in row.model_fields_set}
        return TraitRow(**told).compiled()
