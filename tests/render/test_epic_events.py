"""Events of the Epic-scale game as they are told and drawn: whom they name are formations, who fires and is hit are units of them."""

from __future__ import annotations

import pytest

from wh_env import Battle
from wh_env.agents.report import Reporter
from wh_env.render.labels import Labels
from wh_env.render.last import Last, Standing, tell
from wh_env.render.scene import build_scene
from wh_env.render.tape import _Writer
from wh_env.render.words import sentence
from wh_env.testing import choose
from wh_env.testing.epic import A, EpicScene, fire_at


@pytest.fixture
def fight() -> tuple[Battle, Standing, object, object]:
    """The second of two squads fires at the second of two mobs and hits a unit of it; how all stood before."""
    scene = EpicScene()
    scene.formation(0, "Tactical Marine", at=[(80, 10), (82, 10)], order="march")
    squad = scene.formation(0, "Tactical Marine", at=[(20, 20)], order="advance")
    scene.formation(1, "Boy", at=[(80, 100), (82, 100)], order="march")
    mob = scene.formation(1, "Boy", at=[(20, 30), (20, 50)], order="march")
    battle = scene.battle("fire", dice=[A, 6, 1])
    before = Standing.of(battle)
    fire_at(battle, squad, mob)
    return battle, before, squad, mob


def test_a_shot_names_both_formations_and_both_units(fight):
    battle, _, squad, mob = fight
    (shot,) = (event for event in battle.events if event.kind == "to hit")
    assert {
        "unit": squad.row,
        "model": squad.model(),
        "target": mob.row,
        "target_model": mob.model(),
    }.items() <= shot.data.items()
    names = battle.setup.names
    told = sentence(Labels(battle), shot)
    sides = f"{names['models'][squad.model()]} at {names['models'][mob.model()]} with bolter"
    assert told == f"{sides}: needs 5+ and rolls 6, hits"


def test_the_report_names_the_target(fight):
    battle, _, squad, mob = fight
    reporter = Reporter(battle)
    for event in battle.events:
        reporter(event)
    names = battle.setup.names
    lines = "\n".join(reporter.finish())
    assert "-- Fire phase, round 1 --" in lines
    sides = f"{names['units'][squad.row]} → {names['units'][mob.row]}"
    assert f"{sides}: 1 shot, 1 hit, 1 eliminated." in lines


def test_a_shot_is_drawn_from_the_unit_that_fires_to_the_one_it_aims_at(fight):
    battle, before, squad, mob = fight
    at = next(n for n, event in enumerate(battle.events) if event.kind == "save")
    story = tell(battle, Last(battle.events[: at + 1], before))
    assert (story.unit, story.targets) == (squad.row, [mob.row])
    assert (story.attackers, story.model) == ([squad.model()], mob.model())
    assert [*story.fallen] == [mob.model()]


def test_a_combat_is_told_and_drawn_with_both_sides():
    scene = EpicScene()
    scene.formation(0, "Boy", at=(100, 10), order="march")
    marine = scene.formation(0, "Tactical Marine", at=(20, 20), order="charge")
    scene.formation(1, "Boy", at=(100, 110), order="march")
    boy = scene.formation(1, "Boy", at=(20, 21), order="march")
    battle = scene.battle("assault", dice=[A, 6, 6, 1, 1])
    choose(battle, "option", 0)
    if battle.decision is not None and battle.decision.kind == "select-to-assault":
        choose(battle, "done")
    (combat,) = (event for event in battle.events if event.kind == "combat")
    assert (combat.data["unit"], combat.data["target"]) == (marine.row, boy.row)
    assert (combat.data["model"], combat.data["target_model"]) == (marine.model(), boy.model())
    assert combat.data["loser"] == boy.model()
    told = sentence(Labels(battle), combat)
    one, other = (battle.setup.names["models"][side.model()] for side in (marine, boy))
    assert told == f"{one} fights {other}: 14 against 3, {other} is eliminated"
    story = tell(battle, Last([combat]))
    assert (story.unit, story.targets, story.attackers) == (marine.row, [boy.row], [marine.model()])


def test_units_that_are_hit_do_not_fall_before_the_dice_that_say_so(fight):
    """On the page: while a later event names them, the unit that fires and the one that it hits stand as they stood."""
    battle, _, squad, mob = fight
    shots = [event for event in battle.events if event.kind in ("to hit", "save")]
    assert [event.kind for event in shots] == ["to hit", "save"]
    assert _Writer(battle)._later(shots) == [{squad.model(), mob.model()}, set()]


def test_both_deployment_zones_are_drawn():
    battle = Battle.load("epic/bridgehead", 2)
    while battle.decision.kind != "deploy-to":
        battle.apply(battle.decision.options[0])
    shapes, depth = build_scene(battle).shapes, battle.setup.rules["deployment_depth_cm"]
    south = battle.clock.attacker[0]
    assert shapes["zone0"].style == f"zone-{south}" and max(shapes["zone0"].points[1::2]) == depth
    assert (
        shapes["zone1"].style == f"zone-{1 - south}" and min(shapes["zone1"].points[1::2]) == battle.setup.width - depth
    )
