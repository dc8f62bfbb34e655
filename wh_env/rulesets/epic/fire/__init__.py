"""Fire phase and overwatch: who can aim at whom, the dice of volleys, what they can be expected to take (epic.fire.*,
epic.save.*).
"""
