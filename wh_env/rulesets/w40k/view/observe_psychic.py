"""What observations need to show psykers: powers that units know by datasheet, how many they attempt and deny."""

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

MANIFESTS, DENIES, KNOWS = range(3)  # columns of what datasheets say of psykers


@dataclass
class Tables:
    """What writing an observation needs: that of every edition, by unit what its datasheet says of psychic powers, the
    edition's kernels.
    """

    shared: DamageTables
    psykers: Array
    kernels: Calls = field(default_factory=Calls)


@inner_kernel
def bits_set(bits: int) -> int:
    """How many bits are set."""
    count = 0
    while bits != 0:
        count += bits & 1
        bits >>= 1
    return count


class PsychicFeatures(EditionFeatures):
    """Fields of an edition with psykers; it writes them itself."""

    def prepare(self, setup: Setup) -> Tables:  # type: ignore[override]
        """Also what datasheets say of psykers."""
        statics = setup.statics
        psykers = np.zeros((len(setup.layout.view(setup.template, "units")), 3), np.int64)
        for row, each in enumerate(psykers):
            profile = statics["psychic_profiles"].get(row, NO_PROFILE)
            each[:] = profile.manifests, profile.denies, statics["psychic_known"].get(row, 0)
        return Tables(super().prepare(setup), psykers)
