"""Where magic and items meet: other forms, what an item makes of its bearer, and effects whose unit is gone."""

from __future__ import annotations

import pytest
from arcana import duel
from heroes import hero
from lore_hits import Field, amounts
from lore_hits import wizard as caster_of
from wizards import cast, knowing, let_be, wizard

from wh_env import Battle
from wh_env.core.tables import ATTACHED, ON_TABLE, RESERVE
from wh_env.core.validation import Validator
from wh_env.rulesets.wap.basics.effects import Bares, On, begin_effect, effects_of, rows_in_use
from wh_env.rulesets.wap.basics.forms import other_form
from wh_env.rulesets.wap.basics.traps import flees_or_pursues
from wh_env.rulesets.wap.casualties.harm import wound_rerolls
from wh_env.rulesets.wap.casualties.losses import wounds_of
from wh_env.rulesets.wap.casualties.removing import slay, suffer
from wh_env.rulesets.wap.characters.joining import stand_in
from wh_env.rulesets.wap.characters.stepping_out import step_out
from wh_env.rulesets.wap.codes import FRONT
from wh_env.rulesets.wap.magic.dispelling import who_can
from wh_env.rulesets.wap.magic.in_play import end_spell, in_play
from wh_env.rulesets.wap.magic.spells import Casting, spells_of
from wh_env.rulesets.wap.magic.wizards import rows_of, spell_at
from wh_env.rulesets.wap.pursuit.off_table import carried_off, come_back
from wh_env.rulesets.wap.view.odds_harm import harm_of
from wh_env.rulesets.wap.view.odds_magic import wounds_on_average
from wh_env.rulesets.wap.weapons.hit import FLAMING, Hit
from wh_env.testing import choose, dice_left, kind, pick, script, told, words
from wh_env.testing.wap import RegimentScene, UnitHandle, square

PLAYERS = pytest.mark.parametrize("player", [0, 1])


def transform(battle: Battle, shaman: UnitHandle) -> None:
    """He turns into a monster, and nobody dispels it."""
    script(battle, [5, 5, 5])
    cast(battle, shaman, "Transformation of Kadon", None, 3)
    let_be(battle)


# ---------------------------------------------------------------- items


@PLAYERS
@pytest.mark.rule("wap.item.arcane.feedback-scroll", "wap.lore.beasts.transformation-of-kadon.limits")
def test_feedback_strikes_the_monster_that_the_wizard_has_become(player: int) -> None:
    """Four dice, two of them with 5 or more: the monster loses two of its six Wounds, the wizard none of his."""
    d = duel(player, (), ["Feedback Scroll"], level=4, lore="beasts", spells="Transformation of Kadon")
    battle, form = d.battle, other_form(d.battle, d.mage.row)
    script(battle, [5, 5, 5, 5])
    cast(battle, d.mage, "Transformation of Kadon", None, 4)
    while kind(battle) == "spell-version":
        choose(battle, "option", 0)
    unhurt = battle.models.wounds[d.mage.model()]
    script(battle, [5, 6, 4, 1])
    pick(battle, "uses Feedback Scroll")
    assert battle.models.wounds[battle.units.first[form]] == 4 and dice_left(battle) == 0
    assert battle.models.wounds[d.mage.model()] == unhurt


@PLAYERS
@pytest.mark.parametrize("hat", [True, False])
@pytest.mark.rule("wap.item.arcane.sivejirs-hex-scroll", "wap.item.enchanted.wizarding-hat")
def test_a_toad_that_is_a_wizard_by_its_hat_dispels_nothing(player: int, hat: bool) -> None:
    """A wizard of his own still may; the hat is equipment."""
    scene, sign = RegimentScene(size=(72, 72)), 1 if player == 0 else -1
    wears = {"card": hero(), "items": ["Wizarding Hat"]} if hat else {"card": wizard(2, "beasts")}
    lord = scene.unit(player, wears["card"], (36, 36), models=1, items=wears.get("items", ()))
    scene.unit(1 - player, None, (36, 36 + sign * 12), models=20, files=10)
    rival = scene.unit(1 - player, wizard(4, "beasts"), (8, 36 + sign * 34), models=1, items=["Sivejir's Hex Scroll"])
    battle = scene.battle("magic", player=1 - player, dice=[6, 6, *[1] * 6], detail="full")
    assert who_can(battle, player, []) == [lord.row]
    toad = next(n for n, effect in enumerate(effects_of(battle)) if any(isinstance(p, Bares) for p in effect.powers))
    begin_effect(battle, toad, lord.row, 1 - player, rival.row)
    assert who_can(battle, player, []) == ([] if hat else [lord.row])


