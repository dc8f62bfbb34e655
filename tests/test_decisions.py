"""The page of all decisions says what the code does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from scripts.decisions import UNNAMED, catalogue, differences, expected
from wh_env.rulesets.w10.ruleset import TENTH_EDITION

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "decisions.md"


def test_the_page_is_up_to_date():
    assert differences(PAGE) == [], "run scripts/decisions.py"


def test_kinds_name_rules_of_the_catalogue():
    rules = catalogue()
    assert {kind.name: [rule for rule in kind.rules if rule not in rules] for kind in TENTH_EDITION.kinds} == {
        kind.name: [] for kind in TENTH_EDITION.kinds
    }


def test_every_rule_with_a_decision_is_listed_once():
    page = expected(catalogue())
    decided = [rule for rule, entry in catalogue().items() if "decision" in entry]
    assert sorted([*page.rules, *page.unnamed]) == sorted(decided)
    assert page.rules["w10.charge.targets"] == ("charge-target",)
    assert "w10.army.warlord" in page.unnamed


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            "| `charge-target` | `w10.charge.targets` |",
            "| `charge-target` | `w10.charge.move` |",
            "kind charge-target: ",
        ),
        ("| `charge-target` | `w10", "| `charge-targets` | `w10", "kind charge-target is missing"),
        ("| `charge-target` |\n", "| `move-to` |\n", "rule w10.charge.targets: "),
        ("- `w10.army.warlord`", "- `w10.army.general`", f"{UNNAMED.lower()}: w10.army.general, w10.army.warlord"),
    ],
)
def test_a_changed_page_is_told(tmp_path, old, new, told):
    text, changed = PAGE.read_text(encoding="utf-8"), tmp_path / "decisions.md"
    assert text.count(old) == 1
    changed.write_text(text.replace(old, new), encoding="utf-8")
    assert any(line.startswith(told) for line in differences(changed))


def test_averages_are_not_compared(tmp_path):
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("| `charge-target`"))
    lines[at] = lines[at].rsplit("|", 2)[0] + "| 99.9 |"
    (tmp_path / "decisions.md").write_text("\n".join(lines), encoding="utf-8")
    assert differences(tmp_path / "decisions.md") == []


def test_check_as_a_program(tmp_path):
    changed = tmp_path / "decisions.md"
    changed.write_text(PAGE.read_text(encoding="utf-8").replace("`w10.charge.targets`", "`w10.charge.move`"))
    for page, code in ((PAGE, 0), (changed, 1), (tmp_path / "none.md", 2)):
        command = [sys.executable, "scripts/decisions.py", "--check", "--out", str(page)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stdout + done.stderr
