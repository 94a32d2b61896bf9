/** The rules of a game: in short, what its pieces do, and in full. */
import { markdown } from "./markdown.js";
import { make } from "./replay.js";
import { ask, dialog } from "./site.js";
import { strings } from "./strings.site.en.js";

/**
 * @typedef {{title: string, text: string, places: string[]}} Entry
 * @typedef {{short: string, full: string, guide: Entry[]}} Texts
 */

export class Rules {
  /** @param {string} path of the request */
  constructor(path) {
    /** @type {Map<string, Entry>} by place */
    this.guide = new Map();
    this.body = make("div", { class: "rules" });
    this.root = dialog(strings.rules, this.body, "large");
    this.texts = this.load(path);
  }

  /**
   * @param {string} path
   * @returns {Promise<Texts | null>}
   */
  async load(path) {
    const texts = await ask(path).catch(() => null);
    for (const entry of texts?.guide ?? []) for (const place of entry.places) this.guide.set(place, entry);
    return texts;
  }

  async show() {
    const texts = await this.texts;
    if (!texts || this.root.open) return;
    this.body.replaceChildren(...pages(texts));
    this.root.showModal();
  }

  /**
   * What the piece at a place does; "" if nothing is to be said.
   * @param {string} place
   */
  about(place) {
    const entry = this.guide.get(place) ?? this.guide.get(place.replace(/^player:\d+:/, "player:"));
    return entry ? `${entry.title}: ${entry.text}` : "";
  }
}

/**
 * The rules in tabs.
 * @param {Texts} rules
 * @returns {Node[]}
 */
function pages(rules) {
  /** @type {[string, () => Node][]} */
  const parts = [
    [strings.short, () => markdown(rules.short)],
    ...(rules.guide.length ? [/** @type {[string, () => Node]} */ ([strings.pieces, () => guideList(rules.guide)])] : []),
    [strings.full, () => markdown(rules.full)],
  ];
  const body = make("div", { class: "pages", tabindex: "0" });
  const tabs = make("div", { class: "segments", role: "group" });
  const open = (/** @type {number} */ at) => {
    body.replaceChildren(parts[at][1]());
    [...tabs.children].forEach((tab, index) => tab.setAttribute("aria-pressed", String(index === at)));
  };
  tabs.append(...parts.map(([title], at) => make("button", { type: "button", onclick: () => open(at) }, title)));
  open(0);
  return [tabs, body];
}

/** @param {Entry[]} guide */
function guideList(guide) {
  const rows = guide.map(({ title, text }) => make("div", { class: "entry" }, make("dt", {}, title), make("dd", {}, text)));
  const filter = /** @type {HTMLInputElement} */ (make("input", { type: "search", placeholder: strings.search, "aria-label": strings.search }));
  filter.addEventListener("input", () => {
    for (const row of rows) row.hidden = !(row.textContent ?? "").toLowerCase().includes(filter.value.toLowerCase());
  });
  return make("div", { class: "guide" }, filter, make("dl", { class: "entries" }, ...rows));
}
