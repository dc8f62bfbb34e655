"""Abilities of shipped datasheets that are more than changes of attacks: what comes back, what is cheaper, who gets
out, who is hard to see."""

from __future__ import annotations

import pytest

from wh_env import Battle
from wh_env.content.attack_odds import Circumstances, Range
from wh_env.content.w10.load import load_datasheet, load_faction
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.w10.ability.occasions import LONE_OPERATIVE, stale_lone
from wh_env.rulesets.w40k.ability.freedoms import settle_freedoms
from wh_env.rulesets.w40k.ability.moves import ExtraMove
from wh_env.rulesets.w40k.attack import abilities
from wh_env.rulesets.w40k.attack.abilities import protect
from wh_env.rulesets.w40k.attack.modifiers import Granted
from wh_env.rulesets.w40k.charge.phase import free_to_charge
from wh_env.rulesets.w40k.codes import Freedom, Moved
from wh_env.rulesets.w40k.deploy.kept_clear import deep_strike_from
from wh_env.rulesets.w40k.questions.engagements import engagements, forget_targets
from wh_env.rulesets.w40k.shoot.declare import ALL_WEAPONS, shooting_mode
from wh_env.testing import Scene, UnitHandle, choose, kind, melee, pick, ranged, script, sheet, slots, told

pytestmark = pytest.mark.rule("w10.datasheet.abilities")

ASTARTES, TYRANIDS = load_faction("Adeptus Astartes"), load_faction("Tyranids")
SYNAPSE, SHADOW = TYRANIDS.rules
DOCTRINES = ASTARTES.detachments[0].rules[0]
ENHANCEMENTS = {e.name: e for f in (ASTARTES, TYRANIDS) for e in f.detachments[0].enhancements}
STRATAGEMS = {s.name: s for f in (ASTARTES, TYRANIDS) for s in f.detachments[0].stratagems}
OTHERS_OFF = ("epic-challenge", "grenade", "fire-overwatch", "go-to-ground", "smokescreen", "tank-shock")
QUIET = {"stratagems": dict.fromkeys(OTHERS_OFF, "off")}
FOES = {"gun": ranged(24), "claws": melee(2)}


# ---------------------------------------------------------------- wargear


@pytest.mark.parametrize(
    ("name", "kinds", "item", "before", "after"),
    [
        ("Captain", "Captain", "relic shield", 5, 6),
        ("Lieutenant", "Lieutenant", "storm shield", 0, 4),
        ("Impulsor", "Impulsor", "shield dome", 0, 5),
        ("Infiltrator Squad", "Infiltrator", "helix gauntlet", 0, 6),
    ],
)
def test_items_that_are_no_weapons(name: str, kinds: str, item: str, before: int, after: int) -> None:
    """Relic Shield: 6 Wounds; Storm Shield and Shield Dome: an invulnerable save; Helix Gauntlet: Feel No Pain for the
    unit."""
    for equipment, expected in (({}, before), ({kinds: {item: 1}}, after)):
        scene = Scene()
        unit = scene.unit(0, name, at=(10, 10), gap=0.3, equipment=equipment)
        scene.unit(1, sheet("Foes"), at=(40, 40), models=1)
        battle = scene.battle("shooting", run=False)
        protect(battle, unit.row, psychic=False)
        m, k = battle.models, unit.first
        column = {"Captain": m.max_wounds, "Infiltrator Squad": m.feel_no_pain2}.get(name, m.invulnerable2)
        assert column[k] == expected
        if name == "Captain":
            assert m.wounds[k] == expected


def test_what_a_librarian_does_for_the_unit_that_he_leads() -> None:
    """Mental Fortress, Psychic Hood: while he leads a unit, not for himself alone."""
    for leads in (True, False):
        scene = Scene()
        squad = scene.unit(0, "Intercessor Squad", at=(10, 12), gap=0.3)
        lone = scene.unit(0, "Librarian", at=(10, 10), leads=squad if leads else None)
        scene.unit(1, sheet("Foes"), at=(40, 40), models=1)
        battle = scene.battle("shooting", run=False)
        for unit in (squad.row, lone.row) if not leads else (squad.row,):
            protect(battle, unit, psychic=True)
        m = battle.models
        assert (m.invulnerable2[squad.first], m.feel_no_pain2[squad.first]) == ((4, 4) if leads else (0, 0))
        assert (m.invulnerable2[lone.first], m.feel_no_pain2[lone.first]) == ((4, 4) if leads else (0, 0))


