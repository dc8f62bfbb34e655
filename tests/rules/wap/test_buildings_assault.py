"""The assault of a building: who may, how it is declared and reached, who fights, and how blows are struck."""

from __future__ import annotations

from typing import Any

import pytest
from heroes import hero
from houses import BEAST, HORSE, OGRES, against, attacks_of, house, run_to, stormed

from tests.machines import machine
from wh_env.rulesets.wap.basics.contacts import meet
from wh_env.rulesets.wap.basics.garrisons import assailant_of, garrison_in
from wh_env.rulesets.wap.basics.parties import party_of
from wh_env.rulesets.wap.casualties.removing import suffer
from wh_env.rulesets.wap.codes import MOUNTS, STOMPS
from wh_env.rulesets.wap.combat.fighters import enemies_of, groups_of
from wh_env.testing import choose, kind, pick, slots, told, words
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, corners, square

# ---------------------------------------------------------------- declaring and reaching


@pytest.mark.rule("wap.building.assault.distance")
@pytest.mark.parametrize("player", [0, 1])
def test_the_charge_is_measured_to_the_wall(player: int) -> None:
    for dice, arrives in (((5, 2), True), ((4, 4), False)):
        battle, mine, foe = against(gap=9.0, player=player, dice=dice)
        pick(battle, "charges")
        measured = told(battle, "wap.charge.success")[0]
        assert (measured["far"], measured["passed"]) == (9.0, arrives)
        assert (assailant_of(battle, foe.row) == mine.row) is arrives
        if arrives:
            assert abs(max(y for _, y in corners(battle, mine)) - 20) < 1e-3 and battle.units.fights[foe] == 1


@pytest.mark.rule("wap.building.assault.one-unit")
@pytest.mark.parametrize("player", [0, 1])
def test_one_unit_assaults_a_building(player: int) -> None:
    scene = RegimentScene()
    house(scene)
    both = [scene.unit(player, None, (x, 12), facing=NORTH) for x in (19, 26)]
    scene.unit(1 - player, None, garrison=0)
    scene.unit(player, None, (44, 3), models=5, facing=NORTH)
    battle = scene.battle("movement", player=player, dice=[6, 6])
    assert slots(battle, "own") == [0, 1]
    choose(battle, "own", both[1].number)
    assert kind(battle) != "declare-charge"
    assert len(told(battle, "wap.charge.declare")) == 1 and battle.units.storms[both[0]] == -1


@pytest.mark.rule("wap.building.assault.forced")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("first", [0, 1])
def test_of_several_frenzied_units_the_player_names_the_one_that_completes_its_charge(player: int, first: int) -> None:
    scene = RegimentScene()
    house(scene)
    wild = square(rules=["Frenzy"])
    both = [scene.unit(player, wild, (x, 13), facing=NORTH, models=5) for x in (19.9, 25.1)]
    foe = scene.unit(1 - player, square(ld=10), garrison=0)
    scene.unit(player, None, (44, 3), models=5, facing=NORTH)
    # both fail the test not to charge; charge rolls 5 and 4
    battle = scene.battle("movement", player=player, dice=[6, 6, 6, 6, 5, 1, 4, 1], detail="full")
    choose(battle, "done")  # nobody declares a charge freely
    assert kind(battle) == "charge-order" and slots(battle, "own") == [0, 1]
    choose(battle, "own", 0)  # rolls for both
    assert [event["passed"] for event in told(battle, "wap.charge.success")] == [True, True]
    assert kind(battle) == "charge-order" and assailant_of(battle, foe.row) == -1
    choose(battle, "own", first)
    while kind(battle) in ("charge-place", "charge-order"):
        battle.apply(min(words(battle)))
    assert assailant_of(battle, foe.row) == both[first].row
    assert [event["unit"] for event in told(battle, "wap.charge.failed")] == [both[1 - first].row]


