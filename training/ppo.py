"""Self-play PPO with masks, from top to bottom: play a segment in every row, find the advantages, update the network; now and then
measure it against fixed opponents. What is kept on disk is in runs.py.

All seats of a game learn at once. In some games other players sit at the table (past selves, scripted bots), and the learner takes the
other seats. Before that, if the config says so, the network learns to imitate a teacher.
"""

import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from tradewinds.agents import build
from tradewinds.agents.neural.agent import Net
from tradewinds.agents.neural.checkpoint import NetError, find_net, load_net
from tradewinds.agents.neural.network import EXPECTED, MARGIN, REWARD, Network, Shape, draw, legal_log_probabilities
from tradewinds.agents.random import Random
from tradewinds.envs.core.api.batch import Batch

from .config import Config, ConfigError
from .evaluation.arena import win_rate
from .gae import advantages_and_targets

# Who sits where, in `seat_assignments`; OTHERS + k is the k-th agent of the pool.
TEACHER, LEARNER, PAST, OTHERS = -1, 0, 1, 2
MOST = 2**64 - 1


class Trainer:
    """A training run in memory. `iterate` is one round of playing and learning; runs.py saves and loads what changes."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.variant = config.variant()
        ppo, players = config.ppo, self.variant.players

        torch.manual_seed(config.seed)  # the network's first weights; all that is random later comes from self.random
        shape = Shape.of(self.variant, config.network.width, config.network.blocks)
        self.net = Network(shape)
        self.guest = Network(shape).requires_grad_(False)  # plays one of the past selves, another in each iteration
        self.optimiser = self._new_optimiser()
        self.past: list[dict[str, Tensor]] = []

        self.spread = self.variant.game.score_scale
        self.random = np.random.default_rng(config.seed)
        self.batch = Batch(self.variant, ppo.rows, config.seed, threads=torch.get_num_threads())
        self.agents = {code: build(code, self.variant) for code in config.pool.agents}
        self.teacher = build(config.imitate.teacher, self.variant) if config.imitate.decisions else None
        self.chance = Random(self.variant)
        self.judges = {code: build(code, self.variant) for code in config.evaluate.against}
        self.iteration = self.imitated = self.decisions = self.games = 0
        self.best = -1.0
        self.seat_assignments = np.zeros((ppo.rows, players), np.int8)
        self._seat_players(np.arange(ppo.rows))
        self.seconds: dict[str, float] = defaultdict(float)  # by stage, since the last iteration

        # One segment: what was seen and done in `steps` decisions of every row.
        steps, rows = ppo.steps, ppo.rows
        self.observations = np.zeros((steps, rows, shape.inputs), np.float32)
        self.masks = np.zeros((steps, rows, shape.actions), np.bool_)
        self.seats = np.zeros((steps, rows), np.int64)
        self.own = np.zeros((steps, rows), np.bool_)
        self.actions = np.zeros((steps, rows), np.int64)
        self.log_probabilities = np.zeros((steps, rows), np.float32)
        self.values = np.zeros((len(EXPECTED), steps, rows), np.float32)  # what the seat that decided expected
        self.results = np.zeros((len(EXPECTED), steps, rows, players), np.float32)  # what came for every seat
        self.finished = np.zeros((steps, rows), np.bool_)

    def begin_with(self, weights: dict[str, Tensor]) -> None:
        """Take over the weights of another network, before anything was learned."""
        self.net.load_state_dict(weights)

    @property
    def imitating(self) -> bool:
        return self.imitated < self.config.imitate.decisions

    @property
    def done(self) -> bool:
        return not self.imitating and self.decisions >= self.config.ppo.decisions

    def iterate(self) -> dict[str, Any]:
        """Play one segment, learn from it, and tell how it went."""
        self.iteration += 1
        if self.imitating:
            return {"phase": "imitate", **self._imitate()}
        return {"phase": "play", **self._improve()}

    # ---- playing -------------------------------------------------------------------------------------------------------------------

    def _collect(self) -> dict[str, float | None]:
        """Fill the segment. Returns figures about the games that ended in it."""
        tally = _Tally(self.config)
        for t in range(self.config.ppo.steps):
            with self._stage("copy"):
                self.observations[t] = self.batch.observations
                self.masks[t] = self.batch.masks
                self.seats[t] = self.batch.seats
            if self.imitating:
                self._teach(t)
            else:
                self._decide(t)
            with self._stage("games"):
                self.batch.step(self.actions[t])
            self._pay(t, tally)
        return tally.figures()

    def _decide(self, t: int) -> None:
        """Everyone at the tables picks an action: first the learner, then the others."""
        who = self.seat_assignments[np.arange(len(self.seat_assignments)), self.seats[t]]
        uniforms = self.random.random(len(who))
        self.own[t] = who == LEARNER
        with self._stage("network"), torch.inference_mode():
            rows = np.flatnonzero(who == LEARNER)
            policy, values = self._ask(self.net, t, rows)
            actions = draw(policy.exp().numpy(), uniforms[rows].astype(np.float32))
            self.actions[t, rows] = actions
            self.log_probabilities[t, rows] = policy.numpy()[np.arange(len(rows)), actions]
            self.values[:, t, rows] = values[:, :, 0].numpy().T
        with self._stage("opponents"), torch.inference_mode():
            rows = np.flatnonzero(who == PAST)
            if rows.size:
                policy, _ = self._ask(self.guest, t, rows)
                self.actions[t, rows] = draw(policy.exp().numpy(), uniforms[rows].astype(np.float32))
            for number, agent in enumerate(self.agents.values()):
                rows = np.flatnonzero(who == OTHERS + number)
                if rows.size:
                    self.actions[t, rows] = agent.act(self.batch.decisions(rows, self._seeds(rows.size)))

    def _teach(self, t: int) -> None:
        """The teacher plays all seats. Some moves are made by lot, so that odd positions are met too; those are not copied."""
        assert self.teacher is not None
        by_lot = self.random.random(self.batch.size) < self.config.imitate.by_lot
        self.own[t] = ~by_lot
        with self._stage("opponents"):
            for agent, rows in ((self.teacher, np.flatnonzero(~by_lot)), (self.chance, np.flatnonzero(by_lot))):
                if rows.size:
                    self.actions[t, rows] = agent.act(self.batch.decisions(rows, self._seeds(rows.size)))

    def _ask(self, net: Network, t: int, rows: np.ndarray) -> tuple[Tensor, Tensor]:
        observations, masks = torch.from_numpy(self.observations[t]), torch.from_numpy(self.masks[t])
        if rows.size < len(observations):
            observations, masks = observations[rows], masks[rows]
        logits, values = net(observations)
        return legal_log_probabilities(logits, masks), values

    def _pay(self, t: int, tally: "_Tally") -> None:
        """What the last step brought; new players for the games that it began."""
        self.results[REWARD, t] = self.batch.rewards
        self.results[MARGIN, t] = 0
        self.finished[t] = self.batch.finished
        ended = np.flatnonzero(self.batch.finished)
        if not ended.size:
            return
        # A game cut off by its length limit is scored as it stands, as the rules say, so it ends for the learner too.
        self.results[MARGIN, t, ended] = margins(self.batch.scores[ended], self.spread)
        tally.add(self.seat_assignments[ended], self.batch.ranks[ended], self.batch.truncated[ended])
        self.games += ended.size
        self._seat_players(ended)

    def _seat_players(self, rows: np.ndarray) -> None:
        """Draw who plays the new games in these rows: the learner alone, or with one kind of others at a random number of seats."""
        if self.imitating:
            self.seat_assignments[rows] = TEACHER
            return
        pool, players = self.config.pool, self.variant.players
        shares = np.array([0.0, pool.past, *pool.agents.values()])
        shares[LEARNER] = 1 - shares.sum()
        kinds = self.random.choice(len(shares), rows.size, p=shares)
        places = self.random.random((rows.size, players)).argsort(axis=1)
        learners = self.random.integers(1, players, (rows.size, 1))
        self.seat_assignments[rows] = np.where(places < learners, LEARNER, kinds[:, None])

    # ---- learning ------------------------------------------------------------------------------------------------------------------

    def _imitate(self) -> dict[str, Any]:
        """Copy the teacher's actions, and foresee how its games end."""
        settings, figures, own = self.config.imitate, self._collect(), self._flat(self.own)
        targets, _ = self._judge(np.zeros_like(self.own), lam=1.0)  # results alone count, not what was expected between
        losses = []
        with self._stage("update"):
            lr = _between(settings.lr, settings.lr_end, self.imitated / settings.decisions)
            self._set_lr(lr)
            for rows in self._minibatches(np.arange(self.own.size), settings.epochs):
                logits, values = self.net(self._flat(self.observations)[rows])
                policy = legal_log_probabilities(logits, self._flat(self.masks)[rows])
                copied = self._flat(self.actions)[rows]
                is_copied = own[rows]
                policy_loss = functional.nll_loss(policy, copied, reduction="none")[is_copied].sum() / is_copied.sum().clamp(min=1)
                value_loss = functional.mse_loss(values, targets[rows])
                self._descend(policy_loss + self.config.ppo.value_weight * value_loss)
                agreement = (policy.argmax(dim=1) == copied)[is_copied].float().sum() / is_copied.sum().clamp(min=1)
                losses.append((policy_loss.item(), value_loss.item(), agreement.item()))
        self.imitated += self.own.size
        if not self.imitating:
            self.optimiser = self._new_optimiser()  # another task, other sizes of gradients
            self._seat_players(np.arange(len(self.seat_assignments)))
        policy_loss, value_loss, agreement = np.mean(losses, axis=0).tolist()
        return {**figures, "policy_loss": policy_loss, "value_loss": value_loss, "agreement": agreement, "lr": lr}

    def _improve(self) -> dict[str, Any]:
        """One iteration of PPO."""
        ppo = self.config.ppo
        self._invite_guest()
        figures = self._collect()
        targets, surprises = self._judge(self.own, ppo.gae_lambda)
        picked = np.flatnonzero(self.own)
        advantages = surprises[REWARD] + self._margin_weight() * surprises[MARGIN]
        advantages = (advantages - advantages[picked].mean()) / (advantages[picked].std() + 1e-8)
        old_log_probabilities, actions = self._flat(self.log_probabilities), self._flat(self.actions)

        lr = _between(ppo.lr, ppo.lr_end, self.progress)
        entropy_weight = _between(ppo.entropy, ppo.entropy_end, self.progress)
        self._set_lr(lr)
        losses = []
        with self._stage("update"):
            for rows in self._minibatches(picked, ppo.epochs):
                logits, values = self.net(self._flat(self.observations)[rows])
                policy = legal_log_probabilities(logits, self._flat(self.masks)[rows])
                change = policy.gather(1, actions[rows, None]).squeeze(1) - old_log_probabilities[rows]
                ratio = change.exp()
                clipped = ratio.clamp(1 - ppo.clip, 1 + ppo.clip)
                policy_loss = -torch.minimum(ratio * advantages[rows], clipped * advantages[rows]).mean()
                value_loss = functional.mse_loss(values, targets[rows])
                entropy = -(policy.exp() * policy).sum(dim=1).mean()
                self._descend(policy_loss + ppo.value_weight * value_loss - entropy_weight * entropy)
                kl = ((ratio - 1) - change).mean().item()  # http://joschu.net/blog/kl-approx.html
                losses.append((policy_loss.item(), value_loss.item(), entropy.item(), kl, (ratio != clipped).float().mean().item()))
                if ppo.target_kl is not None and kl > ppo.target_kl:
                    break
        self.decisions += picked.size
        names = ("policy_loss", "value_loss", "entropy", "kl", "clipped")
        figures |= dict(zip(names, np.mean(losses, axis=0).tolist(), strict=True))
        for name, kind in (("explained", REWARD), ("explained_margin", MARGIN)):
            missed = surprises[kind, picked]
            figures[name] = 1 - (missed.var() / (self._flat(self.values[kind])[picked] + missed).var()).item()
        return {**figures, "lr": lr}

    def _judge(self, own: np.ndarray, lam: float) -> tuple[Tensor, Tensor]:
        """Of all decisions: what the value head should have told (steps * rows, 2, players), and advantages (2, steps * rows).

        `own` are the decisions at which the value head was asked.
        """
        with self._stage("advantages"):
            players = np.arange(self.variant.players)
            with torch.inference_mode():
                # The value head sees the table from one seat and speaks for all: no seat needs to be asked out of turn.
                expected = self.net(torch.from_numpy(self.batch.observations.copy()))[1].numpy()
            to_move = self.batch.seats[:, None].astype(np.int64)
            by_seat = (players - to_move) % players.size
            from_mover = (players + self.seats[:, :, None]) % players.size
            all_targets, all_advantages = [], []
            for kind in EXPECTED:
                end_values = np.take_along_axis(expected[:, kind], by_seat, axis=1)
                advantages, targets = advantages_and_targets(
                    self.seats, own, self.values[kind], self.results[kind], self.finished, end_values, self.config.ppo.gamma, lam
                )
                all_targets.append(np.take_along_axis(targets, from_mover, axis=2))
                all_advantages.append(advantages)
            return self._flat(np.stack(all_targets, axis=2)), torch.from_numpy(np.stack(all_advantages)).flatten(1)

    def _minibatches(self, picked: np.ndarray, epochs: int) -> Iterator[Tensor]:
        for _ in range(epochs):
            order = self.random.permutation(picked)
            for rows in np.array_split(order, -(-len(order) // self.config.ppo.minibatch)):
                yield torch.from_numpy(rows)

    def _descend(self, loss: Tensor) -> None:
        self.optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), self.config.ppo.max_grad_norm)
        self.optimiser.step()

    def _invite_guest(self) -> None:
        """Keep a copy of the network now and then, and let one of the copies play this iteration."""
        pool = self.config.pool
        if not self.past or self.iteration % pool.past_every == 0:
            self.past = [*self.past, {name: tensor.clone() for name, tensor in self.net.state_dict().items()}][-pool.past_keep :]
        self.guest.load_state_dict(self.past[self.random.integers(len(self.past))])

    # ---- measuring -----------------------------------------------------------------------------------------------------------------

    def evaluate(self, games: int) -> dict[str, float]:
        """The network's share of wins against a table of each fixed opponent, always in the same games."""
        with self._stage("evaluate"):
            agent = Net(self.variant, self.net)
            return {code: win_rate(self.variant, agent, judge, games, seed=1) for code, judge in self.judges.items()}

    # ---- small things --------------------------------------------------------------------------------------------------------------

    @property
    def progress(self) -> float:
        return min(self.decisions / max(self.config.ppo.decisions, 1), 1.0)

    def _margin_weight(self) -> float:
        reward = self.config.reward
        return _between(reward.margin, 0.0, min(self.progress / reward.margin_until, 1.0))

    def _new_optimiser(self) -> torch.optim.Adam:
        return torch.optim.Adam(self.net.parameters(), self.config.ppo.lr, eps=1e-5, fused=True)

    def _set_lr(self, lr: float) -> None:
        for group in self.optimiser.param_groups:
            group["lr"] = lr

    def _seeds(self, count: int) -> np.ndarray:
        return self.random.integers(0, MOST, count, np.uint64, endpoint=True)

    def _flat(self, array: np.ndarray) -> Tensor:
        """A segment's array as a tensor (steps * rows, ...) on the same memory."""
        return torch.from_numpy(array).flatten(0, 1)

    @contextmanager
    def _stage(self, name: str) -> Iterator[None]:
        began = time.perf_counter()
        yield
        self.seconds[name] += time.perf_counter() - began


