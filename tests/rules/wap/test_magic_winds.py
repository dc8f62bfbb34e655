"""The winds of magic, both pools, channelling, and the course of the Magic phase."""

from __future__ import annotations

from itertools import product

import pytest
from wizards import cast, dispel, knowing, let_be, offered_spells, pools, wizard

from wh_env import Battle
from wh_env.rulesets.wap.codes import Phase
from wh_env.rulesets.wap.magic.spell_dice import chance_of, chance_of_miscast, totals
from wh_env.rulesets.wap.magic.winds import roll_winds, winds_for
from wh_env.rulesets.wap.magic.wizards import bonus_of, level_of
from wh_env.testing import choose, dice_left, kind, script, slots, told
from wh_env.testing.wap import RegimentScene, UnitHandle

PLAYERS = pytest.mark.parametrize("player", [0, 1])
MISCASTS = {2: 0.0378, 3: 0.0987, 4: 0.1723, 5: 0.2514, 6: 0.3310}  # chance by the number of dice


def duel(
    player: int = 0, own: tuple[int, ...] = (2,), enemy: tuple[int, ...] = (), *, dice: tuple[int, ...] = (),
    points: int | None = None, spells: str = "", own_at: dict[str, object] | None = None,
) -> tuple[Battle, list[UnitHandle], list[UnitHandle], UnitHandle]:  # fmt: skip
    """Wizards of these levels in the Magic phase of a player, 12 inches from an enemy unit."""
    scene = RegimentScene(points=points)
    y = (12, 36) if player == 0 else (36, 12)
    mine = [
        scene.unit(player, wizard(level), (12 + 4 * n, y[0]), models=1, files=1, **(own_at or {}))
        for n, level in enumerate(own)
    ]
    foes = [scene.unit(1 - player, wizard(level), (4 + 4 * n, y[1]), models=1) for n, level in enumerate(enemy)]
    scene.unit(player, None, (40, y[0]), models=5)
    target = scene.unit(1 - player, None, (14, 25 if player == 0 else 23), models=20, files=10)
    return (
        scene.battle("magic", player=player, dice=dice, set_state=knowing(dict.fromkeys(mine, spells))),
        mine,
        foes,
        target,
    )


# ---------------------------------------------------------------- winds


@pytest.mark.rule("wap.magic.winds.roll")
@pytest.mark.parametrize(("points", "number"), [(2500, 2), (3999, 2), (4000, 4), (5999, 4), (6000, 6)])
def test_two_dice_for_each_full_tranche_of_two_thousand_points(points: int, number: int) -> None:
    assert winds_for(points) == number
    battle, *_ = duel(points=points, dice=(3,) * number + (1, 1))
    assert told(battle, "wap.magic.winds.roll")[0]["rolls"] == (3,) * number
    assert pools(battle)[0] == 3 * number


@pytest.mark.rule("wap.magic.winds.power-pool", "wap.magic.winds.dispel-pool")
@PLAYERS
@pytest.mark.parametrize("rolls", [(2, 6), (6, 2)])
def test_power_dice_are_the_sum_and_dispel_dice_the_higher_die(player: int, rolls: tuple[int, int]) -> None:
    """Dice used are gone, whether or not the spell was cast."""
    battle, mine, _, target = duel(player, own=(2,), dice=(*rolls, 1, 1))
    assert [pools(battle)[player], pools(battle)[1 - player]] == [8, 6]
    script(battle, [1, 1, 2])  # 5 with the bonus of 1: cast, and a miscast
    cast(battle, mine[0], "Spark", target, 3)
    assert pools(battle)[player] == 5 and kind(battle) == "dispel-by"
    script(battle, [1, 2])
    dispel(battle, None, 2)
    assert pools(battle)[1 - player] == 4
    failed, mine, _, target = duel(player, own=(2,), dice=(*rolls, 1, 1))
    script(failed, [1, 2])  # 4 with the bonus: not cast
    cast(failed, mine[0], "Spark", target, 2)
    assert pools(failed)[player] == 6 and told(failed, "wap.magic.cast.value")[-1]["amount"] == 4


@pytest.mark.rule("wap.magic.winds.dispel-pool.large")
def test_in_large_games_the_dispeller_gets_the_best_half() -> None:
    battle, *_ = duel(points=4000, dice=(5, 2, 6, 3, 1, 1))
    assert pools(battle) == [16, 11]


@pytest.mark.rule("wap.magic.winds.channel-power")
@PLAYERS
def test_each_five_or_six_channels_a_power_die(player: int) -> None:
    battle, *_ = duel(player, own=(2, 4), dice=(2, 6, 5, 1, 6, 2, 4, 5))
    assert pools(battle)[player] == 11 and dice_left(battle) == 0


