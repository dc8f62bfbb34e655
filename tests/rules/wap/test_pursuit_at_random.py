"""Battles that begin in close combat, played at random on a crowded table: what must hold after every action holds, and states read back the same."""

from __future__ import annotations

import numpy as np
import pytest

from wh_env import Battle
from wh_env.content.errors import ContentError
from wh_env.core.validation import Validator
from wh_env.rulesets.wap.casualties.closing import stands_on_table
from wh_env.rulesets.wap.codes import CHARGED, FRONT, LEFT, REAR, RIGHT
from wh_env.testing import told
from wh_env.testing.wap import NORTH, RegimentScene, square

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


def column(seed: int, detail: str) -> Battle:
    """Four combats one behind another, a few inches apart: whoever pursues runs into one that is fought already or still to come."""
    rng = np.random.default_rng(seed)
    scene = RegimentScene()
    for n, y in enumerate((9.0, 18.5, 28.0, 37.5)):
        owner = n % 2  # he looks at the next combat over his enemy
        card = square(a=2, s=5, ld=int(rng.integers(4, 8)))
        x = 24 + float(rng.uniform(-1.5, 1.5))
        unit = scene.unit(
            owner, card, (x, y), models=int(rng.integers(5, 11)), files=5, facing=NORTH, did=CHARGED, charging=1
        )
        scene.beside(unit, 1 - owner, square(ld=5), models=int(rng.integers(4, 11)), files=4)
    scene.unit(0, None, (4, 4), models=5)
    scene.unit(1, None, (44, 44), models=5)
    return scene.battle("combat", detail=detail, seed=seed, player=seed % 2, run=False)


MEETINGS = (
    "wap.pursuit.new-enemy.fight-again",
    "wap.pursuit.new-enemy.fight-again.no-overrun",
    "wap.pursuit.new-enemy.next-phase",
    "wap.pursuit.new-enemy.must-charge",
)


@pytest.mark.rule("wap.pursuit.new-enemy.fight-again", "wap.pursuit.new-enemy.fight-again.no-overrun")
def test_who_pursues_into_another_combat_fights_again_and_goes_no_farther() -> None:
    """A unit is in no more than two combats of a phase, in the second only after it has pursued or overrun, and then it does neither again."""
    seen: dict[str, int] = dict.fromkeys(MEETINGS, 0)
    for seed in range(16):
        battle, rng = column(seed, ("squad", "full")[seed % 2]), np.random.default_rng(seed)
        audit = battle.setup.ruleset.audit(battle)
        audit.before()
        battle.run()
        while battle.decision is not None and battle.clock.round[0] < 2:
            assert audit.after() == [], seed
            audit.before()
            options = battle.decision.options
            battle.apply(options[int(rng.integers(len(options)))])
        for rule in MEETINGS:
            seen[rule] += len(told(battle, rule))
        fought: dict[int, list[int]] = {}
        went: dict[int, list[int]] = {}
        for at, event in enumerate(battle.events):
            if event.rule == "wap.battle.turn.alternate":
                fought, went = {}, {}
            elif event.rule == "wap.combat.phase.sequence":
                for unit in event.data["units"]:
                    fought.setdefault(unit, []).append(at)
            elif event.rule in ("wap.pursuit.move", "wap.pursuit.overrun.move") and "place" in event.data:
                went.setdefault(event.data["unit"], []).append(at)
            assert all(len(times) < 2 for times in went.values()), seed
            for unit, (first, *again) in fought.items():
                assert len(again) < 2, seed
                joined = any(first < time < second for second in again for times in went.values() for time in times)
                assert joined or not again, (seed, unit)
    assert min(seen.values()) > 0, seen


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
