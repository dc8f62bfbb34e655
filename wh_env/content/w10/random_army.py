"""Draws armies: random units of a faction, mustered by the rules (w10.army.*), for nearly all points of the limit."""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import accumulate, pairwise

import numpy as np

from wh_env.content.errors import ContentError
from wh_env.content.w10.muster import (
    MAX_ENHANCEMENTS,
    STRATEGIC_PART,
    may_be_given,
    may_lead,
    most_of,
    most_with,
    places_taken,
    write_out,
)
from wh_env.content.w10.schema import Army, ArmyUnit, Datasheet, Detachment, Faction, Transport
from wh_env.core.actions import ActionSpace

SPENT = 0.9  # share of the points limit that is spent, where the datasheets allow it
TRIES = 30
PACKING = 1.2  # table that a unit takes up, as a multiple of the area of its bases
WEIGHTS = {
    "BATTLELINE": 2.0,
    "CHARACTER": 0.7,
    "TRANSPORT": 0.7,
    "AIRCRAFT": 0.4,
}  # how often a datasheet is drawn; others 1
ROWS = 0.8  # share of units that have exactly as many models as their points are for
OPTIONS = 0.5  # share of wargear options that are taken
ATTACHED = 0.8  # share of Leaders that are attached
SECOND = 0.4  # share of TRANSPORTS with a second unit in them
DEEP_STRIKE, STRATEGIC = 0.5, 0.12  # share of units in Reserves, of those that can be
HOVER = 0.5
UPGRADED = 0.3  # share of Enhancements that are taken

Equipment = dict[str, dict[str, int]]


@dataclass(eq=False)
class Draft:
    """A unit of the army that is being drawn."""

    sheet: Datasheet
    models: int
    equipment: Equipment
    cost: int
    bodyguard: Draft | None = None  # the unit that it leads
    leader: Draft | None = None
    carrier: Draft | None = None
    cargo: list[Draft] = field(default_factory=list)
    reserves: str | None = None
    hover: bool = False
    warlord: bool = False
    enhancement: str | None = None

    def together(self) -> list[Draft]:
        """The unit and the Leader attached to it."""
        return [self, self.leader] if self.leader is not None else [self]

    @property
    def flying(self) -> bool:
        """Whether it starts as AIRCRAFT, and so in Reserves."""
        return self.sheet.has("AIRCRAFT") and not self.hover

    def entry(self) -> ArmyUnit:
        """The unit as an entry of the army list, without references to others."""
        return ArmyUnit(datasheet=self.sheet.name, models=self.models, equipment=self.equipment)


def draw_army(
    faction: Faction,
    sheets: Mapping[str, Datasheet],
    limit: int,
    chance: np.random.Generator,
    room: float = float("inf"),
    name: str = "Random",
) -> Army:
    """A legal army of a faction.

    Args:
        faction: the faction; one of its Detachments is drawn too.
        sheets: datasheets to draw from, by name; those without the Faction keyword are ignored.
        limit: points. At least nine tenths of them are spent if the datasheets allow it.
        chance: the source of all randomness.
        room: square inches that the deployed units may take up.
        name: of the army.

    Raises:
        ContentError: no CHARACTER of the faction is cheap enough, or it has no Detachment.
    """
    own = [s for s in sheets.values() if faction.keyword.upper() in {k.upper() for k in s.faction_keywords}]
    if not faction.detachments:
        raise ContentError("<random>", "faction", faction.name, "a faction with a Detachment", "has none")
    best: _Drawing | None = None
    for _ in range(TRIES):
        detachment = faction.detachments[int(chance.integers(len(faction.detachments)))]
        drawing = _Drawing(own, detachment, limit, room, chance)
        if drawing.draw() and (best is None or drawing.spent > best.spent):
            best = drawing
        if best is not None and best.spent >= SPENT * limit:
            break
    if best is None:
        expected = f"enough points for a CHARACTER of {faction.name} and what its Detachment requires"
        raise ContentError("<random>", "points", limit, expected, "are too few")
    return Army(
        name=name, faction=faction.name, detachment=best.detachment.name, points_limit=limit, units=best.units()
    )


