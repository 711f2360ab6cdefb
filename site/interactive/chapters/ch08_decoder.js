import { entropy, range, softmax, sum, uniforms } from "../engine/tensor.js";
import { announce, compact, h, show } from "../engine/dom.js";
import { number, sentence } from "../engine/store.js";
import { ledger } from "../engine/ledger.js";
import { sentenceInput, slider, tries } from "../engine/controls.js";
import { figureOf } from "../engine/readouts.js";
import { Plot } from "../engine/plot.js";
import { pieceReader } from "../engine/pieces.js";
import { cachedReader, distribution, readCheckpoint, run } from "../engine/transformer.js";
import { page } from "../engine/page.js";

const MODEL = readCheckpoint(PAGE_DATA);
const { vocab: VOCAB } = PAGE_DATA;
const read = pieceReader(VOCAB);
const WINDOW = MODEL.config.max_len,
  AHEAD = 24,
  SHOWN = 10,
  TEMPERATURES = range(30).map((i) => (i + 1) / 10);
const START = "A function definition is an executable";

/** A piece as it is shown: a dot for its space, ¶ for a new line. And as it is said. */
const seen = (piece) => piece.replace(/ /g, "·").replace(/\n/g, "¶");
const said = (piece) =>
  piece
    .replace(/\n/g, " new line ")
    .replace(/^ +$/, (blanks) => `${blanks.length} spaces`)
    .trim() || "new line";
const textOf = (ids) => ids.map((id) => VOCAB[id]).join("");
const idsOf = (text) => read(text.replace(/¶/g, "\n"));

const runs = new Map();
/** Logits after every piece of a text. */
function logitsOf(ids) {
  const key = ids.join(" ");
  if (!runs.has(key)) runs.set(key, run(MODEL, ids).logits);
  return runs.get(key);
}
/** The token at which the dice stop: chances laid side by side from the most likely on, u between 0 and 1. */
function stopAt(chances, u) {
  const order = range(chances.length).sort((a, b) => chances[b] - chances[a] || a - b);
  let passed = 0;
  return order.find((id) => (passed += chances[id]) > u) ?? order[0];
}
const dice = (count, seed) => uniforms(count, seed).map((u) => (u + 1) / 2);

const texts = new Map();
/** Go on from a text, piece by piece, with keys and values kept. */
function goOn(ids, settings, seed) {
  const key = JSON.stringify([ids, settings, settings.temperature ? seed : 0]);
  if (!texts.has(key)) {
    const prompt = ids.slice(-(WINDOW - AHEAD)),
      next = cachedReader(MODEL),
      rolls = dice(AHEAD, seed),
      written = [];
    let logits = prompt.map(next).at(-1);
    for (const roll of rolls) {
      written.push(stopAt(distribution(logits, settings), roll));
      if (written.length < AHEAD) logits = next(written.at(-1));
    }
    texts.set(key, written);
  }
  return texts.get(key);
}
/** Share of the pieces' pairs that are new: low when a text runs in circles. */
const fresh = (ids) => new Set(ids.slice(1).map((id, i) => `${ids[i]} ${id}`)).size / Math.max(1, ids.length - 1);

const settingsOf = ({ temperature, k, p }) => ({ temperature, topK: k || null, topP: p < 1 ? p : null });
const countOf = (chances) => chances.filter((chance) => chance > 0).length;

function compute(state) {
  const all = idsOf(state.text),
    ids = all.slice(-(WINDOW - 1)),
    rows = logitsOf(ids),
    logits = rows.at(-1),
    settings = settingsOf(state);
  const chances = distribution(logits, settings);
  const limit = state.p < 1 ? state.p : 0.9;
  const before = distribution(logits, { topP: limit }),
    among = logits.map((value, id) => (before[id] > 0 ? value : -Infinity));
  return {
    ids,
    dropped: all.length - ids.length,
    logits,
    plain: softmax(logits),
    chances,
    kept: rows.map((row) => countOf(distribution(row, settings))),
    nucleus: rows.map((row) => countOf(distribution(row, { temperature: state.temperature || 1, topP: limit }))),
    limit,
    roll: dice(ids.length, state.seed).at(-1),
    sweep: TEMPERATURES.map((temperature) => ({
      temperature,
      first: countOf(distribution(logits, { temperature, topP: limit })),
      faces: Math.exp(entropy(distribution(logits, { temperature }))),
      last: Math.exp(entropy(distribution(among, { temperature }))),
      both: Math.exp(entropy(distribution(logits, { temperature, topP: limit }))),
    })),
    fixed: countOf(before),
    greedy: goOn(ids, { temperature: 0 }, 1),
    yours: goOn(ids, settings, state.seed),
    free: goOn(ids, { temperature: 1.5 }, state.seed),
  };
}

