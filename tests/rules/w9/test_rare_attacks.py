"""Rules about attacks that datasheets bring: several hit rolls, additional hits, what the target makes of attacks,
attacks that generate attacks (w9.rare.*, w9.attack.priority, w9.glossary.suffer-damage)."""

from __future__ import annotations

from typing import Any

import pytest
from ninth import NinthScene

from wh_env.content.battle import Battle
from wh_env.rulesets.w9.attack.weighing import suffered_damage
from wh_env.rulesets.w40k.attack.casualties import mortal_wounds
from wh_env.testing import UnitHandle, dice_left, kind, melee, pick, ranged, sheet, told

HIT, WOUND, SAVE = "w9.attack.hit", "w9.attack.wound", "w9.attack.save"


def able(*effects: str) -> dict[str, Any]:
    """Abilities of a datasheet with these effects."""
    return {"other": [{"name": f"{n} {e}", "effect": e, "active": True} for n, e in enumerate(effects)]}


def shot(
    player: int,
    dice: list[int],
    gun: dict[str, Any],
    *,
    own: tuple[str, ...] = (),
    its: tuple[str, ...] = (),
    detail: str = "squad",
    **target: Any,
) -> tuple[Battle, UnitHandle]:
    """One model shoots at another (W 9); all dice are used. ``own``, ``its``: effects of abilities."""
    scene = NinthScene()
    scene.unit(player, sheet("Guns", weapons={"gun": gun}, abilities=able(*own)), at=(20, 10), models=1, name="Guns")
    unit = scene.unit(1 - player, sheet("Aim", W=9, abilities=able(*its), **target), at=(20, 22), models=1, name="Aim")
    battle = scene.battle("shooting", active=player, dice=dice, detail=detail, rules={"cp_each_command_phase": 0})
    pick(battle, "Guns")
    for _ in range(20):
        if not dice_left(battle) or battle.decision is None:
            break
        battle.apply(
            battle.decision.options[-1] if kind(battle) in ("shoot-target", "weapon-target") else battle.first_legal()
        )
    assert dice_left(battle) == 0
    return battle, unit


def results(battle: Battle, rule: str) -> list[int]:
    """Whether each roll succeeded."""
    return [e["result"] for e in told(battle, rule)]


# ---------------------------------------------------------------- several hit rolls


TWICE = "2 hit rolls for each attack"


@pytest.mark.rule("w9.rare.multiple-hit-rolls")
@pytest.mark.parametrize("player", [0, 1])
def test_each_attack_makes_two_hit_rolls(player: int) -> None:
    """A 3: six hit rolls, not twelve; -1 to hit applies to each, a 1 is rolled again once each."""
    dice = [3, 3, 3, 4, 1, 1, 4, 1, *[1, 1]]  # 3s miss at 3+ with -1; two 1s become 4 and 1; two hits, no wounds
    minus = ("attacks at it: -1 to hit",)
    battle, _ = shot(player, dice, ranged(24, A=3, BS=3, S=4), own=(TWICE, "re-roll hit rolls of 1"), its=minus)
    assert len([e for e in told(battle, HIT) if e["needed"] == 4]) >= 6
    assert results(battle, WOUND) == [0, 0]


@pytest.mark.rule("w9.rare.multiple-hit-rolls")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_two_such_rules_make_two_hit_rolls_as_well(player: int, detail: str) -> None:
    """Each says 2 instead of 1: a 2 makes four hit rolls, not six."""
    battle, _ = shot(player, [1, 1, 1, 1], ranged(24, A=2, BS=3, S=4), own=(TWICE, TWICE), detail=detail)
    assert results(battle, HIT) == [0] * 4


