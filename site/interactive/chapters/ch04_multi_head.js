import { attention, map, matmul, norm, normalMatrix, range, sum } from "../engine/tensor.js";
import { embed, MAX_WORDS, RUNNING_SENTENCE, wordsOf } from "../engine/words.js";
import { h, show } from "../engine/dom.js";
import { choice, flag, number, sentence } from "../engine/store.js";
import { Matrix } from "../engine/matrix.js";
import { segments, sentenceInput, slider, stepper, toggle, tries, words } from "../engine/controls.js";
import { figureOf, readout } from "../engine/readouts.js";
import { page } from "../engine/page.js";

const causal = (seq) => range(seq).map((i) => range(seq).map((j) => j <= i));
const sideBySide = (...parts) => parts[0].map((_, i) => parts.flatMap((part) => part[i]));

// Latin: a noun is its word (dog, cat) plus its ending (who bites, who is bitten)
const DOG_BITES_CAT = [
    [1, 0, 1, 0],
    [0, 1, 0, 1],
  ],
  CAT_BITES_DOG = [
    [0, 1, 1, 0],
    [1, 0, 0, 1],
  ];
function latin(shares) {
  const read = (nouns) => shares.flatMap((share) => matmul([[share, 1 - share]], nouns)[0]);
  const [dog, cat] = [read(DOG_BITES_CAT), read(CAT_BITES_DOG)];
  return { dog, cat, apart: norm(dog.map((value, i) => value - cat[i])) };
}

/** (seq, d_model) -> (heads, seq, d_head): head h is the h-th block of features; or the tempting mistake, view alone. */
const splitHeads = (x, heads) => range(heads).map((n) => x.map((row) => row.slice((n * row.length) / heads, ((n + 1) * row.length) / heads)));
const viewAs = (flat, blocks, rows) => {
  const columns = flat.length / blocks / rows;
  return range(blocks).map((b) => range(rows).map((r) => flat.slice((b * rows + r) * columns, (b * rows + r + 1) * columns)));
};
const viewAlone = (x, heads) => viewAs(x.flat(), heads, x.length);
const combineHeads = (parts) => sideBySide(...parts);
const joinAlone = (parts) => viewAs(parts.flat(2), 1, parts[0].length)[0];
const WAYS = {
  right: [splitHeads, combineHeads],
  split: [viewAlone, combineHeads],
  combine: [splitHeads, joinAlone],
  neither: [viewAlone, joinAlone],
};
const HEARING = { seq: 6, heads: 2, x: normalMatrix(6, 4, 4) };

/** How far output i moves when token j changes, with a causal mask inside every head. */
function hearing(way) {
  const [split, join] = WAYS[way],
    { seq, heads, x } = HEARING;
  const layer = (input) => join(split(input, heads).map((part) => attention(part, part, part, { mask: causal(seq) }).output));
  const before = layer(x),
    columns = range(seq).map((token) => {
      const after = layer(x.map((row, i) => (i === token ? row.map((value) => value + 1) : row)));
      return before.map((row, i) => Math.max(...row.map((value, d) => Math.abs(value - after[i][d]))));
    });
  return range(seq).map((i) => range(seq).map((j) => columns[j][i]));
}

function compute(state) {
  const tokens = wordsOf(state.text),
    x = embed(tokens),
    mask = causal(tokens.length);
  const heads = PAGE_DATA.heads.map(({ W_q, W_k, W_v }) => ({ q: matmul(x, W_q), k: matmul(x, W_k), v: matmul(x, W_v) }));
  const read = heads.map(({ q, k, v }) => attention(q, k, v, { mask }));
  const join = (name) => sideBySide(...heads.map((head) => head[name]));
  const wide = attention(join("q"), join("k"), join("v"), { mask });
  const labels = range(state.tokens).map((t) => range(state.cut * state.width).map((f) => 10 * t + f));
  return {
    latin: { one: latin([state.alpha]), two: latin([state.alpha, state.beta]) },
    tokens,
    x,
    weights: read.map((one) => one.weights),
    output: sideBySide(...read.map((one) => one.output)),
    wide: wide.weights,
    labels,
    split: splitHeads(labels, state.cut),
    viewed: viewAlone(labels, state.cut),
    heard: hearing(state.way),
    bill: { width: state.d_model / state.heads, parameters: 4 * state.d_model ** 2, weights: state.heads * state.seq ** 2 },
  };
}

