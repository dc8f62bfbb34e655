"""The fantasy game of regiments: blocks of ranks and files that wheel, march, rally and flee
(``docs/rules/wap-*.yaml``).

A row of ``units`` is a regiment. It holds the unit's block: the middle of the front edge, the facing and the number of
files. The places of ``models`` and of ``parts`` (the rectangles that a block is made of) are derived from it by
``basics.blocks.lay_out_unit``; no rule writes them. Lengths are inches.
"""
