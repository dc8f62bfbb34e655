"""Keywords by name: singular and plural are one keyword (concepts.keywords)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache


@lru_cache(maxsize=1024)  # called for every keyword of a battle whenever one is looked up
def singular(keyword: str) -> str:
    """The normal form of a keyword, whatever its case and number: ``EPIC_HERO`` for ``Epic Heroes``."""
    name = keyword.upper().replace(" ", "_").replace("-", "_").replace("'", "")
    return name.removesuffix("ES") if name.endswith("OES") else name.removesuffix("S")


def keyword_bit(bits: Mapping[str, int], keyword: str) -> int:
    """The bit of a keyword, singular or plural; 0 if no model of the battle has it.

    ``bits``: the bits by name; names in normal form (``singular``) are included.
    """
    bit = bits.get(keyword)
    return bits.get(singular(keyword), 0) if bit is None else bit
