// Four ways to tell a model where a token stands.

import { range } from "./tensor.js";

/** (max_len, d_model): sine in even columns, cosine in odd ones. */
export const sinusoidal = (length, width) => range(length).map((p) => encodingAt(p, width));
export const encodingAt = (p, width) => range(width).map((j) => (j % 2 ? Math.cos : Math.sin)(p * speed(j >> 1, width)));
/** Radians per position of pair i. */
export const speed = (i, width, base = 10000) => base ** ((-2 * i) / width);
/** Each pair of neighbouring numbers turned by its position times its speed. */
export const rope = (x, positions, base = 10000) =>
  x.map((row, t) =>
    row.map((value, j) => {
      const angle = positions[t] * speed(j >> 1, row.length, base);
      return j % 2 ? row[j - 1] * Math.sin(angle) + value * Math.cos(angle) : value * Math.cos(angle) - row[j + 1] * Math.sin(angle);
    }),
  );
export const alibiSlope = (head, heads) => 2 ** ((-8 * (head + 1)) / heads);
