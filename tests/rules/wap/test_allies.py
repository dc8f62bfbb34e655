"""Armies that fight side by side: how far they trust each other, what that allows in play, and alliances that decay."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from heroes import hero

from wh_env import Battle
from wh_env.content.load import read_yaml
from wh_env.content.wap.alliances import alliance_tables
from wh_env.core.tables import DESTROYED
from wh_env.rulesets.wap.allies.relations import Relation, bearers_of, generals_of, relation_between
from wh_env.rulesets.wap.battle.victory import trophies_of
from wh_env.rulesets.wap.breaking.break_tests import break_test
from wh_env.rulesets.wap.casualties.removing import remove_unit, suffer
from wh_env.rulesets.wap.codes import BROKEN
from wh_env.rulesets.wap.movement.going import ADVANCE
from wh_env.rulesets.wap.shooting.flames import placings
from wh_env.rulesets.wap.view.appraise_breath import best_breath
from wh_env.testing import choose, dice_left, kind, slots, told
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, square

FAILS = [6, 6]  # a Leadership test
BOTH_PLAYERS = pytest.mark.parametrize("player", [0, 1])
EMPIRE, DWARFS, BEASTMEN = ("Empire", "order"), ("Dwarfs", "order"), ("Beastmen", "destruction")
ORCS, SKAVEN = ("Orcs & Goblins", "destruction"), ("Skaven", "destruction")
OGRES, ARABY = ("Ogre Kingdoms", "neutral"), ("Araby", "neutral")
HOBGOBLINS = ("Hobgoblins", "neutral")
BOUND, TRUSTED, SUSPICIOUS, DESPERATE = Relation
PARTNERS = [(EMPIRE, BOUND), (DWARFS, TRUSTED), (OGRES, SUSPICIOUS), (BEASTMEN, DESPERATE)]  # of Empire
Army = tuple[str, str]


def side(player: int, *armies: Army, size: tuple[float, float] = (72, 48)) -> RegimentScene:
    """A scene in which one player's side has these armies, each led by somebody else."""
    scene = RegimentScene(size)
    for n, (book, alignment) in enumerate(armies):
        scene.army(player, book, alignment, leader=str(n) if n else "")
    return scene


def allied(player: int, *armies: Army, dice: Sequence[int] = ()) -> tuple[Battle, list[UnitHandle]]:
    """A unit of each army of a side, far from an enemy, in the player's Movement phase."""
    scene = side(player, *armies)
    units = [scene.unit(player, None, (10.0 + 15 * n, 10), army=n, facing=NORTH) for n in range(len(armies))]
    scene.unit(1 - player, None, (60, 44), facing=SOUTH)
    return scene.battle("movement", player=player, dice=dice), units


def leadership_used(battle: Battle) -> dict[int, int]:
    """The Leadership that each unit has tested on."""
    return {event.data["unit"]: event.data["leadership"] for event in battle.events if event.kind == "leadership test"}


# ---------------------------------------------------------------- relations


@BOTH_PLAYERS
@pytest.mark.parametrize(
    ("one", "other", "relation"),
    [
        (EMPIRE, EMPIRE, BOUND),
        (EMPIRE, DWARFS, TRUSTED),
        (ORCS, SKAVEN, TRUSTED),
        (EMPIRE, OGRES, SUSPICIOUS),
        (OGRES, ORCS, SUSPICIOUS),
        (ARABY, ("Norsca", "neutral"), SUSPICIOUS),
        (("Tomb Kings", "neutral"), ("Tomb Kings", "neutral"), SUSPICIOUS),
        (EMPIRE, BEASTMEN, DESPERATE),
        (BEASTMEN, EMPIRE, DESPERATE),
    ],
)
@pytest.mark.rule("wap.ally.relation")
def test_two_armies_trust_each_other_by_book_and_alignment(
    player: int, one: Army, other: Army, relation: Relation
) -> None:
    scene = side(player, one, other)
    units = [scene.unit(player, None, (10 + 20 * n, 10), army=n) for n in (0, 1)]
    scene.unit(1 - player, None, (60, 44))
    battle = scene.battle("movement", run=False)
    assert relation_between(battle, *(unit.row for unit in units)) == relation
    assert relation_between(battle, *(unit.row for unit in reversed(units))) == relation
    assert relation_between(battle, units[0].row, units[0].row) == BOUND
    decaying = SKAVEN in (one, other)
    assert battle.setup.statics["alliances"].fragile == tuple(decaying and who == player for who in (0, 1))


