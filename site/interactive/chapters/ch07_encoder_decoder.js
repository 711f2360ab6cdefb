import { cosine, mean, range, softmax } from "../engine/tensor.js";
import { h, show } from "../engine/dom.js";
import { choice, number, sentence } from "../engine/store.js";
import { Matrix } from "../engine/matrix.js";
import { ledger } from "../engine/ledger.js";
import { segments, sentenceInput, slider, stepper, tries, words } from "../engine/controls.js";
import { figureOf, readout } from "../engine/readouts.js";
import { Threads } from "../engine/threads.js";
import { decode, encode, readTranslator, translate } from "../engine/translator.js";
import { page } from "../engine/page.js";

const MODEL = readTranslator(PAGE_DATA);
const { german: GERMAN, english: ENGLISH } = PAGE_DATA;
const LONGEST = 12,
  START = "kannst du mir helfen",
  TWICE = "sie kann sie sehen";
const idOf = new Map(GERMAN.map((word, id) => [word.toLowerCase(), id]).slice(1)); // 0 is padding

/** What the model can read of a sentence: its known words. */
function readGerman(text, instead) {
  const typed = text
    .replace(/[.,!?;:]/g, " ")
    .trim()
    .split(/\s+/)
    .filter(Boolean);
  const known = typed.filter((word) => idOf.has(word.toLowerCase())).slice(0, LONGEST),
    unknown = typed.filter((word) => !idOf.has(word.toLowerCase()));
  const ids = (known.length ? known : instead.split(" ")).map((word) => idOf.get(word.toLowerCase()));
  return { ids, words: ids.map((id) => GERMAN[id]), unknown, cut: typed.length - unknown.length > LONGEST, nothing: !known.length };
}
const averaged = (heads) => heads[0].map((row, i) => row.map((_, j) => mean(heads.map((head) => head[i][j]))));

const translations = new Map();
/** Everything about one sentence: its translation, all weights, and how sure each word stays when a German word is covered. */
function study(ids) {
  const key = ids.join(" ");
  if (!translations.has(key)) {
    const read = encode(MODEL, ids),
      written = translate(MODEL, read.memory),
      inputs = [MODEL.config.bos, ...written],
      whole = decode(MODEL, inputs, read.memory);
    const sure = (logits) => written.map((id, i) => softmax(logits[i])[id]);
    const covered = ids.map((_, j) => ({
      sure: sure(decode(MODEL, inputs, read.memory, j).logits),
      written: translate(MODEL, read.memory, { hidden: j }),
    }));
    translations.set(key, {
      ...read,
      written,
      english: written.map((id) => ENGLISH[id]),
      likely: whole.logits.map(softmax),
      crosses: whole.cross,
      selves: whole.self,
      sure: sure(whole.logits),
      without: written.map((_, i) => covered.map((one) => one.sure[i])),
      coveredEnglish: covered.map((one) => one.written.map((id) => ENGLISH[id])),
    });
  }
  return translations.get(key);
}

function compute(state) {
  const source = readGerman(state.text, START),
    made = study(source.ids),
    rows = made.english.length;
  const last = made.crosses.at(-1).map((head) => head.slice(0, rows));
  const cross = state.head === "both" ? averaged(last) : last[Number(state.head)];
  const twins = readGerman(state.twice, TWICE),
    stages = encode(MODEL, twins.ids).states,
    similar = stages.map((x) => x.map((a) => x.map((b) => cosine(a, b))));
  const pair = twins.words.flatMap((word, i) => (twins.words.indexOf(word, i + 1) > i ? [[i, twins.words.indexOf(word, i + 1)]] : []))[0] ?? null;
  const [layer, head] = [Number(state.layer), Number(state.which)];
  const three = { encoder: made.weights, decoder: made.selves, cross: made.crosses }[state.attention][layer][head];
  return { source, ...made, cross, now: Math.min(state.written, rows - 1), twins, similar, pair, three };
}

const complaint = () => {
  const element = h("p.hint", { role: "status" });
  return {
    element,
    update({ unknown, cut, nothing }, instead) {
      element.textContent = nothing
        ? `None of these words is in the language; below stands “${instead}” until one is.`
        : unknown.length
          ? `Not in the language, so left out: ${unknown.join(", ")}.`
          : cut
            ? `Only the first ${LONGEST} words are read.`
            : "";
      element.hidden = !element.textContent;
    },
  };
};

