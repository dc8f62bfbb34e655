"""The procedures and decision kinds of the 10th edition, each in the order of its numbers. New ones go to the end."""

from __future__ import annotations

from wh_env.core.class_lists import listed_classes

PROCEDURES, KINDS = listed_classes(
    ("wh_env.rulesets.w10", "wh_env.rulesets.w40k"),
    procedures="""
    MissionSequence PlaceMarkers Deployment AfterDeployment DeployUnit PreBattle Formations
    PlaceModels Scouts BattleRounds Turn EndOfTurn DueRules CommandPhase BattleShock BattleShockTest
    MovementPhase ChooseMove MoveRoll LeaderMoveRoll AdvanceRoll MoveUnit MoveModels FallBack
    Reinforcements Arrive ShootingPhase Shoot Attacks MortalWounds Demises phase.ChargePhase
    phase.Charge ChargeRoll ChargeMove FightPhase Fight CloseMoves weapons.MeleeWeapons AttacksRoll
    Unresolved DiceRoll FailedTest DieWindow AircraftMove LeadershipTest Window Throw Ram Overwatch
    Disembark ArrivedTransport losses.Wreck FiringDeck PlaceTerrain Boarding Choosing ExtraMove
    ShockedByAll RollOff Leech
    """,
    kinds="""
    PlaceMarker PlaceMarkerExactly SelectToDeploy DeployBy DeployTo PreBattleChoice HoverMode
    AttachTo EmbarkIn ReserveChoice PlaceFacing PlaceLevel PlaceModel PlaceExactly PlaceTogether
    SelectScouts ScoutMove CoherencyRemoval DueOrder ShockOrder SelectToMove MoveKind MoveTo
    MoveLevel SelectModel ModelFacing ModelLevel ModelTo ModelRefine FallBackTo FallBackOver
    EscapeLoss SelectReserves ArriveBy ArriveAt SelectToShoot ShootTarget WeaponTarget TargetOrder
    ProfileOrder HazardousModel Allocate PrecisionChoice SaveChoice FeelNoPainChoice RerollWound
    DemiseUnit DemiseOrder SelectToCharge ChargeTarget SelectToFight PileIn FightTarget Consolidate
    NextToClose CloseTo MeleeWeapon ExtraWeapon AttackTarget Resolution Reroll CommandReroll
    CommandRerollTest RerollDie CommandRerollDie AircraftDistance AircraftExactly AircraftPivot
    AircraftPivotExactly InsaneBravery GoToGround Smokescreen Grenade GrenadeTarget TankShock
    TankShockTarget TankShockWeapon TankShockOrder EpicChallenge FireOverwatch RapidIngress
    HeroicIntervention CounterOffensive Embark DisembarkAt SelectToDisembark WreckOrder LeftInWreck
    FiringDeckModel FiringDeckWeapon SelectFeature TurnFeature PlaceFeature PlaceFeatureExactly
    EmbarkModel UseAbility ExtraMoveTo
    """,
)
