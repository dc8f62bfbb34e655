"""The Shooting phase: who may shoot at whom, cover, what it needs to hit, what comes of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.arming import blow, man, pair, rider
from wh_env import Battle
from wh_env.content.rulebook import catalogue
from wh_env.content.wap.load import weapons
from wh_env.rulesets.wap.casualties.removing import slay
from wh_env.rulesets.wap.codes import (
    DRIVEN,
    FAILED,
    FLED,
    FRONT,
    HEAVY_COVER,
    LEFT,
    LIGHT_COVER,
    MARCHED,
    MOVED,
    NO_COVER,
    RALLIED,
    REAR,
    REFORMED,
    RIGHT,
)
from wh_env.rulesets.wap.shooting.aims import eyes_of, may_be_shot, may_shoot, shooters_at
from wh_env.rulesets.wap.shooting.cover import covers
from wh_env.rulesets.wap.shooting.hits import roll_to_hit, shared, side_shot, take_hits, wounds_from
from wh_env.rulesets.wap.shooting.shooting import fire, has_target, targets_of
from wh_env.rulesets.wap.shooting.shots import (
    AS_REACTION,
    IN_PHASE,
    MULTIPLE,
    ON_CHARGE,
    VOLLEY,
    firings,
    only_pivoted,
    ways_of,
    who_fire,
)
from wh_env.rulesets.wap.shooting.volley import shoot
from wh_env.rulesets.wap.view.appraise_shots import worth_of_shots, worth_of_standing
from wh_env.rulesets.wap.weapons.arms import outfit_of
from wh_env.rulesets.wap.weapons.hit import RANGED, Hit
from wh_env.testing import dice_left, pick, told, words
from wh_env.testing.wap import NORTH, PLAIN, SOUTH, RegimentScene, UnitHandle, ranks, square

BOWS = man("bow")
SHOT_OF_3 = Hit(3, nature=RANGED)


def facing(
    mine: dict[str, Any], theirs: dict[str, Any], *, far: float = 20.0, models: tuple[int, int] = (10, 20), files: int = 5,
    dice: Sequence[int] = (), columns: tuple[dict[str, Any], dict[str, Any]] = ({}, {}), command: Sequence[str] = (), **known: Any,
) -> tuple[Battle, UnitHandle, UnitHandle]:  # fmt: skip
    """A unit that looks north at an enemy so many inches away which looks at it."""
    scene = RegimentScene()
    a = scene.unit(
        0, mine, (24, 12), models=models[0], files=min(files, models[0]), facing=NORTH, command=command, **columns[0]
    )
    b = scene.unit(1, theirs, (24, 12 + far), models=models[1], files=min(5, models[1]), facing=SOUTH, **columns[1])
    return scene.battle("shooting", dice=dice, run=False, **known), a, b


def needs(battle: Battle, a: UnitHandle, b: UnitHandle, way: int = 0, when: int = IN_PHASE) -> list[tuple[int, int]]:
    """What the shots of a unit need to hit, and how many there are."""
    return [(firing.needed, firing.shots) for firing in firings(battle, a.row, b.row, way, when)]


# ---------------------------------------------------------------- who, at whom


@pytest.mark.rule("wap.shoot.two-ranks", "wap.shoot.one-attack")
def test_two_ranks_shoot() -> None:
    battle, a, b = facing(BOWS, man(), models=(15, 20))
    assert len(eyes_of(battle, a.row, b.row)) == 10
    assert [battle.models.rank[k] for k in eyes_of(battle, a.row, b.row)] == [0] * 5 + [1] * 5


@pytest.mark.rule("wap.shoot.two-ranks", "wap.shoot.some-cannot")
def test_who_stands_behind_a_model_that_sees_nothing_does_not_shoot() -> None:
    """A wall of men before the two files on the right: they see nothing of a target of one model before the left."""
    scene = RegimentScene()
    a = scene.unit(0, BOWS, (24, 12), models=15, files=5, facing=NORTH)
    scene.unit(0, man(), (25.6, 14), models=2, files=2, facing=NORTH)
    b = scene.unit(1, man(), (24, 24), models=5, files=5)
    battle = scene.battle("shooting", run=False)
    battle.units.sight[1] = 9
    seen = eyes_of(battle, a.row, b.row)
    front = [k for k in seen if battle.models.rank[k] == 0]
    behind = [k for k in seen if battle.models.rank[k] == 1]
    assert {battle.models.file[k] for k in front} == {battle.models.file[k] for k in behind}
    assert 0 < len(front) < 5 and len(seen) == 2 * len(front)


@pytest.mark.parametrize(("far", "number"), [(24.0, 5), (24.1, 0), (23.0, 10), (5.0, 10)])
@pytest.mark.rule("wap.shoot.range", "wap.weapon.missile.bow")
def test_range_is_measured_from_every_base(far: float, number: int) -> None:
    battle, a, b = facing(BOWS, man(), far=far, models=(10, 20))
    assert len(shooters_at(battle, a.row, b.row, 24.0, outfit_of(battle, a.row).missiles[0])) == number
    assert bool(ways_of(battle, a.row, b.row, IN_PHASE)) is bool(number)
    if number:
        assert needs(battle, a, b) == [(4, number)]


@pytest.mark.parametrize(
    ("columns", "able"),
    [
        ({"did": MARCHED | MOVED}, False),
        ({"did": REFORMED | MOVED}, False),
        ({"did": RALLIED}, False),
        ({"did": FAILED}, False),
        ({"fleeing": 1, "did": FLED}, False),
        ({"stupid": 1}, False),
        ({"did": MOVED}, True),
        ({}, True),
    ],
)
@pytest.mark.rule("wap.shoot.who")
def test_who_cannot_shoot(columns: dict[str, Any], able: bool) -> None:
    battle, a, _ = facing(BOWS, man(), columns=(columns, {}))
    assert may_shoot(battle, a.row) is has_target(battle, a.row) is able


@pytest.mark.rule("wap.shoot.who", "wap.shoot.into-combat.barred")
def test_who_fights_neither_shoots_nor_is_shot_at() -> None:
    scene = RegimentScene()
    a = scene.unit(0, BOWS, (24, 12), models=10, files=5, facing=NORTH)
    b = scene.unit(0, BOWS, (24, 24), models=10, files=5, facing=NORTH)
    c = scene.beside(b, 1, man(), models=10, files=5)
    battle = scene.battle("shooting", run=False)
    assert not may_shoot(battle, b.row)
    assert may_shoot(battle, a.row) and targets_of(battle, a.row) == [] and not may_be_shot(battle, a.row, c.row)


@pytest.mark.rule("wap.shoot.target", "wap.shoot.same-target", "wap.shoot.phase.sequence")
def test_targets_in_front_in_view_in_range() -> None:
    scene = RegimentScene((72, 72))
    a = scene.unit(0, BOWS, (30, 20), models=5, files=5, facing=NORTH)
    other = scene.unit(0, BOWS, (40, 20), models=5, files=5, facing=NORTH)
    front = scene.unit(1, man(), (30, 40), models=5, files=5)
    scene.unit(1, man(), (50, 20), models=5, files=5)
    scene.area("impassable", 17, 36, 27, 37)
    scene.unit(1, man(), (22, 38), models=3, files=3)
    scene.unit(1, man(), (32, 45), models=5, files=5)
    battle = scene.battle("shooting")
    assert targets_of(battle, a.row) == [front.row]
    pick(battle, "unit 00 shoots")
    assert told(battle, "wap.shoot.hit.roll")[0]["target"] == front.row
    assert not has_target(battle, a.row)
    assert has_target(battle, other.row)


@pytest.mark.parametrize(
    ("far", "models", "side", "allowed"),
    [
        (4.0, 8, RIGHT, True),
        (4.1, 8, RIGHT, False),
        (4.0, 4, RIGHT, False),
        (4.0, 5, RIGHT, True),
        (4.0, 8, FRONT, False),
    ],
)
@pytest.mark.rule("wap.shoot.into-combat.close")
def test_shots_into_a_combat_from_close_by(far: float, models: int, side: int, allowed: bool) -> None:
    scene = RegimentScene()
    b = scene.unit(1, man(), (24, 24), models=models, files=models)
    scene.beside(b, 0, man(), models=min(models, 5), files=min(models, 5), along=0.0)
    half = 0.5 * models
    x, y, f = (24 - half - far, 24.5, 0.0) if side == RIGHT else (24 + half + 0.4, 24 - far, NORTH)
    a = scene.unit(0, BOWS, (x, y), models=1, files=1, facing=f)
    battle = scene.battle("shooting", run=False)
    assert may_be_shot(battle, a.row, b.row) is allowed


@pytest.mark.rule("wap.shoot.into-combat.ones")
def test_ones_hit_friends() -> None:
    scene = RegimentScene()
    b = scene.unit(1, man(), (24, 24), models=8, files=8)
    friend = scene.beside(b, 0, man(), models=10, files=5)
    a = scene.unit(0, BOWS, (18, 24.5), models=8, files=4, facing=0.0)
    dice = [1, 1, 4, 5, 6, 2, 3, 4, *[6] * 4, *[6, 1]]
    battle = scene.battle("shooting", run=False, dice=dice)
    shoot(battle, a.row, b.row, 0, IN_PHASE)
    [shots] = told(battle, "wap.shoot.hit.roll")
    assert shots["result"] == 4 and shots["needed"] == 4
    [strays] = told(battle, "wap.shoot.into-combat.ones")
    assert (strays["unit"], strays["amount"]) == (friend.row, 2)
    assert dice_left(battle) == 0
    assert battle.units.alive[friend] == 9


# ---------------------------------------------------------------- sides


@pytest.mark.parametrize(
    ("split", "dice", "side"),
    [((6, 4), [], RIGHT), ((4, 6), [], REAR), ((5, 5), [4], REAR), ((5, 5), [3], RIGHT)],
)
@pytest.mark.rule("wap.shoot.side", "wap.shoot.side.straddle")
def test_who_stands_in_two_arcs(
    split: tuple[int, int], dice: list[int], side: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    battle, a, b = facing(BOWS, man(), dice=dice)
    stands = dict(zip((RIGHT, REAR), split, strict=True))
    monkeypatch.setattr("wh_env.rulesets.wap.shooting.hits.quarters_of_models", lambda *_: stands)
    assert side_shot(battle, a.row, b.row) == side
    assert dice_left(battle) == 0


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("turned", "side"), [(SOUTH, FRONT), (NORTH, REAR), (0.0, RIGHT), (3.14159, LEFT)])
@pytest.mark.rule("wap.shoot.side", "wap.armour.shield.infantry-front")
def test_a_shield_helps_more_in_front(turned: float, side: int, player: int) -> None:
    """Light armour and a shield: 4+ against arrows from the front on foot, 5+ from elsewhere, and on horses from everywhere."""
    for card, needed in (
        (man("light armour", "shield"), 4 if side == FRONT else 5),
        (rider("light armour", "shield"), 5),
    ):
        scene = RegimentScene()
        a = scene.unit(player, BOWS, (24, 12), models=5, files=5, facing=NORTH)
        b = scene.unit(1 - player, card, (24, 30), models=5, files=5, facing=turned)
        battle = scene.battle("shooting", player=player, run=False, dice=[6] * 10 + [4] * 5)
        assert side_shot(battle, a.row, b.row) == side
        shoot(battle, a.row, b.row, 0, IN_PHASE)
        [note] = told(battle, "wap.shoot.save.roll")
        assert note["needed"][0] == needed


# ---------------------------------------------------------------- to hit


@pytest.mark.parametrize(("needed", "hits"), [(4, 5), (1, 8), (0, 8), (-3, 8), (2, 8), (6, 2)])
@pytest.mark.rule("wap.shoot.hit.roll", "wap.shoot.hit.one-misses")
def test_dice_to_hit(needed: int, hits: int) -> None:
    battle, *_ = facing(BOWS, man(), dice=[1, 2, 3, 4, 5, 6, 4, 1, 3, 6])
    assert roll_to_hit(battle, 10, needed)[0] == hits
    assert dice_left(battle) == 0


@pytest.mark.parametrize(
    ("needed", "dice", "hits"),
    [
        (7, [6, 6, 5, 6, 3, 4, 6], 2),
        (8, [6, 6, 5, 6, 5, 4, 6], 2),
        (9, [6, 6, 5, 6, 5, 4, 6], 1),
        (10, [], 0),
        (12, [], 0),
    ],
)
@pytest.mark.rule("wap.shoot.hit.seven-plus")
def test_a_six_and_a_second_die(needed: int, dice: list[int], hits: int) -> None:
    battle, *_ = facing(BOWS, man(), dice=dice)
    assert roll_to_hit(battle, 4, needed)[0] == hits
    assert dice_left(battle) == 0


@pytest.mark.parametrize("skill", range(1, 11))
@pytest.mark.rule("wap.shoot.hit.roll")
def test_seven_less_the_skill(skill: int) -> None:
    battle, a, b = facing(man("bow", bs=skill), man())
    assert needs(battle, a, b) == [(7 - skill, 10)]


@pytest.mark.parametrize("columns", [{"did": MOVED}, {"did": DRIVEN}])
@pytest.mark.rule("wap.shoot.hit.moved", "wap.shoot.hit.modifiers")
def test_who_has_moved_hits_less(columns: dict[str, Any]) -> None:
    battle, a, b = facing(BOWS, man(), columns=(columns, {}))
    assert needs(battle, a, b) == [(5, 10)]


@pytest.mark.rule("wap.shoot.hit.stand-shoot", "wap.troop.cavalry.shooting")
def test_who_stands_and_shoots_and_riders_by_their_own_skill() -> None:
    battle, a, b = facing(man("bow", bs=4), man())
    assert needs(battle, a, b, when=AS_REACTION) == [(4, 10)]
    battle, a, b = facing(rider("bow", bs=4), man(), models=(5, 20))
    assert needs(battle, a, b) == [(3, 5)]


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("card", "models", "needed"),
    [
        (man(), 1, 5),
        (man(character=True, size=[1, 1]), 1, 5),
        (man(), 2, 4),
        (rider(), 1, 5),
        (square(type="monstrous infantry", base_mm=[40, 40]), 1, 4),
        (square(type="monster", base_mm=[50, 50], w=5), 1, 4),
    ],
)
@pytest.mark.rule("wap.shoot.hit.single-model")
def test_a_lone_model_is_hard_to_hit(card: dict[str, Any], models: int, needed: int, player: int) -> None:
    scene = RegimentScene()
    bows = scene.unit(player, BOWS, (24, 12), models=10, files=5, facing=NORTH)
    target = scene.unit(1 - player, card, (24, 22), models=models, files=models, facing=SOUTH)
    scene.unit(1 - player, man(), (44, 46))
    battle = scene.battle("shooting", player=player, run=False, dice=[4] * 10)
    shoot(battle, bows.row, target.row, 0, IN_PHASE)
    [note] = told(battle, "wap.shoot.hit.roll")
    assert (note["needed"], note["amount"], note["result"]) == (needed, 10, 10 if needed == 4 else 0)


@pytest.mark.rule("wap.shoot.hit.attacks-irrelevant")
def test_one_die_a_model() -> None:
    battle, a, b = facing(man("bow", a=2), man(), models=(4, 20))
    assert needs(battle, a, b) == [(4, 4)]


@pytest.mark.rule("wap.command.champion.shooting")
def test_a_champion_shoots_by_his_own_skill() -> None:
    card = man("bow", champion={**PLAIN, "bs": 4})
    battle, a, b = facing(card, man(), command=["champion"], dice=[3] * 10)
    assert sorted(needs(battle, a, b)) == [(3, 1), (4, 9)]
    shoot(battle, a.row, b.row, 0, IN_PHASE)
    assert sorted(note["result"] for note in told(battle, "wap.shoot.hit.roll")) == [0, 1]


# ---------------------------------------------------------------- cover


@pytest.mark.parametrize(
    ("value", "viewer", "target", "covered"),
    [(1, 1, 2, True), (1, 1, 3, False), (1, 3, 2, False), (1, 2, 2, True), (0, 1, 1, False), (2, 4, 3, True)],
)
@pytest.mark.rule("wap.shoot.cover.when")
def test_what_gives_cover(value: int, viewer: int, target: int, covered: bool) -> None:
    scene = RegimentScene()
    a = scene.unit(0, BOWS, (24, 12), models=1, files=1, facing=NORTH)
    between = scene.unit(0, man(), (24, 20), models=20, files=20, facing=NORTH)
    b = scene.unit(1, rider(), (24, 24), models=5, files=5)
    battle = scene.battle("shooting", run=False)
    for unit, sight in ((a, viewer), (between, value), (b, target)):
        battle.units.sight[unit] = sight
    [found] = covers(battle, a.row, b.row, {a.first}).values()
    assert found == (HEAVY_COVER if covered else NO_COVER)
    assert needs(battle, a, b) == [(6 if covered else 4, 1)]


def behind(cover: str, models: int, width: float) -> tuple[Battle, UnitHandle, UnitHandle]:
    """One archer far away from ten in a rank, behind a hedge that begins before the first and is so many inches long."""
    scene = RegimentScene((48, 96))
    a = scene.unit(0, man("longbow"), (24, 12), models=models, files=models, facing=NORTH)
    b = scene.unit(1, man(), (24, 40), models=10, files=10)
    scene.features.append(
        {
            "kind": "open",
            "cover": cover,
            "name": None,
            "polygon": [(10.0, 39.0), (19 + width, 39.0), (19 + width, 39.5), (10.0, 39.5)],
        }
    )
    return scene.battle("shooting", run=False), a, b


@pytest.mark.parametrize(("width", "needed"), [(6.2, 5), (5.2, 4)])
@pytest.mark.rule("wap.shoot.cover.light")
def test_six_of_ten_behind_a_hedge(width: float, needed: int) -> None:
    battle, a, b = behind("light", 1, width)
    assert needs(battle, a, b) == [(needed, 1)]


@pytest.mark.parametrize(("width", "needed"), [(6.2, 6), (5.2, 4)])
@pytest.mark.rule("wap.shoot.cover.heavy")
def test_six_of_ten_behind_a_wall(width: float, needed: int) -> None:
    battle, a, b = behind("heavy", 1, width)
    assert needs(battle, a, b) == [(needed, 1)]


@pytest.mark.parametrize(("width", "needed"), [(5.2, 6), (4.2, 4)])
@pytest.mark.rule("wap.shoot.cover.heavy")
def test_half_of_them_behind_another_unit(width: float, needed: int) -> None:
    scene = RegimentScene((48, 96))
    a = scene.unit(0, man("longbow"), (24, 12), models=1, files=1, facing=NORTH)
    b = scene.unit(1, rider(), (24, 40), models=10, files=10)
    scene.unit(
        0, square(base_mm=[25.4 * (width + 5) / 5, 10]), (19 + 0.5 * (width - 5), 39.3), models=5, files=5, facing=NORTH
    )
    battle = scene.battle("shooting", run=False)
    assert needs(battle, a, b) == [(needed, 1)]


@pytest.mark.rule("wap.shoot.cover.not-cumulative", "wap.special.ignores-cover")
@pytest.mark.parametrize(("rules", "needed"), [([], 5), (["Ignores Cover"], 3)])
def test_a_hedge_and_a_unit(rules: list[str], needed: int) -> None:
    scene = RegimentScene((48, 96))
    a = scene.unit(0, man("longbow", bs=4, rules=rules), (24, 12), models=1, files=1, facing=NORTH)
    b = scene.unit(1, rider(), (24, 40), models=5, files=5)
    scene.unit(0, man(), (24, 37), models=20, files=20, facing=NORTH)
    scene.features.append(
        {
            "kind": "open",
            "cover": "light",
            "name": None,
            "polygon": [(10.0, 39.0), (40.0, 39.0), (40.0, 39.5), (10.0, 39.5)],
        }
    )
    battle = scene.battle("shooting", run=False)
    assert needs(battle, a, b) == [(needed, 1)]
    battle.units.did[a] = MOVED
    assert needs(battle, a, b) == [(needed + 1, 1)]


@pytest.mark.rule("wap.shoot.cover.separate")
def test_some_see_clearly() -> None:
    """A hedge that begins near the shooters: those on its side look past it."""
    scene = RegimentScene((48, 96))
    a = scene.unit(0, man("longbow"), (24, 12), models=10, files=10, facing=NORTH)
    b = scene.unit(1, man(), (24, 32), models=3, files=3)
    scene.features.append(
        {
            "kind": "open",
            "cover": "light",
            "name": None,
            "polygon": [(10.0, 12.6), (24.0, 12.6), (24.0, 13.0), (10.0, 13.0)],
        }
    )
    battle = scene.battle("shooting", run=False)
    assert needs(battle, a, b) == [(4, 6), (5, 4)]
    assert LIGHT_COVER == 1


# ---------------------------------------------------------------- wounds, losses


@pytest.mark.rule("wap.shoot.sequence", "wap.shoot.wound.roll")
def test_five_shots() -> None:
    dice = [4, 4, 5, 2, 1, 4, 5, 1, 6, 3]
    battle, a, b = facing(BOWS, man("light armour"), models=(5, 20), dice=dice)
    shoot(battle, a.row, b.row, 0, IN_PHASE)
    assert dice_left(battle) == 0
    assert battle.units.alive[b] == 19
    assert ranks(battle, b) == [5, 5, 5, 4]


@pytest.mark.parametrize(
    ("strength", "toughness", "dice", "wounds"),
    [(3, 3, [4, 3, 6], 2), (4, 6, [5, 5, 6], 1), (10, 10, [3, 4, 1], 1), (1, 10, [6, 5, 5], 1), (10, 1, [1, 2, 2], 2)],
)
@pytest.mark.rule("wap.shoot.wound.roll", "wap.shoot.wound.natural")
def test_dice_to_wound(strength: int, toughness: int, dice: list[int], wounds: int) -> None:
    battle, _, b = facing(BOWS, man(t=toughness), dice=dice)
    assert wounds_from(battle, b.row, 3, Hit(strength)).number == wounds


@pytest.mark.rule("wap.shoot.wound.natural")
@pytest.mark.parametrize(("plus", "die", "wounds"), [(1, 1, 0), (-1, 6, 1)])
def test_ones_fail_and_sixes_wound(plus: int, die: int, wounds: int) -> None:
    strength, toughness = (10, 1) if plus > 0 else (1, 10)
    battle, _, b = facing(BOWS, man(t=toughness), dice=[die])
    assert wounds_from(battle, b.row, 1, Hit(strength, wounding=plus)).number == wounds


@pytest.mark.rule("wap.shoot.unusual", "wap.shoot.hit.automatic")
def test_hits_of_a_spell_go_straight_to_wounds() -> None:
    battle, a, b = facing(BOWS, man(t=4), dice=[4, 3, 6])
    take_hits(battle, b.row, [(3, Hit(4))], FRONT, a.row)
    assert dice_left(battle) == 0
    assert ranks(battle, b) == [5, 5, 5, 3]


@pytest.mark.rule("wap.shoot.wound.roll", "wap.weapon.missile.bow")
def test_a_bow_has_its_own_strength() -> None:
    battle, a, b = facing(man("bow", s=5), man(), models=(5, 20), dice=[4] * 5 + [3] * 5)
    shoot(battle, a.row, b.row, 0, IN_PHASE)
    assert battle.units.alive[b] == 20 and dice_left(battle) == 0


# ---------------------------------------------------------------- weapons and their rules


@pytest.mark.parametrize(
    ("card", "far", "did", "when", "expected"),
    [
        (man("short bow"), 10, 0, IN_PHASE, {0: (4, 10), MULTIPLE: (5, 20), VOLLEY: (5, 10), VOLLEY + MULTIPLE: (6, 20)}),
        (man("short bow"), 8.9, 0, IN_PHASE, {0: (4, 10), MULTIPLE: (5, 20)}),
        (man("short bow"), 10, MOVED, IN_PHASE, {0: (5, 10)}),
        (man("short bow"), 10, 0, AS_REACTION, {0: (5, 10)}),
        (man("bow"), 23, 0, IN_PHASE, {0: (4, 10), MULTIPLE: (5, 20), VOLLEY: (5, 10), VOLLEY + MULTIPLE: (6, 20)}),
        (man("longbow", bs=4), 28, 0, IN_PHASE, {0: (3, 10), MULTIPLE: (4, 20), VOLLEY: (4, 10), VOLLEY + MULTIPLE: (5, 20)}),
        (man("longbow"), 14, 0, IN_PHASE, {0: (4, 10), MULTIPLE: (5, 20)}),
        (man("crossbow"), 29, 0, IN_PHASE, {0: (4, 10)}),
        (man("crossbow"), 29, MOVED, IN_PHASE, {}),
        (man("crossbow"), 20, 0, AS_REACTION, {0: (5, 10)}),
        (man("blowpipe"), 8, MOVED, IN_PHASE, {0: (4, 10), MULTIPLE: (5, 20)}),
        (man("handgun"), 20, MOVED, IN_PHASE, {}),
        (man("handgun"), 20, 0, IN_PHASE, {0: (4, 10)}),
        (man("pistol"), 10, MOVED, IN_PHASE, {0: (4, 10)}),
        (man("brace of pistols", bs=4), 8, MOVED, IN_PHASE, {0: (3, 10), MULTIPLE: (4, 20)}),
        (man("javelin"), 10, MOVED, IN_PHASE, {0: (4, 10)}),
        (man("throwing weapon", bs=5), 6.9, 0, IN_PHASE, {0: (2, 10), MULTIPLE: (3, 20)}),
        (man("throwing weapon", bs=5), 8.1, 0, IN_PHASE, {}),
        (man("throwing axe"), 4.9, MOVED, IN_PHASE, {0: (4, 10)}),
        (man("sling"), 15, 0, IN_PHASE, {0: (4, 10), MULTIPLE: (5, 20)}),
        (man("sling"), 15, MOVED, IN_PHASE, {0: (5, 10)}),
        (man("sling"), 15, 0, AS_REACTION, {0: (5, 10)}),
        (rider("crossbow", bs=4), 15, MOVED, IN_PHASE, {0: (5, 10)}),
        (rider("pistol"), 9, 0, ON_CHARGE, {0: (5, 10)}),
        (rider("pistol"), 13, 0, ON_CHARGE, {}),
        (man("bow"), 10, 0, ON_CHARGE, {}),
    ],
)  # fmt: skip
@pytest.mark.rule(
    "wap.weapon.missile.short-bow", "wap.weapon.missile.bow", "wap.weapon.missile.longbow", "wap.weapon.missile.crossbow", "wap.weapon.missile.blowpipe",
    "wap.weapon.missile.handgun", "wap.weapon.missile.sling", "wap.weapon.missile.throwing-weapon", "wap.special.multiple-shots", "wap.special.move-or-fire",
    "wap.special.move-or-fire.mounted", "wap.special.quick-to-fire.moving", "wap.special.volley-fire", "wap.special.volley-fire.limits",
    "wap.shoot.hit.special-rules", "wap.special.quick-to-fire.charging",
)  # fmt: skip
def test_ways_to_shoot(
    card: dict[str, Any], far: float, did: int, when: int, expected: dict[int, tuple[int, int]]
) -> None:
    battle, a, b = facing(card, man(), far=far, columns=({"did": did}, {}), files=10 if "mount" not in card else 5)
    assert {way: needs(battle, a, b, way, when)[0] for way in ways_of(battle, a.row, b.row, when)} == expected


@pytest.mark.rule("wap.special.volley-fire")
def test_a_volley_of_four_ranks() -> None:
    battle, a, b = facing(man("longbow", bs=4), man(), models=(20, 20))
    assert len(who_fire(battle, a.row, b.row, 0, IN_PHASE)) == 10
    assert needs(battle, a, b) == [(3, 10)]
    assert needs(battle, a, b, VOLLEY) == [(4, 20)]


@pytest.mark.parametrize(("far", "models", "offered"), [(15.0, 5, True), (14.9, 5, False)])
@pytest.mark.rule("wap.special.volley-fire.limits")
def test_no_volley_at_less_than_half_range(far: float, models: int, offered: bool) -> None:
    battle, a, b = facing(man("longbow"), man(), far=far, models=(models, 20))
    assert (VOLLEY in ways_of(battle, a.row, b.row, IN_PHASE)) is offered


@pytest.mark.parametrize(
    ("weapon", "strength", "save"),
    [("handgun", 3, 6), ("javelin", 4, 6), ("sling", 3, 5), ("throwing axe", 3, 5), ("crossbow", 3, 5), ("bow", 5, 4)],
)
@pytest.mark.rule("wap.weapon.missile.handgun", "wap.weapon.missile.javelin", "wap.weapon.missile.throwing-axe")
def test_strength_and_piercing_against_a_save_of_four(weapon: str, strength: int, save: int) -> None:
    battle, a, b = facing(man(weapon, s=strength), man("heavy armour"), far=5, models=(5, 20), dice=[6] * 15)
    shoot(battle, a.row, b.row, 0, IN_PHASE)
    [note] = told(battle, "wap.shoot.save.roll")
    assert note["needed"][0] == save


@pytest.mark.parametrize(("loose", "each", "needed"), [(True, 1, 4), (True, 3, 3), (False, 1, 3)])
@pytest.mark.rule("wap.special.skirmishers.hard-to-hit")
def test_skirmishers_are_hard_to_hit(loose: bool, each: int, needed: int) -> None:
    battle, a, b = facing(man("bow", bs=4), man(rules=["Skirmishers"] if loose else []), columns=({}, {}))
    battle.units.rows["each"][b.row] = each
    assert {number for number, _ in needs(battle, a, b)} == {needed}


@pytest.mark.rule("wap.special.slow-to-fire")
def test_slow_weapons_answer_no_charge() -> None:
    battle, a, b = facing(man("bow", rules=["Slow to Fire"]), man())
    assert ways_of(battle, a.row, b.row, AS_REACTION) == []
    assert ways_of(battle, a.row, b.row, IN_PHASE)


# ---------------------------------------------------------------- stand and shoot


@pytest.mark.parametrize(
    ("card", "m", "far", "offered"),
    [
        (BOWS, 4, 4.1, True),
        (BOWS, 4, 4.0, False),
        (BOWS, 8, 8.0, False),
        (BOWS, 8, 8.1, True),
        (man(), 4, 6.0, False),
        (man("pistol"), 4, 3.0, True),
        (man("javelin"), 8, 14.0, True),
    ],
)
@pytest.mark.rule(
    "wap.charge.stand-shoot.weapons", "wap.charge.stand-shoot.distance", "wap.charge.stand-shoot.beyond-range", "wap.special.quick-to-fire.reaction",
)  # fmt: skip
def test_when_stand_and_shoot_is_offered(card: dict[str, Any], m: int, far: float, offered: bool) -> None:
    battle, a, b = facing(card, man(m=m), far=far)
    assert bool(ways_of(battle, a.row, b.row, AS_REACTION)) is offered


def charged(
    card: dict[str, Any], chargers: int, dice: Sequence[int], far: float = 14.0, m: int = 8
) -> tuple[Battle, UnitHandle, UnitHandle]:
    """Archers of player 1 have been charged and are asked what they do."""
    scene = RegimentScene()
    a = scene.unit(0, man(m=m), (24, 12), models=chargers, files=6, facing=NORTH)
    b = scene.unit(1, card, (24, 12 + far), models=10, files=5, facing=SOUTH)
    battle = scene.battle("movement", dice=dice)
    pick(battle, next(w for w in words(battle).values() if "charges" in w))
    return battle, a, b


@pytest.mark.rule("wap.charge.stand-shoot.resolve", "wap.panic.heavy-casualties.charger")
def test_a_charger_that_loses_a_quarter_tests_at_once() -> None:
    """Javelins from 14 inches; three of twelve fall, they fail on 12 and flee from where they stand."""
    dice = [5, 5, 5, *[1] * 7, 4, 4, 4, 6, 6]
    battle, a, _b = charged(man("javelin"), 12, dice)
    pick(battle, next(w for w in words(battle).values() if "stands and shoots" in w))
    assert battle.units.alive[a] == 9
    assert battle.units.fleeing[a]
    [shots] = told(battle, "wap.charge.stand-shoot.resolve")
    assert (shots["amount"], shots["needed"], shots["result"]) == (10, 5, 3)
    assert battle.units.y[a] < 12.5
    assert told(battle, "wap.panic.heavy-casualties")


@pytest.mark.rule("wap.charge.stand-shoot.resolve", "wap.charge.stand-shoot.beyond-range")
def test_losses_stand_where_the_charge_fails() -> None:
    dice = [5, 5, *[1] * 8, 4, 4, 1, 1]
    battle, a, b = charged(man("javelin"), 12, dice)
    pick(battle, next(w for w in words(battle).values() if "stands and shoots" in w))
    assert battle.units.alive[a] == 10
    while not any(event.rule.startswith("wap.charge.failed") for event in battle.events):
        pick(battle, next(iter(words(battle).values())))
    assert battle.units.alive[a] == 10 and dice_left(battle) == 0
    assert not battle.units.fights[b] and not battle.units.fleeing[a]


@pytest.mark.rule("wap.shoot.one-attack", "wap.special.quick-to-fire.charging")
def test_pistols_before_the_charge() -> None:
    scene = RegimentScene()
    scene.unit(0, rider("pistol"), (24, 12), models=5, files=5, facing=NORTH)
    b = scene.unit(1, man(), (24, 22), models=20, files=5)
    battle = scene.battle("movement", dice=[5, 5, 1, 1, 4, 3, 2], detail="full")
    pick(battle, next(w for w in words(battle).values() if "charges" in w))
    assert "no shots before the charge" in words(battle).values()
    pick(battle, "pistol")
    [shots] = told(battle, "wap.shoot.hit.roll")
    assert (shots["amount"], shots["needed"], shots["result"]) == (5, 5, 2)
    assert battle.units.alive[b] == 19
    assert any("holds" in w for w in words(battle).values())


@pytest.mark.rule("wap.shoot.wound.mixed-unit")
@pytest.mark.parametrize(
    ("values", "expected"), [([3] * 6 + [4] * 4, 3), ([3] * 5 + [4] * 5, 4), ([3] * 5 + [6] * 5, 5), ([3], 3)]
)
def test_units_of_different_models(values: list[int], expected: int) -> None:
    assert shared(values) == expected


@pytest.mark.parametrize(("die", "left"), [(5, 0), (2, 1)])
@pytest.mark.rule("wap.shoot.multi-damage")
def test_a_wound_that_takes_several(die: int, left: int) -> None:
    battle, a, b = facing(BOWS, man(w=3), models=(10, 1), dice=[6, die])
    take_hits(battle, b.row, [(1, Hit(4, takes=(1, 6, 0)))], FRONT, a.row)
    assert battle.models.wounds[b.first] == left and battle.units.alive[b] == (left > 0)
    battle, a, b = facing(BOWS, man(w=3), models=(10, 10), dice=[6, die])
    take_hits(battle, b.row, [(1, Hit(4, takes=(1, 6, 0)))], FRONT, a.row)
    assert sum(battle.models.wounds[b.model(n)] for n in range(10)) == 27 + left


@pytest.mark.rule("wap.shoot.multi-damage.multi-wound")
def test_wounds_of_several_models_add_up() -> None:
    battle, a, b = facing(BOWS, man(w=3), models=(10, 10), dice=[6, 6, 6, 6, 1, 4])
    take_hits(battle, b.row, [(3, Hit(4, takes=(1, 6, 0)))], FRONT, a.row)
    assert dice_left(battle) == 0 and battle.units.alive[b] == 8
    assert sum(battle.models.wounds[b.model(n)] for n in range(10)) == 23


@pytest.mark.rule("wap.shoot.instant-kill")
def test_who_is_slain_outright_takes_no_save() -> None:
    battle, _, b = facing(BOWS, man("full plate armour", "barding", "shield", w=6, rules=["Ward Save (4+)"]), dice=[6])
    slay(battle, b.first)
    assert battle.units.alive[b] == 19 and dice_left(battle) == 1


@pytest.mark.parametrize(("weapon", "attacks"), [("pistol", 2), ("brace of pistols", 2), ("javelin", 1), ("bow", 1)])
@pytest.mark.rule("wap.weapon.missile.pistol", "wap.weapon.missile.brace-of-pistols", "wap.weapon.missile.javelin")
def test_pistols_in_close_combat(weapon: str, attacks: int) -> None:
    """One Attack more, of the user's Strength and without the pistol's piercing; javelins are of no use there."""
    battle, a, b = pair(man("hand weapon", weapon), man())
    found = blow(battle, a, b)
    assert (found.attacks, found.strength, found.piercing) == (attacks, 3, 0)
    assert outfit_of(battle, a.row).weapons[0].two_hands is (attacks == 2)
    [missile] = outfit_of(battle, a.row).missiles
    assert missile.name == weapon


@pytest.mark.rule("wap.weapon.missile.table")
def test_the_twelve_missile_weapons_are_the_table_s() -> None:
    table = {row["weapon"]: row for row in catalogue("wap")["wap.weapon.missile.table"]["table"]}
    known = {name: weapon for name, weapon in weapons().items() if weapon.range}
    assert known.keys() == table.keys() and len(known) == 12
    names = {"+1 Attack": "attacks", "Armour Piercing (1)": "piercing", "requires two hands": "two_hands"}
    for name, row in table.items():
        weapon = known[name]
        assert weapon.range == row["range"]
        for user in (2, 5):
            told = row["strength"]
            expected = told if isinstance(told, int) else user + int(told.removeprefix("user").strip() or 0)
            assert weapon.strength_of(user) == expected
        plain = [rule.removesuffix("*") for rule in row["rules"]]
        assert {getattr(weapon, names[rule]) for rule in plain if rule in names} <= {1}
        assert {rule.removesuffix("*") for rule in weapon.rules} == {rule for rule in plain if rule not in names}
        assert {rule for rule in weapon.rules if rule.endswith("*")} == {
            rule for rule in row["rules"] if rule.endswith("*") and rule.removesuffix("*") not in names
        }


@pytest.mark.rule("wap.special.quick-to-fire.charging")
def test_pistols_fire_once_a_turn() -> None:
    battle, a, b = facing(rider("pistol"), man(), far=9, models=(5, 20))
    assert may_shoot(battle, a.row)
    fire(battle, a.row, b.row, 0, ON_CHARGE)
    assert not may_shoot(battle, a.row)


@pytest.mark.rule("wap.shoot.cover.when")
def test_who_stands_beside_the_arc_is_not_hidden() -> None:
    """Ground that is nowhere near the lines gives no cover, however much of the target is out of the shooter's arc."""
    scene = RegimentScene()
    a = scene.unit(0, BOWS, (24, 12), models=1, files=1, facing=NORTH)
    b = scene.unit(1, man(), (24, 15), models=20, files=20)
    scene.features.append(
        {
            "kind": "open",
            "cover": "heavy",
            "name": None,
            "polygon": [(2.0, 40.0), (6.0, 40.0), (6.0, 41.0), (2.0, 41.0)],
        }
    )
    battle = scene.battle("shooting", run=False)
    assert set(covers(battle, a.row, b.row, {a.first}).values()) == {NO_COVER}


