"""The table of games: which one a battle is of, what each hands over, other editions with the same files."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest

from wh_env import Battle, ContentError
from wh_env.agents.invariants import soak
from wh_env.content import games, w10
from wh_env.content.games import GAMES, duel, game_named, game_of, random_battle
from wh_env.content.w40k.rules import checked_rules, rolls_of
from wh_env.rulesets.w10.numbers import CORE_RULES
from wh_env.rulesets.w10.ruleset import TENTH_EDITION, TenthEdition
from wh_env.rulesets.w40k.ability.common_effects import COMMON
from wh_env.testing import Scene, sheet, words


class Shorter(TenthEdition):
    """The 10th edition with fewer effects of rules."""

    effects: Mapping[str, object] = MappingProxyType(dict(COMMON))  # type: ignore[assignment]


def fault(call, *args, **options) -> ContentError:
    with pytest.raises(ContentError) as caught:
        call(*args, **options)
    return caught.value


def test_a_battle_says_which_game_it_is_of():
    assert game_of("w10/only-war-skirmish") is GAMES["w10"]
    assert game_of("epic/bridgehead") is game_named("epic")
    assert game_of({"ruleset": "epic"}, {"ruleset": "w10"}) is GAMES["w10"]


@pytest.mark.parametrize("raw", [{}, {"ruleset": None}, {"ruleset": "chess"}, {"ruleset": ["w10"]}])
def test_no_ruleset_is_taken_for_another(raw):
    error = fault(game_of, raw)
    assert (error.file, error.field, error.expected) == ("<battle>", "ruleset", "one of epic, w10, w8, w9, wap")
    assert fault(Battle.load, raw).field == "ruleset"


def test_what_a_game_does_not_hand_over_is_an_error_that_says_who_does(monkeypatch):
    monkeypatch.setattr(games, "GAMES", {**GAMES, "wap": replace(GAMES["wap"], random_battle=None)})
    assert fault(random_battle, "wap", "patrol", np.random.default_rng(0)).expected == "one of epic, w10, w8, w9"
    assert fault(duel, "epic", "Boy", "Boy").expected == "one of w10, w8, w9"
    assert fault(game_named, "w11").expected.startswith("one of epic, w10, w8, w9")
    error = fault(Battle.load, "epic/bridgehead", 1, missions=("a", "b"))
    assert (error.field, error.expected) == ("missions", "none: players propose no missions in epic")


def test_a_file_of_another_game_is_refused():
    assert fault(w10.load_battle, "epic/bridgehead").field
    assert "only-war" in fault(w10.load_mission, "no-such-mission").expected
    assert fault(w10.load_battle, "w10/only-war-skirmish", {"ruleset": "epic"}).expected == "one of w10"


def test_an_edition_that_is_fielded_as_the_10th_reads_its_files():
    """The Setup differs in nothing but the edition, which plays on; the 10th edition beside it stays as it is."""
    edition = Shorter()
    game = w10.fielded_alike(edition)
    setup = game.compile(game.load("w10/only-war-skirmish", None), None, None)
    tenth = Battle.load("w10/only-war-skirmish", 1).setup
    assert (setup.ruleset, tenth.ruleset) == (edition, TENTH_EDITION)
    assert setup.template.tobytes() == tenth.template.tobytes()
    assert setup.blocks.tobytes() == tenth.blocks.tobytes()
    assert setup.source == tenth.source
    assert soak(Battle(setup, 3), 3, every=50, legal_sample=2)[1] == []
    disputes = [{"name": "case", "outcomes": [{"name": "points", "effect": "cp"}]}]
    error = fault(game.compile, game.load("w10/only-war-skirmish", None), {"disputes": disputes}, None)
    assert error.field == "rules.disputes[0].outcomes[0].effect"
    assert error.expected == "one of " + ", ".join(edition.effects)
    assert Battle.load("w10/only-war-skirmish", 1, rules={"disputes": disputes}).decision is not None


def test_rolls_that_may_be_made_again_are_those_of_the_edition():
    assert "battle-shock" in rolls_of(TENTH_EDITION)
    error = fault(checked_rules, TENTH_EDITION, CORE_RULES, {"rerolls": [{"player": 0, "roll": "luck"}]})
    assert (error.field, error.expected) == ("rules.rerolls[0].roll", "one of " + ", ".join(rolls_of(TENTH_EDITION)))


def test_a_scene_is_played_by_the_edition_that_it_is_given():
    edition = Shorter()
    scene = Scene(edition=edition)
    scene.unit(0, sheet("Mine"), at=(10, 10))
    scene.unit(1, sheet("Theirs"), at=(30, 30))
    battle = scene.battle("movement")
    assert battle.setup.ruleset is edition
    assert words(battle)


def test_a_duel_counts_who_carries_a_weapon():
    found = duel("w10", "Intercessor Squad", "Termagants", 20)
    assert (found.attacker, found.target) == ("Intercessor Squad", "Termagants")
    assert found.weapons["Bolt rifle"] == 5
    assert len(found.setup.names["models"]) == 1 + 20
    assert fault(duel, "w10", "Intercessor Squad", "Termagants", 3).expected == "10 to 20 for Termagants"


def test_a_battle_imports_its_own_game_alone():
    """The first decision would else wait for the rules of four other games."""
    code = (
        "import sys; from wh_env import Battle; Battle.load('epic/bridgehead', 1); "
        "print(*sorted({name.split('.')[2] for name in sys.modules if name.startswith('wh_env.rulesets.')}))"
    )
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert "epic" in found
    assert not {"w10", "w9", "w8", "wap", "w40k"} & set(found)
