import { dot, largestDifference, mean, normals, range, sum } from "../engine/tensor.js";
import { compact, h, show } from "../engine/dom.js";
import { choice, flag, number, sentence } from "../engine/store.js";
import { Matrix } from "../engine/matrix.js";
import { ledger } from "../engine/ledger.js";
import { segments, sentenceInput, slider, toggle, tries, words } from "../engine/controls.js";
import { figureOf, readout } from "../engine/readouts.js";
import { Plot } from "../engine/plot.js";
import { page } from "../engine/page.js";

const { runs: RUNS, steps: STEPS, budget: BUDGET } = PAGE_DATA;
const BYTES = { bfloat16: 2, float32: 4 },
  LENGTHS = range(8).map((p) => 1024 * 2 ** p),
  LONGEST = 12;

/** What stays as it is while parts are exchanged: the sizes of published models. d_ff of a gated network, and of a plain one with as many numbers. */
const SIZES = {
  "gpt-2": { name: "GPT-2 small", vocab: 50257, context: 1024, d: 768, layers: 12, heads: 12, dHead: 64, gated: 2048, plain: 3072 },
  "llama-3.2-1b": { name: "Llama 3.2 1B", vocab: 128256, context: 131072, d: 2048, layers: 16, heads: 32, dHead: 64, gated: 8192, plain: 12288 },
  "qwen-3-0.6b": { name: "Qwen 3 0.6B", vocab: 151936, context: 40960, d: 1024, layers: 28, heads: 16, dHead: 128, gated: 3072, plain: 4608 },
  "gemma-3-1b": { name: "Gemma 3 1B", vocab: 262144, context: 32768, d: 1152, layers: 26, heads: 4, dHead: 256, gated: 6912, plain: 10368 },
};
const PLAIN = { norm: "rms", biases: false, network: "gated", places: "rope", qk: false, second: false, every: 0, span: 512 };
/** How these models were published. */
const PUBLISHED = {
  "gpt-2": { ...PLAIN, norm: "layer", biases: true, network: "plain", places: "table", group: 1 },
  "llama-3.2-1b": { ...PLAIN, group: 4 },
  "qwen-3-0.6b": { ...PLAIN, group: 2, qk: true },
  "gemma-3-1b": { ...PLAIN, group: 4, qk: true, second: true, every: 6 },
};
const windowsOf = ({ every, span }, layers) => range(layers).map((i) => (every && (i + 1) % every ? span : null));

/** Parameters by part, and the bytes of the cache: the same count as the chapter's, with the parts of 2019 added. */
function billOf(state) {
  const { vocab, context, d, layers, heads, dHead, gated, plain } = SIZES[state.size],
    { norm, biases, network, places, group, qk, second, length, numbers } = state;
  const queries = heads * dHead,
    keys = (heads / group) * dHead,
    oneNorm = norm === "layer" && biases ? 2 * d : d;
  const parts = {
    tokens: vocab * d,
    positions: places === "table" ? context * d : 0,
    attention: layers * (2 * d * queries + 2 * d * keys + (biases ? queries + 2 * keys + d : 0)),
    network: layers * (network === "gated" ? 3 * d * gated + (biases ? 2 * gated + d : 0) : 2 * d * plain + (biases ? plain + d : 0)),
    norms: layers * ((second ? 4 : 2) * oneNorm + (qk ? 2 * dHead : 0)) + oneNorm,
  };
  const windows = windowsOf(state, layers),
    one = 2 * (heads / group) * dHead * BYTES[numbers];
  return {
    parts,
    total: sum(Object.values(parts)),
    windows,
    cache: one * sum(windows.map((window) => Math.min(length, window ?? length))),
    whole: 2 * heads * dHead * BYTES[numbers] * layers * length,
  };
}

/** The stored run that belongs to a switch, by the chapter's name for it. */
const SWITCHES = {
  rmsnorm: (state) => state.norm === "rms",
  "no-biases": (state) => !state.biases,
  rope: (state) => state.places === "rope",
  swiglu: (state) => state.network === "gated",
  "2-kv-heads": (state) => state.group > 1,
  "qk-norm": (state) => state.qk,
  "second-norm": (state) => state.second,
  "window-16": (state) => state.every > 0,
};
const ALL_OF = ["rmsnorm", "no-biases", "rope", "swiglu", "2-kv-heads", "qk-norm"];
const spread = (values) => Math.max(...values) - Math.min(...values);

