"""Fields of an observation for the pending decision: the weapon and the roll that it concerns."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.features import Field, Pending
from wh_env.rulesets.w40k.attack_row import IDLE
from wh_env.rulesets.w40k.view.observe_damage import mean_of

DECISION = (
    Field("roll", "the roll that may be made again, or that is to be beaten", "/ 12"),
    Field("weapon_range", "range of the weapon profile that is asked about; 0 in melee", "in / 48"),
    Field("weapon_attacks", "its A, on average", "/ 20"),
    Field("weapon_skill", "its BS or WS, 1 for Torrent", "(7 - skill) / 6"),
    Field("weapon_strength", "its S, on average", "/ 16"),
    Field("weapon_ap", "its AP, without the sign", "/ 6"),
    Field("weapon_damage", "its D, on average", "/ 10"),
    Field("stage", "step of the attack that is being resolved, as the rules number them; 0: none is", "/ 16"),
    Field("hits_left", "its hits that need a wound roll", "/ 20"),
    Field("wounds_left", "its wounds that are not allocated", "/ 20"),
    Field("mortal_left", "its mortal wounds that are not suffered", "/ 10"),
    Field("damage_left", "points of damage still to inflict on the model", "/ 10"),
    Field("number_needed", "number needed for the roll that is made", "/ 7"),
    Field("die", "the die that is asked about", "/ 6"),
)


def weapon_values(g: BattleCore, weapon: int) -> dict[str, float]:
    """The values of the fields of a weapon profile."""
    row = g.setup.statics["weapons"][weapon]
    return {
        "weapon_range": min(1.0, float(row["range"]) / 48.0),
        "weapon_attacks": min(1.0, mean_of(row, "attacks") / 20.0),
        "weapon_skill": (7 - int(row["skill"])) / 6.0 if row["skill"] else 1.0,
        "weapon_strength": min(1.0, mean_of(row, "strength") / 16.0),
        "weapon_ap": min(1.0, abs(int(row["ap"])) / 6.0),
        "weapon_damage": min(1.0, mean_of(row, "damage") / 10.0),
    }


def decision_values(g: BattleCore, pending: Pending) -> dict[str, float]:
    """The values of the fields of a decision that are not 0."""
    values = weapon_values(g, pending.weapon) if pending.weapon >= 0 else {}
    if "roll" in pending.values:
        values["roll"] = min(1.0, pending.values["roll"] / 12.0)
    attack = g.attack
    if attack.stage[0] != IDLE:
        values["stage"] = min(1.0, attack.stage[0] / 16.0)
        values["hits_left"] = min(1.0, attack.hits[0] / 20.0)
        values["wounds_left"] = min(1.0, attack.wounds[0] / 20.0)
        values["mortal_left"] = min(1.0, (attack.pending[0] + attack.mortal[0]) / 10.0)
        values["damage_left"] = min(1.0, attack.damage[0] / 10.0)
        values["number_needed"] = max(0.0, min(1.0, attack.needed[0] / 7.0))
        values["die"] = min(1.0, attack.die[0] / 6.0)
    return values
