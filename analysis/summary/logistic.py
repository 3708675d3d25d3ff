"""Logistic regression of success on one number, over many samples at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_STEPS = 40
_LONGEST = 2.0  # of a step, in units of the standardised number


def fit_logistic(x: Floats, made: Floats, n: Floats) -> tuple[Floats, Floats]:
    """Return intercepts a and slopes b of P(made) = 1 / (1 + exp(-(a + b x))).

    Firth's penalised likelihood (1993, Biometrika 80, 27-38): it removes the first-order bias and
    stays finite when a value of x separates the contracts made from those lost.

    Args:
        x: the values of the number, of shape (k,), at least two different ones.
        made: contracts made at each value, of shape (..., k).
        n: contracts at each value, of the same shape.

    >>> a, b = fit_logistic(np.array([0.0, 1.0]), np.array([10.0, 30.0]), np.array([40.0, 40.0]))
    >>> round(float(-a / b), 3)
    0.5
    """
    centre, spread = x.mean(), x.std()
    z = (x - centre) / spread
    rows = np.stack([np.ones_like(z), z], axis=-1)
    theta = np.zeros((*made.shape[:-1], 2))
    for _ in range(_STEPS):
        p = 1 / (1 + np.exp(-np.clip(theta @ rows.T, -500, 500)))
        weight = n * p * (1 - p)
        information = np.einsum("...k,ki,kj->...ij", weight, rows, rows)
        inverse = np.linalg.pinv(information, hermitian=True)
        leverage = weight * np.einsum("ki,...ij,kj->...k", rows, inverse, rows)
        score = (made - n * p + leverage * (0.5 - p)) @ rows
        step = np.einsum("...ij,...j->...i", inverse, score)
        length = np.linalg.norm(step, axis=-1, keepdims=True)
        theta = theta + step * np.minimum(1, _LONGEST / np.maximum(length, _LONGEST))
        if length.size and length.max() < 1e-9:
            break
    slope = theta[..., 1] / spread
    return theta[..., 0] - slope * centre, slope
