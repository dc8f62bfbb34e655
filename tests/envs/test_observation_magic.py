"""Magic in observations of regiments: what is told of pools, wizards, spells and effects, and that states that differ look different."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from wh_env import Battle
from wh_env.envs.observation import Observer, column_of, describe
from wh_env.envs.observation_fields import SIZE
from wh_env.rulesets.wap.basics.effects import begin_effect, effects_of
from wh_env.rulesets.wap.basics.marks import put_mark
from wh_env.rulesets.wap.codes import FORGOTTEN, KNOWN, UNKNOWN
from wh_env.rulesets.wap.magic.spells import Kind
from wh_env.rulesets.wap.magic.wizards import known_rows, spell_at
from wh_env.rulesets.wap.view import observe_magic
from wh_env.rulesets.wap.view.observe_magic import which
from wh_env.testing.wap import RegimentScene, square

BOTH = pytest.mark.parametrize("player", [0, 1])


def know_these(battle: Battle) -> None:
    """The wizards know Fireball, or the two hexes of Death, and no other spells."""
    for row, number in enumerate(battle.spellbook.spell):
        name = battle.setup.statics["spells"][number].name
        battle.spellbook.known[row] = KNOWN if name in ("Fireball", "Soulblight", "Doom and Darkness") else UNKNOWN


def scene(player: int = 0) -> Battle:
    """A wizard of level 2 of ``player`` with the Lore of Death, a shaman of level 1 with Fire, and a unit of each side."""
    scene = RegimentScene()
    for side, level, lore in ((player, 2, "death"), (1 - player, 1, "fire")):
        card = square(character=True, size=[1, 1], w=2, wizard={"level": level, "lores": [lore]})
        y = 12 if side == 0 else 30
        scene.unit(side, square(), (20, y), models=10, files=5, name=f"soldiers {side}")
        scene.unit(side, card, (30, y), models=1, files=1, name=f"mage {side}")
    return scene.battle("magic", player=player, dice=[5, 4, 1, 1, 1], set_state=know_these)


def seen(battle: Battle, seat: int, part: str, name: str, slot: int | None = None) -> float:
    found = Observer(battle.setup, "entities").observe(battle, seat)[part]
    column = column_of("wap", part, name)
    return float(found[column] if slot is None else found[slot, column])


def test_which_of_several_things_is_one_number() -> None:
    assert which([]) == 0.0
    assert which([0]) == 0.5 and which([1]) == 0.25 and which([0, 2, 2]) == 0.625
    assert which(range(23)) < 1.0 and np.float32(which(range(23))) != np.float32(which(range(22)))


@BOTH
def test_pools_and_wizards_are_seen_by_both(player: int) -> None:
    battle = scene(player)
    assert battle.decision.kind == "cast-by"
    assert battle.pools.dice[player] == 9 and battle.pools.dice[1 - player] == 5
    for seat, own, other in ((player, 9, 5), (1 - player, 5, 9)):
        assert seen(battle, seat, "globals", "own_dice") == pytest.approx(own / 40)
        assert seen(battle, seat, "globals", "enemy_dice") == pytest.approx(other / 40)
    for seat in (0, 1):
        part = "own" if seat == player else "enemy"
        assert seen(battle, seat, part, "wizard", 1) == 0.5
        rows = [spell_at(battle, row).number for row in known_rows(battle, battle.players.first_unit[player] + 1)]
        assert seen(battle, seat, part, "knows", 1) == which(rows) and len(rows) == 2
        assert seen(battle, seat, part, "wizard", 0) == seen(battle, seat, part, "knows", 0) == 0.0
        assert seen(battle, seat, "enemy" if seat == player else "own", "wizard", 1) == 0.25


@BOTH
def test_what_is_cast_is_told_with_the_decision(player: int) -> None:
    battle = scene(player)
    battle.apply(battle.first_legal() if not battle.legal()[0] else int(np.flatnonzero(battle.legal())[1]))
    assert battle.decision.kind == "cast-spell"
    assert seen(battle, player, "decision", "spell") == 0.0
    battle.apply(battle.first_legal())
    assert battle.decision.kind == "spell-target"
    assert seen(battle, player, "decision", "spell") == pytest.approx(4 / 32)  # Soulblight is number 3 of its lore
    assert seen(battle, player, "decision", "hexes") == 1.0 and seen(battle, player, "decision", "harms") == 0.0
    battle.apply(battle.first_legal())
    assert battle.decision.kind == "spell-dice"
    assert seen(battle, player, "decision", "needed") == pytest.approx(9 / 40)  # 10, and 1 for his level
    assert seen(battle, player, "decision", "most_dice") == pytest.approx(4 / 12)
    assert 0.9 < seen(battle, player, "decision", "chance") < 1.0
    assert seen(battle, player, "decision", "spell_target") == pytest.approx(-1 / 32)


def changes() -> dict[str, Callable[[Battle], None]]:
    """Changes of all that can change of magic, each of player 0's wizard of row 1, but for effects."""

    def put(table: str, column: str, row: int, value: int) -> Callable[[Battle], None]:
        return lambda battle: getattr(getattr(battle, table), column).__setitem__(row, value)

    def effect(n: int, unit: int, by: int) -> Callable[[Battle], None]:
        def begin(battle: Battle) -> None:
            names = [effect.name for effect in effects_of(battle)]
            begin_effect(battle, names.index(list(dict.fromkeys(names))[n]), unit, by, 1, 0, 0)

        return begin

    def keeps(row: int) -> Callable[[Battle], None]:
        return lambda battle: begin_effect(battle, 0, 2, 0, 1, row + 1, 0) or None

    return {
        **{f"level {n}": put("wizards", "level", 1, n) for n in (0, 1, 3, 4)},
        **{name: put("wizards", name, 1, 1) for name in ("cannot_cast", "cannot_cast_bound", "cannot_dispel")},
        **{f"{name} {n}": put("wizards", name, 2, n) for name in ("hit_by", "hit_now", "chained") for n in (1, 2, 3)},
        **{
            f"{name} {n}": put("wizards", name, 1, n)
            for name, most in (("will", 1), ("drawn", 2), ("fate", 4))
            for n in range(1, most + 1)
        },
        **{"weak will": put("wizards", "will", 1, -1), "gilded": put("wizards", "gilded", 2, 1)},
        **{f"pool {player}": put("pools", "dice", player, 3) for player in (0, 1)},
        **{f"forgotten {row}": put("spellbook", "known", row, FORGOTTEN) for row in (0, 1, 2)},
        **{f"tried {row}": put("spellbook", "tried", row, 1) for row in (0, 1, 2)},
        **{f"effect {n} of {by} on {unit}": effect(n, unit, by) for n in (0, 1) for by in (0, 1) for unit in (0, 2)},
        **{f"keeps {row}": keeps(row) for row in (0, 1)},
    }


