"""Frames of procedures: steps and integers by name, and that only a procedure's own module writes them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import wh_env
from wh_env import Battle
from wh_env.content.load import rulesets
from wh_env.core.bounds import between, code, flag, player, row_of, zero
from wh_env.core.procedures import FRAME_SIZE, STEP, OfPlayer, Procedure, Steps, V, beneath, integer, step_names
from wh_env.core.validation import Validator
from wh_env.envs import registry
from wh_env.rulesets.w10.deploy.scouts import Scouts
from wh_env.rulesets.w40k.attack import sequence
from wh_env.rulesets.w40k.attack.making import Attacks
from wh_env.rulesets.w40k.charge.phase import Charge
from wh_env.rulesets.w40k.move.unit_moves import MoveUnit
from wh_env.rulesets.w40k.reaction.windows import Interruptible

EVERY = pytest.mark.parametrize("ruleset", rulesets())


class Errand(OfPlayer):
    class Step(Steps):
        BEGIN, GO, END = range(3)

    UNIT = integer(row_of("units"))
    PAIR = integer(flag(), width=2)
    AFTER = integer(flag())
    LAST = integer(zero(), at=FRAME_SIZE - 1)
    NOW = UNIT


class LongErrand(Errand):
    class Step(Steps):
        BACK = 5

    LAST = integer(player())
    MORE = integer(flag())


def test_integers_stand_one_after_the_other():
    assert (Errand.PLAYER, Errand.UNIT, Errand.PAIR, Errand.AFTER, Errand.LAST) == (V, V + 1, V + 2, V + 4, 15)
    assert Errand.NOW == Errand.UNIT
    assert Errand.slots[Errand.PAIR + 1] == flag()
    assert Errand.steps == between(0, 2)


def test_a_subclass_adds_integers_and_steps_and_changes_bounds():
    assert (LongErrand.LAST, LongErrand.MORE) == (15, V + 5)
    assert LongErrand.slots[LongErrand.LAST] == player() and Errand.slots[Errand.LAST] == zero()
    assert LongErrand.steps == code(0, 1, 2, 5)
    assert Errand.offsets.keys() < LongErrand.offsets.keys()


def test_a_step_can_count():
    class Rounds(Procedure):
        TURNS = integer(between(0, "turns"), at=STEP)

    assert Rounds.TURNS == STEP and Rounds.steps == between(0, "turns")


def test_no_two_integers_at_one_offset():
    with pytest.raises(
        TypeError, match=r"Twice\.SECOND: offset 4 is taken or outside the frame; expected 1 free in a row"
    ):

        class Twice(Procedure):
            FIRST = integer(flag(), at=4)
            SECOND = integer(flag(), at=4)

    with pytest.raises(TypeError, match=r"Beyond\.WIDE: offset 15 is taken or outside the frame; expected 2"):

        class Beyond(Procedure):
            WIDE = integer(flag(), at=15, width=2)


def test_kernels_and_attacks_mean_the_same_integers():
    names = ("UNIT", "KIND", "TARGET", "TESTS", "FAILED", "SHELTERED", "PENDING_NOW", "PSYCHIC", "CHOSEN")
    assert [Attacks.offsets[name] for name in names] == [getattr(sequence, name) for name in names]


def test_one_integer_with_two_names():
    """Of Scouts: who chooses a unit, then the unit."""
    assert Scouts.SIDE == Scouts.UNIT
    assert list(Scouts.offsets) == ["PLAYER", "UNIT", "SIDE"]


@EVERY
def test_everything_in_a_frame_has_a_name(ruleset):
    for procedure in Battle.load(registry.environment(ruleset).skirmish).setup.ruleset.procedures:
        cls = type(procedure)
        steps = step_names(cls.Step)
        assert len(set(steps.values())) == len(steps), cls
        if STEP in cls.slots:
            assert not steps, f"{cls.__name__}: its step counts, and has names too"
        else:
            low, high = cls.steps.resolved({})
            numbers = cls.steps.codes or range(int(low), int(high) + 1)
            assert set(numbers) <= {0, *steps.values()}, cls
        assert {name for name in vars(cls) if name.isupper()} <= cls.offsets.keys(), cls
        assert set(cls.offsets.values()) <= cls.slots.keys(), cls


def test_faults_say_the_name():
    battle = Battle.load("w10/only-war-skirmish", 1)
    battle.push(Charge, 10_000)
    fault = Validator(battle.setup).fault(battle)
    assert str(fault).startswith(f"stack[{battle.clock.depth[0] - 1}], Charge, UNIT: 10000 where 0 to")


# ---------------------------------------------------------------- the unit of a window is destroyed


def test_a_leader_goes_on_with_what_its_unit_was_doing():
    battle = Battle.load("w10/only-war-skirmish", 1)
    battle.push(MoveUnit, 3)
    Interruptible.succeed(battle, battle.frame, 2, 5)
    assert battle.stack[battle.frame + MoveUnit.UNIT] == 3
    Interruptible.succeed(battle, battle.frame, 3, 5)
    assert battle.stack[battle.frame + MoveUnit.UNIT] == 5


def test_the_player_of_a_phase_is_no_unit():
    """Beneath a move may lie a frame that speaks of a player whose number is that of the unit."""
    battle = Battle.load("w10/only-war-skirmish", 1)
    ruleset = battle.setup.ruleset
    phase = next(type(p) for p in ruleset.procedures if isinstance(p, OfPlayer))
    battle.push(phase, 1)
    battle.push(MoveUnit, 1)
    Interruptible.succeed(battle, beneath(battle.frame), 1, 5)
    assert battle.stack[beneath(battle.frame) + OfPlayer.PLAYER] == 1


# ---------------------------------------------------------------- who writes them


@pytest.fixture(scope="module")
def modules() -> list[tuple[Path, ast.Module]]:
    root = Path(wh_env.__file__).parent
    folders = ("rulesets", "content", "envs", "render")
    paths = (path for folder in folders for path in sorted((root / folder).rglob("*.py")))
    return [(path.relative_to(root), ast.parse(path.read_text())) for path in paths]


def integers(tree: ast.AST) -> Iterator[ast.Subscript]:
    """Every ``stack[...]`` or ``g.stack[...]`` outside kernels, which work on the frame of ``Attacks``."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef) and any(
            ast.unparse(mark) in ("kernel", "inner_kernel") for mark in node.decorator_list
        ):
            continue
        if isinstance(node, ast.Subscript) and "stack" in (
            getattr(node.value, "id", None),
            getattr(node.value, "attr", None),
        ):
            yield node
        yield from integers(node)


