"""Units that count as having Remained Stationary although they moved (w9.rare.stationary.*)."""

from __future__ import annotations

from typing import Any

import pytest
from ninth import NinthScene

from wh_env import Battle
from wh_env.core.tables import EMBARKED, ON_TABLE
from wh_env.rulesets.w9.rare.stationary import CHARGE, RAPID_FIRE_AT_ANY_RANGE, SHOOTING
from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.sequence.sequencing import TimedRule
from wh_env.testing import UnitHandle, cell_nearest, choose, dice_left, kind, pick, ranged, sheet, slots, told, words

RAPID = {"rifle": ranged(24, A=1, BS=4, abilities=["Rapid Fire 1"])}
HEAVY = {"cannon": ranged(36, A=1, BS=4, S=9, abilities=["Heavy"])}
ASSAULT = {"carbine": ranged(24, A=1, BS=3, S=9, abilities=["Assault"])}


def moved_on(
    what: str, dx: float, *, player: int = 0, foe: float = 44, weapons: dict[str, Any] = RAPID, counts: tuple[str, ...] = (SHOOTING,),
    dice: tuple[int, ...] = (), models: int = 5, rules: dict[str, Any] | None = None, gripping: bool = False,
) -> tuple[Battle, UnitHandle, UnitHandle]:  # fmt: skip
    """A unit at x = 20 makes a move of ``dx`` inches; the first enemy stands at ``foe``, another one may grip it. It has a rule for
    the phases ``counts``."""
    scene = NinthScene()
    spots = [(20.0, 18 + 1.5 * k) for k in range(models)]
    unit = scene.unit(player, sheet("Squad", weapons=weapons), at=spots, models=models)
    scene.unit(player, sheet("Watch"), at=(55, 3), models=1)
    target = scene.unit(1 - player, sheet("Foe", W=30, Sv=6), at=(foe, 21), models=1)
    if gripping:
        scene.unit(1 - player, sheet("Grip", W=30), at=(21.8, 18), models=1)
    own = {"stationary": ({"unit": unit.row, "phases": counts},) if counts else (), **(rules or {})}
    battle = scene.battle(active=player, dice=dice, rules=own)
    pick(battle, "Squad", kind="select-to-move")
    pick(battle, what, kind="move-kind")
    if kind(battle) in ("move-to", "fall-back-to"):
        choose(battle, "cell", cell_nearest(battle, dx, 0, 6 + (dice[0] if what == "Advance" else 0)))
    return battle, unit, target


def play_to(battle: Battle, unit: UnitHandle, wanted: str) -> bool:
    """Nobody does anything until the unit could be selected for this, or its player's turn is over; whether it could."""
    owner, turn = battle.units.owner[unit], battle.clock.turn[0]
    number = unit.row - battle.players.first_unit[owner]
    while battle.decision is not None and battle.clock.turn[0] == turn:
        if kind(battle) == wanted and battle.decision.player == owner and number in slots(battle, "own"):
            return True
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    return False


@pytest.mark.rule("w9.rare.stationary.shoot")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("counts", [(SHOOTING,), (CHARGE,), ()])
@pytest.mark.parametrize(("what", "dx"), [("Fall Back", -4), ("Advance", -4)])
def test_it_shoots_after_an_advance_or_a_fall_back(what: str, dx: float, counts: tuple[str, ...], player: int) -> None:
    """Five rifles with a target at 20" make five attacks under the rule; without it, or where it holds in another phase only, the unit is
    not eligible."""
    grip = what == "Fall Back"
    dice = (4,) if what == "Advance" else ()
    battle, unit, _ = moved_on(what, dx, player=player, foe=36.5, counts=counts, dice=dice, gripping=grip)
    assert battle.units.moved[unit] == (Moved.FELL_BACK if grip else Moved.ADVANCE)
    able = play_to(battle, unit, "select-to-shoot")
    assert able == (counts == (SHOOTING,))
    if able:
        assert battle.units.moved[unit] == Moved.STATIONARY
        pick(battle, "Squad", kind="select-to-shoot")
        if kind(battle) == "shoot-target":
            pick(battle, "Foe")
        assert len(told(battle, "w9.attack.hit")) == 5


