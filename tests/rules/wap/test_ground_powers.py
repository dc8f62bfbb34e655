"""What named examples of ground do to units that stand in them."""

from __future__ import annotations

from typing import Any

import pytest
from charging import HOLD, charge, over, react
from heroes import hero
from marching import ADVANCE, FORWARD, MARCH, ahead, finish, go, leg
from results import play, scored

from wh_env import Battle, ContentError
from wh_env.content.load import validate
from wh_env.content.wap.schema_terrain import Terrain
from wh_env.rulesets.wap.basics.combined_unit import has
from wh_env.rulesets.wap.battle.timing import start_phase, start_turn
from wh_env.rulesets.wap.breaking.break_tests import BreakTests
from wh_env.rulesets.wap.casualties.crossings import gain_from_crossing, stands_here
from wh_env.rulesets.wap.casualties.losses import wounds_of
from wh_env.rulesets.wap.codes import BROKEN, HELD, Phase
from wh_env.rulesets.wap.morale.leadership import leadership_of, leadership_test
from wh_env.rulesets.wap.rule_book import FEAR, POISONED_ATTACKS, STUBBORN, STUPIDITY, SpecialRule
from wh_env.testing import choose, dice_left, kind, script, slots, told
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, fight, square


def within(
    kind: str, example: str, inside: int, card: Any = None, *, player: int = 0, models: int = 10, **fields: Any
) -> tuple[Battle, UnitHandle]:
    """A rank of models on bases of one inch, of which so many stand in ground of a kind from its left end on."""
    scene = RegimentScene()
    unit = scene.unit(player, card, (20, 24), models=models, files=models, facing=NORTH, **fields)
    scene.unit(1 - player, None, (44, 46 if player == 0 else 2))
    west = 20 - 0.5 * models
    scene.area(kind, west - 3, 20, west + inside, 30, example=example)
    return scene.battle("movement", player=player, run=False), unit


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("inside", "value"), [(6, 6), (5, 7)])
@pytest.mark.rule("wap.terrain.forest.haunted")
def test_most_models_in_a_haunted_forest_cost_a_unit_a_point_of_leadership(
    player: int, inside: int, value: int
) -> None:
    battle, unit = within("forest", "haunted forest", inside, square(ld=7), player=player)
    assert leadership_of(battle, unit.row) == value
    script(battle, [3, 4])
    assert leadership_test(battle, unit.row, "wap.panic.test") == (value == 7)
    calm, unit = within(
        "forest", "haunted forest", inside, square(ld=7, rules=["Immunity (Psychology)"]), player=player
    )
    assert leadership_of(calm, unit.row) == 7


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("inside", "passes"), [(6, False), (5, True)])
@pytest.mark.rule("wap.terrain.forest.haunted")
def test_a_unit_in_a_haunted_forest_panics_when_friends_flee_through_it(player: int, inside: int, passes: bool) -> None:
    """Leadership 7. The friends do not rally on 12, flee 8 inches through the unit, and it rolls 7."""
    scene = RegimentScene()
    unit = scene.unit(player, square(ld=7), (20, 24), models=10, files=10, facing=NORTH)
    scene.unit(player, None, (20, 26), models=10, facing=SOUTH, fleeing=1)
    scene.unit(1 - player, None, (44, 46 if player == 0 else 2))
    scene.area("forest", 12, 20, 15 + inside, 25, example="haunted forest")
    battle = scene.battle("movement", player=player, dice=[6, 6, 4, 4, 3, 4])
    (test,) = told(battle, "wap.compulsory.flee.friends-panic")
    assert (test["unit"], test["roll"], test["leadership"], test["passed"]) == (unit.row, 7, 6 + passes, passes)
    assert battle.units.fleeing[unit] == (not passes)