@pytest.mark.rule("w9.rare.multiple-hit-rolls")
@pytest.mark.parametrize("player", [0, 1])
def test_with_a_rolled_number_of_attacks_and_in_a_fight(player: int) -> None:
    """D3 that makes 2: four hit rolls. In melee A 3: six."""
    battle, _ = shot(player, [4, 1, 1, 1, 2], ranged(24, A="D3", BS=3, S=4), own=(TWICE,))
    assert len(results(battle, HIT)) == 4
    scene = NinthScene()
    data = sheet("Fighter", weapons={"blade": melee(A=3, WS=3, S=4)}, abilities=able(TWICE))
    scene.unit(player, data, at=(20, 20), models=1)
    scene.unit(1 - player, sheet("Foe", W=9), at=(20, 21.5), models=1)
    battle = scene.battle("fight", active=player, dice=[1] * 6)
    while dice_left(battle):
        battle.apply(battle.first_legal())
    assert results(battle, HIT) == [0] * 6


@pytest.mark.rule("w9.rare.multiple-hit-rolls")
def test_without_the_rule_each_attack_makes_one() -> None:
    battle, _ = shot(0, [1, 1, 1], ranged(24, A=3, BS=3, S=4))
    assert len(results(battle, HIT)) == 3


# ---------------------------------------------------------------- additional hits


@pytest.mark.rule("w9.rare.additional-hits")
@pytest.mark.parametrize("player", [0, 1])
def test_only_the_original_hit_wounds_automatically(player: int) -> None:
    """A 6: the original hit wounds, the additional one makes a wound roll (here it fails): one save is made."""
    gun = ranged(24, A=1, BS=3, S=4, abilities=["Sustained Hits 1", "Lethal Hits"])
    battle, unit = shot(player, [6, 1, 1], gun)
    assert results(battle, WOUND) == [0]
    assert battle.models.wounds[unit.first] == 8
    battle, unit = shot(player, [6, 4, 1, 1], gun)
    assert battle.models.wounds[unit.first] == 7
    # a 5 hits, no more; nor does an additional hit bring another
    battle, unit = shot(player, [5, 1], gun)
    assert results(battle, WOUND) == [0]


@pytest.mark.rule("w9.rare.additional-hits")
def test_either_rule_alone() -> None:
    battle, _ = shot(0, [6, 1, 1], ranged(24, A=1, BS=3, S=4, abilities=["Sustained Hits 1"]))
    assert len(results(battle, WOUND)) == 2
    battle, unit = shot(0, [6, 1], ranged(24, A=1, BS=3, S=4, abilities=["Lethal Hits"]))
    assert not told(battle, WOUND)
    assert battle.models.wounds[unit.first] == 8
    battle, _ = shot(0, [6, 1], ranged(24, A=1, BS=3, S=4))
    assert len(results(battle, WOUND)) == 1


# ---------------------------------------------------------------- the attacker's rules prevail


ALWAYS, NEVER = "unmodified wound rolls of 2+ wound", "attacks at it: unmodified wound rolls of 1 to 3 fail"


@pytest.mark.rule("w9.attack.priority")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("own", "its", "strength", "die", "wounds"),
    [
        ((ALWAYS,), (NEVER,), 4, 3, True),
        ((ALWAYS,), (NEVER,), 4, 2, True),
        ((ALWAYS,), (NEVER,), 4, 1, False),
        ((), (NEVER,), 16, 3, False),  # S 16 against T 8: 2+
        ((), (NEVER,), 16, 4, True),
        ((), (), 16, 3, True),
        ((ALWAYS,), (), 4, 2, True),
        ((), (), 4, 5, False),  # S 4 against T 8: 6+
        ((ALWAYS, ALWAYS), (NEVER, NEVER), 4, 2, True),  # two rules that say the same
        ((), (NEVER, NEVER), 16, 4, True),
    ],
)
def test_a_rule_of_the_attacker_prevails(
    player: int, own: tuple[str, ...], its: tuple[str, ...], strength: int, die: int, wounds: bool
) -> None:
    dice = [6, die, *([6] if wounds else [])]
    battle, _ = shot(player, dice, ranged(24, A=1, BS=3, S=strength), own=own, its=its, T=8)
    assert bool(results(battle, WOUND)[0]) == wounds


# ---------------------------------------------------------------- what the target makes of a characteristic


DULLED = "attacks at it: AP -1 is AP 0"


