// A line plot with a cursor that can be moved by pointer and by arrow keys, and a table for those who prefer one.

import { DASHES, SERIES } from "./colour.js";
import { compact, h, subscripts, svg, uid, widthOf } from "./dom.js";

const NICE = [1, 2, 2.5, 5, 10];
function linearTicks(low, high, count = 5) {
  const rough = (high - low) / count,
    power = 10 ** Math.floor(Math.log10(rough || 1));
  const step = power * NICE.find((n) => n * power >= rough - 1e-12);
  const ticks = [];
  for (let t = Math.ceil(low / step - 1e-9); t * step <= high + 1e-9 * step; t++) ticks.push(Number((t * step).toPrecision(12)));
  return ticks;
}
function logTicks(low, high, base) {
  const span = Math.log(high / low) / Math.log(base),
    every = Math.max(1, Math.ceil(span / 7)),
    between = base === 10 && span < 2.2 ? [1, 2, 5] : [1];
  const ticks = [];
  for (let p = Math.floor(Math.log(low) / Math.log(base)); base ** p <= high; p += every) {
    ticks.push(...between.map((n) => n * base ** p).filter((t) => t >= low * (1 - 1e-9) && t <= high * (1 + 1e-9)));
  }
  return ticks;
}
function makeAxis({ log = 0, low, high, pad = 0 }, values, size) {
  let [from, to] = [low ?? Math.min(...values), high ?? Math.max(...values)];
  if (!(to > from)) [from, to] = log ? [from / 2, from * 2] : [from - 1, to + 1];
  const at = log ? (v) => Math.log(v / from) / Math.log(to / from) : (v) => (v - from) / (to - from);
  return { from, to, ticks: log ? logTicks(from, to, log) : linearTicks(from, to), place: (v) => pad + at(v) * (size - 2 * pad) };
}

export class Plot {
  #data = null;

