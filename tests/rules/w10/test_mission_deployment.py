"""Only War: deployment zones, deploying in turns, units without room, units set up last (w10.mission.only-war.zones, .deploy.*)."""

import pytest

from wh_env import Battle
from wh_env.core.tables import DESTROYED, EMBARKED, ON_TABLE, RESERVE
from wh_env.rulesets.w40k.deploy.places import cell_place
from wh_env.rulesets.w40k.sequence.sequencing import TimedRule
from wh_env.testing import Scene, choose, dice_left, pick, play_until, sheet, slots, told, words

MM = 25.4
ROW = 15  # of the 17 rows of the grid over a zone 10" deep: its cells stand 9.118" from the table edge
AT_ROW = (ROW + 0.5) * 10 / 17


def deploying(battle: Battle) -> list[str]:
    """Names of the units in the order in which they are deployed; the last cell that is offered is taken each time."""
    while battle.decision is not None and battle.clock.round[0] == 0:
        battle.apply(battle.decision.options[0])
    return [battle.setup.names["units"][e["unit"]] for e in told(battle, "w10.mission.only-war.deploy")]


@pytest.mark.rule("w10.mission.only-war.zones", "w10.mission.only-war.deploy")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("reach", "legal"), [(10.0, True), (10.1, False)])
def test_wholly_within_ten_inches_of_the_own_edge(player: int, reach: float, legal: bool):
    """44" by 60": a base whose farthest point is 10.0" from the own long edge may be set up, 10.1" not."""
    scene = Scene()
    base_mm = 2 * (reach - AT_ROW) * MM
    scene.unit(player, sheet("Unit", base_mm=base_mm), models=1)
    battle = scene.battle(phase="mission")
    assert battle.decision is not None
    assert battle.decision.kind == "deploy-to"
    row = ROW if player == 0 else 16 - ROW
    cell = row * 17 + 8
    x, y = cell_place(battle, 0, cell)
    assert (min(y, 44 - y), x) == (pytest.approx(AT_ROW), pytest.approx(30))
    assert (cell in slots(battle, "cell")) == legal
    assert (8 * 17 + 8) in slots(battle, "cell")  # well inside
    choose(battle, "cell", slots(battle, "cell")[0])
    inner = battle.models.y[0] if player == 0 else 44 - battle.models.y[0]
    assert inner + battle.models.radius[0] <= 10.0001


@pytest.mark.rule("w10.mission.only-war.zones")
def test_the_zones_lie_along_both_long_edges_24_inches_apart():
    """Everything more than 12" from the centre line, over the whole length."""
    zones = Battle.load("w10/only-war-incursion").setup.statics["divisions"][0].zones
    assert zones[0].tolist() == [[0, 0], [60, 0], [60, 10], [0, 10]]
    assert zones[1].tolist() == [[0, 34], [60, 34], [60, 44], [0, 44]]
    assert zones[1][:, 1].min() - zones[0][:, 1].max() == 24


@pytest.mark.rule("w10.mission.only-war.deploy")
@pytest.mark.parametrize("attacker", [0, 1])
def test_the_players_deploy_alternately_the_attacker_first(attacker: int):
    """Two units against four: Att, Def, Att, Def, Def, Def; units in Reserves or embarked are not set up."""
    scene = Scene()
    for k in range(2):
        scene.unit(attacker, sheet(f"A{k}"), models=3)
    scene.unit(attacker, sheet("Kept"), models=3, reserves="strategic")
    for k in range(4):
        scene.unit(1 - attacker, sheet(f"D{k}"), models=3)
    battle = scene.battle(phase="mission", attacker=attacker)
    assert [name[0] for name in deploying(battle)] == ["A", "D", "A", "D", "D", "D"]
    assert battle.setup.names["units"].index("Kept") in [u for u, p in enumerate(battle.units.place) if p == RESERVE]


@pytest.mark.rule("w10.mission.only-war.deploy")
def test_the_player_chooses_which_unit_is_next():
    """Any own unit that is left, and any legal place."""
    scene = Scene()
    for k in range(3):
        scene.unit(0, sheet(f"A{k}"), models=1)
    scene.unit(1, sheet("D"), models=1)
    battle = scene.battle(phase="mission")
    assert sorted(words(battle).values()) == ["A0", "A1", "A2"]
    pick(battle, "A1", kind="select-to-deploy")
    taken = slots(battle, "cell")[5]
    spot = cell_place(battle, 1, taken)
    choose(battle, "cell", taken)
    assert (battle.models.x[1], battle.models.y[1]) == pytest.approx(spot)
    battle.apply(battle.first_legal())  # the only unit of the other player
    assert sorted(words(battle).values()) == ["A0", "A2"]
    pick(battle, "A2")
    assert taken not in slots(battle, "cell")
    assert taken + 1 in slots(battle, "cell")


