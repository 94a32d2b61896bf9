"""Libraries that not everybody needs: a missing one is named with the command that installs it."""

import importlib.util


class MissingExtraError(ImportError):
    """Something needs a library that is not installed; the message says how to install it."""


def how_to_install(extra: str) -> str:
    """The command that installs an extra. Tradewinds is not on PyPI yet, so `pip install 'tradewinds[cli]'` would not find it."""
    return f"pip install '.[{extra}]' in a clone of Tradewinds"


def need(what: str, extra: str, *modules: str) -> None:
    """Check that optional libraries are installed.

    Args:
        what: What needs them, for the message.
        extra: The extra of this package that brings them.
        *modules: Their import names.

    Raises:
        MissingExtraError: One is missing.
    """
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    if missing:
        raise MissingExtraError(f"{what} needs {' and '.join(missing)}: {how_to_install(extra)}")
