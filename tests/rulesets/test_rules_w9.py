"""Every rule of the 9th edition that a battle may override (``CORE_RULES``), and every rule about parts of terrain (``PART_RULES``), changes what
is played: each is asked for in a position where another value gives another answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from ninth import NinthScene, small_battle

from wh_env import Battle
from wh_env.core.tables import RESERVE
from wh_env.rulesets.w9.codes import Phase
from wh_env.rulesets.w9.mission.quarters import QUARTERS
from wh_env.rulesets.w9.mission.scoring import CONDITIONS
from wh_env.rulesets.w9.mission.stand import STANDING
from wh_env.rulesets.w9.numbers import CORE_RULES, PART_RULES
from wh_env.rulesets.w9.objective.control import GIVES
from wh_env.rulesets.w9.rare.stationary import CHARGE, RAPID_FIRE_AT_ANY_RANGE, SHOOTING
from wh_env.rulesets.w9.ruleset import NINTH_EDITION, NinthEdition
from wh_env.rulesets.w9.terrain import CONTAINER_MASS, RUIN_FLOOR, RUIN_MASS, RUIN_WALL
from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.move.unit_moves import fill_cells
from wh_env.rulesets.w40k.profiles import Keyword
from wh_env.rulesets.w40k.questions.move_limits import NORMAL, limits_for
from wh_env.rulesets.w40k.sequence.sequencing import TimedRule
from wh_env.rulesets.w40k.terrain.types import PartRules
from wh_env.testing import Scene, pick, ranged, sheet, words

Answer = Any
Rules = Mapping[str, Any]
Probe = Callable[[Rules], Answer]

AREA = [[20, 14], [26, 14], [26, 28], [20, 28]]
MOST = 40  # decisions of a turn
QUIET = {"cp_each_command_phase": 0}
PLANE = ("VEHICLE", "AIRCRAFT", "FLY")
GUN = {"gun": ranged(24, A=2, BS=4, S=4, abilities=["Rapid Fire 2"])}


def passed(battle: Battle, until: Callable[[Battle], bool] = lambda _: False) -> Battle:
    """Everybody declines what can be declined, and takes the first option else, until this holds or the battle is over."""
    while battle.decision is not None and not until(battle):
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    return battle


def kinds_asked(battle: Battle, until: Callable[[Battle], bool]) -> list[tuple[str, int, int]]:
    """Which decisions come until then: kind, player and number of options; the first option is always taken."""
    found = []
    while battle.decision is not None and not until(battle):
        found.append((battle.decision.kind, battle.decision.player, len(battle.decision.options)))
        battle.apply(battle.first_legal())
    return found


def begun(battle: Battle) -> bool:
    """Whether the first battle round has begun."""
    return bool(battle.clock.round[0])


# ---------------------------------------------------------------- what is asked


def mission(rules: Rules) -> Answer:
    """A battle from its mission sequence to the first turn."""
    battle = small_battle(seed=4, **rules)
    asked = kinds_asked(battle, begun)
    m, steps = battle.models, [event.data for event in battle.events if event.kind != "phase"]
    return asked, steps, battle.clock.attacker[0], battle.clock.turn[0], list(battle.players.cp), list(m.x), list(m.y)


def placing(rules: Rules) -> Answer:
    """Where the players may place the first two markers."""
    scene = NinthScene()
    for player in (0, 1):
        scene.unit(player, sheet(f"Line {player}"), place="deploy")
    battle = scene.battle("mission", rules={"players_place_markers": 4, **rules})
    found = []
    for _ in range(4):
        assert battle.decision is not None
        found.append((battle.decision.kind, tuple(battle.decision.options)))
        battle.apply(battle.decision.options[len(battle.decision.options) // 2])
    return found


def battlefield(rules: Rules) -> Answer:
    """The first decision of a shipped battle."""
    battle = Battle.load("w9/only-war-patrol", 1, rules=dict(rules))
    return battle.decision.kind if battle.decision is not None else None


def reserved(rules: Rules) -> Answer:
    """Who is in Reserves where the players put there whomever they can."""
    battle = small_battle(seed=2, **{"formations": "choose", "cp_at_start": (6, 6), **rules})
    while battle.decision is not None and not begun(battle):
        battle.apply(battle.decision.options[-1 if battle.decision.kind == "reserves" else 0])
    return list(battle.units.reserve)


def scored(rules: Rules) -> Answer:
    """Victory points and Command points of either player, and the battle rounds that were played, of a battle in which nobody does anything:
    player 0 has three units at markers, one of them just out of range and one too high, and has slain the enemy WARLORD."""
    scene = NinthScene(size=(60, 44))
    one, hero = sheet("One", W=3), sheet("Hero", W=3, keywords=("INFANTRY", "CHARACTER"))
    for x, y in ((15, 10), (30, 10), (45, 10), (30, 38), (15, 30)):
        scene.marker(x, y)
    scene.box(43, 11.5, 47, 14.5, 5.5)
    scene.unit(0, hero, at=(15, 11.5), models=1, warlord=True)
    scene.unit(0, one, at=(34.8, 10), models=1)
    scene.unit(0, one, at=(45, 12.5, 5.5), models=1)
    scene.unit(0, one, at=(15, 30), models=1)
    scene.unit(1, one, at=(30, 39.5), models=1)
    slain = scene.unit(1, hero, at=(57, 40), models=1, warlord=True)
    scene.rule(TimedRule("Doom", "command", 0, "mortal", slain, 3, round=2))
    scene.rule(TimedRule("Gift", "command", 0, "cp", -1, 2))

    def identified(battle: Battle) -> None:
        battle.standing[0] = 1

    battle = passed(scene.battle("command", set_state=identified, rules=rules))
    return list(battle.players.vp), list(battle.players.cp), battle.clock.round[0]


def arriving(rules: Rules) -> Answer:
    """In which rounds units in Reserves may arrive, and where they are at the end, if nobody does."""
    scene = NinthScene()
    scene.unit(0, sheet("Watch"), at=(3, 22), models=1)
    scene.unit(0, sheet("Flank"), reserves="strategic", models=1)
    scene.unit(0, sheet("Diver", abilities={"deep_strike": True}), reserves="deep-strike", models=1)
    scene.unit(1, sheet("Foe"), at=(57, 22), models=1)
    asked = []

    def late(battle: Battle) -> None:
        for unit in range(4):
            battle.waiting[unit] = battle.units.place[unit] == RESERVE  # since before the battle began

    battle = scene.battle(first_player=0, set_state=late, rules={**QUIET, **rules})
    while battle.decision is not None:
        if battle.decision.kind == "select-reserves":
            asked.append((battle.clock.round[0], sorted(words(battle).values())))
        lost = battle.clock.round[0], list(battle.units.place)
        if not asked or asked[-1] != lost:
            asked.append(lost)
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    return asked


def flying_off(rules: Rules) -> Answer:
    """What an AIRCRAFT 25" from the edge may do, its rules for normal moves, and what follows if it leaves."""
    scene = NinthScene(size=(60, 44))
    jet = sheet("Jet", M=60, hull_in=(4, 2), height=3, W=10, models=(1, 1), keywords=PLANE)
    scene.unit(0, jet, at=(33, 22), facing=0.0, least_move=20)
    scene.unit(0, sheet("Watch"), at=(3, 3), models=1)
    scene.unit(1, sheet("Foe", W=5), at=(45, 22), models=1)
    battle = scene.battle(dice=[6], rules={**QUIET, **rules})
    pick(battle, "Jet", kind="select-to-move")
    pick(battle, "Normal move")
    battle.apply(battle.first_legal())  # straight on
    offered = sorted(words(battle).values())
    battle.apply(battle.first_legal())
    return offered, list(battle.units.place), list(battle.models.wounds), list(battle.players.cp)