@pytest.mark.rule("w9.rare.defensive-characteristic")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("ap", "own", "its", "needed"),
    [
        (0, ("improve AP by 1",), (DULLED,), 4),  # AP -1 by then: it applies
        (-1, ("improve AP by 1",), (DULLED,), 6),  # AP -2 by then: it does not
        (-1, (), (DULLED,), 4),
        (-2, (), (DULLED,), 6),
        (0, (), (DULLED,), 4),
        (-1, (), (), 5),
        (-2, (), (DULLED, DULLED), 6),
        (-1, (ALWAYS,), (DULLED, NEVER), 4),
        (-2, ("worsen AP by 1",), (), 5),
        (-2, ("worsen AP by 1",), (DULLED,), 4),  # AP -1 by then
        (0, ("worsen AP by 1",), (), 4),  # it is never above 0
        (-1, ("worsen AP by 1", "improve AP by 1"), (), 5),
    ],
)
def test_the_modified_characteristic_counts(
    player: int, ap: int, own: tuple[str, ...], its: tuple[str, ...], needed: int
) -> None:
    battle, _ = shot(player, [6, 6, 6], ranged(24, A=1, BS=3, S=4, AP=ap), own=own, its=its, Sv=4)
    assert [e["needed"] for e in told(battle, SAVE)] == [needed]


# ---------------------------------------------------------------- suffering damage


def answered(player: int, dice: list[int], *, fnp: int | None = 5, detail: str = "squad") -> tuple[Battle, UnitHandle]:
    """Attackers charge and fight; the unit struck (WS 4+, +1 to hit if it suffered damage) fights back with the last die."""
    scene = NinthScene()
    blade = {"blade": melee(A=1, WS=3, S=4, AP=-1)}
    attacker = scene.unit(
        player, sheet("Attacker", W=9, weapons=blade), at=(20, 20), models=1, charged=1, name="Attacker"
    )
    club = {"club": melee(A=1, WS=4, S=4)}
    struck = able("+1 to hit if it suffered damage this phase")
    unit = scene.unit(
        1 - player,
        sheet("Struck", W=3, fnp=fnp, weapons=club, abilities=struck),
        at=(20, 21.5),
        models=1,
        name="Struck",
    )

    def has_charged(battle: Battle) -> None:
        battle.charges[attacker.row, unit.row] = 1

    rules = {"cp_each_command_phase": 0}
    battle = scene.battle("fight", active=player, dice=dice, detail=detail, set_state=has_charged, rules=rules)
    for _ in range(30):
        if any(e["attacker"] == unit.row for e in told(battle, HIT)) or battle.decision is None:
            break
        battle.apply(battle.first_legal())
    return battle, unit


@pytest.mark.rule("w9.glossary.suffer-damage")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(
    ("dice", "fnp", "needed", "wounds"),
    [
        ([3, 4, 1, 6, 1], 5, 3, 3),  # the save fails, the wound is ignored: it suffered damage
        ([3, 4, 1, 1, 1], 5, 3, 2),
        ([3, 4, 1, 1], None, 3, 2),
        ([3, 4, 6, 1], 5, 4, 3),  # saved
        ([3, 1, 1], 5, 4, 3),  # no wound
    ],
)
def test_who_ignores_the_wound_suffered_damage(
    player: int, detail: str, dice: list[int], fnp: int | None, needed: int, wounds: int
) -> None:
    battle, unit = answered(player, dice, fnp=fnp, detail=detail)
    assert [e["needed"] for e in told(battle, HIT) if e["attacker"] == unit.row] == [needed]
    assert battle.models.wounds[unit.first] == wounds


@pytest.mark.rule("w9.glossary.suffer-damage")
@pytest.mark.parametrize("player", [0, 1])
def test_it_is_asked_about_this_phase(player: int) -> None:
    """What an attack of the Shooting phase did says nothing in the Fight phase; mortal wounds are no attacks."""
    battle, unit = shot(player, [6, 6, 1, 6], ranged(24, A=1, BS=3, S=8, AP=-1), fnp=5)
    assert battle.models.wounds[unit.first] == 9
    assert not suffered_damage(battle, unit.first)  # the phase is over
    scene = NinthScene()
    scene.unit(player, sheet("Guns", weapons={"gun": ranged(24)}), at=(20, 10), models=1, name="Guns")
    hurt = scene.unit(1 - player, sheet("Hurt", W=9), at=(20, 22), models=1)
    battle = scene.battle("shooting", active=player)
    mortal_wounds(battle, hurt.row, 2)
    assert not suffered_damage(battle, hurt.first)


