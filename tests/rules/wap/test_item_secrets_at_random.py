"""Battles with and without one item that the enemy does not know, played side by side: he sees and may do the same
until the item comes to light.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from heroes import horse
from marching import FORWARD, MARCH, finish, go, leg
from marching import MOST as MOST_AHEAD
from wizards import wizard

from wh_env import Battle
from wh_env.content.wap.item_files import known_items
from wh_env.core.features import Veil
from wh_env.envs.observation import Observer
from wh_env.rulesets.wap.items.secrets import QUESTIONS
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, square

ROUNDS, MOST = 2, 150
FAMILIES = ("weapon", "armour", "talisman", "enchanted", "arcane", "banner")
ITEMS = [item.row for item in known_items().values()]
KIT = ["hand weapon", "light armour", "shield", "great weapon"]
# what only the owner is asked, or is not asked, because of a rule that he has by the item; the enemy cannot tell why
COMPELLED = "Berserker Sword"


def facing(item: str, family: str, owner: int, seed: int, detail: str) -> Battle:
    """Two armies of four units near each other, with a wizard in the first unit of each; ``owner`` has ``item``."""
    scene = RegimentScene(rules={"lists": "hidden"})
    for player in (owner, 1 - owner):
        y, turned = (18, NORTH) if player == 0 else (29, SOUTH)
        carries = player == owner and bool(item)
        banner = item if carries and family == "banner" else None
        worn = [item] if carries and family != "banner" else []
        command = ["standard", "champion", "musician"]
        at: dict[str, Any] = {"facing": turned, "banner": banner, "command": command}
        unit = scene.unit(player, square(ld=8), (24, y), models=15, files=5, **at)
        mage = wizard(3, "fire" if player else "light", t=4, w=3, a=3, equipment=KIT)
        scene.unit(player, mage, models=1, inside=unit, items=worn, leads=["general"])
        scene.unit(player, square(equipment=["hand weapon", "bow"]), (10, y), models=10, facing=turned)
        scene.unit(player, square(m=8), (40, y), models=10, facing=turned)
    scene.area("marsh", 20, 8, 28, 17)
    scene.area("forest", 20, 31, 28, 40)
    return scene.battle("movement", player=seed % 2, seed=seed, detail=detail)


def is_known(battle: Battle) -> bool:
    return any(battle.items.seen.tolist())


def compare(item: str, family: str, owner: int, seed: int, detail: str = "squad") -> int:
    """Play both battles until the item comes to light; returns how many decisions of both were the same."""
    with_item, without = (facing(name, family, owner, seed, detail) for name in (item, ""))
    seat, rng, same = 1 - owner, np.random.default_rng(seed), 0
    eyes = [Observer(battle.setup, "entities") for battle in (with_item, without)]
    for _ in range(MOST):
        one, other = with_item.decision, without.decision
        if one is None or other is None or is_known(with_item) or with_item.clock.round[0] > ROUNDS:
            break
        if (one.kind, one.player) != (other.kind, other.player):
            if 0 not in one.options or item == COMPELLED:
                break
            assert one.player == owner, f"{item}: the enemy is asked {one.kind}, and without it {other.kind}"
            assert one.kind not in QUESTIONS or not Veil().over(with_item, seat).clock.asking[0], item
            with_item.apply(0)
            continue
        seen, plain = (eye.observe(battle, seat) for eye, battle in zip(eyes, (with_item, without), strict=True))
        for part in seen:
            assert np.array_equal(seen[part], plain[part]), f"{item}: {part} at a decision of the kind {one.kind}"
        if one.player == seat:
            assert np.array_equal(with_item.legal(), without.legal()), f"{item}: the mask of {one.kind}"
            words = [[battle.describe(k) for k in one.options] for battle in (with_item, without)]
            assert words[0] == words[1], item
        both = [action for action in one.options if action in other.options]
        if not both:
            break
        action = both[int(rng.integers(len(both)))]
        with_item.apply(action)
        without.apply(action)
        same += 1
    return same


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.rule("wap.army.list.hidden")
def test_an_unknown_item_changes_nothing_that_the_enemy_sees(family: str) -> None:
    rows = [row for row in ITEMS if row.family == family]
    played = [compare(row.name, family, n % 2, n % 2) for n, row in enumerate(rows)]
    assert sum(played) > 5 * len(rows) or family == "enchanted"


@pytest.mark.parametrize(
    ("item", "seed"),
    [("Wailing Banner", 0), ("Rampager's Standard", 0), ("Banner of Swiftness", 0), ("Ranger's Standard", 0)],
)
@pytest.mark.rule("wap.army.list.hidden")
def test_items_that_act_before_combat_come_to_light_as_they_do(item: str, seed: int) -> None:
    """Terror, dice of a charge that are rolled again or added, and ground that does not slow."""
    assert compare(item, "banner", 0, seed) > 0


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("ground", "card", "known"), [("forest", "horse", 1), ("forest", "foot", 0), ("river", "foot", 1)]
)
@pytest.mark.rule("wap.army.list.hidden")
def test_a_standard_that_opens_ground_comes_to_light_where_that_is_seen(
    player: int, ground: str, card: str, known: int
) -> None:
    """Riders take no test in a forest, where others take none anyway; nobody else marches through a river."""
    scene = RegimentScene(rules={"lists": "hidden"})
    y, turned, far = (10, NORTH, 17) if player == 0 else (38, SOUTH, 31)
    banner: dict[str, Any] = {"banner": "Ranger's Standard", "command": ["standard"]}
    unit = scene.unit(
        player, horse(m=8) if card == "horse" else None, (20, y), models=5, files=5, facing=turned, **banner
    )
    scene.unit(player, None, (44, y), models=5)
    scene.unit(1 - player, None, (44, 45 if player == 0 else 3), models=5)
    scene.area(ground, 10, min(y, far) + (3 if player == 0 else 1), 30, max(y, far) - (1 if player == 0 else 3))
    battle = scene.battle("movement", player=player, detail="full")
    go(battle, unit, MARCH)
    leg(battle, FORWARD, MOST_AHEAD)
    finish(battle)
    assert battle.items.seen.tolist() == [known]
