"""Tables for observations of psykers: powers known by datasheet, powers that units may attempt and deny."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.calls import Calls
from wh_env.core.features import UNITS, Field
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.setup import Setup
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.psychic.data import NO_PROFILE, SMITE
from wh_env.rulesets.w40k.view.observe import UNIT_AT, EditionFeatures
from wh_env.rulesets.w40k.view.observe_damage import DamageTables
from wh_env.rulesets.w40k.view.observe_effects import add_effects, option_values, powers_table

MANIFESTS, DENIES, KNOWS = range(3)  # columns of ``Tables.psykers``
MINDS = 24  # powers of a psyker that are shown one by one
POWERS = (
    Field("other_discipline", "has the discipline that it may take in place of those of its datasheet"),
    *(
        Field(
            f"power_{n}",
            f"knows power {n} of those that it could know, Smite first: 1; attempted in this phase or turn: 1/2",
            "0/0.5/1",
        )
        for n in range(MINDS)
    ),
)


@dataclass
class Tables:
    """Tables for observations.

    Attributes:
        shared: those of every edition. psykers: int64 (units, 3). powers: float32 (powers, effects): what powers do.
        order: int8 (units, powers): place of a power among those that the unit could know, -1: it could not.
        some: whether there are psykers. kernels: the edition's compiled kernels.
    """

    shared: DamageTables
    psykers: Array
    powers: Array
    order: Array
    some: bool
    kernels: Calls = field(default_factory=Calls)


@inner_kernel
def bits_set(bits: int) -> int:
    """The number of bits set."""
    count = 0
    while bits != 0:
        count += bits & 1
        bits >>= 1
    return count


@kernel
def fill_minds(
    psyche: Array, psykers: Array, powers: Array, order: Array, players: Array, period: int, seat: int, first: int,
    view: Array, out: Array,
) -> None:  # fmt: skip
    """Write what psychic powers do to units, and which powers psykers know.

    ``period``: in which powers are not attempted again. ``first``: column of the first field of ``POWERS``.
    """
    v = view[0]
    for turn in range(2):
        side = players[1 - seat if turn else seat]
        for slot in range(min(UNITS, side["units"])):
            u = side["first_unit"] + slot
            row = (v["enemy"] if turn else v["own"]) + slot * v["unit_stride"]
            mind = psyche[u]
            if mind["under"] != 0:
                add_effects(int(mind["under"]), powers, row + UNIT_AT.effect_hits, out)
            known = int(psykers[u, KNOWS]) | int(mind["learnt"])
            if known == 0 and mind["instead"] == 0:
                continue
            out[row + first] = float(mind["instead"])
            again = mind["period"] == period
            for n in range(len(powers)):
                if known >> n & 1 and 0 <= order[u, n] < MINDS:
                    out[row + first + 1 + order[u, n]] = 0.5 if again and int(mind["tried"]) >> n & 1 else 1.0


class PsychicFeatures(EditionFeatures):
    """Fields of an edition with psykers. The edition writes them with its own kernel."""

    def prepare(self, setup: Setup) -> Tables:  # type: ignore[override]
        """The tables of every edition, and the psykers by unit."""
        statics = setup.statics
        psykers = np.zeros((len(setup.layout.view(setup.template, "units")), 3), np.int64)
        for row, each in enumerate(psykers):
            profile = statics["psychic_profiles"].get(row, NO_PROFILE)
            each[:] = profile.manifests, profile.denies, statics["psychic_known"].get(row, 0)
        profiles, every = statics["psychic_profiles"], statics["psychic_powers"]
        order: Array = np.full((len(psykers), len(every)), -1, np.int8)
        for row, profile in profiles.items():
            for place, power in enumerate(dict.fromkeys((SMITE, *profile.every_power))):
                order[row, every.index(power)] = place
        return Tables(super().prepare(setup), psykers, powers_table(setup), order, bool(profiles))

    def fill_psykers(self, g: BattleCore, seat: int, tables: Tables, first: int, view: Array, out: Array) -> None:
        """Write the columns of psychic powers, if there are psykers. ``first``: column of the first field of
        ``POWERS``.
        """
        if tables.some:
            period = edition(g).psychic.period(g)
            tables.kernels.call(
                fill_minds,
                g.psyche.rows,
                tables.psykers,
                tables.powers,
                tables.order,
                g.players.rows,
                period,
                seat,
                first,
                view,
                out,
            )

    def option(self, g: BattleCore, tables: Tables, what: Any) -> dict[str, float]:  # type: ignore[override]
        return option_values(tables.shared.rated.marks, what)
