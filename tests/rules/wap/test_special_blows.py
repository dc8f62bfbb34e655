"""Special rules of who strikes: order, dice rolled again, Strength, ranks that support."""

from __future__ import annotations

from typing import Any

import pytest

from tests.arming import HORSE, beast, blow, line_of, man, pair, rider
from wh_env import Battle
from wh_env.rulesets.wap.basics.rerolls import NONE, Rerolls
from wh_env.rulesets.wap.basics.special_rules import gain
from wh_env.rulesets.wap.codes import FRONT, REAR
from wh_env.rulesets.wap.combat.close_combat import begin_combat, end_combat, round_over
from wh_env.rulesets.wap.morale.leadership import is_unmoved, psychology_test
from wh_env.rulesets.wap.rule_book import BOOK, FRENZY, HATRED, SNIPER
from wh_env.rulesets.wap.weapons.blows import (
    FIRST,
    LAST,
    ORDINARY,
    Blow,
    attack_kinds,
    blow_at,
    blow_of,
    extra_ranks,
    own_bonus,
)
from wh_env.rulesets.wap.weapons.saves import unsaved
from wh_env.testing import dice_left, script, told
from wh_env.testing.wap import RegimentScene, UnitHandle, fight, fight_again

FAST, SLOW = "Always Strikes First", "Always Strikes Last"


def ordered(*blows: Blow) -> list[int]:
    """Numbers of blows in the order in which they are struck."""
    return sorted(range(len(blows)), key=lambda n: (blows[n].tier, -blows[n].initiative))


def duel(mine: dict[str, Any], theirs: dict[str, Any]) -> tuple[Blow, Blow]:
    """What two cards strike each other with in the first round, without a charge."""
    battle, a, b = pair(mine, theirs)
    return blow(battle, a, b), blow(battle, b, a)


def hit_rolls(battle: Battle, unit: UnitHandle) -> tuple[tuple[int, ...], int]:
    """Final scores to hit of a unit in a round, and how many of them hit; it has one kind of Attack."""
    fight(battle, unit)
    [note] = [data for data in told(battle, "wap.combat.hit.roll") if data["unit"] == unit.row]
    return tuple(note["rolls"]), note["result"]


def struck_in_order(
    mine: dict[str, Any], theirs: dict[str, Any], player: int = 0, *, columns: dict[str, int] | None = None
) -> list[int]:
    """Whether ``mine`` (0) or ``theirs`` (1) struck, blow by blow; ``mine`` are a unit of this player, who cannot be slain."""
    cards, own = (
        ({**mine, "profile": mine["profile"] | {"t": 10}}, {**theirs, "profile": theirs["profile"] | {"t": 10}}),
        columns or {},
    )
    if player == 0:
        battle, a, _ = pair(*cards, models=(5, 5), columns=(own, {}), dice=[1] * 20)
    else:
        battle, _, a = pair(*cards[::-1], models=(5, 5), columns=({}, own), dice=[1] * 20)
    fight(battle, a)
    return [int(data["unit"] != a.row) for data in told(battle, "wap.combat.hit.roll")]


# ---------------------------------------------------------------- order


@pytest.mark.rule("wap.special.strike-order.table")
def test_tiers_of_the_order_of_strikes() -> None:
    """A hero who strikes first, elves, an orc who is slow, and who strikes last."""
    hero, elves = duel(man(i=2, rules=[FAST]), man(i=6))
    orc, monster = duel(man(i=1), man(i=4, rules=[SLOW]))
    both, _ = duel(man(i=3, rules=[FAST, SLOW]), man())
    assert [blow.tier for blow in (hero, elves, orc, monster, both)] == [FIRST, ORDINARY, ORDINARY, LAST, ORDINARY]
    assert ordered(orc, monster, both, hero, elves) == [3, 4, 2, 0, 1]


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.special.always-strikes-first.order", "wap.profile.i")
def test_who_always_strikes_first(player: int) -> None:
    """By a rule of its own or of its weapon; without one the quicker strikes first."""
    blade = {"weapon": "blade", "strength": "user", "rules": [FAST]}
    for card in (man(i=2, rules=[FAST]), man("blade", i=2, weapons=[blade])):
        assert struck_in_order(card, man(i=6), player) == [0, 1]
    assert struck_in_order(man(i=2), man(i=6), player) == [1, 0]


