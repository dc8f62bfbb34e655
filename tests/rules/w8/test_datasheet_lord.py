"""The Lord of Contagion as his file has him, but for Nurgle's Gift: profile, keywords, weapon, abilities."""

from __future__ import annotations

from math import hypot

import pytest
from classic import raw_sheet
from eighth_files import FIGHT, army, at, fight_out, loaded, model_of, unit_of

from wh_env.content import w8
from wh_env.core.geometry.paths import Fault
from wh_env.core.tables import RESERVE
from wh_env.rulesets.w40k.attack.casualties import mortal_wounds
from wh_env.testing import choose, kind, pick, slots, told, words
from wh_env.testing.moves import check_move

FOE = raw_sheet("Foe", model={"max": 1, "W": 9, "WS": "-", "Sv": "2+"})
LORD_SHEET = w8.load_datasheet("Lord of Contagion")


def against(foe, phase, apart, *, player=0, detail="squad", dice=()):
    """The player's Lord and a foe whose middles are so many inches apart."""
    spots = {"Lord of Contagion": (12.0, 12.0), foe["name"]: (12.0, 12.0 + apart)}
    battle = loaded(army("Lord of Contagion"), army(foe), player, detail)
    return at(battle, phase, spots, active=player, dice=dice)


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
    fight_out(battle)
    lord = battle.units.first[battle.players.first_unit[player]]
    assert battle.models.wounds[lord] == (6 if kept else 5)


@pytest.mark.rule("w8.datasheet.lord-of-contagion.plaguereaper")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("save", "slain"), [(5, True), (6, False)])
def test_a_plaguereaper_slays_a_model_of_three_wounds(save, slain, player):
    """Four hits on 2+; T 6 is wounded on 4+, one of them; a save of 5 at AP -3 is a 2."""
    foe = raw_sheet("Foe", model={"max": 1, "W": 3, "T": 6, "Sv": "3+", "WS": "-"})
    battle = against(foe, "fight", 2.2, player=player, dice=[2, 2, 2, 1, 4, 3, 3, save])
    fight_out(battle)
    wounds = told(battle, "w8.attack.wound")
    assert [(w["needed"], w["result"]) for w in wounds] == [(4, 1), (4, 0), (4, 0)]
    model = battle.units.first[battle.players.first_unit[1 - player]]
    assert battle.models.alive[model] == (0 if slain else 1)


# ---------------------------------------------------------------- the rest of his datasheet

SIDES = pytest.mark.parametrize("player", [0, 1])
DETAILS = pytest.mark.parametrize("detail", ["squad", "full"])


@pytest.mark.rule("w8.datasheet.lord-of-contagion.cataphractii-armour")
@SIDES
@DETAILS
@pytest.mark.parametrize(("die", "reach"), [(5, 7.0), (1, 5.0), (6, 7.0), (3, 6.0)])
def test_he_advances_as_far_as_the_halved_die_says(die, reach, player, detail):
    """4 + 3 = 7 inches with a 5, 5 with a 1: every place offered lies within that, some at its very end, and no longer move is legal."""
    battle = against(FOE, "movement", 17.0, player=player, detail=detail, dice=[die])
    while kind(battle) != "move-kind":
        battle.apply(battle.first_legal())
    pick(battle, "Lord of Contagion: Advance")
    lord = model_of(battle, "Lord of Contagion")
    x, y = battle.models.x[lord], battle.models.y[lord]
    unit = unit_of(battle, "Lord of Contagion")
    for far, fault in ((reach, Fault.LEGAL), (reach + 0.1, Fault.TOO_FAR)):
        assert check_move(battle.clone(), unit, "advance", {0: [(x + far, y)]}) == fault
    if detail == "squad":
        ends = []
        for action in battle.decision.options:
            moved = battle.clone()
            moved.apply(action)
            ends.append(hypot(moved.models.x[lord] - x, moved.models.y[lord] - y))
        assert max(ends) == pytest.approx(reach, abs=1e-6)


@pytest.mark.rule("w8.datasheet.lord-of-contagion")
@SIDES
def test_his_attacks_are_those_of_his_profile(player):
    """T 4, Sv 3+, one wound: dice of 2, 2, 2, 1 make three hits, 3, 3 and a 2 that is no 1 two wounds, saves of 6 and 5 are 3 and 2."""
    foe = raw_sheet("Foe", model={"min": 3, "max": 3, "W": 1, "T": 4, "Sv": "3+", "WS": "-"})
    battle = against(foe, "fight", 2.2, player=player, dice=[2, 2, 2, 1, 3, 3, 2, 6, 5])
    fight_out(battle)
    assert [(h["needed"], h["result"]) for h in told(battle, "w8.attack.hit")] == [(2, 1), (2, 1), (2, 1), (2, 0)]
    assert [(w["needed"], w["result"]) for w in told(battle, "w8.attack.wound")] == [(3, 1), (3, 1), (3, 0)]
    assert [(s["die"], s["needed"], s["result"]) for s in told(battle, "w8.attack.save")] == [(6, 6, 1), (5, 6, 0)]
    assert battle.units.alive[unit_of(battle, "Foe")] == 2
    assert len(LORD_SHEET.models) == 1
    assert (LORD_SHEET.smallest, LORD_SHEET.largest, LORD_SHEET.models[0].weapons) == (1, 1, ("Plaguereaper",))