def start_of(config: Config, shape: Shape) -> dict[str, Tensor]:
    """The weights of the network that a run begins with."""
    try:
        net, _ = load_net(find_net(Path(config.network.start or "")), config.variant())
    except NetError as error:
        raise ConfigError(f"network.start: {error}") from None
    if net.shape != shape:
        raise ConfigError(f"network.start: {config.network.start} has width {net.shape.width} and {net.shape.blocks} blocks; set these")
    return net.state_dict()


class _Tally:
    """Figures about the games that ended in one segment."""

    def __init__(self, config: Config) -> None:
        self.kinds = {"past": PAST, **{code: OTHERS + number for number, code in enumerate(config.pool.agents)}}
        self.games = self.cut = 0
        self.wins: dict[str, list[float]] = {name: [] for name in self.kinds}

    def add(self, seat_assignments: np.ndarray, ranks: np.ndarray, truncated: np.ndarray) -> None:
        self.games += len(ranks)
        self.cut += int(truncated.sum())
        won = ranks == 1
        won = won / won.sum(axis=1, keepdims=True)
        learners = seat_assignments == LEARNER
        for name, kind in self.kinds.items():
            met = (seat_assignments == kind).any(axis=1)
            fair = learners[met].mean(axis=1)
            self.wins[name] += ((won[met] * learners[met]).sum(axis=1) / fair).tolist()

    def figures(self) -> dict[str, float | None]:
        """`against_X`: how often the learner's seats won beside X, where 1 is their fair share."""
        against = {f"against_{name}": float(np.mean(wins)) if wins else None for name, wins in self.wins.items()}
        return {"games": self.games, "cut_off": self.cut / max(self.games, 1), **against}


def margins(scores: np.ndarray, spread: float) -> np.ndarray:
    """How far each seat is ahead of the best other, or behind: from -1 to 1, and half of that at `spread` points, as in search."""
    ordered = np.sort(scores.astype(np.float32), axis=1)
    best, second = ordered[:, -1:], ordered[:, -2:-1]
    ahead = np.where(scores == best, scores - second, scores - best)
    return ahead / (np.abs(ahead) + np.float32(spread))


def _between(first: float, last: float, progress: float) -> float:
    return first + (last - first) * progress
