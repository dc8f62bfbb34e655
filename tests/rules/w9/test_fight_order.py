"""Fight phase: who may fight, and in which order (w9.fight.order, .chargers-first, w9.rare.fight-first-last.*)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from ninth import NinthScene

from wh_env.content.battle import Battle
from wh_env.rulesets.w40k.sequence.effects import take_effect
from wh_env.rulesets.w40k.sequence.sequencing import TimedRule
from wh_env.testing import Scene, choose, dice_left, kind, melee, pick, sheet, slots, told, words

TOUCH = 1.005  # between the centres of two bases of 1 inch in contact
KILLER = {"axe": melee(A=1, WS=2, S=8, AP=-6)}
FIRST = {"fights_first": True}
QUIET = {"cp_each_command_phase": 0}


def order(battle: Battle) -> list[str]:
    """Names of the units selected to fight in the first turn played."""
    found = []
    for event in battle.events:
        if event.rule == "w9.round.turn-end":
            break
        if event.kind == "selected to fight":
            found.append(battle.setup.names["units"][event.data["unit"]])
    return found


def fought_out(battle: Battle, wanted: Sequence[str] = ()) -> list[str]:
    """The order of the first Fight phase, played to its end; who can chooses the first of the ``wanted`` that is offered."""
    for _ in range(300):
        if battle.over or told(battle, "w9.round.turn-end"):
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


def facing(
    ours: Mapping[str, Sequence[str]], theirs: Mapping[str, Sequence[str]], *, active: int = 0, **fields: object
) -> Battle:
    """Units of the turn player ("A1") in base contact with those of the opponent ("B1"), pair by pair and the last one of the shorter
    side with all that are left; each with what sets it apart: ``charged``, ``first`` and ``last`` (rules), ``ability``."""
    scene = NinthScene()
    handles = {}
    rows = max(len(ours), len(theirs))
    for side, units, y in ((active, ours, 10.0), (1 - active, theirs, 10.0 + TOUCH)):
        for n, (name, traits) in enumerate(units.items()):
            last = n == len(units) - 1
            at = [(10 + 1.5 * k, y) for k in range(n, rows if last else n + 1)]
            abilities = FIRST if "ability" in traits else {}
            handles[name] = scene.unit(
                side, sheet(name, W=9, abilities=abilities), at=at, name=name, charged=int("charged" in traits)
            )

    def mark(battle: Battle) -> None:
        for name, traits in (*ours.items(), *theirs.items()):
            for trait in traits:
                if trait in ("first", "last"):
                    take_effect(battle, f"fights-{trait}", 0, handles[name].row, 1)

    return scene.battle("fight", active=active, set_state=mark, rules=QUIET, **fields)  # type: ignore[arg-type]


# ---------------------------------------------------------------- who


@pytest.mark.rule("w9.fight.eligible")
@pytest.mark.parametrize("active", [0, 1])
def test_who_is_engaged_or_charged_is_eligible(active: int) -> None:
    """A1 0.8" from B1, A2 4" from anybody, A3 4" away and charged: A1, A3 and B1 fight, A2 does not."""
    scene = NinthScene()
    for name, x, charged in (("A1", 10, 0), ("A2", 20, 0), ("A3", 30, 1)):
        scene.unit(active, sheet(name), at=(x, 10), models=1, name=name, charged=charged)
    for name, x, away in (("B1", 10, 0.8), ("B2", 20, 4), ("B3", 30, 4)):
        scene.unit(1 - active, sheet(name, W=9), at=(x, 11 + away), models=1, name=name)
    battle = scene.battle("fight", active=active, rules=QUIET)
    assert sorted(fought_out(battle)) == ["A1", "A3", "B1"]


@pytest.mark.rule("w9.fight.eligible")
@pytest.mark.parametrize(("away", "eligible"), [(1.0, True), (1.1, False)])
def test_engagement_range_is_one_inch(away: float, eligible: bool) -> None:
    scene = NinthScene()
    scene.unit(0, sheet("A1", W=9), at=(10, 10), models=1, name="A1")
    scene.unit(1, sheet("B1", W=9), at=(10, 11 + away), models=1, name="B1")
    assert sorted(fought_out(scene.battle("fight", rules=QUIET))) == (["A1", "B1"] if eligible else [])


# ---------------------------------------------------------------- order


