import { mean, norm, normalMatrix, range, sum, zeros } from "../engine/tensor.js";
import { blockBackward, blockForward, layerNorm, makeBlock } from "../engine/block.js";
import { compact, h, show, svg } from "../engine/dom.js";
import { choice, flag, matrix, number } from "../engine/store.js";
import { Matrix } from "../engine/matrix.js";
import { cellEditor, segments, slider, toggle, tries } from "../engine/controls.js";
import { figureOf } from "../engine/readouts.js";
import { Plot } from "../engine/plot.js";
import { page } from "../engine/page.js";

const D = 32,
  HEADS = 4,
  SEQ = 10,
  DEEPEST = 24;
const KINDS = [
  ["pre", "Pre-norm"],
  ["post", "Post-norm"],
  ["none", "No residual"],
  ["bare", "No residual, no norm"],
];
const NAMES = Object.fromEntries(KINDS);
const INPUT = normalMatrix(SEQ, D, 61);

const blocks = new Map(),
  runs = new Map();
function blockAt(n, depth, gentle) {
  const gain = gentle ? 1 / Math.sqrt(2 * depth) : 1,
    key = `${n} ${gain}`;
  if (!blocks.has(key)) blocks.set(key, makeBlock(D, HEADS, 600 + 10 * n, gain));
  return blocks.get(key);
}
/** Half the squared distance of two neighbours brought to length 1: 1 − cosine, exact also where little is left. */
const apart = (a, b) => {
  const [p, q] = [norm(a), norm(b)];
  return sum(a.map((value, j) => (value / p - b[j] / q) ** 2)) / 2;
};

/** A stack of `depth` blocks on the same ten tokens: the gradient norm of each block, what is left of the tokens' differences, their length, and the stages of the first block. */
function stackOf(kind, depth, gentle) {
  const key = `${kind} ${depth} ${gentle}`;
  if (!runs.has(key)) {
    const parts = range(depth).map((n) => blockAt(n, depth, gentle)),
      caches = [];
    let x = INPUT;
    for (const block of parts) {
      caches.push(blockForward(x, block, kind));
      x = caches.at(-1).y;
    }
    let dy = zeros(SEQ, D).map((row) => {
      row[0] = 1;
      return row;
    }); // loss: y[..., 0].sum()
    const gradients = new Array(depth);
    for (let n = depth - 1; n >= 0; n--) {
      const back = blockBackward(parts[n], caches[n], dy);
      gradients[n] = Math.sqrt(back.squares);
      dy = back.dx;
    }
    const states = [INPUT, ...caches.map((cache) => cache.y)];
    runs.set(key, {
      gradients,
      last: x,
      first: caches[0],
      apart: states.map((state) => mean(range(SEQ - 1).map((i) => apart(state[i], state[i + 1])))),
      size: states.map((state) => mean(state.map(norm))),
    });
  }
  return runs.get(key);
}

function compute({ vector, times, plus, wiring, depth, gentle }) {
  const input = vector.map((row) => row.map((value) => value * times + plus)),
    even = { weight: vector[0].map(() => 1), bias: vector[0].map(() => 0) };
  const stacks = Object.fromEntries(KINDS.map(([kind]) => [kind, stackOf(kind, depth, gentle)]));
  return { input, normed: layerNorm(input, even).y, stacks, stage: stacks[wiring].first };
}

