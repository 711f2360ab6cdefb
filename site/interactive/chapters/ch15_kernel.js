import { normals, range, reshape, softmaxRows, sum } from "../engine/tensor.js";
import { announce, compact, h, show } from "../engine/dom.js";
import { choice, flag, number } from "../engine/store.js";
import { Matrix } from "../engine/matrix.js";
import { ledger } from "../engine/ledger.js";
import { segments, slider, toggle, tries } from "../engine/controls.js";
import { figureOf, readout } from "../engine/readouts.js";
import { button, launch, Memory, Programs, put, runner, sayStep, shuffled } from "../engine/launch.js";
import { page } from "../engine/page.js";

const ROWS = 8, // of the softmax, and its programs
  SIDE = 16, // rows of what is copied or transposed
  DEPTH = 16, // of queries, keys and values
  BYTES = { float32: 4, float16: 2 },
  INPUT = normals(ROWS * 12, 151).map((value) => Math.round(10 * value) / 10);
const power2 = (n) => 2 ** Math.ceil(Math.log2(n)),
  run = (first, length) => [[first, first + length]],
  reads = (memory, runs) => ({ memory, runs, write: false }),
  writes = (memory, runs) => ({ memory, runs, write: true });

/** A sentence of the stand-in for a GPU, as it gave it to coursesite/pages/fixtures/ch15.py. */
const saying = (name, values) => PAGE_DATA.sentences[name].replace(/\{(\w+)\}/g, (_, key) => values[key]);

/** One program a row: softmax of ROWS rows of n numbers, after `ran` steps, with a mask left out or not. */
function softmaxLaunch({ n, mask, order, ran }) {
  const block = power2(n),
    wide = (left, row) => run(row * n, mask === left ? block : n),
    made = launch(range(ROWS).map((row) => [reads("X", wide("load", row)), writes("Y", wide("store", row))]), shuffled(ROWS, order), 4, ran);
  const x = INPUT.slice(0, ROWS * n),
    right = softmaxRows(reshape(x, ROWS, n)).flat(),
    y = new Array(ROWS * n).fill(null),
    writer = [];
  let said = "";
  for (const { program, write, runs } of made.ran) {
    const [[first, end]] = runs;
    if (end > ROWS * n) said ||= saying(write ? "writes outside" : "reads outside", { program, at: end - 1, size: ROWS * n, last: ROWS * n - 1 });
    if (!write) continue;
    const lanes = range(block).map((c) => (c < n || mask === "load" ? (x[first + c] ?? 0) : -Infinity)),
      [weights] = softmaxRows([lanes]);
    for (let place = first; place < Math.min(end, ROWS * n); place++) {
      if (writer[place] !== undefined) said ||= saying("both write", { program, other: writer[place], row: Math.floor(place / n), column: place % n });
      writer[place] = program;
      y[place] = weights[place - first];
    }
  }
  const five = range(ROWS).map((row) => {
    const [all, one] = [run(row * n, n), run(row, 1)];
    return [reads("X", all), writes("M", one), reads("X", all), reads("M", one), writes("D", all), reads("D", all), writes("E", all), reads("E", all), writes("S", one), reads("E", all), reads("S", one), writes("Y", all)];
  });
  const { read, written } = launch(five, range(ROWS), 4).whole;
  return { ...made, x, y, right, said, error: Math.max(0, ...y.map((value, place) => (value === null ? 0 : Math.abs(value - right[place])))), five: read + written };
}

/** Three ways through a table of SIDE rows: copied, its rows written as columns, or transposed tile by tile. */
const WAYS = {
  copy: ({ cols }) => range(SIDE).map((r) => [reads("X", run(r * cols, cols)), writes("Y", run(r * cols, cols))]),
  columns: ({ cols }) => range(SIDE).map((r) => [reads("X", run(r * cols, cols)), writes("Y", range(cols).flatMap((c) => run(c * SIDE + r, 1)))]),
  tiles: ({ cols, tile }) =>
    tilesOf(cols, tile).flatMap(([left, wide]) =>
      tilesOf(SIDE, tile).map(([top, high]) => [
        reads("X", range(high).flatMap((r) => run((top + r) * cols + left, wide))),
        writes("Y", range(wide).flatMap((c) => run((left + c) * SIDE + top, high))),
      ]),
    ),
};
const tilesOf = (length, tile) => range(Math.ceil(length / tile)).map((n) => [n * tile, Math.min(tile, length - n * tile)]);
function travel(state) {
  const bytes = BYTES[state.dtype],
    programs = WAYS[state.way](state);
  return {
    ...launch(programs, shuffled(programs.length, state.order), bytes, state.moved),
    ways: Object.fromEntries(Object.entries(WAYS).map(([name, way]) => [name, launch(way(state), range(way(state).length), bytes).whole])),
  };
}

