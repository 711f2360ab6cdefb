// The parts of a transformer block on matrices (rows are tokens), forward, and backward by hand.
// x (seq, d); a linear layer is { W (in, out), b (out) or null }: x W + b.

import { matmul, range, reshape, softmax, sum, transpose, uniforms } from "./tensor.js";

const addRow = (m, b) => (b ? m.map((row) => row.map((value, j) => value + b[j])) : m);
const plus = (a, b) => a.map((row, i) => row.map((value, j) => value + b[i][j]));
const columnSums = (m) => m[0].map((_, j) => m.reduce((total, row) => total + row[j], 0));
const squared = (m) => sum(m.flat().map((value) => value * value));

export const linear = (x, { W, b }) => addRow(matmul(x, W), b);

export function layerNorm(x, { weight, bias }, eps = 1e-5) {
  const parts = x.map((row) => {
    const centre = sum(row) / row.length,
      variance = sum(row.map((value) => (value - centre) ** 2)) / row.length,
      inverse = 1 / Math.sqrt(variance + eps);
    return { normed: row.map((value) => (value - centre) * inverse), inverse };
  });
  return { y: parts.map(({ normed }) => normed.map((value, j) => value * weight[j] + bias[j])), parts };
}

/** The error function, to about 1e-15: its series near zero, a continued fraction of erfc farther out. */
export function erf(x) {
  const size = Math.abs(x);
  if (size > 6) return Math.sign(x);
  if (size < 2.5) {
    let term = x,
      total = x;
    for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(total) && n < 100; n++) {
      term *= (-x * x) / n;
      total += term / (2 * n + 1);
    }
    return (2 / Math.sqrt(Math.PI)) * total;
  }
  let fraction = 0;
  for (let n = 60; n > 0; n--) fraction = n / 2 / (size + fraction);
  return Math.sign(x) * (1 - Math.exp(-x * x) / (Math.sqrt(Math.PI) * (size + fraction)));
}
const ROOT = Math.sqrt(2 / Math.PI);
export const ACTIVATIONS = {
  gelu: [(x) => 0.5 * x * (1 + erf(x / Math.SQRT2)), (x) => 0.5 * (1 + erf(x / Math.SQRT2)) + (x * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI)],
  gelu_tanh: [(x) => 0.5 * x * (1 + Math.tanh(ROOT * (x + 0.044715 * x ** 3)))],
  relu: [(x) => Math.max(0, x)],
};

/** Attention of all heads; keys and values may come from elsewhere, or from a cache. weights: (heads, seq_q, seq_k) */
export function multiHead(x, layer, { memory = x, mask = null, off = [] } = {}) {
  const { heads } = layer,
    q = linear(x, layer.W_q),
    k = linear(memory, layer.W_k),
    v = linear(memory, layer.W_v);
  const d = q[0].length / heads,
    part = (m, n) => m.map((row) => row.slice(n * d, (n + 1) * d));
  const weights = [],
    joined = x.map(() => []);
  for (const n of range(heads)) {
    const scores = matmul(part(q, n), transpose(part(k, n)));
    weights.push(scores.map((row, i) => softmax(row.map((value, j) => (mask && !mask[i][j] ? -Infinity : value / Math.sqrt(d))))));
    const output = matmul(weights[n], part(v, n));
    joined.forEach((row, i) => row.push(...(off.includes(n) ? output[i].map(() => 0) : output[i])));
  }
  return { y: linear(joined, layer.W_o), weights, q, k, v, joined };
}

export function feedForward(x, { linear1, linear2 }, activation = "gelu") {
  const inner = linear(x, linear1),
    [f] = ACTIVATIONS[activation];
  const active = inner.map((row) => row.map(f));
  return { y: linear(active, linear2), inner, active };
}

/** kind: "pre", "post", "none" (pre-norm without its residual connections) or "bare" (without norms, too). Returns the output and all that backward needs. */
export function blockForward(x, block, kind = "pre", { mask = null, activation = "gelu", off = [] } = {}) {
  const before = kind === "pre" || kind === "none",
    after = kind === "post",
    residual = kind === "pre" || kind === "post";
  const first = before ? layerNorm(x, block.norm1) : null;
  const attended = multiHead(first ? first.y : x, block.attention, { mask, off });
  const added = residual ? plus(x, attended.y) : attended.y;
  const middle = after ? layerNorm(added, block.norm1) : null;
  const stream = middle ? middle.y : added;
  const second = before ? layerNorm(stream, block.norm2) : null;
  const fed = feedForward(second ? second.y : stream, block.feed_forward, activation);
  const total = residual ? plus(stream, fed.y) : fed.y;
  const last = after ? layerNorm(total, block.norm2) : null;
  return { y: last ? last.y : total, weights: attended.weights, residual, x, first, attended, added, middle, stream, second, fed, total, last };
}

