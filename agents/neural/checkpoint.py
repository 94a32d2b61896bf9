"""Networks on disk: writing, finding, checking and reading them. torch is imported only by the functions that build a network.

A network is a folder with its tensors (net.safetensors) and a description of them (net.json). Nothing in it can run code, and nothing in it
is used before it is checked: the description against the variant, and the header of the tensors against the description.

Fields of net.json beyond the variant's own: `network` (the network's shape), `sha256` (of net.safetensors), `notes`, and

- `reads`: "observation" (default), what the variant's environment shows, or "information_state", what a seat with perfect recall knows;
- `encoding`: "compact" (default) or "rich", how that is encoded;
- `policy`: absent, or how inputs and logits build on the scripted bot: `{"base": "scripted", "style": "balanced", "temperature": 0.1,
  "clip": 10, "weights": "0123abcd"}`, the last a checksum of the style's weights. With z = max((rating - best rating) / temperature, -clip)
  over the legal actions, the inputs are the observation followed by exp(z), 0 where an action is not legal, and the logits are z plus the
  policy head. `{"base": "none"}` is the same as no `policy`.

Networks that come with Tradewinds are in agents/pretrained, one folder per variant. Their net.json has one more field, `search`: the
settings of the agent `pretrained`.
"""

import hashlib
import json
import math
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from safetensors import SafetensorError

from tradewinds.envs.core.api.errors import FormatError, OutsideError
from tradewinds.envs.core.io.atomic import write_file, write_folder, write_json
from tradewinds.envs.core.io.parse import read_bytes
from tradewinds.envs.core.spec.game import Variant

from ..scripted.bot import bot_of
from .inputs import PLAIN, READS, PolicySpec, weights_of

if TYPE_CHECKING:
    from .network import Network

FORMAT = 2
READABLE = (1, 2)  # format 1 has neither `reads`, `encoding` nor `policy`: such a network reads the observation and has no base policy
TENSORS, FACTS = "net.safetensors", "net.json"
PRETRAINED = Path(__file__).parents[1] / "pretrained"
NEUTRAL = ("players", "reward", "visibility", "encoding")  # options that are not part of a pretrained network's name
OBSERVATION, INFORMATION_STATE = "observation", "information_state"
SIZES = ("inputs", "actions", "players", "width", "blocks")
VALUES = 2  # per seat: the reward and the margin
MOST_INPUT = 1e7  # the highest number in an observation, money without a limit
MOST_HIDDEN, MOST_OUTPUT = 1e15, 1e6  # float32 squares the first, and outputs stay far from the logit of an illegal action
MOST_TENSORS = 4 << 30  # bytes of a network; width 1024 with 8 blocks takes 70 MB
FLOATS = ("F16", "F32", "F64")  # safetensors' names of the types that a network may have


class NetError(OutsideError):
    """A network that cannot be used. The message says why and what to do."""


# Reading


def find_net(path: Path) -> Path:
    """Resolve a path to the folder of a network.

    Args:
        path: A network's folder, a file in it, or a run: its best network if it kept one, else its last checkpoint.

    Raises:
        NetError: There is no network.
    """
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


def is_net(path: Path) -> bool:
    """Whether a folder holds a network."""
    return (path / FACTS).is_file()


def load_net(path: Path, variant: Variant) -> "tuple[Network, dict[str, Any]]":
    """Build the network of a folder with torch.

    Args:
        path: The network's folder.
        variant: The variant that it will play.

    Returns:
        The network in evaluation mode, and what net.json says.

    Raises:
        NetError: The files are damaged, or the network is for another variant.
    """
    import torch

    from .network import Network, Shape

    tensors, facts = read_tensors(path, variant)
    net = Network(Shape(**facts["network"]))
    net.load_state_dict({name: torch.from_numpy(array) for name, array in tensors.items()})
    return net.eval(), facts


def read_tensors(path: Path, variant: Variant) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """Read a network's tensors by name, float32, and what net.json says.

    Raises:
        NetError: The files are damaged, or the network is for another variant.
    """
    from safetensors.numpy import load

    facts = read_facts(path)
    check_fits(path, facts, variant)
    data = read(path / TENSORS)
    if checksum(data) != facts["sha256"]:
        raise NetError(f"{path / TENSORS} is damaged: its checksum is not the one in {FACTS}; use another checkpoint or train again")
    _check_header(path, data, facts, variant)
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            tensors = {name: array.astype(np.float32) for name, array in load(data).items()}
    except (SafetensorError, ValueError):
        raise _other_tensors(path) from None
    _check_range(path, tensors, facts["network"]["blocks"])
    return tensors, facts


