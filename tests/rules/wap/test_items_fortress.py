"""The folding fortress: a building that an item brings, placed before the armies are deployed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from heroes import hero

from wh_env import Battle
from wh_env.content.geometry import convex_pieces, overlap
from wh_env.core.validation import Validator
from wh_env.envs.observation import Observer
from wh_env.rulesets.wap.basics.garrisons import buildings_of
from wh_env.rulesets.wap.basics.ground import features_of
from wh_env.rulesets.wap.deployment.divisions import zone_of
from wh_env.rulesets.wap.deployment.fortress import PlaceFortress
from wh_env.rulesets.wap.view.tell import sentence
from wh_env.testing import choose, kind, told
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle

OWNERS = pytest.mark.parametrize("owner", [0, 1])
RULE = "wap.item.enchanted.folding-fortress"
ITEM = "Fozzrik's Folding Fortress"
MISSIONS = ("battleline", "dawn-attack", "meeting-engagement", "blood-and-glory", "watchtower")
HILLS = {
    "name": "Hills", "sheet": "hill-host", "points": 1000, "without": ["core", "units"],
    "units": [
        {"card": "warriors", "models": 20, "files": 5},
        {"card": "warlord", "models": 1, "items": [ITEM], "general": True},
        {"card": "stone thrower", "models": 1},
    ],
}  # fmt: skip


def deploying(owner: int, mission: str = "battleline", seed: int = 3, **rules: Any) -> Battle:
    """A battle in which the owner of a fortress is to place it."""
    armies = [HILLS, "towns-1000"] if owner == 0 else ["towns-1000", HILLS]
    source = {
        "name": "Fortress",
        "ruleset": "wap",
        "battlefield": "broken-field",
        "mission": mission,
        "armies": armies,
        "rules": rules,
    }
    battle = Battle.load(source, seed, record=True, detail="full")
    while kind(battle) in ("choose-side", "tower-garrison"):
        battle.apply(battle.first_legal())
    assert kind(battle) == "place-building" and battle.clock.player[0] == owner
    return battle


def spots(battle: Battle) -> dict[int, tuple[float, float]]:
    """The middles of the places that are offered, by action."""
    decision = battle.decision
    assert decision is not None
    found = {}
    for action in decision.options:
        x, y = battle.describe(action).split(" at ")[1].split(", ")
        found[action] = (float(x), float(y))
    return found


def new_building(battle: Battle) -> int:
    """The building of the item, by its feature."""
    return int(battle.setup.statics["fortresses"][battle.units.owner[battle.items.unit[0]]][0])


def square_at(x: float, y: float) -> list[tuple[float, float]]:
    return [(x - 2, y - 2), (x + 2, y - 2), (x + 2, y + 2), (x - 2, y + 2)]


@OWNERS
@pytest.mark.parametrize("mission", MISSIONS)
@pytest.mark.rule("wap.item.enchanted.folding-fortress")
def test_it_is_placed_in_the_own_zone_clear_of_other_terrain(owner: int, mission: str) -> None:
    """Wholly in the zone, which is 12" deep in most missions, and on no other feature; where there is room, it may."""
    battle = deploying(owner, mission)
    zone, offered = zone_of(battle, owner), spots(battle)
    sides = list(zip(zone.tolist(), np.roll(zone, -1, axis=0).tolist(), strict=True))
    others = [
        piece
        for item in features_of(battle)
        if item.row != new_building(battle)
        for piece in convex_pieces(list(item.outline))
    ]
    for x, y in offered.values():
        corners = square_at(x, y)
        assert all(
            (qx - px) * (cy - py) - (qy - py) * (cx - px) >= -0.5 for (px, py), (qx, qy) in sides for cx, cy in corners
        )
        inner = [(x + 0.9 * (cx - x), y + 0.9 * (cy - y)) for cx, cy in corners]
        assert not any(overlap(inner, piece) > 0 for piece in others)
    assert 0 < len(offered) < battle.setup.space.grid**2


