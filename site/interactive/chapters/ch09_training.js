import { mean, range, softmax, sum, uniforms } from "../engine/tensor.js";
import { h, show, whenStill } from "../engine/dom.js";
import { choice, flag, number, sentence } from "../engine/store.js";
import { Matrix } from "../engine/matrix.js";
import { ledger } from "../engine/ledger.js";
import { segments, sentenceInput, slider, toggle, tries, words } from "../engine/controls.js";
import { figureOf, readout } from "../engine/readouts.js";
import { readCheckpoint, run } from "../engine/transformer.js";
import { computeEmerge, emergeFields, emergeScene } from "../engine/emerge.js";
import { page } from "../engine/page.js";

const MODEL = readCheckpoint(PAGE_DATA);
const { vocab: VOCAB } = PAGE_DATA;
const LAYERS = 2,
  HEADS = 4,
  LONGEST = 16,
  WINDOW = MODEL.config.max_len;
const idOf = new Map(VOCAB.map((word, id) => [word, id]));
const EVERY = range(LAYERS * HEADS).map((n) => [Math.floor(n / HEADS), n % HEADS]);
const nameOf = ([layer, head]) => `layer ${layer}, head ${head}`;
const flagOf = ([layer, head]) => `l${layer}h${head}`;
const START = "the cat sat on the mat because it was hungry . who ? the",
  EARLIER = "the fox slept on the rug because it was tired . who ? the fox .".split(" ");
const KINDS = {
  animals: "cat dog bird frog goat hen fox cow",
  things: "mat rug bed box chair stone sack log",
  "reasons of animals": "hungry tired sleepy thirsty",
  "reasons of things": "soft warm flat dry",
  verbs: "sat lay slept stood",
  other: "the on because it was . who ?",
};

function readStory(text) {
  const typed = text
    .toLowerCase()
    .replace(/([.?])/g, " $1 ")
    .trim()
    .split(/\s+/)
    .filter(Boolean);
  const known = typed.filter((word) => idOf.has(word)).slice(-LONGEST),
    unknown = typed.filter((word) => !idOf.has(word));
  return { words: known.length ? known : START.split(" "), unknown, nothing: !known.length, cut: typed.length - unknown.length > LONGEST };
}
/** { layer: [heads that are off] } */
const offOf = (heads) => Object.fromEntries(range(LAYERS).map((layer) => [layer, heads.filter(([n]) => n === layer).map(([, head]) => head)]));
const asMatrix = (values) => range(LAYERS).map((layer) => values.slice(layer * HEADS, (layer + 1) * HEADS));

const known = new Map();
const once = (key, make) => {
  if (!known.has(key)) known.set(key, make());
  return known.get(key);
};
const runOf = (ids, heads) => once(JSON.stringify([ids, heads]), () => run(MODEL, ids, { off: offOf(heads) }));

/** What the page's chant is: sixteen syllables in the order of Lehmer's numbers, the first `period` of them again and again. */
const SYLLABLES = VOCAB.filter((word) => /^[bdgklmnr][ao]$/.test(word));
function chantOf(period, seed) {
  const draw = uniforms(SYLLABLES.length, seed),
    melody = range(SYLLABLES.length).sort((a, b) => draw[a] - draw[b]);
  const length = Math.min(WINDOW, 2 * period + Math.max(1, period >> 1));
  return range(length + 1).map((i) => SYLLABLES[melody[i % period]]);
}
const priceOf = (logits, song, period) =>
  mean(range(logits.length - period).map((n) => -Math.log(softmax(logits[n + period])[idOf.get(song[n + period + 1])])));
const stripe = (pattern, back, from) => mean(range(pattern.length - from).map((n) => pattern[n + from][n + from - back]));

function chantStudy(period, seed) {
  return once(`chant ${period} ${seed}`, () => {
    const song = chantOf(period, seed),
      ids = song.slice(0, -1).map((word) => idOf.get(word)),
      whole = runOf(ids, []),
      price = priceOf(whole.logits, song, period);
    return {
      song,
      price,
      rise: () => once(`rise ${period} ${seed}`, () => asMatrix(EVERY.map((one) => priceOf(runOf(ids, [one]).logits, song, period) - price))),
      previous: whole.weights.map((layer) => layer.map((pattern) => stripe(pattern, 1, 1))),
      induction: whole.weights.map((layer) => layer.map((pattern) => stripe(pattern, period - 1, period))),
    };
  });
}

