import { cosine, matmul, softmaxRows, sum, transpose } from "../engine/tensor.js";
import { embed, keyOf, MAX_WORDS, RUNNING_SENTENCE, wordsOf } from "../engine/words.js";
import { h, show, spoken, typeset } from "../engine/dom.js";
import { choice, number, sentence, vectors } from "../engine/store.js";
import { Matrix } from "../engine/matrix.js";
import { cellEditor, sentenceInput, stepper, tries, words } from "../engine/controls.js";
import { figureOf, products, readout, strip } from "../engine/readouts.js";
import { ledger } from "../engine/ledger.js";
import { Scatter } from "../engine/scatter.js";
import { page } from "../engine/page.js";

const DIMENSIONS = ["1", "2", "3"];
const bankStart = PAGE_DATA.sentences;
const PLACES = Object.fromEntries(PAGE_DATA.words.map((word, i) => [word, PAGE_DATA.vectors[i]]));
const MAP_LIMITS = [0, 1].map((axis) => {
  const all = PAGE_DATA.vectors.map((place) => place[axis]);
  return [Math.min(-0.15, ...all) - 0.1, Math.max(...all) + 0.15];
});

/** Attention with no weights at all: scores = x xᵀ, weights = softmax(scores), context = weights x. */
function simpleAttention(x) {
  const scores = matmul(x, transpose(x)),
    weights = softmaxRows(scores);
  return { x, scores, weights, context: matmul(weights, x) };
}

/** The plain mean of the rows: attention with equal weights. */
const meanOf = (rows) => rows[0].map((_, j) => sum(rows.map((row) => row[j])) / rows.length);

/** A word that both sentences hold: the one asked for, or the first there is. */
function sharedWord(a, b, wanted) {
  const both = a.map(keyOf).filter((key) => b.map(keyOf).includes(key));
  return both.includes(wanted) ? wanted : (both.at(-1) ?? null);
}

function compute({ text, query, edits, first, second, shared, moved }) {
  const tokens = wordsOf(text),
    places = { ...PLACES, ...moved };
  const all = simpleAttention(embed(tokens, edits));
  const sides = [first, second].map((line) => {
    const known = line
      .split(/\s+/)
      .map(keyOf)
      .filter((word) => Object.hasOwn(places, word))
      .slice(0, MAX_WORDS);
    return { tokens: known, ...simpleAttention(known.map((word) => places[word])) };
  });
  const word = sharedWord(sides[0].tokens, sides[1].tokens, shared);
  const at = sides.map((side) => side.tokens.map(keyOf).indexOf(word));
  const pair =
    word === null
      ? null
      : {
          before: cosine(sides[0].x[at[0]], sides[1].x[at[1]]),
          after: cosine(sides[0].context[at[0]], sides[1].context[at[1]]),
          mean: cosine(meanOf(sides[0].x), meanOf(sides[1].x)),
        };
  return { tokens, query, ...all, places, sides, word, at, pair };
}

function edit(store, word, dimension, value) {
  const key = keyOf(word),
    [row] = embed([word], store.state.edits);
  row[dimension] = value;
  store.set({ edits: { ...store.state.edits, [key]: row } });
}
const times = (word, factor) => (state) => ({
  edits: { ...state.edits, [keyOf(word)]: embed([word], state.edits)[0].map((v) => Number((v * factor).toFixed(4))) },
});

const sentenceScene = {
  id: "sentence",
  title: "A word is a short list of numbers",
  owns: ["text", "edits"],
  text: `<p>A computer cannot read “journey”. It reads an <em>embedding</em>: here three numbers, so that every step can be checked by hand
    (real models use hundreds to thousands). The list is the same in every sentence, whatever stands around the word.</p>
    <p>Type your own sentence, or choose a number and change it. Everything below follows.</p>`,
  build({ store, view }) {
    const input = sentenceInput(
      store,
      "text",
      "Sentence",
      `Up to ${MAX_WORDS} words. The chapter's six words have the chapter's numbers; any other word gets numbers from its letters, which know nothing of its meaning.`,
    );
    const matrix = view(
      new Matrix({
        name: "embeddings",
        rowKind: "word",
        columnKind: "dimension",
        quantity: "embedding",
        limits: [0, 1],
        step: 0.05,
        onpoint: (place) => {
          if (place) editor.update();
        },
        onedit: (i, j, value, open) => {
          if (open) editor.focus();
          else edit(store, wordsOf(store.state.text)[i], j, value);
        },
      }),
    );
    const editor = cellEditor(matrix, {
      min: -1,
      max: 2,
      name: (i, j) => `${matrix.rows[i]}, dimension ${j + 1}`,
      change: (i, j, value) => edit(store, matrix.rows[i], j, value),
    });
    return {
      elements: h(
        "div.figure",
        {},
        input.element,
        h(
          "div.row.two",
          {},
          matrix.element,
          h(
            "div.stack",
            {},
            editor.element,
            tries(store, [
              { text: "Give <em>with</em> a vector three times as long. Who attends to it now?", changes: times("with", 3) },
              { text: "Take the numbers back.", changes: { edits: {} } },
            ]),
          ),
        ),
      ),
      render(model, state) {
        input.update(state);
        matrix.update({ values: model.x, rows: model.tokens, columns: DIMENSIONS, title: "One row per word, three numbers each" });
        editor.update();
      },
    };
  },
};