# ---------------------------------------------------------------- attacks that attacks generate


SIXES = "hit rolls of 6: one more attack"


@pytest.mark.rule("w9.rare.generated-attacks")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_an_unmodified_six_makes_one_more_attack_that_makes_none(player: int, detail: str) -> None:
    """A 3: dice 6, 5 and 2; one more attack, whose 6 hits and makes no further one. Of the three hits none wounds."""
    dice = [6, 5, 2, 1, 1, 6, 1]
    battle, _ = shot(player, dice, ranged(24, A=3, BS=3, S=4), own=(SIXES,), detail=detail)
    assert results(battle, HIT) == [1, 1, 0, 1]
    assert [e["result"] for e in told(battle, "w9.rare.generated-attacks")] == [1]


@pytest.mark.rule("w9.rare.generated-attacks")
@pytest.mark.parametrize("player", [0, 1])
def test_a_modified_six_makes_none_and_two_hit_rolls_are_made_by_the_first_attack_alone(player: int) -> None:
    """+1 to hit: a 5 is no 6. With 2 hit rolls for each attack two 6s make two more attacks of one hit roll each."""
    battle, _ = shot(player, [5, 1], ranged(24, A=1, BS=3, S=4), own=(SIXES, "+1 to hit"))
    assert len(results(battle, HIT)) == 1
    battle, _ = shot(player, [6, 6, 1, 1, 2, 2], ranged(24, A=1, BS=3, S=4), own=(SIXES, TWICE))
    assert results(battle, HIT) == [1, 1, 0, 0]


@pytest.mark.rule("w9.rare.generated-attacks")
@pytest.mark.parametrize("player", [0, 1])
def test_a_six_that_was_rolled_again_into_counts_too(player: int) -> None:
    """A 1 becomes a 6; the attack that this makes is re-rolled as others are (a 1 becomes a 2)."""
    battle, _ = shot(player, [1, 6, 1, 1, 2], ranged(24, A=1, BS=3, S=4), own=(SIXES, "re-roll hit rolls of 1"))
    assert dice_left(battle) == 0
    assert [e["result"] for e in told(battle, "w9.rare.generated-attacks")] == [1]


AGAIN = "one more attack for each that inflicts no damage"


def fought(
    player: int, dice: list[int], *, own: tuple[str, ...] = (TWICE, AGAIN), detail: str = "squad", attacks: Any = 2
) -> tuple[Battle, UnitHandle]:
    """A model of A 2 (WS 3+, S 4) fights one of W 9 (T 4, Sv 4+), which has nothing to strike back with."""
    scene = NinthScene()
    data = sheet("Fighter", W=9, weapons={"blade": melee(A=attacks, WS=3, S=4)}, abilities=able(*own))
    fighter = scene.unit(player, data, at=(20, 20), models=1, charged=1, name="Fighter")
    foe = scene.unit(1 - player, sheet("Foe", W=9, weapons={}), at=(20, 21.5), models=1, name="Foe")

    def has_charged(battle: Battle) -> None:
        battle.charges[fighter.row, foe.row] = 1

    rules = {"cp_each_command_phase": 0}
    battle = scene.battle("fight", active=player, dice=dice, detail=detail, set_state=has_charged, rules=rules)
    while kind(battle) not in ("consolidate", None) and battle.clock.turn[0] == player:
        battle.apply(battle.first_legal())
    return battle, foe


@pytest.mark.rule("w9.rare.generated-attacks")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("own", "dice", "rolls"), [((SIXES, AGAIN), [1, 6, 1, 1], 2), ((TWICE, SIXES, AGAIN), [1, 1, 6, 6, 1, 1], 4)]
)
def test_attacks_that_a_rule_has_generated_generate_no_others(
    player: int, own: tuple[str, ...], dice: list[int], rolls: int
) -> None:
    """A missed attack makes one more: its 6 hits, and makes none, whatever other rules the fighter has."""
    battle, _ = fought(player, dice, own=own, attacks=1)
    assert len(results(battle, HIT)) == rolls


