"""Magic items: one of each kind, from the file to play."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from carrying import HIT, WOUND, duel, saves, strike
from heroes import hero, rider
from results import scored, side
from wizards import cast, dispel, knowing, let_be, wizard

from wh_env import Battle, ContentError
from wh_env.content.load import validate
from wh_env.content.wap.items import read_items
from wh_env.content.wap.schema_items import ItemFile
from wh_env.rulesets.wap.basics.resistance import resistance_of
from wh_env.rulesets.wap.casualties.removing import slay
from wh_env.rulesets.wap.codes import STANDARD, Phase
from wh_env.rulesets.wap.weapons.arms import outfit_of
from wh_env.testing import choose, dice_left, kind, script, told, words
from wh_env.testing.wap import RegimentScene, UnitHandle, fight, square

ROOT = Path(__file__).resolve().parents[3]
OWNERS = pytest.mark.parametrize("owner", [0, 1])
DETAILS = pytest.mark.parametrize("detail", ["squad", "full"])
FILES = sorted(path.name for path in (ROOT / "configs" / "wap" / "items").glob("*.yaml"))


@pytest.mark.parametrize("file", FILES)
def test_rows_are_those_of_the_catalogue(file: str) -> None:
    rules = yaml.safe_load((ROOT / "docs" / "rules" / "wap-4-magic.yaml").read_text())["rules"]
    known = {rule["id"]: rule for rule in rules}
    for row in yaml.safe_load((ROOT / "configs" / "wap" / "items" / file).read_text())["items"]:
        assert row["name"] == known[row["rule"]]["title"]
        assert {key: value for key, value in row.items() if key not in ("name", "rule")} == known[row["rule"]]["table"]


# ---------------------------------------------------------------- weapons


@OWNERS
@DETAILS
@pytest.mark.rule("wap.item.weapon.sword-of-might")
def test_the_sword_of_might_makes_its_attacks_stronger(owner: int, detail: str) -> None:
    """A hero of Strength 4 against Toughness 4 in heavy armour (4+): he wounds on 3, and the save needs 6."""
    foe = square(t=4, equipment=["heavy armour"])
    battle, own, enemy = duel(owner, ["Sword of Might"], bearer={"s": 4}, foe=foe, detail=detail)
    rolls = strike(battle, own, [4, 4, 4, 3, 2, 2, 6])
    assert rolls == {HIT: (3, 4), WOUND: (3, 3)}
    assert saves(battle, enemy) == [(6, 7)] and battle.units.alive[enemy] == 10


@OWNERS
@pytest.mark.rule("wap.item.weapon.biting-blade")
def test_the_biting_blade_pierces_armour(owner: int) -> None:
    """A hero of Strength 4 against a 3+ save: 5 is needed."""
    foe = square(equipment=["heavy armour", "shield"])
    battle, own, enemy = duel(owner, ["Biting Blade"], bearer={"s": 4}, foe=foe)
    strike(battle, own, [4, 1, 1, 6, 5])
    assert saves(battle, enemy)[0][0] == 5 and battle.units.alive[enemy] == 10


@OWNERS
@pytest.mark.rule("wap.item.weapon.shrieking-blade")
@pytest.mark.parametrize(("rules", "fear"), [([], 1), (["Immunity (Fear)"], 0), (["Fear"], 0)])
def test_the_shrieking_blade_frightens(owner: int, rules: list[str], fear: int) -> None:
    """The bearer stands in a unit without Fear."""
    for items, more in ((["Shrieking Blade"], fear), ([], 0)):
        scene = RegimentScene()
        host = scene.unit(owner, None, (24, 24), models=10)
        scene.unit(owner, hero(), inside=host, models=1, items=items)
        scene.beside(host, 1 - owner, square(rules=rules), models=10)
        assert side(scored(scene, host), owner)["fear"] == more


def test_a_magic_weapon_takes_the_place_of_others_and_leaves_bows() -> None:
    card = hero(equipment=["hand weapon", "great weapon", "bow"])
    battle, own, _ = duel(0, ["Sword of Might"], bearer=card)
    outfit = outfit_of(battle, own.row)
    assert [weapon.name for weapon in outfit.weapons] == ["Sword of Might"] and outfit.weapons[0].magic
    assert [weapon.name for weapon in outfit.missiles] == ["bow"]


# ---------------------------------------------------------------- armour and talismans


@OWNERS
@pytest.mark.rule("wap.item.armour.armour-of-fortune")
@pytest.mark.parametrize("worn", [[], ["light armour"], ["heavy armour"]])
def test_the_armour_of_fortune_is_worn_in_place_of_other_armour(owner: int, worn: list[str]) -> None:
    """Medium armour (5+), whatever he wore; the ward save (5+) comes after it."""
    foe = square(ws=3, s=3, i=5)
    for ward, left in ((5, 2), (4, 1)):
        battle, own, _ = duel(owner, ["Armour of Fortune"], bearer={"equipment": worn}, foe=foe, foes=1)
        script(battle, [4, 4, 4, ward])
        fight(battle, own)
        assert saves(battle, own) == [(5, 5)] and battle.models.wounds[own.model()] == left


@OWNERS
@pytest.mark.rule("wap.item.talisman.talisman-of-protection")
@pytest.mark.parametrize(("rules", "needed"), [([], 6), (["Ward Save (5+)"], 4)])
def test_the_talisman_of_protection_is_a_ward_save(owner: int, rules: list[str], needed: int) -> None:
    for die, left in ((needed, 2), (needed - 1, 1)):
        battle, own, _ = duel(owner, ["Talisman of Protection"], bearer={"rules": rules}, foe=square(i=5), foes=1)
        script(battle, [4, 4, die])
        fight(battle, own)
        assert saves(battle, own) == [(7, needed)] and battle.models.wounds[own.model()] == left


# ---------------------------------------------------------------- banners


def bannered(owner: int, **fields: Any) -> tuple[RegimentScene, UnitHandle, UnitHandle]:
    """A wizard of level 2, and an enemy unit of ``owner`` with the Lichebone Pennant 12 inches in front of him."""
    scene = RegimentScene(size=(72, 72))
    mage = scene.unit(1 - owner, wizard(2), (36, 36), models=1)
    spot = (36.0, 48.0 if owner else 24.0)
    unit = scene.unit(
        owner, None, spot, models=20, files=10, command=["standard"], banner="Lichebone Pennant", **fields
    )
    return scene, mage, unit


@OWNERS
@pytest.mark.rule("wap.item.banner.lichebone-pennant")
@pytest.mark.parametrize(("spell", "hits"), [("Stroke", []), ("Spark", [2])])
def test_the_lichebone_pennant_saves_from_spells(owner: int, spell: str, hits: list[int]) -> None:
    """2 hits of direct damage, or of a missile: of two wounds one is saved by a 6."""
    scene, mage, unit = bannered(owner)
    battle = scene.battle("magic", player=1 - owner, dice=(6, 6, 1, 1), set_state=knowing({mage: spell}))
    script(battle, [6, 4, *hits, 6, 6, 6, 5])
    cast(battle, mage, spell, unit, 1)
    if kind(battle) == "dispel-by":
        let_be(battle)
    assert saves(battle, unit) == [(7, 6)] and battle.units.alive[unit] == 19 and dice_left(battle) == 0


@OWNERS
@pytest.mark.rule("wap.item.banner.lichebone-pennant")
@pytest.mark.parametrize("flies", [True, False])
def test_the_lichebone_pennant_helps_to_dispel(owner: int, flies: bool) -> None:
    """9 and 1 of the pennant, until its bearer has fallen."""
    scene, mage, unit = bannered(owner)
    battle = scene.battle("magic", player=1 - owner, dice=(6, 6, 1, 1), set_state=knowing({mage: "Stroke"}))
    battle.pools.dice[owner] = 6
    if not flies:
        bearer = next(k for k in battle.members(unit.row) if battle.models.role[k] == STANDARD)
        slay(battle, bearer)
    script(battle, [6, 4])
    cast(battle, mage, "Stroke", unit, 1)
    script(battle, [4, 5, 1, 1])
    dispel(battle, None, 2)
    assert told(battle, "wap.magic.dispel.value")[-1]["amount"] == 9 + flies
    assert resistance_of(battle, unit.row) == flies


@OWNERS
def test_a_banner_acts_on_characters_in_the_unit_and_not_on_others(owner: int) -> None:
    scene, _, unit = bannered(owner)
    joined = scene.unit(owner, hero(), inside=unit, models=1)
    other = scene.unit(owner, hero(), (6, 6 + 60 * owner), models=1)
    battle = scene.battle("movement", player=owner)
    assert [resistance_of(battle, row.row) for row in (unit, joined, other)] == [1, 1, 0]


@OWNERS
def test_the_army_standard_may_be_magic(owner: int) -> None:
    """It acts on the bearer and on the unit that he stands in, until he is slain."""
    scene = RegimentScene()
    host = scene.unit(owner, None, (24, 24), models=10)
    own = scene.unit(owner, hero(), inside=host, models=1, leads=["battle standard"], banner="Lichebone Pennant")
    battle = scene.battle("movement", player=owner)
    assert resistance_of(battle, host.row) == resistance_of(battle, own.row) == 1
    slay(battle, own.model())
    assert resistance_of(battle, host.row) == 0


@OWNERS
def test_a_banner_of_an_army_book_changes_characteristics_as_long_as_it_stands(owner: int) -> None:
    """Of all models of the unit, a character who has joined it too, and of no other unit."""
    flag = {
        "name": "Flag", "rule": "wap.item.test", "family": "banner", "points": 5, "one_use": False,
        "effects": [{"stat": "WS", "by": 1, "max": 10}, {"stat": "I", "set": 9}],
    }  # fmt: skip
    scene = RegimentScene()
    unit = scene.unit(owner, square(ws=3), (24, 24), models=10, command=["standard"], items=[flag])
    joined = scene.unit(owner, hero(ws=10, i=4), inside=unit, models=1)
    other = scene.unit(owner, square(ws=3, i=3), (6, 24), models=5)
    battle = scene.battle("movement", player=owner)

    def now(unit: UnitHandle) -> tuple[int, int]:
        line = battle.units.first_line[unit.row]
        return battle.lines.ws[line], battle.lines.i[line]

    assert [now(each) for each in (unit, joined, other)] == [(4, 9), (10, 9), (3, 3)]
    slay(battle, next(k for k in battle.members(unit.row) if battle.models.role[k] == STANDARD))
    assert [now(each) for each in (unit, joined)] == [(3, 3), (10, 4)]


# ---------------------------------------------------------------- potions


def strength(battle: Battle, unit: UnitHandle) -> int:
    """Strength of a unit's own profile now."""
    return battle.lines.s[battle.units.first_line[unit.row]]


