"""Declare Battle Formations: in secret, in order; Leaders and their Bodyguards (w10.mission.formations.*, w10.deploy.leader.*)."""

import pytest

from wh_env.content.battle import Battle
from wh_env.core.tables import ATTACHED, DESTROYED, EMBARKED, ON_TABLE, RESERVE
from wh_env.envs.observation import Observer
from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.sequence.sequencing import TimedRule
from wh_env.testing import Scene, choose, dice_left, kind, melee, pick, play_until, ranged, sheet, told, words

CHOOSE = {"formations": "choose", "strategic_reserves_points": 500, "first_player": 0}
NO_CP = {"cp_each_command_phase": 0}  # nobody has the CP for a Stratagem
HERO = sheet(
    "Hero", keywords=("INFANTRY", "CHARACTER"), W=5, Ld=6, abilities={"leader": ["Squad"]}, points=80, models=(1, 1)
)
BUS = sheet(
    "Bus",
    hull_in=(5, 3),
    keywords=("VEHICLE", "TRANSPORT"),
    abilities={"transport": {"capacity": 6, "allowed": ["INFANTRY"]}},
    models=(1, 1),
)


@pytest.mark.rule("w10.mission.formations.secret")
def test_formations_are_secret_until_both_have_finished():
    """A has attached a Leader and put two units in Reserves; B, who is choosing, sees none of it; then all is revealed."""
    scene = Scene()
    scene.unit(0, sheet("Squad"), models=5)
    hero = scene.unit(0, HERO, models=1)
    reserves = [scene.unit(0, sheet(name), models=5, points=100) for name in ("R1", "R2")]
    scene.unit(1, sheet("Theirs"), models=5, points=100)
    observer: list[Observer] = []

    def at_bs_choice(*answers: str) -> tuple[Battle, bytes]:
        battle = scene.battle(phase="mission", rules=CHOOSE)
        for answer in answers:
            pick(battle, answer)
        assert battle.decision is not None
        assert (battle.decision.kind, battle.decision.player) == ("reserves", 1)
        observer[:] = observer or [Observer(battle.setup)]
        return battle, observer[0].observe(battle, 1).tobytes()

    nothing = at_bs_choice("done", "deploy", "deploy", "deploy", "deploy")[1]
    battle, seen = at_bs_choice("Squad", "deploy", "Strategic Reserves", "Strategic Reserves")
    assert [battle.units.place[u] for u in (hero, *reserves)] == [ATTACHED, RESERVE, RESERVE]
    assert tuple(battle.players.ready) == (1, 0)
    assert seen == nothing
    assert told(battle, "w10.mission.formations.secret") == []
    pick(battle, "deploy")
    assert tuple(battle.players.ready) == (1, 1)
    assert len(told(battle, "w10.mission.formations.secret")) == 1
    revealed = observer[0].observe(battle, 1).tobytes()
    battle = at_bs_choice("done", "deploy", "deploy", "deploy", "deploy")[0]
    pick(battle, "deploy")
    assert observer[0].observe(battle, 1).tobytes() != revealed


@pytest.mark.rule("w10.mission.formations.order")
def test_leaders_then_transports_then_reserves():
    """The Attached unit of 6 embarks as one, taking 6 places: a second unit of 1 finds no room."""
    scene = Scene()
    squad = scene.unit(0, sheet("Squad"), models=5)
    hero = scene.unit(0, HERO, models=1)
    bus = scene.unit(0, BUS, models=1)
    scene.unit(0, sheet("One"), models=1)
    scene.unit(1, sheet("Theirs"), models=5)
    battle = scene.battle(phase="mission", rules=CHOOSE)
    order = []
    while battle.decision is not None and battle.decision.player == 0 and kind(battle) != "deploy-to":
        order.append(
            (kind(battle), battle.setup.names["units"][battle.decision.subject], sorted(words(battle).values()))
        )
        wanted = {"attach-leader": "Squad", "start-embarked": "Bus", "reserves": "deploy"}[kind(battle)]
        pick(battle, wanted)
    assert order == [
        ("attach-leader", "Hero", ["Squad", "done"]),
        ("start-embarked", "Squad", ["Bus", "done"]),
        ("reserves", "Bus", ["Strategic Reserves", "deploy"]),
        ("reserves", "One", ["Strategic Reserves", "deploy"]),
    ]
    assert (battle.units.place[squad], battle.units.carrier[squad]) == (EMBARKED, bus.row)
    assert battle.units.place[hero] == ATTACHED
    while battle.clock.round[0] == 0:
        battle.apply(battle.first_legal())
    assert [m for m in range(6) if battle.models.on_table[m]] == []  # neither is deployed separately


