"""The procedures and decision kinds of the 10th edition, each in the order of its numbers: what is new goes to the end."""

from __future__ import annotations

from wh_env.core.procedures import DecisionKind, Procedure
from wh_env.rulesets.w10.ability.occasions import Leech
from wh_env.rulesets.w10.charge.phase import ChargeMove
from wh_env.rulesets.w10.command.leadership import LeadershipTest
from wh_env.rulesets.w10.command.phase import BattleShock, BattleShockTest, CommandPhase, ShockedByAll, ShockOrder
from wh_env.rulesets.w10.deploy.mission import MissionSequence
from wh_env.rulesets.w10.deploy.scouts import ScoutMove, Scouts, SelectScouts
from wh_env.rulesets.w10.fight.phase import Fight, FightPhase
from wh_env.rulesets.w10.shoot.phase import SelectToShoot, ShootingPhase
from wh_env.rulesets.w10.stratagems.effects import (
    EpicChallenge,
    GoToGround,
    Grenade,
    GrenadeTarget,
    InsaneBravery,
    Ram,
    Smokescreen,
    TankShock,
    TankShockOrder,
    TankShockTarget,
    TankShockWeapon,
    Throw,
)
from wh_env.rulesets.w10.stratagems.reactions import (
    CounterOffensive,
    FireOverwatch,
    HeroicIntervention,
    RapidIngress,
)
from wh_env.rulesets.w10.transport.firing_deck import FiringDeck, FiringDeckModel, FiringDeckWeapon
from wh_env.rulesets.w40k.ability.choices import Choosing, UseAbility
from wh_env.rulesets.w40k.ability.moves import ExtraMove, ExtraMoveTo
from wh_env.rulesets.w40k.attack.casualties import DemiseOrder, Demises, DemiseUnit, MortalWounds
from wh_env.rulesets.w40k.attack.decisions import Allocate, FeelNoPainChoice, PrecisionChoice, RerollWound, SaveChoice
from wh_env.rulesets.w40k.attack.die_windows import CommandRerollDie, DieWindow, RerollDie
from wh_env.rulesets.w40k.attack.making import Attacks, HazardousModel, ProfileOrder, TargetOrder
from wh_env.rulesets.w40k.attack.rerolls import (
    CommandReroll,
    CommandRerollTest,
    DiceRoll,
    FailedTest,
    Reroll,
)
from wh_env.rulesets.w40k.charge.phase import Charge, ChargePhase, ChargeRoll, ChargeTarget, SelectToCharge
from wh_env.rulesets.w40k.deploy.battlefield import (
    PlaceFeature,
    PlaceFeatureExactly,
    PlaceTerrain,
    SelectFeature,
    TurnFeature,
)
from wh_env.rulesets.w40k.deploy.deployment import (
    AfterDeployment,
    DeployBy,
    Deployment,
    DeployTo,
    DeployUnit,
    SelectToDeploy,
)
from wh_env.rulesets.w40k.deploy.formations import AttachTo, EmbarkIn, Formations, HoverMode, ReserveChoice
from wh_env.rulesets.w40k.deploy.markers import PlaceMarker, PlaceMarkerExactly, PlaceMarkers
from wh_env.rulesets.w40k.deploy.pre_battle import PreBattle, PreBattleChoice
from wh_env.rulesets.w40k.deploy.setting_up import (
    PlaceExactly,
    PlaceFacing,
    PlaceLevel,
    PlaceModel,
    PlaceModels,
    PlaceTogether,
)
from wh_env.rulesets.w40k.fight.close_order import CloseMoves, CloseTo, NextToClose
from wh_env.rulesets.w40k.fight.phase import Consolidate, FightTarget, PileIn, SelectToFight
from wh_env.rulesets.w40k.fight.weapons import AttacksRoll, AttackTarget, ExtraWeapon, MeleeWeapon, MeleeWeapons
from wh_env.rulesets.w40k.move.aircraft import (
    AircraftDistance,
    AircraftExactly,
    AircraftMove,
    AircraftPivot,
    AircraftPivotExactly,
)
from wh_env.rulesets.w40k.move.fall_back import EscapeLoss, FallBack, FallBackOver, FallBackTo
from wh_env.rulesets.w40k.move.model_moves import ModelFacing, ModelLevel, ModelRefine, ModelTo, MoveModels, SelectModel
from wh_env.rulesets.w40k.move.phase import (
    AdvanceRoll,
    ChooseMove,
    LeaderMoveRoll,
    MoveKind,
    MovementPhase,
    MoveRoll,
    SelectToMove,
)
from wh_env.rulesets.w40k.move.reinforcements import Arrive, ArriveAt, ArriveBy, Reinforcements, SelectReserves
from wh_env.rulesets.w40k.move.unit_moves import MoveLevel, MoveTo, MoveUnit
from wh_env.rulesets.w40k.reaction.windows import Window
from wh_env.rulesets.w40k.sequence.disputes import Resolution, Unresolved
from wh_env.rulesets.w40k.sequence.rolloff import RollOff
from wh_env.rulesets.w40k.sequence.sequencing import DueOrder, DueRules
from wh_env.rulesets.w40k.sequence.turns import BattleRounds, CoherencyRemoval, EndOfTurn, Turn
from wh_env.rulesets.w40k.shoot.phase import Shoot, ShootTarget, WeaponTarget
from wh_env.rulesets.w40k.shoot.snap import Overwatch
from wh_env.rulesets.w40k.transport.hulls import Boarding, EmbarkModel
from wh_env.rulesets.w40k.transport.losses import LeftInWreck, Wreck, WreckOrder
from wh_env.rulesets.w40k.transport.transports import (
    ArrivedTransport,
    Disembark,
    DisembarkAt,
    Embark,
    SelectToDisembark,
)

