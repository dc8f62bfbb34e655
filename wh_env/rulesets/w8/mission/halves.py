"""The battlefield is divided into two halves; one player chooses a half (w8.mission.deploy.halves, .lines, .zones)."""

from __future__ import annotations

from math import hypot

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.frozen import frozen
from wh_env.core.geometry.shapes import EPS
from wh_env.core.procedures import DecisionKind
from wh_env.core.tables import Array
from wh_env.rulesets.w8.mission.state import DIVISIONS, roller

APART = 12.0  # inches from the other half beyond which units are set up (w8.mission.deploy.where)
WORDS = (
    "across, parallel to the short edges",
    "lengthwise, parallel to the long edges",
    "from the south-west to the north-east corner",
    "from the north-west to the south-east corner",
)


def part(length: float, width: float, line: tuple[float, float, float], beyond: float) -> Array:
    """The part of the table where ``a x + b y < c - beyond``, for a line (a, b, c) with (a, b) of length 1: corners in
    inches, counter-clockwise, shape (n, 2).
    """
    a, b, c = line
    corners = [(0.0, 0.0), (length, 0.0), (length, width), (0.0, width)]
    found = []
    for (x, y), (u, v) in zip(corners, corners[1:] + corners[:1], strict=True):
        here, there = a * x + b * y - c + beyond, a * u + b * v - c + beyond
        if here <= 0.0:
            found.append((x, y))
        if here * there < 0.0:
            along = here / (here - there)
            found.append((x + along * (u - x), y + along * (v - y)))
    return frozen(np.array(found, np.float64).reshape(-1, 2))


def lines(length: float, width: float) -> tuple[tuple[float, float, float], ...]:
    """The four lines (a, b, c) through the centre that can divide a table: ``a x + b y = c``, (a, b) of length 1
    (w8.mission.deploy.halves.lines).
    """
    long_x = length >= width
    across = (1.0, 0.0, length / 2) if long_x else (0.0, 1.0, width / 2)
    lengthwise = (0.0, 1.0, width / 2) if long_x else (1.0, 0.0, length / 2)
    diagonal = hypot(length, width)
    rising = (-width / diagonal, length / diagonal, 0.0)
    falling = (width / diagonal, length / diagonal, width * length / diagonal)
    return (across, lengthwise, rising, falling)


def name_of_half(length: float, width: float, number: int, half: int) -> str:
    """Where half 0 or 1 of division ``number`` lies, such as "the south-west"."""
    a, b, _ = lines(length, width)[number]
    east, north = (-a, -b) if half == 0 else (a, b)
    along = "" if abs(north) < EPS else "south" if north < 0.0 else "north"
    across = "" if abs(east) < EPS else "west" if east < 0.0 else "east"
    return f"the {'-'.join(word for word in (along, across) if word)}"


def halves(length: float, width: float, number: int, beyond: float = 0.0) -> tuple[Array, Array]:
    """Corners of both halves of division ``number``, each without what lies within ``beyond`` inches of the other
    half.
    """
    a, b, c = lines(length, width)[number]
    return part(length, width, (a, b, c), beyond), part(length, width, (-a, -b, -c), beyond)


def zones(length: float, width: float) -> tuple[tuple[tuple[Array, Array], bool], ...]:
    """For each division the two zones in which units are set up, more than 12" from the other half
    (w8.mission.deploy.where), and whether the zones lie opposite each other along x.
    """
    beyond = APART + 2 * EPS
    return tuple(
        (halves(length, width, number, beyond), abs(a) > abs(b))
        for number, (a, b, _) in enumerate(lines(length, width))
    )


class DivideBattlefield(DecisionKind):
    name = "divide"
    what = (
        "How the battlefield is divided into two halves: by a line across it, lengthwise, or by one of the diagonals."
    )
    keys = ("w8.mission.deploy.halves", "w8.mission.deploy.halves.lines")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for number in range(DIVISIONS):
            mask[g.setup.space.option + number] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        g.mission.division[0] = 1 + action - g.setup.space.option
        if g.recorder is not None:
            g.note(
                "w8.mission.deploy.halves",
                "battlefield divided",
                player=1 - roller(g),
                name=self.describe(g, f, action),
            )

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return WORDS[action - g.setup.space.option]


class ChooseHalf(DecisionKind):
    name = "choose-zone"
    what = "Which half of the battlefield is the player's own deployment zone; the other one is the opponent's."
    keys = ("w8.mission.deploy.zones",)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        mask[g.setup.space.option] = mask[g.setup.space.option + 1] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        chooser, half = roller(g), action - g.setup.space.option
        g.clock.attacker[0] = chooser if half == 0 else 1 - chooser
        if g.recorder is not None:
            g.note("w8.mission.deploy.zones", "zone chosen", player=chooser, name=self.describe(g, f, action))

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        division, half = g.mission.division[0] - 1, action - g.setup.space.option
        return name_of_half(g.setup.length, g.setup.width, division, half)
