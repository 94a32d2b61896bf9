/** The start page: a new game, the games that are running, and the way to replays. */
import { make, seatMark } from "./replay.js";
import { ask, linksList } from "./site.js";
import { fill, strings } from "./strings.site.en.js";

const OPTIONAL = ["visibility"]; // options that few change, besides those that are numbers

/**
 * @typedef {{name: string, default: any, choices: any[] | null, min: any, max: any, text: string}} Option
 * @typedef {{name: string, title: string, goal: string, players: number[], default: number, levels: Record<string, Record<string, string>>, options: Option[]}} Game
 */

class Start {
  /** @param {{games: Game[], agents: string[], colours: string[]}} setup */
  constructor(setup) {
    this.setup = setup;
    this.game = setup.games.find(({ name }) => name === new URLSearchParams(location.search).get("game")) ?? setup.games[0];
    this.count = this.game.default;
    /** @type {{who: string, name: string}[]} */
    this.seats = Array.from({ length: 8 }, (_, seat) => ({ who: seat ? "medium" : "here", name: seat ? "" : strings.you }));
    /** @type {Record<string, any>} */
    this.chosen = {};
    this.seatRows = make("div", { class: "seats" });
    this.variants = make("div", { class: "variants" });
    this.more = make("div", { class: "fields" });
    this.counts = make("div", { class: "segments", role: "radiogroup", "aria-label": strings.players });
    this.seed = /** @type {HTMLInputElement} */ (make("input", { type: "number", min: "0", step: "1", inputmode: "numeric" }));
    this.button = /** @type {HTMLButtonElement} */ (make("button", { class: "plain large", type: "submit" }, strings.start));
    this.problem = make("p", { class: "notice error", role: "alert", hidden: "" });
    this.running = make("div", { class: "running" });
    this.build();
    this.showGame();
  }

