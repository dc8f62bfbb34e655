"""The core Stratagems and how they are used (w9.stratagem.*, w9.rare.breakout.*)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from ninth import NinthScene

from wh_env.content.battle import Battle
from wh_env.core.tables import DESTROYED
from wh_env.rulesets.w9.codes import Phase
from wh_env.rulesets.w9.stratagems.book import BOOK, Stratagem
from wh_env.rulesets.w40k.psychic.data import Affects, PsychicPower, PsychicProfile
from wh_env.rulesets.w40k.sequence.effects import take_effect
from wh_env.testing import choose, dice_left, kind, melee, pick, place, ranged, sheet, slots, told, words

QUIET = {"cp_each_command_phase": 0}
TOUCH = 1.005


def points(player: int, cp: int) -> tuple[int, int]:
    """Command points of one player; the other has none."""
    return (cp, 0) if player == 0 else (0, cp)


def first_own(battle: Battle) -> None:
    """Use the Stratagem on the first unit that is offered."""
    choose(battle, "own", slots(battle, "own")[0])


# ---------------------------------------------------------------- use


@pytest.mark.rule("w9.stratagem.use")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("cp", "offered", "left"), [(3, True, 1), (2, True, 0), (1, False, 1)])
def test_it_is_paid_and_takes_effect(player: int, cp: int, offered: bool, left: int) -> None:
    """Insane Bravery costs 2 CP: 3 become 1, 2 become 0; with 1 it is not offered and the die is rolled."""
    battle, unit = shaken(player, cp, [1])
    assert (kind(battle) == "insane-bravery") == offered
    if offered:
        first_own(battle)
    assert battle.players.cp[player] == left
    assert battle.units.alive[unit] == 5
    assert dice_left(battle) == offered


@pytest.mark.rule("w9.stratagem.use")
def test_conditions_have_to_be_met() -> None:
    """Each core Stratagem has its cost, and is to be had in its phase and in whose turn its text says only."""
    costs = {BOOK.table[number].name: BOOK.table[number].cp for number in BOOK.table}
    assert costs["command-re-roll"] == costs["cut-them-down"] == costs["fire-overwatch"] == 1
    assert costs["desperate-breakout"] == costs["counter-offensive"] == costs["insane-bravery"] == 2
    bit = 1 << Stratagem.FIRE_OVERWATCH
    could = BOOK.could(BOOK.costs({}, 0), BOOK.every)
    assert could[Phase.CHARGE][0][-1] & bit
    assert not could[Phase.CHARGE][1][-1] & bit
    assert not could[Phase.MOVEMENT][0][-1] & bit


def shots(player: int, detail: str = "full", **more: Any) -> Battle:
    """Two units of one player shoot at one of the other, whose saves fail; each side has 4 Command points."""
    scene = NinthScene()
    gun = {"gun": ranged(24, A=1, BS=2, S=8)}
    for n in range(2):
        scene.unit(player, sheet(f"Gun {n}", weapons=gun), at=(10 + 4 * n, 10), models=1, name=f"Gun {n}")
    scene.unit(1 - player, sheet("Foe", W=9, Sv=4), at=(12, 20), models=1, name="Foe")
    battle: Battle = scene.battle("shooting", active=player, cp=(4, 4), detail=detail, rules=QUIET, **more)
    return battle


@pytest.mark.rule("w9.stratagem.once-per-phase")
@pytest.mark.parametrize("player", [0, 1])
def test_the_same_one_once_a_phase(player: int) -> None:
    """Command Re-roll on a hit roll: not offered again to this player in this phase, but to the opponent; in the next phase it is."""
    battle = shots(player, dice=[1, 6, 6, 1, 1])
    pick(battle, "Gun 0")
    while kind(battle) in ("weapon-target", "shoot-target"):
        pick(battle, "Foe")
    asked = []
    while battle.clock.phase[0] == Phase.SHOOTING and kind(battle) is not None:
        if (kind(battle) or "").startswith("command-re-roll"):
            assert battle.decision is not None
            asked.append(battle.decision.player)
            battle.apply(battle.decision.options[-1])
        elif kind(battle) == "select-to-shoot":
            choose(battle, "own", slots(battle, "own")[0])
        elif kind(battle) == "weapon-target":
            pick(battle, "Foe")
        else:
            battle.apply(battle.first_legal())
    assert sorted(asked) == [0, 1]
    assert tuple(battle.players.cp) == (3, 3)
    assert battle.players.used[player] == 0  # a new phase
    assert BOOK.available(battle, player) >> Stratagem.COMMAND_REROLL & 1


# ---------------------------------------------------------------- Command Re-roll


def rolling(player: int, dice: Sequence[int], cp: int = 1) -> Battle:
    """A charge that needs 7 (8" away)."""
    scene = NinthScene()
    scene.unit(player, sheet("Unit"), at=(10, 10), models=1, name="Unit")
    scene.unit(1 - player, sheet("Foe"), at=(10, 19), models=1, name="Foe")
    battle = scene.battle("charge", active=player, cp=points(player, cp), dice=dice, detail="full", rules=QUIET)
    if kind(battle) == "select-to-charge":
        pick(battle, "Unit")
    if kind(battle) == "charge-target":
        battle.apply(battle.first_legal())
    return battle


@pytest.mark.rule("w9.stratagem.command-re-roll")
@pytest.mark.parametrize("player", [0, 1])
def test_a_charge_roll_is_made_again_with_all_its_dice(player: int) -> None:
    """2 and 3, then 5 and 4: the charge roll is 9."""
    battle = rolling(player, [2, 3, 5, 4])
    assert (kind(battle), battle.decision.player) == ("command-re-roll", player)
    stays = battle.clone()
    choose(battle, "option", 0)
    assert [e["roll"] for e in told(battle, "w9.charge.roll")] == [9]
    assert (battle.players.cp[player], dice_left(battle)) == (0, 0)
    choose(stays, "done")
    assert (stays.players.cp[player], dice_left(stays)) == (1, 2)
    assert kind(rolling(player, [2, 3], cp=0)) != "command-re-roll"


@pytest.mark.rule("w9.stratagem.command-re-roll")
def test_an_advance_roll_too() -> None:
    scene = NinthScene()
    scene.unit(0, sheet("Unit"), at=(10, 10), models=1, name="Unit")
    scene.unit(1, sheet("Foe"), at=(50, 40), models=1, name="Foe")
    battle = scene.battle("movement", cp=(1, 0), dice=[1, 6], detail="full", rules=QUIET)
    if kind(battle) == "select-to-move":
        pick(battle, "Unit")
    pick(battle, "Advance")
    assert kind(battle) == "command-re-roll"
    choose(battle, "option", 0)
    assert battle.units.advance[0] == 6


@pytest.mark.rule("w9.stratagem.command-re-roll")
@pytest.mark.parametrize(
    ("window", "dice", "weapon", "player"),
    [
        ("hit", [1, 2, 6, 1], {"A": 1}, 0),
        ("wound", [6, 1, 6, 1], {"A": 1}, 0),
        ("save", [6, 6, 1, 6], {"A": 1}, 1),
        ("damage", [6, 6, 1, 1, 6], {"A": 1, "D": "D6"}, 0),
        ("attacks", [1, 1, 1, 1, 6], {"A": "D6"}, 0),
    ],
)
def test_rolls_of_attacks(window: str, dice: list[int], weapon: dict[str, Any], player: int) -> None:
    """Hit roll, wound roll, saving throw, damage roll and number of attacks: each can be rolled again by its player."""
    scene = NinthScene()
    gun = {"gun": ranged(24, BS=2, S=8, **weapon)}
    scene.unit(0, sheet("Gun", weapons=gun), at=(10, 10), models=1, name="Gun")
    scene.unit(1, sheet("Foe", W=9, Sv=4), at=(12, 20), models=1, name="Foe")
    battle = scene.battle("shooting", cp=points(player, 1), detail="full", dice=dice, rules=QUIET)
    seen = []
    while battle.clock.phase[0] == Phase.SHOOTING and kind(battle) is not None:
        if kind(battle) == "command-re-roll-die":
            seen.append(words(battle))
            if any(window in w for w in words(battle).values()) or len(seen) > 20:
                break
            battle.apply(battle.first_legal())
        elif kind(battle) in ("weapon-target", "select-to-shoot"):
            battle.apply(battle.decision.options[-1])
        else:
            battle.apply(battle.first_legal())
    assert kind(battle) == "command-re-roll-die"
    assert battle.decision.player == player
    battle.apply(battle.decision.options[-1])
    assert tuple(battle.players.cp) == (0, 0)
    assert not BOOK.available(battle, player)


@pytest.mark.rule("w9.stratagem.command-re-roll")
def test_morale_and_attrition_are_not_rolled_again() -> None:
    """A failed Morale test and Combat Attrition: nobody is asked."""
    battle, unit = shaken(0, 1, [6, 1, 6, 6, 6], detail="full")
    assert kind(battle) == "fleeing-model"
    choose(battle, "model", 0)
    assert kind(battle) == "fleeing-model"
    choose(battle, "model", 0)
    assert battle.units.alive[unit] == 3
    assert (battle.players.cp[0], dice_left(battle)) == (1, 0)


# ---------------------------------------------------------------- Fire Overwatch


@pytest.mark.rule("w9.stratagem.fire-overwatch")
@pytest.mark.parametrize("player", [0, 1])
def test_one_of_the_targets_fires_and_no_second_charge_is_answered(player: int) -> None:
    """A charge at B1 and B2: both are offered, B1 shoots, B2 does not; a second charge in the phase meets no Overwatch."""
    scene = NinthScene()
    gun = {"gun": ranged(24, A=2, BS=2, S=4)}
    for n in range(2):
        scene.unit(player, sheet(f"A{n}", W=9, Sv=6), at=(10 + 20 * n, 10), models=1, name=f"A{n}")
    for n, x in enumerate((9.0, 11.0, 30.0)):
        scene.unit(1 - player, sheet(f"B{n}", weapons=gun), at=(x, 16), models=1, name=f"B{n}")
    battle = scene.battle("charge", active=player, cp=points(1 - player, 5), dice=[6, 1, 6, 1, 1, 1], rules=QUIET)
    pick(battle, "A0")
    for name in ("B0", "B1"):
        pick(battle, f"charge {name}")
    if kind(battle) == "charge-target":
        pick(battle, "no more targets")
    assert kind(battle) == "fire-overwatch"
    assert set(words(battle).values()) == {"no Fire Overwatch", "Fire Overwatch: B0", "Fire Overwatch: B1"}
    pick(battle, "Fire Overwatch: B0")
    assert battle.models.wounds[battle.units.first[battle.players.first_unit[player]]] == 8
    assert dice_left(battle) == 0
    assert battle.players.cp[1 - player] == 4
    if kind(battle) == "select-to-charge":
        pick(battle, "A1")
    assert kind(battle) != "fire-overwatch"
    assert len(told(battle, "w9.charge.roll")) == 2


# ---------------------------------------------------------------- Counter-Offensive


def counter(player: int, cp: int = 2, traits: Sequence[str] = ()) -> Battle:
    """A1 and A2 charged B1 and B2; one of them has fought, B2 is 0.9" from A2."""
    scene = NinthScene()
    for n in (1, 2):
        scene.unit(player, sheet(f"A{n}", W=9), at=(10.0 * n, 10), models=1, name=f"A{n}", charged=1)
    scene.unit(1 - player, sheet("B1", W=9), at=(20, 11.9), models=1, name="B1")
    scene.unit(1 - player, sheet("B2", W=9), at=(10, 11.9), models=1, name="B2")
    scene.unit(1 - player, sheet("B3", W=9), at=(40, 30), models=1, name="B3")

    def mark(battle: Battle) -> None:
        b1 = battle.setup.names["units"].index("B1")
        for trait in traits:
            take_effect(battle, trait, 1 - player, b1, 1)

    battle = scene.battle("fight", active=player, cp=points(1 - player, cp), set_state=mark, rules=QUIET)
    pick(battle, "A1")
    while kind(battle) not in ("counter-offensive", "select-to-fight") and battle.clock.phase[0] == Phase.FIGHT:
        battle.apply(battle.first_legal())
    return battle


def fights(battle: Battle) -> list[str]:
    """Who was selected to fight."""
    return [battle.setup.names["units"][e.data["unit"]] for e in battle.events if e.kind == "selected to fight"]


@pytest.mark.rule("w9.stratagem.counter-offensive")
@pytest.mark.parametrize("player", [0, 1])
def test_an_eligible_unit_fights_next(player: int) -> None:
    """After A1 has fought B1 fights before A2, which charged; 2 CP. B3, which is not engaged, is not offered; nor with 1 CP."""
    battle = counter(player)
    assert (kind(battle), battle.decision.player) == ("counter-offensive", 1 - player)
    assert set(words(battle).values()) == {"no Counter-Offensive", "Counter-Offensive: B1", "Counter-Offensive: B2"}
    pick(battle, "Counter-Offensive: B1")
    while battle.clock.turn[0] == player:
        battle.apply(battle.first_legal())
    assert fights(battle)[:4] == ["A1", "B1", "A2", "B2"]
    assert battle.players.cp[1 - player] == 0
    battle = counter(player, cp=1)
    assert kind(battle) != "counter-offensive"


@pytest.mark.rule("w9.rare.fight-first-last.counter-offensive")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("traits", "offered"),
    [(("fights-last",), False), (("fights-last", "fights-first"), True), ((), True)],
)
def test_a_unit_that_fights_last_is_not_eligible_for_it(player: int, traits: Sequence[str], offered: bool) -> None:
    battle = counter(player, traits=traits)
    assert kind(battle) == "counter-offensive"
    assert ("Counter-Offensive: B1" in words(battle).values()) == offered
    assert "Counter-Offensive: B2" in words(battle).values()


