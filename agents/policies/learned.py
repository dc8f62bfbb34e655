"""The policy ``learned``: a trained network, an included one or one from a file that ``scripts/train.py`` wrote."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from wh_env import Battle
from wh_env.core.setup import Setup
from wh_env.core.tables import Array

if TYPE_CHECKING:
    from ..learning.lookahead import Lookahead
    from ..learning.player import Player

SHIPPED = Path(__file__).parent / "weights"
SUFFIX = ".pt"


def shipped() -> list[str]:
    """Names of the trained networks that are included."""
    return sorted(path.stem for path in SHIPPED.glob(f"*{SUFFIX}"))


def file_of(checkpoint: str) -> Path:
    """The file of weights for an included network by name, or for any path.

    Raises:
        ValueError: there is no such file.
    """
    file = SHIPPED / f"{checkpoint}{SUFFIX}" if checkpoint in shipped() else Path(checkpoint)
    if not file.is_file():
        expected = f"one of {', '.join(shipped()) or '(none is shipped)'}, or the path of a file of weights"
        raise ValueError(f"learned: checkpoint={checkpoint!r} is not there; expected {expected}")
    return file


class LearnedPolicy:
    """Plays as a trained network says.

    It needs torch and stable-baselines3 (extra ``train``), which are imported when a policy is made.

    Args:
        seed: seed of random choices.
        checkpoint: name of an included network (``shipped()``), or path of a file of weights.
        lookahead: number of copies of the battle on which each of the likeliest actions is tried, to take the
            one with the highest value estimate; 0: the network's action without trials, which is faster.
        temperature: without lookahead: 0: always the likeliest action; 1: drawn from the network's
            probabilities.

    Raises:
        ValueError: there is no such checkpoint, or it cannot be used; or a number is below 0.
        ImportError: the extra ``train`` is not installed.
    """

    def __init__(
        self, seed: int = 0, checkpoint: str = "w10-skirmish", lookahead: int = 0, temperature: float = 0.0
    ) -> None:
        for name, number in (("lookahead", lookahead), ("temperature", temperature)):
            if not number >= 0:
                raise ValueError(f"learned: {name}={number}; expected 0 or more")
        self._file = file_of(checkpoint)
        try:
            from ..learning.lookahead import Lookahead
            from ..learning.player import Player
            from ..learning.weights import read
            from ..learning.worth import potential_of
        except ImportError as error:
            raise ImportError(f"the policy 'learned' needs {error.name}: pip install 'wh-env[train]'") from error
        self.weights = read(self._file)
        player = Player(self.weights.policy(), self.weights.observation, temperature)
        potential = potential_of(self.weights.potential)
        self._player: Player | Lookahead = Lookahead(player, potential, lookahead) if lookahead else player
        self.reset(seed)

    def refuses(self, setup: Setup) -> str:
        """Refuse battles of another ruleset than the network was trained for."""
        plays, asked = self.weights.ruleset, setup.ruleset.id
        return "" if asked == plays else f"{self._file}: plays {plays}, not {asked}"

    def reset(self, seed: int) -> None:
        """Prepare for a new battle."""
        self._seed = seed

    def act(self, battle: Battle, mask: Array) -> int:
        """The network's action."""
        return self.act_batch([battle], mask[None])[0]

    def act_batch(self, battles: Sequence[Battle], masks: Array) -> list[int]:
        """The network's action for each battle, in one pass; ``masks`` is bool of shape (battles, actions).

        Raises:
            ValueError: a battle of another ruleset than the network was trained for.
        """
        for battle in battles:
            if why := self.refuses(battle.setup):
                raise ValueError(why)
        return self._player.act(battles, [self._seed] * len(battles))
