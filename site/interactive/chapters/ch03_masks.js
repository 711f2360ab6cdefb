import { fill, map, matmul, range, scale, softmaxRows, sum, transpose } from "../engine/tensor.js";
import { embed, MAX_WORDS, RUNNING_SENTENCE, wordsOf } from "../engine/words.js";
import { h, show, spoken, typeset } from "../engine/dom.js";
import { choice, flag, number, sentence } from "../engine/store.js";
import { Matrix } from "../engine/matrix.js";
import { segments, sentenceInput, slider, stepper, toggle, tries, words } from "../engine/controls.js";
import { figureOf, readout } from "../engine/readouts.js";
import { page } from "../engine/page.js";

const causalMask = (seq) => range(seq).map((i) => range(seq).map((j) => j <= i));
/** (1, seq): the real positions, in front or at the end. */
const paddingMask = (real, seq, front) => [range(seq).map((j) => (front ? j >= seq - real : j < real))];
const combine = (a, b) => map(a, (value, i, j) => value && b[b.length === 1 ? 0 : i][j]);
const all = (seq) => range(seq).map(() => range(seq).map(() => true));

function maskOf({ mask, real, front }, seq) {
  const causal = causalMask(seq),
    padding = paddingMask(real, seq, front);
  return { none: all(seq), causal, padding: combine(all(seq), padding), both: combine(causal, padding) }[mask];
}
/** Zero after softmax, then divide each row by what is left of it (a row with nothing left stays zero). */
const zeroed = (weights, mask) => map(weights, (w, i, j) => (mask[i][j] ? w : 0));
const renormalised = (kept) =>
  kept.map((row) => {
    const left = sum(row);
    return row.map((w) => (left > 0 ? w / left : 0));
  });
/** What plain softmax makes of a row of −∞ alone: 0 / 0. */
const plainSoftmax = (masked) => softmaxRows(masked).map((row, i) => (masked[i].every((s) => s === -Infinity) ? row.map(() => NaN) : row));

function roadsOf(x, mask) {
  const scores = scale(matmul(x, transpose(x)), 1 / Math.sqrt(3)),
    full = softmaxRows(scores),
    masked = fill(scores, mask);
  const kept = zeroed(full, mask);
  return { scores, masked, full, kept, hidden: softmaxRows(masked), divided: renormalised(kept) };
}
const ROADS = [
  ["full", "no mask"],
  ["kept", "zeroed after softmax"],
  ["divided", "zeroed, then divided"],
  ["hidden", "hidden before softmax"],
];

function compute(state) {
  const tokens = wordsOf(state.text),
    x = embed(tokens),
    mask = maskOf(state, tokens.length);
  const roads = roadsOf(x, mask),
    weights = state.guard ? roads.hidden : plainSoftmax(roads.masked);
  const other = x.map((row, i) => (i === state.changed ? row.map((value) => value * state.factor) : row));
  const causal = causalMask(tokens.length),
    before = roadsOf(x, causal),
    after = roadsOf(other, causal);
  const moved = tokens.map((_, i) =>
    ROADS.map(([road]) => {
      const [a, b] = [before, after].map((roadOf, n) => matmul([roadOf[road][i]], n ? other : x)[0]);
      return Math.max(...a.map((value, d) => Math.abs(value - b[d])));
    }),
  );
  const leaks = Object.fromEntries(ROADS.map(([road], r) => [road, Math.max(0, ...moved.filter((_, i) => i < state.changed).map((row) => row[r]))]));
  return { tokens, x, mask, ...roads, weights, output: matmul(weights, x), moved, leaks };
}

