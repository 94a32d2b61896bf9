/**
 * The board: one SVG picture with named places and panels.
 *
 * A picture comes whole, from a server or a replay. On top of it lies a layer of outlines, which never changes the picture itself:
 * "last" for the last move, "hot" for places that can be clicked, "chosen" for those that were. Below them lies heat: how much a search
 * looked at each place, and above them what it found there. A name may stand for several pieces.
 */

const SVG = "http://www.w3.org/2000/svg";
const SHAPES = "rect, circle, polygon, path";
const PAINT = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "opacity"];
const VALUE_SIZE = 13; // of the text of a place, in pixels of the screen as far as pieces have room for it
const VALUE_WIDTH = 2; // of such a text, by its size
const [LEAST_VALUE, MOST_VALUE] = [13, 24]; // the same in units of the picture
const PADDING = 6; // around a panel that is shown by itself

/**
 * @typedef {{name: string, title: string}} Panel
 * @typedef {{share: number, text: string}} Heat how strongly a place is tinted, from 0 to 1, and what is written on it
 * @typedef {Record<string, Map<string, string> | Iterable<string>>} Outlines by kind, names of places; for hot ones a map to what is read out
 */

export class Board {
  /**
   * @param {HTMLElement} host what the picture is put into
   * @param {(place: string) => void} [onPlace] called when a hot place is clicked, or entered by key
   */
  constructor(host, onPlace) {
    this.host = host;
    this.panel = "";
    /** @type {Map<string, Map<string, string>>} by kind of outline, the places and what they are called */
    this.outlines = new Map();
    /** @type {Map<string, Heat>} by place */
    this.heated = new Map();
    /** @type {SVGSVGElement | null} */
    this.svg = null;
    this.layer = document.createElementNS(SVG, "g");
    this.layer.setAttribute("class", "outlines");
    const play = (/** @type {Event} */ event) => {
      const place = /** @type {Element} */ (event.target).closest?.(".hot")?.getAttribute("data-for");
      if (place && onPlace) {
        event.preventDefault();
        onPlace(place);
      }
    };
    host.addEventListener("click", play);
    host.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      if (!event.repeat) play(event);
    });
  }

  /**
   * Show a picture, with the outlines that are set.
   * @param {string} picture SVG from this project's own renderer, which escapes all text
   * @param {Outlines} [outlines] to set with it
   */
  show(picture, outlines = {}) {
    this.set(outlines);
    const fresh = parsed(picture);
    const whole = fresh?.getAttribute("viewBox") ?? "";
    if (fresh && this.svg?.parentNode === this.host && whole === this.whole) {
      this.layer.remove();
      update(this.svg, fresh);
    } else {
      this.svg = fresh;
      this.host.replaceChildren(...(fresh ? [fresh] : []));
    }
    if (!this.svg) return;
    this.whole = whole;
    this.svg.removeAttribute("width");
    this.svg.removeAttribute("height");
    this.svg.setAttribute("role", "group");
    this.svg.append(this.layer);
    this.drawOutlines();
    this.zoom(this.panel);
  }

  /**
   * Outline places. Kinds that are not named stay as they are.
   * @param {Outlines} outlines
   */
  outline(outlines) {
    this.set(outlines);
    this.drawOutlines();
  }

  /** @param {Outlines} outlines */
  set(outlines) {
    for (const [kind, places] of Object.entries(outlines)) {
      this.outlines.set(kind, places instanceof Map ? places : new Map(Array.from(places, (place) => [place, ""])));
    }
  }

  /**
   * Tint places and write on them.
   * @param {Map<string, Heat>} heated by place
   */
  heat(heated) {
    this.heated = heated;
    this.drawOutlines();
  }

  drawHeat() {
    for (const [place, { share }] of this.heated) {
      for (const piece of this.pieces(place)) {
        const shape = /** @type {SVGElement | null} */ (outlineOf(piece));
        if (!shape) continue;
        shape.setAttribute("class", "outline heat");
        shape.setAttribute("data-for", place);
        shape.style.setProperty("--share", String(Math.min(1, share)));
        this.layer.append(shape);
      }
    }
  }

  /** Write on the upper edge of the first piece of each place, so that what stands in it can be read. What it says is in the table of the choices too. */
  drawValues() {
    const scale = this.svg?.getScreenCTM()?.a || 1;
    const size = Math.min(MOST_VALUE, Math.max(LEAST_VALUE, VALUE_SIZE / scale));
    for (const text of this.layer.querySelectorAll(".value")) text.remove();
    for (const [place, { text }] of this.heated) {
      const shape = /** @type {SVGGraphicsElement | null} */ (this.layer.querySelector(`.heat[data-for="${CSS.escape(place)}"]`));
      if (!shape) continue;
      const box = shape.getBBox();
      const matrix = shape.transform.baseVal.consolidate()?.matrix ?? new DOMMatrix();
      const { a, b, c, d, e, f } = matrix;
      const at = new DOMPoint(box.x + box.width / 2, box.y).matrixTransform(new DOMMatrix([a, b, c, d, e, f]));
      const fitting = Math.min(size, (box.width * a) / VALUE_WIDTH); // pieces that stand side by side
      const label = document.createElementNS(SVG, "text");
      for (const [name, value] of Object.entries({ class: "value", x: at.x, y: at.y, "font-size": fitting, "aria-hidden": "true" })) label.setAttribute(name, String(value));
      label.textContent = text;
      this.layer.append(label);
    }
  }

  drawOutlines() {
    const focused = this.layer.contains(document.activeElement) ? document.activeElement?.getAttribute("data-for") : null;
    this.layer.replaceChildren();
    this.drawHeat();
    for (const [kind, places] of this.outlines) {
      for (const [place, label] of places) {
        this.pieces(place).forEach((piece, index) => {
          const shape = outlineOf(piece);
          if (!shape) return;
          shape.setAttribute("class", `outline ${kind}`);
          shape.setAttribute("data-for", place);
          if (kind === "hot" && index === 0) {
            shape.setAttribute("role", "button");
            shape.setAttribute("tabindex", "0");
            shape.setAttribute("aria-label", label || place);
          }
          this.layer.append(shape);
        });
      }
    }
    this.drawValues();
    // A place that had the focus and is still there keeps it, or the next Enter would be lost.
    if (focused) /** @type {SVGElement | null} */ (this.layer.querySelector(`.hot[role="button"][data-for="${CSS.escape(focused)}"]`))?.focus({ preventScroll: true });
  }

  /**
   * The pieces of a place.
   * @param {string} place
   * @returns {Element[]}
   */
  pieces(place) {
    return this.svg ? Array.from(this.svg.querySelectorAll(`[data-place="${CSS.escape(place)}"]`)) : [];
  }

  /** @returns {Panel[]} the parts of the board that can be shown by themselves */
  panels() {
    const found = this.svg ? Array.from(this.svg.querySelectorAll("[data-panel]")) : [];
    return found.map((part) => ({ name: part.getAttribute("data-panel") ?? "", title: part.getAttribute("data-title") ?? "" }));
  }

  /**
   * Show one panel by itself, or the whole board. The choice is kept for later pictures, as far as they have that panel.
   * @param {string} panel its name; "" for the whole board
   */
  zoom(panel) {
    this.panel = panel;
    if (!this.svg) return;
    const part = panel && this.svg.querySelector(`[data-panel="${CSS.escape(panel)}"]`);
    const box = part ? boxOf(/** @type {SVGGraphicsElement} */ (part), this.svg) : this.whole;
    if (this.svg.getAttribute("viewBox") === box && this.svg.style.getPropertyValue("--ratio")) return; // everything would be laid out again
    const [, , width, height] = box.split(" ").map(Number);
    this.svg.setAttribute("viewBox", box);
    this.svg.style.setProperty("--ratio", String(width / height));
    if (this.heated.size) this.drawValues();
  }
}

