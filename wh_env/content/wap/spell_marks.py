"""Readers for the words of spells that leave something on the table (``spells``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from wh_env.content.wap.spell_lasting import take
from wh_env.rulesets.wap.magic.comets import Calls
from wh_env.rulesets.wap.weapons.hit import Hit

if TYPE_CHECKING:
    from wh_env.content.wap.spells import Reading

Words = dict[str, Any]
PLUS = "+markers"  # what is added for each marker
WITHIN = "all-units-within-"


def with_more_markers(effect: Mapping[str, Any], boost: Mapping[str, Any]) -> Words:
    """An effect as a boosted version with ``marker_per_phase`` has it."""
    found = dict(effect)
    if "marker_per_phase" in boost and "marker" in found.get("fail", {}):
        found["fail"] = {**found["fail"], "marker": boost["marker_per_phase"]}
    return found


def read_marker(reading: Reading, words: Words) -> None:
    """``marker``: markers on the point that is named; what becomes of them stands in the next effect."""
    reading.markers = int(words.pop("marker"))


def read_comet(reading: Reading, words: Words) -> None:
    """``trigger: start-of-each-magic-phase``: a die says whether more markers are added or something strikes."""
    take(reading, words, {"trigger": "start-of-each-magic-phase", "roll": "D6"})
    needs = str(words.pop("on_roll"))
    fail, passes = dict(words.pop("fail")), dict(words.pop("pass"))
    scope, number, strength = (str(passes.pop(key, "")) for key in ("scope", "hits", "s"))
    more = int(fail.pop("marker", 0))
    if fail or passes or not needs.endswith("+") or not scope.startswith(WITHIN):
        raise reading.refuse("effects", "start-of-each-magic-phase", f"fail: marker; pass: {WITHIN}, hits, s")
    if not (number.endswith(PLUS) and strength.endswith(PLUS) and reading.markers and more):
        raise reading.refuse("effects", number, f"markers, and hits and s with {PLUS}")
    hits, within = reading.number(number.removesuffix(PLUS)), reading.number(scope.removeprefix(WITHIN))
    hit = Hit(int(strength.removesuffix(PLUS)))
    reading.deeds.append(Calls(reading.markers, more, int(needs[:-1]), within, hits, hit))
