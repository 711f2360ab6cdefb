// Two columns of words with threads between them, as thick as the weights: an alignment to look at. The matrix beside it says the same to everyone.

import { h, svg, widthOf } from "./dom.js";

const STEP = 34;

export class Threads {
  #data = null;

  /** name; left, right: headings; onpick (i) when a word on the right is clicked */
  constructor({ name, left, right, onpick = () => {} }) {
    Object.assign(this, { name, left, right, onpick });
    this.figure = svg("svg", { class: "threads", "aria-hidden": "true", "data-name": name });
    this.element = h("div.threads-box", {}, this.figure);
    this.width = widthOf(this.element, () => this.#draw());
  }

  /** from, to: words; weights (to, from); now: the row being written, later ones are not there yet; covered: a word on the left that is hidden, or null */
  update(data) {
    this.#data = data;
    this.#draw();
  }

  #draw() {
    const width = this.width();
    if (!this.#data || !width) return;
    const { from, to, weights, now, covered = null } = this.#data;
    const rows = Math.max(from.length, to.length),
      height = rows * STEP + 34;
    const column = Math.min(width * 0.34, 118),
      [x0, x1] = [column, width - column];
    const y = (i, count) => 30 + ((rows - count) / 2 + i + 0.5) * STEP;
    const threads = weights.flatMap((row, i) =>
      i > now
        ? []
        : row.map((weight, j) => {
            const [a, b] = [y(j, from.length), y(i, to.length)],
              bend = (x1 - x0) * 0.45;
            return svg("path", {
              class: i === now ? "thread now" : "thread",
              d: `M${x0 + 8} ${a} C${x0 + bend} ${a} ${x1 - bend} ${b} ${x1 - 8} ${b}`,
              "stroke-width": (weight * 11).toFixed(2),
              opacity: weight < 0.01 ? 0 : 1,
            });
          }),
    );
    const word = (text, x, at, anchor, kind, onclick) =>
      svg("text", { class: `thread-word ${kind}`, x, y: at + 5, "text-anchor": anchor, onclick }, text);
    const look = weights[now] ?? [],
      best = look.indexOf(Math.max(...look));
    this.figure.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.figure.setAttribute("height", height);
    this.figure.replaceChildren(
      ...threads.filter((one) => !one.classList.contains("now")),
      ...threads.filter((one) => one.classList.contains("now")),
      svg("text", { class: "thread-title", x: x0, y: 14, "text-anchor": "end" }, this.left),
      svg("text", { class: "thread-title", x: x1, y: 14 }, this.right),
      ...from.map((text, j) => word(text, x0, y(j, from.length), "end", j === covered ? "covered" : j === best ? "found" : "")),
      ...to.map((text, i) => word(text, x1, y(i, to.length), "start", i === now ? "now" : i > now ? "later" : "", () => this.onpick(i))),
    );
  }
}