@pytest.mark.rule("w9.fight.order")
@pytest.mark.parametrize("active", [0, 1])
@pytest.mark.parametrize("chosen", ["A1", "A2"])
def test_the_opponent_begins_and_they_alternate(active: int, chosen: str) -> None:
    """A1 and A2 against B1, nobody charged: B1, one of A's, the other."""
    battle = facing({"A1": (), "A2": ()}, {"B1": ()}, active=active)
    while kind(battle) != "select-to-fight":
        battle.apply(battle.first_legal())
    assert order(battle) == ["B1"]
    assert offered(battle) == (active, {"A1", "A2"})
    assert fought_out(battle, [chosen]) == ["B1", chosen, "A2" if chosen == "A1" else "A1"]


@pytest.mark.rule("w9.fight.order")
def test_one_side_goes_on_alone() -> None:
    """A1 against three of B: B, A1, then B's others one at a time."""
    battle = facing({"A1": ()}, {"B1": (), "B2": (), "B3": ()})
    assert offered(battle) == (1, {"B1", "B2", "B3"})
    assert fought_out(battle, ["B2", "B3"]) == ["B2", "A1", "B3", "B1"]


@pytest.mark.rule("w9.fight.once")
def test_nobody_fights_twice() -> None:
    """B1 has fought; A2 destroys its enemy and consolidates into it: B1 is not offered again."""
    scene = NinthScene()
    scene.unit(0, sheet("A1", W=9), at=(10, 10), models=1, name="A1")
    scene.unit(0, sheet("A2", weapons=KILLER), at=(14.5, 10 + TOUCH), models=1, name="A2")
    scene.unit(1, sheet("B1", W=9), at=(10, 10 + TOUCH), models=1, name="B1")
    scene.unit(1, sheet("B2"), at=(14.5, 10), models=1, name="B2")
    battle = scene.battle("fight", dice=[6, 6, 1], rules=QUIET)
    assert fought_out(battle, ["B1", "A2", "consolidate"]) == ["B1", "A2", "A1"]
    assert [e["moved"] for e in told(battle, "w9.fight.consolidate")] == [1]  # A2


def consolidating(**newcomer: object) -> Battle:
    """A1 has just destroyed B1 and is asked whether it consolidates, 0.8" from B2, which was not engaged; A3, B3 fight elsewhere."""
    scene = NinthScene()
    scene.unit(0, sheet("A1", weapons=KILLER), at=(10, 10), models=1, name="A1", charged=1)
    scene.unit(0, sheet("A3", W=9), at=(40, 10), models=1, name="A3")
    scene.unit(1, sheet("B1"), at=(10, 10 + TOUCH), models=1, name="B1")
    scene.unit(1, sheet("B2", W=9, **newcomer), at=(10, 14.8), models=1, name="B2")  # type: ignore[arg-type]
    scene.unit(1, sheet("B3", W=9), at=(40, 10 + TOUCH), models=1, name="B3")
    scene.unit(1, sheet("B4", W=9), at=(40, 10 - TOUCH), models=1, name="B4")

    def charge(battle: Battle) -> None:
        battle.charges[0] = 1

    battle = scene.battle("fight", dice=[6, 6, 1], set_state=charge, rules=QUIET)
    assert kind(battle) == "consolidate"
    assert dice_left(battle) == 0
    return battle


@pytest.mark.rule("w9.fight.newly-eligible")
def test_who_is_consolidated_into_may_be_selected() -> None:
    """If A1 consolidates B2 is offered, if it stays it is not."""
    battle = consolidating()
    stays = battle.clone()
    pick(battle, "consolidate")
    assert offered(battle) == (1, {"B2", "B3", "B4"})
    choose(stays, "option", 0)
    assert offered(stays) == (1, {"B3", "B4"})


@pytest.mark.rule("w9.fight.chargers-first")
@pytest.mark.parametrize("active", [0, 1])
@pytest.mark.parametrize("chosen", ["A1", "A2"])
def test_units_that_charged_fight_first(active: int, chosen: str) -> None:
    """A1 and A2 charged, A3 did not: one of the two, the other, and only then B selects."""
    battle = facing({"A1": ("charged",), "A2": ("charged",), "A3": ()}, {"B1": (), "B2": (), "B3": ()}, active=active)
    assert offered(battle) == (active, {"A1", "A2"})
    other = "A2" if chosen == "A1" else "A1"
    pick(battle, chosen)
    while kind(battle) != "select-to-fight":
        battle.apply(battle.first_legal())
    assert order(battle) == [chosen, other]
    assert offered(battle) == (1 - active, {"B1", "B2", "B3"})
    assert fought_out(battle)[3] == "A3"


# ---------------------------------------------------------------- first and last