function compute(state) {
  const story = readStory(state.text),
    off = EVERY.filter((one) => !state[flagOf(one)]);
  const ids = [...(state.before ? EARLIER : []), ...story.words].map((word) => idOf.get(word)),
    first = ids.length - story.words.length;
  const whole = runOf(ids, []),
    present = runOf(ids, off),
    chances = softmax(whole.logits.at(-1)),
    now = softmax(present.logits.at(-1)),
    best = chances.indexOf(Math.max(...chances));
  const place = Math.min(state.place, story.words.length - 1);
  const [layer, head] = state.look.split(".").map(Number);
  const maps = present.weights.flatMap((one) => one.map((pattern) => pattern.slice(first).map((row) => row.slice(first))));
  const { song, rise, ...study } = chantStudy(state.period, state.tune),
    chant = song.slice(0, -1),
    sung = runOf(
      chant.map((word) => idOf.get(word)),
      off,
    );
  return {
    story,
    off,
    chances,
    now,
    best,
    place,
    alone: asMatrix(EVERY.map((one) => softmax(runOf(ids, [one]).logits.at(-1))[best])),
    at: maps.map((pattern) => pattern[place]),
    map: maps[layer * HEADS + head],
    chant,
    ...study,
    /** Eight runs of the model: computed when it is asked for. */
    get rise() {
      return rise();
    },
    priceNow: priceOf(sung.logits, song, state.period),
    rightNow: mean(
      range(chant.length - state.period).map((n) =>
        Number(sung.logits[n + state.period].indexOf(Math.max(...sung.logits[n + state.period])) === idOf.get(song[n + state.period + 1])),
      ),
    ),
    pattern: sung.weights[layer][head],
    emerge: computeEmerge(state),
  };
}

/** Eight switches, a row for each layer. */
function switches(store) {
  const all = EVERY.map((one) => toggle(store, flagOf(one), String(one[1])));
  const element = h(
    "fieldset.switches",
    {},
    h("legend", {}, "Heads that are on"),
    range(LAYERS).map((layer) =>
      h(
        "div.switch-row",
        { role: "group", "aria-label": `layer ${layer}` },
        h("span.label", {}, `Layer ${layer}`),
        range(HEADS).map((head) => all[layer * HEADS + head].element),
      ),
    ),
  );
  element.querySelectorAll("input").forEach((input, n) => input.setAttribute("aria-label", nameOf(EVERY[n])));
  return { element, update: (state) => all.forEach((one) => one.update(state)) };
}
const headGrid = (options) => new Matrix({ rowKind: "layer", columnKind: "head", limits: [0, 1], ...options });
const HEAD_AXES = { rows: range(LAYERS).map((n) => `layer ${n}`), columns: range(HEADS).map(String) };

