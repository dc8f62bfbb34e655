"""Draws an army of a sheet for a game of so many points: units, characters, command, wizards' lores and magic items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np

from wh_env.content.errors import ContentError
from wh_env.content.wap.item_files import Known, known_items
from wh_env.content.wap.item_limits import faults_of_items, faults_of_uniqueness
from wh_env.content.wap.limits import Muster, eligible
from wh_env.content.wap.muster import cost_of
from wh_env.content.wap.schema_battle import Rules
from wh_env.content.wap.schema_items import BANNER
from wh_env.content.wap.schema_units import MANY, Army, Card, Entry, Sheet, TroopTypes

TRIES = 60  # of an army
OFFERS = 60  # units that an army is offered one after the other
MOST_UNITS = 24  # of an army: a table has no room for many more
MOST_MODELS = 40  # of a unit
FILES = (5, 10)  # of units of more models than the first number
MOST_ITEMS = 3  # that a character is offered
ENOUGH = 0.97  # of the points


def draw_army(
    name: str, sheet: Sheet, points: int, rules: Rules, types: TroopTypes, chance: np.random.Generator
) -> Army:
    """A legal army of a sheet.

    Args:
        name: of the sheet, as armies name it.
        points: of the game.
        chance: the source of all randomness; it is advanced.

    Raises:
        ContentError: the sheet makes no legal army of so many points.
    """
    drawing = Drawing(name, sheet, points, rules, types, chance)
    for _ in range(TRIES):
        army = drawing.army()
        if army is not None:
            return army
    expected = f"cards that make an army of {points} points"
    raise ContentError(sheet.source, "cards", sorted(sheet.cards), expected, "make none")


class Drawing:
    """Draws armies of one sheet; the arguments are those of ``draw_army``."""

    def __init__(
        self, name: str, sheet: Sheet, points: int, rules: Rules, types: TroopTypes, chance: np.random.Generator
    ) -> None:
        self.name, self.sheet, self.points, self.rules, self.types = name, sheet, points, rules, types
        self.chance = chance
        self.items = known_items(sheet)

    def army(self) -> Army | None:
        """An army that keeps to all limits; None: this draw made none."""
        characters = self._cards("lord", "hero")
        units: list[Entry] = []
        for cards in (characters, *[self._cards("core")] * MANY):
            if self._is_army(units):
                break
            units = self._with_one(units, cards)
        if not self._is_army(units):
            return None
        for _ in range(OFFERS):
            if self._cost(units) >= ENOUGH * self.points or len(units) >= MOST_UNITS:
                break
            grown = self._with_one(units, list(self.sheet.cards))
            if len(grown) > len(units) and self._is_army(grown):
                units = grown
        return self._written(self._joined(units))

    def _with_one(self, units: Sequence[Entry], cards: Sequence[str]) -> list[Entry]:
        """The units and one more, of one of the cards, if there are points for it."""
        if not cards or len(units) >= MOST_UNITS:
            return list(units)
        card = cards[int(self.chance.integers(len(cards)))]
        entry = self.entry(card, self.points - self._cost(units), units)
        return list(units) if entry is None else [*units, entry]

    def _cards(self, *categories: str) -> list[str]:
        return [name for name, card in self.sheet.cards.items() if card.category in categories]

    def _cost(self, units: Sequence[Entry]) -> int:
        return sum(self._cost_of(entry) for entry in units)

    def _cost_of(self, entry: Entry) -> int:
        return cost_of(entry, self.sheet.cards[entry.card], self.rules.command_points, self.items)

    def _is_army(self, units: Sequence[Entry]) -> bool:
        """Whether the units keep to all limits of an army."""
        if not units:
            return False
        army = self._led(units)
        muster = Muster(army, self.sheet, self.rules, self.types, self.points, items=self.items)
        return not any(True for _ in chain(muster.each_fault(), faults_of_uniqueness(army)))

    def _led(self, units: Sequence[Entry]) -> Army:
        """The army of some units, not validated; the first of those that can lead it is the General."""
        plain = self._army(units)
        able = eligible(plain, self.sheet)
        if able:
            first = able[0]
            return self._army([*units[:first], units[first].model_copy(update={"general": True}), *units[first + 1 :]])
        # nobody leads it: no battle standard is borne either (wap.general.bsb.who)
        none = {"battle_standard": False, "banner": None}
        return self._army([entry.model_copy(update=none) if entry.battle_standard else entry for entry in units])

    def _army(self, units: Sequence[Entry]) -> Army:
        return Army.model_construct(**self._fields(), units=tuple(units), without=(), allies=())

    def _fields(self) -> dict[str, Any]:
        return {"name": f"Random {self.sheet.name}", "sheet": self.name, "points": self.points}

    def _written(self, units: Sequence[Entry]) -> Army:
        """The army of some units, validated."""
        rows = [entry.model_dump(mode="json", by_alias=True, exclude_defaults=True) for entry in self._led(units).units]
        return Army.model_validate({**self._fields(), "units": rows})

    def entry(self, name: str, budget: int, others: Sequence[Entry]) -> Entry | None:
        """A unit of a card for at most ``budget`` points; None: there is none."""
        card = self.sheet.cards[name]
        low, high = card.size[0], min(card.size[1], MOST_MODELS, budget // max(1, card.points))
        if low > high:
            return None
        models = int(self.chance.integers(low, high + 1))
        number = 1 + sum(entry.card == name for entry in others)
        fields: dict[str, Any] = {"card": name, "name": f"{name} {number}", "models": models}
        if models > FILES[0]:
            fields["files"] = int(self.chance.integers(FILES[0], min(models, FILES[1]) + 1))
            while fields["files"] ** 2 < models:
                fields["files"] += 1
        fields["options"] = [item for item in card.options if self._by_chance(0.3)]
        if not card.character and models > len(card.command):
            fields["command"] = [role for role in card.command if self._by_chance(0.6)]
        fields |= self._learned(card)
        if card.category == "hero" and not any(entry.battle_standard for entry in others) and others:
            fields["battle_standard"] = card.wizard is None and self._by_chance(0.4)
        entry = Entry.model_validate(fields)
        entry = self._equipped(entry, card, others)
        return entry if self._cost_of(entry) <= budget else None

    def _by_chance(self, share: float) -> bool:
        return bool(self.chance.random() < share)

    def _learned(self, card: Card) -> dict[str, Any]:
        """Level and lores of a wizard."""
        wizard = card.wizard
        if wizard is None:
            return {}
        levels = [wizard.level, *wizard.upgrades]
        number = min(wizard.together, len(wizard.lores))
        lores = self.chance.permutation(len(wizard.lores))[:number]
        level = levels[int(self.chance.integers(len(levels)))]
        return {"level": level, "lores": [wizard.lores[int(n)] for n in lores]}

    def _equipped(self, entry: Entry, card: Card, others: Sequence[Entry]) -> Entry:
        """The unit with magic items that it may have and no other one has."""
        met = {name for other in others for name in (*other.items, other.banner)}
        offered = self._some([known for name, known in self.items.items() if name not in met])
        taken = 0
        for known in offered if card.items is not None or card.banner is not None else ():
            more: dict[str, Any] = {"items": (*entry.items, known.row.name)}
            if known.row.family == BANNER:
                more = {"banner": known.row.name}
            grown = entry.model_copy(update=more)
            if taken < MOST_ITEMS and not list(faults_of_items(grown, card, self.items)):
                entry, taken = grown, taken + 1
        return entry

    def _some(self, items: Sequence[Known]) -> Iterator[Known]:
        """Half of the time all items in a random order, else none."""
        if self._by_chance(0.5):
            yield from (items[int(n)] for n in self.chance.permutation(len(items)))

    def _joined(self, units: Sequence[Entry]) -> list[Entry]:
        """The units, some of their characters in units of the same troop type that have models enough."""
        cards = self.sheet.cards
        hosts = [entry for entry in units if not cards[entry.card].character and entry.models > FILES[0]]
        joined = list(units)
        for n, entry in enumerate(units):
            card = cards[entry.card]
            fitting = [host for host in hosts if cards[host.card].type == card.type]
            if card.character and fitting and self._by_chance(0.5):
                host = hosts.pop(hosts.index(fitting[int(self.chance.integers(len(fitting)))]))
                joined[n] = entry.model_copy(update={"inside": host.name})
        return joined
