"""The Scroll of the Hypnotic Eye: its bearer chooses the target of an enemy spell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from wizards import cast, in_cast, knowing, wizard

from wh_env import Battle
from wh_env.core.validation import Validator
from wh_env.rulesets.wap.magic.casting import Cast
from wh_env.rulesets.wap.magic.in_play import in_play
from wh_env.rulesets.wap.magic.sides import who_aims
from wh_env.rulesets.wap.view.tell import sentence
from wh_env.testing import choose, dice_left, kind, pick, script, slots, told, words
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, square

PLAYERS = pytest.mark.parametrize("player", [0, 1])
EYE = "Scroll of the Hypnotic Eye"
RULE = "wap.item.arcane.scroll-of-the-hypnotic-eye"
FAILS, PASSES = (4, 5), (4, 4)  # on Leadership 8


@dataclass
class Eye:
    """A wizard of Leadership 8, an enemy unit 20 inches before him, and an enemy wizard with the scroll far behind it.
    ``friends``: units of the wizard's army.
    """

    battle: Battle
    mage: UnitHandle
    target: UnitHandle
    rival: UnitHandle
    friends: list[UnitHandle]


# as the wizard sees them: 10 inches before him to the left and to the right, behind him, and 26 inches before him
AHEAD, BESIDE, BEHIND, FAR = (-9, 10), (9, 10), (0, -12), (-12, 27)


def scene(
    player: int,
    *at: tuple[float, float],
    lore: str = "fire",
    spells: str = "",
    level: int = 2,
    card: dict[str, Any] | None = None,
    command: tuple[str, ...] = (),
    near: float = 20,
    joins: bool = False,
    detail: str = "full",
) -> Eye:
    """The battle as the wizard's player begins the Magic phase. ``near``: inches to the enemy unit. ``joins``: the
    bearer of the scroll stands in that unit.
    """
    made, sign = RegimentScene(size=(72, 72)), 1 if player == 0 else -1
    own, other = (NORTH, SOUTH) if player == 0 else (SOUTH, NORTH)
    mage = made.unit(player, wizard(level, lore, **{"ld": 8, **(card or {})}), (36, 36), models=1, facing=own)
    friends = [
        made.unit(player, None, (36 + sign * x, 36 + sign * y), models=10, files=5, facing=own, command=list(command))
        for x, y in at
    ]
    target = made.unit(1 - player, None, (36, 36 + sign * near), models=20, files=5, facing=other)
    where: dict[str, Any] = {"inside": target} if joins else {"at": (4, 36 + sign * 34)}
    rival = made.unit(1 - player, wizard(2, lore), models=1, items=[EYE], facing=other, **where)
    dice = (6, 6, *[1] * (level + 2))
    battle = made.battle("magic", player=player, dice=dice, detail=detail, set_state=knowing({mage: spells}))
    return Eye(battle, mage, target, rival, friends)


def use(eye: Eye, dice: tuple[int, ...]) -> None:
    """The spell was cast, in its base version; the scroll is used, with these dice for the test and what follows."""
    if kind(eye.battle) == "spell-version":
        choose(eye.battle, "option", 0)
    assert kind(eye.battle) == "dispel-by", kind(eye.battle)
    script(eye.battle, dice)
    pick(eye.battle, f"uses {EYE}")


def fireball(eye: Eye, dice: tuple[int, ...], on: UnitHandle | None = None) -> None:
    """Fireball with a result of 9, and the scroll."""
    script(eye.battle, [4, 4])
    cast(eye.battle, eye.mage, "Fireball", on or eye.target, 2)
    use(eye, dice)


def sound(battle: Battle) -> bool:
    """Whether the battle may be stored and loaded again."""
    return list(Validator(battle.setup).faults(battle)) == []


@PLAYERS
@pytest.mark.parametrize("joins", [False, True])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.rule("wap.item.arcane.scroll-of-the-hypnotic-eye", "wap.item.arcane.replaces-dispel")
def test_the_bearer_names_a_unit_of_the_caster_s_army(player: int, joins: bool, detail: str) -> None:
    """Of two in front of the wizard he names one; one behind him and one beyond 24 inches are no targets. D6 hits of
    Strength 4 fall on it, undispelled; the scroll is used up, the dice of the pool are left."""
    eye = scene(player, AHEAD, BESIDE, BEHIND, FAR, joins=joins, detail=detail)
    battle, first, second = eye.battle, *eye.friends[:2]
    pool = battle.pools.dice[1 - player]
    fireball(eye, FAILS)
    assert told(battle, RULE)[1] == {"unit": eye.mage.row, "roll": 9, "leadership": 8, "passed": False}
    assert kind(battle) == "sway-target" and battle.decision is not None and battle.decision.player == 1 - player
    assert slots(battle, "enemy") == [first.number, second.number] and slots(battle, "own") == []
    assert [text.split(" on ")[0] for text in words(battle).values()] == ["Fireball"] * 2 and sound(battle)
    script(battle, [2, 6, 6])
    choose(battle, "enemy", second.number)
    assert [battle.units.alive[unit] for unit in (eye.target, first, second)] == [20, 10, 8]
    assert dice_left(battle) == 0 and battle.pools.dice[1 - player] == pool and not any(battle.items.charge)
    assert battle.items.used[0] and sound(battle)
    assert not told(battle, "wap.magic.dispel.value")


@PLAYERS
@pytest.mark.parametrize("at", [(), (BEHIND,), (FAR,)])
@pytest.mark.rule("wap.item.arcane.scroll-of-the-hypnotic-eye")
def test_without_a_target_the_spell_has_no_effect(player: int, at: tuple[tuple[float, float], ...]) -> None:
    eye = scene(player, *at)
    fireball(eye, FAILS)
    assert [eye.battle.units.alive[unit] for unit in (eye.target, *eye.friends)] == [20, *[10] * len(at)]
    assert dice_left(eye.battle) == 0 and told(eye.battle, RULE)[-1]["target"] == -1
    assert not any(eye.battle.items.charge) and sound(eye.battle)


@PLAYERS
@pytest.mark.rule("wap.item.arcane.scroll-of-the-hypnotic-eye")
def test_a_wizard_who_passes_goes_on_undispelled(player: int) -> None:
    eye = scene(player, AHEAD, BESIDE)
    fireball(eye, (*PASSES, 2, 6, 6))
    assert told(eye.battle, RULE)[1]["roll"] == 8 and eye.battle.units.alive[eye.target] == 18
    assert [eye.battle.units.alive[unit] for unit in eye.friends] == [10, 10]
    assert (
        dice_left(eye.battle) == 0
        and not any(eye.battle.items.charge)
        and not told(eye.battle, "wap.magic.dispel.value")
    )


@PLAYERS
@pytest.mark.rule("wap.item.arcane.scroll-of-the-hypnotic-eye")
def test_a_single_target_is_taken_at_once_and_the_eye_is_used_up(player: int) -> None:
    """The words of it; the next spell is not turned."""
    eye = scene(player, AHEAD)
    battle, friend = eye.battle, eye.friends[0]
    fireball(eye, (*FAILS, 2, 6, 6))
    assert battle.units.alive[friend] == 8 and battle.units.alive[eye.target] == 20
    rows = [event for event in battle.events if event.rule == RULE and event.kind != "leadership test"]
    said = [sentence(battle, event) for event in rows]
    assert said == [
        f"{eye.rival.regiment.name} uses {EYE}",
        f"{eye.rival.regiment.name} takes Fireball over",
        f"Fireball of {eye.mage.regiment.name} is turned on {friend.regiment.name}",
    ]


@PLAYERS
@pytest.mark.rule("wap.item.arcane.scroll-of-the-hypnotic-eye")
def test_the_version_stays_as_the_caster_chose_it(player: int) -> None:
    """Boosted, it reaches a unit 27 inches away, with 2D6 hits."""
    eye = scene(player, FAR)
    script(eye.battle, [5, 4, 6, 6, 6])
    cast(eye.battle, eye.mage, "Fireball", eye.target, 3)
    if kind(eye.battle) == "spell-version":
        choose(eye.battle, "option", slots(eye.battle, "option")[1])
    assert in_cast(eye.battle, Cast.VERSION) == 1
    script(eye.battle, (*FAILS, 1, 2, *[6] * 3))
    pick(eye.battle, f"uses {EYE}")
    assert eye.battle.units.alive[eye.friends[0]] == 7 and eye.battle.units.alive[eye.target] == 20


@PLAYERS
@pytest.mark.parametrize("passes", [False, True])
@pytest.mark.rule("wap.item.arcane.scroll-of-the-hypnotic-eye", "wap.item.banner.gleaming-pennant")
def test_a_banner_lets_the_wizard_test_again(player: int, passes: bool) -> None:
    """His unit has the pennant; after the second test the spell goes on at its own target, or is turned."""
    made, sign = RegimentScene(size=(72, 72)), 1 if player == 0 else -1
    card = square(command=["standard bearer"], ld=8)
    host = made.unit(player, card, (36, 36), models=10, files=5, banner="Gleaming Pennant")
    mage = made.unit(player, wizard(2, "fire", ld=8), models=1, inside=host)
    friend = made.unit(player, None, (36 + sign * 9, 36 + sign * 10), models=10, files=5)
    target = made.unit(1 - player, None, (36, 36 + sign * 20), models=20, files=5)
    rival = made.unit(1 - player, wizard(2, "fire"), (4, 36 + sign * 34), models=1, items=[EYE])
    battle = made.battle("magic", player=player, dice=(6, 6, 1, 1, 1, 1), detail="full", set_state=knowing({mage: ""}))
    eye = Eye(battle, mage, target, rival, [friend])
    fireball(eye, FAILS)
    assert kind(battle) == "first-failed" and sound(battle) and battle.clock.player[0] == player
    script(battle, [*(PASSES if passes else FAILS), 2, 6, 6])
    choose(battle, "option", 0)
    assert [battle.units.alive[unit] for unit in (target, friend)] == ([18, 10] if passes else [20, 8])
    assert dice_left(battle) == 0 and sound(battle)


@PLAYERS
@pytest.mark.rule("wap.item.arcane.scroll-of-the-hypnotic-eye")
def test_a_spell_for_friends_acts_on_those_of_the_bearer(player: int) -> None:
    """A Flaming Sword for the wizard's own army comes to the only unit of the bearer's that is near."""
    eye = scene(player, AHEAD, spells="Flaming Sword of Rhuin")
    script(eye.battle, [5, 4])
    cast(eye.battle, eye.mage, "Flaming Sword of Rhuin", eye.friends[0], 2)
    use(eye, FAILS)
    acting = [
        row.get("unit") for row in told(eye.battle, "wap.magic.resolve") if row.get("name") == "Flaming Sword of Rhuin"
    ]
    assert acting == [eye.target.row] and sound(eye.battle)


@PLAYERS
@pytest.mark.rule("wap.item.arcane.scroll-of-the-hypnotic-eye")
def test_a_spell_on_the_wizard_himself_has_no_effect(player: int) -> None:
    eye = scene(player, AHEAD, lore="life", spells="Throne of Vines")
    script(eye.battle, [5, 4])
    cast(eye.battle, eye.mage, "Throne of Vines", dice=2)
    use(eye, FAILS)
    assert not in_play(eye.battle) and told(eye.battle, RULE)[-1]["target"] == -1 and sound(eye.battle)


@PLAYERS
@pytest.mark.parametrize("lore", ["death", "fire", "shadow"])
@pytest.mark.rule("wap.item.arcane.scroll-of-the-hypnotic-eye")
def test_models_spots_and_directions_are_chosen_too(player: int, lore: str) -> None:
    """A model of a unit for Spirit Leech, a spot over it for Flame Storm, a direction over it for the Pendulum; the
    bearer's player is asked."""
    name = {"death": "Spirit Leech", "fire": "Flame Storm", "shadow": "Penumbral Pendulum"}[lore]
    eye = scene(
        player, (-5, 8), lore=lore, spells=name, level=4, near=11 if lore == "death" else 20, command=("champion",)
    )
    battle = eye.battle
    script(battle, [6, 6, 5, 5, 1, 1])
    cast(battle, eye.mage, name, eye.target if lore != "shadow" else None, 0)
    asked = {"death": "spell-model", "fire": "spell-place", "shadow": "spell-direction"}[lore]
    if kind(battle) == asked:
        battle.apply(battle.first_legal())
    script(battle, [5, 5, 5, 5])
    if kind(battle) == "spell-dice":
        choose(battle, "number", 3)
    use(eye, FAILS)
    assert kind(battle) == asked and battle.clock.player[0] == 1 - player and sound(battle)
    action = battle.setup.ruleset.kind_by_name[asked].delegate(battle, battle.frame, memoryview(battle.legal()))
    script(battle, [1, 6] if lore == "death" else [1, 1] + [6] * 60)
    battle.apply(action)
    rule = {"death": "spirit-leech", "fire": "flame-storm", "shadow": "penumbral-pendulum"}[lore]
    struck = {row.get("target", row["unit"]) for row in told(battle, f"wap.lore.{lore}.{rule}") if "place" not in row}
    assert eye.friends[0].row in struck and eye.target.row not in struck and sound(battle)


