"""What named examples of ground do to units that stand in them."""

from __future__ import annotations

from typing import Any

import pytest

from wh_env import Battle, ContentError
from wh_env.content.load import validate
from wh_env.content.wap.schema_terrain import Terrain
from wh_env.rulesets.wap.basics.combined_unit import has
from wh_env.rulesets.wap.morale.leadership import leadership_of, leadership_test
from wh_env.rulesets.wap.rule_book import REGENERATION, STUBBORN, STUPIDITY
from wh_env.rulesets.wap.view.odds_harm import parameters
from wh_env.testing import script, told
from wh_env.testing.wap import NORTH, RegimentScene, UnitHandle, square


def within(
    kind: str, example: str, inside: int, card: Any = None, *, player: int = 0, models: int = 10, **fields: Any
) -> tuple[Battle, UnitHandle]:
    """A rank of models on bases of one inch, of which so many stand in ground of a kind from its left end on."""
    scene = RegimentScene()
    unit = scene.unit(player, card, (20, 24), models=models, files=models, facing=NORTH, **fields)
    scene.unit(1 - player, None, (44, 46 if player == 0 else 2))
    west = 20 - 0.5 * models
    scene.area(kind, west - 3, 20, west + inside, 30, example=example)
    return scene.battle("movement", player=player, run=False), unit


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("inside", "value"), [(6, 6), (5, 7)])
@pytest.mark.rule("wap.terrain.forest.haunted")
def test_most_models_in_a_haunted_forest_cost_a_unit_a_point_of_leadership(
    player: int, inside: int, value: int
) -> None:
    battle, unit = within("forest", "haunted forest", inside, square(ld=7), player=player)
    assert leadership_of(battle, unit.row) == value
    script(battle, [3, 4])
    assert leadership_test(battle, unit.row, "wap.panic.test") == (value == 7)
    calm, unit = within(
        "forest", "haunted forest", inside, square(ld=7, rules=["Immunity (Psychology)"]), player=player
    )
    assert leadership_of(calm, unit.row) == 7


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.terrain.forest.fungus")
def test_one_model_in_a_fungus_forest_makes_a_unit_stupid_and_forest_goblins_stubborn(player: int) -> None:
    battle, unit = within("forest", "fungus forest", 1, player=player)
    assert has(battle, unit.row, STUPIDITY) and not has(battle, unit.row, STUBBORN)
    battle, unit = within("forest", "fungus forest", 0, player=player)
    assert not has(battle, unit.row, STUPIDITY)
    battle, unit = within("forest", "fungus forest", 1, player=player, book=("Forest Goblins", "destruction"))
    assert has(battle, unit.row, STUPIDITY) and has(battle, unit.row, STUBBORN)


@pytest.mark.rule("wap.terrain.forest.fungus")
def test_a_unit_in_a_fungus_forest_tests_for_stupidity_when_its_turn_begins() -> None:
    for roll, stupid in (((4, 4), 1), ((2, 3), 0)):
        battle, unit = within("forest", "fungus forest", 1, square(ld=5), command=())
        script(battle, [*roll, 3])
        battle.run()
        assert told(battle, "wap.special.stupidity.test")[0]["roll"] == sum(roll)
        assert battle.units.stupid[unit] == stupid
        assert battle.units.y[unit] == pytest.approx(27.0 if stupid else 24.0)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("inside", "saves"), [(6, ("6+",)), (5, ())])
@pytest.mark.rule("wap.terrain.marsh.earthblood-mere")
def test_most_models_in_an_earthblood_mere_regenerate(player: int, inside: int, saves: tuple[str, ...]) -> None:
    battle, unit = within("marsh", "earthblood mere", inside, player=player)
    assert parameters(battle, unit.row, REGENERATION) == saves


@pytest.mark.rule("wap.terrain.agreement")
def test_the_ground_of_an_example_has_the_rules_of_its_kind_and_its_own() -> None:
    battle, _ = within("forest", "venom thicket", 5)
    (wood,) = battle.setup.statics["features"]
    assert (wood.traits.sight, wood.traits.ranks, wood.traits.dangerous_always) == (5, "lost inside", True)
    row = {"kind": "forest", "lines": "1", "traits": {"gives_partly": ["Slowness"]}, "examples": {}}
    with pytest.raises(ContentError, match=r"gives_partly\[0\]: 'Slowness' is not known; expected a special rule"):
        validate(Terrain, row, "forest.yaml")
