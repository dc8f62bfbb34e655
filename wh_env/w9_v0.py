"""The environments of the 9th edition, version 0: ``from wh_env import w9_v0``, then ``w9_v0.env()``."""

from __future__ import annotations

from wh_env.envs.registry import versioned

env, raw_env, single_env, vector_env = versioned("w9", 0)

__all__ = ["env", "raw_env", "single_env", "vector_env"]
