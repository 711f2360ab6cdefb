// Chapter 2's farm: sentences of six coloured animals and a last word that asks for a colour, and one attention head that learns to answer.
// Forward, backward and Adam by hand, in float64; every number is compared with PyTorch's in fixtures/ch02_single_head.json.

import { lehmer, range, softmax, uniforms } from "./tensor.js";

const WORDS_OF_FARM = 6,
  SEQ = WORDS_OF_FARM + 1;
export const PARTS_OF_HEAD = ["W_q", "W_k", "W_v"];

/**
 * Sentences of a game: { count, x (count · 7 · d, flat), answer, place }. game "barks": the last word is the sound of the animal that is asked about;
 * "chase": the name of an animal, asked is the colour of the one that it chases. draw: numbers from 0 to 1. Each sentence draws six for the order, six for the colours, one for who.
 */
export function sentences({ animal, sound, colour }, game, count, draw) {
  const d = animal[0].length,
    made = { count, d, x: new Float64Array(count * SEQ * d), answer: [], place: [], order: [], paint: [] };
  for (let n = 0; n < count; n++) {
    const keys = range(WORDS_OF_FARM).map(draw),
      order = range(WORDS_OF_FARM).sort((a, b) => keys[a] - keys[b]),
      paint = range(WORDS_OF_FARM).map(() => Math.floor(draw() * WORDS_OF_FARM)),
      who = Math.floor(draw() * WORDS_OF_FARM);
    writeSentence(made, n, order.map((name, i) => animal[name].map((value, c) => value + colour[paint[i]][c])), (game === "barks" ? sound : animal)[who]);
    const place = order.indexOf(game === "barks" ? who : (who + 1) % WORDS_OF_FARM);
    made.place.push(place);
    made.answer.push(paint[place]);
    made.order.push(order);
    made.paint.push(paint);
  }
  return made;
}
function writeSentence({ x, d }, n, tokens, last) {
  [...tokens, last].forEach((token, i) => x.set(token, (n * SEQ + i) * d));
}
/** One farm, asked by each of the six last words in turn. */
export function sameFarm(words, game, draw) {
  const one = sentences(words, game, 1, draw),
    d = one.d,
    made = { ...one, count: WORDS_OF_FARM, x: new Float64Array(WORDS_OF_FARM * SEQ * d) };
  range(WORDS_OF_FARM).forEach((n) => {
    made.x.set(one.x.subarray(0, WORDS_OF_FARM * d), n * SEQ * d);
    made.x.set((game === "barks" ? words.sound : words.animal)[n], (n * SEQ + WORDS_OF_FARM) * d);
  });
  return { ...made, order: one.order[0], paint: one.paint[0] };
}

/** A new head as nn.Linear starts: uniform within 1/√(in). Matrices are (out, in), flat, as nn.Linear keeps them. tied: W_k is W_q. */
export function newHead(d, width, seed, tied) {
  const made = Object.fromEntries(PARTS_OF_HEAD.map((name, n) => [name, Float64Array.from(uniforms(width * d, 10 * seed + n, 1 / Math.sqrt(d)))]));
  made.readout = Float64Array.from(uniforms(WORDS_OF_FARM * width, 10 * seed + 3, 1 / Math.sqrt(width)));
  made.bias = Float64Array.from(uniforms(WORDS_OF_FARM, 10 * seed + 4, 1 / Math.sqrt(width)));
  if (tied) made.W_k = made.W_q;
  return made;
}

/** x (rows, d) · Wᵀ, W (out, d) -> (rows, out), all flat. */
function project(x, W, rows, d, out) {
  const y = new Float64Array(rows * out);
  for (let r = 0; r < rows; r++)
    for (let o = 0; o < out; o++) {
      let total = 0;
      for (let c = 0, a = r * d, b = o * d; c < d; c++) total += x[a + c] * W[b + c];
      y[r * out + o] = total;
    }
  return y;
}

