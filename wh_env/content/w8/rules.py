"""Rules of the 8th edition that other editions lack and that a call may override."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from wh_env.content.fields import Content
from wh_env.content.w40k.rules import OwnRules
from wh_env.rulesets.w8.mission.state import DIVISIONS, Primary


class Division(Content):
    """How the battlefield is divided, -1: a player chooses."""

    value: Annotated[int, Field(strict=True, ge=-1, lt=DIVISIONS)]


class PrimaryObjective(Content):
    """The primary objective, 0: by roll."""

    value: Annotated[int, Field(strict=True, ge=0, le=len(Primary))]


OWN_RULES = OwnRules(
    values={"division": Division, "primary": PrimaryObjective}, choices={"warlords": ("lists", "choose")}
)
