"""Writing files of content."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from wh_env.content.errors import ContentError
from wh_env.core.files import replacing


def write_new(files: Mapping[Path, Mapping[str, Any]], replace: bool = False) -> list[Path]:
    """Write files of content; each is whole or is not there at all.

    Args:
        files: what they hold, by their paths; folders are made. replace: whether files that are there are written over.

    Raises:
        ContentError: a file is there and may not be replaced (nothing is written then), or one cannot be written.
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
