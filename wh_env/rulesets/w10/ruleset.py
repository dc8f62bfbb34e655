"""The 10th edition as a ``Ruleset``: its procedures, its decision kinds, start and winner."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import STEP, Audit, DecisionKind, Default, Hidden, Procedure, Ruleset
from wh_env.core.setup import Delegate, Setup
from wh_env.core.tables import EMBARKED
from wh_env.core.validation import Fault
from wh_env.rulesets.w10.command import leadership
from wh_env.rulesets.w10.command import phase as command
from wh_env.rulesets.w10.deploy import mission, scouts
from wh_env.rulesets.w10.stratagems import effects as stratagem_effects
from wh_env.rulesets.w10.stratagems import reactions
from wh_env.rulesets.w10.stratagems.book import DELEGATE, mode, switched_on
from wh_env.rulesets.w10.transport import firing_deck
from wh_env.rulesets.w40k import validity
from wh_env.rulesets.w40k.attack import casualties, rerolls
from wh_env.rulesets.w40k.attack import decisions as machine
from wh_env.rulesets.w40k.attack import making as attacking
from wh_env.rulesets.w40k.charge import phase as charge
from wh_env.rulesets.w40k.deploy import battlefield, formations, setting_up
from wh_env.rulesets.w40k.event_fields import EVENT_FIELDS
from wh_env.rulesets.w40k.fight import close_order
from wh_env.rulesets.w40k.fight import phase as fight
from wh_env.rulesets.w40k.fight import weapons as melee_choices
from wh_env.rulesets.w40k.move import aircraft, fall_back, model_moves, reinforcements, unit_moves
from wh_env.rulesets.w40k.move import phase as movement
from wh_env.rulesets.w40k.reaction import windows
from wh_env.rulesets.w40k.sequence import disputes, sequencing, turns
from wh_env.rulesets.w40k.sequence.timing import army_destroyed
from wh_env.rulesets.w40k.shoot import phase as shooting
from wh_env.rulesets.w40k.transport import hulls, transports
from wh_env.rulesets.w40k.transport import losses as transport_losses
from wh_env.rulesets.w40k.view.appraise import TenthAppraiser
from wh_env.rulesets.w40k.view.audit import TenthAudit
from wh_env.rulesets.w40k.view.observe import TenthFeatures, secrets
from wh_env.rulesets.w40k.workspace import Workspace

MODULES = (
    mission,
    formations,
    setting_up,
    scouts,
    turns,
    sequencing,
    command,
    movement,
    unit_moves,
    model_moves,
    fall_back,
    reinforcements,
    shooting,
    attacking,
    machine,
    casualties,
    charge,
    fight,
    close_order,
    melee_choices,
    disputes,
    rerolls,
    aircraft,
    leadership,
    windows,
    stratagem_effects,
    reactions,
    transports,
    transport_losses,
    firing_deck,
    battlefield,
    hulls,
)

ENTRIES = ("command", "movement", "shooting", "charge", "fight", "end")


def _defined(module: object, base: type) -> list[type]:
    """Concrete subclasses of ``base`` that the module defines, in order of definition."""
    found = []
    for value in vars(module).values():
        if isinstance(value, type) and issubclass(value, base) and value is not base:
            own = value.__module__ == module.__name__  # type: ignore[attr-defined]
            if own and (base is not DecisionKind or "name" in vars(value)):
                found.append(value)
    return found


class TenthEdition(Ruleset):
    """Warhammer 40,000, 10th edition core rules."""

    id = "w10"
    phases = ("Before the battle", "Command", "Movement", "Shooting", "Charge", "Fight")
    features = TenthFeatures()
    event_fields = EVENT_FIELDS

    def __init__(self) -> None:
        procedures: list[type[Procedure]] = []
        kinds: list[type[DecisionKind]] = []
        for module in MODULES:
            procedures += _defined(module, Procedure)
            kinds += _defined(module, DecisionKind)
        super().__init__(procedures, kinds)

    def sizes(self, setup: Setup) -> Mapping[str, float]:
        """Weapons, moments, answers of the attack machine; see ``validity``."""
        return validity.sizes(setup)

    def contradictions(self, g: BattleCore) -> Iterator[Fault]:
        """Attached units, wrecks, casualties; see ``validity``."""
        return validity.contradictions(g)

    def statics(self, rules: Mapping[str, Any]) -> dict[str, Any]:
        """Bits of the Stratagems that are in play."""
        return {"stratagems": switched_on(rules)}

    def policies(self, rules: Mapping[str, Any]) -> dict[str, Delegate]:
        """The decisions on Stratagems that are delegated."""
        chosen: dict[str, Delegate] = {}
        for kind in self.kinds:
            stratagem = getattr(kind, "stratagem", None)
            if stratagem is not None and mode(rules, stratagem) == DELEGATE:
                chosen[kind.name] = Default(kind)
        return chosen

    def workspace(self, setup: Setup) -> Workspace:
        """Scratch memory of one battle."""
        return Workspace(setup)

    def start(self, g: BattleCore) -> None:
        """From the markers on; muster and mission were settled when the battle was loaded."""
        g.push(mission.MissionSequence)

    def resume(self, g: BattleCore) -> None:
        """Terrain that the players have placed stands in the Setup."""
        if battlefield.settled(g):
            battlefield.settle(g)

    def appraiser(self, setup: Setup) -> TenthAppraiser:
        """Expected wounds, markers, chances of charges; see ``appraise``."""
        return TenthAppraiser(setup)

    def audit(self, g: BattleCore) -> Audit:
        """When points are scored, how moves end, whether what is kept still holds."""
        return TenthAudit(g)

    def states(self, g: BattleCore, unit: int) -> list[str]:
        """The model of a TRANSPORT unit of several that the unit is embarked in."""
        if not len(g.hulls) or g.units.place[unit] != EMBARKED:
            return []
        return [f"in {g.setup.names['models'][hulls.hull_of(g, unit)]}"]

    def hidden(self, g: BattleCore, seat: int) -> tuple[Hidden, ...]:
        """w10.mission.formations.secret: battle formations until both players have finished."""
        return secrets(g, seat)

    def enter(self, g: BattleCore, phase: str, player: int, battle_round: int) -> None:
        """Put the battle at the start of a phase of ``player`` (``end``: the end of the turn, ``mission``: step 3)."""
        if phase == "mission":
            self.start(g)
            return
        at = ENTRIES.index(phase)
        clock = g.clock
        clock.round[0], clock.turn[0], clock.phase[0] = battle_round, player, at + 1
        second = player != clock.first_player[0]
        g.push(turns.BattleRounds)
        g.stack[g.frame + STEP] = 2 * battle_round - (0 if second else 1)
        g.push(turns.Turn, player)
        g.stack[g.frame + STEP] = at

    def wiped_out(self, g: BattleCore, player: int) -> bool:
        """w10.mission.only-war.end."""
        return army_destroyed(g, player)

    def winner(self, g: BattleCore) -> int:
        """w10.mission.only-war.victor and .victor.both-destroyed."""
        lost = (self.wiped_out(g, 0), self.wiped_out(g, 1))
        vp = (g.players.vp[0], g.players.vp[1])
        better = lost if lost[0] != lost[1] else (vp[1], vp[0])
        winner = -1 if better[0] == better[1] else int(better[0] > better[1])
        if g.recorder is not None:
            mission.tell_step(g, 10)
            mission.tell_step(g, 11)
            g.note("w10.mission.only-war.victor", "victor", winner=winner, vp=vp, destroyed=lost)
        return winner


TENTH_EDITION = TenthEdition()
