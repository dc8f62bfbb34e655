"""Mustering: battle sizes, Detachments, Battle-forged armies, the Warlord, conditions of whole armies (w9.army.*)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env.core.tables import DESTROYED
from wh_env.rulesets.w9.army.forces import BATTLE_SIZES, battle_forged, starting_cp
from wh_env.rulesets.w9.objective.control import GIVES, count_control
from wh_env.rulesets.w40k.keywords import keyword_bit
from wh_env.testing import kind, melee, play_until, sheet, told, words

# ---------------------------------------------------------------- Command points


def pools(cp, forged=(True, True)):
    """The pools while armies are deployed, and after the first Command phase of player 0."""
    scene = NinthScene()
    for player in (0, 1):
        scene.unit(player, sheet(f"Unit {player}"))
    rules = {"cp_at_start": cp, "battle_forged": forged, "first_player": 0}
    battle = scene.battle("mission", rules=rules)
    before = tuple(battle.players.cp)
    play_until(battle, "move-kind")
    return before, tuple(battle.players.cp)


@pytest.mark.rule("w9.army.battle-size")
@pytest.mark.parametrize(
    ("size", "cp", "points"),
    [("Combat Patrol", 3, 500), ("Incursion", 6, 1000), ("Strike Force", 12, 2000), ("Onslaught", 18, 3000)],
)
def test_the_size_of_the_battle_sets_the_pool_of_a_battle_forged_army(size, cp, points):
    assert starting_cp(size, []) == cp
    assert BATTLE_SIZES[size].points == points
    assert pools((cp, 3)) == ((cp, 3), (cp + 1, 3))
    assert pools((cp, 3), (False, True)) == ((0, 3), (0, 3))


@pytest.mark.rule("w9.army.detachments")
@pytest.mark.parametrize(
    ("detachments", "warlord", "cp"),
    [
        (["Battalion", "Patrol"], 0, 10),
        (["Battalion", "Patrol"], 1, 9),
        (["Battalion", "Patrol"], None, 7),
        (["Brigade"], 0, 12),
        (["Vanguard", "Spearhead"], 0, 6),
        (["Super-heavy", "Fortification Network"], None, 5),
    ],
)
def test_detachments_cost_cp_and_refund_them_with_the_warlord(detachments, warlord, cp):
    """Strike Force; the refund is not counted in the limit of a battle round."""
    assert starting_cp("Strike Force", detachments, warlord) == cp
    before, after = pools((starting_cp("Strike Force", detachments, warlord), 0))
    assert (before[0], after[0]) == (cp, cp + 1)


@pytest.mark.rule("w9.army.detachments")
def test_no_more_detachments_than_the_size_allows_nor_than_the_pool_pays():
    assert starting_cp("Incursion", ["Patrol", "Patrol"]) == 2
    with pytest.raises(ValueError, match="at most 2"):
        starting_cp("Incursion", ["Patrol"] * 3)
    with pytest.raises(ValueError, match="at most 3"):
        starting_cp("Combat Patrol", ["Super-heavy"])


@pytest.mark.rule("w9.army.battle-forged")
@pytest.mark.parametrize(("inside", "gained"), [(8, 1), (7, 0)])
@pytest.mark.parametrize("player", [0, 1])
def test_a_unit_outside_all_detachments_costs_the_bonus(inside, gained, player):
    """Eight units that share a Faction keyword."""
    army = [(number < inside, ["IMPERIUM", f"REGIMENT {number}", "TESTERS"]) for number in range(8)]
    forged = battle_forged(army, too_general=["Imperium"])
    rules = {"battle_forged": (forged, True) if player == 0 else (True, forged)}
    scene = NinthScene()
    for side in (0, 1):
        scene.unit(side, sheet(f"Unit {side}"), at=(5 + 45 * side, 20))
    battle = scene.battle("command", active=player, rules=rules)
    assert battle.players.cp[player] == gained


@pytest.mark.rule("w9.army.battle-forged")
@pytest.mark.parametrize(
    ("factions", "forged"),
    [
        ([["IMPERIUM", "A"], ["IMPERIUM", "A", "B"]], True),
        ([["IMPERIUM", "A"], ["IMPERIUM", "B"]], False),  # they share the most general one only
    ],
)
def test_all_units_share_a_faction_keyword_that_is_not_too_general(factions, forged):
    assert battle_forged([(True, own) for own in factions], too_general=["IMPERIUM"]) is forged


# ---------------------------------------------------------------- the Warlord


@pytest.mark.rule("w9.army.warlord")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("nominated", [0, 1])
def test_the_model_that_is_nominated_gains_the_keyword_and_no_other(player, nominated):
    scene = NinthScene()
    lords = [
        scene.unit(
            player, sheet(f"C{n}", keywords=("INFANTRY", "CHARACTER")), at=(10 + 5 * n, 10), warlord=n == nominated
        )
        for n in (0, 1)
    ]
    scene.unit(player, sheet("Line"), at=[(10, 15), (12, 15)])
    scene.unit(1 - player, sheet("Other"), at=(50, 40))
    battle = scene.battle("movement", run=False)
    bit = keyword_bit(battle.setup.statics["keyword_bits"], "WARLORD")
    assert bit
    assert [k for k in range(len(battle.models.x)) if battle.models.keywords[k] & bit] == [lords[nominated].first]


# ---------------------------------------------------------------- conditions of whole armies

MARKER = (30, 22)
IF_ALL = {"effect": GIVES, "keyword": "F", "player": 0, "if_all": {"keyword": "F", "except": ["AGENTS"]}}


def mustered(odd=None, player=0):
    """Six units of the player, all with keyword F but perhaps one; the battle in its first Movement phase."""
    scene = NinthScene()
    scene.marker(*MARKER)
    for number in range(6):
        keywords = ("INFANTRY", *((odd or ("F",)) if number == 5 else ("F",)))
        scene.unit(player, sheet(f"Unit {number}", keywords=keywords, weapons={"fist": melee()}))
    scene.unit(1 - player, sheet("Other"), models=5)
    row = {**IF_ALL, "player": player}
    battle = scene.battle("mission", rules={"control": (row,)})
    play_until(battle, "select-to-move")
    return battle


def secured(battle, player=0):
    """Whether the units with F have Objective Secured now: one of them at the marker against five enemies."""
    m = battle.models
    first, other = battle.players.first_unit[player], battle.players.first_unit[1 - player]
    saved = [(k, m.x[k], m.y[k]) for k in range(len(m.x))]
    for n, k in enumerate([*battle.members(first), *battle.members(other)]):
        m.x[k], m.y[k] = MARKER[0] + 2 * (n % 3) - 2, MARKER[1] + 2 * (n // 3) - 1
    count_control(battle)
    holder = battle.objectives.holder[0]
    for k, x, y in saved:
        m.x[k], m.y[k] = x, y
    return holder == player


@pytest.mark.rule("w9.army.all-units.when")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("odd", "on"), [(None, True), (("G",), False), (("AGENTS",), True)])
def test_whether_every_unit_has_the_keyword_is_settled_when_armies_are_mustered(player, odd, on):
    """Six units with F; five and one without; five and one that is among the exceptions."""
    battle = mustered(odd, player)
    assert secured(battle, player) is on
    (settled,) = told(battle, "w9.army.all-units.when")
    assert settled["passed"][player] is on
    steps = [
        event.data.get("name")
        for event in battle.events
        if event.rule in ("w9.deploy.sequence", "w9.army.all-units.when")
    ]
    assert steps.index("Muster Armies") < steps.index("F") < steps.index("Create the Battlefield")


@pytest.mark.rule("w9.army.all-units.added")
def test_units_added_later_do_not_switch_it_off():
    """A unit that has not the keyword is one of the army in round 2; the others have what they had."""
    battle = mustered()
    bit = keyword_bit(battle.setup.statics["keyword_bits"], "F")
    battle.units.keywords[5] &= ~bit
    assert secured(battle)
    until_round(battle, 3)
    assert secured(battle)


def until_round(battle, number):
    while battle.clock.round[0] < number:
        stay = [action for action, text in words(battle).items() if "Stationary" in text]
        battle.apply(stay[0] if stay else battle.first_legal())
    assert kind(battle)


@pytest.mark.rule("w9.army.all-units.lost")
def test_losses_do_not_switch_it_on():
    """The one unit without the keyword is destroyed in round 1."""
    battle = mustered(("G",))
    for k in battle.members(5):
        battle.models.alive[k] = battle.models.on_table[k] = battle.models.wounds[k] = 0
    battle.units.alive[5], battle.units.place[5] = 0, DESTROYED
    assert not secured(battle)
    until_round(battle, 2)
    assert not secured(battle)
