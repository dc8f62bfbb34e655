"""What characteristics mean in play, and how they are modified (w8.datasheet.*)."""

from __future__ import annotations

from typing import Any

import pytest
from classic import battle_of, raw_sheet, setup_of
from eighth_files import at, duel, fight_out, model_of, unit_of

from wh_env.content import w8
from wh_env.content.battle import Battle
from wh_env.core.geometry.paths import Fault
from wh_env.testing import cell_nearest, kind, offered, pick, told
from wh_env.testing.moves import check_move

SIDES = pytest.mark.parametrize("player", [0, 1])
DETAILS = pytest.mark.parametrize("detail", ["squad", "full"])
BLADE = {"range": "melee", "type": "Melee", "S": "User", "AP": 0, "D": 1}
FOE = raw_sheet("Foe", model={"max": 1, "W": 9, "Sv": "-", "WS": "-"})


def under(*effects: str) -> dict[str, Any]:
    """Abilities of a unit with these effects, each of another name."""
    return {"other": [{"name": f"Rule {n}", "effect": effect, "active": True} for n, effect in enumerate(effects)]}


def lone(name: str = "Mine", *, abilities: Any = None, weapons: Any = None, **model: Any) -> dict[str, Any]:
    """A unit of one model."""
    more = {"abilities": abilities} if abilities else {}
    return raw_sheet(name, weapons=weapons, model={"max": 1, "W": 9, **model}, **more)


def moving(sheet: dict[str, Any], player: int = 0, detail: str = "squad", dice: Any = ()) -> Battle:
    """The unit in the middle of the battlefield, selected to move; its foe is far away."""
    battle = at(
        duel([sheet], [FOE], player, detail), "movement", {"Mine": (15, 15), "Foe": (40, 28)}, active=player, dice=dice
    )
    while kind(battle) != "move-kind":
        pick(battle, "Mine") if kind(battle) == "select-to-move" else battle.apply(battle.first_legal())
    return battle


def farthest(battle: Battle, name: str = "Mine", way: str = "normal") -> float:
    """How far the first model of a unit may move along x, to a tenth of an inch, as moves are judged."""
    unit, model = unit_of(battle, name), model_of(battle, name)
    x, y = battle.models.x[model], battle.models.y[model]
    paths = {n / 10: {0: [(x + n / 10, y)]} for n in range(121)}
    return max(far for far, path in paths.items() if check_move(battle.clone(), unit, way, path) == Fault.LEGAL)


# ---------------------------------------------------------------- what they are


@pytest.mark.rule("w8.datasheet.move")
@SIDES
@DETAILS
def test_a_lord_of_contagion_moves_up_to_4_inches(player, detail):
    lord = w8.load_datasheet("Lord of Contagion").model_dump(mode="json", exclude_none=True)
    battle = moving({**lord, "name": "Mine", "faction_keywords": ["TESTERS"], "faction": "Testers"}, player, detail)
    pick(battle, "Mine: Normal move")
    assert farthest(battle) == 4.0
    if detail == "squad":
        model = model_of(battle, "Mine")
        start = battle.models.x[model]
        battle.apply(battle.setup.space.cell + cell_nearest(battle, 4.0, 0.0, 4.0))
        assert battle.models.x[model] - start == pytest.approx(4.0, abs=1e-6)


@pytest.mark.rule("w8.datasheet.ballistic-skill")
@SIDES
def test_ballistic_skill_is_the_die_that_hits(player):
    """BS 3+: dice of 3 hit and of 2 miss."""
    gun = {"gun": {"range": 24, "type": "Assault 4", "S": 4, "AP": 0, "D": 1}}
    shooter = raw_sheet("Mine", weapons=gun, model={"max": 1, "BS": "3+", "weapons": ["gun"]})
    battle = at(
        duel([shooter], [FOE], player),
        "shooting",
        {"Mine": (10, 10), "Foe": (20, 10)},
        active=player,
        dice=[3, 2, 3, 2, 1, 1],
    )
    while battle.decision is not None and not told(battle, "w8.attack.hit"):
        battle.apply(battle.decision.options[-1])
    assert [(h["die"], h["needed"], h["result"]) for h in told(battle, "w8.attack.hit")] == [
        (3, 3, 1), (2, 3, 0), (3, 3, 1), (2, 3, 0),
    ]  # fmt: skip


