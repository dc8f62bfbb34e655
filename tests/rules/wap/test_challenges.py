"""Challenges: who issues, accepts and refuses them, how they are fought, what they count; and characters who make their way to the enemy."""

from __future__ import annotations

from typing import Any

import pytest
from heroes import hero, rider

from wh_env import Battle
from wh_env.core.tables import DESTROYED
from wh_env.rulesets.wap.basics.blocks import places_under
from wh_env.rulesets.wap.basics.contacts import meet
from wh_env.rulesets.wap.basics.strength import unit_strength
from wh_env.rulesets.wap.battle.timing import start_turn
from wh_env.rulesets.wap.challenges.duels import begin_duel, can_hide, end_parted_duels, facing_heroes, hide
from wh_env.rulesets.wap.characters.joining import free_files_for
from wh_env.rulesets.wap.codes import RIGHT, STOMPS
from wh_env.rulesets.wap.combat.fighters import enemies_of, groups_of
from wh_env.rulesets.wap.morale.army_leaders import holds_ground, presence
from wh_env.rulesets.wap.morale.leadership import leadership_value
from wh_env.rulesets.wap.result.scores import Bonuses, Combat, Fighter, score
from wh_env.rulesets.wap.result.scoring import fighter
from wh_env.rulesets.wap.weapons.blows import blow_of
from wh_env.testing import choose, kind, script, slots, told
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, fight, square

Sides = tuple[Battle, dict[str, UnitHandle]]


def combat(
    mine: tuple[dict[str, Any], ...] = (), theirs: tuple[dict[str, Any], ...] = (), *, posts: tuple[int, ...] = (2, 0, 4), enemy_posts: tuple[int, ...] = (2, 0, 4),
    models: int = 15, foes: int = 15, player: int = 0, run: bool = True, detail: str = "squad", dice: tuple[int, ...] = (), **fields: Any,
) -> Sides:  # fmt: skip
    """Two units of five files front to front, with characters in files of their front ranks."""
    scene = RegimentScene((60, 48))
    own = scene.unit(0, square(**fields), (24, 20), models=models, files=5)
    found = {"own": own}
    for n, card in enumerate(mine):
        found[f"own{n}"] = scene.unit(0, card, inside=own, models=1, post=posts[n])
    foe = found["foe"] = scene.beside(own, 1, square(), models=foes, files=5)
    for n, card in enumerate(theirs):
        found[f"foe{n}"] = scene.unit(1, card, inside=foe, models=1, post=enemy_posts[n])
    return scene.battle("combat", player=player, run=run, detail=detail, dice=dice), found


def strikes(battle: Battle, unit: UnitHandle, enemy: UnitHandle) -> set[int]:
    """Rows of the enemies that the models of a unit's own card may strike."""
    battle.units.fighting[unit] = battle.units.fighting[enemy] = 1
    block = int(battle.units.bodyguard[unit]) if battle.units.bodyguard[unit] >= 0 else unit.row
    enemies, found = enemies_of(battle, block), set[int]()
    for line, _, targets, _ in groups_of(battle, block, 1, again=True):
        if battle.lines.unit[line] == unit.row and battle.lines.kind[line] != STOMPS:
            found |= {row for n, row in enumerate(enemies) if targets >> n & 1}
    return found


# ---------------------------------------------------------------- issuing


@pytest.mark.rule("wap.challenge.timing")
def test_the_player_whose_turn_it_is_challenges_first_then_the_other() -> None:
    battle, at = combat((hero(),), (hero(),))
    assert kind(battle) == "challenge" and battle.clock.player[0] == 0
    once = battle.clone()
    choose(once, "own", at["own0"].number)
    assert kind(once) == "accept-challenge" and once.clock.player[0] == 1
    choose(once, "own", at["foe0"].number)
    assert kind(once) != "challenge" and once.units.duel[at["own0"]] == at["foe0"].row
    choose(battle, "done")
    assert kind(battle) == "challenge" and battle.clock.player[0] == 1
    choose(battle, "own", at["foe0"].number)
    assert kind(battle) == "accept-challenge" and battle.clock.player[0] == 0
    assert len(told(battle, "wap.challenge.timing")) == 1


