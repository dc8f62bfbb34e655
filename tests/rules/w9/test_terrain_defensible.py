"""Units in Defensible terrain when they are charged (w9.terrain.defensible*)."""

from __future__ import annotations

from typing import Any

import pytest
from ninth import NinthScene

from wh_env.content.battle import Battle
from wh_env.rulesets.w9.charge.defence import snapping
from wh_env.rulesets.w9.codes import Phase
from wh_env.rulesets.w40k.attack.rolls import Near
from wh_env.testing import choose, dice_left, kind, melee, pick, ranged, sheet, slots, told, words

QUIET = {"cp_each_command_phase": 0}
NEITHER, HOLD, SET = range(3)
FEET = ("INFANTRY",)
IN_RUIN = [(10 + 1.5 * k, 19.0) for k in range(5)]
GUN = {"gun": ranged(24, A=1, BS=2, S=8, AP=-6, D=1), "club": melee(A=1, WS=4, S=8, AP=-6)}


def charged(
    player: int,
    at: Any,
    *,
    dice: list[int] | None = None,
    keywords: tuple[str, ...] = FEET,
    cp: int = 1,
    detail: str = "squad",
    charger: tuple[float, float] = (13, 12),
    terrain: str = "ruins",
    second: tuple[float, float] | None = None,
    friend: tuple[float, float] | None = None,
    fliers: tuple[str, ...] = FEET,
) -> tuple[Battle, Any, Any]:
    """A unit has declared a charge against another that stands at these places, on or behind terrain."""
    scene = NinthScene()
    if terrain == "ruins":
        scene.ruins(8, 17, 20, 23, height=4.0)
    elif terrain == "woods":
        scene.woods(8, 17, 20, 23)
    elif terrain == "crater":
        scene.crater(8, 17, 20, 23)
    elif terrain == "barricade":
        scene.box(8, 16, 20, 16.5, 1, kind="barricade")
    one = scene.unit(player, sheet("Charger", W=9, Sv=6, keywords=fliers), at=charger, models=1, name="Charger")
    if second:
        scene.unit(player, sheet("Second", W=9, keywords=fliers), at=second, models=1, name="Second")
    if friend:
        scene.unit(player, sheet("Near"), at=friend, models=1, name="Near")
    scene.unit(player, sheet("Idle"), at=(55, 10), models=1, name="Idle")
    target = scene.unit(1 - player, sheet("Target", W=2, weapons=GUN, keywords=keywords), at=at, name="Target")
    points = (0, cp) if player == 0 else (cp, 0)
    battle = scene.battle("charge", active=player, cp=points, dice=dice or [], detail=detail, rules=QUIET)
    declare(battle, "Charger")
    return battle, one, target


def declare(battle: Battle, charger: str) -> None:
    if kind(battle) == "select-to-charge":
        pick(battle, charger)
    if kind(battle) == "charge-target":
        pick(battle, "charge Target")
    if kind(battle) == "charge-target":
        pick(battle, "no more targets")


@pytest.mark.rule("w9.terrain.defensible")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("terrain", ["ruins", "woods"])
def test_a_unit_wholly_in_a_ruin_may_choose(player: int, detail: str, terrain: str) -> None:
    """Five models in the ruin: asked before Overwatch and before the roll; it is the target's player who answers."""
    battle, _, target = charged(player, IN_RUIN, detail=detail, terrain=terrain)
    assert (kind(battle), battle.decision.player) == ("defend", 1 - player)
    assert list(words(battle).values()) == ["neither", "Hold Steady", "Set to Defend"]
    assert not told(battle, "w9.charge.roll")
    choose(battle, "done")
    assert kind(battle) == "fire-overwatch"
    assert not battle.combat.steady[target] and not battle.combat.set_to_defend[target]


@pytest.mark.rule("w9.terrain.defensible")
@pytest.mark.parametrize("player", [0, 1])
def test_it_is_not_offered(player: int) -> None:
    """One model outside the footprint; no INFANTRY; terrain without the trait; an enemy within 1"."""
    outside = [*IN_RUIN[:4], (16, 16)]
    assert kind(charged(player, outside)[0]) != "defend"
    assert kind(charged(player, IN_RUIN, keywords=("BEASTS",))[0]) != "defend"
    assert kind(charged(player, IN_RUIN, terrain="crater")[0]) != "defend"
    assert kind(charged(player, IN_RUIN, terrain="none")[0]) != "defend"
    assert kind(charged(player, IN_RUIN, friend=(10, 17.1))[0]) != "defend"
    assert kind(charged(player, IN_RUIN, friend=(10, 17.1), terrain="woods")[0]) != "defend"
    assert kind(charged(player, IN_RUIN, friend=(10, 16.7), terrain="woods")[0]) == "defend"
    assert kind(charged(player, IN_RUIN, friend=(10, 16.7))[0]) != "defend"  # 2" across an Obscuring area


