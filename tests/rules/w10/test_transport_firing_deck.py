"""Firing Deck: which weapons a TRANSPORT borrows, and that the attacks are its own (w10.transport.firing-deck.*)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from wh_env import Battle
from wh_env.testing import Scene, UnitHandle, choose, dice_left, pick, ranged, sheet, slots, told, words

RIFLE = {"bolt rifle": ranged(24, A=1, BS=3, S=4)}
STUBBER = {"stubber": ranged(36, A=3, BS=5, S=4)}


def bus(deck: int = 2, weapons: dict[str, object] | None = None, **fields: object) -> dict[str, object]:
    """A VEHICLE TRANSPORT of 5" by 3" with Firing Deck."""
    transport = {"capacity": 12, "allowed": ["INFANTRY"], "firing_deck": deck}
    data = {"M": 10, "W": 6, "hull_in": (5, 3), "height": 2.5, "models": (1, 1), **fields}
    return sheet(
        "Bus", keywords=("VEHICLE", "TRANSPORT"), abilities={"transport": transport},
        weapons=STUBBER if weapons is None else weapons, **data,  # type: ignore[arg-type]
    )  # fmt: skip


def loaded(
    squad: dict[str, object], models: int = 5, *, deck: int = 2, foe: tuple[float, float] = (20, 25),
    phase: str = "shooting", detail: str = "squad", dice: Sequence[int] = (), build: object = None,
    weapons: dict[str, object] | None = None, **columns: int,
) -> tuple[Battle, UnitHandle, UnitHandle]:  # fmt: skip
    """The bus at (20, 10) with the unit embarked, an enemy of nine wounds (W 9, T 4) to shoot at; battle, bus, unit."""
    scene = Scene()
    carrier = scene.unit(0, bus(deck, weapons), at=(20, 10), facing=0.0, **columns)
    unit = scene.unit(0, squad, models=models, embarked_in=carrier)
    scene.unit(1, sheet("Foe", W=9), at=[foe])
    if callable(build):
        build(scene)
    return scene.battle(phase, detail=detail, dice=dice), carrier, unit


def hits(battle: Battle) -> list[int]:
    """What each attack needed to hit."""
    return [e["needed"] for e in told(battle, "w10.attack.hit.roll")]


# ---------------------------------------------------------------- which weapons


@pytest.mark.rule("w10.transport.firing-deck")
def test_the_transport_shoots_with_its_own_weapons_and_two_rifles() -> None:
    """Firing Deck 2 and five embarked bolt rifles: 3 attacks of the bus (5+) and 2 of rifles with the rifles' own BS (3+);
    without the ability, the bus alone."""
    battle, _, squad = loaded(sheet("Squad", weapons=RIFLE), dice=[1] * 5)
    pick(battle, "Bus", kind="select-to-shoot")
    assert sorted(hits(battle)) == [3, 3, 5, 5, 5]
    assert len(told(battle, "w10.transport.firing-deck")) == 2
    assert {e["unit"] for e in told(battle, "w10.transport.firing-deck")} == {0}
    assert dice_left(battle) == 0
    battle, _, squad = loaded(sheet("Squad", weapons=RIFLE), deck=0, dice=[1] * 3)
    pick(battle, "Bus", kind="select-to-shoot")
    assert (hits(battle), dice_left(battle)) == ([5, 5, 5], 0)
    assert squad.row == 1


@pytest.mark.rule("w10.transport.firing-deck")
def test_at_squad_detail_the_best_weapons_are_lent() -> None:
    """Four rifles and a cannon with Firing Deck 1: the cannon."""
    data = sheet("Squad", weapons={**RIFLE, "cannon": ranged(48, A=1, BS=2, S=9, D=3)})
    data["models"][0]["weapons"] = ["bolt rifle"]
    data["models"][0]["options"] = [{"name": "cannon", "weapons": ["cannon"], "max": 1}]
    scene = Scene()
    carrier = scene.unit(0, bus(1, {}), at=(20, 10), facing=0.0)
    scene.unit(0, data, models=5, embarked_in=carrier, equipment={"Squad": {"cannon": 1}})
    scene.unit(1, sheet("Foe", W=9), at=[(20, 25)])
    battle = scene.battle("shooting", dice=[1])
    pick(battle, "Bus", kind="select-to-shoot")
    assert (hits(battle), dice_left(battle)) == ([2], 0)


@pytest.mark.rule("w10.transport.firing-deck")
def test_at_full_detail_the_player_picks_models_and_weapons() -> None:
    """Up to two of five models, one ranged weapon of each (rifle or pistol, not the blade); each has a target of its own."""
    weapons = {**RIFLE, "pistol": ranged(18, BS=4, abilities=["Pistol"]), "blade": {
        "range": "melee", "A": 2, "skill": 3, "S": 4, "AP": 0, "D": 1, "abilities": []}}  # fmt: skip
    battle, carrier, squad = loaded(
        sheet("Squad", weapons=weapons),
        detail="full",
        dice=[1] * 5,
        build=lambda s: s.unit(1, sheet("Other"), at=[(25, 22)]),
    )
    pick(battle, "Bus", kind="select-to-shoot")
    assert battle.decision is not None
    assert battle.decision.kind == "firing-deck-model"
    assert (len(slots(battle, "model")), battle.legal()[0]) == (5, True)
    none = battle.clone()
    choose(none, "done")
    assert none.decision is not None
    assert [w for w in words(none).values() if "Squad" in w] == []
    choose(battle, "model", 3)
    assert battle.decision is not None
    assert battle.decision.kind == "firing-deck-weapon"
    assert sorted(words(battle).values()) == ["Squad 4: bolt rifle", "Squad 4: pistol"]
    pick(battle, "pistol")
    assert slots(battle, "model") == [0, 1, 2, 4]
    choose(battle, "model", 0)
    pick(battle, "bolt rifle")
    asked = []
    while battle.decision is not None and battle.decision.kind == "weapon-target":
        asked.append(words(battle)[0].split(":")[0])
        pick(battle, "Other" if "pistol" in asked[-1] else "Foe")
    assert asked == ["Bus 1, stubber", "Squad 1, bolt rifle", "Squad 4, pistol"]
    while battle.decision is not None and battle.decision.kind in ("target-order", "profile-order"):
        battle.apply(battle.first_legal())
    assert sorted(hits(battle)) == [3, 4, 5, 5, 5]
    assert {e["attacker"] for e in told(battle, "w10.attack.hit.roll")} == {carrier.first}
    assert dice_left(battle) == 0
    assert squad.row == 1


@pytest.mark.rule("w10.transport.firing-deck")
def test_measured_from_and_visible_to_the_transport() -> None:
    """Rifles of 24": an enemy 24.0" from the hull is in range, at 24.1" it is not (nor is the bus eligible without
    weapons); behind a tall wall it is not visible to the bus."""
    squad = sheet("Squad", weapons=RIFLE)
    for gap, offered in ((24.0, True), (24.1, False)):
        battle, _, _ = loaded(squad, foe=(20, 10 + 1.5 + gap + 0.5), weapons={})
        assert battle.distance(0, 2) == pytest.approx(gap)
        shooting = battle.decision is not None and battle.decision.kind == "select-to-shoot"
        assert (shooting and "Bus" in words(battle).values()) == offered
    battle, _, _ = loaded(squad, weapons={}, build=lambda s: s.wall(5, 18, 35, 18, 12))
    assert battle.decision is None or "Bus" not in words(battle).values()


@pytest.mark.rule("w10.transport.firing-deck")
def test_the_weapons_are_given_back_after_the_attacks() -> None:
    """In the next turn of its player the models lend weapons anew; between, in the opponent's turn, nobody lends any."""
    battle, _, squad = loaded(sheet("Squad", weapons=RIFLE), dice=[1] * 5)
    pick(battle, "Bus", kind="select-to-shoot")
    assert not any(battle.deck)
    while not (battle.clock.turn[0] == 0 and battle.clock.phase[0] == 3):
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert "Bus" in words(battle).values()
    assert "Squad" not in words(battle).values()
    assert squad.row == 1