def turn(rules: Rules, move: str = "Normal move") -> Answer:
    """What is asked, told and rolled in a turn in which a unit moves, shoots and charges."""
    scene = NinthScene()
    scene.unit(0, sheet("Squad", M=6, weapons=GUN, keywords=("INFANTRY", "TROOPS")), at=(20, 20), models=3)
    scene.unit(1, sheet("Foe", W=9, Sv=7, weapons=GUN), at=(20, 30), models=3)
    scene.rule(TimedRule("Open", "command", 0, "dispute", -1, 0))
    case = {"name": "Open", "outcomes": [{"name": "X", "effect": "none"}]}
    dice = [2, 1] + [3, 4, 1, 5, 6, 2] * 8
    battle = scene.battle("command", dice=dice, cp=(5, 5), rules={**QUIET, "disputes": (case,), **rules})
    found: list[Any] = []
    while battle.decision is not None and battle.clock.turn[0] == 0 and len(found) < MOST:
        found.append((battle.decision.kind, tuple(battle.decision.options)))
        text = next((a for a, word in words(battle).items() if word.endswith(move)), None)
        battle.apply(text if text is not None else battle.decision.options[-1])
    return found, [(event.rule, event.kind) for event in battle.events], list(battle.models.wounds)


def advancing(rules: Rules) -> Answer:
    """The same where it Advances."""
    return turn(rules, "Advance")