/** Each stored run against the GPT: the difference of the mean losses, and in how many seeds it was lower. */
function contestOf() {
  const base = RUNS.gpt.ends;
  return Object.fromEntries(
    Object.entries(RUNS).map(([name, { ends }]) => [
      name,
      { mean: mean(ends), gain: mean(base) - mean(ends), spread: spread(ends), better: ends.filter((value, seed) => value < base[seed]).length },
    ]),
  );
}

const wordsIn = (text) => text.trim().split(/\s+/).filter(Boolean).slice(0, LONGEST);
const mayLook = (seq, window) => range(seq).map((i) => range(seq).map((j) => i - j >= 0 && (window === null || i - j < window)));
/** After each layer: the tokens whose words can have reached the query, 1 directly in this layer, 0.4 handed on by others. */
function heardBy(seq, query, near, turn, layers) {
  const rows = [];
  let reach = range(seq).map((i) => range(seq).map((j) => i === j));
  for (let n = 0; n < layers; n++) {
    const mask = mayLook(seq, (n + 1) % turn ? near : null);
    reach = range(seq).map((i) => range(seq).map((j) => range(seq).some((k) => mask[i][k] && reach[k][j])));
    rows.push(range(seq).map((j) => (mask[query][j] ? 1 : reach[query][j] ? 0.4 : 0)));
  }
  return rows;
}

const D = 8,
  HALF = D / 2,
  QUERY = normals(D, 111).map((value) => Math.round(value * 100) / 100),
  KEY = normals(D, 112).map((value) => Math.round(value * 100) / 100);
