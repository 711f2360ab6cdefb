import { attention, entropy, matmul, mean, median, normalMatrix, range, softmaxSlope, std, sum } from "../engine/tensor.js";
import { embed, MAX_WORDS, RUNNING_SENTENCE, wordsOf } from "../engine/words.js";
import { compact, h, show } from "../engine/dom.js";
import { choice, flag, matrix, number, sentence } from "../engine/store.js";
import { Matrix } from "../engine/matrix.js";
import { cellEditor, sentenceInput, stepper, toggle, tries, slider } from "../engine/controls.js";
import { figureOf, products, readout, strip } from "../engine/readouts.js";
import { Plot } from "../engine/plot.js";
import { computeLearn, learnFields } from "../engine/learning.js";
import { learnScene } from "../engine/learn.js";
import { slopeScene } from "../engine/slope.js";
import { page } from "../engine/page.js";

const { W_q, W_k, W_v, farm: FARM } = PAGE_DATA; // the chapter's own
const QUERIES = 256,
  KEYS = 16,
  SIZES = range(11).map((p) => 2 ** p);
const PARTS = { q: "W_q", k: "W_k", v: "W_v" };
const NAMES = { q: "query", k: "key", v: "value" };

const studies = new Map();
/** Random-looking queries and keys of d_k numbers, every number with variance 1: what softmax makes of their scores. */
function study(d_k) {
  if (!studies.has(d_k)) {
    const q = normalMatrix(QUERIES, d_k, 2 * d_k + 1),
      k = normalMatrix(KEYS, d_k, 2 * d_k + 2);
    const measure = (scaled) => {
      const { scaled: scores, weights } = attention(q, k, k, { scaled });
      return { std: std(scores.flat()), entropy: mean(weights.map(entropy)), gradient: median(weights.map(softmaxSlope)), weights };
    };
    studies.set(d_k, { scaled: measure(true), unscaled: measure(false) });
  }
  return studies.get(d_k);
}

function compute(state) {
  const tokens = wordsOf(state.text),
    x = embed(tokens);
  const [q, k, v] = Object.values(PARTS).map((name) => matmul(x, state[name]));
  return { tokens, x, q, k, v, ...attention(q, k, v, { scaled: state.scale }), study: study(state.d_k), learn: computeLearn(FARM, state) };
}

const projectScene = {
  id: "project",
  title: "One word, three roles",
  owns: ["text", "W_q", "W_k", "W_v"],
  text: `<p>In chapter 1 a word was found by what it is. Now it plays three parts: it asks a question (its <span class="of-query">query</span>),
    it can be found by a label (its <span class="of-key">key</span>), and it has something to hand over (its <span class="of-value">value</span>).
    Each is the embedding, seen through a matrix of its own.</p>
    <p>The whole numbers in the three matrices are the chapter's, made up to be followed by hand. Training would choose them. Change one and watch its column move.</p>`,
  build({ store, view }) {
    const input = sentenceInput(store, "text", "Sentence");
    const read = readout("Point at a number in q, k or v to see what made it.");
    let model,
      editing = "q";
    const put = (part) => (i, j, value, open) => {
      if (open) {
        editing = part;
        editor.focus();
        return;
      }
      store.set({ [PARTS[part]]: store.state[PARTS[part]].map((row, r) => row.map((old, c) => (r === i && c === j ? value : old))) });
    };
    const x = view(new Matrix({ name: "x", ramp: "signed", limits: [-3, 3], rowKind: "word", columnKind: "dimension", quantity: "embedding" }));
    const weights = {},
      made = {};
    for (const part of ["q", "k", "v"]) {
      weights[part] = view(
        new Matrix({
          name: PARTS[part],
          ramp: "signed",
          limits: [-3, 3],
          step: 0.25,
          rowKind: `${PARTS[part].replace("_", " ")} row`,
          columnKind: "column",
          quantity: "weight",
          digits: 2,
          onedit: put(part),
          onpoint: (place) => {
            if (!place) return;
            editing = part;
            editor.update();
            Object.entries(made).forEach(([name, matrixOf]) => matrixOf.mark(name === part ? { columns: [place.j] } : {}));
          },
        }),
      );
      made[part] = view(
        new Matrix({
          name: part,
          ramp: "signed",
          limits: [-3, 3],
          rowKind: "word",
          columnKind: NAMES[part],
          quantity: "value",
          onpoint: (place) => {
            x.mark(place ? { rows: [place.i] } : {});
            Object.entries(weights).forEach(([name, w]) => w.mark(place && name === part ? { columns: [place.j] } : {}));
            if (!place) {
              read.say(null);
              return;
            }
            const { i, j } = place;
            read.say([
              [`${NAMES[part]} of ${model.tokens[i]}`, { q: "of-query", k: "of-key", v: "of-value" }[part]],
              `, number ${j + 1} = `,
              ...products(
                model.x[i],
                store.state[PARTS[part]].map((row) => row[j]),
                ["word", "result"],
              ),
              " = ",
              [show(model[part][i][j], 4), "result"],
            ]);
          },
        }),
      );
    }
    const nowEditing = {
      get at() {
        return weights[editing].at;
      },
      get values() {
        return weights[editing].values;
      },
      get table() {
        return weights[editing].table;
      },
    };
    const editor = cellEditor(nowEditing, {
      min: -4,
      max: 4,
      step: 0.05,
      name: (i, j) => `${PARTS[editing]}, row ${i + 1}, column ${j + 1}`,
      change: (i, j, value) => put(editing)(i, j, value, false),
    });
    return {
      elements: h(
        "div.figure",
        {},
        input.element,
        h(
          "div.row.four",
          {},
          h("div.stack.low", {}, x.element),
          ["q", "k", "v"].map((part) => h("div.stack", {}, weights[part].element, made[part].element)),
        ),
        read.element,
        h(
          "div.row.two",
          {},
          editor.element,
          tries(store, [
            {
              text: "Use one matrix for queries <em>and</em> keys. The scores below become a mirror: what A thinks of B, B thinks of A.",
              changes: (state) => ({ W_k: state.W_q, step: "scores" }),
            },
            { text: "Back to the chapter's matrices.", changes: { W_q, W_k, W_v } },
          ]),
        ),
      ),
      render(now, state) {
        model = now;
        input.update(state);
        x.update({ values: model.x, rows: model.tokens, columns: ["1", "2", "3"], title: "x" });
        for (const part of ["q", "k", "v"]) {
          weights[part].update({ values: state[PARTS[part]], rows: ["1", "2", "3"], columns: ["1", "2"], title: PARTS[part] });
          made[part].update({ values: model[part], rows: model.tokens, columns: ["1", "2"], title: `${part} = x W_${part}` });
        }
        editor.update();
      },
    };
  },
};

