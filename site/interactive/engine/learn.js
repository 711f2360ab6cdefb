// A head that learns in the browser: training step by step beside its weights.

import { mean } from "./tensor.js";
import { announce, h, show } from "./dom.js";
import { Matrix } from "./matrix.js";
import { Plot } from "./plot.js";
import { segments, slider, tries } from "./controls.js";
import { figureOf, readout } from "./readouts.js";
import { along, askers, GAMES, GUESSES_OF_HEAD, KINDS_OF_HEAD, STEPS_MOST } from "./learning.js";

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
      turn = 0,
      goal = 0,
      expected = -1;
    const stop = () => {
      clearTimeout(timer);
      timer = 0;
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
        clearTimeout(turn);
        if (model.busy) turn = setTimeout(() => store.refresh());
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
  if (model.busy) return `Training in your browser: step ${model.steps} of ${state.steps}.`;
  if (model.steps < 200) return state.guess === "none" ? "" : `Your guess: ${GUESSES_OF_HEAD.find(([value]) => value === state.guess)[1]}. Train 200 steps to see.`;
  const self = mean(model.map.map((row) => row[6])),
    on = mean(model.map.map((row, i) => row[model.target[i]])),
    measured = `After ${model.steps} steps the last word gives the animal asked about ${show(on, 2)} of its weight, itself ${show(self, 2)} (this farm, mean of six rows)`;
  const by = `; right by ${state.game === "barks" ? "sound" : "animal"}: ${model.by.map((share, i) => `${askers(state.game)[i]} ${show(share, 2)}`).join(", ")}`;
  const guessed = state.guess === "none" || state.kind === "shuffled" || state.game === "chase" ? "" : `You guessed: ${GUESSES_OF_HEAD.find(([value]) => value === state.guess)[1]}. `;
  return `${guessed}${measured}${by}.`;
}