# ---------------------------------------------------------------- whose attacks they are


@pytest.mark.rule("w10.transport.firing-deck.bearer")
@pytest.mark.parametrize(
    ("moved", "foe", "needed"), [(1, (20, 12.5), 4), (2, (20, 12.5), 5), (1, (20, 25), 3), (2, (20, 25), 4)]
)
def test_big_guns_never_tire_and_heavy(moved: int, foe: tuple[float, float], needed: int) -> None:
    """A Heavy weapon of BS 4+ from the deck: the bus within Engagement Range and Remained Stationary, -1 and +1: 4+;
    having moved 5+; out of Engagement Range 3+ and 4+."""
    heavy = sheet("Squad", weapons={"heavy": ranged(24, A=1, BS=4, abilities=["Heavy"])})
    battle, carrier, _ = loaded(heavy, 1, deck=1, foe=foe, weapons={}, dice=[1], moved=moved)
    pick(battle, "Bus", kind="select-to-shoot")
    rolls = told(battle, "w10.attack.hit.roll")
    assert [(e["attacker"], e["needed"]) for e in rolls] == [(carrier.first, needed)]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.transport.firing-deck.bearer")
def test_only_assault_weapons_once_the_transport_has_advanced() -> None:
    """The bus Advanced: a rifle cannot be fired from its deck, an Assault rifle can; after a Fall Back neither."""
    for moved, abilities, offered in ((3, [], False), (3, ["Assault"], True), (4, ["Assault"], False)):
        squad = sheet("Squad", weapons={"gun": ranged(24, BS=3, abilities=abilities)})
        battle, _, _ = loaded(squad, weapons={}, moved=moved)
        shooting = battle.decision is not None and battle.decision.kind == "select-to-shoot"
        assert (shooting and "Bus" in words(battle).values()) == offered


