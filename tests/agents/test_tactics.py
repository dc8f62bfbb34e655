"""The tactics benchmark: frozen positions, best values that hold, regret that tells good play from bad."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from wh_env import ContentError
from wh_env.agents.policies import make
from wh_env.agents.tactics import Score, load_positions, read_solutions
from wh_env.agents.tactics.play import Opponent, play_policy, seeds_of
from wh_env.agents.tactics.regiments import BY_ITSELF
from wh_env.agents.tactics.score import score, summary
from wh_env.agents.tactics.solution import write_solution
from wh_env.agents.tactics.solve import Solver, mean_error, solve
from wh_env.agents.tactics.themes import load_theme
from wh_env.rulesets.w40k.attack.odds import Target, damage_distribution

POSITIONS = load_positions()
NINTH = load_positions(ruleset="w9")
EIGHTH = load_positions(ruleset="w8")
REGIMENTS = load_positions(ruleset="wap")
ALL = (*POSITIONS, *NINTH, *EIGHTH, *REGIMENTS)
NAMES = [f"{position.start.setup.ruleset.id}-{position.name}" for position in ALL]

# Two shots that wound on 3+ against one model that saves on 5+: every number can be worked out on paper.
SMALL = """
theme: small
sheets:
  Gun: {weapons: {gun: {range: 24, A: 2, skill: 3, S: 5, AP: 0, D: 1}}}
  Weak: {T: 4, Sv: 5, W: 1, points: 90}
  Strong: {T: 12, Sv: 2, W: 9, points: 300}
positions:
  - name: one-shot
    tests: Shoot at what can be killed.
    why: The other one cannot.
    round: 3
    phase: shooting
    until: {round: 3, turn: 0, phase: charge}
    worth: {units: 1}
    units:
      - {side: 0, sheet: Gun, name: Gun, at: [10, 5], models: 1}
      - {side: 1, sheet: Weak, name: Weak, at: [10, 15], models: 1}
      - {side: 1, sheet: Strong, name: Strong, at: [20, 15], models: 1}
    opening: [Gun]
    best: Weak
    naive: Strong
