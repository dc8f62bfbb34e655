"""Firing Deck: a TRANSPORT fires weapons of models embarked in it (w10.transport.firing-deck.*).

Table ``deck`` has, for each embarked model, the slot + 1 of the weapon that it lends, 0 for none. The attacks are the
TRANSPORT's own: ``declare`` measures from the TRANSPORT's model that carries the lending model, and makes it the
attacker.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import between, row_of
from wh_env.core.features import Pending
from wh_env.core.procedures import GO, STEP, DecisionKind, Procedure, Steps, integer
from wh_env.core.tables import EMBARKED, ON_TABLE
from wh_env.rulesets.w10.codes import Phase
from wh_env.rulesets.w40k.attack.odds import expected_wounds
from wh_env.rulesets.w40k.codes import Selected
from wh_env.rulesets.w40k.edition_parts.lending import Lending
from wh_env.rulesets.w40k.questions.hulls import embarked_in, hull_of, hulls, passengers_of
from wh_env.rulesets.w40k.questions.strength import living
from wh_env.rulesets.w40k.shoot.declare import declare_weapon, shooting_mode, weapon_targets


def deck_size(g: BattleCore, unit: int) -> int:
    """The x of Firing Deck x in the Shooting phase, else 0: how many weapons of embarked models each model of the unit
    may fire.
    """
    sizes: dict[int, int] = g.setup.statics["firing_deck"]
    return sizes.get(unit, 0) if sizes and g.clock.phase[0] == Phase.SHOOTING else 0


def aboard(g: BattleCore, unit: int) -> list[int]:
    """Models embarked in the TRANSPORT."""
    return [k for row in embarked_in(g, unit) for k in living(g, row)]


def lenders(g: BattleCore, unit: int) -> list[int]:
    """Embarked models that lend a weapon."""
    return [k for k in aboard(g, unit) if g.deck[k]] if deck_size(g, unit) else []


def armed(g: BattleCore, unit: int) -> list[int]:
    """Models whose weapons the unit fires: its own models, then the embarked models that lend a weapon."""
    return [*g.members(unit), *lenders(g, unit)]


def slot_of(g: BattleCore, model: int, number: int) -> int:
    """Slot of entry ``number`` of the model's arsenal; the profiles of one weapon share it."""
    return int(g.setup.statics["arsenal"][g.models.first_weapon[model] + number]["slot"])


def in_use(g: BattleCore, unit: int, model: int, number: int) -> bool:
    """Whether the unit fires this entry of the model's arsenal: any entry of its own models, the lent weapon of an
    embarked model.
    """
    return g.models.unit[model] == unit or slot_of(g, model, number) + 1 == g.deck[model]


def lent_weapons(g: BattleCore, unit: int) -> list[tuple[int, int]]:
    """(model, weapon profile): the models of the TRANSPORT, and the weapons of embarked models that they count as
    equipped with.
    """
    weapons, m = g.setup.statics["arsenal_weapon"], g.models
    return [
        (hull_of(g, m.unit[k]), weapons[m.first_weapon[k] + number])
        for k in lenders(g, unit)
        for number in range(m.weapons[k])
        if in_use(g, unit, k, number)
    ]


def ranged_slots(g: BattleCore, model: int) -> list[int]:
    """Slots of the model's ranged weapons."""
    statics, m = g.setup.statics, g.models
    found: list[int] = []
    for number in range(m.weapons[model]):
        weapon = statics["arsenal_weapon"][m.first_weapon[model] + number]
        if not statics["weapons"][weapon]["melee"] and slot_of(g, model, number) not in found:
            found.append(slot_of(g, model, number))
    return found


def return_weapons(g: BattleCore) -> None:
    """No embarked model lends a weapon any longer."""
    if g.setup.statics["firing_deck"]:
        g.deck_array[:] = 0


# ---------------------------------------------------------------- squad detail


def kind_of(g: BattleCore, model: int, number: int) -> tuple[int, int, int]:
    """What makes weapons of embarked models alike: (model of the TRANSPORT, weapon profile, whether a One Shot weapon
    was fired).
    """
    weapon = g.setup.statics["arsenal_weapon"][g.models.first_weapon[model] + number]
    return hull_of(g, g.models.unit[model]), weapon, g.models.spent[model] >> number & 1


