"""An edition beside another: the toy edition plays with the 10th in one process, and neither disturbs the other."""

from __future__ import annotations

import hashlib
import sys
from functools import cache
from pathlib import Path

import numba
import pytest
import toy_edition
from numba.core.registry import CPUDispatcher
from toy_edition import Storm, ToyEdition

from wh_env import Battle
from wh_env.content import w10
from wh_env.core.setup import Setup
from wh_env.envs.observation import Observer
from wh_env.rulesets.w10.ruleset import TENTH_EDITION, TenthEdition
from wh_env.rulesets.w40k.charge.phase import ChargeRoll

BATTLES, MOST = 50, 120
TOY = ToyEdition()


@cache
def setup_of(edition: TenthEdition, detail: str) -> Setup:
    game = w10.fielded_alike(edition)
    return game.compile(game.load("w10/only-war-skirmish", {"detail": detail}), None, None)


def detail_of(seed: int) -> str:
    return "full" if seed % 5 == 0 else "squad"


def played(edition: TenthEdition, seed: int) -> str:
    """Digest of a battle at random."""
    battle = Battle(setup_of(edition, detail_of(seed)), seed, record=True)
    chance = seed
    for _ in range(MOST):
        if battle.decision is None:
            break
        options = battle.decision.options
        chance = (1103515245 * chance + 12345) % 2**31
        battle.apply(options[chance // 65536 % len(options)])
    told = "\n".join(map(str, battle.events)) + battle.state_bytes().hex()
    return hashlib.sha256(told.encode()).hexdigest()


def compiled() -> dict[str, int]:
    """How many versions of each kernel there are."""
    return {
        f"{name}.{kernel}": len(value.signatures)
        for name, module in list(sys.modules.items())
        if name.startswith("wh_env.")
        for kernel, value in vars(module).items()
        if isinstance(value, CPUDispatcher)
    }


def test_fifty_battles_beside_each_other():
    alone = [played(TENTH_EDITION, seed) for seed in range(0, BATTLES, 10)]
    before = compiled()
    beside, toys = [], []
    for seed in range(BATTLES):
        toys.append(played(TOY, seed))
        if seed % 10 == 0:
            beside.append(played(TENTH_EDITION, seed))
            assert played(TOY, seed) == toys[-1]
    assert beside == alone
    assert len(set(toys)) == BATTLES
    assert set(beside).isdisjoint(toys)
    if not numba.config.DISABLE_JIT:
        assert len(before) > 300
        twice = {kernel for kernel, count in compiled().items() if count > max(1, before.get(kernel, 0))}
        assert twice == set()


def test_a_shared_base_is_the_edition_s_own_class_here_and_itself_there():
    toy = TOY.procedures[TOY.number[ChargeRoll]]
    assert (type(toy), toy.command) == (toy_edition.ChargeRoll, False)
    tenth = TENTH_EDITION.procedures[TENTH_EDITION.number[ChargeRoll]]
    assert (type(tenth), tenth.command) == (ChargeRoll, True)
    with pytest.raises(LookupError, match="w10: Storm is not registered"):
        TENTH_EDITION.number[Storm]


def test_numbers_phases_and_rules_are_the_edition_s():
    battle = Battle(setup_of(TOY, "squad"), 1, record=True)
    while battle.decision is not None and battle.clock.round[0] < 2:
        battle.apply(battle.decision.options[0])
    phases = [event.data["phase"] for event in battle.events if event.kind == "phase"]
    assert phases[:6] == ["Command", "Movement", "Shooting", "Charge", "Fight", "Storm"]
    assert {event.rule.split(".")[0] for event in battle.events} == {"w10"}
    statics = battle.setup.statics
    assert (statics["attack_rules"]["critical"][0], statics["limits"]["normal", False]["coherency"][0]) == (5, 3.0)
    assert Observer(battle.setup).observe(battle, 0).shape


def test_it_is_small():
    assert len(Path(toy_edition.__file__).read_text(encoding="utf-8").splitlines()) <= 66
