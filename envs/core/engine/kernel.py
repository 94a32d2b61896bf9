"""The only use of numba: every compile option is set here. cache.py says where compiled kernels are kept.

Environment variables, read once at import:

- ``TRADEWINDS_JIT=0`` runs every kernel as plain Python, for debugging and coverage;
- ``TRADEWINDS_BOUNDSCHECK=1`` compiles kernels that raise on an index out of range;
- ``TRADEWINDS_CACHE=FOLDER`` keeps compiled kernels there instead of in the user's cache folder.
"""

import contextlib
import os
import re
import warnings
from collections.abc import Callable, Iterator
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core import config as numba_config

from . import cache
from .cache import BOUNDSCHECK, KernelLocator, lock_saves

JIT = os.environ.get("TRADEWINDS_JIT", "1") != "0" and os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")

F = TypeVar("F", bound=Callable[..., Any])


def _compile_options() -> dict[str, Any]:
    """`_nrt=False` turns off reference counting, which costs as much as the rules themselves. A kernel that allocates then fails to
    compile: nothing may allocate in the loop.
    """
    # A C callback wrapper would hold a second copy of every kernel, and nobody calls it.
    options = {"cache": True, "nogil": True, "boundscheck": BOUNDSCHECK, "no_cfunc_wrapper": True}
    try:
        jit = cast(Any, numba.njit)
        jit(_nrt=False)(lambda: None)
    except (KeyError, TypeError):  # not a documented option; without it all works, slower
        return options
    return {**options, "_nrt": False}


OPTIONS = _compile_options()
LOCATOR = f"{KernelLocator.__module__}.{KernelLocator.__qualname__}"


def kernel(function: F) -> F:
    """Compile a rules function, or hand it back as it is when the JIT is off."""
    return _compiled(function)


def inlined(function: F) -> F:
    """A kernel that becomes part of those that call it, and is not compiled by itself: one that takes all buffers, since to hand these over
    costs a fifth of a step, or one with few callers, since the rules are compiled once more for each kernel that leads to them.
    """
    return _compiled(function, inline="always")


def _compiled(function: F, **more: Any) -> F:
    if not JIT:
        return function
    settings = cast(Any, numba_config)
    before = settings.CACHE_LOCATOR_CLASSES
    settings.CACHE_LOCATOR_CLASSES = LOCATOR  # read when the decorator runs; other users of numba keep theirs
    try:
        compiled = numba.njit(**OPTIONS, **more)(function)
    finally:
        settings.CACHE_LOCATOR_CLASSES = before
    lock_saves(compiled)
    return cast(F, compiled)


def let_wrap(module: str) -> None:
    """Numbers of this module wrap around on purpose: plain Python need not warn of it."""
    if not JIT:
        warnings.filterwarnings("ignore", "overflow encountered in scalar", RuntimeWarning, re.escape(module))


def records(states: np.ndarray) -> np.ndarray:
    """The array as kernels take it: compiled ones read fields natively, plain Python needs a recarray."""
    return states if JIT else states.view(np.recarray)


def is_cold(module: str) -> bool:
    """Whether using the kernels of a module means compiling them first."""
    return JIT and cache.is_cold(module)


@contextlib.contextmanager
def compiling(module: str, title: str) -> Iterator[None]:
    """Around the first use of a module's kernels: see `cache.compiling`."""
    with cache.compiling(module, title) if JIT else contextlib.nullcontext():
        yield