const chipsOf = (ids) => ids.map((id) => h("span", {}, seen(VOCAB[id])));

const knobsScene = {
  id: "knobs",
  title: "Three knobs between the logits and a word",
  owns: ["text", "temperature", "k", "p", "seed"],
  text: `<p>A GPT of this chapter, trained on the Python manual that comes with the course: two blocks, four heads, a vocabulary of ${VOCAB.length} pieces. Type a beginning. Your browser computes the logits of the next piece; the knobs decide
    what becomes of them. The fine line in a bar is the probability before any knob was turned.</p>`,
  build({ store }) {
    const input = sentenceInput(store, "text", "Beginning", "¶ stands for a new line, · for the space that belongs to a piece."),
      chips = h("p.chips", { "aria-label": "pieces" }),
      controls = [
        slider(store, "temperature", "Temperature", { text: (v) => (v ? show(v, 2) : "0, greedy") }),
        slider(store, "k", "Top-k", { text: (v) => (v ? String(v) : "off") }),
        slider(store, "p", "Top-p", { text: (v) => (v < 1 ? show(v, 2) : "off") }),
      ],
      seed = slider(store, "seed", "Throw of the dice", { text: String });
    const list = ledger({ caption: "What may come next" });
    const [open, faces, best] = [figureOf("May be drawn"), figureOf("As unsure as a die with"), figureOf("The likeliest one")];
    let model;
    const add = () => {
      const id = stopAt(model.chances, model.roll);
      store.set({ text: store.state.text + seen(VOCAB[id]).replace(/·/g, " ") });
      announce(`Drawn: ${said(VOCAB[id])}`);
    };
    const draw = h("button.step-button.primary", { type: "button", onclick: add }, "Draw a piece");
    const back = h(
      "button.step-button",
      { type: "button", onclick: () => {
          const length = Array.from(VOCAB[model.ids.at(-1)]).length; // a character that no piece has was read as one "?"
          store.set({ text: Array.from(store.state.text).slice(0, -length).join("") });
        }, },
      "Take the last one back",
    );
    return {
      elements: h(
        "div.figure",
        {},
        input.element,
        chips,
        h(
          "div.controls",
          {},
          controls.map((one) => one.element),
        ),
        list.element,
        h("div.meters", {}, open.element, faces.element, best.element),
        h("div.controls", {}, h("div.button-row", {}, draw, back), seed.element),
        tries(store, [
          { text: "Let the rich get richer.", changes: { temperature: 0.4, k: 0, p: 1 } },
          {
            text: "Top-p of 0.9 in a sure place, in the middle of a word.",
            changes: { text: "A function definition is an exec", temperature: 1, k: 0, p: 0.9 },
          },
          { text: "The same cut in an unsure place.", changes: { text: "The value of the", temperature: 1, k: 0, p: 0.9 } },
          { text: "Heat it, and cut the tail.", changes: { temperature: 2, k: 0, p: 0.5 } },
        ]),
      ),
      render(now, state) {
        model = now;
        input.update(state);
        controls.forEach((one) => one.update(state));
        seed.update(state);
        chips.replaceChildren(...chipsOf(now.ids));
        const { plain, chances } = now,
          order = range(plain.length).sort((a, b) => plain[b] - plain[a]);
        const turned = state.temperature !== 1 || state.k > 0 || state.p < 1;
        const count = countOf(chances),
          worst = state.k ? now.logits[order[Math.min(state.k, order.length) - 1]] : -Infinity;
        const why = (id) =>
          chances[id] > 0 ? "" : state.temperature === 0 ? "not the best" : now.logits[id] < worst ? "cut by top-k" : "cut by top-p";
        const top = order.slice(0, SHOWN),
          rest = order.slice(SHOWN),
          others = sum(rest.map((id) => chances[id]));
        const scale = Math.max(...chances, plain[order[0]]);
        list.update([
          ...top.map((id) => ({
            name: seen(VOCAB[id]),
            share: chances[id] / scale,
            ghost: turned ? plain[id] / scale : undefined,
            amount: show(chances[id], 4),
            how: turned ? [`before: ${show(plain[id], 4)}${why(id) ? ", " : ""}`, why(id)] : [],
            say: `${said(VOCAB[id])}: probability ${show(chances[id], 4)}, before the knobs ${show(plain[id], 4)}${why(id) ? `, ${why(id)}` : ""}`,
          })),
          {
            name: `${rest.length} others`,
            amount: show(others, 4),
            how: [
              `${turned ? `before: ${show(sum(rest.map((id) => plain[id])), 4)}, ` : ""}${rest.filter((id) => chances[id] > 0).length} of them left`,
            ],
            say: `${rest.length} others together: probability ${show(others, 4)}`,
            total: true,
          },
        ]);
        open.update(`${count} of ${VOCAB.length}`, count === 1 ? "nothing is left to chance" : "pieces");
        faces.update(show(Math.exp(entropy(chances)), 1), `faces; before the knobs ${show(Math.exp(entropy(plain)), 1)}`);
        best.update(show(Math.max(...chances), 3), `“${seen(VOCAB[order[0]])}”; before ${show(plain[order[0]], 3)}`);
        draw.disabled = state.text.length + VOCAB[stopAt(chances, now.roll)].length > 120;
        back.disabled = now.ids.length < 2;
      },
    };
  },
};