"""


@pytest.fixture
def small(tmp_path: Path) -> Path:
    file = tmp_path / "small.yaml"
    file.write_text(SMALL, encoding="utf-8")
    return file


def killed(position) -> float:
    """The exact chance that the gun kills the weak one, by the attack sequence as probabilities."""
    setup = position.start.setup
    target = Target(toughness=4, save=5)
    odds = damage_distribution(setup.statics["weapons"], 0, 1, 0, target, setup.statics["attack_rules"])
    return float(odds.killed[1])


# ---------------------------------------------------------------- the shipped positions


def test_there_are_enough_positions_in_every_theme():
    themes = {position.theme for position in POSITIONS}
    assert len(POSITIONS) >= 30
    assert len(themes) >= 11
    assert all(sum(p.theme == theme for p in POSITIONS) >= 3 for theme in themes)
    assert all(p.tests.endswith((".", "?")) and p.why.endswith(".") for p in POSITIONS)


@pytest.mark.parametrize("position", ALL, ids=NAMES)
def test_a_position_is_frozen_and_asks_what_it_says(position):
    """Built twice it has the same bytes; the choices that it names are legal and differ; the horizon lies ahead."""
    again = next(p for p in load_theme(position.file) if p.name == position.name)
    assert again.start.state_bytes() == position.start.state_bytes()
    assert again.digest == position.digest
    best, naive = position.action(position.best), position.action(position.naive)
    legal = position.start.legal()
    assert best != naive and legal[best] and legal[naive]
    assert position.start.clock.player[0] == position.player
    assert not position.over(position.start) and position.value(position.start) == 0.0


@pytest.mark.parametrize("positions", [POSITIONS, NINTH, EIGHTH, REGIMENTS], ids=["w10", "w9", "w8", "wap"])
def test_every_position_is_solved_and_the_best_choice_is_clearly_best(positions):
    """The named choice is as good as any, by far better than the naive one, and random play shows regret."""
    for position, solution in zip(positions, read_solutions(positions).values(), strict=True):
        best, naive, first = (solution.options[n] for n in (solution.best, solution.naive, 0))
        assert best.value - naive.value > 3 * np.hypot(best.error, naive.error), position.name
        assert first.value - best.value <= 3 * np.hypot(first.error, best.error), position.name
        assert solution.stake > 4 * np.hypot(solution.error, solution.random_error), position.name
        assert solution.error < 0.25 * (best.value - naive.value), position.name
        assert solution.samples >= 400, position.name


@pytest.mark.parametrize(
    "name",
    ["finish-the-wounded", "past-the-rabble", "courage-for-the-veterans", "trolls-first", "run-from-the-knights"],
)
def test_what_is_kept_is_what_play_brings(name):
    """Best play, looked for again with other dice, comes to the value that is kept."""
    position = next(p for p in ALL if p.name == name)
    kept = read_solutions([position])[position.name]
    solver = Solver(position, 48, 99)
    value, error = solver.measure(position.action(position.best), seeds_of(position, 99, "test", 200))
    assert abs(value - kept.value) < 4 * np.hypot(error, kept.error)


@pytest.mark.parametrize(
    "name",
    [
        *("strike-before-they-do", "kill-the-ones-who-can-hit-back", "mauls-before-tools", "swords-against-brutes"),
        *("trolls-first", "leave-the-gunners-out"),
    ],
)
def test_greedy_knows_who_fights_and_charges_first(name):
    """Who strikes before the enemy can, whom to strike before it strikes back, who draws the Overwatch."""
    position = next(p for p in ALL if p.name == name)
    assert make("greedy").act(position.start, position.start.legal()) == position.action(position.best)


@pytest.mark.parametrize("positions", [POSITIONS, NINTH, EIGHTH, REGIMENTS], ids=["w10", "w9", "w8", "wap"])
@pytest.mark.parametrize("policy", ["greedy", "tactician"])
def test_every_position_can_be_played_by_what_is_included(positions, policy):
    for position in positions:
        play_policy(position, Opponent(position), 5, make(policy), 6)


def test_positions_of_the_ninth_edition_ask_about_its_own_phases():
    """At least ten of them: psykers, charges that are answered, Morale, leaders who are screened, who fights first."""
    assert len(NINTH) >= 10
    assert {p.start.setup.ruleset.id for p in NINTH} == {"w9"}
    kinds = {p.start.setup.ruleset.kinds[p.start.clock.kind[0]].name for p in NINTH}
    assert kinds >= {
        *("select-psyker", "select-power", "deny", "defend", "fire-overwatch", "counter-offensive", "insane-bravery"),
        *("select-to-fight", "select-to-shoot", "move-to"),
    }


def test_positions_of_the_eighth_edition_ask_about_what_it_has_of_its_own():
    """Smite at the closest, one denial, Overwatch of every target, the alternation, CHARACTERS who are screened."""
    assert len(EIGHTH) >= 7
    assert {p.start.setup.ruleset.id for p in EIGHTH} == {"w8"}
    kinds = {p.start.setup.ruleset.kinds[p.start.clock.kind[0]].name for p in EIGHTH}
    assert kinds == {"move-to", "deny", "charge-target", "select-to-charge", "select-to-fight", "select-to-shoot"}


def test_positions_of_regiments_ask_whom_to_charge_what_to_answer_and_what_to_do_with_the_beaten():
    """How moves and reforms are carried out is asked only where a position says so."""
    assert len(REGIMENTS) >= 6
    assert {p.start.setup.ruleset.id for p in REGIMENTS} == {"wap"}
    kinds = {p.start.setup.ruleset.kinds[p.start.clock.kind[0]].name for p in REGIMENTS}
    assert kinds == {"declare-charge", "charge-target", "charge-reaction", "redirect", "pursue", "manoeuvre"}
    for position in REGIMENTS:
        answered = {position.start.setup.ruleset.kinds[number].name for number in position.start.setup.delegates}
        assert set(BY_ITSELF) - answered == set(position.asks)  # type: ignore[attr-defined]


def test_losses_of_the_turn_stand_in_a_position():
    position = next(p for p in NINTH if p.name == "courage-for-the-veterans")
    battle = position.start
    assert list(battle.units.alive[:2]) == [10, 7]
    assert np.flatnonzero(battle.toll_array).tolist() == [0, 1, 2, 3, 4, 15, 16, 17, 18, 19]


# ---------------------------------------------------------------- solving


def test_the_solver_finds_the_value_that_the_odds_give(small):
    (position,) = load_theme(small)
    found = solve(position, 600, 60, 3)
    exact = 90 * killed(position)
    assert 10 < exact < 80
    assert abs(found.value - exact) < 4 * found.error
    assert found.options[found.best].words.endswith("Weak") and found.best == 0
    assert found.options[found.naive].value < 1
    assert abs(found.random - exact / 2) < 4 * found.random_error


def test_solving_is_repeatable_and_follows_from_the_seed(small):
    (position,) = load_theme(small)
    assert solve(position, 40, 20, 3) == solve(position, 40, 20, 3)
    assert solve(position, 40, 20, 3).value != solve(position, 40, 20, 4).value


def test_best_play_looks_further_than_one_decision():
    """The carbines shoot first, and the rifles then do what is left to do: more than any one volley is worth."""
    position = next(p for p in POSITIONS if p.name == "the-choosy-ones-first")
    solver = Solver(position, 60, 1)
    root = solver.node(position.start, 60)
    assert root.best == position.action(position.best)
    assert len(solver.nodes) > 5


# ---------------------------------------------------------------- scoring


def test_regret_is_what_is_missing_to_best_play(small):
    (position,) = load_theme(small)
    found = solve(position, 600, 60, 3)
    random = score(position, found, "random", 200, 7)
    greedy = score(position, found, "greedy", 200, 7)
    assert abs(greedy.regret) < 4 * greedy.error
    assert abs(random.share - 1.0) < 4 * random.share_error
    assert random.regret == pytest.approx(found.value - random.mean)
    both = summary("random", [random, greedy], 0.95)
    assert both.positions == 1 and both.low < both.share < both.high
    assert both.high - both.low == pytest.approx(2 * 1.96 * random.share_error, rel=1e-3)


def test_the_error_of_a_share_counts_all_that_was_measured():
    """Share (10 - 4) / (10 - 2): each of best, agent and random moved by its error alone moves the share by so much."""
    best, mean, random = 10.0, 4.0, 2.0
    one = Score("a", "p", "t", "VP", 9, best, 0.03, mean, 0.02, best - random, 0.01)

    def share(best: float, mean: float, random: float) -> float:
        return (best - mean) / (best - random)

    moved = [share(best + 0.03, mean, random), share(best, mean + 0.02, random), share(best, mean, random + 0.01)]
    assert one.share == pytest.approx(0.75)
    assert one.share_error == pytest.approx(np.linalg.norm(np.array(moved) - 0.75), rel=0.01)


def test_the_same_seed_gives_the_same_score_and_every_agent_the_same_dice():
    position = POSITIONS[0]
    found = read_solutions([position])[position.name]
    first, again = (score(position, found, "random", 6, 5) for _ in range(2))
    assert first == again
    assert first.mean != score(position, found, "random", 6, 6).mean
    opponent = Opponent(position)
    same = {play_policy(position, opponent, 11, make("greedy", seed), seed) for seed in range(3)}
    assert len(same) == 1


def test_mean_and_its_error():
    assert mean_error([1.0, 3.0]) == (2.0, pytest.approx(1.0))
    assert mean_error([4.0]) == (4.0, 0.0)


# ---------------------------------------------------------------- files


def test_a_changed_position_is_not_scored_by_its_old_value(small):
    (position,) = load_theme(small)
    with pytest.raises(ContentError, match=r"one-shot.*has no solution"):
        read_solutions([position])
    write_solution(position, solve(position, 20, 10, 1))
    assert read_solutions([position])["one-shot"].samples == 20
    small.write_text(SMALL.replace("points: 90", "points: 91"), encoding="utf-8")
    with pytest.raises(ContentError, match="has been changed since it was solved"):
        read_solutions(load_theme(small))
    small.write_text(SMALL.replace("Shoot at what can be killed", "Words may change"), encoding="utf-8")
    assert read_solutions(load_theme(small))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("opening: [Gun]", "opening: [Bow]", "one-shot.opening: 'Bow'"),
        ("best: Weak", "best: Nobody", "one-shot.best: 'Nobody'"),
        ("at: [10, 15]", "at: [10, 35]", "small.yaml: one-shot.Weak.at"),
        ("Weak: {T: 4", "Weak: {T: zero", "small.yaml: sheets.Weak: models[0].T: 'zero'"),
        ("round: 3\n    phase: shooting", "round: 3\n    phase: tea", "phase"),
        ("round: 3\n    phase: shooting", "round: 3\n    phase: psychic", "one-shot.phase: 'psychic'"),
        ("points: 90", "psychic: {manifests: 1}", "sheets.Weak: psychic"),
        ("at: [10, 15], models: 1", "at: [10, 15], models: 2, lost: 1", "one-shot.Weak.lost: 1"),
        ("theme: small", "theme: small\nruleset: epic", "ruleset: 'epic'"),
    ],
)
def test_errors_name_file_field_and_value(small, old, new, told):
    assert old in SMALL
    small.write_text(SMALL.replace(old, new), encoding="utf-8")

    def asked() -> None:
        (position,) = load_theme(small)
        position.action(position.best)

    with pytest.raises(ContentError) as error:
        asked()
    assert told in str(error.value)


# ---------------------------------------------------------------- the program


@pytest.fixture
def program(load_script):
    app = load_script("tactics.py")
    return lambda *arguments: CliRunner().invoke(app, [str(a) for a in arguments])


def test_the_program_solves_checks_scores_and_shows(small, program):
    folder = ("--folder", small.parent)
    assert program(*folder, "--agents", "greedy", "--quiet").exit_code == 2
    solved = program(*folder, "--solve", "--samples", 200, "--tries", 20, "--quiet")
    assert solved.exit_code == 0 and "one-shot" in solved.output
    told = program(*folder, "--agents", "greedy", "--agents", "random", "--plays", 20, "--json")
    data = json.loads(told.output)
    assert [row["agent"] for row in data["positions"]] == ["greedy", "random"]
    assert all(row["low"] <= row["regret"] <= row["high"] for row in data["positions"])
    assert data["all"][0]["positions"] == 1
    table = program(*folder, "--plays", 4, "--quiet").output
    assert "one-shot" in table and "random" in table and "greedy" in table
    shown = program(*folder, "--show", "one-shot").output
    assert "Shoot at what can be killed." in shown and "naive" in shown and "Strong" in shown
    assert "one-shot" in program(*folder, "--list").output
    assert program(*folder, "--check", 1, "--samples", 100, "--tries", 10, "--quiet").exit_code == 0


def test_a_check_notices_a_wrong_value(small, program):
    (position,) = load_theme(small)
    write_solution(position, solve(position, 200, 20, 1))
    file = small.with_name("small.solved.json")
    data = json.loads(file.read_text(encoding="utf-8"))
    data["one-shot"]["value"] += 40.0
    file.write_text(json.dumps(data), encoding="utf-8")
    told = program("--folder", small.parent, "--check", 1, "--samples", 100, "--tries", 10, "--quiet")
    assert told.exit_code == 1 and "NO" in told.output


def test_the_program_refuses_what_it_does_not_know(program):
    for arguments, told in (
        (("--theme", "knitting"), "knitting"),
        (("--position", "nowhere"), "nowhere"),
        (("--agents", "clever"), "clever"),
    ):
        done = program(*arguments)
        assert done.exit_code == 2 and told in done.output


def test_an_interrupted_run_tells_what_is_finished(small, program, monkeypatch):
    """Ctrl-C in the second position: the first one is scored, the exit code is 130."""
    other = small.with_name("two.yaml")
    other.write_text(SMALL.replace("theme: small", "theme: two").replace("one-shot", "two-shot"), encoding="utf-8")
    for file in (small, other):
        (position,) = load_theme(file)
        write_solution(position, solve(position, 20, 10, 1))
    small.with_name("tired_policy.py").write_text(
        "class Tired:\n"
        "    acts = 0\n"
        "    def __init__(self, seed=0): pass\n"
        "    def reset(self, seed): pass\n"
        "    def act(self, battle, mask):\n"
        "        Tired.acts += 1\n"
        "        if Tired.acts > 5:\n"
        "            raise KeyboardInterrupt\n"
        "        return int(mask.argmax())\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(small.parent))
    told = program("--folder", small.parent, "--agents", "tired_policy:Tired", "--plays", 4, "--json")
    assert told.exit_code == 130
    assert [row["position"] for row in json.loads(told.stdout)["positions"]] == ["one-shot"]