const normScene = {
  id: "norm",
  title: "Bring every token to the same size",
  owns: ["vector", "times", "plus"],
  text: `<p>LayerNorm takes one token's numbers, subtracts their mean and divides by their standard deviation. Multiply all of them by ten, add a hundred: what comes out hardly notices.
    Only the shape of the vector is left, and the layer's own weight and bias (here 1 and 0) may stretch it again.</p>`,
  build({ store, view }) {
    const change = (i, j, value, open) => {
      if (open) {
        editor.focus();
        return;
      }
      store.set({ vector: [store.state.vector[0].map((old, c) => (c === j ? value : old))] });
    };
    const raw = view(
      new Matrix({
        name: "vector",
        ramp: "signed",
        rowKind: "",
        columnKind: "feature",
        quantity: "value",
        step: 0.25,
        limits: [-3, 3],
        title: "One token: choose a number and change it",
        onedit: change,
        onpoint: (at) => {
          if (at) editor.update();
        },
      }),
    );
    const editor = cellEditor(raw, {
      min: -4,
      max: 4,
      step: 0.05,
      name: (i, j) => `Feature ${j + 1}`,
      change: (i, j, value) => change(i, j, value, false),
    });
    const times = slider(store, "times", "All of them times", { text: (v) => `× ${show(v, 1)}` }),
      plus = slider(store, "plus", "… plus", { text: (v) => `+ ${show(v, 0)}` });
    const stages = view(new Matrix({ name: "normed", ramp: "signed", rowKind: "", columnKind: "feature", quantity: "value" }));
    const meters = [
      figureOf("Mean going in"),
      figureOf("Standard deviation going in"),
      figureOf("Mean coming out"),
      figureOf("Standard deviation coming out"),
    ];
    return {
      elements: h(
        "div.figure",
        {},
        h("div.row.two", {}, raw.element, editor.element),
        h("div.controls", {}, times.element, plus.element),
        stages.element,
        h(
          "div.meters",
          {},
          meters.map((one) => one.element),
        ),
        tries(store, [
          { text: "Multiply by 10 and add 50. What changes in the second row?", changes: { times: 10, plus: 50 } },
          {
            text: "Make all numbers nearly equal: the small differences are blown up.",
            changes: { vector: [[1, 1.1, 1, 0.95, 1, 1.05]], times: 1, plus: 0 },
          },
          { text: "Back.", changes: { vector: START, times: 1, plus: 0 } },
        ]),
      ),
      render({ input, normed }, state) {
        [times, plus].forEach((one) => one.update(state));
        raw.update({ values: state.vector, rows: ["token"] });
        editor.update();
        stages.update({ values: [input[0], normed[0]], rows: ["in", "LayerNorm"], title: "In and out", limits: [-3, 3] });
        const biased = (row) => Math.sqrt(mean(row.map((value) => (value - mean(row)) ** 2)));
        const flat = biased(normed[0]) < 1e-6;
        [mean(input[0]), biased(input[0]), mean(normed[0]), biased(normed[0])].forEach((value, i) =>
          meters[i].update(
            show(value, i < 2 ? 2 : 4),
            ["", "the biased one: divided by n", "always 0", flat ? "all numbers equal: nothing to stretch" : "1, but for the small ε under the root"][i],
            i === 2 || (i === 3 && !flat) ? "good" : "",
          ),
        );
      },
    };
  },
};
const START = [[2, -1, 0.5, 0, 1.5, -0.5]];

/** The block as a drawing: boxes on the main line, bypasses beside it, the mean length of a token on every wire. */
function drawing(kind, stage) {
  const size = (m) => show(mean(m.map(norm)), 2),
    sumOf = stage.residual;
  const line = [
    ["x", stage.x],
    stage.first && ["norm1", stage.first.y],
    ["attention", stage.attended.y],
    sumOf && ["+", stage.added],
    stage.middle && ["norm1", stage.middle.y],
    stage.second && ["norm2", stage.second.y],
    ["feed-forward", stage.fed.y],
    sumOf && ["+", stage.total],
    stage.last && ["norm2", stage.last.y],
  ].filter(Boolean);
  const step = 54,
    parts = [],
    x = 120,
    ys = line.map((_, i) => 24 + i * step);
  const half = (i) => ({ "+": 13, x: 6 })[line[i][0]] ?? 17;
  let from = 0; // where the next bypass leaves the main line
  line.forEach(([name], i) => {
    if (name !== "+") return;
    parts.push(svg("path", { class: "bypass", d: `M${x} ${ys[from] + half(from) + 4} H28 V${ys[i]} H${x - 15}` }));
    from = line[i + 1]?.[0].startsWith("norm") && kind === "post" ? i + 1 : i;
  });
  line.forEach(([name, value], i) => {
    const y = ys[i],
      middle = { x, "text-anchor": "middle", class: "name" };
    if (i) parts.push(svg("line", { class: "wire", x1: x, x2: x, y1: ys[i - 1] + half(i - 1), y2: y - half(i) }));
    if (name === "+") parts.push(svg("circle", { class: "box add", cx: x, cy: y, r: 13 }));
    else if (name !== "x")
      parts.push(svg("rect", { class: `box ${name.startsWith("norm") ? "norm" : ""}`, x: x - 58, y: y - 17, width: 116, height: 34, rx: 7 }));
    parts.push(svg("text", { ...middle, y: y + (name === "x" ? -1 : 5) }, name), svg("text", { x: x + 70, y: y + 5, class: "size" }, size(value)));
  });
  const height = ys.at(-1) + 44;
  parts.push(svg("line", { class: "wire", x1: x, x2: x, y1: ys.at(-1) + half(line.length - 1), y2: height - 6 }));
  return svg(
    "svg",
    {
      class: "wiring",
      viewBox: `0 0 240 ${height}`,
      role: "img",
      "aria-label": `${NAMES[kind]}. Mean length of a token: ${line.map(([name, value]) => `${name} ${size(value)}`).join(", ")}`,
    },
    parts,
  );
}

