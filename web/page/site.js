/** What every page of the server has: the theme, and requests with their errors in words. */
import { iconButton, make, switchTheme } from "./replay.js";
import { strings } from "./strings.site.en.js";

const KEPT = "tradewinds-theme";

/** An error of the server, with its status and what else it said. */
export class RequestError extends Error {
  /**
   * @param {number} status 0: the server cannot be reached
   * @param {Record<string, any>} facts
   */
  constructor(status, facts) {
    super(facts.error ?? `${status}`);
    this.status = status;
    this.facts = facts;
  }
}

/**
 * Ask the server.
 * @param {string} path
 * @param {any} [body] what to POST; without it the request is a GET
 * @returns {Promise<any>}
 */
export async function ask(path, body) {
  const post = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body ?? {}) };
  let answer;
  try {
    answer = await fetch(path, body === undefined ? {} : post);
  } catch {
    throw new RequestError(0, { error: strings.unreachable });
  }
  const facts = await answer.json().catch(() => ({ error: `${answer.status} ${answer.statusText}` }));
  if (!answer.ok) throw new RequestError(answer.status, facts);
  return facts;
}

/** Light or dark, kept for the next page. */
export function changeTheme() {
  switchTheme();
  localStorage.setItem(KEPT, document.documentElement.dataset.theme ?? "");
}

/**
 * A box over the page, with a button that closes it.
 * @param {string} title
 * @param {Node | string} body
 * @param {string} [size]
 */
export function dialog(title, body, size = "") {
  const close = make("button", { class: "plain", autofocus: "" }, strings.close);
  const form = make("form", { method: "dialog" }, make("h2", {}, title), body, make("div", { class: "end" }, close));
  return /** @type {HTMLDialogElement} */ (make("dialog", { class: size, "aria-label": title }, form));
}

/**
 * Links of seats, each with a button that copies it.
 * @param {{seat: number, name: string, path: string}[]} links
 */
export function linksList(links) {
  const rows = links.map(({ name, path }) => {
    const url = new URL(path, location.href).href;
    const field = /** @type {HTMLInputElement} */ (make("input", { type: "text", readonly: "", value: url, "aria-label": name }));
    const copy = make("button", { class: "quiet", type: "button" }, strings.copy);
    copy.addEventListener("click", async () => {
      field.select();
      await navigator.clipboard?.writeText(url).catch(() => document.execCommand("copy"));
      copy.textContent = strings.copied;
    });
    return make("div", { class: "link-row" }, make("span", {}, name), field, copy);
  });
  return make("div", { class: "links" }, make("small", {}, strings.linksLead), ...rows);
}

const kept = localStorage.getItem(KEPT);
if (kept) document.documentElement.dataset.theme = kept;
const header = document.querySelector("header.site");
if (header) header.append(make("div", { class: "tools" }, iconButton("theme", strings.theme, changeTheme)));
