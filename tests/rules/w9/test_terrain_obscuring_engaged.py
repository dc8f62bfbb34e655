"""What being engaged across Area Terrain with Obscuring does in each phase (w9.terrain.obscuring.engagement-range).

A ruin is a strip of 1" from y = 20 to 21 without walls, so low that it is seen through; bases are of 1". Which models are engaged is shown in
``test_terrain_obscuring_engagement``.
"""

from __future__ import annotations

from math import dist
from typing import Any

import pytest
from ninth import NinthScene

from wh_env.content.battle import Battle
from wh_env.core.geometry.paths import Fault
from wh_env.core.tables import ON_TABLE
from wh_env.envs.observation import Observer, column_of
from wh_env.rulesets.w40k.questions.engagements import engagements, forget_targets
from wh_env.rulesets.w40k.questions.move_limits import engaged
from wh_env.rulesets.w40k.shoot.declare import melee_targets
from wh_env.testing import choose, dice_left, kind, melee, pick, ranged, sheet, slots, told, words
from wh_env.testing.melee_moves import check_charge_move, check_consolidation, check_pile_in_move

RULE = pytest.mark.rule("w9.terrain.obscuring.engagement-range")
PLAYERS = pytest.mark.parametrize("player", [0, 1])
DETAILS = pytest.mark.parametrize("detail", ["squad", "full"])
CASES = pytest.mark.parametrize(
    ("gap", "feature", "within"), [(2.0, "ruins", True), (2.01, "ruins", False), (1.9, "crater", False)]
)
QUIET = {"cp_each_command_phase": 0}
WELL_APART = 1.0 + 2.0 + 1.1  # between middles of bases: their own inch, the 2" of the rule, the diagonal of a cell
STRIP = (20.0, 20.0, 40.0, 21.0)
BLADE = {"blade": melee(A=1, WS=2, S=8, AP=-6)}
GUN = {"gun": ranged(24, A=1, BS=3, S=8, AP=-6)}
PISTOL = {"pistol": ranged(12, A=1, BS=3, S=8, AP=-6, abilities=["Pistol"])}


def field(feature: str | None = "ruins") -> Any:
    """A scene with the strip."""
    scene = NinthScene()
    if feature is not None:
        scene.area(feature, *STRIP, 3.0 if feature == "ruins" else 0.0)
    return scene


def facing(
    gap: float, feature: str | None = "ruins", *, player: int = 0, phase: str = "fight", mine: Any = None, foes: Any = None,
    **more: Any,
) -> Battle:  # fmt: skip
    """Mine and Foes, a model each, ``gap`` inches apart and as far from the middle of the strip."""
    scene = field(feature)
    scene.unit(player, sheet("Mine", W=9, **(mine or {"weapons": BLADE})), at=(30, 20 - gap / 2), models=1, name="Mine")
    scene.unit(
        1 - player, sheet("Foes", W=9, **(foes or {"weapons": BLADE})), at=(30, 21 + gap / 2), models=1, name="Foes"
    )
    battle: Battle = scene.battle(phase, active=player, rules=QUIET, **more)
    return battle


def stay(battle: Battle) -> None:
    """Nobody piles in or consolidates as long as that is asked."""
    while kind(battle) in ("pile-in", "consolidate"):
        pick(battle, "do not")


def row_of(battle: Battle, name: str) -> int:
    return battle.setup.names["units"].index(name)


# ---------------------------------------------------------------- fights


@RULE
@PLAYERS
@DETAILS
@CASES
def test_both_fight(gap: float, feature: str, within: bool, player: int, detail: str) -> None:
    """Each hits, wounds and takes a wound off the other."""
    battle = facing(gap, feature, player=player, detail=detail, dice=[6, 6, 1, 6, 6, 1])
    while kind(battle) is not None and battle.decision.kind in (
        "select-to-fight",
        "pile-in",
        "consolidate",
        "attack-target",
    ):
        if kind(battle) in ("pile-in", "consolidate"):
            stay(battle)
        else:
            battle.apply(battle.first_legal())
    assert list(battle.models.wounds) == ([8, 8] if within else [9, 9])
    assert dice_left(battle) == (0 if within else 6)


