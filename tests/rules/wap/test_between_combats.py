"""Close combat where one rule meets another: rules of a champion alone, who wins though his side does not, standards lost once, the ends of what dice can do."""

from __future__ import annotations

import pytest
from charging import HOLD, charge, over, react
from results import play, scored, state

from wh_env import Battle
from wh_env.core.tables import DESTROYED, RESERVE
from wh_env.rulesets.wap.basics.contacts import foes_of
from wh_env.rulesets.wap.battle.victory import score, wiped_out
from wh_env.rulesets.wap.breaking.break_tests import BreakTests
from wh_env.rulesets.wap.casualties.removing import slay
from wh_env.rulesets.wap.codes import BROKEN, CHARGED, DREW, FLED, HELD, REAR, RIGHT, WON
from wh_env.rulesets.wap.pursuit.choices import PursueOrRestrain
from wh_env.testing import dice_left, kind, pick, told
from wh_env.testing.play import script
from wh_env.testing.wap import NORTH, RegimentScene, UnitHandle, fight, fought, other_combats, square

RESTRAIN = ("wap.pursuit.restrain-test", "wap.special.frenzy.restrain", "wap.special.hatred.restrain")


def restraint(rule: str, *, champion: str, lost_by: int, dice: list[int]) -> tuple[Battle, UnitHandle]:
    """A unit whose champion alone has a special rule tries to restrain itself; he may live, be slain, or never have been there."""
    scene = RegimentScene()
    a = scene.unit(
        0,
        square(ld=8, champion_rules=[rule]),
        (24, 20),
        models=10,
        files=5,
        command=("champion",) if champion != "none" else (),
    )
    b = scene.beside(a, 1, models=10, files=5)
    other_combats(scene)

    def then(battle: Battle) -> None:
        if champion == "slain":
            slay(battle, a.model())

    battle = scene.battle("combat", dice=dice, set_state=fought(won=[a], broken=[b], lost_by=lost_by, then=then))
    pick(battle, "restrain")
    return battle, a


@pytest.mark.parametrize(("champion", "needs"), [("lives", 5), ("slain", 8), ("none", 8)])
@pytest.mark.rule("wap.special.frenzy.restrain")
def test_one_frenzied_model_is_enough_to_be_hard_to_restrain(champion: str, needs: int) -> None:
    """Leadership 8, won by 3: his champion alone is frenzied."""
    battle, a = restraint("Frenzy", champion=champion, lost_by=3, dice=[1, 1, 6, 6])
    tests = [note for rule in RESTRAIN for note in told(battle, rule) if "leadership" in note]
    assert [(note["unit"], note["leadership"]) for note in tests] == [(a.row, needs)]


@pytest.mark.parametrize(("champion", "again"), [("lives", True), ("slain", False), ("none", False)])
@pytest.mark.rule("wap.special.hatred.restrain")
def test_who_is_not_there_hates_nobody(champion: str, again: bool) -> None:
    """The champion of the sheet hates all; where he has fallen, or was never bought, a passed test stands."""
    battle, _ = restraint("Hatred", champion=champion, lost_by=1, dice=[1, 1, 1, 2, 6, 6])
    assert bool(told(battle, "wap.special.hatred.restrain")) is again
    assert told(battle, "wap.pursuit.flee-roll")


@pytest.mark.parametrize(("champion", "loses"), [("lives", True), ("none", False)])
@pytest.mark.rule("wap.special.frenzy.loss")
def test_who_has_no_frenzied_model_loses_no_frenzy(champion: str, loses: bool) -> None:
    scene = RegimentScene()
    a = scene.unit(
        0,
        square(champion_rules=["Frenzy"]),
        (24, 20),
        models=10,
        files=5,
        command=("champion",) if champion == "lives" else (),
    )
    b = scene.beside(a, 1, models=10, files=5)
    battle = scored(scene, a, {(b, a): 3})
    assert battle.units.outcome[a] == HELD
    assert [note["unit"] for note in told(battle, "wap.special.frenzy.loss")] == ([a.row] if loses else [])


@pytest.mark.parametrize("drew", [False, True])
@pytest.mark.rule("wap.special.frenzy.loss", "wap.multi.break.draw")
def test_a_frenzied_unit_that_drew_its_own_fight_on_a_beaten_side_keeps_its_frenzy(drew: bool) -> None:
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 24), models=20, files=5)
    b = scene.beside(a, 1, square(rules=["Frenzy"]), models=20, files=5)
    c = scene.beside(a, 1, side=RIGHT, models=4, files=4)
    battle = scored(scene, a, {(b, a): 1, (a, b): 1, (a, c): 3} if drew else {(a, b): 4, (a, c): 2})
    assert battle.units.outcome[c] == HELD
    assert battle.units.outcome[b] == (DREW if drew else HELD)
    assert bool(told(battle, "wap.special.frenzy.loss")) is not drew


