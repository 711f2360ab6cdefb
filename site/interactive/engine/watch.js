// A trained GPT, drawn end to end on the reader's own text: the scenes of the pages that watch one.

import { range, softmax } from "./tensor.js";
import { announce, h, show } from "./dom.js";
import { number, sentence } from "./store.js";
import { Matrix } from "./matrix.js";
import { ledger } from "./ledger.js";
import { figureOf, products, readout, sentenceInput, slider, tries, words } from "./controls.js";
import { pieceReader } from "./pieces.js";
import { readCheckpoint } from "./transformer.js";
import { SERIES } from "./colour.js";
import { dotProduct, lens, trace } from "./inside.js";
import { recordedRun } from "./recorded.js";
import { Stream } from "./stream.js";
import { page } from "./page.js";

const LAST = 1023, // a place beyond the end of any text: its last piece
  LONGEST = 256, // pieces that are read at once
  BEAT = 750, // milliseconds a piece, when it plays
  BUDGET = 4e7; // multiplications that are done unasked

/** How a text becomes ids: pieces of byte-pair encoding where every character is one, else words between blanks. */
function reading(vocab) {
  const ids = new Map(vocab.map((name, id) => [name, id])),
    long = vocab.filter((name) => Array.from(name).length > 1);
  if (vocab.some((name) => name.includes(" ")) && long.every((name) => Array.from(name).every((c) => ids.has(c)))) {
    const read = pieceReader(vocab);
    return { glue: "", read: (text) => read(text.replace(/¶/g, "\n")).filter((id) => id !== undefined) };
  }
  return {
    glue: " ",
    read: (text) =>
      text
        .trim()
        .split(/\s+/)
        .map((word) => ids.get(word) ?? ids.get(word.toLowerCase()))
        .filter((id) => id !== undefined),
  };
}

/** The model that is watched: its weights, how it reads, and what it has read already. */
function watched(checkpoint) {
  const model = readCheckpoint(checkpoint),
    { num_layers: layers, num_heads: heads, max_len: window } = model.config;
  const { read, glue } = reading(checkpoint.vocab),
    known = new Map(),
    once = (key, make) => {
      if (known.size > 80) known.delete(known.keys().next().value);
      if (!known.has(key)) known.set(key, make());
      return known.get(key);
    };
  const longest = Math.min(window, LONGEST);
  return {
    model,
    vocab: checkpoint.vocab,
    layers,
    heads,
    longest,
    glue,
    every: range(layers * heads).map((n) => [Math.floor(n / heads), n % heads]),
    all: (text) => once(`text ${text}`, () => read(text)),
    ids: (text) => once(`text ${text}`, () => read(text)).slice(-longest),
    run: (ids, off) => once(JSON.stringify([ids, off]), () => ({ ...trace(model, ids, off), logits: [] })),
    /** Logits after each step at one place: after the embeddings, then after every block. */
    rows(ids, off, place, step) {
      const { streams, logits } = this.run(ids, off);
      return ((logits[step] ??= [])[place] ??= lens(model, streams[step][place]));
    },
    /** Probabilities of what comes next, at the same place. */
    chances(...where) {
      return softmax(this.rows(...where));
    },
    cost: (length) => length * 12 * model.tokens[0].length ** 2 * layers * layers * heads,
  };
}
let now = watched(PAGE_DATA),
  FIELDS;

const seen = (piece) => piece.replace(/ /g, "·").replace(/\n/g, "¶");
const nameOf = (id) => seen(now.vocab[id]);
const sayable = (id) => now.vocab[id].replace(/\n/g, " new line ").trim() || "a blank";
const headName = ([layer, head]) => `layer ${layer}, head ${head}`;
const toOff = (text) =>
  (typeof text === "string" ? text.split(",").filter(Boolean) : text).map((one) => (typeof one === "string" ? one.split(".").map(Number) : one));

/** The heads that are off, written "0.3,1.2". */
const switches = {
  fallback: [],
  read(text) {
    if (typeof text !== "string" && !Array.isArray(text)) return undefined;
    const off = toOff(text);
    if (now.recorded && off.length) return undefined;
    return off.every((one) => Array.isArray(one) && now.every.some(([layer, head]) => layer === one[0] && head === one[1])) ? off : undefined;
  },
  write: (off) => off.map((one) => one.join(".")).join(","),
};

function normalise(state) {
  const length = now.ids(state.text).length;
  const place = Math.min(state.place, length - 1);
  return { place, layer: Math.min(state.layer, now.layers - 1), head: Math.min(state.head, now.heads - 1), key: Math.min(state.key, place) };
}

