"""The example turn, from the Movement phase to the Morale phase, with its dice (w8.example.*)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import hypot
from typing import Any

import pytest
from eighth import EighthScene

from wh_env.content.battle import Battle
from wh_env.rulesets.w8.codes import Phase
from wh_env.rulesets.w40k.charge.phase import free_to_charge
from wh_env.rulesets.w40k.psychic.data import PsychicProfile
from wh_env.testing import apart, choose, dice_left, kind, melee, pick, place, ranged, sheet, slots, told, words
from wh_env.testing.moves import walk

# by step of the turn, in the order in which they are rolled
ADVANCE = [4]
SMITE = [2, 4, 5]
BOLTERS = [3, 3, 4, 5, 6, 6, 1, 2, 4, 4, 5, 6, 1, 3, 2, 3, 4, 6]
KRAK = [4, 3, 3, 6]
OVERWATCH = [6, 6, 5, 4, 5, 5, 1, 2]
CHARGE = [3, 4]
KNIVES = [3, 5, 4, 5, 2, 1]
SWORD_AND_FIST = [3, 2, 2]
SERGEANT = [4, 2, 1, 5, 2]
MORALE = [6, 3]
DICE = [
    *ADVANCE, *SMITE, *BOLTERS, *KRAK, *OVERWATCH, *CHARGE, *KNIVES, *SWORD_AND_FIST, *SERGEANT, *MORALE,
]  # fmt: skip

P1, P2, P3, P4, CHAMPION = range(5)  # models of the Plague Marines
I1, I2, I3, I4, SARGE = range(5)  # of the Intercessors
NEAR = 0.4  # inches from the place that is wanted to the middle of a cell of the window


def squad(name: str, men: dict[str, Any], leader: dict[str, Any]) -> dict[str, Any]:
    """A datasheet of four men and a leader, each with weapons of his own."""
    data = sheet(name, models=(5, 5), **{**men, "weapons": {**men["weapons"], **leader["weapons"]}})
    model = data["models"][0]
    model.update(name=f"{name} man", min=4, max=4, weapons=list(men["weapons"]))
    data["models"].append({**model, "name": f"{name} leader", "min": 1, "max": 1, "weapons": list(leader["weapons"]),
                           "Ld": leader["Ld"]})  # fmt: skip
    return data


PLAGUE_MARINES = squad(
    "Plague Marines",
    {"M": 5, "T": 5, "Sv": 3, "W": 1, "Ld": 7, "weapons": {
        "boltgun": ranged(24, A=1, BS=3, S=4, abilities=["Rapid Fire 1"]), "plague knife": melee(A=1, WS=3, S=4)}},
    {"Ld": 8, "weapons": {
        "krak grenade": ranged(6, A=1, BS=3, S=6, AP=-1, D="D3", abilities=["Grenade"]),
        "plague sword": melee(A=2, WS=3, S=4), "power fist": melee(A=2, WS=3, S=8, AP=-3, D="D3")}},
)  # fmt: skip
INTERCESSORS = squad(
    "Intercessors",
    {"M": 6, "T": 4, "Sv": 3, "W": 2, "Ld": 7, "weapons": {
        "bolt rifle": ranged(30, A=1, BS=3, S=4, AP=-1, abilities=["Rapid Fire 1"]), "fists": melee(A=2, WS=3, S=4)}},
    {"Ld": 8, "weapons": {
        "bolt rifle": ranged(30, A=1, BS=3, S=4, AP=-1, abilities=["Rapid Fire 1"]),
        "sergeant's fists": melee(A=3, WS=3, S=4)}},
)  # fmt: skip
PLAGUECASTER = sheet(
    "Malignant Plaguecaster", M=5, T=5, Sv=3, W=4, Ld=8, models=(1, 1), keywords=("INFANTRY", "CHARACTER", "PSYKER")
)


@dataclass
class Turn:
    """The battle of the example, played by player 0 (Death Guard) against player 1 (Space Marines)."""

    battle: Battle
    marines: Any
    caster: Any
    intercessors: Any

    def slot(self, unit: Any, number: int) -> int:
        """Where a model of a unit stands among those that are left."""
        return list(self.battle.members(unit.row)).index(unit.model(number))

    def wounds(self, unit: Any) -> list[int]:
        """Wounds of its models."""
        return [self.battle.models.wounds[unit.model(k)] for k in range(5)]

    def used(self, *dice: int) -> None:
        """These dice were the last ones used, and nothing else was rolled."""
        at = int(self.battle.dice.script_at[0])
        assert DICE[at - len(dice) : at] == list(dice)
        assert self.battle.dice.counter[0] == 0

    def to(self, unit: Any, number: int, x: float, y: float) -> None:
        """Where ``close-order`` waits: a model moves to the legal place nearest to this one."""
        battle, model = self.battle, unit.model(number)
        assert kind(battle) == "close-order"
        choose(battle, "model", self.slot(unit, number))
        assert kind(battle) == "close-to"
        xs, ys = battle.pending().cells(battle.setup.space.grid)
        cell = min(slots(battle, "cell"), key=lambda cell: hypot(xs[cell] - x, ys[cell] - y))
        choose(battle, "cell", cell)
        assert hypot(battle.models.x[model] - x, battle.models.y[model] - y) < NEAR

    def until(self, wanted: str, answer: Callable[[], None]) -> None:
        """Answer decisions of other kinds until this one waits."""
        for _ in range(50):
            if kind(self.battle) == wanted:
                return
            answer()
        raise LookupError(wanted)


def begin() -> Turn:
    scene = EighthScene()
    marines = scene.unit(0, PLAGUE_MARINES, at=[(10, 8), (12, 8), (14, 8), (16, 8), (18, 8)], name="Plague Marines")
    caster = scene.unit(0, PLAGUECASTER, at=(21, 6), name="Plaguecaster", psychic=PsychicProfile(1, 1))
    foes = scene.unit(1, INTERCESSORS, at=[(10, 20), (12, 20), (14, 20), (16, 20), (18, 20)], name="Intercessors")
    return Turn(scene.battle("movement", dice=DICE, detail="full"), marines, caster, foes)


def gap(turn: Turn) -> float:
    """From the Plague Marines to the closest Intercessor."""
    battle = turn.battle
    return min(
        apart(battle, a, b) for a in battle.members(turn.marines.row) for b in battle.members(turn.intercessors.row)
    )


def movement(turn: Turn) -> None:
    """Steps 1 and 2: the Plague Marines move 5", the Plaguecaster Advances 9"."""
    battle = turn.battle
    assert gap(turn) == pytest.approx(11.0)
    pick(battle, "Plague Marines", kind="select-to-move")
    pick(battle, "Normal move")
    for number in range(5):
        x, _ = place(battle, turn.marines.model(number))
        assert walk(battle, number, x, 13.0) == (pytest.approx(x), pytest.approx(13.0))
    if kind(battle) == "select-model":
        choose(battle, "done")
    assert gap(turn) == pytest.approx(6.0)
    if kind(battle) == "select-to-move":
        pick(battle, "Plaguecaster")
    pick(battle, "Advance")
    turn.used(*ADVANCE)
    assert battle.units.advance[turn.caster.row] == 4
    too_far = battle.clone()
    if kind(too_far) == "select-model":
        choose(too_far, "model", 0)
    xs, ys = too_far.pending().cells(too_far.setup.space.grid)
    away = [hypot(xs[cell] - 21.0, ys[cell] - 6.0) for cell in slots(too_far, "cell")]
    assert 8.9 < max(away) <= 9.0 + 1e-6
    assert walk(battle, 0, 21.0, 15.0) == (21.0, pytest.approx(15.0))
    if kind(battle) == "select-model":
        choose(battle, "done")


def psychic(turn: Turn) -> None:
    """Steps 3 and 4: Smite is manifested with a 6 against 5 and does 3 mortal wounds."""
    battle = turn.battle
    while kind(battle) == "select-psyker":
        pick(battle, "Plaguecaster")
    if kind(battle) == "select-power":  # else Smite is all that can be attempted
        pick(battle, "Plaguecaster: Smite (5+)", kind="select-power")

    def allocate() -> None:
        slot = turn.slot(turn.intercessors, I1 if battle.models.alive[turn.intercessors.model(I1)] else I2)
        choose(battle, "model", slot) if kind(battle) == "allocate" else choose(battle, "done")

    turn.until("select-to-shoot", allocate)
    turn.used(*SMITE)
    assert turn.wounds(turn.intercessors) == [0, 1, 2, 2, 2]
    assert battle.units.alive[turn.intercessors] == 4


def bolters(turn: Turn) -> None:
    """Steps 5 to 8: 8 attacks, 6 hits, 4 wounds, one save fails: I2 is slain."""
    battle = turn.battle
    assert "Plaguecaster" not in words(battle).values()  # it Advanced
    pick(battle, "Plague Marines")
    while kind(battle) == "weapon-target":
        choose(battle, "enemy", slots(battle, "enemy")[0])
    names, jobs = battle.setup.names["weapons"], battle.jobs
    declared = sorted(names[jobs.weapon[job]] for job, attacks in enumerate(jobs.attacks) if attacks)
    assert declared == [*["boltgun"] * 4, "krak grenade"]
    if kind(battle) == "profile-order":
        pick(battle, "boltgun")
    hits = told(battle, "w8.attack.hit")[:8]
    assert [(e["die"], e["needed"]) for e in hits] == [(die, 3) for die in BOLTERS[:8]]
    assert sum(e["die"] >= 3 for e in hits) == 6

    def allocate() -> None:
        # the wounded one first, as the rules have it; then those who are slain later
        choose(battle, "model", turn.slot(turn.intercessors, I3)) if kind(battle) == "allocate" else choose(
            battle, "done"
        )

    for _ in range(20):
        if int(battle.dice.script_at[0]) >= 22:
            break
        allocate()
    wounds = told(battle, "w8.attack.wound")[:6]
    assert [(e["die"], e["needed"]) for e in wounds] == [(die, 4) for die in BOLTERS[8:14]]
    saves = told(battle, "w8.attack.save")[:4]
    assert [e["die"] for e in saves] == BOLTERS[14:]
    assert [bool(e["result"]) for e in saves] == [False, True, True, True]
    assert not battle.models.alive[turn.intercessors.model(I2)]


def krak(turn: Turn) -> None:
    """Steps 9 to 11: it hits, wounds on 3+, the save of 3 - 1 fails; of 3 damage one point is lost."""
    battle = turn.battle

    def answer() -> None:
        choose(battle, "model", turn.slot(turn.intercessors, I3)) if kind(battle) == "allocate" else choose(
            battle, "done"
        )

    turn.until("select-to-charge", answer)
    turn.used(*KRAK)
    assert [(e["die"], e["needed"]) for e in told(battle, "w8.attack.hit")[8:]] == [(4, 3)]
    assert [(e["die"], e["needed"]) for e in told(battle, "w8.attack.wound")[6:]] == [(3, 3)]
    save = told(battle, "w8.attack.save")[4]
    assert (save["die"], save["needed"], bool(save["result"])) == (3, 4, False)
    assert turn.wounds(turn.intercessors) == [0, 0, 0, 2, 2]


def overwatch(turn: Turn) -> None:
    """Steps 12 to 14: the Plague Marines, who shot, charge; of 4 shots 2 hit; P1 and P2 are slain."""
    battle = turn.battle
    assert set(words(battle).values()) == {"done", "Plague Marines"}
    assert not free_to_charge(battle, turn.caster.row)
    pick(battle, "Plague Marines")
    if kind(battle) == "charge-target":
        pick(battle, "charge Intercessors")
    assert battle.decision is not None
    assert (kind(battle), battle.decision.player) == ("overwatch", 1)
    before = len(told(battle, "w8.attack.hit"))
    pick(battle, "Overwatch: Intercessors")
    while kind(battle) == "weapon-target":
        choose(battle, "enemy", slots(battle, "enemy")[0])
    victims = [P1, P2]

    def answer() -> None:
        if kind(battle) == "allocate":
            assert battle.decision is not None
            assert (battle.decision.player, len(slots(battle, "model"))) == (0, 3 + len(victims))
            choose(battle, "model", turn.slot(turn.marines, victims.pop(0)))
        else:
            battle.apply(battle.first_legal())

    turn.until("charge-or-stay", answer)
    hits = told(battle, "w8.attack.hit")[before:]
    assert [e["die"] for e in hits] == OVERWATCH[:4]
    assert sum(bool(e["result"]) for e in hits) == 2
    assert [(e["die"], e["needed"]) for e in told(battle, "w8.attack.wound")[-2:]] == [(5, 5), (5, 5)]
    assert [bool(battle.models.alive[turn.marines.model(k)]) for k in range(5)] == [False, False, True, True, True]


def charge(turn: Turn) -> None:
    """Steps 15 and 16: a 7, the Champion goes first; nobody intervenes."""
    battle = turn.battle
    turn.used(*OVERWATCH, *CHARGE)
    assert [e["roll"] for e in told(battle, "w8.charge.roll")] == [7]
    pick(battle, "make the charge move")
    turn.to(turn.marines, CHAMPION, 18.0, 18.5)
    assert apart(battle, turn.marines.model(CHAMPION), turn.intercessors.model(SARGE)) <= 1.0
    turn.to(turn.marines, P4, 16.0, 18.5)
    turn.to(turn.marines, P3, 14.0, 18.0)
    choose(battle, "done")
    near = [
        min(apart(battle, turn.marines.model(k), foe) for foe in battle.members(turn.intercessors.row)) <= 1.0
        for k in (P3, P4, CHAMPION)
    ]
    assert near == [False, True, True]
    assert battle.units.charged[turn.marines.row]
    assert told(battle, "w8.charge.heroic") == []
    assert battle.clock.phase[0] == Phase.FIGHT


def fight(turn: Turn) -> None:
    """Steps 17 to 24: pile in, knives, sword and fist, consolidate; I4 is slain."""
    battle = turn.battle
    before = len(told(battle, "w8.attack.hit"))
    assert [e["unit"] for e in told(battle, "w8.fight.alternate")] == [turn.marines.row]
    pick(battle, "pile in", kind="pile-in")
    turn.to(turn.marines, P3, 14.8, 18.9)
    choose(battle, "done")
    for k in (P3, P4, CHAMPION):
        foes = battle.members(turn.intercessors.row)
        assert min(apart(battle, turn.marines.model(k), foe) for foe in foes) <= 1.0
    weapons = ["plague sword", "power fist"]

    def answer() -> None:
        if kind(battle) == "melee-weapon" and len(words(battle)) > 1:
            pick(battle, weapons.pop(0))
        elif kind(battle) == "profile-order":
            known = list(words(battle).values())
            pick(battle, next(w for name in ("plague knife", "plague sword", "power fist") for w in known if name in w))
        elif kind(battle) == "allocate":
            choose(battle, "model", turn.slot(turn.intercessors, I4))
        else:
            battle.apply(battle.first_legal())

    turn.until("consolidate", answer)
    turn.used(*KNIVES, *SWORD_AND_FIST)
    assert weapons == []
    hits = told(battle, "w8.attack.hit")[before:]
    assert [(e["die"], e["attacker"], bool(e["result"])) for e in hits] == [
        (3, turn.marines.model(P3), True),
        (5, turn.marines.model(P4), True),
        (3, turn.marines.model(CHAMPION), True),
        (2, turn.marines.model(CHAMPION), False),
    ]
    assert turn.wounds(turn.intercessors) == [0, 0, 0, 0, 2]
    far = apart(battle, turn.marines.model(P4), turn.intercessors.model(SARGE))
    pick(battle, "consolidate")
    turn.to(turn.marines, P4, 17.0, 19.5)
    choose(battle, "done")
    assert apart(battle, turn.marines.model(P4), turn.intercessors.model(SARGE)) < far


def fight_back(turn: Turn) -> None:
    """Steps 25 and 26: nobody else of the Death Guard can fight; the Sergeant slays P3."""
    battle = turn.battle

    def answer() -> None:
        if kind(battle) == "pile-in":
            pick(battle, "do not pile in")
        elif kind(battle) == "consolidate":
            pick(battle, "do not consolidate")
        elif kind(battle) == "allocate":
            choose(battle, "model", turn.slot(turn.marines, P3))
        else:
            battle.apply(battle.first_legal())

    turn.until("fleeing-model", answer)
    fights = [e.data["unit"] for e in battle.events if e.kind == "selected to fight"]
    assert fights == [turn.marines.row, turn.intercessors.row]
    hits = told(battle, "w8.attack.hit")[-3:]
    assert [(e["die"], bool(e["result"])) for e in hits] == [(4, True), (2, False), (1, False)]
    assert {e["attacker"] for e in hits} == {turn.intercessors.model(SARGE)}
    wound = told(battle, "w8.attack.wound")[-1]
    assert (wound["die"], wound["needed"]) == (5, 5)
    assert [bool(battle.models.alive[turn.marines.model(k)]) for k in (P3, P4, CHAMPION)] == [False, True, True]


def morale(turn: Turn) -> None:
    """Steps 27 and 28: 6 + 3 exceeds 8 by 1, P4 flees; 3 + 4 does not."""
    battle = turn.battle
    turn.used(*SERGEANT, MORALE[0])
    assert battle.decision is not None
    assert battle.decision.player == 0
    choose(battle, "model", turn.slot(turn.marines, P4))
    tests = told(battle, "w8.morale.test")
    assert [(e["unit"], e["roll"], e["bonus"], e["needed"], e["passed"]) for e in tests] == [
        (turn.marines.row, 6, 3, 8, False),
        (turn.intercessors.row, 3, 4, 8, True),
    ]
    assert [e["model"] for e in told(battle, "w8.morale.flee")] == [turn.marines.model(P4)]


@pytest.mark.rule(
    "w8.example.turn", "w8.example.move", "w8.example.advance", "w8.example.psychic", "w8.example.shoot-bolters",
    "w8.example.shoot-krak", "w8.example.overwatch", "w8.example.charge", "w8.example.fight", "w8.example.fight-back",
    "w8.example.morale",
)  # fmt: skip
def test_the_example_turn() -> None:
    """52 dice, all of them used and no other; after it the Space Marine player moves."""
    assert len(DICE) == 52
    turn = begin()
    battle = turn.battle
    for step in (movement, psychic, bolters, krak, overwatch, charge, fight, fight_back, morale):
        step(turn)
    assert (dice_left(battle), int(battle.dice.script_at[0]), int(battle.dice.counter[0])) == (0, 52, 0)
    assert list(battle.members(turn.marines.row)) == [turn.marines.model(CHAMPION)]
    assert list(battle.members(turn.intercessors.row)) == [turn.intercessors.model(SARGE)]
    assert battle.models.wounds[turn.intercessors.model(SARGE)] == 2
    assert battle.models.wounds[turn.caster.first] == 4
    assert place(battle, turn.caster.first) == (21.0, pytest.approx(15.0))
    assert battle.decision is not None
    assert (battle.decision.player, battle.clock.turn[0], battle.clock.phase[0]) == (1, 1, Phase.MOVEMENT)
