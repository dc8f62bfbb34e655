"""The result of an assault, what becomes of both sides, and panic in and about buildings."""

from __future__ import annotations

from math import pi

import pytest
from houses import house

from wh_env import Battle
from wh_env.core.procedures import STEP
from wh_env.core.tables import DESTROYED
from wh_env.rulesets.wap.basics.contacts import meet, tally
from wh_env.rulesets.wap.basics.garrisons import assailant_of, garrison_in, occupy
from wh_env.rulesets.wap.battle.timing import start_phase
from wh_env.rulesets.wap.casualties.removing import remove_unit, suffer
from wh_env.rulesets.wap.codes import DREW, HELD, WON, Phase
from wh_env.rulesets.wap.combat.assault import FightAssault, begin_assault
from wh_env.rulesets.wap.combat.close_combat import CloseCombat
from wh_env.testing import choose, kind, pick, slots, told, words
from wh_env.testing.play import script
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, corners, pose, square


def scored(
    mine: int, theirs: int, *, player: int = 0, dice: tuple[int, ...] = (), overkill: int = 0, at_wall: bool = True,
    models: int = 20, inside: int = 20, ld: int = 7, own: dict | None = None, friends: float = 0.0, **fields,
) -> tuple[Battle, UnitHandle, UnitHandle]:  # fmt: skip
    """An assault after the last blow: the attacker has caused ``mine`` wounds, the garrison ``theirs``. ``friends``:
    inches from the eastern wall to a unit on its side; 0: there is none.
    """
    scene = RegimentScene()
    house(scene)
    a = scene.unit(player, square(**(own or {})), (22.5, 20), facing=NORTH, models=models, files=5, storms=0, **fields)
    b = scene.unit(1 - player, square(ld=ld), models=inside, garrison=0)
    scene.unit(player, None, (44, 3), models=5, facing=NORTH)
    if friends:
        scene.unit(1 - player, None, (25 + friends, 22.5), models=10, facing=pi)

    def after(battle: Battle) -> None:
        meet(battle)
        start_phase(battle, Phase.COMBAT)
        battle.stack[battle.frame + STEP] += 1
        battle.push(CloseCombat, battle.clock.turn[0])
        battle.stack[battle.frame + STEP] = CloseCombat.Step.PICK
        begin_assault(battle, 0)
        for unit, foe, wounds in ((a, b, mine), (b, a, theirs)):
            tally(battle, unit.row, foe.row, wounds)
        for foe, wounds in ((b, mine), (a, theirs)):
            suffer(battle, foe.row, wounds)
        battle.units.overkill[a] = overkill
        battle.push(FightAssault, 0)
        battle.stack[battle.frame + STEP] = FightAssault.Step.SCORE
        script(battle, dice)

    return scene.battle("combat", player=player, set_state=after), a, b


@pytest.mark.rule("wap.building.assault.result")
@pytest.mark.parametrize("player", [0, 1])
def test_only_wounds_and_overkill_count_and_a_musician_wins_a_draw(player: int) -> None:
    for mine, theirs, command, overkill, amount in (
        (3, 4, ("standard",), 0, -1), (3, 3, ("musician",), 0, 1), (3, 3, (), 0, 0), (3, 4, (), 3, 2),
    ):  # fmt: skip
        battle, _, _ = scored(mine, theirs, player=player, command=command, overkill=overkill, models=25, dice=(1, 1))
        result = told(battle, "wap.result.sum")
        lead = result[player]["totals"] - result[1 - player]["totals"]
        assert lead == amount, (mine, theirs, command)
        for name in ("charge", "ranks", "outnumber", "standards", "arcs", "fear"):
            assert [side[name] for side in result] == [0, 0]


@pytest.mark.rule("wap.building.assault.defender-loses")
@pytest.mark.parametrize("player", [0, 1])
def test_a_garrison_is_steadfast(player: int) -> None:
    battle, _, b = scored(8, 2, player=player, dice=(3, 4), inside=12)
    test = told(battle, "wap.break.steadfast.effect")[0]
    assert (test["unit"], test["roll"], test["leadership"], test["passed"]) == (b.row, 7, 7, True)
    assert garrison_in(battle, 0) == b.row and not battle.units.fleeing[b]


