// A trained decoder from a checkpoint: embeddings, pre-norm blocks, final norm, head. For pages that explore a real model.
//
// checkpoint: { config: { num_heads, num_layers, d_model, max_len }, vocab: [token, …], tensors: { name: { shape, dtype, data (base64), scale } } }
// names as in the chapters' GPT: token_embedding.weight, position_embedding.weight, blocks.0.norm1.weight, blocks.0.attention.W_q.weight, …, norm.weight, head.weight

import { add, dot, matmul, range, reshape, softmax, transpose } from "./tensor.js";
import { blockForward, feedForward, layerNorm, linear } from "./block.js";

export function halfToNumber(bits) {
  const sign = bits & 0x8000 ? -1 : 1,
    exponent = (bits >> 10) & 31,
    rest = bits & 1023;
  if (exponent === 0) return sign * rest * 2 ** -24;
  return exponent === 31 ? (rest ? NaN : sign * Infinity) : sign * (1 + rest / 1024) * 2 ** (exponent - 15);
}
const bytesOf = (text) => new DataView(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
const READERS = {
  float32: [4, (view, at) => view.getFloat32(at, true)],
  float16: [2, (view, at) => halfToNumber(view.getUint16(at, true))],
  int8: [1, (view, at) => view.getInt8(at)],
};
/** { shape, dtype, data } -> numbers, as a matrix where the shape has two dimensions. int8 comes with a float32 scale for each row. */
export function decodeTensor({ shape, data, dtype = "float32", scale = null }) {
  const [size, read] = READERS[dtype],
    view = bytesOf(data),
    scales = scale && bytesOf(scale);
  const flat = range(view.byteLength / size).map((i) => read(view, i * size)),
    width = scales ? (4 * flat.length) / scales.byteLength : 1;
  const values = scales ? flat.map((value, i) => value * scales.getFloat32(4 * Math.floor(i / width), true)) : flat;
  return shape.length === 2 ? reshape(values, shape[0], shape[1]) : values;
}
/** Readers of a checkpoint's tensors by name: a tensor, a linear layer (nn.Linear keeps (out, in)), a norm, attention, a feed-forward network. */
export function partsOf(tensors, heads) {
  const get = (name) => (tensors[name] ? decodeTensor(tensors[name]) : null);
  const layer = (name) => ({ W: transpose(get(`${name}.weight`)), b: get(`${name}.bias`) });
  const all = (name, parts) => Object.fromEntries(parts.map((part) => [part, layer(`${name}.${part}`)]));
  return {
    get,
    layer,
    norm: (name) => ({ weight: get(`${name}.weight`), bias: get(`${name}.bias`) }),
    attention: (name) => ({ heads, ...all(name, ["W_q", "W_k", "W_v", "W_o"]) }),
    feedForward: (name) => all(name, ["linear1", "linear2"]),
  };
}

export function readCheckpoint({ config, vocab, tensors }) {
  const parts = partsOf(tensors, config.num_heads),
    tokens = parts.get("token_embedding.weight");
  return {
    config,
    vocab,
    tokens,
    places: parts.get("position_embedding.weight"),
    norm: parts.norm("norm"),
    head: parts.get("head.weight") ?? tokens,
    blocks: range(config.num_layers).map((n) => ({
      norm1: parts.norm(`blocks.${n}.norm1`),
      norm2: parts.norm(`blocks.${n}.norm2`),
      attention: parts.attention(`blocks.${n}.attention`),
      feed_forward: parts.feedForward(`blocks.${n}.feed_forward`),
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

/** Reads token by token and keeps keys and values: the function it returns takes an id and gives the logits of what follows. */
export function cachedReader(model) {
  const kept = model.blocks.map(() => ({ k: [], v: [] }));
  let place = 0;
  return (id) => {
    let x = [model.tokens[id].map((value, j) => value + model.places[place][j])];
    place += 1;
    model.blocks.forEach(({ norm1, norm2, attention: layer, feed_forward }, n) => {
      const normed = layerNorm(x, norm1).y,
        q = linear(normed, layer.W_q)[0],
        { k, v } = kept[n],
        d = q.length / layer.heads;
      k.push(linear(normed, layer.W_k)[0]);
      v.push(linear(normed, layer.W_v)[0]);
      const joined = range(layer.heads).flatMap((head) => {
        const part = (row) => row.slice(head * d, (head + 1) * d),
          weights = softmax(k.map((row) => dot(part(q), part(row)) / Math.sqrt(d)));
        return matmul([weights], v.map(part))[0];
      });
      x = add(x, linear([joined], layer.W_o));
      x = add(x, feedForward(layerNorm(x, norm2).y, feed_forward, "gelu_tanh").y);
    });
    const last = layerNorm(x, model.norm).y[0];
    return model.head.map((row) => dot(row, last));
  };
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
