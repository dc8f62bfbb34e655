"""A unit that used Desperate Breakout does nothing else in the turn, whatever other rules let it do; the way out is a Fall Back
(w9.stratagem.desperate-breakout, w9.rare.breakout.consequences)."""

from __future__ import annotations

from typing import Any

import pytest
from ninth import NinthScene

from wh_env import Battle
from wh_env.rulesets.w9.actions.data import Action, When, Whose
from wh_env.rulesets.w9.actions.performing import start
from wh_env.rulesets.w9.codes import Phase
from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.sequence.effects import take_effect
from wh_env.rulesets.w40k.sequence.sequencing import TimedRule
from wh_env.testing import UnitHandle, cell_nearest, choose, kind, pick, ranged, sheet, slots, told, words
from wh_env.testing.moves import walk

QUIET = {"cp_each_command_phase": 0}
GUNS = {"gun": ranged(24, A=1)}
LET_IT = (
    "shoot after Falling Back", "charge after Falling Back", "counts as stationary while shooting",
    "counts as stationary while charging",
)  # fmt: skip
GUARD = Action("Guard", When(Phase.MOVEMENT, Whose.OPPONENTS), When(Phase.MORALE))


def broken_out(
    player: int, detail: str, *, rule: str = "", timed: str = "", breaks_out: bool = True, dx: float = -6, held: bool = False,
    rules: Any = None, action: bool = False,
) -> tuple[Battle, UnitHandle]:  # fmt: skip
    """One model, M 6", with an enemy at its right side, breaks out to the left (``held``: a rule prevents it), or Falls Back there."""
    scene = NinthScene()
    abilities = (
        {"other": [{"name": "Nimble", "effect": rule, "active": True}]} if rule.startswith(("shoot", "charge")) else {}
    )
    data = sheet("Unit", M=6, W=3, weapons=GUNS, abilities=abilities)
    unit = scene.unit(player, data, at=(20, 20), models=1, name="Unit")
    scene.unit(player, sheet("Mate", M=6), at=(50, 5), models=1, name="Mate")
    scene.unit(1 - player, sheet("Grip", W=9), at=(21.5, 20), models=1, name="Grip")
    scene.unit(1 - player, sheet("Far", W=9), at=(14, 30), models=1, name="Far")
    own: dict[str, Any] = {**QUIET, **(rules(unit) if rules else {})}
    if rule.startswith("counts"):
        own["stationary"] = ({"unit": unit.row, "phases": ("charge" if "charging" in rule else "shooting",)},)
    if timed:
        scene.rule(TimedRule("Onward", timed, player, "move", unit, 0))  # type: ignore[arg-type]
    if action:
        scene.action(GUARD)

    def mark(battle: Battle) -> None:
        if held:
            take_effect(battle, "cannot-fall-back", 1 - player, unit.row, 1)
        if action:
            start(battle, unit.row, 0)

    battle = scene.battle(
        "movement", active=player, cp=(2, 0) if player == 0 else (0, 2), dice=[6], detail=detail, set_state=mark, rules=own
    )  # fmt: skip
    pick(battle, "Unit", kind="select-to-move")
    assert kind(battle) == "desperate-breakout"
    if breaks_out:
        choose(battle, "own", slots(battle, "own")[0])
        if not held:
            assert kind(battle) == "breakout-to"
            choose(battle, "cell", cell_nearest(battle, dx, 0, 6))
    else:
        choose(battle, "done")
        pick(battle, "Fall Back", kind="move-kind")
        if detail == "squad":
            choose(battle, "cell", cell_nearest(battle, dx, 0, 6))
        else:
            walk(battle, 0, 20 + dx, 20)
            pick(battle, "end the move")
    return battle, unit


def questions(battle: Battle, unit: UnitHandle, player: int) -> set[str]:
    """What is asked of the unit until the turn is over, while everybody else does nothing."""
    asked = set()
    while battle.decision is not None and battle.clock.turn[0] == player:
        name, mine = kind(battle) or "", battle.decision.player == player
        if mine and (battle.decision.subject == unit.row or any("Unit" in text for text in words(battle).values())):
            asked.add(name)
        if name == "move-kind":
            pick(battle, "Remain Stationary")
        else:
            battle.apply(0 if battle.legal()[0] else battle.first_legal())
    return asked


@pytest.mark.rule("w9.stratagem.desperate-breakout")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("rule", LET_IT)
def test_no_rule_lets_it_shoot_or_charge(rule: str, detail: str, player: int) -> None:
    """By such a rule a unit that Fell Back shoots, or declares a charge; one that broke out does not."""
    question = "select-to-charge" if "charg" in rule else "select-to-shoot"
    for breaks_out in (True, False):
        battle, unit = broken_out(player, detail, rule=rule, breaks_out=breaks_out)
        assert battle.units.moved[unit] == Moved.FELL_BACK
        assert (question in questions(battle, unit, player)) != breaks_out


