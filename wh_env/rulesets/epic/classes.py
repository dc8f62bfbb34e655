"""The procedures and decision kinds of the Epic-scale game, each in the order of its numbers. New ones go to the
end.
"""

from __future__ import annotations

from wh_env.core.class_lists import listed_classes

PROCEDURES, KINDS = listed_classes(
    ("wh_env.rulesets.epic",),
    procedures="""
    Deployment DeployFormation Turns OrderPhase MovementPhase Moves MoveFormation PlanUnits Walk
    Reactions FirePhase Fire AssaultPhase AssaultMoves AssaultFormation Combats Combat RallyPhase
    BreakTests Rallying
    """,
    kinds="""
    SelectToDeploy DeployTo DeployRefine DeployUnit DeployUnitTo DeployUnitRefine GiveOrder
    WhoMovesFirst SelectToMove MoveTo MoveRefine SelectUnit PlaceUnit RefineUnit EngageUnit WayRound
    Facing React SelectToFire FireAt FireAtUnit RerollOnes WhoAssaultsFirst SelectToAssault
    AssaultTo AssaultRefine PairOff JoinCombat NextCombat NextOpponent SelectToTest SelectToRally
    """,
)
