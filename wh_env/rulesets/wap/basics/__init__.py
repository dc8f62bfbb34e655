"""What all chapters use: blocks, contact, joined characters, sight, characteristics, dice (wap.core.*,
wap.profile.*).
"""
