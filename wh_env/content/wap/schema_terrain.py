"""Schemas of kinds of ground and their examples; see ``configs/wap/terrain``. Lengths are inches."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from wh_env.content.errors import Expected
from wh_env.content.fields import Content, Few, Flag, Inches, Name
from wh_env.content.wap.schema_powers import AuraRow, BarrierRow, GazeRow, PortalRow, Power, WellRow
from wh_env.rulesets.wap.basics.ground import Harm, Traits
from wh_env.rulesets.wap.rule_book import BOOK, Grant

KINDS = ("hill", "forest", "river", "marsh", "obstacle", "monument", "building")  # that have a file
Kind = Literal["hill", "forest", "river", "marsh", "obstacle", "monument", "building"]
Cover = Literal["none", "light", "heavy"]
Face = Annotated[int, Field(strict=True, ge=1, le=6)]  # of a die
Rules = Annotated[tuple[Name, ...], Field(max_length=16)]
GIVES = ("gives_partly", "gives_mostly", "gives_crossing")  # traits that name special rules
TroopName = Literal[
    "infantry",
    "monstrous infantry",
    "cavalry",
    "monstrous cavalry",
    "swarm",
    "war beast",
    "monstrous beast",
    "monster",
    "chariot",
    "war machine",
    "shrine",
]


class HarmRow(Content):
    """How ground hurts units in it; the fields are those of ``basics.ground.Harm``."""

    rule: Name
    when: Literal["own moves", "all moves", "turn", "magic"]
    mostly: Flag = False
    escapes_by: Literal["", "ws", "bs", "s", "t", "i"] = ""
    needs: Annotated[int, Field(strict=True, ge=0, le=6)] = 0
    each_model: Flag = False
    strength: Annotated[int, Field(strict=True, ge=0, le=10)] = 0
    no_armour: Flag = False
    is_fire: Flag = False
    harbours: Annotated[str, Field(strict=True, max_length=120)] = ""
    walks: Annotated[int, Field(strict=True, ge=0, le=6)] = 0

    def compiled(self) -> Harm:
        """The harm as the engine asks it."""
        return Harm(**{name: getattr(self, name) for name in type(self).model_fields})


class TraitRow(Content):
    """What ground does; the fields are those of ``basics.ground.Traits``."""

    entry: Literal["open", "impassable"] = "open"
    dangerous: Literal["nobody", "riders", "unless skirmishers", "everybody"] = "nobody"
    dangerous_always: Flag = False
    tests_flyers: Flag = False
    fails_on: Face = 1
    fails_on_mounted: Face = 1
    swallows: Annotated[tuple[TroopName, ...], Field(max_length=16)] = ()
    sight: Few = 0
    sight_depth: Inches = 0.0
    lifts: Flag = False
    screen: Cover = "none"
    cover_inside: Cover = "none"
    no_march: Flag = False
    slows: Few = 0
    ranks: Literal["kept", "lost inside", "lost at a touch"] = "kept"
    water: Flag = False
    daunts: Few = 0
    gives_partly: Rules = ()
    gives_mostly: Rules = ()
    gives_crossing: Rules = ()
    harm: HarmRow | None = None
    gives_named: Annotated[dict[Name, Rules], Field(max_length=16)] = Field(default_factory=dict)
    obstacle: BarrierRow | None = None
    auras: Annotated[tuple[AuraRow, ...], Field(max_length=4)] = ()
    gaze: GazeRow | None = None
    well: WellRow | None = None
    favours: Flag = False
    library: Inches = 0.0
    riddles: Inches = 0.0
    portal: PortalRow | None = None
    casts: Annotated[str, Field(strict=True, max_length=120)] = ""
    venomous: Flag = False

    @model_validator(mode="after")
    def _rules_known(self) -> Self:
        """Check that the special rules that it gives are in the book."""
        lists = {name: getattr(self, name) for name in GIVES}
        lists |= {f"gives_named.{name}": rules for name, rules in self.gives_named.items()}
        for name, rules in lists.items():
            for at, words in enumerate(rules):
                if BOOK.read(words) is None:
                    known = ", ".join(sorted(BOOK.by_name))
                    raise Expected(f"a special rule: one of {known}", "is not known", f"{name}[{at}]", words)
        return self

    def compiled(self) -> Traits:
        """The traits as the engine asks them."""
        told = {name: getattr(self, name) for name in type(self).model_fields}
        for name in GIVES:
            told[name] = tuple(grant_of(words) for words in told[name])
        named = [(name.lower(), grant_of(words)) for name, rules in self.gives_named.items() for words in rules]
        told["gives_named"] = tuple(named)
        told["harm"] = None if self.harm is None else self.harm.compiled()
        told["auras"] = tuple(aura.compiled() for aura in self.auras)
        return Traits(**{name: row.compiled() if isinstance(row, Power) else row for name, row in told.items()})


def grant_of(words: str) -> Grant:
    """A special rule of the book as cards write it, with what stands in its brackets."""
    read = BOOK.read(words)
    if read is None:
        raise LookupError(f"{words} is no special rule")
    return read


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
