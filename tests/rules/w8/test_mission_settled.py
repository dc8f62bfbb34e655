"""The mission sequence where something is settled beforehand or an army is not there (w8.mission.*, w8.warlord.*)."""

from __future__ import annotations

from typing import Any

import pytest
from eighth import EighthScene

from wh_env import Battle
from wh_env.core.tables import DESTROYED, ON_TABLE
from wh_env.rulesets.w8.codes import Phase
from wh_env.rulesets.w8.mission import halves
from wh_env.rulesets.w8.warlord.state import Trait
from wh_env.rulesets.w40k.deploy.zones import zone_of
from wh_env.rulesets.w40k.sequence.sequencing import TimedRule
from wh_env.testing import choose, dice_left, kind, play_until, ranged, sheet, told

SQUAD = sheet("Squad")
HERO = sheet("Hero", W=4, models=(1, 1), keywords=("CHARACTER", "INFANTRY"))
# zones of a table of 44" by 30" that is divided across are 10" deep: no room for a base of 400 mm
SMALL = (44.0, 30.0)
GIANT = sheet("Giant", base_mm=400, models=(1, 1), keywords=("CHARACTER", "MONSTER"))


def mission(*armies: Any, size: tuple[float, float] = (72.0, 48.0), dice: Any = (6, 1, 1), **rules: Any) -> Battle:
    """The mission sequence of two armies: lists of (datasheet, fields)."""
    scene = EighthScene(size=size)
    for player, units in enumerate(armies):
        for datasheet, fields in units:
            scene.unit(player, datasheet, place="deploy", **fields)
    return scene.battle("mission", attacker=None, dice=dice, rules=rules)


def steps(battle: Battle, rule: str, what: str) -> list[dict[str, Any]]:
    """Data of the events of a rule of one kind."""
    return [event.data for event in battle.events if (event.rule, event.kind) == (rule, what)]


# ---------------------------------------------------------------- what the mission settles


@pytest.mark.rule("w8.mission.first-turn", "w8.round.same-first-player")
@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("powers", [(40, 30), (30, 40)])
def test_a_mission_that_names_who_goes_first_asks_nobody(first: int, powers: tuple[int, int]) -> None:
    """Whoever is the Underdog: the player that is named has the first turn of each round."""
    battle = mission(*([(SQUAD, {"power": power})] for power in powers), first_player=first)
    while battle.decision is not None and battle.clock.round[0] < 3:
        assert kind(battle) != "first-turn"
        battle.apply(battle.first_legal())
    turns = [(e["player"], e["round"]) for e in steps(battle, "w8.round.turns", "turn")]
    assert turns[:4] == [(first, 1), (1 - first, 1), (first, 2), (1 - first, 2)]


@pytest.mark.rule("w8.mission.deploy.halves.lines", "w8.mission.deploy.where")
@pytest.mark.parametrize("division", [0, 1, 2, 3])
def test_a_mission_that_names_the_division_has_its_zones(division: int) -> None:
    """Nobody is asked how to divide the battlefield; the zones are 12" from the line that is named."""
    battle = mission([(SQUAD, {})], [(SQUAD, {})], division=division)
    assert kind(battle) == "choose-zone"
    choose(battle, "option", 0)
    a, b, c = halves.lines(72.0, 48.0)[division]
    for player, side in ((0, 1), (1, -1)):
        gaps = side * (c - zone_of(battle, player) @ (a, b))
        assert gaps.min() == pytest.approx(12.0, abs=1e-3)


# ---------------------------------------------------------------- units for which there is no room


@pytest.mark.rule("w8.mission.deploy.left-over", "w8.mission.primary.slay-and-secure")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("fits", [True, False])
def test_a_warlord_without_room_is_not_slain(fits: bool, player: int) -> None:
    """Slay and Secure: nobody scores for it at the end; its army has no Warlord, and the other one keeps its own."""
    lord = HERO if fits else GIANT
    armies = [[(SQUAD, {"models": 1}), (HERO, {"warlord": True})]] * 2
    armies[player] = [(SQUAD, {"models": 1}), (lord, {"warlord": True})]
    battle = mission(*armies, size=SMALL, dice=[6, 1, 1, 1, 1, 6, 6], division=0, first_player=0, rounds=1)
    while battle.clock.round[0] == 0:
        if kind(battle) == "warlord-trait":
            choose(battle, "option", int(Trait.INSPIRING_LEADER))
        else:
            battle.apply(battle.first_legal())
    unit = 2 * player + 1
    assert battle.units.place[unit] == (ON_TABLE if fits else DESTROYED)
    model = next(k for k, row in enumerate(battle.models.unit) if row == unit)
    other = next(k for k, row in enumerate(battle.models.unit) if row == 2 * (1 - player) + 1)
    assert battle.warlords.model[player] == (model + 1 if fits else 0)
    assert battle.warlords.trait[player] == (Trait.INSPIRING_LEADER if fits else 0)
    assert battle.warlords.model[1 - player] == other + 1
    assert battle.warlords.trait[1 - player] == Trait.INSPIRING_LEADER
    squad = 2 * player
    assert battle.setup.ruleset.more_leadership(battle, 2 * (1 - player) + 1) == 1  # type: ignore[attr-defined]
    if not fits:
        assert battle.setup.ruleset.more_leadership(battle, squad) == 0  # type: ignore[attr-defined]
    while not battle.over:
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert list(battle.players.vp) == [0, 0]