def kinds_aboard(g: BattleCore, unit: int) -> list[tuple[int, int]]:
    """One (model, arsenal entry) for each kind of weapon of the embarked models."""
    found: dict[tuple[int, int, int], tuple[int, int]] = {}
    for k in aboard(g, unit):
        for number in range(g.models.weapons[k]):
            found.setdefault(kind_of(g, k, number), (k, number))
    return list(found.values())


def deck_targets(g: BattleCore, unit: int) -> set[int]:
    """Enemy units that a weapon of some embarked model may target."""
    if not deck_size(g, unit):
        return set()
    mode = shooting_mode(g, unit)
    return {
        enemy for model, number in kinds_aboard(g, unit) for enemy in weapon_targets(g, unit, model, number, mode, 0)
    }


def add_deck_jobs(g: BattleCore, unit: int, wanted: int) -> None:
    """Squad detail: lend the embarked weapons expected to hurt most, and declare their attacks at ``wanted``, or at the
    target that they hurt most.
    """
    size = deck_size(g, unit)
    if not size:
        return
    statics, m, mode = g.setup.statics, g.models, shooting_mode(g, unit)
    worth: dict[tuple[int, int, int], tuple[bool, float, int]] = {}
    for model, number in kinds_aboard(g, unit):
        kind = hull, weapon, _ = kind_of(g, model, number)
        targets = weapon_targets(g, unit, model, number, mode, 0)
        chosen = [wanted] if wanted in targets else targets
        if chosen:
            worth[kind] = max(
                (
                    e == wanted,
                    expected_wounds(
                        m.rows, g.units.rows, statics["weapons"], statics["attack_rules"], hull, weapon, e, 0
                    ),
                    e,
                )
                for e in chosen
            )
    best: list[tuple[tuple[bool, float, int], int, int]] = []
    for model in aboard(g, unit):
        entries = [
            (worth[kind], model, number)
            for number in range(m.weapons[model])
            if (kind := kind_of(g, model, number)) in worth
        ]
        if entries:
            best.append(max(entries))
    best.sort(key=lambda entry: entry[0], reverse=True)
    lent: Counter[int] = Counter()
    for (_, _, target), model, number in best:
        hull = hull_of(g, m.unit[model])
        if lent[hull] < size:
            lent[hull] += 1
            lend(g, unit, model, slot_of(g, model, number))
            declare_weapon(g, unit, model, number, target)


def lend(g: BattleCore, unit: int, model: int, slot: int) -> None:
    """The TRANSPORT counts as equipped with the weapon in ``slot`` of the embarked model until it has shot."""
    g.deck[model] = slot + 1
    g.note("w10.transport.firing-deck", "weapon fired from the Firing Deck", unit=unit, model=model, slot=slot)


# ---------------------------------------------------------------- full detail


class FiringDeck(Procedure):
    """The player chooses, for each model of the TRANSPORT, up to x models embarked in it and a ranged weapon of
    each.
    """

    class Step(Steps):
        BEGIN, NEXT, WEAPON, END = range(4)

    UNIT = integer(row_of("units"))
    MODEL = integer(row_of("models"))
    HULL = integer(between(0, "hulls_of_one", -1))  # number of the model of the TRANSPORT
    asks = ("firing-deck-model", "firing-deck-weapon")

    def fits(self, g: BattleCore, f: int) -> bool:
        """Whether the unit is a TRANSPORT that has model number ``HULL``."""
        carriers: Mapping[int, Sequence[int]] = g.setup.statics["hulls"]
        return bool(g.stack[f + FiringDeck.HULL] < len(carriers.get(g.stack[f + FiringDeck.UNIT], ())))

    def advance(self, g: BattleCore, f: int) -> int:
        Step = FiringDeck.Step
        stack = g.stack
        unit, step = stack[f + FiringDeck.UNIT], stack[f + STEP]
        owner = g.units.owner[unit]
        if step == Step.BEGIN:
            step = stack[f + STEP] = Step.NEXT
        if step == Step.WEAPON:
            return g.ask(FiringDeckWeapon, owner, unit)
        if step == Step.END or sum(g.deck[k] > 0 for k in below_deck(g, f)) >= deck_size(g, unit):
            if stack[f + FiringDeck.HULL] + 1 >= len(hulls(g, unit)):
                return g.pop()
            stack[f + FiringDeck.HULL] += 1
            stack[f + STEP] = Step.NEXT
            return GO
        return g.ask(FiringDeckModel, owner, unit)