# ---------------------------------------------------------------- Insane Bravery


def shaken(player: int, cp: int, dice: Sequence[int], detail: str = "squad", units: int = 1) -> tuple[Battle, Any]:
    """Units of Ld 6 that have lost 5 of their 10 models each."""
    scene = NinthScene()
    found = [
        scene.unit(
            player,
            sheet("Shaken", Ld=6),
            at=[(10 + 1.5 * k, 10 + 3 * n) for k in range(10)],
            lost=range(5),
            name=f"Shaken {n}",
        )
        for n in range(units)
    ]
    scene.unit(1 - player, sheet("Calm"), at=(50, 40), models=1)

    def strike(battle: Battle) -> None:
        for unit in found:
            for k in range(5):
                battle.toll[unit.model(k)] = 1

    battle = scene.battle("morale", cp=points(player, cp), dice=dice, detail=detail, set_state=strike, rules=QUIET)
    return battle, found[0]


@pytest.mark.rule("w9.stratagem.insane-bravery", "w9.morale.priority")
@pytest.mark.parametrize("player", [0, 1])
def test_the_test_is_passed_without_a_roll_once_a_battle(player: int) -> None:
    """No die is rolled and nobody flees; for the second unit it is not offered, nor in the next turn."""
    battle, unit = shaken(player, 6, [1], units=2)
    assert (kind(battle), battle.decision.player) == ("insane-bravery", player)
    first_own(battle)
    assert battle.units.alive[unit] == 5
    assert [e["unit"] for e in told(battle, "w9.morale.priority")] == [unit.row]
    assert len(told(battle, "w9.morale.test")) == 1  # the other unit
    assert dice_left(battle) == 0
    assert battle.players.cp[player] == 4
    battle.clock.phase[0] = Phase.MORALE
    assert not BOOK.available(battle, player) >> Stratagem.INSANE_BRAVERY & 1


