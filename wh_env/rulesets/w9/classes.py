"""The procedures and decision kinds of the 9th edition, each in the order of its numbers: what is new goes to the end."""

from __future__ import annotations

from wh_env.core.procedures import DecisionKind, Procedure
from wh_env.rulesets.w9.actions.moments import PhaseEnds, StartAction
from wh_env.rulesets.w9.charge.defence import Defend, HowToDefend, Overwatch
from wh_env.rulesets.w9.charge.phase import Charge, ChargePhase, ChargeRoll, HeroicIntervention
from wh_env.rulesets.w9.command.phase import CommandPhase
from wh_env.rulesets.w9.deploy.at_the_start import AtTheStart, UseAtTheStart
from wh_env.rulesets.w9.deploy.mission import ChooseZone, MissionSequence
from wh_env.rulesets.w9.deploy.redeploy import Redeploy, Redeployed, RedeployTo, SelectToRedeploy
from wh_env.rulesets.w9.fight.phase import FightPhase
from wh_env.rulesets.w9.mission.stand import StandAndFight, WhileWeStand
from wh_env.rulesets.w9.morale.phase import Morale, MoralePhase
from wh_env.rulesets.w9.move.aircraft import AircraftDistance, AircraftMove, AircraftPivot, MoveKind, MoveUnit
from wh_env.rulesets.w9.move.fall_back import FallBack
from wh_env.rulesets.w9.move.model_moves import MoveModels
from wh_env.rulesets.w9.move.out_of_phase import MoveAsIf
from wh_env.rulesets.w9.move.over import MovedOver, SufferBelow
from wh_env.rulesets.w9.objective.counting import CountFor, Counting
from wh_env.rulesets.w9.psychic.turn_end import PowersEnd
from wh_env.rulesets.w9.rare.repositioned import Reposition, RepositionAt, RepositionOne, SelectToReposition
from wh_env.rulesets.w9.rare.returned import ReturnModels
from wh_env.rulesets.w9.rare.splitting import SplitModel, SplitUnit
from wh_env.rulesets.w9.sequence.rounds import BattleRounds
from wh_env.rulesets.w9.shoot.phase import ShootingPhase, ShootTarget, WeaponTarget
from wh_env.rulesets.w9.stratagems.breakout import Breakout, BreakoutLoss, BreakoutTo, DesperateBreakout
from wh_env.rulesets.w9.stratagems.effects import (
    CounterOffensive,
    CutThemDown,
    EmergencyDisembarkation,
    FireOverwatch,
    InsaneBravery,
)
from wh_env.rulesets.w9.stratagems.factions import (
    FactionStratagem1,
    FactionStratagem2,
    FactionStratagem3,
    FactionStratagem4,
)
from wh_env.rulesets.w9.transport.arriving import ArrivedTransport, Disembark, SelectToDisembark
from wh_env.rulesets.w40k.attack.casualties import DemiseOrder, Demises, DemiseUnit, MortalWounds
from wh_env.rulesets.w40k.attack.decisions import Allocate, FeelNoPainChoice, RerollWound, SaveChoice
from wh_env.rulesets.w40k.attack.die_windows import CommandRerollDie, DieWindow, RerollDie
from wh_env.rulesets.w40k.attack.making import Attacks, ProfileOrder, TargetOrder
from wh_env.rulesets.w40k.attack.rerolls import (
    CommandReroll,
    CommandRerollTest,
    DiceRoll,
    FailedTest,
    Reroll,
)
from wh_env.rulesets.w40k.charge.heroic import HeroicInterventions, SelectToIntervene
from wh_env.rulesets.w40k.charge.phase import ChargeMove, ChargeTarget, SelectToCharge
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
from wh_env.rulesets.w40k.deploy.embark_model import Boarding, EmbarkModel
from wh_env.rulesets.w40k.deploy.formations import EmbarkIn, Formations, ReserveChoice
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
from wh_env.rulesets.w40k.fight.phase import Consolidate, Fight, FightTarget, PileIn, SelectToFight
from wh_env.rulesets.w40k.fight.splitting import MeleeWeapons
from wh_env.rulesets.w40k.fight.weapons import AttacksRoll, AttackTarget, ExtraWeapon, MeleeWeapon
from wh_env.rulesets.w40k.morale.phase import FleeingModel, MoraleTest, SelectToTest
from wh_env.rulesets.w40k.move.aircraft import AircraftExactly, AircraftPivotExactly
from wh_env.rulesets.w40k.move.fall_back import FallBackTo
from wh_env.rulesets.w40k.move.model_moves import ModelFacing, ModelLevel, ModelRefine, ModelTo, SelectModel
from wh_env.rulesets.w40k.move.phase import (
    AdvanceRoll,
    ChooseMove,
    LeaderMoveRoll,
    MovementPhase,
    MoveRoll,
    SelectToMove,
)
from wh_env.rulesets.w40k.move.reinforcements import Arrive, ArriveAt, ArriveBy, Reinforcements, SelectReserves
from wh_env.rulesets.w40k.move.unit_moves import MoveLevel, MoveTo
from wh_env.rulesets.w40k.psychic.learning import LearnPower, LearnPowers, SelectDiscipline
from wh_env.rulesets.w40k.psychic.manifest import ClosestUnit, Deny, DenyTest, Manifest, PsychicTest
from wh_env.rulesets.w40k.psychic.perils import Perils, PsykerExplodes
from wh_env.rulesets.w40k.psychic.phase import PowerTarget, PsychicPhase, Psyker, SelectPower, SelectPsyker
from wh_env.rulesets.w40k.reaction.windows import Window
from wh_env.rulesets.w40k.rounds.turns import CoherencyRemoval, EndOfTurn, Turn
from wh_env.rulesets.w40k.sequence.disputes import Resolution, Unresolved
from wh_env.rulesets.w40k.sequence.rolloff import RollOff
from wh_env.rulesets.w40k.sequence.sequencing import DueOrder, DueRules
from wh_env.rulesets.w40k.shoot.phase import SelectToShoot, Shoot
from wh_env.rulesets.w40k.transport.losses import LeftInWreck, WreckOrder
from wh_env.rulesets.w40k.transport.transports import DisembarkAt, Embark
from wh_env.rulesets.w40k.transport.wreck_losses import Wreck, WreckLoss