def below_deck(g: BattleCore, f: int) -> list[int]:
    """Models embarked in the model of the TRANSPORT that is being decided about."""
    hull = hulls(g, g.stack[f + FiringDeck.UNIT])[g.stack[f + FiringDeck.HULL]]
    return [k for row in passengers_of(g, hull) for k in living(g, row)]


class FiringDeckModel(DecisionKind):
    name = "firing-deck-model"
    what = "Which embarked model's weapon the TRANSPORT fires too, or no further one (done)."
    instead = "The weapons expected to hurt most are fired, at the target of `shoot-target` where they can."
    keys = ("w10.transport.firing-deck",)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        space = g.setup.space
        mask[0] = True
        for slot, model in enumerate(below_deck(g, f)[: space.models]):
            if not g.deck[model] and ranged_slots(g, model):
                mask[space.model + slot] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        stack = g.stack
        if action == 0:
            stack[f + STEP] = FiringDeck.Step.END
            return
        stack[f + FiringDeck.MODEL] = below_deck(g, f)[action - g.setup.space.model]
        stack[f + STEP] = FiringDeck.Step.WEAPON

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        if action == 0:
            return "no further model"
        return str(g.setup.names["models"][below_deck(g, f)[action - g.setup.space.model]])

    def pending(self, g: BattleCore, f: int) -> Pending:
        return Pending(slots=below_deck(g, f))


class FiringDeckWeapon(DecisionKind):
    name = "firing-deck-weapon"
    what = "Which of the embarked model's ranged weapons."
    instead = "The one expected to hurt most."
    keys = ("w10.transport.firing-deck",)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for number, _ in enumerate(ranged_slots(g, g.stack[f + FiringDeck.MODEL])):
            mask[g.setup.space.number + number] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        model = g.stack[f + FiringDeck.MODEL]
        lend(g, g.stack[f + FiringDeck.UNIT], model, ranged_slots(g, model)[action - g.setup.space.number])
        g.stack[f + STEP] = FiringDeck.Step.NEXT

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        model = g.stack[f + FiringDeck.MODEL]
        slot = ranged_slots(g, model)[action - g.setup.space.number]
        number = next(n for n in range(g.models.weapons[model]) if slot_of(g, model, n) == slot)
        weapon = g.setup.statics["arsenal_weapon"][g.models.first_weapon[model] + number]
        return f"{g.setup.names['models'][model]}: {g.setup.names['weapons'][weapon]}"

    def pending(self, g: BattleCore, f: int) -> Pending:
        return Pending(slots=below_deck(g, f), model=g.stack[f + FiringDeck.MODEL])


class FiringDecks(Lending):
    """Answers the questions of the Shooting phase about Firing Decks."""

    def armed(self, g: BattleCore, unit: int) -> list[int]:
        return armed(g, unit)

    def in_use(self, g: BattleCore, unit: int, model: int, number: int) -> bool:
        return in_use(g, unit, model, number)

    def ready(self, g: BattleCore, player: int) -> Iterable[int]:
        u = g.units
        decks = g.setup.statics["firing_deck"]
        for unit in decks if decks and EMBARKED in u.place else ():
            if u.owner[unit] == player and u.place[unit] == ON_TABLE and not u.selected[unit] & Selected.SHOOT:
                if shooting_mode(g, unit) >= 0 and deck_targets(g, unit):
                    yield unit

    def targets(self, g: BattleCore, unit: int) -> Container[int]:
        return deck_targets(g, unit)

    def choose(self, g: BattleCore, unit: int) -> None:
        if deck_size(g, unit):
            g.push(FiringDeck, unit)

    def declare(self, g: BattleCore, unit: int, target: int) -> None:
        add_deck_jobs(g, unit, target)

    def give_back(self, g: BattleCore) -> None:
        return_weapons(g)

    def lent(self, g: BattleCore, unit: int) -> list[tuple[int, int]]:
        return lent_weapons(g, unit)