const translateScene = {
  id: "translate",
  title: "Caught looking",
  owns: ["text", "written", "head"],
  text: `<p>This is the model that the chapter trains: two blocks on either side, two heads, 100,837 numbers, rounded to eight bits each. It has seen 8,000 pairs of sentences and no alignment.
    Type German in the chapter's little language; your browser reads it once and writes English, word by word.</p>
    <p>A thread shows where the model looks <em>while it is about to write</em> a word. Walk through the sentence: where does it look for “help”?</p>`,
  build({ store, view }) {
    const input = sentenceInput(store, "text", "German sentence"),
      problem = complaint(),
      heads = segments(store, "head", "Cross-attention of the last block", [
        ["both", "both heads, averaged"],
        ["0", "head 0"],
        ["1", "head 1"],
      ]),
      step = slider(store, "written", "Word being written", { text: (i) => String(i + 1) }),
      output = h("p.sentence-out", { role: "status" }),
      read = readout("Point at a number: the row is being written, the column is looked at."),
      candidates = ledger({ caption: "What it might write" });
    let model;
    const threads = new Threads({ name: "threads", left: "German", right: "English", onpick: (i) => store.set({ written: i }) });
    const grid = view(
      new Matrix({
        name: "cross",
        shrink: true,
        limits: [0, 1],
        title: "Where it looks",
        onrow: (i) => store.set({ written: i }),
        say: (i, j, value) => `writing ${model.english[i]}, looking at ${model.source.words[j]}: weight ${show(value, 2)}`,
        onpoint: (place) => {
          if (!place) {
            read.say(null);
            return;
          }
          const { i, j } = place;
          read.say([
            "About to write ",
            [model.english[i], "of-query"],
            ` (it has just read ${i ? model.english[i - 1] : "the mark of the beginning"}), it looks at `,
            [model.source.words[j], "of-key"],
            " with weight ",
            [show(model.cross[i][j], 4), "result"],
            ".",
          ]);
        },
      }),
    );
    return {
      elements: h(
        "div.figure",
        {},
        input.element,
        problem.element,
        output,
        h("div.row.two", {}, h("div.stack", {}, step.element, threads.element), h("div.stack", {}, heads.element, grid.element, read.element)),
        candidates.element,
        tries(store, [
          { text: "The same words as a statement.", changes: { text: "du kannst mir helfen", written: 2 } },
          { text: "Turn the German order inside out.", changes: { text: "morgen werde ich Tom treffen weil er uns hier rufen muss", written: 7 } },
          { text: "An order that no German would use.", changes: { text: "helfen mir du kannst", written: 0 } },
        ]),
        h(
          "details",
          {},
          h("summary", {}, `All ${GERMAN.length - 1} words of the language`),
          h("p.word-list", { lang: "de" }, GERMAN.slice(1).join(" · ")),
        ),
      ),
      render(now, state) {
        model = now;
        const { source, english, cross, likely } = now;
        input.update(state);
        problem.update(source, START);
        heads.update(state);
        step.limit(0, Math.max(0, english.length - 1));
        step.update({ ...state, written: now.now });
        output.textContent = english.length ? english.join(" ") : "(it writes nothing)";
        threads.update({ from: source.words, to: english, weights: cross, now: now.now });
        grid.element.hidden = !english.length;
        if (english.length) grid.update({ values: cross, rows: english, columns: source.words }).set("chosen", (i) => i === now.now);
        const chances = likely[Math.max(0, now.now)],
          best = range(chances.length)
            .sort((a, b) => chances[b] - chances[a])
            .slice(0, 5);
        candidates.update(
          best.map((id) => ({
            name: ENGLISH[id],
            share: chances[id],
            amount: show(chances[id], 4),
            how: [],
            say: `${ENGLISH[id]}: probability ${show(chances[id], 4)}`,
            chosen: id === now.written[now.now],
          })),
          english.length ? `Word ${now.now + 1}: what it might write, the likeliest five` : "What it might write",
        );
      },
    };
  },
};

