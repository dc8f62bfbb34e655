"""One game of a tournament: two agents in processes of their own, each with its clock, and the battle, which neither can reach."""

from __future__ import annotations

import hashlib
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from wh_env import Battle
from wh_env.content.replay import Recorder
from wh_env.core.views import SeatView

from ..ledger import Ledger, Side
from .agent import ACT, PLACED, TOLD
from .seats import AgentProcess, Agents, Failed, Late

ENGINE_SECONDS = 900.0  # between two decisions; kernels that are not compiled yet included
A_DECISION, IN_ALL = 0, 1  # which limit runs
NOBODY = -1  # in place of a seat
Tell = Callable[[float, int], None]  # told until when the process that plays is heard of again, and which seat is asked


def tell_nobody(_until: float, _asked: int) -> None:
    """Where nobody watches the process that plays."""


PLAYED, FORFEIT, VOID = "played", "forfeit", "void"


@dataclass(frozen=True)
class Job:
    """A game to be played, as it is sent to whoever plays it.

    Attributes:
        key: what the game is called.
        battle, overrides, detail: what ``Battle.load`` is given.
        seed: of the dice. seeds: of the policies, by seat.
        names: of the agents, by seat. policies: what ``make`` is given: spec and options.
        decision_seconds, game_seconds: limits of each agent. memory: MiB that each may hold; ``None``: no limit.
        replays: ``none``, ``faults`` or ``all``.
        account: whether to tell what the battle cost whom.
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
    memory: int | None = None
    account: bool = False


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
        sides: the accounts of both seats, if they were asked for.
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
    sides: tuple[Side, Side] | None = field(default=None, repr=False)

    def forfeit(self, player: int, fault: str, trace: str = "") -> Outcome:
        """``player`` loses for what it did."""
        self.how, self.winner, self.at_fault = FORFEIT, 1 - player, player
        self.fault, self.trace = printable(fault)[:TOLD], printable(trace, "\n\t")
        return self

    def void(self, fault: str, trace: str = "") -> Outcome:
        """Nobody is to blame: the game does not count."""
        self.how, self.winner = VOID, None
        self.fault, self.trace = printable(fault)[:TOLD], printable(trace, "\n\t")
        return self


def printable(text: str, kept: str = "") -> str:
    """The text with escapes in place of everything that cannot be written to files or would do something to a terminal."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in kept else c.encode("unicode_escape").decode() for c in text)


class Forfeited(Exception):
    """An agent did what costs it the game."""

    def __init__(self, player: int, words: str, trace: str = "") -> None:
        self.player, self.trace = player, trace
        super().__init__(words)


def too_long(job: Job, limit: int) -> str:
    """Words for an agent that exceeded a limit."""
    if limit == A_DECISION:
        return f"thought longer than {job.decision_seconds:g} s about a decision"
    return f"thought longer than {job.game_seconds:g} s in all"


class Players:
    """The two agents of a game, each with its clock.

    ``tell`` is told until when (``time.monotonic``) the process that this runs in is heard of again, and which seat is asked.
    """

    def __init__(self, job: Job, tell: Tell) -> None:
        self.job, self.tell = job, tell
        self.used = [0.0, 0.0]
        self.agents: list[AgentProcess] = []

    def timed(self, player: int, limit: int, call: Callable[..., Any], *values: Any) -> Any:
        """What ``call`` returns for ``values`` and the seconds that are left, within the player's limit and its time for the game.

        Raises:
            Forfeited: it did not answer in time, or something went wrong in it.
        """
        job = self.job
        seconds = job.game_seconds - self.used[player]
        if limit == A_DECISION and job.decision_seconds < seconds:
            seconds = job.decision_seconds
        else:
            limit = IN_ALL
        began = time.monotonic()
        self.tell(began + seconds + ENGINE_SECONDS, player)
        late = False
        try:
            answer = call(*values, seconds)
        except Late:
            late = True
        except Failed as fault:
            raise Forfeited(player, str(fault), fault.trace) from None
        finally:
            ended = time.monotonic()
            self.tell(ended + ENGINE_SECONDS, NOBODY)
            self.used[player] += ended - began
        if late or ended - began > seconds:
            raise Forfeited(player, too_long(job, limit))
        return answer

    def start(self, agents: Agents) -> None:
        """Have both ready for the game."""
        job = self.job
        self.agents = [agents.of(player, *job.policies[player], job.memory) for player in (0, 1)]
        place = (job.battle, repr(job.overrides), job.detail)
        for player, agent in enumerate(self.agents):
            self.tell(time.monotonic() + 2 * ENGINE_SECONDS, player)
            try:
                agent.sit_down(place, ENGINE_SECONDS)  # the engine's work, not the agent's
            except Late:
                raise Forfeited(player, "did not come to the table") from None
            except Failed as fault:
                raise Forfeited(player, str(fault), fault.trace) from None
            self.timed(player, IN_ALL, agent.begin, job.seeds[player])

    def end(self) -> None:
        """The battle is over: see that neither has harmed the process that keeps it."""
        for player, agent in enumerate(self.agents):
            self.tell(time.monotonic() + 2 * ENGINE_SECONDS, player)
            try:
                agent.see_keeper(ENGINE_SECONDS)
            except Failed as fault:
                raise Forfeited(player, str(fault), fault.trace) from None
        self.tell(time.monotonic() + ENGINE_SECONDS, NOBODY)


