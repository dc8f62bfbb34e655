"""The entity network: units, markers and the battle are tokens that attend to each other; terrain enters as
planes; pointers give logits.

The logit of a unit, target or model comes from its own row, and the logit of a cell from its place, so what
is learnt for one slot holds for all. Rows that are empty in a whole batch are left out, because battles are
rarely as large as the observation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from wh_env.core.actions import ActionSpace

from .cells import CellHead, grid_places, sample_planes
from .layout import AT, FAR, LONG_SIDE, PARTS, PLANES, width_of

FIELDS = width_of(PARTS["own"])
PAIR = width_of(PARTS["relations"])
MOST = 1024  # greatest value of any size


@dataclass(frozen=True)
class NetworkSize:
    """The sizes of the network.

    Attributes:
        width: width of a token.
        heads: number of attention heads.
        blocks: number of attention blocks, one after the other.
        planes: channels of the convolution over the terrain.
        cell: width of the head for cells.

    Raises:
        ValueError: a size is not a whole number from 1 to ``MOST``, or the heads do not divide the width.
    """

    width: int = 64
    heads: int = 4
    blocks: int = 2
    planes: int = 16
    cell: int = 24

    def __post_init__(self) -> None:
        """Check the sizes."""
        for name, size in vars(self).items():
            if type(size) is not int or not 1 <= size <= MOST:
                raise ValueError(f"size.{name}={size!r}; expected a whole number from 1 to {MOST}")
        if self.width % self.heads:
            raise ValueError(f"size.heads={self.heads}; expected a number that divides size.width={self.width}")


def filled(flags: Tensor) -> int:
    """Number of leading slots that contain every used slot of any battle, at least 1.

    Args:
        flags: (batch, slots): whether a slot is used.
    """
    slots = flags.amax(dim=0).nonzero()
    return int(slots[-1]) + 1 if len(slots) else 1


class Block(nn.Module):
    """Attention among tokens, then a step of each token alone; both are added to the input."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.before, self.after = nn.LayerNorm(width), nn.LayerNorm(width)
        self.query_key_value = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.wide, self.narrow = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)

    def forward(self, tokens: Tensor, bias: Tensor) -> Tensor:
        """The tokens after the block, (batch, n, width).

        Args:
            tokens: (batch, n, width).
            bias: added to the attention, (batch, heads or 1, n or 1, n).
        """
        batch, count, width = tokens.shape
        mixed = self.query_key_value(self.before(tokens))
        query, key, value = mixed.view(batch, count, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        seen = F.scaled_dot_product_attention(query, key, value, attn_mask=bias)
        tokens = tokens + self.out(seen.transpose(1, 2).reshape(batch, count, width))
        stepped: Tensor = tokens + self.narrow(F.relu(self.wide(self.after(tokens))))
        return stepped


class Pointer(nn.Module):
    """Computes a logit for each row, from the row and the context of the decision."""

    def __init__(self, row: int, context: int, width: int) -> None:
        super().__init__()
        self.row, self.context, self.out = nn.Linear(row, width), nn.Linear(context, width), nn.Linear(width, 1)

    def forward(self, rows: Tensor, context: Tensor) -> Tensor:
        """Logits of shape (batch, n).

        Args:
            rows: (batch, n, row).
            context: (batch, context).
        """
        logits: Tensor = self.out(F.relu(self.row(rows) + self.context(context)[:, None]))[..., 0]
        return logits


class EntityNetwork(nn.Module):
    """Maps observations to logits over the flat action space and to the value of the battle.

    Args:
        space: segments of the action space.
        pairs: whether observations include the relations of all pairs of units (form ``entities``).
        size: sizes of the network.
    """

    def __init__(self, space: ActionSpace, pairs: bool, size: NetworkSize) -> None:
        super().__init__()
        self.space, self.pairs = space, pairs
        width = size.width
        self.units = nn.Linear(FIELDS + PAIR, width)
        self.side = nn.Parameter(torch.zeros(2, width))
        self.ground = nn.Linear(size.planes, width)
        self.markers = nn.Linear(width_of(PARTS["markers"]), width)
        self.battle = nn.Linear(width_of(PARTS["globals"]) + width_of(PARTS["decision"]), width)
        self.about = nn.Linear(width_of(PARTS["options"]), width, bias=False)
        self.terrain = nn.Sequential(
            nn.Conv2d(PARTS[PLANES].shape[0], size.planes, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(size.planes, size.planes, 3, padding=1),
            nn.ReLU(),
        )
        self.relations = nn.Linear(PAIR + 1, 2 * size.heads) if pairs else None
        self.heads = size.heads
        self.blocks = nn.ModuleList(Block(width, size.heads) for _ in range(size.blocks))
        self.last = nn.LayerNorm(width)
        context = 2 * width
        self.context = nn.Linear(3 * width, context)
        self.own, self.enemy = (Pointer(width, context, width) for _ in range(2))
        self.models = Pointer(width_of(PARTS["models"]), context, width // 2)
        self.options = Pointer(width_of(PARTS["options"]), context, width // 2)
        self.cells = CellHead(width, context, size.planes, size.cell)
        self.plain = nn.Linear(context, 1 + space.options + space.angles + space.numbers)
        self.value = nn.Sequential(nn.Linear(context, width), nn.ReLU(), nn.Linear(width, 1))
        self._start()

    def _start(self) -> None:
        """Start with small last layers, so that all legal actions are about equally likely."""
        for layer in (self.own.out, self.enemy.out, self.models.out, self.options.out, self.cells.out, self.plain):
            nn.init.orthogonal_(layer.weight, 0.01)
            nn.init.zeros_(layer.bias)

    def forward(self, parts: Mapping[str, Tensor]) -> tuple[Tensor, Tensor]:
        """Logits (batch, actions) and values (batch, 1) for observations by part, each (batch, ...)."""
        overall, decision = parts["globals"], parts["decision"]
        half = torch.stack((overall[:, AT.length], overall[:, AT.width]), -1) * (LONG_SIDE / 2)
        planes = self.terrain(parts[PLANES])
        own, enemy = (self.rows(parts, side) for side in ("own", "enemy"))
        markers = parts["markers"][:, : filled(parts["markers"][..., AT.marker_there])]
        counts = own.shape[1], enemy.shape[1], markers.shape[1]
        at = torch.cat(
            (own[..., [AT.x, AT.y]], enemy[..., [AT.x, AT.y]], markers[..., [AT.marker_x, AT.marker_y]]), 1
        ) * half[:, None]  # fmt: skip
        exists = torch.cat((own[..., AT.there], enemy[..., AT.there], markers[..., AT.marker_there]), 1)
        placed = torch.cat((own[..., AT.on_table], enemy[..., AT.on_table], markers[..., AT.marker_there]), 1)
        tokens = torch.cat(
            (self.units(own) + self.side[0], self.units(enemy) + self.side[1], self.markers(markers)), dim=1
        ) + self.ground(sample_planes(planes, at, half)) * placed[..., None]  # fmt: skip
        battle = self.battle(torch.cat((overall, decision), -1)) + self.about(parts["options"][:, 0])
        tokens = F.relu(torch.cat((tokens, battle[:, None]), 1))
        bias = self.bias(parts, exists, counts)
        for block in self.blocks:
            tokens = block(tokens, bias)
        tokens = self.last(tokens)
        units = counts[0] + counts[1]
        subject = torch.cat((own[..., AT.subject], enemy[..., AT.subject]), 1)
        about = (tokens[:, :units] * subject[..., None]).sum(1)
        mean = (tokens[:, :-1] * exists[..., None]).sum(1) / exists.sum(1, keepdim=True).clamp_min(1.0)
        context = F.relu(self.context(torch.cat((tokens[:, -1], about, mean), -1)))
        cells = self.cell_logits(decision, tokens[:, :-1], placed, at, context, planes, half)
        logits = self.joined(parts, tokens, counts, context, cells)
        values: Tensor = self.value(context)
        return logits, values

    def rows(self, parts: Mapping[str, Tensor], side: str) -> Tensor:
        """Rows of a side's units up to the last used one: their fields, and their relation to the subject of the
        decision.
        """
        rows = parts[side]
        about = AT.enemy_subject if side == "own" else AT.own_subject
        count = filled(rows[..., AT.there])
        related = parts["subject"][:, :count] * parts["decision"][:, about, None, None]
        return torch.cat((rows[:, :count], related), -1)

    def bias(self, parts: Mapping[str, Tensor], exists: Tensor, counts: tuple[int, int, int]) -> Tensor:
        """The bias of the attention: no token attends to empty slots, and pairs of units attend according to
        their relation.

        Args:
            parts: observations by part.
            exists: (batch, n): whether a unit or marker exists.
            counts: numbers of own units, enemy units and markers among the tokens.

        Returns:
            (batch, heads or 1, n + 1 or 1, n + 1), where the last token is the battle.
        """
        empty = torch.cat((1.0 - exists, exists.new_zeros(len(exists), 1)), 1) * -1e9
        bias = empty[:, None, None]
        if self.relations is None:
            return bias
        own, enemy, _ = counts
        related = torch.cat((parts["relations"], parts["sight"][..., None]), -1)[:, :own, :enemy]
        forth, back = self.relations(related).permute(0, 3, 1, 2).split(self.heads, 1)
        batch, count = empty.shape
        full = bias.expand(batch, self.heads, count, count).clone()
        full[:, :, :own, own : own + enemy] += forth
        full[:, :, own : own + enemy, :own] += back.transpose(2, 3)
        return full

    def cell_logits(
        self,
        decision: Tensor,
        tokens: Tensor,
        placed: Tensor,
        at: Tensor,
        context: Tensor,
        planes: Tensor,
        half: Tensor,
    ) -> Tensor:
        """Logits of cells, (batch, cells); 0 in battles that ask for no place."""
        grid = self.space.grid
        asked = decision[:, AT.cells].nonzero()[:, 0]
        logits = tokens.new_zeros(len(tokens), grid * grid)
        if len(asked) == 0:
            return logits
        columns = AT.region_x, AT.region_y, AT.span_x, AT.span_y
        places = grid_places(decision[asked], half[asked], columns, grid, FAR)
        found = self.cells(
            tokens[asked], placed[asked], at[asked], context[asked], planes[asked], places, half[asked]
        )  # fmt: skip
        return logits.index_put((asked,), found)

    def joined(
        self, parts: Mapping[str, Tensor], tokens: Tensor, counts: tuple[int, int, int], context: Tensor, cells: Tensor
    ) -> Tensor:
        """The logits of all segments in their order, (batch, actions)."""
        space, (own, enemy, _) = self.space, counts
        done_logit, option, angle, number = self.plain(context).split(
            (1, space.options, space.angles, space.numbers), -1
        )
        mine = F.pad(self.own(tokens[:, :own], context), (0, space.units - own))
        theirs = F.pad(self.enemy(tokens[:, own : own + enemy], context), (0, space.units - enemy))
        described = parts["options"][:, 1:]
        if described[..., AT.option_there].any():
            meant = self.options(described, context) * described[..., AT.option_there]
            option, number = option + meant[:, : space.options], number + meant[:, space.options :]
        models = parts["models"]
        count = filled(models[..., AT.model_there])
        listed = F.pad(self.models(models[:, :count], context), (0, space.models - count))
        return torch.cat((done_logit, option, mine, theirs, cells, angle, number, listed), -1)