@pytest.mark.rule("w8.mission.victory.wipe-out", "w8.mission.deploy.left-over")
@pytest.mark.parametrize("player", [0, 1])
def test_an_army_without_room_has_lost_before_the_first_turn(player: int) -> None:
    """The battle ends as its first round starts, and the other army has won."""
    armies: list[Any] = [[(SQUAD, {})], [(SQUAD, {})]]
    armies[player] = [(GIANT, {})]
    battle = mission(*armies, size=SMALL, division=0, first_player=0)
    play_until(battle)
    assert battle.over
    assert battle.result is not None
    assert (battle.clock.round[0], battle.result.winner) == (1, 1 - player)
    assert len(steps(battle, "w8.mission.victory.wipe-out", "major victory")) == 1
    assert not steps(battle, "w8.round.turns", "turn")


# ---------------------------------------------------------------- deployment


@pytest.mark.rule("w8.mission.deploy.until", "w8.concepts.sequencing.out-of-turn")
@pytest.mark.parametrize("owners", [(0,), (1,), (0, 1)])
@pytest.mark.parametrize(("rolls", "first"), [([5, 3], 0), ([3, 5], 1)])
def test_units_that_come_after_deployment_are_deployed_too(
    owners: tuple[int, ...], rolls: list[int], first: int
) -> None:
    """A rule sets units up after both armies; where both players have such units the winner of a roll-off begins."""
    scene = EighthScene(size=(72, 48))
    for player in (0, 1):
        scene.unit(player, SQUAD, place="deploy", name=f"Line {player}")
        if player in owners:
            late = scene.unit(player, SQUAD, place="deploy", name=f"Late {player}")
            scene.rule(TimedRule("last", "after-deployment", player, "set-up", late.row, 0))
    battle = scene.battle("mission", attacker=None, dice=[6, 1, 1, *rolls], rules={"division": 0, "first_player": 0})
    play_until(battle, "move-kind")
    order = [battle.setup.names["units"][e.data["unit"]] for e in battle.events if e.kind == "unit deployed"]
    both = [f"Late {first}", f"Late {1 - first}"]
    assert order == ["Line 1", "Line 0", *(both if len(owners) == 2 else [f"Late {owners[0]}"])]
    assert dice_left(battle) == (0 if len(owners) == 2 else 2)
    assert set(battle.units.place) == {ON_TABLE}


# ---------------------------------------------------------------- Traits


@pytest.mark.rule("w8.warlord.trait.determine", "w8.warlord.tenacious-survivor")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("way", "dice"), [(3, []), (0, [6]), (1, []), (0, [1])])
def test_the_trait_that_was_determined_is_in_force_in_the_battle(way: int, dice: list[int], player: int) -> None:
    """A shot of 3 damage in the first turn: with 6, 6 and 1 a Tenacious Survivor ignores 2 wounds."""
    gun = sheet("Gun", weapons={"gun": ranged(72, A=1, BS=2, S=10, AP=-6, D=3)}, models=(1, 1))
    scene = EighthScene(size=(72, 48))
    lord = scene.unit(player, HERO, place="deploy", warlord=True)
    scene.unit(1 - player, gun, place="deploy")
    rules = {"division": 0, "first_player": 1 - player}
    shot = [6, 6, 1, 6, 6, 1]  # it hits, wounds and is not saved; then a die for each wound
    battle = scene.battle("mission", attacker=None, dice=[6, 1, 1, *dice, *shot], rules=rules)
    play_until(battle, "warlord-trait")
    choose(battle, "option", way)
    while battle.decision is not None and not told(battle, "w8.attack.damage"):
        shooting = battle.clock.phase[0] == Phase.SHOOTING
        battle.apply(battle.decision.options[-1] if shooting else battle.first_legal())
    survives = way == 3 or dice == [6]
    assert battle.models.wounds[lord.first] == (3 if survives else 1)