@PLAYERS
@pytest.mark.rule("wap.item.arcane.power-scroll", "wap.lore.heavens.attribute")
def test_a_die_of_a_pair_that_brought_a_free_one_is_not_rolled_again(player: int) -> None:
    """3, 3 and 2 and a free 1; the 2 becomes a 5, which makes a pair with nothing. A 5, 2 and 4 become a pair of 4."""
    for dice, free, offered, old, new, after in (
        ((3, 3, 2), (1,), {2}, 2, (5,), (3, 3, 5, 1)),
        ((5, 4, 2), (), {2, 4, 5}, 2, (4, 6), (5, 4, 4, 6)),
    ):
        d = duel(player, ["Power Scroll"], level=4, lore="heavens", spells="Urannon's Thunderbolt")
        d.battle.wizards.fate[d.mage.row] = 1
        cast(d.battle, d.mage, "Urannon's Thunderbolt", d.target, 0)
        choose(d.battle, "option", 0)
        script(d.battle, [*dice, *free])
        choose(d.battle, "number", 2)
        assert kind(d.battle) == "fate-die"
        assert {int(text[-7]) for text in words(d.battle).values() if text.startswith("roll a die")} == offered
        script(d.battle, new)
        pick(d.battle, f"roll a die that shows {old} again")
        assert sorted(told(d.battle, "wap.magic.cast.value")[-1]["rolls"]) == sorted(after)


# ---------------------------------------------------------------- immunity to what a spell is


@PLAYERS
@pytest.mark.parametrize("immune", [True, False])
@pytest.mark.parametrize(
    ("lore", "number", "spell", "what"),
    [
        ("fire", 0, "Fireball", "Flaming Attacks"),
        ("fire", 4, "Piercing Bolts of Burning", "Flaming Attacks"),
        ("fire", 5, "Fulminating Flame Cage", "Flaming Attacks"),
        ("light", 0, "Shem's Burning Gaze", "Flaming Attacks"),
        ("metal", 0, "Searing Doom", "Flaming Attacks"),
        ("heavens", 4, "Urannon's Thunderbolt", "Lightning Attacks"),
        ("heavens", 6, "Chain Lightning", "Lightning Attacks"),
    ],
)
@pytest.mark.rule("wap.special.immunity", "wap.magic.damage.kind")
def test_spells_are_not_physical_and_do_no_harm_to_who_is_immune(
    player: int, immune: bool, lore: str, number: int, spell: str, what: str
) -> None:
    """All dice show a 6 but those of saves, as long as they last; what is no such attack wounds as ever."""
    field = Field(player, caster_of(lore, number))
    rules = [f"Immunity ({what if immune else 'Poisoned Attacks'})"]
    target = field.enemy(square(rules=rules, equipment=["heavy armour"], ld=10), (24, 26), models=20, files=5)
    battle = field.battle()
    field.cast(battle, spell, target, then=[6] * 3 + [5] * 6 + [1] * 40)
    assert bool(told(battle, "wap.special.immunity")) == immune
    assert (wounds_of(battle, target.row) == 20) == immune
    assert amounts(battle, told_of(battle, spell))[0] > 0


