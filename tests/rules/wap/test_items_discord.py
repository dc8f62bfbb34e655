"""The Helm of Discord: a rival in contact who fails a Leadership test cannot attack, and is hit without dice."""

from __future__ import annotations

from typing import Any

import pytest
from carrying import HIT, SAVE, WOUND, duel
from heroes import hero, rider
from houses import house

from wh_env import Battle
from wh_env.rulesets.wap.basics.changed_dice import is_dazed
from wh_env.rulesets.wap.battle.timing import start_phase
from wh_env.rulesets.wap.casualties.removing import slay
from wh_env.rulesets.wap.codes import Phase
from wh_env.rulesets.wap.view.appraise_items import best_rival
from wh_env.rulesets.wap.view.tell import sentence
from wh_env.testing import choose, kind, script, slots, told, words
from wh_env.testing.wap import NORTH, RegimentScene, UnitHandle, fight, other_combats, square

OWNERS = pytest.mark.parametrize("owner", [0, 1])
TURNS = pytest.mark.parametrize("own_turn", [True, False])
DETAILS = pytest.mark.parametrize("detail", ["squad", "full"])
DISCORD = "wap.item.armour.helm-of-discord"
FAILS, PASSES = [4, 5], [4, 4]  # on Leadership 8


def facing(
    owner: int, own_turn: bool, foe: dict[str, Any] | None = None, *, detail: str = "squad", helm: bool = True
) -> tuple[Battle, UnitHandle, UnitHandle]:
    """The wearer, alone, and an enemy hero of Leadership 8 who would strike first, before a Close Combat phase."""
    scene = RegimentScene()
    items = ["Helm of Discord"] if helm else []
    own = scene.unit(owner, hero(w=5, i=2), (24, 24), models=1, files=1, items=items)
    enemy = scene.beside(own, 1 - owner, foe or hero(ld=8, w=5, i=5), models=1, files=1)
    other_combats(scene)
    battle = scene.battle("combat", player=owner if own_turn else 1 - owner, run=False, detail=detail)
    return battle, own, enemy


def run(battle: Battle, own: UnitHandle, enemy: UnitHandle, dice: list[int]) -> None:
    """Fight the combat with these dice, by default answers; nobody challenges. Two others are fought after it."""
    script(battle, dice)
    battle.run()
    assert kind(battle) == "choose-combat"
    choose(battle, "own", (own if battle.clock.turn[0] == own.player else enemy).number)
    while kind(battle) != "choose-combat":
        battle.apply(0 if battle.legal()[0] else battle.first_legal())


def struck(battle: Battle, rule: str, unit: UnitHandle) -> list[int]:
    """How many dice a unit rolled by a rule, or hits it dealt, each time."""
    return [row["amount"] for row in told(battle, rule) if row["unit"] == unit.row]


@OWNERS
@TURNS
@DETAILS
@pytest.mark.rule("wap.item.armour.helm-of-discord")
def test_a_rival_who_fails_his_test_is_struck_and_does_not_strike(owner: int, own_turn: bool, detail: str) -> None:
    """In the Close Combat phases of both players; there is one rival, so nobody is asked. Three attacks, three hits."""
    battle, own, enemy = facing(owner, own_turn, detail=detail)
    run(battle, own, enemy, [*FAILS, 4, 4, 3])
    assert told(battle, DISCORD)[1] == {"unit": enemy.row, "roll": 9, "leadership": 8, "passed": False}
    assert struck(battle, HIT, own) == struck(battle, HIT, enemy) == struck(battle, WOUND, enemy) == []
    assert struck(battle, WOUND, own) == [3] and battle.models.wounds[enemy.model()] == 3
    assert battle.models.wounds[own.model()] == 5


