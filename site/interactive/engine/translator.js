// The Transformer of 2017 from a checkpoint: an encoder, a decoder with cross-attention, greedy translation.
//
// checkpoint: { config: { d_model, num_heads, num_layers, bos, eos }, german: [word, …], english: [word, …], tensors } as models.py writes it

import { add, range } from "./tensor.js";
import { blockForward, feedForward, layerNorm, linear, multiHead } from "./block.js";
import { sinusoidal } from "./positions.js";
import { partsOf } from "./transformer.js";

export function readTranslator({ config, tensors }) {
  const parts = partsOf(tensors, config.num_heads);
  return {
    config,
    source: parts.get("source_embedding.weight"),
    target: parts.get("target_embedding.weight"),
    head: parts.layer("head"),
    encoder: range(config.num_layers).map((n) => ({
      attention: parts.attention(`encoder.blocks.${n}.attention`),
      feed_forward: parts.feedForward(`encoder.blocks.${n}.feed_forward`),
      norm1: parts.norm(`encoder.blocks.${n}.norm1`),
      norm2: parts.norm(`encoder.blocks.${n}.norm2`),
    })),
    decoder: range(config.num_layers).map((n) => ({
      self: parts.attention(`blocks.${n}.self_attention`),
      cross: parts.attention(`blocks.${n}.cross_attention`),
      feed_forward: parts.feedForward(`blocks.${n}.feed_forward`),
      ...Object.fromEntries(["norm1", "norm2", "norm3"].map((name) => [name, parts.norm(`blocks.${n}.${name}`)])),
    })),
  };
}

const fromTable = (table, ids) => ids.map((id) => table[id].map((value) => value * Math.sqrt(table[id].length)));
const embedded = (table, ids) => add(fromTable(table, ids), sinusoidal(ids.length, table[0].length));

/** ids -> { memory (seq, d_model), weights (layers, heads, seq, seq), states: after the table, with places, after each block } */
export function encode(model, ids) {
  let x = embedded(model.source, ids);
  const weights = [],
    states = [fromTable(model.source, ids), x];
  for (const block of model.encoder) {
    const made = blockForward(x, block, "post", { activation: "relu" });
    x = made.y;
    weights.push(made.weights);
    states.push(x);
  }
  return { memory: x, weights, states };
}

/** ids so far -> { logits (seq, vocab), self, cross (layers, heads, seq, seq_source) }; hidden: the source place that cross-attention may not see, or null. */
export function decode(model, ids, memory, hidden = null) {
  const causal = ids.map((_, i) => ids.map((__, j) => j <= i)),
    seen = hidden === null ? null : ids.map(() => memory.map((_, j) => j !== hidden));
  let x = embedded(model.target, ids);
  const own = [],
    cross = [];
  for (const block of model.decoder) {
    const attended = multiHead(x, block.self, { mask: causal });
    x = layerNorm(add(x, attended.y), block.norm1).y;
    const fetched = multiHead(x, block.cross, { memory, mask: seen });
    x = layerNorm(add(x, fetched.y), block.norm2).y;
    x = layerNorm(add(x, feedForward(x, block.feed_forward, "relu").y), block.norm3).y;
    own.push(attended.weights);
    cross.push(fetched.weights);
  }
  return { logits: linear(x, model.head), self: own, cross };
}

/** The likeliest next word, again and again, up to eos or `most` words; without bos and eos. */
export function translate(model, memory, { most = 16, hidden = null } = {}) {
  const { bos, eos } = model.config,
    written = [bos];
  while (written.length <= most) {
    const last = decode(model, written, memory, hidden).logits.at(-1),
      best = last.indexOf(Math.max(...last));
    if (best === eos) break;
    written.push(best);
  }
  return written.slice(1);
}
