// A trained decoder from a checkpoint: embeddings, pre-norm blocks, final norm, head. For pages that explore a real model.
//
// checkpoint: { config: { num_heads, num_layers, d_model, max_len }, vocab: [token, …], tensors: { name: { shape, data (base64 float32 or float16), dtype } } }
// names as in the chapters' GPT: token_embedding.weight, position_embedding.weight, blocks.0.norm1.weight, blocks.0.attention.W_q.weight, …, norm.weight, head.weight

import { add, matmul, range, reshape, transpose } from "./tensor.js";
import { blockForward, layerNorm } from "./block.js";

function halfToNumber(bits) {
  const sign = bits & 0x8000 ? -1 : 1,
    exponent = (bits >> 10) & 31,
    rest = bits & 1023;
  if (exponent === 0) return sign * rest * 2 ** -24;
  return exponent === 31 ? (rest ? NaN : sign * Infinity) : sign * (1 + rest / 1024) * 2 ** (exponent - 15);
}
export function decodeTensor({ shape, data, dtype = "float32" }) {
  const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0)),
    view = new DataView(bytes.buffer),
    size = dtype === "float16" ? 2 : 4;
  const flat = range(bytes.length / size).map((i) => (size === 2 ? halfToNumber(view.getUint16(2 * i, true)) : view.getFloat32(4 * i, true)));
  return shape.length === 2 ? reshape(flat, shape[0], shape[1]) : flat;
}

export function readCheckpoint({ config, vocab, tensors }) {
  const get = (name) => (tensors[name] ? decodeTensor(tensors[name]) : null);
  const layer = (name) => ({ W: transpose(get(`${name}.weight`)), b: get(`${name}.bias`) }); // nn.Linear keeps (out, in)
  const norm = (name) => ({ weight: get(`${name}.weight`), bias: get(`${name}.bias`) });
  const tokens = get("token_embedding.weight");
  return {
    config,
    vocab,
    tokens,
    places: get("position_embedding.weight"),
    norm: norm("norm"),
    head: get("head.weight") ?? tokens,
    blocks: range(config.num_layers).map((n) => ({
      norm1: norm(`blocks.${n}.norm1`),
      norm2: norm(`blocks.${n}.norm2`),
      attention: {
        heads: config.num_heads,
        ...Object.fromEntries(["W_q", "W_k", "W_v", "W_o"].map((name) => [name, layer(`blocks.${n}.attention.${name}`)])),
      },
      feed_forward: { linear1: layer(`blocks.${n}.feed_forward.linear1`), linear2: layer(`blocks.${n}.feed_forward.linear2`) },
    })),
  };
}

/** ids -> { logits (seq, vocab), weights (layers, heads, seq, seq), states }. off: { layer: [heads switched off] } */
export function run(model, ids, { off = {} } = {}) {
  const mask = ids.map((_, i) => ids.map((__, j) => j <= i));
  let x = add(
    ids.map((id) => model.tokens[id]),
    model.places.slice(0, ids.length),
  );
  const weights = [],
    states = [x];
  model.blocks.forEach((block, n) => {
    const made = blockForward(x, block, "pre", { mask, activation: "gelu_tanh", off: off[n] ?? [] });
    x = made.y;
    weights.push(made.weights);
    states.push(x);
  });
  return { logits: matmul(layerNorm(x, model.norm).y, transpose(model.head)), weights, states };
}

/** Probabilities after temperature, then top-k, then top-p (the token that crosses top_p stays); temperature 0 is greedy. */
export function distribution(logits, { temperature = 1, topK = null, topP = null } = {}) {
  const best = logits.indexOf(Math.max(...logits));
  if (temperature === 0) return logits.map((_, i) => (i === best ? 1 : 0));
  const warm = logits.map((value) => value / temperature),
    order = range(logits.length).sort((a, b) => warm[b] - warm[a] || a - b);
  const peak = warm[order[0]],
    powers = warm.map((value) => Math.exp(value - peak));
  let kept = topK === null ? order : order.filter((i) => warm[i] >= warm[order[Math.min(topK, order.length) - 1]]);
  if (topP !== null) {
    const total = kept.reduce((all, i) => all + powers[i], 0);
    let before = 0;
    kept = kept.filter((i, rank) => {
      const stays = rank === 0 || before / total < topP;
      before += powers[i];
      return stays;
    });
  }
  const total = kept.reduce((all, i) => all + powers[i], 0),
    chosen = new Set(kept);
  return powers.map((value, i) => (chosen.has(i) ? value / total : 0));
}
