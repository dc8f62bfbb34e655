"""Battles, their missions and the units of army lists: the fields of all editions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from wh_env.content.errors import Expected
from wh_env.content.fields import Content, Count, Few, Flag, Name, Rounds, Seed, Some, Spec
from wh_env.content.w40k.schema import MANY, BattleSize, Markers, Random, ZoneRule


class Battle(Content):
    """A battle: its mission, armies and battlefield. Names refer to other files; each may be given inline.

    The battlefield and either army may be ``random``: drawn from the seed in the field ``random``.
    """

    name: Name
    ruleset: Name
    mission: Spec | dict[str, Any]
    size: Name
    battlefield: Spec | dict[str, Any]
    armies: tuple[Spec | dict[str, Any], Spec | dict[str, Any]]  # of player 0 and of player 1
    attacker: Annotated[int, Field(strict=True, ge=0, le=1)] | None = None  # not given: by roll-off
    detail: Literal["full", "squad"] = "squad"
    seed: Seed | None = None
    scale: Flag = False  # a battlefield of another size is fitted to the smallest the mission allows
    random: Random | None = None  # how a battlefield or armies named ``random`` are drawn


class Mission(Content):
    """The numbers of a mission that all editions have."""

    name: Name
    ruleset: Name
    sizes: Annotated[tuple[BattleSize, ...], Field(min_length=1, max_length=MANY)]
    rounds: Rounds
    markers: Markers
    zones: ZoneRule

    def size(self, name: str) -> BattleSize | None:
        """The size of this name in any case; None: there is none."""
        return next((size for size in self.sizes if size.name.lower() == name.lower()), None)

    def marker_places(self, size: tuple[float, float]) -> tuple[tuple[float, float], ...] | None:
        """The places that the mission gives its markers on a battlefield of a size in inches; None: it gives none."""
        return None


class ArmyUnit(Content):
    """One unit of an army list."""

    datasheet: Name
    id: Name | None = None
    models: Some | None = None  # not given: the smallest unit
    # type of model -> option -> number of models that have it
    equipment: dict[Name, dict[Name, Few]] = Field(default_factory=dict)
    embarked_in: Name | Count | None = None  # id or index of a TRANSPORT
    warlord: Flag = False

    @model_validator(mode="before")
    @classmethod
    def _one_datasheet(cls, data: Any) -> Any:
        sheet = data.get("datasheet") if isinstance(data, Mapping) else None
        if isinstance(sheet, list | tuple | Mapping):
            expected = "the name of one datasheet (all models of a unit are drawn from the same one)"
            raise Expected(expected, "is not one datasheet", "datasheet", sheet)
        return data