const whoScene = {
  id: "who",
  title: "Who?",
  owns: ["text", "before", ...EVERY.map(flagOf)],
  text: `<p>The chapter's model after the pruning rule of section 9.9: two layers, four heads each, 52 words. It has learned to guess the next word, and nothing else. It has <em>never</em> met a cat together with a mat.
    Type a story in its little language, or change one word, and see what it would say next.</p>
    <p>Then switch heads off until it no longer knows. Remember what the rule did: in the model as first trained no single head of layer 1 is needed; here the quiet ones were silenced, so that the others are missed.</p>`,
  build({ store, view }) {
    const input = sentenceInput(store, "text", "Story", "Ends where the answer is due."),
      hint = h("p.hint", { role: "status" }),
      before = toggle(store, "before", "Another story in front"),
      heads = switches(store),
      answers = ledger({ caption: "The next word" });
    const [answer, share] = [figureOf("It says"), figureOf("Probability with all heads on")];
    const read = readout("Point at a number: what is left of the answer's probability when that head alone is off.");
    let model;
    const alone = view(
      headGrid({
        name: "alone",
        title: "Probability of that answer with one head off",
        say: (layer, head, value) => `without layer ${layer}, head ${head}: probability of ${VOCAB[model.best]} ${show(value, 2)}`,
        onpoint: (place) => {
          if (!place) {
            read.say(null);
            return;
          }
          read.say([
            "Without ",
            [nameOf([place.i, place.j]), "of-query"],
            ` the probability of “${VOCAB[model.best]}” goes from ${show(model.chances[model.best], 4)} to `,
            [show(model.alone[place.i][place.j], 4), "result"],
            ".",
          ]);
        },
      }),
    );
    const allOn = Object.fromEntries(EVERY.map((one) => [flagOf(one), true]));
    return {
      elements: h(
        "div.figure",
        {},
        input.element,
        hint,
        h(
          "div.row.two",
          {},
          h("div.stack", {}, answers.element),
          h("div.stack", {}, h("div.meters", {}, answer.element, share.element), heads.element, before.element),
        ),
        h("div.row.wide-right", {}, alone.element, read.element),
        tries(store, [
          { text: "One word changes the answer.", changes: { text: START.replace("hungry", "soft"), ...allOn } },
          {
            text: "Stop at “it”: nothing that it has read says who is meant, and it does not need to know.",
            changes: { text: "the cat sat on the mat because it", ...allOn },
          },
          {
            text: "Switch off the head that this answer needs most.",
            changes: (state) => {
              const { alone: left } = compute({ ...state, ...allOn }),
                worst = left.flat().indexOf(Math.min(...left.flat()));
              return { ...allOn, [flagOf(EVERY[worst])]: false };
            },
          },
          { text: "All heads on again.", changes: { text: START, ...allOn } },
        ]),
        h(
          "details",
          {},
          h("summary", {}, `The ${VOCAB.length} words of its language`),
          Object.entries(KINDS).map(([kind, list]) => h("p.word-list", {}, h("b", {}, `${kind}: `), list.replace(/ /g, " · "))),
          h("p.word-list", {}, h("b", {}, "syllables: "), SYLLABLES.join(" · ")),
        ),
      ),
      render(now, state) {
        model = now;
        input.update(state);
        before.update(state);
        heads.update(state);
        const { story, chances, best, off } = now;
        hint.textContent = story.nothing
          ? "None of these words is in the language; the story of the beginning is read until one is."
          : story.unknown.length
            ? `Not in the language, so left out: ${story.unknown.join(", ")}.`
            : story.cut
              ? `Only the last ${LONGEST} words are read.`
              : "";
        hint.hidden = !hint.textContent;
        const order = range(VOCAB.length)
          .sort((a, b) => now.now[b] - now.now[a])
          .slice(0, 6);
        answers.update(
          order.map((id) => ({
            name: VOCAB[id],
            share: now.now[id],
            ghost: off.length ? chances[id] : undefined,
            amount: show(now.now[id], 4),
            how: off.length ? [`all on: ${show(chances[id], 4)}`] : [],
            say: `${VOCAB[id]}: probability ${show(now.now[id], 4)}${off.length ? `, with all heads on ${show(chances[id], 4)}` : ""}`,
            chosen: id === best,
          })),
          `After “${story.words.slice(-4).join(" ")}”: the likeliest six`,
        );
        answer.update(`“${VOCAB[order[0]]}”`, off.length ? `with ${off.length} of 8 heads off` : "all heads are on", order[0] === best ? "" : "bad");
        share.update(show(chances[best], 4), `for “${VOCAB[best]}”`);
        alone.update({ ...HEAD_AXES, values: now.alone });
        alone.set("current", (layer, head) => off.some(([a, b]) => a === layer && b === head));
      },
    };
  },
};