def standing_still(rules: Rules) -> Answer:
    """What is asked, and how many attacks hit, when a unit that has not moved shoots at its longest range."""
    scene = NinthScene()
    scene.unit(0, sheet("Squad", weapons=GUN), at=(20, 10), models=1)
    scene.unit(1, sheet("Foe", W=9, Sv=7), at=(20, 30), models=1)
    battle = scene.battle("shooting", dice=[1, 6, 1, 6] * 4, rules=rules)
    asked = []
    while battle.decision is not None and battle.clock.phase[0] == Phase.SHOOTING:
        asked.append(battle.decision.kind)
        battle.apply(battle.decision.options[-1])
    return asked, [event.data["die"] for event in battle.events if event.rule == "w9.attack.hit"]


def riding(rules: Rules) -> Answer:
    """Who may do something after a TRANSPORT has moved."""
    scene = NinthScene()
    carried = {"transport": {"capacity": 12, "allowed": ["INFANTRY"]}}
    bus = sheet("Bus", M=12, hull_in=(5, 3), models=(1, 1), keywords=("VEHICLE", "TRANSPORT"), abilities=carried)
    carrier = scene.unit(0, bus, at=(20, 22), moved=Moved.NORMAL, selected=1)
    scene.unit(0, sheet("Squad"), models=1, embarked_in=carrier)
    scene.unit(0, sheet("Watch"), at=(3, 3), models=1)
    scene.unit(1, sheet("Foe"), at=(50, 40), models=1)
    return sorted(words(scene.battle(rules=rules)).values())


def inspired(rules: Rules) -> Answer:
    """A Morale test near a statue."""
    scene = NinthScene()
    scene.box(20, 20, 22, 22, 3, kind="statue")
    unit = scene.unit(0, sheet("Shaken", Ld=7), at=[(1, 1), (26, 21), (27.4, 21)], lost=[0])
    scene.unit(1, sheet("Calm"), at=(50, 10), models=1)

    def strike(battle: Battle) -> None:
        battle.toll[unit.model(0)] = 1

    battle = scene.battle("morale", dice=[5], set_state=strike, rules={**QUIET, **rules})
    return [event.data for event in battle.events if event.rule == "w9.morale.test"]


