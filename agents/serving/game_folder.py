"""The games of a folder: begin, list and open them. Each game has keys for its seats.

``ID.replay`` is a game. ``ID.keys`` contains the keys of its seats, which only the owner of the folder may
read. ``house.keys`` contains the key of the server, with which games may be begun.
"""

from __future__ import annotations

import json
import re
import secrets
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wh_env import Battle, ContentError
from wh_env.content.load import Source, folder_of, is_path, names, raw_battle
from wh_env.content.replay import Replay, read_replay
from wh_env.core.files import write_whole

from .. import policies
from .armies import OwnArmies
from .game import PERSON, Game
from .messages import Refused
from .viewpoint import WATCHER

SERVER = "house"  # name of the file with the key of the server
SEEDS = 2**31  # limit of the random seeds of dice and policies
OWN = "own:"  # begins the name of an army that a player brought
LETTERS = 16  # random bytes of a key
MOST_GAMES = 500  # greatest number of listed games, the latest first
IDS = re.compile(r"[a-z0-9][a-z0-9-]{0,79}")


@dataclass(frozen=True)
class NewGame:
    """A game to begin.

    Attributes:
        battle: name or path of the battle.
        agents: for each seat a policy or ``PERSON``.
        seed: seed of the dice; ``None``: random.
        detail: level of detail; ``None``: that of the battle.
        armies: for each side the name of an army or a mapping; ``None``: that of the battle.
    """

    battle: str
    agents: tuple[str, str]
    seed: int | None = None
    detail: str | None = None
    armies: tuple[Source | None, Source | None] = (None, None)

    def overrides(self) -> dict[str, Any]:
        """The fields of the battle that change.

        Raises:
            Refused: the file of the battle does not name two armies.
            ContentError: it cannot be read.
        """
        if self.armies == (None, None):
            return {}
        raw, file = raw_battle(self.battle)
        armies = raw.get("armies") if isinstance(raw, dict) else None
        if not isinstance(armies, list) or len(armies) != len(self.armies):
            raise Refused(f"{file}: armies: expected two")
        usual = (str(folder_of(file) / army) if is_path(army) else army for army in armies)
        return {"armies": [own if army is None else army for own, army in zip(usual, self.armies, strict=True)]}


def new_game_of(data: Any, own: OwnArmies) -> NewGame:
    """The game that a page asks for. It may only name battles, armies and policies that have a name, and armies that
    were brought (``own:ID``).

    Args:
        data: the JSON value of the request.
        own: the armies that were brought.

    Raises:
        Refused: it is malformed, or names something that does not exist.
    """
    if not isinstance(data, dict) or data.keys() - {"detail", "armies"} != {"battle", "agents"}:
        raise Refused("expected the fields battle and agents, and perhaps detail and armies")
    battle, agents, detail = data["battle"], data["agents"], data.get("detail")
    if battle not in names("battles"):
        raise Refused(f"there is no battle {str(battle)[:80]!r}")
    known = (PERSON, *policies.names())
    if not isinstance(agents, list) or len(agents) != 2 or not all(agent in known for agent in agents):
        raise Refused(f"expected two of {', '.join(known)}")
    if detail not in (None, "squad", "full"):
        raise Refused("expected detail to be squad or full")
    armies = data.get("armies", [None, None])
    if not isinstance(armies, list) or len(armies) != 2:
        raise Refused("expected armies to be a list of two, each null or the name of an army")
    first, second = (army_of(name, battle.partition("/")[0], f"armies[{at}]", own) for at, name in enumerate(armies))
    return NewGame(battle, (agents[0], agents[1]), detail=detail, armies=(first, second))


def army_of(name: Any, ruleset: str, field: str, own: OwnArmies) -> Source | None:
    """The army of this name; ``None`` if that of the battle is meant.

    Raises:
        Refused: there is none, or it is of another game than the battle.
    """
    if name is None:
        return None
    if not isinstance(name, str):
        raise Refused(f"{field}: expected null or the name of an army")
    if name.startswith(OWN):
        found = own.get(name.removeprefix(OWN))
        if found.ruleset != ruleset:
            raise Refused(f"{field}: {found.report['name']} is an army of {found.ruleset}; expected one of {ruleset}")
        return found.army
    if name not in names("armies", ruleset):
        raise Refused(f"{field}: there is no army {name[:80]!r}; expected one of {ruleset}")
    return name


