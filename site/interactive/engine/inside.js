// A GPT taken apart while it reads: the residual stream after every step, each head's weights, queries and keys, and what the model would say so far.

import { add, dot, norm, range, softmax } from "./tensor.js";
import { blockForward, layerNorm } from "./block.js";

/** Scores of the next token from one vector of the residual stream: final norm, then the token table. After the last block these are the model's logits; earlier they are the logit lens. */
export function lens(model, vector) {
  const [normed] = layerNorm([vector], model.norm).y;
  return model.head.map((row) => dot(row, normed));
}

/**
 * ids -> { streams, blocks }, streams[0] being the embeddings and streams[n + 1] what block n hands on, (seq, d_model) each.
 * A block: { weights (heads, seq, seq), q, k (seq, d_model), lengths: { added, attended, fed } }, lengths of vectors by row.
 * off: [[layer, head], …] whose output is replaced by zeros.
 */
export function trace(model, ids, off = []) {
  const mask = ids.map((_, i) => ids.map((__, j) => j <= i));
  let x = add(
    ids.map((id) => model.tokens[id]),
    model.places.slice(0, ids.length),
  );
  const streams = [x];
  const blocks = model.blocks.map((block, n) => {
    const silent = off.filter(([layer]) => layer === n).map(([, head]) => head),
      made = blockForward(x, block, "pre", { mask, activation: "gelu_tanh", off: silent }),
      { q, k, y } = made.attended;
    x = made.y;
    streams.push(x);
    return { weights: made.weights, q, k, lengths: { added: made.added.map(norm), attended: y.map(norm), fed: made.fed.y.map(norm) } };
  });
  return { ids, streams, blocks };
}

/** One head's dot product of the query at i with the key at j, step by step. */
export function dotProduct({ q, k, weights }, head, i, j) {
  const d = q[0].length / weights.length,
    part = (row) => row.slice(head * d, (head + 1) * d),
    [query, key] = [part(q[i]), part(k[j])],
    score = dot(query, key);
  return { query, key, products: query.map((value, n) => value * key[n]), score, scaled: score / Math.sqrt(d), weight: weights[head][i][j] };
}

/** The likeliest tokens of a row of logits: [{ id, p }, …]. */
export function likeliest(logits, count) {
  const chances = softmax(logits);
  return range(chances.length)
    .sort((a, b) => chances[b] - chances[a] || a - b)
    .slice(0, count)
    .map((id) => ({ id, p: chances[id] }));
}
