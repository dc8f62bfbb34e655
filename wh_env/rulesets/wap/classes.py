"""The procedures and decision kinds of the game, each in the order of its numbers: what is new goes to the end."""

from __future__ import annotations

from wh_env.core.procedures import DecisionKind, Procedure
from wh_env.rulesets.wap.battle.at_once import AtOnce, DueOrder
from wh_env.rulesets.wap.battle.concede import Concede, ConcedeOrNot
from wh_env.rulesets.wap.breaking.break_tests import BreakOrder, BreakTests
from wh_env.rulesets.wap.breaking.combat_reform import CombatReform, CombatReformPlace, CombatReforms, ReformFirst
from wh_env.rulesets.wap.breaking.crumbling import Crumble, WhoCrumbles
from wh_env.rulesets.wap.casualties.casualties import Casualties, LossCommand, LossEnd
from wh_env.rulesets.wap.challenges.challenge import AcceptChallenge, Challenge, Challenges, NameCoward
from wh_env.rulesets.wap.characters.joins import HeroPlace, Join
from wh_env.rulesets.wap.characters.make_way import ComeForward, MakeWay
from wh_env.rulesets.wap.charge.charges import Charges, DeclareCharge
from wh_env.rulesets.wap.charge.declare import ChargeHow, ChargeTarget, Declare
from wh_env.rulesets.wap.charge.reactions import ChargeReaction, FireAndFlee, React
from wh_env.rulesets.wap.charge.redirect import Redirect
from wh_env.rulesets.wap.charge.reform_after import ReformAfter, TestToReform
from wh_env.rulesets.wap.charge.resolve import CarryOut, ChargeOrder, ChargePlace
from wh_env.rulesets.wap.combat.aiming import StrikeShare, StrikeTarget
from wh_env.rulesets.wap.combat.breath_blows import BreathBlow, BreathTarget
from wh_env.rulesets.wap.combat.close_combat import ChooseCombat, CloseCombat, FightCombat
from wh_env.rulesets.wap.combat.impact_hits import ImpactHits
from wh_env.rulesets.wap.combat.strikes import Strikes
from wh_env.rulesets.wap.combat.ward_choice import ChooseWard, WardChoice
from wh_env.rulesets.wap.combat.weapon_choice import ChooseWeapon, ChooseWeapons
from wh_env.rulesets.wap.commands.follow_me import Reroll, TestAgain
from wh_env.rulesets.wap.commands.places import FrontPlace, FrontPlaces
from wh_env.rulesets.wap.compulsory.compulsory import CompelledNext, Compulsory
from wh_env.rulesets.wap.compulsory.rally import Rally
from wh_env.rulesets.wap.compulsory.random_moves import RandomFacing, RandomMove
from wh_env.rulesets.wap.deployment.characters import DeployCharacters, JoinUnit
from wh_env.rulesets.wap.deployment.deployment import ChooseSide, Deployment, DeployUnit
from wh_env.rulesets.wap.deployment.drops import DeployFacing, DeployFiles, DeployRefine, DeployTo, Drop
from wh_env.rulesets.wap.deployment.first_turn import ChooseFirst, FirstTurn
from wh_env.rulesets.wap.deployment.gathering import Gather, GoAlong
from wh_env.rulesets.wap.deployment.hidden import RevealHidden, Reveals
from wh_env.rulesets.wap.deployment.late import BringOn, LateArrivals
from wh_env.rulesets.wap.deployment.special_deployment import (
    Ambushes,
    ArriveEdge,
    ComeOn,
    HoldBack,
    HoldBackUnit,
    Vanguard,
    VanguardUnit,
)
from wh_env.rulesets.wap.fleeing.flight import Flight
from wh_env.rulesets.wap.movement.legs import Leg, LegLength
from wh_env.rulesets.wap.movement.manoeuvre import Manoeuvre
from wh_env.rulesets.wap.movement.move_to import EndWheel, MoveRefine, MoveTo
from wh_env.rulesets.wap.movement.other_moves import MoveUnit, OtherMoves, SelectToMove
from wh_env.rulesets.wap.movement.pivots import PivotPush, PivotTo
from wh_env.rulesets.wap.movement.reform import ReformFacing, ReformFiles
from wh_env.rulesets.wap.movement.reinforcements import Arrive, ArriveAt, ArriveFiles
from wh_env.rulesets.wap.movement.start_of_turn import ChooseStartEffect, StartOfTurn
from wh_env.rulesets.wap.multiple.sliding import Slides
from wh_env.rulesets.wap.panic.panic import Panic, PanicOf, PanicOrder
from wh_env.rulesets.wap.pursuit.choices import AfterVictory, Pursue, PursueOrRestrain
from wh_env.rulesets.wap.pursuit.flights import CombatFlights
from wh_env.rulesets.wap.pursuit.order import CombatOrder
from wh_env.rulesets.wap.pursuit.pursuits import Pursuits, RunDownPursued, StayedReform, StayedReforms
from wh_env.rulesets.wap.pursuit.vanished import VanishedTargets
from wh_env.rulesets.wap.shooting.allotting import Allot, TakeHit
from wh_env.rulesets.wap.shooting.breath_shots import BreathDirection, BreathShot
from wh_env.rulesets.wap.shooting.breathing import ChooseBreath
from wh_env.rulesets.wap.shooting.shooting import (
    Aim,
    SelectToShoot,
    Shoot,
    ShootBeside,
    Shooting,
    ShootTarget,
    ShootWay,
    SnipeAt,
)
from wh_env.rulesets.wap.turns.movement_phase import Movement
from wh_env.rulesets.wap.turns.turns import Turns

