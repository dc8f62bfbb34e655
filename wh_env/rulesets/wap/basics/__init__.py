"""What every chapter asks: blocks, who touches whom, who has joined whom, sight, characteristics, dice (wap.core.*,
wap.profile.*).
"""