@PLAYERS
@pytest.mark.rule("wap.special.immunity", "wap.item.talisman.dragonbane-gem", "wap.item.enchanted.ruby-ring-of-ruin")
def test_a_secret_gem_comes_to_light_as_a_ball_of_fire_does_no_harm(player: int) -> None:
    """The ring's Fireball at a lone bearer; to him no dice to wound are rolled, and the odds say so."""
    scene, sign = RegimentScene(size=(72, 72), rules={"lists": "hidden"}), 1 if player == 0 else -1
    lord = scene.unit(player, hero(), (36, 36), models=1, items=["Ruby Ring of Ruin"])
    target = scene.unit(1 - player, hero(w=3), (36, 36 + sign * 12), models=1, items=["Dragonbane Gem"])
    scene.unit(1 - player, None, (8, 36 + sign * 30), models=10)
    battle = scene.battle("magic", player=player, dice=[6, 1], detail="full")
    row = rows_of(battle, lord.row)[0]
    found = Casting(player, lord.row, row, spell_at(battle, row), 0, target.row, 4)
    assert wounds_on_average(battle, found, target.row) == 0.0
    k = next(k for k in range(len(battle.items.unit)) if battle.items.unit[k] == target.row)
    assert not battle.items.seen[k]
    script(battle, [4, 4, 6])
    cast(battle, lord, "Fireball", target, 1, bound=True, free=True)
    let_be(battle)
    assert battle.models.wounds[target.model()] == 3 and battle.items.seen[k] and dice_left(battle) == 0


@PLAYERS
@pytest.mark.rule("wap.special.flammable", "wap.special.immunity", "wap.item.talisman.dragonbane-gem")
def test_who_is_immune_to_flames_does_not_catch_fire(player: int) -> None:
    """Flaming arrows: failed rolls to wound are rolled again, but not against a bearer of the gem; the odds agree."""
    scene = RegimentScene()
    cool, hot = (
        scene.unit(player, hero(rules=["Flammable"]), (x, 24), models=1, items=items)
        for x, items in ((24, ["Dragonbane Gem"]), (34, []))
    )
    battle, hit = scene.battle("magic", player=player), Hit(4, nature=FLAMING)
    assert wound_rerolls(battle, hot.row, hit).failed and not wound_rerolls(battle, cool.row, hit).failed
    assert harm_of(battle, cool.row, hit, 3, FRONT)[1] == pytest.approx(4 / 6)
    assert harm_of(battle, hot.row, hit, 3, FRONT)[1] == pytest.approx(8 / 9)


def told_of(battle: Battle, spell: str) -> str:
    """The rule of a spell."""
    return next(row.rule for row in spells_of(battle) if row.name == spell)


# ---------------------------------------------------------------- effects whose unit is gone


class Company:
    """A unit of ``player`` on which Flesh to Stone is cast. ``inside``: which of two heroes are in it then; the others
    join it afterwards.
    """

    def __init__(self, player: int, inside: tuple[bool, bool], spell: str = "Flesh to Stone") -> None:
        scene, sign = RegimentScene(size=(72, 72)), 1 if player == 0 else -1
        self.unit = scene.unit(player, None, (36, 36), models=10)
        self.heroes = [self.hero(scene, player, n, here) for n, here in enumerate(inside)]
        self.mage = scene.unit(player, wizard(2, "life"), (20, 36), models=1)
        scene.unit(1 - player, None, (36, 36 + sign * 20), models=10)
        known = knowing({self.mage: spell})
        self.battle = scene.battle("magic", player=player, dice=[6, 6, 1, 1], detail="full", set_state=known)
        script(self.battle, [5, 5])
        cast(self.battle, self.mage, spell, self.unit, 2)
        let_be(self.battle)
        for lord, here in zip(self.heroes, inside, strict=True):
            if not here:
                stand_in(self.battle, lord.row, self.unit.row, 0, "wap.character.join.types")

    def hero(self, scene: RegimentScene, player: int, n: int, here: bool) -> UnitHandle:
        """One of the heroes."""
        if here:
            return scene.unit(player, hero(t=3), inside=self.unit, models=1)
        return scene.unit(player, hero(t=3), (50 + 6 * n, 36), models=1)

    def toughness(self) -> list[int]:
        """That of the heroes now."""
        return [self.battle.lines.t[self.battle.units.first_line[lord]] for lord in self.heroes]


def part_company(battle: Battle, heroes: list[UnitHandle]) -> None:
    """One of two characters who are a unit leaves the other."""
    step_out(battle, next(lord.row for lord in heroes if battle.units.bodyguard[lord] >= 0))


