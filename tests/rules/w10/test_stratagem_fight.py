"""Stratagems of the Fight phase: Counter-offensive and Epic Challenge (w10.stratagem.counter-offensive, .epic-challenge)."""

from __future__ import annotations

import pytest

from wh_env.rulesets.w10.codes import Phase
from wh_env.testing import Scene, dice_left, kind, melee, pick, play_until, sheet, slots, told, words

POOR = {"cp_each_command_phase": 0}


def fought(battle):
    """Units selected to fight so far, in order, with the step."""
    return [(e["unit"], e["step"]) for e in told(battle, "w10.fight.alternate")]


def go_on(battle, kinds=("pile-in", "fight-target", "consolidate")):
    """Stay where moves are offered."""
    while kind(battle) in kinds:
        battle.apply(battle.first_legal())


def finish(battle):
    """Play the Fight phase to its end."""
    while battle.clock.phase[0] == Phase.FIGHT:
        battle.apply(battle.first_legal())


# ---------------------------------------------------------------- Counter-offensive


def brawl(cp=(0, 2), **columns):
    """A1 and A2 charged; B1 (engaged with both) did not; rows: A1 0, A2 1, B1 2, B2 3."""
    scene = Scene()
    scene.unit(0, sheet("A1", W=9), at=(20, 10), charged=1)
    scene.unit(0, sheet("A2", W=9), at=(21.5, 10), charged=1)
    scene.unit(1, sheet("B1", W=9), at=(20.75, 11.5), **columns)
    scene.unit(1, sheet("B2", W=9), at=(22.5, 11.3))
    return scene.battle("fight", cp=cp, rules=POOR)


@pytest.mark.rule("w10.stratagem.counter-offensive", "w10.stratagem.counter-offensive.resume")
def test_a_unit_without_fights_first_fights_before_the_second_charger():
    """After A1: B uses it on B1, which fights now, in the Fights First step; then A2; B1 is not available in step 2."""
    battle = brawl()
    pick(battle, "A1", kind="select-to-fight")
    go_on(battle)
    assert (kind(battle), battle.decision.player) == ("counter-offensive", 1)
    assert sorted(words(battle).values()) == ["Counter-offensive: B1", "Counter-offensive: B2", "no Counter-offensive"]
    pick(battle, "Counter-offensive: B1")
    assert battle.players.cp[1] == 0
    assert fought(battle) == [(0, 1), (2, 1)]
    go_on(battle)
    assert fought(battle)[:3] == [(0, 1), (2, 1), (1, 1)]  # A2 is next, in the same step
    go_on(battle)
    assert fought(battle) == [(0, 1), (2, 1), (1, 1), (3, 2)]  # in step 2 only B2 is left


@pytest.mark.rule("w10.stratagem.counter-offensive")
def test_without_it_the_second_charger_comes_first():
    battle = brawl()
    pick(battle, "A1", kind="select-to-fight")
    go_on(battle)
    pick(battle, "no Counter-offensive")
    assert fought(battle)[:2] == [(0, 1), (1, 1)]
    assert battle.players.cp[1] == 2


@pytest.mark.rule("w10.stratagem.counter-offensive.resume")
def test_selection_goes_on_with_the_other_player_even_where_a_third_unit_waits():
    """Step 1: A1, B1 by Counter-offensive, then A selects among A2 and C0 (which charged too), not B."""
    scene = Scene()
    for n, x in enumerate((20, 21.5, 23)):
        scene.unit(0, sheet(f"A{n + 1}", W=9), at=(x, 10), charged=1)
    scene.unit(1, sheet("B1", W=9), at=(20.75, 11.5))
    scene.unit(1, sheet("B2", W=9, abilities={"fights_first": True}), at=(22.25, 11.5))
    battle = scene.battle("fight", cp=(0, 2), rules=POOR)
    pick(battle, "A1", kind="select-to-fight")
    go_on(battle)
    pick(battle, "Counter-offensive: B1")
    go_on(battle)
    assert (kind(battle), battle.decision.player) == ("select-to-fight", 0)
    assert sorted(words(battle).values()) == ["A2", "A3"]