@pytest.mark.parametrize(("weapon", "first"), [(1, 0), (2, 1)])
@pytest.mark.rule("wap.special.always-strikes-first.order")
def test_a_weapon_grants_it_only_while_it_is_used(weapon: int, first: int) -> None:
    blade = {"weapon": "blade", "strength": "user", "rules": [FAST]}
    card = man("blade", "flail", i=2, weapons=[blade])
    assert struck_in_order(card, man(i=6), columns={"weapon": weapon})[0] == first


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("mine", "theirs", "first"), [(5, 4, 0), (4, 5, 1)])
@pytest.mark.rule("wap.special.always-strikes-first.both", "wap.special.always-strikes-last.both")
def test_of_two_with_the_same_rule_the_quicker_is_first(mine: int, theirs: int, first: int, player: int) -> None:
    for rule in (FAST, SLOW):
        order = struck_in_order(man(i=mine, rules=[rule]), man(i=theirs, rules=[rule]), player)
        assert order == [first, 1 - first]


@pytest.mark.rule("wap.special.always-strikes-first.both", "wap.special.always-strikes-last.both")
def test_of_two_alike_none_is_first() -> None:
    for rule in (FAST, SLOW):
        a, b = duel(man(i=5, rules=[rule]), man(i=5, rules=[rule]))
        assert (a.tier, a.initiative) == (b.tier, b.initiative)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.special.always-strikes-last.order")
def test_who_always_strikes_last(player: int) -> None:
    club = {"weapon": "club", "strength": "user", "rules": [SLOW]}
    for card in (man(i=6, rules=[SLOW]), man("club", i=6, weapons=[club])):
        assert struck_in_order(card, man(i=1), player) == [1, 0]
        assert struck_in_order(card, man(i=1, rules=[FAST]), player) == [1, 0]


@pytest.mark.rule("wap.special.always-strikes-last.order")
def test_of_rider_and_mount_both_strike_last_if_one_does() -> None:
    for rules in ({"rules": [SLOW]}, {"mount_rules": [SLOW]}):
        battle, a, b = pair(rider(**rules), man(), models=(5, 20))
        assert blow(battle, a, b).tier == blow(battle, a, b, "mount").tier == LAST
    battle, a, b = pair(rider(rules=[FAST]), man(), models=(5, 20))
    assert blow(battle, a, b).tier == FIRST and blow(battle, a, b, "mount").tier == ORDINARY


@pytest.mark.parametrize("twice", [False, True])
@pytest.mark.rule("wap.special.always-strikes-last.cancel")
def test_both_rules_cancel_each_other(twice: bool) -> None:
    """Also where a weapon gives the one and the model has the other."""
    club = {"weapon": "club", "strength": "user", "rules": [SLOW]}
    card = man("club", i=4, rules=[FAST], weapons=[club]) if twice else man(i=4, rules=[FAST, SLOW])
    mine, quick = duel(card, man(i=5))
    _, slow = duel(card, man(i=3))
    assert ordered(mine, quick, slow) == [1, 0, 2]
    assert mine.rerolls == duel(card, man(i=3))[0].rerolls == duel(card, man(i=4))[0].rerolls == NONE


# ---------------------------------------------------------------- dice rolled again


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("theirs", "again"), [(5, True), (4, True), (6, False)])
@pytest.mark.rule("wap.special.always-strikes-first.reroll")
def test_who_is_first_and_not_slower_rolls_misses_again(theirs: int, again: bool, player: int) -> None:
    mine, foes = man(i=5, a=2, rules=[FAST]), man(a=0, i=theirs, t=10)
    cards, models = ((mine, foes), (1, 5)) if player == 0 else ((foes, mine), (5, 1))
    battle, *units = pair(*cards, models=models, dice=[1, 4, 6])
    assert hit_rolls(battle, units[player]) == ((6, 4), 2) if again else ((1, 4), 1)


