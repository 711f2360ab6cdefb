import { add, attention, dot, matmul, norm, normalMatrix, normals, range, scale, softmaxRows, transpose } from "../engine/tensor.js";
import { keyOf, staticEmbedding, wordsOf } from "../engine/words.js";
import { alibiSlope, encodingAt, rope, sinusoidal, speed } from "../engine/positions.js";
import { compact, h, show, svg } from "../engine/dom.js";
import { choice, number, sentence } from "../engine/store.js";
import { Matrix } from "../engine/matrix.js";
import { segments, sentenceInput, slider, tries } from "../engine/controls.js";
import { figureOf, readout } from "../engine/readouts.js";
import { Plot } from "../engine/plot.js";
import { page } from "../engine/page.js";

const WIDTH = 8,
  LONGEST = 40,
  FEATURES = 16,
  HEADS = 8,
  REACH = 40;
const WAYS = [
  ["none", "None"],
  ["sinusoidal", "Sinusoidal"],
  ["learned", "Learned"],
  ["rope", "RoPE"],
  ["alibi", "ALiBi"],
];
const TABLE = normalMatrix(WIDTH, WIDTH, 5),
  LONG_TABLE = normalMatrix(4 * REACH + 1, 64, 6); // an untrained table is random
const ORDERS = {
  reverse: (n) => range(n).reverse(),
  swap: (n) => range(n).map((i) => (i === 0 ? n - 1 : i === n - 1 ? 0 : i)),
  rotate: (n) => range(n).map((i) => (i + 1) % n),
};

/** One head without projections, so that position is the only thing that can tell equal words apart. */
function attend(x, way) {
  const seq = x.length,
    places = range(seq);
  if (way === "sinusoidal") x = add(x, sinusoidal(seq, WIDTH));
  if (way === "learned") x = add(x, TABLE.slice(0, seq));
  const [q, k] = way === "rope" ? [rope(x, places), rope(x, places)] : [x, x];
  const plain = attention(q, k, x);
  if (way !== "alibi") return { output: plain.output, weights: plain.weights };
  const scores = plain.scaled.map((row, i) => row.map((value, j) => value - alibiSlope(0, HEADS) * Math.abs(i - j)));
  const weights = softmaxRows(scores);
  return { output: matmul(weights, x), weights };
}

/** The score that position alone makes, for a query at p and a key at p + distance. */
function scoreAt(way, p, distance, head) {
  const q = p + 2 * REACH,
    k = q + distance; // the table starts at −2·REACH
  if (way === "sinusoidal") return dot(encodingAt(p, 64), encodingAt(p + distance, 64)) / 32;
  if (way === "learned") return dot(LONG_TABLE[q], LONG_TABLE[k]) / 64;
  if (way === "rope") {
    const ones = [new Array(64).fill(1)];
    return dot(rope(ones, [p])[0], rope(ones, [p + distance])[0]) / 64;
  }
  return way === "alibi" ? -alibiSlope(head, HEADS) * Math.abs(distance) : 1;
}

const Q = normals(4, 51),
  K = normals(4, 52); // a query and a key of two pairs
function compute({ text, places, order, p, k, m, n }) {
  const tokens = wordsOf(text),
    x = tokens.map((word) => staticEmbedding(word, WIDTH)),
    perm = ORDERS[order](tokens.length);
  const straight = attend(x, places),
    mixed = attend(
      perm.map((i) => x[i]),
      places,
    );
  const back = x.map((_, i) => mixed.output[perm.indexOf(i)]);
  const [here, there] = [encodingAt(p, WIDTH), encodingAt(p + k, WIDTH)];
  const [q, key] = [rope([Q], [m])[0], rope([K], [n])[0]];
  return {
    tokens,
    x,
    perm,
    output: straight.output,
    back,
    gap: Math.max(...back.flat().map((value, i) => Math.abs(value - straight.output.flat()[i]))),
    table: sinusoidal(LONGEST, FEATURES),
    here,
    there,
    difference: there.map((value, i) => value - here[i]),
    turned: rotatePairs(here, k),
    q,
    key,
    score: dot(q, key) / 2,
  };
}
/** M_k · PE[p]: each (sin, cos) pair turned by k times its speed. */
const rotatePairs = (encoding, k) =>
  encoding.map((value, j) => {
    const angle = k * speed(j >> 1, encoding.length);
    return j % 2 ? value * Math.cos(angle) - encoding[j - 1] * Math.sin(angle) : value * Math.cos(angle) + encoding[j + 1] * Math.sin(angle);
  });

