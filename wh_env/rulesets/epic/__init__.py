"""The Epic-scale game: secret orders, initiative drawn from a cup, alternating fire by formation, assaults of 2D6.

What the rules call a unit (one infantryman, one vehicle) is a row of the table ``models``; a formation is a row of
``units``. Lengths are centimetres. Every unit is a disc, and a piece of terrain is a polygon on the ground.
"""
