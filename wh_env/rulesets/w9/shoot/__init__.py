"""The Shooting phase of the 9th edition, and what terrain does to attacks."""
