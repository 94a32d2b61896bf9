"""What a network's files say, and whether it fits a game: all that needs no torch. The tensors: neural/files.py and search/nets.py.

A network is a folder with its tensors (net.safetensors) and what they are (net.json). Nothing in it can run code.
"""

import hashlib
import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tradewinds.envs.core.spec.game import Variant

from ..scripted.bot import bot_of
from .inputs import weights_of

FORMAT = 2
READABLE = (1, 2)  # format 1 has no `reads` and no `policy`: such a network reads the observation and has no base policy
TENSORS, FACTS = "net.safetensors", "net.json"


class NetError(ValueError):
    """A network that cannot be used, and what to do about it."""


def read_net(path: Path, variant: Variant) -> tuple[bytes, dict[str, Any]]:
    """The tensors of a folder, not yet parsed, and its facts, or a NetError."""
    facts = read_facts(path)
    check_fits(path, facts, variant)
    try:
        data = (path / TENSORS).read_bytes()
    except OSError as error:
        raise NetError(f"{path / TENSORS} cannot be read: {error.strerror}") from None
    if checksum(data) != facts["sha256"]:
        raise NetError(f"{path / TENSORS} is damaged: its checksum is not the one in {FACTS}; take another checkpoint or train it again")
    return data, facts


def find_net(path: Path) -> Path:
    """The folder of the network that a path means."""
    if path.is_file():
        path = path.parent
    if is_net(path):
        return path
    if not path.exists():
        raise NetError(f"{path} does not exist; a network is a folder that `tradewinds train` wrote, or a run")
    for kind in ("best", "checkpoints"):
        folders = sorted(folder for folder in (path / kind).glob("[0-9]*") if is_net(folder))
        if folders:
            return folders[-1]
    raise NetError(f"{path} holds no network: neither net.json nor a run with checkpoints")


def other_tensors(path: Path) -> NetError:
    return NetError(f"{path} holds the tensors of another network; take another checkpoint or train it again")


def read_facts(path: Path) -> dict[str, Any]:
    try:
        facts = json.loads((path / FACTS).read_text(encoding="utf-8"))
        if facts["format"] not in READABLE:
            readable = " and ".join(map(str, READABLE))
            raise NetError(f"{path} has format {facts['format']}, and this version of Tradewinds reads formats {readable}; train it again")
        if facts["format"] == 1:
            facts |= {"reads": "observation", "policy": {"base": "none"}}
        known = {"game", "version", "options", "observation", "network", "sha256", "reads", "policy"} <= set(facts)
    except OSError as error:
        raise NetError(f"{path / FACTS} cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError) as error:
        if isinstance(error, NetError):
            raise
        known = False
    if not known:
        raise NetError(f"{path / FACTS} is damaged: it does not describe a network; take another checkpoint or train it again")
    return facts


def describe(variant: Variant, reads: str = "observation") -> dict[str, Any]:
    """What a network must fit: the game, its version, and the options that change what a seat sees or may do.

    A network that reads the information state fits any visibility.
    """
    recalls = reads == "information_state"
    layout = variant.state_layout if recalls else variant.layout
    parts = [(part.name, part.size) for part in layout.parts]
    without = ("reward", "visibility") if recalls else ("reward",)
    return {
        "game": variant.game.name,
        "version": variant.game.version,
        "options": {name: value for name, value in variant.options.items() if name not in without},
        "reward": variant.options["reward"],
        "observation": f"{layout.size} numbers, parts {zlib.crc32(repr(parts).encode()):08x}",
        "actions": f"{len(variant.game.actions)} actions, names {zlib.crc32(repr(list(variant.game.actions.names)).encode()):08x}",
    }


def check_fits(path: Path, facts: Mapping[str, Any], variant: Variant) -> None:
    """A NetError that tells what a network is for, if it is not for this variant."""
    wanted = describe(variant, facts["reads"])
    if facts["game"] != wanted["game"]:
        raise NetError(f"{path} plays {facts['game']}, not {wanted['game']}")
    if facts["options"] != wanted["options"]:
        ours, theirs = wanted["options"], facts["options"]
        other = [f"{name}={theirs.get(name)!r}" for name in {**ours, **theirs} if ours.get(name) != theirs.get(name)]
        raise NetError(f"{path} was trained with {', '.join(other)}; play it with these options or train one for yours")
    for name in ("version", "observation", "actions"):
        if facts.get(name) != wanted[name]:
            raise NetError(
                f"{path} was trained for another version of {wanted['game']} ({name}: {facts.get(name)}, here {wanted[name]}); train again"
            )
    policy = facts["policy"]
    if policy["base"] not in ("none", "scripted"):
        raise NetError(f"{path} was trained on top of {policy['base']!r}; a base policy is none or scripted")
    if policy["base"] == "scripted":
        bot = bot_of(variant.game.name)
        if policy["style"] not in bot.styles:
            raise NetError(f"{path} was trained on top of the style {policy['style']!r} of the bot; its styles are {', '.join(bot.styles)}")
        if policy["weights"] != weights_of(variant.game.name, policy["style"]):
            raise NetError(f"{path} was trained on top of another version of the bot's style {policy['style']!r}; train it again")


def is_net(path: Path) -> bool:
    return (path / FACTS).is_file()


def checksum(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
