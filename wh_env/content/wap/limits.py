"""Limits of an army: shares of each category, number of units, duplicates (wap.army.*), and its General."""

from __future__ import annotations

from collections.abc import Iterator

from wh_env.content.errors import ContentError, together
from wh_env.content.wap.item_files import Items
from wh_env.content.wap.load import LoadedArmy, LoadedBattle, troop_types
from wh_env.content.wap.muster import cost_of
from wh_env.content.wap.outfits import unit_abilities_of
from wh_env.content.wap.schema_battle import Limits, Rules
from wh_env.content.wap.schema_units import CHARACTERS, Ally, Card, OneArmy, Sheet, TroopTypes
from wh_env.rulesets.wap.rule_book import EXPENDABLE, HIDDEN

TOGETHER = "characters"  # Lords and Heroes


def general_of(army: OneArmy, sheet: Sheet) -> int:
    """The number of the unit that is the General, -1: none (wap.army.general.required).

    It is the unit the list names, else the only eligible one, unless the list does without a General.
    """
    named = next((n for n, entry in enumerate(army.units) if entry.general), -1)
    able = eligible(army, sheet)
    return able[0] if named < 0 and len(able) == 1 and "general" not in army.without else named


def eligible(army: OneArmy, sheet: Sheet) -> list[int]:
    """Units that can be the General: Lords, or Heroes of an army without Lords (wap.army.general.lord).

    A hidden character cannot (wap.special.hidden.general), nor the bearer of the army's battle standard
    (wap.general.bsb.who).
    """
    for category in CHARACTERS:
        of_it = [n for n, entry in enumerate(army.units) if sheet.cards[entry.card].category == category]
        if of_it:
            return [n for n in of_it if can_lead(army, sheet, n)]
    return []


def can_lead(army: OneArmy, sheet: Sheet, n: int) -> bool:
    """Whether a unit can lead the army: it is not Hidden and bears no battle standard."""
    return HIDDEN.name not in sheet.cards[army.units[n].card].rules and not army.units[n].battle_standard


