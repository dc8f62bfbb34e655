"""Schema of the pieces of terrain that random battlefields are laid out with; see ``configs/wap/pieces.yaml``."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from wh_env.content.fields import Content
from wh_env.content.wap.schema_battle import Feature


class Pieces(Content):
    """Pieces of terrain, with outlines about their middle."""

    pieces: Annotated[tuple[Feature, ...], Field(min_length=1, max_length=64)]
