"""One game of a tournament: two policies with a clock each, neither able to touch the battle or to foresee its dice."""

from __future__ import annotations

import hashlib
import time
import traceback
from collections.abc import Callable, Mapping, MutableSequence
from dataclasses import dataclass, field
from operator import index
from typing import Any

from agents.policies import Policy, make
from wh_env import Battle
from wh_env.content.replay import Recorder

ENGINE_SECONDS = 900.0  # between two decisions; kernels that are not compiled yet included
DEADLINE, PLAYER, LIMIT = range(3)  # slots of the watch
SLOTS = 3
NOBODY = -1
A_DECISION, IN_ALL = 0, 1  # which limit runs
PLAYED, FORFEIT, VOID = "played", "forfeit", "void"
TOLD = 300  # characters of an error that are kept


@dataclass(frozen=True)
class Job:
    """A game to be played, as it is sent to whoever plays it.

    Attributes:
        key: what the game is called.
        battle, overrides, detail: what ``Battle.load`` is given.
        seed: of the dice. seeds: of the policies, by seat.
        names: of the agents, by seat. policies: what ``make`` is given: spec and options.
        decision_seconds, game_seconds: limits of each agent.
        replays: ``none``, ``faults`` or ``all``.
    """

    key: str
    battle: str
    overrides: Mapping[str, Any]
    detail: str | None
    seed: int
    seeds: tuple[int, int]
    names: tuple[str, str]
    policies: tuple[tuple[str, Mapping[str, Any]], tuple[str, Mapping[str, Any]]]
    decision_seconds: float
    game_seconds: float
    replays: str = "none"


@dataclass
class Outcome:
    """What came of a game.

    Attributes:
        key: of its job.
        how: ``played`` to its end, ``forfeit`` by one of the agents, or ``void`` (not the agents' fault; does not count).
        winner: seat, ``None`` for a draw or a void game.
        vp: victory points by seat, as they stood. rounds: battle rounds begun.
        armies: names by seat. first_player: the seat that had the first turn, if it came to that.
        at_fault: the seat that forfeits. fault: why, in words; trace: where, for its author.
        decisions: answered. final: hash of the last state. setup: hash of what was played.
        seconds: of the whole game. thinking: of each agent.
        replay: the file's content, if one was asked for.
    """

    key: str
    how: str = PLAYED
    winner: int | None = None
    vp: tuple[int, int] = (0, 0)
    rounds: int = 0
    armies: tuple[str, str] = ("", "")
    first_player: int | None = None
    at_fault: int | None = None
    fault: str = ""
    decisions: int = 0
    final: str = ""
    setup: str = ""
    seconds: float = 0.0
    thinking: tuple[float, float] = (0.0, 0.0)
    trace: str = ""
    replay: bytes | None = field(default=None, repr=False)

    def forfeit(self, player: int, fault: str, trace: str = "") -> Outcome:
        """``player`` loses for what it did."""
        self.how, self.winner, self.at_fault = FORFEIT, 1 - player, player
        self.fault, self.trace = fault, trace
        return self

    def void(self, fault: str, trace: str = "") -> Outcome:
        """Nobody is to blame: the game does not count."""
        self.how, self.winner, self.fault, self.trace = VOID, None, fault, trace
        return self


class Forfeited(Exception):
    """An agent did what costs it the game."""

    def __init__(self, player: int, words: str) -> None:
        self.player = player
        super().__init__(words)


def too_long(job: Job, limit: int) -> str:
    """Words for an agent that exceeded a limit."""
    if limit == A_DECISION:
        return f"thought longer than {job.decision_seconds:g} s about a decision"
    return f"thought longer than {job.game_seconds:g} s in all"


