"""The one error of a study that cannot be run, read or continued."""

from __future__ import annotations


class StudyError(ValueError):
    """A faulty specification, folder or worker; the message says what and what is expected."""
