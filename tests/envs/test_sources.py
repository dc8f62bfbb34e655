"""Which battle is drawn."""

from __future__ import annotations

import numpy as np
import pytest

import wh_env
from wh_env import ContentError
from wh_env.content.load import find, read_yaml
from wh_env.envs.sources import BattleSource

SKIRMISH, INCURSION = "w10/only-war-skirmish", "w10/only-war-incursion"
CONFIG = read_yaml(find("battles", SKIRMISH))


def swapped(config: dict) -> dict:
    return {**config, "armies": config["armies"][::-1]}


def generated(generator: np.random.Generator) -> dict:
    """A battle whose name is its number."""
    return {**CONFIG, "name": f"Battle {generator.integers(1 << 30)}"}


def drawn(source: BattleSource, seed: int, count: int) -> list[str]:
    chance = np.random.default_rng(seed)
    return [source.draw(chance).setup.source for _ in range(count)]


def test_one_battle_is_compiled_once():
    source = BattleSource("w10", SKIRMISH)
    chance = np.random.default_rng(0)
    assert source.draw(chance) is source.draw(chance)
    assert source.any() is source.draw(chance)


def test_the_rulesets_own_battle_is_played_when_none_is_named():
    assert BattleSource("w10").any().setup.width == 44


def test_a_list_is_drawn_from():
    source = BattleSource("w10", [SKIRMISH, INCURSION])
    widths = {source.draw(np.random.default_rng(seed)).setup.width for seed in range(12)}
    assert widths == {30, 44}
    assert drawn(source, 5, 8) == drawn(source, 5, 8)


def test_dicts_that_differ_only_in_order_are_different_battles():
    source = BattleSource("w10", CONFIG)
    chance = np.random.default_rng(0)
    assert source.draw(chance).setup.source != source.draw(chance, swapped(CONFIG)).setup.source


def test_a_function_makes_a_new_battle_every_time():
    source = BattleSource("w10", generated)
    told = drawn(source, 3, 4)
    assert len(set(told)) == 4
    assert drawn(source, 3, 4) == told


def test_a_pool_keeps_some_and_renews_the_oldest():
    source = BattleSource("w10", generated, pool=3, renew=5)
    told = drawn(source, 3, 40)
    # 3 to fill it, then one more at every fifth draw
    assert len(set(told)) == 3 + sum(n % 5 == 0 for n in range(4, 41))
    source.forget()
    assert drawn(source, 3, 40) == told
    # what was replaced does not come back
    first = told[0]
    assert first not in told[20:]


def test_a_random_battle_is_another_each_time_unless_it_names_its_seed():
    told = drawn(BattleSource("w10", "w10/random-skirmish"), 3, 3)
    assert len(set(told)) == 3
    assert drawn(BattleSource("w10", "w10/random-skirmish"), 3, 3) == told
    assert len(set(drawn(BattleSource("w10", "w10/random-skirmish?seed=7"), 3, 3))) == 1
    inline = {**CONFIG, "battlefield": "random"}
    assert len(set(drawn(BattleSource("w10", inline), 3, 3))) == 3
    assert len(set(drawn(BattleSource("w10", {**inline, "random": {"seed": 1}}), 3, 3))) == 1
    assert len(set(drawn(BattleSource("w10", ["w10/random-skirmish", inline], pool=2, renew=100), 3, 30))) == 4


def test_options_hold_for_one_battle():
    environment = wh_env.single_env(battle=SKIRMISH)
    environment.reset(seed=1, options={"battle": INCURSION, "rules": {"rounds": 3}})
    assert environment.battle.setup.width == 44
    assert environment.battle.setup.rules["rounds"] == 3
    environment.reset()
    assert environment.battle.setup.width == 30
    assert environment.battle.setup.rules["rounds"] != 3


@pytest.mark.parametrize(
    ("how", "match"),
    [
        ({"battle": []}, "battle: .* expected at least one battle"),
        ({"pool": 0}, "pool: 0 .* expected a whole number from 1 on"),
        ({"ruleset": "w11"}, "ruleset: 'w11' is not known; expected one of .*w10"),
        ({"battle": "w10/no-such"}, "no-such"),
    ],
)
def test_what_cannot_be_used_is_refused(how, match):
    with pytest.raises(ContentError, match=match):
        BattleSource(**{"ruleset": "w10", **how}).any()