@pytest.mark.rule("w9.morale.priority", "w9.stratagem.insane-bravery")
def test_it_comes_before_a_rule_that_fails_the_test() -> None:
    """Ld 7, 5 lost, under "automatically fails Morale tests": passed, 0 dice, nobody flees."""
    scene = NinthScene()
    unit = scene.unit(
        0, sheet("Shaken", Ld=7), at=[(10 + 1.5 * k, 10) for k in range(10)], lost=range(5), name="Shaken"
    )
    scene.unit(1, sheet("Calm"), at=(50, 40), models=1)

    def strike(battle: Battle) -> None:
        battle.toll_array[:5] = 1
        take_effect(battle, "fails-morale", 1, unit.row, 1)

    battle = scene.battle("morale", cp=(2, 0), set_state=strike, dice=[1], rules=QUIET)
    first_own(battle)
    assert (battle.units.alive[unit], dice_left(battle)) == (5, 1)


# ---------------------------------------------------------------- Cut Them Down


def leaving(player: int, dice: Sequence[int], cp: int = 1, models: int = 2) -> tuple[Battle, Any]:
    """A unit Falls Back from five models within 1" of it and one farther away."""
    scene = NinthScene()
    unit = scene.unit(player, sheet("Unit", W=3), at=[(10 + 1.2 * k, 10) for k in range(models)], name="Unit")
    near = [(9.4, 11.4), (10.6, 11.4), (11.8, 11.4), (12.4, 10.2), (8.5, 10.5), (14.2, 10.2)]
    scene.unit(1 - player, sheet("Foes"), at=near, name="Foes")
    battle = scene.battle("movement", active=player, cp=points(1 - player, cp), dice=dice, rules=QUIET)
    if kind(battle) == "select-to-move":
        pick(battle, "Unit")
    pick(battle, "Fall Back")
    return battle, unit


