"""What all Stratagems share: cost, once a phase, categories, whose turn (w10.stratagem.pay and others); Rapid Ingress."""

from __future__ import annotations

from collections import Counter

import pytest

from wh_env.rulesets.w10.codes import Phase
from wh_env.rulesets.w10.stratagems.book import BOOK, TABLE
from wh_env.rulesets.w40k.edition_parts.stratagem_book import Category
from wh_env.testing import (
    Scene,
    cell_nearest,
    choose,
    dice_left,
    kind,
    melee,
    pick,
    play_until,
    ranged,
    script,
    sheet,
    slots,
    told,
    words,
)

POOR = {"cp_each_command_phase": 0}
GUN = {"gun": ranged(24, BS=3, S=4)}


def coordinates(battle):
    """The places of an arrive-at decision, by action."""
    found = {}
    for action, text in words(battle).items():
        x, y = text.split(" at ")[1].split(", ")
        found[action] = (float(x), float(y))
    return found


# ---------------------------------------------------------------- cost


@pytest.mark.rule("w10.stratagem.pay")
def test_what_is_spent_is_gone_and_what_is_too_dear_is_not_offered():
    """B has 2 CP: after Go to Ground (1 CP) 1 is left, and Counter-offensive (2 CP) is not offered; unspent, it is."""
    for use in (True, False):
        scene = Scene()
        scene.unit(0, sheet("Guns", weapons=GUN), at=(10, 10))
        scene.unit(0, sheet("Chargers", W=9), at=(20, 17), charged=1)
        scene.unit(0, sheet("More", W=9), at=(21.5, 17), charged=1)
        scene.unit(1, sheet("Target", W=9), at=(8, 20))
        scene.unit(1, sheet("Fighters", W=9), at=(20.75, 18.5))
        rules = {**POOR, "stratagems": {"heroic-intervention": "off"}}
        battle = scene.battle("shooting", cp=(0, 2), dice=[1], rules=rules)
        pick(battle, "Guns")
        pick(battle, "Go to Ground: Target" if use else "no Go to Ground", kind="go-to-ground")
        assert battle.players.cp[1] == (1 if use else 2)
        play_until(battle, "select-to-fight")
        assert battle.clock.phase[0] == Phase.FIGHT
        pick(battle, "Chargers")
        while kind(battle) in ("pile-in", "consolidate", "fight-target"):
            battle.apply(battle.first_legal())
        assert (kind(battle) == "counter-offensive") == (not use)


@pytest.mark.rule("w10.stratagem.pay", "w10.stratagem.turn-marks")
def test_the_table_of_costs_and_turns():
    """Name, CP and in whose turn, as the table of the rule has them."""
    expected = {
        "command-re-roll": (1, "either"),
        "counter-offensive": (2, "either"),
        "epic-challenge": (1, "either"),
        "insane-bravery": (1, "own"),
        "grenade": (1, "own"),
        "tank-shock": (1, "own"),
        "fire-overwatch": (1, "opponent's"),
        "rapid-ingress": (1, "opponent's"),
        "go-to-ground": (1, "opponent's"),
        "smokescreen": (1, "opponent's"),
        "heroic-intervention": (2, "opponent's"),
    }
    assert {entry.name: (entry.cp, entry.turn.value) for entry in TABLE.values()} == expected


@pytest.mark.rule("w10.stratagem.categories")
def test_the_categories():
    by_category = {category: {e.name for e in TABLE.values() if e.category is category} for category in Category}
    assert by_category == {
        Category.BATTLE_TACTIC: {"command-re-roll", "go-to-ground"},
        Category.EPIC_DEED: {"epic-challenge", "insane-bravery"},
        Category.STRATEGIC_PLOY: {
            "counter-offensive",
            "tank-shock",
            "fire-overwatch",
            "rapid-ingress",
            "heroic-intervention",
        },
        Category.WARGEAR: {"grenade", "smokescreen"},
    }
    assert Counter(len(names) for names in by_category.values()) == {2: 3, 5: 1}