const STEPS = [
  { value: "scores", label: "Scores" },
  { value: "scale", label: "Scale" },
  { value: "mask", label: "Mask" },
  { value: "softmax", label: "Softmax" },
  { value: "output", label: "Output" },
];
const ABOUT = {
  scores: () => "<p>Every query meets every key. Their dot product is the <em>score</em>: how well does this label answer that question?</p>",
  scale: ({ scale }) =>
    scale
      ? "<p>Each score is a sum of <i>d<sub>k</sub></i> products, so it grows with √<i>d<sub>k</sub></i>. Dividing by √<i>d<sub>k</sub></i> = √2 takes that growth out again.</p>"
      : "<p><b>Switched off.</b> The scores go on as they are. With two numbers per key that does little harm; the next scene shows what happens with more.</p>",
  mask: () =>
    "<p>Here a mask could hide some keys. This chapter hides <b>nothing</b>: every word may look at every other one, the later ones too. Chapter 3 puts a mask in this place.</p>",
  softmax: () =>
    "<p>Row by row, softmax turns scores into <em>weights</em>: all positive, each row sums to 1. Each query spends exactly 1 on all keys.</p>",
  output: () =>
    '<p>Each query takes that much of every <span class="of-value">value</span>. The sum is its <em>output</em>: not the words that were found, but what they had to hand over.</p>',
};

