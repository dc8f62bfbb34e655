"""The drawings of an environment's ``render``; modules that draw are imported when something is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wh_env.content.errors import unknown
from wh_env.core.battle import BattleCore
from wh_env.core.features import Veil

if TYPE_CHECKING:
    from wh_env.render import Follower, Window

RENDER_MODES = ("ansi", "rgb_array", "human")
FRAMES_PER_SECOND = 10


class Pictures:
    """Draws the battles of one environment in its render mode; with ``None`` it does nothing.

    ``rgb_array`` and ``human`` need the extra ``render``; ``human`` opens its window with the first drawing.
    """

    def __init__(self, mode: str | None) -> None:
        """``mode``: the render mode.

        Raises:
            ContentError: there is no such mode.
        """
        if mode not in (None, *RENDER_MODES):
            raise unknown("<env>", "render_mode", mode, RENDER_MODES)
        self.mode = mode
        self._follower: Follower | None = None
        self._window: Window | None = None
        self._veil = Veil()

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the window: a copy opens one of its own."""
        return {**vars(self), "_window": None}

    def mark(self, battle: BattleCore) -> None:
        """Let the next drawing show as the last action whatever happens from now on."""
        if self.mode is None:
            return
        if self._follower is None:
            from wh_env.render import Follower

            self._follower = Follower(battle)
        self._follower.start(battle)

    def shown(self, battle: BattleCore, seat: int | None = None) -> None:
        """Show the battle in the window, if there is one, after something has happened."""
        if self.mode == "human":
            self.draw(battle, seat)

    def draw(self, battle: BattleCore, seat: int | None = None) -> Any:
        """A text (``ansi``), a picture (``rgb_array``: uint8 of shape (H, W, 3)) or nothing but the window (``human``).

        ``seat``: draw what that seat may see; ``None``: everything.
        """
        if self.mode is None:
            return None
        from wh_env import render

        last = self._follower.look() if self._follower is not None else None
        if seat is not None and (known := self._veil.over(battle, seat)) is not battle:
            battle, last = known, render.Last()  # the last action may have been a secret one
        if self.mode == "ansi":
            return render.render_ansi(battle, last=last)
        if self.mode == "rgb_array":
            return render.render_rgb(battle, last=last)
        if self._window is None:
            self._window = render.Window()
        self._window.show(battle, last=last)
        return None

    def close(self) -> None:
        """Close the window, if there is one; further calls do nothing."""
        if self._window is not None:
            self._window.close()
            self._window = None
