"""The fantasy game of regiments: blocks of ranks and files that wheel, march, rally and flee (``docs/rules/wap-*.yaml``).

A row of ``units`` is a regiment and holds its block: the middle of the front edge, facing, files. Places of ``models`` and of ``parts``
(the rectangles that a block is made of) follow from it by ``basics.blocks.lay_out_unit`` and are never written by a rule. Lengths are inches.
"""
