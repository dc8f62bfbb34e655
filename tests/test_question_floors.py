"""Modules of the game of regiments that only ask questions import no module of procedures and decisions.

A module knows procedures if it imports ``wh_env.core.procedures`` or pushes, pops or asks on the stack of a
battle. All other modules answer questions, or change a table at once; those of them that carry something out are
named in ``DEEDS``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
RULESET = ROOT / "wh_env" / "rulesets" / "wap"
PACKAGE = "wh_env.rulesets.wap."
PROCEDURES = "wh_env.core.procedures"
ON_THE_STACK = ("push", "pop", "ask")
VIEWS = "view."  # they may read the frames of procedures
# "folder.module": why it imports procedures although it defines none
DEEDS: Mapping[str, str] = {
    "charge.barricades": "those who charge are burnt",
    "charge.by_chance": "makes the charge that a random move becomes",
    "charge.forced_out": "sets a frenzied garrison up outside",
    "combat.rounds": "weapons are put down as a round begins",
    "compulsory.stupidity": "is an effect at the start of the turn",
    "magic.attempt_items": "is what items do to the spell that is being cast",
    "magic.attributes": "is the list of what the attributes of lores do",
    "magic.deeds": "the hits of a spell are resolved",
    "magic.deeds_lasting": "fleeing units rally at once",
    "magic.deeds_model": "the hits on a single model are resolved",
    "magic.deeds_target": "the hits that depend on the target are resolved",
    "magic.deeds_moves": "units are pushed and fly",
    "magic.deeds_templates": "the hits beneath a template are resolved",
    "magic.nets": "the hits of a net are resolved",
    "magic.roused_ground": "the hits of ground that magic rouses are resolved",
    "magic.miscasts": "the hits of a miscast are resolved",
    "magic.scrolls": "items cost wizards Wounds",
    "casualties.crossings": "models lose wounds on dangerous ground",
    "movement.leaving": "asks about the move of a frame",
    "movement.loose_ways": "asks about the move of a frame",
    "movement.march": "has the test to march taken",
    "pursuit.restrain": "has the test to restrain taken",
    "shooting.bolts": "the hits of a bolt are resolved",
    "shooting.cannonballs": "the hits of a ball are resolved",
    "shooting.fires": "the hits of flames are resolved",
    "shooting.flames": "the hits of a breath are resolved",
    "shooting.stones": "the hits of a stone are resolved",
    "shooting.volley": "the hits of shots are resolved",
    "turns.handlers": "is the list of what special rules do at named points",
}


def imports(tree: ast.Module) -> Iterator[str]:
    """Modules that a module imports names from."""
    return (node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module)


def knows_procedures(tree: ast.Module) -> bool:
    """Whether a module imports what procedures and decisions are made of, or uses the stack of a battle ``g``."""
    used = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute))
    calls = any(
        isinstance(call.value, ast.Name) and call.value.id == "g" and call.attr in ON_THE_STACK for call in used
    )
    return calls or PROCEDURES in imports(tree)


@pytest.fixture(scope="module")
def trees() -> dict[str, ast.Module]:
    """The modules in folders of the ruleset by ``folder.module``, views aside."""
    found = {
        ".".join(path.relative_to(RULESET).with_suffix("").parts): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(RULESET.glob("*/*.py"))
        if path.stem != "__init__"
    }
    return {name: tree for name, tree in found.items() if not name.startswith(VIEWS)}


def test_questions_import_no_procedures(trees: dict[str, ast.Module]) -> None:
    procedures = {name for name, tree in trees.items() if knows_procedures(tree)}
    assert len(procedures) > 50 and len(trees) - len(procedures) > 80
    found = {
        name: sorted({module.removeprefix(PACKAGE) for module in imports(tree)} & procedures)
        for name, tree in trees.items()
        if name not in procedures
    }
    found = {name: known for name, known in found.items() if known}
    assert {name: known for name, known in found.items() if name not in DEEDS} == {}
    assert set(DEEDS) <= set(found), "no deeds any more"


@pytest.mark.parametrize(
    ("source", "known"),
    [
        ("from wh_env.core.procedures import DecisionKind", True),
        ("def f(g):\n    g.push(Flight, 1)", True),
        ("def f(g):\n    return g.ask(Rally, 0)", True),
        ("def f(g, found):\n    found.pop()\n    return g.roll(2)", False),
        ("from wh_env.core.battle import BattleCore", False),
    ],
)
def test_procedures_are_told_from_questions(source: str, known: bool) -> None:
    assert knows_procedures(ast.parse(source)) == known
