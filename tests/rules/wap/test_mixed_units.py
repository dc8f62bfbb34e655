"""Mixed units: beasts and those who drive them (wap.special.mixed-unit.*)."""

from __future__ import annotations

from typing import Any

import pytest
from heroes import hero

from tests.marching import ADVANCE, FORWARD, MARCH, go, limit
from wh_env import Battle, ContentError
from wh_env.agents.invariants import Invariants
from wh_env.content.wap import load_sheet
from wh_env.core.tables import ATTACHED, ON_TABLE
from wh_env.rulesets.wap.basics.special_rules import model_has
from wh_env.rulesets.wap.casualties.removing import suffer
from wh_env.rulesets.wap.characters.joining import is_open_to
from wh_env.rulesets.wap.charge.declarers import may_declare
from wh_env.rulesets.wap.codes import FRONT, REAR
from wh_env.rulesets.wap.combat.fighters import TARGETS, enemies_of, groups_of
from wh_env.rulesets.wap.rule_book import FRENZY
from wh_env.rulesets.wap.shooting.allotting import Struck, allotted_to, deal
from wh_env.rulesets.wap.shooting.hits import hit_of
from wh_env.rulesets.wap.shooting.shots import IN_PHASE, ways_of, weapon_in
from wh_env.rulesets.wap.special.mixed_units import masters_of
from wh_env.rulesets.wap.special.stride import is_swift
from wh_env.testing import choose, kind, slots, told
from wh_env.testing.wap import RegimentScene, UnitHandle, may_leave, square

MASTER = square(ld=7, ws=4)
BOTH_PLAYERS = pytest.mark.parametrize("player", [0, 1])
DRIVERS = {name: MASTER[name] for name in ("base_mm", "profile")}
HOUNDS = square(type="war beast", m=7, ld=5, rules=["Mixed Unit", "Frenzy"], masters={**DRIVERS, "number": 2})


def pack(
    scene: RegimentScene, models: int = 10, files: int = 5, player: int = 0
) -> tuple[UnitHandle, list[UnitHandle]]:
    """Hounds and two who drive them."""
    at = (24.0, 20.0) if player == 0 else (24.0, 30.0)
    hounds = scene.unit(player, HOUNDS, at, models=models, files=files)
    return hounds, [scene.unit(player, MASTER, inside=hounds, models=1, drives=True) for _ in range(2)]


@pytest.mark.rule("wap.special.mixed-unit.formation")
@pytest.mark.parametrize(
    ("models", "files", "found"),
    [(10, 5, [(2, 0), (2, 1)]), (8, 5, [(1, 2), (1, 3)]), (13, 5, [(2, 2), (2, 3)]), (9, 5, [(1, 2), (2, 0)])],
)
def test_masters_stand_in_the_middle_of_the_last_rank(models: int, files: int, found: list[tuple[int, int]]) -> None:
    """The last rank has 2, 5, 5 and 1 models; who has no room in it stands in the one before."""
    scene = RegimentScene()
    hounds, masters = pack(scene, models, files)
    scene.unit(1, None, (24, 44))
    battle = scene.battle(run=False)
    m = battle.models
    assert sorted((m.rank[k.model()], m.file[k.model()]) for k in masters) == found
    taken = {(m.rank[k], m.file[k]) for k in (*battle.members(hounds.row), *(k.model() for k in masters))}
    assert len(taken) == models + 2 and battle.units.block[hounds] == models + 2
    assert not list(battle.setup.ruleset.contradictions(battle))


@pytest.mark.rule("wap.special.mixed-unit.formation")
@pytest.mark.parametrize("lost", [1, 3, 5])
def test_masters_on_smaller_bases_take_one_place_each_as_a_front_gets_shorter(lost: int) -> None:
    """Beasts on 25x50 mm, masters on 25x25: they once counted as less than a place, and the front stayed wider than the unit."""
    scene = RegimentScene()
    hounds = scene.unit(0, {**HOUNDS, "base_mm": [25, 50]}, (24, 20), models=6, files=8)
    small = {**MASTER, "base_mm": [25, 25]}
    for _ in range(2):
        scene.unit(0, small, inside=hounds, models=1, drives=True)
    scene.beside(hounds, 1, models=8, files=8, along=0.0)
    battle = scene.battle("combat", run=False)
    suffer(battle, hounds.row, lost)
    u = battle.units
    assert u.files[hounds] == u.block[hounds] == 8 - lost
    assert not list(battle.setup.ruleset.contradictions(battle))