@pytest.mark.rule("wap.building.assault.exclusive")
def test_an_assault_touches_no_other_enemy() -> None:
    scene = RegimentScene()
    house(scene)
    mine = scene.unit(0, None, (22.5, 14), facing=NORTH, models=10, files=5)
    scene.unit(1, None, garrison=0)
    scene.unit(0, None, (44, 3), models=5, facing=NORTH)
    beside = scene.unit(1, None, (26.5, 18.6), facing=SOUTH, models=5, files=5)  # from 24 on, 0.4" before the wall
    battle = scene.battle("movement", dice=[6, 6])
    choose(battle, "own", mine.number)
    assert kind(battle) == "charge-target"
    choose(battle, "enemy", 0)
    u = battle.units
    assert u.storms[mine] == 0 and u.fights[beside] == 0 and u.fights[mine] == 1
    assert max(x for x, _ in corners(battle, mine)) < 24.0
    scene = RegimentScene()
    house(scene)
    mine = scene.unit(0, None, (22.5, 14), facing=NORTH, models=10, files=5)
    scene.unit(1, None, garrison=0)
    scene.unit(0, None, (44, 3), models=5, facing=NORTH)
    scene.unit(1, None, (22.5, 18.7), facing=SOUTH, models=7, files=7)  # in front of the whole wall
    battle = scene.battle("movement", dice=[6, 6])
    choose(battle, "own", mine.number)
    assert kind(battle) != "charge-target" and battle.units.storms[mine] == -1


@pytest.mark.rule("wap.building.assault.types")
@pytest.mark.parametrize(
    ("card", "may"),
    [
        (HORSE, True), ({"type": "monster", **BEAST}, True), ({"type": "chariot", **BEAST}, False),
        ({"type": "monstrous beast", **BEAST}, True),
    ],
)  # fmt: skip
def test_all_but_chariots_assault(card: Any, may: bool) -> None:
    models = 5 if card is HORSE else 1
    battle, _, _ = against(card, models=models, files=models)
    assert (kind(battle) == "declare-charge") is may


@pytest.mark.rule("wap.building.assault.types")
def test_cavalry_that_wins_does_not_enter() -> None:
    strong = {**HORSE, "profile": {**HORSE["profile"], "ws": 10, "s": 10, "a": 3}}
    battle, at = stormed(strong, square(ld=2, ws=1), models=5, inside=5)
    while kind(battle) in ("strike-target", "choose-combat", "choose-party"):
        battle.apply(min(words(battle)))
    assert garrison_in(battle, 0) == -1 and kind(battle) != "take-building"
    assert abs(max(y for _, y in corners(battle, at["own"])) - 19) < 1e-3


@pytest.mark.rule("wap.building.assault.reactions")
@pytest.mark.parametrize("player", [0, 1])
def test_a_garrison_holds_or_shoots(player: int) -> None:
    bows = square(equipment=["bow"])
    battle, _, foe = against(None, bows, gap=8.0, player=player, models=20)
    pick(battle, "charges")
    assert kind(battle) == "charge-reaction" and battle.clock.player[0] == 1 - player
    assert [w.split(",")[0] for w in words(battle).values()] == [
        "unit " + f"{1 - player}0 holds", "unit " + f"{1 - player}0 stands and shoots"
    ]  # fmt: skip
    pick(battle, "stands and shoots")
    shots = [event for event in battle.events if event.data.get("name") == "bow"]
    assert [(event.data["unit"], event.data["amount"]) for event in shots] == [(foe.row, 10)]
    battle, _, _ = against(None, bows, gap=3.0, player=player)  # too near
    pick(battle, "charges")
    assert kind(battle) != "charge-reaction"


@pytest.mark.rule("wap.building.assault.terror")
@pytest.mark.parametrize("player", [0, 1])
def test_a_garrison_that_fails_a_terror_test_holds(player: int) -> None:
    terrible = {"type": "monster", "rules": ["Terror"], **BEAST}
    bows = square(equipment=["bow"])
    battle, mine, foe = against(terrible, bows, models=1, files=1, player=player, dice=(5, 4, 6, 6))
    pick(battle, "charges")
    assert told(battle, "wap.special.terror.charged")[0]["passed"] is False
    assert told(battle, "wap.building.assault.terror")[0]["unit"] == foe.row
    assert not any(event.data.get("name") == "bow" for event in battle.events) and not battle.units.fleeing[foe]
    assert garrison_in(battle, 0) == foe.row and assailant_of(battle, foe.row) == mine.row


@pytest.mark.rule("wap.building.assault.no-charge-bonus")
@pytest.mark.parametrize("player", [0, 1])
def test_an_assault_has_no_bonus_of_a_charge(player: int) -> None:
    lancers = {**HORSE, "equipment": ["lance"], "rules": ["Impact Hits (1)"]}
    battle, mine, _ = against(lancers, square(i=1), models=5, files=5, player=player, dice=(6, 6))
    pick(battle, "charges")
    while kind(battle) and not told(battle, "wap.result.winner") and not told(battle, "wap.result.draw"):
        battle.apply(min(words(battle)))
    wounds = [event for event in told(battle, "wap.combat.wound.roll") if event["unit"] == mine.row]
    assert wounds[0]["needed"] == 4  # Strength 3 against Toughness 3
    assert not told(battle, "wap.special.impact-hits.number")
    assert told(battle, "wap.result.sum")[player]["charge"] == 0


