"""Pickling of Setups: a pickle holds the text that the Setup was compiled from, not its arrays.

Unpickling compiles a text once in a process; all Setups from the same text are then one object. A pickle also holds the
delegates that the user passed, and the terrain that the players have placed. Of a Setup whose terrain has moved in a
battle it holds the one before: the state of the battle says the rest (``Ruleset.resume``). Policies are pickled as
usual: lambdas and local functions need cloudpickle.
"""

from __future__ import annotations

import copyreg
from collections.abc import Mapping
from threading import Lock
from typing import Any

from wh_env.content.battle import setup_from_source
from wh_env.core.setup import Delegate, Setup
from wh_env.core.tables import Array

Terrain = tuple[Array, Array, Array]
ONE_AT_A_TIME = Lock()  # threads that ask for the same text get the same Setup


def rebuilt(source: str, policies: Mapping[str, Delegate], terrain: Terrain | None) -> Setup:
    """The Setup compiled from ``source``.

    ``policies`` are the user's delegates by decision kind; ``terrain`` replaces that of the source unless it is None.
    """
    with ONE_AT_A_TIME:
        setup = setup_from_source(source)
    if policies:
        setup = setup.with_policies(policies)
    return setup if terrain is None else setup.with_terrain(*terrain)


def reduced(setup: Setup) -> tuple[Any, ...]:
    """The function and arguments from which ``pickle`` makes a Setup again.

    Raises:
        TypeError: the Setup was not compiled from a battle config.
    """
    if not setup.source.startswith("{"):  # set pieces name themselves where others have the JSON of their config
        raise TypeError(
            "cannot pickle a Setup of no battle config: only those that Battle.load compiled can be compiled again"
        )
    if setup.unmoved is not None:
        return reduced(setup.unmoved)
    terrain = (setup.blocks, setup.corners, setup.features) if setup.placed else None
    return rebuilt, (setup.source, dict(setup.policies), terrain)


def teach_pickle() -> None:
    """Register how Setups are reduced, for ``pickle``, ``copy`` and cloudpickle."""
    copyreg.pickle(Setup, reduced)
