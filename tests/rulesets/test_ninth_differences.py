"""What must hold in every battle of the 9th edition: it is the same game to both players, and nobody is lost without being told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from mirror import play_swapped
from ninth import NinthScene

from wh_env import Battle
from wh_env.agents.policies import make
from wh_env.content import w9
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.w9.objective.control import DENIES, DOUBLES, GIVES
from wh_env.rulesets.w40k.attack.sequence import LOST
from wh_env.testing import sheet

PATROL = "w9/only-war-patrol"
ARMIES = ["astartes-patrol", "tyranids-patrol"]


def patrol(seed: int, detail: str, armies: list[str] | None = None, **rules: Any) -> Battle:
    """A battle of the smallest size."""
    changes = {"detail": detail, "armies": armies or ARMIES}
    return Battle(w9.GAME.compile(w9.GAME.load(PATROL, changes), rules, None), seed, record=True)


# ---------------------------------------------------------------- swapped players


@pytest.mark.parametrize(("seed", "detail"), [(1, "squad"), (2, "squad"), (3, "full")])
def test_swapped_players_see_may_do_and_reach_the_same(seed: int, detail: str) -> None:
    a = patrol(seed, detail, ARMIES, attacker=0, first_player=0)
    b = patrol(seed, detail, ARMIES[::-1], attacker=1, first_player=1)
    play_swapped(a, b, seed, every=10)


# ---------------------------------------------------------------- slain + fled + removed + living = mustered

SLAIN, FLED, REMOVED = "model destroyed", "flees", "removed for coherency"


def played(seed: int, detail: str) -> Iterator[Battle]:
    """A battle between greedy players before each decision, and when it is over."""
    battle = patrol(seed, detail)
    players = [make("greedy", seed), make("greedy", seed + 50)]
    while not battle.over:
        yield battle
        battle.apply(players[battle.clock.player[0]].act(battle, battle.legal()))
    yield battle


def accounted(seed: int, detail: str) -> set[str]:
    """Play a battle: each model is lost once, by one of three events; who is slain in a turn counts for Morale tests until it is over, nobody
    else. Returns the events."""
    lost: dict[int, str] = {}
    this_turn: set[int] = set()
    seen = 0
    for battle in played(seed, detail):
        for event in battle.events[seen:]:
            if event.kind == "turn":
                this_turn = set()
            elif event.kind in (SLAIN, FLED, REMOVED):
                model = event.data["model"]
                assert model not in lost
                lost[model] = event.kind
                if event.kind == SLAIN:
                    this_turn.add(model)
        seen = len(battle.events)
        assert lost.keys() == {k for k, alive in enumerate(battle.models.alive) if not alive}
        if battle.queue[LOST] == 0:
            assert {k for k, slain in enumerate(battle.toll) if slain} == this_turn
            for unit, left in enumerate(battle.units.alive):
                first = battle.units.first[unit]
                assert left == sum(battle.models.alive[first : first + battle.units.count[unit]])
    assert len(lost) + sum(battle.models.alive) == len(battle.models.alive)
    return set(lost.values())


@pytest.mark.parametrize("detail", ["squad", "full"])
def test_everybody_is_slain_has_fled_was_removed_or_lives(detail: str) -> None:
    causes = [accounted(seed, detail) for seed in range(4)]
    assert {SLAIN, FLED} <= set().union(*causes)


# ---------------------------------------------------------------- Objective Secured


def holder(battle: Battle, marker: int, rules: list[dict[str, Any]], forged: tuple[bool, bool]) -> tuple[int, int, int]:
    """Models of either player that count at a marker, and who controls it, as the rules read."""
    m, u, o = battle.models, battle.units, battle.objectives
    secured, count = [False, False], [0, 0]
    for k, on_table in enumerate(m.on_table):
        if not on_table:
            continue
        away = [np.hypot(m.x[k] - o.x[n], m.y[k] - o.y[n]) - m.radius[k] - o.radius[n] for n in range(len(o.x))]
        inside = [n for n, gap in enumerate(away) if gap <= 3.0 and abs(m.z[k] - o.z[n]) <= 5.0]
        keywords = battle.setup.names["units"][m.unit[k]].split()
        if not inside or min(inside, key=lambda n: away[n]) != marker or "AIRCRAFT" in keywords:
            continue
        owner = u.owner[m.unit[k]]
        own = [rule["effect"] for rule in rules if rule["keyword"] in keywords and rule.get("player", owner) == owner]
        has = GIVES in own or DOUBLES in own or ("TROOPS" in keywords and forged[owner])
        twice = DOUBLES in own and (GIVES in own or ("TROOPS" in keywords and forged[owner]))
        if DENIES in own:
            has = twice = False
        count[owner] += 2 if twice else 1
        secured[owner] |= has
    if secured[0] != secured[1]:
        return count[0], count[1], 0 if secured[0] else 1
    return count[0], count[1], 0 if count[0] > count[1] else 1 if count[1] > count[0] else -1


def test_random_tables_against_the_words_of_objective_secured() -> None:
    rng = np.random.default_rng(4)
    kinds = (
        ("INFANTRY",),
        ("INFANTRY", "TROOPS"),
        ("BEASTS",),
        ("BEASTS", "TROOPS"),
        ("VEHICLE", "AIRCRAFT", "TROOPS"),
    )
    found: list[int] = []
    for _ in range(60):
        scene = NinthScene(size=(30, 30))
        markers = [(10.0, 12.0), (10.0 + float(rng.uniform(4, 8)), 15.0)]
        for at in markers:
            scene.marker(*at)
        free = [(float(x), float(y)) for x in np.arange(2, 28, 1.6) for y in np.arange(2, 28, 1.6)]
        free = [free[k] for k in rng.permutation(len(free))]
        for number in range(10):
            words = kinds[int(rng.integers(len(kinds)))]
            at = free.pop()
            mates = sorted(free, key=lambda s, at=at: float(np.hypot(s[0] - at[0], s[1] - at[1])))[
                : int(rng.integers(4))
            ]
            free = [spot for spot in free if spot not in mates]
            data = sheet(" ".join(words) + f" {number}", M=20 if "AIRCRAFT" in words else 6, keywords=words)
            scene.unit(number % 2, data, at=[at, *mates] if mates else at, models=1 + len(mates))
        rules: list[dict[str, Any]] = []
        for effect in (GIVES, DENIES, DOUBLES):
            if rng.random() < 0.4:
                rules.append({"effect": effect, "keyword": str(rng.choice(["INFANTRY", "BEASTS", "TROOPS"]))})
            if rules and rng.random() < 0.5:
                rules[-1]["player"] = int(rng.integers(2))
        forged = bool(rng.integers(2)), bool(rng.integers(2))
        battle = scene.battle("command", run=False, rules={"control": rules, "battle_forged": forged})
        assert all(place == ON_TABLE for place in battle.units.place)
        battle.setup.ruleset.count_control(battle)  # type: ignore[attr-defined]
        for marker in (0, 1):
            o = battle.objectives
            right = holder(battle, marker, rules, forged)
            assert (o.level0[marker], o.level1[marker], o.holder[marker]) == right, (rules, forged)
            found.append(right[2])
    assert all(found.count(who) > 10 for who in (-1, 0, 1))
