"""Positions that the sweep plays on from: full of what battles from their beginning seldom lead to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import pi
from types import MappingProxyType
from typing import Any

from wh_env import Battle
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.w40k.sequence.sequencing import TimedRule
from wh_env.testing import Scene, melee, ranged, sheet
from wh_env.testing.epic import EpicScene

RULES = {"rounds": 3, "stratagems": {"command-re-roll": "ask"}}
CP = (6, 6)
CASE = {
    "name": "who was wounded",
    "outcomes": [
        {"name": "the first", "effect": "mortal", "unit": 0, "amount": 1},
        {"name": "the second", "effect": "mortal", "unit": 1, "amount": 1},
    ],
}


def brawl(seed: int, detail: str) -> Battle:
    """Two armies face to face at the start of a Charge phase, with Leaders, vehicles, AIRCRAFT and units in Ruins."""
    scene = Scene()
    scene.markers += [(30.0, 22.0), (10.0, 22.0)]
    scene.ruins(38, 13, 50, 21, floors=(3.0,))
    intercessors = scene.unit(0, "Intercessor Squad", at=(6, 19), models=5)
    scene.unit(0, "Captain", at=(8, 16.5), leads=intercessors)
    scene.unit(0, "Redemptor Dreadnought", at=(22, 17))
    scene.unit(0, "Assault Intercessor Squad", at=(40, 19), models=5)
    scene.unit(0, "Hellblaster Squad", at=(6, 10), models=5)
    scene.unit(0, "Predator Destructor", at=(30, 10))
    scene.unit(0, "Stormraven Gunship", at=(50, 6))
    scene.unit(1, "Hormagaunts", at=(4, 24), models=10)
    scene.unit(1, "Carnifexes", at=(24, 25), models=1)
    scene.unit(1, "Tyranid Warriors with Melee Bio-Weapons", at=(40, 24), models=3)
    scene.unit(1, "Winged Hive Tyrant", at=(30, 31))
    scene.unit(1, "Broodlord", at=(54, 26))
    scene.unit(1, "Zoanthropes", at=(12, 34), models=3)
    scene.unit(1, "Harpy", at=(48, 38))
    return scene.battle("charge", detail=detail, seed=seed, cp=CP, round=2, rules=RULES)


def buses(models: int, wounds: int, hull: tuple[float, float] = (5, 3), capacity: int = 12) -> dict[str, Any]:
    """A unit of TRANSPORTS with Firing Deck and Deadly Demise."""
    abilities = {
        "transport": {"capacity": capacity, "allowed": ["INFANTRY"], "firing_deck": 4},
        "deadly_demise": "D3",
    }
    return sheet(
        "Buses", M=10, W=wounds, T=7, Sv=5, hull_in=hull, height=2.5, models=(1, models),
        keywords=("VEHICLE", "TRANSPORT"), abilities=abilities, weapons={"stubber": ranged(24, A=3)},
    )  # fmt: skip


def convoy(seed: int, detail: str) -> Battle:
    """A unit of two TRANSPORTS, full and with units beside it that may embark, under fire of what destroys it."""
    scene = Scene()
    squad = sheet("Squad", weapons={"rifle": ranged(24, A=2, BS=3), "launcher": ranged(24, BS=3, S=8, AP=-2, D=3)})
    carrier = scene.unit(0, buses(2, 8, capacity=10), at=[(20.0, 10.0), (20.0, 14.5)], facing=0.0)
    for hull in (0, 1):
        scene.unit(0, squad, models=4, embarked_in=carrier, hull=hull)
    scene.unit(0, squad, at=[(23.5, 11.7), (23.5, 12.8)])
    scene.unit(0, squad, at=[(16.5, 11.7), (16.5, 12.8)])
    cannon = sheet("Guns", W=6, weapons={"cannon": ranged(48, A="D6", BS=2, S=12, AP=-3, D="D6")})
    scene.unit(1, cannon, at=[(18, 30), (26, 30)])
    scene.unit(1, sheet("Mob", weapons={"blade": melee(A=3, S=6, AP=-1)}), at=(18, 26), models=8)
    return scene.battle("movement", detail=detail, seed=seed, cp=CP, rules=RULES)


def penned(seed: int, detail: str) -> Battle:
    """A TRANSPORT about to be destroyed between walls that leave no room for all of its passengers."""
    scene = Scene()
    for box in ((10.0, 5.0, 17.5, 25.0), (23.7, 5.0, 30.0, 25.0), (17.5, 17.5, 22.5, 25.0), (17.5, 5.0, 22.5, 12.5)):
        scene.box(*box, 5)
    scene.box(22.5, 18.8, 23.7, 25.0, 5)
    scene.box(22.5, 5.0, 23.7, 11.2, 5)
    carrier = scene.unit(1, buses(1, 1, hull=(5, 5)), at=(20, 15), facing=0.0)
    scene.unit(1, sheet("Passengers"), models=6, embarked_in=carrier)
    scene.unit(1, sheet("More passengers"), models=6, embarked_in=carrier)
    cannon = {"cannon": ranged(48, A=20, BS=2, S=16, AP=-6, D=6, abilities=["Indirect Fire"])}
    scene.unit(0, sheet("Guns", weapons=cannon), at=[(20, 2.5), (22, 2.5)])
    return scene.battle("shooting", detail=detail, seed=seed, cp=CP, rules={**RULES, "rounds": 1})


def duel(seed: int, detail: str) -> Battle:
    """Attached units of unusual weapons and saves, engaged with two enemies each; rules due at the same moments."""
    scene = Scene()
    weapons = {
        "claws": melee(A="D6", S=6, AP=-1, D="D3", abilities=["Precision", "Twin-linked"]),
        "tail": melee(A=2, S=5, abilities=["Extra Attacks"]),
        "rifle": ranged(24, A=2, BS=3, S=6, AP=-1, D=2, abilities=["Precision", "Pistol"]),
    }
    common = {"W": 2, "Sv": 4, "invuln": 5, "invuln2": 6, "fnp": 6, "weapons": weapons}
    tough = {"feel_no_pain": 5}
    for player, y in ((0, 20.0), (1, 22.6)):
        for x in (10.0, 16.0):
            guard = scene.unit(player, sheet("Guard", abilities=tough, **common), at=(x, y), models=4, gap=0.2)
            lord = sheet("Lord", keywords=("INFANTRY", "CHARACTER"), abilities={**tough, "leader": ["Guard"]}, **common)
            scene.unit(player, lord, at=(x + 1.5, y + (1.3 if player else -1.3)), leads=guard)
            for number, effect in enumerate(("mortal", "heal", "return", "cp", "leadership")):
                rule = TimedRule(f"{effect} {x:g}", "command", player, effect, guard, 1, round=2 + number % 2)
                scene.rule(rule)
        scene.rule(TimedRule(f"open {player}", "round-end", player, "dispute", -1, 0))
    rules = {**RULES, "disputes": [CASE], "rerolls": [{"player": 0, "roll": "attacks"}]}
    return scene.battle("fight", detail=detail, seed=seed, cp=CP, rules=rules)


def muster(seed: int, detail: str) -> Battle:
    """From the battle formations on: Hover mode, Leaders, passengers, Reserves, rules before the battle, random Moves."""
    scene = Scene()
    jet = {"M": 20, "W": 10, "T": 8, "base_mm": 60, "weapons": {"bolts": ranged(36, A=4, BS=3, S=6)}}
    crawlers = {"weapons": {"maw": melee(A="D3", S=5)}, "models": (3, 5)}
    for player in (0, 1):
        scene.unit(player, sheet("Jet", keywords=("VEHICLE", "AIRCRAFT", "FLY"), abilities={"hover": True}, **jet))
        scene.unit(player, sheet("Crawlers", M="2D6", **crawlers), models=4)
        leader = {"leader": ["Crawlers"]}
        scene.unit(player, sheet("Brood", M="D6+3", keywords=("INFANTRY", "CHARACTER"), abilities=leader))
        scene.unit(player, buses(2, 8), models=2)
        scene.unit(player, sheet("Squad", weapons={"rifle": ranged(24, A=2)}), models=5)
        scene.unit(player, sheet("Sneaks", abilities={"scouts": 6, "deep_strike": True}), models=3)
        for number in range(2):
            scene.rule(TimedRule(f"omen {number}", "before-battle", player, "cp", -1, 1, own_turn_only=False))
        scene.rule(TimedRule("moved up", "after-deployment", player, "none", -1, 0, own_turn_only=False))
    rules = {**RULES, "formations": "choose", "strategic_reserves_points": 300}
    return scene.battle("mission", detail=detail, seed=seed, attacker=None, rules=rules)


def crowded(seed: int, detail: str) -> Battle:
    """A deployment zone so narrow that a unit set up model by model runs out of room."""
    scene = Scene(zone_depth=2.2)
    scene.unit(0, sheet("Big", base_mm=2.1 * 25.4), models=2)
    scene.unit(0, sheet("Wall", hull_in=(2.2, 15)), models=2)
    scene.unit(1, sheet("Theirs", base_mm=20), models=1)

    def narrow(g: Battle) -> None:
        for k, x in ((2, 10.5), (3, 49.5)):
            m = g.models
            m.x[k], m.y[k], m.facing[k], m.on_table[k] = x, 1.1, pi / 2, 1
        g.units.place[1] = ON_TABLE

    return scene.battle("mission", detail=detail, seed=seed, rules={**RULES, "rounds": 1}, set_state=narrow)


def epic_assault(seed: int, detail: str) -> Battle:
    """Epic-scale: an assault phase of mobs and companies in contact or a short way apart, and some in retreat."""
    scene = EpicScene(morale=(4, 4))
    scene.area("woods", 40, 50, 60, 70)
    scene.objective(30, 60)
    for player, y, step in ((0, 52.0, -2.0), (1, 58.0, 2.0)):
        for number, x in enumerate((20.0, 40.0, 60.0)):
            card = ("Terminator", "Tactical Marine", "Veteran") if player == 0 else ("Nob", "Boy", "Boy")
            near = 54.5 + player if number < 2 else y
            spots = [(x + 1.2 * n, near + step * (n % 2) * number) for n in range(5)]
            scene.formation(player, card[number], at=spots, order="charge", lost=number)
        vehicle = "Land Raider" if player == 0 else "Kill Blasta"
        scene.formation(player, vehicle, at=[(85, y)], order="charge")
        shooter = "Predator" if player == 0 else "Warbuggy"
        scene.formation(player, shooter, at=[(95, y + 5 * step)], order="support-fire")
        scene.formation(
            player, "Boy", at=[(100 + 2.4 * n, y + 6 * step) for n in range(3)], order="march", retreating=1
        )
        scene.formation(player, "Boy", at=[(10 + 2.4 * n, y + 9 * step) for n in range(3)], order="march", retreating=1)
    return scene.battle("assault", turn=2, detail=detail, seed=seed)


def epic_firefight(seed: int, detail: str) -> Battle:
    """Epic-scale: formations that give support fire at close range, and some that have lost enough to test."""
    scene = EpicScene(morale=(4, 4))
    for player, y in ((0, 45.0), (1, 60.0)):
        for x, card in ((20.0, "Boy"), (45.0, "Terminator"), (70.0, "Nob")):
            spots = [(x + 2.4 * n, y) for n in range(5)]
            scene.formation(player, card, at=spots, order="support-fire", lost=3, lost_now=1)
        scene.formation(player, "Predator", at=[(95, y)], order="support-fire")
    return scene.battle("fire", turn=1, detail=detail, seed=seed)


SCENES: Mapping[str, Callable[[int, str], Battle]] = MappingProxyType(
    {
        "brawl": brawl,
        "convoy": convoy,
        "penned": penned,
        "duel": duel,
        "muster": muster,
        "crowded": crowded,
        "epic-assault": epic_assault,
        "epic-firefight": epic_firefight,
    }
)