@pytest.mark.rule("wap.special.always-strikes-first.reroll")
def test_initiatives_are_compared_as_they_count_in_the_combat() -> None:
    """A great weapon makes slow, a charge quick, on either side; of rider and mount the quicker counts."""
    card = man(i=3, rules=[FAST])
    assert duel(card, man("great weapon", i=5))[0].rerolls.failed == 1
    assert duel(card, man(i=4))[0].rerolls.failed == 0
    assert duel(man("great weapon", i=5, rules=[FAST]), man(i=4))[0].rerolls.failed == 0
    battle, a, b = pair(card, man(i=4), columns=({"charging": 1}, {}))
    assert blow(battle, a, b).rerolls.failed == 1
    battle, a, b = pair(card, man(i=3), columns=({}, {"charging": 1}))
    assert blow(battle, a, b).rerolls.failed == 0
    for mount, again in ((3, 1), (4, 0)):
        battle, a, b = pair(card, rider(i=2, mount=HORSE | {"i": mount}), models=(20, 5))
        assert blow(battle, a, b).rerolls.failed == again


@pytest.mark.parametrize(("theirs", "again"), [(3, True), (2, False), (1, False)])
@pytest.mark.rule("wap.special.always-strikes-last.reroll")
def test_who_is_last_and_slower_rolls_hits_again(theirs: int, again: bool) -> None:
    """A natural six too."""
    battle, a, _ = pair(man(i=2, rules=[SLOW]), man(a=0, i=theirs, t=10), models=(3, 5), dice=[4, 5, 6, 1, 3, 6])
    assert hit_rolls(battle, a) == (((1, 3, 6), 1) if again else ((4, 5, 6), 3))


@pytest.mark.parametrize(
    ("rules", "rolls", "hits"),
    [
        ([SLOW, "Hatred"], (2, 3, 5, 6), 2),
        (["Hatred"], (5, 4, 5, 6), 4),
        ([SLOW], (2, 3, 5, 4), 2),
        ([], (2, 3, 5, 6), 2),
    ],
)
@pytest.mark.rule("wap.special.always-strikes-last.reroll", "wap.special.general.opposed", "wap.core.reroll.cancel")
def test_misses_and_hits_are_not_both_rolled_again(rules: list[str], rolls: tuple[int, ...], hits: int) -> None:
    """Four Attacks that need 4+: where one rule has misses rolled again and another one hits, no die is."""
    battle, a, _ = pair(man(i=2, rules=rules), man(a=0, i=3, t=10), models=(4, 5), dice=[2, 3, 5, 6, 5, 4])
    assert hit_rolls(battle, a) == (rolls, hits)


@pytest.mark.rule("wap.core.reroll.second-stands")
def test_the_second_score_counts_even_if_it_is_worse() -> None:
    """One Attack that needs 4+ shows 3, and then 2."""
    battle, a, _ = pair(man(rules=["Hatred"]), man(a=0), models=(1, 5), dice=[3, 2])
    assert hit_rolls(battle, a) == ((2,), 0) and dice_left(battle) == 0


@pytest.mark.rule("wap.core.reroll.once")
def test_two_rules_roll_a_die_again_once() -> None:
    battle, a, _ = pair(man(i=5, rules=["Hatred", FAST]), man(a=0), models=(1, 5), dice=[1, 1, 6])
    assert hit_rolls(battle, a) == ((1,), 0) and dice_left(battle) == 1


@pytest.mark.parametrize(("rounds", "rolls", "hits"), [(0, (6, 4, 3, 4, 5), 4), (1, (1, 2, 3, 4, 5), 2)])
@pytest.mark.rule("wap.special.hatred.reroll")
def test_who_hates_rolls_misses_again_in_the_first_round(rounds: int, rolls: tuple[int, ...], hits: int) -> None:
    columns = ({"rounds": rounds}, {"rounds": rounds})
    foes = man(a=0, t=10)
    battle, a, b = pair(man(rules=["Hatred"]), foes, models=(5, 5), dice=[1, 2, 3, 4, 5, 6, 4, 3], columns=columns)
    assert hit_rolls(battle, a) == (rolls, hits)
    assert blow(battle, b, a).rerolls == NONE


@pytest.mark.rule("wap.special.hatred.reroll")
def test_it_is_the_hater_s_own_first_round() -> None:
    """Not that of an enemy who comes later, and that of a friend who does."""
    columns = ({"rounds": 1}, {"rounds": 0})
    battle, a, b = pair(man(rules=["Hatred"]), man(rules=["Hatred"]), columns=columns)
    assert blow(battle, a, b).rerolls == NONE
    assert blow(battle, b, a).rerolls == Rerolls(failed=1)