@pytest.mark.rule("w9.rare.stationary.shoot")
def test_what_it_did_counts_again_after_the_phase() -> None:
    """In the Charge phase it has Advanced."""
    battle, unit, _ = moved_on("Advance", -4, dice=(4,), foe=30)
    assert play_to(battle, unit, "select-to-shoot")
    assert battle.units.moved[unit] == Moved.STATIONARY
    battle.apply(0)
    assert not play_to(battle, unit, "select-to-charge")


def wounds_of(battle: Battle, unit: UnitHandle, target: UnitHandle) -> int:
    """The unit shoots with the scripted dice; how many wounds the target lost."""
    assert play_to(battle, unit, "select-to-shoot")
    pick(battle, "Squad", kind="select-to-shoot")
    while kind(battle) in ("shoot-target", "weapon-target"):
        pick(battle, "Foe")
    return int(30 - battle.models.wounds[target.first])


@pytest.mark.rule("w9.rare.stationary.heavy")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("counts", [(SHOOTING,), (CHARGE,)])
def test_no_penalty_for_heavy_weapons(counts: tuple[str, ...], player: int) -> None:
    """INFANTRY with BS 4+ has moved: a 4 hits under the rule, else it misses."""
    battle, unit, target = moved_on(
        "Normal move", 6, player=player, weapons=HEAVY, models=1, counts=counts, dice=(4, 6, 1)
    )
    assert battle.units.moved[unit] == Moved.NORMAL
    assert wounds_of(battle, unit, target) == int(counts == (SHOOTING,))
    assert dice_left(battle) == (0 if counts == (SHOOTING,) else 2)


@pytest.mark.rule("w9.rare.stationary.assault")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("counts", [(SHOOTING,), ()])
def test_no_penalty_for_assault_weapons(counts: tuple[str, ...], player: int) -> None:
    """BS 3+ after an Advance: a 3 hits under the rule, else it misses."""
    battle, unit, target = moved_on(
        "Advance", 6, player=player, weapons=ASSAULT, models=1, counts=counts, dice=(2, 3, 6, 1), foe=40
    )
    assert wounds_of(battle, unit, target) == int(counts == (SHOOTING,))


@pytest.mark.rule("w9.rare.stationary.charge")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("what", ["Advance", "Fall Back"])
@pytest.mark.parametrize("counts", [(SHOOTING, CHARGE), (CHARGE,), (SHOOTING,), ()])
def test_it_may_charge(counts: tuple[str, ...], what: str, player: int) -> None:
    """7" from an enemy after an Advance or a Fall Back: eligible where the rule holds in the Charge phase, and a roll of 6 is enough."""
    grip = what == "Fall Back"
    dice = (*((4,) if not grip else ()), 3, 3)
    battle, unit, target = moved_on(
        what, -4, player=player, foe=24.25, counts=counts, dice=dice, gripping=grip, weapons={}
    )
    assert battle.models.x[unit.first] == pytest.approx(16.25)
    able = play_to(battle, unit, "select-to-charge")
    assert able == (CHARGE in counts)
    if able:
        pick(battle, "Squad", kind="select-to-charge")
        if kind(battle) == "charge-target":
            pick(battle, "charge Foe")
        if kind(battle) == "charge-target":
            pick(battle, "no more targets")
        assert battle.units.charged[unit] == 1
        m = battle.models
        assert min(abs(m.x[k] - m.x[target.first]) - 1 for k in battle.members(unit.row)) <= 1.001


