"""Exact odds of rounds of close combat against rounds that are rolled."""

from __future__ import annotations

import ast
import json
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from programs_in_place import in_place
from scipy import stats

from wh_env import ContentError
from wh_env.content.wap.combat_odds import fight as fight_of
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.needed import to_hit, to_wound
from wh_env.rulesets.wap.view.odds import Odds, impact_hits, round_odds
from wh_env.rulesets.wap.view.odds_harm import TO_HIT, TO_WOUND, pass_chance
from wh_env.testing.wap import RegimentScene, fight, square

ROLLS = 2500  # of each pairing
RARE = 1e-4  # pairings of which none may fall below it: one in 500 runs of all 27 would, were the seeds not fixed
FLAIL, GREAT, SPEAR, SHIELD = (
    ["hand weapon", "flail"],
    ["hand weapon", "great weapon"],
    ["hand weapon", "spear (infantry)"],
    ["hand weapon", "shield"],
)
HORSE = {"m": 8, "ws": 3, "bs": 0, "s": 3, "t": 3, "w": 1, "i": 3, "a": 1, "ld": 5}
Units = tuple[Any, dict[str, Any]]

# who stands how against whom: card and fields of either, along their fronts
PAIRINGS: dict[str, tuple[Units, Units, float]] = {
    "alike": ((None, {"models": 10, "files": 5}), (None, {"models": 10, "files": 5}), 0),
    "one by one": ((None, {"models": 1, "files": 1}), (None, {"models": 1, "files": 1}), 0),
    "single ranks": ((square(i=4, a=2), {"models": 6, "files": 6}), (square(s=4), {"models": 7, "files": 7}), 0.5),
    "corners": ((square(i=5), {"models": 5, "files": 5}), (square(a=2), {"models": 12, "files": 4}), 4.0),
    "aside": ((square(s=4, a=2), {"models": 9, "files": 9}), (square(i=2, a=3), {"models": 8, "files": 4}), -3.3),
    "knights": (("knights", {"models": 5, "files": 5, "charging": 1}), ("spearmen", {"models": 15, "files": 5}), 0),
    "knights later": (("knights", {"models": 8, "files": 4, "rounds": 1}), ("warriors", {"models": 12, "files": 4, "rounds": 1}), 0),
    "led": (
        ("halberdiers", {"models": 12, "files": 6, "command": ["champion", "standard"]}), ("skulkers", {"models": 20, "files": 5}), 0,
    ),
    "champions": (
        (square(i=4), {"models": 3, "files": 3, "command": ["champion"]}),
        (square(champion={**square()["profile"], "ws": 6, "t": 5, "a": 3, "i": 5}), {"models": 4, "files": 4, "command": ["champion"]}), 0,
    ),
    "swords": (("swords", {"models": 10, "files": 5}), ("old guard", {"models": 10, "files": 5, "charging": 1}), 0),
    "boars": (("boars", {"models": 6, "files": 6, "charging": 1}), ("halberdiers", {"models": 20, "files": 10}), 0.2),
    "wolves": (("wolves", {"models": 5, "files": 5}), ("outriders", {"models": 5, "files": 5, "charging": 1}), 0.4),
    "two Wounds": ((square(w=2, a=2, i=4), {"models": 5, "files": 5}), (square(w=3, t=4), {"models": 4, "files": 4}), 0),
    "chariot": ((square(type="chariot", base_mm=[50, 100], s=5, w=4, t=5, a=3), {"models": 1, "files": 1, "charging": 1}), (None, {"models": 15, "files": 5}), 0),
    "hatred": ((square(rules=["Hatred"], equipment=FLAIL), {"models": 6, "files": 6}), (square(equipment=SHIELD), {"models": 9, "files": 5}), 0),
    "first": ((square(rules=["Always Strikes First"], i=5), {"models": 5, "files": 5}), (square(equipment=GREAT, i=4), {"models": 10, "files": 5}), 0),
    "last": ((square(rules=["Always Strikes Last"], i=2, a=2), {"models": 6, "files": 6}), (square(equipment=SPEAR), {"models": 15, "files": 5}), 0),
    "parry": ((square(equipment=[*SHIELD, "light armour"]), {"models": 10, "files": 5}), (square(ws=5, s=4), {"models": 5, "files": 5}), 0),
    "wards": ((square(rules=["Ward Save (5+)"], t=4), {"models": 6, "files": 6}), (square(a=2, equipment=GREAT), {"models": 5, "files": 5}), 0),
    "no skill": ((square(ws=0, t=2), {"models": 8, "files": 8}), (square(type="cavalry", mount=HORSE), {"models": 5, "files": 5, "charging": 1}), 0),
    "killers": ((square(rules=["Killing Blow"], s=4), {"models": 6, "files": 6}), (square(equipment=[*SHIELD, "heavy armour"], rules=["Ward Save (5+)"]), {"models": 9, "files": 5}), 0),
    "killers of ogres": (
        (square(rules=["Killing Blow", "Multiple Wounds (D3)"], s=4, a=2), {"models": 5, "files": 5}),
        (square(type="monstrous infantry", base_mm=[40, 40], w=3, a=2, rules=["Regeneration (4+)"], equipment=["hand weapon", "heavy armour"]), {"models": 3, "files": 3}), 0,
    ),
    "ether slain": ((square(rules=["Killing Blow", "Flaming Attacks"]), {"models": 6, "files": 6}), (square(rules=["Ward Save (5+)", "Regeneration (5+)", "Flammable"]), {"models": 6, "files": 6}), 0),
    "heroes of old": ((square(rules=["Heroic Killing Blow", "Multiple Wounds (2)"]), {"models": 6, "files": 6}), (square(type="swarm", base_mm=[40, 40], w=5, a=3), {"models": 3, "files": 3}), 0),
    "several Wounds": ((square(rules=["Multiple Wounds (D3)"], s=4), {"models": 6, "files": 6}), (square(w=3, a=2), {"models": 4, "files": 4}), 0),
    "at random": ((square(rules=["Random Attacks (D3)"], i=4), {"models": 5, "files": 5}), (square(rules=["Random Attacks (D6+1)"], equipment=["light armour"]), {"models": 3, "files": 3}), 0),
    "fire": ((square(rules=["Flaming Attacks"], s=4, i=5), {"models": 6, "files": 6}), (square(rules=["Flammable", "Regeneration (5+)"], t=5), {"models": 8, "files": 4}), 0),
    "lightning": ((square(rules=["Lightning Attacks", "Poisoned Attacks"]), {"models": 8, "files": 4}), (square(equipment=["heavy armour"], rules=["Natural Armour (6+)"]), {"models": 8, "files": 4}), 0),
    "ether": ((square(rules=["Magical Attacks"]), {"models": 8, "files": 4}), (square(rules=["Ethereal"]), {"models": 6, "files": 6}), 0),
    "dodgers": ((square(rules=["Dodge (5+)"]), {"models": 8, "files": 4}), (square(rules=["Always Strikes First"]), {"models": 6, "files": 6}), 0),
}  # fmt: skip