def test_greedy_shoots_at_whom_it_costs_most() -> None:
    scene = RegimentScene()
    a = scene.unit(0, BOWS, (24, 12), models=10, files=5, facing=NORTH)
    armoured = scene.unit(1, man("full plate armour", "shield"), (18, 28), models=10, files=5)
    bare = scene.unit(1, man(), (30, 28), models=10, files=5)
    battle = scene.battle("shooting", run=False)
    assert worth_of_shots(battle, a.row, bare.row) > worth_of_shots(battle, a.row, armoured.row) > 0
    battle.units.did[a] = 0
    assert worth_of_shots(battle, bare.row, a.row) == 0


def test_greedy_stands_where_it_has_somebody_to_shoot_at() -> None:
    battle, a, b = facing(BOWS, man())
    assert worth_of_standing(battle, a.row) == worth_of_shots(battle, a.row, b.row) > 0
    battle.units.did[a] = MARCHED
    assert worth_of_standing(battle, a.row) == 0


@pytest.mark.rule("wap.weapon.missile.blowpipe")
def test_poison_of_blowpipes_wounds_on_five() -> None:
    battle, a, b = facing(man("blowpipe"), man(), far=8, models=(5, 20), dice=[4] * 5 + [5, 4, 4, 6, 1])
    shoot(battle, a.row, b.row, 0, IN_PHASE)
    assert battle.units.alive[b] == 18 and dice_left(battle) == 0
    assert [note["needed"] for note in told(battle, "wap.shoot.wound.roll")] == [5]


