"""What is attacked, one class per format. `attempt` returns REFUSED or ACCEPTED, or raises what should not have been raised."""

import hashlib
import json
import shutil
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import tradewinds.envs as tw
from tradewinds.agents.scripted import Scripted
from tradewinds.envs.core.api.decisions import Decisions
from tradewinds.envs.core.engine.kernel import BOUNDSCHECK, JIT
from tradewinds.envs.core.io.save import MAGIC
from tradewinds.envs.core.io.states import check_states

from . import mutations

REFUSED, ACCEPTED = "refused", "accepted"
MOST_LETTERS = 4_000  # of a message
GAMES = ("santiago_de_cuba", "container", "puerto_rico") if JIT else ("santiago_de_cuba",)
PLAYED = 20 if JIT else 4  # steps with what was accepted
OPTIONS: dict[str, dict[str, Any]] = {"puerto_rico": {"new_buildings": True, "nobles": True}, "container": {"investment_bank": True}}


class ChangedError(Exception):
    """Something was refused, and yet it changed the game."""


class MessageError(Exception):
    """A message that is not one printable line of reasonable length."""


def refused(error: Exception, is_unchanged: bool = True) -> str:
    """The outcome of a try that was refused with this error."""
    if not is_unchanged:
        raise ChangedError from None
    if not str(error) or not str(error).isprintable() or len(str(error)) > MOST_LETTERS:
        raise MessageError(ascii(str(error))[:200]) from None
    return REFUSED


def played(game: str, steps: int, rng: np.random.Generator) -> tw.TableEnv:
    env = tw.make(game, **OPTIONS.get(game, {}))
    env.reset(seed=int(rng.integers(2**32)))
    for _ in range(steps):
        if env.terminations[env.agent_selection] or env.truncations[env.agent_selection]:
            break
        env.step(int(rng.choice(env.legal_actions())))
    return env


class Saves:
    def __init__(self, folder: Path) -> None:
        rng = np.random.default_rng(1)
        self.envs = [played(game, steps, rng) for game in GAMES for steps in ((0, 40, 150) if JIT else (0, 12))]
        self.saves = [env.save() for env in self.envs]
        self.saves += [env.redeal("player_1", 5).save() for env in self.envs]

    def attempt(self, rng: np.random.Generator) -> str:
        at = int(rng.integers(len(self.saves)))
        env = self.envs[at % len(self.envs)]
        data = self._mutated(self.saves[at], env, rng)
        before = env.save()
        try:
            env.load(data)
        except tw.FormatError as error:
            return refused(error, env.save() == before)
        for _ in range(PLAYED):
            if not env.agents or env.terminations[env.agent_selection] or env.truncations[env.agent_selection]:
                break
            env.step(int(rng.choice(env.legal_actions())))
        env.load(before)
        return ACCEPTED

    def _mutated(self, save: bytes, env: tw.TableEnv, rng: np.random.Generator) -> bytes:
        line, _, rest = save[len(MAGIC) : -4].partition(b"\n")
        kind = rng.integers(3)
        if kind == 0:
            line = mutations.of_json(line.decode(), rng).encode()
        elif kind == 1:
            state = np.frombuffer(rest, env.game.fields.dtype, 1).copy()
            mutations.of_records(state, env.game.fields, rng)
            rest = state.tobytes() + rest[state.nbytes :]
        body = MAGIC + line + b"\n" + rest
        if kind == 2:
            body = mutations.of_bytes(body, rng)
        checksum = zlib.crc32(body) if rng.random() < 0.95 else 0
        return body + checksum.to_bytes(4, "little")


class Replays:
    def __init__(self, folder: Path) -> None:
        rng = np.random.default_rng(2)
        self.file = folder / "replay.jsonl"
        self.replays = [
            "\n".join(tw.Replay.of(played(game, steps, rng)).lines()) for game in GAMES for steps in ((400, 30) if JIT else (10,))
        ]

    def attempt(self, rng: np.random.Generator) -> str:
        text = self.replays[int(rng.integers(len(self.replays)))]
        if rng.random() < 0.6:
            lines = text.split("\n")
            at = 0 if rng.random() < 0.3 else int(rng.integers(len(lines)))
            lines[at] = mutations.of_json(lines[at], rng)
            data = "\n".join(lines).encode("utf-8", "surrogatepass")
        else:
            data = mutations.of_bytes(text.encode(), rng)
        self.file.write_bytes(data)
        try:
            tw.load_replay(self.file)
        except tw.FormatError as error:
            return refused(error)
        return ACCEPTED