@pytest.mark.rule("w9.rare.generated-attacks")
@pytest.mark.parametrize("player", [0, 1])
def test_a_save_that_becomes_a_six_generates_nothing(player: int) -> None:
    """Lethal Hits: the 6 wounds by itself and makes one more attack; the save of 1 that becomes a 6 makes none."""
    gun = ranged(24, A=1, BS=3, S=4, abilities=["Lethal Hits"])
    battle, _ = shot(player, [6, 1, 6, 1], gun, own=(SIXES,), its=("attacks suffered: re-roll saving throws of 1",))
    assert [e["result"] for e in told(battle, "w9.rare.generated-attacks")] == [1]


@pytest.mark.rule("w9.rare.generated-attacks")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("last", [[1, 1, 1], [3, 3, 3, 4, 4, 1, 1, 1], [3, 3, 1, 1, 1]])
def test_attacks_that_inflict_no_damage_are_made_once_more(player: int, detail: str, last: list[int]) -> None:
    """A 2 with two hit rolls each: 4 rolls, one reaches Inflict Damage; 3 more follow, one hit roll each, and no others."""
    first = [3, 3, 3, 1, 4, 4, 1, 4, 3]  # three hit, two wound, one is saved
    battle, foe = fought(player, first + last, detail=detail)
    hits = results(battle, HIT)
    assert len(hits) == 4 + 3
    assert dice_left(battle) == 0
    lost = 1 + (2 if len(last) == 8 else 0)
    assert battle.models.wounds[foe.first] == 9 - lost
    assert [e["result"] for e in told(battle, "w9.rare.generated-attacks")] == [3]


@pytest.mark.rule("w9.rare.generated-attacks")
@pytest.mark.parametrize(
    ("own", "dice", "hits"),
    [
        ((AGAIN,), [1, 3, 4, 1, 1], 3),  # one of two attacks missed
        ((AGAIN,), [3, 3, 4, 4, 1, 1], 2),  # both inflicted damage
        ((AGAIN,), [1, 1, 1, 1], 4),  # all that missed, once
        ((TWICE,), [1, 1, 1, 1], 4),
        ((), [1, 1], 2),
        ((AGAIN, "re-roll hit rolls of 1"), [1, 2, 2, 1, 1, 1, 1], 4),  # one 1 each time, rolled again
    ],
)
def test_how_many_follow(own: tuple[str, ...], dice: list[int], hits: int) -> None:
    battle, _ = fought(0, dice, own=own)
    assert len(results(battle, HIT)) == hits
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.rare.generated-attacks")
@pytest.mark.parametrize("player", [0, 1])
def test_modifiers_apply_to_them_and_rolled_numbers_are_not_rolled_again(player: int) -> None:
    """D3 attacks that make 2, -1 to hit: 3s miss; two more attacks follow, of which one hits, wounds and is not saved."""
    gun = ranged(24, A="D3", BS=3, S=4)
    battle, unit = shot(player, [4, 3, 3, 3, 4, 4, 1], gun, own=(AGAIN,), its=("attacks at it: -1 to hit",))
    assert [e["needed"] for e in told(battle, HIT)] == [4] * 4
    assert results(battle, HIT) == [0, 0, 0, 1]
    assert battle.models.wounds[unit.first] == 8


