// "Your tensor": attention weights handed over by a notebook, drawn by the same matrix as everything else.
//
// { weights: (seq_q, seq_k) or (heads, …) or (batch, heads, …), tokens: [words], keys: [words, if others] }

import { h, show, spoken } from "./dom.js";
import { entropy, range, sum } from "./tensor.js";
import { Matrix } from "./matrix.js";
import { figureOf, readout, strip } from "./readouts.js";

const depth = (value) => (Array.isArray(value) ? 1 + depth(value[0]) : 0);
const readNumber = (value) => (value === null || value === "NaN" ? NaN : value); // JSON has no NaN

/** -> { heads: [matrix], rows, columns, dropped } or { problem }: what is wrong, in words. */
export function readTensor({ weights, tokens, keys = tokens }) {
  const rank = depth(weights);
  if (rank < 2 || rank > 4)
    return { problem: `weights must be (seq, seq), (heads, seq, seq) or (batch, heads, seq, seq); these have ${rank} dimensions.` };
  const dropped = rank === 4 ? weights.length : 1;
  const heads = (rank === 4 ? weights[0] : rank === 3 ? weights : [weights]).map((head) => head.map((row) => row.map(readNumber)));
  const [rows, columns] = [heads[0].length, heads[0][0].length];
  if (!heads.every((head) => head.length === rows && head.every((row) => row.length === columns && row.every((v) => typeof v === "number")))) {
    return { problem: "weights must be numbers, all rows equally long." };
  }
  if (rows > 64 || columns > 64) return { problem: `${rows} queries and ${columns} keys: up to 64 can be drawn; pass a part of the tensor.` };
  const names = (list, n, what) =>
    list === undefined || list === null
      ? range(n).map((i) => String(i))
      : list.length === n
        ? Array.from(list, String)
        : { problem: `${list.length} ${what} were given for ${n} ${what === "tokens" ? "queries" : "key positions"}.` };
  const side = names(tokens, rows, "tokens"),
    top = names(keys, columns, "keys");
  return side.problem || top.problem ? { problem: side.problem ?? top.problem } : { heads, rows: side, columns: top, dropped };
}

export function handover() {
  const element = h("section.scene", { id: "yours", "aria-labelledby": "yours-title", hidden: true });
  let data = null,
    head = 0,
    matrix,
    read;

  function take(message) {
    data = readTensor(message);
    head = 0;
    element.hidden = false;
    const title = h("h2", { id: "yours-title" }, message.title ? String(message.title) : "Your tensor");
    if (data.problem) {
      element.replaceChildren(title, h("p.problem", { role: "alert" }, data.problem));
      return;
    }
    read = readout("Point at a cell, or walk with the arrow keys.");
    const pieces = strip();
    const rowSum = figureOf("This row sums to"),
      bits = figureOf("Its entropy, in nats"),
      ahead = figureOf("Most weight on a later position");
    matrix = new Matrix({
      name: "yours",
      rowKind: "query",
      columnKind: "key",
      quantity: "weight",
      limits: [0, 1],
      onrow: (i) => matrix.point(i, 0),
      onpoint: (place) => {
        if (!place) return;
        const row = data.heads[head][place.i];
        read.say([
          "Query ",
          [data.rows[place.i], "of-query"],
          " gives key ",
          [data.columns[place.j], "of-key"],
          " the weight ",
          [show(row[place.j], 4), "result"],
          ".",
        ]);
        pieces.update(row, data.columns, `Weights of query ${data.rows[place.i]}`);
        const total = sum(row),
          spread = entropy(row),
          late = Math.max(0, ...row.filter((_, j) => j > place.i));
        rowSum.update(
          show(total, 4),
          Math.abs(total - 1) < 1e-3
            ? "as softmax makes it"
            : total === 0
              ? "nothing to attend to"
              : "softmax rows sum to 1: was dropout on, or a mask put in afterwards?",
          Math.abs(total - 1) < 1e-3 ? "good" : "bad",
        );
        bits.update(show(spread, 2), `0 is one word, ${show(Math.log(row.length), 2)} all alike`);
        ahead.update(show(late, 4), late === 0 ? "nothing looks ahead from here" : "a causal model gives 0 here");
      },
    });
    const picker =
      data.heads.length > 1
        ? h(
            "fieldset.segments",
            {},
            h("legend", {}, "Head"),
            h(
              "div.track",
              {},
              data.heads.map((_, i) =>
                h(
                  "label",
                  {},
                  h("input", {
                    type: "radio",
                    name: "your-head",
                    checked: i === 0,
                    onchange: () => {
                      head = i;
                      render();
                    },
                  }),
                  h("span", {}, String(i)),
                ),
              ),
            ),
          )
        : null;
    element.replaceChildren(
      title,
      h(
        "div.prose",
        {},
        h(
          "p",
          {},
          `${data.heads.length} ${data.heads.length === 1 ? "matrix" : "heads"}, ${data.rows.length} queries, ${data.columns.length} keys.`,
          data.dropped > 1 ? ` The first of ${data.dropped} in the batch is drawn.` : "",
        ),
      ),
      h("div.figure", {}, picker, matrix.element, read.element, pieces.element, h("div.meters", {}, rowSum.element, bits.element, ahead.element)),
    );
    render();
    matrix.point(0, 0);
  }
  function render() {
    if (!data || data.problem) return;
    matrix.update({
      values: data.heads[head],
      rows: data.rows,
      columns: data.columns,
      title: "Attention weights",
      say: (i, j, value) => `query ${data.rows[i]}, key ${data.columns[j]}: weight ${spoken(value, 2)}`,
    });
    matrix.table.classList.toggle("tiny", data.columns.length > 16);
    const { i, j } = matrix.at;
    matrix.point(i, j);
  }
  return { element, take, render };
}
