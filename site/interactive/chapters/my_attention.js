import { attention, map } from "../engine/tensor.js";
import { embed, RUNNING_SENTENCE, wordsOf } from "../engine/words.js";
import { h, show } from "../engine/dom.js";
import { flag, sentence } from "../engine/store.js";
import { Matrix } from "../engine/matrix.js";
import { sentenceInput, toggle } from "../engine/controls.js";
import { readout, strip } from "../engine/readouts.js";
import { page } from "../engine/page.js";

function compute({ text, causal }) {
  const tokens = wordsOf(text),
    x = embed(tokens);
  return {
    tokens,
    ...attention(x, x, x, {
      mask: causal
        ? map(
            x.map(() => x),
            (_, i, j) => j <= i,
          )
        : null,
    }),
  };
}

const exampleScene = {
  id: "example",
  title: "An example, until yours arrives",
  owns: ["text", "causal"],
  text: `<p>In a notebook, <code>ab.show_my_attention(weights, tokens)</code> draws your own tensor here: <code>(seq, seq)</code>, <code>(heads, seq, seq)</code> or <code>(batch, heads, seq, seq)</code>.
    Until then these are the weights of a sentence whose queries and keys are its embeddings.</p>`,
  build({ store, view }) {
    const input = sentenceInput(store, "text", "Sentence"),
      causal = toggle(store, "causal", "Hide later words"),
      pieces = strip(),
      read = readout("Point at a cell, or walk with the arrow keys.");
    let model;
    const weights = view(
      new Matrix({
        name: "weights",
        rowKind: "query",
        columnKind: "key",
        quantity: "weight",
        limits: [0, 1],
        title: "Attention weights",
        onpoint: (place) => {
          if (!place) {
            read.say(null);
            return;
          }
          read.say([
            "Query ",
            [model.tokens[place.i], "of-query"],
            " gives key ",
            [model.tokens[place.j], "of-key"],
            " the weight ",
            [show(model.weights[place.i][place.j], 4), "result"],
            ".",
          ]);
          pieces.update(model.weights[place.i], model.tokens, `Weights of ${model.tokens[place.i]}`);
        },
      }),
    );
    return {
      elements: h("div.figure", {}, input.element, causal.element, weights.element, read.element, pieces.element),
      render(now, state) {
        model = now;
        input.update(state);
        causal.update(state);
        weights.update({ values: now.weights, rows: now.tokens, columns: now.tokens });
        const row = Math.min(weights.at.i, now.tokens.length - 1);
        pieces.update(now.weights[row], now.tokens, `Weights of ${now.tokens[row]}`);
      },
    };
  },
};

page({
  chapter: "my_attention",
  number: 0,
  title: "Your attention",
  deck: "The weights that your own code has computed, to walk through.",
  viewer: true,
  fields: { text: sentence(RUNNING_SENTENCE), causal: flag(true) },
  compute,
  scenes: [exampleScene],
});
