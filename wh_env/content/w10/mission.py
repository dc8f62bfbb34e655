"""Choosing the mission before the battle (w10.mission.select)."""

from __future__ import annotations

from functools import partial

from wh_env.content.w40k.missions import rolled_off

select_mission = partial(rolled_off, "w10.mission.select")
