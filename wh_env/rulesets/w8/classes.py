"""The procedures and decision kinds of the 8th edition, each in the order of its numbers. New ones go to the end."""

from __future__ import annotations

from wh_env.core.class_lists import listed_classes

PROCEDURES, KINDS = listed_classes(
    ("wh_env.rulesets.w8", "wh_env.rulesets.w40k"),
    procedures="""
    MissionSequence PlaceMarkers Deployment AfterDeployment DeployUnit PreBattle Formations
    PlaceModels BattleRounds Turn MoralePhase DueRules MovementPhase ChooseMove MoveRoll AdvanceRoll
    MoveUnit MoveModels FallBack Reinforcements Arrive ShootingPhase Shoot Attacks MortalWounds
    Demises ChargePhase Charge ChargeRoll ChargeMove FightPhase Fight CloseMoves
    splitting.MeleeWeapons AttacksRoll Unresolved DiceRoll FailedTest DieWindow AircraftMove Window
    Disembark wreck_losses.Wreck PlaceTerrain Boarding Morale MoraleTest HeroicInterventions
    Intervention PsychicPhase Psyker Manifest PsychicTest DenyTest Perils PsykerExplodes ScoreTurn
    Nominate DetermineTrait LearnPowers Answers Overwatch Afflicting AfflictionRoll AfflictionWounds
    DemiseRoll DemiseWounds PerilsRoll ResistRoll BeyondLeadership PowerRoll WreckRoll RepairRoll
    SlayRoll RollOff RollOffDie Crash
    """,
    kinds="""
    PlaceMarker PlaceMarkerExactly SelectToDeploy DeployBy DeployTo PreBattleChoice EmbarkIn
    ReserveChoice PlaceFacing PlaceLevel PlaceModel PlaceExactly PlaceTogether DueOrder SelectToMove
    MoveKind MoveTo MoveLevel SelectModel ModelFacing ModelLevel ModelTo ModelRefine FallBackTo
    SelectReserves ArriveBy ArriveAt SelectToShoot ShootTarget WeaponTarget TargetOrder ProfileOrder
    Allocate SaveChoice RerollWound DemiseUnit DemiseOrder SelectToCharge ChargeTarget SelectToFight
    PileIn FightTarget Consolidate NextToClose CloseTo MeleeWeapon ExtraWeapon AttackTarget
    Resolution Reroll CommandReroll CommandRerollTest RerollDie CommandRerollDie AircraftDistance
    AircraftExactly AircraftPivot AircraftPivotExactly Embark DisembarkAt WreckOrder LeftInWreck
    SelectFeature TurnFeature PlaceFeature PlaceFeatureExactly EmbarkModel SelectToTest FleeingModel
    SelectToIntervene SelectPsyker SelectPower PowerTarget Deny ClosestUnit DivideBattlefield
    ChooseHalf FirstTurn NominateUnit NominateModel WarlordTrait WreckLoss SelectDiscipline
    LearnPower FireNext ChargeOrStay AfflictedUnit
    """,
)