@pytest.mark.rule("wap.challenge.timing")
def test_impact_hits_come_before() -> None:
    scene = RegimentScene((60, 48))
    own = scene.unit(0, square(rules=["Impact Hits (1)"]), (24, 20), models=10, files=5, charging=1)
    scene.unit(0, hero(), inside=own, models=1, post=2)
    foe = scene.beside(own, 1, square(), models=15, files=5)
    scene.unit(1, hero(), inside=foe, models=1, post=2)
    battle = scene.battle("combat")
    assert kind(battle) == "challenge" and told(battle, "wap.special.impact-hits.number")


@pytest.mark.rule("wap.challenge.issuer")
def test_who_may_issue_a_challenge() -> None:
    battle, at = combat((hero(), hero()), (hero(),))
    assert slots(battle, "own") == [at["own0"].number, at["own1"].number]
    scene = RegimentScene((60, 48))
    own = scene.unit(0, square(), (24, 20), models=10, files=5)
    scene.unit(0, hero(), inside=own, models=1)
    scene.beside(own, 1, square(), models=10, files=5, command=("champion",))
    battle = scene.battle("combat")
    assert kind(battle) != "challenge" and not told(battle, "wap.challenge.timing")


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.challenge.accept")
def test_who_touches_another_unit_alone_does_not_accept(player: int) -> None:
    """One combat: unit 1, with the challenger, touches X and Y, unit 2 touches Y and Z; heroes are in X and in Z."""
    scene = RegimentScene((60, 48))
    one = scene.unit(player, square(), (24, 20), models=10, files=5, facing=NORTH)
    lord = scene.unit(player, hero(), inside=one, models=1, post=2)
    scene.unit(player, square(), (30, 20), models=10, files=5, facing=NORTH)
    x, _, z = (scene.unit(1 - player, square(), (at, 20), models=6, files=3, facing=SOUTH) for at in (22.4, 27.0, 31.6))
    heroes = [scene.unit(1 - player, hero(), inside=host, models=1, post=1) for host in (x, z)]
    battle = scene.battle("combat", player=player)
    assert kind(battle) == "challenge" and lord.number in slots(battle, "own")
    choose(battle, "own", lord.number)
    assert kind(battle) == "accept-challenge"
    assert slots(battle, "own") == [heroes[0].number]


@pytest.mark.rule("wap.challenge.accept")
def test_who_may_accept() -> None:
    scene = RegimentScene((60, 48))
    one = scene.unit(0, square(), (24, 20), models=10, files=5)
    lord = scene.unit(0, hero(), inside=one, models=1, post=2)
    two = scene.unit(0, square(), (32, 20), models=10, files=5)
    x = scene.beside(one, 1, square(), models=10, files=5)
    z = scene.beside(two, 1, square(), models=10, files=5)
    heroes = [scene.unit(1, hero(), inside=host, models=1, post=2) for host in (x, z)]
    battle = scene.battle("combat", run=False)
    for unit in (one, two, x, z):
        battle.units.fighting[unit] = 1
    assert facing_heroes(battle, lord.row) == [heroes[0].row]


# ---------------------------------------------------------------- refusing


@pytest.mark.rule("wap.challenge.refuse.nominate")
@pytest.mark.rule("wap.challenge.refuse.replaced")
@pytest.mark.rule("wap.challenge.refuse.challenger")
def test_the_challenger_names_who_has_to_hide() -> None:
    battle, at = combat((hero(a=3),), (hero(a=3), hero(a=4)), foes=20)
    choose(battle, "own", at["own0"].number)
    choose(battle, "done")
    assert kind(battle) == "name-coward" and battle.clock.player[0] == 0
    assert slots(battle, "enemy") == [at["foe0"].number, at["foe1"].number]
    choose(battle, "enemy", at["foe1"].number)
    u, m = battle.units, battle.models
    k = at["foe1"].model()
    assert u.cowers[at["foe1"]] and m.rank[k] > 0 and u.duel[at["own0"]] == -1
    front = [j for j in battle.members(at["foe"].row) if m.rank[j] == 0]
    assert len(front) == 4 and m.rank[at["foe0"].model()] == 0
    assert all(
        battle.lines.unit[line] != at["foe1"].row for line, *_ in groups_of(battle, at["foe"].row, 1, again=True)
    )


