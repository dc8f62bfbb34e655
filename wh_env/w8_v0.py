"""The environments of the 8th edition, version 0: ``from wh_env import w8_v0``, then ``w8_v0.env()``."""

from __future__ import annotations

from wh_env.envs.registry import versioned

env, raw_env, single_env, vector_env = versioned("w8", 0)

__all__ = ["env", "raw_env", "single_env", "vector_env"]
