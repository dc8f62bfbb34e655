"""``Battle``: the engine's battle with what needs files, loading by name, resuming from bytes, explaining rules."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Self

import numpy as np

from wh_env.content import epic
from wh_env.content.compile import TERRAIN_TYPES, Plan, compile_plan
from wh_env.content.errors import ContentError, together, unknown
from wh_env.content.load import LoadedBattle, Source, load_battle, raw_battle
from wh_env.content.rulebook import rule_text
from wh_env.content.terrain import compile_terrain
from wh_env.core.battle import FORMAT, MAGIC, BattleCore
from wh_env.core.dice import roll_d6
from wh_env.core.events import Event
from wh_env.core.frozen import plain
from wh_env.core.setup import Delegate, Setup
from wh_env.core.tables import DICE
from wh_env.rulesets.w10.stratagems import BY_NAME, MODES
from wh_env.rulesets.w10.tables import CORE_RULES

MISSION_STREAM = 0x4D495353  # the dice before a battle are not those of the battle
HEAD = struct.Struct("<HI")


def plan_of(loaded: LoadedBattle, rules: Mapping[str, Any], delegates: Mapping[str, Delegate]) -> Plan:
    """What the loaded battle compiles from."""
    check_rules(rules)
    mission, field = loaded.mission, loaded.battlefield
    score = mission.primary[0]
    by_players = rules.get("markers", "layout" if field.objectives else mission.markers.placed_by) == "players"
    numbers: dict[str, Any] = {
        "detail": loaded.config.detail,
        "rounds": mission.rounds,
        "first_scoring_round": score.first_scoring_round,
        "vp_each_marker": score.vp_each_marker,
        "max_vp_each_turn": score.max_vp_per_turn,
        "marker_range": mission.markers.range_in,
        "marker_vertical": mission.markers.range_vertical_in,
        "marker_from_edge": mission.markers.from_edges_in,
        "marker_from_marker": mission.markers.apart_in,
        "strategic_reserves_points": loaded.size.points // 4,
        "attacker": -1 if loaded.config.attacker is None else loaded.config.attacker,
    }
    return Plan(
        ruleset=loaded.config.ruleset,
        size=field.size,
        armies=(loaded.armies[0].units, loaded.armies[1].units),
        zones=(loaded.zones.attacker, loaded.zones.defender),
        terrain=compile_terrain(field, types=TERRAIN_TYPES[loaded.config.ruleset]),
        objectives=() if by_players else field.objectives,
        markers=mission.markers.number if by_players else 0,
        marker_diameter_mm=mission.markers.diameter_mm,
        rules={**numbers, **{k: v for k, v in rules.items() if k != "markers"}},
        delegates=delegates,
        players=(loaded.armies[0].army.name, loaded.armies[1].army.name),
        source=source_of(loaded, rules),
    )


CHOICES = {
    "detail": ("full", "squad"),
    "formations": ("choose", "lists"),
    "markers": ("layout", "players"),
    "terrain": ("layout", "players"),
}
WORDS = {int: "a whole number", float: "a number", str: "text", tuple: "a list", dict: "a mapping"}


def check_rules(rules: Mapping[str, Any]) -> None:
    """Rules that override those of a battle: known by name, of the right type, choices among those there are.

    Raises:
        ContentError: the first fault, the others in its ``others``.
    """
    faults: list[ContentError] = []
    for name, value in rules.items():
        field = f"rules.{name}"
        if name in CHOICES:
            if value not in CHOICES[name]:
                faults.append(unknown("<call>", field, value, CHOICES[name]))
        elif name not in CORE_RULES:
            faults.append(unknown("<call>", field, name, {*CORE_RULES, *CHOICES}))
        elif name == "stratagems" and isinstance(value, Mapping):
            faults += [unknown("<call>", f"{field}.{n}", n, BY_NAME) for n in value if n not in BY_NAME]
            faults += [unknown("<call>", f"{field}.{n}", how, MODES) for n, how in value.items() if how not in MODES]
        else:
            kind = type(CORE_RULES[name])
            fits = {float: (int, float), tuple: (list, tuple), dict: (Mapping,)}.get(kind, (kind,))
            if not isinstance(value, fits) or isinstance(value, bool):
                faults.append(ContentError("<call>", field, value, WORDS[kind]))
    if faults:
        raise together(faults)


def source_of(loaded: LoadedBattle, rules: Mapping[str, Any]) -> str:
    """The battle as one JSON text with everything that its names refer to written out.

    Mappings keep their order: that of a unit's equipment says which of its models carries what.
    """

    def dump(model: Any) -> Any:
        return model.model_dump(mode="json", by_alias=True, exclude_none=True)

    armies = []
    for mustered in loaded.armies:
        army = dump(mustered.army)
        army["datasheets"] = [dump(s) for s in {u.datasheet.name: u.datasheet for u in mustered.units}.values()]
        armies.append(army)
    config = dump(loaded.config)
    config["armies"] = armies
    config["mission"] = dump(loaded.mission)
    config["battlefield"] = dump(loaded.battlefield)
    config["scale"] = False
    return json.dumps({"battle": config, "rules": dict(sorted(rules.items()))}, separators=(",", ":"))


def compile_battle(
    loaded: LoadedBattle, rules: Mapping[str, Any] | None = None, delegates: Mapping[str, Delegate] | None = None
) -> Setup:
    """The Setup of a loaded battle; ``rules`` overrides numbers and switches by name (see ``w10.tables.CORE_RULES``)."""
    return compile_plan(plan_of(loaded, rules or {}, delegates or {}))


def select_mission(proposals: tuple[Any, Any], d6: Callable[[], int]) -> tuple[Any, tuple[int, int] | None]:
    """The mission to play out of each player's proposal, and the roll-off (``d6`` rolls it) if they do not agree
    (w10.mission.select)."""
    if proposals[0] == proposals[1]:
        return proposals[0], None
    while True:
        rolls = (d6(), d6())
        if rolls[0] != rolls[1]:
            return proposals[0 if rolls[0] > rolls[1] else 1], rolls


@dataclass(frozen=True)
class Game:
    """How battles of a ruleset are read and compiled.

    Attributes:
        load: a battle by name, path or dict with overrides, checked; it has a ``config`` with ``ruleset`` and ``seed``.
        compile: that battle with rules and delegates that override its own as a Setup, whose ``source`` is JSON with the fields
            ``battle`` and ``rules``, complete in itself.
    """

    load: Callable[[Source, Mapping[str, Any] | None], Any]
    compile: Callable[[Any, Mapping[str, Any] | None, Mapping[str, Delegate] | None], Setup]


GAMES: dict[str, Game] = {
    "epic": Game(epic.load_battle, epic.compile_battle),
    "w10": Game(load_battle, compile_battle),
}


def game_of(source: Source, overrides: Mapping[str, Any] | None = None) -> Game:
    """The game that a battle is of.

    Raises:
        ContentError: the battle cannot be read or names no ruleset that there is.
    """
    raw, file = raw_battle(source, overrides)
    if not isinstance(raw, Mapping):
        raise ContentError(file, "", raw, "a mapping with the fields of a battle", "is no mapping")
    if not isinstance(raw.get("ruleset"), str) or raw["ruleset"] not in GAMES:
        raise unknown(file, "ruleset", raw.get("ruleset"), GAMES)
    return GAMES[raw["ruleset"]]


@lru_cache(maxsize=64)
def _setup_from_source(source: str) -> Setup:
    """The Setup that was compiled from this text (``Setup.source``), with the delegates of its level of detail."""
    data = json.loads(source)
    game = game_of(data["battle"])
    return game.compile(game.load(data["battle"], None), data["rules"], None)


class Battle(BattleCore):
    """A battle between two armies, from deployment to its winner. See ``BattleCore`` for how it is played."""

    @classmethod
    def load(
        cls,
        source: Source,
        seed: int | None = None,
        *,
        detail: str | None = None,
        record: bool = False,
        rules: Mapping[str, Any] | None = None,
        overrides: Mapping[str, Any] | None = None,
        delegates: Mapping[str, Delegate] | None = None,
        missions: tuple[Any, Any] | None = None,
    ) -> Self:
        """A new battle.

        Args:
            source: a battle config by name (``w10/only-war-incursion``; ``w10/random-incursion?seed=7`` draws one), by path,
                or as a dict of the same schema.
            seed: of the dice; not given: that of the config, else 0.
            detail: ``squad`` (decisions that carry tactics) or ``full`` (every decision of the rules).
            record: keep events.
            rules: numbers and switches that override those of the mission, by name.
            overrides: fields of the config to replace.
            delegates: policies, by decision kind, that answer instead of the player.
            missions: the mission that each player proposes, instead of that of the config (``select_mission``).

        Raises:
            ContentError: anything wrong with the content; names file, field, value and what was expected.
        """
        changes = dict(overrides or {})
        if detail is not None:
            changes["detail"] = detail
        rolls = None
        if missions is not None:
            dice = np.zeros(1, DICE)
            dice["seed_low"], dice["seed_high"] = (seed or 0) & 0xFFFFFFFF, MISSION_STREAM
            changes["mission"], rolls = select_mission(missions, lambda: roll_d6(dice, np.zeros(1, np.uint8)))
        game = game_of(source, changes)
        loaded = game.load(source, changes)
        setup = game.compile(loaded, rules, delegates)
        battle = cls(setup, seed if seed is not None else loaded.config.seed or 0, record=record)
        if rolls is not None and battle.recorder is not None:
            battle.recorder.insert(0, Event("w10.mission.select", "roll-off for the mission", {"rolls": rolls}))
        return battle

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The battle that ``to_bytes`` saved, at exactly that point; its delegates are those of its level of detail.

        Raises:
            ContentError: the data are of no battle, or of another version of the format.
        """
        if data[:4] != MAGIC:
            raise ContentError("<bytes>", "magic", data[:4], f"{MAGIC!r}, the start of a saved battle", "is not one")
        version, length = HEAD.unpack_from(data, 4)
        if version != FORMAT:
            raise ContentError("<bytes>", "version", version, f"{FORMAT}", "cannot be read")
        at = 4 + HEAD.size
        setup = _setup_from_source(data[at : at + length].decode())
        state = np.frombuffer(data[at + length :], np.uint8).copy()
        if len(state) != setup.layout.size:
            raise ContentError("<bytes>", "state", len(state), f"{setup.layout.size} bytes", "is the size of the state")
        battle = object.__new__(cls)
        battle._bind(setup, state, record=False)
        setup.ruleset.resume(battle)
        return battle

    def roster(self, player: int) -> list[dict[str, Any]]:
        """The Army Roster of a player, which both players see from the start (w10.army.roster): a row for each unit."""
        return list(plain(self.setup.statics["rosters"][player]))

    def explain(self, event: Event) -> str:
        """The rule that an event applied: title, text and where it stands in the source."""
        return rule_text(event.rule)


__all__ = ["Battle", "compile_battle", "plan_of", "source_of"]
