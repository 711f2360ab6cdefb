// Chapter 9's scene of a training: the stripe of an induction head appears in the reader's browser, beside the loss of each round and a model of one layer.

import { mean, range } from "./tensor.js";
import { announce, h, show } from "./dom.js";
import { choice, number } from "./store.js";
import { Matrix } from "./matrix.js";
import { Plot } from "./plot.js";
import { segments, slider, tries } from "./controls.js";
import { figureOf, readout } from "./readouts.js";
import { duet, SONG, STRIDE_OF_SONG } from "./stripes.js";

const BETS = [
    ["two", "only the two layers"],
    ["both", "both models"],
    ["one", "only the one layer"],
    ["neither", "neither"],
  ],
  LENSES = [
    ["top", "two layers: layer 1"],
    ["bottom", "two layers: layer 0"],
    ["alone", "one layer"],
  ];
export const emergeFields = {
  bet: choice(["none", ...BETS.map(([value]) => value)]),
  lens: choice(LENSES.map(([value]) => value)),
  start: number(1, 3, 1),
  steps: number(0, SONG.total, 0, STRIDE_OF_SONG),
};

const duets = new Map();
function duetOf(start) {
  if (!duets.has(start)) duets.set(start, duet(start));
  return duets.get(start);
}
const film = { on: false, at: 0 }; // what was trained before is shown again picture by picture

/** What both models know after as many of the wanted steps as are trained; busy while some are missing. */
export function computeEmerge({ start, steps, lens }) {
  const run = duetOf(start),
    ready = run.trained - (run.trained % STRIDE_OF_SONG);
  film.at = Math.min(steps, film.on ? film.at : ready, ready);
  const at = film.at,
    [two, one] = ["two", "one"].map((name) => run.recordOf(name, at));
  return {
    at,
    busy: at < steps,
    two,
    one,
    map: lens === "alone" ? one.maps[0] : two.maps[lens === "top" ? 1 : 0],
    song: run.song,
    period: run.period,
    losses: { two: run.lossesOf("two", at), one: run.lossesOf("one", at) },
    past: range(at / STRIDE_OF_SONG + 1).map((n) => ({
      step: n * STRIDE_OF_SONG,
      two: run.recordOf("two", n * STRIDE_OF_SONG),
      one: run.recordOf("one", n * STRIDE_OF_SONG),
    })),
    /** For tests: of the next batch, where nothing later has been trained. */
    get gradients() {
      return run.trained === at ? run.gradients() : null;
    },
  };
}

const calmly = matchMedia("(prefers-reduced-motion: reduce)");
const FRAME = 60; // milliseconds for a picture that is shown again