class _Drawing:
    """One attempt to draw an army."""

    def __init__(
        self, sheets: list[Datasheet], detachment: Detachment, limit: int, room: float, chance: np.random.Generator
    ) -> None:
        space = ActionSpace()
        self.slots, self.largest = space.units, space.models - 2
        self.sheets = [s for s in sheets if s.name not in detachment.forbids and s.smallest <= self.largest]
        self.most = {s.name: most_of(s) for s in self.sheets}
        self.weights = {s.name: _weight(s) for s in self.sheets}
        self.detachment = detachment
        self.limit = limit
        self.room = room
        self.chance = chance
        self.drafts: list[Draft] = []
        self.counts: Counter[str] = Counter()
        self.spent = 0
        self.places: dict[tuple[str, int], int | None] = {}

    def draw(self) -> bool:
        """Draw the units; returns whether the attempt makes a legal army."""
        required = [[s for s in self.sheets if s.name == name] for name in self.detachment.requires]
        first = [*required, [s for s in self.sheets if s.has("CHARACTER") and not s.abilities.no_warlord]]
        if not all(self._buy(self._affordable(some)) for some in first):
            return False
        self._buy(self._affordable([s for s in self.sheets if s.has("BATTLELINE")]))
        while len(self.drafts) < self.slots and self._buy(self._affordable(self.sheets)):
            pass
        self._characters()
        self._reserves()
        return True

    def _happens(self, share: float) -> bool:
        return self.chance.random() < share

    def _one_of(self, count: int) -> int:
        return int(self.chance.integers(count))

    # ---- buying

    def _affordable(self, sheets: list[Datasheet]) -> list[Datasheet]:
        """Datasheets of which the army can hold one more unit."""
        left = self.limit - self.spent
        return [
            s
            for s in sheets
            if s.cost(s.smallest) <= left and self.counts[s.name] < self.most[s.name] and self._fits(s)
        ]

    def _fits(self, sheet: Datasheet) -> bool:
        """Whether a unit has room on the table; a DEDICATED TRANSPORT needs passengers."""
        if sheet.has("DEDICATED TRANSPORT") and not self._passengers(sheet):
            return False
        return _area(sheet, sheet.smallest) <= self.room

    def _buy(self, sheets: list[Datasheet]) -> bool:
        """Add a unit of one of the datasheets, with equipment and attachments; returns False if there is none."""
        if not sheets:
            return False
        sums = list(accumulate(self.weights[sheet.name] for sheet in sheets))
        sheet = sheets[bisect(sums, self.chance.random() * sums[-1])]
        models = self._size(sheet)
        draft = Draft(sheet, models, {}, sheet.cost(models))
        draft.equipment, points = self._equipment(sheet, draft.entry(), self.limit - self.spent - draft.cost)
        draft.cost += points
        self.drafts.append(draft)
        self.counts[sheet.name] += 1
        self.spent += draft.cost
        if not sheet.has("AIRCRAFT"):
            self.room -= _area(sheet, models)
        self._lead(draft)
        self._load(draft)
        return True

    def _size(self, sheet: Datasheet) -> int:
        """The number of models of a new unit: mostly the largest of a row of points."""
        rows = [min(row.models, self.largest) for row in sheet.points]
        spans = [(sheet.smallest, rows[0]), *((low + 1, high) for low, high in pairwise(rows))]
        left = self.limit - self.spent
        spans = [s for s in spans if s[0] <= s[1] and sheet.cost(s[1]) <= left and _area(sheet, s[1]) <= self.room]
        if not spans:
            return sheet.smallest
        low, high = spans[self._one_of(len(spans))]
        return high if self._happens(ROWS) else int(self.chance.integers(low, high + 1))

    def _equipment(self, sheet: Datasheet, unit: ArmyUnit, left: int) -> tuple[Equipment, int]:
        """Random options for some of the models, and their points."""
        have = Counter(model.type.name for model in write_out(unit, sheet))
        models, points, chosen = sum(have.values()), 0, {}
        for kind in sheet.models:
            free, taken = have[kind.name], {}
            shared: Counter[str] = Counter()
            for at in self.chance.permutation(len(kind.options)):
                option = kind.options[at]
                most = min(free, most_with(option, models, free) - shared[option.share or option.name])
                if option.points:
                    most = min(most, (left - points) // option.points)
                if most > 0 and self._happens(OPTIONS):
                    number = 1 + self._one_of(most)
                    taken[option.name] = number
                    shared[option.share or option.name] += number
                    free -= number
                    points += number * option.points
            if taken:
                chosen[kind.name] = taken
        return chosen, points

    # ---- formations

    def _lead(self, draft: Draft) -> None:
        """Attach the new unit to a unit that it can lead, or attach a free Leader to it."""
        if not self._happens(ATTACHED):
            return
        pairs = [(draft, other) for other in self.drafts] if _leads(draft) else []
        pairs += [(other, draft) for other in self.drafts if _leads(other) and other is not draft]
        pairs = [
            (leader, unit)
            for leader, unit in pairs
            if may_lead(leader.sheet, write_out(leader.entry(), leader.sheet), unit.sheet.name)
            and unit.leader is None
            and leader.bodyguard is None
            and leader.carrier is None
            and (unit.carrier is None or self._takes(unit.carrier.sheet, [*unit.carrier.cargo, leader]))
        ]
        if not pairs:
            return
        leader, bodyguard = pairs[self._one_of(len(pairs))]
        leader.bodyguard, bodyguard.leader = bodyguard, leader
        if bodyguard.carrier is not None:
            self._embark([leader], bodyguard.carrier)

    def _passengers(self, sheet: Datasheet) -> list[Draft]:
        """Units that could start in a TRANSPORT of this datasheet if it were empty."""
        free = [d for d in self.drafts if d.carrier is None and d.bodyguard is None and not d.cargo]
        return [d for d in free if self._takes(sheet, d.together())]

    def _takes(self, sheet: Datasheet, cargo: list[Draft]) -> bool:
        transport = sheet.abilities.transport
        if transport is None:
            return False
        places = [self._places(sheet.name, transport, draft) for draft in cargo]
        return None not in places and sum(filter(None, places)) <= transport.capacity

    def _places(self, name: str, transport: Transport, draft: Draft) -> int | None:
        """The places that a unit takes up in a TRANSPORT of that name; computed once."""
        key = (name, id(draft))
        if key not in self.places:
            self.places[key] = places_taken(transport, draft.sheet, write_out(draft.entry(), draft.sheet))
        return self.places[key]

    def _load(self, draft: Draft) -> None:
        """Put one or two units into a TRANSPORT."""
        if draft.sheet.abilities.transport is None:
            return
        dedicated = draft.sheet.has("DEDICATED TRANSPORT")
        for wanted in (dedicated or self._happens(0.5), self._happens(SECOND)):
            units = [
                d for d in self._passengers(draft.sheet) if self._takes(draft.sheet, [*draft.cargo, *d.together()])
            ]
            if not wanted or not units:
                return
            self._embark(units[self._one_of(len(units))].together(), draft)

    def _embark(self, group: list[Draft], carrier: Draft) -> None:
        """Put units into a TRANSPORT and free their room on the table."""
        carrier.cargo += group
        for part in group:
            part.carrier = carrier
            self.room += _area(part.sheet, part.models)

    # ---- the rest

    def _reserves(self) -> None:
        """Choose the units that start in Reserves.

        At most half of the units do, with a part of the points in Strategic Reserves.
        """
        strategic = self.limit // STRATEGIC_PART
        for draft in self.drafts:
            if draft.sheet.abilities.hover:
                draft.hover = self._happens(HOVER)
        groups = [d for d in self.drafts if d.carrier is None and d.bodyguard is None and not d.flying]
        aboard = [d for d in self.drafts if d.carrier is not None and d.carrier.flying and d.bodyguard is None]
        for draft in aboard:  # passengers of an AIRCRAFT start in Reserves with it
            cost = sum(part.cost for part in draft.together())
            if _all_deep_strike(draft):
                draft.reserves = "deep-strike"
            elif cost <= strategic:
                draft.reserves, strategic = "strategic", strategic - cost
            else:
                _disembark(draft)
        left = len(groups) // 2
        for draft in groups:
            if left == 0:
                return
            inside = [*draft.together(), *draft.cargo]
            cost = sum(part.cost for part in inside)
            if _all_deep_strike(draft) and self._happens(DEEP_STRIKE):
                draft.reserves = "deep-strike"
            elif cost <= strategic and not draft.sheet.has("FORTIFICATION") and self._happens(STRATEGIC):
                draft.reserves, strategic = "strategic", strategic - cost
            left -= draft.reserves is not None

    def _characters(self) -> None:
        """Choose Warlord and Enhancements: Enhancements are bought while much of the limit is left, else by chance."""
        characters = [draft for draft in self.drafts if draft.sheet.has("CHARACTER")]
        leading = [draft for draft in characters if not draft.sheet.abilities.no_warlord]
        leading[self._one_of(len(leading))].warlord = True
        able = [draft for draft in characters if not draft.sheet.has("EPIC HERO")]
        offered = list(self.detachment.enhancements)
        order = [offered[at] for at in self.chance.permutation(len(offered))]
        given = 0
        for enhancement in order:
            if not able or given == MAX_ENHANCEMENTS:
                return
            needed = self.spent < SPENT * self.limit
            fit = [draft for draft in able if may_be_given(enhancement, draft.sheet)]
            if fit and enhancement.points <= self.limit - self.spent and (needed or self._happens(UPGRADED)):
                draft = fit[self._one_of(len(fit))]
                able.remove(draft)
                draft.enhancement = enhancement.name
                draft.cost += enhancement.points
                self.spent += enhancement.points
                given += 1

    def units(self) -> tuple[ArmyUnit, ...]:
        """The units of the army list; Leaders and passengers refer to other units by id."""
        numbers: Counter[str] = Counter()
        ids: dict[int, str] = {}
        for draft in self.drafts:
            name = draft.sheet.name.lower()
            numbers[name] += 1
            ids[id(draft)] = name if self.counts[draft.sheet.name] == 1 else f"{name} {numbers[name]}"
        return tuple(
            draft.entry().model_copy(
                update={
                    "id": ids[id(draft)],
                    "leads": ids[id(draft.bodyguard)] if draft.bodyguard is not None else None,
                    # a Leader goes with the unit that it leads
                    "embarked_in": ids[id(draft.carrier)]
                    if draft.carrier is not None and not draft.bodyguard
                    else None,
                    "reserves": draft.reserves,
                    "hover": draft.hover,
                    "warlord": draft.warlord,
                    "enhancement": draft.enhancement,
                }
            )
            for draft in self.drafts
        )


def _weight(sheet: Datasheet) -> float:
    return min((weight for keyword, weight in WEIGHTS.items() if sheet.has(keyword)), default=1.0)


def _leads(draft: Draft) -> bool:
    return bool(draft.sheet.abilities.leader) and draft.sheet.has("CHARACTER")


def _disembark(draft: Draft) -> None:
    """Let the unit, with its Leader, start on the table and not in its TRANSPORT."""
    assert draft.carrier is not None
    for part in draft.together():
        draft.carrier.cargo.remove(part)
    for part in draft.together():
        part.carrier = None


def _area(sheet: Datasheet, models: int) -> float:
    """Square inches of table that a unit takes up, by the base of its last type of model."""
    half_a, half_b = sheet.models[-1].base.halves
    return PACKING * models * 4 * half_a * half_b


def _all_deep_strike(draft: Draft) -> bool:
    return all(part.sheet.abilities.deep_strike for part in draft.together())