def of_classes(tree: ast.AST) -> set[str]:
    """Classes whose names are named in an expression: ``Shoot`` in ``f + Shoot.UNIT``, ``fire.Fire`` in ``f + fire.Fire.SHOT``."""
    return {
        ast.unparse(node.value).removesuffix(".Step")
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr.isupper()
    }


def bare(index: ast.AST) -> set[str]:
    """Constants of a module in an expression."""
    return {node.id for node in ast.walk(index) if isinstance(node, ast.Name) and node.id.isupper()} - {"STEP"}


def own_classes(tree: ast.Module) -> set[str]:
    """What a module writes integers of: classes of its own, and names for their steps."""
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)} | {"cls"}


def test_integers_of_frames_go_by_the_name_of_their_procedure(modules):
    """Beneath and above its own frame a procedure's methods read and write, with the offset of the frame handed over."""
    wrong = [
        f"{path}:{node.lineno} {ast.unparse(node)}"
        for path, tree in modules
        for node in integers(tree)
        if bare(node.slice) or "FRAME_SIZE" in ast.unparse(node.slice)
    ]
    assert [line for line in wrong if "depth * FRAME_SIZE" not in line] == []


def test_only_its_module_writes_the_integers_of_a_procedure(modules):
    wrong = []
    for path, tree in modules:
        own = own_classes(tree)
        written = [node for node in integers(tree) if isinstance(node.ctx, ast.Store)]
        wrong += [f"{path}:{node.lineno} {ast.unparse(node)}" for node in written if of_classes(node.slice) - own]
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and "STEP" in {name for t in node.targets for name in names(t)}:
                if of_classes(node.value) - own - {"Step"}:
                    wrong.append(f"{path}:{node.lineno} {ast.unparse(node)}")
    assert wrong == []


def names(target: ast.AST) -> Iterator[str]:
    return (node.id for node in ast.walk(target) if isinstance(node, ast.Name))


def test_others_ask_a_procedure_what_its_integers_are(modules):
    """But for views, which show what a decision is about."""
    wrong = [
        f"{path}:{node.lineno} {ast.unparse(node)}"
        for path, tree in modules
        if "view" not in path.parts
        for node in integers(tree)
        if of_classes(node.slice) - own_classes(tree)
    ]
    assert wrong == []


def test_steps_go_by_their_names(modules):
    """No number is compared with a step or becomes one."""
    wrong = []
    for path, tree in modules:
        if not any(isinstance(node, ast.ImportFrom) and "STEP" in {a.name for a in node.names} for node in tree.body):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Compare):
                sides = (node.left, *node.comparators)
            elif isinstance(node, ast.Assign):
                sides = (*node.targets, node.value)
            else:
                continue
            if any(is_step(side) for side in sides) and any(isinstance(side, ast.Constant) for side in sides):
                wrong.append(f"{path}:{node.lineno} {ast.unparse(node)}")
    assert wrong == []


def is_step(node: ast.AST) -> bool:
    """Whether it is the step of a frame, or a variable of that name."""
    return (isinstance(node, ast.Subscript) and "STEP" in names(node.slice)) or (
        isinstance(node, ast.Name) and node.id == "step"
    )