const latinScene = {
  id: "latin",
  title: "One verb, two questions",
  owns: ["alpha", "beta"],
  text: `<p>In <em>canis felem mordet</em> the dog bites the cat; in <em>felis canem mordet</em> the cat bites the dog. Each noun is a vector: the word (first two numbers) plus its ending
    (last two: who bites, who is bitten). The verb looks at both nouns with one row of weights and gets their mixture.</p>
    <p>Find the weights with which one head cannot tell the two sentences apart. Then move a little away from them: a trace of who bites whom comes back. In the chapter a trained head lives on
    that trace, and makes its mistakes in sentences in which its two weights are nearly equal.</p>`,
  build({ store, view }) {
    const alpha = slider(store, "alpha", "Head 0: weight on the biter", { text: (v) => show(v) }),
      beta = slider(store, "beta", "Head 1: weight on the biter", { text: (v) => show(v) });
    const what = ["dog", "cat", "bites", "is bitten"];
    const make = (name, headCount) =>
      view(new Matrix({ name, rowKind: "sentence", columnKind: "feature", quantity: "value", limits: [0, 1], title: headCount }));
    const one = make("one", "What one head hands over"),
      two = make("two", "Two heads, side by side");
    const apart = [figureOf("One head: distance of the two"), figureOf("Two heads: distance of the two")];
    return {
      elements: h(
        "div.figure",
        {},
        h("div.controls", {}, alpha.element, beta.element),
        h("div.row.two", {}, h("div.stack", {}, one.element, apart[0].element), h("div.stack", {}, two.element, apart[1].element)),
        tries(store, [
          { text: "Give both nouns half of head 0. What is left of who bites whom?", changes: { alpha: 0.5 } },
          { text: "Let head 0 ask for the biter and head 1 for the bitten.", changes: { alpha: 1, beta: 0 } },
        ]),
      ),
      render({ latin: { one: first, two: both } }, state) {
        alpha.update(state);
        beta.update(state);
        const rows = ["dog bites", "cat bites"];
        one.update({ values: [first.dog, first.cat], rows, columns: what });
        two.update({ values: [both.dog, both.cat], rows, columns: [...what, ...what] });
        two.set("second", (i, j) => j >= 4);
        const tone = (value) => (value < 1e-9 ? "bad" : "good");
        apart[0].update(
          show(first.apart, 3),
          first.apart < 1e-9 ? "opposite sentences, the same four numbers" : "different, but only as far as the weights differ from a half",
          tone(first.apart),
        );
        const [about, verdict] =
          state.alpha === state.beta
            ? ["two heads that ask the same are one head", ""]
            : state.beta === 0.5
              ? ["head 1 cannot tell them apart: the difference is head 0's alone", ""]
              : state.alpha === 0.5
                ? ["head 0 cannot tell them apart, head 1 can", "good"]
                : ["the second question has an answer of its own", "good"];
        apart[1].update(show(both.apart, 3), about, both.apart < 1e-9 ? "bad" : verdict);
      },
    };
  },
};

const headsScene = {
  id: "heads",
  title: "Two heads, one sentence",
  owns: ["text"],
  text: `<p>Each head has matrices of its own, so each makes its own weights; a row sums to 1 in the one and again in the other. On the right is what you would get without cutting:
    one wide head adds the scores of both <em>before</em> a single softmax, and the two opinions are mixed. The matrices are the chapter's and were never trained: read nothing into the patterns.</p>`,
  build({ store, view }) {
    const input = sentenceInput(store, "text", "Sentence"),
      read = readout("Point at a cell: the same pair is marked in all three.");
    let model;
    const grids = [
      ["head0", "Head 0"],
      ["head1", "Head 1"],
      ["wide", "One wide head instead"],
    ].map(([name, title], n) =>
      view(
        new Matrix({
          name,
          title,
          rowKind: "query",
          columnKind: "key",
          quantity: "weight",
          limits: [0, 1],
          onpoint: (place) => {
            grids.forEach((grid, other) => {
              if (other !== n) grid.mark(place ? { rows: [place.i], columns: [place.j], cells: [[place.i, place.j]] } : {});
            });
            output.mark(place ? { rows: [place.i] } : {});
            if (!place) {
              read.say(null);
              return;
            }
            const { i, j } = place;
            read.say([
              [model.tokens[i], "of-query"],
              " → ",
              [model.tokens[j], "of-key"],
              ": head 0 ",
              [show(model.weights[0][i][j], 4), "result"],
              ", head 1 ",
              [show(model.weights[1][i][j], 4), "result"],
              ", one wide head ",
              [show(model.wide[i][j], 4), "result"],
              j > i ? ". Later words are hidden." : ".",
            ]);
          },
        }),
      ),
    );
    const output = view(
      new Matrix({ name: "output", title: "Outputs side by side", ramp: "signed", rowKind: "word", columnKind: "feature", quantity: "output" }),
    );
    return {
      elements: h(
        "div.figure",
        {},
        input.element,
        h(
          "div.row.three",
          {},
          grids.map((grid) => grid.element),
        ),
        read.element,
        output.element,
      ),
      render(now, state) {
        model = now;
        input.update(state);
        [...now.weights, now.wide].forEach((values, n) => {
          grids[n].update({ values, rows: now.tokens, columns: now.tokens });
          grids[n].set("off", (i, j) => j > i);
        });
        output.update({ values: now.output, rows: now.tokens, columns: ["head 0 · 1", "head 0 · 2", "head 1 · 1", "head 1 · 2"] });
      },
    };
  },
};