@pytest.mark.rule("w9.rare.stationary.triggers")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("counts", "what", "each"), [
    ((SHOOTING,), "Normal move", 2), ((), "Normal move", 1), ((CHARGE,), "Normal move", 1), ((), "Remain Stationary", 2),
])  # fmt: skip
def test_what_is_triggered_by_remaining_stationary(counts: tuple[str, ...], what: str, each: int, player: int) -> None:
    """Rapid Fire weapons make double attacks at any range if the unit Remained Stationary: it moved under the rule, and does."""
    row = player  # of the opponent there is one unit
    able = {"when_stationary": ({"unit": row, "effect": RAPID_FIRE_AT_ANY_RANGE},)}
    battle, unit, _ = moved_on(what, -4, player=player, foe=36.5, counts=counts, rules=able)
    assert unit.row == row
    assert play_to(battle, unit, "select-to-shoot")
    pick(battle, "Squad", kind="select-to-shoot")
    if kind(battle) == "shoot-target":
        pick(battle, "Foe")
    assert len(told(battle, "w9.attack.hit")) == 5 * each


# ---------------------------------------------------------------- who was set up, who got out


@pytest.mark.rule("w9.rare.stationary.reinforcements")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("arrives", [True, False])
def test_reinforcements_have_moved(arrives: bool, player: int) -> None:
    """INFANTRY with such a rule fires a Heavy weapon of BS 4+: set up this turn a 4 misses, having walked it hits."""
    scene = NinthScene()
    gunner = sheet("Squad", weapons=HEAVY, abilities={"deep_strike": True})
    place = {"reserves": "deep-strike"} if arrives else {"at": (30, 22)}
    unit = scene.unit(player, gunner, models=1, **place)  # type: ignore[arg-type]
    scene.unit(player, sheet("Watch"), at=(3, 22), models=1)
    target = scene.unit(1 - player, sheet("Foe", W=30, Sv=6), at=(55, 22), models=1)
    own = {"stationary": ({"unit": unit.row, "phases": (SHOOTING,)},)}
    battle = scene.battle(round=2, active=player, first_player=player, rules=own, dice=[4, 6, 1])
    if not arrives:
        pick(battle, "Squad", kind="select-to-move")
        pick(battle, "Normal move")
        choose(battle, "cell", cell_nearest(battle, 0, 0, 6))
    pick(battle, "Watch: Remain Stationary")
    if arrives:
        pick(battle, "Squad", kind="select-reserves")
        battle.apply(next(a for a, text in words(battle).items() if "30.0, 22" in text))
        assert battle.units.arrived[unit] == 1
    assert wounds_of(battle, unit, target) == int(not arrives)


@pytest.mark.rule("w9.rare.stationary.reinforcements", "w9.rare.repositioned.both")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("moves", ["Normal move", "Remain Stationary"])
@pytest.mark.parametrize("again", [True, False])
def test_repositioned_units_have_moved(again: bool, moves: str, player: int) -> None:
    """INFANTRY with such a rule is set up again at the end of its Movement phase, whatever it did before: its Heavy weapon of BS 4+ misses
    with a 4; where it declines it hits."""
    scene = NinthScene()
    unit = scene.unit(player, sheet("Squad", weapons=HEAVY), at=(30, 22), models=1)
    scene.unit(player, sheet("Watch"), at=(3, 22), models=1)
    target = scene.unit(1 - player, sheet("Foe", W=30, Sv=6), at=(55, 22), models=1)
    scene.rule(TimedRule("Gate", "movement-end", player, "reposition", -1, 0))
    own = {"stationary": ({"unit": unit.row, "phases": (SHOOTING,)},)}
    battle = scene.battle(active=player, rules=own, dice=[4, 6, 1])
    pick(battle, "Squad", kind="select-to-move")
    pick(battle, moves, kind="move-kind")
    if moves == "Normal move":
        choose(battle, "cell", cell_nearest(battle, 0, 0, 6))
    pick(battle, "Watch: Remain Stationary")
    pick(battle, "Squad" if again else "done", kind="reposition")
    if again:
        battle.apply(next(a for a, text in words(battle).items() if "30.0, 22" in text))
    assert battle.units.arrived[unit] == again
    assert wounds_of(battle, unit, target) == int(not again)


