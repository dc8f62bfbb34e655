"""Magic items in army lists: what cards allow, what they cost."""

from __future__ import annotations

from typing import Any

import pytest

from wh_env.content.wap.item_files import points_of_items
from wh_env.content.wap.muster import cost_of, faults_of_entry
from wh_env.content.wap.schema_units import Card, Entry
from wh_env.testing.wap import square


def faults(card: dict[str, Any], **entry: Any) -> list[str]:
    """The faults of an entry, each as its field, problem and what is expected."""
    found = faults_of_entry(Entry(**{"card": "x", "models": 1, **entry}), Card(**card))
    return [f"{fault.field}: {fault.problem}; {fault.expected}" for fault in found]


HERO = square(character=True, size=(1, 1), items={"points": 50})
UNIT = square(banner=15)


def test_items_within_the_allowance_are_legal_and_cost_points() -> None:
    entry = Entry(card="x", models=1, items=("Sword of Might", "Talisman of Protection"))
    assert faults_of_entry(entry, Card(**HERO)) == []
    assert points_of_items(entry) == 30 and cost_of(entry, Card(**HERO), 10) == 35
    banner = Entry(card="x", models=10, command=("standard",), banner="Lichebone Pennant")
    assert faults_of_entry(banner, Card(**UNIT)) == [] and cost_of(banner, Card(**UNIT), 10) == 70


@pytest.mark.parametrize(
    ("card", "entry", "told"),
    [
        (HERO, {"items": ["Sword of Migth"]}, "items[0]: is not known; one of"),
        (HERO, {"items": ["Lichebone Pennant"]}, "items[0]: is not that; no magic banner"),
        (
            {**HERO, "equipment": ["heavy armour"]},
            {"items": ["Armour of Fortune", "Sword of Might", "Talisman of Protection"]},
            "items: cost 65; items of at most 50",
        ),
        (
            square(character=True, size=(1, 1)),
            {"items": ["Biting Blade"]},
            "items[0]: is not to be had; an item of no family",
        ),
        (
            square(character=True, size=(1, 1), items={"points": 50, "families": ["weapon"]}),
            {"items": ["Talisman of Protection"]},
            "items[0]: is not to be had; an item of weapon",
        ),
        (UNIT, {"models": 10, "banner": "Lichebone Pennant"}, "banner: has nobody to carry it; a standard bearer"),
        (
            square(banner=5),
            {"models": 10, "command": ["standard"], "banner": "Lichebone Pennant"},
            "banner: costs 10; a magic banner of at most 5",
        ),
        (
            UNIT,
            {"models": 10, "command": ["standard"], "banner": "Biting Blade"},
            "banner: is not that; a magic banner",
        ),
    ],
)
def test_what_a_card_does_not_allow_is_one_clear_fault(card: dict[str, Any], entry: dict[str, Any], told: str) -> None:
    found = faults(card, **entry)
    assert len(found) == 1 and found[0].startswith(told), found
