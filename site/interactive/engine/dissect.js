// The GPT taken apart: one dot product, what it would say after each layer, and which head is needed.

import { range } from "./tensor.js";
import { h, show } from "./dom.js";
import { Matrix } from "./matrix.js";
import { ledger } from "./ledger.js";
import { slider, tries, words } from "./controls.js";
import { figureOf, products } from "./readouts.js";
import { headName, nameOf, now, sayable } from "./watched.js";

const BUDGET = 4e7; // multiplications that are done unasked

export const zoomScene = {
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

export const lensScene = {
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

export const headsScene = {
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