@pytest.mark.rule("wap.challenge.refuse.challenger")
def test_who_was_refused_fights_as_ever() -> None:
    battle, at = combat((hero(a=3),), (hero(),), foes=20, run=False)
    hide(battle, at["foe0"].row)
    assert strikes(battle, at["own0"], at["foe"]) == {at["foe"].row}
    line = battle.units.first_line[at["own0"]]
    assert blow_of(battle, at["own0"].row, line, at["foe"].row).attacks == 3


@pytest.mark.rule("wap.challenge.refuse.leadership")
@pytest.mark.rule("wap.general.bsb.refused-challenge")
def test_nobody_looks_up_to_a_coward() -> None:
    scene = RegimentScene((60, 48))
    own = scene.unit(0, square(ld=7), (24, 20), models=15, files=5)
    lord = scene.unit(0, hero(ld=9), inside=own, models=1, leads=("general",))
    bearer = scene.unit(0, hero(ld=8), inside=own, models=1, leads=("battle standard",))
    near = scene.unit(0, square(ld=6), (34, 20), models=10, files=5)
    scene.beside(own, 1, square(), models=15, files=5)
    battle = scene.battle("combat", run=False)
    assert (
        leadership_value(battle, own.row, -1) == 8
        and presence(battle, near.row) == 9
        and holds_ground(battle, near.row)
    )
    hide(battle, lord.row)
    assert (
        leadership_value(battle, own.row, -1) == 7
        and presence(battle, near.row) == 0
        and holds_ground(battle, near.row)
    )
    hide(battle, bearer.row)
    assert leadership_value(battle, own.row, -1) == 6 and not holds_ground(battle, near.row)
    start_turn(battle, 1)
    assert (
        leadership_value(battle, own.row, -1) == 8
        and presence(battle, near.row) == 9
        and holds_ground(battle, near.row)
    )


@pytest.mark.rule("wap.challenge.refuse.return")
def test_who_has_hidden_may_come_back() -> None:
    battle, at = combat((hero(),), (hero(),), foes=20, run=False)
    hide(battle, at["foe0"].row)
    start_turn(battle, 0)
    battle.run()
    assert kind(battle) == "make-way" and battle.clock.player[0] == 1 and battle.legal()[0]
    stays = battle.clone()
    choose(stays, "done")
    assert stays.units.cowers[at["foe0"]] and kind(stays) != "challenge"
    choose(battle, "own", at["foe0"].number)
    assert not battle.units.cowers[at["foe0"]] and battle.models.rank[at["foe0"].model()] == 0
    assert kind(battle) == "challenge"  # he may be challenged again


def bases(battle: Battle, host: UnitHandle, others: list[UnitHandle]) -> list[tuple[int, int]]:
    """(rank, file) of every place in a unit that a model of it, or one of the others, stands on."""
    m, found = battle.models, [(battle.models.rank[k], battle.models.file[k]) for k in battle.members(host.row)]
    for unit in others:
        wide, deep = places_under(battle.units.rows, unit.row, host.row)
        rank, file = m.rank[unit.model()], m.file[unit.model()]
        found += [(rank + back, file + aside) for back in range(deep) for aside in range(wide)]
    return found


@pytest.mark.parametrize("foes", [7, 8, 15])
@pytest.mark.parametrize(
    ("cards", "hiding"),
    [((hero(), hero()), 2), ((hero(), rider()), 1), ((rider(), hero()), 2), ((rider(), rider()), 2)],
)
@pytest.mark.rule("wap.challenge.refuse.replaced", "wap.challenge.refuse.nominate", "wap.character.base.multiple")
def test_who_hides_stands_on_no_other_base(foes: int, cards: tuple[dict[str, Any], ...], hiding: int) -> None:
    """Not on that of another who hides, nor on one that reaches back from the middle of the front rank."""
    battle, at = combat((hero(),), cards, enemy_posts=(0, 2), foes=foes, run=False)
    lords = [at["foe0"], at["foe1"]]
    for lord in [lord for lord in lords[:hiding] if can_hide(battle, lord.row)]:
        hide(battle, lord.row)
        found = bases(battle, at["foe"], lords)
        assert len(found) == len(set(found)) == battle.units.block[at["foe"]]
        assert battle.models.rank[lord.model()] == 1
    assert battle.units.cowers[lords[0]] or foes < 15


