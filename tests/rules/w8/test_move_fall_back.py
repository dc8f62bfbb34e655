"""Falling Back, what Advancing and Falling Back forbid, what counts as having moved, arrivals (w8.move.*)."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

import pytest
from eighth import EighthScene

from wh_env import Battle
from wh_env.core.geometry.paths import Fault
from wh_env.core.tables import DESTROYED, RESERVE
from wh_env.rulesets.w8.codes import Phase
from wh_env.rulesets.w8.mission.state import Primary
from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.psychic.data import PsychicProfile
from wh_env.testing import (
    UnitHandle,
    cell_nearest,
    choose,
    dice_left,
    kind,
    melee,
    offered,
    pick,
    ranged,
    script,
    sheet,
    slots,
    told,
    words,
)
from wh_env.testing.moves import check_move, walk

Spot = tuple[float, float]
STAY, NORMAL, ADVANCE, FALL_BACK = range(4)
FLYING = ("INFANTRY", "FLY")
FAR = (55, 40)


def selected(
    mine: list[Spot],
    foes: list[Spot],
    player: int = 0,
    detail: str = "full",
    dice: Sequence[int] = (),
    **fields: object,
) -> tuple[Battle, UnitHandle, UnitHandle]:
    """The unit of the player is selected to move; another one of its side keeps the phase going. Battle, unit, enemy."""
    scene = EighthScene()
    squad = scene.unit(player, sheet("Squad", **fields), at=mine, models=len(mine))  # type: ignore[arg-type]
    scene.unit(player, sheet("Watch"), at=(50, 5), models=1)
    foe = scene.unit(1 - player, sheet("Foes", W=9), at=foes, models=len(foes))
    battle = scene.battle(detail=detail, dice=dice, active=player)
    pick(battle, "Squad", kind="select-to-move")
    return battle, squad, foe


def asked(battle: Battle, unit: UnitHandle, move: str, player: int) -> set[str]:
    """The unit makes a move of 0 of this kind, or falls back by 2", and the turn is played: what it is offered to do."""
    number, seen = unit.row - battle.players.first_unit[player], set()
    pick(battle, move)
    while battle.decision is not None and battle.clock.turn[0] == player:
        if number in slots(battle, "own"):
            seen.add(battle.decision.kind)
        if kind(battle) == "move-to":
            reach = 6 + battle.units.advance[unit]
            choose(battle, "cell", cell_nearest(battle, 0, 0, reach))
        elif kind(battle) == "fall-back-to":
            choose(battle, "cell", cell_nearest(battle, 0, -3, 6))
        elif kind(battle) == "move-kind":
            pick(battle, "Remain Stationary")
        else:
            battle.apply(0 if battle.legal()[0] else battle.first_legal())
    return seen


# ---------------------------------------------------------------- who falls back


@pytest.mark.rule("w8.move.fall-back")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(
    ("gap", "options"),
    [
        (0.5, [STAY, FALL_BACK]),
        (1.0, [STAY, FALL_BACK]),
        (1.01, [STAY, NORMAL, ADVANCE]),
        (10.0, [STAY, NORMAL, ADVANCE]),
    ],
)
def test_within_1_inch_only_stay_or_fall_back(gap: float, options: list[int], detail: str, player: int) -> None:
    battle, _, _ = selected([(20, 20)], [(21 + gap, 20)], player, detail)
    assert slots(battle, "option") == options


@pytest.mark.rule("w8.move.fall-back.at-start")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("near", [True, False])
def test_what_counts_is_where_enemies_were_as_the_phase_began(near: bool, player: int) -> None:
    """The lone enemy is taken away before the unit is selected: it still only stays or Falls Back; with the enemy 3" away it may do
    anything."""
    scene = EighthScene()
    scene.unit(player, sheet("First"), at=(40, 5), models=1)
    squad = scene.unit(player, sheet("Squad"), at=(20, 20), models=1)
    flyer = scene.unit(1 - player, sheet("Flyer", keywords=FLYING), at=(21.5 if near else 24.0, 20), models=1)
    scene.unit(1 - player, sheet("Rest"), at=FAR, models=1)
    battle = scene.battle(active=player)
    battle.models.on_table[flyer.first] = 0
    battle.units.place[flyer] = RESERVE
    pick(battle, "Squad", kind="select-to-move")
    assert slots(battle, "option") == ([STAY, FALL_BACK] if near else [STAY, NORMAL, ADVANCE])
    if near:
        pick(battle, "Fall Back")
        choose(battle, "cell", cell_nearest(battle, 6, 0, 6))
        assert battle.models.x[squad.first] == pytest.approx(26)


