"""Battles of bearers of bound spells, of the hat, the shard and the lifestone, played at random: what must hold, holds."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from heroes import hero

from wh_env import Battle
from wh_env.core.validation import Validator
from wh_env.core.views import SeatView
from wh_env.testing.wap import RegimentScene, square

ITEMS = (
    "Ruby Ring of Ruin", "Orb of Thunder", "Wizarding Hat", "The Other Trickster's Shard", "Lifestone of Ashraaz"
)  # fmt: skip
# rules that must occur
OFTEN = (
    "wap.item.enchanted.ruby-ring-of-ruin",
    "wap.item.enchanted.orb-of-thunder",
    "wap.item.enchanted.wizarding-hat",
    "wap.item.enchanted.other-tricksters-shard",
    "wap.item.enchanted.lifestone-of-ashraaz",
)
SEEDS = 6


def brawl(seed: int, detail: str, lists: str) -> Battle:
    """Units in contact with heroes in them who have a shard or a lifestone, heroes apart with the other items, and
    flyers, on both sides.
    """
    scene = RegimentScene((60, 48), rules={"lists": lists})
    for n in range(2):
        first = scene.unit(0, square(rules=["Ward Save (4+)"]), (12.0 + 30 * n, 24), models=12, files=5)
        hosts = [first, scene.beside(first, 1, square(rules=["Ward Save (4+)"]), models=12, files=5)]
        for player, host in enumerate(hosts):
            item = ITEMS[3 + (n + player) % 2]
            scene.unit(player, hero(w=3, rules=["Ward Save (5+)"]), inside=host, models=1, post=2, items=[item])
    for player, y in enumerate((8, 40)):
        for n, item in enumerate(ITEMS[:3]):
            scene.unit(player, hero(w=3), (4.0 + 24 * n, y), models=1, items=[item])
        scene.unit(player, square(m=6, rules=["Fly (10)"]), (40, y), models=5)
    return scene.battle("movement", seed=seed, detail=detail, player=seed % 2, run=False)


@pytest.mark.parametrize(("detail", "lists"), [("squad", "open"), ("full", "hidden")])
def test_what_must_hold_holds_for_bearers_of_bound_spells(detail: str, lists: str) -> None:
    seen: Counter[str] = Counter()
    for seed in range(SEEDS):
        if all(seen[what] for what in OFTEN):
            break
        battle, rng = brawl(seed, detail, lists), np.random.default_rng(seed)
        audit, validator, view = battle.setup.ruleset.audit(battle), Validator(battle.setup), SeatView()
        audit.before()
        battle.run()
        while battle.decision is not None and battle.clock.round[0] < 3:
            assert audit.after() == []
            assert validator.fault(battle) is None
            for seat in (0, 1):
                assert view.of(battle, seat).clock.round[0] == battle.clock.round[0]
            audit.before()
            battle.apply(int(rng.choice(np.flatnonzero(battle.legal()))))
        seen.update(event.rule for event in battle.events)
    assert [what for what in OFTEN if not seen[what]] == []
