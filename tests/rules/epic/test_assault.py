"""Assaults: who first, engaging, pairing off, 2D6 + Assault Factor."""

from __future__ import annotations

from math import hypot

import pytest

from wh_env import Battle, IllegalAction
from wh_env.rulesets.epic.assault.combat import assault_factor
from wh_env.rulesets.epic.assault.phase import engage
from wh_env.rulesets.epic.move.plans import group_count
from wh_env.testing import choose, dice_left, pick, play_until, slots, told, words
from wh_env.testing.epic import A, B, EpicScene, FormationHandle, may_move, move_by, place_of


def fighter(factor: int, **card: object) -> dict[str, object]:
    """A card of infantry that only fights."""
    return {"class": "infantry", "move_cm": 5, "save": 4, "assault_factor": factor, **card}


def assault(scene: EpicScene, dice: list[int] | None = None, detail: str = "squad", draw: int = A) -> Battle:
    """The assault moves of the player with the initiative."""
    battle = scene.battle("assault", dice=[draw, *(dice or [])], detail=detail)
    pick(battle, "own side first")
    return battle


def settled(scene: EpicScene, dice: list[int], detail: str = "squad", draw: int = A) -> Battle:
    """Units stand in contact: straight to the combats, with these dice."""
    scene.formation(0, "Boy", at=(5, 5), order="march")
    scene.formation(1, "Boy", at=(115, 115), order="march")
    battle = scene.battle("assault", dice=[draw, *dice], detail=detail)
    choose(battle, "option", 0)
    return battle


def combats(battle: Battle) -> list[tuple[int, int, int, int]]:
    """Unit, enemy and both results of every combat."""
    events = [e.data for e in battle.events if e.kind == "combat"]
    return [(e["model"], e["target_model"], e["result"], e["against"]) for e in events]


# ---------------------------------------------------------------- moves


@pytest.mark.parametrize(("draw", "option", "first"), [(A, 0, 0), (A, 1, 1), (B, 0, 1), (B, 1, 0)])
@pytest.mark.rule("epic.assault.who-first")
def test_one_player_makes_all_his_assault_moves_then_the_other_then_combats(draw: int, option: int, first: int) -> None:
    scene = EpicScene()
    scene.formation(0, "Boy", at=(30, 30), order="charge")
    scene.formation(1, "Boy", at=(30, 36), order="charge")
    battle = scene.battle("assault", dice=[draw])
    assert battle.decision is not None
    assert (battle.decision.kind, battle.decision.player) == ("who-assaults-first", 0 if draw == A else 1)
    choose(battle, "option", option)
    assert battle.decision is not None
    assert (battle.decision.kind, battle.decision.player) == ("select-to-assault", first)
    choose(battle, "own", 0)
    choose(battle, "enemy", 0)
    assert battle.models.contact[0] == battle.models.contact[1] == 1 or combats(battle)
    assert [event["player"] for event in told(battle, "epic.assault.who-first")] == [first]
    # the other charging unit is pinned now: nothing is left but to fight
    assert len(combats(battle)) == 1


@pytest.mark.rule("epic.assault.who-first")
def test_the_second_player_moves_after_all_of_the_first() -> None:
    scene = EpicScene()
    for n in range(2):
        scene.formation(0, "Boy", at=(30 + 20 * n, 30), order="charge")
        scene.formation(1, "Boy", at=(30 + 20 * n, 60), order="charge")
    battle = assault(scene)
    asked = []
    for _ in range(4):
        assert battle.decision is not None
        asked.append(battle.decision.player)
        choose(battle, "own", slots(battle, "own")[0])
        move_by(battle, 0, 0.625 if battle.decision.player == 0 else -0.625)
    assert asked == [0, 0, 1, 1]


@pytest.mark.parametrize(("gap", "engages"), [(12.0, True), (13.0, False), (12.05, False)])
@pytest.mark.rule("epic.assault.charge-move")
def test_a_light_vehicle_engages_within_its_movement(gap: float, engages: bool) -> None:
    """Movement 12 and a contact point 12 cm away: it may; 13 cm away it may not."""
    scene = EpicScene()
    rhino = scene.formation(0, "Rhino", at=(30, 30), order="charge")
    scene.formation(1, "Rhino", at=(30, 30 + 3 + gap), order="march")
    battle = assault(scene)
    choose(battle, "own", 0)
    assert slots(battle, "enemy") == [0] * engages
    if engages:
        choose(battle, "enemy", 0)
        assert place_of(battle, rhino.model()) == pytest.approx((30, 42))
    else:
        assert may_move(battle, rhino, 0, 12)
        with pytest.raises(IllegalAction):
            choose(battle, "enemy", 0)