@OWNERS
@TURNS
@pytest.mark.rule("wap.item.armour.helm-of-discord")
def test_a_rival_who_passes_his_test_fights_on(owner: int, own_turn: bool) -> None:
    battle, own, enemy = facing(owner, own_turn)
    run(battle, own, enemy, [*PASSES, 4, 4, 3, 4, 3, 5, 4, 4, 3, 4, 3])
    assert [row.get("passed") for row in told(battle, DISCORD)] == [None, True]
    assert struck(battle, HIT, own) == struck(battle, HIT, enemy) == [3]
    assert battle.models.wounds[own.model()] == battle.models.wounds[enemy.model()] == 4


@OWNERS
@pytest.mark.rule("wap.item.armour.helm-of-discord")
def test_discord_lasts_for_a_phase_and_comes_again(owner: int) -> None:
    """The rival is free as the next phase begins, and the next Close Combat phase has its own test."""
    battle, own, enemy = facing(owner, True)
    run(battle, own, enemy, [*FAILS, 1, 1, 1])
    assert is_dazed(battle, enemy.row) and len(told(battle, DISCORD)) == 3
    copy = battle.clone()
    start_phase(copy, Phase.MOVEMENT)
    assert not is_dazed(copy, enemy.row)
    while battle.clock.turn[0] == owner or battle.clock.phase[0] != Phase.COMBAT:
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    tests = [row for row in told(battle, DISCORD) if row["unit"] == enemy.row and "passed" in row]
    assert len(tests) == 2 and is_dazed(battle, enemy.row) != tests[1]["passed"]


def crowd(
    owner: int, *, foes: int = 2, other: dict[str, int] | None = None, **fields: Any
) -> tuple[Battle, list[UnitHandle]]:
    """The wearer in a unit of five files, and an enemy unit with heroes in its front rank, before the phase; ``other``:
    characteristics of all but the first. Returns the wearer, his unit and the heroes.
    """
    scene = RegimentScene((60, 60))
    host = scene.unit(owner, None, (30, 30), models=10, files=5)
    own = scene.unit(owner, hero(w=5), inside=host, models=1, post=0, items=["Helm of Discord"])
    line = scene.beside(host, 1 - owner, None, models=20, files=fields.pop("files", 5), **fields)
    cards = [hero(**{"ld": 8, "w": 5, **(other or {} if n else {})}) for n in range(foes)]
    heroes = [scene.unit(1 - owner, card, inside=line, models=1, post=n) for n, card in enumerate(cards)]
    return scene.battle("combat", player=owner, run=False), [own, host, *heroes]


@OWNERS
@pytest.mark.rule("wap.item.armour.helm-of-discord")
def test_the_wearer_s_player_chooses_among_rivals(owner: int) -> None:
    battle, (own, _, first, second) = crowd(owner)
    battle.run()
    assert kind(battle) == "name-rival" and battle.decision is not None and battle.decision.player == owner
    assert slots(battle, "enemy") == [first.number, second.number]
    assert list(words(battle).values()) == [
        f"{own.regiment.name} singles out {rival.regiment.name}" for rival in (first, second)
    ]
    script(battle, FAILS)
    choose(battle, "enemy", second.number)
    assert (is_dazed(battle, second.row), is_dazed(battle, first.row)) == (True, False)
    texts = [sentence(battle, event) or "" for event in battle.events if event.rule == DISCORD]
    assert texts[0] == f"{own.regiment.name} uses Helm of Discord" and "against discord" in texts[1]
    assert texts[2] == f"{second.regiment.name} cannot attack, and blows at it hit"


@OWNERS
@pytest.mark.rule("wap.item.armour.helm-of-discord")
@pytest.mark.parametrize(("fields", "chosen"), [({"a": 5}, 1), ({"a": 2}, 0), ({"ld": 10}, 0), ({"ld": 5}, 1)])
def test_greedy_play_names_the_rival_who_loses_most(owner: int, fields: dict[str, int], chosen: int) -> None:
    battle, (_, _, *rivals) = crowd(owner, other=fields)
    battle.run()
    action = best_rival(battle, battle.marks)
    assert action == battle.setup.space.enemy + rivals[chosen].number and battle.marks[action]


