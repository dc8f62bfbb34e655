"""Battles of the editions whose datasheets give characteristics to models."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from wh_env.content.fields import Content, Flag, Name, Seed, Spec
from wh_env.content.w40k.schema import Random


class Battle(Content):
    """A battle: its mission, armies and battlefield. Names refer to other files; each may be given inline."""

    name: Name
    ruleset: Name
    mission: Spec | dict[str, Any]
    size: Name
    battlefield: Spec | dict[str, Any]
    armies: tuple[Spec | dict[str, Any], Spec | dict[str, Any]]  # of player 0 and of player 1
    attacker: Annotated[int, Field(strict=True, ge=0, le=1)] | None = None  # not given: by roll-off
    detail: Literal["full", "squad"] = "squad"
    seed: Seed | None = None
    scale: Flag = False  # a battlefield of another size is fitted to the smallest the mission allows
    random: Random | None = None  # how a battlefield or armies named ``random`` are drawn
