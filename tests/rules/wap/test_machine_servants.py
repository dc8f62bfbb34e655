"""A character who serves a war machine: he joins it, and shots at it are shared among him and the crew."""

from __future__ import annotations

import numpy as np
import pytest
from heroes import hero, rider
from lore_hits import Field, wizard

from tests.machines import machine
from wh_env import Battle
from wh_env.agents.invariants import Invariants
from wh_env.core.tables import ATTACHED, DESTROYED, ON_TABLE
from wh_env.rulesets.wap.casualties.removing import suffer
from wh_env.rulesets.wap.codes import FRONT
from wh_env.rulesets.wap.magic.deeds_model import TOUGHNESS, value_of
from wh_env.rulesets.wap.morale.panic_causes import is_due
from wh_env.rulesets.wap.shooting.allotting import Struck, deal
from wh_env.rulesets.wap.shooting.hits import hit_of
from wh_env.rulesets.wap.shooting.shots import IN_PHASE, ways_of, weapon_in
from wh_env.rulesets.wap.shooting.volley import snipe
from wh_env.rulesets.wap.troops.war_machines import crew_left
from wh_env.rulesets.wap.weapons.arms import Weapon
from wh_env.testing import choose, dice_left, kind, slots, told
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, pose, square

SERVES = {"rules": ["Serves War Machines"]}
BOTH_PLAYERS = pytest.mark.parametrize("player", [0, 1])


def served(
    player: int, *, crew: int = 3, dice: tuple[int, ...] = (), detail: str = "full"
) -> tuple[Battle, UnitHandle, UnitHandle, UnitHandle]:
    """Archers of a player ahead of the other one's machine, which an engineer serves."""
    scene, owner = RegimentScene((48, 48)), 1 - player
    ahead, back = ((24, 12), (24, 22)) if player == 0 else ((24, 36), (24, 26))
    bows = scene.unit(player, square(equipment=["hand weapon", "bow"], s=6), ahead, models=10, files=5)
    engine = scene.unit(owner, machine(crew=crew), back, models=1)
    engineer = scene.unit(owner, hero(**SERVES), inside=engine, models=1, beside=1)
    battle = scene.battle("shooting", player=player, run=False, dice=dice, detail=detail)
    return battle, bows, engine, engineer


def hit(battle: Battle, bows: UnitHandle, target: UnitHandle, hits: int) -> None:
    """The target takes hits of the archers from its front."""
    battle.clock.depth[0] = battle.clock.over[0] = 0
    way, line = ways_of(battle, bows.row, target.row, IN_PHASE)[0], battle.units.first_line[bows]
    struck = [Struck(line, hits, hit_of(battle, line, weapon_in(battle, bows.row, way), target.row))]
    deal(battle, bows.row, target.row, way, struck, 0, -1)
    if battle.clock.depth[0]:
        battle.run()


def taken(battle: Battle, unit: UnitHandle) -> list[tuple[int, int, int]]:
    """Hits that a unit takes, the score that wounds it, and its wounds."""
    return [
        (event["amount"], event["needed"], event["result"])
        for event in told(battle, "wap.shoot.wound.roll")
        if event["target"] == unit.row
    ]


@pytest.mark.rule("wap.machine.shot-at.mixed-crew")
@BOTH_PLAYERS
@pytest.mark.parametrize("detail", ["full", "squad"])
def test_each_of_the_crew_and_the_engineer_takes_one(player: int, detail: str) -> None:
    """Bows of Strength 3 wound the machine, and who shelters behind it, on a 6."""
    battle, bows, engine, engineer = served(player, dice=(1, 1, 1, 6), detail=detail)
    hit(battle, bows, engine, 4)
    if detail == "full":
        assert kind(battle) == "take-hit" and battle.clock.player[0] == 1 - player
        assert slots(battle, "own") == [engine.number, engineer.number] and not battle.legal()[0]
        choose(battle, "own", engineer.number)  # the crew now take three
    assert taken(battle, engine) == [(3, 6, 0)] and taken(battle, engineer) == [(1, 6, 1)]
    assert (crew_left(battle, engine.row), battle.models.wounds[engineer.model()]) == (3, 1)


@pytest.mark.rule("wap.machine.shot-at.mixed-crew")
@BOTH_PLAYERS
@pytest.mark.parametrize("who", ["engineer", "crew"])
def test_of_five_hits_one_of_them_takes_a_second(player: int, who: str) -> None:
    battle, bows, engine, engineer = served(player, dice=(1,) * 5)
    hit(battle, bows, engine, 5)
    stored = battle.clone()
    assert Invariants(stored).after() == []  # also its bounds: it could be stored and loaded
    for game in (stored, battle):
        first = [engineer, engineer] if who == "engineer" else [engine] * 3
        for unit in first:
            assert kind(game) == "take-hit"
            choose(game, "own", unit.number)
        if who == "crew":  # the engineer has to take one before any takes a second
            assert slots(game, "own") == [engine.number, engineer.number]
            choose(game, "own", engine.number)
    ours = {"engineer": (3, 2), "crew": (4, 1)}[who]
    assert (taken(battle, engine)[0][0], taken(battle, engineer)[0][0]) == ours
    assert stored.state_bytes() == battle.state_bytes() and dice_left(battle) == 0