@pytest.mark.rule("w9.stratagem.cut-them-down")
@pytest.mark.parametrize("player", [0, 1])
def test_each_model_within_engagement_range_strikes(player: int) -> None:
    """5 models within 1", dice 6, 2, 6, 1, 4: 2 mortal wounds before anybody moves; then the unit Falls Back."""
    battle, unit = leaving(player, [6, 2, 6, 1, 4])
    assert (kind(battle), battle.decision.player) == ("cut-them-down", 1 - player)
    assert place(battle, unit.first) == (10.0, 10.0)
    choose(battle, "option", 0)
    assert dice_left(battle) == 0
    assert sum(battle.models.wounds[unit.model(k)] for k in range(2)) == 4
    assert battle.players.cp[1 - player] == 0
    assert kind(battle) == "fall-back-to"
    battle, unit = leaving(player, [5, 5, 5, 5, 5])
    choose(battle, "option", 0)
    assert sum(battle.models.wounds[unit.model(k)] for k in range(2)) == 6
    battle, unit = leaving(player, [], cp=0)
    assert kind(battle) == "fall-back-to"
    battle, unit = leaving(player, [6])
    choose(battle, "done")
    assert (kind(battle), dice_left(battle)) == ("fall-back-to", 1)


@pytest.mark.rule("w9.stratagem.cut-them-down")
def test_not_at_a_unit_that_does_not_fall_back() -> None:
    """An engaged unit that Remains Stationary, a free one that makes a Normal move: nobody is asked."""
    scene = NinthScene()
    scene.unit(0, sheet("Unit"), at=(10, 10), models=1, name="Unit")
    scene.unit(0, sheet("Free"), at=(30, 10), models=1, name="Free")
    scene.unit(1, sheet("Foes"), at=(10, 11.5), models=1, name="Foes")
    battle = scene.battle("movement", cp=(0, 3), rules=QUIET)
    pick(battle, "Unit")
    pick(battle, "Remain Stationary")
    pick(battle, "Normal move")
    assert kind(battle) == "move-to"