@RULE
@PLAYERS
def test_each_model_needs_it_to_fight(player: int) -> None:
    """Of four models two are within 2" across, none fights from behind another; the fifth stands past the end of the ruin."""
    scene = field()
    at = [(30.0, 19.0), (31.05, 19.0), (32.4, 19.0), (33.5, 19.0)]
    mine = scene.unit(player, sheet("Mine", weapons=BLADE), at=at, name="Mine")
    foes = scene.unit(1 - player, sheet("Foes", W=9), at=(30.5, 21.9), models=1, name="Foes")
    battle = scene.battle("fight", run=False)
    row, some = melee_targets(battle, mine.row)
    assert some
    assert row[foes.row] == 2
    assert melee_targets(battle, foes.row)[0][mine.row] == 1


@RULE
@PLAYERS
def test_a_unit_that_stays_within_it_may_pile_in_and_consolidate(player: int) -> None:
    """They may come as near as they like, and pass others by."""
    battle = facing(1.9, player=player, run=False)
    unit = row_of(battle, "Mine")
    assert check_pile_in_move(battle.clone(), unit, {0: [(30, 19.5)]}) == Fault.LEGAL
    assert check_pile_in_move(battle.clone(), unit, {0: [(30, 18.5)]}) == Fault.NOT_CLOSER
    assert check_consolidation(battle.clone(), unit, {0: [(30.5, 19.6)]}) == Fault.LEGAL


# ---------------------------------------------------------------- charges


def charge(
    away: float, dice: list[int], feature: str | None = "ruins", *, player: int = 0, other: Any = None, **more: Any
) -> Battle:
    """Mine, ``away`` inches from Foes, who stand at the far side of the strip; a charge at them is declared."""
    scene = field(feature)
    scene.unit(player, sheet("Mine", weapons=BLADE), at=(30, 21.6 - away - 0.5), models=1, name="Mine")
    scene.unit(1 - player, sheet("Foes", weapons=BLADE), at=(30, 22.1), models=1, name="Foes")
    if other is not None:
        scene.unit(1 - player, sheet("Other", weapons=BLADE), at=other, models=1, name="Other")
    battle: Battle = scene.battle("charge", active=player, dice=dice, rules=QUIET, **more)
    pick(battle, "Mine", kind="select-to-charge")
    if kind(battle) == "charge-target":
        pick(battle, "charge Foes")
    while kind(battle) in ("charge-target", "defend"):
        choose(battle, "done")
    if kind(battle) == "close-order":
        pick(battle, "leave the move to the engine")
    return battle


def made(battle: Battle) -> bool:
    return any(e.kind == "charges" for e in battle.events)


@RULE
@PLAYERS
@DETAILS
@pytest.mark.parametrize(
    ("away", "dice", "feature", "reached"),
    [
        (7.0, [2, 3], "ruins", True),
        (7.0, [2, 2], "ruins", False),
        (7.0, [2, 3], None, False),
        (7.0, [3, 3], None, True),
    ],
)
def test_a_charge_reaches_its_target_across(
    away: float, dice: list[int], feature: str | None, reached: bool, player: int, detail: str
) -> None:
    battle = charge(away, dice, feature, player=player, detail=detail)
    assert made(battle) == reached
    if reached:
        assert engaged(battle, row_of(battle, "Mine"))


@RULE
@pytest.mark.parametrize(("gap", "fault"), [(2.0, Fault.LEGAL), (2.01, Fault.NOT_ENGAGED)])
def test_which_ends_of_a_charge_are_legal(gap: float, fault: Fault) -> None:
    scene = field()
    unit = scene.unit(0, sheet("Mine"), at=(30, 15), models=1)
    foes = scene.unit(1, sheet("Foes"), at=(30, 22), models=1)
    battle = scene.battle("charge", run=False)
    assert check_charge_move(battle, unit, [foes], 9, {0: [(30, 21 - gap)]}) == fault


