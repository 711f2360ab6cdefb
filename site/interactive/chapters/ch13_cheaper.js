import { normalMatrix, softmaxRows, sum, uniforms } from "../engine/tensor.js";
import { h, show } from "../engine/dom.js";
import { choice, number } from "../engine/store.js";
import { Matrix } from "../engine/matrix.js";
import { segments, slider, tries } from "../engine/controls.js";
import { figureOf, readout } from "../engine/readouts.js";
import { page } from "../engine/page.js";

const DRAFTED = 4;
const WORDS = ["cat", "dog", "mat", "sat", "the", "on"];
const LOGITS = normalMatrix(DRAFTED + 1, WORDS.length, 125),
  OTHERS = normalMatrix(DRAFTED, WORDS.length, 126);

const clip = (row) => {
  const positive = row.map((value) => Math.max(0, value)),
    total = sum(positive);
  return positive.map((value) => (total > 0 ? value / total : 0));
};
const pick = (weights, chance) => {
  let total = 0;
  const at = weights.findIndex((value) => (total += value) > chance);
  return at < 0 ? weights.findLastIndex((value) => value > 0) : at;
};
/** A draft of four tokens, looked at by the model that has the last word. Probabilities of the two, what is accepted, what comes out. */
function speculative(seed, alike, rule) {
  const target = softmaxRows(LOGITS.map((row) => row.map((value) => 1.5 * value)));
  const draft = softmaxRows(OTHERS.map((row, i) => row.map((value, j) => 1.5 * (alike * LOGITS[i][j] + (1 - alike) * value))));
  const chances = uniforms(2 * DRAFTED + 1, 4 * seed + 131).map((value) => (value + 1) / 2);
  const drafted = draft.map((row, i) => pick(row, chances[i]));
  const ratio = drafted.map((word, i) => Math.min(1, target[i][word] / draft[i][word]));
  const u = chances.slice(DRAFTED, 2 * DRAFTED);
  const common = draft.map((row, i) => row.map((value, j) => Math.min(value, target[i][j])));
  const residual = draft.map((row, i) => clip(target[i].map((value, j) => value - row[j])));
  const kept = rule === "all" ? common.map(() => 1) : common.map(sum);
  // what stands at a place that is reached, over all drafts: exact, not drawn
  const comes = draft.map((row, i) => {
    if (rule === "all") return row;
    const then = rule === "corrected" ? residual[i] : target[i];
    return row.map((_, j) => common[i][j] + (1 - kept[i]) * then[j]);
  });
  const refusal = rule === "all" ? -1 : ratio.findIndex((value, i) => u[i] >= value);
  const accepted = refusal < 0 ? DRAFTED : refusal;
  const from = refusal < 0 ? target[DRAFTED] : rule === "corrected" ? residual[refusal] : target[refusal];
  const reached = [1];
  kept.forEach((share) => reached.push(reached.at(-1) * share));
  return {
    target,
    draft,
    common,
    residual,
    comes,
    ratio,
    u,
    kept,
    drafted,
    accepted,
    tokens: [...drafted.slice(0, accepted), pick(from, chances.at(-1))],
    perCall: sum(reached),
    gaps: comes.map((row, i) => sum(row.map((value, j) => Math.abs(value - target[i][j]))) / 2),
  };
}

function compute({ seed, alike, rule }) {
  return { speculative: speculative(seed, alike, rule) };
}

const controlsOf = (...list) =>
  h(
    "div.controls",
    {},
    list.map((one) => one.element ?? one),
  );
const metersOf = (list) =>
  h(
    "div.meters",
    {},
    list.map((one) => one.element),
  );