const bagScene = {
  id: "bag",
  title: "A bag of words",
  owns: ["text", "places", "order"],
  text: `<p>Attention compares every word with every other; nothing in it says which came first. Put the words in another order and every word gets <em>the same</em> output as before.
    The gap is the largest difference between “attend, then reorder” and “reorder, then attend”. Give the model positions and watch it open.</p>`,
  build({ store, view }) {
    const input = sentenceInput(store, "text", "Sentence"),
      ways = segments(store, "places", "Positions", WAYS);
    const order = segments(store, "order", "The other order", [
      ["reverse", "Reversed"],
      ["swap", "First and last swapped"],
      ["rotate", "First word to the end"],
    ]);
    const gap = figureOf("Permutation gap"),
      second = h("p.label");
    const grids = [
      ["straight", "Outputs, in this order"],
      ["back", "Outputs of the other order, put back"],
    ].map(([name, title]) =>
      view(
        new Matrix({
          name,
          title,
          ramp: "signed",
          rowKind: "word",
          columnKind: "number",
          quantity: "output",
          onpoint: (place) => {
            const other = grids.find((grid) => grid.options.name !== name);
            other.mark(place ? { rows: [place.i], cells: [[place.i, place.j]] } : {});
          },
        }),
      ),
    );
    return {
      elements: h(
        "div.figure",
        {},
        input.element,
        h("div.controls", {}, ways.element, order.element),
        second,
        h(
          "div.row.two",
          {},
          grids.map((grid) => grid.element),
        ),
        gap.element,
        tries(store, [
          { text: "Ask who bites whom, without positions. Read both tables.", changes: { text: "dog bites man", places: "none", order: "swap" } },
          { text: "Now with the sinusoidal encoding.", changes: { places: "sinusoidal" } },
        ]),
      ),
      render({ tokens, perm, output, back, gap: size }, state) {
        [input, ways, order].forEach((control) => control.update(state));
        second.textContent = `The other order: ${perm.map((i) => tokens[i]).join(" ")}`;
        grids[0].update({ values: output, rows: tokens });
        grids[1].update({ values: back, rows: tokens });
        gap.update(
          size < 1e-12 ? "0" : compact(size),
          size < 1e-12
            ? state.places === "none"
              ? "not one number moves: a bag of words"
              : tokens.length === 1
                ? "one word has no order"
                : new Set(tokens.map(keyOf)).size === 1
                  ? "all words are the same: no order to see"
                  : "this order keeps all distances: ALiBi cannot tell"
            : "now the order matters",
          size < 1e-12 ? "bad" : "good",
        );
      },
    };
  },
};

/** Clock hands, one dial for each pair of numbers. hands: [{ angle, length, colour, dashed }] for each dial */
function dials() {
  const element = h("div.dials");
  return {
    element,
    update(list) {
      element.replaceChildren(
        ...list.map(({ hands, label, about }) =>
          h(
            "figure.dial",
            {},
            svg(
              "svg",
              { viewBox: "-60 -60 120 120", role: "img", "aria-label": about },
              svg("circle", { r: 52, class: "face" }),
              svg("line", { x1: -52, x2: 52, class: "cross" }),
              svg("line", { y1: -52, y2: 52, class: "cross" }),
              hands
                .map(({ angle, length = 1, colour, dashed }) => {
                  const [x, y] = [50 * length * Math.cos(angle), -50 * length * Math.sin(angle)];
                  return [
                    svg("line", {
                      x2: x,
                      y2: y,
                      stroke: `var(--c${colour})`,
                      "stroke-width": 3,
                      "stroke-dasharray": dashed ? "5 3" : null,
                      "stroke-linecap": "round",
                    }),
                    svg("circle", { cx: x, cy: y, r: 4.5, fill: `var(--c${colour})` }),
                  ];
                })
                .flat(),
            ),
            h("figcaption", {}, label),
          ),
        ),
      );
    },
  };
}
const turned = (radians) => ((((radians * 180) / Math.PI) % 360) + 360) % 360;
const degrees = (radians) => `${show(turned(radians), 0)}°`;
const between = (radians) => `${show(Math.min(turned(radians), turned(-radians)), 0)}°`;

