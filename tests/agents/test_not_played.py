"""What is declared and not played is told by name wherever a battle, a match-up or a tournament is reported."""

from __future__ import annotations

import json

from programs_in_place import in_place

from wh_env import Battle
from wh_env.agents.not_played import in_words, not_played

SKIRMISH = "w10/only-war-skirmish"


def test_army_rules_detachments_enhancements_and_abilities():
    found = not_played([SKIRMISH])
    assert list(Battle.load(SKIRMISH, 0).setup.inactive) == found
    assert {"Gladius Task Force: Only in Death Does Duty End", "Invasion Fleet: Death Frenzy"} <= set(found)
    assert "Terminator Squad: Teleport Homer" in found
    assert "epic" not in " ".join(not_played(["epic/bridgehead"])) and not_played(["w10/nowhere"]) == []


def test_armies_in_place_of_the_battle_s():
    mirror = not_played([SKIRMISH], [("tyranids-skirmish", "tyranids-skirmish")])
    assert "Invasion Fleet: Death Frenzy" in mirror and not any(line.startswith("Gladius") for line in mirror)


def test_in_words():
    assert in_words(["A: x", "B: y", "A: z"]) == "Not played (3): A: x, z; B: y."
    assert in_words([]) == ""


def test_programs_tell_it(played_beside):
    game = in_place("play.py", "--battle", SKIRMISH, "--agents", "random", "random", "--quiet")
    assert "Not played (" in game.stderr and "Invasion Fleet: Hive Predators, Death Frenzy" in game.stderr
    told = json.loads(in_place("play.py", "--battle", SKIRMISH, "--agents", "random", "random", "--json").stdout)
    assert "Invasion Fleet: Death Frenzy" in told["not_played"]
    options = ["--pilot", "random", "--max-games", "2", "--processes", "1", "--quiet"]
    assert "Not played (" in in_place("matchup.py", "--battle", SKIRMISH, *options).stdout
    assert json.loads(in_place("matchup.py", "--battle", SKIRMISH, *options, "--json").stdout)["not_played"]
    assert (
        "Not played"
        not in in_place("play.py", "--battle", "epic/bridgehead", "--agents", "random", "random", "--quiet").stderr
    )


def test_the_report_of_a_tournament_tells_it(played_beside, tmp_path):
    games = ["--agents", "random", "greedy", "--battles", SKIRMISH, "--games", "2", "--processes", "1", "--quiet"]
    done = in_place("tournament.py", *games, "--out", tmp_path)
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "What is not played" in text and "Invasion Fleet: Hive Predators, Death Frenzy" in text
