"""Units that have left the table are nowhere: they see nobody and are not seen, hold, block, link, touch and fight nothing.

In every position a unit is eliminated where it stands, so that its row keeps its place.
"""

from __future__ import annotations

from collections.abc import Callable
from math import pi

import pytest

from wh_env import Battle
from wh_env.rulesets.epic.basics.contact import eliminate, refresh_contacts
from wh_env.rulesets.epic.battle.mission import determine_holders
from wh_env.rulesets.epic.move.plans import group_count
from wh_env.rulesets.epic.move.tracks import facing_enemy
from wh_env.testing import choose, pick, slots, told
from wh_env.testing.epic import A, EpicScene, FormationHandle, fire_at, may_move, move_by, place_of

RUNNER = {"class": "infantry", "move_cm": 10, "save": 4, "assault_factor": 0}


def without(*rows: int) -> Callable[[Battle], None]:
    """A position without these units."""

    def change(battle: Battle) -> None:
        for k in rows:
            eliminate(battle.models.rows, battle.units.rows, k)
        refresh_contacts(battle)

    return change


def watcher(scene: EpicScene, player: int = 1) -> FormationHandle:
    """An enemy far away that does nothing."""
    return scene.formation(player, "Boy", at=(119, 119 if player else 1), order="overwatch", fired=1)


# ---------------------------------------------------------------- movement


@pytest.mark.rule("epic.move.path", "epic.concepts.one-hit")
@pytest.mark.parametrize("units", [1, 2])
def test_an_eliminated_enemy_blocks_no_way(units: int) -> None:
    """In the way, and beside the place where the move ends; alive it would be in the way."""
    for gone in (True, False):
        scene = EpicScene()
        mover = scene.formation(0, RUNNER, at=[(60 + 2 * n, 50) for n in range(units)], order="advance")
        enemy = scene.formation(1, "Boy", at=[(60, 55), (119, 119)], order="overwatch", fired=1)
        battle = scene.battle("movement", dice=[A], set_state=without(enemy.model(0)) if gone else None)
        pick(battle, "own side first")
        assert may_move(battle, mover, 0, 9.9) is gone
        assert may_move(battle, mover, 0, 4.5) is gone


@pytest.mark.rule("epic.move.path", "epic.concepts.one-hit")
def test_an_eliminated_friend_takes_no_room() -> None:
    for gone in (True, False):
        scene = EpicScene()
        friend = scene.formation(0, "Boy", at=[(60, 55), (90, 1)], order="march")
        mover = scene.formation(0, RUNNER, at=(60, 50), order="advance")
        watcher(scene)
        battle = scene.battle("movement", dice=[A], set_state=without(friend.model(0)) if gone else None)
        pick(battle, "own side first")
        assert may_move(battle, mover, 0, 5) is gone
        if gone:
            choose(battle, "own", mover.number)
            move_by(battle, 0, 5)
            assert place_of(battle, mover.model()) == pytest.approx((60, 55), abs=0.05)


@pytest.mark.rule("epic.move.coherency", "epic.concepts.one-hit")
@pytest.mark.parametrize("phase", ["movement", "assault"])
def test_an_eliminated_unit_links_nobody(phase: str) -> None:
    """Three in a chain: without the one in the middle they are two groups; without the first still one."""
    scene = EpicScene()
    squad = scene.formation(0, "Boy", at=[(60, 50), (62.5, 50), (65, 50)], order="charge")
    watcher(scene)
    for gone, found in ((None, 1), (0, 1), (1, 2), (2, 1)):
        battle = scene.battle(phase, dice=[A], set_state=None if gone is None else without(squad.model(gone)))
        assert group_count(battle, squad.row) == found


@pytest.mark.rule("epic.move.distance", "epic.concepts.one-hit")
def test_an_eliminated_unit_slows_nobody_down() -> None:
    """The slowest of those that are left sets the pace."""
    scene = EpicScene()
    squad = scene.formation(0, RUNNER, at=[(60, 50), (62, 50)], order="advance")
    squad.cards[0] = ("slow", squad.cards[0][1].model_copy(update={"move_cm": 5.0}))
    watcher(scene)
    for gone in (True, False):
        battle = scene.battle("movement", dice=[A], set_state=without(squad.model(0)) if gone else None)
        pick(battle, "own side first")
        assert may_move(battle, squad, 0, 9.9) is gone
        assert may_move(battle, squad, 0, 4.9)