@pytest.mark.parametrize("order", ["advance", "support-fire", "march"])
@pytest.mark.rule("epic.assault.charge-move")
def test_a_formation_without_charge_does_not_move_at_all(order: str) -> None:
    scene = EpicScene()
    scene.formation(0, "Boy", at=(30, 30), order=order)
    scene.formation(0, "Boy", at=(90, 30), order="charge")
    scene.formation(1, "Boy", at=(30, 33), order="march")
    battle = assault(scene)
    assert slots(battle, "own") == [1]


@pytest.mark.rule("epic.assault.charge-move")
def test_nobody_is_obliged_to_engage() -> None:
    scene = EpicScene()
    boy = scene.formation(0, "Boy", at=(30, 30), order="charge")
    scene.formation(1, "Boy", at=(30, 34), order="charge")
    battle = assault(scene)
    assert slots(battle, "done") == [0]
    choose(battle, "own", 0)
    assert slots(battle, "done") == [0]
    choose(battle, "done")
    assert place_of(battle, boy.model()) == (30, 30)


@pytest.mark.parametrize(("gap", "engages"), [(10.0, True), (10.5, False)])
@pytest.mark.rule("epic.assault.infantry-double")
def test_infantry_moves_double_only_to_engage(gap: float, engages: bool) -> None:
    """10 cm from contact a Boy engages; at 10.5 he may move only 5 cm, out of contact."""
    scene = EpicScene()
    boy = scene.formation(0, "Boy", at=(30, 30), order="charge")
    scene.formation(1, "Tactical Marine", at=(30, 31 + gap), order="march")
    battle = assault(scene)
    choose(battle, "own", 0)
    assert slots(battle, "enemy") == [0] * engages
    assert may_move(battle, boy, 0, 5)
    assert not may_move(battle, boy, 0, 5.1)
    if engages:
        choose(battle, "enemy", 0)
        assert place_of(battle, boy.model()) == pytest.approx((30, 40))
    else:
        near = scene.battle("assault", dice=[A])
        assert near.models.contact[boy.model()] == 0


@pytest.mark.rule("epic.assault.charge-move", "epic.move.no-contact")
def test_a_move_that_does_not_engage_ends_out_of_contact() -> None:
    scene = EpicScene()
    boy = scene.formation(0, "Boy", at=(30, 30), order="charge")
    scene.formation(1, "Tactical Marine", at=(30, 34), order="march")
    battle = assault(scene)
    assert not may_move(battle, boy, 0, 3)
    assert may_move(battle, boy, 0, 2.9)


@pytest.mark.rule("epic.assault.shortest-path")
def test_units_that_engage_take_the_shortest_way() -> None:
    """A clear line: the place of contact on it, no other is offered. A building in a vehicle's way: round it."""
    clear = EpicScene()
    rhino = clear.formation(0, "Rhino", at=(30, 30), order="charge")
    target = clear.formation(1, "Predator", at=(36, 38), order="march")
    battle = assault(clear, detail="full")
    choose(battle, "own", 0)
    if battle.decision is not None and battle.decision.kind == "select-unit":
        choose(battle, "model", 0)
    assert slots(battle, "enemy") == [0]
    choose(battle, "enemy", 0)
    x, y = place_of(battle, rhino.model())
    assert (x, y) == pytest.approx((36 - 3 * 0.6, 38 - 3 * 0.8), abs=1e-6)
    assert hypot(x - 36, y - 38) == pytest.approx(3)
    assert told(battle, "epic.assault.shortest-path")[0]["target_model"] == target.model()
    blocked = EpicScene()
    blocked.area("buildings", 28, 33, 32, 35)
    rhino = blocked.formation(0, "Rhino", at=(30, 30), order="charge")
    blocked.formation(1, "Predator", at=(30, 40), order="march")
    battle = assault(blocked)
    choose(battle, "own", 0)
    choose(battle, "enemy", 0)
    x, y = place_of(battle, rhino.model())
    assert hypot(x - 30, y - 40) == pytest.approx(3)
    assert 1.0 < abs(x - 30) < 2.9  # off the straight line, on the side that it came round


