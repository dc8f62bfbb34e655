"""What the documents show runs, and what is generated in them is up to date."""

import re
from pathlib import Path

import pytest
from programs_in_place import in_place

ROOT = Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", ["README.md", "docs/environments.md"])
def test_examples_run(page):
    blocks = BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))
    assert blocks
    for block in blocks:
        exec(compile(block, page, "exec"), {})


def test_the_table_of_environments_is_up_to_date():
    done = in_place("environments.py", "--check")
    assert done.returncode == 0, done.stdout + done.stderr
