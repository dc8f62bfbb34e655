"""Characters in units where a rule speaks of the unit: who may be struck by who touches a character alone, on whom
stomps fall, who is left of fleers, how far a rider is and what hides him, who serves a war machine.
"""

from __future__ import annotations

from typing import Any

import pytest
from charging import charge, over
from heroes import HORSE, hero, rider

from tests.machines import machine
from wh_env import Battle
from wh_env.core.tables import DESTROYED, ON_TABLE
from wh_env.rulesets.wap.basics.stomps import halves_stomps
from wh_env.rulesets.wap.challenges.duels import can_hide
from wh_env.rulesets.wap.characters.joining import free_files_for, may_join, stand_in
from wh_env.rulesets.wap.shooting.aims import shooters_at
from wh_env.rulesets.wap.shooting.allotting import Struck, deal
from wh_env.rulesets.wap.shooting.hits import hit_of
from wh_env.rulesets.wap.shooting.shots import IN_PHASE, firings, ways_of, weapon_in
from wh_env.rulesets.wap.weapons.blows import POISON
from wh_env.testing import choose, dice_left, kind, script, slots, told
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, fight, fought, square

MISSES = [1] * 40
BOWS = {"equipment": ["hand weapon", "bow"]}
BEAST: dict[str, Any] = {"type": "monster", "base_mm": [50.8, 50.8], "a": 0, "w": 5, "t": 10, "s": 5}
BOTH_PLAYERS = pytest.mark.parametrize("player", [0, 1])
BOTH_DETAILS = pytest.mark.parametrize("detail", ["squad", "full"])


def attacks(battle: Battle, unit: UnitHandle) -> list[tuple[tuple[int, ...], int]]:
    """The enemies that models of a unit may strike, and their attacks, group by group."""
    return [
        (event["targets"], event["amount"])
        for event in told(battle, "wap.combat.attacks.number")
        if event["unit"] == unit.row
    ]


# ---------------------------------------------------------------- who touches a character alone


@BOTH_PLAYERS
@BOTH_DETAILS
@pytest.mark.rule("wap.combat.who.rank-and-file", "wap.character.combat.allocation")
def test_who_touches_a_character_alone_may_strike_his_unit(player: int, detail: str) -> None:
    """One model before the hero in the middle of the rank: both are offered, and soldiers are met at their T of 3."""
    scene = RegimentScene()
    host = scene.unit(player, square(a=0), (24, 24), models=10, files=5)
    lord = scene.unit(player, hero(a=0, t=6), inside=host, models=1, post=2)
    foe = scene.beside(host, 1 - player, square(base_mm=[20, 20], a=2, i=9), models=1)
    battle = fight(scene.battle("combat", player=player, run=False, detail=detail), foe)
    assert kind(battle) == "strike-target" and slots(battle, "enemy") == [host.number, lord.number]
    script(battle, [4, 4, 4, 4])
    choose(battle, "enemy", host.number)
    if kind(battle) == "strike-share":
        assert slots(battle, "number") == [1, 2]
        choose(battle, "number", 2)
    assert [(e["target"], e["needed"]) for e in told(battle, "wap.combat.wound.roll")] == [(host.row, 4)]
    assert battle.units.alive[host] == 8 and battle.models.wounds[lord.model()] == 2


@BOTH_PLAYERS
@pytest.mark.rule("wap.combat.attacks.support.target", "wap.combat.who.rank-and-file")
def test_who_supports_such_a_model_has_the_same_choice(player: int) -> None:
    scene = RegimentScene()
    host = scene.unit(player, square(a=0), (24, 24), models=10, files=5)
    lord = scene.unit(player, hero(a=0), inside=host, models=1, post=2)
    foe = scene.beside(host, 1 - player, square(base_mm=[20, 20], i=9), models=2, files=1)
    battle = fight(scene.battle("combat", player=player, run=False, dice=MISSES), foe)
    while kind(battle) is not None:
        assert slots(battle, "enemy") == [host.number, lord.number]
        choose(battle, "enemy", host.number)
    supports = [e["targets"] for e in told(battle, "wap.combat.attacks.support.who") if e["unit"] == foe.row]
    assert attacks(battle, foe) == [((host.row, lord.row), 1)] and supports == [(host.row, lord.row)]


