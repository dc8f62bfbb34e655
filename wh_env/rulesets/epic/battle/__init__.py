"""A whole battle: its turns, its objectives, its victory points and its end."""