@pytest.mark.rule("wap.ally.relation")
def test_a_neutral_book_and_its_expansion_of_one_player_are_of_one_blood() -> None:
    scene = RegimentScene()
    for _ in range(2):
        scene.army(1, *OGRES)
    units = [scene.unit(1, None, (10 + 20 * n, 40), army=n) for n in (0, 1)]
    scene.unit(0, None, (24, 5))
    battle = scene.battle("movement", run=False)
    assert relation_between(battle, *(unit.row for unit in units)) == BOUND


# ---------------------------------------------------------------- what they allow


@BOTH_PLAYERS
@pytest.mark.parametrize(("partner", "relation"), PARTNERS)
@pytest.mark.rule("wap.ally.permissions")
def test_an_allied_general_lends_his_leadership_to_his_own_blood(
    player: int, partner: Army, relation: Relation
) -> None:
    """A unit of Leadership 7 is 8" from a General of Leadership 9 of another player's army, and another of his own army
    stands as near. It rallies on an 8 or not."""
    leadership = 9 if relation == BOUND else 7
    scene = side(player, EMPIRE, partner)
    unit = scene.unit(player, None, (25, 24), models=20, files=5, facing=NORTH, fleeing=1)
    own = scene.unit(player, None, (47, 24), models=20, files=5, facing=NORTH, army=1, fleeing=1)
    general = scene.unit(player, hero(ld=9), (36, 24), models=1, army=1, leads=("general",))
    scene.unit(1 - player, None, (66, 46))
    battle = scene.battle("movement", player=player, dice=[4, 4, 4, 4])
    while kind(battle) != "select-to-move":
        battle.apply(battle.first_legal())
    assert leadership_used(battle) == {unit.row: leadership, own.row: 9}
    assert generals_of(battle, player) == (general.row,) and generals_of(battle, 1 - player) == ()
    assert bool(battle.units.fleeing[unit]) == (relation != BOUND) and not battle.units.fleeing[own]


@BOTH_PLAYERS
@pytest.mark.parametrize(("partner", "relation"), PARTNERS)
@pytest.mark.rule("wap.ally.permissions", "wap.ally.desperate")
def test_an_allied_standard_holds_the_ground_of_its_own_blood(player: int, partner: Army, relation: Relation) -> None:
    helps = relation == BOUND
    for army, again in ((0, helps), (1, True)):
        scene = side(player, EMPIRE, partner)
        broken = scene.unit(player, None, (30, 20), models=10, files=5, army=army, facing=NORTH)
        scene.beside(broken, 1 - player, models=10, files=5)
        bearer = scene.unit(player, hero(), (36, 18), models=1, army=1, leads=("battle standard",), facing=NORTH)
        battle = scene.battle("combat", player=player, dice=[*FAILS, 1, 1], run=False)
        battle.units.penalty[broken] = 1
        break_test(battle, broken.row)
        assert bearers_of(battle, player) == (bearer.row,)
        assert dice_left(battle) == (0 if again else 2)
        assert (battle.units.outcome[broken] == BROKEN) == (not again)


@BOTH_PLAYERS
@pytest.mark.parametrize(("partner", "relation"), PARTNERS)
@pytest.mark.rule("wap.ally.permissions")
def test_characters_join_units_of_their_own_blood(player: int, partner: Army, relation: Relation) -> None:
    scene = side(player, EMPIRE, partner)
    lord = scene.unit(player, hero(), (20, 20), models=1, facing=NORTH)
    theirs = scene.unit(player, None, (20, 24), models=10, files=5, facing=NORTH, army=1)
    ours = scene.unit(player, None, (26, 20.5), models=10, files=5, facing=NORTH)
    scene.unit(1 - player, None, (60, 46))
    battle = scene.battle("movement", player=player)
    choose(battle, "own", lord.number)
    choose(battle, "option", ADVANCE)
    offered = [ours.number] if relation != BOUND else [theirs.number, ours.number]
    assert slots(battle, "own") == offered