const RULES = { corrected: "corrected", plain: "from the target", all: "accept all" };
const draftScene = {
  id: "draft",
  title: "A draft, accepted or corrected",
  owns: ["seed", "alike", "place", "rule"],
  text: `<p>A small model drafts ${DRAFTED} tokens; the large one looks at all of them in one call. A drafted token stays with probability min(1, p ÷ q): p is what the large model gives it, q what the small one gave it.
    At the first refusal one token is drawn from what p has more than q, and the rest of the draft is thrown away. If all stay, the same call gives one token more.</p>`,
  build({ store, view }) {
    const controls = [
      slider(store, "alike", "How alike the two models are", { text: (value) => show(value, 1) }),
      slider(store, "seed", "Draft number"),
      slider(store, "place", "Place looked at below"),
    ];
    const rule = segments(store, "rule", "After a refusal, draw", Object.entries(RULES));
    let now, state;
    const verdictOf = (j) => (j < now.accepted ? "stays" : j > now.accepted ? "thrown away" : "refused");
    const verdicts = view(
      new Matrix({
        name: "verdicts",
        rowKind: "",
        columnKind: "",
        limits: [0, 1],
        digits: 2,
        title: "The draft, token by token",
        say: (i, j, value) =>
          `place ${j + 1}, ${WORDS[now.drafted[j]]}: ${["stays with probability", "the chance drawn is"][i]} ${show(value, 2)}, ${verdictOf(j)}`,
      }),
    );
    const line = h("p.sentence-out");
    const say = readout("");
    const both = view(
      new Matrix({
        name: "both",
        rowKind: "",
        columnKind: "word",
        limits: [0, 1],
        digits: 3,
        say: (i, j, value) => `${["target", "draft", "both at least", "drawn after a refusal", "comes out"][i]}, word ${WORDS[j]}: probability ${show(value, 3)}`,
      }),
    );
    const meters = [figureOf("This call gives"), figureOf("A call gives on average"), figureOf("What comes out is off by")];
    return {
      elements: h(
        "div.figure",
        {},
        controlsOf(...controls),
        rule.element,
        verdicts.element,
        line,
        say.element,
        both.element,
        metersOf(meters),
        tries(store, [
          { text: "Accept everything: fast, and wrong. Which row shows it?", changes: { rule: "all", alike: 0.3, place: 1 } },
          { text: "Refuse, then draw from the target as it is: still wrong.", changes: { rule: "plain", alike: 0.3, place: 1 } },
          { text: "With the correction, and a bad draft: right, and slow.", changes: { rule: "corrected", alike: 0.3, place: 1 } },
          { text: "Two models that agree.", changes: { rule: "corrected", alike: 1 } },
        ]),
      ),
      render({ speculative: latest }, current) {
        [now, state] = [latest, current];
        controls.forEach((one) => one.update(state));
        rule.update(state);
        const n = now.accepted,
          at = state.place - 1;
        verdicts.update({ values: [now.ratio, now.u], rows: ["stays if below", "chance drawn"], columns: now.drafted.map((word, j) => `${j + 1} ${WORDS[word]}`) });
        verdicts.set("off", (i, j) => j > n);
        verdicts.set("current", (i, j) => j === n);
        verdicts.set("finished", (i, j) => j < n);
        line.replaceChildren(...now.tokens.flatMap((word, i) => [i ? " " : "", i === now.tokens.length - 1 ? h("b", {}, WORDS[word]) : WORDS[word]]));
        say.say([
          n === DRAFTED
            ? `All ${DRAFTED} stay; “${WORDS[now.tokens.at(-1)]}” comes from the target’s own row after them.`
            : `${n} of ${DRAFTED} stay; at place ${n + 1} “${WORDS[now.drafted[n]]}” is refused and “${WORDS[now.tokens.at(-1)]}” is drawn.`,
        ]);
        const after = state.rule === "plain" ? now.target[at] : now.residual[at];
        both.update({
          values: [now.target[at], now.draft[at], now.common[at], state.rule === "all" ? WORDS.map(() => 0) : after, now.comes[at]],
          rows: ["target p", "draft q", "min(p, q)", "if refused", "comes out"],
          columns: WORDS,
          title: `Probabilities at place ${state.place}`,
        });
        both.set("chosen", (i, j) => j === now.drafted[at]);
        both.set("current", (i) => i === 0 || i === 4);
        meters[0].update(n ? `${n + 1} tokens` : "1 token", `${n} of the draft, one from the target`);
        meters[1].update(show(now.perCall, 2), `tokens; ${DRAFTED + 1} would be the most`);
        const gap = now.gaps[at];
        meters[2].update(gap < 1e-12 ? "0" : show(gap, 3), "half the sum of |comes out − p|: the share of the texts that are wrong here", gap < 1e-12 ? "good" : "bad");
      },
    };
  },
};

page({
  chapter: "ch13_cheaper",
  number: 13,
  title: "Cheaper roads",
  deck: "How a cheap guess becomes exactly what the expensive model would have written.",
  fields: {
    seed: number(1, 40, 4),
    alike: number(0, 1, 0.6, 0.1),
    place: number(1, DRAFTED, 1),
    rule: choice(Object.keys(RULES)),
  },
  compute,
  scenes: [draftScene],
  made: [
    "Scores of the two models are normal numbers from Lehmer’s generator through Box and Muller’s formula (seeds 125 and 126); chances come from the same generator. What comes out is computed over all drafts at once, not drawn.",
  ],
});
