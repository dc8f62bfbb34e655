"""The lists of the game's procedures and decision kinds. Their order gives their numbers, so a new one goes to the
end.
"""

from __future__ import annotations

from wh_env.core.class_lists import listed_classes

PROCEDURES, KINDS = listed_classes(
    ("wh_env.rulesets.wap",),
    procedures="""
    Deployment Drop Turns Movement Compulsory OtherMoves MoveUnit Casualties Arrive Rally Flight
    RandomMove Panic PanicOf AtOnce StartOfTurn Charges CloseCombat FightCombat ImpactHits Strikes
    BreakTests PursueOrRestrain CombatFlights StayedReforms Pursuits CombatReforms Slides
    ChooseWeapons ChooseWard Declare React CarryOut TestAgain StayedReform RunDownPursued
    VanishedTargets Concede ReformAfter FrontPlaces Shooting Aim Shoot HoldBack Vanguard Ambushes
    ComeOn DeployCharacters Join Allot FireAndFlee Reveals MakeWay Challenges Crumble ShootBeside
    FirstTurn Gather LateArrivals BreathShot BreathBlow
    GroundHarm
    ChargeAgain Gazes Wells Favours
    ChooseAssailants
    Enter Leave FightAssault Parties AssaultsAgain AssaultAgain GarrisonTower
    FireMachine
    MagicPhase Cast FreeCast Dispel LearnSpells
    Portals GroundSpell Recover SpellFlight Libraries Riddles
    AimSpell EndOfMagic Comets LaunchVortex MoveVortex Drifts
    NameModel Chain FateOfCast FateOfHits WillTest
    ShareDice LookOut TurnInside
    UseItems Rivalries BreakAgain
    PanicWaits TerrorWaits DareWaits FrenzyWaits ForcedWaits RushWaits AssaultWaits ReformWaits WillWaits StupidityWaits
    StoreDice LuckOfCast LuckOfDispel Earthing RivalWaits SwayWaits Sway ShakeOff SaveFromHits SaveFromBlows
    LingersToCharge LingersToMove PlaceFortress
    """,
    kinds="""
    ChooseSide DeployUnit DeployFiles DeployFacing DeployTo DeployRefine SelectToMove Manoeuvre
    LegLength LossEnd MoveTo MoveRefine EndWheel Leg PivotTo PivotPush ReformFiles ReformFacing
    ArriveFiles ArriveAt CompelledNext RandomFacing PanicOrder DueOrder ChooseStartEffect
    ChooseCombat ChooseWeapon WardChoice DeclareCharge ChargeTarget ChargeReaction Redirect
    ChargeOrder ChargePlace Reroll Pursue AfterVictory CombatOrder StrikeTarget StrikeShare
    LossCommand ConcedeOrNot FrontPlace BreakOrder CombatReform CombatReformPlace ReformFirst
    TestToReform SelectToShoot ShootTarget ShootWay SnipeAt HoldBackUnit VanguardUnit ArriveEdge
    JoinUnit HeroPlace TakeHit RevealHidden ComeForward Challenge AcceptChallenge NameCoward
    WhoCrumbles ChargeHow ChooseFirst GoAlong BringOn ChooseBreath BreathDirection BreathTarget
    RollChargeAgain Drink SeekFavour
    MachineAssault AssailantNumber
    EnterBuilding LeaveBuilding LeaveFiles LeavePlace ChooseParty NameExposed TakeBuilding WhoAssaultsAgain
    TowerGarrison
    MachineWay MachineTarget MachineAim
    CastBy CastSpell SpellTarget BoundDie SpellDice SpellVersion CastAtOnce DispelBy DispelDice DispelInPlay EndSpell
    LearnsNext LearnSpell RecoverWound LibraryLore AnswerRiddle
    SpellPlace SpellDirection VortexPlace VortexWay
    SpellModel ChainTarget FateDie TestWill
    ShareOfDice DeployInside TurnToWall
    UseItem NameRival RollBreakAgain RollFirstFailed
    KeepDice LuckDie EarthMiscast ArtilleryAgain LeaveArea SwayTarget ShakeItOff RollSaveAgain PlaceBuilding
    """,
)