const maskScene = {
  id: "mask",
  title: "Who may look at whom",
  owns: ["text", "mask", "real", "front", "guard"],
  text: `<p>A mask is a table of yes and no, with a row for each query and a column for each key: <em>yes</em> means “may look”. Hiding the future makes a triangle.
    Hiding padding, the filler behind a short sentence, takes out whole columns. Both together is a plain “and”.</p>`,
  build({ store, view }) {
    const input = sentenceInput(store, "text", "Sentence");
    const kind = segments(store, "mask", "Mask", [
      ["none", "None"],
      ["causal", "Causal"],
      ["padding", "Padding"],
      ["both", "Both"],
    ]);
    const real = slider(store, "real", "Real words (the rest is padding)", { text: String });
    const front = toggle(store, "front", "Padding in front"),
      guard = toggle(store, "guard", "Rows with nothing to see become zeros");
    const read = readout("Point at a cell of either table.");
    let model;
    const link = (other) => (place) => {
      other().mark(place ? { rows: [place.i], cells: [[place.i, place.j]] } : {});
      if (!place) {
        read.say(null);
        return;
      }
      const { i, j } = place,
        from = [model.tokens[i], "of-query"],
        to = [model.tokens[j], "of-key"];
      read.say(
        model.mask[i][j]
          ? [from, " may look at ", to, " and gives it the weight ", [show(model.weights[i][j], 4), "result"], "."]
          : [
              from,
              " may not look at ",
              to,
              ": the score becomes −∞, and e",
              h("sup", {}, "−∞"),
              " = 0",
              Number.isNaN(model.weights[i][j]) ? ". But here every score is −∞, so softmax divides 0 by 0: not a number." : ".",
            ],
      );
    };
    const grid = view(
      new Matrix({
        name: "mask",
        ramp: "weights",
        rowKind: "query",
        columnKind: "key",
        limits: [0, 1],
        text: (i, j, value) => (value ? "yes" : "–"),
        say: (i, j, value) => `query ${model.tokens[i]}, key ${model.tokens[j]}: ${value ? "may look" : "hidden"}`,
        onpoint: link(() => weights),
      }),
    );
    const weights = view(
      new Matrix({ name: "weights", rowKind: "query", columnKind: "key", quantity: "weight", limits: [0, 1], onpoint: link(() => grid) }),
    );
    return {
      elements: h(
        "div.figure",
        {},
        input.element,
        h("div.controls", {}, kind.element, real.element, front.element, guard.element),
        h("div.row.two", {}, grid.element, weights.element),
        read.element,
        tries(store, [
          {
            text: "Put the padding in front of a causal sentence. The first rows may look at nothing at all.",
            changes: { mask: "both", real: 4, front: true },
          },
          { text: "Now apply plain softmax to them: 0 ÷ 0.", changes: { mask: "both", real: 4, front: true, guard: false } },
          { text: "Back to the triangle.", changes: { mask: "causal", front: false, guard: true } },
        ]),
      ),
      render(now, state) {
        model = now;
        const { tokens } = model,
          padded = state.mask === "padding" || state.mask === "both";
        [input, kind, real, front, guard].forEach((control) => control.update(state));
        real.limit(0, tokens.length);
        real.element.hidden = front.element.hidden = guard.element.hidden = !padded;
        grid.update({ values: map(model.mask, Number), rows: tokens, columns: tokens, title: "Mask: may the query (row) look at the key (column)?" });
        grid.set("off", (i, j) => !model.mask[i][j]);
        weights.update({ values: model.weights, rows: tokens, columns: tokens, title: "Weights = softmax of the scores that are left" });
        weights.set("off", (i, j) => !model.mask[i][j] && !Number.isNaN(model.weights[i][j]));
        if (grid.table.contains(document.activeElement)) grid.point(grid.at.i, grid.at.j);
      },
    };
  },
};

const STAGES = {
  before: [
    ["scores", "Scores ÷ √3"],
    ["masked", "Hidden: −∞"],
    ["hidden", "Softmax: weights"],
  ],
  after: [
    ["full", "Softmax over all keys"],
    ["kept", "Hidden weights set to 0"],
    ["kept", "… and left like that"],
  ],
  divided: [
    ["full", "Softmax over all keys"],
    ["kept", "Hidden weights set to 0"],
    ["divided", "Divided by the row sum"],
  ],
};
const SAY = {
  before: [
    "The scores, all of them.",
    "Forbidden scores become −∞, before softmax sees them.",
    "e<sup>−∞</sup> is 0, and the sum in softmax runs over the allowed keys alone. Every row that may look at anything sums to 1.",
  ],
  after: [
    "Softmax first, over all keys, the forbidden ones too.",
    "Then the forbidden weights are set to zero.",
    "The triangle has zeros in all the right places, and rows no longer sum to 1. How much is missing was decided by the words that are hidden: that one number per row is the leak. The next scene measures it.",
  ],
  divided: [
    "Softmax first, over all keys, the forbidden ones too.",
    "Then the forbidden weights are set to zero.",
    "Each row is divided by what is left of it. The sum over all keys cancels out: the same numbers as on the other road, as long as something is left of each row.",
  ],
};