class States:
    def __init__(self, folder: Path) -> None:
        self.batches: list[tw.Batch] = []
        self.bots: dict[str, Scripted] = {}
        for game in GAMES:
            choices: list[dict[str, Any]] = [{}, OPTIONS.get(game, {}), {"players": 3}]
            for options in choices:
                batch = tw.make_batch(game, 8 if JIT else 2, seed=1, **options)
                for _ in range(3 if JIT else 1):
                    batch.play_random(60 if JIT else 5, np.arange(batch.size, dtype=np.uint64).reshape(-1, 1))
                    self.batches.append(batch.copy())
                if not BOUNDSCHECK:
                    self._bot(batch.variant)

    def attempt(self, rng: np.random.Generator) -> str:
        batch = self.batches[int(rng.integers(len(self.batches)))].copy()
        given, before = batch.state_dict(), batch.states.tobytes()
        name = "states" if rng.random() < 0.9 else str(rng.choice(list(given)))
        if name == "states":
            mutations.of_records(given["states"], batch.variant.game.fields, rng)
        else:
            given[name].reshape(-1).view(np.uint8)[int(rng.integers(given[name].nbytes))] ^= np.uint8(rng.integers(1, 256))
        try:
            batch.load_state_dict(given)
        except tw.FormatError as error:
            return refused(error, batch.states.tobytes() == before)
        streams, actions = rng.integers(2**63, size=(batch.size, 1)).astype(np.uint64), np.zeros(batch.size, np.int64)
        batch.look(np.arange(batch.size)[:, None], np.arange(batch.variant.players))
        if (batch.counts > 0).all():
            decisions = batch.decisions(seeds=streams[:, 0].copy())
            self._redeal(batch, decisions, streams.copy())
            if not BOUNDSCHECK:
                self._bot(batch.variant).act(decisions)
            for _ in range(PLAYED):
                batch.step(batch.sample(streams, actions))
            check_states(batch.variant, batch.states)  # an accepted state leads to lawful ones only
        return ACCEPTED

    def _redeal(self, batch: tw.Batch, decisions: Decisions, streams: np.ndarray) -> None:
        """What `env.redeal` does, for the seats to move."""
        assert len(decisions.information_observations) == batch.size
        dealt = batch.copy()
        dealt._b.states.view(np.ndarray)[...] = decisions.information_states
        batch._loops.redeal_all(dealt._b, batch.seats.copy(), streams)
        check_states(batch.variant.game.with_options(**{**batch.variant.options, "visibility": "open"}), dealt.states)

    def _bot(self, variant: tw.Variant) -> Scripted:
        """The bot of a variant, which is compiled for the first of a game."""
        key = repr(variant)
        if key not in self.bots:
            self.bots[key] = Scripted(variant)
        return self.bots[key]


class Configs:
    def __init__(self, folder: Path) -> None:
        import yaml

        from tradewinds.training.config import CONFIGS

        self.yaml = yaml
        self.file = folder / "config.yaml"
        self.configs = [path.read_text(encoding="utf-8") for path in sorted(CONFIGS.glob("*.yaml"))]

    def attempt(self, rng: np.random.Generator) -> str:
        from tradewinds.training.config import ConfigError, load_config

        text = self.configs[int(rng.integers(len(self.configs)))]
        if rng.random() < 0.6:
            data = self.yaml.safe_dump(json.loads(mutations.of_json(json.dumps(self.yaml.safe_load(text)), rng))).encode()
        else:
            data = mutations.of_bytes(text.encode(), rng)
        if rng.random() < 0.02:
            data = _laughs(int(rng.integers(3, 12)))
        self.file.write_bytes(data)
        try:
            load_config(self.file)
        except ConfigError as error:
            return refused(error)
        return ACCEPTED