class GameFolder:
    """The games of a folder; see the module.

    Args:
        folder: the folder; it is made if it does not exist.

    Attributes:
        key: the key of the server.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._making_keys = threading.Lock()  # so that two threads that find no keys do not both make some
        folder.mkdir(parents=True, exist_ok=True)
        self.key = self._keys(SERVER, (WATCHER,))[WATCHER]

    def begin(self, wish: NewGame) -> tuple[str, Game]:
        """Begin a game.

        Returns:
            Its id and the game.

        Raises:
            ContentError: the battle cannot be loaded.
            UnknownPolicy: there is no such policy, or it cannot play the battle.
            OSError: the game cannot be saved; nothing of it is left.
        """
        players = {agent: policies.ready(agent) for agent in wish.agents if agent != PERSON}
        seed = secrets.randbelow(SEEDS) if wish.seed is None else wish.seed
        seeds = (secrets.randbelow(SEEDS), secrets.randbelow(SEEDS)) if wish.seed is None else (seed, seed + 1)
        changes = wish.overrides()
        battle = Battle.load(wish.battle, seed, detail=wish.detail, record=True, overrides=changes or None)
        for agent, policy in players.items():
            policies.check_plays(agent, policy, battle.setup)
        stem = re.sub(r"[^a-z0-9]+", "-", Path(wish.battle.partition("?")[0]).with_suffix("").as_posix().lower())
        name = f"{stem.strip('-')[-60:].strip('-')}-{secrets.token_hex(4)}"
        game = Game(battle, seed, wish.agents, seeds, self.file(name))
        try:
            self.keys(name, game.agents)
            game.save()
        except BaseException:
            self._key_file(name).unlink(missing_ok=True)
            raise
        return name, game

    def open(self, name: str) -> Game:
        """The game with this id, as it was saved.

        Raises:
            Refused: there is none.
            ContentError: it is damaged, or another version of wh_env wrote it.
        """
        if not IDS.fullmatch(name) or not self.file(name).is_file():
            raise Refused("there is no such game")
        return Game.resumed(self.file(name))

    def list(self) -> list[dict[str, Any]]:
        """The games of the folder, the latest first: ids, players, score, links to the seats."""
        files = [path for path in self.folder.glob("*.replay") if IDS.fullmatch(path.stem)]
        files.sort(key=lambda path: path.stat().st_mtime, reverse=True)
        return [self._row(path) for path in files[:MOST_GAMES]]

    def _row(self, path: Path) -> dict[str, Any]:
        """The entry of one game in the list."""
        try:
            replay = read_replay(path)
        except ContentError as error:
            return {"id": path.stem, "fault": str(error)}
        return {
            "id": path.stem,
            **names_of(replay),
            "agents": replay.agents,
            "points": replay.victory_points,
            "round": replay.rounds,
            "over": replay.complete,
            "winner": replay.winner,
            "decisions": len(replay.actions),
            "links": self.links(path.stem, replay.agents),
        }

    # ---- keys

    def file(self, name: str) -> Path:
        """The replay file of a game."""
        return self.folder / f"{name}.replay"

    def keys(self, name: str, agents: Sequence[str]) -> dict[int, str]:
        """The keys of a game by seat; made if there are none."""
        return self._keys(name, seats_of(agents))

    def keys_of(self, name: str) -> dict[int, str]:
        """The existing keys of a game by seat; empty if there is no such game."""
        if not IDS.fullmatch(name) or not self.file(name).is_file():
            return {}
        try:
            keys = json.loads(self._key_file(name).read_text(encoding="utf-8"))
            return {int(seat): str(key) for seat, key in keys.items()}
        except (OSError, ValueError, AttributeError):
            return {}

    def links(self, name: str, agents: Sequence[str]) -> dict[int, str]:
        """The addresses of a game's seats, without the name of the server."""
        return {seat: f"/game/{name}?key={key}" for seat, key in self.keys(name, agents).items()}

    def _key_file(self, name: str) -> Path:
        """The file with the keys of a game."""
        return self.folder / f"{name}.keys"

    def _keys(self, name: str, seats: Sequence[int]) -> dict[int, str]:
        """The keys in a file by seat; made if there are none."""
        path = self._key_file(name)
        with self._making_keys:
            try:
                data = json.loads(path.read_text(encoding="utf-8"))
                keys = {seat: str(data[str(seat)]) for seat in seats}
                if all(len(key) >= LETTERS for key in keys.values()):
                    return keys
            except (OSError, ValueError, KeyError, TypeError):
                pass  # there are no usable keys yet
            keys = {seat: secrets.token_urlsafe(LETTERS) for seat in seats}
            write_whole(path, json.dumps(keys).encode())
            return keys


def seats_of(agents: Sequence[str]) -> tuple[int, ...]:
    """The seats that a page can take: those of persons, or that of a watcher."""
    return tuple(seat for seat, agent in enumerate(agents) if agent == PERSON) or (WATCHER,)


def names_of(replay: Replay) -> dict[str, Any]:
    """The names of a replay's battle and of its two armies."""
    battle = json.loads(replay.source)["battle"]
    title = f"{battle.get('ruleset', '')} · {battle.get('name', '')}"
    return {"battle": title, "armies": [army.get("name", "") for army in battle.get("armies", ())]}
