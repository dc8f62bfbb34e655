"""Networks and their files of weights."""

from __future__ import annotations

import dataclasses
import os
import pickle

import numpy as np
import pytest
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO

from wh_env import Battle
from wh_env.agents.learning.cells import grid_places
from wh_env.agents.learning.inference import Answers
from wh_env.agents.learning.layout import AT, FAR, LONG_SIDE
from wh_env.agents.learning.network import EntityNetwork, NetworkSize
from wh_env.agents.learning.player import Player, chance
from wh_env.agents.learning.policies import NETWORKS, EntityPolicy, make_policy, parts_of
from wh_env.agents.learning.weights import UnreadableWeights, Weights, halved, read, to_bytes
from wh_env.core.actions import ActionSpace
from wh_env.envs.observation import FORMS, PARTS, Observer, box_space
from wh_env.envs.registry import environment, rulesets
from wh_env.envs.sb3 import BattleVecEnv
from wh_env.envs.spaces import fill_mask, is_turned, turn_action

SPACE = ActionSpace()
ACTIONS = spaces.Discrete(SPACE.size)
SMALL = {"width": 16, "heads": 2, "blocks": 1, "planes": 4, "cell": 8}
SKIRMISH = "w10/only-war-skirmish"


def small(form: str, seed: int = 0) -> EntityPolicy:
    """A small network whose last layers say something, too."""
    torch.manual_seed(seed)
    policy = make_policy("entity", box_space(form), ACTIONS, {"size": SMALL})
    with torch.no_grad():
        for parameter in policy.parameters():
            parameter += 0.3 * torch.randn_like(parameter)
    return policy


def positions(ruleset: str, count: int, wanted=lambda battle: True, seed: int = 0) -> list[Battle]:
    """Copies of positions of random battles in which somebody is asked what is wanted."""
    random = np.random.default_rng(seed)
    found: list[Battle] = []
    number = 0
    while len(found) < count:
        battle = Battle.load(environment(ruleset).skirmish, number)
        number += 1
        while not battle.over and len(found) < count:
            if wanted(battle) and random.random() < 0.1:
                found.append(battle.clone())
            battle.apply(int(random.choice(np.flatnonzero(battle.legal()))))
    return found


def seen(battle: Battle, form: str) -> dict[str, torch.Tensor]:
    """What the asked seat sees, as a batch of one."""
    out = Observer(battle.setup, form).observe(battle, battle.clock.player[0])
    parts = (
        parts_of(torch.tensor(out)[None]) if form == "vector" else {k: torch.tensor(v)[None] for k, v in out.items()}
    )
    return dict(parts)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("ruleset", rulesets())
def test_a_units_logit_comes_from_its_row(ruleset, form):
    """Whoever stands in another slot takes the logit along; all else stays as it was."""
    network = small(form).network
    battle = positions(ruleset, 1, lambda b: b.clock.round[0] >= 2)[0]
    parts = seen(battle, form)
    count = int(parts["enemy"][0, :, AT.there].sum())
    assert count >= 2
    order = torch.arange(SPACE.units)
    order[0], order[count - 1] = count - 1, 0
    moved = {**parts, "enemy": parts["enemy"][:, order]}
    if parts["decision"][0, AT.own_subject]:
        moved["subject"] = parts["subject"][:, order]
    if form == "entities":
        moved["relations"], moved["sight"] = parts["relations"][:, :, order], parts["sight"][:, :, order]
    with torch.no_grad():
        (before, value), (after, value_after) = network(parts), network(moved)
    enemy = slice(SPACE.enemy, SPACE.cell)
    assert (before[0, enemy][: count - 1].diff().abs() > 1e-4).any()
    assert torch.allclose(before[0, enemy][order], after[0, enemy], atol=1e-4)
    rest = torch.ones(SPACE.size, dtype=torch.bool)
    rest[enemy] = False
    assert torch.allclose(before[0, rest], after[0, rest], atol=1e-4)
    assert torch.allclose(value, value_after, atol=1e-4)


@pytest.mark.parametrize("form", FORMS)
def test_battles_of_a_batch_do_not_touch_each_other(form):
    """Also where they have different numbers of units and of markers, and where only some ask for cells."""
    network = small(form).network
    battles = [battle for name in rulesets() for battle in positions(name, 3)]
    found = [seen(battle, form) for battle in battles]
    with torch.no_grad():
        alone = [network(parts) for parts in found]
        logits, values = network({name: torch.cat([parts[name] for parts in found]) for name in found[0]})
    for row, (logit, value) in enumerate(alone):
        legal = torch.zeros(SPACE.size, dtype=torch.bool)  # slots that nobody fills are never legal
        fill_mask(battles[row], battles[row].clock.player[0], legal.numpy())
        assert torch.allclose(logits[row, legal], logit[0, legal], atol=1e-4)
        assert torch.allclose(values[row], value[0], atol=1e-4)


