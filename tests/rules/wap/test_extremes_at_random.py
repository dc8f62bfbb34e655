"""Battles of units with the least and the greatest of everything and rules that pull against each other, played at random: what must hold holds."""

from __future__ import annotations

import numpy as np
import pytest

from wh_env import Battle
from wh_env.core.validation import Validator
from wh_env.testing.wap import RegimentScene, square

RULES = (
    "Fear", "Terror", "Frenzy", "Stubborn", "Unstable", "Unbreakable", "Stupidity", "Hatred", "Always Strikes First", "Always Strikes Last",
    "Poisoned Attacks", "Swiftstride", "Random Movement (3D6)", "Impact Hits (D6)", "Ward Save (5+)", "Devastating Charge", "Fight in Extra Ranks (2)",
)  # fmt: skip
SEEN = (
    "wap.special.frenzy.must-charge", "wap.special.frenzy.loss", "wap.special.frenzy.restrain", "wap.special.unstable", "wap.special.terror.charged",
    "wap.special.terror.charging", "wap.charge.redirect", "wap.pursuit.caught", "wap.pursuit.overrun.move", "wap.pursuit.off-table",
    "wap.pursuit.new-enemy.must-charge", "wap.panic.friend-destroyed",
)  # fmt: skip
COMMAND = ("champion", "standard", "musician")


def extreme(rng: np.random.Generator) -> dict[str, object]:
    """A card of ends: Attacks and Initiative of 0 or 10, Leadership of 0, 2 or 10, no Movement at all, up to ten Wounds."""

    def one_of(*values: int) -> int:
        return int(rng.choice(values))

    profile = {name: one_of(0, 1, 2, 10) for name in ("ws", "i", "a")} | {name: one_of(1, 10) for name in ("s", "t")}
    rules = rng.permutation(RULES)[: one_of(0, 2, 4)].tolist()
    return square(**profile, w=one_of(1, 2, 10), ld=one_of(0, 2, 10), m=one_of(0, 1, 4, 10), rules=rules)


def ends(seed: int) -> Battle:
    """Eight units a side, of 1 to 12 models, a few inches apart, some in flight, with dangerous ground between them."""
    rng = np.random.default_rng(seed)
    scene = RegimentScene()
    for x in (8, 20, 32, 42):
        for y in (8, 28):
            models = int(rng.choice([1, 1, 2, 3, 5, 12]))
            files = models if models < 4 else 4
            at = x + float(rng.uniform(-1, 1))
            led = COMMAND[: int(rng.integers(4))] if models >= 3 else ()
            flees = [int(rng.random() < 0.15) for _ in range(2)]
            scene.unit(0, extreme(rng), (at, y), models=models, files=files, command=led, fleeing=flees[0])
            there = (at + float(rng.uniform(-1, 1)), y + int(rng.choice([6, 8, 9])))
            scene.unit(1, extreme(rng), there, models=models, files=files, command=led, fleeing=flees[1])
    scene.area("dangerous", 14, 18, 30, 26)
    return scene.battle("movement", seed=seed, detail=("squad", "full")[seed % 2])


@pytest.mark.rule("wap.profile.range", "wap.special.general.cumulative")
def test_what_must_hold_holds_of_the_least_and_the_greatest() -> None:
    seen = dict.fromkeys(SEEN, 0)
    for seed in range(40):
        battle, rng = ends(seed), np.random.default_rng(seed)
        audit, validator = battle.setup.ruleset.audit(battle), Validator(battle.setup)
        audit.before()
        while battle.decision is not None and battle.clock.round[0] < 4:
            faults = [fault for fault in audit.after() if "ranks" not in fault]  # deeper than wide, as they were set up
            assert faults == [] and validator.fault(battle) is None, seed
            audit.before()
            options = battle.decision.options
            battle.apply(options[int(rng.integers(len(options)))])
        for event in battle.events:
            if event.rule in seen:
                seen[event.rule] += 1
    assert min(seen.values()) > 0, seen