@pytest.mark.rule("w9.rare.generated-attacks")
@pytest.mark.parametrize("player", [0, 1])
def test_each_model_makes_its_own_and_none_at_a_unit_that_is_destroyed(player: int) -> None:
    """Two models of A 2: three attacks that miss are made again. Where the target is destroyed by the first volley nothing follows."""
    for wounds, dice, hits in ((9, [3, 1, 1, 1, 4, 1, 1, 1, 1], 7), (1, [3, 1, 1, 1, 4, 1, 1, 1, 1], 4)):
        scene = NinthScene()
        gun = {"gun": ranged(24, A=2, BS=3, S=4)}
        unit = scene.unit(player, sheet("Guns", weapons=gun, abilities=able(AGAIN)), at=(20, 10), models=2, name="Guns")
        mates = scene.unit(player, sheet("Mates", weapons=gun), at=(40, 10), models=1, name="Mates")
        scene.unit(1 - player, sheet("Aim", W=wounds), at=(20, 22), models=1, name="Aim")
        scene.unit(1 - player, sheet("Other", W=9), at=(40, 22), models=1, name="Other")
        battle = scene.battle("shooting", active=player, dice=[*dice, 1, 1], rules={"cp_each_command_phase": 0})
        pick(battle, "Guns")
        pick(battle, "Aim")
        rolls = [e["attacker"] for e in told(battle, HIT)]
        assert len(rolls) == hits
        if wounds == 9:  # the hit that inflicts damage is taken off the first model's two attacks
            assert [rolls.count(unit.model(n)) for n in range(2)] == [2 + 1, 2 + 2]
            pick(battle, "Mates")  # another unit's attacks generate none
            if kind(battle) == "shoot-target":
                pick(battle, "Other")
            assert [e["attacker"] for e in told(battle, HIT)][hits:] == [mates.first] * 2


@pytest.mark.rule("w9.rare.generated-attacks")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("saves", "more"), [((1, 1, 1), 0), ((1, 1, 6), 1), ((1, 6, 6), 2)])
def test_each_attack_that_inflicts_damage_is_taken_off_another_model(
    player: int, saves: tuple[int, int, int], more: int
) -> None:
    """Three models of A 1 hit and wound: as many attacks follow as were saved, none where all inflict damage."""
    scene = NinthScene()
    gun = {"gun": ranged(24, A=1, BS=3, S=4)}
    scene.unit(player, sheet("Guns", weapons=gun, abilities=able(AGAIN)), at=(20, 10), models=3, name="Guns")
    aim = scene.unit(1 - player, sheet("Aim", W=9), at=(20, 22), models=1, name="Aim")
    dice = [3, 3, 3, 4, 4, 4, *saves, *[1] * more]
    battle = scene.battle("shooting", active=player, dice=[*dice, 1, 1], rules={"cp_each_command_phase": 0})
    pick(battle, "Guns")
    assert len(told(battle, HIT)) == 3 + more
    assert dice_left(battle) == 2
    assert battle.models.wounds[aim.first] == 9 - saves.count(1)


@pytest.mark.rule("w9.rare.generated-attacks", "w9.rare.additional-hits")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("own", "dice", "more"),
    [
        ((AGAIN,), [6, 1, 4, 4, 1, 1], 1),  # one attack hits twice, both hits inflict damage; the other missed
        ((AGAIN,), [6, 1, 4, 4, 1, 6], 1),  # one of its hits is saved
        ((AGAIN,), [6, 1, 4, 4, 6, 6], 2),
        ((AGAIN,), [6, 6, 4, 4, 4, 4, 1, 1, 1, 1], 0),
        ((AGAIN, "re-roll hit rolls of 1"), [1, 6, 6, 4, 4, 4, 4, 1, 1, 1, 1], 0),  # the 1 becomes a 6
        ((AGAIN, "re-roll hit rolls of 1"), [1, 6, 2, 4, 4, 1, 1], 1),
    ],
)
def test_an_additional_hit_is_no_attack(player: int, own: tuple[str, ...], dice: list[int], more: int) -> None:
    """A 2, a 6 hits twice: as many attacks follow as inflicted no damage, whatever the additional hits do."""
    gun = ranged(24, A=2, BS=3, S=4, abilities=["Sustained Hits 1"])
    battle, _ = shot(player, [*dice, *[2] * more], gun, own=own)
    assert [e["result"] for e in told(battle, "w9.rare.generated-attacks")] == [more] * (more > 0)


