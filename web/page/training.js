/** Training runs and their curves. */
import { Chart, percent, short } from "./chart.js";
import { make } from "./replay.js";
import { damagedList, whenText } from "./replays.js";
import { ask } from "./site.js";
import { fill } from "./strings.en.js";
import { words } from "./strings.pages.en.js";

const EVERY = 5000; // milliseconds between two looks at a run
const LIST_EVERY = 6; // looks at a run between two looks at the list

/** @param {number} index */
export const colourOf = (index) => `var(--series-${(index % 6) + 1})`;

/** @param {number} seconds */
function durationText(seconds) {
  const minutes = Math.round(seconds / 60);
  return minutes < 1 ? `${Math.round(seconds)} s` : minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

class TrainingPage {
  constructor() {
    this.list = make("nav", { class: "run-list", "aria-label": words.training });
    this.detail = make("div", { class: "run" });
    this.damaged = make("div", {});
    const lead = make("p", { class: "lead" }, words.trainingLead);
    this.columns = make("div", { class: "split" }, this.list, this.detail);
    document.getElementById("page")?.append(make("main", { class: "sheet broad" }, make("h1", {}, words.training), lead, this.columns, this.damaged));
    this.chosen = location.hash.slice(1);
    this.looks = 0;
    /** @type {any[]} */
    this.runs = [];
    window.addEventListener("hashchange", () => this.choose(location.hash.slice(1)));
    document.addEventListener("visibilitychange", () => this.tick());
    this.tick();
  }

  /** Look at the list: new runs may be there. */
  async load() {
    try {
      const { runs } = await ask("/api/runs");
      this.runs = runs.filter((/** @type {any} */ run) => !run.error);
      this.damaged.replaceChildren(damagedList(runs.filter((/** @type {any} */ run) => run.error)));
    } catch (error) {
      (this.shown ? this.note : this.columns).replaceChildren(make("p", { class: "notice error" }, String(/** @type {Error} */ (error).message)));
      return;
    }
    if (!this.runs.length) {
      this.columns.replaceChildren(make("p", { class: "card empty" }, words.noRuns));
      return;
    }
    if (!this.list.isConnected) this.columns.replaceChildren(this.list, this.detail);
    const isThere = this.runs.some((/** @type {any} */ run) => run.id === this.chosen);
    if (isThere && this.shown) this.fillList();
    else await this.choose(isThere ? this.chosen : this.runs[0].id);
  }

  fillList() {
    const rows = this.runs.map((/** @type {any} */ run) => {
      const strongest = run.ladder[run.ladder.length - 1];
      const part = run.total ? Math.min(1, run.step / run.total) : null;
      const link = make("a", { href: `#${run.id}`, ...(run.id === this.chosen ? { "aria-current": "true" } : {}) });
      const badge = make("span", { class: `badge ${run.is_live ? "live" : ""}` }, run.is_live ? words.live : whenText(run.when));
      link.append(make("span", { class: "run-name" }, make("b", {}, run.name), badge), make("small", {}, [run.title, run.variant].filter(Boolean).join(", ")));
      if (strongest?.last) link.append(make("small", {}, `${fill(words.against, strongest)}: `, make("b", {}, percent(strongest.last[1]))));
      if (part !== null) {
        const bar = /** @type {HTMLProgressElement} */ (make("progress", { max: "1", "aria-label": words.steps }));
        bar.value = part;
        link.append(bar);
      }
      return link;
    });
    this.list.replaceChildren(...rows);
  }

  /** @param {string} id */
  async choose(id) {
    this.chosen = id;
    this.shown = null;
    this.fillList();
    await this.refresh();
    this.later();
  }

  later() {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.tick(), EVERY);
  }

  async tick() {
    if (document.hidden) return;
    if (!this.runs.length || this.looks % LIST_EVERY === 0) await this.load();
    else await this.refresh();
    this.looks += 1;
    this.later();
  }

  async refresh() {
    const id = this.chosen;
    try {
      const stamp = this.shown ? `?stamp=${this.shown.stamp.join("-")}` : "";
      const run = await ask(`/api/runs/${id}${stamp}`);
      this.note.querySelector(".error")?.remove();
      if (run.unchanged || id !== this.chosen) return;
      if (this.shown && sameCharts(this.shown, run)) this.update(run);
      else this.show(run);
      this.shown = run;
      const at = this.runs.findIndex((/** @type {any} */ other) => other.id === id);
      if (at >= 0) this.runs[at] = run;
      this.fillList();
    } catch (error) {
      this.note.replaceChildren(make("p", { class: "notice error" }, String(/** @type {Error} */ (error).message)));
    }
  }

  note = make("div", { class: "note", "aria-live": "polite" });

  /** @param {any} run */
  show(run) {
    this.note.replaceChildren();
    if (run.error) {
      this.detail.replaceChildren(make("p", { class: "notice error" }, `${run.name}: ${run.error}`));
      return;
    }
    this.facts = make("dl", { class: "facts" });
    const button = /** @type {HTMLButtonElement} */ (make("button", { type: "button", class: "plain" }, words.playNet));
    button.disabled = !run.net;
    if (!run.net) button.title = words.noNet;
    button.addEventListener("click", async () => {
      button.disabled = true;
      try {
        location.href = (await ask(`/api/runs/${run.id}/play`, {})).path;
      } catch (error) {
        button.disabled = false;
        this.note.replaceChildren(make("p", { class: "notice error" }, String(/** @type {Error} */ (error).message)));
      }
    });
    const head = make("div", { class: "run-head" }, make("div", {}, make("h2", {}, run.name), make("p", { class: "lead" }, [run.title, run.variant].filter(Boolean).join(", "))), button);
    const curves = this.curves(run);
    this.charts = curves.map((options) => new Chart(options));
    const [ladder, ...rest] = this.charts;
    const wide = make("section", { class: "card" }, make("h2", {}, words.ladder), make("p", { class: "lead" }, words.ladderLead), ladder.root);
    if (!run.curves.ladder.some((/** @type {any} */ { points }) => points.length)) ladder.root.replaceWith(make("p", { class: "empty" }, words.noPoints));
    const small = rest.map((chart) => make("section", { class: "card" }, make("h2", {}, chart.options.title), chart.root));
    this.detail.replaceChildren(make("section", { class: "card" }, head, this.facts), this.note, wide, make("div", { class: "tiles" }, ...small));
    this.fillFacts(run);
  }

  /** @param {any} run */
  update(run) {
    this.curves(run).forEach((options, index) => this.charts[index].update(options));
    this.fillFacts(run);
  }

  /** @param {any} run */
  fillFacts(run) {
    const total = run.total ? fill(words.of, { done: short(run.step), total: short(run.total) }) : short(run.step);
    const facts = [
      [words.steps, total],
      [words.sps, run.sps ? short(run.sps) : "–"],
      [words.time, run.seconds ? durationText(run.seconds) : "–"],
      ...run.ladder.map((/** @type {any} */ { opponent, last }) => [
        fill(words.against, { opponent }),
        last ? `${percent(last[1])} (${percent(last[2])} to ${percent(last[3])})` : "–",
      ]),
    ];
    this.facts.replaceChildren(...facts.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))));
    if (run.damaged) this.note.replaceChildren(make("p", { class: "notice" }, fill(words.damagedRows, { count: run.damaged })));
  }

  /**
   * @param {any} run
   * @returns {import("./chart.js").ChartOptions[]}
   */
  curves(run) {
    const { ladder, speed, losses } = run.curves;
    const even = run.players ? { y: 1 / run.players, name: fill(words.even, { rate: percent(1 / run.players) }) } : undefined;
    const series = ladder.map((/** @type {any} */ { opponent, points }, /** @type {number} */ index) => ({
      name: fill(words.against, { opponent }),
      colour: colourOf(index),
      points: points.map((/** @type {number[]} */ [x, y]) => [x, y]),
      band: points.map((/** @type {number[]} */ [x, , low, high]) => [x, low, high]),
    }));
    const single = (/** @type {string} */ title, /** @type {number[][]} */ points, /** @type {number} */ index) => ({
      title,
      height: 170,
      xName: words.envSteps,
      series: [{ name: title, colour: colourOf(index), points, dash: "" }],
    });
    return [
      { title: words.ladder, height: 300, range: [0, 1], yText: percent, xName: words.envSteps, series, reference: even },
      single(words.sps, speed, 0),
      ...losses.map((/** @type {any} */ { title, points }) => single(title, points, 1)),
    ];
  }
}

/**
 * Whether the same charts show both, so that they need not be drawn again.
 * @param {any} a
 * @param {any} b
 */
function sameCharts(a, b) {
  const shape = (/** @type {any} */ { id, net, error, curves }) =>
    JSON.stringify([id, Boolean(net), error, curves?.ladder.map((/** @type {any} */ one) => [one.opponent, one.points.length > 0]), curves?.losses.map((/** @type {any} */ one) => one.name)]);
  return shape(a) === shape(b);
}

new TrainingPage();
