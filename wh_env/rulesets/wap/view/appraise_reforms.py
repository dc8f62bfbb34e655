"""The worth of combat reforms: the next round in other files, or with the front to an enemy at a flank or rear, and the
charges that free enemies could then make.
"""

from __future__ import annotations

from typing import NamedTuple

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.blocks import set_block
from wh_env.rulesets.wap.basics.contacts import foes_of, side_towards
from wh_env.rulesets.wap.breaking.reform_places import Reforming
from wh_env.rulesets.wap.codes import FRONT
from wh_env.rulesets.wap.movement.reform_choices import lawful
from wh_env.rulesets.wap.view.appraise_combat import worth_of_round
from wh_env.rulesets.wap.view.appraise_places import DANGER, Key, Standing, sides_at

AROUND = 3  # the greatest change of files that is tried
TRIED = 4  # numbers of files for which a place is looked for
GAIN = 5.0  # points by which a reform must be better than none


class Formed(NamedTuple):
    """A formation that a unit may reform into: its worth, its files, and the angle slot of its facing."""

    worth: float
    files: int
    slot: int


def worth_of_fight(g: BattleCore, unit: int, mine: int | None = None) -> float:
    """Points that the next round with all enemies in contact is worth; ``mine``: the side of the unit at which they
    would stand; None: the side at which they do.
    """
    found = 0.0
    for foe in foes_of(g, unit):
        own = side_towards(g, unit, foe) if mine is None else mine
        found += worth_of_round(g, unit, foe, side_towards(g, foe, unit), mine=own)
    return found


def danger_of(g: BattleCore, unit: int, known: dict[Key, list[float]]) -> float:
    """Points that the worst charge of an enemy not in combat would cost the unit where it stands, times ``DANGER``."""
    now, found, facing = Standing(g, known), 0.0, g.units.facing
    x, y = float(now.x[unit]), float(now.y[unit])
    for enemy in now.enemies(unit):
        if g.units.fleeing[enemy] or g.units.fights[enemy]:
            continue
        ex, ey = float(now.x[enemy]), float(now.y[enemy])
        apart = ((x - ex) ** 2 + (y - ey) ** 2) ** 0.5 - now.half[enemy] - now.half[unit]
        if apart <= now.reach[enemy] and sides_at(now.x[enemy], now.y[enemy], facing[enemy], x, y) == FRONT:
            found = max(found, now.charge(enemy, unit)[int(sides_at(now.x[unit], now.y[unit], facing[unit], ex, ey))])
    return DANGER * found


def best_reform(g: BattleCore, unit: int, known: dict[Key, list[float]]) -> Formed | None:
    """The combat reform that is worth most; None: it is better to stay as it is (wap.break.reform.how).

    Args:
        g: a copy of the battle; it is changed.
        known: cache of the worth of charges.
    """
    u, search, room = g.units, Reforming(g, unit), g.setup.space.numbers
    now, alive = u.files[unit], u.block[unit]
    stays = worth_of_fight(g, unit) - danger_of(g, unit, known)
    thought = []
    for files in range(max(1, now - AROUND), min(room, alive, now + AROUND) + 1):
        if lawful(alive, files):
            u.files[unit] = files
            thought.append((worth_of_fight(g, unit, FRONT), files))
    u.files[unit] = now
    best: Formed | None = None
    for worth, files in sorted(thought, reverse=True)[:TRIED]:
        if worth <= (best.worth if best else stays + GAIN):
            break  # the danger of charges can only lower the worth
        for slot in search.slots(files):
            place = search.places_in(files, slot, first=True)[0]
            set_block(g, unit, place.x, place.y, place.facing, files)
            value = worth - danger_of(g, unit, known)
            if value > (best.worth if best else stays + GAIN):
                best = Formed(value, files, slot)
    return best