@pytest.mark.parametrize("player", [0, 1])
def test_losses_at_the_wall_do_not_end_an_assault(player: int) -> None:
    """The attacker touches the wall by a corner, and its line becomes shorter."""
    scene = RegimentScene()
    house(scene)
    mine = scene.unit(player, None, (17.5, 20), facing=NORTH, models=5, files=5, storms=0)
    foe = scene.unit(1 - player, None, models=10, garrison=0)
    battle = scene.battle("combat", player=player, run=False)
    meet(battle)
    suffer(battle, mine.row, 2)
    assert max(x for x, _ in corners(battle, mine)) < 19.1
    assert battle.setup.ruleset.audit(battle).after() == []
    battle.run()
    run_to(battle, "wap.result.sum")
    assert attacks_of(battle, mine) == 3 and attacks_of(battle, foe) == 10


# ---------------------------------------------------------------- parties


@pytest.mark.rule("wap.building.assault.groups")
@pytest.mark.parametrize("player", [0, 1])
def test_parties_have_a_unit_strength_of_ten(player: int) -> None:
    battle, at = stormed(
        None, OGRES, inside=4, heroes=(hero(),), command=("champion",), player=player, models=20, dice=()
    )
    pick(battle, "unit", kind="choose-combat") if kind(battle) == "choose-combat" else None
    assert kind(battle) == "choose-party" and battle.clock.player[0] == player
    choose(battle, "option", 0)
    pick(battle, "takes part")
    assert len(told(battle, "wap.building.assault.groups")) == 2
    counts = {event["unit"]: event["amount"] for event in told(battle, "wap.building.assault.groups")}
    assert counts == {at["own"].row: 10, at["foe"].row: 3}
    rows = {event["unit"]: event["units"] for event in told(battle, "wap.building.assault.groups")}
    assert rows == {at["own"].row: (at["own"].row, at["own0"].row), at["foe"].row: (at["foe"].row,)}


@pytest.mark.rule("wap.building.assault.groups")
def test_a_small_unit_fights_as_a_whole() -> None:
    battle, at = stormed(None, None, models=20, inside=7, others=(hero(),), their_command=("champion",))
    counts = {event["unit"]: event["amount"] for event in told(battle, "wap.building.assault.groups")}
    assert counts[at["foe"].row] == 8 and not [w for w in words(battle).values() if "takes part" in w]


@pytest.mark.rule("wap.building.assault.groups")
@pytest.mark.parametrize(("models", "asked"), [(8, False), (9, True)])
def test_a_unit_of_ten_may_leave_its_hero_out(models: int, asked: bool) -> None:
    """With less than 10 there is no choice."""
    battle, at = stormed(models=20, inside=models, others=(hero(),))
    assert (kind(battle) == "choose-party") is asked
    if asked:
        assert battle.clock.player[0] == 1
        choose(battle, "done")
    counts = {event["unit"]: event["amount"] for event in told(battle, "wap.building.assault.groups")}
    assert counts == {at["own"].row: 10, at["foe"].row: 9}


@pytest.mark.rule("wap.building.assault.groups", "wap.machine.combat.assault-group")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("card", "party"), [(None, 6), (OGRES, 2)])
def test_parties_at_a_machine_in_a_building_have_a_unit_strength_of_six(player: int, card: Any, party: int) -> None:
    """The party is formed once, and all of it fights. The crew fight as a whole."""
    for heroes in ((), (hero(),)):
        battle, at = stormed(card, machine(i=1), models=12, inside=1, player=player, heroes=heroes, detail="full")
        if heroes:
            assert kind(battle) == "choose-party"
            choose(battle, "done")
        counts = {event["unit"]: event["amount"] for event in told(battle, "wap.building.assault.groups")}
        assert counts == {at["own"].row: party, at["foe"].row: 1}
        assert not told(battle, "wap.machine.combat.assault-group")
        run_to(battle, "wap.result.sum")
        assert attacks_of(battle, at["own"]) == party


