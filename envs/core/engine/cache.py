"""The disk cache of compiled kernels.

numba watches only a kernel's own file, so each cache folder is keyed by the contents of every source that its kernels may call. An edit of
one game's rules recompiles that game alone; an edit of a renderer recompiles nothing. Paths are not part of the key, so all checkouts and
virtual environments of one user share the folder.
"""

import contextlib
import functools
import hashlib
import importlib.metadata
import os
import platform
import shutil
import stat
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from filelock import FileLock

BOUNDSCHECK = os.environ.get("TRADEWINDS_BOUNDSCHECK", "0") == "1"
NOTICE_SECONDS = 10.0  # between two notices that a compilation still runs
QUIET = threading.Event()  # suppresses notices, for a command that shows its own progress
COMPILED_HERE: list[str] = []  # what this process has compiled, by title
KEPT = 8  # compiled versions of one set of sources, newest first
SOURCES = Path(__file__).resolve().parents[3]
CORE = SOURCES / "envs" / "core"
PACKAGE = __name__.split(".")[0]
WITHOUT_KERNELS = {"api", "io", "render", "tests", "__pycache__", "check.py"}  # folders and files that no kernel depends on


class Layer(NamedTuple):
    """Kernels that depend on the same sources and share a cache folder."""

    label: str
    roots: frozenset[Path]  # folders or files


_of_template: dict[str, Layer] = {}


def layer_of(module: str) -> Layer:
    """The layer of a module by its name: a game's own folder, its bot's, or a template instance announced by `announce_template`."""
    if module in _of_template:
        return _of_template[module]
    package, *parts = module.split(".")
    if package != PACKAGE:
        return Layer(package, frozenset({CORE, _root_of(package)}))
    if parts[:2] == ["envs", "core"]:
        return Layer("core", frozenset({CORE}))
    if parts[0] == "envs":
        return Layer(parts[1], frozenset({CORE, SOURCES / "envs" / parts[1]}))
    folder = SOURCES.joinpath(*parts[:3])
    if parts[:2] == ["agents", "scripted"] and folder.is_dir():  # a bot lies in a folder named after its game
        return Layer(f"{parts[2]}-bot", frozenset({CORE, SOURCES / "envs" / parts[2], folder}))
    return Layer("-".join(parts), frozenset({CORE, SOURCES.joinpath(*parts).with_suffix(".py")}))


def announce_template(module: str, file: Path, kernels: Iterable[Callable[..., Any]], uses: Iterable[ModuleType] = ()) -> None:
    """Declare what an instance of a template depends on, before its kernels are decorated.

    Args:
        module: The name the instance will have in `sys.modules`.
        file: The template's source.
        kernels: The functions it is given.
        uses: Other modules with kernels that the template imports.
    """
    parts = [layer_of(kernel.__module__) for kernel in kernels] + [layer_of(used.__name__) for used in uses]
    _of_template[module] = Layer(module.rpartition(".")[2], frozenset({CORE, file}.union(*(part.roots for part in parts))))


def _root_of(package: str) -> Path:
    """The folder of a top-level package, or the file of a module that is no package."""
    file = Path(getattr(sys.modules.get(package), "__file__", None) or package).resolve()
    return file.parent if file.name == "__init__.py" else file


@functools.cache
def fingerprint(layer: Layer) -> str:
    """A hash of the sources of a layer."""
    digest = hashlib.sha256(f"boundscheck={BOUNDSCHECK}".encode())
    for root in sorted(layer.roots, key=lambda path: path.parts[-3:]):
        files = sorted(root.rglob("*.py")) if root.is_dir() else [root]
        for path in files:
            inside = path.relative_to(root.parent)
            if WITHOUT_KERNELS.isdisjoint(inside.parts) and path.is_file():
                digest.update(inside.as_posix().encode())
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
    """The folder for kernels of this layer; created if it is not there.

    numba unpickles the files in it, so a folder that another user can write to is never used.

    Raises:
        OSError: There is no such folder.
    """
    chosen = os.environ.get("TRADEWINDS_CACHE")
    parents = [Path(chosen)] if chosen else [_user_cache()]
    parents.append(Path(tempfile.gettempdir()) / f"tradewinds-{os.getuid() if hasattr(os, 'getuid') else 'user'}")
    refused = []
    for parent in parents:
        folder = parent / layer.label / f"kernels-{fingerprint(layer)}"
        try:
            parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            for inner in (parent, folder.parent, folder):
                inner.mkdir(mode=0o700, exist_ok=True)
                check_private(inner)
            tempfile.TemporaryFile(dir=folder).close()
        except OSError as error:
            refused.append(f"{parent}: {error.strerror or error}")
            continue
        return folder
    raise OSError(f"no folder for compiled kernels can be used; set TRADEWINDS_CACHE ({'; '.join(refused)})")