/** What the head answers to a batch: { weights (count, 7) of the last word, chances (count, 6), loss, and what backward needs }. */
export function ask(head, batch) {
  const { count, d, x } = batch,
    width = head.W_q.length / d,
    last = new Float64Array(count * d);
  for (let n = 0; n < count; n++) last.set(x.subarray((n * SEQ + SEQ - 1) * d, (n + 1) * SEQ * d), n * d);
  return answered(head, batch, {
    last,
    q: project(last, head.W_q, count, d, width),
    k: project(x, head.W_k, count * SEQ, d, width),
    v: project(x, head.W_v, count * SEQ, d, width),
  });
}
/** The loss with one number of a matrix changed by so much: it moves one column of q, k or v, so nothing is projected again. */
export function lossMoved(head, batch, found, part, at, by) {
  const width = head.W_q.length / batch.d,
    unit = Math.floor(at / batch.d),
    moved = { ...found };
  for (const name of ["q", "k", "v"]) {
    if (head[`W_${name}`] !== head[part]) continue;
    const x = name === "q" ? found.last : batch.x;
    moved[name] = found[name].slice();
    for (let row = 0; row * width < moved[name].length; row++) moved[name][row * width + unit] += by * x[row * batch.d + (at % batch.d)];
  }
  return answered(head, batch, moved).loss;
}
function answered(head, batch, { last, q, k, v }) {
  const { count, answer } = batch,
    width = q.length / count,
    root = Math.sqrt(width),
    output = new Float64Array(count * width),
    weights = [],
    chances = [];
  let loss = 0;
  for (let n = 0; n < count; n++) {
    const scores = range(SEQ).map((j) => {
      let total = 0;
      for (let c = 0; c < width; c++) total += q[n * width + c] * k[(n * SEQ + j) * width + c];
      return total / root;
    });
    weights.push(softmax(scores));
    for (let j = 0; j < SEQ; j++) for (let c = 0; c < width; c++) output[n * width + c] += weights[n][j] * v[(n * SEQ + j) * width + c];
    chances.push(
      softmax(
        range(WORDS_OF_FARM).map((o) => {
          let total = head.bias[o];
          for (let c = 0; c < width; c++) total += head.readout[o * width + c] * output[n * width + c];
          return total;
        }),
      ),
    );
    loss -= Math.log(chances[n][answer[n]]) / count;
  }
  return { weights, chances, loss, last, q, k, v, output, answer };
}

/** The gradient of the loss with respect to every number of the head, under the names of newHead. In a tied head it stands under W_q. */
export function gradientOf(head, batch, { weights, chances, last, q, k, v, output, answer }) {
  const { count, d, x } = batch,
    width = head.W_q.length / d,
    root = Math.sqrt(width),
    made = Object.fromEntries(Object.entries(head).map(([name, values]) => [name, new Float64Array(values.length)]));
  if (head.W_k === head.W_q) made.W_k = made.W_q;
  const dOutput = new Float64Array(width),
    dq = new Float64Array(width);
  for (let n = 0; n < count; n++) {
    dOutput.fill(0);
    dq.fill(0);
    for (let o = 0; o < WORDS_OF_FARM; o++) {
      const slope = (chances[n][o] - (o === answer[n] ? 1 : 0)) / count;
      made.bias[o] += slope;
      for (let c = 0; c < width; c++) {
        made.readout[o * width + c] += slope * output[n * width + c];
        dOutput[c] += slope * head.readout[o * width + c];
      }
    }
    const along = range(SEQ).map((j) => {
      let total = 0;
      for (let c = 0; c < width; c++) total += dOutput[c] * v[(n * SEQ + j) * width + c];
      return total;
    });
    const mid = along.reduce((total, value, j) => total + value * weights[n][j], 0);
    for (let j = 0; j < SEQ; j++) {
      const row = n * SEQ + j,
        dScore = (weights[n][j] * (along[j] - mid)) / root;
      for (let c = 0; c < width; c++) {
        const dv = weights[n][j] * dOutput[c],
          dk = dScore * q[n * width + c];
        dq[c] += dScore * k[row * width + c];
        for (let e = 0, a = c * d, b = row * d; e < d; e++) {
          made.W_v[a + e] += dv * x[b + e];
          made.W_k[a + e] += dk * x[b + e];
        }
      }
    }
    for (let c = 0; c < width; c++) for (let e = 0; e < d; e++) made.W_q[c * d + e] += dq[c] * last[n * d + e];
  }
  return made;
}

