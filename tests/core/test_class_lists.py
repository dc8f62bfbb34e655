"""Lists of classes by name: found where they stand, in the order of the list, in the ruleset's own chapters first."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from importlib import invalidate_caches
from pathlib import Path

import pytest

from wh_env.core.class_lists import classes_in_chapters, listed_classes
from wh_env.rulesets.w8.ruleset import EIGHTH_EDITION
from wh_env.rulesets.w9.ruleset import NINTH_EDITION
from wh_env.rulesets.w10.ruleset import TENTH_EDITION

HEAD = "from wh_env.core.procedures import DecisionKind, Procedure\n"
MOVE = HEAD + "class Move(Procedure): ...\nclass Advance(Move): ...\nclass MoveTo(DecisionKind): name = 'move-to'\n"
FIGHT = HEAD + "class Fight(Procedure): ...\nclass Helper: ...\n"
Write = Callable[[str, Mapping[str, str]], str]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Write]:
    """Writes a package with these modules, by path, and returns its name."""
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)

    def write(name: str, modules: Mapping[str, str]) -> str:
        for path, text in {"__init__.py": "", **modules}.items():
            file = tmp_path / name / path
            for folder in [*file.parents][: len(file.relative_to(tmp_path).parts) - 1]:
                folder.mkdir(exist_ok=True, parents=True)
                (folder / "__init__.py").touch()
            file.write_text(text, encoding="utf-8")
        invalidate_caches()
        return name

    yield write
    for module in set(sys.modules) - before:
        del sys.modules[module]


def names(classes: tuple[type, ...]) -> list[str]:
    return [f"{cls.__module__}.{cls.__name__}" for cls in classes]


def test_classes_come_in_the_order_of_the_list_from_wherever_they_stand(package: Write) -> None:
    toy = package("toy_order", {"move/steps.py": MOVE, "fight/close/blows.py": FIGHT})
    procedures, kinds = listed_classes([toy], "Fight Advance\n  Move", "MoveTo")
    assert names(procedures) == [
        "toy_order.fight.close.blows.Fight",
        "toy_order.move.steps.Advance",
        "toy_order.move.steps.Move",
    ]
    assert names(kinds) == ["toy_order.move.steps.MoveTo"]


def test_a_class_moves_to_another_chapter_without_a_change_of_the_list(package: Write) -> None:
    here = package("toy_here", {"move/steps.py": MOVE})
    there = package("toy_there", {"charge/legs.py": MOVE})
    assert [[cls.__name__ for cls in part] for part in listed_classes([here], "Move Advance", "MoveTo")] == [
        [cls.__name__ for cls in part] for part in listed_classes([there], "Move Advance", "MoveTo")
    ]


def test_an_own_class_comes_before_a_shared_one_of_its_name(package: Write) -> None:
    package("toy_shared", {"move/steps.py": MOVE, "fight/blows.py": FIGHT})
    own = package(
        "toy_own", {"move/steps.py": "from toy_shared.move.steps import Move as Base\nclass Move(Base): ...\n"}
    )
    procedures, _ = listed_classes([own, "toy_shared"], "Move Fight", "")
    assert names(procedures) == ["toy_own.move.steps.Move", "toy_shared.fight.blows.Fight"]
    shared, _ = listed_classes(["toy_shared"], "Advance Fight", "MoveTo")
    assert names(shared) == ["toy_shared.move.steps.Advance", "toy_shared.fight.blows.Fight"]


def test_what_modules_import_and_what_stands_beside_the_chapters_does_not_count(package: Write) -> None:
    toy = package(
        "toy_beside",
        {"move/steps.py": MOVE, "fight/blows.py": "from toy_beside.move.steps import Move\n", "other.py": FIGHT},
    )
    assert [cls.__name__ for cls in classes_in_chapters(toy)] == ["Move", "Advance", "MoveTo"]
    assert "toy_beside.other" not in sys.modules


def test_a_listed_class_that_is_missing_is_an_error(package: Write) -> None:
    toy = package("toy_missing", {"move/steps.py": MOVE})
    with pytest.raises(LookupError, match="no chapter of toy_missing has the Procedure Charge"):
        listed_classes([toy], "Move Advance Charge", "MoveTo")
    with pytest.raises(LookupError, match="no chapter of toy_missing has the DecisionKind Move"):
        listed_classes([toy], "Move Advance", "MoveTo Move")


def test_a_class_that_is_not_listed_is_an_error(package: Write) -> None:
    toy = package("toy_unlisted", {"move/steps.py": MOVE})
    with pytest.raises(LookupError, match=r"toy_unlisted\.move\.steps\.MoveTo is not listed"):
        listed_classes([toy], "Advance", "")  # ``Move`` is a base of what is listed
    with pytest.raises(LookupError, match=r"toy_unlisted\.move\.steps\.Advance is not listed"):
        listed_classes([toy], "Move", "MoveTo")


def test_a_name_of_two_classes_of_a_package_says_its_module(package: Write) -> None:
    toy = package("toy_twice", {"move/steps.py": MOVE, "charge/legs.py": HEAD + "class Move(Procedure): ...\n"})
    with pytest.raises(LookupError, match=r"Move is toy_twice\.charge\.legs\.Move and toy_twice\.move\.steps\.Move"):
        listed_classes([toy], "Move Advance", "MoveTo")
    procedures, _ = listed_classes([toy], "steps.Move legs.Move Advance", "MoveTo")
    assert names(procedures)[:2] == ["toy_twice.move.steps.Move", "toy_twice.charge.legs.Move"]


def test_a_chapter_that_fails_to_load_says_so(package: Write) -> None:
    toy = package("toy_broken", {"move/__init__.py": "import no_such_module_at_all\n"})
    with pytest.raises(ModuleNotFoundError, match="no_such_module_at_all"):
        listed_classes([toy], "Move", "")


def test_many_threads_find_the_same_classes(package: Write) -> None:
    toy = package("toy_threads", {f"chapter{k}/steps.py": MOVE.replace("Move", f"Move{k}") for k in range(6)})
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _: classes_in_chapters(toy), range(8)))
    assert len(found[0]) == 18
    assert all(each == found[0] for each in found)


def test_every_class_that_editions_share_is_one_of_some_edition() -> None:
    """An edition lists its own classes, each of them; of the shared ones what it plays."""
    editions = (TENTH_EDITION, NINTH_EDITION, EIGHTH_EDITION)
    played = {
        base for edition in editions for each in (*edition.procedures, *edition.kinds) for base in type(each).__mro__
    }
    shared = classes_in_chapters("wh_env.rulesets.w40k")
    assert len(shared) > 150
    assert [cls for cls in shared if cls not in played] == []
