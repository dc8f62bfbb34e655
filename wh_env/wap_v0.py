"""The environments of the fantasy regiments, version 0: ``from wh_env import wap_v0``, then ``wap_v0.env()``."""

from __future__ import annotations

from wh_env.envs.registry import versioned

env, raw_env, single_env, vector_env = versioned("wap", 0)

__all__ = ["env", "raw_env", "single_env", "vector_env"]
