"""Ratings and payoffs on made-up tournaments whose strengths are known."""

from __future__ import annotations

import choix
import numpy as np
import pytest
from scipy import stats

from wh_env.agents.intervals import clustered, design_effect, wilson
from wh_env.agents.payoffs import alpha_rank, nash_average, payoffs, stationary
from wh_env.agents.ratings import ELO, PRIOR, Contest, Ratings, fit

NAMES = ("a", "b", "c", "d")
ROCK_PAPER_SCISSORS = np.array([[0.5, 0.0, 1.0], [1.0, 0.5, 0.0], [0.0, 1.0, 0.5]])


def tournament(strengths, pairs: int, rng, *, turn: float = 0.0, draw: float = 0.0, first: bool = True):
    """Every pair plays ``pairs`` mirrored pairs of games; strengths and first turn in units of strength."""
    games = []
    names = NAMES[: len(strengths)]
    for i, a in enumerate(names):
        for j in range(i + 1, len(names)):
            for pair in range(2 * pairs):
                x = strengths[i] - strengths[j] + (turn if pair % 2 == 0 else -turn)
                weights = np.array([np.exp(x / 2), draw, np.exp(-x / 2)])
                points = rng.choice([1.0, 0.5, 0.0], p=weights / weights.sum())
                games.append(Contest(a, names[j], float(points), pair % 2 if first else None, (a, j, pair // 2)))
    return games


def values(ratings: Ratings) -> np.ndarray:
    return np.array([rating.value for rating in ratings.ratings])


def test_known_strengths_are_found():
    true = np.array([1.0, 0.3, -0.2, -1.1])
    games = tournament(true, 2000, np.random.default_rng(1), turn=0.4, draw=0.5)
    ratings = fit(games, NAMES, resamples=200)
    assert values(ratings) == pytest.approx(true * ELO, abs=12)
    assert ratings.first_turn is not None and ratings.first_turn.value == pytest.approx(0.4 * ELO, abs=10)
    assert ratings.draw == pytest.approx(0.5 / 2.5, abs=0.02)
    assert ratings.superior[0, 3] == 1.0 and ratings.superior[3, 0] == 0.0


def test_without_draws_it_is_the_bradley_terry_model_of_choix():
    games = tournament([0.8, 0.0, -0.3, -0.5], 15, np.random.default_rng(2), first=False)
    data = [(NAMES.index(g.a), NAMES.index(g.b))[:: 1 if g.points else -1] for g in games]
    expected = choix.opt_pairwise(4, data, alpha=1 / (2 * PRIOR**2), tol=1e-10)
    ratings = fit(games, NAMES, resamples=10)
    assert values(ratings) == pytest.approx(expected * ELO, abs=1e-3)
    assert ratings.first_turn is None and ratings.draw == 0.0


def test_the_fit_reproduces_points_draws_and_first_turns():
    """The model's maximum has the observed sums: what each player won, how many draws there were, what first turns won."""
    games = tournament([0.5, 0.1, -0.6], 400, np.random.default_rng(3), turn=0.3, draw=0.8)
    ratings = fit(games, NAMES[:3], resamples=10)
    expected = ratings.expected()
    matrix = payoffs(games, NAMES[:3])
    assert (expected * matrix.games).sum(axis=1) == pytest.approx(matrix.points.sum(axis=1), rel=2e-3)
    assert expected + expected.T == pytest.approx(np.ones((3, 3)))


def test_the_order_of_games_and_seats_does_not_matter():
    rng = np.random.default_rng(4)
    games = tournament([0.5, 0.0, -0.5], 10, rng, turn=0.2, draw=0.3)
    turned = [Contest(g.b, g.a, 1 - g.points, None if g.first is None else 1 - g.first, g.cluster) for g in games]
    rng.shuffle(turned)
    one, other = fit(games, NAMES[:3], resamples=50), fit(turned, NAMES[:3], resamples=50)
    assert values(one) == pytest.approx(values(other))
    assert one.first_turn is not None and other.first_turn is not None
    assert one.first_turn.value == pytest.approx(other.first_turn.value)


def test_the_anchor_has_zero():
    games = tournament([0.5, 0.0, -0.5], 20, np.random.default_rng(5))
    free, held = fit(games, NAMES[:3]), fit(games, NAMES[:3], anchor="b")
    assert held.ratings[1].value == held.ratings[1].low == held.ratings[1].high == 0.0
    assert values(held) == pytest.approx(values(free) - values(free)[1])
    with pytest.raises(ValueError, match="anchor 'x' is not among the players; expected one of a, b, c"):
        fit(games, NAMES[:3], anchor="x")


@pytest.mark.parametrize(("strengths", "pairs", "draw"), [((0.4, 0.0, -0.4), 12, 0.4), ((1.5, 0.0, -1.5), 25, 0.1)])
def test_intervals_cover_what_they_say(strengths, pairs, draw):
    """Of 95 % intervals, some 95 % hold the truth: few games at moderate and at large differences."""
    rng = np.random.default_rng(6)
    hits = []
    for _ in range(150):
        ratings = fit(tournament(strengths, pairs, rng, turn=0.2, draw=draw), NAMES[:3], resamples=200)
        hits += [r.low <= s * ELO <= r.high for r, s in zip(ratings.ratings, strengths)]
    assert 0.91 <= np.mean(hits) <= 0.99


def test_a_clean_sweep_is_not_taken_for_certain():
    sweep = [Contest("a", "b", 1.0, n % 2, n // 2) for n in range(20)]
    ratings = fit(sweep, resamples=500)
    a = ratings.ratings[0]
    assert np.isfinite(a.value) and a.value > 200
    assert a.low < a.value - 50
    assert a.low > 0


def test_mirrored_pairs_that_agree_count_once():
    """Games of a cluster that always end alike say half as much: the interval is wider by the square root of two."""
    rng = np.random.default_rng(7)
    free, tied = [], []
    for pair in range(200):
        one, other = rng.random(2) < 0.6
        free += [Contest("a", "b", float(one), 0, pair), Contest("a", "b", float(other), 1, pair)]
        tied += [Contest("a", "b", float(one), 0, pair), Contest("a", "b", float(one), 1, pair)]
    widths = [r.high - r.low for r in (fit(games, resamples=2000).ratings[0] for games in (free, tied))]
    assert widths[1] / widths[0] == pytest.approx(2**0.5, rel=0.1)


# ---------------------------------------------------------------- payoffs


def test_the_payoff_matrix_counts_points():
    games = [Contest("a", "b", 1.0), Contest("b", "a", 0.5), Contest("c", "a", 0.0)]
    matrix = payoffs(games, ("a", "b", "c"))
    assert matrix.points.tolist() == [[0, 1.5, 1], [0.5, 0, 0], [0, 0, 0]]
    assert matrix.games.tolist() == [[0, 2, 1], [2, 0, 0], [1, 0, 0]]
    assert np.isnan(matrix.share[1, 2])
    assert matrix.filled(np.full((3, 3), 0.3)).tolist() == [[0.5, 0.75, 1], [0.25, 0.5, 0.3], [0, 0.3, 0.5]]


def test_cycles_are_shared_evenly():
    for distribution in (nash_average(ROCK_PAPER_SCISSORS)[0], alpha_rank(ROCK_PAPER_SCISSORS)):
        assert distribution == pytest.approx(np.full(3, 1 / 3), abs=1e-6)
    ratings = fit([Contest(x, y, 1.0, None, n) for n in range(9) for x, y in ("ab", "bc", "ca")], resamples=50)
    assert values(ratings) == pytest.approx(np.zeros(3), abs=1e-6)


def test_the_best_player_has_all_the_weight():
    share = np.array([[0.5, 0.8, 0.9], [0.2, 0.5, 0.7], [0.1, 0.3, 0.5]])
    weights, margin = nash_average(share)
    assert weights == pytest.approx([1, 0, 0], abs=1e-6)
    assert margin == pytest.approx([0, -0.6, -0.8], abs=1e-6)
    assert alpha_rank(share)[0] > 0.999


def test_copies_do_not_count_twice():
    """Rock twice: Balduzzi's example; entropy splits the weight of rock between its copies."""
    share = ROCK_PAPER_SCISSORS[np.ix_([0, 0, 1, 2], [0, 0, 1, 2])]
    weights, margin = nash_average(share)
    assert weights == pytest.approx([1 / 6, 1 / 6, 1 / 3, 1 / 3], abs=1e-5)
    assert margin == pytest.approx(np.zeros(4), abs=1e-6)


def test_nash_average_is_an_equilibrium_of_largest_entropy():
    rng = np.random.default_rng(8)
    for n in (2, 3, 5, 8):
        margin = np.triu(rng.choice([-1.0, -0.4, 0.0, 0.2, 1.0], (n, n)), 1)
        margin -= margin.T
        weights, payoff = nash_average((margin + 1) / 2)
        assert weights.sum() == pytest.approx(1.0) and weights.min() >= 0
        assert payoff.max() <= 1e-6
        # no step towards another equilibrium raises the entropy
        entropy = stats.entropy(weights)
        for _ in range(200):
            other = rng.dirichlet(np.full(n, 0.3)) * 0.02 + weights * 0.98
            if (margin @ other).max() <= 1e-9:
                assert stats.entropy(other) <= entropy + 1e-6


def test_alpha_rank_is_that_of_open_spiel():
    alpharank = pytest.importorskip("open_spiel.python.egt.alpharank")
    rng = np.random.default_rng(9)
    for n in (2, 3, 6):
        share = np.triu(rng.random((n, n)), 1)
        share += np.tril(1 - share.T, -1) + np.eye(n) / 2
        _, _, expected, _, _ = alpharank.compute([share], m=20, alpha=1.5)
        assert alpha_rank(share, intensity=1.5, population=20) == pytest.approx(expected, abs=1e-8)


def test_stationary_distributions_survive_tiny_probabilities():
    chain = np.array([[0, 1e-200, 0.5], [0.5, 0, 1e-250], [1e-200, 1.0, 0]])
    found = stationary(chain)
    assert found.sum() == pytest.approx(1.0)
    np.fill_diagonal(chain, 1 - chain.sum(axis=1))
    assert found @ chain == pytest.approx(found)


# ---------------------------------------------------------------- intervals


def test_wilson_is_that_of_scipy():
    for wins, games in ((0, 10), (3, 10), (55, 60), (200, 400)):
        low, high = wilson(wins, games)
        expected = stats.binomtest(wins, games).proportion_ci(0.95, "wilson")
        assert (float(low), float(high)) == pytest.approx((expected.low, expected.high))
    low, high = wilson([0, 1], [0, 0])
    assert (low.tolist(), high.tolist()) == ([0, 0], [1, 1])


def test_clusters_widen_the_interval_and_never_narrow_it():
    plain = wilson(60, 120)
    twos = [2] * 60
    alike = clustered([2.0] * 30 + [0.0] * 30, twos)
    opposed = clustered([1.0] * 60, twos)
    assert alike[0] == opposed[0] == 0.5
    assert (alike[1], alike[2]) == pytest.approx([float(limit) for limit in wilson(30, 60)], abs=0.002)
    assert (opposed[1], opposed[2]) == pytest.approx([float(limit) for limit in plain])
    assert design_effect([1.0] * 10 + [0.0] * 10, [1] * 20) == pytest.approx(20 / 19)
    assert clustered([], []) == (0.5, 0.0, 1.0)


def test_payoffs_know_which_games_share_their_dice():
    tied = [Contest("a", "b", float(pair % 2), None, pair // 2 * 2 + pair % 2) for pair in range(40) for _ in (0, 1)]
    free = [Contest("a", "b", float(game % 2)) for game in range(80)]
    one, other = payoffs(tied), payoffs(free)
    assert one.points.tolist() == other.points.tolist()
    assert one.effect[0, 1] == one.effect[1, 0] == pytest.approx(2.0, rel=0.05)
    low, high = one.interval()
    assert (high - low)[0, 1] > 1.35 * (other.interval()[1] - other.interval()[0])[0, 1]
    assert one.total(0) == pytest.approx((0.5, low[0, 1], high[0, 1]))