const coverScene = {
  id: "cover",
  title: "Cover a word and see what it can no longer say",
  owns: ["covered"],
  text: `<p>Large weights alone prove nothing: what is looked at need not be used. So we intervene, as the chapter does. On the left stands where the model looks. On the right stands how sure it stays of
    its word when that German word is <em>covered</em>, hidden from cross-attention. (The encoder has read the whole sentence both times.)</p>
    <p>If it needs what it looks at, one picture is the other's negative.</p>`,
  build({ store, view }) {
    const read = readout("Point at a number in either matrix: the same pair is marked in both.");
    const picker = words(store, "covered", "Cover for the whole sentence");
    const said = [h("p.sentence-out", {}), h("p.sentence-out", { role: "status" })];
    let model;
    const linked = (name, title, say) =>
      view(
        new Matrix({
          name,
          title,
          shrink: true,
          limits: [0, 1],
          say,
          onpoint: (place) => {
            const other = name === "looks" ? without : looks;
            other.mark(place ? { rows: [place.i], columns: [place.j], cells: [[place.i, place.j]] } : {});
            if (!place) {
              read.say(null);
              return;
            }
            const { i, j } = place;
            read.say([
              "Writing ",
              [model.english[i], "of-query"],
              ": it looks at ",
              [model.source.words[j], "of-key"],
              ` with weight ${show(model.average[i][j], 2)}. With that word covered, the probability of “${model.english[i]}” goes from ${show(model.sure[i], 3)} to `,
              [show(model.without[i][j], 3), "result"],
              ".",
            ]);
          },
        }),
      );
    const looks = linked(
      "looks",
      "Where it looks, heads averaged",
      (i, j, v) => `writing ${model.english[i]}, looking at ${model.source.words[j]}: weight ${show(v, 2)}`,
    );
    const without = linked(
      "without",
      "Probability of the word, when covered",
      (i, j, v) => `writing ${model.english[i]} with ${model.source.words[j]} covered: probability ${show(v, 2)}`,
    );
    const needed = figureOf("Words that need what they look at most");
    return {
      elements: h(
        "div.figure",
        {},
        h("div.row.two", {}, looks.element, without.element),
        read.element,
        needed.element,
        picker.element,
        h("div.row.two", {}, h("div", {}, h("p.label", {}, "Nothing covered"), said[0]), h("div", {}, h("p.label", {}, "Covered"), said[1])),
      ),
      render(now, state) {
        const { source, english } = now,
          average = averaged(now.crosses.at(-1)).slice(0, english.length);
        model = { ...now, average };
        [looks, without].forEach((grid) => {
          grid.element.hidden = !english.length;
        });
        if (english.length) {
          looks.update({ values: average, rows: english, columns: source.words });
          without.update({ values: now.without, rows: english, columns: source.words });
        }
        const lost = english.filter((_, i) => now.without[i][average[i].indexOf(Math.max(...average[i]))] < 0.5).length,
          noticed = english.reduce(
            (all, _, i) => all + now.without[i].filter((p, j) => j !== average[i].indexOf(Math.max(...average[i])) && p < 0.5).length,
            0,
          );
        needed.update(
          `${lost} of ${english.length}`,
          `lost when the word with the largest weight is covered. Covering any other word loses ${noticed} of ${english.length * (source.words.length - 1)}.`,
          lost === english.length && english.length ? "good" : "",
        );
        const at = Math.min(state.covered, source.words.length - 1);
        picker.update({ covered: at }, source.words);
        said[0].textContent = english.join(" ");
        const other = now.coveredEnglish[at];
        said[1].replaceChildren(
          ...(other.length
            ? other.flatMap((word, i) => [i ? " " : "", word === english[i] ? word : h("span.wrong", {}, word)])
            : ["(it writes nothing)"]),
        );
      },
    };
  },
};

const STAGES = [
  { value: "table", label: "Table" },
  { value: "places", label: "+ places" },
  { value: "block1", label: "Block 1" },
  { value: "block2", label: "Block 2" },
];
const ABOUT = {
  table:
    "<p>From the table of embeddings the same word comes as the same vector, wherever it stands. Nobody could tell the subject from the object.</p>",
  places: "<p>Positions are added. Now the two differ by where they stand, but nothing says yet what that means.</p>",
  block1: "<p>Each word has looked at its neighbours once, and put together what it found.</p>",
  block2: "<p>This is the memory that the writer reads. The role of each “sie” can be read in its vector now; the chapter tests in 7.8 whether the writer uses it.</p>",
};
const twinScene = {
  id: "twins",
  title: "One word, two vectors",
  owns: ["twice", "stage"],
  text: `<p>In “sie kann sie sehen” the first <em>sie</em> is “she” and the second “her”. Reading makes two vectors of one word. The numbers are cosines: 1 is the same direction, 0 nothing in common.</p>`,
  build({ store, view }) {
    const input = sentenceInput(store, "twice", "Sentence with a word in it twice"),
      problem = complaint(),
      path = stepper(store, "stage", "Stage", STAGES),
      about = h("div.prose"),
      apart = figureOf("Cosine of the two");
    const grid = view(
      new Matrix({
        name: "similar",
        shrink: true,
        ramp: "signed",
        limits: [-1, 1],
        rowKind: "word",
        columnKind: "word",
        quantity: "cosine",
        title: "How alike the vectors are",
      }),
    );
    return {
      elements: h(
        "div.figure",
        {},
        input.element,
        problem.element,
        path.element,
        h("div.row.wide-left", {}, grid.element, h("div.stack", {}, about, apart.element)),
      ),
      render({ twins, similar, pair }, state) {
        input.update(state);
        problem.update(twins, TWICE);
        path.update(state);
        const at = STAGES.findIndex((stage) => stage.value === state.stage);
        about.innerHTML = ABOUT[state.stage];
        grid.update({ values: similar[at], rows: twins.words, columns: twins.words });
        grid.set("current", (i, j) => pair && ((i === pair[0] && j === pair[1]) || (i === pair[1] && j === pair[0])));
        apart.update(
          pair ? show(similar[at][pair[0]][pair[1]], 3) : "–",
          pair ? `“${twins.words[pair[0]]}” in place ${pair[0] + 1} and in place ${pair[1] + 1}` : "no word stands in this sentence twice",
        );
      },
    };
  },
};

