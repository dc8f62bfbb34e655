"""Compulsory moves in their order: rallying, stupidity, random movement. Fleeing itself is in ``fleeing``
(wap.compulsory.*).
"""
