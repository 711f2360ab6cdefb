// A linear layer and a layer norm, forwards and backwards, on flat arrays; and AdamW.

const EPS_OF_NORM = 1e-5;

/** x Wᵀ: x (rows, a), W (b, a), y (rows, b); a is even. */
export function through(x, W, rows, a, b) {
  const y = new Float64Array(rows * b);
  for (let r = 0; r < rows; r++)
    for (let o = 0; o < b; o++) {
      let one = 0, // two sums at a time, since each addition waits for the one before it
        two = 0;
      for (let c = 0, i = r * a, j = o * a; c < a; c += 2) {
        one += x[i + c] * W[j + c];
        two += x[i + c + 1] * W[j + c + 1];
      }
      y[r * b + o] = one + two;
    }
  return y;
}
/** Gradients of x Wᵀ: adds to dW (b, a) and to dx (rows, a). */
export function back(x, W, dy, dW, dx, rows, a, b) {
  for (let r = 0; r < rows; r++)
    for (let o = 0; o < b; o++) {
      const g = dy[r * b + o];
      if (g === 0) continue;
      for (let c = 0, i = r * a, j = o * a; c < a; c++) {
        dW[j + c] += g * x[i + c];
        dx[i + c] += g * W[j + c];
      }
    }
}
export function normed(x, scale, shift, rows, d) {
  const hat = new Float64Array(rows * d),
    y = new Float64Array(rows * d),
    inverse = new Float64Array(rows);
  for (let r = 0; r < rows; r++) {
    let mid = 0,
      spread = 0;
    for (let c = 0; c < d; c++) mid += x[r * d + c] / d;
    for (let c = 0; c < d; c++) spread += (x[r * d + c] - mid) ** 2 / d;
    inverse[r] = 1 / Math.sqrt(spread + EPS_OF_NORM);
    for (let c = 0; c < d; c++) {
      hat[r * d + c] = (x[r * d + c] - mid) * inverse[r];
      y[r * d + c] = hat[r * d + c] * scale[c] + shift[c];
    }
  }
  return { y, hat, inverse };
}
export function normedBack({ hat, inverse }, scale, dy, dScale, dShift, dx, rows, d) {
  for (let r = 0; r < rows; r++) {
    let mid = 0,
      along = 0;
    for (let c = 0; c < d; c++) {
      const g = dy[r * d + c];
      dScale[c] += g * hat[r * d + c];
      dShift[c] += g;
      mid += (g * scale[c]) / d;
      along += (g * scale[c] * hat[r * d + c]) / d;
    }
    for (let c = 0; c < d; c++) dx[r * d + c] += inverse[r] * (dy[r * d + c] * scale[c] - mid - hat[r * d + c] * along);
  }
}

/** AdamW (0.9, 0.95; no decay) with the gradient clipped to length 1, in place. Returns move(gradient, rate). */
export function mover(model) {
  const means = Object.fromEntries(Object.entries(model).map(([name, values]) => [name, [new Float64Array(values.length), new Float64Array(values.length)]]));
  let at = 0;
  return (gradient, rate) => {
    let squares = 0;
    for (const part of Object.values(gradient)) for (const value of part) squares += value * value;
    const clip = Math.min(1, 1 / (Math.sqrt(squares) + 1e-6));
    at += 1;
    const [one, two] = [1 - 0.9 ** at, 1 - 0.95 ** at];
    for (const [name, values] of Object.entries(model)) {
      const [m, v] = means[name],
        part = gradient[name];
      for (let i = 0; i < values.length; i++) {
        const value = clip * part[i];
        m[i] = 0.9 * m[i] + 0.1 * value;
        v[i] = 0.95 * v[i] + 0.05 * value * value;
        values[i] -= ((rate / one) * m[i]) / (Math.sqrt(v[i] / two) + 1e-8);
      }
    }
  };
}