@pytest.mark.rule("w9.rare.generated-attacks")
def test_they_are_made_where_nothing_is_recorded() -> None:
    """A battle without a recorder counts as well: the same dice do the same."""
    seen = []
    for record in (True, False):
        scene = NinthScene()
        gun = {"gun": ranged(24, A=2, BS=3, S=4)}
        scene.unit(0, sheet("Guns", weapons=gun, abilities=able(AGAIN)), at=(20, 10), models=1, name="Guns")
        aim = scene.unit(1, sheet("Aim", W=9), at=(20, 22), models=1, name="Aim")
        battle = scene.battle("shooting", dice=[1, 1, 3, 3, 4, 4, 1, 1])
        if not record:
            battle = battle.clone()
        assert (battle.recorder is not None) == record
        pick(battle, "Guns")
        seen.append((dice_left(battle), battle.models.wounds[aim.first], list(battle.generated)))
    assert seen[0] == seen[1] == (0, 7, [0, 0])


@pytest.mark.rule("w9.rare.generated-attacks")
@pytest.mark.parametrize("player", [0, 1])
def test_where_one_of_two_targets_is_gone_they_are_made_at_the_other(player: int) -> None:
    """Full detail: the gun (A 2) destroys X with one attack, the long one (A 1) misses Y: one attack of either missed, two follow at Y."""
    scene = NinthScene()
    guns = {"gun": ranged(24, A=2, BS=3, S=4), "long": ranged(24, A=1, BS=4, S=4)}
    scene.unit(player, sheet("Guns", weapons=guns, abilities=able(AGAIN)), at=(20, 10), models=1, name="Guns")
    x = scene.unit(1 - player, sheet("X"), at=(18, 22), models=1, name="X")
    y = scene.unit(1 - player, sheet("Y", W=9), at=(24, 22), models=1, name="Y")
    dice = [3, 1, 4, 1, *[1], *[4, 1, 4, 1]]
    battle = scene.battle("shooting", active=player, dice=dice, detail="full", rules={"cp_each_command_phase": 0})
    pick(battle, "Guns")
    pick(battle, "at X")
    pick(battle, "at Y")
    if kind(battle) == "target-order":
        pick(battle, "X")
    for _ in range(9):
        if dice_left(battle):
            battle.apply(battle.first_legal())
    assert [e["target"] for e in told(battle, HIT)] == [x, x, y, y, y]
    assert (battle.units.alive[x], battle.models.wounds[y.first], dice_left(battle)) == (0, 8, 0)


@pytest.mark.rule("w9.rare.generated-attacks")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("first", "dice", "needed"), [(0, [6, 1, 3, 1, 4], [3, 3, 5]), (1, [6, 1, 4, 3, 1], [5, 5, 3])]
)
def test_they_follow_at_once_where_the_player_orders_the_attacks(
    player: int, first: int, dice: list[int], needed: list[int]
) -> None:
    """Full detail, two weapons at one target: the attack that a 6 of the first makes comes before the second."""
    scene = NinthScene()
    guns = {"gun": ranged(24, A=1, BS=3, S=4), "long": ranged(24, A=1, BS=5, S=4)}
    scene.unit(player, sheet("Guns", weapons=guns, abilities=able(SIXES)), at=(20, 10), models=1, name="Guns")
    asked, told_needed = in_order(scene, player, dice, [first])
    assert asked == ["profile-order"]
    assert told_needed == needed


def in_order(scene: NinthScene, player: int, dice: list[int], groups: list[int]) -> tuple[list[str], list[int]]:
    """All shoot at one target, groups of attacks in this order: decisions while dice are left, needs of hit rolls."""
    scene.unit(1 - player, sheet("Aim", W=9), at=(20, 22), models=1, name="Aim")
    battle = scene.battle("shooting", active=player, dice=dice, detail="full", rules={"cp_each_command_phase": 0})
    pick(battle, "Guns")
    while kind(battle) == "weapon-target":
        pick(battle, "at Aim")
    asked, chosen = [], iter(groups)
    while dice_left(battle) and battle.decision is not None:
        asked.append(kind(battle))
        orders = asked[-1] == "profile-order"
        battle.apply(battle.decision.options[next(chosen)] if orders else battle.first_legal())
    assert dice_left(battle) == 0
    return asked, [e["needed"] for e in told(battle, HIT)]
