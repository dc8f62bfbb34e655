"""Training by self-play. Needs the extra ``train``."""
