"""Charges on a crowded table, played at random: what must hold after every action holds, and states read back the same."""

from __future__ import annotations

from collections import Counter
from math import tau

import numpy as np
import pytest

from wh_env import Battle
from wh_env.core.validation import Validator
from wh_env.rulesets.wap.basics.declared_charges import all_charges
from wh_env.testing import told
from wh_env.testing.wap import RegimentScene, square

CARDS = (
    square(),
    square(rules=["Frenzy"]),
    square(rules=["Terror"], w=3),
    square(rules=["Stupidity"], ld=5),
    square(rules=["Random Movement (2D6)"]),
    square(m=8, rules=["Swiftstride"]),
    square(equipment=["short bow"]),
)
SEEN = (
    "wap.charge.declare",
    "wap.charge.flee.pivot",
    "wap.charge.redirect",
    "wap.charge.failed",
    "wap.charge.move.contact",
    "wap.special.frenzy.must-charge",
    "wap.special.terror.charged",
    "wap.special.stupidity.failed",
    "wap.special.random-movement.contact",
)
LEAST_SEEDS, MOST_SEEDS = 5, 40


def melee(seed: int, detail: str) -> Battle:
    """Seven units a side, face to face, among rocks."""
    rng = np.random.default_rng(seed)
    scene = RegimentScene()
    scene.area("impassable", 22, 22, 25, 24)
    scene.area("dangerous", 4, 20, 12, 24)
    for player in (0, 1):
        for n, card in enumerate(CARDS):
            y = (13 if player == 0 else 26) + rng.uniform(0, 5)
            turned = (0.25 if player == 0 else 0.75) * tau + float(rng.normal(0, 0.2))
            scene.unit(
                player, card, (4 + 6.5 * n, float(y)), models=int(rng.choice([1, 4, 8, 9])), files=4, facing=turned,
                fleeing=int(rng.random() < 0.1),
            )  # fmt: skip
    return scene.battle("movement", detail=detail, seed=seed, run=False)


@pytest.mark.parametrize("detail", ["squad", "full"])
def test_what_must_hold_holds_while_units_charge(detail: str) -> None:
    """Charges are declared wherever that is possible; no row of a charge is left by the next player's turn."""
    seen: Counter[str] = Counter()
    for seed in range(MOST_SEEDS):
        if seed >= LEAST_SEEDS and all(seen[rule] for rule in SEEN):
            break
        battle, rng = melee(seed, detail), np.random.default_rng(seed)
        audit = battle.setup.ruleset.audit(battle)
        validator = Validator(battle.setup)
        audit.before()
        battle.run()
        while battle.decision is not None and battle.clock.round[0] < 3:
            assert audit.after() == []
            assert validator.fault(battle) is None
            c = battle.charges
            for k in all_charges(battle):
                assert battle.units.owner[c.unit[k]] == battle.clock.turn[0] != battle.units.owner[c.target[k]]
            audit.before()
            options = battle.decision.options
            if battle.decision.kind in ("declare-charge", "redirect") and len(options) > 1:
                options = [action for action in options if action]
            if battle.decision.kind == "random-facing" and 0 in options:
                options = [0]  # towards the enemy, as it stands
            words = [battle.describe(action) for action in options]
            assert len(set(words)) == len(words)
            battle.apply(options[int(rng.integers(len(options)))])
        for rule in SEEN:
            seen[rule] += len(told(battle, rule))
    assert min(seen[rule] for rule in SEEN) > 0, seen
