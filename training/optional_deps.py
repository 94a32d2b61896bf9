"""Libraries that not everybody needs."""

from tradewinds.envs.core.api.optional import MissingExtraError, need

__all__ = ["MissingExtraError", "need"]