@pytest.mark.rule("wap.building.assault.attacker-no-break")
@pytest.mark.parametrize("player", [0, 1])
def test_an_attacker_takes_no_break_test(player: int) -> None:
    battle, a, b = scored(0, 8, player=player, own={"ld": 5}, dice=(6, 6))
    assert battle.units.outcome[a] == HELD and battle.units.penalty[a] == 8 and battle.units.outcome[b] == WON
    assert not told(battle, "wap.break.test") and not told(battle, "wap.break.automatic")
    assert not battle.units.fleeing[a] and abs(max(y for _, y in corners(battle, a)) - 19) < 1e-3


@pytest.mark.rule("wap.building.assault.defender-flees")
@pytest.mark.parametrize("player", [0, 1])
def test_a_broken_garrison_is_put_outside_opposite_and_flees(player: int) -> None:
    battle, _, b = scored(5, 0, player=player, dice=(6, 6, 3, 4))
    out = told(battle, "wap.building.assault.defender-flees")
    assert out[0]["building"] == 0 and out[0]["place"] == (22.5, 28.0)  # 15 in ranks of 5, before the northern wall
    x, y, facing = pose(battle, b)
    assert (round(x, 2), round(y, 2), round(facing - 0.5 * pi, 5)) == (22.5, 35.0, 0.0)
    assert battle.units.fleeing[b] == 1 and battle.units.base_a[b] == 0.5 and garrison_in(battle, 0) == -1


@pytest.mark.rule("wap.building.assault.defender-flees")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("walls", [1, 2, 3])
def test_a_garrison_without_room_opposite_is_put_outside_beside_it(player: int, walls: int) -> None:
    """Rock lies along the northern wall, the eastern one too, or all three that the attacker leaves; the garrison flees
    to the north.
    """
    rocks = ((20.0, 26.0, 25.0, 28.0), (26.0, 20.0, 28.0, 28.0), (17.0, 20.0, 19.0, 28.0))
    scene = RegimentScene()
    house(scene)
    for rock in rocks[:walls]:
        scene.area("impassable", *rock)
    own = scene.unit(player, square(s=6, ws=8, i=8), (22.5, 20), facing=NORTH, models=20, files=5, storms=0)
    foe = scene.unit(1 - player, square(ld=2, s=1, ws=1, t=2), models=20, garrison=0)
    battle = scene.battle("combat", player=player, dice=[4] * 200)
    out = told(battle, "wap.building.assault.defender-flees")
    x, y = out[0]["place"]
    # two ranks of five: beside the western wall, an inch from the rock, or in the middle of the northern one
    assert (x, y) == ((17.5, 25.0) if walls < 3 else (22.5, 27.0))
    assert out[1]["facing"] == 90 and battle.units.fleeing[foe] == 1 and battle.units.fleeing[own] == 0


@pytest.mark.rule("wap.building.assault.attacker-takes")
@pytest.mark.parametrize("player", [0, 1])
def test_the_winner_enters_or_falls_back(player: int) -> None:
    for enters in (True, False):
        battle, a, _ = scored(5, 0, player=player, dice=(6, 6, 3, 4))
        assert kind(battle) == "take-building" and battle.clock.player[0] == player
        choose(battle, "option", 0) if enters else choose(battle, "done")
        assert garrison_in(battle, 0) == (a.row if enters else -1)
        assert not told(battle, "wap.pursuit.pursuit-roll") and battle.units.fights[a] == 0
        if enters:
            assert told(battle, "wap.building.assault.attacker-takes")[0]["unit"] == a.row
        else:
            assert abs(max(y for _, y in corners(battle, a)) - 19) < 1e-3


@pytest.mark.rule("wap.building.assault.attacker-takes")
def test_a_garrison_that_is_wiped_out_leaves_the_building_to_the_attacker() -> None:
    battle, a, b = scored(5, 0, inside=5)
    assert battle.units.place[b] == DESTROYED and kind(battle) == "take-building"
    pick(battle, "enters the building")
    assert garrison_in(battle, 0) == a.row