const waveScene = {
  id: "waves",
  title: "Counting with clock hands",
  owns: ["p", "k"],
  text: `<p>The sinusoidal encoding gives each position a row of numbers: pairs of sine and cosine, each pair a hand on a dial of its own. The first hand turns by one radian a step, the last one hardly moves.
    A step of <i>k</i> turns each hand by a fixed angle, wherever it starts: PE[p + k] = M<sub>k</sub> PE[p]. The <em>difference</em> PE[p + k] − PE[p], often said to be constant, is not.</p>`,
  build({ store, view }) {
    const place = slider(store, "p", "Position p"),
      step = slider(store, "k", "Step k", { text: (v) => show(v, 0) });
    const faces = dials(),
      turn = figureOf("Largest error of M_k PE[p]"),
      table = view(
        new Matrix({
          name: "encoding",
          ramp: "signed",
          limits: [-1, 1],
          rowKind: "feature",
          columnKind: "position",
          quantity: "",
          text: () => "",
          title: `Sinusoidal encoding: ${FEATURES} features (rows) at ${LONGEST} positions (columns)`,
          onpoint: (at) => {
            if (at)
              read.say([
                `Feature ${at.i} at position ${at.j}: ${at.i % 2 ? "cos" : "sin"}(${at.j} · ${compact(speed(at.i >> 1, FEATURES), 3)}) = `,
                [show(table.values[at.i][at.j], 4), "result"],
              ]);
            else read.say(null);
          },
        }),
      );
    const read = readout("Point at a square of the table."),
      rows = view(new Matrix({ name: "shift", ramp: "signed", limits: [-1, 1], rowKind: "", columnKind: "feature", quantity: "value" }));
    return {
      elements: [
        h("div.figure", {}, table.element, read.element),
        h(
          "div.figure",
          {},
          h("div.controls", {}, place.element, step.element),
          faces.element,
          h("p.legend-line", {}, h("span.key.c1", {}), "PE[p]", h("span.key.c2", {}), "PE[p + k]"),
          rows.element,
          turn.element,
          tries(store, [
            {
              text: "Keep k = 3 and move p. The hands keep their angle; the third row of the table does not stay.",
              changes: (state) => ({ k: 3, p: (state.p + 5) % 32 }),
              label: "Move p by 5",
            },
          ]),
        ),
      ],
      render({ table: encoding, here, there, difference, turned }, state) {
        place.update(state);
        step.update(state);
        if (!table.values) {
          table.update({
            values: transpose(encoding),
            rows: range(FEATURES).map(String),
            columns: range(LONGEST).map((i) => (i % 5 ? "" : String(i))),
            say: (i, j, value) => `feature ${i}, position ${j}: ${show(value)}`,
          });
          table.table.classList.add("tiny");
        } else {
          table.update({ values: transpose(encoding), rows: table.rows, columns: table.columns });
          table.table.classList.add("tiny");
        }
        table.set("at-p", (i, j) => j === state.p);
        faces.update(
          range(WIDTH / 2).map((i) => {
            const w = speed(i, WIDTH),
              angle = (p) => Math.PI / 2 - p * w; // sine across would be confusing: the hand starts at 12 and goes clockwise
            return {
              hands: [
                { angle: angle(state.p), colour: 1 },
                { angle: angle(state.p + state.k), colour: 2, dashed: true },
              ],
              label: [`${compact(w, 1)} radian a step`, h("br"), `k steps: ${degrees(state.k * w)}`].flat(),
              about: `Pair ${i + 1}: at ${degrees(state.p * w)}, after the step at ${degrees((state.p + state.k) * w)}`,
            };
          }),
        );
        rows.update({
          values: [here, there, difference, turned],
          rows: ["PE[p]", "PE[p + k]", "difference", "M_k PE[p]"],
          columns: range(WIDTH).map((j) => `${j % 2 ? "cos" : "sin"} ${(j >> 1) + 1}`),
          title: `p = ${state.p}, k = ${state.k}`,
          say: (i, j, value) => `${["encoding of p", "encoding of p plus k", "difference", "p turned by k"][i]}, feature ${j}: ${show(value)}`,
        });
        const error = Math.max(...turned.map((value, j) => Math.abs(value - there[j])));
        turn.update(error < 1e-12 ? "0" : compact(error), "rows 2 and 4 agree: a step is a rotation", "good");
      },
    };
  },
};