/** What is left in one number that `count` programs add 1 to, each by a read and a write, as the steps of `turns` come. */
function race({ adders, atomic, turns }) {
  const holds = new Array(adders).fill(null),
    finished = new Array(adders).fill(false),
    readers = new Set();
  let [number, said, writer] = [0, "", null];
  const steps = turns.map((program) => {
    const step = { program, before: number };
    if (atomic) number += 1;
    else if (holds[program] === null) {
      if (writer !== null) said ||= saying("reads after a write", { program, other: writer });
      readers.add(program);
      holds[program] = number;
      return { ...step, kind: "reads" };
    } else {
      if (readers.size > 1) said ||= saying("writes after reads", { program });
      number = holds[program] + 1;
    }
    [writer, finished[program]] = [program, true];
    return { ...step, kind: atomic ? "adds" : "writes", after: number };
  });
  return { number, steps, holds, finished, said, chances: chances(adders) };
}
/** How likely each result from 1 to count is, where each step is taken by one of the unfinished programs, all as likely: exact, by all ways to go on. */
function chances(count) {
  const known = new Map();
  const from = (waiting, held, number) => {
    const key = `${waiting} ${held} ${number}`,
      open = waiting + held.length;
    if (!open) return range(count).map((n) => Number(n + 1 === number));
    if (!known.has(key)) {
      const ways = held.map((value, i) => [1, from(waiting, held.filter((_, j) => j !== i), value + 1)]);
      if (waiting) ways.push([waiting, from(waiting - 1, [...held, number].sort(), number)]);
      known.set(key, range(count).map((n) => sum(ways.map(([weight, then]) => (weight * then[n]) / open))));
    }
    return known.get(key);
  };
  return from(count, [], 0);
}

/** The blocks of queries, one for each program, with the blocks of keys and values that it visits: [first row, how many]. */
const flashBlocks = ({ tokens, queries, keys, causal }) =>
  tilesOf(tokens, queries).map(([first, length]) => ({
    rows: run(first * DEPTH, length * DEPTH),
    visits: tilesOf(tokens, keys).filter(([start]) => causal !== "skipped" || start < first + queries),
  }));
/** Flash attention after some of its tiles: queries come in with the first tile of a program, results go out with the last. */
function flashLaunch(state) {
  const { tokens, queries, keys, order, tiles } = state,
    blocks = flashBlocks(state),
    turns = shuffled(blocks.length, order),
    steps = turns.flatMap((program) => blocks[program].visits.map((_, tile) => [program, tile])),
    shown = steps.slice(0, tiles),
    columns = Math.ceil(tokens / keys);
  const programs = blocks.map(({ rows, visits }) => [
    reads("Q", rows),
    ...visits.flatMap(([start, wide]) => ["K", "V"].map((letter) => reads(letter, run(start * DEPTH, wide * DEPTH)))),
    writes("O", rows),
  ]);
  const begun = shown.filter(([, tile]) => tile === 0).length,
    ended = shown.filter(([program, tile]) => tile === blocks[program].visits.length - 1).length;
  return {
    ...launch(programs, turns, 4, begun + 2 * shown.length + ended),
    steps,
    shown,
    columns,
    rows: blocks.length,
    skipped: blocks.length * columns - steps.length,
    flops: 4 * DEPTH * queries * keys * shown.length,
    crossings: steps.length / columns,
  };
}

const compute = (state) => ({ softmax: softmaxLaunch(state), travel: travel(state), race: race(state), flash: flashLaunch(state) });
const normalise = (state) => ({
  moved: Math.min(state.moved, 2 * WAYS[state.way](state).length),
  tiles: Math.min(state.tiles, sum(flashBlocks(state).map(({ visits }) => visits.length))),
  turns: state.turns.filter((program, at) => program < state.adders && state.turns.slice(0, at).filter((one) => one === program).length < (state.atomic ? 1 : 2)),
});

