"""Checkpoints of a trainer: the averaged network, ready to play (net.*), and everything needed for an exact resume (state.*)."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.numpy import load, save
from torch import Tensor

from tradewinds.agents.base import shorten
from tradewinds.agents.neural.checkpoint import MOST_TENSORS, NetError, checksum, load_net, write_net
from tradewinds.agents.neural.network import Network
from tradewinds.envs.core.io.atomic import write_file, write_folder, write_json
from tradewinds.envs.core.io.parse import is_integer, parse_json, read_bytes

from .opponents import LEARNER
from .ppo import COUNTERS, TEACHER, Trainer

TENSORS, FACTS = "state.safetensors", "state.json"
MOST_STATE = 64 * MOST_TENSORS  # bytes of state.safetensors: weights, averages, past versions and games
MOST_STEPS = 2**53  # a counter; TensorBoard's are int64, and floats are exact up to here
# What numpy, torch and safetensors raise for values that are not those of a trainer.
DAMAGE = (ValueError, KeyError, TypeError, IndexError, AttributeError, RuntimeError, ArithmeticError, MemoryError, SafetensorError)


class Snapshot(NamedTuple):
    """The state of a trainer between two iterations, copied."""

    facts: dict[str, Any]  # counters and the random generator
    arrays: dict[str, np.ndarray]
    average: dict[str, Tensor]

    @property
    def iteration(self) -> int:
        """The number of the last finished iteration."""
        return self.facts["iteration"]


def take_snapshot(trainer: Trainer) -> Snapshot:
    """Copy everything that training changes. An interrupted iteration is undone by saving the snapshot before it."""
    facts = {**{name: getattr(trainer, name) for name in COUNTERS}, "random": trainer.random.bit_generator.state}
    return Snapshot(facts, _arrays(trainer), {name: tensor.clone() for name, tensor in trainer.average.state_dict().items()})


def save_checkpoint(folder: Path, trainer: Trainer, snapshot: Snapshot, notes: dict[str, Any]) -> None:
    """Write a checkpoint atomically: the folder is complete or absent."""
    average = Network(trainer.net.shape)
    average.load_state_dict(snapshot.average)
    counters = {name: snapshot.facts[name] for name in COUNTERS}

    def write(unfinished: Path) -> None:
        write_net(unfinished, average, trainer.variant, {**notes, **counters}, trainer.spec)
        tensors = save(snapshot.arrays)
        facts = {**snapshot.facts, "notes": notes, "sha256": checksum(tensors)}
        write_file(unfinished / TENSORS, tensors)
        write_json(unfinished / FACTS, facts)

    write_folder(folder, write)


def load_checkpoint(folder: Path, trainer: Trainer) -> dict[str, Any]:
    """Restore a trainer of the same config.

    Returns:
        The notes that `save_checkpoint` was given.

    Raises:
        NetError: The checkpoint is damaged; the trainer is unchanged.
    """
    average, _ = load_net(folder, trainer.variant)
    before = take_snapshot(trainer)
    try:
        facts = parse_json(read_bytes(folder / FACTS, str(folder / FACTS)), str(folder / FACTS))
        data = read_bytes(folder / TENSORS, str(folder / TENSORS), MOST_STATE)
        if checksum(data) != facts["sha256"]:
            raise NetError(f"{folder / TENSORS} is damaged: its checksum is not the one in {FACTS}")
        if not all(is_integer(facts[name], 0, MOST_STEPS) for name in COUNTERS) or not isinstance(facts["notes"], dict):
            raise ValueError("not the facts of a checkpoint")
        arrays = load(data)
        _check_seats(trainer, facts["bc_steps"], arrays["seat_assignments"])
        _check_shapes(trainer, arrays)
        _put(trainer, Snapshot(facts, arrays, average.state_dict()))
    except OSError as error:
        raise NetError(f"{folder} cannot be read: {error.strerror}") from None
    except NetError:
        raise
    except DAMAGE as error:
        _put(trainer, before)
        reason = shorten(f"{type(error).__name__}: {error}")
        raise NetError(f"{folder} is damaged: it does not describe a checkpoint of this run ({reason})") from None
    return facts["notes"]


def _put(trainer: Trainer, snapshot: Snapshot) -> None:
    trainer.average.load_state_dict(snapshot.average)
    _put_arrays(trainer, snapshot.arrays)
    for name in COUNTERS:
        setattr(trainer, name, snapshot.facts[name])
    trainer.random.bit_generator.state = snapshot.facts["random"]


def _arrays(trainer: Trainer) -> dict[str, np.ndarray]:
    arrays: dict[str, np.ndarray] = {"seat_assignments": trainer.seat_assignments}
    for name, array in trainer.batch.state_dict().items():
        # safetensors has no structured dtypes, so the bytes of records are stored.
        arrays[f"batch/{name}"] = array if array.dtype.names is None else array.view(np.uint8).reshape(len(array), -1)
    arrays |= {f"net/{name}": tensor.numpy() for name, tensor in trainer.net.state_dict().items()}
    for number, kept in trainer.optimizer.state_dict()["state"].items():
        arrays |= {f"optimizer/{number}/{name}": tensor.numpy() for name, tensor in kept.items()}
    for number, past in enumerate(trainer.past):
        arrays |= {f"past/{number}/{name}": tensor.numpy() for name, tensor in past.items()}
    return {name: np.array(array, order="C") for name, array in arrays.items()}


def _put_arrays(trainer: Trainer, arrays: dict[str, np.ndarray]) -> None:
    trainer.seat_assignments[:] = arrays["seat_assignments"]
    batch = _under(arrays, "batch")
    record = trainer.variant.game.fields.dtype
    trainer.batch.load_state_dict({**batch, "states": batch["states"].reshape(-1).view(record)})
    trainer.net.load_state_dict(_tensors(_under(arrays, "net")))
    optimizer = trainer.optimizer.state_dict()
    kept = _under(arrays, "optimizer")
    numbers = sorted({int(name.partition("/")[0]) for name in kept})
    optimizer["state"] = {number: _tensors(_under(kept, str(number))) for number in numbers}
    trainer.optimizer.load_state_dict(optimizer)
    past = _under(arrays, "past")
    trainer.past = [_tensors(_under(past, str(number))) for number in range(len({name.partition("/")[0] for name in past}))]


def _check_seats(trainer: Trainer, bc_steps: int, seats: np.ndarray) -> None:
    """Every seat must have a player that acts: the teacher while it is cloned, then the learner with one opponent at most."""
    own = trainer.seat_assignments
    if seats.shape != own.shape or seats.dtype != own.dtype:
        raise ValueError("seat assignments of another batch")
    if bc_steps < trainer.config.bc.total_timesteps:
        is_possible = bool((seats == TEACHER).all())
    else:
        opponents = np.where(seats == LEARNER, seats.max(axis=1, keepdims=True), seats)
        is_possible = bool(
            (seats == LEARNER).any(axis=1).all()
            and (opponents == opponents[:, :1]).all()
            and (seats >= LEARNER).all()
            and (seats <= trainer.past_place).all()
        )
    if not is_possible:
        raise ValueError("seat assignments of another run")


def _check_shapes(trainer: Trainer, arrays: dict[str, np.ndarray]) -> None:
    """Weights, those of past versions, and the optimizer's averages must be those of the trainer's network."""
    shapes = {name: tuple(tensor.shape) for name, tensor in trainer.net.state_dict().items()}
    past, kept = _under(arrays, "past"), _under(arrays, "optimizer")
    versions = {name.partition("/")[0] for name in past}
    if len(versions) > trainer.config.opponent_pool.past_keep:
        raise ValueError("more past versions than the run keeps")
    if any(_shapes(_under(past, str(number))) != shapes for number in range(len(versions))):
        raise ValueError("past versions of another network")
    if _shapes(_under(arrays, "net")) != shapes:
        raise ValueError("the weights of another network")
    parameters = list(trainer.net.parameters())
    for number in {name.partition("/")[0] for name in kept}:  # a parameter that was not trained yet has no averages
        shape = tuple(parameters[int(number)].shape)
        if _shapes(_under(kept, number)) != {"step": (), "exp_avg": shape, "exp_avg_sq": shape}:
            raise ValueError("the optimizer of another network")


def _shapes(arrays: dict[str, np.ndarray]) -> dict[str, tuple[int, ...]]:
    if any(array.dtype != np.float32 for array in arrays.values()):
        raise ValueError("weights are float32")
    return {name: array.shape for name, array in arrays.items()}


def _under(arrays: dict[str, np.ndarray], place: str) -> dict[str, np.ndarray]:
    return {name.removeprefix(f"{place}/"): array for name, array in arrays.items() if name.startswith(f"{place}/")}


def _tensors(arrays: dict[str, np.ndarray]) -> dict[str, torch.Tensor]:
    return {name: torch.from_numpy(array.copy()) for name, array in arrays.items()}
