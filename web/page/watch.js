/** A replay on the server: the player with views that are loaded when they are asked for, the analysis and the export. */
import { make, Replay } from "./replay.js";
import { ask } from "./site.js";
import { fill } from "./strings.en.js";
import { words } from "./strings.pages.en.js";

const AGAIN = 2000; // milliseconds until the page asks again what became of an analysis
const id = location.pathname.split("/").pop() ?? "";
const address = `/api/replays/${id}`;
const root = make("div", {});
document.getElementById("page")?.replaceChildren(root);

/** @param {HTMLElement} place */
async function offerAnalysis(place, /** @type {Replay} */ replay) {
  const found = await ask(`${address}/analysis`);
  if (found.analysis) {
    show(replay, found.analysis);
    return;
  }
  if (found.state === "running" || found.state === "waiting") follow(place, replay);
  else place.replaceChildren(card(place, replay, found.error));
}

/** @param {Replay} replay */
function show(replay, /** @type {any} */ analysis) {
  replay.analyse(analysis);
  replay.go(replay.at);
}

/**
 * @param {HTMLElement} place
 * @param {Replay} replay
 * @param {string} [error]
 */
function card(place, replay, error) {
  const begin = async () => {
    try {
      await ask(`${address}/analysis`, {});
      follow(place, replay);
    } catch (failed) {
      place.replaceChildren(card(place, replay, String(/** @type {Error} */ (failed).message)));
    }
  };
  const button = make("button", { type: "button", class: "plain", onclick: begin }, error ? words.again : words.analyse);
  const said = error ? make("p", { class: "notice error" }, error) : make("p", { class: "lead" }, words.analyseLead);
  return make("section", { class: "card offer" }, said, button);
}

/**
 * Follow an analysis that is being made.
 * @param {HTMLElement} place
 * @param {Replay} replay
 */
function follow(place, replay) {
  const bar = /** @type {HTMLProgressElement} */ (make("progress", { max: "1" }));
  const text = make("span", { "aria-live": "polite" }, words.waiting);
  place.replaceChildren(make("section", { class: "card offer" }, text, bar));
  const events = new EventSource(`${address}/analysis/events`);
  events.addEventListener("message", async (event) => {
    const { state, done, total, error } = JSON.parse(event.data);
    if (total) {
      bar.value = done / total;
      text.textContent = fill(words.searching, { done, total });
    }
    if (state !== "done" && state !== "failed") return;
    events.close();
    if (error) place.replaceChildren(card(place, replay, error));
    else offerAnalysis(place, replay);
  });
  events.addEventListener("error", () => {
    if (events.readyState !== EventSource.CLOSED) return; // the browser tries again by itself
    window.setTimeout(lookAgain, AGAIN);
  });
  // A server that was started again knows nothing of what it was doing.
  const lookAgain = () => offerAnalysis(place, replay).catch((failed) => place.replaceChildren(card(place, replay, failed.message)));
}

async function open() {
  root.replaceChildren(make("main", { class: "sheet" }, make("p", { class: "notice" }, make("span", { class: "spinner" }), words.drawing)));
  let recording;
  try {
    recording = await ask(`${address}/frames`);
  } catch (error) {
    root.replaceChildren(make("main", { class: "sheet" }, make("p", { class: "notice error" }, String(/** @type {Error} */ (error).message))));
    return;
  }
  document.title = `${recording.title} · Tradewinds`;
  const loaded = recording.views[0];
  recording.views = recording.possible.map((/** @type {string} */ view) => {
    const seat = view === "all" ? null : Number(view.replace("player_", ""));
    return view === loaded.view ? loaded : { view, seat, frames: null, log: [], marks: [] };
  });
  recording.views.sort((/** @type {any} */ a, /** @type {any} */ b) => Number(b === loaded) - Number(a === loaded));
  const exporting = make("a", { class: "quiet", href: `/replays/${id}.html`, title: words.exportTitle, download: "" }, words.export);
  root.className = "served";
  const load = (/** @type {string} */ view) => ask(`${address}/frames?view=${view}`);
  const replay = new Replay(root, recording, { load, tools: [exporting] });
  if (recording.result) await offerAnalysis(replay.analysis, replay);
  else replay.analysis.replaceChildren(make("section", { class: "card offer" }, make("p", { class: "lead" }, words.notOver)));
}

open();
