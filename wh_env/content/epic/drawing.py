"""Draws the parts of a battle that are ``random``: its battlefield and its armies."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from wh_env.content.epic.schema import Army, Battle, Battlefield, Feature, FormationEntry, Random, Rules, Sheet
from wh_env.content.errors import ContentError, unknown
from wh_env.content.fields import Content
from wh_env.content.geometry import Point, Points, inside
from wh_env.content.load import RANDOM

SEEDS = 2**63
TRIES = 400  # of a feature, or of a pair of objectives
PAIRS = (5, 8)  # of features; each stands twice, turned by half a turn about the centre
CORNERS = (4, 7)
RADII = (5.0, 9.0)  # cm, of a feature about its middle
APART = 4.0  # cm between the circles about two features: vehicles pass
OBJECTIVES_APART = 20.0  # cm
SHARES = {"patrol": 0.4, "company": 0.8}  # of the units of the largest list of a sheet

Pools = Mapping[str, tuple[Sheet, Sequence[FormationEntry]]]


def is_drawn(config: Battle) -> bool:
    """Whether a part of the battle is ``random``."""
    return RANDOM in (config.battlefield, *config.armies)


def written(content: Content) -> dict[str, Any]:
    """Content as in a YAML file, without fields at their default."""
    return content.model_dump(mode="json", by_alias=True, exclude_defaults=True)


def drawn(config: Battle, rules: Rules, pools: Pools, file: str, chance: np.random.Generator) -> Battle:
    """The battle with all ``random`` parts drawn.

    Args:
        config: the battle; its field ``random`` says how parts are drawn.
        rules: of the battle.
        pools: for each army sheet, by name: the sheet and the formations that its armies are drawn from.
        file: where the battle stands, for messages.
        chance: the source of all randomness. The battlefield and each army have their own streams.

    Raises:
        ContentError: a faction is not known, or no battlefield is found for the table.
    """
    how = config.random or Random()
    streams = [np.random.default_rng(int(seed)) for seed in chance.integers(SEEDS, size=3)]
    battlefield = config.battlefield
    if battlefield == RANDOM:
        battlefield = written(draw_battlefield(rules, streams[0]))
    armies = list(config.armies)
    for player in (0, 1):
        if armies[player] != RANDOM:
            continue
        draw = how.drawn_for(player)
        faction, stream = how.factions[draw], streams[1 + draw]
        if faction is not None and faction not in pools:
            raise unknown(file, f"random.factions[{draw}]", faction, pools)
        name = faction if faction is not None else sorted(pools)[int(stream.integers(len(pools)))]
        armies[player] = written(draw_army(name, *pools[name], SHARES[how.size], stream))
    return config.model_copy(update={"battlefield": battlefield, "armies": (armies[0], armies[1]), "random": None})


def draw_army(
    sheet_name: str, sheet: Sheet, formations: Sequence[FormationEntry], share: float, chance: np.random.Generator
) -> Army:
    """An army of the formations, in a random order, until it has its ``share`` of their break points.

    Vehicles count as many units as break points say (epic.mission.broken-points). Two formations at least are drawn.
    """

    def weight(entry: FormationEntry) -> int:
        return sum(5 * number if sheet.cards[card].is_vehicle else number for card, number in entry.units.items())

    wanted = share * sum(weight(entry) for entry in formations)
    taken: list[int] = []
    for at in chance.permutation(len(formations)):
        if len(taken) >= 2 and sum(weight(formations[n]) for n in taken) >= wanted:
            break
        taken.append(int(at))
    chosen = [formations[n] for n in sorted(taken)]
    return Army(name=f"Random {sheet.name}", sheet=sheet_name, formations=tuple(chosen))


def draw_battlefield(rules: Rules, chance: np.random.Generator) -> Battlefield:
    """A battlefield that looks the same from both sides: pairs of features and five objectives.

    Features are drawn from the terrain table of the rules and leave the deployment zones free.

    Raises:
        ContentError: the table has no room for five objectives.
    """
    length, width = rules.table_cm
    kinds = sorted(kind for kind, ground in rules.terrain.items() if not ground.carries or ground.sight == "blocks")
    middles: list[tuple[Point, float]] = []
    features: list[Feature] = []
    for _ in range(int(chance.integers(*PAIRS)) if kinds else 0):
        kind, radius = kinds[int(chance.integers(len(kinds)))], float(chance.uniform(*RADII))
        middle = _free_middle(rules, middles, radius, chance)
        if middle is None:
            continue
        middles += [(middle, radius), ((length - middle[0], width - middle[1]), radius)]
        features.append(Feature(kind=kind, polygon=tuple(_outline(middle, radius, chance)), mirror=True))
    field = Battlefield(name="Random", features=tuple(features))
    return field.model_copy(update={"objectives": _objectives(rules, features, chance)})


def _free_middle(
    rules: Rules, middles: Sequence[tuple[Point, float]], radius: float, chance: np.random.Generator
) -> Point | None:
    """A place for a feature clear of the zones, of the others and of its own double; None if none was found."""
    length, width = rules.table_cm
    side, near = math.ceil(radius), math.ceil(rules.deployment_depth_cm + radius)
    for _ in range(TRIES):
        x, y = _whole_between(side, length - side, chance), _whole_between(near, width - near, chance)
        others = [*middles, ((length - x, width - y), radius)]
        if all(math.dist((x, y), other) >= radius + size + APART for other, size in others):
            return x, y
    return None


def _whole_between(low: float, high: float, chance: np.random.Generator) -> float:
    """A number in whole centimetres; the middle of the two if there is no room between them."""
    return float(np.round(chance.uniform(low, high))) if high > low else (low + high) / 2


def _outline(middle: Point, radius: float, chance: np.random.Generator) -> Points:
    """The corners of a convex polygon on a circle, counter-clockwise, in tenths of a centimetre."""
    corners = int(chance.integers(*CORNERS))
    start = float(chance.uniform(0, math.tau))
    angles = [start + math.tau * (n + float(chance.uniform(-0.2, 0.2))) / corners for n in range(corners)]
    return [(round(middle[0] + radius * math.cos(a), 1), round(middle[1] + radius * math.sin(a), 1)) for a in angles]


def _objectives(rules: Rules, features: Sequence[Feature], chance: np.random.Generator) -> tuple[Point, ...]:
    """Up to five objectives: the centre if infantry reaches it, and two pairs that face each other."""
    length, width = rules.table_cm
    closed = [feature.polygon for feature in features if rules.terrain[feature.kind].infantry == "impassable"]

    def is_open(point: Point) -> bool:
        double = (length - point[0], width - point[1])
        return not any(inside(list(polygon), spot, 0.1) for polygon in closed for spot in (point, double))

    centre = (length / 2, width / 2)
    found = [centre] if is_open(centre) else []
    depth = rules.deployment_depth_cm
    for _ in range(TRIES):
        point = (_whole_between(0, length, chance), _whole_between(depth, width - depth, chance))
        pair = (point, (length - point[0], width - point[1]))
        is_apart = all(math.dist(point, other) >= OBJECTIVES_APART for other in (*found, pair[1]))
        if is_apart and is_open(point):
            found += pair
        if len(found) >= 4:
            return tuple(found)
    raise ContentError("<random>", "table_cm", list(rules.table_cm), "a table with room for objectives", "is too small")