def test_a_champion_who_was_not_named_fights_when_nobody_else_is_left() -> None:
    """Ten others fall before they strike."""
    battle, at = stormed(square(i=6), None, models=20, inside=11, their_command=("champion",), dice=(6,) * 20)
    assert kind(battle) == "choose-party"
    choose(battle, "done")
    assert battle.units.alive[at["foe"]] == 1
    assert attacks_of(battle, at["own"]) == 10 and attacks_of(battle, at["foe"]) >= 1


@pytest.mark.rule("wap.building.assault.groups-order")
@pytest.mark.parametrize("rolls", [(3, 5), (5, 3)])
def test_the_higher_roll_chooses_its_party_first(rolls: tuple[int, int]) -> None:
    battle, _ = stormed(heroes=(hero(),), others=(hero(),), dice=rolls)
    first = rolls.index(max(rolls)) if battle.clock.attacker[0] == 0 else 1 - rolls.index(max(rolls))
    assert kind(battle) == "choose-party" and battle.clock.player[0] == first
    assert told(battle, "wap.building.assault.groups-order")[0]["rolls"] == rolls
    choose(battle, "done")
    assert kind(battle) == "choose-party" and battle.clock.player[0] == 1 - first


@pytest.mark.rule("wap.building.assault.character-left-out")
@pytest.mark.rule("wap.building.assault.step-up")
@pytest.mark.parametrize(("models", "strike"), [(15, 10), (12, 8)])
def test_losses_are_replaced_by_ordinary_models(models: int, strike: int) -> None:
    quick = square(i=6, ws=10, s=10)
    battle, at = stormed(
        quick, None, models=20, inside=models, others=(hero(i=1, a=1),), dice=(6, 6, 6, 6, *[1] * 6, 6, 6, 6, 6)
    )
    assert kind(battle) == "choose-party"
    choose(battle, "done")  # the hero stays out
    assert battle.units.alive[at["foe"]] == models - 4
    assert attacks_of(battle, at["own"]) == 10 and attacks_of(battle, at["foe"]) == strike
    assert [event["amount"] for event in told(battle, "wap.combat.hit.roll")] == [10, strike]


@pytest.mark.rule("wap.building.assault.allocation")
@pytest.mark.parametrize(("models", "most"), [(10, 5), (9, 5)])
def test_half_of_a_party_may_strike_at_a_hero(models: int, most: int) -> None:
    battle, at = stormed(None, None, models=models, inside=20, others=(hero(),))
    assert kind(battle) == "choose-party"
    pick(battle, "takes part")
    while kind(battle) in ("challenge",):
        choose(battle, "done")
    assert kind(battle) == "strike-target"
    battle.units.fighting[at["own"]] = 1
    enemies = enemies_of(battle, at["own"].row)
    found = {}
    for _, _, targets, number in groups_of(battle, at["own"].row, 0, again=True):
        found[tuple(row for n, row in enumerate(enemies) if targets >> n & 1)] = number
    both = (at["foe"].row, at["foe0"].row)
    assert found == {both: most, both[:1]: models - most}
    choose(battle, "enemy", at["foe0"].number)
    run_to(battle, "wap.result.sum")
    aimed = [event for event in told(battle, "wap.combat.hit.roll") if event["unit"] == at["own"].row]
    assert {event["target"]: event["amount"] for event in aimed} == {both[1]: most, both[0]: models - most}


@pytest.mark.rule("wap.building.assault.allocation")
@pytest.mark.parametrize("player", [0, 1])
def test_fewer_than_half_may_strike_at_a_hero(player: int) -> None:
    battle, at = stormed(None, None, player=player, models=10, inside=20, others=(hero(),), detail="full")
    pick(battle, "takes part", kind="choose-party")
    choose(battle, "enemy", at["foe0"].number)
    assert kind(battle) == "strike-share" and slots(battle, "number") == [1, 2, 3, 4, 5]
    choose(battle, "number", 3)
    run_to(battle, "wap.result.sum")
    aimed = [event for event in told(battle, "wap.combat.hit.roll") if event["unit"] == at["own"].row]
    assert {event["target"]: event["amount"] for event in aimed} == {at["foe0"].row: 3, at["foe"].row: 7}