const STAGES = [
  { value: "x", label: "x" },
  { value: "fold", label: "Fold" },
  { value: "swap", label: "Change places" },
  { value: "back", label: "Join again" },
];
const cutScene = {
  id: "cut",
  title: "Cut the features into heads",
  owns: ["tokens", "cut", "width", "stage", "wrong", "token"],
  text: `<p>All heads share one big matrix, and are cut out of its result afterwards. Nothing is computed; numbers only change places. Here every number is a label:
    <b>2·3</b> is token 2, feature 3. Each token has a colour. Follow one through.</p>`,
  build({ store, view }) {
    const sizes = [slider(store, "tokens", "Tokens"), slider(store, "cut", "Heads"), slider(store, "width", "Numbers per head")];
    const path = stepper(store, "stage", "Stage", STAGES),
      wrong = toggle(store, "wrong", "Forget to change places: view(heads, seq, d_head)");
    const picker = words(store, "token", "Follow token"),
      about = h("div.prose"),
      blocks = h("div.blocks"),
      memory = h("p.memory"),
      verdict = figureOf("Numbers in the wrong head");
    let drawn = "",
      grids = [];
    const label = (value) => `${Math.floor(value / 10)}·${value % 10}`;
    const tint = (value) => ({ background: `color-mix(in srgb, var(--c${1 + (Math.floor(value / 10) % 6)}) 26%, var(--panel))`, ink: "var(--ink)" });
    return {
      elements: h(
        "div.figure",
        {},
        h(
          "div.controls",
          {},
          sizes.map((one) => one.element),
        ),
        path.element,
        h("div.controls", {}, picker.element, wrong.element),
        about,
        blocks,
        h("p.label", {}, "The order in memory"),
        memory,
        verdict.element,
      ),
      render(model, state) {
        sizes[2].limit(1, Math.min(3, Math.floor(10 / state.cut)));
        sizes.forEach((one) => one.update(state));
        [path, wrong].forEach((one) => one.update(state));
        picker.update(
          state,
          range(state.tokens).map((t) => `token ${t}`),
        );
        const { labels, split, viewed } = model,
          seq = state.tokens,
          heads = state.cut,
          bad = state.wrong;
        const folded = bad ? viewed : labels.map((row) => viewAs(row, 1, heads)[0]);
        const swapped = bad ? viewed : split;
        const parts = { x: [labels], fold: folded, swap: swapped, back: [bad ? joinAlone(viewed) : combineHeads(split)] }[state.stage];
        const headed = state.stage === "swap" || (state.stage === "fold" && bad);
        const title = (b) => (parts.length === 1 ? `(${seq}, ${heads * state.width})` : headed ? `head ${b}` : `token ${b}`);
        const shape = {
          x: `x: (seq, d_model) = (${seq}, ${heads * state.width})`,
          back: `joined: (seq, d_model) = (${seq}, ${heads * state.width})`,
          fold: bad
            ? `view: (heads, seq, d_head) = (${heads}, ${seq}, ${state.width})`
            : `view: (seq, heads, d_head) = (${seq}, ${heads}, ${state.width})`,
          swap: `(heads, seq, d_head) = (${heads}, ${seq}, ${state.width})`,
        }[state.stage];
        const astray = headed || state.stage === "back" ? swapped.flat(2).filter((value, n) => value !== split.flat(2)[n]).length : 0;
        const key = `${parts.length} ${parts[0].length} ${parts[0][0].length}`;
        if (key !== drawn) {
          drawn = key;
          grids = parts.map((_, b) =>
            view(new Matrix({ name: `block${b}`, text: (i, j, value) => label(value), tint: (i, j, value) => tint(value) })),
          );
          blocks.replaceChildren(...grids.map((grid) => grid.element));
        }
        grids.forEach((grid, b) => {
          grid.update({
            values: parts[b],
            title: title(b),
            rows: parts[b].map((_, i) => (parts.length === 1 || headed ? `row ${i}` : `head ${i}`)),
            columns: parts[b][0].map((_, j) => String(j)),
            say: (i, j, value) =>
              `${parts.length === 1 ? "" : `${title(b)}, `}row ${i}, column ${j}: token ${Math.floor(value / 10)}, feature ${value % 10}`,
          });
          grid.set("followed", (i, j) => Math.floor(parts[b][i][j] / 10) === state.token);
        });
        const alone = "With one head there is nothing to change places: the view alone is right. Take two heads.";
        about.innerHTML = `<p><b>${shape}.</b> ${
          {
            x: "One row for each token, all its features in it.",
            fold: bad
              ? "No number has moved; only the axes are read in another way. The shape is what attention wants, and no error is raised."
              : "Each token's features are folded into one row per head. No number has moved: a view only counts differently.",
            swap: bad
              ? heads === 1
                ? alone
                : "Already the wanted shape. But look at the colours: head 0 holds the beginning of the sentence, not a part of every token."
              : "Tokens and heads change places. Now every head holds a piece of <em>every</em> token, one row each: this is what attention works on.",
            back: bad
              ? heads === 1
                ? alone
                : "Folded back the same wrong way, everything looks as before: two mistakes that hide each other."
              : "Change places again, unfold: each token has its features back, head 0 first.",
          }[state.stage]
        }</p>`;
        memory.replaceChildren(
          ...parts.flat(2).map((value) => {
            const piece = h("span", { style: `background:${tint(value).background}` }, label(value));
            piece.classList.toggle("followed", Math.floor(value / 10) === state.token);
            return piece;
          }),
        );
        verdict.element.hidden = !(headed || state.stage === "back");
        verdict.update(
          `${astray} of ${labels.flat().length}`,
          astray ? "right shape, wrong content" : "every head has its own features of every token",
          astray ? "bad" : "good",
        );
      },
    };
  },
};

