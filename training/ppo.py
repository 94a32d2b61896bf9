"""Self-play PPO with action masks.

An iteration plays some steps in every env, computes advantages and updates the network. At intervals the network is evaluated against
fixed opponents. run_dir.py writes what is kept on disk.

The learner usually holds all seats of a game. In some games opponents (earlier versions of the network, scripted bots) take some of them.
The policy may start as the game's bot (`policy.base`), or the network may clone a teacher first (`bc`).
"""

import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from tradewinds.agents import build
from tradewinds.agents.neural.agent import Net
from tradewinds.agents.neural.inputs import InputReader, Inputs, draw
from tradewinds.agents.neural.network import EXPECTED, MARGIN, REWARD, Choices, Network
from tradewinds.agents.random import Random
from tradewinds.envs.core.api.batch import Batch
from tradewinds.envs.core.api.decisions import Decisions
from tradewinds.envs.core.api.processes import available_cores

from .config import Config
from .evaluation.arena import play_games
from .evaluation.schedule import paired_seeds, rotated
from .evaluation.stats import bounded, mean_by_seed, shared_wins, squashed_margins, win_rate_interval
from .gae import advantages_and_targets
from .networks import shape_of, spec_of
from .opponents import LEARNER, ask_opponents, assign_seats, random_learner_seats
from .rollout import RolloutBuffer

TEACHER = -2  # in `seat_assignments`, while a teacher is cloned
COUNTERS = ("iteration", "bc_steps", "ppo_steps", "ppo_iterations", "episodes", "averaged")


