"""Where a block can go: poses, obstacles near it, straight moves, wheels, pivots and reforms. Questions only: nothing
here changes the battle (wap.move.*).
"""
