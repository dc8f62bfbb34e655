"""The parts of scripts/mutants.py.

`sites` finds the places where rules code can be changed, `warm` runs the tests against each change, and `judged`
reads the list of changes that make no difference.
"""