def check_private(folder: Path) -> None:
    """Refuse a folder that another user owns or can write to.

    Raises:
        PermissionError: It is such a folder, or no folder at all.
    """
    if os.name == "nt":  # folders there inherit the access list of the user's profile
        return
    found = folder.lstat() if folder.parent == Path(tempfile.gettempdir()) else folder.stat()  # others can plant a link in a shared folder
    if not stat.S_ISDIR(found.st_mode):
        raise PermissionError(f"{folder} is not a folder")
    if found.st_uid != os.getuid():
        raise PermissionError(f"{folder} belongs to another user")
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise PermissionError(f"other users can write to {folder}: chmod go-w makes it usable")


class KernelLocator:
    """Tells numba where to cache a kernel: `NUMBA_CACHE_LOCATOR_CLASSES` names this class while kernels are decorated."""

    def __init__(self, function: Any, file: str) -> None:
        self._py_file = file  # numba's own name, read in its warnings
        self._line = function.__code__.co_firstlineno
        layer = layer_of(function.__module__)
        self._stamp = fingerprint(layer)
        self._folder = cache_folder(layer) / function.__module__.rpartition(".")[2]

    @classmethod
    def from_function(cls, function: Any, file: str) -> "KernelLocator":
        """Called by numba for each decorated function: the locator with its cache folder created."""
        locator = cls(function, file)
        locator.ensure_cache_path()
        return locator

    def get_cache_path(self) -> str:
        """The folder of the compiled versions of this kernel's module."""
        return str(self._folder)

    def ensure_cache_path(self) -> None:
        """Create the folder, which may have been removed meanwhile, for this user alone."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        check_private(self._folder)

    def get_source_stamp(self) -> str:
        """The hash of all sources that the kernel depends on: another one invalidates the cached code."""
        return self._stamp

    def get_disambiguator(self) -> str:
        """The line of the kernel, which tells functions of the same name in one module apart."""
        return str(self._line)


@functools.cache
def _machine() -> str:
    """What numba keys its files by, besides the sources: its version, Python's, and the processor."""
    from llvmlite import binding

    facts = [importlib.metadata.version("numba"), platform.python_version(), binding.get_host_cpu_name()]
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:8]


def is_cold(module: str) -> bool:
    """Whether the kernels of a module have not been compiled yet on this machine."""
    return not _mark(module).exists()


def _mark(module: str) -> Path:
    return cache_folder(layer_of(module)) / f"{module.rpartition('.')[2]}-{_machine()}.compiled"


@contextlib.contextmanager
def compiling(module: str, title: str) -> Iterator[None]:
    """Wrap the first use of a module's kernels: report that they are being compiled, and mark it done.

    One process compiles while the others wait for it.

    Args:
        module: The template instance whose kernels are about to be compiled.
        title: What to call it in the notice.
    """
    if not is_cold(module):
        yield
        return
    mark = _mark(module)
    with FileLock(mark.parents[1] / "compiling.lock"):
        if mark.exists():
            yield
            return
        with _Notice(title):
            yield
        mark.touch()
    COMPILED_HERE.append(title)
    _remove_old(mark.parent)


class _Notice:
    """Reports on stderr that something is being compiled, and the time so far."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._count, daemon=True)

    def __enter__(self) -> None:
        self._began = time.perf_counter()
        if not QUIET.is_set():
            self._say(f"compiling {self._title}: once, 15 to 120 seconds; `tradewinds compile` does all ahead of time, on all cores")
            self._thread.start()

    def __exit__(self, kind: object, *_: object) -> None:
        if QUIET.is_set():
            return
        self._done.set()
        self._thread.join()
        if kind is None:
            self._say(f"compiled {self._title} in {time.perf_counter() - self._began:.0f} s")

    def _count(self) -> None:
        while not self._done.wait(NOTICE_SECONDS):
            self._say(f"still compiling {self._title}, {time.perf_counter() - self._began:.0f} s")

    @staticmethod
    def _say(text: str) -> None:
        print(f"tradewinds: {text}", file=sys.stderr, flush=True)


def lock_saves(dispatcher: Any) -> None:
    """Make saves to the cache safe when several processes compile the same kernel.

    numba reads and rewrites the index of a kernel's compiled versions without a lock: if two processes do so at the same time for different
    argument types, one may find the other's machine code under its own entry.
    """
    files = dispatcher._cache._cache_file
    save = files.save

    def locked_save(key: Any, data: Any) -> None:
        with FileLock(Path(files._cache_path) / "saving.lock"):
            save(key, data)

    files.save = locked_save


def _remove_old(current: Path) -> None:
    """Every edit of a source makes a new folder; keep only the newest few."""

    def age(folder: Path) -> float:
        try:
            return folder.stat().st_mtime
        except OSError:
            return 0.0

    others = sorted((f for f in current.parent.glob("kernels-*") if f != current), key=age, reverse=True)
    for folder in others[KEPT - 1 :]:
        shutil.rmtree(folder, ignore_errors=True)