@pytest.mark.rule("epic.move.retreating", "epic.concepts.one-hit")
def test_retreat_is_from_enemies_that_are_there() -> None:
    """One that was eliminated behind the formation does not keep it from going there; nor is it seen by one, or itself seen then."""
    scene = EpicScene()
    squad = scene.formation(0, RUNNER, at=[(60, 50), (62, 50)], retreating=1)
    mob = scene.formation(1, "Boy", at=[(60, 40), (60, 70), (61, 70)], order="overwatch", fired=1)
    battle = scene.battle("movement", dice=[A], set_state=without(mob.model(0)))
    pick(battle, "own side first")
    assert may_move(battle, squad, 0, -5)
    assert not may_move(battle, squad, 0, 0)
    alone = scene.battle("movement", dice=[A], set_state=without(mob.model(0), mob.model(1), mob.model(2)))
    pick(alone, "own side first")
    assert may_move(alone, squad, 0, 0)


@pytest.mark.rule("epic.move.retreating", "epic.concepts.one-hit")
def test_who_was_the_only_one_in_sight_is_not_seen_any_more() -> None:
    scene = EpicScene()
    scene.area("cliff", 70, 60, 80, 62)
    squad = scene.formation(0, RUNNER, at=[(72.4, 50), (75, 50)], retreating=1)
    scene.formation(1, "Boy", at=(75, 80), order="overwatch", fired=1)
    hidden = scene.battle("movement", dice=[A])
    pick(hidden, "own side first")
    assert may_move(hidden, squad, 0, 0)
    scene = EpicScene()
    scene.area("cliff", 74, 60, 80, 62)
    squad = scene.formation(0, RUNNER, at=[(72.4, 50), (75, 50)], retreating=1)
    scene.formation(1, "Boy", at=(75, 80), order="overwatch", fired=1)
    for gone in (True, False):
        battle = scene.battle("movement", dice=[A], set_state=without(squad.model(0)) if gone else None)
        pick(battle, "own side first")
        assert may_move(battle, squad, 0, 0) is gone


# ---------------------------------------------------------------- contact


@pytest.mark.rule("epic.pin.pinned", "epic.assault.pairing", "epic.concepts.one-hit")
@pytest.mark.parametrize("side", [0, 1])
def test_an_eliminated_unit_touches_nobody(side: int) -> None:
    """Of either side, the first row or a later one: who stands beside it is neither in contact nor pinned, and fights nobody."""
    scene = EpicScene()
    pair = (
        scene.formation(0, "Boy", at=[(30, 30), (33, 30)], order="march"),
        scene.formation(1, "Boy", at=[(30, 31), (34, 34)], order="march"),
    )
    battle = scene.battle("assault", dice=[A], set_state=without(pair[side].model(0)))
    m = battle.models
    assert not any(m.contact) and not any(m.pinned)
    while battle.decision is not None and battle.clock.phase[0] == 4:
        choose(battle, "option", 0) if battle.decision.kind == "who-assaults-first" else choose(battle, "done")
    assert [event for event in battle.events if event.kind == "combat"] == []


@pytest.mark.rule("epic.assault.charge-move", "epic.concepts.one-hit")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_nobody_engages_a_unit_that_is_gone(detail: str) -> None:
    """The first of a mob was eliminated 3 cm ahead, the second stands out of reach; one of another mob can be engaged."""
    scene = EpicScene()
    charger = scene.formation(0, RUNNER, at=(30, 30), order="charge")
    mob = scene.formation(1, "Boy", at=[(30, 34), (30, 70)], order="march")
    other = scene.formation(1, "Boy", at=[(40, 30), (42, 30)], order="march")
    battle = scene.battle("assault", dice=[A], detail=detail, set_state=without(mob.model(0), other.model(0)))
    pick(battle, "own side first")
    choose(battle, "own", charger.number)
    if detail == "full" and battle.decision is not None and battle.decision.kind == "select-unit":
        choose(battle, "model", 0)
    assert slots(battle, "enemy") == [other.number]
    choose(battle, "enemy", other.number)
    if battle.decision is not None and battle.decision.kind == "engage-unit":
        assert slots(battle, "model") == [1]
    x, y = place_of(battle, charger.model())
    while battle.decision is not None and not told(battle, "epic.move.distance") and battle.clock.phase[0] == 4:
        battle.apply(battle.first_legal())
    x, y = place_of(battle, charger.model())
    assert (x, y) == pytest.approx((41, 30), abs=0.01)


@pytest.mark.rule("epic.assault.charge-move", "epic.concepts.one-hit")
def test_who_is_gone_engages_nobody() -> None:
    """The one unit near enough was eliminated: its formation cannot engage."""
    for gone in (True, False):
        scene = EpicScene()
        squad = scene.formation(0, RUNNER, at=[(30, 40), (30, 10), (31, 10)], order="charge")
        scene.formation(1, "Boy", at=(30, 50), order="march")
        battle = scene.battle("assault", dice=[A], set_state=without(squad.model(0)) if gone else None)
        pick(battle, "own side first")
        choose(battle, "own", squad.number)
        assert slots(battle, "enemy") == ([] if gone else [0])


# ---------------------------------------------------------------- fire


