// Controls bound to fields of the page's state: each returns { element, update(state) }.

import { announce, h, subscripts, typeset, uid } from "./dom.js";

/** One of a few, as native radio buttons in a row. options: [value, label] pairs. */
export function segments(store, key, label, options, { hideLabel = false } = {}) {
  const name = uid(key);
  const inputs = options.map(([value]) => h("input", { type: "radio", name, value, onchange: () => store.set({ [key]: value }) }));
  const element = h(
    "fieldset.segments",
    { "data-field": key },
    h(hideLabel ? "legend.unseen" : "legend", {}, label),
    h(
      "div.track",
      {},
      options.map(([, text], i) => h("label", {}, inputs[i], h("span", {}, text))),
    ),
  );
  return {
    element,
    update: (state) =>
      inputs.forEach((input) => {
        input.checked = input.value === String(state[key]);
      }),
  };
}

/** The words of a sentence as radio buttons: which one is the query. */
export function words(store, key, label) {
  const name = uid(key);
  const track = h("div.words");
  const element = h("fieldset.segments.word-picker", { "data-field": key }, h("legend", {}, label), track);
  let drawn = "";
  return {
    element,
    update(state, list) {
      if (drawn !== JSON.stringify(list)) {
        drawn = JSON.stringify(list);
        track.replaceChildren(
          ...list.map((word, i) =>
            h("label", {}, h("input", { type: "radio", name, value: i, onchange: () => store.set({ [key]: i }) }), h("span", {}, word)),
          ),
        );
      }
      track.querySelectorAll("input").forEach((input) => {
        input.checked = Number(input.value) === state[key];
      });
    },
  };
}

/** A path of steps with Back and Next. steps: { value, label, say } where say(model) is spoken on arrival. */
export function stepper(store, key, label, steps) {
  const name = uid(key);
  const index = (state) => steps.findIndex((step) => step.value === state[key]);
  const go = (to) => {
    store.set({ [key]: steps[to].value });
    announce(`Step ${to + 1} of ${steps.length}: ${steps[to].label}`);
  };
  const inputs = steps.map((step) => h("input", { type: "radio", name, value: step.value, onchange: () => store.set({ [key]: step.value }) }));
  const back = h("button.step-button", { type: "button", onclick: () => go(index(store.state) - 1) }, "← Back");
  const next = h("button.step-button.primary", { type: "button", onclick: () => go(index(store.state) + 1) }, "Next →");
  const element = h(
    "div.stepper",
    { "data-field": key },
    h(
      "fieldset.segments",
      {},
      h("legend.unseen", {}, label),
      h(
        "ol.steps",
        {},
        steps.map((step, i) =>
          h("li", {}, h("label", {}, inputs[i], h("span.dot", { "aria-hidden": "true" }, String(i + 1)), h("span.step-name", {}, step.label))),
        ),
      ),
    ),
    h("div.step-buttons", {}, back, next),
  );
  return {
    element,
    update(state) {
      const now = index(state);
      inputs.forEach((input, i) => {
        input.checked = i === now;
        input.closest("li").classList.toggle("past", i < now);
      });
      const focused = document.activeElement;
      back.disabled = now === 0;
      next.disabled = now === steps.length - 1;
      if (focused === next && next.disabled) back.focus();
      if (focused === back && back.disabled) next.focus();
    },
  };
}

export function toggle(store, key, label) {
  const input = h("input", { type: "checkbox", role: "switch", onchange: () => store.set({ [key]: input.checked }) });
  return {
    element: h("label.toggle", { "data-field": key }, input, h("span.knob", { "aria-hidden": "true" }), h("span", {}, subscripts(label))),
    update: (state) => {
      input.checked = state[key];
    },
  };
}

