"""Movement phase (epic.move.*).

A move is planned first: ``cells`` marks where a formation may go, ``plans`` puts it there, ``unit_plans`` places its
units one by one. Then it is carried out: ``walk`` asks for choices on the way, ``tracks`` moves the units along the
ways that ``paths`` finds. In an assault move ``engage`` finds places where units touch an enemy.
"""
