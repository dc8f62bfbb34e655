"""What the 8th edition's decisions are worth to greedy: markers counted by models and by when they are scored, Warlords, powers, Overwatch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from eighth import EighthScene

from wh_env import Battle
from wh_env.agents.policies import make
from wh_env.rulesets.w8.mission.state import Primary
from wh_env.rulesets.w8.view.appraise import EARLY, LATE, WARLORD, EighthAppraiser
from wh_env.rulesets.w40k.psychic.data import Affects, PsychicPower, PsychicProfile
from wh_env.rulesets.w40k.view.appraise import Table
from wh_env.rulesets.w40k.view.appraise_places import HELD, MARKER, NEXT_TURN
from wh_env.testing import kind, melee, pick, ranged, sheet, words

PSYKER = ("INFANTRY", "CHARACTER", "PSYKER")
RIFLE = {"rifle": ranged(24, A=2, BS=3, S=4), "knife": melee(A=1, WS=4, S=3)}
LONE = sheet("Lone", models=(1, 1))


def choice(battle: Battle) -> str:
    """The words of what greedy does."""
    return words(battle)[make("greedy").act(battle, battle.legal())]


def set_mission(primary: Primary, **more: Any) -> Any:
    def change(g: Any) -> None:
        g.mission.primary[0] = primary
        for player, model in more.get("warlords", {}).items():
            g.warlords.model[player] = model + 1

    return change


def marker_scene(
    own: list[tuple[float, float]], theirs: list[tuple[float, float]], primary: Primary = Primary.DOMINATION, round: int = 1
) -> tuple[Any, Any]:  # fmt: skip
    """A unit of two models at (10, 10), a marker at (30, 20), further single models of both players."""
    scene = EighthScene(size=(60, 44))
    unit = scene.unit(0, sheet("Two"), at=[(10, 10), (11.5, 10)], models=2)
    for at in own:
        scene.unit(0, LONE, at=at, models=1)
    for at in theirs:
        scene.unit(1, LONE, at=at, models=1)
    scene.marker(30, 20)
    scene.unit(1, LONE, at=(58, 42), models=1)
    return scene.battle("movement", round=round, set_state=set_mission(primary)), unit


def marker_worth(battle: Any, unit: Any, x: float, y: float) -> float:
    appraiser = EighthAppraiser(battle.setup)
    values = appraiser.marker_values(
        battle, Table(battle), unit.row, np.array([x]), np.array([y]), 1.0, float(battle.models.move[unit.model(0)])
    )
    return float(values[0])


def test_a_marker_is_won_by_more_models_within_its_range() -> None:
    """The middle of the two models is asked about; they stand 1.5" apart, bases of 32 mm."""
    battle, unit = marker_scene([], [])
    assert marker_worth(battle, unit, 30, 20) == pytest.approx(MARKER)
    # both outside: the nearer model's base ends 3" + 1.37" from the centre
    assert 0 < marker_worth(battle, unit, 30 + 0.75 + 3 + 2, 20) < MARKER * NEXT_TURN ** (1 / 6)
    # one of two is enough against nobody, not against one, and two are enough against one
    assert marker_worth(battle, unit, 30 + 4, 20) == pytest.approx(MARKER)
    battle, unit = marker_scene([], [(30, 21)])
    assert marker_worth(battle, unit, 30 + 4, 20) < MARKER
    assert marker_worth(battle, unit, 30, 18) == pytest.approx(MARKER)
    battle, unit = marker_scene([], [(30, 21), (29, 22)])
    assert marker_worth(battle, unit, 30, 18) < 0.5 * MARKER


def test_a_marker_that_others_hold_is_worth_less() -> None:
    battle, unit = marker_scene([(30, 21)], [])
    assert marker_worth(battle, unit, 30, 18) == pytest.approx(HELD * MARKER)
    battle, unit = marker_scene([(30, 21)], [(29, 22)])
    assert marker_worth(battle, unit, 30, 18) == pytest.approx(MARKER)


def test_what_is_scored_as_the_battle_ends_is_worth_more_late_and_what_is_far_less_so() -> None:
    worth = {}
    for primary in Primary:
        for number in (1, 5):
            battle, unit = marker_scene([], [], primary, number)
            worth[primary, number] = (marker_worth(battle, unit, 30, 20), marker_worth(battle, unit, 12, 20))
    near = {key: value[0] / MARKER for key, value in worth.items()}
    assert near[Primary.DOMINATION, 1] == near[Primary.DOMINATION, 5] == pytest.approx(1.0)
    assert near[Primary.SLAY_AND_SECURE, 1] == pytest.approx(EARLY)
    assert near[Primary.SLAY_AND_SECURE, 5] == pytest.approx(LATE)
    assert near[Primary.ANCIENT_RELIC, 5] == pytest.approx(3 * LATE)  # 6 victory points, not 2
    faded = {key: value[1] / value[0] for key, value in worth.items()}
    assert faded[Primary.ANCIENT_RELIC, 5] == pytest.approx(faded[Primary.DOMINATION, 5])
    assert faded[Primary.ANCIENT_RELIC, 1] == pytest.approx(faded[Primary.DOMINATION, 1] ** 0.2)


