"""Which units a character could ever join, and whose ranks his base fits. Both follow from the cards, and are found
once for a battle (``statics["open_to"]``, ``["fitting"]``).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from wh_env.core.tables import Array
from wh_env.rulesets.wap import rule_book
from wh_env.rulesets.wap.codes import INFANTRY, SHRINE, TROOP_TYPES, WAR_MACHINE
from wh_env.rulesets.wap.rule_book import (
    AMBUSHERS,
    ETHEREAL,
    EXPENDABLE,
    FAST_CAVALRY,
    FLY,
    MIXED_UNIT,
    SCOUTS,
    SERVES_WAR_MACHINES,
    SKIRMISHERS,
    UNBREAKABLE,
    UNSTABLE,
    SpecialRule,
)

OPEN_TO_ALL = tuple(
    map(
        TROOP_TYPES.index,
        ("infantry", "war beast", "cavalry", "monstrous infantry", "monstrous beast", "monstrous cavalry"),
    )
)
CHARIOT, MONSTER = TROOP_TYPES.index("chariot"), TROOP_TYPES.index("monster")
SAME = 1e-3  # inches by which bases of the same size may differ
# rules that a unit and a character who joins it must both have, or both lack; .unbreakable.characters,
# .unstable.characters, .expendable.characters
ALIKE = (UNSTABLE, EXPENDABLE)
# rules of a unit that a character must have himself (wap.special.scouts.character, .ambushers.character,
# .ethereal.characters)
HIS_OWN = (SCOUTS, AMBUSHERS, ETHEREAL, FLY)
# rules of a unit that only characters of its troop type may join (wap.special.fast-cavalry.characters,
# .skirmishers.characters)
OF_THE_TYPE = (FAST_CAVALRY, SKIRMISHERS, FLY)


def who_may_join(
    units: Array, cards: Sequence[Collection[SpecialRule]], characters: Sequence[bool], apart: Sequence[bool]
) -> tuple[tuple[bool, ...], ...]:
    """For each unit as the one that joins, and each unit as the one joined: ``is_open``, unless one of them stays apart
    from all others (wap.item.enchanted.carpet-of-araby).

    Args:
        units: the rows.
        cards: the special rules of each unit's card.
        characters: whether each unit is a character.
        apart: whether each unit joins no other one, and no other one joins it.
    """
    rows = range(len(units))
    return tuple(
        tuple(not (apart[joins] or apart[unit]) and is_open(units, cards, characters, joins, unit) for unit in rows)
        for joins in rows
    )


def is_open(
    units: Array, cards: Sequence[Collection[SpecialRule]], characters: Sequence[bool], character: int, unit: int
) -> bool:
    """Whether unit ``character`` could ever join unit ``unit``; arguments as for ``who_may_join``
    (wap.character.join.types, .forbidden, .too-big, .unit-strength; wap.special.unbreakable.characters,
    wap.special.unstable.characters, wap.special.expendable.characters).

    A shrine joins infantry that does not skirmish (wap.troop.shrine.join). No unit joins a mixed unit
    (wap.special.mixed-unit.formation). Characters on foot join a war machine if their rules say so.
    """
    one, other = units[character], units[unit]
    kind, own = other["kind"], one["kind"]
    if unit == character or other["owner"] != one["owner"] or not (characters[character] or own == SHRINE):
        return False
    if other["drives"] or MIXED_UNIT in cards[unit]:
        return False
    if kind == WAR_MACHINE:
        return SERVES_WAR_MACHINES in cards[character] and own == INFANTRY
    if own == SHRINE and (kind != INFANTRY or characters[unit] or SKIRMISHERS in cards[unit]):
        return False
    by_chariot = kind == CHARIOT and own == CHARIOT
    if own == MONSTER or (own == CHARIOT and not by_chariot) or (kind not in OPEN_TO_ALL and not by_chariot):
        return False
    if other["each"] > one["each"]:
        return False
    own_rules, others = (rule_book.BOOK.with_included(cards[row]) for row in (character, unit))
    return may_mix(own_rules, others, alike=bool(own == kind))


def may_mix(mine: Collection[SpecialRule], theirs: Collection[SpecialRule], *, alike: bool) -> bool:
    """Whether the special rules of a character (``mine``) let him join a unit with the rules ``theirs``. ``alike``:
    both are of one troop type.
    """
    steady = [UNBREAKABLE in rules or UNSTABLE in rules for rules in (mine, theirs)]
    if steady[0] != steady[1] or any((rule in mine) != (rule in theirs) for rule in ALIKE):
        return False
    if any(rule in theirs and rule not in mine for rule in HIS_OWN):
        return False
    return alike or not any(rule in theirs for rule in OF_THE_TYPE)


def fitting(units: Array, characters: Sequence[bool]) -> tuple[tuple[bool, ...], ...]:
    """For each unit as the one that joins, and each unit as the one joined: whether the base of the first covers a
    whole number of bases of the second (wap.character.base.same-size, .multiple). If the second is a character, just
    one.
    """
    rows = range(len(units))
    return tuple(
        tuple(covers(units[joins], units[unit], 1 if characters[unit] else 99) for unit in rows) for joins in rows
    )


def covers(one: Array, other: Array, most: int) -> bool:
    """Whether a base of row ``one`` covers a whole number of bases of row ``other``, from 1 to ``most`` along each
    side.
    """
    for column in ("base_a", "base_b"):
        mine, theirs = float(one[column]), float(other[column])
        times = round(mine / theirs)
        if not 1 <= times <= most or abs(times * theirs - mine) > SAME:
            return False
    return True
