"""Sniper shots: at a model that the player names, even if others stand around it (wap.special.sniper.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.combined_unit import has
from wh_env.rulesets.wap.basics.joined import models_in
from wh_env.rulesets.wap.casualties.harm import UNHARMED, harmed, roll_to_wound
from wh_env.rulesets.wap.casualties.removing import strike_down
from wh_env.rulesets.wap.casualties.suffering import saves_again
from wh_env.rulesets.wap.codes import RANK_AND_FILE
from wh_env.rulesets.wap.rule_book import SNIPER
from wh_env.rulesets.wap.shooting.aims import own_row
from wh_env.rulesets.wap.troops.war_machines import toughness_against_shots
from wh_env.rulesets.wap.weapons.arms import Weapon
from wh_env.rulesets.wap.weapons.hit import RANGED, Hit


def snipes(g: BattleCore, unit: int, weapon: Weapon) -> bool:
    """Whether a unit may make sniper shots with a weapon."""
    return weapon.has(SNIPER) or has(g, unit, SNIPER)


def marks_in(g: BattleCore, target: int) -> list[int]:
    """The models of a unit that a sniper can name: one of the rank and file, if any is left, command models and
    characters.
    """
    m = g.models
    plain = [k for k in g.members(target) if m.role[k] == RANK_AND_FILE]
    return plain[-1:] + [k for k in models_in(g, target) if k not in plain]


def snipe(g: BattleCore, mark: int, hits: list[tuple[int, Hit]], side: int, by: int) -> None:
    """Resolve hits of sniper shots on one model. It alone is wounded, saves and suffers; surplus wounds are lost
    (wap.special.sniper.target).

    Args:
        mark: the model.
        hits: the number and kind of hits, for each kind.
        side: the side of its unit's block from which they come.
        by: the row of the unit that shot.
    """
    row, target, harm = own_row(g, mark), g.models.unit[mark], UNHARMED
    toughness = toughness_against_shots(g, row, g.models.line[mark])
    for number, hit in hits:
        wounds = roll_to_wound(g, row, number, hit, toughness)
        if g.recorder is not None:
            told = {"amount": number, "needed": wounds.needed, "rolls": wounds.shown, "result": wounds.number}
            g.note("wap.shoot.wound.roll", "to wound", unit=by, target=target, **told)
        if wounds.number:
            shot = hit._replace(nature=hit.nature | RANGED)
            harm = harm.and_then(harmed(g, row, wounds, shot, side, 0))
    lost = min(harm.lost, g.models.wounds[mark])
    if not lost or saves_again(g, row, harm, by):
        return
    g.note("wap.special.sniper.target", "wounds", unit=by, target=row, model=mark, amount=lost)
    strike_down(g, mark, lost, by)
