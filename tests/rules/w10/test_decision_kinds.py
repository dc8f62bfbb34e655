"""Decision kinds at a level of detail, or answered by their default delegate, where no other test comes to them
(``scripts/decisions.py --check-asked``)."""

from __future__ import annotations

from math import hypot

import pytest

from wh_env import Battle
from wh_env.rulesets.w40k.codes import Moved
from wh_env.testing import (
    Scene,
    choose,
    dice_left,
    kind,
    melee,
    pick,
    place,
    play_until,
    ranged,
    sheet,
    slots,
    told,
    words,
)

SCOUTS = {"scouts": 6}
GRID = 17
MIDDLE = 8 * GRID + 8


# ---------------------------------------------------------------- Scouts


def scouts(gap: float = 30.0) -> tuple[Battle, int]:
    """Two models with Scouts 6" at (30, 9) and (31.5, 9), about to make their Scouts move; an enemy ``gap`` inches ahead."""
    scene = Scene()
    unit = scene.unit(0, sheet("Scouts", abilities=SCOUTS), models=2)
    scene.unit(1, sheet("Theirs"), models=1)

    def stand(g: Battle) -> None:
        for row, x, y in ((0, 30, 9), (1, 31.5, 9), (2, 30, 9 + 1 + gap)):
            g.models.x[row], g.models.y[row], g.models.on_table[row] = x, y, 1
        for row in (0, 1):
            g.units.place[row] = 1

    battle = scene.battle("mission", detail="full", rules={"first_player": 0}, set_state=stand)
    assert kind(battle) == "scout-move"
    assert unit == 0
    return battle, 0


