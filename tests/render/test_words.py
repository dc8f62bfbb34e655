"""Events in words, and what lies beside the table."""

from __future__ import annotations

import pytest

from wh_env.core.events import Event
from wh_env.core.tables import DESTROYED, EMBARKED, RESERVE
from wh_env.render.labels import Labels
from wh_env.render.last import Last
from wh_env.render.panel import panel
from wh_env.render.words import Die, dice_of, last_dice, sentence, volley
from wh_env.testing import Scene, sheet


def attack(
    kind: str, attacker: int = 0, target: int = 2, model: int = -1, die: int = 0, needed: int = 0, result: int = 0
):
    data = {"attacker": attacker, "target": target, "model": model, "die": die, "needed": needed, "result": result}
    return Event("w10.attack", kind, {**data, "extra": 0})


@pytest.fixture
def labels(stage):
    return Labels(stage.battle())


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (Event("r", "unit moves", {"unit": 0, "path": [(1.0, 0.0), (3.0, 4.0)]}), 'Guns move 5"'),
        (
            Event("r", "Charge roll", {"unit": 0, "roll": 7, "targets": [2, 3]}),
            "Guns charge at Mob and Tank: a roll of 7",
        ),
        (Event("r", "test", {"unit": 2, "roll": 5, "needed": 7, "passed": False}), "Mob: test (roll 5; 7+ needed; failed)"),
        (Event("r", "victory points", {"player": 1, "scored": 2, "total": 5}), "player 1 scores 2 VP and has 5"),
        (
            Event("r", "marker changes hands", {"marker": 0, "holder": -1, "levels": (1, 1)}),
            "nobody controls marker 1 any longer",
        ),
        (Event("r", "lost", {"model": 4, "roll": 1}), "Mob 1: lost (roll 1)"),
        (
            Event("r", "Benefit of Cover", {"unit": 0, "target": 2, "models": [4, 5]}),
            "2 models of Mob have the Benefit of Cover",
        ),
        (Event("r", "step", {"step": 3, "name": "Deploy"}), "next: Deploy"),
        (Event("r", "turn", {"player": 1, "round": 2}), "turn of player 1, round 2"),
        (Event("r", "phase", {"phase": "Fight", "player": 0, "round": 2}), "Fight phase of player 0"),
        (Event("r", "phase", {"phase": "Orders", "round": 2}), "Orders phase"),
        (Event("r", "turn", {"round": 4}), "turn, round 4"),
        (Event("r", "shot", {"unit": 99, "model": 99}), "no unit: shot (no model)"),
        (Event("r", "odd", {"share": 2.50, "list": (1, True)}), "odd (share 2.5; list 1, yes)"),
        (attack("hit roll", die=4, needed=3, result=1), "Guns 1 → Mob: hit roll 4, 3+ needed: hit"),
        (attack("save roll", model=5, die=2, needed=4), "Guns 1 → Mob 2: save roll 2, 4+ needed: failed"),
        (attack("strength", die=4, result=6), "Guns 1 → Mob: strength 4: Strength 6"),
        (attack("wound lost", attacker=-1, model=6, result=9), "Tank 1: wound lost: 9 wounds left"),
        (attack("something new", result=3), "Guns 1 → Mob: something new"),
    ],
)  # fmt: skip
def test_sentences(labels, event, words):
    assert sentence(labels, event) == words


@pytest.mark.parametrize(
    ("data", "dice"),
    [
        ({"rolls": (3, 5)}, [Die(3), Die(5)]),
        ({"roll": 7, "needed": 7, "passed": True}, [Die(7, True)]),
        ({"roll": 9, "needed": 7, "passed": False}, [Die(9, False)]),  # 9 may be too much; the game knows
        ({"dice": [1, 6], "target": 2}, [Die(1), Die(6)]),
        ({"die": 3, "needed": 4}, [Die(3, False)]),
        ({"die": 0, "needed": 0}, []),
        ({"unit": 3, "models": [1, 2]}, []),
    ],
)
def test_dice(data, dice):
    assert dice_of(Event("r", "roll", data)) == dice


@pytest.mark.parametrize("what", ["casts", "fails to cast", "dispels"])
def test_dice_of_a_sum_neither_pass_nor_fail(what):
    """What is needed is the sum with the wizard's bonus, so no single die has a colour."""
    data = {"rolls": (4, 6, 2), "needed": 9, "amount": 13}
    assert dice_of(Event("r", what, data)) == [Die(4), Die(6), Die(2)]
    assert dice_of(Event("r", "channels", {"rolls": (5, 4), "needed": 5})) == [Die(5, True), Die(4, False)]


