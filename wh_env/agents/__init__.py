"""Policies that play battles, and the means to train, rate and match them.

In a checkout their modules lie in ``agents/``.
"""

from __future__ import annotations

from wh_env.checkout import beside

__path__ = beside("agents", __path__)
