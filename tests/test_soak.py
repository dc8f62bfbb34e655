"""Random legal battles with all invariants checked: the short form of scripts/soak.py."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer import Typer
from typer.testing import CliRunner

from scripts import soak as program
from wh_env import Battle, ContentError
from wh_env.agents.invariants import Invariants, mask_faults, soak
from wh_env.agents.match import play_battle
from wh_env.agents.policies import make
from wh_env.content.replay import Recorder, parse_replay
from wh_env.rulesets.w40k.attack.sequence import LOST
from wh_env.rulesets.w40k.codes import COVERED, HIDDEN, YES
from wh_env.rulesets.w40k.profiles import Ability, Keyword
from wh_env.testing import Scene, ranged, sheet

SKIRMISH, INCURSION = "w10/only-war-skirmish", "w10/only-war-incursion"


@pytest.mark.parametrize(
    ("battle", "detail", "seeds"),
    [(SKIRMISH, "squad", range(8)), (INCURSION, "squad", range(100, 104)), (SKIRMISH, "full", range(200, 202))],
)
def test_nothing_is_violated(battle, detail, seeds):
    setup = Battle.load(battle, 0, detail=detail).setup
    for seed in seeds:
        count, faults = soak(Battle(setup, seed), seed, every=20, legal_sample=8)
        assert faults == [], f"seed {seed}"
        assert count > 50


@pytest.mark.parametrize(
    ("battle", "detail", "seeds"),
    [
        ("w10/random-skirmish?seed={}&layout=even", "squad", (0, 1, 2)),
        ("w10/random-incursion?seed={}&markers=players", "squad", (3, 4)),
        ("w10/random-strike-force?seed={}", "squad", (5,)),
        ("w10/random-skirmish?seed={}", "full", (7,)),
    ],
)
def test_nothing_is_violated_on_random_battlefields_with_random_armies(battle, detail, seeds):
    for seed in seeds:
        count, faults = soak(Battle.load(battle.format(seed), seed, detail=detail), seed, every=20, legal_sample=8)
        assert faults == [], f"seed {seed}"
        assert count > 50


@pytest.mark.parametrize("battle", ["w10/only-war-strike-force", "w10/random-strike-force?seed=4"])
def test_a_battle_of_2000_points_is_played_and_replays(battle):
    game = Battle.load(battle, 3)
    if "random" not in battle:
        for army in (game.roster(0), game.roster(1)):
            assert len({unit["datasheet"] for unit in army}) >= 14
    recorder = Recorder(game, 3)
    played = play_battle(game, [make("greedy", 3), make("random", 4)], recorder=recorder)
    assert played.result is not None
    replay = parse_replay(recorder.replay(("greedy", "random"), (3, 4)).to_bytes())
    assert replay.verify().result == played.result


@pytest.fixture
def deployed() -> Battle:
    battle = Battle.load(SKIRMISH, 1)
    while battle.clock.round[0] < 1:
        battle.apply(int(battle.legal().nonzero()[0][-1]))
    return battle


def test_what_is_broken_is_found(deployed):
    """A check that never finds anything proves nothing."""
    models, units = deployed.models, deployed.units
    here = [k for k, on in enumerate(models.on_table) if on]

    def faults_of(change) -> str:
        probe = deployed.clone()
        invariants = Invariants(probe)
        invariants.before()
        change(probe)
        return "; ".join(invariants.after())

    def stack_up(b):
        b.models.x[here[0]], b.models.y[here[0]], b.models.z[here[0]] = (
            b.models.x[here[1]],
            b.models.y[here[1]],
            b.models.z[here[1]],
        )

    def off_table(b):
        b.models.x[here[0]] = -0.5

    def wound(b):
        b.models.wounds[here[0]] = b.models.max_wounds[here[0]] + 1

    def ghost(b):
        b.models.wounds[here[0]] = b.models.alive[here[0]] = 0

    def miscount(b):
        b.units.alive[b.models.unit[here[0]]] += 1

    def points(b):
        b.players.vp[0] += 1

    def debt(b):
        b.players.vp[1] = -1

    def no_command(b):
        b.players.cp[1] = -1

    def deaf(b):
        b.clock.asking[0] = 0

    assert faults_of(lambda b: None) == ""
    assert "overlap" in faults_of(stack_up)
    assert "over the edge" in faults_of(off_table)
    assert "more than its Wounds" in faults_of(wound)
    assert "destroyed model stands" in faults_of(ghost)
    assert "living models and says" in faults_of(miscount)
    assert "negative victory points" in faults_of(debt)
    assert "negative Command points" in faults_of(no_command)
    assert "no decision is asked" in faults_of(deaf)
    deployed.clock.phase[0] = 2
    assert "in a phase in which none are scored" in faults_of(points)
    assert units.owner[0] == 0


def test_a_state_that_is_refused_when_it_is_loaded_is_a_fault(monkeypatch):
    """It is told with its decision, and the soak goes on."""

    def refused(_):
        raise ContentError("<bytes>", "state.units[8].us", 2, "1")

    monkeypatch.setattr(Battle, "from_bytes", refused)
    count, faults = soak(Battle.load(SKIRMISH, 0), 0, every=20, legal_sample=2)
    assert count > 50 and len(faults) == count // 20
    assert all("ContentError" in fault and "units[8].us" in fault for fault in faults)


def test_a_mask_that_lies_is_found(deployed):
    """A battle whose copies think otherwise."""

    false = int((~deployed.legal()).argmax())

    class Liar(Battle):
        def legal(self):
            mask = super().legal().copy()
            mask[false] = True
            return mask

        def clone(self, seed=None):
            honest = object.__new__(Battle)
            honest._bind(self.setup, self.buffer.copy(), False)
            return honest

    assert mask_faults(deployed, np.random.default_rng(0)) == []
    liar = object.__new__(Liar)
    liar._bind(deployed.setup, deployed.buffer.copy(), False)
    found = "; ".join(mask_faults(liar, np.random.default_rng(0)))
    assert "a copy has another mask" in found
    assert f"legal action {false} (" in found and "raises IllegalAction" in found


# ---------------------------------------------------------------- the program


@pytest.fixture
def call(monkeypatch):
    """Calls scripts/soak.py; battles are not played but told in order, each with so many decisions as its seed says."""
    app = Typer()
    app.command()(program.main)
    played: list[program.Job] = []

    def one(job: program.Job) -> program.Outcome:
        if job.seed == 99:
            raise KeyboardInterrupt
        played.append(job)
        return program.Outcome(*job.key, job.seed, 0.5, ["nobody is asked"] if job.seed == 13 else [])

    monkeypatch.setattr(program, "check_battle", one)

    def run(*arguments: str):
        played.clear()
        return CliRunner().invoke(app, list(arguments)), list(played)

    return run


def test_random_battles_are_of_all_sizes(call, monkeypatch):
    told, played = call("--random", "--seed", "100", "--battles", "18", "--json")
    assert told.exit_code == 0
    assert json.loads(told.stdout)["battles"] == 18
    assert len({job.battle for job in played}) == 18
    for words in (*program.SIZES, *program.LAYOUTS, *program.MARKERS):
        assert any(words in job.battle for job in played), words
    _, played = call("--random", "--size", "incursion", "--battles", "3")
    assert all("w10/random-incursion?" in job.battle for job in played)
    told, _ = call("--size", "incursion")
    assert told.exit_code == program.BAD_INPUT and "expected --random" in told.stderr
    _, played = call("--random", "--ruleset", "w9", "--battles", "4")
    assert {job.battle.partition("?")[0] for job in played} == {"w9/random-patrol", "w9/random-incursion"}
    _, played = call("--random", "--ruleset", "w8", "--battles", "4")
    assert {job.battle.partition("?")[0] for job in played} == {"w8/random-skirmish", "w8/random-war"}
    _, played = call("--random", "--ruleset", "epic", "--battles", "4")
    assert {job.battle.partition("?")[0] for job in played} == {"epic/random-patrol", "epic/random-company"}
    monkeypatch.setattr(program, "battle_names", lambda *_: ["w8/only-war"])
    told, _ = call("--random", "--ruleset", "w8")
    assert told.exit_code == program.BAD_INPUT and "no battles that are drawn" in told.stderr


def test_a_log_is_gone_on_with(call, tmp_path):
    log = tmp_path / "out" / "soak.jsonl"
    ask = ("--random", "--seed", "96", "--battles", "3", "--log", str(log), "--json")
    told, played = call(*ask)
    assert (told.exit_code, len(played)) == (0, 3)
    with log.open("a", encoding="utf-8") as file:
        file.write('{"battle": "cut sh')
    told, played = call("--random", "--seed", "96", "--battles", "3", "--log", str(log), "--json", "--detail", "full")
    assert len(played) == 3
    told, played = call(*ask)
    assert (told.exit_code, played) == (0, [])
    assert json.loads(told.stdout)["decisions"] == 96 + 97 + 98


def test_an_interrupted_soak_tells_what_it_has(call, tmp_path):
    log = tmp_path / "soak.jsonl"
    told, played = call("--random", "--seed", "97", "--battles", "5", "--log", str(log))
    assert told.exit_code == program.INTERRUPTED
    assert len(played) == 2
    assert "2 of 5 battles, 195 decisions, 0 violations" in told.stdout
    assert len(log.read_text(encoding="utf-8").splitlines()) == 2


def test_a_violation_is_told_with_its_battle(call):
    told, _ = call("--random", "--seed", "13", "--battles", "1")
    assert told.exit_code == 1
    assert "w10/random-skirmish?seed=13&layout=turned&markers=battlefield, seed 13: nobody is asked" in told.stdout


def shooting_scene() -> Battle:
    """Two units that may shoot and what they know of their targets, with an Attached unit among these."""
    scene = Scene()
    gun = {"gun": ranged(24)}
    for name, x in (("Alpha", 10), ("Beta", 14)):
        scene.unit(0, sheet(name, weapons=gun), at=(x, 10))
    guard = scene.unit(1, sheet("Guard"), at=(12, 20))
    lord = sheet("Lord", W=4, keywords=("INFANTRY", "CHARACTER"), abilities={"leader": ["Guard"]})
    scene.unit(1, lord, at=(14, 20), leads=guard)
    scene.unit(1, sheet("Brute", weapons=gun), at=(40, 20))
    return scene.battle("shooting")


def tamper_target(battle):
    battle.targets[0, 3] = YES  # the attached Leader as a target of its own


def tamper_hidden(battle):
    battle.targets[1, 2] = HIDDEN


def tamper_engaged(battle):
    battle.engaged[0, 4] = battle.engaged[4, 0] = 1


def tamper_unknown(battle):
    battle.target_known[0] = 0


def tamper_across(battle):
    battle.target_known[1] = 1
    battle.across[0] = 1


def tamper_strength(battle):
    battle.units.strength[2] = 1


def tamper_leader(battle):
    battle.units.leader[2] = -1


def tamper_keywords(battle):
    battle.units.keywords[2] = int(Keyword.INFANTRY)


def tamper_flags(battle):
    battle.units.flags[0] = int(Ability.STEALTH)


def tamper_cover(battle):
    battle.models.flags[0] |= COVERED


@pytest.mark.parametrize(
    ("tamper", "told"),
    [
        (tamper_target, "Lord is barred for Alpha, and 'a target' is kept"),
        (tamper_hidden, "Guard is a target for Beta, and 'hidden' is kept"),
        (tamper_engaged, "Alpha and Brute are out of Engagement Range, and the opposite is kept"),
        (tamper_unknown, "targets are kept although it is not known who is engaged"),
        (tamper_across, "who faces whom across a barricade is kept and no longer so"),
        (tamper_strength, "Guard has another Starting Strength than its components"),
        (tamper_leader, "an attached Leader leads no unit"),
        (tamper_keywords, "Guard lacks a keyword of one of its models"),
        (tamper_flags, "Alpha has an ability that one of its models lacks"),
        (tamper_cover, "a model keeps the Benefit of Cover after the attacks for which it was determined"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_kept_answer_that_does_not_hold_is_noticed(tamper, told):
    """As long as the losses of a volley are not settled nobody asks, and nothing is said."""
    battle = shooting_scene()
    audit = battle.setup.ruleset.audit(battle)
    assert audit.after() == []
    tamper(battle)
    assert told in audit.after()
    battle.queue[LOST] = 1
    assert audit.after() == []
