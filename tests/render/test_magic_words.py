"""Magic as its players tell it: every event of a battle with wizards, and the names of options."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import numpy as np
import pytest

import wh_env
from wh_env import Battle
from wh_env.core.events import Event
from wh_env.rulesets.wap.magic.miscasts import RULES
from wh_env.rulesets.wap.view.tell import ROLLS, UNTOLD, WORDS
from wh_env.rulesets.wap.view.tell_magic import MAGIC, MISCASTS
from wh_env.testing import words
from wh_env.testing.wap import RegimentScene, square

MODULES = sorted((Path(wh_env.__file__).parent / "rulesets/wap/magic").glob("*.py"))


def kinds_in(path: Path) -> set[str]:
    """The kinds of the events that a module notes, as far as they are written out."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "note":
            found |= {leaf.value for leaf in ast.walk(node.args[1]) if isinstance(leaf, ast.Constant)}
    return found


@pytest.mark.parametrize("path", MODULES, ids=[path.stem for path in MODULES])
def test_every_kind_of_event_of_magic_has_words(path: Path) -> None:
    assert kinds_in(path) <= {*WORDS, *ROLLS, *UNTOLD}


@pytest.mark.parametrize("seed", range(3))
def test_everything_that_happens_among_wizards_has_words(seed: int) -> None:
    battle = Battle.load("wap/open-magic", seed, record=True)
    rng = np.random.default_rng(seed)
    while not battle.over:
        battle.apply(int(rng.choice(np.flatnonzero(battle.legal()))))
    of_magic = [event for event in battle.events if event.kind in MAGIC]
    told = [battle.setup.ruleset.sentence(battle, event) for event in of_magic]
    assert len(told) > 20
    names = [f"({name})" for name in battle.setup.names["players"]]
    for sentence in told:
        assert sentence
        for name in (*names, "(rolled"):
            sentence = sentence.replace(name, "")
        assert not re.search(r"[(_{]|nobody", sentence), sentence


def scene() -> Battle:
    """A wizard of level 2 who knows Fireball, and two enemies."""
    scene = RegimentScene()
    card = square(character=True, size=[1, 1], w=2, wizard={"level": 2, "lores": ["fire"]})
    scene.unit(0, card, (24, 10), models=1, files=1, name="mage")
    scene.unit(1, square(), (20, 24), models=10, files=5, name="halberdiers")
    scene.unit(1, square(), (30, 24), models=10, files=5, name="spearmen")
    return scene.battle("magic", dice=[4, 3, 1, 1])


def told(kind: str, rule: str = "wap.magic.resolve", **data: object) -> str | None:
    battle = scene()
    return battle.setup.ruleset.sentence(battle, Event(rule, kind, data))


def test_sentences_of_magic() -> None:
    two = list(scene().setup.names["players"])
    assert told("winds of magic", player=0, rolls=(3, 4), amount=7, against=4) == (
        f"the winds of magic blow (rolled 3, 4): {two[0]} has 7 dice of power, {two[1]} 4 for dispelling"
    )
    assert told("channels", unit=0, rolls=(5, 1), needed=5, amount=1) == "mage channels 1 die (rolled 5, 1)"
    assert told("channels", unit=0, rolls=(2, 1), needed=5, amount=0) == "mage channels nothing (rolled 2, 1)"
    assert told("learns", unit=0, name="Fireball") == "mage learns Fireball"
    cast = {"unit": 0, "name": "Fireball", "target": 1, "rolls": (3, 4), "needed": 5, "amount": 8}
    assert told("casts", **cast) == "mage casts Fireball on halberdiers: 8 of 5 (rolled 3, 4)"
    assert told("casts", **{**cast, "target": 0}) == "mage casts Fireball on itself: 8 of 5 (rolled 3, 4)"
    assert told("fails to cast", **{**cast, "target": -1, "rolls": (1, 2), "amount": 4}) == (
        "mage fails to cast Fireball: 4 of 5 (rolled 1, 2)"
    )
    assert told("casts at once", unit=0, target=1, name="Fireball") == (
        "mage casts Fireball on halberdiers at once, without dice"
    )
    dispel = {"unit": 0, "player": 0, "result": 1, "rolls": (6, 4, 2), "needed": 10, "amount": 13}
    assert told("dispels", **dispel) == "mage dispels the spell: 13 of 10 (rolled 6, 4, 2)"
    assert told("dispels", **{**dispel, "unit": -1, "result": 0, "rolls": (2, 4), "amount": 6}) == (
        f"{two[0]} does not dispel the spell: 6 of 10 (rolled 2, 4)"
    )
    assert told("miscasts", unit=0, name="Fireball", die=3, result=8) == (
        "mage miscasts Fireball (rolled 3) and forgets the spell"
    )
    assert told("spell hits", unit=0, target=1, name="Fireball", amount=1) == "Fireball strikes halberdiers: 1 hit"
    assert told("shares dice", player=0, name="Dwarfs", amount=3) == "Dwarfs gets 3 dice of the winds"
    assert told("changes form", unit=0, target=1, amount=6) == "mage turns into halberdiers"
    assert told("finds no room", unit=0, name="Kadon") == "mage finds no room for Kadon"
    assert told("loses a level", unit=0, amount=1) == "mage loses a level and has level 1 left"
    assert told("loses a level", unit=0, amount=0) == "mage loses a level and is no wizard any more"
    assert set(RULES) == set(MISCASTS)


def test_options_say_who_casts_what_on_whom_with_what_chance() -> None:
    battle = scene()
    assert battle.decision.kind == "cast-by"
    assert sorted(words(battle).values()) == ["mage casts a spell", "no more magic"]
    battle.apply(next(action for action, name in words(battle).items() if name == "mage casts a spell"))
    if battle.decision.kind == "cast-spell":
        assert list(words(battle).values()) == ["Fireball (5+)"]
        battle.apply(battle.first_legal())
    assert list(words(battle).values()) == ["mage casts Fireball on halberdiers", "mage casts Fireball on spearmen"]
    battle.apply(battle.first_legal())
    assert list(words(battle).values())[:2] == [
        "mage casts Fireball on halberdiers with 1 die (needs 5+: 50%, a miscast 0%)",
        "mage casts Fireball on halberdiers with 2 dice (needs 5+: 92%, a miscast 4%)",
    ]
    assert battle.decision.kind == "spell-dice"