const wireScene = {
  id: "wiring",
  title: "Four ways to wire the same parts",
  owns: ["wiring"],
  text: `<p>A block is attention, then a small network that treats every token by itself. The question is only how they are wired: where the norms stand, and whether a <em>residual connection</em> (orange) carries the token past them.
    The numbers are the mean length of a token's vector at that place, in the first block.</p>`,
  build({ store }) {
    const wiring = segments(store, "wiring", "Wiring", KINDS),
      picture = h("div.picture"),
      about = h("div.prose");
    return {
      elements: h("div.figure", {}, wiring.element, h("div.row.wide-right", {}, picture, about)),
      render({ stage }, state) {
        wiring.update(state);
        picture.replaceChildren(drawing(state.wiring, stage));
        about.innerHTML =
          {
            pre: "<p><b>Pre-norm</b> (GPT-2 and nearly all models since). The main line from top to bottom meets nothing but additions. Each part reads a normed copy and adds what it found to the stream.</p>",
            post: "<p><b>Post-norm</b> (the paper of 2017). The norm stands on the main line, after each addition: whatever comes in, one length goes out. The old part of the sum shrinks together with the new.</p>",
            none: "<p><b>No residual.</b> Nothing gets past the parts: each has to retell the whole story, and what it leaves out is lost for all blocks above.</p>",
            bare: "<p><b>No residual, no norm.</b> Only the parts themselves. Look how short the vectors have become after one block.</p>",
          }[state.wiring] + "<p>All four are made of the same numbers: only the wires differ.</p>";
      },
    };
  },
};

const gradientScene = {
  id: "gradient",
  title: "What reaches the first block",
  owns: ["depth", "gentle"],
  text: `<p>Stack them. The loss is at the end; its gradient travels back through all blocks, and each learns from what arrives. The norm is over all parameters of a block together; the chapter splits it by part. Both ways, forward and backward, are computed here, in your browser.
    Before you let the stack grow: in which of the four will the gradient die on its way to the first block?</p>`,
  build({ store }) {
    const depth = slider(store, "depth", "Blocks"),
      meters = KINDS.map(([, label]) => figureOf(label));
    const plot = new Plot({
      name: "gradients",
      title: "Gradient norm of each block's parameters",
      x: { label: "block", low: 1, text: (x) => show(x, 0) },
      y: { label: "gradient norm", log: 10 },
      height: 320,
    });
    return {
      elements: h(
        "div.figure",
        {},
        depth.element,
        plot.element,
        h("p.label", {}, "Gradient of the first block, as a share of the last one's"),
        h(
          "div.meters",
          {},
          meters.map((one) => one.element),
        ),
        tries(store, [
          { text: "Two blocks: any wiring will do.", changes: { depth: 2 } },
          { text: "Twenty-four.", changes: { depth: DEEPEST } },
        ]),
      ),
      render({ stacks }, state) {
        depth.update(state);
        plot.update({
          series: KINDS.map(([kind, label]) => ({ label, mark: true, points: stacks[kind].gradients.map((value, n) => [n + 1, value]) })),
          cursor: plot.cursor !== null && plot.cursor <= state.depth ? plot.cursor : 1,
        });
        KINDS.forEach(([kind], i) => {
          const { gradients } = stacks[kind],
            share = gradients[0] / gradients.at(-1);
          meters[i].update(
            compact(share, 2),
            share < 1e-3 ? "the first block learns next to nothing" : share < 0.05 ? "it fades on the way" : "it arrives",
            share < 1e-3 ? "bad" : share > 0.05 ? "good" : "",
          );
        });
      },
    };
  },
};