@pytest.mark.rule("w9.terrain.defensible")
@pytest.mark.parametrize("player", [0, 1])
def test_behind_an_obstacle(player: int) -> None:
    """Within 3" of a barricade: only if the line between the closest bases passes over it, and all models are so near."""
    near = [(10 + 1.5 * k, 18.0) for k in range(5)]
    assert kind(charged(player, near, terrain="barricade")[0]) == "defend"
    far = [*near[:4], (14.5, 20.2)]
    assert kind(charged(player, far, terrain="barricade")[0]) != "defend"
    assert kind(charged(player, near, terrain="barricade", charger=(13, 25))[0]) != "defend"
    # the bases nearest to each other are beside its end
    aside = [*near, (17.5, 18.0), (19.0, 18.0), (20.5, 18.0), (22.0, 18.0)]
    assert kind(charged(player, aside, terrain="barricade", charger=(23, 12))[0]) != "defend"


@pytest.mark.rule("w9.terrain.defensible")
def test_behind_an_obstacle_on_bases_that_are_no_circles() -> None:
    """The line between the closest parts of oval bases crosses the barricade, or passes its end."""
    for x, kept in ((13, True), (23.0, False)):
        scene = NinthScene()
        scene.box(8, 16, 20, 16.5, 1, kind="barricade")
        scene.unit(0, sheet("Charger", base_mm=(90, 52)), at=(x, 12), models=1, name="Charger")
        scene.unit(1, sheet("Target", base_mm=(60, 35)), at=(min(x, 21), 18), models=1, name="Target")
        battle = scene.battle("charge", active=0, rules=QUIET)
        declare(battle, "Charger")
        assert (kind(battle) == "defend") == kept


@pytest.mark.rule("w9.terrain.defensible")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("charger", "target"), [(12, 18), (20.5, 14.5)])
@pytest.mark.parametrize(("y", "kept"), [(13, True), (23, False)])
def test_behind_an_obstacle_along_the_battlefield(
    y: float, kept: bool, charger: float, target: float, player: int
) -> None:
    """The charge goes straight along the length of the battlefield, from either end, across a barricade or past it."""
    scene = NinthScene()
    scene.box(16, 8, 16.5, 20, 1, kind="barricade")
    scene.unit(player, sheet("Charger"), at=(charger, y), models=1, name="Charger")
    scene.unit(1 - player, sheet("Target"), at=(target, y), models=1, name="Target")
    battle = scene.battle("charge", active=player, rules=QUIET)
    declare(battle, "Charger")
    assert (kind(battle) == "defend") == kept


@pytest.mark.rule("w9.terrain.defensible")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("dx", "dy"), [(4.8, 3.6), (-4.8, 3.6), (4.8, -3.6), (-4.8, -3.6)])
@pytest.mark.parametrize(("aside", "kept"), [(0.0, True), (0.5, False)])
def test_behind_a_narrow_obstacle_between_the_closest_parts(
    aside: float, kept: bool, dx: float, dy: float, player: int
) -> None:
    """Two bases of 2", 6" from centre to centre, askew: 0.3" of a barricade midway between them, or beside that."""
    x, y = 20 + dx / 2, 20 + dy / 2 + aside
    scene = NinthScene()
    scene.box(x - 0.15, y - 0.15, x + 0.15, y + 0.15, 1, kind="barricade")
    scene.unit(player, sheet("Charger", base_mm=50.8), at=(20, 20), models=1, name="Charger")
    scene.unit(1 - player, sheet("Target", base_mm=50.8), at=(20 + dx, 20 + dy), models=1, name="Target")
    battle = scene.battle("charge", active=player, rules=QUIET)
    declare(battle, "Charger")
    assert (kind(battle) == "defend") == kept


@pytest.mark.rule("w9.terrain.defensible.hold-steady")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("steady", [True, False])
def test_a_unit_that_holds_steady_hits_on_fives(player: int, steady: bool) -> None:
    """Hit dice 4, 5, 6: two hits; one hit without."""
    dice = [4, 5, 6, *([2, 2] if steady else [2]), 1, 1]
    battle, charger, _ = charged(player, IN_RUIN[:3], dice=dice)
    choose(battle, "option" if steady else "done", 0)
    assert kind(battle) == "fire-overwatch"  # it still has to be paid for
    choose(battle, "own", slots(battle, "own")[0])
    assert battle.models.wounds[charger.first] == (7 if steady else 8)
    assert dice_left(battle) == 0
    assert battle.players.cp[1 - player] == 0


@pytest.mark.rule("w9.terrain.defensible.hold-steady")
def test_without_command_points_nobody_fires() -> None:
    """Hold Steady lets nobody fire who could not."""
    battle, charger, _ = charged(0, IN_RUIN[:3], dice=[1, 1], cp=0)
    choose(battle, "option", 0)
    assert battle.models.wounds[charger.first] == 9
    assert [e["roll"] for e in told(battle, "w9.charge.roll")] == [2]