function compute({ text, place, off, layer, head, key }) {
  const ids = now.ids(text),
    present = now.run(ids, off),
    logits = now.rows(ids, off, place, now.layers),
    before = now.chances(ids, [], place, now.layers),
    chances = now.chances(ids, off, place, now.layers);
  const best = before.indexOf(Math.max(...before)),
    block = present.blocks[layer],
    row = block.weights[head][place],
    to = key < 0 ? row.indexOf(Math.max(...row)) : key;
  const steps = range(now.layers + 1);
  return {
    ids,
    place,
    logits,
    chances,
    before,
    best,
    weights: present.blocks.map((one) => one.weights),
    lens: steps.map((step) => now.chances(ids, off, place, step)),
    to,
    zoom: dotProduct(block, head, place, to),
    lengths: present.blocks.map((one, n) => ({
      before: present.streams[n].map((vector) => Math.hypot(...vector)),
      after: present.streams[n + 1].map((vector) => Math.hypot(...vector)),
      ...one.lengths,
    })),
    /** The answer's probability with one head off, (layers, heads): computed when it is asked for. */
    get alone() {
      return range(now.layers).map((l) => range(now.heads).map((n) => now.chances(ids, [[l, n]], place, now.layers)[best]));
    },
  };
}

/** A switch for each head, a row of them for each layer; made anew when another model comes. */
function headSwitches(store, onlight, effect) {
  const element = h("div.head-switches");
  let drawn = null,
    inputs = [];
  return {
    element,
    update({ off }) {
      if (drawn !== now) {
        drawn = now;
        inputs = now.every.map(([layer, head]) =>
          h("input", {
            type: "checkbox",
            role: "switch",
            "aria-label": headName([layer, head]),
            onchange: () => {
              const others = store.state.off.filter((one) => !(one[0] === layer && one[1] === head)),
                on = inputs[layer * now.heads + head].checked;
              store.set({ off: on ? others : [...others, [layer, head]].sort((a, b) => a[0] - b[0] || a[1] - b[1]) });
              announce(`${on ? "On" : "Off"}: ${effect()}`);
            },
            onfocus: (event) => event.target.matches(":focus-visible") && onlight([layer, head]),
            onblur: () => onlight(null),
          }),
        );
        element.replaceChildren(
          ...range(now.layers).map((layer) =>
            h(
              "fieldset.head-row",
              {},
              h("legend", {}, `Heads of layer ${layer}`),
              range(now.heads).map((head) =>
                h(
                  "label.head-chip",
                  { style: `--head: ${SERIES[head % SERIES.length]}`, onpointerenter: () => onlight([layer, head]), onpointerleave: () => onlight(null) },
                  inputs[layer * now.heads + head],
                  h("span", {}, String(head)),
                ),
              ),
            ),
          ),
        );
      }
      now.every.forEach(([layer, head], n) => {
        inputs[n].disabled = Boolean(now.recorded);
        inputs[n].checked = !off.some((one) => one[0] === layer && one[1] === head);
      });
    },
  };
}

/** Goes along the text by itself; any other change of the page stops it. */
function player(store) {
  let timer = 0,
    mine = false;
  const button = h("button.step-button.primary", { type: "button", onclick: () => (timer ? stop() : play()) }, "▶ Play");
  const step = (place) => {
    mine = true;
    store.set({ place });
    mine = false;
  };
  function stop() {
    clearInterval(timer);
    timer = 0;
    button.textContent = "▶ Play";
  }
  function play() {
    const length = now.ids(store.state.text).length;
    step(store.state.place >= length - 1 ? 0 : store.state.place + 1);
    button.textContent = "❚❚ Pause";
    timer = setInterval(() => {
      if (store.state.place >= now.ids(store.state.text).length - 1) stop();
      else step(store.state.place + 1);
    }, BEAT);
  }
  store.on(() => {
    if (!mine && timer) stop();
  });
  return button;
}

const toEnd = (store) => ({ set: (changes) => store.set({ ...changes, place: LAST }), get state() { return store.state; } });
const textOf = (ids) => ids.map((id) => now.vocab[id]).join(now.glue);