@OWNERS
@pytest.mark.rule("wap.item.armour.helm-of-discord")
def test_without_a_rival_in_contact_there_is_no_choice(owner: int) -> None:
    """No hero at all, one whose model touches nobody, or a dead wearer."""
    battle, _ = crowd(owner, foes=0)
    battle.run()
    assert not told(battle, DISCORD)
    battle, _ = crowd(owner, foes=1, files=10, along=-4.5)
    battle.run()
    aside = len(told(battle, DISCORD))
    battle, _ = crowd(owner, foes=1, files=10, along=4.5)
    battle.run()
    assert sorted([aside, len(told(battle, DISCORD))])[0] == 0
    battle, (own, _, rival) = crowd(owner, foes=1)
    slay(battle, own.model())
    battle.run()
    assert not told(battle, DISCORD) and not is_dazed(battle, rival.row)


@OWNERS
@pytest.mark.rule("wap.item.armour.helm-of-discord")
@pytest.mark.parametrize("inside", [True, False])
def test_in_an_assault_a_rival_in_the_enemy_s_unit_is_singled_out(owner: int, inside: bool) -> None:
    """The garrison has Unit Strength 11, so that its party is named later. The wearer is inside or outside."""
    scene = RegimentScene()
    house(scene)
    sides = {"garrison": 0}, {"at": (22.5, 20), "facing": NORTH, "storms": 0}
    mine, theirs = sides if inside else sides[::-1]
    host = scene.unit(owner, None, models=10, **mine)
    own = scene.unit(owner, hero(w=5), inside=host, models=1, items=["Helm of Discord"])
    foe = scene.unit(1 - owner, None, models=10, **theirs)
    rival = scene.unit(1 - owner, hero(ld=8, w=5), inside=foe, models=1)
    scene.unit(1 - owner, hero(ld=8), (44, 40), models=1, files=1)  # nowhere near
    battle = scene.battle("combat", player=owner, run=False)
    script(battle, FAILS)
    battle.run()
    assert is_dazed(battle, rival.row) and [row["unit"] for row in told(battle, DISCORD)] == [
        own.row,
        rival.row,
        own.row,
    ]


@OWNERS
@pytest.mark.rule("wap.item.armour.helm-of-discord")
def test_what_a_dazed_rival_rides_goes_on(owner: int) -> None:
    """His horse attacks."""
    battle, own, enemy = facing(owner, True, rider(ld=8, w=5, i=5))
    run(battle, own, enemy, [*FAILS, 1, 1, 1, 1])
    assert struck(battle, HIT, enemy) == [1] and struck(battle, HIT, own) == []


@OWNERS
@pytest.mark.rule("wap.item.armour.helm-of-discord")
def test_a_dazed_rival_parries_nothing(owner: int) -> None:
    """Hits that need no dice are not parried (wap.special.parry.limits)."""
    card = hero(ld=8, w=5, i=5, equipment=["hand weapon", "shield"])
    battle, own, enemy = facing(owner, True, card)
    run(battle, own, enemy, [*FAILS, 4, 1, 1, 5])
    assert [row["needed"] for row in told(battle, SAVE) if row["unit"] == enemy.row] == [(6, 7)]
    assert battle.models.wounds[enemy.model()] == 4


@OWNERS
@pytest.mark.rule("wap.item.armour.helm-of-discord")
def test_the_helm_of_discord_is_a_helm(owner: int) -> None:
    battle, own, _ = duel(owner, ["Helm of Discord"], bearer={"i": 1}, foe=square(i=5), foes=1)
    script(battle, [4, 4, 5, 1, 1, 1])
    fight(battle, own)
    assert [row["needed"] for row in told(battle, SAVE) if row["unit"] == own.row] == [(6, 7)]
