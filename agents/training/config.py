"""The fields of a training run, as in ``configs/train/*.yaml``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from wh_env.content.errors import ContentError, Expected, unknown
from wh_env.content.fields import Content, Count, Flag, Length, Name, Positive, Seed, Some, Spec
from wh_env.content.load import SUITE, merge, names, settings_of, shipped_settings, validate
from wh_env.content.reading import parse_yaml
from wh_env.envs.registry import rulesets

from ..policies import UnknownPolicy, prepare

FOLDER = "train"
Share = Annotated[float, Field(strict=True, ge=0, le=1)]
Weight = Annotated[float, Field(strict=True, ge=0, le=1e6, allow_inf_nan=False)]
# These determine memory: a network of such widths and so many battles still fit into one machine.
Width = Annotated[int, Field(strict=True, ge=1, le=4096)]
Battles = Annotated[int, Field(strict=True, ge=1, le=4096)]
Decisions = Annotated[int, Field(strict=True, ge=1, le=10**12)]


def check_policy(spec: str) -> str:
    """Check that a policy can be made from ``spec`` and return it.

    Raises:
        Expected: it cannot.
    """
    try:
        prepare(spec)
    except UnknownPolicy as error:
        raise Expected("a policy by name or module:Class, with ,key=value options", str(error)) from error
    return spec


class NetworkConfig(Content):
    """The network that learns."""

    kind: Literal["entity", "mlp"] = "entity"  # tokens that attend to each other, or a plain MLP to compare with
    width: Width = 64  # entity: width of a token
    heads: Some = 4  # entity: attention heads
    blocks: Some = 2  # entity: attention blocks, one after the other
    planes: Width = 16  # entity: channels of the convolution over the terrain
    cell: Width = 24  # entity: width of the head for cells
    layers: Annotated[tuple[Width, ...], Field(max_length=32)] = (256, 256)  # mlp: widths of its layers

    @model_validator(mode="after")
    def _divides(self) -> Self:
        """Refuse a width that the heads do not divide."""
        if self.width % self.heads:
            raise Expected(f"a multiple of heads, {self.heads}", field="width", value=self.width)
        return self

    @property
    def parameters(self) -> dict[str, Any]:
        """Keyword arguments of the policy class."""
        if self.kind == "mlp":
            return {"layers": self.layers}
        return {"size": {name: getattr(self, name) for name in ("width", "heads", "blocks", "planes", "cell")}}


class Stage(Content):
    """A stage of the curriculum."""

    battles: Annotated[tuple[Spec, ...], Field(min_length=1, max_length=1000)]  # by name or path; each game draws one
    steps: Decisions | None = None  # learner's decisions after which the next stage begins; default: no limit
    win_rate: Share | None = None  # share of the points against the pool at which it begins earlier


class RewardConfig(Content):
    """The reward. Shaping pays the change of a potential, so it changes what is learnt first, but not which
    policy is best.
    """

    final: Literal["outcome", "margin"] = "outcome"  # win, draw or loss; or the lead in victory points divided by 50
    survivors: Weight = 0.0  # weight of the potential: remaining share of the own army minus that of the enemy's
    victory_points: Weight = 0.0  # weight of the potential: lead in victory points, divided by 50

    @property
    def potential(self) -> dict[str, float]:
        """Weights of the potentials by name."""
        return {"survivors": self.survivors, "victory_points": self.victory_points}


class PpoConfig(Content):
    """Settings of MaskablePPO."""

    rollout: Positive = 128  # decisions of each battle between two updates
    batch: Positive = 512  # samples of a step of the optimiser
    epochs: Positive = 3  # times that every sample is used
    learning_rate: Length = 3e-4  # at the start
    final_learning_rate: Length = 1e-4  # at the end; it falls linearly in between
    gamma: Annotated[float, Field(strict=True, gt=0, le=1)] = 0.999  # discount for each decision
    gae_lambda: Share = 0.95  # lambda of generalised advantage estimation
    clip: Length = 0.2  # limit for the ratio of probabilities
    entropy: Weight = 0.01  # weight of the entropy
    value: Weight = 0.5  # weight of the error of values
    max_grad_norm: Length = 0.5  # longer gradients are shortened to this norm
    target_kl: Length | None = None  # learning from a rollout stops when the policy has moved so far


class GateConfig(Content):
    """The condition for the learner's network to join the pool as a snapshot."""

    every: Positive = 20  # updates between two attempts
    games: Count = 40  # least number of games since the last snapshot
    win_rate: Share = 0.55  # needed share of the points against snapshots (without snapshots: anchors)
    keep: Some = 6  # greatest number of snapshots; the one that is beaten most surely leaves for a new one