@pytest.mark.rule("w10.transport.firing-deck.bearer")
def test_the_embarked_unit_is_not_selected_to_shoot() -> None:
    """Before and after the bus has shot only other units are offered."""
    battle, _, _ = loaded(
        sheet("Squad", weapons=RIFLE), build=lambda s: s.unit(0, sheet("Idle", weapons=RIFLE), at=[(30, 10)])
    )
    assert sorted(words(battle).values()) == ["Bus", "Idle", "done"]
    pick(battle, "Bus")
    assert battle.decision is None or "Squad" not in words(battle).values()


@pytest.mark.rule("w10.transport.firing-deck.bearer")
def test_a_hazardous_weapon_hurts_the_transport() -> None:
    """The TRANSPORT is equipped with the Hazardous weapon: on a failed test it suffers 3 mortal wounds as a VEHICLE."""
    plasma = sheet("Squad", weapons={"plasma": ranged(24, A=1, BS=3, abilities=["Hazardous"])})
    battle, carrier, squad = loaded(plasma, 1, deck=1, weapons={}, dice=[1, 1])
    pick(battle, "Bus", kind="select-to-shoot")
    assert battle.models.wounds[carrier.first] == 3
    assert battle.units.alive[squad] == 1
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.transport.firing-deck")
def test_a_one_shot_weapon_is_spent_by_the_model_that_lends_it() -> None:
    """A One Shot weapon fired from the deck cannot be fired again in a later turn."""
    squad = sheet("Squad", weapons={"rocket": ranged(48, A=1, BS=3, abilities=["One Shot"])})
    battle, _, _ = loaded(squad, 1, deck=1, weapons={}, dice=[1])
    pick(battle, "Bus", kind="select-to-shoot")
    assert hits(battle) == [3]
    while battle.clock.round[0] < 3 and not battle.over:
        assert "Bus" not in words(battle).values() or battle.clock.phase[0] != 3
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert hits(battle) == [3]