const watchScene = {
  id: "watch",
  title: "Watch it read",
  owns: ["text", "place", "off"],
  text: `<p>Every line is one piece of the text on its way through the model, from left to right. In each layer the <em>heads</em> carry something over from earlier pieces, along the arcs; the <em>feed-forward network</em>, the square, adds its own.
    After each layer stands what the model would say if it had to stop there. Type, press play, switch a head off.</p>`,
  build({ store }) {
    const input = sentenceInput(toEnd(store), "text", "Your text"),
      scrub = slider(store, "place", "Piece", { text: (place) => `${place + 1} of ${now.ids(store.state.text).length}` }),
      play = player(store),
      answers = ledger({ caption: "What comes next" }),
      said = h("p.effect", { role: "status" }),
      read = readout("Arcs: what the heads carry over, as thick as the weight. Squares: feed-forward. ✓: so the text goes on. Point at an arc, or press it to see where its weight comes from.");
    let model;
    const stream = new Stream({
      name: "stream",
      onpick: (place) => store.set({ place }),
      onarc: ({ layer, head, key }) => {
        store.set({ layer, head, key });
        window.attention.cue("scene:zoom");
      },
      onover: (arc) =>
        read.say(
          arc && [
            [headName([arc.layer, arc.head]), "of-query"],
            ` lets “${nameOf(model.ids[model.place])}” look at `,
            [`“${nameOf(model.ids[arc.key])}”`, "of-key"],
            " with the weight ",
            [show(model.weights[arc.layer][arc.head][model.place][arc.key], 3), "result"],
            ".",
          ],
        ),
    });
    const heads = headSwitches(
      store,
      (only) => stream.light(only),
      () => `“${sayable(model.best)}” ${show(model.before[model.best], 2)} with all heads on, now ${show(model.chances[model.best], 2)}`,
    );
    const write = h(
      "button.step-button",
      {
        type: "button",
        onclick: () => {
          const id = model.chances.indexOf(Math.max(...model.chances)),
            ids = [...model.ids.slice(0, model.place + 1), id];
          store.set({ text: seen(textOf(ids)).replace(/·/g, " "), place: LAST });
          announce(`Added: ${sayable(id)}`);
        },
      },
      "Add what it says",
    );
    const on = h("button.step-button", { type: "button", onclick: () => store.set({ off: [] }) }, "All heads on");
    return {
      elements: h(
        "div.figure.watch",
        {},
        h("div.watch-top", {}, input.element, h("div.button-row", {}, play, write), scrub.element),
        h("div.row.watch-row", {}, h("div.stack", {}, heads.element, stream.element, h("div.effect-row", {}, said, on), read.element), h("div.stack", {}, answers.element)),
      ),
      render(made, state) {
        model = made;
        const { ids, place, chances, before, best } = made;
        input.update(state);
        scrub.limit(0, ids.length - 1);
        scrub.update(state);
        heads.update(state);
        const off = state.off,
          pieces = ids.map(nameOf);
        stream.update({
          pieces,
          place,
          blocks: range(now.layers).map((n) => ({
            weights: made.weights[n],
            off: off.filter(([layer]) => layer === n).map(([, head]) => head),
            lengths: made.lengths[n],
            said: range(place + 1).map((i) => {
              const said = now.chances(ids, off, i, n + 1),
                p = Math.max(...said),
                id = said.indexOf(p);
              return { text: nameOf(id), p, hit: id === ids[i + 1] };
            }),
          })),
        });
        const order = range(chances.length).sort((a, b) => Math.max(chances[b], before[b]) - Math.max(chances[a], before[a]) || a - b),
          changed = off.length > 0;
        answers.update(
          order.slice(0, 6).map((id) => ({
            name: nameOf(id),
            share: chances[id],
            ghost: changed ? before[id] : undefined,
            amount: show(chances[id], 3),
            how: changed ? [`was ${show(before[id], 3)}`] : [],
            chosen: id === best,
            say: `${sayable(id)}: probability ${show(chances[id], 3)}${changed ? `, with all heads on ${show(before[id], 3)}` : ""}`,
          })),
          `After “${nameOf(ids[place])}” comes`,
        );
        const top = chances.indexOf(Math.max(...chances));
        said.replaceChildren(
          ...(changed
            ? [
                h("b", {}, `“${nameOf(best)}” ${show(before[best], 2)} → ${show(chances[best], 2)}`),
                ` without ${off.map(headName).join("; ")}${top === best ? "." : `: it now says “${nameOf(top)}”.`}`,
              ]
            : ["All heads are on."]),
        );
        on.disabled = !changed;
        write.disabled = now.recorded || textOf(ids.slice(0, place + 1)).length > 190 || ids.length >= now.longest;
      },
    };
  },
};