@pytest.mark.rule("w8.datasheet.lord-of-contagion.keywords")
def test_his_keywords():
    assert set(LORD_SHEET.faction_keywords) == {"CHAOS", "NURGLE", "HERETIC ASTARTES", "DEATH GUARD"}
    assert set(LORD_SHEET.keywords) == {"INFANTRY", "TERMINATOR", "CHARACTER", "LORD OF CONTAGION"}
    assert LORD_SHEET.abilities.psyker is None
    battle = against(FOE, "psychic", 10.0)
    assert kind(battle) != "select-psyker"


@pytest.mark.rule("w8.datasheet.lord-of-contagion.keywords")
@SIDES
@DETAILS
@pytest.mark.parametrize(("screen", "open_to"), [(6.0, False), (12.0, True)])
def test_as_a_character_he_is_no_target_behind_a_closer_visible_unit(screen, open_to, player, detail):
    """He is 9" from the guns, Plague Marines of his army 6" or 12"."""
    guns = raw_sheet("Guns", model={"max": 1})
    battle = loaded(army(guns), army("Lord of Contagion", "Plague Marines"), player, detail)
    spots = {"Guns": (20.0, 10.0), "Lord of Contagion": (20.0, 19.0), "Plague Marines": (24.0, 10.0 + screen)}
    ready = at(battle, "shooting", spots, active=player)
    if kind(ready) == "select-to-shoot":
        pick(ready, "Guns")
    if open_to:
        assert (kind(ready), slots(ready, "enemy")) == ("weapon-target" if detail == "full" else "shoot-target", [0, 1])
    else:  # there is no choice
        assert {hit["target"] for hit in told(ready, "w8.attack.hit")} == {unit_of(ready, "Plague Marines")}


@pytest.mark.rule("w8.datasheet.lord-of-contagion.keywords")
@SIDES
def test_as_a_character_he_intervenes_heroically(player):
    """An enemy within 3" of him at the end of the enemy's Charge phase."""
    asked = at(
        loaded(army(FOE), army("Lord of Contagion"), player), "charge",
        {"Lord of Contagion": (12.0, 12.0), "Foe": (12.0, 12.0 + 1.63 + 2.5)}, active=player,
    )  # fmt: skip
    for _ in range(10):
        if asked.decision is None or kind(asked) == "select-to-intervene":
            break
        asked.apply(0 if asked.legal()[0] else asked.first_legal())
    assert (kind(asked), asked.decision.player) == ("select-to-intervene", 1 - player)
    assert slots(asked, "own") == [0]


@pytest.mark.rule("w8.datasheet.lord-of-contagion.keywords")
@SIDES
def test_as_a_character_he_may_have_a_warlord_trait(player):
    entry = {"datasheet": "Lord of Contagion", "warlord": True}
    battle = at(loaded(army(entry), army(FOE), player), "mission", None, division=0)
    for _ in range(200):
        if battle.decision is None or kind(battle) == "warlord-trait":
            break
        battle.apply(battle.first_legal())
    assert (kind(battle), battle.decision.player) == ("warlord-trait", player)


@pytest.mark.rule("w8.datasheet.keywords")
@SIDES
@pytest.mark.parametrize("place", ["keywords", "faction_keywords"])
def test_a_rule_for_a_keyword_affects_all_who_have_it_in_either_list_and_nobody_else(place, player):
    """+1 to hit for ADEPTUS ASTARTES models; the Lord, a Death Guard model, is affected by a rule for those."""
    own = {"keywords": ["INFANTRY"], "faction_keywords": ["TESTERS"]}
    own[place] = [*own[place], "ADEPTUS ASTARTES"]
    foe = {**FOE, "models": [{**FOE["models"][0], "Sv": "-"}]}
    for fields, needed in ((own, 3), ({"keywords": ["INFANTRY"], "faction_keywords": ["TESTERS"]}, 4)):
        shooter = raw_sheet("Guns", model={"max": 1, "BS": "4+"}, **fields)
        rules = [{"effect": "+1 to hit", "keyword": "Adeptus Astartes", "of": "model"}]
        battle = at(
            loaded(army(shooter), army(foe), player), "shooting", {"Guns": (10, 10), "Foe": (20, 10)}, active=player,
            dice=[6, 1, 1], modifiers=rules,
        )  # fmt: skip
        for _ in range(10):
            if told(battle, "w8.attack.hit"):
                break
            battle.apply(battle.decision.options[-1])
        assert told(battle, "w8.attack.hit")[0]["needed"] == needed
    rules = [{"effect": "-1 to hit", "keyword": "Death Guard", "of": "model"}]
    lord = at(
        loaded(army("Lord of Contagion"), army(foe), player), "fight", {"Lord of Contagion": (12, 12), "Foe": (12.0, 14.2)},
        active=player, dice=[1] * 4, modifiers=rules,
    )  # fmt: skip
    assert {hit["needed"] for hit in told(fight_out(lord), "w8.attack.hit")} == {3}


