"""Values of places for a unit, computed from the observation: objectives, targets, danger, screens. The same for
every ruleset.
"""

from __future__ import annotations

import numpy as np

from wh_env import Battle
from wh_env.core.setup import Setup
from wh_env.core.tables import Array
from wh_env.envs.spaces import is_turned

from .tactician_reading import Reader, Situation

SHOOTING = frozenset({"shoot", "fire"})
MOVING = frozenset({"move", "advance", "march", "run"})

MARKER = 75.0  # value in points of standing at an objective marker
HELD, CONTESTED = 0.2, 0.45  # shares of that value: if other own units hold the marker; if it cannot be won
NEXT_TURN = 0.6  # factor for each turn that something is away
IN_TIME = 0.35  # weight of attacks that are not yet possible this turn
DANGER = 0.25  # weight of expected enemy attacks in return
RETURN = 0.6  # weight of the enemy's blows in the same melee
APART = 2.0  # least distance in cells between two proposed places
NEW_SIZE = 1.5  # assumed inches from the middle of a unit to its edge, before it is on the table


def words_of(battle: Battle) -> frozenset[str]:
    """The words in the name of the waiting decision's kind, such as ``{"select", "to", "shoot"}``."""
    return frozenset(battle.setup.ruleset.kinds[battle.clock.kind[0]].name.split("-"))


def marker_gains(seen: Situation, unit: int, xs: Array, ys: Array) -> Array:
    """Value in points, for objective markers, of an own unit standing at each place.

    Args:
        seen: what the seat sees.
        unit: slot of the own unit.
        xs, ys: places in inches, shape (places,).

    Returns:
        Shape (places,).
    """
    best = np.zeros(len(xs))
    own, enemy = seen.own, seen.enemy
    control, move = own.control[unit], max(1.0, float(own.move[unit]))
    size = own.spread[unit] if own.here[unit] else NEW_SIZE
    for marker in range(len(seen.marker_x)):
        x, y = seen.marker_x[marker], seen.marker_y[marker]
        reach = seen.chances.marker + seen.marker_radius[marker]
        held = np.hypot(own.x - x, own.y - y) - 0.8 * own.spread <= reach
        held &= own.here
        held[unit] = False
        against = (np.hypot(enemy.x - x, enemy.y - y) - 0.8 * enemy.spread <= reach) & enemy.here
        mine, theirs = own.control[held].sum(), enemy.control[against].sum()
        worth = HELD if mine > theirs else 1.0 if mine + control > theirs else CONTESTED
        away = np.maximum(0.0, np.hypot(xs - x, ys - y) - 0.6 * size - reach)
        best = np.maximum(best, worth * NEXT_TURN ** (away / move))
    return MARKER * best


def screen_gains(seen: Situation, unit: int, xs: Array, ys: Array) -> Array:
    """Value in points of what an own unit shields at each place: losses in melee that it prevents for units or
    markers behind it.

    Args:
        seen: what the seat sees.
        unit: slot of the own unit.
        xs, ys: places in inches, shape (places,).

    Returns:
        Shape (places,).
    """
    own, enemy = seen.own, seen.enemy
    total = np.zeros(len(xs))
    takes = seen.odds("enemy")[2] * own.points[:, None]
    others = [u for u in np.flatnonzero(own.here).tolist() if u != unit]
    goods = [(own.x[u], own.y[u], takes[u]) for u in others]
    goods += [(x, y, np.full(len(enemy.here), MARKER)) for x, y in zip(seen.marker_x, seen.marker_y, strict=True)]
    width = own.spread[unit] + 1.0
    for foe in np.flatnonzero(enemy.here).tolist():
        from_x, from_y = xs - enemy.x[foe], ys - enemy.y[foe]
        for x, y, worth in goods:
            to_x, to_y = x - enemy.x[foe], y - enemy.y[foe]
            length = max(1e-3, float(np.hypot(to_x, to_y)))
            if length > enemy.move[foe] + seen.chances.charge_reach or worth[foe] <= 0.0:
                continue
            along = (from_x * to_x + from_y * to_y) / length
            aside = np.abs(from_x * to_y - from_y * to_x) / length
            between = (along > 1.0) & (along < length)
            total += np.where(between, worth[foe] * np.maximum(0.0, 1.0 - aside / width), 0.0)
    return total