@pytest.mark.parametrize(("rules", "passes"), [((), False), (("Immunity (Psychology)",), True)])
@pytest.mark.rule("wap.terrain.forest.haunted")
def test_a_haunted_forest_frightens_units_that_are_to_march_past_an_enemy(rules: tuple[str, ...], passes: bool) -> None:
    """Leadership 7, and a roll of 7."""
    scene = RegimentScene()
    unit = scene.unit(0, square(ld=7, rules=list(rules)), (20, 24), models=10, files=10, facing=NORTH)
    scene.unit(0, None, (44, 4))
    scene.unit(1, None, (20, 31))
    scene.area("forest", 12, 20, 21, 30, example="haunted forest")  # six of ten models
    battle = scene.battle("movement", dice=[3, 4], detail="full")
    go(battle, unit, MARCH)
    (test,) = told(battle, "wap.move.march.test")
    assert (test["leadership"], test["passed"]) == (7 if passes else 6, passes)
    assert kind(battle) == ("leg" if passes else "manoeuvre")


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.terrain.forest.fungus")
def test_one_model_in_a_fungus_forest_makes_a_unit_stupid_and_forest_goblins_stubborn(player: int) -> None:
    battle, unit = within("forest", "fungus forest", 1, player=player)
    assert has(battle, unit.row, STUPIDITY) and not has(battle, unit.row, STUBBORN)
    battle, unit = within("forest", "fungus forest", 0, player=player)
    assert not has(battle, unit.row, STUPIDITY)
    battle, unit = within("forest", "fungus forest", 1, player=player, book=("Forest Goblins", "destruction"))
    assert has(battle, unit.row, STUPIDITY) and has(battle, unit.row, STUBBORN)


@pytest.mark.rule("wap.terrain.forest.fungus")
def test_a_unit_in_a_fungus_forest_tests_for_stupidity_when_its_turn_begins() -> None:
    for roll, stupid in (((4, 4), 1), ((2, 3), 0)):
        battle, unit = within("forest", "fungus forest", 1, square(ld=5), command=())
        script(battle, [*roll, 3])
        battle.run()
        assert told(battle, "wap.special.stupidity.test")[0]["roll"] == sum(roll)
        assert battle.units.stupid[unit] == stupid
        assert battle.units.y[unit] == pytest.approx(27.0 if stupid else 24.0)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("book", "edge", "firm"),
    [
        (("Forest Goblins", "destruction"), 17.6, True),
        (("Forest Goblins", "destruction"), 17.4, False),
        ((), 17.6, False),
    ],
)
@pytest.mark.rule("wap.terrain.forest.fungus")
def test_forest_goblins_in_a_fungus_forest_that_lose_by_four_test_on_their_own_leadership(
    player: int, book: tuple[str, ...], edge: float, firm: bool
) -> None:
    """Leadership 7 and a roll of 7; the enemy has taken three of ten, and outnumbers the rest. One model of the front
    rank, whose left end is at x = 17.5, is partly in the forest, or none is.
    """
    scene = RegimentScene()
    unit = scene.unit(player, square(ld=7), (20, 24), models=10, files=5, facing=NORTH, book=book)
    foe = scene.beside(unit, 1 - player, models=10, files=10)
    scene.area("forest", 12, 23.5, edge, 30, example="fungus forest")
    battle = scored(scene, unit, {(foe, unit): 3})
    assert battle.units.penalty[unit] == 4
    play(battle, BreakTests, dice=[3, 4])
    rule = "wap.break.steadfast.effect" if firm else "wap.break.test"
    (test,) = (data for data in told(battle, rule) if "leadership" in data)
    assert (test["unit"], test["leadership"]) == (unit.row, 7 if firm else 3)
    assert battle.units.outcome[unit] == (HELD if firm else BROKEN) and dice_left(battle) == 0


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("gap", "lost"), [(6.0, 3), (6.1, 1)])
@pytest.mark.rule("wap.terrain.hill.anvil-of-vaul")
def test_arrows_from_near_the_anvil_hurt_ghosts_as_magic_does(player: int, gap: float, lost: int) -> None:
    """Six arrows: three hit and wound; the wards show 4, 4 and 1, and need 5+ against magic, else 2+."""
    scene = RegimentScene()
    scene.area("hill", 20, 2, 28, 4, example="anvil of vaul")
    bows = scene.unit(player, square(equipment=["bow"]), (24, 5 + gap), models=3, files=3, facing=NORTH)
    foe = scene.unit(1 - player, square(rules=["Ethereal"]), (24, 18), models=10, files=10, facing=SOUTH)
    battle = scene.battle("shooting", player=player, dice=[6, 6, 6, 1, 1, 1, 6, 6, 6, 4, 4, 1])
    choose(battle, "own", bows.number)
    while kind(battle) == "loss-end":
        choose(battle, "option", slots(battle, "option")[0])
    assert battle.units.alive[foe] == 10 - lost and dice_left(battle) == 0


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("inside", "left"), [(6, 8), (5, 7)])
@pytest.mark.rule("wap.terrain.marsh.earthblood-mere")
def test_most_models_in_an_earthblood_mere_regenerate(player: int, inside: int, left: int) -> None:
    """Three strike ten: three hits, three wounds; one of them grows back on a 6."""
    scene = RegimentScene()
    unit = scene.unit(player, square(a=0), (20, 24), models=10, files=10, facing=NORTH)
    scene.beside(unit, 1 - player, square(i=9), models=3, files=3)
    scene.area("marsh", 12, 20, 15 + inside, 30, example="earthblood mere")
    battle = scene.battle("combat", run=False, dice=[6, 6, 6, 6, 6, 6, 6, 2, 5])
    fight(battle, unit)
    assert battle.units.alive[unit] == left and dice_left(battle) == (0 if inside == 6 else 3)


