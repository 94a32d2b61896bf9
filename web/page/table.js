/** A table: the board that is played on, the choices, what happened, and the ends of a game. */
import { Board } from "./board.js";
import { Choosing } from "./choosing.js";
import { Curtain } from "./curtain.js";
import { LiveAnalysis } from "./live.js";
import { Log } from "./log.js";
import { Stream } from "./news.js";
import { noticesOf } from "./notices.js";
import { Panels } from "./panels.js";
import { iconButton, make, seatMark } from "./replay.js";
import { resultTable } from "./result.js";
import { Rules } from "./rules.js";
import { ask, changeTheme, dialog, linksList, RequestError } from "./site.js";
import { fill, strings } from "./strings.site.en.js";

const ATTEMPTS = 3; // to send what crosses a change of the position
const PHONE = "(max-width: 700px)";

/**
 * @typedef {import("./choosing.js").Choice} Choice
 * @typedef {object} Position what a seat is shown
 * @property {number} seq
 * @property {string} status
 * @property {string} failure
 * @property {string} warning
 * @property {string} [svg]
 * @property {string} text
 * @property {string} question
 * @property {Choice[]} choices
 * @property {[number | null, string][]} log
 * @property {string[]} last
 * @property {{how: string, seat: number | null}} undo
 * @property {any} result
 */

class Table {
  /**
   * @param {string} path of the game's requests
   * @param {any} facts what everyone at the table knows
   */
  constructor(path, facts) {
    this.path = path;
    this.facts = facts;
    /** @type {(number | null)[]} */
    this.seats = facts.seats;
    this.seat = this.seats.length === 1 ? this.seats[0] : null;
    this.isHotSeat = this.seats.length > 1;
    /** @type {Map<number | null, {seq: number, status: string}>} */
    this.news = new Map();
    /** @type {Position | null} */
    this.position = null;
    this.isAnalysing = false;
    this.since = Date.now();
    /** @type {Set<string>} requests on their way, by what they do and at which position */
    this.pending = new Set();
    this.build();
    new Stream(`${path}/events`, (news) => this.hear(news), (isLost) => (this.lost.hidden = !isLost));
    document.addEventListener("keydown", (event) => this.key(event));
    if (!this.isHotSeat) this.load();
  }

  // What is on the page

