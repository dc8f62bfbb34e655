"""Characteristics that are rolled, and damage tables in the middle of a turn (w8.datasheet.random-*, .damage-table.immediate)."""

from __future__ import annotations

from typing import Any

import pytest
from classic import raw_sheet
from eighth_files import at, duel, fight_out, model_of, unit_of

from wh_env.content import ContentError, w8
from wh_env.content.battle import Battle
from wh_env.core.geometry.paths import Fault
from wh_env.testing import dice_left, kind, pick, slots, told, words
from wh_env.testing.moves import check_move

SIDES = pytest.mark.parametrize("player", [0, 1])
DETAILS = pytest.mark.parametrize("detail", ["squad", "full"])
FOE = raw_sheet("Foe", model={"max": 1, "W": 9, "Sv": "-", "WS": "-"})
BLADE = {"range": "melee", "type": "Melee", "S": "User", "AP": 0, "D": 1}
MOVEMENT, FIGHT = 1, 5


def selected(sheet: dict[str, Any], player: int, detail: str, dice: list[int]) -> Battle:
    """The unit, far from everybody, is selected to move."""
    battle = at(
        duel([sheet], [FOE], player, detail), "movement", {"Mine": (5, 15), "Foe": (40, 30)}, active=player, dice=dice
    )
    while kind(battle) != "move-kind":
        pick(battle, "Mine") if kind(battle) == "select-to-move" else battle.apply(battle.first_legal())
    return battle


@pytest.mark.rule("w8.datasheet.random-move")
@SIDES
@DETAILS
@pytest.mark.parametrize(
    ("move", "dice", "inches"), [("2D6", [3, 5], 8), ("D6", [2], 2), ("D3+4", [5], 7), ("2D3", [1, 6], 4)]
)
def test_a_random_move_is_rolled_once_for_the_unit_as_it_is_selected(move, dice, inches, player, detail):
    """Each of its five models may move so far, and no die is rolled for any of them."""
    battle = selected(raw_sheet("Mine", model={"min": 5, "M": move}), player, detail, [*dice, 6])
    unit = unit_of(battle, "Mine")
    assert dice_left(battle) == 1
    assert [battle.models.move[k] for k in battle.members(unit)] == [inches] * 5
    rows = list(battle.members(unit))
    places = [(battle.models.x[k], battle.models.y[k]) for k in rows]
    for far, fault in ((inches, Fault.LEGAL), (inches + 0.1, Fault.TOO_FAR)):
        paths = {number: [(x, y - far)] for number, (x, y) in enumerate(places)}
        assert check_move(battle.clone(), unit, "normal", paths) == fault
    pick(battle, "Mine: Normal move")
    while battle.decision is not None and battle.clock.phase[0] == MOVEMENT and battle.clock.turn[0] == player:
        battle.apply(battle.first_legal())
    assert [e["inches"] for e in told(battle, "w8.datasheet.random-move")] == [inches]


@pytest.mark.rule("w8.datasheet.random-move")
def test_it_is_rolled_anew_each_time():
    battle = selected(raw_sheet("Mine", model={"max": 1, "M": "2D6"}), 0, "squad", [1, 1, 6, 6])
    while battle.clock.round[0] == 1:
        battle.apply(battle.first_legal())
    while not told(battle, "w8.datasheet.random-move")[1:]:
        battle.apply(battle.first_legal())
    assert [e["inches"] for e in told(battle, "w8.datasheet.random-move")] == [2, 12]


@pytest.mark.rule("w8.datasheet.random-move", "w8.mission.command-rerolls.use")
def test_one_die_of_it_may_be_rolled_again_by_the_underdog():
    loaded = duel([raw_sheet("Mine", model={"max": 1, "M": "2D6"}), {**FOE, "name": "Other"}], [FOE], 0, "full")
    spots = {"Mine": (5, 15), "Other": (20, 5), "Foe": (40, 30)}
    for left, asked in ((0, "move-kind"), (1, "command-re-roll")):
        battle = at(loaded, "movement", spots, dice=[1, 5, 4], stratagems={"command-re-roll": "ask"})
        battle.players.cp[0] = left
        pick(battle, "Mine")
        assert kind(battle) == asked
    pick(battle, "the 1 of")
    assert battle.models.move[model_of(battle, "Mine")] == 9


