import { attention, dot, largestDifference, matmul, mean, normalMatrix, normals, range, softmax, sum, transpose } from "../engine/tensor.js";
import { compact, h, show } from "../engine/dom.js";
import { choice, flag, matrix, number } from "../engine/store.js";
import { Matrix } from "../engine/matrix.js";
import { cellEditor, segments, slider, toggle, tries } from "../engine/controls.js";
import { figureOf, readout } from "../engine/readouts.js";
import { Plot } from "../engine/plot.js";
import { page } from "../engine/page.js";

const ROW = [normals(12, 101).map((value) => Math.round(100 * value) / 100)];
const WIDTH = 4,
  LONGEST = 24,
  LENGTHS = range(12).map((p) => 2 ** (p + 6));
const [Q, K, V] = [102, 103, 104].map((seed) => normalMatrix(LONGEST, WIDTH, seed));
const BYTES = { float32: 4, float16: 2 },
  HEADS = 16;

/** One pass over blocks of scores: the maximum and the sum so far, and the factor that corrects what was summed before. */
function onlineSoftmax(row, size) {
  let [m, l] = [-Infinity, 0];
  const account = [];
  for (let start = 0; start < row.length; start += size) {
    const block = row.slice(start, start + size),
      top = Math.max(...block),
      next = Math.max(m, top);
    const factor = m === -Infinity ? 0 : Math.exp(m - next),
      added = sum(block.map((s) => Math.exp(s - next)));
    l = l * factor + added;
    m = next;
    account.push({ top, m, factor, added, l });
  }
  return { account, weights: row.map((s) => Math.exp(s - m) / l) };
}

/** Tiled attention, one tile a step. Returns the state after `steps` tiles: what has been read, what is held, what is finished. */
function flash(seq, size, causal, steps) {
  const [q, k, v] = [Q, K, V].map((m) => m.slice(0, seq)),
    blocks = Math.ceil(seq / size);
  const order = range(blocks).flatMap((i) =>
    range(blocks)
      .filter((j) => !causal || j * size <= Math.min(seq, (i + 1) * size) - 1)
      .map((j) => [i, j]),
  );
  const m = new Array(seq).fill(-Infinity),
    l = new Array(seq).fill(0),
    o = range(seq).map(() => new Array(WIDTH).fill(0)),
    tile = [];
  order.slice(0, steps).forEach(([bi, bj], step) => {
    for (let i = bi * size; i < Math.min(seq, (bi + 1) * size); i++) {
      const keys = range(seq)
        .slice(bj * size, (bj + 1) * size)
        .filter((j) => !causal || j <= i);
      if (!keys.length) continue;
      const scores = keys.map((j) => dot(q[i], k[j]) / Math.sqrt(WIDTH)),
        next = Math.max(m[i], ...scores),
        factor = Math.exp(m[i] - next);
      const powers = scores.map((s) => Math.exp(s - next));
      l[i] = l[i] * factor + sum(powers);
      o[i] = o[i].map((value, d) => value * factor + sum(keys.map((j, n) => powers[n] * v[j][d])));
      m[i] = next;
      if (step === steps - 1) keys.forEach((j, n) => tile.push([i, j, powers[n]]));
    }
  });
  const output = o.map((row, i) => row.map((value) => (l[i] ? value / l[i] : 0)));
  const mask = causal ? range(seq).map((i) => range(seq).map((j) => j <= i)) : null,
    right = attention(q, k, v, { mask }).output;
  const complete = range(blocks).filter((b) => steps > order.findLastIndex(([i]) => i === b));
  const rows = range(seq).filter((i) => complete.includes(Math.floor(i / size)));
  return {
    order,
    m,
    l,
    output,
    right,
    tile,
    rows,
    skipped: blocks * blocks - order.length,
    error: rows.length
      ? largestDifference(
          rows.map((i) => output[i]),
          rows.map((i) => right[i]),
        )
      : 0,
  };
}

