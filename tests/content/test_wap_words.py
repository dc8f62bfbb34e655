"""Words of spells and of magic items that files may have: what is not known is refused with one clear message."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import yaml

from wh_env import ContentError
from wh_env.content.load import validate
from wh_env.content.wap.items import read_items
from wh_env.content.wap.schema_items import ItemFile
from wh_env.content.wap.schema_magic import LoreFile
from wh_env.content.wap.spells import spell_of

CONFIGS = Path(__file__).resolve().parents[2] / "configs" / "wap"
FILES = sorted([*(CONFIGS / "lores").glob("*.yaml"), *(CONFIGS / "items").glob("*.yaml")])
ODD = ([], {}, 3, -1, "x", None, ["x"], {"x": 1}, "")
SPARK = {
    "name": "Spark", "rule": "wap.lore.fire.fireball", "number": 0, "cast": 5, "type": "magic-missile", "range": 24,
    "target": "enemy-unit", "duration": "instant", "effects": [{"hits": "D6", "s": 4}],
}  # fmt: skip
TOY = {"name": "Toy", "rule": "wap.item.talisman.dawnstone", "family": "talisman", "points": 5, "one_use": False}


def read_spell(row: dict[str, Any]) -> None:
    """Read a spell."""
    lore = validate(LoreFile, {"name": "Lore", "spells": [row]}, "<test>")
    spell_of(lore.spells[0], 0, lore.source, "spells[0]")


def read_item(row: dict[str, Any]) -> None:
    """Read a magic item."""
    read_items(validate(ItemFile, {"items": [row]}, "<test>"))


def places(found: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of each value within mappings and lists."""
    inside = found.items() if isinstance(found, dict) else enumerate(found) if isinstance(found, list) else ()
    for key, value in inside:
        yield (*at, key)
        yield from places(value, (*at, key))


def otherwise(row: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A row with each value replaced by odd ones, and left out, and with its effects in another order."""
    for *before, last in places(row):
        for odd in (*ODD, ...):
            found = deepcopy(row)
            at: Any = found
            for key in before:
                at = at[key]
            if odd is ...:
                del at[last]
            else:
                at[last] = odd
            yield found
    yield {**row, "effects": row["effects"][::-1]}


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_an_odd_word_is_a_fault_of_the_file(file: Path) -> None:
    """Whatever stands in place of a word, either it is read or a ``ContentError`` tells its file and its place."""
    kind, read = ("spells", read_spell) if file.parent.name == "lores" else ("items", read_item)
    faults = []
    for row in yaml.safe_load(file.read_text(encoding="utf-8"))[kind]:
        read(row)
        for changed in otherwise(row):
            try:
                read(changed)
            except ContentError as fault:
                faults.append(fault)
    assert faults and all(fault.file.startswith("<test>") and fault.expected for fault in faults)


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"boosts": [{"cast": 9, "rnage": 48}]}, r"boosts\[0\].rnage: 'rnage' is not known; .*did you mean 'range'"),
        ({"boosts": [{"cast": 9, "rules": ["flaming"]}]}, r"boosts\[0\].rules: 'rules' is not known"),
        ({"boosts": [{"cast": 9, "range": -1}]}, "range: -1 is not valid; expected at least 0"),
        ({"options": [{"tarhet": "self"}]}, r"options\[0\].tarhet: 'tarhet' is not known"),
        ({"empowered": {"hitz": 3}}, "empowered.hitz: 'hitz' is not known"),
        ({"empowered": {"range": 48}}, "empowered.range: 'range' is not known"),
        ({"duration": "a while"}, "duration: 'a while' is not valid; expected one of"),
        (
            {"effects": [{"stat": "T", "by": 1, "max": 7}], "duration": "game"},
            "7 is not valid; expected one of None, 10",
        ),
        ({"effects": [{"stat": "T", "by": -1, "min": 2}], "duration": "game"}, "2 is not valid"),
        ({"effects": [{"if_cannot_move": {"hits": "D6", "s": 3}}]}, "words as the tables of the catalogue have them"),
    ],
)
def test_a_word_of_a_spell_that_would_be_lost_is_refused(more: dict[str, Any], told: str) -> None:
    with pytest.raises(ContentError, match=told):
        read_spell({**SPARK, **more})


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"family": "weapon", "as": "helm"}, "as: 'helm' is not"),
        ({"family": "armour", "as": "lance"}, "as: 'lance' is not"),
        ({"effects": [{"stat": "T", "by": 1, "max": 7}]}, "7 is not valid; expected one of None, 10"),
        ({"effects": [{"stat": "T", "by": "x"}]}, "words as the tables of the catalogue have them"),
        (
            {"family": "arcane", "effects": [{"wounds": 1, "rules": ["ignores-armour-saves"], "scope": "bearer"}]},
            "words as the tables of the catalogue have them",
        ),
    ],
)
def test_a_word_of_an_item_that_means_nothing_there_is_refused(more: dict[str, Any], told: str) -> None:
    with pytest.raises(ContentError, match=told):
        read_item({**TOY, "effects": [{"ward": 6}], **more})
