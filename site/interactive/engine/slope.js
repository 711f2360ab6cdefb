// One weight of the head that learns, and the slope of the loss.

import { range } from "./tensor.js";
import { compact, h, show } from "./dom.js";
import { Matrix } from "./matrix.js";
import { Plot } from "./plot.js";
import { segments, slider, tries } from "./controls.js";
import { figureOf } from "./readouts.js";
import { PARTS_OF_HEAD } from "./farm.js";
import { along } from "./learning.js";

export const slopeScene = {
  id: "slope",
  title: "One weight and its slope",
  owns: ["part", "unit", "entry", "shift"],
  text: `<p>Training moves every number of the matrices a little, against its gradient. Here is one row of a matrix: the 32 weights that make one number of every query, key or value. The arrow in a
    cell is −gradient: ▲ the loss falls if the weight grows, ▼ if it shrinks; the larger the arrow, the steeper. Choose a weight and <em>drag it</em> up or down, press + and −, or pull the point along the curve: everything else stays as it is.</p>
    <p>The curve is the loss of the next batch for every value of that one weight; the arrow on it points downhill. Guess before you train (scene before this one): will the arrows be larger at step 0, or at step 200?</p>`,
  build({ store, view }) {
    const fresh = along(store, { shift: 0 });
    const part = segments(fresh, "part", "Matrix of the", PARTS_OF_HEAD.map((name, n) => [name, ["queries", "keys", "values"][n]])),
      unit = slider(fresh, "unit", "Row of the matrix", { text: String }),
      scrub = slider(fresh, "steps", "Steps trained", { text: String }),
      shift = slider(store, "shift", "Moved by", { text: (value) => show(value, 2) });
    const [value, slope, loss] = [figureOf("The weight"), figureOf("Its gradient, ∂loss / ∂weight"), figureOf("Loss of the batch")];
    let model,
      state,
      drag = null;
    const move = (to) => store.set({ shift: to });
    const grid = view(
      new Matrix({
        name: "row",
        ramp: "signed",
        limits: [-1, 1],
        step: 0.05,
        onedit: (i, j, to, open) => {
          if (open) shift.element.querySelector("input").focus();
          else move(to - model.weight.trained);
        },
        say: (i, j, value) => {
          const g = model?.weight.slopes[i][j] ?? 0;
          return `weight ${8 * i + j + 1} of row ${state?.unit ?? 1}: ${show(value, 2)}, gradient ${compact(g)}, downhill is ${g > 0 ? "down" : "up"}`;
        },
        onpoint: (place) => {
          const cell = place && grid.table.contains(document.activeElement) && grid.at;
          if (cell && cell.i === place.i && cell.j === place.j && 8 * place.i + place.j !== store.state.entry) fresh.set({ entry: 8 * place.i + place.j });
        },
      }),
    );
    grid.table.classList.add("pulled");
    grid.table.addEventListener("pointerdown", (event) => {
      const cell = event.target.closest("td[data-i]");
      if (!cell || event.pointerType === "touch") return; // a finger scrolls; the slider and the curve are for it
      const entry = 8 * Number(cell.dataset.i) + Number(cell.dataset.j);
      if (entry !== store.state.entry) fresh.set({ entry });
      drag = { y: event.clientY, from: store.state.shift };
    });
    const end = () => {
      drag = null;
    };
    addEventListener("pointermove", (event) => {
      if (drag) move(drag.from + (drag.y - event.clientY) / 80);
    });
    for (const name of ["pointerup", "pointercancel", "blur"]) addEventListener(name, end);
    const curve = new Plot({
      name: "slope",
      title: "Loss of the next batch, if this one weight had another value",
      height: 290,
      x: { label: "value of the weight", text: (x) => show(x, 2) },
      y: { label: "loss, nats", text: (y) => show(y, 3) },
      onmove: (x) => move(x - model.weight.trained),
    });
    const downhill = h("button.step-button", { type: "button", onclick: () => move(state.shift - STRIDE * model.weight.slope) }, "Along the arrow");
    return {
      elements: h(
        "div.figure",
        {},
        h("div.controls", {}, part.element, unit.element, scrub.element),
        h(
          "div.row.two",
          {},
          h("div.stack", {}, grid.element, shift.element, h("div.button-row", {}, downhill, h("button.step-button", { type: "button", onclick: () => move(0) }, "Let go"))),
          h("div.stack", {}, curve.element, h("div.meters", {}, value.element, slope.element, loss.element)),
        ),
        tries(store, [
          { text: "The steepest weight of this row.", changes: (now) => ({ shift: 0, entry: steepest(model, now) }) },
          { text: "The same row after 200 steps: what is left of the arrows?", changes: { steps: 200, shift: 0 } },
          { text: "Back at the random start.", changes: { steps: 0, shift: 0 } },
        ]),
      ),
      render(now, latest) {
        model = now.learn;
        state = latest;
        [part, unit, scrub, shift].forEach((one) => one.update(latest));
        const { weight } = model,
          rowOf = Math.floor(latest.entry / 8),
          most = Math.max(1e-12, ...weight.slopes.flat().map(Math.abs));
        grid.update({
          values: weight.values,
          rows: range(4).map((n) => `${8 * n + 1}–${8 * n + 8}`),
          columns: range(8).map((n) => `+${n}`),
          title: `${latest.part}, row ${latest.unit}, after ${model.steps} steps; arrows: −gradient, the largest ${compact(most)}`,
        });
        if (grid.at.i !== rowOf || grid.at.j !== latest.entry % 8) grid.point(rowOf, latest.entry % 8);
        grid.set("current", (i, j) => 8 * i + j === latest.entry);
        grid.table.querySelectorAll("td[data-i]").forEach((cell) => {
          const g = weight.slopes[cell.dataset.i][cell.dataset.j];
          cell.dataset.arrow = g > 0 ? "▼" : "▲";
          cell.style.setProperty("--size", String(Math.sqrt(Math.abs(g) / most)));
        });
        const points = [...weight.curve.filter(([x]) => Math.abs(x - weight.value) > 1e-9), [weight.value, weight.loss]].sort((a, b) => a[0] - b[0]),
          step = Math.sign(-weight.slope) * Math.min(0.8, Math.max(0.3, STRIDE * Math.abs(weight.slope)));
        const heights = points.map(([, y]) => y),
          digits = Math.min(7, Math.max(2, 1 - Math.floor(Math.log10(Math.max(...heights) - Math.min(...heights)))));
        curve.text.y = (y) => show(y, digits);
        curve.update({
          series: [{ label: `loss, weight ${latest.entry + 1} of row ${latest.unit}`, points }],
          cursor: weight.value,
          arrows: [{ from: [weight.value, weight.loss], to: [weight.value + step, weight.loss + step * weight.slope] }],
        });
        value.update(show(weight.value, 3), latest.shift ? `trained: ${show(weight.trained, 3)}` : "as trained");
        slope.update(compact(weight.slope), weight.slope > 0 ? "the loss falls to the left" : "the loss falls to the right");
        loss.update(show(weight.loss, 4), latest.shift ? `not moved: ${show(model.loss, 4)}` : `step ${model.steps}`, weight.loss > model.loss + 1e-12 ? "bad" : weight.loss < model.loss - 1e-12 ? "good" : "");
      },
    };
  },
};
const STRIDE = 10; // the arrow is so many times the gradient, within bounds that can be seen
const steepest = ({ weight }) => {
  const sizes = weight.slopes.flat().map(Math.abs);
  return sizes.indexOf(Math.max(...sizes));
};
