"""Mechanisms that the Warhammer 40,000 editions share, with parameters where they differ."""