@pytest.mark.rule("w8.move.fall-back.end", "w8.move.fall-back.path")
@pytest.mark.parametrize("player", [0, 1])
def test_it_may_pass_enemies_but_not_end_by_them_nor_cross_them(player: int) -> None:
    """M 6", 0.5" from one enemy: past another at 0.8" is legal; ending 1.0" from it, or through its base, is not."""
    foes = [(20, 21.5), (17.0, 18.2)]
    battle, squad, _ = selected([(20, 20)], foes, player)
    assert check_move(battle.clone(), squad, "fall back", {0: [(14.5, 20.0)]}) == Fault.LEGAL
    assert check_move(battle.clone(), squad, "fall back", {0: [(19.0, 18.2)]}) == Fault.ENGAGES_AT_THE_END
    assert check_move(battle.clone(), squad, "fall back", {0: [(19.02, 18.2)]}) == Fault.LEGAL
    assert check_move(battle.clone(), squad, "fall back", {0: [(15, 17)]}) == Fault.CROSSES_ENEMY
    flying, squad, _ = selected([(20, 20)], foes, player, keywords=FLYING)
    assert check_move(flying, squad, "fall back", {0: [(15, 17)]}) == Fault.LEGAL


@pytest.mark.rule("w8.move.fall-back.end", "w8.move.fall-back.no-advance")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_fall_back_is_played(detail: str, player: int) -> None:
    """Both models go up to 6", nobody ends engaged, no die is rolled."""
    battle, squad, _ = selected([(20, 20), (21.5, 20)], [(20, 21.5)], player, detail, [1])
    pick(battle, "Fall Back")
    if detail == "squad":
        cells = slots(battle, "cell")
        assert battle.setup.space.grid**2 // 2 not in cells
        choose(battle, "cell", cell_nearest(battle, 0, -6, 6))
    else:
        assert slots(battle, "done") == []
        with pytest.raises(LookupError):
            walk(battle.clone(), 0, 20, 13.6)
        walk(battle, 0, 20, 14)
        walk(battle, 1, 21.5, 14)
        pick(battle, "end the move")
    assert [battle.models.y[squad.model(k)] for k in range(2)] == pytest.approx([14, 14])
    assert battle.units.moved[squad] == Moved.FELL_BACK
    assert dice_left(battle) == 1
    assert told(battle, "w8.move.advance.roll") == []


@pytest.mark.rule("w8.move.fall-back.impossible")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("fly", [False, True])
def test_no_fall_back_without_a_way_out(fly: bool, detail: str, player: int) -> None:
    """Surrounded by bases: the unit stays, unless it can FLY."""
    scene = EighthScene()
    squad = scene.unit(player, sheet("Squad", keywords=FLYING if fly else ("INFANTRY",)), at=(20, 20), models=1)
    scene.unit(player, sheet("Watch"), at=(50, 5), models=1)
    ring = [(20 + 1.7 * c, 20 + 1.7 * s) for c, s in ((1, 0), (0.7071, 0.7071), (0, 1), (-0.7071, 0.7071))]
    ring += [(40 - x, 40 - y) for x, y in ring]
    scene.unit(1 - player, sheet("Foes"), at=ring)
    battle = scene.battle(detail=detail, active=player)
    pick(battle, "Squad", kind="select-to-move")
    if fly:
        assert slots(battle, "option") == [STAY, FALL_BACK]
    else:  # one option is not asked
        assert battle.units.moved[squad] == Moved.STATIONARY


