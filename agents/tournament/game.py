"""One game of a tournament. Each agent runs in its own process with its own clock; neither can reach the battle."""

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
from .seats import AgentProcess, Agents, Failed, TooSlow

ENGINE_SECONDS = 900.0  # greatest time of the engine between two decisions, including compilation of kernels
A_DECISION, IN_ALL = 0, 1  # which time limit applies
NOBODY = -1  # stands for a seat when no agent is asked
# called with the time (``time.monotonic``) until which the playing process reports again, and the seat that is asked
Tell = Callable[[float, int], None]


def tell_nobody(_until: float, _asked: int) -> None:
    """A ``Tell`` for games without a supervisor."""


PLAYED, FORFEIT, VOID = "played", "forfeit", "void"


@dataclass(frozen=True)
class Job:
    """A game to play.

    Attributes:
        key: identifies the game.
        battle, overrides, detail: arguments of ``Battle.load``.
        seed: seed of the dice.
        seeds: seeds of the policies, by seat.
        names: names of the agents, by seat.
        policies: for each seat the policy and its options, as for ``policies.make``.
        decision_seconds, game_seconds: time limits of each agent.
        replays: which games leave a replay: ``none``, ``faults`` or ``all``.
        memory: MiB that each agent may hold; ``None``: no limit.
        account: whether to account for losses (``Outcome.sides``).
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
    """The outcome of a game.

    Attributes:
        key: key of its job.
        how: ``played`` to its end, ``forfeit`` by one of the agents, or ``void`` (no agent's fault; does not
            count).
        winner: the seat that won; ``None`` for a draw or a void game.
        vp: victory points by seat when the game ended.
        rounds: number of battle rounds begun.
        armies: names of the armies by seat.
        first_player: the seat that had the first turn; ``None`` if the game ended before.
        at_fault: the seat that forfeited.
        fault: the reason in words.
        trace: the traceback, for the author of the agent.
        decisions: number of decisions answered.
        final: hash of the last state.
        setup: hash of the Setup.
        seconds: duration of the whole game.
        thinking: seconds that each agent used.
        replay: content of the replay file, if one was asked for.
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
        """Record that ``player`` loses because of ``fault``."""
        self.how, self.winner, self.at_fault = FORFEIT, 1 - player, player
        self.fault, self.trace = printable(fault)[:TOLD], printable(trace, "\n\t")
        return self

    def void(self, fault: str, trace: str = "") -> Outcome:
        """Record that the game does not count, because of a fault that is no agent's."""
        self.how, self.winner = VOID, None
        self.fault, self.trace = printable(fault)[:TOLD], printable(trace, "\n\t")
        return self


def printable(text: str, allowed: str = "") -> str:
    """The text with escapes in place of characters that cannot be written to files or would control a terminal.

    Args:
        text: any text.
        allowed: unprintable characters to keep.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in allowed else c.encode("unicode_escape").decode() for c in text)


class Forfeited(Exception):
    """An agent has lost the game by a fault."""

    def __init__(self, player: int, words: str, trace: str = "") -> None:
        self.player, self.trace = player, trace
        super().__init__(words)


def too_long(job: Job, limit: int) -> str:
    """The words for an agent that exceeded a time limit."""
    if limit == A_DECISION:
        return f"thought longer than {job.decision_seconds:g} s about a decision"
    return f"thought longer than {job.game_seconds:g} s in all"


class Players:
    """The two agents of a game, each with its clock.

    Args:
        job: the game.
        tell: see ``Tell``.

    Attributes:
        used: seconds that each agent has used, by seat.
        agents: processes of the agents, by seat.
    """

    def __init__(self, job: Job, tell: Tell) -> None:
        self.job, self.tell = job, tell
        self.used = [0.0, 0.0]
        self.agents: list[AgentProcess] = []

    def timed(self, player: int, limit: int, call: Callable[..., Any], *values: Any) -> Any:
        """Call an agent and measure its time.

        Args:
            player: seat of the agent.
            limit: ``A_DECISION`` (both limits apply) or ``IN_ALL`` (only the limit for the game).
            call: the call; it gets ``values`` and the seconds that are left.
            values: arguments of the call.

        Returns:
            The result of the call.

        Raises:
            Forfeited: the agent did not answer in time, or failed.
        """
        job = self.job
        seconds = job.game_seconds - self.used[player]
        if limit == A_DECISION and job.decision_seconds < seconds:
            seconds = job.decision_seconds
        else:
            limit = IN_ALL
        began = time.monotonic()
        self.tell(began + seconds + ENGINE_SECONDS, player)
        is_late = False
        try:
            answer = call(*values, seconds)
        except TooSlow:
            is_late = True
        except Failed as fault:
            raise Forfeited(player, str(fault), fault.trace) from None
        finally:
            ended = time.monotonic()
            self.tell(ended + ENGINE_SECONDS, NOBODY)
            self.used[player] += ended - began
        if is_late or ended - began > seconds:
            raise Forfeited(player, too_long(job, limit))
        return answer

    def start(self, agents: Agents) -> None:
        """Prepare both agents for the game.

        Raises:
            Forfeited: an agent failed.
        """
        job = self.job
        self.agents = [agents.of(player, *job.policies[player], job.memory) for player in (0, 1)]
        place = (job.battle, repr(job.overrides), job.detail)
        for player, agent in enumerate(self.agents):
            self.tell(time.monotonic() + 2 * ENGINE_SECONDS, player)
            try:
                agent.load_table(place, ENGINE_SECONDS)  # the engine's work, not the agent's
            except TooSlow:
                raise Forfeited(player, "did not come to the table") from None
            except Failed as fault:
                raise Forfeited(player, str(fault), fault.trace) from None
            self.timed(player, IN_ALL, agent.begin, job.seeds[player])

    def end(self) -> None:
        """After the battle, check that neither agent has harmed the process that keeps it.

        Raises:
            Forfeited: an agent has.
        """
        for player, agent in enumerate(self.agents):
            self.tell(time.monotonic() + 2 * ENGINE_SECONDS, player)
            try:
                agent.see_keeper(ENGINE_SECONDS)
            except Failed as fault:
                raise Forfeited(player, str(fault), fault.trace) from None
        self.tell(time.monotonic() + ENGINE_SECONDS, NOBODY)


def play(job: Job, battle: Battle, agents: Agents, tell: Tell = tell_nobody) -> Outcome:
    """Play the game of a job.

    Args:
        job: the game.
        battle: the battle before its first action; it must record events if an account is wanted.
        agents: processes of agents, kept from earlier games. Those that fail or leave something running are
            ended.
        tell: see ``Tell``.
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
        play_to_end(battle, players, outcome, recorder, ledger)
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
    wants_replay = job.replays == "all" or outcome.how != PLAYED
    if recorder is not None and recorder.actions and wants_replay:
        outcome.replay = recorder.replay(job.names, job.seeds).to_bytes()
    if ledger is not None and outcome.how == PLAYED:
        outcome.sides = ledger.sides()
    outcome.seconds = time.monotonic() - began
    outcome.thinking = (players.used[0], players.used[1])
    return outcome


def play_to_end(
    battle: Battle, players: Players, outcome: Outcome, recorder: Recorder | None, ledger: Ledger | None = None
) -> None:
    """Ask the agents and apply their actions until the battle is over.

    Raises:
        Forfeited: an agent failed, was too slow or answered with an illegal action.
    """
    clock, view = battle.clock, SeatView()
    known = [battle.setup, battle.setup]  # the Setup that each agent has seen last
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