@pytest.mark.rule("w10.mission.only-war.deploy")
def test_full_detail_sets_up_model_by_model():
    """Each model gets its place and, without a round base, its facing; each in coherency with those before it."""
    scene = Scene()
    scene.unit(0, sheet("Riders", base_mm=(60, 35)), models=3)
    scene.unit(1, sheet("Theirs"), models=1)
    battle = scene.battle(phase="mission", detail="full")
    for model in range(3):
        assert battle.decision is not None
        assert battle.decision.kind == "place-facing"
        assert len(slots(battle, "angle")) == 24
        choose(battle, "angle", 3 * model)
        assert battle.decision.kind == "place-model"
        choose(battle, "cell", slots(battle, "cell")[-1])
        assert battle.decision.kind == "place-exactly"
        choose(battle, "cell", slots(battle, "cell")[0])
        assert battle.models.on_table[model] == 1
        assert battle.models.facing[model] == pytest.approx(model * 0.7853982)
        assert all(0 <= battle.models.y[k] <= 10 for k in range(model + 1))
    assert battle.units.place[0] == ON_TABLE
    assert deploying(battle)[0] == "Riders"


@pytest.mark.rule("w10.mission.only-war.deploy")
def test_full_detail_takes_a_unit_up_again_that_finds_no_room_one_by_one():
    """A first model so far in a corner of a crowded zone that the second has no place: the unit is set up together."""
    scene = Scene(size=(60, 44), zone_depth=2.2)
    scene.unit(0, sheet("Big", base_mm=2.1 * MM), models=2)
    # leaves 1.2 inches in the corner of each side and room for two in the middle
    wall = [(x, 1.1) for x in (10.5, 49.5)]
    scene.unit(0, sheet("Wall", hull_in=(2.2, 15)), models=2)
    scene.unit(1, sheet("Theirs", base_mm=20), models=1)

    def narrow(g: Battle) -> None:
        for k, (x, y) in enumerate(wall):
            row = 2 + k
            g.models.x[row], g.models.y[row], g.models.facing[row], g.models.on_table[row] = x, y, 1.5707963, 1
        g.units.place[1] = ON_TABLE

    battle = scene.battle(phase="mission", detail="full", set_state=narrow)
    assert battle.decision is not None
    assert battle.decision.kind == "place-model"
    choose(battle, "cell", min(slots(battle, "cell")))  # the pocket at the left end holds one base only
    while battle.decision is not None and battle.clock.round[0] == 0 and battle.decision.kind != "place-together":
        battle.apply(battle.first_legal())
    assert battle.decision is not None
    assert battle.decision.kind == "place-together"
    assert [battle.models.on_table[k] for k in (0, 1)] == [0, 0]
    battle.apply(battle.first_legal())
    assert [battle.models.on_table[k] for k in (0, 1)] == [1, 1]


# ---------------------------------------------------------------- no room


@pytest.mark.rule("w10.mission.only-war.deploy.no-room")
def test_a_unit_without_room_counts_as_destroyed():
    """A zone too shallow for its bases: no model on the table, not in Reserves, destroyed before the battle begins."""
    scene = Scene(zone_depth=1.5)
    ten = scene.unit(0, sheet("Ten", base_mm=1.6 * MM), models=10)
    small = scene.unit(0, sheet("Small"), models=1)
    scene.unit(1, sheet("Theirs"), models=1)
    battle = scene.battle(phase="mission")
    play_until(battle, "move-kind")
    assert battle.units.place[ten] == DESTROYED
    assert sum(battle.models.on_table[ten.model(k)] for k in range(10)) == 0
    assert (battle.units.alive[ten], battle.units.place[small]) == (0, ON_TABLE)
    assert [e["unit"] for e in told(battle, "w10.mission.only-war.deploy.no-room")] == [ten.row]
    rules = [event.rule for event in battle.events]
    assert rules.index("w10.mission.only-war.deploy.no-room") < rules.index("w10.mission.begin")


