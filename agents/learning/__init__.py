"""Networks that play battles, as policies of MaskablePPO. Needs the extra ``train``."""