# ---------------------------------------------------------------- Desperate Breakout


def surrounded(
    player: int, dice: Sequence[int], *, effects: Sequence[str] = (), models: int = 5, cp: int = 2, detail: str = "full"
) -> tuple[Battle, Any]:
    """A unit of five in a row with enemies all along both sides, selected to move, whose player may break out."""
    scene = NinthScene()
    guns = {"gun": ranged(24, A=1), "fist": melee()}
    unit = scene.unit(
        player, sheet("Unit", M=6, weapons=guns), at=[(20 + 1.1 * k, 20) for k in range(models)], name="Unit"
    )
    ring = [(19 + 1.1 * k, y) for y in (18.6, 21.4) for k in range(models + 2)] + [(18.6, 20), (20 + 1.1 * models, 20)]
    scene.unit(1 - player, sheet("Ring", W=9), at=ring, name="Ring")
    scene.unit(1 - player, sheet("Far", W=9), at=(40, 40), models=1, name="Far")

    def mark(battle: Battle) -> None:
        for effect in effects:
            take_effect(battle, effect, 1 - player, unit.row, 1)

    battle = scene.battle(
        "movement", active=player, cp=points(player, cp), dice=dice, detail=detail, set_state=mark, rules=QUIET
    )
    if kind(battle) == "select-to-move":
        pick(battle, "Unit")
    return battle, unit


