"""What the documents show runs or is spelt as the programs read it, and what is generated in them is up to date."""

from __future__ import annotations

import os
import shlex
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from page_blocks import BUILDS, DATA, PYTHON, SHELL, Block, blocks_of, check, commands_of, pages
from programs_in_place import in_place

from wh_env.content.load import OWN
from wh_env.core.tables import CLOCK, MODEL, OBJECTIVE, PLAYER, UNIT

ROOT = Path(__file__).resolve().parents[1]
RUN = "first-hour"  # pages whose commands are run too
LINES = 120  # of the README, which has fewer


def named(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


PAGES = {named(page): blocks_of(page) for page in pages()}
RUNNABLE = [page for page, blocks in PAGES.items() if any(block.language == PYTHON for block in blocks)]
SPELT = [page for page, blocks in PAGES.items() if any(block.language == SHELL for block in blocks)]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder to be in, with ``wh-env`` and modules that a page writes found from there."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(ROOT), str(tmp_path))))
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("OMP_NUM_THREADS", "1")  # threads of torch wait for each other where cores are shared
    monkeypatch.setenv(OWN, "")
    monkeypatch.delenv(OWN)
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:  # what the page wrote, so that another page's file of this name is read
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(tmp_path)):
            del sys.modules[name]


def write(block: Block) -> None:
    """The file that a block says it is."""
    if block.file:
        file = Path(block.file)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(block.text, encoding="utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_every_block_says_what_it_is(page):
    for block in PAGES[page]:
        where = f"{page}:{block.line}"
        known = block.language in (PYTHON, SHELL, *DATA) or block.language.startswith(BUILDS)
        assert known, f"{where}: language {block.language!r}; expected {PYTHON}, {SHELL}, {', '.join(DATA)}"
        if block.language == "yaml":
            assert yaml.safe_load(block.text), where
        elif block.language == "toml":
            assert tomllib.loads(block.text), where
        elif block.language == PYTHON:
            compile(block.text, where, "exec")


@pytest.mark.parametrize("page", RUNNABLE)
def test_python_runs(page, folder):
    """The blocks of a page one after the other, as one program; on the pages of a first hour its commands between them."""
    space: dict[str, object] = {"__name__": page}
    for block in PAGES[page]:
        write(block)
        if block.reason:
            continue
        if block.language == PYTHON:
            # lines before it, so that an error names its line of the page
            exec(compile("\n" * block.line + block.text, page, "exec"), space)
        elif block.language == SHELL and f"/{RUN}/" in page:
            run_all(block, page)


@pytest.mark.parametrize("page", [page for page in SPELT if f"/{RUN}/" in page and page not in RUNNABLE])
def test_commands_of_a_first_hour_run(page, folder):
    for block in PAGES[page]:
        write(block)
        if block.language == SHELL and not block.reason:
            run_all(block, page)


def run_all(block: Block, page: str) -> None:
    """Run the programs of a block; what installs or sets up a shell is the reader's."""
    for program, *arguments in commands_of(block):
        if program == "wh-env":
            name, *rest = arguments
            script = {"import": "import_roster"}.get(name, name)
            done = in_place(f"{script}.py", *rest, folder=Path.cwd())
            assert done.returncode == 0, f"{page}:{block.line}: {shlex.join(arguments)}\n{done.stdout}{done.stderr}"
        else:
            assert program in ("pip", "export", "git"), f"{page}:{block.line}: {program}"


@pytest.mark.parametrize("page", SPELT)
def test_commands_are_spelt_as_the_programs_read_them(page):
    for block in PAGES[page]:
        for words in commands_of(block) if block.language == SHELL else ():
            check(words)


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("wh-env plai", "'plai' is no program"),
        ("wh-env play --batle w10/only-war-skirmish", "No such option"),
        ("python scripts/play.py --seed many", "valid int"),
        ("python scripts/play.py --battle w10/no-such-battle", "no battle is called 'w10/no-such-battle'"),
        ("python scripts/none.py", "scripts/none.py is not there"),
        ("wh-env play --agents clever random", "policy 'clever' is not known"),
        ("wh-env tournament --config nothing", "nothing.yaml is not there"),
        ("wh-env replay rendr out/x.replay", "No such command"),
        ("make everything", "no target 'everything'"),
        ("pip install -e '.[trains]'", "no extra 'trains'"),
        ("whenv play", "nothing is known of 'whenv'"),
    ],
)
def test_what_is_misspelt_is_found(line, wrong):
    with pytest.raises((AssertionError, ValueError), match=wrong):
        check(shlex.split(line))


def test_blocks_are_found_with_what_stands_before_them(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "words\n\n`a/b.yaml`:\n\n```yaml\nx: 1\n```\n\n<!-- not run: too dear -->\n```sh\nmake demo  # all\n"
        "make \\\n  lint && make types\n```\n\n1. item\n\n   ```python\n   if True:\n       pass\n   ```\n",
        encoding="utf-8",
    )
    first, second, third = blocks_of(page)
    assert first == Block("yaml", "x: 1\n", 5, "a/b.yaml", "")
    assert (second.reason, commands_of(second)) == ("too dear", [["make", "demo"], ["make", "lint"], ["make", "types"]])
    assert (third.language, third.text) == (PYTHON, "if True:\n    pass\n")


def test_the_guide_names_every_column_that_all_games_have():
    page = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
    for rows in (CLOCK, MODEL, OBJECTIVE, PLAYER, UNIT):
        missing = [name for name in rows.names or () if f"`{name}`" not in page]
        assert not missing


def test_the_readme_is_short():
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) < LINES


def test_the_table_of_environments_is_up_to_date():
    done = in_place("environments.py", "--check")
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_example_battle_is_up_to_date():
    done = in_place("example_battle.py", "--check")
    assert done.returncode == 0, done.stdout + done.stderr