const oneOf = (values, fallback) => ({ fallback, options: values.map(String), read: (text) => values.find((value) => value === Number(text)), write: String });
const bytesOf = (count) => `${compact(count)} B`;
const share = (useful, moved) => (moved ? `${show((100 * useful) / moved, 0)} %` : "–");
const LEGEND = "Orange crosses now, and what is asked for of it is bright. Blue has crossed: the darker, the more often. A sector begins at a bar.";
/** The meters of a launch: what has crossed each way, and what of it was asked for. */
function meters(...more) {
  const all = ["Read", "Written", "Asked for", ...more].map((label) => figureOf(label));
  return {
    element: put("div.meters", all),
    more: all.slice(3),
    update({ read, written, useful }) {
      all[0].update(bytesOf(read), `${compact(read / 32)} sectors`);
      all[1].update(bytesOf(written), `${compact(written / 32)} sectors`);
      all[2].update(share(useful, read + written), `${bytesOf(useful)} of the ${bytesOf(read + written)} that crossed`);
    },
  };
}
/** The line that says the last step, and what one points at while one does. */
function teller() {
  const line = readout("");
  let last = "";
  return { element: line.element, point: (text) => line.say([text ?? last]), say: (text) => line.say([(last = text)]) };
}
/** Programs and the memories X and Y, linked: what a program asks for is marked where one points at it. */
function drawn(view, name, said) {
  const memories = ["X", "Y"].map((letter, n) => view(new Memory(`${name}-${letter.toLowerCase()}`, letter, (at) => said.point(at && `${memories[n].sentence(at.i, at.j)}.`))));
  const programs = view(new Programs(`${name}-programs`, (at) => memories.forEach((one) => one.light(at ? programs.launch.steps.filter(({ program }) => program === programs.rank(at.i, at.j)) : []))));
  return [programs, ...memories];
}

const rowsScene = {
  id: "rows",
  title: "One program, one row",
  owns: ["n", "mask", "order", "ran"],
  text: `<p>A GPU runs a short function many times at once; each run is a <em>program</em>, and here each takes the softmax of one row. The tensors lie in a large, slow memory. A program reads its row of X once, computes, and writes one row of Y.</p>
    <p>Memory travels in <em>sectors</em> of 32 bytes, here 8 numbers; a bar marks where one begins. A row of 10 numbers does not fill its sectors, so numbers of its neighbours come along. Nobody promises in which order programs run.</p>`,
  build({ store, view }) {
    const said = teller(),
      [programs, x, y] = drawn(view, "softmax", said),
      meter = meters("In five launches", "Off by, at most"),
      steps = runner(store, "ran", "Steps", () => said.element.textContent),
      standIn = h("p.stand-in", { role: "status" });
    const controls = [
      slider(store, "n", "Numbers in a row"),
      segments(store, "mask", "Mask", [["both", "on both"], ["load", "none on the load"], ["store", "none on the store"]]),
    ];
    return {
      elements: put(
        "div.figure",
        steps,
        programs,
        put("div.row.two", x, y),
        h("p.hint", {}, LEGEND),
        said,
        standIn,
        meter,
        put("div.controls", controls),
        tries(store, [
          { text: "Rows of 8: each is a sector of its own, and nothing travels for nothing.", changes: { n: 8, mask: "both", ran: 16 } },
          { text: "Leave out the mask of the load: a program reads on into the next row, and every result is wrong. A GPU says nothing.", changes: { n: 10, mask: "load", ran: 16 } },
          { text: "Leave out the mask of the store: a program writes zeros into the next row, and whoever writes later wins. Then press “Another order”.", changes: { n: 10, mask: "store", ran: 16 } },
        ]),
      ),
      render({ softmax: now }, state) {
        controls.forEach((one) => one.update(state));
        steps.update(state, now);
        programs.show(now, 1, ROWS, "Programs");
        const inY = (i, j) => now.y[y.place(i, j)];
        x.show(now, ROWS, state.n, 4, { most: 4, title: "X, as it lies in memory", written: (i, j) => show(now.x[x.place(i, j)], 1) });
        y.show(now, ROWS, state.n, 4, { most: 4, title: "Y, what has been written", written: (i, j) => (inY(i, j) === null ? "" : show(inY(i, j), 2).replace(/^0/, "")) });
        y.set("lost", (i, j) => inY(i, j) !== null && Math.abs(inY(i, j) - now.right[y.place(i, j)]) > 1e-9);
        said.say(sayStep(now, 4));
        standIn.textContent = now.said && `The stand-in for a GPU stops here: ${now.said}`;
        meter.update(now);
        meter.more[0].update(bytesOf(now.five), `max, minus, exp, sum, divide; in one: ${bytesOf(now.whole.read + now.whole.written)}`);
        meter.more[1].update(now.error < 1e-9 ? "0" : show(now.error, 2), "what Y holds, from softmax of X", now.error < 1e-9 ? "" : "bad");
      },
    };
  },
};

