"""Loads a battle with everything that its names refer to; what is random is drawn first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from wh_env.content.errors import unknown
from wh_env.content.fields import Content
from wh_env.content.load import RANDOM, Source, names, raw_battle, validate
from wh_env.content.wap.divisions import check_zones
from wh_env.content.wap.drawn_army import draw_army
from wh_env.content.wap.drawn_mission import seed_of, with_mission
from wh_env.content.wap.load import (
    RULESET,
    LoadedBattle,
    drawn_battlefield,
    load_army,
    load_battlefield,
    load_mission,
    load_rules,
    load_sheet,
    placed,
    troop_types,
    with_tower,
)
from wh_env.content.wap.schema_battle import POINTS, Battle, Random, Rules

DRAWS_ARMIES = 2  # the stream of chance that draws armies
SEEDS = 2**63
SMALL, LARGE = (48.0, 48.0), (72.0, 48.0)  # tables of drawn battles, inches
LARGE_FROM = 1500  # points


def load_battle(source: Source, overrides: Mapping[str, Any] | None = None) -> LoadedBattle:
    """A battle by name (``wap/open-field``), path or dict.

    Args:
        source: name, path or dict. A name or path may end in ``?`` and options for drawing what is ``random``:
            ``wap/random-clash?seed=7``.
        overrides: fields that replace those of the file; nested mappings are merged.

    Raises:
        ContentError: a file is not valid, or options for drawing are given and nothing is ``random``.
    """
    raw, file = raw_battle(source, overrides)
    config = validate(Battle, raw, file)
    rules = load_rules(config.rules, f"{file}: rules")
    config = drawn(config, rules, file)
    mission = load_mission(config.mission, file, "mission")
    battlefield = load_battlefield(config.battlefield, file, "battlefield")
    size = battlefield.size or rules.table
    check_zones(mission, size, mission.source)
    features = placed(with_tower(battlefield, mission, size), size)
    armies = tuple(load_army(entry, file, f"armies[{at}]") for at, entry in enumerate(config.armies))
    return LoadedBattle(config, rules, battlefield, mission, features, (armies[0], armies[1]))


def drawn(config: Battle, rules: Rules, file: str) -> Battle:
    """The battle with its random parts drawn: armies, mission and battlefield.

    Raises:
        ContentError: nothing is random but ``random`` is given, or a draw fails.
    """
    seed, how = seed_of(config, file), config.random or Random()
    armies = list(config.armies)
    for player, army in enumerate(armies):
        if army == RANDOM:
            armies[player] = written(drawn_army(how, player, rules, file, seed))
    config = with_mission(config, rules, file, seed).model_copy(update={"armies": (armies[0], armies[1])})
    if config.battlefield != RANDOM:
        return config
    mission = load_mission(config.mission, file, "mission")
    return config.model_copy(update={"battlefield": drawn_battlefield(mission, rules.table, seed)})


def drawn_army(how: Random, player: int, rules: Rules, file: str, seed: int) -> Content:
    """The random army of a player.

    Raises:
        ContentError: its sheet is not known, or makes no army of so many points.
    """
    draw = how.drawn_for(player)
    sheets, name = sheet_names(), how.factions[draw]
    if name is not None and name not in sheets:
        raise unknown(file, f"random.factions[{draw}]", name, sheets)
    chance = np.random.default_rng((seed, DRAWS_ARMIES, draw))
    name = name if name is not None else sheets[int(chance.integers(len(sheets)))]
    return draw_army(name, load_sheet(name, file), POINTS[how.size], rules, troop_types(), chance)


def sheet_names() -> list[str]:
    """The army sheets from which armies are drawn."""
    return sorted(name.removeprefix(f"{RULESET}/") for name in names("factions", RULESET))


def written(content: Content) -> dict[str, Any]:
    """Content as in a YAML file, without fields at their default."""
    return content.model_dump(mode="json", by_alias=True, exclude_defaults=True)


def random_battle(size: str, rng: np.random.Generator, **how: Any) -> dict[str, Any]:
    """A battle config with a drawn mission, battlefield and two drawn armies.

    Args:
        size: a size of battle, one of ``schema_battle.POINTS``.
        rng: the source of all randomness; it is advanced.
        how: fields of ``Random`` except its seed and size: ``factions``.

    Returns:
        A dict that ``Battle.load`` takes; nothing in it is random any more.

    Raises:
        ContentError: the size or one of ``how`` is not known, or the draw fails.
    """
    options = validate(Random, {**how, "size": size, "seed": int(rng.integers(SEEDS))}, "<random>")
    table = SMALL if POINTS[options.size] < LARGE_FROM else LARGE
    parts = {"battlefield": RANDOM, "mission": RANDOM, "armies": (RANDOM, RANDOM), "random": options}
    fields = {"name": f"Random, {size}", "ruleset": RULESET, "rules": {"table": table}, **parts}
    config = Battle.model_validate(fields)
    return written(drawn(config, load_rules(config.rules), "<random>"))
