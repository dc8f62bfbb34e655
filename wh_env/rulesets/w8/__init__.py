"""The 8th edition of Warhammer 40,000."""