def struck(sheet: dict[str, Any], player: int, attacks: int, dice: list[int], **weapon: Any) -> Battle:
    """So many blows at the model, which does not strike back."""
    striker = raw_sheet(
        "Mine",
        weapons={"blade": {**BLADE, **weapon}},
        model={"max": 1, "A": attacks, "WS": "2+", "S": 8, "weapons": ["blade"]},
    )
    battle = at(
        duel([striker], [sheet], player), "fight", {"Mine": (15, 15), "Foe": (15.0, 16.8)}, active=player, dice=dice
    )
    return fight_out(battle)


@pytest.mark.rule("w8.datasheet.wounds")
@SIDES
@pytest.mark.parametrize(("blows", "left"), [(5, 1), (6, 0)])
def test_a_model_of_six_wounds_is_slain_by_the_sixth_point_of_damage(player, blows, left):
    foe = {**FOE, "models": [{**FOE["models"][0], "W": 6, "T": 4}]}
    battle = struck(foe, player, blows, [2] * blows + [2] * blows)
    model = model_of(battle, "Foe")
    assert (battle.models.wounds[model], battle.models.alive[model]) == (left, 1 if left else 0)


@pytest.mark.rule("w8.datasheet.save")
@SIDES
@pytest.mark.parametrize(("die", "lost"), [(2, 0), (1, 1)])
def test_the_save_is_the_die_that_saves(player, die, lost):
    """Sv 2+, AP 0."""
    foe = {**FOE, "models": [{**FOE["models"][0], "Sv": "2+"}]}
    assert 9 - (battle := struck(foe, player, 1, [2, 2, die])).models.wounds[model_of(battle, "Foe")] == lost


@pytest.mark.rule("w8.datasheet.weapon.ap")
@SIDES
@pytest.mark.parametrize(("ap", "die", "lost"), [(-3, 4, 1), (-3, 5, 0), (0, 2, 0), (0, 1, 1), (-1, 2, 1), (-1, 3, 0)])
def test_armour_penetration_modifies_saves(player, ap, die, lost):
    """Sv 2+: at AP -3 a die of 4 is a 1; at 0, written "-" on datasheets, a die of 2 saves."""
    foe = {**FOE, "models": [{**FOE["models"][0], "Sv": "2+"}]}
    battle = struck(foe, player, 1, [2, 2, die], AP=ap)
    assert 9 - battle.models.wounds[model_of(battle, "Foe")] == lost


def shaken(leadership: int, die: int, abilities: Any = None, lost: int = 2, player: int = 0) -> dict[str, Any]:
    """The Morale test of a unit of which so many models were slain."""
    squad = raw_sheet("Mine", model={"min": 5, "Ld": leadership}, **({"abilities": abilities} if abilities else {}))
    battle = at(duel([squad], [FOE], player), "fight", {"Mine": (10, 10), "Foe": (40, 28)}, active=player, dice=[die])
    unit = unit_of(battle, "Mine")
    first = battle.units.first[unit]
    for model in range(first, first + lost):
        battle.models.alive[model] = battle.models.wounds[model] = battle.models.on_table[model] = 0
        battle.toll_array[model] = 1
    battle.units.alive[unit] -= lost
    while battle.decision is not None and not told(battle, "w8.morale.test"):
        battle.apply(battle.first_legal())
    return told(battle, "w8.morale.test")[0]


@pytest.mark.rule("w8.datasheet.leadership")
@SIDES
@pytest.mark.parametrize(("leadership", "passed"), [(9, True), (8, True), (7, False)])
def test_leadership_is_what_a_morale_test_must_not_exceed(leadership, passed, player):
    """Two lost and a die of 6: 8."""
    assert shaken(leadership, 6, player=player)["passed"] is passed


@pytest.mark.rule("w8.datasheet.weapon.range")
@SIDES
@DETAILS
def test_melee_weapons_are_for_the_fight_phase_and_all_others_for_shooting(player, detail):
    """A blade and a 24" gun: out of reach of the blade the gun fires, in reach of it the blade strikes."""
    mine, spots = lone(A=1), {"Mine": (10, 10), "Foe": (25, 10)}
    battle = at(duel([mine], [FOE], player, detail), "shooting", spots, active=player, dice=[6] * 9)
    assert offered(battle, "select-to-shoot") == [0]
    while battle.decision is not None and battle.clock.phase[0] == 3:
        battle.apply(battle.decision.options[-1])
    assert len(told(battle, "w8.shoot.attacks")) == 1  # of the gun alone
    assert len(told(battle, "w8.attack.hit")) == 1  # beyond half range
    engaged = {"Mine": (10, 10), "Foe": (10, 11.8)}
    battle = at(duel([mine], [FOE], player, detail), "shooting", engaged, active=player)
    assert offered(battle, "select-to-shoot") == []
    battle = fight_out(at(duel([mine], [FOE], player, detail), "fight", engaged, active=player, dice=[6, 6]))
    assert len(told(battle, "w8.attack.hit")) == 1
    assert told(battle, "w8.attack.wound")[0]["needed"] == 3  # S 4 + 1 of the blade against T 4
    apart = at(duel([mine], [FOE], player, detail), "fight", spots, active=player)
    assert kind(apart) != "select-to-fight"