@pytest.mark.rule("wap.building.assault.riders-only")
def test_horses_do_not_fight() -> None:
    battle, at = stormed(HORSE, square(i=1), models=5, inside=5)
    run_to(battle, "wap.result.sum")
    assert attacks_of(battle, at["own"]) == 5
    kinds = {battle.lines.kind[group[0]] for group in groups_of(battle, at["own"].row, 0, again=True)}
    assert MOUNTS not in kinds


@pytest.mark.rule("wap.building.assault.riders-only")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("garrisoned", [False, True])
def test_mounts_do_not_stomp_in_an_assault(player: int, garrisoned: bool) -> None:
    """Beasts with riders that storm a building do not stomp; ogres on foot in one do."""
    mount = {**square()["profile"], "m": 7, "a": 3, "w": 3, "s": 5}
    beasts = {"type": "monstrous cavalry", "base_mm": (50, 75), "points": 50, "profile": square()["profile"]}
    card = OGRES | {"rules": ["Stomp"]} if garrisoned else beasts | {"mount": mount, "mount_rules": ["Stomp"]}
    own, foe = (None, card) if garrisoned else (card, square(t=8))
    battle, at = stormed(own, foe, player=player, models=20 if garrisoned else 4, inside=4 if garrisoned else 20)
    run_to(battle, "wap.result.sum")
    stomping = [event["unit"] for event in told(battle, "wap.special.stomp")]
    assert stomping == ([at["foe"].row] if garrisoned else [])


@pytest.mark.rule("wap.building.assault.challenge")
def test_only_members_of_the_parties_challenge_and_are_challenged() -> None:
    for joins in (False, True):
        battle, at = stormed(heroes=(hero(),), others=(hero(),), models=20, inside=20)
        while kind(battle) == "choose-party":
            mine = battle.clock.player[0] == 0
            pick(battle, "takes part") if mine or joins else choose(battle, "done")
        assert (kind(battle) == "challenge") is joins
        if joins:
            choose(battle, "own", at["own0"].number)
            assert kind(battle) == "accept-challenge" and slots(battle, "done") == [0]
            choose(battle, "done")
            assert battle.units.cowers[at["foe0"]] == 1 and battle.units.disgraced[at["foe0"]] == 1
            assert len(party_of(battle, at["foe"].row)) == 10 or battle.units.storms[at["own"]] < 0
        else:
            assert battle.units.disgraced[at["foe0"]] == 0


@pytest.mark.rule("wap.building.assault.special-attacks")
@pytest.mark.parametrize("named", ["foe", "foe0"])
def test_the_player_of_the_trodden_says_who_is_in_contact(named: str) -> None:
    giant = {"type": "monster", "rules": ["Stomp"], **BEAST}
    battle, at = stormed(giant, square(i=4), models=1, files=1, inside=20, others=(hero(i=9),))
    pick(battle, "takes part", kind="choose-party")
    assert kind(battle) == "name-exposed" and battle.clock.player[0] == 1
    assert slots(battle, "own") == [at["foe"].number, at["foe0"].number]
    choose(battle, "own", at[named].number)
    battle.units.fighting[at["own"]] = 1
    enemies = enemies_of(battle, at["own"].row)
    for line, _, targets, _ in groups_of(battle, at["own"].row, 0, again=True):
        if battle.lines.kind[line] == STOMPS:
            assert [row for n, row in enumerate(enemies) if targets >> n & 1] == [at[named].row]
            break
    else:
        raise AssertionError("no stomp")
    run_to(battle, "wap.special.stomp")
    stomp = told(battle, "wap.special.stomp")[0]
    assert stomp["target"] == at[named].row
    assert named == "foe0" or stomp["amount"] == sum(stomp["rolls"])


@pytest.mark.rule("wap.building.assault.special-attacks")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("named", ["own", "own0"])
def test_ice_freezes_only_those_who_are_named(player: int, named: str) -> None:
    icy = square(i=2, rules=["Ice Attacks"])
    battle, at = stormed(square(i=5), icy, player=player, heroes=(hero(i=5, a=2),), dice=(1,) * 60)
    pick(battle, "takes part", kind="choose-party")
    assert kind(battle) == "name-exposed" and battle.clock.player[0] == player
    assert slots(battle, "own") == [at["own"].number, at["own0"].number]
    choose(battle, "own", at[named].number)
    run_to(battle, "wap.result.sum")
    attacks = {"own": 9, "own0": 2}  # nine soldiers and the hero
    last = attacks.pop(named)
    assert [event["amount"] for event in told(battle, "wap.combat.hit.roll")] == [*attacks.values(), 10, last]