@pytest.mark.parametrize("seat", [0, 1])
def test_states_that_differ_in_magic_look_different(seat: int) -> None:
    views = dict[bytes, str]()
    for name, change in {"nothing": lambda battle: None, **changes()}.items():
        battle = scene()
        battle.spellbook.rows["known"] = KNOWN
        change(battle)
        view = Observer(battle.setup).observe(battle, seat).tobytes()
        assert view not in views, f"{name} looks like {views[view]}"
        views[view] = name
    assert len(effects_of(battle)) >= 3


def marked() -> Battle:
    """A wizard who may leave a vortex on the table, with a rod that keeps dice and a shard; and one of the other side."""
    scene = RegimentScene()
    items = (["Rod of Power", "Trickster's Shard"], [])
    for side, y in ((0, 12), (1, 30)):
        card = square(character=True, size=[1, 1], w=2, wizard={"level": 4, "lores": ["death"]})
        scene.unit(side, card, (30, y), models=1, files=1, name=f"mage {side}", items=items[side])
    return scene.battle("magic", player=0, dice=[5, 4, *[1] * 9], set_state=know_all)


def know_all(battle: Battle) -> None:
    """The wizards know all spells."""
    battle.spellbook.rows["known"] = KNOWN


def vortices(battle: Battle) -> list[int]:
    """The rows of ``spellbook`` of spells that are vortices."""
    spells = battle.setup.statics["spells"]
    return [row for row, n in enumerate(battle.spellbook.spell) if spells[n].kind is Kind.VORTEX]


