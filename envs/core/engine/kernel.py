"""The only module that uses numba: all compile options are set here. cache.py says where compiled kernels are kept.

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
from .cache import BOUNDSCHECK, KernelLocator, lock_saves

JIT = os.environ.get("TRADEWINDS_JIT", "1") != "0" and os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")

F = TypeVar("F", bound=Callable[..., Any])


def _compile_options() -> dict[str, Any]:
    """The options of numba's jit.

    `_nrt=False` turns off reference counting, which costs as much as the rules themselves. A kernel that allocates then fails to compile,
    so nothing allocates in the loop.
    """
    # A C callback wrapper would be an unused second copy of every kernel.
    options = {"cache": True, "nogil": True, "boundscheck": BOUNDSCHECK, "no_cfunc_wrapper": True}
    try:
        jit = cast(Any, numba.njit)
        jit(_nrt=False)(lambda: None)
    except (KeyError, TypeError):  # an undocumented option; without it everything works, more slowly
        return options
    return {**options, "_nrt": False}


OPTIONS = _compile_options()
LOCATOR = f"{KernelLocator.__module__}.{KernelLocator.__qualname__}"


def kernel(function: F) -> F:
    """Decorator: compile a function, or return it unchanged when the JIT is off."""
    return _compiled(function)


def inlined(function: F) -> F:
    """Decorator: a kernel that is inlined into its callers and not compiled separately.

    For kernels that take all buffers, since passing them costs a fifth of a step, and for those with few callers, since the rules are
    compiled once more for each separate kernel that leads to them.
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


def _atomic(operation: str) -> Any:
    """An operation on one cell of an int64 array, sequentially consistent among threads. Its result is what the cell held before."""

    @intrinsic
    def atomic(typing: Any, cells: Any, place: Any, value: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, given[0])
            cell = builder.gep(array.data, [given[1]])
            if operation == "load":
                return builder.load_atomic(cell, "seq_cst", 8)
            return builder.atomic_rmw(operation, cell, given[2], "seq_cst")

        return numba.int64(cells, numba.int64, numba.int64), build

    return atomic


_LOAD, _EXCHANGE, _ADD = _atomic("load"), _atomic("xchg"), _atomic("add")


@kernel
def atomic_read(cells, place):
    """Read a cell. All that its writer wrote before is then visible too."""
    return _LOAD(cells, place, 0) if JIT else cells[place]


@kernel
def atomic_write(cells, place, value):
    """Write a cell."""
    if JIT:
        _EXCHANGE(cells, place, value)
    else:
        cells[place] = value


@kernel
def atomic_add(cells, place, amount):
    """Add to a cell. Returns what it held before."""
    if JIT:
        return _ADD(cells, place, amount)
    before = int(cells[place])
    cells[place] += amount
    return before


def let_wrap(module: str) -> None:
    """Silence overflow warnings of plain Python in this module, whose integers wrap around on purpose."""
    if not JIT:
        warnings.filterwarnings("ignore", "overflow encountered in scalar", RuntimeWarning, re.escape(module))


def records(states: np.ndarray) -> np.ndarray:
    """Return the array as kernels take it: compiled ones read fields natively, plain Python needs a recarray."""
    return states if JIT else states.view(np.recarray)


def compile_for(function: Callable[..., Any], arguments: tuple[Any, ...]) -> bool:
    """Compile a kernel for the types of these arguments without calling it.

    Returns:
        Whether it was compiled now; False if it came from the cache, or if kernels run as plain Python.
    """
    if not JIT:
        return False
    compiled = cast(Any, function)
    compiled.compile(tuple(numba.typeof(value) for value in arguments))
    return sum(compiled.stats.cache_misses.values()) > 0


def is_cold(module: str) -> bool:
    """Whether the kernels of a module must still be compiled."""
    return JIT and cache.is_cold(module)


@contextlib.contextmanager
def compiling(module: str, title: str) -> Iterator[None]:
    """Around the first use of a module's kernels: see `cache.compiling`."""
    with cache.compiling(module, title) if JIT else contextlib.nullcontext():
        yield
