// A launch on a GPU: what each program reads and writes, in the sectors of 32 bytes that memory travels in, counted as attention_built.chip counts it.

import { lehmer, range, sum } from "./tensor.js";
import { announce, h } from "./dom.js";
import { Matrix } from "./matrix.js";
import { slider } from "./controls.js";
import { player } from "./player.js";

const SECTOR = 32;

/** The programs of a launch in an order of chance: Fisher and Yates' shuffle. */
export function shuffled(count, seed) {
  const uniform = lehmer(seed),
    order = range(count);
  for (let i = count - 1; i > 0; i--) {
    const j = Math.floor(uniform() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

/** The sectors that hold these places; runs are pairs [first, end) of neighbouring places. */
export const sectorsOf = (runs, bytes) => [
  ...new Set(
    runs.flatMap(([first, end]) => {
      const from = Math.floor((first * bytes) / SECTOR);
      return range(Math.floor((end * bytes - 1) / SECTOR) - from + 1).map((n) => from + n);
    }),
  ),
];
const placesIn = (runs) => sum(runs.map(([first, end]) => end - first));

/**
 * A launch after `done` of its steps. programs: for each its accesses { memory, runs, write }, in turn.
 * read, written: bytes in whole sectors; useful: bytes asked for; whole: the same of the whole launch; trips: how often each sector has crossed.
 */
export function launch(programs, order, bytes, done = Infinity) {
  const steps = order.flatMap((program) =>
    programs[program].map((access, n) => ({ ...access, program, last: n === programs[program].length - 1, sectors: sectorsOf(access.runs, bytes) })),
  );
  const bill = (list) => ({
    read: SECTOR * sum(list.map((one) => (one.write ? 0 : one.sectors.length))),
    written: SECTOR * sum(list.map((one) => (one.write ? one.sectors.length : 0))),
    useful: bytes * sum(list.map((one) => placesIn(one.runs))),
  });
  const ran = steps.slice(0, done),
    now = ran.at(-1) ?? null,
    trips = {};
  for (const { memory, sectors } of ran) for (const sector of sectors) (trips[memory] ??= {})[sector] = (trips[memory][sector] ?? 0) + 1;
  const state = programs.map(() => "waits");
  ran.forEach((one) => (state[one.program] = one.last && one !== now ? "is finished" : one === now ? "runs" : "has begun"));
  return { ...bill(ran), whole: bill(steps), steps, ran, now, trips, state };
}

/** The step that has just run, as two sentences. */
export function sayStep({ now }, bytes, nameOf = String) {
  if (!now) return "No program has run yet.";
  const count = now.sectors.length,
    which = count > 4 ? `${count} sectors` : `Sector${count > 1 ? "s" : ""} ${now.sectors.join(", ").replace(/, (\d+)$/, " and $1")}`,
    crosses = now.write ? (count > 1 ? "go out" : "goes out") : count > 1 ? "come in" : "comes in";
  return `Program ${nameOf(now.program)} ${now.write ? "writes" : "asks for"} ${placesIn(now.runs) * bytes} bytes of ${now.memory}. ${which} ${crosses}: ${count * SECTOR} bytes.`;
}

/** An element around elements and controls. */
export const put = (spec, ...parts) => h(spec, {}, parts.flat().map((one) => one.element ?? one));

export const button = (text, onclick) => h("button.step-button", { type: "button", onclick }, text);

/** Buttons and slider that run a launch: the field `key` counts its steps. update(state, the launch) */
export function runner(store, key, label, say) {
  let model = { steps: [] };
  const scrub = slider(store, key, label, { text: (done) => `${done} of ${model.steps.length}` });
  const go = (changes) => {
    store.set(changes);
    announce(say());
  };
  const buttons = [
    player(store, key, () => model.steps.length, 420),
    button("← Step", () => go({ [key]: store.state[key] - 1 })),
    button("Step →", () => go({ [key]: store.state[key] + 1 })),
    button("Another order", () => go({ order: (store.state.order % store.fields.order.max) + 1 })),
  ];
  return {
    element: put("div.controls.launch", put("div.step-buttons", buttons), scrub),
    update(state, now) {
      model = now;
      scrub.limit(0, now.steps.length);
      scrub.update(state);
    },
  };
}

/** The programs as a row of squares, or as many rows as the grid has. */
export class Programs extends Matrix {
  constructor(name, onpoint) {
    super({ name, rowKind: "", columnKind: "", text: (i, j) => this.nameOf(i, j), onpoint, limits: [0, 1], say: (i, j) => `program ${this.nameOf(i, j)} ${this.launch.state[this.rank(i, j)]}` });
    this.table.classList.add("programs");
  }
  nameOf(i, j) {
    return this.rows.length > 1 ? `${i},${j}` : String(j);
  }
  rank(i, j) {
    return j * this.rows.length + i; // the first side of a grid counts fastest
  }
  show(now, rows, columns, title) {
    this.launch = now;
    const is = (name) => (i, j) => now.state[this.rank(i, j)] === name;
    const done = range(rows).map((i) => range(columns).map((j) => (now.state[j * rows + i] === "is finished" ? 0.45 : 0)));
    this.update({ values: done, rows: done.map(() => ""), columns: range(columns).map(() => ""), title });
    this.set("travels", is("has begun"));
    this.set("asked", is("runs"));
  }
}

/** A tensor in memory: its numbers in rows, its sectors as they cross. The darker, the more often; what crosses now is orange. */
export class Memory extends Matrix {
  constructor(name, letter, onpoint) {
    super({ name, rowKind: "", columnKind: "", onpoint, text: (i, j) => this.written(i, j), say: (i, j) => this.sentence(i, j) });
    this.letter = letter;
  }
  place(i, j) {
    return i * this.columns.length + j;
  }
  sector(i, j) {
    return Math.floor((this.place(i, j) * this.bytes) / SECTOR);
  }
  trips(i, j) {
    return this.launch.trips[this.letter]?.[this.sector(i, j)] ?? 0;
  }
  sentence(i, j) {
    const times = this.trips(i, j),
      text = this.written(i, j);
    return `${this.letter}[${i}, ${j}]${text && text !== String(times) ? ` = ${text}` : ""} lies in sector ${this.sector(i, j)}, which has crossed ${times === 1 ? "once" : `${times} times`}${this.asked(i, j) ? "; asked for now" : this.travels(i, j) ? "; crosses now" : ""}`;
  }
  travels(i, j) {
    const { now } = this.launch;
    return now?.memory === this.letter && now.sectors.includes(this.sector(i, j));
  }
  asked(i, j) {
    const place = this.place(i, j);
    return this.travels(i, j) && this.launch.now.runs.some(([first, end]) => first <= place && place < end);
  }
  /** written (i, j): what stands in the square */
  show(now, rows, columns, bytes, { title, most, written = (i, j) => (this.trips(i, j) ? String(this.trips(i, j)) : "") }) {
    Object.assign(this, { launch: now, bytes, written });
    this.rows = range(rows).map(String);
    this.columns = range(columns).map(String);
    this.update({ values: range(rows).map((i) => range(columns).map((j) => this.trips(i, j))), rows: this.rows, columns: this.columns, title, limits: [0, most] });
    this.table.classList.add("small");
    this.set("starts", (i, j) => (this.place(i, j) * bytes) % SECTOR === 0);
    this.set("travels", (i, j) => this.travels(i, j));
    this.set("asked", (i, j) => this.asked(i, j));
  }
  /** Marks what some steps ask for. */
  light(steps) {
    const runs = steps.filter((one) => one.memory === this.letter).flatMap((one) => one.runs),
      cells = runs.flatMap(([first, end]) => range(end - first).map((n) => first + n)).map((place) => [Math.floor(place / this.columns.length), place % this.columns.length]);
    this.mark({ cells });
  }
}