/** Slope on log–log axes, by least squares. */
function scalingExponent(lengths, amounts) {
  const [x, y] = [lengths, amounts].map((list) => list.map(Math.log)),
    [mx, my] = [mean(x), mean(y)];
  return sum(x.map((value, i) => (value - mx) * (y[i] - my))) / sum(x.map((value) => (value - mx) ** 2));
}
const costs = ({ heads, tile, dtype }) => ({
  naive: LENGTHS.map((n) => heads * n * n * BYTES[dtype]),
  io: LENGTHS.map((n) => 4 * heads * 64 * n * BYTES[dtype]),
  tiled: LENGTHS.map((n) => heads * Math.min(tile, n) ** 2 * BYTES[dtype]),
});
const cacheBytes = ({ kv, layers, length, batch, dtype }) => 2 * layers * kv * 64 * length * batch * BYTES[dtype];
const windowMask = (seq, width) => range(seq).map((i) => range(seq).map((j) => i - j >= 0 && i - j < width));

function compute(state) {
  const { scores, block, seq, size, causal, done, window, deep } = state;
  const cost = costs(state),
    mask = windowMask(16, window);
  let reach = mask.map((row) => row.map(Number));
  for (let n = 1; n < deep; n++)
    reach = matmul(
      reach,
      mask.map((row) => row.map(Number)),
    ).map((row) => row.map((value) => Number(value > 0)));
  return {
    online: onlineSoftmax(scores[0], block),
    whole: softmax(scores[0]),
    flash: flash(seq, size, causal, done),
    cost,
    exponents: Object.fromEntries(Object.entries(cost).map(([name, values]) => [name, scalingExponent(LENGTHS, values)])),
    cache: {
      now: cacheBytes(state),
      full: cacheBytes({ ...state, kv: HEADS }),
      readers: range(HEADS).map((head) => Math.floor(head / (HEADS / state.kv))),
    },
    mask,
    reach,
  };
}
const divisor = (values, fallback) => ({
  ...number(values[0], values.at(-1), fallback),
  options: values.map(String),
  read: (v) => (values.includes(Number(v)) ? Number(v) : undefined),
});
const bytesText = (bytes) => {
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB"],
    power = Math.min(4, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${show(value, value >= 100 || Number.isInteger(value) ? 0 : 1)} ${units[power]}`;
};

const onlineScene = {
  id: "online",
  title: "Softmax that reads only once",
  owns: ["scores", "block", "read"],
  text: `<p>Softmax needs the largest score and the sum of all powers, so it seems to need the whole row. It does not. Read the row in blocks, and keep two numbers: the largest score so far, <i>m</i>,
    and the sum so far, <i>s</i>. When a larger score turns up, everything summed before was taken relative to the wrong maximum; one factor, e<sup>m<sub>old</sub> − m<sub>new</sub></sup>, puts it right.</p>`,
  build({ store, view }) {
    const size = slider(store, "block", "Scores in a block", { values: [1, 2, 3, 4, 6, 12] }),
      read = slider(store, "read", "Blocks read");
    const change = (i, j, value, open) => {
      if (open) {
        editor.focus();
        return;
      }
      store.set({ scores: [store.state.scores[0].map((old, c) => (c === j ? value : old))] });
    };
    const row = view(
      new Matrix({
        name: "scores",
        ramp: "signed",
        rowKind: "",
        columnKind: "key",
        quantity: "score",
        limits: [-4, 4],
        title: "Scores of one query: choose one and change it",
        onedit: change,
        step: 0.25,
        onpoint: (at) => {
          if (at) editor.update();
        },
      }),
    );
    const editor = cellEditor(row, {
      min: -5,
      max: 8,
      step: 0.05,
      name: (i, j) => `Score of key ${j + 1}`,
      change: (i, j, value) => change(i, j, value, false),
    });
    const account = view(
      new Matrix({
        name: "account",
        ramp: "plain",
        digits: 4,
        rowKind: "block",
        columnKind: "",
        quantity: "",
        title: "The account after each block",
      }),
    );
    const weights = view(new Matrix({ name: "online-weights", digits: 3, rowKind: "", columnKind: "key", quantity: "weight", limits: [0, 1] })),
      error = figureOf("Largest difference from the whole softmax");
    const next = h(
      "button.step-button.primary",
      { type: "button", onclick: () => store.set({ read: store.state.read >= Math.ceil(12 / store.state.block) ? 1 : store.state.read + 1 }) },
      "Read the next block",
    );
    return {
      elements: h(
        "div.figure",
        {},
        h("div.controls", {}, size.element, read.element, next),
        row.element,
        editor.element,
        account.element,
        weights.element,
        error.element,
        tries(store, [
          {
            text: "Put a very large score at the end. Look at the last factor.",
            changes: (now) => ({ scores: [now.scores[0].map((s, j) => (j === 11 ? 8 : s))], read: 12 }),
          },
          {
            text: "All scores plus 4: the maximum moves, the weights do not.",
            changes: (now) => ({ scores: [now.scores[0].map((s) => Number((s + 4).toFixed(4)))] }),
          },
          { text: "Back.", changes: { scores: ROW, block: 3, read: 2 } },
        ]),
      ),
      render({ online, whole }, state) {
        const { block, read: blocks } = state,
          seen = Math.min(12, block * blocks),
          now = online.account[blocks - 1];
        [size, read].forEach((one) => one.update(state));
        read.limit(1, Math.ceil(12 / block));
        read.update(state);
        row.update({ values: state.scores, rows: ["score"] });
        row.set("off", (i, j) => j >= seen);
        row.set("current", (i, j) => j < seen && j >= seen - block);
        editor.update();
        account.update({
          values: online.account.map((one) => [one.top, one.m, one.factor, one.added, one.l]),
          rows: online.account.map((_, i) => `block ${i + 1}`),
          columns: ["largest", "m", "factor", "added", "s"],
          text: (i, j, value) => (i < blocks ? show(value, 4) : "·"),
          say: (i, j, value) =>
            i >= blocks
              ? `block ${i + 1}: not read yet`
              : `block ${i + 1}: ${["its largest score", "largest so far", "factor on the old sum", "sum of its powers", "sum so far"][j]} ${show(value, 4)}`,
        });
        account.set("chosen", (i) => i === blocks - 1);
        weights.update({
          values: [state.scores[0].map((s, j) => (j < seen ? Math.exp(s - now.m) / now.l : 0)), whole],
          rows: ["so far", "softmax"],
          title:
            seen === 12 ? "Weights: exp(score − m) ÷ s, and softmax of the whole row" : "Weights if the row ended here, and softmax of the whole row",
        });
        weights.set("off", (i, j) => i === 0 && j >= seen);
        const gap = largestDifference([online.weights], [whole]);
        error.element.classList.toggle("ghost", seen < 12);
        error.update(gap < 1e-12 ? "0" : compact(gap), "the same weights, to the last digits", "good");
      },
    };
  },
};

const tileScene = {
  id: "tiles",
  title: "Attention, tile by tile",
  owns: ["seq", "size", "causal", "done"],
  text: `<p>Now the same with values. Cut the table of scores into tiles, make one at a time, use it, forget it. What is kept for each query is <i>m</i>, <i>s</i> and a running output.
    The whole table never exists. With a causal mask, tiles that lie wholly in the future are never made at all.</p>`,
  build({ store, view }) {
    const controls = [slider(store, "seq", "Tokens"), slider(store, "size", "Tile", { values: [2, 3, 4, 6, 8, 12] })],
      causal = toggle(store, "causal", "Causal"),
      done = slider(store, "done", "Tiles made");
    const move = (by) => store.set({ done: store.state.done + by });
    const buttons = h(
      "div.step-buttons",
      {},
      h("button.step-button", { type: "button", onclick: () => move(-1) }, "← Tile"),
      h("button.step-button.primary", { type: "button", onclick: () => move(1) }, "Tile →"),
    );
    const say = readout("Point at a square.");
    let model, state;
    const grid = view(
      new Matrix({
        name: "tiles",
        rowKind: "query",
        columnKind: "key",
        text: () => "",
        limits: [0, 1],
        title: "Scores: rows are queries, columns keys",
        say: (i, j, value) => `query ${i}, key ${j}: ${status(i, j, value)}`,
        onpoint: (at) => {
          kept.mark(at ? { rows: [at.i] } : {});
          say.say(at ? [`Query ${at.i}, key ${at.j}: `, status(at.i, at.j, grid.values[at.i][at.j])] : null);
        },
      }),
    );
    const tileOf = (i, j) => model.flash.order.findIndex(([a, b]) => a === Math.floor(i / state.size) && b === Math.floor(j / state.size));
    const status = (i, j, value) => {
      const n = tileOf(i, j);
      return n < 0
        ? "in a tile that is never made"
        : n >= state.done
          ? "not yet"
          : n < state.done - 1
            ? "made, used and forgotten"
            : state.causal && j > i
              ? "hidden inside its tile"
              : `exp(score − m) = ${show(value, 3)}`;
    };
    const kept = view(new Matrix({ name: "kept", ramp: "signed", rowKind: "query", columnKind: "", quantity: "", digits: 2 }));
    const meters = [figureOf("Largest table held"), figureOf("The naive way holds"), figureOf("Tiles made"), figureOf("Finished rows differ by")];
    return {
      elements: h(
        "div.figure",
        {},
        h(
          "div.controls",
          {},
          controls.map((one) => one.element),
          causal.element,
        ),
        h("div.controls", {}, done.element, buttons),
        h("div.row.two", {}, h("div.stack", {}, grid.element, say.element), kept.element),
        h(
          "div.meters",
          {},
          meters.map((one) => one.element),
        ),
      ),
      render(now, latest) {
        model = now;
        state = latest;
        const { flash: at } = model,
          { seq, size } = state;
        controls.forEach((one) => one.update(state));
        causal.update(state);
        done.limit(0, at.order.length);
        done.update(state);
        const values = range(seq).map(() => new Array(seq).fill(0));
        at.tile.forEach(([i, j, value]) => {
          values[i][j] = value;
        });
        grid.update({ values, rows: range(seq).map(String), columns: range(seq).map(String) });
        grid.table.classList.toggle("tiny", seq > 16);
        grid.table.classList.toggle("small", seq <= 16);
        grid.set("spent", (i, j) => {
          const n = tileOf(i, j);
          return n >= 0 && n < state.done - 1;
        });
        grid.set("current", (i, j) => tileOf(i, j) === state.done - 1);
        grid.set("off", (i, j) => tileOf(i, j) < 0);
        kept.update({
          values: range(seq).map((i) => [at.m[i], at.l[i], ...at.output[i]]),
          rows: range(seq).map(String),
          columns: ["m", "s", "o 1", "o 2", "o 3", "o 4"],
          title: "What is kept for each query",
          say: (i, j, value) =>
            `query ${i}: ${["largest score so far", "sum so far", "output 1", "output 2", "output 3", "output 4"][j]} ${show(value).replace("−∞", "minus infinity")}`,
        });
        kept.set("finished", (i) => at.rows.includes(i));
        kept.table.classList.add("compact");
        const side = Math.min(size, seq);
        meters[0].update(`${side * side}`, `numbers: one tile of ${side} × ${side}`, "good");
        meters[1].update(`${seq * seq}`, `numbers: ${seq} × ${seq}`);
        meters[2].update(
          `${Math.min(state.done, at.order.length)} of ${at.order.length}`,
          at.skipped ? `${at.skipped} more lie in the future: skipped` : "none can be skipped",
        );
        meters[3].update(
          at.rows.length ? (at.error < 1e-12 ? "0" : compact(at.error)) : "–",
          at.rows.length ? `from the naive result, ${at.rows.length} rows compared` : "no row is finished",
          at.rows.length ? "good" : "",
        );
      },
    };
  },
};

const costScene = {
  id: "cost",
  title: "The square that goes away",
  owns: ["heads", "tile", "dtype"],
  text: "<p>Count the bytes. The table of scores grows with the square of the text; queries, keys, values and outputs grow in step with it; a tile does not grow at all. On log–log axes an exponent is a slope. This is memory only: the arithmetic, every query with every key, keeps the slope 2.</p>",
  build({ store }) {
    const controls = [
      slider(store, "heads", "Heads", { values: [1, 2, 4, 8, 16, 32] }),
      slider(store, "tile", "Tile", { values: [32, 64, 128, 256] }),
      segments(store, "dtype", "Numbers", [
        ["float32", "float32"],
        ["float16", "float16"],
      ]),
    ];
    const names = { naive: "all scores", io: "q, k, v and output", tiled: "one tile a head" };
    const plot = new Plot({
      name: "memory",
      title: "Memory against length of the text",
      x: { label: "tokens", log: 2, text: (x) => (x >= 1024 ? `${x / 1024}k` : String(x)) },
      y: { label: "bytes", log: 2, text: bytesText },
      height: 340,
    });
    const meters = Object.entries(names).map(([, label]) => figureOf(`Slope: ${label}`));
    return {
      elements: h(
        "div.figure",
        {},
        h(
          "div.controls",
          {},
          controls.map((one) => one.element),
        ),
        plot.element,
        h(
          "div.meters",
          {},
          meters.map((one) => one.element),
        ),
      ),
      render({ cost, exponents }, state) {
        controls.forEach((one) => one.update(state));
        plot.update({
          series: Object.entries(names).map(([name, label]) => ({ label, mark: true, points: LENGTHS.map((n, i) => [n, cost[name][i]]) })),
          cursor: plot.cursor ?? 8192,
        });
        Object.keys(names).forEach((name, i) =>
          meters[i].update(
            show(exponents[name], 2),
            [
              "twice the text, four times the memory",
              "twice the text, twice the memory",
              exponents.tiled < 0.005 ? "stays as it is" : "stays once the text is longer than a tile",
            ][i],
            ["bad", "", "good"][i],
          ),
        );
      },
    };
  },
};

const cacheScene = {
  id: "cache",
  title: "Sharing keys and values",
  owns: ["kv", "layers", "length", "batch"],
  text: `<p>While a model writes, the keys and values of everything so far are kept. With grouped queries several of the ${HEADS} heads read one pair of keys and values: head <i>h</i> reads pair <i>h</i> ÷ (heads ÷ pairs), rounded down.
    All different is ordinary multi-head attention; one for all is multi-query attention.</p>`,
  build({ store, view }) {
    const controls = [
      slider(store, "kv", "Key–value heads", { values: [1, 2, 4, 8, 16] }),
      slider(store, "layers", "Layers"),
      slider(store, "length", "Tokens kept", { values: LENGTHS.slice(2), text: (n) => compact(n) }),
      slider(store, "batch", "Texts at once"),
    ];
    const map = view(
      new Matrix({
        name: "readers",
        ramp: "plain",
        rowKind: "",
        columnKind: "head",
        digits: 0,
        title: "Which pair each query head reads",
        say: (i, j, value) => `head ${j} reads key–value head ${value}`,
        tint: (i, j, value) => ({
          background: `color-mix(in srgb, var(--c${1 + (value % 6)}) ${value % 2 ? 34 : 20}%, var(--panel))`,
          ink: "var(--ink)",
        }),
      }),
    );
    const meters = [figureOf("The cache"), figureOf("With a pair for every head"), figureOf("Saved")];
    return {
      elements: h(
        "div.figure",
        {},
        h(
          "div.controls",
          {},
          controls.map((one) => one.element),
        ),
        map.element,
        h(
          "div.meters",
          {},
          meters.map((one) => one.element),
        ),
        h(
          "p.hint",
          {},
          "2 (keys and values) · layers · key–value heads · 64 numbers a head · tokens · texts · bytes a number. The kind of number is chosen above.",
        ),
      ),
      render({ cache }, state) {
        controls.forEach((one) => one.update(state));
        map.update({ values: [cache.readers], rows: ["reads"], columns: range(HEADS).map(String) });
        meters[0].update(
          bytesText(cache.now),
          `${state.dtype}, ${state.kv === 1 ? "multi-query" : state.kv === HEADS ? "multi-head" : "grouped-query"} attention`,
        );
        meters[1].update(bytesText(cache.full), `${HEADS} key–value heads`);
        meters[2].update(
          `${show(100 * (1 - cache.now / cache.full), 0)} %`,
          state.kv === HEADS ? "nothing shared, nothing saved" : `${HEADS / state.kv} heads share a pair`,
          state.kv === HEADS ? "" : "good",
        );
      },
    };
  },
};

const windowScene = {
  id: "window",
  title: "Looking back only so far",
  owns: ["window", "deep"],
  text: "<p>A sliding window lets each token see itself and the few before it: 0 ≤ i − j &lt; window. Stack layers, and what a token can hear reaches farther, window − 1 more with each layer.</p>",
  build({ store, view }) {
    const controls = [slider(store, "window", "Window"), slider(store, "deep", "Layers stacked")],
      meters = [figureOf("Scores made in a layer"), figureOf("The last token hears")];
    const grid = view(
      new Matrix({
        name: "window",
        rowKind: "query",
        columnKind: "key",
        text: (i, j, value) => (value ? "•" : ""),
        limits: [0, 1],
        title: "Who hears whom",
        say: (i, j, value) => `query ${i}, key ${j}: ${value === 1 ? "seen directly" : value ? "heard through other layers" : "not heard"}`,
      }),
    );
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
          "div.row.wide-left",
          {},
          grid.element,
          h(
            "div.meters",
            {},
            meters.map((one) => one.element),
          ),
        ),
      ),
      render({ mask, reach }, state) {
        controls.forEach((one) => one.update(state));
        grid.update({
          values: reach.map((row, i) => row.map((value, j) => (mask[i][j] ? 1 : value ? 0.4 : 0))),
          rows: range(16).map(String),
          columns: range(16).map(String),
        });
        grid.table.classList.add("small");
        const direct = sum(mask.flat().map(Number)),
          heard = sum(reach.at(-1));
        meters[0].update(String(direct), `of ${(16 * 17) / 2} that a causal mask allows`);
        meters[1].update(`${heard} of 16`, heard < 16 ? `1 + ${state.deep} · (${state.window} − 1)` : "the whole text");
      },
    };
  },
};

page({
  chapter: "ch10_efficiency",
  number: 10,
  title: "Fast attention",
  deck: "The table of all scores grows with the square of the text, and need never be held whole. The arithmetic stays a square, unless something is left out.",
  fields: {
    scores: matrix(ROW),
    block: divisor([1, 2, 3, 4, 6, 12], 3),
    read: number(1, 12, 2),
    seq: number(4, LONGEST, 12),
    size: divisor([2, 3, 4, 6, 8, 12], 4),
    causal: flag(true),
    done: number(0, 144, 2),
    heads: divisor([1, 2, 4, 8, 16, 32], 16),
    tile: divisor([32, 64, 128, 256], 64),
    dtype: choice(["float32", "float16"]),
    kv: divisor([1, 2, 4, 8, 16], 4),
    layers: number(1, 96, 32),
    length: divisor(LENGTHS.slice(2), 4096),
    batch: number(1, 64, 1),
    window: number(1, 16, 4),
    deep: number(1, 8, 1),
  },
  normalise: ({ block, read, seq, size, causal, done }) => ({
    read: Math.min(read, Math.ceil(12 / block)),
    done: Math.min(done, flash(seq, size, causal, 0).order.length),
  }),
  compute,
  scenes: [onlineScene, tileScene, costScene, cacheScene, windowScene],
  made: [
    "Scores, queries, keys and values are normal numbers from Lehmer's generator through Box and Muller's formula (seeds 101 to 104), the row of scores rounded to two digits; heads have 4 numbers in the tiles, 64 in the counts.",
    "The tiled result is compared with attention computed from the whole table, in double precision.",
    "Slopes are fitted by least squares on log–log axes.",
  ],
});
