/**
 * Line charts in SVG, drawn for the width that they get, with a table for those who do not see them.
 *
 * A series has a colour of CSS, a dash of its own so that colour never speaks alone, points [x, y] and perhaps a band [x, low, high].
 */

const NAMESPACE = "http://www.w3.org/2000/svg";
const DASHES = ["", "7 4", "2 4", "10 4 2 4", "4 2"];
const EDGE = { top: 10, right: 14, bottom: 24, left: 44 };
const TICKS = 5;

/**
 * @typedef {object} Series
 * @property {string} name
 * @property {string} colour
 * @property {number[][]} points [x, y], or null for y where there is none
 * @property {number[][]} [band] [x, low, high]
 * @property {string} [dash]
 * @property {string} [end] what is written at its end
 *
 * @typedef {object} ChartOptions
 * @property {string} title
 * @property {Series[]} series
 * @property {number} [height]
 * @property {[number, number]} [range] of y; else of the values
 * @property {(x: number) => string} [xText]
 * @property {(y: number) => string} [yText]
 * @property {string} [xName] the head of the table's first column
 * @property {{y: number, name: string}} [reference] a dotted line
 * @property {{x: number, y: number, colour: string, title: string}[]} [marks]
 * @property {(x: number) => void} [onPick] called with the nearest x when it is clicked
 * @property {boolean} [bare] without legend and table
 */

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {...(Node | string)} children
 */
