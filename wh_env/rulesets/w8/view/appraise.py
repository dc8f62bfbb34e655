"""What options are worth in the 8th edition."""

from __future__ import annotations

from wh_env.rulesets.w40k.view.appraise_classic import ClassicAppraiser


class EighthAppraiser(ClassicAppraiser):
    """Values of options in battles of one Setup."""