@PLAYERS
@pytest.mark.parametrize("inside", [(True, False), (False, True), (True, True), (False, False)])
@pytest.mark.rule("wap.character.spells.unit-affected", "wap.character.unit-destroyed.new-unit")
def test_who_has_joined_a_unit_under_a_spell_is_free_of_it_when_the_soldiers_are_gone(
    player: int, inside: tuple[bool, bool]
) -> None:
    """Who was in it when the spell was cast is under it still, and so is whoever stands with him."""
    company = Company(player, inside)
    assert company.toughness() == [5, 5]
    suffer(company.battle, company.unit.row, 10)
    assert company.toughness() == ([5, 5] if any(inside) else [3, 3])
    if sum(inside) == 1:
        part_company(company.battle, company.heroes)
        assert company.toughness() == [5 if here else 3 for here in inside]


@PLAYERS
@pytest.mark.rule("wap.character.spells.unit-affected", "wap.magic.rip.lasting")
def test_a_spell_in_play_ends_with_its_unit_unless_it_was_cast_on_a_character_in_it(player: int) -> None:
    for inside in (True, False):
        company = Company(player, (inside, False), "Shield of Thorns")
        assert len(in_play(company.battle)) == 1
        suffer(company.battle, company.unit.row, 10)
        assert len(in_play(company.battle)) == inside


@PLAYERS
@pytest.mark.rule("wap.character.spells.unit-affected", "wap.lore.beasts.transformation-of-kadon.limits")
def test_another_form_has_been_in_the_unit_as_long_as_its_wizard(player: int) -> None:
    """Wildform on his unit of a second wizard; the first turns into a monster, the soldiers fall, he turns back."""
    scene, sign = RegimentScene(size=(72, 72)), 1 if player == 0 else -1
    unit = scene.unit(player, None, (36, 36), models=20, files=5)
    shaman = scene.unit(player, wizard(4, "beasts", t=3), inside=unit, models=1)
    mage = scene.unit(player, wizard(2, "life"), (20, 36), models=1)
    scene.unit(1 - player, square(), (36, 36 + sign * 20), models=10)
    known = knowing({mage: "Flesh to Stone", shaman: "Transformation of Kadon"})
    battle = scene.battle("magic", player=player, dice=[6, 6, *[1] * 6], detail="full", set_state=known)
    script(battle, [5, 5])
    cast(battle, mage, "Flesh to Stone", unit, 2)
    let_be(battle)
    transform(battle, shaman)
    form, t, line = other_form(battle, shaman.row), battle.lines.t, battle.units.first_line
    assert t[line[form]] == 8
    suffer(battle, unit.row, 20)
    assert t[line[form]] == 8
    end_spell(battle, in_play(battle)[0], "wap.magic.rip.end")
    assert t[line[shaman]] == 5


@PLAYERS
@pytest.mark.rule("wap.magic.duration.turns", "wap.lore.beasts.transformation-of-kadon.limits")
def test_what_a_wizard_gave_his_unit_stays_if_he_is_slain_in_it_as_a_monster(player: int) -> None:
    scene, sign = RegimentScene(size=(72, 72)), 1 if player == 0 else -1
    unit = scene.unit(player, None, (36, 36), models=20, files=5)
    shaman = scene.unit(player, wizard(4, "beasts"), inside=unit, models=1)
    scene.unit(1 - player, square(), (36, 36 + sign * 20), models=10)
    known = knowing({shaman: "Transformation of Kadon"})
    battle = scene.battle("magic", player=player, dice=[6, 6, *[1] * 4], detail="full", set_state=known)
    script(battle, [5, 5])
    cast(battle, shaman, "Wyssan's Wildform", unit, 2)
    let_be(battle)
    transform(battle, shaman)
    t, line = battle.lines.t, battle.units.first_line
    assert t[line[unit]] == 4
    slay(battle, battle.units.first[other_form(battle, shaman.row)])
    assert t[line[unit]] == 4