def least_units(points: int, limits: Limits) -> int:
    """The least number of Core, Special and Rare units in a game of ``points`` points (wap.army.units.minimum)."""
    if limits.units_by == "text":
        return 1 + points // limits.units_each
    return max(1, -(-points // limits.units_each))


def most_alike(category: str, points: int, limits: Limits) -> int | None:
    """The most units of one Special or Rare card, None: any number (wap.army.duplicates)."""
    first = {"special": limits.special_duplicates_from, "rare": limits.rare_duplicates_from}.get(category)
    if first is None:
        return None
    return 1 if points < first else 2 + (points - first) // limits.duplicates_each


def shares_of(limits: Limits) -> dict[str, tuple[int, int, str]]:
    """The least and the most percent of each category, or of categories that count together, and the rule id.

    The rule is wap.army.percentages.
    """
    return {
        "core": (limits.core_least, 100, "wap.army.core.minimum"),
        "special": (0, limits.special_most, "wap.army.special.maximum"),
        "rare": (0, limits.rare_most, "wap.army.rare.maximum"),
        "lord": (0, limits.lords_most, "wap.army.characters.maximum"),
        "hero": (0, limits.heroes_most, "wap.army.characters.maximum"),
        TOGETHER: (0, limits.characters_most, "wap.army.characters.maximum"),
    }


class Muster:
    """Checks an army against the limits of a game.

    Args:
        army, sheet: the list and its cards, checked against each other.
        rules: numbers of the game.
        types: the table of troop types.
        points: of the game, or the army's share of them beside its allies; None: those that the list names, else its
            cost.
        whose: whose points those are, in words.
        items: the magic items that it may have, if they have been read.
    """

    def __init__(
        self,
        army: OneArmy,
        sheet: Sheet,
        rules: Rules,
        types: TroopTypes,
        points: int | None = None,
        whose: str = "those of the game",
        items: Items | None = None,
    ) -> None:
        self.whose = whose
        self.army, self.sheet, self.limits, self.types = army, sheet, rules.army, types
        self.cards: list[Card] = [sheet.cards[entry.card] for entry in army.units]
        book = sheet if items is None else items
        self.costs = [cost_of(*pair, rules.command_points, book) for pair in zip(army.units, self.cards, strict=True)]
        self.cost = sum(self.costs)
        self.points = points or army.points or self.cost
        self.at: dict[str, list[int]] = {}  # the numbers of the units of each card
        for n, entry in enumerate(army.units):
            self.at.setdefault(entry.card, []).append(n)

    def faults(self) -> list[ContentError]:
        """Every limit that the army breaks, except those that the list does without."""
        return list(self.each_fault())

    def each_fault(self) -> Iterator[ContentError]:
        """The faults of ``faults``, found one after the other."""
        yield from self._cost()
        yield from self._general()
        yield from self._number()
        yield from self._shares()
        yield from self._expendable()
        yield from self._only_one()
        yield from self._limited()
        yield from self._duplicates()

    def spent(self, *categories: str) -> int:
        """Points of all units of these categories."""
        return sum(cost for cost, card in zip(self.costs, self.cards, strict=True) if card.category in categories)

    def _of(self, *categories: str) -> list[int]:
        return [n for n, card in enumerate(self.cards) if card.category in categories]

    def _fault(
        self, limit: str, field: str, value: object, expected: str, problem: str, rule: str
    ) -> Iterator[ContentError]:
        """The fault, unless the list does without this limit."""
        if limit not in self.army.without:
            told = f"{expected} ({rule}), or {limit!r} among `without`"
            yield ContentError(self.army.source, field, value, told, problem)

    def _cost(self) -> Iterator[ContentError]:
        """The fault of an army that costs more than agreed (wap.battle.points, wap.army.points.limit).

        A list cannot do without this limit.
        """
        if self.cost > self.points:
            expected = f"at most {self.points} points, {self.whose} (wap.battle.points)"
            yield ContentError(self.army.source, "units", self.cost, expected, "points are spent")

    def _general(self) -> Iterator[ContentError]:
        named = next((n for n, entry in enumerate(self.army.units) if entry.general), None)
        able = eligible(self.army, self.sheet)
        names = [self.army.units[n].name or self.army.units[n].card for n in able]
        rule = "wap.army.general.required"
        if named is not None and self.cards[named].category not in CHARACTERS:
            where, value = f"units[{named}].general", self.army.units[named].card
            yield from self._fault("general", where, value, "a Lord or a Hero", "is neither", rule)
        elif named is not None and named not in able:
            where, value = f"units[{named}].general", self.army.units[named].card
            expected = "a Lord, as there are Lords" + (f": {', '.join(names)}" if names else "")
            yield from self._fault("general", where, value, expected, "is a Hero", "wap.army.general.lord")
        elif named is None and not able:
            yield from self._fault(
                "general", "units", self.army.name, "a Lord or a Hero who can lead", "has no General", rule
            )
        elif named is None and len(able) > 1:
            expected = f"`general: true` for one of {', '.join(names)}"
            yield from self._fault("general", "units", self.army.name, expected, "names no General", rule)

    def _number(self) -> Iterator[ContentError]:
        least, found = least_units(self.points, self.limits), len(self._of("core", "special", "rare"))
        if found < least:
            expected = f"at least {least} Core, Special and Rare units in a game of {self.points} points"
            yield from self._fault("units", "units", found, expected, "are too few", "wap.army.units.minimum")

    def _shares(self) -> Iterator[ContentError]:
        whole = self.points if self.limits.percent_of == "game" else self.cost
        for name, (least, most, rule) in shares_of(self.limits).items():
            found = self.spent(*(CHARACTERS if name == TOGETHER else (name,)))
            limit, words = name, f"{name.capitalize()} units"
            if name in (*CHARACTERS, TOGETHER):
                limit, words = TOGETHER, "Lords and Heroes together" if name == TOGETHER else f"{name.capitalize()}s"
            said = "points spent on " + (words if name != "hero" else "Heroes")
            if 100 * found < least * whole:
                expected = f"at least {least} % of {whole}"
                yield from self._fault(limit, "units", found, expected, f"{said} are too few", rule)
            if most < 100 and 100 * found > most * whole:
                expected = f"at most {most} % of {whole}"
                yield from self._fault(limit, "units", found, expected, f"{said} are too many", rule)

    def _expendable(self) -> Iterator[ContentError]:
        """The fault of too many Expendable Core units (wap.army.core.expendable, wap.special.expendable.core)."""
        core = self._of("core")
        cheap = [n for n in core if is_expendable(self.cards[n], self.types)]
        others = len(core) - len(cheap)
        if len(cheap) > others:
            field, value = f"units[{cheap[others]}].card", self.army.units[cheap[others]].card
            expected = f"as many Core units that are not Expendable as the {len(cheap)} that are"
            problem = f"is one Expendable Core unit too many beside {others} others"
            yield from self._fault("expendable", field, value, expected, problem, "wap.army.core.expendable")

    def _only_one(self) -> Iterator[ContentError]:
        for card, at in self._by_card():
            own = self.sheet.cards[card]
            if own.special_character and len(at) > 1:
                field, rule = f"units[{at[1]}].card", "wap.army.special-characters"
                yield from self._fault("special characters", field, card, "him once", "is there twice", rule)

    def _limited(self) -> Iterator[ContentError]:
        for card, at in self._by_card():
            own = self.sheet.cards[card]
            if own.limit is not None and len(at) > own.limit:
                field, rule = f"units[{at[own.limit]}].card", "wap.army.limited-choices"
                expected = f"at most {own.limit}, as the choice is 0-{own.limit}"
                yield from self._fault("limited choices", field, card, expected, f"is there {len(at)} times", rule)

    def _duplicates(self) -> Iterator[ContentError]:
        """Faults of too many units of the same card, whatever their size and options (wap.army.duplicates.kind).

        Mounts that are cards count too (wap.army.duplicates.mounts).
        """
        at_of = {card: list(at) for card, at in self.at.items()}
        for n, rider in enumerate(self.cards):
            if rider.rides is not None:
                at_of.setdefault(rider.rides, []).append(n)
        for card, own in self.sheet.cards.items():
            if len(at_of.get(card, ())) < 2:
                continue
            most, at = most_alike(own.category or "", self.points, self.limits), sorted(at_of[card])
            if most is not None and len(at) > most:
                field, rule = f"units[{at[most]}].card", "wap.army.duplicates"
                expected = (
                    f"at most {most} of this {own.category} choice, mounts included, in a game of {self.points} points"
                )
                problem = f"makes it {len(at)} of {card}"
                yield from self._fault("duplicates", field, self.army.units[at[most]].card, expected, problem, rule)

    def _by_card(self) -> Iterator[tuple[str, list[int]]]:
        """The cards of the army's units in the order of the sheet, each with the numbers of its units."""
        return ((card, self.at[card]) for card in self.sheet.cards if card in self.at)


def is_expendable(card: Card, types: TroopTypes) -> bool:
    """Whether the card or its troop type has the rule Expendable."""
    return EXPENDABLE in unit_abilities_of(card, types.row(card.type))


def check_lists(loaded: LoadedBattle, rules: Rules) -> None:
    """Check that both armies of a battle keep to the limits of a game of its points.

    Faults of two identical lists are reported once.

    Raises:
        ContentError: the first fault, the others in its ``others``.
    """
    first, second = loaded.armies
    different = (first,) if first == second else (first, second)
    types, points = troop_types(), loaded.config.points
    faults = [fault for one in different for fault in faults_of_side(one, rules, types, points)]
    if faults:
        raise together(faults)


def faults_of_side(main: LoadedArmy, rules: Rules, types: TroopTypes, points: int | None) -> list[ContentError]:
    """Every limit that the armies of a side break. Each army keeps to the limits of its share of the points: an ally to
    what its list names, else its cost, the main army to the rest (wap.ally.teams, .general-and-standard).
    """
    if not main.allies:
        return Muster(main.army, main.sheet, rules, types, points).faults()
    faults, shares = list[ContentError](), list[int]()
    for ally in main.allies:
        faults += faults_of_books(ally, rules)
        muster = Muster(ally.army, ally.sheet, rules, types, whose="its share of those of the game")
        shares.append(muster.points)
        faults += muster.faults()
    own = Muster(main.army, main.sheet, rules, types)
    game = points or main.army.points or own.cost + sum(shares)
    if sum(shares) >= game:
        expected = f"fewer than the {game} points of the game in all (wap.battle.points)"
        return [*faults, ContentError(main.army.source, "allies", shares, expected, "leave the army itself no points")]
    whose = f"what its allies leave of the {game} of the game"
    return faults + Muster(main.army, main.sheet, rules, types, game - sum(shares), whose).faults()


def faults_of_books(ally: LoadedArmy, rules: Rules) -> Iterator[ContentError]:
    """The fault of an ally out of a second army book where one player may not choose from two (wap.ally.two-books)."""
    if isinstance(ally.army, Ally) and ally.army.player is None and not rules.two_books:
        expected = "the `player` who leads it, or `two_books: true` among the rules (wap.ally.two-books)"
        yield ContentError(ally.army.source, "sheet", ally.sheet.name, expected, "is a second army book of one player")
