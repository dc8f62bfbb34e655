"""Networks that play battles, as policies of MaskablePPO. They need the extra ``train``."""
