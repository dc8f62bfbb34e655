"""Where rules of the 10th edition are found in the code, chapter by chapter.

``RULE_IDS``: differences between the catalogue and the keys by which shared code names rules. A key that is not listed
here is the rule of that name. ``absent`` lists keys for which the edition has no rule.

``CARRIED_OUT_BY``: rules that are carried out where the code names another rule, or by what a table or class says. Each
entry is a module below ``wh_env`` and a name in it. If several places share a rule, it is the place that decides. For
the contents of a mission, datasheet or battlefield it is the code that reads or holds them.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from wh_env.core.rule_ids import RuleIds, keys

RULE_IDS = RuleIds(
    "w10",
    absent=keys(
        """
        actions.fail actions.psychic actions.psychic.deny aircraft.minimum-move aircraft.reserves.return
        charge.difficult-ground charge.heroic-intervention charge.heroic-intervention.move concepts.measure.tied-closest
        deploy.fortification deploy.fortification.impossible fight.always-first fight.chargers-first fight.last
        glossary.unaffected-by-powers.target morale.attrition morale.automatic morale.flee morale.flee.choice
        morale.order morale.test morale.who move.out-of-phase psychic.access.additional psychic.access.instead
        psychic.access.listed psychic.deny psychic.learn psychic.manifest psychic.perils psychic.perils.destroyed
        psychic.perils.explosion.per-unit psychic.powers psychic.same-power-once psychic.select psychic.select.power
        psychic.smite-once-per-unit psychic.smite.not-targeted psychic.smite.tie psychic.test rare.manifest-priority
        rare.resurrected.set-up reserves.strategic.own-edge reserves.strategic.round-three shoot.split
        terrain.difficult-ground transport.destroyed.positions transport.embark.out-of-phase
        """
    ),
)

CARRIED_OUT_BY: Mapping[str, str] = MappingProxyType(
    {
        # aircraft
        "w10.aircraft.fight.against": "rulesets.w40k.questions.melee_targets.reaches_in_melee",
        "w10.aircraft.return.impossible": "rulesets.w40k.move.reinforcements.SelectReserves.options",
        # army
        "w10.army.enhancements.characters": "content.w10.muster._Check._enhancements",
        "w10.army.enhancements.number": "content.w10.muster._Check._enhancements",
        "w10.army.points": "content.w10.muster._Check._points",
        "w10.army.sequence": "content.w10.muster.muster",
        # attack
        "w10.attack.allocate.unseen": "rulesets.w40k.attack.rolls.candidate",
        "w10.attack.fast-dice.example": "rulesets.w40k.attack.machine.resolve",
        "w10.attack.fast-dice.saves": "rulesets.w40k.attack.machine.allocate",
        "w10.attack.hit.one-fails": "rulesets.w40k.attack.rolls.hit_needed",
        "w10.attack.mortal.although-saved": "rulesets.w40k.attack.batch.count_wounds",
        "w10.attack.mortal.no-rolls": "rulesets.w40k.attack.machine.next_mortal",
        "w10.attack.mortal.spill-over": "rulesets.w40k.attack.machine.next_mortal",
        "w10.attack.save.one-fails": "rulesets.w40k.attack.rolls.armour_needed",
        "w10.attack.wound.one-fails": "rulesets.w40k.attack.rolls.wound_needed",
        # charge
        "w10.charge.condition.coherency": "core.geometry.melee_search.unit_fault",
        "w10.charge.eligible.aircraft": "rulesets.w40k.charge.phase.free_to_charge",
        "w10.charge.eligible.engaged": "rulesets.w40k.charge.phase.free_to_charge",
        "w10.charge.eligible.moved": "rulesets.w40k.charge.phase.free_to_charge",
        "w10.charge.fly.non-targets": "core.geometry.paths.may_engage",
        "w10.charge.fly.over-models": "rulesets.w10.numbers.MOVES",
        "w10.charge.fly.through-the-air": "core.geometry.path_checks.check_path_without_end",
        "w10.charge.move.base-contact": "core.geometry.charge_moves.charge_apply",
        "w10.charge.terrain.no-mid-climb": "core.geometry.paths.terrain_fault_at",
        "w10.charge.terrain.over": "core.geometry.legs.leg_climb",
        # command
        "w10.command.attached.destroyed-triggers": "rulesets.w40k.attack.casualties.unit_destroyed",
        "w10.command.attached.starting-strength": "rulesets.w40k.deploy.formations.attach",
        "w10.command.battle-shock.desperate-escape": "rulesets.w40k.move.fall_back.escape_tests",
        "w10.command.battle-shock.oc": "rulesets.w40k.sequence.objectives.count_control",
        "w10.command.battle-shock.phase-end": "rulesets.w10.command.phase.CommandPhase.advance",
        "w10.command.below-half.multi": "rulesets.w40k.questions.strength.below_half_strength",
        "w10.command.below-half.single": "rulesets.w40k.questions.strength.below_half_strength",
        "w10.command.destroyed.model": "rulesets.w40k.attack.state.destroy_model",
        "w10.command.start-cp": "rulesets.w40k.tables.blank",
        "w10.command.starting-strength": "content.w40k.compile.Compiler.fill_units",
        "w10.command.starting-strength.wounds-irrelevant": "rulesets.w40k.questions.strength.below_half_strength",
        "w10.command.steps": "rulesets.w10.command.phase.CommandPhase",
        # concepts
        "w10.concepts.army": "content.w10.muster.Muster",
        "w10.concepts.base-contact": "core.geometry.melee_search.in_contact",
        "w10.concepts.battlefield": "core.geometry.shapes.inside_table_at",
        "w10.concepts.coherency.single-group": "core.geometry.engaged.coherent",
        "w10.concepts.coherency.single-model": "core.geometry.engaged.coherent",
        "w10.concepts.coherency.threshold-live": "core.geometry.engaged.coherent",
        "w10.concepts.dice.d3": "core.dice.roll_sum",
        "w10.concepts.dice.d6": "core.dice.roll_sum",
        "w10.concepts.dice.notation": "rulesets.w40k.attack.state.verdict",
        "w10.concepts.engagement-range.destroyed-if-unable": "rulesets.w40k.transport.losses.LeftInWreck",
        "w10.concepts.engagement-range.no-end": "core.geometry.paths.models_fault_near",
        "w10.concepts.friendly-enemy": "core.battle.BattleCore.units_of",
        "w10.concepts.full-rule-first": "core.geometry.melee_search.closer",
        "w10.concepts.measuring.anytime": "core.battle.BattleCore.distance",
        "w10.concepts.measuring.base-to-base": "core.geometry.shapes.straight_distance",
        "w10.concepts.measuring.no-base": "core.geometry.shapes.gap_at",
        "w10.concepts.measuring.units": "core.geometry.shapes.unit_distance",
        "w10.concepts.measuring.wholly-within": "core.geometry.placement.wholly_within_at",
        "w10.concepts.measuring.within": "core.geometry.shapes.within_reach_at",
        "w10.concepts.mission-required": "content.w40k.edition_content.EditionContent.load_battle",
        "w10.concepts.unit": "content.w10.schema.ArmyUnit",
        "w10.concepts.unspecified-side": "rulesets.w40k.attack.casualties.Demises.start",
        "w10.concepts.victory-points": "rulesets.w10.ruleset.TenthEdition.winner",
        "w10.concepts.visibility.base-counts": "core.geometry.corridor.put_model",
        "w10.concepts.visibility.model": "core.geometry.sight.sees",
        "w10.concepts.visibility.model-fully": "core.geometry.sight.full_view_at_length",
        "w10.concepts.visibility.own-unit": "core.geometry.corridor.may_block",
        "w10.concepts.visibility.true-line-of-sight": "core.geometry.sight.sees",
        "w10.concepts.visibility.unit": "rulesets.w40k.questions.targets.look",
        # datasheet
        "w10.datasheet.aura.same-once": "rulesets.w40k.attack.abilities.in_force",
        "w10.datasheet.composition": "content.w10.muster.write_out",
        "w10.datasheet.contents": "content.w10.schema.Datasheet",
        "w10.datasheet.example": "content.w10.load.load_datasheet",
        "w10.datasheet.objective-control": "rulesets.w40k.sequence.objectives.count_control",
        "w10.datasheet.save": "rulesets.w40k.attack.rolls.armour_needed",
        "w10.datasheet.toughness": "rulesets.w40k.attack.rolls.strength_against",
        "w10.datasheet.wargear-abilities": "rulesets.w40k.attack.powers.affects",
        "w10.datasheet.weapon.ap": "rulesets.w40k.attack.rolls.armour_needed",
        "w10.datasheet.weapon.attacks": "rulesets.w40k.attack.batch.roll_attacks",
        "w10.datasheet.weapon.damage": "rulesets.w40k.attack.machine.roll_damage",
        "w10.datasheet.weapon.range": "rulesets.w40k.questions.targets.usable",
        "w10.datasheet.weapon.skill": "rulesets.w40k.attack.rolls.hit_needed",
        "w10.datasheet.weapon.strength": "rulesets.w40k.attack.rolls.strength_against",
        "w10.datasheet.wounds": "rulesets.w40k.attack.machine.lose_wounds",
        # deploy
        "w10.deploy.abilities": "rulesets.w40k.profiles.Ability",
        "w10.deploy.leader.last-bodyguard": "rulesets.w40k.attack.rolls.spared",
        "w10.deploy.leader.one-leader": "rulesets.w40k.deploy.formations.bodyguards",
        # fight
        "w10.fight.attacks.number": "rulesets.w40k.attack.batch.roll_attacks",
        "w10.fight.attacks.sequence": "rulesets.w40k.attack.making.Attacks",
        "w10.fight.attacks.still-made": "rulesets.w40k.attack.jobs.targets_left",
        "w10.fight.consolidate.none": "rulesets.w40k.fight.close_moves.consolidation",
        "w10.fight.consolidate.objective-optional": "rulesets.w40k.fight.phase.Fight.advance",
        "w10.fight.end-of-turn": "rulesets.w40k.fight.phase.FightPhase.advance",
        "w10.fight.example": "rulesets.w40k.fight.phase.Fight",
        "w10.fight.newly-eligible": "rulesets.w40k.fight.phase.can_fight",
        "w10.fight.newly-eligible.fights-first": "rulesets.w10.fight.phase.mark_fights_first",
        "w10.fight.once": "rulesets.w40k.fight.phase.can_fight",
        "w10.fight.pile-in.base-contact": "core.geometry.melee_moves.pile_in_apply",
        "w10.fight.pile-in.closer": "core.geometry.melee_search.closer",
        "w10.fight.remaining-combats": "rulesets.w40k.fight.phase.can_fight",
        "w10.fight.remaining-of-one-side": "rulesets.w40k.fight.phase.FightPhase.advance",
        # mission
        "w10.mission.battlefield": "content.w40k.terrain.scale_battlefield",
        "w10.mission.deploy.zones": "content.w40k.terrain.deployment_zones",
        "w10.mission.first-turn": "rulesets.w10.deploy.mission.MissionSequence.advance",
        "w10.mission.muster": "content.w40k.edition_content.EditionContent.load_battle",
        "w10.mission.objectives": "content.w10.schema.Mission",
        "w10.mission.only-war.battlefield": "content.w40k.edition_content.EditionContent.load_battle",
        "w10.mission.only-war.score-after-battle-shock": "rulesets.w10.command.phase.CommandPhase.advance",
        "w10.mission.only-war.sizes": "content.w40k.schema.BattleSize",
        "w10.mission.only-war.victor.both-destroyed": "rulesets.w10.ruleset.TenthEdition.winner",
        "w10.mission.only-war.victor.reserves": "rulesets.w40k.phases.timing.end_battle",
        "w10.mission.only-war.zones": "content.w40k.terrain.deployment_zones",
        "w10.mission.victor": "rulesets.w10.ruleset.TenthEdition.winner",
        # move
        "w10.move.advance.engagement": "rulesets.w10.numbers.MOVES",
        "w10.move.advance.restrictions": "rulesets.w40k.shoot.declare.shooting_mode",
        "w10.move.fall-back.restrictions": "rulesets.w40k.shoot.declare.shooting_mode",
        "w10.move.fly.end": "core.geometry.paths.models_fault_near",
        "w10.move.fly.monster-vehicle": "rulesets.w10.numbers.MOVES",
        "w10.move.models.battlefield-edge": "core.geometry.path_checks.check_path_without_end",
        "w10.move.models.every-kind-of-move": "rulesets.w40k.questions.move_limits.move_limits",
        "w10.move.reinforcements.reserves-units": "rulesets.w40k.deploy.formations.to_reserves",
        "w10.move.terrain.climb-example": "core.geometry.legs.leg_climb",
        "w10.move.terrain.over-not-through": "core.geometry.legs.leg_climb",
        # objective
        "w10.objective.centre": "content.w40k.compile.Compiler._fill_objectives",
        "w10.objective.level": "rulesets.w40k.sequence.objectives.count_control",
        "w10.objective.marker": "content.w40k.schema.Markers",
        "w10.objective.measure": "core.geometry.shapes.disc_gap_at",
        "w10.objective.start-contested": "rulesets.w40k.tables.blank",
        # reserves
        "w10.reserves.fortifications": "rulesets.w40k.deploy.formations.reserve_kinds",
        "w10.reserves.kinds": "rulesets.w40k.move.reinforcements.may_arrive",
        "w10.reserves.limit": "rulesets.w40k.deploy.formations.reserve_kinds",
        "w10.reserves.never-arrived": "rulesets.w40k.phases.timing.end_battle",
        # round
        "w10.round.first-turn-fixed": "rulesets.w40k.rounds.turns.BattleRounds.advance",
        # shoot
        "w10.shoot.attacks.still-made": "rulesets.w40k.attack.jobs.targets_left",
        "w10.shoot.big-guns.engaged-infantry": "rulesets.w40k.shoot.declare.shooting_mode",
        "w10.shoot.big-guns.engaged-target": "rulesets.w40k.questions.targets.open_target",
        "w10.shoot.locked-in-combat.shooter": "rulesets.w40k.shoot.declare.shooting_mode",
        "w10.shoot.targets.in-range": "rulesets.w40k.questions.targets.may_fire",
        "w10.shoot.targets.none": "rulesets.w40k.shoot.phase.ready_to_shoot",
        # stratagem
        "w10.stratagem.fire-overwatch.embarking": "rulesets.w40k.move.phase.ChooseMove.advance",
        "w10.stratagem.grenade.then-shoot": "rulesets.w10.stratagems.effects.throwers",
        # terrain
        "w10.terrain.barricades.movement": "rulesets.w10.terrain.BARRICADES",
        "w10.terrain.barricades.visibility": "rulesets.w10.terrain.BARRICADES",
        "w10.terrain.cover.all-attackers": "rulesets.w40k.terrain.cover.take_cover",
        "w10.terrain.cover.no-stacking": "rulesets.w40k.attack.rolls.covered",
        "w10.terrain.craters.cover": "rulesets.w10.terrain.CRATERS",
        "w10.terrain.craters.movement": "rulesets.w10.terrain.CRATERS",
        "w10.terrain.craters.visibility": "rulesets.w10.terrain.CRATERS",
        "w10.terrain.debris.cover": "rulesets.w10.terrain.DEBRIS",
        "w10.terrain.debris.movement": "rulesets.w10.terrain.DEBRIS",
        "w10.terrain.debris.visibility": "rulesets.w10.terrain.DEBRIS",
        "w10.terrain.general-movement": "core.geometry.legs.leg_climb",
        "w10.terrain.general-visibility": "core.geometry.sight.sees",
        "w10.terrain.hills.cover": "rulesets.w10.terrain.HILLS",
        "w10.terrain.hills.visibility": "rulesets.w10.terrain.HILLS",
        "w10.terrain.no-target": "rulesets.w40k.questions.targets.target_row",
        "w10.terrain.ruins.blocked": "core.geometry.sight._screens",
        "w10.terrain.ruins.cover": "rulesets.w10.terrain.RUINS",
        "w10.terrain.ruins.partly-within": "core.geometry.sight._screens",
        "w10.terrain.ruins.seeing-in-out": "core.geometry.sight._screens",
        "w10.terrain.types": "rulesets.w10.terrain.TYPES",
        "w10.terrain.woods.cover": "rulesets.w10.terrain.WOODS",
        "w10.terrain.woods.movement": "rulesets.w10.terrain.WOODS",
        "w10.terrain.woods.seeing-out": "core.geometry.sight._screens",
        "w10.terrain.woods.through": "core.geometry.sight._screens",
        "w10.terrain.woods.within": "rulesets.w10.terrain.WOODS",
        # transport
        "w10.transport.destroyed.battle-shocked": "rulesets.w40k.transport.losses.Wreck.advance",
        "w10.transport.destroyed.deadly-demise": "rulesets.w40k.attack.casualties.Demises.advance",
        "w10.transport.embarked.inactive": "rulesets.w40k.transport.transports.embark",
        "w10.transport.emergency.when": "rulesets.w40k.transport.losses.Wreck.advance",
        "w10.transport.whole-units": "rulesets.w40k.deploy.formations.with_room",
        # weapon
        "w10.weapon.anti.devastating": "rulesets.w40k.attack.batch.count_wounds",
        "w10.weapon.assault.only": "rulesets.w40k.questions.targets.usable",
        "w10.weapon.blast.engaged": "rulesets.w40k.questions.targets.usable",
        "w10.weapon.devastating-wounds.spill": "rulesets.w40k.attack.machine.next_mortal",
        "w10.weapon.half-range": "rulesets.w40k.shoot.volley.ranged_near",
        "w10.weapon.hazardous.attached": "rulesets.w40k.attack.machine.begin_hazardous_loss",
        "w10.weapon.indirect-fire.targets": "rulesets.w40k.questions.targets.may_fire",
        "w10.weapon.lethal-hits.no-critical-wound": "rulesets.w40k.attack.batch.count_hits",
        "w10.weapon.pistol.eligible": "rulesets.w40k.shoot.declare.shooting_mode",
        "w10.weapon.pistol.engaged-monster-vehicle": "rulesets.w40k.shoot.declare.shooting_mode",
        "w10.weapon.precision.mortal-wounds": "rulesets.w40k.attack.machine.next_mortal",
        "w10.weapon.sustained-hits.not-critical": "rulesets.w40k.attack.batch.count_hits",
        "w10.weapon.torrent.no-criticals": "rulesets.w40k.attack.batch.roll_hits",
    }
)
