"""What units of the 8th edition declare, on random tables with random answers, against the words of the rules (w8.shoot.*).

Every weapon with a target is fired but for the choices between Pistols, a Grenade and all others; and every target is one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from eighth import EighthScene

from wh_env import Battle
from wh_env.testing import in_sight, pick, ranged, sheet

RANGES = {"pistol": 12.0, "second pistol": 9.0, "rifle": 18.0, "cannon": 30.0, "bomb": 6.0}
KINDS = {"pistol": 1, "second pistol": 1, "rifle": 0, "cannon": 0, "bomb": 2}
TYPES = {
    "pistol": ["Pistol"],
    "second pistol": ["Pistol"],
    "rifle": ["Assault"],
    "cannon": ["Heavy"],
    "bomb": ["Grenade"],
}
CHARACTER = 1 << 3


def table(rng: np.random.Generator) -> Any:
    """Three models with some of the weapons, enemies, CHARACTERS among them, a friend, two blocks of terrain."""
    scene = EighthScene(size=(30, 30))
    free = [(float(x), float(y)) for x in np.arange(2, 28, 2.0) for y in np.arange(2, 28, 2.0)]
    spots = [free[k] for k in rng.permutation(len(free))]
    names = [name for name in RANGES if rng.random() < 0.6] or ["rifle"]
    weapons = {name: ranged(RANGES[name], BS=6, abilities=TYPES[name]) for name in names}
    at = spots.pop()
    near = sorted(spots, key=lambda s: np.hypot(s[0] - at[0], s[1] - at[1]))[:2]
    spots = [s for s in spots if s not in near]
    scene.unit(0, sheet("Guns", weapons=weapons), at=[at, *near])
    scene.unit(0, sheet("Friend"), at=spots.pop())
    for n in range(5):
        hero = rng.random() < 0.4
        data = sheet(
            f"U{n}",
            W=5,
            keywords=("INFANTRY", "CHARACTER") if hero else ("INFANTRY",),
            height=float(rng.integers(1, 4)),
        )
        scene.unit(1, data, at=spots.pop())
    for _ in range(2):
        x, y = spots.pop()
        scene.box(x - 0.9, y - 0.9, x + 0.9, y + 0.9, 6.0)
    return scene


def apart(battle: Battle, a: int, b: int) -> float:
    """Between two models."""
    m = battle.models
    return float(np.hypot(m.x[a] - m.x[b], m.y[a] - m.y[b]) - m.radius[a] - m.radius[b])


def allowed(battle: Battle, model: int, name: str) -> set[int]:
    """Units that the weapon of the model may be fired at; each enemy unit is one model, no unit of the shooters is in combat."""
    m, found = battle.models, set()
    enemies = [k for k in range(len(m.x)) if m.owner[k] == 1]
    friends = [k for k in range(len(m.x)) if m.owner[k] == 0]
    for k in enemies:
        if apart(battle, model, k) > RANGES[name] + 1e-4 or not in_sight(battle, model, k):
            continue
        if min(apart(battle, friend, k) for friend in friends) <= 1.0 + 1e-4:
            continue
        seen = [other for other in enemies if in_sight(battle, model, other)]
        if m.keywords[k] & CHARACTER and any(apart(battle, model, o) < apart(battle, model, k) - 1e-3 for o in seen):
            continue
        found.add(m.unit[k])
    return found


@pytest.mark.parametrize("detail", ["squad", "full"])
def test_what_is_fired_is_what_the_rules_say(detail: str) -> None:
    rng = np.random.default_rng(88)
    kinds, held = [0, 0, 0], 0
    for _ in range(150):
        scene = table(rng)
        battle = scene.battle("shooting", detail=detail, dice=200 * [1])
        if battle.decision is None or battle.decision.kind != "select-to-shoot":
            start = scene.battle("shooting", run=False)
            assert in_combat(start) or not any(allowed(start, k, name) for k in range(3) for name in carried(start))
            continue
        if in_combat(battle):
            continue
        before = battle.clone()
        pick(battle, "Guns")
        while battle.decision is not None and battle.decision.kind in (
            "weapon-target",
            "shoot-target",
            "target-order",
            "profile-order",
        ):
            options = battle.decision.options
            held += 0 in options and battle.decision.kind == "weapon-target"
            battle.apply(int(rng.choice(options)))
        names, jobs = battle.setup.names["weapons"], battle.jobs
        fired: dict[int, dict[str, int]] = {0: {}, 1: {}, 2: {}}
        for job in range(battle.attack.jobs[0]):
            name = names[jobs.weapon[job]].split(" (")[0]
            assert name not in fired[jobs.model[job]]
            if was_made(battle, jobs.model[job], name, detail):
                fired[jobs.model[job]][name] = jobs.target[job]
        assert sum("bomb" in weapons for weapons in fired.values()) <= 1
        for model, weapons in fired.items():
            could = {name: allowed(before, model, name) for name in carried(before)}
            assert len({KINDS[name] for name in weapons}) <= 1
            for name, target in weapons.items():
                assert target in could[name]
                kinds[KINDS[name]] += 1
            kind = KINDS[next(iter(weapons))] if weapons else None
            for name, possible in could.items():
                if possible and KINDS[name] != 2:
                    assert kind is not None
                    assert name in weapons or KINDS[name] != kind
    assert kinds[0] > 100
    assert kinds[1] > 20
    assert kinds[2] > (5 if detail == "full" else 0)
    assert (held > 50) == (detail == "full")


def was_made(battle: Battle, model: int, name: str, detail: str) -> bool:
    """Whether the attacks of a declared weapon were made: at squad detail those of who throws a Grenade instead are not."""
    rolled = [e.data["attacker"] for e in battle.events if e.rule == "w8.attack.hit"]
    thrown = [battle.jobs.model[k] for k in range(battle.attack.jobs[0]) if "bomb" in weapon_name(battle, k)]
    return model in rolled and (name == "bomb" or model not in thrown or detail == "full")


def weapon_name(battle: Battle, job: int) -> str:
    """Of a declared attack."""
    return str(battle.setup.names["weapons"][battle.jobs.weapon[job]])


def carried(battle: Battle) -> list[str]:
    """Names of the weapons of the first unit."""
    arsenal, names = battle.setup.statics["arsenal_weapon"], battle.setup.names["weapons"]
    return [names[arsenal[k]].split(" (")[0] for k in range(battle.models.weapons[0])]


def in_combat(battle: Battle) -> bool:
    """Whether an enemy stands within 1" of the unit that shoots."""
    return any(apart(battle, k, e) <= 1.0 + 1e-4 for k in range(3) for e in range(4, len(battle.models.x)))
