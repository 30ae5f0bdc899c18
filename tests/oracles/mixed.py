"""A mixed model with crossed effects from its definition: the whole covariance matrix, inverted."""

import math

import numpy as np


def dummies(codes):
    codes = np.asarray(codes)
    return (codes[:, None] == np.unique(codes)[None]).astype(float)


def covariance(variances, factors, n):
    v = variances["error"] * np.eye(n)
    for name, column in factors.items():
        z = dummies(column)
        v += variances[name] * z @ z.T
    return v


def restricted_log_likelihood(scores, systems, factors, variances):
    x = dummies(systems)
    v = covariance(variances, factors, len(scores))
    inner = x.T @ np.linalg.solve(v, x)
    residual = scores - x @ np.linalg.solve(inner, x.T @ np.linalg.solve(v, scores))
    logs = np.linalg.slogdet(v)[1] + np.linalg.slogdet(inner)[1]
    fit = residual @ np.linalg.solve(v, residual)
    return -((len(scores) - x.shape[1]) * math.log(2 * math.pi) + logs + fit) / 2


def estimates(scores, systems, factors, variances):
    """Systems' scores, their covariance, and predicted effects."""
    x = dummies(systems)
    v = covariance(variances, factors, len(scores))
    result = np.linalg.inv(x.T @ np.linalg.solve(v, x))
    fixed = result @ x.T @ np.linalg.solve(v, scores)
    left = np.linalg.solve(v, scores - x @ fixed)
    return (
        fixed,
        result,
        {name: variances[name] * dummies(column).T @ left for name, column in factors.items()},
    )