const travelScene = {
  id: "travel",
  title: "Neighbours travel together",
  owns: ["way", "cols", "tile", "dtype", "moved"],
  text: `<p>A program reads a row of X. If it writes a row of Y, all numbers of a sector travel together. If it writes a <em>column</em>, each number lies in another sector: eight times as many sectors, each for one number. The digit in a square says how often its sector has crossed.</p>
    <p>The cure is a <em>tile</em>: a program takes a square, turns it in its fast memory, and writes whole sectors again. A tile of 4 is too narrow: half of each sector is somebody else's.</p>`,
  build({ store, view }) {
    const way = segments(store, "way", "Each program", [["copy", "copies a row"], ["columns", "writes a row as a column"], ["tiles", "turns a tile"]]),
      said = teller(),
      [programs, x, y] = drawn(view, "travel", said),
      meter = meters("Against a copy"),
      steps = runner(store, "moved", "Steps", () => said.element.textContent),
      bill = ledger({ caption: "The whole launch: bytes that cross" });
    const controls = [
      slider(store, "cols", "Columns of X"),
      slider(store, "tile", "Side of a tile", { values: [4, 8, 16] }),
      segments(store, "dtype", "Numbers", Object.keys(BYTES).map((name) => [name, name])),
    ];
    return {
      elements: put(
        "div.figure",
        way,
        steps,
        programs,
        put("div.row.two", x, y),
        h("p.hint", {}, LEGEND),
        said,
        meter,
        bill,
        put("div.controls", controls),
        tries(store, [
          { text: "Rows read, columns written, to the end: every sector of Y has crossed eight times.", changes: { way: "columns", cols: 16, dtype: "float32", moved: 99 } },
          { text: "Half as many bytes a number: sixteen times.", changes: { way: "columns", cols: 16, dtype: "float16", moved: 99 } },
          { text: "Tiles of 8 float32: once each. Of 8 float16: twice.", changes: { way: "tiles", cols: 16, tile: 8, dtype: "float32", moved: 99 } },
        ]),
      ),
      render({ travel: now }, state) {
        [way, ...controls].forEach((one) => one.update(state));
        steps.update(state, now);
        const turned = state.way !== "copy",
          bytes = BYTES[state.dtype],
          down = Math.ceil(SIDE / state.tile),
          grid = state.way === "tiles" ? [down, Math.ceil(state.cols / state.tile)] : [1, SIDE],
          nameOf = (rank) => (state.way === "tiles" ? `${rank % down},${Math.floor(rank / down)}` : String(rank));
        programs.show(now, ...grid, "Programs");
        x.show(now, SIDE, state.cols, bytes, { title: `X: ${SIDE} × ${state.cols}`, most: 32 / bytes });
        y.show(now, ...(turned ? [state.cols, SIDE] : [SIDE, state.cols]), bytes, { title: `Y: ${turned ? `${state.cols} × ${SIDE}` : `${SIDE} × ${state.cols}`}`, most: 32 / bytes });
        said.say(sayStep(now, bytes, nameOf));
        meter.update(now);
        const total = ({ read, written }) => read + written,
          most = Math.max(...Object.values(now.ways).map(total));
        meter.more[0].update(`${show(total(now.whole) / total(now.ways.copy), 2)} ×`, "bytes of the whole launch, read and written", total(now.whole) > 1.3 * total(now.ways.copy) ? "bad" : "good");
        const names = { copy: "copy", columns: "columns", tiles: `tiles of ${state.tile}` };
        bill.update(
          Object.entries(now.ways).map(([name, one]) => ({
            name: names[name],
            share: total(one) / most,
            amount: bytesOf(total(one)),
            how: [`read ${bytesOf(one.read)}, written ${bytesOf(one.written)}; ${share(one.useful, total(one))} asked for`],
            say: `${names[name]}: ${total(one)} bytes cross, ${share(one.useful, total(one))} were asked for`,
            chosen: name === state.way,
          })),
        );
      },
    };
  },
};