@pytest.mark.rule("wap.special.hatred.reroll")
def test_a_mount_does_not_hate_with_its_rider() -> None:
    battle, a, b = pair(rider(rules=["Hatred"]), man(), models=(5, 20))
    assert blow(battle, a, b).rerolls.failed == 1 and blow(battle, a, b, "mount").rerolls == NONE
    battle, a, b = pair(rider(mount_rules=["Hatred"]), man(), models=(5, 20))
    assert blow(battle, a, b).rerolls == NONE and blow(battle, a, b, "mount").rerolls.failed == 1


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("hated", "again"),
    [
        ("Skaven", (1, 0)),
        ("skaven", (1, 0)),
        ("Ogres", (0, 1)),
        ("cavalry", (0, 1)),
        ("infantry", (1, 0)),
        ("Elves", (0, 0)),
    ],
)
@pytest.mark.rule("wap.special.hatred.faction")
def test_an_army_book_or_a_kind_is_hated(hated: str, again: tuple[int, int], player: int) -> None:
    """Two enemies in one army, each of another book; three who hate strike at one of them."""
    for struck, rolls_again in enumerate(again):
        scene = RegimentScene()
        haters = scene.unit(player, man(rules=[f"Hatred ({hated})"]), (24, 24), models=3, files=3)
        books: tuple[tuple[str, ...], ...] = (("Skaven", "destruction"), ("Ogres",))
        cards, places = (man(a=0, t=10), rider(a=0, t=10, mount=HORSE | {"a": 0})), ((6, 8), (40, 8))
        for n in (0, 1):
            if n == struck:
                scene.beside(haters, 1 - player, cards[n], models=5, files=5, book=books[n])
            else:
                scene.unit(1 - player, cards[n], places[n], models=5, files=5, book=books[n])
        battle = scene.battle("combat", run=False, dice=[1, 2, 4, 5, 5])
        assert hit_rolls(battle, haters) == (((5, 5, 4), 3) if rolls_again else ((1, 2, 4), 1))


@pytest.mark.parametrize(("foe", "again"), [("spearmen", 1), ("warriors", 0)])
@pytest.mark.rule("wap.special.hatred.faction")
def test_the_old_guard_hates_the_armies_of_order(foe: str, again: int) -> None:
    battle, a, b = pair("old guard", foe)
    assert blow(battle, a, b).rerolls == Rerolls(failed=again)


def test_hatred_that_comes_late_holds_for_the_next_round() -> None:
    battle, a, b = pair(man(), man(), columns=({"rounds": 2}, {"rounds": 2}))
    assert blow(battle, a, b).rerolls == NONE
    gain(battle, a.row, HATRED)
    begin_combat(battle, a.row)
    assert blow(battle, a, b).rerolls == Rerolls(failed=1)
    round_over(battle)
    end_combat(battle)
    assert battle.units.rounds[a] == 3
    assert blow(battle, a, b).rerolls == NONE
    gain(battle, a.row, HATRED)  # it has it already
    assert blow(battle, a, b).rerolls == NONE
    battle.units.rounds[a] = 0  # another combat
    assert blow(battle, a, b).rerolls == Rerolls(failed=1)


def test_hatred_that_comes_in_the_magic_phase_is_fought_out_in_the_next_round_alone() -> None:
    """Five attacks of the third round: 1, 1, 3, 4, 6; three are rolled again. In the fourth none is."""
    battle, a, _ = pair(man(i=4), man(a=0, t=10), models=(5, 5), columns=({"rounds": 2}, {"rounds": 2}))
    gain(battle, a.row, HATRED)
    script(battle, [1, 1, 3, 4, 6, 2, 5, 3, 1, 1, 1])
    fight(battle, a)
    [note] = told(battle, "wap.combat.hit.roll")
    assert (note["amount"], tuple(note["rolls"]), note["result"]) == (5, (2, 5, 3, 4, 6), 3)
    assert dice_left(battle) == 0
    fight_again(battle, a, [1, 1, 3, 4, 6, 1, 1])
    note = told(battle, "wap.combat.hit.roll")[-1]
    assert (tuple(note["rolls"]), note["result"], dice_left(battle)) == ((1, 1, 3, 4, 6), 2, 0)