PROCEDURES: tuple[type[Procedure], ...] = (
    MissionSequence,
    PlaceMarkers,
    Deployment,
    AfterDeployment,
    DeployUnit,
    PreBattle,
    Formations,
    PlaceModels,
    Scouts,
    BattleRounds,
    Turn,
    EndOfTurn,
    DueRules,
    CommandPhase,
    BattleShock,
    BattleShockTest,
    MovementPhase,
    ChooseMove,
    MoveRoll,
    LeaderMoveRoll,
    AdvanceRoll,
    MoveUnit,
    MoveModels,
    FallBack,
    Reinforcements,
    Arrive,
    ShootingPhase,
    Shoot,
    Attacks,
    MortalWounds,
    Demises,
    ChargePhase,
    Charge,
    ChargeRoll,
    ChargeMove,
    FightPhase,
    Fight,
    CloseMoves,
    MeleeWeapons,
    AttacksRoll,
    Unresolved,
    DiceRoll,
    FailedTest,
    DieWindow,
    AircraftMove,
    LeadershipTest,
    Window,
    Throw,
    Ram,
    Overwatch,
    Disembark,
    ArrivedTransport,
    Wreck,
    FiringDeck,
    PlaceTerrain,
    Boarding,
    Choosing,
    ExtraMove,
    ShockedByAll,
    RollOff,
    Leech,
)

KINDS: tuple[type[DecisionKind], ...] = (
    PlaceMarker,
    PlaceMarkerExactly,
    SelectToDeploy,
    DeployBy,
    DeployTo,
    PreBattleChoice,
    HoverMode,
    AttachTo,
    EmbarkIn,
    ReserveChoice,
    PlaceFacing,
    PlaceLevel,
    PlaceModel,
    PlaceExactly,
    PlaceTogether,
    SelectScouts,
    ScoutMove,
    CoherencyRemoval,
    DueOrder,
    ShockOrder,
    SelectToMove,
    MoveKind,
    MoveTo,
    MoveLevel,
    SelectModel,
    ModelFacing,
    ModelLevel,
    ModelTo,
    ModelRefine,
    FallBackTo,
    FallBackOver,
    EscapeLoss,
    SelectReserves,
    ArriveBy,
    ArriveAt,
    SelectToShoot,
    ShootTarget,
    WeaponTarget,
    TargetOrder,
    ProfileOrder,
    HazardousModel,
    Allocate,
    PrecisionChoice,
    SaveChoice,
    FeelNoPainChoice,
    RerollWound,
    DemiseUnit,
    DemiseOrder,
    SelectToCharge,
    ChargeTarget,
    SelectToFight,
    PileIn,
    FightTarget,
    Consolidate,
    NextToClose,
    CloseTo,
    MeleeWeapon,
    ExtraWeapon,
    AttackTarget,
    Resolution,
    Reroll,
    CommandReroll,
    CommandRerollTest,
    RerollDie,
    CommandRerollDie,
    AircraftDistance,
    AircraftExactly,
    AircraftPivot,
    AircraftPivotExactly,
    InsaneBravery,
    GoToGround,
    Smokescreen,
    Grenade,
    GrenadeTarget,
    TankShock,
    TankShockTarget,
    TankShockWeapon,
    TankShockOrder,
    EpicChallenge,
    FireOverwatch,
    RapidIngress,
    HeroicIntervention,
    CounterOffensive,
    Embark,
    DisembarkAt,
    SelectToDisembark,
    WreckOrder,
    LeftInWreck,
    FiringDeckModel,
    FiringDeckWeapon,
    SelectFeature,
    TurnFeature,
    PlaceFeature,
    PlaceFeatureExactly,
    EmbarkModel,
    UseAbility,
    ExtraMoveTo,
)