const hearScene = {
  id: "hear",
  title: "A shape is not a proof",
  owns: ["way"],
  text: `<p>All four ways give the same shapes, and inside each head the causal mask is in place. Change one token (column) and see which outputs (rows) move.
    Above the diagonal nothing should.</p>`,
  build({ store, view }) {
    const way = segments(store, "way", "Which transpose is missing?", [
      ["right", "None: both right"],
      ["split", "Splitting"],
      ["combine", "Combining"],
      ["neither", "Both"],
    ]);
    const leaks = figureOf("Outputs that hear their future"),
      deaf = figureOf("Earlier tokens not heard"),
      about = h("div.prose");
    const grid = view(
      new Matrix({
        name: "heard",
        rowKind: "output",
        columnKind: "changed token",
        quantity: "moves by",
        digits: 2,
        title: "How far output (row) moves when a token (column) changes",
        tint: (i, j, value) => (value > 1e-9 && j > i ? { background: "var(--warn)", ink: "var(--paper)" } : null),
      }),
    );
    return {
      elements: h(
        "div.figure",
        {},
        way.element,
        h("div.row.wide-left", {}, grid.element, h("div.stack", {}, about, h("div.meters", {}, leaks.element, deaf.element))),
      ),
      render({ heard }, state) {
        way.update(state);
        grid.update({ values: heard, rows: range(6).map(String), columns: range(6).map(String) });
        const late = heard.flatMap((row, i) => row.filter((value, j) => j > i && value > 1e-9)).length,
          missing = heard.flatMap((row, i) => row.filter((value, j) => j <= i && value <= 1e-9)).length;
        leaks.update(String(late), late ? "the future leaks" : "no leak", late ? "bad" : "good");
        deaf.update(String(missing), missing ? "they should be heard" : "every output hears all that came before", missing ? "bad" : "good");
        about.innerHTML = `<p>${
          {
            right: "A clean triangle: output <i>i</i> hears tokens 0 to <i>i</i>.",
            split: "The mask is there and correct, and the future leaks all the same: the mask hides row <i>j</i> from row <i>i</i>, but the rows are no longer tokens.",
            combine: "The heads worked rightly; the join hands their results to the wrong tokens.",
            neither: "Nothing leaks, so no test for leaks finds it. But the sentence has fallen into two halves that never hear each other.",
          }[state.way]
        }</p>`;
      },
    };
  },
};

