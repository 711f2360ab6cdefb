// Words as points in a plane. Points can be moved by dragging or, when focused, by the arrow keys; arrows show what attention does to them.

import { h, show, svg, widthOf } from "./dom.js";

const SIDES = [
  [9, 4, "start"],
  [-9, 4, "end"],
  [0, -10, "middle"],
  [0, 19, "middle"],
];

export class Scatter {
  #drag = null;

  /** name, title, limits: [[x from, to], [y from, to]], onmove (key, [x, y]) */
  constructor({ name, title, limits, axes = ["dimension 1", "dimension 2"], onmove }) {
    Object.assign(this, { name, title, limits, axes, onmove });
    this.figure = svg("svg", { class: "plot scatter", role: "group", "aria-label": title, "data-name": name });
    this.element = h("div.plot-frame", {}, h("p.plot-title", {}, title), h("div.scatter-box", {}, this.figure));
    this.figure.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of ["pointerup", "pointercancel"])
      this.figure.addEventListener(end, () => {
        this.#drag = null;
      });
    this.figure.addEventListener("keydown", (event) => this.#key(event));
    this.width = widthOf(this.figure.parentElement, () => this.#draw());
  }

  /** points: { key, place, strong, label }; arrows: { from, to, label, colour (series index) }; lines: { from, to, width } */
  update({ points, arrows = [], lines = [] }) {
    this.data = { points, arrows, lines };
    this.#draw();
  }

  #draw() {
    const width = this.width();
    if (!this.data || !width) return;
    const [[x0, x1], [y0, y1]] = this.limits,
      pad = 26;
    const unit = (width - 2 * pad) / (x1 - x0),
      height = unit * (y1 - y0) + 2 * pad;
    Object.assign(this, { unit, pad, height });
    const at = ([x, y]) => [pad + (x - x0) * unit, height - pad - (y - y0) * unit];
    const taken = [],
      focused = this.figure.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    const label = (text, [x, y], attributes = {}) => {
      const wide = text.length * 7.2;
      const boxes = SIDES.map(([dx, dy, anchor]) => ({
        dx,
        dy,
        anchor,
        left: x + dx - (anchor === "end" ? wide : anchor === "middle" ? wide / 2 : 0),
        top: y + dy - 12,
      }));
      const free =
        boxes.find(
          (box) =>
            box.left > 0 &&
            box.left + wide < width &&
            box.top > 0 &&
            box.top + 15 < height &&
            !taken.some((other) => box.left < other.right && box.left + wide > other.left && box.top < other.bottom && box.top + 15 > other.top),
        ) ?? boxes[0];
      taken.push({ left: free.left, right: free.left + wide, top: free.top, bottom: free.top + 15 });
      return svg("text", { x: x + free.dx, y: y + free.dy, "text-anchor": free.anchor, ...attributes }, text);
    };
    const ground = [
      svg("line", { class: "grid", x1: 0, x2: width, y1: at([0, 0])[1], y2: at([0, 0])[1] }),
      svg("line", { class: "grid", y1: 0, y2: height, x1: at([0, 0])[0], x2: at([0, 0])[0] }),
      svg("text", { x: width - 6, y: at([0, 0])[1] - 7, "text-anchor": "end" }, this.axes[0]),
      svg("text", { x: at([0, 0])[0] + 7, y: 14 }, this.axes[1]),
    ];
    const lines = this.data.lines.map(({ from, to, width: thick, colour }) => {
      const [[a, b], [c, d]] = [at(from), at(to)];
      return svg("line", {
        x1: a,
        y1: b,
        x2: c,
        y2: d,
        stroke: `var(--c${colour + 1})`,
        "stroke-width": Math.max(0.6, thick * 9),
        "stroke-linecap": "round",
        opacity: 0.32,
      });
    });
    const ends = this.data.arrows.map(({ to }) => at(to));
    ends.forEach(([x, y]) => taken.push({ left: x - 8, right: x + 8, top: y - 8, bottom: y + 8 }));
    const dots = this.data.points.map((point) => {
      const [x, y] = at(point.place);
      taken.push({ left: x - 6, right: x + 6, top: y - 6, bottom: y + 6 });
      if (!point.strong) return svg("circle", { cx: x, cy: y, r: 3.5, class: "faint" }, svg("title", {}, point.key));
      return svg("circle", {
        cx: x,
        cy: y,
        r: 7,
        class: "handle",
        tabindex: 0,
        role: "button",
        "aria-roledescription": "movable point",
        "data-key": point.key,
        "aria-label": `${point.key}, at ${show(point.place[0])}, ${show(point.place[1])}. Arrow keys move it.`,
        onpointerdown: (event) => {
          this.#drag = point.key;
          this.figure.setPointerCapture(event.pointerId);
          event.preventDefault();
        },
      });
    });
    const arrows = this.data.arrows.flatMap(({ from, to, label: text, colour }) => {
      const [a, b] = at(from),
        [c, d] = at(to),
        length = Math.hypot(c - a, d - b) || 1,
        [ux, uy] = [(c - a) / length, (d - b) / length];
      const stop = Math.max(0, length - 9);
      return [
        svg("line", {
          x1: a + ux * 9,
          y1: b + uy * 9,
          x2: a + ux * Math.max(9, stop),
          y2: b + uy * Math.max(9, stop),
          stroke: `var(--c${colour + 1})`,
          "stroke-width": 2.4,
        }),
        svg("rect", {
          x: c - 6,
          y: d - 6,
          width: 12,
          height: 12,
          rx: 2,
          fill: `var(--c${colour + 1})`,
          transform: `rotate(45 ${c} ${d})`,
          stroke: "var(--panel)",
          "stroke-width": 1.5,
        }),
        label(text, [c, d], { class: "strong" }),
      ];
    });
    const names = this.data.points.filter((point) => point.strong).map((point) => label(point.key, at(point.place), { class: "word" }));
    this.figure.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.figure.setAttribute("height", height);
    this.figure.replaceChildren(
      ...ground,
      ...lines,
      ...dots.filter((dot) => dot.classList.contains("faint")),
      ...arrows,
      ...dots.filter((dot) => dot.classList.contains("handle")),
      ...names,
    );
    if (focused) this.figure.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  #put(key, [x, y]) {
    const [[x0, x1], [y0, y1]] = this.limits,
      fit = (value, low, high) => Number(Math.min(high, Math.max(low, value)).toFixed(3));
    this.onmove(key, [fit(x, x0, x1), fit(y, y0, y1)]);
  }
  #move(event) {
    if (this.#drag === null) return;
    const box = this.figure.getBoundingClientRect(),
      [[x0], [y0]] = this.limits;
    this.#put(this.#drag, [
      x0 + (event.clientX - box.left - this.pad) / this.unit,
      y0 + (this.height - this.pad - (event.clientY - box.top)) / this.unit,
    ]);
  }
  #key(event) {
    const key = event.target.dataset.key,
      step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!key || !step) return;
    event.preventDefault();
    const { place } = this.data.points.find((point) => point.key === key);
    this.#put(
      key,
      place.map((value, axis) => value + step[axis] * 0.05),
    );
  }
}