@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.rule("epic.assault.shortest-path", "epic.terrain.dangerous-test")
def test_who_engages_does_not_go_round_dangerous_terrain(detail: str) -> None:
    """Ruins on the straight line to the enemy: a vehicle enters them and tests, though it could go round; on a 1 it sticks."""
    for dice, y in (([2], 37.0), ([1, 6], 33.0)):
        scene = EpicScene()
        scene.area("ruins", 29, 33, 31, 35)
        rhino = scene.formation(0, "Rhino", at=(30, 30), order="charge")
        scene.formation(1, "Predator", at=(30, 40), order="march")
        battle = assault(scene, dice, detail=detail)
        choose(battle, "own", 0)
        if battle.decision is not None and battle.decision.kind == "select-unit":
            choose(battle, "model", 0)
        choose(battle, "enemy", 0)
        if battle.decision is not None and battle.decision.kind == "select-unit":
            choose(battle, "done")
        assert [event["roll"] for event in told(battle, "epic.terrain.dangerous-test")] == dice[:1]
        assert place_of(battle, rhino.model()) == pytest.approx((30, y))
        assert len(combats(battle)) == 0 or y > 33


@pytest.mark.rule("epic.assault.shortest-path")
def test_it_ends_at_the_nearest_free_place() -> None:
    """A friend stands where the straight line meets the enemy: the next free place beside him is taken."""
    scene = EpicScene()
    boy = scene.formation(0, "Boy", at=(30, 25), order="charge")
    scene.formation(0, "Boy", at=(30, 33), order="march")
    scene.formation(1, "Predator", at=(30, 35), order="march")
    battle = assault(scene)
    choose(battle, "own", 0)
    choose(battle, "enemy", 0)
    x, y = place_of(battle, boy.model())
    assert hypot(x - 30, y - 35) == pytest.approx(2)
    assert 1.0 - 2e-3 <= hypot(x - 30, y - 33) < 1.2


@pytest.mark.rule("epic.assault.coherency")
def test_two_engage_and_the_rest_stay_coherent_among_themselves() -> None:
    """Two Boyz engage enemies 8 cm ahead, the other three stay: legal."""
    scene = EpicScene()
    mob = scene.formation(0, "Boy", at=[(30 + 2 * n, 30) for n in range(5)], order="charge")
    scene.formation(1, "Predator", at=(30, 41.5), order="march")
    battle = assault(scene, detail="full")
    choose(battle, "own", 0)
    for unit in (0, 1):
        choose(battle, "model", unit)
        choose(battle, "enemy", 0)
    assert slots(battle, "done") == [0]
    choose(battle, "done")
    assert [battle.models.contact[mob.model(n)] for n in range(5)] == [1, 1, 0, 0, 0]


@pytest.mark.rule("epic.assault.coherency")
def test_an_engagement_that_splits_the_rest_is_rejected() -> None:
    """The middle one of three in a chain engages: the others are 5.6 cm apart. They may close up, or all is taken back."""
    scene = EpicScene()
    mob = scene.formation(0, "Boy", at=[(30, 30), (32.8, 30), (35.6, 30)], order="charge")
    scene.formation(1, "Predator", at=(32.8, 38), order="march")
    battle = assault(scene, detail="full")
    choose(battle, "own", 0)
    choose(battle, "model", 1)
    choose(battle, "enemy", 0)
    assert slots(battle, "done") == []
    assert "take everything back" in words(battle).values()
    choose(battle, "model", 2)
    move_by(battle, -3.125, 0, mob.model(2))
    choose(battle, "done")
    assert [unit for unit, *_ in combats(battle)] == [mob.model(1)]
    squad = assault(scene)
    choose(squad, "own", 0)
    assert engage(squad, squad.frame, 1) > 0
    assert group_count(squad, mob.row) <= 1


