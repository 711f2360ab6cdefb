import { attention, normalMatrix, range, sum } from "../engine/tensor.js";
import { announce, compact, h } from "../engine/dom.js";
import { number } from "../engine/store.js";
import { Matrix } from "../engine/matrix.js";
import { slider, tries } from "../engine/controls.js";
import { figureOf, readout } from "../engine/readouts.js";
import { page } from "../engine/page.js";

const LONGEST = 18,
  WIDTH = 4,
  BLOCKS = 8,
  MOST_TEXTS = 4,
  MOST_STEPS = 60;
const [Q, K, V] = [121, 122, 123].map((seed) => normalMatrix(24, WIDTH, seed).slice(0, LONGEST));
const TOKENS = normalMatrix(MOST_STEPS, 2, 124);
const START = "n w0 w0 w0 w0 w0 w0 w0 f0 w1 w0 w1";

/** The cells of a cache with a window and sinks after `written` tokens: which position lies where, and how it is read. */
function rolling(window, sinks, written) {
  const slots = new Array(window + sinks).fill(-1);
  for (let t = 0; t < written; t++) slots[t < sinks ? t : sinks + ((t - sinks) % window)] = t;
  const positions = slots.filter((t) => t >= 0).sort((a, b) => a - b);
  const mask = range(LONGEST).map((i) => range(LONGEST).map((j) => j <= i && (j < sinks || i - j < window)));
  const query = [Q[written - 1]],
    [k, v] = [K, V].map((rows) => positions.map((t) => rows[t]));
  const output = attention(query, k, v).output[0];
  const right = attention(Q, K, V, { mask }).output[written - 1];
  return { slots, positions, mask, keys: k, output, right, error: Math.max(...output.map((value, d) => Math.abs(value - right[d]))) };
}

const textName = (id) => String.fromCharCode(65 + id);
/** Texts in blocks: replays the operations, one after another; what is refused changes nothing. */
function paged(ops, size) {
  const pool = range(BLOCKS).map(() => []); // what lies in each block: { token, name }
  const texts = new Map(); // id -> { table, length }
  const readers = (block) => [...texts].filter(([, text]) => text.table.includes(block)).map(([id]) => id);
  const spare = () => range(BLOCKS).find((block) => !readers(block).length);
  let made = 0,
    written = 0,
    said = "Nothing has been written yet.",
    refused = 0,
    copied = 0,
    last = null;
  for (const op of ops) {
    const id = Number(op.slice(1)),
      text = texts.get(id);
    last = null;
    if (op === "n" && texts.size < MOST_TEXTS) {
      texts.set(made, { table: [], length: 0 });
      said = `Text ${textName(made)} begins. It holds no block yet.`;
      made += 1;
    } else if (op[0] === "f" && text && texts.size < MOST_TEXTS) {
      texts.set(made, { table: [...text.table], length: text.length });
      said = `Text ${textName(made)} is a fork of ${textName(id)}: the same ${text.table.length} blocks, nothing copied.`;
      made += 1;
    } else if (op[0] === "x" && text) {
      const mine = text.table.filter((block) => readers(block).length === 1);
      mine.forEach((block) => (pool[block] = []));
      texts.delete(id);
      said = `Text ${textName(id)} is freed: ${mine.length} of its ${text.table.length} blocks go back, the others still have a reader.`;
    } else if (op[0] === "w" && text) {
      const place = text.length % size,
        block = text.table.at(-1),
        shared = place > 0 && readers(block).length > 1,
        target = place > 0 && !shared ? block : spare();
      if (target === undefined) {
        refused += 1;
        said = `MemoryError: text ${textName(id)} needs a block and all ${BLOCKS} are in use. Every text is as it was.`;
        continue;
      }
      if (shared) {
        copied += 1;
        pool[target] = pool[block].slice(0, place);
        text.table[text.table.length - 1] = target;
        said = `Text ${textName(id)} wants to write into block ${block}, which another text reads too: it copies the ${place} tokens into block ${target} first.`;
      } else if (!place) {
        pool[target] = [];
        text.table.push(target);
        said = `Text ${textName(id)} needs a new block and gets number ${target}.`;
      } else said = `Text ${textName(id)} writes into block ${block}, cell ${place}.`;
      pool[target] = [...pool[target], { token: TOKENS[written], name: `${textName(id)}${text.length}` }];
      text.length += 1;
      written += 1;
      last = [target, place];
    }
  }
  const alive = [...texts].map(([id, text]) => ({ id, name: textName(id), ...text }));
  return {
    pool,
    alive,
    readers: range(BLOCKS).map(readers),
    last,
    said,
    refused,
    copied,
    inUse: range(BLOCKS).filter((block) => readers(block).length).length,
    unshared: sum(alive.map((text) => text.table.length)),
    reads: alive.map((text) => range(text.length).map((t) => pool[text.table[Math.floor(t / size)]][t % size].token)),
  };
}

