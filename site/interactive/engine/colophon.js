// The foot of a page: what it belongs to, how its numbers are made, and how it is used with the keyboard.

import { h, typeset } from "./dom.js";

/** What the course is called: the build writes it into the page. */
export const courseName = () => document.documentElement.dataset.name ?? "the course";

/** A link to a page of the course, whose address the build writes into this one; in a frame it opens there where the frame stands. */
export const courseLink = (page, text) => h("a", { href: `${document.documentElement.dataset.course ?? "../"}${page}.html`, target: "_top" }, text);

const KEYBOARD_LINES = [
  "<kbd>Tab</kbd> goes from control to control; a matrix is one stop.",
  "In a matrix the arrow keys walk from cell to cell, <kbd>Home</kbd> and <kbd>End</kbd> go to the ends of the row, with <kbd>Ctrl</kbd> to the corners. Each cell is read out as a sentence.",
  "Where numbers can be edited, <kbd>+</kbd> and <kbd>−</kbd> change the one you are on; <kbd>Enter</kbd> goes to its slider and <kbd>Esc</kbd> comes back.",
  "On a curve the arrow keys move the reading line.",
];

function folded(title, lines) {
  const list = h("ul");
  list.innerHTML = lines.map((line) => `<li>${typeset(line)}</li>`).join("");
  return h("details", {}, h("summary", {}, title), list);
}

/** made: what the page's numbers come from, a line each. */
export function colophon(made) {
  return h(
    "footer.colophon",
    {},
    made.length ? folded("How the numbers are made", made) : null,
    folded("With the keyboard", KEYBOARD_LINES),
    h("p", {}, "Everything on this page is computed in your browser, in double precision, by the formulas of the chapter. Nothing is sent anywhere."),
    h("p", {}, "This page belongs to ", courseLink("index", courseName()), ", a free course in which you program attention yourself, from a dot product to a GPT. See ", courseLink("interactive_pages", "all its interactive pages"), "."),
  );
}