def contested(rules: Rules) -> Answer:
    """Who controls a marker beside which one model of Troops of player 0 faces two others."""
    scene = NinthScene()
    scene.marker(20, 20)
    scene.unit(0, sheet("Mine", keywords=("INFANTRY", "TROOPS")), at=(20, 21.5), models=1)
    scene.unit(1, sheet("Theirs"), at=(19.5, 18.5), models=2)
    battle = scene.battle("morale", rules={**QUIET, **rules})
    passed(battle, lambda b: b.clock.turn[0] == 1)
    return list(battle.objectives.holder)


# ---------------------------------------------------------------- which rule is shown by which of them: the other value, the rest, who is asked

PRAYER = {
    "name": "Prayer", "faction": "Root", "sub_faction": None, "cp": 1, "moment": "movement-ends", "turn": "own", "effect": "heal",
    "amount": 1, "keyword": None, "access": (True, True),
}  # fmt: skip
OVERWATCH = {"stratagems": {"fire-overwatch": "ask"}}
SHOWN: Mapping[str, tuple[Any, Rules, Probe]] = {
    "detail": ("full", {}, turn),
    "formations": ("choose", {}, mission),
    "terrain": ("players", {}, battlefield),
    "attacker": (1, {}, mission),
    "first_player": (0, {"first_player": 1}, mission),
    "rounds": (4, {}, scored),
    "cp_each_command_phase": (2, {}, scored),
    "extra_cp_each_round": (2, {}, scored),
    "first_scoring_round": (2, {}, scored),
    "vp_each_marker": (2, {}, scored),
    "max_vp_each_turn": (1, {}, scored),
    "vp_more_markers": (2, {}, scored),
    "vp_warlord": (2, {}, scored),
    "vp_each_unit_destroyed": (1, {}, scored),
    "marker_range": (4.0, {}, scored),
    "marker_vertical": (6.0, {}, scored),
    "marker_from_edge": (9.0, {}, placing),
    "marker_from_marker": (10.0, {}, placing),
    "strategic_reserves": (False, {}, flying_off),
    "half_in_reserves": (True, {}, reserved),
    "moved": (({"unit": 0, "inches": 20, "effect": "cp", "amount": 1},), {}, flying_off),
    "moves_normally": (({"unit": 0, "inches": 1.0},), {}, flying_off),
    "stratagems": ({"fire-overwatch": "off"}, OVERWATCH, turn),
    "rerolls": (({"player": 0, "roll": "hit"},), {"detail": "full"}, standing_still),
    "modifiers": (({"effect": "+1 to hit", "keyword": "INFANTRY"},), {}, turn),
    "disputes": (({"name": "Open", "outcomes": [{"name": "X", "effect": "mortal", "unit": 0, "amount": 1}]},), {}, turn),
    "inspiring": (({"feature": "statue"},), {}, inspired),
    "battle_forged": ((True, False), {"cp_at_start": (3, 3)}, mission),
    "cp_at_start": ((3, 2), {}, mission),
    "secondaries": (((QUARTERS,), ()), {}, scored),
    "primary": (CONDITIONS, {}, scored),
    "vp_each_condition": (4, {"primary": CONDITIONS}, scored),
    "vp_each_quarter": (2, {"secondaries": ((QUARTERS,), ())}, scored),
    "vp_each_standing": (4, {"secondaries": ((STANDING,), ())}, scored),
    "strategic_reserves_from_round": (1, {}, arriving),
    "reinforcements_from_round": (2, {}, arriving),
    "reserves_lost_after": (3, {}, arriving),
    "faction_stratagems": ((PRAYER,), {}, turn),
    "stratagem_costs": (
        ({"stratagem": "fire-overwatch", "operation": "add", "amount": 7, "player": 1},), OVERWATCH, turn,
    ),
    "crusade": (True, {}, mission),
    "control": (({"effect": GIVES, "keyword": "INFANTRY", "player": 1},), {}, contested),
    "stationary": (({"unit": 0, "phases": (SHOOTING, CHARGE)},), {}, advancing),
    "when_stationary": (({"unit": 0, "effect": RAPID_FIRE_AT_ANY_RANGE},), {}, standing_still),
    "leaves_after_move": ((1,), {}, riding),
}  # fmt: skip