function compute({ window, sinks, written, size, ops, done }) {
  return { rolling: rolling(window, sinks, written), paged: paged(ops.slice(0, done), size) };
}

const tinted = (index, strength) => ({ background: `color-mix(in srgb, var(--c${1 + (index % 6)}) ${strength}%, var(--panel))`, ink: "var(--ink)" });
const vacant = { background: "var(--panel)", ink: "var(--soft)" };
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

const rollScene = {
  id: "roll",
  title: "Cells that fill and roll",
  owns: ["window", "sinks", "written"],
  text: `<p>Each token that is written takes a cell. When all cells of the window are full, the newest token takes the cell of the oldest. The cells then no longer stand in the order of the text,
    so reading puts them in order again. Sinks are the first tokens of the text; their cells are never given away.</p>`,
  build({ store, view }) {
    const controls = [slider(store, "window", "Window"), slider(store, "sinks", "Sinks")],
      written = slider(store, "written", "Tokens written");
    const move = (by) => store.set({ written: store.state.written + by });
    const buttons = h(
      "div.step-buttons",
      {},
      h("button.step-button", { type: "button", onclick: () => move(-1) }, "← Token"),
      h("button.step-button.primary", { type: "button", onclick: () => move(1) }, "Token →"),
    );
    let state;
    const kindOf = (t) => (t < state.sinks ? "a sink" : t === state.written - 1 ? "the newest token" : "a token of the window");
    const cells = view(
      new Matrix({
        name: "cells",
        rowKind: "",
        columnKind: "cell",
        title: "The cells: positions in the text",
        text: (i, j, value) => (value < 0 ? "·" : String(value)),
        say: (i, j, value) => {
          const where = i ? `read as number ${j}` : `cell ${j} in memory`;
          return value < 0 ? `${where}: nothing` : `${where}: token ${value} of the text, ${kindOf(value)}`;
        },
        tint: (i, j, value) => (value < 0 ? vacant : value < state.sinks ? tinted(1, 34) : tinted(0, 30)),
      }),
    );
    const grid = view(
      new Matrix({
        name: "seen",
        rowKind: "query",
        columnKind: "key",
        text: () => "",
        limits: [0, 1],
        title: "The mask that full attention would need for the same",
        say: (i, j, value) => `query ${i}, key ${j}: ${value ? (j < state.sinks ? "read, a sink" : "read") : j > i ? "in the future" : "no longer in memory"}`,
      }),
    );
    const meters = [figureOf("Cells in memory"), figureOf("A full cache holds"), figureOf("Output differs by")];
    return {
      elements: h(
        "div.figure",
        {},
        controlsOf(...controls),
        controlsOf(written, buttons),
        cells.element,
        metersOf(meters),
        h("div.row.wide-left", {}, grid.element),
        tries(store, [
          { text: "Write until the ring has gone round two and a half times.", changes: { window: 6, sinks: 0, written: 15 } },
          { text: "The same with four sinks: which cells never change?", changes: { window: 4, sinks: 4, written: 18 } },
        ]),
      ),
      render({ rolling: now }, latest) {
        state = latest;
        [...controls, written].forEach((one) => one.update(state));
        const room = now.slots.length;
        cells.update({
          values: [now.slots, range(room).map((n) => now.positions[n] ?? -1)],
          rows: ["in memory", "as read"],
          columns: range(room).map(String),
        });
        cells.set("current", (i, j) => (i ? now.positions[j] : now.slots[j]) === state.written - 1);
        grid.update({ values: now.mask.map((row) => row.map(Number)), rows: range(LONGEST).map(String), columns: range(LONGEST).map(String) });
        grid.table.classList.add("tiny");
        grid.set("current", (i) => i === state.written - 1);
        grid.set("off", (i) => i >= state.written);
        meters[0].update(`${now.positions.length} of ${room}`, `${state.sinks} for sinks, ${state.window} for the window`);
        meters[1].update(String(state.written), "cells, one for each token so far", state.written > room ? "bad" : "");
        meters[2].update(now.error < 1e-12 ? "0" : compact(now.error), `query ${state.written - 1}: from the cells, and with the mask`, "good");
      },
    };
  },
};