@pytest.mark.parametrize("form", FORMS)
def test_answers_on_arrays_are_those_of_the_network(form):
    """For legal actions, of batches and of single battles; also after the weights changed."""
    policy = small(form)
    answers = Answers(policy)
    battles = [battle for name in rulesets() for battle in positions(name, 4)]
    observations = [Observer(battle.setup, form).observe(battle, battle.clock.player[0]) for battle in battles]
    masks = np.zeros((len(battles), SPACE.size), np.bool_)
    for battle, mask in zip(battles, masks, strict=True):
        fill_mask(battle, battle.clock.player[0], mask)
    assert masks[:, SPACE.cell : SPACE.angle].any() and masks[:, SPACE.own : SPACE.cell].any()
    for _ in range(2):
        for size in (len(battles), 1):
            for first in range(0, len(battles), size):
                rows = slice(first, first + size)
                several = observations[rows]
                batch = (
                    np.stack(several)
                    if form == "vector"
                    else {k: np.stack([o[k] for o in several]) for k in several[0]}
                )
                with torch.no_grad():
                    tensors = policy.obs_to_tensor(batch)[0]
                    wanted = policy.get_distribution(tensors, masks[rows]).distribution.logits.numpy()
                    values = policy.predict_values(tensors)[:, 0].numpy()
                found, worth = answers(batch, masks[rows])
                assert np.allclose(found[masks[rows]], wanted[masks[rows]], atol=2e-3)
                assert np.isneginf(found[~masks[rows]]).all()
                assert np.allclose(worth, values, atol=1e-4)
        with torch.no_grad():
            for part in policy.parameters():
                part.add_(0.2 * torch.randn_like(part))
        answers.refresh()


