"""Units that shoot out of an open-topped TRANSPORT (w9.rare.shoot-embarked.*, w9.transport.embarked.no-effects)."""

from __future__ import annotations

from typing import Any

import pytest
from classic import raw_sheet, setup_of
from ninth import NinthScene

from wh_env import Battle
from wh_env.core.tables import EMBARKED
from wh_env.rulesets.w9.stratagems.book import BOOK, Stratagem
from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.psychic.data import Affects, Lasts, PsychicPower, PsychicProfile
from wh_env.rulesets.w40k.psychic.state import power_of
from wh_env.testing import UnitHandle, dice_left, kind, pick, ranged, sheet, slots, told, words

RIFLE = {"rifle": ranged(24, A=1, BS=4, S=9, abilities=["Rapid Fire 1"])}
ASSAULT = {"carbine": ranged(24, A=1, BS=3, S=9, abilities=["Assault"])}
HEAVY = {"cannon": ranged(36, A=1, BS=4, S=9, abilities=["Heavy"])}
PISTOL = {"pistol": ranged(12, A=1, BS=4, S=9, abilities=["Pistol"])}
NO_CP = {"cp_each_command_phase": 0}


def aura(name: str, effect: str) -> dict[str, Any]:
    """An Aura of 6" as the datasheet schema writes it."""
    return {"name": name, "effect": effect, "active": True, "range": 6}


def bus(weapons: dict[str, Any] | None = None, **abilities: Any) -> dict[str, Any]:
    """A TRANSPORT of 5" by 3"."""
    carried = {"transport": {"capacity": 12, "allowed": ["INFANTRY"]}, **abilities}
    return sheet(
        "Bus", M=12, W=6, T=9, hull_in=(5, 3), height=2.5, models=(1, 1), keywords=("VEHICLE", "TRANSPORT"),
        abilities=carried, weapons=weapons or {},
    )  # fmt: skip


class Ride:
    """The player's squad in its bus at (20, 22), whose nose is at x = 22.5; a target with 30 wounds stands on the same line."""

    def __init__(
        self, weapons: dict[str, Any] = RIFLE, dice: tuple[int, ...] = (), *, player: int = 0, foe: float = 40, models: int = 1,
        detail: str = "squad", carrier: dict[str, Any] | None = None, did: int = Moved.STATIONARY, passenger: dict[str, Any] | None = None,
        build: Any = None, open_topped: Any = True, squad: dict[str, Any] | None = None, cp: int = 0, rules: dict[str, Any] | None = None,
    ) -> None:  # fmt: skip
        scene = NinthScene()
        self.player = player
        self.bus = scene.unit(player, carrier or bus(), at=(20, 22), facing=0.0, moved=did, open_topped=open_topped)
        self.squad = scene.unit(
            player, sheet("Squad", weapons=weapons, **(squad or {})), models=models, embarked_in=self.bus, **(passenger or {})
        )  # fmt: skip
        self.foe = scene.unit(1 - player, sheet("Foe", W=30, Sv=7), at=(foe, 22), models=1)
        self.built = build(scene, self) if build is not None else None
        points = (cp, 0) if player == 0 else (0, cp)
        self.battle: Battle = scene.battle(
            "shooting", active=player, dice=dice, detail=detail, cp=points, rules={**NO_CP, **(rules or {})}
        )  # fmt: skip

    def ready(self) -> bool:
        """Whether the squad can be selected to shoot."""
        number = self.squad.row - self.battle.players.first_unit[self.player]
        return kind(self.battle) == "select-to-shoot" and number in slots(self.battle, "own")

    def fire(self) -> int:
        """It shoots at the target; how many wounds that has lost."""
        pick(self.battle, "Squad", kind="select-to-shoot")
        while kind(self.battle) in ("shoot-target", "weapon-target"):
            pick(self.battle, "Foe")
        return int(30 - self.battle.models.wounds[self.foe.first])


# ---------------------------------------------------------------- measuring


