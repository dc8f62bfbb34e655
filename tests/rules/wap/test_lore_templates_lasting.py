"""Spells that last by what happens later: the Fire-Cloak, the Shield of Thorns, the Flame Cage."""

from __future__ import annotations

from math import pi

import pytest

from tests.heroes import hero
from tests.marching import ADVANCE, FORWARD, REFORM, ahead, finish, go, leg
from tests.spell_scenes import Circle, end_magic, go_to_magic, hits, losses
from wh_env import Battle
from wh_env.rulesets.wap.basics.effects import begin_effect, effect_of, effects_of, rows_in_use
from wh_env.rulesets.wap.casualties.removing import slay
from wh_env.rulesets.wap.codes import LEFT, Phase
from wh_env.rulesets.wap.fleeing.flight import Flight, start_to_flee
from wh_env.rulesets.wap.view.ledger import Ledger
from wh_env.testing import choose, dice_left, kind, pick, script, told, words
from wh_env.testing.wap import EAST, UnitHandle, fought, square

BOTH_PLAYERS = pytest.mark.parametrize("player", [0, 1])
CLOAK, THORNS, CAGE = "Cascading Fire-Cloak", "Shield of Thorns", "Fulminating Flame Cage"
CAGE_RULE = "wap.lore.fire.flame-cage"
STURDY = square(t=6)  # to whom few hits do harm


def in_contact(lore: str, player: int) -> tuple[Circle, UnitHandle, list[UnitHandle]]:
    """A friend of a wizard who fights two enemies, one at the front and one at a flank, and a third enemy far away."""
    place = Circle(lore, player)
    friend = place.friend(STURDY, (16, 24), models=10, files=5, facing=0.0)
    foes = [
        place.scene.beside(friend, 1 - player, STURDY, models=5),
        place.scene.beside(friend, 1 - player, STURDY, side=LEFT, models=5),
    ]
    place.enemy(STURDY, (60, 24), models=5)
    return place, friend, foes


def under(battle: Battle) -> list[tuple[str, int]]:
    """(name, unit) for each effect that acts."""
    return [(effect_of(battle, k).name, battle.effects.unit[k]) for k in rows_in_use(battle)]


@BOTH_PLAYERS
@pytest.mark.rule("wap.lore.fire.cascading-fire-cloak")
def test_the_cloak_burns_enemies_in_contact_at_the_end_of_every_magic_phase(player: int) -> None:
    """First at the end of the phase in which it is cast, then at the end of the opponent's; dispelled, no more."""
    place, friend, foes = in_contact("fire", player)
    battle = place.battle()
    place.cast(battle, CLOAK, [3, 2], target=friend)
    assert under(battle) == [(CLOAK, friend.row)] and hits(battle) == {}
    end_magic(battle, [1, 1, 1, 1, 2, 1, 1, 1, 1])
    assert hits(battle) == {foes[0].row: 2, foes[1].row: 3}
    assert {event["needed"] for event in told(battle, "wap.shoot.wound.roll")} == {6}  # Strength 4 against Toughness 6
    go_to_magic(battle, 1 - player)
    before = hits(battle)
    end_magic(battle, [3, 4, *[1] * 7, 1, 1, 1, 1])
    after = hits(battle)
    assert {row: after[row] - before[row] for row in after} == {foes[0].row: 7, foes[1].row: 2}
    go_to_magic(battle, player)
    choose(battle, "done")  # it is kept up
    script(battle, [5, 5, 5])
    pick(battle, f"dispel {CLOAK}", kind="dispel-in-play")
    if kind(battle) == "dispel-dice":
        pick(battle, "1 die (")
    assert under(battle) == []
    end_magic(battle, [6] * 20)
    assert hits(battle) == after


@BOTH_PLAYERS
@pytest.mark.rule("wap.lore.fire.cascading-fire-cloak")
def test_the_cloak_is_cast_on_a_friend_in_range(player: int) -> None:
    """12", boosted 24"; a friend in close combat may be its target, an enemy may not."""
    for away, dice, version, lasts in (
        (12.0, [3, 2], "", True), (12.1, [3, 2], "", False), (24.0, [5, 5], "9+", True), (24.1, [5, 5], "9+", None)
    ):  # fmt: skip
        place = Circle("fire", player)
        friend = place.friend(STURDY, (10 + away, 24), models=5, facing=3.14159265)
        place.enemy(STURDY, (11, 40), models=5)
        battle = place.battle()
        place.begin(battle, CLOAK)
        offered = any(text.endswith(f" on {friend.regiment.name}") for text in words(battle).values())
        assert offered == (lasts is not None)
        if lasts is None:
            continue
        place.aim(battle, friend)
        place.roll(battle, dice, version=version)
        assert ((CLOAK, friend.row) in under(battle)) == lasts