@pytest.mark.rule("wap.special.hatred.faction")
def test_who_hates_some_and_comes_to_hate_all() -> None:
    battle, a, b = pair(man(rules=["Hatred (Elves)"]), man())
    assert blow(battle, a, b).rerolls == NONE
    gain(battle, a.row, HATRED)
    assert blow(battle, a, b).rerolls == Rerolls(failed=1)
    with pytest.raises(ValueError, match="Sniper"):
        gain(battle, a.row, SNIPER)


# ---------------------------------------------------------------- Attacks


@pytest.mark.rule("wap.special.frenzy.grants")
def test_frenzy_is_an_attack_and_no_panic() -> None:
    battle, a, b = pair(man(rules=["Frenzy"]), man(), dice=[6, 6])
    assert blow(battle, a, b)[:2] == (2, 1) and blow(battle, a, b, "champion").attacks == 3
    assert blow(battle, b, a).attacks == 1
    assert is_unmoved(battle, a.row) and not is_unmoved(battle, b.row)
    assert psychology_test(battle, a.row, "wap.panic.test") and dice_left(battle) == 2
    battle.units.lost_rules[a] = BOOK.lost_bits[FRENZY]
    assert blow(battle, a, b).attacks == 1 and not is_unmoved(battle, a.row)


@pytest.mark.rule("wap.special.hatred.reroll")
def test_hatred_in_a_fight() -> None:
    """Three misses of five are rolled again, the enemy's are not."""
    battle, a, b = pair(
        man(rules=["Hatred"]), man(i=2), models=(5, 5), dice=[1, 2, 3, 4, 5, 1, 4, 3, 1, 1, 1, 1, 1, 1, 1, 1]
    )
    fight(battle, a)
    mine, theirs = told(battle, "wap.combat.hit.roll")
    assert (mine["unit"], mine["amount"], mine["result"], tuple(mine["rolls"])) == (a.row, 5, 3, (1, 4, 3, 4, 5))
    assert (theirs["unit"], theirs["amount"], theirs["result"]) == (b.row, 5, 0)
    assert dice_left(battle) == 0


@pytest.mark.parametrize(("rules", "needed_"), [([], 4), (["Poisoned Attacks"], 3)])
@pytest.mark.rule("wap.special.attack-kind.scope")
def test_poison_in_a_fight(rules: list[str], needed_: int) -> None:
    """Its impact is as before."""
    card = man(rules=[*rules, "Impact Hits (1)"])
    battle, a, b = pair(card, man(i=1), models=(1, 5), dice=[1, 4, 1, *[1] * 9], columns=({"charging": 1}, {}))
    fight(battle, a)
    rolls = [event for event in told(battle, "wap.combat.wound.roll") if event["unit"] == a.row]
    assert [event["needed"] for event in rolls] == [4, needed_]
    assert battle.units.alive[b] == 5


@pytest.mark.rule("wap.special.strike-order.table")
def test_the_order_of_a_fight() -> None:
    """A charging chariot's impact, a hero who strikes first, elves, an orc, who strikes last."""
    scene = RegimentScene()
    wall = scene.unit(1, man(a=0, w=3), (24, 24), models=40, files=20, facing=1.5 * 3.141592653589793)
    cards = (
        man(i=3, rules=["Impact Hits (1)"]),
        man(i=2, rules=[FAST]),
        man(i=6),
        man(i=1),
        man(i=4, rules=[SLOW]),
    )
    units = [
        scene.beside(wall, 0, card, along=-4.0 + 2 * n, models=1, files=1, charging=int(n == 0))
        for n, card in enumerate(cards)
    ]
    battle = fight(scene.battle("combat", run=False), wall)
    assert told(battle, "wap.special.impact-hits.number")[0]["unit"] == units[0].row
    strikes = [event["unit"] for event in told(battle, "wap.combat.hit.roll")]
    assert strikes == [units[n].row for n in (1, 2, 0, 3, 4)]
    rules = [event.rule for event in battle.events]
    assert rules.index("wap.special.impact-hits.number") < rules.index("wap.combat.hit.roll")


@pytest.mark.rule("wap.special.frenzy.grants")
def test_a_frenzied_mount_is_so_alone() -> None:
    battle, a, b = pair(rider(mount_rules=["Frenzy"]), man(), models=(5, 20))
    assert blow(battle, a, b).attacks == 1 and blow(battle, a, b, "mount").attacks == 2
    battle, a, b = pair(rider(rules=["Frenzy"]), man(), models=(5, 20))
    assert blow(battle, a, b).attacks == 2 and blow(battle, a, b, "mount").attacks == 1