# ---------------------------------------------------------------- and afterwards

GUN = {"gun": ranged(48, BS=3, S=4), "blade": melee(A=1, WS=3, S=4)}


@pytest.mark.rule("w8.move.advance.no-shoot", "w8.move.advance.no-charge")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("move", "may"), [("Normal move", True), ("Advance", False)])
def test_who_advances_neither_shoots_nor_charges(move: str, may: bool, player: int) -> None:
    """It advances by 0" and ends 4" from an enemy."""
    battle, squad, _ = selected([(20, 20)], [(20, 25)], player, "squad", weapons=GUN)
    seen = asked(battle, squad, move, player)
    assert ("select-to-shoot" in seen or "select-to-charge" in seen or bool(told(battle, "w8.attack.hit"))) is may
    assert ("select-to-charge" in seen) is may


@pytest.mark.rule("w8.move.fall-back.no-shoot", "w8.move.fall-back.no-charge", "w8.move.fall-back.fly")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("fly", [True, False])
@pytest.mark.parametrize("kind_of_gun", ["Rapid Fire 1", "Assault", "Pistol", "Heavy"])
def test_who_falls_back_does_not_charge_and_shoots_only_with_fly(kind_of_gun: str, fly: bool, player: int) -> None:
    """Whatever weapon it has; the same unit is offered to shoot with it where it stayed out of the enemy's reach."""
    arms = {"gun": ranged(48, BS=3, S=4, abilities=[kind_of_gun]), "blade": melee(A=1, WS=3, S=4)}
    keywords = FLYING if fly else ("INFANTRY",)
    battle, squad, foe = selected([(20, 20)], [(20, 21.5)], player, "squad", weapons=arms, keywords=keywords)
    seen = asked(battle, squad, "Fall Back", player)
    assert "select-to-move" not in seen and "select-to-charge" not in seen
    assert ("select-to-shoot" in seen or bool(told(battle, "w8.attack.hit"))) is fly
    assert battle.distance(squad, foe) > 1.0
    battle, squad, _ = selected([(20, 20)], [(20, 26)], player, "squad", weapons=arms, keywords=keywords)
    assert "select-to-shoot" in asked(battle, squad, "Remain Stationary", player) or told(battle, "w8.attack.hit")


@pytest.mark.rule("w8.move.advance.psychic-and-fight")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("moved", [Moved.ADVANCE, Moved.FELL_BACK, Moved.STATIONARY])
def test_who_advanced_or_fell_back_still_fights(moved: Moved, player: int) -> None:
    scene = EighthScene()
    squad = scene.unit(player, sheet("Squad", weapons=GUN), at=(20, 20), models=1, moved=int(moved))
    scene.unit(1 - player, sheet("Foe", W=9), at=(21.5, 20), models=1)
    battle = scene.battle("fight", active=player)
    assert kind(battle) == "pile-in"
    while battle.decision is not None and battle.clock.phase[0] == Phase.FIGHT:
        battle.apply(battle.first_legal())
    assert squad.first in [e["attacker"] for e in told(battle, "w8.attack.hit")]


