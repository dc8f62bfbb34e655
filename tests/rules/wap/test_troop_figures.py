"""Figures of troop types: Unit Strength, Line of Sight values, bases."""

from __future__ import annotations

from typing import Any

import pytest

from tests.results import scored, state
from wh_env import ContentError
from wh_env.content.wap import load_sheet
from wh_env.rulesets.wap.basics.strength import unit_strength
from wh_env.rulesets.wap.codes import RIGHT
from wh_env.testing import kind, slots
from wh_env.testing.wap import NORTH, RegimentScene, square, who_see

# cards of a rank that fills the way: their type, base and number
INFANTRY, CAVALRY = ("infantry", [25, 25], 30), ("cavalry", [25, 50], 30)
SWARM, GREAT = ("swarm", [40, 40], 18), ("monstrous cavalry", [50, 75], 14)
BIG, LONG = [50, 50], [50, 100]
BODY = {"m": 7, "ws": 0, "bs": 3, "s": 5, "t": 5, "w": 4, "i": 3, "a": 0, "ld": 7}


def of_type(name: str, base: list[int] | None = None, **values: Any) -> dict[str, Any]:
    return square(**{"type": name, "base_mm": base or BIG, **values})


def shoots_over(card: dict[str, Any], between: tuple[str, list[int], int], player: int = 0) -> bool:
    """Whether an archer of this card may shoot at infantry behind a rank of others that fills the way."""
    scene = RegimentScene((60, 48))
    archer = scene.unit(player, {**card, "equipment": ["bow"]}, (30, 10), models=1, facing=NORTH)
    name, base, models = between
    scene.unit(player, of_type(name, base, w=3), (30, 20), models=models, files=models, facing=NORTH)
    scene.unit(1 - player, square(), (30, 26), models=2, files=2)
    battle = scene.battle("shooting", player=player)
    return kind(battle) == "select-to-shoot" and archer.number in slots(battle, "own")


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("name", "base", "models", "strength", "over", "not_over"),
    [
        pytest.param(
            "monstrous infantry", [40, 40], 4, 12, (SWARM, INFANTRY), (CAVALRY,),
            marks=pytest.mark.rule("wap.troop.monstrous-infantry.profile"),
        ),
        pytest.param(
            "monstrous cavalry", [50, 75], 3, 12, (INFANTRY, CAVALRY), (GREAT,),
            marks=pytest.mark.rule("wap.troop.monstrous-cavalry.profile"),
        ),
        pytest.param("swarm", [40, 40], 4, 12, (SWARM,), (INFANTRY,), marks=pytest.mark.rule("wap.troop.swarm.profile")),
        pytest.param("infantry", [25, 25], 14, 14, (SWARM,), (INFANTRY,), marks=pytest.mark.rule("wap.troop.swarm.profile")),
        pytest.param(
            "war beast", [25, 50], 10, 10, (SWARM,), (INFANTRY,), marks=pytest.mark.rule("wap.troop.war-beast.profile")
        ),
        pytest.param(
            "monstrous beast", [50, 75], 3, 9, (INFANTRY,), (CAVALRY,),
            marks=pytest.mark.rule("wap.troop.monstrous-beast.profile"),
        ),
    ],
)  # fmt: skip
def test_figures_of_the_types(
    name: str,
    base: list[int],
    models: int,
    strength: int,
    over: tuple[Any, ...],
    not_over: tuple[Any, ...],
    player: int,
) -> None:
    """Their Unit Strength; they shoot over what is lower than they are, and not over what is as high; bases that they have not."""
    scene = RegimentScene((60, 48))
    unit = scene.unit(player, of_type(name, base, w=3), (24, 20), models=models, files=models)
    scene.unit(1 - player, None, (24, 46), models=5)
    assert unit_strength(scene.battle("movement", run=False), unit.row) == strength
    for between in over:
        assert shoots_over(of_type(name, base), between, player)
    for between in not_over:
        assert not shoots_over(of_type(name, base), between, player)
    with pytest.raises(ContentError, match="base_mm"):
        load_sheet({"name": "one", "cards": {"it": of_type(name, [15, 15])}})


@pytest.mark.parametrize(("models", "disorganised"), [(3, False), (4, True)])
@pytest.mark.rule("wap.troop.monstrous-beast.profile")
def test_three_monstrous_beasts_in_the_flank_disorganise_nobody(models: int, disorganised: bool) -> None:
    scene = RegimentScene((60, 48))
    unit = scene.unit(0, square(), (24, 24), models=20, files=5)
    scene.beside(unit, 1, of_type("monstrous beast", [50, 75], w=3), side=RIGHT, models=models, files=models)
    assert state(scored(scene, unit), unit)["disorganised"] is disorganised


@pytest.mark.rule("wap.troop.monster.profile")
def test_monsters_are_seen_over_cavalry() -> None:
    for name, seen in (("monster", True), ("infantry", False)):
        scene = RegimentScene((60, 48))
        foe = scene.unit(1, of_type(name, [100, 150], w=3), (24, 30), models=1)
        own = scene.unit(0, None, (24, 10), models=5, files=5)
        scene.unit(0, of_type("cavalry", [25, 50]), (24, 18), models=20, files=20)
        battle = scene.battle("shooting", run=False)
        assert bool(who_see(battle, own.row, foe.row)) is seen and battle.units.sight[foe] == (5 if seen else 1)
    with pytest.raises(ContentError, match="base_mm"):
        load_sheet({"name": "one", "cards": {"it": of_type("monster", [40, 40])}})


@pytest.mark.rule("wap.troop.chariot.profile")
@pytest.mark.rule("wap.troop.shrine.profile")
def test_sight_and_bases_of_chariots_and_shrines() -> None:
    """They shoot over infantry, and not over monstrous cavalry."""
    for name in ("chariot", "shrine"):
        card = of_type(name, LONG, mount=BODY)
        assert shoots_over(card, INFANTRY) and not shoots_over(card, GREAT)
    load_sheet({"name": "one", "cards": {"it": of_type("shrine", [50, 75])}})
    for name, base in (("chariot", [30, 30]), ("shrine", [30, 30]), ("shrine", [60, 101]), ("shrine", [61, 100])):
        with pytest.raises(ContentError, match="base_mm"):
            load_sheet({"name": "one", "cards": {"it": of_type(name, base)}})


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("rules", "over"), [([], (True, False, False)), (["Large Target (5)"], (True, True, True))])
@pytest.mark.rule("wap.special.large-target")
def test_a_large_target_is_seen_as_it_says(rules: list[str], over: tuple[bool, ...], player: int) -> None:
    """Monstrous infantry shoots over infantry, and a Large Target among it over cavalry and monstrous cavalry too; it is shot at over them."""
    card = of_type("monstrous infantry", w=3, rules=rules)
    for between, seen in zip((INFANTRY, CAVALRY, GREAT), over, strict=True):
        assert shoots_over(card, between, player) is seen
        scene = RegimentScene((60, 48))
        archers = scene.unit(player, square(equipment=["bow"]), (30, 10), models=5, facing=NORTH)
        name, base, models = between
        scene.unit(player, of_type(name, base, w=3), (30, 20), models=models, files=models, facing=NORTH)
        scene.unit(1 - player, card, (30, 26), models=3, files=3)
        battle = scene.battle("shooting", player=player)
        assert (kind(battle) == "select-to-shoot" and archers.number in slots(battle, "own")) is seen