def test_the_last_roll_is_all_dice_of_its_kind():
    hits = [attack("hit roll", die=d, needed=3) for d in (2, 3, 6)]
    wounds = [attack("wound roll", die=d, needed=4) for d in (4, 1)]
    save = [attack("allocated", model=4), attack("save roll", model=4, die=5, needed=5), attack("damage", result=1)]
    assert last_dice(hits) == ("hit roll", [Die(2, False), Die(3, True), Die(6, True)])
    assert last_dice([*hits, *wounds]) == ("wound roll", [Die(4, True), Die(1, False)])
    # single rolls of a kind with other entries between them belong together
    assert last_dice([*hits, *wounds, *save, *save]) == ("save roll", [Die(5, True), Die(5, True)])
    assert last_dice([Event("r", "Advance roll", {"roll": 3}), Event("r", "Advance roll", {"roll": 5})])[1] == [Die(5)]
    assert last_dice([]) == ("", [])


def test_a_volley_is_counted(labels):
    events = [attack("hit roll", attacker=3, die=6, needed=3)]  # another unit's
    events += [attack("hit roll", attacker=k, die=d, needed=3) for k, d in ((0, 2), (1, 3), (2, 6))]
    events += [attack("wound roll", die=5, needed=4), attack("model destroyed", model=4)]
    assert volley(labels, events) == "Guns at Mob: 3 hit rolls, 2 good; 1 wound roll, 1 good; 1 model destroyed"
    assert volley(labels, [*events, Event("r", "turn ends", {})]) == ""


def test_the_panel_tells_score_clock_and_dice(stage):
    battle = stage.battle("shooting", cp=(2, 1), vp=(3, 7), active=0, round=2)
    told = panel(battle, Last([Event("w10.a.b", "test", {"unit": 0, "roll": 4, "needed": 3, "passed": True})]))
    assert [(seat.name, seat.score, seat.command) for seat in told.seats] == [("player 0", 3, 2), ("player 1", 7, 1)]
    assert told.moment == "Round 2 · player 0 · Shooting"
    assert told.asked == "player 0 decides: Choose a unit to shoot"
    assert (told.roll, told.dice, told.rule) == ("test", (Die(4, True),), "w10.a.b")
    assert told.words == "Guns: test (roll 4; 3+ needed; passed)"


def test_units_are_told_with_losses_place_and_state():
    scene = Scene()
    hurt = scene.unit(0, sheet("Hurt", W=3), at=[(10, 10), (12, 10), (14, 10)], wounds=[1, 3, 3], lost=[2], shocked=1)
    away = scene.unit(0, sheet("Away"), reserves="strategic")
    carrier = scene.unit(
        0, sheet("Carrier", abilities={"transport": {"capacity": 6, "allowed": ["INFANTRY"]}}), at=(20, 10)
    )
    aboard = scene.unit(0, sheet("Aboard"), embarked_in=carrier)
    scene.unit(0, sheet("Gone"), place="destroyed")
    scene.unit(1, sheet("Mob"), at=(30, 30))
    battle = scene.battle()
    assert [battle.units.place[u] for u in (away, aboard)] == [RESERVE, EMBARKED]
    rows = {row.name: row for row in panel(battle).units}
    row = rows["Hurt"]
    assert (row.unit, row.alive, row.strength, row.wounds, row.most) == (hurt, 2, 3, 4, 9)
    assert row.states == ("shocked",) and row.standing
    assert (rows["Away"].place, rows["Away"].standing) == ("in reserve", False)
    assert rows["Aboard"].place == "in Carrier"
    assert (rows["Gone"].alive, rows["Gone"].place) == (0, "destroyed")
    assert battle.units.place[rows["Gone"].unit] == DESTROYED


def test_what_a_ruleset_says_of_its_units_is_told(stage, monkeypatch):
    battle = stage.battle()
    monkeypatch.setattr(
        type(battle.setup.ruleset), "states", lambda _, g, unit: ("on overwatch",) if unit == 2 else (), raising=True
    )
    states = [row.states for row in panel(battle).units]
    assert states == [(), (), ("on overwatch",), ()]