const raceScene = {
  id: "race",
  title: "Two programs, one number",
  owns: ["adders", "atomic", "turns"],
  text: `<p>Each program adds 1 to the same number: it reads T, adds, and writes T. You are the GPU: press the program that goes next. If two read before one of them writes, both write the same number, and one addition is lost. No error says so.</p>
    <p>One after the other is right by luck, and the stand-in refuses that, too: nobody promises the order. <code>tl.atomic_add</code> reads, adds and writes in one step that nobody can come between.</p>`,
  build({ store, view }) {
    const buttons = range(6).map((program) => button("", () => take(program))),
      standIn = h("p.stand-in", { role: "status" }),
      controls = [slider(store, "adders", "Programs"), toggle(store, "atomic", "Add atomically")],
      [holds, should, lost] = [figureOf("T holds"), figureOf("Additions finished"), figureOf("Lost")];
    let now, state, seed = 0;
    const turn = (turns) => store.set({ turns });
    function take(program) {
      turn([...state.turns, program]);
      const step = now.steps.at(-1);
      announce(`Program ${program} ${saidOf(step)}. T holds ${now.number}.`);
    }
    const each = () => (state.atomic ? 1 : 2),
      open = () => range(state.adders).filter((program) => !now.finished[program]);
    const chance = (upTo) => {
      const turns = [...(open().length ? state.turns : [])],
        left = range(state.adders).map((program) => each() - turns.filter((one) => one === program).length);
      for (const draw of shuffled(200, ++seed)) {
        const able = range(state.adders).filter((program) => left[program]);
        if (!able.length || turns.length >= upTo) break;
        const program = able[draw % able.length];
        left[program]--;
        turns.push(program);
      }
      turn(turns);
    };
    const saidOf = ({ kind, before, after }) => (kind === "reads" ? `reads ${before}` : kind === "adds" ? `adds 1 to ${before}` : `writes ${after}`);
    const isLost = ({ kind, before, after }) => kind === "writes" && after <= before;
    const line = view(
      new Matrix({
        name: "race",
        rowKind: "",
        columnKind: "",
        limits: [0, 1],
        title: "Steps: r reads, w writes, + adds",
        text: (program, at) => (now.steps[at]?.program === program ? ({ reads: "r", writes: "w", adds: "+" })[now.steps[at].kind] + (now.steps[at].after ?? now.steps[at].before) : ""),
        say: (program, at) => `step ${at + 1}, program ${program}: ${now.steps[at]?.program === program ? `${saidOf(now.steps[at])}${isLost(now.steps[at]) ? ", and an addition is lost" : ""}` : now.steps[at] ? "waits" : "not yet"}`,
      }),
    );
    line.table.classList.add("small");
    const odds = view(new Matrix({ name: "chances", limits: [0, 1], rowKind: "", columnKind: "", text: (i, j, value) => (value && value < 0.005 ? "<1 %" : `${show(100 * value, 0)} %`), say: (i, j, value) => `T ends at ${j + 1} with a probability of ${show(100 * value, 1)} percent` }));
    return {
      elements: put(
        "div.figure",
        h("div.who-next", { role: "group", "aria-label": "Which program goes next?" }, buttons),
        put(
          "div.step-buttons",
          button("Chance takes a step", () => chance(open().length ? state.turns.length + 1 : 1)),
          button("Chance goes on to the end", () => chance(99)),
          button("← Take back", () => turn(state.turns.slice(0, -1))),
          button("From the start", () => turn([])),
        ),
        put("div.row.wide-left", line, put("div.meters", holds, should, lost)),
        standIn,
        put("div.controls", controls),
        odds,
        tries(store, [
          { text: "All read, then all write: one addition is left of four.", changes: { adders: 4, atomic: false, turns: "01230123" } },
          { text: "One after the other: right, by luck.", changes: { adders: 4, atomic: false, turns: "00112233" } },
          { text: "A slow program writes last and takes back what three have done.", changes: { adders: 4, atomic: false, turns: "01122330" } },
          { text: "The same with <code>tl.atomic_add</code>.", changes: { adders: 4, atomic: true, turns: "0123" } },
        ]),
      ),
      render({ race: latest }, current) {
        [now, state] = [latest, current];
        controls.forEach((one) => one.update(state));
        buttons.forEach((one, program) => {
          const ended = now.finished[program],
            held = now.holds[program];
          one.hidden = program >= state.adders;
          one.disabled = ended;
          one.replaceChildren(`Program ${program}`, h("small", {}, ended ? "finished" : state.atomic ? `adds 1 to ${now.number}` : held === null ? `reads ${now.number}` : `holds ${held}, writes ${held + 1}`));
        });
        const length = each() * state.adders,
          done = now.finished.filter(Boolean).length;
        line.update({ values: range(state.adders).map((program) => range(length).map((at) => (now.steps[at]?.program !== program ? 0 : now.steps[at].kind === "reads" ? 0.25 : 0.8))), rows: range(state.adders).map(String) });
        line.set("lost", (program, at) => now.steps[at]?.program === program && isLost(now.steps[at]));
        holds.update(String(now.number), "in memory");
        should.update(`${done} of ${state.adders}`, done ? `so T should hold ${done}` : "each adds 1");
        lost.update(String(done - now.number), done > now.number ? "and no error" : "", done > now.number ? "bad" : "");
        standIn.textContent = now.said && `The stand-in for a GPU stops here: ${now.said}`;
        odds.update({ values: [now.chances.map((value, n) => (state.atomic ? Number(n + 1 === state.adders) : value))], rows: ["T ends at"], columns: range(state.adders).map((n) => String(n + 1)), title: "If chance takes every step" });
      },
    };
  },
};