@pytest.mark.rule("w10.mission.only-war.deploy.no-room")
def test_what_is_embarked_in_a_transport_without_room_is_lost_with_it():
    """The TRANSPORT and its passengers count as destroyed."""
    scene = Scene(zone_depth=1.5)
    bus_sheet = sheet(
        "Bus",
        hull_in=(5, 3),
        keywords=("VEHICLE", "TRANSPORT"),
        abilities={"transport": {"capacity": 6, "allowed": ["INFANTRY"]}},
    )
    bus = scene.unit(0, bus_sheet, models=1)
    inside = scene.unit(0, sheet("Inside"), models=5)
    scene.unit(0, sheet("Small"), models=1)
    scene.unit(1, sheet("Theirs"), models=1)
    battle = scene.battle(phase="mission", rules={"formations": "choose"})
    pick(battle, "Bus", kind="start-embarked")
    pick(battle, "done", kind="start-embarked")
    assert battle.units.place[inside] == EMBARKED
    play_until(battle, "move-kind")
    assert [battle.units.place[u] for u in (bus, inside)] == [DESTROYED, DESTROYED]


@pytest.mark.rule("w10.mission.only-war.deploy.no-room")
def test_a_unit_is_set_up_wherever_its_models_find_room():
    """A zone that no rank and file fits into, one base deep: the ten are set up in a row all the same."""
    scene = Scene(zone_depth=1.05)
    ten = scene.unit(0, sheet("Six"), models=6)
    scene.unit(1, sheet("Theirs"), models=1)
    battle = scene.battle(phase="mission")
    play_until(battle, "move-kind")
    assert told(battle, "w10.mission.only-war.deploy.no-room") == []
    assert (battle.units.place[ten], battle.units.alive[ten]) == (ON_TABLE, 6)
    assert max(battle.models.y[ten.model(k)] for k in range(6)) + 0.5 <= 1.0501


@pytest.mark.rule("w10.mission.only-war.deploy.no-room")
def test_models_that_find_no_room_with_their_unit_are_destroyed():
    """A zone of 5.2 by 1.05 inches holds five of six bases."""
    scene = Scene(size=(5.2, 60), zone_depth=1.05)
    six = scene.unit(0, sheet("Six"), models=6)
    scene.unit(1, sheet("Theirs"), models=1)
    battle = scene.battle(phase="mission")
    play_until(battle, "move-kind")
    standing = [k for k in range(6) if battle.models.on_table[six.model(k)]]
    assert 0 < len(standing) < 6
    assert battle.units.alive[six] == len(standing)
    assert len(told(battle, "w10.concepts.coherency.set-up")) == 6 - len(standing)


# ---------------------------------------------------------------- after both armies


def late(*owners: int) -> Scene:
    """One ordinary unit for each player, and a unit to be set up after both armies for each of ``owners``."""
    scene = Scene()
    for player in (0, 1):
        scene.unit(player, sheet(f"First {player}"), models=3)
    for number, player in enumerate(owners):
        unit = scene.unit(player, sheet(f"Late {player}{number}"), models=3)
        scene.rule(TimedRule("Concealed", "after-deployment", player, "set-up", unit, 0))  # type: ignore[arg-type]
    return scene


@pytest.mark.rule("w10.mission.only-war.deploy.after")
@pytest.mark.parametrize(
    ("dice", "order"),
    [([1, 6], ["1", "0", "1", "0"]), ([5, 2], ["0", "1", "0", "1"]), ([3, 3, 2, 4], ["1", "0", "1", "0"])],
)
def test_units_set_up_after_both_armies(dice: list[int], order: list[str]):
    """Two each, a roll-off of A 1 and B 6: B, A, B, A, once everything else is set up."""
    battle = late(0, 0, 1, 1).battle(phase="mission", dice=[*dice, 6, 1])
    names = deploying(battle)
    assert names[:2] == ["First 0", "First 1"]
    assert [name.split()[1][0] for name in names[2:]] == order
    assert told(battle, "w10.mission.only-war.deploy.after")[-1]["rolls"] == tuple(dice[-2:])
    assert dice_left(battle) == 0  # the last two were for the first turn


@pytest.mark.rule("w10.mission.only-war.deploy.after")
def test_without_such_units_on_both_sides_there_is_no_roll_off():
    """Only one player has them: they are set up last, without dice."""
    battle = late(0, 0).battle(phase="mission", dice=[6, 1])
    names = deploying(battle)
    assert names[:2] == ["First 0", "First 1"]
    assert len(names) == 4
    assert told(battle, "w10.mission.only-war.deploy.after") == []
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.mission.only-war.deploy.after")
def test_the_player_chooses_which_of_them_is_next():
    """Both of the own ones are offered, none before the armies stand."""
    battle = late(0, 0, 1, 1).battle(phase="mission", dice=[6, 1])
    while told(battle, "w10.mission.only-war.deploy.after") == []:
        assert not any("Late" in word for word in words(battle).values())
        battle.apply(battle.first_legal())
    assert sorted(words(battle).values()) == ["Late 00", "Late 01"]
    pick(battle, "Late 01")
    battle.apply(battle.first_legal())
    assert battle.units.place[2] == ON_TABLE
