"""A window that shows a battle while it is played."""

from __future__ import annotations

from typing import Any

from wh_env.core.battle import BattleCore
from wh_env.render.last import Last
from wh_env.render.picture import WIDTH, Camera, load_pygame
from wh_env.render.theme import Mode


class Window:
    """Shows battles in a window, which the first ``show`` opens; needs the extra ``render``.

    With ``SDL_VIDEODRIVER=dummy`` nothing is visible and everything else works. Once the user has closed the window,
    further pictures are not shown (``closed``).

    Args:
        width: in pixels; the height follows from the shape of the table.
        rate: pictures a second at most, so that people can follow; 0: no limit.
        mode: ``light`` or ``dark``.
        title: of the window.

    Raises:
        MissingExtra: pygame is not installed.
    """

    def __init__(self, width: int = WIDTH, rate: float = 0.0, mode: Mode = "light", title: str = "wh_env") -> None:
        """See the class."""
        self.pygame = load_pygame()
        self.width = width
        self.rate = rate
        self.title = title
        self.closed = False
        self._camera = Camera(mode)
        self._screen: Any = None
        self._clock = self.pygame.time.Clock()

    def show(self, battle: BattleCore, last: Last | None = None) -> None:
        """Show the battle as it stands; for ``last`` see ``render_rgb``."""
        if self._screen is not None:
            self.listen()
        if self.closed:
            return
        picture = self._camera.take(battle, self.width, last)
        if self._screen is None or self._screen.get_size() != picture.get_size():
            self.pygame.display.init()
            self.pygame.display.set_caption(self.title)
            self._screen = self.pygame.display.set_mode(picture.get_size())
        self._screen.blit(picture, (0, 0))
        self.pygame.display.flip()
        if self.rate > 0.0:
            self._clock.tick(self.rate)

    def listen(self) -> None:
        """Handle the events of the desktop; call it now and then if ``show`` is called seldom."""
        for event in self.pygame.event.get():
            if event.type == self.pygame.QUIT:
                self.close()
                return

    def close(self) -> None:
        """Close the window; may be called again."""
        self.closed = True
        if self._screen is not None:
            self._screen = None
            self.pygame.display.quit()