@pytest.mark.rule("wap.special.mixed-unit.formation")
def test_nobody_joins_a_mixed_unit_or_drives_another() -> None:
    scene = RegimentScene()
    hounds, masters = pack(scene)
    lord = scene.unit(0, hero(rules=["Expendable"]), (10, 20), models=1)
    scene.unit(1, None, (24, 44))
    battle = scene.battle(run=False)
    assert not is_open_to(battle, lord.row, hounds.row) and not is_open_to(battle, lord.row, masters[0].row)
    assert not may_leave(battle, masters[0].row) and not may_declare(battle, masters[0].row)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.special.mixed-unit.characteristics")
def test_masters_lend_their_leadership_and_slow_nobody(player: int) -> None:
    """Beasts of Movement 7 and Leadership 5 with masters of 4 and 7: they move 7", and test on 7 before they march near an enemy."""
    scene = RegimentScene()
    hounds, masters = pack(scene, player=player)
    scene.unit(1 - player, None, (24, 44 if player == 0 else 6))
    battle = scene.battle("movement", player=player, detail="full")
    copy = battle.clone()
    go(copy, hounds, ADVANCE)
    assert limit(copy, FORWARD) == 7.0
    assert is_swift(battle, hounds.row)
    k = battle.units.first[hounds]
    assert model_has(battle, k, FRENZY) and not model_has(battle, masters[0].model(), FRENZY)
    near = RegimentScene()
    hounds, masters = pack(near, player=player)
    near.unit(1 - player, None, (33, 20 if player == 0 else 30))
    battle = near.battle("movement", player=player, detail="full", dice=[3, 4])
    go(battle, hounds, MARCH)
    assert [(note["leadership"], note["passed"]) for note in told(battle, "wap.move.march.test")] == [(7, True)]


@pytest.mark.rule("wap.special.mixed-unit.characteristics")
def test_masters_without_beasts_move_as_they_can() -> None:
    scene = RegimentScene()
    hounds, masters = pack(scene)
    scene.unit(1, None, (24, 44))
    battle = scene.battle("movement", detail="full", set_state=lambda g: suffer(g, hounds.row, 10))
    left = masters[0]
    assert battle.units.place[left] == ON_TABLE and battle.units.block[left] == 2
    go(battle, left, ADVANCE)
    assert limit(battle, FORWARD) == 4.0


def shot(models: int, hits: int) -> tuple[Battle, UnitHandle, list[UnitHandle]]:
    """Archers have hit a mixed unit so often."""
    scene = RegimentScene()
    bows = scene.unit(0, square(equipment=["hand weapon", "bow"]), (24, 10), models=10, files=5)
    hounds, masters = pack(scene, models, min(5, models), player=1)
    battle = scene.battle("shooting", run=False, detail="full")
    battle.clock.depth[0] = battle.clock.over[0] = 0
    way, line = ways_of(battle, bows.row, hounds.row, IN_PHASE)[0], battle.units.first_line[bows]
    struck = [Struck(line, hits, hit_of(battle, line, weapon_in(battle, bows.row, way), hounds.row))]
    deal(battle, bows.row, hounds.row, way, struck, FRONT, -1)
    return battle, hounds, masters


@pytest.mark.rule("wap.special.mixed-unit.shooting")
def test_hits_fall_on_masters_where_few_beasts_are_left() -> None:
    battle, hounds, masters = shot(3, 6)
    battle.run()
    rows = [hounds.row, *(master.row for master in masters)]
    while kind(battle) == "take-hit" and sum(allotted_to(battle, row) for row in rows) < 5:
        open_to = set(slots(battle, "own"))
        choose(battle, "own", min(open_to))
        given = [allotted_to(battle, row) for row in rows]
        assert given[0] <= 3 and max(given[1:]) <= 1  # nobody takes a second before all have taken one
    assert [allotted_to(battle, row) for row in rows] == [3, 1, 1]


@pytest.mark.rule("wap.special.mixed-unit.shooting")
def test_enough_beasts_take_all_hits() -> None:
    battle, _, masters = shot(5, 6)
    battle.run()
    assert kind(battle) != "take-hit"
    assert all(battle.units.place[master] == ATTACHED for master in masters)