@pytest.mark.rule("w8.move.advance.psychic-and-fight")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("move", "foe"), [("Advance", (20, 32)), ("Fall Back", (20, 21.5)), ("Normal move", (20, 32))])
def test_who_advanced_or_fell_back_is_offered_smite(move: str, foe: Spot, player: int) -> None:
    """And neither a shot nor a charge, where it made another move than a Normal one."""
    scene = EighthScene()
    arms = {"gun": ranged(48, BS=3, S=4)}
    psyker = scene.unit(
        player,
        sheet("Psyker", W=5, weapons=arms, keywords=("INFANTRY", "CHARACTER", "PSYKER")),
        at=(20, 20),
        models=1,
        psychic=PsychicProfile(1, 0),
    )
    scene.unit(player, sheet("Watch"), at=(50, 5), models=1)
    enemy = scene.unit(1 - player, sheet("Foe", W=20), at=foe, models=1)
    battle = scene.battle(active=player)
    pick(battle, "Psyker", kind="select-to-move")
    seen = set()
    pick(battle, move)
    while battle.decision is not None and battle.clock.phase[0] == Phase.MOVEMENT:
        if kind(battle) == "fall-back-to":
            choose(battle, "cell", cell_nearest(battle, 0, -5, 6))
        elif kind(battle) == "move-to":
            choose(battle, "cell", cell_nearest(battle, 0, 0, 6 + battle.units.advance[psyker]))
        else:
            pick(battle, "Remain Stationary")
    assert battle.units.moved[psyker] == {"Advance": Moved.ADVANCE, "Fall Back": Moved.FELL_BACK}.get(
        move, Moved.NORMAL
    )
    assert (kind(battle), battle.clock.phase[0]) == ("select-psyker", Phase.PSYCHIC)
    assert "Psyker" in words(battle).values()
    script(battle, [3, 4, 4])
    pick(battle, "Psyker")
    assert [(e["unit"], e["result"]) for e in told(battle, "w8.psychic.test")] == [(psyker.row, 7)]
    assert battle.models.wounds[enemy.first] == 20 - 2
    while battle.decision is not None and battle.clock.turn[0] == player:
        seen.add(kind(battle))
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert bool(seen & {"select-to-shoot", "select-to-charge"}) is (move == "Normal move")


@pytest.mark.rule("w8.move.stationary")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("move", "needed"), [("Remain Stationary", 4), ("Normal move", 5)])
def test_a_consolidation_in_the_last_turn_is_no_move_of_this_one(
    move: str, needed: int, detail: str, player: int
) -> None:
    """In the enemy's turn it slays who it fights and consolidates by up to 3"; then it stays, or moves, and fires its Heavy weapon of
    BS 4+."""
    scene = EighthScene()
    arms = {"cannon": ranged(48, BS=4, S=4, abilities=["Heavy"]), "blade": melee(A=1, WS=3, S=4)}
    squad = scene.unit(player, sheet("Squad", weapons=arms), at=(20, 20), models=1)
    scene.unit(player, sheet("Watch"), at=(50, 5), models=1)
    scene.unit(1 - player, sheet("Foe"), at=(20, 21.6), models=1)
    scene.unit(1 - player, sheet("Far", W=9), at=(20, 40), models=1)
    battle = scene.battle("fight", active=1 - player, first_player=1 - player, detail=detail, dice=[6, 6, 1])
    while battle.decision is not None and battle.clock.turn[0] != player:
        if kind(battle) == "consolidate":
            pick(battle, "consolidate")
        elif kind(battle) == "close-order":
            pick(battle, "leave the move to the engine")
        else:
            battle.apply(battle.first_legal())  # nobody piles in
    x, y = battle.models.x[squad.first], battle.models.y[squad.first]
    assert 1.0 < hypot(x - 20, y - 20) <= 3.0 + 1e-3  # in the Fight phase
    if kind(battle) == "select-to-move":
        pick(battle, "Squad")
    pick(battle, move)
    if kind(battle) == "move-to":
        choose(battle, "cell", cell_nearest(battle, 1.5, 0, 6))
    elif kind(battle) in ("select-model", "model-to"):
        walk(battle, 0, x + 1.5, y)
        if kind(battle) == "select-model":
            choose(battle, "done")
    while battle.clock.phase[0] != Phase.SHOOTING:
        pick(battle, "Remain Stationary") if kind(battle) == "move-kind" else battle.apply(battle.first_legal())
    script(battle, [4, 1])
    while battle.decision is not None and battle.clock.phase[0] == Phase.SHOOTING:
        battle.apply(battle.decision.options[-1])
    hit = told(battle, "w8.attack.hit")[-1]
    assert (hit["attacker"], hit["die"], hit["needed"], hit["result"] > 0) == (squad.first, 4, needed, needed == 4)


