"""The logits of cells: the value of a place follows from its position and from the distances of units and
markers to it.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

# Centres of the radial functions, in inches: dense where contact and control are decided, sparse at longer ranges.
MIDDLES = (0.0, 2.0, 4.5, 8.0, 12.0, 18.0, 26.0, 36.0)
WIDTH = 0.75  # width of a radial function, in gaps between centres
SHARE = 0.5  # weight of the contribution of units and markers
STEP = 12.0  # inches that scale the distance from the middle of the region
PLACE = 6  # number of features of a cell's position


def grid_places(decision: Tensor, half: Tensor, columns: tuple[int, int, int, int], grid: int, far: float) -> Tensor:
    """Position of the centre of every cell of the decision's region, in inches from the middle of the table.

    Args:
        decision: (batch, fields).
        half: (batch, 2): half the table's length and width, inches.
        columns: columns of x, y, span_x and span_y in ``decision``.
        grid: cells along each side.
        far: inches by which spans are divided in the observation.

    Returns:
        (batch, grid * grid, 2); cell c is in column c mod grid and row c div grid.
    """
    x, y, span_x, span_y = (decision[:, column] for column in columns)
    steps = torch.linspace(-1.0, 1.0, grid, device=decision.device)
    xs = (x * half[:, 0])[:, None] + (span_x * far)[:, None] * steps
    ys = (y * half[:, 1])[:, None] + (span_y * far)[:, None] * steps
    across = xs[:, None, :].expand(-1, grid, -1)
    along = ys[:, :, None].expand(-1, -1, grid)
    return torch.stack((across, along), dim=-1).flatten(1, 2)


def sample_planes(planes: Tensor, places: Tensor, half: Tensor) -> Tensor:
    """Interpolated values of planes over the table at places.

    Args:
        planes: (batch, channels, rows, columns).
        places: (batch, n, 2), inches from the middle of the table.
        half: (batch, 2): half the table's length and width, inches.

    Returns:
        (batch, n, channels)
    """
    at = places / half[:, None].clamp_min(1e-3)
    found = F.grid_sample(planes, at[:, :, None], mode="bilinear", padding_mode="border", align_corners=False)
    return found[..., 0].transpose(1, 2)


class CellHead(nn.Module):
    """Computes a logit for each cell.

    The token of every unit and marker is mapped to weights of radial functions. By its distance to the cell
    these give a vector. A small network computes the logit from the sum of these vectors, the terrain at the
    cell and the cell's position.

    Args:
        token: width of a token.
        context: width of the context.
        planes: channels of the terrain.
        width: width of the hidden layer.
    """

    middles: Tensor
    widths: Tensor

    def __init__(self, token: int, context: int, planes: int, width: int) -> None:
        super().__init__()
        middles = torch.tensor(MIDDLES)
        gaps = torch.diff(middles, prepend=middles[:1] - (middles[1] - middles[0]))
        self.register_buffer("middles", middles, persistent=False)
        self.register_buffer("widths", WIDTH * gaps, persistent=False)
        self.width = width
        self.radial = nn.Linear(token, len(MIDDLES) * width)
        self.place = nn.Linear(PLACE + planes, width)
        self.context = nn.Linear(context, width)
        self.hidden = nn.Linear(width, width)
        self.out = nn.Linear(width, 1)

    def forward(
        self, tokens: Tensor, weights: Tensor, at: Tensor, context: Tensor, planes: Tensor, cells: Tensor, half: Tensor
    ) -> Tensor:
        """Logits of shape (batch, cells).

        Args:
            tokens: (batch, n, token): tokens of units and markers.
            weights: (batch, n): 1 for those on the table, else 0.
            at: (batch, n, 2): their places in inches.
            context: (batch, context).
            planes: (batch, channels, rows, columns): terrain.
            cells: (batch, cells, 2): places of the cells in inches.
            half: (batch, 2): half the table's length and width, inches.
        """
        batch, entities = weights.shape
        apart = torch.cdist(cells, at)  # cells x entities
        radial = torch.exp(-(((apart[..., None] - self.middles) / self.widths) ** 2))
        shares = self.radial(tokens).view(batch, entities, -1, self.width) * weights[:, :, None, None]
        near = torch.bmm(radial.flatten(2), shares.flatten(1, 2)) * SHARE
        middle = cells.mean(dim=1, keepdim=True)
        moved = (cells - middle) / STEP
        where = torch.cat(
            (cells / half[:, None].clamp_min(1e-3), moved, moved.norm(dim=-1, keepdim=True), cells[..., :1] * 0 + 1), -1
        )
        found = torch.cat((where, sample_planes(planes, cells, half)), -1)
        hidden = F.relu(near + self.place(found) + self.context(context)[:, None])
        logits: Tensor = self.out(F.relu(self.hidden(hidden)))[..., 0]
        return logits