def read_facts(path: Path) -> dict[str, Any]:
    """Read net.json and check the types of what it says."""
    try:
        facts = json.loads(read(path / FACTS).decode())
    except (ValueError, RecursionError):
        raise _damaged(path) from None
    if not isinstance(facts, dict):
        raise _damaged(path)
    if facts.get("format") not in READABLE:
        readable = " and ".join(map(str, READABLE))
        raise NetError(f"{path} has format {facts.get('format')!r}, and this version of Tradewinds reads formats {readable}; train again")
    facts = {"reads": OBSERVATION, "encoding": "compact", "policy": {"base": "none"}, **facts}
    kinds = {"game": str, "version": int, "options": dict, "observation": str, "network": dict, "sha256": str}
    if not all(isinstance(facts.get(name), kind) for name, kind in kinds.items()):
        raise _damaged(path)
    sizes = facts["network"]
    sizes.setdefault("has_base", False)  # which is older than base policies
    if set(sizes) != {*SIZES, "has_base"} or not all(type(sizes[name]) is int for name in SIZES) or type(sizes["has_base"]) is not bool:
        raise _damaged(path)
    return facts


def policy_spec(path: Path, facts: Mapping[str, Any], variant: Variant) -> PolicySpec:
    """What a network reads and the base policy that its logits are added to.

    Raises:
        NetError: The description is damaged or unknown, or the network was trained on another version of the bot.
    """
    reads, encoding, policy = facts["reads"], facts["encoding"], facts["policy"]
    if reads not in READS:
        raise NetError(f"{path} reads {reads!r}, which this version of Tradewinds does not know; it knows {' and '.join(READS)}")
    if encoding not in variant.game.encodings:
        known = " and ".join(variant.game.encodings)
        raise NetError(f"{path} reads observations in the encoding {encoding!r}, and {variant.game.name} has only {known}; train again")
    if not isinstance(policy, dict) or "base" not in policy:
        raise _damaged(path)
    if policy["base"] not in ("none", "scripted"):
        raise NetError(f"{path} was trained on top of {policy['base']!r}; a base policy is none or scripted")
    if policy["base"] == "none":
        return PolicySpec(reads, encoding=encoding)
    bot, style = bot_of(variant.game), policy.get("style")
    if bot is None:
        raise NetError(f"{path} builds on the scripted bot, and {variant.game.name} has none")
    if not isinstance(style, str) or style not in bot.styles:
        raise NetError(f"{path} builds on the style {style!r}; the styles of {variant.game.name} are {', '.join(bot.styles)}")
    if policy.get("weights") != weights_of(variant.game.name, style):
        raise NetError(f"{path} was trained on top of another version of the bot's style {style!r}; train again")
    numbers = [policy.get(name) for name in ("temperature", "clip")]
    if not all(isinstance(x, (int, float)) and not isinstance(x, bool) and math.isfinite(x) and x > 0 for x in numbers):
        raise _damaged(path)
    return PolicySpec(reads, "scripted", style, *(float(x) for x in numbers), encoding=encoding)  # type: ignore[arg-type]


def describe(variant: Variant, spec: PolicySpec = PLAIN) -> dict[str, Any]:
    """What a network must fit: the game, its version, and the options that change what the network reads or may do.

    Args:
        variant: The variant that the network plays.
        spec: What it reads.
    """
    layout = spec.layout(variant)
    neutral = ("reward", "encoding") if spec.reads == OBSERVATION else ("reward", "encoding", "visibility")
    parts = [(part.name, part.size) for part in layout.parts]
    return {
        "game": variant.game.name,
        "version": variant.game.version,
        "options": {name: value for name, value in variant.options.items() if name not in neutral},
        "reward": variant.options["reward"],
        "observation": f"{layout.size} numbers, parts {zlib.crc32(repr(parts).encode()):08x}",
        "actions": f"{len(variant.game.actions)} actions, names {zlib.crc32(repr(list(variant.game.actions.names)).encode()):08x}",
    }


