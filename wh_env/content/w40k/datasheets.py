"""The common parts of datasheets of all editions (models, weapons, keywords), and finding datasheets by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Generic, Self, TypeVar

from pydantic import Field, model_validator

from wh_env.content.errors import ContentError, Expected, unknown
from wh_env.content.fields import Content, Count, Day, Few, Name, Size, Some
from wh_env.content.load import Source, content_roots, display, find, from_file, slug, validate
from wh_env.content.w40k.keywords import KeywordName
from wh_env.content.w40k.schema import MANY, Aura, Base, OtherAbility
from wh_env.rulesets.w40k.keywords import singular

LONGEST_NAME = 200  # of a file

Names = Annotated[tuple[Name, ...], Field(max_length=100)]
Keywords = Annotated[tuple[KeywordName, ...], Field(max_length=100)]
Carried = Annotated[tuple[Name, ...], Field(max_length=MANY)]  # weapons of one model


class EquipmentOption(Content):
    """Other equipment that models of a type can have: a whole set that replaces the default."""

    name: Name
    weapons: Carried
    max: Some | None = None  # the most models in the unit ...
    per: Some | None = None  # ... for each such number of models (None: in the whole unit)
    share: Name | None = None  # options of a type of model that share this count together towards ``max``
    wargear: Names = ()  # items that are no weapons; abilities name them
    points: Count = 0


class Transport(Content):
    """The models that each model of a TRANSPORT carries: they have all of ``allowed`` and none of ``excluded``."""

    capacity: Some
    allowed: Keywords
    excluded: Keywords = ()
    places: dict[KeywordName, Some] = Field(default_factory=dict)  # places that a model with the keyword takes up


class ModelKind(Content):
    """One kind of model of a unit: the fields of all editions."""

    name: Name
    min: Few
    max: Some
    base: Base
    height_in: Size
    span_in: tuple[Size, Size] | None = (
        None  # length and width with all its parts, where these reach out beyond the base
    )
    weapons: Carried
    wargear: Names = ()  # items of the default equipment that are no weapons; abilities name them
    options: Annotated[tuple[EquipmentOption, ...], Field(max_length=MANY)] = ()
    keywords: Keywords = ()  # beyond those of the unit (a CHARACTER among others)

    @model_validator(mode="after")
    def _min_max(self) -> Self:
        if self.min > self.max:
            raise Expected(f"at most max ({self.max})", "is above max", "min", self.min)
        return self


class NamedAbilities(Content):
    """Abilities by name."""

    auras: Annotated[tuple[Aura, ...], Field(max_length=MANY)] = ()
    other: Annotated[tuple[OtherAbility, ...], Field(max_length=MANY)] = ()


class Datasheet(Content):
    """One datasheet: the fields of all editions."""

    name: Name
    faction: Name
    faction_keywords: Annotated[Names, Field(min_length=1)]
    keywords: Annotated[Keywords, Field(min_length=1)]
    models: Annotated[tuple[ModelKind, ...], Field(min_length=1, max_length=MANY)]
    weapons: Mapping[Name, Any]
    abilities: NamedAbilities = NamedAbilities()
    data_source: Name | None = Field(default=None, alias="source")  # where its numbers are from ...
    as_of: Day | None = None  # ... and of when they are

    @model_validator(mode="after")
    def _whole(self) -> Self:
        for at, model in enumerate(self.models):
            for name in (*model.weapons, *(w for option in model.options for w in option.weapons)):
                if name not in self.weapons:
                    expected = "one of " + ", ".join(sorted(self.weapons))
                    raise Expected(expected, "is not known", f"models[{at}].weapons", name)
        if len({model.name for model in self.models}) < len(self.models):
            raise Expected("different names for the types of models")
        return self

    @property
    def smallest(self) -> int:
        """Fewest models in a unit."""
        return sum(model.min for model in self.models)

    @property
    def largest(self) -> int:
        """Most models in a unit."""
        return sum(model.max for model in self.models)

    @property
    def every_keyword(self) -> tuple[str, ...]:
        """Keywords and Faction keywords."""
        return (*self.keywords, *self.faction_keywords)

    def has(self, keyword: str) -> bool:
        """Whether the unit has a keyword (Faction keywords included), in any case, singular or plural."""
        return singular(keyword) in {singular(k) for k in self.every_keyword}

    def model_has(self, kind: ModelKind, keyword: str) -> bool:
        """Whether models of a type have a keyword, of their own or of the unit."""
        return self.has(keyword) or singular(keyword) in {singular(k) for k in kind.keywords}

    @property
    def inactive(self) -> tuple[str, ...]:
        """Names of its abilities that are declared and not played."""
        return tuple(o.name for o in (*self.abilities.auras, *self.abilities.other) if not o.active)


S = TypeVar("S", bound=Datasheet)


@dataclass(frozen=True)
class Datasheets(Generic[S]):
    """The datasheets in the folders of an edition (``<ruleset>/datasheets/<faction>/<name>.yaml``).

    A datasheet in the user's folders hides a shipped one of the same faction and file name.
    """

    ruleset: str
    schema: type[S]

    def load(self, source: Source, faction: str | None = None) -> S:
        """One datasheet by name (of a faction), path or dict."""
        if isinstance(source, Mapping):
            return self.finished(validate(self.schema, source, "<datasheet>"))
        if isinstance(source, Path) or str(source).endswith((".yaml", ".yml")):
            return self.finished(from_file(self.schema, find("datasheets", source)))
        found = self._files(faction, slug(str(source)))
        if not found:
            raise unknown("<call>", "datasheet", source, self.all(faction))
        return self.finished(from_file(self.schema, found[0]))

    def finished(self, sheet: S) -> S:
        """The datasheet with data from other files of the ruleset; subclasses add them."""
        return sheet

    def all(self, faction: str | None = None) -> dict[str, S]:
        """All datasheets of a faction (None: of all factions), by name."""
        sheets: dict[str, S] = {}
        for path in self._files(faction, "*"):
            sheet = from_file(self.schema, path)
            if path.stem != slug(sheet.name):
                expected = f"a file named {slug(sheet.name)}.yaml"
                raise ContentError(display(path), "name", sheet.name, expected, "names another")
            sheets[sheet.name] = self.finished(sheet)
        return sheets

    def named(self, names: Iterable[str], own: Iterable[S], faction: str | None = None) -> dict[str, S]:
        """The datasheets of these names, ``own`` first, then those of ``faction``; all shipped ones if a name is not
        found.
        """
        given = {sheet.name: self.finished(sheet) for sheet in own}
        needed = set(names) - given.keys()
        found: dict[str, S] = {}
        for name in sorted(needed):
            paths = self._files(None, slug(name))
            for path in sorted(paths, key=lambda path: faction is not None and path.parent.name == slug(faction)):
                sheet = from_file(self.schema, path)
                if sheet.name == name:
                    found[name] = self.finished(sheet)
        if needed - found.keys():
            found = self.all()
        return {**found, **given}

    def _files(self, faction: str | None, stem: str) -> list[Path]:
        roots = [root / self.ruleset / "datasheets" for root in content_roots()]
        factions = {path.name for root in roots if root.is_dir() for path in root.iterdir() if path.is_dir()}
        if faction is not None and slug(faction) not in factions:
            raise unknown("<call>", "faction", faction, sorted(factions))
        if len(stem) > LONGEST_NAME:
            return []
        found: dict[str, Path] = {}
        for root in reversed(roots):
            for path in root.glob(f"{slug(faction) if faction else '*'}/{stem}.yaml"):
                found[f"{path.parent.name}/{path.name}"] = path
        return [found[name] for name in sorted(found)]
