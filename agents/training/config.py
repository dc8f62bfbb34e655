"""What a training run is: the fields of ``configs/train/*.yaml``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from wh_env.content.errors import ContentError, Expected, unknown
from wh_env.content.fields import Content, Count, Flag, Length, Name, Positive, Seed, Some, Spec
from wh_env.content.load import merge, names, settings_of, shipped_settings, validate
from wh_env.content.reading import parse_yaml
from wh_env.envs.registry import rulesets

from ..policies import UnknownPolicy, prepare

FOLDER = "train"
Share = Annotated[float, Field(strict=True, ge=0, le=1)]
Weight = Annotated[float, Field(strict=True, ge=0, le=1e6, allow_inf_nan=False)]
# Memory goes with these: a network of such widths and so many battles at once still fit into one.
Width = Annotated[int, Field(strict=True, ge=1, le=4096)]
Battles = Annotated[int, Field(strict=True, ge=1, le=4096)]
Decisions = Annotated[int, Field(strict=True, ge=1, le=10**12)]


def check_policy(spec: str) -> str:
    """The spec, if a policy can be made of it."""
    try:
        prepare(spec)
    except UnknownPolicy as error:
        raise Expected("a policy by name or module:Class, with ,key=value options", str(error)) from error
    return spec


class NetworkConfig(Content):
    """The network that learns."""

    kind: Literal["entity", "mlp"] = "entity"  # tokens that attend to each other, or a plain MLP to compare with
    width: Width = 64  # entity: of a token
    heads: Some = 4  # entity: of attention
    blocks: Some = 2  # entity: of attention, one after the other
    planes: Width = 16  # entity: channels of the convolution over the terrain
    cell: Width = 24  # entity: width of the head for cells
    layers: Annotated[tuple[Width, ...], Field(max_length=32)] = (256, 256)  # mlp: widths of its layers

    @model_validator(mode="after")
    def _divides(self) -> Self:
        if self.width % self.heads:
            raise Expected(f"a multiple of heads, {self.heads}", field="width", value=self.width)
        return self

    @property
    def parameters(self) -> dict[str, Any]:
        """What the policy class is given."""
        if self.kind == "mlp":
            return {"layers": self.layers}
        return {"size": {name: getattr(self, name) for name in ("width", "heads", "blocks", "planes", "cell")}}


class Stage(Content):
    """A stage of the curriculum."""

    battles: Annotated[tuple[Spec, ...], Field(min_length=1, max_length=1000)]  # by name or path; each game draws one
    steps: Decisions | None = None  # learner's decisions after which the next stage begins; not given: no limit
    win_rate: Share | None = None  # share of the points against the pool from which on it begins earlier


class RewardConfig(Content):
    """What is paid. Shaping pays the change of a potential, so it changes what is learnt first, not what is best."""

    final: Literal["outcome", "margin"] = "outcome"  # win, draw or loss; or the lead in victory points by 50
    survivors: Weight = 0.0  # potential: part of the own army that is left less the enemy's, times this
    victory_points: Weight = 0.0  # potential: lead in victory points by 50, times this

    @property
    def potential(self) -> dict[str, float]:
        """Weights of the potentials by name."""
        return {"survivors": self.survivors, "victory_points": self.victory_points}


class PpoConfig(Content):
    """MaskablePPO."""

    rollout: Positive = 128  # decisions of each battle between two updates
    batch: Positive = 512  # samples of a step of the optimiser
    epochs: Positive = 3  # times that every sample is used
    learning_rate: Length = 3e-4  # at the start
    final_learning_rate: Length = 1e-4  # at the end; in between it falls in a straight line
    gamma: Annotated[float, Field(strict=True, gt=0, le=1)] = 0.999  # discount a decision
    gae_lambda: Share = 0.95  # of generalised advantage estimation
    clip: Length = 0.2  # of the ratio of probabilities
    entropy: Weight = 0.01  # weight of the entropy
    value: Weight = 0.5  # weight of the value's error
    max_grad_norm: Length = 0.5  # longer gradients are cut to that
    target_kl: Length | None = None  # a rollout is left when the policy has moved so far


class GateConfig(Content):
    """When the learner's network joins the pool as a snapshot."""

    every: Positive = 20  # updates between two attempts
    games: Count = 40  # at least so many since the last one
    win_rate: Share = 0.55  # share of the points that is needed, against snapshots (if there are none, anchors)
    keep: Some = 6  # snapshots in the pool; then the one that is beaten most surely leaves


class OpponentsConfig(Content):
    """Whom the learner plays."""

    anchors: dict[Spec, Weight] = Field(default_factory=lambda: {"random": 1.0, "greedy": 1.0})  # policies: weight
    anchor_share: Share = 0.5  # of the games are against anchors
    self_share: Share = 0.2  # of the games are against the present network; the rest against snapshots
    prioritise: Literal["hard", "even", "uniform"] = "hard"  # (1 - x)^power, x(1 - x), 1; x: points against it
    power: Length = 2.0  # of "hard"
    floor: Share = 0.1  # least weight of an opponent, so that nobody is forgotten
    at_once: Some = 2  # snapshots that are played between two updates; more cost more time
    memory: Length = 200.0  # games over which results fade
    gate: GateConfig = Field(default_factory=GateConfig)

    @field_validator("anchors")
    @classmethod
    def _known(cls, anchors: dict[str, float]) -> dict[str, float]:
        for spec in anchors:
            check_policy(spec)
        if not anchors or sum(anchors.values()) <= 0:
            raise Expected("at least one policy with a weight above 0")
        return anchors

    @model_validator(mode="after")
    def _shares(self) -> Self:
        if self.anchor_share + self.self_share > 1:
            raise Expected("at most 1 - anchor_share", field="self_share", value=self.self_share)
        return self


