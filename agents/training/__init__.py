"""Training by self-play. It needs the extra ``train``."""
