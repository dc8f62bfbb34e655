"""The table of effects has room for every spell that may act at once."""

from __future__ import annotations

from enchanting import wizard

from wh_env.rulesets.wap.basics.effects import begin_effect, effects_of
from wh_env.testing.wap import RegimentScene


def test_a_hex_for_the_whole_battle_may_lie_on_every_enemy_unit() -> None:
    scene = RegimentScene((72, 72))
    scene.unit(0, wizard("metal"), (6, 12), models=1, files=1)
    enemies = [scene.unit(1, None, (6.0 + 5.5 * n, 40), models=3, files=3) for n in range(12)]
    battle = scene.battle("magic")
    rust = next(n for n, effect in enumerate(effects_of(battle)) if effect.name == "Plague of Rust")
    assert all(begin_effect(battle, rust, enemy.row, 0) for enemy in enemies)
    assert sum(unit in [enemy.row for enemy in enemies] for unit in battle.effects.unit) == len(enemies)
