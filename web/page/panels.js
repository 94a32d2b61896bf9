/** The parts of the board, which a small screen shows one at a time. */
import { make } from "./replay.js";
import { strings } from "./strings.site.en.js";

export class Panels {
  /**
   * @param {import("./board.js").Board} board
   * @param {import("./choosing.js").Choosing} choosing
   */
  constructor(board, choosing) {
    this.board = board;
    this.choosing = choosing;
    this.root = make("div", { class: "tabs", role: "group", "aria-label": strings.part });
  }

  /** Bring the tabs up to date: which parts there are, and in which something can be clicked. */
  fill() {
    const panels = [{ name: "", title: strings.whole }, ...this.board.panels()];
    const shown = panels.some(({ name }) => name === this.board.panel) ? this.board.panel : "";
    const hot = new Set(this.hot());
    const tabs = panels.map(({ name, title }) => {
      const attributes = { type: "button", "aria-pressed": String(name === shown), class: hot.has(name) ? "has-hot" : "", onclick: () => this.zoom(name) };
      return make("button", attributes, title);
    });
    this.root.replaceChildren(...tabs);
  }

  /** The parts in which something can be clicked. */
  hot() {
    const places = new Set(this.choosing.candidates().flatMap(({ places }) => places));
    const isHot = (/** @type {Element} */ piece) => places.has(piece.getAttribute("data-place") ?? "");
    const parts = this.board.svg ? [...this.board.svg.querySelectorAll("[data-panel]")] : [];
    return parts.filter((part) => [...part.querySelectorAll("[data-place]")].some(isHot)).map((part) => part.getAttribute("data-panel") ?? "");
  }

  /** Show a part in which something can be clicked. */
  zoomToChoices() {
    const hot = this.hot();
    if (hot.length && !hot.includes(this.board.panel)) this.zoom(hot[0]);
    this.root.querySelector('[aria-pressed="true"]')?.scrollIntoView({ block: "nearest", inline: "center" });
  }

  /** The next part, and after the last the whole board. */
  next() {
    const names = ["", ...this.board.panels().map(({ name }) => name)];
    this.zoom(names[(names.indexOf(this.board.panel) + 1) % names.length]);
  }

  /** @param {string} panel "" for the whole board */
  zoom(panel) {
    const scrolled = this.root.scrollLeft;
    this.board.zoom(panel);
    this.fill();
    this.root.scrollLeft = scrolled;
    this.choosing.placePopover();
  }
}