@pytest.mark.rule("wap.terrain.agreement")
def test_the_ground_of_an_example_has_the_rules_of_its_kind_and_its_own() -> None:
    battle, _ = within("forest", "venom thicket", 5)
    (wood,) = battle.setup.statics["features"]
    assert (wood.traits.sight, wood.traits.ranks, wood.traits.dangerous_always) == (5, "lost inside", True)
    row = {"kind": "forest", "lines": "1", "traits": {"gives_partly": ["Slowness"]}, "examples": {}}
    with pytest.raises(ContentError, match=r"gives_partly\[0\]: 'Slowness' is not known; expected a special rule"):
        validate(Terrain, row, "forest.yaml")


# ---------------------------------------------------------------- harm, and what a crossing gives


CALM = {"rules": ["Immunity (Panic)"]}


def at_the_end(
    kind: str, example: str, inside: int, dice: list[int], *, owner: int = 0, player: int = 0, card: Any = None
) -> tuple[Battle, UnitHandle]:
    """A rank of ten of a player in ground, in the turn of ``player``, when nobody moves or does anything else."""
    scene = RegimentScene()
    unit = scene.unit(owner, square(**{**CALM, **(card or {})}), (20, 24), models=10, files=10, facing=NORTH)
    scene.unit(1 - owner, None, (44, 46 if owner == 0 else 2))
    scene.area(kind, 12, 20, 15 + inside, 30, example=example)
    battle = scene.battle("movement", player=player, dice=dice)
    while battle.decision is not None and battle.clock.round[0] == 1 and battle.clock.turn[0] == player:
        wanted = [name for name in ("done", "option") if slots(battle, name)]
        choose(battle, "done") if "done" in wanted else choose(battle, "option", slots(battle, "option")[0])
    return battle, unit


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.terrain.forest.wildwood")
def test_a_wildwood_strikes_at_the_end_of_the_own_movement_phase(player: int) -> None:
    battle, unit = at_the_end("forest", "wildwood", 1, [4, 3, 4, 3, 2], owner=player, player=player)
    assert told(battle, "wap.terrain.forest.wildwood")[1]["amount"] == 3
    [roll] = told(battle, "wap.shoot.wound.roll")
    assert (roll["needed"], roll["rolls"]) == (3, (4, 3, 2))
    assert battle.units.alive[unit] == 8
    for inside, die, owner in ((1, 3, player), (0, 4, player), (1, 4, 1 - player)):
        battle, unit = at_the_end("forest", "wildwood", inside, [die, 6, 6, 6, 6, 6, 6, 6], owner=owner, player=player)
        assert battle.units.alive[unit] == 10
        assert [event["die"] for event in told(battle, "wap.terrain.forest.wildwood")] == ([3] if die == 3 else [])


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("kind_of", "example", "dice", "wounds"),
    [
        ("forest", "wildwood", [4, 6, 6, 6, 6, 6, 6, 6, 6], 3),
        ("river", "boiling flood", [6] * 8, 2),
        ("monument", "sinister statue", [1, 6, 6, 6, 6, 6, 6, 6, 6], 3),
    ],
)
@pytest.mark.rule("wap.terrain.forest.wildwood")
@pytest.mark.rule("wap.terrain.river.boiling-flood")
@pytest.mark.rule("wap.terrain.monument.sinister-statue")
def test_who_is_left_of_a_unit_that_the_ground_destroys_suffers_once(
    player: int, kind_of: str, example: str, dice: list[int], wounds: int
) -> None:
    """Three men and a hero; all men fall, to hits on their unit or, in the flood, on each model."""
    scene = RegimentScene()
    unit = scene.unit(player, square(**CALM), (20, 24), models=3, files=4, facing=NORTH)
    captain = scene.unit(player, hero(w=3, **CALM), models=1, inside=unit)
    scene.unit(1 - player, None, (44, 46 if player == 0 else 2))
    scene.area(kind_of, 12, 26 if kind_of == "monument" else 20, 30, 30, example=example)
    battle = scene.battle("movement", player=player, dice=dice)
    while kind(battle) == "select-to-move" and battle.clock.turn[0] == player:
        choose(battle, "done")
    assert (battle.units.alive[unit], battle.models.wounds[captain.model()]) == (0, wounds)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("turn", [0, 1])