/** 1 minus a cosine: below 10⁻¹⁶ float64 tells nothing. */
const remains = (apart) => (apart < 1e-16 ? "< 10⁻¹⁶" : compact(apart, 2));

const leftScene = {
  id: "left",
  title: "What is left of a word",
  owns: [],
  text: `<p>With norms the gradient of a whole block stays large. Do we need the residual connections at all? Look at the tokens. Attention averages, and averages of averages become alike. The curve shows how different neighbouring tokens
    still are after each block: 1 minus their cosine. (The stack starts as <code>nn.Transformer</code> does, with larger numbers than your blocks: in post-norm that is already too much.) Where it has fallen to nothing, every token is the same vector, all attention weights are equal, and queries and keys get no gradient: the large number of the whole block comes from its other parts.</p>`,
  build({ store }) {
    const depth = slider(store, "depth", "Blocks"),
      gentle = toggle(store, "gentle", "A gentle start: W_o and linear2 divided by √(2 · blocks)");
    const plot = new Plot({
      name: "apart",
      title: "How different neighbouring tokens still are",
      x: { label: "blocks passed", low: 0, text: (x) => show(x, 0) },
      y: { label: "1 − cosine", log: 10, low: 1e-16, high: 10, text: remains },
      height: 320,
    });
    const sizes = new Plot({
      name: "sizes",
      title: "Mean length of a token",
      x: { label: "blocks passed", low: 0, text: (x) => show(x, 0) },
      y: { label: "length", log: 10 },
      height: 320,
    });
    const meters = KINDS.map(([, label]) => figureOf(label));
    return {
      elements: h(
        "div.figure",
        {},
        h("div.controls", {}, depth.element, gentle.element),
        h("div.row.two", {}, plot.element, sizes.element),
        h("p.label", {}, "1 − cosine of neighbours at the top"),
        h(
          "div.meters",
          {},
          meters.map((one) => one.element),
        ),
        tries(store, [
          { text: "Give post-norm a gentle start and see its tokens survive.", changes: { depth: DEEPEST, gentle: true } },
          { text: "Back.", changes: { gentle: false } },
        ]),
      ),
      render({ stacks }, state) {
        depth.update(state);
        gentle.update(state);
        for (const [one, what] of [
          [plot, "apart"],
          [sizes, "size"],
        ]) {
          one.update({
            series: KINDS.map(([kind, label]) => ({ label, points: stacks[kind][what].map((value, n) => [n, value]) })),
            cursor: state.depth,
          });
        }
        KINDS.forEach(([kind], i) => {
          const left = stacks[kind].apart.at(-1);
          meters[i].update(
            remains(left),
            left < 1e-4 ? "the tokens have become one" : left > 0.05 ? "every token is still itself" : "they are growing alike",
            left < 1e-4 ? "bad" : left > 0.05 ? "good" : "",
          );
        });
      },
    };
  },
};

page({
  chapter: "ch06_block",
  number: 6,
  title: "The block",
  deck: "Attention, a small network, two norms and two short cuts. Leave out the short cuts, and four blocks later every word is the same word.",
  fields: {
    vector: matrix(START),
    times: number(0.1, 10, 1, 0.1),
    plus: number(-50, 50, 0),
    wiring: choice(KINDS.map(([kind]) => kind)),
    depth: number(1, DEEPEST, 8),
    gentle: flag(false),
  },
  compute,
  scenes: [normScene, wireScene, gradientScene, leftScene],
  made: [
    `The stack has up to ${DEEPEST} blocks with d_model = ${D}, ${HEADS} heads, d_ff = ${4 * D}, exact GELU, no mask, and reads ${SEQ} tokens whose numbers are normal with variance 1 (seed 61).`,
    "Weights are uniform within ±√(6/(inputs + outputs)), Xavier's start, as <code>nn.Transformer</code> does and the chapter at the end of §6.6, from Lehmer's generator; seeds 600, 601, … one for each layer; biases are 0. The four wirings share them.",
    "The loss is the chapter's: the first number of every token of the last output, added up. Gradients are computed by the chain rule, written out by hand, and agree with PyTorch's.",
  ],
});