@pytest.mark.rule("wap.challenge.refuse.return", "wap.challenge.refuse.replaced")
def test_who_comes_back_may_stand_before_another_who_hides() -> None:
    battle, at = combat((hero(),), (hero(), hero()), run=False)
    for lord in (at["foe0"], at["foe1"]):
        hide(battle, lord.row)
    assert free_files_for(battle, at["foe0"].row, at["foe"].row) == [0, 1, 2, 3, 4]


@pytest.mark.rule("wap.challenge.refuse.nowhere-to-hide")
@pytest.mark.parametrize(("models", "may"), [(4, False), (8, True)])
def test_who_has_nowhere_to_hide_accepts(models: int, may: bool) -> None:
    battle, at = combat((hero(),), (hero(),), foes=models)
    assert can_hide(battle, at["foe0"].row) is may
    choose(battle, "own", at["own0"].number)
    if may:
        assert kind(battle) == "accept-challenge" and battle.legal()[0]
    else:
        assert battle.units.duel[at["own0"]] == at["foe0"].row  # the only answer there is


@pytest.mark.rule("wap.challenge.refuse.nowhere-to-hide")
def test_who_stands_alone_accepts() -> None:
    scene = RegimentScene((60, 48))
    own = scene.unit(0, square(), (24, 20), models=10, files=5)
    scene.unit(0, hero(), inside=own, models=1)
    lone = scene.beside(own, 1, hero(), models=1)
    battle = scene.battle("combat", run=False)
    assert not can_hide(battle, lone.row)


# ---------------------------------------------------------------- fighting


@pytest.mark.rule("wap.challenge.fight.contact")
def test_duelists_strike_each_other_wherever_they_stand() -> None:
    battle, at = combat((hero(),), (hero(),), posts=(0,), enemy_posts=(0,), run=False)
    assert at["foe0"].row not in strikes(battle, at["own0"], at["foe"])  # they stand at opposite ends
    begin_duel(battle, at["own0"].row, at["foe0"].row)
    assert strikes(battle, at["own0"], at["foe"]) == {at["foe0"].row}
    assert strikes(battle, at["foe0"], at["own"]) == {at["own0"].row}


@pytest.mark.rule("wap.challenge.fight.attacks")
def test_all_attacks_go_to_the_rival_but_stomps() -> None:
    scene = RegimentScene((60, 48))
    own = scene.unit(0, square(), (24, 20), models=15, files=5)
    lord = scene.unit(0, hero(w=9, t=10), inside=own, models=1, post=2)
    beast = scene.beside(own, 1, hero(type="monster", base_mm=[50, 50], a=4, w=9, t=10), models=1)
    battle = scene.battle("combat", run=False)
    battle.units.fighting[own] = battle.units.fighting[beast] = 1
    begin_duel(battle, lord.row, beast.row)
    enemies = enemies_of(battle, beast.row)
    found = {
        battle.lines.kind[line]: {row for n, row in enumerate(enemies) if bits >> n & 1}
        for line, _, bits, _ in groups_of(battle, beast.row, 1)
    }
    assert found[0] == {lord.row} and own.row in found[STOMPS]


@pytest.mark.rule("wap.challenge.fight.protected")
def test_nobody_else_strikes_at_duelists() -> None:
    battle, at = combat((hero(rules=["Ice Attacks"]),), (hero(),), run=False)
    assert strikes(battle, at["foe"], at["own"]) == {at["own"].row, at["own0"].row}
    begin_duel(battle, at["own0"].row, at["foe0"].row)
    assert strikes(battle, at["foe"], at["own"]) == {at["own"].row}
    touching = [
        targets
        for line, _, targets, _ in groups_of(battle, at["foe"].row, 0)
        if battle.lines.unit[line] == at["foe"].row
    ]
    assert len(set(touching)) == 2  # rules of those in contact hold as ever: who touches him is slowed by his ice


def duel(dice: tuple[int, ...], wounds: int, **values: Any) -> tuple[Battle, dict[str, UnitHandle]]:
    """A challenger who strikes first, six times, at a hero with so many Wounds left; nobody else harms anybody."""
    idle = {"a": 0}
    scene = RegimentScene((60, 48))
    own = scene.unit(0, square(**idle), (24, 20), models=10, files=5)
    lord = scene.unit(0, hero(**{"a": 6, "i": 9, "s": 9, "ws": 9, **values}), inside=own, models=1, post=2)
    foe = scene.beside(own, 1, square(**idle), models=10, files=5)
    rival = scene.unit(1, hero(w=3, a=0), inside=foe, models=1, post=2)
    battle = scene.battle("combat", run=False, dice=dice)
    battle.models.wounds[rival.model()] = wounds
    begin_duel(battle, lord.row, rival.row)
    fight(battle, own)
    return battle, {"own": own, "lord": lord, "foe": foe, "rival": rival}