@pytest.mark.rule("wap.machine.shot-at.mixed-crew")
@BOTH_PLAYERS
def test_of_two_hits_the_engineer_may_take_one_or_none(player: int) -> None:
    battle, bows, engine, engineer = served(player, dice=(1, 1))
    hit(battle, bows, engine, 2)
    other = battle.clone()
    choose(battle, "own", engineer.number)
    assert kind(battle) != "take-hit"  # he has had his
    assert (taken(battle, engine)[0][0], taken(battle, engineer)[0][0]) == (1, 1)
    choose(other, "own", engine.number)
    choose(other, "own", engine.number)
    assert kind(other) != "take-hit" and other.models.wounds[engineer.model()] == 2


@pytest.mark.rule("wap.machine.shot-at.mixed-crew")
@BOTH_PLAYERS
@pytest.mark.parametrize(("crew", "shares"), [(5, [7]), (4, [6, 1])])
def test_five_of_the_crew_hide_him(player: int, crew: int, shares: list[int]) -> None:
    battle, bows, engine, _ = served(player, crew=crew, dice=(1,) * 7, detail="squad")
    hit(battle, bows, engine, 7)
    assert [event["amount"] for event in told(battle, "wap.shoot.wound.roll")] == shares
    assert crew_left(battle, engine.row) == crew


@pytest.mark.rule("wap.machine.shot-at.mixed-crew")
@BOTH_PLAYERS
def test_he_is_left_when_the_crew_have_fallen(player: int) -> None:
    battle, bows, engine, engineer = served(player, dice=(6, 6, 6, 6), detail="squad")
    hit(battle, bows, engine, 4)
    assert battle.units.place[engine] == DESTROYED and battle.units.place[engineer] == ON_TABLE
    assert battle.models.wounds[engineer.model()] == 1 and not list(battle.setup.ruleset.contradictions(battle))


@pytest.mark.rule("wap.machine.shot-at.mixed-crew")
@pytest.mark.rule("wap.machine.shot-at.toughness")
@BOTH_PLAYERS
def test_hits_of_a_spell_are_shared_alike(player: int) -> None:
    """A Fireball of 4 hits: Strength 4 wounds Toughness 7 on a 6."""
    field = Field(player, wizard("fire", 0))
    engine = field.enemy(machine(), (24, 24), models=1)
    engineer = field.scene.unit(1 - player, hero(**SERVES), inside=engine, models=1, beside=1)
    battle = field.battle()
    field.cast(battle, "Fireball", engine, then=(4, 6, 1, 1, 6))
    assert taken(battle, engineer)[0][:2] == (1, 6) and taken(battle, engine)[0][:2] == (3, 6)


@pytest.mark.rule("wap.machine.shot-at.mixed-crew")
@BOTH_PLAYERS
@pytest.mark.parametrize(("card", "joins"), [(hero(**SERVES), True), (hero(), False), (rider(**SERVES), False)])
def test_an_engineer_joins_a_machine_in_his_move(player: int, card: dict[str, object], joins: bool) -> None:
    scene = RegimentScene((48, 48))
    at, near, facing = (((24, 20), (24, 24.5), NORTH), ((24, 28), (24, 23.5), SOUTH))[player]
    engine = scene.unit(player, machine(), at, facing=facing, models=1)
    engineer = scene.unit(player, card, near, facing=facing, models=1)
    scene.unit(1 - player, None, (6, 46 if player == 0 else 2), models=10)
    battle = scene.battle(player=player, detail="full")
    choose(battle, "own", engineer.number)
    choose(battle, "option", 1)
    assert (engine.number in slots(battle, "own")) is joins
    if not joins:
        return
    choose(battle, "own", engine.number)
    if kind(battle) == "hero-place":
        choose(battle, "number", slots(battle, "number")[0])
    assert battle.units.place[engineer] == ATTACHED and battle.units.bodyguard[engineer] == engine.row
    assert not list(battle.setup.ruleset.contradictions(battle))


@pytest.mark.rule("wap.machine.combat.assault-group", "wap.challenge.accept")
@BOTH_PLAYERS
@pytest.mark.parametrize("chosen", [True, False])
def test_who_does_not_assault_a_machine_fights_no_duel_with_an_engineer(player: int, chosen: bool) -> None:
    """Six others assault the machine, or the hero does."""
    scene = RegimentScene((48, 48))
    engine = scene.unit(1 - player, machine(), ((24, 28), (24, 20))[player], models=1)
    engineer = scene.unit(1 - player, hero(**SERVES), inside=engine, models=1, beside=1)
    unit = scene.beside(engine, player, models=10, files=5)
    lord = scene.unit(player, hero(), inside=unit, models=1, post=2)
    for turn in (player, 1 - player):
        battle = scene.battle("combat", player=turn, detail="full")
        assert kind(battle) == "machine-assault" and battle.clock.player[0] == player
        choose(battle, "own", (lord if chosen else unit).number)
        if not chosen:
            choose(battle, "number", 6)
        if kind(battle) == "machine-assault":
            choose(battle, "done")
        assert (kind(battle) == "challenge") is chosen
        if chosen:
            assert slots(battle, "own") == [(lord if turn == player else engineer).number]