def leaves(which_one: int, x: float, y: float, radius: float = 2.5, count: int = 0) -> Callable[[Battle], None]:
    """A vortex lies on the table."""
    return lambda battle: put_mark(battle, vortices(battle)[which_one], 0, x, y, radius, count) and None


@pytest.mark.parametrize("seat", [0, 1])
def test_what_spells_leave_and_what_items_keep_looks_different(seat: int) -> None:
    changed = {
        "nothing": lambda battle: None,
        **{f"vortex {one}": leaves(*one) for one in ((0, 20, 20), (0, 21, 20), (0, 20, 21), (1, 20, 20), (0, 28, 28))},
        "large vortex": leaves(0, 20, 20, 5.0),
        **{f"markers {n}": leaves(0, 20, 20, 0.0, n) for n in (1, 2, 3)},
        **{f"rod {n}": lambda battle, n=n: battle.items.charge.__setitem__(0, n) for n in (1, 2, 3)},
        "shard": lambda battle: battle.items.charge.__setitem__(1, 1),
        "shard is used": lambda battle: battle.items.used.__setitem__(1, 1),
    }
    views = dict[bytes, str]()
    for name, change in changed.items():
        battle = marked()
        assert len({battle.spellbook.unit[row] for row in vortices(battle)}) == 2
        change(battle)
        view = Observer(battle.setup).observe(battle, seat).tobytes()
        assert view not in views, f"{name} looks like {views[view]}"
        views[view] = name


@BOTH
def test_a_vortex_is_seen_from_the_own_edge_and_as_the_wizard_s(player: int) -> None:
    battle = marked()
    attacker = battle.clock.attacker[0]
    row = vortices(battle)[player]  # of the wizard of ``player``
    assert battle.spellbook.unit[row] == player
    put_mark(battle, row, 0, 30.0, 14.0, 3.0)
    for seat in (0, 1):
        turn = 1 if seat == attacker else -1
        assert seen(battle, seat, "globals", "mark_x") == pytest.approx(turn * (30 - 24) / 24)
        assert seen(battle, seat, "globals", "mark_y") == pytest.approx(turn * (14 - 24) / 24)
        assert seen(battle, seat, "globals", "mark_radius") == pytest.approx(3 / 12)
        assert seen(battle, seat, "globals", "mark_count") == 0.0
        assert seen(battle, seat, "globals", "mark_of") == pytest.approx((1 if seat == player else -1) / 32)
        place = row - battle.wizards.first_spell[player] + 1
        assert seen(battle, seat, "globals", "mark_spell") == pytest.approx(place / 32)


def test_battles_without_magic_read_0() -> None:
    battle = Battle.load("wap/open-skirmish", 3)
    entities = Observer(battle.setup, "entities").observe(battle, 0)
    for part, fields in (("globals", observe_magic.GLOBALS), ("own", observe_magic.UNIT), ("decision", observe_magic.DECISION)):  # fmt: skip
        for field in fields:
            assert not entities[part][..., column_of("wap", part, field.name)].any()


@pytest.mark.parametrize("detail", ["squad", "full"])
def test_numbers_of_battles_with_magic_are_within_their_ranges(detail: str) -> None:
    battle, chance = Battle.load("wap/open-magic", 5, detail=detail), np.random.default_rng(5)
    columns = [describe("wap", index) for index in range(SIZE)]
    low, high = (np.array([getattr(column, side) for column in columns]) for side in ("low", "high"))
    observer, told = Observer(battle.setup), set()
    while not battle.over:
        for seat in (0, 1):
            vector = observer.observe(battle, seat)
            assert np.all((low - 1e-6 <= vector) & (vector <= high + 1e-6))
            told |= {columns[index].name for index in np.flatnonzero(vector)}
        battle.apply(int(chance.choice(battle.legal().nonzero()[0])))
    assert {"own_dice", "enemy_dice", "wizard", "knows", "tried", "spell", "needed", "chance", "most_dice"} <= told