@RULE
@PLAYERS
@pytest.mark.parametrize(("x", "fault"), [(32.0, Fault.ENGAGES_ON_THE_WAY), (33.4, Fault.LEGAL)])
def test_a_charge_keeps_out_of_it_of_others(x: float, fault: Fault, player: int) -> None:
    """The target stands in the open before the ruin, another unit behind it."""
    for feature, expected in (("ruins", fault), ("crater", Fault.LEGAL)):
        scene = field(feature)
        unit = scene.unit(player, sheet("Mine"), at=(30, 14), models=1)
        foes = scene.unit(1 - player, sheet("Foes"), at=(28.9, 18.9), models=1)
        scene.unit(1 - player, sheet("Other"), at=(x, 21.6), models=1)
        battle = scene.battle("charge", active=player, run=False)
        assert check_charge_move(battle, unit, [foes], 9, {0: [(30.5, 19.4)]}) == expected


@RULE
@PLAYERS
def test_the_engine_charges_past_others(player: int) -> None:
    """It finds an end within 1" of the target that is not within 2" of the other unit across the ruin."""
    scene = field()
    for side, name, at in (
        (player, "Mine", (31.5, 14)),
        (1 - player, "Foes", (28.9, 18.9)),
        (1 - player, "Other", (31.5, 21.6)),
    ):
        scene.unit(side, sheet(name, W=30), at=at, models=1, name=name)
    battle = scene.battle("charge", active=player, dice=[5, 5], rules=QUIET)
    pick(battle, "Mine", kind="select-to-charge")
    pick(battle, "charge Foes")
    while kind(battle) in ("charge-target", "defend"):
        choose(battle, "done")
    assert made(battle)
    mine, foes, other = (row_of(battle, name) for name in ("Mine", "Foes", "Other"))
    table = engagements(battle)
    assert table[mine, foes]
    assert not table[mine, other]


@RULE
@PLAYERS
@CASES
def test_an_engaged_unit_does_not_charge(gap: float, feature: str, within: bool, player: int) -> None:
    battle = facing(gap, feature, player=player, phase="charge")
    assert (kind(battle) == "select-to-charge") != within


@RULE
@PLAYERS
@CASES
def test_an_engaged_character_does_not_intervene(gap: float, feature: str, within: bool, player: int) -> None:
    battle = facing(
        gap, feature, player=player, phase="charge", foes={"keywords": ("INFANTRY", "CHARACTER"), "weapons": BLADE}
    )
    if kind(battle) == "select-to-charge":
        choose(battle, "done")
    assert (kind(battle) == "select-to-intervene") != within


# ---------------------------------------------------------------- shooting


@RULE
@PLAYERS
@CASES
def test_who_is_engaged_fires_pistols_only(gap: float, feature: str, within: bool, player: int) -> None:
    battle = facing(gap, feature, player=player, phase="shooting", mine={"weapons": GUN}, dice=[6, 6, 6])
    assert bool(told(battle, "w9.attack.hit") or kind(battle) == "select-to-shoot") != within
    battle = facing(gap, feature, player=player, phase="shooting", mine={"weapons": PISTOL}, dice=[6, 6, 6])
    assert told(battle, "w9.attack.hit") or kind(battle) == "select-to-shoot"