def test_bladeguard_make_only_invulnerable_saves_of_1_again() -> None:
    """Shields: against AP -3 the invulnerable save of 4+ is used and a 1 made again; against AP 0 the armour save of
    3+, and no 1 is."""
    for ap, again in ((-3, 1), (0, 0)):
        scene = Scene()
        guard = scene.unit(0, "Bladeguard Veteran Squad", at=(10, 10), gap=0.2, models=3)
        claws = {"claws": melee(1, WS=2, S=20, AP=ap, D=1)}
        foes = scene.unit(1, sheet("Foes", weapons=claws), at=(10, 12), models=1)
        battle = scene.battle("fight", active=1, rules=QUIET)
        pick(battle, "Shields", kind="use-ability")
        script(battle, [6, 6, 1, 6])
        for _ in range(4):
            if told(battle, "w10.attack.save.roll"):
                break
            choose(battle, "own", foes.number) if slots(battle, "own") else battle.apply(battle.first_legal())
        assert len(told(battle, "w10.attack.save.roll")) == 1
        lost = sum(battle.models.max_wounds[k] - battle.models.wounds[k] for k in range(guard.first, guard.first + 3))
        assert lost == 1 - again


def test_odds_of_invulnerable_saves_made_again() -> None:
    """A save of 4+ fails in 3 of 6, with Shields in 2 of 6 and in half of 1 of 6; an armour save that is as good gives
    way to it."""
    there = Range("w10", "Intercessor Squad", "Bladeguard Veteran Squad")
    row = there.profiles("Bolt rifle")[0]
    plain, shields = (there.attack(row, Circumstances(chosen=c), 1).odds.mean_lost for c in ((), ("Shields",)))
    assert shields == pytest.approx(plain * 5 / 6)


# ---------------------------------------------------------------- Command points


def test_one_stratagem_of_an_army_costs_less_in_each_round() -> None:
    """Rites of Battle: of two Captains one lowers the cost of one Stratagem by 1; the second pays in full."""
    scene = Scene()
    scene.army_rules[0].append(STRATAGEMS["Storm of Fire"])
    first = scene.unit(0, "Captain", at=(10, 10))
    second = scene.unit(0, "Captain", at=(20, 10))
    scene.unit(1, sheet("Foes", W=90), at=(15, 22), models=1)
    battle = scene.battle("shooting", cp=(1, 0), rules=QUIET)
    edition = battle.setup.ruleset
    assert edition.free_among(battle, 0, [first.row, second.row]) == [first.row, second.row]
    edition.freed(battle, 0, first.row)
    assert edition.free_among(battle, 0, [first.row, second.row]) == []


@pytest.mark.parametrize(("cp", "can"), [(0, False), (1, True), (2, True)])
def test_a_stratagem_of_2_cp_costs_1_near_a_hive_tyrant(cp: int, can: bool) -> None:
    """Will of the Hive Mind: Adrenal Surge costs 1 CP instead of 2."""
    scene = Scene()
    scene.army_rules[0].append(STRATAGEMS["Adrenal Surge"])
    tyrant = scene.unit(0, "Hive Tyrant", at=(10, 10))
    foes = scene.unit(1, sheet("Foes", W=90), at=(10, 12.5), models=1)
    battle = scene.battle("fight", cp=(cp, 0), rules=QUIET)
    assert (kind(battle) == "use-ability") == can
    if can:
        choose(battle, "own", tyrant.number)
        assert battle.players.cp[0] == cp - 1 and foes.row


@pytest.mark.parametrize(("name", "can"), [("Von Ryan's Leapers", True), ("Genestealers", False)])
def test_pouncing_leap(name: str, can: bool) -> None:
    """Von Ryan's Leapers intervene for no CP, also where the Stratagem was used in the phase."""
    scene = Scene()
    leapers = scene.unit(0, name, at=(10, 10), gap=0.2)
    scene.unit(0, sheet("Squad"), at=(10, 17), models=1)
    charger = scene.unit(1, sheet("Chargers"), at=(14, 19), models=1)
    battle = scene.battle("charge", active=1, cp=(0, 0), run=False)
    book, stratagem = battle.setup.ruleset.stratagems, battle.setup.ruleset.stratagems.names["heroic-intervention"]
    battle.run()
    for used in (0, 1 << stratagem):
        battle.players.used[0] = used
        assert bool(book.available(battle, 0) >> stratagem & 1) == can
        assert not can or book.affects(battle, stratagem, leapers.row)
    assert charger.row
    if can:
        book.pay(battle, 0, stratagem, leapers.row)
        assert battle.players.cp[0] == 0