const lookScene = {
  id: "look",
  title: "Where each head looks",
  owns: ["place"],
  text: `<p>Choose a word of your story. A row is a head, and shows how that word's attention is spread over the words so far (what is missing to 1 goes to the story in front). At the last “the” the answer is due:
    a head of layer 0 looks at the <em>reason</em>, and heads of layer 1 at the <em>noun</em>. (Try several stories: preferences of layer 0 alone can favour a noun, too.)</p>`,
  build({ store, view }) {
    const picker = words(store, "place", "The word that looks"),
      read = readout("Point at a number, or walk with the arrow keys. A head's name opens its whole map below.");
    let model;
    const grid = view(
      new Matrix({
        name: "at",
        shrink: true,
        limits: [0, 1],
        title: "Weights",
        onrow: (n) => store.set({ look: EVERY[n].join(".") }),
        say: (n, j, value) =>
          `${nameOf(EVERY[n])}, from “${model.story.words[model.place]}” to word ${j + 1}, “${model.story.words[j]}”: weight ${show(value, 2)}`,
        onpoint: (place) => {
          if (!place) {
            read.say(null);
            return;
          }
          const { i, j } = place,
            row = model.at[i];
          read.say([
            [nameOf(EVERY[i]), "result"],
            ": ",
            [model.story.words[model.place], "of-query"],
            " gives ",
            [model.story.words[j], "of-key"],
            " the weight ",
            [show(row[j], 4), "result"],
            `; this story gets ${show(sum(row), 2)} of it.`,
          ]);
        },
      }),
    );
    return {
      elements: h("div.figure", {}, picker.element, grid.element, read.element),
      render(now, state) {
        model = now;
        picker.update({ place: now.place }, now.story.words);
        grid.update({
          values: now.at,
          rows: EVERY.map(([layer, head]) => `L${layer} · H${head}`),
          columns: now.story.words,
          title: `Where “${now.story.words[now.place]}” (word ${now.place + 1}) looks`,
        });
        grid.set("off", (_, j) => j > now.place);
        grid.set("chosen", (n) => EVERY[n].join(".") === state.look);
        grid.heads.forEach((head, j) => head.classList.toggle("here", j === now.place));
      },
    };
  },
};

const mapScene = {
  id: "map",
  title: "One head, every word",
  owns: ["look"],
  text: "<p>The whole map of one head over your story. It uses the switches above, so you can see what a head of layer 1 does when a head below it is silent.</p>",
  build({ store, view }) {
    const picker = segments(
      store,
      "look",
      "Head (layer · head)",
      EVERY.map(([layer, head]) => [`${layer}.${head}`, `${layer} · ${head}`]),
    );
    const grid = view(new Matrix({ name: "map", shrink: true, limits: [0, 1], rowKind: "query", columnKind: "key", quantity: "weight" }));
    return {
      elements: h("div.figure", {}, picker.element, grid.element),
      render({ story, map }, state) {
        picker.update(state);
        grid.update({ values: map, rows: story.words, columns: story.words, title: nameOf(state.look.split(".")) });
        grid.set("off", (i, j) => j > i);
      },
    };
  },
};