@pytest.mark.rule("epic.fire.targets", "epic.concepts.one-hit")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_nobody_fires_at_a_unit_that_is_gone(detail: str) -> None:
    """One of a mob stands behind a cliff, the one in sight is gone: no target. Of another mob it is the second that is fired at."""
    scene = EpicScene()
    scene.area("cliff", 20, 30, 28, 31)
    squad = scene.formation(0, "Tactical Marine", at=(30, 20), order="advance")
    mob = scene.formation(1, "Boy", at=[(30, 40), (22, 40)], order="march")
    other = scene.formation(1, "Boy", at=[(36, 38), (38, 38), (39, 38)], order="march")
    battle = scene.battle("fire", dice=[A, 6, 1], detail=detail, set_state=without(mob.model(0), other.model(0)))
    choose(battle, "own", squad.number)
    assert slots(battle, "enemy") == [other.number]
    choose(battle, "enemy", other.number)
    if detail == "full":
        assert slots(battle, "model") == [1, 2]
        choose(battle, "model", 1)
    assert told(battle, "epic.fire.to-hit")[0]["target_model"] == other.model(1)


@pytest.mark.rule("epic.fire.who-may", "epic.concepts.one-hit")
def test_a_unit_that_is_gone_does_not_fire() -> None:
    """The first of three; and a formation whose only unit in sight is gone may not fire at all."""
    scene = EpicScene()
    squad = scene.formation(0, "Tactical Marine", at=[(30, 20), (32, 20), (34, 20)], order="advance")
    mob = scene.formation(1, "Boy", at=[(30, 30), (32, 30)], order="march")
    battle = scene.battle("fire", dice=[A, 1, 1], set_state=without(squad.model(0)))
    fire_at(battle, squad, mob)
    assert [event["model"] for event in told(battle, "epic.fire.to-hit")] == [squad.model(1), squad.model(2)]
    scene = EpicScene()
    scene.area("cliff", 31, 25, 40, 26)
    blind = scene.formation(0, "Tactical Marine", at=[(28, 20), (35, 20)], order="advance")
    other = scene.formation(0, "Tactical Marine", at=(20, 20), order="advance")
    scene.formation(1, "Boy", at=(35, 40), order="march")
    battle = scene.battle("fire", dice=[A], set_state=without(blind.model(0)))
    assert slots(battle, "own") == [other.number]


@pytest.mark.rule("epic.orders.overwatch", "epic.concepts.one-hit")
def test_a_formation_that_is_gone_is_not_on_overwatch() -> None:
    """Of three on overwatch the first, row 0 of its side, is gone; the others may fire at what moved, of either player."""
    scene = EpicScene()
    mover = scene.formation(0, RUNNER, at=(30, 20), order="advance")
    gone = scene.formation(1, "Boy", at=(30, 45), order="overwatch")
    scene.formation(1, "Boy", at=(34, 45), order="overwatch")
    scene.formation(1, "Boy", at=(38, 45), order="overwatch")
    battle = scene.battle("movement", dice=[A], set_state=without(gone.model()))
    pick(battle, "own side first")
    choose(battle, "own", mover.number)
    move_by(battle, 0, 2)
    assert battle.decision is not None
    assert (battle.decision.kind, battle.decision.player) == ("overwatch", 1)
    assert slots(battle, "own") == [1, 2]


# ---------------------------------------------------------------- objectives, facing


@pytest.mark.rule("epic.mission.objectives", "epic.concepts.one-hit")
@pytest.mark.parametrize("side", [0, 1])
def test_a_unit_that_is_gone_holds_nothing(side: int) -> None:
    scene = EpicScene()
    scene.objective(60, 60)
    holder = scene.formation(side, "Boy", at=[(60, 62), (10, 60)], order="march")
    scene.formation(1 - side, "Boy", at=(60, 70), order="march")
    for gone, held in ((False, side), (True, 1 - side)):
        battle = scene.battle("orders", set_state=without(holder.model(0)) if gone else None)
        determine_holders(battle)
        assert battle.objectives.holder[0] == held


@pytest.mark.rule("epic.fire.arcs", "epic.concepts.one-hit")
def test_the_nearest_enemy_is_one_that_is_there() -> None:
    """What a vehicle turns to by default: not to one that is gone, nor to a friend."""
    scene = EpicScene()
    tank = scene.formation(0, "Predator", at=(60, 60), order="advance")
    scene.formation(0, "Boy", at=(64, 60), order="advance")
    mob = scene.formation(1, "Boy", at=[(60, 66), (60, 40)], order="march")
    battle = scene.battle("orders", set_state=without(mob.model(0)))
    assert facing_enemy(battle.models.rows, tank.model()) == pytest.approx(-pi / 2)
    assert facing_enemy(scene.battle("orders").models.rows, tank.model()) == pytest.approx(pi / 2)