def test_a_random_move_and_a_damage_table_do_not_go_together():
    sheet = raw_sheet("Mine", model={"max": 1, "M": "2D6", "W": 9, "damage": [{"wounds": 4, "BS": "5+"}]})
    with pytest.raises(ContentError, match="random Move"):
        w8.load_datasheet(sheet)


def fighters(attacks: Any, player: int, detail: str, dice: list[int], models: int = 3) -> Battle:
    """So many models beside each other, all within reach of a long foe."""
    mine = raw_sheet(
        "Mine",
        weapons={"blade": BLADE},
        model={"min": models, "max": 5, "A": attacks, "WS": "6+", "S": 1, "W": 9, "weapons": ["blade"]},
    )
    wall = raw_sheet("Foe", model={"max": 1, "W": 9, "WS": "-", "base": {"hull_in": [8.0, 1.0]}, "T": 8})
    spots = {"Mine": (15.0, 15.0), "Foe": (16.4, 16.9)}
    battle = at(duel([mine], [wall], player, detail), "fight", spots, active=player, dice=dice)
    battle.models.facing[model_of(battle, "Foe")] = 0.0
    return battle


@pytest.mark.rule("w8.datasheet.random-other")
@SIDES
@DETAILS
def test_other_random_characteristics_are_rolled_model_by_model(player, detail):
    """A D6, dice 2, 6 and 1: as many attacks; in the next Fight phase three other dice."""
    misses = [1] * 9
    battle = fight_out(fighters("D6", player, detail, [2, 6, 1, *misses, 3, 1, 5, *misses]))
    assert [e.data["result"] for e in battle.events if e.kind == "attacks roll"] == [2, 6, 1]
    assert len(told(battle, "w8.attack.hit")) == 9
    while battle.decision is not None and battle.clock.phase[0] != FIGHT:
        stay = [a for a in battle.decision.options if "Remain Stationary" in battle.describe(a)]
        battle.apply(stay[0] if stay else battle.first_legal())
    fight_out(battle)
    later = [e.data["result"] for e in battle.events if e.kind == "attacks roll"][3:]
    assert later == [3, 1, 5]


@pytest.mark.rule("w8.datasheet.random-other")
@SIDES
def test_random_damage_is_rolled_for_each_attack(player):
    """Two blows of Damage D3, dice 5 and 2: 3 and 1."""
    mine = raw_sheet(
        "Mine",
        weapons={"blade": {**BLADE, "D": "D3"}},
        model={"max": 1, "A": 2, "WS": "2+", "S": 8, "weapons": ["blade"]},
    )
    battle = at(
        duel([mine], [FOE], player),
        "fight",
        {"Mine": (15, 15), "Foe": (15.0, 16.8)},
        active=player,
        dice=[6, 6, 6, 6, 1, 5, 1, 2],
    )
    assert fight_out(battle).models.wounds[model_of(battle, "Foe")] == 9 - 3 - 1


@pytest.mark.rule("w8.datasheet.random-attacks-before-declaring")
@SIDES
@DETAILS
def test_shots_are_rolled_once_their_target_is_declared(player, detail):
    """Heavy D3 at X, then a die of 5: 3 attacks at X."""
    gun = {"gun": {"range": 36, "type": "Heavy D3", "S": 4, "AP": 0, "D": 1}}
    mine = raw_sheet("Mine", weapons=gun, model={"max": 1, "weapons": ["gun"]})
    spots = {"Mine": (10, 10), "X": (20, 10), "Y": (20, 20)}
    foes = [{**FOE, "name": "X"}, {**FOE, "name": "Y"}]
    battle = at(duel([mine], foes, player, detail), "shooting", spots, active=player, dice=[5, 1, 1, 1])
    pick(battle, "Mine") if kind(battle) == "select-to-shoot" else None
    assert (kind(battle), dice_left(battle)) == ("weapon-target" if detail == "full" else "shoot-target", 4)
    pick(battle, "X")
    while dice_left(battle):
        battle.apply(battle.first_legal())
    hits = told(battle, "w8.attack.hit")
    assert [h["die"] for h in hits] == [1, 1, 1]
    assert {h["target"] for h in hits} == {unit_of(battle, "X")}


