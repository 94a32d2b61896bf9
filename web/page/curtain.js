/** What hides the table from one person until another, at the same device, has left it. */
import { make, seatMark } from "./replay.js";
import { fill, strings } from "./strings.site.en.js";

export class Curtain {
  constructor() {
    /** @type {number | null} for whom it is closed */
    this.seat = null;
    this.root = make("div", { class: "curtain", hidden: "" });
  }

  /**
   * @param {number} seat who looks next
   * @param {any} facts what everyone at the table knows
   * @param {() => void} onLift called when that person is there
   */
  close(seat, facts, onLift) {
    const player = facts.players[seat].name;
    const lift = make("button", { class: "plain large", type: "button", onclick: onLift }, fill(strings.lift, { player }));
    const lead = make("p", {}, strings.curtainLead);
    this.root.replaceChildren(make("div", { class: "card" }, seatMark(seat, facts.colours), make("h2", {}, fill(strings.curtain, { player })), lead, lift));
    this.seat = seat;
    this.root.hidden = false;
    lift.focus();
  }

  open() {
    this.seat = null;
    this.root.hidden = true;
  }
}