  /** name, title; x, y: { label, log (base) , low, high, text (value) }; height; onmove (x) when the cursor moves */
  constructor({ name, title, x, y, height = 280, onmove = null }) {
    Object.assign(this, { name, title, x, y, height, onmove });
    this.text = { x: x.text ?? compact, y: y.text ?? compact };
    this.figure = svg("svg", { class: "plot", height, "aria-hidden": "true" });
    this.box = h(
      "div.plot-box",
      {
        role: "slider",
        tabindex: 0,
        "aria-label": `${title}. Arrow keys move along the curve.`,
        "data-name": name,
        onkeydown: (event) => this.#key(event),
        onpointermove: (event) => this.#point(event),
        onpointerdown: (event) => this.#point(event),
      },
      this.figure,
    );
    this.legend = h("ul.legend");
    this.table = h("table.numbers");
    this.said = h("p.plot-said");
    this.element = h(
      "div.plot-frame",
      {},
      h("p.plot-title", { id: uid("plot") }, title),
      this.legend,
      this.box,
      this.said,
      h(
        "details.as-table",
        {},
        h("summary", {}, "The same as a table"),
        h("div.scroll", { tabindex: 0, role: "region", "aria-label": `${title}, table` }, this.table),
      ),
    );
    this.width = widthOf(this.box, () => this.#draw());
  }

  /** series: { label, points: [[x, y], …], mark (draw dots) }; cursor: the x to read at; rules: [{ y, label }]; arrows: [{ from: [x, y], to: [x, y] }] */
  update({ series, cursor = null, rules = [], arrows = [], title = this.title }) {
    this.#data = { series, rules, arrows };
    this.cursor = cursor ?? this.cursor ?? null;
    if (title !== this.title) {
      this.title = title;
      this.element.firstChild.textContent = title;
    }
    this.xs = [...new Set(series.flatMap((s) => s.points.map(([x]) => x)))].sort((a, b) => a - b);
    this.legend.replaceChildren(...series.map((s, i) => h("li", {}, this.#swatch(i), h("span", {}, subscripts(s.label)))));
    this.table.replaceChildren(
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, this.x.label),
          series.map((s) => h("th", { scope: "col" }, s.label)),
        ),
      ),
      h(
        "tbody",
        {},
        this.xs.map((x) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, this.text.x(x)),
            series.map((s) => {
              const y = valueAt(s, x);
              return h("td", {}, y === null ? "–" : this.text.y(y));
            }),
          ),
        ),
      ),
    );
    this.#draw();
  }

  #swatch(i) {
    return svg(
      "svg",
      { width: 26, height: 10, "aria-hidden": "true" },
      svg("line", { x1: 1, x2: 25, y1: 5, y2: 5, stroke: SERIES[i], "stroke-width": 2.5, "stroke-dasharray": DASHES[i] }),
    );
  }

  #draw() {
    const width = this.width();
    if (!this.#data || !width) return;
    const { series, rules, arrows } = this.#data,
      { height } = this;
    const left = 62,
      right = 16,
      top = 12,
      bottom = 46;
    const all = series.flatMap((s) => s.points).filter(([, y]) => Number.isFinite(y) && (!this.y.log || y > 0));
    const horizontal = makeAxis(
      this.x,
      all.map(([x]) => x),
      width - left - right,
    );
    const vertical = makeAxis(this.y, [...all.map(([, y]) => y), ...rules.map((rule) => rule.y)], height - top - bottom);
    const px = (x) => left + horizontal.place(x);
    const py = (y) => height - bottom - vertical.place(Math.min(vertical.to, Math.max(vertical.from, y)));
    this.px = px;
    const wide = Math.max(1, Math.ceil(horizontal.ticks.length / ((width - left - right) / 52)));
    const parts = [
      ...vertical.ticks.map((y) => [
        svg("line", { class: "grid", x1: left, x2: width - right, y1: py(y), y2: py(y) }),
        svg("text", { x: left - 8, y: py(y) + 4, "text-anchor": "end" }, this.text.y(y)),
      ]),
      ...horizontal.ticks
        .filter((_, i) => i % wide === 0)
        .map((x) => svg("text", { x: px(x), y: height - bottom + 18, "text-anchor": "middle" }, this.text.x(x))),
      svg("line", { class: "axis", x1: left, x2: width - right, y1: height - bottom, y2: height - bottom }),
      svg("text", { class: "axis-name", x: left + (width - left - right) / 2, y: height - 6, "text-anchor": "middle" }, lowered(this.x.label)),
      svg(
        "text",
        { class: "axis-name", transform: `translate(13 ${top + (height - top - bottom) / 2}) rotate(-90)`, "text-anchor": "middle" },
        lowered(this.y.label),
      ),
      ...rules.map(({ y, label }) => [
        svg("line", { class: "rule", x1: left, x2: width - right, y1: py(y), y2: py(y) }),
        svg("text", { class: "rule-name", x: width - right - 4, y: py(y) - 5, "text-anchor": "end" }, label),
      ]),
    ];
    if (this.cursor !== null) parts.push(svg("line", { class: "cursor", x1: px(this.cursor), x2: px(this.cursor), y1: top, y2: height - bottom }));
    series.forEach((s, i) => {
      const points = s.points.filter(([, y]) => Number.isFinite(y) && (!this.y.log || y > 0));
      parts.push(
        svg("polyline", {
          points: points.map(([x, y]) => `${px(x).toFixed(2)},${py(y).toFixed(2)}`).join(" "),
          fill: "none",
          stroke: SERIES[i],
          "stroke-width": 2.2,
          "stroke-dasharray": DASHES[i],
          "stroke-linejoin": "round",
        }),
      );
      if (s.mark) points.forEach(([x, y]) => parts.push(svg("circle", { cx: px(x), cy: py(y), r: 2.6, fill: SERIES[i] })));
      const y = this.cursor === null ? null : valueAt(s, this.cursor);
      if (Number.isFinite(y) && y !== null) parts.push(svg("circle", { class: "cursor-dot", cx: px(this.cursor), cy: py(y), r: 5, fill: SERIES[i] }));
    });
    for (const { from, to } of arrows) {
      const [a, b, c, d] = [px(from[0]), py(from[1]), px(to[0]), py(to[1])],
        turn = (Math.atan2(d - b, c - a) * 180) / Math.PI;
      parts.push(
        svg("line", { class: "downhill", x1: a, y1: b, x2: c, y2: d }),
        svg("path", { class: "downhill-head", d: "M6 0L-7 -7L-7 7Z", transform: `translate(${c} ${d}) rotate(${turn})` }),
      );
    }
    this.figure.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.figure.replaceChildren(...parts.flat());
    this.#say();
  }

  #say() {
    const at = Math.max(0, this.xs.indexOf(this.cursor));
    const x = this.cursor ?? this.xs[0];
    const text = `${this.x.label} ${this.text.x(x)}: ${this.#data.series
      .map((s) => {
        const y = valueAt(s, x);
        return `${s.label} ${y === null ? "none" : this.text.y(y)}`;
      })
      .join(", ")}`;
    for (const [key, value] of Object.entries({
      "aria-valuemin": 0,
      "aria-valuemax": Math.max(0, this.xs.length - 1),
      "aria-valuenow": at,
      "aria-valuetext": text,
    })) {
      this.box.setAttribute(key, value);
    }
    this.said.replaceChildren(...subscripts(text));
  }

  #move(x) {
    if (x === undefined || x === this.cursor) return;
    this.cursor = x;
    this.onmove?.(x);
    this.#draw();
  }
  #key(event) {
    const at = Math.max(0, this.xs.indexOf(this.cursor)),
      last = this.xs.length - 1;
    const to = { ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.#move(this.xs[Math.min(last, Math.max(0, to))]);
  }
  #point(event) {
    if (!this.px || (event.type === "pointermove" && event.pointerType === "mouse" && this.onmove && !event.buttons)) return;
    const x = event.clientX - this.box.getBoundingClientRect().left;
    this.#move(this.xs.reduce((best, candidate) => (Math.abs(this.px(candidate) - x) < Math.abs(this.px(best) - x) ? candidate : best)));
  }
}

/** "d_k" in an axis name, with a lowered k. */
const lowered = (text) =>
  text.split(/(_[a-z]+)/).map((part) => (part[0] === "_" ? svg("tspan", { dy: "0.25em", "font-size": "0.8em" }, part.slice(1)) : part));

/** A series' y at x: the point there, or null. */
function valueAt(series, x) {
  const point = series.points.find(([px]) => px === x);
  return point ? point[1] : null;
}