class OpponentsConfig(Content):
    """The opponents of the learner."""

    anchors: dict[Spec, Weight] = Field(default_factory=lambda: {"random": 1.0, "greedy": 1.0})  # policies: weight
    anchor_share: Share = 0.5  # share of games against anchors
    self_share: Share = 0.2  # share of games against the present network; the other games are against snapshots
    # weight of an opponent by the learner's share x of points against it: (1 - x)^power, x(1 - x), or 1
    prioritise: Literal["hard", "even", "uniform"] = "hard"
    power: Length = 2.0  # exponent of "hard"
    floor: Share = 0.1  # least weight of an opponent, so that none is forgotten
    at_once: Some = 2  # number of different snapshots between two updates; more take more time
    memory: Length = 200.0  # number of games after which results have faded
    gate: GateConfig = Field(default_factory=GateConfig)

    @field_validator("anchors")
    @classmethod
    def _check_anchors(cls, anchors: dict[str, float]) -> dict[str, float]:
        """Refuse anchors that cannot be made, or without any weight."""
        for spec in anchors:
            check_policy(spec)
        if not anchors or sum(anchors.values()) <= 0:
            raise Expected("at least one policy with a weight above 0")
        return anchors

    @model_validator(mode="after")
    def _shares(self) -> Self:
        """Refuse shares of more than 1 in all."""
        if self.anchor_share + self.self_share > 1:
            raise Expected("at most 1 - anchor_share", field="self_share", value=self.self_share)
        return self


