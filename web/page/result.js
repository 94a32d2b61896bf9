/** The end of a game: final scores, where they come from, and what to do next. */
import { make, seatMark } from "./replay.js";
import { fill, strings } from "./strings.site.en.js";

/**
 * @param {any} result of a position
 * @param {any} facts of the table
 * @param {string} path of the game's requests
 */
export function resultTable(result, facts, path) {
  const heads = [strings.players, ...result.sources, strings.total, strings.rank].map((head) => make("th", { scope: "col" }, head));
  const rows = result.places.map((/** @type {any} */ place) => {
    const player = make("td", {}, seatMark(place.seat, facts.colours), " ", facts.players[place.seat].name);
    const figures = [...result.points[place.seat].map(String), make("strong", {}, String(place.score)), String(place.rank)];
    return make("tr", { class: place.rank === 1 ? "winner" : "" }, player, ...figures.map((figure) => make("td", {}, figure)));
  });
  const table = make("table", { class: "figures" }, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows));
  const about = [result.truncated ? strings.truncated : "", fill(strings.seedWas, { seed: result.seed })].filter(Boolean).join(" ");
  const ends = make(
    "div",
    { class: "acts" },
    ...(facts.owner ? [make("a", { class: "plain", href: "/" }, strings.again), make("a", { class: "quiet", href: facts.replay }, strings.watch)] : []),
    make("a", { class: "quiet", href: `${path}/replay.html`, download: "" }, strings.saveHtml),
    make("a", { class: "quiet", href: `${path}/replay`, download: "" }, strings.saveReplay),
  );
  return make("div", { class: "result" }, make("div", { class: "wide", tabindex: "0" }, table), make("p", { class: "empty" }, about), ends);
}
