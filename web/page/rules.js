/** The rules of a game: in short, what its pieces do, and in full. */
import { markdown } from "./markdown.js";
import { make } from "./replay.js";
import { strings } from "./strings.site.en.js";

/**
 * @typedef {{title: string, text: string, places: string[]}} Entry
 * @typedef {{short: string, full: string, guide: Entry[]}} Rules
 */

/**
 * The rules in tabs.
 * @param {Rules} rules
 * @returns {Node[]}
 */
export function rulesPages(rules) {
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
