/** Choosing: the places on the board, the list, the chips at a place and the digits that make a decision. No game is named here. */
import { make } from "./replay.js";
import { strings } from "./strings.site.en.js";

const PATIENCE = 700; // milliseconds that a digit waits for a second one
const SOON = 150; // milliseconds in which most moves are answered: a list that is dimmed for less would only flicker
const DOUBLE = 300; // milliseconds in which the second half of a double click may fall on the next position
const MOST_AT_A_PLACE = 12; // choices beside a place; more are in the list only

/**
 * @typedef {{id: number, name: string, detail: string, places: string[], amount: number | null}} Choice
 */

export class Choosing {
  /**
   * @param {import("./board.js").Board} board
   * @param {(choice: Choice) => void} onPlay
   * @param {() => void} onShow called when other places can be clicked
   */
  constructor(board, onPlay, onShow) {
    this.board = board;
    this.onPlay = onPlay;
    this.onShow = onShow;
    /** @type {Choice[]} */
    this.choices = [];
    /** @type {string[]} places that were clicked */
    this.clicked = [];
    /** @type {Map<number, string>} by choice, what an agent says of it */
    this.ratings = new Map();
    this.hinted = -1;
    this.filterText = "";
    this.digits = "";
    this.timer = 0;
    this.dimming = 0;
    this.shownAt = 0;
    this.wantsFocus = false;
    this.title = make("h2", {}, strings.choices);
    this.filter = /** @type {HTMLInputElement} */ (make("input", { type: "search", placeholder: strings.filter, "aria-label": strings.filter, autocomplete: "off", hidden: "" }));
    this.filter.addEventListener("input", () => this.clear(this.filter.value.toLowerCase()));
    this.filter.addEventListener("keydown", (event) => this.inFilter(event));
    this.list = make("div", { class: "choices" });
    this.popover = make("div", { class: "chips-at", role: "group", hidden: "" });
    for (const host of [this.list, this.popover, board.host]) host.addEventListener("click", (event) => this.refuseDouble(event), { capture: true });
  }

  /**
   * Offer the choices of a new decision.
   * @param {Choice[]} choices none: somebody else decides
   * @param {Node | null} [instead] what stands in place of the list then
   * @param {string} [title]
   */
  offer(choices, instead = null, title = strings.choices) {
    this.wantsFocus ||= this.hasFocus();
    this.choices = choices;
    this.heading = title;
    this.ratings = new Map();
    this.hinted = -1;
    this.shownAt = performance.now();
    this.clear();
    if (!choices.length) this.list.replaceChildren(...(instead ? [instead] : []));
    else if (this.wantsFocus) {
      // Who plays by keys goes on by keys; but the focus is not taken from where it was moved to in the meantime.
      if (document.activeElement === document.body) this.list.querySelector("button")?.focus({ preventScroll: true });
      this.wantsFocus = false;
    }
  }

  /** Whether the focus is on a choice or a place. */
  hasFocus() {
    return [this.list, this.popover, this.board.host].some((host) => host.contains(document.activeElement));
  }

  /** @param {boolean} isBusy whether a move is on its way */
  busy(isBusy) {
    window.clearTimeout(this.dimming);
    this.list.classList.remove("slow");
    this.list.toggleAttribute("aria-busy", isBusy);
    if (isBusy) {
      this.dimming = window.setTimeout(() => this.list.classList.add("slow"), SOON);
      this.list.setAttribute("aria-busy", "true");
      this.popover.hidden = true;
    }
  }

