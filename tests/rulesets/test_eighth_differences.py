"""The 8th edition against plain readings of its rules on random tables: who controls markers, which units are in cover; and in random battles:
nobody is lost without being told."""

from __future__ import annotations

import random
from math import hypot, sqrt

import numpy as np
import pytest
from eighth import EighthScene

from wh_env import Battle
from wh_env.rulesets.w40k.attack.sequence import LOST
from wh_env.testing import melee, pick, ranged, sheet, told

# ---------------------------------------------------------------- markers


def reading(battle: Battle, marker: int) -> tuple[int, int, int]:
    """Models of either player within 3" of the centre of a marker in a straight line, from their bases, and who has more of them."""
    m, o = battle.models, battle.objectives
    count = [0, 0]
    for k, on_table in enumerate(m.on_table):
        across = max(0.0, hypot(m.x[k] - o.x[marker], m.y[k] - o.y[marker]) - m.radius[k])
        count[m.owner[k]] += bool(on_table) and sqrt(across**2 + (m.z[k] - o.z[marker]) ** 2) <= 3.0
    return count[0], count[1], 0 if count[0] > count[1] else 1 if count[1] > count[0] else -1


def test_random_tables_against_the_words_of_control() -> None:
    """Of units of all kinds and sizes, some on a floor; the holder before does not matter."""
    rng = np.random.default_rng(5)
    found: list[int] = []
    for _ in range(60):
        scene = EighthScene(size=(30, 30))
        scene.floor(8, 8, 22, 16, 2.0)
        for at in ((10.0, 12.0), (16.0, 18.0), (22.0, 12.0)):
            scene.marker(*at)
        free = [(float(x), float(y)) for x in np.arange(2, 28, 1.7) for y in np.arange(2, 28, 1.7)]
        free = [free[k] for k in rng.permutation(len(free))]
        for number in range(12):
            words = (("INFANTRY",), ("VEHICLE",), ("VEHICLE", "AIRCRAFT", "FLY"))[int(rng.integers(3))]
            data = sheet(f"Unit {number}", OC=int(rng.integers(5)), M=20, keywords=words, models=(1, 5))
            at = free.pop()
            mates = sorted(free, key=lambda s, at=at: hypot(s[0] - at[0], s[1] - at[1]))[: int(rng.integers(4))]
            free = [spot for spot in free if spot not in mates]
            scene.unit(number % 2, data, at=[at, *mates], models=1 + len(mates))
        battle = scene.battle("movement", run=False)
        for k in range(len(battle.models.z)):
            if rng.random() < 0.2:
                battle.models.z[k] = 2.0
        for marker in range(3):
            battle.objectives.holder[marker] = int(rng.integers(-1, 2))
        battle.setup.ruleset.count_control(battle)  # type: ignore[attr-defined]
        for marker in range(3):
            o = battle.objectives
            right = reading(battle, marker)
            assert (o.level0[marker], o.level1[marker], o.holder[marker]) == right
            found.append(right[2])
    assert all(found.count(who) > 20 for who in (-1, 0, 1))


# ---------------------------------------------------------------- cover


def test_random_units_against_the_words_of_cover() -> None:
    """Saves are better by one where every base lies wholly in a feature, of any of them; one model outside takes that from all."""
    rng = np.random.default_rng(6)
    found: list[bool] = []
    outlines = [(10.0, 20.0, 16.0, 25.0), (18.0, 20.0, 24.0, 26.0), (10.0, 27.0, 20.0, 32.0)]
    while len(found) < 60:
        number = int(rng.integers(1, 4))
        at = (float(rng.uniform(9, 24)), float(rng.uniform(19, 31)))
        spots = [(at[0] + 1.3 * k, at[1]) for k in range(number)]
        scene = EighthScene()
        for outline, kind in zip(outlines, ("crater", "woods", "ruins"), strict=True):
            scene.area(kind, *outline)
        scene.unit(0, sheet("Guns", weapons={"gun": ranged(48, BS=2, S=8, AP=-1)}), at=(17, 5), models=1)
        scene.unit(1, sheet("X", Sv=3, W=9), at=spots)
        battle = scene.battle("shooting", dice=[6, 6, 1])
        pick(battle, "Guns")
        within = all(
            any(x0 + 0.5 <= x <= x1 - 0.5 and y0 + 0.5 <= y <= y1 - 0.5 for x0, y0, x1, y1 in outlines)
            for x, y in spots
        )
        (save,) = [e for e in told(battle, "w8.attack.save") if "die" in e]
        assert save["needed"] == (3 if within else 4), spots
        found.append(within)
    assert min(found.count(True), found.count(False)) > 10


# ---------------------------------------------------------------- slain + fled + living = mustered

SLAIN, FLED = "model destroyed", "flees"


def crowd(seed: int, detail: str) -> Battle:
    """Two lines of units of weak nerves and many guns, 14" apart, at the beginning of the first turn."""
    arms = {"rifle": ranged(24, A=2, BS=3, S=5), "knife": melee(A=2, WS=3)}
    scene = EighthScene()
    for number in range(8):
        spots = [(5 + 14 * (number // 2) + 1.3 * k, 14.0 if number % 2 == 0 else 28.0) for k in range(8)]
        scene.unit(number % 2, sheet(f"Unit {number}", Ld=4, weapons=arms), at=spots)
    return scene.battle(seed=seed, detail=detail)


@pytest.mark.parametrize("detail", ["squad", "full"])
def test_everybody_is_slain_has_fled_or_lives(detail: str) -> None:
    """Each model is lost once, by one of two events; who is slain in a turn counts for Morale tests until it is over, nobody else."""
    causes: set[str] = set()
    for seed in range(3):
        battle, chance = crowd(seed, detail), random.Random(seed)
        lost: dict[int, str] = {}
        this_turn: set[int] = set()
        seen = 0
        while True:
            for event in battle.events[seen:]:
                if event.kind == "turn":
                    this_turn = set()
                elif event.kind in (SLAIN, FLED):
                    model = event.data["model"]
                    assert model not in lost
                    lost[model] = event.kind
                    if event.kind == SLAIN:
                        this_turn.add(model)
            seen = len(battle.events)
            assert lost.keys() == {k for k, alive in enumerate(battle.models.alive) if not alive}
            if battle.queue[LOST] == 0:
                assert {k for k, slain in enumerate(battle.toll) if slain} == this_turn
            if battle.decision is None:
                break
            options = list(battle.decision.options)
            eager = battle.decision.kind in ("select-to-shoot", "select-to-charge", "select-to-fight")
            battle.apply(chance.choice([action for action in options if action or not eager] or options))
        assert len(lost) + sum(battle.models.alive) == len(battle.models.alive)
        causes |= set(lost.values())
    assert causes == {SLAIN, FLED}
