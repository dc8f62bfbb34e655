"""A mustered unit, as a battle is compiled from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wh_env.content.wap.gear import BARE, Gear
from wh_env.content.wap.item_files import Known
from wh_env.content.wap.schema_units import Card


@dataclass(frozen=True)
class Regiment:
    """A mustered unit: its models, its files when deployed, its command models, its points."""

    name: str
    card: Card
    models: int
    files: int
    command: Sequence[str] = ()
    points: int = 0
    options: Sequence[str] = ()
    names: Sequence[str] = ()  # of its army book, of its alignment
    general: bool = False
    battle_standard: bool = False
    champion_option: str | None = None  # the weapon that its champion has for himself
    inside: int = -1  # the unit of its army that a character is deployed in, by its number
    drives: int = -1  # ... that a pack master drives
    army: int = 0  # the number of its army on its side: 0 the main one, then its allies
    level: int | None = None  # of a wizard; None: that of its card
    lores: Sequence[str] = ()  # that a wizard uses; empty: those of its card
    items: Sequence[str] = ()  # its magic items, by name
    banner: str | None = None  # its magic banner, by name
    book: Sequence[Known] = ()  # magic items that are not the common ones
    gear: Gear = BARE  # what these are (``items.equipped``)

    @property
    def kit(self) -> tuple[str, ...]:
        """All equipment of its models."""
        return (*self.card.equipment, *self.options)