function drawn(tag, attributes, ...children) {
  const node = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

/**
 * @param {string} tag
 * @param {string} style
 * @param {...(Node | string)} children
 */
function element(tag, style, ...children) {
  const node = document.createElement(tag);
  if (style) node.className = style;
  node.append(...children);
  return node;
}

/**
 * Round numbers that divide a range.
 * @param {number} low
 * @param {number} high
 * @param {number} count
 */
export function ticks(low, high, count = TICKS) {
  const rough = (high - low) / count || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((part) => part * power).find((part) => part >= rough * 0.999) ?? 10 * power;
  const found = [];
  for (let at = Math.ceil(low / step - 1e-9) * step; at <= high + step * 1e-9; at += step) found.push(Math.abs(at) < step * 1e-9 ? 0 : at);
  return found;
}

/** @param {number} value a number with a letter for thousands, millions, billions */
export function short(value) {
  const size = Math.abs(value);
  const [unit, letter] = size >= 1e9 ? [1e9, "B"] : size >= 1e6 ? [1e6, "M"] : size >= 1e3 ? [1e3, "k"] : [1, ""];
  if (size && size < 0.001) return value.toExponential(0);
  return `${Number((value / unit).toPrecision(3))}${letter}`;
}

/** @param {number} value */
export function percent(value) {
  return `${Math.round(100 * value)}%`;
}

export class Chart {
  /** @param {ChartOptions} options */
  constructor(options) {
    this.options = { height: 240, xText: short, yText: short, ...options };
    this.root = element("figure", "plot");
    this.host = element("div", "plot-area");
    this.readout = element("div", "plot-readout");
    this.readout.hidden = true;
    this.root.append(this.host, this.readout);
    this.now = /** @type {number | null} */ (null);
    this.width = 0;
    if (!this.options.bare) this.root.append(this.legend(), this.table());
    new ResizeObserver(() => this.fit()).observe(this.host);
    this.host.addEventListener("pointermove", (event) => this.point(event));
    this.host.addEventListener("pointerleave", () => this.point(null));
    this.host.addEventListener("click", (event) => {
      const x = this.xAt(event);
      if (x !== null) this.options.onPick?.(x);
    });
    if (this.options.onPick) this.host.classList.add("picks");
  }

  fit() {
    const width = Math.floor(this.host.clientWidth);
    if (width && width !== this.width) {
      this.width = width;
      this.draw();
    }
  }

  /** @param {Partial<ChartOptions>} options what has changed */
  update(options) {
    Object.assign(this.options, options);
    if (this.width) this.draw();
  }

  draw() {
    const { series, height, range, reference, marks = [], xText, yText, title } = this.options;
    const all = series.flatMap(({ points, band }) => [...points, ...(band ?? [])]);
    const xs = all.map(([x]) => x);
    const ys = range ?? all.flatMap(([, ...values]) => values).filter((y) => y !== null);
    const [xLow, xHigh] = xs.length ? [Math.min(...xs), Math.max(...xs)] : [0, 1];
    let [low, high] = ys.length ? [Math.min(...ys), Math.max(...ys)] : [0, 1];
    if (!range) [low, high] = high > low ? [low - (high - low) * 0.06, high + (high - low) * 0.06] : [low - 0.5, high + 0.5];
    const right = this.width - EDGE.right - (series.some(({ end }) => end) ? 12 : 0);
    const bottom = height - EDGE.bottom;
    this.x = (/** @type {number} */ x) => EDGE.left + ((x - xLow) / (xHigh - xLow || 1)) * (right - EDGE.left);
    this.y = (/** @type {number} */ y) => bottom - ((y - low) / (high - low || 1)) * (bottom - EDGE.top);
    this.span = { xLow, xHigh, right, bottom };
    const svg = drawn("svg", { width: this.width, height, viewBox: `0 0 ${this.width} ${height}`, role: "img", "aria-label": title });
    for (const y of ticks(low, high, height < 150 ? 2 : TICKS)) {
      svg.append(drawn("line", { class: "grid", x1: EDGE.left, x2: right, y1: this.y(y), y2: this.y(y) }));
      svg.append(drawn("text", { class: "tick", x: EDGE.left - 7, y: this.y(y) + 4, "text-anchor": "end" }, yText(y)));
    }
    for (const x of ticks(xLow, xHigh, Math.max(2, Math.floor(this.width / 110)))) {
      svg.append(drawn("text", { class: "tick", x: this.x(x), y: height - 7, "text-anchor": "middle" }, xText(x)));
    }
    if (reference) {
      const y = this.y(reference.y);
      svg.append(drawn("line", { class: "reference", x1: EDGE.left, x2: right, y1: y, y2: y }));
    }
    for (const { band, colour } of series) if (band?.length) svg.append(this.band(band, colour));
    series.forEach((one, index) => svg.append(...this.line(one, index)));
    for (const mark of marks) {
      const dot = drawn("circle", { class: "mark", cx: this.x(mark.x), cy: this.y(mark.y), r: 4.5, fill: mark.colour });
      dot.append(drawn("title", {}, mark.title));
      svg.append(dot);
    }
    this.hair = drawn("line", { class: "hair", y1: EDGE.top, y2: bottom, visibility: "hidden" });
    this.cursor = drawn("line", { class: "now", y1: EDGE.top - 4, y2: bottom, visibility: "hidden" });
    svg.append(this.hair, this.cursor);
    this.host.replaceChildren(svg);
    this.mark(this.now);
  }

  /**
   * @param {number[][]} band
   * @param {string} colour
   */
  band(band, colour) {
    const upper = band.map(([x, , y]) => `${this.x(x).toFixed(1)},${this.y(y).toFixed(1)}`);
    const lower = band.map(([x, y]) => `${this.x(x).toFixed(1)},${this.y(y).toFixed(1)}`).reverse();
    const area = drawn("polygon", { class: "band", points: [...upper, ...lower].join(" ") });
    area.style.fill = colour;
    return area;
  }

  /**
   * @param {Series} series
   * @param {number} index
   */
  line({ points, colour, dash, end }, index) {
    const found = points.filter(([, y]) => y !== null);
    if (!found.length) return [];
    const line = drawn("polyline", { class: "curve", points: found.map(([x, y]) => `${this.x(x).toFixed(1)},${this.y(y).toFixed(1)}`).join(" ") });
    line.style.stroke = colour;
    line.style.strokeDasharray = dash ?? DASHES[index % DASHES.length];
    const parts = [line];
    if (found.length < 40 && !this.options.bare) {
      for (const [x, y] of found) {
        const dot = drawn("circle", { class: "dot", cx: this.x(x), cy: this.y(y), r: 3 });
        dot.style.fill = colour;
        parts.push(dot);
      }
    }
    if (end) {
      const [, last] = found[found.length - 1];
      const label = drawn("text", { class: "end", x: this.span.right + 5, y: this.y(last) + 4 }, end);
      label.style.fill = colour;
      parts.push(label);
    }
    return parts;
  }

  /**
   * A line at the position that is shown elsewhere.
   * @param {number | null} x
   */
  mark(x) {
    this.now = x;
    if (!this.cursor || !this.x) return;
    this.cursor.setAttribute("visibility", x === null ? "hidden" : "visible");
    if (x !== null) for (const end of ["x1", "x2"]) this.cursor.setAttribute(end, String(this.x(x)));
  }

  /** @param {MouseEvent} event */
  xAt(event) {
    if (!this.span) return null;
    const { xLow, xHigh, right } = this.span;
    const part = (event.clientX - this.host.getBoundingClientRect().left - EDGE.left) / (right - EDGE.left);
    return xLow + Math.max(0, Math.min(1, part)) * (xHigh - xLow);
  }

  /** @param {PointerEvent | null} event */
  point(event) {
    const x = event && this.xAt(event);
    const { series, xText, yText } = this.options;
    const nearest = x === null || x === undefined ? [] : series.map(({ points, band }) => nearestTo(points, band ?? [], x));
    const at = nearest.find((found) => found)?.x;
    this.readout.hidden = at === undefined;
    this.hair?.setAttribute("visibility", at === undefined ? "hidden" : "visible");
    if (at === undefined) return;
    for (const end of ["x1", "x2"]) this.hair?.setAttribute(end, String(this.x(at)));
    const rows = nearest.flatMap((found, index) => {
      if (!found) return [];
      const key = element("span", "key");
      key.style.background = series[index].colour;
      const range = found.low === undefined ? "" : ` (${yText(found.low)} to ${yText(found.high)})`;
      return [element("span", "plot-row", key, `${series[index].name} `, element("b", "", yText(found.y)), range)];
    });
    this.readout.replaceChildren(element("span", "plot-x", xText(at)), ...rows);
    const left = this.x(at);
    const isRight = left > this.width / 2;
    this.readout.style.left = isRight ? "auto" : `${left + 12}px`;
    this.readout.style.right = isRight ? `${this.width - left + 12}px` : "auto";
  }

  legend() {
    const { series, reference } = this.options;
    const rows = series.map(({ name, colour, dash }, index) => {
      const line = drawn("line", { x1: 0, x2: 24, y1: 5, y2: 5 });
      line.style.stroke = colour;
      line.style.strokeDasharray = dash ?? DASHES[index % DASHES.length];
      return element("li", "", drawn("svg", { width: 24, height: 10, "aria-hidden": "true", class: "sample" }, line), name);
    });
    if (reference) {
      const sample = drawn("svg", { width: 24, height: 10, "aria-hidden": "true" }, drawn("line", { class: "reference", x1: 0, x2: 24, y1: 5, y2: 5 }));
      rows.push(element("li", "", sample, reference.name));
    }
    const list = element("ul", "legend", ...rows);
    list.hidden = rows.length < 2;
    return list;
  }

  /** The figures as a table, filled when it is opened. */
  table() {
    const details = /** @type {HTMLDetailsElement} */ (element("details", "plot-table", element("summary", "", "As a table")));
    details.addEventListener("toggle", () => {
      details.querySelector(".wide")?.remove();
      if (details.open) details.append(element("div", "wide", this.figures()));
    });
    return details;
  }

  figures() {
    const { series, xText, yText, xName = "", title } = this.options;
    const at = [...new Set(series.flatMap(({ points }) => points.map(([x]) => x)))].sort((a, b) => a - b);
    const head = element("tr", "", element("th", "", xName), ...series.map(({ name }) => element("th", "", name)));
    const rows = at.map((x) => {
      const cells = series.map(({ points, band }) => {
        const point = points.find(([other]) => other === x);
        const range = band?.find(([other]) => other === x);
        return element("td", "", point ? yText(point[1]) + (range ? ` (${yText(range[1])} to ${yText(range[2])})` : "") : "");
      });
      return element("tr", "", element("td", "", xText(x)), ...cells);
    });
    const caption = element("caption", "hidden", title);
    return element("table", "figures", caption, element("thead", "", head), element("tbody", "", ...rows));
  }
}

/**
 * @param {number[][]} points
 * @param {number[][]} band
 * @param {number} x
 */
function nearestTo(points, band, x) {
  let best = -1;
  points.forEach(([at, y], index) => {
    if (y !== null && (best < 0 || Math.abs(at - x) < Math.abs(points[best][0] - x))) best = index;
  });
  if (best < 0) return null;
  const [at, y] = points[best];
  const range = band.find(([other]) => other === at);
  return { x: at, y, low: range?.[1], high: range?.[2] };
}
