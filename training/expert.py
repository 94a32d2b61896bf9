"""Expert iteration: games of a search with the current network teach the next one (Anthony, Tian, Barber 2017; AlphaZero).

    generation-001/teacher/         shards of the teacher's games
    generation-001/net/             the student
    generation-001/*-match/         the games of the student against the current network, as `evaluate` keeps them
    generation-001/result.json      what was learned, the matches, and whether the student was kept
    best/00000000/  best/00000001/  the first network, and every student that was kept; net:RUN plays the last

A run that is killed continues where it was: no shard and no match is played twice.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from tradewinds.agents.neural.checkpoint import load_net, save_net
from tradewinds.agents.neural.network import Choices, Network
from tradewinds.envs.core.api.processes import available_cores
from tradewinds.envs.core.io.atomic import write_json
from tradewinds.envs.core.io.parse import parse_json, read_bytes

from .config import Config, ExpertConfig
from .evaluation.evaluate import Evaluation, evaluate
from .networks import shape_of, spec_of, start_of
from .ppo import between
from .run_dir import Run, RunError
from .teacher import Lessons, join, load_shard, play_lessons
from .train import InterruptedRunError, Reporter, unwritten

RESULT = {"generation", "kept", "teacher", "losses"}  # keys of result.json, besides the matches
SHARDS_AT_ONCE = 128  # in memory while the student learns
MATCH_SEED = 1000  # and the generation: not those of the curve, the final table and the cards, on whose deals no network may be chosen
HELD_OUT = 16  # one shard of so many is not learned from


def train_expert(run: Run, report: Reporter | None = None, workers: int | None = None, ray: str | None = None) -> list[dict[str, Any]]:
    """Run all generations of a config that are not finished yet.

    Args:
        run: The run.
        report: Where progress goes.
        workers: Worker processes for games; by default one per core, or all CPUs of the cluster. 0 plays in this process.
        ray: The address of a Ray cluster that plays the games.

    Returns:
        The contents of result.json of each generation.

    Raises:
        InterruptedRunError: After Ctrl-C.
        RunError: Something could not be written or read.
    """
    report = report or Reporter()
    try:
        _first_network(run)
        return [_generation(run, number, report, workers, ray) for number in range(1, run.config.expert.generations + 1)]
    except KeyboardInterrupt:
        raise InterruptedRunError(run.folder) from None
    except ValueError as error:  # a damaged file, or results of other sources
        raise RunError(f"{run.folder}: {error}") from None
    except OSError as error:
        raise unwritten(error, run.folder) from None


def _first_network(run: Run) -> None:
    config = run.config
    if _best(run, 0).exists():
        return
    torch.manual_seed(config.seed)
    net = Network(shape_of(config))
    if config.network.start is not None:
        net.load_state_dict(start_of(config))
    save_net(_best(run, 0), net, config.variant(), {"generation": 0}, spec_of(config))


def _best(run: Run, number: int) -> Path:
    return run.folder / "best" / f"{number:08d}"


def _seed_of(config: Config, number: int) -> int:
    """The seed of a generation: 64 bits, whatever the run's seed is."""
    return ((config.seed << 16) + number) % 2**64


def _generation(run: Run, number: int, report: Reporter, workers: int | None, ray: str | None) -> dict[str, Any]:
    config, expert, variant = run.config, run.config.expert, run.config.variant()
    folder = run.folder / f"generation-{number:03d}"
    if (folder / "result.json").is_file():
        result = parse_json(read_bytes(folder / "result.json", "result.json"), str(folder / "result.json"))
        if not isinstance(result, dict) or not result.keys() >= RESULT:
            raise ValueError(f"{folder / 'result.json'} is damaged: delete it, and --resume plays the generation again")
        return result
    current = max(path for path in (run.folder / "best").iterdir() if path.name.isdecimal() and int(path.name) < number)
    is_untrained = int(current.name) == 0 and config.network.start is None
    teacher = expert.teacher
    if is_untrained:  # its values are worth nothing yet: rollouts go to the end
        teacher = re.sub(":horizon=[^:]*", "", teacher) + ":horizon=0"
    teacher = with_net(teacher, current)
    report.stage(f"generation {number}: teacher", expert.games)
    play_lessons(
        folder / "teacher",
        variant,
        teacher,
        spec_of(config),
        expert.games,
        _seed_of(config, number),
        expert.sampled_moves,
        expert.random_move_prob,
        expert.search_value_coef,
        workers,
        ray,
        report.progress,
        report.note,
    )
    losses = _learn(run, number, current, folder / "net", report)
    report.stage(f"generation {number}: student against its predecessor", expert.match_games + expert.search_match_games)
    settings: dict[str, Any] = {"workers": workers, "ray": ray, "on_progress": report.progress, "on_note": report.note, **config.options}
    matches = {
        "policy": evaluate(
            config.game,
            f"net:{folder / 'net'}",
            f"net:{current}",
            games=expert.match_games,
            seed=MATCH_SEED + number,
            folder=folder / "policy-match",
            **settings,
        )
    }
    if expert.search_match_games:
        # Networks of one shape cost the same, so equal simulations take equal time; the measured times are kept in the result.
        student, other = (with_net(expert.search_match, net) for net in (folder / "net", current))
        matches["search"] = evaluate(
            config.game,
            student,
            other,
            games=expert.search_match_games,
            seed=MATCH_SEED + number,
            folder=folder / "search-match",
            **settings,
        )
    kept = is_kept(matches, variant.players)
    if kept and not _best(run, number).exists():
        student_net, _ = load_net(folder / "net", variant)
        notes = {"generation": number, "games": number * expert.games}
        save_net(_best(run, number), student_net, variant, notes, spec_of(config))
    result = {"generation": number, "kept": kept, "teacher": teacher, "losses": losses}
    result |= {name: _figures(match) for name, match in matches.items()}
    write_json(folder / "result.json", result)
    policy = matches["policy"]
    report.note(
        f"generation {number} {'is kept' if kept else 'is not kept'}: its policy wins {policy.win_rate:.1%} "
        f"({policy.ci95[0]:.1%} to {policy.ci95[1]:.1%}) against its predecessor; {1 / variant.players:.1%} is even"
    )
    return result


