"""How far the armies of one side trust each other (wap.ally.*). Every rule that asks about friends asks
``bond_between``.

A battle in which no side has allies has ``statics["alliances"]`` None and no rows of ``armies``; all units of a side
are then friends in every respect. With allies, ``units.contingent`` is a unit's row of ``armies``.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.forms import as_it_is


class Relation(IntEnum):
    """How far two armies of a side trust each other, from the closest bond on (wap.ally.relation)."""

    BLOOD_BOUND = 0
    TRUSTED = 1
    SUSPICIOUS = 2
    DESPERATE = 3


RELATIONS = tuple(relation.name.lower().replace("_", "-") for relation in Relation)


class Bond(NamedTuple):
    """What a relation allows two units (wap.ally.permissions).

    Attributes:
        characters_join: characters of one may join the other.
        inspiring_presence: one tests on the Leadership of the other's General.
        hold_your_ground: one re-rolls tests because of the other's battle standard.
        expendable_to_ally: the fate of one alarms the other only as an Expendable unit's does.
        dangerous_test_fleeing_through: one tests for dangerous terrain if it flees through the other.
    """

    characters_join: bool = True
    inspiring_presence: bool = True
    hold_your_ground: bool = True
    expendable_to_ally: bool = False
    dangerous_test_fleeing_through: bool = False


FRIENDS = Bond()  # units of one army


class Alliances(NamedTuple):
    """The armies of both sides of a battle, those of player 0 first.

    Attributes:
        names: of the armies.
        relations: of each pair of armies of a side as the battle begins, BLOOD_BOUND for an army with itself.
        bonds: what each relation allows.
        leaders: of each army, the first army of the player who leads it: the same for two books of one player.
        generals, bearers: the rows of their Generals and Battle Standard Bearers, -1: none.
        fragile: by player, whether the alliance decays (wap.ally.fragile).
    """

    names: tuple[str, ...]
    relations: tuple[tuple[int, ...], ...]
    bonds: tuple[Bond, ...]
    leaders: tuple[int, ...]
    generals: tuple[int, ...]
    bearers: tuple[int, ...]
    fragile: tuple[bool, bool]


def alliances_of(g: BattleCore) -> Alliances | None:
    """The alliances of the battle, None: no side has allies."""
    found: Alliances | None = g.setup.statics["alliances"]
    return found


def is_of_one_army(g: BattleCore, unit: int, other: int) -> bool:
    """Whether two units of a side belong to one army."""
    return bool(g.units.contingent[unit] == g.units.contingent[other])


def relation_between(g: BattleCore, unit: int, other: int) -> Relation:
    """How far the armies of two units of a side trust each other now. Every decay of the alliances of a player who
    leads one or both of them takes it down by one (wap.ally.relation, wap.ally.fragile.roll).
    """
    return relation_of_armies(g, g.units.contingent[unit], g.units.contingent[other])


def relation_of_armies(g: BattleCore, one: int, two: int) -> Relation:
    """... how far two armies of a side do."""
    alliances = alliances_of(g)
    if alliances is None or one == two:
        return Relation.BLOOD_BOUND
    shared = alliances.leaders[one] == alliances.leaders[two]
    steps = g.armies.distrust[one] + (0 if shared else g.armies.distrust[two])
    return Relation(min(Relation.DESPERATE, alliances.relations[one][two] + steps))


def bond_between(g: BattleCore, unit: int, other: int) -> Bond:
    """What two units of a side are to each other now (wap.ally.permissions)."""
    alliances = alliances_of(g)
    if alliances is None or is_of_one_army(g, unit, other):
        return FRIENDS
    return alliances.bonds[relation_between(g, unit, other)]


def generals_of(g: BattleCore, player: int) -> tuple[int, ...]:
    """The Generals of a player's armies, alive or not, in the forms that they have (wap.ally.general-and-standard)."""
    alliances = alliances_of(g)
    if alliances is None:
        leaders: tuple[int, ...] = (g.players.general[player],)
    else:
        leaders = tuple(as_it_is(g, unit) for unit in alliances.generals if unit >= 0)
    return tuple(unit for unit in leaders if unit >= 0 and g.units.owner[unit] == player)


def bearers_of(g: BattleCore, player: int) -> tuple[int, ...]:
    """The Battle Standard Bearers of a player's armies, alive or not (wap.ally.general-and-standard)."""
    alliances = alliances_of(g)
    leaders = (g.players.bearer[player],) if alliances is None else alliances.bearers
    return tuple(unit for unit in leaders if unit >= 0 and g.units.owner[unit] == player)


# ---------------------------------------------------------------- decay

FAITHFUL = 4  # with this or more on a D6 an army keeps faith


def roll_for_faith(g: BattleCore, player: int) -> None:
    """At the start of a side's turn, roll a die for each player of a fragile alliance: on 1 to 3 all alliances of the
    armies that this one leads decay by one step for the rest of the battle (wap.ally.fragile.roll).
    """
    alliances = alliances_of(g)
    if alliances is None or not alliances.fragile[player]:
        return
    leaders, distrust = alliances.leaders, g.armies.distrust
    for army, owner in enumerate(g.armies.player):
        if owner != player or leaders[army] != army:
            continue
        die = g.d6()
        faithful = die >= FAITHFUL
        if not faithful and distrust[army] < Relation.DESPERATE:
            for led in range(len(leaders)):
                distrust[led] += leaders[led] == army
        if g.recorder is not None:
            told = "keeps faith" if faithful else "loses faith"
            g.note("wap.ally.fragile.roll", told, player=player, name=alliances.names[army], die=die)