@pytest.mark.rule("w10.stratagem.turn-marks")
def test_who_is_asked_for_what_in_whose_turn():
    """A and B field mirrored armies in which either could use everything, 2 CP each phase; a whole turn of A is played."""
    battle = everything({"command-re-roll": "ask"})
    asked: set[tuple[str, int]] = set()
    stratagems = {"command-re-roll-die", "command-re-roll", *BOOK.names}
    for _ in range(400):
        if battle.clock.turn[0] == 1 or battle.over:
            break
        battle.players.cp[0] = battle.players.cp[1] = 2
        decision = battle.decision
        if decision.kind in stratagems:
            name = "command-re-roll" if decision.kind.startswith("command-re-roll") else decision.kind
            asked.add((name, decision.player))
        if decision.kind == "select-to-shoot" and "use Grenade" in words(battle).values():
            asked.add(("grenade", decision.player))
        act(battle)
    own = {name for name, player in asked if player == 0}
    theirs = {name for name, player in asked if player == 1}
    assert own == {
        "command-re-roll",
        "counter-offensive",
        "epic-challenge",
        "grenade",
        "tank-shock",
        "insane-bravery",
    }
    assert theirs == {
        "command-re-roll",
        "counter-offensive",
        "epic-challenge",
        "fire-overwatch",
        "rapid-ingress",
        "go-to-ground",
        "smokescreen",
        "heroic-intervention",
    }


def everything(stratagems):
    """Mirrored armies: below half strength, GRENADES, SMOKE, VEHICLES, Attached units, Reserves."""
    scene = Scene(size=(60, 44))
    blade = {"blade": melee(A=1, WS=4, S=3)}
    for side, y, ahead in ((0, 15.0, 1.0), (1, 28.0, -1.0)):
        scene.unit(side, sheet(f"Few {side}"), at=(3, y - 12 * ahead), models=10, lost=range(6))
        scene.unit(side, sheet(f"Throwers {side}", W=30, keywords=("INFANTRY", "GRENADES")), at=(12, y + 3 * ahead))
        scene.unit(side, sheet(f"Guns {side}", W=30, weapons={"gun": ranged(36, A=2)}), at=(16, y - 3 * ahead))
        scene.unit(side, sheet(f"Smoke {side}", W=30, keywords=("INFANTRY", "SMOKE")), at=(20, y - 3 * ahead))
        scene.unit(
            side,
            sheet(f"Tank {side}", W=30, keywords=("VEHICLE",), weapons={"ram": melee(S=4)}),
            at=(30, y + 2 * ahead),
        )
        scene.unit(side, sheet(f"Near {side}", W=30), at=(35, y + 2 * ahead))
        scene.unit(side, sheet(f"Diver {side}", abilities={"deep_strike": True}), models=1, reserves="deep-strike")
    # a fight in the middle, each side with an Attached unit and one more
    for side, y in ((0, 21.3), (1, 22.7)):
        squad = scene.unit(side, sheet(f"Squad {side}", W=30, weapons=blade), at=(48, y))
        lord = sheet(
            f"Lord {side}",
            W=30,
            keywords=("INFANTRY", "CHARACTER"),
            weapons=blade,
            abilities={"leader": [f"Squad {side}"]},
        )
        scene.unit(side, lord, at=(49.1, y), leads=squad)
        scene.unit(side, sheet(f"Friend {side}", W=30, weapons=blade), at=(50.3, y))
        scene.unit(side, sheet(f"Other {side}", W=30, weapons=blade), at=(46.9, y))
    rules = {**POOR, "stratagems": stratagems}
    return scene.battle("command", round=2, cp=(2, 2), rules=rules, dice=[1, 1])


def act(battle):
    """One answer: Stratagems refused, units kept where they are, everybody shoots, charges and fights who can."""
    known = words(battle)
    what = kind(battle)
    if what == "move-kind":
        wanted = next((a for a, w in known.items() if "Normal move" in w), battle.first_legal())
    elif what == "move-to":
        wanted = battle.setup.space.cell + battle.setup.space.grid**2 // 2
    elif what == "shoot-target":
        wanted = next(a for a, w in known.items() if w.startswith("Smoke"))
    elif what in ("select-to-shoot", "select-to-charge"):
        units = [a for a, w in known.items() if w not in ("done", "use Grenade")]
        wanted = units[0] if units else 0
        if what == "select-to-charge":
            wanted = next((a for a, w in known.items() if w.startswith("Tank")), 0)
            script(battle, [6, 6])
    else:
        wanted = battle.first_legal()
    battle.apply(wanted)