class Players:
    """The two policies of a game, each with its clock.

    ``watch`` tells whoever supervises this process what it is doing: until when (``time.monotonic``), for which player, and
    which limit that is.
    """

    def __init__(self, job: Job, watch: MutableSequence[float]) -> None:
        self.job = job
        self.watch = watch
        self.used = [0.0, 0.0]
        self.policies: list[Policy] = []

    def timed(self, player: int, limit: int, call: Callable[..., Any], *values: Any) -> Any:
        """What ``call`` returns for ``values``, if the player makes it within its limit and its time for the game.

        Raises:
            Forfeited: it did not, or something went wrong in it.
        """
        job, watch = self.job, self.watch
        seconds = job.game_seconds - self.used[player]
        if limit == A_DECISION and job.decision_seconds < seconds:
            seconds = job.decision_seconds
        else:
            limit = IN_ALL
        began = time.monotonic()
        watch[DEADLINE], watch[LIMIT], watch[PLAYER] = began + seconds, limit, player
        try:
            answer = call(*values)
        except BaseException as error:  # whatever it raises, SystemExit too, is the agent's affair
            words = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            raise Forfeited(player, f"raised {words}"[:TOLD]) from error
        finally:
            ended = time.monotonic()
            watch[DEADLINE], watch[PLAYER] = ended + ENGINE_SECONDS, NOBODY
            self.used[player] += ended - began
        if ended - began > seconds:
            raise Forfeited(player, too_long(job, limit))
        return answer

    def start(self, kept: dict[Any, Policy]) -> None:
        """Make the policies, or take those ``kept`` from earlier games, and reset them."""
        self.policies = [self._ready(player, kept) for player in (0, 1)]

    def _ready(self, player: int, kept: dict[Any, Policy]) -> Policy:
        spec, options = self.job.policies[player]
        seed = self.job.seeds[player]
        known = (player, spec, repr(sorted(options.items())))
        if known not in kept:
            kept[known] = self.timed(player, IN_ALL, make, spec, seed, options)
        policy = kept[known]
        self.timed(player, IN_ALL, policy.reset, seed)
        return policy


def play(job: Job, battle: Battle, kept: dict[Any, Policy], watch: MutableSequence[float]) -> Outcome:
    """Play a job's game.

    Args:
        job: the game.
        battle: before its first action.
        kept: policies of earlier games, by what made them; those that forfeit are dropped.
        watch: ``SLOTS`` numbers: until when (``DEADLINE``) what runs now may take, whose it is (``PLAYER``), why (``LIMIT``).
    """
    began = time.monotonic()
    outcome = Outcome(job.key, setup=battle.setup.digest)
    names = battle.setup.names.get("players", ["", ""])
    outcome.armies = (names[0], names[1])
    recorder = Recorder(battle, job.seed) if job.replays != "none" else None
    players = Players(job, watch)
    try:
        players.start(kept)
        play_on(battle, players, outcome, recorder)
        outcome.winner = battle.result.winner if battle.result else None
    except Forfeited as fault:
        cause = fault.__cause__
        trace = "".join(traceback.format_exception(cause)) if cause is not None else ""
        outcome.forfeit(fault.player, str(fault), trace)
        kept.clear()
    except Exception as error:
        outcome.void(f"the engine raised {type(error).__name__}: {error}"[:TOLD], traceback.format_exc())
        kept.clear()
    clock = battle.clock
    outcome.vp = (battle.players.vp[0], battle.players.vp[1])
    outcome.rounds, outcome.decisions = clock.round[0], clock.decisions[0]
    outcome.final = hashlib.blake2b(battle.state_bytes(), digest_size=16).hexdigest()
    kept_for = job.replays == "all" or outcome.how != PLAYED
    if recorder is not None and recorder.actions and kept_for:
        outcome.replay = recorder.replay(job.names, job.seeds).to_bytes()
    outcome.seconds = time.monotonic() - began
    outcome.thinking = (players.used[0], players.used[1])
    return outcome


def play_on(battle: Battle, players: Players, outcome: Outcome, recorder: Recorder | None) -> None:
    """Ask and answer until the battle is over."""
    clock = battle.clock
    # What agents are shown: a copy with dice of its own. They may spoil it, the battle is not touched.
    shown = battle.clone()
    hidden = players.job.seeds[0] ^ players.job.seeds[1]
    while not battle.over:
        player = clock.player[0]
        battle.legal()  # fills what the battle finds out once and keeps in its state
        shown.copy_from(battle)
        shown.dice.seed_low[0], shown.dice.seed_high[0] = hidden, hidden
        mask = shown.legal()
        answer = players.timed(player, A_DECISION, players.policies[player].act, shown, mask)
        action = legal(battle, player, answer)
        battle.apply(action)
        if recorder is not None:
            recorder.add(action)
        if outcome.first_player is None and clock.round[0] >= 1 and clock.first_player[0] in (0, 1):
            outcome.first_player = clock.first_player[0]


def legal(battle: Battle, player: int, answer: Any) -> int:
    """The answer as an action.

    Raises:
        Forfeited: it is none, or not a legal one.
    """
    try:
        action = index(answer)
    except TypeError:
        raise Forfeited(player, f"answered with {type(answer).__name__}, which is no action"[:TOLD]) from None
    mask = battle.legal()
    if not 0 <= action < len(mask) or not mask[action]:
        kind = battle.setup.ruleset.kinds[battle.clock.kind[0]].name
        raise Forfeited(player, f"answered {kind} with action {action}, which is not legal")
    return action
