"""Models that are moved one by one and must make their minimum move (w8.move.minimum)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import GO, STEP
from wh_env.rulesets.w8.move.minimum import EPS, destroy, drop_near_places, far_enough, least_move
from wh_env.rulesets.w40k.move import model_moves
from wh_env.rulesets.w40k.move.displacement import least_displacement
from wh_env.rulesets.w40k.move.model_moves import end_facing, model_limits, selected_model, window


class MoveModels(model_moves.MoveModels):
    """Models that have not ended far enough when the move is over are destroyed (w8.move.minimum.destroyed)."""

    def advance(self, g: BattleCore, f: int) -> int:
        if g.stack[f + STEP] == MoveModels.Step.END:
            unit = g.stack[f + MoveModels.UNIT]
            least = least_move(g, unit)
            if lost := [k for k in g.members(unit) if least_displacement(g, k) < least - EPS]:
                destroy(g, unit, lost)
                return GO
        return super().advance(g, f)


class SelectModel(model_moves.SelectModel):
    keys = (*model_moves.SelectModel.keys, "w8.move.minimum")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        super().options(g, f, mask)
        moved = any(g.models.moved[k] for k in g.members(g.stack[f + MoveModels.UNIT]))
        if not far_enough(g, g.stack[f + MoveModels.UNIT]):
            # the move may be given up once every model has been taken back
            mask[0] = not moved and g.stack[f + MoveModels.TRIES] > 0


class ModelTo(model_moves.ModelTo):
    keys = (*model_moves.ModelTo.keys, "w8.move.minimum", "w8.concepts.coherency")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        super().options(g, f, mask)
        space, model, limits = g.setup.space, selected_model(g, f), model_limits(g, f)
        end = g.stack[f + MoveModels.LEVEL], window(g, f, model, limits), end_facing(g, f, model)
        left = drop_near_places(g, model, limits, *end, g.mask[space.cell : space.angle])
        if left and least_move(g, g.stack[f + MoveModels.UNIT]):
            mask[0] = False


class ModelRefine(model_moves.ModelRefine):
    keys = (*model_moves.ModelRefine.keys, "w8.move.minimum")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        super().options(g, f, mask)
        space, model, limits = g.setup.space, selected_model(g, f), model_limits(g, f)
        end = g.stack[f + MoveModels.LEVEL], self.inner(g, f, model, limits), end_facing(g, f, model)
        drop_near_places(g, model, limits, *end, g.mask[space.cell : space.angle])