def check_fits(path: Path, facts: Mapping[str, Any], variant: Variant) -> None:
    """Raise a NetError that says what a network is for, if it is not for this variant.

    Args:
        path: The network's folder, for messages.
        facts: What its net.json says.
        variant: What is to be played.
    """
    if facts["game"] != variant.game.name:
        raise NetError(f"{path} plays {facts['game']}, not {variant.game.name}")
    spec = policy_spec(path, facts, variant)
    wanted = describe(variant, spec)
    ours, theirs = wanted["options"], dict(facts["options"])
    if spec.reads == INFORMATION_STATE:
        theirs.pop("visibility", None)
    if theirs != ours:
        other = [f"{name}={theirs.get(name)!r}" for name in {**ours, **theirs} if ours.get(name) != theirs.get(name)]
        raise NetError(f"{path} was trained with {', '.join(other)}; play it with these options or train one for yours")
    for name in ("version", "observation", "actions"):
        if facts.get(name) != wanted[name]:
            raise NetError(
                f"{path} was trained for another version of {wanted['game']} ({name}: {facts.get(name)}, here {wanted[name]}); train again"
            )


def _check_header(path: Path, data: bytes, facts: Mapping[str, Any], variant: Variant) -> None:
    """Compare the header of the tensors with net.json and the variant, before anything is built from either.

    The header is 8 bytes with its length, then JSON: name -> dtype, shape and place.
    """
    sizes, actions = facts["network"], len(variant.game.actions)
    spec = policy_spec(path, facts, variant)
    if sizes["has_base"] != (spec.base != "none"):
        raise _damaged(path)
    inputs = spec.inputs(variant)
    try:
        header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
        header.pop("__metadata__", None)
        found = {name: (tensor["dtype"] in FLOATS, tuple(tensor["shape"])) for name, tensor in header.items()}
    except (ValueError, RecursionError, AttributeError, KeyError, TypeError):
        raise _other_tensors(path) from None
    # Blocks are counted first: a list of a billion names would take hours.
    if (sizes["inputs"], sizes["actions"], sizes["players"]) != (inputs, actions, variant.players) or len(found) != 8 + 6 * sizes["blocks"]:
        raise _other_tensors(path)
    if found != {name: (True, shape) for name, shape in _shapes(**sizes).items()}:
        raise _other_tensors(path)


def _check_range(path: Path, tensors: Mapping[str, np.ndarray], blocks: int) -> None:
    """Refuse weights with which some input gives a number that is not finite: neither torch nor the compiled search checks for one.

    A layer norm's outputs are at most the square root of its width, so every layer has a bound that its weights determine.
    """
    with np.errstate(invalid="ignore"):
        sizes = {name: np.abs(array).astype(np.float64) for name, array in tensors.items()}
    root = math.sqrt(sizes["norm.bias"].size)

    def normed(name: str) -> np.ndarray:
        return sizes[f"{name}.weight"] * root + sizes[f"{name}.bias"]

    def dense(name: str, inputs: np.ndarray) -> np.ndarray:
        return sizes[f"{name}.weight"] @ inputs + sizes[f"{name}.bias"]

    with np.errstate(all="ignore"):
        hidden = dense("enter", np.full(sizes["enter.weight"].shape[1], MOST_INPUT))
        layers = []
        for block in range(blocks):
            layers += [normed(f"blocks.{block}.norm"), dense(f"blocks.{block}.widen", normed(f"blocks.{block}.norm"))]
            hidden = hidden + dense(f"blocks.{block}.join", layers[-1])
        heads = [dense(head, normed("norm")) for head in ("policy", "value")]
        if not (np.concatenate([hidden, *layers]).max() < MOST_HIDDEN and np.concatenate(heads).max() < MOST_OUTPUT):
            raise NetError(f"{path} has weights that are not finite or far too large; use another checkpoint or train again")


def _shapes(inputs: int, actions: int, players: int, width: int, blocks: int, has_base: bool) -> dict[str, tuple[int, ...]]:
    """The tensors of a network (neural/network.py) and their shapes."""
    layers = {"enter": (width, inputs), "norm": (width,), "policy": (actions, width), "value": (VALUES * players, width)}
    for block in range(blocks):
        layers |= {f"blocks.{block}.norm": (width,), f"blocks.{block}.widen": (width, width), f"blocks.{block}.join": (width, width)}
    return {f"{name}.weight": shape for name, shape in layers.items()} | {f"{name}.bias": shape[:1] for name, shape in layers.items()}