  build() {
    const { facts } = this;
    this.boardHost = make("div", { class: "board", "data-testid": "board" });
    this.board = new Board(this.boardHost, (place) => this.choosing.click(place));
    this.choosing = new Choosing(this.board, (choice) => this.play(choice), () => this.panels.fill());
    this.panels = new Panels(this.board, this.choosing);
    for (const kind of ["pointerover", "focusin"]) this.boardHost.addEventListener(kind, (event) => this.explain(event));
    this.boardHost.addEventListener("pointerleave", () => (this.about.textContent = ""));
    this.about = make("p", { class: "about" });
    this.status = make("span", { class: "pill" });
    this.question = make("p", { class: "question", "aria-live": "polite" });
    this.you = make("span", { class: "you" });
    this.notices = make("div", { class: "notices", role: "status" });
    this.lost = make("p", { class: "notice error", role: "alert", hidden: "" }, make("span", { class: "spinner" }), strings.lost);
    this.playerRows = facts.players.map((/** @type {any} */ player, /** @type {number} */ seat) => {
      const who = make("span", { class: "who" }, `player_${seat}`);
      return make("li", {}, seatMark(seat, facts.colours), who, make("span", { class: "agent", title: player.name }, player.name), make("span", { class: "outcome" }));
    });
    this.live = new LiveAnalysis(this.board, this.playerRows);
    this.hintBox = make("div", { class: "hint-box", role: "status", hidden: "" });
    this.hintButton = /** @type {HTMLButtonElement} */ (make("button", { class: "quiet", type: "button", onclick: () => this.hint() }, strings.hint, key("H")));
    this.liveButton = /** @type {HTMLButtonElement} */ (make("button", { class: "quiet", type: "button", "aria-pressed": "false", onclick: () => this.switchAnalysis() }, strings.analysis, key("A")));
    this.undoButton = /** @type {HTMLButtonElement} */ (make("button", { class: "quiet", type: "button", onclick: () => this.undo() }, strings.undo, key("U")));
    this.log = new Log(facts.colours);
    this.text = make("pre", { class: "text-board", tabindex: "0", hidden: "", "aria-label": strings.textBoard });
    this.help = dialog(strings.keysTitle, make("dl", {}, ...strings.keys.flatMap(([keys, what]) => [make("dt", {}, keys), make("dd", {}, what)])));
    this.rules = new Rules(`${this.path}/rules`);
    this.sharing = dialog(strings.links, facts.links?.length ? linksList(facts.links) : "", "large");
    this.stopButton = make("button", { class: "quiet danger", type: "button", onclick: () => this.stop() }, strings.stop);
    this.curtain = new Curtain();

    const textButton = make("button", { class: "quiet", type: "button", "aria-pressed": "false", onclick: () => this.switchText() }, strings.textBoard, key("B"));
    this.textButton = textButton;
    const bar = make(
      "div",
      { class: "bar" },
      make("h1", {}, facts.title, " ", make("small", {}, facts.variant)),
      this.you,
      make("span", { class: "room" }),
      make("button", { class: "quiet", type: "button", onclick: () => this.rules.show() }, strings.rules, key("R")),
      textButton,
      ...(facts.links?.length ? [make("button", { class: "quiet", type: "button", onclick: () => this.sharing.showModal() }, strings.share)] : []),
      iconButton("help", strings.keysTitle, () => this.help.showModal()),
    );
    const now = make("div", { class: "now" }, this.status, this.question);
    const stage = make("main", { class: "stage" }, this.lost, this.notices, now, this.panels.root, make("div", { class: "board-room" }, this.boardHost, this.choosing.popover, this.text), this.about);
    const title = make("div", { class: "title" }, this.choosing.title, this.choosing.filter);
    const acts = make("div", { class: "acts" }, this.hintButton, this.liveButton, this.undoButton, ...(facts.owner ? [this.stopButton] : []));
    this.choicesCard = make("section", { class: "card grows choose", "aria-label": strings.choices }, title, this.hintBox, this.live.root, this.choosing.list, acts);
    const players = make("section", { class: "card who-plays" }, make("h2", {}, strings.players), make("ul", { class: "players" }, ...this.playerRows));
    this.logCard = make("details", { class: "card grows told-log", open: "" }, make("summary", {}, make("h2", {}, strings.log)), this.log.root);
    if (matchMedia(PHONE).matches) this.logCard.removeAttribute("open");
    const side = make("aside", { class: "side" }, players, this.choicesCard, this.logCard);
    const page = document.getElementById("page");
    page?.classList.add("table");
    page?.replaceChildren(bar, stage, side, this.curtain.root, this.help, this.rules.root, this.sharing);
    window.addEventListener("resize", () => this.choosing.placePopover());
  }

  // The connection

  /**
   * A seat has something new to see.
   * @param {import("./news.js").News} news
   */
  hear({ seat, seq, status }) {
    this.news.set(seat, { seq, status });
    if (this.isHotSeat && this.news.size === this.seats.length) this.handOver();
    if (seat === this.seat) this.catchUp();
  }

  /** Load what is newer than what is shown, unless the answer to a move brings it. */
  catchUp() {
    const { seat, position } = this;
    const seq = this.news.get(seat)?.seq;
    if (seq === undefined || seq === position?.seq || (seat === null && this.isHotSeat) || this.pending.has(`move ${seat} ${position?.seq}`)) return;
    this.load();
  }