@pytest.mark.rule("epic.assault.coherency")
def test_squad_detail_units_that_closed_up_do_not_lose_the_rest_again() -> None:
    """The second of four in a chain is the only one in reach; the first closes up with the other two, which stay then."""
    scene = EpicScene()
    mob = scene.formation(0, "Boy", at=[(30 + 2.8 * n, 30) for n in range(4)], order="charge")
    scene.formation(0, "Boy", at=(90, 30), order="charge")
    scene.formation(1, "Boy", at=(32.8, 41), order="march")
    battle = assault(scene)
    choose(battle, "own", 0)
    choose(battle, "enemy", 0)
    assert battle.decision is not None
    assert battle.decision.kind != "assault-to"  # nothing is left but to be done
    assert [battle.models.contact[mob.model(n)] for n in range(4)] == [0, 1, 0, 0]
    assert place_of(battle, mob.model(0))[0] == pytest.approx(32.6, abs=0.01)
    assert [place_of(battle, mob.model(n)) for n in (2, 3)] == [pytest.approx((30 + 2.8 * n, 30)) for n in (2, 3)]


# ---------------------------------------------------------------- pairing off


def crowd(dice: list[int], detail: str, draw: int = A) -> tuple[Battle, FormationHandle, FormationHandle]:
    """Three Boyz in contact with two marines: 0 touches the first, 1 both, 2 the second."""
    scene = EpicScene()
    marines = scene.formation(0, fighter(2), at=[(30, 30), (31.2, 30)], order="march")
    boyz = scene.formation(1, fighter(1), at=[(29.2, 30.6), (30.6, 30.8), (32.0, 30.6)], order="march")
    return settled(scene, dice, detail, draw), marines, boyz


@pytest.mark.rule("epic.assault.pairing")
def test_three_against_two_are_two_combats() -> None:
    """One of 1 against 1 and one of 2 against 1; each unit takes part in one."""
    battle, marines, boyz = crowd([3, 3, 6, 6, 3, 3, 6, 6], "squad")
    fought = combats(battle)
    assert sorted({k for unit, enemy, *_ in fought for k in (unit, enemy)})[:2] == [marines.model(0), marines.model(1)]
    enemies = [enemy if unit in (0, 1) else unit for unit, enemy, *_ in fought]
    assert (
        len(enemies) == len(set(enemies)) == 2
    )  # both marines fell to their first opponents: the surplus did not roll
    assert battle.units.alive[boyz] == 3
    assert battle.units.alive[marines] == 0


@pytest.mark.rule("epic.assault.pairing")
def test_the_player_with_more_units_says_whom_the_surplus_fights() -> None:
    battle, _, boyz = crowd([], "full")
    assert battle.decision is not None
    assert (battle.decision.kind, battle.decision.player) == ("pair-off", 1)
    first = words(battle)
    assert any("left over" in text for text in first.values())
    assert len([text for text in first.values() if "against" in text]) == 1
    pick(battle, "against")
    assert battle.decision is not None
    assert battle.decision.player == 1
    pick(battle, "left over")  # then the third Boy must be paired with the second marine
    assert battle.models.paired[boyz.model(2)] == 1
    assert battle.decision is not None
    assert battle.decision.kind == "join-combat"
    assert len(words(battle)) == 2  # it touches both marines
    choose(battle, "number", 1)
    assert battle.models.joined[boyz.model(1)] == 1


@pytest.mark.parametrize("draw", [A, B])
@pytest.mark.rule("epic.assault.pairing")
def test_with_equal_numbers_the_player_with_the_initiative_pairs(draw: int) -> None:
    scene = EpicScene()
    scene.formation(0, fighter(2), at=[(30, 30), (31, 30)], order="march")
    scene.formation(1, fighter(1), at=[(30.5, 30.866), (30.5, 29.134)], order="march")
    battle = settled(scene, [], "full", draw)
    assert battle.decision is not None
    assert (battle.decision.kind, battle.decision.player) == ("pair-off", 0 if draw == A else 1)
    assert len(words(battle)) == 2


@pytest.mark.rule("epic.assault.pairing", "epic.assault.outnumbering")
def test_in_which_order_several_fight_one_is_their_players_choice() -> None:
    scene = EpicScene()
    scene.formation(0, fighter(6), at=(30, 30), order="march")
    boyz = scene.formation(1, fighter(1), at=[(29, 30), (31, 30), (30, 31)], order="march")
    battle = settled(scene, [6, 6, 1, 1], "full")
    choose(battle, "number", 0)  # the first Boy is paired off
    while battle.decision is not None and battle.decision.kind != "next-opponent":
        battle.apply(battle.first_legal())
    assert battle.decision is not None
    assert battle.decision.player == 1
    assert len(words(battle)) == 3
    choose(battle, "number", 2)
    assert combats(battle)[0][1] in [boyz.model(n) for n in range(3)]