/** A slider over the bounds of its field, or over a list of values. */
export function slider(store, key, label, { values = null, text = (value) => String(value) } = {}) {
  const field = store.fields[key],
    id = uid(key);
  const [min, max, step] = values ? [0, values.length - 1, 1] : [field.min, field.max, field.step];
  const input = h("input", {
    type: "range",
    id,
    min,
    max,
    step,
    oninput: () => store.set({ [key]: values ? values[Number(input.value)] : Number(input.value) }),
  });
  const output = h("output", { for: id });
  return {
    element: h("div.slider", { "data-field": key }, h("label", { for: id }, subscripts(label)), input, output),
    update(state) {
      const at = values ? values.indexOf(state[key]) : state[key];
      input.value = String(at);
      input.setAttribute("aria-valuetext", text(state[key]));
      input.style.setProperty("--at", `${((at - input.min) / (input.max - input.min || 1)) * 100}%`);
      output.textContent = text(state[key]);
    },
    limit(low, high) {
      input.min = low;
      input.max = high;
      input.disabled = low === high;
    },
  };
}

/** A sentence to type. What cannot be read is said below it; notice (typed) adds what this page knows about the text. */
export function sentenceInput(store, key, label, hint = "", notice = () => "") {
  const id = uid(key),
    { longest } = store.fields[key],
    said = h("p.hint.typed", { role: "status", hidden: true });
  const say = (text) => {
    said.textContent = text;
    said.hidden = !text;
  };
  const input = h("input", {
    type: "text",
    id,
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "off",
    "aria-describedby": hint ? `${id}-hint` : null,
    oninput: () => {
      const typed = input.value,
        read = store.set({ [key]: typed }).includes(key);
      say(
        [
          !typed.trim() ? "The box is empty." : !read && "Nothing here can be read.",
          !read && `What is shown still reads “${store.state[key]}”.`,
          typed.length > longest && `Cut: the first ${longest} of ${typed.length} characters are read.`,
          typed.trim() && notice(typed.slice(0, longest)),
        ]
          .filter(Boolean)
          .join(" "),
      );
    },
    onblur: () => {
      if (input.value.trim()) return;
      input.value = store.state[key]; // left empty: what the page shows is still the old one
      say("");
    },
  });
  return {
    element: h(
      "div.sentence",
      { "data-field": key },
      h("label", { for: id }, label),
      input,
      said,
      hint ? h("p.hint", { id: `${id}-hint` }, typeset(hint)) : null,
    ),
    update(state) {
      const emptied = document.activeElement === input && !input.value.trim(); // about to type a new one
      if (input.value === state[key] || emptied) return;
      input.value = state[key];
      say("");
    },
  };
}

/** Slider and number field for the chosen cell of an editable matrix. */
export function cellEditor(matrix, { name, min = -2, max = 2, step = 0.01, change }) {
  const id = uid("cell");
  const range = h("input", { type: "range", id, min, max, step, oninput: () => send(range.value) });
  const exact = h("input", { type: "number", min: -100, max: 100, step, "aria-label": "exact value", oninput: () => send(exact.value) });
  const label = h("label", { for: id });
  const send = (text) => {
    if (text !== "" && Number.isFinite(Number(text))) change(matrix.at.i, matrix.at.j, Number(text));
  };
  const backToCell = (event) => {
    if (event.key === "Escape") matrix.table.querySelector('td[tabindex="0"]').focus();
  };
  const element = h("div.slider.cell-editor", { onkeydown: backToCell }, label, range, exact);
  return {
    element,
    focus: () => range.focus(),
    update() {
      const { i, j } = matrix.at,
        value = matrix.values[i]?.[j];
      if (value === undefined) return;
      label.replaceChildren(...subscripts(name(i, j)));
      range.value = String(value);
      range.style.setProperty("--at", `${((Math.min(max, Math.max(min, value)) - min) / (max - min)) * 100}%`);
      if (document.activeElement !== exact) exact.value = String(value);
    },
  };
}

/** Prompts to try something, each with a button that does it. tries: { text (HTML), changes, then } */
export function tries(store, list) {
  return h(
    "div.tries",
    {},
    h("h3", {}, "Try"),
    h(
      "ul",
      {},
      list.map(({ text, changes, label = "Show me" }) => {
        const line = h("span");
        line.innerHTML = typeset(text);
        return h(
          "li",
          {},
          line,
          " ",
          h(
            "button.link",
            {
              type: "button",
              onclick: () => {
                store.set(typeof changes === "function" ? changes(store.state) : changes);
                announce("Done.");
              },
            },
            label,
          ),
        );
      }),
    ),
  );
}