def place_gains(seen: Situation, unit: int, xs: Array, ys: Array) -> Array:
    """Value in points of an own unit standing at each place.

    Args:
        seen: what the seat sees.
        unit: slot of the own unit.
        xs, ys: places in inches, shape (places,).

    Returns:
        Shape (purposes, places). Purposes: all together (without screens), markers, targets, safety, screens.
        Only the row of markers if the unit is not on the table or no enemy is.
    """
    markers = marker_gains(seen, unit, xs, ys)
    own, enemy = seen.own, seen.enemy
    foes = np.flatnonzero(enemy.here)
    if len(foes) == 0 or not own.here[unit]:
        return markers[None, :]
    size = own.spread[unit]
    apart = np.hypot(xs[:, None] - enemy.x[foes], ys[:, None] - enemy.y[foes]) - 0.8 * (size + enemy.spread[foes]) - 1.0
    apart = np.maximum(0.0, apart)
    shots, blows = (part[unit, foes] * enemy.points[foes] for part in seen.odds("own")[1:])
    back_shots, back_blows = (part[unit, foes] * own.points[unit] for part in seen.odds("enemy")[1:])
    move = max(1.0, float(own.move[unit]))
    targets = np.where(apart <= own.reach[unit], shots, 0.0).max(axis=1)
    targets += IN_TIME * (shots * NEXT_TURN ** (np.maximum(0.0, apart - own.reach[unit]) / move)).max(axis=1)
    fight = np.maximum(0.0, blows - RETURN * back_blows)
    chances = seen.chances
    later = IN_TIME * NEXT_TURN ** (np.maximum(0.0, apart - chances.charge_mean) / move)
    now = np.where(apart <= chances.charge_reach, chances.reaches(apart), 0.0)
    targets += (np.maximum(now, later) * fight).max(axis=1)
    danger = np.where(apart <= enemy.reach[foes] + enemy.move[foes], back_shots, 0.0)
    danger = np.maximum(danger, np.where(apart <= enemy.move[foes] + chances.charge_mean, back_blows, 0.0)).sum(axis=1)
    # among equally safe places prefer the one farthest from the nearest enemy
    safety = apart.min(axis=1) - danger
    return np.stack([markers + targets - DANGER * danger, markers, targets, safety, screen_gains(seen, unit, xs, ys)])


class Doctrine:
    """Proposes actions that are worth trying in battles of one Setup; it remembers nothing of a battle."""

    def __init__(self, setup: Setup) -> None:
        self.reader = Reader(setup)
        self._space = setup.space
        self._grid = setup.space.grid

    def cells(self, battle: Battle, mask: Array) -> tuple[Array, Array]:
        """The legal cells and their values.

        Returns:
            The cells as actions, shape (cells,), and values in points, shape (purposes, cells), see
            ``place_gains``.
        """
        space, seat = self._space, battle.clock.player[0]
        actions = space.cell + np.flatnonzero(mask[space.cell : space.angle])
        seen = self.reader.read(battle, seat)
        xs, ys = seen.cells(self._grid)
        slots = actions - space.cell
        if is_turned(battle, seat):
            slots = len(xs) - 1 - slots
        xs, ys = xs[slots], ys[slots]
        if seen.subject < 0:  # the decision is about no unit but, for example, a marker: prefer the middle
            return actions, -np.hypot(xs, ys)[None, :]
        return actions, place_gains(seen, seen.subject, xs, ys)

    def rivals(self, battle: Battle, mask: Array, places: int, preferred: int) -> list[int]:
        """Actions worth trying besides the preferred one: at most ``places`` places, and all legal actions that
        are no places.
        """
        space = self._space
        if mask[space.own : space.enemy].any() and words_of(battle) & (MOVING | SHOOTING):
            return []  # the order of units hardly matters, because all of them get their turn
        rivals = np.flatnonzero(mask)
        rivals = rivals[(rivals < space.cell) | (rivals >= space.angle)].tolist()
        if mask[space.cell : space.angle].any():
            rivals = self.places(battle, mask, places, preferred) + rivals
        return [action for action in rivals if action != preferred]

    def places(self, battle: Battle, mask: Array, count: int, first: int) -> list[int]:
        """At most ``count`` legal cells as actions, not next to each other or to ``first``; each purpose picks
        its best in turn.
        """
        space = self._space
        cells, gains = self.cells(battle, mask)
        columns, rows = (cells - space.cell) % self._grid, (cells - space.cell) // self._grid
        free = np.ones(len(cells), np.bool_)
        if space.cell <= first < space.angle:
            at = first - space.cell
            free &= np.hypot(columns - at % self._grid, rows - at // self._grid) >= APART
        chosen: list[int] = []
        while len(chosen) < count and free.any():
            n = int(np.where(free, gains[len(chosen) % len(gains)], -np.inf).argmax())
            chosen.append(int(cells[n]))
            free &= np.hypot(columns - columns[n], rows - rows[n]) >= APART
        return chosen