const adaptScene = {
  id: "adapt",
  title: "Which cut knows how sure the model is?",
  owns: [],
  text: `<p>There is one prediction after every piece of your beginning, so we can cut each of them. Top-k leaves the same number always. Top-p leaves few where the model is sure and many where it is not.
    Walk along the text.</p>`,
  build() {
    const plot = new Plot({
      name: "kept",
      title: "Pieces that may come next, after each piece of the text",
      height: 300,
      x: { label: "After", text: (x) => names[x - 1] ?? "" },
      y: { label: "pieces left", log: 10, low: 1, high: VOCAB.length, text: (y) => compact(y) },
    });
    let names = [];
    return {
      elements: h("div.figure", {}, plot.element),
      render({ ids, nucleus, limit }, state) {
        names = ids.map((id) => seen(VOCAB[id]));
        const k = state.k || 10;
        plot.cursor = Math.min(plot.cursor ?? ids.length, ids.length);
        plot.update({
          series: [
            { label: `top-p (${show(limit, 2)})`, mark: true, points: nucleus.map((n, i) => [i + 1, n]) },
            { label: `top-k (${k})`, points: nucleus.map((_, i) => [i + 1, k]) },
          ],
        });
      },
    };
  },
};

const orderScene = {
  id: "order",
  title: "Why temperature comes first",
  owns: [],
  text: `<p>Heat makes the model less sure, so top-p needs more pieces to reach the same <i>p</i>. If one cut first and heated afterwards, the number would not answer. Both orders can be found in programs; the chapter fixes one:
    temperature, top-k, top-p.</p>`,
  build({ store }) {
    const move = (x) => store.set({ temperature: x });
    const heat = { label: "Temperature", text: (x) => show(x, 1) };
    const left = new Plot({
        name: "order",
        title: "Pieces that top-p leaves",
        height: 270,
        x: heat,
        y: { label: "pieces left", low: 0, text: (y) => compact(y) },
        onmove: move,
      }),
      right = new Plot({
        name: "faces",
        title: "As unsure as a die with so many faces",
        height: 270,
        x: heat,
        y: { label: "faces", low: 0, text: (y) => show(y, 0) },
        onmove: move,
      });
    return {
      elements: h("div.figure", {}, h("div.row.two", {}, left.element, right.element)),
      render({ sweep, fixed, limit }, state) {
        const line = (label, f) => ({ label, points: sweep.map((one) => [one.temperature, f(one)]) }),
          cursor = TEMPERATURES.reduce((best, t) => (Math.abs(t - state.temperature) < Math.abs(best - state.temperature) ? t : best));
        left.update({ cursor, series: [line(`temperature, then top-p (${show(limit, 2)})`, (one) => one.first), line("top-p first", () => fixed)] });
        right.update({
          cursor,
          series: [
            line("temperature, then top-p", (one) => one.both),
            line("top-p first", (one) => one.last),
            line("temperature alone", (one) => one.faces),
          ],
        });
      },
    };
  },
};