@BOTH_PLAYERS
@pytest.mark.rule("wap.ally.desperate")
def test_desperate_allies_share_neither_characters_nor_leaders(player: int) -> None:
    scene = side(player, EMPIRE, BEASTMEN)
    lord = scene.unit(player, hero(ld=9), (20, 20), models=1, facing=NORTH, leads=("general",))
    scene.unit(player, hero(), (60, 20), models=1, facing=NORTH, leads=("battle standard",))
    beasts = scene.unit(player, None, (20, 24), models=10, files=5, facing=NORTH, army=1, fleeing=1)
    scene.unit(1 - player, None, (60, 46))
    battle = scene.battle("movement", player=player, dice=[4, 4, 1, 1])
    assert relation_between(battle, lord.row, beasts.row) == DESPERATE
    assert leadership_used(battle) == {beasts.row: 7}
    assert battle.units.fleeing[beasts]
    battle.units.fleeing[beasts] = 0
    choose(battle, "own", lord.number)
    choose(battle, "option", ADVANCE)
    assert slots(battle, "own") == []


# ---------------------------------------------------------------- panic


def destroyed(player: int, partner: Army, *, near: str, rules: Sequence[str] = ()) -> list[str]:
    """The rules by which a unit tests when a unit of Unit Strength 15 of an allied army is destroyed 3" away."""
    scene = side(player, EMPIRE, partner)
    fallen = scene.unit(player, None, (36, 24), models=15, files=5, army=int(near == "ours"), facing=NORTH)
    card = square(rules=list(rules))
    unit = scene.unit(player, card, (36, 18), models=10, files=5, army=int(near == "theirs"), facing=NORTH)
    scene.unit(1 - player, None, (60, 44))
    battle = scene.battle("shooting", player=1 - player, dice=[1, 1], run=False)
    battle.units.us_phase[fallen] = 15
    suffer(battle, fallen.row, 15)
    assert battle.units.place[fallen] == DESTROYED
    battle.run()
    return [event.rule for event in battle.events if event.kind == "leadership test" and event.data["unit"] == unit.row]


@BOTH_PLAYERS
@pytest.mark.parametrize("near", ["ours", "theirs"])
@pytest.mark.rule("wap.ally.desperate.expendable")
def test_the_fate_of_desperate_allies_alarms_nobody(player: int, near: str) -> None:
    alarms = ["wap.panic.friend-destroyed"]
    assert destroyed(player, BEASTMEN, near=near) == []
    assert destroyed(player, BEASTMEN, near=near, rules=["Expendable"]) == alarms
    for partner in (EMPIRE, DWARFS, OGRES):
        assert destroyed(player, partner, near=near) == alarms


def fled_through(player: int, partner: Army, dice: Sequence[int]) -> tuple[Battle, UnitHandle, UnitHandle]:
    """Ten men flee 7" through a unit of an allied army."""
    scene = side(player, EMPIRE, partner)
    unit = scene.unit(player, square(ld=2), (36, 20), models=10, files=5, facing=NORTH, fleeing=1)
    passed = scene.unit(player, None, (36, 23), models=5, files=5, facing=SOUTH, army=1)
    scene.unit(1 - player, None, (4, 44))
    return scene.battle("movement", player=player, dice=[*FAILS, 3, 4, *dice]), unit, passed


@BOTH_PLAYERS
@pytest.mark.rule("wap.ally.desperate.flee-through")
def test_who_flees_through_desperate_allies_tests_for_dangerous_terrain(player: int) -> None:
    battle, unit, passed = fled_through(player, BEASTMEN, [1, 2, 3, 4, 1, 6, 5, 4, 3, 2])
    assert battle.units.alive[unit] == 8 and dice_left(battle) == 0
    assert told(battle, "wap.ally.desperate.flee-through") == [
        {"unit": unit.row, "dice": (1, 2, 3, 4, 1, 6, 5, 4, 3, 2), "amount": 2}
    ]
    assert battle.units.alive[passed] == 5 and not told(battle, "wap.compulsory.flee.friends-panic")
    assert not [event for event in battle.events if event.kind == "saves"]


