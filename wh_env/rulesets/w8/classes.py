"""The procedures and decision kinds of the 8th edition, each in the order of its numbers: what is new goes to the end."""

from __future__ import annotations

from wh_env.core.procedures import DecisionKind, Procedure
from wh_env.rulesets.w8.ability.afflictions import AfflictedUnit, Afflicting, AfflictionRoll, AfflictionWounds
from wh_env.rulesets.w8.charge.overwatch import Answers, FireNext
from wh_env.rulesets.w8.charge.phase import Charge, ChargeMove, ChargeOrStay, ChargePhase
from wh_env.rulesets.w8.deploy.mission import DeployUnit, MissionSequence
from wh_env.rulesets.w8.fight.phase import FightPhase
from wh_env.rulesets.w8.mission.command_rerolls import CommandReroll
from wh_env.rulesets.w8.mission.halves import ChooseHalf, DivideBattlefield
from wh_env.rulesets.w8.mission.objectives import ScoreTurn, SlayRoll
from wh_env.rulesets.w8.mission.power import FirstTurn
from wh_env.rulesets.w8.morale.phase import MoralePhase
from wh_env.rulesets.w8.move.minimum import Crash
from wh_env.rulesets.w8.move.model_moves import ModelRefine, ModelTo, MoveModels, SelectModel
from wh_env.rulesets.w8.move.phase import MoveKind, MovementPhase
from wh_env.rulesets.w8.move.unit_moves import FallBack, FallBackTo, MoveTo, MoveUnit
from wh_env.rulesets.w8.shoot.phase import WeaponTarget
from wh_env.rulesets.w8.warlord.traits import DetermineTrait, Nominate, NominateModel, NominateUnit, WarlordTrait
from wh_env.rulesets.w40k.ability.common_effects import RepairRoll
from wh_env.rulesets.w40k.attack.casualties import (
    DemiseOrder,
    DemiseRoll,
    Demises,
    DemiseUnit,
    DemiseWounds,
    MortalWounds,
)
from wh_env.rulesets.w40k.attack.decisions import Allocate, RerollWound, SaveChoice
from wh_env.rulesets.w40k.attack.die_windows import CommandRerollDie, DieWindow, RerollDie
from wh_env.rulesets.w40k.attack.making import Attacks, ProfileOrder, TargetOrder
from wh_env.rulesets.w40k.attack.rerolls import (
    CommandRerollTest,
    DiceRoll,
    FailedTest,
    Reroll,
)
from wh_env.rulesets.w40k.charge.heroic import HeroicInterventions, Intervention, SelectToIntervene
from wh_env.rulesets.w40k.charge.phase import ChargeRoll, ChargeTarget, SelectToCharge
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
from wh_env.rulesets.w40k.morale.phase import FleeingModel, Morale, MoraleTest, SelectToTest
from wh_env.rulesets.w40k.move.aircraft import (
    AircraftDistance,
    AircraftExactly,
    AircraftMove,
    AircraftPivot,
    AircraftPivotExactly,
)
from wh_env.rulesets.w40k.move.model_moves import ModelFacing, ModelLevel
from wh_env.rulesets.w40k.move.phase import (
    AdvanceRoll,
    ChooseMove,
    MoveRoll,
    SelectToMove,
)
from wh_env.rulesets.w40k.move.reinforcements import Arrive, ArriveAt, ArriveBy, Reinforcements, SelectReserves
from wh_env.rulesets.w40k.move.unit_moves import MoveLevel
from wh_env.rulesets.w40k.psychic.learning import LearnPower, LearnPowers, SelectDiscipline
from wh_env.rulesets.w40k.psychic.manifest import (
    BeyondLeadership,
    ClosestUnit,
    Deny,
    DenyTest,
    Manifest,
    PowerRoll,
    PsychicTest,
    ResistRoll,
)
from wh_env.rulesets.w40k.psychic.perils import Perils, PerilsRoll, PsykerExplodes
from wh_env.rulesets.w40k.psychic.phase import PowerTarget, PsychicPhase, Psyker, SelectPower, SelectPsyker
from wh_env.rulesets.w40k.reaction.windows import Window
from wh_env.rulesets.w40k.rounds.turns import BattleRounds, Turn
from wh_env.rulesets.w40k.sequence.disputes import Resolution, Unresolved
from wh_env.rulesets.w40k.sequence.rolloff import RollOff, RollOffDie
from wh_env.rulesets.w40k.sequence.sequencing import DueOrder, DueRules
from wh_env.rulesets.w40k.shoot.phase import SelectToShoot, Shoot, ShootingPhase, ShootTarget
from wh_env.rulesets.w40k.shoot.snap import Overwatch
from wh_env.rulesets.w40k.transport.losses import LeftInWreck, WreckOrder
from wh_env.rulesets.w40k.transport.transports import (
    Disembark,
    DisembarkAt,
    Embark,
)
from wh_env.rulesets.w40k.transport.wreck_losses import Wreck, WreckLoss, WreckRoll

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
    MoralePhase,
    DueRules,
    MovementPhase,
    ChooseMove,
    MoveRoll,
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
    Wreck,
    PlaceTerrain,
    Boarding,
    Morale,
    MoraleTest,
    HeroicInterventions,
    Intervention,
    PsychicPhase,
    Psyker,
    Manifest,
    PsychicTest,
    DenyTest,
    Perils,
    PsykerExplodes,
    ScoreTurn,
    Nominate,
    DetermineTrait,
    LearnPowers,
    Answers,
    Overwatch,
    Afflicting,
    AfflictionRoll,
    AfflictionWounds,
    DemiseRoll,
    DemiseWounds,
    PerilsRoll,
    ResistRoll,
    BeyondLeadership,
    PowerRoll,
    WreckRoll,
    RepairRoll,
    SlayRoll,
    RollOff,
    RollOffDie,
    Crash,
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
    WreckOrder,
    LeftInWreck,
    SelectFeature,
    TurnFeature,
    PlaceFeature,
    PlaceFeatureExactly,
    EmbarkModel,
    SelectToTest,
    FleeingModel,
    SelectToIntervene,
    SelectPsyker,
    SelectPower,
    PowerTarget,
    Deny,
    ClosestUnit,
    DivideBattlefield,
    ChooseHalf,
    FirstTurn,
    NominateUnit,
    NominateModel,
    WarlordTrait,
    WreckLoss,
    SelectDiscipline,
    LearnPower,
    FireNext,
    ChargeOrStay,
    AfflictedUnit,
)
