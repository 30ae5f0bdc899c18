"""Which metric to trust: metrics held against people, task by task."""

from typing import TYPE_CHECKING

from adjudge.lazy import lazy_names

if TYPE_CHECKING:
    from adjudge.meta.results import MetricPair as MetricPair
    from adjudge.meta.results import MetricValue as MetricValue
    from adjudge.meta.results import TaskResult as TaskResult
    from adjudge.meta.shared_task import run_task as run_task
    from adjudge.meta.task import RunSettings as RunSettings
    from adjudge.meta.task import Task as Task

# A comparison needs what differences are worth, and nothing else of this.
_MODULES = {
    "results": ("MetricPair", "MetricValue", "TaskResult"),
    "shared_task": ("run_task",),
    "task": ("RunSettings", "Task"),
}
__getattr__ = lazy_names(__name__, _MODULES)
