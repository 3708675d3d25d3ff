"""The tools around the solver: the command line and what it prints."""