@RULE
@PLAYERS
@DETAILS
@CASES
def test_a_unit_engaged_with_friends_is_no_target(
    gap: float, feature: str, within: bool, player: int, detail: str
) -> None:
    scene = field(feature)
    scene.unit(player, sheet("Mine", weapons=BLADE), at=(30, 20 - gap / 2), models=1, name="Mine")
    scene.unit(player, sheet("Guns", weapons=GUN), at=(20, 10), models=1, name="Guns")
    scene.unit(1 - player, sheet("Foes", W=9), at=(30, 21 + gap / 2), models=1, name="Foes")
    scene.unit(1 - player, sheet("Far 1", W=9), at=(38, 14), models=1, name="Far 1")
    scene.unit(1 - player, sheet("Far 2", W=9), at=(10, 20), models=1, name="Far 2")
    battle = scene.battle("shooting", active=player, detail=detail, rules=QUIET)
    pick(battle, "Guns", kind="select-to-shoot")
    offers = " ".join(words(battle).values())
    assert "Far 1" in offers
    assert ("Foes" in offers) != within


@RULE
@PLAYERS
@CASES
def test_a_big_model_shoots_heavy_weapons_worse(gap: float, feature: str, within: bool, player: int) -> None:
    """BS 3+, a 3: at -1 to hit only while it is engaged."""
    heavy = {"gun": ranged(24, A=1, BS=3, S=8, AP=-6, abilities=["Heavy"])}
    battle = facing(
        gap, feature, player=player, phase="shooting", mine={"weapons": heavy, "keywords": ("VEHICLE",)}, dice=[3, 6, 6]
    )
    if kind(battle) == "select-to-shoot":
        pick(battle, "Mine")
    if kind(battle) in ("shoot-target", "weapon-target"):
        pick(battle, "Foes")
    hits = told(battle, "w9.attack.hit")
    assert hits
    assert bool(told(battle, "w9.attack.wound")) != within


@RULE
@PLAYERS
@CASES
def test_an_engaged_unit_does_not_fire_overwatch(gap: float, feature: str, within: bool, player: int) -> None:
    """A unit charges Foes, who stand across the strip from another."""
    scene = field(feature)
    scene.unit(player, sheet("Near"), at=(30, 20 - gap / 2), models=1, name="Near")
    scene.unit(player, sheet("Charger"), at=(30, 30), models=1, name="Charger")
    scene.unit(1 - player, sheet("Foes", weapons=GUN | PISTOL), at=(30, 21 + gap / 2), models=1, name="Foes")
    battle = scene.battle("charge", active=player, cp=(1, 1), rules=QUIET)
    pick(battle, "Charger", kind="select-to-charge")
    if kind(battle) == "charge-target":
        pick(battle, "charge Foes")
    if kind(battle) == "charge-target":
        choose(battle, "done")
    assert (kind(battle) == "fire-overwatch") != within


@RULE
@PLAYERS
@pytest.mark.parametrize(("gap", "struck"), [(2.0, 2), (2.05, 1)])
def test_models_across_cut_down_who_falls_back(gap: float, struck: int, player: int) -> None:
    """One enemy stands within 1" of the unit, another across the ruin: a die for each of them that is engaged."""
    scene = field()
    scene.unit(player, sheet("Mine", W=9), at=(30, 20 - gap / 2), models=1, name="Mine")
    foes = [(30, 21 + gap / 2), (31.9, 20 - gap / 2)]
    scene.unit(1 - player, sheet("Foes"), at=foes, name="Foes")
    battle = scene.battle("movement", active=player, cp=(1, 1), dice=[6, 6], rules=QUIET)
    if kind(battle) == "select-to-move":
        pick(battle, "Mine")
    pick(battle, "Fall Back")
    assert kind(battle) == "cut-them-down"
    choose(battle, "option", 0)
    assert dice_left(battle) == 2 - struck
    assert battle.models.wounds[battle.units.first[row_of(battle, "Mine")]] == 9 - struck


# ---------------------------------------------------------------- setting up


