"""What greedy makes of spells: their worth against all dice, and of each decision a position where the better choice is taken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import comb
from typing import Any

import pytest

from wh_env import Battle
from wh_env.agents.policies import make
from wh_env.rulesets.wap.basics.effects import Effect, Until, begin_effect, rows_in_use
from wh_env.rulesets.wap.codes import FORGOTTEN, FRONT, KNOWN
from wh_env.rulesets.wap.magic.spells import Casting, Deed, Kind, spells_of
from wh_env.rulesets.wap.rule_book import ALWAYS_STRIKES_FIRST, FRENZY, Grant
from wh_env.rulesets.wap.view import appraise_fates
from wh_env.rulesets.wap.view.appraise_combat import worth_left, worth_of_charge, worth_of_round
from wh_env.rulesets.wap.view.appraise_magic import (
    COSTS,
    SCORERS,
    plan_for,
    share_lost_by_miscast,
    worth_of_casting,
    worth_of_rest,
    worth_of_spells,
    worths_of_versions,
)
from wh_env.rulesets.wap.view.judge_magic import (
    EACH_POINT,
    EACH_RULE,
    FAR,
    JUDGE,
    LASTING,
    NEAR,
    UNSEEN,
    mean_loss,
    rules_changed,
)
from wh_env.rulesets.wap.view.stakes import LIKELY, ROUNDS
from wh_env.rulesets.wap.weapons.hit import AUTOMATIC, MAGICAL, SPELL, Hit
from wh_env.testing import script, words
from wh_env.testing.wap import RegimentScene, UnitHandle, square

BOTH = pytest.mark.parametrize("owner", [0, 1])


def choice(battle: Battle) -> str:
    """The words of what greedy does; it changes nothing."""
    before = battle.state_bytes()
    told = words(battle)[make("greedy").act(battle, battle.legal())]
    assert battle.state_bytes() == before
    return told


def pick(battle: Battle, told: str) -> None:
    """Answer the waiting decision with the option that is told so."""
    battle.apply(next(action for action, name in words(battle).items() if name == told))


def play(battle: Battle, decision: str) -> None:
    """Let greedy decide until it is asked this decision."""
    policy = make("greedy")
    while battle.decision.kind != decision:
        battle.apply(policy.act(battle, battle.legal()))


PLAYED = ("Fireball", "Flesh to Stone")


class Field:
    """A wizard of ``owner`` with a lore, and enemies in front of him; the foe's wizard is optional."""

    def __init__(
        self,
        owner: int = 0,
        lore: str = "fire",
        level: int = 2,
        foe: int = 0,
        *,
        ld: int = 7,
        known: Sequence[str] = PLAYED,
    ) -> None:
        self.scene, self.owner, self.ld, self.known = RegimentScene(), owner, ld, known
        self.sign = 1 if owner == 0 else -1
        self.mage = self.wizard(owner, lore, level, (24, 24 - 8 * self.sign), "mage")
        if foe:
            self.wizard(1 - owner, "fire", foe, (24, 24 + 14 * self.sign), "enemy mage")

    def wizard(self, side: int, lore: str, level: int, at: tuple[float, float], name: str) -> UnitHandle:
        wizard = {"level": level, "lores": [lore]}
        card = square(character=True, size=[1, 1], w=2, ld=self.ld, points=65, wizard=wizard)
        return self.scene.unit(side, card, at, models=1, files=1, name=name)

    def enemies(self, name: str, x: float, models: int = 20, ahead: float = 4.0, **card: Any) -> UnitHandle:
        """A unit of the enemy, ``ahead`` inches beyond the middle of the table."""
        at = (x, 24 + ahead * self.sign)
        return self.scene.unit(1 - self.owner, square(**card), at, models=models, files=5, name=name)

    def friends(self, name: str, x: float, **card: Any) -> UnitHandle:
        at = (x, 24 - 4 * self.sign)
        return self.scene.unit(self.owner, square(**card), at, models=20, files=5, name=name)

    def battle(
        self, dice: tuple[int, ...] = (4, 4, 1, 1, 1, 1, 1, 1), detail: str = "full", turn: int | None = None
    ) -> Battle:
        player = self.owner if turn is None else turn
        return self.scene.battle("magic", player=player, dice=dice, detail=detail, set_state=self.learn)

    def learn(self, battle: Battle) -> None:
        """Every wizard knows those of the chosen spells that his lores have, and no others."""
        for row, number in enumerate(battle.spellbook.spell):
            battle.spellbook.known[row] = KNOWN if spells_of(battle)[number].name in self.known else FORGOTTEN


