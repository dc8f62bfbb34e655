"""What scripts/mutants.py is made of: where a rule can be changed (`sites`), tests run against changes (`warm`), which changes
are none (`judged`)."""
