"""The words of spells on single models and of numbers that depend on the target: as in the catalogue, or refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from lore_hits import PLAYERS, Field, wizard
from wizards import TRIAL

from wh_env import ContentError
from wh_env.content.load import names
from wh_env.content.wap.schema_magic import SpellRow
from wh_env.content.wap.spells import load_lore, spell_of
from wh_env.rulesets.wap.basics.dice import number_of
from wh_env.rulesets.wap.rule_book import BOOK, DAEMONIC, UNDEAD, VAMPIRIC
from wh_env.rulesets.wap.view.odds_harm import number_chances
from wh_env.testing import dice_left, told

CATALOGUE = Path(__file__).resolve().parents[3] / "docs" / "rules" / "wap-4-magic.yaml"
SPELL: dict[str, Any] = {
    "name": "Trial", "rule": "wap.lore.trial", "number": 0, "cast": 5, "type": "direct-damage", "range": 12,
    "target": "enemy-unit", "duration": "instant",
}  # fmt: skip


def tables() -> dict[str, dict[str, Any]]:
    """The tables of the spells of the catalogue, by rule."""
    rules = yaml.safe_load(CATALOGUE.read_text(encoding="utf-8"))["rules"]
    return {rule["id"]: rule["table"] for rule in rules if "number" in rule.get("table", {})}


@pytest.mark.parametrize("lore", names("lores", "wap"))
def test_spells_are_written_as_in_the_catalogue(lore: str) -> None:
    known = tables()
    for row in load_lore(lore).spells:
        told = row.model_dump(mode="json")
        table = {"boosts": [], **known[row.rule]}
        assert {key: told[key] for key in table} == table, row.name


def read(effects: list[dict[str, Any]], **fields: Any) -> None:
    """Read a spell with these effects."""
    spell_of(SpellRow.model_validate({**SPELL, **fields, "effects": effects}), 0, "trial", "spells[0]")


@pytest.mark.parametrize(
    "effect",
    [
        {"hits": "D6", "s": 4, "versus": {"elven": {"hits": "2D6"}}},
        {"hits": "D6", "s": 4, "versus": {"undead": {"hits": "2D6", "s": 5}}},
        {"hits": "D6", "s": 4, "if_within_3_of_forest": {"s": 5}},
        {"hits": "D3", "s": 4, "per": "model"},
        {"hits": "D6", "s": 6, "wounds": "D3", "rules": ["penetrates-ranks"]},
        {"hits": "D6", "s": 6, "rules": ["penetrates-ranks"]},
        {"hits": "D6", "s": 6, "wounds": "D3", "rules": ["freezes"]},
        {"contest": {"roll": "D6", "add": "S"}, "wounds": "caster-excess"},
        {"if": "dies", "grant": ["stupidity"], "duration": "game"},
        {"if": "survives", "grant": ["folly"], "duration": "game"},
        {"each": "rank", "roll": 5, "wounds": "D3"},
        {"each": "model-in-unit", "roll": 5, "wounds": "D3", "deny": ["ward"]},
        {"each": "model-in-unit", "test": "S", "fail": {"wounds": "D3", "flees": True}},
        {"trigger": "start-of-enemy-turn", "scope": "all", "test": "stupidity"},
        {"chain": {"roll": 3, "within": 6, "once_per_unit": True}},
        {"stat": "S", "by": 3, "scope": "horse"},
        {"hits": "2D6-target-I", "wound_on": 4},
    ],
)
def test_words_that_cannot_be_played_are_refused(effect: dict[str, Any]) -> None:
    with pytest.raises(ContentError):
        read([effect], duration="next-magic-phase" if "stat" in effect else "instant")


def test_kinds_of_the_unliving_are_special_rules() -> None:
    assert {BOOK.by_name[name] for name in ("Daemonic", "Undead", "Vampiric")} == {DAEMONIC, UNDEAD, VAMPIRIC}


# ---------------------------------------------------------------- multiplied dice


def multiple(folder: Path, hits: str) -> str:
    """A lore of these tests whose missile causes so many hits; returns its path."""
    raw = yaml.safe_load(Path(TRIAL).read_text(encoding="utf-8"))
    spark = next(row for row in raw["spells"] if row["name"] == "Spark")
    spark.update(effects=[{"hits": hits, "s": 1}], boosts=[])
    path = folder / "multiple.yaml"
    path.write_text(yaml.safe_dump(raw), encoding="utf-8")
    return str(path)


@pytest.mark.rule("wap.core.dice.multiply")
@PLAYERS
@pytest.mark.parametrize(("die", "hits"), [(4, 20), (1, 5), (6, 30)])
def test_the_score_of_one_die_is_multiplied(player: int, die: int, hits: int, tmp_path: Path) -> None:
    """1D6x5: one die is rolled, not five; then come the dice to wound."""
    field = Field(player, wizard(multiple(tmp_path, "1D6x5"), 0))
    foe = field.enemy(models=20)
    battle = field.battle()
    field.cast(battle, "Spark", foe, then=(die, *(1,) * hits))
    assert [event["amount"] for event in told(battle, "wap.magic.type.missile") if "amount" in event] == [hits]
    (rolled,) = told(battle, "wap.shoot.wound.roll")
    assert (rolled["amount"], len(rolled["rolls"])) == (hits, hits) and dice_left(battle) == 0


@pytest.mark.rule("wap.core.dice.multiply")
@pytest.mark.parametrize(
    ("words", "number"), [("D6x5", (1, 6, 0, 5)), ("1D6x5", (1, 6, 0, 5)), ("D3x2", (1, 3, 0, 2)), ("D6+1", (1, 6, 1))]
)
def test_multiples_are_read(words: str, number: tuple[int, ...]) -> None:
    assert number_of(words) == number
    chances = number_chances(number_of(words))
    times = number[3] if len(number) == 4 else 1
    assert sorted(chances) == [times * n + number[2] for n in range(1, number[1] + 1)]
    assert sum(chances.values()) == pytest.approx(1.0)


@pytest.mark.parametrize("words", ["2D6x5", "D6x", "D6x5+1", "D6x0"])
def test_one_die_alone_is_multiplied(words: str, tmp_path: Path) -> None:
    with pytest.raises(ContentError, match="D6x5"):
        Field(0, wizard(multiple(tmp_path, words), 0)).battle()
