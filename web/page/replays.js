/** The list of replays. */
import { make, seatMark } from "./replay.js";
import { ask, RequestError } from "./site.js";
import { fill } from "./strings.en.js";
import { words } from "./strings.pages.en.js";

const MOST = 1024 * 1024; // bytes of an upload

/** @param {number} seconds since 1970 */
export function whenText(seconds) {
  const ago = Date.now() / 1000 - seconds;
  const format = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  if (ago < 90) return "just now";
  if (ago < 5400) return format.format(-Math.round(ago / 60), "minute");
  if (ago < 129600) return format.format(-Math.round(ago / 3600), "hour");
  if (ago < 2592000) return format.format(-Math.round(ago / 86400), "day");
  return new Date(seconds * 1000).toLocaleDateString("en", { year: "numeric", month: "short", day: "numeric" });
}

/** @param {any} replay */
function winnerOf({ ranks, scores, names }) {
  if (!ranks) return make("span", { class: "badge" }, words.unfinished);
  const seats = ranks.flatMap((/** @type {number} */ rank, /** @type {number} */ seat) => (rank === 1 ? [seat] : []));
  const parts = seats.map((/** @type {number} */ seat) => make("span", { class: "who-won" }, `player_${seat}${names[seat] ? ` (${names[seat]})` : ""}, ${scores[seat]}`));
  return make("span", { class: "winners" }, ...parts);
}

/** @param {any} replay */
function row(replay) {
  const link = make("a", { href: `/replay/${replay.id}` }, make("b", {}, replay.title), make("small", {}, replay.variant));
  const names = replay.names.filter(Boolean);
  const counted = [...new Set(names)].map((name) => {
    const count = names.filter((/** @type {string} */ other) => other === name).length;
    return count > 1 ? `${count} × ${name}` : name;
  });
  const badge = replay.analysed ? make("span", { class: "badge good" }, words.analysed) : "";
  return make(
    "tr",
    {},
    make("td", { class: "main" }, link),
    make("td", { "data-label": words.who }, counted.join(", ")),
    make("td", { "data-label": words.result }, winnerOf(replay)),
    make("td", { "data-label": words.decisions, class: "number" }, String(replay.moves), " ", badge),
    make("td", { "data-label": words.when, title: replay.file }, whenText(replay.when)),
  );
}

class ReplaysPage {
  constructor() {
    this.error = make("div", { "aria-live": "polite" });
    this.list = make("div", {});
    this.filter = /** @type {HTMLInputElement} */ (make("input", { type: "search", placeholder: words.filter, "aria-label": words.filter }));
    this.filter.addEventListener("input", () => this.show());
    const file = /** @type {HTMLInputElement} */ (make("input", { type: "file", accept: ".jsonl,application/jsonl", class: "hidden", id: "file" }));
    file.addEventListener("change", () => file.files?.[0] && this.upload(file.files[0]));
    const drop = make("label", { class: "drop", for: "file" }, make("b", {}, words.drop), make("span", {}, words.dropMore), file);
    for (const name of ["dragover", "dragleave", "drop"]) {
      drop.addEventListener(name, (event) => {
        event.preventDefault();
        drop.classList.toggle("over", name === "dragover");
        const dropped = /** @type {DragEvent} */ (event).dataTransfer?.files[0];
        if (name === "drop" && dropped) this.upload(dropped);
      });
    }
    const lead = make("p", { class: "lead" }, words.replaysLead);
    const card = make("section", { class: "card" }, this.filter, this.list);
    this.damaged = make("div", {});
    document.getElementById("page")?.append(make("main", { class: "sheet" }, make("h1", {}, words.replays), lead, drop, this.error, card, this.damaged));
    this.load();
  }

  async load() {
    try {
      this.found = await ask("/api/replays");
    } catch (error) {
      this.fail(error);
      return;
    }
    this.show();
  }

  show() {
    if (!this.found) return;
    const { replays, damaged, more } = this.found;
    const asked = this.filter.value.trim().toLowerCase();
    const shown = replays.filter((/** @type {any} */ one) => [one.title, one.variant, one.file, ...one.names].join(" ").toLowerCase().includes(asked));
    const heads = [words.game, words.who, words.result, words.decisions, words.when].map((text) => make("th", { scope: "col" }, text));
    this.filter.hidden = replays.length < 8;
    if (!shown.length) this.list.replaceChildren(make("p", { class: "empty" }, replays.length ? words.noMatch : words.noReplays));
    else this.list.replaceChildren(make("table", { class: "listing" }, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...shown.map(row))));
    if (more) this.list.append(make("p", { class: "empty" }, fill(words.moreReplays, { count: more })));
    this.damaged.replaceChildren(damagedList(damaged));
  }

  /** @param {File} file */
  async upload(file) {
    this.error.replaceChildren();
    if (file.size > MOST) {
      this.fail(new Error(fill(words.tooLarge, { name: file.name, size: (file.size / MOST).toFixed(1) })));
      return;
    }
    this.error.replaceChildren(make("p", { class: "notice" }, make("span", { class: "spinner" }), fill(words.checking, { name: file.name })));
    try {
      const answer = await fetch("/api/replays", { method: "POST", body: file });
      const facts = await answer.json();
      if (!answer.ok) throw new RequestError(answer.status, facts);
      location.href = `/replay/${facts.id}`;
    } catch (error) {
      this.fail(error);
    }
  }

  /** @param {any} error */
  fail(error) {
    this.error.replaceChildren(make("p", { class: "notice error" }, String(error.message)));
  }
}

/** @param {{file?: string, name?: string, error: string}[]} damaged */
export function damagedList(damaged) {
  if (!damaged.length) return "";
  const lines = damaged.map(({ file, name, error }) => make("li", {}, make("b", {}, file ?? name ?? ""), " ", error));
  return make("section", { class: "card" }, make("h2", {}, words.damaged), make("ul", { class: "damaged" }, ...lines));
}

if (location.pathname === "/replays") new ReplaysPage();
