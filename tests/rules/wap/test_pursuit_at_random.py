"""Battles that begin in close combat, played at random on a crowded table: what must hold after every action holds, and states read back the same."""

from __future__ import annotations

import numpy as np
import pytest

from wh_env import Battle
from wh_env.content.errors import ContentError
from wh_env.core.validation import Validator
from wh_env.rulesets.wap.codes import CHARGED, FRONT, LEFT, REAR, RIGHT
from wh_env.rulesets.wap.combat.closing import stands_on_table
from wh_env.testing import told
from wh_env.testing.wap import RegimentScene, square

RULES = (
    "wap.pursuit.choice",
    "wap.pursuit.restrain-test",
    "wap.pursuit.flee-move",
    "wap.pursuit.caught",
    "wap.pursuit.move",
    "wap.pursuit.overrun.move",
    "wap.multi.gap",
)


def melee(seed: int, detail: str) -> Battle:
    """Up to nine units a side, most of them in contact with one or two enemies, among rocks and dangerous ground."""
    rng = np.random.default_rng(seed)
    while True:
        scene = RegimentScene()
        scene.area("impassable", 22, 22, 25, 25)
        scene.area("dangerous", 6, 20, 12, 30)
        for x in (12.0, 35.0):
            for y in (12.0, 35.0):
                owner = int(rng.integers(2))
                card = square(a=2, s=5, ld=int(rng.integers(4, 8)))
                models = int(rng.choice([10, 15, 20, 25]))
                unit = scene.unit(
                    owner, card, (x + float(rng.uniform(-1, 1)), y), models=models, files=5,
                    facing=float(rng.uniform(0, 6.28)), command=("standard", "champion"),
                )  # fmt: skip
                sides = rng.permutation([FRONT, RIGHT, REAR, LEFT])[: int(rng.integers(1, 4))]
                for side in sides:
                    scene.beside(
                        unit, 1 - owner, square(a=2, s=5, ld=int(rng.integers(4, 8))), side=int(side),
                        along=float(rng.uniform(-2, 2)), models=int(rng.integers(4, 16)), did=CHARGED, charging=1,
                    )  # fmt: skip
        for x, y in ((23.5, 13), (23.5, 34), (12, 24), (35, 24)):
            scene.unit(int(rng.integers(2)), None, (x, y), models=5, facing=float(rng.uniform(0, 6.28)))
        if all(scene.sides):
            try:
                battle = scene.battle("combat", detail=detail, seed=seed, player=seed % 2, run=False)
            except ContentError:  # some overlap
                continue
            if all(stands_on_table(battle, unit) for unit in range(len(battle.units.owner))):
                return battle


@pytest.mark.parametrize("detail", ["squad", "full"])
def test_what_must_hold_holds_while_units_fight_flee_and_pursue(detail: str) -> None:
    seen: dict[str, int] = dict.fromkeys(RULES, 0)
    for seed in range(SEEDS):
        battle, rng = melee(seed, detail), np.random.default_rng(seed)
        audit = battle.setup.ruleset.audit(battle)
        validator = Validator(battle.setup)
        audit.before()
        battle.run()
        while battle.decision is not None and battle.clock.round[0] < 4:
            assert audit.after() == [], seed
            assert validator.fault(battle) is None, seed
            audit.before()
            options = battle.decision.options
            battle.apply(options[int(rng.integers(len(options)))])
        for rule in RULES:
            seen[rule] += len(told(battle, rule))
    assert min(seen.values()) > 0, seen


SEEDS = 14