  /** With several people at one device: who decides next sees a curtain first. */
  handOver() {
    const statuses = [...this.news.entries()];
    const current = this.seat === null ? undefined : this.news.get(this.seat)?.status;
    if (current === "yours") return;
    const next = statuses.find(([, { status }]) => status === "yours")?.[0];
    if (next !== undefined && next !== null && next !== this.seat) this.closeCurtain(next);
    else if (this.seat === null && this.curtain.seat === null) {
      const [seat, { status }] = statuses[0];
      this.status.className = `pill ${status}`;
      this.status.textContent = strings.status[status];
      if (status === "compiling") return; // nobody decides yet
      if (["over", "stopped"].includes(status)) this.lift(/** @type {number} */ (seat));
      else this.closeCurtain(/** @type {number} */ (seat));
    }
  }

  /** @param {number} seat */
  closeCurtain(seat) {
    if (this.curtain.seat === seat) return;
    this.seat = null;
    this.position = null;
    this.boardHost.replaceChildren();
    this.board.svg = null;
    this.live.clear();
    this.choosing.offer([]);
    this.log.clear();
    for (const part of [this.text, this.question, this.hintBox, this.about]) part.replaceChildren();
    this.hintBox.hidden = true;
    this.curtain.close(seat, this.facts, () => this.lift(seat));
  }

  /** @param {number} seat */
  lift(seat) {
    this.curtain.open();
    this.seat = seat;
    this.load();
  }

  async load() {
    const { seat } = this;
    try {
      const position = await ask(`${this.path}/board${seat === null ? "" : `?seat=${seat}`}`);
      if (seat === this.seat) this.show(position);
    } catch (error) {
      this.complain(/** @type {Error} */ (error));
    }
  }

  /**
   * Send something that a person does at the position that is shown. What is on its way for this position is not sent again.
   * @param {string} what
   * @param {Record<string, any>} body
   * @returns {Promise<any>} the answer; null: it was refused, which the page then says, or the page was not up to date, and is now
   */
  async send(what, body) {
    const { seat, position } = this;
    if (!position) return null;
    const request = `${what} ${seat} ${position.seq}`;
    if (this.pending.has(request)) return null;
    this.pending.add(request);
    this.showBusy();
    try {
      const answer = await ask(`${this.path}/${what}`, { seat, seq: position.seq, ...body });
      return seat === this.seat ? answer : null; // with several people at one device another may look at the page now
    } catch (error) {
      if (error instanceof RequestError && error.status === 409) await this.load();
      else this.complain(/** @type {Error} */ (error));
      return null;
    } finally {
      this.pending.delete(request);
      this.showBusy();
    }
  }

  showBusy() {
    this.choosing.busy(this.pending.has(`move ${this.seat} ${this.position?.seq}`));
  }

  /** @param {Error} error */
  complain(error) {
    this.problem = error.message;
    this.showNotices();
  }

  // A position

  /** @param {Position} position */
  show(position) {
    const before = this.position;
    if (before && position.seq < before.seq) return; // an answer that came late
    this.position = position;
    this.problem = "";
    if (!isSameDecision(before, position)) this.showDecision(position);
    this.showBusy();
    this.showStatus();
    this.showNotices();
    document.getElementById("page")?.setAttribute("data-seq", String(position.seq));
  }

  /**
   * Another position of the game. What was clicked or typed belonged to the one before.
   * @param {Position} position
   */
  showDecision(position) {
    const isYours = position.status === "yours";
    this.choosing.wantsFocus ||= this.choosing.hasFocus();
    this.hintBox.hidden = true;
    this.live.clear();
    if (position.svg) {
      this.board.show(position.svg, { last: position.last, hint: [], hot: [], chosen: [] });
      this.text.textContent = position.text;
    }
    this.choicesCard.classList.toggle("active", isYours);
    this.choosing.offer(isYours ? position.choices : [], isYours ? null : this.instead(), position.result ? strings.result : strings.choices);
    this.log.show(position.log ?? []); // after the choices, which leave it more or less room: its end must be in sight
    if (isYours && matchMedia(PHONE).matches) this.panels.zoomToChoices();
    if (this.isAnalysing) this.analyse();
  }