@pytest.mark.rule("w9.rare.shoot-embarked.measure")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("foe", "reached"), [(47.0, True), (47.2, False)])
def test_distances_are_those_of_the_hull(foe: float, reached: bool, detail: str, player: int) -> None:
    """24" from the nose and 29" from the rear: a weapon of 24" reaches; 24.2" from the nose it does not. Afterwards the models are nowhere."""
    ride = Ride(RIFLE, (4, 2), foe=foe, detail=detail, player=player)
    assert ride.ready() == reached
    if not reached:
        return
    x = ride.battle.models.x[ride.squad.first]
    assert ride.fire() == 1
    m = ride.battle.models
    assert (m.on_table[ride.squad.first], m.on_table[ride.bus.first], m.x[ride.squad.first]) == (0, 1, x)
    assert ride.battle.units.place[ride.squad] == EMBARKED


@pytest.mark.rule("w9.rare.shoot-embarked.measure")
@pytest.mark.parametrize("wide", [6.0, 0.7])
def test_any_part_of_the_hull_may_see(wide: float) -> None:
    """A wall before the middle of the hull hides nothing from its sides; one that hides the target from all of it does."""
    ride = Ride(foe=30, build=lambda scene, _: scene.box(25, 22 - wide, 26, 22 + wide, 9))
    assert ride.ready() == (wide < 1)


@pytest.mark.rule("w9.rare.shoot-embarked.measure")
def test_nobody_shoots_out_of_a_closed_transport_or_from_reserves() -> None:
    """Without the ability nobody is offered."""
    assert not Ride(open_topped=False).ready()
    assert Ride().ready()


# ---------------------------------------------------------------- what the TRANSPORT did


@pytest.mark.rule("w9.rare.shoot-embarked.moved")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("did", "hits"), [(Moved.NORMAL, 0), (Moved.STATIONARY, 1)])
def test_it_moved_as_its_transport_did(did: int, hits: int, player: int) -> None:
    """INFANTRY with a Heavy weapon of BS 4+: a 4 misses after a Normal Move of the TRANSPORT and hits if it Remained Stationary, although the
    unit itself made a Normal Move before it embarked."""
    ride = Ride(HEAVY, (4, 2), did=did, player=player, passenger={"moved": Moved.NORMAL})
    assert ride.fire() == hits
    while ride.battle.clock.phase[0] == 4 and ride.battle.decision is not None:
        ride.battle.apply(0)
    assert ride.battle.units.moved[ride.squad] in (Moved.NORMAL, Moved.NOT_YET)


@pytest.mark.rule("w9.rare.shoot-embarked.restrictions")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("did", "weapons", "armed", "able"), [
    (Moved.FELL_BACK, RIFLE, ASSAULT, False), (Moved.FELL_BACK, ASSAULT, ASSAULT, False), (Moved.ADVANCE, ASSAULT, RIFLE, False),
    (Moved.ADVANCE, ASSAULT, {}, False), (Moved.ADVANCE, ASSAULT, ASSAULT, True), (Moved.ADVANCE, RIFLE, ASSAULT, False),
    (Moved.NORMAL, RIFLE, {}, True),
])  # fmt: skip
def test_what_bars_the_transport_bars_its_passengers(
    did: int, weapons: dict[str, Any], armed: dict[str, Any], able: bool, player: int
) -> None:
    """It Fell Back: nobody shoots. It Advanced: only with Assault weapons, and only if it has one itself; then at -1 to hit."""
    ride = Ride(weapons, (3, 2), carrier=bus(weapons=armed), did=did, player=player)
    assert ride.ready() == able
    if able and did == Moved.ADVANCE:
        assert ride.fire() == 0  # BS 3+, and a 3 misses