const pageScene = {
  id: "page",
  title: "Cells in pages, shared",
  owns: ["size", "ops", "done"],
  text: `<p>Several texts of different length share one memory, cut into ${BLOCKS} blocks. A text has a table: which block holds its first tokens, which the next. A fork copies the table and not the blocks.
    Only when a text writes into a block that another one reads too is that block copied.</p>`,
  build({ store, view }) {
    const size = slider(store, "size", "Tokens in a block"),
      done = slider(store, "done", "Steps done");
    let now;
    const act = (op) => {
      const ops = [...store.state.ops.slice(0, store.state.done), op];
      store.set({ ops, done: ops.length });
      announce(now.said);
    };
    const actions = h("div.button-row");
    const fresh = h("button.step-button", { type: "button", onclick: () => act("n") }, "New text");
    const back = h("button.step-button", { type: "button", onclick: () => store.set({ done: store.state.done - 1 }) }, "← Step");
    const said = readout("");
    const textsOf = (block) => now.readers[block].map(textName).join(" and ");
    const pool = view(
      new Matrix({
        name: "blocks",
        rowKind: "block",
        columnKind: "cell",
        title: "Memory: block by block",
        text: (i, j, value) => (value ? now.pool[i][j].name : "·"),
        say: (i, j, value) =>
          value ? `block ${i}, cell ${j}: token ${now.pool[i][j].name}, read by ${textsOf(i)}` : `block ${i}, cell ${j}: ${now.readers[i].length ? "not written yet" : "free"}`,
        tint: (i, j, value) => (!value ? vacant : now.readers[i].length > 1 ? tinted(1, 38) : tinted(0, 28)),
      }),
    );
    const tables = view(
      new Matrix({
        name: "tables",
        rowKind: "text",
        columnKind: "part",
        title: "Tables: which block holds which part of a text",
        text: (i, j, value) => (value < 0 ? "·" : String(value)),
        say: (i, j, value) => {
          const text = now.alive[i];
          if (!text) return "no text is in memory";
          return value < 0 ? `text ${text.name}, part ${j}: no block` : `text ${text.name}, part ${j}: block ${value}, ${now.readers[value].length > 1 ? "shared" : "its own"}`;
        },
        tint: (i, j, value) => (value < 0 ? vacant : now.readers[value].length > 1 ? tinted(1, 38) : tinted(0, 28)),
        onpoint: (at) => {
          const block = at ? now.alive[at.i]?.table[at.j] : undefined;
          pool.mark(block === undefined ? {} : { rows: [block] });
        },
      }),
    );
    const meters = [figureOf("Blocks in use"), figureOf("If nothing were shared"), figureOf("Blocks copied before a write"), figureOf("Refused for want of a block")];
    let drawn = "";
    const drawActions = (state) => {
      const key = JSON.stringify([now.alive.map((one) => one.id), now.alive.length < MOST_TEXTS]);
      if (key === drawn) return;
      drawn = key;
      const focused = document.activeElement?.dataset?.op;
      const button = (op, label) => h("button.step-button", { type: "button", "data-op": op, onclick: () => act(op) }, label);
      actions.replaceChildren(
        ...now.alive.map(({ id, name }) =>
          h("div.step-buttons", {}, button(`w${id}`, `Write ${name}`), now.alive.length < MOST_TEXTS ? button(`f${id}`, `Fork ${name}`) : null, button(`x${id}`, `Free ${name}`)),
        ),
      );
      if (focused) (actions.querySelector(`[data-op="${focused}"]`) ?? fresh).focus();
    };
    return {
      elements: h(
        "div.figure",
        {},
        controlsOf(size, done),
        h("div.step-buttons", {}, back, fresh),
        actions,
        said.element,
        h("div.row.two", {}, pool.element, h("div.stack", {}, tables.element, metersOf(meters))),
        tries(store, [
          { text: "A fork just before its first write: two texts, one set of blocks.", changes: { ops: START.split(" "), done: 9, size: 3 } },
          { text: "The write that makes it copy.", changes: { ops: START.split(" "), done: 10, size: 3 } },
          { text: "Blocks of one token: nothing is ever copied. Why?", changes: { ops: START.split(" "), done: 12, size: 1 } },
        ]),
      ),
      render({ paged: latest }, state) {
        now = latest;
        size.update(state);
        done.limit(0, state.ops.length);
        done.update(state);
        done.element.querySelector("input").style.setProperty("--at", `${(100 * state.done) / (state.ops.length || 1)}%`);
        back.disabled = state.done === 0;
        fresh.disabled = now.alive.length >= MOST_TEXTS || state.done >= MOST_STEPS;
        drawActions(state);
        said.say([now.said]);
        pool.update({
          values: now.pool.map((tokens) => range(state.size).map((j) => Number(j < tokens.length))),
          rows: range(BLOCKS).map(String),
          columns: range(state.size).map(String),
        });
        pool.table.classList.add("compact");
        pool.set("current", (i, j) => now.last?.[0] === i && now.last[1] === j);
        const most = Math.max(1, ...now.alive.map((text) => text.table.length));
        tables.update({
          values: (now.alive.length ? now.alive : [{ table: [] }]).map((text) => range(most).map((j) => text.table[j] ?? -1)),
          rows: now.alive.length ? now.alive.map((text) => `text ${text.name}`) : ["no text"],
          columns: range(most).map(String),
        });
        meters[0].update(`${now.inUse} of ${BLOCKS}`, `${sum(now.pool.map((tokens) => tokens.length))} tokens lie in them`);
        meters[1].update(String(now.unshared), now.unshared > BLOCKS ? `blocks: more than the ${BLOCKS} there are` : "blocks", now.unshared > now.inUse ? "bad" : "");
        meters[2].update(String(now.copied), "one block each time, never a whole text");
        meters[3].update(String(now.refused), now.refused ? "and all texts stayed as they were" : "so far", now.refused ? "bad" : "");
      },
    };
  },
};

const operations = {
  fallback: START.split(" "),
  read: (value) => {
    const list = typeof value === "string" ? value.split(/\s+/).filter(Boolean) : value;
    return Array.isArray(list) && list.length <= MOST_STEPS && list.every((op) => /^(n|[wfx]\d{1,2})$/.test(op)) ? list : undefined;
  },
  write: (list) => list.join(" "),
};

page({
  chapter: "ch12_memory",
  number: 12,
  title: "What attention remembers",
  deck: "What is kept of a long text, where it lies, and who may read it.",
  fields: {
    window: number(1, 8, 5),
    sinks: number(0, 4, 2),
    written: number(1, LONGEST, 11),
    size: number(1, 4, 3),
    ops: operations,
    done: number(0, MOST_STEPS, START.split(" ").length),
  },
  normalise: ({ ops, done }) => ({ done: Math.min(done, ops.length) }),
  compute,
  scenes: [rollScene, pageScene],
  made: [
    "Queries, keys and values are normal numbers from Lehmer’s generator through Box and Muller’s formula (seeds 121 to 124), four to a head in the window, two in the pages.",
    "The output from the cells is compared with attention over all tokens under the mask drawn beside it, in double precision.",
  ],
});
