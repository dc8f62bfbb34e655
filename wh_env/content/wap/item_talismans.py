"""Readers of the words that only talismans have."""

from __future__ import annotations

from wh_env.content.wap.item_reading import Readers

READERS: Readers = ()