# ---------------------------------------------------------------- how they are modified


def blow(strength: int, weapon: str, *effects: str, player: int = 0) -> int:
    """The Strength of a blow, as its wound roll against every Toughness says: the one that it wounds on 4+."""
    for toughness in range(1, 25):
        mine = raw_sheet(
            "Mine", abilities=under(*effects), weapons={"blade": {**BLADE, "S": weapon}},
            model={"max": 1, "S": strength, "A": 1, "WS": "2+", "weapons": ["blade"]},
        )  # fmt: skip
        foe = {**FOE, "models": [{**FOE["models"][0], "T": toughness}]}
        battle = at(
            duel([mine], [foe], player), "fight", {"Mine": (15, 15), "Foe": (15.0, 16.8)}, active=player, dice=[6, 6]
        )
        (event,) = told(fight_out(battle), "w8.attack.wound")
        if event["needed"] == 4:
            return toughness
    raise LookupError("no Toughness is wounded on 4+")


@pytest.mark.rule("w8.datasheet.weapon.strength")
@pytest.mark.parametrize(("effects", "found"), [((), 4), (("-1 Strength",), 3), (("+1 Strength",), 5)])
def test_strength_user_is_the_bearers_as_it_is_now(effects, found):
    assert blow(4, "User", *effects) == found


@pytest.mark.rule("w8.datasheet.weapon.strength.modified-user")
@pytest.mark.parametrize(
    ("strength", "weapon", "effects", "found"),
    [
        (4, "x2", ("+1 Strength",), 10),
        (4, "x2", ("-1 Strength",), 6),
        (4, "+2", ("double Strength",), 10),
        (4, "x2", ("double Strength", "+1 Strength"), 18),
        (5, "+1", ("halve Strength",), 4),
    ],
)
def test_the_bearers_strength_is_modified_before_the_weapon_does_so(strength, weapon, effects, found):
    """(4 + 1) x 2 = 10, (4 x 2) + 2 = 10, (4 x 2 + 1) x 2 = 18, 5 / 2 rounded up + 1 = 4."""
    assert blow(strength, weapon, *effects) == found


@pytest.mark.rule("w8.datasheet.modifiers")
@SIDES
@pytest.mark.parametrize("effects", [("+1 Strength", "double Strength"), ("double Strength", "+1 Strength")])
def test_multiplications_come_before_additions(effects, player):
    """3 x 2 + 1."""
    assert blow(3, "User", *effects, player=player) == 7


@pytest.mark.rule("w8.datasheet.modifiers", "w8.datasheet.modifiers.round-up")
@SIDES
@DETAILS
@pytest.mark.parametrize(
    ("move", "effects", "inches"),
    [
        (5, ("halve Move", "+1 Move"), 4.0),
        (5, ("+1 Move", "halve Move"), 4.0),
        (5, ("halve Move",), 3.0),
        (4, ("double Move", "-3 Move"), 5.0),
        (6, ("-1 Move", "-1 Move"), 4.0),
    ],
)
def test_a_halved_move_is_rounded_up_before_anything_is_added(move, effects, inches, player, detail):
    battle = moving(lone(M=move, abilities=under(*effects)), player, detail)
    pick(battle, "Mine: Normal move")
    assert farthest(battle) == inches


@pytest.mark.rule("w8.datasheet.modifiers")
def test_an_aura_modifies_moves_of_those_within_it_as_they_are_selected():
    """Bearer and Mine are 3" apart, and then not."""
    aura = {"auras": [{"name": "Haste", "effect": "+2 Move", "range": 3, "active": True}]}
    bearer = lone("Bearer", abilities=aura)
    for y, inches in ((19.0, 8.0), (25.0, 6.0)):
        spots = {"Mine": (15, 15), "Bearer": (15, y), "Foe": (40, 28)}
        battle = at(duel([lone(), bearer], [FOE]), "movement", spots)
        pick(battle, "Mine")
        pick(battle, "Mine: Normal move")
        assert farthest(battle) == inches