@pytest.mark.rule("wap.character.join.types")
@BOTH_PLAYERS
@pytest.mark.parametrize("at", [0, 3])
def test_battles_with_an_engineer_go_on(player: int, at: int) -> None:
    """He fights beside the crew and leaves them; nothing that must hold is broken."""
    scene = RegimentScene((48, 48))
    there = ((24, 20), (24, 28))[player]
    engine = scene.unit(player, machine(), there, models=1)
    scene.unit(player, hero(**SERVES), inside=engine, models=1, beside=1)
    if at:
        scene.beside(engine, 1 - player, models=6, files=3)
    else:
        scene.unit(1 - player, square(equipment=["hand weapon", "bow"]), (24, 36 if player == 0 else 12), models=10)
    for seed in range(3):
        battle = scene.battle("movement", player=player, seed=seed, detail="full")
        watch = Invariants(battle)
        rng = np.random.default_rng(seed)
        for _ in range(400):
            if battle.over:
                break
            watch.before()
            battle.apply(int(rng.choice(np.flatnonzero(battle.mask))))
            assert watch.after() == []


@BOTH_PLAYERS
@pytest.mark.parametrize("falls", ["engineer", "machine"])
@pytest.mark.rule("wap.panic.heavy-casualties", "wap.machine.crew.wounds", "wap.character.unit-destroyed.panic")
def test_neither_crew_nor_engineer_panic_when_the_other_falls(player: int, falls: str) -> None:
    """He is one of the crew, whose losses are no heavy casualties; the machine was of less than Unit Strength 10."""
    battle, bows, engine, engineer = served(player)
    suffer(battle, (engineer if falls == "engineer" else engine).row, 9, by=bows.row)
    left = engine if falls == "engineer" else engineer
    assert battle.units.place[left] == ON_TABLE and battle.units.alive[left] == 1
    assert not is_due(battle)


@pytest.mark.rule("wap.machine.shot-at.toughness", "wap.machine.shot-at.mixed-crew", "wap.special.sniper.target")
@BOTH_PLAYERS
def test_snipers_and_spells_at_an_engineer_meet_the_machine(player: int) -> None:
    """Strength 3 wounds Toughness 7 on a 6, and an engineer who has left the machine on a 4."""
    battle, bows, engine, engineer = served(player, dice=(6, 1))
    mark, hit_by_bow = engineer.model(), hit_of(battle, battle.units.first_line[bows], bow_of(battle, bows), engine.row)
    snipe(battle, mark, [(1, hit_by_bow)], FRONT, bows.row)
    assert told(battle, "wap.shoot.wound.roll")[-1]["needed"] == 6
    assert value_of(battle, mark, TOUGHNESS) == 7
    battle.units.bodyguard[engineer] = -1
    battle.units.place[engineer] = ON_TABLE
    assert value_of(battle, mark, TOUGHNESS) == 3


def bow_of(battle: Battle, bows: UnitHandle) -> Weapon:
    """The weapon with which the archers shoot."""
    return weapon_in(battle, bows.row, ways_of(battle, bows.row, bows.scene.sides[1 - bows.player][0].row, IN_PHASE)[0])


@pytest.mark.rule("wap.character.leave.charge", "wap.machine.no-charge-no-march")
@BOTH_PLAYERS
@pytest.mark.parametrize("detail", ["full", "squad"])
def test_an_engineer_charges_out_of_his_machine(player: int, detail: str) -> None:
    """The machine itself never charges, and stays where it is. In a building nobody leaves it."""
    for inside in (False, True):
        scene = RegimentScene((48, 48))
        if inside:
            scene.area("building", 20, 15, 25, 20, storeys=1)
        where = {"garrison": 0} if inside else {"at": (24, 20), "facing": NORTH}
        engine = scene.unit(player, machine(), models=1, **where)
        engineer = scene.unit(player, hero(**SERVES), inside=engine, models=1, beside=0 if inside else 1)
        scene.unit(1 - player, None, (24, 26), facing=SOUTH, models=5)
        scene.unit(player, None, (44, 3), facing=NORTH, models=5)
        battle = scene.battle("movement", player=player, detail=detail, dice=[4, 4])
        if inside:
            assert kind(battle) == "select-to-move"
            continue
        assert kind(battle) == "declare-charge" and slots(battle, "own") == [engineer.number]
        choose(battle, "own", engineer.number)
        while kind(battle) != "select-to-move":
            battle.apply(battle.first_legal())
        assert battle.units.fights[engineer] == 1 and battle.units.bodyguard[engineer] == -1
        assert pose(battle, engine) == (24.0, 20.0, NORTH) and not battle.units.fights[engine]
        assert engine.number in slots(battle, "own")
