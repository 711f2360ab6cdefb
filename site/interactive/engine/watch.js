// A trained GPT, drawn end to end on the reader's own text: the page that its scenes stand on.

import { range } from "./tensor.js";
import { h } from "./dom.js";
import { number, sentence } from "./store.js";
import { page } from "./page.js";
import { watchScene } from "./reading.js";
import { headsScene, lensScene, zoomScene } from "./dissect.js";
import { compute, LAST, normalise, now, switches, watchNow } from "./watched.js";

let fields;

/** The page of a GPT: page({…})'s own words, and the text that it starts with. Its model is PAGE_DATA until another one is handed over. */
export function watchPage({ start, ...words }) {
  fields = {
    text: { ...sentence(start, 200), read: (text) => (typeof text === "string" && now.all(text.slice(0, 200)).length ? text.slice(0, 200) : undefined) },
    place: number(0, LAST, LAST),
    off: switches,
    layer: number(0, 63, 0),
    head: number(0, 63, 0),
    key: number(-1, LAST, -1),
  };
  page({ number: 0, ...words, fields, normalise, compute, scenes: [watchScene, zoomScene, lensScene, headsScene] });
  window.addEventListener("message", ({ data }) => data?.model && take(data.model));
  if (globalThis.ATTENTION_MODEL) take(globalThis.ATTENTION_MODEL);
}

/** What a checkpoint lacks of the tensors of chapter 8's GPT. */
function lacking({ config, tensors, vocab }) {
  if (!config || !tensors || !Array.isArray(vocab)) return ["config, tensors and vocab"];
  const block = ["norm1", "norm2", "attention.W_q", "attention.W_k", "attention.W_v", "attention.W_o", "feed_forward.linear1", "feed_forward.linear2"],
    parts = ["token_embedding", "position_embedding", "norm", ...range(config.num_layers ?? 0).flatMap((n) => block.map((name) => `blocks.${n}.${name}`))];
  return parts.filter((name) => !tensors[`${name}.weight`]);
}

/** A model of the reader's own, { config, vocab, tensors, text, title }, takes the place of the page's. */
function take(given) {
  document.querySelector("main > .problem")?.remove();
  const missing = given.run ? [] : lacking(given);
  if (missing.length) {
    const more = missing.length > 3 ? `, and ${missing.length - 3} more` : "";
    document
      .querySelector("main")
      .prepend(h("p.problem", { role: "alert" }, `This model cannot be drawn: expected the parts of chapter 8's GPT, but found no ${missing.slice(0, 3).join(", ")}${more}.`));
    return;
  }
  watchNow(given);
  const text = given.run ? given.run.text : typeof given.text === "string" && now.all(given.text).length ? given.text : now.vocab.slice(0, 8).join(now.glue);
  fields.text.fallback = text;
  document.querySelector("h1").textContent = given.title ? String(given.title) : "Your model";
  document.querySelector(".deck").textContent = `${now.layers} ${now.layers === 1 ? "layer" : "layers"}, ${now.heads} ${now.heads === 1 ? "head" : "heads"} each, ${now.vocab.length} tokens, up to ${now.longest} at once. Nothing is sent anywhere.`;
  if (now.recorded)
    document.querySelector(".deck").textContent =
      `${now.layers} layers of ${now.heads} heads, too large for a page: your notebook has recorded how it read these ${now.longest} pieces. The text and the switches are fixed; below stands what each head is needed for.`;
  if (now.recorded)
    document.querySelector("footer.colophon > p").textContent =
      "The probabilities, queries, keys and lengths shown here were computed by your notebook; your browser computes the attention weights from the queries and keys. Nothing is sent anywhere.";
  document.body.classList.toggle("recorded-run", Boolean(now.recorded));
  document.querySelectorAll("#watch input[type=text], #watch textarea").forEach((input) => (input.readOnly = Boolean(now.recorded)));
  document.body.classList.add("own-model");
  window.attention.reset();
}