@pytest.mark.rule("w8.datasheet.minimum-zero")
@SIDES
@DETAILS
@pytest.mark.parametrize(("move", "effect", "inches"), [(3, "-5 Move", 0.0), (5, "-5 Move", 0.0), (6, "-5 Move", 1.0)])
def test_a_move_is_never_below_0(move, effect, inches, player, detail):
    battle = moving(lone(M=move, abilities=under(effect)), player, detail)
    model = model_of(battle, "Mine")
    assert battle.models.move[model] == inches
    assert farthest(battle) == inches


@pytest.mark.rule("w8.datasheet.minimum-zero")
@SIDES
@DETAILS
@pytest.mark.parametrize(
    ("attacks", "effects", "made"),
    [
        (1, ["-2 Attacks"], 0),
        (2, ["-2 Attacks"], 0),
        (3, ["-2 Attacks"], 1),
        (1, ["+1 Attacks", "-2 Attacks"], 0),
        (2, ["+1 Attacks"], 3),
    ],
)
def test_attacks_are_never_below_0(attacks, effects, made, player, detail):
    mine = raw_sheet(
        "Mine", abilities=under(*effects), model={"max": 1, "A": attacks, "WS": "2+", "weapons": ["blade"]}
    )
    battle = at(
        duel([mine], [FOE], player, detail),
        "fight",
        {"Mine": (15, 15), "Foe": (15.0, 16.8)},
        active=player,
        dice=[1] * 5,
    )
    assert len(told(fight_out(battle), "w8.attack.hit")) == made


@pytest.mark.rule("w8.datasheet.minimum-zero")
@pytest.mark.parametrize(("effect", "asked"), [("-2 Attacks", 0), ("-1 Attacks", 1)])
def test_nothing_is_left_to_divide_of_attacks_below_1(effect, asked):
    """A 2 between two units, at full detail."""
    mine = raw_sheet("Mine", abilities=under(effect), model={"max": 1, "A": 2, "WS": "2+", "weapons": ["blade"]})
    other = {**FOE, "name": "Other"}
    spots = {"Mine": (15, 15), "Foe": (15.0, 16.8), "Other": (15.0, 13.2)}
    battle = at(duel([mine], [FOE, other], 0, "full"), "fight", spots, dice=[1] * 5)
    found = 0
    while battle.decision is not None and battle.clock.phase[0] == 5:
        found += kind(battle) == "attack-target"
        battle.apply(battle.first_legal())
    assert (found, len(told(battle, "w8.attack.hit"))) == (asked, asked)


@pytest.mark.rule("w8.datasheet.attacks")
@SIDES
@DETAILS
def test_more_attacks_are_for_close_combat_alone(player, detail):
    """A gun of one shot fires once."""
    gun = {"gun": {"range": 24, "type": "Assault 1", "S": 4, "AP": 0, "D": 1}}
    mine = raw_sheet(
        "Mine", weapons=gun, abilities=under("+1 Attacks", "+2 Attacks"), model={"max": 1, "weapons": ["gun"]}
    )
    battle = at(
        duel([mine], [FOE], player, detail),
        "shooting",
        {"Mine": (10, 10), "Foe": (20, 10)},
        active=player,
        dice=[1] * 4,
    )
    while battle.decision is not None and battle.clock.phase[0] == 3:
        battle.apply(battle.decision.options[-1])
    assert len(told(battle, "w8.attack.hit")) == 1


@pytest.mark.rule("w8.datasheet.minimum-one")
@SIDES
@pytest.mark.parametrize(
    ("effects", "found"), [(("-4 Strength",), 1), (("-2 Strength", "-1 Strength"), 1), (("halve Strength",), 2)]
)
def test_strength_is_never_below_1(effects, found, player):
    assert blow(3, "User", *effects, player=player) == found


@pytest.mark.rule("w8.datasheet.minimum-one")
@pytest.mark.parametrize(("weapon", "bearer"), [("-1", 1), ("-3", 2)])
def test_nor_is_that_of_a_weapon(weapon, bearer):
    assert blow(bearer, weapon) == 1


