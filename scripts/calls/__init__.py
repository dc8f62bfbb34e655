"""The call graph of the source code, for `rule_coverage.py`."""
