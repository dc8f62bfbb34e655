"""The result of a round of close combat (wap.result.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore


def score_combat(g: BattleCore) -> None:
    """Work out the result of the combat that is being fought and write it to its units: ``outcome``, ``penalty``, ``steadfast``."""
