"""Benchmarks: what the solver spends on given deals, and deals to spend it on."""