const STEPS = [
  { value: "scores", label: "Scores" },
  { value: "softmax", label: "Softmax" },
  { value: "context", label: "Context" },
];
const ABOUT = {
  scores: (word) =>
    `How well does each word fit <b>${word}</b>? Multiply the two lists number by number and add up: the <em>dot product</em>. It is large when both are large in the same places. That is a <em>score</em>.`,
  softmax: (word) =>
    `Scores can be anything. <em>Softmax</em> makes each one positive with <i>e</i><sup>score</sup> and divides by their sum, so that <b>${word}</b> hands out exactly 1 of attention. These are its <em>weights</em>. (The largest score is taken off first: the weights stay the same, and nothing overflows.)`,
  context: (word) =>
    `Now take that much of every word: each embedding times its weight, all added up. The sum is the <em>context vector</em>, what <b>${word}</b> means in this sentence.`,
};
const escape = (text) => text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
const listOf = (row, digits = 4) => `(${row.map((value) => show(value, digits)).join(", ")})`;

const stepScene = {
  id: "steps",
  title: "One word looks at all the others",
  owns: ["query", "step"],
  text: "<p>Choose the word that looks: the <em>query</em>. Three steps turn the sentence into a new vector for it.</p>",
  build({ store }) {
    const picker = words(store, "query", "Which word looks around?"),
      path = stepper(store, "step", "Step", STEPS);
    const about = h("p.prose"),
      account = ledger({ caption: "Scores" }),
      pieces = strip("All of its attention");
    return {
      elements: h("div.figure", {}, picker.element, path.element, about, account.element, pieces.element),
      render({ tokens, x, scores, weights, context, query }, state) {
        picker.update(state, tokens);
        path.update(state);
        const word = tokens[query],
          row = scores[query],
          peak = Math.max(...row);
        const powers = row.map((score) => Math.exp(score - peak)),
          total = sum(powers);
        about.innerHTML = typeset(ABOUT[state.step](escape(word)));
        const entries = tokens.map((name, j) => {
          const base = { name, chosen: j === query };
          if (state.step === "scores") {
            return {
              ...base,
              share: row[j] / Math.max(peak, 1e-9),
              amount: show(row[j], 4),
              how: products(x[query], x[j]),
              say: `${name}: score ${spoken(row[j], 4)}`,
            };
          }
          if (state.step === "softmax") {
            return {
              ...base,
              share: weights[query][j],
              amount: show(weights[query][j], 4),
              how: [`exp(${show(row[j], 4)} − ${show(peak, 4)}) ÷ ${show(total, 4)}`],
              say: `${name}: weight ${show(weights[query][j], 4)}`,
            };
          }
          const part = x[j].map((value) => value * weights[query][j]);
          return {
            ...base,
            share: weights[query][j],
            amount: show(weights[query][j], 4),
            say: `${name}: weight ${show(weights[query][j], 4)} times its embedding gives ${listOf(part)}`,
            how: ["× ", [listOf(x[j], 2), "of-key"], ` = ${listOf(part)}`],
          };
        });
        if (state.step === "softmax")
          entries.push({
            name: "Sum",
            total: true,
            amount: show(sum(weights[query]), 4),
            how: [`of the powers: ${show(total, 4)}`],
            say: `Sum of the weights: ${show(sum(weights[query]), 4)}`,
          });
        if (state.step === "context")
          entries.push({
            name: "Context",
            total: true,
            amount: "",
            how: [[listOf(context[query]), "result"]],
            say: `Context vector of ${word}: ${listOf(context[query])}`,
          });
        account.update(
          entries,
          { scores: `Scores of “${word}” with each word`, softmax: `Weights of “${word}”`, context: `Context vector of “${word}”` }[state.step],
        );
        pieces.element.hidden = state.step === "scores";
        pieces.update(weights[query], tokens, `Weights of ${word}`);
      },
    };
  },
};