# ---------------------------------------------------------------- the ends of what dice can do


@pytest.mark.parametrize(("ld", "lost_by", "roll", "holds"), [
    (10, 8, (1, 1), True), (10, 9, (1, 1), False), (10, 10, (), False), (10, 0, (6, 5), False), (10, 0, (5, 5), True),
    (2, 0, (1, 1), True), (2, 0, (1, 2), False), (2, 1, (1, 1), False), (2, 2, (), False), (1, 0, (1, 1), False), (0, 0, (), False),
])  # fmt: skip
@pytest.mark.rule("wap.break.test", "wap.break.automatic")
def test_break_tests_of_the_best_and_the_worst(ld: int, lost_by: int, roll: tuple[int, ...], holds: bool) -> None:
    """No dice where nothing is left; a 2 is not enough for a Leadership of 1."""
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 24), models=5)
    b = scene.beside(a, 1, square(ld=ld), models=5)
    battle = scored(scene, a)
    battle.units.outcome[b], battle.units.penalty[b] = HELD, lost_by
    play(battle, BreakTests, dice=[*roll, 3])
    assert battle.units.outcome[b] == (HELD if holds else BROKEN)
    assert dice_left(battle) == 1
    steady = told(battle, "wap.break.automatic")
    assert bool(steady) is (not roll)


@pytest.mark.parametrize(
    ("ld", "roll", "holds"), [(2, (1, 1), True), (2, (1, 2), False), (10, (5, 5), True), (10, (5, 6), False)]
)
@pytest.mark.rule("wap.break.steadfast.effect")
def test_the_steadfast_never_break_without_dice(ld: int, roll: tuple[int, int], holds: bool) -> None:
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 24), models=5)
    b = scene.beside(a, 1, square(ld=ld), models=20, files=5)
    battle = scored(scene, a, {(a, b): 9})
    assert battle.units.steadfast[b] == 1 and battle.units.outcome[b] == HELD
    play(battle, BreakTests, dice=list(roll))
    assert battle.units.outcome[b] == (HELD if holds else BROKEN)


@pytest.mark.parametrize(("s", "t", "poison", "needed"), [
    (10, 1, False, 2), (1, 10, False, 6), (10, 10, False, 4), (10, 1, True, 1), (1, 10, True, 5), (5, 4, False, 3), (4, 5, False, 5),
])  # fmt: skip
@pytest.mark.rule("wap.combat.wound.table", "wap.combat.wound.natural")
def test_strengths_and_toughnesses_at_their_ends(s: int, t: int, poison: bool, needed: int) -> None:
    """A natural 1 wounds nobody, whatever the dice need; a natural 6 wounds everybody."""
    scene = RegimentScene()
    a = scene.unit(0, square(s=s, i=9, rules=["Poisoned Attacks"] if poison else []), (24, 24), models=5)
    scene.beside(a, 1, square(t=t, a=0), models=5)
    battle = scene.battle("combat", run=False, dice=[6] * 5 + [1, 1, max(2, needed), 6, 6])
    fight(battle, a)
    [note] = told(battle, "wap.combat.wound.roll")
    assert (note["needed"], note["result"]) == (needed, 3)


@pytest.mark.parametrize("a0", [True, False])
@pytest.mark.rule("wap.profile.zero", "wap.result.draw")
def test_who_has_no_attacks_fights_all_the_same(a0: bool) -> None:
    """Nobody rolls a die; the result is counted, and both stay."""
    scene = RegimentScene()
    a = scene.unit(0, square(a=0), (24, 24), models=5)
    b = scene.beside(a, 1, square(a=0 if a0 else 1), models=5)
    other_combats(scene)
    battle = scene.battle("combat", dice=[1] * 60)
    pick(battle, f"{battle.setup.names['units'][a.row]} against {battle.setup.names['units'][b.row]}")
    struck = {note["unit"] for note in told(battle, "wap.combat.hit.roll")} & {a.row, b.row}
    assert struck == (set() if a0 else {b.row})
    assert battle.units.fights[a] == 1 and told(battle, "wap.result.draw")


# ---------------------------------------------------------------- who has nobody left


@pytest.mark.parametrize(("side_wins", "asked"), [(True, True), (False, False)])
@pytest.mark.rule("wap.pursuit.overrun", "wap.multi.no-enemy-left")
def test_who_has_wiped_out_his_enemy_overruns_if_his_side_has_won(side_wins: bool, asked: bool) -> None:
    """``a`` charged and has slain all of ``b``; its friend ``d`` goes on fighting ``c``, which wins for its side or does not."""
    scene = RegimentScene((60, 60))
    a = scene.unit(0, None, (20, 20), models=5, did=CHARGED)
    b = scene.beside(a, 1, models=5, files=5, name="b")
    d = scene.beside(b, 0, side=REAR, models=5, name="d")
    c = scene.beside(d, 1, side=REAR, models=5 if side_wins else 20, files=5, name="c")
    battle = scored(scene, a, {(a, b): 5}, charging=[a])
    assert battle.units.outcome[a] == (WON if side_wins else DREW)
    assert battle.units.fights[a] == 0 and battle.units.fights[d] == 1 and c.row in foes_of(battle, d.row)
    told_of = state(battle, a)
    assert told_of["targets"] == () and told_of["wounds"] == 5
    play(battle, PursueOrRestrain)
    assert (kind(battle) == "after-victory") is asked