def test_cells_lie_where_the_ruleset_says():
    """Against the region of the decision, as it lies on the table, for both seats."""
    turned = set()
    for battle in positions("w10", 12, lambda b: b.legal()[SPACE.cell : SPACE.angle].any()):
        pending = battle.pending()
        assert pending.region is not None
        if pending.moves:
            continue  # the middle is that of the subject, which the observation finds
        x, y, half_x, half_y, *_ = pending.region
        parts = seen(battle, "vector")
        half = parts["globals"][:, [AT.length, AT.width]] * LONG_SIDE / 2
        assert half[0].tolist() == pytest.approx([battle.setup.length / 2, battle.setup.width / 2], abs=1e-4)
        places = grid_places(parts["decision"], half, (AT.region_x, AT.region_y, AT.span_x, AT.span_y), SPACE.grid, FAR)
        sign = -1 if is_turned(battle, battle.clock.player[0]) else 1
        turned.add(sign)
        for cell in (0, 5, 16, 17, 144, 288):
            own = turn_action(SPACE, SPACE.cell + cell) - SPACE.cell if sign < 0 else cell
            wide, deep = (2 * (n / (SPACE.grid - 1)) - 1 for n in (own % SPACE.grid, own // SPACE.grid))
            there = (x + wide * half_x - battle.setup.length / 2, y + deep * half_y - battle.setup.width / 2)
            assert places[0, cell].tolist() == pytest.approx([sign * there[0], sign * there[1]], abs=0.02)
    assert turned == {1, -1}


def test_a_cells_logit_comes_from_its_place():
    """Of the same place in another grid it is the same, if the middle of the region stays."""
    network = small("vector").network
    battle = positions("w10", 1, lambda b: b.legal()[SPACE.cell : SPACE.angle].sum() > 20)[0]
    parts = seen(battle, "vector")
    narrow = {**parts, "decision": parts["decision"].clone()}
    narrow["decision"][:, [AT.span_x, AT.span_y]] *= 0.5
    with torch.no_grad():
        tokens = torch.randn(1, 5, 16)
        at, placed = torch.randn(1, 5, 2) * 8, torch.ones(1, 5)
        context, planes = torch.randn(1, 32), torch.randn(1, 4, 8, 12)
        half = parts["globals"][:, [AT.length, AT.width]] * LONG_SIDE / 2
        wide, deep = (
            network.cell_logits(found["decision"], tokens, placed, at, context, planes, half)[0].view(17, 17)
            for found in (parts, narrow)
        )
    assert torch.allclose(deep[::2, ::2], wide[4:13, 4:13], atol=1e-4)
    assert wide.std() > 1e-3


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("network", NETWORKS)
def test_both_networks_learn_with_maskable_ppo_on_both_forms(network, form):
    env = BattleVecEnv(3, "w10", battle=SKIRMISH, observation=form, opponent="random")
    kwargs = {"size": SMALL} if network == "entity" else {"layers": (16,)}
    model = MaskablePPO(NETWORKS[network], env, n_steps=8, batch_size=12, n_epochs=1, seed=1, policy_kwargs=kwargs)
    before = {name: tensor.clone() for name, tensor in model.policy.state_dict().items()}
    model.learn(24)
    changed = {name for name, tensor in model.policy.state_dict().items() if not torch.equal(tensor, before[name])}
    assert len(changed) > len(before) // 2
    observations = env.reset()
    actions, _ = model.predict(observations, action_masks=env.action_masks())
    assert env.action_masks()[np.arange(3), actions].all()


def test_other_spaces_are_refused():
    with pytest.raises(ValueError, match="expected that of observation"):
        make_policy("entity", spaces.Box(-1, 1, (7,)), ACTIONS, {})
    with pytest.raises(ValueError, match=f"expected Discrete\\({SPACE.size}\\)"):
        make_policy("entity", box_space("vector"), spaces.Discrete(5), {})


def test_drawn_actions_follow_the_networks_probabilities():
    policy = small("vector")
    player = Player(policy, "vector", 1.0)
    battle = positions("w10", 1, lambda b: b.legal().sum() > 4)[0]
    observation = Observer(battle.setup).observe(battle, battle.clock.player[0])
    masks = np.zeros((1, SPACE.size), np.bool_)
    masks[0, [0, 3, 200, 400]] = True
    with torch.no_grad():
        wanted = policy.get_distribution(torch.tensor(observation)[None], masks).distribution.probs[0].numpy()
    chances = (np.arange(2000) + 0.5) / 2000
    drawn = player.pick_actions(np.repeat(observation[None], 2000, 0), masks.repeat(2000, 0), chances.tolist())
    counts = np.bincount(drawn, minlength=SPACE.size) / 2000
    assert np.abs(counts - wanted).max() < 2e-3
    assert set(np.flatnonzero(counts)) <= {0, 3, 200, 400}
    certain = Player(policy, "vector", 0.0).pick_actions(observation[None], masks, [0.9])
    assert certain[0] == wanted.argmax()


def test_chance_is_even_and_follows_from_seed_and_number():
    drawn = np.array([chance(7, n) for n in range(4000)])
    assert (drawn >= 0).all() and (drawn < 1).all()
    assert abs(drawn.mean() - 0.5) < 0.02
    assert np.abs(np.histogram(drawn, 10, (0, 1))[0] - 400).max() < 90
    assert chance(7, 3) == drawn[3] != chance(8, 3)


# ---------------------------------------------------------------- files


def weights(form: str = "vector", **changed) -> Weights:
    policy = small(form)
    made = Weights("w10", environment("w10").version, form, "entity", {"size": SMALL}, halved(policy.state_dict()))
    return dataclasses.replace(made, **changed)


@pytest.mark.parametrize("form", FORMS)
def test_a_policy_comes_back_from_its_file(tmp_path, form):
    file = tmp_path / "policy.pt"
    kept = weights(form, about={"what": "test"})
    file.write_bytes(to_bytes(kept))
    found = read(file)
    assert (found.ruleset, found.network, found.parameters, found.about) == (
        "w10",
        "entity",
        {"size": SMALL},
        {"what": "test"},
    )
    before, after = small(form).state_dict(), found.policy().state_dict()
    assert all(torch.allclose(before[name], after[name], atol=2e-3) for name in before)


class Mischief:
    """Runs something when it is unpickled."""

    def __reduce__(self):
        return os.mkdir, ("mischief",)


def test_files_that_hold_something_else_are_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "policy.pt"
    with pytest.raises(UnreadableWeights, match="cannot be read"):
        read(file)
    file.write_bytes(b"nothing")
    with pytest.raises(UnreadableWeights, match="holds no weights"):
        read(file)
    torch.save({"format": 1, "about": Mischief()}, file)
    with pytest.raises(UnreadableWeights, match="holds no weights"):
        read(file)
    file.write_bytes(pickle.dumps(Mischief(), 2))
    with pytest.raises(UnreadableWeights, match="holds no weights"):
        read(file)
    assert not (tmp_path / "mischief").exists()
    old = bytearray(to_bytes(weights()))
    old[4:6] = (1).to_bytes(2, "little")
    file.write_bytes(old)
    with pytest.raises(
        UnreadableWeights,
        match=r"format: '1' is another version of the file format; expected 2, the format that wh_env",
    ):
        read(file)
    file.write_bytes(to_bytes(weights())[:-1])
    with pytest.raises(UnreadableWeights, match="the file is damaged"):
        read(file)
    file.write_bytes(to_bytes(weights(version=99)))
    with pytest.raises(UnreadableWeights, match="was trained in w10-v99; expected w10-v"):
        read(file)
    file.write_bytes(to_bytes(weights(network="other")))
    with pytest.raises(UnreadableWeights, match="network 'other'"):
        read(file)


def test_rows_that_nobody_fills_cost_nothing():
    """The arithmetic is as large as the battle, not as the observation."""
    network = EntityNetwork(SPACE, False, NetworkSize(**SMALL))
    parts = seen(positions("w10", 1)[0], "vector")
    rows = network.rows(parts, "own")
    there = int(parts["own"][0, :, AT.there].sum())
    assert there <= rows.shape[1] < PARTS["own"].shape[0]