@pytest.mark.rule("w10.mission.formations.order")
def test_without_the_leader_the_unit_leaves_a_place():
    """The five alone embark and the single model finds the sixth place."""
    scene = Scene()
    scene.unit(0, sheet("Squad"), models=5)
    scene.unit(0, HERO, models=1)
    scene.unit(0, BUS, models=1)
    scene.unit(0, sheet("One"), models=1)
    scene.unit(1, sheet("Theirs"), models=5)
    battle = scene.battle(phase="mission", rules=CHOOSE)
    pick(battle, "done", kind="attach-leader")
    pick(battle, "Bus", kind="start-embarked")
    assert battle.decision is not None
    assert battle.setup.names["units"][battle.decision.subject] == "Hero"
    pick(battle, "done", kind="start-embarked")
    assert battle.setup.names["units"][battle.decision.subject] == "One"
    pick(battle, "Bus", kind="start-embarked")
    assert kind(battle) == "reserves"


@pytest.mark.rule("w10.mission.formations.order")
@pytest.mark.parametrize(("limit", "offered"), [(180, True), (179, False)])
def test_an_attached_unit_goes_into_reserves_with_the_points_of_both(limit: int, offered: bool):
    """100 + 80 points: as one unit, within a limit of 180 and not of 179."""
    scene = Scene()
    squad = scene.unit(0, sheet("Squad"), models=5, points=100)
    scene.unit(0, HERO, models=1, points=80)
    scene.unit(1, sheet("Theirs"), models=5, points=1000)
    battle = scene.battle(phase="mission", rules={**CHOOSE, "strategic_reserves_points": limit})
    pick(battle, "Squad", kind="attach-leader")
    assert (kind(battle) == "reserves") == offered
    assert kind(battle) in ("reserves", "deploy-to")
    if offered:
        pick(battle, "Strategic Reserves")
        assert battle.units.place[squad] == RESERVE
        assert [battle.units.place[u] for u in (0, 1)] == [RESERVE, ATTACHED]


# ---------------------------------------------------------------- Leaders


@pytest.mark.rule("w10.deploy.leader.units")
def test_a_leader_leads_only_the_units_on_its_list():
    """The list names one datasheet: units of it are offered, others are not; who is no CHARACTER is no Leader."""
    scene = Scene()
    scene.unit(0, sheet("Squad"), models=5)
    scene.unit(0, sheet("Strangers"), models=5)
    scene.unit(0, HERO, models=1)
    scene.unit(0, sheet("Sergeant", abilities={"leader": ["Squad"]}), models=1)
    scene.unit(1, sheet("Theirs"), models=5)
    battle = scene.battle(phase="mission", rules={**CHOOSE, "strategic_reserves_points": 0})
    assert kind(battle) == "attach-leader"
    assert sorted(words(battle).values()) == ["Squad", "done"]
    pick(battle, "done")
    assert kind(battle) == "select-to-deploy"


