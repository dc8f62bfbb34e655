"""Armour that makes armour saving throws of its bearer better, and nothing else (w9.army.artificer-armour)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env import Battle
from wh_env.content.errors import ContentError
from wh_env.content.load import validate
from wh_env.content.w10.schema import Datasheet
from wh_env.testing import UnitHandle, choose, dice_left, melee, pick, ranged, sheet, told

EFFECT = "+1 to armour saving throws"
RELIC = {"other": [{"name": "Armour", "effect": EFFECT, "active": True, "wargear": "plate"}]}
PLATE = {"name": "plate", "weapons": ["fist"], "max": 1}
SAVE = "w9.attack.save"


def struck(
    dice: list[int], *, AP: int = 0, models: int = 1, worn: int = 1, player: int = 0, detail: str = "full", **fields: object
) -> tuple[Battle, UnitHandle]:  # fmt: skip
    """A gun of S 8 fires once at a unit in which ``worn`` models wear the armour; the battle after the wound roll."""
    scene = NinthScene()
    scene.unit(player, sheet("Guns", weapons={"gun": ranged(24, BS=2, S=8, AP=AP)}), at=(10, 10))
    target = {"Sv": 3, "invuln": 4, **fields}
    worn_by = sheet("Relic", W=3, weapons={"fist": melee()}, options=[PLATE], abilities=RELIC, **target)  # type: ignore[arg-type]
    unit = scene.unit(1 - player, worn_by, at=(10, 20), models=models, equipment={"Relic": {"plate": worn}})
    scene.unit(1 - player, sheet("Elsewhere"), at=(58, 42))
    battle = scene.battle("shooting", active=player, detail=detail, dice=[2, 2, *dice])
    pick(battle, "Guns")
    if battle.decision is not None and battle.decision.kind == "weapon-target":
        pick(battle, "at Relic")
    return battle, unit


def save(battle: Battle) -> tuple[int, int, int]:
    """Die, number needed and success of the one save."""
    (event,) = told(battle, SAVE)
    return event["die"], event["needed"], event["result"]


@pytest.mark.rule("w9.army.artificer-armour")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("AP", "which", "die", "expected"),
    [
        (-2, "armour save", 4, (4, 4, 1)),
        (-2, "armour save", 3, (3, 4, 0)),
        (-2, "invulnerable save", 3, (3, 4, 0)),
        (0, "invulnerable save", 3, (3, 4, 0)),
        (0, "armour save", 1, (1, 2, 0)),
        (0, "armour save", 2, (2, 2, 1)),
        (-6, "armour save", 6, (6, 8, 0)),
    ],
)
def test_armour_saves_are_one_better_and_invulnerable_saves_are_not(
    AP: int, which: str, die: int, expected: tuple[int, int, int], player: int
) -> None:
    """Sv 3+ and a 4+ invulnerable save. A 1 fails; the Save characteristic stays as it is."""
    battle, unit = struck([die], AP=AP, player=player)
    pick(battle, which)
    assert save(battle) == expected
    assert dice_left(battle) == 0
    assert battle.models.save[unit.first] == 3


@pytest.mark.rule("w9.army.artificer-armour")
def test_a_roll_of_1_fails_whatever_the_save() -> None:
    """Sv 2+ against AP 0: 2+ is still needed."""
    battle, _ = struck([1], Sv=2, invuln=None)
    assert save(battle) == (1, 2, 0)


@pytest.mark.rule("w9.army.artificer-armour")
@pytest.mark.parametrize(("slot", "needed"), [(1, 4), (0, 5)])
def test_only_the_bearer_is_better_armoured(slot: int, needed: int) -> None:
    """Two models, the last of which wears it: AP -2 against Sv 3+."""
    battle, _ = struck([4], AP=-2, models=2, invuln=None)
    choose(battle, "model", slot)
    assert save(battle) == (4, needed, int(needed == 4))


@pytest.mark.rule("w9.army.artificer-armour")
@pytest.mark.parametrize(("worn", "expected"), [(1, (3, 3, 1)), (0, (3, 4, 0))])
def test_squad_detail_takes_the_better_save(worn: int, expected: tuple[int, int, int]) -> None:
    """AP -1, Sv 3+, 4+ invulnerable: with the armour 3+ by armour; without it 4+."""
    battle, _ = struck([3], AP=-1, worn=worn, detail="squad")
    assert save(battle) == expected


def test_no_aura_gives_it_to_others() -> None:
    aura = {"auras": [{"name": "Armour", "effect": EFFECT, "active": True, "range": 6}]}
    with pytest.raises(ContentError, match="bearers"):
        validate(Datasheet, sheet("Relic", abilities=aura), "<sheet>")