@pytest.mark.rule("w8.move.stationary")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("move", "steady"), [("Remain Stationary", True), ("Normal move", False)])
def test_only_its_movement_phase_makes_a_unit_a_moved_one(move: str, steady: bool, player: int) -> None:
    """A Heavy weapon of BS 4+: a 4 hits if its model stayed in the Movement phase, although it was moved before that phase."""
    cannon = {"cannon": ranged(48, BS=4, S=4, abilities=["Heavy"])}
    battle, *_ = selected([(20, 20)], [(20, 40)], player, "squad", [4, 1], weapons=cannon)
    _shoot_after(battle, move, player)
    (hit,) = told(battle, "w8.attack.hit")
    assert (hit["result"] > 0) is steady


def _shoot_after(battle: Battle, move: str, player: int) -> None:
    """The unit stays or moves 1.5", then it shoots."""
    pick(battle, move)
    if kind(battle) == "move-to":
        choose(battle, "cell", cell_nearest(battle, 1.5, 0, 6))
    while battle.decision is not None and battle.clock.turn[0] == player and not told(battle, "w8.attack.hit"):
        if kind(battle) == "move-kind":
            pick(battle, "Remain Stationary")
        elif kind(battle) == "select-to-shoot":
            pick(battle, "Squad")
        else:
            battle.apply(battle.first_legal())


# ---------------------------------------------------------------- reinforcements


def arriving(player: int, dice: Sequence[int] = (), **battle: object) -> tuple[Battle, UnitHandle, UnitHandle]:
    """A unit in reserve by its ability, one on the battlefield, an enemy at (30, 22)."""
    scene = EighthScene()
    cannon = {"cannon": ranged(48, BS=3, S=4, abilities=["Heavy"]), "blade": melee(A=1, WS=3)}
    late = scene.unit(
        player, sheet("Late", weapons=cannon, abilities={"deep_strike": True}), models=1, reserves="deep-strike"
    )
    scene.unit(player, sheet("Watch"), at=(3, 5), models=1)
    foe = scene.unit(1 - player, sheet("Foe", W=9), at=(30, 22), models=1)
    return scene.battle(active=player, first_player=player, dice=dice, **battle), late, foe  # type: ignore[arg-type]


def arrive(battle: Battle, late: UnitHandle, gap: float = 9.3) -> None:
    """It is set up at the offered place whose distance from the enemy is nearest to ``gap``."""
    pick(battle, "Watch: Remain Stationary")
    pick(battle, "Late", kind="select-reserves")
    best, found = 1e9, -1
    for action in battle.decision.options if battle.decision is not None else ():
        put = battle.clone()
        put.apply(action)
        away = hypot(put.models.x[late.first] - 30, put.models.y[late.first] - 22) - 1.0
        assert away > 9.0
        if abs(away - gap) < best:
            best, found = abs(away - gap), action
    battle.apply(found)


@pytest.mark.rule("w8.move.reinforcements")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("number", [1, 2])
def test_they_are_offered_when_all_units_have_moved(number: int, player: int) -> None:
    """At the end of the Movement phase, in any battle round: now, more than 9" from enemies, or later."""
    battle, late, _ = arriving(player, round=number)
    assert kind(battle) == "move-kind"
    pick(battle, "Watch: Remain Stationary")
    assert kind(battle) == "select-reserves"
    assert (battle.clock.phase[0], sorted(words(battle).values())) == (Phase.MOVEMENT, ["Late", "done"])
    kept = battle.clone()
    choose(kept, "done")
    assert kept.units.place[late] == RESERVE
    pick(battle, "Late")
    assert slots(battle, "cell")


@pytest.mark.rule(
    "w8.move.reinforcements.no-move", "w8.move.reinforcements.act", "w8.move.reinforcements.count-as-moved"
)
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad"])
def test_they_move_no_more_but_shoot_as_who_moved_and_charge(detail: str, player: int) -> None:
    """Set up a little more than 9" away: no move is offered; its Heavy weapon misses on a 3, and it may charge."""
    battle, late, _ = arriving(player, dice=[3], detail=detail)
    arrive(battle, late)
    number, seen = late.row - battle.players.first_unit[player], set()
    while battle.decision is not None and battle.clock.turn[0] == player:
        if number in slots(battle, "own"):
            seen.add(kind(battle))
        if battle.decision.kind in ("move-kind", "move-to"):
            assert battle.decision.subject != late.row
        if kind(battle) == "select-to-shoot":
            pick(battle, "Late")
        else:
            battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert "select-to-move" not in seen
    assert "select-to-charge" in seen
    assert [e["result"] > 0 for e in told(battle, "w8.attack.hit")] == [False]