@BOTH_PLAYERS
@pytest.mark.rule("wap.lore.life.shield-of-thorns")
def test_the_shield_of_thorns_stabs_enemies_in_contact(player: int) -> None:
    """8 hits of Strength 3, and again at the end of the next Magic phase; nobody else is hit."""
    place, friend, foes = in_contact("life", player)
    battle = place.battle()
    place.cast(battle, THORNS, [4, 4], target=friend)
    end_magic(battle, [4, 4, *[1] * 8, 1, 2, 1, 1, 1])
    assert hits(battle) == {foes[0].row: 8, foes[1].row: 3} and losses(battle) == {}
    assert {event["needed"] for event in told(battle, "wap.shoot.wound.roll")} == {6}
    go_to_magic(battle, 1 - player)
    end_magic(battle, [1, 1, 1, 1, 1, 1, 6, 1])
    assert hits(battle) == {foes[0].row: 10, foes[1].row: 5} and losses(battle) == {foes[1].row: 1}


@BOTH_PLAYERS
@pytest.mark.rule("wap.lore.life.shield-of-thorns")
def test_thorns_of_a_slain_wizard_stab_nobody(player: int) -> None:
    place, friend, _ = in_contact("life", player)
    battle = place.battle()
    place.cast(battle, THORNS, [4, 4], target=friend)
    slay(battle, place.wizard.model())
    end_magic(battle, [6] * 30)
    assert hits(battle) == {} and under(battle) == []


# ---------------------------------------------------------------- the cage


def caged(player: int, **fields: object) -> tuple[Circle, UnitHandle, Battle]:
    """A unit of ten in the cage, one of its models dead, in the Movement phase of its player's next turn."""
    place = Circle("fire", player)
    target = place.enemy(square(), (40, 24), models=11, files=5, **fields)
    place.friend(None, (4, 40), models=5)
    battle = place.battle()
    place.begin(battle, CAGE)
    place.aim(battle, target)
    place.roll(battle, [5, 5, 2], version="14+", then=[1, 6])
    assert (CAGE, target.row) in under(battle) and battle.units.alive[target] == 10
    while battle.clock.turn[0] == player:
        script(battle, [1] * 80)
        choose(battle, "done")
    return place, target, battle


@BOTH_PLAYERS
@pytest.mark.rule("wap.lore.fire.flame-cage")
def test_the_cage_burns_at_once(player: int) -> None:
    """3 hits of Strength 4 on Toughness 4: the save of 6+ is no more, 2 wounds go through. Up to 24", boosted 48"."""
    for away, dice, version, number in ((24, [5, 4], "", 3), (24.1, [5, 4], "", None), (48, [5, 5, 2], "14+", 3)):
        place = Circle("fire", player)
        target = place.enemy(square(t=4, equipment=["light armour"]), (10 + away, 24), models=12, files=6)
        battle = place.battle(winds=(6, 6))
        place.begin(battle, CAGE)
        place.aim(battle, target)
        place.roll(battle, dice, version=version, then=[] if number is None else [number, 4, 4, 3])
        assert hits(battle) == ({} if number is None else {target.row: 3})
        assert losses(battle) == ({} if number is None else {target.row: 2})
        assert not told(battle, "wap.shoot.save.roll") and dice_left(battle) == 0
        assert under(battle) == ([] if number is None else [(CAGE, target.row)])


def caught(battle: Battle, unit: UnitHandle) -> int:
    """Hits that the cage dealt to a unit when it moved."""
    return sum(
        event["amount"]
        for event in told(battle, CAGE_RULE)
        if event.get("unit") == unit.row and "target" not in event and "name" not in event
    )


@BOTH_PLAYERS
@pytest.mark.rule("wap.lore.fire.flame-cage.trap")
def test_whoever_moves_in_the_cage_is_burnt_once(player: int) -> None:
    """A move of 2" costs ten hits of Strength 4; a flight later in the turn none."""
    _, target, battle = caged(player)
    ledger = Ledger(battle)
    go(battle, target, ADVANCE)
    script(battle, [6, 6, *[1] * 8])
    leg(battle, FORWARD, ahead(2))
    finish(battle)
    assert caught(battle, target) == 10 and battle.units.alive[target] == 8 and ledger.faults() == []
    assert told(battle, "wap.shoot.wound.roll")[-1]["needed"] == 3
    assert told(battle, "wap.shoot.sequence")[-1]["amount"] == 2
    assert under(battle) == []
    flee(battle, target)
    assert battle.units.alive[target] == 8 and caught(battle, target) == 10


def flee(battle: Battle, unit: UnitHandle) -> None:
    """Let a unit flee away from the wizard."""
    script(battle, [1, 1, *[6] * 12])
    start_to_flee(battle, unit.row, battle.units.facing[unit] + pi, "wap.panic.direction.other")
    battle.push(Flight, unit.row)
    battle.run()


