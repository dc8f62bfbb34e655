"""The game of regiments as a ``Ruleset``: its procedures, its decision kinds, start and winner."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from wh_env.core.battle import BattleCore
from wh_env.core.events import Event, Harm, Tally
from wh_env.core.features import Formation
from wh_env.core.procedures import STEP, Audit, Hidden, Ruleset
from wh_env.core.sentences import counted
from wh_env.core.setup import Setup
from wh_env.core.tables import Array
from wh_env.core.validation import Fault
from wh_env.rulesets.wap import validity
from wh_env.rulesets.wap.basics.effects import acting_on, effect_of, renew
from wh_env.rulesets.wap.basics.garrisons import is_inside
from wh_env.rulesets.wap.basics.moved_ground import follow_ground
from wh_env.rulesets.wap.basics.profiles import wholly
from wh_env.rulesets.wap.basics.secret_items import bring_items
from wh_env.rulesets.wap.battle.timing import start_game_turn, start_turn
from wh_env.rulesets.wap.battle.victory import winner_of, wiped_out
from wh_env.rulesets.wap.classes import KINDS, PROCEDURES
from wh_env.rulesets.wap.codes import DEEDS, PHASE_NAMES, PHASES
from wh_env.rulesets.wap.deployment.deployment import Deployment
from wh_env.rulesets.wap.deployment.divisions import division_of
from wh_env.rulesets.wap.deployment.hidden import secrets, without_secrets
from wh_env.rulesets.wap.event_fields import EVENT_FIELDS
from wh_env.rulesets.wap.items.secrets import secrets as secrets_of_items
from wh_env.rulesets.wap.magic.drawn_lores import draw_lores
from wh_env.rulesets.wap.magic.learning import LearnSpells
from wh_env.rulesets.wap.magic.spells import has_magic
from wh_env.rulesets.wap.magic.wizards import magic_of
from wh_env.rulesets.wap.tables import Troops
from wh_env.rulesets.wap.turns.turns import Turns
from wh_env.rulesets.wap.view.appraise import RegimentAppraiser
from wh_env.rulesets.wap.view.audit import RegimentAudit
from wh_env.rulesets.wap.view.formations import formations
from wh_env.rulesets.wap.view.observe import Observed, RegimentFeatures
from wh_env.rulesets.wap.view.questions import QUESTIONS
from wh_env.rulesets.wap.view.tell import UNAIMED, UNTOLD, harm, sentence, tally
from wh_env.rulesets.wap.view.tell_items import items_told
from wh_env.rulesets.wap.workspace import Workspace


class Wap(Ruleset):
    """Battles of fantasy regiments: blocks that march and wheel, player turns, six game turns."""

    joins = True
    id = "wap"
    phases = PHASE_NAMES
    features = RegimentFeatures()
    bundles = MappingProxyType({"troops": Troops, "observed": Observed})
    event_fields = EVENT_FIELDS
    untold = UNTOLD
    questions = QUESTIONS
    unaimed = UNAIMED

    def __init__(self) -> None:
        super().__init__(PROCEDURES, KINDS)

    def workspace(self, setup: Setup) -> Workspace:
        """Scratch memory of one battle."""
        return Workspace(setup)

    def sizes(self, setup: Setup) -> Mapping[str, float]:
        """The number of divisions of the table and of areas of zones; see ``validity``."""
        return validity.sizes(setup)

    def most_wounds(self, g: BattleCore) -> Array:
        """The most Wounds that each model may have left; see ``validity``."""
        return validity.most_wounds(g)

    def contradictions(self, g: BattleCore) -> Iterator[Fault]:
        """Faults of the state in units and their blocks; see ``validity``."""
        return validity.contradictions(g)

    def start(self, g: BattleCore) -> None:
        """Push the choice of spells, deployment and the turns after it. Armies and terrain were settled when the battle
        was loaded.
        """
        bring_items(g)
        draw_lores(g)
        renew(g)
        g.push(Turns)
        g.push(Deployment)
        if has_magic(g):
            for player in (1, 0):
                g.push(LearnSpells, player)

    def resume(self, g: BattleCore) -> None:
        """Put ground that has moved into the Setup."""
        follow_ground(g)

    def enter(self, g: BattleCore, phase: str, player: int, battle_round: int) -> None:
        """Put the battle at the start of a phase of ``player``'s turn, as the first player of the game turn.

        ``deployment`` is the start of the game, ``end`` the end of the player's turn. To reach the second turn of a
        game turn, tests set ``clock.first_player`` to the other player before the battle runs.
        """
        if phase == "deployment":
            self.start(g)
            return
        bring_items(g)
        draw_lores(g)
        renew(g)
        g.clock.first_player[0] = player
        g.clock.round[0] = battle_round - 1
        g.push(Turns)
        at = PHASES.index(phase) - 1
        if at:
            start_game_turn(g)
            start_turn(g, player)
            g.stack[g.frame + STEP] = at

    def states(self, g: BattleCore, unit: int) -> list[str]:
        """Words for a unit's files, whether it flees or is stupid, its level as a wizard and the spells that it knows
        (wap.magic.spells.open), the effects that act on it, its magic items, and what it did this turn.
        """
        u = g.units
        told = [counted(u.files[unit], "file")] if u.files[unit] else []
        if u.fleeing[unit]:
            told.append("fleeing")
        if u.stupid[unit]:
            told.append("stupid")
        if has_magic(g):
            told += magic_of(g, unit)
        told += [effect_of(g, k).name for k in acting_on(g, unit)]
        told += items_told(g, unit)
        return told + [name for bit, name in enumerate(DEEDS) if u.did[unit] >> bit & 1]

    def tally(self, g: BattleCore, event: Event) -> Tally | None:
        """The rolls of an event of close combat, to be counted."""
        return tally(g, event)

    def harm(self, g: BattleCore, event: Event) -> Sequence[Harm]:
        """The harm that an event of blows, of shots or of fleeing tells of."""
        return harm(event) or super().harm(g, event)

    def sentence(self, g: BattleCore, event: Event) -> str | None:
        """An event as players tell it; see ``tell``."""
        return sentence(g, event)

    def stacked(self, g: BattleCore) -> Sequence[int]:
        """Garrisons, with the characters in them (wap.building.capacity)."""
        return [row for unit in range(len(g.units.owner)) if is_inside(g, unit) for row in wholly(g, unit)]

    def wiped_out(self, g: BattleCore, player: int) -> bool:
        """Whether a player has no unit left."""
        return wiped_out(g, player)

    def winner(self, g: BattleCore) -> int:
        """The player who leads by enough victory points (wap.victory.result)."""
        return winner_of(g)

    def appraiser(self, setup: Setup) -> RegimentAppraiser:
        """The appraiser of options; see ``appraise``."""
        return RegimentAppraiser(setup)

    def audit(self, g: BattleCore) -> Audit:
        """The audit of derived values, formations and distances; see ``audit``."""
        return RegimentAudit(g)

    def hidden(self, g: BattleCore, seat: int) -> Sequence[Hidden]:
        """Enemy models that hide in the enemy's units, and magic items that ``seat`` does not know; see
        ``deployment.hidden``, ``items.secrets``.
        """
        return (*secrets(g, seat), *secrets_of_items(g, seat))

    def complete(self, g: BattleCore, seat: int) -> None:
        """Models that may be hiding stay in reserve."""
        without_secrets(g, seat)

    def formations(self, g: BattleCore) -> Sequence[Formation]:
        """The blocks on the table, with their front and quarters."""
        return formations(g)

    def deployment_zones(self, g: BattleCore) -> Sequence[Array]:
        """The zones of the first side (the southern or western one) and of the other side."""
        return [zone.polygon for zone in division_of(g).zones]


WAP = Wap()
