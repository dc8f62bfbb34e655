"""A folder of one's own: content beside the shipped one, by ``WH_ENV_CONTENT`` and ``--content``."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from programs_in_place import in_place

from wh_env import Battle, ContentError
from wh_env.content.load import OWN, content_roots, find, names, own_roots

ROOT = Path(__file__).resolve().parents[2]
# the files that the guide has its reader write
GUIDE = (ROOT / "docs" / "own-content.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"`mine/([\w/.-]+)`:\n\n```yaml\n(.*?)```", GUIDE, re.DOTALL))
ARMY = FILES["w10/armies/river-host.yaml"]


def folder(at: Path, files: dict[str, str]) -> Path:
    """A folder with these files."""
    for name, text in files.items():
        path = at / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return at


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Name folders of one's own."""

    def name(*folders: Path) -> None:
        monkeypatch.setenv(OWN, os.pathsep.join(map(str, folders)))

    return name


def play(battle: Battle) -> int:
    """Answer every decision with the first option; how many there were."""
    count = 0
    while not battle.over and count < 2000:
        decision = battle.decision
        assert decision is not None
        battle.apply(decision.options[0])
        count += 1
    return count


def test_a_faction_of_one_s_own_is_found_and_played(tmp_path, own):
    assert "w10/river-host" not in names("armies")
    own(folder(tmp_path, FILES))
    assert {"w10/river-host", "w10/tyranids-skirmish"} <= set(names("armies", "w10"))
    battle = Battle.load("w10/at-the-river", 3)
    assert "River Host" in battle.setup.names["players"][0] and battle.setup.names["units"][1].startswith("Netters")
    assert play(battle) > 50


def test_an_army_book_of_one_s_own_is_found_played_and_drawn_from(tmp_path, own):
    own(folder(tmp_path, FILES))
    battle = Battle.load("wap/at-the-mill", 3)
    assert battle.setup.names["players"][0] == "Mill Band" and play(battle) > 20 and battle.over
    drawn = Battle.load("wap/random-patrol?seed=4&factions=[mill-folk, mill-folk]", 3)
    assert drawn.setup.names["players"] == ("Random Mill Folk", "Random Mill Folk")


def test_what_is_one_s_own_counts_before_what_is_shipped(tmp_path, own):
    shipped = find("armies", "w10/tyranids-skirmish")
    changed = shipped.read_text(encoding="utf-8").replace("name: Tyranids Skirmish", "name: Mine")
    first = folder(tmp_path / "first", {"w10/armies/tyranids-skirmish.yaml": changed})
    second = folder(tmp_path / "second", FILES)
    own(first, second)
    assert find("armies", "w10/tyranids-skirmish") == first / "w10/armies/tyranids-skirmish.yaml"
    assert [root.name for root in content_roots()][:2] == ["first", "second"]
    assert Battle.load("w10/at-the-river", 0).setup.names["players"] == ("River Host", "Mine")
    own()
    assert own_roots() == [] and find("armies", "w10/tyranids-skirmish") == shipped


@pytest.mark.parametrize(
    ("name", "text", "battle"),
    [
        ("wap/armies/mine.yaml", "name: Mine\nsheet: hill-host\nunits:\n  - {card: warriors, models: 20, files: 5}\n  - {card: boss, models: 1}\n", "wap/open-skirmish"),
        ("epic/armies/mine.yaml", None, "epic/bridgehead"),
    ],
)  # fmt: skip
def test_armies_of_other_games(tmp_path, own, name, text, battle):
    if text is None:
        text = find("armies", "epic/ork-raiders").read_text(encoding="utf-8")
    own(folder(tmp_path, {name: text}))
    ruleset, _, shipped = battle.partition("/")

    raw = yaml.safe_load(find("battles", battle).read_text(encoding="utf-8"))
    raw["armies"][1] = "mine"
    mine = folder(tmp_path, {f"{ruleset}/battles/{shipped}-mine.yaml": yaml.safe_dump(raw)})
    assert mine == tmp_path
    assert play(Battle.load(f"{ruleset}/{shipped}-mine", 1)) > 10


def test_a_folder_that_is_none_is_told(tmp_path, own):
    own(tmp_path / "nowhere")
    with pytest.raises(ContentError, match=rf"{OWN}: .* is no folder; expected a folder with content of your own"):
        Battle.load("w10/only-war-skirmish", 0)


def test_faults_name_the_file(tmp_path, own):
    own(folder(tmp_path, {**FILES, "w10/armies/river-host.yaml": ARMY.replace("Netters", "Neters")}))
    with pytest.raises(ContentError, match=r"river-host\.yaml: units\[1\]\.datasheet.*did you mean 'Netters'"):
        Battle.load("w10/at-the-river", 0)


@pytest.mark.parametrize("joined", [True, False])
def test_programs_take_a_folder(tmp_path, joined, monkeypatch):
    monkeypatch.setenv(OWN, "")
    at = str(folder(tmp_path, FILES))
    where = [f"--content={at}"] if joined else ["--content", at]
    done = in_place("play.py", *where, "--battle", "w10/at-the-river", "--json", "--seed", "3")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["battle"] == "w10/at-the-river"


@pytest.mark.parametrize(
    ("arguments", "told"), [(["--content"], "names none"), (["--content", "/no/such/folder"], "is no folder")]
)
def test_programs_refuse_what_is_no_folder(arguments, told, monkeypatch):
    monkeypatch.setenv(OWN, "")
    done = in_place("play.py", "--seed", "1", *arguments)
    assert done.returncode == 2 and told in done.stderr and "Traceback" not in done.stderr


def test_the_guide_s_match_up_is_played(tmp_path, monkeypatch):
    """Its files, of a faction and of an army book, and its command for the faction."""
    monkeypatch.setenv(OWN, "")
    assert len(FILES) == 9
    at = str(folder(tmp_path, FILES))
    games = ["--armies", "w10/river-host", "w10/tyranids-skirmish", "--width", "1", "--processes", "1", "--json"]
    done = in_place("matchup.py", "--content", at, *games)
    assert done.returncode == 0, done.stderr
    assert "River Host" in done.stdout


def test_every_program_says_so():
    assert "--content" in in_place("matchup.py", "--help").stdout


def test_odds_of_sheets_of_one_s_own(tmp_path):
    mine = folder(tmp_path / "mine", FILES)
    told = in_place("odds.py", "Hookers", "Termagants", "--whole", "melee", "--json", "--content", mine)
    assert told.returncode == 0, told.stderr
    assert json.loads(told.stdout)[0]["attacker"] == "Hookers" and json.loads(told.stdout)[0]["mean_wounds_lost"] > 0
