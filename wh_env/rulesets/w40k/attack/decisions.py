"""Running the attack machine (``attack.machine``) in a battle: its choices become decisions, its log events."""

from __future__ import annotations

from typing import Any

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import zero
from wh_env.core.features import Pending
from wh_env.core.procedures import FRAME_SIZE, DecisionKind, Procedure, integer
from wh_env.rulesets.w40k.attack.abilities import protect
from wh_env.rulesets.w40k.attack.machine import candidate, precision_candidate, resolve
from wh_env.rulesets.w40k.attack.sequence import LOST
from wh_env.rulesets.w40k.attack_row import (
    ASK_ALLOCATE,
    ASK_FNP,
    ASK_PRECISION,
    ASK_REROLL_ONE,
    ASK_REROLL_WOUND,
    ASK_SAVE,
    Event,
)

RULES = {
    Event.ATTACKS_ROLL: "shoot.attacks.number",
    Event.HIT_ROLL: "attack.hit.roll",
    Event.AUTO_HIT: "weapon.torrent",
    Event.SUSTAINED: "weapon.sustained-hits",
    Event.WOUND_ROLL: "attack.wound.roll",
    Event.AUTO_WOUND: "weapon.lethal-hits",
    Event.REROLL: "concepts.reroll.optional",
    Event.DEVASTATING: "weapon.devastating-wounds",
    Event.ALLOCATED: "attack.allocate.choice",
    Event.SAVE_ROLL: "attack.save.roll",
    Event.DAMAGE: "attack.damage.amount",
    Event.FNP_ROLL: "attack.feel-no-pain",
    Event.WOUND_LOST: "attack.damage.amount",
    Event.MODEL_DESTROYED: "attack.damage.destroyed",
    Event.MORTAL_WOUND: "attack.mortal.what",
    Event.HAZARDOUS: "weapon.hazardous.test",
    Event.STRENGTH: "datasheet.random.other",
    Event.OVERHEATED: "datasheet.abilities",
}


class RunsMachine(Procedure):
    """A procedure that runs the attack machine. ``MACHINE``: row of the machine (0: the volley, 1: an interruption)."""

    MACHINE = integer(zero(), at=FRAME_SIZE - 1)


def run_machine(g: BattleCore, number: int) -> int:
    """Run the machine until it is done or stops. Returns its code. Both machines share the list of casualties."""
    machine = g.attack if number == 0 else g.attack2
    protect(g, machine.target[0], bool(machine.psychic[0]))
    statics = g.setup.statics
    queue = g.queue
    machine.casualties[0] = queue[LOST]
    log = g.work.no_log if g.recorder is None else g.work.log
    code = g.work.call(
        resolve,
        g.models.rows,
        g.units.rows,
        statics["weapons"],
        g.jobs.rows,
        machine.rows,
        statics["attack_rules"],
        g.dice.rows,
        g.script_array,
        log,
        g.casualties_array,
    )
    queue[LOST] = machine.casualties[0]
    if g.recorder is not None:
        tell(g, machine)
    return int(code)


def tell(g: BattleCore, machine: object) -> None:
    """Turn the rows of the machine's log into events."""
    log = g.work.log
    for row in log[: machine.log_count[0]].tolist():  # type: ignore[attr-defined]
        event = Event(row[0])
        g.tell(
            RULES[event],
            event.name.lower().replace("_", " "),
            attacker=row[1],
            target=row[2],
            model=row[3],
            die=row[4],
            needed=row[5],
            result=row[6],
            extra=row[7],
        )
        if event == Event.WOUND_LOST and machine.psychic[0]:  # type: ignore[attr-defined]
            g.tell("datasheet.psychic", "wound from a Psychic Attack", target=row[2], model=row[3])
    machine.log_count[0] = 0  # type: ignore[attr-defined]


def ask_machine(g: BattleCore, code: int, number: int) -> int:
    """Ask the decision that belongs to an ASK code of the machine."""
    machine = g.attack if number == 0 else g.attack2
    target = machine.target[0]
    defender = g.units.owner[target]
    if code == ASK_REROLL_ONE:
        from wh_env.rulesets.w40k.attack.die_windows import DieWindow

        return DieWindow.open(g, number)
    if code == ASK_ALLOCATE:
        return g.ask(Allocate, defender, target)
    if code == ASK_SAVE:
        return g.ask(SaveChoice, defender, target)
    if code == ASK_FNP:
        return g.ask(FeelNoPainChoice, defender, target)
    attacker = 1 - defender
    if code == ASK_PRECISION:
        return g.ask(PrecisionChoice, attacker, target)
    if code == ASK_REROLL_WOUND:
        return g.ask(RerollWound, attacker, machine.unit[0])
    raise RuntimeError(f"the attack machine stopped with code {code}")


