"""Agents that are neural networks: the network, its files, and the agent around it. Needs the extra `train`."""

from ..netfiles import NetError
from .agent import Net
from .files import load_net, save_net
from .network import Network, Shape

__all__ = ["Net", "NetError", "Network", "Shape", "load_net", "save_net"]
