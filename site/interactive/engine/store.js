// The state of a page: a few named fields, each with its own reading and writing, so that an address
// (#query=1&step=softmax) or a cue ("step:softmax query:1") can put the page into any state.

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** One of a few words. */
export const choice = (options, fallback = options[0]) => ({
  fallback,
  options,
  read: (text) => (options.includes(text) ? text : undefined),
  write: String,
});
/** A number between two bounds; whole ones with step 1. Out of bounds is moved to the nearest bound. */
export const number = (min, max, fallback, step = 1) => ({
  fallback,
  min,
  max,
  step,
  read(text) {
    const value = typeof text === "string" && text.trim() === "" ? NaN : Number(text);
    if (!Number.isFinite(value)) return undefined;
    const steps = Math.round((Math.min(max, Math.max(min, value)) - min) / step);
    return Math.min(max, Number((min + steps * step).toFixed(10)));
  },
  write: String,
});
export const flag = (fallback = false) => ({
  fallback,
  options: ["on", "off"],
  read: (text) => ({ on: true, off: false, true: true, false: false })[String(text)],
  write: (value) => (value ? "on" : "off"),
});
export const sentence = (fallback, longest = 120) => ({
  fallback,
  longest,
  read: (text) => (typeof text === "string" && text.trim() ? text.slice(0, longest) : undefined),
  write: String,
});
const readRow = (text) => text.split(",").map(Number);
const goodNumber = (value) => Number.isFinite(value) && Math.abs(value) <= 1e4;
/** A matrix, written "1,0;0,1". */
export const matrix = (fallback) => ({
  fallback,
  read(text) {
    const rows = typeof text === "string" ? text.split(";").map(readRow) : text;
    const fits =
      Array.isArray(rows) &&
      rows.length === fallback.length &&
      rows.every((row, i) => Array.isArray(row) && row.length === fallback[i].length && row.every(goodNumber));
    return fits ? rows : undefined;
  },
  write: (rows) => rows.map((row) => row.join(",")).join(";"),
});
/** Vectors by word, written "bank:0.1,0.2,0.3;river:…". */
export const vectors = (dimensions) => ({
  fallback: {},
  read(text) {
    const pairs =
      typeof text === "string"
        ? text
            .split(";")
            .filter(Boolean)
            .map((part) => [decodeURIComponent(part.split(":")[0]), readRow(part.split(":")[1] ?? "")])
        : Object.entries(text ?? {});
    return pairs.every(([, row]) => row.length === dimensions && row.every(goodNumber)) ? Object.fromEntries(pairs) : undefined;
  },
  write: (map) =>
    Object.entries(map)
      .map(([word, row]) => `${encodeURIComponent(word)}:${row.join(",")}`)
      .join(";"),
});

export class Store {
  #listeners = [];
  #normalise;

  /** normalise(state) may return changes that keep fields consistent with each other. */
  constructor(fields, normalise = () => ({})) {
    this.fields = fields;
    this.#normalise = normalise;
    this.state = this.#start();
  }
  #start() {
    const state = Object.fromEntries(Object.entries(this.fields).map(([key, field]) => [key, structuredClone(field.fallback)]));
    return { ...state, ...this.#normalise(state) };
  }
  on(listener) {
    this.#listeners.push(listener);
  }

  /** Change fields; what cannot be read is left as it was. Returns the names of the fields that were understood. */
  set(changes) {
    const next = { ...this.state },
      understood = [];
    for (const [key, raw] of Object.entries(changes)) {
      const value = this.fields[key]?.read(raw);
      if (value === undefined) continue;
      next[key] = value;
      understood.push(key);
    }
    Object.assign(next, this.#normalise(next));
    const changed = Object.keys(next).filter((key) => !same(next[key], this.state[key]));
    this.state = next;
    if (changed.length) this.#listeners.forEach((listener) => listener(changed));
    return understood;
  }
  /** Let everything be computed and drawn again. */
  refresh() {
    this.#listeners.forEach((listener) => listener([]));
  }
  reset() {
    this.state = this.#start();
    this.#listeners.forEach((listener) => listener(Object.keys(this.fields)));
  }

  /** Only what differs from the start: "query=1&step=softmax". */
  get hash() {
    const start = this.#start();
    return Object.entries(this.fields)
      .filter(([key]) => !same(this.state[key], start[key]))
      .map(([key, field]) => `${key}=${encodeURIComponent(field.write(this.state[key]))}`)
      .join("&");
  }
  setFromHash(text) {
    const changes = {};
    for (const part of text.replace(/^#/, "").split("&")) {
      const at = part.indexOf("=");
      if (at < 1) continue;
      try {
        changes[part.slice(0, at)] = decodeURIComponent(part.slice(at + 1));
      } catch {
        /* a broken escape says nothing */
      }
    }
    const start = Object.fromEntries(Object.entries(this.fields).map(([key, field]) => [key, field.fallback]));
    return this.set({ ...start, ...changes }).filter((key) => key in changes);
  }
}