def machine_of(g: BattleCore, f: int) -> object:
    """The machine row that the frame runs."""
    return g.attack if g.stack[f + RunsMachine.MACHINE] == 0 else g.attack2


def attack_asked(g: BattleCore, f: int) -> Pending:
    """The model and the weapon of the attack that the machine resolves."""
    machine: Any = machine_of(g, f)
    return Pending(model=machine.model[0], weapon=machine.weapon[0])


class Allocate(DecisionKind):
    name = "allocate"
    what = "Which model of the unit takes the wounding attack or mortal wound."
    instead = "The one with the fewest wounds left, on a tie the last row, among those that may be chosen."
    keys = (
        "attack.allocate.choice",
        "attack.allocate.several-candidates",
        "attack.mortal.allocate",
    )
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        target = machine_of(g, f).target[0]  # type: ignore[attr-defined]
        rules = g.setup.statics["attack_rules"]
        for slot, model in enumerate(g.members(target)):
            if candidate(g.models.rows, g.units.rows, target, rules, model):
                mask[g.setup.space.model + slot] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        machine = machine_of(g, f)
        rows = list(g.members(machine.target[0]))  # type: ignore[attr-defined]
        machine.answer[0] = rows[action - g.setup.space.model]  # type: ignore[attr-defined]

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        rows = list(g.members(machine_of(g, f).target[0]))  # type: ignore[attr-defined]
        return str(g.setup.names["models"][rows[action - g.setup.space.model]])

    def pending(self, g: BattleCore, f: int) -> Pending:
        return attack_asked(g, f)


class PrecisionChoice(DecisionKind):
    name = "precision"
    what = "Whether the attacker picks a visible CHARACTER of the Attached unit, or leaves it (done)."
    instead = "The attacker picks the one with the fewest wounds left, on a tie the last row."
    keys = ("weapon.precision",)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        machine: Any = machine_of(g, f)
        target, seen = machine.target[0], machine.seen[0]
        mask[0] = True
        for slot, model in enumerate(g.members(target)):
            if precision_candidate(g.models.rows, g.units.rows, target, seen, model):
                mask[g.setup.space.model + slot] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        machine = machine_of(g, f)
        rows = list(g.members(machine.target[0]))  # type: ignore[attr-defined]
        machine.answer[0] = rows[action - g.setup.space.model] if action else -1  # type: ignore[attr-defined]

    def pending(self, g: BattleCore, f: int) -> Pending:
        return attack_asked(g, f)


class MachineOption(DecisionKind):
    """A choice of the machine whose answer is a small number."""

    squad = False
    words: tuple[str, ...] = ()

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        option = g.setup.space.option
        for number in range(len(self.words)):
            mask[option + number] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        machine_of(g, f).answer[0] = action - g.setup.space.option  # type: ignore[attr-defined]

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return self.words[action - g.setup.space.option]


class SaveChoice(MachineOption):
    name = "save"
    what = "Armour save or one of the invulnerable saves."
    instead = "The one with the lowest roll needed, on a tie the first of them."
    keys = ("attack.save.invulnerable.choice", "attack.save.invulnerable.several")
    words = ("armour save", "invulnerable save", "second invulnerable save")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        need = machine_of(g, f).rows[0]["need"]  # type: ignore[attr-defined]
        for number in range(3):
            if need[number] > 0:
                mask[g.setup.space.option + number] = True

    def pending(self, g: BattleCore, f: int) -> Pending:
        return attack_asked(g, f)


class FeelNoPainChoice(MachineOption):
    name = "feel-no-pain"
    what = "Which of two Feel No Pain abilities is used."
    instead = "The better one."
    keys = ("attack.feel-no-pain.one-only",)
    words = ("first Feel No Pain", "second Feel No Pain")

    def pending(self, g: BattleCore, f: int) -> Pending:
        return attack_asked(g, f)


class RerollWound(MachineOption):
    name = "reroll-wound"
    what = "Re-roll a wound die of a Twin-linked weapon, or keep it."
    instead = "Exactly the failed ones are re-rolled."
    keys = ("concepts.reroll.optional", "weapon.twin-linked")
    words = ("keep", "re-roll")


KINDS: list[type[DecisionKind]] = [Allocate, PrecisionChoice, SaveChoice, FeelNoPainChoice, RerollWound]
MACHINE_ASKS = tuple(kind.name for kind in KINDS)  # decisions of a procedure that runs the machine
