"""Mustering: battle sizes, Detachments, Battle-forged armies, the Warlord, conditions of whole armies (w9.army.*)."""

from __future__ import annotations

import pytest
from classic import battle_of, raw_sheet
from ninth import NinthScene

from wh_env.content import ContentError, w9
from wh_env.content.rulebook import catalogue
from wh_env.core.tables import DESTROYED
from wh_env.rulesets.w9.codes import Phase
from wh_env.rulesets.w9.objective.control import GIVES, count_control
from wh_env.rulesets.w40k.keywords import keyword_bit
from wh_env.testing import kind, melee, play_until, sheet, told, words

# ---------------------------------------------------------------- sizes, Detachments, Battle-forged armies

TABLES = w9.load_tables()
SIZES = catalogue("w9")["w9.army.battle-size"]["table"]
DETACHMENTS = catalogue("w9")["w9.army.detachments"]["table"]
ROLES = sorted({role for kind in TABLES.detachments.values() for role in kind.slots})
FACTIONS = ["IMPERIUM", "TESTERS"]


def of_role(name, role=None, factions=FACTIONS, points=1):
    model = {"max": 1, "weapons": ["gun"]}
    return raw_sheet(name, role=role or name, faction_keywords=factions, points=points, model=model)


def detachment(kind, warlord=False, others=()):
    """A Detachment of its compulsory units, and others; the first has the WARLORD."""
    slots = TABLES.detachments[kind].slots
    names = [role for role, (least, _) in slots.items() for _ in range(least)] or ["Troops"]
    units = [{"datasheet": name} for name in (*names, *others)]
    units[0]["warlord"] = warlord
    return {"type": kind, "units": units}


def army(*detachments, units=(), sheets=()):
    datasheets = [*(of_role(role) for role in ROLES), *sheets]
    outside = [{"datasheet": name} for name in units]
    return {"name": "T", "faction": "Testers", "detachments": detachments, "units": outside, "datasheets": datasheets}


def load(armies, size="Strike Force"):
    """A battle of that size between two armies on a bare battlefield."""
    mission = "only-war-patrol" if size == "Combat Patrol" else "only-war"
    field = {"name": "bare", "size": [44, 30]}
    changes = {"mission": mission, "size": size, "armies": armies, "battlefield": field, "scale": True}
    return w9.GAME.load("w9/only-war-patrol", changes)


PLAIN = army(detachment("Patrol", warlord=True))


def pools(one, player=0, size="Strike Force"):
    """The pool of the player's army before the battle and after its first Command phase; the other army is a Patrol."""
    armies = [one, PLAIN] if player == 0 else [PLAIN, one]
    battle = battle_of(w9.GAME.compile(load(armies, size), {"first_player": player}, None))
    before = battle.players.cp[player]
    while battle.clock.round[0] == 0 or battle.clock.phase[0] < Phase.MOVEMENT:
        battle.apply(battle.first_legal())
    return before, battle.players.cp[player]


@pytest.mark.rule("w9.army.battle-size")
def test_sizes_are_those_of_the_table():
    for row in SIZES:
        size = TABLES.size(row["size"])
        mission = w9.load_mission("only-war-patrol" if row["size"] == "Combat Patrol" else "only-war").size(row["size"])
        assert (size.cp, size.detachments, mission.points) == (row["cp"], row["detachments"], row["points_per_army"])
        assert f"{mission.min_length_in:g}x{mission.min_width_in:g}" in (
            row["battlefield_inches"],
            "x".join(reversed(row["battlefield_inches"].split("x"))),
        )
    assert len(TABLES.sizes) == len(SIZES) == 4


@pytest.mark.rule("w9.army.battle-size")
@pytest.mark.parametrize("row", SIZES, ids=lambda row: row["size"])
@pytest.mark.parametrize("player", [0, 1])
def test_the_size_sets_pool_and_points_of_an_army(row, player):
    """A Patrol that its WARLORD pays back; a unit that makes it a point too dear is refused."""
    assert pools(PLAIN, player, row["size"]) == (row["cp"], row["cp"] + 1)
    dear = of_role("Dear", "Troops", points=row["points_per_army"] - 2)
    full = army(detachment("Patrol", warlord=True, others=["Dear"]), sheets=[dear])
    assert load([PLAIN, full] if player else [full, PLAIN], row["size"]).armies[player].points == row["points_per_army"]
    over = army(detachment("Patrol", warlord=True, others=["Dear", "Elites"]), sheets=[dear])
    with pytest.raises(ContentError, match=f"at most {row['points_per_army']} points"):
        load([PLAIN, over] if player else [over, PLAIN], row["size"])


