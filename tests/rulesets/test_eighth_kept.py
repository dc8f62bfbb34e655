"""What is kept of targets in the 8th edition still holds after every action: CHARACTERS, Pistols in combat, psykers, terrain."""

from __future__ import annotations

import random
from typing import Any

import pytest
from eighth import EighthScene
from small_armies import BLADES, FLIERS, RIFLES, WALKER

from wh_env.rulesets.w40k.codes import BARRED, YES
from wh_env.rulesets.w40k.psychic.data import Affects, PsychicPower, PsychicProfile
from wh_env.testing import melee, ranged, sheet

PISTOL = ranged(12, A=2, BS=2, S=5, abilities=["Pistol"])
HERO = sheet(
    "Hero", W=5, keywords=("INFANTRY", "CHARACTER"), invuln=4,
    weapons={"pistol": PISTOL, "gun": ranged(24, A=2, BS=2, S=5, abilities=["Rapid Fire 2"]), "sword": melee(A=5, WS=2, S=5, AP=-2)},
)  # fmt: skip
SEER = sheet("Seer", W=4, keywords=("INFANTRY", "CHARACTER", "PSYKER"), weapons={"pistol": PISTOL, "staff": melee(A=3)})
MIXED = sheet(
    "Mixed",
    weapons={
        "pistol": ranged(12, BS=3, abilities=["Pistol"]),
        "rifle": ranged(24, BS=3, abilities=["Rapid Fire 1"]),
        "bomb": ranged(6, A="D6", BS=3, abilities=["Grenade"]),
        "cannon": ranged(36, BS=3, S=8, AP=-2, D="D3", abilities=["Heavy"]),
        "knife": melee(),
    },
)
BOLT = PsychicPower("Bolt", 5, "mortal", Affects.ENEMY, 18, amount=(1, 3, 0))
ARMY: tuple[tuple[dict[str, Any], int, PsychicProfile | None], ...] = (
    (RIFLES, 5, None),
    (BLADES, 5, None),
    (MIXED, 5, None),
    (WALKER, 1, None),
    (FLIERS, 3, None),
    (HERO, 1, None),
    (SEER, 1, PsychicProfile(2, 1, (BOLT,))),
)


def crowded(seed: int) -> Any:
    """A battle on a small table full of terrain, from the mission sequence on."""
    scene = EighthScene(size=(44, 30))
    for player in (0, 1):
        for number, (data, models, psychic) in enumerate(ARMY):
            name = f"{data['name']} {number}"
            scene.unit(player, data, models=models, place="deploy", name=name, psychic=psychic)
    scene.woods(8, 11, 14, 18)
    scene.ruins(20, 12, 27, 18, floors=[3.0])
    scene.box(32, 12, 36, 16, 4.0)
    for spot in ((11, 15), (22, 8), (33, 20), (30, 8)):
        scene.marker(*spot)
    return scene.battle(phase="mission", seed=seed)


@pytest.mark.parametrize("seed", range(4))
def test_battles_with_random_answers(seed: int) -> None:
    """Whoever can shoots, manifests and charges."""
    battle, choose, shot = crowded(seed), random.Random(seed), 0
    audit = battle.setup.ruleset.audit(battle)
    while battle.decision is not None:
        kind, options = battle.decision.kind, list(battle.decision.options)
        if kind in ("select-to-shoot", "select-psyker", "select-to-charge"):
            options = [option for option in options if option] or options
        shot += kind == "select-to-shoot"
        audit.before()
        battle.apply(choose.choice(options))
        assert audit.after() == [], kind
    assert shot > 10


def test_a_character_that_is_kept_as_a_target_is_found() -> None:
    scene = EighthScene()
    scene.unit(0, sheet("Guns", weapons={"gun": ranged(24)}), at=(20, 10))
    hero = scene.unit(1, HERO, at=(20, 22))
    scene.unit(1, sheet("Closer"), at=(24, 18))
    scene.unit(1, sheet("Far"), at=(30, 20))
    battle = scene.battle("shooting")
    assert battle.decision is not None
    assert battle.setup.ruleset.audit(battle).after() == []
    battle.targets[0, hero.row] = YES
    assert battle.setup.ruleset.audit(battle).after() == ["Hero is barred for Guns, and 'a target' is kept"]
    battle.targets[0, hero.row] = BARRED
    assert battle.setup.ruleset.audit(battle).after() == []