PROCEDURES: tuple[type[Procedure], ...] = (
    Deployment,
    Drop,
    Turns,
    Movement,
    Compulsory,
    OtherMoves,
    MoveUnit,
    Casualties,
    Arrive,
    Rally,
    Flight,
    RandomMove,
    Panic,
    PanicOf,
    AtOnce,
    StartOfTurn,
    Charges,
    CloseCombat,
    FightCombat,
    ImpactHits,
    Strikes,
    BreakTests,
    PursueOrRestrain,
    CombatFlights,
    StayedReforms,
    Pursuits,
    CombatReforms,
    Slides,
    ChooseWeapons,
    ChooseWard,
    Declare,
    React,
    CarryOut,
    TestAgain,
    StayedReform,
    RunDownPursued,
    VanishedTargets,
    Concede,
    ReformAfter,
    FrontPlaces,
    Shooting,
    Aim,
    Shoot,
    HoldBack,
    Vanguard,
    Ambushes,
    ComeOn,
    DeployCharacters,
    Join,
    Allot,
    FireAndFlee,
    Reveals,
    MakeWay,
    Challenges,
    Crumble,
    ShootBeside,
    FirstTurn,
    Gather,
    LateArrivals,
    BreathShot,
    BreathBlow,
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
    MoveTo,
    MoveRefine,
    EndWheel,
    Leg,
    PivotTo,
    PivotPush,
    ReformFiles,
    ReformFacing,
    ArriveFiles,
    ArriveAt,
    CompelledNext,
    RandomFacing,
    PanicOrder,
    DueOrder,
    ChooseStartEffect,
    ChooseCombat,
    ChooseWeapon,
    WardChoice,
    DeclareCharge,
    ChargeTarget,
    ChargeReaction,
    Redirect,
    ChargeOrder,
    ChargePlace,
    Reroll,
    Pursue,
    AfterVictory,
    CombatOrder,
    StrikeTarget,
    StrikeShare,
    LossCommand,
    ConcedeOrNot,
    FrontPlace,
    BreakOrder,
    CombatReform,
    CombatReformPlace,
    ReformFirst,
    TestToReform,
    SelectToShoot,
    ShootTarget,
    ShootWay,
    SnipeAt,
    HoldBackUnit,
    VanguardUnit,
    ArriveEdge,
    JoinUnit,
    HeroPlace,
    TakeHit,
    RevealHidden,
    ComeForward,
    Challenge,
    AcceptChallenge,
    NameCoward,
    WhoCrumbles,
    ChargeHow,
    ChooseFirst,
    GoAlong,
    BringOn,
    ChooseBreath,
    BreathDirection,
    BreathTarget,
)
