"""The dice of magic that each army of a side may use (wap.ally.magic.sharing).

The pool of a player holds the dice of his whole side. Of these, ``armies.dice`` counts the ones that only a single army
may use: those of the winds after they were divided, and those that its own wizards have channelled. Armies that are
bound by blood use them together, as one army; the first of them counts them.
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.allies.relations import Relation, alliances_of, relation_of_armies

ANY = -1  # no army in particular: all dice of the side


def armies_of(g: BattleCore, player: int) -> list[int]:
    """The armies of a player that use dice of their own, each for those that are bound to it by blood; none if the
    whole side uses its dice together.
    """
    if alliances_of(g) is None:
        return []
    rows = [row for row, owner in enumerate(g.armies.player) if owner == player]
    found = [row for row in rows if first_of(g, row) == row]
    return found if len(found) > 1 else []


def first_of(g: BattleCore, army: int) -> int:
    """The first of the armies that are bound by blood to an army now."""
    rows = (row for row in range(army) if g.armies.player[row] == g.armies.player[army])
    return next((row for row in rows if relation_of_armies(g, row, army) == Relation.BLOOD_BOUND), army)


def army_of(g: BattleCore, unit: int) -> int:
    """The army whose dice a unit uses, or ``ANY``."""
    if alliances_of(g) is None or not armies_of(g, g.units.owner[unit]):
        return ANY
    return first_of(g, g.units.contingent[unit])


def dice_of(g: BattleCore, player: int, army: int = ANY) -> int:
    """The dice of a player's pool that an army of his may use."""
    pool: int = g.pools.dice[player]
    if army == ANY:
        return pool
    return pool - sum(g.armies.dice[row] for row in armies_of(g, player) if row != army)


def dice_for_unit(g: BattleCore, unit: int) -> int:
    """The dice that a unit may use: those of the pool, and those that nobody else may use
    (wap.item.arcane.power-familiar).
    """
    player, own = g.units.owner[unit], int(g.wizards.own_dice[unit])
    return own + dice_of(g, player, army_of(g, unit)) if g.pools.dice[player] else own


def purses(g: BattleCore, player: int) -> list[int]:
    """The armies of a player that have dice left, or ``ANY`` if his whole side uses its dice together."""
    return [army for army in armies_of(g, player) or [ANY] if dice_of(g, player, army)]


def take_dice(g: BattleCore, player: int, number: int, army: int = ANY) -> None:
    """Take dice from a player's pool, at most those that are left: the army's own first, then those that all may use,
    then those of other armies.
    """
    number = min(number, g.pools.dice[player])
    g.pools.dice[player] -= number
    rows = armies_of(g, player)
    if army in rows:
        g.armies.dice[army] -= min(number, g.armies.dice[army])
    for row in rows:
        surplus = sum(g.armies.dice[other] for other in rows) - g.pools.dice[player]
        g.armies.dice[row] -= min(max(0, surplus), g.armies.dice[row])


def take_for_unit(g: BattleCore, unit: int, number: int) -> None:
    """A unit uses dice, those first that nobody else may use."""
    own = min(number, g.wizards.own_dice[unit])
    g.wizards.own_dice[unit] -= own
    take_dice(g, g.units.owner[unit], number - own, army_of(g, unit))


def gain_dice(g: BattleCore, unit: int, number: int) -> None:
    """A unit has won dice for its player's pool; only its own army may use them."""
    g.pools.dice[g.units.owner[unit]] += number
    army = army_of(g, unit)
    if army != ANY:
        g.armies.dice[army] += number


def forget_shares(g: BattleCore) -> None:
    """A Magic phase begins: no army has dice of its own."""
    for army in range(len(g.armies.player)):
        g.armies.dice[army] = 0
