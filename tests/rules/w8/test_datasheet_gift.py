"""Nurgle's Gift: enemies near Death Guard models around a Lord of Contagion (w8.datasheet.lord-of-contagion.nurgles-gift*)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from classic import raw_sheet
from eighth_files import army, at, loaded, model_of, unit_of

from wh_env.content import ContentError, w8
from wh_env.content.battle import Battle
from wh_env.testing import choose, dice_left, kind, slots, told

SIDES = pytest.mark.parametrize("player", [0, 1])
DETAILS = pytest.mark.parametrize("detail", ["squad", "full"])
GIFT = "w8.datasheet.lord-of-contagion.nurgles-gift"
LORD, MAN = 25.0 / 25.4, 16.0 / 25.4  # half of their bases, in inches
Places = Mapping[str, Sequence[tuple[float, float]]]


def enemies(name: str, models: int = 1, **model: Any) -> dict[str, Any]:
    """Enemies that nothing saves."""
    return raw_sheet(
        name, model={"min": models, "max": models, "W": 1, "Sv": "-", "Ld": 7, "WS": "-", "BS": "-", **model}
    )


def begin(
    places: Places, foes: Sequence[dict[str, Any]], dice: Sequence[int], *, player: int = 0, active: int | None = None,
    detail: str = "squad", lords: int = 1, marines: int = 0, round: int = 1,
) -> Battle:  # fmt: skip
    """The turn of ``active`` begins, of the Death Guard's player where not given; everybody named in ``places`` stands there."""
    units: list[Any] = [{"datasheet": "Lord of Contagion", "id": f"Lord {n}"} for n in range(lords)]
    units += [{"datasheet": "Plague Marines", "id": "Marines", "models": marines}] if marines else []
    battle = loaded(army(*units), army(*foes, enemies("Far")), player, detail)
    spots = {"Far": [(46.0, 34.0)], **{name: list(own) for name, own in places.items()}}
    return at(battle, "movement", spots, active=player if active is None else active, dice=dice, round=round)


def rolls(battle: Battle) -> list[tuple[str, int]]:
    """The units for which dice were rolled, and the dice."""
    names = battle.setup.names["units"]
    return [(names[event["unit"]], event["die"]) for event in told(battle, GIFT)]


def beside(at: tuple[float, float], gap: float, own: float = MAN, other: float = MAN) -> tuple[float, float]:
    """A place so many inches along x from a model."""
    return at[0] + own + other + gap, at[1]


@pytest.mark.rule("w8.datasheet.lord-of-contagion.nurgles-gift")
@SIDES
@DETAILS
@pytest.mark.parametrize(("die", "wounds"), [(4, 1), (6, 1), (3, 0), (1, 0)])
def test_enemies_near_death_guard_within_7_inches_of_the_lord_may_suffer(die, wounds, player, detail):
    """A Plague Marine 7.0" from him with X 1.0" from it; another 7.1" from him with Y 1.0" from that one."""
    lord = (15.0, 18.0)
    near, far = beside(lord, 7.0, LORD), (lord[0] - LORD - MAN - 7.1, lord[1])
    places = {
        "Lord 0": [lord], "Marines": [near, far], "X": [beside(near, 1.0)], "Y": [(far[0] - 2 * MAN - 1.0, far[1])],
    }  # fmt: skip
    battle = begin(places, [enemies("X", W=3), enemies("Y", W=3)], [die], player=player, detail=detail, marines=5)
    assert rolls(battle) == [("X", die)]
    assert battle.models.wounds[model_of(battle, "X")] == 3 - wounds
    assert battle.models.wounds[model_of(battle, "Y")] == 3
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.datasheet.lord-of-contagion.nurgles-gift")
@pytest.mark.parametrize(
    ("around", "near", "rolled"), [(7.0, 1.1, False), (7.0, 1.0, True), (7.1, 0.5, False), (1.0, 0.5, True)]
)
def test_both_distances_count(around, near, rolled):
    marine = beside((15.0, 18.0), around, LORD)
    places = {"Lord 0": [(15.0, 18.0)], "Marines": [marine], "X": [beside(marine, near)]}
    battle = begin(places, [enemies("X", W=3)], [4], marines=5)
    assert bool(rolls(battle)) is rolled


