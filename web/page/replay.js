/**
 * The replay player: a board, a log and controls, for a document as web/frames.py describes it.
 * The same player runs in a file on its own, in a notebook and on the server.
 */
import { AnalysisPanel } from "./analysis.js";
import { Board } from "./board.js";
import { fill, strings } from "./strings.en.js";

const SPEEDS = [0.5, 1, 2, 4, 8];
const PAUSE = 1000; // milliseconds at speed 1
const ICONS = {
  first: "M6 5v14M19 5 9 12l10 7z",
  back: "M17 5 7 12l10 7z",
  play: "M7 5l12 7-12 7z",
  pause: "M8 5v14M16 5v14",
  forward: "M7 5l10 7-10 7z",
  last: "M18 5v14M5 5l10 7-10 7z",
  theme: "M12 4a8 8 0 1 0 8 8 6 6 0 0 1-8-8z",
  help: "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.1-1.5 2.4M12 17.5v.5",
};

/**
 * @typedef {object} View
 * @property {string} view "all" or a player
 * @property {number | null} seat
 * @property {number[][] | null} frames null: not loaded yet
 * @property {[number | null, string][][] | null} log null: that of the first view
 * @property {string[][] | null} marks null: those of the first view
 * @property {Pictures} [pictures] its own, if it was loaded later
 *
 * @typedef {object} Recording
 * @property {string} title
 * @property {string} variant
 * @property {string[]} names
 * @property {string[]} colours
 * @property {string[]} elements
 * @property {any[][]} pieces
 * @property {View[]} views
 * @property {number[] | null} decisions
 * @property {{scores: number[], ranks: number[]} | null} result
 * @property {import("./analysis.js").Analysis | null} analysis
 */

/**
 * A packed document: gzip in base64.
 * @param {string} packed
 * @returns {Promise<Recording>}
 */
export async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

/** The pictures of a recording, put together again. */
export class Pictures {
  /** @param {Recording} recording */
  constructor(recording) {
    /** @type {number[][]} */
    const pieces = [];
    for (const [base, ...changed] of recording.pieces) {
      const from = base < 0 ? [] : pieces[base];
      if (Array.isArray(changed[2])) {
        const [front, back, ids] = changed;
        pieces.push([...from.slice(0, front), ...ids, ...from.slice(from.length - back)]);
      } else {
        pieces.push(replaced(from, changed));
      }
    }
    this.pieces = pieces.map((ids) => ids.map((id) => recording.elements[id]).join(""));
    /** @type {Map<View, number[][]>} */
    this.known = new Map();
  }

  /**
   * @param {View} view
   * @param {number} at
   */
  picture(view, at) {
    return this.expand(view)[at].map((piece) => this.pieces[piece]).join("");
  }

  /**
   * The pieces of every frame.
   * @param {View} view
   */
  expand(view) {
    let frames = this.known.get(view);
    if (!frames) {
      /** @type {number[]} */
      let shown = [];
      let named = 0;
      frames = view.frames.map(([count, ...changed]) => {
        const pieces = changed.map((number, at) => (at % 2 ? (named += number) : number));
        shown = replaced(shown.slice(0, count), pieces);
        return shown;
      });
      this.known.set(view, frames);
    }
    return frames;
  }
}

/**
 * A list with some of its numbers changed.
 * @param {number[]} list
 * @param {number[]} changed index, number, index, number, ...
 */
function replaced(list, changed) {
  const copy = list.slice();
  for (let at = 0; at < changed.length; at += 2) copy[changed[at]] = changed[at + 1];
  return copy;
}

/**
 * An element with attributes, listeners (`onclick`) and children.
 * @param {string} name
 * @param {Record<string, any>} attributes
 * @param {...(Node | string)} children
 * @returns {HTMLElement}
 */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/**
 * A button with an icon.
 * @param {keyof typeof ICONS} icon
 * @param {string} title
 * @param {() => void} onclick
 */
export function iconButton(icon, title, onclick) {
  const button = make("button", { type: "button", class: `icon ${icon}`, title, "aria-label": title, onclick });
  button.innerHTML = drawing(icon);
  return button;
}

/** @param {keyof typeof ICONS} icon */
function drawing(icon) {
  return `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${ICONS[icon]}"/></svg>`;
}

/**
 * A player's number in its colour.
 * @param {number} seat
 * @param {string[]} colours
 */
