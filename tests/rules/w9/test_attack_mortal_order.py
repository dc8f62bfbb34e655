"""Mortal wounds of attacks come after all normal damage at their target (w9.rare.mortal-wound-order)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env.testing import dice_left, pick, ranged, sheet