def bus() -> dict[str, Any]:
    """A TRANSPORT of 5" by 3"."""
    carried = {"transport": {"capacity": 12, "allowed": ["INFANTRY"]}}
    return sheet(
        "Bus", M=12, W=6, hull_in=(5, 3), height=2.5, models=(1, 1), keywords=("VEHICLE", "TRANSPORT"), abilities=carried
    )  # fmt: skip


def carried(player: int, foe: float = 40, **rules: Any) -> tuple[Battle, UnitHandle, UnitHandle, UnitHandle]:
    """One gunner embarked in a bus at (20, 22); both have a rule to count as stationary all turn."""
    scene = NinthScene()
    carrier = scene.unit(player, bus(), at=(20, 22), facing=0.0)
    unit = scene.unit(player, sheet("Squad", weapons=HEAVY), models=1, embarked_in=carrier)
    scene.unit(player, sheet("Watch"), at=(3, 3), models=1)
    target = scene.unit(1 - player, sheet("Foe", W=30, Sv=6), at=(foe, 22), models=1)
    own = {"stationary": tuple({"unit": u.row, "phases": (SHOOTING, CHARGE)} for u in (unit, carrier))}
    own |= {name: (carrier.row if which == "bus" else unit.row,) for name, which in rules.items()}
    return scene.battle(active=player, rules=own, dice=[4, 6, 1]), unit, carrier, target


@pytest.mark.rule("w9.rare.stationary.disembarked")
@pytest.mark.parametrize("player", [0, 1])
def test_who_disembarked_has_moved(player: int) -> None:
    """It got out and did not move further: a 4 misses."""
    battle, unit, _, target = carried(player)
    pick(battle, "Squad disembarks")
    battle.apply(battle.first_legal())
    pick(battle, "Squad", kind="select-to-move")
    pick(battle, "Normal move")
    choose(battle, "cell", cell_nearest(battle, 0, 0, 6))
    assert wounds_of(battle, unit, target) == 0


@pytest.mark.rule("w9.rare.stationary.transport")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("whose", [None, "bus", "squad"])
@pytest.mark.parametrize("moves", ["Normal move", "Advance", None])
def test_nobody_gets_out_once_it_has_moved(moves: str | None, whose: str | None, player: int) -> None:
    """The bus, which counts as stationary, moves: nobody gets out, unless a rule of the bus or of the unit explicitly allows it; who does may
    move on and shoot but not charge; who gets out before may."""
    allowed = {} if whose is None else {"leaves_after_move": whose}
    battle, unit, carrier, _ = carried(player, foe=32, **allowed)
    if moves is not None:
        pick(battle, "Bus", kind="select-to-move")
        pick(battle, moves, kind="move-kind")
        choose(battle, "cell", cell_nearest(battle, 3, 0, 12))
        assert battle.units.moved[carrier] == (Moved.NORMAL if moves == "Normal move" else Moved.ADVANCE)
    may = moves is None or whose is not None
    assert ("Squad disembarks" in words(battle).values()) == may
    if not may:
        assert battle.units.place[unit] == EMBARKED
        return
    pick(battle, "Squad disembarks")
    assert battle.decision is not None
    battle.apply(battle.decision.options[-1])  # towards the enemy
    assert battle.units.place[unit] == ON_TABLE
    pick(battle, "Squad", kind="select-to-move")
    pick(battle, "Normal move")
    choose(battle, "cell", cell_nearest(battle, 0, 0, 6))
    assert play_to(battle.clone(), unit, "select-to-shoot")
    assert play_to(battle, unit, "select-to-charge") == (moves is None)
