"""What an environment's ``render`` shows; everything that draws is imported when something is drawn."""

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

    ``rgb_array`` and ``human`` need the extra ``render``; ``human`` opens its window when it first draws.

    Raises:
        ContentError: no such mode.
    """

    def __init__(self, mode: str | None) -> None:
        if mode not in (None, *RENDER_MODES):
            raise unknown("<env>", "render_mode", mode, RENDER_MODES)
        self.mode = mode
        self._follower: Follower | None = None
        self._window: Window | None = None
        self._veil = Veil()

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_window": None}  # a copy opens one of its own

    def mark(self, battle: BattleCore) -> None:
        """The next drawing shows as the last action what happens from here on."""
        if self.mode is None:
            return
        if self._follower is None:
            from wh_env.render import Follower

            self._follower = Follower(battle)
        self._follower.start(battle)

    def shown(self, battle: BattleCore, seat: int | None = None) -> None:
        """Something happened: a window shows it."""
        if self.mode == "human":
            self.draw(battle, seat)

    def draw(self, battle: BattleCore, seat: int | None = None) -> Any:
        """Text (``ansi``), a picture (``rgb_array``: uint8 of shape (H, W, 3)) or nothing but the window (``human``).

        ``seat``: as that seat sees it; not given: everything.
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
        """Close the window, if there is one; may be called again."""
        if self._window is not None:
            self._window.close()
            self._window = None
