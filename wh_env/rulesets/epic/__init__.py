"""The Epic-scale game: secret orders, initiative drawn from a cup, alternating fire by formation, assaults of 2D6.

A unit of the rules (one infantryman, one vehicle) is a row of the table ``models``. A formation is a row of the table
``units``. Lengths are centimetres. Every unit is a disc, and a piece of terrain is a polygon on the ground.
"""