@pytest.mark.rule("wap.building.assault.attacker-repulsed")
@pytest.mark.parametrize("player", [0, 1])
def test_a_repulsed_attacker_may_try_again_in_the_next_turn_of_either_player(player: int) -> None:
    battle, a, _ = scored(2, 2, player=player)
    assert battle.units.outcome[a] == DREW and battle.units.fights[a] == 0 and battle.units.storms[a] == -1
    assert abs(max(y for _, y in corners(battle, a)) - 19) < 1e-3
    assert kind(battle) == "assault-again" and battle.clock.player[0] == player
    assert battle.clock.turn[0] == 1 - player and slots(battle, "own") == [a.number]
    off = battle.clone()
    choose(battle, "own", a.number)
    assert told(battle, "wap.building.assault.distance")[0]["far"] == 1.0
    assert not told(battle, "wap.charge.distance") and len(told(battle, "wap.building.assault.groups")) == 2
    choose(off, "done")
    for _ in range(200):
        if off.clock.turn[0] == player and kind(off) == "declare-charge":
            break
        assert kind(off) != "assault-again"
        choose(off, "done") if 0 in words(off) else off.apply(min(words(off)))
    assert a.number in slots(off, "own")


@pytest.mark.parametrize("player", [0, 1])
def test_an_assault_is_over_if_the_garrison_is_gone_before_it_is_fought(player: int) -> None:
    """Others may then hold the building, and nobody assaults it."""
    scene = RegimentScene()
    house(scene)
    a = scene.unit(player, None, (22.5, 20), facing=NORTH, models=10, files=5, storms=0)
    b = scene.unit(1 - player, None, models=5, garrison=0)
    other = scene.unit(player, None, (22.5, 30), facing=SOUTH, models=10)
    battle = scene.battle("shooting", player=player, run=False)
    meet(battle)
    assert assailant_of(battle, b.row) == a.row and battle.units.fights[a] == 1
    remove_unit(battle, b.row)
    assert battle.units.storms[a] == -1 and battle.units.fights[a] == 0
    occupy(battle, other.row, 0, "wap.building.enter")
    assert assailant_of(battle, other.row) == -1


@pytest.mark.rule("wap.building.assault.not-first-round")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("before", "first"), [(2, False), (1, False), (4, True), (None, True)])
def test_consecutive_assaults_are_one_combat(player: int, before: int | None, first: bool) -> None:
    hateful = square(rules=["Hatred"], i=6)
    columns = {} if before is None else {"stormed": 0, "stormed_in": 2 * 5 - before}
    scene = RegimentScene()
    house(scene)
    own = scene.unit(player, hateful, (22.5, 20), facing=NORTH, models=10, files=5, storms=0, **columns)
    scene.unit(1 - player, None, models=20, garrison=0)
    scene.unit(player, None, (44, 3), models=5, facing=NORTH)
    battle = scene.battle("combat", player=player, turn=5, dice=[1] * 10 + [6] * 10)
    rolls = next(event for event in told(battle, "wap.combat.hit.roll") if event["unit"] == own.row)
    assert rolls["result"] == (10 if first else 0)


@pytest.mark.rule("wap.building.assault.not-first-round")
def asked_to_assault_again(scene: RegimentScene, player: int) -> Battle:
    """The battle in the enemy's Movement phase of turn 5, waiting for ``player`` to assault the building again."""
    battle = scene.battle("movement", player=1 - player, turn=5, run=False)
    battle.clock.first_player[0] = player
    battle.run()
    while kind(battle) != "assault-again":
        choose(battle, "done")
    return battle


@pytest.mark.parametrize("player", [0, 1])
def test_an_assault_that_is_not_dared_does_not_count(player: int) -> None:
    """The attacker dares not try again in the enemy's turn; in its own turn its last assault is not forgotten."""
    scene = RegimentScene()
    house(scene)
    hateful = square(rules=["Hatred"], i=6)
    now = 2 * 5 + 1  # the turn of the second player
    own = scene.unit(player, hateful, (22.5, 19), facing=NORTH, models=10, files=5, stormed=0, stormed_in=now - 1)
    scene.unit(1 - player, square(rules=["Terror"]), models=20, garrison=0)
    scene.unit(1 - player, None, (44, 46), models=5, facing=SOUTH)
    battle = asked_to_assault_again(scene, player)
    script(battle, [6, 6])
    choose(battle, "own", own.number)
    assert told(battle, "wap.special.terror.charging")[0]["passed"] is False
    while not (battle.clock.turn[0] == player and kind(battle) == "declare-charge"):
        assert kind(battle) != "assault-again"  # it tries once
        choose(battle, "done") if 0 in words(battle) else battle.apply(min(words(battle)))
    script(battle, [1, 1, 6, 6, *[1] * 10])
    choose(battle, "own", own.number)
    for _ in range(40):
        if told(battle, "wap.combat.hit.roll"):
            break
        battle.apply(min(words(battle)))
    rolls = next(event for event in told(battle, "wap.combat.hit.roll") if event["unit"] == own.row)
    assert (rolls["amount"], rolls["result"]) == (10, 0)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("roll", "goes_on"), [((3, 4), True), ((4, 4), False)])
