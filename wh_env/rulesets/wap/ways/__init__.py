"""Where a block can go: poses, what is near, straight ways, wheels, pivots, reforms; questions, which change nothing
(wap.move.*).
"""