@pytest.mark.rule("w9.rare.fight-first-last.first")
@pytest.mark.parametrize("active", [0, 1])
@pytest.mark.parametrize("how", ["ability", "first"])
def test_who_always_fights_first_alternates_with_who_charged(active: int, how: str) -> None:
    """A1 charged, B1 always fights first: A1, B1, then B2, then A2."""
    battle = facing({"A1": ("charged",), "A2": ()}, {"B1": (how,), "B2": ()}, active=active)
    assert fought_out(battle) == ["A1", "B1", "B2", "A2"]


@pytest.mark.rule("w9.rare.fight-first-last.first")
def test_a_late_comer_that_fights_first_is_next() -> None:
    """A1 consolidates into B2, which always fights first: it fights before B3 and before A3."""
    battle = consolidating(abilities=FIRST)
    pick(battle, "consolidate")
    assert fought_out(battle)[:2] == ["A1", "B2"]


@pytest.mark.rule("w9.rare.fight-first-last.last")
@pytest.mark.parametrize("active", [0, 1])
def test_who_fights_last_waits_for_all_others(active: int) -> None:
    """A2 and B1 fight last: A1, although B selects first, then A2, then B1."""
    battle = facing({"A1": (), "A2": ("last",)}, {"B1": ("last",)}, active=active)
    assert fought_out(battle) == ["A1", "A2", "B1"]


@pytest.mark.rule("w9.rare.fight-first-last.both")
@pytest.mark.parametrize("rules", [("charged", "first", "last"), ("charged", "last", "last"), ("ability", "last")])
def test_first_and_last_cancel_each_other(rules: tuple[str, ...]) -> None:
    """However many there are of each, A1 is in the normal alternation, which B1 begins."""
    assert fought_out(facing({"A1": rules}, {"B1": ()})) == ["B1", "A1"]


@pytest.mark.rule("w9.rare.fight-first-last.rules-first")
@pytest.mark.parametrize("active", [0, 1])
def test_a_charge_is_a_rule_to_fight_first(active: int) -> None:
    """A1 charged and is under a rule to fight last, A2 charged: A2, B1, A1."""
    battle = facing({"A1": ("charged", "last"), "A2": ("charged",)}, {"B1": ()}, active=active)
    assert fought_out(battle) == ["A2", "B1", "A1"]


@pytest.mark.rule("w9.rare.fight-first-last.rules-first")
def test_a_rule_of_a_datasheet_lets_its_unit_be_selected_earlier() -> None:
    """A timed rule ("Precognition") on A2, which did not charge: it fights before B selects, which else would begin."""
    scene = NinthScene()
    for name, x in (("A1", 10), ("A2", 20)):
        scene.unit(0, sheet(name, W=9), at=(x, 10), models=1, name=name)
    for name, x in (("B1", 10), ("B2", 20)):
        scene.unit(1, sheet(name, W=9), at=(x, 10 + TOUCH), models=1, name=name)
    scene.rule(TimedRule("Precognition", "charge", 0, "fights-first", 1, 1))
    battle = scene.battle("charge", rules=QUIET)
    assert fought_out(battle)[0] == "A2"


@pytest.mark.rule("w9.rare.fight-first-last.rules-last")
@pytest.mark.parametrize("owner", [0, 1])
def test_a_rule_of_a_datasheet_makes_an_enemy_fight_last(owner: int) -> None:
    """ "It is not eligible to fight until all other eligible units have fought", used on a unit: it fights after all others, this turn."""
    scene = NinthScene()
    for player, y in ((owner, 10.0), (1 - owner, 10.0 + TOUCH)):
        for n in (1, 2):
            name = f"{'A' if player == owner else 'B'}{n}"
            scene.unit(player, sheet(name, W=9), at=(10.0 * n, y), models=1, name=name)
    victim = 2 if owner == 0 else 0
    scene.rule(TimedRule("Tempor", "charge", owner, "fights-last", victim, 1, round=1))
    battle = scene.battle("charge", active=owner, rules=QUIET)
    assert fought_out(battle)[-1] == "B1"
    assert battle.combat.last[victim] == 0  # the next turn has begun
    plain = scene.battle("fight", active=owner, rules=QUIET)
    assert fought_out(plain)[0] == "B1"


def test_scenes_of_another_edition_have_no_such_effects() -> None:
    """Effects belong to editions."""
    scene = Scene()
    scene.unit(0, sheet("A1"), at=(10, 10), models=1)
    battle = scene.battle("fight", run=False)
    with pytest.raises(ValueError, match="fights-first"):
        take_effect(battle, "fights-first", 0, 0, 1)