@pytest.mark.rule("wap.magic.winds.channel-dispel")
@PLAYERS
def test_each_six_channels_a_dispel_die(player: int) -> None:
    battle, *_ = duel(player, own=(1,), enemy=(1, 2), dice=(2, 6, 1, 6, 5, 6))
    assert pools(battle)[1 - player] == 8 and dice_left(battle) == 0


@pytest.mark.rule("wap.magic.winds.channel-barred")
@PLAYERS
@pytest.mark.parametrize("active", [True, False])
@pytest.mark.parametrize("barred", ["fleeing", "stupid", "reserve"])
def test_wizards_who_flee_are_stupid_or_away_do_not_channel(player: int, active: bool, barred: str) -> None:
    """One is in a unit that flees, or is stupid (wap.special.stupidity.until-passed), or is off the table."""
    scene = RegimentScene()
    side = player if active else 1 - player
    host = scene.unit(side, None, None if barred == "reserve" else (12, 12), models=5, **{barred: 1})
    scene.unit(side, wizard(4), inside=host, models=1)
    scene.unit(side, wizard(2), (30, 12), models=1)
    scene.unit(1 - side, None, (24, 40), models=5)
    battle = scene.battle("magic", player=player, dice=(1, 1, 6, 6))
    assert dice_left(battle) == 0
    assert pools(battle)[side] == (2 if active else 1) + 2


# ---------------------------------------------------------------- levels


@pytest.mark.rule("wap.magic.wizard")
def test_whoever_casts_spells_is_a_wizard_of_his_level() -> None:
    battle, mine, *_ = duel(own=(2,), dice=(1, 1, 1, 1))
    shaman = mine[0].row
    assert level_of(battle, shaman) == 2 and level_of(battle, 1) == 0
    assert [event["rolls"] for event in told(battle, "wap.magic.winds.channel-power")] == [(1, 1)]
    assert "wizard of level 2" in battle.setup.ruleset.states(battle, shaman)


@pytest.mark.rule("wap.magic.level")
@pytest.mark.parametrize(
    ("level", "spells", "highest", "dice", "bonus"),
    [(1, 1, 3, 3, 1), (2, 2, 4, 4, 1), (3, 3, 5, 5, 2), (4, 4, 6, 6, 2)],
)
def test_what_a_level_gives(level: int, spells: int, highest: int, dice: int, bonus: int) -> None:
    """The number of spells, the highest number among them, the most dice, and the bonus."""
    scene = RegimentScene()
    scene.unit(0, wizard(level), models=1)
    scene.unit(1, None, models=5)
    learning = scene.battle("deployment", detail="full")
    learnt = []
    while kind(learning) in ("learns-next", "learn-spell"):
        learnt.append(len(slots(learning, "number")))
        choose(learning, "number", slots(learning, "number")[-1])
    assert len(learnt) == spells and learnt[0] == highest
    battle, mine, _, target = duel(own=(level,), dice=(6, 6, *[1] * level))
    cast(battle, mine[0], "Spark", target, 0)
    assert slots(battle, "number") == list(range(dice))
    assert bonus_of(battle, mine[0].row) == bonus


# ---------------------------------------------------------------- the phase


@pytest.mark.rule("wap.magic.phase.sequence")
@PLAYERS
def test_winds_then_a_spell_then_dispel_then_its_effects_then_the_next(player: int) -> None:
    battle, mine, _, target = duel(player, own=(2, 2), dice=(3, 4, 1, 1, 1, 1), spells="Stroke")
    assert [event.kind for event in battle.events if event.rule.startswith("wap.magic")] == [
        "winds of magic", "channels", "channels",
    ]  # fmt: skip
    script(battle, [6, 5, 5, 6, 6])
    cast(battle, mine[0], "Stroke", target, 1)
    assert kind(battle) == "dispel-by" and battle.units.alive[target] == 20
    assert battle.decision is not None and battle.decision.player == 1 - player
    let_be(battle)
    assert battle.units.alive[target] == 18
    assert kind(battle) == "cast-by" and battle.decision.player == player


@pytest.mark.rule("wap.magic.next")
@PLAYERS
def test_wizards_may_alternate(player: int) -> None:
    battle, (p, q), _, target = duel(player, own=(2, 2), dice=(6, 6, 1, 1, 1, 1), spells="Stroke,Curse")
    for caster, spell in ((p, "Stroke"), (q, "Curse"), (p, "Spark"), (q, "Stroke")):
        script(battle, [1])  # it fails for want of power
        assert spell in offered_spells(battle, caster)
        cast(battle, caster, spell, target, 1)
        battle.wizards.cannot_cast[caster] = 0
        assert spell not in offered_spells(battle, caster)