/** torch.optim.Adam on numbers by name, in place. decay of the two means: betas. One array under two names is moved once. */
export function adam(rate, betas = [0.9, 0.999], eps = 1e-8) {
  const means = new Map();
  let step = 0;
  return (values, gradients, rateNow = rate) => {
    step += 1;
    const [one, two] = betas.map((beta) => 1 - beta ** step);
    for (const [name, array] of Object.entries(values)) {
      if (Object.keys(values).find((other) => values[other] === array) !== name) continue; // moved already
      if (!means.has(name)) means.set(name, [new Float64Array(array.length), new Float64Array(array.length)]);
      const [m, v] = means.get(name),
        g = gradients[name];
      for (let i = 0; i < array.length; i++) {
        m[i] = betas[0] * m[i] + (1 - betas[0]) * g[i];
        v[i] = betas[1] * v[i] + (1 - betas[1]) * g[i] * g[i];
        array[i] -= ((rateNow / one) * m[i]) / (Math.sqrt(v[i] / two) + eps);
      }
    }
  };
}

/** Share of right answers, and the mean weight on the place where the answer stands. by: of sentences whose last word is that one. */
export function exam(head, batch) {
  const { chances, weights } = ask(head, batch);
  const right = chances.map((row, n) => Number(row.indexOf(Math.max(...row)) === batch.answer[n]));
  return {
    right: right.reduce((a, b) => a + b) / batch.count,
    onPlace: weights.reduce((total, row, n) => total + row[batch.place[n]], 0) / batch.count,
    hits: right,
  };
}

const TEST = 400,
  BATCH = 64;
/** A training run that goes on as far as it is asked to, and remembers the head after every step. kind: "three", "mirror" (W_k is W_q) or "shuffled" (each sentence gets the next one's answer). */
export function lesson(words, { game, kind, start }, width = 16, rate = 0.003) {
  const d = words.animal[0].length,
    draw = lehmer(7001),
    move = adam(rate),
    tied = kind === "mirror",
    heads = [newHead(d, width, start, tied)],
    batches = [],
    losses = [];
  const copy = (head) => {
    const made = Object.fromEntries(Object.entries(head).map(([name, values]) => [name, values.slice()]));
    if (tied) made.W_k = made.W_q;
    return made;
  };
  const batchOf = (n) => {
    while (batches.length <= n) {
      const made = sentences(words, game, BATCH, draw);
      if (kind === "shuffled") made.answer = made.answer.map((_, i) => made.answer[(i + 1) % BATCH]);
      batches.push(made);
    }
    return batches[n];
  };
  const reach = (n) => {
    while (heads.length <= n) {
      const at = heads.length - 1,
        batch = batchOf(at),
        now = copy(heads[at]),
        found = ask(now, batch);
      losses[at] = found.loss;
      move(now, gradientOf(now, batch, found));
      heads.push(now);
    }
    losses[n] ??= ask(heads[n], batchOf(n)).loss;
    return heads[n];
  };
  return {
    reach,
    get trained() {
      return heads.length - 1;
    },
    losses,
    batchOf,
    copy,
    test: sentences(words, game, TEST, lehmer(7099)),
    farm: sameFarm(words, game, lehmer(7005)),
  };
}
