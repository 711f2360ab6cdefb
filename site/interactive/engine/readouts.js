// What a figure says in words and numbers: each returns { element } and a way to change it.

import { h, show, subscripts } from "./dom.js";

/** The line under a figure that says how the number pointed at came about. parts: strings or [text, class]. */
export function readout(start) {
  const element = h("p.readout", {}, start);
  return {
    element,
    say(parts) {
      element.replaceChildren(...(parts ?? [start]).map((part) => (Array.isArray(part) ? h(`span.${part[1]}`, {}, part[0]) : part)));
      element.classList.toggle("idle", !parts);
    },
  };
}

/** "0.55·0.43 + 0.87·0.15" as parts of a readout, factors in the colours of what they came from. */
export function products(a, b, classes = ["of-query", "of-key"], digits = 2) {
  const bracket = (value) => (value < 0 ? `(${show(value, digits)})` : show(value, digits));
  return a.flatMap((value, k) => [k ? " + " : "", [bracket(value), classes[0]], "·", [bracket(b[k]), classes[1]]]);
}

/** A bar of full width, cut into one piece per word: what softmax hands out. */
export function strip(label) {
  const bar = h("div.strip", { role: "img" });
  return {
    element: h("div.strip-frame", {}, label ? h("p.strip-label", {}, subscripts(label)) : null, bar),
    update(weights, names, about) {
      const pieces = weights.map((weight, i) => {
        const piece = bar.children[i] ?? bar.appendChild(h("span.piece", {}, h("b"), h("i")));
        piece.style.flexGrow = String(Math.max(weight, 1e-6));
        piece.hidden = !(weight > 1e-4);
        piece.firstChild.textContent = names[i];
        piece.lastChild.textContent = show(weight, 2);
        return piece;
      });
      while (bar.children.length > pieces.length) bar.lastChild.remove();
      bar.setAttribute("aria-label", `${about}: ${names.map((name, i) => `${name} ${show(weights[i], 2)}`).join(", ")}`);
    },
  };
}

/** A named number, large. */
export function figureOf(label, { note = "" } = {}) {
  const value = h("output.big", {}),
    line = h("p.big-note", {}, note);
  return {
    element: h("div.figure-of", {}, h("p.big-label", {}, subscripts(label)), value, line),
    update(text, about = note, tone = "") {
      value.textContent = text;
      line.textContent = about;
      value.dataset.tone = tone;
    },
  };
}