@BOTH_PLAYERS
@pytest.mark.parametrize("chills", ["soldiers", "hero"])
@pytest.mark.rule("wap.special.ice-attacks.contact")
def test_ice_of_soldiers_does_not_slow_who_touches_their_hero_alone(player: int, chills: str) -> None:
    """He strikes at his Initiative of 9 unless it is the hero whose blows are cold."""
    ice = {"rules": ["Ice Attacks"]}
    scene = RegimentScene()
    host = scene.unit(player, square(a=0, **(ice if chills == "soldiers" else {})), (24, 24), models=10, files=5)
    scene.unit(player, hero(a=0, **(ice if chills == "hero" else {})), inside=host, models=1, post=2)
    foe = scene.beside(host, 1 - player, square(base_mm=[20, 20], i=9), models=1)
    battle = fight(scene.battle("combat", player=player, run=False, dice=MISSES), foe)
    choose(battle, "enemy", host.number)
    steps = [event["step"] for event in told(battle, "wap.combat.order.initiative")]
    assert steps == (["in order"] if chills == "soldiers" else ["last"])


# ---------------------------------------------------------------- stomps


@BOTH_PLAYERS
@BOTH_DETAILS
@pytest.mark.parametrize("small", [False, True])
@pytest.mark.rule("wap.special.stomp")
def test_a_stomp_falls_on_the_unit_with_all_its_dice(player: int, detail: str, small: bool) -> None:
    """The monster touches the hero, alone or beside soldiers: nobody is singled out, and a 5 makes five hits."""
    scene = RegimentScene((60, 48))
    host = scene.unit(player, square(a=0), (24, 24), models=10, files=5)
    lord = scene.unit(player, hero(a=0), inside=host, models=1, post=2)
    base = [20.0, 20.0] if small else BEAST["base_mm"]
    foe = scene.beside(host, 1 - player, square(**{**BEAST, "type": "monstrous beast", "base_mm": base}, rules=["Stomp"],
                                                size=[1, 1]), models=1)  # fmt: skip
    battle = fight(scene.battle("combat", player=player, run=False, dice=[5, *MISSES], detail=detail), foe)
    if kind(battle) is not None:  # at full detail it may be left
        assert slots(battle, "enemy") == [host.number] and detail == "full"
        choose(battle, "enemy", host.number)
    assert [(e["target"], e["amount"]) for e in told(battle, "wap.special.stomp")] == [(host.row, 5)]
    assert battle.models.wounds[lord.model()] == 2


@pytest.mark.parametrize(
    ("card", "few"),
    [
        (square(), True),
        (square(type="war beast"), False),
        (square(type="swarm", base_mm=[40, 40]), True),
        (square(type="war beast", rules=["Skirmishers"]), True),
    ],
)
@pytest.mark.rule("wap.special.stomp")
def test_only_lone_infantry_and_skirmishers_are_hard_to_stomp_on(card: dict[str, Any], few: bool) -> None:
    scene = RegimentScene((60, 48))
    foe = scene.unit(1, card, (24, 24), models=1)
    assert halves_stomps(scene.battle(run=False), foe.row) is few


@BOTH_PLAYERS
@pytest.mark.rule("wap.special.stomp", "wap.character.combined.one-unit")
def test_the_last_soldier_with_his_hero_is_no_lone_model(player: int) -> None:
    scene = RegimentScene((60, 48))
    host = scene.unit(player, square(a=0), (24, 24), models=1, files=2)
    lord = scene.unit(player, hero(a=0), inside=host, models=1, post=0)
    battle = scene.battle(run=False)
    assert [halves_stomps(battle, row) for row in (host.row, lord.row)] == [False, False]


# ---------------------------------------------------------------- fleers whose hero is left


