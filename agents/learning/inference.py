"""The entity network computed with NumPy, without gradients. For the few battles that wait at a time this is
faster than torch, whose overhead for each operation takes longer than the operation.

The arithmetic is that of ``EntityNetwork``, up to rounding. It skips logits of illegal actions, and
convolutions over terrain that it has seen before.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch.nn import functional as F

from wh_env.core.tables import Array

from .cells import MIDDLES, PLACE, SHARE, STEP, WIDTH, sample_planes
from .layout import AT, FAR, LONG_SIDE, PLANES
from .network import EntityNetwork
from .policies import EntityPolicy, parts_of

SEEN = 256  # greatest number of remembered terrains
SMALL = 1 << 18  # number of multiplications up to which NumPy uses one thread


def filled(flags: Array) -> int:
    """Number of leading slots that contain every used slot of any battle, at least 1.

    Args:
        flags: (batch, slots): whether a slot is used.
    """
    slots = np.flatnonzero(flags.any(0))
    return int(slots[-1]) + 1 if len(slots) else 1


def relu(numbers: Array) -> Array:
    """Set negative numbers to 0, in place."""
    return np.maximum(numbers, 0.0, out=numbers)


def product(left: Array, right: Array) -> Array:
    """The product of two matrices. Large ones go to torch, because NumPy would start threads beside those of
    torch.
    """
    if left.size * right.shape[1] <= SMALL:
        return np.asarray(left @ right)
    result: Array = torch.mm(torch.from_numpy(left), torch.from_numpy(right)).numpy()
    return result


def sampled(planes: Array, places: Array, half: Array) -> Array:
    """``sample_planes`` for arrays."""
    found: Array = sample_planes(*map(torch.from_numpy, (planes, places, half))).numpy()
    return found


class Inference:
    """Computes answers of an ``EntityNetwork``.

    Args:
        network: the network. If it is on the CPU, its weights are read in place. Call ``refresh`` after they
            changed.
    """

    def __init__(self, network: EntityNetwork) -> None:
        self.network, self.space, self.heads = network, network.space, network.heads
        middles: Array = np.array(MIDDLES, np.float32)
        self.middles = middles
        self.widths = np.float32(WIDTH) * np.diff(middles, prepend=middles[0] - (middles[1] - middles[0]))
        grid = np.linspace(-1.0, 1.0, self.space.grid, dtype=np.float32)
        self.steps = np.stack((np.tile(grid, len(grid)), np.repeat(grid, len(grid))), 1)  # cells x (x, y)
        self.refresh()

    def refresh(self) -> None:
        """Read the weights again and forget the remembered terrain."""
        self._tensors = {name: part.detach().cpu() for name, part in self.network.state_dict().items()}
        self._weights = {name: part.numpy() for name, part in self._tensors.items()}
        self._terrain: dict[bytes, Array] = {}

    # ---- layers

    def _linear(self, name: str, numbers: Array) -> Array:
        """The linear layer ``name``; numbers of shape (..., features)."""
        weight, bias = self._weights[f"{name}.weight"], self._weights[f"{name}.bias"]
        result = product(numbers.reshape(-1, numbers.shape[-1]), weight.T)
        result += bias
        return result.reshape(*numbers.shape[:-1], len(bias))

    def _norm(self, name: str, numbers: Array) -> Array:
        """The layer normalisation ``name``."""
        weight, bias = self._tensors[f"{name}.weight"], self._tensors[f"{name}.bias"]
        result: Array = F.layer_norm(torch.from_numpy(numbers), weight.shape, weight, bias).numpy()
        return result

    def _convolution(self, name: str, planes: Array) -> Array:
        """A 3 x 3 convolution with ReLU over (channels, rows, columns), padded with zeros."""
        weight, bias = self._weights[f"{name}.weight"], self._weights[f"{name}.bias"]
        channels, rows, columns = planes.shape
        padded = np.pad(planes, ((0, 0), (1, 1), (1, 1)))
        windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (1, 2)).transpose(0, 3, 4, 1, 2)
        result = product(weight.reshape(len(bias), -1), windows.reshape(channels * 9, -1))
        return relu((result + bias[:, None]).reshape(len(bias), rows, columns))

    def _block(self, name: str, tokens: Array, bias: Array) -> Array:
        """The attention block ``name``; see ``network.Block``."""
        batch, count, width = tokens.shape
        mixed = self._linear(f"{name}.query_key_value", self._norm(f"{name}.before", tokens))
        query, key, value = mixed.reshape(batch, count, 3, self.heads, -1).transpose(2, 0, 3, 1, 4)
        weight = query @ key.swapaxes(2, 3)
        weight *= 1.0 / math.sqrt(width // self.heads)
        weight += bias
        weight -= weight.max(-1, keepdims=True)
        np.exp(weight, out=weight)
        weight /= weight.sum(-1, keepdims=True)
        seen = (weight @ value).swapaxes(1, 2).reshape(batch, count, width)
        tokens = tokens + self._linear(f"{name}.out", seen)
        stepped = relu(self._linear(f"{name}.wide", self._norm(f"{name}.after", tokens)))
        return tokens + self._linear(f"{name}.narrow", stepped)

    def _pointer(self, name: str, rows: Array, context: Array) -> Array:
        """The pointer ``name``; see ``network.Pointer``."""
        hidden = self._linear(f"{name}.row", rows)
        hidden += self._linear(f"{name}.context", context)[:, None]
        return self._linear(f"{name}.out", relu(hidden))[..., 0]

    # ---- parts

    def _planes(self, planes: Array) -> Array:
        """The terrain after the convolutions, (batch, channels, rows, columns)."""
        found = []
        for one in planes:
            key = one.tobytes()
            seen = self._terrain.get(key)
            if seen is None:
                if len(self._terrain) >= SEEN:
                    self._terrain.clear()
                seen = self._convolution("terrain.2", self._convolution("terrain.0", one))
                self._terrain[key] = seen
            found.append(seen)
        return np.stack(found)

    def _rows(self, parts: Mapping[str, Array], side: str) -> Array:
        """Rows of the units of a side; see ``EntityNetwork.rows``."""
        rows = parts[side]
        count = filled(rows[..., AT.there])
        about = parts["decision"][:, AT.enemy_subject if side == "own" else AT.own_subject]
        return np.concatenate((rows[:, :count], parts["subject"][:, :count] * about[:, None, None]), -1)

    def _bias(self, parts: Mapping[str, Array], exists: Array, own: int, enemy: int) -> Array:
        """The bias of the attention; see ``EntityNetwork.bias``."""
        empty = np.zeros((len(exists), 1, 1, exists.shape[1] + 1), np.float32)
        empty[:, 0, 0, :-1] = (exists - 1.0) * 1e9
        if not self.network.pairs:
            return empty
        related = np.concatenate((parts["relations"], parts["sight"][..., None]), -1)[:, :own, :enemy]
        found = self._linear("relations", related).transpose(0, 3, 1, 2)
        full = np.repeat(np.repeat(empty, self.heads, 1), empty.shape[-1], 2)
        full[:, :, :own, own : own + enemy] += found[:, : self.heads]
        full[:, :, own : own + enemy, :own] += found[:, self.heads :].swapaxes(2, 3)
        return full

    def __call__(self, parts: Mapping[str, Array], masks: Array) -> tuple[Array, Array]:
        """Logits (batch, actions), correct for legal actions, and values (batch,).

        Args:
            parts: observations by part, float32 (batch, ...).
            masks: legal actions, bool (batch, actions).
        """
        space = self.space
        overall, decision = parts["globals"], parts["decision"]
        half = overall[:, [AT.length, AT.width]] * np.float32(LONG_SIDE / 2)
        own, enemy = self._rows(parts, "own"), self._rows(parts, "enemy")
        markers = parts["markers"]
        markers = markers[:, : filled(markers[..., AT.marker_there])]
        mine, units = own.shape[1], own.shape[1] + enemy.shape[1]
        units_of_both = np.concatenate((own, enemy), 1)
        at = (
            np.concatenate((units_of_both[..., [AT.x, AT.y]], markers[..., [AT.marker_x, AT.marker_y]]), 1)
            * half[:, None]
        )
        exists = np.concatenate((units_of_both[..., AT.there], markers[..., AT.marker_there]), 1)
        placed = np.concatenate((units_of_both[..., AT.on_table], markers[..., AT.marker_there]), 1)
        planes = self._planes(parts[PLANES])
        rows = self._linear("units", units_of_both)
        rows[:, :mine] += self._weights["side"][0]
        rows[:, mine:] += self._weights["side"][1]
        tokens = np.concatenate((rows, self._linear("markers", markers)), 1)
        tokens += self._linear("ground", sampled(planes, at, half)) * placed[..., None]
        battle = self._linear("battle", np.concatenate((overall, decision), 1))
        battle += product(parts["options"][:, 0], self._weights["about.weight"].T)
        tokens = relu(np.concatenate((tokens, battle[:, None]), 1))
        bias = self._bias(parts, exists, mine, units - mine)
        for number in range(len(self.network.blocks)):
            tokens = self._block(f"blocks.{number}", tokens, bias)
        tokens = self._norm("last", tokens)
        about = (tokens[:, :units] * units_of_both[..., AT.subject, None]).sum(1)
        mean = (tokens[:, :-1] * exists[..., None]).sum(1) / np.maximum(exists.sum(1, keepdims=True), 1.0)
        context = relu(self._linear("context", np.concatenate((tokens[:, -1], about, mean), 1)))

        logits = np.zeros(masks.shape, np.float32)
        plain = self._linear("plain", context)
        first = 1 + space.options
        logits[:, :first] = plain[:, :first]
        logits[:, space.angle : space.angle + space.angles + space.numbers] = plain[:, first:]
        for name, start, tokens_of in (
            ("own", space.own, tokens[:, :mine]),
            ("enemy", space.enemy, tokens[:, mine:units]),
        ):
            if masks[:, start : start + space.units].any():
                logits[:, start : start + tokens_of.shape[1]] = self._pointer(name, tokens_of, context)
        self._options(logits, parts["options"][:, 1:], context)
        if masks[:, space.model :].any():
            models = parts["models"]
            models = models[:, : filled(models[..., AT.model_there])]
            logits[:, space.model : space.model + models.shape[1]] = self._pointer("models", models, context)
        self._cells(logits, masks, decision, tokens[:, :-1], placed, at, context, planes, half)
        values = self._linear("value.2", relu(self._linear("value.0", context)))[:, 0]
        return logits, values

    def _options(self, logits: Array, described: Array, context: Array) -> None:
        """Add what options and numbers mean to their logits, where that is described."""
        space, there = self.space, described[..., AT.option_there]
        if there.any():
            meant = self._pointer("options", described, context) * there
            logits[:, space.option : space.option + space.options] += meant[:, : space.options]
            logits[:, space.number : space.number + space.numbers] += meant[:, space.options :]

    def _cells(
        self,
        logits: Array,
        masks: Array,
        decision: Array,
        tokens: Array,
        placed: Array,
        at: Array,
        context: Array,
        planes: Array,
        half: Array,
    ) -> None:
        """Fill in the logits of the legal cells, battle by battle, because most battles ask for no place and
        most cells are illegal.
        """
        space, count = self.space, self.space.grid**2
        for number in np.flatnonzero(decision[:, AT.cells]).tolist():
            legal = np.flatnonzero(masks[number, space.cell : space.cell + count])
            entities = np.flatnonzero(placed[number])
            if not len(legal):
                continue
            centre = decision[number, [AT.region_x, AT.region_y]] * half[number]
            cells = centre + decision[number, [AT.span_x, AT.span_y]] * np.float32(FAR) * self.steps[legal]
            apart = cells[:, None] - at[number, entities]
            distances = np.sqrt(np.einsum("cek,cek->ce", apart, apart))
            radial = (distances[..., None] - self.middles) / self.widths
            radial *= radial
            np.exp(np.negative(radial, out=radial), out=radial)
            shares = self._linear("cells.radial", tokens[number, entities])
            width = shares.shape[1] // len(self.middles)
            hidden = product(radial.reshape(len(legal), -1), shares.reshape(-1, width))
            hidden *= SHARE
            moved = (cells - centre) / np.float32(STEP)
            where = np.empty((len(legal), PLACE + planes.shape[1]), np.float32)
            where[:, :2] = cells / np.maximum(half[number], 1e-3)
            where[:, 2:4] = moved
            where[:, 4] = np.sqrt((moved * moved).sum(1))
            where[:, 5] = 1.0
            where[:, PLACE:] = sampled(planes[number : number + 1], cells[None], half[number : number + 1])[0]
            hidden += self._linear("cells.place", where)
            hidden += self._linear("cells.context", context[number : number + 1])
            hidden = relu(self._linear("cells.hidden", relu(hidden)))
            logits[number, space.cell + legal] = self._linear("cells.out", hidden)[:, 0]


class Answers:
    """Log-probabilities and values of a policy, without gradients. On the CPU an entity policy is computed by
    ``Inference``.

    Args:
        policy: the policy. Call ``refresh`` after its weights changed.
    """

    def __init__(self, policy: MaskableActorCriticPolicy) -> None:
        self.policy = policy
        quick = isinstance(policy, EntityPolicy) and policy.device.type == "cpu"
        self._inference = Inference(policy.network) if quick else None

    def refresh(self) -> None:
        """Read the weights of the policy again."""
        if self._inference is not None:
            self._inference.refresh()

    def __call__(self, observations: Any, masks: Array) -> tuple[Array, Array]:
        """Answers for a batch of observations.

        Args:
            observations: stacked observations.
            masks: legal actions, bool (batch, actions).

        Returns:
            Log-probabilities of the actions, float64 (batch, actions), and values, float32 (batch,).
        """
        if self._inference is not None:
            logits, values = self._inference(parts_of(observations), masks)
        else:
            with torch.no_grad():
                tensors, _ = self.policy.obs_to_tensor(observations)
                logits = self.policy.get_distribution(tensors, masks).distribution.logits.cpu().numpy()
                values = self.policy.predict_values(tensors)[:, 0].cpu().numpy()
        log_shares = np.where(masks, logits.astype(np.float64), -np.inf)
        log_shares -= log_shares.max(1, keepdims=True)
        log_shares -= np.log(np.exp(log_shares).sum(1, keepdims=True))
        return log_shares, values


def drawn(logits: Array, chances: Any) -> Array:
    """Draw an action for each row of logits.

    Args:
        logits: (batch, actions).
        chances: (batch,): numbers from 0 to 1.

    Returns:
        Actions, shape (batch,).
    """
    reached = np.exp(logits - logits.max(1, keepdims=True)).cumsum(1)
    # rounding may leave the last sum below 1, so the draw is scaled by that sum
    return np.asarray((reached > np.asarray(chances)[:, None] * reached[:, -1:]).argmax(1))