@RULE
@PLAYERS
@DETAILS
def test_nobody_is_set_up_within_it(player: int, detail: str) -> None:
    """A unit disembarks at the ruin, with enemies behind it: every option is taken, nobody ends engaged; fewer than without a ruin."""
    count = {}
    for feature in ("ruins", None):
        scene = field(feature)
        abilities = {"transport": {"capacity": 12, "allowed": ["INFANTRY"]}}
        bus = sheet(
            "Bus", keywords=("VEHICLE", "TRANSPORT"), abilities=abilities, hull_in=(5, 3), M=12, W=6, models=(1, 1)
        )
        carrier = scene.unit(player, bus, at=(30, 17), facing=0.0)
        scene.unit(player, sheet("Squad"), models=1, embarked_in=carrier, name="Squad")
        foes = [(27.0, 22.2), (30.0, 22.2), (33.0, 22.2)]
        scene.unit(1 - player, sheet("Foes"), at=foes, name="Foes")
        battle = scene.battle("movement", active=player, detail=detail, rules=QUIET)
        pick(battle, "Squad disembarks")
        squad, count[feature] = row_of(battle, "Squad"), 0
        for cell in slots(battle, "cell"):
            there = battle.clone()
            choose(there, "cell", cell)
            if there.units.place[squad] == ON_TABLE:
                assert not engaged(there, squad)
                count[feature] += 1
                continue
            # the finer places of the cell; where one is too far from everybody for any of them to matter the others are counted
            options = there.decision.options
            count[feature] += len(options)
            for action in options:
                after = there.clone()
                after.apply(action)
                assert after.units.place[squad] == ON_TABLE
                assert not engaged(after, squad)
                model = after.units.first[squad]
                here = after.models.x[model], after.models.y[model]
                if min(dist(here, foe) for foe in foes) > WELL_APART:
                    break
    assert 0 < count["ruins"] < count[None]


# ---------------------------------------------------------------- what shows it


@RULE
def test_the_audit_knows_it() -> None:
    """What is kept of engagement is compared with the rule; a move that ends so is a fault."""
    battle = facing(1.9, phase="shooting", mine={"weapons": PISTOL})
    audit = battle.setup.ruleset.audit(battle)
    engagements(battle)
    assert audit.after() == []
    mine, foes = row_of(battle, "Mine"), row_of(battle, "Foes")
    battle.engaged[mine, foes] = battle.engaged[foes, mine] = 0
    assert any("are within Engagement Range, and the opposite is kept" in fault for fault in audit.after())


@RULE
def test_a_move_that_ends_within_it_is_a_fault_to_the_audit() -> None:
    """The unit is put within 2" across the ruin after a move elsewhere."""
    scene = field()
    unit = scene.unit(0, sheet("Mine"), at=(30, 15), models=1, name="Mine")
    scene.unit(0, sheet("Beside"), at=(50, 15), models=1, name="Beside")
    scene.unit(1, sheet("Foes"), at=(30, 21.9), models=1, name="Foes")
    battle = scene.battle("movement", rules=QUIET)
    pick(battle, "Mine", kind="select-to-move")
    pick(battle, "Normal move")
    audit = battle.setup.ruleset.audit(battle)
    for y, faults in ((18.8, []), (19.0, ["Mine ended a move within Engagement Range"])):
        after = battle.clone()
        audit = after.setup.ruleset.audit(after)
        audit.before()
        after.apply(after.setup.space.cell + slots(after, "cell")[0])
        after.models.y[unit.first], after.models.x[unit.first] = y, 30.0
        forget_targets(after)
        assert audit.after() == faults


@RULE
@PLAYERS
@CASES
def test_observations_say_so(gap: float, feature: str, within: bool, player: int) -> None:
    battle = facing(gap, feature, player=player, phase="movement")
    for seat in (0, 1):
        seen = Observer(battle.setup, "entities").observe(battle, seat)
        ruleset = battle.setup.ruleset
        own = seen["own"][0, column_of(ruleset, "own", "engaged")]
        enemy = seen["enemy"][0, column_of(ruleset, "enemy", "engaged")]
        both = seen["relations"][0, 0, column_of(ruleset, "relations", "engaged")]
        assert [bool(value) for value in (own, enemy, both)] == [within] * 3