PROCEDURES: tuple[type[Procedure], ...] = (
    MissionSequence,
    PlaceMarkers,
    Deployment,
    AfterDeployment,
    DeployUnit,
    PreBattle,
    Formations,
    PlaceModels,
    BattleRounds,
    Turn,
    EndOfTurn,
    MoralePhase,
    DueRules,
    CommandPhase,
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
    Window,
    Disembark,
    ArrivedTransport,
    Wreck,
    PlaceTerrain,
    Boarding,
    Counting,
    WhileWeStand,
    Redeploy,
    Redeployed,
    MoveAsIf,
    Morale,
    MoraleTest,
    HeroicInterventions,
    HeroicIntervention,
    Overwatch,
    Breakout,
    PsychicPhase,
    Psyker,
    Manifest,
    PsychicTest,
    DenyTest,
    Perils,
    PsykerExplodes,
    LearnPowers,
    PowersEnd,
    PhaseEnds,
    RepositionOne,
    Reposition,
    Defend,
    ReturnModels,
    SplitUnit,
    AtTheStart,
    SufferBelow,
    RollOff,
)

KINDS: tuple[type[DecisionKind], ...] = (
    PlaceMarker,
    PlaceMarkerExactly,
    SelectToDeploy,
    DeployBy,
    DeployTo,
    PreBattleChoice,
    EmbarkIn,
    ReserveChoice,
    PlaceFacing,
    PlaceLevel,
    PlaceModel,
    PlaceExactly,
    PlaceTogether,
    CoherencyRemoval,
    DueOrder,
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
    SelectReserves,
    ArriveBy,
    ArriveAt,
    SelectToShoot,
    ShootTarget,
    WeaponTarget,
    TargetOrder,
    ProfileOrder,
    Allocate,
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
    Embark,
    DisembarkAt,
    SelectToDisembark,
    WreckOrder,
    LeftInWreck,
    SelectFeature,
    TurnFeature,
    PlaceFeature,
    PlaceFeatureExactly,
    EmbarkModel,
    ChooseZone,
    CountFor,
    StandAndFight,
    SelectToRedeploy,
    RedeployTo,
    WreckLoss,
    SelectToTest,
    FleeingModel,
    SelectToIntervene,
    FireOverwatch,
    CounterOffensive,
    InsaneBravery,
    CutThemDown,
    DesperateBreakout,
    BreakoutLoss,
    BreakoutTo,
    EmergencyDisembarkation,
    SelectPsyker,
    SelectPower,
    PowerTarget,
    Deny,
    ClosestUnit,
    SelectDiscipline,
    LearnPower,
    StartAction,
    SelectToReposition,
    RepositionAt,
    HowToDefend,
    SplitModel,
    UseAtTheStart,
    FactionStratagem1,
    FactionStratagem2,
    FactionStratagem3,
    FactionStratagem4,
    MovedOver,
)
