"""Abilities of either player's units that change attacks and saves, beside what a datasheet has (w10.datasheet.abilities,
w10.datasheet.aura.*)."""

from __future__ import annotations

import pytest

from wh_env import Battle
from wh_env.testing import Scene, UnitHandle, choose, dice_left, pick, ranged, sheet, told


def ability(name: str, effect: str, **fields: object) -> dict[str, object]:
    """An ability as a datasheet writes it."""
    return {"name": name, "effect": effect, "active": True, **fields}


def shot(
    player: int, dice: list[int], *, guns: tuple[str, ...] = (), foes: tuple[str, ...] = (), S: int = 4, AP: int = 0, A: int = 1,
    **target: object,
) -> tuple[Battle, UnitHandle]:  # fmt: skip
    """The second unit of a player shoots at the second unit of the other; abilities of both."""
    scene = Scene()
    gun = {"gun": ranged(24, A=A, BS=2, S=S, AP=AP, D=2)}
    mine = {"other": [ability(f"G{n}", effect) for n, effect in enumerate(guns)]}
    theirs = {"other": [ability(f"F{n}", effect) for n, effect in enumerate(foes)]}
    scene.unit(player, sheet("Idle"), at=(50, 22), models=1)
    scene.unit(player, sheet("Guns", weapons=gun, abilities=mine), at=(10, 10), models=1)
    scene.unit(1 - player, sheet("Others"), at=(55, 22), models=1)
    unit = scene.unit(1 - player, sheet("Foes", W=9, abilities=theirs, **target), at=(10, 20), models=1)  # type: ignore[arg-type]
    battle = scene.battle("shooting", active=player, dice=dice, rules={"cp_each_command_phase": 0})
    pick(battle, "Guns", kind="select-to-shoot")
    if battle.decision is not None and battle.decision.kind == "shoot-target":
        pick(battle, "Foes")
    return battle, unit


@pytest.mark.rule("w10.datasheet.abilities", "w10.attack.feel-no-pain")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("own", "given", "dice", "wounds"),
    [
        (5, "feel no pain 6+", [5, 4], 8),  # the better one of two is used, whichever it is
        (6, "feel no pain 5+", [5, 4], 8),
        (None, "feel no pain 5+", [5, 4], 8),
        (5, "+1 to hit", [5, 4], 8),
        (None, "feel no pain 5+ against Psychic Attacks", [], 7),
    ],
)
def test_the_better_feel_no_pain(player: int, own: int | None, given: str, dice: list[int], wounds: int) -> None:
    battle, unit = shot(player, [6, 6, 1, *dice], foes=(given,), fnp=own)
    assert battle.models.wounds[unit.first] == wounds
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.datasheet.abilities", "w10.attack.save.invulnerable.choice")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("own", "given", "needed"),
    [
        (5, "invulnerable save 4+", 4),
        (4, "invulnerable save 5+", 4),
        (None, "invulnerable save 5+", 5),
        (5, "Stealth", 5),
    ],
)
def test_the_better_invulnerable_save(player: int, own: int | None, given: str, needed: int) -> None:
    """Against AP -6 nothing else is left."""
    battle, unit = shot(player, [6, 6, needed], foes=(given,), AP=-6, invuln=own)
    assert battle.models.wounds[unit.first] == 9
    battle, unit = shot(player, [6, 6, needed - 1], foes=(given,), AP=-6, invuln=own)
    assert battle.models.wounds[unit.first] == 7


