// The trained GPT that a page watches: how it reads a text, and everything that its scenes show.

import { range, softmax } from "./tensor.js";
import { pieceReader } from "./pieces.js";
import { readCheckpoint } from "./transformer.js";
import { dotProduct, lens, trace } from "./inside.js";
import { recordedRun } from "./recorded.js";

export const LAST = 1023; // a place beyond the end of any text: its last piece
const LONGEST = 256; // pieces that are read at once

/** How a text becomes ids: pieces of byte-pair encoding where every character is one, else words between blanks. */
function reading(vocab) {
  const ids = new Map(vocab.map((name, id) => [name, id])),
    long = vocab.filter((name) => Array.from(name).length > 1);
  if (vocab.some((name) => name.includes(" ")) && long.every((name) => Array.from(name).every((c) => ids.has(c)))) {
    const read = pieceReader(vocab);
    const clean = (text) => text.replace(/¶/g, "\n");
    return {
      glue: "",
      read: (text) => read(clean(text)).filter((id) => id !== undefined),
      odd: (text) => ["It has no such letters and reads “?”", Array.from(clean(text)).filter((letter) => !ids.has(letter))],
    };
  }
  const idOf = (word) => ids.get(word) ?? ids.get(word.toLowerCase()),
    cut = (text) => text.trim().split(/\s+/);
  return {
    glue: " ",
    read: (text) => cut(text).map(idOf).filter((id) => id !== undefined),
    odd: (text) => ["It has no such words and leaves them out", cut(text).filter((word) => idOf(word) === undefined)],
  };
}

/** The model that is watched: its weights, how it reads, and what it has read already. */
function watched(checkpoint) {
  const model = readCheckpoint(checkpoint),
    { num_layers: layers, num_heads: heads, max_len: window } = model.config;
  const { read, glue, odd } = reading(checkpoint.vocab),
    known = new Map(),
    once = (key, make) => {
      if (known.size > 80) known.delete(known.keys().next().value);
      if (!known.has(key)) known.set(key, make());
      return known.get(key);
    };
  const longest = Math.min(window, LONGEST);
  return {
    model,
    vocab: checkpoint.vocab,
    layers,
    heads,
    longest,
    glue,
    every: range(layers * heads).map((n) => [Math.floor(n / heads), n % heads]),
    all: (text) => once(`text ${text}`, () => read(text)),
    /** What a reader should know of a text: what in it is unknown, and what lies before the window. */
    notice(text) {
      const [what, list] = odd(text),
        unknown = [...new Set(list)],
        more = unknown.length > 8 ? ", …" : "",
        { length } = this.all(text);
      return [unknown.length && `${what}: ${unknown.slice(0, 8).join(" ")}${more}.`, length > longest && `Of ${length} pieces the last ${longest} fit into its window.`].filter(Boolean).join(" ");
    },
    ids: (text) => once(`text ${text}`, () => read(text)).slice(-longest),
    run: (ids, off) => once(JSON.stringify([ids, off]), () => ({ ...trace(model, ids, off), logits: [] })),
    /** Logits after each step at one place: after the embeddings, then after every block. */
    rows(ids, off, place, step) {
      const { streams, logits } = this.run(ids, off);
      return ((logits[step] ??= [])[place] ??= lens(model, streams[step][place]));
    },
    /** Probabilities of what comes next, at the same place. */
    chances(...where) {
      return softmax(this.rows(...where));
    },
    cost: (length) => length * 12 * model.tokens[0].length ** 2 * layers * layers * heads,
  };
}
export let now = watched(PAGE_DATA);
/** Another model, or the recording of a run, is watched from now on. */
export function watchNow(given) {
  now = given.run ? recordedRun(given.run) : watched(given);
}

export const seen = (piece) => piece.replace(/ /g, "·").replace(/\n/g, "¶");
export const nameOf = (id) => seen(now.vocab[id]);
export const sayable = (id) => now.vocab[id].replace(/\n/g, " new line ").trim() || "a blank";
export const headName = ([layer, head]) => `layer ${layer}, head ${head}`;
const toOff = (text) =>
  (typeof text === "string" ? text.split(",").filter(Boolean) : text).map((one) => (typeof one === "string" ? one.split(".").map(Number) : one));

/** The heads that are off, written "0.3,1.2". */
export const switches = {
  fallback: [],
  read(text) {
    if (typeof text !== "string" && !Array.isArray(text)) return undefined;
    const off = toOff(text);
    if (now.recorded && off.length) return undefined;
    return off.every((one) => Array.isArray(one) && now.every.some(([layer, head]) => layer === one[0] && head === one[1])) ? off : undefined;
  },
  write: (off) => off.map((one) => one.join(".")).join(","),
};

export function normalise(state) {
  const length = now.ids(state.text).length;
  const place = Math.min(state.place, length - 1);
  return { place, layer: Math.min(state.layer, now.layers - 1), head: Math.min(state.head, now.heads - 1), key: Math.min(state.key, place) };
}

export function compute({ text, place, off, layer, head, key }) {
  const ids = now.ids(text),
    present = now.run(ids, off),
    logits = now.rows(ids, off, place, now.layers),
    before = now.chances(ids, [], place, now.layers),
    chances = now.chances(ids, off, place, now.layers);
  const best = before.indexOf(Math.max(...before)),
    block = present.blocks[layer],
    row = block.weights[head][place],
    to = key < 0 ? row.indexOf(Math.max(...row)) : key;
  const steps = range(now.layers + 1);
  return {
    ids,
    place,
    logits,
    chances,
    before,
    best,
    weights: present.blocks.map((one) => one.weights),
    lens: steps.map((step) => now.chances(ids, off, place, step)),
    to,
    zoom: dotProduct(block, head, place, to),
    lengths: present.blocks.map((one, n) => ({
      before: present.streams[n].map((vector) => Math.hypot(...vector)),
      after: present.streams[n + 1].map((vector) => Math.hypot(...vector)),
      ...one.lengths,
    })),
    /** The answer's probability with one head off, (layers, heads): computed when it is asked for. */
    get alone() {
      return range(now.layers).map((l) => range(now.heads).map((n) => now.chances(ids, [[l, n]], place, now.layers)[best]));
    },
  };
}
