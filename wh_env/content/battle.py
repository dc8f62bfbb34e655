"""``Battle``: the engine's battle with what needs files, loading by name, resuming from bytes, explaining rules."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Self

import numpy as np

from wh_env.content import epic
from wh_env.content.compile import TERRAIN_TYPES, Plan, compile_plan
from wh_env.content.errors import ContentError, unknown
from wh_env.content.load import LoadedBattle, Source, load_battle, raw_battle
from wh_env.content.plain import MOST_INTEGER, plain
from wh_env.content.rulebook import rule_text
from wh_env.content.rules import checked_rules
from wh_env.content.terrain import compile_terrain
from wh_env.core.battle import FORMAT, MAGIC, BattleCore
from wh_env.core.dice import roll_d6
from wh_env.core.events import Event
from wh_env.core.frozen import thawed
from wh_env.core.procedures import Ruleset
from wh_env.core.sealed import Unreadable, json_of, same_version, unsealed
from wh_env.core.setup import Delegate, Setup
from wh_env.core.tables import DICE
from wh_env.core.validation import Validator
from wh_env.rulesets.epic.ruleset import EPIC
from wh_env.rulesets.w10.ruleset import TENTH_EDITION

MISSION_STREAM = 0x4D495353  # the dice before a battle are not those of the battle


def plan_of(loaded: LoadedBattle, rules: Mapping[str, Any], delegates: Mapping[str, Delegate]) -> Plan:
    """What the loaded battle compiles from."""
    rules = checked_rules(rules)
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
    """The Setup of a loaded battle; ``rules`` overrides numbers and switches by name (see ``w10.numbers.CORE_RULES``)."""
    return compile_plan(plan_of(loaded, {} if rules is None else rules, delegates or {}))


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
        ruleset: the game's procedures and decision kinds.
        load: a battle by name, path or dict with overrides, checked; it has a ``config`` with ``ruleset`` and ``seed``.
        compile: that battle with rules and delegates that override its own as a Setup, whose ``source`` is JSON with the fields
            ``battle`` and ``rules``, complete in itself.
    """

    ruleset: Ruleset
    load: Callable[[Source, Mapping[str, Any] | None], Any]
    compile: Callable[[Any, Mapping[str, Any] | None, Mapping[str, Delegate] | None], Setup]


GAMES: dict[str, Game] = {
    "epic": Game(EPIC, epic.load_battle, epic.compile_battle),
    "w10": Game(TENTH_EDITION, load_battle, compile_battle),
}


def ruleset_of(name: str) -> Ruleset:
    """The ruleset with this id.

    Raises:
        ContentError: there is none.
    """
    if name not in GAMES:
        raise unknown("<call>", "ruleset", name, GAMES)
    return GAMES[name].ruleset


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
def setup_from_source(source: str) -> Setup:
    """The Setup that was compiled from this text (``Setup.source``), with the delegates of its level of detail."""
    data = json.loads(source)
    game = game_of(data["battle"])
    return game.compile(game.load(data["battle"], None), data["rules"], None)


MOST_SOURCE = 1 << 22  # characters of a setup as JSON
WRITTEN_OUT = ("mission", "battlefield", "rules")  # what a source holds as mappings, not by names


@lru_cache(maxsize=8)
def setup_from_elsewhere(source: str) -> Setup:
    """The Setup of a battle that a file holds as JSON.

    Raises:
        ContentError: it is none, or names files instead of saying what stands in them.
    """
    file = "<bytes>"
    if len(source) > MOST_SOURCE:
        raise ContentError(file, "source", len(source), f"at most {MOST_SOURCE} characters", "characters are too many")
    try:
        data = json_of(source.encode(), "source")
    except Unreadable as error:
        raise refused(file, error) from None
    battle = data.get("battle") if isinstance(data, dict) else None
    if not isinstance(battle, dict) or not isinstance(data.get("rules"), dict):
        raise ContentError(file, "source", shown(data), "a mapping with the mappings battle and rules")
    armies = battle.get("armies")
    parts = {name: [battle[name]] for name in WRITTEN_OUT if battle.get(name) is not None}
    for name, listed in {**parts, "armies": armies}.items():
        if not isinstance(listed, list) or not all(isinstance(part, dict) for part in listed):
            raise ContentError(file, f"source.battle.{name}", shown(listed), "all that its names refer to written out")
    try:
        setup = setup_from_source(source)
    except ContentError:
        raise
    except Exception as error:
        problem = f"cannot be compiled ({type(error).__name__}: {error})"
        raise ContentError(file, "source", shown(battle), "a battle with everything written out", problem) from error
    return replace(setup, outside=True)