@pytest.mark.rule("w10.datasheet.abilities", "w10.concepts.reroll.once")
@pytest.mark.parametrize("player", [0, 1])
def test_wound_rolls_of_one_are_rolled_again_once(player: int) -> None:
    """Three attacks of S 4 at T 4: wound rolls 1, 3 and 1; both 1s are rolled again, to 4 and 1, which stays. Without the ability
    the first dice stand."""
    dice = [2, 2, 2, 1, 3, 1]
    battle, unit = shot(player, [*dice, 4, 1, 1], guns=("re-roll wound rolls of 1",), A=3)
    assert battle.models.wounds[unit.first] == 7
    assert dice_left(battle) == 0
    battle, unit = shot(player, dice, A=3)
    assert battle.models.wounds[unit.first] == 9
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.datasheet.abilities", "w10.concepts.reroll.once")
@pytest.mark.parametrize("player", [0, 1])
def test_hit_rolls_of_one_are_rolled_again_once(player: int) -> None:
    """BS 2+, hit rolls 1, 2, 1: the 1s become 2 and 1; two hits."""
    battle, _ = shot(player, [1, 2, 1, 2, 1, 1, 1], guns=("re-roll hit rolls of 1",), A=3)
    assert len(told(battle, "w10.attack.wound.roll")) == 2
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.datasheet.abilities")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("guns", "foes", "rule", "needed"),
    [
        (("-1 to hit",), (), "w10.attack.hit.roll", 3),
        (("-1 to hit", "+1 to hit"), (), "w10.attack.hit.roll", 2),
        ((), ("attacks at it: -1 to hit",), "w10.attack.hit.roll", 3),
        (("+1 to wound",), (), "w10.attack.wound.roll", 3),
        (("-1 to wound",), (), "w10.attack.wound.roll", 5),
        ((), ("attacks at it: -1 to wound",), "w10.attack.wound.roll", 5),
        (("-1 to wound",), ("attacks at it: -1 to wound",), "w10.attack.wound.roll", 5),  # never worse than -1
        (("+1 to wound",), ("attacks at it: -1 to wound",), "w10.attack.wound.roll", 4),
        (("+1 Strength",), (), "w10.attack.wound.roll", 3),
        (("improve AP by 1",), (), "w10.attack.save.roll", 5),
        ((), ("+1 to saving throws",), "w10.attack.save.roll", 3),
    ],
)
def test_what_a_roll_needs(player: int, guns: tuple[str, ...], foes: tuple[str, ...], rule: str, needed: int) -> None:
    """BS 2+, S 4 against T 4, Sv 4+, AP 0."""
    battle, _ = shot(player, [6, 6, 1], guns=guns, foes=foes)
    assert told(battle, rule)[0]["needed"] == needed


@pytest.mark.rule("w10.datasheet.abilities")
@pytest.mark.parametrize("player", [0, 1])
def test_a_point_of_damage_more(player: int) -> None:
    battle, unit = shot(player, [6, 6, 1], guns=("+1 Damage",))
    assert battle.models.wounds[unit.first] == 6


@pytest.mark.rule("w10.datasheet.aura.range")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("place", ["table", "reserves", "destroyed"])
def test_an_aura_works_from_the_battlefield_only(player: int, place: str) -> None:
    """The bearer stands 3" away, waits in Reserves or is destroyed."""
    scene = Scene()
    scene.unit(player, sheet("Guns", weapons={"gun": ranged(24, BS=2, D=2)}), at=(10, 10), models=1)
    unit = scene.unit(1 - player, sheet("Foes", W=9), at=(10, 20), models=1)
    aura = {"auras": [ability("P", "feel no pain 5+", range=6.0)]}
    where = {"table": {"at": (14, 20)}, "reserves": {"reserves": "strategic"}, "destroyed": {"place": "destroyed"}}[
        place
    ]
    scene.unit(1 - player, sheet("Bearer", abilities=aura), models=1, **where)  # type: ignore[arg-type]
    helps = place == "table"
    battle = scene.battle("shooting", active=player, dice=[6, 6, 1, *([5, 4] if helps else [])])
    pick(battle, "Guns", kind="select-to-shoot")
    if battle.decision is not None and battle.decision.kind == "shoot-target":
        choose(battle, "enemy", unit.number)
    assert battle.models.wounds[unit.first] == (8 if helps else 7)
    assert dice_left(battle) == 0
