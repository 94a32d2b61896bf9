/** A table: the board that is played on, the choices, what happened, and the ends of a game. */
import { Board } from "./board.js";
import { markdown } from "./markdown.js";
import { iconButton, make, seatMark } from "./replay.js";
import { ask, changeTheme, linksList, RequestError } from "./site.js";
import { fill, strings } from "./strings.site.en.js";

const AGAIN = 2000; // milliseconds between attempts to reach the server
const PHONE = "(max-width: 700px)";
const PATIENCE = 700; // milliseconds that a digit waits for a second one

/**
 * @typedef {{id: number, name: string, detail: string, places: string[], amount: number | null}} Choice
 * @typedef {{title: string, text: string, places: string[]}} Entry
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
    /** @type {string[]} places that were clicked */
    this.clicked = [];
    this.filterText = "";
    /** @type {any} */
    this.hinted = null;
    this.digits = "";
    this.timer = 0;
    this.since = Date.now();
    /** @type {Map<string, Entry>} */
    this.guide = new Map();
    this.isBusy = false;
    this.build();
    this.listen();
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("visibilitychange", () => (document.hidden ? this.stream?.close() : this.listen()));
    this.loadRules();
    if (!this.isHotSeat) this.load();
  }

  // What is on the page

  build() {
    const { facts } = this;
    this.boardHost = make("div", { class: "board", "data-testid": "board" });
    this.board = new Board(this.boardHost, (place) => this.click(place));
    for (const kind of ["pointerover", "focusin"]) this.boardHost.addEventListener(kind, (event) => this.explain(event));
    this.boardHost.addEventListener("pointerleave", () => (this.about.textContent = ""));
    this.tabs = make("div", { class: "tabs", role: "group", "aria-label": strings.part });
    this.popover = make("div", { class: "chips-at", role: "group", hidden: "" });
    this.about = make("p", { class: "about" });
    this.status = make("span", { class: "pill" });
    this.question = make("p", { class: "question", "aria-live": "polite" });
    this.you = make("span", { class: "you" });
    this.notices = make("div", { class: "notices", role: "status" });
    this.lost = make("p", { class: "notice error", role: "alert", hidden: "" }, make("span", { class: "spinner" }), strings.lost);
    this.playerRows = facts.players.map((/** @type {any} */ player, /** @type {number} */ seat) => {
      const who = make("span", { class: "who" }, `player_${seat}`);
      return make("li", {}, seatMark(seat, facts.colours), who, make("span", { class: "agent" }, player.name), make("span", { class: "outcome" }));
    });
    this.filter = /** @type {HTMLInputElement} */ (make("input", { type: "search", placeholder: strings.filter, "aria-label": strings.filter, autocomplete: "off" }));
    this.filter.addEventListener("input", () => {
      this.filterText = this.filter.value.toLowerCase();
      this.showChoices();
    });
    this.filter.addEventListener("keydown", (event) => this.inFilter(event));
    this.choicesTitle = make("h2", {}, strings.choices);
    this.list = make("div", { class: "choices" });
    this.hintBox = make("div", { class: "hint-box", role: "status", hidden: "" });
    this.hintButton = /** @type {HTMLButtonElement} */ (make("button", { class: "quiet", type: "button", onclick: () => this.hint() }, strings.hint, key("H")));
    this.undoButton = /** @type {HTMLButtonElement} */ (make("button", { class: "quiet", type: "button", onclick: () => this.undo() }, strings.undo, key("U")));
    this.log = make("ol", { class: "log", "aria-live": "polite", "aria-relevant": "additions" });
    this.text = make("pre", { class: "text-board", tabindex: "0", hidden: "", "aria-label": strings.textBoard });
    this.help = dialog(strings.keysTitle, make("dl", {}, ...strings.keys.flatMap(([keys, what]) => [make("dt", {}, keys), make("dd", {}, what)])));
    this.rulesBody = make("div", { class: "rules" });
    this.rulesDialog = dialog(strings.rules, this.rulesBody, "large");
    this.sharing = dialog(strings.links, facts.links?.length ? linksList(facts.links) : "", "large");
    this.stopButton = make("button", { class: "quiet danger", type: "button", onclick: () => this.stop() }, strings.stop);
    this.curtain = make("div", { class: "curtain", hidden: "" });

    const textButton = make("button", { class: "quiet", type: "button", "aria-pressed": "false", onclick: () => this.switchText() }, strings.textBoard, key("B"));
    this.textButton = textButton;
    const bar = make(
      "div",
      { class: "bar" },
      make("h1", {}, facts.title, " ", make("small", {}, facts.variant)),
      this.you,
      make("span", { class: "room" }),
      make("button", { class: "quiet", type: "button", onclick: () => this.showRules() }, strings.rules, key("R")),
      textButton,
      ...(facts.links?.length ? [make("button", { class: "quiet", type: "button", onclick: () => this.sharing.showModal() }, strings.share)] : []),
      iconButton("help", strings.keysTitle, () => this.help.showModal()),
    );
    const now = make("div", { class: "now" }, this.status, this.question);
    const stage = make("main", { class: "stage" }, this.lost, this.notices, now, this.tabs, make("div", { class: "board-room" }, this.boardHost, this.popover, this.text), this.about);
    this.choicesCard = make("section", { class: "card grows choose", "aria-label": strings.choices }, make("div", { class: "title" }, this.choicesTitle, this.filter), this.hintBox, this.list, make("div", { class: "acts" }, this.hintButton, this.undoButton, ...(facts.owner ? [this.stopButton] : [])));
    const players = make("section", { class: "card who-plays" }, make("h2", {}, strings.players), make("ul", { class: "players" }, ...this.playerRows));
    this.logCard = make("details", { class: "card grows told-log", open: "" }, make("summary", {}, make("h2", {}, strings.log)), this.log);
    if (matchMedia(PHONE).matches) this.logCard.removeAttribute("open");
    const side = make("aside", { class: "side" }, players, this.choicesCard, this.logCard);
    const page = document.getElementById("page");
    page?.classList.add("table");
    page?.replaceChildren(bar, stage, side, this.curtain, this.help, this.rulesDialog, this.sharing);
    window.addEventListener("resize", () => this.placePopover());
  }

  // The connection

  listen() {
    if (document.hidden) return;
    this.stream?.close();
    window.clearTimeout(this.timer);
    const stream = new EventSource(`${this.path}/events`);
    this.stream = stream;
    stream.onmessage = (event) => {
      this.lost.hidden = true;
      const { seat, seq, status } = JSON.parse(event.data);
      this.news.set(seat, { seq, status });
      this.hear(seat, seq);
    };
    stream.onerror = () => {
      this.lost.hidden = false;
      if (stream.readyState === EventSource.CLOSED && stream === this.stream) this.timer = window.setTimeout(() => this.listen(), AGAIN);
    };
  }

  /**
   * A seat has something new to see.
   * @param {number | null} seat
   * @param {number} seq
   */
  hear(seat, seq) {
    if (this.isHotSeat && this.news.size === this.seats.length) this.handOver();
    if (seat === this.seat && (seat !== null || !this.isHotSeat) && seq !== this.position?.seq) this.load();
  }

  /** With several people at one device: who decides next sees a curtain first. */
  handOver() {
    const statuses = [...this.news.entries()];
    const current = this.seat === null ? undefined : this.news.get(this.seat)?.status;
    if (current === "yours") return;
    const next = statuses.find(([, { status }]) => status === "yours")?.[0];
    if (next !== undefined && next !== null && next !== this.seat) this.closeCurtain(next);
    else if (this.seat === null && this.curtain.hidden) {
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
    if (!this.curtain.hidden && this.curtain.dataset.seat === String(seat)) return;
    this.seat = null;
    this.position = null;
    this.boardHost.replaceChildren();
    this.board.svg = null;
    for (const part of [this.list, this.log, this.text, this.question, this.hintBox, this.about]) part.replaceChildren();
    this.popover.hidden = true;
    const player = this.facts.players[seat].name;
    const lift = make("button", { class: "plain large", type: "button", onclick: () => this.lift(seat) }, fill(strings.lift, { player }));
    const box = make("div", { class: "card" }, seatMark(seat, this.facts.colours), make("h2", {}, fill(strings.curtain, { player })), make("p", {}, strings.curtainLead), lift);
    this.curtain.dataset.seat = String(seat);
    this.curtain.replaceChildren(box);
    this.curtain.hidden = false;
    lift.focus();
  }

  /** @param {number} seat */
  lift(seat) {
    this.curtain.hidden = true;
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
   * Send something that a person does.
   * @param {string} what
   * @param {Record<string, any>} body
   */
  async send(what, body) {
    if (this.isBusy || !this.position) return null;
    this.isBusy = true;
    const { seat } = this;
    try {
      return await ask(`${this.path}/${what}`, { seat, seq: this.position.seq, ...body });
    } catch (error) {
      if (error instanceof RequestError && error.status === 409) this.load();
      else this.complain(/** @type {Error} */ (error));
      return null;
    } finally {
      this.isBusy = false;
    }
  }

  /** @param {Error} error */
  complain(error) {
    this.problem = error.message;
    this.showNotices();
  }

  // A position

  /** @param {Position} position */
  show(position) {
    if (this.position && position.seq < this.position.seq && position.status !== "compiling") {
      const known = this.news.get(this.seat);
      if (known && known.seq !== position.seq) return; // an answer that came late
    }
    const hadFocus = this.list.contains(document.activeElement) || this.boardHost.contains(document.activeElement);
    this.position = position;
    this.clicked = [];
    this.hinted = null;
    this.digits = "";
    this.problem = "";
    this.filterText = this.filter.value = "";
    this.hintBox.hidden = true;
    if (position.svg) {
      this.board.outline("last", position.last);
      this.board.outline("hint", []);
      this.board.show(position.svg);
      this.text.textContent = position.text;
    }
    this.fillTabs();
    this.showStatus();
    this.showNotices();
    this.showLog();
    this.showChoices();
    this.zoomToChoices();
    document.getElementById("page")?.setAttribute("data-seq", String(position.seq));
    if (hadFocus && position.status === "yours") this.list.querySelector("button")?.focus({ preventScroll: true });
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
    this.hintButton.disabled = position.status !== "yours";
    this.stopButton.hidden = ["over", "stopped"].includes(position.status);
  }

  showNotices() {
    const { position, facts } = this;
    const found = [];
    const button = (/** @type {string} */ text, /** @type {() => void} */ onclick) => make("button", { class: "quiet", type: "button", onclick }, text);
    const link = (/** @type {string} */ text, /** @type {string} */ href) => make("a", { class: "quiet", href }, text);
    const notice = (/** @type {string} */ kind, /** @type {(Node | string)[]} */ ...parts) => found.push(make("div", { class: `notice ${kind}` }, ...parts));
    if (this.problem) notice("error", this.problem);
    if (position?.warning) notice("error", position.warning);
    if (position?.status === "failed") {
      notice("error", position.failure, button(strings.retry, () => this.retry()), button(strings.replaceAgent, () => this.retry("medium")));
    }
    if (position?.status === "stopped") notice("", strings.status.stopped, ". ", strings.stopped, ...(facts.owner ? [link(strings.backToStart, "/")] : []));
    const wish = position?.undo;
    if (wish?.seat !== null && wish?.seat !== undefined) {
      const player = facts.players[wish.seat].name;
      if (wish.how === "asked") notice("", strings.undoAsked, button(strings.cancel, () => this.undo(false)));
      if (wish.how === "agreed") notice("", fill(strings.undoAgreed, { player }));
      if (wish.how === "agree") {
        notice("", fill(strings.undoWish, { player }), button(strings.agree, () => this.undo(true)), button(strings.refuse, () => this.undo(false)));
      }
    }
    this.notices.replaceChildren(...found);
  }

  showLog() {
    const lines = this.position?.log ?? [];
    const known = this.log.children.length;
    const isSame = known <= lines.length && this.logged?.every((text, at) => text === lines[at].join(":"));
    if (!isSame) this.log.replaceChildren();
    const first = this.log.children.length;
    for (const old of this.log.querySelectorAll(".fresh")) old.classList.remove("fresh");
    for (const [seat, text] of lines.slice(first)) {
      const line = make("li", { class: isSame && known ? "fresh" : "" });
      const done = make("span", { class: seat === null ? "told" : "done" });
      if (seat !== null) done.append(seatMark(seat, this.facts.colours), make("span", { class: "hidden" }, `player_${seat}: `));
      done.append(make("span", {}, text));
      line.append(done);
      this.log.append(line);
    }
    this.logged = lines.map((line) => line.join(":"));
    this.log.scrollTop = this.log.scrollHeight;
  }

  fillTabs() {
    const panels = [{ name: "", title: strings.whole }, ...this.board.panels()];
    const shown = panels.some(({ name }) => name === this.board.panel) ? this.board.panel : "";
    this.tabs.replaceChildren(
      ...panels.map(({ name, title }) => {
        const hot = name && this.hotIn(name);
        const attributes = { type: "button", "aria-pressed": String(name === shown), class: hot ? "has-hot" : "", onclick: () => this.zoom(name) };
        return make("button", attributes, title);
      }),
    );
  }

  /**
   * Whether something can be clicked in a part of the board.
   * @param {string} panel
   */
  hotIn(panel) {
    const part = this.board.svg?.querySelector(`[data-panel="${CSS.escape(panel)}"]`);
    const places = new Set(this.candidates().flatMap(({ places }) => places));
    return part ? [...part.querySelectorAll("[data-place]")].some((piece) => places.has(piece.getAttribute("data-place") ?? "")) : false;
  }

  /** On a phone: show the part of the board in which something can be clicked. */
  zoomToChoices() {
    if (this.position?.status !== "yours" || !matchMedia(PHONE).matches) return;
    const hot = this.board.panels().map(({ name }) => name).filter((name) => this.hotIn(name));
    if (hot.length && !hot.includes(this.board.panel)) this.zoom(hot[0]);
    this.tabs.querySelector('[aria-pressed="true"]')?.scrollIntoView({ block: "nearest", inline: "center" });
  }

  /** @param {string} panel */
  zoom(panel) {
    const scrolled = this.tabs.scrollLeft;
    this.board.zoom(panel);
    this.fillTabs();
    this.tabs.scrollLeft = scrolled;
    this.placePopover();
  }

  // Choosing

  /** The choices that contain all places which were clicked. */
  candidates() {
    const choices = this.position?.choices ?? [];
    return choices.filter(({ places }) => this.clicked.every((place) => places.includes(place)));
  }

  /**
   * A place was clicked: play the only choice that is left, or ask on.
   * @param {string} place
   */
  click(place) {
    this.clicked = [...this.clicked, place];
    let left = this.candidates();
    if (!left.length) {
      this.clicked = [place];
      left = this.candidates();
    }
    if (left.length === 1) this.play(left[0]);
    else this.showChoices();
  }

  clear() {
    this.clicked = [];
    this.filterText = this.filter.value = "";
    this.digits = "";
    this.showChoices();
  }

  /** @param {Choice} choice */
  async play(choice) {
    this.popover.hidden = true;
    this.list.setAttribute("aria-busy", "true");
    const position = await this.send("move", { action: choice.id });
    this.list.removeAttribute("aria-busy");
    if (position && this.seat !== null) this.show(position);
  }

  /** What is listed: the candidates that match the filter, with the keys that play them. */
  entries() {
    const found = this.candidates().filter(({ name, detail }) => `${name} ${detail}`.toLowerCase().includes(this.filterText));
    const amounts = found.map(({ amount }) => amount);
    const isAmount = found.length > 1 && new Set(amounts).size === found.length && amounts.every((amount) => amount !== null) && new Set(found.map(({ places }) => places.join())).size === 1;
    return { found, isAmount, keys: found.map((choice, at) => String(isAmount ? choice.amount : at + 1)) };
  }

  showChoices() {
    const { position } = this;
    const { found, isAmount, keys } = this.entries();
    const isYours = position?.status === "yours";
    const open = new Map();
    for (const choice of this.candidates()) {
      for (const place of choice.places) {
        if (this.clicked.includes(place)) continue;
        const names = open.get(place) ?? [];
        names.push(choice.name);
        open.set(place, names);
      }
    }
    for (const [place, names] of open) open.set(place, names.length > 3 ? `${names.slice(0, 3).join("; ")}; …` : names.join("; "));
    this.board.outline("chosen", this.clicked);
    this.board.outline("hot", isYours ? open : new Map());
    this.fillTabs();
    this.filter.hidden = !isYours || (position?.choices.length ?? 0) < 8;
    this.choicesTitle.textContent = isYours && isAmount ? strings.chooseAmount : position?.result ? strings.result : strings.choices;
    this.list.classList.toggle("amounts", isAmount);
    this.choicesCard.classList.toggle("active", isYours);
    if (!isYours) this.list.replaceChildren(this.instead());
    else if (!found.length) this.list.replaceChildren(make("p", { class: "empty" }, strings.noMatch));
    else this.list.replaceChildren(...found.map((choice, at) => this.choiceButton(choice, keys[at], isAmount)));
    this.showPopover(found, isAmount);
  }

  /** What stands in place of the choices while there are none. */
  instead() {
    const { position, facts } = this;
    if (!position || position.status === "compiling") return this.preparing();
    if (position.result) return this.resultTable();
    if (position.status === "others") return make("p", { class: "waiting" }, make("span", { class: "spinner" }), strings.waiting);
    return make("p", { class: "empty" }, strings.status[position.status], ...(facts.owner ? [] : []));
  }

  preparing() {
    const seconds = make("span", {});
    const tick = () => {
      if (!seconds.isConnected && seconds.textContent) return;
      seconds.textContent = fill(strings.elapsed, { seconds: Math.round((Date.now() - this.since) / 1000) });
      window.setTimeout(tick, 1000);
    };
    tick();
    return make("div", { class: "waiting" }, make("span", { class: "spinner" }), make("span", {}, strings.compilingLead, " ", seconds));
  }

  /**
   * @param {Choice} choice
   * @param {string} shortcut
   * @param {boolean} isAmount
   */
  choiceButton(choice, shortcut, isAmount) {
    const hinted = this.hinted?.action === choice.id ? " hinted" : "";
    const rating = this.hinted?.ratings.find((/** @type {any} */ one) => one.id === choice.id);
    const onclick = () => this.play(choice);
    const light = () => this.board.outline("chosen", [...this.clicked, ...choice.places]);
    const dark = () => this.board.outline("chosen", this.clicked);
    const attributes = { type: "button", "data-action": choice.id, onclick, onpointerenter: light, onpointerleave: dark };
    if (isAmount) {
      const amount = make("button", { ...attributes, class: `chip${hinted}`, "aria-label": choice.name, title: choice.detail || choice.name }, String(choice.amount));
      return amount;
    }
    const [head, rest] = split(choice.name);
    const name = make("span", { class: "name" }, ...(head ? [make("span", { class: "head" }, `${head}: `)] : []), rest);
    if (choice.detail) name.append(make("span", { class: "detail" }, choice.detail));
    const number = Number(shortcut) < 100 ? make("kbd", {}, shortcut) : "";
    return make("button", { ...attributes, class: `choice${hinted}` }, number, name, ...(rating ? [make("span", { class: "rating" }, rating.text)] : []));
  }

  /**
   * Amounts, or what is left to choose at a place, beside the place itself.
   * @param {Choice[]} found
   * @param {boolean} isAmount
   */
  showPopover(found, isAmount) {
    const places = found[0]?.places ?? [];
    const isSame = found.length > 1 && found.every((choice) => choice.places.join() === places.join());
    const wanted = this.position?.status === "yours" && isSame && places.length > 0 && (this.clicked.length > 0 || found.length === this.position.choices.length) && found.length <= 12;
    this.popover.hidden = !wanted;
    if (!wanted) return;
    this.popover.setAttribute("aria-label", strings.chooseAmount);
    this.popover.dataset.place = places[places.length - 1];
    this.popover.classList.toggle("amounts", isAmount);
    const { keys } = this.entries();
    this.popover.replaceChildren(...found.map((choice, at) => this.choiceButton(choice, keys[at], isAmount)));
    this.placePopover();
  }

  placePopover() {
    if (this.popover.hidden) return;
    const piece = this.board.pieces(this.popover.dataset.place ?? "")[0];
    const room = this.boardHost.parentElement?.getBoundingClientRect();
    if (!piece || !room) return;
    const box = piece.getBoundingClientRect();
    const isOutside = box.bottom < room.top || box.top > room.bottom || box.right < room.left || box.left > room.right;
    this.popover.classList.toggle("away", isOutside);
    const width = this.popover.offsetWidth;
    const below = box.bottom - room.top + 6;
    const height = this.popover.offsetHeight;
    this.popover.style.left = `${Math.max(4, Math.min(room.width - width - 4, box.left - room.left + box.width / 2 - width / 2))}px`;
    this.popover.style.top = `${below + height > room.height ? Math.max(4, box.top - room.top - height - 6) : below}px`;
  }

  // What else a person can do

  async hint() {
    if (this.position?.status !== "yours") return;
    this.hintButton.setAttribute("aria-busy", "true");
    const hinted = await this.send("hint", {});
    this.hintButton.removeAttribute("aria-busy");
    if (!hinted || this.position?.status !== "yours") return;
    this.hinted = hinted;
    this.clear();
    this.hintBox.replaceChildren(make("strong", {}, fill(strings.hintBy, { agent: hinted.agent })), " ", hinted.name);
    this.hintBox.hidden = false;
    const choice = this.position.choices.find(({ id }) => id === hinted.action);
    this.board.outline("hint", choice?.places ?? []);
    this.list.querySelector(".hinted")?.scrollIntoView({ block: "nearest" });
  }

  /** @param {boolean} [agree] the answer to a wish */
  async undo(agree) {
    const position = await this.send("undo", agree === undefined ? {} : { agree });
    if (position) this.show(position);
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

  async loadRules() {
    this.rules = await ask(`${this.path}/rules`).catch(() => null);
    for (const entry of this.rules?.guide ?? []) for (const place of entry.places) this.guide.set(place, entry);
  }

  showRules() {
    const { rules } = this;
    if (!rules) return;
    const parts = [
      [strings.short, () => markdown(rules.short)],
      ...(rules.guide.length ? [[strings.pieces, () => this.guideList(rules.guide)]] : []),
      [strings.full, () => markdown(rules.full)],
    ];
    const body = make("div", { class: "pages", tabindex: "0" });
    const tabs = make("div", { class: "segments", role: "group" });
    const open = (/** @type {number} */ at) => {
      body.replaceChildren(parts[at][1]());
      [...tabs.children].forEach((tab, index) => tab.setAttribute("aria-pressed", String(index === at)));
    };
    tabs.append(...parts.map(([title], at) => make("button", { type: "button", onclick: () => open(at) }, title)));
    this.rulesBody.replaceChildren(tabs, body);
    open(0);
    this.rulesDialog.showModal();
  }

  /** @param {Entry[]} guide */
  guideList(guide) {
    const rows = guide.map(({ title, text }) => make("div", { class: "entry" }, make("dt", {}, title), make("dd", {}, text)));
    const filter = /** @type {HTMLInputElement} */ (make("input", { type: "search", placeholder: strings.filter.replace(/ \(.*/, ""), "aria-label": strings.filter }));
    filter.addEventListener("input", () => {
      for (const row of rows) row.hidden = !(row.textContent ?? "").toLowerCase().includes(filter.value.toLowerCase());
    });
    return make("div", { class: "guide" }, filter, make("dl", { class: "entries" }, ...rows));
  }

  /**
   * Say what the piece under the pointer, or the focus, does.
   * @param {Event} event
   */
  explain(event) {
    const target = /** @type {Element} */ (event.target);
    const place = target.getAttribute?.("data-for") ?? target.closest?.("[data-place]")?.getAttribute("data-place") ?? "";
    const entry = this.guide.get(place) ?? this.guide.get(place.replace(/^player:\d+:/, "player:"));
    const names = this.candidates().filter(({ places }) => places.includes(place)).map(({ name }) => name);
    const said = [entry ? `${entry.title}: ${entry.text}` : "", names.length && names.length < 4 ? `[${names.join("; ")}]` : ""];
    this.about.textContent = said.filter(Boolean).join(" ");
  }

  switchText() {
    this.text.hidden = !this.text.hidden;
    this.boardHost.hidden = !this.text.hidden;
    this.tabs.classList.toggle("off", !this.text.hidden);
    this.textButton.setAttribute("aria-pressed", String(!this.text.hidden));
    this.showChoices();
    if (!this.text.hidden) this.popover.hidden = true;
  }

  resultTable() {
    const { result } = /** @type {Position} */ (this.position);
    const { facts } = this;
    const heads = [strings.players, ...result.sources, strings.total, strings.rank].map((head) => make("th", { scope: "col" }, head));
    const rows = result.places.map((/** @type {any} */ place) => {
      const player = make("td", {}, seatMark(place.seat, facts.colours), " ", facts.players[place.seat].name);
      const figures = [...result.points[place.seat], make("strong", {}, String(place.score)), place.rank];
      return make("tr", { class: place.rank === 1 ? "winner" : "" }, player, ...figures.map((figure) => make("td", {}, typeof figure === "number" ? String(figure) : figure)));
    });
    const table = make("div", { class: "wide" }, make("table", { class: "figures" }, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows)));
    const facts_ = [result.truncated ? strings.truncated : "", fill(strings.seedWas, { seed: result.seed })].filter(Boolean).join(" ");
    const ends = make(
      "div",
      { class: "acts" },
      ...(facts.owner ? [make("a", { class: "plain", href: "/" }, strings.again), make("a", { class: "quiet", href: facts.replay }, strings.watch)] : []),
      make("a", { class: "quiet", href: `${this.path}/replay.html`, download: "" }, strings.saveHtml),
      make("a", { class: "quiet", href: `${this.path}/replay`, download: "" }, strings.saveReplay),
    );
    return make("div", { class: "result" }, table, make("p", { class: "empty" }, facts_), ends);
  }

  // Keys

  /** @param {KeyboardEvent} event */
  inFilter(event) {
    if (event.key === "Escape") {
      this.clear();
      this.filter.blur();
    } else if (event.key === "Enter") {
      const { found } = this.entries();
      if (found.length === 1) this.play(found[0]);
      else this.list.querySelector("button")?.focus();
    } else if (event.key === "ArrowDown") {
      this.list.querySelector("button")?.focus();
    } else return;
    event.preventDefault();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const within = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || within.matches("input, select, textarea") || document.querySelector("dialog[open]") || !this.curtain.hidden) return;
    if (/^\d$/.test(event.key)) {
      this.digit(event.key);
      event.preventDefault();
      return;
    }
    const panels = ["", ...this.board.panels().map(({ name }) => name)];
    const acts = {
      ArrowLeft: () => this.focus(this.boardHost, '.hot[role="button"]', -1),
      ArrowRight: () => this.focus(this.boardHost, '.hot[role="button"]', 1),
      ArrowUp: () => this.focus(this.list, "button", -1),
      ArrowDown: () => this.focus(this.list, "button", 1),
      Escape: () => this.clear(),
      "/": () => (this.filter.hidden ? undefined : this.filter.focus()),
      h: () => this.hint(),
      u: () => this.undoButton.disabled || this.undo(),
      r: () => this.showRules(),
      b: () => this.switchText(),
      z: () => this.zoom(panels[(panels.indexOf(this.board.panel) + 1) % panels.length]),
      t: changeTheme,
      "?": () => this.help.showModal(),
    };
    const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  /**
   * Move the focus among buttons.
   * @param {Element} host
   * @param {string} which
   * @param {1 | -1} way
   */
  focus(host, which, way) {
    const all = /** @type {HTMLElement[]} */ ([...host.querySelectorAll(which)]);
    if (!all.length) return;
    const at = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    all[at < 0 ? (way > 0 ? 0 : all.length - 1) : (at + way + all.length) % all.length].focus();
  }

  /**
   * A digit: the number of a choice or an amount, as soon as no longer number can be meant.
   * @param {string} digit
   */
  digit(digit) {
    window.clearTimeout(this.digitTimer);
    this.digits += digit;
    const { found, keys } = this.entries();
    const meant = keys.filter((one) => one.startsWith(this.digits));
    const at = keys.indexOf(this.digits);
    const play = () => {
      this.digits = "";
      if (found[at]) this.play(found[at]);
    };
    if (at >= 0 && meant.length === 1) play();
    else if (at >= 0) this.digitTimer = window.setTimeout(play, PATIENCE);
    else if (!meant.length) this.digits = "";
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
 * What stands before the colon of a name, and the rest.
 * @param {string} name
 */
function split(name) {
  const at = name.indexOf(": ");
  return at < 0 ? ["", name] : [name.slice(0, at), name.slice(at + 2)];
}

/**
 * @param {string} title
 * @param {Node | string} body
 * @param {string} [size]
 */
function dialog(title, body, size = "") {
  const close = make("button", { class: "plain", autofocus: "" }, strings.close);
  const form = make("form", { method: "dialog" }, make("h2", {}, title), body, make("div", { class: "end" }, close));
  return /** @type {HTMLDialogElement} */ (make("dialog", { class: size, "aria-label": title }, form));
}

const path = `/api/games/${location.pathname.split("/").pop()}`;
ask(path)
  .then((facts) => new Table(path, facts))
  .catch((error) => document.getElementById("page")?.replaceChildren(make("p", { class: "notice error" }, error.message)));