def test_pheromone_trail() -> None:
    """Rapid Ingress on a Lictor costs no CP once in a battle round, whichever Lictor it is."""
    scene = Scene()
    first = scene.unit(0, "Lictor", at=(10, 10))
    second = scene.unit(0, "Lictor", at=(20, 10))
    scene.unit(1, sheet("Foes"), at=(40, 40), models=1)
    battle = scene.battle("movement", active=1, cp=(0, 0), run=False)
    book, stratagem = battle.setup.ruleset.stratagems, battle.setup.ruleset.stratagems.names["rapid-ingress"]
    assert book.price(battle, 0, stratagem, first.row) == 0
    assert book.available(battle, 0) >> stratagem & 1
    book.pay(battle, 0, stratagem, first.row)
    battle.players.used[0] = 0
    assert book.price(battle, 0, stratagem, second.row) == 1
    assert not book.available(battle, 0) >> stratagem & 1


@pytest.mark.parametrize(("die", "gained"), [(5, 1), (4, 0)])
@pytest.mark.parametrize("where", ["comms array", "orbital comms array"])
def test_comms_arrays(where: str, die: int, gained: int) -> None:
    """A Stratagem on Infiltrators with a comms array, or on a unit within 6" of an Impulsor with an orbital one,
    brings 1 CP on 5+."""
    scene = Scene()
    scene.army_rules[0].append(STRATAGEMS["Storm of Fire"])
    own = {"Infiltrator": {"comms array": 1}} if where == "comms array" else {}
    unit = scene.unit(0, "Infiltrator Squad", at=(10, 10), gap=0.2, equipment=own)
    if not own:
        scene.unit(0, "Impulsor", at=(10, 15), equipment={"Impulsor": {where: 1}})
    scene.unit(0, sheet("Others", weapons=FOES), at=(20, 10), models=1)
    foes = scene.unit(1, sheet("Foes", W=90), at=(15, 24), models=1)
    battle = scene.battle("shooting", cp=(1, 0), dice=[die], rules=QUIET)
    choose(battle, "own", unit.number)
    if kind(battle) == "shoot-target":
        choose(battle, "enemy", foes.number)
    choose(battle, "own", unit.number)
    assert battle.players.cp[0] == gained


# ---------------------------------------------------------------- Battle-shock


@pytest.mark.parametrize(
    ("beast", "away", "passes"),
    [("Broodlord", 5.0, False), ("Broodlord", 12.0, True), ("Neurotyrant", 30.0, False), ("Tyrannofex", 5.0, True)],
)
def test_shadow_in_the_warp_near_synapse(beast: str, away: float, passes: bool) -> None:
    """A roll of 6 against Ld 6 is -1 within 6" of a SYNAPSE unit, and -1 anywhere while a Neurotyrant is there; other
    tests are as they are."""
    scene = Scene()
    scene.army_rules[1].append(SHADOW)
    unit = scene.unit(0, sheet("Foes", Ld=6), at=(10, 10), models=1)
    scene.unit(1, beast, at=(12 + away, 10))
    scene.unit(1, "Broodlord", at=(55, 40))
    battle = scene.battle("command", dice=[3, 3])
    choose(battle, "option", 0)
    assert [e["passed"] for e in told(battle, "w10.command.battle-shock.test")] == [passes]
    assert abilities.test_bonus(battle, unit.row, "battle-shock") == 0


@pytest.mark.parametrize(("away", "ld", "lost", "healed"), [(5.0, 8, 2, 1), (12.0, 8, 0, 0), (5.0, 2, 0, 0)])
def test_spirit_leech(away: float, ld: int, lost: int, healed: int) -> None:
    """A unit within 6" of Zoanthropes with a Neurothrope that fails a test suffers D3 mortal wounds, and they regain
    D3."""
    scene = Scene()
    scene.army_rules[1].append(SHADOW)
    foes = scene.unit(0, sheet("Foes", Ld=ld, W=20), at=(10, 10), models=1)
    brains = scene.unit(1, "Zoanthropes", at=(10 + away + 2, 10), gap=0.1, wounds=[2, 3, 3])
    battle = scene.battle("command", dice=[1, 2, 3, 1], rules={"stratagems": {"insane-bravery": "off"}})
    choose(battle, "option", 0)
    assert battle.models.max_wounds[foes.first] - battle.models.wounds[foes.first] == lost
    assert battle.models.wounds[brains.first] == 2 + healed


