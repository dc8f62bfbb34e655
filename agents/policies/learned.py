"""The policy ``learned``: trained networks, the included ones or one from a file that ``scripts/train.py`` wrote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from wh_env import Battle
from wh_env.core.setup import Setup
from wh_env.core.tables import Array

if TYPE_CHECKING:
    from ..learning.lookahead import Lookahead
    from ..learning.player import Player
    from ..learning.weights import Weights

SHIPPED = Path(__file__).parent / "weights"
SUFFIX = ".pt"


def shipped() -> list[str]:
    """The rulesets for which a trained network is included; its file has the ruleset's name."""
    return sorted(path.stem for path in SHIPPED.glob(f"*{SUFFIX}"))


def file_of(checkpoint: str) -> Path:
    """The file of weights for an included network, by its ruleset, or for any path.

    Raises:
        ValueError: there is no such file.
    """
    file = SHIPPED / f"{checkpoint}{SUFFIX}" if checkpoint in shipped() else Path(checkpoint)
    if not file.is_file():
        expected = f"one of {', '.join(shipped()) or '(none is shipped)'}, or the path of a file of weights"
        raise ValueError(f"learned: checkpoint={checkpoint!r} is not there; expected {expected}")
    return file


@dataclass(frozen=True)
class Network:
    """A network that is ready to play.

    Attributes:
        file: where it comes from.
        weights: what the file holds.
        player: answers battles with it.
    """

    file: Path
    weights: Weights
    player: Player | Lookahead


class LearnedPolicy:
    """Plays as a trained network says.

    It needs torch and stable-baselines3 (extra ``train``), which are imported when a policy is made.

    Args:
        seed: seed of random choices.
        checkpoint: the ruleset of an included network (``shipped()``), or path of a file of weights. Not given:
            the included network of the battle's ruleset.
        lookahead: number of copies of the battle on which each of the likeliest actions is tried, to take the
            one with the highest value estimate; 0: the network's action without trials, which is faster.
        temperature: without lookahead: 0: always the likeliest action; 1: drawn from the network's
            probabilities.

    Raises:
        ValueError: there is no such checkpoint, or it cannot be used; or a number is below 0.
        ImportError: the extra ``train`` is not installed.
    """

    def __init__(self, seed: int = 0, checkpoint: str = "", lookahead: int = 0, temperature: float = 0.0) -> None:
        for name, number in (("lookahead", lookahead), ("temperature", temperature)):
            if not number >= 0:
                raise ValueError(f"learned: {name}={number}; expected 0 or more")
        self._lookahead, self._temperature = lookahead, temperature
        self._included: dict[str, Network] = {}  # by ruleset, those that were needed
        self._chosen: Network | None = None
        try:
            from ..learning import player  # noqa: F401
        except ImportError as error:
            raise ImportError(f"the policy 'learned' needs {error.name}: pip install 'wh-env[train]'") from error
        if checkpoint:
            self._chosen = self._read(file_of(checkpoint))
        self.reset(seed)

    def _read(self, file: Path) -> Network:
        """The network in a file.

        Raises:
            ValueError: it cannot be used.
        """
        from ..learning.lookahead import Lookahead
        from ..learning.player import Player
        from ..learning.weights import read
        from ..learning.worth import potential_of

        weights = read(file)
        player = Player(weights.policy(), weights.observation, self._temperature)
        if not self._lookahead:
            return Network(file, weights, player)
        return Network(file, weights, Lookahead(player, potential_of(weights.potential), self._lookahead))

    def network(self, ruleset: str) -> Network:
        """The network that plays battles of a ruleset.

        Raises:
            ValueError: there is none, or its file cannot be used.
        """
        if why := self._refusal(ruleset):
            raise ValueError(why)
        if self._chosen is not None:
            return self._chosen
        if ruleset not in self._included:
            self._included[ruleset] = self._read(file_of(ruleset))
        return self._included[ruleset]

    def _refusal(self, ruleset: str) -> str:
        """Why no battle of this ruleset can be played; empty if it can."""
        if self._chosen is not None:
            plays = self._chosen.weights.ruleset
            return "" if ruleset == plays else f"{self._chosen.file}: plays {plays}, not {ruleset}"
        if ruleset in shipped():
            return ""
        return (
            f"learned: no network is included for {ruleset}; expected one of {', '.join(shipped())}, or checkpoint=FILE"
        )

    def refuses(self, setup: Setup) -> str:
        """Refuse battles of a ruleset that no network was trained for."""
        return self._refusal(setup.ruleset.id)

    def reset(self, seed: int) -> None:
        """Prepare for a new battle."""
        self._seed = seed

    def act(self, battle: Battle, mask: Array) -> int:
        """The network's action."""
        return self.act_batch([battle], mask[None])[0]

    def act_batch(self, battles: Sequence[Battle], masks: Array) -> list[int]:
        """The network's action for each battle, in one pass; ``masks`` is bool of shape (battles, actions). All
        battles are of one ruleset.

        Raises:
            ValueError: no network plays a battle's ruleset, or the rulesets differ.
        """
        ids = {battle.setup.ruleset.id for battle in battles}
        if len(ids) > 1:
            raise ValueError(f"learned: battles of {', '.join(sorted(ids))} in one batch; expected one ruleset")
        return self.network(ids.pop()).player.act(battles, [self._seed] * len(battles))
