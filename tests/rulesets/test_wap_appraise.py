"""What greedy makes of a round of regiments and of what follows it: of each kind a position where the better choice is taken and one where it is left."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import pi
from typing import Any

import numpy as np
import pytest
from heroes import hero

from wh_env import Battle
from wh_env.agents.policies import make
from wh_env.core.tables import DESTROYED
from wh_env.rulesets.wap.codes import DREW, FRONT, RIGHT, WON
from wh_env.rulesets.wap.view.appraise_aftermath import (
    Aftermath,
    chance_to_catch,
    chance_to_desert,
    chance_to_restrain,
    totals,
    way_of_flight,
    worth_of_catching,
)
from wh_env.rulesets.wap.view.appraise_blows import exchange, worth_of_attacks
from wh_env.rulesets.wap.view.appraise_combat import wounds_on_average
from wh_env.rulesets.wap.view.appraise_reforms import best_reform
from wh_env.rulesets.wap.view.odds import binomial, round_odds
from wh_env.testing import kind, pick, script, told, words
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, fight, fought, square

BOTH = pytest.mark.parametrize("owner", [0, 1])


def choice(battle: Battle) -> str:
    """The words of what greedy does; it changes nothing."""
    before = battle.state_bytes()
    told = words(battle)[make("greedy").act(battle, battle.legal())]
    assert battle.state_bytes() == before
    return told


# ---------------------------------------------------------------- chances, against all dice


def test_sums_of_dice_against_all_dice():
    assert totals(2, 2)[7] == 6 / 36 and totals(2, 2)[2] == totals(2, 2)[12] == 1 / 36 and totals(2, 2)[1] == 0.0
    for dice, best in ((1, 1), (2, 2), (3, 2), (3, 3)):
        assert len(totals(dice, best)) == 6 * best + 1
        assert sum(totals(dice, best)) == pytest.approx(1.0)
    assert totals(3, 2)[12] == pytest.approx(16 / 216)


def beaten(
    winner: dict[str, Any] | None = None, loser: dict[str, Any] | None = None, owner: int = 0, *, models: int = 20, losers: int = 20,
    command: tuple[str, ...] = (), lost_by: int = 1, at: tuple[float, float] = (24, 20), ahead: str | None = None, gap: float = 3.0,
    facing: float | None = None, detail: str = "squad",
) -> tuple[Battle, UnitHandle, UnitHandle]:  # fmt: skip
    """A unit of ``owner`` has broken another one, front to front; ``ahead``: the card of who stands so many inches behind that."""
    scene = RegimentScene()
    a = scene.unit(
        owner, square(**(winner or {})), at, models=models, files=5, command=command, facing=NORTH, name="winner"
    )
    b = scene.beside(a, 1 - owner, square(**(loser or {})), models=losers, files=5, name="loser")
    if ahead is not None:
        y = at[1] + -(-losers // 5) + gap
        turned = SOUTH if facing is None else facing
        scene.unit(
            1 - owner,
            ahead,
            (24, y),
            models=25,
            files=5,
            command=("champion", "standard", "musician"),
            facing=turned,
            name="ahead",
        )
    done = fought(won=[a], broken=[b], lost_by=lost_by)
    return scene.battle("combat", player=owner, detail=detail, set_state=done), a, b


@pytest.mark.parametrize(("rules", "ld", "champion", "lost_by"), [
    ([], 7, False, 1), ([], 7, True, 1), (["Hatred"], 8, False, 1), (["Hatred"], 8, True, 1), (["Frenzy"], 8, False, 3), (["Frenzy"], 3, False, 3),
])  # fmt: skip
def test_the_chance_to_restrain_is_that_of_all_dice(rules: list[str], ld: int, champion: bool, lost_by: int):
    """Each roll is played, with each second one where there may be one."""
    command = ("champion",) if champion else ()
    battle, a, b = beaten({"rules": rules, "ld": ld}, command=command, lost_by=lost_by)
    second = product(range(1, 7), repeat=2) if champion or rules == ["Hatred"] else [(6, 6)]
    again, passed = list(second), 0
    for first, other in product(product(range(1, 7), repeat=2), again):
        copy = battle.clone(1)
        script(copy, [*first, *other])
        pick(copy, "restrain")
        passed += kind(copy) == "after-victory"  # who pursues is not asked
    share = passed / (36 * len(again))
    assert chance_to_restrain(battle, a.row, [b.row]) == pytest.approx(share)


def test_who_flees_is_caught_as_often_as_all_dice_say():
    battle, a, b = beaten()
    assert chance_to_catch(battle, a.row, b.row) == pytest.approx(721 / 1296)
    battle, a, b = beaten({"rules": ["Swiftstride"], "m": 8})
    rolls = [sum(dice) for dice in product(range(1, 7), repeat=3)]
    flees = [sum(dice) for dice in product(range(1, 7), repeat=2)]
    right = sum(far >= other for far in rolls for other in flees) / (216 * 36)
    assert chance_to_catch(battle, a.row, b.row) == pytest.approx(right)


@pytest.mark.parametrize("y", [30.0, 37.0, 38.0, 38.5, 43.0])
def test_who_comes_to_the_edge_is_lost_anyway(y: float):
    """Four ranks of an inch flee north from y: every flee roll is played."""
    battle, _, b = beaten(at=(24, y))
    lost = 0
    for dice in product(range(1, 7), repeat=2):
        copy = battle.clone(1)
        script(copy, [1, 1, *dice])
        pick(copy, "restrain")
        lost += copy.units.place[b] == DESTROYED
    assert (lost > 0) is (y >= 37.0)
    assert chance_to_desert(battle, b.row, way_of_flight(battle, b.row)) == pytest.approx(lost / 36)


def test_a_catch_is_worth_what_flight_does_not_cost_already():
    """20 of 5 points: whom 20 pursue is caught whole; whom 3 pursue loses 6 of 20; at the edge there is nothing to gain but the standard."""
    battle, a, b = beaten()
    way = way_of_flight(battle, b.row)
    all_of_it = worth_of_catching(battle, a.row, b.row, way)
    assert all_of_it == pytest.approx(721 / 1296 * 0.6 * 100)
    battle, a, b = beaten(models=3)
    assert worth_of_catching(battle, a.row, b.row, way) == pytest.approx(0.3 * all_of_it)
    battle, a, b = beaten(at=(24, 43.9))
    assert worth_of_catching(battle, a.row, b.row, way) == pytest.approx(0.0)


# ---------------------------------------------------------------- pursue or restrain


@BOTH
def test_who_has_nobody_behind_whom_he_has_beaten_pursues(owner: int):
    battle, _, _ = beaten(owner=owner)
    assert choice(battle) == "winner pursues loser"


@BOTH
def test_who_would_run_into_a_great_block_stays(owner: int):
    """A few cheap ones have broken before the old guard."""
    battle, a, b = beaten(owner=owner, loser={"points": 2}, losers=5, ahead="old guard")
    assert choice(battle) == "winner tries to restrain itself"
    found = Aftermath(battle.clone(), {}).choice(a.row, [b.row])
    assert found.pursuits[b.row] < found.restrains < found.stays
    battle, _, _ = beaten(owner=owner, loser={"points": 2}, losers=5, ahead="old guard", gap=22.0)
    assert choice(battle) == "winner pursues loser"


def test_who_would_run_into_a_rear_pursues():
    """The same block with its rear to the pursuers."""
    battle, _, _ = beaten(loser={"points": 2}, losers=5, ahead="skulkers", gap=8.0, facing=NORTH)
    assert choice(battle) == "winner pursues loser"


def test_of_two_broken_enemies_the_dearer_is_pursued():
    for dear in ("left", "right"):
        scene = RegimentScene()
        a = scene.unit(0, square(), (24, 20), models=20, files=5, name="winner")
        broken = [
            scene.beside(a, 1, square(points=20 if name == dear else 3), along=along, models=6, files=3, name=name)
            for name, along in (("left", 1.5), ("right", -1.5))
        ]
        battle = scene.battle("combat", set_state=fought(won=[a], broken=broken))
        assert choice(battle) == f"winner pursues {dear}"


# ---------------------------------------------------------------- overruns


def gone(ahead: str, gap: float, facing: float = SOUTH, models: int = 25) -> Battle:
    """A unit that charged has wiped out its enemy; another one stands so many inches ahead."""
    scene = RegimentScene()
    a = scene.unit(0, "knights", (24, 20), models=7, files=7, command=("standard",), did=1, charging=1, name="winner")
    scene.unit(1, ahead, (24, 20 + gap), models=models, files=5, facing=facing, command=("standard",), name="ahead")

    def state(battle: Battle) -> None:
        fought(won=[a])(battle)
        battle.units.outcome[a] = WON

    return scene.battle("combat", set_state=state)


def test_who_has_an_open_rear_ahead_overruns_and_who_has_a_great_block_ahead_does_not():
    assert kind(gone("skulkers", 4.0)) == "after-victory"
    assert choice(gone("skulkers", 5.0, facing=NORTH, models=10)) == "winner overruns"
    assert choice(gone("old guard", 3.0)) != "winner overruns"


# ---------------------------------------------------------------- combat reforms


def engaged(
    side: int, owner: int = 0, files: int = 5, wide: int = 5, card: Any = None, foes: int = 10
) -> tuple[Battle, UnitHandle, UnitHandle]:
    """A unit of 20 that drew a round against one at a side of it, asked whether it reforms."""
    scene = RegimentScene()
    a = scene.unit(owner, card or square(), (24, 24), models=20, files=files, name="mine")
    b = scene.beside(a, 1 - owner, square(), side=side, models=foes, files=wide, name="theirs")

    def state(battle: Battle) -> None:
        fought(won=[a], held=[b])(battle)
        battle.units.outcome[a] = battle.units.outcome[b] = DREW

    return scene.battle("combat", player=owner, set_state=state), a, b


@BOTH
def test_who_is_held_in_the_flank_turns_to_the_enemy(owner: int):
    battle, a, _ = engaged(RIGHT, owner)
    turned = float(battle.units.facing[a]) - 0.5 * pi
    assert (kind(battle), battle.decision and battle.decision.subject) == ("combat-reform", a.row)
    greedy = make("greedy")
    while battle.decision is not None and battle.decision.subject == a.row:
        assert kind(battle) == "combat-reform"
        battle.apply(greedy.act(battle, battle.legal()))
    while not told(battle, "wap.break.reform.how") and kind(battle) == "combat-reform":
        battle.apply(greedy.act(battle, battle.legal()))
    assert np.cos(battle.units.facing[a] - turned) == pytest.approx(1.0)


@BOTH
def test_who_stands_front_to_front_in_full_ranks_stays(owner: int):
    battle, _, _ = engaged(FRONT, owner)
    assert choice(battle) == "mine stays as it is"


def test_a_narrow_unit_against_a_wide_one_widens_if_its_blows_are_worth_more_than_its_ranks():
    """Four Attacks each: more in contact. No Attacks: ranks are all it has."""
    battle, a, _ = engaged(FRONT, wide=10, foes=40, card=square(a=4, ws=6, s=5, i=9))
    found = best_reform(battle.clone(), a.row, {})
    assert found is not None and found.files > 5
    battle, a, _ = engaged(FRONT, wide=10, foes=40, card=square(a=0))
    assert best_reform(battle.clone(), a.row, {}) is None


# ---------------------------------------------------------------- blows


def between(
    owner: int,
    men: dict[str, Any],
    others: dict[str, Any],
    models: tuple[int, int],
    strikes: int = 2,
    detail: str = "squad",
) -> Battle:
    """One model with some Attacks before two enemies, asked whom it strikes."""
    scene = RegimentScene()
    a = scene.unit(owner, square(a=strikes, i=9, ws=6, s=6), (24, 24), facing=NORTH, models=1, files=1, name="one")
    for left, card, count, name in ((0.5, men, models[0], "men"), (-0.5, others, models[1], "others")):
        files = min(2, count)
        scene.beside(a, 1 - owner, square(**card), along=left * files, models=count, files=files, name=name)
    battle = scene.battle("combat", player=owner, detail=detail, run=False)
    return fight(battle, a)


@BOTH
@pytest.mark.parametrize(("men", "others", "best"), [
    ({"points": 12}, {"points": 3}, "men"), ({"points": 3}, {"points": 12}, "others"), ({"t": 6}, {"t": 3}, "others"), ({"t": 3}, {"t": 6}, "men"),
])  # fmt: skip
def test_blows_go_where_they_are_worth_most(owner: int, men: dict[str, Any], others: dict[str, Any], best: str):
    battle = between(owner, men, others, (4, 4))
    assert kind(battle) == "strike-target" and choice(battle) == f"one at {best}"


def test_blows_beyond_the_last_model_are_worth_nothing():
    """One dear model on the left, four cheaper ones on the right, six blows: the first is killed five times over."""
    few, many = {"points": 6}, {"points": 4}
    assert choice(between(0, few, many, (1, 4), strikes=1)) == "one at men"
    assert choice(between(0, few, many, (1, 4), strikes=8)) == "one at others"


def test_the_attacks_are_shared_so_that_most_is_won():
    """Against all shares; what a share wins is the mean of what it wounds, no more than there is."""
    battle = between(0, {"points": 9}, {"points": 4}, (1, 4), strikes=6, detail="full")
    pick(battle, "at men")
    assert kind(battle) == "strike-share"
    worth = worth_of_attacks(battle, battle.frame)
    men, others = sorted(worth)
    chance = 4 / 6 * 5 / 6
    assert worth[men][6] / worth[men][1] == pytest.approx((1 - (1 - chance) ** 6) / chance)
    assert worth[others][6] / worth[others][1] == pytest.approx(
        float(binomial(6, chance) @ np.minimum(np.arange(7), 4)) / chance
    )
    together = [worth[men][n] + worth[others][6 - n] for n in range(1, 7)]
    best = 1 + int(np.argmax(together))
    assert 1 <= best < 6
    assert choice(battle) == f"{best} of 6 attacks at men"


# ---------------------------------------------------------------- a round in order


@pytest.mark.parametrize("mine", [{}, {"i": 5}, {"a": 2}, {"t": 5, "s": 4}, {"ws": 6}])
@pytest.mark.parametrize(("models", "others"), [(20, 20), (10, 20), (5, 20), (5, 5)])
def test_wounds_in_order_are_near_the_exact_odds(mine: dict[str, Any], models: int, others: int):
    """Averages against the exact distribution of the round, for whoever strikes first, alone in front or with ranks behind."""
    scene = RegimentScene()
    a = scene.unit(0, square(**mine), (24, 24), models=models, files=5)
    b = scene.beside(a, 1, square(), models=others, files=5)
    battle = scene.battle("combat", run=False)
    taken, dealt = round_odds(battle, a.row, b.row).means
    deals, takes = exchange(battle, a.row, b.row)
    assert deals == pytest.approx(dealt, rel=0.06, abs=0.05)
    assert takes == pytest.approx(taken, rel=0.06, abs=0.05)


def armed(*equipment: str, foe: dict[str, Any]) -> Battle:
    """A unit with several weapons that has been charged, asked which one it takes."""
    scene = RegimentScene()
    a = scene.unit(0, square(equipment=["hand weapon", *equipment]), (24, 24), models=20, files=5, name="mine")
    scene.beside(a, 1, square(**foe), models=20, files=5, name="theirs")
    battle = scene.battle("combat")
    assert kind(battle) == "choose-weapon"
    return battle


def test_the_weapon_is_taken_that_suits_the_enemy():
    """More blows against the weak; more Strength against the tough."""
    weapons = ("great weapon", "additional hand weapon")
    assert choice(armed(*weapons, foe={"t": 2, "i": 5})) == "additional hand weapon"
    assert choice(armed(*weapons, foe={"t": 5, "points": 12})) == "great weapon"
    assert choice(armed(*reversed(weapons), foe={"t": 5, "points": 12})) == "great weapon"


def test_nothing_known_of_a_decision_is_left_to_its_default(monkeypatch: pytest.MonkeyPatch):
    """Kinds that greedy judges are kinds of the game."""
    battle, _, _ = beaten()
    ruleset = battle.setup.ruleset
    names: set[str] = {one.name for one in ruleset.kinds}
    judged: dict[str, Callable[..., int]] = ruleset.appraiser(battle.setup).scorers
    assert set(judged) <= names
    assert set(judged) >= {"pursue", "combat-reform", "strike-target", "strike-share", "choose-weapon", "after-victory"}


@pytest.mark.parametrize("owner", [0, 1])
@pytest.mark.parametrize("hides", [0, 1])
def test_the_blows_of_a_character_in_a_unit_are_reckoned_with(owner: int, hides: int) -> None:
    """Three attacks that hit and wound on 4+ each, by a character who does not hide; soldiers who never hit."""
    scene = RegimentScene()
    own = scene.unit(owner, square(a=0), (24, 24), models=15, files=5)
    scene.unit(owner, hero(a=3, i=5), inside=own, models=1, post=2, cowers=hides)
    foe = scene.beside(own, 1 - owner, square(a=0), models=15, files=5)
    battle = scene.battle("combat", run=False)
    dealt = 0.0 if hides else 3 / 4
    assert exchange(battle, own.row, foe.row) == pytest.approx((dealt, 0.0))
    assert exchange(battle, foe.row, own.row) == pytest.approx((0.0, dealt))
    assert wounds_on_average(battle, own.row, FRONT, foe.row, FRONT, 5.0, charges=False) == pytest.approx(dealt)