def standing(name: str, player: int = 0) -> tuple[Any, int, int]:
    """The battle of a pairing before its round; which player's the first unit is."""
    (card, fields), (other, others), along = PAIRINGS[name]
    scene = RegimentScene()
    first = scene.unit(player, card, (24, 24), facing=1.5707963267948966, **fields)
    second = scene.beside(first, 1 - player, other, along=along, **others)
    battle = scene.battle("combat", run=False)
    battle.recorder = None
    return battle, first.row, second.row


def rolled(name: str, rolls: int, shape: tuple[int, ...]) -> Array:
    """How often the first unit lost so many wounds and the second so many."""
    battle, first, second = standing(name)
    found = np.zeros(shape)
    rows = battle.models.rows
    table = battle.clone()
    for seed in range(rolls):
        table.copy_from(battle, seed=seed)
        fight(table, first)
        assert table.decision is None
        left = np.bincount(table.models.rows["unit"], weights=table.models.rows["wounds"], minlength=2)
        found[tuple(np.array(shape) - 1 - left[[first, second]].astype(int))] += 1
    assert rows["wounds"].sum() == sum(shape) - 2
    return found


def chi_square(counts: Array, expected: Array) -> float:
    """P value; cells with an expectation below 5 are taken together."""
    assert counts[expected == 0].sum() == 0
    common = expected * counts.sum() >= 5
    seen = np.append(counts[common], counts[~common].sum())
    told = np.append(expected[common], expected[~common].sum()) * counts.sum()
    if told[-1] < 5:
        at = int(told[:-1].argmin())
        seen, told = (
            np.append(np.delete(seen[:-1], at), seen[at] + seen[-1]),
            np.append(np.delete(told[:-1], at), told[at] + told[-1]),
        )
    return float(stats.chisquare(seen, told * seen.sum() / told.sum()).pvalue) if len(seen) > 1 else 1.0