@pytest.mark.parametrize("name", SHOWN)
def test_every_rule_counts(name: str) -> None:
    other, rest, probe = SHOWN[name]
    assert other != rest.get(name, CORE_RULES[name])
    assert probe({**rest, name: other}) != probe(rest)


def test_no_rule_is_left_out() -> None:
    assert SHOWN.keys() == CORE_RULES.keys()


# ---------------------------------------------------------------- parts of terrain


RUINS, CONTAINER = "ruins", "container"
IN_THE_WAY: Mapping[str, tuple[str, dict[str, Any]]] = {
    "wall": (RUINS, {"walls": [{"line": [[20.2, 14.1], [20.2, 27.9]], "height": 5.0}]}),
    "mass": (RUINS, {"masses": [{"polygon": AREA, "height": 3.0, "walkable": True}]}),
    "floor": (RUINS, {"floors": [{"polygon": AREA, "height": 1.3}]}),
    "container": (CONTAINER, {"masses": [{"polygon": AREA, "height": 3.0, "walkable": True}]}),
}
PART_BITS = {"wall": RUIN_WALL, "mass": RUIN_MASS, "floor": RUIN_FLOOR, "container": CONTAINER_MASS}


def reached(own: NinthEdition, keyword: str, part: str) -> Answer:
    """Where a model with the keyword can go, on the ground or onto something, that stands before such a part of terrain."""
    scene = Scene(edition=own)
    kind, parts = IN_THE_WAY[part]
    scene.features.append({"kind": kind, "polygon": AREA, "height": 5.0, "parts": parts})
    keywords = (keyword,) if keyword != "FLY" else ("VEHICLE", "FLY")
    scene.unit(0, sheet("Mine", M=9, keywords=keywords), at=(18.5, 21), models=1)
    scene.unit(1, sheet("Foes"), at=(55, 40), models=1)
    battle = scene.battle(detail="full", run=False)
    marks = np.zeros(battle.setup.space.grid**2, np.bool_)
    fill_cells(battle, 0, limits_for(battle, 0, NORMAL, 0.0), marks)
    return marks.tobytes()


@pytest.mark.parametrize(("column", "taken", "keyword", "part"), [
    *(("through", int(Keyword[k]), k, part) for k in ("INFANTRY", "BEASTS", "SWARM") for part in ("wall", "mass", "floor")),
    *(("floors", int(Keyword[k]), k, part) for k in ("INFANTRY", "BEASTS", "SWARM", "FLY") for part in ("floor", "container")),
    *(("through_parts", 1 << PART_BITS[part], "INFANTRY", part) for part in ("wall", "mass", "floor")),
    *(("floor_parts", 1 << PART_BITS[part], "VEHICLE", part) for part in ("mass", "floor", "container")),
])  # fmt: skip
def test_every_rule_about_parts_of_terrain_counts(column: str, taken: int, keyword: str, part: str) -> None:
    """Without this keyword, or this part, the model goes elsewhere."""
    before = getattr(PART_RULES, column)
    assert before & taken
    changed = replace(PART_RULES, **{column: before & ~taken})
    other = type("Changed", (NinthEdition,), {"numbers": replace(NINTH_EDITION.numbers, part_rules=changed)})()
    assert reached(other, keyword, part) != reached(NINTH_EDITION, keyword, part)


def test_no_rule_about_parts_of_terrain_is_left_out() -> None:
    assert {field.name for field in fields(PartRules)} == {"through", "through_parts", "floors", "floor_parts"}
    assert PART_RULES.through_parts == sum(1 << PART_BITS[part] for part in ("wall", "mass", "floor"))
    assert PART_RULES.floor_parts == sum(1 << bit for bit in PART_BITS.values())
