"""Which metric to trust: metrics held against people, task by task."""

from adjudge.meta.results import MetricPair, MetricValue, TaskResult
from adjudge.meta.settings import RunSettings
from adjudge.meta.shared_task import run_task
from adjudge.meta.task import Task

__all__ = ["MetricPair", "MetricValue", "RunSettings", "Task", "TaskResult", "run_task"]
