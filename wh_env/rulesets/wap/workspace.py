"""Scratch memory of a battle: what kernels write besides the state."""

from __future__ import annotations

import numpy as np

from wh_env.core.calls import Calls
from wh_env.core.setup import Setup
from wh_env.rulesets.wap.basics.sight import SightRoom
from wh_env.rulesets.wap.charge.charge_moves import ChargeRoom
from wh_env.rulesets.wap.charge.known_aims import KnownAims
from wh_env.rulesets.wap.combat.fighters import StrikeRoom
from wh_env.rulesets.wap.fleeing.flight_ways import FlightRoom
from wh_env.rulesets.wap.tables import PART, PARTS
from wh_env.rulesets.wap.ways.way_room import WayRoom


class Workspace(Calls):
    """What a battle has for itself while it is played; nothing in it outlives the call that wrote it.

    Attributes:
        block: rows of ``PART``, a block where it does not stand yet.
        cells: bool, one for each cell of the grid. ways: what the moves of a unit are worked out in. flights: its flights. sights: lines of sight.
        charges: its charge moves. aims: charges that are known to be possible. reach: bool, unit by unit, whom they are near enough to charge. strikes: a round of close combat.
    """

    __slots__ = ("aims", "block", "cells", "charges", "flights", "reach", "sights", "strikes", "ways")

    def __init__(self, setup: Setup) -> None:
        super().__init__()
        self.block = np.zeros(PARTS, PART)
        self.ways = WayRoom(setup)
        self.flights = FlightRoom(setup)
        self.sights = SightRoom(setup)
        self.charges = ChargeRoom(setup)
        self.strikes = StrikeRoom(len(setup.layout.view(setup.template, "models")))
        self.aims = KnownAims()
        units = len(setup.layout.view(setup.template, "units"))
        self.reach = np.zeros((units, units), np.bool_)
        self.cells = np.zeros(setup.space.grid**2, np.bool_)
