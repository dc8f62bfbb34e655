"""Readers of the words that only magic banners have."""

from __future__ import annotations

from wh_env.content.wap.item_reading import Readers

READERS: Readers = ()
