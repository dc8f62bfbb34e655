"""Whole numbers that are handed in: seeds, actions, rows and counts say what they must be, alike wherever they are taken."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import wh_env
from wh_env import Battle, ContentError
from wh_env.core.reports import IllegalAction
from wh_env.envs.duels import IllegalActionWarning
from wh_env.envs.processes import ProcessVectorEnv

SKIRMISH, EPIC = "w10/only-war-skirmish", "epic/bridgehead"
NO_SEEDS = (1.5, True, np.bool_(True), "1", 2**80, np.float64(2), [1])
BEFORE = "call reset"


@pytest.fixture(scope="module", params=[SKIRMISH, EPIC])
def battle(request) -> Battle:
    return Battle.load(request.param, 5)


# ---------------------------------------------------------------- seeds


@pytest.mark.parametrize("seed", NO_SEEDS, ids=repr)
def test_what_is_no_seed_is_refused_alike(battle, seed):
    state = battle.state_bytes()
    takers = {
        "load": lambda: Battle.load(SKIRMISH, seed),
        "make": lambda: Battle(battle.setup, seed),
        "clone": lambda: battle.clone(seed),
        "clone by name": lambda: battle.clone(seed=seed),
        "copy": lambda: battle.clone().copy_from(battle, seed),
    }
    for taker in takers.values():
        with pytest.raises(ContentError, match=r"seed: .*expected a (whole )?number of at most 6[34] bits"):
            taker()
    assert battle.state_bytes() == state


@pytest.mark.parametrize("seed", [*(seed for seed in NO_SEEDS if seed != [1]), -1], ids=repr)
def test_environments_take_the_same_seeds(seed):
    for environment in (
        wh_env.single_env(battle=SKIRMISH),
        wh_env.raw_env(battle=SKIRMISH),
        wh_env.env(battle=SKIRMISH),
        wh_env.vector_env(2, battle=SKIRMISH),
    ):
        with pytest.raises(ContentError, match=r"seed: .*expected a (whole )?number"):
            environment.reset(seed=seed)
    with pytest.raises(ContentError, match=r"seed: .*expected a (whole )?number"):
        wh_env.vector_env(2, battle=SKIRMISH).reset(seed=[3, seed])


def test_every_kind_of_whole_number_is_a_seed(battle):
    dice = battle.clone(7).state_bytes()
    assert battle.clone(np.int64(7)).state_bytes() == battle.clone(np.uint8(7)).state_bytes() == dice
    one = wh_env.vector_env(2, battle=SKIRMISH)
    first = one.reset(seed=7)[0]
    assert (one.reset(seed=np.int64(7))[0] == first).all() and (one.reset(seed=np.array([7, 8]))[0] == first).all()


# ---------------------------------------------------------------- actions and rows


@pytest.mark.parametrize("action", [10**9, -1, 10**80, -(10**80), np.int64(-1)], ids=str)
def test_an_action_outside_the_action_space_has_no_words(battle, action):
    over = Battle.load(EPIC, 1)
    over.finish()
    over.clock.asking[0] = 0
    for one in (battle, over):
        with pytest.raises(IllegalAction, match="is outside the action space 0"):
            one.describe(action)


@pytest.mark.parametrize("action", [1.5, "1", None, np.float64(1)], ids=repr)
def test_what_is_no_number_has_no_words(battle, action):
    with pytest.raises(TypeError):
        battle.describe(action)


def test_every_action_of_the_space_has_words(battle):
    """Also those that are not legal now."""
    copy, chance = battle.clone(1), np.random.default_rng(0)
    for _ in range(60):
        if copy.over:
            break
        assert all(copy.describe(action) for action in range(copy.setup.space.size))
        copy.apply(int(chance.choice(copy.legal().nonzero()[0])))


@pytest.mark.parametrize("row", [-1, 10**9, 10**80, 12, np.int64(-5)], ids=str)
def test_rows_that_are_not_there(row):
    battle = Battle.load(SKIRMISH, 5)
    for ask in (
        lambda: battle.distance(row, 0),
        lambda: battle.distance(0, row),
        lambda: battle.marker_distance(row, 0),
        lambda: battle.marker_distance(0, row),
        lambda: battle.roster(row),
    ):
        with pytest.raises(IndexError, match="expected 0"):
            ask()
    assert battle.distance(np.int64(0), 11) == battle.distance(0, 11)


# ---------------------------------------------------------------- before the first reset


def test_what_is_stepped_before_it_is_reset_says_so():
    raw, single = wh_env.raw_env(battle=SKIRMISH), wh_env.single_env(battle=SKIRMISH)
    batches = [wh_env.vector_env(2, battle=SKIRMISH, illegal=illegal) for illegal in ("forfeit", "raise")]
    for ask in (
        lambda: raw.step(0),
        lambda: raw.observe("player_0"),
        lambda: raw.observe("player_1"),
        raw.last,
        raw.render,
        lambda: raw.words(0),
        lambda: single.step(0),
        *(lambda batch=batch: batch.step([0, 0]) for batch in batches),
    ):
        with pytest.raises(RuntimeError, match=BEFORE):
            ask()
    batches[0].reset(seed=1, options={"reset_mask": np.array([True, False])})
    legal = int(batches[0].action_masks()[0].argmax())
    with pytest.raises(RuntimeError, match=BEFORE):
        batches[0].step([legal, 0])


# ---------------------------------------------------------------- counts


@pytest.mark.parametrize("count", [0, -1, 1.5, True, "2"], ids=repr)
def test_counts_of_environments(count):
    for make in (
        lambda: wh_env.vector_env(count, battle=SKIRMISH),
        lambda: wh_env.single_env(battle=SKIRMISH, max_decisions=count),
        lambda: wh_env.raw_env(battle=SKIRMISH, max_decisions=count),
        lambda: wh_env.single_env(battle=SKIRMISH, pool=count),
        lambda: wh_env.single_env(battle=SKIRMISH, renew=count),
    ):
        with pytest.raises(ContentError, match="whole number from 1 on"):
            make()
    with pytest.raises(ContentError, match="whole number from 1 on"):
        ProcessVectorEnv(2, battle=SKIRMISH, processes=count)


@pytest.mark.parametrize("seat", [True, 1.0, 2, -1, None, "1"], ids=repr)
def test_seats_of_environments(seat):
    with pytest.raises(ContentError, match="seat"):
        wh_env.single_env(battle=SKIRMISH, seat=seat)
    with pytest.raises(ContentError, match="seat"):
        wh_env.single_env(battle=SKIRMISH).reset(options={"seat": seat})


# ---------------------------------------------------------------- illegal actions in training


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("kind", ["single", "vector"])
def test_an_illegal_action_is_warned_of_once_with_where_the_mask_is(kind, detail, seat):
    if kind == "single":
        environment = wh_env.single_env(battle=SKIRMISH, detail=detail, seat=seat)
    else:
        environment = wh_env.vector_env(3, battle=SKIRMISH, detail=detail, seat=seat)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for seed in range(3):
            _, info = environment.reset(seed=seed)
            mask = info["action_mask"]
            wrong = mask.argmin(-1)
            _, reward, *_ = environment.step(wrong)
            assert np.all(np.asarray(reward) == -1.0)
    said = [str(one.message) for one in told if one.category is IllegalActionWarning]
    assert len(said) == 1
    for words in ("info['action_mask']", "action_masks()", "MaskablePPO", "illegal='raise'"):
        assert words in said[0]


def test_processes_warn_once_for_all_of_them():
    environment = wh_env.vector_env(4, processes=2, battle=SKIRMISH)
    try:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            _, infos = environment.reset(seed=1)
            for _ in range(3):
                _, _, _, _, infos = environment.step(infos["action_mask"].argmin(1))
        assert [one.category for one in told].count(IllegalActionWarning) == 1
        with pytest.raises(TypeError, match="expected integers"):
            environment.step([0.0, 1.0, 0.0, 1.0])
    finally:
        environment.close()


def test_who_heeds_the_mask_is_not_warned():
    environment, chance = wh_env.single_env(battle=SKIRMISH), np.random.default_rng(0)
    with warnings.catch_warnings():
        warnings.simplefilter("error", IllegalActionWarning)
        _, info = environment.reset(seed=1)
        over = False
        while not over:
            _, _, terminated, truncated, info = environment.step(int(chance.choice(info["action_mask"].nonzero()[0])))
            over = terminated or truncated