export function seatMark(seat, colours) {
  const mark = make("span", { class: "seat", "aria-hidden": "true" }, String(seat));
  mark.style.background = colours[seat];
  return mark;
}

export class Replay {
  /**
   * @param {HTMLElement} root what the player is put into
   * @param {Recording} recording
   * @param {{load?: (view: string) => Promise<Recording>, tools?: HTMLElement[]}} [options] how views that are not in the recording are
   *   loaded, and what else stands in the header
   */
  constructor(root, recording, options = {}) {
    for (const view of recording.views) {
      if (!view.frames) continue;
      view.log ??= recording.views[0].log;
      view.marks ??= recording.views[0].marks;
    }
    this.recording = recording;
    this.options = options;
    /** @type {AnalysisPanel | null} */
    this.panel = null;
    this.pictures = new Pictures(recording);
    this.view = recording.views[0];
    this.at = 0;
    this.timer = 0;
    this.speed = 1;
    this.build(root);
    this.fillLog();
    this.go(this.linked());
    document.addEventListener("keydown", (event) => this.key(event));
  }

  get end() {
    return this.view.frames.length - 1;
  }

  // What is on the page

  /** @param {HTMLElement} root */
  build(root) {
    const { recording } = this;
    const place = make("div", { class: "board", "data-testid": "board" });
    this.board = new Board(place);
    this.tabs = make("div", { class: "tabs", role: "group", "aria-label": strings.part });
    this.slider = /** @type {HTMLInputElement} */ (
      make("input", { type: "range", min: "0", max: String(this.end), value: "0", "aria-label": strings.position })
    );
    this.slider.addEventListener("input", () => this.steer(Number(this.slider.value)));
    this.count = make("output", { class: "count" });
    this.playButton = iconButton("play", strings.autoplay, () => this.toggle());
    this.playButton.classList.add("primary");
    this.said = make("p", { class: "said" });
    this.log = make("ol", { class: "log" });
    this.playerRows = recording.names.map((name, seat) => {
      const outcome = make("span", { class: "outcome" });
      const row = make("li", {}, seatMark(seat, recording.colours), make("span", { class: "who" }, `player_${seat}`));
      row.append(make("span", { class: "agent" }, name), outcome);
      return row;
    });
    this.chart = make("div", { class: "chart-place" });
    this.analysis = make("div", { class: "analysis-place" });
    const buttons = make(
      "div",
      { class: "buttons" },
      iconButton("first", strings.first, () => this.steer(0)),
      iconButton("back", strings.back, () => this.steer(this.step(-1))),
      this.playButton,
      iconButton("forward", strings.forward, () => this.steer(this.step(1))),
      iconButton("last", strings.last, () => this.steer(this.end)),
    );
    this.speedChoice = this.choice(strings.speed, SPEEDS.map((speed) => [String(speed), `${speed}×`]), "1", (value) => {
      this.speed = Number(value);
    });
    const views = recording.views.map((view, index) => /** @type {[string, string]} */ ([String(index), this.viewName(view)]));
    this.viewChoice = this.choice(strings.view, views, "0", (value) => this.show(recording.views[Number(value)]));
    this.help = this.keysDialog();
    const heading = make("h1", {}, recording.title, " ", make("small", {}, recording.variant));
    const header = make(
      "header",
      {},
      heading,
      this.viewChoice,
      ...(this.options.tools ?? []),
      iconButton("help", strings.help, () => this.help.showModal()),
      iconButton("theme", strings.theme, switchTheme),
    );
    const controls = make("div", { class: "controls" }, buttons, this.slider, this.count, this.speedChoice);
    const players = make("section", { class: "card" }, make("h2", {}, strings.players), make("ul", { class: "players" }, ...this.playerRows));
    const log = make("section", { class: "card grows" }, make("h2", {}, strings.log), this.log);
    const stage = make("main", { class: "stage" }, this.tabs, place, this.said, this.chart, controls);
    root.classList.add("app");
    if (recording.analysis) this.analyse(recording.analysis);
    root.replaceChildren(header, stage, make("aside", { class: "side" }, players, this.analysis, log), this.help);
  }

  /** @param {View} view */
  viewName(view) {
    if (view.seat === null) return strings.all;
    const name = this.recording.names[view.seat];
    return fill(strings.asSeenBy, { player: `player_${view.seat}${name ? ` (${name})` : ""}` });
  }

