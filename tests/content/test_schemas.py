"""JSON Schemas for editors: what is shipped fits them, what is misspelt does not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator
from programs_in_place import in_place

from wh_env import ContentError
from wh_env.content.editor import schema_of
from wh_env.content.games import GAMES
from wh_env.content.load import config_root

KINDS = [(ruleset, kind) for ruleset, game in GAMES.items() for kind in game.schemas]


OPTIONAL = "suites"  # a kind of which a ruleset may include no file


def files(ruleset: str, kind: str) -> list[Path]:
    return sorted((config_root() / ruleset / kind).rglob("*.yaml"))


@pytest.mark.parametrize(("ruleset", "kind"), KINDS)
def test_shipped_files_fit(ruleset, kind):
    schema = schema_of(ruleset, kind)
    Draft202012Validator.check_schema(schema)
    check = Draft202012Validator(schema)
    assert files(ruleset, kind) or kind == OPTIONAL
    for file in files(ruleset, kind):
        faults = [error.message for error in check.iter_errors(yaml.safe_load(file.read_text(encoding="utf-8")))]
        assert faults == [], file


def test_every_folder_of_content_has_a_schema():
    for ruleset in GAMES:
        found = {path.name for path in (config_root() / ruleset).iterdir() if path.is_dir()}
        assert found | {OPTIONAL} == set(GAMES[ruleset].schemas)


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("armies", {"unitz": []}),
        ("armies", {"units": [{"datasheet": "Captain", "warlrd": True}]}),
        ("armies", {"units": []}),
        ("armies", {"name": 5}),
        ("battles", {"detail": "some"}),
        ("battles", {"armies": ["one"]}),
    ],
)
def test_what_is_misspelt_does_not(kind, change):
    check = Draft202012Validator(schema_of("w10", kind))
    good: dict[str, Any] = yaml.safe_load(files("w10", kind)[0].read_text(encoding="utf-8"))
    assert check.is_valid(good) and not check.is_valid({**good, **change})


def test_what_there_is_no_schema_of():
    with pytest.raises(ContentError, match="one of armies, battlefields"):
        schema_of("epic", "missions")


def test_the_program_writes_them(tmp_path):
    done = in_place("schemas.py", "--into", tmp_path, "--ruleset", "w10")
    assert done.returncode == 0 and f"{len(GAMES['w10'].schemas)} schemas" in done.stdout
    told = json.loads((tmp_path / "w10" / "armies.json").read_text(encoding="utf-8"))
    assert told == json.loads(json.dumps(schema_of("w10", "armies")))
    assert in_place("schemas.py", "--ruleset", "w11").returncode == 2
