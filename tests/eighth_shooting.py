"""Units of the 8th edition that shoot: scenes, what is offered, what was rolled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from eighth import EighthScene

from wh_env import Battle
from wh_env.testing import UnitHandle, pick, ranged, sheet, slots, told, words

SELECT, HIT, WOUND, SAVE = "w8.shoot.select", "w8.attack.hit", "w8.attack.wound", "w8.attack.save"
GUN = ranged(24, BS=3)


def gunners(name: str = "Guns", weapon: Mapping[str, Any] = GUN, **fields: Any) -> dict[str, Any]:
    """A unit with one gun each."""
    return sheet(name, weapons={"gun": weapon}, **fields)


def squad(name: str, kinds: Sequence[tuple[int, Sequence[str]]], weapons: Any, **fields: Any) -> dict[str, Any]:
    """A datasheet whose first models carry ``kinds[0]``, and so on: pairs of a number and names of weapons."""
    data = sheet(name, weapons=weapons, **fields)
    model = data["models"][0]
    data["models"] = [
        {**model, "name": f"Kind {n}", "min": count, "max": count, "weapons": list(names)}
        for n, (count, names) in enumerate(kinds)
    ]
    data["points"] = [{"models": sum(count for count, _ in kinds), "points": 100}]
    return data


def waits(battle: Battle, kind: str) -> bool:
    """Whether a decision of this kind waits."""
    return battle.decision is not None and battle.decision.kind == kind


def targets(battle: Battle) -> list[str]:
    """Names of the units that may be targeted in the waiting decision."""
    assert battle.decision is not None
    assert battle.decision.kind in ("shoot-target", "weapon-target"), battle.decision
    units, first = battle.setup.names["units"], battle.players.first_unit[1 - battle.decision.player]
    return [units[first + slot] for slot in slots(battle, "enemy")]


def declare(battle: Battle, *answers: str) -> list[str]:
    """Answer the questions about weapons, one after the other, the last answer for all that are left; what was asked about."""
    asked = []
    left = list(answers)
    while waits(battle, "weapon-target"):
        asked.append(next(iter(words(battle).values())).split(": ")[0])
        pick(battle, left.pop(0) if len(left) > 1 else left[0])
    return asked


def rolls(battle: Battle, rule: str) -> list[tuple[int, int, int]]:
    """(die, needed, result) of the rolls."""
    return [(e["die"], e["needed"], e["result"]) for e in told(battle, rule) if "die" in e]


def shots(battle: Battle) -> list[tuple[int, int]]:
    """(attacker, target) of the hit rolls."""
    return [(e["attacker"], e["target"]) for e in told(battle, HIT)]


def wounds(battle: Battle, unit: UnitHandle) -> list[int]:
    """Wounds left of the models of a unit."""
    return [battle.models.wounds[unit.first + k] for k in range(battle.units.count[unit])]


def shoot(
    weapon: Mapping[str, Any],
    dice: Sequence[int],
    *,
    enemy: Mapping[str, Any] | None = None,
    detail: str = "squad",
    player: int = 0,
    count: int = 1,
    models: int | None = None,
    gap: float = 10.0,
    rules: Mapping[str, Any] | None = None,
    terrain: Sequence[tuple[float, float, float, float]] = (),
    mine: Mapping[str, Any] | None = None,
    **target: Any,
) -> tuple[Battle, UnitHandle]:
    """``count`` models of ``player`` with this weapon shoot X, whose first model is ``gap`` inches from their first; the battle at its
    first decision after the targets, and X. ``terrain``: craters; ``mine``: columns of the shooters."""
    scene = EighthScene()
    for outline in terrain:
        scene.crater(*outline)
    scene.unit(player, gunners(weapon=weapon), at=(10, 10), models=count, **(mine or {}))
    data = dict(enemy) if enemy is not None else sheet("X", W=9)
    unit = scene.unit(1 - player, data, at=(10, 11 + gap), models=models, **target)
    scene.unit(1 - player, sheet("Elsewhere"), at=(58, 42))
    battle = scene.battle("shooting", active=player, detail=detail, dice=list(dice), rules=rules)
    pick(battle, "Guns")
    declare(battle, "at X")
    if waits(battle, "shoot-target"):
        pick(battle, "X")
    return battle, unit


def house(*effects: str, player: int = 0) -> dict[str, Any]:
    """Rules of a group: INFANTRY of a player make their attacks with these effects."""
    return {"modifiers": [{"player": player, "keyword": "INFANTRY", "effect": effect} for effect in effects]}
