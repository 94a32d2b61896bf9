"""The machine that the figures were measured on."""

import importlib.metadata
import os
import platform
import time
from pathlib import Path
from typing import Any

from tradewinds.envs.core.api.processes import available_cores


def facts() -> dict[str, Any]:
    """Return processor, cores, load and versions."""
    return {
        "processor": processor(),
        "cores": len(available_cores()),
        "pinned": hasattr(os, "sched_setaffinity"),
        "load_before": load_average(),
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "numba": version("numba"),
    }


def version(distribution: str) -> str:
    """Return the installed version of a distribution, or "not installed"."""
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def quiet_cores(seconds: float = 0.5) -> list[int]:
    """Return the available cores, the least busy first on systems with /proc/stat."""
    before = _busy_ticks()
    time.sleep(seconds)
    after = _busy_ticks()
    return sorted(available_cores(), key=lambda core: after.get(core, 0) - before.get(core, 0))


def _busy_ticks() -> dict[int, int]:
    """For each core the ticks since boot in which it was not idle."""
    try:
        lines = Path("/proc/stat").read_text(encoding="utf-8").splitlines()
    except OSError:
        return {}
    busy = {}
    for name, *ticks in (line.split() for line in lines if line.startswith("cpu") and line[3].isdigit()):
        user, nice, system, _idle, _waiting, interrupts, soft_interrupts, stolen = map(int, ticks[:8])
        busy[int(name[3:])] = user + nice + system + interrupts + soft_interrupts + stolen
    return busy


def load_average() -> float | None:
    """Return the load average of the last minute, or None if the system has none."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else None


def processor() -> str:
    """Return the name of the processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