  /**
   * @param {string} title
   * @param {[string, string][]} options
   * @param {string} chosen
   * @param {(value: string) => void} onchange
   */
  choice(title, options, chosen, onchange) {
    const select = make("select", { "aria-label": title, title }, ...options.map(([value, text]) => make("option", { value }, text)));
    const found = /** @type {HTMLSelectElement} */ (select);
    found.value = chosen;
    found.addEventListener("change", () => onchange(found.value));
    found.hidden = options.length < 2;
    return found;
  }

  keysDialog() {
    const rows = strings.keys.flatMap(([keys, what]) => [make("dt", {}, keys), make("dd", {}, what)]);
    const close = make("button", { class: "plain", autofocus: "" }, strings.close);
    const form = make("form", { method: "dialog" }, make("h2", {}, strings.help), make("dl", {}, ...rows), close);
    return /** @type {HTMLDialogElement} */ (make("dialog", {}, form));
  }

  fillLog() {
    this.lines = this.view.log.map((lines, at) => {
      if (at > 0 && !lines.length) return null;
      return make("li", {}, make("button", { type: "button", onclick: () => this.steer(at) }, ...this.spoken(at)));
    });
    this.log.replaceChildren(...this.lines.filter((line) => line !== null));
  }

  /**
   * What this viewer learns before a position.
   * @param {number} at
   */
  spoken(at) {
    if (at === 0) return [make("span", { class: "told" }, strings.setup)];
    return this.view.log[at].map(([seat, text]) => {
      const line = make("span", { class: seat === null ? "told" : "done" });
      if (seat !== null) line.append(seatMark(seat, this.recording.colours), make("span", { class: "hidden" }, `player_${seat}: `));
      line.append(make("span", {}, text));
      return line;
    });
  }

  /**
   * Show what a search found.
   * @param {import("./analysis.js").Analysis} analysis
   */
  analyse(analysis) {
    if (!this.recording.decisions) return;
    this.panel = new AnalysisPanel(this, analysis);
    this.chart.replaceChildren(this.panel.chart.root);
    this.analysis.replaceChildren(this.panel.card);
  }

  // Where we are

  /**
   * Show a position.
   * @param {number} at
   */
  go(at) {
    this.at = Math.max(0, Math.min(this.end, at));
    this.board.show((this.view.pictures ?? this.pictures).picture(this.view, this.at), { last: this.view.marks[this.at] });
    this.slider.value = String(this.at);
    this.slider.max = String(this.end);
    this.slider.style.setProperty("--done", `${(100 * this.at) / Math.max(1, this.end)}%`);
    this.count.textContent = `${this.at} / ${this.end}`;
    this.said.replaceChildren(...this.spoken(this.at));
    this.fillTabs();
    this.markLine();
    this.showOutcome();
    this.panel?.show(this.at);
    try {
      history.replaceState(null, "", `#${this.at}`);
    } catch {
      // a page inside another page has no address of its own
    }
  }

