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


def satterthwaite(systems, factors, variances, contrast):
    """Degrees of freedom of a contrast of systems: 2 v² / (g' A g), A the inverse of the expected information."""
    x, n = dummies(systems), len(systems)
    parts = {"error": np.eye(n)} | {name: dummies(c) @ dummies(c).T for name, c in factors.items()}
    inverse = np.linalg.inv(covariance(variances, factors, n))
    own = np.linalg.inv(x.T @ inverse @ x)
    project = inverse - inverse @ x @ own @ x.T @ inverse
    moved = {name: project @ part for name, part in parts.items()}
    information = np.array([[np.trace(a @ b) / 2 for b in moved.values()] for a in moved.values()])
    direction = inverse @ x @ own @ contrast
    slope = np.array([direction @ part @ direction for part in parts.values()])
    return 2 * (contrast @ own @ contrast) ** 2 / (slope @ np.linalg.solve(information, slope))
