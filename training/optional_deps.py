"""Libraries that not everybody needs: said in one line when they are missing."""

import importlib.util


class MissingExtraError(ImportError):
    """Something needs a library that is not installed; the message says how to get it."""


def need(what: str, extra: str, *modules: str) -> None:
    """A MissingExtraError, unless all these modules are installed."""
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    if missing:
        raise MissingExtraError(f"{what} needs {' and '.join(missing)}: pip install 'tradewinds[{extra}]'")