class LessonConfig(Content):
    """Behaviour cloning: the network learns to answer as a teacher does, in the teacher's battles and in its
    own.
    """

    teacher: Spec  # the policy to imitate
    envs: Battles = 16  # battles at the same time; a round should see most of them to their end
    rounds: Positive = 10  # each round collects samples, then learns from the samples of all rounds
    samples: Decisions = 8192  # decisions a round
    epochs: Positive = 4  # passes over as many samples as a round has, drawn from the samples of all rounds
    batch: Positive = 512  # samples of a step of the optimiser
    learning_rate: Length = 1e-3  # at the start; it falls linearly to a tenth
    student_share: Share = 0.5  # share of battles that the network plays, from the second round on
    value: Weight = 0.5  # weight of the error of values

    @field_validator("teacher")
    @classmethod
    def _check_teacher(cls, teacher: str) -> str:
        """Refuse a teacher that cannot be made."""
        return check_policy(teacher)

    @property
    def round(self) -> int:
        """Number of decisions in a round."""
        return -(-self.samples // self.envs) * self.envs


class EvaluationConfig(Content):
    """Evaluation: games of the network with its likeliest actions, from which it does not learn."""

    every: Positive = 20  # updates between two evaluations
    games: Positive = 32  # against each opponent
    opponents: Annotated[tuple[Spec, ...], Field(max_length=100)] = ("random", "greedy")  # policies

    @field_validator("opponents")
    @classmethod
    def _check_opponents(cls, opponents: tuple[str, ...]) -> tuple[str, ...]:
        """Refuse opponents that cannot be made."""
        return tuple(map(check_policy, opponents))


class TrainingConfig(Content):
    """A training run."""

    name: Name = "training"  # name of the run and of its folder
    ruleset: Name  # which game
    seed: Seed = 0  # everything random follows from it
    steps: Decisions  # total number of the learner's decisions, without lessons
    envs: Battles = 32  # battles at the same time
    observation: Literal["vector", "entities"] = "vector"  # form of what the network sees
    threads: Some = 1  # threads of torch
    # play the next rollout while the network learns from this one: faster on two cores, one update late
    overlap: Flag = False
    device: Literal["auto", "cpu", "cuda"] = "auto"  # where the network learns
    save_every: Positive = 5  # updates between two checkpoints
    # evaluations, snapshots and results use an average network over updates; each update keeps this share of it
    average: Annotated[float, Field(strict=True, ge=0, lt=1)] = 0.95
    network: NetworkConfig = Field(default_factory=NetworkConfig)
    curriculum: Annotated[tuple[Stage, ...], Field(min_length=1, max_length=100)]
    reward: RewardConfig = Field(default_factory=RewardConfig)
    ppo: PpoConfig = Field(default_factory=PpoConfig)
    opponents: OpponentsConfig = Field(default_factory=OpponentsConfig)
    # lessons before the updates, one after the other
    clone: Annotated[tuple[LessonConfig, ...], Field(max_length=100)] = ()
    evaluation: EvaluationConfig = Field(default_factory=EvaluationConfig)

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        """Refuse a ruleset that is not known."""
        if self.ruleset not in rulesets():
            raise Expected("one of " + ", ".join(rulesets()), "is not known", "ruleset", self.ruleset)
        return self

    @property
    def lessons(self) -> int:
        """Number of decisions in all lessons."""
        return sum(lesson.rounds * lesson.round for lesson in self.clone)

    @property
    def update(self) -> int:
        """Number of the learner's decisions between two updates."""
        return self.envs * self.ppo.rollout

    @property
    def updates(self) -> int:
        """Number of updates."""
        return -(-self.steps // self.update)


def shipped() -> list[str]:
    """Names of the included training runs."""
    return shipped_settings(FOLDER)


def assignments(pairs: Iterable[str]) -> dict[str, Any]:
    """Turn assignments such as ``ppo.batch=256`` into nested mappings; values are read as YAML.

    Raises:
        ContentError: an assignment is not ``key=value``, or sets a field that was set before.
    """
    nested: dict[str, Any] = {}
    for pair in pairs:
        path, equals, text = pair.partition("=")
        *folders, last = path.split(".")
        if not equals or not all(part.isidentifier() for part in (*folders, last)):
            raise ContentError("<command line>", "", pair, "key=value, with dots for fields of fields: ppo.batch=256")
        at = nested
        for folder in folders:
            at = at.setdefault(folder, {})
            if not isinstance(at, dict):
                raise ContentError("<command line>", path, pair, "a field that was not set as a whole before")
        try:
            at[last] = parse_yaml(text, "<command line>")
        except ContentError:
            raise ContentError("<command line>", path, text, "a value in YAML") from None
    return nested


def load_config(source: str | Path, overrides: Mapping[str, Any] | None = None) -> TrainingConfig:
    """A training run by name or path; the fields of ``overrides`` (nested) replace those of the file.

    Raises:
        ContentError: there is no such run, or a field is wrong.
    """
    raw, file = settings_of(FOLDER, source)
    if overrides and isinstance(raw, Mapping):
        raw = merge(raw, overrides)
    config = validate(TrainingConfig, raw, file)
    listed = names("battles", config.ruleset) + [SUITE + suite for suite in names("suites", config.ruleset)]
    for number, stage in enumerate(config.curriculum):
        for place, battle in enumerate(stage.battles):
            known = battle.split("?")[0]
            if not known.endswith((".yaml", ".yml")) and known not in listed:
                raise unknown(file, f"curriculum[{number}].battles[{place}]", battle, listed)
    return config


__all__ = ["LessonConfig", "OpponentsConfig", "TrainingConfig", "assignments", "load_config", "shipped"]
