/**
 * What a search found at every decision of a game: win rates over time, and for the position that is shown the choices with their visits
 * and values. The data are those of web/analysis.py.
 */
import { Chart, percent } from "./chart.js";
import { make, seatMark } from "./replay.js";
import { fill, strings } from "./strings.en.js";

const LISTED = 6; // choices before "more"

/**
 * @typedef {object} Review
 * @property {number} seat
 * @property {number} played index of the choice
 * @property {number} cost of the mover's win rate
 * @property {string[]} line
 * @property {[string, number, number[], string[]][]} choices name, visits, win rate by seat, places
 *
 * @typedef {object} Analysis
 * @property {string} agent
 * @property {number[][]} shares win rate by seat, before each decision and at the end
 * @property {number} [threshold] the cost from which on a decision is marked
 * @property {number[]} [costly]
 * @property {Review[]} [reviews]
 */

export class AnalysisPanel {
  /**
   * @param {import("./replay.js").Replay} replay
   * @param {Analysis} analysis
   */
  constructor(replay, analysis) {
    this.replay = replay;
    this.analysis = analysis;
    this.reviews = analysis.reviews ?? [];
    this.isHeated = true;
    this.isWhole = false;
    const { decisions, colours, names } = replay.recording;
    this.decisions = decisions ?? [];
    /** @type {number[]} by decision, the frame in which it is about to be made */
    this.frames = [];
    this.decisions.forEach((decision, at) => {
      this.frames[decision] = at;
    });
    const title = fill(strings.chart, { agent: analysis.agent });
    this.chart = new Chart({
      title,
      height: 132,
      bare: true,
      range: [0, 1],
      yText: percent,
      xText: (x) => String(Math.round(x)),
      series: names.map((_, seat) => ({
        name: `player_${seat}`,
        colour: colours[seat],
        points: this.frames.map((at, decision) => [at, analysis.shares[Math.min(decision, analysis.shares.length - 1)][seat]]),
        end: String(seat),
      })),
      marks: this.marks(null),
      onPick: (x) => replay.steer(Math.round(x)),
    });
    this.chart.root.title = title;
    this.chart.root.classList.add("chart");
    this.body = make("div", { class: "review" });
    this.costlyButton = make("button", { type: "button", class: "quiet small", onclick: () => this.nextCostly() }, strings.nextCostly);
    this.heatBox = /** @type {HTMLInputElement} */ (make("input", { type: "checkbox" }));
    this.heatBox.checked = true;
    this.heatBox.addEventListener("change", () => this.heat(this.heatBox.checked));
    const tools = make("div", { class: "review-tools" }, make("label", {}, this.heatBox, strings.heat), this.costlyButton);
    const about = make("p", { class: "about" }, fill(strings.analysedBy, { agent: analysis.agent }));
    this.card = make("section", { class: "card analysis" }, make("h2", {}, strings.analysis), tools, this.body, about);
    this.card.hidden = !this.reviews.length;
  }

  /** The seat whose decisions are shown; null: all. */
  get viewer() {
    return this.replay.view.seat;
  }

  /** @param {number | null} viewer */
  costly(viewer) {
    return (this.analysis.costly ?? []).filter((decision) => viewer === null || this.reviews[decision].seat === viewer);
  }

  /** @param {number | null} viewer */
  marks(viewer) {
    return this.costly(viewer).map((decision) => {
      const { seat, cost } = this.reviews[decision];
      const text = fill(strings.costly, { player: `player_${seat}`, cost: points(cost) });
      return { x: this.frames[decision], y: this.analysis.shares[decision][seat], colour: this.replay.recording.colours[seat], title: text };
    });
  }

  /** Another view is shown. */
  refresh() {
    this.chart.update({ marks: this.marks(this.viewer) });
  }

  /** @param {boolean} isHeated */
  heat(isHeated) {
    this.isHeated = this.heatBox.checked = isHeated;
    this.show(this.replay.at);
  }

  nextCostly() {
    const later = this.costly(this.viewer).map((decision) => this.frames[decision]);
    const next = later.find((at) => at > this.replay.at) ?? later[0];
    if (next !== undefined) this.replay.steer(next);
  }

