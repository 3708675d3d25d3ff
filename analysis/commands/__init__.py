"""The commands of `trull`, one a module.

A command only reads its options and returns a *job*, what is left to do; `trull.analysis.cli` does
it. Modules that load the search are imported by the jobs, which keeps `trull --help` instant.
"""