@pytest.mark.parametrize("name", PAIRINGS)
def test_rounds_are_rolled_as_the_odds_say(name: str) -> None:
    battle, first, second = standing(name)
    odds = round_odds(battle, first, second)
    assert odds.lost.sum() == pytest.approx(1.0)
    assert chi_square(rolled(name, ROLLS, odds.lost.shape), odds.lost) > RARE


@pytest.mark.parametrize("name", ["knights", "single ranks", "aside", "champions", "led"])
def test_swapped_players_have_the_same_odds(name: str) -> None:
    battle, first, second = standing(name)
    swapped, other_first, other_second = standing(name, player=1)
    there = round_odds(swapped, other_first, other_second)
    assert np.allclose(round_odds(battle, first, second).lost, there.lost)
    assert np.allclose(round_odds(battle, second, first).lost.T, there.lost)


def test_a_false_number_is_found_out() -> None:
    """Had the second unit one Attack more, the same dice would not fit."""
    battle, first, second = standing("alike")
    battle.lines.a[battle.units.first_line[second]] += 1
    odds = round_odds(battle, first, second)
    assert chi_square(rolled("alike", ROLLS, odds.lost.shape), odds.lost) < RARE


def test_one_against_one_by_hand() -> None:
    """A quarter of blows kill; both strike together."""
    battle, first, second = standing("one by one")
    assert np.allclose(round_odds(battle, first, second).lost, np.outer([0.75, 0.25], [0.75, 0.25]))


def read_modules(name: str) -> set[str]:
    """The modules of the package that one of its modules imports."""
    spec = find_spec(name)
    assert spec is not None and spec.origin is not None
    tree = ast.parse(Path(spec.origin).read_text())
    return {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module is not None}


def test_odds_use_nothing_that_carries_out_blows_in_battle() -> None:
    """What they read is the state, what models strike with, and what they wear."""
    known = read_modules("wh_env.rulesets.wap.view.odds") | read_modules("wh_env.rulesets.wap.view.odds_harm")
    here = {module.removeprefix("wh_env.rulesets.wap.") for module in known if "rulesets.wap" in module}
    read = {
        "auras",
        "changed_dice",
        "contacts",
        "dice",
        "dice_changes",
        "immunity",
        "profiles",
        "rerolls",
        "special_rules",
        "spoiled_wards",
        "stomps",
    }
    assert {name for name in here if not name.startswith("basics.")} == {
        "codes", "rule_book", "troops.war_machines", "view.odds_harm", "weapons.blows", "weapons.hit", "weapons.saves",
    }  # fmt: skip
    assert {name.removeprefix("basics.") for name in here if name.startswith("basics.")} == read


@pytest.mark.rule("wap.combat.hit.table", "wap.combat.wound.table")
def test_tables_are_those_that_battles_use() -> None:
    for own, theirs in product(range(1, 11), repeat=2):
        assert int(TO_HIT[own - 1][theirs - 1]) == to_hit(own, theirs)
        assert int(TO_WOUND[own - 1][theirs - 1]) == to_wound(own, theirs)