@BOTH_PLAYERS
@BOTH_DETAILS
@pytest.mark.parametrize("led", [True, False])
@pytest.mark.rule("wap.charge.fleeing.reform")
def test_a_charger_that_leaves_a_hero_alive_does_not_reform(player: int, detail: str, led: bool) -> None:
    """Eight wounds slay three soldiers; the hero with them flees on, and the enemy is not destroyed."""
    scene = RegimentScene()
    (at, there), facing = (((24, 12), (24, 18)), NORTH) if player == 0 else (((24, 36), (24, 30)), SOUTH)
    unit = scene.unit(player, None, at, models=4, files=4)
    fleers = scene.unit(1 - player, None, there, models=3, files=4, facing=facing, fleeing=1)
    lord = scene.unit(1 - player, hero(w=3), inside=fleers, models=1, post=0) if led else None
    battle = scene.battle("movement", player=player, dice=[1, 1, 6, 6, 1, 1], detail=detail)
    charge(battle, unit, fleers)
    over(battle)
    while kind(battle) in ("charge-order", "redirect", "charge-place"):
        battle.apply(battle.first_legal())
    assert battle.units.place[fleers] == DESTROYED
    assert lord is None or battle.units.place[lord] == ON_TABLE
    asked = bool(told(battle, "wap.charge.fleeing.reform")) or kind(battle) == "test-to-reform"
    assert asked is not led


@BOTH_PLAYERS
@pytest.mark.parametrize("led", [True, False])
@pytest.mark.rule("wap.pursuit.new-enemy.fleeing")
def test_a_pursuer_that_leaves_a_hero_alive_does_not_reform(player: int, led: bool) -> None:
    """It catches the enemy that it beat and runs into others who flee."""
    scene = RegimentScene()
    (at, there), facing = (((24, 20), (24, 32)), NORTH) if player == 0 else (((24, 28), (24, 16)), SOUTH)
    unit = scene.unit(player, None, at, models=4, files=4)
    foe = scene.beside(unit, 1 - player, None, models=3, files=3)
    fleers = scene.unit(1 - player, None, there, models=3, files=4, facing=facing, fleeing=1)
    if led:
        scene.unit(1 - player, hero(w=3), inside=fleers, models=1, post=0)
    state = fought(won=[unit], broken=[foe])
    battle = scene.battle("combat", player=player, dice=[1, 1, 6, 6, *MISSES], detail="full", set_state=state)
    choose(battle, "enemy", foe.number)
    assert told(battle, "wap.pursuit.new-enemy.fleeing") and battle.units.place[fleers] == DESTROYED
    assert (kind(battle) == "after-victory") is not led


# ---------------------------------------------------------------- riders who are shot at


@BOTH_PLAYERS
@pytest.mark.parametrize(("post", "shooters"), [(0, 3), (14, 1)])
@pytest.mark.rule("wap.character.shooting.different-type", "wap.shoot.some-cannot")
def test_a_rider_is_as_far_as_his_own_base(player: int, post: int, shooters: int) -> None:
    """Bows reach his unit at 20 inches; at its far end he is 24 inches away from one of them and farther from two."""
    scene = RegimentScene((60, 60))
    bows = scene.unit(player, square(**BOWS), (16.5, 10), models=3, files=3, facing=NORTH)
    host = scene.unit(1 - player, None, (24, 30), models=30, files=15, facing=SOUTH)
    lord = scene.unit(1 - player, rider(), inside=host, models=1, post=post)
    battle = scene.battle("shooting", player=player, run=False)
    bow = weapon_in(battle, bows.row, 0)
    reach = [len(shooters_at(battle, bows.row, who.row, bow.range, bow)) for who in (host, lord)]
    assert reach == [3, shooters]


