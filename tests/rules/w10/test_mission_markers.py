"""Only War: objective markers that the players place, and scoring them (w10.mission.only-war.markers, .score.*)."""

import random

import pytest

from wh_env.content.battle import Battle
from wh_env.testing import Scene, dice_left, play_until, sheet, slots, told

RADIUS = 40 / 25.4 / 2
GRID = 17


def table(length: float, width: float, dice: tuple[int, ...] = (5, 2), detail: str = "squad") -> Battle:
    """A table on which four markers are to be placed; A wins the roll-off unless told."""
    scene = Scene(size=(length, width))
    scene.unit(0, sheet("Mine"), models=1)
    scene.unit(1, sheet("Theirs"), models=1)
    return scene.battle(phase="mission", dice=dice, rules={"players_place_markers": 4}, detail=detail)


def cell(column: int, row: int) -> int:
    """A cell of the grid over the table."""
    return row * GRID + column


@pytest.mark.rule("w10.mission.only-war.markers")
@pytest.mark.parametrize(
    ("dice", "order"), [((5, 2), [0, 1, 0, 1]), ((1, 6), [1, 0, 1, 0]), ((4, 4, 2, 3), [1, 0, 1, 0])]
)
def test_the_players_place_four_markers_alternately(dice: tuple[int, ...], order: list[int]):
    """The winner of the roll-off first."""
    battle = table(60, 44, dice)
    assert dice_left(battle) == 0
    players = []
    while battle.decision is not None and battle.decision.kind == "place-marker":
        players.append(battle.decision.player)
        battle.apply(battle.first_legal())
    assert players == order
    assert list(battle.objectives.placed) == [1, 1, 1, 1]
    assert [e["player"] for e in told(battle, "w10.mission.only-war.markers") if "marker" in e] == order


@pytest.mark.rule("w10.mission.only-war.markers")
@pytest.mark.parametrize(("gap", "legal"), [(6.0, False), (6.1, True)])
def test_more_than_six_inches_from_every_edge(gap: float, legal: bool):
    """The table is made so that a cell of its grid lies exactly so far from the edge, on each side."""
    along = (gap + RADIUS) * GRID / 1.5  # the second column stands at 1.5 cells
    for length, width, near, far in (
        (along, 60, cell(1, 8), cell(15, 8)),
        (60, along, cell(8, 1), cell(8, 15)),
    ):
        battle = table(length, width)
        found = slots(battle, "cell")
        assert (near in found, far in found) == (legal, legal)
        assert cell(8, 8) in found


@pytest.mark.rule("w10.mission.only-war.markers")
@pytest.mark.parametrize(("gap", "legal"), [(9.0, False), (9.1, True)])
def test_more_than_nine_inches_from_every_other_marker(gap: float, legal: bool):
    """Two cells of the grid are exactly so far apart, between the rims of the markers."""
    battle = table((gap + 2 * RADIUS) * GRID / 2, 60)
    battle.apply(battle.setup.space.cell + cell(8, 8))
    found = slots(battle, "cell")
    assert (cell(6, 8) in found, cell(10, 8) in found) == (legal, legal)
    assert cell(7, 8) not in found
    assert cell(8, 8) not in found
    assert cell(12, 8) in found


@pytest.mark.rule("w10.mission.only-war.markers")
def test_markers_leave_room_for_those_to_come():
    """44" by 30", where the centres of markers have 30.4" by 16.4": wherever markers are put, four of them find places.
    28" by 28": not in the middle, which would leave none of the corners."""
    for seed in range(20):
        for detail in ("squad", "full"):
            battle, chance = table(44, 30, detail=detail), random.Random(seed)
            while battle.decision is not None and battle.decision.kind.startswith("place-marker"):
                battle.apply(chance.choice(battle.decision.options))
            assert list(battle.objectives.placed) == [1, 1, 1, 1]
    battle = table(28, 28)  # cells 4 to 12 either way: the corners are 13.2" apart, 9.3" from the middle
    offered = slots(battle, "cell")
    assert cell(8, 8) not in offered
    assert {cell(4, 4), cell(12, 4), cell(4, 12), cell(12, 12)} <= set(offered)


@pytest.mark.rule("w10.mission.only-war.markers")
def test_a_table_too_small_for_four_markers_has_fewer():
    """24" by 24": 10.4" by 10.4" for the centres, which must be 10.6" apart: two in opposite corners, no third."""
    battle = table(24, 24)
    while battle.decision is not None and battle.decision.kind == "place-marker":
        battle.apply(battle.first_legal())
    assert list(battle.objectives.placed) == [1, 1, 0, 0]
    play_until(battle)
    assert battle.result is not None


