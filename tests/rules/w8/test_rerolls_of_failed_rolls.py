"""Re-rolls of failed rolls are judged before modifiers, those of any roll are not (w8.concepts.reroll.before-modifiers)."""

from __future__ import annotations

import numpy as np
import pytest
from eighth import EighthScene
from ninth import NinthScene

from wh_env.rulesets.w8.numbers import ATTACK_NUMBERS
from wh_env.rulesets.w40k.attack.circumstances import Near
from wh_env.rulesets.w40k.attack.odds import Target, damage_distribution
from wh_env.rulesets.w40k.profiles import WEAPON
from wh_env.testing import dice_left, kind, pick, ranged, sheet, told

FAILED, ANY = "re-roll failed hit rolls", "re-roll hit rolls"
SIDES = pytest.mark.parametrize("player", [0, 1])
DETAILS = pytest.mark.parametrize("detail", ["squad", "full"])


def shooting(scene, dice, player, detail, *modifiers, S=4, foe=None):
    """A gun of BS 3+ shoots at a unit of Toughness 4 by these rules."""
    scene.unit(player, sheet("Guns", weapons={"gun": ranged(24, BS=3, S=S)}), at=(20, 16) if player == 0 else (20, 28))
    scene.unit(1 - player, foe or sheet("Target", W=30, Sv=6), at=(20, 28) if player == 0 else (20, 16))
    rules = {"modifiers": [{"effect": effect, "keyword": "INFANTRY", "player": player} for effect in modifiers]}
    battle = scene.battle("shooting", active=player, dice=dice, detail=detail, rules=rules)
    while kind(battle) in ("select-to-shoot", "weapon-target", "shoot-target"):
        pick(battle, "Guns") if kind(battle) == "select-to-shoot" else battle.apply(battle.decision.options[-1])
    return battle


@pytest.mark.rule("w8.concepts.reroll.before-modifiers")
@SIDES
@DETAILS
@pytest.mark.parametrize(
    ("word", "modifier", "dice", "wounded"),
    [
        (FAILED, "-1 to hit", [3], False),  # it meets BS 3+, and misses after the modifier
        (ANY, "-1 to hit", [3, 6, 6, 1], True),
        (FAILED, "-1 to hit", [2, 6, 6, 1], True),
        (FAILED, "+1 to hit", [2, 6, 1], True),  # it fails, and hits after the modifier: its player keeps it
        (ANY, "+1 to hit", [2, 6, 1], True),
        (FAILED, "+1 to hit", [1, 6, 6, 1], True),
    ],
)
def test_a_failed_hit_roll_is_one_that_fails_before_modifiers(word, modifier, dice, wounded, player, detail):
    battle = shooting(EighthScene(), dice, player, detail, word, modifier)
    assert dice_left(battle) == 0
    assert any(event["result"] for event in told(battle, "w8.attack.wound")) is wounded
    first = told(battle, "w8.attack.hit")[0]
    assert first["die"] == dice[0]


@SIDES
@DETAILS
@pytest.mark.parametrize(("word", "dice"), [(FAILED, [3]), (ANY, [3, 6, 1]), (FAILED, [2, 6, 1])])
def test_in_the_9th_edition_too(word, dice, player, detail):
    battle = shooting(NinthScene(), dice, player, detail, word, "-1 to hit")
    assert dice_left(battle) == 0
    assert len(told(battle, "w9.attack.wound")) == len(dice) // 2


@pytest.mark.rule("w8.concepts.reroll.before-modifiers")
@SIDES
@pytest.mark.parametrize(
    ("modifier", "die", "again"), [("-1 to wound", 4, False), ("-1 to wound", 3, True), ("+1 to wound", 3, False)]
)
def test_a_failed_wound_roll_is_one_that_fails_before_modifiers(modifier, die, again, player):
    """Strength 4 against Toughness 4 wounds on 4+."""
    ability = {"name": "Hate", "effect": "re-roll failed wound rolls", "active": True}
    data = sheet("Guns", weapons={"gun": ranged(24, BS=3, S=4)}, abilities={"auras": [{**ability, "range": 1}]})
    scene = EighthScene()
    scene.unit(player, data, at=(20, 16) if player == 0 else (20, 28))
    scene.unit(1 - player, sheet("Target", W=30, Sv=6), at=(20, 28) if player == 0 else (20, 16))
    rules = {"modifiers": [{"effect": modifier, "keyword": "INFANTRY", "player": player}]}
    dice = [6, die, *([6] if again else [])]
    battle = scene.battle("shooting", active=player, dice=[*dice, 1], detail="squad", rules=rules)
    while kind(battle) in ("select-to-shoot", "shoot-target"):
        pick(battle, "Guns") if kind(battle) == "select-to-shoot" else battle.apply(battle.decision.options[-1])
    saved = again or modifier == "+1 to wound"
    assert dice_left(battle) == (0 if saved else 1)


@pytest.mark.rule("w8.concepts.reroll.before-modifiers")
@pytest.mark.parametrize(
    ("near", "chance"),
    [
        (Near.REROLL_FAILED_HITS | Near.HIT_MINUS, 3 / 6 + 2 / 6 * 3 / 6),
        (Near.REROLL_HITS | Near.HIT_MINUS, 3 / 6 + 3 / 6 * 3 / 6),
        (Near.REROLL_FAILED_HITS | Near.HIT_PLUS, 5 / 6 + 1 / 6 * 5 / 6),
        (Near.REROLL_FAILED_HITS | Near.REROLL_HITS | Near.HIT_MINUS, 3 / 6 + 3 / 6 * 3 / 6),
        (Near.REROLL_FAILED_HITS | Near.REROLL_HIT_ONES, 4 / 6 + 2 / 6 * 4 / 6),
    ],
)
def test_exact_odds_tell_them_apart(near, chance):
    """BS 3+, wounds on 4+, no save."""
    row = np.zeros(1, WEAPON)
    row["skill"], row["strength_plus"], row["attacks_plus"], row["damage_plus"], row["ap"] = 3, 4, 1, 1, -6
    odds = damage_distribution(row, 0, 1, int(near), Target(4, 6, wounds=1, models=1), ATTACK_NUMBERS)
    assert odds.mean_lost == pytest.approx(chance / 2)