@pytest.mark.rule("w8.datasheet.random-attacks-before-declaring")
@SIDES
@pytest.mark.parametrize(
    ("attacks", "die", "made"), [("D3", 1, 1), ("D3", 4, 2), ("D3", 6, 3), ("D6", 4, 4), ("D3+1", 5, 4)]
)
def test_random_attacks_are_rolled_before_they_are_split(attacks, die, made, player):
    """Between X and Y: the die is rolled, then each of that many attacks is given a target."""
    mine = raw_sheet("Mine", weapons={"blade": BLADE}, model={"max": 1, "A": attacks, "WS": "2+", "weapons": ["blade"]})
    spots = {"Mine": (15, 15), "X": (15.0, 16.8), "Y": (15.0, 13.2)}
    foes = [{**FOE, "name": "X"}, {**FOE, "name": "Y"}]
    battle = at(duel([mine], foes, player, "full"), "fight", spots, active=player, dice=[die, *[1] * made])
    asked = 0
    while battle.decision is not None and battle.clock.phase[0] == FIGHT:
        if kind(battle) == "attack-target":
            assert dice_left(battle) == made
            assert slots(battle, "enemy") == [0, 1]
            pick(battle, "XY"[asked % 2])
            asked += 1
        else:
            battle.apply(battle.first_legal())
    assert asked == made
    assert len(told(battle, "w8.attack.hit")) == made


# ---------------------------------------------------------------- damage tables

ROWS = [{"wounds": 6, "M": 6, "WS": "4+", "BS": "4+"}, {"wounds": 3, "M": 4, "WS": "5+", "BS": "5+"}]
TANK = raw_sheet(
    "Mine", weapons={"gun": {"range": 24, "type": "Assault 1", "S": 4, "AP": 0, "D": 1}, "blade": BLADE},
    model={"max": 1, "M": 10, "WS": "3+", "BS": "3+", "W": 12, "A": 1, "T": 4, "Sv": "-", "damage": ROWS},
)  # fmt: skip


@pytest.mark.rule("w8.datasheet.damage-table.immediate")
@SIDES
@DETAILS
@pytest.mark.parametrize(("wounds", "shots", "needed"), [(4, 1, 5), (4, 0, 4), (7, 1, 4), (7, 0, 3)])
def test_damage_in_overwatch_counts_when_it_fights_in_the_same_turn(wounds, shots, needed, player, detail):
    """4 wounds left, one of them lost to Overwatch: it fights by the row of 1 to 3."""
    gun = {"gun": {"range": 24, "type": "Assault 1", "S": 8, "AP": 0, "D": 1}}
    foe = raw_sheet("Foe", weapons=gun, model={"max": 1, "W": 9, "WS": "-", "weapons": ["gun"]})
    overwatch = [6, 2, 1] if shots else [5]
    loaded = duel([TANK], [foe], player, detail)
    battle = at(loaded, "charge", {"Mine": (15, 15), "Foe": (15.0, 20.0)}, active=player, dice=[*overwatch, 6, 6, 4])
    model = model_of(battle, "Mine")
    battle.models.wounds[model] = wounds
    for _ in range(40):
        if len(told(battle, "w8.attack.hit")) > 1:
            break
        engine = [action for action, text in words(battle).items() if text == "leave the move to the engine"]
        battle.apply((engine or battle.decision.options)[-1])
    assert battle.models.wounds[model] == wounds - shots
    first, blow = told(battle, "w8.attack.hit")[:2]
    assert first["attacker"] == model_of(battle, "Foe")
    assert (blow["attacker"], blow["needed"]) == (model, needed)


@pytest.mark.rule("w8.datasheet.damage-table.immediate")
@SIDES
@DETAILS
@pytest.mark.parametrize(("wounds", "amount", "needed", "move"), [(3, 1, 4, 6), (6, 1, 3, 10), (2, 1, 5, 4)])
def test_healing_counts_at_once_too(wounds, amount, needed, move, player, detail):
    from wh_env.rulesets.w40k.attack.casualties import heal

    battle = at(
        duel([TANK], [FOE], player, detail), "shooting", {"Mine": (10, 10), "Foe": (20, 10)}, active=player, dice=[1]
    )
    model = model_of(battle, "Mine")
    battle.models.wounds[model] = wounds
    heal(battle, unit_of(battle, "Mine"), amount)
    assert battle.models.move[model] == move
    while battle.decision is not None and not told(battle, "w8.attack.hit"):
        battle.apply(battle.decision.options[-1])
    assert told(battle, "w8.attack.hit")[0]["needed"] == needed
