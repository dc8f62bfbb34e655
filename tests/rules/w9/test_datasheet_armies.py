"""What army lists say, as it is played: units that may split, what units cost (w9.deploy.at-the-start, w9.mission.while-we-stand.value)."""

from __future__ import annotations

import pytest
from classic import WEAPONS, battle_of, raw_army, raw_sheet, setup_of

from wh_env.content import w9
from wh_env.content.errors import ContentError
from wh_env.rulesets.w9.mission.stand import STANDING, identified
from wh_env.testing import kind, pick


def squads(**split):
    """A datasheet of ten models that may split in two of five."""
    ability = {"splits": {"name": "Squads", "models": 5, "of": 10, **split}}
    return raw_sheet("Squad", model={"min": 10, "max": 10}, abilities=ability)


@pytest.mark.rule("w9.deploy.at-the-start")
def test_a_datasheet_says_that_its_units_may_split():
    battle = battle_of(setup_of(squads(), raw_sheet("Other"), formations="choose"))
    for _ in range(20):
        if kind(battle) == "at-the-start":
            break
        battle.apply(battle.first_legal())
    player = battle.decision.player
    first = battle.players.first_unit[player]
    pick(battle, "Squads")
    assert [battle.units.alive[first + k] for k in range(3)] == [5, 1, 5]
    assert battle.setup.names["units"][first + 2] == "Squad, second part"


def test_a_unit_that_is_too_small_may_not():
    small = raw_sheet("Squad", model={"min": 5, "max": 10}, abilities=squads()["abilities"])
    setup = setup_of(small, raw_sheet("Other"))
    assert (dict(setup.statics["splits"]), tuple(setup.statics["timed"])) == ({}, ())


def test_a_whole_unit_does_not_part():
    with pytest.raises(ContentError, match="splits"):
        setup_of(squads(of=5))


@pytest.mark.rule("w9.mission.while-we-stand.value")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("wargear", "chosen"), [(25, 0), (10, -1), (5, 1)])
def test_points_of_weapons_and_wargear_count(player, wargear, chosen):
    """A unit of 100 points with weapons of 25 costs more than one of 110 without; with 5 it costs less, with 10 as much."""
    option = {"name": "special", "weapons": ["gun", "blade"], "max": 1, "points": wargear}
    armed = raw_sheet("Armed", points=100, weapons=WEAPONS, model={"max": 1, "options": [option]})
    plain = raw_sheet("Plain", points=110, model={"max": 1})
    others = [raw_sheet(name, points=130, model={"max": 1}) for name in ("First", "Second")]
    army = raw_army(armed, plain, *others)
    army["units"][0]["equipment"] = {"Soldier": {"special": 1}}
    armies = [army, army]
    secondaries = ((STANDING,), ()) if player == 0 else ((), (STANDING,))
    battle = battle_of(
        w9.GAME.compile(w9.GAME.load("w9/only-war-patrol", {"armies": armies}), {"secondaries": secondaries}, None)
    )
    first = battle.players.first_unit[player]
    if chosen < 0:
        assert (kind(battle), battle.decision.player) == ("stand-and-fight", player)
        assert identified(battle, player) == [first + 2, first + 3]
    else:
        assert identified(battle, player) == [first + chosen, first + 2, first + 3]