@pytest.mark.rule("w8.concepts.aura.self", "w8.datasheet.lord-of-contagion.nurgles-gift")
@SIDES
@DETAILS
@pytest.mark.parametrize(("gap", "rolled"), [(1.0, True), (0.3, True), (1.1, False)])
def test_he_is_within_range_of_his_own_aura(gap, rolled, player, detail):
    """Alone, an enemy within 1" of him."""
    places = {"Lord 0": [(15.0, 18.0)], "X": [beside((15.0, 18.0), gap, LORD)]}
    battle = begin(places, [enemies("X", W=3)], [4], player=player, detail=detail)
    assert rolls(battle) == ([("X", 4)] if rolled else [])
    assert battle.models.wounds[model_of(battle, "X")] == (2 if rolled else 3)


@pytest.mark.rule("w8.datasheet.lord-of-contagion.nurgles-gift")
@SIDES
@DETAILS
def test_nothing_is_rolled_as_the_opponents_turn_starts(player, detail):
    places = {"Lord 0": [(15.0, 18.0)], "X": [beside((15.0, 18.0), 0.5, LORD)]}
    battle = begin(places, [enemies("X", W=3)], [4], player=player, active=1 - player, detail=detail)
    assert rolls(battle) == []
    assert battle.models.wounds[model_of(battle, "X")] == 3


@pytest.mark.rule("w8.datasheet.lord-of-contagion.nurgles-gift")
def test_enemies_with_the_keyword_are_no_bearers_of_the_aura_and_other_friends_neither():
    """A friend that is no Death Guard 2" from him with X beside it; enemies of the Death Guard near him with Y beside them."""
    friend = raw_sheet("Friend", model={"max": 1, "W": 3})
    lord = (15.0, 18.0)
    theirs = beside(lord, 3.0, LORD)
    mine = army("Lord of Contagion", friend)
    traitor = raw_sheet("Traitor", faction_keywords=["TESTERS", "DEATH GUARD"], model={"max": 1, "W": 3})
    battle = loaded(mine, army(enemies("X", W=3), traitor))
    spots = {
        "Lord of Contagion": [lord], "Friend": [(15.0, 14.0)], "X": [(15.0 + 2 * MAN + 0.5, 14.0)], "Traitor": [theirs],
    }  # fmt: skip
    assert rolls(at(battle, "movement", spots, dice=[4])) == []


@pytest.mark.rule("w8.datasheet.lord-of-contagion.nurgles-gift.once")
@SIDES
@DETAILS
def test_one_die_for_each_enemy_unit_however_many_bring_it_within_reach(player, detail):
    """X is within 1" of three Plague Marines and of both Lords, Y within 1" of one Lord."""
    x = (20.0, 18.0)
    around = [(x[0] - 2 * MAN - 0.5, x[1]), (x[0], x[1] - 2 * MAN - 0.5), (x[0], x[1] + 2 * MAN + 0.5)]
    lords = [(x[0] + LORD + MAN + 0.5, x[1]), (x[0] + LORD + MAN + 0.5, x[1] + 2.5)]
    y = beside(lords[0], 0.8, LORD)
    places = {"Lord 0": [lords[0]], "Lord 1": [lords[1]], "Marines": around, "X": [x], "Y": [y]}
    foes = [enemies("X", W=3), enemies("Y", W=3)]
    battle = begin(places, foes, [4, 2, 6, 6], player=player, detail=detail, lords=2, marines=5)
    if detail == "full":
        assert (kind(battle), battle.decision.player) == ("afflicted-unit", player)
        assert slots(battle, "enemy") == [0, 1]
        choose(battle, "enemy", 1)
        assert rolls(battle) == [("Y", 4), ("X", 2)]  # who is left is no choice
    else:
        assert rolls(battle) == [("X", 4), ("Y", 2)]
    assert dice_left(battle) == 2