const KINDS = {
  encoder: ["Encoder", "Source words ask source words. Nothing is hidden but padding: a word may look at what follows."],
  decoder: ["Decoder", "Words that it has read back ask each other. What is not yet written is hidden."],
  cross: [
    "Cross",
    "Each word that it has just read back asks the source, to find what to write after it. Rows belong to whoever asks, so the matrix need not be square.",
  ],
};
const threeScene = {
  id: "three",
  title: "Three attentions, one formula",
  owns: ["attention", "layer", "which"],
  text: "<p>The sentence of the first scene again, and all of its attention: three kinds, two layers, two heads. Ask each time: who asks, who answers, what is hidden?</p>",
  build({ store, view }) {
    const kind = segments(
        store,
        "attention",
        "Attention",
        Object.entries(KINDS).map(([value, [label]]) => [value, label]),
      ),
      layer = segments(store, "layer", "Block", [
        ["0", "first"],
        ["1", "second"],
      ]),
      which = segments(store, "which", "Head", [
        ["0", "0"],
        ["1", "1"],
      ]),
      about = h("p");
    const grid = view(new Matrix({ name: "three", shrink: true, limits: [0, 1], rowKind: "query", columnKind: "key", quantity: "weight" }));
    return {
      elements: h(
        "div.figure",
        {},
        h("div.controls", {}, kind.element, layer.element, which.element),
        h("div.row.wide-left", {}, grid.element, h("div.prose", {}, about)),
      ),
      render({ source, english, three }, state) {
        [kind, layer, which].forEach((one) => one.update(state));
        const reads = ["<bos>", ...english];
        grid.update({
          values: three,
          rows: state.attention === "encoder" ? source.words : reads,
          columns: state.attention === "decoder" ? reads : source.words,
          title: `${KINDS[state.attention][0]}, block ${Number(state.layer) + 1}, head ${state.which}`,
        });
        grid.set("off", (i, j) => state.attention === "decoder" && j > i);
        about.textContent = KINDS[state.attention][1];
      },
    };
  },
};

page({
  chapter: "ch07_encoder_decoder",
  number: 7,
  title: "The original Transformer",
  deck: "One half reads a sentence, the other writes it in another language. Catch it looking across, and then cover its eyes.",
  fields: {
    text: sentence(START),
    written: number(0, 15, 2),
    head: choice(["both", "0", "1"]),
    covered: number(0, LONGEST - 1, 3),
    twice: sentence(TWICE),
    stage: choice(STAGES.map((stage) => stage.value)),
    attention: choice(["encoder", "decoder", "cross"]),
    layer: choice(["0", "1"]),
    which: choice(["0", "1"]),
  },
  compute,
  scenes: [translateScene, coverScene, twinScene, threeScene],
  made: [
    "The model is the chapter's <code>Transformer</code>, trained by the chapter's own cells and seed, its numbers then rounded to eight bits with one scale for each row; after rounding it still passes the chapter's exam. Everything you see is computed from these numbers here.",
    "It knows the words of section 7.1 alone. Whatever order you put them in is translated somehow; only orders of the chapter's grammar were ever trained.",
    "Translation is greedy: the likeliest word each time, until the end mark. Weights in the row of a word are those of the moment in which it is written, when the decoder has just read the word before it.",
  ],
});
