"""States that differ look different: the aliasing audit for each ruleset, and the columns that observations once
hid.
"""

from __future__ import annotations

import numpy as np
import pytest

from scripts.aliasing import shown, split
from wh_env import Battle
from wh_env.agents.aliasing import Audit, Finding, audit, battles_of, changeable, rows_in_use
from wh_env.core.tables import ON_TABLE
from wh_env.envs.observation import Observer
from wh_env.envs.registry import rulesets
from wh_env.rulesets.w40k.view.observe import EditionFeatures

POSITIONS = 4  # of each battle; `scripts/aliasing.py` examines more


@pytest.mark.parametrize("ruleset", rulesets())
def test_no_column_is_hidden_without_a_reason(ruleset: str) -> None:
    found = audit(battles_of(ruleset)[:2], seed=11, positions=POSITIONS, horizon=40, progress=lambda done: None)
    assert len(found) > 20 and sum(one.seen for one in found) > 50
    assert not [(one.name, one.examples[0]) for one in found if one.aliased and not one.reason]


def both(battle: Battle) -> list[np.ndarray]:
    return [Observer(battle.setup).observe(battle, seat).copy() for seat in (0, 1)]


def differs(battle: Battle, table: str, column: str, row: int, value: float) -> bool:
    """Whether both seats see that a number is another."""
    before, other = both(battle), battle.clone()
    view = other.setup.layout.view(other.buffer, table)
    (view[column] if column else view.reshape(-1))[row] = value
    return all(not np.array_equal(a, b) for a, b in zip(before, both(other), strict=True))


def at_round(name: str, battle_round: int = 1) -> Battle:
    """The battle at the first decision of a round."""
    battle = Battle.load(name, 1)
    while battle.clock.round[0] < battle_round:
        battle.apply(battle.first_legal())
    return battle


def standing(battle: Battle) -> int:
    return int(np.flatnonzero(battle.units.rows["place"] == ON_TABLE)[0])


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("ruleset", ["w10", "w9", "w8"])
def test_used_stratagems_and_secured_markers_are_seen(ruleset: str, player: int) -> None:
    battle = at_round({"w10": "w10/only-war-skirmish", "w9": "w9/only-war-patrol"}.get(ruleset, "w8/only-war-skirmish"))
    for column in ("used", "used_turn", "used_battle", "secured"):
        assert differs(battle, "players", column, player, 1), column


@pytest.mark.parametrize("ruleset", ["w10/only-war-incursion", "w9/only-war-patrol"])
def test_marks_and_declared_attacks_are_seen(ruleset: str) -> None:
    battle = at_round(ruleset)
    unit = standing(battle)
    for bit in (0, 3, 6, 8):
        assert differs(battle, "units", "marks", unit, 1 << bit)
    jobs = battle.setup.layout.view(battle.buffer, "jobs")
    jobs["target"][0], jobs["attacks"][0] = unit, 3
    assert differs(battle, "jobs", "attacks", 0, 4)
    strong = int(np.argmax(battle.setup.statics["weapons"]["damage_plus"]))
    assert differs(battle, "jobs", "weapon", 0, strong)


@pytest.mark.parametrize("battle", ["w9/random-patrol?seed=4", "w8/random-skirmish?seed=5"])
def test_powers_of_psykers_are_seen(battle: str) -> None:
    game = at_round(battle)
    unit = next(iter(game.setup.statics["psychic_profiles"]))
    for number in range(len(game.setup.statics["psychic_powers"])):
        assert differs(game, "psyche", "under", unit, 1 << number)


def test_regiments_in_the_middle_of_things_are_seen() -> None:
    battle = at_round("wap/open-heroes")
    unit = standing(battle)
    row = battle.units.rows[unit]
    row["pfiles"] = row["files"]
    for column, value in (
        ("px", row["px"] + 1), ("py", row["py"] + 1), ("pf", row["pf"] + 1), ("pfiles", row["pfiles"] + 1),
        ("spent", 3), ("facing", row["facing"] + 1), ("due", 1), ("steeled", 1), ("outcome", 2), ("intent", 1),
        ("answered", 1), ("rolled", 7), ("dealt", 3), ("weapon", 2), ("lost_rules", 1), ("gained_rules", 1),
        ("disgraced", 1), ("cowers", 1), ("braked", 1), ("fought", 1), ("fighting", 1),
    ):  # fmt: skip
        assert differs(battle, "units", column, unit, value), column
    for player in (0, 1):
        assert differs(battle, "players", "standards", player, 2)
    assert differs(battle, "clock", "finished", 0, 1 - battle.clock.finished[0])


def test_whose_turn_it_is_to_set_up_is_seen_in_epic() -> None:
    battle = Battle.load("epic/bridgehead", 1)
    for column in ("turn", "first_player"):
        assert differs(battle, "clock", column, 0, 1 - getattr(battle.clock, column)[0])


def test_the_audit_finds_a_column_that_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = EditionFeatures.fill

    def fill(self, g, seat, tables, view, out):
        whole(self, g, seat, tables, view, out)
        out[view[0]["globals"] : view[0]["globals"] + 2] = 0.0

    monkeypatch.setattr(EditionFeatures, "fill", fill)  # Command points are not shown
    found = audit(battles_of("w10")[:1], seed=3, positions=12, horizon=60, progress=lambda done: None)
    hidden = {one.name: one for one in found}["players.cp"]
    assert hidden.aliased and not hidden.seen and "players.cp" not in hidden.examples[0]
    assert "decisions" in hidden.examples[0]


def test_places_are_changed_only_of_what_stands_on_the_table() -> None:
    battle = Battle.load("w10/only-war-incursion", 1)
    for cell, numbers, bounds in changeable(battle):
        assert not bounds.fixed
        rows = rows_in_use(battle, cell, numbers)
        if cell == ("models", "x"):
            assert set(rows) == set(np.flatnonzero(battle.models.rows["on_table"]))
        if cell == ("units", "moved"):
            assert len(rows) == len(battle.units.rows)


def test_findings_tell_what_they_are() -> None:
    assert Finding("units", "marks").name == "units.marks" and Finding("queue", "").name == "queue"
    assert not Finding("queue", "", seen=3).aliased and Finding("queue", "", examples=["so"]).aliased
    assert Audit(seed=2).findings == {}


def test_the_program_reads_details_and_shows_findings() -> None:
    assert split("w10/only-war:full") == ("w10/only-war", "full")
    assert split("w10/random-skirmish?seed=2") == ("w10/random-skirmish?seed=2", None)
    assert shown("w10", [Finding("queue", "", "because", 3, 1, 2)]).row_count == 1
