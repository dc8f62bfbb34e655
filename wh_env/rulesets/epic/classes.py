"""The procedures and decision kinds of the Epic-scale game, each in the order of its numbers: what is new goes to the end."""

from __future__ import annotations

from wh_env.core.procedures import DecisionKind, Procedure
from wh_env.rulesets.epic.assault.combat import Combat, Combats, JoinCombat, NextCombat, NextOpponent, PairOff
from wh_env.rulesets.epic.assault.phase import (
    AssaultFormation,
    AssaultMoves,
    AssaultPhase,
    AssaultRefine,
    AssaultTo,
    SelectToAssault,
    WhoAssaultsFirst,
)
from wh_env.rulesets.epic.deploy.deployment import (
    DeployFormation,
    Deployment,
    DeployRefine,
    DeployTo,
    DeployUnit,
    DeployUnitRefine,
    DeployUnitTo,
    SelectToDeploy,
)
from wh_env.rulesets.epic.fire.overwatch import React, Reactions
from wh_env.rulesets.epic.fire.phase import Fire, FireAt, FireAtUnit, FirePhase, RerollOnes, SelectToFire
from wh_env.rulesets.epic.move.phase import (
    MoveFormation,
    MovementPhase,
    MoveRefine,
    Moves,
    MoveTo,
    SelectToMove,
    WhoMovesFirst,
)
from wh_env.rulesets.epic.move.unit_plans import EngageUnit, PlaceUnit, PlanUnits, RefineUnit, SelectUnit
from wh_env.rulesets.epic.move.walk import Facing, Walk, WayRound
from wh_env.rulesets.epic.orders.phase import GiveOrder, OrderPhase
from wh_env.rulesets.epic.rally.phase import BreakTests, Rallying, RallyPhase, SelectToRally, SelectToTest
from wh_env.rulesets.epic.sequence.turns import Turns

PROCEDURES: tuple[type[Procedure], ...] = (
    Deployment,
    DeployFormation,
    Turns,
    OrderPhase,
    MovementPhase,
    Moves,
    MoveFormation,
    PlanUnits,
    Walk,
    Reactions,
    FirePhase,
    Fire,
    AssaultPhase,
    AssaultMoves,
    AssaultFormation,
    Combats,
    Combat,
    RallyPhase,
    BreakTests,
    Rallying,
)

KINDS: tuple[type[DecisionKind], ...] = (
    SelectToDeploy,
    DeployTo,
    DeployRefine,
    DeployUnit,
    DeployUnitTo,
    DeployUnitRefine,
    GiveOrder,
    WhoMovesFirst,
    SelectToMove,
    MoveTo,
    MoveRefine,
    SelectUnit,
    PlaceUnit,
    RefineUnit,
    EngageUnit,
    WayRound,
    Facing,
    React,
    SelectToFire,
    FireAt,
    FireAtUnit,
    RerollOnes,
    WhoAssaultsFirst,
    SelectToAssault,
    AssaultTo,
    AssaultRefine,
    PairOff,
    JoinCombat,
    NextCombat,
    NextOpponent,
    SelectToTest,
    SelectToRally,
)