const flashScene = {
  id: "flash",
  title: "Tiles, and those never read",
  owns: ["tokens", "queries", "keys", "causal", "tiles"],
  text: `<p>Flash attention as one kernel: a program takes a block of queries, goes along the blocks of keys and values, and keeps only a maximum, a sum and an unfinished output. Queries come in once and results go out once. Keys and values come in once for every block of queries.</p>
    <p>With a causal mask, a tile beyond the diagonal changes nothing. A kernel that only masks it has read it for nothing; a kernel that ends its loop at the diagonal reads keys and values little more than half as often.</p>`,
  build({ store, view }) {
    const causal = segments(store, "causal", "Causal", [["skipped", "tiles skipped"], ["masked", "only masked"], ["none", "not causal"]]),
      steps = runner(store, "tiles", "Tiles", () => said.element.textContent),
      controls = [slider(store, "tokens", "Tokens"), slider(store, "queries", "Queries in a tile", { values: [16, 32] }), slider(store, "keys", "Keys in a tile", { values: [16, 32] })],
      said = teller(),
      meter = meters("Keys and values cross"),
      work = h("p.plot-said");
    let now, state;
    const at = (i, j) => now.shown.findIndex(([program, tile]) => program === i && tile === j),
      future = (i, j) => state.causal !== "none" && j * state.keys >= (i + 1) * state.queries;
    const status = (i, j) => (state.causal === "skipped" && future(i, j) ? "beyond the diagonal, never read" : at(i, j) < 0 ? "not yet" : `tile number ${at(i, j) + 1}${future(i, j) ? ", read and masked away whole" : ""}`);
    const grid = view(
      new Matrix({
        name: "flash-tiles",
        limits: [0, 1],
        text: (i, j) => (at(i, j) < 0 ? "" : String(at(i, j) + 1)),
        say: (i, j) => `program ${i}, keys ${j * state.keys} to ${Math.min(state.tokens, (j + 1) * state.keys) - 1}: ${status(i, j)}`,
        onpoint: (place) => said.point(place && `Program ${place.i}, block of keys ${place.j}: ${status(place.i, place.j)}.`),
      }),
    );
    const memory = view(new Matrix({ name: "flash-memory", text: (i, j, value) => (value ? String(value) : ""), say: (i, j, value) => `${"QKVO"[i]}, rows ${16 * j} to ${Math.min(state.tokens, 16 * j + 16) - 1}: crossed ${value === 1 ? "once" : `${value} times`}` }));
    return {
      elements: put(
        "div.figure",
        causal,
        steps,
        put("div.row.two", grid, put("div.stack", memory, said)),
        meter,
        work,
        put("div.controls", controls),
        tries(store, [
          { text: "Only masked: the tiles in red were read for nothing.", changes: { causal: "masked", tokens: 96, queries: 16, keys: 16, tiles: 99 } },
          { text: "Skipped: the same result, and keys and values cross 3.5 times in place of 6.", changes: { causal: "skipped", tokens: 96, queries: 16, keys: 16, tiles: 99 } },
          { text: "Twice as many queries in a tile: keys and values cross half as often.", changes: { causal: "none", tokens: 96, queries: 32, keys: 16, tiles: 99 } },
        ]),
      ),
      render({ flash: latest }, current) {
        [now, state] = [latest, current];
        [causal, ...controls].forEach((one) => one.update(state));
        steps.update(state, now);
        const last = now.shown.at(-1);
        grid.update({
          values: range(now.rows).map((i) => range(now.columns).map((j) => (at(i, j) < 0 ? 0 : 0.35))),
          rows: range(now.rows).map((i) => `program ${i}`),
          columns: range(now.columns).map((j) => String(j * state.keys)),
          title: "Tiles of scores: across, the first key of each",
        });
        grid.set("off", (i, j) => state.causal === "skipped" && future(i, j));
        grid.set("lost", (i, j) => future(i, j) && at(i, j) >= 0);
        grid.set("asked", (i, j) => last?.[0] === i && last[1] === j);
        const blocks = range(Math.ceil(state.tokens / 16)),
          crosses = (letter, j) => last && (letter === "K" || letter === "V" ? Math.floor((16 * j) / state.keys) === last[1] : Math.floor((16 * j) / state.queries) === last[0] && (letter === "O" ? now.now.memory === "O" : last[1] === 0));
        memory.update({ values: [..."QKVO"].map((letter) => blocks.map((j) => now.trips[letter]?.[(16 * j * DEPTH * 4) / 32] ?? 0)), rows: [..."QKVO"], columns: blocks.map((j) => String(16 * j)), limits: [0, 8], title: "Memory: a square is 16 rows, 32 sectors" });
        memory.set("asked", (i, j) => crosses("QKVO"[i], j));
        said.say(last ? `Program ${last[0]} has used keys and values ${last[1] * state.keys} to ${Math.min(state.tokens, (last[1] + 1) * state.keys) - 1}.` : "No program has run yet.");
        meter.update(now);
        meter.more[0].update(`${show(now.crossings, 1)} ×`, `${now.steps.length} tiles${now.skipped ? `, ${now.skipped} skipped` : ""}`);
        work.textContent = `tl.dot so far: ${compact(now.flops)} operations, ${show(now.flops / (now.read + now.written || 1), 1)} for each byte that crossed.`;
      },
    };
  },
};

