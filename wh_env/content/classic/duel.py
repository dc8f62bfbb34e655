"""An attacker and a target by their datasheets, without a battlefield."""

from __future__ import annotations

from collections.abc import Callable

from wh_env.content.classic.compile import compile_plan
from wh_env.content.classic.fielding import FieldedModel, FieldedUnit, write_out
from wh_env.content.classic.schema import ClassicDatasheet
from wh_env.content.errors import ContentError
from wh_env.content.game import Duel
from wh_env.content.w40k.compile import Plan
from wh_env.rulesets.w40k.edition import Edition

SIZE = (60.0, 44.0)
ZONE = ((0.0, 0.0), (60.0, 0.0), (60.0, 44.0), (0.0, 44.0))


def duel(
    edition: Edition, load: Callable[[str], ClassicDatasheet], attacker: str, target: str, models: int | None
) -> Duel:
    """One model with every weapon of the datasheet ``attacker`` against ``models`` models of the datasheet ``target``.

    If ``models`` is None the target is a unit of the smallest size.

    Raises:
        ContentError: a name is not known, or the unit cannot have that many models.
    """
    first, second = load(attacker), load(target)
    if models is not None and not second.smallest <= models <= second.largest:
        expected = f"{second.smallest} to {second.largest} for {second.name}"
        raise ContentError("<target>", "models", models, expected, "models are no unit")
    smallest = write_out(first, None, {})
    carriers = {name: sum(name in model.weapons for model in smallest) for name in first.weapons}
    shooters = FieldedUnit(first.name, first, (FieldedModel(first.models[0], tuple(first.weapons)),), 0)
    targets = FieldedUnit(second.name, second, write_out(second, models, {}), 0)
    setup = compile_plan(Plan(edition, SIZE, ((shooters,), (targets,)), (ZONE, ZONE)))
    return Duel(setup, first.name, second.name, carriers)