class Trainer:
    """A training run in memory. `iterate` collects steps and learns from them; checkpoints.py saves and restores it."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.variant = config.variant()
        ppo = config.ppo
        self.threads = config.threads or len(available_cores())
        torch.set_num_threads(1)  # see _parallel

        torch.manual_seed(config.seed)  # the first weights; all later randomness comes from self.random
        self.spec = spec_of(config)
        shape = shape_of(config)
        self.net = Network(shape)
        self.replicas = [self.net, *(_replica(self.net) for _ in range(self.threads - 1))]
        self.average = Network(shape).requires_grad_(False)
        self.average.load_state_dict(self.net.state_dict())
        self.frozen_policy = Network(shape).requires_grad_(False)  # holds a past version, redrawn in each iteration
        self.optimizer = self._new_optimizer()
        self.past: list[dict[str, Tensor]] = []

        self.spread = self.variant.game.score_scale
        self.random = np.random.default_rng(config.seed)
        self.batch = Batch(self.variant, ppo.num_envs, config.seed, threads=self.threads)
        self.readers = [InputReader(self.variant, self.spec) for _ in range(self.threads)]
        self.pool = ThreadPoolExecutor(self.threads, thread_name_prefix="tradewinds_train")
        self.agents = {code: build(code, self.variant) for code in config.opponent_pool.agents}
        self.past_place = len(self.agents)  # in `seat_assignments`
        self.teacher = build(config.bc.teacher, self.variant) if config.bc.total_timesteps else None
        self.random_policy = Random(self.variant)
        self.eval_opponents = {code: build(code, self.variant) for code in config.evaluation.eval_opponents}
        self.iteration = self.bc_steps = self.ppo_steps = self.ppo_iterations = self.episodes = self.averaged = 0
        self.seat_assignments = np.zeros((ppo.num_envs, self.variant.players), np.int64)
        self._assign_seats(np.arange(ppo.num_envs))
        self.actions = np.zeros(ppo.num_envs, np.int64)
        self.buffer = RolloutBuffer(ppo.num_steps, ppo.num_envs, self.variant.players, self.net.observed)
        self.seconds: dict[str, float] = defaultdict(float)  # by stage, since the last iteration

    def start_from(self, weights: dict[str, Tensor]) -> None:
        """Take the weights of another network, before anything is learned.

        Args:
            weights: A state dict of a network of the same shape.
        """
        self.net.load_state_dict(weights)
        self.average.load_state_dict(weights)

    @property
    def is_cloning(self) -> bool:
        """Whether behaviour cloning is still under way; PPO follows it."""
        return self.bc_steps < self.config.bc.total_timesteps

    @property
    def done(self) -> bool:
        """Whether all steps of the config have been learned from."""
        return not self.is_cloning and self.ppo_steps >= self.config.ppo.total_timesteps

    @property
    def global_step(self) -> int:
        """Env steps learned from."""
        return self.bc_steps + self.ppo_steps

    @property
    def progress(self) -> float:
        """Of PPO, from 0 to 1."""
        return min(self.ppo_steps / max(self.config.ppo.total_timesteps, 1), 1.0)

    def iterate(self) -> dict[str, Any]:
        """Collect `num_steps` steps in every env, learn from them, and return the metrics by name."""
        self.iteration += 1
        metrics = {"phase": "bc", **self._clone()} if self.is_cloning else {"phase": "ppo", **self._improve()}
        self._update_average()
        return metrics

    # ---- collecting ----------------------------------------------------------------------------------------------------------------

    def _collect(self) -> dict[str, float | None]:
        """Fill the buffer. Returns metrics of the episodes that ended."""
        tally = _Tally([*self.agents, "past"])
        self.buffer.clear()
        for t in range(self.config.ppo.num_steps):
            self.buffer.seats[t] = self.batch.seats
            if self.is_cloning:
                self._follow_teacher(t)
            else:
                self._act(t)
            with self._stage("games"):
                self.batch.step(self.actions)
            self._record_rewards(t, tally)
        return tally.metrics()

    def _act(self, t: int) -> None:
        """Every seat to move chooses an action: the learner's, those of past versions, the other agents'."""
        players = self.seat_assignments[np.arange(self.batch.size), self.batch.seats]
        uniforms = self.random.random(len(players)).astype(np.float32)
        with self._stage("act"):
            # The opponents' task is the only one that draws from self.random, so the order of the tasks does not matter.
            agents, rows = list(self.agents.values()), np.arange(len(players))
            others = self._submit(ask_opponents, agents, self.batch, rows, players, self.random, self.actions)
            past_rows, learner_rows = np.flatnonzero(players == self.past_place), np.flatnonzero(players == LEARNER)
            for rows, inputs, policy, values in self._ask(self.net, learner_rows):
                chosen = draw(np.exp(policy), uniforms[rows])
                picked = np.arange(len(rows)), chosen
                self.actions[rows] = inputs.actions[picked]
                self.buffer.add(t, rows, inputs, chosen, policy[picked])
                self.buffer.values[:, t, rows] = values[:, :, 0].T
            for rows, inputs, policy, _ in self._ask(self.frozen_policy, past_rows):
                self.actions[rows] = inputs.actions[np.arange(len(rows)), draw(np.exp(policy), uniforms[rows])]
            others.result()

    def _follow_teacher(self, t: int) -> None:
        """The teacher plays all seats. Some moves are random, so that unusual positions occur too; those are not copied."""
        assert self.teacher is not None
        rows = np.arange(self.batch.size)
        is_random = self.random.random(len(rows)) < self.config.bc.random_move_prob
        with self._stage("act"):
            ask_opponents([self.teacher, self.random_policy], self.batch, rows, is_random.astype(np.int64), self.random, self.actions)
            inputs = self.readers[0].read(self._decisions(rows))
        chosen = ((inputs.actions == self.actions[:, None]) & (inputs.logits > -1e7)).argmax(axis=1)
        self.buffer.add(t, rows, inputs, chosen, np.where(is_random, -np.inf, 0.0))

    def _ask(self, net: Network, rows: np.ndarray) -> Iterator[tuple[np.ndarray, Inputs, np.ndarray, np.ndarray]]:
        """Ask a network about these rows, shared among the threads.

        Yields, part by part in the order of the rows: the rows, the inputs, the log-probabilities (n, K) and the values (n, 2, players).
        """

        def ask_part(reader: InputReader, part: np.ndarray) -> tuple[np.ndarray, Inputs, np.ndarray, np.ndarray]:
            inputs = reader.read(self._decisions(part))
            return part, inputs, *ask(net, inputs)

        parts = [part for part in np.array_split(rows, self.threads) if part.size]
        yield from self._parallel(ask_part, list(zip(self.readers, parts, strict=False)))

    def _decisions(self, rows: np.ndarray) -> Decisions:
        return self.batch.decisions(rows, np.zeros(len(rows), np.uint64))

    def _submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        if self.threads > 1:
            return self.pool.submit(function, *arguments)
        done: Future[Any] = Future()
        done.set_result(function(*arguments))
        return done

    def _parallel(self, function: Callable[..., Any], arguments: list[tuple[Any, ...]]) -> list[Any]:
        """Call a function with each tuple of arguments, the first in this thread.

        PyTorch's own threads are off: they meet after every operation, which costs more than one hand-over per step or minibatch, and very
        much more where other processes use the cores too.
        """
        others = [self._submit(function, *given) for given in arguments[1:]]
        return [function(*given) for given in arguments[:1]] + [other.result() for other in others]

    def _record_rewards(self, t: int, tally: "_Tally") -> None:
        """Store rewards and margins of the last step, and assign the seats of the games that it started."""
        buffer, batch = self.buffer, self.batch
        buffer.results[REWARD, t] = batch.rewards
        buffer.results[MARGIN, t] = 0
        buffer.finished[t] = batch.finished
        ended = np.flatnonzero(batch.finished)
        if not ended.size:
            return
        # A game truncated by its length limit is scored as it stands, as the rules say, so it is terminal for the learner too.
        buffer.results[MARGIN, t, ended] = squashed_margins(batch.scores[ended], self.spread)
        tally.add(self.seat_assignments[ended], batch.ranks[ended], batch.truncated[ended])
        self.episodes += ended.size
        self._assign_seats(ended)

    def _assign_seats(self, rows: np.ndarray) -> None:
        """Draw the seat assignments of new games in these rows: the learner alone, or with one kind of opponent."""
        if self.is_cloning:
            self.seat_assignments[rows] = TEACHER
            return
        pool, players = self.config.opponent_pool, self.variant.players
        probabilities = np.array([*pool.agents.values(), pool.past_prob, 0.0])
        probabilities[-1] = 1 - probabilities.sum()
        kinds = self.random.choice(len(probabilities), (rows.size, 1), p=probabilities)
        seats = random_learner_seats(self.random, rows.size, players) | (kinds == self.past_place + 1)
        self.seat_assignments[rows] = assign_seats(seats, kinds)

    # ---- learning ------------------------------------------------------------------------------------------------------------------

    def _clone(self) -> dict[str, Any]:
        """One iteration of behaviour cloning: copy the teacher's actions and predict its results."""
        bc, metrics, buffer = self.config.bc, self._collect(), self.buffer
        targets, _ = self._compute_advantages(np.zeros_like(buffer.learner_mask), gae_lambda=1.0)  # predict results alone
        is_copied = buffer.log_probs == 0  # random moves were stored with -inf

        def loss_of(net: Network, rows: Tensor) -> tuple[Tensor, ...]:
            logits, values = net(buffer.observations[rows], buffer.choices[rows])
            chosen, copied = buffer.chosen[rows], is_copied[rows]
            count = copied.sum().clamp(min=1)
            policy_loss = functional.cross_entropy(logits, chosen, reduction="none")[copied].sum() / count
            value_loss = functional.mse_loss(values, targets[rows])
            accuracy = (logits.argmax(dim=1) == chosen)[copied].sum() / count
            return policy_loss + self.config.ppo.vf_coef * value_loss, policy_loss, value_loss, accuracy

        losses = []
        learning_rate = between(bc.learning_rate, bc.learning_rate_end, self.bc_steps / bc.total_timesteps)
        with self._stage("update"):
            for minibatch in self._minibatches(bc.update_epochs, self.config.ppo.minibatch_size):
                losses.append(self._optimizer_step(minibatch, loss_of, learning_rate))
        self.bc_steps += buffer.size
        if not self.is_cloning:
            self.optimizer = self._new_optimizer()  # another loss, other gradient scales
            self.averaged = 0
            self._assign_seats(np.arange(len(self.seat_assignments)))
        names = ("losses/policy_loss", "losses/value_loss", "losses/bc_accuracy")
        means = dict(zip(names, np.mean(losses, axis=0).tolist(), strict=True))
        return {**metrics, **means, "charts/learning_rate": learning_rate}

    def _improve(self) -> dict[str, Any]:
        """One iteration of PPO."""
        ppo, reward, buffer = self.config.ppo, self.config.reward, self.buffer
        self._choose_past_version()
        metrics = self._collect()
        gae_lambda = between(ppo.gae_lambda, ppo.gae_lambda_end, self.progress)
        targets, advantages_of = self._compute_advantages(buffer.learner_mask, gae_lambda)
        advantages = advantages_of[REWARD] + between(reward.margin_coef, reward.margin_coef_end, self.progress) * advantages_of[MARGIN]
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)

        learning_rate = between(ppo.learning_rate, ppo.learning_rate_end, self.progress)
        ent_coef = between(ppo.ent_coef, ppo.ent_coef_end, self.progress)
        minibatch_size = round(between(ppo.minibatch_size, ppo.minibatch_size_end, self.progress))
        trains_policy = self.ppo_iterations >= ppo.value_warmup

        def loss_of(net: Network, rows: Tensor) -> tuple[Tensor, ...]:
            logits, values = net(buffer.observations[rows], buffer.choices[rows])
            policy = torch.log_softmax(logits, dim=1)
            log_ratio = policy.gather(1, buffer.chosen[rows, None]).squeeze(1) - buffer.log_probs[rows]
            ratio = log_ratio.exp()
            clipped = ratio.clamp(1 - ppo.clip_coef, 1 + ppo.clip_coef)
            policy_loss = -torch.minimum(ratio * advantages[rows], clipped * advantages[rows]).mean()
            value_loss = functional.mse_loss(values, targets[rows])
            entropy = -(policy.exp() * policy).sum(dim=1).mean()
            loss = ppo.vf_coef * value_loss
            if trains_policy:
                loss = loss + policy_loss - ent_coef * entropy
            approx_kl = ((ratio - 1) - log_ratio).mean()  # http://joschu.net/blog/kl-approx.html
            return loss, policy_loss, value_loss, entropy, approx_kl, (ratio != clipped).float().mean()

        losses = []
        with self._stage("update"):
            for minibatch in self._minibatches(ppo.update_epochs, minibatch_size):
                losses.append(self._optimizer_step(minibatch, loss_of, learning_rate))
                if ppo.target_kl is not None and losses[-1][3] > ppo.target_kl:
                    break
        self.ppo_steps += buffer.size
        self.ppo_iterations += 1
        names = ("losses/policy_loss", "losses/value_loss", "losses/entropy", "losses/approx_kl", "losses/clipfrac")
        metrics |= dict(zip(names, np.mean(losses, axis=0).tolist(), strict=True))
        for name, kind in (("losses/explained_variance", REWARD), ("losses/explained_variance_margin", MARGIN)):
            residuals, values = advantages_of[kind], torch.from_numpy(buffer.values[kind][buffer.learner_mask])
            metrics[name] = 1 - (residuals.var() / (values + residuals).var()).item()
        return {**metrics, "charts/learning_rate": learning_rate}

    def _compute_advantages(self, predicted: np.ndarray, gae_lambda: float) -> tuple[Tensor, Tensor]:
        """The value targets (size, 2, players) and the advantages (2, size) of the steps that are learned from.

        Args:
            predicted: bool (T, N): the steps at which the buffer holds values.
            gae_lambda: The lambda of GAE.
        """
        buffer, players = self.buffer, np.arange(self.variant.players)
        # The network predicts every seat's value from the mover's observation, so no seat needs to be asked out of turn.
        with self._stage("advantages"):
            values = np.concatenate([values for *_, values in self._ask(self.net, np.arange(self.batch.size))])
            from_mover = (players + buffer.seats[:, :, None]) % players.size
            by_seat = (players - self.batch.seats[:, None].astype(np.int64)) % players.size
            all_targets, all_advantages = [], []
            for kind in EXPECTED:
                end_values = np.take_along_axis(values[:, kind], by_seat, axis=1)
                advantages, targets = advantages_and_targets(
                    buffer.seats,
                    predicted,
                    buffer.values[kind],
                    buffer.results[kind],
                    buffer.finished,
                    end_values,
                    self.config.ppo.gamma,
                    gae_lambda,
                )
                all_targets.append(np.take_along_axis(targets, from_mover, axis=2)[buffer.learner_mask])
                all_advantages.append(advantages[buffer.learner_mask])
            return torch.from_numpy(np.stack(all_targets, axis=1)), torch.from_numpy(np.stack(all_advantages))

    def _minibatches(self, epochs: int, size: int) -> Iterator[Tensor]:
        for _ in range(epochs):
            order = torch.from_numpy(self.random.permutation(self.buffer.size))
            yield from order.tensor_split(-(-len(order) // size))

    def _optimizer_step(
        self, minibatch: Tensor, loss_of: Callable[[Network, Tensor], tuple[Tensor, ...]], learning_rate: float
    ) -> np.ndarray:
        """One step of Adam on a minibatch. Each thread differentiates a part of it in a replica of the network.

        Args:
            minibatch: Rows of the buffer.
            loss_of: The mean loss of some rows, and means that are logged.
            learning_rate: Of this step.

        Returns:
            The logged means over the minibatch.
        """

        def differentiate(net: Network, rows: Tensor) -> np.ndarray:
            net.zero_grad()
            loss, *logged = loss_of(net, rows)
            weight = len(rows) / len(minibatch)
            (loss * weight).backward()
            return weight * np.array([value.item() for value in logged])

        parts = list(zip(self.replicas, minibatch.tensor_split(min(self.threads, len(minibatch))), strict=False))
        logged = np.sum(self._parallel(differentiate, parts), axis=0)
        for replica, _ in parts[1:]:
            for parameter, other in zip(self.net.parameters(), replica.parameters(), strict=True):
                if other.grad is not None:
                    parameter.grad = other.grad if parameter.grad is None else parameter.grad.add_(other.grad)
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), self.config.ppo.max_grad_norm)
        self.optimizer.step()
        return logged

    def _update_average(self) -> None:
        """Polynomial-decay averaging (Shamir and Zhang 2013): the average follows the last part of the run so far."""
        self.averaged += 1
        last = self.config.average.last
        weight = 1 / (1 + (self.averaged - 1) * last) if last else 1.0
        for mean, latest in zip(self.average.parameters(), self.net.parameters(), strict=True):
            mean.lerp_(latest.detach(), weight)

    def _choose_past_version(self) -> None:
        """Copy the network every `past_every` iterations, and draw the copy that plays in this iteration."""
        pool = self.config.opponent_pool
        if not self.past or self.ppo_iterations % pool.past_every == 0:
            self.past = [*self.past, {name: tensor.clone() for name, tensor in self.net.state_dict().items()}][-pool.past_keep :]
        self.frozen_policy.load_state_dict(self.past[self.random.integers(len(self.past))])

    # ---- evaluating ----------------------------------------------------------------------------------------------------------------

    def evaluate(self, episodes: int) -> dict[str, float]:
        """Win rates of the averaged network, each with its 95% interval, in the same games every time.

        `win_rate_X`: its most probable actions against a table of X. For the last opponent, the hardest, also `win_rate_sampled_X`, with
        sampled actions, and `win_rate_of_X`: one X against a table of the network.

        Args:
            episodes: Of each match, rounded up to a multiple of the players.
        """
        metrics, players, hardest = {}, self.variant.players, self.config.evaluation.eval_opponents[-1]
        seats = rotated(players, -(-episodes // players) * players)
        seeds = paired_seeds(players, len(seats), seed=1)
        net, sampled = (Net(self.variant, self.average, self.spec, sample, self.threads) for sample in (False, True))
        matches: list[tuple[str, str, Any, Any]] = [("win_rate", code, net, other) for code, other in self.eval_opponents.items()]
        matches.append(("win_rate_sampled", hardest, sampled, self.eval_opponents[hardest]))
        matches.append(("win_rate_of", hardest, self.eval_opponents[hardest], net))
        with self._stage("evaluate"):
            for kind, code, agent, opponent in matches:
                results = play_games(self.variant, [agent, opponent], seats, seeds, 1)
                by_seed = mean_by_seed(results.wins[seats == 0], players)
                rates = (float(by_seed.mean()), *win_rate_interval(by_seed))
                metrics |= {f"charts/{name}_{code}": rate for name, rate in zip(bounded(kind), rates, strict=True)}
                if kind == "win_rate":
                    metrics[f"charts/margin_{code}"] = float(results.margins[seats == 0].mean())
        return metrics

    # ---- helpers -------------------------------------------------------------------------------------------------------------------

    def _new_optimizer(self) -> torch.optim.Adam:
        return torch.optim.Adam(self.net.parameters(), self.config.ppo.learning_rate, eps=1e-5, fused=True)

    @contextmanager
    def _stage(self, name: str) -> Iterator[None]:
        began = time.perf_counter()
        yield
        self.seconds[name] += time.perf_counter() - began


def _replica(net: Network) -> Network:
    """A network with the same weights in the same memory, and gradients of its own."""
    replica = Network(net.shape)
    for own, shared in zip(replica.parameters(), net.parameters(), strict=True):
        own.data = shared.data
    return replica


def ask(net: Network, inputs: Inputs) -> tuple[np.ndarray, np.ndarray]:
    """Log-probabilities (n, K) of the legal actions, and values (n, 2, players)."""
    with torch.inference_mode():
        choices = Choices(torch.from_numpy(inputs.actions), torch.from_numpy(inputs.logits))
        logits, values = net(torch.from_numpy(inputs.observations), choices)
        return torch.log_softmax(logits, dim=1).numpy(), values.numpy()


class _Tally:
    """Metrics of the episodes that ended in one iteration."""

    def __init__(self, opponents: list[str]) -> None:
        self.opponents = opponents
        self.episodes = self.truncated = 0
        self.win_ratios: dict[str, list[float]] = {name: [] for name in opponents}

    def add(self, seat_assignments: np.ndarray, ranks: np.ndarray, truncated: np.ndarray) -> None:
        self.episodes += len(ranks)
        self.truncated += int(truncated.sum())
        won = shared_wins(ranks)
        learners = seat_assignments == LEARNER
        for place, name in enumerate(self.opponents):
            met = (seat_assignments == place).any(axis=1)
            fair = learners[met].mean(axis=1)
            self.win_ratios[name] += ((won[met] * learners[met]).sum(axis=1) / fair).tolist()

    def metrics(self) -> dict[str, float | None]:
        """`train_win_ratio_X`: the learner's wins in games with X, divided by the wins expected at equal strength."""
        ratios = {f"charts/train_win_ratio_{name}": float(np.mean(found)) if found else None for name, found in self.win_ratios.items()}
        return {"charts/episodes": self.episodes, "charts/truncated": self.truncated / max(self.episodes, 1), **ratios}


def between(first: float, last: float | None, progress: float) -> float:
    """Linear from `first` to `last`; constant without `last`."""
    return first if last is None else first + (last - first) * progress
