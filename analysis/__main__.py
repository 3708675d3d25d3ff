"""`python -m trull.analysis` is the same as `trull`."""

from trull.analysis.cli import main

if __name__ == "__main__":
    main()