  /** The position that the address asks for. */
  linked() {
    return location.hash === "#last" ? this.end : Number(/^#(\d+)$/.exec(location.hash)?.[1] ?? 0);
  }

  /**
   * Show a position because a person asked for it.
   * @param {number} at
   */
  steer(at) {
    this.pause();
    this.said.setAttribute("aria-live", "polite");
    this.go(at);
  }

  /**
   * The next position that shows this viewer something new.
   * @param {1 | -1} way
   */
  step(way) {
    let at = this.at + way;
    while (at > 0 && at < this.end && !this.isNews(at)) at += way;
    return at;
  }

  /** @param {number} at */
  isNews(at) {
    return this.view.log[at].length > 0 || this.view.frames[at].length > 1;
  }

  /**
   * The next move of the player who made the last one.
   * @param {1 | -1} way
   */
  sameSeat(way) {
    const seatAt = (/** @type {number} */ at) => this.view.log[at].find(([seat]) => seat !== null)?.[0];
    const seat = seatAt(this.at);
    let at = this.at + way;
    while (at > 0 && at < this.end && seatAt(at) !== seat) at += way;
    return at;
  }

  /** @param {View} view */
  async show(view) {
    if (!view.frames && this.options.load) {
      this.board.host.classList.add("loading");
      try {
        const loaded = await this.options.load(view.view);
        Object.assign(view, loaded.views[0], { pictures: new Pictures(loaded) });
      } catch (error) {
        this.said.textContent = String(/** @type {Error} */ (error).message);
      }
      this.board.host.classList.remove("loading");
      if (!view.frames) return;
    }
    this.view = view;
    this.panel?.refresh();
    this.fillLog();
    this.go(this.at);
  }

  markLine() {
    this.log.querySelector("[aria-current]")?.removeAttribute("aria-current");
    let at = this.at;
    while (at > 0 && !this.lines[at]) at -= 1;
    const line = this.lines[at];
    if (!line) return;
    line.setAttribute("aria-current", "step");
    const middle = line.offsetTop - this.log.offsetTop - (this.log.clientHeight - line.offsetHeight) / 2;
    this.log.scrollTop = Math.max(0, middle);
  }

  fillTabs() {
    const panels = [{ name: "", title: strings.whole }, ...this.board.panels()];
    const shown = panels.some(({ name }) => name === this.board.panel) ? this.board.panel : "";
    const tabs = panels.map(({ name, title }) => {
      const zoom = () => {
        this.board.zoom(name);
        this.fillTabs();
      };
      return make("button", { type: "button", "aria-pressed": String(name === shown), onclick: zoom }, title);
    });
    const scrolled = this.tabs.scrollLeft;
    this.tabs.replaceChildren(...tabs);
    this.tabs.scrollLeft = scrolled;
  }

  showOutcome() {
    const { result } = this.recording;
    this.playerRows.forEach((row, seat) => {
      const isShown = result !== null && this.at === this.end;
      row.classList.toggle("winner", isShown && result.ranks[seat] === 1);
      const said = isShown ? `${fill(strings.points, { score: result.scores[seat] })}, ${fill(strings.rank, { rank: result.ranks[seat] })}` : "";
      row.querySelector(".outcome").textContent = said;
    });
  }

  // Playing by itself

  toggle() {
    if (this.timer) this.pause();
    else this.play();
  }

  play() {
    if (this.at === this.end) this.go(0);
    this.said.removeAttribute("aria-live"); // a game that plays by itself would talk without end
    const next = () => {
      this.go(this.step(1));
      if (this.at === this.end) this.pause();
      else this.timer = window.setTimeout(next, PAUSE / this.speed);
    };
    this.timer = window.setTimeout(next, PAUSE / this.speed / 2);
    this.playButton.innerHTML = drawing("pause");
    this.playButton.setAttribute("aria-label", strings.pause);
  }

  pause() {
    window.clearTimeout(this.timer);
    this.timer = 0;
    this.playButton.innerHTML = drawing("play");
    this.playButton.setAttribute("aria-label", strings.autoplay);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const within = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || within.matches("input, select, textarea") || this.help.open) return;
    const panels = ["", ...this.board.panels().map(({ name }) => name)];
    const acts = {
      ArrowLeft: () => this.steer(this.step(-1)),
      ArrowRight: () => this.steer(this.step(1)),
      ArrowUp: () => this.steer(this.sameSeat(-1)),
      ArrowDown: () => this.steer(this.sameSeat(1)),
      Home: () => this.steer(0),
      End: () => this.steer(this.end),
      " ": () => this.toggle(),
      m: () => this.panel?.nextCostly(),
      a: () => this.panel?.heat(!this.panel.isHeated),
      v: () => this.nextView(),
      z: () => {
        this.board.zoom(panels[(panels.indexOf(this.board.panel) + 1) % panels.length]);
        this.fillTabs();
      },
      t: switchTheme,
      "?": () => this.help.showModal(),
    };
    const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act || (event.key === " " && within.matches("button"))) return;
    event.preventDefault();
    act();
  }

  nextView() {
    const { views } = this.recording;
    const next = (views.indexOf(this.view) + 1) % views.length;
    this.viewChoice.value = String(next);
    this.show(views[next]);
  }
}

/** Light or dark, whatever the system prefers. */
export function switchTheme() {
  const { dataset } = document.documentElement;
  const isDark = dataset.theme ? dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  dataset.theme = isDark ? "light" : "dark";
}

/** Play the game that is in this very page. */
export async function openEmbedded() {
  const root = document.getElementById("replay");
  const data = document.getElementById("data");
  if (!root || !data) return;
  if (!("DecompressionStream" in window)) root.textContent = strings.tooOld;
  else new Replay(root, await unpack(data.textContent ?? ""));
}
