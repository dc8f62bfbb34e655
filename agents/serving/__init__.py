"""Games that people play: a battle with its seats, what each seat may see and click, and the page that shows it.

``game``, ``viewpoint``, ``choices``, ``hints``, ``messages``, ``armies`` and ``game_folder`` know nothing of the web.
``app`` and ``tables`` offer games over HTTP and WebSocket (the extra ``serve``); ``access`` checks requests.
"""

from __future__ import annotations