@pytest.mark.rule("w9.stratagem.desperate-breakout")
@pytest.mark.parametrize("player", [0, 1])
def test_a_surrounded_unit_breaks_out(player: int) -> None:
    """Dice 1, 3, 4, 6, 2: one model of its player's choice is destroyed; who ends within 1" of an enemy is destroyed too."""
    battle, unit = surrounded(player, [1, 3, 4, 6, 2])
    assert (kind(battle), battle.decision.player) == ("desperate-breakout", player)
    first_own(battle)
    assert (battle.players.cp[player], dice_left(battle)) == (0, 0)
    assert (kind(battle), battle.decision.player, len(slots(battle, "model"))) == ("breakout-loss", player, 5)
    choose(battle, "model", 4)
    assert not battle.models.alive[unit.model(4)]
    assert kind(battle) == "breakout-to"
    ends = {}
    for cell in slots(battle, "cell"):
        after = battle.clone()
        choose(after, "cell", cell)
        left = after.units.alive[unit]
        ends.setdefault(int(left), []).append(after)
    assert max(ends) == 4  # all of them get out somewhere
    assert len(ends) > 2  # and elsewhere some end near an enemy
    for left, battles in ends.items():
        for after in battles[:3]:
            engaged = [
                k
                for k in after.members(unit.row)
                if any(after.models.alive[k] and near(after, k, e) for e in range(len(after.models.x)))
            ]
            assert engaged == []
            assert after.units.alive[unit] == left


def near(battle: Battle, k: int, e: int) -> bool:
    """Whether two models of different sides are within 1" of each other."""
    m = battle.models
    if m.owner[k] == m.owner[e] or not m.on_table[e]:
        return False
    return bool(((m.x[k] - m.x[e]) ** 2 + (m.y[k] - m.y[e]) ** 2) ** 0.5 <= m.radius[k] + m.radius[e] + 1.0)


@pytest.mark.rule("w9.stratagem.desperate-breakout")
@pytest.mark.parametrize("player", [0, 1])
def test_afterwards_it_does_nothing_else(player: int) -> None:
    """It does not shoot, charge or fight in this turn; a unit that is not engaged, or for less than 2 CP, cannot use it."""
    battle, unit = surrounded(player, [6] * 5)
    first_own(battle)
    choose(battle, "done")  # it stays
    assert battle.units.alive[unit] == 5
    while battle.clock.turn[0] == player and not battle.over:
        if kind(battle) in ("select-to-shoot", "select-to-charge", "select-to-fight"):
            assert battle.decision.player != player or "Unit" not in words(battle).values()
        battle.apply(battle.first_legal())
    assert unit.row not in [e.data["unit"] for e in battle.events if e.kind == "selected to fight"]
    battle, _ = surrounded(player, [], cp=1)
    assert kind(battle) != "desperate-breakout"
    scene = NinthScene()
    scene.unit(player, sheet("Unit"), at=(20, 20), models=1, name="Unit")
    scene.unit(1 - player, sheet("Foe"), at=(20, 30), models=1, name="Foe")
    battle = scene.battle("movement", active=player, cp=(2, 2), rules=QUIET)
    if kind(battle) == "select-to-move":
        pick(battle, "Unit")
    assert kind(battle) == "move-kind"


