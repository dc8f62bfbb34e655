"""Falling Back: around other models, so nobody is tested (w9.move.fall-back)."""

from __future__ import annotations

from wh_env.rulesets.w40k.move import fall_back


class FallBack(fall_back.FallBack):
    """No model crosses another."""

    asks = ("fall-back-to",)
    crosses = False
