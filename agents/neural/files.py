"""Networks as files: written whole or not at all, and read into torch."""

import json
import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load, save

from tradewinds.envs.core.spec.game import Variant

from .checkpoint import FACTS, FORMAT, TENSORS, checksum, describe, other_tensors, read_net
from .inputs import PolicySpec
from .network import Network, Shape

PLAIN = PolicySpec()  # reads the observation, no base policy


def save_net(
    folder: Path, net: Network, variant: Variant, notes: Mapping[str, Any] | None = None, spec: PolicySpec = PLAIN
) -> None:  # fmt: skip
    """Write a network as a new folder, which is there in full or not at all."""
    write_folder(folder, lambda unfinished: write_net(unfinished, net, variant, notes, spec))


def write_net(folder: Path, net: Network, variant: Variant, notes: Mapping[str, Any] | None = None, spec: PolicySpec = PLAIN) -> None:
    """The two files of a network, into a folder that exists."""
    tensors = save({name: tensor.contiguous() for name, tensor in net.state_dict().items()})
    facts = {
        "format": FORMAT,
        **describe(variant, spec.reads),
        **spec.facts(variant.game.name),
        "network": asdict(net.shape),
        "sha256": checksum(tensors),
        "notes": dict(notes or {}),
    }
    write_file(folder / TENSORS, tensors)
    write_file(folder / FACTS, (json.dumps(facts, indent=2) + "\n").encode())


def load_net(path: Path, variant: Variant) -> tuple[Network, dict[str, Any]]:
    """The network of a folder and its facts, or a NetError."""
    data, facts = read_net(path, variant)
    net = Network(Shape(**facts["network"]))
    try:
        net.load_state_dict(load(data))
    except (SafetensorError, RuntimeError):
        raise other_tensors(path) from None
    return net.eval(), facts


def write_folder(folder: Path, write: Callable[[Path], None]) -> None:
    """Make a folder that is there in full or not at all: written under another name, forced to the disk, then renamed."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    unfinished = folder.with_name(f".{folder.name}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    try:
        unfinished.mkdir()
        write(unfinished)
        sync_folder(unfinished)
        os.rename(unfinished, folder)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise
    sync_folder(folder.parent)


def write_file(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    if os.name == "nt":  # Windows cannot open a folder
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
