"""The environments of the Epic-scale game, version 0: ``from wh_env import epic_v0``, then ``epic_v0.env()``."""

from __future__ import annotations

from wh_env.envs.registry import versioned

env, raw_env, single_env, vector_env = versioned("epic", 0)

__all__ = ["env", "raw_env", "single_env", "vector_env"]