const stepScene = {
  id: "steps",
  title: "From questions to answers in five steps",
  owns: ["step", "scale"],
  text: "<p>The same grid all the way: a row for each query, a column for each key. Only the output at the end has another shape.</p>",
  build({ store, view }) {
    const path = stepper(store, "step", "Step", STEPS),
      scaleSwitch = toggle(store, "scale", "Divide by √d_k");
    const about = h("div.prose"),
      read = readout("Point at a number to see what made it.");
    const pieces = strip();
    let model,
      state,
      query = 1;
    const formula = h(
      "p.formula.walk",
      {},
      h("i", {}, "output"),
      " = ",
      h("span", { "data-part": "softmax" }, "softmax"),
      "( ",
      h("span", { "data-part": "scores" }, h("i", {}, "Q K"), h("sup", {}, "⊤")),
      " ",
      h("span", { "data-part": "scale" }, "/ √", h("i", {}, "d"), h("sub", {}, "k")),
      " ",
      h("span", { "data-part": "mask" }, "+ mask"),
      " ) ",
      h("span", { "data-part": "output" }, h("i", {}, "V")),
    );
    const explain = (place) => {
      outputs.mark(place ? { rows: [place.i] } : {});
      if (!place) {
        read.say(null);
        return;
      }
      const { i, j } = place,
        from = [model.tokens[i], "of-query"],
        to = [model.tokens[j], "of-key"];
      query = i;
      const score = model.scores[i][j],
        scaled = model.scaled[i][j];
      if (state.step === "scores")
        read.say(["Score of ", from, " with ", to, " = ", ...products(model.q[i], model.k[j], undefined, 3), " = ", [show(score, 4), "result"]]);
      else if (state.step === "scale")
        read.say(["Score of ", from, " with ", to, state.scale ? ` = ${show(score, 4)} ÷ √2 = ` : ", not divided: ", [show(scaled, 4), "result"]]);
      else if (state.step === "mask") read.say(["Score of ", from, " with ", to, ": nothing hidden, still ", [show(scaled, 4), "result"]]);
      else {
        const row = model.scaled[i],
          peak = Math.max(...row);
        read.say([
          "Weight of ",
          to,
          " for ",
          from,
          ` = exp(${show(row[j], 3)} − ${show(peak, 3)}) ÷ ${show(sum(row.map((s) => Math.exp(s - peak))), 3)} = `,
          [show(model.weights[i][j], 4), "result"],
        ]);
      }
      drawStrip();
    };
    const grid = view(
      new Matrix({ name: "grid", rowKind: "query", columnKind: "key", quantity: "score", onpoint: explain, onrow: (i) => grid.point(i, 0) }),
    );
    const outputs = view(
      new Matrix({
        name: "output",
        ramp: "signed",
        limits: [-3, 3],
        rowKind: "word",
        columnKind: "number",
        quantity: "output",
        onpoint: (place) => {
          grid.mark(place ? { rows: [place.i] } : {});
          if (!place) {
            read.say(null);
            return;
          }
          const { i, j } = place;
          query = i;
          read.say([
            "Output of ",
            [model.tokens[i], "of-query"],
            `, number ${j + 1} = `,
            ...products(
              model.weights[i],
              model.v.map((row) => row[j]),
              ["result", "of-value"],
            ),
            " = ",
            [show(model.output[i][j], 4), "result"],
          ]);
          drawStrip();
        },
      }),
    );
    const drawStrip = () => {
      query = Math.min(query, model.tokens.length - 1);
      pieces.update(model.weights[query], model.tokens, `Weights of ${model.tokens[query]}`);
    };
    return {
      elements: h(
        "div.figure",
        {},
        path.element,
        formula,
        h(
          "div.row.wide-left",
          {},
          h("div.stack", {}, grid.element, pieces.element),
          h("div.stack", {}, about, outputs.element, read.element, scaleSwitch.element),
        ),
      ),
      render(now, latest) {
        model = now;
        state = latest;
        path.update(state);
        scaleSwitch.update(state);
        about.innerHTML = ABOUT[state.step](state);
        formula.querySelectorAll("span").forEach((part) => part.classList.toggle("now", part.dataset.part === state.step));
        formula.classList.toggle("unscaled", !state.scale);
        const soft = state.step === "softmax" || state.step === "output";
        const values = { scores: model.scores, scale: model.scaled, mask: model.masked }[state.step] ?? model.weights;
        grid.update({
          values,
          rows: model.tokens,
          columns: model.tokens,
          ramp: soft ? "weights" : "signed",
          limits: soft ? [0, 1] : null,
          quantity: soft ? "weight" : "score",
          title:
            { scores: "Scores = Q Kᵀ", scale: state.scale ? "Scores ÷ √2" : "Scores, not divided", mask: "Scores, nothing masked" }[state.step] ??
            "Weights",
        });
        outputs.update({ values: model.output, rows: model.tokens, columns: ["1", "2"], title: "Output = weights · V" });
        outputs.element.hidden = state.step !== "output";
        pieces.element.hidden = !soft;
        drawStrip();
        if (grid.table.contains(document.activeElement)) explain(grid.at);
        else read.say(null);
      },
    };
  },
};