const ropeScene = {
  id: "rope",
  title: "Turn queries and keys instead",
  owns: ["m", "n"],
  text: `<p>Rotary embedding adds nothing. It turns each pair of a query by an angle that grows with its position, and each pair of a key likewise. A dot product sees only the angle <em>between</em> two hands:
    move both words together and the score stays. So one term holds both words and their distance, which no term of an added position does.</p>`,
  build({ store }) {
    const query = slider(store, "m", "Query at position m"),
      key = slider(store, "n", "Key at position n"),
      faces = dials(),
      score = figureOf("Score q · k ÷ √4"),
      read = h("p.readout");
    const shift = (by) =>
      h(
        "button.step-button",
        {
          type: "button",
          onclick: () => {
            const { m, n } = store.state;
            if (m + by >= 0 && n + by >= 0 && m + by <= 60 && n + by <= 60) store.set({ m: m + by, n: n + by });
          },
        },
        by > 0 ? `Both + ${by}` : `Both − ${-by}`,
      );
    const shifts = [-5, -1, 1, 5].map((by) => [by, shift(by)]);
    return {
      elements: h(
        "div.figure",
        {},
        h("div.controls", {}, query.element, key.element, h("div.step-buttons", {}, shifts.map(([, button]) => button))),
        faces.element,
        h("p.legend-line", {}, h("span.key.c2", {}), "query", h("span.key.c1", {}), "key"),
        h("div.row.two", {}, score.element, read),
      ),
      render({ q, key: k, score: value }, state) {
        query.update(state);
        key.update(state);
        const focused = document.activeElement;
        for (const [by, button] of shifts) button.disabled = Math.min(state.m, state.n) + by < 0 || Math.max(state.m, state.n) + by > 60;
        if (focused?.disabled) shifts.find(([, button]) => !button.disabled)?.[1].focus();
        const longest = Math.max(...[0, 2].flatMap((j) => [norm(q.slice(j, j + 2)), norm(k.slice(j, j + 2))]));
        faces.update(
          [0, 1].map((i) => {
            const [a, b] = [q, k].map((v) => ({ angle: Math.atan2(v[2 * i + 1], v[2 * i]), length: norm(v.slice(2 * i, 2 * i + 2)) / longest }));
            return {
              hands: [
                { ...a, colour: 2 },
                { ...b, colour: 1 },
              ],
              label: [`pair ${i + 1}, ${compact(speed(i, 4), 2)} radian a step`, h("br"), `angle between: ${between(b.angle - a.angle)}`],
              about: `Pair ${i + 1}: query at ${degrees(a.angle)}, key at ${degrees(b.angle)}, ${between(b.angle - a.angle)} between them`,
            };
          }),
        );
        score.update(show(value, 4), `distance n − m = ${show(state.n - state.m, 0)}`);
        read.replaceChildren(
          ...range(2).flatMap((i) => [
            i ? " + " : "(",
            `pair ${i + 1}: `,
            h("span.result", {}, show(dot(q.slice(2 * i, 2 * i + 2), k.slice(2 * i, 2 * i + 2)), 4)),
          ]),
          `) ÷ 2. Each pair's part depends on the angle between its two hands and on nothing else.`,
        );
      },
    };
  },
};