@lru_cache(maxsize=8)
def _validator(source: str) -> Validator:
    return Validator(setup_from_elsewhere(source))


def shown(value: object) -> str:
    """What stands in a file, for a message: its beginning."""
    return repr(value)[:60]


def refused(file: str, error: Unreadable) -> ContentError:
    """The error of a sealed file as one of content."""
    return ContentError(file, error.field, error.value, error.expected, error.problem)


def _seed(seed: Any) -> int:
    """The seed, if it is a whole number of at most 63 bits."""
    number = plain(seed, "<call>", "seed")
    if isinstance(number, bool) or not isinstance(number, int) or abs(number) > MOST_INTEGER:
        raise ContentError("<call>", "seed", seed, "a whole number")
    return number


def _proposals(missions: Any) -> tuple[Any, Any]:
    """The missions that the players propose."""
    found = plain(missions, "<call>", "missions")
    if not isinstance(found, list) or len(found) != 2:
        raise ContentError("<call>", "missions", missions, "a mission of each player", "is not that")
    return found[0], found[1]


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
        if overrides is not None and not isinstance(overrides, Mapping):
            raise ContentError("<call>", "overrides", overrides, "a mapping with fields of a battle", "is no mapping")
        seed = None if seed is None else _seed(seed)
        changes: dict[str, Any] = {} if overrides is None else plain(overrides, "<call>", "overrides")
        if detail is not None:
            changes["detail"] = detail
        rolls = None
        if missions is not None:
            dice = np.zeros(1, DICE)
            dice["seed_low"], dice["seed_high"] = (seed or 0) & 0xFFFFFFFF, MISSION_STREAM
            changes["mission"], rolls = select_mission(
                _proposals(missions), lambda: roll_d6(dice, np.zeros(1, np.uint8))
            )
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

        The digest shows damage; the state itself is checked too (``core.validation``), since anybody can write one. What play
        meets beyond that ends in ``BrokenState``.

        Raises:
            ContentError: the data are of no battle, of another version of the format or of wh_env, damaged, or the state is none that
                a battle could have; names table, row, column, value and what was expected.
        """
        file = "<bytes>"
        try:
            header, (text, state) = unsealed(bytes(data), MAGIC, FORMAT, "a saved battle", 2)
            same_version(header)
        except Unreadable as error:
            raise refused(file, error) from None
        try:
            source = text.decode()
        except UnicodeDecodeError as error:
            raise ContentError(file, "source", text[:40], "text in UTF-8", f"cannot be read ({error.reason})") from None
        setup = setup_from_elsewhere(source)
        if header.get("layout") != setup.layout_digest:
            expected = f"{setup.layout_digest}, that of its tables"
            raise ContentError(file, "header.layout", header.get("layout"), expected, "is another layout")
        return cls._restored(source, state)

    @classmethod
    def _restored(cls, source: str, state: bytes) -> Self:
        setup = setup_from_elsewhere(source)
        if len(state) != setup.layout.size:
            raise ContentError("<bytes>", "state", len(state), f"{setup.layout.size} bytes", "is the size of the state")
        battle = object.__new__(cls)
        battle._bind(setup, np.frombuffer(state, np.uint8).copy(), record=False)
        fault = _validator(source).fault(battle)
        if fault is not None:
            raise ContentError("<bytes>", f"state.{fault.where}", fault.value, fault.expected, "cannot be")
        try:
            setup.ruleset.resume(battle)
            sound = battle.over or bool(battle.legal().any())
        except Exception as error:
            told = f"{type(error).__name__}: {error}"
            raise ContentError(
                "<bytes>", "state", told, "a state that says what is legal", "is what it leads to"
            ) from error
        if not sound:
            kind = setup.ruleset.kinds[battle.clock.kind[0]].name
            raise ContentError("<bytes>", "state.clock.kind", kind, "a decision with an option", "has none")
        return battle

    def roster(self, player: int) -> list[dict[str, Any]]:
        """The Army Roster of a player, which both players see from the start (w10.army.roster): a row for each unit."""
        return list(thawed(self.setup.statics["rosters"][player]))

    def explain(self, event: Event) -> str:
        """The rule that an event applied: title, text and where it stands in the source."""
        return rule_text(event.rule)


__all__ = ["Battle", "compile_battle", "plan_of", "source_of"]