class LessonConfig(Content):
    """Behaviour cloning: the network learns to answer as a teacher does, in the teacher's battles and in its own."""

    teacher: Spec  # a policy
    envs: Battles = 16  # battles at the same time; a round should see most of them to their end
    rounds: Positive = 10  # each collects samples and learns from all there are
    samples: Decisions = 8192  # decisions a round
    epochs: Positive = 4  # passes over a round's worth of samples, drawn from all there are
    batch: Positive = 512  # samples of a step of the optimiser
    learning_rate: Length = 1e-3  # at the start; falls to a tenth in a straight line
    student_share: Share = 0.5  # of the battles, from the second round on, the network plays itself
    value: Weight = 0.5  # weight of the value's error

    @field_validator("teacher")
    @classmethod
    def _known(cls, teacher: str) -> str:
        return check_policy(teacher)

    @property
    def round(self) -> int:
        """Decisions of a round."""
        return -(-self.samples // self.envs) * self.envs


class EvaluationConfig(Content):
    """How strength is followed: games of the network, playing its likeliest actions, that are not learnt from."""

    every: Positive = 20  # updates between two evaluations
    games: Positive = 32  # against each opponent
    opponents: Annotated[tuple[Spec, ...], Field(max_length=100)] = ("random", "greedy")  # policies

    @field_validator("opponents")
    @classmethod
    def _known(cls, opponents: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(map(check_policy, opponents))


class TrainingConfig(Content):
    """A training run."""

    name: Name = "training"  # of the run and its folder
    ruleset: Name  # which game
    seed: Seed = 0  # everything random follows from it
    steps: Decisions  # decisions of the learner in all, cloning not counted
    envs: Battles = 32  # battles at the same time
    observation: Literal["vector", "entities"] = "vector"  # form of what the network sees
    threads: Some = 1  # of torch
    overlap: Flag = (
        False  # play the next rollout while the network learns from this one: faster on two cores, one update late
    )
    device: Literal["auto", "cpu", "cuda"] = "auto"  # where the network learns
    save_every: Positive = 5  # updates between two checkpoints
    # what plays in evaluations, in the pool and at the end is a mean over updates; this part of it stays in each, 0: none
    average: Annotated[float, Field(strict=True, ge=0, lt=1)] = 0.95
    network: NetworkConfig = Field(default_factory=NetworkConfig)
    curriculum: Annotated[tuple[Stage, ...], Field(min_length=1, max_length=100)]
    reward: RewardConfig = Field(default_factory=RewardConfig)
    ppo: PpoConfig = Field(default_factory=PpoConfig)
    opponents: OpponentsConfig = Field(default_factory=OpponentsConfig)
    clone: Annotated[
        tuple[LessonConfig, ...], Field(max_length=100)
    ] = ()  # how it starts: lessons of teachers, one after the other
    evaluation: EvaluationConfig = Field(default_factory=EvaluationConfig)

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.ruleset not in rulesets():
            raise Expected("one of " + ", ".join(rulesets()), "is not known", "ruleset", self.ruleset)
        return self

    @property
    def lessons(self) -> int:
        """Decisions of all lessons."""
        return sum(lesson.rounds * lesson.round for lesson in self.clone)

    @property
    def update(self) -> int:
        """Decisions of the learner between two updates."""
        return self.envs * self.ppo.rollout

    @property
    def updates(self) -> int:
        """Updates in all."""
        return -(-self.steps // self.update)


def shipped() -> list[str]:
    """Names of the training runs that are shipped."""
    return shipped_settings(FOLDER)


def assignments(pairs: Iterable[str]) -> dict[str, Any]:
    """``ppo.batch=256`` and the like as nested mappings; values are read as YAML.

    Raises:
        ContentError: one is not ``key=value``.
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
    """A training run by name or path, with the fields of ``overrides`` (nested) in place of those of the file.

    Raises:
        ContentError: there is none, or a field is wrong.
    """
    raw, file = settings_of(FOLDER, source)
    if overrides and isinstance(raw, Mapping):
        raw = merge(raw, overrides)
    config = validate(TrainingConfig, raw, file)
    listed = names("battles", config.ruleset)
    for number, stage in enumerate(config.curriculum):
        for place, battle in enumerate(stage.battles):
            known = battle.split("?")[0]
            if not known.endswith((".yaml", ".yml")) and known not in listed:
                raise unknown(file, f"curriculum[{number}].battles[{place}]", battle, listed)
    return config


__all__ = ["LessonConfig", "OpponentsConfig", "TrainingConfig", "assignments", "load_config", "shipped"]