@pytest.mark.rule("w8.datasheet.disgustingly-resilient")
@SIDES
@DETAILS
def test_a_die_for_each_wound_that_he_would_lose(player, detail):
    """Damage 3, dice 5, 4 and 6: he loses one. A captain, who has no such ability, loses three and no die is rolled."""
    weapons = {"blade": {"range": "melee", "type": "Melee", "S": 8, "AP": -6, "D": 3}}
    foe = raw_sheet("Foe", model={"max": 1, "W": 9, "A": 1, "WS": "2+", "weapons": ["blade"]}, weapons=weapons)
    for name, misses, dice, lost in (
        ("Lord of Contagion", 4, [1, 5, 4, 6], 1),
        ("Captain in Gravis Armour", 10, [1], 3),  # his Rites of Battle roll hit rolls of 1 again
    ):
        battle = at(
            loaded(army(name), army(foe), player, detail), "fight", {name: (12.0, 12.0), "Foe": (12.0, 14.1)}, active=player,
            dice=[1] * misses + [2, 3, *dice, 6],
        )  # fmt: skip
        fight_out(battle)
        model = model_of(battle, name)
        assert battle.models.max_wounds[model] - battle.models.wounds[model] == lost
        assert len([e for e in battle.events if e.rule == "w8.datasheet.disgustingly-resilient"]) == len(dice) - 1


@pytest.mark.rule("w8.datasheet.disgustingly-resilient")
@SIDES
@pytest.mark.parametrize(("die", "lost"), [(5, 0), (4, 1)])
def test_mortal_wounds_are_ignored_too(die, lost, player):
    battle = against(FOE, "shooting", 10.0, player=player, dice=[die])
    mortal_wounds(battle, unit_of(battle, "Lord of Contagion"), 1)
    battle.run()
    assert 6 - battle.models.wounds[model_of(battle, "Lord of Contagion")] == lost


@pytest.mark.rule("w8.datasheet.plague-weapon")
@SIDES
@DETAILS
@pytest.mark.parametrize(("again", "result"), [(4, 1), (3, 1), (2, 0), (1, 0)])
def test_wound_rolls_of_1_with_a_plague_weapon_are_rolled_again(again, result, player, detail):
    """S 6 against T 5: 3+. A 1 is rolled again, once; a 2 is not."""
    foe = raw_sheet("Foe", model={"max": 1, "W": 9, "T": 5, "Sv": "-", "WS": "-"})
    battle = against(foe, "fight", 2.2, player=player, detail=detail, dice=[2, 2, 1, 1, 1, 2, again, 1, 1])
    for _ in range(30):
        if battle.decision is None or battle.clock.phase[0] != FIGHT:
            break
        pick(battle, "re-roll") if kind(battle) == "reroll-wound" else battle.apply(battle.first_legal())
    assert [(w["die"], w["needed"]) for w in told(battle, "w8.attack.wound")] == [(1, 3), (2, 3)]
    model = model_of(battle, "Foe")
    assert battle.models.wounds[model] == 9 - 3 * result


@pytest.mark.rule("w8.datasheet.plague-weapon")
@SIDES
def test_the_attacking_player_may_keep_them(player):
    foe = raw_sheet("Foe", model={"max": 1, "W": 9, "T": 5, "Sv": "-", "WS": "-"})
    battle = against(foe, "fight", 2.2, player=player, detail="full", dice=[2, 2, 2, 2, 1, 1, 3, 2, 6, 1, 1])
    asked = 0
    for _ in range(30):
        if battle.decision is None or battle.clock.phase[0] != FIGHT:
            break
        if kind(battle) == "reroll-wound":
            assert battle.decision.player == player
            asked += 1
            pick(battle, "keep" if asked == 1 else "re-roll")
        else:
            battle.apply(battle.first_legal())
    assert asked == 2  # for the two 1s, not for the 3 and the 2
    assert battle.models.wounds[model_of(battle, "Foe")] == 9 - 3 - 3


