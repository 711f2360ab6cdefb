// A small causal model of attention alone (pre-norm, no feed-forward network) that learns chapter 9's chants: forward, backward and AdamW by hand, in float64.
// One head a layer. All matrices are (out, in), flat, as nn.Linear keeps them. Compared with PyTorch's numbers in fixtures/ch09_training.json.

import { lehmer, normals, range, reshape } from "./tensor.js";
import { back, mover, normed, normedBack, through } from "./layers.js";

export const SONG = { syllables: 16, length: 24, shortest: 4, longest: 8, width: 32, batch: 16, total: 400 };
export const STRIDE_OF_SONG = 5; // steps between two notes of what is known

/** count chants: { ids (count, length + 1), periods }. Each draws one number for its period and sixteen for the order of its syllables. */
export function chants(count, draw, period = null) {
  const { syllables, length, shortest, longest } = SONG,
    made = { ids: [], periods: [] };
  for (let n = 0; n < count; n++) {
    const drawn = shortest + Math.floor(draw() * (longest - shortest + 1)),
      keys = range(syllables).map(draw),
      melody = range(syllables).sort((a, b) => keys[a] - keys[b]);
    made.periods.push(period ?? drawn);
    made.ids.push(range(length + 1).map((i) => melody[i % made.periods[n]]));
  }
  return made;
}

/** A fresh model as chapter 9 starts it: matrices N(0, 0.02 · √(768 / width)), positions 0.3 times chapter 5's sinusoids, norms 1 and 0. */
export function newSinger(layers, start) {
  const { syllables, length, width: d } = SONG,
    std = 0.02 * Math.sqrt(768 / d);
  let seed = 100 * start;
  const drawn = (rows, columns) => Float64Array.from(normals(rows * columns, ++seed), (value) => std * value);
  const made = { tokens: drawn(syllables, d), head: drawn(syllables, d), places: new Float64Array(length * d) };
  range(length).forEach((i) =>
    range(d).forEach((c) => {
      const angle = i / 10000 ** ((c - (c % 2)) / d);
      made.places[i * d + c] = 0.3 * (c % 2 ? Math.cos(angle) : Math.sin(angle));
    }),
  );
  for (const n of [...range(layers).map(String), "last"]) {
    made[`scale${n}`] = new Float64Array(d).fill(1);
    made[`shift${n}`] = new Float64Array(d);
  }
  for (const n of range(layers)) for (const name of ["W_q", "W_k", "W_v", "W_o"]) made[name + n] = drawn(d, d);
  return made;
}

/**
 * A batch of chants sung by the model: { loss, right, weights[layer] (count · T · T, flat), and, asked for, gradient }. Priced are the places from the second round on,
 * as in the chapter; prices: [round, price] of each, the second round being 1.
 */
export function sing(model, { ids, periods }, layers, wantGradient = false) {
  const { syllables: V, length: T, width: d } = SONG,
    B = ids.length,
    rows = B * T,
    root = Math.sqrt(d);
  let x = new Float64Array(rows * d);
  ids.forEach((song, n) =>
    range(T).forEach((i) => {
      for (let c = 0; c < d; c++) x[(n * T + i) * d + c] = model.tokens[song[i] * d + c] + model.places[i * d + c];
    }),
  );
  const kept = range(layers).map((n) => {
    const first = normed(x, model[`scale${n}`], model[`shift${n}`], rows, d),
      [q, k, v] = ["W_q", "W_k", "W_v"].map((name) => through(first.y, model[name + n], rows, d, d)),
      weights = new Float64Array(rows * T),
      mixed = new Float64Array(rows * d);
    for (let r = 0; r < rows; r++) {
      const from = r - (r % T),
        i = r % T;
      let peak = -Infinity,
        total = 0;
      for (let j = 0; j <= i; j++) {
        let score = 0;
        for (let c = 0; c < d; c++) score += q[r * d + c] * k[(from + j) * d + c];
        weights[r * T + j] = score / root;
        peak = Math.max(peak, score / root);
      }
      for (let j = 0; j <= i; j++) total += weights[r * T + j] = Math.exp(weights[r * T + j] - peak);
      for (let j = 0; j <= i; j++) {
        const w = (weights[r * T + j] /= total);
        for (let c = 0; c < d; c++) mixed[r * d + c] += w * v[(from + j) * d + c];
      }
    }
    const out = through(mixed, model[`W_o${n}`], rows, d, d);
    x = x.map((value, i) => value + out[i]);
    return { first, q, k, v, weights, mixed };
  });
  const last = normed(x, model.scalelast, model.shiftlast, rows, d),
    logits = through(last.y, model.head, rows, d, V),
    dLogits = new Float64Array(rows * V),
    prices = [],
    hits = [];
  const count = periods.reduce((total, period) => total + T - period, 0);
  for (let r = 0; r < rows; r++) {
    const n = Math.floor(r / T),
      i = r % T;
    if (i < periods[n]) continue;
    const truth = ids[n][i + 1],
      row = logits.subarray(r * V, (r + 1) * V),
      peak = Math.max(...row);
    let total = 0;
    for (const value of row) total += Math.exp(value - peak);
    for (let o = 0; o < V; o++) dLogits[r * V + o] = (Math.exp(row[o] - peak) / total - (o === truth ? 1 : 0)) / count;
    prices.push([Math.floor(i / periods[n]), Math.log(total) + peak - row[truth]]);
    hits.push(Number(row[truth] === peak));
  }
  const meanOf = (list) => list.reduce((a, b) => a + b, 0) / list.length;
  const made = { loss: meanOf(prices.map(([, price]) => price)), right: meanOf(hits), weights: kept.map((one) => one.weights), prices };
  if (!wantGradient) return made;
  const g = Object.fromEntries(Object.entries(model).map(([name, values]) => [name, new Float64Array(values.length)]));
  const dLast = new Float64Array(rows * d);
  back(last.y, model.head, dLogits, g.head, dLast, rows, d, V);
  let dx = new Float64Array(rows * d);
  normedBack(last, model.scalelast, dLast, g.scalelast, g.shiftlast, dx, rows, d);
  for (const n of range(layers).reverse()) {
    const { first, q, k, v, weights, mixed } = kept[n],
      dMixed = new Float64Array(rows * d),
      [dq, dk, dv, dFirst] = range(4).map(() => new Float64Array(rows * d));
    back(mixed, model[`W_o${n}`], dx, g[`W_o${n}`], dMixed, rows, d, d);
    const along = new Float64Array(T);
    for (let r = 0; r < rows; r++) {
      const from = r - (r % T),
        i = r % T;
      let mid = 0;
      for (let j = 0; j <= i; j++) {
        const w = weights[r * T + j],
          at = (from + j) * d;
        let total = 0;
        for (let c = 0; c < d; c++) {
          total += dMixed[r * d + c] * v[at + c];
          dv[at + c] += w * dMixed[r * d + c];
        }
        along[j] = total;
        mid += w * total;
      }
      for (let j = 0; j <= i; j++) {
        const slope = (weights[r * T + j] * (along[j] - mid)) / root,
          at = (from + j) * d;
        for (let c = 0; c < d; c++) {
          dq[r * d + c] += slope * k[at + c];
          dk[at + c] += slope * q[r * d + c];
        }
      }
    }
    [
      ["W_q", dq],
      ["W_k", dk],
      ["W_v", dv],
    ].forEach(([name, dy]) => back(first.y, model[name + n], dy, g[name + n], dFirst, rows, d, d));
    normedBack(first, model[`scale${n}`], dFirst, g[`scale${n}`], g[`shift${n}`], dx, rows, d);
  }
  ids.forEach((song, n) =>
    range(T).forEach((i) => {
      for (let c = 0; c < d; c++) {
        g.tokens[song[i] * d + c] += dx[(n * T + i) * d + c];
        g.places[i * d + c] += dx[(n * T + i) * d + c];
      }
    }),
  );
  return { ...made, gradient: g };
}