@pytest.mark.rule("w10.deploy.scouts.move", "w10.move.models.any-and-order")
def test_scouts_move_model_by_model() -> None:
    """The second model first: 6" at most, in coherency at the end; then the ordinary turn with an unused Movement phase."""
    battle, unit = scouts()
    assert words(battle) == {0: "done", battle.setup.space.option: "Scouts move, model by model"}
    choose(battle, "option")
    assert kind(battle) == "select-model"
    choose(battle, "model", 1)
    assert kind(battle) == "model-to"
    ahead = 16 * GRID + 8
    assert ahead in slots(battle, "cell")
    far = [c for c in slots(battle, "cell") if hypot(c % GRID - 8, c // GRID - 8) > 8.001]
    assert far == []
    choose(battle, "cell", ahead)
    choose(battle, "cell", MIDDLE)
    assert place(battle, 1) == pytest.approx((31.5, 15))
    assert slots(battle, "done") == []  # 5.2" apart
    choose(battle, "model", 0)
    choose(battle, "cell", ahead)
    choose(battle, "cell", MIDDLE)
    choose(battle, "done")
    assert place(battle, 0) == pytest.approx((30, 15))
    assert len(told(battle, "w10.deploy.scouts.move")) == 1
    play_until(battle, "move-kind")
    assert battle.units.moved[unit] == Moved.NOT_YET


@pytest.mark.rule("w10.deploy.scouts.move")
def test_scouts_may_stay() -> None:
    """Not at all, or no model of them."""
    battle, _ = scouts()
    battle.apply(0)
    assert told(battle, "w10.deploy.scouts.move") == []
    battle, _ = scouts()
    choose(battle, "option")
    assert slots(battle, "done") == [0]
    choose(battle, "done")
    assert kind(battle) == "move-kind"
    assert place(battle, 0) == pytest.approx((30, 9))


@pytest.mark.rule("w10.deploy.scouts.distance")
def test_no_model_ends_a_scouts_move_within_nine_inches() -> None:
    """The enemy stands 14" ahead: 5" are too far, 4.5" are not. From 8.5" away the one that stays keeps the move from ending."""
    battle, _ = scouts(gap=14)
    choose(battle, "option")
    choose(battle, "model", 0)
    ahead = {c // GRID - 8 for c in slots(battle, "cell") if c % GRID == 8}
    assert max(ahead) == 6  # cells are 0.75" apart: 4.5", not 5.25"
    battle, _ = scouts(gap=8.5)
    choose(battle, "option")
    assert slots(battle, "done") == [0]  # nobody has moved
    choose(battle, "model", 1)
    choose(battle, "cell", 7 * GRID + 8)
    choose(battle, "cell", MIDDLE)
    assert slots(battle, "done") == []
    choose(battle, "model", 0)
    choose(battle, "cell", 7 * GRID + 8)  # 0.75" back: 9.25" away
    choose(battle, "cell", MIDDLE)
    assert slots(battle, "done") == [0]


# ---------------------------------------------------------------- battle formations


@pytest.mark.rule("w10.mission.formations.order")
def test_formations_are_declared_in_order_at_full_detail() -> None:
    """Hover mode, Leaders, TRANSPORTS, Reserves; what is in Reserves already is not asked about again."""
    scene = Scene()
    flying = sheet("Jet", M=20, keywords=("VEHICLE", "FLY", "AIRCRAFT"), abilities={"hover": True}, models=(1, 1))
    air = scene.unit(0, flying, models=1)
    bus = sheet(
        "Bus", hull_in=(5, 3), keywords=("VEHICLE", "TRANSPORT"), models=(1, 1),
        abilities={"transport": {"capacity": 12, "allowed": ["INFANTRY"]}},
    )  # fmt: skip
    carrier = scene.unit(0, bus, models=1)
    squad = scene.unit(0, sheet("Squad"), models=3)
    hero = scene.unit(0, sheet("Hero", keywords=("INFANTRY", "CHARACTER"), abilities={"leader": ["Squad"]}), models=1)
    scene.unit(1, sheet("Theirs", abilities={"deep_strike": True}), models=1)
    battle = scene.battle(
        "mission", detail="full", rules={"formations": "choose", "strategic_reserves_points": 1000, "first_player": 0}
    )
    asked = []
    answers = {"hover-mode": 1, "attach-leader": -1, "start-embarked": -1, "reserves": 0}
    while kind(battle) in answers:
        decision = battle.decision
        asked.append((decision.player, decision.kind, decision.subject))
        battle.apply(decision.options[answers[decision.kind]])
    assert asked == [
        (0, "hover-mode", air.row),
        (0, "attach-leader", hero.row),
        (0, "start-embarked", squad.row),
        (0, "reserves", air.row),
        (0, "reserves", carrier.row),
        (1, "reserves", 4),
    ]
    assert battle.units.carrier[squad] == carrier.row
    assert battle.units.bodyguard[hero] == squad.row


# ---------------------------------------------------------------- Reserves


@pytest.mark.rule("w10.transport.disembark.from-reserves")
def test_passengers_of_a_transport_that_arrives_are_set_up_model_by_model() -> None:
    """The TRANSPORT is placed with its facing, then its player says who gets out, then each model is placed."""
    scene = Scene()
    bus = sheet(
        "Bus", hull_in=(5, 3), keywords=("VEHICLE", "TRANSPORT"), models=(1, 1),
        abilities={"transport": {"capacity": 12, "allowed": ["INFANTRY"]}, "deep_strike": True},
    )  # fmt: skip
    carrier = scene.unit(0, bus, models=1, reserves="deep-strike")
    squad = scene.unit(0, sheet("Squad"), models=2, embarked_in=carrier)
    scene.unit(0, sheet("Others"), at=(5, 5))
    scene.unit(1, sheet("Theirs"), at=(55, 40))
    battle = scene.battle(round=2, detail="full")
    play_until(battle, "select-reserves")
    pick(battle, "Bus")
    kinds = []
    while kind(battle) != "select-to-disembark":
        kinds.append(kind(battle))
        battle.apply(battle.decision.options[len(battle.decision.options) // 2])
    assert kinds == ["place-facing", "place-model", "place-exactly"]
    pick(battle, "Squad")
    for model in (squad.model(0), squad.model(1)):
        assert kind(battle) == "place-model"
        choose(battle, "cell", slots(battle, "cell")[0])
        choose(battle, "cell", slots(battle, "cell")[0])
        assert battle.models.on_table[model] == 1
    assert kind(battle) != "select-to-disembark"


@pytest.mark.rule("w10.stratagem.rapid-ingress")
def test_a_unit_that_arrives_by_rapid_ingress_is_set_up_model_by_model() -> None:
    scene = Scene()
    scene.unit(0, sheet("Movers"), at=(5, 5))
    diver = scene.unit(1, sheet("Divers", abilities={"deep_strike": True}), models=2, reserves="deep-strike")
    scene.unit(1, sheet("Others"), at=(55, 40))
    battle = scene.battle(round=2, detail="full", cp=(0, 1))
    play_until(battle, "rapid-ingress")
    assert battle.decision.player == 1
    pick(battle, "Divers")
    for model in (diver.model(0), diver.model(1)):
        assert (kind(battle), battle.decision.player) == ("place-model", 1)
        choose(battle, "cell", slots(battle, "cell")[0])
        choose(battle, "cell", slots(battle, "cell")[0])
        assert battle.models.on_table[model] == 1
    assert [(e["player"], e["cp"]) for e in told(battle, "w10.stratagem.rapid-ingress")] == [(1, 0)]


# ---------------------------------------------------------------- shooting


@pytest.mark.rule("w10.stratagem.smokescreen")
def test_smokescreen_is_asked_once_all_weapons_have_targets() -> None:
    """Two models, one weapon each: two targets, then the Stratagem, before any die is rolled."""
    scene = Scene()
    guns = scene.unit(0, sheet("Guns", weapons={"gun": ranged(24)}), at=[(10, 10), (11.5, 10)])
    scene.unit(1, sheet("Smokers", keywords=("INFANTRY", "SMOKE")), at=(10, 25))
    scene.unit(1, sheet("Others"), at=(20, 25))
    battle = scene.battle("shooting", detail="full", cp=(0, 1), rules={"stratagems": {"go-to-ground": "off"}})
    pick(battle, "Guns")
    for _ in range(2):
        assert (kind(battle), battle.decision.subject) == ("weapon-target", guns.row)
        pick(battle, "at Smokers")
    assert (kind(battle), battle.decision.player) == ("smokescreen", 1)
    pick(battle, "Smokescreen: Smokers")
    assert [(e["player"], e["cp"]) for e in told(battle, "w10.stratagem.smokescreen")] == [(1, 0)]


@pytest.mark.rule("w10.stratagem.grenade")
def test_grenades_are_thrown_at_a_chosen_unit() -> None:
    """Use it, with which of two units, at which of two enemy units; six dice, two mortal wounds."""
    scene = Scene()
    throwers = ("INFANTRY", "GRENADES")
    scene.unit(0, sheet("Near", keywords=throwers), at=(10, 10))
    scene.unit(0, sheet("Nearer", keywords=throwers), at=(12, 12))
    scene.unit(1, sheet("Left", W=5), at=(9, 17))
    right = scene.unit(1, sheet("Right", W=5), at=(13, 17))
    battle = scene.battle("shooting", detail="full", cp=(1, 0), dice=[4, 4, 1, 1, 1, 1])
    pick(battle, "use Grenade", kind="select-to-shoot")
    pick(battle, "Grenade: Nearer", kind="grenade")
    pick(battle, "Right", kind="grenade-target")
    assert battle.models.wounds[right.first] == 3


# ---------------------------------------------------------------- Charge phase


@pytest.mark.rule("w10.stratagem.tank-shock")
def test_squad_detail_asks_whom_a_tank_rams() -> None:
    """A charge into two units at once: which of them is rammed."""
    scene = Scene()
    hull = {"hull": melee(A=3, S=6)}
    tank = sheet("Tank", hull_in=(4, 4), keywords=("VEHICLE",), models=(1, 1), weapons=hull)
    scene.unit(0, tank, at=(20, 10))
    scene.unit(1, sheet("Left", W=9, T=9), at=(18.6, 16))
    right = scene.unit(1, sheet("Right", W=9, T=9), at=(21.4, 16))
    battle = scene.battle("charge", cp=(1, 0), dice=[6, 6, 5, 5, 5, 1, 1, 1])
    pick(battle, "Tank", kind="select-to-charge")
    pick(battle, "Left", kind="charge-target")
    pick(battle, "Right", kind="charge-target")
    pick(battle, "Tank Shock: Tank", kind="tank-shock")
    pick(battle, "Right", kind="tank-shock-target")
    assert battle.models.wounds[right.first] == 6


# ---------------------------------------------------------------- default delegates of squad detail


@pytest.mark.rule("w10.deploy.scouts.order")
def test_squad_detail_moves_scouts_in_the_order_of_the_list() -> None:
    scene = Scene()
    for number in (1, 2, 3):
        scene.unit(0, sheet(f"Scouts {number}", abilities=SCOUTS), models=1)
    scene.unit(1, sheet("Theirs"), models=1)
    battle = scene.battle("mission", rules={"first_player": 0})
    play_until(battle, "scout-move")
    order = []
    while kind(battle) == "scout-move":
        order.append(battle.decision.subject)
        choose(battle, "done")
    assert order == [0, 1, 2]


@pytest.mark.rule("w10.attack.deadly-demise.chain")
def test_squad_detail_resolves_deadly_demises_in_the_order_of_destruction() -> None:
    """P explodes and destroys Q and R, in this order: Q rolls first."""
    scene = Scene()
    gun = {"gun": ranged(48, A=1, BS=2, S=20, AP=-6, D=9)}
    scene.unit(0, sheet("Gunner", weapons=gun), at=(20, 42))
    for name, x, wounds in (("P", 20, 9), ("Q", 15, 1), ("R", 25, 1)):
        data = sheet(name, W=9, T=10, Sv=3, keywords=("VEHICLE",), abilities={"deadly_demise": 3})
        scene.unit(1, data, at=(x, 20), wounds=[wounds])
    battle = scene.battle("shooting", dice=[6, 6, 1, 6, 5, 4])  # hit, wound, failed save, the three Deadly Demises
    pick(battle, "Gunner")
    if kind(battle) == "shoot-target":
        pick(battle, "P")
    rolls = [(e["model"] - 1, e["roll"]) for e in told(battle, "w10.attack.deadly-demise")]
    assert rolls == [(0, 6), (1, 5), (2, 4)]


@pytest.mark.rule("w10.concepts.reroll.optional")
def test_squad_detail_re_rolls_the_lowest_die_that_fails() -> None:
    """Of the hit rolls 4, 2, 1 (4+) the 1 is rolled again to 5: two hits; with 4, 5, 6 nothing is."""
    for rolls, again, hits in (([4, 2, 1], [5], 2), ([4, 5, 6], [], 3)):
        scene = Scene()
        scene.unit(0, sheet("Guns", weapons={"gun": ranged(24, A=3)}), at=(10, 10))
        scene.unit(1, sheet("Target", W=9, Sv=2), at=(10, 20))
        rules = {"rerolls": [{"player": 0, "roll": "hit"}]}
        battle = scene.battle("shooting", dice=[*rolls, *again, *[1] * hits], rules=rules)
        pick(battle, "Guns")
        assert dice_left(battle) == 0
        assert len(told(battle, "w10.attack.wound.roll")) == hits
        assert len(told(battle, "w10.concepts.reroll.optional")) == len(again)


# ---------------------------------------------------------------- Falling Back


@pytest.mark.rule("w10.stratagem.command-re-roll")
def test_full_detail_re_rolls_a_failed_desperate_escape_test() -> None:
    """One of two models is declared to cross enemies and rolls a 1; rolled again it escapes on a 3."""
    scene = Scene()
    mine = scene.unit(0, sheet("Mine"), at=[(20, 10), (21.5, 10)])
    for x in (20.0, 21.5):
        scene.unit(1, sheet("Enemy"), at=(x, 11.5))
    battle = scene.battle("movement", detail="full", cp=(1, 0), dice=[1, 3])
    pick(battle, "Fall Back", kind="move-kind")
    assert kind(battle) == "fall-back-over"
    choose(battle, "model", 0)
    choose(battle, "done")
    assert (kind(battle), battle.decision.player) == ("command-re-roll-test", 0)
    pick(battle, "Command Re-roll: a failed test")
    assert battle.units.alive[mine] == 2
    assert dice_left(battle) == 0
    assert kind(battle) == "select-model"