@pytest.mark.rule("wap.terrain.river.boiling-flood")
def test_a_boiling_flood_hits_each_model_in_it_at_the_end_of_any_turn(player: int, turn: int) -> None:
    battle, unit = at_the_end("river", "boiling flood", 6, [1, 2, 3, 4, 5, 6], owner=player, player=turn)
    [roll] = told(battle, "wap.shoot.wound.roll")
    assert (roll["needed"], roll["amount"], roll["result"]) == (3, 6, 4) and battle.units.alive[unit] == 6
    cool = {"rules": ["Immunity (Panic)", "Immunity (Flaming Attacks)"]}
    battle, unit = at_the_end("river", "boiling flood", 6, [6] * 6, owner=player, player=turn, card=cool)
    assert battle.units.alive[unit] == 10 and not told(battle, "wap.terrain.river.boiling-flood")


@pytest.mark.rule("wap.terrain.river.boiling-flood")
def test_armour_does_not_help_in_a_boiling_flood() -> None:
    card = {"equipment": ["hand weapon", "full plate armour"]}
    battle, unit = at_the_end("river", "boiling flood", 2, [6, 6, 6, 6], card=card)
    assert battle.units.alive[unit] == 8


@pytest.mark.parametrize("owner", [0, 1])
@pytest.mark.parametrize("turn", [0, 1])
@pytest.mark.rule("wap.terrain.marsh.mist.fimir")
def test_what_lurks_in_the_mist_takes_a_die_of_models(owner: int, turn: int) -> None:
    """No save helps them."""
    card = {"i": 3, "w": 2, "rules": [*CALM["rules"], "Ward Save (2+)"]}
    for inside, die, left in ((6, 4, 8), (6, 3, 10), (5, 4, 10)):
        battle, unit = at_the_end(
            "marsh", "mist-wreathed swamp", inside, [die, 2, 6, 6], owner=owner, player=turn, card=card
        )
        assert battle.units.alive[unit] == left


@pytest.mark.parametrize("owner", [0, 1])
def test_a_wounded_model_that_is_taken_in_the_mist_costs_no_more_than_it_has(owner: int) -> None:
    def wounded(battle: Battle) -> None:
        battle.models.wounds[unit.model(9)] = 1

    scene = RegimentScene()
    unit = scene.unit(owner, square(i=3, w=3, **CALM), (20, 24), models=10, files=10, facing=NORTH)
    scene.unit(1 - owner, None, (44, 46 if owner == 0 else 2))
    scene.area("marsh", 12, 20, 30, 30, example="mist-wreathed swamp")
    battle = scene.battle("movement", player=owner, dice=[4, 2], set_state=wounded)
    while battle.decision is not None and not told(battle, "wap.terrain.marsh.mist.fimir"):
        choose(battle, "done")
    while kind(battle) == "loss-end":
        choose(battle, "option", slots(battle, "option")[0])
    assert battle.units.alive[unit] == 8 and wounds_of(battle, unit.row) == 24