@pytest.mark.rule("w10.deploy.leader.attach")
@pytest.mark.parametrize("choice", ["Squad", "Squad 2", "done"])
def test_a_leader_is_attached_to_one_of_its_units_or_to_none(choice: str):
    """Two units it can lead: three options; the choice stands until the end of the battle."""
    scene = Scene()
    squads = [scene.unit(0, sheet("Squad"), models=3) for _ in range(2)]
    hero = scene.unit(0, HERO, models=1)
    scene.unit(1, sheet("Theirs"), models=3)
    battle = scene.battle(phase="mission", rules={**CHOOSE, "strategic_reserves_points": 0})
    assert sorted(words(battle).values()) == ["Squad", "Squad 2", "done"]
    pick(battle, choice)
    expected = {"Squad": squads[0].row, "Squad 2": squads[1].row, "done": -1}[choice]
    kinds = set()
    while battle.decision is not None:
        assert battle.units.bodyguard[hero] == expected
        kinds.add(kind(battle))
        battle.apply(battle.first_legal())
    assert "attach-leader" not in kinds
    assert "move-kind" in kinds
    assert battle.units.bodyguard[hero] == expected
    assert [battle.units.alive[s] for s in squads] == [3 + (s.row == expected) for s in squads]


@pytest.mark.rule("w10.deploy.leader.one-leader")
def test_a_bodyguard_unit_has_one_leader():
    """Two Leaders, one unit: once one is attached the other is not asked; with the first left alone it is."""
    scene = Scene()
    squad = scene.unit(0, sheet("Squad"), models=5)
    heroes = [scene.unit(0, HERO, models=1) for _ in range(2)]
    scene.unit(1, sheet("Theirs"), models=5)
    rules = {**CHOOSE, "strategic_reserves_points": 0}
    battle = scene.battle(phase="mission", rules=rules)
    pick(battle, "Squad", kind="attach-leader")
    assert kind(battle) != "attach-leader"
    assert (battle.units.leader[squad], battle.units.bodyguard[heroes[1]]) == (heroes[0].row, -1)
    battle = scene.battle(phase="mission", rules=rules)
    pick(battle, "done", kind="attach-leader")
    pick(battle, "Squad", kind="attach-leader")
    assert battle.units.leader[squad] == heroes[1].row