@pytest.mark.rule("w8.datasheet.minimum-one")
@SIDES
@pytest.mark.parametrize(
    ("effects", "toughness"),
    [(("-4 Toughness",), 1), (("-3 Toughness", "-1 Toughness"), 1), (("-1 Toughness",), 2), (("+2 Toughness",), 5)],
)
def test_toughness_is_never_below_1(effects, toughness, player):
    """T 3: the wound roll of each Strength is that against the Toughness as it is modified."""
    for strength in range(1, 7):
        mine = raw_sheet(
            "Mine", weapons={"blade": BLADE}, model={"max": 1, "S": strength, "A": 1, "WS": "2+", "weapons": ["blade"]}
        )
        foe = {**FOE, "abilities": under(*effects), "models": [{**FOE["models"][0], "T": 3}]}
        battle = at(
            duel([mine], [foe], player), "fight", {"Mine": (15, 15), "Foe": (15.0, 16.8)}, active=player, dice=[6, 6]
        )
        (event,) = told(fight_out(battle), "w8.attack.wound")
        table = (
            2
            if strength >= 2 * toughness
            else 3
            if strength > toughness
            else 4
            if strength == toughness
            else 5
            if 2 * strength > toughness
            else 6
        )
        assert event["needed"] == table


@pytest.mark.rule("w8.datasheet.minimum-one")
@SIDES
@pytest.mark.parametrize(
    ("effects", "found"), [(("-4 Leadership", "-2 Leadership"), 1), (("-1 Leadership",), 4), (("+1 Leadership",), 6)]
)
def test_leadership_is_never_below_1(effects, found, player):
    assert shaken(5, 6, under(*effects), player=player)["needed"] == found


# ---------------------------------------------------------------- what is never modified


@pytest.mark.rule("w8.datasheet.dash-never-modified")
@SIDES
@DETAILS
def test_a_dash_is_never_modified(player, detail):
    """BS "-" improved by 1: it shoots with nothing, its comrade with 4+ hits on 3."""
    better = under("improve Ballistic Skill by 1")
    spots = {"Mine": (10, 10), "Other": (14, 10), "Foe": (20, 15)}
    sheets = [lone(BS="-", abilities=better), lone("Other", BS="4+", abilities=better)]
    battle = at(duel(sheets, [FOE], player, detail), "shooting", spots, active=player, dice=[3, 1])
    assert offered(battle, "select-to-shoot") == [1]
    while battle.decision is not None and not told(battle, "w8.attack.hit"):
        battle.apply(battle.decision.options[-1])
    assert {h["needed"] for h in told(battle, "w8.attack.hit")} == {3}


@pytest.mark.rule("w8.datasheet.dash-never-modified")
@SIDES
def test_nor_is_a_weapon_skill_or_a_move_of_a_dash(player):
    fixed = lone(M="-", WS="-", A=3, abilities=under("improve Weapon Skill by 1", "+3 Move"))
    battle = at(duel([fixed], [FOE], player), "movement", {"Mine": (15, 15), "Foe": (40, 28)}, active=player)
    assert battle.models.move[model_of(battle, "Mine")] == 0
    assert battle.decision.player == 1 - player  # there was nothing to choose
    spots = {"Mine": (15, 15), "Foe": (15.0, 16.8)}
    assert told(fight_out(at(duel([fixed], [FOE], player), "fight", spots, active=player)), "w8.attack.hit") == []


def test_skills_are_modified_where_they_are_used():
    """Weapon Skill in melee and Ballistic Skill in shooting."""
    skilled = under("improve Weapon Skill by 1", "worsen Ballistic Skill by 1")
    setup = setup_of(raw_sheet("Mine", abilities=skilled), game=w8.GAME)
    battle = battle_of(setup)
    changed = battle.setup.statics["changed_weapons"]
    rows = {name: row for row, name in enumerate(setup.names["weapons"]) if name in ("gun", "blade")}
    skills = {
        (effect, name): int(setup.statics["weapons"][changed[effect, row]]["skill"])
        for name, row in rows.items()
        for effect in ("improve Weapon Skill by 1", "worsen Ballistic Skill by 1")
    }
    assert skills == {
        ("improve Weapon Skill by 1", "blade"): 2,
        ("improve Weapon Skill by 1", "gun"): 4,
        ("worsen Ballistic Skill by 1", "blade"): 3,
        ("worsen Ballistic Skill by 1", "gun"): 5,
    }
