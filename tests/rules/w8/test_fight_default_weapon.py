"""Models without a melee weapon fight with a close combat weapon (w8.fight.weapon.default)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from classic import WEAPONS, raw_army, raw_sheet

from wh_env.content import w9
from wh_env.content.battle import Battle
from wh_env.content.classic.compile import compile_plan
from wh_env.content.w40k.compile import battle_plan
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.w8.ruleset import EIGHTH_EDITION
from wh_env.testing import kind, pick, script, told


def fighting(player: int, dice: list[int], **model: Any) -> Battle:
    """One model of these editions' datasheets in contact with another of T 4 and Sv 3+, in the Fight phase of a player."""
    fighter = raw_sheet("Fighter", weapons=WEAPONS, model={"max": 1, "weapons": ["gun"], **model})
    foe = raw_sheet("Foe", model={"max": 1, "W": 9, "weapons": ["gun"], "WS": "-"})
    armies = [raw_army(fighter), raw_army(foe)]
    loaded = w9.GAME.load("w9/only-war-patrol", {"armies": armies if player == 0 else armies[::-1]})
    plan = battle_plan(EIGHTH_EDITION, loaded, dict(EIGHTH_EDITION.core_rules), {}, {})
    setup = compile_plan(replace(plan, script=64))
    battle = object.__new__(Battle)
    battle._bind(setup, setup.template.copy(), record=True)
    battle._seed(1)
    script(battle, dice)
    units, models = battle.units, battle.models
    for unit, x in enumerate((20.0, 20.0 + 2 * models.radius[0])):
        model_row = units.first[unit]
        units.place[unit], models.on_table[model_row] = ON_TABLE, 1
        models.x[model_row], models.y[model_row] = x, 20.0
    setup.ruleset.enter(battle, "fight", player, 1)
    battle.run()
    return battle


@pytest.mark.rule("w8.fight.weapon.default")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("S", "needed"), [(4, 4), (3, 5)])
def test_its_strength_is_the_users_without_ap_and_with_damage_one(player: int, S: int, needed: int) -> None:
    """A 2, S 4, only a gun: two attacks that wound T 4 on 4+ (S 3: 5+), the save of 3+ is unmodified, one wound each."""
    battle = fighting(player, [3, 3, needed, needed, 2, 3], S=S, WS="3+", A=2)
    for _ in range(20):
        if len(told(battle, "w8.attack.save")) == 2:
            break
        pick(battle, "Fighter") if kind(battle) == "select-to-fight" else battle.apply(battle.first_legal())
    assert [(e["die"], e["needed"]) for e in told(battle, "w8.attack.hit")] == [(3, 3), (3, 3)]
    assert [(e["die"], e["needed"]) for e in told(battle, "w8.attack.wound")] == [(needed, needed)] * 2
    assert [(e["needed"], bool(e["result"])) for e in told(battle, "w8.attack.save")] == [(3, False), (3, True)]
    foe = battle.units.first[battle.players.first_unit[1 - player]]
    assert battle.models.wounds[foe] == 8