@pytest.mark.rule("w10.deploy.leader.one-unit")
def test_an_attached_unit_is_selected_as_one():
    """One test for Battle-shock, one Advance roll, one selection to move, shoot and charge; six models move together."""
    scene = Scene()
    gun = {"gun": ranged(24, A=1, BS=6)}
    squad = scene.unit(0, sheet("Squad", weapons=gun), at=(20, 14), models=5, lost=range(1, 5))
    hero = scene.unit(0, {**HERO, "weapons": gun, "models": [{**HERO["models"][0], "weapons": ["gun"]}]},
                      at=[(20, 15.2)], models=1, leads=squad)  # fmt: skip
    scene.unit(1, sheet("Theirs", W=20), at=(20, 22), models=1)
    battle = scene.battle(phase="command", dice=[6, 6, 1, 1, 1, 1, 1], rules=NO_CP)
    assert [e["unit"] for e in told(battle, "w10.command.battle-shock.test")] == [squad.row]
    before = [(battle.models.x[k], battle.models.y[k]) for k in (squad.first, hero.first)]
    assert battle.decision is not None
    assert (kind(battle), battle.decision.subject) == ("move-kind", squad.row)
    pick(battle, "Normal move")
    # one inch ahead, so that coherency and the distance between the two stay as they are
    grid = battle.setup.space.grid
    choose(battle, "cell", grid * (grid // 2 + 1) + grid // 2)
    after = [(battle.models.x[k], battle.models.y[k]) for k in (squad.first, hero.first)]
    moved = {(round(b[0] - a[0], 6), round(b[1] - a[1], 6)) for a, b in zip(before, after, strict=True)}
    assert moved == {(0.0, 0.75)}
    assert sorted(words(battle).values()) == ["Squad", "done"]
    pick(battle, "Squad", kind="select-to-shoot")
    # both models have shot with one selection
    assert {e["attacker"] for e in told(battle, "w10.attack.hit.roll")} == {squad.first, hero.first}
    assert len(told(battle, "w10.shoot.select-unit")) == 1
    assert kind(battle) == "select-to-charge"
    assert sorted(words(battle).values()) == ["Squad", "done"]


@pytest.mark.rule("w10.deploy.leader.one-unit")
def test_an_attached_unit_makes_one_advance_roll():
    """One die for all six models."""
    scene = Scene()
    squad = scene.unit(0, sheet("Squad"), at=(20, 10), models=5)
    scene.unit(0, HERO, at=[(20, 11.2)], models=1, leads=squad)
    scene.unit(1, sheet("Theirs"), at=(20, 40), models=1)
    battle = scene.battle(dice=[4, 4])
    pick(battle, "Advance")
    assert dice_left(battle) == 1
    assert [e["unit"] for e in told(battle, "w10.move.advance.roll")] == [squad.row]


@pytest.mark.rule("w10.deploy.leader.one-unit")
def test_an_attached_unit_keeps_coherency_as_one():
    """A Leader too far from its Bodyguard models breaks the unit's coherency: one part is removed at the end of the turn."""
    for y, lost in ((11.2, 0), (16.0, 1)):
        scene = Scene()
        squad = scene.unit(0, sheet("Squad"), at=(20, 10), models=5)
        scene.unit(0, HERO, at=[(20, y)], models=1, leads=squad)
        scene.unit(1, sheet("Theirs"), at=(20, 40), models=1)
        battle = scene.battle(phase="end")
        assert len(told(battle, "w10.concepts.coherency.end-of-turn")) == lost


@pytest.mark.rule("w10.deploy.leader.one-unit", "w10.command.other-rules")
def test_a_rule_of_the_leader_is_one_of_the_attached_unit():
    """ "Return 1 model to this unit in your Command phase" on the Leader: a Bodyguard model comes back."""
    scene = Scene()
    squad = scene.unit(0, sheet("Squad"), at=(20, 10), models=5, lost=[4])
    hero = scene.unit(0, HERO, at=[(20, 11.2)], models=1, leads=squad)
    scene.unit(1, sheet("Theirs"), at=(20, 40), models=1)
    scene.rule(TimedRule("Return", "command", 0, "return", hero.row, 1))
    battle = scene.battle(phase="command", rules=NO_CP)
    assert battle.units.alive[squad] == 6


def lone_hero(
    columns: dict[str, int], phase: str = "command", active: int = 1, others: tuple[float, float] = (50, 3)
) -> tuple[Battle, int, int]:
    """An Attached unit whose five Bodyguard models are struck down in the active player's phase."""
    scene = Scene()
    squad = scene.unit(0, sheet("Squad"), at=(20, 10), models=5, **columns)
    abilities = {"leader": ["Squad"], "lone_operative": True}
    hero = scene.unit(0, {**HERO, "abilities": abilities}, at=[(20, 11.2)], models=1, leads=squad)
    scene.unit(0, sheet("Others"), at=others, models=1)
    scene.unit(1, sheet("Near", weapons={"gun": ranged(20, BS=6)}), at=(20, 23.2), models=1)
    scene.unit(1, sheet("Far", weapons={"gun": ranged(20, BS=6)}), at=(20, 26), models=1)
    scene.rule(TimedRule("Lightning", phase, active, "mortal", squad.row, 5))
    return scene.battle(phase=phase, active=active, rules=NO_CP), squad.row, hero.row


@pytest.mark.rule("w10.deploy.leader.split")
def test_the_rest_of_an_attached_unit_keeps_its_state_of_the_turn():
    """Battle-shocked and Advanced; the Bodyguard unit is destroyed: the Leader is of Starting Strength 1, still
    Battle-shocked, still counts as having Advanced and cannot charge."""
    columns = {"shocked": 1, "moved": int(Moved.ADVANCE), "advance": 3}
    battle, squad, hero = lone_hero(columns, phase="charge", active=0, others=(30, 20))
    assert battle.units.place[squad] == DESTROYED
    assert battle.units.place[hero] == ON_TABLE
    assert (battle.units.strength[hero], battle.units.alive[hero], battle.units.shocked[hero]) == (1, 1, 1)
    assert (battle.units.moved[hero], battle.units.advance[hero]) == (Moved.ADVANCE, 3)
    assert kind(battle) == "select-to-charge"  # an enemy is 11" away
    assert sorted(words(battle).values()) == ["Others", "done"]


@pytest.mark.rule("w10.deploy.leader.split")
def test_a_leader_left_alone_is_a_target_of_its_own():
    """Attacks may be made at it, and its Lone Operative applies again: from 11.0", not from beyond 12"."""
    battle, squad, hero = lone_hero({})
    assert battle.units.place[squad] == DESTROYED
    play_until(battle, "select-to-shoot")
    assert sorted(words(battle).values()) == ["Near", "done"]  # Far, at 13.8", has no target
    pick(battle, "Near")
    assert [e["target"] for e in told(battle, "w10.attack.hit.roll")] == [hero]


@pytest.mark.rule("w10.deploy.leader.split", "w10.transport.embark")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_leader_left_alone_by_a_fall_back_may_embark(detail):
    """Both Bodyguard models are lost to Desperate Escape tests: the Leader ends the Fall Back beside a TRANSPORT, alone."""
    scene = Scene()
    squad = scene.unit(0, sheet("Squad"), at=[(20, 20), (21.2, 20)], shocked=1)
    hero = scene.unit(0, HERO, at=[(22.4, 20)], models=1, leads=squad)
    bus = scene.unit(0, BUS, at=(22, 15), facing=0.0)
    scene.unit(1, sheet("Theirs"), at=(20, 21.005))
    battle = scene.battle(dice=[1, 1, 6], detail=detail, rules=NO_CP)
    pick(battle, "Squad")
    pick(battle, "Fall Back")
    if detail == "squad":
        pick(battle, "Squad falls back -0.8, -1.5 inches")
    else:
        choose(battle, "model", 0)  # lost
        choose(battle, "model", 0)
        pick(battle, "end the move")
    assert (battle.units.place[squad], battle.units.place[hero]) == (DESTROYED, ON_TABLE)
    assert kind(battle) == "embark"
    assert battle.decision is not None
    assert battle.decision.subject == hero
    pick(battle, "embark in Bus")
    assert (battle.units.place[hero], battle.units.carrier[hero]) == (EMBARKED, bus.row)


@pytest.mark.rule("w10.deploy.leader.split", "w10.fight.consolidate")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_leader_left_alone_in_its_fight_consolidates(detail):
    """The enemy that the unit destroys takes the only Bodyguard model with it: the Leader, 3" from another enemy unit,
    consolidates, and has fought."""
    axe = {"axe": melee(WS=2, S=8, AP=-6, D=5)}
    scene = Scene()
    squad = scene.unit(0, sheet("Squad", weapons=axe), at=(20, 20), charged=1)
    hero = scene.unit(0, HERO, at=[(21.2, 20)], models=1, leads=squad)
    scene.unit(1, sheet("Bomb", abilities={"deadly_demise": 1}), at=(20, 21.005))
    scene.unit(1, sheet("Theirs", W=2), at=(21.2, 16))
    battle = scene.battle(phase="fight", dice=[5, 5, 1, 6], detail=detail, rules=NO_CP)
    pick(battle, "do not pile in")
    if detail == "full":
        choose(battle, "own", 0)  # the Deadly Demise reaches both units: the Squad first
    assert kind(battle) == "consolidate"
    assert (battle.units.place[squad], battle.units.place[hero]) == (DESTROYED, ON_TABLE)
    assert battle.decision is not None
    assert battle.decision.subject == hero
    pick(battle, "consolidate")
    if detail == "full":
        pick(battle, "leave the move to the engine")
    assert battle.models.y[hero.model(0)] == pytest.approx(17.0, abs=0.01)
    fighters = [e["unit"] for e in told(battle, "w10.fight.alternate")]
    assert fighters == [squad.row, 3]
