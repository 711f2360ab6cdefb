// A model's file from the reader's disk: dropped or chosen, read by a worker, never sent anywhere.

import { range } from "./tensor.js";
import { halfToNumber } from "./transformer.js";
import { announce, h, uid } from "./dom.js";
import { bytePairs } from "./byte_pairs.js";
import { serveFile } from "./file_worker.js";
import { liveText, marksOf } from "./readings.js";

const LONGEST = 64; // pieces that are drawn
const WRITES = 16; // pieces that “Write on” adds

/** A worker for one file. ask(task, given) -> promise of what it makes, or of its complaint. */
function fileWorker() {
  const address = URL.createObjectURL(new Blob([`(${serveFile})(self);`], { type: "text/javascript" })),
    worker = new Worker(address),
    waiting = new Map();
  worker.onmessage = ({ data: { id, made, problem } }) => {
    const [done, failed] = waiting.get(id);
    waiting.delete(id);
    if (problem === undefined) done(made);
    else failed(new Error(problem));
  };
  let count = 0;
  return {
    ask: (task, given) =>
      new Promise((done, failed) => {
        waiting.set((count += 1), [done, failed]);
        worker.postMessage({ id: count, task, ...given });
      }),
    end() {
      worker.terminate();
      URL.revokeObjectURL(address);
    },
  };
}

/**
 * The panel that takes a file and reads texts with it.
 *   recorded   the model of the recordings, { model, marks }: its marked heads are known
 *   start      () -> the text that a new model reads first
 *   watch      (reading or null) -> nothing: the page watches this one, or its recordings again
 *   watched    () -> the reading of this panel that the page watches, or null
 *   changed    () -> nothing: more is known about it
 */
export function livePanel({ recorded, start, watch, watched, changed }) {
  let worker = null,
    model = null,
    reading = null, // the last one that it has made
    busy = false,
    stopped = false,
    typed = false; // since the last reading
  const id = uid("file"),
    file = h("input", { type: "file", id, accept: ".gguf,.whl,.zip", onchange: () => file.files[0] && take(file.files[0]) }),
    text = h("textarea.own-text", { id: `${id}-text`, rows: 2, maxlength: 300, spellcheck: "false", autocomplete: "off", oninput: () => (typed = true) }),
    button = (words, onclick, kind = "") => h(`button.step-button${kind}`, { type: "button", onclick }, words),
    readIt = button("Read it", () => read(), ".primary"),
    writeOn = button("Write on", () => (busy ? (stopped = true) : write())),
    leave = button("Back to the recordings", () => watch(null)),
    said = h("p.live-said", { role: "status" }),
    problem = h("p.problem", { role: "alert", hidden: true }),
    desk = h("div.stack", { hidden: true }, h("div.sentence", {}, h("label", { for: `${id}-text` }, "Your text"), text), h("div.button-row", {}, readIt, writeOn, leave)),
    door = h("div.take", {}, h("label", { for: id }, "Choose the file, or drop it anywhere on this page"), file);

  const tell = (words) => {
    said.textContent = words;
  };
  /** Does something that may take long; what goes wrong is said in one line. */
  async function during(doing) {
    if (busy) return tell("Still at work on what came before.");
    busy = true;
    problem.hidden = true;
    readIt.disabled = writeOn.disabled = true;
    try {
      await doing();
    } catch (error) {
      tell("");
      problem.textContent = error.message;
      problem.hidden = false;
    }
    busy = readIt.disabled = writeOn.disabled = false;
  }

  async function take(given) {
    await during(async () => {
      const asked = fileWorker();
      tell(`Opening ${given.name} …`);
      const halves = Float32Array.from(range(65_536), halfToNumber);
      try {
        model = await asked.ask("open", { file: given, halves });
      } catch (error) {
        asked.end();
        throw error;
      }
      worker?.end();
      worker = asked;
      model.pairs = bytePairs(model);
      model.marks = model.title === recorded.model ? marksOf(recorded.marks) : {};
      desk.hidden = false;
      text.value = start();
      await begin(text.value);
    });
  }

  async function begin(words) {
    const all = model.pairs.ids(words),
      ids = all.slice(0, LONGEST);
    if (!ids.length) throw new Error("This text has no piece that the model knows: type a few words.");
    tell(`Reading ${ids.length} pieces …`);
    const next = liveText(model, worker.ask, changed);
    const spent = await next.read(ids);
    typed = false;
    watch((reading = next));
    const cut = all.length > LONGEST ? ` The first ${LONGEST} of ${all.length} pieces are read.` : "";
    tell(`${model.title}: ${ids.length} pieces read in ${(spent / 1000).toFixed(1)} s.${cut}`);
    announce(`After this text it says ${next.answer.name}`);
  }
  const read = () => during(() => begin(text.value));
  const write = () =>
    during(async () => {
      if (typed) await begin(text.value);
      else watch(reading);
      stopped = writeOn.disabled = false;
      writeOn.textContent = "Stop";
      let count = 0,
        spent = 0;
      while (count < WRITES && reading.pieces.length < LONGEST && !stopped) {
        spent += await reading.read([reading.answer.id]);
        if (watched() !== reading) break; // a recording was chosen meanwhile
        count += 1;
        text.value = reading.text;
        watch(reading);
        tell(`${count} ${count === 1 ? "piece" : "pieces"} written, ${((1000 * count) / spent).toFixed(1)} tokens per second on this machine.`);
      }
      if (reading.pieces.length >= LONGEST) tell(`The text has ${LONGEST} pieces, and no more are drawn.`);
      writeOn.textContent = "Write on";
    });

  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    door.classList.add("over");
  });
  document.addEventListener("dragleave", () => door.classList.remove("over"));
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    door.classList.remove("over");
    const [dropped] = event.dataTransfer.files;
    if (dropped) take(dropped);
  });
  return h("div.stack", {}, door, problem, said, desk);
}
