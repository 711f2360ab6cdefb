// How a language model read a text: recorded, or computed by a worker from the model's file. Both answer the same questions.
//
// reading: { title, text, pieces, layers, heads, marks: {"layer.head": "induction" | "sink"}, answers: [{ name, p }], answer: { name, p },
//   row(layer, head, i)     weights of piece i on the pieces up to it
//   without(layer, head)    { answers, left }: the end of the text without that head; null while it is not known
//   lens(i)                 [{ name, p }] after each layer, before the first one too; null while it is not known }

import { range, softmax } from "./tensor.js";

/** {kind: [[layer, head, …], …]} as {"layer.head": kind}. */
export const marksOf = (marks) => Object.fromEntries(Object.entries(marks).flatMap(([kind, all]) => all.map(([layer, head]) => [`${layer}.${head}`, kind])));

async function inflated(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0)),
    stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).arrayBuffer();
}

/** A recorded text, as coursesite/pages/recordings.py packs it. */
export async function recordedText({ layers, heads, marks }, { title, text, pieces, names, packed }) {
  const view = new DataView(await inflated(packed)),
    n = pieces.length,
    every = layers * heads;
  let at = 0;
  const take = (rows, columns) =>
    range(rows).map(() =>
      range(columns).map(() => {
        at += 2;
        return view.getUint16(at - 2, true);
      }),
    );
  const [said, sure, top, chances] = [take(layers + 1, n), take(layers + 1, n), take(every + 1, 5), take(every + 1, 6)],
    begin = at;
  const answers = (run) => top[run].map((id, i) => ({ name: names[id], p: chances[run][i] / 1000 }));
  return {
    title,
    text,
    pieces,
    layers,
    heads,
    marks: marksOf(marks),
    answers: answers(0),
    answer: answers(0)[0],
    row(layer, head, i) {
      const from = begin + (((layer * heads + head) * n * (n - 1)) / 2 + (i * (i - 1)) / 2),
        later = range(i).map((j) => view.getUint8(from + j));
      return [255 - later.reduce((a, b) => a + b, 0), ...later].map((part) => part / 255);
    },
    without: (layer, head) => ({ answers: answers(1 + layer * heads + head), left: chances[1 + layer * heads + head][5] / 1000 }),
    lens: (i) => range(layers + 1).map((step) => ({ name: names[said[step][i]], p: sure[step][i] / 1000 })),
  };
}

/** A text as a worker reads it. ask(task, given) gives what the worker has made; changed() says that more is known. */
export function liveText(model, ask, changed) {
  const { pairs } = model,
    ids = [],
    maps = range(model.layers).map(() => range(model.heads).map(() => [])),
    known = new Map();
  const top = (logits) => {
    const chances = softmax(Array.from(logits)),
      order = range(chances.length).sort((a, b) => chances[b] - chances[a]);
    return { chances, answers: order.slice(0, 5).map((id) => ({ id, name: pairs.text([id]), p: chances[id] })) };
  };
  /** What is known under a key; it is asked for when it is wanted first, and forgotten when the text goes on. */
  const wanted = (key, task, given, finished) => {
    if (!known.has(key)) {
      const length = ids.length;
      known.set(key, null);
      ask(task, given).then((made) => {
        if (length !== ids.length) return;
        known.set(key, finished(made));
        changed();
      }, changed);
    }
    return known.get(key);
  };
  const reading = {
    ...{ title: model.title, layers: model.layers, heads: model.heads, marks: model.marks, live: true },
    get text() {
      return pairs.text(ids);
    },
    pieces: [],
    row: (layer, head, i) => Array.from(maps[layer][head][i]),
    without: (layer, head) =>
      wanted(`head ${layer}.${head}`, "without", { layer, head }, ({ logits }) => {
        const { chances, answers } = top(logits);
        return { answers, left: chances[reading.answer.id] };
      }),
    lens: (place) => wanted(`lens ${place}`, "lens", { place }, (steps) => steps.map(([id, p]) => ({ name: pairs.text([id]), p }))),
    /** Reads on; returns milliseconds. */
    async read(more) {
      const made = await ask("read", { ids: more, anew: ids.length === 0 });
      ids.push(...more);
      made.maps.forEach((heads, layer) => heads.forEach((rows, head) => maps[layer][head].push(...rows)));
      known.clear();
      const { answers } = top(made.logits);
      Object.assign(reading, { pieces: ids.map((id) => pairs.text([id])), logits: Array.from(made.logits), answers, answer: answers[0] });
      return made.milliseconds;
    },
  };
  return reading;
}