@pytest.mark.rule("wap.special.frenzy.grants")
def test_who_has_no_attacks_gets_none() -> None:
    battle, a, b = pair(man("additional hand weapon", a=0, rules=["Frenzy"]), man())
    assert blow(battle, a, b)[:2] == (0, 0)


@pytest.mark.parametrize(
    ("card", "supports"),
    [
        (man("additional hand weapon", a=2, rules=["Frenzy"]), 1),
        (beast("monstrous infantry", a=2), 2),
        (beast("monstrous infantry", a=5), 3),
        (beast("war beast", a=2), 1),
        (beast("monstrous beast", a=4), 3),
        (rider(mount=None, a=3), 2),
        (rider(mount=None, a=1), 1),
        (beast("monstrous cavalry", a=6), 4),
        (beast("monster", a=5), 0),
        (beast("chariot", a=2), 0),
    ],
)
@pytest.mark.rule("wap.troop.general.types")
def test_how_often_who_supports_strikes(card: dict[str, Any], supports: int) -> None:
    battle, a, b = pair(card, man(), models=(5, 20))
    assert blow(battle, a, b).supports == supports


@pytest.mark.rule("wap.troop.general.types")
def test_riders_and_mounts_support_each_for_himself() -> None:
    for card, expected in (
        (rider(a=2, mount=HORSE | {"a": 2}), (1, 1)),
        (beast("monstrous cavalry", a=2, mount=HORSE | {"a": 4}), (1, 3)),
    ):
        battle, a, b = pair(card, man(), models=(5, 20))
        assert (blow(battle, a, b).supports, blow(battle, a, b, "mount").supports) == expected


# ---------------------------------------------------------------- Strength


@pytest.mark.parametrize(("rounds", "strength"), [(0, 6), (1, 5)])
@pytest.mark.rule("wap.special.strength-bonus")
def test_a_strength_bonus_of_the_model(rounds: int, strength: int) -> None:
    """For its attacks and for its impact."""
    card = man(s=5, rules=["Strength Bonus (1)", "Impact Hits (D6)"])
    battle, a, b = pair(card, man(), columns=({"rounds": rounds, "charging": 1}, {}))
    assert blow(battle, a, b).strength == strength
    assert 5 + own_bonus(battle, a.row, line_of(battle, a)) == strength


@pytest.mark.rule("wap.special.strength-bonus.weapon")
def test_a_lance_s_strength_is_no_horse_s() -> None:
    battle, a, b = pair(rider("lance"), man(), models=(5, 20), columns=({"charging": 1}, {}))
    assert blow(battle, a, b).strength == 5
    assert blow(battle, a, b, "mount").strength == 3
    for which in ("troopers", "mount"):
        assert own_bonus(battle, a.row, line_of(battle, a, which)) == 0
    assert battle.lines.s[line_of(battle, a)] == 3


@pytest.mark.parametrize(("rounds", "strength"), [(0, 7), (1, 5)])
@pytest.mark.rule("wap.special.strength-bonus.cumulative")
def test_strength_bonuses_add_up(rounds: int, strength: int) -> None:
    card = man("great weapon", s=4, rules=["Strength Bonus (1)"])
    battle, a, b = pair(card, man(), columns=({"rounds": rounds}, {}))
    assert blow(battle, a, b).strength == strength


@pytest.mark.rule("wap.special.strength-bonus.cumulative", "wap.profile.range")
def test_nobody_strikes_with_more_than_ten() -> None:
    battle, a, b = pair(man("flail", s=9, rules=["Strength Bonus (1)", "Strength Bonus (2)"]), man())
    assert blow(battle, a, b).strength == 10


@pytest.mark.rule("wap.special.attack-kind.scope")
def test_kinds_of_attack_hold_for_normal_attacks() -> None:
    """Poison worsens what a model strikes and shoots with, not its impact, nor what a magic weapon does."""
    sword = {"weapon": "rune sword", "strength": "user", "rules": ["magic weapon"]}
    kinds = ["Poisoned Attacks", "Lightning Attacks", "Flaming Attacks", "Ice Attacks"]
    card = man("flail", "rune sword", "bow", weapons=[sword], rules=kinds)
    battle, a, b = pair(card, man(), columns=({"weapon": 1}, {}))
    line, outfit = line_of(battle, a), battle.setup.statics["outfits"][a.row]
    flail, magic = outfit.weapons
    assert blow(battle, a, b).wounding == 1
    found = attack_kinds(battle, line, flail)
    assert found == attack_kinds(battle, line, outfit.missiles[0]) and {rule.name for rule in found} == set(kinds)
    assert attack_kinds(battle, line, None) == attack_kinds(battle, line, magic) == set()
    battle.units.weapon[a] = 2
    assert blow(battle, a, b).wounding == 0
    assert blow_at(5).wounding == 0
    assert blow(battle, b, a).wounding == 0


