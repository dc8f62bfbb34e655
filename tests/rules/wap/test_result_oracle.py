"""The scorer of close combat against an oracle that shares no code with it, and its symmetries."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from oracles.wap_scores import outcome

from wh_env.rulesets.wap.codes import DREW, HELD, WON
from wh_env.rulesets.wap.result.scores import NOBODY, Blows, Combat, Fighter, resolve

WORDS = {WON: "won", DREW: "drew", HELD: "lost"}
Hits = dict[tuple[int, int], tuple[str, int]]


def random_combat(chance: np.random.Generator) -> tuple[list[dict[str, Any]], Hits]:
    """Up to five units linked by contact, now and then one that is gone."""
    count = int(chance.integers(2, 6))
    split = int(chance.integers(1, count))
    units: list[dict[str, Any]] = []
    for k in range(count):
        gone = bool(chance.random() < 0.08)
        scary = bool(chance.random() < 0.3)
        us = 0 if gone else int(chance.integers(1, 26))
        units.append(
            {
                "side": int(k >= split), "us": us, "gone": gone, "wounds": 0, "ranks": int(chance.integers(0, 4)),
                "rank5": bool(chance.random() < 0.8), "charged": bool(chance.random() < 0.4),
                "standard": bool(chance.random() < 0.5), "musician": bool(chance.random() < 0.4),
                "fear": int(chance.integers(1, us + 1)) if scary and us else 0, "brave": bool(chance.random() < 0.2),
                "stubborn": bool(chance.random() < 0.1), "skirmish": bool(chance.random() < 0.1),
            }
        )  # fmt: skip
    hits: Hits = {}
    for i in range(split):
        for j in range(split, count):
            linked = not (units[i]["gone"] or units[j]["gone"]) and chance.random() < 0.75
            arcs = ["F", "F"] if chance.random() < 0.4 else ["F", str(chance.choice(["L", "R", "B"]))]
            chance.shuffle(arcs)
            for one, other, arc in ((i, j, arcs[0]), (j, i, arcs[1])):
                wounds = int(chance.integers(0, 6))
                units[one]["wounds"] += wounds
                if linked:
                    hits[one, other] = (arc, wounds)
    return units, hits


def combat_of(units: list[dict[str, Any]], hits: Hits) -> Combat:
    """The same as the engine wants it."""
    fighters = [
        Fighter(
            k, u["side"], u["us"], u["wounds"], u["ranks"], u["rank5"], u["charged"], u["standard"], u["musician"],
            u["fear"], u["stubborn"], u["skirmish"], u["gone"],
        )
        for k, u in enumerate(units)
    ]  # fmt: skip
    blows = [
        Blows(i, j, "FRBL".index(arc), wounds, bool(units[i]["fear"]) and not units[j]["brave"])
        for (i, j), (arc, wounds) in hits.items()
    ]
    return Combat(fighters, blows)


@pytest.mark.rule("wap.result.sum")
@pytest.mark.rule("wap.multi.side-score")
@pytest.mark.rule("wap.multi.break.individual")
@pytest.mark.rule("wap.multi.break.cap")
def test_five_thousand_combats_score_as_the_oracle_says() -> None:
    chance = np.random.default_rng(18)
    seen: Counter[str] = Counter()
    for _ in range(5000):
        units, hits = random_combat(chance)
        found = resolve(combat_of(units, hits))
        totals, winner, told = outcome(units, hits)
        assert [parts.total for parts in found.sides] == totals, (units, hits)
        assert found.winner == (NOBODY if winner is None else winner), (units, hits)
        for k, expected in told.items():
            standing = found.units[k]
            got = (WORDS[standing.outcome], standing.penalty, standing.steadfast)
            assert got == expected, (k, units, hits)
            seen[expected[0]] += 1
            seen["steadfast"] += expected[2]
            seen["capped"] += expected[1] == abs(totals[0] - totals[1]) < standing.against - standing.own
        seen["annihilated"] += found.annihilated
        seen["musician"] += any(parts.musician for parts in found.sides)
        seen["double fear"] += any(parts.fear == 2 for parts in found.sides)
        seen["drew though beaten"] += winner is not None and any(
            what == "drew" and units[k]["side"] != winner for k, (what, _, _) in told.items()
        )
    wanted = (
        "won",
        "drew",
        "lost",
        "steadfast",
        "capped",
        "annihilated",
        "musician",
        "double fear",
        "drew though beaten",
    )
    assert all(seen[what] > 40 for what in wanted), seen


def test_sides_swapped_score_the_same() -> None:
    chance = np.random.default_rng(19)
    for _ in range(300):
        units, hits = random_combat(chance)
        found = resolve(combat_of(units, hits))
        other = resolve(combat_of([{**unit, "side": 1 - unit["side"]} for unit in units], hits))
        assert found.sides == (other.sides[1], other.sides[0])
        assert found.units == other.units