@OWNERS
@DETAILS
@pytest.mark.rule("wap.item.enchanted.potion-of-strength", "wap.item.general.one-use")
def test_the_potion_of_strength_is_drunk_in_the_enemy_s_turn(owner: int, detail: str) -> None:
    """Drunk at the start of the enemy's Close Combat phase: Strength 6 in that turn, 4 after it, and never again."""
    scene = RegimentScene()
    own = scene.unit(owner, hero(s=4, i=4), (24, 24), models=1, files=1, items=["Potion of Strength"])
    scene.beside(own, 1 - owner, square(t=4, ws=1), models=20, files=5)
    battle = scene.battle("combat", player=1 - owner, detail=detail)
    assert kind(battle) == "use-item" and battle.decision is not None and battle.decision.player == owner
    assert list(words(battle).values()) == [
        f"{own.regiment.name} {does} Potion of Strength" for does in ("keeps", "uses")
    ]
    script(battle, [4, 4, 4, 4, 2, 2, 2])
    choose(battle, "option")
    assert told(battle, "wap.item.enchanted.potion-of-strength") == [
        {"unit": own.row, "name": "Potion of Strength"},
        {"unit": own.row, "name": "s", "amount": 2},
    ]
    assert [row["needed"] for row in told(battle, WOUND) if row["unit"] == own.row] == [2]
    asked = set()
    while battle.clock.turn[0] != owner or battle.clock.phase[0] < Phase.SHOOTING:
        asked.add(kind(battle))
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
        assert not battle.over
    assert strength(battle, own) == 4 and "use-item" not in asked


