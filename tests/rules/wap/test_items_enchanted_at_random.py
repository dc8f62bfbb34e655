"""Battles of bearers of enchanted items, played at random: what must hold, holds."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from heroes import hero

from wh_env import Battle
from wh_env.core.validation import Validator
from wh_env.rulesets.wap.codes import EXTRA
from wh_env.testing import told
from wh_env.testing.wap import RegimentScene, square

SEEDS = 6
ITEMS = [
    ["Potion of Strength", "Combat Familiar"], ["Potion of Toughness"], ["Potion of Speed", "Combat Familiar"],
    ["Healing Potion", "Ogre Blade", "Combat Familiar"], ["Crown of Command"], ["Terrifying Mask of EEE!"],
]  # fmt: skip
OFTEN = ("potion-of-strength", "potion-of-toughness", "potion-of-speed", "healing-potion")


def brawl(seed: int, detail: str) -> Battle:
    """Three units a side in contact, each with two heroes who have items and lost Wounds, and two who fly or run."""
    scene = RegimentScene((60, 48), rules={"lists": ("open", "hidden")[seed % 2]})
    bearers = []
    for n in range(3):
        hosts = [scene.unit(0, None, (12.0 + 18 * n, 24), models=10, files=5)]
        hosts.append(scene.beside(hosts[0], 1, square(), models=10, files=5))
        for player, host in enumerate(hosts):
            for post, items in enumerate(ITEMS[2 * n : 2 * n + 2]):
                card = hero(w=4, a=2, i=4, ld=7, equipment=["additional hand weapon"])
                bearers.append(scene.unit(player, card, inside=host, models=1, post=2 + post, items=items))
    for player, y in enumerate((12, 36)):
        scene.unit(player, hero(w=3), (4, y), models=1, files=1, items=["Carpet of Araby"])
        scene.unit(player, hero(w=3), (56, y), models=1, files=1, items=["Flying Boots"])

    def wounded(battle: Battle) -> None:
        for bearer in bearers:
            battle.models.wounds[bearer.model()] = 2

    return scene.battle("movement", seed=seed, detail=detail, player=seed % 2, run=False, set_state=wounded)


@pytest.mark.parametrize("detail", ["squad", "full"])
def test_what_must_hold_holds_for_bearers_of_enchanted_items(detail: str) -> None:
    """Nobody declares a charge; all are in combat as it is."""
    seen: Counter[str] = Counter()
    for seed in range(SEEDS):
        if seed > 1 and all(seen[what] for what in OFTEN):
            break
        battle, rng = brawl(seed, detail), np.random.default_rng(seed)
        audit, validator = battle.setup.ruleset.audit(battle), Validator(battle.setup)
        audit.before()
        battle.run()
        while battle.decision is not None and battle.clock.round[0] < 3:
            assert audit.after() == []
            assert validator.fault(battle) is None
            audit.before()
            options = [0] if battle.decision.kind == "declare-charge" else battle.decision.options
            words = [battle.describe(action) for action in options]
            assert len(set(words)) == len(words)
            copy = battle.clone()
            action = options[int(rng.integers(len(options)))]
            battle.apply(action)
            copy.apply(action)
            assert copy.state_bytes() == battle.state_bytes()
        for item in OFTEN:
            seen[item] += len(told(battle, f"wap.item.enchanted.{item}"))
        assert battle.lines.kind.tolist().count(EXTRA) == 6
    assert all(seen[what] for what in OFTEN), seen