# ---------------------------------------------------------------- moves, TRANSPORTS and arrivals


@pytest.mark.parametrize(("moved", "may"), [(Moved.NOT_YET, True), (Moved.NORMAL, False)])
def test_into_the_foe(moved: Moved, may: bool) -> None:
    """A unit that gets out of a Caestus before that moves may charge after it Advanced."""
    scene = Scene()
    hull = scene.unit(0, "Caestus Assault Ram", at=(20, 20))
    squad = scene.unit(0, "Intercessor Squad", at=(20, 26), gap=0.2)
    scene.unit(1, sheet("Foes"), at=(50, 40), models=1)
    battle = scene.battle("charge", run=False)
    battle.units.moved[hull] = moved
    battle.setup.ruleset.left_transport(battle, squad.row, hull.row)
    battle.units.moved[squad] = Moved.ADVANCE
    assert free_to_charge(battle, squad.row) == may
    battle.setup.ruleset.turn_begins(battle)
    assert not free_to_charge(battle, squad.row)


def test_a_trygon_comes_out_of_a_tunnel() -> None:
    """It arrives more than 6" from enemies in its player's turn, and does not charge where others would not have come
    so near."""
    for at, charges in ((18.0, False), (26.0, True)):
        scene = Scene()
        trygon = scene.unit(0, "Trygon", at=(10, 10))
        other = scene.unit(0, "Gargoyles", at=(40, 10), gap=0.1)
        scene.unit(1, sheet("Foes"), at=(at, 10), models=1)
        battle = scene.battle("movement", run=False)
        assert deep_strike_from(battle, trygon.row) == 6.0 and deep_strike_from(battle, other.row) == 9.0
        battle.setup.ruleset.arrived(battle, trygon.row)
        assert bool(battle.units.marks[trygon] & Freedom.NO_CHARGE) != charges
        battle.clock.turn[0] = 1
        assert deep_strike_from(battle, trygon.row) == 9.0


def test_a_techmarine_by_a_vehicle_is_hard_to_single_out() -> None:
    """Lone Operative while he is within 3" of a friendly VEHICLE."""
    scene = Scene()
    tech = scene.unit(0, "Techmarine", at=(10, 10))
    tank = scene.unit(0, "Predator Destructor", at=(14, 10))
    foes = scene.unit(1, sheet("Foes", weapons=FOES), at=(30, 10), models=1)
    battle = scene.battle("shooting", active=1)
    assert battle.units.flags[tech] & LONE_OPERATIVE
    choose(battle, "own", foes.number)
    if kind(battle) == "shoot-target":
        assert tech.number not in slots(battle, "enemy")
    engagements(battle)
    battle.models.x[tank.first] = 20
    assert stale_lone(battle) and battle.setup.ruleset.audit(battle).after()
    forget_targets(battle)
    engagements(battle)
    assert not battle.units.flags[tech] & LONE_OPERATIVE
    assert not stale_lone(battle)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_techmarine_is_hard_to_single_out_as_soon_as_he_has_got_out_of_his_transport(player, detail) -> None:
    """He is within 3" of it then, so Overwatch cannot pick him from afar: no move of anybody has to come first."""
    scene = Scene()
    rhino = scene.unit(player, "Rhino", at=(10, 10))
    tech = scene.unit(player, "Techmarine", models=1, embarked_in=rhino)
    scene.unit(1 - player, sheet("Foes", weapons=FOES), at=(32, 10), models=1)
    battle = scene.battle("movement", active=player, detail=detail, rules=QUIET)
    for _ in range(30):
        if battle.units.place[tech] == ON_TABLE:
            break
        options = battle.decision.options
        gets_out = [
            a for a in options if "disembark" in battle.describe(a).lower() or "Techmarine" in battle.describe(a)
        ]
        battle.apply((gets_out or options)[-1])
    assert battle.units.place[tech] == ON_TABLE
    engagements(battle)
    assert battle.units.flags[tech] & LONE_OPERATIVE