# ---------------------------------------------------------------- ranks, armour


@pytest.mark.parametrize(
    ("card", "ranks"),
    [
        (man(), 1),
        (man("spear (infantry)"), 2),
        (man("pike"), 4),
        (man(rules=["Fight in Extra Ranks (1)"]), 2),
        (man("spear (infantry)", rules=["Fight in Extra Ranks (1)"]), 3),
        (rider("spear (cavalry)"), 1),
        (rider("spear (infantry)", mount=None), 1),
    ],
)
@pytest.mark.rule("wap.special.extra-ranks")
def test_ranks_that_support(card: dict[str, Any], ranks: int) -> None:
    """Those of spears, of pikes, of the models; a rider's spear is one for riders."""
    battle, a, _ = pair(card, man(), models=(5, 20))
    assert extra_ranks(battle, a.row) == ranks


@pytest.mark.rule("wap.special.armour-piercing")
def test_piercing_is_the_rider_s_weapon_s() -> None:
    pick_ = {"weapon": "pick", "strength": "user", "rules": ["Armour Piercing (1)"]}
    battle, a, b = pair(rider("pick", s=4, weapons=[pick_]), man("heavy armour"), models=(5, 20), dice=[5, 6, 5])
    assert (blow(battle, a, b).piercing, blow(battle, a, b, "mount").piercing) == (1, 0)
    assert unsaved(battle, b.row, 1, blow(battle, a, b), FRONT) == 1
    assert unsaved(battle, b.row, 1, blow(battle, a, b), FRONT) == 0
    assert unsaved(battle, b.row, 1, blow(battle, a, b, "mount"), FRONT) == 0


@pytest.mark.rule("wap.special.armour-piercing")
def test_piercing_of_the_model() -> None:
    battle, a, b = pair(man(s=4, rules=["Armour Piercing (1)"]), man("heavy armour"), dice=[5, 6])
    assert unsaved(battle, b.row, 2, blow(battle, a, b), FRONT) == 1


@pytest.mark.rule("wap.special.armour-piercing.stack")
def test_piercing_adds_up() -> None:
    """Strength 3, one and two: plate saves on 6."""
    pick_ = {"weapon": "pick", "strength": "user", "rules": ["Armour Piercing (2)"]}
    card = man("pick", s=3, weapons=[pick_], rules=["Armour Piercing (1)"])
    battle, a, b = pair(card, man("full plate armour"), dice=[5, 6])
    assert blow(battle, a, b).piercing == 3
    assert unsaved(battle, b.row, 2, blow(battle, a, b), REAR) == 1


@pytest.mark.rule("wap.troop.cavalry.equipment")
def test_a_mount_strikes_with_its_own() -> None:
    battle, a, b = pair(rider("great weapon", s=4, i=5, mount=HORSE | {"i": 2, "a": 2}), man(), models=(5, 20))
    assert blow(battle, a, b)[:5] == (1, 1, 3, 6, 3)
    assert blow(battle, a, b, "mount")[:5] == (2, 1, 3, 3, 2)


@pytest.mark.rule("wap.combat.wound.strength-source")
def test_a_stronger_champion_strikes_harder() -> None:
    champion = {"m": 4, "ws": 3, "bs": 3, "s": 4, "t": 3, "w": 1, "i": 3, "a": 2, "ld": 7}
    battle, a, b = pair(man("halberd (polearm)", champion=champion), man(), command=("champion",))
    assert (blow(battle, a, b).strength, blow(battle, a, b, "champion").strength) == (4, 5)


def test_blow_of_asks_for_rows() -> None:
    battle, a, b = pair(man(), man())
    assert blow_of(battle, a.row, line_of(battle, a), b.row) == Blow(1, 1, 3, 3, 3)
