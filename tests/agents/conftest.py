"""Programs as typer applications, to be called in this process."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest
import typer

from wh_env.agents.tournament import backends

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


@pytest.fixture(scope="session")
def load_script() -> Callable[[str], typer.Typer]:
    """The program in a file of ``scripts/``."""

    def load(name: str) -> typer.Typer:
        spec = importlib.util.spec_from_file_location(f"scripts.{Path(name).stem}", SCRIPTS / name)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        app = typer.Typer(add_completion=False)
        app.command()(module.main)
        return app

    return load


@pytest.fixture(scope="session")
def local_backend() -> Iterator[backends.LocalBackend]:
    """A process that plays games, for all tests that do not ask how one begins and ends: starting one takes seconds."""
    with backends.LocalBackend(1) as backend:
        yield backend


@pytest.fixture
def played_beside(local_backend, monkeypatch) -> None:
    """Programs that are called play their games there, one after the other."""

    def begun(processes: int) -> nullcontext[backends.LocalBackend]:
        assert processes == 1
        return nullcontext(local_backend)

    monkeypatch.setattr(backends, "LocalBackend", begun)
