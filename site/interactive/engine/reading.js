// The GPT drawn end to end while it reads: arcs, switches for its heads, what it would say next.

import { range } from "./tensor.js";
import { announce, h, show } from "./dom.js";
import { ledger } from "./ledger.js";
import { sentenceInput, slider } from "./controls.js";
import { player } from "./player.js";
import { readout } from "./readouts.js";
import { SERIES } from "./colour.js";
import { Stream } from "./stream.js";
import { headName, LAST, nameOf, now, sayable, seen } from "./watched.js";

const BEAT = 750; // milliseconds a piece, when it plays

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

const toEnd = (store) => ({ fields: store.fields, set: (changes) => store.set({ ...changes, place: LAST }), get state() { return store.state; } });
const textOf = (ids) => ids.map((id) => now.vocab[id]).join(now.glue);

export const watchScene = {
  id: "watch",
  title: "Watch it read",
  owns: ["text", "place", "off"],
  text: `<p>Every line is one piece of the text on its way through the model, from left to right. In each layer the <em>heads</em> carry something over from earlier pieces, along the arcs; the <em>feed-forward network</em>, the square, adds its own.
    After each layer stands what the model would say if it had to stop there. Type, press play, switch a head off.</p>`,
  build({ store }) {
    const input = sentenceInput(toEnd(store), "text", "Your text", "", (text) => now.notice(text)),
      scrub = slider(store, "place", "Piece", { text: (place) => `${place + 1} of ${now.ids(store.state.text).length}` }),
      play = player(store, "place", () => now.ids(store.state.text).length - 1, BEAT),
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
