// A reading that a notebook has recorded: a model too large for a page, on one text. What it says can be looked at; nothing can be computed anew.
//
// run: { title, text, vocab: [names], ids, layers, heads, chances: float16 (steps, seq, vocab), q, k: float32 (layers, seq, d),
//        lengths: [{ before, added, attended, fed, after } by layer], alone: { chance, says } as (layers, heads, seq) }
// vocab holds the tokens of the text and the likeliest ones after each step; all others are left out.

import { dot, range, softmax } from "./tensor.js";
import { decodeTensor } from "./transformer.js";

/** The recording as watch.js asks a model: what it would have to compute is looked up. */
export function recordedRun(run) {
  const { layers, heads, ids, vocab } = run,
    seq = ids.length,
    flat = decodeTensor(run.chances),
    [q, k] = [run.q, run.k].map((packed) => {
      const all = decodeTensor(packed),
        width = all.length / (layers * seq);
      return range(layers).map((n) => range(seq).map((i) => all.slice((n * seq + i) * width, (n * seq + i + 1) * width)));
    });
  const weightsOf = (n, head) =>
    range(seq).map((i) => {
      const d = q[n][0].length / heads,
        part = (row) => row.slice(head * d, (head + 1) * d),
        seen = softmax(range(i + 1).map((j) => dot(part(q[n][i]), part(k[n][j])) / Math.sqrt(d)));
      return [...seen, ...Array(seq - 1 - i).fill(0)];
    });
  const whole = {
    ids,
    streams: range(layers + 1).map((n) => run.lengths[Math.min(n, layers - 1)][n < layers ? "before" : "after"].map((length) => [length])),
    blocks: range(layers).map((n) => ({ q: q[n], k: k[n], weights: range(heads).map((head) => weightsOf(n, head)), lengths: run.lengths[n] })),
  };
  function chances(_, off, place, step) {
    const at = (step * seq + place) * vocab.length,
      all = flat.slice(at, at + vocab.length);
    if (!off.length) return all;
    const [[layer, head]] = off,
      best = all.indexOf(Math.max(...all)),
      rest = vocab.map(() => 0);
    rest[run.alone.says[layer][head][place]] = run.alone.most[layer][head][place];
    rest[best] = run.alone.chance[layer][head][place];
    return rest;
  }
  return {
    recorded: true,
    vocab,
    layers,
    heads,
    longest: seq,
    glue: "",
    every: range(layers * heads).map((n) => [Math.floor(n / heads), n % heads]),
    all: (text) => (text === run.text ? ids : []),
    ids: () => ids,
    run: () => whole,
    chances,
    rows: (...where) => chances(...where).map(Math.log),
    cost: () => 0,
  };
}
