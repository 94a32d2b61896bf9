"""Optional libraries, with a one-line error when they are missing."""

from tradewinds.envs.core.api.optional import MissingExtraError, need

__all__ = ["MissingExtraError", "need"]
