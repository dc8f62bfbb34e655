"""Programs as typer applications, to be called in this process."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path

import pytest
import typer

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
