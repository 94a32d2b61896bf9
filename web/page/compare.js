/** Evaluations and tournaments. */
import { percent, short } from "./chart.js";
import { make } from "./replay.js";
import { damagedList, whenText } from "./replays.js";
import { ask } from "./site.js";
import { fill } from "./strings.en.js";
import { words } from "./strings.pages.en.js";

const EVERY = 5000; // milliseconds between two looks at results that are not complete

/** @param {number} rate with one digit */
const exact = (rate) => `${(100 * rate).toFixed(1)}%`;
/** @param {number | null} value */
const number = (value) => (value === null || value === undefined ? "–" : value.toFixed(1));

/**
 * An interval as a bar on the scale from 0 to 1, with the rate as a point and even strength as a line.
 * @param {number} rate
 * @param {number[]} bounds
 * @param {number} even
 */
function interval(rate, [low, high], even) {
  const bar = make("span", { class: "interval", role: "img", "aria-label": `${exact(low)} to ${exact(high)}` });
  for (const [kind, from, to] of /** @type {[string, number, number][]} */ ([["even", even, even], ["range", low, high], ["rate", rate, rate]])) {
    const part = make("span", { class: kind });
    part.style.left = `${100 * from}%`;
    if (to > from) part.style.width = `${100 * (to - from)}%`;
    bar.append(part);
  }
  return bar;
}

class ComparePage {
  constructor() {
    this.list = make("nav", { class: "run-list", "aria-label": words.compare });
    this.detail = make("div", { class: "run" });
    this.damaged = make("div", {});
    this.columns = make("div", { class: "split" }, this.list, this.detail);
    const lead = make("p", { class: "lead" }, words.compareLead);
    document.getElementById("page")?.append(make("main", { class: "sheet broad" }, make("h1", {}, words.compare), lead, this.columns, this.damaged));
    this.chosen = location.hash.slice(1);
    window.addEventListener("hashchange", () => this.choose(location.hash.slice(1)));
    document.addEventListener("visibilitychange", () => this.shown && this.shown.games < this.shown.total && this.choose(this.chosen));
    this.load();
  }

  async load() {
    try {
      const { folders } = await ask("/api/tournaments");
      this.folders = folders.filter((/** @type {any} */ folder) => !folder.error);
      this.damaged.replaceChildren(damagedList(folders.filter((/** @type {any} */ folder) => folder.error)));
    } catch (error) {
      this.detail.replaceChildren(make("p", { class: "notice error" }, String(/** @type {Error} */ (error).message)));
      return;
    }
    if (!this.folders.length) {
      this.columns.replaceChildren(make("p", { class: "card empty" }, words.noResults));
      return;
    }
    if (!this.folders.some((/** @type {any} */ folder) => folder.id === this.chosen)) this.chosen = this.folders[0].id;
    this.choose(this.chosen);
  }

  fillList() {
    const rows = this.folders.map((/** @type {any} */ folder) => {
      const link = make("a", { href: `#${folder.id}`, ...(folder.id === this.chosen ? { "aria-current": "true" } : {}) });
      link.append(
        make("span", { class: "run-name" }, make("b", {}, folder.name), make("span", { class: "badge" }, words.kinds[folder.kind])),
        make("small", {}, `${folder.title}, ${folder.variant}`),
        make("small", {}, `${folder.agents.length > 4 ? `${folder.agents.length} agents` : folder.agents.join(", ")}`),
        make("small", {}, `${fill(words.games, { total: folder.games.toLocaleString("en") })}, ${whenText(folder.when)}`),
      );
      return link;
    });
    this.list.replaceChildren(...rows);
  }

  /** @param {string} id */
  async choose(id) {
    const isNew = id !== this.shown?.id;
    this.chosen = id;
    this.fillList();
    window.clearTimeout(this.timer);
    if (isNew) this.detail.replaceChildren(make("p", { class: "notice" }, make("span", { class: "spinner" }), fill(words.games, { total: "…" })));
    let found;
    try {
      found = await ask(`/api/tournaments/${id}`);
    } catch (error) {
      this.detail.replaceChildren(make("p", { class: "notice error" }, String(/** @type {Error} */ (error).message)));
      return;
    }
    if (id !== this.chosen) return;
    if (JSON.stringify(found) !== JSON.stringify(this.shown)) this.show(found);
    this.shown = found;
    if (found.games < found.total && !document.hidden) this.timer = window.setTimeout(() => this.choose(id), EVERY);
  }

  /** @param {any} found */
  show(found) {
    const { figures, notes, games, total, players } = found;
    const count = games < total ? fill(words.gamesOf, { done: games.toLocaleString("en"), total: total.toLocaleString("en") }) : fill(words.games, { total: total.toLocaleString("en") });
    const head = make("div", { class: "run-head" }, make("div", {}, make("h2", {}, found.name), make("p", { class: "lead" }, `${words.kinds[found.kind]}: ${found.title}, ${found.variant}, ${count}`)));
    const card = make("section", { class: "card" }, head);
    const parts = [card, ...notes.map((/** @type {string} */ note) => make("p", { class: "notice" }, note))];
    if (games < total) {
      const bar = /** @type {HTMLProgressElement} */ (make("progress", { max: "1", "aria-label": count }));
      bar.value = games / total;
      card.append(make("p", { class: "lead" }, words.running), bar);
    }
    if (!figures) parts.push(make("p", { class: "card empty" }, words.nothing));
    else if (found.kind === "tournament") parts.push(crossTable(figures, players), standings(figures.standings, rates(figures), players, words.standingsLead));
    else parts.push(evaluation(figures, players), standings(figures.agents, new Map([[figures.agent, [figures.win_rate, figures.ci95]]]), players));
    if (figures) parts.push(failures(figures.failures));
    this.detail.replaceChildren(...parts);
  }
}

