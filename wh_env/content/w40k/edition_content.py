"""The content of an edition as one object: its schemas, and how its files are found, checked, drawn and tried."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np

from wh_env.content.errors import ContentError, unknown
from wh_env.content.fields import Content
from wh_env.content.game import Game, Trial
from wh_env.content.load import Source, load_content, names, raw_battle, slug, validate
from wh_env.content.w40k.battles import Battle, Mission
from wh_env.content.w40k.compile import Plan
from wh_env.content.w40k.datasheets import Datasheet, Datasheets
from wh_env.content.w40k.load import LoadedBattle, Mustered, both_armies, fitting_battlefield, load_terrain
from wh_env.content.w40k.random_config import AtHand, draw_battle, drawn, draws
from wh_env.content.w40k.rules import NO_RULES, OwnRules, checked_rules
from wh_env.content.w40k.schema import Battlefield, BattleSize, Faction, Random, Terrain
from wh_env.content.w40k.terrain import deployment_zones
from wh_env.core.setup import Delegate, Setup
from wh_env.rulesets.w40k.edition import Edition
from wh_env.rulesets.w40k.numbers import Guidelines

M = TypeVar("M", bound=Mission)
L = TypeVar("L", bound=Content)
A = TypeVar("A", bound=Mustered)
F = TypeVar("F", bound=Faction)
S = TypeVar("S", bound=Datasheet)


@dataclass(frozen=True)
class EditionContent(ABC, Generic[M, L, A, F, S]):
    """The content of an edition. A loader takes a name, a path or a dict of the same schema.

    Attributes:
        ruleset: the edition's id; its files are in the folder of that name.
        sheets: its datasheets.
        mission, army, faction: schemas of its missions, army lists and factions.
        guidelines: for placing terrain.
        smallest: the name of its smallest battle, in which files are tried.
    """

    ruleset: str
    sheets: Datasheets[S]
    mission: type[M]
    army: type[L]
    faction: type[F]
    guidelines: Guidelines
    smallest: str

    # ---------------------------------------------------------------- what an edition has of its own

    @abstractmethod
    def muster(self, army: L, size: BattleSize) -> A:
        """The army checked against datasheets, its faction and the size of the battle."""

    @abstractmethod
    def draw_army(self, faction: F, size: BattleSize, chance: np.random.Generator, room: float, name: str) -> L:
        """A random army called ``name`` for a size of battle; its units take up at most ``room`` square inches."""

    def sizes(self, mission: M) -> Sequence[BattleSize]:
        """The sizes of battle of a mission."""
        return mission.sizes

    # ---------------------------------------------------------------- one file each

    def load_faction(self, source: Source) -> F:
        """A faction."""
        if isinstance(source, str) and "/" not in source and not source.endswith((".yaml", ".yml")):
            source = slug(source)
        return load_content(self.faction, "factions", source, self.ruleset)

    def faction_names(self) -> list[str]:
        """File names of the factions."""
        return [name.split("/")[1] for name in names("factions", self.ruleset)]

    def faction_named(self, name: str | None) -> F | None:
        """The faction of that name among the files; None: there is none."""
        return self.load_faction(name) if name is not None and slug(name) in self.faction_names() else None

    def factions(self) -> Iterator[tuple[str, str]]:
        """(name, keyword) of each faction."""
        for name in names("factions", self.ruleset):
            faction = self.load_faction(name)
            yield faction.name, faction.keyword

    def load_army(self, source: Source) -> L:
        """An army list, checked against its schema only; ``muster`` checks it against the datasheets."""
        return load_content(self.army, "armies", source, self.ruleset)

    def load_mission(self, source: Source, file: str = "<call>", field: str = "") -> M:
        """A mission of the edition; ``file`` and ``field`` say where it is named."""
        mission = load_content(self.mission, "missions", source, self.ruleset, file, field)
        if mission.ruleset != self.ruleset:
            expected = f"a mission of the ruleset {self.ruleset}"
            raise ContentError(mission.source, "ruleset", mission.ruleset, expected, "is another ruleset")
        return mission

    # ---------------------------------------------------------------- battles

    def load_battle(self, source: Source, overrides: Mapping[str, Any] | None = None) -> LoadedBattle[M, A]:
        """A battle by name (``w10/only-war-incursion``), path or dict.

        Args:
            source: name, path or dict. A name or path may end in ``?`` and options for drawing the ``random`` parts:
                ``w10/random-incursion?seed=7&layout=even`` (fields of ``schema.Random``).
            overrides: fields that replace those of the file; nested mappings are merged.
        """
        raw, file = raw_battle(source, overrides)
        config = validate(Battle, raw, file)
        if config.ruleset != self.ruleset:
            raise unknown(file, "ruleset", config.ruleset, [self.ruleset])
        mission = self.load_mission(config.mission, file, "mission")
        sizes = {size.name.lower(): size for size in self.sizes(mission)}
        size = sizes.get(config.size.lower())
        if size is None:
            raise unknown(file, "size", config.size, [known.name for known in sizes.values()])
        if draws(config):
            how = config.random or Random()
            terrain = load_terrain(how.terrain, self.ruleset, file, "random.terrain")
            config = drawn(config, mission, size, self.at_hand(), terrain, np.random.default_rng(how.drawn))
        elif config.random is not None:
            expected = "a battlefield or an army that is random"
            raise ContentError(file, "random", raw["random"], expected, "has nothing to draw")
        battlefield = fitting_battlefield(config, mission, file, size)
        armies = both_armies(config, file, self.army, lambda army: self.muster(army, size))
        zones = deployment_zones(battlefield, mission.zones)
        return LoadedBattle(config, mission, size, battlefield, zones, armies)

    def at_hand(self) -> AtHand:
        """The factions of the edition, and a function that draws an army from their datasheets."""
        found = {faction.name: faction for faction in map(self.load_faction, names("factions", self.ruleset))}

        def army(faction: str, size: BattleSize, chance: np.random.Generator, room: float, name: str) -> L:
            return self.draw_army(found[faction], size, chance, room, name)

        return AtHand(tuple(found), army, self.guidelines)

    def random_battle(self, size: str, rng: np.random.Generator, **how: Any) -> dict[str, Any]:
        """A battle config with a drawn battlefield and two drawn armies; see ``draw_battle``."""
        return draw_battle(self.ruleset, self.load_mission, self.at_hand(), size, rng, how)

    # ---------------------------------------------------------------- the edition as a game

    def schemas(self) -> dict[str, type[Content]]:
        """The schemas of its files, by folder."""
        return {
            "armies": self.army,
            "battlefields": Battlefield,
            "battles": Battle,
            "suites": Battle,
            "datasheets": self.sheets.schema,
            "factions": self.faction,
            "missions": self.mission,
            "terrain": Terrain,
        }

    def trials(self, sized: Callable[[Path], str], datasheet: Trial) -> dict[str, Trial]:
        """How each kind of file is tried (``Game.trials``).

        Args:
            sized: the name of the battle of the size that the name of a file contains.
            datasheet: how a datasheet is tried.
        """
        return {
            "battles": lambda file: (file, None),
            "suites": lambda file: (file, None),
            "datasheets": datasheet,
            "terrain": self._terrain_trial,
            "factions": self._faction_trial,
            "armies": lambda file: (sized(file), {"armies": [str(file)] * 2}),
            "battlefields": lambda file: (sized(file), {"battlefield": str(file)}),
            "missions": lambda file: (sized(file), {"mission": str(file), **self.field_of_trial(file)}),
        }

    def field_of_trial(self, mission: Path) -> dict[str, Any]:
        """Fields of the battle in which a mission is tried: a bare battlefield if the mission places its markers."""
        if self.load_mission(mission).marker_places((0.0, 0.0)) is None:
            return {}
        return {"battlefield": {"name": "bare", "size": [44, 30]}, "scale": True}

    def _terrain_trial(self, file: Path) -> tuple[Source, dict[str, Any]]:
        """A battle on a bare battlefield with this terrain set."""
        load_terrain(file)
        return self.smallest, {"battlefield": {"name": "bare", "size": [44, 30], "terrain": str(file)}}

    def _faction_trial(self, file: Path) -> tuple[Source, None]:
        """Only reads the file; armies test its content."""
        self.load_faction(file)
        return self.smallest, None

    def game(
        self,
        edition: Edition,
        plan_of: Callable[[Edition, LoadedBattle[M, A], Mapping[str, Any], Mapping[str, Delegate]], Plan[Any]],
        compile_plan: Callable[[Plan[Any]], Setup],
        own: OwnRules = NO_RULES,
        **parts: Any,
    ) -> Game:
        """The edition as a game.

        Args:
            edition: plays the battles.
            plan_of: the plan that a loaded battle compiles from, with overriding rules and delegates.
            compile_plan: the Setup of a plan.
            own: rules that other editions lack.
            parts: other fields of ``Game``.
        """

        def compiled(
            loaded: LoadedBattle[M, A],
            rules: Mapping[str, Any] | None = None,
            delegates: Mapping[str, Delegate] | None = None,
        ) -> Setup:
            return compile_plan(plan_of(edition, loaded, {} if rules is None else rules, delegates or {}))

        return Game(
            **{
                "ruleset": edition,
                "load": self.load_battle,
                "compile": compiled,
                "random_battle": self.random_battle,
                "check_rules": partial(checked_rules, edition, edition.core_rules, own=own),
                "schemas": self.schemas(),
                **parts,
            }
        )
