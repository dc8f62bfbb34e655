"""Scratch memory of a battle: the arrays besides the state that kernels write to."""

from __future__ import annotations

import numpy as np

from wh_env.core.calls import Calls
from wh_env.core.setup import Setup
from wh_env.rulesets.wap.basics.sight import SightRoom
from wh_env.rulesets.wap.charge.charge_moves import ChargeRoom
from wh_env.rulesets.wap.charge.known_aims import KnownAims
from wh_env.rulesets.wap.combat.fighters import StrikeRoom
from wh_env.rulesets.wap.fleeing.flight_ways import FlightRoom
from wh_env.rulesets.wap.shooting.spots import SpotRoom
from wh_env.rulesets.wap.tables import PART, PARTS
from wh_env.rulesets.wap.ways.way_room import WayRoom


class Workspace(Calls):
    """The scratch arrays of one battle. Nothing in them outlives the call that wrote it.

    Attributes:
        block: rows of ``PART``, for a block at a place where its unit does not stand yet.
        cells: bool, one for each cell of the grid.
        ways: room to work out the moves of a unit. flights: the same for its flights, sights: for lines of sight,
            charges: for its charge moves, strikes: for a round of close combat, spots: to
            aim war machines.
        aims: charges that are known to be possible.
        near: bool, one for each unit: those that a spell may be cast on by side, range and front arc.
        reach: bool, shape (units, units): whether the first unit is near enough to charge the second one.
    """

    __slots__ = ("aims", "block", "cells", "charges", "flights", "near", "reach", "sights", "spots", "strikes", "ways")

    def __init__(self, setup: Setup) -> None:
        super().__init__()
        self.block = np.zeros(PARTS, PART)
        self.ways = WayRoom(setup)
        self.flights = FlightRoom(setup)
        self.sights = SightRoom(setup, self.ways.near, self.ways.points)
        self.charges = ChargeRoom(setup)
        self.spots = SpotRoom(setup)
        self.strikes = StrikeRoom(len(setup.layout.view(setup.template, "models")))
        self.aims = KnownAims()
        units = len(setup.layout.view(setup.template, "units"))
        self.reach = np.zeros((units, units), np.bool_)
        self.near = np.zeros(units, np.bool_)
        self.cells = np.zeros(setup.space.grid**2, np.bool_)
