/** The rules' files as elements: headings, lists, tables, paragraphs, bold, italics and code. Text only ever becomes text. */
import { make } from "./replay.js";

/**
 * @param {string} text
 * @returns {HTMLElement}
 */
export function markdown(text) {
  const found = make("div", { class: "prose" });
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; ) {
    const line = lines[at];
    const heading = /^(#{1,4}) (.*)$/.exec(line);
    if (heading) {
      found.append(make(`h${heading[1].length + 1}`, {}, ...inline(heading[2])));
      at += 1;
    } else if (line.startsWith("|")) {
      const rows = [];
      for (; at < lines.length && lines[at].startsWith("|"); at += 1) rows.push(cells(lines[at]));
      found.append(table(rows));
    } else if (line.startsWith("- ")) {
      const list = make("ul");
      while (at < lines.length && lines[at].startsWith("- ")) {
        const item = [lines[at].slice(2)];
        for (at += 1; at < lines.length && /^ +\S/.test(lines[at]); at += 1) item.push(lines[at].trim());
        list.append(make("li", {}, ...inline(item.join(" "))));
      }
      found.append(list);
    } else if (line.trim()) {
      const paragraph = [];
      for (; at < lines.length && lines[at].trim() && !/^(#|\||- )/.test(lines[at]); at += 1) paragraph.push(lines[at].trim());
      found.append(make("p", {}, ...inline(paragraph.join(" "))));
    } else {
      at += 1;
    }
  }
  return found;
}

/** @param {string} line */
function cells(line) {
  return line.replace(/^\||\|\s*$/g, "").split("|").map((cell) => cell.trim());
}

/** @param {string[][]} rows */
function table(rows) {
  const [head, ...rest] = rows.filter((row) => !row.every((cell) => /^:?-+:?$/.test(cell)));
  const row = (/** @type {string} */ name, /** @type {string[]} */ of) => make("tr", {}, ...of.map((cell) => make(name, {}, ...inline(cell))));
  return make("div", { class: "wide" }, make("table", {}, make("thead", {}, row("th", head)), make("tbody", {}, ...rest.map((of) => row("td", of)))));
}

/**
 * @param {string} text
 * @returns {(Node | string)[]}
 */
function inline(text) {
  const names = { "**": "strong", "*": "em", "`": "code" };
  return text.split(/(\*\*[^*]+\*\*|\*[^*]+\*|`[^`]+`)/).map((part) => {
    const mark = /^(\*\*|\*|`)(.+)\1$/.exec(part);
    return mark ? make(names[mark[1]], {}, mark[2]) : part;
  });
}
