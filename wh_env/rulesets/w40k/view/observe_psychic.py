"""Tables for observations of psykers: powers known by datasheet, powers that units may attempt and deny."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from wh_env.core.calls import Calls
from wh_env.core.kernel import inner_kernel
from wh_env.core.setup import Setup
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.psychic.data import NO_PROFILE
from wh_env.rulesets.w40k.view.observe import EditionFeatures
from wh_env.rulesets.w40k.view.observe_damage import DamageTables

MANIFESTS, DENIES, KNOWS = range(3)  # columns of ``Tables.psykers``


@dataclass
class Tables:
    """Tables for observations: those of every edition, psykers (units, 3), and the edition's compiled kernels."""

    shared: DamageTables
    psykers: Array
    kernels: Calls = field(default_factory=Calls)


@inner_kernel
def bits_set(bits: int) -> int:
    """The number of bits set."""
    count = 0
    while bits != 0:
        count += bits & 1
        bits >>= 1
    return count


class PsychicFeatures(EditionFeatures):
    """Fields of an edition with psykers. The edition writes them with its own kernel."""

    def prepare(self, setup: Setup) -> Tables:  # type: ignore[override]
        """The tables of every edition, and the psykers by unit."""
        statics = setup.statics
        psykers = np.zeros((len(setup.layout.view(setup.template, "units")), 3), np.int64)
        for row, each in enumerate(psykers):
            profile = statics["psychic_profiles"].get(row, NO_PROFILE)
            each[:] = profile.manifests, profile.denies, statics["psychic_known"].get(row, 0)
        return Tables(super().prepare(setup), psykers)