@pytest.mark.rule("w10.stratagem.once-per-phase")
def test_different_stratagems_in_one_phase_and_the_same_again_in_another_turn():
    """Go to Ground on the first volley; the second volley opens Smokescreen but not Go to Ground."""
    scene = Scene()
    for n in range(2):
        scene.unit(0, sheet(f"Guns {n}", weapons=GUN), at=(10 + 4 * n, 10))
    scene.unit(1, sheet("Target", W=9, keywords=("INFANTRY", "SMOKE")), at=(12, 20))
    battle = scene.battle("shooting", cp=(0, 5), dice=[1, 1], rules=POOR)
    pick(battle, "Guns 0")
    pick(battle, "Go to Ground: Target")
    pick(battle, "no Smokescreen")
    pick(battle, "Guns 1", kind="select-to-shoot")
    assert kind(battle) == "smokescreen"
    pick(battle, "Smokescreen: Target")
    assert battle.players.cp[1] == 3
    play_until(battle, "select-to-shoot")
    assert battle.clock.round[0] == 2
    pick(battle, "Guns 0")
    assert kind(battle) == "go-to-ground"


@pytest.mark.rule("w10.command.battle-shock.stratagems", "w10.stratagem.go-to-ground")
def test_of_two_targets_the_battle_shocked_one_is_left_out():
    scene = Scene()
    weapons = {"gun": ranged(24, BS=3), "other": ranged(24, BS=3)}
    scene.unit(0, sheet("Guns", weapons=weapons), at=(10, 10))
    scene.unit(1, sheet("Calm", W=9), at=(8, 20))
    scene.unit(1, sheet("Shaken", W=9), at=(12, 20), shocked=1)
    rules = {**POOR, "stratagems": {"command-re-roll": "off"}}
    battle = scene.battle("shooting", cp=(0, 1), rules=rules, detail="full")
    pick(battle, "Guns")
    choose(battle, "enemy", 0)
    choose(battle, "enemy", 1)
    assert kind(battle) == "go-to-ground"
    assert sorted(words(battle).values()) == ["Go to Ground: Calm", "no Go to Ground"]


def test_an_unknown_name_or_mode_is_refused():
    scene = Scene()
    scene.unit(0, sheet("Mine"), at=(10, 10))
    scene.unit(1, sheet("Theirs"), at=(10, 30))
    for wrong in ({"overwatch": "ask"}, {"fire-overwatch": "maybe"}):
        with pytest.raises(ValueError, match="stratagems"):
            scene.battle("movement", rules={"stratagems": wrong})


def test_every_stratagem_can_be_switched_off():
    battle = everything(dict.fromkeys(BOOK.names, "off"))
    seen = set()
    while battle.clock.turn[0] == 0:
        battle.players.cp[0] = battle.players.cp[1] = 5
        seen.add(kind(battle))
        act(battle)
    assert not seen & {"command-re-roll-die", "grenade-target", *BOOK.names}


# ---------------------------------------------------------------- Rapid Ingress


def ingress(*, battle_round=2, by="deep-strike", cp=(0, 1), size=(60, 44), rules=None):
    """Player 0's Movement phase, with nothing left to decide but what happens at its end; a unit of player 1 in Reserves."""
    scene = Scene(size=size)
    scene.unit(0, sheet("Mine", W=9), at=(30, 10))
    scene.unit(1, sheet("Standing", W=9), at=(3, 41))
    diver = sheet(
        "Diver", W=9, weapons={"blade": melee()}, abilities={"deep_strike": True} if by == "deep-strike" else {}
    )
    scene.unit(1, diver, models=1, reserves=by)
    battle = scene.battle("movement", round=battle_round, cp=cp, rules={**POOR, **(rules or {})})
    pick(battle, "Remain Stationary")
    return battle