@PLAYERS
@pytest.mark.rule("wap.item.arcane.scroll-of-the-hypnotic-eye")
def test_a_vortex_is_placed_by_the_bearer_s_player(player: int) -> None:
    name = "The Purple Sun of Xereus"
    eye = scene(player, AHEAD, lore="death", spells=name, level=4)
    cast(eye.battle, eye.mage, name, dice=0)
    script(eye.battle, [5, 5, 5, 5])
    choose(eye.battle, "number", 3)
    use(eye, FAILS)
    for asked in ("vortex-place", "vortex-way"):
        assert kind(eye.battle) == asked and eye.battle.clock.player[0] == 1 - player and sound(eye.battle)
        eye.battle.apply(eye.battle.first_legal())


@PLAYERS
@pytest.mark.rule("wap.item.arcane.scroll-of-the-hypnotic-eye")
def test_lightning_leaps_among_the_caster_s_units(player: int) -> None:
    """It was turned on one of them; near it are two others, the wizard himself and an enemy: the bearer's player
    chooses.
    """
    name = "Chain Lightning"
    eye = scene(player, (-3, 8), (-9, 8), (3, 8), lore="heavens", spells=name, level=4, near=14)
    battle, friends = eye.battle, eye.friends
    cast(battle, eye.mage, name, eye.target, 0)
    script(battle, [5, 5, 5, 5])
    choose(battle, "number", 3)
    use(eye, FAILS)
    script(battle, [1, 1, 6])
    choose(battle, "enemy", friends[0].number)
    assert kind(battle) == "chain-target" and battle.clock.player[0] == 1 - player and sound(battle)
    assert slots(battle, "enemy") == [unit.number for unit in (eye.mage, *friends[1:])]
    script(battle, [1, 6, 1])
    choose(battle, "enemy", friends[2].number)
    assert battle.units.alive[friends[2]] == 9 or told(battle, "wap.lore.heavens.chain-lightning")


@PLAYERS
@pytest.mark.parametrize("dice", [FAILS, PASSES])
@pytest.mark.rule("wap.item.arcane.scroll-of-the-hypnotic-eye")
def test_once_the_spell_is_over_the_wizard_aims_himself_again(player: int, dice: tuple[int, int]) -> None:
    eye = scene(player, AHEAD)
    fireball(eye, dice)
    assert who_aims(eye.battle, eye.mage.row) == player and eye.battle.items.charge.tolist() == [0]
