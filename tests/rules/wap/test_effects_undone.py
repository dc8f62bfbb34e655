"""Effects are undone exactly: a battle in which all effects have ended equals the same battle without them. Before that
effects began and ended, and units were destroyed, joined and left.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from heroes import hero

from tests.arming import rider
from wh_env import Battle
from wh_env.core.tables import ATTACHED, ON_TABLE
from wh_env.rulesets.wap.basics.blocks import derive, set_block
from wh_env.rulesets.wap.basics.dice_changes import ARMOUR, HIT, DiceChanges
from wh_env.rulesets.wap.basics.effects import (
    Effect,
    On,
    Until,
    begin_effect,
    effect_of,
    effects_of,
    end_effect,
    end_effects,
    is_under,
    rows_in_use,
)
from wh_env.rulesets.wap.basics.joined import host_of
from wh_env.rulesets.wap.casualties.removing import remove_unit, slay
from wh_env.rulesets.wap.characters.joining import free_files_for, stand_in
from wh_env.rulesets.wap.characters.stepping_out import step_out, take_bearings
from wh_env.rulesets.wap.codes import Phase
from wh_env.rulesets.wap.rule_book import ALWAYS_STRIKES_FIRST, FEAR, FRENZY, HATRED, REGENERATION, STUPIDITY, Grant
from wh_env.testing.wap import RegimentScene, square

STEPS = 60
KINDS = {
    "change": {"changes": (("s", 1), ("t", -1), ("m", 2))},
    "roll": {"lowers_by": ("ws", "t")},
    "times": {"multiplies": (("m", 2), ("s", 2))},
    "to": {"sets": (("i", 10),)},
    "grant": {"grants": (Grant(HATRED, ""), Grant(FEAR, ""))},
    "hate": {"grants": (Grant(HATRED, ""), Grant(ALWAYS_STRIKES_FIRST, "")), "changes": (("ld", -3),)},
    "stupid": {"grants": (Grant(STUPIDITY, ""),), "until": Until.BATTLE},
    "heal": {"grants": (Grant(REGENERATION, "5+"),)},
    "take": {"takes": (FRENZY,)},
    "dice": {"dice": DiceChanges(to_hit=1, armour=2, ones=(HIT,), sixes=(ARMOUR,), blind_shots=4, strength="ld")},
    "more": {"changes": (("t", -1),), "dice": DiceChanges(worn_armour=-1), "adds_up": True, "until": Until.BATTLE},
    "kept": {"changes": (("a", 1),), "while_caster_lives": True, "until": Until.BATTLE},
    "riders": {"changes": (("s", 3), ("a", 3)), "spares_mounts": True},
    "brave": {"passes_tests": True, "treacherous": 2},
}  # fmt: skip
EFFECTS = tuple(
    Effect(name, **{"on": on, "until": tuple(Until)[n % len(Until)], **kind})  # type: ignore[arg-type]
    for n, ((name, kind), on) in enumerate(product(KINDS.items(), On))
)


def armies() -> tuple[Battle, list[int]]:
    """A battle of two armies, and the rows of the characters: in units, alone and mounted."""
    scene = RegimentScene((72, 72), effects=EFFECTS)
    characters = []
    for player, y in ((0, 16), (1, 56)):
        block = scene.unit(player, square(rules=["Frenzy"]), (14, y), models=20, files=5, command=["champion"])
        other = scene.unit(player, square(rules=["Hatred"]), (34, y), models=15, files=5)
        scene.unit(player, rider(), (52, y), models=5, files=5)
        characters += [scene.unit(player, hero(w=2, rules=["Hatred"]), inside=block, models=1, post=1)]
        characters += [scene.unit(player, hero(m=5), inside=other, models=1)]
        characters += [scene.unit(player, hero(s=9), (64, y), models=1)]
    return scene.battle("movement", run=False), [one.row for one in characters]


def change(battle: Battle, characters: list[int], kind: str, one: int, spot: int) -> None:
    """A character joins a unit, leaves it, or dies, or a unit is destroyed; nothing if that is not possible now."""
    u, character = battle.units, characters[one % len(characters)]
    host = host_of(battle, character)
    if kind == "destroyed":
        unit = one % len(u.owner)
        if u.alive[unit] and u.place[unit] == ON_TABLE:
            remove_unit(battle, unit)
    elif not u.alive[character]:
        return
    elif kind == "dies":
        slay(battle, u.first[character])
    elif kind == "leaves" and host >= 0:
        take_bearings(battle, character)
        step_out(battle, character)
        set_block(battle, character, 4.0 + 2.5 * spot, 36.0 + u.owner[character], 0.0, 1)
        derive(battle, character)
    elif kind == "joins" and host < 0:
        hosts = [
            unit
            for unit in battle.units_of(u.owner[character])
            if unit not in characters and u.alive[unit] > 1 and u.place[unit] == ON_TABLE
        ]
        if hosts and (files := free_files_for(battle, character, hosts[spot % len(hosts)])):
            stand_in(battle, character, hosts[spot % len(hosts)], files[0], "wap.character.join.procedure")


@pytest.mark.parametrize("seed", range(12))
def test_what_has_ended_leaves_nothing_behind(seed: int) -> None:
    """The same changes of units in both battles; in one of them effects of all kinds begin and end besides."""
    rng = np.random.default_rng(seed)
    plain, characters = armies()
    tried, begun = plain.clone(), set[str]()
    for _ in range(STEPS):
        numbers = [int(n) for n in rng.integers(0, 1000, 6)]
        what = rng.choice(["begins", "begins", "begins", "ends", "phase", "moves", "moves"])
        used = list(rows_in_use(tried))
        if what == "begins":
            unit = numbers[0] % len(tried.units.owner)
            if tried.units.alive[unit] and len(used) < len(tried.effects.effect):
                number, caster = numbers[1] % len(EFFECTS), characters[numbers[2] % len(characters)]
                caster = caster if tried.units.alive[caster] else -1
                begin_effect(tried, number, unit, numbers[3] % 2, caster, 0, 1 + numbers[4] % 3)
                begun.add(EFFECTS[number].name)
        elif what == "ends" and used:
            end_effect(tried, used[numbers[0] % len(used)])
        elif what == "phase":
            end_effects(tried, (Phase.MOVEMENT, Phase.MAGIC)[numbers[0] % 2])
        elif what == "moves":
            kind = rng.choice(
                ["joins", "joins", "leaves", "leaves", "dies", "destroyed"], p=[0.3, 0.2, 0.3, 0.1, 0.06, 0.04]
            )
            for battle in (plain, tried):
                change(battle, characters, str(kind), numbers[0], numbers[1] % 20)
        assert not [k for k in rows_in_use(tried) if not tried.units.alive[tried.effects.unit[k]]]
    for k in list(rows_in_use(tried)):
        end_effect(tried, k)
    assert len(begun) >= 8
    assert_equal(plain, tried)


def assert_equal(plain: Battle, tried: Battle) -> None:
    """Both battles are the same byte by byte; the columns that differ are told."""
    for name in ("units", "lines", "models", "effects", "contacts", "players"):
        one, other = getattr(plain, name).rows, getattr(tried, name).rows
        for column in one.dtype.names:
            assert one[column].tolist() == other[column].tolist(), (name, column)
    assert bytes(plain.buffer) == bytes(tried.buffer)


@pytest.mark.parametrize("number", range(len(EFFECTS)))
@pytest.mark.parametrize("who", ["block", "inside", "alone", "mounted"])
def test_each_effect_changes_something_and_leaves_nothing_behind(number: int, who: str) -> None:
    plain, characters = armies()
    unit = {"block": 0, "inside": characters[0], "alone": characters[2], "mounted": 2}[who]
    tried = plain.clone()
    assert begin_effect(tried, number, unit, 0, characters[3], 0, 1)
    (k,) = rows_in_use(tried)
    assert effect_of(tried, k) is effects_of(tried)[number] and is_under(tried, unit, k)
    end_effect(tried, k)
    assert_equal(plain, tried)


def test_attached_characters_are_under_what_is_on_their_unit() -> None:
    """So that the sequences above meet characters who come under effects and go free of them."""
    plain, characters = armies()
    assert plain.units.place[characters[0]] == ATTACHED and plain.units.place[characters[2]] == ON_TABLE
    number = next(n for n, effect in enumerate(EFFECTS) if effect.name == "change" and effect.on is On.UNIT)
    begin_effect(plain, number, 0, 0)
    (k,) = rows_in_use(plain)
    assert is_under(plain, characters[0], k) and not is_under(plain, characters[2], k)
