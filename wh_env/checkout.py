"""Where packages lie whose folders stand beside ``wh_env`` in a checkout and inside it in a wheel."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def beside(package: str, path: Iterable[str]) -> list[str]:
    """Where modules of ``wh_env.<package>`` are looked for: in ``path``, and in a checkout in its folder of that name.

    So ``import wh_env.agents`` means the same wherever the code came from, and no package with a name as common as
    ``agents`` is put on the import path: an installed wheel has no other package than ``wh_env``.
    """
    own = list(path)
    folder = ROOT / package
    return [*own, str(folder)] if (ROOT / "pyproject.toml").is_file() and folder.is_dir() else own