@BOTH_PLAYERS
@pytest.mark.parametrize("partner", [EMPIRE, DWARFS, OGRES])
@pytest.mark.rule("wap.ally.desperate.flee-through")
def test_who_flees_through_other_allies_alarms_them_only(player: int, partner: Army) -> None:
    battle, unit, passed = fled_through(player, partner, [1, 1])
    assert battle.units.alive[unit] == 10 and dice_left(battle) == 0
    assert [note["unit"] for note in told(battle, "wap.compulsory.flee.friends-panic")] == [passed.row]


# ---------------------------------------------------------------- several leaders


@BOTH_PLAYERS
def test_every_general_and_every_standard_counts_for_the_enemy(player: int) -> None:
    scene = side(player, EMPIRE, DWARFS)
    leaders = [
        scene.unit(player, hero(), (10 + 8 * n, 20), models=1, army=n % 2, leads=("battle standard", "general")[n // 2:][:1])
        for n in range(4)
    ]  # fmt: skip
    scene.unit(1 - player, None, (60, 44))
    battle = scene.battle("movement", run=False)
    points = []
    for lord in leaders[2:]:
        remove_unit(battle, lord.row)
        points.append(trophies_of(battle, 1 - player)[0][1])
    assert points == [100, 200] and trophies_of(battle, player)[0][1] == 0


# ---------------------------------------------------------------- fragile alliances


def trust(battle: Battle, units: Sequence[UnitHandle]) -> Relation:
    return relation_between(battle, units[0].row, units[1].row)


@BOTH_PLAYERS
@pytest.mark.rule("wap.ally.fragile.roll")
def test_a_fragile_alliance_decays_step_by_step(player: int) -> None:
    """The Orcs keep faith and the Skaven lose it in the first turn, the other way round in the second; later ones
    change nothing."""
    battle, units = allied(player, ORCS, SKAVEN, dice=[4, 3])
    assert dice_left(battle) == 0 and trust(battle, units) == SUSPICIOUS
    rolls = [(note["name"], note["die"]) for note in told(battle, "wap.ally.fragile.roll")]
    assert rolls == [("Orcs & Goblins", 4), ("Skaven", 3)]
    for dice, relation in (([2, 6], DESPERATE), ([1, 1], DESPERATE), ([4, 5], DESPERATE)):
        while battle.clock.turn[0] == player:
            battle.apply(battle.first_legal())
        battle.script_array[:2] = dice
        battle.dice.script_at[0], battle.dice.script_end[0] = 0, 2
        while battle.clock.turn[0] != player:
            battle.apply(battle.first_legal())
        assert dice_left(battle) == 0 and trust(battle, units) == relation


@BOTH_PLAYERS
@pytest.mark.parametrize("die", [1, 2, 3, 4, 5, 6])
@pytest.mark.rule("wap.ally.fragile.roll")
def test_one_to_three_loses_faith(player: int, die: int) -> None:
    battle, units = allied(player, ORCS, SKAVEN, dice=[6, die])
    assert trust(battle, units) == (SUSPICIOUS if die <= 3 else TRUSTED)
    battle, units = allied(player, SKAVEN, SKAVEN, dice=[6, die])
    assert trust(battle, units) == (TRUSTED if die <= 3 else BOUND)
    battle, units = allied(player, EMPIRE, SKAVEN, dice=[6, die])
    assert trust(battle, units) == DESPERATE


@BOTH_PLAYERS
@pytest.mark.parametrize(
    ("dice", "relations"),
    [
        ([3, 4], [SUSPICIOUS, DESPERATE, DESPERATE]),
        ([4, 3], [TRUSTED, DESPERATE, DESPERATE]),
        ([3, 3], [SUSPICIOUS, DESPERATE, DESPERATE]),
        ([4, 4], [TRUSTED, SUSPICIOUS, SUSPICIOUS]),
    ],
)
@pytest.mark.rule("wap.ally.fragile.roll")
def test_a_player_of_two_books_rolls_one_die(player: int, dice: list[int], relations: list[Relation]) -> None:
    """Orcs and Skaven of one player, with Ogres of another."""
    scene = RegimentScene((72, 48))
    for (book, alignment), leader in ((ORCS, ""), (SKAVEN, ""), (OGRES, "another")):
        scene.army(player, book, alignment, leader=leader)
    units = [scene.unit(player, None, (10.0 + 15 * n, 10), army=n, facing=NORTH) for n in range(3)]
    scene.unit(1 - player, None, (60, 44), facing=SOUTH)
    battle = scene.battle("movement", player=player, dice=dice)
    assert dice_left(battle) == 0
    pairs = [(0, 1), (0, 2), (1, 2)]
    assert [relation_between(battle, units[one].row, units[two].row) for one, two in pairs] == relations
    told_of = [note["name"] for note in told(battle, "wap.ally.fragile.roll")]
    assert told_of == ["Orcs & Goblins", "Ogre Kingdoms"]


@BOTH_PLAYERS
@pytest.mark.parametrize(
    ("armies", "fragile"),
    [
        ((ORCS, SKAVEN), True),
        ((ORCS, BEASTMEN), False),
        ((OGRES, HOBGOBLINS), True),
        ((ORCS, BEASTMEN, ("Dark Elves", "destruction")), True),
    ],
)
@pytest.mark.rule("wap.ally.fragile")
def test_some_books_make_every_alliance_fragile(player: int, armies: Sequence[Army], fragile: bool) -> None:
    """Each player of a fragile alliance rolls a die in the turn of the own side, none of another alliance does."""
    battle, units = allied(player, *armies, dice=[3] * 4)
    assert battle.setup.statics["alliances"].fragile[player] is fragile
    assert len(told(battle, "wap.ally.fragile.roll")) == (len(units) if fragile else 0)
    assert dice_left(battle) == (4 - len(units) if fragile else 4)


def test_the_other_sides_turn_asks_for_no_die() -> None:
    scene = side(0, ORCS, SKAVEN)
    for n in (0, 1):
        scene.unit(0, None, (10 + 20 * n, 10), army=n)
    scene.unit(1, None, (60, 44))
    battle = scene.battle("movement", player=1, dice=[1])
    assert dice_left(battle) == 1 and kind(battle) is not None


@pytest.mark.rule("wap.ally.alignment")
def test_alignments_are_those_of_the_catalogue() -> None:
    rules = read_yaml(Path("docs/rules/wap-3-battlefield.yaml"))["rules"]
    [rule] = [rule for rule in rules if rule["id"] == "wap.ally.alignment"]
    tables = alliance_tables()
    known = {"order": "order", "destruction": "destruction", "neutral": "non_aligned"}
    for ours, theirs in known.items():
        assert list(tables.alignments[ours]) == rule["table"][theirs]
    assert [len(tables.alignments[name]) for name in known] == [14, 9, 7]
    assert [tables.alignment_of(book) for book in ("Kislev", "Skaven", "Tomb Kings")] == list(known)


@pytest.mark.rule("wap.ally.desperate.spells", "wap.special.breath.template")
@BOTH_PLAYERS
@pytest.mark.parametrize(("partner", "relation"), PARTNERS)
def test_a_breath_may_be_directed_at_desperate_allies(player: int, partner: Army, relation: Relation) -> None:
    """They stand before an enemy. Greedy players do not breathe at allies alone."""
    for enemy in (True, False):
        scene = side(player, EMPIRE, partner)
        breather = square(type="monstrous beast", base_mm=[50, 50], size=[1, 1], rules=["Breath Attack (S4)"])
        drake = scene.unit(player, breather, (24, 20), models=1, facing=NORTH)
        ally = scene.unit(player, None, (24, 22.5), models=2, files=2, army=1, facing=NORTH)
        foe = scene.unit(1 - player, None, (24, 24.5) if enemy else (66, 44), models=10, files=5, facing=SOUTH)
        battle = scene.battle("shooting", player=player, run=False)
        found = placings(battle, drake.row)
        ahead = {battle.models.unit[k] for k in found.get(battle.setup.space.angles // 4, [])}
        assert ahead == ({ally.row, *([foe.row] if enemy else [])} if relation is DESPERATE else set())
        if ahead:
            battle.run()
            choose(battle, "own", drake.number)
            assert kind(battle) == "choose-breath"
            assert (best_breath(battle, battle.frame) > 0) is enemy