@pytest.mark.rule("w10.stratagem.counter-offensive")
def test_who_can_be_its_target():
    """Not a unit that has been selected to fight, none out of Engagement Range, none that is Battle-shocked."""
    for columns, offered in (({}, 1), ({"fought": 1}, 1), ({"shocked": 1}, 0)):
        scene = Scene()
        scene.unit(0, sheet("A1", W=9), at=(20, 10), charged=1)
        scene.unit(0, sheet("A2", W=9), at=(21.5, 10), charged=1)
        scene.unit(1, sheet("B1", W=9), at=(20.75, 11.5), **columns)
        scene.unit(1, sheet("B2", W=9), at=(40, 40))
        battle = scene.battle("fight", cp=(0, 2), rules=POOR)
        pick(battle, "A1")
        go_on(battle)
        found = [w for w in words(battle).values() if w.startswith("Counter-offensive")]
        assert found == ["Counter-offensive: B1"][:offered]
    # used in the phase by the unit itself: B1 fought for the first Counter-offensive, and there is no second
    battle = brawl(cp=(0, 5))
    pick(battle, "A1")
    go_on(battle)
    pick(battle, "Counter-offensive: B1")
    go_on(battle)
    assert kind(battle) != "counter-offensive"
    assert battle.players.cp[1] == 3


@pytest.mark.rule("w10.stratagem.counter-offensive", "w10.terrain.barricades.other-phases")
@pytest.mark.parametrize(("gap", "offered"), [(1.6, ["B2"]), (1.0, ["B1", "B2"])])
def test_across_a_barricade_a_unit_is_not_within_engagement_range(gap, offered):
    """B1 may fight A2 across a barricade 1.6" away, but Counter-offensive wants an enemy within 1"."""
    scene = Scene()
    scene.box(20, 20, 30, 20.8, 1, kind="barricade")
    scene.unit(0, sheet("A1", W=9), at=(40, 10))
    scene.unit(0, sheet("A2", W=9), at=(25, 19.4))
    scene.unit(1, sheet("B1", W=9), at=(25, 20.4 + gap))
    scene.unit(1, sheet("B2", W=9), at=(40, 11.5))
    battle = scene.battle("fight", cp=(0, 2), rules=POOR)
    pick(battle, "A1", kind="select-to-fight")
    go_on(battle)
    assert kind(battle) == "counter-offensive"
    named = [w.removeprefix("Counter-offensive: ") for w in words(battle).values() if w.startswith("Counter")]
    assert sorted(named) == offered


@pytest.mark.rule("w10.stratagem.counter-offensive", "w10.stratagem.turn-marks")
def test_either_player_can_use_it_after_a_unit_of_the_other():
    """Nobody charged: A1 fights, then B1 in its turn; now A, with 2 CP, is asked; B with none was not."""
    scene = Scene()
    for n, x in enumerate((20, 21.5, 23)):
        scene.unit(0, sheet(f"A{n + 1}", W=9), at=(x, 10))
    scene.unit(1, sheet("B1", W=9), at=(20.75, 11.5))
    scene.unit(1, sheet("B2", W=9), at=(22.25, 11.5))
    battle = scene.battle("fight", cp=(2, 0), rules=POOR)
    pick(battle, "A1", kind="select-to-fight")
    go_on(battle)
    assert (kind(battle), battle.decision.player) == ("select-to-fight", 1)
    pick(battle, "B1")
    go_on(battle)
    assert (kind(battle), battle.decision.player) == ("counter-offensive", 0)
    pick(battle, "Counter-offensive: A3")
    assert fought(battle) == [(0, 2), (3, 2), (2, 2)]
    go_on(battle)
    assert fought(battle)[3] == (4, 2)  # then B again


@pytest.mark.rule("w10.stratagem.counter-offensive")
def test_it_costs_2_cp():
    battle = brawl(cp=(0, 1))
    pick(battle, "A1")
    go_on(battle)
    assert kind(battle) != "counter-offensive"


# ---------------------------------------------------------------- Epic Challenge


def duel(
    dice, *, cp=(1, 0), attached=True, detail="squad", champion=("INFANTRY", "CHARACTER"), retinue=False, rules=None
):
    """A champion (A 1, D 2) within 1 inch of a unit of two models, to which a Leader of 4 wounds is attached.

    Sv 6+ against AP -3: every save fails.
    """
    scene = Scene()
    blade = {"blade": melee(A=1, WS=3, S=4, AP=-3, D=2)}
    hero = sheet(
        "Champion", W=5, keywords=champion, weapons=blade, abilities={"leader": ["Retinue"]} if retinue else {}
    )
    if retinue:
        guard = scene.unit(0, sheet("Retinue", W=2, weapons=blade), at=(18.9, 10), models=1)
        scene.unit(0, hero, at=(20, 10), leads=guard)
    else:
        scene.unit(0, hero, at=(20, 10))
    squad = scene.unit(1, sheet("Squad", W=3, Sv=6), at=[(20, 11.5), (18.9, 11.5)])
    if attached:
        lord = sheet("Lord", W=4, Sv=6, keywords=("INFANTRY", "CHARACTER"), abilities={"leader": ["Squad"]})
        scene.unit(1, lord, at=(21.1, 11.5), leads=squad)
    battle = scene.battle("fight", cp=cp, dice=dice, rules={**POOR, **(rules or {})}, detail=detail)
    if kind(battle) == "select-to-fight":
        battle.apply(battle.first_legal())
    return battle


