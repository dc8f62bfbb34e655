"""How the battle ends and who has won (w10.mission.ending, .victor, w10.mission.only-war.end, .victor.*)."""

import pytest

from wh_env.content.battle import Battle
from wh_env.core.tables import DESTROYED
from wh_env.rulesets.w40k.sequence.sequencing import TimedRule
from wh_env.testing import Scene, UnitHandle, dice_left, play_until, sheet, told


def duel(reserves: bool = False, kill: int = 0, **battle: object) -> tuple[Battle, UnitHandle]:
    """One model of A (row 0) far from one of B; ``kill``: so many mortal wounds on A's model in B's Command phase."""
    scene = Scene()
    last = scene.unit(0, sheet("Last", W=1), at=(20, 10), models=1)
    if reserves:
        scene.unit(0, sheet("Reserve"), models=3, reserves="strategic")
    scene.unit(1, sheet("Theirs"), at=(40, 40), models=1)
    if kill:
        scene.rule(TimedRule("Lightning", "command", 1, "mortal", last.row, kill))
    return scene.battle(**{"phase": "command", **battle}), last  # type: ignore[arg-type]


@pytest.mark.rule("w10.mission.only-war.end", "w10.mission.ending")
def test_the_battle_ends_at_once_when_an_army_is_destroyed():
    """A's last model dies in round 3 and A has no Reserves: over in round 3, B has won."""
    battle, last = duel(kill=1, active=1, round=3)
    assert battle.over
    assert battle.units.place[last] == DESTROYED
    assert [e["round"] for e in told(battle, "w10.mission.only-war.end")] == [3]
    assert battle.result is not None
    assert (battle.result.rounds, battle.result.winner) == (3, 1)


@pytest.mark.rule("w10.mission.only-war.end")
def test_reserves_keep_an_army_in_the_battle():
    """The same with a unit of A still in Reserves: it goes on to the end of round 5."""
    battle, last = duel(reserves=True, kill=1, active=1, round=3)
    assert not battle.over
    assert battle.units.place[last] == DESTROYED
    while battle.decision is not None:
        assert battle.decision.kind != "arrive-at"
        battle.apply(battle.first_legal())  # done: it never arrives
    assert battle.result is not None
    assert battle.result.rounds == 5
    assert told(battle, "w10.mission.only-war.end") == []


@pytest.mark.rule("w10.mission.only-war.end", "w10.mission.ending")
@pytest.mark.parametrize("first", [0, 1])
def test_otherwise_it_ends_after_the_second_players_turn_of_round_five(first: int):
    """Ten turns are played; the last is the second player's of round 5."""
    battle, _ = duel(active=first, first_player=first)
    play_until(battle)
    turns = [(e["round"], e["player"]) for e in told(battle, "w10.round.structure")]
    assert len(turns) == 10
    assert turns[-1] == (5, 1 - first)
    assert [e["round"] for e in told(battle, "w10.mission.ending")] == [5]
    assert battle.result is not None
    assert battle.result.rounds == 5


@pytest.mark.rule("w10.mission.only-war.victor")
def test_destroying_the_enemy_army_wins_whatever_the_vp():
    """A is destroyed with 6 VP to 2: B wins."""
    battle, _ = duel(kill=1, active=1, vp=(6, 2))
    assert battle.result is not None
    assert battle.result.victory_points == (6, 2)
    assert battle.result.winner == 1


@pytest.mark.rule("w10.mission.only-war.victor", "w10.mission.victor")
@pytest.mark.parametrize(("vp", "winner"), [((7, 6), 0), ((6, 7), 1), ((6, 6), None), ((5, 5), None), ((0, 0), None)])
def test_otherwise_the_vp_decide(vp: tuple[int, int], winner: int | None):
    """7 to 6 wins, 6 to 6 is a draw; both armies have models left."""
    battle, _ = duel(phase="end", round=5, active=1, vp=vp)
    assert battle.over
    assert battle.result is not None
    assert battle.result.winner == winner
    assert battle.result.victory_points == vp
    assert told(battle, "w10.mission.only-war.victor")[0]["destroyed"] == (False, False)


@pytest.mark.rule("w10.mission.only-war.victor.reserves", "w10.reserves.never-arrived")
def test_reserves_that_never_arrived_count_as_destroyed():
    """A has only a unit in Strategic Reserves when round 5 ends: destroyed, B wins with 3 VP to 9."""
    scene = Scene()
    unit = scene.unit(0, sheet("Reserve"), models=3, reserves="strategic")
    scene.unit(1, sheet("Theirs"), at=(40, 40), models=1)
    battle = scene.battle(phase="end", round=5, active=1, vp=(9, 3))
    assert battle.over
    assert battle.units.place[unit] == DESTROYED
    assert [e["unit"] for e in told(battle, "w10.move.reinforcements.never-arrived")] == [unit.row]
    assert battle.result is not None
    assert (battle.result.winner, battle.result.victory_points) == (1, (9, 3))


@pytest.mark.rule("w10.mission.only-war.victor.reserves", "w10.reserves.never-arrived")
def test_an_army_with_something_left_is_not_destroyed_by_lost_reserves():
    """The unit in Reserves counts as destroyed, the army does not: 9 VP to 3 win."""
    battle, _ = duel(reserves=True, phase="end", round=5, active=1, vp=(9, 3))
    assert battle.over
    assert battle.units.place[1] == DESTROYED
    assert battle.result is not None
    assert battle.result.winner == 0


@pytest.mark.rule("w10.mission.only-war.victor.both-destroyed")
@pytest.mark.parametrize(("vp", "winner"), [((4, 3), 0), ((3, 4), 1), ((4, 4), None)])
def test_if_both_armies_are_destroyed_the_vp_decide(vp: tuple[int, int], winner: int | None):
    """B's last model dies; its Deadly Demise (a roll of 6) takes A's last model with it."""
    scene = Scene()
    scene.unit(0, sheet("Last", W=1), at=(20, 10), models=1)
    bomb = scene.unit(1, sheet("Bomb", W=1, abilities={"deadly_demise": 3}), at=(20, 14), models=1)
    scene.rule(TimedRule("Lightning", "command", 0, "mortal", bomb.row, 1))
    battle = scene.battle(phase="command", dice=[6], vp=vp)
    assert battle.over
    assert dice_left(battle) == 0
    assert list(battle.units.place) == [DESTROYED, DESTROYED]
    assert battle.result is not None
    assert battle.result.winner == winner
    assert told(battle, "w10.mission.only-war.victor")[0]["destroyed"] == (True, True)
