"""Who calls whom, as the source says: for `rule_coverage.py`."""
