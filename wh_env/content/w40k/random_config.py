"""Draws the parts of a battle that are ``random``: its battlefield and its armies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from wh_env.content.errors import ContentError, unknown
from wh_env.content.fields import Content
from wh_env.content.geometry import area
from wh_env.content.load import RANDOM, names, slug, validate
from wh_env.content.w40k.battles import Battle, Mission
from wh_env.content.w40k.load import load_terrain
from wh_env.content.w40k.random_battlefield import draw_battlefield
from wh_env.content.w40k.schema import Battlefield, BattleSize, Random, Terrain
from wh_env.content.w40k.terrain import deployment_zones
from wh_env.rulesets.w40k.numbers import Guidelines

ROOM = 0.5  # the units of an army take up at most such a share of a deployment zone
SEEDS = 2**63


M = TypeVar("M", bound=Mission)


@dataclass(frozen=True)
class AtHand:
    """The content that can be drawn.

    Attributes:
        factions: by name.
        army: draws an army: faction name, size of battle, generator, the most square inches its units take up, army
            name.
        guidelines: for placing terrain.
    """

    factions: tuple[str, ...]
    army: Callable[[str, BattleSize, np.random.Generator, float, str], Content]
    guidelines: Guidelines


def draws(config: Battle) -> bool:
    """Whether a part of the battle is ``random``."""
    return RANDOM in (config.battlefield, *config.armies)


def write_down(content: Content) -> dict[str, Any]:
    """Content as in a YAML file, without fields at their default."""
    return content.model_dump(mode="json", by_alias=True, exclude_defaults=True)


def field_for(
    mission: Mission,
    size: BattleSize,
    terrain: Terrain,
    how: Random,
    chance: np.random.Generator,
    guidelines: Guidelines,
) -> Battlefield:
    """A random battlefield of the smallest table that the mission allows for the size."""
    table = (size.min_length_in, size.min_width_in)
    depth = _zone(mission, size) / max(table)
    return draw_battlefield(
        table,
        how.terrain,
        terrain.templates,
        mission.markers,
        depth,
        chance,
        guidelines,
        how.layout,
        how.markers == "battlefield",
    )


def _zone(mission: Mission, size: BattleSize) -> float:
    """Square inches of a deployment zone."""
    bare = Battlefield(name=RANDOM, size=(size.min_length_in, size.min_width_in))
    return area(deployment_zones(bare, mission.zones).attacker)


def drawn(
    config: Battle, mission: Mission, size: BattleSize, at_hand: AtHand, terrain: Terrain, chance: np.random.Generator
) -> Battle:
    """The battle with all ``random`` parts drawn.

    Args:
        config: the battle; its field ``random`` says how parts are drawn.
        mission, size: of the battle.
        at_hand: factions and datasheets to draw from.
        terrain: the set that features are drawn from.
        chance: the source of all randomness. The battlefield and each army have their own streams, so none depends on
            how the others are drawn.

    Raises:
        ContentError: a faction is not known, or the draw fails.
    """
    how = config.random or Random()
    streams = [np.random.default_rng(int(seed)) for seed in chance.integers(SEEDS, size=3)]
    battlefield = config.battlefield
    if battlefield == RANDOM:
        battlefield = write_down(field_for(mission, size, terrain, how, streams[0], at_hand.guidelines))
    room = ROOM * _zone(mission, size)
    armies: list[Any] = list(config.armies)
    given: list[str] = []
    for player in (0, 1):
        if armies[player] != RANDOM:
            continue
        draw = how.drawn_for(player)
        stream = streams[1 + draw]
        faction = _faction(how.factions[draw], at_hand, stream, config.source, draw)
        name = f"Random {faction}"
        given.append(name if name not in given else f"{name} 2")
        armies[player] = write_down(at_hand.army(faction, size, stream, room, given[-1]))
    return config.model_copy(update={"battlefield": battlefield, "armies": tuple(armies), "random": None})


def _faction(name: str | None, at_hand: AtHand, chance: np.random.Generator, file: str, player: int) -> str:
    known = at_hand.factions
    if not known:
        raise ContentError(file, f"armies[{player}]", RANDOM, "a ruleset with factions to draw from", "cannot be drawn")
    if name is None:
        return sorted(known)[int(chance.integers(len(known)))]
    if name not in known:
        raise unknown(file, f"random.factions[{player}]", name, known)
    return name


def played(ruleset: str, load: Callable[[str], M], size: str) -> tuple[str, M, BattleSize]:
    """The first mission of a ruleset that allows a size of battle and does not fix the places of markers.

    Returns its file's name, the mission and the size.

    Raises:
        ContentError: no mission allows the size.
    """
    sizes: list[str] = []
    for name in names("missions", ruleset):
        mission = load(name)
        if str(mission.markers.placed_by) == "mission":
            continue  # terrain that is drawn may stand where its markers do
        for allowed in mission.sizes:
            if slug(allowed.name) == slug(size):
                return name.rpartition("/")[2], mission, allowed
            sizes.append(slug(allowed.name))
    raise unknown("<random>", "size", size, sizes)


def draw_battle(
    ruleset: str,
    load_mission: Callable[[str], Mission],
    at_hand: AtHand,
    size: str,
    chance: np.random.Generator,
    how: Mapping[str, Any],
) -> dict[str, Any]:
    """A battle config with a drawn battlefield and two drawn armies.

    Args:
        ruleset: id of the edition.
        load_mission: loads a mission by name.
        at_hand: factions and armies of the edition.
        size: a size of battle that a mission allows, e.g. ``incursion``, ``strike-force``.
        chance: the source of all randomness; it is advanced.
        how: fields of ``Random`` except its seed: ``layout``, ``markers``, ``terrain``, ``factions``.

    Returns:
        A dict that ``Battle.load`` takes; nothing in it is random any more.

    Raises:
        ContentError: the size or one of ``how`` is not known, or the draw fails.
    """
    name, mission, allowed = played(ruleset, load_mission, size)
    options = validate(Random, how, "<random>")
    config = Battle.model_validate(
        {
            "name": f"Random, {allowed.name}",
            "ruleset": ruleset,
            "mission": name,
            "size": allowed.name,
            "battlefield": RANDOM,
            "armies": (RANDOM, RANDOM),
            "random": options,
        }
    )
    terrain = load_terrain(options.terrain, ruleset)
    return write_down(drawn(config, mission, allowed, at_hand, terrain, chance))
