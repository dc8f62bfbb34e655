"""Battles of bearers of magic armour and talismans, played at random: what must hold, holds."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from guarding import MOUNTED
from heroes import hero

from wh_env import Battle
from wh_env.content.wap.item_files import known_items
from wh_env.core.validation import Validator
from wh_env.testing import told
from wh_env.testing.wap import RegimentScene, square

SEEDS = 6
# rules and a decision that must occur
OFTEN = ("wap.item.armour.charmed-shield", "wap.item.talisman.opal-amulet", "name-rival")
WORN = [item for item in known_items().values() if item.row.family in ("armour", "talisman")]


def brawl(seed: int, detail: str) -> Battle:
    """Three units a side in contact with each other, with heroes in them and on horses beside them who have an armour
    and a talisman each; the heroes of the first unit have what acts once or by decision.
    """
    rng = np.random.default_rng(seed)
    scene = RegimentScene((60, 48))
    armour, talismans = ([item.row.name for item in WORN if item.row.family == kind] for kind in ("armour", "talisman"))
    for n in range(3):
        hosts = [scene.unit(0, None, (12.0 + 18 * n, 24), models=10, files=5)]
        hosts.append(scene.beside(hosts[0], 1, square(rules=["Flaming Attacks"]), models=10, files=5))
        for player, host in enumerate(hosts):
            for post, worn in enumerate((["Helm of Discord", "Opal Amulet"], ["Charmed Shield"])):
                items = [str(rng.choice(armour)), str(rng.choice(talismans))] if n else worn
                card = hero(w=3, a=2, ld=7, equipment=["light armour", "shield"])
                scene.unit(player, card, inside=host, models=1, post=2 + post, items=items)
    for player, y in enumerate((12, 36)):
        items = [str(rng.choice(armour)), str(rng.choice(talismans))]
        scene.unit(player, hero(w=3, **MOUNTED), (4, y), models=1, files=1, items=items)
        scene.unit(player, square(equipment=["bow"]), (54, 4 if player == 0 else 44), models=8)
    return scene.battle("combat", seed=seed, detail=detail, player=seed % 2, run=False)


@pytest.mark.parametrize("detail", ["squad", "full"])
def test_what_must_hold_holds_for_bearers_of_armour(detail: str) -> None:
    """Nobody declares a charge; all are in combat as it is."""
    seen: Counter[str] = Counter()
    for seed in range(SEEDS):
        if all(seen[what] for what in OFTEN):
            break
        battle, rng = brawl(seed, detail), np.random.default_rng(seed)
        audit, validator = battle.setup.ruleset.audit(battle), Validator(battle.setup)
        audit.before()
        battle.run()
        while battle.decision is not None and battle.clock.round[0] < 3:
            assert audit.after() == []
            assert validator.fault(battle) is None
            seen[battle.decision.kind] += 1
            audit.before()
            options = [0] if battle.decision.kind == "declare-charge" else battle.decision.options
            words = [battle.describe(action) for action in options]
            assert len(set(words)) == len(words)
            copy = battle.clone()
            action = options[int(rng.integers(len(options)))]
            battle.apply(action)
            copy.apply(action)
            assert copy.state_bytes() == battle.state_bytes()
        for rule in OFTEN[:-1]:
            seen[rule] += len(told(battle, rule))
    assert all(seen[what] for what in OFTEN), seen
