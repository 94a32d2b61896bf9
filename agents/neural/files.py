"""Networks as files: a folder with the tensors (net.safetensors) and what they are (net.json). Nothing in it can run code."""

import hashlib
import json
import os
import shutil
import zlib
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load, save

from tradewinds.envs.core.game import Variant

from .network import Network, Shape

FORMAT = 1
TENSORS, FACTS = "net.safetensors", "net.json"


class NetError(ValueError):
    """A network that cannot be used, and what to do about it."""


def save_net(folder: Path, net: Network, variant: Variant, notes: Mapping[str, Any] | None = None) -> None:
    """Write a network as a new folder, which is there in full or not at all."""
    write_folder(folder, lambda unfinished: write_net(unfinished, net, variant, notes))


def write_net(folder: Path, net: Network, variant: Variant, notes: Mapping[str, Any] | None = None) -> None:
    """The two files of a network, into a folder that exists."""
    tensors = save({name: tensor.contiguous() for name, tensor in net.state_dict().items()})
    facts = {"format": FORMAT, **describe(variant), "network": asdict(net.shape), "sha256": checksum(tensors), "notes": dict(notes or {})}
    write_file(folder / TENSORS, tensors)
    write_file(folder / FACTS, (json.dumps(facts, indent=2) + "\n").encode())


def load_net(path: Path, variant: Variant) -> tuple[Network, dict[str, Any]]:
    """The network of a folder and its facts, or a NetError."""
    facts = read_facts(path)
    check_fits(path, facts, variant)
    try:
        data = (path / TENSORS).read_bytes()
    except OSError as error:
        raise NetError(f"{path / TENSORS} cannot be read: {error.strerror}") from None
    if checksum(data) != facts["sha256"]:
        raise NetError(f"{path / TENSORS} is damaged: its checksum is not the one in {FACTS}; take another checkpoint or train anew")
    net = Network(Shape(**facts["network"]))
    try:
        net.load_state_dict(load(data))
    except (SafetensorError, RuntimeError):
        raise NetError(f"{path} holds the tensors of another network; take another checkpoint or train anew") from None
    return net.eval(), facts


def read_facts(path: Path) -> dict[str, Any]:
    try:
        facts = json.loads((path / FACTS).read_text(encoding="utf-8"))
        if facts["format"] != FORMAT:
            raise NetError(f"{path} has format {facts['format']}, and this version of Tradewinds reads format {FORMAT}; train anew")
        known = {"game", "version", "options", "observation", "network", "sha256"} <= set(facts)
    except OSError as error:
        raise NetError(f"{path / FACTS} cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError) as error:
        if isinstance(error, NetError):
            raise
        known = False
    if not known:
        raise NetError(f"{path / FACTS} is damaged: it does not describe a network; take another checkpoint or train anew")
    return facts


def describe(variant: Variant) -> dict[str, Any]:
    """What a network must fit: the game, its version, and the options that change what a seat sees or may do."""
    parts = [(part.name, part.size) for part in variant.layout.parts]
    return {
        "game": variant.game.name,
        "version": variant.game.version,
        "options": {name: value for name, value in variant.options.items() if name != "reward"},
        "observation": f"{variant.layout.size} numbers, parts {zlib.crc32(repr(parts).encode()):08x}",
        "actions": f"{len(variant.game.actions)} actions, names {zlib.crc32(repr(list(variant.game.actions.names)).encode()):08x}",
    }


def check_fits(path: Path, facts: Mapping[str, Any], variant: Variant) -> None:
    """A NetError that tells what a network is for, if it is not for this variant."""
    wanted = describe(variant)
    if facts["game"] != wanted["game"]:
        raise NetError(f"{path} plays {facts['game']}, not {wanted['game']}")
    if facts["options"] != wanted["options"]:
        ours, theirs = wanted["options"], facts["options"]
        other = [f"{name}={theirs.get(name)!r}" for name in {**ours, **theirs} if ours.get(name) != theirs.get(name)]
        raise NetError(f"{path} was trained with {', '.join(other)}; play it with these options or train one for yours")
    for name in ("version", "observation", "actions"):
        if facts.get(name) != wanted[name]:
            raise NetError(
                f"{path} was trained for another version of {wanted['game']} ({name}: {facts.get(name)}, here {wanted[name]}); train anew"
            )


def is_net(path: Path) -> bool:
    return (path / FACTS).is_file()


def checksum(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


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