def read(file: Path) -> bytes:
    """A file of a network.

    Raises:
        NetError: It cannot be read.
    """
    try:
        return read_bytes(file, str(file), MOST_TENSORS)
    except OSError as error:
        raise NetError(f"{file} cannot be read: {error.strerror}") from None
    except (FormatError, MemoryError) as error:
        raise NetError(str(error) or f"{file} does not fit the memory") from None


def _damaged(path: Path) -> NetError:
    return NetError(f"{path / FACTS} is damaged: it does not describe a network; use another checkpoint or train again")


def _other_tensors(path: Path) -> NetError:
    return NetError(f"{path} holds the tensors of another network; use another checkpoint or train again")


# Networks for search


def name_of(variant: Variant) -> str:
    """The variant in short: container-4, container-4-investment_bank."""
    switches = [
        o.name for o in variant.game.options if o.name not in NEUTRAL and not o.limits_only and variant.options[o.name] != o.default
    ]
    return "-".join([variant.game.name, str(variant.players), *switches])


def pretrained_names() -> str:
    """The variants that have a pretrained network."""
    return ", ".join(sorted(path.name for path in PRETRAINED.glob("*-*")))


def pretrained_net(variant: Variant) -> Path | None:
    """The folder of the network that comes with Tradewinds for a variant, if there is one.

    A variant that differs from the base game in nothing that a network reads or does, such as a rule about bids, has the base game's.
    """
    path = PRETRAINED / name_of(trained_variant(variant))
    return path if is_net(path) else None


def trained_variant(variant: Variant) -> Variant:
    """The variant that the network for a variant was trained in: the base game's where its observation and actions are the same."""
    base = variant.game.with_options(players=variant.players, visibility="open", reward="win")
    ours, theirs = (describe(known, PolicySpec(INFORMATION_STATE)) for known in (variant, base))
    return base if all(ours[name] == theirs[name] for name in ("observation", "actions")) else open_variant(variant)


def search_code(path: Path) -> str:
    """The settings with which search makes best use of a network that comes with Tradewinds, as in a code: `1000:horizon=50`."""
    code = read_facts(path).get("search")
    if not isinstance(code, str):
        raise _damaged(path)
    return code


def open_variant(variant: Variant) -> Variant:
    """The variant that a network for search is trained in: search evaluates determinizations, in which nothing is hidden."""
    return variant.game.with_options(**{**variant.options, "visibility": "open", "reward": "win"})


def read_for_search(path: Path, variant: Variant) -> tuple[dict[str, np.ndarray], PolicySpec]:
    """Read a network that search can use: its tensors, and the base policy that it builds on.

    Raises:
        NetError: The files are damaged, or the network is for another variant, visibility or reward.
    """
    known = trained_variant(variant) if path.parent == PRETRAINED else open_variant(variant)
    tensors, facts = read_tensors(path, known)
    if facts.get("reward", "win") != "win":
        raise NetError(f"{path} was trained with reward={facts['reward']!r}; search needs a network trained with reward='win'")
    return tensors, policy_spec(path, facts, known)


# Writing


def save_net(
    folder: Path,
    net: "Network",
    variant: Variant,
    notes: Mapping[str, Any] | None = None,
    spec: PolicySpec = PLAIN,
) -> None:
    """Write a network as a new folder, which is complete or absent.

    Args:
        folder: The folder to make.
        net: The network.
        variant: The variant that it plays.
        notes: Anything else to keep with it, as JSON can hold it.
        spec: What the network reads, and its base policy.
    """
    write_folder(folder, lambda unfinished: write_net(unfinished, net, variant, notes, spec))


def write_net(
    folder: Path,
    net: "Network",
    variant: Variant,
    notes: Mapping[str, Any] | None = None,
    spec: PolicySpec = PLAIN,
) -> None:
    """Write the two files of a network into a folder that exists; arguments as for `save_net`."""
    from dataclasses import asdict

    from safetensors.torch import save

    tensors = save({name: tensor.contiguous() for name, tensor in net.state_dict().items()})
    facts = {
        "format": FORMAT,
        **describe(variant, spec),
        **spec.facts(variant.game.name),
        "network": asdict(net.shape),
        "sha256": checksum(tensors),
        "notes": dict(notes or {}),
    }
    write_file(folder / TENSORS, tensors)
    write_json(folder / FACTS, facts)


def checksum(data: bytes) -> str:
    """The SHA-256 of a file's bytes."""
    return hashlib.sha256(data).hexdigest()
