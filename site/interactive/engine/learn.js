// Scenes of a head that learns in the browser: training step by step beside its weights, and one weight with the slope of the loss.

import { mean, range, reshape } from "./tensor.js";
import { announce, compact, h, show } from "./dom.js";
import { choice, number } from "./store.js";
import { Matrix } from "./matrix.js";
import { Plot } from "./plot.js";
import { figureOf, readout, segments, slider, tries } from "./controls.js";
import { ask, exam, gradientOf, lesson, PARTS_OF_HEAD } from "./farm.js";

export const STEPS_MOST = 400,
  LEARN_WIDTH = 16,
  REACH = 1.5; // of the curve around one weight, to either side
const FARM_WORDS = {
  animals: ["dog", "cat", "cow", "duck", "sheep", "horse"],
  sounds: ["barks", "meows", "moos", "quacks", "bleats", "neighs"],
  colours: ["white", "black", "brown", "grey", "red", "golden"],
};
const GAMES = [
    ["barks", "a sound asks"],
    ["chase", "an animal asks"],
  ],
  KINDS_OF_HEAD = [
    ["three", "three matrices"],
    ["mirror", "mirror: one matrix for q and k"],
    ["shuffled", "answers shuffled"],
  ],
  GUESSES_OF_HEAD = [
    ["alike", "at all seven alike"],
    ["itself", "mostly at itself"],
    ["found", "mostly at its animal"],
  ];
const valuesOf = (pairs) => pairs.map(([value]) => value);
export const learnFields = {
  guess: choice(["none", ...valuesOf(GUESSES_OF_HEAD)]),
  game: choice(valuesOf(GAMES)),
  kind: choice(valuesOf(KINDS_OF_HEAD)),
  start: number(1, 3, 1),
  steps: number(0, STEPS_MOST, 0),
  part: choice(PARTS_OF_HEAD),
  unit: number(1, LEARN_WIDTH, 1),
  entry: number(0, 31, 0),
  shift: number(-REACH, REACH, 0, 0.01),
};

const curves = { idle: true, draw: () => {} }; // during a training nobody needs the curve around one weight
const lessons = new Map();
const once = new Map();
function remembered(map, key, make, most) {
  if (!map.has(key)) {
    if (map.size >= most) map.delete(map.keys().next().value);
    map.set(key, make());
  }
  return map.get(key);
}
const lessonOf = (words, { game, kind, start }) =>
  remembered(lessons, `${game} ${kind} ${start}`, () => lesson(words, { game, kind, start }, LEARN_WIDTH), 4);

/** What the head of a run knows after so many steps. */
function after(words, state, steps) {
  const run = lessonOf(words, state);
  return remembered(
    once,
    `${state.game} ${state.kind} ${state.start} ${steps}`,
    () => {
      const head = run.reach(steps),
        { right, onPlace, hits } = exam(head, run.test),
        by = range(6).map((who) =>
          mean(hits.filter((_, n) => (state.game === "barks" ? run.test.order[n][run.test.place[n]] : (run.test.order[n][run.test.place[n]] + 5) % 6) === who)),
        );
      return { right, onPlace, by, loss: run.losses[steps], map: ask(head, { ...run.farm, answer: range(6).map(() => 0) }).weights };
    },
    500,
  );
}

/** Everything that the two scenes show. */
export function computeLearn(words, state) {
  const { steps, part, unit, entry, shift } = state,
    run = lessonOf(words, state),
    now = after(words, state, steps),
    d = words.animal[0].length,
    at = (unit - 1) * d + entry,
    batch = run.batchOf(steps),
    head = run.copy(run.reach(steps)),
    trained = head[part][at];
  const probe = run.copy(head);
  const curve = () =>
    remembered(
      once,
      JSON.stringify(["curve", state.game, state.kind, state.start, steps, part, at]),
      () =>
        range(31).map((n) => {
          probe[part][at] = trained + REACH * (n / 15 - 1);
          return [probe[part][at], ask(probe, batch).loss];
        }),
      500,
    );
  head[part][at] = trained + shift;
  const found = ask(head, batch),
    gradient = gradientOf(head, batch, found),
    cut = (values) => reshape([...values.slice((unit - 1) * d, unit * d)], 4, d / 4);
  return {
    ...now,
    steps,
    losses: run.losses.slice(0, steps + 1),
    checks: range(Math.floor(steps / 10) + 1).map((n) => [10 * n, after(words, state, 10 * n).onPlace]),
    animals: run.farm.order.map((name, i) => `${FARM_WORDS.colours[run.farm.paint[i]]} ${FARM_WORDS.animals[name]}`),
    target: range(6).map((who) => run.farm.order.indexOf(state.game === "barks" ? who : (who + 1) % 6)),
    weight: { value: trained + shift, trained, loss: found.loss, slope: gradient[part][at], values: cut(head[part]), slopes: cut(gradient[part]), curve: curves.idle ? curve() : null },
    gradient: Object.fromEntries(Object.entries(gradient).map(([name, values]) => [name, [...values]])),
  };
}

