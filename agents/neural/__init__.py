"""Neural-network agents: the network, its checkpoints, and the agent around it.

Names are imported on first use: `checkpoint` is read without torch, all else needs the extra `train`.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .agent import Net
    from .checkpoint import NetError
    from .files import load_net, save_net
    from .network import Network, Shape

__all__ = ["Net", "NetError", "Network", "Shape", "load_net", "save_net"]

_HOME = {"Net": "agent", "NetError": "checkpoint", "Network": "network", "Shape": "network", "load_net": "files", "save_net": "files"}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_HOME[name]}", __name__), name)