const billScene = {
  id: "bill",
  title: "Every shape, and what heads cost",
  owns: ["d_model", "heads", "seq"],
  text: "<p>One layer, every tensor on the way. Change the number of heads and watch which numbers stay.</p>",
  build({ store }) {
    const controls = [
      slider(store, "d_model", "d_model", { values: [64, 128, 256, 512, 768, 1024] }),
      slider(store, "heads", "Heads", { values: [1, 2, 4, 8, 16, 32, 64] }),
      slider(store, "seq", "Tokens"),
    ];
    const body = h("tbody"),
      group = (value) => value.toLocaleString("en").replace(/,/g, "\u202f");
    const meters = [figureOf("Numbers per head"), figureOf("Parameters"), figureOf("Attention weights")];
    return {
      elements: h(
        "div.figure",
        {},
        h(
          "div.controls",
          {},
          controls.map((one) => one.element),
        ),
        h(
          "div.meters",
          {},
          meters.map((one) => one.element),
        ),
        h(
          "div.scroll.tall",
          { tabindex: 0, role: "region", "aria-label": "Shapes, table" },
          h(
            "table.numbers.shapes",
            {},
            h(
              "thead",
              {},
              h(
                "tr",
                {},
                ["tensor", "shape", "numbers"].map((name) => h("th", { scope: "col" }, name)),
              ),
            ),
            body,
          ),
        ),
      ),
      render({ bill }, { d_model, heads, seq, ...state }) {
        controls.forEach((one) => one.update({ d_model, heads, seq, ...state }));
        const d = d_model / heads;
        const rows = [
          ["x", [seq, d_model]],
          ["q = W_q(x), and k, v alike", [seq, d_model]],
          ["q, cut into heads", [heads, seq, d]],
          ["k, transposed", [heads, d, seq]],
          [`scores = q kᵀ / √${d}`, [heads, seq, seq]],
          ["weights = softmax(scores)", [heads, seq, seq]],
          ["outputs = weights v", [heads, seq, d]],
          ["heads side by side (switch one off: zeros in its part)", [seq, d_model]],
          ["output = W_o(side by side)", [seq, d_model]],
        ];
        body.replaceChildren(
          ...rows.map(([name, shape]) =>
            h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, `(${shape.join(", ")})`), h("td", {}, group(shape.reduce((a, b) => a * b)))),
          ),
        );
        meters[0].update(String(d), `d_model ÷ heads = ${d_model} ÷ ${heads}`);
        meters[1].update(group(bill.parameters), "4 · d_model²: heads do not appear");
        meters[2].update(group(bill.weights), `heads · seq² = ${heads} · ${seq}²: only this grows`);
      },
    };
  },
};

page({
  chapter: "ch04_multi_head",
  number: 4,
  title: "Many heads",
  deck: "One head gives one average to all questions at once. Cut it into several and each has its own, with the same number of parameters.",
  fields: {
    alpha: number(0, 1, 0.5, 0.05),
    beta: number(0, 1, 0, 0.05),
    text: sentence(RUNNING_SENTENCE),
    tokens: number(2, 4, 3),
    cut: number(1, 4, 2),
    width: number(1, 3, 2),
    stage: choice(STAGES.map((s) => s.value)),
    wrong: flag(false),
    token: number(0, 3, 1),
    way: choice(Object.keys(WAYS)),
    d_model: {
      ...number(64, 1024, 512),
      options: ["64", "128", "256", "512", "768", "1024"],
      read: (v) => ([64, 128, 256, 512, 768, 1024].includes(Number(v)) ? Number(v) : undefined),
    },
    heads: {
      ...number(1, 64, 8),
      options: ["1", "2", "4", "8", "16", "32", "64"],
      read: (v) => ([1, 2, 4, 8, 16, 32, 64].includes(Number(v)) ? Number(v) : undefined),
    },
    seq: number(2, 64, 10),
  },
  normalise: ({ tokens, token, cut, width }) => ({ token: Math.min(token, tokens - 1), width: Math.min(width, Math.floor(10 / cut)) }),
  compute,
  scenes: [latinScene, headsScene, cutScene, hearScene, billScene],
  made: [
    "The two heads have the chapter's random matrices; both are causal. Embeddings are those of chapter 1.",
    "The wide head joins the queries, keys and values of both: its scores are the sum of theirs, divided by √4 instead of √2.",
    "“A shape is not a proof” uses six tokens of four numbers from Lehmer's generator (seed 4) as queries, keys and values at once, two heads, and adds 1 to every number of one token at a time.",
  ],
});