# ---------------------------------------------------------------- hits and effects


@pytest.mark.parametrize("number", [(1, 6, 0), (2, 6, 0), (1, 3, 0), (0, 6, 4)])
@pytest.mark.parametrize("left", [1, 2, 3, 40])
def test_the_mean_of_losses_is_that_of_all_dice(number: tuple[int, int, int], left: int) -> None:
    """Each hit costs 0, 1 or 2 Wounds with chances 3/6, 2/6, 1/6."""
    dice, sides, plus = number
    total = 0.0
    rolls = list(product(range(1, 7), repeat=dice))
    for rolled in rolls:
        hits = plus + sum(die if sides == 6 else -(-die // 2) for die in rolled)
        chances = {0: 1.0}
        for _ in range(hits):
            after = dict[int, float]()
            for lost, chance in chances.items():
                for costs, share in ((0, 3 / 6), (1, 2 / 6), (2, 1 / 6)):
                    at = min(left, lost + costs)
                    after[at] = after.get(at, 0.0) + chance * share
            chances = after
        total += sum(lost * chance for lost, chance in chances.items()) / len(rolls)
    assert mean_loss(number, (3 / 6, 2 / 6, 1 / 6), left) == pytest.approx(total)


@BOTH
def test_hits_are_worth_the_losses_that_they_cost(owner: int) -> None:
    """D6 hits of Strength 4 on Toughness 3 without armour: two thirds of 3.5 of 20 models. Of a target without range: nothing."""
    field = Field(owner)
    target = field.enemies("soldiers", 24, points=5)
    far = field.enemies("far", 40, ahead=20)
    battle = field.battle()
    base, *boosts = worths_of_versions(battle, field.mage.row, 0, target.row)
    assert worth_left(battle, target.row) == 100
    assert base == pytest.approx(3.5 * 2 / 3 * 5)
    assert boosts == pytest.approx([2 * base, 3 * base])
    assert worths_of_versions(battle, field.mage.row, 0, far.row)[0] == 0.0
    hit = Hit(4, nature=AUTOMATIC | MAGICAL | SPELL)
    assert JUDGE.of_hits(battle, target.row, (1, 6, 0), hit, FRONT) == pytest.approx(-base)
    # a character of two Wounds loses no more than these
    assert -65 < JUDGE.of_hits(battle, field.mage.row, (3, 6, 0), hit, FRONT) < -60


STRONGER = Effect("stronger", changes=(("s", 1),))
FIRST = Effect("first", grants=(Grant(ALWAYS_STRIKES_FIRST, ""),))


def test_effects_are_worth_more_where_units_fight() -> None:
    scene = RegimentScene(effects=(STRONGER, FIRST))
    fights = scene.unit(0, square(points=5), (12, 20), models=20, files=5)
    enemy = scene.beside(fights, 1, square(points=5), models=20, files=5)
    near = scene.unit(0, square(points=5), (30, 20), models=20, files=5)
    scene.unit(1, square(points=5), (30, 32), models=20, files=5)
    far = scene.unit(0, square(points=5), (45, 4), models=20, files=5)
    battle = scene.battle("movement")

    def worth(unit: UnitHandle, effect: Effect, helps: bool = True) -> float:
        return JUDGE.estimate(battle, unit.row, effect, helps=helps)

    assert worth(fights, STRONGER) == pytest.approx(100 * EACH_POINT["s"])
    assert worth(near, STRONGER) == pytest.approx(NEAR * 100 * EACH_POINT["s"])
    assert worth(far, STRONGER) == pytest.approx(FAR * 100 * EACH_POINT["s"])
    assert worth(fights, FIRST) == pytest.approx(100 * EACH_RULE)
    assert worth(fights, FIRST, helps=False) == pytest.approx(-100 * EACH_RULE)
    weaker = Effect("weaker", changes=(("s", -1), ("t", -1)), until=Until.BATTLE)
    assert worth(enemy, weaker, helps=False) == pytest.approx(-LASTING * 100 * (EACH_POINT["s"] + EACH_POINT["t"]))
    assert worth(fights, Effect("slower", lowers_by=("s",)), helps=False) == pytest.approx(-2 * 100 * EACH_POINT["s"])
    twice = Effect("twice", multiplies=(("s", 2),), sets=(("t", 10),))
    assert worth(fights, twice) == pytest.approx(100 * (3 * EACH_POINT["s"] + 7 * EACH_POINT["t"]))
    # who fights neither marches nor shoots
    assert worth(fights, Effect("swift", changes=(("m", 4),))) == 0.0
    assert worth(far, Effect("swift", changes=(("m", 4),))) == pytest.approx(4 * 100 * EACH_POINT["m"])


@pytest.mark.parametrize("owner", [0, 1])
def test_an_effect_is_worth_what_rounds_are_worth_with_it_and_without(owner: int) -> None:
    """Of a unit that fights its rounds, of an idle one the charge that threatens it; and the estimate of what they do
    not show.
    """
    weaker = Effect("weaker", changes=(("t", -1),))
    scene = RegimentScene(effects=(STRONGER, weaker))
    sign = 1 if owner == 0 else -1
    fights = scene.unit(owner, square(points=5), (12, 24 - 4 * sign), models=20, files=5)
    enemy = scene.beside(fights, 1 - owner, square(points=5), models=20, files=5)
    idle = scene.unit(owner, square(points=5), (32, 24 - 4 * sign), models=20, files=5)
    threat = scene.unit(1 - owner, square(points=5), (32, 24 + 2 * sign), models=20, files=5)
    far = scene.unit(owner, square(points=5), (45, 24 - 20 * sign), models=20, files=5)
    battle = scene.battle("magic", player=owner, run=False)

    def under(number: int, unit: UnitHandle) -> Battle:
        copy = battle.clone()
        begin_effect(copy, number, unit.row, owner)
        return copy

    def unseen(unit: UnitHandle, effect: Effect, helps: bool) -> float:
        return UNSEEN * JUDGE.estimate(battle, unit.row, effect, helps=helps)

    def round_(g: Battle) -> float:
        return worth_of_round(g, fights.row, enemy.row, FRONT)

    before = battle.to_bytes()
    gain = JUDGE.of_effect(battle, fights.row, STRONGER, helps=True) - unseen(fights, STRONGER, True)
    assert gain == pytest.approx(ROUNDS * (round_(under(0, fights)) - round_(battle))) and gain > 5.0
    loss = JUDGE.of_effect(battle, enemy.row, weaker, helps=False) - unseen(enemy, weaker, False)
    assert loss < -5.0
    charged = [worth_of_charge(g, threat.row, idle.row, FRONT) for g in (battle, under(1, idle))]
    harm = JUDGE.of_effect(battle, idle.row, weaker, helps=False) - unseen(idle, weaker, False)
    assert harm == pytest.approx(LIKELY * (charged[0] - charged[1])) and harm < 0.0
    assert JUDGE.of_effect(battle, far.row, STRONGER, helps=True) == pytest.approx(unseen(far, STRONGER, True))
    assert battle.to_bytes() == before
    begin_effect(battle, 0, fights.row, owner)
    assert JUDGE.of_effect(battle, fights.row, STRONGER, helps=True) == 0.0  # wap.magic.same-spell
    (k,) = rows_in_use(battle)
    goes_on = JUDGE.of_acting(battle, k) - unseen(fights, STRONGER, True)
    assert goes_on == pytest.approx(LASTING * gain)


def test_rules_that_are_taken_count_as_those_that_are_given() -> None:
    scene = RegimentScene()
    unit = scene.unit(0, square(points=5), (12, 20), models=20, files=5)
    scene.beside(unit, 1, models=20, files=5)
    battle = scene.battle("movement", run=False)
    bold = Effect("bold", takes=(FRENZY,))
    assert JUDGE.estimate(battle, unit.row, bold, helps=True) == pytest.approx(100 * EACH_RULE)


@dataclass(frozen=True)
class More(Effect):
    """An effect of further kinds."""

    rerolls: int = 0
    change: tuple[int, int] = (1, 1)


def test_whatever_else_an_effect_does_counts_as_a_rule() -> None:
    assert rules_changed(Effect("none", adds_up=True, until=Until.BATTLE, changes=(("s", 1),))) == 0
    assert rules_changed(Effect("two", takes=(FRENZY,), grants=FIRST.grants)) == 2
    assert rules_changed(More("more")) == 0
    assert rules_changed(More("more", rerolls=2)) == rules_changed(More("more", takes=(FRENZY,))) == 1


def test_a_deed_that_does_not_say_its_worth_is_guessed_at() -> None:
    field = Field()
    target = field.enemies("soldiers", 24, points=5)
    battle = field.battle()
    for kind, good in ((Kind.AUGMENT, 1), (Kind.HEX, -1), (Kind.VORTEX, -1), (Kind.DAMAGE, -1), (Kind.NONE, 0)):
        assert JUDGE.of_other(battle, target.row, kind) == pytest.approx(10 * good)
    casting = Casting(0, field.mage.row, 0, spells_of(battle)[0], 0, target.row, 5)
    assert Deed().worth(JUDGE, battle, casting, target.row) == pytest.approx(-10)


def test_miscasts_cost_what_their_results_cost() -> None:
    """Against all dice that can fall; free dice included, which are not counted among those added to the D6."""
    for dice in (1, 2, 3):
        trigger = 0.0
        for rolled in product(range(1, 7), repeat=dice):
            sixes = rolled.count(6)
            for free in product(range(1, 7), repeat=sixes):
                trigger += (rolled.count(1) + free.count(1) >= 2) / 6**dice / 6**sixes
        results = [max(3, min(12, die + dice)) for die in range(1, 7)]
        assert share_lost_by_miscast(dice) == pytest.approx(trigger * sum(COSTS[result] for result in results) / 6)
    assert share_lost_by_miscast(6) > share_lost_by_miscast(4) > share_lost_by_miscast(2)


def test_dice_that_are_kept_cast_the_best_of_the_other_spells() -> None:
    """Two and a half dice a spell, each worth half: of ten points and four, five dice bring seven, more dice no more."""
    assert [worth_of_rest([4.0, 10.0], dice) for dice in (0, 1, 5, 9)] == pytest.approx([0.0, 2.0, 7.0, 7.0])


@pytest.mark.parametrize("left", [1, 3])
def test_hits_on_a_single_model_cost_its_points_by_all_dice(left: int) -> None:
    """2D6 - 3 hits that wound on 4+ a character of three Wounds and 65 points: half his points by Wounds, half by
    death.
    """
    scene = RegimentScene()
    hero = scene.unit(0, square(character=True, size=[1, 1], w=3, points=65), (12, 12), models=1)
    scene.unit(1, None, (12, 30), models=5)
    battle = scene.battle("magic", run=False)
    battle.models.wounds[hero.first] = left
    chances: dict[int, float] = {}
    shares = deaths = 0.0
    for dice in product(range(1, 7), repeat=2):
        hits = max(0, sum(dice) - 3)
        chances[hits] = chances.get(hits, 0.0) + 1 / 36
        for wounds in range(hits + 1):
            chance = comb(hits, wounds) / 2**hits / 36
            shares += chance * min(wounds, left) / left
            deaths += chance * (wounds >= left)
    hit = Hit(3, ignores_armour=True, needs=4)
    assert JUDGE.of_model(battle, hero.first, chances, hit, 9) == pytest.approx(-65 * (shares + deaths) / 2)


# ---------------------------------------------------------------- casting


@BOTH
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_the_costlier_target_is_struck(owner: int, detail: str) -> None:
    field = Field(owner)
    field.enemies("cheap", 17, points=3)
    field.enemies("dear", 31, points=30)
    battle = field.battle(detail=detail)
    assert choice(battle) == "mage casts a spell"
    play(battle, "spell-target")
    assert choice(battle) == "mage casts Fireball on dear"


@BOTH
def test_nothing_is_cast_that_is_worth_less_than_a_miscast(owner: int) -> None:
    """One skirmishing goblin of no worth is left alone."""
    field = Field(owner)
    field.enemies("worthless", 24, models=1, points=0)
    assert choice(field.battle()) == "no more magic"


@BOTH
def test_the_dice_are_those_of_the_greatest_worth(owner: int) -> None:
    """With one spell to cast more dice reach the dearer version; the chance to miscast does not matter yet with few of them."""
    field = Field(owner)
    target = field.enemies("dear", 24, points=30)
    battle = field.battle()
    play(battle, "spell-dice")
    plan = plan_for(battle, field.mage.row, worth_of_spells(battle, owner), 0, target.row)
    assert plan is not None and choice(battle).startswith(f"mage casts Fireball on dear with {plan.dice} di")
    others = [{0: 1.0, 9: worth, 10: worth, 11: worth, 12: worth} for worth in (0.0, 4000.0)]
    one = [plan_for(battle, field.mage.row, other, 0, target.row) for other in others]
    assert one[0] is not None and one[1] is not None
    assert one[0].dice == plan.dice > one[1].dice == 1  # another spell wants the dice


@BOTH
def test_friends_are_augmented_where_it_helps_most(owner: int) -> None:
    field = Field(owner, "life")
    field.friends("idle", 8, points=5)
    fights = field.friends("fights", 24, points=5)
    field.scene.beside(fights, 1 - owner, square(points=5), models=20, files=5, name="enemy")
    battle = field.battle()
    play(battle, "spell-target")
    assert choice(battle) == "mage casts Flesh to Stone on fights"


@BOTH
def test_the_version_of_the_greatest_worth_is_taken(owner: int) -> None:
    field = Field(owner)
    field.enemies("dear", 24, points=30)
    battle = field.battle(dice=(6, 6, 1, 1, 6, 6, 6, 5, 5, 5))
    play(battle, "spell-dice")
    battle.apply(battle.setup.space.number + 3)
    assert battle.decision.kind == "spell-version"
    assert choice(battle).endswith("the version of 17+")


@BOTH
def test_the_dearest_model_that_a_spell_reaches_is_named(owner: int) -> None:
    field = Field(owner, "death", 3, known=("The Caress of Laniph",))
    block = field.enemies("soldiers", 24, ahead=3.0)
    hero = square(character=True, size=[1, 1], w=2, points=90)
    field.scene.unit(1 - owner, hero, inside=block, models=1, name="captain")
    field.scene.unit(1 - owner, {**hero, "points": 40}, inside=block, models=1, name="squire")
    battle = field.battle()
    play(battle, "spell-model")
    assert choice(battle).startswith("on captain")


@BOTH
@pytest.mark.parametrize(("ld", "tests"), [(9, True), (4, False)])
def test_a_strong_will_is_tested(owner: int, ld: int, tests: bool) -> None:
    field = Field(owner, "light", 1, ld=ld, known=("Banishment",))
    field.enemies("dear", 24, points=30)
    battle = field.battle()
    play(battle, "test-will")
    assert choice(battle) == ("test his will" if tests else "trust the dice")


@pytest.mark.parametrize(
    ("rolled", "told"),
    [
        ((2, 4), "roll a die that shows 2 again"),  # 8 of 11
        ((5, 5), "let all dice stand"),  # 12 of 11
        ((1, 1, 5, 5, 5), "roll a die that shows 1 again"),  # a miscast
        ((1, 5, 5, 5), "let all dice stand"),
    ],
)
def test_fate_helps_a_spell_that_fails_or_miscasts(rolled: tuple[int, ...], told: str) -> None:
    field = Field(0, "heavens", 4, known=("Urannon's Thunderbolt",))
    field.enemies("dear", 24, points=30)
    battle = field.battle(dice=(4, 4, 1, 1, 1, 1))
    battle.wizards.fate[field.mage.row] = 1
    play(battle, "spell-dice")
    script(battle, rolled)
    battle.apply(battle.setup.space.number + len(rolled) - 1)
    assert battle.decision.kind == "fate-die"
    assert choice(battle) == told


# ---------------------------------------------------------------- dispelling


def cast_at(field: Field, foe: str, dice: tuple[int, ...], number: int = 2) -> Battle:
    """The wizard has cast Fireball at a unit, in its base version."""
    battle = field.battle(dice=dice)
    pick(battle, "mage casts a spell")
    if battle.decision.kind == "cast-spell":
        pick(battle, "Fireball (5+)")
    if battle.decision.kind == "spell-target":
        pick(battle, f"mage casts Fireball on {foe}")
    battle.apply(battle.setup.space.number + number - 1)
    if battle.decision.kind == "spell-version":
        battle.apply(battle.first_legal())
    assert battle.decision.kind == "dispel-by" and battle.decision.player == 1 - field.owner
    return battle


@BOTH
def test_what_hurts_is_dispelled_by_the_better_wizard(owner: int) -> None:
    field = Field(owner, foe=1)
    field.wizard(1 - owner, "fire", 4, (30, 24 + 14 * field.sign), "master")
    field.enemies("dear", 24, points=30)
    battle = cast_at(field, "dear", (6, 6, 1, 1, 1, 1, 1, 1, 1, 5, 5))
    assert choice(battle) == "master dispels"
    pick(battle, "master dispels")
    assert choice(battle) != "1 die (0%)"


@BOTH
def test_without_a_wizard_the_army_dispels(owner: int) -> None:
    field = Field(owner)
    field.enemies("dear", 24, points=30)
    assert choice(cast_at(field, "dear", (6, 6, 1, 1, 5, 5))) == "the army dispels"


@BOTH
def test_dice_are_kept_for_what_hurts_more(owner: int) -> None:
    """A missile at a worthless unit is let be."""
    field = Field(owner)
    field.enemies("worthless", 24, points=0)
    assert choice(cast_at(field, "worthless", (6, 6, 1, 1, 5, 5))) == "let it be"


@BOTH
def test_a_small_harm_is_borne_if_a_greater_one_threatens(owner: int) -> None:
    """A second wizard can still strike the dear unit: dice to dispel a hit on the cheap one are worth less."""
    field = Field(owner)
    cheap = field.enemies("cheap", 24, models=5, points=1)
    assert choice(cast_at(field, "cheap", (3, 3, 1, 1, 4, 4))) == "the army dispels"
    field = Field(owner)
    cheap = field.enemies("cheap", 24, models=5, points=1)
    field.wizard(owner, "fire", 4, (30, 24 - 8 * field.sign), "second")
    field.enemies("dear", 34, points=60)
    battle = cast_at(field, "cheap", (6, 3, 1, 1, 1, 1, 1, 1, 4, 4))
    assert worth_of_casting(battle, Casting(owner, field.mage.row, 0, spells_of(battle)[0], 0, cheap.row, 8)) > 0
    assert choice(battle) == "let it be"


def test_every_decision_of_magic_with_a_choice_has_a_scorer() -> None:
    assert set(SCORERS) == {
        "learn-spell", "cast-by", "cast-spell", "spell-target", "spell-dice", "spell-version", "cast-at-once",
        "dispel-by", "dispel-dice", "dispel-in-play",
    }  # fmt: skip
    assert set(appraise_fates.SCORERS) == {"spell-model", "test-will", "fate-die"}