function linearBack(x, { W }, dy) {
  return { dx: matmul(dy, transpose(W)), squares: squared(matmul(transpose(x), dy)) + sum(columnSums(dy).map((value) => value * value)) };
}
function normBack({ parts }, { weight }, dy) {
  const dx = parts.map(({ normed, inverse }, i) => {
    const g = dy[i].map((value, j) => value * weight[j]),
      n = g.length;
    const centre = sum(g) / n,
      along = sum(g.map((value, j) => value * normed[j])) / n;
    return g.map((value, j) => inverse * (value - centre - normed[j] * along));
  });
  const onWeight = columnSums(dy.map((row, i) => row.map((value, j) => value * parts[i].normed[j])));
  return { dx, squares: sum(onWeight.map((v) => v * v)) + sum(columnSums(dy).map((v) => v * v)) };
}
function attentionBack(x, layer, { weights, q, k, v, joined }, dy) {
  const { heads } = layer,
    d = q[0].length / heads,
    part = (m, n) => m.map((row) => row.slice(n * d, (n + 1) * d));
  const out = linearBack(joined, layer.W_o, dy),
    [dq, dk, dv] = [q, k, v].map((m) => m.map(() => []));
  for (const n of range(heads)) {
    const dOut = part(out.dx, n),
      dWeights = matmul(dOut, transpose(part(v, n)));
    const dScores = weights[n].map((row, i) => {
      const along = sum(row.map((w, j) => w * dWeights[i][j]));
      return row.map((w, j) => (w * (dWeights[i][j] - along)) / Math.sqrt(d));
    });
    [
      [dq, matmul(dScores, part(k, n))],
      [dk, matmul(transpose(dScores), part(q, n))],
      [dv, matmul(transpose(weights[n]), dOut)],
    ].forEach(([all, one]) => all.forEach((row, i) => row.push(...one[i])));
  }
  const backs = [linearBack(x, layer.W_q, dq), linearBack(x, layer.W_k, dk), linearBack(x, layer.W_v, dv)];
  return { dx: backs.map((one) => one.dx).reduce(plus), squares: out.squares + sum(backs.map((one) => one.squares)) };
}

/** From the gradient of a block's output to that of its input, and the sum of squares of all its parameters' gradients. */
export function blockBackward(block, cache, dy, activation = "gelu") {
  const { residual, x, first, attended, middle, stream, second, fed, last } = cache,
    [, slope] = ACTIVATIONS[activation];
  let squares = 0;
  const through = (back) => {
    squares += back.squares;
    return back.dx;
  };
  const dSum = last ? through(normBack(last, block.norm2, dy)) : dy;
  const dActive = through(linearBack(fed.active, block.feed_forward.linear2, dSum));
  const dInner = dActive.map((row, i) => row.map((value, j) => value * slope(fed.inner[i][j])));
  let dFed = through(linearBack(second ? second.y : stream, block.feed_forward.linear1, dInner));
  if (second) dFed = through(normBack(second, block.norm2, dFed));
  const dStream = residual ? plus(dSum, dFed) : dFed;
  const dAdded = middle ? through(normBack(middle, block.norm1, dStream)) : dStream;
  let dAttended = through(attentionBack(first ? first.y : x, block.attention, attended, dAdded));
  if (first) dAttended = through(normBack(first, block.norm1, dAttended));
  return { dx: residual ? plus(dAdded, dAttended) : dAttended, squares };
}

/** A new block as nn.Transformer starts: weights uniform within ±√(6 / (in + out)) from Lehmer's generator, biases zero. gain scales W_o and linear2. */
export function makeBlock(d, heads, seed, gain = 1) {
  let next = seed;
  const layer = (from, to, factor = 1) => ({
    W: reshape(uniforms(from * to, next++, factor * Math.sqrt(6 / (from + to))), from, to),
    b: new Array(to).fill(0),
  });
  const norm = () => ({ weight: new Array(d).fill(1), bias: new Array(d).fill(0) });
  return {
    norm1: norm(),
    norm2: norm(),
    attention: { heads, W_q: layer(d, d), W_k: layer(d, d), W_v: layer(d, d), W_o: layer(d, d, gain) },
    feed_forward: { linear1: layer(d, 4 * d), linear2: layer(4 * d, d, gain) },
  };
}