@pytest.mark.rule("wap.challenge.overkill")
@pytest.mark.rule("wap.result.overkill")
@pytest.mark.parametrize(("hits", "bonus"), [(4, 2), (6, 3), (2, 0)])
def test_wounds_beyond_the_last_count(hits: int, bonus: int) -> None:
    battle, at = duel((*[6] * hits, *[1] * (6 - hits), *[6] * hits), 2)
    assert battle.units.place[at["rival"]] == DESTROYED
    snapshot = fighter(battle, at["own"].row)
    assert snapshot.wounds == 2
    assert score(Combat([snapshot, Fighter(9, 1, 1)], []), [at["own"].row], snapshot.wounds).overkill == bonus
    assert Bonuses(wounds=2, overkill=bonus).total == 2 + bonus
    assert not list(battle.setup.ruleset.contradictions(battle))


@pytest.mark.rule("wap.challenge.overkill.counting")
def test_killing_blows_and_multiple_wounds_count_whole() -> None:
    battle, at = duel((6, 6, 1, 1, 1, 1, 6, 6), 3, rules=["Killing Blow"])
    assert battle.units.overkill[at["own"]] == 3 and fighter(battle, at["own"].row).wounds == 3
    battle, at = duel((6, 1, 1, 1, 1, 1, 6, 5), 1, rules=["Multiple Wounds (D3)"])
    assert battle.units.overkill[at["own"]] == 2 and fighter(battle, at["own"].row).wounds == 1


@pytest.mark.rule("wap.challenge.next-rounds")
def test_a_duel_goes_on_and_no_other_begins() -> None:
    battle, at = combat((hero(), hero()), (hero(),), run=False)
    begin_duel(battle, at["own0"].row, at["foe0"].row)
    battle.run()
    assert kind(battle) != "challenge" and not told(battle, "wap.challenge.timing")
    assert battle.units.duel[at["own0"]] in (at["foe0"].row, -1)
    battle, at = combat((hero(),), (hero(),), run=False)
    begin_duel(battle, at["own0"].row, at["foe0"].row)
    battle.units.fleeing[at["foe"]] = 1
    meet(battle)
    end_parted_duels(battle)
    assert battle.units.duel[at["own0"]] == battle.units.duel[at["foe0"]] == -1


# ---------------------------------------------------------------- in combat


@pytest.mark.rule("wap.character.combat.allocation")
def test_attacks_may_be_divided_between_a_character_and_his_unit() -> None:
    def divided(share: int) -> dict[str, int]:
        scene = RegimentScene((60, 48))
        ogre = scene.unit(
            0, square(type="monstrous infantry", base_mm=[50, 50], a=3, w=9, t=10, i=9), (24, 20), models=1
        )
        foe = scene.beside(ogre, 1, square(), models=10, files=5)
        lord = scene.unit(1, hero(), inside=foe, models=1, post=2)
        battle = fight(scene.battle("combat", run=False, detail="full"), ogre)
        assert kind(battle) == "strike-target" and slots(battle, "enemy") == [foe.number, lord.number]
        choose(battle, "enemy", lord.number if share else foe.number)
        assert kind(battle) == "strike-share" and slots(battle, "number") == [1, 2, 3]
        choose(battle, "number", share or 3)
        names = {foe.row: "unit", lord.row: "lord"}
        rolls = [event for event in told(battle, "wap.combat.hit.roll") if event["unit"] == ogre.row]
        return {names[event["target"]]: event["amount"] for event in rolls}

    assert [divided(share) for share in range(4)] == [
        {"unit": 3}, {"lord": 1, "unit": 2}, {"lord": 2, "unit": 1}, {"lord": 3},
    ]  # fmt: skip


@pytest.mark.rule("wap.character.special-rules.not-shared")
def test_his_rules_are_his_own() -> None:
    scene = RegimentScene((60, 48))
    own = scene.unit(0, square(), (24, 20), models=10, files=5)
    lord = scene.unit(0, hero(rules=["Killing Blow"]), inside=own, models=1, post=2)
    foe = scene.beside(own, 1, square(), models=10, files=5)
    battle = scene.battle("combat", run=False)
    lines = battle.units.first_line
    slays = {row.row: bool(blow_of(battle, row.row, lines[row], foe.row).nature) for row in (own, lord)}
    assert slays == {own.row: False, lord.row: True}