@pytest.mark.rule("wap.special.mixed-unit.combat")
@pytest.mark.parametrize(("side", "reached"), [(FRONT, False), (REAR, True)])
def test_masters_are_struck_by_who_touches_them(side: int, reached: bool) -> None:
    scene = RegimentScene()
    hounds, masters = pack(scene, 10, 4)
    foe = scene.beside(hounds, 1, side=side, models=4, files=4, along=0.0)
    battle = scene.battle("combat", run=False)
    enemies = enemies_of(battle, foe.row)
    bits = sum(1 << enemies.index(master.row) for master in masters)
    assert any(group[TARGETS] & bits for group in groups_of(battle, foe.row, 0)) is reached
    assert masters_of(battle, hounds.row) == [master.row for master in masters]


def test_a_mixed_unit_of_a_sheet_has_its_masters() -> None:
    card: dict[str, Any] = {**HOUNDS, "masters": None}
    with pytest.raises(ContentError, match="masters"):
        load_sheet({"name": "one", "cards": {"hounds": card}})
    with pytest.raises(ContentError, match="Mixed Unit"):
        load_sheet({"name": "one", "cards": {"hounds": {**HOUNDS, "rules": []}}})
    battle = Battle.load("wap/open-menagerie", 1)
    names = battle.setup.names["units"]
    found = [row for row, name in enumerate(names) if "master" in name]
    assert [names[battle.units.bodyguard[row]] for row in found] == ["hounds", "hounds"]
    assert all(battle.units.place[row] == ATTACHED for row in found)
    assert not list(battle.setup.ruleset.contradictions(battle))


@BOTH_PLAYERS
@pytest.mark.rule("wap.character.unit-destroyed.new-unit", "wap.combat.gap.after-casualties")
@pytest.mark.parametrize("along", [-2.0, 2.0])
def test_masters_whose_beasts_have_fallen_fight_on(player: int, along: float) -> None:
    """An enemy stood before the beasts at an end of their front: the two close up, as after other casualties."""
    scene = RegimentScene()
    hounds, masters = pack(scene, 6, 6, player)
    foe = scene.beside(hounds, 1 - player, square(ld=10), along=along, models=1, files=1)
    battle = scene.battle("combat", player=player, run=False)
    suffer(battle, hounds.row, 6)
    (new,) = (row for row in masters if battle.units.place[row] == ON_TABLE)
    assert battle.units.alive[hounds] == 0 and battle.units.fights[new] == battle.units.fights[foe] == 1
    assert told(battle, "wap.combat.gap.after-casualties")
    assert not list(battle.setup.ruleset.contradictions(battle))


@pytest.mark.rule("wap.special.mixed-unit.formation", "wap.building.leave.placing")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("models", [9, 10])
def test_masters_on_smaller_bases_leave_a_building_in_the_ranks(player: int, detail: str, models: int) -> None:
    """Hounds on deeper bases: their masters do not stand beside the front, as characters on such bases would."""
    scene = RegimentScene()
    scene.area("building", 22, 20, 27, 25, storeys=2)
    card = HOUNDS | {"base_mm": [25, 50]}
    hounds = scene.unit(player, card, models=models, files=5, garrison=0)
    masters = [scene.unit(player, MASTER | {"base_mm": [25, 25]}, inside=hounds, models=1, drives=True) for _ in "ab"]
    scene.unit(1 - player, None, (4, 46), models=5)
    scene.unit(player, None, (44, 3), models=5)
    battle = scene.battle("movement", player=player, detail=detail)
    if kind(battle) == "declare-charge":
        choose(battle, "done")
    invariants, m = Invariants(battle), battle.models
    choose(battle, "own", hounds.number)
    assert kind(battle) == "leave-building"
    while kind(battle).startswith("leave-"):
        invariants.before()
        battle.apply(int(battle.legal().nonzero()[0][-1]))
        assert not invariants.after()
    assert battle.units.garrison[hounds] == -1 and battle.units.wider[hounds] == 0.0
    assert not any(battle.units.beside[k] for k in masters)
    places = {(m.rank[k], m.file[k]) for k in (*battle.members(hounds.row), *(k.model() for k in masters))}
    assert len(places) == models + 2