@BOTH_PLAYERS
@pytest.mark.parametrize(("screen", "needed"), [("men", (4, 6)), ("nobody", (4, 4)), ("ahead of the others", (4, 4))])
@pytest.mark.rule("wap.character.shooting.different-type", "wap.shoot.cover.when")
def test_a_rider_has_the_cover_of_what_hides_himself(player: int, screen: str, needed: tuple[int, int]) -> None:
    """Two men before him hide him and few of his unit; men before the others are no cover for him."""
    scene = RegimentScene((60, 60))
    bows = scene.unit(player, square(**BOWS), (24, 10), models=1, files=1, facing=NORTH)
    if screen != "nobody":
        scene.unit(player, None, (24 if screen == "men" else 28, 23), models=2, files=2, facing=NORTH)
    host = scene.unit(1 - player, None, (24, 26), models=20, files=9, facing=SOUTH)
    lord = scene.unit(1 - player, rider(), inside=host, models=1, post=4)
    battle = scene.battle("shooting", player=player, run=False)
    found = [firings(battle, bows.row, who.row, 0, IN_PHASE)[0].needed for who in (host, lord)]
    assert tuple(found) == needed


@BOTH_PLAYERS
@pytest.mark.parametrize("immune", ["rider", "soldiers"])
@pytest.mark.rule("wap.special.immunity", "wap.character.shooting.different-type")
def test_poison_acts_on_whom_the_hit_falls(player: int, immune: str) -> None:
    """Of two hits on the rider one is his, of two dice; who is immune needs 4+ against T 3, the other 3+."""
    ward = {"rules": ["Immunity (Poisoned Attacks)"]}
    scene = RegimentScene()
    bows = scene.unit(player, square(**BOWS, rules=["Poisoned Attacks"]), (24, 10), models=5, files=5, facing=NORTH)
    host = scene.unit(1 - player, square(**(ward if immune == "soldiers" else {})), (24, 22), models=15, files=5,
                      facing=SOUTH)  # fmt: skip
    card = rider(w=3, **(ward if immune == "rider" else {}))
    lord = scene.unit(1 - player, card, inside=host, models=1, post=2)
    battle = scene.battle("shooting", player=player, run=False, dice=[3, 4, 1, 1])
    battle.clock.depth[0] = battle.clock.over[0] = 0
    way, line = ways_of(battle, bows.row, lord.row, IN_PHASE)[0], battle.units.first_line[bows]
    hit = hit_of(battle, line, weapon_in(battle, bows.row, way), host.row)
    assert hit.wounding == (0 if immune == "soldiers" else POISON)
    deal(battle, bows.row, host.row, way, [Struck(line, 2, hit)], 0, lord.row)
    needs = {event["target"]: event["needed"] for event in told(battle, "wap.shoot.wound.roll")}
    assert needs == {lord.row: 4 if immune == "rider" else 3, host.row: 4 if immune == "soldiers" else 3}


# ---------------------------------------------------------------- war machines, shrines


@BOTH_PLAYERS
@BOTH_DETAILS
@pytest.mark.rule("wap.machine.combat.contact", "wap.machine.combat.assault-group", "wap.character.combined.one-unit")
def test_who_touches_an_engineer_assaults_his_machine(player: int, detail: str) -> None:
    """He is one of its crew, and no other enemy: a monster that touches both may strike either; both strike it."""
    scene = RegimentScene()
    gun = scene.unit(player, machine(), (24, 20), facing=NORTH, models=1)
    servant = scene.unit(player, hero(rules=["Serves War Machines"]), inside=gun, models=1, beside=1)
    giant = square(**{**BEAST, "base_mm": [101.6, 101.6], "a": 4, "i": 9})
    foe = scene.beside(gun, 1 - player, giant, models=1, along=-0.5)
    battle = scene.battle("combat", player=1 - player, dice=MISSES, detail=detail)
    assert [event["unit"] for event in told(battle, "wap.machine.combat.assault-group")] == [foe.row]
    assert kind(battle) == "strike-target" and slots(battle, "enemy") == [gun.number, servant.number]
    choose(battle, "enemy", gun.number)
    if kind(battle) == "strike-share":
        choose(battle, "number", 4)
    assert attacks(battle, foe) == [((gun.row, servant.row), 4)]
    assert sorted(attacks(battle, gun)) == [((foe.row,), 3), ((foe.row,), 3)]  # three crewmen, the hero's three


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.combat.assault-group")
def test_who_is_not_chosen_does_not_strike_an_engineer_either(player: int) -> None:
    """Twelve ahead of machine and engineer: six strike, at whom they like; the others take no part."""
    scene = RegimentScene()
    gun = scene.unit(player, machine(), (24, 20), facing=NORTH, models=1)
    servant = scene.unit(player, hero(rules=["Serves War Machines"]), inside=gun, models=1, beside=1)
    foe = scene.beside(gun, 1 - player, square(i=9), models=12, files=6)
    battle = scene.battle("combat", player=1 - player, dice=MISSES)
    while kind(battle) in ("machine-assault", "machine-assault-number"):
        battle.apply(battle.first_legal() if kind(battle) == "machine-assault" else battle.decision.options[-1])
    assert attacks(battle, foe) == [((gun.row, servant.row), 6)]