@pytest.mark.rule("w9.rare.breakout.forbidden")
@pytest.mark.parametrize("player", [0, 1])
def test_a_unit_that_cannot_fall_back_pays_all_the_same(player: int) -> None:
    """Dice 1, 2, 3, 4, 5: 2 CP are spent, one model is destroyed, nobody moves. Without the Stratagem it cannot Fall Back either."""
    battle, unit = surrounded(player, [1, 2, 3, 4, 5], effects=["cannot-fall-back"], detail="squad")
    normal = battle.clone()
    first_own(battle)
    assert (battle.players.cp[player], battle.units.alive[unit], dice_left(battle)) == (0, 4, 0)
    assert [place(battle, unit.model(k)) for k in range(4)] == [(pytest.approx(20 + 1.1 * k), 20) for k in range(4)]
    assert kind(battle) != "breakout-to"
    choose(normal, "done")
    assert kind(normal) != "move-kind" or "Fall Back" not in " ".join(words(normal).values())


@pytest.mark.rule("w9.stratagem.desperate-breakout")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("effects", [[], ["cannot-fall-back"]])
def test_a_unit_that_loses_all_its_models_does_not_get_away(player: int, effects: list[str]) -> None:
    """Dice 1, 1 for two models: nobody is left to move, or to be prevented from it."""
    battle, unit = surrounded(player, [1, 1], models=2, effects=effects)
    first_own(battle)
    while kind(battle) == "breakout-loss":
        battle.apply(battle.first_legal())
    assert (battle.units.alive[unit], battle.units.place[unit], dice_left(battle)) == (0, DESTROYED, 0)
    assert kind(battle) != "breakout-to"
    assert told(battle, "w9.rare.breakout.forbidden") == []


@pytest.mark.rule("w9.stratagem.desperate-breakout")
@pytest.mark.parametrize("player", [0, 1])
def test_the_last_model_of_a_unit_breaks_out(player: int) -> None:
    """Dice 1, 6 for two models: one is left, and gets away."""
    battle, unit = surrounded(player, [1, 6], models=2, detail="squad")
    first_own(battle)
    assert battle.units.alive[unit] == 1
    assert (kind(battle), battle.decision.subject) == ("breakout-to", unit.row)


@pytest.mark.rule("w9.stratagem.desperate-breakout")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("dice", "left"), [([1, 6, 6], [1, 1, 0]), ([1, 6, 1], [1, 0, 0]), ([1], [0])])
def test_at_squad_detail_the_last_models_are_destroyed(player: int, dice: list[int], left: list[int]) -> None:
    """A model for each die of 1, from the last on, be it the only one of its unit."""
    battle, unit = surrounded(player, dice, models=len(dice), detail="squad")
    first_own(battle)
    assert [battle.models.alive[unit.model(n)] for n in range(len(dice))] == left
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.rare.breakout.test")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("won", [True, False])
def test_the_dice_of_the_stratagem_come_before_the_roll_off(player: int, won: bool) -> None:
    """4 models, dice 1, 1, 3, 6: two are destroyed; then the roll-off: lost, the others do not move; won, they may."""
    mine = (6, 1) if (player == 0) == won else (1, 6)
    battle, unit = surrounded(player, [1, 1, 3, 6, *mine], effects=["roll-off-to-fall-back"], models=4, detail="squad")
    first_own(battle)
    assert (battle.units.alive[unit], dice_left(battle)) == (2, 0)
    assert (kind(battle) == "breakout-to") == won
    assert bool(told(battle, "w9.rare.breakout.test")) != won
    rules = [e.rule for e in battle.events]
    assert rules.index("w9.stratagem.desperate-breakout") < rules.index("w9.concepts.dice.roll-off")


@pytest.mark.rule("w9.rare.breakout.consequences")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("effect", "dice"), [("cannot-fall-back", []), ("roll-off-to-fall-back", [1, 1, 1, 1])])
def test_after_a_breakout_that_was_prevented(player: int, effect: str, dice: list[int]) -> None:
    """All models are within 1" of enemies: none is destroyed for it, but the unit does nothing else in this turn."""
    mine = [] if not dice else ([1, 6] if player == 0 else [6, 1])
    battle, unit = surrounded(player, [6] * 5 + mine, effects=[effect], detail="squad")
    first_own(battle)
    assert battle.units.alive[unit] == 5
    while battle.clock.turn[0] == player and not battle.over:
        if battle.decision.player == player and (kind(battle) or "").startswith("select-to"):
            assert "Unit" not in words(battle).values()
        battle.apply(battle.first_legal())
    deeds = [e for e in battle.events if e.kind in ("selected to fight", "selected to shoot", "declares a charge")]
    assert unit.row not in [e.data["unit"] for e in deeds]