@BOTH_PLAYERS
@pytest.mark.rule("wap.lore.fire.flame-cage.trap")
def test_a_reform_and_a_flight_are_moves_too(player: int) -> None:
    for how in ("reform", "flight"):
        _, target, battle = caged(player)
        if how == "reform":
            go(battle, target, REFORM)
            script(battle, [1] * 10)
            while kind(battle) in ("reform-files", "reform-facing"):
                battle.apply(battle.first_legal())
        else:
            flee(battle, target)
        assert caught(battle, target) == 10 and under(battle) == []


@BOTH_PLAYERS
@pytest.mark.rule("wap.lore.fire.flame-cage.trap")
def test_the_cage_burns_a_charger(player: int) -> None:
    place = Circle("fire", player)
    target = place.enemy(square(), (30, 24), models=10, files=5)
    prey = place.friend(STURDY, (24, 24), models=10, files=5, facing=EAST)
    battle = place.battle()
    place.cast(battle, CAGE, [5, 4], target=target, then=[1, 1])
    while battle.clock.turn[0] == player:
        script(battle, [1] * 80)
        choose(battle, "done")
    pick(battle, target.regiment.name, kind="declare-charge")
    script(battle, [4, 4, *[1] * 20])
    while kind(battle) in ("declare-charge", "charge-reaction"):
        choose(battle, "done") if kind(battle) == "declare-charge" else pick(battle, "hold")
    while under(battle) and kind(battle) is not None and battle.clock.phase[0] == Phase.MOVEMENT:
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert battle.units.fights[target] == 1 and battle.units.fights[prey] == 1
    assert caught(battle, target) == 10


@BOTH_PLAYERS
@pytest.mark.rule("wap.lore.fire.flame-cage.trap", "wap.lore.general.until-next-magic-phase")
def test_the_cage_ends_by_itself(player: int) -> None:
    """The unit stays where it is, and the cage is gone when the caster's next Magic phase begins."""
    _, target, battle = caged(player)
    while not (battle.clock.turn[0] == player and battle.clock.phase[0] == Phase.MAGIC):
        assert under(battle) == [(CAGE, target.row)]
        script(battle, [1] * 80)
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert under(battle) == [] and caught(battle, target) == 0


@BOTH_PLAYERS
@pytest.mark.rule("wap.lore.fire.flame-cage.trap")
def test_characters_in_the_cage_are_burnt_too(player: int) -> None:
    place = Circle("fire", player)
    target = place.enemy(square(), (30, 24), models=8, files=4)
    him = place.hero(False, hero(w=2), target, 1)
    battle = place.battle()
    place.cast(battle, CAGE, [5, 4], target=target, then=[1, 1])
    while battle.clock.turn[0] == player:
        script(battle, [1] * 80)
        choose(battle, "done")
    script(battle, [1] * 8 + [6])
    flee_with(battle, target, [*[1] * 8, 6])
    assert caught(battle, target) == 8 and caught(battle, him) == 1
    assert battle.models.wounds[him.model()] == 1


def flee_with(battle: Battle, unit: UnitHandle, dice: list[int]) -> None:
    """Let a unit flee, with dice after the roll for its flight."""
    script(battle, [1, 1, *dice])
    start_to_flee(battle, unit.row, battle.units.facing[unit] + pi, "wap.panic.direction.other")
    battle.push(Flight, unit.row)
    battle.run()


@BOTH_PLAYERS
@pytest.mark.rule("wap.lore.fire.flame-cage.trap")
def test_a_pursuit_springs_the_cage_and_restraint_does_not(player: int) -> None:
    for pursues in (True, False):
        place = Circle("fire", player)
        loser = place.friend(STURDY, (30, 24), models=10, files=5, facing=EAST)
        winner = place.scene.beside(loser, 1 - player, square(), models=10)

        def cage(battle: Battle, winner: UnitHandle = winner, place: Circle = place) -> None:
            effects = effects_of(battle)
            number = next(n for n, effect in enumerate(effects) if effect.name == CAGE)
            begin_effect(battle, number, winner.row, place.player, place.wizard.row)

        state = fought(won=[winner], broken=[loser], lost_by=9, then=cage)
        battle = place.scene.battle("combat", player=player, dice=[6, 5], set_state=state)
        while kind(battle) is not None and battle.clock.phase[0] == Phase.COMBAT:
            script(battle, [*((6, 5) if pursues else ()), *[1] * 30])
            if kind(battle) == "pursue":
                pick(battle, "pursue" if pursues else "restrain")
            else:
                battle.apply(0 if battle.legal()[0] else battle.first_legal())
        assert caught(battle, winner) == (10 if pursues else 0)
