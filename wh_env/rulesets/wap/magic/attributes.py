"""The attributes of the lores, by the names that files of lores use (wap.magic.attribute)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from wh_env.rulesets.wap.magic.flights import Mirrors
from wh_env.rulesets.wap.magic.lifebloom import Lifebloom
from wh_env.rulesets.wap.magic.lore_attributes import (
    CallsBeasts,
    FeedsFire,
    LeechesLife,
    ReadsFate,
    SeeksMetal,
    TestsWill,
)
from wh_env.rulesets.wap.magic.spells import Attribute

ATTRIBUTES: Mapping[str, Attribute] = MappingProxyType(
    {
        "none": Attribute(),
        "feeds fire": FeedsFire(),
        "seeks metal": SeeksMetal(),
        "calls beasts": CallsBeasts(),
        "leeches life": LeechesLife(),
        "reads fate": ReadsFate(),
        "tests will": TestsWill(),
        "lifebloom": Lifebloom(),
        "smoke and mirrors": Mirrors(),
    }
)
