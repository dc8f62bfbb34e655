"""Magic: wizards, the winds of magic, casting, dispelling, miscasts, spells and lores (wap.magic.*, wap.lore.*)."""