const PAIRS = { halves: range(HALF).map((i) => [i, i + HALF]), neighbours: range(HALF).map((i) => [2 * i, 2 * i + 1]) };
/** Turn each pair of numbers by position · base^(−2i/d): a pair is (i, i + d/2) in halves, (2i, 2i + 1) as neighbours. */
function turned(vector, position, base, layout) {
  const out = [...vector];
  PAIRS[layout].forEach(([a, b], i) => {
    const angle = position * base ** ((-2 * i) / D),
      [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    out[a] = vector[a] * cos - vector[b] * sin;
    out[b] = vector[b] * cos + vector[a] * sin;
  });
  return out;
}
/** Rows of a matrix of weights moved from halves to neighbours: what a converted checkpoint has done to it. */
const reordered = (vector) => PAIRS.halves.flatMap(([a, b]) => [vector[a], vector[b]]);

function compute(state) {
  const list = wordsIn(state.text),
    seq = list.length,
    query = Math.min(state.query, seq - 1),
    { at, key, base } = state;
  const scoreIn = (layout, q = QUERY, k = KEY) => dot(turned(q, at, base, layout), turned(k, key, base, layout)) / Math.sqrt(D);
  return {
    bill: billOf(state),
    contest: contestOf(),
    tokens: list,
    local: mayLook(seq, state.near),
    global: mayLook(seq, null),
    heard: heardBy(seq, query, state.near, state.turn, state.deep),
    kept: range(state.deep).map((n) => ((n + 1) % state.turn ? Math.min(seq, state.near) : seq)),
    turned: { halves: turned(QUERY, at, base, "halves"), neighbours: turned(QUERY, at, base, "neighbours") },
    score: { halves: scoreIn("halves"), neighbours: scoreIn("neighbours"), moved: scoreIn("neighbours", reordered(QUERY), reordered(KEY)) },
    curve: range(33).map((back) => ({
      back,
      halves: dot(turned(QUERY, back, base, "halves"), KEY) / Math.sqrt(D),
      neighbours: dot(turned(QUERY, back, base, "neighbours"), KEY) / Math.sqrt(D),
    })),
  };
}

const listed = (values, fallback) => ({
  ...number(values[0], values.at(-1), fallback),
  options: values.map(String),
  read: (v) => (values.includes(Number(v)) ? Number(v) : undefined),
});
const bytesText = (bytes) => {
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB"],
    power = Math.min(4, Math.floor(Math.log2(bytes) / 10)),
    value = bytes / 1024 ** power;
  return `${show(value, value >= 100 || Number.isInteger(value) ? 0 : 1)} ${units[power]}`;
};
const millions = (count) => (count >= 1e6 ? `${compact(Number((count / 1e6).toFixed(count >= 1e8 ? 0 : 1)))} million` : compact(count));

const assembleScene = {
  id: "assemble",
  title: "A decoder out of switches",
  owns: ["size", "norm", "biases", "network", "places", "group", "qk", "second", "every", "span", "length", "numbers"],
  text: `<p>The sizes are those of a published model; the parts are yours. Every switch changes the bill below, and marks a run in the next section. A plain GELU network is one and a half times as wide as a gated one here,
    so that both have as many numbers.</p>`,
  build({ store }) {
    const size = segments(
      store,
      "size",
      "Sizes of",
      Object.entries(SIZES).map(([key, { name }]) => [key, name]),
    );
    const kinds = [
      segments(store, "norm", "Norm", [
        ["layer", "LayerNorm"],
        ["rms", "RMSNorm"],
      ]),
      segments(store, "network", "Feed-forward", [
        ["plain", "GELU"],
        ["gated", "SwiGLU"],
      ]),
      segments(store, "places", "Positions", [
        ["table", "a table"],
        ["rope", "RoPE"],
      ]),
    ];
    const flags = [toggle(store, "biases", "Biases"), toggle(store, "qk", "QK-norm"), toggle(store, "second", "A norm behind each sub-layer")];
    const numbers = [
      slider(store, "group", "Query heads that share keys and values", { values: [1, 2, 4], text: (n) => (n === 1 ? "none share" : `${n} share`) }),
      slider(store, "every", "Global layers", { values: [0, 2, 4, 6], text: (n) => (n ? `every ${n}${n === 2 ? "nd" : "th"}, others local` : "all of them") }),
      slider(store, "span", "Window of a local layer", { values: [128, 256, 512, 1024], text: (n) => compact(n) }),
    ];
    const text = [
      slider(store, "length", "Tokens of the conversation", { values: LENGTHS, text: (n) => compact(n) }),
      segments(store, "numbers", "Numbers in the cache", [
        ["bfloat16", "bfloat16"],
        ["float32", "float32"],
      ]),
    ];
    const asPublished = h(
      "button.step-button.primary",
      { type: "button", onclick: () => store.set(PUBLISHED[store.state.size]) },
      "As it was published",
    );
    const names = {
      tokens: "token table",
      positions: "position table",
      attention: "attention",
      network: "feed-forward",
      norms: "norms",
    };
    const bill = ledger({ caption: "Parameters" });
    const meters = [figureOf("Parameters"), figureOf("Cache of this conversation"), figureOf("Cache if nothing is shared or local")];
    return {
      elements: h(
        "div.figure",
        {},
        h("div.controls", {}, size.element, asPublished),
        h(
          "div.controls",
          {},
          kinds.map((one) => one.element),
        ),
        h(
          "div.controls",
          {},
          flags.map((one) => one.element),
        ),
        h(
          "div.controls",
          {},
          numbers.map((one) => one.element),
        ),
        bill.element,
        h(
          "div.controls",
          {},
          text.map((one) => one.element),
        ),
        h(
          "div.meters",
          {},
          meters.map((one) => one.element),
        ),
        tries(store, [
          { text: "GPT-2 as of 2019: where are most of its numbers?", changes: { size: "gpt-2", ...PUBLISHED["gpt-2"] } },
          {
            text: "Gemma 3 with a conversation of 32,768 tokens; then make all layers global.",
            changes: { size: "gemma-3-1b", ...PUBLISHED["gemma-3-1b"], length: 32768 },
          },
          { text: "A table of positions for 131,072 places.", changes: { size: "llama-3.2-1b", ...PUBLISHED["llama-3.2-1b"], places: "table" } },
        ]),
      ),
      render({ bill: now }, state) {
        [size, ...kinds, ...flags, ...numbers, ...text].forEach((one) => one.update(state));
        const { layers, heads } = SIZES[state.size];
        bill.update(
          Object.entries(names).map(([part, name]) => ({
            name,
            share: now.parts[part] / now.total,
            amount: millions(now.parts[part]),
            how: [`${show((100 * now.parts[part]) / now.total, now.parts[part] / now.total < 0.1 ? 2 : 0)} %`],
            say: `${name}: ${millions(now.parts[part])} parameters of ${millions(now.total)}`,
          })),
        );
        const same = Object.entries(PUBLISHED[state.size]).every(([part, value]) => part === "span" || state[part] === value);
        meters[0].update(
          now.total.toLocaleString("en"),
          same ? `as ${SIZES[state.size].name} was published; head and token table are one` : "head and token table are one",
          same ? "good" : "",
        );
        const local = now.windows.filter((window) => window !== null).length;
        meters[1].update(bytesText(now.cache), `${heads / state.group} of ${heads} heads kept, ${local} of ${layers} layers local`, now.cache < now.whole ? "good" : "");
        meters[2].update(bytesText(now.whole), now.cache < now.whole ? `${show(now.whole / now.cache, 1)} times as much` : "nothing is shared, nothing local");
      },
    };
  },
};

const contestScene = {
  id: "contest",
  title: "Which change earns its place?",
  owns: ["change"],
  text: `<p>The runs of the chapter: a small GPT on Python's manual, one change at a time, ${BUDGET}. Bars show how much lower the loss on new text was than the GPT's, on average of five seeds
    (no bar: it was higher). All at one learning rate; the chapter's deeper notebook shows what two others change, and when a second norm gains. What is switched on above is marked. A combination of your own was not trained; only the single changes and all of them together were.</p>`,
  build({ store }) {
    const names = Object.keys(RUNS).filter((name) => name !== "gpt");
    const change = segments(
      store,
      "change",
      "Curve of",
      names.map((name) => [name, RUNS[name].label]),
    );
    const list = ledger({ caption: "Lower loss than the GPT, in nats a character" });
    const plot = new Plot({
      name: "contest",
      title: "Loss on new text from step 100 on, mean of five seeds",
      x: { label: "steps" },
      y: { label: "nats a character", text: (value) => show(value, 2) },
      height: 300,
    });
    const meters = [figureOf("Change of the mean"), figureOf("Better than the GPT in"), figureOf("Spread over seeds")];
    return {
      elements: h(
        "div.figure",
        {},
        list.element,
        h("div.controls", {}, change.element),
        plot.element,
        h(
          "div.meters",
          {},
          meters.map((one) => one.element),
        ),
      ),
      render({ contest }, state) {
        change.update(state);
        const most = Math.max(...names.map((name) => Math.abs(contest[name].gain)));
        list.update(
          names.map((name) => {
            const { gain, better } = contest[name],
              on = SWITCHES[name] ? SWITCHES[name](state) : name === "all" && ALL_OF.every((one) => SWITCHES[one](state));
            return {
              name: `${on ? "● " : ""}${RUNS[name].label}`,
              share: Math.max(0, gain) / most,
              amount: show(gain, 3),
              how: [`better in ${better} of ${RUNS.gpt.ends.length}`],
              say: `${RUNS[name].label}${on ? ", switched on" : ""}: loss lower by ${show(gain, 3)}, better in ${better} of ${RUNS.gpt.ends.length} seeds`,
              chosen: name === state.change,
            };
          }),
        );
        const drawn = ["gpt", state.change, ...("all" in RUNS && state.change !== "all" ? ["all"] : [])];
        plot.update({
          series: drawn.map((name) => ({ label: RUNS[name].label, mark: true, points: STEPS.map((step, i) => [step, RUNS[name].curve[i]]).filter(([step]) => step >= 100) })),
          cursor: plot.cursor ?? STEPS.at(-1),
        });
        const { gain, better, spread: wide } = contest[state.change];
        const seeds = RUNS.gpt.ends.length,
          sure = better === 0 || better === seeds;
        meters[0].update(
          show(-gain, 3),
          sure ? `${better ? "lower" : "higher"} in every seed` : "lower in some seeds, higher in others: not told from luck",
          sure ? (better ? "good" : "bad") : "",
        );
        meters[1].update(`${better} of ${seeds}`, "same seed, same batches");
        meters[2].update(show(wide, 3), `largest less smallest; the GPT's own: ${show(contest.gpt.spread, 3)}`);
      },
    };
  },
};

const lookScene = {
  id: "look",
  title: "A local and a global layer look",
  owns: ["text", "query", "near", "turn", "deep"],
  text: `<p>Type a text. In a local layer each token may look at itself and the few before it, in a global one at everything before it. Most decoders with windows put several local layers between two global ones. What is out of
    sight can still arrive, handed on from layer to layer.</p>`,
  build({ store, view }) {
    const input = sentenceInput(store, "text", "Text", `Up to ${LONGEST} words; a word is a token here.`),
      query = words(store, "query", "Who is looking?"),
      controls = [
        slider(store, "near", "Window of a local layer", { text: (n) => (n === 1 ? "itself alone" : `${n} tokens`) }),
        slider(store, "turn", "Global layers", { values: [1, 2, 3, 6], text: (n) => (n === 1 ? "all" : `every ${{ 2: "2nd", 3: "3rd", 6: "6th" }[n]}`) }),
        slider(store, "deep", "Layers"),
      ];
    const masks = { local: "Local layer", global: "Global layer" };
    const grids = Object.entries(masks).map(([name, title]) =>
      view(
        new Matrix({
          name,
          title,
          rowKind: "query",
          columnKind: "key",
          limits: [0, 1],
          text: (i, j, value) => (value ? "•" : ""),
          onpoint: (place) => say.say(place ? told(name, place) : null),
        }),
      ),
    );
    const heard = view(
      new Matrix({
        name: "heard",
        rowKind: "layer",
        columnKind: "token",
        limits: [0, 1],
        text: (i, j, value) => (value === 1 ? "•" : value ? "◦" : ""),
        shrink: true,
      }),
    );
    const say = readout("Point at a square.");
    const meters = [figureOf("Seen in a local layer"), figureOf("Seen in a global layer"), figureOf("Kept in the cache, all layers")];
    let model;
    const told = (name, { i, j }) => {
      const may = model[name][i][j];
      return [
        [model.tokens[i], "of-query"],
        may ? " may look at " : " may not look at ",
        [model.tokens[j], "of-key"],
        j > i ? ": it comes later." : may ? ` (${i - j} back).` : `: ${i - j} back, out of the window.`,
      ];
    };
    return {
      elements: h(
        "div.figure",
        {},
        input.element,
        query.element,
        h(
          "div.controls",
          {},
          controls.map((one) => one.element),
        ),
        h(
          "div.row.two",
          {},
          grids.map((one) => one.element),
        ),
        say.element,
        heard.element,
        h(
          "div.meters",
          {},
          meters.map((one) => one.element),
        ),
      ),
      render(now, state) {
        model = now;
        const { tokens, kept } = now,
          seq = tokens.length,
          at = Math.min(state.query, seq - 1);
        input.update(state);
        query.update({ ...state, query: at }, tokens);
        controls.forEach((one) => one.update(state));
        Object.keys(masks).forEach((name, n) => {
          grids[n].update({
            values: now[name].map((row) => row.map(Number)),
            rows: tokens,
            columns: tokens,
            say: (i, j, value) => `${tokens[i]} ${value ? "may look" : "may not look"} at ${tokens[j]}`,
          });
          grids[n].table.classList.add("small");
          grids[n].set("chosen", (i) => i === at);
        });
        const kinds = kept.map((_, n) => ((n + 1) % state.turn ? "local" : "global"));
        heard.update({
          values: now.heard,
          rows: kinds.map((kind, n) => `${n + 1} ${kind}`),
          columns: tokens,
          title: `What reaches “${tokens[at]}”: • looked at in this layer, ◦ handed on by others`,
          say: (i, j, value) => `layer ${i + 1}, ${kinds[i]}: ${tokens[j]} ${value === 1 ? "is looked at" : value ? "is heard through others" : "is not heard"}`,
        });
        heard.table.classList.add("small");
        meters[0].update(`${sum(now.local[at].map(Number))} of ${at + 1}`, `“${tokens[at]}” and what stands before it`);
        meters[1].update(`${at + 1} of ${at + 1}`, "everything up to itself");
        meters[2].update(`${sum(kept)}`, `tokens, of ${seq * state.deep} without windows`, sum(kept) < seq * state.deep ? "good" : "");
      },
    };
  },
};

const turnScene = {
  id: "turn",
  title: "Two layouts of one rotation",
  owns: ["at", "key", "base", "layout"],
  text: `<p>RoPE turns pairs of numbers. Which two make a pair? In chapter 5 it was neighbours; published weights of Llama and Qwen pair the first half of a head with the second. Both layouts are right, and each is wrong for the
    other's weights: nothing fails, and the scores are others.</p>`,
  build({ store, view }) {
    const controls = [
        slider(store, "at", "Position of the query"),
        slider(store, "key", "Position of the key"),
        slider(store, "base", "Base", { values: [10, 100, 10000, 1000000], text: (n) => compact(n) }),
      ],
      layout = segments(store, "layout", "Pairs are", [
        ["halves", "first and second half"],
        ["neighbours", "neighbours"],
      ]);
    const table = view(
      new Matrix({
        name: "turned",
        ramp: "signed",
        rowKind: "",
        columnKind: "number",
        limits: [-2.5, 2.5],
        title: "The query before and after it is turned; the last row says which pair a number is in",
      }),
    );
    const plot = new Plot({
      name: "scores",
      title: "Score against the distance of query and key",
      x: { label: "tokens back" },
      y: { label: "score", text: (value) => show(value, 1) },
      height: 260,
    });
    const meters = [figureOf("Score, pairs of halves"), figureOf("Score, pairs of neighbours"), figureOf("Neighbours, rows put in order first")];
    return {
      elements: h(
        "div.figure",
        {},
        h(
          "div.controls",
          {},
          controls.map((one) => one.element),
          layout.element,
        ),
        table.element,
        h(
          "div.meters",
          {},
          meters.map((one) => one.element),
        ),
        plot.element,
        tries(store, [
          { text: "Move query and key by the same 8 places: no score changes.", changes: ({ at, key }) => { const by = Math.min(8, 32 - Math.max(at, key)); return { at: at + by, key: key + by }; } },
          { text: "Base 10 against 1,000,000: how far back does the score still change?", changes: { base: 10 } },
        ]),
      ),
      render({ turned: now, score, curve }, state) {
        [...controls, layout].forEach((one) => one.update(state));
        const pairOf = range(D).map((n) => PAIRS[state.layout].findIndex((pair) => pair.includes(n)) + 1);
        table.update({
          values: [QUERY, now[state.layout], pairOf],
          rows: ["query", "turned", "pair"],
          columns: range(D).map((n) => String(n)),
          text: (i, j, value) => (i === 2 ? String(value) : show(value, 2)),
          tint: (i, j, value) =>
            i === 2 ? { background: `color-mix(in srgb, var(--c${value}) 26%, var(--panel))`, ink: "var(--ink)" } : undefined,
          say: (i, j, value) => (i === 2 ? `number ${j} belongs to pair ${value}` : `number ${j} of the query ${i ? "after" : "before"} turning: ${show(value, 2)}`),
        });
        meters[0].update(show(score.halves, 4), "the layout of published weights");
        meters[1].update(show(score.neighbours, 4), "the same numbers, the other layout");
        const gap = largestDifference([[score.moved]], [[score.halves]]);
        meters[2].update(show(score.moved, 4), gap < 1e-12 ? "equal to the halves: the layouts differ by an order of rows" : compact(gap), gap < 1e-12 ? "good" : "bad");
        plot.update({
          series: Object.keys(PAIRS).map((name) => ({ label: name, points: curve.map((one) => [one.back, one[name]]) })),
          cursor: plot.cursor ?? Math.abs(state.at - state.key),
        });
      },
    };
  },
};

page({
  chapter: "ch11_today",
  number: 11,
  title: "A decoder of today",
  deck: "Six parts have changed since GPT-2. Put them together, read the bill, and see which of them the stored runs can tell apart.",
  fields: {
    size: choice(Object.keys(SIZES), "qwen-3-0.6b"),
    norm: choice(["layer", "rms"], "rms"),
    biases: flag(false),
    network: choice(["plain", "gated"], "gated"),
    places: choice(["table", "rope"], "rope"),
    group: listed([1, 2, 4], 2),
    qk: flag(true),
    second: flag(false),
    every: listed([0, 2, 4, 6], 0),
    span: listed([128, 256, 512, 1024], 512),
    length: listed(LENGTHS, 32768),
    numbers: choice(["bfloat16", "float32"]),
    change: choice(
      Object.keys(RUNS).filter((name) => name !== "gpt"),
      "rope",
    ),
    text: sentence("the cat sat on the mat because it was hungry"),
    query: number(0, LONGEST - 1, 9),
    near: number(1, LONGEST, 3),
    turn: listed([1, 2, 3, 6], 3),
    deep: number(1, 6, 6),
    at: number(0, 32, 9),
    key: number(0, 32, 4),
    base: listed([10, 100, 10000, 1000000], 10000),
    layout: choice(["halves", "neighbours"]),
  },
  normalise: ({ text, query }) => ({ query: Math.min(query, wordsIn(text).length - 1) }),
  compute,
  scenes: [assembleScene, contestScene, lookScene, turnScene],
  made: [
    "Parameters and cache are counted by the chapter's formulas. Sizes: the models' configuration files; the cache of a local layer holds as many tokens as its window.",
    "Losses are the chapter's stored runs, five seeds each, at equal parameters and equal steps, at a peak learning rate of 0.004, on windows of text that share no run of 30 characters with what was trained on.",
    "Query and key of the last section: normal numbers from Lehmer's generator through Box and Muller's formula (seeds 111 and 112), rounded to two digits; 8 numbers a head.",
  ],
});