const roadScene = {
  id: "roads",
  title: "Before softmax, or after?",
  owns: ["road", "step"],
  text: "<p>Two roads lead to masked weights (the mask is the one chosen above). They differ in when the mask is applied, and in one easily forgotten division.</p>",
  build({ store, view }) {
    const road = segments(store, "road", "When to hide", [
      ["before", "Before softmax"],
      ["after", "After softmax"],
      ["divided", "After, then divide"],
    ]);
    const path = stepper(store, "step", "Step", [
      { value: "first", label: "Start" },
      { value: "hide", label: "Hide" },
      { value: "end", label: "Result" },
    ]);
    const about = h("div.prose"),
      read = readout("Point at a number.");
    const difference = figureOf("Largest difference from hiding before softmax");
    let model, state;
    const stage = () => STAGES[state.road][["first", "hide", "end"].indexOf(state.step)];
    const grid = view(
      new Matrix({
        name: "road",
        rowKind: "query",
        columnKind: "key",
        text: (i, j, value) => (Number.isNaN(value) ? "" : show(value, 2)),
        say: (i, j, value) =>
          j < model.tokens.length
            ? `query ${model.tokens[i]}, key ${model.tokens[j]}: ${spoken(value)}`
            : Number.isNaN(value)
              ? `row ${model.tokens[i]}: scores need not sum to anything`
              : `row ${model.tokens[i]} sums to ${spoken(value)}`,
        onpoint: (place) => {
          if (!place) {
            read.say(null);
            return;
          }
          const { i, j } = place,
            from = [model.tokens[i], "of-query"],
            left = sum(model.kept[i]);
          if (j === model.tokens.length) {
            read.say([
              "The row of ",
              from,
              ...(Number.isNaN(grid.values[i][j])
                ? [" holds scores; they sum to nothing special."]
                : [" sums to ", [show(grid.values[i][j], 4), "result"]]),
            ]);
            return;
          }
          read.say([
            from,
            " → ",
            [model.tokens[j], "of-key"],
            ": ",
            ...(stage()[0] === "divided" && left > 0 ? [`${show(model.kept[i][j], 4)} ÷ ${show(left, 4)} = `] : []),
            [show(grid.values[i][j], 4), "result"],
          ]);
        },
      }),
    );
    return {
      elements: h(
        "div.figure",
        {},
        h("div.controls", {}, road.element),
        path.element,
        h("div.row.wide-left", {}, grid.element, h("div.stack", {}, about, read.element, difference.element)),
      ),
      render(now, latest) {
        model = now;
        state = latest;
        road.update(state);
        path.update(state);
        const [name, title] = stage(),
          values = model[name],
          { tokens } = model,
          scores = name === "scores" || name === "masked";
        const end = { before: model.hidden, after: model.kept, divided: model.divided }[state.road];
        const gap = Math.max(...end.flat().map((w, n) => Math.abs(w - model.hidden.flat()[n])));
        const same = state.road === "after" && state.step === "end" && gap < 1e-9;
        about.innerHTML = same
          ? "<p>This mask hides nothing here, so there is nothing for the roads to differ about. Choose Causal above.</p>"
          : `<p>${typeset(SAY[state.road][["first", "hide", "end"].indexOf(state.step)])}</p>`;
        grid.update({
          values: values.map((row) => [...row, scores ? NaN : sum(row)]),
          rows: tokens,
          columns: [...tokens, "sum"],
          title,
          ramp: scores ? "signed" : "weights",
          limits: scores ? [-1.5, 1.5] : [0, 1],
        });
        grid.set("off", (i, j) => j < tokens.length && !scores && !model.mask[i][j] && name !== "full");
        grid.set("sum", (i, j) => j === tokens.length);
        if (grid.table.contains(document.activeElement)) grid.point(grid.at.i, grid.at.j);
        else read.say(null);
        difference.element.hidden = state.step !== "end" || state.road === "before";
        difference.update(show(gap, 4), gap < 1e-9 ? "the roads meet" : "they do not meet", gap < 1e-9 ? "good" : "bad");
      },
    };
  },
};