@pytest.mark.rule("wap.terrain.marsh.mist.fimir")
def test_fimir_do_not_take_their_own() -> None:
    scene = RegimentScene()
    unit = scene.unit(0, square(**CALM), (20, 24), models=10, files=10, facing=NORTH, book=("Fimir", "destruction"))
    scene.unit(1, None, (44, 46))
    scene.area("marsh", 0, 20, 48, 30, example="mist-wreathed swamp")
    battle = scene.battle("movement", dice=[6, 6, 6])
    while battle.decision is not None and battle.clock.turn[0] == 0:
        choose(battle, "done")
    assert battle.units.alive[unit] == 10


@pytest.mark.parametrize("owner", [0, 1])
@pytest.mark.parametrize(("book", "lost"), [(("Fimir", "destruction"), 0), ((), 4)])
def test_a_hero_is_not_taken_in_the_place_of_the_fimir_that_he_leads(
    owner: int, book: tuple[str, ...], lost: int
) -> None:
    """They fail an Initiative test, if they take one; then it would be four models, of the unit alone."""
    scene = RegimentScene()
    unit = scene.unit(owner, square(**CALM), (20, 24), models=10, files=11, facing=NORTH, book=book)
    lord = scene.unit(owner, hero(i=3), models=1, inside=unit)
    scene.unit(1 - owner, None, (44, 46 if owner == 0 else 2))
    scene.area("marsh", 0, 20, 48, 30, example="mist-wreathed swamp")
    battle = scene.battle("movement", player=owner, dice=[6, 4])
    while battle.decision is not None and battle.clock.turn[0] == owner:
        choose(battle, "done") if slots(battle, "done") else choose(battle, "option", slots(battle, "option")[0])
    assert (battle.units.alive[unit], battle.units.alive[lord]) == (10 - lost, 1)
    assert bool(told(battle, "wap.terrain.marsh.mist.fimir")) is bool(lost)


