"""Geometry kernels: outlines and distances, sight, moves, placement.

Common arguments: ``models``, ``units``, ``blocks``, ``corners``, ``objectives`` are the tables of a battle
(``core.tables``). ``i``, ``j``, ``k`` are rows of ``models``, ``u``, ``a``, ``e``, ``t`` rows of ``units``, ``b`` rows
of ``blocks``. A pose is ``x``, ``y``, ``z`` in inches and ``f``, the facing in radians. "At a pose" means that a
function measures from there and not from where the model stands.
"""