@pytest.mark.rule("epic.assault.order-of-combats")
def test_the_player_with_the_initiative_chooses_the_order_of_combats() -> None:
    """Two combats and initiative A: A names the second first, it is rolled first."""
    scene = EpicScene()
    scene.formation(0, fighter(2), at=(30, 30), order="march")
    second = scene.formation(0, fighter(2), at=(60, 30), order="march")
    scene.formation(1, fighter(1), at=(30, 31), order="march")
    scene.formation(1, fighter(1), at=(60, 31), order="march")
    battle = settled(scene, [5, 5, 1, 1, 1, 1, 6, 6], "full")
    assert battle.decision is not None
    assert (battle.decision.kind, battle.decision.player) == ("next-combat", 0)
    assert len(words(battle)) == 2
    choose(battle, "number", 1)
    assert [unit for unit, *_ in combats(battle)] == [second.model(), 0]


# ---------------------------------------------------------------- fighting


@pytest.mark.parametrize(
    ("dice", "result", "against", "loser"), [([3, 4, 5, 2], 9, 8, "boy"), ([3, 4, 6, 5], 9, 12, "marine")]
)
@pytest.mark.rule("epic.assault.combat-roll", "epic.save.not-in-assault")
def test_2d6_plus_assault_factor(dice: list[int], result: int, against: int, loser: str) -> None:
    """A marine (+2) with 3 and 4 against a Boy (+1) with 5 and 2, or with 6 and 5. No save is rolled."""
    scene = EpicScene()
    marine = scene.formation(0, "Tactical Marine", at=(30, 30), order="march")
    boy = scene.formation(1, "Boy", at=(30, 31), order="march")
    battle = settled(scene, dice)
    assert combats(battle) == [(marine.model(), boy.model(), result, against)]
    assert battle.units.alive[marine] == int(loser == "boy")
    assert battle.units.alive[boy] == int(loser == "marine")
    assert told(battle, "epic.save.roll") == []


@pytest.mark.rule("epic.save.not-in-assault")
def test_a_terminator_who_loses_has_no_save() -> None:
    scene = EpicScene()
    terminator = scene.formation(0, "Terminator", at=(30, 30), order="march")
    scene.formation(1, "Nob", at=(30, 31), order="march")
    battle = settled(scene, [1, 1, 6, 6])
    assert battle.units.alive[terminator] == 0
    assert told(battle, "epic.save.roll") == []
    assert dice_left(battle) == 0 or battle.clock.phase[0] != 4


@pytest.mark.rule("epic.assault.tie")
def test_on_a_tie_both_stay_in_contact_and_neither_fires_next_turn() -> None:
    """Marine 3 and 4 (9), Boy 6 and 2 (9)."""
    scene = EpicScene()
    marine = scene.formation(0, "Tactical Marine", at=(30, 30), order="march")
    boy = scene.formation(1, "Boy", at=(30, 31), order="march")
    battle = settled(scene, [3, 4, 6, 2])
    assert combats(battle)[0][2:] == (9, 9)
    assert battle.units.alive[marine] == battle.units.alive[boy] == 1
    assert battle.models.contact[marine.model()] == battle.models.contact[boy.model()] == 1
    while battle.clock.round[0] == 1:
        battle.apply(battle.first_legal())
    while battle.decision is not None and battle.clock.phase[0] == 1:
        pick(battle, "advance")
    play_until(battle, "select-to-fire", limit=40)
    assert 0 not in slots(battle, "own")
    while battle.decision is not None and battle.clock.phase[0] == 3:
        choose(battle, "done")
    play_until(battle, "give-order")
    assert len(combats(battle)) >= 2  # they fight again in the next assault phase


@pytest.mark.rule("epic.assault.outnumbering")
def test_each_further_opponent_adds_a_die() -> None:
    """A Terminator (+6): 14 against 12, then 11 against 16 with three dice; the third Boy does not roll."""
    scene = EpicScene()
    terminator = scene.formation(0, "Terminator", at=(30, 30), order="march")
    boyz = scene.formation(1, fighter(1), at=[(29, 30), (31, 30), (30, 31)], order="march")
    battle = settled(scene, [5, 3, 6, 5, 2, 3, 6, 5, 4])
    events = [e.data for e in battle.events if e.kind == "combat"]
    assert [(e["result"], e["against"], e["dice_count"]) for e in events] == [(14, 12, 2), (11, 16, 3)]
    assert battle.units.alive[terminator] == 0
    assert battle.units.alive[boyz] == 2