@pytest.mark.parametrize("primary", Primary)
def test_the_warlord_is_hunted_where_its_death_scores(primary: Primary) -> None:
    """Two targets alike, the farther one the Warlord."""
    scene = EighthScene(size=(60, 44))
    guns = scene.unit(0, sheet("Guns", weapons=RIFLE), at=(10, 20), models=5)
    other = scene.unit(1, sheet("Other", W=5, models=(1, 1)), at=(24, 20), models=1, points=50)
    chief = scene.unit(1, sheet("Chief", W=5, models=(1, 1)), at=(24, 24), models=1, points=50)
    change = set_mission(primary, warlords={1: chief.model(0)})
    battle = scene.battle("shooting", set_state=change)
    pick(battle, "Guns") if kind(battle) == "select-to-shoot" else None
    assert kind(battle) == "shoot-target"
    assert choice(battle).endswith("Chief" if primary == Primary.SLAY_AND_SECURE else "Other")
    appraiser = EighthAppraiser(battle.setup)
    appraiser.best(battle, battle.legal())
    slain = appraiser.left(battle, chief.row) - appraiser.left(battle, other.row)
    assert slain == pytest.approx(WARLORD if primary == Primary.SLAY_AND_SECURE else 0.0)
    assert guns.row == 0


def test_one_appraiser_serves_battles_of_several_primary_objectives() -> None:
    """A Setup is shared by battles; what the last one hunted is forgotten."""
    setup = Battle.load("w8/only-war-skirmish", 1).setup
    by_primary = {battle.mission.primary[0]: battle for battle in (Battle(setup, seed) for seed in range(20))}
    assert set(by_primary) == set(Primary)
    appraiser = EighthAppraiser(setup)
    plain = appraiser._price.copy()
    for primary in (Primary.DOMINATION, Primary.SLAY_AND_SECURE, Primary.ANCIENT_RELIC, Primary.SLAY_AND_SECURE):
        battle = by_primary[primary]
        appraiser.best(battle, battle.legal())
        dearer = np.flatnonzero(appraiser._price > plain).tolist()
        leaders = [battle.models.unit[battle.warlords.model[player] - 1] for player in (0, 1)]
        assert dearer == (leaders if primary == Primary.SLAY_AND_SECURE else [])


@pytest.mark.parametrize("primary", Primary)
def test_the_underdog_takes_the_last_turn_where_markers_count_at_the_end(primary: Primary) -> None:
    battle = Battle.load("w8/only-war-skirmish", 3, rules={"primary": int(primary)})
    while kind(battle) != "first-turn":
        battle.apply(battle.first_legal())
    takes = primary == Primary.DOMINATION
    assert choice(battle) == ("take the first turn" if takes else "let the opponent have the first turn")


def test_smite_is_cast_and_denied() -> None:
    scene = EighthScene()
    scene.unit(0, sheet("Seer", W=4, keywords=PSYKER), at=(20, 10), psychic=PsychicProfile(1, 1))
    scene.unit(1, sheet("Near", W=3), at=(20, 22), models=3, points=90)
    warder = sheet("Warder", W=4, keywords=PSYKER)
    scene.unit(1, warder, at=(26, 26), points=80, psychic=PsychicProfile(1, 1))
    battle = scene.battle("psychic", dice=[3, 3])
    assert choice(battle) == "Seer"
    pick(battle, "Seer")
    assert kind(battle) == "deny"
    assert choice(battle).startswith("Warder denies")


@pytest.mark.rule("w8.psychic.select")
def test_a_psyker_that_was_selected_attempts_the_least_of_evils() -> None:
    """Smite would hit nobody; whoever selected the psyker all the same has to attempt a power."""
    aim = PsychicPower("Aim", 5, "+1 to hit", Affects.FRIEND, 24)
    scene = EighthScene(size=(60, 44))
    seer = sheet("Seer", W=4, keywords=PSYKER)
    scene.unit(0, seer, at=(5, 5), wounds=[1], points=80, psychic=PsychicProfile(1, 0, (aim,)))
    scene.unit(1, sheet("Far"), at=(55, 40), models=1)
    battle = scene.battle("psychic")
    assert choice(battle) == "done"
    pick(battle, "Seer")
    assert kind(battle) == "select-power" and not battle.legal()[0]
    assert battle.legal()[make("greedy").act(battle, battle.legal())]


def test_every_target_of_a_charge_fires_overwatch() -> None:
    scene = EighthScene()
    scene.unit(0, sheet("Blades", weapons={"blade": melee(A=3, WS=3, S=4)}), at=(20, 10), models=5)
    scene.unit(1, sheet("Guns", weapons=RIFLE), at=(20, 18), models=5)
    battle = scene.battle("charge")
    pick(battle, "Blades")
    while kind(battle) == "charge-target":
        pick(battle, "Guns") if any("Guns" in each for each in words(battle).values()) else pick(battle, "no more")
    assert kind(battle) == "overwatch"
    assert choice(battle) == "Overwatch: Guns"


def test_whole_battles_are_played_and_left_as_they_are() -> None:
    """Greedy comes to all that is asked of it, answers legally and changes nothing."""
    asked = set()
    for name, seed in (("w8/only-war", 2), ("w8/only-war", 7), ("w8/random-skirmish?seed=11", 2)):
        battle, policy = Battle.load(name, seed), make("greedy")
        while not battle.over:
            mask, before = battle.legal(), battle.state_bytes()
            asked.add(kind(battle))
            action = policy.act(battle, mask)
            assert mask[action] and battle.state_bytes() == before
            battle.apply(action)
    assert asked >= {
        "divide",
        "choose-zone",
        "first-turn",
        "warlord-trait",
        "select-psyker",
        "deny",
        "select-to-charge",
    }
    assert asked >= {"overwatch", "select-to-fight"}