@OWNERS
@pytest.mark.rule("wap.item.enchanted.folding-fortress")
def test_a_place_partly_outside_the_zone_is_no_option(owner: int) -> None:
    """The zone is 12" deep: the middles lie 2" from its edges at least, and there are such."""
    battle = deploying(owner)
    zone, ys = zone_of(battle, owner), [y for _, y in spots(battle).values()]
    low, high = zone[:, 1].min() + 2, zone[:, 1].max() - 2
    assert high - low == pytest.approx(8, abs=0.01) and min(ys) == pytest.approx(low, abs=0.06)
    assert max(ys) == pytest.approx(high, abs=0.06)


@OWNERS
@pytest.mark.rule("wap.item.enchanted.folding-fortress", "wap.building.enter.types")
def test_a_machine_is_deployed_in_it(owner: int) -> None:
    battle = deploying(owner)
    battle.apply(min(spots(battle)))
    assert told(battle, RULE)[-1]["name"] == ITEM and any(ITEM in (sentence(battle, e) or "") for e in battle.events)
    house, machine = new_building(battle), battle.units_of(owner).start + 2
    assert house in buildings_of(battle) and list(Validator(battle.setup).faults(battle)) == []
    while kind(battle) != "deploy-inside":
        last = int(np.flatnonzero(battle.legal())[-1])
        battle.apply(last if kind(battle) == "deploy-unit" else battle.first_legal())
    choose(battle, "option", 0)
    assert battle.units.garrison[machine] == house


def beside(owner: int) -> tuple[Battle, UnitHandle]:
    """Soldiers near the middle of their zone, with a hero who has a fortress; it is to be placed."""
    scene = RegimentScene()
    low = owner == 0
    unit = scene.unit(owner, None, (24, 2 if low else 46), models=5, files=5, facing=NORTH if low else SOUTH)
    scene.unit(owner, hero(), (44, 2 if low else 46), models=1, items=[ITEM])
    scene.unit(1 - owner, None, (24, 40 if low else 8), models=5)
    battle = scene.battle("movement", player=owner, run=False)
    battle.push(PlaceFortress, owner)
    battle.run()
    assert kind(battle) == "place-building"
    return battle, unit


@OWNERS
@pytest.mark.rule("wap.item.enchanted.folding-fortress")
def test_a_unit_garrisons_it_as_any_building(owner: int) -> None:
    battle, unit = beside(owner)
    aim = (24.0, 6.0 if owner == 0 else 42.0)
    found = spots(battle)
    battle.apply(min(found, key=lambda action: np.hypot(found[action][0] - aim[0], found[action][1] - aim[1])))
    if kind(battle) == "declare-charge":
        choose(battle, "done")
    choose(battle, "own", unit.number)
    assert kind(battle) == "enter-building"
    choose(battle, "option", 0)
    assert battle.units.garrison[unit] == new_building(battle)


@OWNERS
@pytest.mark.rule("wap.item.enchanted.folding-fortress")
def test_battles_are_stored_observed_and_played_on(owner: int) -> None:
    """Before the fortress is placed, after that, and from a clone; it is known with hidden lists as it is placed."""
    battle = deploying(owner, lists="hidden")
    eyes = Observer(battle.setup)
    for seat in (0, 1):
        assert np.abs(eyes.observe(battle, seat)).max() <= 1.0
    assert Battle.from_bytes(battle.to_bytes()).to_bytes() == battle.to_bytes()
    twin = battle.clone()
    for each in (battle, twin):
        each.apply(min(spots(each)))
    stored = Battle.from_bytes(battle.to_bytes())
    assert stored.to_bytes() == battle.to_bytes() and battle.items.seen.tolist() == [1]
    for each in (battle, twin, stored):
        assert buildings_of(each)[new_building(each)] == buildings_of(battle)[new_building(battle)]
    for _ in range(60):
        action = battle.first_legal()
        for each in (battle, twin, stored):
            each.apply(action)
    assert battle.to_bytes() == stored.to_bytes()
    for seat in (0, 1):
        assert np.abs(Observer(battle.setup).observe(battle, seat)).max() <= 1.0