# ---------------------------------------------------------------- make way


def wide(post: int, *, command: bool = False, side: int = 0, other: int | None = None, detail: str = "full") -> Sides:
    """A hero in a unit of seven files, whose front an enemy of two files touches at files 3 to 6, or whose right flank."""
    scene = RegimentScene((60, 48))
    own = scene.unit(0, square(), (24, 20), models=21, files=7, command=("champion",) if command else ())
    found = {"own": own, "hero": scene.unit(0, hero(), inside=own, models=1, post=post)}
    if other is not None:
        found["other"] = scene.unit(0, hero(), inside=own, models=1, post=other)
    found["foe"] = scene.beside(own, 1, square(), models=4, files=2, along=0.5 if side == 0 else 0.0, side=side)
    return scene.battle("combat", detail=detail), found


@pytest.mark.rule("wap.character.make-way.swap")
def test_a_character_comes_to_where_the_enemy_is() -> None:
    battle, at = wide(0)
    assert kind(battle) == "make-way" and slots(battle, "own") == [at["hero"].number] and battle.legal()[0]
    choose(battle, "own", at["hero"].number)
    m = battle.models
    files = slots(battle, "number")
    assert kind(battle) == "hero-place" and len(files) == 4 and 0 not in files
    choose(battle, "number", files[0])
    assert m.file[at["hero"].model()] == files[0] and m.rank[at["hero"].model()] == 0
    assert any(event["strikers"] == 1 and event["amount"] == 3 for event in told(battle, "wap.combat.attacks.number"))


@pytest.mark.rule("wap.character.make-way.swap")
def test_he_does_not_push_another_character_aside() -> None:
    free, _ = wide(0)
    choose(free, "own", 1)
    files = slots(free, "number")
    battle, at = wide(0, other=files[1])
    assert slots(battle, "own") == [at["hero"].number]
    choose(battle, "own", at["hero"].number)
    assert slots(battle, "number") == [file for file in files if file != files[1]]


@pytest.mark.rule("wap.character.make-way.swap")
def test_a_champion_changes_places_with_him() -> None:
    battle, at = wide(0, command=True)
    champion, m = at["own"].model(0), battle.models
    choose(battle, "own", at["hero"].number)
    file = m.file[champion]
    assert file in slots(battle, "number")
    choose(battle, "number", file)
    assert (m.file[at["hero"].model()], m.file[champion], m.rank[champion]) == (file, 0, 0)


@pytest.mark.rule("wap.character.make-way.limits")
def test_at_a_flank_only_the_corner_of_the_front_rank_will_do() -> None:
    battle, at = wide(6, side=RIGHT)
    if kind(battle) == "make-way":
        choose(battle, "own", at["hero"].number)
    assert battle.models.rank[at["hero"].model()] == 0
    assert battle.models.file[at["hero"].model()] in (0, 6)


@pytest.mark.rule("wap.character.make-way.order")
def test_players_take_turns() -> None:
    scene = RegimentScene((60, 48))
    own = scene.unit(0, square(), (24, 20), models=21, files=7)
    mine = [scene.unit(0, hero(), inside=own, models=1, post=post) for post in (0, 1)]
    foe = scene.beside(own, 1, square(), models=21, files=7, along=4.0)
    theirs = scene.unit(1, hero(), inside=foe, models=1, post=0)
    battle = scene.battle("combat", dice=(5, 2))
    order = []
    while kind(battle) in ("make-way", "hero-place"):
        if kind(battle) == "make-way":
            order.append(battle.clock.player[0])
            choose(battle, "own", slots(battle, "own")[0])
        else:
            battle.apply(battle.first_legal())
    forward = [event["unit"] for event in told(battle, "wap.character.make-way.swap")]
    assert len(forward) == 3 and [row == theirs.row for row in forward] == [False, True, False]
    assert len(mine) == 2 and unit_strength(battle, own.row) > 0 and order


def test_scripts_are_used() -> None:
    battle, _ = combat((hero(),), (hero(),))
    script(battle, (1,))
    assert kind(battle) == "challenge"