@pytest.mark.rule("w10.stratagem.epic-challenge")
def test_the_champions_wound_goes_to_the_enemy_leader():
    """Squad detail: the wounding attack of D 2 takes two wounds of the Lord; 1 CP becomes 0."""
    battle = duel([3, 4, 6])
    assert (kind(battle), battle.decision.player, battle.decision.subject) == ("epic-challenge", 0, 0)
    assert sorted(words(battle).values()) == ["Epic Challenge: Champion 1", "no Epic Challenge"]
    pick(battle, "Epic Challenge: Champion 1")
    assert battle.players.cp[0] == 0
    finish(battle)
    assert battle.models.wounds[3] == 2
    assert [battle.models.wounds[k] for k in (1, 2)] == [3, 3]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.stratagem.epic-challenge")
def test_without_it_a_bodyguard_takes_the_wound():
    battle = duel([3, 4, 6])
    pick(battle, "no Epic Challenge")
    finish(battle)
    assert battle.models.wounds[3] == 4
    assert sum(battle.models.wounds[k] for k in (1, 2)) == 4
    assert battle.players.cp[0] == 1


@pytest.mark.rule("w10.stratagem.epic-challenge")
def test_full_detail_asks_the_attacker_who_may_leave_it():
    battle = duel([3, 4, 6], detail="full", rules={"stratagems": {"command-re-roll": "off"}})
    pick(battle, "Epic Challenge: Champion 1")
    play_until(battle, "precision")
    assert battle.decision.player == 0
    assert slots(battle, "model") == [2]  # the Lord; or leave it to the defender
    assert slots(battle, "done") == [0]


@pytest.mark.rule("w10.stratagem.epic-challenge")
def test_the_attacks_of_other_models_of_its_unit_do_not_get_precision():
    """The Retinue fights with the same weapon: its wound goes to a Bodyguard, the Champion's to the Lord."""
    battle = duel([3, 4, 6, 3, 4, 6], retinue=True)
    pick(battle, "Epic Challenge: Champion 1")
    finish(battle)
    lord = [k for k in range(len(battle.models.x)) if battle.models.max_wounds[k] == 4]
    assert [battle.models.wounds[k] for k in lord] == [2]
    assert sum(e["result"] for e in told(battle, "w10.attack.allocate.choice")) == 1  # one allocation by Precision
    assert len(told(battle, "w10.attack.allocate.choice")) == 2
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.stratagem.epic-challenge")
def test_not_near_other_units_without_cp_or_without_a_character():
    assert kind(duel([3, 4, 6], attached=False)) != "epic-challenge"
    assert kind(duel([3, 4, 6], cp=(0, 3))) != "epic-challenge"
    assert kind(duel([3, 4, 6], champion=("INFANTRY",))) != "epic-challenge"
    off = duel([3, 4, 6], rules={"stratagems": {"epic-challenge": "off"}})
    assert kind(off) != "epic-challenge"


@pytest.mark.rule("w10.stratagem.epic-challenge", "w10.stratagem.once-per-phase")
def test_once_in_a_phase():
    """Two CHARACTER units and 5 CP: the second one is not offered it."""
    scene = Scene()
    for n, x in enumerate((19, 20.5)):
        scene.unit(0, sheet(f"Champion {n}", W=5, keywords=("INFANTRY", "CHARACTER")), at=(x, 10), charged=1)
    squad = scene.unit(1, sheet("Squad", W=9), at=[(19.7, 11.4)])
    lord = sheet("Lord", W=4, keywords=("INFANTRY", "CHARACTER"), abilities={"leader": ["Squad"]})
    scene.unit(1, lord, at=(20.8, 11.4), leads=squad)
    battle = scene.battle("fight", cp=(5, 0), rules=POOR)
    pick(battle, "Champion 0", kind="select-to-fight")
    pick(battle, "Epic Challenge: Champion 0 1")
    go_on(battle)
    while kind(battle) == "select-to-fight":
        battle.apply(battle.first_legal())
        go_on(battle)
        assert kind(battle) != "epic-challenge" or battle.decision.player == 1
    assert [unit for unit, _ in fought(battle)][:2] == [0, 1]
    assert battle.players.cp[0] == 4