def is_kept(matches: dict[str, Evaluation], players: int) -> bool:
    """Whether a student replaces its predecessor.

    The 95% interval of its policy's win rate against a table of the predecessor must lie above the fair share, and that of the search with
    it, if it was played, must not lie below.
    """
    fair = 1 / players
    return matches["policy"].ci95[0] > fair and all(match.ci95[1] >= fair for match in matches.values())


def with_net(code: str, net: Path) -> str:
    """The code of a search with a network."""
    return f"{code}:net={net}"


def _figures(match: Evaluation) -> dict[str, Any]:
    seconds = [agent.decision_seconds["mean"] for agent in match.agents]
    return {
        "agent": match.agent,
        "opponent": match.opponents[0],
        "games": match.games,
        "win_rate": match.win_rate,
        "ci95": list(match.ci95),
        "mean_margin": match.mean_margin,
        "decision_seconds": seconds,
    }


# ---- the student -----------------------------------------------------------------------------------------------------------------------


def _learn(run: Run, number: int, current: Path, target: Path, report: Reporter) -> dict[str, Any]:
    """Train the student from the current network's weights, and save it. Returns the losses of both on games that it did not learn from."""
    config, expert = run.config, run.config.expert
    shards = [
        path
        for earlier in range(max(1, number - expert.window + 1), number + 1)
        for path in sorted((run.folder / f"generation-{earlier:03d}" / "teacher").glob("[0-9]*.npz"))
    ]
    held_out = shards[::HELD_OUT] if len(shards) > 1 else shards
    learned = [path for path in shards if path not in held_out] or shards
    variant = config.variant()
    before, _ = load_net(current, variant)
    if target.exists():
        return load_net(target, variant)[1]["notes"]["losses"]
    torch.manual_seed(_seed_of(config, number))
    torch.set_num_threads(config.threads or len(available_cores()))
    student, _ = load_net(current, variant)
    student.requires_grad_(True).train()
    report.stage(f"generation {number}: student", expert.update_epochs * len(learned))
    for done in _epochs(student, learned, config, np.random.default_rng([config.seed, number])):
        report.progress(done)
    test = join(load_shard(path) for path in held_out[:SHARDS_AT_ONCE])
    student.eval()
    losses = {name: _losses(net, test, expert.visit_temperature) for name, net in (("before", before), ("after", student))}
    save_net(target, student, variant, {"generation": number, "losses": losses}, spec_of(config))
    return losses


def _epochs(net: Network, shards: list[Path], config: Config, random: np.random.Generator) -> Iterator[int]:
    """Adam on the lessons of all shards, some shards at a time. Yields the number of shards learned from so far."""
    expert: ExpertConfig = config.expert
    optimizer = torch.optim.Adam(net.parameters(), expert.learning_rate, eps=1e-5)
    done, total = 0, expert.update_epochs * len(shards)
    for _ in range(expert.update_epochs):
        order = random.permutation(len(shards))
        for group in np.array_split(order, -(-len(order) // SHARDS_AT_ONCE)):
            lessons = join(load_shard(shards[i]) for i in group)
            rows = random.permutation(lessons.size)
            parts = np.array_split(rows, -(-len(rows) // expert.minibatch_size))
            for place, part in enumerate(parts):
                progress = (done + len(group) * place / len(parts)) / total
                for settings in optimizer.param_groups:
                    settings["lr"] = between(expert.learning_rate, expert.learning_rate_end, progress)
                policy_loss, value_loss, _ = losses_of(net, lessons, part, expert.visit_temperature)
                optimizer.zero_grad()
                (policy_loss + expert.vf_coef * value_loss).backward()
                torch.nn.utils.clip_grad_norm_(net.parameters(), config.ppo.max_grad_norm)
                optimizer.step()
            done += len(group)
            yield done


def losses_of(
    net: Network, lessons: Lessons, rows: np.ndarray, temperature: float = 1.0
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Cross-entropy to the teacher's visits at a temperature, squared error of the values, and how often both prefer the same action."""
    choices = Choices(torch.from_numpy(lessons.actions[rows]), torch.from_numpy(lessons.logits[rows]))
    logits, values = net(torch.from_numpy(lessons.observations[rows]), choices)
    policies = torch.from_numpy(lessons.policies[rows]) ** (1 / temperature)
    policies = policies / policies.sum(dim=1, keepdim=True)
    value_loss = functional.mse_loss(values, torch.from_numpy(lessons.values[rows]))
    agreement = (logits.argmax(dim=1) == policies.argmax(dim=1)).float().mean()
    return functional.cross_entropy(logits, policies), value_loss, agreement


def _losses(net: Network, lessons: Lessons, temperature: float) -> dict[str, float]:
    with torch.inference_mode():
        policy, value, agreement = losses_of(net, lessons, np.arange(lessons.size), temperature)
    return {"policy_loss": policy.item(), "value_loss": value.item(), "agreement": agreement.item()}