@pytest.mark.rule("w9.fight.order", "w9.rare.fight-first-last.first")
@pytest.mark.parametrize("active", [0, 1])
def test_after_a_late_comer_the_alternation_goes_on(active: int) -> None:
    """Nobody charged: B3, then A1, which consolidates into B2, which always fights first. After it A selects, not B,
    though B began."""
    scene = NinthScene()
    scene.unit(active, sheet("A1", weapons=KILLER), at=(10, 10), models=1, name="A1")
    scene.unit(active, sheet("A3", W=9), at=(40, 10), models=1, name="A3")
    scene.unit(1 - active, sheet("B1"), at=(10, 10 + TOUCH), models=1, name="B1")
    scene.unit(1 - active, sheet("B2", W=9, abilities=FIRST), at=(10, 14.8), models=1, name="B2")
    scene.unit(1 - active, sheet("B3", W=9), at=(40, 10 + TOUCH), models=1, name="B3")
    scene.unit(1 - active, sheet("B4", W=9), at=(40, 10 - TOUCH), models=1, name="B4")
    battle = scene.battle("fight", active=active, dice=[6, 6, 1], rules=QUIET)
    found = fought_out(battle, ["B3", "A1", "consolidate", "B4", "A3"])
    assert found == ["B3", "A1", "B2", "A3", "B4"]


@pytest.mark.rule("w9.fight.order", "w9.rare.fight-first-last.first")
@pytest.mark.parametrize("active", [0, 1])
@pytest.mark.parametrize("last", [False, True])
def test_after_a_late_comer_of_the_turn_player_the_opponent_selects(last: bool, active: int) -> None:
    """B1 consolidates into A2, which always fights first; then B selects: B3. If A3 and B3 fight last, their step
    begins next, with the player whose turn it is: A3."""
    scene = NinthScene()
    scene.unit(active, sheet("A1"), at=(10, 10 + TOUCH), models=1, name="A1")
    scene.unit(active, sheet("A2", W=9, abilities=FIRST), at=(10, 14.8), models=1, name="A2")
    late = [scene.unit(active, sheet("A3", W=9), at=(40, 10), models=1, name="A3")]
    scene.unit(1 - active, sheet("B1", weapons=KILLER), at=(10, 10), models=1, name="B1")
    late.append(scene.unit(1 - active, sheet("B3", W=9), at=(40, 10 + TOUCH), models=1, name="B3"))

    def mark(battle: Battle) -> None:
        for unit in late if last else ():
            take_effect(battle, "fights-last", 0, unit.row, 1)

    battle = scene.battle("fight", active=active, dice=[6, 6, 1], rules=QUIET, set_state=mark)
    found = fought_out(battle, ["B1", "consolidate", "A3", "B3"])
    assert found == ["B1", "A2", *(["A3", "B3"] if last else ["B3", "A3"])]


@pytest.mark.rule("w9.rare.fight-first-last.last", "w9.fight.newly-eligible")
@pytest.mark.parametrize("active", [0, 1])
@pytest.mark.parametrize("first", [False, True])
def test_late_comers_fight_before_those_that_fight_last(first: bool, active: int) -> None:
    """A1, A6 and B6 fight last. A1 consolidates into B5, which is eligible now: it fights before A6 and B6; and before
    it B2, which always fights first, if A1 ends near it as well."""
    scene = NinthScene()
    late = [scene.unit(active, sheet("A1", weapons=KILLER), at=(10, 10), models=1, name="A1")]
    late.append(scene.unit(active, sheet("A6", W=9), at=(40, 10), models=1, name="A6"))
    scene.unit(1 - active, sheet("B1"), at=(10, 10 + TOUCH), models=1, name="B1")
    if first:
        scene.unit(1 - active, sheet("B2", W=9, abilities=FIRST), at=(9.4, 14.6), models=1, name="B2")
    scene.unit(1 - active, sheet("B5", W=9), at=(10.6, 14.6), models=1, name="B5")
    late.append(scene.unit(1 - active, sheet("B6", W=9), at=(40, 10 + TOUCH), models=1, name="B6"))

    def mark(battle: Battle) -> None:
        for unit in late:
            take_effect(battle, "fights-last", 0, unit.row, 1)

    battle = scene.battle("fight", active=active, dice=[6, 6, 1], rules=QUIET, set_state=mark)
    found = fought_out(battle, ["B1", "A1", "consolidate", "B6", "B5", "B2", "A6"])
    assert found == ["B1", "A1", *(["B2"] if first else []), "B5", "A6", "B6"]