  showStatus() {
    const { position, facts, seat } = this;
    if (!position) return;
    this.status.className = `pill ${position.status}`;
    this.status.textContent = strings.status[position.status];
    this.question.textContent = position.status === "over" ? "" : position.question ?? "";
    this.you.replaceChildren(
      ...(seat === null ? [strings.watching] : [seatMark(seat, facts.colours), fill(strings.youAre, { player: `player_${seat}` })]),
    );
    document.title = `${position.status === "yours" ? "● " : ""}${facts.title} · Tradewinds`;
    this.playerRows.forEach((/** @type {HTMLElement} */ row, /** @type {number} */ at) => {
      const place = position.result?.places.find((/** @type {any} */ one) => one.seat === at);
      row.classList.toggle("winner", place?.rank === 1);
      row.classList.toggle("me", at === seat);
      /** @type {HTMLElement} */ (row.querySelector(".outcome")).textContent = place ? `${place.score}` : "";
    });
    const how = position.undo?.how ?? "";
    this.undoButton.disabled = !["free", "ask"].includes(how);
    /** @type {Text} */ (this.undoButton.firstChild).textContent = how === "ask" ? strings.askUndo : strings.undo;
    this.hintButton.disabled = this.liveButton.disabled = position.status !== "yours";
    this.stopButton.hidden = ["over", "stopped"].includes(position.status);
  }

  showNotices() {
    const { position, facts, problem } = this;
    this.notices.replaceChildren(...noticesOf(position, facts, problem, { retry: (agent) => this.retry(agent), undo: (agree) => this.undo(agree) }));
  }