def test_squad_tactics_under_the_tactical_doctrine() -> None:
    """6" instead of D6"."""
    scene = Scene()
    scene.army_rules[0].extend([DOCTRINES, STRATAGEMS["Squad Tactics"]])
    unit = scene.unit(0, sheet("Squad"), at=(10, 10), models=1)
    mover = scene.unit(1, sheet("Foes", M=6), at=(10, 19), models=1)
    battle = scene.battle("movement", active=1, cp=(1, 0), rules=QUIET, run=False)
    tactical = next(c for c in battle.setup.statics["choices"] if c.name == "Combat Doctrines")
    battle.units.marks[unit] |= tactical.marks[tactical.options.index("Tactical")]
    battle.run()
    if kind(battle) == "select-to-move":
        choose(battle, "own", mover.number)
    pick(battle, "Normal move")
    choose(battle, "cell", battle.setup.space.grid**2 // 2)
    choose(battle, "own", unit.number)
    assert kind(battle) == "extra-move"
    assert battle.stack[battle.frame + ExtraMove.INCHES] == 6


# ---------------------------------------------------------------- choices of units


@pytest.mark.parametrize(("near", "asked"), [(True, True), (False, False)])
def test_two_units_near_synapse_or_one(near: bool, asked: bool) -> None:
    """Predatory Imperative: beside a unit within Synapse range another one can be chosen for the same CP, beside one
    that is not none."""
    scene = Scene()
    scene.army_rules[0].extend([SYNAPSE, STRATAGEMS["Predatory Imperative"]])
    scene.unit(0, "Broodlord", at=(10, 10))
    first = scene.unit(0, "Termagants", at=(14 if near else 40, 10), gap=0.1)
    second = scene.unit(0, "Hormagaunts", at=(10, 14), gap=0.1)
    far = scene.unit(0, "Termagants", at=(40, 30), gap=0.1)
    scene.unit(1, sheet("Foes"), at=(55, 40), models=1)
    battle = scene.battle("command", cp=(1, 0))
    choose(battle, "own", first.number)
    assert (kind(battle) == "use-ability") == asked
    if asked:
        assert second.number in slots(battle, "own") and far.number not in slots(battle, "own")
        choose(battle, "own", second.number)
        marks = battle.units.marks
        assert marks[first] == marks[second] != 0 and not marks[far]
        assert kind(battle) != "use-ability"


def test_adaptive_instincts() -> None:
    """Tyranid Warriors with Melee Bio-weapons choose in each Fight phase: hit rolls of 1, or saves of 1."""
    scene = Scene()
    scene.unit(0, "Tyranid Warriors with Melee Bio-weapons", at=(10, 10), gap=0.2)
    scene.unit(1, sheet("Foes", weapons=FOES, base_mm=60), at=(10, 12.5), models=1)
    battle = scene.battle("fight")
    assert kind(battle) == "use-ability" and len(slots(battle, "option")) == 2 and not battle.legal()[0]


@pytest.mark.parametrize(("lost", "needed"), [(0, 5), (1, 4)])
def test_adaptive_biology(lost: int, needed: int) -> None:
    """Feel No Pain 5+, and 4+ from the turn on that it begins with lost wounds."""
    scene = Scene()
    lord = scene.unit(0, "Broodlord", at=(10, 10), enhancement=ENHANCEMENTS["Adaptive Biology"])
    scene.unit(1, sheet("Foes"), at=(40, 40), models=1)
    battle = scene.battle("shooting", run=False)
    battle.models.wounds[lord.first] -= lost
    protect(battle, lord.row, psychic=False)
    assert battle.models.feel_no_pain2[lord.first] == 5
    battle.setup.ruleset.turn_begins(battle)
    battle.models.wounds[lord.first] += lost
    protect(battle, lord.row, psychic=False)
    assert battle.models.feel_no_pain2[lord.first] == needed


def test_priority_objective_identified() -> None:
    """Before the first turn a marker is chosen: attacks at units near it re-roll wound rolls of 1, while the
    Lieutenant is there."""
    scene = Scene()
    lone = scene.unit(0, "Lieutenant with Combi-weapon", at=(10, 10))
    squad = scene.unit(0, "Intercessor Squad", at=(10, 20), gap=0.2)
    near = scene.unit(1, sheet("Near"), at=(40, 10), models=1)
    far = scene.unit(1, sheet("Far"), at=(40, 30), models=1)
    scene.marker(30, 40)
    scene.marker(40, 10)
    battle = scene.battle("command")
    pick(battle, "marker 2", kind="use-ability")

    def rerolled() -> list[bool]:
        gun = battle.setup.statics["arsenal_weapon"][battle.models.first_weapon[squad.first]]
        return [bool(Granted(battle).changes(squad.first, gun, unit.row)) for unit in (near, far)]

    assert rerolled() == [True, False]
    battle.models.on_table[lone.first] = 0
    assert rerolled() == [False, False]


# ---------------------------------------------------------------- what an army may not do


def test_what_leaders_need() -> None:
    """A Captain leads Bladeguard with a relic shield only, and Hellblasters with a plasma pistol."""
    needs = load_datasheet("Captain").abilities.leader_needs
    assert needs == {"Bladeguard Veteran Squad": "Relic shield", "Hellblaster Squad": "Plasma pistol"}


@pytest.mark.parametrize(
    ("name", "away", "expected"),
    [
        ("Termagants", 4.0, [("Benefit of Cover", 0), ("Stealth", 0)]),
        ("Ripper Swarms", 4.0, [("Benefit of Cover", 0), ("Stealth", 0)]),
        ("Exocrine", 4.0, [("Benefit of Cover", 0)]),
        ("Termagants", 20.0, []),
    ],
)
def test_foul_spores(name: str, away: float, expected: list[tuple[str, int]]) -> None:
    """Units within 6" of Venomthropes have the Benefit of Cover against shooting, and Stealth but for MONSTERS."""
    scene = Scene()
    scene.unit(0, "Venomthropes", at=(10, 10), gap=0.1)
    unit = scene.unit(0, name, at=(12 + away, 10), gap=0.1)
    foes = scene.unit(1, sheet("Foes", weapons=FOES), at=(50, 10), models=1)
    battle = scene.battle("shooting", active=1, run=False)
    assert changes_by_shooting(battle, foes, unit) == expected


def changes_by_shooting(battle: Battle, unit: UnitHandle, target: UnitHandle) -> list[tuple[str, int]]:
    """What abilities make of the first ranged weapon of the unit's first model against the target."""
    first, statics = battle.models.first_weapon[unit.first], battle.setup.statics
    rows = statics["arsenal_weapon"][first : first + battle.models.weapons[unit.first]]
    gun = next(row for row in rows if not statics["weapons"][row]["melee"])
    return sorted(Granted(battle).changes(unit.first, gun, target.row))


@pytest.mark.parametrize(("doctrine", "better"), [("Devastator", [("AP", 1)]), ("Assault", [])])
def test_storm_of_fire_under_the_devastator_doctrine(doctrine: str, better: list[tuple[str, int]]) -> None:
    """Ranged weapons ignore cover, and have a better AP under that doctrine."""
    scene = Scene()
    scene.army_rules[0].extend([DOCTRINES, STRATAGEMS["Storm of Fire"]])
    unit = scene.unit(0, sheet("Squad", weapons=FOES), at=(10, 10), models=1)
    foes = scene.unit(1, sheet("Foes"), at=(30, 10), models=1)
    battle = scene.battle("shooting", run=False)
    marks = {c.name: c for c in battle.setup.statics["choices"]}
    doctrines, storm = marks["Combat Doctrines"], marks["Storm of Fire"]
    battle.units.marks[unit] |= doctrines.marks[doctrines.options.index(doctrine)] | storm.marks[0]
    assert changes_by_shooting(battle, unit, foes) == [*better, ("Ignores Cover", 0)]


def test_adaptive_strategy_replaces_the_doctrine_of_the_army() -> None:
    """A unit with a doctrine of its own does not have that of the army."""
    scene = Scene()
    scene.army_rules[0].extend([DOCTRINES, STRATAGEMS["Adaptive Strategy"]])
    unit = scene.unit(0, sheet("Squad", weapons=FOES), at=(10, 10), models=1)
    other = scene.unit(0, sheet("Others", weapons=FOES), at=(20, 10), models=1)
    scene.unit(1, sheet("Foes"), at=(30, 10), models=1)
    battle = scene.battle("command", cp=(1, 0))
    pick(battle, "Devastator", kind="use-ability")
    while kind(battle) == "use-ability" and not battle.describe(battle.first_legal()).startswith("no Adaptive"):
        choose(battle, "done")
    choose(battle, "done")  # Devastator for one unit
    choose(battle, "own", unit.number)  # the Tactical Doctrine
    for each, advanced, fell_back in ((unit, False, True), (other, True, False)):
        battle.units.moved[each] = Moved.ADVANCE
        settle_freedoms(battle)
        assert (shooting_mode(battle, each.row) == ALL_WEAPONS) == advanced
        battle.units.moved[each] = Moved.FELL_BACK
        settle_freedoms(battle)
        assert (shooting_mode(battle, each.row) == ALL_WEAPONS) == fell_back