@pytest.mark.rule("w9.rare.breakout.consequences")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_unit_that_was_prevented_shoots_no_pistol_though_it_stands_still(detail: str, player: int) -> None:
    """It has not moved; it is not eligible to shoot all the same."""
    pistol = {"weapons": {"pistol": ranged(12, A=1, abilities=["Pistol"])}}
    scene = NinthScene()
    unit = scene.unit(player, sheet("Unit", **pistol), at=(20, 20), models=1, name="Unit")
    scene.unit(player, sheet("Mate", M=6), at=(50, 5), models=1, name="Mate")
    scene.unit(1 - player, sheet("Grip", W=9), at=(21.5, 20), models=1, name="Grip")

    def mark(battle: Battle) -> None:
        take_effect(battle, "cannot-fall-back", 1 - player, unit.row, 1)

    battle = scene.battle(
        "movement", active=player, cp=(2, 0) if player == 0 else (0, 2), dice=[6], detail=detail, set_state=mark, rules=QUIET
    )  # fmt: skip
    pick(battle, "Unit", kind="select-to-move")
    other = battle.clone()
    choose(battle, "own", slots(battle, "own")[0])
    assert battle.units.moved[unit] == Moved.STATIONARY
    assert "select-to-shoot" not in questions(battle, unit, player)
    choose(other, "done")
    pick(other, "Remain Stationary", kind="move-kind")
    assert "select-to-shoot" in questions(other, unit, player)


@pytest.mark.rule("w9.stratagem.desperate-breakout")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("timed", ["movement-end", "charge"])
def test_no_rule_moves_it_again(timed: str, detail: str, player: int) -> None:
    """ "Move as if it were the Movement phase": a unit that Fell Back does, one that broke out does not."""
    for breaks_out in (True, False):
        battle, unit = broken_out(player, detail, timed=timed, breaks_out=breaks_out)
        questions(battle, unit, player)
        assert (told(battle, "w9.move.out-of-phase") == []) == breaks_out


@pytest.mark.rule("w9.stratagem.desperate-breakout")
@pytest.mark.rule("w9.rare.shoot-embarked.restrictions")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_who_is_aboard_does_not_shoot_either(detail: str, player: int) -> None:
    """A TRANSPORT that may shoot after it Fell Back lets its passengers do so; after a breakout it does not."""
    for breaks_out in (True, False):
        scene = NinthScene()
        carried = {"transport": {"capacity": 12, "allowed": ["INFANTRY"]}}
        carried["other"] = [{"name": "Nimble", "effect": "shoot after Falling Back", "active": True}]
        bus = sheet("Bus", M=12, W=6, base_mm=60, models=(1, 1), keywords=("VEHICLE", "TRANSPORT"), abilities=carried)
        unit = scene.unit(player, bus, at=(20, 20), name="Bus", open_topped=True)
        scene.unit(player, sheet("Riders", weapons=GUNS), models=1, embarked_in=unit)
        scene.unit(1 - player, sheet("Grip", W=9), at=(22, 20), models=1, name="Grip")
        cp = (2, 0) if player == 0 else (0, 2)
        battle = scene.battle("movement", active=player, cp=cp, dice=[6], detail=detail, rules=QUIET)
        pick(battle, "Bus", kind="select-to-move")
        if breaks_out:
            choose(battle, "own", slots(battle, "own")[0])
            choose(battle, "cell", cell_nearest(battle, -8, 0, 12))
        else:
            choose(battle, "done")
            pick(battle, "Fall Back", kind="move-kind")
            if detail == "squad":
                choose(battle, "cell", cell_nearest(battle, -8, 0, 12))
            else:
                walk(battle, 0, 12, 20)
                pick(battle, "end the move")
        shooters = set()
        while battle.decision is not None and battle.clock.turn[0] == player:
            if kind(battle) == "select-to-shoot":
                shooters |= {text for text in words(battle).values() if text in ("Bus", "Riders")}
            battle.apply(0 if battle.legal()[0] else battle.first_legal())
        assert ("Riders" in shooters) != breaks_out


@pytest.mark.rule("w9.actions.fail")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("held", [True, False])
def test_the_way_out_makes_its_action_fail(held: bool, detail: str, player: int) -> None:
    """It Falls Back; a unit that was prevented from that goes on with its action."""
    battle, unit = broken_out(player, detail, action=True, held=held)
    failed = [row["unit"] for row in told(battle, "w9.actions.fail")]
    assert failed == ([] if held else [unit.row])


@pytest.mark.rule("w9.glossary.moves-x.trigger")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("inches", "hurt"), [(4, True), (7, False)])
def test_the_way_out_triggers_what_moves_trigger(inches: float, hurt: bool, detail: str, player: int) -> None:
    """ "If this unit moved 4" or more": it broke out 6" to the left and loses a Wound by its rule."""

    def rules(unit: UnitHandle) -> dict[str, Any]:
        return {"moved": ({"unit": unit.row, "inches": inches, "effect": "mortal", "amount": 1, "on": unit.row},)}

    battle, unit = broken_out(player, detail, rules=rules)
    assert battle.models.wounds[unit.first] == (2 if hurt else 3)