@pytest.mark.rule("w10.stratagem.rapid-ingress")
def test_a_deep_strike_unit_arrives_at_the_end_of_the_opponents_movement_phase():
    """More than 9" from every enemy model; 1 CP; then it can be charged and fights this turn."""
    battle = ingress()
    assert (kind(battle), battle.decision.player) == ("rapid-ingress", 1)
    assert battle.clock.phase[0] == Phase.MOVEMENT
    assert sorted(words(battle).values()) == ["Rapid Ingress: Diver", "no Rapid Ingress"]
    pick(battle, "Rapid Ingress: Diver")
    assert (kind(battle), battle.decision.player) == ("arrive-at", 1)
    places = coordinates(battle)
    gaps = [((x - 30) ** 2 + (y - 10) ** 2) ** 0.5 - 1.0 for x, y in places.values()]
    assert min(gaps) > 9.0
    assert min(gaps) < 12.0
    script(battle, [6, 6])
    battle.apply(min(places, key=lambda action: (places[action][0] - 30) ** 2 + (places[action][1] - 10) ** 2))
    assert battle.players.cp[1] == 0
    assert 9.0 < battle.distance(0, 2) < 12.0
    assert kind(battle) == "select-to-charge"
    pick(battle, "Mine")
    while kind(battle) == "charge-target":
        choose(battle, "done") if battle.legal()[0] else choose(battle, "enemy", 1)
    assert told(battle, "w10.charge.move") == [{"unit": 0}]
    assert dice_left(battle) == 0
    play_until(battle, "move-kind")
    assert 2 in [e["unit"] for e in told(battle, "w10.fight.alternate")]


@pytest.mark.rule("w10.stratagem.rapid-ingress")
def test_it_may_be_left_and_needs_a_cp():
    battle = ingress()
    pick(battle, "no Rapid Ingress")
    assert battle.players.cp[1] == 1
    assert battle.units.reserve[2] != 0
    assert kind(ingress(cp=(5, 0))) != "rapid-ingress"
    off = ingress(rules={"stratagems": {"rapid-ingress": "off"}})
    assert kind(off) != "rapid-ingress"


@pytest.mark.rule("w10.stratagem.rapid-ingress.round")
@pytest.mark.parametrize(("battle_round", "offered"), [(1, False), (2, True)])
def test_strategic_reserves_not_in_the_first_round(battle_round, offered):
    battle = ingress(battle_round=battle_round, by="strategic")
    assert (kind(battle) == "rapid-ingress") == offered
    if offered:
        # the limits of round 2: wholly within 6" of an edge, not in the enemy zone (y up to 10), 9" from enemies
        pick(battle, "Rapid Ingress: Diver")
        for x, y in coordinates(battle).values():
            assert min(x, 60 - x, y, 44 - y) <= 5.5 + 0.05
            assert y - 0.5 >= 10.0 - 0.05


@pytest.mark.rule("w10.stratagem.out-of-phase")
def test_a_unit_that_arrived_so_is_free_in_its_own_turn():
    """It is selected to move in its player's next Movement phase as ever, and nobody may shoot at it on arrival."""
    battle = ingress(cp=(5, 1))
    pick(battle, "Rapid Ingress: Diver")
    battle.apply(battle.first_legal())
    assert kind(battle) != "fire-overwatch"
    assert battle.players.cp[0] == 5
    play_until(battle, "select-to-move")
    assert battle.decision.player == 1
    assert slots(battle, "own") == [0, 1]


# ---------------------------------------------------------------- Overwatch and embarking


@pytest.mark.rule("w10.stratagem.fire-overwatch.embarking")
@pytest.mark.parametrize("embarks", [True, False])
def test_a_unit_that_embarks_is_not_shot_at_where_its_move_ends(embarks):
    """A window opened where it started to move; after embarking none opens, after staying outside one does."""
    scene = Scene()
    scene.unit(0, sheet("Runner", W=9), at=(30, 12))
    scene.unit(
        0,
        sheet("Bus", hull_in=(5, 3), keywords=("VEHICLE", "TRANSPORT"), abilities={"transport": {"capacity": 10, "allowed": ["INFANTRY"]}}),
        at=(30, 18),
    )  # fmt: skip
    scene.unit(1, sheet("Guards", weapons={"gun": ranged(36)}), at=(40, 27))
    battle = scene.battle("movement", cp=(0, 1), rules=POOR)
    pick(battle, "Runner", kind="select-to-move")
    pick(battle, "Normal move")
    assert kind(battle) == "fire-overwatch"
    pick(battle, "no Fire Overwatch")
    choose(battle, "cell", cell_nearest(battle, 0.0, 1.5, 6.0))
    assert kind(battle) == "embark"
    assert battle.decision.player == 0
    pick(battle, "embark in Bus" if embarks else "do not embark")
    assert (kind(battle) == "fire-overwatch") == (not embarks)
    assert battle.models.on_table[0] == (0 if embarks else 1)
