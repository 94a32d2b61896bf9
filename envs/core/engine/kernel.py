"""The one door to numba: every compile option lives here. Where compiled kernels are kept: cache.py.

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
from numba.extending import intrinsic

from . import cache
from .cache import BOUNDSCHECK, KernelLocator

JIT = os.environ.get("TRADEWINDS_JIT", "1") != "0" and os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")

F = TypeVar("F", bound=Callable[..., Any])


def _compile_options() -> dict[str, Any]:
    """`_nrt=False` turns off reference counting, which costs as much as the rules themselves. A kernel that allocates then fails to
    compile: nothing may allocate in the loop."""
    options = {"cache": True, "nogil": True, "boundscheck": BOUNDSCHECK}
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
    costs a fifth of a step, or one with few callers, since the rules are compiled once more for each kernel that leads to them."""
    return _compiled(function, inline="always")


def _compiled(function: F, **more: Any) -> F:
    if not JIT:
        return function
    settings = cast(Any, numba_config)
    before = settings.CACHE_LOCATOR_CLASSES
    settings.CACHE_LOCATOR_CLASSES = LOCATOR  # read when the decorator runs; other users of numba keep theirs
    try:
        return cast(F, numba.njit(**OPTIONS, **more)(function))
    finally:
        settings.CACHE_LOCATOR_CLASSES = before


def _atomic(operation: str) -> Any:
    """A read, or a read and write, of one number of an int64 array that no other thread can come between, and what stood there before."""

    @intrinsic
    def atomic(typing: Any, cells: Any, place: Any, value: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, given[0])
            cell = builder.gep(array.data, [given[1]])
            if operation == "read":
                return builder.load_atomic(cell, "seq_cst", 8)
            return builder.atomic_rmw(operation, cell, given[2], "seq_cst")

        return numba.int64(cells, numba.int64, numba.int64), build

    return atomic


_READ, _WRITE, _ADD, _LOWER = (_atomic(operation) for operation in ("read", "xchg", "add", "min"))


@kernel
def shared_read(cells, place):
    """What stands there now, and all that was written before it was."""
    return _READ(cells, place, 0) if JIT else cells[place]


@kernel
def shared_write(cells, place, value):
    if JIT:
        _WRITE(cells, place, value)
    else:
        cells[place] = value


@kernel
def shared_add(cells, place, amount):
    """What stood there before."""
    if JIT:
        return _ADD(cells, place, amount)
    before = cells[place]
    cells[place] += amount
    return before


@kernel
def shared_lower(cells, place, value):
    """Write the value if it is less than what stands there."""
    if JIT:
        _LOWER(cells, place, value)
    else:
        cells[place] = min(cells[place], value)


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
