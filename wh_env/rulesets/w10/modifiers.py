"""Rules that change attacks by keyword: "+1 to hit for INFANTRY units" and the like (w10.concepts.keywords).

They are data: rows of ``rules["modifiers"]``, mappings with ``effect`` (a name of ``EFFECTS``), ``keyword`` (of the
attacking unit; singular or plural) and, where it is narrower, ``of: model`` (only the models whose own datasheet has the
keyword, w10.concepts.keywords.model-or-unit) and ``player``.
"""

from __future__ import annotations

from collections.abc import Mapping

from wh_env.core.battle import BattleCore
from wh_env.rulesets.w40k.attack_rolls import Near

# Where two rows have the same effect, the second bit takes the second.
EFFECTS: dict[str, tuple[int, ...]] = {
    "+1 to hit": (int(Near.HIT_PLUS), int(Near.HIT_PLUS_2ND)),
    "-1 to hit": (int(Near.HIT_MINUS), int(Near.HIT_MINUS_2ND)),
    "+1 to wound": (int(Near.WOUND_PLUS), int(Near.WOUND_PLUS_2ND)),
    "-1 to wound": (int(Near.WOUND_MINUS), int(Near.WOUND_MINUS_2ND)),
    "re-roll hit rolls of 1": (int(Near.REROLL_HIT_ONES),),
    "re-roll wound rolls of 1": (int(Near.REROLL_WOUND_ONES),),
    "+1 Attacks": (int(Near.ATTACKS_PLUS),),
}


def keyword_bit(bits: Mapping[str, int], keyword: str) -> int:
    """The bit of a keyword, singular or plural; 0 where nobody in the battle has it."""
    name = keyword.upper().replace(" ", "_").replace("-", "_").replace("'", "")
    for form in (name, name.removesuffix("S"), name + "S"):
        if form in bits:
            return bits[form]
    return 0


def modify_attacks(g: BattleCore) -> None:
    """Write what the rows say into the attacks declared; attacks that are alike no longer are rolled apart."""
    jobs, m, u = g.jobs, g.models, g.units
    bits: Mapping[str, int] = g.setup.statics["keyword_bits"]
    alike: dict[tuple[int, int, int], int] = {}
    for job, attacks in enumerate(jobs.attacks):
        if not attacks:
            continue
        model = jobs.model[job]
        unit = m.unit[model]
        near = jobs.near[job]
        for row in g.setup.rules["modifiers"]:
            has = m.keywords[model] if row.get("of") == "model" else u.keywords[unit]
            if row.get("player", m.owner[model]) == m.owner[model] and has & keyword_bit(bits, row["keyword"]):
                near |= next((bit for bit in EFFECTS[row["effect"]] if not near & bit), 0)
        jobs.near[job] = near
        jobs.group[job] = alike.setdefault((jobs.weapon[job], jobs.target[job], near), job)