/** A store for controls that change what others stand on: what they set goes with these changes. */
const along = (store, more) => ({
  fields: store.fields,
  get state() {
    return store.state;
  },
  set: (changes) => store.set({ ...more, ...changes }),
});
const askers = (game) => (game === "barks" ? FARM_WORDS.sounds : FARM_WORDS.animals);
const TICK = 100; // milliseconds between two pictures of a training
const PER_TICK = 4;

export const learnScene = {
  id: "learn",
  title: "Train the head",
  owns: ["steps", "game", "kind", "start", "guess"],
  text: `<p>Section 2.7 in your browser: six coloured animals in random order, then a sound; asked is the colour of the animal that makes it. The chapter's head
    (<i>d</i><sub>model</sub> = 32, <i>d<sub>k</sub></i> = 16) and a read-out learn from batches of 64 sentences with Adam, rate 0.003, as in the chapter. The loss knows only the right <em>colour</em>. Nobody says where to look.</p>
    <p>Guess first: where will “barks” look after 200 steps? Then train, and look at the row of each sound. The outlined cell is the animal asked about.</p>`,
  build({ store, view }) {
    const fresh = along(store, { steps: 0, shift: 0 });
    const guess = segments(store, "guess", "Your guess: where will each sound look after 200 steps?", GUESSES_OF_HEAD),
      game = segments(fresh, "game", "Question", GAMES),
      kind = segments(fresh, "kind", "Head and answers", KINDS_OF_HEAD),
      scrub = slider(along(store, { shift: 0 }), "steps", "Steps trained", { text: String });
    const read = readout("Point at a weight.");
    const verdict = h("p.hint", { role: "status" });
    let model,
      state,
      timer = 0,
      goal = 0,
      expected = -1;
    const stop = () => {
      clearTimeout(timer);
      timer = 0;
      if (!curves.idle) {
        curves.idle = true;
        curves.draw();
      }
      button.textContent = "▶ Train";
    };
    const go = (to) => {
      expected = to;
      store.set({ steps: to, shift: 0 });
    };
    const tick = () => {
      if (store.state.steps !== expected) {
        stop(); // the reader stepped in while this tick was due
        return;
      }
      if (store.state.steps >= goal) {
        stop();
        announce(`Trained for ${goal} steps.`);
        return;
      }
      timer = setTimeout(tick, TICK);
      go(Math.min(goal, store.state.steps + PER_TICK));
    };
    const button = h(
      "button.step-button.primary",
      {
        type: "button",
        onclick: () => {
          if (timer) {
            stop();
            return;
          }
          if (store.state.steps >= STEPS_MOST) go(0);
          goal = store.state.steps < 200 ? 200 : STEPS_MOST;
          button.textContent = "❚❚ Pause";
          expected = store.state.steps;
          curves.idle = false;
          tick();
        },
      },
      "▶ Train",
    );
    const buttons = h(
      "div.button-row",
      {},
      button,
      h("button.step-button", { type: "button", onclick: () => go(Math.min(STEPS_MOST, store.state.steps + 1)) }, "One step"),
      h("button.step-button", { type: "button", onclick: () => go(0) }, "Reset"),
      h("button.step-button", { type: "button", onclick: () => fresh.set({ start: (store.state.start % 3) + 1 }) }, "Another random start"),
    );
    const [steps, right, place] = [figureOf("Loss of the next batch"), figureOf("Right, new sentences"), figureOf("Weight on the right place")];
    const grid = view(
      new Matrix({
        name: "learned",
        limits: [0, 1],
        rowKind: "last word",
        columnKind: "word",
        quantity: "weight",
        onpoint: (where) => {
          if (!where) {
            read.say(null);
            return;
          }
          const { i, j } = where;
          read.say([
            [askers(state.game)[i], "of-query"],
            " gives ",
            [[...model.animals, "itself"][j], "of-key"],
            " the weight ",
            [show(model.map[i][j], 4), "result"],
            j === model.target[i] ? ": the animal that is asked about." : ".",
          ]);
        },
      }),
    );
    const losses = new Plot({
      name: "lesson-loss",
      title: "Loss of each batch",
      height: 210,
      x: { label: "training step", low: 0, text: String },
      y: { label: "loss, nats", low: 0, text: (y) => show(y, 2) },
    });
    const found = new Plot({
      name: "lesson-weight",
      title: "Weight on the right place, new sentences",
      height: 210,
      x: { label: "training step", low: 0, text: String },
      y: { label: "mean weight", low: 0, high: 1, text: (y) => show(y, 2) },
    });
    return {
      elements: h(
        "div.figure",
        {},
        guess.element,
        h("div.controls", {}, buttons, scrub.element),
        verdict,
        h("div.row.two", {}, h("div.stack", {}, grid.element, read.element), h("div.stack", {}, h("div.meters", {}, steps.element, right.element, place.element), losses.element)),
        h("div.row.two", {}, h("div.stack", {}, game.element, kind.element), found.element),
        tries(store, [
          {
            text: "The same training with each sentence's answer given to the one before it: nothing to find.",
            changes: { game: "barks", kind: "shuffled", steps: 200, shift: 0 },
          },
          { text: "The mirror head on the same question: does it need two matrices here?", changes: { game: "barks", kind: "mirror", steps: 200, shift: 0 } },
          {
            text: "An animal asks: the dog chases the cat, the cat the cow, … the horse the dog. A mirror cannot like <em>cat</em> more than <em>horse</em> all the way round.",
            changes: { game: "chase", kind: "mirror", steps: STEPS_MOST, shift: 0 },
          },
          { text: "The same question for a head with three matrices.", changes: { game: "chase", kind: "three", steps: STEPS_MOST, shift: 0 } },
        ]),
      ),
      render(now, latest) {
        model = now.learn;
        state = latest;
        if (timer && latest.steps !== expected) setTimeout(stop); // the reader stepped in
        [guess, game, kind, scrub].forEach((one) => one.update(latest));
        steps.update(show(model.loss, 3), `guessing among six colours: ${show(Math.log(6), 2)}`, model.loss > 1.5 ? "" : "good");
        right.update(`${show(100 * model.right, 0)} %`, "of 400 new sentences; by guessing 17 %");
        place.update(show(model.onPlace, 2), "spread evenly: 0.14");
        grid.update({
          values: model.map,
          rows: askers(latest.game),
          columns: [...model.animals, "itself"],
          title: `Where the last word looks, after ${model.steps} steps`,
        });
        grid.set("current", (i, j) => j === model.target[i]);
        losses.x.high = found.x.high = model.steps > 200 ? STEPS_MOST : 200;
        losses.update({
          series: [{ label: "loss", points: model.losses.map((loss, n) => [n, loss]) }],
          cursor: model.steps,
          rules: [{ y: Math.log(6), label: "guessing: ln 6" }],
        });
        found.update({ series: [{ label: "on the right place", mark: true, points: model.checks }], cursor: model.checks.at(-1)[0], rules: [{ y: 1 / 7, label: "evenly: 1/7" }] });
        verdict.textContent = verdictOf(model, latest);
        verdict.hidden = !verdict.textContent;
      },
    };
  },
};