page({
  chapter: "ch15_kernel",
  number: 15,
  title: "One kernel",
  deck: "What a GPU moves, sector by sector, while its programs run in an order that nobody promises.",
  fields: {
    n: number(5, 12, 10),
    mask: choice(["both", "load", "store"]),
    order: number(1, 20, 1),
    ran: number(0, 2 * ROWS, 5),
    way: choice(Object.keys(WAYS), "columns"),
    cols: number(8, 24, 16),
    tile: oneOf([4, 8, 16], 8),
    dtype: choice(Object.keys(BYTES)),
    moved: number(0, 99, 8),
    adders: number(2, 6, 4),
    atomic: flag(),
    turns: {
      fallback: [0, 1],
      read: (text) => (/^[0-5]{0,12}$/.test([text].flat().join("")) ? [...[text].flat().join("")].map(Number) : undefined),
      write: (turns) => turns.join(""),
    },
    tokens: number(32, 128, 96, 8),
    queries: oneOf([16, 32], 16),
    keys: oneOf([16, 32], 16),
    causal: choice(["skipped", "masked", "none"]),
    tiles: number(0, 99, 9),
  },
  normalise,
  compute,
  scenes: [rowsScene, travelScene, raceScene, flashScene],
  made: [
    "Sectors are counted as the chapter's stand-in for a GPU counts them (<code>attention_built.chip</code>): each read and each write of a program by itself, every sector that it touches once. A GPU's caches save some of it.",
    "Programs run one after the other, in an order from Lehmer's generator; on a GPU many run at once. X is normal numbers, rounded, by Box and Muller's formula (seed 151). What lies behind X in memory is taken for zeros.",
    "The chances of the race are exact: each step is taken by one of the unfinished programs, all as likely.",
    "Flash attention has one head of 16 features here, in float32. A step is a tile: its block of keys and its block of values.",
  ],
});