const writeScene = {
  id: "write",
  title: "It writes",
  owns: [],
  text: `<p>The loop: read, draw, append, read again. ${AHEAD} pieces each, from your beginning. The first column always takes the best piece. The second draws with your knobs from above; the third draws hot and uncut.
    Same model, same logits at the start.</p>`,
  build({ store }) {
    const columns = ["Greedy", "Your knobs", "Temperature 1.5, uncut"].map((name) => ({
      name,
      text: h("p.written"),
      novel: figureOf("Pairs of pieces that are new"),
    }));
    const [slow, quick] = [figureOf("Pieces read, without a cache"), figureOf("With keys and values kept")];
    const again = h(
      "button.step-button",
      { type: "button", onclick: () => store.set({ seed: (store.state.seed % 99) + 1 }) },
      "Throw the dice again",
    );
    return {
      elements: h(
        "div.figure",
        {},
        h(
          "div.row.three",
          {},
          columns.map(({ name, text, novel }) => h("div.stack", {}, h("h3.small", {}, name), text, novel.element)),
        ),
        again,
        h("div.meters", {}, slow.element, quick.element),
      ),
      render({ ids, greedy, yours, free }) {
        [greedy, yours, free].forEach((written, n) => {
          columns[n].text.replaceChildren(seen(textOf(ids)).replace(/·/g, " "), h("b", {}, seen(textOf(written)).replace(/·/g, " ")));
          columns[n].novel.update(show(100 * fresh(written), 0) + " %", fresh(written) < 0.8 ? "it runs in circles" : "of what it has written here");
        });
        const prompt = Math.min(ids.length, WINDOW - AHEAD);
        slow.update(compact(sum(range(AHEAD).map((i) => prompt + i))), `${AHEAD} texts, each longer by one`);
        quick.update(String(prompt + AHEAD - 1), "each piece once, and the same text to the last piece");
      },
    };
  },
};

page({
  chapter: "ch08_decoder",
  number: 8,
  title: "A full GPT",
  deck: "The model gives every piece of text a score. Three knobs make a word of it: turn them on the logits of a model that has really been trained.",
  fields: {
    text: { ...sentence(START), read: (text) => (typeof text === "string" && idsOf(text.slice(0, 120)).length ? text.slice(0, 120) : undefined) },
    temperature: number(0, 3, 1, 0.05),
    k: number(0, 40, 0),
    p: number(0.05, 1, 1, 0.05),
    seed: number(1, 99, 7),
  },
  compute,
  scenes: [knobsScene, adaptScene, orderScene, writeScene],
  made: [
    "The model is the chapter's <code>GPT</code>: 448 pieces, width 64, 2 blocks, 4 heads, windows of 64 pieces. It was trained with the functions of chapter 9 for 3,000 steps on all of the Python manual that comes with the course (chapter 9 reads a part of it), and its numbers were rounded to eight bits with one scale for each row.",
    "Pieces come from byte-pair encoding on that text, with GPT-2's rule that no merge crosses from one word into the next. Characters that the manual never uses are read as “?”.",
    "Order of the knobs: logits / temperature, then top-k, then top-p on what is left; the piece that reaches <i>p</i> stays; temperature 0 takes the best.",
    "The dice are Lehmer's generator (48271, 2<sup>31</sup> − 1, the first ten numbers thrown away) with the seed you choose: the same everywhere. The <i>n</i>-th piece uses the <i>n</i>-th number; chances are laid side by side from the likeliest on, and the piece at that place is taken.",
    "When a text runs over, its last 63 pieces are read; for writing on, its last 40.",
  ],
});
