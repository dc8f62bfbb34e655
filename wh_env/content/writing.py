"""Writing files of content."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from wh_env.content.errors import ContentError
from wh_env.core.files import replacing


def write_new(files: Mapping[Path, Mapping[str, Any]], replace: bool = False) -> list[Path]:
    """Write files of content; each file is written completely or not at all.

    Args:
        files: contents by path; missing folders are made.
        replace: whether existing files are overwritten.

    Raises:
        ContentError: a file exists and may not be replaced (then nothing is written), or a file cannot be written.
    """
    for path in files:
        if path.exists() and not replace:
            expected = "a new file, or leave to replace it (--replace)"
            raise ContentError(str(path), "", "it", expected, "is there already")
    for path, content in files.items():
        try:
            text = yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=120)
            with replacing(path) as draft:
                draft.write_text(text, encoding="utf-8")
        except OSError as error:
            raise ContentError(str(path), "", str(error), "a file that can be written", "cannot be") from None
    return list(files)
