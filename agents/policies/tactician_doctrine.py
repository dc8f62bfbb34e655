"""What places are worth to a unit, by the observation alone: objectives, targets, danger; the same for every ruleset."""

from __future__ import annotations

import numpy as np

from wh_env import Battle
from wh_env.core.setup import Setup
from wh_env.core.tables import Array
from wh_env.envs.spaces import is_turned

from .tactician_reading import Reader, Situation

SHOOTING = frozenset({"shoot", "fire"})
MOVING = frozenset({"move", "advance", "march", "run"})

MARKER = 75.0  # points that a marker is worth to the unit that goes there
HELD, CONTESTED = 0.2, 0.45  # of that: for a marker that others hold already, for one that cannot be won
NEXT_TURN = 0.6  # worth of something a turn away
IN_TIME = 0.35  # weight of attacks that are not possible this turn
DANGER = 0.25  # weight of what the enemy can do in return
RETURN = 0.6  # weight of blows that come back
APART = 2.0  # cells between two places that are proposed
NEW_SIZE = 1.5  # inches from the middle of a unit to its edge before it stands on the table


def words_of(battle: Battle) -> frozenset[str]:
    """The words of the waiting decision's name."""
    return frozenset(battle.setup.ruleset.kinds[battle.clock.kind[0]].name.split("-"))


def marker_gains(seen: Situation, unit: int, xs: Array, ys: Array) -> Array:
    """What it is worth for markers that an own unit stands at each place."""
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
    """What an own unit shields at each place: points that enemies would take in melee from others, or a marker, behind it."""
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
    """What it is worth, in points, that an own unit stands at each place: all in all, and for each purpose alone.

    Returns purposes x places: everything, markers, targets, safety, screens (which do not count in the first).
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
    # of places as safe as each other the one farthest from the nearest enemy
    safety = apart.min(axis=1) - danger
    return np.stack([markers + targets - DANGER * danger, markers, targets, safety, screen_gains(seen, unit, xs, ys)])


class Doctrine:
    """Ranks the places that decisions of one Setup ask for; keeps nothing of the battles."""

    def __init__(self, setup: Setup) -> None:
        self.reader = Reader(setup)
        self._space = setup.space
        self._grid = setup.space.grid

    def cells(self, battle: Battle, mask: Array) -> tuple[Array, Array]:
        """The legal cells as actions, and what each is worth: all in all, and for each purpose (purposes x cells)."""
        space, seat = self._space, battle.clock.player[0]
        actions = space.cell + np.flatnonzero(mask[space.cell : space.angle])
        seen = self.reader.read(battle, seat)
        xs, ys = seen.cells(self._grid)
        slots = actions - space.cell
        if is_turned(battle, seat):
            slots = len(xs) - 1 - slots
        xs, ys = xs[slots], ys[slots]
        if seen.subject < 0:  # a thing of the table: towards the middle
            return actions, -np.hypot(xs, ys)[None, :]
        return actions, place_gains(seen, seen.subject, xs, ys)

    def rivals(self, battle: Battle, mask: Array, places: int, preferred: int) -> list[int]:
        """Actions that are worth trying in the place of the preferred one: at most so many places, and all that is no place."""
        space = self._space
        if mask[space.own : space.enemy].any() and words_of(battle) & (MOVING | SHOOTING):
            return []  # all of them get their turn
        rivals = np.flatnonzero(mask)
        rivals = rivals[(rivals < space.cell) | (rivals >= space.angle)].tolist()
        if mask[space.cell : space.angle].any():
            rivals = self.places(battle, mask, places, preferred) + rivals
        return [action for action in rivals if action != preferred]

    def places(self, battle: Battle, mask: Array, count: int, first: int) -> list[int]:
        """So many of the legal cells as actions, none next to another or to ``first``: each purpose names its best in turn."""
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
