"""Fight phase: who may fight, in which order, in which steps (w8.fight.sequence, .eligible*, .chargers-first, .alternate, ...)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from eighth import EighthScene

from wh_env.content.battle import Battle
from wh_env.rulesets.w8.codes import Phase
from wh_env.testing import apart, choose, dice_left, kind, melee, pick, sheet, slots, told, words

TOUCH = 1.005  # between the centres of two bases of 1 inch in contact
KILLER = {"axe": melee(A=1, WS=2, S=8, AP=-6)}


def order(battle: Battle) -> list[str]:
    """Names of the units selected to fight in the first turn played."""
    found = []
    for event in battle.events:
        if event.rule == "w8.round.next-turn":
            break
        if event.kind == "selected to fight":
            found.append(battle.setup.names["units"][event.data["unit"]])
    return found


def fought_out(battle: Battle, wanted: Sequence[str] = ()) -> list[str]:
    """The order of the first Fight phase, played to its end; who can chooses the first of the ``wanted`` that is offered."""
    for _ in range(300):
        if battle.over or told(battle, "w8.round.next-turn"):
            return order(battle)
        fits = [a for name in wanted for a, w in words(battle).items() if w == name]
        battle.apply(fits[0] if kind(battle) in ("select-to-fight", "consolidate") and fits else battle.first_legal())
    raise LookupError("the turn does not end")


def offered(battle: Battle) -> tuple[int, set[str]]:
    """Who selects, and the names of the units on offer; nobody can pass."""
    assert kind(battle) == "select-to-fight"
    assert slots(battle, "done") == slots(battle, "option") == []
    assert battle.decision is not None
    return battle.decision.player, set(words(battle).values())


def facing(ours: Mapping[str, int], theirs: Sequence[str], *, active: int = 0) -> Battle:
    """Units of the turn player ("A1": whether it charged) in base contact with those of the opponent ("B1"), pair by pair and the
    last one of the shorter side with all that are left."""
    scene = EighthScene()
    handles = {}
    rows = max(len(ours), len(theirs))
    for side, names, y in ((active, list(ours), 10.0), (1 - active, list(theirs), 10.0 + TOUCH)):
        for n, name in enumerate(names):
            at = [(10 + 1.5 * k, y) for k in range(n, rows if n == len(names) - 1 else n + 1)]
            handles[name] = scene.unit(side, sheet(name, W=9), at=at, name=name, charged=ours.get(name, 0))
    return scene.battle("fight", active=active)


# ---------------------------------------------------------------- who


@pytest.mark.rule("w8.fight.eligible")
@pytest.mark.parametrize("active", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_who_charged_or_has_an_enemy_within_an_inch_is_eligible(active: int, detail: str) -> None:
    """A charged B, C 1.0" from D, E 1.1" from F: A, B, C and D fight."""
    scene = EighthScene()
    for name, x, charged in (("A", 10, 1), ("C", 20, 0), ("E", 30, 0)):
        scene.unit(active, sheet(name, W=9), at=(x, 10), models=1, name=name, charged=charged)
    for name, x, away in (("B", 10, 0.8), ("D", 20, 1.0), ("F", 30, 1.1)):
        scene.unit(1 - active, sheet(name, W=9), at=(x, 11 + away), models=1, name=name)
    assert sorted(fought_out(scene.battle("fight", active=active, detail=detail))) == ["A", "B", "C", "D"]


@pytest.mark.rule("w8.fight.charged-target-gone")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_charger_whose_target_was_slain_fights_all_the_same(player: int, detail: str) -> None:
    """P and Q charged X; P slays it. Q is chosen among the chargers, piles in 3", makes no attack and consolidates 3"."""
    scene = EighthScene()
    p = scene.unit(player, sheet("P", weapons=KILLER), at=(10, 10), models=1, name="P", charged=1)
    q = scene.unit(player, sheet("Q", weapons=KILLER), at=(13, 11), models=1, name="Q", charged=1)
    x = scene.unit(1 - player, sheet("X"), at=(10, 10 + TOUCH), models=1, name="X")
    far = scene.unit(1 - player, sheet("Far", W=9), at=(13, 21), models=1, name="Far")

    def charge(battle: Battle) -> None:
        battle.charges[p, x] = battle.charges[q, x] = 1

    battle = scene.battle("fight", active=player, detail=detail, dice=[6, 6, 1], set_state=charge)
    assert offered(battle) == (player, {"P", "Q"})
    pick(battle, "P")
    while "Q" not in order(battle):
        pick(battle, "do not consolidate") if kind(battle) == "consolidate" else battle.apply(battle.first_legal())
    assert not battle.units.alive[x]
    assert [e["step"] for e in told(battle, "w8.fight.alternate") if e.get("unit") == q.row] == [1]
    gaps = [apart(battle, q.first, far.first)]
    for each in ("pile in", "consolidate"):
        pick(battle, each)
        if detail == "full":
            pick(battle, "leave the move to the engine")
        gaps.append(apart(battle, q.first, far.first))
    assert gaps == [pytest.approx(9.0), pytest.approx(6.0, abs=0.01), pytest.approx(3.0, abs=0.01)]
    assert [e for e in told(battle, "w8.attack.hit") if e["attacker"] == q.first] == []
    assert dice_left(battle) == 0


# ---------------------------------------------------------------- order


@pytest.mark.rule("w8.fight.chargers-first")
@pytest.mark.parametrize("active", [0, 1])
@pytest.mark.parametrize("chosen", ["A1", "A2"])
def test_units_that_charged_fight_first(active: int, chosen: str) -> None:
    """A1 and A2 charged, A3 did not: one of the two, the other, and only then the rest."""
    battle = facing({"A1": 1, "A2": 1, "A3": 0}, ["B1", "B2", "B3"], active=active)
    assert offered(battle) == (active, {"A1", "A2"})
    other = "A2" if chosen == "A1" else "A1"
    fought = fought_out(battle, [chosen])
    assert fought[:2] == [chosen, other]
    assert fought[2] == "A3"


@pytest.mark.rule("w8.fight.alternate", "w8.fight.no-passing")
@pytest.mark.parametrize("active", [0, 1])
@pytest.mark.parametrize("charger", [0, 1])
def test_then_the_players_take_turns_from_the_active_one(active: int, charger: int) -> None:
    """A1, A2 and B1, B2, after the fight of a charger or without one: active, opponent, active, opponent; nobody can pass."""
    ours = {"C": 1} if charger else {}
    battle = facing({**ours, "A1": 0, "A2": 0}, [*(["D"] if charger else []), "B1", "B2"], active=active)
    sides = []
    while not told(battle, "w8.round.next-turn"):
        if kind(battle) == "select-to-fight":
            sides.append(offered(battle)[0])
        battle.apply(battle.first_legal())
    fought = order(battle)[charger:]
    assert [name[0] for name in fought[:4]] == ["A", "D" if charger else "B", "A", "B"]
    assert sides[0] == active
    assert len(fought) == 5 if charger else 4


@pytest.mark.rule("w8.fight.once")
@pytest.mark.parametrize("active", [0, 1])
def test_nobody_fights_twice(active: int) -> None:
    """A charger that still has enemies within 1" is not offered in the alternation."""
    battle = facing({"A1": 1, "A2": 0, "A3": 0}, ["B1", "B2", "B3"], active=active)
    while offered_or_none(battle) is None:
        battle.apply(battle.first_legal())
    assert offered(battle) == (active, {"A2", "A3"})
    assert sorted(fought_out(battle)) == ["A1", "A2", "A3", "B1", "B2", "B3"]


