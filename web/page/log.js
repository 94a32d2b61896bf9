/** The log beside the board: what a seat has learned, with what is new marked. */
import { make, seatMark } from "./replay.js";
import { strings } from "./strings.site.en.js";

export class Log {
  /** @param {string[]} colours of the seats */
  constructor(colours) {
    this.colours = colours;
    /** @type {string[]} the lines that are shown */
    this.shown = [];
    this.root = make("ol", { class: "log", tabindex: "0", "aria-label": strings.log, "aria-live": "polite", "aria-relevant": "additions" });
  }

  clear() {
    this.root.replaceChildren();
    this.shown = [];
  }

  /**
   * Add what is new; start over if something was taken back.
   * @param {[number | null, string][]} lines
   */
  show(lines) {
    const known = this.shown.length;
    const isContinued = known <= lines.length && this.shown.every((text, at) => text === lines[at].join(":"));
    if (!isContinued) this.clear();
    for (const old of this.root.querySelectorAll(".fresh")) old.classList.remove("fresh");
    for (const [seat, text] of lines.slice(this.shown.length)) {
      const done = make("span", { class: seat === null ? "told" : "done" });
      if (seat !== null) done.append(seatMark(seat, this.colours), make("span", { class: "hidden" }, `player_${seat}: `));
      done.append(make("span", {}, text));
      this.root.append(make("li", { class: isContinued && known ? "fresh" : "" }, done));
    }
    this.shown = lines.map((line) => line.join(":"));
    this.root.scrollTop = this.root.scrollHeight;
  }
}