  build() {
    const cards = this.setup.games.map((game) => {
      const radio = make("input", { type: "radio", name: "game", value: game.name, ...(game === this.game ? { checked: "" } : {}) });
      radio.addEventListener("change", () => {
        this.game = game;
        this.count = game.default;
        this.chosen = {};
        this.showGame();
      });
      const players = `${game.players[0]}–${game.players[game.players.length - 1]}`;
      const text = make("span", {}, make("strong", {}, game.title), make("small", {}, fill(strings.playerCount, { count: players })), make("span", { class: "goal" }, game.goal));
      return make("label", { class: "pick" }, radio, text);
    });
    const form = make(
      "form",
      { class: "card new" },
      make("h2", {}, strings.newGame),
      make("fieldset", {}, make("legend", {}, strings.game), make("div", { class: "picks" }, ...cards)),
      make("fieldset", {}, make("legend", {}, strings.players), this.counts),
      make("fieldset", {}, make("legend", {}, strings.seats), this.seatRows),
      make("fieldset", {}, make("legend", {}, strings.variants), this.variants),
      make("details", {}, make("summary", {}, strings.more), this.more),
      this.problem,
      make("div", { class: "end" }, this.button),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.start();
    });
    const replays = make(
      "section",
      { class: "card" },
      make("h2", {}, strings.replays),
      make("p", { class: "empty" }, strings.replaysLead),
      make("p", { class: "end" }, make("a", { class: "quiet", href: "/replays" }, strings.toReplays)),
    );
    const side = make("div", { class: "stack" }, make("section", { class: "card" }, make("h2", {}, strings.running), this.running), replays);
    const page = make("main", { class: "sheet start" }, make("h1", {}, strings.play), make("p", { class: "lead" }, strings.lead), make("div", { class: "columns" }, form, side));
    document.getElementById("page")?.replaceChildren(page);
    this.showRunning();
  }

  showGame() {
    this.counts.replaceChildren(
      ...this.game.players.map((count) => {
        const radio = make("input", { type: "radio", name: "players", value: String(count), ...(count === this.count ? { checked: "" } : {}) });
        radio.addEventListener("change", () => {
          this.count = count;
          this.showSeats();
        });
        return make("label", {}, radio, make("span", {}, String(count)));
      }),
    );
    const fields = this.game.options.map((option) => ({ option, field: this.field(option) }));
    const isMore = ({ option }) => option.choices === null || OPTIONAL.includes(option.name);
    this.variants.replaceChildren(...fields.filter((one) => !isMore(one)).map(({ field }) => field));
    /** @type {HTMLElement} */ (this.variants.parentElement).hidden = !this.variants.children.length;
    this.more.replaceChildren(...fields.filter(isMore).map(({ field }) => field), make("label", { class: "field" }, strings.seed, this.seed));
    this.showSeats();
  }

  /**
   * A field for an option of the game.
   * @param {Option} option
   */
  field(option) {
    const words = option.name.replaceAll("_", " ");
    const name = words[0].toUpperCase() + words.slice(1);
    const set = (/** @type {any} */ value) => {
      if (value === option.default) delete this.chosen[option.name];
      else this.chosen[option.name] = value;
    };
    if (typeof option.default === "boolean") {
      const box = /** @type {HTMLInputElement} */ (make("input", { type: "checkbox" }));
      box.addEventListener("change", () => set(box.checked));
      return make("label", { class: "check" }, box, make("span", {}, make("strong", {}, name), make("small", {}, option.text)));
    }
    if (option.choices) {
      const select = /** @type {HTMLSelectElement} */ (make("select", {}, ...option.choices.map((value) => make("option", { value: String(value) }, String(value)))));
      select.value = String(option.default);
      select.addEventListener("change", () => set(option.choices?.[select.selectedIndex]));
      return make("label", { class: "field" }, name, select, make("small", {}, option.text));
    }
    const input = /** @type {HTMLInputElement} */ (make("input", { type: "number", min: String(option.min), max: String(option.max), value: String(option.default) }));
    input.addEventListener("change", () => set(Number(input.value)));
    return make("label", { class: "field" }, name, input, make("small", {}, option.text));
  }

  showSeats() {
    const levels = this.game.levels[String(this.count)];
    this.seatRows.replaceChildren(
      ...this.seats.slice(0, this.count).map((seat, number) => {
        const options = [
          ["here", strings.here],
          ["link", strings.link],
          ...Object.entries(levels).map(([level, code]) => [level, `${strings.levels[level] ?? level} · ${code}`]),
          ...this.setup.agents.map((code) => [code, code]),
        ];
        const select = /** @type {HTMLSelectElement} */ (make("select", { "aria-label": fill(strings.seat, { seat: number }) }, ...options.map(([value, text]) => make("option", { value }, text))));
        select.value = seat.who;
        const name = /** @type {HTMLInputElement} */ (make("input", { type: "text", maxlength: "40", placeholder: `${strings.name}`, "aria-label": `${fill(strings.seat, { seat: number })}: ${strings.name}`, autocomplete: "off" }));
        name.value = seat.name;
        name.addEventListener("input", () => (seat.name = name.value));
        select.addEventListener("change", () => {
          seat.who = select.value;
          name.hidden = !["here", "link"].includes(seat.who);
        });
        name.hidden = !["here", "link"].includes(seat.who);
        return make("div", { class: "seat-row" }, seatMark(number, this.setup.colours), select, name);
      }),
    );
  }

  async start() {
    this.button.disabled = true;
    this.button.textContent = strings.starting;
    this.problem.hidden = true;
    try {
      const seed = this.seed.value === "" ? null : Number(this.seed.value);
      const options = { ...this.chosen, players: this.count };
      const seats = this.seats.slice(0, this.count).map(({ who, name }) => ({ who, name: name.trim() }));
      const made = await ask("/api/games", { game: this.game.name, options, seats, seed });
      if (made.links.length && seats.every(({ who }) => who !== "here")) await this.showRunning();
      else location.href = made.path;
    } catch (error) {
      this.problem.textContent = /** @type {Error} */ (error).message;
      this.problem.hidden = false;
    }
    this.button.disabled = false;
    this.button.textContent = strings.start;
  }

  async showRunning() {
    const { games } = await ask("/api/games");
    if (!games.length) {
      this.running.replaceChildren(make("p", { class: "empty" }, strings.noneRunning));
      return;
    }
    this.running.replaceChildren(
      ...games.map((/** @type {any} */ game) => {
        const stop = make("button", { class: "quiet danger", type: "button", onclick: () => this.stop(game.id) }, strings.stop);
        const open = make("a", { class: "quiet", href: `/table/${game.id}` }, strings.open);
        const isHere = game.players.some((/** @type {any} */ player, /** @type {number} */ seat) => player.person && !game.links.some((/** @type {any} */ link) => link.seat === seat));
        const isWatched = !game.players.some((/** @type {any} */ player) => player.person);
        const marks = game.players.map((/** @type {any} */ player, /** @type {number} */ seat) => make("span", { class: "who" }, seatMark(seat, game.colours), player.name));
        return make(
          "article",
          { class: "game" },
          make("div", { class: "head" }, make("strong", {}, game.title), make("small", {}, game.variant)),
          make("div", { class: "marks" }, ...marks),
          ...(game.links.length ? [linksList(game.links)] : []),
          make("div", { class: "acts" }, ...(isHere || isWatched ? [open] : []), stop),
        );
      }),
    );
  }

  /** @param {string} id */
  async stop(id) {
    if (!confirm(strings.stopSure)) return;
    await ask(`/api/games/${id}/stop`, {});
    await this.showRunning();
  }
}

ask("/api/setup")
  .then((setup) => new Start(setup))
  .catch((error) => document.getElementById("page")?.replaceChildren(make("p", { class: "notice error" }, error.message)));