@PLAYERS
@pytest.mark.parametrize("joined", [False, True])
@pytest.mark.rule("wap.magic.rip.lasting", "wap.lore.beasts.transformation-of-kadon", "wap.pursuit.off-table")
def test_a_monster_that_pursues_off_the_table_is_a_wizard_again(player: int, joined: bool) -> None:
    """He has left the battlefield: the spell is over, and it is he who comes back where the monster left."""
    scene, sign = RegimentScene(size=(72, 72)), 1 if player == 0 else -1
    unit = scene.unit(player, None, (36, 36 + sign * 30), models=20, files=5)
    where = {"inside": unit} if joined else {"at": (50, 36 + sign * 36)}
    shaman = scene.unit(player, wizard(4, "beasts"), models=1, **where)
    scene.unit(1 - player, square(), (12, 36), models=10)
    known = knowing({shaman: "Transformation of Kadon"})
    battle = scene.battle("magic", player=player, dice=[6, 6, *[1] * 4], detail="full", set_state=known)
    transform(battle, shaman)
    form, u = other_form(battle, shaman.row), battle.units
    assert u.alive[form]
    carried_off(battle, unit.row if joined else form)
    assert not u.alive[form] and not in_play(battle) and not list(Validator(battle.setup).faults(battle))
    leaver = unit.row if joined else shaman.row
    assert u.place[leaver] == RESERVE and u.left_edge[leaver] >= 0 and u.left_edge[form] < 0
    come_back(battle, player)
    assert u.place[leaver] == ON_TABLE and u.place[shaman] == (ATTACHED if joined else ON_TABLE)
    assert not list(Validator(battle.setup).faults(battle))


@PLAYERS
@pytest.mark.rule("wap.lore.fire.flame-cage.trap", "wap.character.unit-destroyed.new-unit")
def test_a_cage_on_one_of_two_heroes_burns_both_as_their_unit_moves(player: int) -> None:
    """The one who joined late, on the smaller base, is the unit; the cage is on the other."""
    scene, sign = RegimentScene(size=(72, 72)), 1 if player == 0 else -1
    unit = scene.unit(player, None, (36, 36), models=10)
    first = scene.unit(player, hero(w=3), inside=unit, models=1)
    late = scene.unit(player, hero(w=3, base_mm=[20, 20]), (50, 36), models=1)
    mage = scene.unit(1 - player, wizard(4, "fire"), (36, 36 + sign * 20), models=1)
    battle = scene.battle("magic", player=player, dice=[6, 6, *[1] * 4], detail="full")
    cage = next(n for n, effect in enumerate(effects_of(battle)) if effect.trap is not None and effect.on is On.UNIT)
    begin_effect(battle, cage, unit.row, 1 - player, mage.row)
    stand_in(battle, late.row, unit.row, 0, "wap.character.join.types")
    suffer(battle, unit.row, 10)
    assert battle.units.bodyguard[first] == late.row
    script(battle, [6, 6])
    flees_or_pursues(battle, late.row)
    burnt = [event["unit"] for event in told(battle, "wap.lore.fire.flame-cage") if event.get("amount") == 1]
    assert sorted(burnt) == sorted([first.row, late.row]) and not list(rows_in_use(battle))


@PLAYERS
@pytest.mark.rule("wap.character.spells.unit-affected", "wap.magic.duration.turns")
def test_who_joined_a_wizard_under_his_own_spell_is_late_for_it_when_he_is_slain(player: int) -> None:
    """Wildform on himself and his unit stays on the unit without him, and ends with its soldiers."""
    scene, sign = RegimentScene(size=(72, 72)), 1 if player == 0 else -1
    unit = scene.unit(player, None, (36, 36), models=10)
    shaman = scene.unit(player, wizard(2, "beasts"), inside=unit, models=1)
    late = scene.unit(player, hero(t=3), (50, 36), models=1)
    scene.unit(1 - player, None, (36, 36 + sign * 20), models=10)
    battle = scene.battle("magic", player=player, dice=[6, 6, 1, 1], detail="full", set_state=knowing({shaman: ""}))
    script(battle, [5, 5])
    cast(battle, shaman, "Wyssan's Wildform", unit, 2)
    let_be(battle)
    stand_in(battle, late.row, unit.row, 0, "wap.character.join.types")
    t, line = battle.lines.t, battle.units.first_line[late]
    slay(battle, shaman.model())
    assert t[line] == 4
    suffer(battle, unit.row, 10)
    assert t[line] == 3 and not list(rows_in_use(battle))