def offered_or_none(battle: Battle) -> set[str] | None:
    """What is offered, if units are selected to fight."""
    return set(words(battle).values()) if kind(battle) == "select-to-fight" else None


@pytest.mark.rule("w8.fight.run-out")
@pytest.mark.parametrize("active", [0, 1])
def test_one_side_goes_on_alone(active: int) -> None:
    """A1 against three of B: A1, then B's units one at a time as their player chooses."""
    battle = facing({"A1": 0}, ["B1", "B2", "B3"], active=active)
    assert fought_out(battle, ["B3", "B1"]) == ["A1", "B3", "B1", "B2"]


def consolidating(active: int) -> Battle:
    """A1 has just destroyed B1 and is asked whether it consolidates, 1.8" from B2, which nobody is near; A3 and others fight."""
    scene = EighthScene()
    a1 = scene.unit(active, sheet("A1", weapons=KILLER), at=(10, 10), models=1, name="A1", charged=1)
    scene.unit(active, sheet("A3", W=9), at=(40, 10), models=1, name="A3")
    b1 = scene.unit(1 - active, sheet("B1"), at=(10, 10 + TOUCH), models=1, name="B1")
    scene.unit(1 - active, sheet("B2", W=9), at=(10, 14), models=1, name="B2")
    scene.unit(1 - active, sheet("B3", W=9), at=(40, 10 + TOUCH), models=1, name="B3")
    scene.unit(1 - active, sheet("B4", W=9), at=(40, 10 - TOUCH), models=1, name="B4")

    def charge(battle: Battle) -> None:
        battle.charges[a1, b1] = 1

    battle = scene.battle("fight", active=active, dice=[6, 6, 1], set_state=charge)
    assert kind(battle) == "consolidate"
    assert dice_left(battle) == 0
    return battle


