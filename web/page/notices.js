/** What has to be said above the board: errors, the end of a game, wishes to take back. */
import { make } from "./replay.js";
import { fill, strings } from "./strings.site.en.js";

/**
 * @param {import("./table.js").Position | null} position
 * @param {any} facts what everyone at the table knows
 * @param {string} problem what a request of this page was refused for
 * @param {{retry: (agent?: string) => void, undo: (agree: boolean) => void}} acts what the buttons do
 * @returns {HTMLElement[]}
 */
export function noticesOf(position, facts, problem, { retry, undo }) {
  /** @type {HTMLElement[]} */
  const found = [];
  const say = (/** @type {string} */ kind, /** @type {(Node | string)[]} */ ...parts) => found.push(make("div", { class: `notice ${kind}` }, ...parts));
  const button = (/** @type {string} */ text, /** @type {() => void} */ onclick) => make("button", { class: "quiet", type: "button", onclick }, text);
  if (problem) say("error", problem);
  if (!position) return found;
  const { status, warning, failure, undo: wish } = position;
  if (warning) say("error", warning);
  if (status === "failed") say("error", failure, button(strings.retry, () => retry()), button(strings.replaceAgent, () => retry("medium")));
  if (status === "stopped") {
    const back = facts.owner ? [make("a", { class: "quiet", href: "/" }, strings.backToStart)] : [];
    say("", `${strings.status.stopped}. ${strings.stopped}`, ...back);
  }
  if (wish?.seat === null || wish?.seat === undefined) return found;
  const player = facts.players[wish.seat].name;
  if (wish.how === "asked") say("", strings.undoAsked, button(strings.cancel, () => undo(false)));
  if (wish.how === "agreed") say("", fill(strings.undoAgreed, { player }));
  if (wish.how === "agree") {
    say("", fill(strings.undoWish, { player }), button(strings.agree, () => undo(true)), button(strings.refuse, () => undo(false)));
  }
  return found;
}
