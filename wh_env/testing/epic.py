"""Building any position of the Epic-scale game, as ``wh_env.testing`` does for the others.

    from wh_env.testing.epic import A, EpicScene

    scene = EpicScene()
    marines = scene.formation(0, "Tactical Marine", at=[(10, 10), (12, 10)], order="advance")
    boyz = scene.formation(1, "Boy", at=[(10, 30)])
    battle = scene.battle("fire", dice=[A, 5, 3])     # player 0 draws the initiative, then a 5 and a 3
    battle.units.alive[boyz]                          # a handle is its row

Cards are those of the shipped sheets by name, or inline as a dict of the same schema. The functions of
``wh_env.testing`` that play a position (``pick``, ``choose``, ``slots``, ``told``, ...) work on these battles too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import hypot, pi
from typing import Any

import numpy as np

from wh_env.content.battle import Battle
from wh_env.content.epic import Formation, Plan, compile_plan, load_rules, load_sheet
from wh_env.content.epic.load import placed
from wh_env.content.epic.schema import Battlefield, Card
from wh_env.content.errors import ContentError, unknown
from wh_env.content.load import names, validate
from wh_env.core.geometry.shapes import EPS, SLACK
from wh_env.core.setup import Delegate
from wh_env.core.tables import DESTROYED, ON_TABLE
from wh_env.rulesets.epic.basics.contact import refresh_contacts
from wh_env.rulesets.epic.move.cells import can_go, move_mask
from wh_env.rulesets.epic.move.phase import way_of
from wh_env.rulesets.epic.move.plans import ALL, allowance_of, clearance, displacement
from wh_env.testing.play import SCRIPT_ROOM, Spot, cell_nearest, choose, script

A, B = 0, 5  # scripted draws from the cup: the first counter is always player 0's, the last player 1's


def shipped_cards() -> dict[str, Card]:
    """The unit cards of all shipped army sheets."""
    cards: dict[str, Card] = {}
    for name in names("factions", "epic"):
        cards.update(load_sheet(name).cards)
    return cards


@dataclass(eq=False)
class FormationHandle:
    """A formation of a scene; usable as its row once the battle is built (``battle.units.alive[handle]``)."""

    scene: EpicScene
    player: int
    number: int
    cards: list[tuple[str, Card]]
    spots: list[Spot]
    facing: float
    lost: int
    columns: dict[str, Any] = field(default_factory=dict)

    @property
    def row(self) -> int:
        """Row in ``units``: the formations of player 0 come first."""
        return self.number + (len(self.scene.sides[0]) if self.player else 0)

    def __index__(self) -> int:
        return self.row

    @property
    def first(self) -> int:
        """Row of its first unit in ``models``."""
        before = [*self.scene.sides[0], *self.scene.sides[1]][: self.row]
        return sum(len(handle.cards) for handle in before)

    def model(self, n: int = 0) -> int:
        """Row in ``models`` of its n-th unit."""
        return self.first + n


class EpicScene:
    """A position that is built step by step. Player 0 has the south edge (y = 0). Lengths are cm."""

    def __init__(
        self,
        size: tuple[float, float] = (120.0, 120.0),
        *,
        rules: Mapping[str, Any] | None = None,
        strategic: tuple[int, int] = (5, 3),
        morale: tuple[int, int] = (3, 3),
    ) -> None:
        self.size = (float(size[0]), float(size[1]))
        self.rules = load_rules({"table_cm": list(self.size), "attacker": 0, **(rules or {})}, "<scene>")
        self.strategic, self.morale = strategic, morale
        self.sides: tuple[list[FormationHandle], list[FormationHandle]] = ([], [])
        self.features: list[dict[str, Any]] = []
        self.objectives: list[tuple[float, float]] = []
        self.cards = shipped_cards()

    def formation(
        self,
        player: int,
        card: str | Mapping[str, Any],
        at: Spot | Sequence[Spot] | None = None,
        *,
        order: str | None = None,
        facing: float | None = None,
        lost: int = 0,
        units: int | None = None,
        **columns: Any,
    ) -> FormationHandle:
        """Add a formation of units of one card.

        Args:
            player: 0 or 1.
            card: name of a shipped card, or one inline.
            at: ``(x, y)`` of each unit (or one spot); None: not deployed, with ``units`` units.
            order: name of its order.
            facing: of its units in radians; None: towards the other edge.
            lost: number of its units already lost.
            columns: further columns of its row (``retreating=1``, ``fired=1``, ...); ``lost_now``: losses of this turn.
        """
        if isinstance(card, str):
            if card not in self.cards:
                raise unknown("<scene>", "card", card, self.cards)
            name, known = card, self.cards[card]
        else:
            name, known = "unit", validate(Card, card, "<scene>")
        spots: list[Any] = [] if at is None else list(at)
        if spots and isinstance(spots[0], int | float):
            spots = [spots]
        count = units or len(spots) + lost
        turned = facing if facing is not None else (pi / 2 if player == 0 else -pi / 2)
        if order is not None and order not in self.rules.orders:
            raise unknown("<scene>", "order", order, self.rules.orders)
        columns["order"] = 0 if order is None else list(self.rules.orders).index(order) + 1
        cards = [(name, known)] * count
        side = self.sides[player]
        handle = FormationHandle(self, player, len(side), cards, spots, turned, lost if at is not None else -1, columns)
        side.append(handle)
        return handle

    def area(self, kind: str, x0: float, y0: float, x1: float, y1: float) -> None:
        """Add terrain of a kind on a rectangle."""
        self.features.append({"kind": kind, "polygon": [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]})

    def feature(self, kind: str, polygon: Sequence[Spot]) -> None:
        """Add terrain of a kind on a polygon."""
        self.features.append({"kind": kind, "polygon": [tuple(map(float, point)) for point in polygon]})

    def objective(self, x: float, y: float) -> int:
        """Add an objective; returns its row."""
        self.objectives.append((float(x), float(y)))
        return len(self.objectives) - 1

    def battle(
        self,
        phase: str | None = "movement",
        *,
        turn: int = 1,
        initiative: int = 0,
        dice: Sequence[int] = (),
        detail: str = "squad",
        seed: int = 0,
        delegates: Mapping[str, Delegate] | None = None,
        set_state: Callable[[Battle], None] | None = None,
        run: bool = True,
    ) -> Battle:
        """The battle, waiting for its first decision.

        Args:
            phase: ``deployment``, ``orders``, ``movement``, ``fire``, ``assault``, ``rally`` or ``end`` of ``turn``.
            initiative: the player that has it until the next draw.
            dice: scripted dice and draws from the cup (``A``, ``B``), used up before random ones.
            set_state: called with the battle before it runs.
            run: False leaves the battle standing before the phase begins.
        """
        polygons = [{**f, "polygon": [[float(x), float(y)] for x, y in f["polygon"]]} for f in self.features]
        table = {"name": "scene", "features": polygons, "objectives": [list(point) for point in self.objectives]}
        battlefield = validate(Battlefield, table, "<scene>")
        armies = tuple(
            [Formation(f"{handle.cards[0][0]}s {handle.player}{handle.number}", handle.cards) for handle in side]
            for side in self.sides
        )
        setup = compile_plan(
            Plan(
                size=self.size,
                armies=(armies[0], armies[1]),
                strategic=self.strategic,
                morale=self.morale,
                rules=self.rules,
                features=placed(battlefield, self.rules),
                objectives=self.objectives,
                detail=detail,
                delegates=delegates or {},
                script=SCRIPT_ROOM,
                source=f"scene:{self.size}",
            )
        )
        battle = object.__new__(Battle)
        battle._bind(setup, setup.template.copy(), record=True)
        battle._seed(seed)
        script(battle, dice)
        setup.ruleset.enter(battle, phase or "movement", initiative, turn)
        for side in self.sides:
            for handle in side:
                self._place(battle, handle)
        refresh_contacts(battle)
        if set_state is not None:
            set_state(battle)
        if run:
            battle.run()
        return battle

    def _place(self, battle: Battle, handle: FormationHandle) -> None:
        m, u, row = battle.models, battle.units, handle.row
        for column, value in handle.columns.items():
            getattr(battle.units, "lost" if column == "lost_now" else column)[row] = int(value)
        if handle.lost < 0:
            return
        u.place[row] = ON_TABLE if handle.spots else DESTROYED
        u.alive[row] = len(handle.spots)
        for n in range(len(handle.cards)):
            k = handle.model(n)
            m.facing[k] = handle.facing
            if n >= len(handle.spots):
                m.alive[k] = m.wounds[k] = 0
                continue
            x, y = (float(value) for value in handle.spots[n][:2])
            for other in range(len(m.x)):
                if m.on_table[other] and hypot(m.x[other] - x, m.y[other] - y) < m.radius[other] + m.radius[k] - SLACK:
                    expected = "no overlap with another base"
                    raise ContentError("<scene>", f"formations[{row}].at[{n}]", (x, y), expected, "overlaps")
            m.x[k], m.y[k], m.on_table[k] = x, y, 1


# ---------------------------------------------------------------- playing a scene


def may_move(battle: Battle, formation: FormationHandle, dx: float, dy: float, unit: int = ALL) -> bool:
    """Whether displacement (dx, dy), in cm, is a legal move of the formation, or of its ``unit``-th unit alone."""
    only, row, statics = formation.model(unit) if unit >= 0 else ALL, formation.row, battle.setup.statics
    if only >= 0 and not can_go(battle.models.rows, only, row):
        return dx == dy == 0.0
    reach, legal = allowance_of(battle, row, only), np.zeros(1, np.bool_)
    battle.work.call(
        move_mask,
        battle.models.rows, battle.units.rows, statics["ground"], battle.setup.corners, statics["numbers"], row, only,
        dx, dy, 0.0, 1, reach, clearance(battle), way_of(battle, row), battle.work.marks, battle.work.nodes, legal,
    )  # fmt: skip
    return bool(legal[0]) and hypot(dx, dy) <= reach + EPS


def move_by(battle: Battle, dx: float, dy: float, unit: int = ALL) -> tuple[float, float]:
    """Answer a waiting move decision with the cell nearest to displacement (dx, dy), in cm.

    A refining decision is answered too. ``unit``: row of the unit that is moved alone. Returns the chosen displacement.
    """
    decision, grid = battle.decision, battle.setup.space.grid
    assert decision is not None
    formation = decision.subject
    cell = cell_nearest(battle, dx, dy, allowance_of(battle, formation, unit))
    x, y = displacement(battle, formation, cell, unit)
    step = 2.0 * allowance_of(battle, formation, unit) / (grid - 1) / (grid - 1)
    choose(battle, "cell", cell)
    if battle.decision is not None and battle.decision.kind.endswith(("refine", "refine-unit")):
        column, row = round((dx - x) / step) + grid // 2, round((dy - y) / step) + grid // 2
        choose(battle, "cell", row * grid + column)
        return x + (column - grid // 2) * step, y + (row - grid // 2) * step
    return x, y


def place_of(battle: Battle, model: int) -> tuple[float, float]:
    """(x, y) of a unit, in cm."""
    return battle.models.x[model], battle.models.y[model]


def fire_at(battle: Battle, formation: FormationHandle, *targets: FormationHandle) -> None:
    """Let a formation fire at formations in turn, then end its fire."""
    choose(battle, "own", formation.number)
    for target in targets:
        choose(battle, "enemy", target.number)
    if battle.decision is not None and battle.decision.kind == "fire-at" and battle.decision.subject == formation.row:
        choose(battle, "done")
