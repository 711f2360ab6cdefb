// One head's weights as arcs between the pieces of a text: along a line where it fits, else down a column. The matrix beside it says the same to everyone.

import { range } from "./tensor.js";
import { h, svg, widthOf } from "./dom.js";

const LEAST = 0.02; // weights below are not drawn
const ROW = 25; // pixels of a piece in a column
const [LARGE, SMALL] = [19, 13]; // font sizes along a line, from and down to

let measure;
const font = (size) => `400 ${size}px Newsreader, Georgia, serif`;
const widthOfText = (text, size) => {
  measure ??= document.createElement("canvas").getContext("2d");
  measure.font = font(size);
  return measure.measureText(text).width;
};

export class Arcs {
  #data = null;

  /** name; onpick (place) when a piece is clicked */
  constructor({ name, onpick }) {
    this.onpick = onpick;
    this.figure = svg("svg", { class: "arcs", "aria-hidden": "true", "data-name": name });
    this.element = h("div.arcs-box", {}, this.figure);
    this.width = widthOf(this.element, () => this.#draw());
    document.fonts.load(font(LARGE)).then(() => this.#draw()); // until then another font is measured
  }

  /** pieces: names; weights (n, n); place: the piece that reads; off: nothing is carried over */
  update(data) {
    this.#data = data;
    this.#draw();
  }

  #draw() {
    const width = this.width();
    if (!this.#data || !width) return;
    const { pieces, weights, place, off } = this.#data,
      room = width - 12;
    const wide = (size) => pieces.map((piece) => Math.max(12, widthOfText(piece, size) + 7)),
      total = (size) => wide(size).reduce((a, b) => a + b, 0);
    let size = LARGE;
    while (size > SMALL && total(size) > room) size -= 1;
    const along = total(size) <= room,
      widths = wide(size);
    let at = 6;
    const middles = along ? widths.map((one) => (at += one) - one / 2) : pieces.map((_, i) => 10 + (i + 0.5) * ROW);
    const reach = along ? Math.min(190, 34 + 0.36 * total(size)) : Math.min(150, width - 130),
      span = Math.max(1, middles.at(-1) - middles[0]),
      base = along ? reach + 8 : 104;
    const point = (middle, far) => (along ? `${middle.toFixed(1)} ${(base - far).toFixed(1)}` : `${(base + far).toFixed(1)} ${middle.toFixed(1)}`);
    const arc = (i, j, weight) => {
      const far = i === j ? 24 : (26 + (reach - 26) * (Math.abs(middles[i] - middles[j]) / span)) * 1.3,
        [a, b] = i === j ? [middles[i] - 11, middles[i] + 11] : [middles[j], middles[i]];
      const kind = `${i === place ? "now" : ""} ${j === 0 && i > 0 ? "first" : ""}`;
      return svg("path", {
        class: `arc ${kind}`,
        d: `M${point(middles[j], 0)} C${point(a, far)} ${point(b, far)} ${point(middles[i], 0)}`,
        "stroke-width": (0.6 + weight * (i === place ? 8 : 4)).toFixed(2),
      });
    };
    const drawn = off ? [] : range(pieces.length).flatMap((i) => weights[i].flatMap((weight, j) => (j <= i && weight >= LEAST ? [{ i, node: arc(i, j, weight) }] : [])));
    const row = weights[place],
      words = pieces.map((piece, i) => {
        const look = off || i > place ? 0 : row[i],
          kind = `piece ${i === place ? "now" : i > place ? "later" : look >= 0.1 ? "seen" : ""}`,
          anchor = along ? { x: middles[i], y: base + size + 4, "text-anchor": "middle", "font-size": size } : { x: base - 9, y: middles[i] + 5, "text-anchor": "end", "font-size": 16 };
        return svg("text", { class: kind, ...anchor, onclick: () => this.onpick(i) }, piece.trim() || "␣");
      });
    const high = along ? base + size + 14 : 20 + pieces.length * ROW;
    this.figure.setAttribute("viewBox", `0 0 ${width} ${high}`);
    this.figure.setAttribute("width", width);
    this.figure.setAttribute("height", high);
    this.figure.replaceChildren(...drawn.filter(({ i }) => i !== place).map(({ node }) => node), ...drawn.filter(({ i }) => i === place).map(({ node }) => node), ...words);
  }
}