/** names: syllables to sing. */
export const emergeScene = (names) => ({
  id: "emerge",
  title: "Watch the stripe emerge",
  owns: ["steps", "lens", "start", "bet"],
  text: `<p>Train two small models in your browser, from the same chants: one of two layers, one of one layer (attention alone, one head a layer, width 32, periods 4 to 8, 16 chants a batch, AdamW with the chapter's
    warm-up and cosine). No first round is trained on: nobody can know it. All losses here count from the second round.</p>
    <p>Guess first: who will sing new chants right after 400 steps? Then press Train and watch layer 1. Outlined: the places right after the same syllable, in every round before.</p>`,
  build({ store, view }) {
    let model,
      timer = 0,
      waited = false,
      drawn = "";
    const set = (changes, playing = false) => {
      film.on = playing;
      store.set(changes);
    };
    const bet = segments(store, "bet", "Your guess: who sings new chants right after 400 steps?", BETS),
      lens = segments(store, "lens", "Map of", LENSES),
      scrub = slider({ fields: store.fields, set }, "steps", "Steps trained", { text: String });
    const tryable = {
      set,
      get state() {
        return store.state;
      },
    };
    const tick = () => {
      timer = 0;
      const { start, steps } = store.state,
        run = duetOf(start);
      if (film.at >= steps) return;
      if (film.on && film.at + STRIDE_OF_SONG <= run.trained) {
        film.at += STRIDE_OF_SONG;
        store.refresh();
        return;
      }
      run.step();
      if (run.trained % (calmly.matches ? 5 * STRIDE_OF_SONG : STRIDE_OF_SONG) === 0 || run.trained >= steps) {
        film.at = run.trained;
        store.refresh();
      } else timer = setTimeout(tick);
    };
    const button = h(
      "button.step-button.primary",
      {
        type: "button",
        onclick: () => {
          if (model.busy) {
            set({ steps: model.at });
            return;
          }
          const over = model.at >= SONG.total;
          set({ steps: over ? 0 : model.at });
          set({ steps: SONG.total }, !calmly.matches);
        },
      },
      "▶ Train",
    );
    const buttons = h(
      "div.button-row",
      {},
      button,
      h("button.step-button", { type: "button", onclick: () => set({ steps: Math.min(SONG.total, model.at + STRIDE_OF_SONG) }) }, "Five steps"),
      h("button.step-button", { type: "button", onclick: () => set({ steps: 0 }) }, "Reset"),
      h("button.step-button", { type: "button", onclick: () => set({ steps: 0, start: (store.state.start % 3) + 1 }) }, "Another random start"),
    );
    const verdict = h("p.hint", { role: "status" }),
      read = readout("Point at a weight."),
      [two, one, stripe] = [figureOf("Right, two layers"), figureOf("Right, one layer"), figureOf("Weight on the outlined places")];
    const sung = () => model.song.map((id) => names[id]);
    const grid = view(
      new Matrix({
        name: "emerging",
        limits: [0, 1],
        rowKind: "query",
        columnKind: "key",
        quantity: "weight",
        onpoint: (place) =>
          read.say(
            place && [
              [`${sung()[place.i]} (${place.i + 1})`, "of-query"],
              " gives ",
              [`${sung()[place.j]} (${place.j + 1})`, "of-key"],
              " the weight ",
              [show(model.map[place.i][place.j], 4), "result"],
              ".",
            ],
          ),
      }),
    );
    const curve = (name, title, label, more) => new Plot({ name, title, height: 210, x: { label: "training step", low: 0, high: SONG.total, text: String }, y: { label, low: 0, text: (y) => show(y, 2), ...more } });
    const losses = curve("song-loss", "Loss by round, new chants", "loss, nats"),
      stripes = curve("song-stripe", "Weight on the stripe, new chants", "mean weight", { high: 1 });
    const isStripe = (i, j) => i >= model.period && j >= 1 && j <= i && (i - j) % model.period === model.period - 1;
    return {
      elements: h(
        "div.figure",
        {},
        bet.element,
        h("div.controls", {}, buttons, scrub.element),
        verdict,
        h("div.row.two", {}, h("div.stack", {}, lens.element, grid.element, read.element), h("div.stack", {}, h("div.meters", {}, two.element, one.element, stripe.element), losses.element, stripes.element)),
        tries(tryable, [
          { text: "The map of the one layer after 400 steps: what is missing?", changes: { lens: "alone", steps: SONG.total } },
          { text: "Random start 3: does every model that sings right have the stripe?", changes: { start: 3, lens: "top", steps: SONG.total } },
        ]),
      ),
      render(now, state) {
        model = now.emerge;
        [bet, lens, scrub].forEach((each) => each.update(state));
        button.textContent = model.busy ? "❚❚ Stop" : "▶ Train";
        if (model.busy) {
          if (!timer) timer = setTimeout(tick, film.on && film.at < duetOf(state.start).trained ? FRAME : 0);
        } else {
          clearTimeout(timer);
          timer = 0;
          film.on = false;
          if (waited) announce(`Trained for ${model.at} steps.`);
        }
        waited = model.busy;
        const share = (record) => `${show(100 * record.right, 0)} %`;
        const layer = state.lens === "alone" ? model.one.scores[0] : model.two.scores[state.lens === "top" ? 1 : 0];
        two.update(share(model.two), `loss ${show(model.two.loss, 3)}`, model.two.right > 0.9 ? "good" : "");
        one.update(share(model.one), `loss ${show(model.one.loss, 3)}`, model.one.right > 0.9 ? "good" : "");
        stripe.update(show(layer.stripe, 2), `${LENSES.find(([value]) => value === state.lens)[1]}; one round back ${show(layer.induction, 2)}`);
        const key = [state.start, state.lens, model.at, document.documentElement.dataset.theme].join();
        if (key !== drawn) {
          drawn = key;
          grid.table.classList.add("tiny");
          grid.update({ values: model.map, rows: sung(), columns: sung(), title: `${LENSES.find(([value]) => value === state.lens)[1]}, after ${model.at} steps` });
          grid.set("current", isStripe);
          grid.set("off", (i, j) => j > i);
        }
        const over = (f) => model.past.map((record) => [record.step, f(record)]);
        losses.update({
          series: [
            { label: "two layers, second round", points: over((r) => r.two.rounds[0]) },
            { label: "two layers, later rounds", points: over((r) => r.two.rounds[1]) },
            { label: "one layer, second round", points: over((r) => r.one.rounds[0]) },
            { label: "one layer, later rounds", points: over((r) => r.one.rounds[1]) },
          ],
          cursor: model.at,
          rules: [{ y: Math.log(SONG.syllables), label: "guessing: ln 16" }],
        });
        stripes.update({
          series: [
            { label: "layer 1 of two", points: over((r) => r.two.scores[1].stripe) },
            { label: "layer 0 of two", points: over((r) => r.two.scores[0].stripe) },
            { label: "one layer", points: over((r) => r.one.scores[0].stripe) },
          ],
          cursor: model.at,
        });
        verdict.textContent = verdictOfSong(model, state);
        verdict.hidden = !verdict.textContent;
      },
    };
  },
});

/** What came of the reader's guess, in numbers. */
function verdictOfSong({ at, two, one, past }, { bet, steps }) {
  const said = BETS.find(([value]) => value === bet)?.[1];
  if (at < SONG.total) return at < steps ? `Training in your browser: step ${at} of ${steps}.` : said ? `Your guess: ${said}. Train to see.` : "";
  const learned = `${said ? `You guessed: ${said}. ` : ""}After ${at} steps two layers sing ${show(two.right, 2)} of the syllables right, one layer ${show(one.right, 2)}. `;
  const before = show(mean([past[0].two.scores[1].stripe, past[0].one.scores[0].stripe]), 2),
    [top, alone] = [two.scores[1].stripe, one.scores[0].stripe];
  const found = `Layer 1 of the two has ${show(top, 2)} of its weight on the stripe, the one layer ${show(alone, 2)} (untrained ${before}).`;
  return learned + found + (top < 0.5 && two.right > 0.9 ? " So this start has found a way to sing without the stripe: being right does not prove which mechanism it is." : "");
}