@pytest.mark.rule("wap.victory.standards")
def test_a_standard_that_fell_in_the_fight_does_not_fall_again_when_the_rest_is_caught() -> None:
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 20), models=10, files=5)
    b = scene.beside(a, 1, models=6, files=5, command=("standard", "musician"))
    other_combats(scene)

    def then(battle: Battle) -> None:
        slay(battle, b.model(0))

    battle = scene.battle("combat", dice=[1, 1, 6, 6], set_state=fought(won=[a], broken=[b], then=then))
    pick(battle, "pursues")
    assert battle.units.place[b] == DESTROYED and list(battle.players.standards) == [1, 0]


@pytest.mark.rule("wap.pursuit.off-table", "wap.victory.points", "wap.battle.end")
def test_who_is_off_the_table_in_pursuit_when_the_battle_ends_has_lost_nothing() -> None:
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 40), models=10, files=5, points=200)
    b = scene.beside(a, 1, models=5, points=100)
    scene.unit(1, None, (4, 4), points=50)
    other_combats(scene)
    battle = scene.battle("combat", dice=[1, 1, 6, 6], set_state=fought(won=[a], broken=[b]))
    pick(battle, "pursues")
    assert battle.units.place[a] == RESERVE and battle.units.us[a] == 10
    assert not wiped_out(battle, 0)
    score(battle)
    assert a.row not in [
        note["unit"] for rule in ("decimated", "dead-or-fled") for note in told(battle, f"wap.victory.{rule}")
    ]


# ---------------------------------------------------------------- between a declaration and its move


@pytest.mark.rule("wap.charge.resolve.order", "wap.panic.friend-destroyed")
def test_a_charger_that_panics_before_its_charge_is_made_makes_none() -> None:
    """Both have declared; the first fails across dangerous ground and dies there to the last; the other panics and is not asked for any more."""
    scene = RegimentScene((72, 60))
    doomed = scene.unit(0, square(ld=7), (18, 12), models=10, files=10)
    second = scene.unit(0, square(ld=7), (27, 12), models=5, files=5)
    scene.unit(0, None, (60, 4))
    scene.area("dangerous", 12, 12.5, 24, 14)
    one = scene.unit(1, None, (18, 21.5), models=5, files=5)
    two = scene.unit(1, None, (28, 21.5), models=5, files=5)
    battle = scene.battle("movement", detail="full")
    for unit, foe in ((doomed, one), (second, two)):
        charge(battle, unit, foe)
        react(battle, HOLD)
    over(battle)
    assert kind(battle) == "charge-order"
    # charge roll, ten tests that all fail, the panic test, the flight
    script(battle, [1, 1, *[1] * 10, 6, 6, 1, 2])
    battle.apply(battle.setup.space.own + doomed.number)
    while kind(battle) not in ("select-to-move", "charge-order", None):
        battle.apply(battle.first_legal())
    assert battle.units.place[doomed] == DESTROYED
    assert (
        battle.units.fleeing[second] == 1 and not battle.units.did[second] & CHARGED and battle.units.did[second] & FLED
    )
    assert kind(battle) == "select-to-move"
    assert battle.units.fights[two] == 0


@pytest.mark.rule("wap.charge.fleeing.us10", "wap.charge.unusual.fails")
def test_whose_fleeing_target_another_charger_has_run_down_goes_straight_on() -> None:
    scene = RegimentScene((60, 60))
    first = scene.unit(0, None, (20, 20), models=10, files=5)
    second = scene.unit(0, None, (27, 20), models=5, files=5)
    prey = scene.unit(1, None, (23.5, 26), models=5, files=5, facing=NORTH, fleeing=1)
    scene.unit(0, None, (50, 4))
    scene.unit(1, None, (50, 50))
    battle = scene.battle("movement", dice=[1, 1])
    for unit in (first, second):
        charge(battle, unit, prey)
    script(battle, [6, 5, 6, 4, *[6] * 8])
    over(battle)
    while kind(battle) != "select-to-move":
        battle.apply(battle.first_legal())
    went = {note["unit"]: note["far"] for note in told(battle, "wap.charge.failed")}
    ran = {note["unit"] for note in told(battle, "wap.charge.fleeing.us10")} | {
        note["unit"] for note in told(battle, "wap.charge.fleeing.wounds")
    }
    assert len(ran) == 1 and set(went) == {first.row, second.row} - ran
    assert 0.0 < next(iter(went.values())) <= 6.0