def test_a_unit_that_is_shot_at_as_it_assaults_again_goes_on_if_it_does_not_panic(
    player: int, roll: tuple[int, int], goes_on: bool
) -> None:
    scene = RegimentScene()
    house(scene)
    columns = {"stormed": 0, "stormed_in": 2 * 5}
    own = scene.unit(player, square(ld=7), (22.5, 19), facing=NORTH, models=5, files=5, **columns)
    foe = scene.unit(1 - player, square(equipment=["javelin"]), models=10, garrison=0)
    scene.unit(1 - player, None, (44, 46), models=5, facing=SOUTH)
    battle = asked_to_assault_again(scene, player)
    choose(battle, "own", own.number)
    script(battle, [6, 6, *[1] * 8, 6, 6, *roll, 6, 6, 6])
    pick(battle, "stands and shoots")
    assert battle.units.alive[own] == 3
    assert [event["passed"] for event in told(battle, "wap.panic.heavy-casualties")] == [goes_on]
    assert (assailant_of(battle, foe.row) == own.row) is goes_on and bool(battle.units.fleeing[own]) is not goes_on


# ---------------------------------------------------------------- panic


@pytest.mark.rule("wap.building.panic.measure")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("gap", "tests"), [(6.0, True), (6.1, False)])
def test_panic_is_measured_to_the_wall(player: int, gap: float, tests: bool) -> None:
    scene = RegimentScene()
    house(scene)
    b = scene.unit(player, None, models=10, garrison=0)
    friend = scene.unit(player, None, (25 + gap + 2.5, 24), facing=NORTH, models=10, files=5)
    scene.unit(1 - player, None, (4, 46), models=5, facing=SOUTH)
    battle = scene.battle("movement", player=player, run=False)
    remove_unit(battle, friend.row)
    battle.run()
    assert [event["unit"] for event in told(battle, "wap.panic.friend-destroyed")] == ([b.row] if tests else [])


@pytest.mark.rule("wap.building.panic.fails")
@pytest.mark.parametrize("player", [0, 1])
def test_a_garrison_that_panics_flees_as_if_broken(player: int) -> None:
    scene = RegimentScene()
    house(scene)
    b = scene.unit(1 - player, None, models=12, garrison=0)
    bows = square(equipment=["bow"], bs=10, s=10)
    a = scene.unit(player, {**bows, "profile": {**bows["profile"], "s": 10}}, (10, 22.5), facing=0.0, models=10)
    scene.unit(player, None, (44, 3), models=5, facing=NORTH)
    battle = scene.battle("shooting", player=player, run=False)
    suffer(battle, b.row, 4, by=a.row)
    script(battle, [6, 6, 2, 4])
    battle.run()
    # 8 men in two ranks before the eastern wall, then 6 inches to the east
    assert told(battle, "wap.building.assault.defender-flees")[0]["place"] == (27.0, 22.5)
    assert told(battle, "wap.compulsory.flee.distance")[0] == {
        "unit": b.row,
        "roll": 6,
        "far": 6.0,
        "place": (33.0, 22.5),
    }


@pytest.mark.rule("wap.building.panic.causes")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("gap", "tests"), [(6.0, True), (6.1, False)])
def test_a_broken_garrison_alarms_its_friends(player: int, gap: float, tests: bool) -> None:
    battle, _, b = scored(3, 0, player=player, inside=15, dice=(6, 6, 3, 4), friends=gap)
    tested = [event["unit"] for event in told(battle, "wap.panic.friend-broken")]
    assert tested == ([b.row + 1] if tests else []) and battle.units.fleeing[b]
    battle, _, b = scored(12, 0, player=player, inside=12, friends=gap)
    tested = [event["unit"] for event in told(battle, "wap.panic.friend-destroyed")]
    assert tested == ([b.row + 1] if tests else []) and battle.units.place[b] == DESTROYED