const zoomScene = {
  id: "zoom",
  title: "One dot product",
  owns: ["layer", "head", "key"],
  text: `<p>Where does a weight come from? The piece that reads makes a <b class="of-query">query</b>, the piece that it looks at makes a <b class="of-key">key</b>: two short rows of numbers.
    Multiply them pair by pair, add, divide by √<i>d</i>. Softmax turns the scores of all pieces so far into weights that sum to 1.</p>`,
  build({ store, view }) {
    const pick = {
        layer: words(store, "layer", "Layer"),
        head: words(store, "head", "Head"),
        place: words(store, "place", "The piece that reads"),
        key: words(store, "key", "The piece that it looks at"),
      },
      chain = h("p.chain"),
      [score, scaled, weight] = [figureOf("Dot product q·k"), figureOf("Divided by √d"), figureOf("Weight after softmax")];
    const signed = { ramp: "signed", quantity: "value", digits: 2 };
    const product = view(new Matrix({ name: "product", title: "Query, key, and what their pairs give", ...signed }));
    const pattern = view(
      new Matrix({ name: "pattern", rowKind: "query", columnKind: "key", quantity: "weight", limits: [0, 1], shrink: true }),
    );
    return {
      elements: h(
        "div.figure",
        {},
        h("div.controls", {}, pick.layer.element, pick.head.element),
        h("div.row.two", {}, pick.place.element, pick.key.element),
        product.element,
        chain,
        h("div.meters", {}, score.element, scaled.element, weight.element),
        h("details.as-table", {}, h("summary", {}, "This head as a matrix"), pattern.element),
      ),
      render({ ids, place, to, zoom, weights }, state) {
        const names = ids.map(nameOf),
          d = zoom.query.length;
        pick.layer.update(state, range(now.layers).map(String));
        pick.head.update(state, range(now.heads).map(String));
        pick.place.update(state, names);
        pick.key.update({ key: to }, names.slice(0, place + 1));
        const rows = [zoom.query, zoom.key, zoom.products],
          kinds = ["query", "key", "product"];
        const upright = innerWidth < 700; // a column for each, where a row would not fit
        product.update({
          values: upright ? range(d).map((n) => rows.map((row) => row[n])) : rows,
          rows: upright ? range(d).map((n) => `pair ${n}`) : kinds,
          columns: upright ? kinds : range(d).map(String),
          rowKind: "",
          columnKind: upright ? "" : "pair",
        });
        chain.replaceChildren(
          ...products(zoom.query.slice(0, 3), zoom.key.slice(0, 3)).map((part) => (Array.isArray(part) ? h(`span.${part[1]}`, {}, part[0]) : part)),
          d > 3 ? ` + … = ` : " = ",
          h("b", {}, show(zoom.score, 2)),
        );
        score.update(show(zoom.score, 2), `${d} pairs, added`);
        scaled.update(show(zoom.scaled, 2), `√${d} = ${show(Math.sqrt(d), 2)}`);
        weight.update(show(zoom.weight, 3), `of “${names[place]}” on “${names[to]}”`);
        const first = Math.max(0, place - 39), // of a long text, the last 40 up to here
          part = (row) => row.slice(first, first + 40);
        pattern.update({
          values: part(weights[state.layer][state.head]).map(part),
          rows: part(names),
          columns: part(names),
          title: `All weights of ${headName([state.layer, state.head])}${names.length > 40 ? `, pieces ${first + 1} to ${first + part(names).length}` : ""}`,
          onrow: (i) => store.set({ place: first + i }),
        });
        pattern.set("chosen", (i) => first + i === place);
      },
    };
  },
};

const lensScene = {
  id: "lens",
  title: "Layer by layer",
  owns: [],
  text: `<p>The <em>logit lens</em>: take the vector as it stands after a layer, and pretend it were the last. The final norm and the token table then give an answer, which the later layers may still change.
    Before the first layer the model knows one piece only, so it says that piece again: the same table is at both ends.</p>`,
  build({ store }) {
    const row = h("div.lenses"),
      lists = [];
    const place = slider(store, "place", "After the piece", { text: (at) => `“${nameOf(now.ids(store.state.text)[at])}”` });
    return {
      elements: h("div.figure", {}, place.element, row),
      render({ ids, lens: steps, chances }, state) {
        place.limit(0, ids.length - 1);
        place.update(state);
        while (lists.length > steps.length) lists.pop().element.remove();
        const final = chances.indexOf(Math.max(...chances));
        steps.forEach((step, n) => {
          if (!lists[n]) {
            lists[n] = ledger({ caption: "" });
            row.append(lists[n].element);
          }
          const order = range(step.length).sort((a, b) => step[b] - step[a] || a - b),
            top = order.slice(0, 5),
            list = top.includes(final) ? top : [...top.slice(0, 4), final];
          lists[n].update(
            list.map((id) => ({
              name: nameOf(id),
              share: step[id],
              amount: show(step[id], 3),
              how: top.includes(id) ? [] : [`rank ${order.indexOf(id) + 1}`],
              chosen: id === final,
              say: `${sayable(id)}: probability ${show(step[id], 3)}`,
            })),
            n === 0 ? "Before layer 0" : n < steps.length - 1 ? `After layer ${n - 1}` : `After layer ${n - 1}: the answer`,
          );
        });
      },
    };
  },
};

