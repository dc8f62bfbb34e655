"""Rules that a call overrides: each has a type, a range, choices or a schema, and nothing else enters (``Battle.load(..., rules=...)``)."""

from __future__ import annotations

from typing import Any

import pytest

from wh_env import Battle
from wh_env.content.errors import ContentError
from wh_env.content.games import GAMES
from wh_env.content.w8.rules import OWN_RULES as EIGHTH_RULES
from wh_env.content.w9.rules import OWN_RULES
from wh_env.content.w40k.rules import CHOICES, NO_RULES, RANGES, ROWS
from wh_env.rulesets.w40k.edition import Edition

SMALL = {"w8": "w8/only-war-skirmish", "w9": "w9/only-war-patrol", "w10": "w10/only-war-skirmish"}
OWN = {"w8": EIGHTH_RULES, "w9": OWN_RULES, "w10": NO_RULES}
PLAYED_FROM_STATE = {"stratagems"}  # checked by the names of the edition's book


@pytest.mark.parametrize("ruleset", sorted(SMALL))
def test_every_rule_of_an_edition_says_what_it_may_be(ruleset: str) -> None:
    edition = GAMES[ruleset].ruleset
    assert isinstance(edition, Edition)
    own = OWN[ruleset]
    for name, value in edition.core_rules.items():
        if isinstance(value, bool):
            continue
        if isinstance(value, str):
            assert name in {**CHOICES, **own.choices}, name
        elif isinstance(value, int | float):
            assert name in {**RANGES, **own.values}, name
        else:
            assert name in {**ROWS, **own.rows, **own.values} or name in PLAYED_FROM_STATE, name
    assert {*own.rows, *own.values, *own.choices} <= edition.core_rules.keys()


@pytest.mark.parametrize(
    ("ruleset", "rules", "field"),
    [
        ("w9", {"stationary": [{"unit": 999, "phases": ["shooting"]}]}, "stationary[0].unit"),
        ("w9", {"stationary": [{"unit": 0}]}, "stationary[0].phases"),
        ("w9", {"stationary": [{"unit": 0, "phases": ["moving"]}]}, "stationary[0].phases[0]"),
        ("w9", {"when_stationary": [{"unit": 0, "effect": "flies"}]}, "when_stationary[0].effect"),
        ("w9", {"leaves_after_move": [-1]}, "leaves_after_move[0]"),
        ("w9", {"leaves_after_move": [60]}, "leaves_after_move[0]"),
        ("w9", {"faction_stratagems": [{"name": "A"}]}, "faction_stratagems[0].faction"),
        ("w9", {"secondaries": [["quarters"], ["thirds"]]}, "secondaries[1][0]"),
        ("w9", {"secondaries": [["quarters"]]}, "secondaries"),
        ("w9", {"battle_forged": [1, 2]}, "battle_forged[0]"),
        ("w9", {"cp_at_start": [-1, 2]}, "cp_at_start[0]"),
        ("w9", {"crusade": 1}, "crusade"),
        ("w9", {"primary": "all"}, "primary"),
        ("w9", {"vp_each_quarter": -1}, "vp_each_quarter"),
        ("w9", {"moved": [{"unit": 0, "inches": 3, "effect": "cp"}]}, "moved[0].amount"),
        ("w9", {"moved": [{"unit": 0, "inches": 3, "effect": "nothing", "amount": 1}]}, "moved[0].effect"),
        ("w9", {"moved": [{"unit": 0, "inches": 3, "effect": "cp", "amount": 1, "on": 77}]}, "moved[0].on"),
        ("w9", {"moved": [{"unit": 0, "inches": 3, "effect": "mortal", "amount": "D4"}]}, "moved[0].amount"),
        ("w9", {"moved": [{"unit": 0, "inches": 3, "effect": "mortal", "amount": 1, "on": "beside"}]}, "moved[0].on"),
        ("w9", {"control": [{"effect": "Objective Secured"}]}, "control[0].keyword"),
        (
            "w9",
            {"control": [{"effect": "Objective Secured", "keyword": "INFANTRY", "if_all": None}]},
            "control[0].if_all",
        ),
        ("w9", {"stratagem_costs": [{"operation": "add", "amount": 1}]}, "stratagem_costs[0]"),
        (
            "w9",
            {"stratagem_costs": [{"stratagem": "fire-overwatch", "operation": "divide", "amount": 0}]},
            "stratagem_costs[0].amount",
        ),
        ("w9", {"disputes": [{"name": "A", "outcomes": [{"name": "B", "effect": "cp", "unit": 50}]}]}, "disputes[0]"),
        ("w10", {"disputes": [{"name": "A", "outcomes": [{"name": "B", "effect": "cp", "unit": 50}]}]}, "disputes[0]"),
        ("w10", {"rerolls": [{"player": 0, "roll": "hit", "unit": 60}]}, "rerolls[0].unit"),
        ("w10", {"primary": "each marker"}, "primary"),
        ("w8", {"primary": 4}, "primary"),
        ("w8", {"division": 4}, "division"),
        ("w8", {"warlords": "nobody"}, "warlords"),
        ("w8", {"stationary": []}, "stationary"),
        ("w10", {"stationary": []}, "stationary"),
    ],
)
def test_what_does_not_fit_is_an_error_of_its_field(ruleset: str, rules: dict[str, Any], field: str) -> None:
    with pytest.raises(ContentError) as caught:
        Battle.load(SMALL[ruleset], 1, rules=rules)
    assert caught.value.field.startswith(f"rules.{field}")


@pytest.mark.parametrize(
    "rules",
    [
        {"stationary": [{"unit": 0, "phases": ["shooting", "charge"]}], "leaves_after_move": [0, 8]},
        {"secondaries": [["quarters", "while-we-stand"], []], "primary": "conditions", "crusade": True},
        {"moved": [{"unit": 0, "inches": 3, "effect": "cp", "amount": 1}]},
        {"moved": [{"unit": 0, "inches": 3, "effect": "mortal", "amount": "D3", "on": "moved over"}]},
        {"control": [{"effect": "Objective Secured", "keyword": "INFANTRY", "if_all": {"keyword": "TYRANIDS", "except": []}}]},
        {"stratagem_costs": [{"stratagem": "fire-overwatch", "operation": "add", "amount": 1, "player": 1}]},
    ],
)  # fmt: skip
def test_what_fits_is_played(rules: dict[str, Any]) -> None:
    battle = Battle.load(SMALL["w9"], 3, rules=rules)
    for _ in range(40):
        battle.apply(battle.first_legal())
    assert battle.setup.rules[next(iter(rules))]