@pytest.mark.rule("w9.rare.shoot-embarked.engaged")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_pistols_only_while_the_transport_is_engaged(detail: str, player: int) -> None:
    """The TRANSPORT 0.5" from an enemy: only Pistols can be fired, at that enemy, not at another one."""

    def another(scene: NinthScene, _: Ride) -> None:
        scene.unit(1 - player, sheet("Other", W=30), at=(20, 30), models=1)

    both = Ride({**RIFLE, **PISTOL}, (4, 2), foe=23.5, detail=detail, player=player, build=another)
    assert both.ready()
    pick(both.battle, "Squad")
    while kind(both.battle) in ("shoot-target", "weapon-target"):
        asked = list(words(both.battle).values())
        assert not any("Other" in text or "rifle" in text for text in asked)
        pick(both.battle, "Foe")
    assert both.battle.models.wounds[both.foe.first] == 29
    assert len(told(both.battle, "w9.attack.hit")) == 1
    assert not Ride(RIFLE, foe=23.5, player=player).ready()
    assert Ride(RIFLE, foe=25.0, player=player).ready()


@pytest.mark.rule("w9.rare.shoot-embarked.engaged")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("target", ["Foe", "Other"])
def test_all_weapons_where_the_ability_says_so(target: str, detail: str, player: int) -> None:
    """An ability that lets passengers shoot although the TRANSPORT is engaged: a Rapid Fire gun is fired at the enemy beside it, twice, or at
    another one, at no penalty; after an Advance, which bars the engaged TRANSPORT, not even then."""

    def another(scene: NinthScene, _: Ride) -> None:
        scene.unit(1 - player, sheet("Other", W=30, Sv=7), at=(20, 30), models=1)

    ride = Ride(RIFLE, (4, 4, 2, 2), foe=23.5, detail=detail, player=player, build=another, open_topped="engaged")
    assert ride.ready()
    pick(ride.battle, "Squad", kind="select-to-shoot")
    while kind(ride.battle) in ("shoot-target", "weapon-target"):
        pick(ride.battle, target)
    other = ride.foe.first + 1
    assert [ride.battle.models.wounds[k] for k in (ride.foe.first, other)] == (
        [28, 30] if target == "Foe" else [30, 28]
    )
    assert dice_left(ride.battle) == 0
    assert not Ride(RIFLE, foe=23.5, player=player, did=Moved.ADVANCE, open_topped="engaged").ready()


@pytest.mark.rule("w9.rare.shoot-embarked.engaged")
@pytest.mark.parametrize("engaged", [True, False])
def test_its_datasheet_says_so(engaged: bool) -> None:
    """Of TRANSPORTS that are open-topped in both armies ``shoots_engaged`` says so; of one that is not nothing is known."""
    carried = {"capacity": 6, "allowed": ["INFANTRY"]}
    own = {"transport": {**carried, "open_topped": True, "shoots_engaged": engaged}}
    truck = raw_sheet("Truck", keywords=["VEHICLE", "TRANSPORT"], role="Dedicated Transport", abilities=own)
    closed = raw_sheet(
        "Closed", keywords=["VEHICLE", "TRANSPORT"], role="Dedicated Transport", abilities={"transport": carried}
    )
    setup = setup_of(raw_sheet("Squad"), truck, closed)
    assert dict(setup.statics["open_topped"]) == {1: engaged, 4: engaged}


# ---------------------------------------------------------------- abilities


@pytest.mark.rule("w9.rare.shoot-embarked.abilities")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("inside", [True, False])
def test_abilities_of_others_have_no_effect(inside: bool, player: int) -> None:
    """A CHARACTER whose Aura lets units re-roll hit rolls of 1 is embarked beside the unit, or stands 1" from the TRANSPORT: a 1 is not
    re-rolled."""

    def hero(scene: NinthScene, ride: Ride) -> None:
        auras = {"auras": [aura("Lord", "re-roll hit rolls of 1")]}
        place = {"embarked_in": ride.bus} if inside else {"at": (20, 25)}
        scene.unit(player, sheet("Lord", keywords=("INFANTRY", "CHARACTER"), abilities=auras), models=1, **place)  # type: ignore[arg-type]

    ride = Ride(RIFLE, (1, 6, 6), build=hero, player=player)
    assert ride.fire() == 0
    assert dice_left(ride.battle) == 2