/**
 * The picture as elements that are not on the page yet.
 * @param {string} picture
 */
function parsed(picture) {
  const template = document.createElement("template");
  template.innerHTML = picture;
  return template.content.querySelector("svg");
}

/**
 * Make one element's content like another's. What is the same stays, so that the browser need not lay it out and paint it again.
 * @param {Element} old
 * @param {Element} fresh its content is taken
 */
function update(old, fresh) {
  const before = Array.from(old.childNodes);
  const now = Array.from(fresh.childNodes);
  now.forEach((node, at) => {
    const other = before[at];
    if (!other) old.append(node);
    else if (other.isEqualNode(node)) return;
    else if (isGroup(other) && isGroup(node) && other.cloneNode().isEqualNode(node.cloneNode())) update(other, node);
    else other.replaceWith(node);
  });
  for (const node of before.slice(now.length)) node.remove();
}

/**
 * @param {Node} node
 * @returns {node is Element}
 */
function isGroup(node) {
  return node.nodeName === "g";
}

/**
 * The first shape of a place, where it stands on the board, without its paint.
 * @param {Element} piece
 * @returns {Element | null}
 */
function outlineOf(piece) {
  const shape = piece.querySelector(SHAPES);
  if (!shape) return null;
  const moved = [];
  for (let at = shape.parentElement; at && at.tagName === "g"; at = at.parentElement) {
    const transform = at.getAttribute("transform");
    if (transform) moved.unshift(transform);
  }
  const copy = /** @type {Element} */ (shape.cloneNode());
  for (const name of PAINT) copy.removeAttribute(name);
  if (moved.length) copy.setAttribute("transform", moved.join(" "));
  return copy;
}

/**
 * The viewBox around a part of the picture.
 * @param {SVGGraphicsElement} part
 * @param {SVGSVGElement} svg
 */
function boxOf(part, svg) {
  const box = part.getBBox();
  const toPicture = svg.getScreenCTM()?.inverse().multiply(part.getScreenCTM() ?? new DOMMatrix());
  const corner = new DOMPoint(box.x, box.y).matrixTransform(toPicture);
  const far = new DOMPoint(box.x + box.width, box.y + box.height).matrixTransform(toPicture);
  return [corner.x - PADDING, corner.y - PADDING, far.x - corner.x + 2 * PADDING, far.y - corner.y + 2 * PADDING].join(" ");
}