@pytest.mark.rule("w8.datasheet.lord-of-contagion.nurgles-gift.timing")
@SIDES
@DETAILS
def test_it_belongs_to_the_turn_and_comes_before_the_movement_phase(player, detail):
    """A unit of six, Ld 6, loses a model to it and none afterwards (the Lord's four blows miss): a die of 6 in that turn's Morale phase
    makes 7, and one flees."""
    lord = (15.0, 18.0)
    row = [beside(lord, 0.8 + 1.4 * n, LORD) for n in range(6)]
    dice = [4, 1, 1, 1, 1, 6]
    battle = begin({"Lord 0": [lord], "X": row}, [enemies("X", 6, Ld=6)], dice, player=player, detail=detail)
    assert (battle.clock.phase[0], battle.clock.turn[0]) == (1, player)
    if kind(battle) == "allocate":
        battle.apply(battle.decision.options[-1])
    for _ in range(60):
        if told(battle, "w8.morale.test"):
            break
        stay = [action for action in battle.decision.options if "Remain Stationary" in battle.describe(action)]
        battle.apply(stay[0] if stay else 0 if battle.legal()[0] else battle.first_legal())
    first = [event.kind for event in battle.events if event.rule in (GIFT, "w8.round.phase-order")]
    assert first[:2] == ["affliction", "phase"]
    (event,) = told(battle, "w8.morale.test")
    assert (event["unit"], event["passed"]) == (unit_of(battle, "X"), False)
    while battle.clock.turn[0] == player and kind(battle) == "fleeing-model":
        battle.apply(battle.first_legal())
    assert battle.units.alive[unit_of(battle, "X")] == 4


@pytest.mark.rule("w8.datasheet.lord-of-contagion.nurgles-gift.timing", "w8.move.fall-back.at-start")
def test_who_is_no_longer_engaged_after_it_moves_freely():
    """Its only enemy within 1" was slain before the Movement phase began."""
    places = {"Lord 0": [(15.0, 18.0)], "X": [beside((15.0, 18.0), 0.5, LORD)]}
    battle = begin(places, [enemies("X")], [4])
    assert battle.units.alive[unit_of(battle, "X")] == 0
    assert not battle.held.held[unit_of(battle, "Lord 0")]


def test_a_lord_that_is_not_on_the_battlefield_has_no_aura():
    places = {"Marines": [(15.0, 18.0)], "X": [beside((15.0, 18.0), 0.5)]}
    assert rolls(begin(places, [enemies("X", W=3)], [4], marines=5)) == []


def test_an_army_destroyed_by_it_ends_the_battle():
    lord = (15.0, 18.0)
    battle = loaded(army("Lord of Contagion"), army(enemies("X")))
    spots = {"Lord of Contagion": [lord], "X": [beside(lord, 0.5, LORD)]}
    ended = at(battle, "movement", spots, dice=[4], round=2)
    assert ended.over
    assert [e["winner"] for e in told(ended, "w8.mission.victory.wipe-out") if "winner" in e] == [0]


@pytest.mark.parametrize(
    ("change", "field"),
    [({"needed": 1}, "needed"), ({"range": 0}, "range"), ({"keyword": 3}, "keyword"), ({"reach": 7}, "reach")],
)
def test_what_a_file_says_of_it_is_checked(change, field):
    ability = {"name": "Gift", "keyword": "DEATH GUARD", "range": 7, **change}
    with pytest.raises(ContentError) as caught:
        w8.load_datasheet(raw_sheet(abilities={"afflictions": [ability]}))
    assert field in caught.value.field