const chantScene = {
  id: "chant",
  title: "A song heard once",
  owns: ["period", "tune"],
  text: `<p>Syllables at random, again and again with a period that you choose. From the second round on everything can be known: find the last time that this syllable was sung, and look at what came <em>next</em>.
    A <em>previous-token head</em> tells each syllable who stood before it; an <em>induction head</em> uses that. The scores are the chapter's. The third table says how much dearer a syllable gets when that head is off; compare it with the second: <em>looking</em> is not yet <em>being used</em>. It holds for this model, whose heads a rule has thinned out (section 9.9), and for one head at a time: switch off two.</p>`,
  build({ store, view }) {
    const period = slider(store, "period", "Period", { text: (v) => `${v} syllables` }),
      tune = slider(store, "tune", "Tune", { text: String }),
      song = h("p.chips.song", { "aria-label": "the chant" }),
      picker = segments(
        store,
        "look",
        "Head drawn below (layer · head)",
        EVERY.map(([layer, head]) => [`${layer}.${head}`, `${layer} · ${head}`]),
      );
    const tables = [
      ["previous", "Previous-token score", "weight on the one before"],
      ["induction", "Induction score", "weight on the one after the same"],
    ].map(([name, title, quantity]) => view(headGrid({ name, title, quantity, onpoint: (place) => same(place) })));
    const rise = view(
      headGrid({ name: "rise", title: "Price with it off, more", limits: null, quantity: "price more", onpoint: (place) => same(place) }),
    );
    const same = (place) => [...tables, rise].forEach((grid) => grid.mark(place ? { cells: [[place.i, place.j]] } : {}));
    const [price, right] = [figureOf("Price of a syllable, nats"), figureOf("Next syllable right")];
    const pattern = view(new Matrix({ name: "pattern", limits: [0, 1], rowKind: "query", columnKind: "key", quantity: "weight" }));
    const drawLarge = (now, { look, period }) => {
        rise.update({ ...HEAD_AXES, values: now.rise, limits: [0, Math.max(0.1, ...now.rise.flat())] });
        pattern.table.classList.add("tiny");
        pattern.update({ values: now.pattern, rows: now.chant, columns: now.chant, title: `${nameOf(look.split("."))}: weights over the chant` });
        pattern.set("current", (i, j) => i >= period && (i - j) % period === period - 1 && j >= 1 && j <= i);
        pattern.set("off", (i, j) => j > i);
        [rise, pattern].forEach((grid) => grid.table.removeAttribute("aria-busy"));
      },
      soon = whenStill(drawLarge);
    let drawn = "";
    return {
      elements: h(
        "div.figure",
        {},
        h("div.controls", {}, period.element, tune.element),
        song,
        h(
          "div.row.three",
          {},
          [...tables, rise].map((grid) => grid.element),
        ),
        h("div.meters", {}, price.element, right.element),
        picker.element,
        pattern.element,
        h("p.hint", {}, "Outlined: where an induction head should look. With the last round begun, there may be two such places."),
      ),
      render(now, state) {
        [period, tune, picker].forEach((one) => one.update(state));
        song.replaceChildren(...now.chant.map((word, i) => h(i < state.period ? "span" : "span.again", {}, word)));
        tables.forEach((grid) => grid.update({ ...HEAD_AXES, values: now[grid.options.name] }));
        price.update(
          show(now.priceNow, 3),
          now.off.length ? `with all heads on ${show(now.price, 3)}` : "from the second round on; chance would be ln 16 = 2.77",
          now.priceNow > now.price + 0.5 ? "bad" : "",
        );
        right.update(`${show(100 * now.rightNow, 0)} %`, `of ${now.chant.length - state.period} places`);
        const key = JSON.stringify([now.chant, state.look, now.off, document.documentElement.dataset.theme]);
        if (key === drawn) return;
        [rise, pattern].forEach((grid) => grid.table.setAttribute("aria-busy", "true"));
        (drawn ? soon : drawLarge)(now, state);
        drawn = key;
      },
    };
  },
};

page({
  chapter: "ch09_training",
  number: 9,
  title: "Train it, look inside",
  deck: "A model that has learned to guess the next word, and nothing else. Ask it who was hungry, look at its eight heads, and switch them off.",
  fields: {
    text: sentence(START),
    before: flag(true),
    place: number(0, LONGEST - 1, 13),
    look: choice(
      EVERY.map((one) => one.join(".")),
      "1.2",
    ),
    ...Object.fromEntries(EVERY.map((one) => [flagOf(one), flag(true)])),
    period: number(4, 16, 9),
    tune: number(1, 9, 1),
    ...emergeFields,
  },
  compute,
  scenes: [whoScene, lookScene, mapScene, chantScene, emergeScene(SYLLABLES)],
  made: [
    "The model is the chapter's <code>GPT</code>: 52 words, width 64, 2 blocks, 4 heads, windows of 48 words; trained on the chapter's language with a pruning rule like that of section 9.9 in the second half, its numbers then rounded to eight bits with one scale for each row. After rounding it still passes both exams of the chapter.",
    `The story in front gives the window the length that the model is used to, as in the chapter. It is: “${EARLIER.join(" ")}”.`,
    "A head is switched off by taking away its term in the output of <i>W<sub>o</sub></i>, as in exercise 9.6; the bias stays. “With one head off” takes one away from the whole model, whatever the switches say.",
    "Price: the mean of −ln <i>p</i> of the right syllable, over all places from the second round on. The order of the syllables comes from Lehmer's generator (48271, 2<sup>31</sup> − 1, the first ten numbers thrown away), seeded with the number of the tune.",
    "The models that learn here start from N(0, 0.02 · √(768 / 32)) and 0.3 times chapter 5's sinusoids, which are trained too; pre-norm, no biases, gradient clipped to length 1, learning rate up to 0.01 in 30 steps and down to 0 at step 400. Shares and losses are of 16 new chants; the map is of one more. Losses and gradients are compared with PyTorch's.",
  ],
});
