// The picture of a reading: one line for each piece (its residual stream, from left to right), arcs for the weights of the heads,
// a square for the feed-forward network, and after each block what the model would say. The controls beside it say the same to everyone.

import { SERIES } from "./colour.js";
import { h, show, svg, widthOf } from "./dom.js";

const TOP = 30,
  TALL = 720, // pixels: a longer text scrolls
  LEAST = 0.02; // weights below are not drawn

export class Stream {
  #data = null;
  #lit = null;
  #drawn;

  /** name; onpick (place) when a row is clicked; onarc ({ layer, head, key }) when an arc is; onover (the same, or null) when it is pointed at */
  constructor({ name, onpick, onarc, onover }) {
    Object.assign(this, { name, onpick, onarc, onover });
    this.figure = svg("svg", { class: "stream", "aria-hidden": "true", "data-name": name });
    this.element = h("div.stream-box", {}, this.figure);
    this.width = widthOf(this.element, () => this.#draw());
  }

  /**
   * pieces: names; place: the row that is read now
   * blocks: [{ weights (heads, seq, seq), off: [heads], lengths: { before, added, after, fed } by row, said: [{ text, p, hit }] by row }]
   */
  update(data) {
    this.#data = data;
    this.#draw();
  }
  /** Only one head's arcs, as ["layer", "head"] numbers, or null for all. */
  light(only) {
    this.#lit = only;
    this.#draw();
  }

  #draw() {
    const width = this.width();
    if (!this.#data || !width) return;
    const { pieces, place, blocks } = this.#data,
      narrow = width < 480,
      row = pieces.length > 16 || width < 700 ? 25 : 29;
    const left = narrow ? 66 : 104,
      label = narrow ? 66 : 118,
      span = Math.max(narrow ? 50 : 72, (width - left - label * blocks.length) / blocks.length),
      whole = left + (span + label) * blocks.length,
      high = TOP + pieces.length * row + 4;
    const y = (i) => TOP + (i + 0.5) * row,
      from = (n) => left + n * (span + label),
      cut = (text, room) => (Array.from(text).length > room ? `${Array.from(text).slice(0, room - 1).join("")}…` : text);
    const longest = Math.max(...blocks.flatMap(({ lengths }) => lengths.after)),
      most = Math.max(...blocks.flatMap(({ lengths }) => lengths.fed)),
      thick = (length) => (1 + (4 * length) / longest).toFixed(2);
    const kind = (i) => (i === place ? "now" : i > place ? "later" : "past");

    const lines = [],
      quiet = [],
      loud = [],
      front = [];
    blocks.forEach(({ weights, off, lengths, said }, n) => {
      const x0 = from(n) + 6,
        x1 = x0 + (span - 6) * 0.68,
        x2 = from(n) + span,
        xf = x0 + (span - 6) * 0.84;
      front.push(svg("text", { class: "column", x: (x0 + x1) / 2, y: 13, "text-anchor": "middle" }, `layer ${n}`));
      front.push(
        svg("text", { class: "column", x: x2 + label / 2, y: 13, "text-anchor": "middle" }, n < blocks.length - 1 ? (narrow ? "so far" : "would say") : "says"),
      );
      pieces.forEach((_, i) => {
        const stretch = (a, b, length) =>
          lines.push(svg("line", { class: `flow ${kind(i)}`, x1: a, x2: b, y1: y(i), y2: y(i), "stroke-width": thick(length) }));
        stretch(from(n), x1, lengths.before[i]);
        stretch(x1, xf, lengths.added[i]);
        stretch(xf, x2, lengths.after[i]);
        front.push(
          svg("rect", { class: `fed-frame ${kind(i)}`, x: xf - 5, y: y(i) - 5, width: 10, height: 10, rx: 2 }),
          svg("rect", { class: `fed ${kind(i)}`, x: xf - 5, y: y(i) - 5, width: 10, height: 10, rx: 2, opacity: (lengths.fed[i] / most).toFixed(3) }),
        );
        if (i > place) return;
        const { text, p, hit } = said[i],
          y0 = y(i);
        front.push(
          svg("rect", { class: `said ${kind(i)}`, x: x2 + 2, y: y0 - row / 2 + 3, width: label - 4, height: row - 6, rx: 5 }),
          svg("rect", { class: `said-bar ${kind(i)}`, x: x2 + 2, y: y0 + row / 2 - 6, width: Math.max(0, (label - 4) * p), height: 3, rx: 1.5 }),
          svg("text", { class: `said-piece ${kind(i)}`, x: x2 + (narrow ? 5 : 7), y: y0 + 3.5, style: narrow ? "font-size: .8125rem" : null }, cut(text, narrow ? 4 : 9)),
          svg("text", { class: `said-p ${kind(i)}`, x: x2 + label - 6, y: y0 + 3.5, "text-anchor": "end" }, `${hit && !narrow ? "✓ " : ""}${show(p, 2)}`),
        );
      });
      weights.forEach((rows, head) => {
        if (off.includes(head) || (this.#lit && !(this.#lit[0] === n && this.#lit[1] === head))) return;
        const shift = (head - (weights.length - 1) / 2) * Math.min(3, 12 / weights.length);
        rows.slice(0, place + 1).forEach((values, i) =>
          values.forEach((weight, key) => {
            if (weight < LEAST || key > i) return;
            const bend = (x1 - x0) * 0.5,
              now = i === place,
              d = `M${x0} ${y(key) + shift} C${x0 + bend} ${y(key) + shift} ${x1 - bend} ${y(i) + shift} ${x1} ${y(i) + shift}`;
            if (!now && weight < 0.15) return;
            (now ? loud : quiet).push(
              svg("path", {
                class: now ? "arc now" : "arc",
                d,
                stroke: SERIES[head % SERIES.length],
                "stroke-width": (now ? 0.8 + weight * 7 : weight * 2.4).toFixed(2),
                pathLength: 1,
                "data-head": `${n}.${head}`,
                "data-key": key,
                onclick: now ? () => this.onarc({ layer: n, head, key }) : null,
                onpointerenter: now ? () => this.onover({ layer: n, head, key }) : null,
                onpointerleave: now ? () => this.onover(null) : null,
              }),
            );
          }),
        );
      });
    });
    const names = pieces.map((text, i) =>
      svg("text", { class: `piece ${kind(i)}`, x: left - 10, y: y(i) + 5, "text-anchor": "end" }, cut(text, narrow ? 7 : 11)),
    );
    const rows = pieces.map((_, i) =>
      svg("rect", { class: `row ${kind(i)}`, x: 0, y: y(i) - row / 2, width: whole, height: row, rx: 6, onclick: () => this.onpick(i) }),
    );
    this.figure.classList.toggle("fresh", this.#drawn !== undefined && this.#drawn !== place); // arcs grow where the reading has moved on
    this.#drawn = place;
    this.figure.setAttribute("viewBox", `0 0 ${whole} ${high}`);
    this.figure.setAttribute("width", whole);
    this.figure.setAttribute("height", high);
    const scrolls = whole > width + 1 || high > TALL;
    for (const [key, value] of Object.entries({ tabindex: 0, role: "region", "aria-label": "The picture, to scroll" })) {
      if (scrolls) this.element.setAttribute(key, value);
      else this.element.removeAttribute(key);
    }
    if (high > TALL) this.element.scrollTop = y(place) - TALL * 0.7;
    front.push(svg("text", { class: "column", x: left - 10, y: 13, "text-anchor": "end" }, "pieces"));
    this.figure.replaceChildren(...rows, ...lines, ...quiet, ...loud, ...front, ...names);
  }
}