def test_other_weapons_roll_nothing_again():
    sword = {"blade": {"range": "melee", "type": "Melee", "S": 6, "AP": 0, "D": 1}}
    mine = raw_sheet("Mine", weapons=sword, model={"max": 1, "A": 1, "WS": "2+", "weapons": ["blade"]})
    battle = at(loaded(army(mine), army(FOE)), "fight", {"Mine": (12, 12), "Foe": (12.0, 13.8)}, dice=[2, 1, 6])
    assert fight_out(battle).models.wounds[model_of(battle, "Foe")] == 9


def to_the_end_of_the_phase(battle, player):
    """Nobody does anything until Reserves of the player are offered."""
    for _ in range(60):
        if kind(battle) == "select-reserves" and battle.decision.player == player:
            return
        stay = [action for action in battle.decision.options if "Remain Stationary" in battle.describe(action)]
        battle.apply(stay[0] if stay else 0 if battle.legal()[0] else battle.first_legal())
    raise LookupError("he was not offered")


def waiting(player, foe, detail="squad"):
    """He waits in the teleportarium as his player's first Movement phase begins; a friend and an enemy stand on the battlefield."""
    entry = {"datasheet": "Lord of Contagion", "reserves": "deep-strike"}
    friend = raw_sheet("Friend", model={"max": 1})
    spots = {"Friend": (3.0, 3.0), "Foe": foe}
    battle = at(loaded(army(entry, friend), army(FOE), player, detail), "movement", spots, active=player)
    battle.units.reserve[unit_of(battle, "Lord of Contagion")] = 1
    to_the_end_of_the_phase(battle, player)
    return battle


def arrivals(battle):
    """Where he may be set up, by action."""
    lord = model_of(battle, "Lord of Contagion")
    pick(battle, "Lord of Contagion")
    found = {}
    for action in battle.decision.options:
        placed = battle.clone()
        placed.apply(action)
        assert placed.models.on_table[lord]
        found[action] = (placed.models.x[lord], placed.models.y[lord])
    return found


@pytest.mark.rule("w8.datasheet.lord-of-contagion.teleport-strike")
@SIDES
def test_he_arrives_anywhere_more_than_9_inches_from_every_enemy(player):
    """9.1" from the closest enemy model is offered and 9.0" is not; in the enemy's part of the battlefield too."""
    everywhere = arrivals(waiting(player, (46.0, 34.0)))
    assert {(y > 24.0) for _, y in everywhere.values()} == {False, True}
    action, (x, y) = next((a, place) for a, place in everywhere.items() if 15 < place[0] < 20 and 15 < place[1] < 20)
    between = (50 + 32) / 2 / 25.4  # half of both bases, in inches
    for away, offered in ((9.1, True), (9.0, False), (8.0, False)):
        assert (action in arrivals(waiting(player, (x + between + away, y)))) is offered


@pytest.mark.rule("w8.datasheet.lord-of-contagion.teleport-strike")
@SIDES
@DETAILS
def test_who_declines_is_offered_again_at_the_end_of_the_next_own_movement_phase(player, detail):
    battle = waiting(player, (24.0, 18.0), detail)
    unit = unit_of(battle, "Lord of Contagion")
    assert (battle.clock.round[0], battle.clock.phase[0]) == (1, 1)
    choose(battle, "done")
    assert battle.units.place[unit] == RESERVE
    to_the_end_of_the_phase(battle, player)
    assert (battle.clock.round[0], battle.clock.phase[0], battle.clock.turn[0]) == (2, 1, player)
    assert "Lord of Contagion" in words(battle).values()


@pytest.mark.rule("w8.datasheet.lord-of-contagion.teleport-strike")
@SIDES
def test_his_player_says_as_he_is_deployed_whether_he_waits_in_the_teleportarium(player):
    for said, place in ((None, 1), ("deep-strike", RESERVE)):
        entry = {"datasheet": "Lord of Contagion", **({"reserves": said} if said else {})}
        battle = at(loaded(army(entry), army(FOE), player), "mission", None, division=0)
        for _ in range(300):
            if battle.clock.phase[0]:
                break
            battle.apply(battle.first_legal())
        assert battle.units.place[unit_of(battle, "Lord of Contagion")] == place
    battle = at(loaded(army("Lord of Contagion"), army(FOE), player), "mission", None, division=0, formations="choose")
    for _ in range(300):
        if kind(battle) == "reserves":
            break
        battle.apply(battle.first_legal())
    assert battle.decision.player == player
    assert len(battle.decision.options) == 2