const distanceScene = {
  id: "distance",
  title: "What position alone says",
  owns: ["method", "from", "head"],
  text: `<p>Let query and key say the same thing at every place, so that only position can make a difference, and plot their score against their distance.
    Start from another position: does the curve stay where it is?</p>`,
  build({ store }) {
    const method = segments(store, "method", "Positions", WAYS),
      from = slider(store, "from", "Query at position"),
      head = slider(store, "head", `Head, of ${HEADS}`, { text: (v) => `${v} (slope ${compact(alibiSlope(v, HEADS), 3)})` });
    const plot = new Plot({
      name: "distance",
      title: "Score against distance",
      x: { label: "key position − query position", low: -REACH, high: REACH, text: (x) => show(x, 0) },
      y: { label: "score", text: (y) => show(y, 1) },
      height: 300,
    });
    const about = h("div.prose"),
      still = figureOf("Largest change against a query at 0");
    return {
      elements: h(
        "div.figure",
        {},
        h("div.controls", {}, method.element, from.element, head.element),
        h("div.row.wide-left", {}, plot.element, h("div.stack", {}, about, still.element)),
      ),
      render(model, state) {
        [method, from, head].forEach((control) => control.update(state));
        head.element.hidden = state.method !== "alibi";
        const distances = range(2 * REACH + 1).map((i) => i - REACH),
          curve = (p) => distances.map((d) => [d, scoreAt(state.method, p, d, state.head)]);
        const [now, zero] = [curve(state.from), curve(0)];
        plot.update({
          series: [
            { label: `query at ${state.from}`, points: now },
            { label: "query at 0", points: zero },
          ],
          cursor: plot.cursor ?? 0,
        });
        const moved = Math.max(...now.map(([, y], i) => Math.abs(y - zero[i][1])));
        still.update(
          moved < 1e-9 ? "0" : show(moved, 2),
          moved < 1e-9 ? "distance alone decides" : "each place is a thing of its own",
          moved < 1e-9 ? "good" : "",
        );
        about.innerHTML = `<p>${
          {
            none: "Without positions every distance looks the same.",
            sinusoidal:
              "64 features. Near places look alike; the likeness fades and wavers. It is the same from every start, because each pair only turns.",
            learned:
              "An untrained table is random numbers: no place resembles another, and a place beyond its last row does not exist (this one has a row for every place drawn here). Training has to teach it every place by itself.",
            rope: "64 features, query and key all ones. The same shape as the sinusoidal one, for the same reason; but nothing was added to the words.",
            alibi: "A straight price on distance, one slope for each head. It has no end, sees no difference between before and after, and always prefers what is nearer: a place three back, or the first word of a text, has to pay.",
          }[state.method]
        }</p>`;
      },
    };
  },
};

page({
  chapter: "ch05_positions",
  number: 5,
  title: "Order",
  deck: "To attention a sentence is a bag of words. Four ways to give it an order, and the rotation that two of them share.",
  fields: {
    text: sentence("dog bites man"),
    places: choice(WAYS.map(([way]) => way)),
    order: choice(Object.keys(ORDERS)),
    p: number(0, 36, 4),
    k: number(-16, 16, 3),
    m: number(0, 60, 7),
    n: number(0, 60, 4),
    method: choice(
      WAYS.map(([way]) => way),
      "sinusoidal",
    ),
    from: number(0, 40, 20),
    head: number(0, HEADS - 1, 3),
  },
  compute,
  scenes: [bagScene, waveScene, ropeScene, distanceScene],
  made: [
    "In the first scene a word's eight numbers come from its letters: (1 + sin(<i>d</i> · Σ <i>k c<sub>k</sub></i>)) ÷ 2, as on the page of chapter 1. There are no projections, so that position alone can make a difference.",
    "The learned tables are untrained: numbers from Lehmer's generator through Box and Muller's formula (seeds 5 and 6), as random as a new <code>nn.Embedding</code>.",
    "Sinusoidal and RoPE speeds are 10000<sup>−2i/d</sup>; ALiBi's slopes are 2<sup>−8h/8</sup>, h = 1 … 8, and the first scene uses the steepest, ½.",
    "RoPE's query and key come from the same generator (seeds 51 and 52).",
  ],
});