@BOTH_PLAYERS
@pytest.mark.parametrize("shrine", [True, False])
@pytest.mark.rule("wap.challenge.refuse.nowhere-to-hide")
def test_who_fights_from_a_shrine_does_not_hide(player: int, shrine: bool) -> None:
    scene = RegimentScene()
    own = scene.unit(player, square(), (24, 24), models=25, files=5)
    card = hero(type="shrine", base_mm=[50.8, 50.8], w=5) if shrine else hero()
    lord = scene.unit(player, card, inside=own, models=1, post=1)
    scene.beside(own, 1 - player, square(), models=10, files=5)
    battle = scene.battle("combat", player=player, run=False)
    assert can_hide(battle, lord.row) is not shrine


@BOTH_PLAYERS
@pytest.mark.parametrize(("rules", "offered"), [([], [0, 1, 2, 3]), (["Animated Construct"], [0, 1, 3]),
                                               (["Unbreakable"], [0, 1])])  # fmt: skip
@pytest.mark.rule("wap.special.animated-construct", "wap.special.unbreakable", "wap.special.fast-cavalry.fire-and-flee")
def test_constructs_may_fire_and_flee_though_they_do_not_flee(
    player: int, rules: list[str], offered: list[int]
) -> None:
    scene = RegimentScene()
    horsemen: dict[str, Any] = {"type": "cavalry", "base_mm": [25.4, 50.8], "mount": HORSE}
    (at, there) = ((24, 10), (24, 22)) if player == 0 else ((24, 38), (24, 26))
    unit = scene.unit(player, square(m=8, **horsemen), at, models=5, files=5)
    card = square(equipment=["hand weapon", "short bow"], rules=["Fast Cavalry", *rules], **horsemen)
    foe = scene.unit(1 - player, card, there, models=5, files=5)
    battle = scene.battle("movement", player=player)
    charge(battle, unit, foe)
    assert kind(battle) == "charge-reaction" and slots(battle, "option") == offered
    assert dice_left(battle) == 0


# ---------------------------------------------------------------- places in the front rank


@BOTH_PLAYERS
@pytest.mark.parametrize(("files", "models", "free", "behind"), [(3, 8, [0, 1, 2], 1), (4, 9, [3], 0)])
@pytest.mark.rule("wap.character.position.front-rank", "wap.command.position.front-rank")
def test_a_command_model_makes_way_where_there_is_no_other_room(
    player: int, files: int, models: int, free: list[int], behind: int
) -> None:
    """Three command models fill three files: one of them drops to the second rank. Of four files one is left."""
    scene = RegimentScene()
    facing = NORTH if player == 0 else SOUTH
    command = ["champion", "standard", "musician"]
    host = scene.unit(player, None, (24, 24), models=models, files=files, facing=facing, command=command)
    lord = scene.unit(player, hero(), (32, 24), models=1, facing=facing)
    battle = scene.battle("movement", player=player, run=False)
    assert may_join(battle, lord.row, host.row)
    assert free_files_for(battle, lord.row, host.row) == free
    stand_in(battle, lord.row, host.row, free[0], "wap.character.join.procedure")
    m = battle.models
    assert (m.rank[lord.model()], m.file[lord.model()]) == (0, free[0])
    assert sum(m.rank[host.model(n)] for n in range(3)) == behind
