"""Battles that begin in flight, played at random on broken ground: what must hold after every action holds, and states read back the same."""

from __future__ import annotations

from math import tau

import numpy as np
import pytest

from wh_env import Battle
from wh_env.core.tables import DESTROYED, ON_TABLE, RESERVE
from wh_env.core.validation import Validator
from wh_env.testing import told
from wh_env.testing.wap import RegimentScene, square

RULES = (
    "wap.compulsory.rally.test",
    "wap.compulsory.rally.quarter",
    "wap.compulsory.flee.ends-on",
    "wap.compulsory.flee.off-table",
    "wap.compulsory.flee.enemy-wounds",
    "wap.compulsory.flee.friends-panic",
    "wap.terrain.impassable.flee",
    "wap.compulsory.other.rules",
)


def rout(seed: int, detail: str) -> Battle:
    """Seven units a side, most of which flee, among rocks and dangerous ground."""
    rng = np.random.default_rng(seed)
    scene = RegimentScene()
    scene.area("impassable", 20, 22, 26, 25)
    scene.feature("impassable", [(33, 22), (38, 24), (32, 27)])
    scene.area("dangerous", 6, 24, 14, 30)
    places = [(5 + 9.5 * column, y) for column in range(5) for y in (5, 15, 33, 43)]
    for at, (x, y) in enumerate(rng.permutation(places)[:14]):
        models = int(rng.choice([2, 5, 9, 12, 12, 12]))
        card = square(w=1 + at % 2, ld=5, rules=["Random Movement (2D6)"] if at in (3, 4) else [])
        scene.unit(
            at % 2, card, (float(x), float(y)), models=models, lost=int(rng.integers(0, 30)),
            facing=float(rng.uniform(0, tau)), fleeing=int(at < 10 and at not in (3, 4)),
        )  # fmt: skip
    return scene.battle("movement", detail=detail, seed=seed, run=False)


@pytest.mark.parametrize("detail", ["squad", "full"])
def test_what_must_hold_holds_while_units_flee(detail: str) -> None:
    seen: dict[str, int] = dict.fromkeys(RULES, 0)
    for seed in range(12):
        battle, rng = rout(seed, detail), np.random.default_rng(seed)
        audit = battle.setup.ruleset.audit(battle)
        validator = Validator(battle.setup)
        audit.before()
        battle.run()
        while battle.decision is not None and battle.clock.round[0] < 4:
            assert audit.after() == []
            assert validator.fault(battle) is None
            audit.before()
            options = battle.decision.options
            battle.apply(options[int(rng.integers(len(options)))])
            u = battle.units
            for unit in range(14):
                away = u.place[unit] == RESERVE and u.left_edge[unit] >= 0  # it has pursued off the table
                assert (u.place[unit] == ON_TABLE or away) == (u.alive[unit] > 0)
                assert not (u.fleeing[unit] and u.due[unit] and u.place[unit] == DESTROYED)
        for rule in RULES:
            seen[rule] += len(told(battle, rule))
    assert min(seen.values()) > 0, seen