@pytest.mark.rule("w9.army.battle-size")
@pytest.mark.parametrize("row", SIZES, ids=lambda row: row["size"])
def test_no_more_detachments_than_the_size_allows(row):
    most = row["detachments"]
    many = army(detachment("Fortification Network"), *[detachment("Patrol", n == 0) for n in range(most)])
    with pytest.raises(ContentError, match=f"at most {most} at {row['size']}"):
        load([PLAIN, many], row["size"])


@pytest.mark.rule("w9.army.detachments")
@pytest.mark.parametrize("row", DETACHMENTS, ids=lambda row: row["detachment"])
def test_each_detachment_costs_what_the_table_says_and_has_its_compulsory_units(row):
    """Alone beside a Patrol with the WARLORD; with the WARLORD; without one of its compulsory units."""
    kind, cost, back = row["detachment"], row["cp_cost"], row["refund_with_warlord"]
    assert pools(army(detachment("Patrol", True), detachment(kind)))[0] == 12 - cost
    if kind != "Fortification Network":  # no WARLORD is a Fortification
        assert pools(army(detachment(kind, True)))[0] == 12 - cost + back
    wanted = [
        part.split(" ", 1) for part in row["compulsory"].replace("1 Lord of War", "1 Lords of War").split(" and ")
    ]
    wanted = {role.replace("1 Fortification", "Fortifications"): int(number) for number, role in wanted}
    if wanted == {"unit of any role": 1}:
        two = detachment(kind, True)
        two["units"].append({"datasheet": "Elites"})
        with pytest.raises(ContentError, match=f"1 in a Detachment {kind}"):
            load([army(two), PLAIN])
        return
    slots = {role: least for role, (least, _) in TABLES.detachments[kind].slots.items() if least}
    assert {role.removesuffix("s"): n for role, n in slots.items()} == {
        r.removesuffix("s"): n for r, n in wanted.items()
    }
    for role in slots:
        short = detachment(kind)
        short["units"].remove(
            {"datasheet": role, **({"warlord": False} if short["units"][0]["datasheet"] == role else {})}
        )
        if short["units"]:
            with pytest.raises(ContentError, match=f"{role} in a Detachment {kind}"):
                load([army(detachment("Patrol", True), short), PLAIN])


def listed(text):
    """Numbers by what they are of, as the table writes them."""
    return {role: int(number) for number, role in (part.split(" ", 1) for part in text.split(" and "))}


WITH_SLOTS = [row for row in DETACHMENTS if "any role" not in row["most"]]
LIMITS = [(row["detachment"], role, most) for row in WITH_SLOTS for role, most in listed(row["most"]).items()]


@pytest.mark.rule("w9.army.detachments")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("kind", "role", "most"), LIMITS)
def test_no_detachment_holds_more_units_of_a_role_than_it_has_slots(kind, role, most, player):
    """As many as the table says are accepted, one more is refused."""
    others = [role] * (most - TABLES.detachments[kind].slots[role][0])
    for extra in (0, 1):
        own = army(detachment("Patrol", True), detachment(kind, False, others + [role] * extra))
        armies = [own, PLAIN] if player == 0 else [PLAIN, own]
        if not extra:
            assert len(load(armies).armies[player].units) == len(own["detachments"][0]["units"]) + len(
                own["detachments"][1]["units"]
            )
            continue
        with pytest.raises(ContentError, match=f"to {most} {role} in a Detachment {kind}") as caught:
            load(armies)
        assert (caught.value.field, caught.value.value) == ("detachments[1].units", most + 1)


@pytest.mark.rule("w9.army.detachments")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("row", WITH_SLOTS, ids=lambda row: row["detachment"])
def test_a_dedicated_transport_for_each_infantry_unit(row, player):
    """Beside the compulsory units, which are INFANTRY, and one that is not, as many as there are of the first, if any at all."""
    kind = row["detachment"]
    bus = of_role("Dedicated Transport", points=1)
    bus["keywords"] = ["VEHICLE"]
    infantry = len(detachment(kind)["units"]) if row["transports"] != "none" else 0
    for many in (infantry, infantry + 1):
        own = army(detachment("Patrol", True), detachment(kind, False, ["Dedicated Transport"] * many), sheets=[bus])
        armies = [own, PLAIN] if player == 0 else [PLAIN, own]
        if many == infantry:
            load(armies)
            continue
        with pytest.raises(ContentError, match=f"at most {infantry}: one for each INFANTRY unit") as caught:
            load(armies)
        assert caught.value.field == "detachments[1].units"


@pytest.mark.rule("w9.army.detachments")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("kinds", "warlord", "cp"),
    [
        (["Battalion", "Patrol"], 0, 10),
        (["Battalion", "Patrol"], 1, 9),
        (["Brigade"], 0, 12),
        (["Vanguard", "Spearhead"], 0, 6),
        (["Patrol", "Super-heavy", "Fortification Network"], 0, 5),
    ],
)
def test_detachments_cost_cp_and_that_of_the_warlord_is_paid_back(kinds, warlord, cp, player):
    """Strike Force; the refund is not counted in the limit of a battle round."""
    own = army(*(detachment(kind, at == warlord) for at, kind in enumerate(kinds)))
    assert pools(own, player) == (cp, cp + 1)


