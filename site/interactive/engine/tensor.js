// Tensor maths on plain arrays of rows, in float64, by the same formulas as the chapters.
// A matrix is an array of rows; nothing here modifies its arguments.

export const zeros = (rows, columns) => Array.from({ length: rows }, () => new Array(columns).fill(0));
export const identity = (n) =>
  zeros(n, n).map((row, i) => {
    row[i] = 1;
    return row;
  });
export const range = (n) => Array.from({ length: n }, (_, i) => i);
export const map = (matrix, f) => matrix.map((row, i) => row.map((value, j) => f(value, i, j)));
export const transpose = (m) => (m.length ? m[0].map((_, j) => m.map((row) => row[j])) : []);
export const add = (a, b) => map(a, (value, i, j) => value + b[i][j]);
export const scale = (m, factor) => map(m, (value) => value * factor);
export const sum = (row) => row.reduce((total, value) => total + value, 0);
export const mean = (row) => sum(row) / row.length;
export const norm = (row) => Math.sqrt(sum(row.map((value) => value * value)));
export const dot = (a, b) => {
  let total = 0;
  for (let i = 0; i < a.length; i++) total += a[i] * b[i];
  return total;
};
export const cosine = (a, b) => dot(a, b) / Math.max(norm(a) * norm(b), 1e-12);
export const std = (values) => {
  const centre = mean(values);
  return Math.sqrt(sum(values.map((value) => (value - centre) ** 2)) / (values.length - 1));
};

/** (n, d) @ (d, m) -> (n, m) */
export function matmul(a, b) {
  const columns = b.length ? b[0].length : 0;
  return a.map((row) => {
    const out = new Array(columns).fill(0);
    for (let k = 0; k < row.length; k++) {
      const value = row[k],
        other = b[k];
      if (value !== 0) for (let j = 0; j < columns; j++) out[j] += value * other[j];
    }
    return out;
  });
}

/** Softmax of one row: stable, -Infinity becomes 0, a row with nothing to attend to becomes zeros. */
export function softmax(row) {
  const peak = Math.max(...row);
  if (peak === -Infinity) return row.map(() => 0);
  const powers = row.map((value) => Math.exp(value - peak));
  const total = sum(powers);
  return powers.map((value) => value / total);
}
export const softmaxRows = (m) => m.map(softmax);

/** Scores where the mask allows, -Infinity elsewhere. */
export const fill = (scores, mask) => map(scores, (value, i, j) => (mask[i][j] ? value : -Infinity));

/** Attention of every query over every key -> { scores, scaled, masked, weights, output }. */
export function attention(q, k, v, { mask = null, scaled = true } = {}) {
  const scores = matmul(q, transpose(k));
  const divided = scaled ? scale(scores, 1 / Math.sqrt(q[0].length)) : scores;
  const masked = mask ? fill(divided, mask) : divided;
  const weights = softmaxRows(masked);
  return { scores, scaled: divided, masked, weights, output: matmul(weights, v) };
}

/** Entropy of one row of weights in nats: 0 looks at one word, ln(n) looks at all alike. */
export const entropy = (row) => Math.max(0, -sum(row.map((w) => (w > 0 ? w * Math.log(w) : 0))));
/** Size of softmax's Jacobian, diag(w) − w wᵀ (Frobenius norm): how far the weights still answer to their scores. */
export function softmaxSlope(row) {
  const squares = row.map((w) => w * w),
    all = sum(squares);
  return Math.sqrt(sum(row.map((w, i) => squares[i] * ((1 - w) ** 2 + all - squares[i]))));
}
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b),
    half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** Numbers that look random but are the same everywhere: Lehmer's generator (48271, 2^31 - 1), its first ten thrown away. */
export function lehmer(seed) {
  let state = seed;
  const next = () => (state = (state * 48271) % 2147483647) / 2147483647;
  for (let n = 0; n < 10; n++) next();
  return next;
}
/** Normal ones, by Box and Muller's formula. */
export function normals(count, seed) {
  const uniform = lehmer(seed),
    out = [];
  while (out.length < count) {
    const radius = Math.sqrt(-2 * Math.log(uniform())),
      angle = 2 * Math.PI * uniform();
    out.push(radius * Math.cos(angle), radius * Math.sin(angle));
  }
  return out.slice(0, count);
}
/** Uniform ones between -bound and bound. */
export function uniforms(count, seed, bound = 1) {
  const uniform = lehmer(seed);
  return range(count).map(() => (uniform() * 2 - 1) * bound);
}
export const reshape = (flat, rows, columns) => range(rows).map((i) => flat.slice(i * columns, (i + 1) * columns));
export const normalMatrix = (rows, columns, seed) => reshape(normals(rows * columns, seed), rows, columns);
export const largestDifference = (a, b) => Math.max(0, ...a.flat().map((value, i) => Math.abs(value - b.flat()[i])));