@pytest.mark.rule("epic.assault.outnumbering")
def test_an_opponent_that_tied_has_fought() -> None:
    """A tie with the first: the second still has three dice, the third four."""
    scene = EpicScene()
    scene.formation(0, fighter(2), at=(30, 30), order="march")
    boyz = scene.formation(1, fighter(1), at=[(29, 30), (31, 30), (30, 31)], order="march")
    battle = settled(scene, [3, 3, 4, 3, 6, 6, 1, 1, 1, 6, 6, 1, 1, 1, 1])
    events = [e.data for e in battle.events if e.kind == "combat"]
    assert [(e["result"], e["against"], e["dice_count"]) for e in events] == [(8, 8, 2), (14, 4, 3), (14, 5, 4)]
    assert battle.units.alive[boyz] == 1


@pytest.mark.rule("epic.assault.outnumbering")
def test_several_of_the_first_player_against_one_of_the_second() -> None:
    scene = EpicScene()
    marines = scene.formation(0, fighter(2), at=[(29, 30), (31, 30)], order="march")
    nob = scene.formation(1, fighter(4), at=(30, 30), order="march")
    battle = settled(scene, [6, 6, 1, 1, 1, 1, 6, 6, 6])
    events = [e.data for e in battle.events if e.kind == "combat"]
    assert [(e["model"], e["dice_count"]) for e in events] == [(nob.model(), 2), (nob.model(), 3)]
    assert (battle.units.alive[marines], battle.units.alive[nob]) == (1, 0)


@pytest.mark.rule("epic.assault.retreating-factor", "epic.morale.retreat-effects")
def test_a_retreating_unit_has_2_less() -> None:
    """A retreating Boy (+1) rolling 4 and 4 has 7; a marine with 3 and 3 (8) wins."""
    scene = EpicScene()
    marine = scene.formation(0, "Tactical Marine", at=(30, 30), order="march")
    boy = scene.formation(1, "Boy", at=(30, 31), retreating=1)
    battle = settled(scene, [3, 3, 4, 4])
    assert combats(battle) == [(marine.model(), boy.model(), 8, 7)]
    assert battle.units.alive[boy] == 0
    assert assault_factor(battle, boy.model()) == -1


@pytest.mark.rule("epic.assault.no-follow-up")
def test_the_winner_stays_and_fights_nobody_else() -> None:
    """A Boy that eliminated a marine is not engaged by another marine 2 cm away."""
    scene = EpicScene()
    scene.formation(0, "Tactical Marine", at=(30, 30), order="charge")
    other = scene.formation(0, "Tactical Marine", at=(33, 31), order="charge")
    boy = scene.formation(1, "Boy", at=(30, 31), order="charge")
    battle = scene.battle("assault", dice=[A, 1, 1, 6, 6])
    choose(battle, "option", 0)
    while battle.decision is not None and battle.clock.phase[0] == 4:
        choose(battle, "done")
    assert len(combats(battle)) == 1
    assert place_of(battle, boy.model()) == (30, 31)
    assert battle.models.contact[boy.model()] == battle.models.contact[other.model()] == 0
    assert battle.units.alive[other] == 1


@pytest.mark.rule("epic.assault.pairing", "epic.assault.outnumbering")
@pytest.mark.parametrize("side", [0, 1])
def test_those_who_have_nobody_left_to_fight_are_done(side: int) -> None:
    """The first of three eliminates the one enemy: the other two fight nobody, and their combat is over."""
    scene = EpicScene()
    three = scene.formation(side, fighter(2), at=[(29, 30), (31, 30), (30, 31)], order="march")
    nob = scene.formation(1 - side, fighter(4), at=(30, 30), order="march")
    battle = settled(scene, [1, 1, 6, 6])
    assert len(combats(battle)) == 1
    assert (battle.units.alive[three], battle.units.alive[nob]) == (3, 0)
    assert not any(battle.models.fought) and set(battle.models.paired) == {-1}


# ---------------------------------------------------------------- whole formations, both players


