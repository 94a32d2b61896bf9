"""Files of arrays that are damaged: one clear error."""

from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from tradewinds.training import npz
from tradewinds.training.datasets import DecisionTable, load
from tradewinds.training.teacher import Lessons, load_shard, save_shard


def flipped(data: bytes) -> bytes:
    """Some bytes of compressed data changed, which zlib notices before the checksum does."""
    return data[:60] + b"\xff" * 20 + data[80:]


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "cut": lambda data: data[: len(data) // 2],
    "flipped": flipped,
    "no zip": lambda data: b"PK" + data,
    "text": lambda data: b"hello",
    "nested header": lambda data: b"\x93NUMPY\x01\x00\xff\xff" + b"[" * 0xFFFF,
}


def shard(path: Path, **changed: np.ndarray) -> None:
    arrays = {"observations": np.zeros((3, 4), np.float32), "actions": np.zeros((3, 2), np.int16)}
    arrays |= {name: np.zeros((3, 2), np.float32) for name in ("logits", "policies")}
    save_shard(path, Lessons(**{**arrays, "values": np.zeros((3, 2, 2), np.float32), **changed}))


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_file_of_arrays_is_refused(damage: Callable[[bytes], bytes], tmp_path: Path) -> None:
    file = tmp_path / "arrays.npz"
    shard(file)
    assert load_shard(file).actions.shape == (3, 2)
    file.write_bytes(damage(file.read_bytes()))
    with pytest.raises(ValueError, match="is damaged"):
        load_shard(file)
    with pytest.raises(ValueError, match="is no dataset"):
        load(file)


def test_a_dataset_whose_arrays_do_not_fit_together_is_refused(tmp_path: Path) -> None:
    names = [field.name for field in fields(DecisionTable) if field.name != "provenance"]
    arrays = {name: np.zeros(3 if at < 6 else 2) for at, name in enumerate(names)}
    file = tmp_path / "table.npz"
    for change in ({}, {"seats": np.zeros(4)}, {"scores": np.zeros(3)}, {"games": np.array(3)}, {"provenance": np.array("[]")}):
        np.savez(file, **{"provenance": np.array("{}"), **arrays, **change})  # type: ignore[arg-type]
        if change:
            with pytest.raises(ValueError, match="is no dataset"):
                load(file)
        else:
            assert len(load(file)) == 3


@pytest.mark.parametrize(
    "changed", [{"logits": np.zeros((3, 5), np.float32)}, {"values": np.zeros((2, 2, 2), np.float32)}, {"actions": np.full((3, 2), -1)}]
)
def test_a_shard_whose_arrays_do_not_fit_together_is_refused(changed: dict[str, np.ndarray], tmp_path: Path) -> None:
    shard(tmp_path / "shard.npz", **changed)
    with pytest.raises(ValueError, match="is damaged"):
        load_shard(tmp_path / "shard.npz")


def test_a_small_file_that_would_fill_the_memory_is_refused_before_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(npz, "ALWAYS_READ", 1_000_000)
    file = tmp_path / "arrays.npz"
    np.savez_compressed(file, zeros=np.zeros(4_000_000, np.uint8))
    monkeypatch.setattr(np.lib.npyio.NpzFile, "__getitem__", lambda *_: pytest.fail("it was read"))
    with pytest.raises(ValueError, match="MemoryError"):
        npz.read_npz(file)