/** What came of the reader's guess, and of the head that is being trained, in numbers. */
function verdictOf(model, state) {
  if (model.steps < 200) return state.guess === "none" ? "" : `Your guess: ${GUESSES_OF_HEAD.find(([value]) => value === state.guess)[1]}. Train 200 steps to see.`;
  const self = mean(model.map.map((row) => row[6])),
    on = mean(model.map.map((row, i) => row[model.target[i]])),
    measured = `After ${model.steps} steps the last word gives the animal asked about ${show(on, 2)} of its weight, itself ${show(self, 2)} (this farm, mean of six rows)`;
  const by = `; right by ${state.game === "barks" ? "sound" : "animal"}: ${model.by.map((share, i) => `${askers(state.game)[i]} ${show(share, 2)}`).join(", ")}`;
  const guessed = state.guess === "none" || state.kind === "shuffled" || state.game === "chase" ? "" : `You guessed: ${GUESSES_OF_HEAD.find(([value]) => value === state.guess)[1]}. `;
  return `${guessed}${measured}${by}.`;
}

export const slopeScene = {
  id: "slope",
  title: "One weight and its slope",
  owns: ["part", "unit", "entry", "shift"],
  text: `<p>Training moves every number of the matrices a little, against its gradient. Here is one row of a matrix: the 32 weights that make one number of every query, key or value. The arrow in a
    cell is −gradient: ▲ the loss falls if the weight grows, ▼ if it shrinks; the larger the arrow, the steeper. Choose a weight and <em>drag it</em> up or down, press + and −, or pull the point along the curve: everything else stays as it is.</p>
    <p>The curve is the loss of the next batch for every value of that one weight; the arrow on it points downhill. Guess before you train (scene before this one): will the arrows be larger at step 0, or at step 200?</p>`,
  build({ store, view }) {
    curves.draw = () => store.refresh();
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
        if (!model.weight.curve) return;
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