@pytest.mark.rule("wap.special.killing-blow.types", "wap.special.multiple-wounds")
@pytest.mark.parametrize("player", [0, 1])
def test_a_killing_blow_on_ogres_by_hand(player: int) -> None:
    """Of a blow that hits on 4+ a 6 to wound takes two of the three Wounds, without the armour save of 3+; so does a 4
    or a 5 that fails to be saved."""
    scene = RegimentScene()
    rules = ["Killing Blow", "Multiple Wounds (2)"]
    one = scene.unit(player, square(rules=rules, i=9), (24, 24), models=1)
    card = square(type="monstrous infantry", base_mm=[40, 40], w=3, a=0, equipment=["hand weapon", "full plate armour"])
    other = scene.beside(one, 1 - player, card, models=1)
    lost = round_odds(scene.battle("combat", run=False), one.row, other.row).lost[0]
    expected = 1 / 2 * (1 / 6 + 2 / 6 * 1 / 3)
    assert lost == pytest.approx([1 - expected, 0, expected, 0])


def test_pieces_of_the_odds() -> None:
    assert pass_chance(4) == 0.5 and pass_chance(4, failed=True) == 0.75 and pass_chance(4, passed=True) == 0.25
    assert pass_chance(7) == pytest.approx(1 / 6) and pass_chance(1) == pytest.approx(5 / 6)
    assert impact_hits(2, (0, 6, 1)) == {2: 1.0}
    assert impact_hits(2, (1, 6, 1))[4] == pytest.approx(1 / 36)
    assert Odds(np.array([[0.5, 0.2], [0.2, 0.1]]), (1, 1)).leads == pytest.approx((0.2, 0.6, 0.2))


def test_only_two_units_front_to_front_have_odds() -> None:
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 24), models=5)
    b = scene.beside(a, 1, side=1, models=5)
    with pytest.raises(ValueError, match="front to front"):
        round_odds(scene.battle("combat", run=False), a.row, b.row)


def test_units_by_name() -> None:
    """Of five knights that have charged: 5 impact hits at Strength 3, 5 lances at 5, 5 horses at 3, on an armour save of 5+."""
    found = fight_of("knights", "spearmen", models=(5, 20), charged=True)
    assert found.odds.means[1] == pytest.approx(5 * (1 / 2 * 2 / 3 + 2 / 3 * 5 / 6 + 1 / 2 * 1 / 2 * 2 / 3))
    assert found.files == (5, 5) and found.odds.models(1).sum() == pytest.approx(1.0)
    later = fight_of("knights", "spearmen", models=(5, 20), later=True)
    assert later.odds.means[1] < 0.5 * found.odds.means[1]


@pytest.mark.parametrize(
    ("first", "fields", "problem"),
    [("nights", {}, "card"), ("knights", {"models": (50, 20)}, "models"), ("knights", {"files": (9, None)}, "files")],
)
def test_units_that_there_are_not(first: str, fields: dict[str, Any], problem: str) -> None:
    with pytest.raises(ContentError, match=problem):
        fight_of(first, "spearmen", **fields)


def test_the_program_tells_both_sides() -> None:
    done = in_place("odds.py", "knights", "spearmen", "--ruleset", "wap", "--models", "20", "--charged", "--json")
    told = json.loads(done.stdout)
    assert done.returncode == 0, done.stderr
    assert told["units"] == ["knights", "spearmen"] and told["models"] == [5, 20]
    assert np.array(told["lost"]).sum() == pytest.approx(1.0)
    plain = in_place("odds.py", "knights", "spearmen", "--ruleset", "wap")
    assert "models lost by spearmen" in plain.stdout
    for options, words in ((["--cover"], "--cover: means nothing"), (["--attackers", "4"], "models")):
        wrong = in_place("odds.py", "knights", "spearmen", "--ruleset", "wap", *options)
        assert wrong.returncode != 0 and words in wrong.stderr