@pytest.mark.rule("epic.assault.charge-move", "epic.assault.pairing")
def test_all_units_within_reach_engage_each_an_enemy_of_its_own() -> None:
    """Three against three; and where the nearest enemy is the same for both, the second goes to the one that nobody has engaged."""
    scene = EpicScene()
    scene.formation(0, fighter(2), at=[(30, 30), (32, 30), (34, 30)], order="charge")
    scene.formation(1, "Boy", at=[(30, 33), (32, 33), (34, 33)], order="march")
    battle = assault(scene)
    choose(battle, "own", 0)
    choose(battle, "enemy", 0)
    assert told(battle, "epic.assault.charge-move")[0]["units"] == 3
    scene = EpicScene()
    scene.formation(0, fighter(2), at=[(30, 30), (32, 30)], order="charge")
    mob = scene.formation(1, "Boy", at=[(31, 33), (34, 33)], order="march")
    battle = assault(scene)
    choose(battle, "own", 0)
    choose(battle, "enemy", 0)
    assert [battle.models.contact[mob.model(n)] for n in (0, 1)] == [1, 1] or len(combats(battle)) == 2


@pytest.mark.rule("epic.assault.charge-move", "epic.assault.shortest-path")
def test_where_the_nearest_has_no_way_another_engages() -> None:
    """The first of two is walled in: the second engages alone."""
    scene = EpicScene()
    for area in ((29, 29, 29.4, 31), (30.6, 29, 31, 31), (29.4, 30.6, 30.6, 31), (29.4, 29, 30.6, 29.4)):
        scene.area("cliff", *area)
    squad = scene.formation(0, fighter(2), at=[(30, 30), (32.5, 30)], order="charge")
    scene.formation(1, "Boy", at=(30.5, 33), order="march")
    battle = assault(scene, [6, 6, 1, 1])
    choose(battle, "own", 0)
    choose(battle, "enemy", 0)
    assert told(battle, "epic.assault.charge-move")[0]["units"] == 1
    while battle.decision is not None and battle.clock.phase[0] == 4:
        choose(battle, "done")
    assert [fight[0] for fight in combats(battle)] == [squad.model(1)]


@pytest.mark.rule("epic.assault.charge-move", "epic.assault.shortest-path")
@pytest.mark.parametrize("player", [0, 1])
def test_full_detail_names_a_unit_of_the_second_formation(player: int) -> None:
    scene = EpicScene()
    scene.formation(0, "Boy", at=(100, 10), order="march")
    scene.formation(1, "Boy", at=(100, 110), order="march")
    pair = scene.formation(1 - player, "Boy", at=[(30, 30), (32, 30)], order="march")
    charger = scene.formation(player, fighter(2), at=(31, 36), order="charge")
    battle = assault(scene, [6, 6, 1, 1], detail="full", draw=(A, B)[player])
    choose(battle, "own", charger.number)
    if battle.decision is not None and battle.decision.kind == "select-unit":
        choose(battle, "model", 0)
    assert slots(battle, "enemy") == [pair.number]
    choose(battle, "enemy", pair.number)
    assert battle.decision is not None
    assert (battle.decision.kind, battle.decision.player) == ("engage-unit", player)
    assert slots(battle, "model") == [0, 1]
    choose(battle, "model", 1)
    (engages,) = told(battle, "epic.assault.shortest-path")
    assert (engages["target"], engages["target_model"]) == (pair.row, pair.model(1))
    while battle.decision is not None and battle.clock.phase[0] == 4:
        choose(battle, "done")
    assert {combats(battle)[0][0], combats(battle)[0][1]} == {charger.model(), pair.model(1)}


@pytest.mark.rule("epic.assault.charge-move", "epic.assault.shortest-path")
@pytest.mark.parametrize("free", [-1, 1])
def test_a_free_place_of_contact_is_found_on_either_side(free: int) -> None:
    """A friend stands in the straight way and a cliff on one side of the enemy: who engages ends on the other."""
    scene = EpicScene()
    scene.area("cliff", 26, 31.5, 29.9, 37) if free > 0 else scene.area("cliff", 30.1, 31.5, 34, 37)
    scene.formation(0, "Boy", at=(30, 33), order="march")
    charger = scene.formation(0, fighter(2), at=(30, 30), order="charge")
    scene.formation(1, "Boy", at=(30, 34), order="march")
    battle = assault(scene, [6, 6, 1, 1, 1, 1])
    choose(battle, "own", charger.number)
    assert slots(battle, "enemy") == [0]
    choose(battle, "enemy", 0)
    assert (place_of(battle, charger.model())[0] - 30) * free > 0.5