@OWNERS
@pytest.mark.rule("wap.item.enchanted.potion-of-strength")
def test_a_potion_that_is_kept_is_offered_at_the_start_of_each_phase(owner: int) -> None:
    """Of both turns. A horse has nothing of it, and Strength does not rise above 10."""
    scene = RegimentScene()
    own = scene.unit(owner, rider(s=9), (24, 24), models=1, files=1, items=["Potion of Strength"])
    scene.unit(1 - owner, None, (6, 40 if owner == 0 else 8), models=10)
    battle = scene.battle("movement", player=owner)
    offered = []
    while len(offered) < 7:
        if kind(battle) == "use-item":
            offered.append((battle.clock.turn[0] == owner, Phase(battle.clock.phase[0])))
            if len(offered) == 7:
                break
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    phases = [Phase.MOVEMENT, Phase.SHOOTING, Phase.COMBAT]
    assert offered == [(True, phase) for phase in phases] + [(False, phase) for phase in phases] + [(True, phases[0])]
    script(battle, [6])
    choose(battle, "option")
    lines = range(battle.units.first_line[own.row], battle.units.first_line[own.row] + battle.units.lines[own.row])
    assert [battle.lines.s[line] for line in lines] == [10, 10, 3] and dice_left(battle) == 0


# ---------------------------------------------------------------- files


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ({"effects": [{"grant": ["courage"]}]}, "a special rule, as the tables"),
        ({"effects": [{"grant": ["fear"], "scope": "army"}]}, "one of unit, bearer-and-unit"),
        ({"effects": [{"stat": "X", "by": 1}]}, "one of m, ws"),
        ({"effects": [{"sings": 1}]}, "an effect that the game can play"),
        ({"effects": [{"grant": ["fear"], "loud": True}]}, "a word that the game can play"),
        ({"effects": [{"stat": "S", "by": 1, "scope": "weapon-attacks"}]}, "family weapon"),
        ({"as": "helm"}, "of weapons and armour alone"),
        ({"family": "toy"}, "weapon"),
    ],
)
def test_words_that_the_game_does_not_play_are_refused(words: dict[str, Any], told: str) -> None:
    row = {"name": "Toy", "rule": "wap.item.talisman.dawnstone", "family": "talisman", "points": 5, "one_use": False}
    with pytest.raises(ContentError, match=told):
        read_items(validate(ItemFile, {"items": [{**row, "effects": [{"ward": 6}], **words}]}, "<test>"))
