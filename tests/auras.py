"""Units that shoot at two targets, the first of which bears an aura, or kills its bearer as it explodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from wh_env import Battle
from wh_env.testing import Scene, kind, pick, ranged, sheet, told, words

ROLL_OF = {"hit": ("attack.hit", "attack.hit.roll"), "wound": ("attack.wound", "attack.wound.roll")}
ROLL_OF["save"] = ("attack.save", "attack.save.roll")
GUN = {"gun": ranged(8, A=1, BS=3, S=4)}
KILL = [6, 6, 1]  # hits, wounds, is not saved


def aura(effect: str, by: int = 0) -> dict[str, Any]:
    """Abilities of a unit with one aura of 6" on friendly units. ``by``: the number of a change of attacks that they suffer."""
    if by:
        play = {"effect": effect, "by": by, "attacks": "suffered", "range": 6}
        return {"other": [{"name": "Veil", "effect": "as the test says", "active": True, "plays": [play]}]}
    return {"auras": [{"name": "Veil", "effect": effect, "active": True, "range": 6}]}


def needed(battle: Battle, roll: str, target: int) -> list[int]:
    """What the rolls of attacks at a unit needed."""
    edition = battle.setup.ruleset.id
    events = [e for name in ROLL_OF[roll] for e in told(battle, f"{edition}.{name}")]
    return [e["needed"] for e in events if e.get("target") == target and "die" in e]


def shoot(battle: Battle, first: str, second: str) -> None:
    """The guns shoot, each at the first of the two units if it can, else at the second; the first unit comes first."""
    pick(battle, "Guns", kind="select-to-shoot")
    while kind(battle) in ("weapon-target", "shoot-target", "target-order"):
        pick(battle, next(name for name in (first, second) if any(name in each for each in words(battle).values())))


def veiled(
    scene_of: Callable[..., Scene],
    effect: str,
    player: int,
    detail: str,
    dice: Sequence[int],
    *,
    spare: bool = False,
    by: int = 0,
) -> tuple[Battle, int, int]:
    """Two guns shoot: one at the Totem, whose aura protects those near it, the other, from which it is too far away, at the Mob
    beside it. The battle, and the rows of Totem and Mob. ``spare``: another unit with the same aura stands near; ``by``: the number of
    the effect."""
    scene = scene_of()
    scene.unit(player, sheet("Guns", weapons=GUN), at=[(10, 10), (12, 10)], models=2)
    totem = scene.unit(1 - player, sheet("Totem", abilities=aura(effect, by)), at=(3, 14), models=1)
    mob = scene.unit(1 - player, sheet("Mob", W=3), at=(9, 16), models=1)
    if spare:
        scene.unit(1 - player, sheet("Spare", abilities=aura(effect, by)), at=(9, 19), models=1)
    scene.unit(1 - player, sheet("Rest"), at=(55, 40), models=1)
    battle = scene.battle("shooting", active=player, detail=detail, dice=[*KILL, *dice])
    shoot(battle, "Totem", "Mob")
    return battle, totem.row, mob.row


def blown(
    scene_of: Callable[..., Scene], effect: str, player: int, detail: str, dice: Sequence[int]
) -> tuple[Battle, int, int]:
    """The same without an aura of the Totem, which explodes as it is destroyed and kills the Captain of the guns, whose aura this
    effect has."""
    scene = scene_of()
    scene.unit(player, sheet("Guns", weapons=GUN), at=[(10, 10), (12, 10)], models=2)
    captain = scene.unit(player, sheet("Captain", abilities=aura(effect)), at=(6, 10), models=1)
    totem = scene.unit(1 - player, sheet("Totem", abilities={"deadly_demise": 1}), at=(3, 14), models=1)
    mob = scene.unit(1 - player, sheet("Mob", W=3), at=(9, 16), models=1)
    scene.unit(1 - player, sheet("Rest"), at=(55, 40), models=1)
    battle = scene.battle("shooting", active=player, detail=detail, dice=[*KILL, 6, *dice])
    shoot(battle, "Totem", "Mob")
    while kind(battle) == "demise-unit":
        battle.apply(battle.first_legal())
    assert not battle.units.alive[captain]
    return battle, totem.row, mob.row
