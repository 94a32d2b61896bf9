/** What a search finds at the decision of a running game, from what the seat to move knows: beside the board, and on it. */
import { heatOf, reviewTable } from "./analysis.js";
import { percent } from "./chart.js";
import { make } from "./replay.js";
import { fill, strings } from "./strings.site.en.js";

const LISTED = 6; // choices

/**
 * @typedef {{simulations: number, value: number[], choices: {id: number, visits: number, values: number[]}[]}} Found
 */

export class LiveAnalysis {
  /**
   * @param {import("./board.js").Board} board
   * @param {HTMLElement[]} playerRows
   */
  constructor(board, playerRows) {
    this.board = board;
    this.rates = playerRows.map((row) => row.appendChild(make("span", { class: "rate", title: strings.winRate })));
    this.root = make("div", { class: "live", role: "status", tabindex: "0", "aria-label": strings.analysis, hidden: "" });
  }

  /**
   * @param {Found} found
   * @param {import("./choosing.js").Choice[]} choices
   * @param {number} seat
   */
  show({ simulations, value, choices: tried }, choices, seat) {
    const known = new Map(choices.map((choice) => [choice.id, choice]));
    /** @type {[string, number, number[], string[]][]} */
    const rows = tried.map(({ id, visits, values }) => [known.get(id)?.name ?? "", visits, values, known.get(id)?.places ?? []]);
    const about = make("p", { class: "about" }, fill(strings.foundBy, { simulations }));
    this.root.replaceChildren(reviewTable(rows, seat, -1, (at) => at < LISTED), about);
    this.root.hidden = false;
    this.rates.forEach((rate, at) => (rate.textContent = percent(value[at])));
    this.board.heat(heatOf({ seat, choices: rows }));
  }

  clear() {
    this.root.hidden = true;
    this.root.replaceChildren();
    for (const rate of this.rates) rate.textContent = "";
    this.board.heat(new Map());
  }
}
