"""Battles as reinforcement-learning environments: observation, action space, PettingZoo shell. No rule lives here."""

from __future__ import annotations

from wh_env.envs.aec import env, raw_env

__all__ = ["env", "raw_env"]