@pytest.mark.rule("w8.fight.eligible.updated")
@pytest.mark.parametrize("active", [0, 1])
def test_who_is_consolidated_into_becomes_eligible(active: int) -> None:
    """If A1 consolidates B2 is offered after A3, if it stays it is not."""
    battle = consolidating(active)
    stays = battle.clone()
    pick(battle, "consolidate")
    choose(stays, "option", 0)
    for each, names in ((battle, {"B2", "B3", "B4"}), (stays, {"B3", "B4"})):
        while offered_or_none(each) is None:
            each.apply(each.first_legal())
        assert offered(each) == (1 - active, names)


@pytest.mark.rule("w8.fight.eligible.updated")
def test_who_has_no_enemy_within_an_inch_any_more_is_not_eligible() -> None:
    """A1 slays the only enemy near A2, which did not charge: A2 does not fight; a second enemy elsewhere keeps the phase going."""
    scene = EighthScene()
    scene.unit(0, sheet("A1", weapons=KILLER), at=(10, 10), models=1, name="A1")
    scene.unit(0, sheet("A2", W=9), at=(10, 10 + 2 * TOUCH), models=1, name="A2")
    scene.unit(0, sheet("A3", W=9), at=(40, 10), models=1, name="A3")
    scene.unit(1, sheet("B1"), at=(10, 10 + TOUCH), models=1, name="B1")
    scene.unit(1, sheet("B2", W=9), at=(40, 10 + TOUCH), models=1, name="B2")
    battle = scene.battle("fight", dice=[6, 6, 1])
    assert offered(battle) == (0, {"A1", "A2", "A3"})
    pick(battle, "A1")
    fought = fought_out(battle)
    assert fought == ["A1", "B2", "A3"]


# ---------------------------------------------------------------- the sequence of a fight


@pytest.mark.rule("w8.fight.sequence")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_pile_in_attacks_consolidate_before_the_next_one(player: int, detail: str) -> None:
    """3" to its only opponent, which its attack destroys; another one is near then: it consolidates, and only then that one fights."""
    scene = EighthScene()
    unit = scene.unit(player, sheet("Unit", weapons=KILLER), at=(10, 10), models=1, name="Unit", charged=1)
    enemy = scene.unit(1 - player, sheet("Enemy"), at=(10, 14), models=1, name="Enemy")
    other = scene.unit(1 - player, sheet("Other", W=9), at=(13, 14), models=1, name="Other")

    def charge(battle: Battle) -> None:
        battle.charges[unit, enemy] = 1

    battle = scene.battle("fight", active=player, dice=[6, 6, 1], detail=detail, set_state=charge)
    for each in ("pile in", "consolidate"):
        while kind(battle) not in ("pile-in", "consolidate"):
            battle.apply(battle.first_legal())
        pick(battle, each)
        if detail == "full":
            pick(battle, "leave the move to the engine")
    while battle.clock.phase[0] == Phase.FIGHT and "Other" not in order(battle):
        battle.apply(battle.first_legal())
    steps = ("w8.fight.pile-in", "w8.attack.hit", "w8.fight.consolidate", "w8.fight.alternate")
    assert [e.rule for e in battle.events if e.rule in steps] == [
        "w8.fight.alternate", "w8.fight.pile-in", "w8.attack.hit", "w8.fight.consolidate", "w8.fight.alternate",
    ]  # fmt: skip
    assert not battle.units.alive[enemy]
    assert order(battle) == ["Unit", "Other"]
    assert apart(battle, unit.first, other.first) < 0.01
