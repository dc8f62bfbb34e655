"""What observations show of the 9th edition's own tables, and what its audit notices."""

from __future__ import annotations

import pytest
from ninth import NinthScene
from small_armies import BLADES, RIFLES

from wh_env import Battle
from wh_env.core.tables import RESERVE
from wh_env.envs.observation import Observer, column_of
from wh_env.rulesets.w9.view.observe import IN_PLACE_OF, UNIT
from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.psychic.data import Affects, Lasts, PsychicPower, PsychicProfile
from wh_env.rulesets.w40k.view import observe
from wh_env.rulesets.w40k.view.observe_psychic import POWERS
from wh_env.testing import sheet


def scene_battle():
    scene = NinthScene(size=(60, 44))
    mine = scene.unit(0, RIFLES, models=5, at=(10, 10))
    theirs = scene.unit(1, BLADES, models=5, at=(40, 30))
    return scene.battle("movement"), mine, theirs


def seen(battle, seat: int, part: str, slot: int, name: str) -> float:
    return float(Observer(battle.setup, "entities").observe(battle, seat)[part][slot, column_of("w9", part, name)])


WAYS = [
    ("slain", lambda g, u: (g.toll_array.__setitem__(g.units.first[u], 1), g.models.alive.__setitem__(g.units.first[u], 0)), 0.1),
    ("passes_morale", lambda g, u: g.nerve.passes.__setitem__(u, 1), 1.0),
    ("fails_morale", lambda g, u: g.nerve.fails.__setitem__(u, 1), 1.0),
    ("broke_out", lambda g, u: g.combat.broke_out.__setitem__(u, 1), 1.0),
    ("intervened", lambda g, u: g.combat.intervened.__setitem__(u, 1), 1.0),
    ("fights_first", lambda g, u: g.combat.first.__setitem__(u, 2), 1.0),
    ("fights_first", lambda g, u: g.combat.last.__setitem__(u, 1), -1.0),
    ("held", lambda g, u: g.combat.held.__setitem__(u, 1), 1.0),
    ("held", lambda g, u: g.combat.tested.__setitem__(u, 1), 1.0),
    ("powers_on", lambda g, u: g.psyche.under.__setitem__(u, 5), 0.5),
    ("powers_known", lambda g, u: g.psyche.learnt.__setitem__(u, 6), 0.25),
    ("manifested", lambda g, u: g.psyche.picked.__setitem__(u, 1), 1.0),
    ("denied", lambda g, u: g.psyche.denies.__setitem__(u, 1), 0.25),
    ("started", lambda g, u: g.acting.round.__setitem__(u, g.clock.round[0]), 1.0),
    ("secured", lambda g, u: g.holding.secured.__setitem__(u, 1), 1.0),
]  # fmt: skip


@pytest.mark.parametrize(("name", "change", "value"), WAYS, ids=[f"{way[0]} {way[2]:g}" for way in WAYS])
@pytest.mark.parametrize("seat", [0, 1])
def test_both_seats_see_what_becomes_of_a_unit(name, change, value, seat):
    battle, mine, theirs = scene_battle()
    battle.holding.secured[mine] = battle.holding.secured[theirs] = 0
    part = ("own", "enemy")
    assert seen(battle, seat, part[seat], 0, name) == 0.0
    change(battle, mine)
    assert seen(battle, seat, part[seat], 0, name) == pytest.approx(value)
    assert seen(battle, seat, part[1 - seat], 0, name) == 0.0


def test_psykers_and_their_attempts_are_seen():
    battle = Battle.load("w9/only-war-patrol", 1)
    row = battle.setup.names["units"].index("neurothrope")
    profile = battle.setup.statics["psychic_profiles"].get(row)
    slot = row - battle.players.first_unit[1]
    wanted = profile.manifests / 4 if profile is not None else 0.0
    assert seen(battle, 1, "own", slot, "manifests") == pytest.approx(wanted)
    battle.smites[1] = 3
    globals_ = Observer(battle.setup, "entities").observe(battle, 0)["globals"]
    assert globals_[column_of("w9", "globals", "enemy_smites")] == pytest.approx(0.5)
    assert globals_[column_of("w9", "globals", "own_smites")] == 0.0


def test_fields_stand_in_columns_of_shared_ones():
    assert set(IN_PLACE_OF) <= {field.name for field in observe.UNIT}
    assert len(UNIT) == len(observe.UNIT) + 2 + len(POWERS)  # started, counted


def test_the_audit_notices_what_cannot_be():
    battle, mine, _theirs = scene_battle()
    audit = battle.setup.ruleset.audit(battle)
    audit.before()
    assert audit.after() == []
    for change, said in (
        (lambda g: g.charges.__setitem__((mine, mine), 1), "of its own army"),
        (lambda g: g.psyche.tried.__setitem__(mine, 1 << 40), "does not know"),
    ):
        other = battle.clone()
        change(other)
        audit = other.setup.ruleset.audit(other)
        audit.before()
        assert any(said in fault for fault in audit.after())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda g, u: None, ""),
        (lambda g, u: g.units.place.__setitem__(u, RESERVE), "off the battlefield"),
        (lambda g, u: g.acting.last.__setitem__(u, 0), "has not started"),
        (lambda g, u: g.units.moved.__setitem__(u, int(Moved.ADVANCE)), "Advanced"),
    ],
)
def test_the_audit_of_actions(change, said):
    battle, mine, _ = scene_battle()
    battle.acting.now[mine] = battle.acting.last[mine] = 1
    battle.acting.round[mine] = battle.clock.round[0]
    change(battle, mine)
    faults = [fault for fault in battle.setup.ruleset.audit(battle)._actions() if said in fault]
    assert bool(faults) == bool(said)


def test_the_audit_of_powers_that_have_ended():
    """A power of the turn is on friends in its player's turn, on enemies in the same; in the other turn that is a fault."""
    psyker = sheet("Caster", W=9, keywords=("INFANTRY", "PSYKER"))
    ward = PsychicPower("Ward", 5, "+1 to saving throws", Affects.FRIEND, 12)
    hex_ = PsychicPower("Hex", 5, "-1 to hit", Affects.ENEMY, 12)
    veil = PsychicPower("Veil", 5, "-1 to hit", Affects.ENEMY, 12, lasts=Lasts.NEXT_COMMAND)
    for turn in (0, 1):
        scene = NinthScene()
        mine = scene.unit(0, psyker, at=(20, 10), psychic=PsychicProfile(1, 0, (ward, hex_, veil))).row
        foe = scene.unit(1, sheet("Foe"), at=(20, 20)).row
        battle = scene.battle("psychic", active=turn)
        numbers = {power.name: 1 << n for n, power in enumerate(battle.setup.statics["psychic_powers"])}
        battle.psyche.under[mine] = numbers["Ward"]
        battle.psyche.under[foe] = numbers["Hex"] | numbers["Veil"]
        faults = battle.setup.ruleset.audit(battle)._powers()
        assert [fault.split(" by ")[1] for fault in faults] == turn * ["Ward, which has ended", "Hex, which has ended"]