def crossed_and_fought(
    player: int, example: str, dice: list[int], foe: dict[str, Any]
) -> tuple[UnitHandle, list[list[Any]]]:
    """A unit charges across a river, and the combat goes on in the next two turns. Returns what is told in each of the
    three turns.
    """
    scene = RegimentScene()
    forth = 1.0 if player == 0 else -1.0
    card = square(rules=["Unbreakable"], t=9, i=9)
    unit = scene.unit(player, card, (24, 24 - 3 * forth), models=5, files=5)
    target = scene.unit(1 - player, foe, (24, 24 + 3 * forth), models=10, files=5)
    low, high = sorted((24 - 1.5 * forth, 24 + 1.5 * forth))
    scene.area("river", 0, low, 48, high, example=example)
    for owner, y in ((player, 24 - 15 * forth), (1 - player, 24 + 15 * forth)):
        scene.unit(owner, None, (44, y), models=5)  # so that turns go on to a decision
    battle = scene.battle("movement", player=player, dice=dice)
    charge(battle, unit, target)
    if kind(battle) == "charge-reaction":
        react(battle, HOLD)
    over(battle)
    told_in: list[list[Any]] = [[]]  # before the first turn begins
    known = 0
    while battle.decision is not None and len(told_in) < 5:
        for event in battle.events[known:]:
            if event.rule == "wap.battle.turn.alternate":
                told_in.append([])
            told_in[-1].append(event)
        known = len(battle.events)
        choose(battle, "done") if slots(battle, "done") else choose(battle, "option", slots(battle, "option")[0])
    return unit, told_in[1:4]


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.terrain.river.necrotic-ooze.poison")
def test_blades_are_poisoned_until_the_turn_after_the_crossing_ends(player: int) -> None:
    """Strength 3 against Toughness 3 needs a 4, with poison a 3."""
    foe = square(rules=["Unbreakable"], a=0, w=9)
    unit, turns = crossed_and_fought(player, "necrotic ooze", [6] * 100, foe)
    needed = [
        {event.data["needed"] for event in turn if event.kind == "to wound" and event.data["unit"] == unit.row}
        for turn in turns
    ]
    assert needed == [{3}, {3}, {4}]


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.terrain.river.blood")
def test_a_unit_from_a_river_of_blood_is_feared_until_the_turn_after_the_crossing_ends(player: int) -> None:
    foe = square(a=0, w=9, t=9, ld=10)
    _, turns = crossed_and_fought(player, "river of blood", [6, 6, *[1] * 100], foe)
    feared = [
        [event.data["fear"] for event in turn if event.rule == "wap.result.sum" and event.data["player"] == player]
        for turn in turns
    ]
    assert feared == [[1], [1], [0]]


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("example", "rule"), [("necrotic ooze", POISONED_ATTACKS), ("river of blood", FEAR)])
@pytest.mark.rule("wap.terrain.river.necrotic-ooze.poison")
@pytest.mark.rule("wap.terrain.river.blood")
def test_a_unit_that_moves_across_such_a_river_has_its_gift_until_the_next_turn_ends(
    player: int, example: str, rule: SpecialRule
) -> None:
    scene = RegimentScene()
    y, forth = (10, 1) if player == 0 else (38, -1)
    unit = scene.unit(player, square(rules=["Immunity (Psychology)"]), (20, y), models=5)
    other = scene.unit(player, None, (44, y), models=5)
    scene.unit(1 - player, None, (44, 47 if player == 0 else 1))
    low, high = sorted((y + forth, y + 2 * forth))
    scene.area("river", 0, low, 30, high, example=example)
    battle = scene.battle("movement", player=player, detail="full", dice=[6] * 5)
    go(battle, unit, ADVANCE)
    leg(battle, FORWARD, ahead(4.0))
    finish(battle)
    assert has(battle, unit.row, rule) and not has(battle, other.row, rule)
    turns = []
    while battle.decision is not None and battle.clock.round[0] < 2:
        turns.append((battle.clock.turn[0], has(battle, unit.row, rule)))
        choose(battle, "done")
    assert {had for _, had in turns} == {True}
    while battle.decision is not None and battle.clock.turn[0] != player:
        choose(battle, "done")
    assert not has(battle, unit.row, rule)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("example", "rule"), [("necrotic ooze", POISONED_ATTACKS), ("river of blood", FEAR)])
@pytest.mark.rule("wap.terrain.river.necrotic-ooze.poison", "wap.terrain.river.blood", "wap.compulsory.flee.distance")
def test_a_unit_that_flees_across_such_a_river_has_its_gift_too(player: int, example: str, rule: SpecialRule) -> None:
    """It fails to rally and flees seven inches, across an inch of the river, or only five and stops before it."""
    for roll, crosses in (([3, 4], True), ([2, 3], False)):
        scene = RegimentScene()
        unit = scene.unit(player, square(ld=2), (20, 20), models=5, facing=NORTH, fleeing=1)
        scene.unit(player, None, (44, 10), models=5, facing=NORTH)
        scene.unit(1 - player, None, (44, 47), facing=SOUTH)
        scene.area("river", 0, 25.5, 30, 26.5, example=example)
        battle = scene.battle("movement", player=player, dice=[6, 6, *roll, *[6] * 5])
        assert told(battle, "wap.compulsory.flee.distance")[0]["far"] == sum(roll)
        assert has(battle, unit.row, rule) is crosses


@pytest.mark.parametrize("player", [0, 1])
def test_a_unit_that_crosses_again_in_the_next_turn_keeps_the_gift_for_another_turn(player: int) -> None:
    battle, unit = within("river", "river of blood", 5, player=player)
    for turn in (player, 1 - player):
        battle.clock.turn[0] = turn
        stands_here(battle, unit.row)
        gain_from_crossing(battle, unit.row)
    turns = []
    for turn in (player, 1 - player):
        start_turn(battle, turn)
        start_phase(battle, Phase.MOVEMENT)
        turns.append(has(battle, unit.row, FEAR))
    assert turns == [True, False]