@pytest.mark.rule("w9.terrain.defensible.set-to-defend")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_unit_set_to_defend_does_not_fire(player: int, detail: str) -> None:
    """No Overwatch, though it could pay for it."""
    battle, _, _ = charged(player, IN_RUIN[:1], charger=(10, 12), detail=detail, dice=[6, 6])
    choose(battle, "option", 1)
    assert not any(e.kind == "Stratagem" for e in battle.events)
    assert [e["roll"] for e in told(battle, "w9.charge.roll")] == [12]


def strike(player: int, option: int | None, die: int) -> bool:
    """Whether the target's melee attack hits with this die in the Fight phase of the charge."""
    battle, _, target = charged(
        player, IN_RUIN[:1], charger=(10, 12), dice=[6, 6, die, 1, 1, 1], cp=0, fliers=("INFANTRY", "FLY")
    )
    choose(battle, "done" if option is None else "option", option or 0)
    for _ in range(40):
        rolls = [e for e in told(battle, "w9.attack.hit") if e["attacker"] == target]
        if rolls:
            return bool(rolls[0]["result"])
        if kind(battle) == "select-to-charge":
            choose(battle, "done")
        else:
            battle.apply(battle.decision.options[-1])
    raise AssertionError("nobody struck back")


@pytest.mark.rule("w9.terrain.defensible.set-to-defend")
@pytest.mark.parametrize("player", [0, 1])
def test_its_melee_attacks_have_one_more(player: int) -> None:
    """WS 4+: a 3 hits, a 2 does not; nor does a 3 of a unit that did not Set to Defend."""
    assert strike(player, 1, 3)
    assert not strike(player, 1, 2)
    assert not strike(player, 0, 3)
    assert not strike(player, None, 3)


@pytest.mark.rule("w9.terrain.defensible", "w9.terrain.defensible.set-to-defend")
@pytest.mark.parametrize("player", [0, 1])
def test_the_next_charge_of_the_phase(player: int) -> None:
    """The first charge fails; a second unit charges it: it decides again; who has Set to Defend does not fire at either."""
    battle, _, target = charged(player, IN_RUIN, dice=[1, 1, 6, 6], second=(17, 12))
    choose(battle, "option", 1)
    declare(battle, "Second")
    assert kind(battle) == "defend"
    choose(battle, "done")
    assert not any(e.kind == "Stratagem" for e in battle.events)
    assert battle.combat.set_to_defend[target]


def play_to(battle: Battle, phase: Phase) -> None:
    """Charge nobody and fight nobody until the phase has come."""
    while battle.clock.phase[0] < phase:
        if kind(battle) == "select-to-charge":
            choose(battle, "done")
        else:
            battle.apply(battle.first_legal())


@pytest.mark.rule("w9.terrain.defensible.hold-steady", "w9.terrain.defensible.set-to-defend")
def test_when_it_ends() -> None:
    """Hold Steady with the Charge phase, Set to Defend with the Fight phase."""
    battle, _, target = charged(0, IN_RUIN, dice=[1, 1], second=(17, 12))
    choose(battle, "option", 0)
    choose(battle, "done")  # no Overwatch
    assert battle.combat.steady[target]
    declare(battle, "Second")
    assert (kind(battle), battle.clock.phase[0]) == ("defend", Phase.CHARGE)
    assert battle.combat.steady[target]
    choose(battle, "option", 1)
    play_to(battle, Phase.FIGHT)
    assert not battle.combat.steady[target] and battle.combat.set_to_defend[target]
    play_to(battle, Phase.MORALE)
    assert not battle.combat.set_to_defend[target]


@pytest.mark.rule("w9.terrain.defensible")
def test_of_two_targets_each_decides() -> None:
    scene = NinthScene()
    scene.ruins(8, 17, 20, 23, height=4.0)
    scene.unit(0, sheet("Charger"), at=(13, 12), models=1, name="Charger")
    for name, x in (("Left", 10), ("Right", 16)):
        scene.unit(1, sheet(name, weapons=GUN), at=(x, 19), models=1, name=name)
    battle = scene.battle("charge", active=0, cp=(0, 2), dice=[1, 1], rules=QUIET)
    if kind(battle) == "select-to-charge":
        pick(battle, "Charger")
    pick(battle, "charge Left")
    pick(battle, "charge Right")
    if kind(battle) == "charge-target":
        pick(battle, "no more targets")
    for option in (1, 0):
        assert kind(battle) == "defend"
        choose(battle, "option", option)
    assert kind(battle) == "fire-overwatch"
    assert len(slots(battle, "own")) == 1  # not who Set to Defend


@pytest.mark.rule("w9.terrain.defensible.hold-steady")
def test_who_holds_steady_is_estimated_to_hit_more_often() -> None:
    """What a policy is told of Overwatch: sixes, and what it does with fives."""
    battle, charger, target = charged(0, IN_RUIN[:3])
    assert snapping(battle, target.row) == snapping(battle, charger.row) == int(Near.SNAP)
    battle.combat.steady[target] = 1
    assert snapping(battle, target.row) == int(Near.SNAP | Near.STEADY)
