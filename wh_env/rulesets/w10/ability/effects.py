"""Effects of abilities that are data: Reserves, mortal wounds, Battle-shock, gains for kills."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from wh_env.core.battle import BattleCore
from wh_env.core.tables import DEPLOYING, ON_TABLE, RESERVE, Array
from wh_env.rulesets.w10.command.leadership import LeadershipTest
from wh_env.rulesets.w10.command.phase import BattleShockTest, ShockedByAll
from wh_env.rulesets.w40k.ability.moves import move_by_ability
from wh_env.rulesets.w40k.attack.abilities import KILLS, Power, in_force
from wh_env.rulesets.w40k.attack.casualties import mortal_wounds
from wh_env.rulesets.w40k.codes import Deed, Freedom
from wh_env.rulesets.w40k.deploy.deployment import DeployUnit
from wh_env.rulesets.w40k.deploy.loose import return_model
from wh_env.rulesets.w40k.deploy.places import STRATEGIC
from wh_env.rulesets.w40k.edition import Effect, edition
from wh_env.rulesets.w40k.questions.engagements import forget_targets
from wh_env.rulesets.w40k.sequence.points import gain_cp


def test_leadership(g: BattleCore, owner: int, unit: int, amount: int) -> None:
    """The effect of a rule: the unit takes a Leadership test."""
    g.push(LeadershipTest, unit)


def shock(g: BattleCore, owner: int, unit: int, amount: int) -> None:
    """The unit takes a Battle-shock test."""
    g.push(BattleShockTest, unit)


def shock_enemies(g: BattleCore, owner: int, unit: int, amount: int) -> None:
    """Every enemy unit on the battlefield takes a Battle-shock test."""
    g.push(ShockedByAll, 1 - owner)


def withdraw(g: BattleCore, owner: int, unit: int, amount: int) -> None:
    """The unit goes to Strategic Reserves."""
    for k in g.members(unit):
        g.models.on_table[k] = 0
    edition(g).acts(g, unit, Deed.LEAVE)
    g.units.place[unit], g.units.reserve[unit] = RESERVE, STRATEGIC
    forget_targets(g)
    g.tell("datasheet.abilities", "goes to Strategic Reserves", unit=unit)


def redeploy(g: BattleCore, owner: int, unit: int, amount: int) -> None:
    """The unit is taken off the battlefield and deployed anew."""
    for k in g.members(unit):
        g.models.on_table[k] = 0
    g.units.place[unit] = DEPLOYING
    forget_targets(g)
    g.tell("datasheet.abilities", "is deployed anew", unit=unit)
    g.push(DeployUnit, unit)


EFFECTS: Mapping[str, Effect] = MappingProxyType(
    {
        "leadership": test_leadership,
        "shock": shock,
        "shock enemies": shock_enemies,
        "withdraw": withdraw,
        "redeploy": redeploy,
        "return D3": lambda g, owner, unit, amount: return_model(g, unit, g.roll(1, 3, 0)),
        "return D3+3": lambda g, owner, unit, amount: return_model(g, unit, g.roll(1, 3, 3)),
        "move": lambda g, owner, unit, amount: move_by_ability(g, unit, amount),
        "move D6": lambda g, owner, unit, amount: move_by_ability(g, unit, g.d6()),
        "move, no charge": lambda g, owner, unit, amount: move_by_ability(g, unit, amount, no_charge=True),
        "mortal D3": lambda g, owner, unit, amount: mortal_wounds(g, unit, g.roll(1, 3, 0)),
    }
)


def still_free(g: BattleCore, player: int) -> list[tuple[Power, int]]:
    """(ability, unit) for the player's abilities that make one Stratagem cheaper in each battle round, with the unit of
    a model on the table that has it. An ability is left out once any of its name has been used this round.
    """
    m, marks = g.models, g.units.marks
    left = []
    powers = g.setup.statics["powers"]["free"]
    used = {
        (power.name, power.owner)
        for power in powers
        if any(marks[m.unit[k]] & Freedom.STRATAGEM_FREED for k in power.models)
    }
    for power in powers:
        if power.owner == player and (power.name, player) not in used:
            for k in power.models:
                if m.on_table[k]:
                    left.append((power, m.unit[k]))
                    break
    return left


def free_units(g: BattleCore, left: list[tuple[Power, int]], unit: int) -> list[int]:
    """Units of ``left`` (see ``still_free``) whose ability makes a Stratagem used on ``unit`` cheaper."""
    if unit < 0 or g.units.place[unit] != ON_TABLE:
        return []
    return [own for power in in_force(g, unit, "free") for other, own in left if other is power]


def count_kills(g: BattleCore, models: Array) -> None:
    """These models were destroyed: a player gains Command points for the enemies among them that the attacking unit
    destroyed, if that unit has such an ability.
    """
    m, attacker = g.models, g.attack.unit[0]
    for power in g.setup.statics["powers"]["kills"]:
        if any(m.unit[k] == attacker for k in power.models):
            dead = [k for k in models.tolist() if m.owner[k] != power.owner and m.keywords[k] & KILLS[power.effect]]
            if dead:
                gain_cp(g, power.owner, len(dead))