def _laughs(levels: int) -> bytes:
    """YAML whose aliases grow nine times with each level."""
    lines = ["a0: &a0 [x, x]"] + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, levels)]
    return "\n".join(lines).encode()


class Networks:
    """What search reads. It plays with an accepted network."""

    def __init__(self, folder: Path) -> None:
        from tradewinds.agents.neural.checkpoint import PRETRAINED

        self.variant = tw.game("santiago_de_cuba").with_options(players=4)
        source = PRETRAINED / "santiago_de_cuba-4"
        self.batch = tw.Batch(self.variant, 2, seed=1)
        self.folder = folder / "net"
        shutil.copytree(source, self.folder)
        self.facts, self.tensors = (self.folder / "net.json").read_text(), (self.folder / "net.safetensors").read_bytes()

    def attempt(self, rng: np.random.Generator) -> str:
        from tradewinds.agents.neural.checkpoint import NetError
        from tradewinds.agents.search import Search

        facts, tensors = self.facts.encode(), self.tensors
        kind = rng.integers(5)
        if kind == 0:
            facts = mutations.of_json(self.facts, rng).encode()
        elif kind == 1:
            facts = mutations.of_bytes(facts, rng)
        else:
            size = int.from_bytes(tensors[:8], "little")
            header = mutations.of_json(tensors[8 : 8 + size].decode(), rng).encode() if kind == 2 else tensors[8 : 8 + size]
            length = len(header) if rng.random() < 0.9 else int(rng.choice([0, 2**31, 2**63, 7]))
            tensors = length.to_bytes(8, "little") + header + tensors[8 + size :]
            if kind == 4:
                tensors = tensors[: 8 + len(header)] + _other_values(tensors[8 + len(header) :], json.loads(header), rng)
            elif kind == 3:
                tensors = mutations.of_bytes(tensors[: size + 200], rng) + tensors[size + 200 :]
            facts = json.dumps({**json.loads(facts), "sha256": hashlib.sha256(tensors).hexdigest()}).encode()
        (self.folder / "net.json").write_bytes(facts)
        (self.folder / "net.safetensors").write_bytes(tensors)
        try:
            agent = Search(self.variant, simulations=4, net=str(self.folder))
        except NetError as error:
            return refused(error)
        self.batch.step(agent.act(self.batch.decisions()))
        return ACCEPTED


def _other_values(body: bytes, header: dict[str, Any], rng: np.random.Generator) -> bytes:
    """The data of tensors with some bytes of one of them changed; its length stays."""
    first, last = header[str(rng.choice([name for name in header if name != "__metadata__"]))]["data_offsets"]
    if last == first:
        return body
    return body[:first] + mutations.of_bytes(body[first:last], rng)[: last - first].ljust(last - first, b"\xff") + body[last:]