@pytest.mark.parametrize(("ahead", "able"), [(0.0, True), (1.0, False)])
@pytest.mark.rule("wap.special.move-or-fire")
def test_a_lone_model_that_has_only_turned_fires(ahead: float, able: bool) -> None:
    battle, a, b = facing(man("crossbow"), man(), models=(1, 20), columns=({"did": MOVED}, {}))
    u, o = battle.units, battle.origin
    o.x[a], o.y[a], o.facing[a] = u.x[a] + 0.5, u.y[a] - 0.5 - ahead, 0.0  # about the same centre, looking east
    assert bool(ways_of(battle, a.row, b.row, IN_PHASE)) is able


@pytest.mark.parametrize("goes", [(), ("unit 00 goes straight on", 'unit 00 goes 0.5" straight ahead')])
@pytest.mark.rule("wap.special.move-or-fire")
def test_where_a_move_began_is_kept(goes: tuple[str, ...]) -> None:
    scene = RegimentScene()
    a = scene.unit(0, man("crossbow"), (24, 12), models=1, files=1, facing=NORTH)
    scene.unit(1, man(), (24, 32), models=20, files=5)
    battle = scene.battle("movement", detail="full")
    for text in ("unit 00", "unit 00 advances", *goes, "unit 00 finishes its move"):
        pick(battle, text)
    able = not goes
    assert battle.decision is not None and (battle.decision.kind == "select-to-shoot") is able
    assert not able or (battle.units.did[a] & MOVED and only_pivoted(battle, a.row))
