"""The Lord of Contagion as his file has him: profile, weapon, Cataphractii Armour."""

from __future__ import annotations

import pytest
from classic import in_phase, raw_army, raw_sheet

from wh_env.content import w8
from wh_env.rulesets.w8.ruleset import EIGHTH_EDITION
from wh_env.testing import kind, pick, told

FOE = raw_sheet("Foe", model={"max": 1, "W": 9, "WS": "-", "Sv": "2+"})
FIGHT = EIGHTH_EDITION.phases.index("Fight")


def against(foe, phase, apart, *, player=0, detail="squad", dice=()):
    """The player's Lord and a foe whose middles are so many inches apart."""
    lord = {"name": "Lords", "faction": "Death Guard", "units": [{"datasheet": "Lord of Contagion"}]}
    armies = [lord, raw_army(foe)]
    overrides = {"armies": armies if player == 0 else armies[::-1], "detail": detail}
    loaded = w8.GAME.load("w8/only-war-skirmish", overrides)
    spots = {"Lord of Contagion": (12.0, 12.0), foe["name"]: (12.0, 12.0 + apart)}
    return in_phase(loaded, phase, spots, active=player, dice=dice, game=w8.GAME)


@pytest.mark.rule("w8.datasheet.lord-of-contagion.cataphractii-armour")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("die", "more"), [(1, 1), (2, 1), (5, 3), (6, 3)])
def test_the_die_of_his_advance_is_halved(die, more, player, detail):
    """Rounded up."""
    battle = against(FOE, "movement", 15.0, player=player, detail=detail, dice=[die])
    unit = battle.players.first_unit[player]
    while kind(battle) != "move-kind":
        battle.apply(battle.first_legal())
    pick(battle, "Lord of Contagion: Advance")
    assert battle.units.advance[unit] == more


@pytest.mark.rule("w8.datasheet.lord-of-contagion.cataphractii-armour")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("die", "kept"), [(4, True), (3, False)])
def test_he_has_an_invulnerable_save(die, kept, player):
    """4+, against an AP of -3."""
    weapons = {"blade": {"range": "melee", "type": "Melee", "S": 5, "AP": -3, "D": 1}}
    foe = raw_sheet("Foe", model={"max": 1, "W": 9, "A": 1, "WS": "2+", "weapons": ["blade"]}, weapons=weapons)
    dice = [1] * 4 + [2, 4, die, 1]  # he misses four times
    battle = against(foe, "fight", 2.2, player=player, dice=dice)
    while battle.decision is not None and battle.clock.phase[0] == FIGHT:
        battle.apply(battle.first_legal())
    lord = battle.units.first[battle.players.first_unit[player]]
    assert battle.models.wounds[lord] == (6 if kept else 5)


@pytest.mark.rule("w8.datasheet.lord-of-contagion.plaguereaper")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("save", "slain"), [(5, True), (6, False)])
def test_a_plaguereaper_slays_a_model_of_three_wounds(save, slain, player):
    """Four hits on 2+; T 6 is wounded on 4+, one of them; a save of 5 at AP -3 is a 2."""
    foe = raw_sheet("Foe", model={"max": 1, "W": 3, "T": 6, "Sv": "3+", "WS": "-"})
    battle = against(foe, "fight", 2.2, player=player, dice=[2, 2, 2, 1, 4, 3, 3, save])
    while battle.decision is not None and battle.clock.phase[0] == FIGHT:
        battle.apply(battle.first_legal())
    wounds = told(battle, "w8.attack.wound")
    assert [(w["needed"], w["result"]) for w in wounds] == [(4, 1), (4, 0), (4, 0)]
    model = battle.units.first[battle.players.first_unit[1 - player]]
    assert battle.models.alive[model] == (0 if slain else 1)
