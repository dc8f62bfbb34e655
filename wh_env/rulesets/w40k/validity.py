"""Conditions that a state of a battle of the 40k editions must meet so that play can continue; see
``core.validation``.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.setup import Setup
from wh_env.core.tables import ATTACHED, EMBARKED
from wh_env.core.validation import Fault, row_faults
from wh_env.rulesets.w40k.ability.data import MOMENTS as CHOICE_MOMENTS
from wh_env.rulesets.w40k.attack.sequence import DEMISED, LOST
from wh_env.rulesets.w40k.attack_row import ALL_DICE
from wh_env.rulesets.w40k.edition import edition_of
from wh_env.rulesets.w40k.sequence.sequencing import MOMENTS


def sizes(setup: Setup) -> dict[str, float]:
    """Sizes that bounds of this ruleset name."""
    statics, rows = setup.statics, {spec.name: spec.rows for spec in setup.layout.specs}
    arsenal = statics["arsenal"]
    return {
        "weapons": max(1, len(statics["weapons"])),
        "arsenal": len(arsenal),
        "weapon_slots": int(arsenal["slot"].max()) + 1 if len(arsenal) else 0,
        "hulls_of_one": max((len(carriers) for carriers in statics["hulls"].values()), default=1),
        "moments": len(MOMENTS),
        "choice_moments": len(CHOICE_MOMENTS),
        "choices": max(1, len(statics["choices"])),
        "disputes": len(setup.rules["disputes"]),
        "every_stratagem": edition_of(setup).stratagems.every,
        "turns": 2 * setup.rules["rounds"],
        # a model, a save, the face of a die, all dice
        "answers": max(rows["models"] - 1, ALL_DICE),
        # a row of attacks, the face of a die
        "cursors": max(rows["jobs"], 6),
    }


def contradictions(g: BattleCore) -> Iterator[Fault]:
    """Attached units, wrecks, casualties and attacks declared."""
    models, units, jobs = g.models.rows, g.units.rows, g.jobs.rows
    own = models["datasheet"]
    led = (units["bodyguard"][own] == models["unit"]) & (units["bodyguard"][own] >= 0)
    parted = units["first"][own] == units["first"][models["unit"]]  # a unit that has split
    strayed = (models["unit"] != own) & ~led & ~parted & (models["alive"] != 0)  # a dead Leader stays where it fell
    expected = "the unit it was mustered in, one that has split from it, or the Bodyguard unit that this leads"
    yield from row_faults("models", "unit", models["unit"], strayed, expected)
    leads = units["bodyguard"] >= 0
    wrong = (units["place"] == ATTACHED) != leads
    yield from row_faults(
        "units", "place", units["place"], wrong, f"{ATTACHED} for a unit that leads another, and for no other,"
    )
    wrecks = np.isin(models["unit"], units["carrier"][units["place"] == EMBARKED])
    dead = (models["on_table"] > models["alive"]) & ~wrecks
    yield from row_faults("models", "on_table", models["on_table"], dead, "0 for a destroyed model")
    if g.queue[DEMISED] > g.queue[LOST]:
        yield Fault("queue[1]", g.queue[DEMISED], f"at most the casualties listed, {g.queue[LOST]},")
    declared = jobs["attacks"] != 0
    friends = models["owner"][jobs["model"]] == units["owner"][jobs["target"]]
    yield from row_faults("jobs", "target", jobs["target"], declared & friends, "a unit of the enemy")
