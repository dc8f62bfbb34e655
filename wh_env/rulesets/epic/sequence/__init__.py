"""What happens when turns and phases start and end, and who has the initiative."""
