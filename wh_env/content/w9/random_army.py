"""Draws armies of the 9th edition: one Detachment of random units for nearly all points of the limit (w9.army.*)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from wh_env.content.classic.drawing import EMBARKED, LARGEST, TELEPORT, area_of, random_equipment
from wh_env.content.classic.fielding import carrying, cost, places_taken, write_out
from wh_env.content.classic.schema import ClassicDatasheet, Role
from wh_env.content.errors import ContentError
from wh_env.content.w9.muster import TRANSPORT_ROLE
from wh_env.content.w9.schema import Army, ArmyDetachment, ArmySize, ArmyUnit, DetachmentType, Faction, Tables
from wh_env.core.actions import ActionSpace
from wh_env.rulesets.w40k.keywords import singular

USUAL = 3  # Detachments with a refund are drawn this many times as often as others
SPENT = 0.9  # share of the points limit that is spent, where the datasheets allow it
TRIES = 30
STRATEGIC = 0.1  # share of units in Strategic Reserves, of those that can be


@dataclass(eq=False)
class Draft:
    """A unit of the army that is being drawn."""

    sheet: ClassicDatasheet
    models: int
    equipment: dict[str, dict[str, int]]
    carrier: Draft | None = None
    cargo: list[Draft] = field(default_factory=list)
    reserves: Literal["deep-strike", "strategic"] | None = None

    @property
    def cost(self) -> int:
        """Its points."""
        return cost(self.sheet, write_out(self.sheet, self.models, self.equipment))

    @property
    def area(self) -> float:
        """Square inches of table that it takes up."""
        return area_of(self.sheet, self.models)


class Drawing:
    """Draws armies of a faction for a size of battle.

    Args:
        faction, sheets: the faction and its datasheets; those without its keyword are ignored.
        tables, size: Detachments, and the Command points for them.
        limit: points. At least nine tenths of them are spent if the datasheets allow it.
        room: square inches that the deployed units may take up.
        chance: the source of all randomness.
    """

    def __init__(
        self,
        faction: Faction,
        sheets: Mapping[str, ClassicDatasheet],
        tables: Tables,
        size: ArmySize,
        limit: int,
        room: float,
        chance: np.random.Generator,
    ) -> None:
        space, keyword = ActionSpace(), singular(faction.keyword)
        self.faction, self.limit, self.room, self.chance = faction, limit, room, chance
        self.slots, self.largest = space.units, space.models - 2
        self.sheets = [
            sheet
            for sheet in sheets.values()
            if keyword in {singular(k) for k in sheet.faction_keywords} and sheet.smallest <= self.largest
        ]
        # the WARLORD is in it, so the refund counts
        self.types = {
            name: kind
            for name, kind in tables.detachments.items()
            if kind.slots.get("HQ", (0, 0))[0] and kind.cp - kind.refund <= size.cp
        }
        self.drafts: list[Draft] = []

    def army(self, name: str) -> Army:
        """A drawn army with this name.

        Raises:
            ContentError: the points do not suffice for the compulsory units of any Detachment.
        """
        best: tuple[int, Army] | None = None
        for _ in range(TRIES):
            kinds = [name for name, kind in sorted(self.types.items()) for _ in range(USUAL if kind.refund else 1)]
            kind = kinds[self._one_of(len(kinds))] if kinds else None
            if kind is None or not self._fill(self.types[kind]):
                continue
            spent = self._spent()
            if best is None or spent > best[0]:
                best = spent, self._written(name, kind)
            if best[0] >= SPENT * self.limit:
                break
        if best is None:
            expected = f"enough points for the compulsory units of a Detachment of {self.faction.name}"
            raise ContentError("<random>", "points", self.limit, expected, "are too few")
        return best[1]

    def _happens(self, share: float) -> bool:
        return self.chance.random() < share

    def _one_of(self, count: int) -> int:
        return int(self.chance.integers(count))

    def _spent(self) -> int:
        return sum(draft.cost for draft in self.drafts)

    def _area(self) -> float:
        return sum(draft.area for draft in self.drafts if draft.carrier is None)

    # ---- units

    def _fill(self, kind: DetachmentType) -> bool:
        """Fill a Detachment, compulsory units first; returns whether the compulsory ones were found."""
        self.drafts = []
        for role, (least, _) in kind.slots.items():
            for _ in range(least):
                if not self._buy(self._open([role]), smallest=True):  # so that there are points for all of them
                    return False
        while len(self.drafts) < self.slots:
            counts = Counter(draft.sheet.role for draft in self.drafts)
            roles: list[Role] = [role for role, (_, most) in kind.slots.items() if counts[role] < most]
            infantry = sum(draft.sheet.has("INFANTRY") for draft in self.drafts)
            if kind.transports and counts[TRANSPORT_ROLE] < infantry:
                roles.append(TRANSPORT_ROLE)
            if not self._buy(self._open(roles)):
                break
        for draft in self.drafts:
            self._load(draft)
        self._reserves()
        return True

    def _open(self, roles: Iterable[Role]) -> list[ClassicDatasheet]:
        """Datasheets of these roles with points and room for one more unit."""
        left, room, wanted = self.limit - self._spent(), self.room - self._area(), set(roles)
        return [
            sheet
            for sheet in self.sheets
            if sheet.role in wanted
            and cost(sheet, write_out(sheet, None, {})) <= left
            and area_of(sheet, sheet.smallest) <= room
        ]

    def _buy(self, sheets: list[ClassicDatasheet], *, smallest: bool = False) -> bool:
        """Add a unit of one of the datasheets; returns False if there is none."""
        if not sheets:
            return False
        sheet = sheets[self._one_of(len(sheets))]
        left, room = self.limit - self._spent(), self.room - self._area()
        sizes = [
            models
            for models in range(sheet.smallest, min(sheet.largest, self.largest) + 1)
            if cost(sheet, write_out(sheet, models, {})) <= left and area_of(sheet, models) <= room
        ]
        models = sizes[-1] if self._happens(LARGEST) else sizes[self._one_of(len(sizes))]
        if smallest:
            models = sheet.smallest
        self.drafts.append(Draft(sheet, models, random_equipment(sheet, models, self.chance, left)))
        return True

    # ---- before the battle

    def _load(self, carrier: Draft) -> None:
        """Put a unit into a TRANSPORT."""
        transport = carrier.sheet.abilities.transport
        if transport is None or not self._happens(EMBARKED):
            return
        if not carrying(carrier.sheet, write_out(carrier.sheet, carrier.models, carrier.equipment)):
            return
        able = []
        for draft in self.drafts:
            places = places_taken(transport, draft.sheet, write_out(draft.sheet, draft.models, draft.equipment))
            if draft is not carrier and draft.carrier is None and not draft.cargo:
                able += [draft] if places is not None and places <= transport.capacity else []
        if able:
            inside = able[self._one_of(len(able))]
            inside.carrier = carrier
            carrier.cargo.append(inside)

    def _reserves(self) -> None:
        """Choose the units that start in Reserves (w9.reserves.half-army): at most half, by units and by points."""
        units, points = len(self.drafts) // 2, self._spent() // 2
        for draft in self.drafts:
            if draft.carrier is not None:
                continue
            group = [draft, *draft.cargo]
            worth = sum(part.cost for part in group)
            if len(group) > units or worth > points:
                continue
            if draft.sheet.abilities.teleport and not draft.cargo and self._happens(TELEPORT):
                draft.reserves = "deep-strike"
            elif draft.sheet.role != "Fortifications" and self._happens(STRATEGIC):
                draft.reserves = "strategic"
            if draft.reserves is not None:
                units, points = units - len(group), points - worth

    # ---- the list

    def _written(self, name: str, kind: str) -> Army:
        """The army list: units have ids, and one of the HQ units is the WARLORD."""
        totals, numbers = Counter(draft.sheet.name for draft in self.drafts), Counter[str]()
        ids: dict[int, str] = {}
        for draft in self.drafts:
            called = draft.sheet.name
            numbers[called] += 1
            ids[id(draft)] = called.lower() if totals[called] == 1 else f"{called.lower()} {numbers[called]}"
        leaders = [draft for draft in self.drafts if draft.sheet.role == "HQ"]
        warlord = leaders[self._one_of(len(leaders))]
        units = tuple(
            ArmyUnit(
                datasheet=draft.sheet.name,
                id=ids[id(draft)],
                models=draft.models,
                equipment=draft.equipment,
                embarked_in=None if draft.carrier is None else ids[id(draft.carrier)],
                reserves=draft.reserves,
                warlord=draft is warlord,
            )
            for draft in self.drafts
        )
        detachment = ArmyDetachment(type=kind, units=units)
        return Army(name=name, faction=self.faction.name, points_limit=self.limit, detachments=(detachment,))