@pytest.mark.rule("w9.rare.breakout.consequences")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("breaks_out", [True, False])
def test_a_psyker_with_a_pistol_does_nothing_after_it(player: int, breaks_out: bool) -> None:
    """Without the Stratagem it is asked to manifest, to shoot and to fight in this turn; after a breakout that was prevented it is not."""
    scene = NinthScene()
    arms = {"pistol": ranged(12, A=1, abilities=["Pistol"]), "fist": melee()}
    data = sheet("Unit", weapons=arms, keywords=("INFANTRY", "PSYKER"))
    bolt = PsychicPower("Bolt", 5, "mortal", Affects.ENEMY, 18, amount=(0, 0, 1))
    seer = PsychicProfile(1, 1, (bolt,))
    unit = scene.unit(player, data, at=(20, 20), models=1, name="Unit", psychic=seer)
    scene.unit(player, sheet("Mate"), at=(50, 5), models=1, name="Mate")
    ring = [(18.6, 20), (21.4, 20), (20, 18.6), (20, 21.4)]
    scene.unit(1 - player, sheet("Ring", W=9), at=ring, name="Ring")

    def mark(battle: Battle) -> None:
        take_effect(battle, "cannot-fall-back", 1 - player, unit.row, 1)

    battle = scene.battle(
        "movement", active=player, cp=points(player, 2), dice=[6], set_state=mark, rules=QUIET, detail="full"
    )
    if kind(battle) == "select-to-move":
        pick(battle, "Unit")
    assert kind(battle) == "desperate-breakout"
    if breaks_out:
        first_own(battle)
        assert battle.units.alive[unit] == 1
    else:
        choose(battle, "done")
    asked = set()
    while battle.clock.turn[0] == player and not battle.over:
        if battle.decision.player == player and battle.decision.subject == unit.row:
            asked.add(kind(battle))
        if "Unit" in words(battle).values():
            asked.add(kind(battle))
            pick(battle, "Unit")
        else:
            battle.apply(battle.first_legal())
    did = {e.kind for e in battle.events if e.data.get("unit") == unit.row}
    for question in ("select-psyker", "select-to-shoot"):
        assert (question in asked) != breaks_out
    for deed in ("selected to manifest powers", "selected to shoot", "selected to fight"):
        assert (deed in did) != breaks_out


@pytest.mark.rule("w9.charge.heroic-intervention.move", "w9.fight.targets.charged")
@pytest.mark.parametrize("player", [0, 1])
def test_who_intervened_may_be_fought_by_those_who_charged(player: int) -> None:
    """A charges B1; the CHARACTER B2, 3" from where A ends, intervenes up to it: A may target both, not B3 beside it."""
    scene = NinthScene()
    blade = {"blade": melee(A=2)}
    scene.unit(player, sheet("A", W=9, weapons=blade), at=(20, 20), models=1, name="A")
    scene.unit(1 - player, sheet("B1", W=9), at=(20, 26), models=1, name="B1")
    scene.unit(1 - player, sheet("B2", W=9, keywords=("INFANTRY", "CHARACTER")), at=(23.9, 25), models=1, name="B2")
    battle = scene.battle("charge", active=player, dice=[3, 3], rules=QUIET)
    if kind(battle) == "select-to-charge":
        pick(battle, "A")
    pick(battle, "charge B1")
    if kind(battle) == "charge-target":
        pick(battle, "no more targets")
    assert kind(battle) == "select-to-intervene"
    pick(battle, "B2")
    while kind(battle) != "fight-target":
        battle.apply(battle.first_legal())
    assert (battle.clock.turn[0], battle.clock.phase[0]) == (player, Phase.FIGHT)
    assert set(words(battle).values()) == {"B1", "B2"}
