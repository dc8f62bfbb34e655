"""The programs of ``scripts/`` called in the process of the tests, which spares starting one and importing everything again."""

from __future__ import annotations

import contextlib
import os
import runpy
import subprocess
import sys
import tempfile
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parent.parent


def in_place(script: str, *arguments: object, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run a program as from the command line in a folder, on a terminal 200 characters wide; what it told and how it ended."""
    words = [str(ROOT / "scripts" / script), *map(str, arguments)]
    code = 0
    with contextlib.ExitStack() as stack:
        # files and not strings: what the program starts writes into them as well
        told, wrong = (stack.enter_context(tempfile.TemporaryFile("w+", encoding="utf-8")) for _ in range(2))
        stack.enter_context(mock.patch.object(sys, "argv", words))
        stack.enter_context(mock.patch.dict(os.environ, {"COLUMNS": "200"}))
        stack.enter_context(contextlib.chdir(folder))
        stack.enter_context(contextlib.redirect_stdout(told))
        stack.enter_context(contextlib.redirect_stderr(wrong))
        try:
            runpy.run_path(words[0], run_name="__main__")
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        for file in (told, wrong):
            file.seek(0)
        return subprocess.CompletedProcess(words, code, told.read(), wrong.read())
