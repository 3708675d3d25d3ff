"""What can be wrong with a question."""


class AdviceError(ValueError):
    """A question that cannot be answered; the message says why."""