const allScene = {
  id: "all",
  title: "Every word at once",
  owns: [],
  text: `<p>Nothing in the three steps asks for one word at a time. Stack the embeddings as rows of a matrix <i>X</i>, and the same three lines serve all of them.
    Point at a number to see what made it, or walk with the arrow keys.</p>`,
  build({ store, view }) {
    const read = readout("Point at any number.");
    const names = (place, model) => ({ query: model.tokens[place.i], key: model.tokens[place.j] });
    let model;
    const link = (which) => (place) => {
      const all = { scores, weights, context };
      Object.entries(all).forEach(([name, matrix]) => {
        if (name !== which) matrix.mark({});
      });
      if (!place) {
        read.say(null);
        return;
      }
      const { i, j } = place,
        { query, key } = names(place, model);
      if (which === "context") {
        weights.mark({ rows: [i] });
        read.say([
          "Context of ",
          [query, "of-query"],
          `, dimension ${j + 1} = `,
          ...products(
            model.weights[i],
            model.x.map((row) => row[j]),
          ),
          " = ",
          [show(model.context[i][j], 4), "result"],
        ]);
      } else {
        context.mark({ rows: [i] });
        (which === "scores" ? weights : scores).mark({ rows: which === "weights" ? [i] : [], cells: [[i, j]] });
        if (which === "scores")
          read.say([
            "Score of ",
            [query, "of-query"],
            " with ",
            [key, "of-key"],
            " = ",
            ...products(model.x[i], model.x[j]),
            " = ",
            [show(model.scores[i][j], 4), "result"],
          ]);
        else {
          const row = model.scores[i],
            peak = Math.max(...row);
          read.say([
            "Weight of ",
            [key, "of-key"],
            " for ",
            [query, "of-query"],
            ` = exp(${show(row[j], 4)} − ${show(peak, 4)}) ÷ ${show(sum(row.map((s) => Math.exp(s - peak))), 4)} = `,
            [show(model.weights[i][j], 4), "result"],
          ]);
        }
      }
    };
    const onrow = (i) => store.set({ query: i });
    const scores = view(
      new Matrix({ name: "scores", ramp: "signed", rowKind: "query", columnKind: "key", quantity: "score", onpoint: link("scores"), onrow }),
    );
    const weights = view(new Matrix({ name: "weights", rowKind: "query", columnKind: "key", quantity: "weight", onpoint: link("weights"), onrow }));
    const context = view(
      new Matrix({
        name: "context",
        ramp: "signed",
        rowKind: "query",
        columnKind: "dimension",
        quantity: "context",
        onpoint: link("context"),
        onrow,
      }),
    );
    return {
      elements: h(
        "div.figure",
        {},
        h(
          "div.row.two",
          {},
          scores.element,
          weights.element,
          context.element,
          h(
            "div.stack",
            {},
            h("p.formula", {}, h("i", {}, "context"), " = softmax(", h("i", {}, "X X"), h("sup", {}, "⊤"), ") ", h("i", {}, "X")),
            read.element,
          ),
        ),
      ),
      render(now) {
        model = now;
        const { tokens, query } = model;
        scores.update({ values: model.scores, rows: tokens, columns: tokens, title: "Scores = X Xᵀ" });
        weights.update({ values: model.weights, rows: tokens, columns: tokens, title: "Weights = softmax of each row" });
        context.update({ values: model.context, rows: tokens, columns: DIMENSIONS, title: "Context = weights · X" });
        [scores, weights, context].forEach((matrix) => matrix.set("chosen", (i) => i === query));
      },
    };
  },
};

