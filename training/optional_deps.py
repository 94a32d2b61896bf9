"""Optional libraries, with a one-line error when they are missing."""

import importlib.util


class MissingExtraError(ImportError):
    """A library is not installed; the message says how to install it."""


def need(what: str, extra: str, *modules: str) -> None:
    """Raise a MissingExtraError unless all these modules are installed."""
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    if missing:
        raise MissingExtraError(f"{what} needs {' and '.join(missing)}: pip install 'tradewinds[{extra}]'")