def play(job: Job, battle: Battle, agents: Agents, tell: Tell = tell_nobody) -> Outcome:
    """Play a job's game.

    Args:
        job: the game.
        battle: before its first action; recording its events if an account is asked for.
        agents: kept from earlier games; what fails or leaves something running is ended.
        tell: see ``Players``.
    """
    began = time.monotonic()
    outcome = Outcome(job.key, setup=battle.setup.digest)
    names = battle.setup.names.get("players", ["", ""])
    outcome.armies = (names[0], names[1])
    recorder = Recorder(battle, job.seed) if job.replays != "none" else None
    ledger = Ledger(battle) if job.account else None
    players = Players(job, tell)
    failed: list[AgentProcess] = []
    try:
        players.start(agents)
        play_on(battle, players, outcome, recorder, ledger)
        players.end()
        outcome.winner = battle.result.winner if battle.result else None
    except Forfeited as fault:
        outcome.forfeit(fault.player, str(fault), fault.trace)
        failed.append(players.agents[fault.player])
    except Exception as error:
        outcome.void(f"the engine raised {type(error).__name__}: {error}", traceback.format_exc())
        failed += players.agents
    agents.tidy(failed)
    clock = battle.clock
    outcome.vp = (battle.players.vp[0], battle.players.vp[1])
    outcome.rounds, outcome.decisions = clock.round[0], clock.decisions[0]
    outcome.final = hashlib.blake2b(battle.state_bytes(), digest_size=16).hexdigest()
    kept_for = job.replays == "all" or outcome.how != PLAYED
    if recorder is not None and recorder.actions and kept_for:
        outcome.replay = recorder.replay(job.names, job.seeds).to_bytes()
    if ledger is not None and outcome.how == PLAYED:
        outcome.sides = ledger.sides()
    outcome.seconds = time.monotonic() - began
    outcome.thinking = (players.used[0], players.used[1])
    return outcome


def play_on(
    battle: Battle, players: Players, outcome: Outcome, recorder: Recorder | None, ledger: Ledger | None = None
) -> None:
    """Ask and answer until the battle is over."""
    clock, view = battle.clock, SeatView()
    known = [battle.setup, battle.setup]  # the Setup that each agent knows
    while not battle.over:
        player = clock.player[0]
        placed = known[player] is not battle.setup
        known[player] = battle.setup
        shown = view.of(battle, player)
        body = battle.legal().tobytes() + shown.state_bytes()
        action = players.timed(player, A_DECISION, players.agents[player].ask, PLACED if placed else ACT, body)
        if not 0 <= action < battle.setup.space.size or not battle.legal()[action]:
            kind = battle.setup.ruleset.kinds[clock.kind[0]].name
            raise Forfeited(player, f"answered {kind} with action {action}, which is not legal")
        battle.apply(action)
        if recorder is not None:
            recorder.add(action)
        if ledger is not None:
            ledger.step()
        if outcome.first_player is None and clock.round[0] >= 1 and clock.first_player[0] in (0, 1):
            outcome.first_player = clock.first_player[0]