class Checkpoints:
    """What `train --resume` reads. An accepted checkpoint is trained on for an iteration."""

    def __init__(self, folder: Path) -> None:
        from tradewinds.training.checkpoints import save_checkpoint, take_snapshot
        from tradewinds.training.config import check_config
        from tradewinds.training.ppo import Trainer

        config = {
            "game": "santiago_de_cuba",
            "options": {"players": 2},
            "threads": 1,
            "network": {"width": 8, "blocks": 1},
            "ppo": {"total_timesteps": 10**6, "num_envs": 4, "num_steps": 8, "minibatch_size": 16},
            "opponent_pool": {"past_prob": 0.5, "past_every": 1, "past_keep": 1},
        }
        self.trainer, self.folder = Trainer(check_config(config, "attack")), folder / "checkpoint"
        self.trainer.iterate()
        self.before = take_snapshot(self.trainer)
        save_checkpoint(self.folder, self.trainer, self.before, {"seconds": 1.0})
        self.files = {path.name: path.read_bytes() for path in self.folder.iterdir()}

    def attempt(self, rng: np.random.Generator) -> str:
        from tradewinds.agents.neural.checkpoint import NetError
        from tradewinds.training.checkpoints import load_checkpoint

        for name, data in self._mutated(rng).items():
            (self.folder / name).write_bytes(data)
        try:
            load_checkpoint(self.folder, self.trainer)
        except NetError as error:
            return refused(error, self._is_as_before())
        self.trainer.iterate()
        self._restore()
        return ACCEPTED

    def _mutated(self, rng: np.random.Generator) -> dict[str, bytes]:
        files, kind = dict(self.files), rng.integers(6)
        stem = "state" if rng.random() < 0.7 else "net"
        facts, tensors = files[f"{stem}.json"], files[f"{stem}.safetensors"]
        size = int.from_bytes(tensors[:8], "little")
        header, body = tensors[8 : 8 + size], tensors[8 + size :]
        if kind == 0:
            facts = mutations.of_json(facts.decode(), rng).encode()
        elif kind == 1:
            facts = mutations.of_bytes(facts, rng)
        elif kind == 2:
            header = mutations.of_json(header.decode(), rng).encode()
        elif kind == 3:
            body = mutations.of_bytes(body, rng)
        else:  # the values of one tensor
            body = _other_values(body, json.loads(header), rng)
        tensors = len(header).to_bytes(8, "little") + header + body
        if kind >= 2:
            facts = json.dumps({**json.loads(facts), "sha256": hashlib.sha256(tensors).hexdigest()}).encode()
        return files | {f"{stem}.json": facts, f"{stem}.safetensors": tensors}

    def _is_as_before(self) -> bool:
        from tradewinds.training.checkpoints import take_snapshot

        now = take_snapshot(self.trainer)
        return now.facts == self.before.facts and all((now.arrays[name] == array).all() for name, array in self.before.arrays.items())

    def _restore(self) -> None:
        from tradewinds.training.checkpoints import load_checkpoint

        for name, data in self.files.items():
            (self.folder / name).write_bytes(data)
        load_checkpoint(self.folder, self.trainer)
        assert self._is_as_before()


class Results:
    def __init__(self, folder: Path) -> None:
        from tradewinds.training.evaluation.evaluate import schedule_evaluation
        from tradewinds.training.evaluation.runner import run_schedule

        self.schedule = schedule_evaluation("santiago_de_cuba", "random", "random", 4, 1, None, {"players": 2})
        self.folder = folder / "results"
        run_schedule(self.schedule, 0, self.folder)
        self.settings = (self.folder / "settings.json").read_bytes()
        self.lines = (self.folder / "results.jsonl").read_bytes()

    def attempt(self, rng: np.random.Generator) -> str:
        from tradewinds.training.evaluation.evaluate import summarize_evaluation
        from tradewinds.training.evaluation.runner import FolderError, run_schedule
        from tradewinds.web.reading import read_folder

        settings, lines = self.settings, self.lines
        kind = rng.integers(4)
        if kind == 0:
            settings = mutations.of_json(settings.decode(), rng).encode()
        elif kind == 1:
            settings = mutations.of_bytes(settings, rng)
        elif kind == 2:
            lines = mutations.of_bytes(lines, rng)
        else:
            text = mutations.of_json(lines.rstrip(b"\n").partition(b" ")[2].decode(), rng).encode()
            lines = f"{zlib.crc32(text):08x} ".encode() + text + b"\n"
        (self.folder / "settings.json").write_bytes(settings)
        (self.folder / "results.jsonl").write_bytes(lines)
        outcome = ACCEPTED
        try:
            found = summarize_evaluation(self.schedule, run_schedule(self.schedule, 0, self.folder))
            json.dumps(found.figures(), allow_nan=False)
        except FolderError as error:
            outcome = refused(error)
        (self.folder / "results.jsonl").write_bytes(lines)  # a last line that was cut off is gone by now
        try:
            summary = read_folder(self.folder).summary
            json.dumps(summary and summary.figures(), allow_nan=False)
        except FolderError as error:
            refused(error)
        return outcome


FORMATS: dict[str, Callable[[Path], Any]] = {
    "saves": Saves,
    "replays": Replays,
    "states": States,
    "configs": Configs,
    "networks": Networks,
    "checkpoints": Checkpoints,
    "results": Results,
}
