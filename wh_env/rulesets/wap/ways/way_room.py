"""Scratch memory for the ways of one unit; see ``ways``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from wh_env.core.geometry.detours import detour_room
from wh_env.core.geometry.near import NEAR, Way
from wh_env.core.geometry.ranks import BODY, rearranging_room
from wh_env.core.setup import Setup
from wh_env.core.tables import Array
from wh_env.rulesets.wap.codes import DANGEROUS, SHRINE

ROUND = 24  # corners of an obstacle that stands for a disc


def most_places(units: Array, characters: Sequence[bool]) -> int:
    """Places in the largest block of a battle: the models of a unit, and the places that the bases of all characters of
    its army would take in it. ``characters``: by unit row, whether it may join others.
    """
    found = 1
    for unit in units:
        more = 0
        for character, is_one in zip(units, characters, strict=True):
            if is_one and character["owner"] == unit["owner"]:
                wide, deep = (round(float(character[side] / unit[side])) for side in ("base_b", "base_a"))
                more += max(1, wide) * max(1, deep)
        found = max(found, int(unit["count"]) + more)
    return found


class ReformRoom(NamedTuple):
    """Scratch memory for reforms.

    Attributes:
        body: the rectangles of the unit in its new formation.
        old, new: float64, shape (models, 2): places of models in inches. links, work: which may go to which.
    """

    body: Array
    old: Array
    new: Array
    links: Array
    work: Array


class WayRoom:
    """Arrays that the kernels of ``ways`` write. Their contents last for one decision only.

    Attributes:
        near, points, body: the obstacles near the unit, and the rectangles of the unit.
        empty: the same in one piece, without an obstacle yet.
        other: the rectangles of the unit in a new formation.
        slots, ends: bool, one for each number, and for half of them.
        facings: bool, one for each angle and one for the present facing.
        codes: the outcomes of pivots to these facings.
        costs, turns: of the cells, in inches and radians.
        window: first place and steps of a grid.
        free: cells, costs and turns on an empty table.
        spots, ring, marks: room for ways round obstacles.
        dangerous: whether the table has dangerous terrain.
        found: rows of ``near``.
        old, new, links, work: room for reforms; reforming: the same with ``other``, in one piece.
    """

    __slots__ = (
        "body",
        "cells",
        "codes",
        "costs",
        "dangerous",
        "empty",
        "ends",
        "facings",
        "found",
        "free",
        "links",
        "marks",
        "near",
        "new",
        "old",
        "other",
        "points",
        "reforming",
        "ring",
        "slots",
        "spots",
        "turns",
        "window",
        "work",
    )  # fmt: skip

    def __init__(self, setup: Setup) -> None:
        space, ground, template = setup.space, setup.statics["ground"], setup.template
        units = setup.layout.view(template, "units")
        # on ground that lifts them, models hide others one by one (``basics.sight``)
        bases = len(setup.layout.view(template, "models")) if setup.statics["standing"] is not None else 0
        # what lies beside the crossings of a river is more pieces than the river (``movement.fording``)
        banks = sum(max((len(pieces) for _, pieces in item.fords), default=0) for item in setup.statics["features"])
        rows = len(setup.layout.view(template, "parts")) + len(ground) + bases + banks
        joins = [
            bool(own or unit["drives"] or unit["kind"] == SHRINE)
            for unit, own in zip(units, setup.statics["characters"], strict=True)
        ]
        most = most_places(units, joins)
        self.dangerous = bool((setup.statics["ground"]["passage"] == DANGEROUS).any())
        round_ones = len(setup.layout.view(template, "omens"))
        self.near = np.zeros(max(1, rows + round_ones), NEAR)
        self.points = np.zeros((4 * max(1, rows) + ROUND * round_ones + len(setup.corners), 2))
        self.body, self.other = np.zeros((BODY, BODY)), np.zeros((BODY, BODY))
        self.slots, self.ends = np.zeros(space.numbers, np.bool_), np.zeros(space.numbers // 2 - 1, np.bool_)
        self.facings = np.zeros(space.angles + 1, np.bool_)
        self.codes = np.zeros(space.angles + 1, np.int64)
        self.cells = np.zeros(space.grid**2, np.bool_)
        self.costs, self.turns = np.zeros(space.grid**2), np.zeros(space.grid**2)
        self.free = np.zeros(space.grid**2, np.bool_), np.zeros(space.grid**2), np.zeros(space.grid**2)
        self.spots, self.ring, self.marks = detour_room(rows, len(self.points))
        self.window, self.found = np.zeros(4), np.zeros(max(1, rows), np.int64)
        self.old, self.new = np.zeros((most, 2)), np.zeros((most, 2))
        self.links, self.work = rearranging_room(most)
        self.empty = Way(self.near, self.points, 0, self.body, 0)
        self.reforming = ReformRoom(self.other, self.old, self.new, self.links, self.work)
