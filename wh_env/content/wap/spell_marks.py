"""Readers for the words of spells that leave something on the table (``spells``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wh_env.content.wap.effect_words import Words
from wh_env.content.wap.spell_templates import read_ordeal
from wh_env.rulesets.wap.magic.comets import Calls
from wh_env.rulesets.wap.magic.vortices import Vortex
from wh_env.rulesets.wap.weapons.hit import Hit

if TYPE_CHECKING:
    from wh_env.content.wap.spells import Reading

PER_PHASE = "marker_per_phase"  # a word of boosts: the markers that are added in each phase
PLUS = "+markers"  # what is added for each marker
ARTILLERY = "artillery-die x"
NOWHERE = (0, 6, 0)
WITHIN = "all-units-within-"


def with_more_markers(effect: Mapping[str, Any], boost: Mapping[str, Any]) -> Words:
    """An effect as a boosted version with ``marker_per_phase`` has it."""
    found = dict(effect)
    if PER_PHASE in boost and "marker" in found.get("fail", {}):
        found["fail"] = {**found["fail"], "marker": boost[PER_PHASE]}
    return found


def read_marker(reading: Reading, words: Words) -> None:
    """``marker``: markers on the point that is named; what becomes of them stands in the next effect."""
    reading.markers = int(words.pop("marker"))


def read_comet(reading: Reading, words: Words) -> None:
    """``trigger: start-of-each-magic-phase``: a die says whether more markers are added or something strikes."""
    reading.take(words, "trigger", "start-of-each-magic-phase")
    reading.take(words, "roll", "D6")
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


def read_vortex(reading: Reading, words: Words) -> None:
    """``move``, ``each: model-touched``: a vortex that goes in a chosen direction."""
    reading.take(words, "each", "model-touched")
    move = dict(words.pop("move"))
    reading.take(move, "direction", "chosen")
    far = str(move.pop("distance", ""))
    if move or not far.removeprefix(ARTILLERY).isdigit():
        raise reading.refuse("effects", far, f"distance: {ARTILLERY}3")
    reading.deeds.append(Vortex(read_ordeal(reading, words), int(far.removeprefix(ARTILLERY)), NOWHERE))


def read_misfire(reading: Reading, words: Words) -> None:
    """``misfire``: how a vortex goes astray."""
    misfire, vortex = dict(words.pop("misfire")), reading.deeds[-1] if reading.deeds else None
    reading.take(misfire, "centre", "caster")
    reading.take(misfire, "direction", "scatter-die")
    if not isinstance(vortex, Vortex):
        raise reading.refuse("effects", "misfire", "after a vortex")
    reading.deeds[-1] = replace(vortex, strays=reading.number(misfire.pop("distance")))
    reading.finish(misfire)
