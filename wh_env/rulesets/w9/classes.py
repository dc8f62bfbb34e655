"""The procedures and decision kinds of the 9th edition, each in the order of its numbers. New ones go to the end."""

from __future__ import annotations

from wh_env.core.class_lists import listed_classes

PROCEDURES, KINDS = listed_classes(
    ("wh_env.rulesets.w9", "wh_env.rulesets.w40k"),
    procedures="""
    MissionSequence PlaceMarkers Deployment AfterDeployment DeployUnit PreBattle Formations
    PlaceModels BattleRounds Turn EndOfTurn MoralePhase DueRules CommandPhase MovementPhase
    ChooseMove MoveRoll LeaderMoveRoll AdvanceRoll MoveUnit MoveModels FallBack Reinforcements
    Arrive ShootingPhase Shoot Attacks MortalWounds Demises ChargePhase Charge ChargeRoll ChargeMove
    FightPhase Fight CloseMoves splitting.MeleeWeapons AttacksRoll Unresolved DiceRoll FailedTest
    DieWindow AircraftMove Window Disembark ArrivedTransport wreck_losses.Wreck PlaceTerrain
    Boarding Counting WhileWeStand Redeploy Redeployed MoveAsIf Morale MoraleTest
    HeroicInterventions HeroicIntervention Overwatch Breakout PsychicPhase Psyker Manifest
    PsychicTest DenyTest Perils PsykerExplodes LearnPowers PowersEnd PhaseEnds RepositionOne
    Reposition Defend ReturnModels SplitUnit AtTheStart SufferBelow RollOff
    """,
    kinds="""
    PlaceMarker PlaceMarkerExactly SelectToDeploy DeployBy DeployTo PreBattleChoice EmbarkIn
    ReserveChoice PlaceFacing PlaceLevel PlaceModel PlaceExactly PlaceTogether CoherencyRemoval
    DueOrder SelectToMove MoveKind MoveTo MoveLevel SelectModel ModelFacing ModelLevel ModelTo
    ModelRefine FallBackTo SelectReserves ArriveBy ArriveAt SelectToShoot ShootTarget WeaponTarget
    TargetOrder ProfileOrder Allocate SaveChoice FeelNoPainChoice RerollWound DemiseUnit DemiseOrder
    SelectToCharge ChargeTarget SelectToFight PileIn FightTarget Consolidate NextToClose CloseTo
    MeleeWeapon ExtraWeapon AttackTarget Resolution Reroll CommandReroll CommandRerollTest RerollDie
    CommandRerollDie AircraftDistance AircraftExactly AircraftPivot AircraftPivotExactly Embark
    DisembarkAt SelectToDisembark WreckOrder LeftInWreck SelectFeature TurnFeature PlaceFeature
    PlaceFeatureExactly EmbarkModel ChooseZone CountFor StandAndFight SelectToRedeploy RedeployTo
    WreckLoss SelectToTest FleeingModel SelectToIntervene FireOverwatch CounterOffensive
    InsaneBravery CutThemDown DesperateBreakout BreakoutLoss BreakoutTo EmergencyDisembarkation
    SelectPsyker SelectPower PowerTarget Deny ClosestUnit SelectDiscipline LearnPower StartAction
    SelectToReposition RepositionAt HowToDefend SplitModel UseAtTheStart FactionStratagem1
    FactionStratagem2 FactionStratagem3 FactionStratagem4 MovedOver
    """,
)
