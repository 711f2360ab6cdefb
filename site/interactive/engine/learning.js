// What a head that learns in the browser knows after so many steps: the state of its two scenes.

import { mean, range, reshape } from "./tensor.js";
import { choice, number } from "./store.js";
import { ask, exam, gradientOf, lesson, lossMoved, PARTS_OF_HEAD } from "./farm.js";

export const STEPS_MOST = 400,
  LEARN_WIDTH = 16,
  REACH = 1.5, // of the curve around one weight, to either side
  A_TURN = 8; // steps that are trained before the page answers again
const FARM_WORDS = {
  animals: ["dog", "cat", "cow", "duck", "sheep", "horse"],
  sounds: ["barks", "meows", "moos", "quacks", "bleats", "neighs"],
  colours: ["white", "black", "brown", "grey", "red", "golden"],
};
export const GAMES = [
  ["barks", "a sound asks"],
  ["chase", "an animal asks"],
];
export const KINDS_OF_HEAD = [
  ["three", "three matrices"],
  ["mirror", "mirror: one matrix for q and k"],
  ["shuffled", "answers shuffled"],
];
export const GUESSES_OF_HEAD = [
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

/** Everything that the two scenes show after as many of the wanted steps as are trained; busy while some are missing. */
export function computeLearn(words, state) {
  const { part, unit, entry, shift } = state,
    run = lessonOf(words, state),
    steps = Math.min(state.steps, run.trained + A_TURN),
    now = after(words, state, steps),
    d = words.animal[0].length,
    at = (unit - 1) * d + entry,
    batch = run.batchOf(steps),
    head = run.copy(run.reach(steps)),
    trained = head[part][at];
  head[part][at] = trained + shift;
  const found = ask(head, batch),
    lossAt = (by) => lossMoved(head, batch, found, part, at, by - shift),
    gradient = gradientOf(head, batch, found),
    cut = (values) => reshape([...values.slice((unit - 1) * d, unit * d)], 4, d / 4);
  return {
    ...now,
    steps,
    busy: steps < state.steps,
    losses: run.losses.slice(0, steps + 1),
    checks: range(Math.floor(steps / 10) + 1).map((n) => [10 * n, after(words, state, 10 * n).onPlace]),
    animals: run.farm.order.map((name, i) => `${FARM_WORDS.colours[run.farm.paint[i]]} ${FARM_WORDS.animals[name]}`),
    target: range(6).map((who) => run.farm.order.indexOf(state.game === "barks" ? who : (who + 1) % 6)),
    weight: { value: trained + shift, trained, loss: found.loss, slope: gradient[part][at], values: cut(head[part]), slopes: cut(gradient[part]), curve: range(31).map((n) => REACH * (n / 15 - 1)).map((by) => [trained + by, lossAt(by)]) },
    gradient: Object.fromEntries(Object.entries(gradient).map(([name, values]) => [name, [...values]])),
  };
}

/** A store for controls that change what others stand on: what they set goes with these changes. */
export const along = (store, more) => ({
  fields: store.fields,
  get state() {
    return store.state;
  },
  set: (changes) => store.set({ ...more, ...changes }),
});
export const askers = (game) => (game === "barks" ? FARM_WORDS.sounds : FARM_WORDS.animals);