@pytest.mark.rule("w9.army.detachments")
def test_detachments_that_cost_more_than_the_pool_holds_are_refused():
    with pytest.raises(ContentError, match="at most 3 Command points") as caught:
        load([PLAIN, army(detachment("Super-heavy", True))], "Combat Patrol")
    assert caught.value.field == "detachments"


@pytest.mark.rule("w9.army.battle-forged")
@pytest.mark.parametrize(("outside", "before", "gained"), [(0, 12, 1), (1, 0, 0)])
@pytest.mark.parametrize("player", [0, 1])
def test_a_unit_outside_all_detachments_costs_pool_and_bonus(outside, before, gained, player):
    """Eight units that share a Faction keyword, one of them perhaps in no Detachment."""
    inside = detachment("Battalion", True, others=["Elites"] * (3 - outside))
    own = army(inside, units=["Elites"] * outside)
    assert sum(len(d["units"]) for d in own["detachments"]) + len(own["units"]) == 8
    assert pools(own, player) == (before, before + gained)


@pytest.mark.rule("w9.army.battle-forged")
@pytest.mark.parametrize("outside", [0, 1])
def test_strategic_reserves_are_for_battle_forged_armies(outside):
    own = army(detachment("Patrol", True), units=["Elites"] * outside)
    own["detachments"][0]["units"][1]["reserves"] = "strategic"
    if not outside:
        assert load([own, PLAIN]).armies[0].units[1].reserves == "strategic"
        return
    with pytest.raises(ContentError, match="a Battle-forged army") as caught:
        load([own, PLAIN])
    assert caught.value.field == "detachments[0].units[1].reserves"


@pytest.mark.rule("w9.army.battle-forged")
@pytest.mark.parametrize(
    ("faction", "shared", "odd", "pool"),
    [
        ("Testers", FACTIONS, ["TESTERS", "OTHERS"], (12, 13)),
        ("Imperium", FACTIONS, ["IMPERIUM", "OTHERS"], (0, 0)),  # the most general one is not enough
        ("Imperium", ["IMPERIUM"], ["IMPERIUM"], (0, 0)),
        ("Testers", FACTIONS, ["UNALIGNED"], (12, 13)),  # an exception
    ],
)
@pytest.mark.parametrize("player", [0, 1])
def test_all_units_but_exceptions_share_a_faction_keyword_that_is_not_too_general(faction, shared, odd, pool, player):
    own = army(detachment("Patrol", True, others=["Odd"]), sheets=[of_role("Odd", "Elites", odd)])
    own["faction"] = faction
    own["datasheets"] = [
        {**each, "faction_keywords": odd if each["name"] == "Odd" else shared} for each in own["datasheets"]
    ]
    assert pools(own, player) == pool


@pytest.mark.rule("w9.army.battle-forged")
def test_a_unit_of_another_faction_is_refused():
    own = army(detachment("Patrol", True, others=["Odd"]), sheets=[of_role("Odd", "Elites", ["IMPERIUM", "OTHERS"])])
    with pytest.raises(ContentError, match="the Faction keyword TESTERS") as caught:
        load([PLAIN, own])
    assert caught.value.field == "detachments[0].units[2].datasheet"


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
@pytest.mark.parametrize("player", [0, 1])
def test_units_added_later_do_not_switch_it_off(player):
    """A unit that has not the keyword is one of the army in round 2. In round 3 the others have what they had, and it has nothing: in play, one model
    holds the marker against five at the end of the player's Command phase where its unit has the keyword."""
    battle = mustered(player=player)
    first, other = battle.players.first_unit[player], battle.players.first_unit[1 - player]
    until_round(battle, 2)
    added = first + 5
    battle.units.keywords[added] &= ~keyword_bit(battle.setup.statics["keyword_bits"], "F")
    assert secured(battle, player)
    until_round(battle, 3)
    assert secured(battle, player)
    held = {}
    for unit in (first, added):
        game, m = battle.clone(), battle.clone().models
        m = game.models
        for n, k in enumerate(battle.members(other)):
            m.x[k], m.y[k] = MARKER[0] + 1.5 * n - 3, MARKER[1] + 2.5
        for n, k in enumerate(battle.members(unit)):
            m.x[k], m.y[k] = MARKER[0] + 1.5 * n, MARKER[1] - 2.5
        turn = game.clock.turn[0]
        while game.decision is not None and game.clock.turn[0] == turn:
            stay = [action for action, text in words(game).items() if "Stationary" in text]
            game.apply(stay[0] if stay else 0 if game.legal()[0] else game.first_legal())
        held[unit] = game.objectives.holder[0]
    assert held == {first: player, added: 1 - player}


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