  /**
   * The position that is shown.
   * @param {number} at
   */
  show(at) {
    this.chart.mark(at);
    const decision = this.decisions[at];
    const share = this.analysis.shares[Math.min(decision, this.analysis.shares.length - 1)];
    this.replay.playerRows.forEach((row, seat) => {
      let rate = row.querySelector(".rate");
      if (!rate) row.append((rate = make("span", { class: "rate" })));
      rate.textContent = percent(share[seat]);
      rate.setAttribute("title", strings.winRate);
    });
    const count = this.costly(this.viewer).length;
    this.costlyButton.textContent = fill(strings.nextCostly, { count });
    /** @type {HTMLButtonElement} */ (this.costlyButton).disabled = count === 0;
    const review = this.reviews[decision];
    const isSeen = review && (this.viewer === null || this.viewer === review.seat);
    const isHere = this.frames[decision] === at;
    this.replay.board.heat(isSeen && isHere && this.isHeated ? heatOf(review) : new Map());
    if (isSeen) this.fill(review);
    else this.body.replaceChildren(make("p", { class: "empty" }, review ? strings.otherDecides : strings.over));
  }

  /** @param {Review} review */
  fill(review) {
    const { seat, played, cost, choices, line } = review;
    const isBest = played === 0;
    const kind = cost >= (this.analysis.threshold ?? 0.05) ? "bad" : isBest ? "good" : "";
    const verdict = kind === "bad" ? fill(strings.cost, { cost: points(cost) }) : isBest ? strings.best : cost ? fill(strings.near, { cost: points(cost) }) : strings.asGood;
    const who = make("p", { class: "decides" }, seatMark(seat, this.replay.recording.colours), make("b", {}, fill(strings.decides, { player: `player_${seat}` })));
    who.append(make("span", { class: `verdict ${kind}` }, verdict));
    const isShown = (/** @type {number} */ at) => this.isWhole || at < LISTED || at === played;
    const table = reviewTable(choices, seat, played, isShown);
    const hidden = choices.filter((_, at) => !isShown(at)).length;
    const parts = [who, table];
    if (hidden || this.isWhole) {
      const toggle = () => {
        this.isWhole = !this.isWhole;
        this.fill(review);
      };
      parts.push(make("button", { type: "button", class: "more", onclick: toggle }, this.isWhole ? strings.fewer : fill(strings.moreChoices, { count: hidden })));
    }
    if (line.length > 1) parts.push(make("p", { class: "line" }, make("b", {}, strings.expected), " ", line.slice(0, 5).join(" → ")));
    this.body.replaceChildren(...parts);
  }
}

/**
 * Choices with their visits and win rates.
 * @param {[string, number, number[], ...any[]][]} choices name, visits, win rate by seat
 * @param {number} seat whose win rate is shown
 * @param {number} played the index of the choice that was played; -1: none yet
 * @param {(at: number) => boolean} isShown
 */
export function reviewTable(choices, seat, played, isShown) {
  const most = Math.max(...choices.map(([, visits]) => visits), 1);
  const total = Math.max(1, choices.reduce((sum, [, visits]) => sum + visits, 0));
  const rows = choices.map(([name, visits, values], at) => {
    if (!isShown(at)) return "";
    const bar = make("span", { class: "bar" });
    bar.style.width = `${(100 * visits) / most}%`;
    const mark = at === played ? make("span", { class: "tag" }, strings.played) : "";
    const cell = make("td", { class: "share", title: fill(strings.visits, { visits }) }, bar, make("span", {}, percent(visits / total)));
    const others = values.map((value, one) => `player_${one} ${percent(value)}`).join(", ");
    return make("tr", at === played ? { class: "played" } : {}, make("td", {}, name, " ", mark), cell, make("td", { title: others }, percent(values[seat])));
  });
  const heads = [strings.choice, strings.share, strings.winRate].map((text) => make("th", { scope: "col" }, text));
  return make("table", { class: "review-table" }, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows));
}

/**
 * What a search found, by place: the visits' shares added up, and the mover's win rate after the best choice there.
 * @param {{seat: number, choices: [string, number, number[], string[]][]}} review the best choices first
 * @returns {Map<string, import("./board.js").Heat>}
 */
export function heatOf({ seat, choices }) {
  const total = Math.max(1, choices.reduce((sum, [, visits]) => sum + visits, 0));
  /** @type {Map<string, import("./board.js").Heat>} */
  const found = new Map();
  for (const [, visits, values, places] of choices) {
    for (const place of visits ? new Set(places) : []) {
      const { share, text } = found.get(place) ?? { share: 0, text: percent(values[seat]) };
      found.set(place, { share: share + visits / total, text });
    }
  }
  return found;
}

/** @param {number} cost in percentage points */
function points(cost) {
  return cost < 0.0995 ? (100 * cost).toFixed(1) : String(Math.round(100 * cost));
}