/**
 * By agent, its win rate in one seat, with the interval.
 * @param {any} figures
 * @returns {Map<string, [number, number[]]>}
 */
function rates({ agents, win_rate: rate, ci95 }) {
  return new Map(agents.map((/** @type {string} */ agent, /** @type {number} */ index) => [agent, [rate[index], ci95[index]]]));
}

/**
 * @param {any} figures
 * @param {number} players
 */
function crossTable({ agents, pairings }, players) {
  const cells = new Map(pairings.map((/** @type {any} */ pairing) => [`${pairing.agent}\n${pairing.others}`, pairing]));
  const heads = [make("th", { scope: "col" }, words.agent), ...agents.map((/** @type {string} */ name) => make("th", { scope: "col" }, name))];
  const rows = agents.map((/** @type {string} */ agent) => {
    const row = agents.map((/** @type {string} */ others) => {
      const pairing = cells.get(`${agent}\n${others}`);
      if (!pairing) return make("td", { class: "same" }, "");
      const [low, high] = pairing.ci95;
      const kind = low > 1 / players ? "above" : high < 1 / players ? "below" : "";
      const cell = make("td", { class: `cell ${kind}` }, make("b", {}, exact(pairing.win_rate)), make("small", {}, `${exact(low)} to ${exact(high)}`));
      cell.title = `${words.margin}: ${number(pairing.mean_margin)}`;
      cell.style.setProperty("--strength", String(Math.min(1, Math.abs(pairing.win_rate - 1 / players) / (pairing.win_rate > 1 / players ? 1 - 1 / players : 1 / players))));
      return cell;
    });
    return make("tr", {}, make("th", { scope: "row" }, agent), ...row);
  });
  const table = make("table", { class: "figures cross" }, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows));
  const lead = make("p", { class: "lead" }, fill(words.crossLead, { even: percent(1 / players) }));
  return make("section", { class: "card" }, make("h2", {}, words.cross), lead, make("div", { class: "wide" }, table));
}

/**
 * @param {any[]} agents
 * @param {Map<string, [number, number[]]>} rates
 * @param {number} players
 * @param {string} [lead]
 */
function standings(agents, rates, players, lead = "") {
  const sorted = [...agents].sort((a, b) => b.rating.ordinal - a.rating.ordinal);
  const names = [words.agent, words.rating, words.winRate, words.interval, words.score, words.margin, words.perDecision, words.failures];
  const rows = sorted.map((one) => {
    const [rate, range] = rates.get(one.agent) ?? [one.win_rate, null];
    const seconds = one.decision_seconds.mean;
    return make(
      "tr",
      {},
      make("th", { scope: "row" }, one.agent),
      make("td", { title: words.ratingTitle }, make("b", {}, one.rating.mu.toFixed(1)), ` ± ${one.rating.sigma.toFixed(1)}`),
      make("td", {}, rate === null ? "–" : exact(rate)),
      make("td", { class: "with-interval" }, range ? interval(rate, range, 1 / players) : "–", range ? make("small", {}, `${exact(range[0])} to ${exact(range[1])}`) : ""),
      make("td", {}, number(one.mean_score)),
      make("td", {}, number(one.mean_margin)),
      make("td", {}, seconds === null ? "–" : seconds < 1 ? `${short(1000 * seconds)} ms` : `${short(seconds)} s`),
      make("td", { class: one.failures ? "bad" : "" }, String(one.failures)),
    );
  });
  const heads = names.map((name) => make("th", { scope: "col" }, name));
  const table = make("table", { class: "figures" }, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows));
  return make("section", { class: "card" }, make("h2", {}, words.standings), ...(lead ? [make("p", { class: "lead" }, lead)] : []), make("div", { class: "wide", tabindex: "0" }, table));
}

/**
 * @param {any} figures
 * @param {number} players
 */
function evaluation({ agent, opponents, win_rate: rate, ci95, win_rate_by_seat: bySeat, ci95_by_seat: bounds }, players) {
  const heads = [words.seat, words.winRate, words.interval].map((text) => make("th", { scope: "col" }, text));
  const rows = bySeat.map((/** @type {number} */ of, /** @type {number} */ seat) =>
    make("tr", {}, make("th", { scope: "row" }, `player_${seat}`), make("td", {}, exact(of)), make("td", { class: "with-interval" }, interval(of, bounds[seat], 1 / players), make("small", {}, `${exact(bounds[seat][0])} to ${exact(bounds[seat][1])}`))),
  );
  const figure = make("p", { class: "headline" }, make("b", {}, exact(rate)), make("span", {}, `${exact(ci95[0])} to ${exact(ci95[1])}`), interval(rate, ci95, 1 / players));
  const table = make("table", { class: "figures" }, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows));
  const lead = make("p", { class: "lead" }, fill(words.evalLead, { agent, opponents: opponents.join(", ") }));
  return make("section", { class: "card" }, make("h2", {}, words.winRate), lead, figure, make("div", { class: "wide" }, table));
}

/** @param {any[]} found */
function failures(found) {
  const lines = found.slice(0, 100).map((failure) => {
    const link = failure.replay ? make("a", { href: `/replay/${failure.replay}#last` }, words.watch) : "";
    return make("li", {}, make("b", {}, fill(words.failed, failure)), `: ${failure.reason} `, link);
  });
  const body = lines.length ? make("ul", { class: "damaged" }, ...lines) : make("p", { class: "empty" }, words.noFailures);
  return make("section", { class: "card" }, make("h2", {}, found.length ? `${words.failures} (${found.length})` : words.failures), body);
}

new ComparePage();
