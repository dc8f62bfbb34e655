"""Command groups: champions, standards, musicians (wap.command.*)."""