@pytest.mark.rule("w9.transport.embarked.no-effects")
@pytest.mark.parametrize("player", [0, 1])
def test_no_aura_reaches_into_a_transport_and_no_stratagem_is_used_on_who_is_in_it(player: int) -> None:
    """A CHARACTER with "+1 to hit within 6"" 2" from the TRANSPORT: the embarked unit has no +1, and no Stratagem can be used on it,
    though it could be on the CHARACTER."""

    def hero(scene: NinthScene, _: Ride) -> UnitHandle:
        auras = {"auras": [aura("Lord", "+1 to hit")]}
        return scene.unit(
            player, sheet("Lord", keywords=("INFANTRY", "CHARACTER"), abilities=auras), at=(20, 26), models=1
        )

    ride = Ride(RIFLE, (3, 6), build=hero, player=player, cp=5, detail="full")
    assert BOOK.can_use(ride.battle, player, Stratagem.COMMAND_REROLL, ride.built.row)
    for stratagem in Stratagem:
        assert not BOOK.can_use(ride.battle, player, stratagem, ride.squad.row)
    assert ride.fire() == 0
    assert dice_left(ride.battle) == 1


@pytest.mark.rule("w9.rare.shoot-embarked.stratagems")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("walks", [True, False])
def test_no_command_re_roll_of_its_dice(walks: bool, player: int) -> None:
    """5 CP: none of the hit, wound, damage and number-of-attacks dice of the embarked unit is offered; those of a unit on foot are."""
    gun = {"gun": ranged(24, A="D3", BS=4, S=9, D="D3")}

    def on_foot(scene: NinthScene, _: Ride) -> None:
        scene.unit(player, sheet("Walkers", weapons=gun), at=(20, 26), models=1)

    ride = Ride(gun, (1, 4, 4, 1), player=player, cp=5, detail="full", build=on_foot)
    pick(ride.battle, "Walkers" if walks else "Squad", kind="select-to-shoot")
    pick(ride.battle, "Foe")
    assert (kind(ride.battle) == "command-re-roll-die") == walks
    if not walks:
        assert kind(ride.battle) == "select-to-shoot"
        assert ride.battle.models.wounds[ride.foe.first] == 29
        assert ride.battle.players.cp[player] == 5


@pytest.mark.rule("w9.rare.shoot-embarked.own-abilities")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("effect", "dice", "lost"), [
    ("re-roll hit rolls of 1", (1, 4, 6), 1), ("+1 to hit", (3, 6), 1), ("+1 Damage", (4, 6), 2),
    ("wound rolls of 6: 1 mortal wound", (4, 6), 2), (None, (4, 6), 1), (None, (3, 6), 0),
])  # fmt: skip
def test_its_own_abilities_apply(effect: str | None, dice: tuple[int, ...], lost: int, player: int) -> None:
    """Abilities of its own models do for it what they do on foot, each of another kind."""
    own = {"abilities": {"auras": [aura("Own", effect)]}} if effect is not None else {}
    aboard = Ride(RIFLE, dice, player=player, squad=own)
    assert aboard.fire() == lost


@pytest.mark.rule("w9.rare.shoot-embarked.own-abilities")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("keyword", "lost"), [("INFANTRY", 1), ("VEHICLE", 0)])
def test_its_own_abilities_apply_to_units_with_their_keyword_alone(keyword: str, lost: int, player: int) -> None:
    """Its model gives +1 to hit to units with a keyword. It has the keyword, or not: a 3 with BS 4+ hits, or misses."""
    own = {"abilities": {"auras": [{**aura("Own", "+1 to hit"), "keyword": keyword}]}}
    ride = Ride(RIFLE, (3, 6), player=player, squad=own)
    assert ride.fire() == lost


@pytest.mark.rule("w9.rare.shoot-embarked.own-abilities")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("rule", "dice", "lost"), [(True, (6, 6, 6), 2), (True, (5, 6), 1), (False, (6, 6), 1)])
def test_its_weapons_score_additional_hits(
    rule: bool, dice: tuple[int, ...], lost: int, detail: str, player: int
) -> None:
    """An unmodified 6 scores one hit more: two wound rolls are made."""
    gun = {"rifle": ranged(24, A=1, BS=4, S=9, abilities=["Sustained Hits 1"] if rule else [])}
    ride = Ride(gun, dice, player=player, detail=detail)
    assert ride.fire() == lost
    assert dice_left(ride.battle) == 0


