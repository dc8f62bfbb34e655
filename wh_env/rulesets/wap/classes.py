"""The procedures and decision kinds of the game, each in the order of its numbers: what is new goes to the end."""

from __future__ import annotations

from wh_env.core.procedures import DecisionKind, Procedure
from wh_env.rulesets.wap.basics.casualties import Casualties, LossEnd
from wh_env.rulesets.wap.battle.deployment import (
    ChooseSide,
    DeployFacing,
    DeployFiles,
    Deployment,
    DeployRefine,
    DeployTo,
    DeployUnit,
    Drop,
)
from wh_env.rulesets.wap.battle.turns import Turns
from wh_env.rulesets.wap.compulsory.compulsory import Compulsory
from wh_env.rulesets.wap.movement.movement import Movement
from wh_env.rulesets.wap.movement.other_moves import LegLength, Manoeuvre, MoveUnit, OtherMoves, SelectToMove

PROCEDURES: tuple[type[Procedure], ...] = (
    Deployment,
    Drop,
    Turns,
    Movement,
    Compulsory,
    OtherMoves,
    MoveUnit,
    Casualties,
)

KINDS: tuple[type[DecisionKind], ...] = (
    ChooseSide,
    DeployUnit,
    DeployFiles,
    DeployFacing,
    DeployTo,
    DeployRefine,
    SelectToMove,
    Manoeuvre,
    LegLength,
    LossEnd,
)