@pytest.mark.rule("wap.magic.phase.end")
@PLAYERS
def test_the_phase_ends_without_dice_spells_or_the_wish_to_cast(player: int) -> None:
    battle, mine, _, target = duel(player, own=(4, 1), dice=(2, 1, 1, 1, 1, 1, 1))
    assert pools(battle)[player] == 3
    declined = battle.clone()
    choose(declined, "done")
    assert declined.clock.phase[0] != Phase.MAGIC or declined.clock.turn[0] != player
    script(battle, [1, 1, 2])
    cast(battle, mine[0], "Spark", target, 3)  # 6: it is cast, and nothing is left
    let_be(battle)
    assert battle.clock.phase[0] != Phase.MAGIC  # although the other wizard has not tried
    tried, mine, _, target = duel(player, own=(1,), dice=(6, 6, 1))
    script(tried, [3])
    cast(tried, mine[0], "Spark", target, 1)  # his only spell fails
    assert tried.clock.phase[0] != Phase.MAGIC
    assert told(tried, "wap.battle.turn.phases")[1]["phase"] == "Shooting"


@pytest.mark.rule("wap.magic.phase.end")
def test_dice_that_are_left_are_lost() -> None:
    battle, *_ = duel(own=(1,), enemy=(1,), dice=(6, 6, 1, 1))
    assert pools(battle) == [12, 6]
    script(battle, [1, 1, 1, 1])
    choose(battle, "done")
    while kind(battle) != "cast-by":
        battle.apply(battle.first_legal())
    assert battle.clock.turn[0] == 1 and sum(pools(battle)) < 18
    assert told(battle, "wap.magic.winds.roll")[1]["amount"] in (pools(battle)[1], pools(battle)[1] - 1)


def test_battles_without_spells_have_no_magic_phase() -> None:
    scene = RegimentScene()
    scene.unit(0, None, (24, 10), models=5)
    scene.unit(1, None, (24, 30), models=5)
    battle = scene.battle("magic")
    assert len(battle.wizards.rows) == len(battle.pools.rows) == len(battle.spellbook.rows) == 0
    assert not told(battle, "wap.magic.winds.roll")


# ---------------------------------------------------------------- oracles


def by_enumeration(number: int) -> tuple[dict[int, float], float]:
    """The chance of each natural total of so many dice with their free dice, and that two or more show a 1."""
    found: dict[int, float] = {}
    miscasts = 0.0
    for dice in product(range(1, 7), repeat=number):
        sixes = dice.count(6)
        share = 6.0 ** -(number + sixes)
        for free in product(range(1, 7), repeat=sixes):
            total = sum(dice) + sum(free)
            found[total] = found.get(total, 0.0) + share
            miscasts += share * ((dice + free).count(1) >= 2)
    return found, miscasts


@pytest.mark.rule("wap.magic.cast.irresistible", "wap.magic.dispel.irresistible")
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_sums_with_free_dice_are_those_of_an_enumeration(number: int) -> None:
    found, miscasts = by_enumeration(number)
    worked_out = totals(number)
    assert sum(worked_out) == pytest.approx(1.0)
    assert {n: chance for n, chance in enumerate(worked_out) if chance} == pytest.approx(found)
    for needed in range(30):
        assert chance_of(number, needed) == pytest.approx(sum(c for n, c in found.items() if n >= max(3, needed)))
    assert chance_of_miscast(number) == pytest.approx(miscasts)


@pytest.mark.rule("wap.magic.miscast.trigger")
@pytest.mark.parametrize(("number", "chance"), MISCASTS.items())
def test_chances_of_a_miscast(number: int, chance: float) -> None:
    assert chance_of_miscast(number) == pytest.approx(chance, abs=5e-5)


@pytest.mark.rule("wap.magic.winds.power-pool", "wap.magic.winds.dispel-pool")
def test_pools_are_spread_as_two_dice_are() -> None:
    """Of the 36 rolls of two dice the sums are 7 on average, and the higher dice 161/36."""
    scene = RegimentScene()
    scene.unit(0, wizard(1), (24, 10), models=1)
    scene.unit(1, None, (24, 30), models=5)
    battle, found = scene.battle("magic", dice=(1, 1, 1)), []
    for one, other in product(range(1, 7), repeat=2):
        script(battle, [one, other, 1])
        battle.pools.dice[0] = battle.pools.dice[1] = 0
        roll_winds(battle, 0)
        assert pools(battle) == [one + other, max(one, other)]
        found.append(pools(battle))
    assert sum(power for power, _ in found) == 36 * 7 and sum(dispel for _, dispel in found) == 161