@pytest.mark.rule("w9.rare.shoot-embarked.modifiers")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("effect", "dice", "lost"), [
    ("-1 to hit", (3, 6), 0), ("+1 to hit", (2, 6), 1), ("+1 to wound", (3, 3), 1), ("-1 to wound", (3, 4), 0), (None, (3, 4), 1),
    (None, (3, 3), 0), ("re-roll hit rolls of 1", (1, 6), 0),
])  # fmt: skip
def test_modifiers_of_the_transport_apply(effect: str | None, dice: tuple[int, ...], lost: int, player: int) -> None:
    """BS 3+ and a wound on 4+ (S 4 against T 4): what modifies hit and wound rolls of the TRANSPORT modifies those of its passengers;
    its re-rolls are no modifiers."""
    has = {"auras": [aura("Haze", effect)]} if effect is not None else {}
    gun = {"rifle": ranged(24, A=1, BS=3, S=4)}
    assert Ride(gun, dice, carrier=bus(**has), player=player).fire() == lost


BLESSING = PsychicPower("Blessing", 5, "+1 to hit", Affects.FRIEND, 18, lasts=Lasts.NEXT_PSYCHIC)


@pytest.mark.rule("w9.rare.shoot-embarked.earlier-effects")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("aboard", [True, False])
def test_what_was_given_before_does_not_apply_aboard(aboard: bool, player: int) -> None:
    """A unit under a power of +1 to hit: a 3 with BS 4+ misses while it is embarked, and hits once it is out."""
    scene = NinthScene()
    carrier = scene.unit(player, bus(), at=(20, 22), facing=0.0, open_topped=True)
    place = {"embarked_in": carrier} if aboard else {"at": (20, 26)}
    unit = scene.unit(
        player, sheet("Squad", weapons=RIFLE), models=1, psychic=PsychicProfile(1, 1, (BLESSING,)), **place
    )  # type: ignore[arg-type]
    foe = scene.unit(1 - player, sheet("Foe", W=30, Sv=7), at=(40, 22), models=1)

    def blessed(battle: Battle) -> None:
        number = next(n for n in range(8) if power_of(battle, n).name == "Blessing")
        battle.psyche.under[unit] = 1 << number

    battle = scene.battle("shooting", active=player, dice=(3, 6), rules=NO_CP, set_state=blessed)
    pick(battle, "Squad", kind="select-to-shoot")
    if kind(battle) == "shoot-target":
        pick(battle, "Foe")
    assert 30 - battle.models.wounds[foe.first] == int(not aboard)
    assert battle.psyche.under[unit]  # and it applies again once the unit is out


@pytest.mark.rule("w9.rare.shoot-embarked.own-abilities", "w9.rare.stationary.heavy")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("counts", [True, False])
def test_a_rule_of_its_own_that_it_counts_as_stationary_goes_on(counts: bool, detail: str, player: int) -> None:
    """The bus made a Normal Move: a Heavy weapon with BS 4+ hits on a 4 by such a rule, without it it does not."""
    row = 1 if player == 0 else 2
    rules = {"stationary": ({"unit": row, "phases": ("shooting",)},)} if counts else {}
    ride = Ride(HEAVY, (4, 6) if counts else (4,), did=Moved.NORMAL, player=player, detail=detail, rules=rules)
    assert ride.squad.row == row
    assert ride.ready()
    assert ride.fire() == int(counts)
    assert dice_left(ride.battle) == 0


@pytest.mark.rule("w9.rare.shoot-embarked.restrictions", "w9.rare.stationary.shoot")
@pytest.mark.parametrize("player", [0, 1])
def test_but_what_bars_the_bus_bars_it(player: int) -> None:
    """The bus Fell Back: nobody in it shoots, whatever the rule of the passengers."""
    row = 1 if player == 0 else 2
    rules = {"stationary": ({"unit": row, "phases": ("shooting",)},)}
    assert not Ride(HEAVY, did=Moved.FELL_BACK, player=player, rules=rules).ready()