const leakScene = {
  id: "leak",
  title: "The leakage meter",
  owns: ["changed", "factor"],
  text: `<p>How do you know that nothing leaks from the future? Do not look at the picture: change a later word, and see whether an earlier word's output moves. Here the mask is causal.
    Choose a word, make its vector longer or shorter, and read the rows above it.</p>`,
  build({ store, view }) {
    const picker = words(store, "changed", "Which word do we change?"),
      factor = slider(store, "factor", "Its embedding, times", { text: (value) => `× ${show(value, 1)}` });
    const read = readout("Point at a number.");
    const meters = ROADS.map(([, label]) => figureOf(label[0].toUpperCase() + label.slice(1)));
    let model, state;
    const table = view(
      new Matrix({
        name: "moved",
        rowKind: "output of",
        columnKind: "",
        quantity: "change",
        digits: 3,
        say: (i, j, value) => `output of ${model.tokens[i]}, ${ROADS[j][1]}: moved by ${spoken(value, 3)}`,
        onpoint: (place) => {
          if (!place) {
            read.say(null);
            return;
          }
          const { i, j } = place,
            value = model.moved[i][j],
            early = i < state.changed;
          read.say(
            [
              "The output of ",
              [model.tokens[i], "of-query"],
              ` moved by `,
              [show(value, 4), "result"],
              early
                ? value > 1e-12
                  ? [`. It stands before “${model.tokens[state.changed]}” and should know nothing of it: a leak.`]
                  : [`: it knows nothing of “${model.tokens[state.changed]}”.`]
                : [`. It may look at “${model.tokens[state.changed]}”, so it may move.`],
            ].flat(),
          );
        },
      }),
    );
    return {
      elements: h(
        "div.figure",
        {},
        h("div.controls", {}, picker.element, factor.element),
        h(
          "div.meters",
          {},
          meters.map((meter) => meter.element),
        ),
        table.element,
        read.element,
        tries(store, [
          { text: "Let the last word grow threefold. Which roads notice?", changes: (now) => ({ changed: wordsOf(now.text).length - 1, factor: 3 }) },
        ]),
      ),
      render(now, latest) {
        model = now;
        state = latest;
        picker.update(state, model.tokens);
        factor.update(state);
        const untested = state.changed === 0 ? "no word stands before it" : state.factor === 1 ? "× 1 changes nothing" : "";
        ROADS.forEach(([road], r) => {
          const leak = model.leaks[road],
            safe = leak < 1e-12;
          meters[r].update(
            untested ? "–" : show(leak, 3),
            untested || (safe ? "no earlier word moves" : "earlier words move: it leaks"),
            untested ? "" : safe ? "good" : "bad",
          );
        });
        table.update({
          values: model.moved,
          rows: model.tokens,
          columns: ["no mask", "after", "divided", "before"],
          title: `How far each output moves when “${model.tokens[state.changed]}” changes`,
          limits: [0, Math.max(0.2, ...model.moved.flat())],
        });
        table.set("chosen", (i) => i === state.changed);
        if (table.table.contains(document.activeElement)) table.point(table.at.i, table.at.j);
      },
    };
  },
};

page({
  chapter: "ch03_masks",
  number: 3,
  title: "Hiding the future",
  deck: "A mask is a table of yes and no. Apply it after softmax and earlier words still depend on later ones.",
  fields: {
    text: sentence(RUNNING_SENTENCE),
    mask: choice(["none", "causal", "padding", "both"], "causal"),
    real: number(0, MAX_WORDS, 4),
    front: flag(false),
    guard: flag(true),
    road: choice(["before", "after", "divided"]),
    step: choice(["first", "hide", "end"]),
    changed: number(0, MAX_WORDS - 1, 5),
    factor: number(0, 3, 2, 0.1),
  },
  normalise: ({ text, real, changed }) => {
    const seq = wordsOf(text).length;
    return { real: Math.min(real, seq), changed: Math.min(changed, seq - 1) };
  },
  compute,
  scenes: [maskScene, roadScene, leakScene],
  made: [
    "Queries, keys and values are the embeddings themselves, as in the chapter's first examples: scores = <i>x x</i><sup>⊤</sup> ÷ √3.",
    "A row with nothing to attend to gets zero weights and a zero output. The switch shows what softmax alone would do.",
    "The meter is the largest change of any number in a word's output vector.",
  ],
});
