"""Any die of the Underdog's can be rolled again (w8.mission.command-rerolls.use): every roll of battles is offered to its player."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from eighth import EighthScene

from wh_env.rulesets.w40k.attack.decisions import machine_of
from wh_env.rulesets.w40k.attack.die_windows import by_faces
from wh_env.rulesets.w40k.attack.rerolls import faces_of
from wh_env.rulesets.w40k.psychic.data import PsychicProfile
from wh_env.rulesets.w40k.psychic.manifest import Manifest
from wh_env.testing import kind, melee, ranged, sheet

ASK = {"stratagems": {"command-re-roll": "ask"}}
OFFERS = ("command-re-roll", "command-re-roll-die")
GUNS = {
    "cannon": ranged(36, A="2D6", BS=3, S=6, AP=-1, D="2D3"),
    "warp": ranged(24, A=2, BS=3, S="2D6", D="D6"),
    "claws": melee(A="D6", WS=3, S=5, AP=-1, D="D3"),
}
PSYKER = ("INFANTRY", "CHARACTER", "PSYKER")


def war(detail, seed):
    """Two armies with psykers, passengers in TRANSPORTS that burst, models that ignore wounds and random weapons, close to each other."""
    scene = EighthScene(size=(60, 44))
    for player, y in ((0, 15), (1, 29)):
        scene.unit(player, sheet("Psyker", W=4, Ld=9, keywords=PSYKER, fnp=5), at=(30, y), psychic=PsychicProfile(2, 2))
        scene.unit(player, sheet("Squad", W=2, fnp=5, weapons=GUNS), at=(10, y), models=4)
        bus = sheet(
            "Bus", W=6, T=5, keywords=("VEHICLE", "TRANSPORT"), weapons=GUNS, hull_in=(4, 3),
            abilities={"transport": {"capacity": 12, "allowed": ["INFANTRY"]}, "deadly_demise": "D3"},
        )  # fmt: skip
        carrier = scene.unit(player, bus, at=(44, y))
        scene.unit(player, sheet("Crew", fnp=6, weapons=GUNS), models=5, embarked_in=carrier)
    return scene.battle("movement", detail=detail, seed=seed, rules={**ASK, "rounds": 3}, cp=(90, 90))


def offered(battle):
    """How many dice the decision that waits offers."""
    if kind(battle) == "command-re-roll":
        return len(faces_of(battle, battle.frame))
    machine = machine_of(battle, battle.frame)
    return int(machine.rows[0]["faces"].sum()) if by_faces(machine) else 1


def rolls_not_offered(battle, seed):
    """Play on at random, keeping every roll; both players could always use a Command re-roll. What was rolled and not offered, in words, and
    the offers by name."""
    chance, faults, offers = np.random.default_rng(seed), [], Counter()
    while not battle.over and len(faults) < 5:
        battle.players.cp[0] = battle.players.cp[1] = 90
        before = int(battle.dice.counter[0])
        options = battle.decision.options
        name = kind(battle)
        words = battle.describe(battle.decision.options[0])
        battle.apply(options[0] if name in OFFERS else options[int(chance.random() * len(options))])
        rolled = int(battle.dice.counter[0]) - before
        shown = offered(battle) if battle.decision is not None and kind(battle) in OFFERS else 0
        if rolled != shown:
            faults.append(f"after {name} ({words}): {rolled} dice were rolled, {shown} are offered by {kind(battle)}")
        if shown:
            offers[battle.describe(battle.decision.options[0]).split(" roll")[0]] += 1
    return faults, offers


@pytest.mark.rule("w8.mission.command-rerolls.use")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_every_die_of_random_battles_is_offered(detail):
    total = Counter()
    for seed in range(4):
        faults, offers = rolls_not_offered(war(detail, seed), seed)
        assert faults == []
        total += offers
    known = {
        "keep the " + name
        for name in ("hit", "wound", "save", "damage", "Strength", "ignored wound", "attacks", "psychic")
    }
    assert known <= set(total)
    assert {"keep the power", "keep the Deadly Demise", "keep the charge", "keep the morale"} <= set(total)


def test_a_die_that_is_rolled_past_the_door_would_be_noticed(monkeypatch):
    def plain(g, f):
        Manifest.amounts(g, f, g.roll(1, 3))

    monkeypatch.setattr(Manifest, "roll_amount", staticmethod(plain))
    found = []
    for seed in range(4):
        found += rolls_not_offered(war("squad", seed), seed)[0]
    assert found
