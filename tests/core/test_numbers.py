"""Numbers of classes: per ruleset, by the class or by the base that it stands for."""

from __future__ import annotations

import pytest

from wh_env.core.procedures import DecisionKind, Procedure, Ruleset
from wh_env.core.rule_ids import RuleIds


class Shared(Procedure):
    def advance(self, g, f):
        return g.pop()


class Abstract(Procedure):
    """It does not advance."""


class Own(Shared):
    pass


class Other(Shared):
    pass


class First(Abstract):
    def advance(self, g, f):
        return g.pop()


class Second(Abstract):
    def advance(self, g, f):
        return g.pop()


class Ask(DecisionKind):
    name = "ask"


class AskAgain(Ask):
    pass


class Toy(Ruleset):
    id = "toy"
    rule_ids = RuleIds("toy", {"move.far": "toy.move.far-away"}, frozenset({"move.high"}))


def test_numbers_are_those_of_the_ruleset_and_not_of_the_class():
    one, two = Toy([Shared, First], [Ask]), Toy([First, Shared], [Ask])
    assert (one.number[Shared], one.number[First], one.number[Ask]) == (0, 1, 0)
    assert (two.number[Shared], two.number[First]) == (1, 0)


def test_a_base_stands_for_the_one_class_derived_from_it():
    toy = Toy([First, Own], [AskAgain])
    assert toy.number[Shared] == toy.number[Own] == 1
    assert toy.number[Abstract] == toy.number[First] == 0
    assert toy.number[Ask] == toy.number[AskAgain] == 0


def test_a_registered_base_stands_for_itself():
    toy = Toy([Own, Shared, Other], [])
    assert (toy.number[Own], toy.number[Shared], toy.number[Other]) == (0, 1, 2)


def test_two_classes_of_one_base_that_could_be_played_are_refused():
    with pytest.raises(TypeError, match="toy: Shared stands for both Own and Other"):
        Toy([Own, Other], [])
    with pytest.raises(TypeError, match="toy: Ask stands for both"):
        Toy([], [AskAgain, type("Third", (Ask,), {"name": "third"})])


def test_what_has_no_number_is_an_error_that_says_why():
    toy = Toy([First, Second], [Ask])
    with pytest.raises(LookupError, match="toy: Abstract stands for First and Second"):
        toy.number[Abstract]
    with pytest.raises(LookupError, match="toy: Shared is not registered"):
        toy.number[Shared]


def test_a_class_twice_and_a_name_twice_are_refused():
    with pytest.raises(TypeError, match="First is registered twice"):
        Toy([First, First], [])
    with pytest.raises(TypeError, match="two kinds are named 'ask'"):
        Toy([], [Ask, type("Same", (DecisionKind,), {"name": "ask"})])


def test_keys_of_rules_stand_for_ids():
    toy = Toy([First], [type("Far", (DecisionKind,), {"name": "far", "keys": ("move.far", "toy.move.near")})])
    assert toy.kind_by_name["far"].rules == ("toy.move.far-away", "toy.move.near")
    assert toy.rule("move.far") == "toy.move.far-away"
    assert toy.rule("move.near") == "toy.move.near"
    assert not toy.has_rule("move.high")
    with pytest.raises(KeyError, match=r"toy has no rule for move\.high"):
        toy.rule("move.high")


def test_a_kind_names_the_rules_that_its_ruleset_has():
    """Several keys can be one rule; a kind that carries out rules must carry out one that there is."""
    keys = ("move.high", "move.far", "toy.move.far-away", "move.near")
    toy = Toy([First], [type("Far", (DecisionKind,), {"name": "far", "keys": keys})])
    assert toy.kind_by_name["far"].rules == ("toy.move.far-away", "toy.move.near")
    with pytest.raises(LookupError, match=r"toy: up carries out none of its rules: move\.high"):
        Toy([First], [type("Up", (DecisionKind,), {"name": "up", "keys": ("move.high",)})])


def test_a_ruleset_that_says_nothing_of_its_rules_has_all_keys_under_its_own_id():
    class Plain(Ruleset):
        id = "plain"

    assert Plain([First], []).rule("move.high") == "plain.move.high"


def test_what_a_ruleset_says_of_its_rules_does_not_change():
    others = {"a.b": "toy.c"}
    ids = RuleIds("toy", others)
    others["a.b"] = "toy.d"
    assert ids["a.b"] == "toy.c"
    with pytest.raises(TypeError):
        ids.others["a.b"] = "toy.d"


def test_a_derived_ruleset_knows_the_ids_of_its_parent():
    class Derived(Toy):
        id = "derived"

    derived = Derived([First], [])
    assert derived.rule("toy.move.near") == "toy.move.near"
    assert derived.rule("derived.move.near") == "derived.move.near"
    assert derived.rule("move.far") == "toy.move.far-away"
    assert derived.rule("move.near") == "toy.move.near"
