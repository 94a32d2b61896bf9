"""The one door to numba: every compile option and the cache folder live here.

Environment variables, read once at import:

- ``TRADEWINDS_JIT=0`` runs every kernel as plain Python, for debugging and coverage;
- ``TRADEWINDS_BOUNDSCHECK=1`` compiles kernels that raise on an index out of range;
- ``TRADEWINDS_CACHE=FOLDER`` keeps compiled kernels there instead of in the user's cache folder.
"""

import contextlib
import functools
import hashlib
import os
import re
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

import numba
import numpy as np
from filelock import FileLock
from numba.core import config as numba_config
from numba.extending import intrinsic

JIT = os.environ.get("TRADEWINDS_JIT", "1") != "0" and os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")
BOUNDSCHECK = os.environ.get("TRADEWINDS_BOUNDSCHECK", "0") == "1"
KEPT_CACHES = 4  # compiled versions of a layer kept on disk, newest first

SOURCES = Path(__file__).resolve().parents[2]
PACKAGE = __name__.split(".")[0]
GAMES = sorted(folder.name for folder in (SOURCES / "envs").iterdir() if (folder / "state.py").exists())

F = TypeVar("F", bound=Callable[..., Any])


class Layer(NamedTuple):
    """Kernels that depend on the same sources, and so share a cache folder: an edit of one game leaves the others compiled."""

    top: str  # envs, agents, or "" for kernels of somebody else, which may use anything
    game: str  # or "" for what all games share

    @property
    def label(self) -> str:
        return "-".join(filter(None, (self.top or "other", self.game)))


def layer_of(module: str) -> Layer:
    """The layer of a module by its name: a game's own folder, or a template loaded as `..._of_<game>`."""
    package, _, rest = module.partition(".")
    parts = rest.split(".")
    if package != PACKAGE or parts[0] not in ("envs", "agents"):
        return Layer("", "")
    game = next((name for name in GAMES if any(part == name or part.endswith(f"_of_{name}") for part in parts)), "")
    return Layer(parts[0], game)


def _sources(layer: Layer) -> list[Path]:
    """Every source file that a kernel of the layer may depend on, in a fixed order."""
    tops = ("envs",) if layer.top == "envs" else ("envs", "agents")
    files = sorted(path for top in tops for path in (SOURCES / top).rglob("*.py"))
    if not layer.top:
        return files
    others = {*GAMES, "neural"} - {layer.game}  # networks have no kernels
    return [path for path in files if others.isdisjoint(path.relative_to(SOURCES).parts)]


def _fingerprint(layer: Layer) -> str:
    """numba watches only a kernel's own file, so the folder is keyed by all of them together."""
    digest = hashlib.sha256(f"boundscheck={BOUNDSCHECK}".encode())
    for path in _sources(layer):
        digest.update(path.relative_to(SOURCES).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _user_cache() -> Path:
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA", "~/AppData/Local")
    elif sys.platform == "darwin":
        base = "~/Library/Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser() / "tradewinds"


@functools.cache
def cache_folder(layer: Layer) -> Path:
    chosen = os.environ.get("TRADEWINDS_CACHE")
    parents = [Path(chosen)] if chosen else [_user_cache()]
    parents.append(Path(tempfile.gettempdir()) / "tradewinds")
    for parent in parents:
        folder = parent / layer.label / f"kernels-{_fingerprint(layer)}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
        except OSError:
            continue
        return folder
    raise OSError(f"no folder for compiled kernels can be written; set TRADEWINDS_CACHE (tried {parents})")


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
    before = settings.CACHE_DIR
    settings.CACHE_DIR = str(cache_folder(layer_of(function.__module__)))  # read when the decorator runs; other users of numba keep theirs
    try:
        return cast(F, numba.njit(**OPTIONS, **more)(function))
    finally:
        settings.CACHE_DIR = before


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
    return JIT and not _mark(module).exists()


def _mark(module: str) -> Path:
    return cache_folder(layer_of(module)) / f"{module.rpartition('.')[2]}.compiled"


@contextlib.contextmanager
def compiling(module: str, title: str) -> Iterator[None]:
    """Around the first use of a module's kernels: say once that they are being compiled, and mark it done.

    numba writes its cache without a lock, so one process compiles and the others wait for it.
    """
    if not is_cold(module):
        yield
        return
    mark = _mark(module)
    with FileLock(mark.parents[2] / "compiling.lock"):
        if mark.exists():
            yield
            return
        print(f"tradewinds: compiling {title}; this happens once and takes up to a minute ...", file=sys.stderr, flush=True)
        began = time.perf_counter()
        yield
        mark.touch()
        print(f"tradewinds: compiled {title} in {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
    _forget_old_caches(mark.parent)


def _forget_old_caches(current: Path) -> None:
    """Every edit of a source makes a new folder; keep only the newest few."""

    def age(folder: Path) -> float:
        try:
            return folder.stat().st_mtime
        except OSError:
            return 0.0

    others = sorted((f for f in current.parent.glob("kernels-*") if f != current), key=age, reverse=True)
    for folder in others[KEPT_CACHES - 1 :]:
        shutil.rmtree(folder, ignore_errors=True)