@pytest.mark.rule("w8.move.reinforcements.act")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("roll", "made"), [((4, 5), True), ((4, 4), False), ((6, 6), True)])
def test_from_9_inches_a_charge_needs_a_9(roll: tuple[int, int], made: bool, detail: str, player: int) -> None:
    """Who arrived this turn 9.1" away is offered to charge: 8.1" are needed to come within 1"."""
    scene = EighthScene()
    lord = sheet("Lord", weapons={"axe": melee(A=1, WS=2)}, keywords=("CHARACTER", "INFANTRY"))
    late = scene.unit(player, lord, at=(20, 10), models=1, arrived=1)
    scene.unit(player, sheet("Watch"), at=(50, 33), models=1)
    foe = scene.unit(1 - player, sheet("Foe", W=9), at=(20, 10 + 1 + 9.1), models=1)
    battle = scene.battle("charge", active=player, detail=detail, dice=list(roll))
    assert battle.distance(late, foe) == pytest.approx(9.1)
    assert late.row - battle.players.first_unit[player] in offered(battle, "select-to-charge")
    pick(battle, "Lord", kind="select-to-charge")
    while battle.decision is not None and battle.clock.phase[0] == Phase.CHARGE and kind(battle) != "select-to-charge":
        battle.apply(battle.decision.options[-1])
    (event,) = told(battle, "w8.charge.roll")
    assert event["roll"] == sum(roll)
    assert (battle.distance(late, foe) <= 1.0 + 1e-4) is made
    assert bool(told(battle, "w8.charge.fail")) is not made


@pytest.mark.rule("w8.move.reinforcements.never-arrived")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("warlord", [True, False])
@pytest.mark.parametrize(("die", "points"), [(1, 1), (4, 2), (5, 3)])
def test_a_warlord_that_never_arrives_is_slain(die: int, points: int, warlord: bool, player: int) -> None:
    """Round 5 ends and it is still in reserve: with Slay and Secure its opponent scores D3 victory points."""
    scene = EighthScene()
    late = scene.unit(
        player,
        sheet("Late", keywords=("CHARACTER", "INFANTRY"), abilities={"deep_strike": True}),
        models=1,
        reserves="deep-strike",
    )
    watch = scene.unit(player, sheet("Watch"), at=(3, 5), models=1)
    scene.unit(1 - player, sheet("Foe"), at=(30, 22), models=1)

    def settle(battle: Battle) -> None:
        battle.mission.primary[0] = Primary.SLAY_AND_SECURE
        battle.mission.underdog[0] = 1 + player
        battle.warlords.model[player] = (late if warlord else watch).model(0) + 1

    battle = scene.battle("morale", active=1, first_player=0, round=5, dice=[die], set_state=settle)
    assert battle.over
    assert battle.units.place[late] == DESTROYED
    vp = [0, 0]
    vp[1 - player] = points if warlord else 0
    assert list(battle.players.vp) == vp
    assert battle.result.winner == (1 - player if warlord else player)
    assert dice_left(battle) == (0 if warlord else 1)


@pytest.mark.rule("w8.move.reinforcements.never-arrived")
@pytest.mark.parametrize("player", [0, 1])
def test_who_never_arrives_is_destroyed(player: int) -> None:
    battle, late, _ = arriving(player, round=5)
    while battle.decision is not None:
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert battle.units.place[late] == DESTROYED
    assert [e["unit"] for e in told(battle, "w8.move.reinforcements.never-arrived")] == [late.row]
    assert offered(battle, "select-to-move") == []