const headsScene = {
  id: "heads",
  title: "Which head is needed?",
  owns: [],
  text: `<p>Each number is what is left of the answer's probability when that one head is off. A head may look hard at a piece and not be missed; another is all that the answer hangs on.</p>`,
  build({ store, view }) {
    const answer = figureOf("With all heads on"),
      left = figureOf("Without the head you point at"),
      ask = h("button.step-button", { type: "button", onclick: () => draw(true) }, "Switch off each head in turn");
    let model, timer, drawn;
    const alone = view(
      new Matrix({
        name: "alone",
        rowKind: "layer",
        columnKind: "head",
        limits: [0, 1],
        say: (layer, head, value) => `without layer ${layer}, head ${head}: probability ${show(value, 2)}`,
        onpoint: (place) => tell(place),
      }),
    );
    const least = () => {
      const flat = drawn.flat(),
        at = flat.indexOf(Math.min(...flat));
      return { i: Math.floor(at / now.heads), j: at % now.heads };
    };
    function tell(place) {
      if (!drawn) return;
      const { i, j } = place ?? least(),
        rest = now.chances(model.ids, [[i, j]], model.place, now.layers),
        says = rest.indexOf(Math.max(...rest));
      left.update(
        show(drawn[i][j], 3),
        `${headName([i, j])}${says === model.best ? "" : `: it says “${nameOf(says)}”`}`,
        drawn[i][j] < model.before[model.best] / 2 ? "bad" : "",
      );
    }
    function draw(asked) {
      const costly = now.cost(model.ids.length) > BUDGET && !asked;
      ask.hidden = !costly;
      alone.element.hidden = costly;
      left.element.hidden = costly;
      if (costly) return;
      drawn = model.alone;
      alone.update({
        values: drawn,
        rows: range(now.layers).map((n) => `layer ${n}`),
        columns: range(now.heads).map(String),
        title: `Probability of “${nameOf(model.best)}” with one head off`,
      });
      tell(null);
    }
    return {
      elements: h(
        "div.figure",
        {},
        h("div.row.two", {}, h("div.stack", {}, alone.element, ask), h("div.meters", {}, answer.element, left.element)),
        tries(store, [
          {
            text: "Switch off the head that this answer needs most, and see the picture change.",
            changes: () => {
              if (now.recorded) return {};
              const { i, j } = (drawn ??= model.alone) && least();
              return { off: [[i, j]] };
            },
          },
          { text: "All heads on again.", changes: { off: [] } },
        ]),
      ),
      render(made, state) {
        const first = !model,
          same = model && JSON.stringify([model.ids, model.place]) === JSON.stringify([made.ids, made.place]);
        model = made;
        answer.update(show(made.before[made.best], 3), `“${nameOf(made.best)}” after “${nameOf(made.ids[made.place])}”`);
        clearTimeout(timer);
        if (first) draw();
        else if (!same || state.off) timer = setTimeout(draw, 200); // not at every step of a play
      },
    };
  },
};

/** The page of a GPT: page({…})'s own words, and the text that it starts with. Its model is PAGE_DATA until another one is handed over. */
export function watchPage({ start, ...words }) {
  FIELDS = {
    text: { ...sentence(start, 200), read: (text) => (typeof text === "string" && now.all(text.slice(0, 200)).length ? text.slice(0, 200) : undefined) },
    place: number(0, LAST, LAST),
    off: switches,
    layer: number(0, 63, 0),
    head: number(0, 63, 0),
    key: number(-1, LAST, -1),
  };
  page({ number: 0, ...words, fields: FIELDS, normalise, compute, scenes: [watchScene, zoomScene, lensScene, headsScene] });
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
  now = given.run ? recordedRun(given.run) : watched(given);
  const text = given.run ? given.run.text : typeof given.text === "string" && now.all(given.text).length ? given.text : now.vocab.slice(0, 8).join(now.glue);
  FIELDS.text.fallback = text;
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