  /**
   * Send something again that was refused only because the page was not up to date, as long as it still means the same.
   * @param {string} what
   * @param {Record<string, any>} body
   * @param {(before: Position | null, now: Position | null) => boolean} meansTheSame
   */
  async insist(what, body, meansTheSame) {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const before = this.position;
      const answer = await this.send(what, body);
      if (answer) this.show(answer);
      if (answer || this.position === before || !meansTheSame(before, this.position)) break;
    }
    this.catchUp();
  }

  /** @param {Choice} choice */
  play(choice) {
    return this.insist("move", { action: choice.id }, isSameDecision);
  }

  /** What stands in place of the choices while there are none. */
  instead() {
    const { position, facts } = this;
    if (!position || position.status === "compiling") return preparing(facts.title, this.since);
    if (position.result) return resultTable(position.result, facts, this.path);
    if (position.status === "others") return make("p", { class: "waiting" }, make("span", { class: "spinner" }), strings.waiting);
    return make("p", { class: "empty" }, strings.status[position.status]);
  }

  // What else a person can do

  async hint() {
    const { position } = this;
    if (position?.status !== "yours") return;
    this.hintButton.setAttribute("aria-busy", "true");
    const hinted = await this.send("hint", {});
    this.hintButton.removeAttribute("aria-busy");
    if (!hinted || !isSameDecision(position, this.position)) return;
    this.choosing.rate(hinted.action, new Map(hinted.ratings.map((/** @type {any} */ one) => [one.id, one.text])));
    this.hintBox.replaceChildren(make("strong", {}, fill(strings.hintBy, { agent: hinted.agent })), " ", hinted.name);
    this.hintBox.hidden = false;
    this.board.outline({ hint: position.choices.find(({ id }) => id === hinted.action)?.places ?? [] });
  }

  /** Analyse every decision of this seat from now on, or no more. */
  switchAnalysis() {
    this.isAnalysing = !this.isAnalysing;
    this.liveButton.setAttribute("aria-pressed", String(this.isAnalysing));
    if (this.isAnalysing) this.analyse();
    else this.live.clear();
  }

  async analyse() {
    const { position } = this;
    if (position?.status !== "yours") return;
    this.liveButton.setAttribute("aria-busy", "true");
    const found = await this.send("analysis", {});
    this.liveButton.removeAttribute("aria-busy");
    if (found && this.isAnalysing && this.seat !== null && isSameDecision(position, this.position)) this.live.show(found, position.choices, this.seat);
  }

  /** @param {boolean} [agree] the answer to a wish */
  undo(agree) {
    const wish = (/** @type {Position | null} */ position) => JSON.stringify(position?.undo);
    return this.insist("undo", agree === undefined ? {} : { agree }, (before, now) => wish(before) === wish(now));
  }

  /** @param {string} [agent] */
  async retry(agent) {
    this.since = Date.now();
    await this.send("retry", agent ? { agent } : {});
    await this.load();
  }

  async stop() {
    if (confirm(strings.stopSure)) await this.send("stop", {});
    await this.load();
  }

  /**
   * Say what the piece under the pointer, or the focus, does.
   * @param {Event} event
   */
  explain(event) {
    const target = /** @type {Element} */ (event.target);
    const place = target.getAttribute?.("data-for") ?? target.closest?.("[data-place]")?.getAttribute("data-place") ?? "";
    const names = this.choosing.candidates().filter(({ places }) => places.includes(place)).map(({ name }) => name);
    const said = [this.rules.about(place), names.length && names.length < 4 ? `[${names.join("; ")}]` : ""];
    this.about.textContent = said.filter(Boolean).join(" ");
  }

  switchText() {
    this.text.hidden = !this.text.hidden;
    this.boardHost.hidden = !this.text.hidden;
    this.panels.root.classList.toggle("off", !this.text.hidden);
    this.textButton.setAttribute("aria-pressed", String(!this.text.hidden));
    this.choosing.show();
    if (!this.text.hidden) this.choosing.popover.hidden = true;
  }

  // Keys

  /** @param {KeyboardEvent} event */
  key(event) {
    const within = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || within.matches("input, select, textarea") || document.querySelector("dialog[open]") || this.curtain.seat !== null) return;
    if (event.repeat && /^(\d|Enter| )$/.test(event.key)) {
      event.preventDefault(); // a key that is held down plays once
      return;
    }
    if (/^\d$/.test(event.key)) {
      this.choosing.digit(event.key);
      event.preventDefault();
      return;
    }
    const acts = {
      ArrowLeft: () => this.choosing.step("board", -1),
      ArrowRight: () => this.choosing.step("board", 1),
      ArrowUp: () => this.choosing.step("list", -1),
      ArrowDown: () => this.choosing.step("list", 1),
      Escape: () => this.choosing.clear(),
      "/": () => this.choosing.filter.focus(),
      a: () => this.liveButton.disabled || this.switchAnalysis(),
      h: () => this.hint(),
      u: () => this.undoButton.disabled || this.undo(),
      r: () => this.rules.show(),
      b: () => this.switchText(),
      z: () => this.panels.next(),
      t: changeTheme,
      "?": () => this.help.showModal(),
    };
    const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
}

/**
 * A key beside the word of a button.
 * @param {string} name
 */
function key(name) {
  return make("kbd", { "aria-hidden": "true" }, name);
}

/**
 * Whether two positions ask a seat for the same decision: only what stands around it may differ.
 * @param {Position | null} one
 * @param {Position | null} other
 */
function isSameDecision(one, other) {
  const key = (/** @type {Position} */ { status, svg, choices, log, result }) => JSON.stringify([status, svg, choices, log, result]);
  return one !== null && other !== null && (one === other || key(one) === key(other));
}

/**
 * What is said while a game is compiled, with the seconds that it has taken.
 * @param {string} game
 * @param {number} since
 */
function preparing(game, since) {
  const seconds = make("span", {});
  const tick = () => {
    if (!seconds.isConnected && seconds.textContent) return;
    seconds.textContent = fill(strings.elapsed, { seconds: Math.round((Date.now() - since) / 1000) });
    window.setTimeout(tick, 1000);
  };
  tick();
  return make("div", { class: "waiting" }, make("span", { class: "spinner" }), make("span", {}, fill(strings.compilingLead, { game }), " ", seconds));
}

const path = `/api/games/${location.pathname.split("/").pop()}`;
ask(path)
  .then((facts) => new Table(path, facts))
  .catch((error) => document.getElementById("page")?.replaceChildren(make("p", { class: "notice error" }, error.message)));