const bankScene = {
  id: "bank",
  title: "The same word in two sentences",
  owns: ["first", "second", "shared", "moved"],
  text: `<p>These points are the chapter's word vectors, counted from its sixteen sentences about rivers and money. “bank” keeps both companies, so it lies between them,
    and it is the same point in every sentence. Attention moves it: towards the words it stands among, each pulling with its weight (the thickness of the lines).</p>
    <p>How much of that is due to the weights? The third meter compares with equal weights, the plain mean of each sentence.
    Type other sentences with these words, or take a point and move it: where does choosing matter?</p>`,
  build({ store, view }) {
    const inputs = [
      ["first", "One sentence"],
      ["second", "Another sentence"],
    ].map(([key, label]) => sentenceInput(store, key, label));
    const strips = [strip(), strip()];
    const map = new Scatter({
      name: "map",
      title: "Words in the plane, and where attention takes one of them",
      limits: MAP_LIMITS,
      onmove: (key, place) => store.set({ moved: { ...store.state.moved, [key]: place } }),
    });
    const both = view(new Matrix({ name: "bank", ramp: "signed", rowKind: "vector", columnKind: "dimension", quantity: "value", digits: 4 }));
    const before = figureOf("Cosine before attention"),
      after = figureOf("Cosine after attention"),
      mean = figureOf("Cosine of the plain means");
    const none = h(
      "p.problem",
      { hidden: true },
      "The two sentences have no word in common that the chapter has a vector for. Use one word in both.",
    );
    const vocabulary = h("p.hint", {}, `Words with a vector: ${PAGE_DATA.words.join(", ")}. All others are left out, as in the chapter.`);
    const rest = h(
      "div.row.wide-left",
      {},
      map.element,
      h(
        "div.stack",
        {},
        h("div.meters", {}, before.element, after.element, mean.element),
        both.element,
        tries(store, [
          {
            text: "Use the same words in another order. Does the cosine notice?",
            changes: { first: "the fish jumped near the boat", second: "the boat jumped near the fish", shared: "fish" },
          },
          {
            text: "Repeat a word three times. Who wins the pull?",
            changes: { first: "river river river bank", second: bankStart[1], shared: "bank" },
          },
          { text: "Back to the bank.", changes: { first: bankStart[0], second: bankStart[1], shared: "bank", moved: {} } },
        ]),
      ),
    );
    return {
      elements: h(
        "div.figure",
        {},
        h(
          "div.row.two",
          {},
          inputs.map((input, s) => h("div.stack", {}, input.element, strips[s].element)),
        ),
        vocabulary,
        none,
        rest,
      ),
      render({ sides, word, at, pair, places }, state) {
        inputs.forEach((input) => input.update(state));
        none.hidden = pair !== null;
        rest.hidden = pair === null;
        strips.forEach((one) => {
          one.element.hidden = pair === null;
        });
        if (!pair) return;
        const present = new Set(sides.flatMap((side) => side.tokens));
        sides.forEach((side, s) =>
          strips[s].update(side.weights[at[s]], side.tokens, `Weights of ${word} in the ${s ? "second" : "first"} sentence`),
        );
        map.update({
          points: PAGE_DATA.words.map((key) => ({ key, place: places[key], strong: present.has(key) })),
          lines: sides.flatMap((side, s) =>
            side.tokens.map((token, j) => ({ from: side.context[at[s]], to: places[token], width: side.weights[at[s]][j], colour: s ? 1 : 0 })),
          ),
          arrows: sides.map((side, s) => ({ from: places[word], to: side.context[at[s]], label: `${word} in ${s ? "2" : "1"}`, colour: s ? 1 : 0 })),
        });
        both.update({
          title: `“${word}”, before and after`,
          columns: ["1", "2"],
          rows: ["before", "after, in 1", "after, in 2"],
          values: [places[word], sides[0].context[at[0]], sides[1].context[at[1]]],
        });
        before.update(show(pair.before, 4), "one word, one vector");
        after.update(
          show(pair.after, 4),
          pair.after > 0.99995
            ? "the same mixture: attention alone does not see the order of words (chapter 5)"
            : "its neighbours have pulled it apart",
        );
        mean.update(
          show(pair.mean, 4),
          Math.abs(pair.mean - pair.after) < 0.05
            ? "equal weights do nearly the same: similarity hardly chooses"
            : "equal weights give another number: here the choice counts",
        );
      },
    };
  },
};

page({
  chapter: "ch01_why_attention",
  number: 1,
  title: "Why attention?",
  deck: "One word, one list of numbers. Then three short steps let it listen to its neighbours.",
  fields: {
    text: sentence(RUNNING_SENTENCE),
    edits: vectors(3),
    query: number(0, MAX_WORDS - 1, 1),
    step: choice(STEPS.map((s) => s.value)),
    first: sentence(bankStart[0]),
    second: sentence(bankStart[1]),
    shared: sentence("bank", 40),
    moved: vectors(2),
  },
  normalise: ({ text, query }) => ({ query: Math.min(query, wordsOf(text).length - 1) }),
  compute,
  scenes: [sentenceScene, stepScene, allScene, bankScene],
  made: [
    "The six words of “Your journey starts with one step” have the embeddings of the chapter.",
    "Any other word <i>w</i> with the letters <i>c</i><sub>1</sub>, <i>c</i><sub>2</sub>, … gets, in dimension <i>d</i>, the number (1 + sin(<i>d</i> · Σ <i>k c<sub>k</sub></i>)) ÷ 2, rounded to two digits, where <i>c<sub>k</sub></i> is the code point of its <i>k</i>-th lower-case letter. The same word always gets the same numbers.",
    "The vectors of the last scene are the chapter's: how much more often than by chance two words share one of its sixteen sentences, as a logarithm, and the two strongest directions of that table.",
    "scores = <i>X X</i><sup>⊤</sup>; weights = softmax of each row; context = weights · <i>X</i>. There is nothing to learn yet, and no scale: both come in chapter 2.",
  ],
});