  /**
   * The second half of a double click must not play at the position that the first half led to.
   * @param {MouseEvent} event
   */
  refuseDouble(event) {
    if (event.detail < 2 || performance.now() - this.shownAt > DOUBLE) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The choices that contain all places which were clicked. */
  candidates() {
    return this.choices.filter(({ places }) => this.clicked.every((place) => places.includes(place)));
  }

  /** What is listed: the candidates that match the filter, with the keys that play them. */
  entries() {
    const found = this.candidates().filter(({ name, detail }) => `${name} ${detail}`.toLowerCase().includes(this.filterText));
    const amounts = found.map(({ amount }) => amount);
    const isAtOnePlace = new Set(found.map(({ places }) => places.join())).size === 1;
    const isAmount = found.length > 1 && isAtOnePlace && amounts.every((amount) => amount !== null) && new Set(amounts).size === found.length;
    return { found, isAmount, keys: found.map((choice, at) => String(isAmount ? choice.amount : at + 1)) };
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
    this.forgetDigits();
    if (left.length === 1) this.onPlay(left[0]);
    else this.show();
  }

  /** @param {string} filter start again, with this filter */
  clear(filter = "") {
    this.clicked = [];
    this.filterText = filter;
    if (this.filter.value.toLowerCase() !== filter) this.filter.value = filter;
    this.forgetDigits();
    this.show();
  }

  forgetDigits() {
    window.clearTimeout(this.timer);
    this.digits = "";
  }

  /**
   * Show what an agent says of the choices.
   * @param {number} hinted the choice that it would play
   * @param {Map<number, string>} ratings
   */
  rate(hinted, ratings) {
    this.hinted = hinted;
    this.ratings = ratings;
    this.clear();
    this.list.querySelector(".hinted")?.scrollIntoView({ block: "nearest" });
  }

  show() {
    const { found, isAmount, keys } = this.entries();
    const focused = this.list.contains(document.activeElement) || this.popover.contains(document.activeElement) ? document.activeElement?.getAttribute("data-action") : null;
    const isOpen = this.choices.length > 0;
    this.board.outline({ chosen: this.clicked, hot: this.openPlaces() });
    this.onShow();
    this.filter.hidden = this.choices.length < 8;
    this.title.textContent = isAmount ? strings.chooseAmount : (this.heading ?? strings.choices);
    this.list.classList.toggle("amounts", isAmount);
    if (isOpen && !found.length) this.list.replaceChildren(make("p", { class: "empty" }, strings.noMatch));
    else if (isOpen) this.list.replaceChildren(...found.map((choice, at) => this.button(choice, keys[at], isAmount)));
    this.showPopover(found, isAmount, keys);
    if (focused) /** @type {HTMLElement | null} */ (this.list.querySelector(`[data-action="${focused}"]`) ?? this.list.querySelector("button"))?.focus({ preventScroll: true });
  }

  /** The places that can still be clicked, and what is read out for each. */
  openPlaces() {
    /** @type {Map<string, string[]>} */
    const open = new Map();
    for (const { places, name } of this.candidates()) {
      for (const place of places) if (!this.clicked.includes(place)) open.set(place, [...(open.get(place) ?? []), name]);
    }
    return new Map([...open].map(([place, names]) => [place, names.slice(0, 3).join("; ") + (names.length > 3 ? "; …" : "")]));
  }

  /**
   * @param {Choice} choice
   * @param {string} shortcut
   * @param {boolean} isAmount
   */
  button(choice, shortcut, isAmount) {
    const hinted = this.hinted === choice.id ? " hinted" : "";
    const rating = this.ratings.get(choice.id) ?? "";
    const onclick = () => this.onPlay(choice);
    const light = () => this.board.outline({ chosen: [...this.clicked, ...choice.places] });
    const dark = () => this.board.outline({ chosen: this.clicked });
    const attributes = { type: "button", "data-action": choice.id, onclick, onpointerenter: light, onpointerleave: dark };
    if (isAmount) {
      const title = [choice.detail || choice.name, rating].filter(Boolean).join(" · ");
      return make("button", { ...attributes, class: `chip${hinted}`, "aria-label": choice.name, title }, String(choice.amount));
    }
    const [head, rest] = split(choice.name);
    const name = make("span", { class: "name" }, ...(head ? [make("span", { class: "head" }, `${head}: `)] : []), rest);
    if (choice.detail) name.append(make("span", { class: "detail" }, choice.detail));
    const number = Number(shortcut) < 100 ? make("kbd", {}, shortcut) : "";
    return make("button", { ...attributes, class: `choice${hinted}` }, number, name, ...(rating ? [make("span", { class: "rating" }, rating)] : []));
  }

  /**
   * Amounts, or what is left to choose at a place, beside the place itself.
   * @param {Choice[]} found
   * @param {boolean} isAmount
   * @param {string[]} keys
   */
  showPopover(found, isAmount, keys) {
    const places = found[0]?.places ?? [];
    const isSame = found.length > 1 && found.length <= MOST_AT_A_PLACE && found.every((choice) => choice.places.join() === places.join());
    const wanted = isSame && places.length > 0 && (this.clicked.length > 0 || found.length === this.choices.length);
    this.popover.hidden = !wanted;
    if (!wanted) return;
    this.popover.setAttribute("aria-label", strings.chooseAmount);
    this.popover.dataset.place = places[places.length - 1];
    this.popover.classList.toggle("amounts", isAmount);
    this.popover.replaceChildren(...found.map((choice, at) => this.button(choice, keys[at], isAmount)));
    this.placePopover();
  }

  placePopover() {
    if (this.popover.hidden) return;
    const piece = this.board.pieces(this.popover.dataset.place ?? "")[0];
    const room = this.board.host.parentElement?.getBoundingClientRect();
    if (!piece || !room) return;
    const box = piece.getBoundingClientRect();
    const isOutside = box.bottom < room.top || box.top > room.bottom || box.right < room.left || box.left > room.right;
    this.popover.classList.toggle("away", isOutside);
    const { offsetWidth: width, offsetHeight: height } = this.popover;
    const below = box.bottom - room.top + 6;
    this.popover.style.left = `${Math.max(4, Math.min(room.width - width - 4, box.left - room.left + box.width / 2 - width / 2))}px`;
    this.popover.style.top = `${below + height > room.height ? Math.max(4, box.top - room.top - height - 6) : below}px`;
  }

  // Keys

  /** @param {KeyboardEvent} event */
  inFilter(event) {
    if (event.key === "Escape") {
      this.clear();
      this.filter.blur();
    } else if (event.key === "Enter") {
      const { found } = this.entries();
      if (found.length === 1 && !event.repeat) this.onPlay(found[0]);
      else this.list.querySelector("button")?.focus();
    } else if (event.key === "ArrowDown") {
      this.list.querySelector("button")?.focus();
    } else return;
    event.preventDefault();
  }

  /**
   * Move the focus among the choices or the places.
   * @param {"list" | "board"} where
   * @param {1 | -1} way
   */
  step(where, way) {
    const [host, which] = where === "list" ? [this.list, "button"] : [this.board.host, '.hot[role="button"]'];
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
    window.clearTimeout(this.timer);
    this.digits += digit;
    const { found, keys } = this.entries();
    const meant = keys.filter((one) => one.startsWith(this.digits));
    const at = keys.indexOf(this.digits);
    const play = () => {
      this.digits = "";
      this.onPlay(found[at]); // any change of what is listed has stopped the timer
    };
    if (at >= 0 && meant.length === 1) play();
    else if (at >= 0) this.timer = window.setTimeout(play, PATIENCE);
    else if (!meant.length) this.digits = "";
  }
}

/**
 * What stands before the colon of a name, and the rest.
 * @param {string} name
 */
function split(name) {
  const at = name.indexOf(": ");
  return at < 0 ? ["", name] : [name.slice(0, at), name.slice(at + 2)];
}
