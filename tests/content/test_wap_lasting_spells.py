"""Words of spells that change dice, saves and tests: what is read, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from wh_env import ContentError
from wh_env.content.wap.schema_magic import SpellRow
from wh_env.content.wap.spells import spell_of
from wh_env.rulesets.wap.magic.spells import Spell

ROOT = Path(__file__).resolve().parents[2]


def spell(*effects: dict[str, Any], **words: Any) -> Spell:
    """A spell with these effects."""
    row = {"name": "Test", "rule": "wap.lore.fire.fireball", "number": 1, "cast": 8, "type": "augment", "range": 24}
    more = {"target": "friendly-unit", "duration": "next-magic-phase", "effects": list(effects), **words}
    return spell_of(SpellRow.model_validate({**row, **more}), 0, "<test>", "spells[0]")


@pytest.mark.parametrize(
    ("effect", "words"),
    [
        ({"to_hit": 1, "attacks": "shooting"}, "one of both"),
        ({"to_hit": 1}, "one of both"),
        ({"to_wound": 1, "attacks": "both", "scope": "mounts"}, "unit-except-mounts"),
        ({"armour_save": 1, "except": "shields"}, "natural-armour"),
        ({"reroll": "ones", "rolls": ["hit"], "optional": False}, "one of True"),
        ({"reroll": "sixes", "rolls": ["hit"], "optional": True}, "one of False"),
        ({"reroll": "twos", "rolls": ["hit"], "optional": True}, "one of ones, sixes"),
        ({"reroll": "ones", "rolls": ["ward"], "optional": True}, "armour-save"),
        ({"strength_for_wounding": "Ld", "in": "shooting"}, "close-combat"),
        ({"rally": "next-turn"}, "immediately"),
        ({"auto_pass": "panic-tests"}, "leadership-tests"),
        ({"rules": ["flaming"]}, "ice-attack"),
        ({"terrain": "forests", "dangerous_fails_on": 2}, "all-but-open"),
        ({"grant": ["fear"], "if_has": {"courage": ["terror"]}}, "a special rule that can be gained"),
        ({"stat": "choice", "choose": ["WS", "X"], "by": -1}, "ws"),
    ],
)
def test_words_that_the_game_does_not_play_are_refused(effect: dict[str, Any], words: str) -> None:
    with pytest.raises(ContentError, match=words):
        spell(effect)


def test_choices_are_versions_of_one_value() -> None:
    """A boost that only reaches farther keeps what may be chosen."""
    chosen = spell({"stat": "choice", "choose": ["WS", "I"], "by": -1}, boosts=[{"cast": 12, "range": 48}])
    versions = [(version.value, version.words, version.range) for version in chosen.versions]
    assert versions == [(8, "WS", 24), (8, "I", 24), (12, "WS", 48), (12, "I", 48)]
    assert len(chosen.base_versions) == 2 and chosen.range == 48


@pytest.mark.parametrize("lore", ["fire", "metal", "life", "beasts", "heavens", "light", "shadow", "death"])
def test_rows_are_those_of_the_catalogue(lore: str) -> None:
    rules = yaml.safe_load((ROOT / "docs" / "rules" / "wap-4-magic.yaml").read_text())["rules"]
    tables = {
        rule["id"]: rule["table"] for rule in rules if rule["id"].startswith(f"wap.lore.{lore}.") and "table" in rule
    }
    rows = yaml.safe_load((ROOT / "configs" / "wap" / "lores" / f"{lore}.yaml").read_text())["spells"]
    for row in rows:
        said = {key: value for key, value in row.items() if key not in ("name", "rule", "empowered")}
        assert said == {**tables[row["rule"]]} or {**said, "boosts": []} == tables[row["rule"]], row["name"]
