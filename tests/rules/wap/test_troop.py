"""Troop types: Unit Strength, bases, ranks."""

from __future__ import annotations

from typing import Any

import pytest

from wh_env import ContentError
from wh_env.content.load import config_root
from wh_env.content.reading import read_yaml
from wh_env.content.rulebook import catalogue
from wh_env.content.wap import load_sheet
from wh_env.content.wap.load import troop_types
from wh_env.rulesets.wap.basics.strength import rank_bonus, unit_strength
from wh_env.testing.wap import PLAIN, RegimentScene, square


@pytest.mark.rule("wap.troop.general.types")
def test_the_table_is_the_rule_s() -> None:
    table = catalogue("wap")["wap.troop.general.types"]["table"]
    assert read_yaml(config_root() / "wap" / "troop-types.yaml")["types"] == table
    assert [row.model_dump(exclude_defaults=True, mode="json").get("abbr") for row in troop_types().types] == [
        row["abbr"] for row in table
    ]


@pytest.mark.parametrize(
    ("kind", "base", "models", "expected"),
    [
        ("infantry", 20, 20, 20),
        ("monstrous infantry", 40, 6, 18),
        ("cavalry", 40, 5, 10),
        ("monstrous cavalry", 50, 3, 12),
        ("swarm", 40, 4, 12),
    ],
)
@pytest.mark.rule("wap.troop.general.types", "wap.troop.infantry.profile")
def test_unit_strengths(kind: str, base: float, models: int, expected: int) -> None:
    scene = RegimentScene()
    unit = scene.unit(0, square(type=kind, base_mm=[base, base]), (20, 20), models=models)
    scene.unit(1, None, (20, 40))
    battle = scene.battle("movement")
    assert unit_strength(battle, unit.row) == expected
    assert battle.units.sight[unit] == {"infantry": 1, "swarm": 0, "monstrous cavalry": 3}.get(kind, 2)


def sheet(kind: str, base: tuple[float, float]) -> dict[str, Any]:
    card = {"type": kind, "category": "core", "base_mm": list(base), "points": 5, "profile": dict(PLAIN)}
    return {"name": "one", "cards": {"men": card}}


@pytest.mark.parametrize(
    ("base", "fine"), [((15, 15), False), ((20, 20), True), ((20, 15), False), ((25, 50), True), ((45, 60), True)]
)
@pytest.mark.rule("wap.troop.general.bases", "wap.troop.infantry.profile")
def test_a_base_is_not_smaller_than_listed(base: tuple[float, float], fine: bool) -> None:
    if fine:
        assert load_sheet(sheet("infantry", base)).cards["men"].base_mm == base
        return
    with pytest.raises(ContentError, match="is too small"):
        load_sheet(sheet("infantry", base))


@pytest.mark.parametrize(
    ("models", "files", "bonus"), [(20, 5, 3), (20, 4, 0), (19, 5, 2), (30, 5, 3), (5, 5, 0), (15, 10, 1)]
)
@pytest.mark.rule("wap.troop.infantry.ranks")
def test_infantry_has_ranks_when_it_is_five_wide(models: int, files: int, bonus: int) -> None:
    scene = RegimentScene()
    unit = scene.unit(0, None, (20, 20), models=models, files=files)
    scene.unit(1, None, (20, 40))
    assert rank_bonus(scene.battle("movement"), unit.row) == bonus
