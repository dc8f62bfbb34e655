"""Movement phase (epic.move.*).

A move is planned first: ``cells`` says where a formation may go, ``plans`` puts it there, ``unit_plans`` its units one
by one. Then it is walked: ``walk`` asks what there is to choose on the way, ``tracks`` lets the units go along the ways
that ``paths`` finds. In an assault move units go to places where they touch an enemy, which ``engage`` finds.
"""