/** Chapter 9's schedule: 0 at step 0, linear to peak at warmup, cosine to 0 at total. */
export const rateAt = (step, peak = 1e-2, warmup = 30, total = SONG.total) =>
  step < warmup ? (peak * step) / warmup : step >= total ? 0 : (peak / 2) * (1 + Math.cos((Math.PI * (step - warmup)) / (total - warmup)));

/** Mean weight of one layer, from the second round on, on the place right after the same syllable: { induction: one round ago (chapter 9's score), stripe: in all earlier rounds }. */
export function stripeScores(weights, periods) {
  const T = SONG.length,
    each = periods.map((period, n) => {
      const found = [0, 0];
      for (let i = period; i < T; i++)
        for (let j = i - period + 1; j >= 1; j -= period) {
          const w = weights[(n * T + i) * T + j] / (T - period) / periods.length;
          found[1] += w;
          if (i - j === period - 1) found[0] += w;
        }
      return found;
    });
  const total = (which) => each.reduce((sum, found) => sum + found[which], 0);
  return { induction: total(0), stripe: total(1) };
}

/** A model of two layers and one of one layer that learn from the same chants; every STRIDE_OF_SONG steps it is noted what they can do with new ones. */
export function duet(start) {
  const draw = lehmer(9001),
    exam = chants(SONG.batch, lehmer(9099)),
    shown = chants(1, lehmer(9005), 6);
  const singers = [
    ["two", 2],
    ["one", 1],
  ].map(([name, layers]) => {
    const model = newSinger(layers, start);
    return { name, layers, model, move: mover(model), losses: [], records: [] };
  });
  let batch = chants(SONG.batch, draw);
  const note = () => {
    for (const { layers, model, records } of singers) {
      const { right, loss, prices, weights } = sing(model, exam, layers),
        mid = (list) => list.reduce((sum, [, price]) => sum + price, 0) / list.length;
      records.push({
        right,
        loss,
        rounds: [mid(prices.filter(([round]) => round === 1)), mid(prices.filter(([round]) => round > 1))],
        scores: weights.map((one) => stripeScores(one, exam.periods)),
        maps: sing(model, shown, layers).weights.map((one) => reshape([...one], SONG.length, SONG.length)),
      });
    }
  };
  note();
  return {
    song: shown.ids[0].slice(0, SONG.length),
    period: shown.periods[0],
    trained: 0,
    recordOf: (name, steps) => singers.find((one) => one.name === name).records[steps / STRIDE_OF_SONG],
    lossesOf: (name, steps) => singers.find((one) => one.name === name).losses.slice(0, steps),
    /** The gradients of the next batch's losses, with respect to every number of both models. */
    gradients: () =>
      Object.fromEntries(
        singers.map(({ name, layers, model }) => {
          const { gradient } = sing(model, batch, layers, true);
          return [name, Object.fromEntries(Object.entries(gradient).map(([key, values]) => [key, [...values]]))];
        }),
      ),
    step() {
      this.trained += 1;
      for (const { layers, model, move, losses } of singers) {
        const { loss, gradient } = sing(model, batch, layers, true);
        losses.push(loss);
        move(gradient, rateAt(this.trained));
      }
      batch = chants(SONG.batch, draw);
      if (this.trained % STRIDE_OF_SONG === 0) note();
    },
  };
}
