"""Neural-network agents: the network, its files, and the agent around it.

Names are imported on first use: `Policy` needs no torch, and `checkpoint` none until it builds a network; all else needs the extra `train`.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .agent import Net
    from .checkpoint import NetError, load_net, save_net
    from .network import Network, Shape
    from .policy import Policy

__all__ = ["Net", "NetError", "Network", "Policy", "Shape", "load_net", "save_net"]

_HOME = {"Net": "agent", "Network": "network", "Policy": "policy", "Shape": "network"} | dict.fromkeys(
    ("NetError", "load_net", "save_net"), "checkpoint"
)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_HOME[name]}", __name__), name)
