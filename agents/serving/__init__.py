"""Games that people play: a battle with its seats, what each of them may see and click, and the page that shows it.

``game``, ``viewpoint``, ``choices``, ``hints``, ``messages`` and ``house`` know nothing of the web: they are what a game is. ``app`` and
``tables`` put them behind HTTP and WebSocket (the extra ``serve``), guarded by ``access``.
"""

from __future__ import annotations