@pytest.mark.rule("w10.mission.only-war.markers")
def test_full_detail_places_a_marker_exactly():
    """Within the chosen cell, by the same distances: never within 6" of an edge or 9" of another marker."""
    battle = table(60, 44, detail="full")
    column = 2  # centres at 8.8", where the 17 columns within reach from 7.2" on
    battle.apply(battle.setup.space.cell + cell(column, 8))
    assert battle.decision is not None
    assert battle.decision.kind == "place-marker-exactly"
    fine = 60 / GRID / GRID
    centre = 2.5 * 60 / GRID
    legal = {k % GRID for k in slots(battle, "cell")}
    assert legal == {k for k in range(GRID) if centre + (k - 8) * fine - RADIUS > 6.0001}
    assert min(legal) == 0  # this cell lies wholly inside
    battle.apply(battle.setup.space.cell)
    assert battle.objectives.x[0] == pytest.approx(centre - 8 * fine)
    assert battle.objectives.y[0] == pytest.approx(8.5 * 44 / GRID - 8 * 44 / GRID / GRID)


# ---------------------------------------------------------------- scoring


def holding(markers: int, battle_round: int = 2, active: int = 0) -> Battle:
    """Player 0 holds so many markers with one model each; that player's or the opponent's Command phase."""
    scene = Scene()
    for k in range(4):
        scene.marker(8 + 12 * k, 22)
    for k in range(markers):
        scene.unit(0, sheet(f"Holder {k}"), at=(8 + 12 * k, 20), models=1)
    scene.unit(1, sheet("Theirs"), at=(50, 40), models=1)
    return scene.battle(phase="command", round=battle_round, active=active)


@pytest.mark.rule("w10.mission.only-war.score")
@pytest.mark.parametrize(("markers", "vp"), [(0, 0), (1, 1), (2, 2), (3, 3), (4, 3)])
def test_one_vp_for_each_marker_up_to_three(markers: int, vp: int):
    """At the end of the own Command phase of round 2: 2 for two markers, 3 for four."""
    battle = holding(markers)
    assert tuple(battle.players.vp) == (vp, 0)
    assert [(e["player"], e["scored"]) for e in told(battle, "w10.mission.only-war.score")] == [(0, vp)]


@pytest.mark.rule("w10.mission.only-war.score")
def test_no_vp_in_the_first_round_nor_in_the_opponents_turn():
    """Two markers: nothing in round 1, nothing in the other player's turn of round 2, which scores its own."""
    assert tuple(holding(2, battle_round=1).players.vp) == (0, 0)
    assert tuple(holding(2, active=1).players.vp) == (0, 0)


@pytest.mark.rule("w10.mission.only-war.score")
def test_twelve_vp_in_a_battle_at_most():
    """Four markers held all battle long: 3 VP in each of the rounds 2 to 5."""
    battle = holding(4, battle_round=1)
    play_until(battle)
    assert [e["scored"] for e in told(battle, "w10.mission.only-war.score") if e["player"] == 0] == [3, 3, 3, 3]
    assert battle.result is not None
    assert battle.result.victory_points == (12, 0)


@pytest.mark.rule("w10.mission.only-war.score-after-battle-shock")
@pytest.mark.parametrize(("dice", "vp", "holder"), [((1, 1), 0, 1), ((6, 6), 1, 0)])
def test_battle_shock_comes_before_control_and_scoring(dice: tuple[int, ...], vp: int, holder: int):
    """OC 10 on a marker, below half: the test failed, the enemy's OC 1 controls it and A scores nothing; passed, A scores."""
    scene = Scene()
    marker = scene.marker(30, 22)
    scene.unit(0, sheet("Holders", OC=5), at=(29, 24), models=5, lost=range(2, 5))
    scene.unit(1, sheet("Enemy", OC=1), at=(30, 19), models=1)

    def held_before(g: Battle) -> None:
        g.objectives.holder[marker] = 0

    rules = {"cp_each_command_phase": 0}  # nobody has the CP for a Stratagem
    battle = scene.battle(phase="command", round=3, dice=dice, set_state=held_before, rules=rules)
    assert dice_left(battle) == 0
    assert tuple(battle.players.vp) == (vp, 0)
    assert battle.objectives.holder[marker] == holder
    rules = [event.rule for event in battle.events]
    assert rules.index("w10.command.battle-shock.test") < rules.index("w10.mission.only-war.score")


@pytest.mark.rule("w10.mission.only-war.score-after-battle-shock")
def test_control_of_every_marker_is_settled_before_any_is_scored():
    """Two markers change hands at the end of this very phase and both are scored."""
    battle = holding(2)
    rules = [event.rule for event in battle.events]
    changes = [k for k, rule in enumerate(rules) if rule == "w10.objective.control"]
    assert len(changes) == 2
    assert max(changes) < rules.index("w10.mission.only-war.score")
    assert battle.players.vp[0] == 2
