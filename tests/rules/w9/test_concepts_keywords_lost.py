"""Keywords that a unit loses with the last model that has them (w9.concepts.keywords)."""

from __future__ import annotations

from typing import Any

import pytest
from ninth import NinthScene

from wh_env import Battle
from wh_env.rulesets.w40k.psychic.data import PsychicProfile
from wh_env.testing import UnitHandle, choose, kind, offered, pick, ranged, sheet, told

GUN = {"gun": ranged(40, A=1, BS=2, S=9, AP=-6, D=6)}
PSYCHIC = PsychicProfile(manifests=1, denies=1)


def led(keyword: str, name: str = "Led") -> dict[str, Any]:
    """Four INFANTRY models and a fifth that has one keyword more."""
    data = sheet(name, models=(4, 4))
    hero = {**data["models"][0], "name": "Hero", "min": 1, "max": 1, "keywords": [keyword]}
    return {**data, "models": [data["models"][0], hero], "points": [{"models": 5, "points": 100}]}


def row(scene: NinthScene, player: int, keyword: str, y: float, lost: bool, **fields: Any) -> UnitHandle:
    """Such a unit in a row along x; ``lost``: its fifth model is destroyed."""
    spots = [(10 + 1.3 * k, y) for k in range(5)]
    return scene.unit(player, led(keyword), at=spots, models=5, lost=[4] if lost else (), **fields)


def shot_at(battle: Battle, name: str) -> bool:
    """Whether the first gun may be fired at the unit."""
    pick(battle, "Gun", kind="select-to-shoot")
    return kind(battle) == "weapon-target" and any(f"at {name}" in battle.describe(a) for a in battle.decision.options)


@pytest.mark.rule("w9.concepts.keywords", "w9.shoot.look-out-sir")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("lost", [False, True])
def test_without_its_character_a_unit_screens_others(lost: bool, player: int) -> None:
    """A CHARACTER stands 2" from a unit of five one of which is a CHARACTER: that is no screen, the four others are one."""
    scene = NinthScene()
    row(scene, player, "CHARACTER", 30, lost)
    scene.unit(player, sheet("Lord", keywords=("INFANTRY", "CHARACTER")), at=(10, 33), models=1)
    scene.unit(player, sheet("Near"), at=(25, 20), models=1)
    scene.unit(1 - player, sheet("Gun", weapons=GUN), at=[(20, 10)], models=1)
    battle = scene.battle("shooting", active=1 - player, detail="full")
    assert shot_at(battle, "Lord") is not lost


@pytest.mark.rule("w9.concepts.keywords", "w9.shoot.look-out-sir")
@pytest.mark.parametrize("player", [0, 1])
def test_it_is_so_from_the_attacks_on_that_destroy_the_model(player: int) -> None:
    """The first gun destroys the CHARACTER of the unit beside the Lord, its player allocating the attack to it: the second gun may
    not fire at the Lord any more."""
    scene = NinthScene()
    unit = row(scene, player, "CHARACTER", 30, False)
    lord = scene.unit(player, sheet("Lord", keywords=("INFANTRY", "CHARACTER")), at=(10, 33), models=1)
    scene.unit(player, sheet("Near"), at=(25, 20), models=1)
    for n, x in enumerate((18, 22)):
        scene.unit(1 - player, sheet(f"Gun {n}", weapons=GUN), at=[(x, 10)], models=1)
    battle = scene.battle("shooting", active=1 - player, detail="full", dice=[6, 6])
    pick(battle, "Gun 0", kind="select-to-shoot")
    assert any("at Lord" in battle.describe(a) for a in battle.decision.options)
    pick(battle, "at Led")
    choose(battle, "model", 4)  # to whom the attack is allocated
    assert not battle.models.alive[unit.model(4)]
    pick(battle, "Gun 1", kind="select-to-shoot")
    assert not any("at Lord" in battle.describe(a) for a in battle.decision.options)
    assert battle.units.alive[lord] == 1


@pytest.mark.rule("w9.concepts.keywords", "w9.charge.heroic-intervention")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("lost", [False, True])
def test_without_its_character_a_unit_makes_no_heroic_intervention(lost: bool, player: int) -> None:
    scene = NinthScene()
    unit = row(scene, player, "CHARACTER", 30, lost)
    scene.unit(1 - player, sheet("Foe"), at=(10, 27), models=1)
    battle = scene.battle("charge", active=1 - player)
    while kind(battle) == "select-to-charge":
        choose(battle, "done")
    assert offered(battle, "select-to-intervene") == ([] if lost else [unit.number])


@pytest.mark.rule("w9.concepts.keywords", "w9.psychic.select", "w9.psychic.deny")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("lost", [False, True])
def test_without_its_psyker_a_unit_neither_manifests_nor_denies(lost: bool, player: int) -> None:
    for active in (player, 1 - player):
        scene = NinthScene()
        unit = row(scene, player, "PSYKER", 30, lost, psychic=PSYCHIC)
        foe = scene.unit(
            1 - player, sheet("Foe", W=9, keywords=("INFANTRY", "PSYKER")), at=(10, 25), models=1, psychic=PSYCHIC
        )
        battle = scene.battle("psychic", active=active, dice=[3, 3, 1])
        if active == player:
            assert offered(battle, "select-psyker") == ([] if lost else [unit.number])
            continue
        choose(battle, "own", foe.number)
        pick(battle, "Smite")
        assert (kind(battle) == "deny") is not lost
        assert len(told(battle, "w9.psychic.test")) == 1
