"""Alignments of armies, and how far armies of one side trust each other; see ``configs/wap/alliances.yaml``
(wap.ally.*).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, NamedTuple, Protocol, Self, get_args

from pydantic import Field, model_validator

from wh_env.content.errors import ContentError, Expected
from wh_env.content.fields import Content, Flag, Name
from wh_env.content.load import config_root, from_file
from wh_env.content.wap.schema_units import Alignment, Sheet
from wh_env.core.tables import Array
from wh_env.rulesets.wap.allies.relations import RELATIONS, Alliances, Bond, Relation

Trust = Literal["blood-bound", "trusted", "suspicious", "desperate"]
Books = Annotated[tuple[Name, ...], Field(max_length=64)]
Pair = Literal[
    "same faction",
    "order with order",
    "destruction with destruction",
    "destruction with order",
    "neutral with order",
    "destruction with neutral",
    "neutral with neutral",
]
NEUTRAL = "neutral"


class Permission(Content):
    """What a relation allows (wap.ally.permissions)."""

    relation: Trust
    characters_join: Flag
    inspiring_presence: Flag
    hold_your_ground: Flag
    expendable_to_ally: Flag
    dangerous_test_fleeing_through: Flag

    @property
    def bond(self) -> Bond:
        """The same as rules read it."""
        return Bond(**{name: getattr(self, name) for name in Bond._fields})


class AllianceTables(Content):
    """The tables of alliances."""

    alignments: dict[Alignment, Books]
    fragile: Books
    relations: dict[Pair, Trust]
    permissions: tuple[Permission, Permission, Permission, Permission]

    @model_validator(mode="after")
    def _all(self) -> Self:
        named = tuple(row.relation for row in self.permissions)
        if named != RELATIONS:
            raise Expected("each relation once: " + ", ".join(RELATIONS), "are others", "permissions", named)
        missing = [pair for pair in get_args(Pair) if pair not in self.relations]
        if missing:
            raise Expected("a relation for each pair of alignments", "is missing", "relations", missing[0])
        return self

    def alignment_of(self, book: str) -> Alignment | None:
        """The alignment of an army book, None: the tables do not name it (wap.ally.alignment)."""
        return next((alignment for alignment, books in self.alignments.items() if book in books), None)

    def relation_of(self, one: Party, other: Party) -> Relation:
        """How far two armies of a side trust each other as the battle begins (wap.ally.relation)."""
        same = one.book == other.book and (one.player == other.player or one.alignment != NEUTRAL)
        words = "same faction" if same else " with ".join(sorted((one.alignment, other.alignment)))
        pair = next(pair for pair in self.relations if pair == words)
        return Relation(RELATIONS.index(self.relations[pair]))

    def is_fragile(self, parties: Sequence[Party]) -> bool:
        """Whether the alliance of these armies is a fragile one (wap.ally.fragile)."""
        return len(parties) > 1 and any(party.book in self.fragile for party in parties)


class Party(NamedTuple):
    """An army of a side.

    Attributes:
        name: its name. book: its army book. alignment: of that. player: who leads it; "": the side's main player.
    """

    name: str
    book: str
    alignment: str
    player: str = ""


class Member(Protocol):
    """A unit of a side, as alliances see it."""

    @property
    def army(self) -> int:
        """The number of its army on its side."""

    @property
    def general(self) -> bool:
        """Whether it is the General of its army."""

    @property
    def battle_standard(self) -> bool:
        """Whether it bears the standard of its army."""


Parties = tuple[Sequence[Party], Sequence[Party]]
Units = Sequence[tuple[int, Member]]  # with the player of each


def alliance_tables() -> AllianceTables:
    """The tables of ``configs/wap/alliances.yaml``."""
    return from_file(AllianceTables, config_root() / "wap" / "alliances.yaml")


def check_alignment(sheet: Sheet) -> None:
    """Check that a sheet of a book that the tables name has the alignment of that book.

    Raises:
        ContentError: it has another one.
    """
    book = sheet.book or sheet.name
    known = alliance_tables().alignment_of(book)
    if known is not None and sheet.alignment != known:
        expected = f"{known}, the alignment of {book} (wap.ally.alignment)"
        raise ContentError(sheet.source, "alignment", sheet.alignment, expected)


def army_rows(parties: Parties, units: Units) -> list[int]:
    """The row of ``armies`` that each unit's army has, if a side has allies."""
    return [unit.army + player * len(parties[0]) for player, unit in units]


def has_allies(parties: Parties) -> bool:
    """Whether a side has more than one army."""
    return max(map(len, parties)) > 1


def leaders_of(parties: Parties) -> list[int]:
    """The row of the first army that the player of each army leads: one player may lead armies of two books
    (wap.ally.two-books).
    """
    found: list[int] = []
    for side in parties:
        first, players = len(found), [party.player for party in side]
        found += [first + players.index(player) for player in players]
    return found


def alliances_for(parties: Parties, units: Units) -> Alliances | None:
    """The alliances of both sides; None if neither has allies."""
    if not has_allies(parties):
        return None
    tables, every, rows = alliance_tables(), [*parties[0], *parties[1]], army_rows(parties, units)
    generals, bearers = [-1] * len(every), [-1] * len(every)
    for row, (_, unit) in enumerate(units):
        if unit.general:
            generals[rows[row]] = row
        if unit.battle_standard:
            bearers[rows[row]] = row
    return Alliances(
        names=tuple(party.name for party in every),
        relations=tuple(tuple(int(tables.relation_of(one, two)) for two in every) for one in every),
        bonds=tuple(row.bond for row in tables.permissions),
        leaders=tuple(leaders_of(parties)),
        generals=tuple(generals),
        bearers=tuple(bearers),
        fragile=(tables.is_fragile(parties[0]), tables.is_fragile(parties[1])),
    )


def fill_armies(parties: Parties, units: Units, armies: Array, rows: Array) -> None:
    """Fill the rows of the armies, and the army of each unit."""
    armies["player"] = [player for player in (0, 1) for _ in parties[player]]
    rows["contingent"] = army_rows(parties, units)