const scaleScene = {
  id: "scale",
  title: "Why divide by √d_k?",
  owns: ["d_k"],
  text: `<p>Take ${QUERIES} queries and ${KEYS} keys whose numbers all have variance 1, and make the keys longer. A score is a sum of <i>d<sub>k</sub></i> products, so scores
    spread out like √<i>d<sub>k</sub></i>. Softmax then puts nearly everything on one key. For half of the queries hardly any gradient comes back to the scores; a few, torn between
    two keys, have large ones.</p>`,
  build({ store }) {
    const size = slider(store, "d_k", "Numbers per key, d_k", { values: SIZES });
    const sides = ["unscaled", "scaled"].map((kind) => ({
      kind,
      pieces: strip(kind === "scaled" ? "With ÷ √d_k: weights of one query" : "Without: weights of one query"),
      spread: figureOf("Scores spread (std)"),
      bits: figureOf("Entropy, nats"),
      gradient: figureOf("Gradient at the scores"),
    }));
    const move = (x) => store.set({ d_k: x });
    const labels = { unscaled: "without", scaled: "with ÷ √d_k" };
    const entropyPlot = new Plot({
      name: "entropy",
      title: "Entropy of the weights",
      height: 250,
      x: { label: "d_k", log: 2, text: String },
      y: { label: "nats", low: 0, high: 3, text: (y) => show(y, 2) },
      onmove: move,
    });
    const gradientPlot = new Plot({
      name: "gradient",
      title: "Gradient at the scores of the median query",
      height: 250,
      x: { label: "d_k", log: 2, text: String },
      y: { label: "∂weights / ∂scores, norm", log: 10, high: 1, text: (y) => compact(y, 2) },
      onmove: move,
    });
    return {
      elements: h(
        "div.figure",
        {},
        size.element,
        h(
          "div.row.two",
          {},
          sides.map((side) =>
            h("div.stack", {}, side.pieces.element, h("div.meters", {}, side.spread.element, side.bits.element, side.gradient.element)),
          ),
        ),
        h("div.row.two", {}, entropyPlot.element, gradientPlot.element),
      ),
      render(model, state) {
        size.update(state);
        sides.forEach((side) => {
          const found = model.study[side.kind],
            root = Math.sqrt(state.d_k);
          side.pieces.update(
            found.weights[0],
            range(KEYS).map((j) => `key ${j + 1}`),
            `${labels[side.kind]}: weights of the first query`,
          );
          side.spread.update(show(found.std, 2), side.kind === "scaled" ? "1 is expected" : `√${state.d_k} = ${show(root, 2)} is expected`);
          side.bits.update(show(found.entropy, 2), `${show(Math.log(KEYS), 2)} is all alike, 0 one key alone`, found.entropy < 1 ? "bad" : "");
          side.gradient.update(compact(found.gradient, 3), "median over the queries", found.gradient < 0.1 ? "bad" : "");
        });
        const curves = (what) =>
          ["unscaled", "scaled"].map((kind) => ({ label: labels[kind], mark: true, points: SIZES.map((d) => [d, study(d)[kind][what]]) }));
        entropyPlot.update({ series: curves("entropy"), cursor: state.d_k, rules: [{ y: Math.log(KEYS), label: `ln ${KEYS}: all keys alike` }] });
        gradientPlot.update({ series: curves("gradient"), cursor: state.d_k });
      },
    };
  },
};

page({
  chapter: "ch02_single_head",
  number: 2,
  title: "Queries, keys, values",
  deck: "A word asks one thing, is found by another, and hands over a third. And one small division keeps it able to learn.",
  fields: {
    text: sentence(RUNNING_SENTENCE),
    W_q: matrix(W_q),
    W_k: matrix(W_k),
    W_v: matrix(W_v),
    step: choice(STEPS.map((s) => s.value)),
    scale: flag(true),
    d_k: { ...number(1, 1024, 64), options: SIZES.map(String), read: (v) => (SIZES.includes(Number(v)) ? Number(v) : undefined) },
    ...learnFields,
  },
  compute,
  scenes: [projectScene, stepScene, scaleScene, learnScene, slopeScene],
  made: [
    "W_q, W_k and W_v are the chapter's own. Embeddings are those of chapter 1.",
    "scores = <i>q k</i><sup>⊤</sup>, divided by √<i>d<sub>k</sub></i>; weights = softmax of each row; output = weights · <i>v</i>.",
    `In the last scene the numbers of queries and keys come from Lehmer's generator (48271, 2<sup>31</sup> − 1, the first ten numbers thrown away; seeds 2<i>d<sub>k</sub></i> + 1 and 2<i>d<sub>k</sub></i> + 2) through Box and Muller's formula: they look normal and are the same everywhere.`,
    "The gradient at the scores is the size (Frobenius norm) of softmax's Jacobian, ∂weights / ∂scores, for one query, and of all queries the middle one: what the chapter measures with random wishes, without the chance.",
    "The training: the vectors of animals, sounds and colours are the chapter's; sentences, and the start of the matrices (uniform within 1/√(in), as nn.Linear), come from Lehmer's generator, so they are not the chapter's own, and the same everywhere. Forward, backward and Adam (0.003; 0.9, 0.999) run in your browser; gradients and losses are compared with PyTorch's.",
    "Answers shuffled: within each batch of 64, every sentence gets the answer of the next one. The 400 sentences of the exam keep their own.",
  ],
});
