"""The search: numba only, no input or output, reached through `trull.solver.api`."""
