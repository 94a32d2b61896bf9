"""A trainer on disk: its network (net.*), and everything else that it needs to go on as if nothing had happened (state.*)."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.numpy import load, save

from tradewinds.agents.neural.checkpoint import NetError, checksum, load_net, write_file, write_folder, write_net

from .ppo import Trainer

TENSORS, FACTS = "state.safetensors", "state.json"
COUNTERS = ("iteration", "imitated", "decisions", "games", "best")


def save_checkpoint(folder: Path, trainer: Trainer, notes: dict[str, Any]) -> None:
    """Write a new folder, which is there in full or not at all."""

    def write(unfinished: Path) -> None:
        write_net(unfinished, trainer.net, trainer.variant, {**notes, **_counters(trainer)})
        tensors = save(_arrays(trainer))
        facts = {**_counters(trainer), "random": trainer.random.bit_generator.state, "notes": notes, "sha256": checksum(tensors)}
        write_file(unfinished / TENSORS, tensors)
        write_file(unfinished / FACTS, (json.dumps(facts, indent=2) + "\n").encode())

    write_folder(folder, write)


def load_checkpoint(folder: Path, trainer: Trainer) -> dict[str, Any]:
    """Put a checkpoint into a trainer of the same config, which is left as it was if the checkpoint is damaged. Returns the notes."""
    net, _ = load_net(folder, trainer.variant)
    try:
        facts = json.loads((folder / FACTS).read_text(encoding="utf-8"))
        data = (folder / TENSORS).read_bytes()
        if checksum(data) != facts["sha256"]:
            raise NetError(f"{folder / TENSORS} is damaged: its checksum is not the one in {FACTS}")
        arrays = load(data)
    except OSError as error:
        raise NetError(f"{folder} cannot be read: {error.strerror}") from None
    except (json.JSONDecodeError, KeyError, TypeError):
        raise NetError(f"{folder / FACTS} is damaged: it does not describe a checkpoint") from None
    trainer.net.load_state_dict(net.state_dict())
    _put_arrays(trainer, arrays)
    for name in COUNTERS:
        setattr(trainer, name, facts[name])
    trainer.random.bit_generator.state = facts["random"]
    return facts["notes"]


def _counters(trainer: Trainer) -> dict[str, Any]:
    return {name: getattr(trainer, name) for name in COUNTERS}


def _arrays(trainer: Trainer) -> dict[str, np.ndarray]:
    arrays: dict[str, np.ndarray] = {"seat_assignments": trainer.seat_assignments}
    for name, array in trainer.batch.state_dict().items():
        # A record is no type that the format knows: its bytes are.
        arrays[f"batch/{name}"] = array if array.dtype.names is None else array.view(np.uint8).reshape(len(array), -1)
    for number, kept in trainer.optimiser.state_dict()["state"].items():
        arrays |= {f"optimiser/{number}/{name}": tensor.numpy() for name, tensor in kept.items()}
    for number, past in enumerate(trainer.past):
        arrays |= {f"past/{number}/{name}": tensor.numpy() for name, tensor in past.items()}
    return {name: np.array(array, order="C") for name, array in arrays.items()}


def _put_arrays(trainer: Trainer, arrays: dict[str, np.ndarray]) -> None:
    trainer.seat_assignments[:] = arrays["seat_assignments"]
    batch = _under(arrays, "batch")
    record = trainer.variant.game.fields.dtype
    trainer.batch.load_state_dict({**batch, "states": batch["states"].reshape(-1).view(record)})
    optimiser = trainer.optimiser.state_dict()
    kept = _under(arrays, "optimiser")
    numbers = sorted({int(name.partition("/")[0]) for name in kept})
    optimiser["state"] = {number: _tensors(_under(kept, str(number))) for number in numbers}
    trainer.optimiser.load_state_dict(optimiser)
    past = _under(arrays, "past")
    trainer.past = [_tensors(_under(past, str(number))) for number in range(len({name.partition("/")[0] for name in past}))]


def _under(arrays: dict[str, np.ndarray], place: str) -> dict[str, np.ndarray]:
    return {name.removeprefix(f"{place}/"): array for name, array in arrays.items() if name.startswith(f"{place}/")}


def _tensors(arrays: dict[str, np.ndarray]) -> dict[str, torch.Tensor]:
    return {name: torch.from_numpy(array.copy()) for name, array in arrays.items()}
